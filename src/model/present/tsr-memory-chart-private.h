/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrMemoryChart, shared by its files: what is drawn, and what it says in words. */

#pragma once

#include "tsr-chart-frame.h"
#include "tsr-memory-chart.h"
#include "tsr-memory-series.h"
#include "tsr-step-layout.h"
#include "tsr-tile-axis.h"

G_BEGIN_DECLS

struct _TsrMemoryChart
{
  TsrChartModel parent_instance;

  TsrMemory *memory;
  TsrTileSelection *selection; /* (nullable) */
  TsrMemoryChartOptions options;
  TsrMemoryStep at; /* bytes NULL: each tile's peak */
  guint n;
  GPtrArray *series;  /* TsrMemorySeries */
  GHashTable *hidden; /* keys */

  TsrTileAxis *axis;
  TsrStepStack *stack;         /* sums from the bottom, by position; NULL without bands */
  gint64 *top, *line, *excess; /* by position; NULL without */
  TsrPyramid *top_pyramid, *line_pyramid, *excess_pyramid;
  GArray *over;  /* TsrStepExcess: those above 0 */
  GArray *bands; /* TsrStepBand, visible ones */
  double y_to;   /* of the axis */
};

static inline guint
tsr_memory_chart_tile_at (const TsrMemoryChart *self, guint position)
{
  return tsr_tile_axis_tile_at (self->axis, position);
}

/* What tiles are ordered by when they are ordered by bytes. */
TsrMetric tsr_memory_chart_get_order_metric (TsrMemoryChart *self);

/* Members of TsrChartModelClass. */
char *tsr_memory_chart_describe (TsrChartModel *model, guint32 datum);
char *tsr_memory_chart_dup_caption (TsrChartModel *model);
void tsr_memory_chart_write_csv (TsrChartModel *model, double from, double to, GString *out);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Total Memory graph (Memory page, tessera-cli render --view=memory). */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-memory.h"
#include "tsr-tile-selection.h"

G_BEGIN_DECLS

#define TSR_TYPE_MEMORY_CHART (tsr_memory_chart_get_type ())
G_DECLARE_FINAL_TYPE (TsrMemoryChart, tsr_memory_chart, TSR, MEMORY_CHART, TsrChartModel)

typedef enum
{
  TSR_BREAKDOWN_NONE,
  TSR_BREAKDOWN_REGION,
  TSR_BREAKDOWN_CATEGORY,
  TSR_BREAKDOWN_LIVENESS,
  TSR_BREAKDOWN_PEAK, /* by category, each tile at its own peak: needs _set_peaks */
  TSR_N_BREAKDOWNS,
} TsrBreakdown;

typedef struct
{
  TsrBreakdown breakdown;
  TsrTileOrder order;
  gboolean include_gaps;
  gboolean show_max;  /* the capacity line; the axis then reaches to 1.05 x capacity */
  gboolean fit_data;  /* the axis fits the data whatever show_max says */
  gboolean from_zero; /* y begins at 0 also where all tiles have half of it in the lowest band */
  TsrUnits units;
} TsrMemoryChartOptions;

const char *
tsr_breakdown_get_nick (TsrBreakdown breakdown); /* none, region, category, liveness, peak */
gboolean tsr_breakdown_parse (const char *nick, TsrBreakdown *breakdown);
const char *tsr_tile_order_get_nick (TsrTileOrder order); /* software, physical, bytes */
gboolean tsr_tile_order_parse (const char *nick, TsrTileOrder *order);

/* @options (nullable).  What the report does not have of them falls back to none and to the order
 * of software; tsr_memory_chart_get_options tells what is shown. */
TsrMemoryChart *tsr_memory_chart_new (TsrMemory *memory,
                                      TsrTileSelection *selection,
                                      const TsrMemoryChartOptions *options);
void tsr_memory_chart_set_options (TsrMemoryChart *self, const TsrMemoryChartOptions *options);
void tsr_memory_chart_get_options (TsrMemoryChart *self, TsrMemoryChartOptions *options);
/* What every tile holds at its own peak by category, of tsr_liveness_dup_categories_at_peaks
 * ((transfer full) (nullable)).  Without it TSR_BREAKDOWN_PEAK falls back to none. */
void tsr_memory_chart_set_peaks (TsrMemoryChart *self, gint64 *peaks);
/* What is live at one liveness step, with the allocation as a line above it: @not_always_live has
 * n_tiles values (copied; TSR_UNKNOWN).  NULL: the peak of each tile again, whatever @step.  At a
 * step memory is told by liveness or as a whole; other breakdowns show the whole. */
void tsr_memory_chart_set_step (TsrMemoryChart *self, guint step, const gint64 *not_always_live);
/* The step that is shown, or TSR_NO_INDEX. */
guint tsr_memory_chart_get_step (TsrMemoryChart *self);
/* Whether the report has what a breakdown or an order needs; *why (transfer full): what is missing,
 * for a tooltip. */
gboolean tsr_memory_chart_can_break_down (TsrMemoryChart *self, TsrBreakdown breakdown, char **why);
gboolean tsr_memory_chart_can_include_gaps (TsrMemoryChart *self, char **why);
gboolean tsr_memory_chart_can_order (TsrMemoryChart *self, TsrTileOrder order, char **why);

G_END_DECLS

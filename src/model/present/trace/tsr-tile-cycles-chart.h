/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cycles of the tiles of one IPU as stacked areas: of a step, or of a span by what the tiles did in
 * it; or bytes of tiles.  A datum is a tile's number in its IPU.  Main thread. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-tile-selection.h"

G_BEGIN_DECLS

#define TSR_TYPE_TILE_CYCLES_CHART (tsr_tile_cycles_chart_get_type ())
G_DECLARE_FINAL_TYPE (
    TsrTileCyclesChart, tsr_tile_cycles_chart, TSR, TILE_CYCLES_CHART, TsrChartModel)

#define TSR_TILE_CYCLES_MAX_SERIES 6

typedef enum
{
  TSR_TILE_CYCLES_BY_TILE,
  TSR_TILE_CYCLES_BY_CYCLES, /* most first, ties to the lower tile */
} TsrTileCyclesOrder;

/* @n tiles; @caption: what the chart shows. */
TsrTileCyclesChart *tsr_tile_cycles_chart_new (guint n, const char *caption);
/* The values are bytes, not cycles. */
void tsr_tile_cycles_chart_set_bytes (TsrTileCyclesChart *self, TsrUnits units);
/* On top of those before; @key is static, the heading in CSV; @values: [n] cycles, copied, none
 * below 0.  @idle: cycles in which nothing is done, which do not count in the order unless nothing
 * else is visible. */
void tsr_tile_cycles_chart_add_series (TsrTileCyclesChart *self,
                                       const char *key,
                                       const char *name,
                                       guint ink,
                                       const gint64 *values,
                                       gboolean idle,
                                       gboolean visible);
/* The tiles of @selection, where @first stands for tile 0, are marked. */
void tsr_tile_cycles_chart_set_selection (TsrTileCyclesChart *self,
                                          TsrTileSelection *selection,
                                          guint first);
void tsr_tile_cycles_chart_set_order (TsrTileCyclesChart *self, TsrTileCyclesOrder order);

G_END_DECLS

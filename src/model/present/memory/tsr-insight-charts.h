/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The small charts of the Insights page: what fills the fullest tile, one tile's bar, the histogram
 * of tiles.  Pure functions from numbers to a draw list; any thread. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-insights.h"

G_BEGIN_DECLS

/* The five parts of a tile (tsr_insights_get_worst_parts) side by side over the width, to the scale
 * of max (their sum, @capacity), with a line at the capacity. */
#define TSR_N_PARTS 5
void tsr_insight_charts_layout_parts (const gint64 parts[TSR_N_PARTS],
                                      gint64 capacity,
                                      const TsrChartGeometry *geometry,
                                      TsrDrawList *list);
/* Name (translated) and ink of a part. */
const char *tsr_part_get_name (guint part);
guint tsr_part_get_ink (guint part);

/* One bar of @bytes to the scale of @most, with a line at @capacity; what is beyond it is hatched.
 */
void tsr_insight_charts_layout_bar (gint64 bytes,
                                    gint64 capacity,
                                    gint64 most,
                                    const TsrChartGeometry *geometry,
                                    TsrDrawList *list);

/* A value of each tile over the width, 0 at the foot and @most (above 0) at the top; where tiles
 * share a column of pixels it shows the largest.  What is below 0 hangs from the top edge, on the
 * same scale, in another colour. */
void tsr_insight_charts_layout_strip (const gint64 *values,
                                      guint n_values,
                                      gint64 most,
                                      const TsrChartGeometry *geometry,
                                      TsrDrawList *list);

/* The histogram, IPUs stacked: bytes on x, tiles on y, a line at the capacity, the last bin
 * hatched.
 * @hover: bin that is marked, or TSR_NO_DATUM. */
void tsr_insight_charts_layout_histogram (TsrInsights *insights,
                                          TsrUnits units,
                                          guint32 hover,
                                          const TsrChartGeometry *geometry,
                                          TsrDrawList *list);
/* Bin of a laid out histogram at @x; TSR_NO_DATUM outside the plot. */
guint32 tsr_insight_charts_find_bin (const TsrDrawList *list, double x);
/* Tiles of all IPUs in @bin; (transfer full): "208 to 234 KiB: 312 tiles" and a line for each IPU.
 */
guint tsr_insight_charts_get_bin_tiles (TsrInsights *insights, guint bin);
char *tsr_insight_charts_describe_bin (TsrInsights *insights, guint bin, TsrUnits units);

G_END_DECLS

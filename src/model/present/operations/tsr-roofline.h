/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The roofline of the operations of a layer: GFLOPS over FLOPs for each byte exchanged, both in
 * decades, a square for each operation.  Bytes exchanged are those that tiles receive or those that
 * they send, whichever are more.  The roof is what exchanging allows: 4 bytes for each tile of a
 * replica and cycle.  There is no roof of compute: the report does not tell the target's peak.
 *
 * A datum is an operation; the x axis is the decimal logarithm.  Operations without FLOPs, cycles
 * or exchange have no place, and are counted. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-operations.h"

G_BEGIN_DECLS

#define TSR_TYPE_ROOFLINE (tsr_roofline_get_type ())
G_DECLARE_FINAL_TYPE (TsrRoofline, tsr_roofline, TSR, ROOFLINE, TsrChartModel)

/* What a tile exchanges in a cycle, bytes (docs/formulas.md). */
#define TSR_EXCHANGE_BYTES_PER_CYCLE 4

TsrRoofline *tsr_roofline_new (TsrOperations *operations, TsrUnits units);
/* Is highlighted; TSR_NO_INDEX: none. */
void tsr_roofline_set_selected (TsrRoofline *self, guint operation);
/* How many operations have a place. */
guint tsr_roofline_get_n (TsrRoofline *self);
/* FLOPs for each byte exchanged, and GFLOPS; FALSE when it has no place. */
gboolean
tsr_roofline_get_place (TsrRoofline *self, guint operation, double *intensity, double *gflops);
/* The roof at @intensity, GFLOPS; NaN when the report does not tell clock or tiles. */
double tsr_roofline_get_roof (TsrRoofline *self, double intensity);

/* The operation nearest to a point of the plot, within some pixels; TSR_NO_DATUM. */
guint32 tsr_roofline_operation_at (TsrRoofline *self,
                                   const TsrChartGeometry *geometry,
                                   const TsrPlotArea *area,
                                   double x,
                                   double y);
/* The middle of its square, also outside the plot; FALSE when it has no place. */
gboolean tsr_roofline_get_point (TsrRoofline *self,
                                 const TsrChartGeometry *geometry,
                                 const TsrPlotArea *area,
                                 guint32 operation,
                                 double *x,
                                 double *y);
/* The next one to the left or right (dx -1, 1) or below or above (dy 1, -1); from TSR_NO_DATUM the
 * one with most cycles; itself at the end. */
guint32 tsr_roofline_neighbour (TsrRoofline *self, guint32 operation, int dx, int dy);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chart along one axis: the plane that shows any TsrChartModel through a TsrViewport, with
 * mini-map, legend and selection by pointer and keyboard.  It knows nothing of what the data are;
 * what is selected is the business of whoever handles "select".  A new model takes the domain of
 * the viewport with it.
 *
 * Pointer: the wheel zooms about it (Shift or a sideways wheel pans), a click selects, Shift+click
 * adds or takes away, a drag selects a range, Ctrl+drag or the middle button pans, a double click
 * goes to the selection that it hits, else to all, else closer.
 *
 * Signal: "select" (double from, double to, int TsrSelectMode): positions [from, to). */

#pragma once

#include "tsr-plane.h"
#include "tsr-tile-selection.h"
#include "tsr-viewport.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_CHART (tsr_chart_get_type ())
G_DECLARE_FINAL_TYPE (TsrChart, tsr_chart, TSR, CHART, TsrPlane)

TsrChart *tsr_chart_new (void);
void tsr_chart_set_viewport (TsrChart *self, TsrViewport *viewport);
TsrViewport *tsr_chart_get_viewport (TsrChart *self);

/* The mini-map is above the plot while not all of it is visible; @always: also while all of it is.
 * At first not. */
void tsr_chart_set_mini_map (TsrChart *self, gboolean always);
gboolean tsr_chart_has_mini_map (TsrChart *self);

/* Positions [from, to) that hold what is selected; from >= to: nothing.  For "zoom to selection".
 */
void tsr_chart_set_selected_extent (TsrChart *self, double from, double to);

/* Left edge and width of the plot inside the axes, in the chart's coordinates, for what stands on
 * the same x axis.  "plot-moved" tells when they are others. */
void tsr_chart_get_plot_extent (TsrChart *self, double *x, double *width);

/* (transfer full) (element-type guint32): the data at positions [from, to). */
GArray *tsr_chart_dup_data (TsrChart *self, double from, double to);

G_END_DECLS

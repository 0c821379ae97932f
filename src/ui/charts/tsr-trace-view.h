/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The execution trace: its rows with a scroll bar and a mini-map, on a viewport of fold positions.
 * What is selected, measured, collapsed and pinned it sets in the chart's TsrTraceState.
 *
 * Pointer: the wheel zooms about it (Shift or a sideways wheel pans; Ctrl, or over the names of the
 * IPUs, scrolls the rows; Alt over a band of tiles zooms that), a click selects a step, measures a
 * group or a run, and does what arrows and pins say; Shift+click adds (on an arrow:
 * collapses all IPUs), a drag measures a span, Ctrl+drag or the middle button pans, a double click
 * zooms to what it hits and back.
 *
 * Signals, beside those of TsrPlane: "settled": the visible cycles have not changed for a moment;
 * "select-tile" (guint ipu, guint tile, gboolean add); "edit-marker" (guint); "mark" (gint64 from,
 * gint64 to): the user wants a marker there. */

#pragma once

#include "tsr-plane.h"
#include "tsr-trace-chart.h"
#include "tsr-viewport.h"

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_VIEW (tsr_trace_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrTraceView, tsr_trace_view, TSR, TRACE_VIEW, TsrPlane)

/* (nullable); another chart keeps the visible cycles as far as its domain has them. */
void tsr_trace_view_set_chart (TsrTraceView *self, TsrTraceChart *chart);
TsrTraceChart *tsr_trace_view_get_chart (TsrTraceView *self);
/* The mini-map stands above the plot also while all of it is visible. */
void tsr_trace_view_set_mini_map (TsrTraceView *self, gboolean always);
/* Pixels above the canvas: those of the mini-map, or 0. */
int tsr_trace_view_get_top (TsrTraceView *self);
void tsr_trace_view_set_viewport (TsrTraceView *self, TsrViewport *viewport);
TsrViewport *tsr_trace_view_get_viewport (TsrTraceView *self);
/* (transfer none): first visible pixel of the rows. */
GtkAdjustment *tsr_trace_view_get_adjustment (TsrTraceView *self);

/* Visible cycles [from, to); FALSE without a chart. */
gboolean tsr_trace_view_get_visible (TsrTraceView *self, gint64 *from, gint64 *to);
/* TRUE when the whole domain is visible. */
gboolean tsr_trace_view_is_whole (TsrTraceView *self);
/* Shows these cycles, now or when there is a chart; a step that undo takes back. */
void tsr_trace_view_show (TsrTraceView *self, gint64 from, gint64 to);
/* The same with a margin, for what is looked at; what is in another run changes the run. */
void tsr_trace_view_zoom_to (TsrTraceView *self, gint64 from, gint64 to);
/* Puts the keyboard cursor at @slice, shows its run if need be, selects it alone when @select, and
 * brings it into view without changing the zoom unless it does not fit. */
void tsr_trace_view_go_to (TsrTraceView *self, guint32 slice, gboolean select);
/* The slice that the next of its kind is looked for from: cursor, else the one selected last. */
guint32 tsr_trace_view_get_slice (TsrTraceView *self);
/* (transfer full) (nullable): path of the group of several steps that the cursor is at, up to its
 * own part. */
char *tsr_trace_view_dup_group (TsrTraceView *self);

/* (transfer full) (nullable): what is under the pointer, else at the cursor, in one line. */
char *tsr_trace_view_dup_hover (TsrTraceView *self);
/* The slice of the step with this id on @ipu, or TSR_NO_SLICE. */
guint32 tsr_trace_find_step (const TsrTrace *trace, gint64 step_id, guint ipu);

/* Numbers of tiles are being read. */
gboolean tsr_trace_view_is_busy (TsrTraceView *self);

G_END_DECLS

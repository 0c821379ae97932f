/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrTraceView, shared by its files. */

#pragma once

#include "tsr-mini-map.h"
#include "tsr-trace-view.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_TRACE_DRAG_NONE,
  TSR_TRACE_DRAG_PRESSED, /* not moved far enough yet */
  TSR_TRACE_DRAG_SPAN,    /* measures */
  TSR_TRACE_DRAG_PAN,
} TsrTraceDrag;

struct _TsrTraceView
{
  TsrPlane parent_instance;

  TsrMiniMap *mini_map;
  GtkWidget *scrollbar;
  GtkAdjustment *adjustment; /* pixels of the rows */
  TsrViewport *viewport;
  TsrTraceChart *chart;    /* (nullable) the plane's model */
  TsrTraceHit hit, cursor; /* under the pointer, of the keyboard; NOTHING */

  TsrTraceDrag drag;
  gboolean drag_pans;
  double drag_band; /* height of the band that is dragged up and down; 0: rows are */
  double press_x, press_y, last_x, last_y;
  double span_from, span_to; /* positions, while it is measured */
  guint gesture;             /* of the viewport's history */

  gint64 from, to;               /* visible cycles; from >= to: none yet */
  gint64 wanted_from, wanted_to; /* asked for before there was a chart */
  gboolean whole;                /* the domain is visible */
  guint settle;                  /* source id */
  gboolean placing;

  double row_height, bsp_height; /* as the chart was told */
  double bsp_from, bsp_to;       /* 0..1 */
  gboolean bsp;                  /* bands of tiles are there */
  GHashTable *tried;             /* sets of tile numbers that were read or cannot be */
  GCancellable *reading;         /* (nullable) */
};

enum
{
  TSR_TRACE_VIEW_SETTLED,
  TSR_TRACE_VIEW_SELECT_TILE,
  TSR_TRACE_VIEW_EDIT_MARKER,
  TSR_TRACE_VIEW_MARK,
  TSR_TRACE_VIEW_N_SIGNALS
};
extern guint tsr_trace_view_signals[TSR_TRACE_VIEW_N_SIGNALS];

TsrTraceState *tsr_trace_view_get_state (TsrTraceView *self);
gint64 tsr_trace_view_cycles_at (TsrTraceView *self, double x);
/* Cycles of what was hit; FALSE when it has none. */
gboolean
tsr_trace_view_get_extent (TsrTraceView *self, const TsrTraceHit *hit, gint64 *from, gint64 *to);
/* @hit (nullable): nowhere. */
void tsr_trace_view_set_hit (TsrTraceView *self, const TsrTraceHit *hit, double x, double y);
void tsr_trace_view_set_cursor (TsrTraceView *self, const TsrTraceHit *hit);
/* By the pointer: without a mark. */
void tsr_trace_view_put_cursor (TsrTraceView *self, const TsrTraceHit *hit);
/* What a click on it does. */
void tsr_trace_view_activate (TsrTraceView *self, const TsrTraceHit *hit, gboolean add);
/* Selects it alone if it is one step, not a group of several. */
void tsr_trace_view_select_leaf (TsrTraceView *self, const TsrTraceHit *hit);
gboolean tsr_trace_view_is_selected (TsrTraceView *self, guint32 slice);
void tsr_trace_view_clear_selection (TsrTraceView *self);
/* All IPUs, or, when they are, expands them. */
void tsr_trace_view_collapse_all (TsrTraceView *self);
/* Makes the run of these cycles the domain unless they are in it. */
void tsr_trace_view_ensure_run (TsrTraceView *self, gint64 from, gint64 to);
void tsr_trace_view_set_row_height (TsrTraceView *self, double height);
void tsr_trace_view_zoom_band (TsrTraceView *self, double at, double factor);
void tsr_trace_view_pan_band (TsrTraceView *self, double part);
gboolean tsr_trace_view_get_band_place (
    TsrTraceView *self, const TsrTraceHit *hit, const TsrPlotArea *area, double y, double *place);

/* tsr-trace-view-select.c has extents, runs, clicks; tsr-trace-view-input.c */
void tsr_trace_view_class_add_input (TsrPlaneClass *klass);
/* tsr-trace-view-actions.c */
void tsr_trace_view_class_add_actions (TsrPlaneClass *klass);
void tsr_trace_view_add_menu_items (TsrPlane *plane, GMenu *menu);

G_END_DECLS

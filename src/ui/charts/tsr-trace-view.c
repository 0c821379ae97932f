/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A datum of the plane is a hash of what was hit; the hits themselves, under the pointer and of the
 * keyboard, are kept here.  What is visible is kept in cycles, too: positions mean something else
 * when waits are folded or another run is chosen. */

#include "config.h"

#include "tsr-trace-view.h"

#include "tsr-mini-map.h"
#include "tsr-navigation.h"
#include "tsr-task.h"

#include <glib/gi18n.h>
#include <math.h>

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
  gboolean map_always, map_shown;

  double row_height;       /* chosen; 0: as the room allows */
  double bsp_height;       /* as the chart was told */
  double bsp_from, bsp_to; /* 0..1 */
  gboolean bsp;            /* bands of tiles are there */
  /* Where the rows stood before a band was brought into sight, and stand since; negative: they were
   * moved, or no band was. */
  double shown_from, shown_at;
  GHashTable *tried;     /* sets of tile numbers that were read or cannot be */
  GCancellable *reading; /* (nullable) */
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

static TsrTraceState *tsr_trace_view_get_state (TsrTraceView *self);
static gint64 tsr_trace_view_cycles_at (TsrTraceView *self, double x);
static void tsr_trace_view_set_hit (TsrTraceView *self, const TsrTraceHit *hit, double x, double y);
static void tsr_trace_view_put_cursor (TsrTraceView *self, const TsrTraceHit *hit);
static void tsr_trace_view_set_cursor (TsrTraceView *self, const TsrTraceHit *hit);
static void tsr_trace_view_set_row_height (TsrTraceView *self, double height);
static void tsr_trace_view_zoom_band (TsrTraceView *self, double at, double factor);
static void tsr_trace_view_pan_band (TsrTraceView *self, double part);
static gboolean tsr_trace_view_get_band_place (
    TsrTraceView *self, const TsrTraceHit *hit, const TsrPlotArea *area, double y, double *place);
static void tsr_trace_view_collapse_all (TsrTraceView *self);
static void tsr_trace_view_clear_selection (TsrTraceView *self);

/* What a trace's view selects and goes to: steps, spans, runs. */

/* (nullable): the cursor may stand in what the shape of now has not. */
static const TsrTraceRow *
get_row (TsrTraceView *self, const TsrTraceHit *hit)
{
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  TsrTraceShape shape = tsr_trace_state_get_shape (tsr_trace_view_get_state (self));
  const TsrTraceRow *row;

  if (hit->depth >= tsr_trace_get_n_rows (trace, hit->track, shape))
    return NULL;
  row = tsr_trace_get_row (trace, hit->track, shape, hit->depth);
  return hit->item < row->n ? row : NULL;
}

static gboolean
get_row_extent (TsrTraceView *self, const TsrTraceHit *hit, gint64 *from, gint64 *to)
{
  const TsrTraceRow *row = get_row (self, hit);

  if (row == NULL)
    return FALSE;
  *from = tsr_trace_row_start (row, hit->item);
  *to = tsr_trace_row_end (row, hit->item);
  return TRUE;
}

/* Where it is drawn, for what has no cycles of its own here: a block on its IPU's clock. */
static gboolean
get_drawn_extent (TsrTraceView *self, const TsrTraceHit *hit, gint64 *from, gint64 *to)
{
  TsrChartGeometry geometry;
  TsrPlotArea area;
  double x, y, width, height;

  if (!tsr_plane_get_geometry (TSR_PLANE (self), &geometry, &area)
      || !tsr_trace_chart_get_place (self->chart, &geometry, &area, hit, &x, &y, &width, &height))
    return FALSE;
  *from = tsr_trace_view_cycles_at (self, x);
  *to = tsr_trace_view_cycles_at (self, x + width);
  return TRUE;
}

static gboolean
get_marker_extent (TsrTraceView *self, guint index, gint64 *from, gint64 *to)
{
  const GPtrArray *markers = tsr_trace_state_peek_markers (tsr_trace_view_get_state (self));
  const TsrTraceMarker *marker = index < markers->len ? markers->pdata[index] : NULL;

  if (marker == NULL)
    return FALSE;
  *from = marker->from;
  *to = marker->to;
  return TRUE;
}

/* Cycles of what was hit; FALSE when it has none. */
static gboolean
tsr_trace_view_get_extent (TsrTraceView *self, const TsrTraceHit *hit, gint64 *from, gint64 *to)
{
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  TsrTraceSlice slice;

  switch (hit->kind)
    {
    case TSR_TRACE_HIT_ITEM:
      return get_row_extent (self, hit, from, to);
    case TSR_TRACE_HIT_RUN:
      if (hit->index >= tsr_trace_get_n_runs (trace))
        return FALSE;
      *from = tsr_trace_get_run (trace, hit->index)->start;
      *to = tsr_trace_get_run (trace, hit->index)->end;
      return TRUE;
    case TSR_TRACE_HIT_TILE:
      if (hit->slice == TSR_NO_SLICE)
        return FALSE;
      tsr_trace_get_slice (trace, hit->slice, &slice);
      *from = slice.start;
      *to = slice.end;
      return slice.start != TSR_UNKNOWN && slice.end != TSR_UNKNOWN;
    case TSR_TRACE_HIT_NOTCH:
      if (hit->index >= tsr_trace_fold_get_n_notches (tsr_trace_chart_get_fold (self->chart)))
        return FALSE;
      tsr_trace_fold_get_notch (tsr_trace_chart_get_fold (self->chart), hit->index, from, to);
      return TRUE;
    case TSR_TRACE_HIT_MARKER:
      return get_marker_extent (self, hit->index, from, to);
    case TSR_TRACE_HIT_BLOCK:
      return get_drawn_extent (self, hit, from, to);
    default:
      return FALSE;
    }
}

/* Going there */

guint32
tsr_trace_find_step (const TsrTrace *trace, gint64 step_id, guint ipu)
{
  guint32 step;

  g_return_val_if_fail (trace != NULL, TSR_NO_SLICE);
  step = tsr_execution_tables_find_step (tsr_trace_get_tables (trace), step_id);
  return step != TSR_NO_INDEX && ipu < tsr_trace_get_n_ipus (trace)
             ? tsr_trace_find_slice (trace, step, ipu)
             : TSR_NO_SLICE;
}

/* Makes the run of these cycles the domain unless they are in it. */
static void
tsr_trace_view_ensure_run (TsrTraceView *self, gint64 from, gint64 to)
{
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  gint64 first, end;

  tsr_trace_fold_get_domain (tsr_trace_chart_get_fold (self->chart), &first, &end);
  if (from >= first && to <= end)
    return;
  for (guint i = 0; i < tsr_trace_get_n_runs (trace); i++)
    {
      const TsrTraceRun *run = tsr_trace_get_run (trace, i);

      if (run->start < run->end && from >= run->start && to <= run->end)
        {
          tsr_trace_state_set_run (tsr_trace_view_get_state (self), (int)i);
          return;
        }
    }
  tsr_trace_state_set_run (tsr_trace_view_get_state (self), TSR_TRACE_RUN_ALL);
}

guint32
tsr_trace_view_get_slice (TsrTraceView *self)
{
  TsrTrace *trace;
  const TsrTraceStepRef *steps;
  guint n = 0;

  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), TSR_NO_SLICE);
  if (self->chart == NULL)
    return TSR_NO_SLICE;
  if (self->cursor.kind == TSR_TRACE_HIT_ITEM)
    return self->cursor.slice;
  trace = tsr_trace_chart_get_trace (self->chart);
  steps = tsr_trace_state_peek_steps (tsr_trace_view_get_state (self), &n);
  return n > 0 ? tsr_trace_find_step (trace, steps[n - 1].step_id, steps[n - 1].ipu) : TSR_NO_SLICE;
}

void
tsr_trace_view_go_to (TsrTraceView *self, guint32 slice, gboolean select)
{
  TsrTraceState *state;
  TsrTraceSlice told;
  TsrTraceHit hit;

  g_return_if_fail (TSR_IS_TRACE_VIEW (self));
  if (self->chart == NULL || slice == TSR_NO_SLICE)
    return;
  state = tsr_trace_view_get_state (self);
  tsr_trace_get_slice (tsr_trace_chart_get_trace (self->chart), slice, &told);
  if (tsr_trace_state_get_ipu (state) != TSR_NO_INDEX
      && tsr_trace_state_get_ipu (state) != told.ipu)
    tsr_trace_state_set_ipu (state, told.ipu);
  if (told.start != TSR_UNKNOWN && told.end != TSR_UNKNOWN)
    tsr_trace_view_ensure_run (self, told.start, told.end);
  if (tsr_trace_chart_hit_slice (self->chart, slice, &hit))
    tsr_trace_view_set_cursor (self, &hit);
  if (select)
    {
      const TsrTraceStepRef step = { told.step_id, told.ipu };

      tsr_trace_state_set_steps (state, &step, 1);
    }
}

/* What is hit */

static void
select_step (TsrTraceView *self, guint32 slice, gboolean add)
{
  TsrTraceState *state = tsr_trace_view_get_state (self);
  TsrTraceSlice told;

  tsr_trace_get_slice (tsr_trace_chart_get_trace (self->chart), slice, &told);
  tsr_trace_state_set_selected_group (state, NULL);
  if (add)
    tsr_trace_state_toggle_step (state, told.step_id, told.ipu);
  else
    tsr_trace_state_set_steps (state, &(TsrTraceStepRef){ told.step_id, told.ipu }, 1);
}

static gboolean
get_group (TsrTraceView *self, const TsrTraceHit *hit, TsrTraceItem *item)
{
  const TsrTraceRow *row = get_row (self, hit);

  if (row == NULL)
    return FALSE;
  tsr_trace_get_item (tsr_trace_chart_get_trace (self->chart), row, hit->item, item);
  return item->group && item->n_slices > 1;
}

static gboolean
is_group (TsrTraceView *self, const TsrTraceHit *hit)
{
  TsrTraceItem item;

  return get_group (self, hit, &item);
}

char *
tsr_trace_view_dup_group (TsrTraceView *self)
{
  TsrTraceItem item;

  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), NULL);
  if (self->chart == NULL || self->cursor.kind != TSR_TRACE_HIT_ITEM
      || !get_group (self, &self->cursor, &item) || item.path_length == 0)
    return NULL;
  return g_strndup (item.path, item.path_length);
}

/* Selects it alone if it is one step, not a group of several. */
static void
tsr_trace_view_select_leaf (TsrTraceView *self, const TsrTraceHit *hit)
{
  if (!is_group (self, hit))
    select_step (self, hit->slice, FALSE);
}

static gboolean
tsr_trace_view_is_selected (TsrTraceView *self, guint32 slice)
{
  guint n = 0;
  const TsrTraceStepRef *steps = tsr_trace_state_peek_steps (tsr_trace_view_get_state (self), &n);
  TsrTraceSlice told;

  tsr_trace_get_slice (tsr_trace_chart_get_trace (self->chart), slice, &told);
  for (guint i = 0; i < n; i++)
    if (steps[i].step_id == told.step_id && steps[i].ipu == told.ipu)
      return TRUE;
  return FALSE;
}

/* A group and a run are measured: the figures are theirs. */
static void
tsr_trace_view_activate (TsrTraceView *self, const TsrTraceHit *hit, gboolean add)
{
  TsrTraceState *state = tsr_trace_view_get_state (self);
  gint64 from, to;

  switch (hit->kind)
    {
    case TSR_TRACE_HIT_ARROW:
      if (add)
        tsr_trace_view_collapse_all (self);
      else
        tsr_trace_state_set_collapsed (state, hit->ipu,
                                       !tsr_trace_state_is_collapsed (state, hit->ipu));
      break;
    case TSR_TRACE_HIT_PIN:
      tsr_trace_state_set_pinned (state, hit->ipu, !tsr_trace_state_is_pinned (state, hit->ipu));
      break;
    case TSR_TRACE_HIT_TILE:
      g_signal_emit (self, tsr_trace_view_signals[TSR_TRACE_VIEW_SELECT_TILE], 0, hit->ipu,
                     hit->index, add);
      if (hit->slice != TSR_NO_SLICE && !add)
        select_step (self, hit->slice, FALSE);
      break;
    case TSR_TRACE_HIT_ITEM:
      if (!is_group (self, hit))
        select_step (self, hit->slice, add);
      else if (tsr_trace_view_get_extent (self, hit, &from, &to))
        tsr_trace_state_set_span (state, from, to);
      break;
    case TSR_TRACE_HIT_RUN:
      if (tsr_trace_view_get_extent (self, hit, &from, &to))
        tsr_trace_state_set_span (state, from, to);
      break;
    case TSR_TRACE_HIT_MARKER:
      g_signal_emit (self, tsr_trace_view_signals[TSR_TRACE_VIEW_EDIT_MARKER], 0, hit->index);
      break;
    case TSR_TRACE_HIT_NOTHING:
      if (!add)
        tsr_trace_view_clear_selection (self);
      break;
    default:
      break;
    }
}

/* All IPUs, or, when they are, expands them. */
static void
tsr_trace_view_collapse_all (TsrTraceView *self)
{
  TsrTraceState *state = tsr_trace_view_get_state (self);
  guint n = tsr_trace_get_n_ipus (tsr_trace_chart_get_trace (self->chart));
  gboolean all = TRUE;

  for (guint ipu = 0; ipu < n; ipu++)
    all = all && tsr_trace_state_is_collapsed (state, ipu);
  tsr_trace_state_set_all_collapsed (state, n, !all);
}

static void
tsr_trace_view_clear_selection (TsrTraceView *self)
{
  TsrTraceState *state = tsr_trace_view_get_state (self);

  tsr_trace_state_set_span (state, 0, 0);
  tsr_trace_state_set_selected_group (state, NULL);
  tsr_trace_state_set_steps (state, NULL, 0);
}

/* What the pointer does to a trace. */

#define DRAG_THRESHOLD 4.0
#define WHEEL_FACTOR   1.25
#define WHEEL_ROWS     3.0
#define CLOSER         8.0 /* a double click where there is nothing to go to */

static gboolean
find_hit (TsrTraceView *self, double x, double y, TsrTraceHit *hit, TsrPlotArea *area)
{
  TsrChartGeometry geometry;

  memset (hit, 0, sizeof *hit);
  hit->kind = TSR_TRACE_HIT_NOTHING;
  if (!tsr_plane_get_geometry (TSR_PLANE (self), &geometry, area))
    return FALSE;
  tsr_trace_chart_hit (self->chart, &geometry, area, x, y, hit);
  return TRUE;
}

/* To what is hit; back, when it fills the view already. */
static void
double_click (TsrTraceView *self, double x, double y)
{
  TsrTraceHit hit;
  TsrPlotArea area;
  gint64 from, to;
  double a, b;

  if (!find_hit (self, x, y, &hit, &area) || x < area.x)
    return;
  tsr_viewport_get_range (self->viewport, &a, &b);
  if (hit.kind == TSR_TRACE_HIT_ARROW || hit.kind == TSR_TRACE_HIT_PIN)
    return;
  if (hit.kind == TSR_TRACE_HIT_RUN)
    tsr_trace_state_set_run (tsr_trace_view_get_state (self), (int)hit.index);
  else if (tsr_trace_view_get_extent (self, &hit, &from, &to))
    {
      TsrTraceFold *fold = tsr_trace_chart_get_fold (self->chart);
      double span
          = tsr_trace_fold_get_position (fold, to) - tsr_trace_fold_get_position (fold, from);

      if (span >= (b - a) * 0.85 && tsr_viewport_can_undo (self->viewport))
        tsr_viewport_undo (self->viewport);
      else
        tsr_trace_view_zoom_to (self, from, to);
    }
  else if (!self->whole)
    tsr_viewport_fit (self->viewport);
  else
    tsr_viewport_zoom_about (self->viewport, tsr_plane_data_at (TSR_PLANE (self), x), CLOSER, 0);
}

static void
press (TsrPlane *plane, double x, double y, guint button, int n_press, GdkModifierType state)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);

  self->drag = TSR_TRACE_DRAG_NONE;
  if (n_press == 2 && button == GDK_BUTTON_PRIMARY)
    {
      double_click (self, x, y);
      return;
    }
  self->drag = TSR_TRACE_DRAG_PRESSED;
  self->drag_pans = button == GDK_BUTTON_MIDDLE || (state & GDK_CONTROL_MASK) != 0;
  self->press_x = self->last_x = x;
  self->press_y = self->last_y = y;
  self->gesture = tsr_plane_new_gesture ();
}

static void
begin_drag (TsrTraceView *self)
{
  TsrTraceHit hit;
  TsrPlotArea area = { 0 };
  gboolean pinned;
  double top;

  find_hit (self, self->press_x, self->press_y, &hit, &area);
  /* A band that is zoomed goes up and down under the pointer, in the place of rows. */
  if (hit.kind != TSR_TRACE_HIT_TILE || self->bsp_to - self->bsp_from >= 1
      || !tsr_trace_chart_get_row_place (self->chart, &hit, &top, &self->drag_band, &pinned))
    self->drag_band = 0;
  /* Over the names there is nothing to measure: rows are pulled. */
  self->drag = self->drag_pans || self->press_x < area.x ? TSR_TRACE_DRAG_PAN : TSR_TRACE_DRAG_SPAN;
  self->span_from = tsr_plane_data_at (TSR_PLANE (self), self->press_x);
  tsr_trace_view_set_hit (self, NULL, 0, 0);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                   self->drag == TSR_TRACE_DRAG_PAN ? "grabbing" : "ew-resize");
}

static gboolean
drag (TsrPlane *plane, double x, double y)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  double from, to, last;

  if (self->drag == TSR_TRACE_DRAG_NONE)
    return FALSE;
  if (self->drag == TSR_TRACE_DRAG_PRESSED)
    {
      if (hypot (x - self->press_x, y - self->press_y) < DRAG_THRESHOLD)
        return FALSE;
      begin_drag (self);
    }
  tsr_viewport_get_range (self->viewport, &from, &to);
  if (self->drag == TSR_TRACE_DRAG_PAN)
    {
      last = tsr_plane_data_at (TSR_PLANE (self), self->last_x);
      tsr_viewport_pan (self->viewport, last - tsr_plane_data_at (TSR_PLANE (self), x),
                        self->gesture);
      if (self->drag_band > 0)
        tsr_trace_view_pan_band (self, (self->last_y - y) / self->drag_band);
      else
        gtk_adjustment_set_value (self->adjustment,
                                  gtk_adjustment_get_value (self->adjustment) + self->last_y - y);
    }
  else
    {
      self->span_from = CLAMP (self->span_from, from, to);
      self->span_to = CLAMP (tsr_plane_data_at (TSR_PLANE (self), x), from, to);
      tsr_plane_invalidate_overlay (plane);
    }
  self->last_x = x;
  self->last_y = y;
  return TRUE;
}

static void
finish_span (TsrTraceView *self)
{
  TsrTraceFold *fold = tsr_trace_chart_get_fold (self->chart);
  gint64 from = tsr_trace_fold_get_cycles (fold, MIN (self->span_from, self->span_to));
  gint64 to = tsr_trace_fold_get_cycles (fold, ceil (MAX (self->span_from, self->span_to)));

  tsr_trace_state_set_span (tsr_trace_view_get_state (self), from, MAX (to, from + 1));
}

static void
release (TsrPlane *plane, double x, double y, GdkModifierType state)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrTraceDrag was = self->drag;
  TsrTraceHit hit;
  TsrPlotArea area;

  tsr_plane_cancel (plane);
  if (was == TSR_TRACE_DRAG_SPAN)
    {
      /* Up and down there is nothing to measure. */
      if (fabs (x - self->press_x) >= DRAG_THRESHOLD)
        finish_span (self);
    }
  else if (was == TSR_TRACE_DRAG_PRESSED && !self->drag_pans && find_hit (self, x, y, &hit, &area))
    {
      /* The keyboard goes on from here. */
      if (hit.kind == TSR_TRACE_HIT_ITEM)
        tsr_trace_view_put_cursor (self, &hit);
      tsr_trace_view_activate (self, &hit, (state & GDK_SHIFT_MASK) != 0);
    }
}

static void
scroll_rows (TsrTraceView *self, double dy)
{
  gtk_adjustment_set_value (self->adjustment,
                            gtk_adjustment_get_value (self->adjustment)
                                + dy * WHEEL_ROWS * tsr_trace_chart_get_row_height (self->chart));
}

/* FALSE when there is no band of tiles under the pointer. */
static gboolean
scroll_band (
    TsrTraceView *self, const TsrTraceHit *hit, const TsrPlotArea *area, double y, double dy)
{
  double place;

  if (!tsr_trace_view_get_band_place (self, hit, area, y, &place))
    return FALSE;
  tsr_trace_view_zoom_band (self,
                            self->bsp_from + CLAMP (place, 0, 1) * (self->bsp_to - self->bsp_from),
                            pow (WHEEL_FACTOR, -dy));
  return TRUE;
}

static void
scroll (TsrPlane *plane, double x, double y, double dx, double dy, GdkModifierType state)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrPlotArea area = { 0 };
  TsrTraceHit hit;
  gboolean rows;

  find_hit (self, x, y, &hit, &area);
  if (dy != 0 && (state & GDK_ALT_MASK) != 0 && scroll_band (self, &hit, &area, y, dy))
    dy = 0;
  rows = (state & GDK_CONTROL_MASK) != 0 || x < area.x;
  tsr_plane_wheel (plane, x, dx, rows ? 0 : dy);
  if (rows && dy != 0)
    scroll_rows (self, dy);
}

/* What the menu speaks of is at the cursor, and a step is selected. */
static void
point_menu (TsrPlane *plane, double x, double y)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrPlotArea area;
  TsrTraceHit hit;

  if (!find_hit (self, x, y, &hit, &area) || hit.kind == TSR_TRACE_HIT_NOTHING)
    return;
  tsr_trace_view_put_cursor (self, &hit);
  if (hit.kind == TSR_TRACE_HIT_ITEM && !tsr_trace_view_is_selected (self, hit.slice))
    tsr_trace_view_select_leaf (self, &hit);
}

static void
tsr_trace_view_class_add_input (TsrPlaneClass *klass)
{
  klass->point_menu = point_menu;
  klass->press = press;
  klass->drag = drag;
  klass->release = release;
  klass->scroll = scroll;
}

/* What keys, menus and assistive technology fire on a trace. */

#define ROW_FACTOR 1.25

/* The range */

static void
page (TsrPlane *plane, int pages)
{
  tsr_viewport_page (TSR_TRACE_VIEW (plane)->viewport, pages);
}

static void
go_to_end (TsrPlane *plane, int end)
{
  TsrViewport *viewport = TSR_TRACE_VIEW (plane)->viewport;
  double from, to;

  tsr_viewport_get_domain (viewport, &from, &to);
  tsr_viewport_pan (viewport, end * (to - from), 0);
}

/* The span that is measured, else from the first selected step to the last. */
static gboolean
get_selected_extent (TsrTraceView *self, gint64 *from, gint64 *to)
{
  TsrTraceState *state = tsr_trace_view_get_state (self);
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  const TsrTraceStepRef *steps;
  guint n = 0;

  if (tsr_trace_state_get_span (state, from, to))
    return TRUE;
  *from = G_MAXINT64;
  *to = G_MININT64;
  steps = tsr_trace_state_peek_steps (state, &n);
  for (guint i = 0; i < n; i++)
    {
      guint32 slice = tsr_trace_find_step (trace, steps[i].step_id, steps[i].ipu);
      TsrTraceSlice told;

      if (slice == TSR_NO_SLICE)
        continue;
      tsr_trace_get_slice (trace, slice, &told);
      if (told.start == TSR_UNKNOWN || told.end == TSR_UNKNOWN)
        continue;
      *from = MIN (*from, told.start);
      *to = MAX (*to, told.end);
    }
  if (*from <= *to)
    return TRUE;
  return self->cursor.kind != TSR_TRACE_HIT_NOTHING
         && tsr_trace_view_get_extent (self, &self->cursor, from, to);
}

static void
zoom_to_selection (TsrPlane *plane, int argument)
{
  gint64 from, to;

  if (get_selected_extent (TSR_TRACE_VIEW (plane), &from, &to))
    tsr_trace_view_zoom_to (TSR_TRACE_VIEW (plane), from, to);
}

static void
get_hit (TsrTraceView *self, TsrTraceHit *hit)
{
  g_return_if_fail (TSR_IS_TRACE_VIEW (self) && hit != NULL);
  *hit = self->hit.kind != TSR_TRACE_HIT_NOTHING ? self->hit : self->cursor;
}

/* What is measured becomes what is visible, and the other way round. */
static void
measure (TsrPlane *plane, int argument)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrTraceHit hit;
  gint64 from, to;

  get_hit (self, &hit);
  if (hit.kind != TSR_TRACE_HIT_NOTHING && tsr_trace_view_get_extent (self, &hit, &from, &to))
    tsr_trace_state_set_span (tsr_trace_view_get_state (self), from, to);
}

static void
measure_visible (TsrPlane *plane, int argument)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);

  tsr_trace_state_set_span (tsr_trace_view_get_state (self), self->from, self->to);
}

/* The cursor */

/* The first slice of the first row that is in sight. */
static void
start_cursor (TsrTraceView *self)
{
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  guint32 slice = tsr_trace_view_get_slice (self);
  guint ipu = tsr_trace_state_get_ipu (tsr_trace_view_get_state (self));
  guint n_ipus = tsr_trace_get_n_ipus (trace);
  TsrTraceHit hit;

  for (guint i = 0; slice == TSR_NO_SLICE && i < n_ipus; i++)
    if (ipu == TSR_NO_INDEX || ipu == i)
      slice = tsr_trace_find_start (trace, i, self->from);
  if (slice != TSR_NO_SLICE && tsr_trace_chart_hit_slice (self->chart, slice, &hit))
    tsr_trace_view_set_cursor (self, &hit);
}

static void
move (TsrPlane *plane, int direction)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrTraceHit hit = self->cursor;

  if (hit.kind == TSR_TRACE_HIT_NOTHING)
    start_cursor (self);
  else if (tsr_trace_chart_move (self->chart, direction, &hit))
    tsr_trace_view_set_cursor (self, &hit);
}

static void
select_at_cursor (TsrPlane *plane, int add)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);

  if (self->cursor.kind == TSR_TRACE_HIT_NOTHING)
    start_cursor (self);
  if (self->cursor.kind != TSR_TRACE_HIT_NOTHING)
    tsr_trace_view_activate (self, &self->cursor, add != 0);
}

static void
clear (TsrPlane *plane, int argument)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);

  if (self->drag == TSR_TRACE_DRAG_SPAN)
    {
      tsr_plane_cancel (plane);
      return;
    }
  tsr_trace_view_clear_selection (self);
  tsr_trace_view_set_cursor (self, &(TsrTraceHit){ .kind = TSR_TRACE_HIT_NOTHING });
}

/* Executions and runs */

static gboolean
is_same_step (const TsrExecutionTables *tables, guint32 a, guint32 b)
{
  guint32 set = tables->step_compute_set[a], program = tables->step_program[a];

  if (set != TSR_NO_INDEX)
    return tables->step_compute_set[b] == set;
  return program != TSR_NO_INDEX && tables->step_program[b] == program;
}

/* A slice's place among those of its IPU is its place in time. */
static void
go_to_execution (TsrPlane *plane, int direction)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  guint32 slice = tsr_trace_view_get_slice (self);
  gint64 first, end;
  guint ipu;

  if (slice == TSR_NO_SLICE)
    {
      g_signal_emit_by_name (plane, "toast", _ ("Select a step first"));
      return;
    }
  ipu = tsr_trace_get_ipu_of (trace, slice);
  first = (gint64)tables->ipu_start[ipu];
  end = (gint64)tables->ipu_start[ipu + 1];
  for (gint64 i = (gint64)slice + direction; i >= first && i < end; i += direction)
    if (tables->slice_start[i] != TSR_UNKNOWN
        && is_same_step (tables, tables->slice_step[slice], tables->slice_step[i]))
      {
        tsr_trace_view_go_to (self, (guint32)i, TRUE);
        return;
      }
  g_signal_emit_by_name (plane, "toast",
                         direction > 0 ? _ ("The step is not executed again")
                                       : _ ("The step was not executed before"));
}

static int
get_run (TsrTraceView *self)
{
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  int run = tsr_trace_state_get_run (tsr_trace_view_get_state (self));

  if (run >= 0)
    return run;
  if (run == TSR_TRACE_RUN_PROFILED)
    return (int)MIN (tsr_trace_get_profiled_run (trace), G_MAXINT);
  for (guint i = 0; i < tsr_trace_get_n_runs (trace); i++)
    if (tsr_trace_get_run (trace, i)->end > self->from)
      return (int)i;
  return -1;
}

/* The same place of the other run: as far from where its device begins. */
static void
go_to_run (TsrPlane *plane, int direction)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  TsrTraceState *state = tsr_trace_view_get_state (self);
  gint64 from = self->from, to = self->to;
  gboolean whole = self->whole || tsr_trace_state_get_run (state) == TSR_TRACE_RUN_ALL;
  int n_runs = (int)tsr_trace_get_n_runs (trace), run = get_run (self), next = run + direction;

  while (next >= 0 && next < n_runs
         && tsr_trace_get_run (trace, next)->start >= tsr_trace_get_run (trace, next)->end)
    next += direction;
  if (next < 0 || next >= n_runs || run < 0)
    {
      g_signal_emit_by_name (
          plane, "toast", direction > 0 ? _ ("This is the last run") : _ ("This is the first run"));
      return;
    }
  tsr_trace_state_set_run (state, next);
  if (whole)
    tsr_viewport_fit (self->viewport);
  else
    {
      gint64 moved
          = tsr_trace_get_run (trace, next)->wait_end - tsr_trace_get_run (trace, run)->wait_end;
      TsrTraceFold *fold = tsr_trace_chart_get_fold (self->chart);

      tsr_viewport_set_range (self->viewport, tsr_trace_fold_get_position (fold, from + moved),
                              tsr_trace_fold_get_position (fold, to + moved), 0);
    }
}

/* Rows and marks */

/* Where the pointer or the cursor is, else the only one that is shown. */
static guint
get_ipu (TsrTraceView *self)
{
  TsrTraceHit hit;

  get_hit (self, &hit);
  if (hit.kind != TSR_TRACE_HIT_NOTHING && hit.ipu != TSR_NO_INDEX)
    return hit.ipu;
  return tsr_trace_state_get_ipu (tsr_trace_view_get_state (self));
}

static void
collapse (TsrPlane *plane, int argument)
{
  TsrTraceState *state = tsr_trace_view_get_state (TSR_TRACE_VIEW (plane));
  guint ipu = get_ipu (TSR_TRACE_VIEW (plane));

  if (ipu != TSR_NO_INDEX)
    tsr_trace_state_set_collapsed (state, ipu, !tsr_trace_state_is_collapsed (state, ipu));
}

static void
collapse_all (TsrPlane *plane, int argument)
{
  tsr_trace_view_collapse_all (TSR_TRACE_VIEW (plane));
}

static void
pin (TsrPlane *plane, int argument)
{
  TsrTraceState *state = tsr_trace_view_get_state (TSR_TRACE_VIEW (plane));
  guint ipu = get_ipu (TSR_TRACE_VIEW (plane));

  if (ipu != TSR_NO_INDEX)
    tsr_trace_state_set_pinned (state, ipu, !tsr_trace_state_is_pinned (state, ipu));
}

static void
change_rows (TsrPlane *plane, int direction)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  double height = tsr_trace_chart_get_row_height (self->chart);

  tsr_trace_view_set_row_height (self, direction > 0 ? height * ROW_FACTOR : height / ROW_FACTOR);
}

static void
change_band (TsrPlane *plane, int direction)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);

  tsr_trace_view_zoom_band (self, (self->bsp_from + self->bsp_to) / 2,
                            direction > 0 ? ROW_FACTOR * ROW_FACTOR : 1 / ROW_FACTOR / ROW_FACTOR);
}

/* The whole domain, and all tiles. */
static void
fit (TsrPlane *plane, int argument)
{
  tsr_plane_fit (plane, argument);
  tsr_trace_view_zoom_band (TSR_TRACE_VIEW (plane), 0, 0);
}

/* A span, the step at hand, or the place in the middle. */
static void
mark (TsrPlane *plane, int argument)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  gint64 from, to;
  TsrTraceHit hit;

  get_hit (self, &hit);
  if (!tsr_trace_state_get_span (tsr_trace_view_get_state (self), &from, &to)
      && !(hit.kind == TSR_TRACE_HIT_ITEM && tsr_trace_view_get_extent (self, &hit, &from, &to))
      && !get_selected_extent (self, &from, &to))
    from = to = self->from + (self->to - self->from) / 2;
  g_signal_emit (self, tsr_trace_view_signals[TSR_TRACE_VIEW_MARK], 0, from, to);
}

static const TsrPlaneAction actions[] = {
  { "chart.zoom-in", "plus <Shift>plus equal KP_Add w", tsr_plane_zoom, 1 },
  { "chart.zoom-out", "minus KP_Subtract s", tsr_plane_zoom, -1 },
  { "chart.pan-left", "a", tsr_plane_pan, -1 },
  { "chart.pan-right", "d", tsr_plane_pan, 1 },
  { "chart.page-left", "Page_Up KP_Page_Up", page, -1 },
  { "chart.page-right", "Page_Down KP_Page_Down", page, 1 },
  { "chart.first", "Home KP_Home", go_to_end, -1 },
  { "chart.last", "End KP_End", go_to_end, 1 },
  { "chart.fit", "KP_0 0", fit, 0 },
  { "chart.undo-zoom", "BackSpace <Control>z", tsr_plane_undo_zoom, 0 },
  { "chart.zoom-to-selection", "f", zoom_to_selection, 0 },
  { "chart.measure", "<Shift>m", measure, 0 },
  { "chart.measure-visible", "v", measure_visible, 0 },
  { "chart.cursor-left", "Left KP_Left", move, TSR_TRACE_MOVE_LEFT },
  { "chart.cursor-right", "Right KP_Right", move, TSR_TRACE_MOVE_RIGHT },
  { "chart.cursor-up", "Up KP_Up", move, TSR_TRACE_MOVE_UP },
  { "chart.cursor-down", "Down KP_Down", move, TSR_TRACE_MOVE_DOWN },
  { "chart.select", "Return KP_Enter space", select_at_cursor, 0 },
  { "chart.select-add", "<Shift>Return <Shift>space", select_at_cursor, 1 },
  { "chart.clear-selection", "Escape", clear, 0 },
  { "chart.next-execution", "bracketright", go_to_execution, 1 },
  { "chart.previous-execution", "bracketleft", go_to_execution, -1 },
  { "chart.next-run", "braceright <Shift>braceright <Control>bracketright", go_to_run, 1 },
  { "chart.previous-run", "braceleft <Shift>braceleft <Control>bracketleft", go_to_run, -1 },
  { "chart.collapse", "c", collapse, 0 },
  { "chart.collapse-all", "<Shift>c", collapse_all, 0 },
  { "chart.pin", "x", pin, 0 },
  { "chart.rows-taller", "<Control>plus <Control>equal <Control>KP_Add", change_rows, 1 },
  { "chart.rows-lower", "<Control>minus <Control>KP_Subtract", change_rows, -1 },
  { "chart.band-closer", "<Alt>plus <Alt>equal", change_band, 1 },
  { "chart.band-farther", "<Alt>minus", change_band, -1 },
  { "chart.mark", "m", mark, 0 },
  { NULL },
};

static void
tsr_trace_view_class_add_actions (TsrPlaneClass *klass)
{
  tsr_plane_class_add_actions (klass, actions);
}

static void
tsr_trace_view_add_menu_items (TsrPlane *plane, GMenu *menu)
{
  g_menu_append (menu, _ ("Zoom to selection"), "chart.zoom-to-selection");
  g_menu_append (menu, _ ("Measure this"), "chart.measure");
  g_menu_append (menu, _ ("Measure what is visible"), "chart.measure-visible");
  g_menu_append (menu, _ ("Mark with a note…"), "chart.mark");
  g_menu_append (menu, _ ("Select every execution of this"), "trace.select-same");
  g_menu_append (menu, _ ("Show in Liveness"), "trace.show-in-liveness");
  g_menu_append (menu, _ ("Show in Program Tree"), "trace.show-in-programs");
  g_menu_append (menu, _ ("Show in Operations"), "trace.show-in-operations");
  g_menu_append (menu, _ ("Show the selected tiles in Memory"), "trace.show-in-memory");
  g_menu_append (menu, _ ("Next execution of this step"), "chart.next-execution");
  g_menu_append (menu, _ ("Previous execution of this step"), "chart.previous-execution");
  g_menu_append (menu, _ ("Collapse or expand the IPU"), "chart.collapse");
  g_menu_append (menu, _ ("Collapse or expand all IPUs"), "chart.collapse-all");
  g_menu_append (menu, _ ("Pin or release the IPU"), "chart.pin");
  g_menu_append (menu, _ ("Show all"), "chart.fit");
  g_menu_append (menu, _ ("Undo zoom"), "chart.undo-zoom");
  g_menu_append (menu, _ ("Clear selection"), "chart.clear-selection");
}

#define MAP_HEIGHT 40
#define MAP_GAP    4
#define SETTLE_MS  150
#define MOST_READ  64 /* sets of tile numbers at once */
#define LEAST_BSP  240.0
#define TALL       900.0 /* from here on a band has a row for each tile if it can */
#define MOST_BSP   4096.0
#define LEAST_ROW  10.0
#define MOST_ROW   40.0
#define LEAST_BAND 0.01 /* of the tiles */

G_DEFINE_FINAL_TYPE (TsrTraceView, tsr_trace_view, TSR_TYPE_PLANE)

guint tsr_trace_view_signals[TSR_TRACE_VIEW_N_SIGNALS];

static TsrTraceState *
tsr_trace_view_get_state (TsrTraceView *self)
{
  return tsr_trace_chart_get_state (self->chart);
}

static TsrTraceFold *
get_fold (TsrTraceView *self)
{
  return tsr_trace_chart_get_fold (self->chart);
}

/* Positions, cycles and pixels */

static gint64
tsr_trace_view_cycles_at (TsrTraceView *self, double x)
{
  return tsr_trace_fold_get_cycles (get_fold (self), tsr_plane_data_at (TSR_PLANE (self), x));
}

/* Hits */

static guint32
hash_hit (const TsrTraceHit *hit)
{
  const guint64 parts[]
      = { hit->kind, hit->ipu, hit->index, hit->track, hit->depth, hit->item, hit->slice };
  guint64 hash = G_GUINT64_CONSTANT (14695981039346656037);

  if (hit->kind == TSR_TRACE_HIT_NOTHING)
    return TSR_NO_DATUM;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    hash = (hash ^ parts[i]) * G_GUINT64_CONSTANT (1099511628211);
  return (guint32)(hash ^ hash >> 32) & G_MAXINT32;
}

static gboolean
hit_at (TsrTraceView *self, double x, double y, TsrTraceHit *hit)
{
  TsrChartGeometry geometry;
  TsrPlotArea area;

  memset (hit, 0, sizeof *hit);
  hit->kind = TSR_TRACE_HIT_NOTHING;
  if (self->chart == NULL || !tsr_plane_get_geometry (TSR_PLANE (self), &geometry, &area))
    return FALSE;
  tsr_trace_chart_hit (self->chart, &geometry, &area, x, y, hit);
  return hit->kind != TSR_TRACE_HIT_NOTHING;
}

static guint32
tsr_trace_view_datum_at (TsrPlane *plane, double x, double y)
{
  TsrTraceHit hit;

  hit_at (TSR_TRACE_VIEW (plane), x, y, &hit);
  return hash_hit (&hit);
}

static char *
tsr_trace_view_describe (TsrPlane *plane, guint32 datum)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);

  if (datum == hash_hit (&self->hit))
    return tsr_trace_chart_describe_hit (self->chart, &self->hit);
  if (datum == hash_hit (&self->cursor))
    return tsr_trace_chart_describe_hit (self->chart, &self->cursor);
  return NULL;
}

static gboolean
tsr_trace_view_get_anchor (TsrPlane *plane, guint32 datum, double *x, double *y)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  const TsrTraceHit *hit = datum == hash_hit (&self->cursor) ? &self->cursor : &self->hit;
  TsrChartGeometry geometry;
  TsrPlotArea area;
  double width, height;

  if (datum != hash_hit (hit) || !tsr_plane_get_geometry (plane, &geometry, &area)
      || !tsr_trace_chart_get_place (self->chart, &geometry, &area, hit, x, y, &width, &height))
    return FALSE;
  *x += width / 2;
  *y += height / 2;
  return TRUE;
}

/* @hit (nullable): nowhere. */
static void
tsr_trace_view_set_hit (TsrTraceView *self, const TsrTraceHit *hit, double x, double y)
{
  g_autofree char *text = NULL;

  if (hit != NULL)
    self->hit = *hit;
  else
    self->hit.kind = TSR_TRACE_HIT_NOTHING;
  tsr_plane_set_hover (TSR_PLANE (self), hash_hit (&self->hit));
  if (self->chart == NULL)
    return;
  tsr_trace_chart_set_hover (self->chart, hit);
  if (hit != NULL)
    text = tsr_trace_chart_describe_hit (self->chart, hit);
  tsr_plane_show_text (TSR_PLANE (self), text, x, y);
}

static void
tsr_trace_view_motion (TsrPlane *plane, double x, double y)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrTraceHit hit;
  gboolean any, press;

  if (self->drag == TSR_TRACE_DRAG_SPAN || self->drag == TSR_TRACE_DRAG_PAN)
    return;
  any = hit_at (self, x, y, &hit);
  press = hit.kind == TSR_TRACE_HIT_ARROW || hit.kind == TSR_TRACE_HIT_PIN
          || hit.kind == TSR_TRACE_HIT_MARKER;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), press ? "pointer" : NULL);
  tsr_trace_view_set_hit (self, any ? &hit : NULL, x, y);
}

/* The pointer has left. */
static void
on_hover_changed (TsrTraceView *self)
{
  if (tsr_plane_get_hover (TSR_PLANE (self)) != TSR_NO_DATUM
      || self->hit.kind == TSR_TRACE_HIT_NOTHING)
    return;
  self->hit.kind = TSR_TRACE_HIT_NOTHING;
  if (self->chart != NULL)
    tsr_trace_chart_set_hover (self->chart, NULL);
}

/* By the pointer: without a mark. */
static void
tsr_trace_view_put_cursor (TsrTraceView *self, const TsrTraceHit *hit)
{
  self->cursor = *hit;
  self->cursor.from = self->cursor.to = 0; /* the step, not what shares its pixel */
  tsr_trace_chart_set_cursor (self->chart, NULL);
  tsr_plane_put_cursor (TSR_PLANE (self), hash_hit (hit), FALSE);
}

static void
tsr_trace_view_set_cursor (TsrTraceView *self, const TsrTraceHit *hit)
{
  self->cursor = *hit;
  tsr_trace_chart_set_cursor (self->chart, hit->kind != TSR_TRACE_HIT_NOTHING ? hit : NULL);
  tsr_plane_set_cursor (TSR_PLANE (self), hash_hit (hit));
}

static void
reveal_rows (TsrTraceView *self, const TsrTraceHit *hit)
{
  double page = gtk_adjustment_get_page_size (self->adjustment), top, height;
  double pinned = tsr_trace_chart_get_pinned_height (self->chart);
  gboolean is_pinned;

  if (!tsr_trace_chart_get_row_place (self->chart, hit, &top, &height, &is_pinned) || is_pinned)
    return;
  /* What is pinned stands over what is scrolled. */
  if (top - pinned < gtk_adjustment_get_value (self->adjustment))
    gtk_adjustment_set_value (self->adjustment, top - pinned);
  else if (top + height > gtk_adjustment_get_value (self->adjustment) + page)
    gtk_adjustment_set_value (self->adjustment, top + height - page);
}

/* What is longer than what is visible and in sight already stays where it is. */
static void
tsr_trace_view_reveal (TsrPlane *plane, guint32 datum)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  gint64 from, to;
  double a, b, first, end;

  if (datum != hash_hit (&self->cursor))
    return;
  reveal_rows (self, &self->cursor);
  if (!tsr_trace_view_get_extent (self, &self->cursor, &from, &to))
    return;
  a = tsr_trace_fold_get_position (get_fold (self), from);
  b = tsr_trace_fold_get_position (get_fold (self), to);
  tsr_viewport_get_range (self->viewport, &first, &end);
  if (b - a <= end - first || b <= first || a >= end)
    tsr_viewport_reveal (self->viewport, a, b);
}

/* Layout */

static void
draw_measure (TsrTraceView *self, const TsrPlotArea *area, TsrDrawList *list)
{
  double left = MIN (self->span_from, self->span_to), right = MAX (self->span_from, self->span_to);
  double x = tsr_plane_x_of (TSR_PLANE (self), (left + right) / 2);
  gint64 cycles = tsr_trace_fold_get_cycles (get_fold (self), right)
                  - tsr_trace_fold_get_cycles (get_fold (self), left);
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  g_autofree char *count = tsr_trace_format_cycles (trace, cycles, FALSE);
  g_autofree char *time = tsr_trace_format_cycles (trace, cycles, TRUE);
  g_autofree char *text = isfinite (tsr_trace_get_clock (trace))
                              ? g_strdup_printf ("%s · %s", count, time)
                              : g_strdup (count);
  TsrDrawItem *label;

  tsr_plane_draw_span (TSR_PLANE (self), list, left, right);
  label = tsr_draw_list_label (list, TSR_INK_TEXT, x, area->y + 4, 0.5, 0, text);
  label->bold = TRUE;
}

static void
tsr_trace_view_layout_band (TsrPlane *plane, const TsrPlotArea *area, TsrDrawList *list)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);

  if (self->drag == TSR_TRACE_DRAG_SPAN)
    draw_measure (self, area, list);
}

/* On a tall window a row of pixels for each tile, also when rows scroll for it. */
static void
fit_band (TsrTraceView *self, const TsrPlotArea *area)
{
  gint64 tiles = tsr_trace_get_tiles_per_ipu (tsr_trace_chart_get_trace (self->chart));
  double height = LEAST_BSP;

  if (area->height >= TALL && tiles != TSR_UNKNOWN)
    height = CLAMP (tiles, LEAST_BSP, MOST_BSP);
  if (height == self->bsp_height)
    return;
  self->bsp_height = height;
  tsr_trace_chart_set_bsp_height (self->chart, height);
}

/* When bands of tiles are switched on, the first that is not above comes into sight, if too little
 * of it is; and @again, from the same place, when the chart has another height and the rows were
 * not moved: it gets its height in steps. */
static void
reveal_band (TsrTraceView *self, gboolean again)
{
  gboolean bsp = tsr_trace_state_has (tsr_trace_view_get_state (self), TSR_TRACE_OPTION_BSP);
  guint n_ipus = tsr_trace_get_n_ipus (tsr_trace_chart_get_trace (self->chart));
  double page = gtk_adjustment_get_page_size (self->adjustment);
  double value = gtk_adjustment_get_value (self->adjustment);
  double pinned = tsr_trace_chart_get_pinned_height (self->chart);
  gboolean is_new = bsp && !self->bsp;

  self->bsp = bsp;
  self->shown_at = value;
  if (!bsp)
    self->shown_from = -1;
  if (!is_new && !(bsp && again))
    return;
  if (!again)
    self->shown_from = value;
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    {
      TsrTraceHit hit = { .kind = TSR_TRACE_HIT_TILE, .ipu = ipu };
      gboolean is_pinned;
      double top, height;

      if (!tsr_trace_chart_get_row_place (self->chart, &hit, &top, &height, &is_pinned))
        continue;
      if (is_pinned)
        return;
      if (top + height - pinned <= value)
        continue;
      if (value + page - top < MIN (height, LEAST_BSP))
        gtk_adjustment_set_value (self->adjustment, MIN (top + height - page, top - pinned));
      self->shown_at = gtk_adjustment_get_value (self->adjustment);
      return;
    }
}

/* The chart's signals come back here while places are given: the plot alone is laid out again. */
static const TsrPlotArea *
fit_rows (TsrTraceView *self, int width, int height)
{
  const TsrPlotArea *area = tsr_plane_layout_for (TSR_PLANE (self), width, height);
  double rows, page, value = gtk_adjustment_get_value (self->adjustment);
  gboolean again;

  fit_band (self, area);
  if (self->row_height == 0)
    tsr_trace_chart_set_room (self->chart, area->height);
  rows = tsr_trace_chart_get_height (self->chart);
  page = MAX (area->height, 1);
  if (!G_APPROX_VALUE (value, self->shown_at, 0.01))
    self->shown_from = -1;
  again = self->shown_from >= 0
          && !G_APPROX_VALUE (page, gtk_adjustment_get_page_size (self->adjustment), 0.5);
  value = CLAMP (again ? self->shown_from : value, 0, MAX (rows - page, 0));
  gtk_adjustment_configure (self->adjustment, value, 0, MAX (rows, page),
                            tsr_trace_chart_get_row_height (self->chart), page * 0.9, page);
  gtk_widget_set_child_visible (self->scrollbar, rows > page + 0.5);
  reveal_band (self, again);
  tsr_trace_chart_set_top (self->chart, gtk_adjustment_get_value (self->adjustment));
  return tsr_plane_layout_for (TSR_PLANE (self), width, height);
}

typedef struct
{
  TsrTrace *trace;
  GArray *slices; /* guint32 */
} ReadJob;

static void
read_job_free (gpointer data)
{
  ReadJob *job = data;

  tsr_trace_unref (job->trace);
  g_array_unref (job->slices);
  g_free (job);
}

static void
read_tiles (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ReadJob *job = data;

  for (guint i = 0; i < job->slices->len && !g_cancellable_is_cancelled (cancellable); i++)
    {
      TsrTileCycles *cycles
          = tsr_trace_load_tile_cycles (job->trace, g_array_index (job->slices, guint32, i), NULL);

      g_clear_pointer (&cycles, tsr_tile_cycles_unref);
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_tiles_read (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrTraceView *self = TSR_TRACE_VIEW (source);

  if (g_task_get_cancellable (G_TASK (result)) != self->reading)
    return;
  g_clear_object (&self->reading);
  if (self->chart != NULL)
    tsr_chart_model_emit_changed (TSR_CHART_MODEL (self->chart));
}

/* Each set once: what cannot be read is not asked for again and again. */
static void
read_wanted (TsrTraceView *self)
{
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  g_autoptr (GArray) wanted = NULL;
  g_autoptr (GTask) task = NULL;
  ReadJob *job;

  if (self->reading != NULL
      || !tsr_trace_state_has (tsr_trace_view_get_state (self), TSR_TRACE_OPTION_BSP))
    return;
  wanted = tsr_trace_chart_dup_wanted (self->chart);
  job = g_new0 (ReadJob, 1);
  job->trace = tsr_trace_ref (trace);
  job->slices = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < wanted->len && job->slices->len < MOST_READ; i++)
    {
      guint32 slice = g_array_index (wanted, guint32, i);
      gint64 set = tsr_trace_get_tile_set (trace, slice);

      if (set != TSR_UNKNOWN && g_hash_table_add (self->tried, g_memdup2 (&set, sizeof set)))
        g_array_append_val (job->slices, slice);
    }
  if (job->slices->len == 0)
    {
      read_job_free (job);
      return;
    }
  self->reading = g_cancellable_new ();
  task = g_task_new (self, self->reading, on_tiles_read, NULL);
  g_task_set_source_tag (task, read_wanted);
  g_task_set_task_data (task, job, read_job_free);
  tsr_task_run_in_thread (task, read_tiles);
}

static gboolean
has_mini_map (TsrTraceView *self)
{
  return self->map_always || tsr_viewport_get_magnification (self->viewport) > 1;
}

/* The plot gives it its place, or takes it. */
static void
update_mini_map (TsrTraceView *self)
{
  if (has_mini_map (self) != self->map_shown)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
tsr_trace_view_set_mini_map (TsrTraceView *self, gboolean always)
{
  g_return_if_fail (TSR_IS_TRACE_VIEW (self));
  self->map_always = always;
  update_mini_map (self);
}

int
tsr_trace_view_get_top (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), 0);
  return self->map_shown ? MAP_HEIGHT + MAP_GAP : 0;
}

static void
tsr_trace_view_place (TsrPlane *plane, int width, int height, GdkRectangle *canvas)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  const TsrPlotArea *area;
  int top, bar;

  self->map_shown = has_mini_map (self);
  top = tsr_trace_view_get_top (self);

  gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_HORIZONTAL, -1, &bar, NULL, NULL, NULL);
  *canvas = (GdkRectangle){ 0, top, MAX (width - bar, 1), MAX (height - top, 1) };
  if (self->chart == NULL)
    {
      gtk_widget_set_child_visible (self->scrollbar, FALSE);
      gtk_widget_set_child_visible (GTK_WIDGET (self->mini_map), FALSE);
      return;
    }
  self->placing = TRUE;
  area = fit_rows (self, canvas->width, canvas->height);
  self->placing = FALSE;
  gtk_widget_set_child_visible (GTK_WIDGET (self->mini_map), self->map_shown);
  tsr_plane_allocate_child (GTK_WIDGET (self->mini_map), round (area->x), 0,
                            (int)lround (area->width), MAP_HEIGHT);
  tsr_plane_allocate_child (self->scrollbar, width - bar, round (top + area->y), bar,
                            (int)lround (area->height));
  read_wanted (self);
}

static void
on_scrolled (TsrTraceView *self)
{
  if (self->placing || self->chart == NULL)
    return;
  tsr_trace_chart_set_top (self->chart, gtk_adjustment_get_value (self->adjustment));
  tsr_plane_invalidate (TSR_PLANE (self));
}

static void
tsr_trace_view_set_row_height (TsrTraceView *self, double height)
{
  self->row_height = CLAMP (round (height), LEAST_ROW, MOST_ROW);
  if (self->chart != NULL)
    tsr_trace_chart_set_row_height (self->chart, self->row_height);
  tsr_plane_invalidate (TSR_PLANE (self));
}

static void
set_band (TsrTraceView *self, double from, double span)
{
  self->bsp_from = CLAMP (from, 0, 1 - span);
  self->bsp_to = self->bsp_from + span;
  if (self->chart != NULL)
    tsr_trace_chart_set_bsp_range (self->chart, self->bsp_from, self->bsp_to);
  tsr_plane_invalidate (TSR_PLANE (self));
}

/* @at: 0..1 of the tiles; @factor > 1: closer, 0: all of them. */
static void
tsr_trace_view_zoom_band (TsrTraceView *self, double at, double factor)
{
  double span = self->bsp_to - self->bsp_from;
  double wanted = factor > 0 ? CLAMP (span / factor, LEAST_BAND, 1) : 1;

  set_band (self, at - (at - self->bsp_from) / span * wanted, wanted);
}

/* By a part of what is visible of the tiles. */
static void
tsr_trace_view_pan_band (TsrTraceView *self, double part)
{
  double span = self->bsp_to - self->bsp_from;

  set_band (self, self->bsp_from + part * span, span);
}

/* Where @y is in the band that was hit: 0..1 of what is visible of its tiles. */
static gboolean
tsr_trace_view_get_band_place (
    TsrTraceView *self, const TsrTraceHit *hit, const TsrPlotArea *area, double y, double *place)
{
  gboolean pinned;
  double top, height;

  if (hit->kind != TSR_TRACE_HIT_TILE
      || !tsr_trace_chart_get_row_place (self->chart, hit, &top, &height, &pinned) || height <= 0)
    return FALSE;
  *place
      = (y - area->y + (pinned ? 0 : gtk_adjustment_get_value (self->adjustment)) - top) / height;
  return TRUE;
}

/* What is visible */

static gboolean
on_settled (gpointer data)
{
  TsrTraceView *self = data;

  self->settle = 0;
  g_signal_emit (self, tsr_trace_view_signals[TSR_TRACE_VIEW_SETTLED], 0);
  return G_SOURCE_REMOVE;
}

static void
note_visible (TsrTraceView *self)
{
  double from, to, first, end;

  if (self->chart == NULL)
    return;
  tsr_viewport_get_range (self->viewport, &from, &to);
  tsr_viewport_get_domain (self->viewport, &first, &end);
  self->whole = from <= first && to >= end;
  self->from = tsr_trace_fold_get_cycles (get_fold (self), from);
  /* The last cycle that is seen at all. */
  self->to = tsr_trace_fold_get_cycles (get_fold (self), ceil (to - 1e-9));
  if (self->whole)
    tsr_trace_fold_get_domain (get_fold (self), &self->from, &self->to);
  g_clear_handle_id (&self->settle, g_source_remove);
  self->settle = g_timeout_add (SETTLE_MS, on_settled, self);
}

static void
on_viewport_changed (TsrTraceView *self)
{
  note_visible (self);
  update_mini_map (self);
  tsr_plane_invalidate (TSR_PLANE (self));
}

/* The fold is another one: the same cycles are shown again, or the whole if it was the whole.
 * Positions of before mean nothing any more. */
static void
tsr_trace_view_domain_changed (TsrPlane *plane, gboolean new_model)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  gint64 first, end, from = self->from, to = self->to;
  gboolean whole = self->whole || self->from >= self->to;
  double least = 1;
  double a, b;

  if (self->chart == NULL)
    return;
  tsr_trace_fold_get_domain (get_fold (self), &first, &end);
  if (self->wanted_from < self->wanted_to)
    {
      from = self->wanted_from;
      to = self->wanted_to;
      whole = FALSE;
      self->wanted_from = self->wanted_to = 0;
    }
  from = MAX (from, first);
  to = MIN (to, end);
  tsr_chart_model_get_domain (TSR_CHART_MODEL (self->chart), &a, &b, &least);
  if (!(b > a))
    b = a + 1;
  g_signal_handlers_block_by_func (self->viewport, on_viewport_changed, self);
  tsr_viewport_set_domain (self->viewport, a, b, least);
  if (whole || from >= to)
    tsr_viewport_restart (self->viewport, a, b);
  else
    tsr_viewport_restart (self->viewport, tsr_trace_fold_get_position (get_fold (self), from),
                          tsr_trace_fold_get_position (get_fold (self), to));
  g_signal_handlers_unblock_by_func (self->viewport, on_viewport_changed, self);
  on_viewport_changed (self);
}

gboolean
tsr_trace_view_get_visible (TsrTraceView *self, gint64 *from, gint64 *to)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), FALSE);
  *from = self->chart != NULL ? self->from : self->wanted_from;
  *to = self->chart != NULL ? self->to : self->wanted_to;
  return self->chart != NULL;
}

gboolean
tsr_trace_view_is_whole (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), TRUE);
  return self->chart != NULL ? self->whole : self->wanted_from >= self->wanted_to;
}

void
tsr_trace_view_show (TsrTraceView *self, gint64 from, gint64 to)
{
  g_return_if_fail (TSR_IS_TRACE_VIEW (self));
  if (self->chart == NULL)
    {
      self->wanted_from = from;
      self->wanted_to = to;
      return;
    }
  if (from >= to)
    return;
  tsr_trace_view_ensure_run (self, from, to);
  tsr_viewport_set_range (self->viewport, tsr_trace_fold_get_position (get_fold (self), from),
                          tsr_trace_fold_get_position (get_fold (self), to), 0);
}

void
tsr_trace_view_zoom_to (TsrTraceView *self, gint64 from, gint64 to)
{
  double a, b, margin;

  g_return_if_fail (TSR_IS_TRACE_VIEW (self));
  if (self->chart == NULL || from > to)
    return;
  tsr_trace_view_ensure_run (self, from, to);
  a = tsr_trace_fold_get_position (get_fold (self), from);
  b = tsr_trace_fold_get_position (get_fold (self), to);
  margin = MAX ((b - a) * 0.05, 1);
  tsr_viewport_set_range (self->viewport, a - margin, b + margin, 0);
}

/* Object */

static void
tsr_trace_view_cancel (TsrPlane *plane)
{
  TSR_TRACE_VIEW (plane)->drag = TSR_TRACE_DRAG_NONE;
  gtk_widget_set_cursor (GTK_WIDGET (plane), NULL);
  tsr_plane_invalidate_overlay (plane);
}

static void
stop_reading (TsrTraceView *self)
{
  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
}

static void
tsr_trace_view_dispose (GObject *object)
{
  TsrTraceView *self = TSR_TRACE_VIEW (object);

  g_clear_handle_id (&self->settle, g_source_remove);
  stop_reading (self);
  if (self->viewport != NULL)
    g_signal_handlers_disconnect_by_data (self->viewport, self);
  g_clear_object (&self->chart);
  G_OBJECT_CLASS (tsr_trace_view_parent_class)->dispose (object);
  g_clear_object (&self->viewport);
  g_clear_object (&self->adjustment);
  g_clear_pointer (&self->tried, g_hash_table_unref);
}

static void
tsr_trace_view_class_init (TsrTraceViewClass *klass)
{
  TsrPlaneClass *plane_class = TSR_PLANE_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);
  guint *signals = tsr_trace_view_signals;

  G_OBJECT_CLASS (klass)->dispose = tsr_trace_view_dispose;
  plane_class->name = N_ ("Execution trace");
  plane_class->hint = N_ ("Arrow keys move along and over the steps");
  plane_class->minimum_height = 140;
  plane_class->layout_band = tsr_trace_view_layout_band;
  plane_class->place = tsr_trace_view_place;
  plane_class->datum_at = tsr_trace_view_datum_at;
  plane_class->describe = tsr_trace_view_describe;
  plane_class->get_anchor = tsr_trace_view_get_anchor;
  plane_class->reveal = tsr_trace_view_reveal;
  plane_class->motion = tsr_trace_view_motion;
  plane_class->cancel = tsr_trace_view_cancel;
  plane_class->domain_changed = tsr_trace_view_domain_changed;
  plane_class->add_menu_items = tsr_trace_view_add_menu_items;
  tsr_trace_view_class_add_input (plane_class);
  tsr_trace_view_class_add_actions (plane_class);
  signals[TSR_TRACE_VIEW_SETTLED]
      = g_signal_new ("settled", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[TSR_TRACE_VIEW_SELECT_TILE]
      = g_signal_new ("select-tile", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                      G_TYPE_UINT, G_TYPE_UINT, G_TYPE_BOOLEAN);
  signals[TSR_TRACE_VIEW_EDIT_MARKER] = g_signal_new (
      "edit-marker", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[TSR_TRACE_VIEW_MARK] = g_signal_new ("mark", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                               G_TYPE_NONE, 2, G_TYPE_INT64, G_TYPE_INT64);
}

static void
tsr_trace_view_init (TsrTraceView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->whole = TRUE;
  self->bsp_to = 1;
  self->tried = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->viewport = tsr_viewport_new ();
  tsr_plane_set_viewport (TSR_PLANE (self), self->viewport);
  g_signal_connect_swapped (self->viewport, "changed", G_CALLBACK (on_viewport_changed), self);
  self->mini_map = tsr_mini_map_new (self->viewport);
  gtk_widget_set_parent (GTK_WIDGET (self->mini_map), widget);
  self->shown_from = -1;
  self->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 1));
  self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, self->adjustment);
  gtk_widget_add_css_class (self->scrollbar, "slim");
  gtk_widget_set_parent (self->scrollbar, widget);
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (on_scrolled), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "hover-changed", G_CALLBACK (on_hover_changed), NULL);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  tsr_plane_set_file_name (TSR_PLANE (self), "trace");
}

void
tsr_trace_view_set_chart (TsrTraceView *self, TsrTraceChart *chart)
{
  g_return_if_fail (TSR_IS_TRACE_VIEW (self) && (chart == NULL || TSR_IS_TRACE_CHART (chart)));
  if (chart == self->chart)
    return;
  stop_reading (self);
  g_hash_table_remove_all (self->tried);
  self->hit.kind = self->cursor.kind = TSR_TRACE_HIT_NOTHING;
  g_set_object (&self->chart, chart);
  self->bsp_height = 0;
  if (chart != NULL)
    {
      self->bsp = tsr_trace_state_has (tsr_trace_chart_get_state (chart), TSR_TRACE_OPTION_BSP);
      if (self->row_height > 0)
        tsr_trace_chart_set_row_height (chart, self->row_height);
      tsr_trace_chart_set_bsp_range (chart, self->bsp_from, self->bsp_to);
    }
  tsr_mini_map_set_model (self->mini_map, (TsrChartModel *)chart);
  tsr_plane_set_model (TSR_PLANE (self), (TsrChartModel *)chart);
}

TsrTraceChart *
tsr_trace_view_get_chart (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), NULL);
  return self->chart;
}

void
tsr_trace_view_set_viewport (TsrTraceView *self, TsrViewport *viewport)
{
  g_return_if_fail (TSR_IS_TRACE_VIEW (self) && TSR_IS_VIEWPORT (viewport));
  g_signal_handlers_disconnect_by_data (self->viewport, self);
  g_set_object (&self->viewport, viewport);
  tsr_plane_set_viewport (TSR_PLANE (self), viewport);
  g_signal_connect_swapped (viewport, "changed", G_CALLBACK (on_viewport_changed), self);
  tsr_mini_map_set_viewport (self->mini_map, viewport);
  tsr_trace_view_domain_changed (TSR_PLANE (self), FALSE);
}

TsrViewport *
tsr_trace_view_get_viewport (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), NULL);
  return self->viewport;
}

GtkAdjustment *
tsr_trace_view_get_adjustment (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), NULL);
  return self->adjustment;
}

char *
tsr_trace_view_dup_hover (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), NULL);
  return self->chart != NULL ? tsr_plane_dup_line (TSR_PLANE (self)) : NULL;
}

gboolean
tsr_trace_view_is_busy (TsrTraceView *self)
{
  g_return_val_if_fail (TSR_IS_TRACE_VIEW (self), FALSE);
  return self->reading != NULL || self->settle != 0;
}

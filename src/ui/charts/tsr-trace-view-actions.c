/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What keys, menus and assistive technology fire on a trace. */

#include "config.h"

#include "tsr-trace-view-private.h"

#include "tsr-navigation.h"

#include <glib/gi18n.h>

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

/* What is measured becomes what is visible, and the other way round. */
static void
measure (TsrPlane *plane, int argument)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrTraceHit hit;
  gint64 from, to;

  tsr_trace_view_get_hit (self, &hit);
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

  tsr_trace_view_get_hit (self, &hit);
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

  tsr_trace_view_set_row_height (self, direction > 0 ? self->row_height * ROW_FACTOR
                                                     : self->row_height / ROW_FACTOR);
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

  tsr_trace_view_get_hit (self, &hit);
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

void
tsr_trace_view_class_add_actions (TsrPlaneClass *klass)
{
  tsr_plane_class_add_actions (klass, actions);
}

void
tsr_trace_view_add_menu_items (TsrPlane *plane, GMenu *menu)
{
  g_menu_append (menu, _ ("Zoom to selection"), "chart.zoom-to-selection");
  g_menu_append (menu, _ ("Measure this"), "chart.measure");
  g_menu_append (menu, _ ("Measure what is visible"), "chart.measure-visible");
  g_menu_append (menu, _ ("Mark with a note…"), "chart.mark");
  g_menu_append (menu, _ ("Select every execution of this"), "trace.select-same");
  g_menu_append (menu, _ ("Show in Liveness"), "trace.show-in-liveness");
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

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a trace's view selects and goes to: steps, spans, runs. */

#include "config.h"

#include "tsr-trace-view-private.h"

static gboolean
get_row_extent (TsrTraceView *self, const TsrTraceHit *hit, gint64 *from, gint64 *to)
{
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  const TsrTraceRow *row = tsr_trace_get_row (
      trace, hit->track, tsr_trace_state_get_shape (tsr_trace_view_get_state (self)), hit->depth);

  if (row == NULL || hit->item >= row->n)
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

gboolean
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
  const TsrExecutionTables *tables;
  guint low = 0, high, step;

  g_return_val_if_fail (trace != NULL, TSR_NO_SLICE);
  tables = tsr_trace_get_tables (trace);
  high = tables->n_steps;
  if (ipu >= tsr_trace_get_n_ipus (trace) || high == 0)
    return TSR_NO_SLICE;
  if (tables->step_id == NULL)
    {
      if (step_id < tables->first_step_id || step_id - tables->first_step_id >= high)
        return TSR_NO_SLICE;
      return tsr_trace_find_slice (trace, (guint32)(step_id - tables->first_step_id), ipu);
    }
  while (low < high)
    {
      step = low + (high - low) / 2;
      if (tables->step_id[step] < step_id)
        low = step + 1;
      else
        high = step;
    }
  return low < tables->n_steps && tables->step_id[low] == step_id
             ? tsr_trace_find_slice (trace, low, ipu)
             : TSR_NO_SLICE;
}

void
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
  TsrTrace *trace = tsr_trace_chart_get_trace (self->chart);
  const TsrTraceRow *row = tsr_trace_get_row (
      trace, hit->track, tsr_trace_state_get_shape (tsr_trace_view_get_state (self)), hit->depth);

  if (row == NULL || hit->item >= row->n)
    return FALSE;
  tsr_trace_get_item (trace, row, hit->item, item);
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

void
tsr_trace_view_select_leaf (TsrTraceView *self, const TsrTraceHit *hit)
{
  if (!is_group (self, hit))
    select_step (self, hit->slice, FALSE);
}

gboolean
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
void
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

void
tsr_trace_view_collapse_all (TsrTraceView *self)
{
  TsrTraceState *state = tsr_trace_view_get_state (self);
  guint n = tsr_trace_get_n_ipus (tsr_trace_chart_get_trace (self->chart));
  gboolean all = TRUE;

  for (guint ipu = 0; ipu < n; ipu++)
    all = all && tsr_trace_state_is_collapsed (state, ipu);
  tsr_trace_state_set_all_collapsed (state, n, !all);
}

void
tsr_trace_view_clear_selection (TsrTraceView *self)
{
  TsrTraceState *state = tsr_trace_view_get_state (self);

  tsr_trace_state_set_span (state, 0, 0);
  tsr_trace_state_set_selected_group (state, NULL);
  tsr_trace_state_set_steps (state, NULL, 0);
}

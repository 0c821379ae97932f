/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the page of the trace is: its session and state, the step at the cursor, and the way from
 * one match of the search to the next. */

#include "config.h"

#include "tsr-trace-page-private.h"

/* Where the next match is looked for from while no step is at hand: just before what is visible. */
static guint32
get_first_visible (TsrTracePage *self)
{
  guint n_ipus = self->trace != NULL ? tsr_trace_get_n_ipus (self->trace) : 0;
  guint ipu = tsr_trace_state_get_ipu (tsr_trace_page_get_state (self));
  gint64 from, to;
  guint32 slice;

  if (n_ipus == 0 || !tsr_trace_view_get_visible (self->view, &from, &to))
    return TSR_NO_SLICE;
  ipu = ipu < n_ipus ? ipu : 0;
  slice = tsr_trace_find_start (self->trace, ipu, from);
  return slice != TSR_NO_SLICE && slice > tsr_trace_get_tables (self->trace)->ipu_start[ipu]
             ? slice - 1
             : TSR_NO_SLICE;
}

TsrSession *
tsr_trace_page_get_session (TsrTracePage *self)
{
  return tsr_page_get_session (TSR_PAGE (self));
}

TsrTraceState *
tsr_trace_page_get_state (TsrTracePage *self)
{
  return tsr_session_get_trace_state (tsr_trace_page_get_session (self));
}

guint32
tsr_trace_page_get_slice (TsrTracePage *self)
{
  guint n = 0;
  const TsrTraceStepRef *steps = tsr_trace_state_peek_steps (tsr_trace_page_get_state (self), &n);

  if (self->trace == NULL)
    return TSR_NO_SLICE;
  if (n > 0)
    return tsr_trace_find_step (self->trace, steps[n - 1].step_id, steps[n - 1].ipu);
  return tsr_trace_view_get_slice (self->view);
}

void
tsr_trace_page_find (TsrTracePage *self, int direction)
{
  guint32 slice = tsr_trace_view_get_slice (self->view);

  self->zoom_to_match = FALSE;
  tsr_trace_search_find (self->search, slice != TSR_NO_SLICE ? slice : get_first_visible (self),
                         direction);
}

void
tsr_trace_page_zoom_to_match (TsrTracePage *self, int direction)
{
  tsr_trace_page_find (self, direction);
  self->zoom_to_match = TRUE;
}

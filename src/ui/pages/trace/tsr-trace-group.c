/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is computed elsewhere and set in the chart: where the steps of the selected group stand, and
 * the live memory of steps. */

#include "config.h"

#include "tsr-trace-page-private.h"

#include <glib/gi18n.h>

typedef struct
{
  TsrTrace *trace;
  TsrTraceMatches *group;
  TsrTraceShape shape;
  guint32 hidden;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  tsr_trace_unref (job->trace);
  tsr_trace_matches_unref (job->group);
  g_free (job);
}

static gpointer
find_marks (gpointer data, GCancellable *cancellable, GError **error)
{
  const Job *job = data;
  TsrTraceMarks *marks
      = tsr_trace_marks_new (job->trace, job->group, job->shape, job->hidden, cancellable);

  if (marks == NULL)
    g_cancellable_set_error_if_cancelled (cancellable, error);
  return marks;
}

static void
on_marks_found (gpointer owner, gpointer result, const GError *error)
{
  TsrTracePage *self = owner;
  g_autoptr (TsrTraceMarks) marks = result;

  if (self->chart == NULL)
    return;
  tsr_trace_chart_set_marks (self->chart, marks);
  tsr_trace_tabs_set_marks (self->tabs, self->trace, marks);
  tsr_trace_page_update_scope (self);
  tsr_trace_page_update_status_right (self);
}

/* What is being found already. */
static gboolean
is_asked (TsrTracePage *self, const Job *job)
{
  return tsr_latest_is_running (self->group_work) && self->asked_group == job->group
         && self->asked_shape == job->shape && self->asked_hidden == job->hidden;
}

void
tsr_trace_page_update_group (TsrTracePage *self)
{
  TsrTraceState *state = tsr_trace_page_get_state (self);
  Job job = { self->trace, tsr_trace_state_get_selected_group (state),
              tsr_trace_state_get_shape (state), 0 };

  if (self->chart == NULL || job.group == NULL)
    {
      tsr_latest_cancel (self->group_work);
      if (self->chart != NULL)
        tsr_trace_chart_set_marks (self->chart, NULL);
      if (self->tabs != NULL)
        tsr_trace_tabs_set_marks (self->tabs, NULL, NULL);
      return;
    }
  job.hidden = tsr_trace_state_get_hidden_mask (state, self->trace);
  if (tsr_trace_chart_get_marks (self->chart) != NULL || is_asked (self, &job))
    return;
  self->asked_group = job.group;
  self->asked_shape = job.shape;
  self->asked_hidden = job.hidden;
  tsr_trace_ref (job.trace);
  tsr_trace_matches_ref (job.group);
  tsr_latest_run (self->group_work, find_marks, g_memdup2 (&job, sizeof job), job_free,
                  on_marks_found);
}

static const char *
say_no_live (TsrSession *session)
{
  if (tsr_session_is_data_pending (session, TSR_DATA_TRACE_LIVE))
    return _ ("reading…");
  return tsr_session_get_liveness (session) == NULL
             ? _ ("not known: the report has no liveness")
             : _ ("not known: the liveness has no bytes for IPUs, or names none of these programs");
}

void
tsr_trace_page_update_live (TsrTracePage *self)
{
  TsrSession *session = tsr_trace_page_get_session (self);
  TsrTraceLive *live;

  if (self->chart == NULL
      || !tsr_trace_state_has (tsr_trace_page_get_state (self), TSR_TRACE_OPTION_LIVE))
    return;
  tsr_session_want (session, TSR_STAGE_LIVENESS);
  live = tsr_session_get_trace_live (session);
  tsr_trace_chart_set_live (self->chart, live, tsr_session_get_units (session),
                            live == NULL ? say_no_live (session) : NULL);
}

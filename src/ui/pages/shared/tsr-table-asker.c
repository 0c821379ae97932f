/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The answer before is kept while its rows are on the screen: their swatches are asked for. */

#include "config.h"

#include "tsr-table-asker.h"

#include <glib/gi18n.h>

struct _TsrTableAsker
{
  TsrRowView *view;
  TsrSession *session;
  TsrTableAskerFunc answered;
  gpointer owner;

  const TsrTableInfo *info;   /* (nullable) */
  TsrTableQuestion *question; /* (nullable) that was asked */
  TsrTableAnswer *answer;     /* (nullable) */
  TsrTableAnswer *before;     /* (nullable) */
  TsrLatest *latest;
};

TsrTableAsker *
tsr_table_asker_new (TsrRowView *view,
                     TsrSession *session,
                     TsrTableAskerFunc answered,
                     gpointer owner)
{
  TsrTableAsker *self = g_new0 (TsrTableAsker, 1);

  self->view = view;
  self->session = session;
  self->answered = answered;
  self->owner = owner;
  self->latest = tsr_latest_new (self, (GDestroyNotify)tsr_table_answer_free);
  return self;
}

void
tsr_table_asker_free (TsrTableAsker *self)
{
  if (self == NULL)
    return;
  tsr_latest_free (self->latest);
  g_clear_pointer (&self->question, tsr_table_question_free);
  g_clear_pointer (&self->answer, tsr_table_answer_free);
  g_clear_pointer (&self->before, tsr_table_answer_free);
  g_free (self);
}

void
tsr_table_asker_show (TsrTableAsker *self)
{
  const TsrTableAnswer *answer;

  g_return_if_fail (self != NULL);
  answer = self->answer;
  tsr_row_view_set_placeholder (self->view, answer != NULL ? answer->title : NULL,
                                answer != NULL ? answer->text : NULL);
  tsr_row_view_set_rows (
      self->view, answer != NULL ? answer->rows : NULL, tsr_session_get_units (self->session),
      answer != NULL ? answer->sort_key : NULL, answer != NULL && answer->sort_key != NULL);
}

static void
take (TsrTableAsker *self, TsrTableAnswer *answer)
{
  TsrTableAnswer *old = self->answer;

  if (old != NULL && old->rows == tsr_row_view_get_shown (self->view))
    {
      g_clear_pointer (&self->before, tsr_table_answer_free);
      self->before = g_steal_pointer (&old);
    }
  self->answer = answer;
  tsr_table_asker_show (self);
  g_clear_pointer (&old, tsr_table_answer_free);
  self->answered (self->owner);
}

TsrTableAnswer *
tsr_table_asker_take (gpointer result, const GError *error)
{
  return result != NULL
             ? result
             : tsr_table_answer_new (_ ("This table could not be computed"), error->message);
}

static void
on_answered (gpointer owner, gpointer result, const GError *error)
{
  take (owner, tsr_table_asker_take (result, error));
}

typedef struct
{
  const TsrTableInfo *info;
  TsrTableQuestion *question;
} Job;

static void
job_free (gpointer data)
{
  tsr_table_question_free (((Job *)data)->question);
  g_free (data);
}

static gpointer
answer_question (gpointer data, GCancellable *cancellable, GError **error)
{
  const Job *job = data;

  return tsr_tables_answer (job->info, job->question, cancellable, error);
}

void
tsr_table_asker_run (TsrLatest *latest,
                     const TsrTableInfo *info,
                     const TsrTableQuestion *question,
                     TsrLatestDone answered)
{
  Job *job = g_new (Job, 1);

  *job = (Job){ info, tsr_table_question_copy (question) };
  tsr_latest_run (latest, answer_question, job, job_free, answered);
}

void
tsr_table_asker_ask (TsrTableAsker *self,
                     const TsrTableInfo *info,
                     const TsrTableQuestion *question)
{
  g_return_if_fail (self != NULL && (info == NULL) == (question == NULL));
  if (question != NULL && self->question != NULL && info == self->info
      && tsr_table_question_equal (self->question, question))
    return;
  tsr_latest_cancel (self->latest);
  g_clear_pointer (&self->question, tsr_table_question_free);
  self->info = info;
  if (question == NULL)
    {
      if (self->answer != NULL)
        take (self, NULL);
      return;
    }
  self->question = tsr_table_question_copy (question);
  tsr_table_asker_run (self->latest, info, question, on_answered);
}

const TsrTableAnswer *
tsr_table_asker_get_answer (TsrTableAsker *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->answer;
}

const TsrTableAnswer *
tsr_table_asker_get_shown (TsrTableAsker *self)
{
  TsrRows *rows;

  g_return_val_if_fail (self != NULL, NULL);
  rows = tsr_row_view_get_shown (self->view);
  if (rows != NULL && self->answer != NULL && self->answer->rows == rows)
    return self->answer;
  return rows != NULL && self->before != NULL && self->before->rows == rows ? self->before : NULL;
}

gboolean
tsr_table_asker_is_asking (TsrTableAsker *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return tsr_latest_is_running (self->latest);
}

gboolean
tsr_table_asker_is_busy (TsrTableAsker *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return tsr_latest_is_running (self->latest) || tsr_row_view_is_busy (self->view);
}

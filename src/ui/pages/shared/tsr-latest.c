/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs the newest request in a worker and drops the results of older ones. */

#include "config.h"

#include "tsr-latest.h"

#include "tsr-task.h"

struct _TsrLatest
{
  gatomicrefcount refs; /* the owner's, and one for each task */
  gpointer owner;       /* NULL when it has gone */
  GDestroyNotify free_result;
  GCancellable *cancellable; /* of the newest request, while it runs */
  guint generation;
};

typedef struct
{
  TsrLatest *latest;
  TsrLatestFunc func;
  gpointer job;
  GDestroyNotify free_job;
  TsrLatestDone done;
  guint generation;
} Request;

static void
latest_unref (TsrLatest *self)
{
  if (g_atomic_ref_count_dec (&self->refs))
    g_free (self);
}

static void
request_free (gpointer data)
{
  Request *request = data;

  request->free_job (request->job);
  latest_unref (request->latest);
  g_free (request);
}

TsrLatest *
tsr_latest_new (gpointer owner, GDestroyNotify free_result)
{
  TsrLatest *self = g_new0 (TsrLatest, 1);

  g_atomic_ref_count_init (&self->refs);
  self->owner = owner;
  self->free_result = free_result;
  return self;
}

void
tsr_latest_cancel (TsrLatest *self)
{
  self->generation++;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

void
tsr_latest_free (TsrLatest *self)
{
  if (self == NULL)
    return;
  tsr_latest_cancel (self);
  self->owner = NULL;
  latest_unref (self);
}

gboolean
tsr_latest_is_running (TsrLatest *self)
{
  return self->cancellable != NULL;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Request *request = data;
  GError *error = NULL;
  gpointer result = request->func (request->job, cancellable, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, request->latest->free_result);
  else
    g_task_return_error (
        task, error != NULL ? error : g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "-"));
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  Request *request = g_task_get_task_data (G_TASK (result));
  TsrLatest *self = request->latest;
  g_autoptr (GError) error = NULL;
  gpointer pointer = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->owner == NULL || request->generation != self->generation)
    {
      if (pointer != NULL)
        self->free_result (pointer);
      return;
    }
  g_clear_object (&self->cancellable);
  if (pointer != NULL || !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    request->done (self->owner, pointer, error);
}

void
tsr_latest_run (
    TsrLatest *self, TsrLatestFunc func, gpointer job, GDestroyNotify free_job, TsrLatestDone done)
{
  Request *request = g_new0 (Request, 1);
  g_autoptr (GTask) task = NULL;

  tsr_latest_cancel (self);
  self->cancellable = g_cancellable_new ();
  task = g_task_new (NULL, self->cancellable, on_done, NULL);
  g_atomic_ref_count_inc (&self->refs);
  *request = (Request){ self, func, job, free_job, done, self->generation };
  g_task_set_source_tag (task, tsr_latest_run);
  g_task_set_task_data (task, request, request_free);
  tsr_task_run_in_thread (task, run);
}

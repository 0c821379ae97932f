/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fetches the missing blocks of a report in a worker, and counts those that are there. */

#include "config.h"

#include "tsr-local-copy.h"

#include "tsr-task.h"

#include <math.h>

#define LOOK_MS 500

struct _TsrLocalCopy
{
  GObject parent_instance;

  TsrRemotePlace *place;
  GStrv paths;
  TsrLocalCopyState state;
  GError *error;
  TsrRemoteCopy copy;
  GCancellable *fetching; /* (nullable) while it runs */
  GCancellable *cancellable;
  gboolean looking;
  guint timeout;
};

G_DEFINE_FINAL_TYPE (TsrLocalCopy, tsr_local_copy, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

typedef struct
{
  TsrRemotePlace *place;
  GStrv paths;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->place);
  g_strfreev (job->paths);
  g_free (job);
}

static GTask *
new_task (TsrLocalCopy *self, GCancellable *cancellable, GAsyncReadyCallback done, gpointer tag)
{
  GTask *task = g_task_new (self, cancellable, done, NULL);
  Job *job = g_new0 (Job, 1);

  job->place = g_object_ref (self->place);
  job->paths = g_strdupv (self->paths);
  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, job, job_free);
  return task;
}

/* ---------------------------------------------------------------- how much is here */

static void
look_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  TsrRemoteCopy *copy = g_new0 (TsrRemoteCopy, 1);

  tsr_remote_place_get_copy (job->place, (const char *const *)job->paths, copy);
  g_task_return_pointer (task, copy, g_free);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrLocalCopy *self = TSR_LOCAL_COPY (source);
  g_autofree TsrRemoteCopy *copy = g_task_propagate_pointer (G_TASK (result), NULL);

  self->looking = FALSE;
  if (copy == NULL)
    return;
  self->copy = *copy;
  if (copy->is_whole && self->state != TSR_LOCAL_COPY_RUNNING)
    self->state = TSR_LOCAL_COPY_DONE;
  else if (self->state == TSR_LOCAL_COPY_DONE)
    self->state = TSR_LOCAL_COPY_IDLE;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
tsr_local_copy_refresh (TsrLocalCopy *self)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (TSR_IS_LOCAL_COPY (self));
  if (self->looking)
    return;
  self->looking = TRUE;
  task = new_task (self, self->cancellable, on_looked, tsr_local_copy_refresh);
  tsr_task_run_in_thread (task, look_run);
}

static gboolean
on_timeout (gpointer data)
{
  tsr_local_copy_refresh (data);
  return G_SOURCE_CONTINUE;
}

/* ---------------------------------------------------------------- fetching */

static void
fetch_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  if (tsr_remote_place_fetch (job->place, (const char *const *)job->paths, NULL, cancellable,
                              &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_fetched (GObject *source, GAsyncResult *result, gpointer data)
{
  TsrLocalCopy *self = TSR_LOCAL_COPY (source);
  g_autoptr (GError) error = NULL;

  /* Paused, and perhaps begun again. */
  if (g_task_get_cancellable (G_TASK (result)) != self->fetching)
    return;
  g_clear_object (&self->fetching);
  g_clear_handle_id (&self->timeout, g_source_remove);
  if (g_task_propagate_boolean (G_TASK (result), &error))
    self->state = TSR_LOCAL_COPY_DONE;
  else
    {
      self->state = TSR_LOCAL_COPY_FAILED;
      g_clear_error (&self->error);
      self->error = g_steal_pointer (&error);
    }
  g_signal_emit (self, signals[CHANGED], 0);
  tsr_local_copy_refresh (self);
}

void
tsr_local_copy_start (TsrLocalCopy *self)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (TSR_IS_LOCAL_COPY (self));
  if (self->state == TSR_LOCAL_COPY_RUNNING)
    return;
  self->state = TSR_LOCAL_COPY_RUNNING;
  g_clear_error (&self->error);
  self->fetching = g_cancellable_new ();
  self->timeout = g_timeout_add (LOOK_MS, on_timeout, self);
  task = new_task (self, self->fetching, on_fetched, tsr_local_copy_start);
  tsr_task_run_in_thread (task, fetch_run);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
stop (TsrLocalCopy *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  g_cancellable_cancel (self->fetching);
  g_clear_object (&self->fetching);
}

void
tsr_local_copy_pause (TsrLocalCopy *self)
{
  g_return_if_fail (TSR_IS_LOCAL_COPY (self));
  if (self->state != TSR_LOCAL_COPY_RUNNING)
    return;
  stop (self);
  self->state = TSR_LOCAL_COPY_IDLE;
  g_signal_emit (self, signals[CHANGED], 0);
  tsr_local_copy_refresh (self);
}

TsrLocalCopyState
tsr_local_copy_get_state (TsrLocalCopy *self)
{
  g_return_val_if_fail (TSR_IS_LOCAL_COPY (self), TSR_LOCAL_COPY_IDLE);
  return self->state;
}

const GError *
tsr_local_copy_get_error (TsrLocalCopy *self)
{
  g_return_val_if_fail (TSR_IS_LOCAL_COPY (self), NULL);
  return self->error;
}

const TsrRemoteCopy *
tsr_local_copy_peek (TsrLocalCopy *self)
{
  g_return_val_if_fail (TSR_IS_LOCAL_COPY (self), NULL);
  return &self->copy;
}

/* ---------------------------------------------------------------- life */

static void
tsr_local_copy_dispose (GObject *object)
{
  TsrLocalCopy *self = TSR_LOCAL_COPY (object);

  stop (self);
  g_cancellable_cancel (self->cancellable);
  G_OBJECT_CLASS (tsr_local_copy_parent_class)->dispose (object);
}

static void
tsr_local_copy_finalize (GObject *object)
{
  TsrLocalCopy *self = TSR_LOCAL_COPY (object);

  g_clear_object (&self->cancellable);
  g_clear_object (&self->place);
  g_clear_error (&self->error);
  g_strfreev (self->paths);
  G_OBJECT_CLASS (tsr_local_copy_parent_class)->finalize (object);
}

static void
tsr_local_copy_class_init (TsrLocalCopyClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_local_copy_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_local_copy_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
tsr_local_copy_init (TsrLocalCopy *self)
{
  self->cancellable = g_cancellable_new ();
  self->copy = (TsrRemoteCopy){ .bytes_per_s = NAN, .seconds_left = NAN };
}

TsrLocalCopy *
tsr_local_copy_new (TsrReport *report)
{
  TsrLocalCopy *self;
  const TsrReportFiles *files;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  files = tsr_report_get_files (report);
  g_return_val_if_fail (files != NULL && TSR_IS_REMOTE_PLACE (files->place), NULL);
  self = g_object_new (TSR_TYPE_LOCAL_COPY, NULL);
  self->place = g_object_ref (TSR_REMOTE_PLACE (files->place));
  for (guint i = 0; i < TSR_N_FILES; i++)
    if (files->files[i].found && files->files[i].path != NULL)
      g_strv_builder_add (builder, files->files[i].path);
  self->paths = g_strv_builder_end (builder);
  tsr_local_copy_refresh (self);
  return self;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A computation is known by its cancellable: a result whose cancellable is not the one that is
 * wanted any more is dropped. */

#include "config.h"

#include "tsr-derived.h"

#include "tsr-task.h"

typedef struct
{
  TsrDerived *derived; /* part of the task's source object, which the task keeps alive */
  const TsrDerivedKind *kind;
  TsrDerivedInputs inputs;
  GCancellable *cancellable;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->inputs.report);
  g_clear_pointer (&job->inputs.memory, tsr_memory_unref);
  g_clear_pointer (&job->inputs.liveness, tsr_liveness_unref);
  g_clear_pointer (&job->inputs.vertices, tsr_vertices_unref);
  g_clear_pointer (&job->inputs.trace, tsr_trace_unref);
  g_object_unref (job->cancellable);
  g_free (job);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;

  g_task_return_pointer (task, job->kind->compute (&job->inputs, job->cancellable),
                         job->kind->unref);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  Job *job = g_task_get_task_data (G_TASK (result));
  TsrDerived *self = job->derived;
  gpointer value = g_task_propagate_pointer (G_TASK (result), NULL);

  if (job->cancellable != self->running)
    {
      g_clear_pointer (&value, self->kind->unref);
      return;
    }
  g_clear_object (&self->running);
  g_clear_pointer (&self->value, self->kind->unref);
  self->value = value;
  self->done = TRUE;
  self->kind->ready (source, self);
}

void
tsr_derived_start (TsrDerived *self, GObject *owner, const TsrDerivedInputs *inputs)
{
  Job *job = g_new0 (Job, 1);
  g_autoptr (GTask) task = NULL;

  tsr_derived_stop (self);
  self->running = g_cancellable_new ();
  job->derived = self;
  job->kind = self->kind;
  job->cancellable = g_object_ref (self->running);
  job->inputs = *inputs;
  g_object_ref (inputs->report);
  if (inputs->memory != NULL)
    tsr_memory_ref (inputs->memory);
  if (inputs->liveness != NULL)
    tsr_liveness_ref (inputs->liveness);
  if (inputs->vertices != NULL)
    tsr_vertices_ref (inputs->vertices);
  if (inputs->trace != NULL)
    tsr_trace_ref (inputs->trace);
  task = g_task_new (owner, NULL, on_done, NULL);
  g_task_set_source_tag (task, tsr_derived_start);
  g_task_set_task_data (task, job, job_free);
  tsr_task_run_in_thread (task, run);
}

void
tsr_derived_stop (TsrDerived *self)
{
  if (self->running != NULL)
    g_cancellable_cancel (self->running);
  g_clear_object (&self->running);
  self->done = FALSE;
}

gboolean
tsr_derived_is_open (const TsrDerived *self)
{
  return self->running == NULL && !self->done;
}

void
tsr_derived_clear (TsrDerived *self)
{
  tsr_derived_stop (self);
  g_clear_pointer (&self->value, self->kind->unref);
}

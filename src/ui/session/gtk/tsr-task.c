/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs a task in a thread and gives up its last reference on the main thread. */

#include "config.h"

#include "tsr-task.h"

typedef struct
{
  GTask *task;
  GTaskThreadFunc func;
} Work;

static gboolean
let_go (gpointer task)
{
  g_object_unref (task);
  return G_SOURCE_REMOVE;
}

static void
run (gpointer data, gpointer pool_data)
{
  Work *work = data;
  GTask *task = work->task;
  g_autoptr (GSource) source = g_idle_source_new ();

  work->func (task, g_task_get_source_object (task), g_task_get_task_data (task),
              g_task_get_cancellable (task));
  g_free (work);
  /* Behind the result, which the function has sent there; not _invoke(), which may run here. */
  g_source_set_priority (source, g_task_get_priority (task));
  g_source_set_callback (source, let_go, task, NULL);
  g_source_attach (source, g_task_get_context (task));
}

void
tsr_task_run_in_thread (GTask *task, GTaskThreadFunc func)
{
  static GThreadPool *pool;
  Work *work = g_new (Work, 1);

  /* As many threads as there is work: a host that does not answer holds up nobody else. */
  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (run, NULL, -1, FALSE, NULL));
  *work = (Work){ g_object_ref (task), func };
  g_thread_pool_push (pool, work, NULL);
}

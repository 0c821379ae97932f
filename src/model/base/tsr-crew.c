/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A pool of threads that GLib lends out and takes back.  What a thread is handed is a reference to
 * a job of numbered tasks; who is free takes the next number.  One that comes when no task is left
 * finds just that, so the caller waits for tasks that have begun, not for threads. */

#include "config.h"

#include "tsr-crew.h"

#define MOST 8    /* threads, the caller's included */
#define SPIN 4000 /* looks before the caller sleeps */

typedef struct
{
  void (*func) (gpointer data, guint task);
  gpointer data;
  guint n;
  gint next; /* atomic */
  gint done; /* atomic */
  gatomicrefcount count;
  GMutex lock;
  GCond all_done;
} Job;

static void
job_unref (Job *job)
{
  if (!g_atomic_ref_count_dec (&job->count))
    return;
  g_mutex_clear (&job->lock);
  g_cond_clear (&job->all_done);
  g_free (job);
}

static void
work (Job *job)
{
  guint task;

  while ((task = (guint)g_atomic_int_add (&job->next, 1)) < job->n)
    {
      job->func (job->data, task);
      if ((guint)g_atomic_int_add (&job->done, 1) + 1 < job->n)
        continue;
      g_mutex_lock (&job->lock);
      g_cond_signal (&job->all_done);
      g_mutex_unlock (&job->lock);
    }
}

static void
help (gpointer data, gpointer user_data)
{
  work (data);
  job_unref (data);
}

static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (
        &pool,
        g_thread_pool_new (help, NULL, (gint)MIN (g_get_num_processors (), MOST), FALSE, NULL));
  return pool;
}

static gboolean
is_done (Job *job)
{
  return (guint)g_atomic_int_get (&job->done) == job->n;
}

void
tsr_crew_run (guint n, void (*func) (gpointer data, guint task), gpointer data)
{
  guint helpers = MIN (MIN (n, g_get_num_processors ()), MOST);
  Job *job;

  if (helpers <= 1)
    {
      for (guint i = 0; i < n; i++)
        func (data, i);
      return;
    }
  job = g_new0 (Job, 1);
  *job = (Job){ .func = func, .data = data, .n = n };
  g_atomic_ref_count_init (&job->count);
  g_mutex_init (&job->lock);
  g_cond_init (&job->all_done);
  for (guint i = 1; i < helpers; i++)
    {
      g_atomic_ref_count_inc (&job->count);
      g_thread_pool_push (get_pool (), job, NULL);
    }
  work (job);
  for (guint i = 0; i < SPIN && !is_done (job); i++)
    ;
  g_mutex_lock (&job->lock);
  while (!is_done (job))
    g_cond_wait (&job->all_done, &job->lock);
  g_mutex_unlock (&job->lock);
  job_unref (job);
}

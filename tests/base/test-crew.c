/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each task of a job is done once before the job returns, whoever does it. */

#include "config.h"

#include "tsr-crew.h"

typedef struct
{
  gint done[1000];
  gint first; /* done */
} Tasks;

static void
mark (gpointer data, guint task)
{
  Tasks *tasks = data;

  g_atomic_int_inc (&tasks->done[task]);
}

static void
test_once (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      Tasks tasks = { { 0 }, 0 };
      guint n = round % 70;

      tsr_crew_run (n, mark, &tasks);
      for (guint i = 0; i < G_N_ELEMENTS (tasks.done); i++)
        g_assert_cmpint (tasks.done[i], ==, i < n);
    }
}

/* Those after the first wait for it. */
static void
wait_for_first (gpointer data, guint task)
{
  Tasks *tasks = data;

  if (task == 0)
    {
      g_usleep (100);
      g_atomic_int_set (&tasks->first, 1);
    }
  while (!g_atomic_int_get (&tasks->first))
    g_thread_yield ();
  g_atomic_int_inc (&tasks->done[task]);
}

static void
test_order (void)
{
  for (guint round = 0; round < 100; round++)
    {
      Tasks tasks = { { 0 }, 0 };

      tsr_crew_run (30, wait_for_first, &tasks);
      for (guint i = 0; i < 30; i++)
        g_assert_cmpint (tasks.done[i], ==, 1);
    }
}

static gpointer
run_many (gpointer data)
{
  for (guint round = 0; round < 300; round++)
    {
      Tasks tasks = { { 0 }, 0 };

      tsr_crew_run (40, mark, &tasks);
      for (guint i = 0; i < 40; i++)
        g_assert_cmpint (tasks.done[i], ==, 1);
    }
  return NULL;
}

/* Several callers at once, more than there are threads. */
static void
test_callers (void)
{
  GThread *threads[12];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("caller", run_many, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crew/once", test_once);
  g_test_add_func ("/crew/order", test_order);
  g_test_add_func ("/crew/callers", test_callers);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long the window does not answer: a source of 10 ms counts the longest time between two of its
 * calls, and the longest processor time of the main thread between them, which other programs do
 * not lengthen.  bench-stall REPORT prints "stall WHAT MILLISECONDS PROCESSOR EACH", processor time
 * between two calls and of each frame or action, for loading up to the end of debug.cbor's stage,
 * and for the Program Tree; "redrawing" is a frame in which nothing is new, "finding" the first
 * match, whose tables are made for the first time, and "searching" the others. */

#include "config.h"

#include "tsr-locale.h"
#include "tsr-match-bar.h"
#include "tsr-program-page.h"
#include "tsr-window.h"

#include <stdio.h>
#include <time.h>

#define TICK     10
#define PATIENCE (120 * G_USEC_PER_SEC)

static struct
{
  double wall, processor; /* of the last tick, seconds */
  double longest_wall, longest_processor;
  double begin; /* of the processor */
} clocks;

static double
read_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static gboolean
on_tick (gpointer data)
{
  const double wall = read_clock (CLOCK_MONOTONIC);
  const double processor = read_clock (CLOCK_THREAD_CPUTIME_ID);

  clocks.longest_wall = MAX (clocks.longest_wall, wall - clocks.wall);
  clocks.longest_processor = MAX (clocks.longest_processor, processor - clocks.processor);
  clocks.wall = wall;
  clocks.processor = processor;
  return G_SOURCE_CONTINUE;
}

static void
begin (void)
{
  on_tick (NULL);
  clocks.longest_wall = clocks.longest_processor = 0;
  clocks.begin = clocks.processor;
}

/* @n: frames, or whatever else is counted. */
static void
end (const char *what, guint n)
{
  on_tick (NULL);
  printf ("stall %s %.1f %.1f %.1f\n", what, clocks.longest_wall * 1e3,
          clocks.longest_processor * 1e3, (clocks.processor - clocks.begin) / n * 1e3);
  fflush (stdout);
}

static void
run (guint ms)
{
  const gint64 until = g_get_monotonic_time () + ms * G_GINT64_CONSTANT (1000);

  while (g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, TRUE);
}

static TsrPage *
get_page (TsrWindow *window)
{
  TsrReportView *view = tsr_window_get_report_view (window);

  return view != NULL ? tsr_report_view_get_page (view) : NULL;
}

static gboolean
is_shown (TsrWindow *window)
{
  TsrPage *page = get_page (window);

  return page != NULL && tsr_page_is_content_shown (page);
}

static gboolean
is_read (TsrWindow *window)
{
  return is_shown (window)
         && !tsr_session_is_stage_pending (tsr_window_get_session (window), TSR_STAGE_DEBUG);
}

static gboolean
is_tree (TsrWindow *window)
{
  TsrPage *page = get_page (window);

  return is_shown (window) && TSR_IS_PROGRAM_PAGE (page)
         && !tsr_program_page_is_busy (TSR_PROGRAM_PAGE (page))
         && tsr_row_view_get_n_shown (tsr_program_page_get_tree (TSR_PROGRAM_PAGE (page))) > 0;
}

static void
wait_for (gboolean (*ready) (TsrWindow *window), TsrWindow *window)
{
  const gint64 until = g_get_monotonic_time () + PATIENCE;

  while (!ready (window) && g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, TRUE);
  if (!ready (window))
    g_error ("it does not come");
}

/* (nullable): the first of @type in @widget. */
static GtkWidget *
find (GtkWidget *widget, GType type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find (child, type);
  return found;
}

static void
bench_tree (TsrWindow *window)
{
  TsrProgramPage *page = TSR_PROGRAM_PAGE (get_page (window));
  GtkWidget *scroller
      = find (GTK_WIDGET (tsr_program_page_get_tree (page)), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *at = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  begin ();
  gtk_widget_activate_action (GTK_WIDGET (page), "programs.collapse-all", NULL);
  run (500);
  gtk_widget_activate_action (GTK_WIDGET (page), "programs.expand-all", NULL);
  run (500);
  end ("expanding", 2);
  begin ();
  for (guint i = 0; i < 50; i++)
    {
      gtk_widget_queue_draw (GTK_WIDGET (window));
      run (2 * TICK);
    }
  end ("redrawing", 50);
  begin ();
  for (guint i = 0; i < 200; i++)
    {
      const double most = gtk_adjustment_get_upper (at) - gtk_adjustment_get_page_size (at);

      /* Like a wheel for half of the way, then like the bar. */
      gtk_adjustment_set_value (at, i < 100 ? i * 60.0 : most * i / 200);
      run (2 * TICK);
    }
  end ("scrolling", 200);
  begin ();
  tsr_match_bar_set_text (TSR_MATCH_BAR (gtk_widget_get_template_child (
                              GTK_WIDGET (page), TSR_TYPE_PROGRAM_PAGE, "search")),
                          "matMul9");
  run (1500);
  gtk_widget_activate_action (GTK_WIDGET (page), "programs.next-match", NULL);
  run (500);
  end ("finding", 2);
  begin ();
  for (guint i = 0; i < 20; i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (page), "programs.next-match", NULL);
      run (5 * TICK);
    }
  end ("searching", 20);
}

static gboolean
on_start (gpointer data)
{
  TsrWindow *window = data;

  wait_for (is_shown, window);
  run (200);
  begin ();
  wait_for (is_read, window);
  run (200);
  end ("loading", 1);
  if (tsr_report_view_show (tsr_window_get_report_view (window), TSR_VIEW_PROGRAM_TREE))
    {
      begin ();
      wait_for (is_tree, window);
      run (200);
      end ("opening", 1);
      bench_tree (window);
    }
  _Exit (0);
}

static void
on_window_added (GtkApplication *application, GtkWindow *window, gpointer data)
{
  if (!TSR_IS_WINDOW (window))
    return;
  begin ();
  g_timeout_add (TICK, on_tick, NULL);
  g_idle_add (on_start, window);
}

int
main (int argc, char **argv)
{
  g_autoptr (TsrApplication) application = NULL;

  g_setenv ("TESSERA_NON_UNIQUE", "1", TRUE);
  tsr_locale_init ();
  application = tsr_application_new ();
  g_signal_connect (application, "window-added", G_CALLBACK (on_window_added), NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}

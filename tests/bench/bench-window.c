/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window program itself, but for its end: as soon as a frame with what was asked for in it has
 * been painted it prints "summary SECONDS" or "insights SECONDS" since BENCH_START (monotonic
 * microseconds, set by whoever starts it; so loading the program counts) and leaves.
 * bench-window REPORT waits for the Summary, bench-window --page=insights REPORT for the findings
 * on their page; with --now it prints that clock. */

#include "config.h"

#include "tsr-locale.h"
#include "tsr-window.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static TsrView wanted = TSR_VIEW_SUMMARY;

/* On screen with its contents; the findings are computed after their page is there. */
static gboolean
is_complete (TsrWindow *window, TsrPage *page)
{
  return page != NULL && tsr_page_get_view (page) == wanted && tsr_page_is_content_shown (page)
         && gtk_widget_get_mapped (GTK_WIDGET (page))
         && (wanted != TSR_VIEW_INSIGHTS
             || tsr_session_get_insights (tsr_window_get_session (window)) != NULL);
}

static void
on_after_paint (GdkFrameClock *clock, gpointer data)
{
  TsrReportView *view = tsr_window_get_report_view (TSR_WINDOW (data));
  TsrPage *page = view != NULL ? tsr_report_view_get_page (view) : NULL;
  const char *start = g_getenv ("BENCH_START");
  gint64 now = g_get_monotonic_time ();

  if (!is_complete (TSR_WINDOW (data), page))
    return;
  /* Shown before this frame began, so this frame had it. */
  if (g_object_get_data (data, "seen") == NULL)
    {
      g_object_set_data (data, "seen", data);
      gtk_widget_queue_draw (GTK_WIDGET (page));
      return;
    }
  printf ("%s %.6f\n", tsr_view_get_nick (wanted),
          (double)(now - (start != NULL ? g_ascii_strtoll (start, NULL, 10) : now)) / 1e6);
  fflush (stdout);
  _exit (0);
}

static void
on_window_added (GtkApplication *application, GtkWindow *window, gpointer data)
{
  if (!TSR_IS_WINDOW (window))
    return;
  gtk_widget_realize (GTK_WIDGET (window));
  g_signal_connect_object (gtk_widget_get_frame_clock (GTK_WIDGET (window)), "after-paint",
                           G_CALLBACK (on_after_paint), window, 0);
}

int
main (int argc, char **argv)
{
  g_autoptr (TsrApplication) application = NULL;

  if (argc == 2 && g_str_equal (argv[1], "--now"))
    {
      printf ("%" G_GINT64_FORMAT "\n", g_get_monotonic_time ());
      return 0;
    }
  if (argc > 1 && g_str_equal (argv[1], "--page=insights"))
    wanted = TSR_VIEW_INSIGHTS;
  g_setenv ("TESSERA_NON_UNIQUE", "1", TRUE);
  tsr_locale_init ();
  application = tsr_application_new ();
  g_signal_connect (application, "window-added", G_CALLBACK (on_window_added), NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}

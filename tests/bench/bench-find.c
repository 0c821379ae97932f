/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ctrl+K on a whole report: milliseconds from a letter in the entry until a frame with the first
 * hits has been painted, "hits TEXT MILLISECONDS" for several texts.  bench-find REPORT. */

#include "config.h"

#include "tsr-search-popover.h"
#include "tsr-ui-init.h"

#include <stdio.h>

#define PATIENCE (60 * G_USEC_PER_SEC)

static gint64 painted;

static void
on_after_paint (GdkFrameClock *clock, gpointer data)
{
  painted = g_get_monotonic_time ();
}

/* FALSE when it takes too long. */
static gboolean
wait_for (gboolean (*ready) (gpointer data), gpointer data)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  while (!ready (data) && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  return ready (data);
}

static gboolean
is_loaded (gpointer session)
{
  return tsr_session_get_memory (session) != NULL && tsr_session_get_liveness (session) != NULL
         && !tsr_session_is_lowered_pending (session);
}

static gboolean
has_hits (gpointer popover)
{
  return tsr_search_popover_get_n_found (popover) > 0;
}

static gboolean
has_none (gpointer popover)
{
  return !has_hits (popover) && !tsr_search_popover_is_busy (popover);
}

static gboolean
is_painted (gpointer since)
{
  return painted > *(gint64 *)since;
}

static gboolean
measure (TsrSearchPopover *popover, const char *text)
{
  gint64 start, found;

  tsr_search_popover_set_text (popover, "");
  if (!wait_for (has_none, popover))
    return FALSE;
  start = g_get_monotonic_time ();
  tsr_search_popover_set_text (popover, text);
  if (!wait_for (has_hits, popover))
    return FALSE;
  found = g_get_monotonic_time ();
  if (!wait_for (is_painted, &found))
    return FALSE;
  printf ("hits %s %.2f\n", text, (double)(painted - start) / 1000);
  return TRUE;
}

int
main (int argc, char **argv)
{
  static const char *const texts[] = { "a", "weight", "conv", "1806", "Gradient" };
  g_autoptr (TsrSettings) settings = NULL;
  g_autoptr (TsrSession) session = NULL;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  TsrSearchPopover *popover;
  GtkWidget *window, *button;
  gboolean ok = TRUE;

  if (argc != 2)
    return 2;
  gtk_init ();
  tsr_ui_init ();
  settings = tsr_settings_new ("none.such");
  session = tsr_session_new (settings);
  report = tsr_report_open (place, argv[1], TSR_LOAD_ALL);
  popover = tsr_search_popover_new (session);
  button = gtk_menu_button_new ();
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), GTK_WIDGET (popover));
  window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 720);
  gtk_window_set_child (GTK_WINDOW (window), button);
  gtk_window_present (GTK_WINDOW (window));
  tsr_session_set_report (session, report);
  if (!wait_for (is_loaded, session))
    return 1;
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  g_signal_connect (gtk_widget_get_frame_clock (GTK_WIDGET (popover)), "after-paint",
                    G_CALLBACK (on_after_paint), NULL);
  for (guint round = 0; round < 3 && ok; round++)
    for (guint i = 0; i < G_N_ELEMENTS (texts) && ok; i++)
      ok = measure (popover, texts[i]);
  gtk_window_destroy (GTK_WINDOW (window));
  tsr_session_close (session);
  return ok ? 0 : 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens the Memory page over a report with known numbers. */

#include "config.h"

#include "memory-page-test.h"

#include "tsr-test.h"
#include "tsr-ui-test.h"

void
memory_page_test_open (MemoryPageTest *f)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = tsr_report_open (place, f->folder, TSR_LOAD_ALL);

  tsr_session_set_report (f->session, report);
}

void
memory_page_test_add_page (MemoryPageTest *f)
{
  f->page = g_object_new (TSR_TYPE_MEMORY_PAGE, NULL);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->page));
  tsr_page_set_session (TSR_PAGE (f->page), f->session);
}

void
memory_page_test_set_up (MemoryPageTest *f, gconstpointer data)
{
  const char *more = data;

  f->folder = tsr_test_folder_new ();
  tsr_ui_test_write_report (f->folder, 0);
  if (more != NULL)
    tsr_test_sql (f->folder, "profile.pop", more);
  f->settings = tsr_settings_new ("none.such");
  f->session = tsr_session_new (f->settings);
  f->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1232, 640);
  memory_page_test_add_page (f);
  gtk_window_present (GTK_WINDOW (f->window));
  memory_page_test_open (f);
  tsr_ui_test_wait (tsr_session_get_memory (f->session) != NULL);
  if (more != NULL)
    tsr_ui_test_wait (tsr_session_get_liveness (f->session) != NULL
                      && tsr_liveness_has_lowered (tsr_session_get_liveness (f->session))
                      && tsr_session_get_vertices (f->session) != NULL);
  else
    tsr_ui_test_wait (!tsr_session_is_lowered_pending (f->session));
  tsr_ui_test_run (100);
}

void
memory_page_test_tear_down (MemoryPageTest *f, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  tsr_ui_test_drop (f->session);
  g_object_unref (f->settings);
  tsr_test_folder_free (f->folder);
}

void
memory_page_test_assert_selected (MemoryPageTest *f, const char *tiles)
{
  guint n;
  const guint *selected = tsr_tile_selection_peek (tsr_session_get_selection (f->session), &n);
  g_autofree char *text = n > 0 ? tsr_memory_format_tiles (selected, n) : g_strdup ("");

  g_assert_cmpstr (text, ==, tiles);
}

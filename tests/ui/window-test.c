/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An application for tests, and its windows. */

#include "config.h"

#include "window-test.h"

#include "tsr-recents.h"

static TsrApplication *application;

void
window_test_init (int *argc, char ***argv)
{
  g_setenv ("TESSERA_NON_UNIQUE", "1", TRUE);
  gtk_test_init (argc, argv, NULL);
  application = tsr_application_new ();
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_application_hold (G_APPLICATION (application));
}

int
window_test_run (void)
{
  int status = g_test_run ();

  g_application_release (G_APPLICATION (application));
  g_object_unref (application);
  return status;
}

TsrApplication *
window_test_get_application (void)
{
  return application;
}

TsrWindow *
window_test_new (void)
{
  TsrWindow *window = tsr_window_new (application);

  gtk_window_present (GTK_WINDOW (window));
  return window;
}

void
window_test_close (TsrWindow *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
  tsr_ui_test_run (20);
}

gboolean
window_test_is (TsrWindow *window, const char *state)
{
  return g_str_equal (tsr_window_get_state (window), state);
}

void
window_test_forget_recents (void)
{
  TsrRecents *recents = tsr_recents_get_default ();

  while (g_list_model_get_n_items (G_LIST_MODEL (recents)) > 0)
    {
      g_autoptr (TsrRecent) item = g_list_model_get_item (G_LIST_MODEL (recents), 0);
      g_autofree char *path = g_strdup (tsr_recent_get_path (item));

      tsr_recents_remove (recents, path);
    }
}

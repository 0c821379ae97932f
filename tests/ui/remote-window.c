/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens windows on reports behind test servers, and answers their dialogs. */

#include "config.h"

#include "remote-window.h"

#include "tsr-test.h"

#include <glib/gstdio.h>

static char *home;

void
remote_window_init (int *argc, char ***argv)
{
  home = g_dir_make_tmp ("tessera-home.XXXXXX", NULL);
  g_setenv ("HOME", home, TRUE);
  g_unsetenv ("SSH_AUTH_SOCK");
  window_test_init (argc, argv);
}

int
remote_window_run (void)
{
  int status = window_test_run ();

  tsr_test_folder_free (home);
  return status;
}

SshWorld *
remote_window_new_world (void)
{
  SshWorld *world = ssh_world_new ();
  g_autofree char *folder = g_build_filename (home, ".ssh", NULL);
  g_autofree char *text = NULL;

  if (world == NULL)
    return NULL;
  g_mkdir (folder, 0700);
  text = g_strdup_printf ("Include \"%s\"\nHost *\n  UserKnownHostsFile \"%s\"\n",
                          ssh_world_get_config (world), ssh_world_get_known_hosts (world));
  tsr_test_write (folder, "config", text, -1);
  return world;
}

char *
remote_window_add_report (SshWorld *world, const char *preset)
{
  char *path = g_build_filename (ssh_world_get_home (world), "reports", "training", NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0755), ==, 0);
  tsr_test_copy (tsr_test_get_report (preset), path, NULL);
  return path;
}

char *
remote_window_dup_location (SshServer *server, const char *path)
{
  return g_strdup_printf ("ssh://" SSH_USER "@127.0.0.1:%u%s", ssh_server_get_port (server), path);
}

const char *
remote_window_get_bar (TsrWindow *window, const char *key)
{
  return tsr_report_view_get_bar (tsr_window_get_report_view (window), key);
}

TsrQuestionDialog *
remote_window_get_question (void)
{
  return tsr_dialog_asker_get_dialog (tsr_application_get_asker (window_test_get_application ()));
}

static gboolean
asks (const char *part)
{
  TsrQuestionDialog *dialog = remote_window_get_question ();
  g_autofree char *text = dialog != NULL ? tsr_question_dialog_dup_text (dialog) : NULL;

  return text != NULL && strstr (text, part) != NULL;
}

void
remote_window_answer (const char *part, const char *answer, const char *response)
{
  tsr_ui_test_wait (asks (part));
  if (answer != NULL)
    tsr_question_dialog_type (remote_window_get_question (), 0, answer);
  tsr_question_dialog_respond (remote_window_get_question (), response);
}

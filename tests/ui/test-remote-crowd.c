/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A folder of a million names behind ssh, in the open dialog: however long the listing takes, no
 * turn of the main loop computes for long. */

#include "config.h"

#include "remote-window.h"
#include "tsr-folder-browser.h"
#include "tsr-test.h"

#include <time.h>

/* A turn takes 10 to 30 ms here, and took 400 to 700 as long as it had to do with every name; the
 * limit leaves room for slower machines.  With sanitizers only memory is looked at. */
#ifdef __SANITIZE_ADDRESS__
#  define MOST_TURN_US G_MAXINT64
#  define LONG_WAIT    6000
#else
#  define MOST_TURN_US 150000
#  define LONG_WAIT    2400
#endif
#define N_NAMES 1000000

/* What a turn of the main loop computes: other programs on the machine do not count. */
static struct
{
  GPollFunc poll;
  gint64 since, longest; /* us */
} turns;

static gint64
computed_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64)now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static int
measured_poll (GPollFD *fds, guint n, int timeout)
{
  int result;

  if (turns.since != 0)
    turns.longest = MAX (turns.longest, computed_us () - turns.since);
  result = turns.poll (fds, n, timeout);
  turns.since = computed_us ();
  return result;
}

/* What has been done since the last one took no long turn. */
static void
check_turns (const char *doing)
{
  tsr_ui_test_run (300);
  g_test_message ("%s: longest turn %.1f ms", doing, turns.longest / 1e3);
  if (turns.longest >= MOST_TURN_US)
    g_test_fail ();
  turns.longest = 0;
}

static guint
n_rows (TsrFolderModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (model));
}

/* A listing takes its time, on a busy machine more. */
#define wait_long(condition)                                                                       \
  G_STMT_START                                                                                     \
  {                                                                                                \
    for (guint i_ = 0; i_ < LONG_WAIT && !(condition); i_++)                                       \
      tsr_ui_test_run (100);                                                                       \
    g_assert_true (condition);                                                                     \
  }                                                                                                \
  G_STMT_END

static void
browse (TsrFolderBrowser *browser)
{
  TsrFolderModel *folder = tsr_folder_browser_get_folder (browser);
  TsrFolderModel *completion = tsr_folder_browser_get_completion (browser);

  wait_long (n_rows (folder) >= N_NAMES);
  check_turns ("listing");
  tsr_folder_model_set_by_date (folder, TRUE);
  check_turns ("by date");
  tsr_folder_model_set_by_date (folder, FALSE);
  check_turns ("by name");
  tsr_folder_model_set_show_hidden (folder, TRUE);
  check_turns ("hidden");
  tsr_folder_browser_select_position (browser, N_NAMES / 2);
  check_turns ("selecting in the middle");
  g_signal_emit_by_name (folder, "marked");
  check_turns ("marking");
  tsr_folder_browser_type (browser, "/f0");
  wait_long (n_rows (completion) >= N_NAMES);
  check_turns ("completing");
  tsr_folder_browser_type (browser, "/f01");
  wait_long (n_rows (completion) == N_NAMES / 10);
  check_turns ("completing further");
  tsr_folder_browser_type (browser, "/f");
  wait_long (n_rows (completion) >= N_NAMES);
  check_turns ("completing less");
  tsr_folder_browser_go_to (browser, "/sub");
  wait_long (!tsr_folder_model_is_busy (folder));
  check_turns ("going into a folder");
  tsr_folder_browser_go_up (browser);
  wait_long (!tsr_folder_model_is_busy (folder));
  check_turns ("going up");
}

static void
test_million (void)
{
  g_autoptr (SshWorld) world = remote_window_new_world ();
  g_autofree char *root = NULL;
  g_autofree char *sub = NULL;
  TsrOpenDialog *dialog;
  TsrRemoteTab *tab;
  TsrWindow *window;
  SshServer *server;

  if (world == NULL)
    return;
  root = g_build_filename (ssh_world_get_home (world), "root", NULL);
  sub = g_build_filename (root, "sub", NULL);
  g_assert_cmpint (g_mkdir_with_parents (sub, 0755), ==, 0);
  server = ssh_hostile_new (world, "names-million", root);
  ssh_world_add_host (world, "crowd", server, NULL);
  ssh_world_know (world, server, NULL);
  window = window_test_new ();
  dialog = tsr_open_dialog_new (GTK_WINDOW (window), window_test_get_application ());
  gtk_window_present (GTK_WINDOW (dialog));
  tsr_open_dialog_show_remote (dialog, "ssh://crowd/", NULL);
  tab = tsr_open_dialog_get_remote (dialog);
  tsr_ui_test_run (500);
  turns.poll = g_main_context_get_poll_func (NULL);
  g_main_context_set_poll_func (NULL, measured_poll);
  tsr_remote_tab_connect (tab);
  wait_long (tsr_remote_tab_get_browser (tab) != NULL);
  check_turns ("connecting");
  browse (tsr_remote_tab_get_browser (tab));
  gtk_window_destroy (GTK_WINDOW (dialog));
  check_turns ("closing");
  g_main_context_set_poll_func (NULL, turns.poll);
  window_test_close (window);
}

int
main (int argc, char **argv)
{
  remote_window_init (&argc, &argv);
  g_test_add_func ("/remote-crowd/million", test_million);
  return remote_window_run ();
}

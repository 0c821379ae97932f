/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of recent reports has a report once, whatever it was called when it was opened: on this
 * machine, and on real servers. */

#include "config.h"

#include "remote-window.h"
#include "tsr-recent-report.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* What the file has, not what the window shows. */
static guint
count_kept (void)
{
  g_autofree char *file
      = g_build_filename (g_get_user_state_dir (), "tessera", "recent-reports", NULL);
  g_autoptr (TsrRecents) kept = tsr_recents_new (file);

  return g_list_model_get_n_items (G_LIST_MODEL (kept));
}

/* Opens @location, after which the list has @n reports, the newest of which is @path. */
static void
check_open (TsrWindow *window, const char *location, guint n, const char *path)
{
  g_autoptr (TsrRecent) newest = NULL;

  tsr_window_open (window, location, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "report"));
  tsr_ui_test_wait (
      !tsr_session_is_data_pending (tsr_window_get_session (window), TSR_DATA_MEMORY));
  tsr_ui_test_wait (count_kept () == n);
  newest = g_list_model_get_item (G_LIST_MODEL (tsr_recents_get_default ()), 0);
  g_assert_cmpstr (tsr_recent_get_path (newest), ==, path);
  g_assert_cmpint (tsr_recent_get_outcome (newest), ==, TSR_OUTCOME_FITS);
}

static void
make_link (const char *to, const char *folder, const char *name)
{
  g_autofree char *link = g_build_filename (folder, name, NULL);

  g_assert_cmpint (symlink (to, link), ==, 0);
}

static void
test_local (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *report = g_build_filename (folder, "runs", "training", NULL);
  g_autofree char *other = g_build_filename (folder, "runs", "inference", NULL);
  g_autofree char *profile = g_build_filename (report, "profile.pop", NULL);
  g_autofree char *below = g_build_filename (folder, "alone", NULL);
  TsrWindow *window = window_test_new ();
  const struct
  {
    const char *opened, *kept; /* below the folder */
  } names[] = {
    { "runs/training", "runs/training" },
    { "runs/training/", "runs/training" },
    { "runs/training/profile.pop", "runs/training" },
    { "runs/training/archive.a", "runs/training" },
    { "runs/./training//", "runs/training" },
    { "runs/inference/../training", "runs/inference/../training" },
    { "latest", "latest" },
    { "latest/profile.pop", "latest" },
    { "all/training", "all/training" },
    { "alone", "alone/training" }, /* the only one below it */
    { "mine.pop", "mine.pop" },
    { "runs/training", "runs/training" },
  };

  g_assert_cmpint (g_mkdir_with_parents (report, 0755), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (other, 0755), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (below, 0755), ==, 0);
  tsr_test_copy (tsr_test_get_report ("tiny"), report, NULL);
  tsr_test_copy (tsr_test_get_report ("tiny"), other, NULL);
  make_link (report, folder, "latest");
  make_link ("runs", folder, "all");
  make_link (report, below, "training");
  make_link (profile, folder, "mine.pop");
  window_test_forget_recents ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *opened = g_strconcat (folder, "/", names[i].opened, NULL);
      g_autofree char *kept = g_strconcat (folder, "/", names[i].kept, NULL);

      check_open (window, opened, 1, kept);
    }
  /* The same numbers in another folder are another report. */
  check_open (window, other, 2, other);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

static void
close_all (void)
{
  tsr_connections_close_all (
      tsr_application_get_remote (window_test_get_application ())->connections);
}

/* Each time over a new connection, which has the name that it was asked for by. */
static void
test_remote (void)
{
  g_autoptr (SshWorld) world = remote_window_new_world ();
  g_autofree char *report = NULL, *full = NULL, *elsewhere = NULL, *other = NULL;
  TsrWindow *window;
  SshServer *server, *gate, *stranger;
  const struct
  {
    const char *host, *path, *query; /* host: NULL: by its address */
    const char *kept;                /* path */
  } names[] = {
    { "node", "/~/reports/training", "", "/~/reports/training" },
    { "node", "/~/reports/training/profile.pop", "", "/~/reports/training" },
    { "node", "/~/reports/training/archive.a", "", "/~/reports/training" },
    { "node", "", "", "" },
    { NULL, "", "", "" },
    { "node.example", "", "", "" },
    { "node", "", "?jump=gate", "" },
    { "node", "", "?alias=node7", "" },
    { "node", "/~/latest", "", "/~/latest" },
    { "node", "/~/all/training", "", "/~/all/training" },
    { NULL, "/~/latest/profile.pop", "?jump=gate&alias=node7", "/~/latest" },
  };

  if (world == NULL)
    return;
  report = remote_window_add_report (world, "tiny");
  make_link (report, ssh_world_get_home (world), "latest");
  make_link ("reports", ssh_world_get_home (world), "all");
  server = ssh_server_new (world, NULL);
  gate = ssh_server_new (world, &(SshServerOptions){ .key_set = 1 });
  stranger = ssh_server_new (world, &(SshServerOptions){ .key_set = 2 });
  ssh_world_know (world, server, NULL);
  ssh_world_know (world, server, "node7");
  ssh_world_know (world, gate, NULL);
  ssh_world_know (world, stranger, NULL);
  ssh_world_add_host (world, "node", server, NULL);
  ssh_world_add_host (world, "node.example", server, NULL);
  ssh_world_add_host (world, "127.0.0.1", server, NULL);
  ssh_world_add_host (world, "gate", gate, NULL);
  ssh_world_add_host (world, "stranger", stranger, NULL);
  full = remote_window_dup_location (server, "");
  window_test_forget_recents ();
  window = window_test_new ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *host
          = names[i].host != NULL ? g_strconcat ("ssh://", names[i].host, NULL) : g_strdup (full);
      g_autofree char *opened = g_strconcat (host, *names[i].path != '\0' ? names[i].path : report,
                                             names[i].query, NULL);
      g_autofree char *kept = g_strconcat (host, *names[i].kept != '\0' ? names[i].kept : report,
                                           names[i].query, NULL);

      check_open (window, opened, 1, kept);
      close_all ();
    }
  /* Another machine with the same path, and another report of this one. */
  elsewhere = g_strconcat ("ssh://stranger", report, NULL);
  check_open (window, elsewhere, 2, elsewhere);
  close_all ();
  {
    g_autofree char *copy = g_build_filename (ssh_world_get_home (world), "copy", NULL);

    g_assert_cmpint (g_mkdir (copy, 0755), ==, 0);
    tsr_test_copy (report, copy, NULL);
    other = g_strconcat ("ssh://node", copy, NULL);
  }
  check_open (window, other, 3, other);
  window_test_close (window);
  close_all ();
  tsr_ui_test_run (50);
}

int
main (int argc, char **argv)
{
  remote_window_init (&argc, &argv);
  g_test_add_func ("/recent-report/local", test_local);
  g_test_add_func ("/recent-report/remote", test_remote);
  return remote_window_run ();
}

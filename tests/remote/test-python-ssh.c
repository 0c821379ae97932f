/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Python module opens reports behind a real ssh server: tests/python/over-ssh.py asks it. */

#include "config.h"

#include "remote-world.h"

#include <glib/gstdio.h>
#include <string.h>

static void
test_python (void)
{
  g_auto (RemoteWorld) w = { 0 };
  g_autofree char *home = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *to = NULL;
  g_autofree char *url = NULL;
  g_autofree char *script = NULL;
  g_autofree char *out = NULL;
  g_autofree char *errors = NULL;
  g_auto (GStrv) env = g_get_environ ();
  g_autoptr (GError) error = NULL;
  int status = 0;

  if (!remote_world_set_up (&w, NULL, FALSE))
    return;
  remote_world_add_report (&w, "demo");
  home = g_build_filename (ssh_world_get_folder (w.world), "python", NULL);
  folder = g_build_filename (home, ".ssh", NULL);
  to = g_build_filename (folder, "config", NULL);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_free (ssh_world_run (w.world, "cp", "-p", ssh_world_get_config (w.world), to, NULL));
  url = g_strconcat ("ssh://target", w.report, NULL);
  script = g_test_build_filename (G_TEST_DIST, "python", "over-ssh.py", NULL);
  env = g_environ_setenv (env, "HOME", home, TRUE);
  {
    const char *words[] = { g_getenv ("TESSERA_PYTHON"), "-B", script, url, w.report, NULL };

    g_spawn_sync (NULL, (char **)words, env, G_SPAWN_DEFAULT, NULL, NULL, &out, &errors, &status,
                  &error);
  }
  g_assert_no_error (error);
  if (status != 0)
    g_test_message ("%s", errors);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (out, ==, "whole\n");
  g_assert_cmpstr (errors, ==, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/python-ssh/report", test_python);
  return g_test_run ();
}

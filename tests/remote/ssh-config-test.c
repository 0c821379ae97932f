/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes the home folder for tests of ssh_config, and loads configurations. */

#include "config.h"

#include "ssh-config-test.h"

#include <glib/gstdio.h>

char *ssh_config_test_home;

static void
make_included_files (void)
{
  g_autofree char *folder = g_build_filename (ssh_config_test_home, ".ssh", NULL);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  tsr_test_write (folder, "inc1", "User one\nHost in\n Port 6\nHost a\n ConnectTimeout 5\n", -1);
  tsr_test_write (folder, "inc2", "Host b\n User two\nMatch all\n Port 8\n", -1);
  tsr_test_write (folder, "deep1", "Include deep2\nPort 11\n", -1);
  tsr_test_write (folder, "deep2", "Host nobody\n Include inc2\nHost *\n HashKnownHosts yes\n", -1);
  tsr_test_write (folder, "self", "Include self\n", -1);
}

void
ssh_config_test_init (int *argc, char ***argv)
{
  ssh_config_test_home = tsr_test_folder_new ();
  g_setenv ("HOME", ssh_config_test_home, TRUE);
  g_setenv ("TSR_TEST_VALUE", "/value", TRUE);
  g_unsetenv ("TSR_TEST_NOTHING");
  g_test_init (argc, argv, NULL);
  make_included_files ();
}

int
ssh_config_test_run (void)
{
  int status = g_test_run ();

  tsr_test_folder_free (ssh_config_test_home);
  return status;
}

char *
ssh_config_test_dup_file (void)
{
  return g_build_filename (ssh_config_test_home, "tested", NULL);
}

TsrSshConfig *
ssh_config_test_load (const char *text, gssize length, TsrDiagnostics *diagnostics)
{
  g_autofree char *file = ssh_config_test_dup_file ();

  tsr_test_write (ssh_config_test_home, "tested", text, length);
  return tsr_ssh_config_load (file, "/dev/null", diagnostics);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tests of ssh_config share: a home folder of their own with files to include in its .ssh
 * (inc1, inc2, deep1, deep2, self), and a configuration from a text. */

#pragma once

#include "tsr-ssh-config.h"
#include "tsr-test.h"

G_BEGIN_DECLS

extern char *ssh_config_test_home;

/* Before anybody asks for the home folder. */
void ssh_config_test_init (int *argc, char ***argv);
/* g_test_run(), and the home folder is gone. */
int ssh_config_test_run (void);

/* (transfer full): the path of the file that the last configuration was loaded from. */
char *ssh_config_test_dup_file (void);
/* (transfer full): from @length bytes (-1: a string) as the user's file, and none of the system. */
TsrSshConfig *ssh_config_test_load (const char *text, gssize length, TsrDiagnostics *diagnostics);

G_END_DECLS

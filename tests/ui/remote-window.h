/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tests of reports behind ssh share: an application with a home folder of its own, whose
 * ~/.ssh is that of a world of test servers, windows, and answers to dialogs. */

#pragma once

#include "ssh-fixture.h"
#include "tsr-open-dialog.h"
#include "window-test.h"

#include <string.h>

G_BEGIN_DECLS

/* Makes the home folder and the application; before any other call. */
void remote_window_init (int *argc, char ***argv);
/* g_test_run(), and all is gone. */
int remote_window_run (void);

/* (transfer full) (nullable): a world whose ssh_config is the user's from now on. */
SshWorld *remote_window_new_world (void);
/* (transfer full): a folder "reports" of the world's user with a report "training" of a preset of
 * tessera-make-report in it. */
char *remote_window_add_report (SshWorld *world, const char *preset);
/* (transfer full): "ssh://tester@127.0.0.1:PORT" and @path. */
char *remote_window_dup_location (SshServer *server, const char *path);

const char *remote_window_get_bar (TsrWindow *window, const char *key);

/* Waits for a dialog whose texts contain @part, types @answer (NULL: nothing) and responds. */
void remote_window_answer (const char *part, const char *answer, const char *response);
/* (transfer none) (nullable): the dialog that asks. */
TsrQuestionDialog *remote_window_get_question (void);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tests of whole windows share: an application that is no other's, and its windows. */

#pragma once

#include "tsr-application.h"
#include "tsr-ui-test.h"
#include "tsr-window.h"

G_BEGIN_DECLS

/* Makes the application; before any other call. */
void window_test_init (int *argc, char ***argv);
/* g_test_run(), and the application is gone. */
int window_test_run (void);
TsrApplication *window_test_get_application (void);

TsrWindow *window_test_new (void);
void window_test_close (TsrWindow *window);
gboolean window_test_is (TsrWindow *window, const char *state);
/* The list of recent reports is empty. */
void window_test_forget_recents (void);

G_END_DECLS

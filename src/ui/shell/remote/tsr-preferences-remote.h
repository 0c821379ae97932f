/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preferences of reports behind ssh: keys, agent and what is kept on this computer. */

#pragma once

#include "tsr-application.h"

G_BEGIN_DECLS

/* (transfer floating): a group for the window of preferences.  The cache is looked at in workers.
 */
GtkWidget *tsr_preferences_remote_new (TsrApplication *application);

G_END_DECLS

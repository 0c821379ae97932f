/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The open dialog: a tab for this machine and one for hosts behind ssh.  Signal "chosen" (location
 * as a bytestring GVariant: a path, or "ssh://..."): the user wants that folder or file; then it
 * closes. */

#pragma once

#include "tsr-application.h"
#include "tsr-remote-tab.h"

G_BEGIN_DECLS

#define TSR_TYPE_OPEN_DIALOG (tsr_open_dialog_get_type ())
G_DECLARE_FINAL_TYPE (TsrOpenDialog, tsr_open_dialog, TSR, OPEN_DIALOG, AdwWindow)

TsrOpenDialog *tsr_open_dialog_new (GtkWindow *parent, TsrApplication *application);

/* Goes to the remote tab; with @location (nullable) its host stands in the fields, and @error
 * (nullable), what went wrong with it, above them. */
void tsr_open_dialog_show_remote (TsrOpenDialog *self, const char *location, const GError *error);

/* Goes to where @location, a report's, lies, on this machine or another one, and selects it. */
void tsr_open_dialog_show_beside (TsrOpenDialog *self, const char *location);
/* (transfer none): of this machine; of others. */
TsrFolderBrowser *tsr_open_dialog_get_local (TsrOpenDialog *self);
TsrRemoteTab *tsr_open_dialog_get_remote (TsrOpenDialog *self);

G_END_DECLS

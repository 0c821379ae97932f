/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The open dialog: a tab for this machine and one for hosts behind ssh.  Signal "chosen" (location
 * as a bytestring GVariant: a path, or "ssh://..."): the user wants that folder or file; then it
 * closes. */

#pragma once

#include "tsr-folder-browser.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define TSR_TYPE_OPEN_DIALOG (tsr_open_dialog_get_type ())
G_DECLARE_FINAL_TYPE (TsrOpenDialog, tsr_open_dialog, TSR, OPEN_DIALOG, AdwWindow)

TsrOpenDialog *tsr_open_dialog_new (GtkWindow *parent, TsrSettings *settings);

/* (transfer none): of this machine. */
TsrFolderBrowser *tsr_open_dialog_get_local (TsrOpenDialog *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The open dialog: path entry with completion, folder list, the system's own chooser.  Signal
 * "chosen" (path as a bytestring GVariant): the user wants that folder or file. */

#pragma once

#include "tsr-folder-model.h"
#include "tsr-settings.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define TSR_TYPE_OPEN_DIALOG (tsr_open_dialog_get_type ())
G_DECLARE_FINAL_TYPE (TsrOpenDialog, tsr_open_dialog, TSR, OPEN_DIALOG, AdwWindow)

TsrOpenDialog *tsr_open_dialog_new (GtkWindow *parent, TsrPlace *place, TsrSettings *settings);

/* Shows @path in the list; what Enter, Backspace and typing do, for the keys and for tests. */
void tsr_open_dialog_go_to (TsrOpenDialog *self, const char *path);
void tsr_open_dialog_go_up (TsrOpenDialog *self);
void tsr_open_dialog_type (TsrOpenDialog *self, const char *text);
/* As Enter in the entry. */
void tsr_open_dialog_accept (TsrOpenDialog *self);
TsrFolderModel *tsr_open_dialog_get_folder (TsrOpenDialog *self);
TsrFolderModel *tsr_open_dialog_get_completion (TsrOpenDialog *self);
const char *tsr_open_dialog_get_text (TsrOpenDialog *self);
/* (transfer none) (nullable): the message under the entry while it is shown. */
const char *tsr_open_dialog_get_message (TsrOpenDialog *self);

G_END_DECLS

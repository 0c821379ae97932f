/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Folders of one place to choose a report from: path entry with completion, folder list, order and
 * hidden files; on this machine also the system's own chooser.  Signal "chosen" (path in the place
 * as a bytestring GVariant): the user wants that folder or file.  The place is asked in workers
 * only. */

#pragma once

#include "tsr-folder-model.h"
#include "tsr-settings.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_FOLDER_BROWSER (tsr_folder_browser_get_type ())
G_DECLARE_FINAL_TYPE (TsrFolderBrowser, tsr_folder_browser, TSR, FOLDER_BROWSER, GtkWidget)

/* @home: absolute path of what "~" means in @place.  Shows nothing until tsr_folder_browser_go_to.
 */
TsrFolderBrowser *tsr_folder_browser_new (TsrPlace *place, const char *home, TsrSettings *settings);

/* Shows @path in the list; what Enter, Backspace and typing do, for the keys and for tests. */
void tsr_folder_browser_go_to (TsrFolderBrowser *self, const char *path);
/* The folder that @path lies in, with @path selected. */
void tsr_folder_browser_go_above (TsrFolderBrowser *self, const char *path);
void tsr_folder_browser_go_up (TsrFolderBrowser *self);
void tsr_folder_browser_go_home (TsrFolderBrowser *self);
void tsr_folder_browser_type (TsrFolderBrowser *self, const char *text);
/* As Enter in the entry; and as a button "Open": what is typed, else selected, else the folder. */
void tsr_folder_browser_accept (TsrFolderBrowser *self);
void tsr_folder_browser_open (TsrFolderBrowser *self);
/* As Enter or a double click on the row of the list. */
void tsr_folder_browser_activate (TsrFolderBrowser *self, guint position);

TsrFolderModel *tsr_folder_browser_get_folder (TsrFolderBrowser *self);
TsrFolderModel *tsr_folder_browser_get_completion (TsrFolderBrowser *self);
const char *tsr_folder_browser_get_text (TsrFolderBrowser *self);
/* (transfer none) (nullable): the message under the entry while it is shown. */
const char *tsr_folder_browser_get_message (TsrFolderBrowser *self);
/* Selects the row and scrolls to it. */
void tsr_folder_browser_select_position (TsrFolderBrowser *self, guint position);
TsrFolderItem *tsr_folder_browser_get_selected (TsrFolderBrowser *self); /* (nullable) */

G_END_DECLS

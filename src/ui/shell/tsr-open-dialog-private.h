/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrOpenDialog, shared by its files. */

#pragma once

#include "tsr-open-dialog.h"

G_BEGIN_DECLS

struct _TsrOpenDialog
{
  AdwWindow parent_instance;

  GtkEntry *entry;
  GtkLabel *message, *placeholder;
  GtkToggleButton *by_name, *by_date;
  GtkCheckButton *hidden;
  GtkListView *list;
  GtkWidget *open_button;

  TsrPlace *place;
  TsrSettings *settings;
  TsrFolderModel *folder, *completion;
  GtkSingleSelection *selection, *completion_selection; /* owned by the lists */
  GtkWidget *drop_down;
  GtkListView *drop_down_list;
  GtkNativeDialog *chooser;
  char *came_from; /* name to select when the folder is there: the one we went up from */
  gboolean setting_text;
  gboolean was_listed;
  gboolean follows; /* the list shows the folder that is being typed; nobody went there yet */
  guint placeholder_timeout;
};

/* @text (nullable): none. */
void tsr_open_dialog_show_message (TsrOpenDialog *self, const char *text, gboolean is_error);
/* The dialog's answer: emits "chosen" and closes. */
void tsr_open_dialog_choose (TsrOpenDialog *self, const char *path);
/* (transfer full) */
char *
tsr_open_dialog_dup_item_path (TsrOpenDialog *self, TsrFolderModel *model, TsrFolderItem *item);
const char *tsr_open_dialog_icon_of (TsrFolderItem *item);
void tsr_open_dialog_select_position (TsrOpenDialog *self, guint position);

/* The entry and the drop-down under it. */
void tsr_open_dialog_init_entry (TsrOpenDialog *self);
/* Shows @path in the entry, with a slash at its end or not, without completing it. */
void tsr_open_dialog_set_text (TsrOpenDialog *self, const char *path, gboolean slash);
void tsr_open_dialog_hide_drop_down (TsrOpenDialog *self);

G_END_DECLS

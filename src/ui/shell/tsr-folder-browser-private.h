/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrFolderBrowser, shared by its files. */

#pragma once

#include "tsr-folder-browser.h"

G_BEGIN_DECLS

struct _TsrFolderBrowser
{
  GtkWidget parent_instance;

  GtkEntry *entry;
  GtkLabel *message, *placeholder;
  GtkToggleButton *by_name, *by_date;
  GtkCheckButton *hidden;
  GtkListView *list;
  GtkWidget *browse_button;

  TsrPlace *place;
  char *home;
  GCancellable *cancellable; /* (nullable): of what is being accepted */
  TsrSettings *settings;
  TsrFolderModel *folder, *completion;
  GtkSingleSelection *selection, *completion_selection; /* owned by the lists */
  GtkWidget *drop_down;
  GtkListView *drop_down_list;
  GtkNativeDialog *chooser;
  GHashTable *bound; /* GtkListItem: rows of the list that show an entry */
  char *came_from;   /* name to select when the folder is there: the one we went up from */
  gboolean setting_text;
  gboolean was_listed;
  gboolean follows; /* the list shows the folder that is being typed; nobody went there yet */
  guint placeholder_timeout;
};

/* @text (nullable): none. */
void tsr_folder_browser_show_message (TsrFolderBrowser *self, const char *text, gboolean is_error);
/* The answer: emits "chosen". */
void tsr_folder_browser_choose (TsrFolderBrowser *self, const char *path);
/* (transfer full) */
char *tsr_folder_browser_dup_item_path (TsrFolderBrowser *self,
                                        TsrFolderModel *model,
                                        TsrFolderItem *item);
const char *tsr_folder_browser_icon_of (TsrFolderItem *item);

/* The entry and the drop-down under it. */
void tsr_folder_browser_init_entry (TsrFolderBrowser *self);
/* Shows @path in the entry, with a slash at its end or not, without completing it. */
void tsr_folder_browser_set_text (TsrFolderBrowser *self, const char *path, gboolean slash);
void tsr_folder_browser_hide_drop_down (TsrFolderBrowser *self);
gboolean tsr_folder_browser_has_entry_focus (TsrFolderBrowser *self);

G_END_DECLS

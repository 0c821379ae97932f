/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A folder as a list for the open dialog: listed in a worker, folders first, by name or newest
 * first, hidden ones on demand, names that begin with a prefix.  Report files are marked at once,
 * folders that hold a report as soon as a worker has looked.  Works on any TsrPlace, for folders of
 * any size.  Main thread.
 *
 * Signals: "listed" (the folder is there, or "error" says why not), "marked" (some folders were
 * looked into: rows on screen should look again). */

#pragma once

#include "tsr-folder.h"
#include "tsr-report-files.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define TSR_TYPE_FOLDER_ITEM (tsr_folder_item_get_type ())
G_DECLARE_FINAL_TYPE (TsrFolderItem, tsr_folder_item, TSR, FOLDER_ITEM, GObject)

const char *tsr_folder_item_get_name (TsrFolderItem *self); /* any bytes */
gboolean tsr_folder_item_is_folder (TsrFolderItem *self);
/* A file that is part of a report, or a folder with a report in it. */
gboolean tsr_folder_item_is_report (TsrFolderItem *self);
gint64 tsr_folder_item_get_size (TsrFolderItem *self);
gint64 tsr_folder_item_get_mtime_us (TsrFolderItem *self);

#define TSR_TYPE_FOLDER_MODEL (tsr_folder_model_get_type ())
G_DECLARE_FINAL_TYPE (TsrFolderModel, tsr_folder_model, TSR, FOLDER_MODEL, GObject)

TsrFolderModel *tsr_folder_model_new (TsrPlace *place);

/* Starts listing @path; what was listed before stays until the answer is there.  Listing the same
 * folder again is not done unless @again. */
void tsr_folder_model_set_path (TsrFolderModel *self, const char *path, gboolean again);
const char *tsr_folder_model_get_path (TsrFolderModel *self); /* (nullable): that is listed */
gboolean tsr_folder_model_is_busy (TsrFolderModel *self);
const GError *
tsr_folder_model_get_error (TsrFolderModel *self); /* (nullable): of the last listing */
/* TRUE when the listed folder itself holds report files. */
gboolean tsr_folder_model_is_report (TsrFolderModel *self);

/* Position of an entry that is shown, by its name; G_MAXUINT: there is none. */
guint tsr_folder_model_find (TsrFolderModel *self, const char *name);

void tsr_folder_model_set_show_hidden (TsrFolderModel *self, gboolean show);
void tsr_folder_model_set_by_date (TsrFolderModel *self, gboolean by_date);
/* (nullable); hidden names are shown when it begins with a dot. */
void tsr_folder_model_set_prefix (TsrFolderModel *self, const char *prefix);
/* Look into folders for reports (not wanted for the completion). */
void tsr_folder_model_set_marking (TsrFolderModel *self, gboolean marking);

G_END_DECLS

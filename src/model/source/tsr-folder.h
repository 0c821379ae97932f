/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A place where report files lie: lists a folder and opens sources in it, local now,
 * remote later.  Paths are absolute, "/"-separated.  Synchronous; call it in a worker. */

#pragma once

#include "tsr-source.h"

G_BEGIN_DECLS

typedef struct
{
  char *name;  /* base name, any bytes */
  gint64 size; /* of what a link points to */
  gint64 mtime_us;
  gboolean is_folder;
  gboolean is_link;
  gboolean is_dangling; /* a link to nothing */
  gboolean is_readable;
} TsrFolderEntry;

void tsr_folder_entry_free (TsrFolderEntry *entry);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrFolderEntry, tsr_folder_entry_free)

#define TSR_TYPE_PLACE (tsr_place_get_type ())
G_DECLARE_DERIVABLE_TYPE (TsrPlace, tsr_place, TSR, PLACE, GObject)

struct _TsrPlaceClass
{
  GObjectClass parent_class;
  GPtrArray *(*list) (TsrPlace *self, const char *path, GCancellable *cancellable, GError **error);
  TsrFolderEntry *(*stat) (TsrPlace *self,
                           const char *path,
                           GCancellable *cancellable,
                           GError **error);
  TsrSource *(*open) (TsrPlace *self, const char *path, GCancellable *cancellable, GError **error);
  /* (nullable): TRUE when another program holds a lock to write @path; @process its number or 0. */
  gboolean (*find_writer) (TsrPlace *self, const char *path, gint64 *process);
  /* (nullable): the path without links; NULL when there is none. */
  char *(*resolve) (TsrPlace *self, const char *path);
  /* (nullable): how people and links write @path in this place; NULL: the path itself. */
  char *(*dup_location) (TsrPlace *self, const char *path);
};

/* (transfer full) (element-type TsrFolderEntry): sorted by name, without "." and "..". */
GPtrArray *
tsr_place_list (TsrPlace *self, const char *path, GCancellable *cancellable, GError **error);
/* (transfer full): follows links. G_IO_ERROR_NOT_FOUND when there is nothing; a dangling link is an
 * entry. */
TsrFolderEntry *
tsr_place_stat (TsrPlace *self, const char *path, GCancellable *cancellable, GError **error);
/* (transfer full) */
TsrSource *
tsr_place_open (TsrPlace *self, const char *path, GCancellable *cancellable, GError **error);

/* TRUE when another program is writing the database @path (SQLite's locks and those of its shared
 * memory file); never takes a lock itself.  FALSE also where it cannot be told. */
gboolean tsr_place_find_writer (TsrPlace *self, const char *path, gint64 *process);

/* (transfer full): @path without symbolic links, or @path where that cannot be told.  SQLite keeps
 * its journal beside the file, not beside a link to it. */
char *tsr_place_resolve (TsrPlace *self, const char *path);

/* (transfer full): @path as people, links and recents write it: itself on this machine, "ssh://..."
 * elsewhere. */
char *tsr_place_dup_location (TsrPlace *self, const char *path);
/* (transfer full): the same as UTF-8, for a sentence. */
char *tsr_place_dup_display_name (TsrPlace *self, const char *path);
/* FALSE on this machine: monitors, locks and the file manager know nothing of such a place. */
gboolean tsr_place_is_remote (TsrPlace *self);

/* (transfer full): this machine's file system. */
TsrPlace *tsr_local_place_new (void);

G_END_DECLS

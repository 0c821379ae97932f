/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A place that holds reports, local or remote: lists folders and opens files as sources.  Paths are
 * absolute and separated by "/".  Synchronous; call it in a worker. */

#pragma once

#include "tsr-source.h"

G_BEGIN_DECLS

typedef struct
{
  char *name;  /* base name, any bytes */
  gint64 size; /* of the target of a link */
  gint64 mtime_us;
  gboolean is_folder;
  gboolean is_link;
  gboolean is_dangling; /* a dangling link */
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
  /* (nullable): TRUE if another program holds a write lock on @path; @process is its id, or 0. */
  gboolean (*find_writer) (TsrPlace *self, const char *path, gint64 *process);
  /* (nullable): the path with links resolved; NULL if there is none. */
  char *(*resolve) (TsrPlace *self, const char *path);
  /* (nullable): how users and links write @path in this place; NULL: as the path itself. */
  char *(*dup_location) (TsrPlace *self, const char *path);
};

/* (transfer full) (element-type TsrFolderEntry): sorted by name, without "." and "..". */
GPtrArray *
tsr_place_list (TsrPlace *self, const char *path, GCancellable *cancellable, GError **error);
/* (transfer full): follows links.  G_IO_ERROR_NOT_FOUND if there is nothing; a dangling link is an
 * entry. */
TsrFolderEntry *
tsr_place_stat (TsrPlace *self, const char *path, GCancellable *cancellable, GError **error);
/* (transfer full) */
TsrSource *
tsr_place_open (TsrPlace *self, const char *path, GCancellable *cancellable, GError **error);

/* TRUE if another program is writing the database @path, by SQLite's locks on it and on its shared
 * memory file; never takes a lock itself.  FALSE also if this cannot be found out. */
gboolean tsr_place_find_writer (TsrPlace *self, const char *path, gint64 *process);

/* (transfer full): @path with symbolic links resolved, or @path itself if they cannot be.  SQLite
 * keeps its journal next to the file, not next to a link to it. */
char *tsr_place_resolve (TsrPlace *self, const char *path);

/* (transfer full): @path as users, links and the list of recent reports write it: unchanged on this
 * machine, "ssh://..." elsewhere. */
char *tsr_place_dup_location (TsrPlace *self, const char *path);
/* (transfer full): the same as UTF-8, for a sentence. */
char *tsr_place_dup_display_name (TsrPlace *self, const char *path);
/* FALSE for this machine.  Remote places have no file monitors, no locks, and no file manager. */
gboolean tsr_place_is_remote (TsrPlace *self);

/* (transfer full): this machine's file system. */
TsrPlace *tsr_local_place_new (void);

G_END_DECLS

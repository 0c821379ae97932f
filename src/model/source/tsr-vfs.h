/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A read-only SQLite VFS over sources.  A file has a name only while its source is registered.
 * Nothing is written, locked or looked for next to the file: journals and logs were dealt with
 * before the database is opened.  Only source/ includes this. */

#pragma once

#include "tsr-source.h"

G_BEGIN_DECLS

#define TSR_VFS_NAME "tessera"

/* (transfer full): the name under which SQLite finds @source until _unregister.  SQLite is told
 * @size, which may be more than the file has: reads beyond its end then fail.  Any thread. */
char *tsr_vfs_register (TsrSource *source, gint64 size);
void tsr_vfs_unregister (const char *name);

/* Reads stop when @cancellable (nullable) is cancelled.  The connection's thread. */
void tsr_vfs_set_cancellable (const char *name, GCancellable *cancellable);

/* The last error of a read of @source's registration @name, so that SQLITE_IOERR can say why.
 * (transfer full) (nullable) */
GError *tsr_vfs_steal_error (const char *name);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A read-only SQLite VFS over sources.  Files are found by a name that exists only while the source
 * is registered.  Nothing is written, locked or looked for beside the file: whoever opens a
 * database has dealt with journals and logs before.  Only source/ includes this. */

#pragma once

#include "tsr-source.h"

G_BEGIN_DECLS

#define TSR_VFS_NAME "tessera"

/* (transfer full): the name under which SQLite finds @source until _unregister. Any thread. */
char *tsr_vfs_register (TsrSource *source);
void tsr_vfs_unregister (const char *name);

/* The last error of a read of @source's registration @name, so that SQLITE_IOERR can say why.
 * (transfer full) (nullable) */
GError *tsr_vfs_steal_error (const char *name);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a statement on a user's file may do, and for how long: the authorizer, the limits, and a
 * check for views that would keep SQLite's parser busy forever.  Only source/ includes this. */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* What one statement may take. */
typedef struct
{
  gint64 operations; /* of SQLite's machine */
  gint64
      microseconds; /* of the thread's own time: waiting for a disk or a network does not count */
  gint64 memory;    /* bytes that it may pile up */
} TsrGuardAllowance;

/* More for each byte of the file: a scan takes some four operations a byte, a join without an index
 * over a small file is over in time, and an endless one is ended. */
TsrGuardAllowance tsr_guard_get_allowance (gint64 file_size);

/* Sets the limits for a file of @file_size bytes; forbids modules, triggers, writing and attaching.
 */
void tsr_guard_set_limits (sqlite3 *db, gint64 file_size);

/* (transfer full) (nullable): lower-case names of the views that must not be queried; NULL if there
 * are none. */
GHashTable *tsr_guard_find_unsafe_views (sqlite3 *db);

G_END_DECLS

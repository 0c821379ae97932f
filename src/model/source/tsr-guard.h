/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a statement on a user's file may do, and for how long: the authorizer, the limits, and a
 * check for views that would keep SQLite's parser busy forever.  Only source/ includes this. */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* Sets the limits for a file of @file_size bytes; forbids modules, triggers, writing and attaching.
 */
void tsr_guard_set_limits (sqlite3 *db, gint64 file_size);

/* (transfer full) (nullable): lower-case names of the views that must not be queried; NULL if there
 * are none. */
GHashTable *tsr_guard_find_unsafe_views (sqlite3 *db);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a statement on a user's file may do, and for how long: the authorizer, the limits, and views
 * that would keep SQLite's parser busy for ever.  Only source/ includes this. */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* Limits for a file of @file_size bytes; no modules, no triggers, no writing, no attaching. */
void tsr_guard_set_limits (sqlite3 *db, gint64 file_size);

/* (transfer full) (nullable): lower-case names of the views that must not be asked for anything;
 * NULL when there are none. */
GHashTable *tsr_guard_find_unsafe_views (sqlite3 *db);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SQL that makes numbers of a report odd, drawn by a number. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full): what makes numbers of a report unknown, equal, nothing, twice as much or
 * negative, here and there: the same ones for the same @seed. */
char *drawn_sql_new (guint seed);

/* (transfer full) (nullable): what gives rows from all over the @i th column of numbers the largest
 * number and one, numbers at which others begin, and none; behind the last column, what takes away
 * a table.  *what is its name.  NULL behind the last one. */
char *edge_sql_new (guint i, char **what);

G_END_DECLS

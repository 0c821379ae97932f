/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A growing column of 64-bit integers, the usual form of a table's column in memory.  A value that
 * is NULL in the file is TSR_UNKNOWN. Filled by one thread, immutable and shared afterwards. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 *values;
  gsize length;
  gsize capacity;
} TsrColumn;

void tsr_column_clear (TsrColumn *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrColumn, tsr_column_clear)

/* Makes room for @n more values; FALSE, with nothing changed, if there is not enough memory. */
gboolean tsr_column_reserve (TsrColumn *self, gsize n);
void tsr_column_append (TsrColumn *self, gint64 value);

/* Room for @n values of @size bytes that stay where they are, freed with g_free(); NULL if there is
 * not enough memory.  The kernel is asked for huge pages where they are large: what is looked up
 * here and there in hundreds of megabytes otherwise waits for the tables of pages. */
gpointer tsr_column_try_alloc (gsize n, gsize size);
/* The same; without memory the program ends, as with g_malloc(). */
gpointer tsr_column_alloc (gsize n, gsize size);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A large table read by two threads, each with a connection of its own and half of the rowids, into
 * columns that both write to (measured: 0.55 of the time of one).  The columns are made for as many
 * rows as there are rowids, the second thread writes from the middle on, and what was not needed is
 * cut off:
 *
 *   room:     |<------ lower half ------>|<------ upper half ------>|
 *   filled:   |xxxxxxxxxxxxxxxxxxxx      |yyyyyyyyyyyyyyyyyy        |
 *   result:   |xxxxxxxxxxxxxxxxxxxxyyyyyyyyyyyyyyyyyy|
 *
 * Rowids that are spread too far for that, and rows without any, are read by one thread into
 * columns that grow.  Either way there is never room for more rows than the file has bytes for.
 * Only tsr-profile-*.c include this. */

#pragma once

#include "tsr-profile-rows.h"

G_BEGIN_DECLS

/* A column in a struct of columns: where the pointer to its values stands, and their size. */
typedef struct
{
  gsize at;
  gsize width;
} TsrPartColumn;

/* Of a table: its name, the columns that are read, and those that they become. */
typedef struct
{
  const char *name;
  const char *const *columns; /* NULL-terminated */
  const TsrPartColumn *places;
  guint n_places;
} TsrPartTable;

/* What one thread reads.  First member of what its reader needs. */
typedef struct
{
  TsrProfile *profile;
  const TsrPartTable *table;
  gpointer out;    /* struct with the columns, shared by both parts */
  gboolean ranged; /* rowids first .. last; else all rows */
  gint64 first, last;
  gsize from; /* its place in the columns, and how many rows there are places for */
  gsize room;
  gboolean grows;
  gsize n;          /* rows that were read */
  gint64 first_row; /* of a part that is not ranged: rowids are first_row + row ... */
  gboolean skips;   /* ... unless they skip some, or there are none */

  TsrProgress *progress;
  int *stop; /* atomic: another part has failed, or nobody wants more */
  gboolean ok;
  GError *error;
} TsrPart;

/* Reads all that there is of a part: a GThreadFunc. */
typedef gpointer (*TsrPartFunc) (gpointer part);

/* Shares the rowids out, makes room and runs @func for both parts, or for @lower alone; @upper's
 * profile is another connection then, whose diagnostics come after those of @lower whoever is
 * first.  @rows_for_two: fewer rowids are read by one thread; 0: what pays.  Adds the rows to
 * @progress.  FALSE and @error when either part failed. */
gboolean tsr_parts_read (TsrPart *lower,
                         TsrPart *upper,
                         guint rows_for_two,
                         const char *thread_name,
                         TsrPartFunc func,
                         GError **error);
/* Sets first and last rowid of @part; first > last when there is none.  FALSE and @error when they
 * cannot be read. */
gboolean tsr_part_read_ends (TsrPart *part, GError **error);
/* Opens the rows of @part. */
gboolean tsr_part_open (TsrPart *part, TsrProfileRows *rows);
/* Makes room for one more row; @grew (nullable) says whether columns have moved.  FALSE when there
 * is none, with an error, or when @part was stopped. */
gboolean tsr_part_make_room (TsrPart *part, gboolean *grew);
/* Notes the rowid of the row that @rows is at, for tsr_parts_get_first_row. */
static inline void
tsr_part_note_row (TsrPart *part, TsrProfileRows *rows)
{
  gint64 row;

  if (part->ranged || part->skips)
    return;
  row = tsr_profile_rows_get_rowid (rows);
  if (part->n == 0)
    part->first_row = row;
  part->skips = row == TSR_UNKNOWN || (guint64)row != (guint64)part->first_row + part->n;
}
/* Rowids are this + row, over both parts; TSR_NO_ROW when they do not count on. */
gint64 tsr_parts_get_first_row (const TsrPart *lower, const TsrPart *upper);

/* Puts the upper part's rows behind the lower part's and cuts off what was not needed. */
gboolean tsr_parts_join (TsrPart *lower, TsrPart *upper, GError **error);

/* FALSE when there is no memory; the columns are as they were then, or some of them larger. */
gboolean tsr_part_set_room (const TsrPartTable *table, gpointer out, gsize room);
/* Puts row @at of @from in the place @to of @out. */
void
tsr_part_copy_row (const TsrPartTable *table, gpointer out, gsize to, gconstpointer from, gsize at);
void tsr_part_free_columns (const TsrPartTable *table, gpointer out);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads a large table with two threads, each with its own connection and half of the rowids
 * (measured: 0.55 of the time of one thread).  Both write into columns with room for as many rows
 * as there are rowids, the second thread from the middle on; unused room is then cut off:
 *
 *   room:     |<------ lower half ------>|<------ upper half ------>|
 *   filled:   |xxxxxxxxxxxxxxxxxxxx      |yyyyyyyyyyyyyyyyyy        |
 *   result:   |xxxxxxxxxxxxxxxxxxxxyyyyyyyyyyyyyyyyyy|
 *
 * Rows that are stored in the order of a key are split at the middle of its values.  How many rows
 * are on either side is not known, so each thread fills growing columns of its own, and the second
 * thread's are appended to the first one's, column by column.
 *
 * If rowids are too sparse, or rows have no order, one thread reads them into growing columns.
 * There is never more room than for the rows that the file can contain.  Only tsr-profile-*.c
 * include this. */

#pragma once

#include "tsr-profile-cursor.h"

G_BEGIN_DECLS

/* A column in a struct of columns: the offset of the pointer to its values, and their size. */
typedef struct
{
  gsize at;
  gsize width;
} TsrPartColumn;

/* A table: its name, the columns to read, and the columns that they become. */
typedef struct
{
  const char *name;
  const char *const *columns; /* NULL-terminated */
  const TsrPartColumn *places;
  guint n_places;
  gsize size; /* of the struct of columns */
} TsrPartTable;

typedef enum
{
  TSR_PART_ALL,
  TSR_PART_ROWIDS, /* rowids first .. last */
  TSR_PART_UP_TO,  /* the first column is at most last */
  TSR_PART_ABOVE,  /* the first column is above first */
} TsrPartRange;

typedef struct _TsrPart TsrPart;
/* Reads the rows of a part, which are open.  FALSE if it failed, with an error, or was stopped. */
typedef gboolean (*TsrPartReadFunc) (TsrPart *part, TsrProfileCursor *rows);

/* What one thread reads.  The first member of each reader's own struct. */
struct _TsrPart
{
  TsrPartReadFunc read;
  TsrProfile *profile;
  const TsrPartTable *table;
  gpointer out; /* struct with the columns; that of the upper part may be its own */
  gboolean is_upper;
  TsrPartRange range;
  gint64 first, last;
  gsize from; /* where its rows begin in the columns, and how many fit */
  gsize room;
  gboolean grows;
  gsize n;          /* rows that were read */
  gint64 first_row; /* of all rows: rowids are first_row + row ... */
  gboolean skips;   /* ... unless some are missing, or there are none */

  TsrProgress *progress;
  int *stop; /* atomic: another part has failed, or no more is wanted */
  gboolean ok;
  GError *error;
};

/* Splits the rows, makes room and runs both parts, or @lower alone.  @upper's profile is another
 * connection; its diagnostics come after those of @lower, whichever thread is first.
 * @rows_for_two: fewer rowids (or values of a key) are read by one thread; 0: the default.  Adds
 * the rows to the progress of the parts.  FALSE and @error when either part failed. */
gboolean tsr_profile_parts_read (
    TsrPart *lower, TsrPart *upper, guint rows_for_two, const char *thread_name, GError **error);
/* Opens the rows of a part and reads them; sets ok, or stop if it failed. */
void tsr_part_run (TsrPart *part);
/* Sets the first and the last rowid of @part, or the first and the last integer of the key by which
 * its rows are stored; first > last if there is neither.  FALSE and @error when they cannot be
 * read. */
gboolean tsr_part_read_ends (TsrPart *part, GError **error);
/* Makes room for one more row; @grew (nullable) says whether columns have moved.  FALSE if there is
 * no memory, with an error, or if @part was stopped. */
gboolean tsr_part_make_room (TsrPart *part, gboolean *grew);
/* Notes the rowid of the row that @rows is at, for tsr_profile_parts_get_first_row. */
static inline void
tsr_part_note_row (TsrPart *part, TsrProfileCursor *rows)
{
  gint64 row;

  if (part->range != TSR_PART_ALL || part->skips)
    return;
  row = tsr_profile_cursor_get_rowid (rows);
  if (part->n == 0)
    part->first_row = row;
  part->skips = row == TSR_UNKNOWN || (guint64)row != (guint64)part->first_row + part->n;
}
/* Rowids are this + row, over both parts; TSR_NO_ROW if they are not consecutive or there are none.
 */
gint64 tsr_profile_parts_get_first_row (const TsrPart *lower, const TsrPart *upper);

/* Moves the upper part's rows behind the lower part's and cuts off unused room. */
gboolean tsr_profile_parts_join (TsrPart *lower, TsrPart *upper, GError **error);
/* Frees the columns of a part. */
void tsr_part_clear (TsrPart *part);

/* FALSE if there is no memory; the columns are then unchanged, or some of them larger. */
gboolean tsr_part_set_room (const TsrPartTable *table, gpointer out, gsize room);
/* Copies row @at of @from to the place @to of @out. */
void
tsr_part_copy_row (const TsrPartTable *table, gpointer out, gsize to, gconstpointer from, gsize at);
void tsr_part_free_columns (const TsrPartTable *table, gpointer out);

G_END_DECLS

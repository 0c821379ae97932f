/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A large table read by two threads, each with a connection of its own and half of the rowids
 * (measured: 0.55 of the time of one).  Both write into columns that are made for as many rows as
 * there are rowids, the second thread from the middle on; what was not needed is cut off:
 *
 *   room:     |<------ lower half ------>|<------ upper half ------>|
 *   filled:   |xxxxxxxxxxxxxxxxxxxx      |yyyyyyyyyyyyyyyyyy        |
 *   result:   |xxxxxxxxxxxxxxxxxxxxyyyyyyyyyyyyyyyyyy|
 *
 * Rows that stand in the order of a key instead are shared out by the middle of its values; how
 * many there are on either side is not known, so each thread has columns of its own, which grow,
 * and the second one's are put behind the first one's, one column after the other.
 *
 * Rowids that are spread too far, and rows without any order, are read by one thread into columns
 * that grow.  Either way there is never room for more rows than the file has bytes for.  Only
 * tsr-profile-*.c include this. */

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
/* Reads the rows of a part, which are open.  FALSE: it failed, with an error, or was stopped. */
typedef gboolean (*TsrPartReadFunc) (TsrPart *part, TsrProfileRows *rows);

/* What one thread reads.  First member of what its reader needs. */
struct _TsrPart
{
  TsrPartReadFunc read;
  TsrProfile *profile;
  const TsrPartTable *table;
  gpointer out; /* struct with the columns; that of the upper part may be its own */
  gboolean is_upper;
  TsrPartRange range;
  gint64 first, last;
  gsize from; /* its place in the columns, and how many rows there are places for */
  gsize room;
  gboolean grows;
  gsize n;          /* rows that were read */
  gint64 first_row; /* of all rows: rowids are first_row + row ... */
  gboolean skips;   /* ... unless they skip some, or there are none */

  TsrProgress *progress;
  int *stop; /* atomic: another part has failed, or nobody wants more */
  gboolean ok;
  GError *error;
};

/* Shares the rows out, makes room and runs both parts, or @lower alone; @upper's
 * profile is another connection then, whose diagnostics come after those of @lower whoever is
 * first.  @rows_for_two: fewer rowids (or values of a key) are read by one thread; 0: what pays.
 * Adds the rows to the progress of the parts.  FALSE and @error when either part failed. */
gboolean tsr_parts_read (
    TsrPart *lower, TsrPart *upper, guint rows_for_two, const char *thread_name, GError **error);
/* Opens the rows of a part and reads them; sets ok, and stop when it is not. */
void tsr_part_run (TsrPart *part);
/* Sets first and last rowid of @part, or first and last integer of the key that its rows stand by;
 * first > last when there is neither.  FALSE and @error when they cannot be read. */
gboolean tsr_part_read_ends (TsrPart *part, GError **error);
/* Makes room for one more row; @grew (nullable) says whether columns have moved.  FALSE when there
 * is none, with an error, or when @part was stopped. */
gboolean tsr_part_make_room (TsrPart *part, gboolean *grew);
/* Notes the rowid of the row that @rows is at, for tsr_parts_get_first_row. */
static inline void
tsr_part_note_row (TsrPart *part, TsrProfileRows *rows)
{
  gint64 row;

  if (part->range != TSR_PART_ALL || part->skips)
    return;
  row = tsr_profile_rows_get_rowid (rows);
  if (part->n == 0)
    part->first_row = row;
  part->skips = row == TSR_UNKNOWN || (guint64)row != (guint64)part->first_row + part->n;
}
/* Rowids are this + row, over both parts; TSR_NO_ROW when they do not count on or there are none.
 */
gint64 tsr_parts_get_first_row (const TsrPart *lower, const TsrPart *upper);

/* Puts the upper part's rows behind the lower part's and cuts off what was not needed. */
gboolean tsr_parts_join (TsrPart *lower, TsrPart *upper, GError **error);
/* What a part holds of its own. */
void tsr_part_clear (TsrPart *part);

/* FALSE when there is no memory; the columns are as they were then, or some of them larger. */
gboolean tsr_part_set_room (const TsrPartTable *table, gpointer out, gsize room);
/* Puts row @at of @from in the place @to of @out. */
void
tsr_part_copy_row (const TsrPartTable *table, gpointer out, gsize to, gconstpointer from, gsize at);
void tsr_part_free_columns (const TsrPartTable *table, gpointer out);

G_END_DECLS

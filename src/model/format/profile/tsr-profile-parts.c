/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads a table with two threads and joins the columns that they filled. */

#include "config.h"

#include "tsr-profile-parts.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Fewer rows are not worth a second connection: they are read in the time that it takes. */
#define ROWS_FOR_TWO 20000
/* Rowids that a file may have for each byte: a row takes at least five. */
#define BYTES_A_ROW 5
#define FIRST_ROOM  4096
/* Values of a key that are looked at for the number of rows. */
#define GUESS_KEYS 64
/* Rows between two looks at what the other thread came to. */
#define LOOK_EVERY 4096

/* ----------------------------------------------------------------- columns */

static gpointer
get_column (const TsrPartTable *table, gconstpointer out, guint i)
{
  gpointer column;

  memcpy (&column, (const guint8 *)out + table->places[i].at, sizeof column);
  return column;
}

static void
set_column (const TsrPartTable *table, gpointer out, guint i, gpointer column)
{
  memcpy ((guint8 *)out + table->places[i].at, &column, sizeof column);
}

gboolean
tsr_part_set_room (const TsrPartTable *table, gpointer out, gsize room)
{
  for (guint i = 0; i < table->n_places; i++)
    {
      gpointer larger
          = g_try_realloc_n (get_column (table, out, i), MAX (room, 1), table->places[i].width);

      if (larger == NULL)
        return FALSE;
      set_column (table, out, i, larger);
    }
  return TRUE;
}

void
tsr_part_copy_row (const TsrPartTable *table, gpointer out, gsize to, gconstpointer from, gsize at)
{
  for (guint i = 0; i < table->n_places; i++)
    {
      const gsize width = table->places[i].width;

      memcpy ((guint8 *)get_column (table, out, i) + to * width,
              (const guint8 *)get_column (table, from, i) + at * width, width);
    }
}

void
tsr_part_free_columns (const TsrPartTable *table, gpointer out)
{
  for (guint i = 0; i < table->n_places; i++)
    {
      g_free (get_column (table, out, i));
      set_column (table, out, i, NULL);
    }
}

/* -------------------------------------------------------------------- parts */

void
tsr_part_clear (TsrPart *part)
{
  if (part->is_upper && part->range == TSR_PART_ABOVE)
    {
      tsr_part_free_columns (part->table, part->out);
      g_clear_pointer (&part->out, g_free);
    }
  g_clear_error (&part->error);
}

static gboolean
open_rows (TsrPart *part, TsrProfileCursor *rows)
{
  const TsrPartTable *table = part->table;
  gboolean ok;

  switch (part->range)
    {
    case TSR_PART_ROWIDS:
      ok = tsr_profile_cursor_open_range (rows, part->profile, table->name, table->columns,
                                          part->first, part->last, &part->error);
      break;
    case TSR_PART_UP_TO:
    case TSR_PART_ABOVE:
      ok = tsr_profile_cursor_open_half (rows, part->profile, table->name, table->columns,
                                         part->range == TSR_PART_ABOVE ? part->first : part->last,
                                         part->range == TSR_PART_ABOVE, &part->error);
      break;
    case TSR_PART_ALL:
    default:
      ok = tsr_profile_cursor_open_all (rows, part->profile, table->name, table->columns,
                                        &part->error);
    }
  rows->progress = part->progress;
  return ok;
}

static gboolean
grow (TsrPart *part)
{
  gsize room = MAX (part->room * 2, FIRST_ROOM);

  if (part->n >= G_MAXUINT32 - 1 || !tsr_part_set_room (part->table, part->out, room))
    return !tsr_profile_fail_memory (part->profile, part->table->name, &part->error);
  part->room = room;
  return TRUE;
}

gboolean
tsr_part_make_room (TsrPart *part, gboolean *grew)
{
  gboolean full = part->n >= part->room;

  if (grew != NULL)
    *grew = full && part->grows;
  if (part->n % LOOK_EVERY == 0 && g_atomic_int_get (part->stop))
    return FALSE;
  if (!full)
    return TRUE;
  if (part->grows)
    return grow (part);
  g_set_error (&part->error, TSR_ERROR, TSR_ERROR_CORRUPT,
               _ ("%s, table %s: its rows are not in order; the file is damaged: copy it "
                  "again, or record the report again"),
               tsr_profile_get_file_name (part->profile), part->table->name);
  return FALSE;
}

void
tsr_part_run (TsrPart *part)
{
  g_auto (TsrProfileCursor) rows = { 0 };

  part->ok = open_rows (part, &rows) && part->read (part, &rows);
  if (!part->ok)
    g_atomic_int_set (part->stop, TRUE);
}

static gpointer
run (gpointer part)
{
  tsr_part_run (part);
  return NULL;
}

/* Runs the upper half in a thread of its own. */
static gboolean
run_two (TsrPart *lower, TsrPart *upper, const char *thread_name, GError **error)
{
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrProfile) again = tsr_profile_open_part (lower->profile, diagnostics, error);
  GThread *thread;

  if (again == NULL)
    return FALSE;
  upper->profile = again;
  thread = g_thread_try_new (thread_name, run, upper, NULL);
  tsr_part_run (lower);
  if (thread != NULL)
    g_thread_join (thread);
  else if (lower->ok)
    tsr_part_run (upper);
  upper->profile = lower->profile;
  tsr_diagnostics_merge (tsr_profile_get_diagnostics (lower->profile), diagnostics);
  return TRUE;
}

static gboolean
is_key (const TsrPart *part)
{
  return tsr_profile_is_key (part->profile, part->table->name, part->table->columns[0]);
}

/* One statement with both at once would look at every row. */
gboolean
tsr_part_read_ends (TsrPart *part, GError **error)
{
  const char *table = part->table->name;
  TsrDatabase *database = tsr_profile_get_database (part->profile);
  const char *by
      = is_key (part) ? part->table->columns[0] : tsr_profile_get_rowid (part->profile, table);
  g_autofree char *sql = NULL;
  sqlite3_stmt *statement;
  int status;

  part->last = -1;
  if (by == NULL)
    return TRUE;
  /* In a key there may be texts, which are above all integers. */
  sql = g_strdup_printf ("SELECT (SELECT min(%s) FROM \"%s\"), (SELECT max(%s) FROM \"%s\"%s%s%s)",
                         by, table, by, table, is_key (part) ? " WHERE " : "",
                         is_key (part) ? by : "", is_key (part) ? " < ''" : "");
  statement = tsr_database_prepare (database, table, sql, error);
  if (statement == NULL)
    return FALSE;
  status = sqlite3_step (statement);
  if (status == SQLITE_ROW && sqlite3_column_type (statement, 0) == SQLITE_INTEGER
      && sqlite3_column_type (statement, 1) == SQLITE_INTEGER)
    {
      part->first = sqlite3_column_int64 (statement, 0);
      part->last = sqlite3_column_int64 (statement, 1);
    }
  if (status != SQLITE_ROW)
    tsr_database_set_error (database, table, error);
  sqlite3_finalize (statement);
  return status == SQLITE_ROW;
}

static gboolean
share_out (TsrPart *lower, TsrPart *upper, gsize room, GError **error)
{
  if (!tsr_part_set_room (lower->table, lower->out, room))
    return !tsr_profile_fail_memory (lower->profile, lower->table->name, error);
  lower->range = upper->range = TSR_PART_ROWIDS;
  upper->last = lower->last;
  lower->room = room / 2;
  lower->last = lower->first + (gint64)lower->room - 1;
  upper->first = lower->last + 1;
  upper->from = lower->room;
  upper->room = room - lower->room;
  return TRUE;
}

/* Shares out by the middle of a key's values. */
static void
share_out_by_key (TsrPart *lower, TsrPart *upper)
{
  lower->range = TSR_PART_UP_TO;
  upper->range = TSR_PART_ABOVE;
  upper->last = lower->last;
  upper->first = lower->last
      = lower->first + (gint64)(((guint64)lower->last - (guint64)lower->first) / 2);
  upper->out = g_malloc0 (upper->table->size);
  lower->grows = upper->grows = TRUE;
}

/* A guess: as many rows for each value of the key as the first ones have. */
static guint64
guess_rows (TsrPart *part, guint64 span)
{
  const char *key = part->table->columns[0];
  const char *table = part->table->name;
  g_autofree char *sql
      = g_strdup_printf ("SELECT count(*) FROM (SELECT 1 FROM \"%s\" WHERE \"%s\" <= ?1 LIMIT %d)",
                         table, key, GUESS_KEYS * GUESS_KEYS);
  sqlite3_stmt *statement
      = tsr_database_prepare (tsr_profile_get_database (part->profile), table, sql, NULL);
  guint64 n = 0;

  if (statement == NULL)
    return 0;
  sqlite3_bind_int64 (statement, 1, part->first + GUESS_KEYS - 1);
  if (sqlite3_step (statement) == SQLITE_ROW)
    n = (guint64)sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return MIN (n * (span / GUESS_KEYS + 1),
              (guint64)tsr_profile_get_file_size (part->profile) / BYTES_A_ROW);
}

gboolean
tsr_profile_parts_read (
    TsrPart *lower, TsrPart *upper, guint rows_for_two, const char *thread_name, GError **error)
{
  int stop = FALSE;
  gint64 most = tsr_profile_get_file_size (lower->profile) / BYTES_A_ROW + 1;
  guint64 least = rows_for_two > 0 ? MAX (rows_for_two, 2) : ROWS_FOR_TWO;
  GError **first;
  guint64 span;

  lower->ok = upper->ok = TRUE;
  upper->is_upper = TRUE;
  if (!tsr_part_read_ends (lower, error))
    return FALSE;
  lower->stop = upper->stop = &stop;
  span = lower->first <= lower->last ? (guint64)lower->last - (guint64)lower->first + 1 : 0;
  if (is_key (lower) && span >= least && span < G_MAXUINT32)
    {
      tsr_progress_set_total (lower->progress, guess_rows (lower, span));
      share_out_by_key (lower, upper);
      if (!run_two (lower, upper, thread_name, error))
        return FALSE;
    }
  else if (!is_key (lower) && span >= least && span <= (guint64)most && span < G_MAXUINT32)
    {
      tsr_progress_set_total (lower->progress, span);
      if (!share_out (lower, upper, span, error) || !run_two (lower, upper, thread_name, error))
        return FALSE;
    }
  else
    {
      lower->grows = TRUE;
      tsr_part_run (lower);
      upper->from = lower->n;
    }
  lower->stop = upper->stop = NULL;
  first = lower->error != NULL ? &lower->error : &upper->error;
  if (*first == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (first));
  return FALSE;
}

gint64
tsr_profile_parts_get_first_row (const TsrPart *lower, const TsrPart *upper)
{
  if (lower->range == TSR_PART_ROWIDS)
    return lower->n == lower->room && upper->n == upper->room ? lower->first : TSR_NO_ROW;
  return lower->n > 0 && !lower->skips ? lower->first_row : TSR_NO_ROW;
}

/* Columns of its own: one after the other, so that hardly more than one of them is there twice. */
static gboolean
append_columns (TsrPart *lower, TsrPart *upper)
{
  const TsrPartTable *table = lower->table;
  const gsize n = lower->n + upper->n;

  for (guint i = 0; i < table->n_places; i++)
    {
      const gsize width = table->places[i].width;
      gpointer more = get_column (table, upper->out, i);
      guint8 *column = n < G_MAXUINT32
                           ? g_try_realloc_n (get_column (table, lower->out, i), MAX (n, 1), width)
                           : NULL;

      if (column == NULL)
        return FALSE;
      if (upper->n > 0)
        memcpy (column + lower->n * width, more, upper->n * width);
      set_column (table, lower->out, i, column);
      set_column (table, upper->out, i, NULL);
      g_free (more);
    }
  return TRUE;
}

gboolean
tsr_profile_parts_join (TsrPart *lower, TsrPart *upper, GError **error)
{
  const TsrPartTable *table = lower->table;
  gboolean ok;

  if (upper->range == TSR_PART_ABOVE)
    ok = append_columns (lower, upper);
  else
    {
      for (guint i = 0; i < table->n_places && upper->from != lower->n; i++)
        {
          const gsize width = table->places[i].width;
          guint8 *column = get_column (table, lower->out, i);

          memmove (column + lower->n * width, column + upper->from * width, upper->n * width);
        }
      ok = tsr_part_set_room (table, lower->out, lower->n + upper->n);
    }
  return ok || !tsr_profile_fail_memory (lower->profile, table->name, error);
}

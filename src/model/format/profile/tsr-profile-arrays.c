/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tile_arrays: the packed numbers for each tile that programs, compute sets and vertices refer to.
 */

#include "config.h"

#include "tsr-error.h"
#include "tsr-profile-cursor.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define TABLE        "tile_arrays"
#define CYCLES_TABLE "tile_cycles"

enum
{
  ENCODING_DENSE_32,
  ENCODING_DENSE_16,
  ENCODING_SPARSE, /* pairs of tile and value */
  ENCODING_SAME,   /* one value for all */
  N_ENCODINGS,
};

static guint32
read_le32 (const guint8 *bytes)
{
  return (guint32)bytes[0] | (guint32)bytes[1] << 8 | (guint32)bytes[2] << 16
         | (guint32)bytes[3] << 24;
}

/* (transfer full) (nullable): why @length bytes are not what @encoding needs for @n tiles. */
static char *
dup_length_mistake (gint64 encoding, gsize length, guint n)
{
  gsize wanted = encoding == ENCODING_DENSE_32   ? (gsize)n * 4
                 : encoding == ENCODING_DENSE_16 ? (gsize)n * 2
                                                 : 4;

  if (encoding != ENCODING_SPARSE)
    return length == wanted
               ? NULL
               : g_strdup_printf (_ ("the data have %zu bytes; %zu are expected for %u tiles"),
                                  length, wanted, n);
  if (length % 8 == 0 && length / 8 <= n)
    return NULL;
  return g_strdup_printf (
      _ ("the data have %zu bytes; pairs of 8 bytes for at most %u tiles are expected"), length, n);
}

/* What tsr_profile_check_tile_cycles has told is not told again. */
static void
report_array (TsrProfileCursor *rows, const char *code, const char *text)
{
  if (!tsr_diagnostics_has (tsr_profile_get_diagnostics (rows->profile), code, TABLE,
                            tsr_profile_cursor_get_row (rows)))
    tsr_profile_cursor_report (rows, TSR_SEVERITY_ERROR, code, "%s", text);
}

/* FALSE with a diagnostic when @length bytes are not what @encoding needs for @n tiles. */
static gboolean
check_length (TsrProfileCursor *rows, gint64 encoding, gsize length, guint n)
{
  g_autofree char *mistake = dup_length_mistake (encoding, length, n);

  if (mistake != NULL)
    report_array (rows, "array-length-wrong", mistake);
  return mistake == NULL;
}

static gboolean
decode_sparse (TsrProfileCursor *rows, const guint8 *bytes, gsize length, guint n, guint32 *values)
{
  gint64 last = -1;

  memset (values, 0, (gsize)n * sizeof *values);
  for (gsize at = 0; at < length; at += 8)
    {
      guint32 tile = read_le32 (bytes + at);

      if (tile >= n || (gint64)tile <= last)
        {
          tsr_profile_cursor_report (
              rows, TSR_SEVERITY_ERROR, "array-tile-wrong",
              tile >= n ? _ ("the data name tile %u, but there are %u tiles")
                        : _ ("the data name tile %u out of order; there are %u tiles"),
              tile, n);
          return FALSE;
        }
      values[tile] = read_le32 (bytes + at + 4);
      last = tile;
    }
  return TRUE;
}

static gboolean
decode (TsrProfileCursor *rows, gint64 encoding, guint n, guint32 *values)
{
  sqlite3_stmt *statement = rows->statement;
  const guint8 *bytes;
  gsize length;

  if (sqlite3_column_type (statement, rows->places[2]) != SQLITE_BLOB)
    {
      report_array (rows, "value-of-wrong-type",
                    _ ("data is not a BLOB, so the numbers for each tile are not known"));
      return FALSE;
    }
  bytes = sqlite3_column_blob (statement, rows->places[2]); /* NULL when empty */
  length = sqlite3_column_bytes (statement, rows->places[2]);
  if (!check_length (rows, encoding, length, n))
    return FALSE;
  switch (encoding)
    {
    case ENCODING_DENSE_32:
      for (guint i = 0; i < n; i++)
        values[i] = read_le32 (bytes + (gsize)i * 4);
      return TRUE;
    case ENCODING_DENSE_16:
      for (guint i = 0; i < n; i++)
        values[i] = (guint32)bytes[(gsize)i * 2] | (guint32)bytes[(gsize)i * 2 + 1] << 8;
      return TRUE;
    case ENCODING_SPARSE:
      return decode_sparse (rows, bytes, length, n, values);
    case ENCODING_SAME:
    default:
      for (guint i = 0; i < n; i++)
        values[i] = read_le32 (bytes);
      return TRUE;
    }
}

/* Numbers that do not add up to what the row says of them are not shown as right. */
static gboolean
check_totals (TsrProfileCursor *rows, guint n, const guint32 *values)
{
  gint64 told_total = tsr_profile_cursor_get_int (rows, 3, 0, G_MAXINT64);
  gint64 told_maximum = tsr_profile_cursor_get_int (rows, 4, 0, G_MAXUINT32);
  gint64 total = 0;
  gint64 maximum = 0;

  for (guint i = 0; i < n; i++)
    {
      total += values[i];
      maximum = MAX (maximum, values[i]);
    }
  if ((told_total == TSR_UNKNOWN || told_total == total)
      && (told_maximum == TSR_UNKNOWN || told_maximum == maximum))
    return TRUE;
  tsr_profile_cursor_report (rows, TSR_SEVERITY_ERROR, "array-total-differs",
                             _ ("the numbers have total %" PRId64 " and maximum %" PRId64
                                ", but the row says %" PRId64 " and %" PRId64),
                             total, maximum, told_total, told_maximum);
  return FALSE;
}

/* ---------------------------------------------------------- arrays that were read */

/* Programs and vertices refer to one array by the hundred, and looking it up in the file takes
 * fifty times as long as copying it. */
typedef struct
{
  gint64 id; /* first: the key */
  guint n;
  guint32 values[];
} KeptArray;

#define KEPT_VALUES (8u << 20) /* 32 MiB */

/* (transfer full): room for @n values of the array. */
static KeptArray *
kept_array_new (TsrProfile *self, gint64 id, guint n)
{
  GHashTable *arrays = tsr_profile_peek_kept_arrays (self);
  KeptArray *kept = g_malloc (sizeof *kept + (gsize)n * sizeof kept->values[0]);

  if ((g_hash_table_size (arrays) + 1) * (guint64)n > KEPT_VALUES)
    g_hash_table_remove_all (arrays);
  kept->id = id;
  kept->n = n;
  return kept;
}

gboolean
tsr_profile_peek_tile_array (
    TsrProfile *self, gint64 id, guint n, const guint32 **values, GError **error)
{
  static const char *const columns[] = { "id", "encoding", "data", "total", "maximum", NULL };
  g_auto (TsrProfileCursor) rows = { 0 };
  KeptArray *kept;
  gint64 encoding;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  g_return_val_if_fail (values != NULL, FALSE);
  kept = g_hash_table_lookup (tsr_profile_peek_kept_arrays (self), &id);
  *values = kept != NULL && kept->n == n ? kept->values : NULL;
  if (*values != NULL)
    return TRUE;
  if (!tsr_profile_cursor_open_where (&rows, self, TABLE, columns, id, error))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!tsr_profile_cursor_need (&rows, i))
      return TRUE;
  if (!tsr_profile_cursor_next (&rows, error))
    {
      if (!rows.failed
          && !tsr_diagnostics_has (tsr_profile_get_diagnostics (self), "reference-broken", TABLE,
                                   id))
        tsr_diagnostics_add (
            tsr_profile_get_diagnostics (self), TSR_SEVERITY_ERROR, "reference-broken",
            tsr_profile_get_file_name (self), TABLE, id, TSR_NO_ROW,
            _ ("there is no array %" PRId64 ", so the numbers for each tile are not known"), id);
      return !rows.failed;
    }
  encoding = tsr_profile_cursor_get_key (&rows, 1, 0, N_ENCODINGS - 1);
  if (encoding == TSR_UNKNOWN)
    return TRUE;
  kept = kept_array_new (self, id, n);
  if (decode (&rows, encoding, n, kept->values) && check_totals (&rows, n, kept->values))
    {
      *values = kept->values;
      g_hash_table_replace (tsr_profile_peek_kept_arrays (self), &kept->id, kept);
    }
  else
    g_free (kept);
  return TRUE;
}

gboolean
tsr_profile_read_tile_array (
    TsrProfile *self, gint64 id, guint n, guint32 *values, gboolean *found, GError **error)
{
  const guint32 *kept;

  g_return_val_if_fail (TSR_IS_PROFILE (self) && values != NULL && found != NULL, FALSE);
  if (!tsr_profile_peek_tile_array (self, id, n, &kept, error))
    return FALSE;
  *found = kept != NULL;
  if (*found)
    memcpy (values, kept, (gsize)n * sizeof *values);
  return TRUE;
}

/* ---------------------------------------------------------- sizes of arrays */

typedef struct
{
  TsrProfile *profile;
  guint n;
  GHashTable *told; /* ids of arrays */
  TsrDiagnosticTally tally;
} ArrayCheck;

/* Arrays that are wrong and known by name: the same one may be in many rows. */
#define MAX_TOLD 100000

static void
tell (ArrayCheck *self, gint64 id, const char *code, const char *text)
{
  if (g_hash_table_size (self->told) >= MAX_TOLD
      || !g_hash_table_add (self->told, g_memdup2 (&id, sizeof id))
      || !tsr_diagnostic_tally_count (&self->tally, TSR_SEVERITY_ERROR, code))
    return;
  tsr_diagnostics_add (tsr_profile_get_diagnostics (self->profile), TSR_SEVERITY_ERROR, code,
                       tsr_profile_get_file_name (self->profile), TABLE, id, TSR_NO_ROW, "%s",
                       text);
}

/* One array of the row that @statement stands at: @column has its id, the next ones what
 * tile_arrays says of it. */
static void
check_array (ArrayCheck *self, sqlite3_stmt *statement, int column)
{
  gint64 id = sqlite3_column_int64 (statement, column);
  gint64 encoding = sqlite3_column_int64 (statement, column + 2);
  g_autofree char *text = NULL;

  /* A value that is not a number is reported by the function that reads it. */
  if (sqlite3_column_type (statement, column) != SQLITE_INTEGER)
    return;
  if (sqlite3_column_type (statement, column + 1) == SQLITE_NULL)
    {
      text = g_strdup_printf (
          _ ("there is no array %" PRId64 ", so the numbers for each tile are not known"), id);
      tell (self, id, "reference-broken", text);
    }
  else if (sqlite3_column_type (statement, column + 3) != SQLITE_INTEGER)
    tell (self, id, "value-of-wrong-type",
          _ ("data is not a BLOB, so the numbers for each tile are not known"));
  else if (sqlite3_column_type (statement, column + 2) == SQLITE_INTEGER && encoding >= 0
           && encoding < N_ENCODINGS)
    {
      text = dup_length_mistake (encoding, (gsize)sqlite3_column_int64 (statement, column + 3),
                                 self->n);
      if (text != NULL)
        tell (self, id, "array-length-wrong", text);
    }
}

static gboolean
is_fatal (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
         || g_error_matches (error, TSR_ERROR, TSR_ERROR_CHANGED);
}

gboolean
tsr_profile_check_tile_cycles (TsrProfile *self, guint n, GError **error)
{
  /* One statement, so that it has one allowance of operations whatever the tables are. */
  static const char sql[]
      = "SELECT c.cycles_by_tile, a.id, a.encoding, iif (typeof (a.data) = 'blob', length "
        "(a.data), "
        "NULL), c.start_by_tile, b.id, b.encoding, iif (typeof (b.data) = 'blob', length (b.data), "
        "NULL) FROM " CYCLES_TABLE " c LEFT JOIN " TABLE
        " a ON a.id = c.cycles_by_tile LEFT JOIN " TABLE " b ON b.id = c.start_by_tile";
  static const char *const needed[][2] = { { CYCLES_TABLE, "cycles_by_tile" },
                                           { CYCLES_TABLE, "start_by_tile" },
                                           { TABLE, "id" },
                                           { TABLE, "encoding" },
                                           { TABLE, "data" } };
  g_autoptr (GHashTable) told = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  ArrayCheck check = { .profile = self, .n = n, .told = told };
  g_autoptr (GError) local_error = NULL;
  sqlite3_stmt *statement;
  int status;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    if (!tsr_profile_has_column (self, needed[i][0], needed[i][1]))
      return TRUE;
  if (n == 0 || tsr_profile_is_view (self, CYCLES_TABLE) || tsr_profile_is_view (self, TABLE))
    return TRUE;
  statement
      = tsr_database_prepare (tsr_profile_get_database (self), CYCLES_TABLE, sql, &local_error);
  if (statement == NULL)
    return TRUE; /* whoever reads an array says why */
  while ((status = sqlite3_step (statement)) == SQLITE_ROW)
    {
      check_array (&check, statement, 0);
      check_array (&check, statement, 4);
    }
  if (status != SQLITE_DONE)
    tsr_database_set_error (tsr_profile_get_database (self), CYCLES_TABLE, &local_error);
  sqlite3_finalize (statement);
  tsr_diagnostic_tally_flush (&check.tally, tsr_profile_get_diagnostics (self),
                              tsr_profile_get_file_name (self), TABLE);
  if (!is_fatal (local_error))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return (x > y) - (x < y);
}

/* Whole rows, not the index by sets: they are read for their arrays as well. */
GArray *
tsr_profile_dup_tile_sets (TsrProfile *self, GError **error)
{
  static const char sql[] = "SELECT set_id FROM " CYCLES_TABLE " NOT INDEXED";
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GError) local_error = NULL;
  sqlite3_stmt *statement;
  guint n = 0;
  int status;

  g_return_val_if_fail (TSR_IS_PROFILE (self), NULL);
  if (!tsr_profile_has_column (self, CYCLES_TABLE, "set_id"))
    return g_steal_pointer (&ids);
  /* Of a view there is no such statement. */
  statement
      = tsr_database_prepare (tsr_profile_get_database (self), CYCLES_TABLE, sql, &local_error);
  if (statement == NULL)
    return g_steal_pointer (&ids);
  while ((status = sqlite3_step (statement)) == SQLITE_ROW)
    {
      gint64 id = sqlite3_column_int64 (statement, 0);

      if (sqlite3_column_type (statement, 0) == SQLITE_INTEGER)
        g_array_append_val (ids, id);
    }
  if (status != SQLITE_DONE)
    tsr_database_set_error (tsr_profile_get_database (self), CYCLES_TABLE, &local_error);
  sqlite3_finalize (statement);
  if (is_fatal (local_error))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  /* A part says nothing about what is not in it. */
  if (local_error != NULL)
    g_array_set_size (ids, 0);
  g_array_sort (ids, compare_ids);
  for (guint i = 0; i < ids->len; i++)
    if (n == 0 || g_array_index (ids, gint64, i) != g_array_index (ids, gint64, n - 1))
      g_array_index (ids, gint64, n++) = g_array_index (ids, gint64, i);
  g_array_set_size (ids, n);
  return g_steal_pointer (&ids);
}

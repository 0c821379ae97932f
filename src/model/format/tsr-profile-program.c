/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs and compute sets, and the packed numbers for each tile that they refer to. */

#include "config.h"

#include "tsr-profile-rows.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* Ids are whatever the file has; only TSR_UNKNOWN is taken. */
#define LEAST_ID (G_MININT64 + 1)

static void
append_text (TsrProfileRows *rows, guint column, TsrStringTable *strings, GArray *to)
{
  gssize length;
  const char *text = tsr_profile_rows_peek_text (rows, column, &length);
  guint32 index = tsr_string_table_intern (strings, text, length);

  g_array_append_val (to, index);
}

/* --------------------------------------------------------------- programs */

void
tsr_program_rows_clear (TsrProgramRows *rows)
{
  g_clear_pointer (&rows->strings, tsr_string_table_free);
  tsr_column_clear (&rows->id);
  tsr_column_clear (&rows->compute_set);
  tsr_column_clear (&rows->repeat_count);
  tsr_column_clear (&rows->callee);
  g_clear_pointer (&rows->name, g_array_unref);
  g_clear_pointer (&rows->type, g_array_unref);
}

static GArray *
new_texts (void)
{
  return g_array_new (FALSE, FALSE, sizeof (guint32));
}

/* TRUE when @id was not there before; reports it when it was. */
static gboolean
is_new_id (TsrProfileRows *rows, GHashTable *seen, TsrColumn *ids, gint64 id)
{
  gint64 last = ids->length > 0 ? ids->values[ids->length - 1] : TSR_UNKNOWN;

  /* Ascending ids need no look: that is how a file keyed by id stands. */
  if (g_hash_table_size (seen) == 0 && id > last)
    return TRUE;
  if (g_hash_table_size (seen) == 0)
    for (gsize i = 0; i < ids->length; i++)
      g_hash_table_add (seen, g_memdup2 (&ids->values[i], sizeof (gint64)));
  if (g_hash_table_add (seen, g_memdup2 (&id, sizeof id)))
    return TRUE;
  tsr_profile_rows_report (rows, TSR_SEVERITY_ERROR, "id-repeated",
                           _ ("%s %" PRId64 " has another row; the first one counts"),
                           rows->columns[0], id);
  return FALSE;
}

static GHashTable *
new_id_set (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

gboolean
tsr_profile_read_programs (TsrProfile *self, TsrProgramRows *out, GError **error)
{
  static const char *const columns[]
      = { "id", "name", "type", "compute_set", "repeat_count", "callee", NULL };
  g_auto (TsrProfileRows) rows = { 0 };
  g_autoptr (GHashTable) seen = new_id_set ();

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  memset (out, 0, sizeof *out);
  out->strings = tsr_string_table_new ();
  out->name = new_texts ();
  out->type = new_texts ();
  if (!tsr_profile_rows_open (&rows, self, "programs", columns, error))
    return FALSE;
  if (!tsr_profile_rows_need (&rows, 0))
    return TRUE;
  while (tsr_profile_rows_next (&rows, error))
    {
      gint64 id = tsr_profile_rows_get_key (&rows, 0, LEAST_ID, G_MAXINT64);

      if (id == TSR_UNKNOWN || !is_new_id (&rows, seen, &out->id, id))
        continue;
      tsr_column_append (&out->id, id);
      append_text (&rows, 1, out->strings, out->name);
      append_text (&rows, 2, out->strings, out->type);
      tsr_column_append (&out->compute_set,
                         tsr_profile_rows_get_int (&rows, 3, LEAST_ID, G_MAXINT64));
      tsr_column_append (&out->repeat_count, tsr_profile_rows_get_int (&rows, 4, 0, G_MAXINT64));
      tsr_column_append (&out->callee, tsr_profile_rows_get_int (&rows, 5, LEAST_ID, G_MAXINT64));
    }
  return !rows.failed;
}

/* ----------------------------------------------------------- compute sets */

void
tsr_compute_set_rows_clear (TsrComputeSetRows *rows)
{
  g_clear_pointer (&rows->strings, tsr_string_table_free);
  tsr_column_clear (&rows->compute_set);
  g_clear_pointer (&rows->name, g_array_unref);
}

gboolean
tsr_profile_read_compute_sets (TsrProfile *self, TsrComputeSetRows *out, GError **error)
{
  static const char *const columns[] = { "compute_set", "name", NULL };
  g_auto (TsrProfileRows) rows = { 0 };
  g_autoptr (GHashTable) seen = new_id_set ();

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  memset (out, 0, sizeof *out);
  out->strings = tsr_string_table_new ();
  out->name = new_texts ();
  if (!tsr_profile_rows_open (&rows, self, "compute_sets", columns, error))
    return FALSE;
  if (!tsr_profile_rows_need (&rows, 0))
    return TRUE;
  while (tsr_profile_rows_next (&rows, error))
    {
      gint64 id = tsr_profile_rows_get_key (&rows, 0, LEAST_ID, G_MAXINT64);

      if (id == TSR_UNKNOWN || !is_new_id (&rows, seen, &out->compute_set, id))
        continue;
      tsr_column_append (&out->compute_set, id);
      append_text (&rows, 1, out->strings, out->name);
    }
  return !rows.failed;
}

/* ------------------------------------------------------------ tile arrays */

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

/* FALSE with a diagnostic when @length bytes are not what @encoding needs for @n tiles. */
static gboolean
check_length (TsrProfileRows *rows, gint64 encoding, gsize length, guint n)
{
  gsize wanted = encoding == ENCODING_DENSE_32   ? (gsize)n * 4
                 : encoding == ENCODING_DENSE_16 ? (gsize)n * 2
                                                 : 4;

  if (encoding == ENCODING_SPARSE)
    {
      if (length % 8 == 0 && length / 8 <= n)
        return TRUE;
      tsr_profile_rows_report (
          rows, TSR_SEVERITY_ERROR, "array-length-wrong",
          _ ("the data have %zu bytes; pairs of 8 bytes for at most %u tiles are expected"), length,
          n);
      return FALSE;
    }
  if (length == wanted)
    return TRUE;
  tsr_profile_rows_report (rows, TSR_SEVERITY_ERROR, "array-length-wrong",
                           _ ("the data have %zu bytes; %zu are expected for %u tiles"), length,
                           wanted, n);
  return FALSE;
}

static gboolean
decode_sparse (TsrProfileRows *rows, const guint8 *bytes, gsize length, guint n, guint32 *values)
{
  gint64 last = -1;

  memset (values, 0, (gsize)n * sizeof *values);
  for (gsize at = 0; at < length; at += 8)
    {
      guint32 tile = read_le32 (bytes + at);

      if (tile >= n || (gint64)tile <= last)
        {
          tsr_profile_rows_report (
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
decode (TsrProfileRows *rows, gint64 encoding, guint n, guint32 *values)
{
  sqlite3_stmt *statement = rows->statement;
  const guint8 *bytes;
  gsize length;

  if (sqlite3_column_type (statement, rows->places[2]) != SQLITE_BLOB)
    {
      tsr_profile_rows_report (rows, TSR_SEVERITY_ERROR, "value-of-wrong-type",
                               _ ("data is no BLOB, so the numbers for each tile are not known"));
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
check_totals (TsrProfileRows *rows, guint n, const guint32 *values)
{
  gint64 told_total = tsr_profile_rows_get_int (rows, 3, 0, G_MAXINT64);
  gint64 told_maximum = tsr_profile_rows_get_int (rows, 4, 0, G_MAXUINT32);
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
  tsr_profile_rows_report (rows, TSR_SEVERITY_ERROR, "array-total-differs",
                           _ ("the numbers have total %" PRId64 " and maximum %" PRId64
                              ", but the row says %" PRId64 " and %" PRId64),
                           total, maximum, told_total, told_maximum);
  return FALSE;
}

gboolean
tsr_profile_read_tile_array (
    TsrProfile *self, gint64 id, guint n, guint32 *values, gboolean *found, GError **error)
{
  static const char *const columns[] = { "id", "encoding", "data", "total", "maximum", NULL };
  g_auto (TsrProfileRows) rows = { 0 };
  gint64 encoding;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  g_return_val_if_fail (values != NULL, FALSE);
  *found = FALSE;
  if (!tsr_profile_rows_open_where (&rows, self, "tile_arrays", columns, id, error))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!tsr_profile_rows_need (&rows, i))
      return TRUE;
  if (!tsr_profile_rows_next (&rows, error))
    {
      if (!rows.failed)
        tsr_diagnostics_add (
            tsr_profile_get_diagnostics (self), TSR_SEVERITY_ERROR, "reference-broken",
            tsr_profile_get_file_name (self), "tile_arrays", id, TSR_NO_ROW,
            _ ("there is no array %" PRId64 ", so the numbers for each tile are not known"), id);
      return !rows.failed;
    }
  encoding = tsr_profile_rows_get_key (&rows, 1, 0, N_ENCODINGS - 1);
  *found = encoding != TSR_UNKNOWN && decode (&rows, encoding, n, values)
           && check_totals (&rows, n, values);
  return TRUE;
}

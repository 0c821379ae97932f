/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tile_arrays: the packed numbers for each tile that programs, compute sets and vertices refer to.
 */

#include "config.h"

#include "tsr-profile-rows.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

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

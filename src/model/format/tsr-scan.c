/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A statement over all rows of a table, without interpreting the values. */

#include "config.h"

#include "tsr-scan.h"

#include "tsr-profile-cursor.h"

#include <math.h>
#include <string.h>

struct _TsrScan
{
  TsrDatabase *database;
  sqlite3_stmt *statement;
  char *table;
  int *places; /* place in the result for each asked column, -1 when absent */
  guint n_columns;
  gboolean has_rowid;
  gboolean past_end;
  guint64 n_rows;
};

typedef enum
{
  RANGE_ALL,
  RANGE_ROWIDS,
  RANGE_KEYS, /* of the first column */
} Range;

static char *
dup_select (const char *table,
            const char *const *columns,
            const int *places,
            const char *rowid,
            Range range,
            gboolean view)
{
  GString *sql = g_string_new ("SELECT ");
  gboolean first = TRUE;

  if (rowid != NULL)
    {
      g_string_append (sql, rowid);
      first = FALSE;
    }
  for (guint i = 0; columns[i] != NULL; i++)
    if (places[i] >= 0)
      {
        g_string_append_printf (sql, "%s\"%s\"", first ? "" : ", ", columns[i]);
        first = FALSE;
      }
  /* Not by an index that has all the columns: its order is another one. */
  g_string_append_printf (sql, " FROM \"%s\"%s", table, view ? "" : " NOT INDEXED");
  if (range == RANGE_ROWIDS)
    g_string_append_printf (sql, " WHERE %s >= ?1 AND %s < ?2 ORDER BY %s", rowid, rowid, rowid);
  if (range == RANGE_KEYS)
    g_string_append_printf (sql, " WHERE \"%s\" >= ?1 AND \"%s\" < ?2 ORDER BY \"%s\"", columns[0],
                            columns[0], columns[0]);
  return g_string_free (sql, FALSE);
}

static gboolean
scan_prepare (
    TsrScan *self, TsrProfile *profile, const char *const *columns, Range range, GError **error)
{
  const char *rowid = tsr_profile_get_rowid (profile, self->table);
  g_autofree char *sql = NULL;

  if (range == RANGE_ROWIDS && rowid == NULL)
    rowid = "_rowid_"; /* of which SQLite says that there is none */
  self->has_rowid = range != RANGE_KEYS && rowid != NULL;
  sql = dup_select (self->table, columns, self->places, self->has_rowid ? rowid : NULL, range,
                    tsr_profile_is_view (profile, self->table));
  self->statement = tsr_database_prepare (self->database, self->table, sql, error);
  return self->statement != NULL;
}

static TsrScan *
scan_new (
    TsrProfile *profile, const char *table, const char *const *columns, Range range, GError **error)
{
  g_autoptr (TsrScan) self = NULL;
  int n_present = 0;

  g_return_val_if_fail (table != NULL && columns != NULL, NULL);
  if (!tsr_profile_has_table (profile, table))
    return NULL;

  self = g_new0 (TsrScan, 1);
  self->database = g_object_ref (tsr_profile_get_database (profile));
  self->table = g_strdup (table);
  self->n_columns = g_strv_length ((char **)columns);
  self->places = g_new (int, self->n_columns);
  for (guint i = 0; i < self->n_columns; i++)
    self->places[i] = tsr_profile_has_column (profile, table, columns[i]) ? n_present++ : -1;
  if (n_present == 0 || !scan_prepare (self, profile, columns, range, error))
    return NULL;

  if (self->has_rowid)
    for (guint i = 0; i < self->n_columns; i++)
      self->places[i] += self->places[i] >= 0 ? 1 : 0;
  return g_steal_pointer (&self);
}

TsrScan *
tsr_scan_new (TsrProfile *profile, const char *table, const char *const *columns, GError **error)
{
  g_return_val_if_fail (profile != NULL && table != NULL && columns != NULL, NULL);
  return scan_new (profile, table, columns, RANGE_ALL, error);
}

static TsrScan *
scan_new_between (TsrProfile *profile,
                  const char *table,
                  const char *const *columns,
                  Range range,
                  gint64 first,
                  gint64 end,
                  GError **error)
{
  TsrScan *self = scan_new (profile, table, columns, range, error);

  if (self != NULL)
    {
      sqlite3_bind_int64 (self->statement, 1, first);
      sqlite3_bind_int64 (self->statement, 2, end);
    }
  return self;
}

TsrScan *
tsr_scan_new_range (TsrProfile *profile,
                    const char *table,
                    const char *const *columns,
                    gint64 first,
                    gint64 end,
                    GError **error)
{
  g_return_val_if_fail (profile != NULL && table != NULL && columns != NULL, NULL);
  return scan_new_between (profile, table, columns, RANGE_ROWIDS, first, end, error);
}

TsrScan *
tsr_scan_new_keys (TsrProfile *profile,
                   const char *table,
                   const char *const *columns,
                   gint64 first,
                   gint64 end,
                   GError **error)
{
  g_return_val_if_fail (columns != NULL && tsr_scan_is_key (profile, table, columns[0]), NULL);
  return scan_new_between (profile, table, columns, RANGE_KEYS, first, end, error);
}

gboolean
tsr_scan_is_key (TsrProfile *profile, const char *table, const char *column)
{
  g_return_val_if_fail (TSR_IS_PROFILE (profile) && table != NULL && column != NULL, FALSE);
  return tsr_profile_is_key (profile, table, column);
}

void
tsr_scan_free (TsrScan *self)
{
  sqlite3_finalize (self->statement);
  g_clear_object (&self->database);
  g_free (self->table);
  g_free (self->places);
  g_free (self);
}

gboolean
tsr_scan_next (TsrScan *self, GError **error)
{
  int status;

  if (self->past_end)
    return FALSE;
  status = sqlite3_step (self->statement);
  if (status == SQLITE_ROW)
    {
      self->n_rows++;
      return TRUE;
    }
  self->past_end = TRUE;
  if (status != SQLITE_DONE)
    tsr_database_set_error (self->database, self->table, error);
  return FALSE;
}

gboolean
tsr_scan_has_rowid (TsrScan *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->has_rowid && sqlite3_column_type (self->statement, 0) == SQLITE_INTEGER;
}

gint64
tsr_scan_get_row (TsrScan *self)
{
  /* The rowid, or the first column of a table without one. */
  if (sqlite3_column_type (self->statement, 0) == SQLITE_INTEGER)
    return sqlite3_column_int64 (self->statement, 0);
  return (gint64)self->n_rows - 1;
}

guint64
tsr_scan_get_n_rows (TsrScan *self)
{
  return self->n_rows;
}

gboolean
tsr_scan_has_column (TsrScan *self, guint column)
{
  g_return_val_if_fail (column < self->n_columns, FALSE);
  return self->places[column] >= 0;
}

TsrCellType
tsr_scan_get_type (TsrScan *self, guint column)
{
  g_return_val_if_fail (column < self->n_columns, TSR_CELL_ABSENT);
  if (self->places[column] < 0)
    return TSR_CELL_ABSENT;
  switch (sqlite3_column_type (self->statement, self->places[column]))
    {
    case SQLITE_INTEGER:
      return TSR_CELL_INTEGER;
    case SQLITE_FLOAT:
      return TSR_CELL_REAL;
    case SQLITE_TEXT:
      return TSR_CELL_TEXT;
    case SQLITE_BLOB:
      return TSR_CELL_BLOB;
    default:
      return TSR_CELL_NULL;
    }
}

gint64
tsr_scan_get_int (TsrScan *self, guint column)
{
  if (tsr_scan_get_type (self, column) != TSR_CELL_INTEGER)
    return TSR_UNKNOWN;
  return sqlite3_column_int64 (self->statement, self->places[column]);
}

double
tsr_scan_get_double (TsrScan *self, guint column)
{
  TsrCellType type = tsr_scan_get_type (self, column);

  if (type != TSR_CELL_INTEGER && type != TSR_CELL_REAL)
    return NAN;
  return sqlite3_column_double (self->statement, self->places[column]);
}

const char *
tsr_scan_peek_text (TsrScan *self, guint column)
{
  if (tsr_scan_get_type (self, column) != TSR_CELL_TEXT)
    return NULL;
  return (const char *)sqlite3_column_text (self->statement, self->places[column]);
}

const guint8 *
tsr_scan_peek_blob (TsrScan *self, guint column, gsize *length)
{
  *length = 0;
  if (tsr_scan_get_type (self, column) != TSR_CELL_BLOB)
    return NULL;
  *length = (gsize)sqlite3_column_bytes (self->statement, self->places[column]);
  return sqlite3_column_blob (self->statement, self->places[column]);
}

gboolean
tsr_profile_read_application_id (TsrProfile *self, gint64 *id, GError **error)
{
  TsrDatabase *database = tsr_profile_get_database (self);
  sqlite3_stmt *statement = tsr_database_prepare (database, NULL, "PRAGMA application_id", error);
  gboolean ok;

  if (statement == NULL)
    return FALSE;
  ok = sqlite3_step (statement) == SQLITE_ROW;
  if (ok)
    *id = sqlite3_column_int64 (statement, 0);
  else
    tsr_database_set_error (database, NULL, error);
  sqlite3_finalize (statement);
  return ok;
}

gboolean
tsr_profile_check_integrity (
    TsrProfile *self, guint most, TsrIntegrityFunc found, gpointer data, GError **error)
{
  TsrDatabase *database = tsr_profile_get_database (self);
  g_autofree char *sql = g_strdup_printf ("PRAGMA integrity_check(%u)", most);
  g_autoptr (GString) texts = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  sqlite3_stmt *statement = tsr_database_prepare (database, NULL, sql, error);
  GError *cause = tsr_database_steal_cause (database);
  int status;

  g_clear_error (&cause); /* of what was read again */
  if (statement == NULL)
    return FALSE;
  while ((status = sqlite3_step (statement)) == SQLITE_ROW)
    {
      const char *text = (const char *)sqlite3_column_text (statement, 0);

      if (g_strcmp0 (text, "ok") != 0)
        g_string_append_printf (texts, "%s\n", text != NULL ? text : "?");
    }
  if (status != SQLITE_DONE)
    tsr_database_set_error (database, NULL, error);
  sqlite3_finalize (statement);
  if (status != SQLITE_DONE)
    return FALSE;
  /* What was not read looks damaged, or hides what is. */
  cause = tsr_database_steal_cause (database);
  if (cause != NULL)
    {
      g_propagate_prefixed_error (error, cause, "%s: ", tsr_profile_get_file_name (self));
      return FALSE;
    }
  /* Each line is one of its own, but for a heading. */
  lines = g_strsplit (texts->str, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' && !g_str_has_prefix (lines[i], "*** in database"))
      found (lines[i], data);
  return TRUE;
}

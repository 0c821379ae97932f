/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A cursor over a table that checks types and ranges and reports bad values as diagnostics. */

#include "config.h"

#include "tsr-profile-rows.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Rows between two looks at the progress. */
#define STRIDE 65536

/* The least that a row takes in a page: two bytes of pointer, the payload's length, and a payload
 * of two bytes (SQLite's file format, "b-tree pages"). */
#define LEAST_ROW_BYTES 5

void
tsr_profile_rows_clear (TsrProfileRows *self)
{
  if (self->profile != NULL)
    tsr_diagnostic_tally_flush (&self->tally, tsr_profile_get_diagnostics (self->profile),
                                tsr_profile_get_file_name (self->profile), self->table);
  if (self->kept)
    sqlite3_reset (self->statement);
  else
    sqlite3_finalize (self->statement);
  self->statement = NULL;
}

typedef enum
{
  SELECT_ALL,
  SELECT_RANGE, /* ?1 <= rowid <= ?2 */
  SELECT_WHERE, /* first column = ?1 */
  SELECT_UP_TO, /* first column <= ?1 */
  SELECT_ABOVE, /* first column > ?1 */
} Select;

static char *
dup_select (TsrProfileRows *self, const char *rowid, Select select)
{
  GString *sql = g_string_new ("SELECT ");
  int place = 0;

  if (rowid != NULL)
    {
      g_string_append (sql, rowid);
      self->row_place = place++;
    }
  for (guint i = 0; i < self->n_columns; i++)
    {
      self->places[i] = -1;
      if (!tsr_profile_has_column (self->profile, self->table, self->columns[i]))
        continue;
      g_string_append_printf (sql, "%s\"%s\"", place > 0 ? ", " : "", self->columns[i]);
      self->places[i] = place++;
    }
  g_string_append_printf (sql, " FROM \"%s\"", self->table);
  /* Not by an index that has the columns too: its order is another one. */
  if (select != SELECT_WHERE && !tsr_profile_is_view (self->profile, self->table))
    g_string_append (sql, " NOT INDEXED");
  if (select == SELECT_RANGE && rowid != NULL)
    g_string_append_printf (sql, " WHERE %s BETWEEN ?1 AND ?2", rowid);
  if (select == SELECT_WHERE && self->places[0] >= 0)
    g_string_append_printf (sql, " WHERE \"%s\" = ?1 LIMIT 1", self->columns[0]);
  if ((select == SELECT_UP_TO || select == SELECT_ABOVE) && self->places[0] >= 0)
    g_string_append_printf (sql, " WHERE \"%s\" %s ?1", self->columns[0],
                            select == SELECT_UP_TO ? "<=" : ">");
  return g_string_free (sql, FALSE);
}

static void
init_rows (TsrProfileRows *self, TsrProfile *profile, const char *table, const char *const *columns)
{
  memset (self, 0, sizeof *self);
  self->profile = profile;
  self->table = table;
  self->columns = columns;
  self->row_place = -1;
  self->n_columns = g_strv_length ((char **)columns);
  g_assert (self->n_columns <= TSR_ROWS_MAX_COLUMNS);
  self->max_rows = tsr_profile_get_file_size (profile) / LEAST_ROW_BYTES + 1;
  for (guint i = 0; i < self->n_columns; i++)
    self->places[i] = -1;
}

static gboolean
open_rows (TsrProfileRows *self,
           TsrProfile *profile,
           const char *table,
           const char *const *columns,
           Select select,
           GError **error)
{
  g_autofree char *sql = NULL;
  gboolean any = FALSE;

  init_rows (self, profile, table, columns);
  if (!tsr_profile_has_table (profile, table))
    return TRUE;

  sql = dup_select (self, tsr_profile_get_rowid (profile, table), select);
  for (guint i = 0; i < self->n_columns; i++)
    any = any || self->places[i] >= 0;
  if (!any)
    return TRUE;
  self->statement = tsr_database_prepare (tsr_profile_get_database (profile), table, sql, error);
  self->failed = self->statement == NULL;
  return !self->failed;
}

gboolean
tsr_profile_rows_open (TsrProfileRows *self,
                       TsrProfile *profile,
                       const char *table,
                       const char *const *columns,
                       GError **error)
{
  return open_rows (self, profile, table, columns, SELECT_ALL, error);
}

gboolean
tsr_profile_rows_open_range (TsrProfileRows *self,
                             TsrProfile *profile,
                             const char *table,
                             const char *const *columns,
                             gint64 first,
                             gint64 last,
                             GError **error)
{
  if (!open_rows (self, profile, table, columns, SELECT_RANGE, error))
    return FALSE;
  if (self->statement != NULL)
    {
      sqlite3_bind_int64 (self->statement, 1, first);
      sqlite3_bind_int64 (self->statement, 2, last);
    }
  return TRUE;
}

gboolean
tsr_profile_rows_open_half (TsrProfileRows *self,
                            TsrProfile *profile,
                            const char *table,
                            const char *const *columns,
                            gint64 value,
                            gboolean above,
                            GError **error)
{
  if (!open_rows (self, profile, table, columns, above ? SELECT_ABOVE : SELECT_UP_TO, error))
    return FALSE;
  if (self->statement != NULL)
    sqlite3_bind_int64 (self->statement, 1, value);
  return TRUE;
}

gboolean
tsr_profile_rows_open_where (TsrProfileRows *self,
                             TsrProfile *profile,
                             const char *table,
                             const char *const *columns,
                             gint64 value,
                             GError **error)
{
  TsrKeptSelect *kept = tsr_profile_peek_kept_select (profile);

  /* A view that could not be read is no table any more. */
  if (kept->statement != NULL && kept->table == table && kept->columns == columns
      && tsr_profile_has_table (profile, table))
    {
      init_rows (self, profile, table, columns);
      memcpy (self->places, kept->places, sizeof self->places);
      self->row_place = kept->row_place;
      self->statement = kept->statement;
      tsr_database_restart (tsr_profile_get_database (profile), self->statement);
    }
  else
    {
      if (!open_rows (self, profile, table, columns, SELECT_WHERE, error))
        return FALSE;
      if (self->statement == NULL)
        return TRUE;
      sqlite3_finalize (kept->statement);
      *kept = (TsrKeptSelect){ table, columns, self->statement, { 0 }, self->row_place };
      memcpy (kept->places, self->places, sizeof kept->places);
    }
  self->kept = TRUE;
  sqlite3_bind_int64 (self->statement, 1, value);
  return TRUE;
}

gboolean
tsr_profile_rows_next (TsrProfileRows *self, GError **error)
{
  int status;

  if (self->statement == NULL || self->failed)
    return FALSE;
  status = sqlite3_step (self->statement);
  if (status == SQLITE_DONE)
    return FALSE;
  if (status != SQLITE_ROW)
    {
      GError *local_error = NULL;

      self->failed = TRUE;
      tsr_database_set_error (tsr_profile_get_database (self->profile), self->table, &local_error);
      tsr_profile_give_up (self->profile, self->table, local_error);
      g_propagate_error (error, local_error);
      return FALSE;
    }
  self->n_rows++;
  if (self->n_rows % STRIDE == 0)
    tsr_progress_add_done (self->progress, STRIDE);
  if (self->n_rows <= self->max_rows)
    return TRUE;
  self->failed = TRUE;
  g_set_error (error, TSR_ERROR, TSR_ERROR_CORRUPT,
               _ ("%s, table %s: it seems to have more rows than a file of %" PRId64
                  " bytes can hold; the file is damaged: copy it again"),
               tsr_profile_get_file_name (self->profile), self->table,
               tsr_profile_get_file_size (self->profile));
  return FALSE;
}

gboolean
tsr_profile_rows_has (TsrProfileRows *self, guint column)
{
  return self->statement != NULL && self->places[column] >= 0;
}

gboolean
tsr_profile_rows_need (TsrProfileRows *self, guint column)
{
  if (tsr_profile_rows_has (self, column))
    return TRUE;
  if (tsr_profile_has_rows (self->profile, self->table))
    tsr_profile_report (self->profile, self->table, TSR_SEVERITY_WARNING, "column-missing",
                        _ ("the table has no column %s; its rows cannot be used without it"),
                        self->columns[column]);
  return FALSE;
}

gint64
tsr_profile_rows_get_row (TsrProfileRows *self)
{
  int place = self->row_place >= 0 ? self->row_place : self->places[0];

  if (place >= 0 && sqlite3_column_type (self->statement, place) == SQLITE_INTEGER)
    return sqlite3_column_int64 (self->statement, place);
  return TSR_NO_ROW;
}

gint64
tsr_profile_rows_get_rowid (TsrProfileRows *self)
{
  return self->row_place >= 0 ? tsr_profile_rows_get_row (self) : TSR_UNKNOWN;
}

gboolean
tsr_profile_rows_is_null (TsrProfileRows *self, guint column)
{
  return !tsr_profile_rows_has (self, column)
         || sqlite3_column_type (self->statement, self->places[column]) == SQLITE_NULL;
}

static void report_value (TsrProfileRows *self,
                          TsrSeverity severity,
                          const char *code,
                          const char *format,
                          va_list args) G_GNUC_PRINTF (4, 0);

static void
report_value (
    TsrProfileRows *self, TsrSeverity severity, const char *code, const char *format, va_list args)
{
  if (tsr_diagnostic_tally_count (&self->tally, severity, code))
    tsr_diagnostics_add_va (tsr_profile_get_diagnostics (self->profile), severity, code,
                            tsr_profile_get_file_name (self->profile), self->table,
                            tsr_profile_rows_get_row (self), TSR_NO_ROW, format, args);
}

void
tsr_profile_rows_report (
    TsrProfileRows *self, TsrSeverity severity, const char *code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  report_value (self, severity, code, format, args);
  va_end (args);
}

void
tsr_profile_report (TsrProfile *profile,
                    const char *table,
                    TsrSeverity severity,
                    const char *code,
                    const char *format,
                    ...)
{
  va_list args;

  va_start (args, format);
  tsr_diagnostics_add_va (tsr_profile_get_diagnostics (profile), severity, code,
                          tsr_profile_get_file_name (profile), table, TSR_NO_ROW, TSR_NO_ROW,
                          format, args);
  va_end (args);
}

static void
report_type (TsrProfileRows *self, guint column, int type, const char *wanted)
{
  const char *is = type == SQLITE_TEXT      ? _ ("text")
                   : type == SQLITE_BLOB    ? _ ("binary data")
                   : type == SQLITE_INTEGER ? _ ("an integer")
                                            : _ ("a fraction");

  tsr_profile_rows_report (self, TSR_SEVERITY_ERROR, "value-of-wrong-type",
                           /* Translators: column, what it is, what it should be */
                           _ ("%s is %s where %s is expected"), self->columns[column], is, wanted);
}

/* A real that is an integer is taken as one: it is the same number, and a view or a column without
 * a type may well give it. */
static gboolean
take_real (TsrProfileRows *self, guint column, gint64 *value)
{
  double real = sqlite3_column_double (self->statement, self->places[column]);

  if (!(fabs (real) <= (double)TSR_MAX_SIZE) || real != floor (real))
    return FALSE;
  *value = (gint64)real;
  return TRUE;
}

/* What tsr_profile_rows_get_int does with anything but an integer in range. */
static gint64
get_odd_int (TsrProfileRows *self, guint column, int type, gint64 value, gint64 min, gint64 max)
{
  if (type == SQLITE_NULL)
    return TSR_UNKNOWN;
  if (type != SQLITE_INTEGER && (type != SQLITE_FLOAT || !take_real (self, column, &value)))
    {
      report_type (self, column, type, _ ("an integer"));
      return TSR_UNKNOWN;
    }
  if (value >= min && value <= max)
    return value;
  if (value < min)
    tsr_profile_rows_report (self, TSR_SEVERITY_ERROR, "value-out-of-range",
                             _ ("%s is %" PRId64 ", at least %" PRId64 " is expected"),
                             self->columns[column], value, min);
  else
    tsr_profile_rows_report (self, TSR_SEVERITY_ERROR, "value-out-of-range",
                             _ ("%s is %" PRId64 ", at most %" PRId64 " is expected"),
                             self->columns[column], value, max);
  return TSR_UNKNOWN;
}

/* The value once, then its type and number: a third of the calls that sqlite3_column_* make. */
gint64
tsr_profile_rows_get_int (TsrProfileRows *self, guint column, gint64 min, gint64 max)
{
  sqlite3_value *cell;
  gint64 value = 0;
  int type;

  if (self->places[column] < 0)
    return TSR_UNKNOWN;
  cell = sqlite3_column_value (self->statement, self->places[column]);
  type = sqlite3_value_type (cell);
  if (type == SQLITE_INTEGER)
    value = sqlite3_value_int64 (cell);
  if (type == SQLITE_INTEGER && value >= min && value <= max)
    return value;
  return get_odd_int (self, column, type, value, min, max);
}

gint64
tsr_profile_rows_get_key (TsrProfileRows *self, guint column, gint64 min, gint64 max)
{
  gint64 value = tsr_profile_rows_get_int (self, column, min, max);

  if (value == TSR_UNKNOWN && tsr_profile_rows_is_null (self, column))
    tsr_profile_rows_report (self, TSR_SEVERITY_ERROR, "value-missing",
                             _ ("%s is missing (NULL); the row is left out"),
                             self->columns[column]);
  return value;
}

guint32
tsr_profile_rows_find (TsrProfileRows *self,
                       guint column,
                       const TsrIdIndex *index,
                       const char *table)
{
  gint64 id = tsr_profile_rows_get_int (self, column, TSR_UNKNOWN + 1, G_MAXINT64);
  guint32 place;

  if (id == TSR_UNKNOWN || index->n == 0)
    return TSR_NO_INDEX;
  place = tsr_id_index_find (index, id);
  if (place == TSR_NO_INDEX)
    tsr_profile_rows_report (self, TSR_SEVERITY_WARNING, "reference-broken",
                             /* Translators: "variable is 77, which has no row in variables" */
                             _ ("%s is %" PRId64 ", which has no row in %s"), self->columns[column],
                             id, table);
  return place;
}

double
tsr_profile_rows_get_double (TsrProfileRows *self, guint column)
{
  sqlite3_value *cell;
  double value;
  int type;

  if (self->places[column] < 0)
    return NAN;
  cell = sqlite3_column_value (self->statement, self->places[column]);
  type = sqlite3_value_type (cell);
  if (type == SQLITE_NULL)
    return NAN;
  if (type != SQLITE_FLOAT && type != SQLITE_INTEGER)
    {
      report_type (self, column, type, _ ("a number"));
      return NAN;
    }
  value = sqlite3_value_double (cell);
  if (isfinite (value))
    return value;
  tsr_profile_rows_report (self, TSR_SEVERITY_ERROR, "value-out-of-range", _ ("%s is infinite"),
                           self->columns[column]);
  return NAN;
}

const char *
tsr_profile_rows_peek_text (TsrProfileRows *self, guint column, gssize *length)
{
  int type;
  const char *text;

  *length = 0;
  if (tsr_profile_rows_is_null (self, column))
    return NULL;
  type = sqlite3_column_type (self->statement, self->places[column]);
  if (type != SQLITE_TEXT)
    {
      report_type (self, column, type, _ ("text"));
      return NULL;
    }
  text = (const char *)sqlite3_column_text (self->statement, self->places[column]);
  if (text != NULL)
    *length = sqlite3_column_bytes (self->statement, self->places[column]);
  return text;
}

char *
tsr_profile_rows_dup_text (TsrProfileRows *self, guint column, gboolean numbers_too)
{
  const char *text;
  gssize length;
  int type;

  if (tsr_profile_rows_is_null (self, column))
    return NULL;
  type = sqlite3_column_type (self->statement, self->places[column]);
  if (numbers_too && (type == SQLITE_INTEGER || type == SQLITE_FLOAT))
    return g_strdup ((const char *)sqlite3_column_text (self->statement, self->places[column]));
  text = tsr_profile_rows_peek_text (self, column, &length);
  return text != NULL ? g_utf8_make_valid (text, length) : NULL;
}

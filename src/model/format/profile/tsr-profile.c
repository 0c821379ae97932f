/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which tables and columns exist, and the small tables: report_info, engine_options, target, graph.
 * The names of tables are read from sqlite_master once; the columns of a table when they are first
 * needed. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-profile-cursor.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A cursor over a table that checks types and ranges and reports bad values as diagnostics. */

/* Rows between two looks at the progress. */
#define STRIDE 65536

/* The least that a row takes in a page: two bytes of pointer, the payload's length, and a payload
 * of two bytes (SQLite's file format, "b-tree pages"). */
#define LEAST_ROW_BYTES 5

void
tsr_profile_cursor_clear (TsrProfileCursor *self)
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
  SELECT_WHERE, /* first column = ?1 */
  SELECT_EACH,  /* all; this one and those below for tsr_database_each */
  SELECT_RANGE, /* ?1 <= rowid <= ?2 */
  SELECT_UP_TO, /* first column <= ?1 */
  SELECT_ABOVE, /* first column > ?1 */
} Select;

static char *
dup_select (TsrProfileCursor *self, const char *rowid, Select select)
{
  const gboolean each = select >= SELECT_EACH;
  GString *sql = g_string_new (each ? "SELECT " TSR_DATABASE_ROW "(" : "SELECT ");
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
  g_string_append_printf (sql, "%s FROM \"%s\"", each ? ")" : "", self->table);
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
init_rows (TsrProfileCursor *self,
           TsrProfile *profile,
           const char *table,
           const char *const *columns)
{
  memset (self, 0, sizeof *self);
  self->profile = profile;
  self->table = table;
  self->columns = columns;
  self->row_place = -1;
  self->n_columns = g_strv_length ((char **)columns);
  g_assert (self->n_columns <= TSR_CURSOR_MAX_COLUMNS);
  self->max_rows = tsr_profile_get_file_size (profile) / LEAST_ROW_BYTES + 1;
  for (guint i = 0; i < self->n_columns; i++)
    self->places[i] = -1;
}

static gboolean
open_rows (TsrProfileCursor *self,
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
tsr_profile_cursor_open (TsrProfileCursor *self,
                         TsrProfile *profile,
                         const char *table,
                         const char *const *columns,
                         GError **error)
{
  return open_rows (self, profile, table, columns, SELECT_ALL, error);
}

gboolean
tsr_profile_cursor_open_all (TsrProfileCursor *self,
                             TsrProfile *profile,
                             const char *table,
                             const char *const *columns,
                             GError **error)
{
  return open_rows (self, profile, table, columns, SELECT_EACH, error);
}

gboolean
tsr_profile_cursor_open_range (TsrProfileCursor *self,
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
tsr_profile_cursor_open_half (TsrProfileCursor *self,
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
tsr_profile_cursor_open_where (TsrProfileCursor *self,
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

/* Handles an @error from reading @table: if it is a view, it counts as missing from now on, with a
 * diagnostic, because it would fail again and take as long. */
static void give_up (TsrProfile *self, const char *table, const GError *error);

static void
fail_read (TsrProfileCursor *self, GError **error)
{
  GError *local_error = NULL;

  self->failed = TRUE;
  tsr_database_set_error (tsr_profile_get_database (self->profile), self->table, &local_error);
  give_up (self->profile, self->table, local_error);
  g_propagate_error (error, local_error);
}

/* FALSE with @error for more rows than there can be. */
static gboolean
count_row (TsrProfileCursor *self, GError **error)
{
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
tsr_profile_cursor_next (TsrProfileCursor *self, GError **error)
{
  int status;

  if (self->statement == NULL || self->failed)
    return FALSE;
  status = sqlite3_step (self->statement);
  if (status == SQLITE_ROW)
    return count_row (self, error);
  if (status != SQLITE_DONE)
    fail_read (self, error);
  return FALSE;
}

typedef struct
{
  TsrProfileCursor *cursor;
  TsrProfileRowFunc func;
  gpointer data;
  gboolean stopped;
  GError **error;
} Each;

static gboolean
take_values (sqlite3_value **values, gpointer data)
{
  Each *each = data;

  each->cursor->values = values;
  each->stopped = !count_row (each->cursor, each->error) || !each->func (each->cursor, each->data);
  return !each->stopped;
}

gboolean
tsr_profile_cursor_each (TsrProfileCursor *self,
                         TsrProfileRowFunc func,
                         gpointer data,
                         GError **error)
{
  Each each = { self, func, data, FALSE, error };
  int status;

  if (self->statement == NULL || self->failed)
    return !self->failed;
  status = tsr_database_each (tsr_profile_get_database (self->profile), self->statement,
                              take_values, &each);
  self->values = NULL;
  if (status != SQLITE_DONE && !each.stopped)
    fail_read (self, error);
  return status == SQLITE_DONE;
}

static inline sqlite3_value *
get_cell (TsrProfileCursor *self, int place)
{
  return self->values != NULL ? self->values[place] : sqlite3_column_value (self->statement, place);
}

gboolean
tsr_profile_cursor_has (TsrProfileCursor *self, guint column)
{
  return self->statement != NULL && self->places[column] >= 0;
}

gboolean
tsr_profile_cursor_need (TsrProfileCursor *self, guint column)
{
  if (tsr_profile_cursor_has (self, column))
    return TRUE;
  if (tsr_profile_has_rows (self->profile, self->table))
    tsr_profile_report (self->profile, self->table, TSR_SEVERITY_WARNING, "column-missing",
                        _ ("the table has no column %s; its rows cannot be used without it"),
                        self->columns[column]);
  return FALSE;
}

gint64
tsr_profile_cursor_get_row (TsrProfileCursor *self)
{
  int place = self->row_place >= 0 ? self->row_place : self->places[0];

  sqlite3_value *cell = place >= 0 ? get_cell (self, place) : NULL;

  return cell != NULL && sqlite3_value_type (cell) == SQLITE_INTEGER ? sqlite3_value_int64 (cell)
                                                                     : TSR_NO_ROW;
}

gint64
tsr_profile_cursor_get_rowid (TsrProfileCursor *self)
{
  return self->row_place >= 0 ? tsr_profile_cursor_get_row (self) : TSR_UNKNOWN;
}

gboolean
tsr_profile_cursor_is_null (TsrProfileCursor *self, guint column)
{
  return !tsr_profile_cursor_has (self, column)
         || sqlite3_value_type (get_cell (self, self->places[column])) == SQLITE_NULL;
}

static void report_value (TsrProfileCursor *self,
                          TsrSeverity severity,
                          const char *code,
                          const char *format,
                          va_list args) G_GNUC_PRINTF (4, 0);

static void
report_value (TsrProfileCursor *self,
              TsrSeverity severity,
              const char *code,
              const char *format,
              va_list args)
{
  if (tsr_diagnostic_tally_count (&self->tally, severity, code))
    tsr_diagnostics_add_va (tsr_profile_get_diagnostics (self->profile), severity, code,
                            tsr_profile_get_file_name (self->profile), self->table,
                            tsr_profile_cursor_get_row (self), TSR_NO_ROW, format, args);
}

void
tsr_profile_cursor_report (
    TsrProfileCursor *self, TsrSeverity severity, const char *code, const char *format, ...)
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
report_type (TsrProfileCursor *self, guint column, int type, const char *wanted)
{
  const char *is = type == SQLITE_TEXT      ? _ ("text")
                   : type == SQLITE_BLOB    ? _ ("binary data")
                   : type == SQLITE_INTEGER ? _ ("an integer")
                                            : _ ("a fraction");

  tsr_profile_cursor_report (self, TSR_SEVERITY_ERROR, "value-of-wrong-type",
                             /* Translators: column, what it is, what it should be */
                             _ ("%s is %s where %s is expected"), self->columns[column], is,
                             wanted);
}

/* A real that is an integer is taken as one: it is the same number, and a view or a column without
 * a type may well give it. */
static gboolean
take_real (TsrProfileCursor *self, guint column, gint64 *value)
{
  double real = sqlite3_value_double (get_cell (self, self->places[column]));

  if (!(fabs (real) <= (double)TSR_MAX_SIZE) || real != floor (real))
    return FALSE;
  *value = (gint64)real;
  return TRUE;
}

/* What tsr_profile_cursor_get_int does with anything but an integer in range. */
static gint64
get_odd_int (TsrProfileCursor *self, guint column, int type, gint64 value, gint64 min, gint64 max)
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
    tsr_profile_cursor_report (self, TSR_SEVERITY_ERROR, "value-out-of-range",
                               _ ("%s is %" PRId64 ", at least %" PRId64 " is expected"),
                               self->columns[column], value, min);
  else
    tsr_profile_cursor_report (self, TSR_SEVERITY_ERROR, "value-out-of-range",
                               _ ("%s is %" PRId64 ", at most %" PRId64 " is expected"),
                               self->columns[column], value, max);
  return TSR_UNKNOWN;
}

/* The value once, then its type and number: a third of the calls that sqlite3_column_* make. */
gint64
tsr_profile_cursor_get_int (TsrProfileCursor *self, guint column, gint64 min, gint64 max)
{
  sqlite3_value *cell;
  gint64 value = 0;
  int type;

  if (self->places[column] < 0)
    return TSR_UNKNOWN;
  cell = get_cell (self, self->places[column]);
  type = sqlite3_value_type (cell);
  if (type == SQLITE_INTEGER)
    value = sqlite3_value_int64 (cell);
  if (type == SQLITE_INTEGER && value >= min && value <= max)
    return value;
  return get_odd_int (self, column, type, value, min, max);
}

gint64
tsr_profile_cursor_get_key (TsrProfileCursor *self, guint column, gint64 min, gint64 max)
{
  gint64 value = tsr_profile_cursor_get_int (self, column, min, max);

  if (value == TSR_UNKNOWN && tsr_profile_cursor_is_null (self, column))
    tsr_profile_cursor_report (self, TSR_SEVERITY_ERROR, "value-missing",
                               _ ("%s is missing (NULL); the row is left out"),
                               self->columns[column]);
  return value;
}

guint32
tsr_profile_cursor_find (TsrProfileCursor *self,
                         guint column,
                         const TsrIdIndex *index,
                         const char *table)
{
  gint64 id = tsr_profile_cursor_get_int (self, column, TSR_UNKNOWN + 1, G_MAXINT64);
  guint32 place;

  if (id == TSR_UNKNOWN || index->n == 0)
    return TSR_NO_INDEX;
  place = tsr_id_index_find (index, id);
  if (place == TSR_NO_INDEX)
    tsr_profile_cursor_report (self, TSR_SEVERITY_WARNING, "reference-broken",
                               /* Translators: "variable is 77, which has no row in variables" */
                               _ ("%s is %" PRId64 ", which has no row in %s"),
                               self->columns[column], id, table);
  return place;
}

double
tsr_profile_cursor_get_double (TsrProfileCursor *self, guint column)
{
  sqlite3_value *cell;
  double value;
  int type;

  if (self->places[column] < 0)
    return NAN;
  cell = get_cell (self, self->places[column]);
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
  tsr_profile_cursor_report (self, TSR_SEVERITY_ERROR, "value-out-of-range", _ ("%s is infinite"),
                             self->columns[column]);
  return NAN;
}

const char *
tsr_profile_cursor_peek_text (TsrProfileCursor *self, guint column, gssize *length)
{
  sqlite3_value *cell;
  const char *text;
  int type;

  *length = 0;
  if (!tsr_profile_cursor_has (self, column))
    return NULL;
  cell = get_cell (self, self->places[column]);
  type = sqlite3_value_type (cell);
  if (type != SQLITE_TEXT)
    {
      if (type != SQLITE_NULL)
        report_type (self, column, type, _ ("text"));
      return NULL;
    }
  text = (const char *)sqlite3_value_text (cell);
  if (text == NULL)
    return NULL;
  *length = sqlite3_value_bytes (cell);
  if (!tsr_text_is_valid (text, *length))
    tsr_profile_cursor_report (self, TSR_SEVERITY_WARNING, "text-not-utf8",
                               _ ("%s is not UTF-8; what cannot be read of it is shown as �"),
                               self->columns[column]);
  return text;
}

char *
tsr_profile_cursor_dup_text (TsrProfileCursor *self, guint column, gboolean numbers_too)
{
  sqlite3_value *cell;
  const char *text;
  gssize length;
  int type;

  if (tsr_profile_cursor_is_null (self, column))
    return NULL;
  cell = get_cell (self, self->places[column]);
  type = sqlite3_value_type (cell);
  if (numbers_too && (type == SQLITE_INTEGER || type == SQLITE_FLOAT))
    return g_strdup ((const char *)sqlite3_value_text (cell));
  text = tsr_profile_cursor_peek_text (self, column, &length);
  return text != NULL ? g_utf8_make_valid (text, length) : NULL;
}

typedef struct
{
  char *name; /* as the file spells it */
  gboolean is_view;
  gboolean is_virtual;
  gboolean is_unsafe;
  gboolean probed;
  GHashTable *columns; /* set of names in lower case; NULL: cannot be read */
  const char *rowid;   /* static; NULL: rows have none */
  char *key;           /* (nullable) in lower case: first column that rows without rowid stand by */
} Table;

struct _TsrProfile
{
  GObject parent_instance;
  TsrDatabase *database;
  TsrDiagnostics *diagnostics;
  GHashTable *tables; /* name in lower case to Table */
  GPtrArray *unknown; /* char *, NULL-terminated */
  gint64 file_size;   /* at least 1 */
  TsrKeptSelect kept;
  GHashTable *arrays;   /* as tsr_profile_peek_kept_arrays says */
  const char *filename; /* base name, borrowed from the database's source */
};

G_DEFINE_FINAL_TYPE (TsrProfile, tsr_profile, G_TYPE_OBJECT)

/* Every table of docs/report.sql. */
static const char *const known_tables[] = {
  "report_info",
  "engine_options",
  "target",
  "graph",
  "memory_by_tile",
  "memory_by_tile_region",
  "var_categories",
  "memory_by_tile_category",
  "vars_string_table",
  "vars_info",
  "tile_vars",
  "equivalence_class_intervals",
  "variables",
  "variables_by_ipu",
  "variable_lifetimes",
  "liveness_steps",
  "liveness_by_ipu",
  "programs",
  "program_children",
  "compilation_steps",
  "program_roots",
  "program_variables",
  "compute_sets",
  "vertex_types",
  "compute_set_vertices",
  "runs",
  "run_cycles_by_ipu",
  "steps",
  "steps_by_ipu",
  "tile_cycles",
  "blocks",
  "execution_cycle_totals",
  "tile_arrays",
  NULL,
};

static void
table_free (gpointer data)
{
  Table *table = data;

  g_free (table->name);
  g_free (table->key);
  g_clear_pointer (&table->columns, g_hash_table_unref);
  g_free (table);
}

static void
tsr_profile_finalize (GObject *object)
{
  TsrProfile *self = TSR_PROFILE (object);

  sqlite3_finalize (self->kept.statement);
  g_hash_table_unref (self->arrays);
  g_clear_object (&self->database);
  g_clear_pointer (&self->diagnostics, tsr_diagnostics_unref);
  g_clear_pointer (&self->tables, g_hash_table_unref);
  g_clear_pointer (&self->unknown, g_ptr_array_unref);
  G_OBJECT_CLASS (tsr_profile_parent_class)->finalize (object);
}

static void
tsr_profile_class_init (TsrProfileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_profile_finalize;
}

static void
tsr_profile_init (TsrProfile *self)
{
  self->tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, table_free);
  self->unknown = g_ptr_array_new_with_free_func (g_free);
  self->arrays = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
}

GHashTable *
tsr_profile_peek_kept_arrays (TsrProfile *self)
{
  return self->arrays;
}

/* ---------------------------------------------------------------- probing */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *)a, *(char *const *)b);
}

static void
add_table (TsrProfile *self, const char *type, const char *name, const char *sql)
{
  g_autofree char *key = g_ascii_strdown (name, -1);
  Table *table;

  if (g_str_has_prefix (key, "sqlite_"))
    return;
  table = g_new0 (Table, 1);
  table->name = g_strdup (name);
  table->is_view = g_strcmp0 (type, "view") == 0;
  table->is_virtual = sql != NULL && g_ascii_strncasecmp (sql, "CREATE VIRTUAL", 14) == 0;
  if (!g_strv_contains (known_tables, key))
    g_ptr_array_add (self->unknown, g_utf8_make_valid (name, -1));
  else if (table->is_virtual)
    tsr_profile_report (self, name, TSR_SEVERITY_WARNING, "table-not-read",
                        _ ("the table is a virtual one, made by a program's own code when it is "
                           "read; it is left out"));
  else if (!tsr_database_is_safe (self->database, name))
    {
      table->is_unsafe = TRUE;
      tsr_profile_report (
          self, name, TSR_SEVERITY_ERROR, "table-not-read",
          _ ("the view consists of too many others, or of named sub-selects; it is left out"));
    }
  g_hash_table_insert (self->tables, g_steal_pointer (&key), table);
}

static gboolean
probe_tables (TsrProfile *self, GError **error)
{
  sqlite3_stmt *statement = tsr_database_prepare (
      self->database, "sqlite_master",
      "SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'view')", error);
  int status;

  if (statement == NULL)
    return FALSE;
  while ((status = sqlite3_step (statement)) == SQLITE_ROW)
    {
      const char *type = (const char *)sqlite3_column_text (statement, 0);
      const char *name = (const char *)sqlite3_column_text (statement, 1);
      const char *sql = (const char *)sqlite3_column_text (statement, 2);

      if (name != NULL)
        add_table (self, type, name, sql);
    }
  if (status != SQLITE_DONE)
    tsr_database_set_error (self->database, "sqlite_master", error);
  sqlite3_finalize (statement);
  g_ptr_array_sort (self->unknown, compare_names);
  g_ptr_array_add (self->unknown, NULL);
  return status == SQLITE_DONE;
}

/* The name of the rowid that no column hides; NULL when the rows have none. */
static const char *
find_rowid (TsrProfile *self, Table *table)
{
  static const char *const names[] = { "_rowid_", "rowid", "oid" };

  if (table->is_view)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      sqlite3_stmt *statement = NULL;
      char *sql;
      int status;

      if (g_hash_table_contains (table->columns, names[i]))
        continue;
      sql = sqlite3_mprintf ("SELECT %s FROM \"%w\"", names[i], table->name);
      status = sqlite3_prepare_v2 (tsr_database_peek (self->database), sql, -1, &statement, NULL);
      sqlite3_free (sql);
      sqlite3_finalize (statement);
      return status == SQLITE_OK ? names[i] : NULL;
    }
  return NULL;
}

/* Whether rows without rowid stand in the order of the table's primary key. */
static gboolean
is_clustered (const Table *table)
{
  static const char *const names[] = { "_rowid_", "rowid", "oid" };
  guint n_hidden = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    n_hidden += g_hash_table_contains (table->columns, names[i]);
  return !table->is_view && table->rowid == NULL && n_hidden < G_N_ELEMENTS (names);
}

/* Columns that are computed when they are read (hidden is 2) do not count: a column is what the
 * file holds. */
static void
probe_columns (TsrProfile *self, Table *table)
{
  char *sql = sqlite3_mprintf ("PRAGMA table_xinfo(\"%w\")", table->name);
  g_autoptr (GError) error = NULL;
  sqlite3_stmt *statement = tsr_database_prepare (self->database, table->name, sql, &error);
  int status = SQLITE_ERROR;

  sqlite3_free (sql);
  table->probed = TRUE;
  table->columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  while (statement != NULL && (status = sqlite3_step (statement)) == SQLITE_ROW)
    {
      const char *name = (const char *)sqlite3_column_text (statement, 1);

      if (name != NULL && sqlite3_column_int (statement, 6) != 2)
        g_hash_table_add (table->columns, g_ascii_strdown (name, -1));
      if (name != NULL && sqlite3_column_int (statement, 5) == 1 && table->key == NULL)
        table->key = g_ascii_strdown (name, -1);
    }
  if (statement != NULL && status != SQLITE_DONE)
    tsr_database_set_error (self->database, table->name, &error);
  sqlite3_finalize (statement);
  if (status == SQLITE_DONE)
    {
      table->rowid = find_rowid (self, table);
      if (!is_clustered (table))
        g_clear_pointer (&table->key, g_free);
      return;
    }
  g_clear_pointer (&table->columns, g_hash_table_unref);
  table->probed = !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (table->probed)
    tsr_profile_report (self, table->name, TSR_SEVERITY_ERROR, "table-not-read",
                        _ ("the columns cannot be found: %s"), error->message);
}

/* NULL when there is no such table, or it cannot be read. */
static Table *
find_table (TsrProfile *self, const char *name)
{
  g_autofree char *key = g_ascii_strdown (name, -1);
  Table *table = g_hash_table_lookup (self->tables, key);

  if (table == NULL || table->is_virtual || table->is_unsafe)
    return NULL;
  if (!table->probed)
    probe_columns (self, table);
  return table->columns != NULL ? table : NULL;
}

TsrProfile *
tsr_profile_new (TsrDatabase *database, TsrDiagnostics *diagnostics, GError **error)
{
  g_autoptr (TsrProfile) self = NULL;
  TsrSource *source;

  g_return_val_if_fail (TSR_IS_DATABASE (database), NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  self = g_object_new (TSR_TYPE_PROFILE, NULL);
  source = tsr_database_get_source (database);
  self->database = g_object_ref (database);
  self->diagnostics = tsr_diagnostics_ref (diagnostics);
  self->file_size = MAX (tsr_source_get_size (source), 1);
  self->filename = tsr_source_get_base_name (source);
  if (!probe_tables (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

TsrProfile *
tsr_profile_open_part (TsrProfile *self, TsrDiagnostics *diagnostics, GError **error)
{
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (TsrDiagnostics) known = tsr_diagnostics_new ();
  TsrProfile *again;

  g_return_val_if_fail (self != NULL && diagnostics != NULL, NULL);
  database = tsr_database_open_again (self->database, error);
  again = database != NULL ? tsr_profile_new (database, known, error) : NULL;
  if (again == NULL)
    return NULL;
  tsr_diagnostics_unref (again->diagnostics);
  again->diagnostics = tsr_diagnostics_ref (diagnostics);
  return again;
}

TsrProfile *
tsr_profile_open_again (TsrProfile *self, GError **error)
{
  g_return_val_if_fail (TSR_IS_PROFILE (self), NULL);
  return tsr_profile_open_part (self, self->diagnostics, error);
}

TsrDatabase *
tsr_profile_get_database (TsrProfile *self)
{
  g_return_val_if_fail (TSR_IS_PROFILE (self), NULL);
  return self->database;
}

TsrDiagnostics *
tsr_profile_get_diagnostics (TsrProfile *self)
{
  g_return_val_if_fail (TSR_IS_PROFILE (self), NULL);
  return self->diagnostics;
}

gboolean
tsr_profile_has_table (TsrProfile *self, const char *table)
{
  g_return_val_if_fail (TSR_IS_PROFILE (self) && table != NULL, FALSE);
  return find_table (self, table) != NULL;
}

gboolean
tsr_profile_has_column (TsrProfile *self, const char *table, const char *column)
{
  Table *found;
  g_autofree char *key = NULL;

  g_return_val_if_fail (TSR_IS_PROFILE (self) && table != NULL && column != NULL, FALSE);
  found = find_table (self, table);
  if (found == NULL)
    return FALSE;
  key = g_ascii_strdown (column, -1);
  return g_hash_table_contains (found->columns, key);
}

static void
give_up (TsrProfile *self, const char *table, const GError *error)
{
  Table *found = find_table (self, table);

  if (found == NULL || !found->is_view || error == NULL
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  found->is_unsafe = TRUE;
  if (!tsr_diagnostics_tells (self->diagnostics, tsr_profile_get_file_name (self), error->message))
    tsr_profile_report (self, table, TSR_SEVERITY_ERROR, "table-not-read",
                        _ ("the view cannot be read and is left out: %s"), error->message);
}

gboolean
tsr_profile_has_rows (TsrProfile *self, const char *table)
{
  Table *found;
  sqlite3_stmt *statement;
  g_autoptr (GError) error = NULL;
  int status = SQLITE_ERROR;
  char *sql;

  g_return_val_if_fail (TSR_IS_PROFILE (self) && table != NULL, FALSE);
  found = find_table (self, table);
  if (found == NULL)
    return FALSE;
  /* The way to the first row costs blocks that nobody may read for anything else. */
  if (tsr_database_is_slow (self->database) && tsr_database_is_large (self->database, found->name))
    return TRUE;
  sql = sqlite3_mprintf ("SELECT 1 FROM \"%w\" LIMIT 1", found->name);
  statement = tsr_database_prepare (self->database, found->name, sql, &error);
  sqlite3_free (sql);
  if (statement != NULL)
    status = sqlite3_step (statement);
  if (statement != NULL && status != SQLITE_ROW && status != SQLITE_DONE)
    tsr_database_set_error (self->database, found->name, &error);
  sqlite3_finalize (statement);
  give_up (self, table, error);
  /* A damaged table is not an empty one: whoever reads it will come upon the damage. */
  return status == SQLITE_ROW || (error != NULL && !found->is_view);
}

const char *const *
tsr_profile_get_unknown_tables (TsrProfile *self)
{
  g_return_val_if_fail (TSR_IS_PROFILE (self), NULL);
  return (const char *const *)self->unknown->pdata;
}

const char *
tsr_profile_get_rowid (TsrProfile *self, const char *table)
{
  Table *found = find_table (self, table);

  return found != NULL ? found->rowid : NULL;
}

gboolean
tsr_profile_is_key (TsrProfile *self, const char *table, const char *column)
{
  Table *found = find_table (self, table);

  return found != NULL && found->key != NULL && g_ascii_strcasecmp (found->key, column) == 0;
}

gboolean
tsr_profile_is_view (TsrProfile *self, const char *table)
{
  Table *found = find_table (self, table);

  return found != NULL && found->is_view;
}

TsrKeptSelect *
tsr_profile_peek_kept_select (TsrProfile *self)
{
  return &self->kept;
}

gint64
tsr_profile_get_file_size (TsrProfile *self)
{
  return self->file_size;
}

const char *
tsr_profile_get_file_name (TsrProfile *self)
{
  return self->filename;
}

gboolean
tsr_profile_fail_memory (TsrProfile *self, const char *table, GError **error)
{
  g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
               _ ("%s, table %s: there is not enough memory for what it holds; close other reports "
                  "and try again"),
               self->filename, table);
  return TRUE;
}

/* ----------------------------------------------------------- small tables */

/* Pairs of @table, the first of equal names. */
static gboolean
read_pairs (TsrProfile *self, const char *table, GHashTable *pairs, GError **error)
{
  static const char *const columns[] = { "name", "value", NULL };
  g_auto (TsrProfileCursor) rows = { 0 };

  if (!tsr_profile_cursor_open (&rows, self, table, columns, error))
    return FALSE;
  if (!tsr_profile_cursor_need (&rows, 0) || !tsr_profile_cursor_need (&rows, 1))
    return TRUE;
  while (tsr_profile_cursor_next (&rows, error))
    {
      g_autofree char *name = tsr_profile_cursor_dup_text (&rows, 0, TRUE);
      g_autofree char *value = tsr_profile_cursor_dup_text (&rows, 1, TRUE);

      if (name == NULL)
        tsr_profile_cursor_report (&rows, TSR_SEVERITY_WARNING, "value-missing",
                                   _ ("the row has no name; it is left out"));
      else if (g_hash_table_contains (pairs, name))
        tsr_profile_cursor_report (&rows, TSR_SEVERITY_ERROR, "row-repeated",
                                   _ ("“%s” is repeated; the first one counts"), name);
      else if (value != NULL)
        g_hash_table_insert (pairs, g_steal_pointer (&name), g_steal_pointer (&value));
    }
  return !rows.failed;
}

gboolean
tsr_profile_read_info (TsrProfile *self, GHashTable **info, GError **error)
{
  g_autoptr (GHashTable) pairs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  *info = NULL;
  if (!read_pairs (self, "report_info", pairs, error))
    return FALSE;
  *info = g_steal_pointer (&pairs);
  return TRUE;
}

gboolean
tsr_profile_read_engine_options (TsrProfile *self, GStrv *pairs, GError **error)
{
  g_autoptr (GHashTable) options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char **names = NULL;
  guint n;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  *pairs = NULL;
  if (!read_pairs (self, "engine_options", options, error))
    return FALSE;
  names = (char **)g_hash_table_get_keys_as_array (options, &n);
  qsort (names, n, sizeof *names, compare_names);
  *pairs = g_new0 (char *, 2 * n + 1);
  for (guint i = 0; i < n; i++)
    {
      (*pairs)[2 * i] = g_strdup (names[i]);
      (*pairs)[2 * i + 1] = g_strdup (g_hash_table_lookup (options, names[i]));
    }
  return TRUE;
}

/* A table of one row: reports the others. */
static void
report_more_rows (TsrProfileCursor *rows)
{
  g_autoptr (GError) ignored = NULL;

  if (tsr_profile_cursor_next (rows, &ignored))
    tsr_profile_cursor_report (rows, TSR_SEVERITY_ERROR, "row-repeated",
                               _ ("the table has more than one row; the first one counts"));
}

void
tsr_target_row_clear (TsrTargetRow *row)
{
  g_clear_pointer (&row->type, g_free);
  g_clear_pointer (&row->architecture, g_free);
}

gboolean
tsr_profile_read_target (TsrProfile *self, TsrTargetRow *row, gboolean *found, GError **error)
{
  static const char *const columns[]
      = { "type",          "architecture",   "num_ipus",        "ipus_per_replica",  "num_replicas",
          "tiles_per_ipu", "bytes_per_tile", "clock_frequency", "interleaved_start", NULL };
  const gint64 most_bytes = (gint64)1 << 40;
  g_auto (TsrProfileCursor) rows = { 0 };

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  *found = FALSE;
  *row = (TsrTargetRow){
    .num_ipus = TSR_UNKNOWN,
    .ipus_per_replica = TSR_UNKNOWN,
    .num_replicas = TSR_UNKNOWN,
    .tiles_per_ipu = TSR_UNKNOWN,
    .bytes_per_tile = TSR_UNKNOWN,
    .interleaved_start = TSR_UNKNOWN,
    .clock_frequency = NAN,
  };
  if (!tsr_profile_cursor_open (&rows, self, "target", columns, error))
    return FALSE;
  if (!tsr_profile_cursor_next (&rows, error))
    return !rows.failed;
  *found = TRUE;
  row->type = tsr_profile_cursor_dup_text (&rows, 0, FALSE);
  row->architecture = tsr_profile_cursor_dup_text (&rows, 1, FALSE);
  row->num_ipus = tsr_profile_cursor_get_int (&rows, 2, 1, TSR_MAX_TILES);
  row->ipus_per_replica = tsr_profile_cursor_get_int (&rows, 3, 1, TSR_MAX_TILES);
  row->num_replicas = tsr_profile_cursor_get_int (&rows, 4, 1, TSR_MAX_TILES);
  row->tiles_per_ipu = tsr_profile_cursor_get_int (&rows, 5, 1, TSR_MAX_TILES);
  row->bytes_per_tile = tsr_profile_cursor_get_int (&rows, 6, 1, most_bytes);
  row->clock_frequency = tsr_profile_cursor_get_double (&rows, 7);
  if (row->clock_frequency <= 0)
    {
      tsr_profile_cursor_report (&rows, TSR_SEVERITY_ERROR, "value-out-of-range",
                                 _ ("clock_frequency is %g, more than 0 is expected"),
                                 row->clock_frequency);
      row->clock_frequency = NAN;
    }
  row->interleaved_start = tsr_profile_cursor_get_int (&rows, 8, 0, most_bytes);
  report_more_rows (&rows);
  return TRUE;
}

gboolean
tsr_profile_read_graph (TsrProfile *self, TsrGraphRow *row, gboolean *found, GError **error)
{
  static const char *const columns[]
      = { "num_compute_sets", "num_vertices", "num_edges", "num_vars", NULL };
  g_auto (TsrProfileCursor) rows = { 0 };

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  *found = FALSE;
  row->num_compute_sets = row->num_vertices = row->num_edges = row->num_vars = TSR_UNKNOWN;
  if (!tsr_profile_cursor_open (&rows, self, "graph", columns, error))
    return FALSE;
  if (!tsr_profile_cursor_next (&rows, error))
    return !rows.failed;
  *found = TRUE;
  row->num_compute_sets = tsr_profile_cursor_get_int (&rows, 0, 0, TSR_MAX_SIZE);
  row->num_vertices = tsr_profile_cursor_get_int (&rows, 1, 0, TSR_MAX_SIZE);
  row->num_edges = tsr_profile_cursor_get_int (&rows, 2, 0, TSR_MAX_SIZE);
  row->num_vars = tsr_profile_cursor_get_int (&rows, 3, 0, TSR_MAX_SIZE);
  report_more_rows (&rows);
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tables and columns a profile has, and the readers of what stands in one row: identity,
 * options, target, graph. */

#include "config.h"

#include "tsr-profile.h"

#include "tsr-profile-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

struct _TsrProfile
{
  GObject parent_instance;

  TsrDatabase *database;
  TsrDiagnostics *diagnostics;
  GHashTable *tables; /* lower-case name to a set of lower-case column names */
  GStrv unknown;
};

G_DEFINE_FINAL_TYPE (TsrProfile, tsr_profile, G_TYPE_OBJECT)

/* The open report schema, and what is confirmed of Poplar's by name only. */
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
tsr_profile_finalize (GObject *object)
{
  TsrProfile *self = TSR_PROFILE (object);

  g_clear_object (&self->database);
  g_clear_pointer (&self->diagnostics, tsr_diagnostics_unref);
  g_clear_pointer (&self->tables, g_hash_table_unref);
  g_clear_pointer (&self->unknown, g_strfreev);
  G_OBJECT_CLASS (tsr_profile_parent_class)->finalize (object);
}

static void
tsr_profile_class_init (TsrProfileClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tsr_profile_finalize;
}

static void
tsr_profile_init (TsrProfile *self)
{
}

/* Adds the columns of @table; hidden ones of virtual tables are left out. */
static gboolean
probe_columns (TsrProfile *self, const char *table, GHashTable *columns, GError **error)
{
  char *sql = sqlite3_mprintf ("PRAGMA table_xinfo(%Q)", table);
  sqlite3_stmt *statement = tsr_database_prepare (self->database, NULL, sql, error);
  int code;

  sqlite3_free (sql);
  if (statement == NULL)
    return FALSE;
  while ((code = sqlite3_step (statement)) == SQLITE_ROW)
    {
      const char *column = (const char *)sqlite3_column_text (statement, 1);

      if (column != NULL && sqlite3_column_int (statement, 6) != 1)
        g_hash_table_add (columns, g_ascii_strdown (column, -1));
    }
  if (code != SQLITE_DONE)
    tsr_database_set_error (self->database, NULL, error);
  sqlite3_finalize (statement);
  return code == SQLITE_DONE;
}

static gboolean
probe_table (TsrProfile *self, const char *table, GStrvBuilder *unknown, GError **error)
{
  g_autoptr (GHashTable) columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *key = g_ascii_strdown (table, -1);
  GError *local_error = NULL;

  if (!g_strv_contains (known_tables, key))
    {
      g_autofree char *name = g_utf8_make_valid (table, -1);

      g_strv_builder_add (unknown, name);
    }
  if (!probe_columns (self, table, columns, &local_error))
    {
      if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, local_error);
          return FALSE;
        }
      /* A view over a table that is not there, a virtual table without its module: only this one is
       * lost. */
      tsr_diagnostics_add (self->diagnostics, TSR_SEVERITY_WARNING, "table-not-read",
                           tsr_profile_peek_file (self), table, TSR_NO_ROW, TSR_NO_ROW, "%s",
                           local_error->message);
      g_error_free (local_error);
      return TRUE;
    }
  g_hash_table_insert (self->tables, g_steal_pointer (&key), g_steal_pointer (&columns));
  return TRUE;
}

static gboolean
probe (TsrProfile *self, GError **error)
{
  sqlite3_stmt *statement
      = tsr_database_prepare (self->database, "sqlite_master",
                              "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
                              " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
                              error);
  g_autoptr (GStrvBuilder) unknown = g_strv_builder_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean ok = TRUE;
  int code;

  if (statement == NULL)
    return FALSE;
  while ((code = sqlite3_step (statement)) == SQLITE_ROW)
    g_ptr_array_add (names, g_strdup ((const char *)sqlite3_column_text (statement, 0)));
  if (code != SQLITE_DONE)
    tsr_database_set_error (self->database, "sqlite_master", error);
  sqlite3_finalize (statement);
  if (code != SQLITE_DONE)
    return FALSE;
  for (guint i = 0; ok && i < names->len; i++)
    if (g_ptr_array_index (names, i) != NULL)
      ok = probe_table (self, g_ptr_array_index (names, i), unknown, error);
  self->unknown = g_strv_builder_end (unknown);
  return ok;
}

TsrProfile *
tsr_profile_new (TsrDatabase *database, TsrDiagnostics *diagnostics, GError **error)
{
  g_autoptr (TsrProfile) self = g_object_new (TSR_TYPE_PROFILE, NULL);

  self->database = g_object_ref (database);
  self->diagnostics = tsr_diagnostics_ref (diagnostics);
  self->tables
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_hash_table_unref);
  if (!probe (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

TsrProfile *
tsr_profile_open_again (TsrProfile *self, GError **error)
{
  g_autoptr (TsrDatabase) database = tsr_database_open_again (self->database, error);
  TsrProfile *again;

  if (database == NULL)
    return NULL;
  again = g_object_new (TSR_TYPE_PROFILE, NULL);
  again->database = g_steal_pointer (&database);
  again->diagnostics = tsr_diagnostics_ref (self->diagnostics);
  again->tables = g_hash_table_ref (self->tables);
  again->unknown = g_strdupv (self->unknown);
  return again;
}

TsrDatabase *
tsr_profile_get_database (TsrProfile *self)
{
  return self->database;
}

TsrDiagnostics *
tsr_profile_peek_diagnostics (TsrProfile *self)
{
  return self->diagnostics;
}

const char *
tsr_profile_peek_file (TsrProfile *self)
{
  return tsr_source_get_base_name (tsr_database_get_source (self->database));
}

gboolean
tsr_profile_has_table (TsrProfile *self, const char *table)
{
  g_autofree char *key = g_ascii_strdown (table, -1);

  return g_hash_table_contains (self->tables, key);
}

gboolean
tsr_profile_has_column (TsrProfile *self, const char *table, const char *column)
{
  g_autofree char *key = g_ascii_strdown (table, -1);
  g_autofree char *name = g_ascii_strdown (column, -1);
  GHashTable *columns = g_hash_table_lookup (self->tables, key);

  return columns != NULL && g_hash_table_contains (columns, name);
}

gboolean
tsr_profile_has_rows (TsrProfile *self, const char *table)
{
  g_autofree char *sql = NULL;
  sqlite3_stmt *statement;
  gboolean has;

  if (!tsr_profile_has_table (self, table))
    return FALSE;
  sql = g_strdup_printf ("SELECT 1 FROM \"%s\" LIMIT 1", table);
  statement = tsr_database_prepare (self->database, table, sql, NULL);
  if (statement == NULL)
    return FALSE;
  has = sqlite3_step (statement) == SQLITE_ROW;
  sqlite3_finalize (statement);
  return has;
}

const char *const *
tsr_profile_get_unknown_tables (TsrProfile *self)
{
  return (const char *const *)self->unknown;
}

/* ----------------------------------------------------------- single rows */

gboolean
tsr_profile_read_info (TsrProfile *self, GHashTable **info, GError **error)
{
  static const char *const columns[] = { "name", "value", NULL };
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  TsrReader reader;

  tsr_reader_begin (&reader, self, "report_info", columns);
  while (tsr_reader_next (&reader))
    {
      g_autofree char *name = tsr_reader_dup_text (&reader, 0);
      g_autofree char *value = tsr_reader_dup_text (&reader, 1);

      if (name != NULL && value != NULL)
        g_hash_table_insert (table, g_steal_pointer (&name), g_steal_pointer (&value));
    }
  if (!tsr_reader_end (&reader, error))
    return FALSE;
  *info = g_steal_pointer (&table);
  return TRUE;
}

typedef struct
{
  char *name;
  char *value;
} Pair;

static void
pair_clear (gpointer data)
{
  g_free (((Pair *)data)->name);
  g_free (((Pair *)data)->value);
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  return strcmp (((const Pair *)a)->name, ((const Pair *)b)->name);
}

gboolean
tsr_profile_read_engine_options (TsrProfile *self, GStrv *pairs, GError **error)
{
  static const char *const columns[] = { "name", "value", NULL };
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  TsrReader reader;

  g_array_set_clear_func (rows, pair_clear);
  tsr_reader_begin (&reader, self, "engine_options", columns);
  while (tsr_reader_next (&reader))
    {
      Pair pair = { tsr_reader_dup_text (&reader, 0), tsr_reader_dup_text (&reader, 1) };

      if (pair.name != NULL)
        g_array_append_val (rows, pair);
      else
        g_free (pair.value);
    }
  g_array_sort (rows, compare_pairs);
  for (guint i = 0; i < rows->len; i++)
    {
      const Pair *pair = &g_array_index (rows, Pair, i);

      g_strv_builder_add (builder, pair->name);
      g_strv_builder_add (builder, pair->value != NULL ? pair->value : "");
    }
  *pairs = g_strv_builder_end (builder);
  return tsr_reader_end (&reader, error);
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
  static const char *const columns[] = {
    "type",          "architecture",   "num_ipus",          "ipus_per_replica", "num_replicas",
    "tiles_per_ipu", "bytes_per_tile", "interleaved_start", "clock_frequency",  NULL
  };
  TsrReader reader;

  tsr_reader_begin (&reader, self, "target", columns);
  *found = tsr_reader_next (&reader);
  if (!*found)
    return tsr_reader_end (&reader, error);
  row->type = tsr_reader_dup_text (&reader, 0);
  row->architecture = tsr_reader_dup_text (&reader, 1);
  row->num_ipus = tsr_reader_int (&reader, 2, 1, G_MAXUINT32);
  row->ipus_per_replica = tsr_reader_int (&reader, 3, 1, G_MAXUINT32);
  row->num_replicas = tsr_reader_int (&reader, 4, 1, G_MAXUINT32);
  row->tiles_per_ipu = tsr_reader_int (&reader, 5, 1, TSR_MAX_TILES);
  row->bytes_per_tile = tsr_reader_int (&reader, 6, 1, G_MAXUINT32);
  row->interleaved_start = tsr_reader_int (&reader, 7, 0, G_MAXUINT32);
  row->clock_frequency = tsr_reader_double (&reader, 8);
  if (!(row->clock_frequency > 0 && row->clock_frequency < 1e12))
    {
      if (!isnan (row->clock_frequency))
        tsr_reader_complain (&reader, "value-out-of-range", _ ("clock_frequency is %g Hz"),
                             row->clock_frequency);
      row->clock_frequency = NAN;
    }
  return tsr_reader_end (&reader, error);
}

gboolean
tsr_profile_read_graph (TsrProfile *self, TsrGraphRow *row, gboolean *found, GError **error)
{
  static const char *const columns[]
      = { "num_compute_sets", "num_vertices", "num_edges", "num_vars", NULL };
  TsrReader reader;

  tsr_reader_begin (&reader, self, "graph", columns);
  *found = tsr_reader_next (&reader);
  if (!*found)
    return tsr_reader_end (&reader, error);
  row->num_compute_sets = tsr_reader_size (&reader, 0);
  row->num_vertices = tsr_reader_size (&reader, 1);
  row->num_edges = tsr_reader_size (&reader, 2);
  row->num_vars = tsr_reader_size (&reader, 3);
  return tsr_reader_end (&reader, error);
}

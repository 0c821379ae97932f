/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Creates the database and writes all tables in the order of docs/report.sql. */

#include "config.h"

#include "tsr-gen-profile.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

static void
run_sql (TsrGenWriter *self, const char *sql)
{
  if (!self->failed && sqlite3_exec (self->db, sql, NULL, NULL, NULL) != SQLITE_OK)
    tsr_gen_fail (self, "SQL");
}

static void
open_database (TsrGenWriter *self, const char *path)
{
  if (sqlite3_open_v2 (path, &self->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL)
      != SQLITE_OK)
    tsr_gen_fail (self, path);
  run_sql (self, "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                 "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536;");
}

static void
write_arrays (TsrGenWriter *self)
{
  sqlite3_stmt *stmt = tsr_gen_insert_begin (self, "tile_arrays", 5);

  for (guint i = 0; i < self->arrays->arrays->len; i++)
    {
      const TsrGenArray *array = g_ptr_array_index (self->arrays->arrays, i);

      tsr_gen_insert (self, stmt, "iiuub", (gint64)i + 1, (gint64)array->encoding, array->total,
                      array->maximum, array->data);
    }
  tsr_gen_insert_end (stmt);
}

static void
write_all (TsrGenWriter *self, const char *path)
{
  g_autoptr (GBytes) schema
      = g_resources_lookup_data ("/io/github/tessera_ipu/generator/report.sql", 0, NULL);

  open_database (self, path);
  run_sql (self, "BEGIN");
  run_sql (self, g_bytes_get_data (schema, NULL));
  tsr_gen_write_report (self);
  tsr_gen_write_runs (self);
  tsr_gen_write_memory (self);
  tsr_gen_write_programs (self);
  tsr_gen_write_variables (self);
  tsr_gen_write_liveness (self);
  tsr_gen_write_steps (self);
  tsr_gen_write_rows (self);
  write_arrays (self);
  run_sql (self, "COMMIT");
  sqlite3_close (g_steal_pointer (&self->db));
}

/* What is marked [confirmed] in the schema, and nothing else.  Two tables are known by name only:
 * they have the columns that we would give them. */
static const char confirmed_sql[]
    = "CREATE TABLE memory_by_tile (total INTEGER);"
      "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE vars_string_table (id INTEGER PRIMARY KEY, value TEXT);"
      "CREATE TABLE vars_info (tile INTEGER, size_bytes INTEGER, category INTEGER);"
      "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE compute_sets (compute_set INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE steps (id INTEGER PRIMARY KEY, type TEXT, program INTEGER,"
      " compute_set INTEGER);"
      "CREATE TABLE steps_by_ipu (step_id INTEGER, cycles INTEGER, active_tiles INTEGER,"
      " cycles_base INTEGER, active_cycles_from_min INTEGER, active_cycles_to_max INTEGER);"
      "CREATE TABLE execution_cycle_totals (ipu INTEGER, total INTEGER);"
      "INSERT INTO memory_by_tile SELECT total FROM whole.memory_by_tile ORDER BY tile;"
      "INSERT INTO var_categories SELECT id, name FROM whole.var_categories ORDER BY id;"
      "INSERT INTO programs SELECT id, name FROM whole.programs ORDER BY id;"
      "INSERT INTO compute_sets SELECT compute_set, name FROM whole.compute_sets"
      " ORDER BY compute_set;"
      "INSERT INTO execution_cycle_totals SELECT ipu, total FROM whole.execution_cycle_totals"
      " ORDER BY rowid;"
      "INSERT INTO vars_string_table SELECT id, value FROM whole.vars_string_table ORDER BY id;"
      "INSERT INTO steps SELECT id, type, program, compute_set FROM whole.steps ORDER BY id;"
      "INSERT INTO steps_by_ipu SELECT step_id, cycles, active_tiles, cycles_base,"
      " active_cycles_from_min, active_cycles_to_max FROM whole.steps_by_ipu"
      " ORDER BY step_id, ipu;"
      "INSERT INTO vars_info SELECT tile, size_bytes, category FROM whole.vars_info ORDER BY id;";

static void
reduce (TsrGenWriter *self, const char *whole, const char *path)
{
  g_autofree char *attach = NULL;
  char *quoted = sqlite3_mprintf ("ATTACH %Q AS whole", whole);

  open_database (self, path);
  run_sql (self, quoted);
  sqlite3_free (quoted);
  run_sql (self, "BEGIN");
  run_sql (self, confirmed_sql);
  run_sql (self, "COMMIT; DETACH whole");
  sqlite3_close (g_steal_pointer (&self->db));
}

gboolean
tsr_gen_profile_write (TsrGenModel *model,
                       const char *path,
                       gboolean confirmed_only,
                       GError **error)
{
  g_autoptr (TsrGenArrays) arrays = tsr_gen_arrays_new ();
  g_autoptr (TsrGenClock) clock = tsr_gen_clock_new (model, arrays);
  g_autofree char *whole = confirmed_only ? g_strconcat (path, ".whole", NULL) : g_strdup (path);
  TsrGenWriter self = { .model = model, .clock = clock, .arrays = arrays, .error = error };

  tsr_gen_collect_arrays (&self);
  write_all (&self, whole);
  if (confirmed_only && !self.failed)
    reduce (&self, whole, path);
  if (confirmed_only)
    g_unlink (whole);
  if (self.failed)
    {
      g_clear_pointer (&self.db, sqlite3_close);
      g_unlink (path);
    }
  g_array_unref (self.program_arrays);
  g_array_unref (self.set_arrays);
  g_ptr_array_unref (self.count_arrays);
  g_free (self.code_arrays);
  return !self.failed;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Contexts to programs: a report with a small graph of programs, variables and their debug ids,
 * made of the first bytes, beside a debug.cbor of the rest.  In every layer each program and
 * variable has the operation that a walk along its contexts gives, and what operations have adds up
 * to the report's.
 *
 *   programs | variables | 4 bytes a program | 3 bytes a variable | debug.cbor
 */

#include "config.h"

#include "fuzz-place.h"
#include "fuzz.h"
#include "tsr-memory.h"
#include "tsr-operations.h"
#include "tsr-search.h"

#include <sqlite3.h>
#include <string.h>

#define MOST_PROGRAMS  32
#define MOST_VARIABLES 16

static const char schema[]
    = "CREATE TABLE target (type TEXT, architecture TEXT, num_ipus INTEGER, ipus_per_replica "
      "INTEGER, num_replicas INTEGER, tiles_per_ipu INTEGER, bytes_per_tile INTEGER, "
      "clock_frequency REAL, interleaved_start INTEGER);"
      "INSERT INTO target VALUES ('IPU', 'ipu2', 1, 1, 1, 2, 638976, 1.33e9, 212992);"
      "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total INTEGER);"
      "INSERT INTO memory_by_tile VALUES (0, 100), (1, 200);"
      "CREATE TABLE tile_arrays (id INTEGER PRIMARY KEY, format INTEGER, total INTEGER, maximum "
      "INTEGER, data BLOB);"
      "INSERT INTO tile_arrays VALUES (1, 1, 3, 2, x'01000200'), (2, 1, 30, 30, x'1e000000'), (3, "
      "1, 7, NULL, NULL);"
      "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT, type TEXT, callee INTEGER, "
      "debug_id INTEGER, code_bytes_by_tile INTEGER, control_code_by_tile INTEGER);"
      "CREATE TABLE program_children (parent INTEGER, position INTEGER, child INTEGER, PRIMARY KEY "
      "(parent, position)) WITHOUT ROWID;"
      "CREATE TABLE program_variables (program INTEGER, role INTEGER, variable INTEGER);"
      "CREATE TABLE variables (id INTEGER PRIMARY KEY, name TEXT, size_bytes INTEGER, always_live "
      "INTEGER, debug_id INTEGER);";

typedef struct
{
  const uint8_t *at, *end;
} Input;

static guint
take (Input *input)
{
  return input->at < input->end ? *input->at++ : 0;
}

static void
run_sql (sqlite3 *db, const char *format, ...)
{
  va_list args;
  char *sql;

  va_start (args, format);
  sql = sqlite3_vmprintf (format, args);
  va_end (args);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_free (sql);
}

/* An id of the file, where there is one; else a small number, which may be none. */
static gint64
choose_id (const TsrDebugRows *rows, guint choice)
{
  return rows != NULL && choice < rows->n ? (gint64)rows->id[choice] : (gint64)choice;
}

static GBytes *
make_profile (Input *input, guint n_programs, guint n_variables, const TsrDebugRows *rows)
{
  sqlite3 *db;
  sqlite3_int64 size;
  unsigned char *bytes;
  GBytes *profile;

  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  run_sql (db, "BEGIN; %s", schema);
  for (guint i = 0; i < n_programs; i++)
    {
      guint kind = take (input), parent = take (input), callee = take (input);
      gint64 id = choose_id (rows, take (input));

      run_sql (db, "INSERT INTO programs VALUES (%u, 'p%u', '%s', %u, %lld, %u, %u)", i, i % 5,
               kind & 1   ? "DoExchange"
               : kind & 2 ? "Call"
                          : "Sequence",
               callee % MOST_PROGRAMS, (long long)id, kind >> 2 & 3, kind >> 4 & 3);
      run_sql (db, "INSERT INTO program_children VALUES (%u, %u, %u)", parent % MOST_PROGRAMS, i,
               i);
      if (kind & 0x80)
        run_sql (db, "INSERT INTO program_variables VALUES (%u, %u, %u)", i, kind >> 6 & 1,
                 callee % MOST_VARIABLES);
    }
  for (guint i = 0; i < n_variables; i++)
    {
      gint64 id = choose_id (rows, take (input));
      guint size_bytes = take (input), life = take (input);

      run_sql (db, "INSERT INTO variables VALUES (%u, 'v%u', NULLIF (%u, 255), %u, %lld)", i, i % 3,
               size_bytes, life % 3, (long long)id);
    }
  run_sql (db, "COMMIT");
  bytes = sqlite3_serialize (db, "main", &size, 0);
  profile = g_bytes_new (bytes, size);
  sqlite3_free (bytes);
  sqlite3_close (db);
  return profile;
}

/* The context that what carries @debug_id belongs to: the nearest of the layer, of PopLibs the
 * outermost, else the nearest of Poplar. */
static guint32
walk_up (const TsrDebugTables *debug, const char *layer, gint64 debug_id)
{
  const gboolean is_poplibs = g_str_equal (layer, "poplibs") || g_str_equal (layer, "poplar");
  guint32 found = TSR_NO_INDEX, poplar = TSR_NO_INDEX;

  for (guint32 row = tsr_debug_tables_find (debug, debug_id); row != TSR_NO_INDEX;
       row = debug->parent[row])
    {
      const char *own
          = debug->layer[row] != TSR_DEBUG_NO_LAYER ? debug->layers[debug->layer[row]].name : "";

      if (!is_poplibs && g_str_equal (own, layer))
        return row;
      if (is_poplibs && g_str_equal (own, "poplibs"))
        found = row;
      if (is_poplibs && g_str_equal (own, "poplar") && poplar == TSR_NO_INDEX)
        poplar = row;
    }
  return found != TSR_NO_INDEX ? found : poplar;
}

/* Where one is unknown the total is; else they add up to it. */
static void
check_sum (const TsrOperations *operations, TsrOperationFigure figure)
{
  gint64 total = tsr_operations_get_total (operations, figure);
  gint64 sum = 0;

  for (guint i = 0; i < tsr_operations_get_n (operations); i++)
    {
      gint64 part = tsr_operations_get (operations, i, figure);

      sum = sum == TSR_UNKNOWN || part == TSR_UNKNOWN ? TSR_UNKNOWN : sum + part;
    }
  g_assert_cmpint (sum, ==, total);
}

static void
check_edges (TsrOperations *operations)
{
  for (guint i = 0; i < tsr_operations_get_n (operations); i++)
    for (guint produced = 0; produced < 2; produced++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (GArray) edges = tsr_operations_dup_edges (operations, i, produced, NULL, &error);

        fuzz_check_error (edges != NULL, error);
        for (guint k = 0; edges != NULL && k < edges->len; k++)
          {
            const TsrOperationEdge *edge = &g_array_index (edges, TsrOperationEdge, k);

            g_assert_cmpuint (produced ? edge->from : edge->to, ==, i);
            g_assert_cmpuint (edge->from, !=, edge->to);
            g_assert_true (edge->kinds != 0 && edge->name != NULL);
            g_assert_true (g_utf8_validate (edge->name, -1, NULL));
          }
      }
}

static void
check_layer (TsrPrograms *programs,
             const TsrDebugTables *debug,
             const char *layer,
             TsrMemory *memory,
             TsrVariables *variables)
{
  static const TsrOperationFigure sums[]
      = { TSR_OPERATION_PROGRAMS,  TSR_OPERATION_CONTROL_CODE, TSR_OPERATION_EXCHANGE_CODE,
          TSR_OPERATION_VARIABLES, TSR_OPERATION_ALWAYS_LIVE,  TSR_OPERATION_TEMPORARY };
  const TsrProgramTables *tables = tsr_programs_get_tables (programs);
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrOperations) operations
      = tsr_operations_new (programs, debug, layer, memory, variables, NULL, &error);
  guint n_programs = 0;
  guint n;

  fuzz_check_error (operations != NULL, error);
  if (operations == NULL)
    return;
  n = tsr_operations_get_n (operations);
  g_assert_true (tsr_operations_is_none (operations, n - 1));
  for (guint32 p = 0; p < tables->n_programs; p++)
    {
      guint operation = tsr_operations_of_program (operations, p);

      g_assert_cmpuint (operation, <, n);
      g_assert_cmpuint (tsr_operations_get_context (operations, operation), ==,
                        walk_up (debug, layer, tables->program_debug_id[p]));
    }
  for (guint v = 0; variables != NULL && v < tsr_variables_get_n (variables); v++)
    g_assert_cmpuint (
        tsr_operations_get_context (operations, tsr_operations_of_variable (operations, v)), ==,
        walk_up (debug, layer, tsr_variables_get_debug_id (variables, v)));
  for (guint i = 0; i < n; i++)
    {
      guint n_own, n_replaced;
      const guint32 *own = tsr_operations_get_programs (operations, i, &n_own);

      for (guint k = 0; k < n_own; k++)
        {
          g_assert_cmpuint (tsr_operations_of_program (operations, own[k]), ==, i);
          g_assert_true (k == 0 || own[k - 1] < own[k]);
        }
      n_programs += n_own;
      tsr_operations_get_replaced (operations, i, &n_replaced);
    }
  g_assert_cmpuint (n_programs, ==, tables->n_programs);
  for (guint32 row = 0; row < debug->n; row++)
    g_assert_cmpuint (tsr_operations_of_context (operations, row), <, n);
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    check_sum (operations, sums[i]);
  g_assert_true (tsr_operations_read_records (operations, NULL, NULL));
  check_edges (operations);
}

static void
ignore (gpointer data, const TsrFound *found, guint n)
{
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Input input = { data, data + size };
  guint n_programs, n_variables, n_head;
  g_autoptr (GBytes) debug_bytes = NULL;
  g_autoptr (GBytes) profile = NULL;
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrDebugRows) rows = NULL;
  g_autoptr (TsrPlace) place = fuzz_place_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrMemory) memory = NULL;
  g_autoptr (TsrVariables) variables = NULL;
  g_autoptr (TsrPrograms) programs = NULL;
  g_autoptr (TsrSearch) search = NULL;
  g_autoptr (GError) error = NULL;
  const TsrDebugTables *debug;

  fuzz_begin ();
  n_programs = 1 + take (&input) % (MOST_PROGRAMS - 1);
  n_variables = take (&input) % MOST_VARIABLES;
  n_head = MIN (2 + 4 * n_programs + 3 * n_variables, size);
  debug_bytes = g_bytes_new (data + n_head, size - n_head);
  source = tsr_bytes_source_new ("debug.cbor", debug_bytes);
  rows = tsr_debug_rows_read (source, NULL, diagnostics, NULL, NULL);
  input.end = data + n_head;
  profile = make_profile (&input, n_programs, n_variables, rows);
  fuzz_place_add (place, "/report/profile.pop", FUZZ_FILE, profile);
  fuzz_place_add (place, "/report/debug.cbor", FUZZ_FILE, debug_bytes);
  report = tsr_report_open_sync (place, "/report", TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  debug = tsr_report_get_debug_tables (report);
  g_assert_true ((rows != NULL) == (debug != NULL));
  memory = tsr_memory_new (report);
  variables = tsr_variables_new (report, NULL, NULL);
  g_assert_true ((variables != NULL) == (n_variables > 0));
  programs = tsr_programs_new (report, NULL, &error);
  g_assert_no_error (error);
  search = tsr_search_new (report, memory, variables, (1u << TSR_N_VIEWS) - 1);
  g_assert_true (tsr_search_run (search, "o", 10, ignore, NULL, NULL, NULL));
  if (debug == NULL)
    return 0;
  check_layer (programs, debug, "poplar", memory, variables);
  for (guint i = 0; i < debug->n_layers; i++)
    check_layer (programs, debug, debug->layers[i].name, memory, variables);
  for (guint32 row = 0; row < debug->n; row++)
    {
      guint32 program, context;

      tsr_search_find_carrier (search, row, &program, &context);
      g_assert_true (program == TSR_NO_INDEX || program < n_programs);
      g_assert_true ((program == TSR_NO_INDEX) == (context == TSR_NO_INDEX));
    }
  return 0;
}

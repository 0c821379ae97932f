/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a profile has, and its small tables: probing, identity, options, target, graph.  Every rule
 * of the readers has its own case; databases are made here with plain sqlite3. */

#include "config.h"

#include "profile-test.h"
#include "tsr-error.h"
#include "tsr-profile-cursor.h"
#include "tsr-profile-execution.h"
#include "tsr-profile-lowered.h"
#include "tsr-scan.h"
#include "tsr-structure.h"

#include <glib/gstdio.h>
#include <math.h>

static void
test_probe (Fixture *fixture, gconstpointer data)
{
  make (fixture,
        "CREATE TABLE Memory_By_TILE (TILE INTEGER PRIMARY KEY, Total INTEGER);"
        "INSERT INTO Memory_By_TILE VALUES (0, 5), (1, 7);"
        "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE x_secret (a, b); CREATE TABLE A_first (a);"
        "CREATE VIEW compute_sets AS SELECT 3 AS compute_set, 'three' AS name;"
        "CREATE TABLE graph (num_vars, twice AS (num_vars * 2), kept AS (num_vars + 1) STORED);"
        "CREATE INDEX i ON programs (name);"
        "CREATE TABLE var_categories (id INTEGER PRIMARY KEY AUTOINCREMENT); ANALYZE");
  g_assert_true (tsr_profile_has_table (fixture->profile, "memory_by_tile"));
  g_assert_true (tsr_profile_has_column (fixture->profile, "memory_by_tile", "total"));
  g_assert_false (tsr_profile_has_column (fixture->profile, "memory_by_tile", "overflowed"));
  g_assert_true (tsr_profile_has_rows (fixture->profile, "memory_by_tile"));
  g_assert_true (tsr_profile_has_table (fixture->profile, "programs"));
  g_assert_false (tsr_profile_has_rows (fixture->profile, "programs"));
  g_assert_false (tsr_profile_has_table (fixture->profile, "steps"));
  g_assert_false (tsr_profile_has_rows (fixture->profile, "steps"));
  g_assert_false (tsr_profile_has_column (fixture->profile, "steps", "id"));
  g_assert_true (tsr_profile_is_view (fixture->profile, "Compute_sets"));
  g_assert_false (tsr_profile_is_view (fixture->profile, "programs"));
  g_assert_false (tsr_profile_is_view (fixture->profile, "steps"));
  /* A view is a table; what is computed when it is read is no column. */
  g_assert_true (tsr_profile_has_column (fixture->profile, "compute_sets", "name"));
  g_assert_true (tsr_profile_has_column (fixture->profile, "graph", "kept"));
  g_assert_false (tsr_profile_has_column (fixture->profile, "graph", "twice"));
  g_assert_cmpstrv (tsr_profile_get_unknown_tables (fixture->profile),
                    ((const char *[]){ "A_first", "x_secret", NULL }));
  expect_no_diagnostics (fixture);
}

/* What a program's own code makes when it is read is left out, and so is what SQLite keeps for it.
 */
static void
test_virtual (Fixture *fixture, gconstpointer data)
{
  make (fixture, "CREATE VIRTUAL TABLE programs USING fts5 (name);"
                 "INSERT INTO programs VALUES ('main');"
                 "create virtual table Words USING fts5 (name);"
                 "CREATE TABLE compute_sets (compute_set INTEGER PRIMARY KEY, name);"
                 "INSERT INTO compute_sets VALUES (1, 'create virtual')");
  g_assert_false (tsr_profile_has_table (fixture->profile, "programs"));
  g_assert_false (tsr_profile_has_rows (fixture->profile, "programs"));
  g_assert_false (tsr_profile_is_view (fixture->profile, "programs"));
  g_assert_true (tsr_profile_has_rows (fixture->profile, "compute_sets"));
  g_assert_true (g_strv_contains (tsr_profile_get_unknown_tables (fixture->profile), "Words"));
  g_assert_true (
      g_strv_contains (tsr_profile_get_unknown_tables (fixture->profile), "programs_data"));
  g_assert_false (g_strv_contains (tsr_profile_get_unknown_tables (fixture->profile), "programs"));
  g_assert_cmpuint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 1);
  expect_diagnostic (fixture, "table-not-read", "programs", TSR_NO_ROW);
}

static void
test_bad_view (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) info = NULL;
  GError *error = NULL;

  make (fixture,
        "CREATE VIEW programs AS SELECT * FROM not_there;"
        "CREATE VIEW steps AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT i AS id, 'x' AS type FROM n;"
        "CREATE TABLE report_info (name, value); INSERT INTO report_info VALUES ('a', 'b')");
  g_assert_false (tsr_profile_has_table (fixture->profile, "programs"));
  expect_diagnostic (fixture, "table-not-read", "programs", TSR_NO_ROW);
  g_assert_false (tsr_profile_has_rows (fixture->profile, "steps"));
  g_assert_true (tsr_profile_read_info (fixture->profile, &info, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (g_hash_table_lookup (info, "a"), ==, "b");
}

/* Views that stand for a million others: SQLite would not come back from naming their columns. */
static void
test_view_bomb (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrJsonWriter) writer = tsr_json_writer_new_string (0);
  GString *sql = g_string_new ("CREATE VIEW w0 AS SELECT 1 AS id;");
  g_autoptr (TsrStringTable) strings = tsr_string_table_new ();
  g_auto (TsrTableRows) rows = { 0 };
  GError *error = NULL;

  for (guint i = 1; i <= 40; i++)
    g_string_append_printf (sql, "CREATE VIEW w%u AS SELECT x.id FROM w%u AS x, w%u AS y;", i,
                            i - 1, i - 1);
  g_string_append (sql, "CREATE VIEW programs AS SELECT id FROM w40;"
                        "CREATE VIEW compute_sets AS SELECT id AS compute_set FROM w1");
  make (fixture, sql->str);
  g_string_free (sql, TRUE);
  g_assert_true (
      tsr_profile_read_table (fixture->profile, TSR_TABLE_PROGRAMS, strings, &rows, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (rows.n, ==, 0);
  expect_diagnostic (fixture, "table-not-read", "programs", TSR_NO_ROW);
  g_assert_true (tsr_profile_has_rows (fixture->profile, "compute_sets"));
  g_assert_true (tsr_structure_write (tsr_profile_get_database (fixture->profile), FALSE, 0, writer,
                                      NULL, NULL, &error));
  g_assert_no_error (error);
}

/* A view that takes for ever is asked once, and costs only itself. */
static void
test_endless_view (Fixture *fixture, gconstpointer data)
{
  TsrGraphRow row;
  gboolean found = FALSE;
  GError *error = NULL;
  gint64 start, first;

  make (fixture, "CREATE TABLE t (a);"
                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
                 " INSERT INTO t SELECT i FROM n;"
                 "CREATE VIEW graph AS SELECT sum(a.a + b.a + c.a) AS num_vars FROM t AS a,"
                 " t AS b, t AS c");
  start = g_get_monotonic_time ();
  g_assert_false (tsr_profile_read_graph (fixture->profile, &row, &found, &error));
  first = g_get_monotonic_time () - start;
  g_assert_error (error, TSR_ERROR, TSR_ERROR_LIMIT);
  g_clear_error (&error);
  expect_diagnostic (fixture, "table-not-read", "graph", TSR_NO_ROW);
  start = g_get_monotonic_time ();
  g_assert_true (tsr_profile_read_graph (fixture->profile, &row, &found, &error));
  g_assert_no_error (error);
  g_assert_false (found);
  g_assert_false (tsr_profile_has_rows (fixture->profile, "graph"));
  g_test_message ("%.3f s at first", (double)first / G_USEC_PER_SEC);
  g_assert_cmpint (g_get_monotonic_time () - start, <, MAX (first / 2, G_USEC_PER_SEC));
}

/* A scan gives rows in the file's order, whatever index has all the columns. */
static void
test_scan_order (Fixture *fixture, gconstpointer data)
{
  static const char *const columns[] = { "id", "x", NULL };
  g_autoptr (TsrScan) scan = NULL;
  GError *error = NULL;

  make (fixture, "CREATE TABLE steps (id, x); CREATE INDEX i ON steps (id, x);"
                 "INSERT INTO steps VALUES (3, 1), (1, 2), (2, 3)");
  scan = tsr_scan_new (fixture->profile, "steps", columns, &error);
  g_assert_no_error (error);
  for (gint64 i = 1; i <= 3; i++)
    {
      g_assert_true (tsr_scan_next (scan, &error));
      g_assert_cmpint (tsr_scan_get_row (scan), ==, i);
      g_assert_cmpint (tsr_scan_get_int (scan, 1), ==, i);
    }
  /* It does not begin again. */
  for (guint i = 0; i < 3; i++)
    g_assert_false (tsr_scan_next (scan, &error));
  g_assert_no_error (error);
  g_clear_pointer (&scan, tsr_scan_free);

  /* Rows without rowid go by their first column, and where that is no number by their place. */
  make (fixture, "CREATE TABLE steps (x TEXT PRIMARY KEY, id) WITHOUT ROWID;"
                 "INSERT INTO steps VALUES ('b', 7), ('a', 8), ('c', 9)");
  for (guint by_id = 0; by_id < 2; by_id++)
    {
      g_autoptr (TsrScan) rows
          = tsr_scan_new (fixture->profile, "steps",
                          by_id ? columns : (const char *const[]){ "x", "id", NULL }, &error);

      g_assert_no_error (error);
      for (gint64 i = 0; i < 3; i++)
        {
          g_assert_true (tsr_scan_next (rows, &error));
          g_assert_false (tsr_scan_has_rowid (rows));
          g_assert_cmpint (tsr_scan_get_row (rows), ==, by_id ? (i == 0 ? 8 : i == 1 ? 7 : 9) : i);
        }
    }
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) info = NULL;
  g_auto (GStrv) options = NULL;
  TsrTargetRow target;
  TsrGraphRow graph;
  TsrTileRows tiles;
  TsrCategoryRows categories;
  TsrRegionRows regions;
  TsrTileCategoryRows shares;
  g_autoptr (TsrStringTable) strings = tsr_string_table_new ();
  const TsrStepKeys step_keys = { .max_types = 2 };
  const TsrSliceKeys slice_keys = { .n_ipus = 1 };
  TsrStepRows steps;
  TsrSliceRows slices;
  gboolean found = TRUE;

  make (fixture, "CREATE TABLE other (a)");
  g_assert_true (tsr_profile_read_info (fixture->profile, &info, NULL));
  g_assert_cmpuint (g_hash_table_size (info), ==, 0);
  g_assert_true (tsr_profile_read_engine_options (fixture->profile, &options, NULL));
  g_assert_cmpuint (g_strv_length (options), ==, 0);
  g_assert_true (tsr_profile_read_target (fixture->profile, &target, &found, NULL));
  g_assert_false (found);
  g_assert_true (tsr_profile_read_graph (fixture->profile, &graph, &found, NULL));
  g_assert_false (found);
  g_assert_true (tsr_profile_read_tiles (fixture->profile, TSR_UNKNOWN, &tiles, NULL));
  g_assert_cmpuint (tiles.n_tiles, ==, 0);
  g_assert_null (tiles.total);
  g_assert_true (tsr_profile_read_categories (fixture->profile, &categories, NULL));
  g_assert_cmpuint (categories.n_categories, ==, 0);
  g_assert_true (tsr_profile_read_regions (fixture->profile, 4, &regions, NULL));
  g_assert_false (regions.present);
  g_assert_true (
      tsr_profile_read_tile_categories (fixture->profile, 4, &categories, &shares, NULL));
  g_assert_false (shares.present);
  for (TsrTableKind kind = 0; kind < TSR_N_TABLES; kind++)
    {
      g_auto (TsrTableRows) rows = { 0 };

      g_assert_true (tsr_profile_read_table (fixture->profile, kind, strings, &rows, NULL));
      g_assert_cmpuint (rows.n, ==, 0);
    }
  g_assert_true (tsr_profile_scan_steps (fixture->profile, &step_keys, &steps, NULL, NULL));
  g_assert_true (tsr_profile_scan_slices (fixture->profile, &slice_keys, &slices, NULL, NULL));
  g_assert_cmpuint (steps.n + slices.n, ==, 0);
  tsr_tile_rows_clear (&tiles);
  tsr_step_rows_clear (&steps);
  tsr_slice_rows_clear (&slices);
  expect_no_diagnostics (fixture);
}

static void
test_info (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) info = NULL;
  g_auto (GStrv) options = NULL;

  make (
      fixture,
      "CREATE TABLE report_info (name, value);"
      "INSERT INTO report_info VALUES ('poplar_version', '3.1.0'), ('synthetic', 1),"
      " ('timestamp', NULL), (NULL, 'x'), ('poplar_version', 'other'), ('blob', x'00ff'),"
      " ('bad', CAST(x'61ff62' AS TEXT));"
      "CREATE TABLE engine_options (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
      "INSERT INTO engine_options VALUES ('target.b', 'true'), ('autoReport.all', '1'), ('c', '')");
  g_assert_true (tsr_profile_read_info (fixture->profile, &info, NULL));
  g_assert_cmpuint (g_hash_table_size (info), ==, 3);
  g_assert_cmpstr (g_hash_table_lookup (info, "poplar_version"), ==, "3.1.0");
  g_assert_cmpstr (g_hash_table_lookup (info, "synthetic"), ==, "1");
  g_assert_cmpstr (g_hash_table_lookup (info, "bad"), ==,
                   "a\xef\xbf\xbd"
                   "b");
  expect_diagnostic (fixture, "value-missing", "report_info", 4);
  expect_diagnostic (fixture, "row-repeated", "report_info", 5);
  expect_diagnostic (fixture, "value-of-wrong-type", "report_info", 6);
  expect_diagnostic (fixture, "text-not-utf8", "report_info", 7);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 4);
  g_assert_true (tsr_profile_read_engine_options (fixture->profile, &options, NULL));
  g_assert_cmpstrv (options,
                    ((const char *[]){ "autoReport.all", "1", "c", "", "target.b", "true", NULL }));
}

/* Without names or without values there are no pairs, which is told of the column that is missing.
 */
static void
test_half_pairs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) info = NULL;
  g_auto (GStrv) options = NULL;

  make (fixture, "CREATE TABLE report_info (name); INSERT INTO report_info VALUES ('a'), ('a');"
                 "CREATE TABLE engine_options (value); INSERT INTO engine_options VALUES (1)");
  g_assert_true (tsr_profile_read_info (fixture->profile, &info, NULL));
  g_assert_cmpuint (g_hash_table_size (info), ==, 0);
  g_assert_true (tsr_profile_read_engine_options (fixture->profile, &options, NULL));
  g_assert_cmpuint (g_strv_length (options), ==, 0);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 2);
  expect_diagnostic (fixture, "column-missing", "report_info", TSR_NO_ROW);
  expect_diagnostic (fixture, "column-missing", "engine_options", TSR_NO_ROW);
}

static void
test_target (Fixture *fixture, gconstpointer data)
{
  TsrTargetRow row;
  gboolean found = FALSE;

  make (fixture, "CREATE TABLE target (type, architecture, num_ipus, ipus_per_replica,"
                 " num_replicas, tiles_per_ipu, bytes_per_tile, clock_frequency);"
                 "INSERT INTO target VALUES ('Ipu', NULL, 4.0, 2, '2', 2147483648, -1, 1.33e9),"
                 " ('other', 'x', 1, 1, 1, 1, 1, 1)");
  g_assert_true (tsr_profile_read_target (fixture->profile, &row, &found, NULL));
  g_assert_true (found);
  g_assert_cmpstr (row.type, ==, "Ipu");
  g_assert_null (row.architecture);
  g_assert_cmpint (row.num_ipus, ==, 4); /* a real that is an integer */
  g_assert_cmpint (row.ipus_per_replica, ==, 2);
  g_assert_cmpint (row.num_replicas, ==, TSR_UNKNOWN); /* text */
  g_assert_cmpint (row.tiles_per_ipu, ==, TSR_UNKNOWN);
  g_assert_cmpint (row.bytes_per_tile, ==, TSR_UNKNOWN);
  g_assert_cmpint (row.interleaved_start, ==, TSR_UNKNOWN);
  g_assert_cmpfloat (row.clock_frequency, ==, 1.33e9);
  expect_diagnostic (fixture, "value-of-wrong-type", "target", 1);
  expect_diagnostic (fixture, "value-out-of-range", "target", 1);
  expect_diagnostic (fixture, "row-repeated", "target", 2);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 4);
  tsr_target_row_clear (&row);

  make (fixture, "CREATE TABLE target (type, architecture, num_ipus, ipus_per_replica,"
                 " num_replicas, tiles_per_ipu, bytes_per_tile, clock_frequency,"
                 " interleaved_start);"
                 "INSERT INTO target VALUES ('Ipu', 'Mk2', 16, 8, 2, 1472, 638976, 1.5e9, 4096)");
  g_assert_true (tsr_profile_read_target (fixture->profile, &row, &found, NULL));
  g_assert_cmpstr (row.type, ==, "Ipu");
  g_assert_cmpstr (row.architecture, ==, "Mk2");
  g_assert_cmpint (row.num_ipus, ==, 16);
  g_assert_cmpint (row.ipus_per_replica, ==, 8);
  g_assert_cmpint (row.num_replicas, ==, 2);
  g_assert_cmpint (row.tiles_per_ipu, ==, 1472);
  g_assert_cmpint (row.bytes_per_tile, ==, 638976);
  g_assert_cmpfloat (row.clock_frequency, ==, 1.5e9);
  g_assert_cmpint (row.interleaved_start, ==, 4096);
  expect_no_diagnostics (fixture);
  tsr_target_row_clear (&row);

  make (fixture, "CREATE TABLE target (clock_frequency); INSERT INTO target VALUES (0.5)");
  g_assert_true (tsr_profile_read_target (fixture->profile, &row, &found, NULL));
  g_assert_cmpfloat (row.clock_frequency, ==, 0.5);
  expect_no_diagnostics (fixture);
  tsr_target_row_clear (&row);

  /* Nothing stays of the one before. */
  make (fixture, "CREATE TABLE target (type, num_ipus)");
  g_assert_true (tsr_profile_read_target (fixture->profile, &row, &found, NULL));
  g_assert_false (found);
  g_assert_null (row.type);
  g_assert_cmpint (row.num_ipus, ==, TSR_UNKNOWN);
  g_assert_cmpint (row.bytes_per_tile, ==, TSR_UNKNOWN);
  g_assert_true (isnan (row.clock_frequency));
  tsr_target_row_clear (&row);
}

static void
test_clock (Fixture *fixture, gconstpointer data)
{
  static const char *const bad[] = { "0", "-5.0", "9e999", "'fast'", "x'01'" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *sql = g_strdup_printf ("CREATE TABLE target (clock_frequency);"
                                              "INSERT INTO target VALUES (%s)",
                                              bad[i]);
      TsrTargetRow row;
      gboolean found = FALSE;

      make (fixture, sql);
      g_assert_true (tsr_profile_read_target (fixture->profile, &row, &found, NULL));
      g_assert_true (found);
      g_assert_true (isnan (row.clock_frequency));
      g_assert_cmpuint (tsr_diagnostics_get_n_total (fixture->diagnostics), ==, 1);
      tsr_target_row_clear (&row);
    }
}

static void
test_graph (Fixture *fixture, gconstpointer data)
{
  TsrGraphRow row;
  gboolean found = FALSE;

  make (fixture, "CREATE TABLE graph (num_compute_sets, num_vertices, num_edges);"
                 "INSERT INTO graph VALUES (2041, 9007199254740993, 1.5)");
  g_assert_true (tsr_profile_read_graph (fixture->profile, &row, &found, NULL));
  g_assert_true (found);
  g_assert_cmpint (row.num_compute_sets, ==, 2041);
  g_assert_cmpint (row.num_vertices, ==, TSR_UNKNOWN); /* beyond 2^53 */
  g_assert_cmpint (row.num_edges, ==, TSR_UNKNOWN);
  g_assert_cmpint (row.num_vars, ==, TSR_UNKNOWN);
  expect_diagnostic (fixture, "value-out-of-range", "graph", 1);
  expect_diagnostic (fixture, "value-of-wrong-type", "graph", 1);
}

/* The name of the rowid is one that no column has. */
static void
test_rowid (Fixture *fixture, gconstpointer data)
{
  make (fixture, "CREATE TABLE a (x); CREATE TABLE b (_rowid_); CREATE TABLE c (_rowid_, RowId);"
                 "CREATE TABLE d (_rowid_, rowid, oid); CREATE TABLE e (rowid, oid);"
                 "CREATE TABLE f (x PRIMARY KEY) WITHOUT ROWID; CREATE VIEW g AS SELECT 1 AS x");
  g_assert_cmpstr (tsr_profile_get_rowid (fixture->profile, "a"), ==, "_rowid_");
  g_assert_cmpstr (tsr_profile_get_rowid (fixture->profile, "b"), ==, "rowid");
  g_assert_cmpstr (tsr_profile_get_rowid (fixture->profile, "c"), ==, "oid");
  g_assert_null (tsr_profile_get_rowid (fixture->profile, "d"));
  g_assert_cmpstr (tsr_profile_get_rowid (fixture->profile, "e"), ==, "_rowid_");
  g_assert_null (tsr_profile_get_rowid (fixture->profile, "f"));
  g_assert_null (tsr_profile_get_rowid (fixture->profile, "g"));
  /* In the order of their key are only those that have no rowid for that reason. */
  make (fixture,
        "CREATE TABLE a (x, y, PRIMARY KEY (x, y)) WITHOUT ROWID;"
        "CREATE TABLE b (x, y, PRIMARY KEY (y, x)) WITHOUT ROWID;"
        "CREATE TABLE c (x PRIMARY KEY); CREATE TABLE d (_rowid_, rowid, oid, x PRIMARY KEY);"
        "CREATE VIEW e AS SELECT * FROM a");
  for (guint i = 0; i < 5; i++)
    {
      const char table[] = { (char)('a' + i), '\0' };

      g_assert_cmpint (tsr_profile_is_key (fixture->profile, table, "x"), ==, i == 0);
      g_assert_cmpint (tsr_profile_is_key (fixture->profile, table, "y"), ==, i == 1);
    }
}

/* ------------------------------------------------------------------ picture */

#define PICTURE_ROWS 20000
#define PICTURE_SPAN (1024 * 256) /* cycles: each of the 1,024 columns has 256 */
#define PICTURE_IPUS 2

typedef struct
{
  const char *folder;
  const guint8 *step_type;
  guint n_shown;
} PictureTest;

/* What the first @n rows draw, row by row with the rules of the picture: the longest step of a
 * column, and no more columns than four a row, up to 4,096 of them put by. */
static void
draw_naively (const PictureTest *test, guint n, guint8 *type, gint64 *length)
{
  g_autofree char *path = g_build_filename (test->folder, "profile.pop", NULL);
  sqlite3_stmt *rows;
  sqlite3 *db;
  gint64 fill = 4096;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_prepare_v2 (db,
                      "SELECT step_id, ipu, cycles_base + active_cycles_from_max, cycles_base +"
                      " active_cycles_to_max FROM steps_by_ipu ORDER BY place LIMIT ?",
                      -1, &rows, NULL);
  sqlite3_bind_int64 (rows, 1, n);
  while (sqlite3_step (rows) == SQLITE_ROW)
    {
      const gint64 step = sqlite3_column_int64 (rows, 0);
      const gint64 ipu = sqlite3_column_int64 (rows, 1);
      const gint64 start = sqlite3_column_int64 (rows, 2);
      const gint64 end = sqlite3_column_int64 (rows, 3);
      const gint64 first = start / 256;
      const gint64 last = (end - 1) / 256;

      if (step > PICTURE_ROWS)
        continue;
      fill = MIN (fill + 4, 4096);
      if (ipu >= PICTURE_IPUS || start < 0 || end <= start || end > PICTURE_SPAN
          || last - first >= fill)
        continue;
      fill -= last - first;
      for (gint64 i = ipu * 1024 + first; i <= ipu * 1024 + last; i++)
        if (end - start > length[i])
          {
            length[i] = end - start;
            type[i] = test->step_type[step - 1];
          }
    }
  sqlite3_finalize (rows);
  sqlite3_close (db);
}

static void
on_picture (const TsrSlicePicture *picture, gpointer data)
{
  PictureTest *test = data;
  g_autofree guint8 *type = g_malloc (PICTURE_IPUS * 1024);
  g_autofree gint64 *length = g_new0 (gint64, PICTURE_IPUS * 1024);

  memset (type, 0xff, PICTURE_IPUS * 1024);
  test->n_shown++;
  draw_naively (test, test->n_shown * 8192, type, length);
  g_assert_cmpuint (picture->n_ipus, ==, PICTURE_IPUS);
  g_assert_cmpuint (picture->n_columns, ==, 1024);
  g_assert_cmpint (picture->from, ==, 0);
  g_assert_cmpint (picture->to, ==, PICTURE_SPAN);
  g_assert_cmpmem (picture->length, PICTURE_IPUS * 1024 * sizeof *length, length,
                   PICTURE_IPUS * 1024 * sizeof *length);
  g_assert_cmpmem (picture->type, PICTURE_IPUS * 1024, type, PICTURE_IPUS * 1024);
}

/* What is shown while rows are read is what the rows so far draw; its ends are those that the first
 * and the last 256 rows tell (257 of them by rowid).  Beside those are rows that would tell others,
 * and among them rows that tell nothing that can be. */
static void
test_picture (Fixture *fixture, gconstpointer data)
{
  for (guint by_key = 0; by_key < 2; by_key++)
    {
      const int last = PICTURE_ROWS - 256 + (int)by_key;
      g_autofree char *sql = g_strdup_printf (
          "CREATE TABLE steps_by_ipu (step_id INTEGER, ipu, cycles_base, active_cycles_from_min,"
          " active_cycles_from_max, active_cycles_to_max, place%s;"
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
          " INSERT INTO steps_by_ipu SELECT i, i %% 3, 13 * i, 0, i %% 5, 4 + i * i %% 97 + iif (i "
          "%%"
          " 100 = 0 AND i < 4000, 200000, 0), i FROM n;"
          "UPDATE steps_by_ipu SET active_cycles_from_min = -13 * place WHERE place = 256;"
          "UPDATE steps_by_ipu SET active_cycles_from_min = -13 * place - 50 WHERE place = 257;"
          "UPDATE steps_by_ipu SET cycles_base = -9007199254741002 WHERE place IN (5, %d);"
          "UPDATE steps_by_ipu SET active_cycles_from_min = -18014398509481984 WHERE place = 6;"
          "UPDATE steps_by_ipu SET cycles_base = 9007199254741002 WHERE place IN (7, %d);"
          "UPDATE steps_by_ipu SET cycles_base = NULL WHERE place IN (8, %d);"
          "UPDATE steps_by_ipu SET active_cycles_to_max = %d - cycles_base WHERE place = %d;"
          "UPDATE steps_by_ipu SET active_cycles_to_max = %d + 9 - cycles_base WHERE place = %d;",
          by_key ? ", PRIMARY KEY (step_id, ipu)) WITHOUT ROWID" : ")", PICTURE_ROWS,
          PICTURE_ROWS - 4, PICTURE_ROWS - 5, PICTURE_ROWS - 6, PICTURE_SPAN, last, PICTURE_SPAN,
          last - 1);
      g_autofree gint64 *ids = g_new (gint64, PICTURE_ROWS);
      g_autofree guint8 *types = g_new (guint8, PICTURE_ROWS);
      PictureTest test = { fixture->folder, types, 0 };
      TsrSliceKeys keys = { .n_ipus = 4,
                            .rows_for_two = G_MAXUINT,
                            .step_type = types,
                            .show = on_picture,
                            .data = &test,
                            .n_picture_ipus = PICTURE_IPUS };
      g_auto (TsrSliceRows) rows = { 0 };
      g_autoptr (GError) error = NULL;

      for (guint i = 0; i < PICTURE_ROWS; i++)
        {
          ids[i] = i + 1;
          types[i] = i * 7 % 5;
        }
      make (fixture, sql);
      tsr_id_index_init (&keys.steps, ids, PICTURE_ROWS);
      tsr_profile_scan_slices (fixture->profile, &keys, &rows, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (rows.n, ==, PICTURE_ROWS);
      g_assert_cmpuint (test.n_shown, ==, PICTURE_ROWS / 8192);
      /* Where all rows are read within the time between two, there is only the first. */
      {
        g_auto (TsrSliceRows) again = { 0 };

        test.n_shown = 0;
        keys.picture_interval = 20 * G_USEC_PER_SEC;
        tsr_profile_scan_slices (fixture->profile, &keys, &again, NULL, &error);
        g_assert_no_error (error);
        g_assert_cmpuint (test.n_shown, ==, 1);
        keys.picture_interval = 0;
        test.n_shown = PICTURE_ROWS / 8192;
      }
      /* Nothing to show where all is at one time, or the end is not told. */
      for (guint k = 0; k < 2; k++)
        {
          g_auto (TsrSliceRows) none = { 0 };

          make (fixture, sql);
          close_profile (fixture);
          tsr_test_sql (fixture->folder, "profile.pop",
                        k == 0 ? "UPDATE steps_by_ipu SET cycles_base = 5, active_cycles_from_min ="
                                 " 0, active_cycles_from_max = 0, active_cycles_to_max = 0"
                               : "UPDATE steps_by_ipu SET active_cycles_to_max = NULL");
          open_profile (fixture);
          tsr_profile_scan_slices (fixture->profile, &keys, &none, NULL, &error);
          g_assert_no_error (error);
          g_assert_cmpuint (none.n, ==, PICTURE_ROWS);
          g_assert_cmpuint (test.n_shown, ==, PICTURE_ROWS / 8192);
        }
      tsr_id_index_clear (&keys.steps);
    }
}

/* How many rows there will be is told before they are read: by their rowids, or by the first 64
 * values of the key; never more than the file has bytes for. */
static void
test_guess (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    guint n_steps, n_ipus; /* of each of the first 64 steps */
    guint n_later;         /* of the others */
    gboolean by_key;
    guint64 guess; /* 0: what the file has room for */
  } cases[] = { { 140001, 1, 1, FALSE, 140001 },
                { 8192, 35, 35, TRUE, 64 * 35 * 129 },
                { 3000, 80, 80, TRUE, 4096 * 47 },
                { 140000, 60, 1, TRUE, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint n = cases[i].n_steps;
      g_autofree char *sql = g_strdup_printf (
          "CREATE TABLE steps_by_ipu (step_id INTEGER, ipu, cycles_base, active_cycles_from_min,"
          " active_cycles_from_max, active_cycles_to_max%s;"
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %u),"
          " m(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM m WHERE k < %u)"
          " INSERT INTO steps_by_ipu SELECT i, k, i, 0, 0, 5 FROM n, m"
          " WHERE k < iif (i <= 64, %u, %u);",
          cases[i].by_key ? ", PRIMARY KEY (step_id, ipu)) WITHOUT ROWID" : ")", n,
          MAX (cases[i].n_ipus, cases[i].n_later) - 1, cases[i].n_ipus, cases[i].n_later);
      g_autofree gint64 *ids = g_new (gint64, n);
      g_autofree guint8 *types = g_new0 (guint8, n);
      TsrSliceKeys keys = { .n_ipus = 80, .rows_for_two = 2, .step_type = types };
      g_auto (TsrSliceRows) rows = { 0 };
      g_autoptr (TsrProgress) progress = tsr_progress_new ();
      g_autoptr (GError) error = NULL;
      guint64 done = 0, half = 0, guess = cases[i].guess;

      for (guint k = 0; k < n; k++)
        ids[k] = k + 1;
      make (fixture, sql);
      tsr_id_index_init (&keys.steps, ids, n);
      tsr_profile_scan_slices (fixture->profile, &keys, &rows, progress, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (rows.n, ==, 64 * cases[i].n_ipus + (guint64)(n - 64) * cases[i].n_later);
      /* Two read a half of the steps each, and tell it every 65,536 rows. */
      for (guint k = 0; k < n; k++)
        {
          half += k < 64 ? cases[i].n_ipus : cases[i].n_later;
          if (k + 1 == (n + 1) / 2 || k + 1 == n)
            {
              done += half / 65536 * 65536;
              half = 0;
            }
        }
      if (guess == 0)
        {
          GStatBuf status;

          g_assert_cmpint (g_stat (fixture->path, &status), ==, 0);
          guess = (guint64)status.st_size / 5;
        }
      g_assert_cmpfloat_with_epsilon (tsr_progress_get_fraction (progress),
                                      MIN (1., (double)done / (double)guess), 1e-9);
      tsr_id_index_clear (&keys.steps);
    }
}

/* Rows have the numbers of the file's where none is missing: at either end or between them, read by
 * one thread and by two. */
static void
test_first_row (Fixture *fixture, gconstpointer data)
{
  guint n_whole = 0;

  for (guint round = 0; round < 60; round++)
    {
      const guint n = g_test_rand_int_range (0, 9);
      const gint64 first = g_test_rand_int_range (-3, 4);
      const gint64 gap = g_test_rand_int_range (0, 12);
      gint64 ids[16];
      guint8 types[16] = { 0 };
      g_autoptr (GString) sql = g_string_new (
          "CREATE TABLE steps_by_ipu (step_id INTEGER, ipu, cycles_base, active_cycles_from_min,"
          " active_cycles_from_max, active_cycles_to_max);");

      for (guint i = 0; i < n; i++)
        {
          ids[i] = i + 1;
          g_string_append_printf (sql,
                                  "INSERT INTO steps_by_ipu (rowid, step_id, ipu, cycles_base,"
                                  " active_cycles_from_min, active_cycles_from_max,"
                                  " active_cycles_to_max)"
                                  " VALUES (%" G_GINT64_FORMAT ", %u, 0, %u, 0, 0, 5);",
                                  first + i + (i >= gap), i + 1, 10 * i);
        }
      n_whole += n > 0 && (gap == 0 || gap >= n);
      make (fixture, sql->str);
      for (guint two = 0; two < 2; two++)
        {
          TsrSliceKeys keys
              = { .n_ipus = 1, .rows_for_two = two ? 2 : G_MAXUINT, .step_type = types };
          g_auto (TsrSliceRows) rows = { 0 };
          g_autoptr (GError) error = NULL;

          tsr_id_index_init (&keys.steps, ids, n);
          tsr_profile_scan_slices (fixture->profile, &keys, &rows, NULL, &error);
          g_assert_no_error (error);
          g_assert_cmpuint (rows.n, ==, n);
          g_assert_cmpint (rows.first_row, ==,
                           n == 0 || (gap > 0 && gap < n) ? TSR_NO_ROW : first + (gap == 0));
          tsr_id_index_clear (&keys.steps);
        }
    }
  g_assert_cmpuint (n_whole, >, 5);
  g_assert_cmpuint (n_whole, <, 55);
}

/* One row after the other of two tables, by other columns each time or the same: what is kept of
 * the last question answers no other one. */
static void
test_rows_by_id (Fixture *fixture, gconstpointer data)
{
  static const char *const tables[] = { "runs", "steps" };
  static const char *const columns[][3] = { { "id", "x", NULL }, { "id", "y", NULL } };

  make (fixture, "CREATE TABLE runs (id INTEGER PRIMARY KEY, x, y);"
                 "CREATE TABLE steps (id INTEGER PRIMARY KEY, y, x);"
                 "INSERT INTO runs VALUES (1, 10, 11), (2, 20, 21), (3, 30, 31);"
                 "INSERT INTO steps VALUES (1, 110, 111), (3, 130, 131), (4, 140, 141);");
  for (guint round = 0; round < 80; round++)
    {
      const guint t = g_test_rand_int_range (0, 2), c = g_test_rand_int_range (0, 2);
      const int id = g_test_rand_int_range (1, 5);
      g_autofree char *sql = g_strdup_printf ("SELECT coalesce((SELECT %s FROM %s WHERE id = %d),"
                                              " -1)",
                                              columns[c][1], tables[t], id);
      g_auto (TsrProfileCursor) rows = { 0 };
      g_autoptr (GError) error = NULL;
      gint64 found = -1;

      g_assert_true (tsr_profile_cursor_open_where (&rows, fixture->profile, tables[t], columns[c],
                                                    id, &error));
      if (tsr_profile_cursor_next (&rows, &error))
        {
          found = tsr_profile_cursor_get_int (&rows, 1, 0, 1000);
          g_assert_cmpint (tsr_profile_cursor_get_int (&rows, 0, 0, 1000), ==, id);
          g_assert_false (tsr_profile_cursor_next (&rows, &error));
        }
      g_assert_no_error (error);
      g_assert_cmpint (found, ==, tsr_test_query (fixture->folder, "profile.pop", sql));
    }
}

/* Ids that count on and that do not, also just where two threads share the rows; without a key,
 * with one, and without rowids: one thread and two read what SQL has, and so do rows that are
 * appended. */
static void
test_lowered_halves (Fixture *fixture, gconstpointer data)
{
  static const char *const keys[]
      = { "(id INTEGER, tile, size_bytes)", "(id INTEGER PRIMARY KEY, tile, size_bytes)",
          "(id INTEGER PRIMARY KEY, tile, size_bytes) WITHOUT ROWID" };

  for (guint round = 0; round < 90; round++)
    {
      g_autoptr (GString) sql = g_string_new (NULL);
      const guint n = g_test_rand_int_range (0, 10);
      sqlite3 *db;

      g_string_printf (sql, "CREATE TABLE vars_info %s;", keys[round % G_N_ELEMENTS (keys)]);
      for (guint i = 0, id = 0; i < n; i++)
        {
          id += g_test_rand_int_range (0, 4) == 0 ? 5 : 1;
          g_string_append_printf (sql, "INSERT INTO vars_info VALUES (%u, %d, %d);", id,
                                  g_test_rand_int_range (0, 4), g_test_rand_int_range (0, 100));
        }
      make (fixture, sql->str);
      g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
      for (guint two = 0; two < 2; two++)
        {
          TsrLoweredKeys lowered
              = { .n_tiles = 4, .bytes_per_tile = 1000, .rows_for_two = two ? 2 : G_MAXUINT };
          TsrLoweredRows rows, copy = { 0 };
          gsize room = 0, i = 0;
          sqlite3_stmt *question;
          g_autoptr (GError) error = NULL;

          memset (&rows, 0xff, sizeof rows);
          tsr_profile_scan_lowered (fixture->profile, &lowered, &rows, NULL, &error);
          g_assert_no_error (error);
          g_assert_cmpuint (rows.n, ==, n);
          for (; i < n; i++)
            g_assert_true (tsr_lowered_rows_append (&copy, &room, &rows, i));
          g_assert_cmpuint (copy.n, ==, n);
          sqlite3_prepare_v2 (db, "SELECT id, tile, size_bytes FROM vars_info ORDER BY id", -1,
                              &question, NULL);
          for (i = 0; sqlite3_step (question) == SQLITE_ROW; i++)
            for (guint k = 0; k < 2; k++)
              {
                const TsrLoweredRows *one = k == 0 ? &rows : &copy;

                g_assert_cmpint (tsr_lowered_rows_get_id (one, i), ==,
                                 sqlite3_column_int64 (question, 0));
                g_assert_cmpuint (one->tile[i], ==, sqlite3_column_int64 (question, 1));
                g_assert_cmpuint (one->size[i], ==, sqlite3_column_int64 (question, 2));
              }
          g_assert_cmpuint (i, ==, n);
          sqlite3_finalize (question);
          tsr_lowered_rows_clear (&rows);
          tsr_lowered_rows_clear (&copy);
        }
      sqlite3_close (db);
    }
}

/* Batches in order, all of them or until no more are wanted. */
typedef struct
{
  guint n_calls, n_wanted;
  gsize n_rows;
} Stream;

static gboolean
take_batch (const TsrLoweredRows *rows, gpointer data)
{
  Stream *self = data;

  self->n_calls++;
  for (gsize i = 0; i < rows->n; i++)
    {
      g_assert_cmpint (tsr_lowered_rows_get_id (rows, i), ==, 2 * (gint64)(self->n_rows + i));
      g_assert_cmpuint (rows->size[i], ==, self->n_rows + i);
    }
  self->n_rows += rows->n;
  return self->n_calls < self->n_wanted;
}

static void
test_stream (Fixture *fixture, gconstpointer data)
{
  const TsrLoweredKeys keys = { .n_tiles = 8, .bytes_per_tile = TSR_UNKNOWN };

  make (fixture, "CREATE TABLE vars_info (id INTEGER PRIMARY KEY, tile, size_bytes, offset);"
                 "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49999)"
                 "INSERT INTO vars_info SELECT 2 * i, 0, i, 0 FROM n");
  for (guint wanted = 1; wanted < 9; wanted++)
    {
      Stream stream = { .n_wanted = wanted };
      g_autoptr (GError) error = NULL;

      g_assert_true (tsr_profile_stream_lowered (fixture->profile, &keys, G_MININT64, G_MAXINT64,
                                                 take_batch, &stream, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (stream.n_calls, ==, MIN (wanted, 7));
      g_assert_cmpuint (stream.n_rows, ==, MIN (wanted * 8192, 50000));
    }
  expect_no_diagnostics (fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/profile/probe", test_probe);
  add ("/profile/virtual", test_virtual);
  add ("/profile/bad-view", test_bad_view);
  add ("/profile/view-bomb", test_view_bomb);
  add ("/profile/endless-view", test_endless_view);
  add ("/profile/scan-order", test_scan_order);
  add ("/profile/empty", test_empty);
  add ("/profile/info", test_info);
  add ("/profile/half-pairs", test_half_pairs);
  add ("/profile/target", test_target);
  add ("/profile/clock", test_clock);
  add ("/profile/graph", test_graph);
  add ("/profile/rowid", test_rowid);
  add ("/profile/guess", test_guess);
  add ("/profile/first-row", test_first_row);
  add ("/profile/rows-by-id", test_rows_by_id);
  add ("/profile/picture", test_picture);
  add ("/profile/lowered-halves", test_lowered_halves);
  add ("/profile/stream", test_stream);
  return g_test_run ();
}

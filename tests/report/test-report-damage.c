/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs, liveness and lowered variables of files that are wrong in one way each: what is wrong
 * is told with table and row, the rest is read as it stands. */

#include "config.h"

#include "tables-test.h"

/* Four tiles of 1,000 bytes on two IPUs, the last of which overflows; ten steps; two classes; one
 * step of execution. */
static const char base[]
    = "CREATE TABLE target (num_ipus, ipus_per_replica, num_replicas, tiles_per_ipu,"
      " bytes_per_tile);"
      "INSERT INTO target VALUES (2, 2, 1, 2, 1000);"
      "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, overflowed);"
      "INSERT INTO memory_by_tile VALUES (0, 500, 0), (1, 500, 0), (2, 500, 0), (3, 1200, 200);"
      "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name, allocated_bytes);"
      "INSERT INTO var_categories VALUES (0, 'variable', 1), (5, 'stack', 1);"
      "CREATE TABLE memory_by_tile_category (tile, category, region, non_overlapped, overlapped);"
      "INSERT INTO memory_by_tile_category VALUES (0, 0, 0, 464, 0);"
      "CREATE TABLE vars_string_table (id INTEGER PRIMARY KEY, value TEXT);"
      "INSERT INTO vars_string_table VALUES (3, 'a'), (4, 'b');"
      "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT, type TEXT, compute_set, callee);"
      "INSERT INTO programs VALUES (10, 'main', 'Sequence', NULL, NULL),"
      " (11, 'cs', 'OnTileExecute', 0, NULL), (12, 'call', 'Call', NULL, 10);"
      "CREATE TABLE program_children (parent, position, child);"
      "INSERT INTO program_children VALUES (10, 1, 12), (10, 0, 11);"
      "CREATE TABLE compute_sets (compute_set INTEGER PRIMARY KEY, name TEXT,"
      " estimated_cycles_by_tile);"
      "INSERT INTO compute_sets VALUES (0, 'cs', 1);"
      "CREATE TABLE vertex_types (id INTEGER PRIMARY KEY, name TEXT, size_bytes);"
      "INSERT INTO vertex_types VALUES (0, 'popops::Add', 24);"
      "CREATE TABLE compute_set_vertices (compute_set, vertex_type, count);"
      "INSERT INTO compute_set_vertices VALUES (0, 0, 8);"
      "CREATE TABLE tile_arrays (id INTEGER PRIMARY KEY, encoding, total, maximum, data BLOB);"
      "INSERT INTO tile_arrays VALUES (1, 3, 20, 5, x'05000000');"
      "CREATE TABLE liveness_steps (step INTEGER PRIMARY KEY, program, not_always_live_bytes);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)"
      " INSERT INTO liveness_steps SELECT i, 11, i * 10 FROM n;"
      "CREATE TABLE liveness_by_ipu (step, ipu, not_always_live_bytes);"
      "CREATE TABLE variables (id INTEGER PRIMARY KEY, name TEXT, size_bytes, always_live);"
      "INSERT INTO variables VALUES (100, 'w', 400, 1), (101, 'x', 64, 0), (105, 'y', 32, 0);"
      "CREATE TABLE variables_by_ipu (variable, ipu, size_bytes);"
      "CREATE TABLE variable_lifetimes (variable, start_step, end_step, size_bytes);"
      "INSERT INTO variable_lifetimes VALUES (101, 0, 3, 64), (101, 5, 8, 64), (105, 2, 6, 32);"
      "CREATE TABLE equivalence_class_intervals (equivalence_class, start_step, end_step);"
      "INSERT INTO equivalence_class_intervals VALUES (7, 0, 3), (7, 5, 8), (9, 2, 6);"
      "CREATE TABLE vars_info (id INTEGER PRIMARY KEY, tile, size_bytes, category, name, variable,"
      " offset, always_live, equivalence_class, alignment);"
      "INSERT INTO vars_info VALUES (0, 0, 400, 0, 3, 100, 0, 1, NULL, 8),"
      " (1, 0, 64, 0, 4, 101, 400, 0, 7, 8), (2, 1, 32, 0, 4, 105, 0, 0, 9, 4),"
      " (3, 3, 200, 5, 3, NULL, 1000, 1, NULL, 8);"
      "CREATE TABLE steps (id INTEGER PRIMARY KEY, type TEXT, program, compute_set);"
      "INSERT INTO steps VALUES (0, 'OnTileExecute', 11, 0);"
      "CREATE TABLE steps_by_ipu (step_id, cycles, active_tiles, cycles_base,"
      " active_cycles_from_min, active_cycles_to_max);"
      "INSERT INTO steps_by_ipu VALUES (0, 10, 2, 100, 0, 10);";

/* (transfer full): the report of @base after @sql, its folder gone; all stages ended. */
static TsrReport *
open_damaged (const char *sql)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *all = g_strconcat (base, sql, NULL);
  TsrReport *report;

  tsr_test_sql (folder, "profile.pop", all);
  report = open_tables (folder, TSR_LOAD_ALL);
  tsr_test_folder_free (folder);
  for (guint i = 0; i < TSR_N_STAGES; i++)
    g_assert_cmpint (tsr_report_get_stage_state (report, i), >=, TSR_STAGE_READY);
  return report;
}

/* The same, and what is said of it, and what it holds, is noted. */
static TsrReport *
damage (const char *sql)
{
  TsrReport *report = open_damaged (sql);

  note_said (report, sql, open_damaged);
  return report;
}

/* The intervals of the class with @id as text: "0-3 5-8". */
static char *
dup_intervals (const TsrLoweredTables *tables, gint64 id)
{
  GString *text = g_string_new (NULL);

  for (guint c = 0; c < tables->n_classes; c++)
    for (gsize i = tables->interval_start[c];
         tables->class_id[c] == id && i < tables->interval_start[c + 1]; i++)
      g_string_append_printf (text, "%s%u-%u", text->len > 0 ? " " : "", tables->interval_from[i],
                              tables->interval_to[i]);
  return g_string_free (text, FALSE);
}

static void
assert_intervals (TsrReport *report, gint64 id, const char *expected)
{
  g_autofree char *text = dup_intervals (tsr_report_get_lowered_tables (report), id);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_base (void)
{
  g_autoptr (TsrReport) report = damage ("SELECT 1");
  const TsrLoweredTables *lowered = tsr_report_get_lowered_tables (report);
  const TsrProgramTables *programs = tsr_report_get_program_tables (report);

  g_assert_cmpuint (count_all (report), ==, 0);
  assert_intervals (report, 7, "0-3 5-8");
  assert_intervals (report, 9, "2-6");
  g_assert_cmpuint (lowered->n_tiles, ==, 4);
  g_assert_cmpuint (lowered->variable[2], ==, 2);
  g_assert_cmpuint (lowered->category[3], ==, 1);
  g_assert_cmpuint (lowered->alignment[2], ==, 2);
  /* In the order of positions, not of the file. */
  g_assert_cmpuint (programs->child[0], ==, 1);
  g_assert_cmpuint (programs->child[1], ==, 2);
}

/* --------------------------------------------------------------- intervals */

static void
test_intervals (void)
{
  g_autoptr (TsrReport) report
      = damage ("INSERT INTO equivalence_class_intervals VALUES (9, 6, 2), (9, 4, 4), (9, 8, 99),"
                " (9, -5, 1), (7, 2, 5), (9, 20, 30), (7, NULL, 3), (9, 'x', 3);");

  assert_intervals (report, 9, "0-1 2-6 8-10");
  assert_intervals (report, 7, "0-8");
  g_assert_cmpuint (count_diagnostics (report, "interval-inverted", "equivalence_class_intervals"),
                    ==, 2);
  g_assert_cmpint (find_row (report, "interval-inverted", "equivalence_class_intervals"), ==, 5);
  g_assert_cmpuint (
      count_diagnostics (report, "interval-out-of-range", "equivalence_class_intervals"), ==, 3);
  g_assert_cmpuint (count_diagnostics (report, "intervals-overlap", "equivalence_class_intervals"),
                    ==, 1);
  g_assert_cmpuint (count_diagnostics (report, "value-missing", "equivalence_class_intervals"), ==,
                    1);
  g_assert_cmpuint (
      count_diagnostics (report, "value-of-wrong-type", "equivalence_class_intervals"), ==, 1);
  g_assert_cmpuint (count_all (report), ==, 8);
}

/* Touching ones are one, without a word. */
static void
test_touching (void)
{
  g_autoptr (TsrReport) report
      = damage ("INSERT INTO equivalence_class_intervals VALUES (9, 6, 8), (9, 8, 10);");

  assert_intervals (report, 9, "2-10");
  g_assert_cmpuint (count_all (report), ==, 0);
}

/* A million on one class, from the last to the first, every other one inverted. */
static void
test_many_intervals (void)
{
  const guint n = tsr_test_rounds (500000);
  g_autofree char *sql = g_strdup_printf (
      "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < %u)"
      " INSERT INTO liveness_steps SELECT i, NULL, 0 FROM n;"
      "WITH RECURSIVE n(i) AS (SELECT %u UNION ALL SELECT i - 1 FROM n WHERE i > 0)"
      " INSERT INTO equivalence_class_intervals"
      "  SELECT 9, 2 * i, 2 * i + 1 FROM n UNION ALL SELECT 9, i, i - 1 FROM n;",
      2 * n - 1, n - 1);
  g_autoptr (TsrReport) report = damage (sql);
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (report);
  guint c = 1;

  g_assert_cmpint (tables->class_id[c], ==, 9);
  /* Steps 2 to 6 are live by one interval, the others by turns. */
  g_assert_cmpuint (tables->interval_start[c + 1] - tables->interval_start[c], ==, n - 2);
  for (gsize i = tables->interval_start[c] + 3; i < tables->interval_start[c + 1]; i++)
    g_assert_cmpuint (tables->interval_from[i], ==, tables->interval_from[i - 1] + 2);
  g_assert_cmpuint (count_diagnostics (report, "interval-inverted", "equivalence_class_intervals"),
                    ==, n);
  g_assert_cmpuint (tsr_diagnostics_get_n_kept (tsr_report_get_diagnostics (report)), <, 100);
}

static void
test_unknown_class (void)
{
  g_autoptr (TsrReport) report
      = damage ("UPDATE vars_info SET equivalence_class = 8 WHERE id = 1;"
                "INSERT INTO equivalence_class_intervals VALUES (1000000000000, 1, 2);");
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (report);

  g_assert_cmpuint (tables->equivalence_class[1], ==, TSR_NO_INDEX);
  g_assert_cmpuint (tables->equivalence_class[2], ==, 0);
  /* What no row names is not there. */
  g_assert_cmpuint (tables->n_classes, ==, 1);
  g_assert_cmpint (tables->class_id[0], ==, 9);
  assert_intervals (report, 9, "2-6");
  g_assert_cmpint (find_row (report, "reference-broken", "vars_info"), ==, 1);
  g_assert_cmpuint (count_all (report), ==, 1);
}

/* With no interval left nobody knows when it is live; that is not the same as never. */
static void
test_empty_class (void)
{
  g_autoptr (TsrReport) report
      = damage ("UPDATE equivalence_class_intervals SET end_step = start_step"
                " WHERE equivalence_class = 7;");
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (report);

  g_assert_cmpuint (tables->n_classes, ==, 1);
  g_assert_cmpuint (tables->equivalence_class[1], ==, TSR_NO_INDEX);
  g_assert_cmpuint (tables->equivalence_class[2], ==, 0);
  assert_intervals (report, 9, "2-6");
  g_assert_cmpuint (count_diagnostics (report, "interval-inverted", "equivalence_class_intervals"),
                    ==, 2);
}

/* ------------------------------------------------------------------ values */

static void
test_values (void)
{
  g_autoptr (TsrReport) report
      = damage ("INSERT INTO vars_info VALUES (4, 3, -1, 0, 3, 100, 0, 1, NULL, 8),"
                " (5, 3, 4611686018427387904, 0, 3, 100, -8, 1, NULL, 12),"
                " (6, 3, 'big', 77, 99, 999, 0, 2, NULL, 0),"
                " (7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
                " (8, 4, 4294967295, 0, 3, 100, 4294967294, 1, 9, 2147483648),"
                " (9, -1, 4294967294, 0, 3, 100, 0, 1, NULL, 1),"
                " (10, 2.0, 8.0, 0.0, 3, 100, 0, 1, NULL, 1.5);");
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (report);
  static const guint32 sizes[] = { TSR_LOWERED_UNKNOWN,
                                   TSR_LOWERED_UNKNOWN,
                                   TSR_LOWERED_UNKNOWN,
                                   TSR_LOWERED_UNKNOWN,
                                   TSR_LOWERED_UNKNOWN,
                                   4294967294u,
                                   8 };
  static const guint32 tiles[] = { 3, 3, 3, TSR_NO_INDEX, TSR_NO_INDEX, TSR_NO_INDEX, 2 };
  static const guint8 alignments[] = { 3, 255, 255, 255, 31, 0, 255 };

  g_assert_cmpuint (tables->n, ==, 11);
  for (guint i = 0; i < 7; i++)
    {
      g_assert_cmpuint (tables->size[4 + i], ==, sizes[i]);
      g_assert_cmpuint (tables->tile[4 + i], ==, tiles[i]);
      g_assert_cmpuint (tables->alignment[4 + i], ==, alignments[i]);
    }
  g_assert_cmpuint (tables->offset[5], ==, TSR_LOWERED_UNKNOWN);
  g_assert_cmpuint (tables->offset[8], ==, 4294967294u);
  g_assert_cmpuint (tables->category[6], ==, TSR_NO_CATEGORY);
  g_assert_cmpuint (tables->name[6], ==, TSR_NO_STRING);
  g_assert_cmpuint (tables->variable[6], ==, TSR_NO_INDEX);
  g_assert_cmpuint (tables->always_live[6], ==, 255);
  g_assert_cmpuint (tables->always_live[7], ==, 255);
  /* Always live: no class. */
  g_assert_cmpuint (tables->equivalence_class[8], ==, TSR_NO_INDEX);
  g_assert_cmpuint (count_diagnostics (report, "class-unexpected", "vars_info"), ==, 1);
  /* -1 and 2^62 and 4294967295, offset -8, alignments 12 and 0, tiles 4 and -1, always_live 2. */
  g_assert_cmpuint (count_diagnostics (report, "value-out-of-range", "vars_info"), ==, 9);
  g_assert_cmpuint (count_diagnostics (report, "value-of-wrong-type", "vars_info"), ==, 2);
  /* Category 77, name 99, variable 999. */
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "vars_info"), ==, 3);
  /* Tile, size, always_live and category of row 7. */
  g_assert_cmpuint (count_diagnostics (report, "value-missing", "vars_info"), ==, 4);
  /* Rows of tiles: 4 to 6 and the last one are on some, out of order. */
  g_assert_nonnull (tables->by_tile);
  g_assert_cmpuint (tables->tile_start[4], ==, 8);
  g_assert_cmpuint (tables->by_tile[tables->tile_start[2]], ==, 10);
  g_assert_cmpuint (tables->by_tile[tables->tile_start[3]], ==, 3);
  g_assert_cmpuint (tables->by_tile[tables->tile_start[3] + 3], ==, 6);
}

/* Beyond the memory of a tile is an error only where the tile does not overflow; kept it is. */
static void
test_beyond_tile (void)
{
  g_autoptr (TsrReport) report
      = damage ("INSERT INTO vars_info VALUES (4, 1, 10, 0, 3, 100, 995, 1, NULL, 8),"
                " (5, 1, 10, 0, 3, 100, 990, 1, NULL, 8), (6, 3, 8, 0, 3, 100, 1192, 1, NULL, 8),"
                " (7, 2, 10, 0, 3, 100, 4000000000, 1, NULL, 8);");
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (report);

  g_assert_cmpuint (count_diagnostics (report, "beyond-tile", "vars_info"), ==, 2);
  g_assert_cmpint (find_row (report, "beyond-tile", "vars_info"), ==, 4);
  g_assert_cmpuint (count_all (report), ==, 2);
  g_assert_cmpuint (tables->offset[4], ==, 995);
  g_assert_cmpuint (tables->offset[7], ==, 4000000000u);
}

/* Each of a hundred thousand rows is wrong in nine ways, and it costs no texts. */
static void
test_all_wrong (void)
{
  g_autoptr (TsrReport) report
      = damage ("DELETE FROM vars_info;"
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)"
                " INSERT INTO vars_info SELECT i, -1, -1, 9, 9, 9, -1, 9, 77, 3 FROM n;");
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (report);

  g_assert_cmpuint (tables->n, ==, 100000);
  g_assert_cmpuint (count_diagnostics (report, "value-out-of-range", "vars_info"), ==, 500000);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "vars_info"), ==, 400000);
  g_assert_cmpuint (count_all (report), ==, 900000);
  /* In the order of the file, although two threads read it. */
  g_assert_cmpint (find_row (report, "value-out-of-range", "vars_info"), ==, 0);
  g_assert_cmpuint (tables->tile_start[4], ==, 0);
}

/* --------------------------------------------------------------------- ids */

/* @sql makes another vars_info of the same columns and rows: the numbers must not differ. */
static void
check_same_rows (const char *sql, const gint64 *ids)
{
  g_autoptr (TsrReport) report = damage (sql);
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (report);

  g_assert_nonnull (tables);
  g_assert_cmpuint (tables->n, ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (tables->id != NULL ? tables->id[i] : tables->first_id + i, ==, ids[i]);
  g_assert_cmpuint (tables->size[0], ==, 400);
  g_assert_cmpuint (tables->size[1], ==, 64);
  g_assert_cmpuint (tables->size[2], ==, 32);
  g_assert_cmpuint (tables->tile_start[1], ==, 2);
  g_assert_cmpuint (tables->tile_start[4], ==, 4);
  assert_intervals (report, 7, "0-3 5-8");
  g_assert_cmpuint (count_all (report), ==, 0);
}

static void
test_ids (void)
{
  const gint64 plain[] = { 0, 1, 2, 3 };
  const gint64 shifted[] = { -2, -1, 0, 1 };
  const gint64 holes[] = { 0, 1, 1000000000000, G_MAXINT64 };
  const gint64 least[] = { G_MININT64 + 1, 1, 2, 3 };
  const gint64 none[] = { TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };

  check_same_rows ("UPDATE vars_info SET id = id + 10; UPDATE vars_info SET id = id - 12;",
                   shifted);
  check_same_rows ("UPDATE vars_info SET id = 9223372036854775807 WHERE id = 3;"
                   "UPDATE vars_info SET id = 1000000000000 WHERE id = 2;",
                   holes);
  check_same_rows ("UPDATE vars_info SET id = -9223372036854775807 WHERE id = 0;", least);
  /* Other kinds of tables. */
  check_same_rows ("ALTER TABLE vars_info RENAME TO t; CREATE VIEW vars_info AS SELECT * FROM t;",
                   plain);
  check_same_rows (
      "ALTER TABLE vars_info RENAME TO t; CREATE TABLE vars_info (id INTEGER PRIMARY KEY, tile,"
      " size_bytes, category, name, variable, offset, always_live, equivalence_class, alignment)"
      " WITHOUT ROWID; INSERT INTO vars_info SELECT * FROM t;",
      plain);
  check_same_rows ("CREATE TABLE t AS SELECT tile, size_bytes, category, name, variable, offset,"
                   " always_live, equivalence_class, alignment FROM vars_info;"
                   "DROP TABLE vars_info; CREATE VIEW vars_info AS SELECT * FROM t;",
                   none);
  /* Without the column it is the rowid. */
  check_same_rows (
      "CREATE TABLE t AS SELECT * FROM vars_info; DROP TABLE vars_info;"
      "CREATE TABLE vars_info (tile, size_bytes, category, name, variable, offset, always_live,"
      " equivalence_class, alignment);"
      "INSERT INTO vars_info (rowid, tile, size_bytes, category, name, variable, offset,"
      "  always_live, equivalence_class, alignment) SELECT * FROM t;",
      plain);
  /* The ids are no rowids, and other ids than these. */
  check_same_rows (
      "CREATE TABLE t AS SELECT * FROM vars_info ORDER BY id; DROP TABLE vars_info;"
      "ALTER TABLE t RENAME TO vars_info; UPDATE vars_info SET id = -9223372036854775807"
      " WHERE rowid = 1;",
      least);
}

/* Rows that two threads read: with holes everywhere, in one half only, and all in one half. */
static void
test_halves (void)
{
  static const char *const wheres[] = { "1",         "i % 3 != 1",         "i < 50000 OR i % 5 = 0",
                                        "i > 60000", "i = 0 OR i > 99990", "i < 10 OR i = 100000" };

  for (guint i = 0; i < G_N_ELEMENTS (wheres); i++)
    {
      g_autofree char *sql = g_strdup_printf (
          "DELETE FROM vars_info;"
          "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
          " INSERT INTO vars_info SELECT i, i %% 4, i, 0, 3, 101, 0, 0, 7, 8 FROM n WHERE %s;"
          "UPDATE memory_by_tile SET overflowed = 1;",
          wheres[i]);
      char *folder = tsr_test_folder_new ();
      g_autoptr (TsrReport) report = NULL;
      const TsrLoweredTables *tables;
      Question q;
      gsize n = 0;

      tsr_test_sql (folder, "profile.pop", base);
      tsr_test_sql (folder, "profile.pop", sql);
      report = open_tables (folder, TSR_LOAD_ALL);
      tables = tsr_report_get_lowered_tables (report);
      question_each (&q, n, folder, "SELECT id FROM vars_info ORDER BY id")
        {
          gint64 id = question_int (&q, 0);

          g_assert_cmpint (tables->id != NULL ? tables->id[n] : tables->first_id + (gint64)n, ==,
                           id);
          g_assert_cmpuint (tables->size[n], ==, id);
          g_assert_cmpuint (tables->tile[n], ==, id % 4);
          g_assert_cmpuint (tables->equivalence_class[n], ==, 0);
        }
      g_assert_cmpuint (tables->n, ==, n);
      g_assert_cmpuint (count_all (report), ==, 0);
      tsr_test_folder_free (folder);
    }
}

/* ------------------------------------------------------------------- steps */

static void
test_step_gaps (void)
{
  g_autoptr (TsrReport) report = damage (
      "DELETE FROM liveness_steps WHERE step IN (2, 3);"
      "INSERT INTO liveness_steps VALUES (14, 99, 5), (1000000000000, 11, 1), (-1, 11, 1);"
      "INSERT INTO liveness_by_ipu VALUES (0, 1, 7), (12, 1, 8), (15, 0, 9), (0, 5, 1);");
  const TsrLivenessTables *tables = tsr_report_get_liveness_tables (report);

  g_assert_cmpuint (tables->n_steps, ==, 15);
  g_assert_cmpint (tables->step_bytes[1], ==, 10);
  g_assert_cmpint (tables->step_bytes[2], ==, TSR_UNKNOWN);
  g_assert_cmpint (tables->step_program_id[13], ==, TSR_UNKNOWN);
  g_assert_cmpuint (tables->step_program[13], ==, TSR_NO_INDEX);
  g_assert_cmpint (tables->step_bytes[14], ==, 5);
  g_assert_cmpint (tables->step_program_id[14], ==, 99);
  g_assert_cmpuint (tables->step_program[14], ==, TSR_NO_INDEX);
  g_assert_cmpuint (tables->step_program[1], ==, 1);
  g_assert_cmpuint (tables->n_ipus, ==, 2);
  g_assert_cmpint (tables->step_ipu_bytes[15], ==, 7);
  g_assert_cmpint (tables->step_ipu_bytes[15 + 12], ==, 8);
  g_assert_cmpint (tables->step_ipu_bytes[0], ==, TSR_UNKNOWN);
  g_assert_cmpuint (count_diagnostics (report, "step-missing", "liveness_steps"), ==, 1);
  g_assert_cmpuint (count_diagnostics (report, "value-out-of-range", "liveness_steps"), ==, 2);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "liveness_steps"), ==, 1);
  g_assert_cmpuint (count_diagnostics (report, "value-out-of-range", "liveness_by_ipu"), ==, 2);
  assert_intervals (report, 7, "0-3 5-8");
}

static void
test_no_steps (void)
{
  g_autoptr (TsrReport) by_intervals = damage ("DROP TABLE liveness_steps;");
  g_autoptr (TsrReport) none = damage ("DELETE FROM liveness_steps; DELETE FROM variable_lifetimes;"
                                       "DELETE FROM equivalence_class_intervals;");
  const TsrLivenessTables *tables = tsr_report_get_liveness_tables (by_intervals);

  g_assert_cmpuint (tables->n_steps, ==, 8);
  g_assert_cmpint (tables->step_bytes[7], ==, TSR_UNKNOWN);
  g_assert_cmpuint (tables->lifetime_start[3], ==, 3);
  assert_intervals (by_intervals, 7, "0-3 5-8");
  g_assert_cmpuint (count_diagnostics (by_intervals, "step-missing", "liveness_steps"), ==, 1);

  tables = tsr_report_get_liveness_tables (none);
  g_assert_nonnull (tables);
  g_assert_cmpuint (tables->n_steps, ==, 0);
  g_assert_cmpuint (tables->n_variables, ==, 3);
  g_assert_cmpuint (tsr_report_get_lowered_tables (none)->n, ==, 4);
  g_assert_cmpuint (tsr_report_get_lowered_tables (none)->n_classes, ==, 0);
  g_assert_cmpuint (count_diagnostics (none, "table-missing", "equivalence_class_intervals"), ==,
                    1);
}

static void
test_lifetimes (void)
{
  g_autoptr (TsrReport) report
      = damage ("INSERT INTO variable_lifetimes VALUES (101, 9, 12, 5), (101, 4, 2, 5),"
                " (999, 0, 1, 5), (100, 0, 9, NULL), (105, 1, 2, 4611686018427387904),"
                " (NULL, 0, 1, 1);"
                "INSERT INTO variables_by_ipu VALUES (101, 1, 60), (999, 0, 1), (105, 77, 1),"
                " (101, 1, 61);");
  const TsrLivenessTables *tables = tsr_report_get_liveness_tables (report);

  g_assert_cmpuint (tables->lifetime_start[1], ==, 1);
  g_assert_cmpint (tables->lifetime_bytes[0], ==, TSR_UNKNOWN);
  g_assert_cmpuint (tables->lifetime_start[2], ==, 4);
  g_assert_cmpuint (tables->lifetime_from[3], ==, 9);
  g_assert_cmpuint (tables->lifetime_to[3], ==, 10);
  g_assert_cmpint (tables->lifetime_bytes[4], ==, TSR_UNKNOWN);
  g_assert_cmpuint (tables->lifetime_start[3], ==, 6);
  g_assert_cmpint (tables->variable_ipu_bytes[1], ==, 0);
  g_assert_cmpint (tables->variable_ipu_bytes[3 + 1], ==, 60);
  g_assert_cmpint (tables->variable_ipu_bytes[0], ==, TSR_UNKNOWN);
  g_assert_cmpuint (count_diagnostics (report, "row-repeated", "variables_by_ipu"), ==, 1);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "variables_by_ipu"), ==, 1);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "variable_lifetimes"), ==, 1);
}

/* Rows of one variable and one interval stay as they come in the file, whatever their sizes. */
static void
test_same_lifetimes (void)
{
  g_autoptr (TsrReport) report
      = damage ("INSERT INTO variable_lifetimes VALUES (105, 2, 6, 9), (105, 2, 6, 5),"
                " (105, 2, 5, 7), (105, 1, 9, 8);");
  const TsrLivenessTables *tables = tsr_report_get_liveness_tables (report);
  static const gint64 bytes[] = { 64, 64, 8, 7, 32, 9, 5 };

  g_assert_cmpuint (tables->lifetime_start[3], ==, G_N_ELEMENTS (bytes));
  g_assert_cmpmem (tables->lifetime_bytes, sizeof bytes, bytes, sizeof bytes);
}

/* One row that tells of the last of very many steps or IPUs makes no array of that size. */
static void
test_sparse (void)
{
  g_autoptr (TsrReport) report
      = damage ("UPDATE target SET ipus_per_replica = NULL, num_ipus = NULL, num_replicas = NULL,"
                " tiles_per_ipu = NULL;"
                "INSERT INTO liveness_steps VALUES (2147483648, 11, 1), (3000000, 11, 1);"
                "INSERT INTO liveness_by_ipu VALUES (0, 1048575, 1);"
                "INSERT INTO variables_by_ipu VALUES (101, 1048575, 1);"
                "INSERT INTO vars_info VALUES (4, 1048575, 1, 0, 3, 100, 0, 1, NULL, 8);");
  const TsrLivenessTables *tables = tsr_report_get_liveness_tables (report);

  g_assert_cmpuint (tables->n_steps, <, 100000);
  g_assert_cmpuint (tables->n_ipus, ==, 0);
  g_assert_cmpuint (tables->n_variable_ipus, ==, 0);
  g_assert_null (tables->variable_ipu_bytes);
  g_assert_cmpuint (count_diagnostics (report, "limit", "liveness_by_ipu"), ==, 1);
  g_assert_cmpuint (count_diagnostics (report, "limit", "variables_by_ipu"), ==, 1);
  g_assert_cmpuint (count_diagnostics (report, "value-out-of-range", "vars_info"), ==, 1);
}

/* ---------------------------------------------------------------- programs */

static void
test_programs (void)
{
  g_autoptr (TsrReport) report
      = damage ("INSERT INTO programs VALUES (20, NULL, x'00', 5, 20), (-3, 'first', 'Odd', 0, 77);"
                "INSERT INTO program_children VALUES (10, 1, 11), (10, 2, 99), (99, 0, 10),"
                " (12, NULL, 11), (12, NULL, 10), (20, 0, 20);"
                "INSERT INTO compute_sets VALUES (5, 'second', 44);"
                "INSERT INTO compute_set_vertices VALUES (5, 0, -1), (5, 9, 1), (9, 0, 1);"
                "CREATE TABLE program_roots (compilation_step, kind, position, program);"
                "INSERT INTO program_roots VALUES (0, 'function', 0, 12), (0, 'control', 1, 11),"
                " (0, 'control', 0, 10), (NULL, NULL, NULL, 20), (0, 'control', 2, 98);");
  const TsrProgramTables *tables = tsr_report_get_program_tables (report);

  g_assert_cmpuint (tables->n_programs, ==, 5);
  g_assert_cmpint (tables->program_id[0], ==, -3);
  g_assert_cmpuint (tables->program_callee[0], ==, TSR_NO_INDEX);
  g_assert_cmpuint (tables->program_callee[4], ==, 4);
  g_assert_cmpuint (tables->program_compute_set[4], ==, 1);
  g_assert_cmpuint (tables->program_name[4], ==, TSR_NO_STRING);
  g_assert_cmpuint (tables->program_type[4], ==, TSR_NO_STRING);
  /* 10: 11 and 12; 12: 11 and 10; 20: itself. */
  g_assert_cmpuint (tables->child_start[2], ==, 2);
  g_assert_cmpuint (tables->child_start[5], ==, 5);
  g_assert_cmpuint (tables->child[0], ==, 2);
  g_assert_cmpuint (tables->child[1], ==, 3);
  g_assert_cmpuint (tables->child[2], ==, 2);
  g_assert_cmpuint (tables->child[3], ==, 1);
  g_assert_cmpuint (tables->child[4], ==, 4);
  g_assert_cmpint (tables->compute_set_estimated_cycles[0].total, ==, 20);
  g_assert_cmpint (tables->compute_set_estimated_cycles[1].id, ==, TSR_UNKNOWN);
  g_assert_cmpuint (tables->vertex_start[2], ==, 2);
  g_assert_cmpint (tables->vertex_count[1], ==, TSR_UNKNOWN);
  g_assert_cmpuint (tables->n_roots, ==, 4);
  g_assert_cmpuint (tables->root_program[0], ==, 4);
  g_assert_cmpuint (tables->root_program[1], ==, 1);
  g_assert_cmpuint (tables->root_program[3], ==, 3);
  g_assert_cmpuint (tables->root_step[1], ==, TSR_NO_INDEX);
  g_assert_cmpuint (count_diagnostics (report, "row-repeated", "program_children"), ==, 1);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "program_children"), ==, 2);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "compute_sets"), ==, 1);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "compute_set_vertices"), ==, 2);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "programs"), ==, 1);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "program_roots"), ==, 1);
}

/* ------------------------------------------------------------ what is missing */

static void
check_missing (const char *sql, TsrStage stage, const char *word, const char *option)
{
  g_autoptr (TsrReport) report = damage (sql);
  const GError *error = tsr_report_get_stage_error (report, stage);

  /* There is no debug.cbor. */
  for (TsrStage i = 0; i < TSR_N_STAGES; i++)
    g_assert_cmpint (tsr_report_get_stage_state (report, i), ==,
                     i == stage || i == TSR_STAGE_DEBUG ? TSR_STAGE_FAILED : TSR_STAGE_READY);
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  g_assert_nonnull (strstr (error->message, word));
  g_assert_nonnull (strstr (error->message, option));
}

static void
test_missing (void)
{
  const char *graph = "autoReport.outputGraphProfile";
  const char *lowered = "autoReport.outputLoweredVars";

  check_missing ("DROP TABLE vars_info;", TSR_STAGE_LOWERED, "vars_info", lowered);
  check_missing ("DELETE FROM vars_info;", TSR_STAGE_LOWERED, "vars_info", lowered);
  check_missing ("ALTER TABLE vars_info RENAME COLUMN tile TO t;", TSR_STAGE_LOWERED,
                 "vars_info.tile", lowered);
  check_missing ("DROP TABLE programs; DROP TABLE compute_sets; DROP TABLE vertex_types;",
                 TSR_STAGE_PROGRAMS, "programs", graph);
  check_missing ("DROP TABLE liveness_steps; DROP TABLE variables;"
                 "DROP TABLE equivalence_class_intervals;",
                 TSR_STAGE_LIVENESS, "liveness_steps", graph);
  check_missing ("DROP TABLE memory_by_tile;", TSR_STAGE_MEMORY, "memory_by_tile", graph);
}

/* Tables that a stage can do without. */
static void
test_optional (void)
{
  static const char *const tables[] = { "program_children", "compute_sets",
                                        "vertex_types",     "compute_set_vertices",
                                        "tile_arrays",      "liveness_by_ipu",
                                        "variables_by_ipu", "variable_lifetimes",
                                        "variables",        "vars_string_table",
                                        "var_categories",   "target",
                                        "liveness_steps",   "equivalence_class_intervals" };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *sql = g_strdup_printf ("DROP TABLE %s;", tables[i]);
      g_autoptr (TsrReport) report = damage (sql);

      for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
        g_assert_cmpint (tsr_report_get_stage_state (report, stage), ==,
                         stage == TSR_STAGE_DEBUG ? TSR_STAGE_FAILED : TSR_STAGE_READY);
      g_assert_cmpuint (tsr_report_get_lowered_tables (report)->n, ==, 4);
    }
}

/* Lowered variables without anything else: tiles are those that rows name. */
static void
test_lowered_alone (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrReport) report = NULL;
  const TsrLoweredTables *tables;

  tsr_test_sql (
      folder, "profile.pop",
      "CREATE TABLE vars_info (tile, size_bytes, category);"
      "INSERT INTO vars_info VALUES (2, 10, 1), (0, 20, 1), (5, 30, 1), (9999999, 1, 1);");
  report = open_tables (folder, TSR_LOAD_ALL);
  tables = tsr_report_get_lowered_tables (report);
  g_assert_cmpuint (tables->n, ==, 4);
  g_assert_cmpuint (tables->n_tiles, ==, 6);
  g_assert_cmpuint (tables->by_tile[0], ==, 1);
  g_assert_cmpuint (tables->by_tile[tables->tile_start[2]], ==, 0);
  g_assert_cmpuint (tables->by_tile[tables->tile_start[5]], ==, 2);
  g_assert_cmpuint (tables->always_live[0], ==, 255);
  g_assert_cmpuint (tables->offset[0], ==, TSR_LOWERED_UNKNOWN);
  g_assert_cmpint (tsr_report_get_stage_state (report, TSR_STAGE_LIVENESS), ==, TSR_STAGE_FAILED);
  tsr_test_folder_free (folder);
}

static void
test_one_tile (void)
{
  g_autoptr (TsrReport) report
      = damage ("UPDATE target SET num_ipus = 1, ipus_per_replica = 1, tiles_per_ipu = 1;"
                "DELETE FROM memory_by_tile WHERE tile > 0; DELETE FROM vars_info WHERE tile > 0;"
                "UPDATE steps_by_ipu SET active_tiles = 1;");
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (report);

  g_assert_cmpuint (tables->n_tiles, ==, 1);
  g_assert_cmpuint (tables->tile_start[1], ==, 2);
  g_assert_cmpuint (count_all (report), ==, 0);
}

/* A POD64: 94,208 tiles, of which every third has nothing and the others have two rows, written
 * from the last tile to the first. */
static void
test_many_tiles (void)
{
  g_autoptr (TsrReport) report
      = damage ("UPDATE target SET num_ipus = 64, ipus_per_replica = 64, tiles_per_ipu = 1472;"
                "DELETE FROM vars_info; DELETE FROM memory_by_tile;"
                "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 94207)"
                " INSERT INTO memory_by_tile SELECT i, 500, 0 FROM n;"
                "WITH RECURSIVE n(i) AS (SELECT 94207 UNION ALL SELECT i - 1 FROM n WHERE i > 0)"
                " INSERT INTO vars_info SELECT NULL, i, k + 1, 0, 3, 100, k * 8, 1, NULL, 8"
                "  FROM n, (SELECT 0 AS k UNION ALL SELECT 1) WHERE i % 3 != 1;");
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (report);

  g_assert_cmpuint (count_all (report), ==, 0);
  g_assert_cmpuint (tables->n_tiles, ==, 94208);
  for (guint t = 0; t < 94208; t++)
    {
      gsize n = tables->tile_start[t + 1] - tables->tile_start[t];

      g_assert_cmpuint (n, ==, t % 3 != 1 ? 2 : 0);
      for (gsize i = 0; i < n; i++)
        {
          guint32 row = tables->by_tile[tables->tile_start[t] + i];

          g_assert_cmpuint (tables->tile[row], ==, t);
          g_assert_cmpuint (tables->size[row], ==, i + 1);
        }
    }
}

/* A stage that is not asked for. */
static void
test_flags (void)
{
  static const struct
  {
    TsrLoadFlags flags;
    guint failed; /* set of stages */
  } cases[] = {
    { TSR_LOAD_NO_PROGRAMS, 1 << TSR_STAGE_PROGRAMS },
    { TSR_LOAD_NO_LIVENESS, 1 << TSR_STAGE_LIVENESS | 1 << TSR_STAGE_LOWERED },
    { TSR_LOAD_NO_LOWERED, 1 << TSR_STAGE_LOWERED },
    { TSR_LOAD_NO_EXECUTION, 1 << TSR_STAGE_EXECUTION },
    { TSR_LOAD_UP_TO_MEMORY, 1 << TSR_STAGE_PROGRAMS | 1 << TSR_STAGE_LIVENESS
                                 | 1 << TSR_STAGE_EXECUTION | 1 << TSR_STAGE_LOWERED },
  };
  char *folder = tsr_test_folder_new ();

  tsr_test_sql (folder, "profile.pop", base);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TsrReport) report = open_tables (folder, cases[i].flags);

      for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
        if (((cases[i].failed | 1u << TSR_STAGE_DEBUG) & 1u << stage) != 0)
          g_assert_error (tsr_report_get_stage_error (report, stage), TSR_ERROR,
                          TSR_ERROR_MISSING_PART);
        else
          g_assert_cmpint (tsr_report_get_stage_state (report, stage), ==, TSR_STAGE_READY);
    }
  tsr_test_folder_free (folder);
}

/* Names in another encoding than UTF-8 are told with their rows, and how many more there are; the
 * names can be shown. */
static void
test_texts (void)
{
  g_autoptr (TsrReport) report
      = damage ("UPDATE compute_sets SET name = CAST(x'63e97320' AS TEXT);"
                "UPDATE steps SET type = CAST(x'4f6effff' AS TEXT);"
                "WITH RECURSIVE n(i) AS (SELECT 200 UNION ALL SELECT i + 1 FROM n WHERE i < 299)"
                " INSERT INTO variables SELECT i, CASE WHEN i % 4 THEN 'caf\xc3\xa9' ELSE"
                " CAST(x'c3' AS TEXT) END, 1, 1 FROM n;");
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);
  const TsrProgramTables *programs = tsr_report_get_program_tables (report);
  const guint every_fourth = 25;
  guint told = 0;

  g_assert_true (tsr_diagnostics_has (diagnostics, "text-not-utf8", "compute_sets", 0));
  g_assert_true (tsr_diagnostics_has (diagnostics, "text-not-utf8", "steps", 0));
  g_assert_cmpstr (tsr_string_table_get (programs->strings, programs->compute_set_name[0]), ==,
                   "c\xef\xbf\xbds ");
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    if (g_strcmp0 (tsr_diagnostics_get (diagnostics, i)->table, "variables") == 0)
      {
        g_assert_cmpstr (tsr_diagnostics_get (diagnostics, i)->code, ==, "text-not-utf8");
        g_assert_cmpint (tsr_diagnostics_get (diagnostics, i)->row, ==, 200 + 4 * told);
        g_assert_cmpuint (tsr_diagnostics_get_dropped (diagnostics, i), ==,
                          ++told == TSR_DIAGNOSTICS_KEPT ? every_fourth - told : 0);
      }
  g_assert_cmpuint (told, ==, TSR_DIAGNOSTICS_KEPT);
}

/* -------------------------------------------------------------- from the list */

#define ROOTS                                                                                      \
  "CREATE TABLE program_roots (compilation_step, kind, position, program);"                        \
  "CREATE TABLE compilation_steps (id INTEGER PRIMARY KEY, name TEXT);"

/* What comes of these is in the list of what is said, and was compared with them there. */
static void
test_listed (void)
{
  static const char *const changes[] = {
    /* Liveness of each IPU: the first and last places, and those beside them. */
    "INSERT INTO liveness_by_ipu VALUES (0, 0, 5), (9, 1, 7), (10, 0, 1), (-1, 0, 1), (3, 2, 1),"
    " (3, -1, 1), (0, 0, 6), (4, 0, NULL), (NULL, 1, 1), (4, NULL, 1)",
    "UPDATE target SET ipus_per_replica = NULL, num_ipus = NULL, num_replicas = NULL;"
    "INSERT INTO liveness_by_ipu VALUES (0, 0, 5), (9, 3, 7)",
    "INSERT INTO variables_by_ipu VALUES (101, 1, 64), (105, 0, 16), (105, 1, 17), (999, 0, 1),"
    " (100, 1, NULL), (100, 2, 1), (105, -1, 3)",
    "INSERT INTO variables_by_ipu VALUES (100, 0, 1); DELETE FROM variables;"
    "DELETE FROM variable_lifetimes",
    "INSERT INTO variables_by_ipu VALUES (105, 5, 1)",
    /* Steps that are not there, or too many. */
    "DELETE FROM liveness_steps WHERE step IN (0, 4); INSERT INTO liveness_steps VALUES (-1, 11, "
    "1),"
    " (12, 99, -1), (13, NULL, NULL), (5000000, 11, 1)",
    "DELETE FROM liveness_steps WHERE step = 4; DELETE FROM programs",
    "DELETE FROM liveness_steps; INSERT INTO equivalence_class_intervals VALUES (7, 0, 9), (7, 3,"
    " 5000000), (7, 8, NULL); INSERT INTO variable_lifetimes VALUES (101, 0, 7, 1)",
    "DELETE FROM liveness_steps; DELETE FROM equivalence_class_intervals; INSERT INTO"
    " variable_lifetimes VALUES (101, 0, 11, 1)",
    /* Lives: one step, inverted, at both ends, beyond. */
    "INSERT INTO variable_lifetimes VALUES (105, 9, 10, 1), (105, 0, 1, 2), (105, 10, 11, 3),"
    " (105, 3, 3, 4), (105, -2, 0, 5), (105, -2, 1, 6), (100, 0, 10, 7), (NULL, 0, 1, 8)",
    "INSERT INTO equivalence_class_intervals VALUES (7, 3, 5), (9, 6, 7), (9, 1, 2), (8, 0, 10),"
    " (9, 9, 10), (9, 2, 4), (9, 8, 9)",
    /* Classes: one that no row names between others that some do. */
    "INSERT INTO equivalence_class_intervals VALUES (8, 1, 2), (8, 3, 4), (6, 0, 9), (12, 4, 6);"
    "INSERT INTO vars_info VALUES (4, 3, 8, 0, 3, 105, 0, 0, 12, 8)",
    "UPDATE vars_info SET always_live = 1 - always_live",
    "UPDATE vars_info SET always_live = NULL; UPDATE vars_info SET category = NULL WHERE id = 1",
    /* Tiles: their order, and how many there are. */
    "INSERT INTO memory_by_tile VALUES (4, 1, 0), (7, 2, 0), (NULL, 3, 0)",
    "UPDATE vars_info SET tile = 3 - tile", "UPDATE vars_info SET tile = NULL WHERE id IN (1, 2)",
    "DELETE FROM memory_by_tile; DELETE FROM memory_by_tile_category;"
    "UPDATE vars_info SET tile = 4 WHERE id = 3",
    "DELETE FROM memory_by_tile; DELETE FROM memory_by_tile_category; DELETE FROM target;"
    "UPDATE vars_info SET tile = 6 WHERE id = 3",
    "DELETE FROM target; UPDATE vars_info SET tile = 4 WHERE id = 3",
    /* Categories that other tables add, and in another order. */
    "INSERT INTO memory_by_tile_category VALUES (0, 3, 0, 8, 0), (1, -2, 0, 8, 0);"
    "UPDATE vars_info SET category = CASE id WHEN 0 THEN 3 WHEN 1 THEN -2 WHEN 2 THEN 5 ELSE 4 END",
    /* Programs: ids in another order, arrays, children of none, vertices of each kind. */
    "INSERT INTO programs VALUES (-5, 'p', 'Call', 0, 11), (9, 'q', NULL, 1, 9), (13, NULL, 'Call',"
    " 0, NULL); INSERT INTO program_children VALUES (13, 1, 9), (13, 0, -5), (13, 0, 10), (-5, "
    "NULL,"
    " 9), (-5, 2, NULL), (9, -1, 12)",
    "INSERT INTO compute_sets VALUES (2, 'b', NULL), (3, NULL, 7), (-1, 'a', 1);"
    "INSERT INTO vertex_types VALUES (5, NULL, -1), (3, 'v', 0);"
    "INSERT INTO compute_set_vertices VALUES (3, 5, 1), (3, 3, 2), (-1, 0, NULL), (3, 5, 3),"
    " (1, 0, 4), (2, 4, 5), (NULL, 0, 6), (2, NULL, 7)",
    ROOTS "INSERT INTO compilation_steps VALUES (4, 'late'), (1, 'early');"
          "INSERT INTO program_roots VALUES (4, 'b', 1, 10), (4, 'b', 0, 11), (4, 'a', 2, 12),"
          " (1, 'b', 0, 12), (1, 'b', 0, 10), (9, 'c', 0, 11), (NULL, NULL, NULL, 11),"
          " (1, NULL, 5, 10), (4, 'a', 1, 99)",
    ROOTS "INSERT INTO program_roots VALUES (1, 'b', 0, 12), (0, 'a', NULL, 10)",
    ROOTS "DROP TABLE compilation_steps; CREATE TABLE compilation_steps (id, name);"
          "INSERT INTO compilation_steps VALUES (4, 'b'), (4, 'a'), (4, 'b'), (1, 'a');"
          "INSERT INTO program_roots VALUES (4, 'b', 1, 10), (1, 'b', 0, 11)",
    /* One tile, and more on it than it has room for. */
    "UPDATE target SET num_ipus = 1, ipus_per_replica = 1, tiles_per_ipu = 1;"
    "DELETE FROM memory_by_tile WHERE tile > 0; DELETE FROM memory_by_tile_category WHERE tile > 0;"
    "DELETE FROM vars_info WHERE tile > 0; UPDATE vars_info SET offset = 100000000 WHERE id = 1",
    NULL
  };

  note_each (changes, damage);
}

/* What is read of some tiles is what the stage has of them, wherever tile_vars says that their rows
 * are: it may be right, lie, or not tell.  (A row far from the others of its tile is not looked
 * for.) */
static void
test_some_tiles (void)
{
  static const char *const told[] = {
    "(0, 0, 2), (1, 2, 3), (2, 3, 3), (3, 3, 4)",
    "(0, 0, 1), (1, 2, 3), (3, 3, 4)",
    "(0, 1, 2), (1, 2, 3), (3, 3, 4)",
    "(0, 0, 3), (1, 2, 3), (3, 3, 4)",
    "(0, 0, 2), (1, 1, 3), (3, 3, 4)",
    "(0, 0, 2), (1, 3, 4), (3, 2, 3)",
    "(0, 0, 2), (1, 2, 4), (3, 3, 5)",
    "(0, -1, 2), (1, 2, NULL), (3, 'x', 4)",
    "(0, 2, 2), (1, 3, 2), (3, 0, 0)",
    "(0, 0, 9223372036854775807), (1, 9223372036854775806, 9223372036854775807)",
    "(9, 0, 2)",
  };
  static const guint tiles[] = { 0, 1, 2, 3, 9 };
  static const char *const orders[] = {
    "SELECT 1",
    "UPDATE vars_info SET tile = 1 WHERE id = 1",
    "DELETE FROM vars_info WHERE id = 1",
    "DELETE FROM vars_info WHERE id = 2",
    "INSERT INTO vars_info VALUES (4, 3, 8, 0, 4, 105, 464, 0, 9, 8)",
  };

  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    for (guint k = 0; k < G_N_ELEMENTS (orders); k++)
      {
        g_autofree char *sql = g_strdup_printf (
            "CREATE TABLE tile_vars (tile INTEGER PRIMARY KEY, first_var, end_var);"
            "INSERT INTO tile_vars VALUES %s; %s",
            told[i], orders[k]);
        char *folder = tsr_test_folder_new ();
        g_autofree char *all = g_strconcat (base, sql, NULL);
        g_autoptr (TsrReport) report = NULL;

        tsr_test_sql (folder, "profile.pop", all);
        report = open_tables (folder, TSR_LOAD_ALL);
        for (guint set = 0; set < 1u << G_N_ELEMENTS (tiles); set++)
          {
            guint wanted[G_N_ELEMENTS (tiles)];
            guint n = 0;

            for (guint t = 0; t < G_N_ELEMENTS (tiles); t++)
              if ((set & 1u << t) != 0)
                wanted[n++] = tiles[t];
            check_of (report, wanted, n);
          }
        tsr_test_folder_free (folder);
      }
}

static void
test_each_missing (void)
{
  note_missing (base, damage);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report-damage/base", test_base);
  g_test_add_func ("/report-damage/intervals", test_intervals);
  g_test_add_func ("/report-damage/touching", test_touching);
  g_test_add_func ("/report-damage/many-intervals", test_many_intervals);
  g_test_add_func ("/report-damage/unknown-class", test_unknown_class);
  g_test_add_func ("/report-damage/empty-class", test_empty_class);
  g_test_add_func ("/report-damage/values", test_values);
  g_test_add_func ("/report-damage/beyond-tile", test_beyond_tile);
  g_test_add_func ("/report-damage/all-wrong", test_all_wrong);
  g_test_add_func ("/report-damage/ids", test_ids);
  g_test_add_func ("/report-damage/halves", test_halves);
  g_test_add_func ("/report-damage/step-gaps", test_step_gaps);
  g_test_add_func ("/report-damage/no-steps", test_no_steps);
  g_test_add_func ("/report-damage/lifetimes", test_lifetimes);
  g_test_add_func ("/report-damage/same-lifetimes", test_same_lifetimes);
  g_test_add_func ("/report-damage/sparse", test_sparse);
  g_test_add_func ("/report-damage/programs", test_programs);
  g_test_add_func ("/report-damage/missing", test_missing);
  g_test_add_func ("/report-damage/optional", test_optional);
  g_test_add_func ("/report-damage/lowered-alone", test_lowered_alone);
  g_test_add_func ("/report-damage/one-tile", test_one_tile);
  g_test_add_func ("/report-damage/many-tiles", test_many_tiles);
  g_test_add_func ("/report-damage/flags", test_flags);
  g_test_add_func ("/report-damage/texts", test_texts);
  g_test_add_func ("/report-damage/listed", test_listed);
  g_test_add_func ("/report-damage/some-tiles", test_some_tiles);
  g_test_add_func ("/report-damage/each-missing", test_each_missing);
  status = g_test_run ();
  check_said ("said-of-report-damage.txt");
  return status;
}

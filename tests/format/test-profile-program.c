/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs, compute sets, numbers by tile, steps and slices of profile.pop. */

#include "config.h"

#include "profile-test.h"

#include <string.h>

static const char *
text_at (TsrStringTable *strings, GArray *texts, guint i)
{
  return tsr_string_table_get (strings, g_array_index (texts, guint32, i));
}

static const char *
row_text_at (TsrStringTable *strings, const TsrTableRows *rows, guint column, guint i)
{
  gint64 text = rows->columns[column].values[i];

  return text != TSR_UNKNOWN ? tsr_string_table_get (strings, text) : NULL;
}

static void
test_programs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrStringTable) strings = tsr_string_table_new ();
  g_auto (TsrTableRows) rows = { 0 };
  g_auto (TsrTableRows) sets = { 0 };

  make (fixture, "CREATE TABLE programs (id, name, type, compute_set, repeat_count, callee);"
                 "INSERT INTO programs VALUES (7, 'a', 'Sequence', NULL, NULL, NULL),"
                 " (9, NULL, 'Repeat', NULL, 4, 7), (7, 'b', 'Call', 1, 1, 1),"
                 " (8, 'c', 5, 'x', -1, 9), (NULL, 'd', 'Call', 1, 1, 1);"
                 "CREATE TABLE compute_sets (compute_set INTEGER PRIMARY KEY, name TEXT);"
                 "INSERT INTO compute_sets VALUES (0, 'conv'), (1, 'relu'), (2, NULL)");
  g_assert_true (
      tsr_profile_read_table (fixture->profile, TSR_TABLE_PROGRAMS, strings, &rows, NULL));
  /* As they stand, but for the one without an id. */
  g_assert_cmpuint (rows.n, ==, 4);
  g_assert_cmpint (rows.columns[TSR_PROGRAM_ID].values[0], ==, 7);
  g_assert_cmpint (rows.columns[TSR_PROGRAM_ID].values[3], ==, 8);
  g_assert_cmpint (rows.row.values[3], ==, 4);
  g_assert_cmpstr (row_text_at (strings, &rows, TSR_PROGRAM_NAME, 0), ==, "a");
  g_assert_null (row_text_at (strings, &rows, TSR_PROGRAM_NAME, 1));
  g_assert_cmpstr (row_text_at (strings, &rows, TSR_PROGRAM_TYPE, 1), ==, "Repeat");
  g_assert_null (row_text_at (strings, &rows, TSR_PROGRAM_TYPE, 3));
  g_assert_cmpint (rows.columns[TSR_PROGRAM_REPEAT_COUNT].values[1], ==, 4);
  g_assert_cmpint (rows.columns[TSR_PROGRAM_CALLEE].values[1], ==, 7);
  g_assert_cmpint (rows.columns[TSR_PROGRAM_COMPUTE_SET].values[0], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.columns[TSR_PROGRAM_COMPUTE_SET].values[3], ==, TSR_UNKNOWN);
  /* The table has no such column. */
  g_assert_cmpint (rows.columns[TSR_PROGRAM_CODE].values[3], ==, TSR_UNKNOWN);
  expect_diagnostic (fixture, "value-of-wrong-type", "programs", 4);
  expect_diagnostic (fixture, "value-out-of-range", "programs", 4);
  expect_diagnostic (fixture, "value-missing", "programs", 5);

  g_assert_true (
      tsr_profile_read_table (fixture->profile, TSR_TABLE_COMPUTE_SETS, strings, &sets, NULL));
  g_assert_cmpuint (sets.n, ==, 3);
  g_assert_cmpstr (row_text_at (strings, &sets, TSR_COMPUTE_SET_NAME, 1), ==, "relu");
  g_assert_null (row_text_at (strings, &sets, TSR_COMPUTE_SET_NAME, 2));
}

static void
test_tile_arrays (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    gint64 id;
    gboolean good;
    guint32 values[4];
    const char *code;
  } cases[] = {
    { 1, TRUE, { 1, 2, 3, 0x01020304 }, NULL },  { 2, TRUE, { 1, 0x0201, 0, 9 }, NULL },
    { 3, TRUE, { 0, 7, 0, 0xffffffff }, NULL },  { 4, TRUE, { 5, 5, 5, 5 }, NULL },
    { 5, FALSE, { 0 }, "array-length-wrong" },   { 6, FALSE, { 0 }, "array-length-wrong" },
    { 7, FALSE, { 0 }, "array-length-wrong" },   { 8, FALSE, { 0 }, "array-tile-wrong" },
    { 9, FALSE, { 0 }, "array-tile-wrong" },     { 10, FALSE, { 0 }, "value-out-of-range" },
    { 11, FALSE, { 0 }, "value-missing" },       { 12, FALSE, { 0 }, "value-of-wrong-type" },
    { 13, FALSE, { 0 }, "array-total-differs" }, { 14, TRUE, { 0, 0, 0, 0 }, NULL },
    { 15, FALSE, { 0 }, "array-length-wrong" },  { 99, FALSE, { 0 }, "reference-broken" },
  };

  make (fixture,
        "CREATE TABLE tile_arrays (id INTEGER PRIMARY KEY, encoding, total, maximum, data);"
        "INSERT INTO tile_arrays VALUES"
        " (1, 0, 16909066, 16909060, x'01000000020000000300000004030201'),"
        " (2, 1, NULL, 513, x'0100010200000900'),"
        " (3, 2, 4294967302, 4294967295, x'010000000700000003000000ffffffff'),"
        " (4, 3, 20, 5, x'05000000'),"
        " (5, 0, NULL, NULL, x'010000000200000003000000'),"
        " (6, 1, NULL, NULL, x'01000102000009'),"
        " (7, 2, NULL, NULL, x'0100000007'),"
        " (8, 2, NULL, NULL, x'0400000007000000'),"
        " (9, 2, NULL, NULL, x'01000000070000000100000007000000'),"
        " (10, 4, NULL, NULL, x'05000000'), (11, NULL, NULL, NULL, x'05000000'),"
        " (12, 3, NULL, NULL, 5), (13, 3, 21, 5, x'05000000'),"
        " (14, 2, 0, 0, x''), (15, 3, 0, 0, x'')");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint32 values[4] = { 0 };
      gboolean found = FALSE;
      guint64 before = tsr_diagnostics_get_n_total (fixture->diagnostics);

      g_assert_true (
          tsr_profile_read_tile_array (fixture->profile, cases[i].id, 4, values, &found, NULL));
      g_assert_cmpint (found, ==, cases[i].good);
      if (cases[i].good)
        g_assert_cmpmem (values, sizeof values, cases[i].values, sizeof values);
      else
        expect_diagnostic (fixture, cases[i].code, "tile_arrays", cases[i].id);
      g_assert_cmpuint (tsr_diagnostics_get_n_total (fixture->diagnostics) - before, ==,
                        cases[i].good ? 0 : 1);
    }
  /* The last one was not there; other statements run in between. */
  for (guint i = 0; i < 2; i++)
    {
      guint32 values[4] = { 0 };
      gboolean found = FALSE;

      g_assert_true (tsr_profile_has_rows (fixture->profile, "tile_arrays"));
      g_assert_true (
          tsr_profile_read_tile_array (fixture->profile, cases[i].id, 4, values, &found, NULL));
      g_assert_true (found);
      g_assert_cmpmem (values, sizeof values, cases[i].values, sizeof values);
    }
}

/* ------------------------------------------------------------------ steps */

static void
read_steps (Fixture *fixture, TsrStepRows *rows)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (tsr_profile_read_steps (fixture->profile, rows, NULL, &error));
  g_assert_no_error (error);
}

static const char steps_sql[]
    = "CREATE TABLE steps (id INTEGER PRIMARY KEY, type TEXT, program INTEGER, compute_set,"
      " run INTEGER);"
      "INSERT INTO steps VALUES (1, 'OnTileExecute', 7, 3, 0), (2, 'DoExchange', NULL, NULL, 0),"
      " (3, 'Sync', 9, NULL, 1);";

static void
test_steps (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sql
      = g_strconcat (steps_sql,
                     "CREATE TABLE steps_by_ipu (step_id, ipu, cycles, active_tiles, cycles_base,"
                     " active_cycles_from_min, active_cycles_from_max, active_cycles_to_min,"
                     " active_cycles_to_max, PRIMARY KEY (step_id, ipu)) WITHOUT ROWID;"
                     "INSERT INTO steps_by_ipu VALUES (2, 1, 50, 10, 1000, 5, 20, 30, 60),"
                     " (1, 0, 10, 1472, 100, 0, NULL, 5, 10), (2, 0, 40, 9, 1000, 5, 10, 20, 50),"
                     " (1, 1, 11, 1471, 100, 1, 2, 5, 12), (3, 0, NULL, NULL, NULL, 1, 2, 3, 4)",
                     NULL);
  TsrStepRows rows;

  make (fixture, sql);
  read_steps (fixture, &rows);
  g_assert_cmpuint (rows.id.length, ==, 3);
  g_assert_cmpstr (text_at (rows.strings, rows.type, 0), ==, "OnTileExecute");
  g_assert_cmpint (rows.program.values[1], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.compute_set.values[0], ==, 3);
  g_assert_cmpint (rows.run.values[2], ==, 1);
  g_assert_cmpuint (rows.n_ipus, ==, 2);
  g_assert_cmpuint (rows.slice_step.length, ==, 5);
  /* The formulas once more, in SQL. */
  for (guint i = 0; i < rows.slice_step.length; i++)
    {
      g_autofree char *start = g_strdup_printf (
          "SELECT cycles_base + coalesce(active_cycles_from_max, active_cycles_from_min)"
          " FROM steps_by_ipu ORDER BY step_id, ipu LIMIT 1 OFFSET %u",
          i);
      g_autofree char *end
          = g_strdup_printf ("SELECT cycles_base + active_cycles_to_max FROM steps_by_ipu"
                             " ORDER BY step_id, ipu LIMIT 1 OFFSET %u",
                             i);

      g_assert_cmpint (rows.slice_start.values[i], ==,
                       tsr_test_query (fixture->folder, "profile.pop", start));
      g_assert_cmpint (rows.slice_end.values[i], ==,
                       tsr_test_query (fixture->folder, "profile.pop", end));
    }
  g_assert_cmpint (rows.slice_start.values[0], ==, 100);
  g_assert_cmpint (rows.slice_start.values[2], ==, 1010);
  g_assert_cmpint (rows.slice_cycles.values[3], ==, 50);
  g_assert_cmpint (rows.slice_active_tiles.values[0], ==, 1472);
  g_assert_cmpint (rows.slice_start.values[4], ==, TSR_UNKNOWN);
  expect_no_diagnostics (fixture);
  tsr_step_rows_clear (&rows);
}

/* Rows out of order, twice, beyond 2^63, for a step that is not there. */
static void
test_bad_steps (Fixture *fixture, gconstpointer data)
{
  TsrStepRows rows;

  make (fixture,
        "CREATE TABLE steps (id, type); INSERT INTO steps VALUES (5, 'b'), (2, 'a'), (5, 'c');"
        "CREATE TABLE steps_by_ipu (step_id, ipu, cycles, cycles_base, active_cycles_from_min,"
        " active_cycles_to_max);"
        "INSERT INTO steps_by_ipu VALUES (5, 1, 1, 9223372036854775807, 1, 2),"
        " (2, 0, -4, 10, 0, 5), (5, 0, 1, 100, 50, 20), (2, 0, 1, 11, 0, 5), (9, 0, 1, 0, 0, 1),"
        " (NULL, 0, 1, 0, 0, 1), (2, -1, 1, 0, 0, 1), (2, 70000, 1, 0, 0, 1)");
  read_steps (fixture, &rows);
  g_assert_cmpuint (rows.id.length, ==, 2);
  g_assert_cmpint (rows.id.values[0], ==, 2);
  g_assert_cmpstr (text_at (rows.strings, rows.type, 0), ==, "a");
  g_assert_cmpstr (text_at (rows.strings, rows.type, 1), ==, "b");
  g_assert_cmpuint (rows.slice_step.length, ==, 4);
  g_assert_cmpint (rows.slice_start.values[0], ==, 10); /* the first of two */
  g_assert_cmpint (rows.slice_cycles.values[0], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.slice_start.values[1], ==, TSR_UNKNOWN); /* ends before it starts */
  g_assert_cmpint (rows.slice_end.values[1], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.slice_end.values[2], ==, TSR_UNKNOWN); /* beyond 2^63 */
  expect_diagnostic (fixture, "id-repeated", "steps", 5);
  expect_diagnostic (fixture, "value-out-of-range", "steps_by_ipu", 1);
  expect_diagnostic (fixture, "value-out-of-range", "steps_by_ipu", 2);
  expect_diagnostic (fixture, "cycles-reversed", "steps_by_ipu", 3);
  expect_diagnostic (fixture, "row-repeated", "steps_by_ipu", 2);
  expect_diagnostic (fixture, "reference-broken", "steps_by_ipu", 9);
  expect_diagnostic (fixture, "value-missing", "steps_by_ipu", 6);
  expect_diagnostic (fixture, "value-out-of-range", "steps_by_ipu", 7);
  expect_diagnostic (fixture, "value-out-of-range", "steps_by_ipu", 8);
  tsr_step_rows_clear (&rows);
}

/* The confirmed columns only: the k-th row of a step is IPU k. */
static void
test_without_ipu_column (Fixture *fixture, gconstpointer data)
{
  const char *confirmed
      = "CREATE TABLE steps_by_ipu (step_id, cycles, active_tiles, cycles_base,"
        " active_cycles_from_min, active_cycles_to_max);"
        "CREATE INDEX i ON steps_by_ipu (step_id, cycles, active_tiles, cycles_base,"
        " active_cycles_from_min, active_cycles_to_max);"
        "INSERT INTO steps_by_ipu VALUES (1, 30, 1, 0, 0, 1), (2, 10, 1, 5, 1, 2),"
        " (1, 20, 1, 0, 0, 2), (2, 9, 1, 5, 0, 3)";
  g_autofree char *even = g_strconcat (steps_sql, confirmed, NULL);
  g_autofree char *uneven = g_strconcat (even, ", (3, 1, 1, 0, 0, 1)", NULL);
  TsrStepRows rows;

  for (guint pass = 0; pass < 2; pass++)
    {
      make (fixture, pass == 0 ? even : uneven);
      read_steps (fixture, &rows);
      g_assert_cmpuint (rows.n_ipus, ==, 2);
      g_assert_cmpuint (rows.slice_step.length, ==, 4); /* the third step is left out */
      g_assert_cmpint (rows.slice_cycles.values[0], ==, 30);
      g_assert_cmpint (rows.slice_ipu.values[0], ==, 0);
      g_assert_cmpint (rows.slice_cycles.values[1], ==, 20);
      g_assert_cmpint (rows.slice_ipu.values[1], ==, 1);
      g_assert_cmpint (rows.slice_start.values[2], ==, 6);
      g_assert_cmpint (rows.slice_cycles.values[3], ==, 9);
      g_assert_cmpint (rows.slice_ipu.values[3], ==, 1);
      tsr_step_rows_clear (&rows);
      if (pass == 0)
        expect_no_diagnostics (fixture);
      else
        expect_diagnostic (fixture, "ipus-uneven", "steps_by_ipu", 3);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/profile-program/programs", test_programs);
  add ("/profile-program/tile-arrays", test_tile_arrays);
  add ("/profile-program/steps", test_steps);
  add ("/profile-program/bad-steps", test_bad_steps);
  add ("/profile-program/without-ipu-column", test_without_ipu_column);
  return g_test_run ();
}

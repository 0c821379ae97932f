/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs, compute sets and numbers by tile of profile.pop. */

#include "config.h"

#include "profile-test.h"

#include <string.h>

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/profile-program/programs", test_programs);
  add ("/profile-program/tile-arrays", test_tile_arrays);
  return g_test_run ();
}

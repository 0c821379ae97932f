/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Executions that are wrong in one way each: what is wrong is told with table and row, and
 * everything else is as it was. */

#include "config.h"

#include "execution-test.h"

#include <math.h>

static void
test_base (void)
{
  g_autoptr (TsrReport) report = damage ("SELECT 1");
  const TsrExecutionTables *t = TABLES (report);

  g_assert_cmpuint (count_all (report), ==, 0);
  check_others (t, -1, -1);
  g_assert_cmpuint (t->n_ipus, ==, 4);
  g_assert_cmpuint (t->n_steps, ==, N_STEPS);
  g_assert_cmpuint (t->n_types, ==, 2);
  g_assert_cmpuint (t->n_runs, ==, 3);
  g_assert_cmpuint (t->run_first[1], ==, 4);
  g_assert_cmpuint (t->run_end[1], ==, 10);
  g_assert_true (isnan (t->run_microseconds_start[0]));
  g_assert_cmpfloat (t->run_microseconds_end[1], ==, 2);
  g_assert_cmpint (t->run_ipu_cycles[1 * 4 + 3], ==, 600);
  g_assert_cmpint (t->run_ipu_cycles[1 * 4 + 2], ==, TSR_UNKNOWN);
  g_assert_cmpint (t->total_cycles[2], ==, 1502);
  g_assert_cmpint (t->total_cycles[1], ==, TSR_UNKNOWN);
  g_assert_cmpuint (t->n_blocks, ==, 2);
  g_assert_cmpstr (tsr_string_table_get (t->strings, t->block_name[1]), ==, "cs");
  g_assert_cmpuint (t->block_run[1], ==, 1);
  g_assert_cmpint (t->block_flags[0], ==, TSR_BLOCK_STREAM_COPY | TSR_BLOCK_FLUSH);
}

/* ------------------------------------------------------------------- slices */

/* Each spoils one value of step 7 on IPU 2, which is row 31: cycles 702 to 792, counted from 700.
 */
static void
test_values (void)
{
  static const struct
  {
    const char *set, *code;
    gboolean times; /* its times go, else one other figure */
    const char *says;
  } cases[] = {
    { "active_cycles_to_max = -5", "cycles-reversed", TRUE,
      "ends at cycle 695, before it starts at 702" },
    { "active_cycles_from_max = 93", "cycles-reversed", TRUE,
      "ends at cycle 792, before it starts at 793" },
    { "active_cycles_from_min = 3", "cycles-reversed", FALSE,
      "last tile begins at cycle 2, before the first one at 3" },
    { "cycles_base = 9223372036854775807", "value-out-of-range", TRUE,
      "is 9223372036854775807, at most 9007199254740992 is" },
    { "cycles_base = -9223372036854775807", "value-out-of-range", TRUE,
      "is -9223372036854775807, at least -9007199254740992 is" },
    { "active_cycles_to_max = 9223372036854775807", "value-out-of-range", TRUE,
      "active_cycles_to_max is 9223372036854775807, at most" },
    { "cycles_base = -800", "value-out-of-range", TRUE,
      "cycles_base -800 plus active_cycles_from_max 2 is cycle -798" },
    { "cycles_base = 'x'", "value-of-wrong-type", TRUE, "cycles_base is text where an integer" },
    { "cycles = -1", "value-out-of-range", FALSE, "cycles is -1, at least 0 is" },
    { "cycles = 9223372036854775807", "value-out-of-range", FALSE,
      "cycles is 9223372036854775807, at most 9007199254740992 is" },
    { "active_tiles = -7", "value-out-of-range", FALSE, "active_tiles is -7, at least 0 is" },
    { "data_in = -4", "value-out-of-range", FALSE, "data_in is -4, at least 0 is" },
    { "data_out = x'00'", "value-of-wrong-type", FALSE,
      "data_out is binary data where an integer" },
    { "tile_balance = 1.5", "value-out-of-range", FALSE, "tile_balance is 1.5, 0 to 1 is" },
    { "tile_balance = 1.000001", "value-out-of-range", FALSE, "tile_balance is 1.000001, 0 to 1" },
    { "active_tile_balance = 9e999", "value-out-of-range", FALSE,
      "active_tile_balance is infinite" },
    { "active_tile_balance = 'nan'", "value-of-wrong-type", FALSE,
      "active_tile_balance is text where a number" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *sql
          = g_strdup_printf ("UPDATE steps_by_ipu SET %s WHERE rowid = 31", cases[i].set);
      g_autoptr (TsrReport) report = damage (sql);
      const TsrExecutionTables *t = TABLES (report);
      gsize slice = find_slice (t, 7, 2);

      check_others (t, 7, 2);
      g_assert_cmpint (find_row (report, cases[i].code, "steps_by_ipu"), ==, 31);
      g_assert_true (tells (report, cases[i].code, "steps_by_ipu", cases[i].says));
      g_assert_cmpuint (slice, !=, G_MAXSIZE);
      g_assert_false (is_as_made (t, slice, 7, 2));
      g_assert_true ((t->slice_start[slice] == TSR_UNKNOWN) == cases[i].times);
      g_assert_true ((t->slice_end[slice] == TSR_UNKNOWN) == cases[i].times);
      if (!cases[i].times)
        g_assert_cmpint (t->slice_start[slice], ==, 702);
    }
}

/* What is not told is no damage, a rounding above 1 neither. */
static void
test_untold (void)
{
  static const char *const sets[] = { "cycles = NULL",
                                      "tile_balance = NULL",
                                      "active_tiles = NULL",
                                      "data_in = NULL, data_out = NULL",
                                      "cycles_base = NULL",
                                      "active_cycles_to_max = NULL",
                                      "tile_balance = 1.0000001",
                                      "cycles = 80000000000" };

  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    {
      g_autofree char *sql
          = g_strdup_printf ("UPDATE steps_by_ipu SET %s WHERE rowid = 31", sets[i]);
      g_autoptr (TsrReport) report = damage (sql);

      check_others (TABLES (report), 7, 2);
      g_assert_cmpuint (count_all (report), ==, 0);
    }
}

/* Each spoils what row 31 refers to, so that it is left out. */
static void
test_keys (void)
{
  static const struct
  {
    const char *set, *code, *says;
  } cases[] = {
    { "step_id = 99", "reference-broken", "99" },
    { "step_id = NULL", "value-missing", "missing" },
    { "step_id = 'x'", "value-of-wrong-type", "step_id" },
    { "ipu = 4", "value-out-of-range", "ipu is 4, at most 3 is expected" },
    { "ipu = -1", "value-out-of-range", "ipu is -1, at least 0 is expected" },
    { "ipu = NULL", "value-missing", "ipu is missing (NULL)" },
    { "ipu = 70000", "value-out-of-range", "ipu is 70000, at most 3 is expected" },
    { "ipu = 1", "row-repeated", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *sql
          = g_strdup_printf ("UPDATE steps_by_ipu SET %s WHERE rowid = 31", cases[i].set);
      g_autoptr (TsrReport) report = damage (sql);
      const TsrExecutionTables *t = TABLES (report);

      check_others (t, 7, 2);
      g_assert_cmpint (find_row (report, cases[i].code, "steps_by_ipu"), ==, 31);
      g_assert_true (tells (report, cases[i].code, "steps_by_ipu", cases[i].says));
      g_assert_cmpuint (find_slice (t, 7, 2), ==, G_MAXSIZE);
      g_assert_cmpuint (t->n_ipus, ==, 4);
    }
}

/* Without a target there may be any IPU, within reason. */
static void
test_unknown_target (void)
{
  g_autoptr (TsrReport) report
      = damage ("DROP TABLE target; UPDATE steps_by_ipu SET ipu = 300 WHERE rowid = 31;"
                "UPDATE steps_by_ipu SET ipu = 70000 WHERE rowid = 32;");
  const TsrExecutionTables *t = TABLES (report);

  g_assert_cmpuint (t->n_ipus, ==, 301);
  g_assert_true (is_as_made (t, find_slice (t, 8, 3), 8, 3));
  g_assert_cmpint (t->slice_start[find_slice (t, 7, 300)], ==, 702);
  g_assert_cmpint (find_row (report, "value-out-of-range", "steps_by_ipu"), ==, 32);
  g_assert_cmpuint (t->ipu_start[301], ==, N_STEPS * N_IPUS - 1);
}

/* A figure that needs more than 32 bits stays what it is, wherever it is moved. */
static void
test_wide (void)
{
  g_autoptr (TsrReport) report = damage (
      "UPDATE steps_by_ipu SET cycles = 100000000000 + rowid, data_in = 4294967294 + rowid"
      " WHERE rowid % 3 = 0");
  const TsrExecutionTables *t = TABLES (report);

  for (gint64 s = 0; s < N_STEPS; s++)
    for (guint p = 0; p < N_IPUS; p++)
      {
        gsize i = find_slice (t, s, p);
        gint64 row = 1 + 4 * s + p;
        gboolean wide = row % 3 == 0;

        g_assert_cmpint (tsr_narrow_get (&t->slice_cycles, i), ==,
                         wide ? 100000000000 + row : 80 + p);
        g_assert_cmpint (tsr_narrow_get (&t->slice_data_in, i), ==,
                         wide ? 4294967294 + row : 4 * s);
        g_assert_cmpint (tsr_narrow_get (&t->slice_data_out, i), ==, 8 * s);
      }
  g_assert_cmpuint (count_all (report), ==, 0);
}

/* A hundred thousand rows that are all wrong are told of, not listed. */
static void
test_all_wrong (void)
{
  g_autoptr (TsrReport) report
      = damage ("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)"
                " INSERT INTO steps_by_ipu SELECT -i, 9, -1, 'x', 1e300, NULL, NULL, x'', 7, 'y',"
                " -1, -1 FROM n");
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);

  check_others (TABLES (report), -1, -1);
  g_assert_cmpuint (tsr_diagnostics_get_n_kept (diagnostics), <, 400);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (diagnostics), >, 500000);
}

/* -------------------------------------------------------------------- IPUs */

#define WITHOUT_IPU                                                                                \
  "CREATE TABLE b AS SELECT * FROM steps_by_ipu ORDER BY step_id, ipu;"                            \
  "ALTER TABLE b DROP COLUMN ipu; DROP TABLE steps_by_ipu; ALTER TABLE b RENAME TO steps_by_ipu;"

/* The k-th row of a step is IPU k; a step with fewer rows is left out. */
static void
test_without_ipus (void)
{
  g_autoptr (TsrReport) even = damage (WITHOUT_IPU);
  g_autoptr (TsrReport) uneven = damage (WITHOUT_IPU "DELETE FROM steps_by_ipu WHERE rowid = 30;");
  g_autoptr (TsrReport) few
      = damage (WITHOUT_IPU "UPDATE target SET num_ipus = 2, num_replicas = 1");

  check_others (TABLES (even), -1, -1);
  g_assert_cmpuint (count_all (even), ==, 0);
  check_others (TABLES (uneven), 7, -1);
  for (guint p = 0; p < N_IPUS; p++)
    g_assert_cmpuint (find_slice (TABLES (uneven), 7, p), ==, G_MAXSIZE);
  find_row (uneven, "ipus-uneven", "steps_by_ipu");
  g_assert_cmpuint (count_diagnostics (uneven, "ipus-uneven", "steps_by_ipu"), ==, 1);
  /* Four rows a step on two IPUs: which is which? */
  g_assert_cmpuint (TABLES (few)->ipu_start[TABLES (few)->n_ipus], ==, 0);
  find_row (few, "ipus-uneven", "steps_by_ipu");
}

/* -------------------------------------------------------------------- steps */

#define PLAIN_STEPS                                                                                \
  "CREATE TABLE s AS SELECT * FROM steps; DROP TABLE steps; ALTER TABLE s RENAME TO steps;"

static void
test_steps_out_of_order (void)
{
  g_autoptr (TsrReport) report
      = damage (PLAIN_STEPS "UPDATE steps SET id = 100 WHERE id = 3;"
                            "UPDATE steps SET id = 3, type = 'Sync' WHERE id = 9;"
                            "UPDATE steps SET id = 9, type = 'DoExchange' WHERE id = 100;");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, -1, -1);
  g_assert_cmpint (find_row (report, "rows-out-of-order", "steps"), ==, 5);
  g_assert_cmpuint (t->n_steps, ==, N_STEPS);
  g_assert_cmpstr (tsr_string_table_get (t->strings, t->type_name[t->step_type[3]]), ==, "Sync");
  g_assert_null (t->step_id);
}

/* One that stands behind its like, in a file that is in order otherwise. */
static void
test_step_twice (void)
{
  g_autoptr (TsrReport) report
      = damage (PLAIN_STEPS "CREATE TEMP TABLE late AS SELECT * FROM steps WHERE id > 7;"
                            "DELETE FROM steps WHERE id > 7;"
                            "INSERT INTO steps VALUES (7, 'Sync', 10, 0, 6, 1);"
                            "INSERT INTO steps SELECT * FROM late;");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, -1, -1);
  g_assert_cmpuint (t->n_steps, ==, N_STEPS);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (report)), ==, 1);
  g_assert_true (tells (report, "row-repeated", "steps", "step 7 has another row"));
}

static void
test_steps_repeated (void)
{
  g_autoptr (TsrReport) report = damage (
      PLAIN_STEPS "INSERT INTO steps VALUES (7, 'Sync', 10, 0, 6, 1), (NULL, 'Sync', 10, 0,"
                  " 6, 1), (7, 'Sync', 10, 0, 6, 1);");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, -1, -1);
  g_assert_cmpint (find_row (report, "row-repeated", "steps"), ==, 16);
  g_assert_cmpint (find_row (report, "value-missing", "steps"), ==, 17);
  g_assert_cmpuint (t->n_steps, ==, N_STEPS);
  g_assert_cmpuint (t->step_program[7], ==, 1);
}

/* Holes in the ids: what refers to them is left out, the others keep their ids. */
static void
test_gaps (void)
{
  g_autoptr (TsrReport) report = damage ("DELETE FROM steps WHERE id = 7");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, 7, -1);
  g_assert_cmpuint (t->n_steps, ==, N_STEPS - 1);
  g_assert_cmpint (t->step_id[7], ==, 8);
  find_row (report, "ids-skip", "steps");
  g_assert_cmpint (find_row (report, "reference-broken", "steps_by_ipu"), ==, 29);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "steps_by_ipu"), ==, 4);
  g_assert_cmpint (find_row (report, "run-cut-off", "runs"), ==, 6);
  g_assert_false (t->run_complete[1]);
  g_assert_true (t->run_complete[0] && t->run_complete[2]);
}

/* A set of tile numbers that is not there is told with the step that names it, at loading; without
 * any sets there is nothing to tell. */
static void
test_tile_sets (void)
{
#define TILE_CYCLES                                                                                \
  "CREATE TABLE tile_cycles (id INTEGER PRIMARY KEY, set_id, ipu, start_by_tile, cycles_by_tile);"
  g_autoptr (TsrReport) plain = damage (TILE_CYCLES);
  g_autoptr (TsrReport) report = damage (
      TILE_CYCLES "INSERT INTO tile_cycles VALUES (1, 12, 0, NULL, NULL), (2, 10, 1, NULL,"
                  " NULL), (3, 10, 0, NULL, NULL); UPDATE steps SET tile_cycles = CASE id"
                  " WHEN 2 THEN 10 WHEN 4 THEN 11 WHEN 5 THEN 12 WHEN 6 THEN 9 WHEN 7"
                  " THEN 13 WHEN 9 THEN 'x' END");
  const TsrExecutionTables *t = TABLES (report);
  static const guint32 sets[] = { [2] = 10, [5] = 12 };

  g_assert_cmpuint (count_diagnostics (plain, "reference-broken", "steps"), ==, 0);
  g_assert_cmpint (find_row (report, "reference-broken", "steps"), ==, 4);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "steps"), ==, 3);
  for (guint i = 0; i < t->n_steps; i++)
    g_assert_cmpuint (t->step_tile_cycles[i], ==,
                      i < G_N_ELEMENTS (sets) && sets[i] != 0 ? sets[i] : TSR_NO_INDEX);
}

static void
test_references (void)
{
  g_autoptr (TsrReport) report
      = damage ("UPDATE steps SET program = 77 WHERE id = 3; UPDATE steps SET compute_set = -5,"
                " tile_cycles = 5000000000 WHERE id = 4; UPDATE steps SET run = 3 WHERE id = 5;"
                "UPDATE steps SET run = 7 WHERE id = 6; UPDATE steps SET program = NULL WHERE id"
                " = 8");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, -1, -1);
  g_assert_cmpint (find_row (report, "reference-broken", "steps"), ==, 3);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "steps"), ==, 3);
  g_assert_cmpint (find_row (report, "value-out-of-range", "steps"), ==, 4);
  g_assert_cmpint (find_row (report, "run-contradicts-itself", "steps"), ==, 6);
  g_assert_cmpuint (t->step_program[3], ==, TSR_NO_INDEX);
  g_assert_cmpuint (t->step_program[8], ==, TSR_NO_INDEX);
  g_assert_cmpuint (t->step_compute_set[4], ==, TSR_NO_INDEX);
  g_assert_cmpuint (t->step_tile_cycles[4], ==, TSR_NO_INDEX);
  g_assert_cmpuint (t->step_run[6], ==, 1);
  g_assert_cmpuint (count_all (report), ==, 5);
}

static const char *
type_of (const TsrExecutionTables *t, guint step)
{
  return tsr_string_table_get (t->strings, t->type_name[t->step_type[step]]);
}

/* An open list; one that is not told; one of 10 MB. */
static void
test_types (void)
{
  g_autoptr (TsrReport) report = damage (
      "UPDATE steps SET type = 'Quantum' WHERE id = 3; UPDATE steps SET type = NULL WHERE"
      " id = 4; UPDATE steps SET type = '' WHERE id = 5; UPDATE steps SET type ="
      " replace (hex (zeroblob (5000000)), '0', 'x') WHERE id = 6; UPDATE steps SET type ="
      " 12 WHERE id = 7; UPDATE steps SET type = CAST (x'61ff62' AS TEXT) WHERE id = 8;"
      "UPDATE programs SET name = replace (hex (zeroblob (5000000)), '0', 'a/')"
      " WHERE id = 11;");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, -1, -1);
  g_assert_cmpstr (type_of (t, 3), ==, "Quantum");
  g_assert_cmpstr (type_of (t, 4), ==, "Unknown");
  g_assert_cmpstr (type_of (t, 5), ==, "");
  g_assert_cmpuint (strlen (type_of (t, 6)), ==, 10000000);
  g_assert_cmpstr (type_of (t, 7), ==, "Unknown");
  g_assert_true (g_utf8_validate (type_of (t, 8), -1, NULL));
  g_assert_cmpstr (type_of (t, 9), ==, "DoExchange");
  g_assert_cmpint (find_row (report, "value-missing", "steps"), ==, 4);
  g_assert_cmpint (find_row (report, "value-of-wrong-type", "steps"), ==, 7);
}

/* As many types as steps, by one thread and by two: the first ones are told from each other. */
static void
test_too_many_types (void)
{
  for (guint pass = 0; pass < 2; pass++)
    {
      const guint n = pass == 0 ? 300 : 40000;
      g_autofree char *sql
          = g_strdup_printf ("WITH RECURSIVE n(i) AS (SELECT 15 UNION ALL SELECT i + 1 FROM n "
                             "WHERE i < %u) INSERT INTO"
                             " steps SELECT i, 'T' || (i %% 200), 11, 0, NULL, 1 FROM n",
                             n);
      g_autoptr (TsrReport) report = damage (sql);
      const TsrExecutionTables *t = TABLES (report);

      check_others (t, -1, -1);
      find_row (report, "types-too-many", "steps");
      g_assert_cmpuint (t->n_types, ==, TSR_MAX_STEP_TYPES);
      g_assert_cmpuint (t->n_steps, ==, n + 1);
      for (guint i = N_STEPS; i <= n; i++)
        {
          g_autofree char *name = g_strdup_printf ("T%u", i % 200);
          guint order = (i + 200 - N_STEPS) % 200; /* as they come, after the two of the base */

          if (order + 2 < TSR_MAX_STEP_TYPES - 1)
            g_assert_cmpstr (type_of (t, i), ==, name);
          else
            g_assert_cmpuint (t->step_type[i], ==, TSR_MAX_STEP_TYPES - 1);
        }
    }
}

/* --------------------------------------------------------------------- runs */

/* Of several rows for a run the first one counts, whatever the others say. */
static void
test_run_twice (void)
{
  g_autoptr (TsrReport) report = damage (
      "CREATE TABLE r AS SELECT * FROM runs; INSERT INTO r VALUES (6, 'other', 4, 9, 7, 8);"
      "DROP TABLE runs; ALTER TABLE r RENAME TO runs;");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, -1, -1);
  g_assert_cmpuint (t->n_runs, ==, 3);
  g_assert_cmpstr (tsr_string_table_get (t->strings, t->run_name[1]), ==, "two");
  g_assert_cmpfloat (t->run_microseconds_end[1], ==, 2);
  g_assert_cmpuint (t->run_end[1], ==, 10);
  g_assert_cmpint (find_row (report, "row-repeated", "runs"), ==, 4);
}

static void
test_runs_overlap (void)
{
  g_autoptr (TsrReport) report = damage ("UPDATE runs SET first_step = 2 WHERE id = 6;"
                                         "UPDATE runs SET microseconds_end = 0.5 WHERE id = 6;"
                                         "UPDATE runs SET end_step = 5 WHERE id = 7;");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, -1, -1);
  g_assert_cmpint (find_row (report, "runs-overlap", "runs"), ==, 6);
  g_assert_cmpint (find_row (report, "interval-inverted", "runs"), ==, 7);
  g_assert_cmpint (find_row (report, "value-out-of-range", "runs"), ==, 6);
  g_assert_true (isnan (t->run_microseconds_start[1]));
  g_assert_cmpuint (t->run_first[1], ==, 4);
  g_assert_cmpuint (t->run_end[1], ==, 10);
  g_assert_false (t->run_complete[1]);
  g_assert_true (t->run_complete[0]);
  /* What runs does not say of the third one, its steps do. */
  g_assert_cmpuint (t->run_first[2], ==, 10);
  g_assert_cmpuint (t->run_end[2], ==, 15);
  for (guint i = 0; i < N_STEPS; i++)
    g_assert_cmpuint (t->step_run[i], ==, i < 4 ? 0 : i < 10 ? 1 : 2);
}

/* Cut off in the middle: of the steps, and of what the IPUs did in them. */
static void
test_cut_off (void)
{
  g_autoptr (TsrReport) steps
      = damage ("DELETE FROM steps WHERE id > 12; DELETE FROM steps_by_ipu WHERE step_id > 12;");
  g_autoptr (TsrReport) slices = damage ("DELETE FROM steps_by_ipu WHERE step_id > 12;");

  g_assert_cmpint (find_row (steps, "run-cut-off", "runs"), ==, 7);
  find_row (slices, "run-cut-off", "steps_by_ipu");
  for (guint i = 0; i < 2; i++)
    {
      const TsrExecutionTables *t = TABLES (i == 0 ? steps : slices);

      g_assert_true (t->run_complete[0] && t->run_complete[1]);
      g_assert_false (t->run_complete[2]);
      g_assert_cmpuint (t->n_steps, ==, i == 0 ? 13 : 15);
      g_assert_cmpuint (t->ipu_start[N_IPUS], ==, 13 * N_IPUS);
      for (gint64 s = 0; s < 13; s++)
        g_assert_true (is_as_made (t, find_slice (t, s, 1), s, 1));
    }
}

static void
test_no_runs (void)
{
  g_autoptr (TsrReport) none = damage ("DROP TABLE runs");
  g_autoptr (TsrReport) nothing_told
      = damage ("UPDATE runs SET first_step = NULL, end_step = NULL; UPDATE steps SET run = NULL");
  g_autoptr (TsrReport) by_steps = damage ("UPDATE runs SET first_step = NULL, end_step = NULL");
  const TsrExecutionTables *t;

  for (guint i = 0; i < 2; i++)
    {
      t = TABLES (i == 0 ? none : nothing_told);
      g_assert_cmpuint (t->n_runs, ==, 1);
      g_assert_cmpint (t->run_id[0], ==, TSR_UNKNOWN);
      g_assert_cmpuint (t->run_end[0], ==, N_STEPS);
      g_assert_true (t->run_complete[0]);
      g_assert_cmpuint (t->step_run[9], ==, 0);
    }
  find_row (nothing_told, "runs-without-steps", "runs");
  t = TABLES (by_steps);
  g_assert_cmpuint (t->n_runs, ==, 3);
  g_assert_cmpuint (t->run_first[2], ==, 10);
  g_assert_cmpuint (t->run_end[2], ==, 15);
  g_assert_cmpuint (count_all (by_steps), ==, 0);
}

static void
test_too_many_runs (void)
{
  g_autoptr (TsrReport) report
      = damage ("WITH RECURSIVE n(i) AS (SELECT 8 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)"
                " INSERT INTO runs SELECT i, 'more', 15, 15, 0, 0 FROM n;");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, -1, -1);
  g_assert_cmpuint (t->n_runs, ==, 65534);
  g_assert_cmpint (t->run_id[65533], ==, 65533 + 5);
  g_assert_true (tells (report, "limit", "runs", "there are 69996 runs; only the first 65534"));
}

/* A step that no run has. */
static void
test_between_runs (void)
{
  g_autoptr (TsrReport) report = damage ("UPDATE runs SET end_step = 3 WHERE id = 5;"
                                         "UPDATE steps SET run = NULL WHERE id = 3");
  const TsrExecutionTables *t = TABLES (report);

  g_assert_cmpuint (t->step_run[2], ==, 0);
  g_assert_cmpuint (t->step_run[3], ==, G_MAXUINT16);
  g_assert_cmpuint (t->step_run[4], ==, 1);
  g_assert_cmpuint (count_all (report), ==, 0);
}

/* Steps that stand in another order in time than their ids: told once, with the first and how many;
 * they are shown as they are.  Copies beside compute are no such thing. */
static void
test_time_out_of_order (void)
{
  g_autoptr (TsrReport) report = damage ("UPDATE steps_by_ipu SET cycles_base = cycles_base + 300"
                                         " WHERE step_id % 2 = 1 AND ipu > 0");
  g_autoptr (TsrReport) keyed
      = damage ("CREATE TABLE copy (step_id, ipu, cycles, active_tiles, cycles_base,"
                " active_cycles_from_min, active_cycles_from_max, active_cycles_to_max,"
                " tile_balance, active_tile_balance, data_in, data_out, PRIMARY KEY (step_id, ipu))"
                " WITHOUT ROWID; INSERT INTO copy SELECT * FROM steps_by_ipu; DROP TABLE"
                " steps_by_ipu; ALTER TABLE copy RENAME TO steps_by_ipu;"
                "UPDATE steps_by_ipu SET cycles_base = cycles_base - 500 WHERE step_id = 9");
  g_autoptr (TsrReport) beside
      = damage ("UPDATE steps_by_ipu SET active_cycles_to_max = 250 WHERE step_id % 4 = 1");
  const TsrExecutionTables *t = TABLES (report);
  gsize slice = find_slice (t, 3, 2);

  /* Step 2 of IPU 1 ends at 291, step 1 of it begins at 401; 2, 4 ... 14 of three IPUs. */
  g_assert_cmpint (find_row (report, "time-out-of-order", "steps_by_ipu"), ==, 1 + 4 * 2 + 1);
  g_assert_cmpuint (count_all (report), ==, 1);
  g_assert_nonnull (strstr (
      tsr_diagnostics_get (tsr_report_get_diagnostics (report), 0)->text,
      "step 2 of IPU 1 ends at cycle 291, but step 1 before it begins at cycle 401; steps that are "
      "out of order in time: 21"));
  g_assert_cmpint (t->slice_start[slice], ==, 602);
  g_assert_cmpint (t->slice_end[slice], ==, 692);
  g_assert_cmpint (find_row (keyed, "time-out-of-order", "steps_by_ipu"), ==, 9);
  g_assert_cmpuint (count_all (keyed), ==, 1);
  g_assert_cmpuint (count_all (beside), ==, 0);
}

static void
test_no_slices (void)
{
  g_autoptr (TsrReport) report = damage ("DELETE FROM steps_by_ipu");

  find_row (report, "rows-missing", "steps_by_ipu");
  g_assert_cmpuint (count_all (report), ==, 1);
}

/* Without any time there is nothing to see, and that is said. */
static void
test_no_times (void)
{
  g_autoptr (TsrReport) report = damage ("UPDATE steps_by_ipu SET cycles_base = NULL");
  g_autoptr (TsrReport) one
      = damage ("UPDATE steps_by_ipu SET cycles_base = NULL WHERE step_id <> 3 OR ipu <> 2");

  find_row (report, "times-missing", "steps_by_ipu");
  g_assert_cmpuint (count_all (report), ==, 1);
  g_assert_cmpuint (count_all (one), ==, 0);
}

/* More active tiles than an IPU has: told, and not shown. */
static void
test_active_tiles (void)
{
  g_autoptr (TsrReport) report
      = damage ("UPDATE steps_by_ipu SET active_tiles = 5 WHERE rowid = 31");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, 7, 2);
  g_assert_cmpint (find_row (report, "value-out-of-range", "steps_by_ipu"), ==, 31);
  g_assert_cmpint (tsr_narrow_get (&t->slice_active_tiles, find_slice (t, 7, 2)), ==, TSR_UNKNOWN);
}

/* Arrays of each tile that have not the size that they must have are told when the stage is loaded,
 * not only when somebody looks at a step. */
static void
test_arrays (void)
{
  g_autoptr (TsrReport) report = damage (
      "CREATE TABLE tile_arrays (id INTEGER PRIMARY KEY, encoding, total, maximum, data);"
      "INSERT INTO tile_arrays VALUES (1, 0, 10, 4, x'01000000020000000300000004000000'),"
      " (2, 1, 10, 4, x'0100020003000400'), (3, 2, 7, 7, x'0200000007000000'),"
      " (4, 3, 8, 2, x'02000000'), (5, 0, 10, 4, x'010000000200000003000000'),"
      " (6, 1, 10, 4, x'01000200030004000500'), (7, 2, 7, 7, x'02000000070000'),"
      " (8, 3, 8, 2, x''), (9, 0, 10, 4, 'text'), (10, 17, 0, 0, x'');"
      "CREATE TABLE tile_cycles (id INTEGER PRIMARY KEY, set_id, ipu, start_by_tile,"
      " cycles_by_tile);"
      "INSERT INTO tile_cycles VALUES (1, 1, 0, NULL, 1), (2, 2, 0, 2, 3), (3, 3, 0, 4, 4),"
      " (4, 4, 0, 1, 5), (5, 5, 0, 6, 1), (6, 6, 0, NULL, 7), (7, 7, 0, NULL, 8),"
      " (8, 8, 0, NULL, 9), (9, 9, 0, NULL, 99), (10, 10, 0, NULL, NULL),"
      " (11, 11, 0, 5, 5);");

  g_assert_cmpint (find_row (report, "array-length-wrong", "tile_arrays"), ==, 5);
  g_assert_cmpuint (count_diagnostics (report, "array-length-wrong", "tile_arrays"), ==, 4);
  g_assert_cmpint (find_row (report, "value-of-wrong-type", "tile_arrays"), ==, 9);
  g_assert_cmpint (find_row (report, "reference-broken", "tile_arrays"), ==, 99);
  g_assert_cmpuint (count_diagnostics (report, "reference-broken", "steps"), ==, 4); /* 12 to 15 */
  g_assert_cmpuint (count_all (report), ==, 10);
  check_others (TABLES (report), -1, -1);
}

/* -------------------------------------------------------------- from the list */

/* What comes of these is in the list of what is said, and was compared with them there. */
static void
test_listed (void)
{
  static const char *const changes[] = {
    /* Runs that overlap: one has all, two begin together, they come in another order. */
    "UPDATE runs SET first_step = 0, end_step = 15 WHERE id = 5",
    "UPDATE runs SET first_step = 0, end_step = 10 WHERE id = 6",
    "UPDATE runs SET first_step = 1, end_step = 12 WHERE id = 7",
    "UPDATE runs SET first_step = 10, end_step = 15 WHERE id = 5;"
    "UPDATE runs SET first_step = 0, end_step = 4 WHERE id = 7; UPDATE steps SET run = NULL",
    "UPDATE runs SET end_step = 12 WHERE id = 5; UPDATE runs SET first_step = 8 WHERE id = 7",
    /* Their times. */
    "UPDATE runs SET microseconds_start = CASE id WHEN 5 THEN -1 WHEN 6 THEN 3 ELSE 0 END,"
    " microseconds_end = CASE id WHEN 5 THEN 5 WHEN 6 THEN 3 ELSE 7 END",
    "UPDATE runs SET microseconds_start = CASE id WHEN 5 THEN 0 WHEN 6 THEN 4 END,"
    " microseconds_end = CASE id WHEN 5 THEN -2 ELSE 1.5 END",
    /* One end is told, so the steps tell both; one run has steps in another one's. */
    "UPDATE runs SET first_step = NULL WHERE id = 5; UPDATE runs SET end_step = NULL WHERE id = 6",
    "UPDATE runs SET first_step = NULL WHERE id <> 6; UPDATE steps SET run = 5 WHERE id = 12",
    "UPDATE runs SET first_step = NULL; UPDATE steps SET run = NULL WHERE id IN (0, 3, 4, 14)",
    /* Beyond the steps, or none. */
    "UPDATE runs SET end_step = 18 WHERE id = 7; UPDATE runs SET first_step = -3 WHERE id = 5",
    "UPDATE runs SET first_step = 20, end_step = 30 WHERE id = 7",
    "UPDATE runs SET first_step = 15, end_step = 15 WHERE id = 7; UPDATE steps SET run = NULL",
    "UPDATE runs SET first_step = 4, end_step = 4 WHERE id = 6;"
    "DELETE FROM steps_by_ipu WHERE step_id = 14",
    "UPDATE runs SET first_step = 10, end_step = 9 WHERE id = 7",
    /* The last steps of runs did nothing: of several, on all IPUs but one, of one cut off. */
    "DELETE FROM steps_by_ipu WHERE step_id IN (3, 9)",
    "DELETE FROM steps_by_ipu WHERE step_id IN (3, 14) AND ipu <> 2",
    "DELETE FROM steps_by_ipu WHERE step_id IN (2, 9, 13)",
    "UPDATE runs SET end_step = 3 WHERE id = 5; DELETE FROM steps_by_ipu WHERE step_id = 2",
    "UPDATE runs SET first_step = -3 WHERE id = 5; DELETE FROM steps_by_ipu WHERE step_id IN (3, "
    "14)",
    "UPDATE steps_by_ipu SET cycles_base = NULL; DELETE FROM runs",
    "DELETE FROM runs WHERE id > 5; UPDATE runs SET first_step = 20, end_step = 22;"
    "UPDATE steps SET run = NULL",
    /* Other ids. */
    "UPDATE steps SET id = id + 100 WHERE id > 9; UPDATE steps_by_ipu SET step_id = step_id + 100"
    " WHERE step_id > 9; UPDATE runs SET first_step = 110, end_step = 115 WHERE id = 7",
    "UPDATE steps SET id = id + 1000; UPDATE steps_by_ipu SET step_id = step_id + 1000;"
    "UPDATE runs SET first_step = first_step + 1000, end_step = end_step + 1000",
    "UPDATE steps SET id = -1 WHERE id = 0; UPDATE steps_by_ipu SET step_id = -1 WHERE step_id = 0",
    PLAIN_STEPS "UPDATE steps SET id = NULL WHERE id IN (0, 5)",
    PLAIN_STEPS "UPDATE steps SET id = 14 - id", PLAIN_STEPS "DELETE FROM steps WHERE id > 0",
    "DELETE FROM steps WHERE id > 0; UPDATE runs SET first_step = 1 WHERE id = 5",
    /* Rows without IPUs: equally many steps of three as of four rows, one of two. */
    WITHOUT_IPU "DELETE FROM steps_by_ipu WHERE rowid % 4 = 2 AND step_id < 7;"
                "DELETE FROM steps_by_ipu WHERE step_id = 14",
    WITHOUT_IPU "DELETE FROM steps_by_ipu WHERE rowid % 4 = 2 AND step_id > 6;"
                "DELETE FROM steps_by_ipu WHERE step_id = 14 AND rowid % 4 = 1",
    WITHOUT_IPU "UPDATE target SET num_ipus = 3, num_replicas = 1, ipus_per_replica = 3;"
                "DELETE FROM steps_by_ipu WHERE rowid % 4 = 1 AND step_id < 5",
    WITHOUT_IPU "UPDATE steps_by_ipu SET step_id = 14 - step_id; INSERT INTO steps_by_ipu (step_id)"
                " VALUES (7), (77)",
    /* Steps at the same time, and in the other order. */
    "UPDATE steps_by_ipu SET cycles_base = 300 * (step_id / 3)",
    "UPDATE steps_by_ipu SET cycles_base = 300 * (step_id / 3), active_cycles_to_max = 90 -"
    " step_id % 3",
    "UPDATE steps_by_ipu SET cycles_base = 100 * (14 - step_id) WHERE ipu % 2 = 1",
    "UPDATE steps_by_ipu SET cycles_base = NULL WHERE step_id % 3 = 1",
    "UPDATE steps_by_ipu SET step_id = 14 - step_id",
    "INSERT INTO steps_by_ipu SELECT * FROM steps_by_ipu WHERE step_id IN (0, 14)",
    "ALTER TABLE steps_by_ipu DROP COLUMN active_cycles_from_max;"
    "UPDATE steps_by_ipu SET active_cycles_from_min = -10 * (step_id > 0) - ipu WHERE step_id <> 5;"
    "UPDATE steps_by_ipu SET active_cycles_to_max = 80 WHERE step_id = 7;"
    "UPDATE steps_by_ipu SET cycles_base = cycles_base - 100, active_cycles_to_max = 10"
    " WHERE step_id = 9",
    /* Targets that contradict themselves, or say nothing. */
    "UPDATE target SET num_ipus = 2", "UPDATE target SET num_ipus = 3, num_replicas = 1",
    "UPDATE target SET num_ipus = 0, num_replicas = NULL",
    "UPDATE target SET ipus_per_replica = NULL, num_replicas = 0",
    "UPDATE target SET num_ipus = 2, ipus_per_replica = 65536, num_replicas = 65536",
    "UPDATE target SET num_ipus = 2, ipus_per_replica = 65537, num_replicas = 1",
    "UPDATE target SET num_ipus = -4, ipus_per_replica = -2, num_replicas = -2",
    "UPDATE target SET tiles_per_ipu = 3", "UPDATE target SET tiles_per_ipu = 0",
    /* Blocks, and what an IPU did in a run and in all. */
    "INSERT INTO blocks VALUES (3, 11, 'a', 0, 0, 5, 5, 5, 1, 1, 1, 1), (4, 11, 'b', 0, 3, 5, 9, 8,"
    " 0, 0, 1, 0), (5, 11, 'c', 0, 4, 7, 0, 1, 0, 0, 0, 2), (6, 10, NULL, 3, -1, 4, NULL, 1, 0, 0,"
    " 0, 0), (7, NULL, NULL, 4, NULL, NULL, 3, NULL, 1, 0, 0, 0), (8, 11, 'd', -1, 0, 5, 1, 2, 0, "
    "0,"
    " 0, 0), (9, 11, 'e', 0, NULL, 5, 0, 1, 0, 0, 0, 0), (10, 11, 'f', 0, 0, 5, 4, 5, 0, 0, 0, 0)",
    "UPDATE target SET tiles_per_ipu = NULL; UPDATE blocks SET tile = 4294967294 WHERE id = 1;"
    "UPDATE blocks SET tile = 4294967295 WHERE id = 2",
    "ALTER TABLE blocks DROP COLUMN ipu; DROP TABLE runs",
    "DELETE FROM programs; UPDATE blocks SET program = 12",
    "INSERT INTO run_cycles_by_ipu VALUES (7, 0, 0), (7, 3, NULL), (7, 4, 1), (7, -1, 2),"
    " (NULL, 1, 3), (6, NULL, 4), (6, 3, 5), (4, 1, 6)",
    "DROP TABLE execution_cycle_totals; CREATE TABLE execution_cycle_totals (total);"
    "INSERT INTO execution_cycle_totals VALUES (4), (3), (2), (NULL)",
    "DROP TABLE execution_cycle_totals; CREATE TABLE execution_cycle_totals (total);"
    "INSERT INTO execution_cycle_totals VALUES (4), (3), (2), (1), (0)",
    "DELETE FROM steps_by_ipu; DELETE FROM blocks", NULL
  };

  note_each (changes, damage);
}

static void
test_missing (void)
{
  note_missing (base, damage);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/execution-damage/base", test_base);
  g_test_add_func ("/execution-damage/values", test_values);
  g_test_add_func ("/execution-damage/untold", test_untold);
  g_test_add_func ("/execution-damage/keys", test_keys);
  g_test_add_func ("/execution-damage/unknown-target", test_unknown_target);
  g_test_add_func ("/execution-damage/wide", test_wide);
  g_test_add_func ("/execution-damage/all-wrong", test_all_wrong);
  g_test_add_func ("/execution-damage/without-ipus", test_without_ipus);
  g_test_add_func ("/execution-damage/steps-out-of-order", test_steps_out_of_order);
  g_test_add_func ("/execution-damage/steps-repeated", test_steps_repeated);
  g_test_add_func ("/execution-damage/step-twice", test_step_twice);
  g_test_add_func ("/execution-damage/gaps", test_gaps);
  g_test_add_func ("/execution-damage/references", test_references);
  g_test_add_func ("/execution-damage/tile-sets", test_tile_sets);
  g_test_add_func ("/execution-damage/types", test_types);
  g_test_add_func ("/execution-damage/too-many-types", test_too_many_types);
  g_test_add_func ("/execution-damage/run-twice", test_run_twice);
  g_test_add_func ("/execution-damage/runs-overlap", test_runs_overlap);
  g_test_add_func ("/execution-damage/cut-off", test_cut_off);
  g_test_add_func ("/execution-damage/no-runs", test_no_runs);
  g_test_add_func ("/execution-damage/too-many-runs", test_too_many_runs);
  g_test_add_func ("/execution-damage/time-out-of-order", test_time_out_of_order);
  g_test_add_func ("/execution-damage/no-slices", test_no_slices);
  g_test_add_func ("/execution-damage/no-times", test_no_times);
  g_test_add_func ("/execution-damage/active-tiles", test_active_tiles);
  g_test_add_func ("/execution-damage/arrays", test_arrays);
  g_test_add_func ("/execution-damage/between-runs", test_between_runs);
  g_test_add_func ("/execution-damage/listed", test_listed);
  g_test_add_func ("/execution-damage/missing", test_missing);
  status = g_test_run ();
  check_said ("said-of-execution-damage.txt");
  return status;
}

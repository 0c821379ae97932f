/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an execution has beside runs, steps and slices, what it may lack, and what is seen of it
 * while it is loading. */

#include "config.h"

#include "execution-test.h"

/* ------------------------------------------------------- blocks and totals */

static void
test_blocks (void)
{
  g_autoptr (TsrReport) report = damage (
      "INSERT INTO blocks VALUES (3, 99, NULL, 0, 9, 77, 30, 20, 2, 0, 0, 0),"
      " (4, 11, 'x', 9, 0, 6, 1, 2, 0, 0, 0, 0), (5, NULL, 'y', NULL, 0, 6, 1, 2, 0, 0, 0,"
      " 0), (6, NULL, NULL, 2, 3, NULL, 7, 9, 0, 0, 1, 0),"
      " (7, 11, 'z', 3, 0, 6, NULL, 9, 0, 0, 0, 0), (8, 11, 'z', 3, 1, 6, 7, NULL, 0, 0, 0, 0)");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, -1, -1);
  g_assert_cmpuint (t->n_blocks, ==, 6);
  g_assert_cmpint (t->block_id[0], ==, 2);
  g_assert_cmpint (t->block_id[1], ==, 3);
  g_assert_cmpint (t->block_id[2], ==, 1);
  g_assert_cmpint (t->block_id[3], ==, 6);
  g_assert_cmpint (t->block_id[4], ==, 7);
  g_assert_cmpint (t->block_id[5], ==, 8);
  for (guint i = 0; i < t->n_blocks; i++)
    {
      gboolean whole = t->block_id[i] != 3 && t->block_id[i] < 7;

      g_assert_cmpint (t->block_from[i] != TSR_UNKNOWN, ==, whole);
      g_assert_cmpint (t->block_to[i] != TSR_UNKNOWN, ==, whole);
    }
  g_assert_cmpuint (t->block_tile[1], ==, TSR_NO_INDEX);
  g_assert_cmpuint (t->block_run[1], ==, TSR_NO_INDEX);
  g_assert_cmpuint (t->block_name[3], ==, TSR_NO_STRING);
  g_assert_cmpint (t->block_flags[3], ==, TSR_BLOCK_OVERFLOW);
  g_assert_cmpint (find_row (report, "cycles-reversed", "blocks"), ==, 3);
  g_assert_cmpint (find_row (report, "reference-broken", "blocks"), ==, 3);
  g_assert_cmpint (find_row (report, "value-missing", "blocks"), ==, 5);
  g_assert_cmpuint (count_diagnostics (report, "value-out-of-range", "blocks"), ==, 3);
  g_assert_true (tells (report, "value-out-of-range", "blocks", "ipu is 9, at most 3 is expected"));
  g_assert_true (
      tells (report, "cycles-reversed", "blocks", "ends at cycle 20, before it starts at 30"));
}

/* Lightweight profiling alone: there are blocks and no steps. */
static void
test_blocks_only (void)
{
  g_autoptr (TsrReport) report = damage ("DROP TABLE steps; DROP TABLE steps_by_ipu;");
  const TsrExecutionTables *t = TABLES (report);
  const TsrSummary *summary = tsr_report_get_summary (report);

  g_assert_cmpuint (t->n_blocks, ==, 2);
  g_assert_cmpuint (t->n_steps, ==, 0);
  g_assert_cmpuint (t->n_ipus, ==, 2);
  g_assert_cmpuint (t->ipu_start[2], ==, 0);
  g_assert_cmpuint (t->n_runs, ==, 3);
  g_assert_cmpuint (t->block_run[1], ==, 1);
  g_assert_true (summary->views[TSR_VIEW_EXECUTION_TRACE].available);
}

/* An IPU that only blocks name has no slices, and the others keep theirs. */
static void
test_blocks_beyond (void)
{
  g_autoptr (TsrReport) report
      = damage ("DELETE FROM steps_by_ipu WHERE ipu > 0;"
                "INSERT INTO blocks VALUES (3, 11, 'far', 3, 0, 6, 30, 40, 0, 0, 0, 0);");
  const TsrExecutionTables *t = tsr_report_get_execution_tables (report);

  g_assert_cmpuint (t->n_ipus, ==, 4);
  g_assert_cmpuint (t->n_blocks, ==, 3);
  g_assert_cmpuint (t->ipu_start[0], ==, 0);
  for (guint ipu = 1; ipu <= 4; ipu++)
    g_assert_cmpuint (t->ipu_start[ipu], ==, N_STEPS);
}

static void
test_totals (void)
{
  g_autoptr (TsrReport) report = damage (
      "INSERT INTO execution_cycle_totals VALUES (9, 1), (NULL, 2), (0, 3), (3, -3);"
      "INSERT INTO run_cycles_by_ipu VALUES (8, 0, 1), (5, 9, 1), (5, 0, 7), (5, 1, -1);");
  g_autoptr (TsrReport) without = damage ("ALTER TABLE execution_cycle_totals DROP COLUMN ipu;");
  const TsrExecutionTables *t = TABLES (report);

  check_others (t, -1, -1);
  g_assert_cmpint (t->total_cycles[0], ==, 1500);
  g_assert_cmpint (t->total_cycles[3], ==, TSR_UNKNOWN);
  g_assert_cmpint (t->run_ipu_cycles[0], ==, 400);
  g_assert_cmpint (t->run_ipu_cycles[1], ==, TSR_UNKNOWN);
  find_row (report, "row-repeated", "execution_cycle_totals");
  find_row (report, "value-out-of-range", "execution_cycle_totals");
  find_row (report, "reference-broken", "run_cycles_by_ipu");
  find_row (report, "row-repeated", "run_cycles_by_ipu");
  g_assert_null (TABLES (without)->total_cycles);
  find_row (without, "ipus-uneven", "execution_cycle_totals");
}

/* ------------------------------------------------------------------ missing */

static void
check_missing (const char *sql, const char *missing)
{
  char *folder = dup_base (sql);
  g_autoptr (TsrReport) report = open_tables (folder, TSR_LOAD_ALL);
  const GError *error = tsr_report_get_stage_error (report, TSR_STAGE_EXECUTION);

  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  g_assert_nonnull (strstr (error->message, missing));
  g_assert_nonnull (strstr (error->message, "autoReport.outputExecutionProfile"));
  g_assert_null (TABLES (report));
  tsr_test_folder_free (folder);
}

static void
test_missing (void)
{
  g_autoptr (TsrReport) report = damage ("ALTER TABLE steps_by_ipu DROP COLUMN cycles_base;");

  check_missing ("DELETE FROM blocks; DELETE FROM steps;", "steps");
  check_missing ("DROP TABLE blocks; DROP TABLE steps_by_ipu;", "steps_by_ipu");
  check_missing ("DROP TABLE blocks; ALTER TABLE steps_by_ipu DROP COLUMN step_id",
                 "steps_by_ipu.step_id");
  find_row (report, "column-missing", "steps_by_ipu");
  g_assert_cmpint (TABLES (report)->slice_end[5], ==, TSR_UNKNOWN);
  g_assert_cmpuint (TABLES (report)->ipu_start[4], ==, N_STEPS * N_IPUS);
}

/* -------------------------------------------------------- from_max not told */

/* Starts are cut where the step before ends, but not where a step runs beside the one before. */
static void
test_cut (void)
{
  static const gint64 expected[][2] = { { 0, 100 },   { 100, 200 }, { 150, 160 }, { 160, 300 },
                                        { 300, 900 }, { 350, 400 }, { 400, 450 } };
  g_autoptr (TsrReport) report = damage (
      "DELETE FROM steps_by_ipu; ALTER TABLE steps_by_ipu DROP COLUMN active_cycles_from_max;"
      "INSERT INTO steps_by_ipu (step_id, ipu, cycles_base, active_cycles_from_min,"
      " active_cycles_to_max) VALUES (0, 0, 0, 0, 100), (1, 0, 90, 5, 110), (2, 0, 0, 150, 160),"
      " (3, 0, 155, 0, 145), (4, 0, 300, 0, 600), (5, 0, 350, 0, 50), (6, 0, 350, 40, 100);");
  const TsrExecutionTables *t = TABLES (report);

  g_assert_false (t->from_max_told);
  g_assert_cmpuint (t->ipu_start[t->n_ipus], ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      gsize slice = find_slice (t, i, 0);

      g_assert_cmpint (t->slice_start[slice], ==, expected[i][0]);
      g_assert_cmpint (t->slice_end[slice], ==, expected[i][1]);
      g_assert_cmpint (tsr_narrow_get (&t->slice_lead_in, slice), ==, TSR_UNKNOWN);
    }
}

/* ------------------------------------------------------------------ preview */

typedef struct
{
  GMainLoop *loop;
  guint n_seen;
  double fraction;
} Watching;

static gboolean
on_look (gpointer data)
{
  Watching *watching = ((gpointer *)data)[0];
  TsrReport *report = ((gpointer *)data)[1];
  g_autoptr (TsrExecutionPreview) preview = tsr_report_dup_execution_preview (report);

  if (preview != NULL)
    {
      watching->n_seen++;
      g_assert_cmpuint (preview->n_ipus, ==, N_IPUS);
      g_assert_cmpfloat (preview->fraction, >=, watching->fraction);
      g_assert_cmpfloat (preview->fraction, <=, 1);
      g_assert_cmpuint (g_strv_length (preview->names), ==, 2);
      watching->fraction = preview->fraction;
      for (guint i = 0; i < preview->n_ipus * preview->n_columns; i++)
        g_assert_true (preview->type[i] == 0xff || preview->type[i] < 2);
    }
  if (tsr_report_get_stage_state (report, TSR_STAGE_EXECUTION) >= TSR_STAGE_READY)
    g_main_loop_quit (watching->loop);
  return G_SOURCE_CONTINUE;
}

/* Whatever there is to see while loading is right, and gone afterwards; with rowids and without, as
 * Poplar's own files are. */
static void
test_preview (gconstpointer before)
{
  g_autofree char *sql
      = g_strconcat (before,
                     "WITH RECURSIVE n(i) AS (SELECT 15 UNION ALL SELECT i + 1 FROM n WHERE i"
                     " < 100000) INSERT INTO steps SELECT i, iif (i % 3, 'DoExchange',"
                     " 'OnTileExecute'), 11, 0, NULL, NULL FROM n;"
                     "INSERT INTO steps_by_ipu SELECT id, i, 80, 1, 100 * id, 0, i, 90 + i,"
                     " 0.25, 0.5, 1, 1 FROM steps, ipus WHERE id > 14 ORDER BY id, i;",
                     NULL);
  char *folder = dup_base (sql);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Watching watching = { .loop = loop };
  g_autoptr (TsrReport) report = tsr_report_open (place, folder, TSR_LOAD_NO_LOWERED);
  gpointer data[] = { &watching, report };
  guint source = g_timeout_add (2, on_look, data);

  g_main_loop_run (loop);
  g_source_remove (source);
  g_assert_cmpuint (watching.n_seen, >, 0);
  g_assert_null (tsr_report_dup_execution_preview (report));
  check_others (TABLES (report), -1, -1);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/execution-beside/blocks", test_blocks);
  g_test_add_func ("/execution-beside/blocks-only", test_blocks_only);
  g_test_add_func ("/execution-beside/blocks-beyond", test_blocks_beyond);
  g_test_add_func ("/execution-beside/totals", test_totals);
  g_test_add_func ("/execution-beside/missing", test_missing);
  g_test_add_func ("/execution-beside/cut", test_cut);
  g_test_add_data_func ("/execution-beside/preview", "", test_preview);
  g_test_add_data_func (
      "/execution-beside/preview-by-step",
      "ALTER TABLE steps_by_ipu RENAME TO old; CREATE TABLE steps_by_ipu (step_id,"
      " ipu, cycles, active_tiles, cycles_base, active_cycles_from_min,"
      " active_cycles_from_max, active_cycles_to_max, tile_balance,"
      " active_tile_balance, data_in, data_out, PRIMARY KEY (step_id, ipu))"
      " WITHOUT ROWID; INSERT INTO steps_by_ipu SELECT * FROM old;",
      test_preview);
  status = g_test_run ();
  check_said ("said-of-execution-beside.txt");
  return status;
}

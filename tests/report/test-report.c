/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The report: stages, what each kind of folder gives, what is missing and why, cancelling. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-report.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define WHOLE                                                                                      \
  "PRAGMA application_id = 0x54535231; PRAGMA user_version = 1;"                                   \
  "CREATE TABLE report_info (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"                    \
  "INSERT INTO report_info VALUES ('poplar_version', '3.1.0 (a027fa0bd5)'), ('synthetic', '1'),"   \
  "  ('report_unstable', '1');"                                                                    \
  "CREATE TABLE engine_options (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"                 \
  "INSERT INTO engine_options VALUES ('autoReport.all', 'true'), ('a', NULL);"                     \
  "CREATE TABLE target (type, architecture, num_ipus, ipus_per_replica, num_replicas,"             \
  "  tiles_per_ipu, bytes_per_tile, clock_frequency, interleaved_start);"                          \
  "INSERT INTO target VALUES ('Ipu', 'Mk2', 4, 2, 2, 2, 1000, 1.33e9, 400);"                       \
  "CREATE TABLE graph (num_compute_sets, num_vertices, num_edges, num_vars);"                      \
  "INSERT INTO graph VALUES (1, 2, 3, NULL);"                                                      \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps, excluding_gaps,"  \
  "  overflowed, always_live, not_always_live, peak_step);"                                        \
  "INSERT INTO memory_by_tile VALUES (0, 10, 20, 10, 0, 4, 5, 1), (1, 30, 30, 30, 0, 10, 20, 2),"  \
  "  (2, 0, 0, 0, 0, 0, 0, NULL), (3, 999, 1200, 999, 200, 900, 99, 0);"

static TsrReport *
open_report (const char *folder, GError **error)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();

  return tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, error);
}

static void
test_whole (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  const TsrSummary *summary;
  const TsrMemoryTables *tables;
  char *folder = tsr_test_folder_new ();
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  tsr_test_sql (folder, "profile.pop", WHOLE);
  tsr_test_write (folder, "framework.json", "{\"TensorFlow\": {\"Version\": \"2.6\"}}", -1);
  before = tsr_test_fingerprint (folder);
  report = open_report (folder, &error);
  g_assert_no_error (error);
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);

  summary = tsr_report_get_summary (report);
  g_assert_cmpstr (summary->poplar_version, ==, "3.1.0 (a027fa0bd5)");
  g_assert_true (summary->synthetic);
  g_assert_true (summary->unstable);
  g_assert_cmpint (summary->target.num_tiles, ==, 8);
  g_assert_cmpint (summary->target.tiles_per_replica, ==, 4);
  g_assert_cmpint (summary->graph.num_edges, ==, 3);
  g_assert_cmpint (summary->graph.num_vars, ==, TSR_UNKNOWN);
  g_assert_cmpfloat (summary->target.clock_frequency, ==, 1.33e9);
  g_assert_nonnull (summary->framework);
  g_assert_null (summary->app);
  g_assert_true (summary->views[TSR_VIEW_MEMORY].available);
  g_assert_false (summary->views[TSR_VIEW_EXECUTION_TRACE].available);

  tables = tsr_report_get_memory_tables (report);
  g_assert_cmpuint (tables->tiles.n_tiles, ==, 4);
  g_assert_cmpint (tables->tiles.including_gaps[3], ==, 1200);
  g_assert_cmpint (tables->tiles.peak_step[2], ==, TSR_UNKNOWN);
  g_assert_cmpint (tables->bytes_per_tile, ==, 1000);
  g_assert_false (tables->regions.present);
  tsr_test_folder_free (folder);
}

/* What a target leaves out is what its other figures tell, not how many tiles happen to have rows.
 */
static void
test_target_in_part (void)
{
  static const char *const sets[]
      = { "ipus_per_replica = NULL", "num_replicas = NULL", "num_ipus = NULL" };

  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrReport) report = NULL;
      const TsrSummary *summary;
      char *folder = tsr_test_folder_new ();
      g_autofree char *sql = g_strdup_printf (
          WHOLE "UPDATE target SET %s; DELETE FROM memory_by_tile WHERE tile = 3;", sets[i]);

      tsr_test_sql (folder, "profile.pop", sql);
      report = open_report (folder, &error);
      g_assert_no_error (error);
      summary = tsr_report_get_summary (report);
      g_assert_cmpint (summary->target.tiles_per_replica, ==, 4);
      g_assert_cmpint (summary->target.num_tiles, ==, 8);
      g_assert_cmpuint (tsr_report_get_memory_tables (report)->tiles.n_tiles, ==, 4);
      tsr_test_folder_free (folder);
    }
}

/* A file with nothing but what is confirmed of Poplar's own. */
static void
test_confirmed_only (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  const TsrSummary *summary;
  const TsrMemoryTables *tables;
  char *folder = tsr_test_folder_new ();

  tsr_test_sql (folder, "profile.pop",
                "CREATE TABLE memory_by_tile (total);"
                "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 2943)"
                "  INSERT INTO memory_by_tile SELECT 1000 + i FROM t;"
                "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"
                "INSERT INTO var_categories VALUES (3, 'variable'), (9, 'controlCode');"
                "CREATE TABLE vars_info (tile, size_bytes, category);"
                "INSERT INTO vars_info VALUES (0, 10, 3), (0, 20, 9), (2943, 5, 3), (1, 7, 3);"
                "CREATE TABLE poplar_secret_table (x);");
  report = open_report (folder, &error);
  g_assert_no_error (error);
  summary = tsr_report_get_summary (report);
  g_assert_false (summary->unstable || summary->synthetic);
  g_assert_cmpint (summary->target.tiles_per_ipu, ==, 1472);
  g_assert_true (summary->target.tiles_per_ipu_assumed);
  g_assert_cmpint (summary->target.num_tiles, ==, 2944);
  g_assert_cmpint (summary->target.bytes_per_tile, ==, TSR_UNKNOWN);
  g_assert_cmpint (summary->graph.num_compute_sets, ==, TSR_UNKNOWN);
  g_assert_cmpint (summary->graph.num_vertices, ==, TSR_UNKNOWN);
  g_assert_cmpint (summary->graph.num_edges, ==, TSR_UNKNOWN);
  g_assert_cmpint (summary->graph.num_vars, ==, TSR_UNKNOWN);
  g_assert_cmpuint (g_strv_length (summary->unknown_tables), ==, 1);
  g_assert_cmpstr (summary->unknown_tables[0], ==, "poplar_secret_table");

  tables = tsr_report_get_memory_tables (report);
  g_assert_cmpuint (tables->tiles.n_tiles, ==, 2944);
  g_assert_cmpint (tables->tiles.total[2943], ==, 1000 + 2943);
  g_assert_null (tables->tiles.including_gaps);
  g_assert_cmpuint (tables->categories.n_categories, ==, 2);
  g_assert_cmpint (tables->categories.allocated[0], ==, 22);
  g_assert_cmpint (tables->categories.allocated[1], ==, 20);
  g_assert_nonnull (tables->allocated_by_tile);
  g_assert_cmpint (tables->allocated_by_tile[2943], ==, 5);
  g_assert_cmpint (tables->allocated_by_tile[2944], ==, 20);
  g_assert_true (tables->tiles_per_ipu_assumed);
  tsr_test_folder_free (folder);
}

static void
test_several (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  char *folder = tsr_test_folder_new ();
  g_autofree char *training = g_build_filename (folder, "training", NULL);
  g_autofree char *inference = g_build_filename (folder, "inference", NULL);

  g_assert_cmpint (g_mkdir_with_parents (training, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (inference, 0700), ==, 0);
  tsr_test_sql (training, "profile.pop", WHOLE);
  tsr_test_sql (inference, "profile.pop", WHOLE);
  report = open_report (folder, &error);
  g_assert_error (error, TSR_ERROR, TSR_ERROR_NOT_A_REPORT);
  g_assert_nonnull (strstr (error->message, training));
  g_assert_nonnull (strstr (error->message, inference));
  g_assert_null (report);
  tsr_test_folder_free (folder);
}

static void
test_damaged_json_costs_only_itself (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  char *folder = tsr_test_folder_new ();

  tsr_test_sql (folder, "profile.pop", WHOLE);
  tsr_test_write (folder, "app.json", "{\"a\": [1, 2", -1);
  report = open_report (folder, &error);
  g_assert_no_error (error);
  g_assert_null (tsr_report_get_summary (report)->app);
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (tsr_report_get_diagnostics (report)), ==, 1);
  g_assert_cmpstr (tsr_diagnostics_get (tsr_report_get_diagnostics (report), 0)->file, ==,
                   "app.json");
  g_assert_nonnull (tsr_report_get_memory_tables (report));
  tsr_test_folder_free (folder);
}

/* The summary stays when memory cannot be had, and the stage says why. */
static void
test_no_memory (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  char *folder = tsr_test_folder_new ();

  tsr_test_sql (folder, "profile.pop", "CREATE TABLE programs (id INTEGER PRIMARY KEY, name);");
  report = open_report (folder, &error);
  g_assert_no_error (error);
  g_assert_nonnull (tsr_report_get_summary (report));
  g_assert_false (tsr_report_get_summary (report)->views[TSR_VIEW_MEMORY].available);
  g_assert_cmpint (tsr_report_get_stage_state (report, TSR_STAGE_MEMORY), ==, TSR_STAGE_FAILED);
  g_assert_error (tsr_report_get_stage_error (report, TSR_STAGE_MEMORY), TSR_ERROR,
                  TSR_ERROR_MISSING_PART);
  g_assert_nonnull (
      strstr (tsr_report_get_stage_error (report, TSR_STAGE_MEMORY)->message, "memory_by_tile"));
  tsr_test_folder_free (folder);
}

/* Operations are not promised where debug.cbor is empty, nor without a word where no program has a
 * debug context. */
static void
test_operations_promised (void)
{
  static const struct
  {
    const char *sql, *debug, *missing;
    gboolean available;
  } cases[] = {
    { "", "\241", NULL, TRUE },
    { "", "", "debug.cbor", FALSE },
    { "ALTER TABLE programs RENAME COLUMN debug_id TO unheard_of", "\241", "programs.debug_id",
      TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrReport) report = NULL;
      g_autofree char *sql
          = g_strconcat ("CREATE TABLE programs (id INTEGER PRIMARY KEY, name, debug_id); "
                         "INSERT INTO programs VALUES (1, 'a', 2); ",
                         cases[i].sql, NULL);
      char *folder = tsr_test_folder_new ();
      const TsrAvailability *operations;

      tsr_test_sql (folder, "profile.pop", sql);
      tsr_test_write (folder, "debug.cbor", cases[i].debug, -1);
      report = open_report (folder, &error);
      g_assert_no_error (error);
      operations = &tsr_report_get_summary (report)->views[TSR_VIEW_OPERATIONS];
      g_assert_cmpint (operations->available, ==, cases[i].available);
      g_assert_cmpuint (operations->missing->len, ==, cases[i].missing != NULL ? 1 : 0);
      if (cases[i].missing != NULL)
        g_assert_cmpstr (((TsrMissing *)g_ptr_array_index (operations->missing, 0))->table, ==,
                         cases[i].missing);
      tsr_test_folder_free (folder);
    }
}

typedef struct
{
  GMainLoop *loop;
  guint changes;
  guint n_said; /* diagnostics, when something was told of them */
  gboolean memory_done;
} Watch;

static void
diagnostics_changed (TsrReport *report, gpointer data)
{
  ((Watch *)data)->n_said = tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (report));
}

static void
stage_changed (TsrReport *report, int stage, gpointer data)
{
  Watch *watch = data;
  TsrStageState state = tsr_report_get_stage_state (report, stage);

  watch->changes++;
  if (stage != TSR_STAGE_MEMORY || state == TSR_STAGE_LOADING || state == TSR_STAGE_PENDING)
    return;
  watch->memory_done = TRUE;
  g_main_loop_quit (watch->loop);
}

static gboolean
give_up (gpointer data)
{
  g_error ("the report was not loaded within two minutes");
  return G_SOURCE_REMOVE;
}

static void
run_async (const char *folder, gboolean cancel, TsrStageState expected, gboolean damaged)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  Watch watch = { .loop = g_main_loop_new (NULL, FALSE) };
  guint timeout = g_timeout_add_seconds (120, give_up, NULL);

  report = tsr_report_open (place, folder, TSR_LOAD_ALL);
  g_signal_connect (report, "stage-changed", G_CALLBACK (stage_changed), &watch);
  g_signal_connect (report, "diagnostics-changed", G_CALLBACK (diagnostics_changed), &watch);
  if (cancel)
    tsr_report_cancel (report);
  g_main_loop_run (watch.loop);
  g_source_remove (timeout);
  g_assert_true (watch.memory_done);
  if (expected == TSR_STAGE_READY)
    {
      g_assert_cmpint (tsr_report_get_stage_state (report, TSR_STAGE_SUMMARY), ==, expected);
      g_assert_cmpint (tsr_report_get_stage_state (report, TSR_STAGE_MEMORY), ==, expected);
      g_assert_cmpuint (tsr_report_get_memory_tables (report)->tiles.n_tiles, ==, 4);
      g_assert_cmpuint (watch.changes, >=, 3);
    }
  while (g_main_context_iteration (NULL, FALSE))
    ;
  if (!cancel)
    g_assert_cmpuint (watch.n_said > 0, ==, damaged);
  /* Stages after that of memory still load, and the loader keeps the report. */
  g_signal_handlers_disconnect_by_data (report, &watch);
  g_main_loop_unref (watch.loop);
}

static void
test_async (void)
{
  char *folder = tsr_test_folder_new ();

  tsr_test_sql (folder, "profile.pop", WHOLE);
  run_async (folder, FALSE, TSR_STAGE_READY, FALSE);
  /* Cancelled at once: either it was quicker or it failed; it always ends. */
  for (guint i = 0; i < 20; i++)
    run_async (folder, TRUE, TSR_STAGE_FAILED, FALSE);
  tsr_test_sql (folder, "profile.pop", "UPDATE memory_by_tile SET total = -1 WHERE rowid = 1");
  run_async (folder, FALSE, TSR_STAGE_READY, TRUE);
  tsr_test_folder_free (folder);
}

/* Where a report is, asked for by its folder, by a folder above, and by its file. */
static void
test_places (void)
{
  static const char *const names[] = { "", "one", "one/profile.pop" };
  char *folder = tsr_test_folder_new ();
  g_autofree char *one = g_build_filename (folder, "one", NULL);

  g_assert_cmpint (g_mkdir (one, 0700), ==, 0);
  tsr_test_sql (one, "profile.pop", WHOLE);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *asked
          = *names[i] != '\0' ? g_build_filename (folder, names[i], NULL) : g_strdup (folder);
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrReport) report = open_report (asked, &error);
      g_autofree char *location = NULL, *found = NULL;

      g_assert_no_error (error);
      location = tsr_report_dup_location (report);
      found = tsr_report_dup_folder (report);
      g_assert_cmpstr (location, ==, asked);
      g_assert_cmpstr (tsr_report_get_location (report), ==, asked);
      g_assert_cmpstr (found, ==, one);
      g_assert_cmpstr (tsr_report_get_name (report), ==, "one");
      for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
        g_assert_false (tsr_report_is_waiting (report, stage));
    }
  tsr_test_folder_free (folder);
}

/* Before anything is known of its files, a report's folder is where it was looked for. */
static void
test_folder_at_once (void)
{
  g_autofree char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "not-there", NULL);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = tsr_report_open (place, path, TSR_LOAD_ALL);
  g_autofree char *at_once = tsr_report_dup_folder (report);
  g_autofree char *later = NULL;

  g_assert_cmpstr (at_once, ==, path);
  while (tsr_report_get_stage_state (report, TSR_STAGE_SUMMARY) != TSR_STAGE_FAILED)
    g_main_context_iteration (NULL, FALSE);
  later = tsr_report_dup_folder (report);
  g_assert_cmpstr (later, ==, path);
  tsr_test_folder_free (g_steal_pointer (&folder));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/whole", test_whole);
  g_test_add_func ("/report/confirmed-only", test_confirmed_only);
  g_test_add_func ("/report/target-in-part", test_target_in_part);
  g_test_add_func ("/report/several", test_several);
  g_test_add_func ("/report/damaged-json", test_damaged_json_costs_only_itself);
  g_test_add_func ("/report/no-memory", test_no_memory);
  g_test_add_func ("/report/operations-promised", test_operations_promised);
  g_test_add_func ("/report/async", test_async);
  g_test_add_func ("/report/places", test_places);
  g_test_add_func ("/report/folder-at-once", test_folder_at_once);
  return g_test_run ();
}

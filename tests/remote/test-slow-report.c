/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reports behind a fake other side: the same as read here, with few round trips and few bytes. */

#include "config.h"

#include "fake-remote.h"
#include "tsr-error.h"
#include "tsr-remote-error.h"
#include "tsr-report.h"
#include "tsr-test.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* Long beside what the machine computes meanwhile. */
#define LATENCY 0.06

typedef struct
{
  char *root, *cache_folder, *path;
  FakeRemote *fake;
  TsrBlockCache *cache;
  TsrRemotePlace *place;
} Fixture;

/* A report in /report; TSR_TEST_REPORT names another one to look at, of any size. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  const char *named = g_getenv ("TSR_TEST_REPORT");
  g_autofree char *folder = NULL;

  fixture->cache_folder = tsr_test_folder_new ();
  if (named != NULL)
    {
      fixture->root = g_path_get_dirname (named);
      fixture->path = g_strconcat ("/", strrchr (named, '/') + 1, NULL);
    }
  else
    {
      g_autofree char *made = tsr_test_report_new (data != NULL ? data : "demo");

      fixture->root = tsr_test_folder_new ();
      folder = g_build_filename (fixture->root, "report", NULL);
      g_assert_cmpint (g_rename (made, folder), ==, 0);
      tsr_test_write (folder, "app.json", "{\"a\": 1}", -1);
      tsr_test_write (folder, "framework.json", "{\"b\": 2}", -1);
      fixture->path = g_strdup ("/report");
    }
  fixture->fake = fake_remote_new (fixture->root);
  fixture->cache = tsr_block_cache_new (fixture->cache_folder, TSR_BLOCK_CACHE_DEFAULT_LIMIT);
  fixture->place = fake_remote_make_place (fixture->fake, fixture->cache);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->place);
  fake_remote_unref (fixture->fake);
  tsr_block_cache_unref (fixture->cache);
  if (g_getenv ("TSR_TEST_REPORT") == NULL)
    tsr_test_folder_free (fixture->root);
  else
    g_free (fixture->root);
  tsr_test_folder_free (fixture->cache_folder);
  g_free (fixture->path);
}

static void
start_again (Fixture *fixture, gboolean forget)
{
  g_clear_object (&fixture->place);
  tsr_block_cache_unref (fixture->cache);
  if (forget)
    {
      tsr_test_folder_free (fixture->cache_folder);
      fixture->cache_folder = tsr_test_folder_new ();
    }
  fixture->cache = tsr_block_cache_new (fixture->cache_folder, TSR_BLOCK_CACHE_DEFAULT_LIMIT);
  fixture->place = fake_remote_make_place (fixture->fake, fixture->cache);
  fake_remote_reset_counts (fixture->fake);
}

static TsrReport *
open_report (Fixture *fixture, TsrLoadFlags flags, GError **error)
{
  return tsr_report_open_sync (TSR_PLACE (fixture->place), fixture->path, flags, NULL, error);
}

/* -------------------------------------------------------------------- figures */

typedef struct
{
  double trips; /* of the time that it took */
  guint64 bytes;
} Cost;

/* The least time of a few, and of more on a machine that does much else: that is not what is
 * measured. */
static Cost
measure (Fixture *fixture, TsrLoadFlags flags, gboolean forget, double most_trips)
{
  Cost cost = { .trips = G_MAXDOUBLE };

  fake_remote_set_line (fixture->fake, LATENCY, 0);
  for (guint i = 0; i < 3 || (i < 20 && cost.trips > most_trips); i++)
    {
      g_autoptr (TsrReport) report = NULL;
      g_autoptr (GError) error = NULL;
      FakeCounts counts;
      gint64 start;

      start_again (fixture, forget);
      start = g_get_monotonic_time ();
      report = open_report (fixture, flags, &error);
      g_assert_no_error (error);
      fake_remote_get_counts (fixture->fake, &counts);
      cost.trips = MIN (cost.trips, (double)(g_get_monotonic_time () - start) / 1e6 / LATENCY);
      cost.bytes = MAX (cost.bytes, counts.bytes);
      g_clear_object (&report);
      tsr_remote_place_flush ();
    }
  fake_remote_set_line (fixture->fake, 0, 0);
  return cost;
}

static void
test_summary (Fixture *fixture, gconstpointer data)
{
  /* A connection lists with two trips less than this other side. */
  const double most_first = 12, most_second = 8;
  Cost first = measure (fixture, TSR_LOAD_SUMMARY_ONLY, TRUE, most_first);
  Cost second = measure (fixture, TSR_LOAD_SUMMARY_ONLY, FALSE, most_second);

  g_test_message ("first %.1f trips, %" G_GUINT64_FORMAT " bytes; second %.1f, %" G_GUINT64_FORMAT,
                  first.trips, first.bytes, second.trips, second.bytes);
  g_assert_cmpfloat (first.trips, <=, most_first);
  g_assert_cmpuint (first.bytes, <=, 1 << 20);
  g_assert_cmpfloat (second.trips, <=, most_second);
  g_assert_cmpuint (second.bytes, <=, 65536);
}

/* What is here again without a network, and says so. */
static void
test_offline (Fixture *fixture, gconstpointer data)
{
  const char *paths[] = { NULL, NULL, NULL, NULL };
  g_autofree char *profile = g_strconcat (fixture->path, "/profile.pop", NULL);
  g_autofree char *app = g_strconcat (fixture->path, "/app.json", NULL);
  g_autofree char *framework = g_strconcat (fixture->path, "/framework.json", NULL);
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;

  paths[0] = profile;
  paths[1] = app;
  paths[2] = framework;
  entries = tsr_place_list (TSR_PLACE (fixture->place), fixture->path, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (tsr_remote_place_fetch (fixture->place, paths, NULL, NULL, &error));
  g_assert_no_error (error);
  fake_remote_set_down (fixture->fake, TRUE);
  start_again (fixture, FALSE);
  report = open_report (fixture, 0, &error);
  g_assert_no_error (error);
  g_assert_true (tsr_remote_place_is_offline (fixture->place));
  for (TsrStage stage = 0; stage < TSR_STAGE_DEBUG; stage++)
    g_assert_no_error (tsr_report_get_stage_error (report, stage));
  /* There is no debug.cbor. */
  g_assert_error (tsr_report_get_stage_error (report, TSR_STAGE_DEBUG), TSR_ERROR,
                  TSR_ERROR_MISSING_PART);
}

/* Where nothing can be kept it is read all the same, and a diagnostic says so. */
static void
test_not_kept (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->cache_folder, "file", "remote", NULL);
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  tsr_test_write (fixture->cache_folder, "file", "x", 1);
  g_clear_object (&fixture->place);
  tsr_block_cache_unref (fixture->cache);
  fixture->cache = tsr_block_cache_new (folder, TSR_BLOCK_CACHE_DEFAULT_LIMIT);
  fixture->place = fake_remote_make_place (fixture->fake, fixture->cache);
  report = open_report (fixture, 0, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (tsr_report_get_diagnostics (report)); i++)
    {
      const TsrDiagnostic *told = tsr_diagnostics_get (tsr_report_get_diagnostics (report), i);

      if (!g_str_equal (told->code, "not-kept"))
        continue;
      g_assert_nonnull (strstr (told->text, folder));
      n++;
    }
  g_assert_cmpuint (n, ==, 1);
}

/* --------------------------------------------------------------------- the same */

static void
check_same_programs (const TsrProgramTables *x, const TsrProgramTables *y)
{
  g_assert_cmpuint (x->n_programs, ==, y->n_programs);
  g_assert_cmpmem (x->program_id, x->n_programs * sizeof *x->program_id, y->program_id,
                   y->n_programs * sizeof *y->program_id);
  g_assert_cmpmem (x->program_code, x->n_programs * sizeof *x->program_code, y->program_code,
                   y->n_programs * sizeof *y->program_code);
  g_assert_cmpuint (x->n_compute_sets, ==, y->n_compute_sets);
  g_assert_cmpmem (
      x->compute_set_estimated_cycles, x->n_compute_sets * sizeof *x->compute_set_estimated_cycles,
      y->compute_set_estimated_cycles, y->n_compute_sets * sizeof *y->compute_set_estimated_cycles);
}

static void
check_same (TsrReport *x, TsrReport *y)
{
  const TsrMemoryTables *memory = tsr_report_get_memory_tables (x);
  const TsrMemoryTables *other = tsr_report_get_memory_tables (y);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (x);
  TsrDiagnostics *told = tsr_report_get_diagnostics (x);

  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    g_assert_cmpint (tsr_report_get_stage_state (x, stage), ==,
                     tsr_report_get_stage_state (y, stage));
  g_assert_cmpuint (memory->tiles.n_tiles, ==, other->tiles.n_tiles);
  g_assert_cmpmem (memory->tiles.total, memory->tiles.n_tiles * sizeof (gint64), other->tiles.total,
                   other->tiles.n_tiles * sizeof (gint64));
  check_same_programs (tsr_report_get_program_tables (x), tsr_report_get_program_tables (y));
  g_assert_cmpuint (liveness->n_steps, ==, tsr_report_get_liveness_tables (y)->n_steps);
  g_assert_cmpuint (liveness->n_variables, ==, tsr_report_get_liveness_tables (y)->n_variables);
  g_assert_cmpmem (liveness->step_program, liveness->n_steps * sizeof *liveness->step_program,
                   tsr_report_get_liveness_tables (y)->step_program,
                   liveness->n_steps * sizeof *liveness->step_program);
  g_assert_cmpuint (tsr_report_get_execution_tables (x)->n_steps, ==,
                    tsr_report_get_execution_tables (y)->n_steps);
  g_assert_cmpuint (tsr_report_get_lowered_tables (x)->n, ==, tsr_report_get_lowered_tables (y)->n);
  g_assert_cmpuint (tsr_diagnostics_get_n_total (told), ==,
                    tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (y)));
}

static void
test_same (Fixture *fixture, gconstpointer data)
{
  g_autofree char *local_path = g_build_filename (fixture->root, fixture->path, NULL);
  g_autoptr (TsrPlace) local_place = tsr_local_place_new ();
  g_autoptr (TsrReport) local = NULL;
  g_autoptr (GError) error = NULL;

  fake_remote_set_line (fixture->fake, 0.002, 0);
  local = tsr_report_open_sync (local_place, local_path, 0, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TsrReport) report = open_report (fixture, 0, &error);

      g_assert_no_error (error);
      check_same (report, local);
      g_clear_object (&report);
      tsr_remote_place_flush ();
      start_again (fixture, FALSE);
    }
}

/* ----------------------------------------------------------------- on demand */

typedef struct
{
  GMainLoop *loop;
  TsrStage stage;
} Until;

static gboolean
has_ended (TsrReport *report, TsrStage stage)
{
  TsrStageState state = tsr_report_get_stage_state (report, stage);

  return state == TSR_STAGE_READY || state == TSR_STAGE_FAILED;
}

static void
on_stage (TsrReport *report, int stage, gpointer data)
{
  const Until *until = data;

  if (has_ended (report, until->stage))
    g_main_loop_quit (until->loop);
}

/* Until @stage has come, as a page asks for it. */
static void
wait_for_stage (TsrReport *report, TsrStage stage)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Until until = { loop, stage };
  gulong handler = g_signal_connect (report, "stage-changed", G_CALLBACK (on_stage), &until);

  tsr_report_want (report, stage);
  if (!has_ended (report, stage))
    g_main_loop_run (loop);
  g_signal_handler_disconnect (report, handler);
  if (stage != TSR_STAGE_DEBUG)
    g_assert_no_error (tsr_report_get_stage_error (report, stage));
  else /* there is no debug.cbor */
    g_assert_error (tsr_report_get_stage_error (report, stage), TSR_ERROR, TSR_ERROR_MISSING_PART);
}

/* Bytes that have come when @stage is there and nothing else was asked for. */
static guint64
measure_stage (Fixture *fixture, TsrStage stage, TsrReport **report)
{
  FakeCounts counts;

  start_again (fixture, TRUE);
  *report = tsr_report_open (TSR_PLACE (fixture->place), fixture->path, TSR_LOAD_ON_DEMAND);
  wait_for_stage (*report, TSR_STAGE_SUMMARY);
  g_assert_true (tsr_report_is_on_demand (*report));
  wait_for_stage (*report, stage);
  /* What would go on by itself does so now. */
  g_usleep (200000);
  fake_remote_get_counts (fixture->fake, &counts);
  for (TsrStage other = TSR_STAGE_MEMORY; other < TSR_N_STAGES; other++)
    g_assert_cmpint (tsr_report_get_stage_state (*report, other), ==,
                     other == stage ? TSR_STAGE_READY : TSR_STAGE_PENDING);
  return counts.bytes;
}

/* Each page reads its own tables: what is there for each tile is read when somebody asks. */
static void
test_on_demand (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->root, fixture->path, NULL);
  gint64 trace, liveness;
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrReport) local = NULL;
  g_autoptr (TsrPlace) local_place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  guint64 bytes;

  if (g_getenv ("TSR_TEST_REPORT") == NULL)
    {
      tsr_test_enlarge (folder);
      tsr_test_sql (folder, "profile.pop",
                    "UPDATE programs SET callee = 99999 WHERE id = 7;"
                    "UPDATE memory_by_tile SET total = 'x' WHERE tile = 3;");
    }
  trace = tsr_test_bytes_of_tables (folder, TSR_TEST_TRACE_TABLES);
  liveness = tsr_test_bytes_of_tables (folder, TSR_TEST_LIVENESS_TABLES);
  bytes = measure_stage (fixture, TSR_STAGE_EXECUTION, &report);
  g_test_message ("trace: %" G_GUINT64_FORMAT " bytes of %" G_GINT64_FORMAT, bytes, trace);
  g_assert_cmpuint (bytes, <=, (guint64)trace * 12 / 10);
  g_assert_nonnull (tsr_report_get_program_tables (report));
  g_clear_object (&report);

  bytes = measure_stage (fixture, TSR_STAGE_LIVENESS, &report);
  g_test_message ("liveness: %" G_GUINT64_FORMAT " bytes of %" G_GINT64_FORMAT, bytes, liveness);
  g_assert_cmpuint (bytes, <=, (guint64)liveness * 12 / 10);
  g_assert_nonnull (tsr_report_get_memory_tables (report));

  /* With everything asked for, it is what is there; what is wrong is told once, although some
   * tables were read twice. */
  for (TsrStage stage = TSR_STAGE_MEMORY; stage < TSR_N_STAGES; stage++)
    wait_for_stage (report, stage);
  local = tsr_report_open_sync (local_place, folder, 0, NULL, &error);
  g_assert_no_error (error);
  if (g_getenv ("TSR_TEST_REPORT") == NULL)
    g_assert_cmpuint (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (local)), ==, 2);
  check_same (report, local);
}

/* A debug.cbor larger than all else is not read before somebody asks for it, and then once. */
static void
test_debug_on_demand (Fixture *fixture, gconstpointer data)
{
  static const char head[] = "\xa1\x68"
                             "contexts\x9f";
  static const char context[] = "\xa2\x62id\x01\x65layer\x66poplar";
  const guint n = 1500000;
  g_autofree char *folder = g_build_filename (fixture->root, fixture->path, NULL);
  g_autoptr (GString) bytes = g_string_new (head);
  g_autoptr (TsrReport) report = NULL;
  FakeCounts counts;

  for (guint i = 0; i < n; i++)
    g_string_append (bytes, context);
  g_string_append_c (bytes, '\xff');
  tsr_test_write (folder, "debug.cbor", bytes->str, (gssize)bytes->len);
  start_again (fixture, TRUE);
  report = tsr_report_open (TSR_PLACE (fixture->place), fixture->path, TSR_LOAD_ON_DEMAND);
  for (TsrStage stage = TSR_STAGE_SUMMARY; stage < TSR_STAGE_DEBUG; stage++)
    wait_for_stage (report, stage);
  g_usleep (200000);
  fake_remote_get_counts (fixture->fake, &counts);
  g_assert_cmpint (tsr_report_get_stage_state (report, TSR_STAGE_DEBUG), ==, TSR_STAGE_PENDING);
  g_assert_cmpuint (counts.bytes, <, bytes->len / 2);
  fake_remote_reset_counts (fixture->fake);
  tsr_report_want (report, TSR_STAGE_DEBUG);
  while (!has_ended (report, TSR_STAGE_DEBUG))
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (tsr_report_get_stage_error (report, TSR_STAGE_DEBUG));
  g_assert_cmpuint (tsr_report_get_debug_tables (report)->n, ==, n);
  fake_remote_get_counts (fixture->fake, &counts);
  g_test_message ("%" G_GUINT64_FORMAT " bytes of %" G_GSIZE_FORMAT, counts.bytes, bytes->len);
  g_assert_cmpuint (counts.bytes, >, bytes->len / 2);
  g_assert_cmpuint (counts.bytes, <=, bytes->len * 11 / 10);
}

/* ---------------------------------------------------------------------- changes */

/* Left in the middle of a write: played back on a private copy. */
static void
test_recover (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->root, fixture->path, NULL);
  g_autofree char *profile = g_build_filename (folder, "profile.pop", NULL);
  g_autofree char *wal = g_strconcat (profile, "-wal", NULL);
  g_autofree char *copy = g_build_filename (folder, "copy.pop", NULL);
  g_autofree char *copy_wal = g_strconcat (copy, "-wal", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (profile, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db,
                                 "PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0;"
                                 "UPDATE memory_by_tile SET total = 77 WHERE tile = 3;",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  g_assert_true (g_file_get_contents (profile, &bytes, &length, NULL));
  tsr_test_write (folder, "copy.pop", bytes, (gssize)length);
  g_clear_pointer (&bytes, g_free);
  g_assert_true (g_file_get_contents (wal, &bytes, &length, NULL));
  tsr_test_write (folder, "copy.pop-wal", bytes, (gssize)length);
  sqlite3_close (db);
  g_assert_cmpint (g_rename (copy, profile), ==, 0);
  g_assert_cmpint (g_rename (copy_wal, wal), ==, 0);
  report = open_report (fixture, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (tsr_report_get_memory_tables (report)->tiles.total[3], ==, 77);
}

/* Written to while it is read: a stage that was read of two states is not shown. */
static void
test_changed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->root, fixture->path, NULL);
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  TsrProfile *profile;

  report = open_report (fixture, TSR_LOAD_SUMMARY_ONLY, &error);
  g_assert_no_error (error);
  profile = tsr_report_open_profile (report, &error);
  g_assert_no_error (error);
  g_assert_true (tsr_database_check_unchanged (tsr_profile_get_database (profile), NULL));
  tsr_test_sql (folder, "profile.pop", "UPDATE memory_by_tile SET total = 5;");
  g_assert_false (tsr_database_check_unchanged (tsr_profile_get_database (profile), &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
  g_object_unref (profile);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/slow-report/summary", Fixture, NULL, set_up, test_summary, tear_down);
  g_test_add ("/slow-report/same", Fixture, NULL, set_up, test_same, tear_down);
  g_test_add ("/slow-report/on-demand", Fixture, NULL, set_up, test_on_demand, tear_down);
  g_test_add ("/slow-report/offline", Fixture, NULL, set_up, test_offline, tear_down);
  if (g_getenv ("TSR_TEST_REPORT") == NULL)
    {
      g_test_add ("/slow-report/debug-on-demand", Fixture, NULL, set_up, test_debug_on_demand,
                  tear_down);
      g_test_add ("/slow-report/not-kept", Fixture, "tiny", set_up, test_not_kept, tear_down);
      g_test_add ("/slow-report/recover", Fixture, "tiny", set_up, test_recover, tear_down);
      g_test_add ("/slow-report/changed", Fixture, "tiny", set_up, test_changed, tear_down);
    }
  return g_test_run ();
}

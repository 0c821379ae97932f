/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stages that are stopped by the way: by the user, and by a program that writes the file; and how
 * far they are.  Each place at which that can be is a read of the file, so the file calls us at
 * each read. */

#include "config.h"

#include "short-memory.h"
#include "tables-test.h"
#include "tsr-report-read.h"

#include <glib/gstdio.h>

/* ------------------------------------------------- a place with a hook in it */

typedef struct
{
  int n_reads; /* atomic */
  int at;      /* the read before which ... */
  void (*act) (gpointer data);
  gpointer data;
  void (*each) (void);   /* (nullable): before every read */
  gboolean opened_debug; /* debug.cbor */
} Hook;

static Hook hook;

#define HOOK_TYPE_SOURCE (hook_source_get_type ())
G_DECLARE_FINAL_TYPE (HookSource, hook_source, HOOK, SOURCE, TsrSource)

struct _HookSource
{
  TsrSource parent_instance;
  TsrSource *inner;
};
G_DEFINE_FINAL_TYPE (HookSource, hook_source, TSR_TYPE_SOURCE)

static gssize
hook_source_read (TsrSource *source,
                  gint64 offset,
                  void *bytes,
                  gsize length,
                  GCancellable *cancellable,
                  GError **error)
{
  TsrSource *inner = HOOK_SOURCE (source)->inner;

  if (hook.each != NULL)
    hook.each ();
  if (g_atomic_int_add (&hook.n_reads, 1) == hook.at && hook.act != NULL)
    hook.act (hook.data);
  return tsr_source_read (inner, offset, bytes, length, cancellable, error);
}

static gboolean
hook_source_stat (TsrSource *source,
                  TsrSourceStamp *stamp,
                  GCancellable *cancellable,
                  GError **error)
{
  TsrSource *inner = HOOK_SOURCE (source)->inner;

  return TSR_SOURCE_GET_CLASS (inner)->stat (inner, stamp, cancellable, error);
}

static void
hook_source_finalize (GObject *object)
{
  g_clear_object (&HOOK_SOURCE (object)->inner);
  G_OBJECT_CLASS (hook_source_parent_class)->finalize (object);
}

static void
hook_source_class_init (HookSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hook_source_finalize;
  TSR_SOURCE_CLASS (klass)->read = hook_source_read;
  TSR_SOURCE_CLASS (klass)->stat = hook_source_stat;
}

static void
hook_source_init (HookSource *self)
{
}

#define HOOK_TYPE_PLACE (hook_place_get_type ())
G_DECLARE_FINAL_TYPE (HookPlace, hook_place, HOOK, PLACE, TsrPlace)

struct _HookPlace
{
  TsrPlace parent_instance;
  TsrPlace *local;
};
G_DEFINE_FINAL_TYPE (HookPlace, hook_place, TSR_TYPE_PLACE)

static GPtrArray *
hook_place_list (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  return tsr_place_list (HOOK_PLACE (place)->local, path, cancellable, error);
}

static TsrFolderEntry *
hook_place_stat (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  return tsr_place_stat (HOOK_PLACE (place)->local, path, cancellable, error);
}

static TsrSource *
hook_place_open (TsrPlace *place, const char *path, GCancellable *cancellable, GError **error)
{
  TsrSource *inner = tsr_place_open (HOOK_PLACE (place)->local, path, cancellable, error);
  HookSource *source;

  hook.opened_debug |= g_str_has_suffix (path, "debug.cbor");
  if (inner == NULL)
    return NULL;
  source = g_object_new (HOOK_TYPE_SOURCE, NULL);
  source->inner = inner;
  tsr_source_set_identity (TSR_SOURCE (source), tsr_source_get_name (inner),
                           tsr_source_get_stamp (inner));
  return TSR_SOURCE (source);
}

static void
hook_place_finalize (GObject *object)
{
  g_clear_object (&HOOK_PLACE (object)->local);
  G_OBJECT_CLASS (hook_place_parent_class)->finalize (object);
}

static void
hook_place_class_init (HookPlaceClass *klass)
{
  TsrPlaceClass *place_class = TSR_PLACE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hook_place_finalize;
  place_class->list = hook_place_list;
  place_class->stat = hook_place_stat;
  place_class->open = hook_place_open;
}

static void
hook_place_init (HookPlace *self)
{
  self->local = tsr_local_place_new ();
}

/* ------------------------------------------------------------------- tests */

static char *folder;

/* (nullable): the report loaded, @act called before read @at. */
static TsrReport *
load (int at, void (*act) (gpointer), gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrPlace) place = g_object_new (HOOK_TYPE_PLACE, NULL);

  hook = (Hook){ .at = at, .act = act, .data = data };
  return tsr_report_open_sync (place, folder, TSR_LOAD_ALL, cancellable, error);
}

/* The stages before the first that failed are whole, and it failed because of @domain and @code, as
 * did all that come after. */
static TsrStage
check_stages (TsrReport *report, GQuark domain, int code)
{
  TsrStage first = TSR_N_STAGES;

  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    {
      const GError *error = tsr_report_get_stage_error (report, stage);

      if (error == NULL)
        {
          g_assert_cmpint (tsr_report_get_stage_state (report, stage), ==, TSR_STAGE_READY);
          g_assert_cmpint (first, ==, TSR_N_STAGES);
          continue;
        }
      first = MIN (first, stage);
      g_assert_error (error, domain, code);
    }
  g_assert_true ((tsr_report_get_memory_tables (report) != NULL) == (first > TSR_STAGE_MEMORY));
  g_assert_true ((tsr_report_get_program_tables (report) != NULL) == (first > TSR_STAGE_PROGRAMS));
  g_assert_true ((tsr_report_get_liveness_tables (report) != NULL) == (first > TSR_STAGE_LIVENESS));
  g_assert_true ((tsr_report_get_execution_tables (report) != NULL)
                 == (first > TSR_STAGE_EXECUTION));
  g_assert_true ((tsr_report_get_lowered_tables (report) != NULL) == (first > TSR_STAGE_LOWERED));
  return first;
}

static void
cancel (gpointer data)
{
  g_cancellable_cancel (data);
}

static int
count_reads (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = load (-1, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (check_stages (report, 0, 0), ==, TSR_N_STAGES);
  return hook.n_reads;
}

static void
test_cancel (void)
{
  const int n_reads = count_reads ();
  const int n = (int)tsr_test_rounds (60);
  guint stages = 0;

  g_assert_cmpint (n_reads, >, 1000);
  for (int i = 0; i < n; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrReport) report = load (i < n / 3 ? i * 1800 / n : n_reads / n * i, cancel,
                                           cancellable, cancellable, &error);

      if (report == NULL)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      else
        stages |= 1u << check_stages (report, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  /* It was stopped in the scan of the lowered variables, and in others. */
  g_assert_true ((stages & 1u << TSR_STAGE_LOWERED) != 0);
  g_assert_cmpuint (stages & ((1u << TSR_STAGE_LOWERED) - 1), !=, 0);
}

/* Another program writes while we read. */
static void
write_on (gpointer data)
{
  tsr_test_sql (folder, "profile.pop",
                "UPDATE vars_info SET offset = offset + 8 WHERE id = 7;"
                "UPDATE liveness_steps SET not_always_live_bytes = 1 WHERE step = 3;");
}

static void
test_changed (void)
{
  const int n_reads = count_reads ();
  guint stages = 0;

  for (int i = 0; i < 12; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrReport) report
          = load (i < 4 ? i * 40 : n_reads / 12 * i, write_on, NULL, NULL, &error);

      /* Changed before the database was opened: it is another file then. */
      if (report == NULL)
        continue;
      stages |= 1u << check_stages (report, TSR_ERROR, TSR_ERROR_CHANGED);
    }
  g_assert_true ((stages & 1u << TSR_STAGE_LOWERED) != 0);
  g_assert_cmpuint (stages & ((1u << TSR_STAGE_LOWERED) - 1), !=, 0);
}

/* How far each stage was at its last read, as it was told; whole at its end. */
typedef struct
{
  GMutex mutex;
  TsrReport *report;
  double last[TSR_N_STAGES];
  guint n_values[TSR_N_STAGES]; /* that differ */
  gboolean ended;
} Progress;

static Progress told;

static void
look_at_progress (void)
{
  guint n_loading = 0;

  g_mutex_lock (&told.mutex);
  for (TsrStage stage = 0; told.report != NULL && stage < TSR_N_STAGES; stage++)
    {
      double now = tsr_report_get_stage_fraction (told.report, stage);

      n_loading += tsr_report_get_stage_state (told.report, stage) == TSR_STAGE_LOADING;
      g_assert_true (now == -1 || (now >= 0 && now <= 1));
      /* It never goes back. */
      g_assert_cmpfloat (now, >=, told.last[stage]);
      told.n_values[stage] += now > told.last[stage];
      told.last[stage] = now;
    }
  /* Whatever is read, a stage asked for it. */
  g_assert_cmpuint (n_loading, ==, told.report != NULL && !told.ended ? 1 : 0);
  g_mutex_unlock (&told.mutex);
}

static void
test_progress (void)
{
  g_autoptr (TsrPlace) place = g_object_new (HOOK_TYPE_PLACE, NULL);
  g_autoptr (TsrReport) report = NULL;

  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    told.last[stage] = -1;
  hook = (Hook){ .at = -1, .each = look_at_progress };
  g_mutex_lock (&told.mutex);
  report = told.report = tsr_report_open (place, folder, TSR_LOAD_ALL);
  g_mutex_unlock (&told.mutex);
  for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
    while (tsr_report_get_stage_state (report, stage) < TSR_STAGE_READY)
      g_main_context_iteration (NULL, TRUE);
  told.ended = TRUE;
  look_at_progress ();
  hook.each = NULL;
  told.report = NULL;
  /* Table by table; the lowered variables by rows, of which there are fewer than their ids let
   * expect; contexts by bytes. */
  g_assert_cmpfloat (told.last[TSR_STAGE_PROGRAMS], ==, 1);
  g_assert_cmpuint (told.n_values[TSR_STAGE_PROGRAMS], >=, 6);
  g_assert_cmpfloat (told.last[TSR_STAGE_LIVENESS], ==, 1);
  g_assert_cmpuint (told.n_values[TSR_STAGE_LIVENESS], >=, 5);
  g_assert_cmpfloat (told.last[TSR_STAGE_LOWERED], >, 0.5);
  g_assert_cmpuint (told.n_values[TSR_STAGE_LOWERED], >=, 2);
  g_assert_cmpfloat (told.last[TSR_STAGE_DEBUG], ==, 1);
}

static void
cancel_told (gpointer data)
{
  g_mutex_lock (&told.mutex);
  tsr_report_cancel (told.report);
  g_mutex_unlock (&told.mutex);
}

/* By who has the report: what was read stands, and nothing else is read. */
static void
test_cancel_report (void)
{
  static const int reads[] = { 0, 10, 200, 1000 };

  for (guint i = 0; i < G_N_ELEMENTS (reads); i++)
    {
      g_autoptr (TsrPlace) place = g_object_new (HOOK_TYPE_PLACE, NULL);
      g_autoptr (TsrReport) report = NULL;

      hook = (Hook){ .at = reads[i], .act = cancel_told };
      g_mutex_lock (&told.mutex);
      report = told.report = tsr_report_open (place, folder, TSR_LOAD_ALL);
      g_mutex_unlock (&told.mutex);
      for (TsrStage stage = 0; stage < TSR_N_STAGES; stage++)
        while (tsr_report_get_stage_state (report, stage) < TSR_STAGE_READY)
          g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (check_stages (report, G_IO_ERROR, G_IO_ERROR_CANCELLED), <, TSR_N_STAGES);
      told.report = NULL;
    }
}

/* What is read of a report later is of the same file, or of none. */
static void
test_changed_later (void)
{
  for (guint offsets = 0; offsets < 2; offsets++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrReport) report = load (-1, NULL, NULL, NULL, &error);
      g_autofree guint32 *numbers = NULL;
      gsize n;

      g_assert_no_error (error);
      hook = (Hook){ .at = 3, .act = write_on };
      numbers = tsr_report_read_lowered_numbers (report, offsets, &n, NULL, &error);
      g_assert_error (error, TSR_ERROR, TSR_ERROR_CHANGED);
      g_assert_null (numbers);
    }
}

/* ---- memory that is short */

/* Whatever memory is short of: a stage says so, or the report as a whole; but runs have no cycles
 * of each IPU then, which is told.  Once as the file is, once against the order of its rows. */
static void
test_short_memory (void)
{
  static const char *const changes[]
      = { "VACUUM", "DROP TABLE memory_by_tile_category;"
                    "CREATE TABLE b AS SELECT * FROM steps_by_ipu ORDER BY ipu DESC, step_id DESC;"
                    "DROP TABLE steps_by_ipu; ALTER TABLE b RENAME TO steps_by_ipu;"
                    "CREATE TABLE s AS SELECT * FROM steps ORDER BY id DESC;"
                    "DROP TABLE steps; ALTER TABLE s RENAME TO steps;"
                    "CREATE TABLE v AS SELECT * FROM vars_info ORDER BY tile DESC;"
                    "DROP TABLE vars_info; ALTER TABLE v RENAME TO vars_info" };
  char *whole = folder;

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      guint n_told = 0;
      gboolean was_short;
      int n = 0;

      folder = make_report ("tiny");
      tsr_test_sql (folder, "profile.pop", changes[i]);
      do
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (TsrReport) report = NULL;
          gboolean failed;

          short_memory_begin (n++);
          report = load (-1, NULL, NULL, NULL, &error);
          was_short = short_memory_end ();
          failed = g_error_matches (error, TSR_ERROR, TSR_ERROR_LIMIT);
          for (TsrStage stage = 0; report != NULL && stage < TSR_N_STAGES; stage++)
            failed |= g_error_matches (tsr_report_get_stage_error (report, stage), TSR_ERROR,
                                       TSR_ERROR_LIMIT);
          g_assert_true (was_short || !failed);
          if (failed)
            continue;
          g_assert_cmpint (check_stages (report, 0, 0), ==, TSR_N_STAGES);
          g_assert_cmpint (tsr_diagnostics_has (tsr_report_get_diagnostics (report), "limit",
                                                "run_cycles_by_ipu", TSR_NO_ROW),
                           ==, was_short);
          n_told += was_short;
        }
      while (was_short);
      g_assert_cmpint (n, >, 50);
      g_assert_cmpuint (n_told, ==, 1);
      tsr_test_folder_free (folder);
    }
  folder = whole;
}

/* Where only the archive is, nothing is told of the graph, and that is not 0. */
static void
test_no_profile (void)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  char *lone = make_report ("tiny");
  g_autofree char *path = g_build_filename (lone, "profile.pop", NULL);
  const TsrSummary *summary;

  g_assert_cmpint (g_unlink (path), ==, 0);
  report = tsr_report_open_sync (place, lone, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  summary = tsr_report_get_summary (report);
  g_assert_cmpint (summary->graph.num_compute_sets, ==, TSR_UNKNOWN);
  g_assert_cmpint (summary->graph.num_vertices, ==, TSR_UNKNOWN);
  g_assert_cmpint (summary->graph.num_edges, ==, TSR_UNKNOWN);
  g_assert_cmpint (summary->graph.num_vars, ==, TSR_UNKNOWN);
  g_assert_cmpint (summary->told.num_tiles, ==, TSR_UNKNOWN);
  g_assert_cmpint (summary->target.bytes_per_tile, ==, TSR_UNKNOWN);
  g_assert_cmpuint (g_strv_length (summary->engine_options), ==, 0);
  g_assert_cmpuint (g_strv_length (summary->unknown_tables), ==, 0);
  tsr_test_folder_free (lone);
}

/* With nothing else to tell it there are as many tiles as rows name, in whatever order. */
static void
test_tiles_of_rows (void)
{
  for (guint largest = 0; largest < 3; largest++)
    {
      g_autoptr (TsrPlace) place = tsr_local_place_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrReport) report = NULL;
      char *lone = make_report ("tiny");
      g_autofree char *archive = g_build_filename (lone, "archive.a", NULL);
      g_autofree char *sql = g_strdup_printf (
          "DROP TABLE target; DROP TABLE memory_by_tile; DROP TABLE memory_by_tile_region;"
          "DROP TABLE memory_by_tile_category; DROP TABLE tile_vars;"
          "UPDATE vars_info SET tile = 11 WHERE id = (SELECT %s FROM vars_info)",
          largest == 0   ? "min (id)"
          : largest == 1 ? "max (id)"
                         : "min (id) + 3");

      g_assert_cmpint (g_unlink (archive), ==, 0);
      tsr_test_sql (lone, "profile.pop", sql);
      report = tsr_report_open_sync (place, lone, TSR_LOAD_ALL, NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (tsr_report_get_lowered_tables (report));
      g_assert_cmpuint (tsr_report_get_lowered_tables (report)->n_tiles, ==, 12);
      tsr_test_folder_free (lone);
    }
}

/* A caller that does not want it does not have debug.cbor opened, and is told like of a missing
 * part; all the rest is there. */
static void
test_no_debug (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TsrPlace) place = g_object_new (HOOK_TYPE_PLACE, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrReport) report = NULL;

      hook = (Hook){ .at = -1 };
      report = tsr_report_open_sync (place, folder, i == 0 ? TSR_LOAD_NO_DEBUG : TSR_LOAD_ALL, NULL,
                                     &error);
      g_assert_no_error (error);
      g_assert_true (hook.opened_debug == (i == 1));
      g_assert_true ((tsr_report_get_debug_tables (report) != NULL) == (i == 1));
      if (i == 0)
        g_assert_cmpint (check_stages (report, TSR_ERROR, TSR_ERROR_MISSING_PART), ==,
                         TSR_STAGE_DEBUG);
      else
        g_assert_cmpint (check_stages (report, 0, 0), ==, TSR_N_STAGES);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = make_report ("demo");
  g_test_add_func ("/report-stages/cancel", test_cancel);
  g_test_add_func ("/report-stages/changed", test_changed);
  g_test_add_func ("/report-stages/progress", test_progress);
  g_test_add_func ("/report-stages/no-debug", test_no_debug);
  g_test_add_func ("/report-stages/cancel-report", test_cancel_report);
  g_test_add_func ("/report-stages/short-memory", test_short_memory);
  g_test_add_func ("/report-stages/changed-later", test_changed_later);
  g_test_add_func ("/report-stages/no-profile", test_no_profile);
  g_test_add_func ("/report-stages/tiles-of-rows", test_tiles_of_rows);
  status = g_test_run ();
  tsr_test_folder_free (folder);
  return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a frame of the liveness graph costs (bench-frame.h), for 10^3 and 10^6 steps: plain, and
 * with a filter, a variable and selected steps over it; and of the lifetimes, for 10^3 and 10^6
 * intervals of as many variables. */

#include "config.h"

#include "bench-frame.h"
#include "tsr-lifetime-chart.h"
#include "tsr-liveness-chart.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"

#include <gtk/gtk.h>

#define TABLES                                                                                     \
  "BEGIN;"                                                                                         \
  "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile);" \
  "INSERT INTO target VALUES (4, 1, 1, 1, 300000);"                                                \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps, excluding_gaps,"  \
  "  overflowed, always_live, not_always_live, peak_step);"                                        \
  "INSERT INTO memory_by_tile VALUES (0, 9, 9, 9, 0, 100000, 0, 0), (1, 9, 9, 9, 0, 100000, 0, "   \
  "0),"                                                                                            \
  "  (2, 9, 9, 9, 0, 100000, 0, 0), (3, 9, 9, 9, 0, 100000, 0, 0);"                                \
  "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT, type TEXT);"                          \
  "WITH RECURSIVE p(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM p WHERE i < 999)"                  \
  "  INSERT INTO programs SELECT i, CASE i / 300 WHEN 0 THEN 'model/op' WHEN 1 THEN"               \
  "    'Gradient/op' WHEN 2 THEN 'Update/op' ELSE 'copyToHost/op' END || i, 'OnTileExecute'"       \
  "    FROM p;"                                                                                    \
  "CREATE TABLE liveness_steps (step INTEGER PRIMARY KEY, program INTEGER,"                        \
  "  not_always_live_bytes INTEGER);"                                                              \
  "WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < %u)"                   \
  "  INSERT INTO liveness_steps SELECT i, i %% 1000, 200000 + i * 7919 %% 400001 FROM s;"          \
  "CREATE TABLE variables (id INTEGER PRIMARY KEY, name TEXT, size_bytes, always_live);"           \
  "WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < %u)"                   \
  "  INSERT INTO variables SELECT i, CASE i %% 3 WHEN 0 THEN 'model/v' WHEN 1 THEN 'Gradient/v'"   \
  "    ELSE 'Update/v' END || i, 1 + i * 7919 %% 100003, 0 FROM s;"                                \
  "CREATE TABLE variable_lifetimes (variable, start_step, end_step, size_bytes);"                  \
  "INSERT INTO variable_lifetimes SELECT id, id * 37 %% %u, id * 37 %% %u + 1 + %u / 20,"          \
  "  size_bytes FROM variables;"                                                                   \
  "COMMIT;"

typedef struct
{
  guint n;
  TsrLiveness *liveness;
  TsrLivenessSeries *series;
} Report;

static void
open_report (Report *self, guint n)
{
  g_autofree char *sql = g_strdup_printf (TABLES, n - 1, n - 1, n, n, n);
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrMemory) memory = NULL;
  g_autoptr (TsrVariables) variables = NULL;
  TsrLivenessSource source = { .kind = TSR_LIVENESS_ALL };

  self->n = n;
  tsr_test_sql (folder, "profile.pop", sql);
  report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
  if (report == NULL || tsr_report_get_liveness_tables (report) == NULL)
    g_error ("%s", error != NULL ? error->message : "no liveness");
  memory = tsr_memory_new (report);
  variables = tsr_variables_new (report, NULL, &error);
  if (variables != NULL)
    {
      self->liveness = tsr_liveness_new (report, memory, variables);
      self->series = tsr_liveness_compute (self->liveness, &source, NULL, &error);
    }
  if (self->series == NULL)
    g_error ("%s", error->message);
  tsr_test_folder_free (folder);
}

static TsrChartModel *
make_graph (Report *self, gboolean marked)
{
  g_autoptr (TsrStepSelection) selection = tsr_step_selection_new ();
  TsrLivenessChart *chart = tsr_liveness_chart_new (self->liveness, selection);

  tsr_liveness_chart_set_series (chart, self->series, "all tiles");
  if (marked)
    {
      g_autofree guint8 *matches = g_malloc0 (self->n);
      g_autoptr (GArray) peaks = tsr_liveness_find_peaks (self->series, 9);
      g_autoptr (GArray) lives = tsr_variables_dup_lifetimes (
          tsr_liveness_get_variables (self->liveness), self->n / 3, NULL, 0);

      for (guint i = 0; i < self->n; i += 3)
        matches[i] = 1;
      tsr_liveness_chart_set_matches (chart, matches);
      tsr_liveness_chart_set_peaks (chart, peaks);
      tsr_liveness_chart_add_lifetime (chart, "v", lives);
      tsr_step_selection_set (selection, (guint[]){ self->n / 2, self->n / 3 }, 2);
    }
  return TSR_CHART_MODEL (chart);
}

static TsrChartModel *
make_lifetimes (Report *self, double row_height)
{
  TsrLifetimeChart *chart = tsr_lifetime_chart_new (self->liveness, NULL);
  TsrLivenessSource source = { .kind = TSR_LIVENESS_ALL };
  g_autoptr (GError) error = NULL;
  TsrLifetimeRows *rows = tsr_lifetime_rows_new (self->liveness, &source, NULL, NULL, &error);

  if (rows == NULL)
    g_error ("%s", error->message);
  tsr_lifetime_chart_take_rows (chart, rows);
  tsr_lifetime_chart_set_order (chart, TSR_LIFETIME_BY_BIRTH);
  tsr_lifetime_chart_set_row_height (chart, row_height > 0 ? row_height : 900.0 / self->n);
  return TSR_CHART_MODEL (chart);
}

/* (models: transfer full) */
static void
print_and_free (BenchFrames *frames)
{
  bench_frame_print (frames);
  for (guint i = 0; i < G_N_ELEMENTS (frames->models); i++)
    g_object_unref (frames->models[i]);
}

int
main (int argc, char **argv)
{
  static const guint sizes[] = { 1000, 1000000 };
  Report reports[G_N_ELEMENTS (sizes)];

  if (!bench_frame_take_arguments (argc, argv))
    return 2;
  gtk_init ();
  tsr_ui_init ();
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    open_report (&reports[i], sizes[i]);
  for (guint close = 0; close < 2; close++)
    for (guint marked = 0; marked < 2; marked++)
      {
        BenchFrames frames
            = { marked ? "liveness,filtered" : "liveness",
                { make_graph (&reports[0], marked), make_graph (&reports[1], marked) },
                { sizes[0], sizes[1] },
                close };

        print_and_free (&frames);
      }
  for (guint named = 0; named < 2; named++)
    {
      double height = named ? 14 : 0;
      BenchFrames frames
          = { named ? "lifetimes,named" : "lifetimes,all",
              { make_lifetimes (&reports[0], height), make_lifetimes (&reports[1], height) },
              { sizes[0], sizes[1] },
              FALSE };

      print_and_free (&frames);
    }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      tsr_liveness_series_unref (reports[i].series);
      tsr_liveness_unref (reports[i].liveness);
    }
  return 0;
}

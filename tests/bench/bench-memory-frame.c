/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a frame of the memory chart costs (bench-frame.h), for 2,944 and 94,208 tiles and each
 * breakdown: far, where 2,944 tiles fill every pixel as 94,208 do, and close, where they leave most
 * pixels without an edge. */

#include "config.h"

#include "bench-frame.h"
#include "tsr-memory-chart.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"

#include <gtk/gtk.h>

#define TABLES                                                                                     \
  "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile);" \
  "INSERT INTO target VALUES (1472, %u, 1, %u, 638976);"                                           \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps, excluding_gaps,"  \
  "  overflowed, always_live, not_always_live, peak_step);"                                        \
  "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < %u)"                   \
  "  INSERT INTO memory_by_tile SELECT i, i * 7919 %% 640001, i * 7919 %% 640001 + 9000,"          \
  "    i * 7919 %% 640001, max (i * 7919 %% 640001 + 9000 - 638976, 0), i * 7919 %% 400001,"       \
  "    i * 7919 %% 240001, 3 FROM t;"                                                              \
  "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT, allocated_bytes INTEGER);"      \
  "WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 11)"                   \
  "  INSERT INTO var_categories SELECT i, 'category' || i, 1000 FROM c;"                           \
  "CREATE TABLE memory_by_tile_category (tile, category, region, non_overlapped, overlapped,"      \
  "  PRIMARY KEY (tile, category, region)) WITHOUT ROWID;"                                         \
  "INSERT INTO memory_by_tile_category SELECT tile, id, 0,"                                        \
  "    (tile * 31 + id * 977) %% 50000, 0 FROM memory_by_tile, var_categories;"

static TsrMemory *
make_memory (const char *folder, guint n_tiles)
{
  g_autofree char *sql
      = g_strdup_printf ("BEGIN;" TABLES "COMMIT;", n_tiles / 1472, n_tiles / 1472, n_tiles - 1);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;

  tsr_test_sql (folder, "profile.pop", sql);
  report = tsr_report_open_sync (place, folder, TSR_LOAD_UP_TO_MEMORY, NULL, &error);
  if (report == NULL || tsr_report_get_memory_tables (report) == NULL)
    g_error ("%s", error != NULL ? error->message : "no memory");
  return tsr_memory_new (report);
}

static TsrChartModel *
make_chart (TsrMemory *memory, TsrBreakdown breakdown)
{
  TsrMemoryChart *chart = tsr_memory_chart_new (memory, NULL, NULL);
  TsrMemoryChartOptions options;

  tsr_memory_chart_get_options (chart, &options);
  options.breakdown = breakdown;
  tsr_memory_chart_set_options (chart, &options);
  return TSR_CHART_MODEL (chart);
}

int
main (int argc, char **argv)
{
  static const guint sizes[] = { 2944, 94208 };
  TsrMemory *memories[G_N_ELEMENTS (sizes)];

  if (!bench_frame_take_arguments (argc, argv))
    return 2;
  gtk_init ();
  tsr_ui_init ();
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      char *folder = tsr_test_folder_new ();

      memories[i] = make_memory (folder, sizes[i]);
      tsr_test_folder_free (folder);
    }
  for (guint close = 0; close < 2; close++)
    for (guint b = TSR_BREAKDOWN_NONE; b <= TSR_BREAKDOWN_LIVENESS; b++)
      {
        g_autoptr (TsrChartModel) few = make_chart (memories[0], b);
        g_autoptr (TsrChartModel) many = make_chart (memories[1], b);
        BenchFrames frames
            = { tsr_breakdown_get_nick (b), { few, many }, { sizes[0], sizes[1] }, close };

        bench_frame_print (&frames);
      }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    tsr_memory_unref (memories[i]);
  return 0;
}

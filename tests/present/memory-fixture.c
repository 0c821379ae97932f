/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes a Total Memory graph from a report written in SQL. */

#include "config.h"

#include "memory-fixture.h"

#include "chart-test.h"
#include "tsr-test.h"

/* Two IPUs of 1,472 tiles that keep the invariants: the sum of not overlapped and the shared bytes
 * of a region = its bytes, the sum of regions = excluding gaps = always live + not always live +
 * packing. */
#define LARGE                                                                                      \
  "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile);" \
  "INSERT INTO target VALUES (1472, 2, 1, 2, 20000);"                                              \
  "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"                               \
  "WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < %d)"                   \
  "  INSERT INTO var_categories SELECT i, 'made' || i FROM c;"                                     \
  "CREATE TABLE memory_by_tile_category (tile, category, region, non_overlapped, overlapped,"      \
  "  PRIMARY KEY (tile, category, region)) WITHOUT ROWID;"                                         \
  "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 2943)"                 \
  "  INSERT INTO memory_by_tile_category SELECT i, id, id %% 2,"                                   \
  "    (i * 7919 + id * 104729) %% 1500, 8 FROM t, var_categories;"                                \
  "CREATE TABLE memory_by_tile_region (tile, region, bytes, overlapped_bytes,"                     \
  "  PRIMARY KEY (tile, region)) WITHOUT ROWID;"                                                   \
  "INSERT INTO memory_by_tile_region SELECT tile, region, sum (non_overlapped) + tile %% 50,"      \
  "  tile %% 50 FROM memory_by_tile_category GROUP BY tile, region;"                               \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps, excluding_gaps,"  \
  "  overflowed, always_live, not_always_live, peak_step);"                                        \
  "INSERT INTO memory_by_tile SELECT tile, sum (bytes), sum (bytes) + tile %% 700, sum (bytes),"   \
  "  max (0, sum (bytes) - 20000), sum (bytes) / 2, sum (bytes) / 3, tile %% 9"                    \
  "  FROM memory_by_tile_region GROUP BY tile;"

void
memory_fixture_open (MemoryFixture *self, const char *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;

  self->folder = tsr_test_folder_new ();
  tsr_test_sql (self->folder, "profile.pop", sql);
  report = tsr_report_open_sync (place, self->folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (tsr_report_get_memory_tables (report));
  self->memory = tsr_memory_new (report);
  self->selection = tsr_tile_selection_new ();
  self->chart = tsr_memory_chart_new (self->memory, self->selection, NULL);
  self->model = TSR_CHART_MODEL (self->chart);
}

void
memory_fixture_open_large (MemoryFixture *self, int n_categories)
{
  g_autofree char *sql = g_strdup_printf (LARGE, n_categories - 1);

  memory_fixture_open (self, sql);
}

void
memory_fixture_close (MemoryFixture *self)
{
  g_assert_finalize_object (self->chart);
  g_object_unref (self->selection);
  tsr_memory_unref (self->memory);
  tsr_test_folder_free (self->folder);
}

void
memory_fixture_set_options (MemoryFixture *self,
                            TsrBreakdown breakdown,
                            TsrTileOrder order,
                            gboolean gaps)
{
  TsrMemoryChartOptions options = { .breakdown = breakdown,
                                    .order = order,
                                    .include_gaps = gaps,
                                    .show_max = TRUE,
                                    .from_zero = TRUE };

  tsr_memory_chart_set_options (self->chart, &options);
}

gint64
memory_fixture_ask_tile (MemoryFixture *self, const char *column, guint tile)
{
  g_autofree char *sql
      = g_strdup_printf ("SELECT %s FROM memory_by_tile WHERE tile = %u", column, tile);

  return tsr_test_query (self->folder, "profile.pop", sql);
}

/* Half of what each category has by itself: less than the tile holds. */
gint64 *
memory_fixture_dup_peaks (MemoryFixture *self)
{
  guint n = tsr_memory_get_n_tiles (self->memory);
  guint n_categories = tsr_memory_get_n_categories (self->memory);
  gint64 *peaks = g_new0 (gint64, (n_categories + 1) * n);

  for (guint c = 0; c < n_categories; c++)
    {
      g_autofree gint64 *bytes = tsr_memory_dup_category (self->memory, c, FALSE);

      for (guint tile = 0; tile < n; tile++)
        peaks[c * n + tile] = bytes[tile] / 2;
    }
  return peaks;
}

void
memory_fixture_check_every_option (MemoryFixture *fixture)
{
  tsr_memory_chart_set_peaks (fixture->chart, memory_fixture_dup_peaks (fixture));
  for (guint b = TSR_BREAKDOWN_NONE; b < TSR_N_BREAKDOWNS; b++)
    for (guint o = TSR_ORDER_SOFTWARE; o <= TSR_ORDER_BYTES; o++)
      for (guint flags = 0; flags < 8; flags += b == 0 ? 1 : 5)
        {
          TsrMemoryChartOptions options = { .breakdown = b,
                                            .order = o,
                                            .include_gaps = flags & 1,
                                            .show_max = flags & 2,
                                            .fit_data = flags & 4,
                                            .units = (b + o) % 3 };

          tsr_memory_chart_set_options (fixture->chart, &options);
          test_check_sizes (fixture->model);
        }
}

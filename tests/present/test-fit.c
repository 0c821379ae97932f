/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Who overflows and by how much: the graph, the tile map whatever it colours, Details and Insights
 * against the file, over all tiles of whole reports. */

#include "config.h"

#include "analysis-test.h"
#include "tsr-memory-chart.h"
#include "tsr-memory-details.h"
#include "tsr-tile-map-private.h"

#include <string.h>

#define NEED                                                                                       \
  "max (coalesce (overflowed, 0), including_gaps - (SELECT bytes_per_tile FROM target), 0)"

/* What @text says does not fit; 0 when it says nothing of it. */
static gint64
excess_in (const char *text)
{
  const char *at = strstr (text, "Does not fit: ");
  GString *digits = g_string_new (NULL);
  gint64 bytes;

  for (const char *c = at != NULL ? at + strlen ("Does not fit: ") : ""; *c != '\0' && *c != ' ';
       c++)
    if (*c != ',')
      g_string_append_c (digits, *c);
  bytes = g_ascii_strtoll (digits->str, NULL, 10);
  g_string_free (digits, TRUE);
  return bytes;
}

static gint64
describe_excess (TsrChartModel *model, guint tile)
{
  g_autofree char *text = tsr_chart_model_describe (model, tile);

  return excess_in (text);
}

static gint64
details_value (TsrRows *table, const char *key)
{
  for (guint i = 0; i < tsr_rows_get_n (table); i++)
    {
      g_autofree char *own = tsr_rows_dup_key (table, i);

      if (g_strcmp0 (own, key) == 0)
        return tsr_rows_get_value (table, i, 1);
    }
  g_assert_not_reached ();
}

static void
check_maps (TsrMemory *memory, const gint64 *need)
{
  static const TsrMetric metrics[]
      = { TSR_METRIC_TOTAL, TSR_METRIC_INCLUDING_GAPS, TSR_METRIC_EXCLUDING_GAPS };

  for (guint k = 0; k < G_N_ELEMENTS (metrics); k++)
    {
      g_autoptr (TsrTileMap) map = tsr_tile_map_new (memory, NULL);
      g_autoptr (TsrChartModel) copy = NULL;

      tsr_tile_map_set_metric (map, metrics[k], "m", "m", TSR_UNITS_BINARY);
      copy = tsr_chart_model_dup (TSR_CHART_MODEL (map));
      for (guint tile = 0; tile < tsr_memory_get_n_tiles (memory); tile++)
        {
          g_assert_cmpint (describe_excess (TSR_CHART_MODEL (map), tile), ==, need[tile]);
          g_assert_cmpint (describe_excess (copy, tile), ==, need[tile]);
          g_assert_cmpint (tsr_tile_map_get_tile_ink (map, tile) == TSR_INK_OVERFLOW, ==,
                           need[tile] > 0);
        }
    }
}

static void
check_insights (AnalysisReport *opened, const gint64 *need)
{
  GPtrArray *findings = tsr_insights_peek_findings (opened->insights);
  const TsrFinding *finding = NULL;
  gint64 sum = 0, most = 0;
  guint n = 0, n_critical;
  const guint *critical = tsr_insights_peek_critical (opened->insights, &n_critical);

  for (guint i = 0; i < findings->len && finding == NULL; i++)
    if (g_str_equal (((TsrFinding *)g_ptr_array_index (findings, i))->rule, "out-of-memory"))
      finding = g_ptr_array_index (findings, i);
  for (guint tile = 0; tile < tsr_memory_get_n_tiles (opened->memory); tile++)
    {
      sum += need[tile];
      most = MAX (most, need[tile]);
      n += need[tile] > 0;
    }
  g_assert_cmpuint (tsr_memory_get_n_overflowing (opened->memory), ==, n);
  g_assert_cmpint (finding != NULL, ==, n > 0);
  g_assert_cmpint (tsr_insights_get_fit (opened->insights), ==,
                   n > 0 ? TSR_OUT_OF_MEMORY : TSR_FITS);
  if (finding == NULL)
    return;
  g_assert_cmpint (finding->bytes, ==, sum);
  g_assert_cmpint (finding->bytes_worst_tile, ==, most);
  g_assert_cmpuint (n_critical, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (need[critical[i]], >, 0);
}

/* Every tile of @preset, of which @least or more overflow, after @sql. */
static void
check_preset (const char *preset, const char *sql, guint least)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (TsrMemoryChart) chart = NULL;
  g_autoptr (TsrRows) all = NULL;
  g_autofree gint64 *need = NULL;
  gint64 sum = 0;
  guint n, n_over = 0;

  analysis_report_open (&opened, preset, sql, TSR_LOAD_NO_SCAN);
  opened.insights = tsr_insights_new (opened.report, opened.memory, NULL, NULL, NULL,
                                      TSR_UNITS_BINARY, NULL, NULL, &error);
  g_assert_no_error (error);
  n = tsr_memory_get_n_tiles (opened.memory);
  rows = tsr_test_ask_rows (opened.folder, "SELECT " NEED " FROM memory_by_tile ORDER BY tile");
  g_assert_cmpuint (rows->len, ==, n);
  need = g_new (gint64, n);
  chart = tsr_memory_chart_new (opened.memory, NULL, NULL);
  for (guint tile = 0; tile < n; tile++)
    {
      g_autoptr (TsrRows) table = tsr_memory_details_new (opened.memory, &tile, 1);

      need[tile] = g_ascii_strtoll (((GStrv)g_ptr_array_index (rows, tile))[0], NULL, 10);
      n_over += need[tile] > 0;
      sum += need[tile];
      g_assert_cmpint (tsr_memory_get_need (opened.memory, tile), ==, need[tile]);
      g_assert_cmpint (describe_excess (TSR_CHART_MODEL (chart), tile), ==, need[tile]);
      g_assert_cmpint (details_value (table, "need"), ==, need[tile]);
    }
  all = tsr_memory_details_new (opened.memory, NULL, 0);
  g_assert_cmpint (details_value (all, "need"), ==, sum);
  if (least > 0)
    g_assert_cmpuint (n_over, >=, least);
  else
    g_assert_cmpuint (n_over, ==, 0);
  check_maps (opened.memory, need);
  check_insights (&opened, need);
}

static void
test_overflowing (void)
{
  check_preset ("oom", NULL, 800);
}

static void
test_fitting (void)
{
  check_preset ("demo", NULL, 0);
}

/* The file's own count is less than the extent says, more, or not there. */
static void
test_file_differs (void)
{
  check_preset ("oom",
                "UPDATE memory_by_tile SET overflowed = CASE tile % 3 WHEN 0 THEN NULL "
                "WHEN 1 THEN overflowed / 2 ELSE overflowed + 100 END;",
                800);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fit/overflowing", test_overflowing);
  g_test_add_func ("/fit/fitting", test_fitting);
  g_test_add_func ("/fit/file-differs", test_file_differs);
  return g_test_run ();
}

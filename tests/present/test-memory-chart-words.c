/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Total Memory graph in words, as a whole draw list that a person has looked at, and of reports
 * that lack most. */

#include "config.h"

#include "chart-test.h"
#include "memory-fixture.h"
#include "tsr-step-layout.h"
#include "tsr-test.h"

#include <math.h>
#include <string.h>

/* --------------------------------------------------------------- in words */

#define SMALL                                                                                      \
  "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile);" \
  "INSERT INTO target VALUES (2, 2, 1, 2, 1000);"                                                  \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps, excluding_gaps,"  \
  "  overflowed, always_live, not_always_live, peak_step);"                                        \
  "INSERT INTO memory_by_tile VALUES (0, 400, 500, 400, 0, 200, 150, 3),"                          \
  "  (1, 900, 1100, 900, 0, 500, 300, 2), (2, NULL, 300, NULL, 0, 100, 50, 1),"                    \
  "  (3, 800, 800, 800, 0, 600, 200, 0);"

/* The plot is 322 x 116 pixels for 1,155 bytes (1.05 x 1,100): 400 bytes stand at row 136 - 40 =
 * 96, 900 at 46, the limit of 1,000 at 36, 1,100 at 26.  Tile 2 has no excluding gaps: nothing is
 * drawn there but its line. */
static const char *const golden = "line grid 66 85.5 388 85.5 dash 3\n"
                                  "line grid 66 33.5 388 33.5 dash 3\n"
                                  "rect total-tint 66 96 81 40 datum 0 series 0\n"
                                  "rect total-tint 147 46 80 90 datum 1 series 0\n"
                                  "rect total-tint 307 56 81 80 datum 3 series 0\n"
                                  "rect overflow-tint 147 26 80 10 datum 1 series 3\n"
                                  "hatch overflow 147 26 80 10 datum 1 series 3\n"
                                  "rect overflow 147 26 80 1 datum 1 series 3\n"
                                  "rect total 66 96 81 1 datum 0 series 0\n"
                                  "rect total 147 46 1 50 datum 1 series 0\n"
                                  "rect total 147 46 80 1 datum 1 series 0\n"
                                  "rect total 307 56 81 1 datum 3 series 0\n"
                                  "rect gaps 66 86 81 1 datum 0 series 1\n"
                                  "rect overflow 147 26 1 10 datum 1 series 1\n"
                                  "rect gaps 147 36 1 50 datum 1 series 1\n"
                                  "rect overflow 147 26 80 1 datum 1 series 1\n"
                                  "rect overflow 227 26 1 10 series 1\n"
                                  "rect gaps 227 36 1 70 series 1\n"
                                  "rect gaps 227 106 80 1 series 1\n"
                                  "rect gaps 307 56 1 50 datum 3 series 1\n"
                                  "rect gaps 307 56 81 1 datum 3 series 1\n"
                                  "line grid 66 85.5 388 85.5 alpha 0.3 dash 3\n"
                                  "line grid 66 33.5 388 33.5 alpha 0.3 dash 3\n"
                                  "label dim-text 130 17 align 0 1 \"IPU 0\"\n"
                                  "rect boundary 227 20 1 116 alpha 0.6\n"
                                  "label dim-text 291 17 align 0 1 \"IPU 1\"\n"
                                  "label dim-text 58 136 align 1 0.5 \"0\"\n"
                                  "label dim-text 58 85 align 1 0.5 \"512 B\"\n"
                                  "rect axis 66 136 322 1\n"
                                  "rect capacity 66 36 322 1 series 2\n"
                                  "label text 58 36 align 1 0.5 bold \"1,000 B\"\n"
                                  "label dim-text 52 142 align 1 0 \"Tile\"\n"
                                  "rect axis 106 136 1 4\n"
                                  "label dim-text 106.25 142 align 0.5 0 \"0\"\n"
                                  "rect axis 186 136 1 4\n"
                                  "label dim-text 186.75 142 align 0.5 0 \"1\"\n"
                                  "rect axis 267 136 1 4\n"
                                  "label dim-text 267.25 142 align 0.5 0 \"2\"\n"
                                  "rect axis 347 136 1 4\n"
                                  "label dim-text 347.75 142 align 0.5 0 \"3\"\n";

static void
test_golden (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (400, 160, 1, 0, 4);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autofree char *text = NULL;
  TsrPlotArea area;

  memory_fixture_open (&fixture, SMALL);
  memory_fixture_set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_SOFTWARE, TRUE);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  text = tsr_draw_list_dup_text (list);
  g_assert_cmpstr (text, ==, golden);
}

static void
test_words (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autofree char *tile_1 = NULL;
  g_autofree char *tile_2 = NULL;
  g_autofree char *liveness = NULL;
  g_autofree char *caption = NULL;

  memory_fixture_open (&fixture, SMALL);
  memory_fixture_set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_SOFTWARE, TRUE);
  tile_1 = tsr_chart_model_describe (fixture.model, 1);
  g_assert_cmpstr (tile_1, ==,
                   "Tile 1 (IPU 0)\n"
                   "Tile memory excluding gaps: 900 B (90.0 %)\n"
                   "Tile memory including gaps: 1,100 B (110.0 %)\n"
                   "Max memory: 1,000 B\n"
                   "Does not fit: 100 B (10.0 %)");
  tile_2 = tsr_chart_model_describe (fixture.model, 2);
  g_assert_cmpstr (tile_2, ==,
                   "Tile 2 (IPU 1)\n"
                   "Tile memory excluding gaps: not recorded\n"
                   "Tile memory including gaps: 300 B (30.0 %)\n"
                   "Max memory: 1,000 B");
  g_assert_null (tsr_chart_model_describe (fixture.model, 4));
  tsr_chart_model_write_csv (fixture.model, 1, 3, csv);
  g_assert_cmpstr (csv->str, ==,
                   "tile,ipu,physicalTile,excludingGaps,includingGaps,maxMemory,need\r\n"
                   "1,0,,900,1100,1000,100\r\n"
                   "2,1,,,300,1000,0\r\n");
  memory_fixture_set_options (&fixture, TSR_BREAKDOWN_LIVENESS, TSR_ORDER_SOFTWARE, FALSE);
  liveness = tsr_chart_model_describe (fixture.model, 0);
  g_assert_cmpstr (liveness, ==,
                   "Tile 0 (IPU 0)\n"
                   "Tile memory excluding gaps: 400 B (40.0 %)\n"
                   "Packing loss: 50 B (5.0 %)\n"
                   "Not always live (each tile's peak): 150 B (15.0 %)\n"
                   "Always live: 200 B (20.0 %)\n"
                   "Max memory: 1,000 B");
  caption = tsr_chart_model_dup_caption (fixture.model);
  g_assert_cmpstr (caption, ==, "Memory per tile by liveness, 4 tiles of one replica");
}

/* A file of Poplar's own with the confirmed columns only. */
static void
test_confirmed_only (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  TsrChartSeries series;
  g_autofree char *words = NULL;
  g_autofree char *why = NULL;

  memory_fixture_open (&fixture, "CREATE TABLE memory_by_tile (total);"
                                 "INSERT INTO memory_by_tile VALUES (10), (30), (20);");
  g_assert_cmpuint (tsr_chart_model_get_n_series (fixture.model), ==, 1);
  tsr_chart_model_get_series (fixture.model, 0, &series);
  g_assert_cmpstr (series.name, ==, "Tile memory (total in the file)");
  words = tsr_chart_model_describe (fixture.model, 1);
  g_assert_cmpstr (words, ==, "Tile 1\nTile memory (total in the file): 30 B");
  g_assert_false (tsr_memory_chart_can_break_down (fixture.chart, TSR_BREAKDOWN_CATEGORY, &why));
  g_assert_nonnull (strstr (why, "memory_by_tile_category"));
  g_assert_false (tsr_memory_chart_can_break_down (fixture.chart, TSR_BREAKDOWN_REGION, NULL));
  g_assert_false (tsr_memory_chart_can_break_down (fixture.chart, TSR_BREAKDOWN_LIVENESS, NULL));
  g_assert_false (tsr_memory_chart_can_order (fixture.chart, TSR_ORDER_PHYSICAL, NULL));
  g_assert_true (tsr_memory_chart_can_order (fixture.chart, TSR_ORDER_BYTES, NULL));
  g_assert_false (tsr_memory_chart_can_include_gaps (fixture.chart, NULL));
  memory_fixture_check_every_option (&fixture);
}

static void
test_assumed (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autofree char *words = NULL;

  memory_fixture_open (
      &fixture, "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total);"
                "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 2943)"
                "  INSERT INTO memory_by_tile SELECT i, i FROM t;");
  words = tsr_chart_model_describe (fixture.model, 1474);
  g_assert_cmpstr (words, ==,
                   "Tile 1474 (IPU 1 assumed, physical 64)\n"
                   "Tile memory (total in the file): 1,474 B");
}

/* Options are found by their names, and nothing else is. */
static void
test_nicks (void)
{
  TsrBreakdown breakdown;
  TsrTileOrder order;

  for (guint i = 0; i < TSR_N_BREAKDOWNS; i++)
    {
      breakdown = TSR_N_BREAKDOWNS;
      g_assert_true (tsr_breakdown_parse (tsr_breakdown_get_nick (i), &breakdown));
      g_assert_cmpuint (breakdown, ==, i);
      g_assert_cmpint (tsr_tile_order_parse (tsr_breakdown_get_nick (i), &order), ==, FALSE);
    }
  for (guint i = 0; i <= TSR_ORDER_BYTES; i++)
    {
      order = G_MAXINT;
      g_assert_true (tsr_tile_order_parse (tsr_tile_order_get_nick (i), &order));
      g_assert_cmpuint (order, ==, i);
      g_assert_false (tsr_breakdown_parse (tsr_tile_order_get_nick (i), &breakdown));
    }
  g_assert_cmpstr (tsr_breakdown_get_nick (G_MAXINT), ==, "peak");
  g_assert_cmpstr (tsr_tile_order_get_nick (G_MAXINT), ==, "bytes");
  g_assert_false (tsr_breakdown_parse (NULL, &breakdown));
  g_assert_false (tsr_tile_order_parse ("", &order));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory-chart/golden", test_golden);
  g_test_add_func ("/memory-chart/words", test_words);
  g_test_add_func ("/memory-chart/nicks", test_nicks);
  g_test_add_func ("/memory-chart/confirmed-only", test_confirmed_only);
  g_test_add_func ("/memory-chart/assumed", test_assumed);
  return g_test_run ();
}

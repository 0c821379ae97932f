/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Variables graph against SQL on the same file: what each tile has of a variable, what a column
 * of pixels shows, order, legend and CSV. */

#include "config.h"

#include "chart-test.h"
#include "tsr-test.h"
#include "tsr-variables-chart.h"

#include <math.h>
#include <string.h>

#define N_TILES 2944
#define SCHEMA                                                                                     \
  "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile);" \
  "INSERT INTO target VALUES (1472, 2, 1, 2, 20000);"                                              \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps);"                 \
  "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 2943)"                 \
  "  INSERT INTO memory_by_tile SELECT i, i, i FROM t;"                                            \
  "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"                               \
  "INSERT INTO var_categories VALUES (0, 'variable');"                                             \
  "CREATE TABLE vars_string_table (id INTEGER PRIMARY KEY, value TEXT);"                           \
  "INSERT INTO vars_string_table VALUES (0, 'w'), (1, 'x'), (2, 'y');"                             \
  "CREATE TABLE variables (id INTEGER PRIMARY KEY, name TEXT, size_bytes, always_live, category);" \
  "INSERT INTO variables VALUES (0, 'w', NULL, 1, 0), (1, 'x', NULL, 1, 0), (2, 'y', NULL, 1, 0);" \
  "CREATE TABLE liveness_steps (step INTEGER PRIMARY KEY, program, not_always_live_bytes);"        \
  "INSERT INTO liveness_steps VALUES (0, NULL, 0);"                                                \
  "CREATE TABLE vars_info (id INTEGER PRIMARY KEY, tile, size_bytes, category, name, variable, "   \
  "  offset, always_live, equivalence_class, alignment);"                                          \
  "INSERT INTO vars_info SELECT NULL, tile, 100 + tile * 7919 % 1200, 0, 0, 0, 0, 1, NULL, 4"      \
  "  FROM memory_by_tile;"                                                                         \
  "INSERT INTO vars_info SELECT NULL, tile, 40, 0, 0, 0, 4000, 1, NULL, 4"                         \
  "  FROM memory_by_tile WHERE tile % 5 = 0;"                                                      \
  "INSERT INTO vars_info SELECT NULL, tile, 900 - tile % 800, 0, 1, 1, 8000, 1, NULL, 4"           \
  "  FROM memory_by_tile WHERE tile < 1472;"                                                       \
  "INSERT INTO vars_info VALUES (NULL, 2000, 5000, 0, 2, 2, 9000, 1, NULL, 4);"

typedef struct
{
  char *folder;
  TsrReport *report;
  TsrMemory *memory;
  TsrVariables *variables;
  TsrTileSelection *selection;
  TsrVariablesChart *chart;
  TsrChartModel *model;
  gint64 bytes[3][N_TILES]; /* by SQL */
} Fixture;

static gint64
expected_bytes (guint variable, guint tile)
{
  if (variable == 2)
    return tile == 2000 ? 5000 : 0;
  if (variable == 1)
    return tile < 1472 ? 900 - tile % 800 : 0;
  return 100 + (gint64)tile * 7919 % 1200 + (tile % 5 == 0 ? 40 : 0);
}

static void
fixture_open (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  guint32 shown[3];

  f->folder = tsr_test_folder_new ();
  tsr_test_sql (f->folder, "profile.pop", SCHEMA);
  for (guint v = 0; v < 3; v++)
    {
      for (guint tile = 0; tile < N_TILES; tile++)
        f->bytes[v][tile] = expected_bytes (v, tile);
      for (guint tile = 0; tile < N_TILES; tile += 400)
        {
          g_autofree char *sql
              = g_strdup_printf ("SELECT coalesce (sum (size_bytes), 0) FROM vars_info "
                                 "WHERE name = %u AND tile = %u",
                                 v, tile);

          g_assert_cmpint (f->bytes[v][tile], ==, tsr_test_query (f->folder, "profile.pop", sql));
        }
    }
  f->report = tsr_report_open_sync (place, f->folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  f->memory = tsr_memory_new (f->report);
  f->variables = tsr_variables_new (f->report, NULL, &error);
  g_assert_no_error (error);
  f->selection = tsr_tile_selection_new ();
  f->chart = tsr_variables_chart_new (f->memory, f->variables, f->selection);
  f->model = TSR_CHART_MODEL (f->chart);
  shown[0] = tsr_variables_find (f->variables, "w");
  shown[1] = tsr_variables_find (f->variables, "x");
  shown[2] = tsr_variables_find (f->variables, "y");
  tsr_variables_chart_set_variables (f->chart, shown, 3);
}

static void
fixture_close (Fixture *f)
{
  g_assert_finalize_object (f->chart);
  g_object_unref (f->selection);
  tsr_variables_unref (f->variables);
  tsr_memory_unref (f->memory);
  g_object_unref (f->report);
  tsr_test_folder_free (f->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_close)

/* Top of series @s over @column, from rectangles of the draw list. */
static double
find_top (const TsrDrawList *list, guint s, double x)
{
  double top = G_MAXDOUBLE;

  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind == TSR_ITEM_RECT && item->series == s && item->x <= x
          && x < item->x + item->width)
        top = MIN (top, item->y);
    }
  return top;
}

static void
test_lines (void)
{
  g_auto (Fixture) f = { 0 };
  TsrChartGeometry geometry = test_geometry (900, 300, 1, 1460, 1480);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;

  fixture_open (&f);
  tsr_chart_model_layout (f.model, &geometry, list, &area);
  g_assert_cmpuint (list->rasters->len, ==, 0);
  /* The axis fits the largest of all: tile 2000 of the third. */
  g_assert_cmpfloat_with_epsilon (area.y_to, 5000 * 1.05, 1);
  for (guint tile = 1460; tile < 1480; tile++)
    for (guint v = 0; v < 2; v++)
      {
        double x = area.x + (tile + 0.5 - 1460) / 20 * area.width;
        double y = area.y + area.height * (1 - (double)f.bytes[v][tile] / area.y_to);

        g_assert_cmpfloat_with_epsilon (find_top (list, v, x), y, 2);
      }
}

/* The one tile that has the third variable is seen however many share its column. */
static void
test_spike (void)
{
  g_auto (Fixture) f = { 0 };
  TsrChartGeometry geometry = test_geometry (420, 300, 1, 0, N_TILES);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;
  double x, best = G_MAXDOUBLE, per;

  fixture_open (&f);
  tsr_chart_model_set_series_visible (f.model, 0, FALSE);
  tsr_chart_model_set_series_visible (f.model, 1, FALSE);
  tsr_chart_model_layout (f.model, &geometry, list, &area);
  x = area.x + 2000.5 / N_TILES * area.width;
  for (double dx = -1; dx <= 1; dx += 0.5)
    best = MIN (best, find_top (list, 2, x + dx));
  g_assert_cmpfloat_with_epsilon (best, area.y + area.height * (1 - 5000 / area.y_to), 2);
  per = N_TILES / area.width;
  g_assert_cmpuint (tsr_chart_model_datum_near (f.model, 2000.5 - per / 2, 2000.5 + per / 2), ==,
                    2000);
}

static void
test_words (void)
{
  g_auto (Fixture) f = { 0 };
  g_autofree char *text = NULL, *caption = NULL;

  fixture_open (&f);
  text = tsr_chart_model_describe (f.model, 1473);
  g_assert_cmpstr (text, ==, "Tile 1473 (IPU 1, physical 2)\nw: 787 B\nx: 0 B\ny: 0 B");
  g_assert_cmpint (f.bytes[0][1473], ==, 787);
  caption = tsr_chart_model_dup_caption (f.model);
  g_assert_cmpstr (caption, ==, "Memory per tile of 3 variables");
  g_assert_null (tsr_chart_model_describe (f.model, N_TILES));
}

static void
test_csv (void)
{
  g_auto (Fixture) f = { 0 };
  g_autoptr (GString) csv = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;

  fixture_open (&f);
  tsr_chart_model_set_series_visible (f.model, 1, FALSE);
  tsr_chart_model_write_csv (f.model, 0, N_TILES, csv);
  lines = g_strsplit (csv->str, "\r\n", -1);
  g_assert_cmpstr (lines[0], ==, "tile,ipu,physicalTile,w,y");
  g_assert_cmpuint (g_strv_length (lines), ==, N_TILES + 2);
  for (guint tile = 0; tile < N_TILES; tile++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[tile + 1], ",", -1);

      g_assert_cmpint (g_ascii_strtoll (fields[3], NULL, 10), ==, f.bytes[0][tile]);
      g_assert_cmpint (g_ascii_strtoll (fields[4], NULL, 10), ==, f.bytes[2][tile]);
    }
}

static void
test_order (void)
{
  g_auto (Fixture) f = { 0 };
  gint64 last = G_MAXINT64;

  fixture_open (&f);
  tsr_variables_chart_set_order (f.chart, TSR_ORDER_BYTES);
  g_assert_cmpuint (tsr_chart_model_datum_at (f.model, 0.5), ==, 2000);
  for (guint p = 0; p < N_TILES; p++)
    {
      guint32 tile = tsr_chart_model_datum_at (f.model, p + 0.5);
      gint64 sum = f.bytes[0][tile] + f.bytes[1][tile] + f.bytes[2][tile];

      g_assert_cmpint (sum, <=, last);
      last = sum;
      g_assert_cmpfloat (tsr_chart_model_position_of (f.model, tile), ==, p);
    }
}

/* What stays keeps its colour; more than the legend holds are not taken. */
static void
test_set_variables (void)
{
  g_auto (Fixture) f = { 0 };
  guint32 v[3], many[20];
  TsrChartSeries before, after;

  fixture_open (&f);
  v[0] = tsr_variables_find (f.variables, "w");
  v[1] = tsr_variables_find (f.variables, "y");
  tsr_chart_model_get_series (f.model, 2, &before);
  g_assert_cmpstr (before.name, ==, "y");
  tsr_variables_chart_set_variables (f.chart, v, 2);
  g_assert_cmpuint (tsr_chart_model_get_n_series (f.model), ==, 2);
  tsr_chart_model_get_series (f.model, 1, &after);
  g_assert_cmpstr (after.name, ==, "y");
  g_assert_cmpuint (after.ink, ==, before.ink);
  for (guint i = 0; i < 20; i++)
    many[i] = i < 15 ? 1000000 + i : v[i % 2];
  tsr_variables_chart_set_variables (f.chart, many, 20);
  g_assert_cmpuint (tsr_chart_model_get_n_series (f.model), ==, 5);
  for (guint i = 0; i < 20; i++)
    many[i] = v[i % 2];
  tsr_variables_chart_set_variables (f.chart, many, 20);
  g_assert_cmpuint (tsr_chart_model_get_n_series (f.model), ==, TSR_MAX_PLOTTED_VARIABLES);
  tsr_variables_chart_set_variables (f.chart, NULL, 0);
  g_assert_cmpuint (tsr_chart_model_get_n_series (f.model), ==, 0);
  {
    TsrChartGeometry geometry = test_geometry (500, 300, 1, 0, N_TILES);
    g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
    g_autoptr (TsrChartModel) copy = tsr_chart_model_dup (f.model);
    TsrPlotArea area;

    tsr_chart_model_layout (copy, &geometry, list, &area);
    g_assert_cmpfloat (area.width, >, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/variables-chart/lines", test_lines);
  g_test_add_func ("/variables-chart/spike", test_spike);
  g_test_add_func ("/variables-chart/words", test_words);
  g_test_add_func ("/variables-chart/csv", test_csv);
  g_test_add_func ("/variables-chart/order", test_order);
  g_test_add_func ("/variables-chart/set-variables", test_set_variables);
  return g_test_run ();
}

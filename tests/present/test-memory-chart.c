/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Total Memory graph: what it draws against the numbers in the file, whatever the options, the
 * size and the zoom. */

#include "config.h"

#include "chart-test.h"
#include "memory-fixture.h"
#include "tsr-step-layout.h"
#include "tsr-test.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------- data */

/* CSV as rows of fields; names have no commas here. */
static GPtrArray *
parse_csv (const char *text)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  g_auto (GStrv) lines = g_strsplit (text, "\r\n", -1);

  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    g_ptr_array_add (rows, g_strsplit (lines[i], ",", -1));
  return rows;
}

/* Sum of the bands in CSV row @row: all columns from the fourth to the one before "maxMemory". */
static gint64
sum_bands (char **row, char **header)
{
  gint64 sum = 0;

  for (guint i = 3; header[i] != NULL && !g_str_equal (header[i], "maxMemory"); i++)
    sum += g_ascii_strtoll (row[i], NULL, 10);
  return sum;
}

static void
test_stack_tops (void)
{
  static const TsrBreakdown breakdowns[] = { TSR_BREAKDOWN_REGION, TSR_BREAKDOWN_CATEGORY,
                                             TSR_BREAKDOWN_LIVENESS, TSR_BREAKDOWN_PEAK };
  g_auto (MemoryFixture) fixture = { 0 };
  g_autofree char *why = NULL;

  memory_fixture_open_large (&fixture, 17);
  g_assert_false (tsr_memory_chart_can_break_down (fixture.chart, TSR_BREAKDOWN_PEAK, &why));
  g_assert_nonnull (strstr (why, "vars_info"));
  tsr_memory_chart_set_peaks (fixture.chart, memory_fixture_dup_peaks (&fixture));
  for (guint b = 0; b < G_N_ELEMENTS (breakdowns); b++)
    {
      g_autoptr (GString) csv = g_string_new (NULL);
      g_autoptr (GPtrArray) rows = NULL;

      memory_fixture_set_options (&fixture, breakdowns[b], TSR_ORDER_SOFTWARE, FALSE);
      tsr_chart_model_write_csv (fixture.model, 100, 300, csv);
      rows = parse_csv (csv->str);
      g_assert_cmpuint (rows->len, ==, 201);
      for (guint i = 1; i < rows->len; i++)
        {
          char **row = g_ptr_array_index (rows, i);

          g_assert_cmpint (g_ascii_strtoll (row[0], NULL, 10), ==, 99 + i);
          g_assert_cmpint (sum_bands (row, g_ptr_array_index (rows, 0)), ==,
                           memory_fixture_ask_tile (&fixture, "excluding_gaps", 99 + i));
        }
    }
}

/* The top of the stack drawn for each tile, in rectangles, is where excluding gaps is on the axis.
 */
static void
test_rectangles (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (900, 500, 2, 700, 720);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;
  double top[20];

  memory_fixture_open_large (&fixture, 17);
  for (guint b = TSR_BREAKDOWN_NONE; b <= TSR_BREAKDOWN_LIVENESS; b++)
    {
      tsr_draw_list_reset (list);
      memory_fixture_set_options (&fixture, b, TSR_ORDER_SOFTWARE, FALSE);
      tsr_chart_model_layout (fixture.model, &geometry, list, &area);
      g_assert_cmpuint (list->rasters->len, ==, 0);
      g_assert_cmpfloat (area.y_from, ==, 0);
      for (guint i = 0; i < 20; i++)
        top[i] = area.y + area.height;
      for (guint i = 0; i < list->items->len; i++)
        {
          const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);
          TsrChartSeries series;

          if (item->kind != TSR_ITEM_RECT || item->datum == TSR_NO_DATUM
              || item->width * geometry.scale <= 1) /* a riser, up to its neighbour */
            continue;
          g_assert_cmpuint (item->datum, >=, 700);
          g_assert_cmpuint (item->datum, <, 720);
          tsr_chart_model_get_series (fixture.model, item->series, &series);
          if (series.ink != TSR_INK_OVERFLOW && item->ink != TSR_INK_OVERFLOW)
            top[item->datum - 700] = MIN (top[item->datum - 700], item->y);
        }
      for (guint i = 0; i < 20; i++)
        {
          double bytes = memory_fixture_ask_tile (&fixture, "excluding_gaps", 700 + i);
          double y = area.y + area.height * (1 - bytes / area.y_to);

          g_assert_cmpfloat_with_epsilon (top[i], y, 0.51 / geometry.scale);
        }
    }
}

static guint32 *
dup_inks (const TsrDrawRaster *raster)
{
  guint32 *inks = g_new (guint32, (gsize)raster->width * raster->height);
  guint32 numbers[256];

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    numbers[i] = i;
  tsr_draw_raster_paint (raster, numbers, inks, raster->width);
  return inks;
}

/* Each tile is in exactly one column; a column shows the largest of its tiles, in the raster and
 * under the pointer alike. */
static void
check_columns (MemoryFixture *fixture, double from, double to, double width, double scale)
{
  TsrChartGeometry geometry = test_geometry (width, 300, scale, from, to);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  const gint64 *bytes = tsr_memory_peek (fixture->memory, TSR_METRIC_EXCLUDING_GAPS);
  const TsrDrawRaster *raster;
  g_autofree guint32 *inks = NULL;
  TsrPlotArea area;
  guint n_columns;
  double per;
  double above = -1;

  tsr_chart_model_layout (fixture->model, &geometry, list, &area);
  g_assert_cmpuint (list->rasters->len, ==, 1);
  raster = g_ptr_array_index (list->rasters, 0);
  inks = dup_inks (raster);
  /* It leaves out the rows in which nothing is. */
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind == TSR_ITEM_RASTER)
        above = (item->y - area.y) * scale;
    }
  g_assert_cmpfloat (above, >=, 0);
  g_assert_cmpfloat (above + raster->height, <=, area.height * scale + 0.01);
  n_columns = round (area.width * scale);
  g_assert_cmpuint (raster->width, ==, n_columns);
  per = (to - from) / n_columns;
  g_assert_cmpfloat (per, >=, 1);
  for (guint c = 0; c < n_columns; c++)
    {
      guint32 shown
          = tsr_chart_model_datum_near (fixture->model, from + c * per, from + (c + 1) * per);
      guint32 best = TSR_NO_DATUM;
      guint row = 0;

      for (guint tile = 0; tile < 2944; tile++)
        if (tile + 0.5 >= from + c * per && tile + 0.5 < from + (c + 1) * per
            && (best == TSR_NO_DATUM || bytes[tile] > bytes[best]))
          best = tile;
      g_assert_cmpuint (shown, ==, best);
      while (row < raster->height
             && (inks[row * raster->width + c] == TSR_RASTER_CLEAR
                 || inks[row * raster->width + c] == TSR_INK_OVERFLOW
                 || inks[row * raster->width + c] == TSR_INK_OVERFLOW_TINT))
        row++;
      if (bytes[best] < 20000) /* others are hatched down to the limit */
        g_assert_cmpfloat_with_epsilon (above + row,
                                        area.height * scale * (1 - bytes[best] / area.y_to), 0.51);
    }
}

static void
test_columns (void)
{
  g_auto (MemoryFixture) fixture = { 0 };

  memory_fixture_open_large (&fixture, 17);
  memory_fixture_set_options (&fixture, TSR_BREAKDOWN_CATEGORY, TSR_ORDER_SOFTWARE, FALSE);
  check_columns (&fixture, 0, 2944, 1000, 1);
  check_columns (&fixture, 0, 2944, 700, 2);
  check_columns (&fixture, 17.3, 2801.9, 640, 1);
  check_columns (&fixture, 500, 1500, 900, 1);
}

/* At a step: always live and what was given, under the allocation; unknown stays unknown. */
static void
test_at_step (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autofree gint64 *bytes = g_new (gint64, 2944);
  TsrMemoryChartOptions options
      = { .breakdown = TSR_BREAKDOWN_LIVENESS, .show_max = TRUE, .units = TSR_UNITS_BYTES };

  memory_fixture_open_large (&fixture, 17);
  for (guint i = 0; i < 2944; i++)
    bytes[i] = i == 7 ? TSR_UNKNOWN : (gint64)i * 3;
  tsr_memory_chart_set_options (fixture.chart, &options);
  tsr_memory_chart_set_step (fixture.chart, 41, bytes);
  memset (bytes, 0, 2944 * sizeof *bytes); /* it has its own */
  g_assert_cmpuint (tsr_memory_chart_get_step (fixture.chart), ==, 41);
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (TsrChartModel) copy = tsr_chart_model_dup (fixture.model);
      g_autoptr (GString) csv = g_string_new (NULL);
      g_autoptr (GPtrArray) rows = NULL;

      tsr_chart_model_write_csv (copy, 0, 2944, csv);
      rows = parse_csv (csv->str);
      g_assert_cmpuint (rows->len, ==, 2945);
      for (guint tile = 0; tile < 2944; tile++)
        {
          char **row = g_ptr_array_index (rows, tile + 1);
          gint64 always = memory_fixture_ask_tile (&fixture, "always_live", tile);
          gint64 whole = memory_fixture_ask_tile (&fixture, "excluding_gaps", tile);

          if (k == 0)
            {
              g_assert_cmpint (g_ascii_strtoll (row[3], NULL, 10), ==, always);
              g_assert_cmpint (g_ascii_strtoll (row[4], NULL, 10), ==, tile == 7 ? 0 : tile * 3);
              g_assert_cmpint (*row[4] == '\0', ==, tile == 7);
              g_assert_cmpint (g_ascii_strtoll (row[5], NULL, 10), ==, whole);
            }
          else
            {
              g_assert_cmpint (g_ascii_strtoll (row[3], NULL, 10), ==,
                               tile == 7 ? 0 : always + tile * 3);
              g_assert_cmpint (*row[3] == '\0', ==, tile == 7);
            }
        }
      options.breakdown = TSR_BREAKDOWN_CATEGORY; /* shows the whole */
      tsr_memory_chart_set_options (fixture.chart, &options);
    }
  tsr_memory_chart_set_step (fixture.chart, 41, NULL);
  g_assert_cmpuint (tsr_memory_chart_get_step (fixture.chart), ==, TSR_NO_INDEX);
}

/* What is over the limit, walked along or asked for column by column, gives the same picture. */
static void
test_over (void)
{
  enum
  {
    N = 5000
  };
  static const double ranges[][2]
      = { { 0, N }, { 700.3, 4321.7 }, { 100.1, 700.2 }, { 1200, 1260 }, { 4990, N } };
  static const int percents[] = { 0, 2, 100 };
  g_autofree gint64 *top = g_new (gint64, N);
  g_autofree gint64 *excess = g_new (gint64, N);
  TsrStepBand band = { TSR_INK_REGION_0, 0 };

  for (guint p = 0; p < G_N_ELEMENTS (percents); p++)
    {
      g_autoptr (TsrPyramid) top_pyramid = NULL;
      g_autoptr (TsrPyramid) excess_pyramid = NULL;
      g_autoptr (GArray) over = g_array_new (FALSE, FALSE, sizeof (TsrStepExcess));
      TsrStepData data = { .n = N, .n_bands = 1, .bands = &band, .limit = 500 };

      for (guint i = 0; i < N; i++)
        {
          top[i] = g_test_rand_int_range (0, 500);
          excess[i] = g_test_rand_int_range (0, 100) < percents[p]
                          ? g_test_rand_int_range (1, 200)
                          : (i % 7 == 0 ? TSR_UNKNOWN : -(gint64)(i % 50));
          if (excess[i] > 0)
            {
              TsrStepExcess one = { i, excess[i] };

              g_array_append_val (over, one);
            }
        }
      data.top = top;
      data.excess = excess;
      data.top_pyramid = top_pyramid = tsr_pyramid_new (top, N);
      data.excess_pyramid = excess_pyramid = tsr_pyramid_new (excess, N);
      for (guint r = 0; r < G_N_ELEMENTS (ranges); r++)
        {
          TsrChartGeometry geometry = test_geometry (300, 120, 1, ranges[r][0], ranges[r][1]);
          TsrPlotArea area = { 0, 0, 300, 120, 0, 800 };
          g_autoptr (TsrDrawList) asked = tsr_draw_list_new ();
          g_autoptr (TsrDrawList) walked = tsr_draw_list_new ();
          g_autofree char *a = NULL;
          g_autofree char *b = NULL;

          data.over = NULL;
          data.n_over = 0;
          tsr_step_layout (&data, &geometry, &area, asked);
          data.over = (const TsrStepExcess *)(gpointer)over->data;
          data.n_over = over->len;
          tsr_step_layout (&data, &geometry, &area, walked);
          a = tsr_draw_list_dup_text (asked);
          b = tsr_draw_list_dup_text (walked);
          g_assert_cmpstr (a, ==, b);
          if (percents[p] > 0 && r == 0)
            g_assert_nonnull (strstr (a, "overflow"));
        }
    }
}

/* --------------------------------------------------- any option, any size */

static void
test_every_option (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  guint all[2944];

  for (guint i = 0; i < 2944; i++)
    all[i] = i;
  memory_fixture_open_large (&fixture, 17);
  tsr_tile_selection_set (fixture.selection, (guint[]){ 3, 4, 5, 900, 1471, 1472, 2943 }, 7);
  memory_fixture_check_every_option (&fixture);
  memory_fixture_set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_PHYSICAL, TRUE);
  tsr_tile_selection_set (fixture.selection, all, 1400);
  test_check_sizes (fixture.model);
  tsr_tile_selection_set (fixture.selection, all, 2944);
  test_check_sizes (fixture.model);
  for (guint i = 0; i < tsr_chart_model_get_n_series (fixture.model); i++)
    tsr_chart_model_set_series_visible (fixture.model, i, FALSE);
  test_check_sizes (fixture.model);
}

/* Sizes that no tile has: sums stay, lines end at the plot's edge, words say what stands there. */
static void
test_absurd (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autoptr (GString) csv = g_string_new (NULL);

  memory_fixture_open (
      &fixture,
      "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus,"
      "  bytes_per_tile);"
      "INSERT INTO target VALUES (3, 1, 1, 1, 9223372036854775807);"
      "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps,"
      "  excluding_gaps, overflowed, always_live, not_always_live, peak_step);"
      "INSERT INTO memory_by_tile VALUES"
      "  (0, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807,"
      "   9223372036854775807, 9223372036854775807, 1),"
      "  (1, -5, -9223372036854775807, -5, -5, -5, -5, -5), (2, 0, 0, 0, 0, 0, 0, 0);"
      "CREATE TABLE memory_by_tile_region (tile, region, bytes, overlapped_bytes);"
      "INSERT INTO memory_by_tile_region VALUES (0, 0, 9223372036854775807, 9223372036854775807),"
      "  (0, 1, 9223372036854775807, 9223372036854775807), (0, 2, 9223372036854775807, 1);");
  memory_fixture_check_every_option (&fixture);
  for (guint b = TSR_BREAKDOWN_NONE; b <= TSR_BREAKDOWN_LIVENESS; b++)
    {
      memory_fixture_set_options (&fixture, b, TSR_ORDER_BYTES, TRUE);
      for (guint tile = 0; tile < 3; tile++)
        {
          g_autofree char *words = tsr_chart_model_describe (fixture.model, tile);

          g_assert_true (g_str_has_prefix (words, "Tile "));
        }
      tsr_chart_model_write_csv (fixture.model, -1e300, 1e300, csv);
    }
}

/* ----------------------------------------------------------------- legend */

static void
count (gpointer object, guint *n)
{
  (*n)++;
}

static void
test_series (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autoptr (TsrChartModel) copy = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  TsrChartSeries series;
  guint n;
  guint changed = 0;

  /* 30 categories: 23 with a name, 7 in Other, shared, max memory, does not fit. */
  memory_fixture_open_large (&fixture, 30);
  memory_fixture_set_options (&fixture, TSR_BREAKDOWN_CATEGORY, TSR_ORDER_SOFTWARE, FALSE);
  n = tsr_chart_model_get_n_series (fixture.model);
  g_assert_cmpuint (n, ==, 24 + 3);
  tsr_chart_model_get_series (fixture.model, 23, &series);
  g_assert_cmpstr (series.name, ==, "Other (7 categories)");
  tsr_chart_model_get_series (fixture.model, 24, &series);
  g_assert_cmpstr (series.name, ==, "Shared by several variables");
  /* The largest is at the bottom. */
  tsr_chart_model_get_series (fixture.model, 0, &series);
  {
    gint64 id = tsr_test_query (fixture.folder, "profile.pop",
                                "SELECT category FROM memory_by_tile_category GROUP BY category"
                                " ORDER BY sum (non_overlapped) DESC, category LIMIT 1");
    g_autofree char *name = g_strdup_printf ("made%" G_GINT64_FORMAT, id);

    g_assert_cmpstr (series.name, ==, name);
  }

  /* A hidden series is out of the stack, the words and the CSV, and stays hidden. */
  g_signal_connect (fixture.model, "series-changed", G_CALLBACK (count), &changed);
  before = tsr_chart_model_describe (fixture.model, 11);
  tsr_chart_model_set_series_visible (fixture.model, 0, FALSE);
  g_assert_cmpuint (changed, ==, 1);
  tsr_chart_model_set_series_visible (fixture.model, 0, FALSE);
  g_assert_cmpuint (changed, ==, 1);
  after = tsr_chart_model_describe (fixture.model, 11);
  g_assert_nonnull (strstr (before, series.name));
  g_assert_null (strstr (after, series.name));
  tsr_chart_model_write_csv (fixture.model, 0, 1, csv);
  g_assert_null (strstr (csv->str, series.name));
  memory_fixture_set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_SOFTWARE, FALSE);
  memory_fixture_set_options (&fixture, TSR_BREAKDOWN_CATEGORY, TSR_ORDER_SOFTWARE, FALSE);
  tsr_chart_model_get_series (fixture.model, 0, &series);
  g_assert_false (series.visible);

  copy = tsr_chart_model_dup (fixture.model);
  tsr_chart_model_get_series (copy, 0, &series);
  g_assert_false (series.visible);
  g_assert_cmpuint (tsr_chart_model_get_n_series (copy), ==, n);
}

static void
test_orders (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  gint64 before = G_MAXINT64;

  memory_fixture_open_large (&fixture, 17);
  memory_fixture_set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_BYTES, FALSE);
  for (guint i = 0; i < 2944; i++)
    {
      guint32 tile = tsr_chart_model_datum_at (fixture.model, i + 0.5);
      gint64 bytes = tsr_memory_peek (fixture.memory, TSR_METRIC_EXCLUDING_GAPS)[tile];

      g_assert_cmpint (bytes, <=, before);
      g_assert_cmpfloat (tsr_chart_model_position_of (fixture.model, tile), ==, i);
      before = bytes;
    }
  memory_fixture_set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_PHYSICAL, FALSE);
  for (guint i = 0; i < 2944; i++)
    {
      guint32 tile = tsr_chart_model_datum_at (fixture.model, i);

      g_assert_cmpint (tsr_tile_get_physical (tile % 1472, 1472), ==, i % 1472);
      g_assert_cmpuint (tile / 1472, ==, i / 1472);
    }
  g_assert_cmpuint (tsr_chart_model_datum_at (fixture.model, -0.1), ==, TSR_NO_DATUM);
  g_assert_cmpuint (tsr_chart_model_datum_at (fixture.model, 2944), ==, TSR_NO_DATUM);
}

static void
test_axis (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  TsrMemoryChartOptions options = { .show_max = TRUE };
  TsrChartGeometry geometry = test_geometry (800, 300, 1, 0, 2944);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;
  double largest;

  /* Four categories fit: at most 6,000 + 98 of 20,000 bytes. */
  memory_fixture_open_large (&fixture, 4);
  largest = tsr_test_query (fixture.folder, "profile.pop",
                            "SELECT max (excluding_gaps) FROM memory_by_tile");
  tsr_memory_chart_set_options (fixture.chart, &options);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_cmpfloat_with_epsilon (area.y_to, 1.05 * 20000, 1e-6);
  options.fit_data = TRUE;
  tsr_memory_chart_set_options (fixture.chart, &options);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_cmpfloat_with_epsilon (area.y_to, 1.05 * largest, 1e-6);
  /* Data stay below the inset. */
  geometry.inset = 40;
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_cmpfloat_with_epsilon (area.height * (1 - 1.05 * largest / area.y_to), 40, 1e-6);
  geometry.inset = 0;
  options.fit_data = options.show_max = FALSE;
  tsr_memory_chart_set_options (fixture.chart, &options);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_cmpfloat_with_epsilon (area.y_to, 1.05 * largest, 1e-6);
}

/* The axis begins at what all tiles have of the lowest band, where that takes half of it. */
static void
test_axis_break (void)
{
  static const char report[]
      = "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus,"
        "  bytes_per_tile);"
        "INSERT INTO target VALUES (4, 1, 1, 1, 1000);"
        "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps,"
        "  excluding_gaps, overflowed, always_live, not_always_live, peak_step);"
        "INSERT INTO memory_by_tile VALUES (0, 603, 603, 603, 0, 600, 0, 0),"
        "  (1, 723, 723, 723, 0, 620, 100, 0), (2, 693, 693, 693, 0, 640, 50, 0),"
        "  (3, 903, 903, 903, 0, 700, 200, 0);";
  static const struct
  {
    TsrMemoryChartOptions options;
    const char *hidden;
    double from, to;
  } rows[] = {
    { { TSR_BREAKDOWN_LIVENESS, .show_max = TRUE }, "", 600, 600 + 400 * 1.05 },
    { { TSR_BREAKDOWN_LIVENESS }, "", 600, 600 + 303 * 1.05 },
    { { TSR_BREAKDOWN_LIVENESS, .show_max = TRUE, .from_zero = TRUE }, "", 0, 1050 },
    { { TSR_BREAKDOWN_NONE, .show_max = TRUE }, "", 603, 603 + 397 * 1.05 },
    /* What is lowest then is 0 on a tile. */
    { { TSR_BREAKDOWN_LIVENESS }, "alwaysLive", 0, 203 * 1.05 },
    { { TSR_BREAKDOWN_LIVENESS }, "alwaysLive\nnotAlwaysLive\npackingLoss", 0, 1 },
  };
  g_auto (MemoryFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (800, 300, 1, 0, 4);
  TsrPlotArea area;

  memory_fixture_open (&fixture, report);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
      double top = G_MAXDOUBLE;

      tsr_memory_chart_set_options (fixture.chart, &rows[i].options);
      tsr_chart_model_set_hidden (fixture.model, rows[i].hidden);
      tsr_chart_model_layout (fixture.model, &geometry, list, &area);
      g_test_message ("case %u: from %g to %g", i, area.y_from, area.y_to);
      g_assert_cmpfloat (area.y_from, ==, rows[i].from);
      g_assert_cmpfloat_with_epsilon (area.y_to, rows[i].to, 1e-6);
      /* Tile 3 as high as it is. */
      for (guint k = 0; k < list->items->len; k++)
        {
          const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, k);

          if (item->kind == TSR_ITEM_RECT && item->datum == 3 && item->width > 1)
            top = MIN (top, item->y);
        }
      if (*rows[i].hidden == '\0')
        g_assert_cmpfloat_with_epsilon (
            top, area.y + area.height * (1 - (903 - area.y_from) / (area.y_to - area.y_from)), 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory-chart/axis-break", test_axis_break);
  g_test_add_func ("/memory-chart/stack-tops", test_stack_tops);
  g_test_add_func ("/memory-chart/rectangles", test_rectangles);
  g_test_add_func ("/memory-chart/at-step", test_at_step);
  g_test_add_func ("/memory-chart/columns", test_columns);
  g_test_add_func ("/memory-chart/over", test_over);
  g_test_add_func ("/memory-chart/every-option", test_every_option);
  g_test_add_func ("/memory-chart/series", test_series);
  g_test_add_func ("/memory-chart/orders", test_orders);
  g_test_add_func ("/memory-chart/axis", test_axis);
  g_test_add_func ("/memory-chart/absurd", test_absurd);
  return g_test_run ();
}

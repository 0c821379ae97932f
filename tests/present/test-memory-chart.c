/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Total Memory graph: what it draws against the numbers in the file, whatever the options, the
 * size and the zoom. */

#include "config.h"

#include "tsr-memory-chart.h"
#include "tsr-step-layout.h"
#include "tsr-test.h"

#include <math.h>
#include <string.h>

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

typedef struct
{
  char *folder;
  TsrMemory *memory;
  TsrTileSelection *selection;
  TsrMemoryChart *chart;
  TsrChartModel *model;
} Fixture;

static void
fixture_open (Fixture *self, const char *sql)
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
  self->chart = tsr_memory_chart_new (self->memory, self->selection);
  self->model = TSR_CHART_MODEL (self->chart);
}

static void
fixture_open_large (Fixture *self, int n_categories)
{
  g_autofree char *sql = g_strdup_printf (LARGE, n_categories - 1);

  fixture_open (self, sql);
}

static void
fixture_close (Fixture *self)
{
  g_assert_finalize_object (self->chart);
  g_object_unref (self->selection);
  tsr_memory_unref (self->memory);
  tsr_test_folder_free (self->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_close)

/* Fixed widths: the layout does not depend on the fonts of this machine. */
static void
measure_text (
    gpointer data, const char *text, double font_size, gboolean bold, double *width, double *height)
{
  if (width != NULL)
    *width = g_utf8_strlen (text, -1) * font_size * 0.6;
  if (height != NULL)
    *height = font_size * 1.25;
}

static TsrChartGeometry
geometry_of (double width, double height, double scale, double from, double to)
{
  return (TsrChartGeometry){ .width = width,
                             .height = height,
                             .scale = scale,
                             .from = from,
                             .to = to,
                             .measure = { measure_text, NULL } };
}

static void
set_options (Fixture *self, TsrBreakdown breakdown, TsrTileOrder order, gboolean gaps)
{
  TsrMemoryChartOptions options
      = { .breakdown = breakdown, .order = order, .include_gaps = gaps, .show_max = TRUE };

  tsr_memory_chart_set_options (self->chart, &options);
}

static gint64
ask_tile (Fixture *self, const char *column, guint tile)
{
  g_autofree char *sql
      = g_strdup_printf ("SELECT %s FROM memory_by_tile WHERE tile = %u", column, tile);

  return tsr_test_query (self->folder, "profile.pop", sql);
}

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

/* Sum of the bands in CSV row @row: all columns from the fourth to the one before "Max memory". */
static gint64
sum_bands (char **row, char **header)
{
  gint64 sum = 0;

  for (guint i = 3; header[i] != NULL && !g_str_has_prefix (header[i], "Max memory"); i++)
    sum += g_ascii_strtoll (row[i], NULL, 10);
  return sum;
}

static void
test_stack_tops (void)
{
  static const TsrBreakdown breakdowns[]
      = { TSR_BREAKDOWN_REGION, TSR_BREAKDOWN_CATEGORY, TSR_BREAKDOWN_LIVENESS };
  g_auto (Fixture) fixture = { 0 };

  fixture_open_large (&fixture, 17);
  for (guint b = 0; b < G_N_ELEMENTS (breakdowns); b++)
    {
      g_autoptr (GString) csv = g_string_new (NULL);
      g_autoptr (GPtrArray) rows = NULL;

      set_options (&fixture, breakdowns[b], TSR_ORDER_SOFTWARE, FALSE);
      tsr_chart_model_write_csv (fixture.model, 100, 300, csv);
      rows = parse_csv (csv->str);
      g_assert_cmpuint (rows->len, ==, 201);
      for (guint i = 1; i < rows->len; i++)
        {
          char **row = g_ptr_array_index (rows, i);

          g_assert_cmpint (g_ascii_strtoll (row[0], NULL, 10), ==, 99 + i);
          g_assert_cmpint (sum_bands (row, g_ptr_array_index (rows, 0)), ==,
                           ask_tile (&fixture, "excluding_gaps", 99 + i));
        }
    }
}

/* The top of the stack drawn for each tile, in rectangles, is where excluding gaps is on the axis.
 */
static void
test_rectangles (void)
{
  g_auto (Fixture) fixture = { 0 };
  TsrChartGeometry geometry = geometry_of (900, 500, 2, 700, 720);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;
  double top[20];

  fixture_open_large (&fixture, 17);
  for (guint b = TSR_BREAKDOWN_NONE; b <= TSR_BREAKDOWN_LIVENESS; b++)
    {
      tsr_draw_list_reset (list);
      set_options (&fixture, b, TSR_ORDER_SOFTWARE, FALSE);
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
          double bytes = ask_tile (&fixture, "excluding_gaps", 700 + i);
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
check_columns (Fixture *fixture, double from, double to, double width, double scale)
{
  TsrChartGeometry geometry = geometry_of (width, 300, scale, from, to);
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
  g_auto (Fixture) fixture = { 0 };

  fixture_open_large (&fixture, 17);
  set_options (&fixture, TSR_BREAKDOWN_CATEGORY, TSR_ORDER_SOFTWARE, FALSE);
  check_columns (&fixture, 0, 2944, 1000, 1);
  check_columns (&fixture, 0, 2944, 700, 2);
  check_columns (&fixture, 17.3, 2801.9, 640, 1);
  check_columns (&fixture, 500, 1500, 900, 1);
}

/* At a step: always live and what was given, under the allocation; unknown stays unknown. */
static void
test_at_step (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree gint64 *bytes = g_new (gint64, 2944);
  TsrMemoryChartOptions options
      = { .breakdown = TSR_BREAKDOWN_LIVENESS, .show_max = TRUE, .units = TSR_UNITS_BYTES };

  fixture_open_large (&fixture, 17);
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
          gint64 always = ask_tile (&fixture, "always_live", tile);
          gint64 whole = ask_tile (&fixture, "excluding_gaps", tile);

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
  static const double ranges[][2] = { { 0, N }, { 700.3, 4321.7 }, { 1200, 1260 }, { 4990, N } };
  static const int percents[] = { 0, 2, 100 };
  g_autofree gint64 *top = g_new (gint64, N);
  g_autofree gint64 *excess = g_new (gint64, N);
  TsrStepBand band = { TSR_INK_REGION_0, 0 };

  for (guint p = 0; p < G_N_ELEMENTS (percents); p++)
    {
      g_autoptr (TsrPyramid) top_pyramid = NULL;
      g_autoptr (TsrPyramid) excess_pyramid = NULL;
      g_autoptr (GArray) over = g_array_new (FALSE, FALSE, sizeof (guint));
      TsrStepData data = { .n = N, .n_bands = 1, .bands = &band, .limit = 500 };

      for (guint i = 0; i < N; i++)
        {
          top[i] = g_test_rand_int_range (0, 500);
          excess[i] = g_test_rand_int_range (0, 100) < percents[p]
                          ? g_test_rand_int_range (1, 200)
                          : (i % 7 == 0 ? TSR_UNKNOWN : -(gint64)(i % 50));
          if (excess[i] > 0)
            g_array_append_val (over, i);
        }
      data.stack = data.top = top;
      data.excess = excess;
      data.top_pyramid = top_pyramid = tsr_pyramid_new (top, N);
      data.excess_pyramid = excess_pyramid = tsr_pyramid_new (excess, N);
      for (guint r = 0; r < G_N_ELEMENTS (ranges); r++)
        {
          TsrChartGeometry geometry = geometry_of (300, 120, 1, ranges[r][0], ranges[r][1]);
          TsrPlotArea area = { 0, 0, 300, 120, 0, 800 };
          g_autoptr (TsrDrawList) asked = tsr_draw_list_new ();
          g_autoptr (TsrDrawList) walked = tsr_draw_list_new ();
          g_autofree char *a = NULL;
          g_autofree char *b = NULL;

          data.over = NULL;
          data.n_over = 0;
          tsr_step_layout (&data, &geometry, &area, asked);
          data.over = (const guint *)(gpointer)over->data;
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
check_list (const TsrDrawList *list, double width, double height)
{
  guint n_labels = 0;
  guint n_rects = 0;

  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      g_assert_true (isfinite (item->x) && isfinite (item->y));
      if (item->kind == TSR_ITEM_RECT || item->kind == TSR_ITEM_HATCH)
        n_rects++;
      if (width < 200 || height < 120)
        continue; /* no room for anything */
      if (item->kind == TSR_ITEM_LABEL)
        {
          const char *text = tsr_draw_list_get_text (list, item);
          double w;
          double h;

          measure_text (NULL, text, item->font_size, item->bold, &w, &h);
          n_labels++;
          if (item->width > 0)
            w = MIN (w, item->width);
          g_assert_cmpfloat (item->x - item->xalign * w, >=, -0.01);
          g_assert_cmpfloat (item->x + (1 - item->xalign) * w, <=, width + 0.01);
          g_assert_cmpfloat (item->y - item->yalign * h, >=, -0.01);
          g_assert_cmpfloat (item->y + (1 - item->yalign) * h, <=, height + 0.01);
        }
      else
        {
          g_assert_cmpfloat (item->x, >=, -0.01);
          g_assert_cmpfloat (item->y, >=, -0.01);
          g_assert_cmpfloat (item->x + item->width, <=, width + 0.01);
          g_assert_cmpfloat (item->y + item->height, <=, height + 0.01);
        }
    }
  g_assert_cmpuint (n_rects, <=, 4000);
  g_assert_cmpuint (n_labels, <=, 300);
}

static void
check_sizes (Fixture *fixture)
{
  static const double sizes[][2] = { { 0, 0 },     { 3, 900 },    { 40, 30 },    { 200, 120 },
                                     { 801, 333 }, { 1280, 400 }, { 2560, 1250 } };
  static const double ranges[][2] = { { 0, 1 }, { 0, 0.0031 }, { 0.31, 0.47 }, { 0.99, 1 } };
  double from;
  double to;
  double min_span;
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();

  tsr_chart_model_get_domain (fixture->model, &from, &to, &min_span);
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint r = 0; r < G_N_ELEMENTS (ranges); r++)
      {
        double scale = 1 + (s + r) % 3 * 0.5;
        TsrChartGeometry geometry
            = geometry_of (sizes[s][0], sizes[s][1], scale, ranges[r][0] * to, ranges[r][1] * to);
        TsrPlotArea area;

        if (sizes[s][0] > 2000 && r > 0)
          continue; /* slow, and no other than the smaller ones */
        geometry.legend = s % 2 == 0;
        geometry.inset = geometry.legend ? 0 : 30;
        geometry.title = r % 2 == 0 && s > 3 ? "Title" : NULL;
        tsr_draw_list_reset (list);
        tsr_chart_model_layout (fixture->model, &geometry, list, &area);
        check_list (list, sizes[s][0], geometry.legend && sizes[s][1] < 300 ? 1e9 : sizes[s][1]);
        tsr_draw_list_reset (list);
        tsr_chart_model_layout_overlay (fixture->model, &geometry, &area, 3, 7, list);
        check_list (list, sizes[s][0] + 3, sizes[s][1]);
        tsr_draw_list_reset (list);
        tsr_chart_model_layout_overview (fixture->model, &geometry, list);
        check_list (list, sizes[s][0], sizes[s][1]);
      }
}

static void
check_every_option (Fixture *fixture)
{
  for (guint b = TSR_BREAKDOWN_NONE; b <= TSR_BREAKDOWN_LIVENESS; b++)
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
          check_sizes (fixture);
        }
}

static void
test_every_option (void)
{
  g_auto (Fixture) fixture = { 0 };
  guint all[2944];

  for (guint i = 0; i < 2944; i++)
    all[i] = i;
  fixture_open_large (&fixture, 17);
  tsr_tile_selection_set (fixture.selection, (guint[]){ 3, 4, 5, 900, 1471, 1472, 2943 }, 7);
  check_every_option (&fixture);
  set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_PHYSICAL, TRUE);
  tsr_tile_selection_set (fixture.selection, all, 1400);
  check_sizes (&fixture);
  tsr_tile_selection_set (fixture.selection, all, 2944);
  check_sizes (&fixture);
  for (guint i = 0; i < tsr_chart_model_get_n_series (fixture.model); i++)
    tsr_chart_model_set_series_visible (fixture.model, i, FALSE);
  check_sizes (&fixture);
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
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autoptr (TsrChartModel) copy = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  TsrChartSeries series;
  guint n;
  guint changed = 0;

  /* 30 categories: 23 with a name, 7 in Other, shared, max memory, does not fit. */
  fixture_open_large (&fixture, 30);
  set_options (&fixture, TSR_BREAKDOWN_CATEGORY, TSR_ORDER_SOFTWARE, FALSE);
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
  set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_SOFTWARE, FALSE);
  set_options (&fixture, TSR_BREAKDOWN_CATEGORY, TSR_ORDER_SOFTWARE, FALSE);
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
  g_auto (Fixture) fixture = { 0 };
  gint64 before = G_MAXINT64;

  fixture_open_large (&fixture, 17);
  set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_BYTES, FALSE);
  for (guint i = 0; i < 2944; i++)
    {
      guint32 tile = tsr_chart_model_datum_at (fixture.model, i + 0.5);
      gint64 bytes = tsr_memory_peek (fixture.memory, TSR_METRIC_EXCLUDING_GAPS)[tile];

      g_assert_cmpint (bytes, <=, before);
      g_assert_cmpfloat (tsr_chart_model_position_of (fixture.model, tile), ==, i);
      before = bytes;
    }
  set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_PHYSICAL, FALSE);
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
  g_auto (Fixture) fixture = { 0 };
  TsrMemoryChartOptions options = { .show_max = TRUE };
  TsrChartGeometry geometry = geometry_of (800, 300, 1, 0, 2944);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;
  double largest;

  /* Four categories fit: at most 6,000 + 98 of 20,000 bytes. */
  fixture_open_large (&fixture, 4);
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
  g_auto (Fixture) fixture = { 0 };
  TsrChartGeometry geometry = geometry_of (400, 160, 1, 0, 4);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autofree char *text = NULL;
  TsrPlotArea area;

  fixture_open (&fixture, SMALL);
  set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_SOFTWARE, TRUE);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  text = tsr_draw_list_dup_text (list);
  g_assert_cmpstr (text, ==, golden);
}

static void
test_words (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autofree char *tile_1 = NULL;
  g_autofree char *tile_2 = NULL;
  g_autofree char *liveness = NULL;
  g_autofree char *caption = NULL;

  fixture_open (&fixture, SMALL);
  set_options (&fixture, TSR_BREAKDOWN_NONE, TSR_ORDER_SOFTWARE, TRUE);
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
                   "tile,IPU,physical tile,Tile memory excluding gaps (bytes),"
                   "Tile memory including gaps (bytes),Max memory (bytes),Does not fit (bytes)\r\n"
                   "1,0,,900,1100,1000,100\r\n"
                   "2,1,,,300,1000,0\r\n");
  set_options (&fixture, TSR_BREAKDOWN_LIVENESS, TSR_ORDER_SOFTWARE, FALSE);
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
  g_auto (Fixture) fixture = { 0 };
  TsrChartSeries series;
  g_autofree char *words = NULL;
  g_autofree char *why = NULL;

  fixture_open (&fixture, "CREATE TABLE memory_by_tile (total);"
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
  check_every_option (&fixture);
}

static void
test_assumed (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *words = NULL;

  fixture_open (&fixture,
                "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total);"
                "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 2943)"
                "  INSERT INTO memory_by_tile SELECT i, i FROM t;");
  words = tsr_chart_model_describe (fixture.model, 1474);
  g_assert_cmpstr (words, ==,
                   "Tile 1474 (IPU 1 assumed, physical 64)\n"
                   "Tile memory (total in the file): 1,474 B");
}

/* Sizes that no tile has: sums stay, lines end at the plot's edge, words say what stands there. */
static void
test_absurd (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) csv = g_string_new (NULL);

  fixture_open (
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
  check_every_option (&fixture);
  for (guint b = TSR_BREAKDOWN_NONE; b <= TSR_BREAKDOWN_LIVENESS; b++)
    {
      set_options (&fixture, b, TSR_ORDER_BYTES, TRUE);
      for (guint tile = 0; tile < 3; tile++)
        {
          g_autofree char *words = tsr_chart_model_describe (fixture.model, tile);

          g_assert_true (g_str_has_prefix (words, "Tile "));
        }
      tsr_chart_model_write_csv (fixture.model, -1e300, 1e300, csv);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory-chart/stack-tops", test_stack_tops);
  g_test_add_func ("/memory-chart/rectangles", test_rectangles);
  g_test_add_func ("/memory-chart/at-step", test_at_step);
  g_test_add_func ("/memory-chart/columns", test_columns);
  g_test_add_func ("/memory-chart/over", test_over);
  g_test_add_func ("/memory-chart/every-option", test_every_option);
  g_test_add_func ("/memory-chart/series", test_series);
  g_test_add_func ("/memory-chart/orders", test_orders);
  g_test_add_func ("/memory-chart/axis", test_axis);
  g_test_add_func ("/memory-chart/golden", test_golden);
  g_test_add_func ("/memory-chart/words", test_words);
  g_test_add_func ("/memory-chart/confirmed-only", test_confirmed_only);
  g_test_add_func ("/memory-chart/assumed", test_assumed);
  g_test_add_func ("/memory-chart/absurd", test_absurd);
  return g_test_run ();
}

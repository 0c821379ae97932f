/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The address map against a naive picture of the tile: one byte of a table for each byte of memory,
 * asked of the file with SQL. */

#include "config.h"

#include "chart-test.h"
#include "tsr-address-map-private.h"
#include "tsr-test.h"

#include <math.h>
#include <string.h>

#define CAPACITY  65536
#define LONG_NAME "Gradient/model/layer1.0/conv1/Grad/Convolve/partials/transposed"
#define SCHEMA                                                                                     \
  "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile, " \
  "  interleaved_start);"                                                                          \
  "INSERT INTO target VALUES (4, 1, 1, 1, 65536, 32768);"                                          \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total);"                                 \
  "INSERT INTO memory_by_tile VALUES (0, 1), (1, 1), (2, 1), (3, 1);"                              \
  "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"                               \
  "INSERT INTO var_categories VALUES (0, 'variable'), (1, 'message'), (2, 'vertexCode');"          \
  "CREATE TABLE vars_string_table (id INTEGER PRIMARY KEY, value TEXT);"                           \
  "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 400)"                  \
  "  INSERT INTO vars_string_table SELECT i, 'v' || i FROM t;"                                     \
  "CREATE TABLE liveness_steps (step INTEGER PRIMARY KEY, program, not_always_live_bytes);"        \
  "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 99)"                   \
  "  INSERT INTO liveness_steps SELECT i, NULL, 0 FROM t;"                                         \
  "CREATE TABLE equivalence_class_intervals (equivalence_class, start_step, end_step);"            \
  "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 29)"                   \
  "  INSERT INTO equivalence_class_intervals SELECT i, i * 2, i * 2 + 10 FROM t"                   \
  "  UNION ALL SELECT i, i * 2 + 30, i * 2 + 33 FROM t;"                                           \
  "CREATE TABLE vars_info (id INTEGER PRIMARY KEY, tile, size_bytes, category, name, variable, "   \
  "  offset, always_live, equivalence_class, alignment);"                                          \
  "INSERT INTO vars_info VALUES (1, 0, 1000, 0, 1, NULL, 0, 1, NULL, 8),"                          \
  "  (2, 0, 500, 1, 2, NULL, 1000, 0, 0, 4), (3, 0, 800, 1, 3, NULL, 1000, 0, 7, 4),"              \
  "  (4, 0, 20000, 2, 4, NULL, 4000, 1, NULL, 4), (5, 0, 100, 1, 5, NULL, 40000, 0, 12, 4);"       \
  "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 299)"                  \
  "  INSERT INTO vars_info SELECT 100 + i, 1, 50 + i * 7919 % 1900, i % 3, i, NULL,"               \
  "    i * 104729 % 50000, i % 4 = 0, CASE WHEN i % 4 = 0 THEN NULL ELSE i % 30 END, 4 FROM t;"    \
  "INSERT INTO vars_info VALUES (900, 2, 4000000000, 0, 1, NULL, 4000000000, 1, NULL, 4),"         \
  "  (901, 2, NULL, 0, 1, NULL, 5, 1, NULL, 4), (902, 2, 7, 0, 1, NULL, -5, 1, NULL, 4),"          \
  "  (903, 2, 0, 0, 1, NULL, 50, 1, NULL, 4), (904, 2, 90000, 0, NULL, NULL, 100, NULL, NULL, 3);" \
  "INSERT INTO vars_string_table VALUES (1000, '" LONG_NAME "');"                                  \
  "INSERT INTO vars_info VALUES (905, 3, 3000, 0, 1000, NULL, 0, 1, NULL, 4);"

typedef struct
{
  char *folder;
  TsrReport *report;
  TsrMemory *memory;
  TsrVariables *variables;
  TsrLiveness *liveness;
  TsrStepSelection *selection;
  TsrAddressMap *map;
  TsrChartModel *model;
} Fixture;

static void
fixture_open (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();

  f->folder = tsr_test_folder_new ();
  tsr_test_sql (f->folder, "profile.pop", SCHEMA);
  f->report = tsr_report_open_sync (place, f->folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  f->memory = tsr_memory_new (f->report);
  f->variables = tsr_variables_new (f->report, NULL, &error);
  g_assert_no_error (error);
  f->liveness = tsr_liveness_new (f->report, f->memory, f->variables);
  g_assert_true (tsr_liveness_has_lowered (f->liveness));
  f->selection = tsr_step_selection_new ();
  f->map = tsr_address_map_new (f->liveness, f->selection);
  f->model = TSR_CHART_MODEL (f->map);
}

static void
fixture_close (Fixture *f)
{
  g_assert_finalize_object (f->map);
  g_object_unref (f->selection);
  tsr_liveness_unref (f->liveness);
  tsr_variables_unref (f->variables);
  tsr_memory_unref (f->memory);
  g_object_unref (f->report);
  tsr_test_folder_free (f->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_close)

static TsrChartGeometry
geometry_of (Fixture *f, double width, double scale)
{
  return test_geometry (width, tsr_address_map_get_height (f->map, width), scale, 0, 0);
}

static const char *
name_of (Fixture *f, guint32 row)
{
  const TsrLoweredTables *t = tsr_report_get_lowered_tables (f->report);

  return row == TSR_NO_DATUM ? NULL : tsr_string_table_get (t->strings, t->name[row]);
}

static gint64
ask (Fixture *f, const char *what, guint tile, guint i)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT %s FROM vars_info WHERE tile = %u ORDER BY id LIMIT 1 OFFSET %u", what, tile, i);

  return tsr_test_query (f->folder, "profile.pop", sql);
}

/* Gaps add up to what including gaps has more than excluding gaps, byte by byte. */
static void
check_gaps (Fixture *f, guint tile, guint n)
{
  g_autofree guint8 *used = g_new0 (guint8, CAPACITY);
  gint64 including = 0, excluding = 0, sum = 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 offset = ask (f, "offset", tile, i), size = ask (f, "size_bytes", tile, i);

      memset (used + offset, 1, size);
      including = MAX (including, offset + size);
    }
  for (guint i = 0; i < CAPACITY; i++)
    excluding += used[i];
  tsr_address_map_set_tile (f->map, tile);
  for (guint i = 0; i < f->map->gaps->len; i++)
    {
      const TsrGap *gap = &g_array_index (f->map->gaps, TsrGap, i);

      g_assert_cmpint (gap->from, <, gap->to);
      sum += gap->to - gap->from;
      for (gint64 a = gap->from; a < gap->to; a++)
        g_assert_cmpuint (used[a], ==, 0);
      g_assert_true (gap->from == 0 || used[gap->from - 1] == 1);
      g_assert_cmpuint (used[gap->to], ==, 1);
    }
  g_assert_cmpint (sum, ==, including - excluding);
}

static void
test_gaps (void)
{
  g_auto (Fixture) f = { 0 };

  fixture_open (&f);
  check_gaps (&f, 1, 300);
  check_gaps (&f, 0, 5);
}

/* Two that share addresses are never in one lane, and no more lanes than overlaps ask for. */
static void
test_lanes (void)
{
  g_auto (Fixture) f = { 0 };
  g_autofree guint8 *depth = g_new0 (guint8, CAPACITY);
  guint deepest = 0, lanes = 0;

  fixture_open (&f);
  tsr_address_map_set_tile (f.map, 1);
  g_assert_cmpuint (f.map->allocations->len, ==, 300);
  for (guint i = 0; i < 300; i++)
    {
      const TsrAllocation *a = tsr_address_map_get (f.map, i);

      lanes = MAX (lanes, a->lane + 1);
      for (gint64 at = a->from; at < a->to; at++)
        {
          depth[at]++;
          deepest = MAX (deepest, depth[at]);
        }
      for (guint j = 0; j < i; j++)
        {
          const TsrAllocation *b = tsr_address_map_get (f.map, j);

          if (a->from < b->to && b->from < a->to && a->lane < TSR_ADDRESS_MAX_LANES - 1)
            g_assert_cmpuint (a->lane, !=, b->lane);
        }
    }
  g_assert_cmpuint (deepest, >, 4);
  g_assert_cmpuint (lanes, ==, MIN (deepest, TSR_ADDRESS_MAX_LANES));
}

static gboolean
naive_is_live (Fixture *f, guint32 row, guint step)
{
  const TsrLoweredTables *t = tsr_report_get_lowered_tables (f->report);
  g_autofree char *sql = g_strdup_printf (
      "SELECT always_live OR EXISTS (SELECT * FROM equivalence_class_intervals i WHERE "
      "i.equivalence_class = v.equivalence_class AND %u >= start_step AND %u < end_step) "
      "FROM vars_info v JOIN vars_string_table s ON s.id = v.name "
      "WHERE tile = %u AND s.value = '%s'",
      step, step, t->tile[row], name_of (f, row));

  return tsr_test_query (f->folder, "profile.pop", sql) == 1;
}

/* The middle of each allocation: what is there, in the pixels and under the pointer. */
static void
check_middles (Fixture *f, double width, double scale, guint step)
{
  TsrChartGeometry geometry = geometry_of (f, width, scale);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  const TsrDrawRaster *raster;
  TsrPlotArea area;
  guint n_checked = 0;

  tsr_address_map_set_step (f->map, step);
  tsr_chart_model_layout (f->model, &geometry, list, &area);
  g_assert_cmpuint (list->rasters->len, ==, 1);
  raster = g_ptr_array_index (list->rasters, 0);
  for (guint i = 0; i < f->map->allocations->len; i++)
    {
      const TsrAllocation *one = tsr_address_map_get (f->map, i);
      gint64 middle = (one->from + one->to) / 2, address;
      guint r = (guint)(middle / TSR_ADDRESS_ROW), ink;
      double x = area.x + (double)(middle % TSR_ADDRESS_ROW) / TSR_ADDRESS_ROW * area.width;
      double y, height;
      gboolean live = step == TSR_NO_INDEX || naive_is_live (f, one->row, step);

      g_assert_cmpint (tsr_address_map_is_live (f->map, one->row), ==, live);
      g_assert_true (live == (one->lane != TSR_ADDRESS_STRIP));
      tsr_address_map_get_band (f->map, r, one, &y, &height);
      y += height / 2;
      /* Small ones may share the pixel with a neighbour, those of the strip with any other. */
      if ((double)(one->to - one->from) / TSR_ADDRESS_ROW * area.width * scale < 6
          || one->lane == TSR_ADDRESS_MAX_LANES - 1)
        continue;
      n_checked++;
      ink = raster->inks[(guint)(y * scale) * raster->width + (guint)((x - area.x) * scale)];
      if (live)
        g_assert_cmpuint (tsr_address_map_row_at (f->map, &geometry, x, y, &address), ==, one->row);
      else
        g_assert_cmpuint (tsr_address_map_row_at (f->map, &geometry, x, y, &address), !=,
                          TSR_NO_DATUM);
      g_assert_cmpint (ABS (address - middle), <=, TSR_ADDRESS_ROW / area.width + 1);
      if (live)
        g_assert_cmpuint (
            ink, ==,
            tsr_address_map_get_kind_ink (f->map, tsr_address_map_get_kind (f->map, one->row)));
    }
  g_assert_cmpuint (n_checked, >, f->map->allocations->len / 2);
}

static void
test_pixels (void)
{
  g_auto (Fixture) f = { 0 };

  fixture_open (&f);
  for (guint tile = 0; tile < 2; tile++)
    {
      tsr_address_map_set_tile (f.map, tile);
      check_middles (&f, 1200, 1, TSR_NO_INDEX);
      check_middles (&f, 700, 2, 5);
      check_middles (&f, 1200, 1, 36);
      check_middles (&f, 1200, 1, 99);
    }
  tsr_address_map_set_colour (f.map, TSR_ADDRESS_BY_LIFE);
  check_middles (&f, 900, 1, 20);
}

/* The first tile by hand: an allocation that goes on in the next row, a gap over two, the border.
 */
static void
test_rows (void)
{
  g_auto (Fixture) f = { 0 };
  TsrChartGeometry geometry;
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;
  double hatched = 0;
  gboolean border = FALSE;
  const TsrAddressRow *rows;

  fixture_open (&f);
  tsr_address_map_set_tile (f.map, 0);
  g_assert_cmpuint (f.map->rows->len, ==, 4);
  rows = (const TsrAddressRow *)(gpointer)f.map->rows->data;
  g_assert_cmpuint (rows[0].n_lanes, ==, 2);
  g_assert_cmpuint (rows[1].n_lanes, ==, 1);
  g_assert_cmpuint (rows[2].n_lanes, ==, 1);
  g_assert_cmpuint (rows[3].n_lanes, ==, 0);
  g_assert_cmpfloat (rows[2].heading, >, 0);
  geometry = geometry_of (&f, 1200, 1);
  tsr_chart_model_layout (f.model, &geometry, list, &area);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);
      const char *text = item->kind == TSR_ITEM_LABEL ? tsr_draw_list_get_text (list, item) : NULL;

      if (item->kind == TSR_ITEM_HATCH)
        hatched += item->width / area.width * TSR_ADDRESS_ROW;
      if (g_strcmp0 (text, "Interleaved memory") == 0)
        border = item->y > rows[1].y && item->y < rows[2].y;
    }
  g_assert_true (border);
  /* 1,800 to 4,000 and 24,000 to 40,000. */
  g_assert_cmpfloat_with_epsilon (hatched, 2200 + 16000, 4 * TSR_ADDRESS_ROW / area.width);
}

static void
test_words (void)
{
  g_auto (Fixture) f = { 0 };
  g_autofree char *text = NULL, *caption = NULL;
  g_autoptr (GString) csv = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  guint32 row;

  fixture_open (&f);
  tsr_address_map_set_tile (f.map, 0);
  row = tsr_address_map_get (f.map, 1)->row;
  g_assert_cmpstr (name_of (&f, row), ==, "v3"); /* the longer of two that begin together */
  text = tsr_chart_model_describe (f.model, row);
  g_assert_cmpstr (text, ==,
                   "v3\nMessages\n800 B\nAt address 1,000 (0x3e8)\nAligned to 4 B\n"
                   "Live at steps 14–23, 44–46");
  tsr_address_map_set_step (f.map, 9);
  caption = tsr_chart_model_dup_caption (f.model);
  g_assert_cmpstr (caption, ==, "Addresses of tile 0 at step 9");
  tsr_chart_model_write_csv (f.model, 0, 1, csv);
  lines = g_strsplit (csv->str, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 7);
  g_assert_cmpstr (lines[0], ==, "name,category,offset,bytes,lane");
  g_assert_cmpstr (lines[1], ==, "v1,variable,0,1000,0");
}

/* A name that has no room loses whole parts. */
static void
test_long_name (void)
{
  g_auto (Fixture) f = { 0 };
  g_auto (GStrv) parts = g_strsplit (LONG_NAME, "/", -1);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrChartGeometry geometry;
  TsrPlotArea area;
  guint n_cut = 0;

  fixture_open (&f);
  tsr_address_map_set_tile (f.map, 3);
  geometry = geometry_of (&f, 1200, 1);
  tsr_chart_model_layout (f.model, &geometry, list, &area);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);
      const char *text = item->kind == TSR_ITEM_LABEL ? tsr_draw_list_get_text (list, item) : "";
      g_auto (GStrv) shown = NULL;

      if (g_strrstr (text, "transposed") == NULL)
        continue;
      n_cut++;
      shown = g_strsplit (text, "/", -1);
      g_assert_cmpuint (g_strv_length (shown), >, 2);
      g_assert_true (g_strv_contains ((const char *const *)shown, "…"));
      for (guint k = 0; shown[k] != NULL; k++)
        g_assert_true (strcmp (shown[k], "…") == 0
                       || g_strv_contains ((const char *const *)parts, shown[k]));
    }
  g_assert_cmpuint (n_cut, ==, 1);
}

/* Sizes and addresses that no tile has. */
static void
test_absurd (void)
{
  g_auto (Fixture) f = { 0 };
  g_autoptr (TsrChartModel) copy = NULL;

  fixture_open (&f);
  for (guint tile = 0; tile <= 5; tile++)
    for (guint k = 0; k < 4; k++)
      {
        TsrChartGeometry geometry;
        g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
        TsrPlotArea area;

        tsr_address_map_set_tile (f.map, tile == 5 ? TSR_NO_INDEX : tile);
        tsr_address_map_set_step (f.map, k == 0 ? TSR_NO_INDEX : k * 1000000);
        geometry = geometry_of (&f, k * 300, 1 + k % 2);
        tsr_chart_model_layout (f.model, &geometry, list, &area);
        tsr_chart_model_layout_overlay (f.model, &geometry, &area, 3, 9999, list);
        g_assert_cmpuint (list->items->len, <, 6000);
        g_assert_cmpfloat (geometry.height, <, 20000);
        for (double y = 0; y < geometry.height; y += 7)
          tsr_address_map_row_at (f.map, &geometry, 70 + y, y, NULL);
        for (guint i = 0; i < list->items->len; i++)
          {
            const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

            g_assert_true (isfinite (item->x) && isfinite (item->width));
          }
      }
  tsr_address_map_set_tile (f.map, 2);
  /* Negative, and without a size: they have no place. */
  g_assert_cmpuint (f.map->n_unplaced, ==, 2);
  g_assert_cmpuint (f.map->allocations->len, ==, 2);
  copy = tsr_chart_model_dup (f.model);
  g_assert_true (TSR_IS_ADDRESS_MAP (copy));
  g_assert_null (tsr_chart_model_describe (f.model, 100000));
}

/* What is hidden is neither in the pixels nor under the pointer; selected variables are framed. */
static void
test_series_and_selection (void)
{
  g_auto (Fixture) f = { 0 };
  const char *names[] = { "vertexCode", NULL }; /* whose code v4 is */
  TsrChartGeometry geometry;
  TsrPlotArea area = { 0 };
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrChartSeries series;
  guint n_frames = 0;
  double x;

  fixture_open (&f);
  tsr_address_map_set_tile (f.map, 0);
  geometry = geometry_of (&f, 1200, 1);
  g_assert_cmpuint (tsr_chart_model_get_n_series (f.model), ==, 3);
  x = 66 + 10000.0 / TSR_ADDRESS_ROW * (1200 - 66 - 12);
  for (guint i = 0; i < 3; i++)
    {
      guint32 row;

      tsr_chart_model_get_series (f.model, i, &series);
      tsr_chart_model_set_series_visible (f.model, i, FALSE);
      row = tsr_address_map_row_at (f.map, &geometry, x, 30, NULL);
      g_assert_true ((row == TSR_NO_DATUM) == g_str_equal (series.name, "Vertex Code"));
      tsr_chart_model_set_series_visible (f.model, i, TRUE);
    }
  tsr_step_selection_set_variables (f.selection, names);
  tsr_chart_model_layout_overlay (f.model, &geometry, &area, TSR_NO_DATUM, TSR_NO_DATUM, list);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      g_assert_cmpuint (item->ink, ==, TSR_INK_SELECTION);
      g_assert_cmpstr (name_of (&f, item->datum), ==, "v4");
      n_frames++;
    }
  g_assert_cmpuint (n_frames, ==, 2 * 2 + 2); /* two rows, one beginning, one end */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/address-map/gaps", test_gaps);
  g_test_add_func ("/address-map/lanes", test_lanes);
  g_test_add_func ("/address-map/pixels", test_pixels);
  g_test_add_func ("/address-map/rows", test_rows);
  g_test_add_func ("/address-map/words", test_words);
  g_test_add_func ("/address-map/long-name", test_long_name);
  g_test_add_func ("/address-map/absurd", test_absurd);
  g_test_add_func ("/address-map/series-and-selection", test_series_and_selection);
  return g_test_run ();
}

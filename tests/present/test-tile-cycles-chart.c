/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cycles of tiles as stacked areas: every pixel column against the series, order, words, CSV and
 * the selection of a replica's tiles. */

#include "config.h"

#include "chart-test.h"
#include "tsr-tile-cycles-chart.h"

#include <string.h>

#define N     600
#define FIRST 1472 /* tile of the replica that is tile 0 here */

enum
{
  BUSY = TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE,
  COPY = TSR_INK_TRACE + TSR_TRACE_INK_TRANSFER,
  IDLE = TSR_INK_TRACE + TSR_TRACE_INK_SYNC,
};

typedef struct
{
  gint64 busy[N], copy[N], idle[N];
  TsrTileSelection *selection;
  TsrChartModel *model;
} Fixture;

static void
setup (Fixture *f, gconstpointer data)
{
  TsrTileCyclesChart *chart = tsr_tile_cycles_chart_new (N, "Cycles of tiles");

  for (guint i = 0; i < N; i++)
    {
      f->busy[i] = i * 7919 % 1000;
      f->copy[i] = i % 5 == 0 ? 300 : 0;
      f->idle[i] = 2000 - f->busy[i] - f->copy[i];
    }
  tsr_tile_cycles_chart_add_series (chart, "busy", "Busy", BUSY, f->busy, FALSE, TRUE);
  tsr_tile_cycles_chart_add_series (chart, "copy", "Copy", COPY, f->copy, FALSE, TRUE);
  tsr_tile_cycles_chart_add_series (chart, "idle", "Idle", IDLE, f->idle, TRUE, TRUE);
  f->selection = tsr_tile_selection_new ();
  tsr_tile_cycles_chart_set_selection (chart, f->selection, FIRST);
  f->model = TSR_CHART_MODEL (chart);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  g_object_unref (f->model);
  g_object_unref (f->selection);
}

/* In the middle of each tile's column, from the bottom: busy, copy, idle, as high as they are. */
static void
test_pixels (Fixture *f, gconstpointer data)
{
  TsrChartGeometry geometry = test_geometry (1000, 400, 1, 100, 150);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_auto (TestPixels) pixels = { 0 };
  TsrPlotArea area;

  tsr_chart_model_layout (f->model, &geometry, list, &area);
  test_list_check (list, 1000, 400);
  test_pixels_paint (&pixels, list, &geometry);
  for (guint tile = 101; tile < 149; tile++)
    {
      guint x = (guint)(area.x + (tile - 100 + 0.5) / 50 * area.width);
      guint n[3] = { 0, 0, 0 };

      for (guint y = (guint)area.y; y < (guint)(area.y + area.height); y++)
        {
          guint8 ink = test_pixels_get (&pixels, x, y);

          n[0] += ink == BUSY;
          n[1] += ink == COPY;
          n[2] += ink == IDLE;
        }
      g_assert_cmpfloat_with_epsilon (n[0], (double)f->busy[tile] / area.y_to * area.height, 2.5);
      g_assert_cmpfloat_with_epsilon (n[1], (double)f->copy[tile] / area.y_to * area.height, 2.5);
      g_assert_cmpfloat_with_epsilon (n[2], (double)f->idle[tile] / area.y_to * area.height, 2.5);
    }
}

static void
test_order (Fixture *f, gconstpointer data)
{
  TsrTileCyclesChart *chart = TSR_TILE_CYCLES_CHART (f->model);
  gint64 before = G_MAXINT64;
  guint8 seen[N] = { 0 };

  g_assert_cmpuint (tsr_chart_model_datum_at (f->model, 17.5), ==, 17);
  tsr_tile_cycles_chart_set_order (chart, TSR_TILE_CYCLES_BY_CYCLES);
  for (guint p = 0; p < N; p++)
    {
      guint32 tile = tsr_chart_model_datum_at (f->model, p + 0.5);

      g_assert_cmpuint (tile, <, N);
      g_assert_false (seen[tile]);
      seen[tile] = 1;
      g_assert_cmpint (f->busy[tile] + f->copy[tile], <=, before); /* not how long they wait */
      before = f->busy[tile] + f->copy[tile];
      g_assert_cmpfloat (tsr_chart_model_position_of (f->model, tile), ==, p);
    }
  g_assert_cmpuint (tsr_chart_model_datum_at (f->model, N), ==, TSR_NO_DATUM);
  tsr_chart_model_set_series_visible (f->model, 0, FALSE);
  tsr_chart_model_set_series_visible (f->model, 1, FALSE);
  before = G_MAXINT64;
  for (guint p = 0; p < N; p++) /* nothing else is there to order by */
    {
      guint32 tile = tsr_chart_model_datum_at (f->model, p + 0.5);

      g_assert_cmpint (f->idle[tile], <=, before);
      before = f->idle[tile];
    }
}

static void
test_words (Fixture *f, gconstpointer data)
{
  g_autofree char *text = tsr_chart_model_describe (f->model, 5);
  g_autofree char *caption = tsr_chart_model_dup_caption (f->model);
  g_autoptr (GString) csv = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  g_autofree char *line = g_strdup_printf ("7,%d,0,%d", (int)f->busy[7], (int)f->idle[7]);

  g_assert_nonnull (strstr (text, "Tile 5"));
  g_assert_nonnull (strstr (text, "Busy: 595 cycles"));
  g_assert_nonnull (strstr (text, "Copy: 300 cycles"));
  g_assert_null (tsr_chart_model_describe (f->model, N));
  g_assert_cmpstr (caption, ==, "Cycles of tiles");
  tsr_chart_model_write_csv (f->model, 7, 9, csv);
  lines = g_strsplit (csv->str, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "tile,busy,copy,idle"));
  g_assert_true (g_str_has_prefix (lines[1], line));
  g_assert_true (g_str_has_prefix (lines[2], "8,"));
  g_assert_cmpuint (strlen (lines[3]), ==, 0);
}

static void
test_selection (Fixture *f, gconstpointer data)
{
  const guint tiles[] = { 3, FIRST + 120, FIRST + N + 5 }; /* the second alone is of this IPU */
  TsrChartGeometry geometry = test_geometry (1000, 400, 1, 100, 150);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (TsrDrawList) overlay = tsr_draw_list_new ();
  TsrPlotArea area;

  tsr_tile_selection_set (f->selection, tiles, G_N_ELEMENTS (tiles));
  tsr_chart_model_layout (f->model, &geometry, list, &area);
  tsr_chart_model_layout_overlay (f->model, &geometry, &area, TSR_NO_DATUM, TSR_NO_DATUM, overlay);
  test_list_check (overlay, 1000, 400);
  g_assert_true (test_list_has_label (overlay, "120"));
  g_assert_false (test_list_has_label (overlay, "3"));
  /* The tiles beside this IPU's mark nothing, its own first and last one do. */
  geometry = test_geometry (1000, 400, 1, 0, N);
  for (guint i = 0; i < 4; i++)
    {
      const guint edges[] = { FIRST - 1, FIRST, FIRST + N - 1, FIRST + N };

      tsr_tile_selection_set (f->selection, &edges[i], 1);
      tsr_draw_list_reset (overlay);
      tsr_chart_model_layout_overlay (f->model, &geometry, &area, TSR_NO_DATUM, TSR_NO_DATUM,
                                      overlay);
      g_assert_cmpint (overlay->items->len > 0, ==, i == 1 || i == 2);
    }
}

/* A copy shows the same; a chart of nothing shows nothing. */
static void
test_copy_and_nothing (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrChartModel) copy = NULL;
  g_autoptr (TsrChartModel) nothing = NULL;
  TsrChartGeometry geometry = test_geometry (300, 200, 2, 0, N);
  g_autoptr (TsrDrawList) one = tsr_draw_list_new ();
  g_autoptr (TsrDrawList) two = tsr_draw_list_new ();
  TsrPlotArea area;

  tsr_chart_model_set_series_visible (f->model, 2, FALSE);
  copy = tsr_chart_model_dup (f->model);
  tsr_chart_model_layout (f->model, &geometry, one, &area);
  tsr_chart_model_layout (copy, &geometry, two, &area);
  g_assert_cmpuint (one->items->len, ==, two->items->len);
  g_assert_cmpmem (one->items->data, one->items->len * sizeof (TsrDrawItem), two->items->data,
                   two->items->len * sizeof (TsrDrawItem));
  nothing = TSR_CHART_MODEL (tsr_tile_cycles_chart_new (0, "Nothing"));
  tsr_draw_list_reset (one);
  tsr_chart_model_layout (nothing, &geometry, one, &area);
  tsr_chart_model_layout_overview (nothing, &geometry, one);
  tsr_chart_model_layout_overlay (nothing, &geometry, &area, 0, 0, one);
  test_list_check (one, 300, 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/tile-cycles-chart/" path, Fixture, NULL, setup, function, teardown)
  ADD ("pixels", test_pixels);
  ADD ("order", test_order);
  ADD ("words", test_words);
  ADD ("selection", test_selection);
  ADD ("copy-and-nothing", test_copy_and_nothing);
  return g_test_run ();
}

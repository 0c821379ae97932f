/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What lies over the liveness graph: the veil of a filter, and lines of single variables. */

#include "config.h"

#include "liveness-fixture.h"
#include "tsr-step-lines.h"

#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------- filter */

static void
test_matches (void)
{
  g_auto (LivenessFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (400, 300, 1, 0, 5000);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_auto (TestPixels) pixels = { 0 };
  g_autofree guint8 *matches = g_malloc0 (5000);
  TsrPlotArea area;
  guint veil = 0;
  guint n_columns;
  double per;

  liveness_fixture_open (&fixture, 5000, liveness_fixture_ragged, 70000, TSR_UNKNOWN);
  for (guint i = 0; i < 5000; i += 500)
    matches[i + 3] = 1;
  tsr_liveness_chart_set_matches (fixture.chart, matches);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->ink == TSR_INK_BACKGROUND && item->kind == TSR_ITEM_RECT && item->alpha < 1)
        veil = i;
    }
  g_assert_cmpuint (veil, >, 0);
  /* Over the veil stand the steps that match, each with its own bytes, and nothing else. */
  g_array_remove_range (list->items, 0, veil + 1);
  test_pixels_paint (&pixels, list, &geometry);
  n_columns = (guint)round (area.width);
  per = 5000.0 / n_columns;
  for (guint c = 0; c < n_columns; c++)
    {
      guint row = liveness_fixture_find_top (&pixels, &area, c);
      guint first = (guint)ceil (c * per - 0.5);
      guint end = (guint)ceil ((c + 1) * per - 0.5);
      gint64 best = -1;

      for (guint i = first; i < MIN (end, 5000); i++)
        if (matches[i])
          best = MAX (best, liveness_fixture_ragged (i));
      /* Less than a pixel is under the line of what is always live. */
      if (best < 2000)
        g_assert_cmpuint (row, >=, area.height * (1 - 70000 / area.y_to) - 2);
      else
        {
          g_assert_cmpfloat_with_epsilon (row, area.height * (1 - (70000 + best) / area.y_to),
                                          0.51);
          g_assert_cmpint (liveness_fixture_ragged (
                               tsr_chart_model_datum_near (fixture.model, c * per, (c + 1) * per)),
                           ==, best);
        }
    }
}

/* ------------------------------------------------------------------ lines */

static void
test_lines (void)
{
  g_auto (LivenessFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (900, 400, 1, 0, 40);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (GArray) lives = liveness_fixture_make_lifetimes ();
  g_autoptr (TsrLivenessSeries) tiles = tsr_liveness_series_new (1000);
  g_autoptr (TsrChartModel) copy = NULL;
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autoptr (GString) same = g_string_new (NULL);
  g_autofree char *words = NULL;
  TsrChartSeries series;
  TsrPlotArea area;
  const TsrDrawItem *line = NULL;

  liveness_fixture_open (&fixture, 1000, liveness_fixture_flat, 50000, 200000);
  for (guint i = 0; i < 8; i++)
    {
      g_autofree char *name = g_strdup_printf ("v%u", i);

      tsr_liveness_chart_add_lifetime (fixture.chart, name, lives);
    }
  g_assert_cmpuint (tsr_chart_model_get_n_series (fixture.model), ==, 3 + 6);
  tsr_chart_model_get_series (fixture.model, 8, &series);
  g_assert_cmpstr (series.name, ==, "v5");
  g_assert_false (series.filled);
  for (guint i = 4; i < 9; i++)
    tsr_chart_model_set_series_visible (fixture.model, i, FALSE);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind != TSR_ITEM_POLYLINE)
        continue;
      g_assert_null (line);
      line = item;
    }
  g_assert_nonnull (line);
  g_assert_cmpuint (line->series, ==, 3);
  g_assert_cmpfloat_with_epsilon (line->x, area.x + area.width * 10 / 40, 1);
  g_assert_cmpfloat_with_epsilon (line->x + line->width, area.x + area.width * 25 / 40, 1);
  g_assert_cmpfloat_with_epsilon (line->y + line->height, area.y + area.height, 1);

  words = tsr_chart_model_describe (fixture.model, 22);
  g_assert_nonnull (strstr (words, "\nv0: 800 B"));
  g_assert_null (strstr (words, "v1"));
  g_free (words);
  words = tsr_chart_model_describe (fixture.model, 25);
  g_assert_nonnull (strstr (words, "\nv0: not live"));

  for (guint i = 0; i < 1000; i++)
    tiles->not_always_live[i] = i * 3;
  tiles->always_live = 7;
  tsr_liveness_chart_set_tiles_series (fixture.chart, tiles, "2 tiles");
  tsr_chart_model_write_csv (fixture.model, 998, 999, csv);
  g_assert_true (g_str_has_suffix (csv->str, "998,copyToHost/out,StreamCopyMid,1998,50000,200000,"
                                             "3001,300\r\n"));
  copy = tsr_chart_model_dup (fixture.model);
  tsr_chart_model_write_csv (copy, 998, 999, same);
  g_assert_cmpstr (csv->str, ==, same->str);
  tsr_liveness_chart_clear_lifetimes (fixture.chart);
  tsr_liveness_chart_set_tiles_series (fixture.chart, NULL, NULL);
  g_assert_cmpuint (tsr_chart_model_get_n_series (fixture.model), ==, 3);
}

/* A lifetime against an array of its bytes by step. */
static void
test_lifetime_line (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint run = 0; run < 50; run++)
    {
      g_autoptr (GArray) lives = g_array_new (FALSE, FALSE, sizeof (TsrLifetime));
      gint64 bytes[400] = { 0 };
      TsrLifetimeLine *line;
      guint at = g_rand_int_range (rand, 0, 20);

      while (at < 420)
        {
          TsrLifetime life
              = { at, at + g_rand_int_range (rand, 1, 30), g_rand_int_range (rand, 1, 1000) };

          g_array_append_val (lives, life);
          for (guint i = life.from; i < MIN (life.to, 400); i++)
            bytes[i] = life.bytes;
          at = life.to + g_rand_int_range (rand, 0, 10);
        }
      line = tsr_lifetime_line_new (lives, 400);
      for (guint k = 0; k < 300; k++)
        {
          guint first = g_rand_int_range (rand, 0, 400);
          guint end = g_rand_int_range (rand, first + 1, 401);
          gint64 best = 0;

          for (guint i = first; i < end; i++)
            best = MAX (best, bytes[i]);
          g_assert_cmpint (tsr_lifetime_line_get_largest (line, first, end), ==, best);
          g_assert_cmpint (tsr_lifetime_line_is_live (line, first, end), ==, best > 0);
        }
      tsr_lifetime_line_free (line);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/liveness-chart/matches", test_matches);
  g_test_add_func ("/liveness-chart/lines", test_lines);
  g_test_add_func ("/liveness-chart/lifetime-line", test_lifetime_line);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lifetimes: bars against a naive grid of rows and steps, whatever shares a pixel; orders, names,
 * words and CSV. */

#include "config.h"

#include "chart-test.h"
#include "tsr-lifetime-chart.h"
#include "tsr-test.h"

#include <math.h>
#include <string.h>

#define N_STEPS 1000u

/* Two lives for every fourth variable, a few always live, one never. */
#define VARIABLES                                                                                  \
  "DELETE FROM variables;"                                                                         \
  "WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < %u)"                   \
  "  INSERT INTO variables SELECT i, CASE i %% 3 WHEN 0 THEN 'model/v' WHEN 1 THEN 'Gradient/v'"   \
  "    ELSE 'Update/v' END || i, 1 + i * 7919 %% 100003, i %% 50 = 49 FROM s;"                     \
  "CREATE TABLE variable_lifetimes (variable, start_step, end_step, size_bytes);"                  \
  "INSERT INTO variable_lifetimes SELECT id, id * 37 %% 800, id * 37 %% 800 + id %% 90 + 1,"       \
  "  size_bytes FROM variables WHERE id %% 50 != 49 AND id != 5;"                                  \
  "INSERT INTO variable_lifetimes SELECT id, id * 37 %% 800 + 100, id * 37 %% 800 + 103,"          \
  "  size_bytes / 2 FROM variables WHERE id %% 4 = 0 AND id %% 50 != 49;"

typedef struct
{
  TestLiveness report;
  TsrStepSelection *selection;
  TsrLifetimeChart *chart;
  TsrChartModel *model;
  guint n; /* variables in the file */
} Fixture;

static TsrLifetimeRows *
make_rows (Fixture *self, TsrFilter *filter)
{
  TsrLivenessSource source = { .kind = TSR_LIVENESS_ALL };
  g_autoptr (GError) error = NULL;
  TsrLifetimeRows *rows
      = tsr_lifetime_rows_new (self->report.liveness, &source, filter, NULL, &error);

  g_assert_no_error (error);
  return rows;
}

static void
fixture_open (Fixture *self, guint n)
{
  g_autofree char *sql = g_strdup_printf (VARIABLES, n - 1);

  self->n = n;
  test_liveness_open_with (&self->report, N_STEPS, sql);
  self->selection = tsr_step_selection_new ();
  self->chart = tsr_lifetime_chart_new (self->report.liveness, self->selection);
  self->model = TSR_CHART_MODEL (self->chart);
  tsr_lifetime_chart_take_rows (self->chart, make_rows (self, NULL));
}

static void
fixture_close (Fixture *self)
{
  g_assert_finalize_object (self->chart);
  g_object_unref (self->selection);
  test_liveness_close (&self->report);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_close)

/* The number in a variable's name: its id in the file. */
static guint
id_of (Fixture *self, guint row)
{
  const char *name = tsr_variables_get_name (tsr_liveness_get_variables (self->report.liveness),
                                             tsr_lifetime_chart_get_variable (self->chart, row));

  return (guint)g_ascii_strtoull (strchr (name, '/') + 2, NULL, 10);
}

static gint64
bytes_of (guint id)
{
  return 1 + (gint64)id * 7919 % 100003;
}

static gboolean
is_live (guint id, guint step)
{
  guint from = id * 37 % 800;

  if (id % 50 == 49 || id == 5)
    return FALSE;
  return (step >= from && step <= from + id % 90)
         || (id % 4 == 0 && step >= from + 100 && step < from + 103);
}

static guint
death_of (guint id)
{
  guint step = N_STEPS;

  while (!is_live (id, step - 1))
    step--;
  return step;
}

static guint8
ink_of (Fixture *self, guint id)
{
  static const char *const names[] = { "model", "Gradient", "Update" };

  for (guint i = 0; i < tsr_chart_model_get_n_series (self->model); i++)
    {
      TsrChartSeries series;

      tsr_chart_model_get_series (self->model, i, &series);
      if (strcmp (series.name, names[id % 3]) == 0)
        return series.visible ? series.ink : TSR_RASTER_CLEAR;
    }
  g_assert_not_reached ();
}

/* ----------------------------------------------------------------- pixels */

/* The middle of each visible row, column by column. */
static guint
check_rows (Fixture *self, double first, double height, double from, double to, double scale)
{
  TsrChartGeometry geometry = test_geometry (700, 300, scale, from, to);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_auto (TestPixels) pixels = { 0 };
  TsrPlotArea area;
  guint n_columns;
  guint n = 0;
  double per;

  tsr_lifetime_chart_set_first_row (self->chart, first);
  tsr_lifetime_chart_set_row_height (self->chart, height);
  tsr_chart_model_layout (self->model, &geometry, list, &area);
  /* Bars under names are pale. */
  for (guint i = 0; i < list->items->len; i++)
    g_array_index (list->items, TsrDrawItem, i).alpha = 1;
  test_pixels_paint (&pixels, list, &geometry);
  n_columns = (guint)round (area.width * scale);
  per = (to - from) / n_columns;
  for (guint row = (guint)ceil (first); row < tsr_lifetime_chart_get_n_rows (self->chart); row++)
    {
      double y = area.y + (row + 0.4 - first) * height;
      guint id = id_of (self, row);

      if (y >= area.y + area.height - 1)
        break;
      n++;
      g_assert_cmpuint (tsr_lifetime_chart_row_at (self->chart, &geometry, &area, y), ==, row);
      for (guint c = 0; c < n_columns; c++)
        {
          double x = from + c * per;
          gboolean live = per < 1 && is_live (id, (guint)floor (x + per / 2));

          if (per >= 1)
            for (guint step = (guint)ceil (x - 0.5); step < MIN (N_STEPS, ceil (x + per - 0.5));
                 step++)
              live = live || is_live (id, step);
          g_assert_cmpuint (test_pixels_get (&pixels, (guint)round (area.x * scale) + c,
                                             (guint)floor (y * scale)),
                            ==, live ? ink_of (self, id) : TSR_RASTER_CLEAR);
        }
    }
  return n;
}

static void
test_rows (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_open (&fixture, 400);
  g_assert_cmpuint (tsr_lifetime_chart_get_n_rows (fixture.chart), ==, 400 - 8 - 1);
  g_assert_cmpuint (check_rows (&fixture, 0, 14, 0, 1000, 1), >, 15);
  g_assert_cmpuint (check_rows (&fixture, 3.25, 8, 0, 1000, 2), >, 30);
  g_assert_cmpuint (check_rows (&fixture, 100, 5, 123.4, 877.7, 1.5), >, 40);
  g_assert_cmpuint (check_rows (&fixture, 0, 14, 300, 340, 1), >, 15);
  g_assert_cmpuint (check_rows (&fixture, 386.5, 20, 0, 1000, 1), <=, 5);
  /* One for each pixel: a raster. */
  tsr_lifetime_chart_set_order (fixture.chart, TSR_LIFETIME_BY_BIRTH);
  g_assert_cmpuint (check_rows (&fixture, 0, 1, 0, 1000, 2), >, 200);
}

/* Where rows share a pixel, the one with the most bytes is there, and no other. */
static void
check_shared (Fixture *self, double first, double height, double scale)
{
  TsrChartGeometry geometry = test_geometry (700, 300, scale, 0, N_STEPS);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_auto (TestPixels) pixels = { 0 };
  TsrPlotArea area;
  guint n = tsr_lifetime_chart_get_n_rows (self->chart);
  guint n_columns;
  double rows = 1 / (height * scale);

  tsr_lifetime_chart_set_first_row (self->chart, first);
  tsr_lifetime_chart_set_row_height (self->chart, height);
  tsr_chart_model_layout (self->model, &geometry, list, &area);
  test_pixels_paint (&pixels, list, &geometry);
  n_columns = (guint)round (area.width * scale);
  for (guint y = 0; y < (guint)round (area.height * scale); y++)
    {
      guint best = TSR_NO_INDEX;

      for (guint row = 0; row < n; row++)
        if (row + 0.5 >= first + y * rows && row + 0.5 < first + (y + 1) * rows
            && ink_of (self, id_of (self, row)) != TSR_RASTER_CLEAR
            && (best == TSR_NO_INDEX
                || bytes_of (id_of (self, row)) > bytes_of (id_of (self, best))))
          best = row;
      g_assert_cmpuint (
          tsr_lifetime_chart_row_at (self->chart, &geometry, &area, area.y + (y + 0.5) / scale), ==,
          best == TSR_NO_INDEX ? TSR_NO_DATUM : best);
      for (guint c = 0; c < n_columns; c += 7)
        {
          double per = (double)N_STEPS / n_columns;
          gboolean live = FALSE;

          for (guint step = (guint)ceil (c * per - 0.5);
               best != TSR_NO_INDEX && step < MIN (N_STEPS, ceil ((c + 1) * per - 0.5)); step++)
            live = live || is_live (id_of (self, best), step);
          g_assert_cmpuint (test_pixels_get (&pixels, (guint)round (area.x * scale) + c,
                                             (guint)round (area.y * scale) + y),
                            ==, live ? ink_of (self, id_of (self, best)) : TSR_RASTER_CLEAR);
        }
    }
}

static void
test_shared (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_open (&fixture, 5000);
  check_shared (&fixture, 0, 0.06, 1);
  check_shared (&fixture, 1234.5, 0.11, 1);
  tsr_lifetime_chart_set_order (fixture.chart, TSR_LIFETIME_BY_BIRTH);
  check_shared (&fixture, 0, 0.06, 1);
  /* What is hidden does not stand for anybody. */
  tsr_chart_model_set_series_visible (fixture.model, 1, FALSE);
  check_shared (&fixture, 0, 0.06, 1);
}

/* ----------------------------------------------------------------- orders */

static void
test_orders (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_open (&fixture, 1000);
  for (guint order = TSR_LIFETIME_BY_BYTES; order <= TSR_LIFETIME_BY_DEATH; order++)
    {
      g_autofree guint8 *seen = g_malloc0 (1000);

      tsr_lifetime_chart_set_order (fixture.chart, order);
      for (guint row = 0; row < tsr_lifetime_chart_get_n_rows (fixture.chart); row++)
        {
          guint id = id_of (&fixture, row);
          guint before = row > 0 ? id_of (&fixture, row - 1) : id;

          g_assert_false (seen[id]);
          seen[id] = TRUE;
          if (order == TSR_LIFETIME_BY_BYTES)
            g_assert_cmpint (bytes_of (before), >=, bytes_of (id));
          else if (order == TSR_LIFETIME_BY_BIRTH)
            g_assert_cmpuint (before * 37 % 800, <=, id * 37 % 800);
          else
            g_assert_cmpuint (death_of (before), <=, death_of (id));
        }
    }
  g_assert_cmpuint (tsr_lifetime_chart_get_variable (fixture.chart, 1000), ==, TSR_NO_INDEX);
}

static void
test_filter (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (TsrFilter) filter = NULL;
  g_autoptr (TsrLifetimeRows) none = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  TsrLivenessSource source = { .kind = TSR_LIVENESS_ALL };
  guint expected = 0;

  fixture_open (&fixture, 400);
  filter = tsr_filter_new ("Gradient", NULL);
  tsr_lifetime_chart_take_rows (fixture.chart, make_rows (&fixture, filter));
  for (guint id = 0; id < 400; id++)
    expected += id % 3 == 1 && id % 50 != 49 && id != 5;
  g_assert_cmpuint (tsr_lifetime_chart_get_n_rows (fixture.chart), ==, expected);
  g_cancellable_cancel (cancellable);
  none = tsr_lifetime_rows_new (fixture.report.liveness, &source, NULL, cancellable, &error);
  g_assert_null (none);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* ------------------------------------------------------------------ words */

static void
test_words (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autoptr (GString) same = g_string_new (NULL);
  g_autoptr (TsrChartModel) copy = NULL;
  g_autofree char *caption = NULL;
  g_autofree char *words = NULL;
  guint row = 0;

  /* Of 8: 5 is never live. Number 4 is live at 148 to 152 and at 248 to 250. */
  fixture_open (&fixture, 8);
  caption = tsr_chart_model_dup_caption (fixture.model);
  g_assert_cmpstr (caption, ==, "When 7 variables are live, All tiles");
  while (id_of (&fixture, row) != 4)
    row++;
  words = tsr_chart_model_describe (fixture.model, row);
  g_assert_cmpstr (words, ==,
                   "Gradient/v4\nMost bytes at a step: 31,677 B\nLive at steps 148–152, "
                   "248–250\nTemporary");
  g_assert_null (tsr_chart_model_describe (fixture.model, 7));

  tsr_lifetime_chart_set_order (fixture.chart, TSR_LIFETIME_BY_BIRTH);
  tsr_chart_model_write_csv (fixture.model, 140, 200, csv);
  g_assert_cmpstr (csv->str, ==,
                   "name,bytes,firstStep,lastStep,category\r\n"
                   "Gradient/v4,31677,148,152,\r\n");
  g_string_truncate (csv, 0);
  tsr_chart_model_write_csv (fixture.model, 0, 1000, csv);
  copy = tsr_chart_model_dup (fixture.model);
  tsr_chart_model_write_csv (copy, 0, 1000, same);
  g_assert_cmpstr (csv->str, ==, same->str);
  g_assert_cmpuint (tsr_chart_model_get_n_series (copy), ==, 3);
  tsr_lifetime_chart_set_colour (fixture.chart, TSR_LIFETIME_COLOUR_CATEGORY);
  g_assert_cmpuint (tsr_chart_model_get_n_series (fixture.model), ==, 1);
}

/* Names stand in or behind their bar, inside the plot, and not over one another. */
static void
test_names (void)
{
  g_auto (Fixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (900, 300, 1, 0, N_STEPS);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;
  guint n = 0;

  fixture_open (&fixture, 400);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  test_list_check (list, 900, 300);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind != TSR_ITEM_LABEL || item->datum == TSR_NO_DATUM)
        continue;
      n++;
      g_assert_cmpfloat_with_epsilon (item->y, area.y + (item->datum + 0.5) * 14, 1);
      g_assert_nonnull (strstr (tsr_draw_list_get_text (list, item), "/v"));
    }
  g_assert_cmpuint (n, >=, (guint)(area.height / 14) - 2);
}

/* Without room for all of it the parts of a name stay that no other has. */
static void
test_cut_names (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  guint n_cut = 0;

  fixture_open (&fixture, 400);
  for (guint width = 60; width < 400; width += 20)
    {
      TsrChartGeometry geometry = test_geometry (width, 300, 1, 0, N_STEPS);
      g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
      TsrPlotArea area;

      tsr_draw_list_reset (list);
      tsr_chart_model_layout (fixture.model, &geometry, list, &area);
      test_list_check (list, width, 300);
      for (guint i = 0; i < list->items->len; i++)
        {
          const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);
          const char *text, *name;

          if (item->kind != TSR_ITEM_LABEL || item->datum == TSR_NO_DATUM)
            continue;
          text = tsr_draw_list_get_text (list, item);
          name = tsr_variables_get_name (
              tsr_liveness_get_variables (fixture.report.liveness),
              tsr_lifetime_chart_get_variable (fixture.chart, item->datum));
          g_assert_cmpfloat (item->width, ==, 0); /* nobody cuts it again */
          g_assert_true (g_hash_table_add (seen, (gpointer)text));
          if (g_str_equal (text, name))
            continue;
          n_cut++;
          g_assert_true (g_str_has_prefix (text, "…/"));
          g_assert_true (g_str_has_suffix (name, text + strlen ("…")));
        }
    }
  g_assert_cmpuint (n_cut, >, 0);
}

/* ------------------------------------------------------------------ sizes */

static void
check_sizes (Fixture *fixture)
{
  static const double sizes[][2]
      = { { 0, 0 }, { 3, 900 }, { 40, 30 }, { 200, 120 }, { 801, 333 }, { 2560, 800 } };
  static const double heights[] = { 1e-6, 0.05, 0.7, 1, 3.3, 14, 48 };
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint h = 0; h < G_N_ELEMENTS (heights); h++)
      for (guint r = 0; r < 3; r++)
        {
          TsrChartGeometry geometry
              = test_geometry (sizes[s][0], sizes[s][1], 1 + (s + r) % 3 * 0.5, r == 2 ? 311.7 : 0,
                               r == 0   ? N_STEPS
                               : r == 1 ? 3
                                        : 355);
          TsrPlotArea area;

          tsr_lifetime_chart_set_row_height (fixture->chart, heights[h]);
          tsr_lifetime_chart_set_first_row (fixture->chart, r * 7.3);
          tsr_draw_list_reset (list);
          tsr_chart_model_layout (fixture->model, &geometry, list, &area);
          test_list_check (list, sizes[s][0], sizes[s][1]);
          tsr_draw_list_reset (list);
          tsr_chart_model_layout_overlay (fixture->model, &geometry, &area, 3, 7, list);
          test_list_check (list, sizes[s][0], sizes[s][1]);
        }
}

static void
test_any (void)
{
  static const guint counts[] = { 1, 400, 5000 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_auto (Fixture) fixture = { 0 };

      fixture_open (&fixture, counts[i]);
      tsr_step_selection_set (fixture.selection, (guint[]){ 0, 999, G_MAXUINT32 }, 3);
      tsr_step_selection_set_variables (fixture.selection,
                                        (const char *[]){ "model/v3", "nobody", NULL });
      check_sizes (&fixture);
      tsr_lifetime_chart_set_first_row (fixture.chart, 1e9);
      tsr_lifetime_chart_set_first_row (fixture.chart, NAN);
      tsr_lifetime_chart_set_row_height (fixture.chart, -INFINITY);
    }
  {
    /* No rows yet. */
    g_auto (Fixture) fixture = { 0 };
    g_autoptr (TsrLifetimeChart) bare = NULL;
    TsrChartGeometry geometry = test_geometry (400, 300, 1, 0, N_STEPS);
    g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
    TsrPlotArea area;

    fixture_open (&fixture, 3);
    bare = tsr_lifetime_chart_new (fixture.report.liveness, NULL);
    tsr_chart_model_layout (TSR_CHART_MODEL (bare), &geometry, list, &area);
    tsr_chart_model_layout_overlay (TSR_CHART_MODEL (bare), &geometry, &area, 0, 0, list);
    g_assert_cmpuint (tsr_lifetime_chart_get_n_rows (bare), ==, 0);
    g_assert_null (tsr_chart_model_describe (TSR_CHART_MODEL (bare), 0));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lifetime-chart/rows", test_rows);
  g_test_add_func ("/lifetime-chart/shared", test_shared);
  g_test_add_func ("/lifetime-chart/orders", test_orders);
  g_test_add_func ("/lifetime-chart/filter", test_filter);
  g_test_add_func ("/lifetime-chart/words", test_words);
  g_test_add_func ("/lifetime-chart/names", test_names);
  g_test_add_func ("/lifetime-chart/cut-names", test_cut_names);
  g_test_add_func ("/lifetime-chart/any", test_any);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The liveness graph: its pixels against the numbers, at any zoom; marks, structure, words and CSV.
 */

#include "config.h"

#include "liveness-fixture.h"
#include "tsr-chart-marks.h"
#include "tsr-step-lines.h"

#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------- pixels */

#define SPIKE 765432u

static gint64
spiky (guint step)
{
  return step == SPIKE ? 9000017 : (gint64)(step * 2654435761u >> 8) % 1000003;
}

/* One step among a million, at each zoom from all of it to a few steps, in rectangles and rasters.
 */
static void
test_spike (void)
{
  g_auto (LivenessFixture) fixture = { 0 };
  guint n_rasters = 0;
  guint n_rects = 0;

  liveness_fixture_open (&fixture, 1000000, spiky, 30000000, 50000000);
  for (guint mode = 0; mode < 3; mode++)
    for (double span = 1000000; span >= 16; span /= 5)
      for (guint s = 1; s <= 2; s++)
        {
          double from = CLAMP (SPIKE + 0.5 - span * 0.37, 0, 1000000 - span);
          TsrChartGeometry geometry = test_geometry (700, 420, s, from, from + span);
          g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
          g_auto (TestPixels) pixels = { 0 };
          TsrPlotArea area;
          guint n_columns;
          guint c;
          double expected;
          guint row;

          liveness_fixture_set_options (&fixture, mode < 2, mode == 0, mode == 1);
          tsr_chart_model_layout (fixture.model, &geometry, list, &area);
          test_pixels_paint (&pixels, list, &geometry);
          if (test_list_has_plot_raster (list, &area))
            n_rasters++;
          else
            n_rects++;
          n_columns = (guint)round (area.width * s);
          c = (guint)floor ((SPIKE + 0.5 - from) / (span / n_columns));
          expected = area.height * s
                     * (1
                        - ((mode < 2 ? 30000000 : 0) + 9000017 - area.y_from)
                              / (area.y_to - area.y_from));
          row = liveness_fixture_find_top (&pixels, &area, c);
          g_assert_cmpfloat_with_epsilon (row, expected, 0.51);
          g_assert_cmpuint (tsr_chart_model_datum_near (fixture.model, from + c * span / n_columns,
                                                        from + (c + 1) * span / n_columns),
                            ==, SPIKE);
          /* It is as wide as one pixel, and the line down is beside it. */
          if (span / n_columns >= 1)
            {
              g_assert_cmpuint (liveness_fixture_find_top (&pixels, &area, c - 1), >, row + 50);
              g_assert_cmpuint (liveness_fixture_find_top (&pixels, &area, c + 2), >, row + 50);
            }
        }
  g_assert_cmpuint (n_rasters, >, 0);
  g_assert_cmpuint (n_rects, >, 0);
}

/* Every column shows the largest of its steps. */
static void
check_columns (LivenessFixture *fixture, double from, double to, double width, double scale)
{
  TsrChartGeometry geometry = test_geometry (width, 300, scale, from, to);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_auto (TestPixels) pixels = { 0 };
  TsrPlotArea area;
  guint n_columns;
  double per;

  tsr_chart_model_layout (fixture->model, &geometry, list, &area);
  test_pixels_paint (&pixels, list, &geometry);
  n_columns = (guint)round (area.width * scale);
  per = (to - from) / n_columns;
  for (guint c = 0; c < n_columns; c++)
    {
      guint32 shown
          = tsr_chart_model_datum_near (fixture->model, from + c * per, from + (c + 1) * per);
      gint64 best = -1;
      double expected;

      for (guint i = 0; i < fixture->series->n_steps; i++)
        if (i + 0.5 >= from + c * per && i + 0.5 < from + (c + 1) * per)
          best = MAX (best, fixture->series->not_always_live[i]);
      if (per < 1)
        best = fixture->series->not_always_live[(guint)(from + (c + 0.5) * per)];
      g_assert_cmpint (fixture->series->not_always_live[shown], ==, best);
      expected
          = area.height * scale * (1 - (70000 + best - area.y_from) / (area.y_to - area.y_from));
      /* A riser reaches up to its higher neighbour, a stroke does not go below the foot. */
      if (expected < area.height * scale - 2)
        g_assert_cmpfloat (liveness_fixture_find_top (&pixels, &area, c), <=, expected + 0.51);
      if (c > 0 && c + 1 < n_columns && per >= 1 && expected < area.height * scale - 2)
        {
          guint left = liveness_fixture_find_top (&pixels, &area, c - 1);

          g_assert_cmpfloat (liveness_fixture_find_top (&pixels, &area, c), >=,
                             MIN (expected, left) - 0.51);
        }
    }
}

static void
test_columns (void)
{
  g_auto (LivenessFixture) fixture = { 0 };

  liveness_fixture_open (&fixture, 5000, liveness_fixture_ragged, 70000, TSR_UNKNOWN);
  check_columns (&fixture, 0, 5000, 1000, 1);
  check_columns (&fixture, 0, 5000, 640, 2);
  check_columns (&fixture, 17.3, 4801.9, 640, 1);
  check_columns (&fixture, 1200, 1260, 800, 1);
  liveness_fixture_set_options (&fixture, TRUE, TRUE, TRUE);
  check_columns (&fixture, 0, 5000, 1000, 1);
}

/* ------------------------------------------------------------------- axis */

static void
test_axis (void)
{
  g_auto (LivenessFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (800, 400, 1, 0, 1000);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrChartSeries series;
  TsrPlotArea area;

  liveness_fixture_open (&fixture, 1000, liveness_fixture_flat, 50000, 200000);
  liveness_fixture_set_options (&fixture, TRUE, TRUE, FALSE);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_cmpfloat (area.y_from, ==, 0);
  g_assert_cmpfloat_with_epsilon (area.y_to, 1.05 * 200000, 1e-6);
  liveness_fixture_set_options (&fixture, TRUE, FALSE, FALSE);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_cmpfloat_with_epsilon (area.y_to, 1.05 * 51999, 1e-6);
  liveness_fixture_set_options (&fixture, TRUE, FALSE, TRUE);
  tsr_draw_list_reset (list);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_cmpfloat (area.y_from, ==, 50000);
  g_assert_cmpfloat_with_epsilon (area.y_to, 50000 + 1.05 * 1999, 1e-6);
  g_assert_true (test_list_has_label (list, "48.8 KiB"));
  /* Without what is always live, its bytes are not there for the rest either. */
  liveness_fixture_set_options (&fixture, FALSE, TRUE, TRUE);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_cmpfloat (area.y_from, ==, 0);
  g_assert_cmpfloat_with_epsilon (area.y_to, 1.05 * 1999, 1e-6);
  liveness_fixture_set_options (&fixture, FALSE, TRUE, FALSE);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_cmpfloat_with_epsilon (area.y_to, 1.05 * 150000, 1e-6);
  g_assert_cmpuint (tsr_chart_model_get_n_series (fixture.model), ==, 2);
  tsr_chart_model_get_series (fixture.model, 1, &series);
  g_assert_cmpstr (series.name, ==, "Max memory − always live");
  /* The same when it is hidden in the legend. */
  liveness_fixture_set_options (&fixture, TRUE, TRUE, FALSE);
  tsr_chart_model_set_series_visible (fixture.model, 1, FALSE);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_cmpfloat_with_epsilon (area.y_to, 1.05 * 150000, 1e-6);
  /* Data stay below the inset. */
  tsr_chart_model_set_series_visible (fixture.model, 1, TRUE);
  liveness_fixture_set_options (&fixture, TRUE, FALSE, TRUE);
  geometry.inset = 40;
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_cmpfloat_with_epsilon (area.height * (1 - 1.05 * 1999 / (area.y_to - area.y_from)), 40,
                                  1e-6);
}

static gboolean
has_break (TsrDrawList *list, const TsrPlotArea *area)
{
  guint n_strokes = 0;

  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      n_strokes += item->kind == TSR_ITEM_LINE && item->ink == TSR_INK_TEXT && item->x < area->x
                   && item->x + item->width > area->x && item->y > area->y + area->height - 20;
    }
  return n_strokes == 2;
}

/* The axis begins at what is always live from half of it on, and the break says so. */
static void
test_break (void)
{
  static const struct
  {
    gint64 always, capacity; /* the rest is at most 1,999 */
    gboolean include, max, from_always, breaks;
  } rows[] = {
    { 1000, TSR_UNKNOWN, TRUE, FALSE, TRUE, FALSE },
    { 1998, TSR_UNKNOWN, TRUE, FALSE, TRUE, FALSE }, /* 1998 of 3997 */
    { 1999, TSR_UNKNOWN, TRUE, FALSE, TRUE, TRUE },  /* half of it */
    { 1999, TSR_UNKNOWN, TRUE, FALSE, FALSE, FALSE },
    { 1999, TSR_UNKNOWN, FALSE, FALSE, TRUE, FALSE },
    { 60000, 200000, TRUE, TRUE, TRUE, TRUE }, /* the memory is beyond the axis */
    { 60000, 200000, TRUE, TRUE, FALSE, FALSE },
    { 60000, 200000, TRUE, FALSE, TRUE, TRUE },
    { 60000, 66000, TRUE, TRUE, TRUE, TRUE }, /* a third of the axis changes */
    { 100000, 200000, TRUE, TRUE, TRUE, TRUE },
    { 190000, 200000, TRUE, TRUE, TRUE, TRUE },
    { 0, 200000, TRUE, TRUE, TRUE, FALSE },
    { 0, 200000, TRUE, TRUE, FALSE, FALSE },
    { 1000, 11990, TRUE, TRUE, TRUE, FALSE }, /* 2,999 of it are drawn: a quarter */
    { 1000, 12010, TRUE, TRUE, TRUE, FALSE },
  };
  TsrChartGeometry geometry = test_geometry (800, 400, 1, 0, 1000);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (LivenessFixture) fixture = { 0 };
      g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
      TsrPlotArea area;

      liveness_fixture_open (&fixture, 1000, liveness_fixture_flat, rows[i].always,
                             rows[i].capacity);
      liveness_fixture_set_options (&fixture, rows[i].include, rows[i].max, rows[i].from_always);
      tsr_chart_model_layout (fixture.model, &geometry, list, &area);
      g_test_message ("case %u: from %g", i, area.y_from);
      g_assert_cmpfloat (area.y_from, ==, rows[i].breaks ? (double)rows[i].always : 0);
      g_assert_cmpint (has_break (list, &area), ==, rows[i].breaks);
      /* What changes has a quarter of the height at least, and the memory is told all the same. */
      if (rows[i].breaks)
        g_assert_cmpfloat (1999 * 1.06 * 4, >=, area.y_to - area.y_from);
      if (rows[i].max && rows[i].capacity == 200000)
        g_assert_true (test_list_has_label (list, rows[i].from_always ? "↑ 195 KiB" : "195 KiB"));
      if (rows[i].always == 1000 && rows[i].max)
        g_assert_cmpfloat_with_epsilon (
            area.y_to, 1.05 * (rows[i].capacity < 12000 ? rows[i].capacity : 2999), 1e-6);
    }
}

static void
test_overflow (void)
{
  g_auto (LivenessFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (800, 400, 1, 0, 1000);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autofree char *words = NULL;
  TsrChartSeries series;
  TsrPlotArea area;
  guint n_hatches = 0;

  /* Steps from 500 on need more than there is. */
  liveness_fixture_open (&fixture, 1000, liveness_fixture_flat, 50000, 51500);
  g_assert_cmpuint (tsr_chart_model_get_n_series (fixture.model), ==, 4);
  tsr_chart_model_get_series (fixture.model, 3, &series);
  g_assert_cmpstr (series.name, ==, "Does not fit");
  liveness_fixture_set_options (&fixture, TRUE, TRUE, TRUE);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind != TSR_ITEM_HATCH)
        continue;
      n_hatches++;
      g_assert_cmpfloat (item->x, >=, area.x + area.width * 0.5 - 1);
      g_assert_cmpfloat_with_epsilon (item->y + item->height,
                                      area.y + area.height * (1 - 1500 / (area.y_to - area.y_from)),
                                      0.51);
    }
  g_assert_cmpuint (n_hatches, >, 0);
  words = tsr_chart_model_describe (fixture.model, 999);
  g_assert_nonnull (strstr (words, "\nDoes not fit: 499 B"));
  for (guint step = 498; step < 503; step++)
    {
      g_autofree char *told = tsr_chart_model_describe (fixture.model, step);
      g_autofree char *line = g_strdup_printf ("\nDoes not fit: %d B", (int)step - 500);

      g_assert_true ((strstr (told, "Does not fit") != NULL) == (step > 500));
      g_assert_true ((strstr (told, line) != NULL) == (step > 500));
    }
  tsr_chart_model_write_csv (fixture.model, 499, 502, csv);
  g_assert_cmpstr (csv->str, ==,
                   "step,program,type,notAlwaysLive,alwaysLive,maxMemory,need\r\n"
                   "499,model/b/op499,OnTileExecute,1499,50000,51500,0\r\n"
                   "500,model/b/op500,OnTileExecute,1500,50000,51500,0\r\n"
                   "501,Internal,Sync,1501,50000,51500,1\r\n");
  {
    /* Under a filter what does not fit is red at the steps that pass it, not elsewhere. */
    g_autofree guint8 *matches = g_malloc0 (1000);
    guint veil = 0;

    matches[100] = matches[900] = 1;
    tsr_liveness_chart_set_matches (fixture.chart, matches);
    tsr_draw_list_reset (list);
    tsr_chart_model_layout (fixture.model, &geometry, list, &area);
    n_hatches = 0;
    for (guint i = 0; i < list->items->len; i++)
      {
        const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

        if (item->ink == TSR_INK_BACKGROUND && item->alpha < 1)
          veil = i;
        if (item->kind != TSR_ITEM_HATCH || veil == 0)
          continue;
        n_hatches++;
        g_assert_cmpfloat_with_epsilon (item->x, area.x + area.width * 0.9005, 1.5);
        g_assert_cmpfloat (item->width, <=, 1.01);
      }
    g_assert_cmpuint (veil, >, 0);
    g_assert_cmpuint (n_hatches, >, 0);
  }
}

/* -------------------------------------------------------------- structure */

/* Bands against a naive walk: a step that only synchronises belongs to the one before it. */
static void
test_structure (void)
{
  g_auto (LivenessFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (1100, 400, 1, 0, 1000);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_auto (TestPixels) pixels = { 0 };
  TsrPlotArea area;
  guint y;
  guint8 inks[256] = { 0 }; /* of each fifth letter: that is where the names differ */
  guint n_named = 0;

  liveness_fixture_open (&fixture, 1000, liveness_fixture_flat, 0, TSR_UNKNOWN);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  test_pixels_paint (&pixels, list, &geometry);
  g_assert_cmpfloat (area.y + area.height, <, 400 - 30);
  y = 400 - 16;
  for (guint c = 0; c < (guint)area.width; c++)
    {
      guint step = (guint)((c + 0.5) * 1000 / area.width);
      const char *name = tsr_liveness_get_step_name (fixture.report.liveness, step);
      guint8 ink = test_pixels_get (&pixels, (guint)area.x + c, y);

      if (ink == TSR_RASTER_CLEAR || strcmp (name, "Internal") == 0 || *name == '\0')
        continue; /* between two bands */
      g_assert_cmpuint (ink, >=, TSR_INK_STRUCTURE);
      g_assert_cmpuint (ink, <, TSR_INK_STRUCTURE + TSR_N_NAME_INKS);
      if (inks[(guint8)name[4]] == 0)
        inks[(guint8)name[4]] = ink;
      g_assert_cmpuint (inks[(guint8)name[4]], ==, ink);
      n_named++;
    }
  g_assert_cmpuint (n_named, >, 500);
  g_assert_true (test_list_has_label (list, "model"));
  g_assert_true (test_list_has_label (list, "Gradient"));
  g_assert_false (test_list_has_label (list, "Internal"));
  {
    TsrLivenessChartOptions options;

    tsr_liveness_chart_get_options (fixture.chart, &options);
    options.structure = FALSE;
    tsr_liveness_chart_set_options (fixture.chart, &options);
    tsr_draw_list_reset (list);
    tsr_chart_model_layout (fixture.model, &geometry, list, &area);
    g_assert_cmpfloat (area.y + area.height, >, 400 - 30);
    g_assert_false (test_list_has_label (list, "model"));
  }
}

/* ------------------------------------------------------------------ marks */

/* Boxes of @first <= ink < @end in @list: none over another, all in the plot. */
static guint
check_flags (const TsrDrawList *list, const TsrPlotArea *area, guint first, guint end)
{
  const TsrDrawItem *flags[64];
  guint n = 0;

  /* A flag is a rectangle with a label in the middle of it right after it. */
  for (guint i = 0; i + 1 < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind != TSR_ITEM_RECT || item->ink < first || item->ink >= end
          || item[1].kind != TSR_ITEM_LABEL)
        continue;
      g_assert_cmpfloat (item->x, >=, area->x - 0.01);
      g_assert_cmpfloat (item->x + item->width, <=, area->x + area->width + 0.51);
      g_assert_cmpfloat (item->y, >=, area->y - 0.01);
      g_assert_cmpfloat (item->y + item->height, <=, area->y + area->height + 0.01);
      for (guint k = 0; k < n; k++)
        g_assert_true (
            item->x >= flags[k]->x + flags[k]->width || flags[k]->x >= item->x + item->width
            || item->y >= flags[k]->y + flags[k]->height || flags[k]->y >= item->y + item->height);
      flags[n++] = item;
    }
  return n;
}

static void
test_marks (void)
{
  g_auto (LivenessFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (900, 400, 1, 0, 1000);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (GArray) peaks = g_array_new (FALSE, FALSE, sizeof (TsrPeak));
  g_autofree char *words = NULL;
  TsrPlotArea area;
  guint n_bands = 0;

  liveness_fixture_open (&fixture, 1000, liveness_fixture_flat, 50000, 200000);
  liveness_fixture_set_options (&fixture, TRUE, TRUE, FALSE);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  for (guint i = 0; i < 12; i++)
    {
      TsrPeak peak = { 990 - i * (i < 6 ? 6 : 80), 0, 0, 0 };

      peak.bytes = liveness_fixture_flat (peak.step);
      g_array_append_val (peaks, peak);
    }
  tsr_liveness_chart_set_peaks (fixture.chart, peaks);
  tsr_step_selection_set (fixture.selection, (guint[]){ 700, 300, 303, 306, 999, 0 }, 6);
  tsr_draw_list_reset (list);
  tsr_chart_model_layout_overlay (fixture.model, &geometry, &area, TSR_NO_DATUM, TSR_NO_DATUM,
                                  list);
  g_assert_cmpuint (check_flags (list, &area, TSR_INK_PEAK, TSR_INK_MARK + TSR_N_MARK_INKS), >=,
                    6 + 6);
  for (guint i = 0; i < 6; i++)
    {
      char letter[] = { 'A' + i, '\0' };

      g_assert_true (test_list_has_label (list, letter));
    }
  g_assert_true (test_list_has_label (list, "1"));
  /* The band from B to A. */
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->ink != TSR_INK_SELECTION || item->kind != TSR_ITEM_RECT)
        continue;
      n_bands++;
      g_assert_cmpfloat_with_epsilon (item->x, area.x + area.width * 0.300, 0.51);
      g_assert_cmpfloat_with_epsilon (item->x + item->width, area.x + area.width * 0.701, 0.51);
    }
  g_assert_cmpuint (n_bands, ==, 1);
  words = tsr_chart_model_describe (fixture.model, 990);
  g_assert_true (g_str_has_prefix (words, "Step 990 (peak 1)\n"));
  g_assert_nonnull (strstr (words, "\nDifference from A: +290 B"));

  /* What is beyond the edges is named there. */
  geometry.from = 310;
  geometry.to = 400;
  tsr_draw_list_reset (list);
  tsr_chart_model_layout_overlay (fixture.model, &geometry, &area, 350, 360, list);
  check_flags (list, &area, TSR_INK_PEAK, TSR_INK_MARK + TSR_N_MARK_INKS);
  g_assert_true (test_list_has_label (list, "‹ B"));
  g_assert_true (test_list_has_label (list, "A ›"));
}

/* ------------------------------------------------------- words and oddities */

static void
test_words (void)
{
  g_auto (LivenessFixture) fixture = { 0 };
  g_autofree char *caption = NULL;
  g_autofree char *words = NULL;
  g_autofree char *unknown = NULL;

  liveness_fixture_open (&fixture, 1000, liveness_fixture_flat, 50000, 200000);
  caption = tsr_chart_model_dup_caption (fixture.model);
  g_assert_cmpstr (caption, ==, "Memory live at 1,000 program steps, All tiles");
  tsr_step_selection_set (fixture.selection, (guint[]){ 499 }, 1);
  words = tsr_chart_model_describe (fixture.model, 499);
  g_assert_cmpstr (words, ==,
                   "Step 499 (A)\nmodel/b/op499 (OnTileExecute)\nNot always live: 1,499 B\nAlways "
                   "live: 50,000 B\nTotal: 51,499 B (25.7 %)\nMax memory: 200,000 B");
  g_assert_null (tsr_chart_model_describe (fixture.model, 1000));
  fixture.series->always_live = TSR_UNKNOWN;
  tsr_liveness_chart_set_series (fixture.chart, fixture.series, "All tiles");
  unknown = tsr_chart_model_describe (fixture.model, 3);
  g_assert_nonnull (strstr (unknown, "\nAlways live: not recorded\nTotal: not recorded\n"));
  /* Neither an area nor a limit can be drawn then. */
  g_assert_cmpuint (tsr_chart_model_get_n_series (fixture.model), ==, 1);
}

static gint64
nothing (guint step)
{
  return TSR_UNKNOWN;
}

static gint64
huge (guint step)
{
  return step % 3 == 0 ? G_MAXINT64 - step : step % 3 == 1 ? -5 : TSR_UNKNOWN;
}

static void
test_any (void)
{
  static const struct
  {
    guint n;
    gint64 (*value) (guint);
    gint64 always, capacity;
  } cases[] = {
    { 0, liveness_fixture_flat, 10, 20 },
    { 1, liveness_fixture_flat, 10, 20 },
    { 100, nothing, 10, 20 },
    { 100, nothing, TSR_UNKNOWN, TSR_UNKNOWN },
    { 1000, huge, G_MAXINT64 - 10, 1000 },
    { 1000, huge, 0, G_MAXINT64 },
    { 70000, liveness_fixture_ragged, 1000, 0 },
  };
  g_autoptr (GArray) lives = liveness_fixture_make_lifetimes ();
  TsrPeak peak = { 3, 3, 4, 5 };
  g_autoptr (GArray) peaks = g_array_new (FALSE, FALSE, sizeof (TsrPeak));

  g_array_append_val (peaks, peak);
  peak.step = G_MAXUINT32;
  g_array_append_val (peaks, peak);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (LivenessFixture) fixture = { 0 };

      liveness_fixture_open (&fixture, cases[i].n, cases[i].value, cases[i].always,
                             cases[i].capacity);
      tsr_liveness_chart_set_peaks (fixture.chart, peaks);
      tsr_liveness_chart_add_lifetime (fixture.chart, "v", lives);
      tsr_step_selection_set (fixture.selection, (guint[]){ 0, 5, G_MAXUINT32, 6 }, 4);
      for (guint flags = 0; flags < 8; flags++)
        {
          liveness_fixture_set_options (&fixture, flags & 1, flags & 2, flags & 4);
          test_check_sizes (fixture.model);
        }
      for (guint k = 0; k < tsr_chart_model_get_n_series (fixture.model); k++)
        {
          tsr_chart_model_set_series_visible (fixture.model, k, FALSE);
          test_check_sizes (fixture.model);
        }
    }
}

/* The box of the flag that says @text. */
static const TsrDrawItem *
find_flag (const TsrDrawList *list, const char *text)
{
  for (guint i = 1; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind == TSR_ITEM_LABEL && g_str_equal (tsr_draw_list_get_text (list, item), text))
        return &g_array_index (list->items, TsrDrawItem, i - 1);
    }
  return NULL;
}

/* Two peaks that stand three steps apart: selecting the first must neither hide the second's flag
 * nor move the first's over it. */
static void
test_selected_peak (void)
{
  g_auto (LivenessFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (1200, 250, 1, 0, 194);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (GArray) peaks = g_array_new (FALSE, FALSE, sizeof (TsrPeak));
  const TsrDrawItem *first, *second, *letter;
  TsrPlotArea area;

  liveness_fixture_open (&fixture, 194, liveness_fixture_flat, 50000, 200000);
  liveness_fixture_set_options (&fixture, TRUE, TRUE, FALSE);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  for (guint i = 0; i < 2; i++)
    {
      TsrPeak peak = { 104 + 3 * i, liveness_fixture_flat (104 + 3 * i), 0, 0 };

      g_array_append_val (peaks, peak);
    }
  tsr_liveness_chart_set_peaks (fixture.chart, peaks);
  tsr_step_selection_set (fixture.selection, (guint[]){ 104 }, 1);
  tsr_draw_list_reset (list);
  tsr_chart_model_layout_overlay (fixture.model, &geometry, &area, TSR_NO_DATUM, TSR_NO_DATUM,
                                  list);
  letter = find_flag (list, "A");
  first = find_flag (list, "1");
  second = find_flag (list, "2");
  g_assert_true (letter != NULL && first != NULL && second != NULL);
  g_assert_cmpfloat_with_epsilon (first->x + first->width, letter->x, 0.01);
  g_assert_cmpfloat (first->y, ==, letter->y);
  /* Right over its step. */
  g_assert_cmpfloat_with_epsilon (second->x + second->width / 2, area.x + area.width * 107.5 / 194,
                                  1.01);
  /* What is under the pointer is what the flag says. */
  g_assert_cmpuint (tsr_chart_marks_datum_at (list, first->x + 1, first->y + 1), ==, 104);
  g_assert_cmpuint (tsr_chart_marks_datum_at (list, second->x + 1, second->y + 1), ==, 107);
  g_assert_cmpuint (tsr_chart_marks_datum_at (list, letter->x + letter->width - 1, letter->y + 1),
                    ==, 104);
  g_assert_cmpuint (tsr_chart_marks_datum_at (list, area.x + 1, area.y + 1), ==, TSR_NO_DATUM);
  /* The keyboard's frame, the pointer's line and the dots of both lie below the letter. */
  for (guint pointer = 0; pointer < 2; pointer++)
    {
      guint32 hover = pointer == 1 ? 104 : TSR_NO_DATUM;

      tsr_draw_list_reset (list);
      tsr_chart_model_layout_overlay (fixture.model, &geometry, &area, hover, 104, list);
      letter = find_flag (list, "A");
      for (const TsrDrawItem *item = letter;
           item < &g_array_index (list->items, TsrDrawItem, list->items->len); item++)
        g_assert_false (item->kind == TSR_ITEM_RECT
                        && (item->ink == TSR_INK_HOVER || item->ink == TSR_INK_BACKGROUND));
    }
  /* At the left edge the number stands on the other side. */
  g_array_index (peaks, TsrPeak, 0).step = 0;
  tsr_liveness_chart_set_peaks (fixture.chart, peaks);
  tsr_step_selection_set (fixture.selection, (guint[]){ 0 }, 1);
  tsr_draw_list_reset (list);
  tsr_chart_model_layout_overlay (fixture.model, &geometry, &area, TSR_NO_DATUM, TSR_NO_DATUM,
                                  list);
  letter = find_flag (list, "A");
  first = find_flag (list, "1");
  g_assert_cmpfloat_with_epsilon (letter->x + letter->width, first->x, 0.01);
}

/* The mini-map is the whole as a silhouette: each column from the largest of its steps to the foot,
 * without what is always live,
 * and the same in another ink where one of them overflows. */
static void
check_overview (guint n, double width, double scale)
{
  const gint64 always = 70000, capacity = 165000;
  g_auto (LivenessFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (width, 40, scale, 0, 1);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  const TsrDrawRaster *raster;
  const TsrRasterLayer *plain, *overflow;
  gint64 largest = 0;
  guint n_over = 0;

  liveness_fixture_open (&fixture, n, liveness_fixture_ragged, always, capacity);
  liveness_fixture_set_options (&fixture, TRUE, FALSE, FALSE);
  for (guint i = 0; i < n; i++)
    largest = MAX (largest, liveness_fixture_ragged (i));
  tsr_chart_model_layout_overview (fixture.model, &geometry, list);
  g_assert_cmpuint (list->items->len, ==, 1);
  raster = list->rasters->pdata[0];
  g_assert_cmpuint (raster->width, ==, (guint)round (width * scale));
  g_assert_cmpuint (raster->height, ==, (guint)round (40 * scale));
  g_assert_cmpuint (raster->layers->len, ==, 2);
  plain = &g_array_index (raster->layers, TsrRasterLayer, 0);
  overflow = &g_array_index (raster->layers, TsrRasterLayer, 1);
  g_assert_cmpuint (plain->ink, ==, TSR_INK_OVERVIEW);
  g_assert_cmpuint (overflow->ink, ==, TSR_INK_OVERFLOW);
  for (guint c = 0; c < raster->width; c++)
    {
      const double per = (double)n / raster->width;
      gint64 most = 0;

      for (guint i = 0; i < n; i++)
        if (i + 0.5 >= c * per && i + 0.5 < (c + 1) * per)
          most = MAX (most, liveness_fixture_ragged (i));
      if (per < 1)
        most = liveness_fixture_ragged ((guint)((c + 0.5) * per));
      g_assert_cmpuint (plain->to[c], ==, raster->height);
      g_assert_cmpfloat_with_epsilon (plain->from[c],
                                      raster->height * (1 - (double)most / (double)largest), 0.51);
      if (always + most > capacity)
        {
          g_assert_cmpuint (overflow->from[c], ==, plain->from[c]);
          g_assert_cmpuint (overflow->to[c], ==, plain->to[c]);
          n_over++;
        }
      else
        g_assert_cmpuint (overflow->from[c], >=, overflow->to[c]);
    }
  g_assert_cmpuint (n_over, >, 0);
  g_assert_cmpuint (n_over, <, raster->width);
}

static void
test_overview (void)
{
  check_overview (640, 320, 1);
  check_overview (640, 320, 2);
  check_overview (997, 150.5, 2);
  check_overview (40, 300, 1);
}

static void
test_empty (void)
{
  g_auto (LivenessFixture) fixture = { 0 };
  TsrChartGeometry geometry = test_geometry (900, 400, 1, 0, 1);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (GString) csv = g_string_new (NULL);
  TsrPlotArea area;

  liveness_fixture_open (&fixture, 0, liveness_fixture_flat, 10, 20);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_true (test_list_has_label (list, "The report has no liveness steps"));
  g_assert_null (tsr_chart_model_describe (fixture.model, 0));
  g_assert_cmpuint (tsr_chart_model_datum_at (fixture.model, 0.5), ==, TSR_NO_DATUM);
  g_assert_cmpuint (tsr_chart_model_datum_near (fixture.model, 0, 1), ==, TSR_NO_DATUM);
  tsr_chart_model_write_csv (fixture.model, 0, 1, csv);
  g_assert_true (g_str_has_prefix (csv->str, "step,program,type,"));

  /* No series yet: neither data nor words, and no reason given. */
  tsr_liveness_chart_set_series (fixture.chart, NULL, NULL);
  tsr_draw_list_reset (list);
  tsr_chart_model_layout (fixture.model, &geometry, list, &area);
  g_assert_false (test_list_has_label (list, "The report has no liveness steps"));
  g_assert_cmpuint (tsr_chart_model_get_n_series (fixture.model), ==, 0);
  tsr_chart_model_layout_overlay (fixture.model, &geometry, &area, 0, 0, list);
  tsr_chart_model_layout_overview (fixture.model, &geometry, list);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/liveness-chart/spike", test_spike);
  g_test_add_func ("/liveness-chart/columns", test_columns);
  g_test_add_func ("/liveness-chart/axis", test_axis);
  g_test_add_func ("/liveness-chart/break", test_break);
  g_test_add_func ("/liveness-chart/overflow", test_overflow);
  g_test_add_func ("/liveness-chart/structure", test_structure);
  g_test_add_func ("/liveness-chart/marks", test_marks);
  g_test_add_func ("/liveness-chart/selected-peak", test_selected_peak);
  g_test_add_func ("/liveness-chart/words", test_words);
  g_test_add_func ("/liveness-chart/any", test_any);
  g_test_add_func ("/liveness-chart/overview", test_overview);
  g_test_add_func ("/liveness-chart/empty", test_empty);
  return g_test_run ();
}

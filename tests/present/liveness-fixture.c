/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes a liveness graph from a function of the step. */

#include "config.h"

#include "liveness-fixture.h"

#include "tsr-step-lines.h"

/* @n steps whose bytes @value tells. */
void
liveness_fixture_open (
    LivenessFixture *self, guint n, gint64 (*value) (guint step), gint64 always, gint64 capacity)
{
  test_liveness_open (&self->report, n);
  self->series = tsr_liveness_series_new (n);
  self->series->always_live = always;
  self->series->capacity = capacity;
  for (guint i = 0; i < n; i++)
    {
      gint64 bytes = self->series->not_always_live[i] = value (i);

      if (self->series->peak_step == TSR_NO_INDEX
          || bytes > self->series->not_always_live[self->series->peak_step])
        self->series->peak_step = i;
    }
  self->selection = tsr_step_selection_new ();
  self->chart = tsr_liveness_chart_new (self->report.liveness, self->selection);
  self->model = TSR_CHART_MODEL (self->chart);
  tsr_liveness_chart_set_series (self->chart, self->series, "All tiles");
}

void
liveness_fixture_close (LivenessFixture *self)
{
  g_assert_finalize_object (self->chart);
  g_object_unref (self->selection);
  tsr_liveness_series_unref (self->series);
  test_liveness_close (&self->report);
}

void
liveness_fixture_set_options (LivenessFixture *self,
                              gboolean include,
                              gboolean max,
                              gboolean from_always)
{
  TsrLivenessChartOptions options = {
    .include_always_live = include, .show_max = max, .from_zero = !from_always, .structure = TRUE
  };

  tsr_liveness_chart_set_options (self->chart, &options);
}

gint64
liveness_fixture_ragged (guint step)
{
  return (gint64)(step * 2654435761u >> 12) * 97 % 100000;
}

gint64
liveness_fixture_flat (guint step)
{
  return 1000 + step;
}

static gboolean
is_area (guint8 ink)
{
  return ink == TSR_INK_NOT_ALWAYS_LIVE || ink == TSR_INK_NOT_ALWAYS_LIVE_TINT
         || ink == TSR_INK_NOT_ALWAYS_LIVE_SPREAD;
}

/* Row of the highest pixel of the areas in column @c of the plot, from its top. */
guint
liveness_fixture_find_top (const TestPixels *pixels, const TsrPlotArea *area, guint c)
{
  guint x = (guint)round (area->x * pixels->scale) + c;
  guint y0 = (guint)round (area->y * pixels->scale);
  guint height = (guint)round (area->height * pixels->scale);
  guint row = 0;

  while (row < height && !is_area (test_pixels_get (pixels, x, y0 + row)))
    row++;
  return row;
}

GArray *
liveness_fixture_make_lifetimes (void)
{
  static const TsrLifetime lives[] = { { 10, 20, 500 }, { 20, 25, 800 }, { 700, 1200, 300 } };
  GArray *array = g_array_new (FALSE, FALSE, sizeof (TsrLifetime));

  g_array_append_vals (array, lives, G_N_ELEMENTS (lives));
  return array;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a layout of steps reads, in either of its widths: sums of stacked bands against a loop,
 * bands of the program against their names; and a raster with what is flat below it against the
 * same in one raster. */

#include "config.h"

#include "chart-test.h"
#include "tsr-step-layout.h"
#include "tsr-step-structure.h"

#include <math.h>
#include <string.h>

/* Some unknown, some negative; above 32 bits from @large_from on. */
static gint64
make_value (guint i, guint large_from)
{
  switch (g_test_rand_int_range (0, 10))
    {
    case 0:
      return TSR_UNKNOWN;
    case 1:
      return -(gint64)i;
    default:
      return g_test_rand_int_range (0, 1 << 30) + (i >= large_from ? (gint64)1 << 33 : 0);
    }
}

static void
test_stack (void)
{
  enum
  {
    N = 300,
    MAX_BANDS = 35
  };
  static const guint n_bands[] = { 1, 2, 3, 4, 13, 16, 17, MAX_BANDS };
  static const guint large_from[] = { N, N - 1, 0 };
  static guint order[N];
  static gint64 values[N];
  static gint64 sums[N][MAX_BANDS];

  for (guint i = 0; i < N; i++)
    order[i] = i * 7 % N;
  for (guint k = 0; k < G_N_ELEMENTS (n_bands) * G_N_ELEMENTS (large_from) * 2; k++)
    {
      guint n = n_bands[k / 2 % G_N_ELEMENTS (n_bands)];
      guint large = large_from[k / 2 / G_N_ELEMENTS (n_bands)];
      const guint *by = k % 2 == 0 ? order : NULL;
      g_autoptr (TsrStepStack) stack = tsr_step_stack_new (N, n);
      gint64 most = 0;

      for (guint b = 0; b < n; b++)
        {
          for (guint i = 0; i < N; i++)
            /* The first bands are small: what is there already is made wide. */
            values[i] = make_value (i, b >= n / 2 ? large : N) / (b + 1);
          tsr_step_stack_add (stack, values, by);
          for (guint i = 0; i < N; i++)
            {
              gint64 value = values[by != NULL ? by[i] : i];

              sums[i][b] = (b > 0 ? sums[i][b - 1] : 0) + MAX (value, 0);
              most = MAX (most, sums[i][b]);
            }
        }
      g_assert_true ((stack->narrow == NULL) == (most > G_MAXUINT32));
      for (guint i = 0; i < N; i++)
        for (guint b = 0; b < n; b++)
          g_assert_cmpint (tsr_step_stack_get (stack, i, b), ==, sums[i][b]);
    }
}

/* Sums that are too large for any number are the largest one. */
static void
test_saturation (void)
{
  static const gint64 values[] = { 1, G_MAXINT64, TSR_UNKNOWN };
  g_autoptr (TsrStepStack) stack = tsr_step_stack_new (G_N_ELEMENTS (values), 2);

  tsr_step_stack_add (stack, values, NULL);
  tsr_step_stack_add (stack, values, NULL);
  g_assert_cmpint (tsr_step_stack_get (stack, 0, 1), ==, 2);
  g_assert_cmpint (tsr_step_stack_get (stack, 1, 1), ==, G_MAXINT64);
  g_assert_cmpint (tsr_step_stack_get (stack, 2, 1), ==, 0);
}

/* A few bands, and more than a byte can tell. */
static void
test_structure (void)
{
  static const guint n_bands[] = { 7, 254, 255, 256, 900 };

  for (guint k = 0; k < G_N_ELEMENTS (n_bands); k++)
    {
      g_autofree char *sql = g_strdup_printf (
          "DELETE FROM liveness_steps; DELETE FROM programs;"
          "WITH RECURSIVE p(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM p WHERE i < 999)"
          "  INSERT INTO programs (id, name, type)"
          "    SELECT i, 'band' || (i %% %u) || '/op', 'OnTileExecute' FROM p;"
          "INSERT INTO liveness_steps (step, program, not_always_live_bytes)"
          "  SELECT id, id, 5 FROM programs;",
          n_bands[k]);
      TestLiveness report = { 0 };
      g_autoptr (TsrStepStructure) structure = NULL;

      test_liveness_open_with (&report, 1000, sql);
      structure = tsr_step_structure_new (report.liveness);
      g_assert_cmpuint (tsr_step_structure_get_n_bands (structure), ==, n_bands[k]);
      for (guint step = 0; step < 1000; step++)
        {
          g_autofree char *name = g_strdup_printf ("band%u", step % n_bands[k]);
          guint band = tsr_step_structure_get_band (structure, step);

          g_assert_cmpuint (band, <, n_bands[k]);
          g_assert_cmpstr (tsr_step_structure_get_name (structure, band), ==, name);
        }
      g_assert_cmpuint (tsr_step_structure_get_band (structure, 1000), ==, TSR_NO_INDEX);
      test_liveness_close (&report);
    }
}

/* ------------------------------------------------------------------ foot */

/* The ink of a pixel as the header of tsr-step-layout has it: band by band from the bottom up. */
static guint8
expect_ink (const gint64 *stack, const TsrStepBand *bands, guint n, double share, double y_to)
{
  for (guint b = 0; b < n; b++)
    if (share * y_to < stack[b])
      return bands[b].ink;
  return TSR_RASTER_CLEAR;
}

/* Two bands over 20,000 data, the lower one never below @least, or at one datum when not @flat:
 * what is flat is no raster, and each pixel away from an edge is what it must be. */
static void
check_foot (gint64 least, gboolean flat)
{
  enum
  {
    N = 20000,
    WIDTH = 2000,
    HEIGHT = 400
  };
  static const TsrStepBand bands[] = { { TSR_INK_REGION_0, 0 }, { TSR_INK_REGION_0 + 1, 1 } };
  g_autofree gint64 *low = g_new (gint64, N);
  g_autofree gint64 *high = g_new (gint64, N);
  g_autofree gint64 *top = g_new (gint64, N);
  g_autoptr (TsrStepStack) stack = tsr_step_stack_new (N, 2);
  g_autoptr (TsrPyramid) pyramid = NULL;
  g_autofree guint32 *shown = g_new (guint32, WIDTH);
  TsrStepData data = { .n = N, .n_bands = 2, .bands = bands, .limit = TSR_UNKNOWN };
  TsrChartGeometry geometry = test_geometry (WIDTH, HEIGHT, 1, 0, N);
  TsrPlotArea area = { 0, 0, WIDTH, HEIGHT, 0, 1000 };
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_auto (TestPixels) pixels = { 0 };
  const TsrDrawRaster *raster;

  for (guint i = 0; i < N; i++)
    {
      low[i] = least + g_test_rand_int_range (0, 200);
      high[i] = g_test_rand_int_range (0, 300);
      top[i] = low[i] + high[i];
    }
  if (!flat)
    {
      low[N / 2] = 0; /* shown, since it is the largest */
      top[N / 2] = high[N / 2] = 900;
    }
  tsr_step_stack_add (stack, low, NULL);
  tsr_step_stack_add (stack, high, NULL);
  data.stack = stack;
  data.top = top;
  data.top_pyramid = pyramid = tsr_pyramid_new (top, N);
  data.shown = shown;
  tsr_step_layout (&data, &geometry, &area, list);
  g_assert_cmpuint (list->rasters->len, ==, 1);
  raster = g_ptr_array_index (list->rasters, 0);
  g_assert_cmpuint (list->items->len, ==, flat ? 2 : 1);
  if (flat)
    g_assert_cmpuint (raster->height, <, HEIGHT - HEIGHT * (guint)least / 1000 + 3);
  test_pixels_paint (&pixels, list, &geometry);
  for (guint c = 0; c < WIDTH; c++)
    for (guint y = 0; y < HEIGHT; y++)
      {
        gint64 sums[] = { low[shown[c]], top[shown[c]] };
        double share = 1 - (y + 0.5) / HEIGHT;
        guint8 ink = test_pixels_get (&pixels, c, y);

        if (ABS (share * 1000 - sums[0]) > 2 && ABS (share * 1000 - sums[1]) > 2)
          g_assert_cmpuint (ink, ==, expect_ink (sums, bands, 2, share, 1000));
      }
}

static void
test_foot (void)
{
  check_foot (400, TRUE);
  check_foot (400, FALSE);
}

/* Without values a range stands for its first position, and one that is empty or lies outside for
 * none. */
static void
test_positions (void)
{
  const TsrStepData data = { .n = 10 };
  static const struct
  {
    double from, to;
    guint position;
  } ranges[] = { { 0, 10, 0 },
                 { 2.4, 6, 2 },
                 { 2.6, 6, 3 },
                 { 3.1, 3.2, 3 },
                 { 9.5, 9.9, 9 },
                 { 3.5, 3.5, TSR_NO_INDEX },
                 { 6, 2, TSR_NO_INDEX },
                 { -3, -1, TSR_NO_INDEX },
                 { 10, 12, TSR_NO_INDEX },
                 { 0, NAN, TSR_NO_INDEX } };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    g_assert_cmpuint (tsr_step_layout_position_at (&data, ranges[i].from, ranges[i].to), ==,
                      ranges[i].position);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/step-data/stack", test_stack);
  g_test_add_func ("/step-data/saturation", test_saturation);
  g_test_add_func ("/step-data/structure", test_structure);
  g_test_add_func ("/step-data/foot", test_foot);
  g_test_add_func ("/step-data/positions", test_positions);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pyramid against a loop over the values: every range of many small series, and random ranges
 * of large ones. */

#include "config.h"

#include "tsr-pyramid.h"

static void
assert_range (const TsrPyramid *pyramid, const gint64 *values, guint n, guint from, guint to)
{
  guint min = TSR_NO_INDEX;
  guint max = TSR_NO_INDEX;
  gint64 least = 0;
  gint64 largest = 0;
  gboolean any;

  for (guint i = from; i < MIN (to, n); i++)
    {
      if (values[i] == TSR_UNKNOWN)
        continue;
      if (min == TSR_NO_INDEX || values[i] < values[min])
        min = i;
      if (max == TSR_NO_INDEX || values[i] > values[max])
        max = i;
    }
  g_assert_cmpuint (tsr_pyramid_get_argmax (pyramid, from, to), ==, max);
  any = tsr_pyramid_get_range (pyramid, from, to, &least, &largest);
  g_assert_true (any == (min != TSR_NO_INDEX));
  if (any)
    {
      g_assert_cmpint (least, ==, values[min]);
      g_assert_cmpint (largest, ==, values[max]);
    }
}

/* Few different values, so that ties are many; some unknown. */
static void
fill (gint64 *values, guint n, int spread, int unknown_percent)
{
  for (guint i = 0; i < n; i++)
    values[i] = g_test_rand_int_range (0, 100) < unknown_percent
                    ? TSR_UNKNOWN
                    : g_test_rand_int_range (-spread, spread);
}

static void
test_every_range (void)
{
  static const guint sizes[] = { 0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 130 };
  static const int unknown[] = { 0, 30, 95, 100 };
  gint64 values[130];

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint u = 0; u < G_N_ELEMENTS (unknown); u++)
      {
        g_autoptr (TsrPyramid) pyramid = NULL;

        fill (values, sizes[s], 1 << (u * 5), unknown[u]);
        pyramid = tsr_pyramid_new (values, sizes[s]);
        for (guint from = 0; from <= sizes[s] + 1; from++)
          for (guint to = 0; to <= sizes[s] + 1; to++)
            assert_range (pyramid, values, sizes[s], from, to);
      }
}

/* Ranges that begin and end around the bounds of groups and blocks, and those in between. */
static void
test_blocks (void)
{
  static const guint sizes[] = { 255, 256, 257, 511, 512, 513, 768, 1023, 1040, 2305 };
  static const int unknown[] = { 0, 40, 99 };
  g_autofree gint64 *values = g_new (gint64, 2305);

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint u = 0; u < G_N_ELEMENTS (unknown); u++)
      {
        g_autoptr (TsrPyramid) pyramid = NULL;

        fill (values, sizes[s], 1 << (u * 9), unknown[u]);
        pyramid = tsr_pyramid_new (values, sizes[s]);
        for (guint from = 0; from < sizes[s]; from += from % 16 == 1 ? 14 : 1)
          for (guint to = from; to <= sizes[s]; to += to % 16 == 1 ? 14 : 1)
            assert_range (pyramid, values, sizes[s], from, to);
      }
}

static void
test_large (void)
{
  const guint n = 94208;
  g_autofree gint64 *values = g_new (gint64, n);
  g_autoptr (TsrPyramid) pyramid = NULL;

  fill (values, n, 1000000, 5);
  values[0] = G_MAXINT64;
  values[n - 1] = G_MININT64 + 1;
  pyramid = tsr_pyramid_new (values, n);
  for (guint i = 0; i < 300; i++)
    {
      guint from = g_test_rand_int_range (0, n);
      guint to = g_test_rand_int_range (0, n + 10);

      assert_range (pyramid, values, n, from, to);
    }
  assert_range (pyramid, values, n, 0, n);
  assert_range (pyramid, values, n, 0, G_MAXUINT);
  assert_range (pyramid, values, n, G_MAXUINT, G_MAXUINT);
}

/* Saturated sums are as large as a number can be, and known. */
static void
test_limits (void)
{
  gint64 values[20];
  g_autoptr (TsrPyramid) pyramid = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = i % 3 == 0 ? TSR_UNKNOWN : G_MAXINT64;
  values[13] = G_MININT64 + 1;
  pyramid = tsr_pyramid_new (values, G_N_ELEMENTS (values));
  for (guint from = 0; from < G_N_ELEMENTS (values); from++)
    for (guint to = 0; to <= G_N_ELEMENTS (values); to++)
      assert_range (pyramid, values, G_N_ELEMENTS (values), from, to);
}

/* Many ranges at once are the same as one by one; with @far, where the values span more than 32
 * bits. */
static void
check_list (gint64 far)
{
  enum
  {
    N = 50000,
    N_RANGES = 1777
  };
  g_autofree gint64 *values = g_new (gint64, N);
  g_autoptr (TsrPyramid) pyramid = NULL;
  guint from[N_RANGES], to[N_RANGES];
  guint32 argmax[N_RANGES];
  guint32 argmax_again[N_RANGES];
  gint64 max[N_RANGES], again[N_RANGES], third[N_RANGES], min[N_RANGES];

  fill (values, N, 50, 40);
  for (guint i = 0; i < N; i += 1000)
    values[i] += values[i] != TSR_UNKNOWN ? (i % 2000 == 0 ? far : -far) : 0;
  pyramid = tsr_pyramid_new (values, N);
  for (guint i = 0; i < N_RANGES; i++)
    {
      from[i] = i * 31 % (N + 5);
      to[i] = i % 50 == 0 ? from[i] : from[i] + i % 200 * (i % 7 == 0 ? 20 : 1);
    }
  tsr_pyramid_list_max (pyramid, N_RANGES, from, to, max, argmax);
  tsr_pyramid_list_max (pyramid, N_RANGES, from, to, again, NULL);
  tsr_pyramid_list_range (pyramid, N_RANGES, from, to, third, argmax_again, min);
  for (guint i = 0; i < N_RANGES; i++)
    {
      gint64 largest = TSR_UNKNOWN;
      gint64 least = TSR_UNKNOWN;

      for (guint j = from[i]; j < MIN (to[i], N); j++)
        if (values[j] != TSR_UNKNOWN)
          {
            largest = largest == TSR_UNKNOWN ? values[j] : MAX (largest, values[j]);
            least = least == TSR_UNKNOWN ? values[j] : MIN (least, values[j]);
          }
      g_assert_cmpint (max[i], ==, largest);
      g_assert_cmpint (again[i], ==, largest);
      g_assert_cmpint (third[i], ==, largest);
      g_assert_cmpint (min[i], ==, least);
      g_assert_cmpuint (argmax[i], ==, tsr_pyramid_get_argmax (pyramid, from[i], to[i]));
      g_assert_cmpuint (argmax_again[i], ==, argmax[i]);
    }
}

static void
test_list (void)
{
  check_list (0);
  check_list (G_MAXUINT32 / 2 - 50);
  check_list (G_MAXUINT32 / 2 + 50);
  check_list (G_MAXINT64 / 2 + 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pyramid/every-range", test_every_range);
  g_test_add_func ("/pyramid/blocks", test_blocks);
  g_test_add_func ("/pyramid/large", test_large);
  g_test_add_func ("/pyramid/limits", test_limits);
  g_test_add_func ("/pyramid/list", test_list);
  return g_test_run ();
}

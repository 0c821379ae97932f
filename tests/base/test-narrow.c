/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Narrow columns against plain ones of 64 bits. */

#include "config.h"

#include "tsr-narrow.h"

#define N 20000

static gint64
random_value (GRand *rand)
{
  static const gint64 odd[] = {
    0,
    1,
    TSR_NARROW_WIDE - 1,
    TSR_NARROW_WIDE,
    TSR_NARROW_UNKNOWN,
    (gint64)TSR_NARROW_UNKNOWN + 1,
    G_MAXINT64,
    TSR_UNKNOWN,
    -1,
    G_MAXINT32,
  };

  if (g_rand_int_range (rand, 0, 4) == 0)
    return odd[g_rand_int_range (rand, 0, G_N_ELEMENTS (odd))];
  return (gint64)g_rand_int (rand) << g_rand_int_range (rand, 0, 31);
}

static void
check (gsize rounds, gboolean in_order)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autofree gint64 *plain = g_new (gint64, N);
  TsrNarrow narrow;

  for (gsize i = 0; i < N; i++)
    plain[i] = TSR_UNKNOWN;
  g_assert_true (tsr_narrow_init (&narrow, N));
  for (gsize i = 0; i < rounds; i++)
    {
      gsize at = in_order ? i : (gsize)g_rand_int_range (rand, 0, N);
      gint64 value = random_value (rand);

      tsr_narrow_set (&narrow, at, value);
      plain[at] = value < 0 ? TSR_UNKNOWN : value;
    }
  tsr_narrow_seal (&narrow);
  g_assert_cmpuint (narrow.n, ==, N);
  for (gsize i = 0; i < N; i++)
    g_assert_cmpint (tsr_narrow_get (&narrow, i), ==, plain[i]);
  tsr_narrow_clear (&narrow);
  g_assert_null (narrow.values);
}

static void
test_in_order (void)
{
  check (N, TRUE);
  check (N / 2, TRUE);
}

/* Many are set more than once: from wide to narrow, back, and from wide to wide. */
static void
test_any_order (void)
{
  check (N * 4, FALSE);
  check (N / 4, FALSE);
}

static void
test_sizes (void)
{
  TsrNarrow narrow;

  g_assert_true (tsr_narrow_init (&narrow, 0));
  g_assert_cmpuint (narrow.n, ==, 0);
  tsr_narrow_seal (&narrow);
  tsr_narrow_clear (&narrow);
  g_assert_true (tsr_narrow_init (&narrow, 1));
  g_assert_cmpint (tsr_narrow_get (&narrow, 0), ==, TSR_UNKNOWN);
  tsr_narrow_set (&narrow, 0, G_MAXINT64);
  tsr_narrow_seal (&narrow);
  g_assert_cmpint (tsr_narrow_get (&narrow, 0), ==, G_MAXINT64);
  tsr_narrow_clear (&narrow);
  g_assert_false (tsr_narrow_init (&narrow, G_MAXSIZE / 8));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/narrow/in-order", test_in_order);
  g_test_add_func ("/narrow/any-order", test_any_order);
  g_test_add_func ("/narrow/sizes", test_sizes);
  return g_test_run ();
}

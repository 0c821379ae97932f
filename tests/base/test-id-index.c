/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From ids to places: against a look at every id, for ids that are dense, have holes, are far
 * apart, and stand at the ends of what 64 bits hold. */

#include "config.h"

#include "tsr-id-index.h"

static guint32
find_naively (const gint64 *ids, gsize n, gint64 id)
{
  for (gsize i = 0; i < n; i++)
    if (ids[i] == id)
      return i;
  return TSR_NO_INDEX;
}

static void
check (const gint64 *ids, gsize n)
{
  static const gint64 others[]
      = { G_MININT64, G_MININT64 + 1, -1, 0, 1, G_MAXINT64 - 1, G_MAXINT64 };
  g_auto (TsrIdIndex) index = { 0 };

  tsr_id_index_init (&index, ids, n);
  for (gsize i = 0; i < n; i++)
    for (int d = -2; d <= 2; d++)
      {
        gint64 id = (gint64)((guint64)ids[i] + (guint64)(gint64)d);

        g_assert_cmpuint (tsr_id_index_find (&index, id), ==, find_naively (ids, n, id));
      }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_cmpuint (tsr_id_index_find (&index, others[i]), ==, find_naively (ids, n, others[i]));
}

static void
test_kinds (void)
{
  const gint64 one[] = { 5 };
  const gint64 dense[] = { -2, -1, 0, 1, 2, 3 };
  const gint64 holes[] = { 10, 11, 13, 17, 18, 22 };
  const gint64 far[] = { -1000000000000, -7, 0, 8, 4611686018427387904 };
  const gint64 ends[] = { G_MININT64 + 1, 0, G_MAXINT64 };
  const gint64 low[] = { G_MININT64 + 1, G_MININT64 + 2 };
  const gint64 high[] = { G_MAXINT64 - 3, G_MAXINT64 - 1, G_MAXINT64 };

  check (NULL, 0);
  check (one, G_N_ELEMENTS (one));
  check (dense, G_N_ELEMENTS (dense));
  check (holes, G_N_ELEMENTS (holes));
  check (far, G_N_ELEMENTS (far));
  check (ends, G_N_ELEMENTS (ends));
  check (low, G_N_ELEMENTS (low));
  check (high, G_N_ELEMENTS (high));
}

/* From no holes to such as need a search. */
static void
test_random (void)
{
  for (guint step = 1; step <= 64; step *= 2)
    {
      gint64 ids[300];
      gint64 id = -1000;

      for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
        ids[i] = id += 1 + g_test_rand_int_range (0, (gint32)step);
      check (ids, G_N_ELEMENTS (ids));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/id-index/kinds", test_kinds);
  g_test_add_func ("/id-index/random", test_random);
  return g_test_run ();
}

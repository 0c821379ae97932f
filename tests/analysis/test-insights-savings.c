/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Savings against a loop over all steps, on lowered variables made by hand. */

#include "config.h"

#include "insight-fixture.h"

/* saved(t) as the formula has it: every step, every row. */
static gint64
naive_saving (Fixture *f, guint tile, const guint8 *in, double factor, guint least, double trim)
{
  gint64 before = 0;
  double after = 0;
  gint64 always = 0;

  for (guint k = 0; k < f->c.n_steps; k++)
    {
      gint64 now = 0;
      double left = 0;

      for (guint i = 0; i < f->rows->len; i++)
        {
          const FixtureRow *row = &g_array_index (f->rows, FixtureRow, i);
          guint cut = (guint)(trim * (row->to - row->from) + 0.999999);
          gboolean goes = in[row->variable] && row->to - row->from >= least && k >= row->from + cut
                          && k + cut < row->to;

          if (row->tile != tile || row->to == 0 || k < row->from || k >= row->to)
            continue;
          now += row->size;
          left += goes ? row->size * (1 - factor) : row->size;
        }
      before = MAX (before, now);
      after = MAX (after, left);
    }
  for (guint i = 0; i < f->rows->len; i++)
    {
      const FixtureRow *row = &g_array_index (f->rows, FixtureRow, i);

      if (row->tile == tile && row->to == 0 && in[row->variable])
        always += row->size;
    }
  return (gint64)(factor * (double)always + (double)before - after);
}

static void
compare_savings (Fixture *f, const TsrInsightChange *change)
{
  gint64 worst = 0;
  gint64 all = 0;
  gint64 sum = 0;

  g_assert_true (tsr_insight_get_saving (&f->c, change, &worst, &all));
  for (guint t = 0; t < f->c.n_tiles; t++)
    {
      gint64 saved = naive_saving (f, t, change->in, change->factor, change->least, change->trim);

      sum += saved;
      if (t == f->c.worst)
        g_assert_cmpint (worst, ==, saved);
    }
  g_assert_cmpint (all, ==, sum);
}

static void
test_savings (void)
{
  for (guint seed = 1; seed <= 40; seed++)
    {
      g_autoptr (Fixture) f = fixture_new (4, FIXTURE_CAPACITY);
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      guint8 in[6];

      for (guint v = 0; v < 6; v++)
        {
          fixture_variable (f, "v", "float", TSR_LIFE_TEMPORARY);
          in[v] = g_rand_int_range (random, 0, 2);
        }
      for (guint i = 0; i < 60; i++)
        {
          guint from = g_rand_int_range (random, 0, FIXTURE_STEPS);
          guint to = g_rand_int_range (random, from + 1, FIXTURE_STEPS + 1);

          fixture_row (f, g_rand_int_range (random, 0, 4), 2 * g_rand_int_range (random, 0, 500),
                       g_rand_int_range (random, 0, 6), from,
                       g_rand_int_range (random, 0, 8) == 0 ? 0 : to);
        }
      fixture_fill (f, 10, 10);
      fixture_finish (f, FIXTURE_STEPS);
      compare_savings (f, &(TsrInsightChange){ in, 1, 0, 0 });
      compare_savings (f, &(TsrInsightChange){ in, 0.5, 0, 0 });
      compare_savings (f, &(TsrInsightChange){ in, 1, 25, 0.01 });
      compare_savings (f, &(TsrInsightChange){ in, 1, 0, 0.3 });
      compare_savings (f, &(TsrInsightChange){ in, 1, 0, 0.6 }); /* nothing is left between */
    }
}

/* A size that is not told makes what rests on it unknown, and nothing else. */
static void
test_unknown_saving (void)
{
  g_autoptr (Fixture) f = fixture_new_lives ();
  guint32 a = fixture_variable (f, "a", "float", TSR_LIFE_TEMPORARY);
  guint32 b = fixture_variable (f, "b", "float", TSR_LIFE_TEMPORARY);
  const guint8 in_a[] = { 1, 0 };
  const guint8 in_b[] = { 0, 1 };
  gint64 worst, all;

  fixture_row (f, 0, 100, a, 0, 10);
  fixture_row (f, 0, 200, b, 5, 10);
  fixture_row (f, 1, 300, b, 5, 10);
  fixture_finish (f, FIXTURE_STEPS);
  f->lowered.size[0] = TSR_LOWERED_UNKNOWN;
  tsr_insight_get_saving (&f->c, &(TsrInsightChange){ in_b, 1, 0, 0 }, &worst, &all);
  g_assert_cmpint (worst, ==, 300);
  g_assert_cmpint (all, ==, TSR_UNKNOWN);
  tsr_insight_get_saving (&f->c, &(TsrInsightChange){ in_a, 1, 0, 0 }, &worst, &all);
  g_assert_cmpint (worst, ==, 0);
  g_assert_cmpint (all, ==, TSR_UNKNOWN);
  /* Without lowered variables there is nothing to stop for. */
  f->c.lowered = NULL;
  worst = all = 0;
  g_assert_true (
      tsr_insight_get_saving (&f->c, &(TsrInsightChange){ in_a, 1, 0, 0 }, &worst, &all));
  g_assert_cmpint (worst, ==, TSR_UNKNOWN);
  g_assert_cmpint (all, ==, TSR_UNKNOWN);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insights/savings/savings", test_savings);
  g_test_add_func ("/insights/savings/unknown-saving", test_unknown_saving);
  return g_test_run ();
}

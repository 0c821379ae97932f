/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All rules at once: what is not told, sizes that no sum can hold, and every threshold by its name.
 */

#include "config.h"

#include "insight-fixture.h"

#include <string.h>

static void
test_fit_unknown (void)
{
  g_autoptr (Fixture) one = fixture_new_tiles (50000, 60000);
  g_autoptr (Fixture) capacity = fixture_new_tiles (50000, 60000);
  g_autoptr (Fixture) none = fixture_new (0, FIXTURE_CAPACITY);
  static const char *const rules[]
      = { "out-of-memory", "near-capacity", "tile-imbalance", "gaps-on-full-tiles" };

  one->inc[5] = one->ovf[5] = TSR_UNKNOWN;
  fixture_finish (one, 0);
  g_assert_cmpint (one->c.fit, ==, TSR_FIT_UNKNOWN);
  g_assert_cmpint (fixture_result (one, "out-of-memory"), ==, TSR_RULE_NOT_CHECKED);
  g_assert_cmpint (fixture_result (one, "near-capacity"), ==, TSR_RULE_NOT_CHECKED);
  g_assert_cmpint (fixture_result (one, "tile-imbalance"), ==, TSR_RULE_NOT_CHECKED);
  /* The fullest tile that is told is what this one looks at. */
  g_assert_cmpint (fixture_result (one, "gaps-on-full-tiles"), ==, TSR_RULE_FINE);

  capacity->c.capacity = TSR_UNKNOWN;
  capacity->c.ovf = NULL;
  fixture_finish (capacity, 0);
  fixture_finish (none, 0);
  g_assert_cmpint (none->c.fit, ==, TSR_FIT_UNKNOWN);
  g_assert_cmpuint (none->c.worst, ==, TSR_NO_INDEX);
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_assert_cmpint (fixture_result (capacity, rules[i]), ==, TSR_RULE_NOT_CHECKED);
      g_assert_cmpint (fixture_result (none, rules[i]), ==, TSR_RULE_NOT_CHECKED);
    }
}

/* All tiles together, of as many as there are. */
static void
test_sums (void)
{
  for (guint n = 0; n < 5; n++)
    {
      g_autoptr (Fixture) f = fixture_new (n, FIXTURE_CAPACITY);
      gint64 including = n > 0 ? 0 : TSR_UNKNOWN, excluding = including, code = 0;

      for (guint t = 0; t < n; t++)
        {
          f->inc[t] = 1000 + t;
          f->exc[t] = 900 + t * t;
          fixture_category (f, "vertexCode")[t] = 10 * t + 1;
          including += f->inc[t];
          excluding += f->exc[t];
          code += 10 * t + 1;
        }
      fixture_finish (f, 0);
      g_assert_cmpint (f->c.sum_inc, ==, including);
      g_assert_cmpint (f->c.sum_exc, ==, excluding);
      if (n > 0)
        g_assert_cmpint (tsr_insight_sum_category (&f->c, "vertexCode"), ==, code);
    }
}

/* Whether a row of @f that is called @name (nullable: any) begins, or ends, at @offset. */
static gboolean
is_edge (const Fixture *f, const char *name, gint64 offset, gboolean ends)
{
  for (guint i = 0; i < f->rows->len; i++)
    {
      const FixtureRow *row = &g_array_index (f->rows, FixtureRow, i);
      const char *of = g_array_index (f->variables, TsrInsightVariable, row->variable).name;

      if (row->offset + (ends ? row->size : 0) == offset && g_strcmp0 (of, name) == 0)
        return TRUE;
    }
  return name == NULL && offset == 0;
}

/* Addresses that nothing covers, as a list of all bytes has them: larger first, then lower. */
static void
test_gaps (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint round = 0; round < 300; round++)
    {
      g_autoptr (Fixture) f = fixture_new_lives ();
      guint8 covered[128] = { 0 };
      guint end = 0, n_gaps = 0, n_rows = (guint)g_rand_int_range (rand, 1, 8);

      for (guint i = 0; i < n_rows; i++)
        {
          static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g" };
          guint32 size = (guint32)g_rand_int_range (rand, 0, 12);
          guint32 offset = (guint32)g_rand_int_range (rand, 0, 100);

          fixture_row (f, 1, size, fixture_variable (f, names[i], "float", TSR_LIFE_ALWAYS), 0, 0);
          g_array_index (f->rows, FixtureRow, f->rows->len - 1).offset = offset;
          memset (covered + offset, 1, size);
          end = size > 0 ? MAX (end, offset + size) : end;
        }
      fixture_finish (f, FIXTURE_STEPS);
      for (guint at = 0; at < end; at++)
        n_gaps += covered[at] == 0 && (at == 0 || covered[at - 1] != 0);
      g_assert_cmpuint (f->c.gaps->len, ==, n_gaps);
      for (guint i = 0; i < n_gaps; i++)
        {
          const TsrInsightGap *gap = &g_array_index (f->c.gaps, TsrInsightGap, i);

          g_assert_true (gap->from == 0 || covered[gap->from - 1] != 0);
          g_assert_cmpint (covered[gap->from + gap->bytes], ==, 1);
          for (gint64 at = gap->from; at < gap->from + gap->bytes; at++)
            g_assert_cmpint (covered[at], ==, 0);
          g_assert_true (is_edge (f, gap->before, gap->from, TRUE));
          g_assert_true (is_edge (f, gap->after, gap->from + gap->bytes, FALSE));
          if (i > 0)
            g_assert_true (gap[-1].bytes > gap->bytes
                           || (gap[-1].bytes == gap->bytes && gap[-1].from < gap->from));
        }
    }
}

/* Sizes that no sum can hold stay what they are, and no rule falls over them. */
static void
test_huge (void)
{
  g_autoptr (Fixture) f = fixture_new_tiles (G_MAXINT64 / 4, G_MAXINT64);

  f->ovf[1] = G_MAXINT64;
  fixture_category (f, "instrumentationResults")[3] = G_MAXINT64;
  fixture_category (f, "internalExchangeCode")[3] = G_MAXINT64;
  fixture_finish (f, 0);
  g_assert_cmpint (f->c.fit, ==, TSR_OUT_OF_MEMORY);
  g_assert_cmpint (f->c.sum_inc, ==, G_MAXINT64);
  for (guint i = 0; i < TSR_N_RULES; i++)
    {
      TsrVerdict v;

      fixture_check (f, tsr_insight_rules_get (i)->id, &v);
      tsr_verdict_clear (&v);
    }
}

/* Every threshold by its name: a change here is one that somebody meant. */
static void
test_limits (void)
{
  static const struct
  {
    const char *name;
    double value;
  } expected[] = {
    { "out-of-memory.spread", 0.95 },
    { "overflow.saving", 1024 },
    { "near-capacity.free", 0.05 },
    { "near-capacity.warning", 0.02 },
    { "tile-imbalance.ratio", 1.3 },
    { "tile-imbalance.full", 0.7 },
    { "tile-imbalance.warning", 0.9 },
    { "tile-imbalance.above", 1.2 },
    { "tile-imbalance.tiles", 8 },
    { "gaps-on-full-tiles.full", 0.85 },
    { "gaps-on-full-tiles.size", 0.05 },
    { "peak-spike.plateau", 0.9 },
    { "peak-spike.size", 0.05 },
    { "peak-spike.window", 0.02 },
    { "peak-spike.steps", 50 },
    { "peak-spike.ends", 0.01 },
    { "peak-spike.warning", 0.9 },
    { "long-lived-activations.length", 0.25 },
    { "long-lived-activations.untouched", 0.8 },
    { "long-lived-activations.share", 0.1 },
    { "long-lived-activations.size", 0.02 },
    { "long-lived-activations.trim", 0.01 },
    { "long-lived-activations.birth", 0.5 },
    { "fp32-at-peak.size", 0.05 },
    { "fp32-at-peak.share", 0.1 },
    { "resident-state.live", 0.98 },
    { "resident-state.size", 0.4 },
    { "resident-state.optimiser", 0.1 },
    { "exchange-code.size", 0.1 },
    { "exchange-code.share", 0.2 },
    { "exchange-code.warning", 0.8 },
    { "exchange-code.group", 4 },
    { "vertex-memory.state", 0.1 },
    { "vertex-memory.specialisations", 4 },
    { "vertex-memory.code", 0.03 },
    { "vertex-memory.all-code", 0.12 },
    { "io-code-and-headers.size", 0.04 },
    { "io-code-and-headers.share", 0.03 },
    { "io-code-and-headers.copies", 8 },
    { "instrumentation.size", 0.01 },
    { "one-off-code.size", 0.03 },
    { "one-off-code.median", 4 },
    { "execution.warning", 0.1 },
    { "execution.advice", 0.02 },
    { "compute-imbalance.loss", 0.05 },
    { "compute-imbalance.cycles", 200 },
    { "idle-tiles.loss", 0.03 },
    { "idle-tiles.active", 0.5 },
    { "idle-tiles.cycles", 1000 },
    { "exchange-bound.cycles", 0.03 },
    { "exchange-bound.share", 0.5 },
    { "exchange-bound.run", 0.35 },
    { "exchange-bound.normal", 0.25 },
    { "exchange-bound.tiles", 16 },
    { "host-wait.share", 0.05 },
    { "unoverlapped-io.alone", 0.05 },
    { "stage-imbalance.loss", 0.1 },
    { "stage-imbalance.bubble", 0.1 },
    { "tiny-steps.cycles", 300 },
    { "tiny-steps.steps", 1000 },
    { "tiny-steps.cost", 0.1 },
  };
  guint n = 0;
  const TsrInsightLimit *limits = tsr_insight_limits_get (&n);

  g_assert_cmpuint (n, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < n; i++)
    {
      /* Two hold for all rules about the execution, one for all about memory. */
      gboolean named = g_str_has_prefix (limits[i].name, "execution.")
                       || g_str_has_prefix (limits[i].name, "overflow.");
      guint k;

      for (k = 0; k < n && !g_str_equal (limits[k].name, expected[i].name); k++)
        continue;
      g_assert_cmpuint (k, <, n);
      g_assert_cmpfloat (limits[k].value, ==, expected[i].value);
      g_assert_cmpstr (limits[i].unit, !=, "");
      g_assert_cmpstr (limits[i].meaning, !=, "");
      for (guint r = 0; r < TSR_N_RULES; r++)
        named = named
                || (g_str_has_prefix (limits[i].name, tsr_insight_rules_get (r)->id)
                    && limits[i].name[strlen (tsr_insight_rules_get (r)->id)] == '.');
      g_assert_true (named);
    }
  g_assert_true (tsr_insight_matches ("x/Accl___w", "accumulators"));
  g_assert_true (tsr_insight_matches ("x/ACCUM", "accumulators"));
  g_assert_false (tsr_insight_matches ("x/activation", "accumulators"));
  g_assert_true (tsr_insight_matches ("ipu1/stash:0", "stash"));
  g_assert_true (tsr_insight_matches ("bn/running_mean", "keep-fp32"));
  g_assert_true (tsr_insight_matches ("w/exp_avg_sq", "optimiser"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insights/fit/fit-unknown", test_fit_unknown);
  g_test_add_func ("/insights/fit/sums", test_sums);
  g_test_add_func ("/insights/fit/gaps", test_gaps);
  g_test_add_func ("/insights/fit/huge", test_huge);
  g_test_add_func ("/insights/fit/limits", test_limits);
  return g_test_run ();
}

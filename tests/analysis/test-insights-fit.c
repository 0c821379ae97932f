/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules 1 to 4 and 12 at and beside each of their thresholds, on tiles made by hand. */

#include "config.h"

#include "insight-fixture.h"

#include <string.h>

#define T 100000

/* A report of 16 tiles at @inc but for tile 3, which holds @worst. */
static Fixture *
make (gint64 inc, gint64 worst)
{
  Fixture *f = fixture_new (16, T);
  gint64 *code = fixture_category (f, "vertexCode");

  fixture_fill (f, inc, inc);
  f->inc[3] = f->exc[3] = worst;
  for (guint t = 0; t < 16; t++)
    code[t] = 10;
  return f;
}

static void
test_out_of_memory (void)
{
  g_autoptr (Fixture) over = make (50000, T + 1);
  g_autoptr (Fixture) full = make (T, T);
  g_autoptr (Fixture) overflowed = make (50000, 50000);
  TsrVerdict v;

  fixture_finish (over, 0);
  g_assert_cmpint (over->c.fit, ==, TSR_OUT_OF_MEMORY);
  g_assert_cmpint (fixture_check (over, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ERROR);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 1);
  g_assert_cmpint (v.finding->bytes, ==, 1);
  g_assert_cmpuint (v.finding->where.n_tiles, ==, 1);
  g_assert_cmpuint (v.finding->where.tiles[0], ==, 3);
  g_assert_nonnull (strstr (v.finding->text, "If spread evenly"));
  tsr_verdict_clear (&v);

  /* Exactly full everywhere fits. */
  fixture_finish (full, 0);
  g_assert_cmpint (full->c.fit, ==, TSR_FITS);
  g_assert_cmpint (fixture_result (full, "out-of-memory"), ==, TSR_RULE_FINE);

  /* What overflowed counts although the extent is small; the largest need comes first. */
  overflowed->ovf[7] = 9;
  overflowed->ovf[8] = 11;
  overflowed->ovf[9] = 11;
  fixture_finish (overflowed, 0);
  g_assert_cmpuint (overflowed->c.n_critical, ==, 3);
  g_assert_cmpuint (overflowed->c.critical[0], ==, 8);
  g_assert_cmpuint (overflowed->c.critical[1], ==, 9);
  g_assert_cmpuint (overflowed->c.critical[2], ==, 7);
  g_assert_cmpint (fixture_check (overflowed, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 11);
  g_assert_cmpint (v.finding->bytes, ==, 31);
  tsr_verdict_clear (&v);
}

/* Which of the sentences about an even spread it is. */
static void
test_would_fit (void)
{
  g_autoptr (Fixture) even = make (95000, T + 16 * 100000);
  g_autoptr (Fixture) gaps = make (96000, T + 1);
  g_autoptr (Fixture) unknown = make (96000, T + 1);
  TsrVerdict v;

  fixture_finish (even, 0);
  g_assert_cmpint (fixture_check (even, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "does not fit even if spread evenly"));
  tsr_verdict_clear (&v);
  fixture_fill (gaps, 96000, 90000);
  gaps->inc[3] = T + 1;
  fixture_finish (gaps, 0);
  g_assert_cmpint (fixture_check (gaps, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "Excluding gaps it would fit"));
  tsr_verdict_clear (&v);

  /* One tile that is not told: it does not fit all the same, and no sum is made up. */
  unknown->inc[5] = unknown->ovf[5] = TSR_UNKNOWN;
  fixture_finish (unknown, 0);
  g_assert_cmpint (unknown->c.fit, ==, TSR_OUT_OF_MEMORY);
  g_assert_cmpint (fixture_check (unknown, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes, ==, TSR_UNKNOWN);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 1);
  tsr_verdict_clear (&v);
}

static void
test_fit_unknown (void)
{
  g_autoptr (Fixture) one = make (50000, 60000);
  g_autoptr (Fixture) capacity = make (50000, 60000);
  g_autoptr (Fixture) none = fixture_new (0, T);
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

static void
test_near_capacity (void)
{
  g_autoptr (Fixture) below = make (50000, T - 4900);
  g_autoptr (Fixture) above = make (50000, T - 5100);
  g_autoptr (Fixture) at = make (50000, T - 5000);
  g_autoptr (Fixture) warning = make (50000, T - 1900);
  g_autoptr (Fixture) advice = make (50000, T - 2000);
  g_autoptr (Fixture) instrumented = make (50000, T - 4000);
  g_autoptr (Fixture) hardly = make (50000, T - 4000);
  TsrVerdict v;

  fixture_finish (below, 0);
  g_assert_cmpint (fixture_check (below, "near-capacity", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, TSR_UNKNOWN);
  tsr_verdict_clear (&v);
  fixture_finish (above, 0);
  g_assert_cmpint (fixture_result (above, "near-capacity"), ==, TSR_RULE_FINE);
  fixture_finish (at, 0);
  g_assert_cmpint (fixture_result (at, "near-capacity"), ==, TSR_RULE_FINE);
  fixture_finish (warning, 0);
  g_assert_cmpint (fixture_check (warning, "near-capacity", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
  fixture_finish (advice, 0);
  g_assert_cmpint (fixture_check (advice, "near-capacity", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  tsr_verdict_clear (&v);

  /* 4 % are free, and the profiler holds more than the one per cent that is missing. */
  fixture_category (instrumented, "instrumentationResults")[3] = 1001;
  fixture_finish (instrumented, 0);
  g_assert_cmpint (fixture_check (instrumented, "near-capacity", &v), ==, TSR_RULE_FINE);
  g_assert_nonnull (strstr (v.text, "without instrumentation"));
  tsr_verdict_clear (&v);
  fixture_category (hardly, "instrumentationResults")[3] = 1000;
  fixture_finish (hardly, 0);
  g_assert_cmpint (fixture_result (hardly, "near-capacity"), ==, TSR_RULE_FIRED);
}

static void
test_imbalance (void)
{
  g_autoptr (Fixture) half_empty = make (25000, 50000);
  g_autoptr (Fixture) fires = make (55000, 71500);
  g_autoptr (Fixture) ratio = make (55010, 71500);
  g_autoptr (Fixture) full = make (50000, 69999);
  g_autoptr (Fixture) warning = make (60000, 90000);
  g_autoptr (Fixture) gappy = make (60000, 80000);
  TsrVerdict v;

  fixture_finish (half_empty, 0);
  g_assert_cmpint (fixture_result (half_empty, "tile-imbalance"), ==, TSR_RULE_FINE);
  fixture_finish (fires, 0);
  g_assert_cmpint (fixture_check (fires, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 16500);
  g_assert_cmpint (v.finding->bytes, ==, 0);
  g_assert_cmpstr (v.finding->scope, ==, "ipu0");
  tsr_verdict_clear (&v);
  fixture_finish (ratio, 0);
  g_assert_cmpint (fixture_result (ratio, "tile-imbalance"), ==, TSR_RULE_FINE);
  fixture_finish (full, 0);
  g_assert_cmpint (fixture_result (full, "tile-imbalance"), ==, TSR_RULE_FINE);
  fixture_finish (warning, 0);
  g_assert_cmpint (fixture_check (warning, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
  /* Without categories it fires all the same and says what it does not know. */
  gappy->names->len = 0;
  fixture_finish (gappy, 0);
  g_assert_cmpint (fixture_check (gappy, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "only copy"));
  tsr_verdict_clear (&v);
  gappy->names->len = 1;
}

/* Tiles without a vertex are not compared, and tables of control are no cause. */
static void
test_imbalance_guards (void)
{
  g_autoptr (Fixture) copies = make (75000, 80000);
  g_autoptr (Fixture) control = make (60000, 80000);
  g_autoptr (Fixture) few = fixture_new (7, T);
  g_autoptr (Fixture) codeless = make (60000, 80000);
  g_autoptr (Fixture) cause = make (60000, 90000);
  guint32 table = fixture_variable (cause, "table", "float", TSR_LIFE_ALWAYS);
  guint32 other = fixture_variable (cause, "other", "float", TSR_LIFE_ALWAYS);
  TsrVerdict v;

  for (guint t = 8; t < 16; t++)
    {
      copies->inc[t] = 15000;
      fixture_category (copies, "vertexCode")[t] = 0;
    }
  fixture_finish (copies, 0);
  g_assert_cmpint (fixture_result (copies, "tile-imbalance"), ==, TSR_RULE_FINE);

  fixture_category (control, "controlTable")[3] = 20000;
  fixture_finish (control, 0);
  g_assert_cmpint (fixture_result (control, "tile-imbalance"), ==, TSR_RULE_FINE);

  fixture_fill (few, 50000, 50000);
  few->inc[0] = 90000;
  fixture_finish (few, 0);
  g_assert_cmpint (fixture_result (few, "tile-imbalance"), ==, TSR_RULE_FINE);

  /* No tile has a vertex: then all are compared. */
  memset (fixture_category (codeless, "vertexCode"), 0, 16 * sizeof (gint64));
  fixture_finish (codeless, 0);
  g_assert_cmpint (fixture_result (codeless, "tile-imbalance"), ==, TSR_RULE_FIRED);

  /* Categories are counted from 0 in the order of their names here: 0 is vertexCode. */
  fixture_category (cause, "vertexCode")[3] = 30010;
  fixture_row (cause, 3, 1000, other, 0, 0);
  fixture_row (cause, 3, 29000, table, 0, 0);
  fixture_row (cause, 0, 900, other, 0, 0);
  fixture_finish (cause, 10);
  g_assert_cmpint (fixture_check (cause, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "vertexCode: table"));
  g_assert_cmpstr (v.finding->where.names[0], ==, "table");
  tsr_verdict_clear (&v);
}

static void
test_gaps (void)
{
  g_autoptr (Fixture) empty = make (41000, 41000);
  g_autoptr (Fixture) fires = make (50000, 85000);
  g_autoptr (Fixture) less_full = make (50000, 84999);
  g_autoptr (Fixture) small = make (50000, 85000);
  g_autoptr (Fixture) alone = make (50000, T + 1);
  g_autoptr (Fixture) none = make (50000, 90000);
  TsrVerdict v;

  /* Interleaved data at a fixed high address of an empty tile: a gap that costs nothing. */
  fixture_fill (empty, 41000 + 6400 + 17000, 41000 + 6400);
  fixture_finish (empty, 0);
  g_assert_cmpint (fixture_result (empty, "gaps-on-full-tiles"), ==, TSR_RULE_FINE);
  fires->exc[3] = 80000;
  fixture_finish (fires, 0);
  g_assert_cmpint (fixture_check (fires, "gaps-on-full-tiles", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 5000);
  g_assert_cmpint (v.finding->confidence, ==, TSR_CONFIDENCE_UPPER_BOUND);
  tsr_verdict_clear (&v);
  less_full->exc[3] = 70000;
  fixture_finish (less_full, 0);
  g_assert_cmpint (fixture_result (less_full, "gaps-on-full-tiles"), ==, TSR_RULE_FINE);
  small->exc[3] = 80001;
  fixture_finish (small, 0);
  g_assert_cmpint (fixture_result (small, "gaps-on-full-tiles"), ==, TSR_RULE_FINE);
  alone->exc[3] = T - 5000;
  fixture_finish (alone, 0);
  g_assert_cmpint (fixture_check (alone, "gaps-on-full-tiles", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
  none->c.exc = NULL;
  fixture_finish (none, 0);
  g_assert_cmpint (fixture_result (none, "gaps-on-full-tiles"), ==, TSR_RULE_NOT_CHECKED);
}

/* Where the gaps are, and between whom. */
static void
test_gap_places (void)
{
  g_autoptr (Fixture) f = make (50000, 95000);
  g_autofree gint64 *interleaved = g_new0 (gint64, 16);
  guint32 a = fixture_variable (f, "a", "float", TSR_LIFE_ALWAYS);
  guint32 b = fixture_variable (f, "b", "float", TSR_LIFE_ALWAYS);
  TsrVerdict v;

  fixture_row (f, 3, 20000, a, 0, 0);
  fixture_row (f, 3, 30000, b, 0, 0);
  g_array_index (f->rows, FixtureRow, 1).offset = 65000;
  f->exc[3] = 50000;
  interleaved[3] = 30000;
  f->c.interleaved = interleaved;
  f->c.interleaved_start = 60000;
  fixture_finish (f, 10);
  g_assert_cmpint (fixture_check (f, "gaps-on-full-tiles", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 45000);
  g_assert_cmpuint (v.finding->evidence->len, ==, 1);
  g_assert_cmpstr (g_array_index (v.finding->evidence, TsrEvidence, 0).name, ==, "between a and b");
  g_assert_cmpint (g_array_index (v.finding->evidence, TsrEvidence, 0).bytes, ==, 45000);
  g_assert_cmpint (f->c.below_end, ==, 20000);
  g_assert_nonnull (strstr (v.finding->text, "below the interleaved region"));
  tsr_verdict_clear (&v);
}

static void
test_instrumentation (void)
{
  g_autoptr (Fixture) below = make (50000, 60000);
  g_autoptr (Fixture) at = make (50000, 60000);
  g_autoptr (Fixture) larger = make (50000, T + 501);
  g_autoptr (Fixture) smaller = make (50000, T + 499);
  g_autoptr (Fixture) missing = make (50000, 60000);
  TsrVerdict v;

  fixture_category (below, "instrumentationResults")[3] = 999;
  fixture_finish (below, 0);
  g_assert_cmpint (fixture_result (below, "instrumentation"), ==, TSR_RULE_FINE);
  fixture_category (at, "instrumentationResults")[3] = 1000;
  fixture_category (at, "instrumentationResults")[4] = 7;
  at->inc[11] = 49000;
  fixture_finish (at, 0);
  g_assert_cmpint (fixture_check (at, "instrumentation", &v), ==, TSR_RULE_FIRED);
  g_assert_true (v.finding->at_least);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_INFO);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 1000);
  g_assert_cmpint (v.finding->bytes, ==, 1007);
  g_assert_nonnull (strstr (v.finding->action, "the emptiest is 11"));
  tsr_verdict_clear (&v);
  /* One byte more than the profiler holds overflows; one byte less. */
  fixture_category (larger, "instrumentationResults")[3] = 500;
  fixture_finish (larger, 0);
  g_assert_cmpint (fixture_result (larger, "instrumentation"), ==, TSR_RULE_FINE);
  fixture_category (smaller, "instrumentationResults")[3] = 500;
  fixture_finish (smaller, 0);
  g_assert_cmpint (fixture_check (smaller, "instrumentation", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  g_assert_nonnull (strstr (v.finding->text, "profiling makes it overflow"));
  tsr_verdict_clear (&v);
  fixture_category (missing, "instrumentationResults")[3] = TSR_UNKNOWN;
  fixture_finish (missing, 0);
  g_assert_cmpint (fixture_result (missing, "instrumentation"), ==, TSR_RULE_NOT_CHECKED);
}

/* Sizes that no sum can hold stay what they are, and no rule falls over them. */
static void
test_huge (void)
{
  g_autoptr (Fixture) f = make (G_MAXINT64 / 4, G_MAXINT64);

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

      g_assert_cmpfloat (tsr_insight_limit (expected[i].name), ==, expected[i].value);
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
  g_test_add_func ("/insights/fit/out-of-memory", test_out_of_memory);
  g_test_add_func ("/insights/fit/would-fit", test_would_fit);
  g_test_add_func ("/insights/fit/unknown", test_fit_unknown);
  g_test_add_func ("/insights/fit/near-capacity", test_near_capacity);
  g_test_add_func ("/insights/fit/imbalance", test_imbalance);
  g_test_add_func ("/insights/fit/imbalance-guards", test_imbalance_guards);
  g_test_add_func ("/insights/fit/gaps", test_gaps);
  g_test_add_func ("/insights/fit/gap-places", test_gap_places);
  g_test_add_func ("/insights/fit/instrumentation", test_instrumentation);
  g_test_add_func ("/insights/fit/huge", test_huge);
  g_test_add_func ("/insights/fit/limits", test_limits);
  return g_test_run ();
}

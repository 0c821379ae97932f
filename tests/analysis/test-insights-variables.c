/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules 5 to 8 at and beside each of their thresholds, and savings against a loop over all steps,
 * on lowered variables made by hand. */

#include "config.h"

#include "insight-fixture.h"

#include <string.h>

#define T       100000
#define N_STEPS 100

/* Two tiles, of which tile 1 is the worst; a report that fits. */
static Fixture *
make (void)
{
  Fixture *f = fixture_new (2, T);

  fixture_fill (f, 40000, 40000);
  f->inc[1] = f->exc[1] = 50000;
  return f;
}

/* --------------------------------------------------------------- savings */

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
      g_autoptr (Fixture) f = fixture_new (4, T);
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      guint8 in[6];

      for (guint v = 0; v < 6; v++)
        {
          fixture_variable (f, "v", "float", TSR_LIFE_TEMPORARY);
          in[v] = g_rand_int_range (random, 0, 2);
        }
      for (guint i = 0; i < 60; i++)
        {
          guint from = g_rand_int_range (random, 0, N_STEPS);
          guint to = g_rand_int_range (random, from + 1, N_STEPS + 1);

          fixture_row (f, g_rand_int_range (random, 0, 4), 2 * g_rand_int_range (random, 0, 500),
                       g_rand_int_range (random, 0, 6), from,
                       g_rand_int_range (random, 0, 8) == 0 ? 0 : to);
        }
      fixture_fill (f, 10, 10);
      fixture_finish (f, N_STEPS);
      compare_savings (f, &(TsrInsightChange){ in, 1, 0, 0 });
      compare_savings (f, &(TsrInsightChange){ in, 0.5, 0, 0 });
      compare_savings (f, &(TsrInsightChange){ in, 1, 25, 0.01 });
    }
}

/* A size that is not told makes what rests on it unknown, and nothing else. */
static void
test_unknown_saving (void)
{
  g_autoptr (Fixture) f = make ();
  guint32 a = fixture_variable (f, "a", "float", TSR_LIFE_TEMPORARY);
  guint32 b = fixture_variable (f, "b", "float", TSR_LIFE_TEMPORARY);
  const guint8 in_a[] = { 1, 0 };
  const guint8 in_b[] = { 0, 1 };
  gint64 worst, all;

  fixture_row (f, 0, 100, a, 0, 10);
  fixture_row (f, 0, 200, b, 5, 10);
  fixture_row (f, 1, 300, b, 5, 10);
  fixture_finish (f, N_STEPS);
  f->lowered.size[0] = TSR_LOWERED_UNKNOWN;
  tsr_insight_get_saving (&f->c, &(TsrInsightChange){ in_b, 1, 0, 0 }, &worst, &all);
  g_assert_cmpint (worst, ==, 300);
  g_assert_cmpint (all, ==, TSR_UNKNOWN);
  tsr_insight_get_saving (&f->c, &(TsrInsightChange){ in_a, 1, 0, 0 }, &worst, &all);
  g_assert_cmpint (worst, ==, 0);
  g_assert_cmpint (all, ==, TSR_UNKNOWN);
}

/* ------------------------------------------------------------ peak-spike */

/* A floor of 20000 for all steps, and @height more in [from, to). */
static Fixture *
make_spike (guint height, guint from, guint to, guint n_steps)
{
  Fixture *f = make ();
  guint32 floor = fixture_variable (f, "floor", "half", TSR_LIFE_TEMPORARY);
  guint32 spike = fixture_variable (f, "spike", "half", TSR_LIFE_TEMPORARY);

  fixture_row (f, 1, 20000, floor, 0, n_steps);
  fixture_row (f, 1, height, spike, from, to);
  fixture_row (f, 0, 10, spike, from, to);
  fixture_finish (f, n_steps);
  return f;
}

static void
test_spike (void)
{
  g_autoptr (Fixture) fires = make_spike (5000, 40, 42, N_STEPS);
  g_autoptr (Fixture) small = make_spike (4999, 40, 42, N_STEPS);
  g_autoptr (Fixture) wide = make_spike (5000, 40, 43, N_STEPS);
  g_autoptr (Fixture) flat = make_spike (5000, 0, N_STEPS, N_STEPS);
  g_autoptr (Fixture) few = make_spike (5000, 40, 41, 49);
  g_autoptr (Fixture) enough = make_spike (5000, 40, 41, 50);
  g_autoptr (Fixture) early = make_spike (5000, 0, 1, N_STEPS);
  TsrVerdict v;

  g_assert_cmpint (fixture_check (fires, "peak-spike", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 5000);
  g_assert_cmpint (v.finding->bytes, ==, 5010);
  g_assert_cmpuint (v.finding->where.step, ==, 40);
  g_assert_cmpuint (v.finding->where.tiles[0], ==, 1);
  g_assert_cmpuint (v.finding->evidence->len, ==, 1);
  g_assert_cmpstr (g_array_index (v.finding->evidence, TsrEvidence, 0).name, ==, "spike");
  g_assert_nonnull (strstr (v.finding->text, "One place decides"));
  g_assert_nonnull (strstr (v.finding->text, "than any step outside 40 to 41."));
  tsr_verdict_clear (&v);
  /* One step is no range. */
  g_assert_cmpint (fixture_check (enough, "peak-spike", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "on tile 1 than any other step."));
  tsr_verdict_clear (&v);
  g_assert_cmpint (fixture_result (small, "peak-spike"), ==, TSR_RULE_FINE);
  g_assert_cmpint (fixture_result (wide, "peak-spike"), ==, TSR_RULE_FINE);
  g_assert_cmpint (fixture_result (flat, "peak-spike"), ==, TSR_RULE_FINE);
  g_assert_cmpint (fixture_result (few, "peak-spike"), ==, TSR_RULE_FINE);
  g_assert_cmpint (fixture_result (enough, "peak-spike"), ==, TSR_RULE_FIRED);
  g_assert_cmpint (fixture_check (early, "peak-spike", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "from or go to the host"));
  tsr_verdict_clear (&v);
}

static void
test_spike_guards (void)
{
  g_autoptr (Fixture) equal = make ();
  g_autoptr (Fixture) overlapping = make ();
  g_autoptr (Fixture) full = make ();
  g_autoptr (Fixture) none = make ();
  g_autoptr (Fixture) unknown = make ();
  guint32 a = fixture_variable (equal, "a", "half", TSR_LIFE_TEMPORARY);
  guint32 wide = fixture_variable (overlapping, "wide", "half", TSR_LIFE_TEMPORARY);
  guint32 late = fixture_variable (overlapping, "late", "half", TSR_LIFE_TEMPORARY);
  TsrVerdict v;

  /* Two equal spikes: the other one is the next peak. */
  fixture_row (equal, 1, 9000, a, 20, 21);
  fixture_row (equal, 1, 9000, a, 60, 61);
  fixture_finish (equal, N_STEPS);
  g_assert_cmpint (fixture_result (equal, "peak-spike"), ==, TSR_RULE_FINE);

  /* Two variables that only meet at one step: none lives there alone. */
  fixture_row (overlapping, 1, 30000, wide, 10, 51);
  fixture_row (overlapping, 1, 20000, late, 50, 90);
  fixture_finish (overlapping, N_STEPS);
  g_assert_cmpint (fixture_check (overlapping, "peak-spike", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 20000);
  g_assert_cmpuint (v.finding->evidence->len, ==, 1);
  g_assert_cmpstr (g_array_index (v.finding->evidence, TsrEvidence, 0).name, ==, "late");
  tsr_verdict_clear (&v);

  a = fixture_variable (full, "a", "half", TSR_LIFE_TEMPORARY);
  full->inc[1] = 90000;
  fixture_row (full, 1, 9000, a, 20, 21);
  fixture_finish (full, N_STEPS);
  g_assert_cmpint (fixture_check (full, "peak-spike", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);

  fixture_finish (none, 0);
  g_assert_cmpint (fixture_result (none, "peak-spike"), ==, TSR_RULE_NOT_CHECKED);

  a = fixture_variable (unknown, "a", "half", TSR_LIFE_TEMPORARY);
  fixture_row (unknown, 1, 9000, a, 20, 21);
  fixture_finish (unknown, N_STEPS);
  unknown->lowered.size[0] = TSR_LOWERED_UNKNOWN;
  g_clear_pointer (&unknown->c.worst_series, g_free);
  g_clear_pointer (&unknown->c.held, g_array_unref);
  g_clear_pointer (&unknown->c.gaps, g_array_unref);
  g_assert_true (tsr_insight_context_look_at_worst (&unknown->c, NULL));
  g_assert_cmpint (fixture_result (unknown, "peak-spike"), ==, TSR_RULE_NOT_CHECKED);
  g_assert_cmpint (fixture_result (unknown, "long-lived-activations"), ==, TSR_RULE_NOT_CHECKED);
  g_assert_cmpint (fixture_result (unknown, "fp32-at-peak"), ==, TSR_RULE_NOT_CHECKED);
  g_assert_cmpint (fixture_result (unknown, "resident-state"), ==, TSR_RULE_NOT_CHECKED);
}

/* Without lowered variables the steps of all tiles decide, against the memory of the replica. */
static void
test_spike_of_all (void)
{
  g_autoptr (Fixture) f = make ();
  g_autoptr (Fixture) small = make ();
  Fixture *both[] = { f, small };
  TsrVerdict v;

  for (guint i = 0; i < 2; i++)
    {
      TsrInsightContext *c = &both[i]->c;
      const TsrLifetime life = { 40, 41, 10000 - i };

      fixture_variable (both[i], "spike", "half", TSR_LIFE_TEMPORARY);
      fixture_finish (both[i], N_STEPS);
      c->all_series = g_new0 (gint64, N_STEPS);
      c->all_series[40] = 10000 - i;
      c->lifetimes = g_array_new (FALSE, FALSE, sizeof (TsrLifetime));
      g_array_append_val (c->lifetimes, life);
      c->lifetime_start = g_new0 (guint32, 2);
      c->lifetime_start[1] = 1;
    }
  g_assert_cmpint (fixture_check (f, "peak-spike", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes, ==, 10000);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, TSR_UNKNOWN);
  g_assert_cmpuint (v.finding->where.n_tiles, ==, 0);
  g_assert_cmpuint (v.finding->where.step, ==, 40);
  tsr_verdict_clear (&v);
  g_assert_cmpint (fixture_result (small, "peak-spike"), ==, TSR_RULE_FINE);
}

/* -------------------------------------------------- long-lived-activations */

/* Five variables: the peak is at step 50, and without "kept" (3000 bytes, steps 10 to 79) it moves
 * to step 90, where 18000 are live. */
static Fixture *
make_kept (const char *name, guint32 from, guint32 to, guint32 size)
{
  Fixture *f = make ();
  guint32 weights = fixture_variable (f, "weights", "half", TSR_LIFE_ALWAYS);
  guint32 kept = fixture_variable (f, name, "half", TSR_LIFE_TEMPORARY);
  guint32 work = fixture_variable (f, "work", "half", TSR_LIFE_TEMPORARY);
  guint32 late = fixture_variable (f, "late", "half", TSR_LIFE_TEMPORARY);
  guint32 early = fixture_variable (f, "early", "half", TSR_LIFE_TEMPORARY);

  fixture_row (f, 1, 5000, weights, 0, 0);
  fixture_row (f, 1, size, kept, from, to);
  fixture_row (f, 0, 40, kept, from, to);
  fixture_row (f, 1, 17000, work, 50, 51);
  fixture_row (f, 1, 18000, late, 90, 91);
  fixture_row (f, 1, 100, early, 0, 5);
  fixture_finish (f, N_STEPS);
  return f;
}

static void
test_kept (void)
{
  g_autoptr (Fixture) f = make_kept ("layer/out", 10, 80, 3000);
  g_autoptr (Fixture) accumulator = make_kept ("Accl___layer", 10, 80, 3000);
  g_autoptr (Fixture) shorter = make_kept ("layer/out", 45, 69, 3000);
  g_autoptr (Fixture) quarter = make_kept ("layer/out", 45, 70, 3000);
  g_autoptr (Fixture) ends = make_kept ("layer/out", 20, 52, 3000);
  g_autoptr (Fixture) at_end = make_kept ("layer/out", 20, 51, 3000);
  g_autoptr (Fixture) small = make_kept ("layer/out", 10, 80, 1999);
  g_autoptr (Fixture) stash = make_kept ("ipu0/stash", 10, 80, 3000);
  TsrVerdict v;

  /* 20000 at step 50 against 18000 at step 90. */
  g_assert_cmpuint (f->c.worst_peak, ==, 50);
  g_assert_cmpint (fixture_check (f, "long-lived-activations", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 2000);
  /* On tile 0 the first and last step of its life stay: nothing is saved there. */
  g_assert_cmpint (v.finding->bytes, ==, 2000);
  g_assert_cmpuint (v.finding->evidence->len, ==, 1);
  g_assert_cmpint (g_array_index (v.finding->evidence, TsrEvidence, 0).bytes, ==, 3000);
  g_assert_cmpstr (v.finding->where.names[0], ==, "layer/out");
  g_assert_cmpint (tsr_insight_sum_at (&f->c, (const guint8[]){ 0, 1, 0, 0, 0 }, 50), ==, 3040);
  tsr_verdict_clear (&v);
  g_assert_cmpint (fixture_result (accumulator, "long-lived-activations"), ==, TSR_RULE_FINE);
  g_assert_cmpint (fixture_result (shorter, "long-lived-activations"), ==, TSR_RULE_FINE);
  g_assert_cmpint (fixture_result (quarter, "long-lived-activations"), ==, TSR_RULE_FIRED);
  g_assert_cmpint (fixture_result (ends, "long-lived-activations"), ==, TSR_RULE_FIRED);
  /* Dead right after the peak: not kept for anything. */
  g_assert_cmpint (fixture_result (at_end, "long-lived-activations"), ==, TSR_RULE_FINE);
  /* Below a tenth of the peak. */
  g_assert_cmpint (fixture_result (small, "long-lived-activations"), ==, TSR_RULE_FINE);
  g_assert_cmpint (fixture_check (stash, "long-lived-activations", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->action, "Fewer pipeline stages"));
  tsr_verdict_clear (&v);
}

/* Born after the middle of the program; touched all the time; too small for the tile. */
static void
test_kept_guards (void)
{
  g_autoptr (Fixture) late = make ();
  g_autoptr (Fixture) touched = make_kept ("layer/out", 10, 80, 3000);
  g_autoptr (Fixture) tiny = make ();
  g_autoptr (Fixture) none = make ();
  g_autofree guint32 *programs = g_new0 (guint32, N_STEPS);
  guint32 v = fixture_variable (late, "out", "half", TSR_LIFE_TEMPORARY);
  guint32 work = fixture_variable (late, "work", "half", TSR_LIFE_TEMPORARY);

  fixture_row (late, 1, 3000, v, 51, 90);
  fixture_row (late, 1, 3000, work, 60, 61);
  fixture_finish (late, N_STEPS);
  g_assert_cmpint (fixture_result (late, "long-lived-activations"), ==, TSR_RULE_FINE);

  /* 70 steps: 14 of them may be touched. */
  for (guint n = 14; n <= 15; n++)
    {
      GHashTable *set = g_hash_table_new (NULL, NULL);

      g_hash_table_add (set, GUINT_TO_POINTER (1));
      for (guint k = 10; k < 80; k++)
        programs[k] = k < 10 + n ? 1 : 0;
      g_clear_pointer (&touched->c.touched, g_hash_table_unref);
      touched->c.touched
          = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_hash_table_unref);
      g_hash_table_insert (touched->c.touched, GUINT_TO_POINTER (1), set);
      touched->c.step_program = programs;
      g_assert_cmpint (fixture_result (touched, "long-lived-activations"), ==,
                       n == 14 ? TSR_RULE_FIRED : TSR_RULE_FINE);
    }

  /* A third of the peak, but 1999 bytes are less than 2 % of the tile. */
  v = fixture_variable (tiny, "out", "half", TSR_LIFE_TEMPORARY);
  work = fixture_variable (tiny, "work", "half", TSR_LIFE_TEMPORARY);
  fixture_row (tiny, 1, 1999, v, 10, 80);
  fixture_row (tiny, 1, 4000, work, 50, 51);
  fixture_finish (tiny, N_STEPS);
  g_assert_cmpint (fixture_result (tiny, "long-lived-activations"), ==, TSR_RULE_FINE);
  fixture_finish (none, 0);
  g_assert_cmpint (fixture_result (none, "long-lived-activations"), ==, TSR_RULE_NOT_CHECKED);
}

/* ------------------------------------------------------------ fp32-at-peak */

static void
test_fp32 (void)
{
  g_autoptr (Fixture) f = make ();
  guint32 x = fixture_variable (f, "layer/out", "float", TSR_LIFE_TEMPORARY);
  guint32 w = fixture_variable (f, "weights", "float", TSR_LIFE_ALWAYS);
  guint32 half = fixture_variable (f, "half", "half", TSR_LIFE_TEMPORARY);
  guint32 norm = fixture_variable (f, "batchNorm/mean", "float", TSR_LIFE_ALWAYS);
  TsrVerdict v;

  /* Halving moves the peak from step 10 (12000) to step 60 (9000): 3000 and not 6000. */
  fixture_row (f, 1, 12000, x, 10, 11);
  fixture_row (f, 1, 9000, half, 60, 61);
  fixture_row (f, 1, 1000, w, 0, 0);
  fixture_row (f, 1, 700, norm, 0, 0);
  fixture_row (f, 0, 600, w, 0, 0);
  fixture_finish (f, N_STEPS);
  g_assert_cmpint (fixture_check (f, "fp32-at-peak", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 3500);
  g_assert_cmpint (v.finding->bytes, ==, 3800);
  g_assert_cmpuint (v.finding->evidence->len, ==, 2);
  g_assert_cmpint (g_array_index (v.finding->evidence, TsrEvidence, 0).bytes, ==, 12000);
  g_assert_cmpint (g_array_index (v.finding->evidence, TsrEvidence, 1).bytes, ==, 1000);
  g_assert_nonnull (strstr (v.finding->text, "batchNorm/mean"));
  g_assert_cmpuint (tsr_insight_count_tiles (&f->c, w), ==, 2);
  tsr_verdict_clear (&v);
}

/* @size of FP32 on the worst tile, @half of something else; @need that does not fit. */
static TsrRuleResult
check_fp32 (guint size, guint half, const char *type, gint64 need, TsrFindingSeverity *severity)
{
  g_autoptr (Fixture) f = make ();
  guint32 x = fixture_variable (f, "layer/out", type, TSR_LIFE_TEMPORARY);
  guint32 y = fixture_variable (f, "other", type != NULL ? "half" : NULL, TSR_LIFE_TEMPORARY);
  TsrRuleResult result;
  TsrVerdict v;

  fixture_row (f, 1, size, x, 10, 20);
  fixture_row (f, 1, half, y, 60, 61);
  f->ovf[1] = need;
  fixture_finish (f, N_STEPS);
  result = fixture_check (f, "fp32-at-peak", &v);
  if (severity != NULL)
    *severity = v.finding->severity;
  tsr_verdict_clear (&v);
  return result;
}

static void
test_fp32_guards (void)
{
  TsrFindingSeverity severity;

  g_assert_cmpint (check_fp32 (5000, 100, "float", 0, &severity), ==, TSR_RULE_FIRED);
  g_assert_cmpint (severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (check_fp32 (4999, 100, "float", 0, NULL), ==, TSR_RULE_FINE);
  g_assert_cmpint (check_fp32 (5000, 100, "half", 0, NULL), ==, TSR_RULE_FINE);
  g_assert_cmpint (check_fp32 (5000, 100, NULL, 0, NULL), ==, TSR_RULE_NOT_CHECKED);
  /* Half of 5000 covers a need of 2500. */
  g_assert_cmpint (check_fp32 (5000, 100, "float", 2500, &severity), ==, TSR_RULE_FIRED);
  g_assert_cmpint (severity, ==, TSR_FINDING_WARNING);
  g_assert_cmpint (check_fp32 (5000, 100, "float", 2501, &severity), ==, TSR_RULE_FIRED);
  g_assert_cmpint (severity, ==, TSR_FINDING_ADVICE);
}

/* A tenth of what is live at the peak, and a byte less; temporaries that live at other steps do not
 * count, however many they are. */
static void
test_fp32_of_peak (void)
{
  static const guint others[] = { 45000, 45001 };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Fixture) f = make ();
      guint32 x = fixture_variable (f, "layer/out", "float", TSR_LIFE_TEMPORARY);
      guint32 y = fixture_variable (f, "other", "half", TSR_LIFE_TEMPORARY);
      guint32 code = fixture_variable (f, "code", NULL, TSR_LIFE_ALWAYS);

      g_array_index (f->variables, TsrInsightVariable, code).compiler_made = TRUE;
      fixture_row (f, 1, 5000, x, 10, 11);
      fixture_row (f, 1, 20000, code, 0, 0);
      fixture_row (f, 1, others[i] - 20000, y, 10, 11);
      for (guint k = 20; k < 60; k++)
        fixture_row (f, 1, 24000, y, k, k + 1);
      fixture_finish (f, N_STEPS);
      g_assert_cmpint (fixture_result (f, "fp32-at-peak"), ==,
                       i == 0 ? TSR_RULE_FIRED : TSR_RULE_FINE);
    }
}

/* ---------------------------------------------------------- resident-state */

static void
test_resident (void)
{
  static const struct
  {
    guint weights, first, second; /* bytes of weights and two of the optimiser's */
    gint64 saving;
    gboolean fires;
  } cases[] = {
    { 40000, 0, 0, TSR_UNKNOWN, TRUE }, { 39999, 0, 0, 0, FALSE },
    { 10, 4000, 6000, 4000, TRUE },     { 10, 4000, 5999, 0, FALSE },
    { 30000, 9000, 1000, 1000, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = make ();
      guint32 weights = fixture_variable (f, "weights", "half", TSR_LIFE_ALWAYS);
      guint32 first = fixture_variable (f, "momentum_0", "half", TSR_LIFE_RESIDENT);
      guint32 second = fixture_variable (f, "momentum_1", "half", TSR_LIFE_ALWAYS);
      guint32 temporary = fixture_variable (f, "temporary", "half", TSR_LIFE_TEMPORARY);
      TsrVerdict v;

      f->c.n_replicas = 2;
      fixture_row (f, 1, cases[i].weights, weights, 0, 0);
      fixture_row (f, 1, cases[i].first, first, 1, N_STEPS);
      fixture_row (f, 1, cases[i].second, second, 0, 0);
      fixture_row (f, 1, 50000, temporary, 0, 97);
      fixture_finish (f, N_STEPS);
      g_assert_cmpint (fixture_check (f, "resident-state", &v), ==,
                       cases[i].fires ? TSR_RULE_FIRED : TSR_RULE_FINE);
      if (cases[i].fires)
        {
          g_assert_cmpint (v.finding->bytes_worst_tile, ==, cases[i].saving);
          g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
          if (cases[i].first > 0)
            g_assert_nonnull (strstr (v.finding->action, "2 replicas"));
        }
      tsr_verdict_clear (&v);
    }
}

/* What the compiler made is not the user's. */
static void
test_resident_guards (void)
{
  g_autoptr (Fixture) f = make ();
  g_autoptr (Fixture) none = make ();
  guint32 code = fixture_variable (f, "vertexCode", NULL, TSR_LIFE_ALWAYS);

  g_array_index (f->variables, TsrInsightVariable, code).compiler_made = TRUE;
  fixture_row (f, 1, 60000, code, 0, 0);
  fixture_finish (f, N_STEPS);
  g_assert_cmpint (fixture_result (f, "resident-state"), ==, TSR_RULE_FINE);
  fixture_finish (none, 0);
  g_assert_cmpint (fixture_result (none, "resident-state"), ==, TSR_RULE_NOT_CHECKED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insights/variables/savings", test_savings);
  g_test_add_func ("/insights/variables/unknown-saving", test_unknown_saving);
  g_test_add_func ("/insights/variables/spike", test_spike);
  g_test_add_func ("/insights/variables/spike-guards", test_spike_guards);
  g_test_add_func ("/insights/variables/spike-of-all", test_spike_of_all);
  g_test_add_func ("/insights/variables/kept", test_kept);
  g_test_add_func ("/insights/variables/kept-guards", test_kept_guards);
  g_test_add_func ("/insights/variables/fp32", test_fp32);
  g_test_add_func ("/insights/variables/fp32-guards", test_fp32_guards);
  g_test_add_func ("/insights/variables/fp32-of-peak", test_fp32_of_peak);
  g_test_add_func ("/insights/variables/resident", test_resident);
  g_test_add_func ("/insights/variables/resident-guards", test_resident_guards);
  return g_test_run ();
}

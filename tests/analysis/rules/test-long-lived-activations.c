/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule long-lived-activations at and beside each of its thresholds, on lowered variables made
 * by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

/* Five variables: the peak is at step 50, and without "kept" (3000 bytes, steps 10 to 79) it moves
 * to step 90, where 18000 are live. */
static Fixture *
make_kept (const char *name, guint32 from, guint32 to, guint32 size)
{
  Fixture *f = fixture_new_lives ();
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
  fixture_finish (f, FIXTURE_STEPS);
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
  g_autoptr (Fixture) late = fixture_new_lives ();
  g_autoptr (Fixture) touched = make_kept ("layer/out", 10, 80, 3000);
  g_autoptr (Fixture) tiny = fixture_new_lives ();
  g_autoptr (Fixture) none = fixture_new_lives ();
  g_autofree guint32 *programs = g_new0 (guint32, FIXTURE_STEPS);
  guint32 v = fixture_variable (late, "out", "half", TSR_LIFE_TEMPORARY);
  guint32 work = fixture_variable (late, "work", "half", TSR_LIFE_TEMPORARY);

  fixture_row (late, 1, 3000, v, 51, 90);
  fixture_row (late, 1, 3000, work, 60, 61);
  fixture_finish (late, FIXTURE_STEPS);
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
  fixture_finish (tiny, FIXTURE_STEPS);
  g_assert_cmpint (fixture_result (tiny, "long-lived-activations"), ==, TSR_RULE_FINE);
  fixture_finish (none, 0);
  g_assert_cmpint (fixture_result (none, "long-lived-activations"), ==, TSR_RULE_NOT_CHECKED);
}

/* At each limit and beside it; what is born at the peak itself is not kept. */
static void
test_kept_limits (void)
{
  static const struct
  {
    guint32 from, to, size, work, at;
    TsrRuleResult result;
  } cases[] = {
    { 10, 80, 2000, 18000, 50, TSR_RULE_FIRED }, /* a tenth of the peak, a fiftieth of the tile */
    { 10, 80, 2000, 18001, 50, TSR_RULE_FINE },
    { 50, 90, 3000, 5000, 60, TSR_RULE_FIRED }, /* born in the middle */
    { 51, 90, 3000, 5000, 60, TSR_RULE_FINE },
    { 39, 90, 3000, 5000, 40, TSR_RULE_FIRED },
    { 40, 90, 3000, 5000, 40, TSR_RULE_FINE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = fixture_new_lives ();
      TsrVerdict v;

      fixture_row (f, 1, cases[i].size, fixture_variable (f, "out", "half", TSR_LIFE_TEMPORARY),
                   cases[i].from, cases[i].to);
      fixture_row (f, 1, cases[i].work, fixture_variable (f, "work", "half", TSR_LIFE_TEMPORARY),
                   cases[i].at, cases[i].at + 1);
      fixture_finish (f, FIXTURE_STEPS);
      g_assert_cmpint (fixture_check (f, "long-lived-activations", &v), ==, cases[i].result);
      if (v.finding != NULL)
        {
          g_autofree char *steps
              = g_strdup_printf ("largest: out, steps %u to %u.", cases[i].from, cases[i].to - 1);

          g_assert_nonnull (strstr (v.finding->text, steps));
          g_assert_nonnull (strstr (v.finding->text, " backward: 1 variables, "));
          g_assert_cmpuint (v.finding->where.step, ==, cases[i].at);
          g_assert_cmpuint (v.variables->len, ==, 1);
        }
      tsr_verdict_clear (&v);
    }
}

/* Stashes are what it is about when they are more than half of it; each variable counts once. */
static void
test_stashes (void)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Fixture) f = fixture_new_lives ();
      const guint32 stash = fixture_variable (f, "stash", "half", TSR_LIFE_TEMPORARY);
      const guint32 other = fixture_variable (f, "out", "half", TSR_LIFE_TEMPORARY);
      TsrVerdict v;

      fixture_row (f, 1, 2999 + i, stash, 10, 80);
      fixture_row (f, 1, 1000, other, 10, 80);
      fixture_row (f, 1, 2000, other, 11, 81);
      fixture_row (f, 1, 10, fixture_variable (f, "work", "half", TSR_LIFE_TEMPORARY), 50, 51);
      fixture_finish (f, FIXTURE_STEPS);
      g_assert_cmpint (fixture_check (f, "long-lived-activations", &v), ==, TSR_RULE_FIRED);
      g_assert_true (g_str_has_prefix (v.finding->title, "Pipeline stashes") == (i == 2));
      g_assert_nonnull (strstr (v.finding->text, " backward: 2 variables, "));
      g_assert_cmpfloat_with_epsilon (g_array_index (v.finding->evidence, TsrEvidence, 0).share,
                                      (2999 + i) / (5999.0 + i), 1e-12);
      tsr_verdict_clear (&v);
    }
}

void
add_long_lived_activations_tests (void)
{
  g_test_add_func ("/insight-rules/long-lived-activations/kept", test_kept);
  g_test_add_func ("/insight-rules/long-lived-activations/kept-guards", test_kept_guards);
  g_test_add_func ("/insight-rules/long-lived-activations/kept-limits", test_kept_limits);
  g_test_add_func ("/insight-rules/long-lived-activations/stashes", test_stashes);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule peak-spike at and beside each of its thresholds, on lowered variables made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

/* A floor of 20000 for all steps, and @height more in [from, to). */
static Fixture *
make_spike (guint height, guint from, guint to, guint n_steps)
{
  Fixture *f = fixture_new_lives ();
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
  g_autoptr (Fixture) fires = make_spike (5000, 40, 42, FIXTURE_STEPS);
  g_autoptr (Fixture) small = make_spike (4999, 40, 42, FIXTURE_STEPS);
  g_autoptr (Fixture) wide = make_spike (5000, 40, 43, FIXTURE_STEPS);
  g_autoptr (Fixture) flat = make_spike (5000, 0, FIXTURE_STEPS, FIXTURE_STEPS);
  g_autoptr (Fixture) few = make_spike (5000, 40, 41, 49);
  g_autoptr (Fixture) enough = make_spike (5000, 40, 41, 50);
  g_autoptr (Fixture) early = make_spike (5000, 0, 1, FIXTURE_STEPS);
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
  g_autoptr (Fixture) equal = fixture_new_lives ();
  g_autoptr (Fixture) overlapping = fixture_new_lives ();
  g_autoptr (Fixture) full = fixture_new_lives ();
  g_autoptr (Fixture) none = fixture_new_lives ();
  g_autoptr (Fixture) unknown = fixture_new_lives ();
  guint32 a = fixture_variable (equal, "a", "half", TSR_LIFE_TEMPORARY);
  guint32 wide = fixture_variable (overlapping, "wide", "half", TSR_LIFE_TEMPORARY);
  guint32 late = fixture_variable (overlapping, "late", "half", TSR_LIFE_TEMPORARY);
  TsrVerdict v;

  /* Two equal spikes: the other one is the next peak. */
  fixture_row (equal, 1, 9000, a, 20, 21);
  fixture_row (equal, 1, 9000, a, 60, 61);
  fixture_finish (equal, FIXTURE_STEPS);
  g_assert_cmpint (fixture_result (equal, "peak-spike"), ==, TSR_RULE_FINE);

  /* Two variables that only meet at one step: none lives there alone. */
  fixture_row (overlapping, 1, 30000, wide, 10, 51);
  fixture_row (overlapping, 1, 20000, late, 50, 90);
  fixture_finish (overlapping, FIXTURE_STEPS);
  g_assert_cmpint (fixture_check (overlapping, "peak-spike", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 20000);
  g_assert_cmpuint (v.finding->evidence->len, ==, 1);
  g_assert_cmpstr (g_array_index (v.finding->evidence, TsrEvidence, 0).name, ==, "late");
  tsr_verdict_clear (&v);

  a = fixture_variable (full, "a", "half", TSR_LIFE_TEMPORARY);
  full->inc[1] = 90000;
  fixture_row (full, 1, 9000, a, 20, 21);
  fixture_finish (full, FIXTURE_STEPS);
  g_assert_cmpint (fixture_check (full, "peak-spike", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);

  fixture_finish (none, 0);
  g_assert_cmpint (fixture_result (none, "peak-spike"), ==, TSR_RULE_NOT_CHECKED);

  a = fixture_variable (unknown, "a", "half", TSR_LIFE_TEMPORARY);
  fixture_row (unknown, 1, 9000, a, 20, 21);
  fixture_finish (unknown, FIXTURE_STEPS);
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
  g_autoptr (Fixture) f = fixture_new_lives ();
  g_autoptr (Fixture) small = fixture_new_lives ();
  Fixture *both[] = { f, small };
  TsrVerdict v;

  for (guint i = 0; i < 2; i++)
    {
      TsrInsightContext *c = &both[i]->c;
      const TsrLifetime life = { 40, 41, 10000 - i };

      fixture_variable (both[i], "spike", "half", TSR_LIFE_TEMPORARY);
      fixture_finish (both[i], FIXTURE_STEPS);
      c->all_series = g_new0 (gint64, FIXTURE_STEPS);
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

/* Of what it would be a part is not told. */
static void
test_untold (void)
{
  g_autoptr (Fixture) f = make_spike (5000, 40, 42, FIXTURE_STEPS);
  TsrVerdict v;

  f->c.capacity = TSR_UNKNOWN;
  g_assert_cmpint (fixture_check (f, "peak-spike", &v), ==, TSR_RULE_NOT_CHECKED);
  g_assert_nonnull (strstr (v.text, "target.bytes_per_tile"));
  tsr_verdict_clear (&v);
}

void
add_peak_spike_tests (void)
{
  g_test_add_func ("/insight-rules/peak-spike/untold", test_untold);
  g_test_add_func ("/insight-rules/peak-spike/spike", test_spike);
  g_test_add_func ("/insight-rules/peak-spike/spike-guards", test_spike_guards);
  g_test_add_func ("/insight-rules/peak-spike/spike-of-all", test_spike_of_all);
}

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

/* Steps beside the peak belong to it from nine tenths of it on: three are too many of a hundred. */
static void
test_plateau (void)
{
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (Fixture) f = fixture_new_lives ();
      const guint from = i < 2 ? 38 : 41;

      fixture_row (f, 1, 20000, fixture_variable (f, "a", "half", TSR_LIFE_TEMPORARY), 40, 41);
      fixture_row (f, 1, 18000 - i % 2, fixture_variable (f, "b", "half", TSR_LIFE_TEMPORARY), from,
                   from + 2);
      fixture_row (f, 1, 1000, fixture_variable (f, "c", "half", TSR_LIFE_TEMPORARY), 60, 61);
      f->ovf[1] = 9;
      fixture_finish (f, FIXTURE_STEPS);
      g_assert_cmpint (fixture_result (f, "peak-spike"), ==,
                       i % 2 == 0 ? TSR_RULE_FINE : TSR_RULE_FIRED);
    }
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

/* What @n of a hundred thousand bytes and as many steps says: where the peak is, how long it lasts
 * and what the next highest step is. */
static void
check_random (Fixture *f, const gint64 *n, gboolean tile, gint64 whole)
{
  const TsrInsightContext *c = &f->c;
  const guint ends = c->n_steps / 100;
  guint peak = 0, from, to, next = TSR_NO_INDEX;
  g_autoptr (GArray) causes = NULL;
  g_autofree char *said = NULL;
  gint64 more, sum = 0, saving;
  gboolean only_here, at_ends;
  TsrVerdict v;

  for (guint k = 1; k < c->n_steps; k++)
    if (n[k] > n[peak])
      peak = k;
  for (from = peak; from > 0 && 10 * n[from - 1] >= 9 * n[peak];)
    from--;
  for (to = peak + 1; to < c->n_steps && 10 * n[to] >= 9 * n[peak];)
    to++;
  for (guint k = 0; k < c->n_steps; k++)
    if ((k < from || k >= to) && (next == TSR_NO_INDEX || n[k] > n[next]))
      next = k;
  more = n[peak] - (next != TSR_NO_INDEX ? n[next] : 0);
  at_ends = peak < ends || peak + ends >= c->n_steps;
  causes = tsr_insight_list_inside (c, tile, peak, from, to);
  only_here = causes->len > 0 || next == TSR_NO_INDEX;
  if (!only_here)
    {
      g_array_unref (causes);
      causes = tsr_insight_list_not_at (c, tile, peak, next);
    }
  for (guint i = 0; i < causes->len; i++)
    sum += g_array_index (causes, TsrVariableBytes, i).bytes;
  saving = MIN (more, sum);

  if (fixture_check (f, "peak-spike", &v) == TSR_RULE_FINE)
    {
      g_assert_false ((20 * more >= whole || (tile && c->n_needing > 0 && saving >= 1024))
                      && 50 * (to - from) <= c->n_steps);
      said = g_strdup_printf (
          "The peak needs %s more than any other and lasts %s of the steps; fires "
          "from %s and up to 2.0 %%",
          tsr_insight_size (c, more), tsr_insight_percent (c, (double)(to - from) / c->n_steps),
          tsr_insight_size (c, whole / 20));
      g_assert_cmpstr (v.text, ==, said);
    }
  else
    {
      const gboolean grave = c->n_needing > 0 || c->inc[1] >= 90000;
      g_autofree char *others = to - from == 1
                                    ? g_strdup ("other step")
                                    : g_strdup_printf ("step outside %u to %u", from, to - 1);
      g_autofree char *rest
          = only_here
                ? g_strdup ("")
                : g_strdup_printf ("  No variable lives here only; listed are those that step "
                                   "%u, the next highest, does not have.",
                                   next);

      g_assert_true ((20 * more >= whole || (tile && c->n_needing > 0 && saving >= 1024))
                     && 50 * (to - from) <= c->n_steps);
      said = g_strdup_printf ("%s: step %u (%s) needs %s more %s than any %s.%s",
                              at_ends ? "The peak is where data come from or go to the host"
                                      : "One place decides the peak",
                              peak, peak % 2 == 0 ? "even" : "an unnamed program",
                              tsr_insight_size (c, more), tile ? "on tile 1" : "over all tiles",
                              others, rest);
      g_assert_cmpstr (v.finding->text, ==, said);
      g_assert_true (g_str_has_prefix (v.finding->action, at_ends ? "Copy less" : "Lower the"));
      g_assert_cmpint (v.finding->severity, ==, grave ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
      g_assert_cmpint (tile ? v.finding->bytes_worst_tile : v.finding->bytes, ==, saving);
      g_assert_cmpstr (v.finding->scope, ==, tile ? "tile1" : "replica");
      g_assert_cmpuint (v.finding->where.step, ==, peak);
      g_assert_cmpint (v.finding->where.view, ==, TSR_VIEW_LIVENESS);
      g_assert_cmpstr (v.finding->where.tab, ==, "variables");
      g_assert_cmpuint (v.finding->evidence->len, ==, MIN (causes->len, 5));
      for (guint i = 0; i < v.finding->evidence->len; i++)
        {
          const TsrEvidence *one = &g_array_index (v.finding->evidence, TsrEvidence, i);
          const TsrVariableBytes *cause = &g_array_index (causes, TsrVariableBytes, i);

          g_assert_cmpstr (one->name, ==, c->variables[cause->variable].name);
          g_assert_cmpstr (v.finding->where.names[i], ==, one->name);
          g_assert_cmpint (one->bytes, ==, cause->bytes);
          g_assert_cmpfloat_with_epsilon (one->share, (double)cause->bytes / (double)n[peak],
                                          1e-12);
          g_assert_cmpuint (g_array_index (v.variables, guint32, i), ==, cause->variable);
        }
      if (tile)
        {
          g_autofree guint8 *in = g_new0 (guint8, c->n_variables);
          gint64 unused, all;

          for (guint i = 0; i < causes->len; i++)
            in[g_array_index (causes, TsrVariableBytes, i).variable] = TRUE;
          tsr_insight_get_saving (c, &(TsrInsightChange){ in, 1, 0, 0 }, &unused, &all);
          g_assert_cmpint (v.finding->bytes, ==, all);
        }
    }
  tsr_verdict_clear (&v);
}

/* Random peaks of a worst tile, and of all tiles where that is all that is known. */
static void
test_random (void)
{
  static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g" };
  static const guint sizes[] = { 1024, 1023, 2000, 4999, 5000, 18000, 20000, 9000, 10000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);

  for (guint round = 0; round < 600; round++)
    {
      static const guint n_steps[] = { 50, 99, 100, 150, 200 };
      const guint n = n_steps[round % G_N_ELEMENTS (n_steps)];
      const gint places[] = { 0, 1, 2, 30, (gint)n - 3, (gint)n - 2, (gint)n - 1 };
      g_autoptr (Fixture) f = fixture_new_lives ();
      const gint place = places[g_rand_int_range (rand, 0, G_N_ELEMENTS (places))];
      const guint n_rows = (guint)g_rand_int_range (rand, 1, 7);

      f->inc[1] = f->exc[1] = 89999 + g_rand_int_range (rand, 0, 2);
      f->ovf[1] = round % 3 == 0 ? 5 : 0;
      for (guint i = 0; i < n_rows; i++)
        {
          const gint near = place + g_rand_int_range (rand, -2, 3),
                     from = CLAMP (near, 0, (gint)n - 1);
          const gint end = from + g_rand_int_range (rand, 1, 4), to = MIN (end, (gint)n);

          fixture_row (f, g_rand_int_range (rand, 0, 5) > 0,
                       sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))],
                       fixture_variable (f, names[i], "half", TSR_LIFE_TEMPORARY), (guint)from,
                       (guint)to);
        }
      fixture_row (f, 1, 100 * (round % 7),
                   fixture_variable (f, names[6], "half", TSR_LIFE_TEMPORARY), 0, n);
      fixture_finish (f, n);
      f->c.step_names = g_new0 (const char *, n);
      for (guint k = 0; k < n; k += 2)
        f->c.step_names[k] = "even";
      check_random (f, f->c.worst_series, TRUE, FIXTURE_CAPACITY);
      /* The same as of all tiles. */
      f->c.all_series = g_steal_pointer (&f->c.worst_series);
      f->c.lifetimes = g_array_new (FALSE, FALSE, sizeof (TsrLifetime));
      f->c.lifetime_start = g_new0 (guint32, f->c.n_variables + 1);
      for (guint i = 0; i < f->rows->len; i++)
        {
          const FixtureRow *row = &g_array_index (f->rows, FixtureRow, i);
          const TsrLifetime life = { row->from, row->to, row->size };

          g_array_append_val (f->c.lifetimes, life);
          f->c.lifetime_start[i + 1] = f->c.lifetimes->len;
        }
      check_random (f, f->c.all_series, FALSE, 2 * FIXTURE_CAPACITY);
    }
}

void
add_peak_spike_tests (void)
{
  g_test_add_func ("/insight-rules/peak-spike/random", test_random);
  g_test_add_func ("/insight-rules/peak-spike/plateau", test_plateau);
  g_test_add_func ("/insight-rules/peak-spike/untold", test_untold);
  g_test_add_func ("/insight-rules/peak-spike/spike", test_spike);
  g_test_add_func ("/insight-rules/peak-spike/spike-guards", test_spike_guards);
  g_test_add_func ("/insight-rules/peak-spike/spike-of-all", test_spike_of_all);
}

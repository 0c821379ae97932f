/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule resident-state at and beside each of its thresholds, on lowered variables made by hand.
 */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

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

  for (guint i = 0; i < 4 * G_N_ELEMENTS (cases); i++)
    {
      const guint n_replicas = 1 + i / G_N_ELEMENTS (cases);
      g_autoptr (Fixture) f = fixture_new_lives ();
      guint32 weights = fixture_variable (f, "weights", "half", TSR_LIFE_ALWAYS);
      guint32 first = fixture_variable (f, "momentum_0", "half", TSR_LIFE_RESIDENT);
      guint32 second = fixture_variable (f, "momentum_1", "half", TSR_LIFE_ALWAYS);
      guint32 temporary = fixture_variable (f, "temporary", "half", TSR_LIFE_TEMPORARY);
      TsrVerdict v;

      f->c.n_replicas = n_replicas;
      fixture_row (f, 1, cases[i % G_N_ELEMENTS (cases)].weights, weights, 0, 0);
      fixture_row (f, 1, cases[i % G_N_ELEMENTS (cases)].first, first, 1, FIXTURE_STEPS);
      fixture_row (f, 1, cases[i % G_N_ELEMENTS (cases)].second, second, 0, 0);
      fixture_row (f, 1, 50000, temporary, 0, 97);
      fixture_finish (f, FIXTURE_STEPS);
      g_assert_cmpint (fixture_check (f, "resident-state", &v), ==,
                       cases[i % G_N_ELEMENTS (cases)].fires ? TSR_RULE_FIRED : TSR_RULE_FINE);
      if (cases[i % G_N_ELEMENTS (cases)].fires)
        {
          g_assert_cmpint (v.finding->bytes_worst_tile, ==, cases[i % G_N_ELEMENTS (cases)].saving);
          g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
          if (cases[i % G_N_ELEMENTS (cases)].first > 0)
            {
              const guint optimiser
                  = cases[i % G_N_ELEMENTS (cases)].first + cases[i % G_N_ELEMENTS (cases)].second;
              g_autofree char *all = tsr_units_dup_bytes (f->c.units, optimiser);
              g_autofree char *sharded
                  = tsr_units_dup_bytes (f->c.units, optimiser - optimiser / n_replicas);
              g_autofree char *sharding = g_strdup_printf (
                  "over %u replicas saves up to %s on tile", n_replicas, sharded);
              g_autofree char *of_it = g_strdup_printf ("optimiser state %s ", all);

              g_assert_nonnull (strstr (v.finding->text, of_it));
              g_assert_true ((strstr (v.finding->action, sharding) != NULL) == (n_replicas > 1));
            }
        }
      tsr_verdict_clear (&v);
    }
}

/* What the compiler made is not the user's. */
static void
test_resident_guards (void)
{
  g_autoptr (Fixture) f = fixture_new_lives ();
  g_autoptr (Fixture) none = fixture_new_lives ();
  guint32 code = fixture_variable (f, "vertexCode", NULL, TSR_LIFE_ALWAYS);

  g_array_index (f->variables, TsrInsightVariable, code).compiler_made = TRUE;
  fixture_row (f, 1, 60000, code, 0, 0);
  fixture_finish (f, FIXTURE_STEPS);
  g_assert_cmpint (fixture_result (f, "resident-state"), ==, TSR_RULE_FINE);
  fixture_finish (none, 0);
  g_assert_cmpint (fixture_result (none, "resident-state"), ==, TSR_RULE_NOT_CHECKED);
}

/* Random variables that stay or do not, of the user or the compiler, optimiser state or constants.
 */
static void
test_random (void)
{
  static const char *const names[] = { "w", "momentum_0", "exp_avg", "table", "Accl_x", "code" };
  static const TsrLife lives[]
      = { TSR_LIFE_ALWAYS, TSR_LIFE_ALWAYS, TSR_LIFE_RESIDENT, TSR_LIFE_TEMPORARY };
  static const guint sizes[] = { 0, 1, 5000, 5000, 9999, 10000, 30000, 40000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (14);

  for (guint round = 0; round < 400; round++)
    {
      g_autoptr (Fixture) f = fixture_new_lives ();
      guint8 in[G_N_ELEMENTS (names)] = { 0 }, counts[G_N_ELEMENTS (names)] = { 0 };
      gint64 all = 0, optimiser = 0, constants = 0, most = 0, worst = TSR_UNKNOWN,
             other = TSR_UNKNOWN;
      guint n = 0, largest = TSR_NO_INDEX;
      gboolean of_optimiser;
      g_autofree char *said = NULL;
      TsrVerdict v;

      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        {
          const TsrLife life = lives[g_rand_int_range (rand, 0, G_N_ELEMENTS (lives))];
          const guint32 of = fixture_variable (f, names[i], "half", life);
          TsrInsightVariable *variable = &g_array_index (f->variables, TsrInsightVariable, of);

          variable->compiler_made = i == 5;
          variable->category = i == 3 || (i == 4 && round % 5 == 0) ? "constant" : "variable";
          fixture_row (f, 1, sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))], of,
                       life == TSR_LIFE_ALWAYS ? 0 : 1, life == TSR_LIFE_ALWAYS ? 0 : 90 + i);
          if (i % 2 == 0)
            fixture_row (f, 0, 70, of, 0, 0);
        }
      f->ovf[1] = round % 4 == 0 ? 5 : 0;
      f->c.n_replicas = 1 + round % 3;
      fixture_finish (f, FIXTURE_STEPS);
      for (guint i = 0; i < f->c.held->len; i++)
        {
          const TsrInsightHeld *held = &g_array_index (f->c.held, TsrInsightHeld, i);
          const guint k = held->variable;

          counts[k] = k != 5 && f->c.variables[k].life != TSR_LIFE_TEMPORARY;
          in[k] = counts[k] && (k == 1 || k == 2 || k == 4);
          all += counts[k] ? held->all : 0;
          optimiser += in[k] ? held->all : 0;
          constants
              += counts[k] && g_str_equal (f->c.variables[k].category, "constant") ? held->all : 0;
          if (in[k] && held->all > most)
            {
              most = held->all;
              largest = k;
            }
        }
      of_optimiser = optimiser > 0 && optimiser >= constants;
      if (of_optimiser)
        {
          in[largest] = FALSE;
          tsr_insight_get_saving (&f->c, &(TsrInsightChange){ in, 1, 0, 0 }, &worst, &other);
        }
      fixture_check (f, "resident-state", &v);
      g_assert_cmpint (v.result, ==,
                       all >= 40000 || optimiser >= 10000 || (round % 4 == 0 && all >= 1024)
                           ? TSR_RULE_FIRED
                           : TSR_RULE_FINE);
      if (v.finding == NULL)
        {
          tsr_verdict_clear (&v);
          continue;
        }
      said
          = g_strdup_printf ("Weights and state stay on the chip all the time: %s on tile 1, of it "
                             "optimiser state %s and constants %s.",
                             tsr_insight_size (&f->c, all), tsr_insight_size (&f->c, optimiser),
                             tsr_insight_size (&f->c, constants));
      g_assert_cmpstr (v.finding->text, ==, said);
      g_assert_cmpint (v.finding->severity, ==,
                       round % 4 == 0 ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
      g_assert_cmpint (v.finding->bytes_worst_tile, ==, worst);
      g_assert_cmpint (v.finding->bytes, ==, other);
      g_assert_cmpint (v.finding->confidence, ==,
                       of_optimiser ? TSR_CONFIDENCE_UPPER_BOUND : TSR_CONFIDENCE_EXACT);
      g_assert_true (
          g_str_has_prefix (v.finding->action, of_optimiser ? "Keep optimiser" : "Keep large"));
      g_assert_true ((strstr (v.finding->action, "Sharding") != NULL)
                     == (of_optimiser && f->c.n_replicas > 1));
      g_assert_cmpstr (v.finding->scope, ==, "tile1");
      g_assert_cmpstr (v.finding->where.breakdown, ==, "liveness");
      g_assert_cmpstr (v.finding->where.tab, ==, "variables");
      for (guint i = 0; i < f->c.held->len; i++)
        {
          const TsrInsightHeld *held = &g_array_index (f->c.held, TsrInsightHeld, i);

          if (!counts[held->variable] || held->all == 0)
            continue;
          g_assert_cmpstr (v.finding->where.names[n], ==, names[held->variable]);
          g_assert_cmpuint (g_array_index (v.variables, guint32, n), ==, held->variable);
          if (n < 5)
            {
              const TsrEvidence *one = &g_array_index (v.finding->evidence, TsrEvidence, n);

              g_assert_cmpint (one->bytes, ==, held->all);
              g_assert_cmpfloat_with_epsilon (one->share, (double)held->all / (double)all, 1e-12);
            }
          n++;
        }
      g_assert_cmpuint (v.variables->len, ==, n);
      tsr_verdict_clear (&v);
    }
}

void
add_resident_state_tests (void)
{
  g_test_add_func ("/insight-rules/resident-state/random", test_random);
  g_test_add_func ("/insight-rules/resident-state/resident", test_resident);
  g_test_add_func ("/insight-rules/resident-state/resident-guards", test_resident_guards);
}

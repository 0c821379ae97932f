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

void
add_resident_state_tests (void)
{
  g_test_add_func ("/insight-rules/resident-state/resident", test_resident);
  g_test_add_func ("/insight-rules/resident-state/resident-guards", test_resident_guards);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule instrumentation at and beside each of its thresholds, on tiles made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

static void
test_instrumentation (void)
{
  g_autoptr (Fixture) below = fixture_new_tiles (50000, 60000);
  g_autoptr (Fixture) at = fixture_new_tiles (50000, 60000);
  g_autoptr (Fixture) larger = fixture_new_tiles (50000, FIXTURE_CAPACITY + 501);
  g_autoptr (Fixture) smaller = fixture_new_tiles (50000, FIXTURE_CAPACITY + 499);
  g_autoptr (Fixture) missing = fixture_new_tiles (50000, 60000);
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

/* Tiles that do not fit, each of which would or would not without the profiler's results. */
static void
test_tiles (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (Fixture) f = fixture_new_tiles (50000, 60000);
      const guint n = 1 + round % 7;
      gboolean overflows = TRUE;
      guint emptiest = 0;
      g_autofree char *said = NULL;
      TsrVerdict v;

      for (guint t = 0; t < 16; t++)
        {
          const gint64 need = g_rand_int_range (rand, 1999, 2004);

          f->inc[t] = t < n ? FIXTURE_CAPACITY + need : g_rand_int_range (rand, 50000, 50020);
          fixture_category (f, "instrumentationResults")[t] = 2000 + t;
          overflows = overflows && (t >= n || need <= 2000 + t);
          if (f->inc[t] < f->inc[emptiest])
            emptiest = t;
        }
      fixture_finish (f, 0);
      said = g_strdup_printf ("(the emptiest is %u)", emptiest);
      g_assert_cmpint (fixture_check (f, "instrumentation", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpint (v.finding->severity, ==, overflows ? TSR_FINDING_WARNING : TSR_FINDING_INFO);
      g_assert_nonnull (strstr (v.finding->action, said));
      g_assert_cmpuint (v.finding->where.n_tiles, ==, n);
      g_assert_cmpuint (v.finding->evidence->len, ==, MIN (n, 5));
      for (guint i = 0; i < MIN (n, 5); i++)
        {
          const TsrEvidence *one = &g_array_index (v.finding->evidence, TsrEvidence, i);
          g_autofree char *name = g_strdup_printf ("Tile %u", f->c.critical[i]);

          g_assert_cmpstr (one->name, ==, name);
          g_assert_cmpint (one->bytes, ==, 2000 + f->c.critical[i]);
        }
      tsr_verdict_clear (&v);
    }
}

/* The first tile may be the emptiest, and one that is not told is not. */
static void
test_emptiest (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Fixture) f = fixture_new_tiles (50000, 60000);
      TsrVerdict v;

      f->inc[0] = i == 0 ? 40000 : TSR_UNKNOWN;
      f->inc[2] = 45000;
      fixture_category (f, "instrumentationResults")[3] = 1000;
      fixture_finish (f, 0);
      g_assert_cmpint (fixture_check (f, "instrumentation", &v), ==, TSR_RULE_FIRED);
      g_assert_nonnull (
          strstr (v.finding->action, i == 0 ? "(the emptiest is 0)" : "(the emptiest is 2)"));
      tsr_verdict_clear (&v);
    }
}

void
add_instrumentation_tests (void)
{
  g_test_add_func ("/insight-rules/instrumentation/instrumentation", test_instrumentation);
  g_test_add_func ("/insight-rules/instrumentation/tiles", test_tiles);
  g_test_add_func ("/insight-rules/instrumentation/emptiest", test_emptiest);
}

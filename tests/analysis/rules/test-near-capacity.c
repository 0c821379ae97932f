/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule near-capacity at and beside each of its thresholds, on tiles made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <math.h>
#include <string.h>

static void
test_near_capacity (void)
{
  g_autoptr (Fixture) below = fixture_new_tiles (50000, FIXTURE_CAPACITY - 4900);
  g_autoptr (Fixture) above = fixture_new_tiles (50000, FIXTURE_CAPACITY - 5100);
  g_autoptr (Fixture) at = fixture_new_tiles (50000, FIXTURE_CAPACITY - 5000);
  g_autoptr (Fixture) warning = fixture_new_tiles (50000, FIXTURE_CAPACITY - 1900);
  g_autoptr (Fixture) advice = fixture_new_tiles (50000, FIXTURE_CAPACITY - 2000);
  g_autoptr (Fixture) instrumented = fixture_new_tiles (50000, FIXTURE_CAPACITY - 4000);
  g_autoptr (Fixture) hardly = fixture_new_tiles (50000, FIXTURE_CAPACITY - 4000);
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

/* What the fullest tile holds: the five largest categories, as parts of all that it holds. */
static void
test_categories (void)
{
  static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (19);

  for (guint round = 0; round < 100; round++)
    {
      g_autoptr (Fixture) f = fixture_new_tiles (50000, FIXTURE_CAPACITY - 4000);
      gint64 bytes[G_N_ELEMENTS (names)];
      TsrVerdict v;

      fixture_category (f, "vertexCode")[3] = 0;
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        bytes[i] = fixture_category (f, names[i])[3] = g_rand_int_range (rand, -1, 4);
      f->exc[3] = round % 3;
      f->c.exc = round % 4 == 0 ? NULL : f->exc;
      fixture_finish (f, 0);
      g_assert_cmpint (fixture_check (f, "near-capacity", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpstr (v.finding->title, ==, "Tile 3 has 3.91 KiB free (4.0 %)");
      g_assert_true (
          g_str_has_prefix (v.finding->text, "Tile 3 has 3.91 KiB of 97.7 KiB free (4.0 %)."));
      g_assert_cmpstr (v.finding->scope, ==, "tile3");
      g_assert_cmpstr (v.finding->where.breakdown, ==, "category");
      for (guint k = 0; k < 5; k++)
        {
          const TsrEvidence *one;
          guint most = 0;

          for (guint i = 1; i < G_N_ELEMENTS (names); i++)
            if (bytes[i] > bytes[most])
              most = i;
          g_assert_cmpint (k<v.finding->evidence->len, ==, bytes[most]> 0);
          if (bytes[most] <= 0)
            break;
          one = &g_array_index (v.finding->evidence, TsrEvidence, k);
          g_assert_cmpstr (one->name, ==, names[most]);
          g_assert_cmpint (one->bytes, ==, bytes[most]);
          if (f->c.exc == NULL || f->exc[3] == 0)
            g_assert_true (isnan (one->share));
          else
            g_assert_cmpfloat (one->share, ==, (double)bytes[most] / (double)f->exc[3]);
          bytes[most] = 0;
        }
      tsr_verdict_clear (&v);
    }
}

void
add_near_capacity_tests (void)
{
  g_test_add_func ("/insight-rules/near-capacity/categories", test_categories);
  g_test_add_func ("/insight-rules/near-capacity/near-capacity", test_near_capacity);
}

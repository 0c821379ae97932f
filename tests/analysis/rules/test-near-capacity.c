/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule near-capacity at and beside each of its thresholds, on tiles made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

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

void
add_near_capacity_tests (void)
{
  g_test_add_func ("/insight-rules/near-capacity/near-capacity", test_near_capacity);
}

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

void
add_instrumentation_tests (void)
{
  g_test_add_func ("/insight-rules/instrumentation/instrumentation", test_instrumentation);
}

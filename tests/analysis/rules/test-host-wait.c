/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule host-wait at and beside each of its thresholds, on executions made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "execution-bed.h"

#include <string.h>

static void
test_host_wait (void)
{
  g_autoptr (Bed) leading = bed_new (1, 1);
  g_autoptr (Bed) fires = bed_new (2, 2);
  g_autoptr (Bed) below = bed_new (1, 1);
  g_autoptr (Bed) flush = bed_new (1, 1);
  TsrVerdict v;

  bed_run (leading, 0, "StreamCopyBegin", "copyFromHost/weights", 990000);
  bed_compute (leading, 0, "model/fc", 10000, 1, 100);
  g_assert_cmpint (bed_result (leading, "host-wait"), ==, TSR_RULE_FINE);
  g_assert_cmpint (leading->c.execution.span, ==, 10000);

  /* IPU 1 waits 3,000 for IPU 0's copy; IPU 0 itself waits 600 of 10,000. */
  bed_compute (fires, 0, "model/fc", 9400, 1, 100);
  bed_run (fires, 0, "StreamCopyBegin", "copyFromHost/input", 600);
  bed_compute (fires, 1, "model/fc2", 7000, 1, 100);
  bed_run (fires, 1, "StreamCopyBegin", "copyFromHost/input", 3000);
  g_assert_cmpint (bed_check (fires, "host-wait", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 600);
  g_assert_cmpstr (v.finding->scope, ==, "ipu0");
  g_assert_cmpstr (bed_evidence (&v, 0)->name, ==, "copyFromHost/input");
  /* With one run it is start-up as much as anything. */
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_INFO);
  g_assert_nonnull (strstr (v.finding->text, "Only one run"));
  tsr_verdict_clear (&v);

  bed_compute (below, 0, "model/fc", 9501, 1, 100);
  bed_run (below, 0, "StreamCopyBegin", "copyFromHost/input", 499);
  g_assert_cmpint (bed_result (below, "host-wait"), ==, TSR_RULE_FINE);
  bed_compute (flush, 0, "model/fc", 5000, 1, 100);
  bed_run (flush, 0, "StreamCopyBegin", "BlockFlush", 5000);
  g_assert_cmpint (bed_result (flush, "host-wait"), ==, TSR_RULE_FINE);
}

/* The last complete run is what is looked at, without its leading wait. */
static void
test_second_run (void)
{
  g_autoptr (Bed) bed = bed_new (1, 1);
  TsrVerdict v;

  bed_compute (bed, 0, "model/fc", 50000, 1, 100);
  bed_run (bed, 0, "StreamCopyBegin", "copyFromHost/input", 50000);
  trace_test_begin_run (bed->t, "Engine::run #1");
  bed_run (bed, 0, "StreamCopyBegin", "copyFromHost/input", 700000);
  bed_compute (bed, 0, "model/fc", 8000, 1, 100);
  bed_run (bed, 0, "StreamCopyBegin", "copyFromHost/input", 2000);
  g_assert_cmpint (bed_check (bed, "host-wait", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (bed->c.execution.span, ==, 10000);
  g_assert_cmpint (v.finding->cycles, ==, 2000);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  g_assert_null (strstr (v.finding->text, "Only one run"));
  g_assert_cmpuint (v.finding->where.run, ==, 1);
  tsr_verdict_clear (&v);
}

void
add_host_wait_tests (void)
{
  g_test_add_func ("/insight-rules/host-wait/host-wait", test_host_wait);
  g_test_add_func ("/insight-rules/host-wait/second-run", test_second_run);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule unoverlapped-io at and beside each of its thresholds, on executions made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "execution-bed.h"

#include <string.h>

/* Compute 0 to 4,000 and 6,000 to 10,000; a copy of 1,000 from @from on. */
static Bed *
make_copy (gint64 from)
{
  Bed *bed = bed_new (1, 1);
  guint32 step;

  bed_compute (bed, 0, "model/a", 4000, 1, 100);
  bed->now[0] = 6000;
  bed_compute (bed, 0, "model/b", 4000, 1, 100);
  step = trace_test_add_step (bed->t, "StreamCopyMid", "copyFromHost/input");
  {
    TraceTestSlice *slice = trace_test_add (bed->t, step, 0, from, from + 1000);

    slice->data_in = 5000;
    slice->data_out = 0;
  }
  return bed;
}

static void
test_io (void)
{
  g_autoptr (Bed) none = make_copy (4500);
  g_autoptr (Bed) half = make_copy (3500);
  g_autoptr (Bed) full = make_copy (2000);
  g_autoptr (Bed) before = bed_new (1, 1);
  TsrVerdict v;

  g_assert_cmpint (bed_check (none, "unoverlapped-io", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 1000);
  g_assert_cmpint (bed_evidence (&v, 0)->cycles, ==, 1000);
  g_assert_cmpint (bed_evidence (&v, 0)->bytes, ==, 5000);
  tsr_verdict_clear (&v);
  g_assert_cmpint (bed_check (half, "unoverlapped-io", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 500);
  g_assert_nonnull (strstr (v.finding->text, "50"));
  tsr_verdict_clear (&v);
  g_assert_cmpint (bed_result (full, "unoverlapped-io"), ==, TSR_RULE_FINE);
  /* What comes before all compute cannot be hidden. */
  bed_run (before, 0, "DoExchange", "model/pre", 10);
  bed_run (before, 0, "StreamCopyMid", "copyFromHost/weights", 9000);
  bed_compute (before, 0, "model/fc", 1000, 1, 100);
  g_assert_cmpint (bed_result (before, "unoverlapped-io"), ==, TSR_RULE_FINE);
}

void
add_unoverlapped_io_tests (void)
{
  g_test_add_func ("/insight-rules/unoverlapped-io/io", test_io);
}

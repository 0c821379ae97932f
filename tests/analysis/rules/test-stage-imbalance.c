/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule stage-imbalance at and beside each of its thresholds, on executions made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "execution-bed.h"

#include <string.h>

/* One period: every IPU works as told, then all of them exchange at the same time. */
static void
period (Bed *bed, guint first, const gint64 *work, guint n)
{
  gint64 longest = 0;
  guint32 step;

  for (guint i = 0; i < n; i++)
    longest = MAX (longest, work[i]);
  for (guint i = 0; i < n; i++)
    {
      if (work[i] > 0)
        bed_compute (bed, first + i, "model/stage", work[i], 1, 100);
      bed->now[first + i] += longest - work[i];
    }
  step = trace_test_add_step (bed->t, "GlobalExchange", "globalExchange");
  for (guint i = 0; i < n; i++)
    {
      trace_test_add (bed->t, step, first + i, bed->now[first + i], bed->now[first + i] + 10);
      bed->now[first + i] += 10;
    }
}

static void
test_stages (void)
{
  static const gint64 uneven[] = { 1000, 2000, 3000 };
  static const gint64 even[] = { 3000, 2900, 3000 };
  static const gint64 one[3][3] = { { 1000, 0, 0 }, { 0, 1000, 0 }, { 0, 0, 1000 } };
  static const gint64 ramp[] = { 1000, 0, 0 };
  g_autoptr (Bed) fires = bed_new (3, 3);
  g_autoptr (Bed) fine = bed_new (3, 3);
  g_autoptr (Bed) sharded = bed_new (3, 3);
  g_autoptr (Bed) ramps = bed_new (3, 3);
  g_autoptr (Bed) single = bed_new (1, 1);
  TsrVerdict v;

  for (guint i = 0; i < 4; i++)
    period (fires, 0, uneven, 3);
  g_assert_cmpint (bed_check (fires, "stage-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 4 * (3000 - 2000));
  g_assert_cmpuint (v.finding->evidence->len, ==, 3);
  g_assert_cmpint (bed_evidence (&v, 2)->cycles, ==, 4 * 3000);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
  for (guint i = 0; i < 4; i++)
    period (fine, 0, even, 3);
  g_assert_cmpint (bed_result (fine, "stage-imbalance"), ==, TSR_RULE_FINE);
  for (guint i = 0; i < 6; i++)
    period (sharded, 0, one[i % 3], 3);
  g_assert_cmpint (bed_check (sharded, "stage-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, TSR_UNKNOWN);
  g_assert_nonnull (strstr (v.finding->title, "one IPU at a time"));
  tsr_verdict_clear (&v);
  period (ramps, 0, ramp, 3);
  for (guint i = 0; i < 2; i++)
    period (ramps, 0, even, 3);
  g_assert_cmpint (bed_check (ramps, "stage-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, TSR_UNKNOWN);
  g_assert_nonnull (strstr (v.finding->text, "Ramp-up"));
  tsr_verdict_clear (&v);
  bed_compute (single, 0, "model/fc", 1000, 1, 100);
  g_assert_cmpint (bed_result (single, "stage-imbalance"), ==, TSR_RULE_FINE);
}

/* Replicas are never stages of each other. */
static void
test_replicas (void)
{
  static const gint64 even[] = { 3000, 3000 };
  static const gint64 slow[] = { 9000, 9000 };
  g_autoptr (Bed) bed = bed_new (4, 2);

  for (guint i = 0; i < 4; i++)
    {
      period (bed, 0, even, 2);
      period (bed, 2, slow, 2);
    }
  g_assert_cmpint (bed_result (bed, "stage-imbalance"), ==, TSR_RULE_FINE);
  g_assert_cmpuint (bed->c.execution.n_ipus, ==, 2);
}

void
add_stage_imbalance_tests (void)
{
  g_test_add_func ("/insight-rules/stage-imbalance/stages", test_stages);
  g_test_add_func ("/insight-rules/stage-imbalance/replicas", test_replicas);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule tiny-steps at and beside each of its thresholds, on executions made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "execution-bed.h"

static Bed *
make_tiny (guint n, gint64 cycles)
{
  Bed *bed = bed_new (1, 1);

  for (guint i = 0; i < n; i++)
    {
      bed_compute (bed, 0, "model/layer1/add", cycles, 1, 100);
      bed_run (bed, 0, "Sync", "Internal", 20);
    }
  bed_compute (bed, 0, "model/layer2/conv", 50000, 1, 100);
  return bed;
}

static void
test_tiny (void)
{
  g_autoptr (Bed) few = make_tiny (999, 299);
  g_autoptr (Bed) many = make_tiny (1000, 299);
  g_autoptr (Bed) longer = make_tiny (1000, 300);
  TsrVerdict v;

  g_assert_cmpint (bed_result (few, "tiny-steps"), ==, TSR_RULE_FINE);
  g_assert_cmpint (bed_result (longer, "tiny-steps"), ==, TSR_RULE_FINE);
  g_assert_cmpint (bed_check (many, "tiny-steps", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 1000 * 20);
  g_assert_cmpint (bed_evidence (&v, 0)->cycles, ==, 1000 * 319);
  g_assert_cmpstr (bed_evidence (&v, 0)->name, ==, "model/layer1");
  tsr_verdict_clear (&v);
}

/* Syncs count that follow a short step directly, one or several, and no others. */
static void
test_syncs (void)
{
  g_autoptr (Bed) bed = bed_new (1, 1);
  TsrVerdict v;

  for (guint i = 0; i < 1000; i++)
    {
      bed_compute (bed, 0, "model/layer1/add", 100, 1, 100);
      bed_run (bed, 0, "Sync", "Internal", 20);
      bed_run (bed, 0, "Sync", "Internal", 30);
      if (i % 10 == 0)
        {
          bed_compute (bed, 0, "model/layer2/conv", 400, 1, 100);
          bed_run (bed, 0, "Sync", "Internal", 7);
        }
    }
  g_assert_cmpint (bed_check (bed, "tiny-steps", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 1000 * 50);
  g_assert_cmpint (bed_evidence (&v, 0)->cycles, ==, 1000 * 150);
  tsr_verdict_clear (&v);
}

void
add_tiny_steps_tests (void)
{
  g_test_add_func ("/insight-rules/tiny-steps/tiny", test_tiny);
  g_test_add_func ("/insight-rules/tiny-steps/syncs", test_syncs);
}

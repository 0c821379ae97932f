/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule idle-tiles at and beside each of its thresholds, on executions made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "execution-bed.h"

#include <string.h>

static void
test_idle (void)
{
  g_autoptr (Bed) fires = bed_new (1, 1);
  g_autoptr (Bed) short_steps = bed_new (1, 1);
  g_autoptr (Bed) half = bed_new (1, 1);
  g_autoptr (Bed) over_half = bed_new (1, 1);
  g_autoptr (Bed) below = bed_new (1, 1);
  TsrVerdict v;

  bed_compute (fires, 0, "model/scalar", 1100, 1, 1);
  bed_compute (fires, 0, "model/wide", 30000, 1, 100);
  g_assert_cmpint (bed_check (fires, "idle-tiles", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 1089); /* 1100 x (1 - 1/100) */
  g_assert_nonnull (strstr (v.finding->text, "1 of 100 tiles"));
  tsr_verdict_clear (&v);
  for (guint i = 0; i < 10; i++)
    bed_compute (short_steps, 0, "model/scalar", 900, 1, 1);
  g_assert_cmpint (bed_result (short_steps, "idle-tiles"), ==, TSR_RULE_FINE);
  bed_compute (half, 0, "model/half", 5000, 1, 50);
  g_assert_cmpint (bed_result (half, "idle-tiles"), ==, TSR_RULE_FIRED);
  bed_compute (over_half, 0, "model/half", 5000, 1, 51);
  g_assert_cmpint (bed_result (over_half, "idle-tiles"), ==, TSR_RULE_FINE);
  bed_compute (below, 0, "model/scalar", 1000, 1, 1);
  bed_compute (below, 0, "model/wide", 33000, 1, 100); /* 990 of 34,000 is 2.9 % */
  g_assert_cmpint (bed_result (below, "idle-tiles"), ==, TSR_RULE_FINE);
}

/* Steps that do not tell how many tiles they use are left out; where none tells, nothing is known.
 */
static void
test_untold (void)
{
  g_autoptr (Bed) some = bed_new (1, 1);
  g_autoptr (Bed) none = bed_new (1, 1);
  g_autoptr (Bed) brief = bed_new (1, 1);
  TsrVerdict v;

  bed_compute (some, 0, "model/scalar", 2000, 1, 1);
  bed_compute (some, 0, "model/untold", 30000, 1, TSR_UNKNOWN);
  g_assert_cmpint (bed_check (some, "idle-tiles", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 1980);
  tsr_verdict_clear (&v);
  bed_compute (none, 0, "model/wide", 3000, 1, 100);
  bed_compute (none, 0, "model/untold", 1000, 1, TSR_UNKNOWN);
  g_assert_cmpint (bed_check (none, "idle-tiles", &v), ==, TSR_RULE_NOT_CHECKED);
  g_assert_nonnull (strstr (v.text, "steps_by_ipu.active_tiles"));
  tsr_verdict_clear (&v);
  /* Too short to matter. */
  bed_compute (brief, 0, "model/wide", 3000, 1, 100);
  bed_compute (brief, 0, "model/untold", 999, 1, TSR_UNKNOWN);
  g_assert_cmpint (bed_result (brief, "idle-tiles"), ==, TSR_RULE_FINE);
}

void
add_idle_tiles_tests (void)
{
  g_test_add_func ("/insight-rules/idle-tiles/untold", test_untold);
  g_test_add_func ("/insight-rules/idle-tiles/idle", test_idle);
}

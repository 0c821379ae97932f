/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule out-of-memory at and beside each of its thresholds, on tiles made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

static void
test_out_of_memory (void)
{
  g_autoptr (Fixture) over = fixture_new_tiles (50000, FIXTURE_CAPACITY + 1);
  g_autoptr (Fixture) full = fixture_new_tiles (FIXTURE_CAPACITY, FIXTURE_CAPACITY);
  g_autoptr (Fixture) overflowed = fixture_new_tiles (50000, 50000);
  TsrVerdict v;

  fixture_finish (over, 0);
  g_assert_cmpint (over->c.fit, ==, TSR_OUT_OF_MEMORY);
  g_assert_cmpint (fixture_check (over, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ERROR);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 1);
  g_assert_cmpint (v.finding->bytes, ==, 1);
  g_assert_cmpuint (v.finding->where.n_tiles, ==, 1);
  g_assert_cmpuint (v.finding->where.tiles[0], ==, 3);
  g_assert_nonnull (strstr (v.finding->text, "If spread evenly"));
  tsr_verdict_clear (&v);

  /* Exactly full everywhere fits. */
  fixture_finish (full, 0);
  g_assert_cmpint (full->c.fit, ==, TSR_FITS);
  g_assert_cmpint (fixture_result (full, "out-of-memory"), ==, TSR_RULE_FINE);

  /* What overflowed counts although the extent is small; the largest need comes first. */
  overflowed->ovf[7] = 9;
  overflowed->ovf[8] = 11;
  overflowed->ovf[9] = 11;
  fixture_finish (overflowed, 0);
  g_assert_cmpuint (overflowed->c.n_critical, ==, 3);
  g_assert_cmpuint (overflowed->c.critical[0], ==, 8);
  g_assert_cmpuint (overflowed->c.critical[1], ==, 9);
  g_assert_cmpuint (overflowed->c.critical[2], ==, 7);
  g_assert_cmpint (fixture_check (overflowed, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 11);
  g_assert_cmpint (v.finding->bytes, ==, 31);
  tsr_verdict_clear (&v);
}

/* Which of the sentences about an even spread it is. */
static void
test_would_fit (void)
{
  g_autoptr (Fixture) even = fixture_new_tiles (95000, FIXTURE_CAPACITY + 16 * 100000);
  g_autoptr (Fixture) gaps = fixture_new_tiles (96000, FIXTURE_CAPACITY + 1);
  g_autoptr (Fixture) unknown = fixture_new_tiles (96000, FIXTURE_CAPACITY + 1);
  TsrVerdict v;

  fixture_finish (even, 0);
  g_assert_cmpint (fixture_check (even, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "does not fit even if spread evenly"));
  tsr_verdict_clear (&v);
  fixture_fill (gaps, 96000, 90000);
  gaps->inc[3] = FIXTURE_CAPACITY + 1;
  fixture_finish (gaps, 0);
  g_assert_cmpint (fixture_check (gaps, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "Excluding gaps it would fit"));
  tsr_verdict_clear (&v);

  /* One tile that is not told: it does not fit all the same, and no sum is made up. */
  unknown->inc[5] = unknown->ovf[5] = TSR_UNKNOWN;
  fixture_finish (unknown, 0);
  g_assert_cmpint (unknown->c.fit, ==, TSR_OUT_OF_MEMORY);
  g_assert_cmpint (fixture_check (unknown, "out-of-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes, ==, TSR_UNKNOWN);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 1);
  tsr_verdict_clear (&v);
}

void
add_out_of_memory_tests (void)
{
  g_test_add_func ("/insight-rules/out-of-memory/out-of-memory", test_out_of_memory);
  g_test_add_func ("/insight-rules/out-of-memory/would-fit", test_would_fit);
}

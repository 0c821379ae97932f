/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule gaps-on-full-tiles at and beside each of its thresholds, on tiles made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

static void
test_gaps (void)
{
  g_autoptr (Fixture) empty = fixture_new_tiles (41000, 41000);
  g_autoptr (Fixture) fires = fixture_new_tiles (50000, 85000);
  g_autoptr (Fixture) less_full = fixture_new_tiles (50000, 84999);
  g_autoptr (Fixture) small = fixture_new_tiles (50000, 85000);
  g_autoptr (Fixture) alone = fixture_new_tiles (50000, FIXTURE_CAPACITY + 1);
  g_autoptr (Fixture) exactly = fixture_new_tiles (50000, FIXTURE_CAPACITY);
  g_autoptr (Fixture) none = fixture_new_tiles (50000, 90000);
  g_autoptr (Fixture) untold = fixture_new_tiles (50000, 90000);
  g_autoptr (Fixture) nothing = fixture_new_tiles (50000, 90000);
  TsrVerdict v;

  /* Interleaved data at a fixed high address of an empty tile: a gap that costs nothing. */
  fixture_fill (empty, 41000 + 6400 + 17000, 41000 + 6400);
  fixture_finish (empty, 0);
  g_assert_cmpint (fixture_result (empty, "gaps-on-full-tiles"), ==, TSR_RULE_FINE);
  fires->exc[3] = 80000;
  fixture_finish (fires, 0);
  g_assert_cmpint (fixture_check (fires, "gaps-on-full-tiles", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 5000);
  g_assert_cmpint (v.finding->confidence, ==, TSR_CONFIDENCE_UPPER_BOUND);
  tsr_verdict_clear (&v);
  less_full->exc[3] = 70000;
  fixture_finish (less_full, 0);
  g_assert_cmpint (fixture_check (less_full, "gaps-on-full-tiles", &v), ==, TSR_RULE_FINE);
  g_assert_true (g_str_has_prefix (v.text, "Tile 3 is 85 % full;"));
  tsr_verdict_clear (&v);
  small->exc[3] = 80001;
  fixture_finish (small, 0);
  g_assert_cmpint (fixture_check (small, "gaps-on-full-tiles", &v), ==, TSR_RULE_FINE);
  g_assert_nonnull (strstr (v.text, " on tile 3 (5.0 %);"));
  tsr_verdict_clear (&v);
  alone->exc[3] = FIXTURE_CAPACITY - 5000;
  fixture_finish (alone, 0);
  g_assert_cmpint (fixture_check (alone, "gaps-on-full-tiles", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
  exactly->exc[3] = FIXTURE_CAPACITY - 5000;
  fixture_finish (exactly, 0);
  g_assert_cmpint (fixture_check (exactly, "gaps-on-full-tiles", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  tsr_verdict_clear (&v);
  untold->exc[3] = TSR_UNKNOWN;
  fixture_finish (untold, 0);
  g_assert_cmpint (fixture_result (untold, "gaps-on-full-tiles"), ==, TSR_RULE_NOT_CHECKED);
  fixture_fill (nothing, TSR_UNKNOWN, 50000);
  fixture_finish (nothing, 0);
  g_assert_cmpint (fixture_result (nothing, "gaps-on-full-tiles"), ==, TSR_RULE_NOT_CHECKED);
  none->c.exc = NULL;
  fixture_finish (none, 0);
  g_assert_cmpint (fixture_result (none, "gaps-on-full-tiles"), ==, TSR_RULE_NOT_CHECKED);
}

/* Where the gaps are, and between whom. */
static void
test_gap_places (void)
{
  g_autoptr (Fixture) f = fixture_new_tiles (50000, 95000);
  g_autofree gint64 *interleaved = g_new0 (gint64, 16);
  guint32 a = fixture_variable (f, "a", "float", TSR_LIFE_ALWAYS);
  guint32 b = fixture_variable (f, "b", "float", TSR_LIFE_ALWAYS);
  TsrVerdict v;

  fixture_row (f, 3, 20000, a, 0, 0);
  fixture_row (f, 3, 30000, b, 0, 0);
  g_array_index (f->rows, FixtureRow, 1).offset = 65000;
  f->exc[3] = 50000;
  interleaved[3] = 30000;
  f->c.interleaved = interleaved;
  f->c.interleaved_start = 60000;
  fixture_finish (f, 10);
  g_assert_cmpint (fixture_check (f, "gaps-on-full-tiles", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 45000);
  g_assert_cmpuint (v.finding->evidence->len, ==, 1);
  g_assert_cmpstr (g_array_index (v.finding->evidence, TsrEvidence, 0).name, ==, "between a and b");
  g_assert_cmpint (g_array_index (v.finding->evidence, TsrEvidence, 0).bytes, ==, 45000);
  g_assert_cmpint (f->c.below_end, ==, 20000);
  g_assert_nonnull (strstr (v.finding->text, "below the interleaved region"));
  tsr_verdict_clear (&v);
}

/* What lies below the interleaved region, where that is known and anything is in it. */
static void
test_below (void)
{
  static const struct
  {
    gint64 start, interleaved, exc;
    const char *said;
  } cases[] = {
    { 60000, 30000, 50000, ": 39.1 KiB below the interleaved region, 4.88 KiB elsewhere." },
    { 65000, 1, 50000, ": 43.9 KiB below the interleaved region, 0 B elsewhere." },
    { 65001, 30000, 50000, ": 0 B below the interleaved region, 43.9 KiB elsewhere." },
    { 20001, 30000, 50000, ": 1 B below the interleaved region, 43.9 KiB elsewhere." },
    { 20000, 30000, 50000, ": 0 B below the interleaved region, 43.9 KiB elsewhere." },
    { 10000, 30000, 50000, ": 0 B below the interleaved region, 43.9 KiB elsewhere." },
    { 60000, 0, 50000, ": 0 B below the interleaved region, 43.9 KiB elsewhere." },
    { 60000, 30000, 90000, NULL },
    { 60000, TSR_UNKNOWN, 50000, NULL },
    { TSR_UNKNOWN, 30000, 50000, NULL },
    { 60000, -1, 50000, NULL }, /* regions are not there */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = fixture_new_tiles (50000, 95000);
      g_autofree gint64 *interleaved = g_new0 (gint64, 16);
      TsrVerdict v;

      fixture_row (f, 3, 20000, fixture_variable (f, "a", "float", TSR_LIFE_ALWAYS), 0, 0);
      fixture_row (f, 3, 30000, fixture_variable (f, "b", "float", TSR_LIFE_ALWAYS), 0, 0);
      g_array_index (f->rows, FixtureRow, 1).offset = 65000;
      f->exc[3] = cases[i].exc;
      interleaved[3] = cases[i].interleaved;
      f->c.interleaved = cases[i].interleaved != -1 ? interleaved : NULL;
      f->c.interleaved_start = cases[i].start;
      fixture_finish (f, 10);
      g_assert_cmpint (fixture_check (f, "gaps-on-full-tiles", &v), ==, TSR_RULE_FIRED);
      if (cases[i].said != NULL)
        g_assert_nonnull (strstr (v.finding->text, cases[i].said));
      else
        g_assert_null (strstr (v.finding->text, "interleaved"));
      g_assert_cmpstr (v.finding->scope, ==, "tile3");
      g_assert_cmpstr (v.finding->where.breakdown, ==, "region");
      g_assert_cmpstr (v.finding->where.tab, ==, "variables");
      g_assert_cmpfloat_with_epsilon (g_array_index (v.finding->evidence, TsrEvidence, 0).share,
                                      45000.0 / (double)(95000 - cases[i].exc), 1e-12);
      tsr_verdict_clear (&v);
    }
}

/* Full without gaps it fits without them, and with a byte more it does not. */
static void
test_alone (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Fixture) f = fixture_new_tiles (50000, FIXTURE_CAPACITY + 6000);
      TsrVerdict v;

      f->exc[3] = FIXTURE_CAPACITY + i;
      fixture_finish (f, 0);
      g_assert_cmpint (fixture_check (f, "gaps-on-full-tiles", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpint (v.finding->severity, ==, i == 0 ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
      tsr_verdict_clear (&v);
    }
}

void
add_gaps_on_full_tiles_tests (void)
{
  g_test_add_func ("/insight-rules/gaps-on-full-tiles/gaps", test_gaps);
  g_test_add_func ("/insight-rules/gaps-on-full-tiles/gap-places", test_gap_places);
  g_test_add_func ("/insight-rules/gaps-on-full-tiles/below", test_below);
  g_test_add_func ("/insight-rules/gaps-on-full-tiles/alone", test_alone);
}

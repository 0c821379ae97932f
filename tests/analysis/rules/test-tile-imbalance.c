/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule tile-imbalance at and beside each of its thresholds, on tiles made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

static void
test_imbalance (void)
{
  g_autoptr (Fixture) half_empty = fixture_new_tiles (25000, 50000);
  g_autoptr (Fixture) fires = fixture_new_tiles (55000, 71500);
  g_autoptr (Fixture) ratio = fixture_new_tiles (55010, 71500);
  g_autoptr (Fixture) full = fixture_new_tiles (50000, 69999);
  g_autoptr (Fixture) warning = fixture_new_tiles (60000, 90000);
  g_autoptr (Fixture) gappy = fixture_new_tiles (60000, 80000);
  TsrVerdict v;

  fixture_finish (half_empty, 0);
  g_assert_cmpint (fixture_result (half_empty, "tile-imbalance"), ==, TSR_RULE_FINE);
  fixture_finish (fires, 0);
  g_assert_cmpint (fixture_check (fires, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, 16500);
  g_assert_cmpint (v.finding->bytes, ==, 0);
  g_assert_cmpstr (v.finding->scope, ==, "ipu0");
  tsr_verdict_clear (&v);
  fixture_finish (ratio, 0);
  g_assert_cmpint (fixture_result (ratio, "tile-imbalance"), ==, TSR_RULE_FINE);
  fixture_finish (full, 0);
  g_assert_cmpint (fixture_result (full, "tile-imbalance"), ==, TSR_RULE_FINE);
  fixture_finish (warning, 0);
  g_assert_cmpint (fixture_check (warning, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
  /* Without categories it fires all the same and says what it does not know. */
  gappy->names->len = 0;
  fixture_finish (gappy, 0);
  g_assert_cmpint (fixture_check (gappy, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "only copy"));
  tsr_verdict_clear (&v);
  gappy->names->len = 1;
}

/* Tiles without a vertex are not compared, and tables of control are no cause. */
static void
test_imbalance_guards (void)
{
  g_autoptr (Fixture) copies = fixture_new_tiles (75000, 80000);
  g_autoptr (Fixture) control = fixture_new_tiles (60000, 80000);
  g_autoptr (Fixture) few = fixture_new (7, FIXTURE_CAPACITY);
  g_autoptr (Fixture) enough = fixture_new (8, FIXTURE_CAPACITY);
  g_autoptr (Fixture) codeless = fixture_new_tiles (60000, 80000);
  g_autoptr (Fixture) cause = fixture_new_tiles (60000, 90000);
  guint32 table = fixture_variable (cause, "table", "float", TSR_LIFE_ALWAYS);
  guint32 other = fixture_variable (cause, "other", "float", TSR_LIFE_ALWAYS);
  TsrVerdict v;

  for (guint t = 8; t < 16; t++)
    {
      copies->inc[t] = 15000;
      fixture_category (copies, "vertexCode")[t] = 0;
    }
  fixture_finish (copies, 0);
  g_assert_cmpint (fixture_result (copies, "tile-imbalance"), ==, TSR_RULE_FINE);

  fixture_category (control, "controlTable")[3] = 20000;
  fixture_finish (control, 0);
  g_assert_cmpint (fixture_result (control, "tile-imbalance"), ==, TSR_RULE_FINE);

  fixture_fill (few, 50000, 50000);
  few->inc[0] = 90000;
  fixture_finish (few, 0);
  g_assert_cmpint (fixture_result (few, "tile-imbalance"), ==, TSR_RULE_FINE);
  fixture_fill (enough, 50000, 50000);
  enough->inc[0] = 90000;
  fixture_finish (enough, 0);
  g_assert_cmpint (fixture_result (enough, "tile-imbalance"), ==, TSR_RULE_FIRED);

  /* No tile has a vertex: then all are compared. */
  memset (fixture_category (codeless, "vertexCode"), 0, 16 * sizeof (gint64));
  fixture_finish (codeless, 0);
  g_assert_cmpint (fixture_result (codeless, "tile-imbalance"), ==, TSR_RULE_FIRED);

  /* Categories are counted from 0 in the order of their names here: 0 is vertexCode. */
  fixture_category (cause, "vertexCode")[3] = 30010;
  fixture_row (cause, 3, 1000, other, 0, 0);
  fixture_row (cause, 3, 29000, table, 0, 0);
  fixture_row (cause, 0, 900, other, 0, 0);
  fixture_finish (cause, 10);
  g_assert_cmpint (fixture_check (cause, "tile-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "vertexCode: table"));
  g_assert_cmpstr (v.finding->where.names[0], ==, "table");
  tsr_verdict_clear (&v);
}

void
add_tile_imbalance_tests (void)
{
  g_test_add_func ("/insight-rules/tile-imbalance/imbalance", test_imbalance);
  g_test_add_func ("/insight-rules/tile-imbalance/imbalance-guards", test_imbalance_guards);
}

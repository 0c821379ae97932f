/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule operation-memory on operations and tiles made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

static Fixture *
new_operations (gboolean rows, guint n_steps)
{
  static const TsrInsightOperation operations[]
      = { { "matMul (m4)", 11, 0, 2048 }, { "conv", 12, 0, 4096 }, { NULL, 0, 0, 2048 } };
  Fixture *f = fixture_new_lives ();

  f->c.operations.layer = "poplibs";
  f->c.operations.title = "Poplar and PopLibs";
  f->c.operations.list = g_array_new (FALSE, TRUE, sizeof (TsrInsightOperation));
  g_array_append_vals (f->c.operations.list, operations, G_N_ELEMENTS (operations));
  if (rows)
    fixture_row (f, 1, 4096, fixture_variable (f, "w", "float", TSR_LIFE_ALWAYS), 0, 0);
  fixture_finish (f, n_steps);
  return f;
}

static void
test_order (void)
{
  g_autoptr (Fixture) f = new_operations (TRUE, FIXTURE_STEPS);
  const TsrEvidence *evidence;
  TsrVerdict v;

  g_assert_cmpint (fixture_check (f, "operation-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_INFO);
  g_assert_cmpstr (v.finding->title, ==, "Costliest on tile 1, 4.00 KiB: conv");
  g_assert_nonnull (strstr (v.finding->text, "conv has 4.00 KiB of 8.00 KiB, those listed 75 %"));
  g_assert_nonnull (strstr (v.finding->text, "live at the peak of tile 1, operations of the layer "
                                             "Poplar and PopLibs"));
  g_assert_cmpuint (v.finding->evidence->len, ==, 2);
  evidence = &g_array_index (v.finding->evidence, TsrEvidence, 1);
  g_assert_cmpstr (evidence->name, ==, "matMul (m4)");
  g_assert_cmpint (evidence->bytes, ==, 2048);
  g_assert_cmpfloat (evidence->share, ==, 0.25);
  g_assert_cmpstr (v.finding->where.operation, ==, "12");
  g_assert_cmpstr (v.finding->scope, ==, "tile1");
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, TSR_UNKNOWN);
  tsr_verdict_clear (&v);
}

/* Without lives there is no peak that variables could be live at. */
static void
test_without_lives (void)
{
  g_autoptr (Fixture) f = new_operations (TRUE, 0);
  TsrVerdict v;

  g_assert_null (f->c.worst_series);
  g_assert_cmpint (fixture_check (f, "operation-memory", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "All variables on tile 1, whenever they are live"));
  tsr_verdict_clear (&v);
}

static void
test_nothing (void)
{
  g_autoptr (Fixture) without = fixture_new_lives ();
  g_autoptr (Fixture) lowered = new_operations (FALSE, FIXTURE_STEPS);
  g_autoptr (Fixture) empty = new_operations (TRUE, FIXTURE_STEPS);
  TsrVerdict v;

  fixture_finish (without, 0);
  g_assert_cmpint (fixture_check (without, "operation-memory", &v), ==, TSR_RULE_FINE);
  g_assert_cmpstr (v.text, ==, "There is no debug information");
  tsr_verdict_clear (&v);
  g_assert_cmpint (fixture_check (lowered, "operation-memory", &v), ==, TSR_RULE_NOT_CHECKED);
  g_assert_nonnull (strstr (v.text, "autoReport.outputLoweredVars"));
  tsr_verdict_clear (&v);
  for (guint i = 0; i < empty->c.operations.list->len; i++)
    g_array_index (empty->c.operations.list, TsrInsightOperation, i).on_worst = 0;
  g_assert_cmpint (fixture_result (empty, "operation-memory"), ==, TSR_RULE_FINE);
}

void
add_operation_memory_tests (void)
{
  g_test_add_func ("/insight-rules/operation-memory/order", test_order);
  g_test_add_func ("/insight-rules/operation-memory/without-lives", test_without_lives);
  g_test_add_func ("/insight-rules/operation-memory/nothing", test_nothing);
}

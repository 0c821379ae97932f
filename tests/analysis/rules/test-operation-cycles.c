/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule operation-cycles on operations made by hand: order, shares, what is left out, and titles
 * of long names. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

static void
set_operations (Fixture *f, const TsrInsightOperation *operations, guint n)
{
  f->c.operations.layer = "poplibs";
  f->c.operations.title = "Poplar and PopLibs";
  f->c.operations.list = g_array_new (FALSE, TRUE, sizeof (TsrInsightOperation));
  g_array_append_vals (f->c.operations.list, operations, n);
  fixture_finish (f, 0);
}

static void
test_order (void)
{
  static const TsrInsightOperation operations[] = {
    { "a", 11, 10, 0 }, { "b", 12, 230, 0 }, { "c", 13, TSR_UNKNOWN, 0 },
    { "d", 14, 60, 0 }, { "e", 15, 60, 0 },  { "f", 16, 5, 0 },
    { "g", 17, 70, 0 }, { "h", 18, 0, 0 },   { NULL, 0, 565, 0 },
  };
  static const char *const names[] = { "b", "g", "d", "e", "a" };
  static const gint64 cycles[] = { 230, 70, 60, 60, 10 };
  g_autoptr (Fixture) f = fixture_new (1, FIXTURE_CAPACITY);
  TsrVerdict v;

  f->c.operations.cycles = 1000;
  set_operations (f, operations, G_N_ELEMENTS (operations));
  g_assert_cmpint (fixture_check (f, "operation-cycles", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_INFO);
  g_assert_cmpstr (v.finding->title, ==, "Costliest by cycles, 23 %: b");
  g_assert_nonnull (strstr (v.finding->text, "b takes 230 of 1,000, those listed 43 % together"));
  g_assert_cmpuint (v.finding->evidence->len, ==, 5);
  for (guint i = 0; i < 5; i++)
    {
      const TsrEvidence *evidence = &g_array_index (v.finding->evidence, TsrEvidence, i);

      g_assert_cmpstr (evidence->name, ==, names[i]);
      g_assert_cmpint (evidence->cycles, ==, cycles[i]);
      g_assert_cmpint (evidence->bytes, ==, TSR_UNKNOWN);
      g_assert_cmpfloat (evidence->share, ==, (double)cycles[i] / 1000);
    }
  g_assert_cmpint (v.finding->where.view, ==, TSR_VIEW_OPERATIONS);
  g_assert_cmpstr (v.finding->where.layer, ==, "poplibs");
  g_assert_cmpstr (v.finding->where.operation, ==, "12");
  g_assert_cmpint (v.finding->cycles, ==, TSR_UNKNOWN);
  g_assert_cmpint (v.finding->bytes_worst_tile, ==, TSR_UNKNOWN);
  tsr_verdict_clear (&v);
}

/* The five with most of random ones, the first of equal ones first, and what they have together. */
static void
test_random (void)
{
  static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (15);

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (Fixture) f = fixture_new (1, FIXTURE_CAPACITY);
      TsrInsightOperation operations[9];
      const guint n = round % 10;
      gint64 sum = 0;
      TsrVerdict v;

      for (guint i = 0; i < n; i++)
        operations[i] = (TsrInsightOperation){ g_rand_int_range (rand, 0, 6) > 0 ? names[i] : NULL,
                                               i, g_rand_int_range (rand, -1, 5), 0 };
      f->c.operations.cycles = 100;
      set_operations (f, operations, n);
      fixture_check (f, "operation-cycles", &v);
      for (guint k = 0; k < 5; k++)
        {
          guint most = n;

          for (guint i = 0; i < n; i++)
            if (operations[i].name != NULL && operations[i].cycles > 0
                && (most == n || operations[i].cycles > operations[most].cycles))
              most = i;
          g_assert_cmpint (most < n, ==, v.finding != NULL && k < v.finding->evidence->len);
          if (most == n)
            break;
          g_assert_cmpstr (g_array_index (v.finding->evidence, TsrEvidence, k).name, ==,
                           names[most]);
          sum += operations[most].cycles;
          operations[most].cycles = 0;
        }
      if (v.finding != NULL)
        {
          g_autofree char *said = g_strdup_printf ("of 100, those listed %s together",
                                                   tsr_insight_percent (&f->c, (double)sum / 100));

          g_assert_nonnull (strstr (v.finding->text, said));
        }
      tsr_verdict_clear (&v);
    }
}

/* A name is what the title is about: it is whole, and cut where there is no room for it. */
static void
test_long_name (void)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (guint n = 1; n < 90; n++)
    {
      g_autoptr (Fixture) f = fixture_new (1, FIXTURE_CAPACITY);
      TsrInsightOperation operation = { NULL, 5, 10, 0 };
      TsrVerdict v;

      g_string_append (name, "ü");
      operation.name = name->str;
      f->c.operations.cycles = 10;
      f->c.operations.estimated = TRUE;
      set_operations (f, &operation, 1);
      g_assert_cmpint (fixture_check (f, "operation-cycles", &v), ==, TSR_RULE_FIRED);
      g_assert_true (g_str_has_prefix (v.finding->title, "Costliest by cycles, 100 %: ü"));
      g_assert_true (g_str_has_suffix (v.finding->title, name->str));
      g_assert_true (g_str_has_prefix (v.finding->text, "Estimated"));
      tsr_verdict_clear (&v);
    }
}

static void
test_nothing (void)
{
  static const TsrInsightOperation none[] = { { NULL, 0, 70, 70 } };
  g_autoptr (Fixture) without = fixture_new (1, FIXTURE_CAPACITY);
  g_autoptr (Fixture) idle = fixture_new (1, FIXTURE_CAPACITY);
  g_autoptr (Fixture) unknown = fixture_new (1, FIXTURE_CAPACITY);
  g_autoptr (Fixture) programs = fixture_new (1, FIXTURE_CAPACITY);
  TsrVerdict v;

  fixture_finish (without, 0);
  g_assert_cmpint (fixture_check (without, "operation-cycles", &v), ==, TSR_RULE_FINE);
  g_assert_cmpstr (v.text, ==, "There is no debug information");
  tsr_verdict_clear (&v);
  idle->c.operations.cycles = 70;
  set_operations (idle, none, 1);
  g_assert_cmpint (fixture_result (idle, "operation-cycles"), ==, TSR_RULE_FINE);
  unknown->c.operations.cycles = TSR_UNKNOWN;
  set_operations (unknown, none, 1);
  g_assert_cmpint (fixture_result (unknown, "operation-cycles"), ==, TSR_RULE_NOT_CHECKED);
  programs->c.operations.layer = "poplibs";
  fixture_finish (programs, 0);
  g_assert_cmpint (fixture_result (programs, "operation-cycles"), ==, TSR_RULE_NOT_CHECKED);
}

void
add_operation_cycles_tests (void)
{
  g_test_add_func ("/insight-rules/operation-cycles/order", test_order);
  g_test_add_func ("/insight-rules/operation-cycles/random", test_random);
  g_test_add_func ("/insight-rules/operation-cycles/long-name", test_long_name);
  g_test_add_func ("/insight-rules/operation-cycles/nothing", test_nothing);
}

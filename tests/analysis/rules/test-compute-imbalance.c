/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule compute-imbalance at and beside each of its thresholds, on executions made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "execution-bed.h"

#include <math.h>
#include <string.h>

/* A hundred cycles at 50 % and a million at 95 %: the latter cost more. */
static Bed *
make_imbalance (gint64 rest, double balance)
{
  Bed *bed = bed_new (1, 1);

  bed_compute (bed, 0, "model/small", 100, 0.5, 100);
  bed_compute (bed, 0, "model/large", 1000000, balance, 100);
  bed_run (bed, 0, "DoExchange", "model/rest", rest);
  return bed;
}

static void
test_imbalance (void)
{
  g_autoptr (Bed) fires = make_imbalance (1000, 0.94);
  g_autoptr (Bed) below = make_imbalance (1000, 0.951);
  g_autoptr (Bed) warning = make_imbalance (1000, 0.5);
  g_autoptr (Bed) unknown = make_imbalance (1000, NAN);
  g_autoptr (Bed) coarse = make_imbalance (1000, 0.5);
  TsrVerdict v;

  g_assert_cmpint (bed_check (fires, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (fires->c.execution.span, ==, 1001100);
  /* The short step does not count at all. */
  g_assert_cmpuint (v.finding->evidence->len, ==, 1);
  g_assert_cmpstr (bed_evidence (&v, 0)->name, ==, "model/large");
  g_assert_cmpint (bed_evidence (&v, 0)->cycles, ==, 60000);
  g_assert_cmpint (v.finding->cycles, ==, 60000);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->confidence, ==, TSR_CONFIDENCE_UPPER_BOUND);
  g_assert_cmpint (v.finding->where.view, ==, TSR_VIEW_EXECUTION_TRACE);
  g_assert_nonnull (strstr (v.finding->text, "are not recorded"));
  g_assert_cmpuint (g_utf8_strlen (v.finding->title, -1), <=, 60);
  tsr_verdict_clear (&v);
  g_assert_cmpint (bed_result (below, "compute-imbalance"), ==, TSR_RULE_FINE);
  g_assert_cmpint (bed_check (warning, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
  g_assert_cmpint (bed_result (unknown, "compute-imbalance"), ==, TSR_RULE_NOT_CHECKED);
  coarse->summary.compute_instrumentation = (char *)"ipu";
  g_assert_cmpint (bed_check (coarse, "compute-imbalance", &v), ==, TSR_RULE_NOT_CHECKED);
  g_assert_nonnull (strstr (v.text, "debug.computeInstrumentationLevel = tile"));
  tsr_verdict_clear (&v);
}

/* Six operations that lose 100.5 cycles each: 603 in all, 502.5 in the five that are shown. */
static void
test_imbalance_is_rounded_once (void)
{
  g_autoptr (Bed) bed = bed_new (1, 1);
  TsrVerdict v;

  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("model/op%u", i);

      bed_compute (bed, 0, name, 201, 0.5, 100);
    }
  bed_run (bed, 0, "DoExchange", "model/rest", 1000);
  g_assert_cmpint (bed_check (bed, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 503);
  g_assert_nonnull (strstr (v.finding->text, "costs 603 cycles"));
  tsr_verdict_clear (&v);
}

/* Executions of one compute set are one line; the dearest set comes first, five are shown. */
static void
test_imbalance_sets (void)
{
  g_autoptr (Bed) bed = bed_new (1, 1);
  double expected[8] = { 0 };
  TsrVerdict v;

  for (guint round = 0; round < 3; round++)
    for (guint i = 0; i < 8; i++)
      {
        g_autofree char *name = g_strdup_printf ("model/set%u", i);

        bed_compute (bed, 0, name, 1000 + 100 * i, 0.5, 100);
        expected[i] += (1000 + 100 * i) * 0.5;
      }
  g_assert_cmpint (bed_check (bed, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpuint (v.finding->evidence->len, ==, 5);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpint (bed_evidence (&v, i)->cycles, ==, (gint64)expected[7 - i]);
  g_assert_nonnull (strstr (v.finding->text, "executed 3 times"));
  tsr_verdict_clear (&v);
}

/* Two replicas, of which the first may do nothing.  Where IPUs work unevenly only the one that
 * works most counts, the first of equal ones, however much the others lose; else the one that loses
 * most.
 */
static void
test_critical_ipu (void)
{
  static const struct
  {
    gint64 work[3];
    guint expected;
  } cases[] = { { { 20000, 10000, 10000 }, 0 }, { { 10000, 20000, 10000 }, 1 },
                { { 10000, 10000, 20000 }, 2 }, { { 20000, 20000, 5000 }, 0 },
                { { 5000, 20000, 20000 }, 1 },  { { 20000, 20000, 20000 }, 1 } };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      const guint expected = cases[i / 2].expected, first = i % 2 * 3;
      const gboolean even = i / 2 == G_N_ELEMENTS (cases) - 1;
      g_autoptr (Bed) bed = bed_new (6, 3);
      g_autofree char *scope = g_strdup_printf ("ipu%u", first + expected);
      g_autofree char *said = g_strdup_printf (" on IPU %u; worst: ", first + expected);
      guint32 step;
      TsrVerdict v;

      for (guint k = 0; k < 3; k++)
        bed_compute (bed, first + k, "model/a", cases[i / 2].work[k],
                     (k == expected) != even ? 0.9 : 0.1, 100);
      step = trace_test_add_step (bed->t, "GlobalExchange", "globalExchange");
      for (guint k = 0; k < 3; k++)
        trace_test_add (bed->t, step, first + k, 20000, 20010);
      if (first == 0) /* the other replica does not count */
        bed_compute (bed, 4, "model/a", 20010, 0.01, 100);
      g_assert_cmpint (bed_check (bed, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpstr (v.finding->scope, ==, scope);
      g_assert_cmpint (v.finding->cycles, ==, even ? 18000 : 2000);
      g_assert_nonnull (strstr (v.finding->text, said));
      g_assert_nonnull (strstr (v.finding->text, even ? "balance 10 %" : "balance 90 %"));
      tsr_verdict_clear (&v);
    }
}

/* Steps count from 200 cycles on, those that do not tell are left out, and how bad it is all of
 * them say, not only the five that are listed. */
static void
test_which_count (void)
{
  g_autoptr (Bed) none = bed_new (1, 1);
  g_autoptr (Bed) some = bed_new (1, 1);
  g_autoptr (Bed) six = bed_new (1, 1);
  TsrVerdict v;

  bed_run (none, 0, "DoExchange", "model/rest", 1000);
  bed_compute (none, 0, "model/a", 199, 0, 100);
  g_assert_cmpint (bed_result (none, "compute-imbalance"), ==, TSR_RULE_FINE);
  bed_compute (some, 0, "model/a", 200, 0, 100);
  bed_compute (some, 0, "model/b", 200, NAN, 100);
  g_assert_cmpint (bed_check (some, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 200);
  g_assert_nonnull (strstr (v.finding->text, "  1 steps do not record it"));
  tsr_verdict_clear (&v);
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("model/op%u", i);

      bed_compute (six, 0, name, 1800, 0, 100);
    }
  bed_run (six, 0, "DoExchange", "model/rest", 100000 - 6 * 1800);
  g_assert_cmpint (bed_check (six, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 5 * 1800);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
}

static void
test_estimated (void)
{
  g_autoptr (Bed) bed = make_imbalance (1000, 0.5);
  TsrVerdict v;

  bed->summary.target.type = (char *)"IpuModel";
  g_assert_cmpint (bed_check (bed, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_true (g_str_has_prefix (v.finding->text, "Estimated:"));
  tsr_verdict_clear (&v);
}

void
add_compute_imbalance_tests (void)
{
  g_test_add_func ("/insight-rules/compute-imbalance/imbalance", test_imbalance);
  g_test_add_func ("/insight-rules/compute-imbalance/imbalance-is-rounded-once",
                   test_imbalance_is_rounded_once);
  g_test_add_func ("/insight-rules/compute-imbalance/imbalance-sets", test_imbalance_sets);
  g_test_add_func ("/insight-rules/compute-imbalance/critical-ipu", test_critical_ipu);
  g_test_add_func ("/insight-rules/compute-imbalance/which-count", test_which_count);
  g_test_add_func ("/insight-rules/compute-imbalance/estimated", test_estimated);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule one-off-code at and beside each of its thresholds, on code made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "insight-fixture.h"

#include <string.h>

static void
test_one_off (void)
{
  static const struct
  {
    gint64 exchange, vertex, control;
    double median;
    gboolean known;
    TsrRuleResult result;
  } cases[] = {
    { 1000, 1500, 500, 4, TRUE, TSR_RULE_FIRED },
    { 0, 2500, 500, 4, TRUE, TSR_RULE_FIRED },
    { 2500, 0, 500, 4, TRUE, TSR_RULE_FIRED },
    { 1000, 1500, 499, 4, TRUE, TSR_RULE_FINE },
    { 1000, 1500, 500, 3.5, TRUE, TSR_RULE_FINE },
    { 1000, 1500, 500, 4, FALSE, TSR_RULE_NOT_CHECKED },
    { 1000, TSR_UNKNOWN, 500, 4, TRUE, TSR_RULE_NOT_CHECKED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Fixture) f = fixture_new_pair (60000);
      TsrInsightOneOff *code = &f->c.one_off;
      TsrVerdict v;

      fixture_finish (f, 0);
      code->known = cases[i].known;
      code->missing = "steps";
      code->median = cases[i].median;
      code->exchange = cases[i].exchange;
      code->vertex = cases[i].vertex;
      code->control = cases[i].control;
      code->exchange_total = 5000;
      g_assert_cmpint (fixture_check (f, "one-off-code", &v), ==, cases[i].result);
      if (v.finding != NULL)
        {
          g_assert_cmpint (v.finding->bytes_worst_tile, ==, 3000);
          g_assert_cmpint (v.finding->bytes, ==, 5000);
          g_assert_cmpint (v.about & TSR_ABOUT_EXCHANGE_CODE, ==,
                           cases[i].exchange > 0 ? TSR_ABOUT_EXCHANGE_CODE : 0);
          g_assert_cmpint (v.about & TSR_ABOUT_VERTICES, ==,
                           cases[i].vertex > 0 ? TSR_ABOUT_VERTICES : 0);
        }
      else if (v.result == TSR_RULE_NOT_CHECKED && !cases[i].known)
        g_assert_nonnull (strstr (v.text, "autoReport.outputExecutionProfile"));
      tsr_verdict_clear (&v);
    }
}

/* The largest, which its tab lists if there is one; of it what each is part of. */
static void
test_largest (void)
{
  static const char *const names[] = { "a", "b", "c", "d", "e" };

  for (guint i = 0; i < 12; i++)
    {
      const guint n = i % 6;
      g_autoptr (Fixture) f = fixture_new_pair (60000);
      TsrInsightOneOff *code = &f->c.one_off;
      TsrVerdict v;

      *code = (TsrInsightOneOff){
        TRUE, NULL, 9, 3, 2048, 1024, 1024, 100, 20, 3, .tab = i < 6 ? "exchanges" : NULL
      };
      if (n > 0)
        {
          code->names = g_ptr_array_new ();
          code->bytes = g_array_new (FALSE, FALSE, sizeof (gint64));
        }
      for (guint k = 0; k < n; k++)
        {
          const gint64 bytes = 500 - k;

          g_ptr_array_add (code->names, (gpointer)names[k]);
          g_array_append_val (code->bytes, bytes);
        }
      fixture_finish (f, 0);
      g_assert_cmpint (fixture_check (f, "one-off-code", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpstr (v.finding->title, ==, "Code that runs once takes 4.00 KiB on tile 1");
      g_assert_nonnull (strstr (v.finding->text,
                                ": 4.00 KiB on tile 1, of it exchanges 2.00 KiB, vertices "
                                "1.00 KiB, control 1.00 KiB; 3 programs."));
      g_assert_cmpint (v.finding->bytes, ==, 123);
      g_assert_cmpstr (v.finding->where.tab, ==, code->tab);
      g_assert_cmpstr (v.finding->scope, ==, "tile1");
      g_assert_cmpuint (v.finding->evidence->len, ==, n);
      g_assert_cmpuint (v.finding->where.names != NULL ? g_strv_length (v.finding->where.names) : 0,
                        ==, i < 6 ? n : 0);
      for (guint k = 0; k < n; k++)
        {
          const TsrEvidence *one = &g_array_index (v.finding->evidence, TsrEvidence, k);

          g_assert_cmpstr (one->name, ==, names[k]);
          g_assert_cmpint (one->bytes, ==, 500 - k);
          g_assert_cmpfloat_with_epsilon (one->share, (500 - k) / 4096.0, 1e-12);
          if (i < 6)
            g_assert_cmpstr (v.finding->where.names[k], ==, names[k]);
        }
      tsr_verdict_clear (&v);
    }
}

void
add_one_off_code_tests (void)
{
  g_test_add_func ("/insight-rules/one-off-code/largest", test_largest);
  g_test_add_func ("/insight-rules/one-off-code/one-off", test_one_off);
}

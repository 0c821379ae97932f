/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All rules about the execution: without one, and on random ones. */

#include "config.h"

#include "execution-bed.h"

#include <string.h>

static const char *const rules[]
    = { "compute-imbalance", "idle-tiles",      "exchange-bound", "host-wait",
        "unoverlapped-io",   "stage-imbalance", "tiny-steps" };

static void
test_missing (void)
{
  g_autoptr (Bed) nothing = bed_new (2, 2);
  TsrInsightContext none = { .capacity = TSR_UNKNOWN };
  TsrVerdict v;

  trace_test_add_simple (nothing->t, "OnTileExecute", "model/fc", 0, 5, 5);
  tsr_insight_context_collect_execution (&none, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_assert_cmpint (bed_result (nothing, rules[i]), ==, TSR_RULE_NOT_CHECKED);
      for (guint r = 0; r < TSR_N_RULES; r++)
        if (g_str_equal (tsr_insight_rules_get (r)->id, rules[i]))
          {
            memset (&v, 0, sizeof v);
            tsr_insight_rules_get (r)->check (&none, &v);
            g_assert_cmpint (v.result, ==, TSR_RULE_NOT_CHECKED);
            g_assert_nonnull (strstr (v.text, "autoReport.outputExecutionProfile"));
            tsr_verdict_clear (&v);
          }
    }
}

/* Whatever an execution says, a rule ends and says something whole. */
static void
test_random (void)
{
  for (guint seed = 0; seed < 30; seed++)
    {
      TsrInsightContext c = { .capacity = TSR_UNKNOWN, .chunk = g_string_chunk_new (256) };
      TraceTest *t = trace_test_new_random (seed, 1 + seed % 4, 400, 12);
      TsrTrace *trace = trace_test_build (t);

      tsr_insight_context_collect_execution (&c, trace, NULL);
      for (guint r = 13; r < TSR_N_RULES; r++)
        {
          TsrVerdict v = { 0 };

          tsr_insight_rules_get (r)->check (&c, &v);
          if (v.result == TSR_RULE_FIRED)
            {
              g_assert_cmpint (v.finding->cycles == TSR_UNKNOWN ? 0 : v.finding->cycles, >=, 0);
              g_assert_cmpuint (v.finding->evidence->len, <=, 5);
              g_assert_cmpuint (g_utf8_strlen (v.finding->title, -1), <=, 60);
              for (guint i = 0; i < v.finding->evidence->len; i++)
                g_assert_cmpint (bed_evidence (&v, i)->cycles, >=, 0);
            }
          else
            g_assert_nonnull (v.text);
          tsr_verdict_clear (&v);
        }
      tsr_insight_context_clear_execution (&c);
      g_string_chunk_free (c.chunk);
      tsr_trace_unref (trace);
      trace_test_free (t);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insights/execution/missing", test_missing);
  g_test_add_func ("/insights/execution/random", test_random);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What rules about the execution look at; all of them without one, and on random ones. */

#include "config.h"

#include "execution-bed.h"

#include <math.h>
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

/* The steps of an IPU that count, one by one, and the first two parts of their names. */
static void
check_steps (const TsrInsightContext *c, guint ipu)
{
  const TsrInsightExecution *x = &c->execution;
  const TsrExecutionTables *tables = tsr_trace_get_tables (x->trace);
  TsrInsightPrefixes *prefixes = tsr_insight_prefixes_new (c);
  g_autoptr (GPtrArray) known = g_ptr_array_new_with_free_func (g_free);
  TsrInsightStep step = { .ipu = ipu };

  for (gsize slice = tables->ipu_start[x->first_ipu + ipu];
       slice < tables->ipu_start[x->first_ipu + ipu + 1]; slice++)
    {
      const gint64 start = tables->slice_start[slice], end = tables->slice_end[slice];
      const TsrTraceType *type
          = tsr_trace_get_type (x->trace, tsr_trace_get_slice_type (x->trace, (guint32)slice));
      const char *name = tsr_insight_step_get_name (c, slice), *prefix;
      g_auto (GStrv) parts = g_strsplit (name, "/", 3);
      guint place;

      if (start == TSR_UNKNOWN || start < x->from[ipu] || start >= x->to[ipu] || end <= start
          || type->start_up || tables->step_run[tables->slice_step[slice]] != x->run)
        continue;
      g_assert_true (tsr_insight_next_step (c, &step));
      g_assert_cmpuint (step.slice, ==, slice);
      g_assert_cmpint (step.cycles, ==, end - start);
      g_assert_true (step.type == type);
      g_assert_cmpint (step.group, ==, type->group);
      g_assert_cmpstr (name, !=, "");
      place = tsr_insight_prefixes_get (prefixes, slice, &prefix);
      if (parts[0] != NULL && parts[1] != NULL)
        g_clear_pointer (&parts[2], g_free);
      name = g_strjoinv ("/", parts);
      g_assert_cmpstr (prefix, ==, name);
      if (place == known->len)
        g_ptr_array_add (known, (gpointer)name);
      else
        {
          g_assert_cmpstr (known->pdata[place], ==, name);
          g_free ((gpointer)name);
        }
    }
  g_assert_false (tsr_insight_next_step (c, &step));
  tsr_insight_prefixes_free (prefixes);
}

/* Which IPUs are looked at, for how long and in which steps, of random ones of which some do
 * nothing. */
static void
test_quantities (void)
{
  static const char *const types[] = { "OnTileExecute", "DoExchange", "Sync", "StreamCopyBegin" };
  static const char *const names[] = { "a", "a/b", "a/b/c", "a/b/d", "", "x/y/z", "x/y" };
  static const char *const levels[] = { "ipu", "device", "tile", NULL };
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);

  for (guint round = 0; round < 300; round++)
    {
      const guint per = 1 + round % 3, n = 6;
      g_autoptr (Bed) bed = bed_new (n, per);
      TsrInsightExecution *x = &bed->c.execution;
      const guint n_runs = 1 + round % 4 / 3;
      guint first = n, end = 0;
      gint64 span = 0, replica = TSR_UNKNOWN, place, from, to;
      TsrVerdict v;

      if (round % 5 == 0)
        bed->t->target.ipus_per_replica = TSR_UNKNOWN;
      bed->t->target.clock_frequency = round % 2 == 0 ? NAN : 1e6;
      bed->summary.target.type = (char *)(round % 2 == 0 ? "IpuModel" : "Ipu");
      bed->summary.compute_instrumentation = (char *)levels[round % 4];
      for (guint run = 0; run < n_runs; run++)
        {
          if (run > 0)
            trace_test_begin_run (bed->t, "Engine::run #1");
          for (guint ipu = 0; ipu < n; ipu++)
            for (guint i = 0; g_rand_int_range (rand, 0, 3) > 0 && i < 8; i++)
              bed_run (bed, ipu, types[g_rand_int_range (rand, 0, G_N_ELEMENTS (types))],
                       names[g_rand_int_range (rand, 0, G_N_ELEMENTS (names))],
                       g_rand_int_range (rand, 0, 4));
        }
      bed_check (bed, "compute-imbalance", &v);
      g_assert_true (x->trace == bed->trace);
      for (guint ipu = n; ipu-- > 0;)
        {
          tsr_trace_get_device_span (x->trace, x->run, ipu, &from, &to);
          first = from < to ? ipu : first;
        }
      if (first < n)
        {
          tsr_trace_get_replica (x->trace, first, &replica, &place);
          if (replica != TSR_UNKNOWN)
            first -= (guint)place;
          for (guint ipu = first; ipu < n; ipu++)
            {
              gint64 other;

              tsr_trace_get_replica (x->trace, ipu, &other, &place);
              end = other == replica ? ipu + 1 : end;
            }
          g_assert_cmpuint (x->first_ipu, ==, first);
          g_assert_cmpuint (x->n_ipus, ==, end - first);
          for (guint i = 0; i < x->n_ipus; i++)
            {
              tsr_trace_get_device_span (x->trace, x->run, first + i, &from, &to);
              g_assert_cmpint (x->from[i], ==, from);
              g_assert_cmpint (x->to[i], ==, to);
              span = MAX (span, to - from);
              check_steps (&bed->c, i);
            }
          g_assert_cmpint (x->span, ==, span);
          g_assert_cmpint (x->one_run, ==, n_runs == 1);
          g_assert_cmpint (x->estimated, ==, round % 2 == 0);
          g_assert_cmpint (x->without_balance, ==, round % 4 < 2);
          g_assert_cmpstr (tsr_insight_cycles (&bed->c, 2500), ==,
                           round % 2 == 0 ? "2,500 cycles" : "2,500 cycles, 2.5 ms");
        }
      else
        {
          g_assert_cmpint (v.result, ==, TSR_RULE_NOT_CHECKED);
          g_assert_nonnull (strstr (v.text, "steps"));
        }
      tsr_verdict_clear (&v);
    }
}

/* How grave cycles are, from a tenth and from a fiftieth of the run on. */
static void
test_severity (void)
{
  static const gint64 cycles[] = { 1000, 100, 99, 20, 19, 0 };
  static const TsrFindingSeverity expected[]
      = { TSR_FINDING_WARNING, TSR_FINDING_WARNING, TSR_FINDING_ADVICE,
          TSR_FINDING_ADVICE,  TSR_FINDING_INFO,    TSR_FINDING_INFO };
  const TsrInsightContext c = { .execution = { .span = 1000 } };

  for (guint i = 0; i < G_N_ELEMENTS (cycles); i++)
    g_assert_cmpint (tsr_insight_execution_severity (&c, cycles[i]), ==, expected[i]);
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
  g_test_add_func ("/insights/execution/quantities", test_quantities);
  g_test_add_func ("/insights/execution/severity", test_severity);
  g_test_add_func ("/insights/execution/random", test_random);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules 14 to 20 at and beside each of their thresholds, on executions made by hand. */

#include "config.h"

#include "trace-test.h"
#include "tsr-insights-private.h"

#include <math.h>
#include <string.h>

/* One execution and where its IPUs have got to. */
typedef struct
{
  TraceTest *t;
  gint64 now[4];
  TsrTrace *trace;
  TsrSummary summary;
  TsrInsightContext c;
} Bed;

static Bed *
bed_new (guint n_ipus, guint ipus_per_replica)
{
  Bed *bed = g_new0 (Bed, 1);

  bed->t = trace_test_new (n_ipus);
  bed->t->target.num_ipus = n_ipus;
  bed->t->target.ipus_per_replica = ipus_per_replica;
  bed->t->target.num_replicas = n_ipus / ipus_per_replica;
  bed->t->target.tiles_per_ipu = 100;
  trace_test_begin_run (bed->t, "Engine::run #0");
  return bed;
}

static void
bed_free (Bed *bed)
{
  tsr_insight_context_clear_execution (&bed->c);
  g_clear_pointer (&bed->c.chunk, g_string_chunk_free);
  g_clear_pointer (&bed->trace, tsr_trace_unref);
  trace_test_free (bed->t);
  g_free (bed);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Bed, bed_free)

/* The next @cycles of @ipu. */
static TraceTestSlice *
run (Bed *bed, guint ipu, const char *type, const char *name, gint64 cycles)
{
  guint32 step = trace_test_add_step (bed->t, type, name);
  gint64 start = bed->now[ipu];

  bed->now[ipu] += cycles;
  return trace_test_add (bed->t, step, ipu, start, bed->now[ipu]);
}

static void
compute (Bed *bed, guint ipu, const char *name, gint64 cycles, double balance, gint64 active)
{
  TraceTestSlice *slice = run (bed, ipu, "OnTileExecute", name, cycles);

  slice->active_tile_balance = (float)balance;
  slice->active_tiles = active;
}

static TsrRuleResult
check (Bed *bed, const char *id, TsrVerdict *verdict)
{
  if (bed->trace == NULL)
    {
      bed->trace = trace_test_build (bed->t);
      bed->c.chunk = g_string_chunk_new (256);
      bed->c.capacity = TSR_UNKNOWN;
      tsr_insight_context_collect_execution (&bed->c, bed->trace, &bed->summary);
    }
  memset (verdict, 0, sizeof *verdict);
  for (guint i = 0; i < TSR_N_RULES; i++)
    if (g_str_equal (tsr_insight_rules_get (i)->id, id))
      {
        tsr_insight_rules_get (i)->check (&bed->c, verdict);
        g_assert_true (verdict->result == TSR_RULE_FIRED ? verdict->finding != NULL
                                                         : verdict->text != NULL);
        return verdict->result;
      }
  g_assert_not_reached ();
}

static TsrRuleResult
result (Bed *bed, const char *id)
{
  TsrVerdict verdict;
  TsrRuleResult value = check (bed, id, &verdict);

  tsr_verdict_clear (&verdict);
  return value;
}

static const TsrEvidence *
evidence (const TsrVerdict *verdict, guint i)
{
  g_assert_cmpuint (i, <, verdict->finding->evidence->len);
  return &g_array_index (verdict->finding->evidence, TsrEvidence, i);
}

/* ----------------------------------------------------- 14 compute-imbalance */

/* A hundred cycles at 50 % and a million at 95 %: the latter cost more. */
static Bed *
make_imbalance (gint64 rest, double balance)
{
  Bed *bed = bed_new (1, 1);

  compute (bed, 0, "model/small", 100, 0.5, 100);
  compute (bed, 0, "model/large", 1000000, balance, 100);
  run (bed, 0, "DoExchange", "model/rest", rest);
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

  g_assert_cmpint (check (fires, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (fires->c.execution.span, ==, 1001100);
  /* The short step does not count at all. */
  g_assert_cmpuint (v.finding->evidence->len, ==, 1);
  g_assert_cmpstr (evidence (&v, 0)->name, ==, "model/large");
  g_assert_cmpint (evidence (&v, 0)->cycles, ==, 60000);
  g_assert_cmpint (v.finding->cycles, ==, 60000);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
  g_assert_cmpint (v.finding->confidence, ==, TSR_CONFIDENCE_UPPER_BOUND);
  g_assert_cmpint (v.finding->where.view, ==, TSR_VIEW_EXECUTION_TRACE);
  g_assert_nonnull (strstr (v.finding->text, "are not recorded"));
  g_assert_cmpuint (g_utf8_strlen (v.finding->title, -1), <=, 60);
  tsr_verdict_clear (&v);
  g_assert_cmpint (result (below, "compute-imbalance"), ==, TSR_RULE_FINE);
  g_assert_cmpint (check (warning, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
  g_assert_cmpint (result (unknown, "compute-imbalance"), ==, TSR_RULE_NOT_CHECKED);
  coarse->summary.compute_instrumentation = (char *)"ipu";
  g_assert_cmpint (check (coarse, "compute-imbalance", &v), ==, TSR_RULE_NOT_CHECKED);
  g_assert_nonnull (strstr (v.text, "debug.computeInstrumentationLevel = tile"));
  tsr_verdict_clear (&v);
}

/* Executions of one compute set are one line; the dearest set comes first, five are shown. */
/* Six operations that lose 100.5 cycles each: 603 in all, 502.5 in the five that are shown. */
static void
test_imbalance_is_rounded_once (void)
{
  g_autoptr (Bed) bed = bed_new (1, 1);
  TsrVerdict v;

  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("model/op%u", i);

      compute (bed, 0, name, 201, 0.5, 100);
    }
  run (bed, 0, "DoExchange", "model/rest", 1000);
  g_assert_cmpint (check (bed, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 503);
  g_assert_nonnull (strstr (v.finding->text, "costs 603 cycles"));
  tsr_verdict_clear (&v);
}

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

        compute (bed, 0, name, 1000 + 100 * i, 0.5, 100);
        expected[i] += (1000 + 100 * i) * 0.5;
      }
  g_assert_cmpint (check (bed, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpuint (v.finding->evidence->len, ==, 5);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpint (evidence (&v, i)->cycles, ==, (gint64)expected[7 - i]);
  g_assert_nonnull (strstr (v.finding->text, "executed 3 times"));
  tsr_verdict_clear (&v);
}

/* -------------------------------------------------------------- 15 idle-tiles */

static void
test_idle (void)
{
  g_autoptr (Bed) fires = bed_new (1, 1);
  g_autoptr (Bed) short_steps = bed_new (1, 1);
  g_autoptr (Bed) half = bed_new (1, 1);
  g_autoptr (Bed) over_half = bed_new (1, 1);
  g_autoptr (Bed) below = bed_new (1, 1);
  TsrVerdict v;

  compute (fires, 0, "model/scalar", 1100, 1, 1);
  compute (fires, 0, "model/wide", 30000, 1, 100);
  g_assert_cmpint (check (fires, "idle-tiles", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 1089); /* 1100 x (1 - 1/100) */
  g_assert_nonnull (strstr (v.finding->text, "1 of 100 tiles"));
  tsr_verdict_clear (&v);
  for (guint i = 0; i < 10; i++)
    compute (short_steps, 0, "model/scalar", 900, 1, 1);
  g_assert_cmpint (result (short_steps, "idle-tiles"), ==, TSR_RULE_FINE);
  compute (half, 0, "model/half", 5000, 1, 50);
  g_assert_cmpint (result (half, "idle-tiles"), ==, TSR_RULE_FIRED);
  compute (over_half, 0, "model/half", 5000, 1, 51);
  g_assert_cmpint (result (over_half, "idle-tiles"), ==, TSR_RULE_FINE);
  compute (below, 0, "model/scalar", 1000, 1, 1);
  compute (below, 0, "model/wide", 33000, 1, 100); /* 990 of 34,000 is 2.9 % */
  g_assert_cmpint (result (below, "idle-tiles"), ==, TSR_RULE_FINE);
}

/* ---------------------------------------------------------- 16 exchange-bound */

static Bed *
make_exchange (gint64 exchange, gint64 work, gint64 rest)
{
  Bed *bed = bed_new (1, 1);

  compute (bed, 0, "model/layer1/conv/Convolve", work, 1, 100);
  run (bed, 0, "DoExchange", "model/layer1/conv/ExchangePre", exchange)->active_tiles = 8;
  compute (bed, 0, "model/layer2/conv/Convolve", rest, 1, 100);
  return bed;
}

static void
test_exchange (void)
{
  g_autoptr (Bed) fires = make_exchange (5100, 4900, 40000);
  g_autoptr (Bed) below = make_exchange (4900, 5100, 40000);
  g_autoptr (Bed) small = make_exchange (290, 10, 9710);
  g_autoptr (Bed) whole = make_exchange (3500, 6500, 1);
  g_autoptr (Bed) reference = make_exchange (158, 434, 1);
  TsrVerdict v;

  g_assert_cmpint (check (fires, "exchange-bound", &v), ==, TSR_RULE_FIRED);
  g_assert_nonnull (strstr (v.finding->text, "model/layer1 spends"));
  g_assert_cmpint (v.finding->cycles, ==, 5100 - 2500);
  g_assert_cmpint (evidence (&v, 0)->cycles, ==, 5100);
  g_assert_cmpint (v.finding->confidence, ==, TSR_CONFIDENCE_ESTIMATE);
  tsr_verdict_clear (&v);
  g_assert_cmpint (result (below, "exchange-bound"), ==, TSR_RULE_FINE);
  g_assert_cmpint (result (small, "exchange-bound"), ==, TSR_RULE_FINE);
  g_assert_cmpint (result (reference, "exchange-bound"), ==, TSR_RULE_FINE);
  /* 3500 of 10,001: just below 35 %. */
  g_assert_cmpint (result (whole, "exchange-bound"), ==, TSR_RULE_FINE);
  {
    g_autoptr (Bed) run_fires = make_exchange (3501, 6500, 1);

    g_assert_cmpint (result (run_fires, "exchange-bound"), ==, TSR_RULE_FIRED);
  }
}

/* --------------------------------------------------------------- 17 host-wait */

static void
test_host_wait (void)
{
  g_autoptr (Bed) leading = bed_new (1, 1);
  g_autoptr (Bed) fires = bed_new (2, 2);
  g_autoptr (Bed) below = bed_new (1, 1);
  g_autoptr (Bed) flush = bed_new (1, 1);
  TsrVerdict v;

  run (leading, 0, "StreamCopyBegin", "copyFromHost/weights", 990000);
  compute (leading, 0, "model/fc", 10000, 1, 100);
  g_assert_cmpint (result (leading, "host-wait"), ==, TSR_RULE_FINE);
  g_assert_cmpint (leading->c.execution.span, ==, 10000);

  /* IPU 1 waits 3,000 for IPU 0's copy; IPU 0 itself waits 600 of 10,000. */
  compute (fires, 0, "model/fc", 9400, 1, 100);
  run (fires, 0, "StreamCopyBegin", "copyFromHost/input", 600);
  compute (fires, 1, "model/fc2", 7000, 1, 100);
  run (fires, 1, "StreamCopyBegin", "copyFromHost/input", 3000);
  g_assert_cmpint (check (fires, "host-wait", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 600);
  g_assert_cmpstr (v.finding->scope, ==, "ipu0");
  g_assert_cmpstr (evidence (&v, 0)->name, ==, "copyFromHost/input");
  /* With one run it is start-up as much as anything. */
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_INFO);
  g_assert_nonnull (strstr (v.finding->text, "Only one run"));
  tsr_verdict_clear (&v);

  compute (below, 0, "model/fc", 9501, 1, 100);
  run (below, 0, "StreamCopyBegin", "copyFromHost/input", 499);
  g_assert_cmpint (result (below, "host-wait"), ==, TSR_RULE_FINE);
  compute (flush, 0, "model/fc", 5000, 1, 100);
  run (flush, 0, "StreamCopyBegin", "BlockFlush", 5000);
  g_assert_cmpint (result (flush, "host-wait"), ==, TSR_RULE_FINE);
}

/* The last complete run is what is looked at, without its leading wait. */
static void
test_second_run (void)
{
  g_autoptr (Bed) bed = bed_new (1, 1);
  TsrVerdict v;

  compute (bed, 0, "model/fc", 50000, 1, 100);
  run (bed, 0, "StreamCopyBegin", "copyFromHost/input", 50000);
  trace_test_begin_run (bed->t, "Engine::run #1");
  run (bed, 0, "StreamCopyBegin", "copyFromHost/input", 700000);
  compute (bed, 0, "model/fc", 8000, 1, 100);
  run (bed, 0, "StreamCopyBegin", "copyFromHost/input", 2000);
  g_assert_cmpint (check (bed, "host-wait", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (bed->c.execution.span, ==, 10000);
  g_assert_cmpint (v.finding->cycles, ==, 2000);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  g_assert_null (strstr (v.finding->text, "Only one run"));
  g_assert_cmpuint (v.finding->where.run, ==, 1);
  tsr_verdict_clear (&v);
}

/* --------------------------------------------------------- 18 unoverlapped-io */

/* Compute 0 to 4,000 and 6,000 to 10,000; a copy of 1,000 from @from on. */
static Bed *
make_copy (gint64 from)
{
  Bed *bed = bed_new (1, 1);
  guint32 step;

  compute (bed, 0, "model/a", 4000, 1, 100);
  bed->now[0] = 6000;
  compute (bed, 0, "model/b", 4000, 1, 100);
  step = trace_test_add_step (bed->t, "StreamCopyMid", "copyFromHost/input");
  {
    TraceTestSlice *slice = trace_test_add (bed->t, step, 0, from, from + 1000);

    slice->data_in = 5000;
    slice->data_out = 0;
  }
  return bed;
}

static void
test_io (void)
{
  g_autoptr (Bed) none = make_copy (4500);
  g_autoptr (Bed) half = make_copy (3500);
  g_autoptr (Bed) full = make_copy (2000);
  g_autoptr (Bed) before = bed_new (1, 1);
  TsrVerdict v;

  g_assert_cmpint (check (none, "unoverlapped-io", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 1000);
  g_assert_cmpint (evidence (&v, 0)->cycles, ==, 1000);
  g_assert_cmpint (evidence (&v, 0)->bytes, ==, 5000);
  tsr_verdict_clear (&v);
  g_assert_cmpint (check (half, "unoverlapped-io", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 500);
  g_assert_nonnull (strstr (v.finding->text, "50"));
  tsr_verdict_clear (&v);
  g_assert_cmpint (result (full, "unoverlapped-io"), ==, TSR_RULE_FINE);
  /* What comes before all compute cannot be hidden. */
  run (before, 0, "DoExchange", "model/pre", 10);
  run (before, 0, "StreamCopyMid", "copyFromHost/weights", 9000);
  compute (before, 0, "model/fc", 1000, 1, 100);
  g_assert_cmpint (result (before, "unoverlapped-io"), ==, TSR_RULE_FINE);
}

/* --------------------------------------------------------- 19 stage-imbalance */

/* One period: every IPU works as told, then all of them exchange at the same time. */
static void
period (Bed *bed, guint first, const gint64 *work, guint n)
{
  gint64 longest = 0;
  guint32 step;

  for (guint i = 0; i < n; i++)
    longest = MAX (longest, work[i]);
  for (guint i = 0; i < n; i++)
    {
      if (work[i] > 0)
        compute (bed, first + i, "model/stage", work[i], 1, 100);
      bed->now[first + i] += longest - work[i];
    }
  step = trace_test_add_step (bed->t, "GlobalExchange", "globalExchange");
  for (guint i = 0; i < n; i++)
    {
      trace_test_add (bed->t, step, first + i, bed->now[first + i], bed->now[first + i] + 10);
      bed->now[first + i] += 10;
    }
}

static void
test_stages (void)
{
  static const gint64 uneven[] = { 1000, 2000, 3000 };
  static const gint64 even[] = { 3000, 2900, 3000 };
  static const gint64 one[3][3] = { { 1000, 0, 0 }, { 0, 1000, 0 }, { 0, 0, 1000 } };
  static const gint64 ramp[] = { 1000, 0, 0 };
  g_autoptr (Bed) fires = bed_new (3, 3);
  g_autoptr (Bed) fine = bed_new (3, 3);
  g_autoptr (Bed) sharded = bed_new (3, 3);
  g_autoptr (Bed) ramps = bed_new (3, 3);
  g_autoptr (Bed) single = bed_new (1, 1);
  TsrVerdict v;

  for (guint i = 0; i < 4; i++)
    period (fires, 0, uneven, 3);
  g_assert_cmpint (check (fires, "stage-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 4 * (3000 - 2000));
  g_assert_cmpuint (v.finding->evidence->len, ==, 3);
  g_assert_cmpint (evidence (&v, 2)->cycles, ==, 4 * 3000);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
  for (guint i = 0; i < 4; i++)
    period (fine, 0, even, 3);
  g_assert_cmpint (result (fine, "stage-imbalance"), ==, TSR_RULE_FINE);
  for (guint i = 0; i < 6; i++)
    period (sharded, 0, one[i % 3], 3);
  g_assert_cmpint (check (sharded, "stage-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, TSR_UNKNOWN);
  g_assert_nonnull (strstr (v.finding->title, "one IPU at a time"));
  tsr_verdict_clear (&v);
  period (ramps, 0, ramp, 3);
  for (guint i = 0; i < 2; i++)
    period (ramps, 0, even, 3);
  g_assert_cmpint (check (ramps, "stage-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, TSR_UNKNOWN);
  g_assert_nonnull (strstr (v.finding->text, "Ramp-up"));
  tsr_verdict_clear (&v);
  compute (single, 0, "model/fc", 1000, 1, 100);
  g_assert_cmpint (result (single, "stage-imbalance"), ==, TSR_RULE_FINE);
}

/* Replicas are never stages of each other. */
static void
test_replicas (void)
{
  static const gint64 even[] = { 3000, 3000 };
  static const gint64 slow[] = { 9000, 9000 };
  g_autoptr (Bed) bed = bed_new (4, 2);

  for (guint i = 0; i < 4; i++)
    {
      period (bed, 0, even, 2);
      period (bed, 2, slow, 2);
    }
  g_assert_cmpint (result (bed, "stage-imbalance"), ==, TSR_RULE_FINE);
  g_assert_cmpuint (bed->c.execution.n_ipus, ==, 2);
}

/* -------------------------------------------------------------- 20 tiny-steps */

static Bed *
make_tiny (guint n, gint64 cycles)
{
  Bed *bed = bed_new (1, 1);

  for (guint i = 0; i < n; i++)
    {
      compute (bed, 0, "model/layer1/add", cycles, 1, 100);
      run (bed, 0, "Sync", "Internal", 20);
    }
  compute (bed, 0, "model/layer2/conv", 50000, 1, 100);
  return bed;
}

static void
test_tiny (void)
{
  g_autoptr (Bed) few = make_tiny (999, 299);
  g_autoptr (Bed) many = make_tiny (1000, 299);
  g_autoptr (Bed) longer = make_tiny (1000, 300);
  TsrVerdict v;

  g_assert_cmpint (result (few, "tiny-steps"), ==, TSR_RULE_FINE);
  g_assert_cmpint (result (longer, "tiny-steps"), ==, TSR_RULE_FINE);
  g_assert_cmpint (check (many, "tiny-steps", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 1000 * 20);
  g_assert_cmpint (evidence (&v, 0)->cycles, ==, 1000 * 319);
  g_assert_cmpstr (evidence (&v, 0)->name, ==, "model/layer1");
  tsr_verdict_clear (&v);
}

/* ------------------------------------------------------------------ all rules */

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
      g_assert_cmpint (result (nothing, rules[i]), ==, TSR_RULE_NOT_CHECKED);
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

static void
test_estimated (void)
{
  g_autoptr (Bed) bed = make_imbalance (1000, 0.5);
  TsrVerdict v;

  bed->summary.target.type = (char *)"IpuModel";
  g_assert_cmpint (check (bed, "compute-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_true (g_str_has_prefix (v.finding->text, "Estimated:"));
  tsr_verdict_clear (&v);
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
                g_assert_cmpint (evidence (&v, i)->cycles, >=, 0);
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
  g_test_add_func ("/insights/compute-imbalance", test_imbalance);
  g_test_add_func ("/insights/compute-imbalance/sets", test_imbalance_sets);
  g_test_add_func ("/insights/compute-imbalance/imbalance-is-rounded-once",
                   test_imbalance_is_rounded_once);
  g_test_add_func ("/insights/idle-tiles", test_idle);
  g_test_add_func ("/insights/exchange-bound", test_exchange);
  g_test_add_func ("/insights/host-wait", test_host_wait);
  g_test_add_func ("/insights/host-wait/second-run", test_second_run);
  g_test_add_func ("/insights/unoverlapped-io", test_io);
  g_test_add_func ("/insights/stage-imbalance", test_stages);
  g_test_add_func ("/insights/stage-imbalance/replicas", test_replicas);
  g_test_add_func ("/insights/tiny-steps", test_tiny);
  g_test_add_func ("/insights/execution/missing", test_missing);
  g_test_add_func ("/insights/execution/estimated", test_estimated);
  g_test_add_func ("/insights/execution/random", test_random);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Figures of one run where others overlap it: its steps count, not its span of time.  Against
 * loops, and against a trace that has no other slices. */

#include "config.h"

#include "trace-test.h"
#include "tsr-trace-aggregate.h"
#include "tsr-trace-balance.h"

#include <string.h>

/* Two replicas of two IPUs; runs alternate between them, and each begins before the other replica's
 * has ended. */
static TraceTest *
make_replicas (void)
{
  TraceTest *t = trace_test_new (4);

  t->target.num_ipus = 4;
  t->target.ipus_per_replica = 2;
  t->target.num_replicas = 2;
  t->target.clock_frequency = 1e9;
  for (guint run = 0; run < 4; run++)
    {
      gint64 at = run * 700;
      guint ipu = run % 2 * 2;
      guint32 step;

      trace_test_begin_run (t, "Engine::run");
      step = trace_test_add_step (t, "StreamCopyBegin", "wait");
      for (guint i = 0; i < 2; i++)
        trace_test_add (t, step, ipu + i, at, at + 100);
      step = trace_test_add_step (t, "StreamCopyMid", "in");
      for (guint i = 0; i < 2; i++)
        {
          TraceTestSlice *slice = trace_test_add (t, step, ipu + i, at + 100, at + 150);

          slice->data_in = 64;
          slice->data_out = 0;
        }
      trace_test_add_simple (t, "OnTileExecute", "layer/a", ipu, at + 150, at + 450);
      trace_test_add_simple (t, "OnTileExecute", "layer/b", ipu + 1, at + 150, at + 250);
      step = trace_test_add_step (t, "GlobalExchange", "pass");
      for (guint i = 0; i < 2; i++)
        {
          TraceTestSlice *slice = trace_test_add (t, step, ipu + i, at + 450, at + 500);

          slice->data_in = slice->data_out = 10;
        }
      step = trace_test_add_step (t, "StreamCopyBegin", "wait for more");
      for (guint i = 0; i < 2; i++)
        trace_test_add (t, step, ipu + i, at + 500, at + 900);
    }
  return t;
}

/* Run 1 is on IPUs 2 and 3 from 700 to 1600; meanwhile IPUs 0 and 1 end run 0 (until 900) and begin
 * run 2 (from 1400). */
static void
test_replicas (void)
{
  g_autoptr (TraceTest) t = make_replicas ();
  g_autoptr (TsrTrace) trace = trace_test_build (t);
  const TsrTraceRun *run = tsr_trace_get_run (trace, 1);
  TsrTraceAggregateQuery query = { .run = run, .from = run->start, .to = run->end };
  g_autoptr (TsrTraceAggregate) groups = NULL;
  g_autoptr (GPtrArray) stages = NULL;
  g_autoptr (GArray) overlap = NULL;
  g_autoptr (GArray) none = NULL;
  const TsrTraceStages *mine;
  TsrTraceSums sums;

  g_assert_cmpint (run->start, ==, 700);
  g_assert_cmpint (run->end, ==, 1600);
  tsr_trace_sum (trace, 0, run->start, run->end, 0, &sums);
  g_assert_cmpint (sums.counted, ==, 200 + 50 + 50); /* of others: a wait, a copy, compute */
  tsr_trace_sum_run (trace, run, 0, run->start, run->end, 0, &sums);
  g_assert_cmpint (sums.counted, ==, 0);
  g_assert_cmpint (sums.n_slices, ==, 0);
  tsr_trace_sum_run (trace, run, 2, run->start, run->end, 0, &sums);
  g_assert_cmpint (sums.counted, ==, 50 + 300 + 50 + 400);
  g_assert_cmpint (sums.global_in, ==, 10);
  groups = tsr_trace_aggregate (trace, &query, NULL, NULL);
  g_assert_cmpint (groups->total, ==, 2 * (100 + 50 + 50 + 400) + 300 + 100);
  stages = tsr_trace_stages (trace, run, run->start, run->end, NULL, NULL);
  g_assert_cmpuint (stages->len, ==, 2);
  mine = stages->pdata[1];
  g_assert_cmpint (mine->ipu_work[0], ==, 300);
  g_assert_cmpint (mine->ipu_work[1], ==, 100);
  g_assert_cmpint (mine->classes[0].cycles[TSR_STEP_GROUP_HOST], ==, 400);
  g_assert_cmpint (mine->loss, ==, 100);
  g_assert_cmpint (((TsrTraceStages *)stages->pdata[0])->classes[0].cycles[TSR_STEP_GROUP_HOST], ==,
                   0);
  g_assert_cmpint (((TsrTraceStages *)stages->pdata[0])->ipu_work[0], ==, 0);
  overlap = tsr_trace_overlap (trace, run, run->start, run->end, NULL, NULL);
  g_assert_cmpint (g_array_index (overlap, TsrTraceOverlap, 0).transfer, ==, 0);
  g_assert_cmpint (g_array_index (overlap, TsrTraceOverlap, 0).compute, ==, 0);
  g_assert_cmpint (g_array_index (overlap, TsrTraceOverlap, 0).bytes[TSR_COPY_NOT_TOLD], ==, 0);
  g_assert_cmpint (g_array_index (overlap, TsrTraceOverlap, 3).bytes[TSR_COPY_NOT_TOLD], ==, 64);
  none = tsr_trace_lone_copies (trace, run, 1, run->start, run->end, 5);
  g_assert_cmpuint (none->len, ==, 0);
}

/* Three runs: on IPU 0 one after the other, on IPU 1 all at once, on IPU 2 each begins before the
 * one before it has ended.  @only: the slices of one run, G_MAXUINT: all. */
static TraceTest *
make_random (guint seed, guint only)
{
  static const char *const types[] = { "StreamCopyBegin", "StreamCopyMid", "OnTileExecute",
                                       "DoExchange",      "Sync",          "GlobalExchange" };
  GRand *random = g_rand_new_with_seed (seed);
  TraceTest *t = trace_test_new (3);

  t->target.num_ipus = t->target.ipus_per_replica = 3;
  t->target.num_replicas = 1;
  t->target.clock_frequency = 1e9;
  for (guint run = 0; run < 3; run++)
    {
      gint64 now[3] = { run * 20000, 0, run * 3000 };

      trace_test_begin_run (t, "Engine::run");
      for (guint s = 0; s < 60; s++)
        {
          guint32 step = trace_test_add_step (t,
                                              s == 0    ? "StreamCopyBegin"
                                              : s == 59 ? "StreamCopyMid"
                                                        : types[g_rand_int_range (random, 0, 6)],
                                              g_rand_boolean (random) ? "model/a" : "model/b");

          for (guint ipu = 0; ipu < 3; ipu++)
            {
              gint64 length = s < 59 ? g_rand_int_range (random, 0, 150) : 0;
              gint64 back
                  = g_rand_int_range (random, 0, 3) == 0 ? g_rand_int_range (random, 0, 80) : 0;
              gint64 start = s > 0 ? MAX (now[ipu] - back, 0) : now[ipu];
              gint64 bytes = g_rand_int_range (random, 0, 1000);

              now[ipu] = MAX (now[ipu], start + length);
              if (only == G_MAXUINT || only == run)
                {
                  TraceTestSlice *slice = trace_test_add (t, step, ipu, start, start + length);

                  slice->tile_balance = 0.25f;
                  slice->active_tile_balance = (float)bytes / 1000;
                  slice->data_in = bytes;
                  slice->data_out = 1;
                }
            }
        }
    }
  g_rand_free (random);
  return t;
}

static void
compare_groups (const TsrTrace *all, const TsrTrace *one, guint run, gint64 from, gint64 to)
{
  TsrTraceAggregateQuery query = { .run = tsr_trace_get_run (all, run), .from = from, .to = to };
  g_autoptr (TsrTraceAggregate) a = tsr_trace_aggregate (all, &query, NULL, NULL);
  g_autoptr (TsrTraceAggregate) b = NULL;

  query.run = NULL;
  b = tsr_trace_aggregate (one, &query, NULL, NULL);
  g_assert_cmpuint (a->rows->len, ==, b->rows->len);
  g_assert_cmpint (a->total, ==, b->total);
  g_assert_cmpint (a->lost, ==, b->lost);
  g_assert_cmpint (a->bytes, ==, b->bytes);
  for (guint i = 0; i < a->rows->len; i++)
    {
      const TsrTraceAggregateRow *x = &g_array_index (a->rows, TsrTraceAggregateRow, i);
      const TsrTraceAggregateRow *y = &g_array_index (b->rows, TsrTraceAggregateRow, i);

      g_assert_cmpstr (x->name, ==, y->name);
      g_assert_cmpuint (x->count, ==, y->count);
      g_assert_cmpint (x->total, ==, y->total);
    }
}

static void
compare_balance (const TsrTrace *all, const TsrTrace *one, guint run, gint64 from, gint64 to)
{
  const TsrTraceRun *chosen = tsr_trace_get_run (all, run);
  g_autoptr (GPtrArray) a = tsr_trace_stages (all, chosen, from, to, NULL, NULL);
  g_autoptr (GPtrArray) b
      = tsr_trace_stages (one, tsr_trace_get_run (one, run), from, to, NULL, NULL);
  g_autoptr (GArray) c = tsr_trace_overlap (all, chosen, from, to, NULL, NULL);
  g_autoptr (GArray) d = tsr_trace_overlap (one, NULL, from, to, NULL, NULL);
  const TsrTraceStages *x = a->pdata[0];
  const TsrTraceStages *y = b->pdata[0];

  g_assert_cmpint (x->loss, ==, y->loss);
  for (guint ipu = 0; ipu < 3; ipu++)
    {
      const TsrTraceOverlap *v = &g_array_index (c, TsrTraceOverlap, ipu);
      const TsrTraceOverlap *w = &g_array_index (d, TsrTraceOverlap, ipu);

      g_assert_cmpint (x->ipu_work[ipu], ==, y->ipu_work[ipu]);
      for (guint group = 0; group < TSR_N_STEP_GROUPS; group++)
        g_assert_cmpint (x->classes[ipu].cycles[group], ==, y->classes[ipu].cycles[group]);
      g_assert_cmpint (v->transfer, ==, w->transfer);
      g_assert_cmpint (v->compute, ==, w->compute);
      g_assert_cmpint (v->hidden, ==, w->hidden);
      g_assert_cmpint (v->outside, ==, w->outside);
      g_assert_cmpint (v->bytes[TSR_COPY_NOT_TOLD], ==, w->bytes[TSR_COPY_NOT_TOLD]);
    }
}

static void
test_random (void)
{
  for (guint seed = 0; seed < 12; seed++)
    {
      g_autoptr (TraceTest) t = make_random (seed, G_MAXUINT);
      g_autoptr (TsrTrace) all = trace_test_build (t);

      for (guint run = 0; run < 3; run++)
        {
          g_autoptr (TraceTest) t_one = make_random (seed, run);
          g_autoptr (TsrTrace) one = trace_test_build (t_one);

          for (guint i = 0; i < 30; i++)
            {
              gint64 from = i == 0 ? 0 : g_test_rand_int_range (0, 50000);
              gint64 to = i == 0 ? 60000 : from + g_test_rand_int_range (0, 20000);
              guint32 hidden = i % 3 == 0 ? 1u << (i % 8) : 0;

              for (guint ipu = 0; ipu < 3; ipu++)
                trace_test_check_run_sums (all, run, ipu, from, to, hidden);
              compare_groups (all, one, run, from, to);
              if (from < to)
                compare_balance (all, one, run, from, to);
            }
        }
    }
}

/* Cycles in the device spans, and of copies that begin in a span, marked one by one. */
static void
check_times (const TsrTrace *trace, guint run, guint ipu, gint64 from, gint64 to)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  const TsrTraceRun *of = run < t->n_runs ? tsr_trace_get_run (trace, run) : NULL;
  const gint64 end = 200000;
  g_autofree guint8 *device = g_malloc0 (end), *copies = g_malloc0 (end);
  gint64 n_device = 0, n_copies = 0;

  for (guint r = 0; r < t->n_runs; r++)
    {
      gint64 a, b;

      if (of != NULL && r != run)
        continue;
      tsr_trace_get_device_span (trace, r, ipu, &a, &b);
      g_assert_cmpint (b, <, end);
      for (gint64 k = MAX (a, from); k < MIN (b, to); k++)
        device[k] = 1;
    }
  for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
    {
      const TsrTraceType *type
          = tsr_trace_get_type (trace, tsr_trace_get_slice_type (trace, (guint32)i));

      if (t->slice_start[i] == TSR_UNKNOWN || t->slice_start[i] < from || t->slice_start[i] >= to
          || !g_str_equal (type->name, "StreamCopyMid")
          || (of != NULL && t->step_run[t->slice_step[i]] != run))
        continue;
      for (gint64 k = t->slice_start[i]; k < t->slice_end[i]; k++)
        copies[k] = 1;
    }
  for (gint64 k = 0; k < end; k++)
    {
      n_device += device[k];
      n_copies += copies[k];
    }
  g_assert_cmpint (tsr_trace_get_device_time (trace, of, ipu, from, to), ==, n_device);
  g_assert_cmpint (tsr_trace_get_copy_time (trace, of, ipu, from, to), ==, n_copies);
}

static void
test_times (void)
{
  for (guint seed = 0; seed < 3; seed++)
    {
      g_autoptr (TraceTest) t = make_random (seed, G_MAXUINT);
      g_autoptr (TsrTrace) trace = trace_test_build (t);

      for (guint i = 0; i < 8; i++)
        {
          gint64 from = i == 0 ? 0 : g_test_rand_int_range (0, 50000);
          gint64 to = i == 0 ? 199999 : from + g_test_rand_int_range (0, 20000);

          for (guint run = 0; run <= 3; run++)
            check_times (trace, run, i % 3, from, to);
        }
    }
}

/* Steps without times are not steps that took none. */
static void
test_no_times (void)
{
  g_autoptr (TraceTest) t = trace_test_new (2);
  g_autoptr (TsrTrace) trace = NULL;

  trace_test_add_simple (t, "DoExchange", "of no run", 0, TSR_UNKNOWN, TSR_UNKNOWN);
  trace_test_begin_run (t, "with");
  trace_test_add_simple (t, "OnTileExecute", "a", 0, 0, 100);
  trace_test_add_simple (t, "OnTileExecute", "a", 0, TSR_UNKNOWN, TSR_UNKNOWN);
  trace_test_begin_run (t, "without");
  trace_test_add_simple (t, "OnTileExecute", "a", 0, TSR_UNKNOWN, TSR_UNKNOWN);
  trace_test_begin_run (t, "on the other");
  trace_test_add_simple (t, "OnTileExecute", "a", 1, 50, 80);
  trace = trace_test_build (t);
  for (guint run = 0; run < 3; run++)
    for (guint ipu = 0; ipu < 2; ipu++)
      {
        TsrTraceSums sums;

        trace_test_check_run_sums (trace, run, ipu, 0, 90, 0);
        tsr_trace_sum_run (trace, tsr_trace_get_run (trace, run), ipu, 0, 90, 0, &sums);
        if (run == 1 && ipu == 0)
          g_assert_cmpint (sums.counted, ==, TSR_UNKNOWN);
        else
          g_assert_cmpint (sums.counted, ==,
                           run == 0 && ipu == 0   ? 90
                           : run == 2 && ipu == 1 ? 30
                                                  : 0);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-runs/replicas", test_replicas);
  g_test_add_func ("/trace-runs/random", test_random);
  g_test_add_func ("/trace-runs/times", test_times);
  g_test_add_func ("/trace-runs/no-times", test_no_times);
  return g_test_run ();
}

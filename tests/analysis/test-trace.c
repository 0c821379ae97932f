/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lanes, types, runs and figures of spans of a trace, against numbers of docs/formulas.md#balance
 * and against loops over all slices. */

#include "config.h"

#include "trace-test.h"

#include <math.h>
#include <string.h>

/* Pixel widths of [SHOT 16]: (434 + 158 + 81 + 19) / 983 = 70.4 %, (77 + 32 + 136 + 2) / 984 = 25.1
 * %; a leading StreamCopyBegin of 38 % of the range is left out. */
/* A copy and an exchange that an edge cuts: their bytes are where they begin, their cycles on both
 * sides, and two spans side by side have what the whole has. */
static void
test_bytes_at_edges (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  TraceTestSlice *slice
      = trace_test_add (t, trace_test_add_step (t, "StreamCopyMid", "in"), 0, 100, 200);

  slice->data_in = 64;
  slice->data_out = 6;
  slice = trace_test_add (t, trace_test_add_step (t, "GlobalExchange", "pass"), 0, 200, 300);
  slice->data_in = slice->data_out = 10;
  trace = trace_test_build (t);
  for (gint64 edge = 0; edge <= 310; edge += 10)
    {
      TsrTraceSums left, right;

      tsr_trace_sum (trace, 0, 0, edge, 0, &left);
      tsr_trace_sum (trace, 0, edge, 310, 0, &right);
      g_assert_cmpint (left.copy_in[TSR_COPY_NOT_TOLD], ==, edge > 100 ? 64 : 0);
      g_assert_cmpint (right.copy_in[TSR_COPY_NOT_TOLD], ==, edge > 100 ? 0 : 64);
      g_assert_cmpint (left.copy_out[TSR_COPY_NOT_TOLD] + right.copy_out[TSR_COPY_NOT_TOLD], ==, 6);
      g_assert_cmpint (left.global_in, ==, edge > 200 ? 10 : 0);
      g_assert_cmpint (left.global_out + right.global_out, ==, 10);
      g_assert_cmpint (left.counted + right.counted, ==, 200);
    }
}

static void
test_utilisation (void)
{
  static const struct
  {
    gint64 compute, exchange, global, transfer, all;
    double utilisation;
  } shots[] = { { 434, 158, 81, 19, 983, 0.704 }, { 77, 32, 136, 2, 984, 0.251 } };

  for (guint i = 0; i < G_N_ELEMENTS (shots); i++)
    {
      g_autoptr (TraceTest) t = trace_test_new (1);
      g_autoptr (TsrTrace) trace = NULL;
      gint64 at = 600; /* the leading wait */
      gint64 busy = shots[i].compute + shots[i].exchange + shots[i].global + shots[i].transfer;
      TsrTraceSums sums;
      guint32 syncs;

      trace_test_begin_run (t, "Engine::run #0");
      trace_test_add_simple (t, "StreamCopyBegin", "copyFromHost/a", 0, 0, at);
      trace_test_add_simple (t, "OnTileExecute", "a", 0, at, at + shots[i].compute);
      at += shots[i].compute;
      trace_test_add_simple (t, "DoExchange", "b", 0, at, at + shots[i].exchange);
      at += shots[i].exchange;
      trace_test_add_simple (t, "GlobalExchange", "c", 0, at, at + shots[i].global);
      at += shots[i].global;
      trace_test_add_simple (t, "StreamCopyMid", "d", 0, at, at + shots[i].transfer);
      at += shots[i].transfer;
      trace_test_add_simple (t, "Sync", "External", 0, at, at + shots[i].all - busy);
      at += shots[i].all - busy;
      trace = trace_test_build (t);
      tsr_trace_sum (trace, 0, 0, at, 0, &sums);
      g_assert_cmpint (sums.counted, ==, shots[i].all);
      g_assert_cmpint (sums.excluded, ==, 600);
      g_assert_cmpfloat_with_epsilon (sums.utilisation, shots[i].utilisation, 0.0005);
      syncs = tsr_trace_find_types (trace, "External Sync");
      g_assert_cmpuint (syncs, !=, 0);
      g_assert_cmpuint (syncs, ==, tsr_trace_find_types (trace, "Sync"));
      tsr_trace_sum (trace, 0, 0, at, syncs, &sums);
      g_assert_cmpint (sums.counted, ==, busy);
      g_assert_cmpint (sums.excluded, ==, 600 + shots[i].all - busy);
      g_assert_cmpfloat (sums.utilisation, ==, 1);
    }
}

/* 88 = 173,581 - 173,493, of which 14 = 173,493 - 173,479 lie under the previous step: not added.
 */
static void
test_lead_in (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  guint32 a = trace_test_add_step (t, "OnTileExecute", "cs0");
  guint32 b = trace_test_add_step (t, "DoExchange", "cs1_updateBToA/ExchangePre");
  TsrTraceSlice slice;
  TsrTraceSums sums;

  trace_test_add (t, a, 0, 173000, 173493);
  trace_test_add (t, b, 0, 173493, 173581)->lead_in = 14;
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_n_tracks (trace), ==, 1);
  tsr_trace_get_slice (trace, tsr_trace_find_slice (trace, b, 0), &slice);
  g_assert_cmpint (slice.end - slice.start, ==, 88);
  g_assert_cmpint (slice.lead_in, ==, 14);
  g_assert_cmpstr (slice.name, ==, "cs1_updateBToA/ExchangePre");
  g_assert_cmpuint (slice.lane, ==, 0);
  tsr_trace_sum (trace, 0, 0, 200000, 0, &sums);
  g_assert_cmpint (sums.counted, ==, 581);
}

/* 10^4 chained steps with lead-in: one lane, and their sum is the span. */
static void
test_chain (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  gint64 at = 1000;
  gint64 from, to;
  TsrTraceSums sums;

  for (guint i = 0; i < 10000; i++)
    {
      static const char *const types[] = { "DoExchange", "Sync", "OnTileExecute", "StreamCopyMid" };
      guint32 step = trace_test_add_step (t, types[i % 4], "a/b");
      gint64 d = g_rand_int_range (random, 1, 500);

      trace_test_add (t, step, 0, at, at + d)->lead_in = g_rand_int_range (random, 0, 30);
      at += d;
    }
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_n_tracks (trace), ==, 1);
  tsr_trace_get_span (trace, &from, &to);
  tsr_trace_sum (trace, 0, from, to, 0, &sums);
  g_assert_cmpint (sums.counted, ==, to - from);
  g_assert_cmpint (sums.n_slices, ==, 10000);
}

/* -------------------------------------------------------------------- lanes */

static void
test_copies_overlap (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  guint32 steps[6];
  static const guint lanes[] = { 0, 1, 0, 1, 0, 0 };

  steps[0] = trace_test_add_simple (t, "OnTileExecute", "a", 0, 0, 100);
  steps[1] = trace_test_add_simple (t, "StreamCopyMid", "in", 0, 50, 160);
  steps[2] = trace_test_add_simple (t, "OnTileExecute", "b", 0, 100, 200);
  /* Begins before what it overlaps. */
  steps[3] = trace_test_add_simple (t, "StreamCopyMid", "out", 0, 210, 300);
  steps[4] = trace_test_add_simple (t, "OnTileExecute", "c", 0, 250, 320);
  /* Touches, and overlaps nothing. */
  steps[5] = trace_test_add_simple (t, "StreamCopyMid", "last", 0, 320, 400);
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_n_tracks (trace), ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      TsrTraceSlice slice;
      guint track;
      gsize item;
      guint32 found = tsr_trace_find_slice (trace, steps[i], 0);

      tsr_trace_get_slice (trace, found, &slice);
      g_assert_cmpuint (slice.lane, ==, lanes[i]);
      g_assert_true (tsr_trace_locate (trace, found, TSR_TRACE_FLAT, 0, &track, &item));
      g_assert_cmpuint (track, ==, lanes[i]);
      g_assert_cmpuint (
          tsr_trace_row_first_slice (tsr_trace_get_row (trace, track, TSR_TRACE_FLAT, 0), item), ==,
          found);
    }
  g_assert_false (tsr_trace_get_track (trace, 0)->io);
  g_assert_true (tsr_trace_get_track (trace, 1)->io);
}

/* Copies that only overlap each other: the first lane is theirs, and no empty one. */
static void
test_copies_alone (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  guint32 steps[3];

  steps[0] = trace_test_add_simple (t, "StreamCopyMid", "in", 0, 0, 100);
  steps[1] = trace_test_add_simple (t, "StreamCopyMid", "out", 0, 50, 150);
  steps[2] = trace_test_add_simple (t, "StreamCopyMid", "no time", 0, 60, 60);
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_n_tracks (trace), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      TsrTraceSlice slice;

      tsr_trace_get_slice (trace, tsr_trace_find_slice (trace, steps[i], 0), &slice);
      g_assert_cmpuint (slice.lane, ==, i);
      g_assert_true (tsr_trace_get_track (trace, i)->io);
      g_assert_cmpuint (tsr_trace_get_row (trace, i, TSR_TRACE_FLAT, 0)->n, ==, 1);
    }
}

/* Without active_cycles_from_max only what overlaps by more than 1 % is a lane of its own. */
static void
test_tolerance (void)
{
  for (guint over = 9; over <= 12; over++)
    {
      g_autoptr (TraceTest) t = trace_test_new (1);
      g_autoptr (TsrTrace) trace = NULL;

      t->tables.from_max_told = FALSE;
      trace_test_add_simple (t, "OnTileExecute", "a", 0, 0, 2000);
      trace_test_add_simple (t, "DoExchange", "b", 0, 2000 - over, 3000 - over);
      trace = trace_test_build (t);
      g_assert_cmpuint (tsr_trace_get_n_tracks (trace), ==, over > 10 ? 2 : 1);
    }
}

static void
check_lanes (const TsrTrace *trace)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  gsize placed = 0;
  gsize timed = 0;

  for (guint track = 0; track < tsr_trace_get_n_tracks (trace); track++)
    {
      const TsrTraceRow *row = tsr_trace_get_row (trace, track, TSR_TRACE_FLAT, 0);

      g_assert_cmpuint (row->n, >, 0);
      for (gsize i = 1; i < row->n; i++)
        g_assert_cmpint (tsr_trace_row_start (row, i), >=, tsr_trace_row_end (row, i - 1));
      placed += row->n;
    }
  for (gsize i = 0; i < t->ipu_start[t->n_ipus]; i++)
    timed += t->slice_end[i] > t->slice_start[i];
  g_assert_cmpuint (placed, ==, timed);
}

/* --------------------------------------------------------------------- sums */

static void
test_sums (void)
{
  for (guint seed = 0; seed < 24; seed++)
    {
      guint n_ipus = 1 + seed % 3;
      guint n_steps = seed % 4 == 0 ? 40 : 3000;
      g_autoptr (TraceTest) t = trace_test_new_random (seed, n_ipus, n_steps, 1 + seed % 10);
      g_autoptr (TsrTrace) trace = trace_test_build (t);
      g_autoptr (GRand) random = g_rand_new_with_seed (seed + 100);
      gint64 least, most;

      check_lanes (trace);
      tsr_trace_get_span (trace, &least, &most);
      for (guint i = 0; i < 200; i++)
        {
          gint64 from = least - 10 + (gint64)(g_rand_double (random) * (double)(most - least + 20));
          gint64 length = i % 2 == 0 ? g_rand_int_range (random, 0, 2000)
                                     : g_rand_int_range (random, 0, (gint)(most - least + 20));
          guint32 hidden = i % 3 == 0 ? g_rand_int (random) : 0;

          trace_test_check_sums (trace, i % n_ipus, from, from + length, hidden);
        }
      for (guint ipu = 0; ipu < n_ipus; ipu++)
        trace_test_check_sums (trace, ipu, least, most, 0);
    }
}

/* ---------------------------------------------------------------- runs, types, IPUs */

/* Two IPUs, two runs: waits, device spans, the model's part (docs/formulas.md#runs). */
static void
test_runs (void)
{
  g_autoptr (TraceTest) t = trace_test_new (3);
  g_autoptr (TsrTrace) trace = NULL;
  const TsrTraceRun *run;
  gint64 from, to;
  guint32 step;
  guint start_up = 0;

  trace_test_begin_run (t, "Engine::run #0");
  trace_test_add_simple (t, "OnTileExecute", "init", 0, 0, 50);
  trace_test_begin_run (t, "Engine::run #1");
  trace_test_add_simple (t, "Sync", "External", 0, 50, 60);
  step = trace_test_add_step (t, "StreamCopyBegin", "copyFromHost");
  trace_test_add (t, step, 0, 60, 1000);
  trace_test_add (t, step, 1, 70, 900);
  trace_test_add_simple (t, "StreamCopyMid", "copyFromHost", 0, 1000, 1100);
  trace_test_add_simple (t, "StreamCopyEnd", "copyFromHost", 0, 1100, 1110);
  trace_test_add_simple (t, "DoExchange", "model/a", 0, 1120, 1200);
  trace_test_add_simple (t, "OnTileExecute", "model/a", 0, 1200, 1500);
  trace_test_add_simple (t, "OnTileExecute", "model/a", 1, 900, 1800);
  trace_test_add_simple (t, "StreamCopyBegin", "x/copyToHost", 0, 1500, 1600);
  trace_test_add_simple (t, "OnTileExecute", "model/b", 0, 1600, 1700);
  t->tables.run_complete[0] = 0;
  t->tables.run_microseconds_start[1] = 10;
  t->tables.run_microseconds_end[1] = 12.5;
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_n_runs (trace), ==, 2);
  g_assert_cmpuint (tsr_trace_get_profiled_run (trace), ==, 1);
  run = tsr_trace_get_run (trace, 0);
  g_assert_cmpint (run->start, ==, 0);
  g_assert_cmpint (run->wait_end, ==, 0);
  g_assert_cmpint (run->device, ==, 50);
  g_assert_cmpint (run->model_from, ==, run->model_to);
  g_assert_true (isnan (run->microseconds));
  run = tsr_trace_get_run (trace, 1);
  g_assert_cmpstr (run->name, ==, "Engine::run #1");
  g_assert_cmpint (run->start, ==, 50);
  g_assert_cmpint (run->end, ==, 1800);
  g_assert_cmpint (run->wait_end, ==, 900);
  g_assert_cmpint (run->device, ==, 900); /* IPU 1: 900 .. 1,800; IPU 0: 1,000 .. 1,700 */
  g_assert_cmpint (run->model_from, ==, 1120);
  g_assert_cmpint (run->model_to, ==, 1500);
  g_assert_cmpfloat (run->microseconds, ==, 2.5);
  tsr_trace_get_device_span (trace, 1, 0, &from, &to);
  g_assert_cmpint (from, ==, 1000);
  g_assert_cmpint (to, ==, 1700);
  tsr_trace_get_device_span (trace, 1, 2, &from, &to);
  g_assert_cmpint (from, ==, to);
  for (gsize i = 0; i < t->tables.ipu_start[3]; i++)
    start_up += tsr_trace_get_type (trace, tsr_trace_get_slice_type (trace, i))->start_up;
  g_assert_cmpuint (start_up, ==, 2); /* the one before copyToHost is none */
}

/* A run that has not ended is shown where there is no other. */
static void
test_only_run (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;

  trace_test_begin_run (t, "Engine::run");
  trace_test_add_simple (t, "OnTileExecute", "model/a", 0, 0, 100);
  t->tables.run_complete[0] = 0;
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_profiled_run (trace), ==, 0);
}

static void
test_types (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  static const char *const labels[]
      = { "OnTileExecute", "StreamCopyBegin", "Internal Sync", "External Sync", "Abc", "Zzz" };

  trace_test_add_simple (t, "Zzz", "z", 0, 0, 1);
  trace_test_add_simple (t, "Sync", "External", 0, 1, 2);
  trace_test_add_simple (t, "Abc", NULL, 0, 2, 3);
  trace_test_add_simple (t, "Sync", "Internal", 0, 3, 4);
  trace_test_add_simple (t, "OnTileExecute", "c", 0, 4, 5);
  trace_test_add_simple (t, "StreamCopyBegin", "c", 0, 5, 6);
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_n_types (trace), ==, G_N_ELEMENTS (labels));
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      g_assert_cmpstr (tsr_trace_get_type (trace, i)->label, ==, labels[i]);
      g_assert_cmpuint (tsr_trace_find_types (trace, labels[i]), ==, 1u << i);
    }
  g_assert_cmpuint (tsr_trace_find_types (trace, "Sync"), ==, 4 | 8);
  g_assert_cmpuint (tsr_trace_find_types (trace, "Nothing"), ==, 0);
  g_assert_cmpuint (tsr_trace_get_slice_type (trace, 1), ==, 3);
}

static void
test_ipu_names (void)
{
  g_autoptr (TraceTest) t = trace_test_new (4);
  g_autoptr (TsrTrace) trace = NULL;
  g_autofree char *name = NULL;
  gint64 replica, ipu;

  t->target.ipus_per_replica = 2;
  trace = trace_test_build (t);
  name = tsr_trace_dup_ipu_name (trace, 3);
  g_assert_cmpstr (name, ==, "Replica 1 · IPU 1");
  tsr_trace_get_replica (trace, 2, &replica, &ipu);
  g_assert_cmpint (replica, ==, 1);
  g_assert_cmpint (ipu, ==, 0);
}

/* Every step is found on every IPU that has it. */
static void
test_find_slice (void)
{
  g_autoptr (TraceTest) t = trace_test_new_random (77, 2, 2000, 8);
  g_autoptr (TsrTrace) trace = trace_test_build (t);
  const TsrExecutionTables *tables = &t->tables;

  for (guint ipu = 0; ipu < 2; ipu++)
    {
      g_autofree guint32 *of_step = g_new (guint32, tables->n_steps);

      memset (of_step, 0xff, tables->n_steps * sizeof *of_step);
      for (gsize i = tables->ipu_start[ipu]; i < tables->ipu_start[ipu + 1]; i++)
        of_step[tables->slice_step[i]] = i;
      for (guint step = 0; step < tables->n_steps; step++)
        g_assert_cmpuint (tsr_trace_find_slice (trace, step, ipu), ==, of_step[step]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/utilisation", test_utilisation);
  g_test_add_func ("/trace/bytes-at-edges", test_bytes_at_edges);
  g_test_add_func ("/trace/lead-in", test_lead_in);
  g_test_add_func ("/trace/chain", test_chain);
  g_test_add_func ("/trace/copies-overlap", test_copies_overlap);
  g_test_add_func ("/trace/copies-overlap-alone", test_copies_alone);
  g_test_add_func ("/trace/tolerance", test_tolerance);
  g_test_add_func ("/trace/sums", test_sums);
  g_test_add_func ("/trace/runs", test_runs);
  g_test_add_func ("/trace/only-run", test_only_run);
  g_test_add_func ("/trace/types", test_types);
  g_test_add_func ("/trace/ipu-names", test_ipu_names);
  g_test_add_func ("/trace/find-slice", test_find_slice);
  return g_test_run ();
}

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

/* What another IPU has does not matter: its last copy is not moved by what begins here, and the
 * lane that copies leave empty takes what comes later. */
static void
test_second_ipu (void)
{
  g_autoptr (TraceTest) t = trace_test_new (2);
  g_autoptr (TsrTrace) trace = NULL;
  static const guint lanes[] = { 0, 0, 1, 2, 0, 0 };

  trace_test_add_simple (t, "OnTileExecute", "long", 0, 0, 1000);
  trace_test_add_simple (t, "StreamCopyMid", "last", 0, 1000, 1100);
  trace_test_add_simple (t, "StreamCopyMid", "in", 1, 0, 100);
  trace_test_add_simple (t, "StreamCopyMid", "out", 1, 50, 150);
  trace_test_add_simple (t, "StreamCopyMid", "alone", 1, 400, 500);
  trace_test_add_simple (t, "OnTileExecute", "a", 1, 600, 700);
  trace = trace_test_build (t);
  for (guint32 i = 0; i < G_N_ELEMENTS (lanes); i++)
    {
      TsrTraceSlice slice;

      tsr_trace_get_slice (trace, i, &slice);
      g_assert_cmpuint (slice.lane, ==, lanes[i]);
    }
}

/* Without active_cycles_from_max only what overlaps by more than 1 % is a lane of its own. */
static void
test_tolerance (void)
{
  for (guint over = 98; over <= 101; over++)
    {
      g_autoptr (TraceTest) t = trace_test_new (1);
      g_autoptr (TsrTrace) trace = NULL;

      t->tables.from_max_told = FALSE;
      trace_test_add_simple (t, "OnTileExecute", "a", 0, 0, 20000);
      trace_test_add_simple (t, "DoExchange", "b", 0, 20000 - over, 29900 - over);
      trace = trace_test_build (t);
      g_assert_cmpuint (tsr_trace_get_n_tracks (trace), ==, over > 99 ? 2 : 1);
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

/* One run on one IPU by what docs/formulas.md#runs says of it; FALSE: it did nothing there. */
typedef struct
{
  gint64 start, end, wait_end, model_from, model_to;
} RunPart;

static gboolean
follow_run (const TsrTrace *trace, guint run, guint ipu, RunPart *part)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  gboolean any = FALSE, begun = FALSE, input = FALSE, model = FALSE, output = FALSE;

  *part = (RunPart){ 0, 0, TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };
  for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
    {
      const TsrTraceType *type
          = tsr_trace_get_type (trace, tsr_trace_get_slice_type (trace, (guint32)i));
      const char *name = tsr_trace_get_name (trace, tsr_trace_get_slice_name (trace, (guint32)i));
      g_auto (GStrv) words = g_strsplit (name, "/", -1);
      gboolean from_host = FALSE, to_host = FALSE;

      if (t->step_run[t->slice_step[i]] != run || t->slice_end[i] <= t->slice_start[i])
        continue;
      part->start = any ? part->start : t->slice_start[i];
      part->end = any ? MAX (part->end, t->slice_end[i]) : t->slice_end[i];
      any = TRUE;
      g_assert_cmpint (type->start_up, ==, !begun && g_str_equal (type->name, "StreamCopyBegin"));
      if (type->start_up)
        part->wait_end = t->slice_end[i];
      begun = begun || type->group != TSR_STEP_GROUP_SYNC;
      for (guint k = 0; words[k] != NULL; k++)
        {
          from_host = from_host || g_str_has_suffix (words[k], "copyFromHost");
          to_host = to_host || g_str_has_suffix (words[k], "copyToHost");
        }
      if (type->start_up)
        continue;
      if (!input)
        input = from_host && g_str_equal (type->name, "StreamCopyEnd");
      else if (type->group == TSR_STEP_GROUP_COMPUTE || type->group == TSR_STEP_GROUP_EXCHANGE)
        {
          if (output)
            continue;
          part->model_from = model ? part->model_from : t->slice_start[i];
          part->model_to = MAX (part->model_to, t->slice_end[i]);
          model = TRUE;
        }
      else if (model && to_host && g_str_equal (type->name, "StreamCopyBegin"))
        output = TRUE;
    }
  if (!output)
    part->model_from = part->model_to = TSR_UNKNOWN;
  return any;
}

static void
check_run (const TsrTrace *trace, guint r, gint64 size)
{
  const TsrTraceRun *run = tsr_trace_get_run (trace, r);
  const guint n_ipus = tsr_trace_get_n_ipus (trace);
  RunPart all = { G_MAXINT64, G_MININT64, G_MAXINT64, G_MAXINT64, G_MININT64 };
  gint64 device = TSR_UNKNOWN;
  guint first = n_ipus;

  for (guint ipu = 0; ipu < n_ipus; ipu++)
    {
      RunPart part;
      gint64 from, to;

      tsr_trace_get_device_span (trace, r, ipu, &from, &to);
      if (!follow_run (trace, r, ipu, &part))
        {
          g_assert_cmpint (from, ==, to);
          g_assert_cmpint (from, ==, run->start);
          continue;
        }
      first = MIN (first, size == TSR_UNKNOWN ? 0 : ipu / (guint)size * (guint)size);
      g_assert_cmpint (from, ==, part.wait_end != TSR_UNKNOWN ? part.wait_end : part.start);
      g_assert_cmpint (to, ==, part.end);
      all.start = MIN (all.start, part.start);
      all.end = MAX (all.end, part.end);
      if (part.wait_end != TSR_UNKNOWN)
        all.wait_end = MIN (all.wait_end, part.wait_end);
      if (size != TSR_UNKNOWN && ipu >= first + size)
        continue;
      device = MAX (device, to - from);
      if (part.model_from != TSR_UNKNOWN)
        {
          all.model_from = MIN (all.model_from, part.model_from);
          all.model_to = MAX (all.model_to, part.model_to);
        }
    }
  g_assert_cmpint (run->device, ==, device);
  if (device == TSR_UNKNOWN)
    all = (RunPart){ 0, 0, 0, G_MAXINT64, 0 };
  g_assert_cmpint (run->start, ==, all.start);
  g_assert_cmpint (run->end, ==, all.end);
  g_assert_cmpint (run->wait_end, ==, all.wait_end != G_MAXINT64 ? all.wait_end : all.start);
  g_assert_cmpint (run->model_from, ==, all.model_from != G_MAXINT64 ? all.model_from : 0);
  g_assert_cmpint (run->model_to, ==, all.model_from != G_MAXINT64 ? all.model_to : 0);
}

/* Four runs on five IPUs, in any order, of which each has a part in some. */
static void
test_random_runs (void)
{
  static const char *const types[]
      = { "StreamCopyEnd", "OnTileExecute",  "StreamCopyBegin", "StreamCopyEnd", "StreamCopyBegin",
          "DoExchange",    "GlobalExchange", "StreamCopyMid",   "Sync",          "WriteUndef" };
  static const char *const names[]
      = { "copyFromHost", "copyToHost", "a/xcopyFromHost/b", "copyToHost/c", "ToHost", NULL };
  static const double ends[] = { 5.5, 5, 4, NAN };

  for (guint seed = 0; seed < 400; seed++)
    {
      g_autoptr (TraceTest) t = trace_test_new (5);
      g_autoptr (TsrTrace) trace = NULL;
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      gint64 size = seed % 3 == 0 ? TSR_UNKNOWN : seed % 3 + 1;

      t->target.ipus_per_replica = size;
      for (guint run = 0; run < 4; run++)
        {
          const guint only = (guint)g_rand_int_range (random, 0, 1 << 5);
          gint64 at[5];

          for (guint ipu = 0; ipu < 5; ipu++)
            at[ipu] = g_rand_int_range (random, 1, 500);
          trace_test_begin_run (t, "run");
          t->tables.run_complete[run] = (guint8)g_rand_int_range (random, 0, 2);
          t->tables.run_microseconds_start[run] = 5;
          t->tables.run_microseconds_end[run] = ends[run];
          for (guint i = 0; i < 12; i++)
            {
              guint32 step = trace_test_add_step (t, types[g_rand_int_range (random, 0, 10)],
                                                  names[g_rand_int_range (random, 0, 6)]);

              for (guint ipu = 0; ipu < 5; ipu++)
                if ((only >> ipu) & 1)
                  {
                    gint64 d = g_rand_int_range (random, 0, 20);

                    trace_test_add (t, step, ipu, at[ipu], at[ipu] + d);
                    at[ipu] += g_rand_int_range (random, 0, 10);
                  }
            }
        }
      trace = trace_test_build (t);
      for (guint run = 0; run < 4; run++)
        {
          const double took = tsr_trace_get_run (trace, run)->microseconds;

          check_run (trace, run, size);
          g_assert_true (run == 0 ? took == 0.5 : isnan (took));
        }
    }
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
  static const char *const of_slices[]
      = { "Zzz", "External Sync", "Abc", "Internal Sync", "OnTileExecute", "StreamCopyBegin" };
  static const char *const titles[] = { "z", "External Sync", "Abc", "Internal Sync", "c", "c" };

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
  for (guint32 i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      g_assert_cmpstr (tsr_trace_get_type (trace, tsr_trace_get_slice_type (trace, i))->label, ==,
                       of_slices[i]);
      g_assert_cmpstr (tsr_trace_get_slice_title (trace, i), ==, titles[i]);
    }
}

/* What is called by the label of a sync's type is not when anything else has the name. */
static void
test_titles (void)
{
  for (guint order = 0; order < 2; order++)
    {
      g_autoptr (TraceTest) t = trace_test_new (1);
      g_autoptr (TsrTrace) trace = NULL;

      trace_test_add_simple (t, order == 0 ? "Sync" : "OnTileExecute", "shared", 0, 0, 1);
      trace_test_add_simple (t, order == 1 ? "Sync" : "OnTileExecute", "shared", 0, 1, 2);
      trace_test_add_simple (t, "Sync", "alone", 0, 2, 3);
      trace_test_add_simple (t, "Sync", "alone", 0, 3, 4);
      trace_test_add_simple (t, "Sync", "of/two", 0, 4, 5);
      trace = trace_test_build (t);
      g_assert_cmpstr (tsr_trace_get_slice_title (trace, 0), ==, "shared");
      g_assert_cmpstr (tsr_trace_get_slice_title (trace, 1), ==, "shared");
      g_assert_cmpstr (tsr_trace_get_slice_title (trace, 2), ==, "Sync");
      g_assert_cmpstr (tsr_trace_get_slice_title (trace, 3), ==, "Sync");
      g_assert_cmpstr (tsr_trace_get_slice_title (trace, 4), ==, "of/two");
    }
}

/* Replicas are named where there are several; what is not positive is not told. */
static void
test_target (void)
{
  for (gint64 value = -1; value < 5; value++)
    {
      g_autoptr (TraceTest) t = trace_test_new (4);
      g_autoptr (TsrTrace) trace = NULL;

      t->target.ipus_per_replica = t->target.tiles_per_ipu = value;
      t->target.clock_frequency = (double)value;
      trace = trace_test_build (t);
      g_assert_cmpint (tsr_trace_get_tiles_per_ipu (trace), ==, value > 0 ? value : TSR_UNKNOWN);
      g_assert_true (value > 0 ? tsr_trace_get_clock (trace) == (double)value
                               : isnan (tsr_trace_get_clock (trace)));
      for (guint ipu = 0; ipu < 4; ipu++)
        {
          g_autofree char *name = tsr_trace_dup_ipu_name (trace, ipu);
          g_autofree char *number = tsr_trace_dup_ipu_number (trace, ipu);
          const guint size = value > 0 ? (guint)value : 4;
          g_autofree char *expected
              = g_strdup_printf ("Replica %u · IPU %u", ipu / size, ipu % size);
          g_autofree char *brief = g_strdup_printf ("%u·%u", ipu / size, ipu % size);
          g_autofree char *alone = g_strdup_printf ("IPU %u", ipu);
          gint64 replica, in_replica;

          tsr_trace_get_replica (trace, ipu, &replica, &in_replica);
          g_assert_cmpint (replica, ==, value > 0 ? ipu / size : TSR_UNKNOWN);
          g_assert_cmpint (in_replica, ==, value > 0 ? ipu % size : TSR_UNKNOWN);
          g_assert_cmpstr (name, ==, size < 4 ? expected : alone);
          g_assert_cmpstr (number, ==, size < 4 ? brief : alone + strlen ("IPU "));
        }
    }
}

static void
test_cancelled (void)
{
  g_autoptr (TraceTest) t = trace_test_new_random (3, 2, 500, 9);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (
      tsr_trace_new_from_tables (&t->tables, &t->programs, &t->target, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
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
  g_test_add_func ("/trace/second-ipu", test_second_ipu);
  g_test_add_func ("/trace/tolerance", test_tolerance);
  g_test_add_func ("/trace/sums", test_sums);
  g_test_add_func ("/trace/runs", test_runs);
  g_test_add_func ("/trace/random-runs", test_random_runs);
  g_test_add_func ("/trace/only-run", test_only_run);
  g_test_add_func ("/trace/types", test_types);
  g_test_add_func ("/trace/titles", test_titles);
  g_test_add_func ("/trace/target", test_target);
  g_test_add_func ("/trace/cancelled", test_cancelled);
  g_test_add_func ("/trace/find-slice", test_find_slice);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lanes, types, runs and figures of spans of a trace, against numbers of FEATURES 12.8 and against
 * loops over all slices. */

#include "config.h"

#include "trace-test.h"

#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------- formulas */

static void
test_balance (void)
{
  g_autofree gint64 *cycles = g_new0 (gint64, 1216);
  double tile, active;
  gint64 total = 0;

  /* 30 of 1,216 tiles, active balance 98.3 %: 2.4 % (FEATURES 12.8). */
  for (guint i = 0; i < 30; i++)
    total += cycles[40 * i] = i < 3 ? 1000 : 981;
  tsr_trace_balance (cycles, 1216, &tile, &active);
  g_assert_cmpfloat_with_epsilon (active, (double)total / 30 / 1000, 1e-12);
  g_assert_cmpfloat_with_epsilon (active, 0.983, 0.0005);
  g_assert_cmpfloat_with_epsilon (tile, 0.024, 0.0005);
  memset (cycles, 0, 1216 * sizeof *cycles);
  tsr_trace_balance (cycles, 1216, &tile, &active);
  g_assert_true (isnan (tile) && isnan (active));
  cycles[3] = TSR_UNKNOWN;
  cycles[4] = 7;
  tsr_trace_balance (cycles, 1216, &tile, &active);
  g_assert_true (isnan (tile) && isnan (active));
}

/* Pixel widths of [SHOT 16]: (434 + 158 + 81 + 19) / 983 = 70.4 %, (77 + 32 + 136 + 2) / 984 = 25.1
 * %; a leading StreamCopyBegin of 38 % of the range is left out. */
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

typedef struct
{
  gint64 by_type[TSR_TRACE_MAX_TYPES];
  double cycles, tile, active, lost;
  gboolean no_tile, no_active;
  gint64 n_slices;
  gint64 in[5], out[5];
} Naive;

static void
add_bytes (gint64 *sum, gint64 bytes)
{
  *sum = bytes == TSR_UNKNOWN || *sum == TSR_UNKNOWN ? TSR_UNKNOWN : *sum + bytes;
}

static void
sum_naively (const TsrTrace *trace, guint ipu, gint64 from, gint64 to, Naive *naive)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  gint64 reached[TSR_TRACE_MAX_TYPES];

  memset (naive, 0, sizeof *naive);
  for (guint i = 0; i < TSR_TRACE_MAX_TYPES; i++)
    reached[i] = from;
  for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
    {
      guint type = tsr_trace_get_slice_type (trace, i);
      gint64 start = t->slice_start[i];
      gint64 end = t->slice_end[i];
      const char *name = tsr_trace_get_type (trace, type)->name;
      guint32 program = t->step_program[t->slice_step[i]];
      gint64 part;

      if (start == TSR_UNKNOWN)
        continue;
      if (start >= from && start < to
          && (strcmp (name, "StreamCopyMid") == 0 || strcmp (name, "GlobalExchange") == 0))
        {
          guint kind = 4;

          if (strcmp (name, "StreamCopyMid") == 0)
            kind = program == TSR_NO_INDEX ? 3 : program % 4; /* as the builder makes them */
          add_bytes (&naive->in[kind], tsr_narrow_get (&t->slice_data_in, i));
          add_bytes (&naive->out[kind], tsr_narrow_get (&t->slice_data_out, i));
        }
      part = MIN (end, to) - MAX (start, from);
      if (end <= start || part <= 0)
        continue;
      naive->n_slices++;
      if (MIN (end, to) > reached[type])
        {
          naive->by_type[type] += MIN (end, to) - MAX (start, reached[type]);
          reached[type] = MIN (end, to);
        }
      if (strcmp (name, "OnTileExecute") != 0)
        continue;
      naive->cycles += (double)part;
      if (isnan (t->slice_tile_balance[i]))
        naive->no_tile = TRUE;
      else
        naive->tile += (double)part * t->slice_tile_balance[i];
      if (isnan (t->slice_active_tile_balance[i]))
        naive->no_active = TRUE;
      else
        {
          naive->active += (double)part * t->slice_active_tile_balance[i];
          naive->lost += (double)part * (1 - t->slice_active_tile_balance[i]);
        }
    }
}

static void
check_sums (const TsrTrace *trace, guint ipu, gint64 from, gint64 to, guint32 hidden)
{
  Naive naive;
  TsrTraceSums sums;
  gint64 counted = 0;
  gint64 excluded = 0;
  gint64 busy = 0;
  guint32 compute = tsr_trace_find_types (trace, "OnTileExecute");

  sum_naively (trace, ipu, from, to, &naive);
  tsr_trace_sum (trace, ipu, from, to, hidden, &sums);
  for (guint i = 0; i < tsr_trace_get_n_types (trace); i++)
    {
      const TsrTraceType *type = tsr_trace_get_type (trace, i);

      g_assert_cmpint (sums.by_type[i], ==, naive.by_type[i]);
      if (type->start_up || (hidden >> i & 1))
        excluded += naive.by_type[i];
      else
        {
          counted += naive.by_type[i];
          if (type->group <= TSR_STEP_GROUP_TRANSFER)
            busy += naive.by_type[i];
        }
    }
  g_assert_cmpint (sums.counted, ==, counted);
  g_assert_cmpint (sums.excluded, ==, excluded);
  if (counted > 0)
    g_assert_cmpfloat_with_epsilon (sums.utilisation, (double)busy / (double)counted, 1e-12);
  else
    g_assert_true (isnan (sums.utilisation));
  g_assert_cmpint (sums.n_slices, ==, naive.n_slices);
  for (guint kind = 0; kind < TSR_N_COPY_KINDS; kind++)
    {
      g_assert_cmpint (sums.copy_in[kind], ==, naive.in[kind]);
      g_assert_cmpint (sums.copy_out[kind], ==, naive.out[kind]);
    }
  g_assert_cmpint (sums.global_in, ==, naive.in[4]);
  g_assert_cmpint (sums.global_out, ==, naive.out[4]);
  if (hidden & compute)
    {
      g_assert_true (isnan (sums.tile_balance) && isnan (sums.active_tile_balance));
      g_assert_cmpint (sums.lost, ==, 0);
      return;
    }
  if (naive.no_tile || naive.cycles == 0)
    g_assert_true (isnan (sums.tile_balance));
  else
    g_assert_cmpfloat_with_epsilon (sums.tile_balance, naive.tile / naive.cycles, 1e-9);
  if (naive.no_active || naive.cycles == 0)
    g_assert_true (isnan (sums.active_tile_balance));
  else
    g_assert_cmpfloat_with_epsilon (sums.active_tile_balance, naive.active / naive.cycles, 1e-9);
  if (naive.no_active)
    g_assert_cmpint (sums.lost, ==, TSR_UNKNOWN);
  else
    g_assert_cmpfloat_with_epsilon ((double)sums.lost, naive.lost, 0.51);
}

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

          check_sums (trace, i % n_ipus, from, from + length, hidden);
        }
      for (guint ipu = 0; ipu < n_ipus; ipu++)
        check_sums (trace, ipu, least, most, 0);
    }
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
  g_test_add_func ("/trace/balance", test_balance);
  g_test_add_func ("/trace/utilisation", test_utilisation);
  g_test_add_func ("/trace/lead-in", test_lead_in);
  g_test_add_func ("/trace/chain", test_chain);
  g_test_add_func ("/trace/copies-overlap", test_copies_overlap);
  g_test_add_func ("/trace/tolerance", test_tolerance);
  g_test_add_func ("/trace/sums", test_sums);
  g_test_add_func ("/trace/find-slice", test_find_slice);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stages, overlap and tiles: intervals made by hand, random executions against arrays with an entry
 * for every cycle, and the tiles of a made report against SQL on its file. */

#include "config.h"

#include "trace-test.h"
#include "tsr-error.h"
#include "tsr-test.h"
#include "tsr-trace-balance.h"

#include <math.h>
#include <string.h>

/* Overlap */

static TsrTraceOverlap
get_overlap (TraceTest *t, gint64 from, gint64 to)
{
  g_autoptr (TsrTrace) trace = trace_test_build (t);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) all = tsr_trace_overlap (trace, NULL, from, to, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, t->tables.n_ipus);
  return g_array_index (all, TsrTraceOverlap, 0);
}

static TraceTest *
make_overlap (gint64 copy_from, gint64 copy_to)
{
  TraceTest *t = trace_test_new (1);
  guint32 step = trace_test_add_step (t, "StreamCopyMid", "in");
  TraceTestSlice *slice = trace_test_add (t, step, 0, copy_from, copy_to);

  slice->data_in = 1000;
  slice->data_out = 0;
  trace_test_set_copy_kind (t, t->tables.step_program[step], "host");
  trace_test_add_simple (t, "OnTileExecute", "a", 0, 100, 150);
  trace_test_add_simple (t, "DoExchange", "b", 0, 140, 200); /* 10 of it beside the compute */
  trace_test_add_simple (t, "OnTileExecute", "c", 0, 400, 500);
  t->target.clock_frequency = 1e6;
  return t;
}

/* Whose bytes a copy's are, by what the file calls it. */
static void
test_copy_kinds (void)
{
  static const struct
  {
    const char *text;
    TsrCopyKind kind;
  } cases[] = {
    { "host", TSR_COPY_HOST },      { "Host", TSR_COPY_HOST },
    { "hosts", TSR_COPY_NOT_TOLD }, { "remote", TSR_COPY_REMOTE },
    { "Remote", TSR_COPY_REMOTE },  { "RemoteBuffer", TSR_COPY_REMOTE },
    { "remot", TSR_COPY_NOT_TOLD }, { "both", TSR_COPY_BOTH },
    { "BOTH", TSR_COPY_BOTH },      { "bothers", TSR_COPY_NOT_TOLD },
    { "mix", TSR_COPY_BOTH },       { "Mixed", TSR_COPY_BOTH },
    { "mi", TSR_COPY_NOT_TOLD },    { "mast", TSR_COPY_NOT_TOLD },
    { "myth", TSR_COPY_NOT_TOLD },  { "", TSR_COPY_NOT_TOLD },
    { "zebra", TSR_COPY_NOT_TOLD },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TraceTest) t = make_overlap (120, 180);
      TsrTraceOverlap o;

      trace_test_set_copy_kind (t, t->tables.step_program[0], cases[i].text);
      o = get_overlap (t, 0, 1000);
      for (guint kind = 0; kind < G_N_ELEMENTS (o.bytes); kind++)
        g_assert_cmpint (o.bytes[kind], ==, kind == cases[i].kind ? 1000 : 0);
    }
}

static void
test_overlap_by_hand (void)
{
  g_autoptr (TraceTest) full = make_overlap (120, 180);
  g_autoptr (TraceTest) half = make_overlap (180, 220);
  g_autoptr (TraceTest) none = make_overlap (250, 300);
  g_autoptr (TraceTest) before = make_overlap (0, 110);
  g_autoptr (TraceTest) untold = make_overlap (120, 180);
  TsrTraceOverlap o = get_overlap (full, 0, 1000);

  g_assert_cmpint (o.transfer, ==, 60);
  g_assert_cmpint (o.compute, ==, 200);
  g_assert_cmpint (o.hidden, ==, 60);
  g_assert_cmpint (o.alone, ==, 0);
  g_assert_cmpint (o.compute_alone, ==, 140);
  g_assert_cmpint (o.bytes[TSR_COPY_HOST], ==, 1000);
  g_assert_cmpint (o.cycles[TSR_COPY_HOST], ==, 60);
  g_assert_cmpfloat_with_epsilon (o.rate[TSR_COPY_HOST], 1000 / 60e-6, 1);
  g_assert_cmpint (o.bytes[TSR_COPY_REMOTE], ==, 0);
  g_assert_true (isnan (o.rate[TSR_COPY_REMOTE]));
  g_array_index (untold->slices, TraceTestSlice, 0).data_out = TSR_UNKNOWN;
  o = get_overlap (untold, 0, 1000);
  g_assert_cmpint (o.bytes[TSR_COPY_HOST], ==, TSR_UNKNOWN);
  g_assert_true (isnan (o.rate[TSR_COPY_HOST]));
  o = get_overlap (half, 0, 1000);
  g_assert_cmpint (o.hidden, ==, 20);
  g_assert_cmpint (o.alone, ==, 20);
  g_assert_cmpint (o.outside, ==, 0);
  o = get_overlap (none, 0, 1000);
  g_assert_cmpint (o.hidden, ==, 0);
  g_assert_cmpint (o.alone, ==, 50);
  o = get_overlap (before, 0, 1000);
  g_assert_cmpint (o.transfer, ==, 110);
  g_assert_cmpint (o.hidden, ==, 10);
  g_assert_cmpint (o.alone, ==, 100);
  g_assert_cmpint (o.outside, ==, 100);
  o = get_overlap (before, 50, 105); /* cut; its bytes belong to where it begins */
  g_assert_cmpint (o.transfer, ==, 55);
  g_assert_cmpint (o.hidden, ==, 5);
  g_assert_cmpint (o.bytes[TSR_COPY_HOST], ==, 0);
}

/* Bits of what an IPU does in a cycle: the classes of docs/formulas.md#step-types, and the wait
 * that begins a run. */
enum
{
  COMPUTE = 1,
  EXCHANGE = 2,
  INTER_IPU = 4,
  COPIES = 8,
  HOST = 16,
  SYNC = 32,
  OTHER = 64,
  START_UP = 128,

  WORK = COMPUTE | EXCHANGE,
};

static guint8
get_class (const TsrTraceType *type)
{
  static const struct
  {
    const char *name;
    guint8 what;
  } classes[] = {
    { "OnTileExecute", COMPUTE },
    { "DoExchange", EXCHANGE },
    { "GlobalExchange", INTER_IPU },
    { "StreamCopyMid", COPIES },
    { "StreamCopyBegin", HOST },
    { "StreamCopyEnd", HOST },
    { "Sync", SYNC },
    { "SyncAns", SYNC },
    { "Sans", SYNC },
  };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (strcmp (type->name, classes[i].name) == 0)
      return type->start_up ? START_UP : classes[i].what;
  return OTHER;
}

static gboolean
is_in_run (const TsrTraceRun *run, guint32 step)
{
  return run == NULL || (step >= run->first_step && step < run->end_step);
}

/* What an IPU does of a run in each cycle of [from, to). */
static guint8 *
dup_cycles (const TsrTrace *trace, const TsrTraceRun *run, guint ipu, gint64 from, gint64 to)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  guint8 *cycles = g_new0 (guint8, to - from);

  for (gsize i = tables->ipu_start[ipu]; i < tables->ipu_start[ipu + 1]; i++)
    {
      const TsrTraceType *type
          = tsr_trace_get_type (trace, tsr_trace_get_slice_type (trace, (guint32)i));
      guint8 what = get_class (type);

      if (tables->slice_start[i] == TSR_UNKNOWN || !is_in_run (run, tables->slice_step[i]))
        continue;
      for (gint64 c = MAX (tables->slice_start[i], from); c < MIN (tables->slice_end[i], to); c++)
        cycles[c - from] |= what;
    }
  return cycles;
}

/* Bytes and cycles of the copies of each kind that begin in the span. */
static void
check_copies (
    const TsrTrace *trace, const TsrTraceRun *run, const TsrTraceOverlap *o, gint64 from, gint64 to)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  gint64 first, last;
  gint64 bytes[TSR_N_COPY_KINDS] = { 0 }, time = 0;
  g_autofree guint8 *any = NULL;

  tsr_trace_get_span (trace, &first, &last);
  any = g_new0 (guint8, last - first);
  for (guint kind = 0; kind < TSR_N_COPY_KINDS; kind++)
    {
      g_autofree guint8 *cycles = g_new0 (guint8, last - first);
      gint64 n = 0;

      for (gsize i = tables->ipu_start[o->ipu]; i < tables->ipu_start[o->ipu + 1]; i++)
        {
          TsrTraceSlice s;

          tsr_trace_get_slice (trace, (guint32)i, &s);
          if (s.start == TSR_UNKNOWN || s.end <= s.start || s.start < from || s.start >= to
              || strcmp (s.type_name, "StreamCopyMid") != 0
              || tsr_trace_get_copy_kind (trace, (guint32)i) != kind || !is_in_run (run, s.step))
            continue;
          bytes[kind]
              = bytes[kind] == TSR_UNKNOWN || s.data_in == TSR_UNKNOWN || s.data_out == TSR_UNKNOWN
                    ? TSR_UNKNOWN
                    : bytes[kind] + s.data_in + s.data_out;
          memset (cycles + (s.start - first), 1, s.end - s.start);
          memset (any + (s.start - first), 1, s.end - s.start);
        }
      for (gint64 c = 0; c < last - first; c++)
        n += cycles[c];
      g_assert_cmpint (o->bytes[kind], ==, bytes[kind]);
      g_assert_cmpint (o->cycles[kind], ==, n);
      if (bytes[kind] == TSR_UNKNOWN || n == 0)
        g_assert_true (isnan (o->rate[kind]));
      else
        g_assert_cmpfloat_with_epsilon (
            o->rate[kind], (double)bytes[kind] * tsr_trace_get_clock (trace) / (double)n, 1e-3);
    }
  for (gint64 c = 0; c < last - first; c++)
    time += any[c];
  g_assert_cmpint (tsr_trace_get_copy_time (trace, run, o->ipu, from, to), ==, time);
}

/* Each class, nothing recorded and what is counted again; together they are the span. */
static void
check_classes (const TsrTrace *trace,
               const TsrTraceRun *run,
               guint ipu,
               const TsrTraceClasses *classes,
               gint64 from,
               gint64 to)
{
  g_autofree guint8 *cycles = dup_cycles (trace, run, ipu, from, to);
  gint64 told[8] = { 0 }, nothing = 0, overlap = 0, sum = 0;

  for (gint64 c = from; c < to; c++)
    {
      guint n = 0;

      for (guint bit = 0; bit < 8; bit++)
        if (cycles[c - from] >> bit & 1)
          {
            told[bit]++;
            n++;
          }
      nothing += n == 0;
      overlap += n > 1 ? n - 1 : 0;
    }
  for (guint group = 0; group < TSR_N_STEP_GROUPS; group++)
    {
      g_assert_cmpint (classes->cycles[group], ==, told[group]);
      sum += classes->cycles[group];
    }
  g_assert_cmpint (classes->start_up, ==, told[7]);
  g_assert_cmpint (classes->nothing, ==, nothing);
  g_assert_cmpint (classes->overlap, ==, overlap);
  g_assert_cmpint (sum + classes->start_up + classes->nothing - classes->overlap, ==, to - from);
}

static void
check_overlap (
    const TsrTrace *trace, const TsrTraceRun *run, const TsrTraceOverlap *o, gint64 from, gint64 to)
{
  g_autofree guint8 *cycles = dup_cycles (trace, run, o->ipu, from, to);
  gint64 transfer = 0, work = 0, both = 0, outside = 0, first = to, last = to;

  for (gint64 c = from; c < to; c++)
    if (cycles[c - from] & COMPUTE)
      {
        first = MIN (first, c);
        last = c + 1;
      }
  for (gint64 c = from; c < to; c++)
    {
      guint8 what = cycles[c - from];

      transfer += (what & COPIES) != 0;
      work += (what & WORK) != 0;
      both += (what & COPIES) != 0 && (what & WORK) != 0;
      outside += (what & (COPIES | WORK)) == COPIES && (c < first || c >= last);
    }
  g_assert_cmpint (o->transfer, ==, transfer);
  g_assert_cmpint (o->compute, ==, work);
  g_assert_cmpint (o->hidden, ==, both);
  g_assert_cmpint (o->alone, ==, transfer - both);
  g_assert_cmpint (o->compute_alone, ==, work - both);
  g_assert_cmpint (o->outside, ==, outside);
  check_classes (trace, run, o->ipu, &o->classes, from, to);
}

static void
check_lone_copies (const TsrTrace *trace, const TsrTraceRun *run, guint ipu, gint64 from, gint64 to)
{
  g_autofree guint8 *cycles = dup_cycles (trace, run, ipu, from, to);
  g_autoptr (GArray) copies = tsr_trace_lone_copies (trace, run, ipu, from, to, 5);
  g_autoptr (GArray) all = tsr_trace_lone_copies (trace, run, ipu, from, to, G_MAXUINT);
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  guint n = 0;

  g_assert_cmpuint (copies->len, ==, MIN (all->len, 5));
  for (guint i = 0; i < copies->len; i++)
    {
      const TsrTraceLoneCopy *copy = &g_array_index (copies, TsrTraceLoneCopy, i);
      const TsrTraceLoneCopy *same = &g_array_index (all, TsrTraceLoneCopy, i);

      g_assert_cmpuint (copy->slice, ==, same->slice);
      g_assert_cmpint (copy->alone, ==, same->alone);
    }
  for (gsize i = tables->ipu_start[ipu]; i < tables->ipu_start[ipu + 1]; i++)
    {
      gint64 alone = 0;

      if (tables->slice_start[i] == TSR_UNKNOWN
          || tsr_trace_get_type (trace, tsr_trace_get_slice_type (trace, (guint32)i))->group
                 != TSR_STEP_GROUP_TRANSFER
          || !is_in_run (run, tables->slice_step[i]))
        continue;
      for (gint64 c = MAX (tables->slice_start[i], from); c < MIN (tables->slice_end[i], to); c++)
        alone += (cycles[c - from] & WORK) == 0;
      n += alone > 0;
      for (guint k = 0; k < all->len; k++)
        if (g_array_index (all, TsrTraceLoneCopy, k).slice == i)
          g_assert_cmpint (g_array_index (all, TsrTraceLoneCopy, k).alone, ==, alone);
    }
  g_assert_cmpuint (all->len, ==, n);
  for (guint k = 1; k < all->len; k++)
    {
      const TsrTraceLoneCopy *copy = &g_array_index (all, TsrTraceLoneCopy, k);

      g_assert_true (copy->alone < copy[-1].alone
                     || (copy->alone == copy[-1].alone && copy->slice > copy[-1].slice));
    }
}

/* Stages */

static TraceTest *
make_pipeline (guint n_ipus, guint ipus_per_replica)
{
  TraceTest *t = trace_test_new (n_ipus);

  t->target.num_ipus = n_ipus;
  t->target.ipus_per_replica = ipus_per_replica;
  t->target.num_replicas = n_ipus / ipus_per_replica;
  return t;
}

static GPtrArray *
get_stages_of (const TsrTrace *trace, const TsrTraceRun *run, gint64 from, gint64 to)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *stages = tsr_trace_stages (trace, run, from, to, NULL, &error);

  g_assert_no_error (error);
  return stages;
}

static GPtrArray *
get_stages (const TsrTrace *trace, gint64 from, gint64 to)
{
  return get_stages_of (trace, NULL, from, to);
}

/* IPUs that only wait are no stages of each other. */
static void
test_no_work (void)
{
  for (guint working = 0; working < 3; working++)
    {
      g_autoptr (TraceTest) t = make_pipeline (2, 2);
      g_autoptr (TsrTrace) trace = NULL;
      g_autoptr (GPtrArray) all = NULL;
      const TsrTraceStages *stages;

      for (guint p = 0; p < 4; p++)
        {
          for (guint ipu = 0; ipu < working; ipu++)
            trace_test_add_simple (t, "OnTileExecute", "layer", ipu, 40 * p + 10 * ipu,
                                   40 * p + 10 * ipu + 5);
          trace_test_add_simple (t, "Sync", "wait", G_MAXUINT, 40 * p + 30, 40 * p + 40);
        }
      trace = trace_test_build (t);
      all = get_stages (trace, 0, 160);
      for (guint i = 0; i < all->len; i++)
        {
          stages = g_ptr_array_index (all, i);
          g_test_message ("%u of %u periods, sharded %d", working, stages->periods->len,
                          stages->sharded);
          g_assert_true (working > 0 || !stages->sharded);
        }
    }
}

/* Three stages of 10, 20 and 30 cycles, four micro-batches: a period of 40 for each, the last
 * 10 of it an exchange of all. */
static void
test_three_stages (void)
{
  g_autoptr (TraceTest) t = make_pipeline (3, 3);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GPtrArray) all = NULL;
  const TsrTraceStages *stages;

  for (guint p = 0; p < 6; p++)
    {
      for (guint ipu = 0; ipu < 3; ipu++)
        if (p >= ipu && p < ipu + 4)
          trace_test_add_simple (t, "OnTileExecute", "layer", ipu, 40 * p, 40 * p + 10 * (ipu + 1));
      trace_test_add_simple (t, "GlobalExchange", "pass", G_MAXUINT, 40 * p + 30, 40 * p + 40);
    }
  trace = trace_test_build (t);
  all = get_stages (trace, 0, 240);
  g_assert_cmpuint (all->len, ==, 1);
  stages = g_ptr_array_index (all, 0);
  g_assert_cmpuint (stages->n_ipus, ==, 3);
  g_assert_cmpuint (stages->periods->len, ==, 6);
  g_assert_false (stages->sharded);
  g_assert_cmpint (stages->loss, ==, 2 * 10); /* 30 - 20, in two periods */
  g_assert_cmpint (stages->ramp_up, ==, 80);
  g_assert_cmpint (stages->ramp_down, ==, 80);
  g_assert_cmpint (stages->bubble, ==, 160);
  g_assert_cmpint (stages->ipu_work[0], ==, 40);
  g_assert_cmpint (stages->ipu_work[2], ==, 120);
  g_assert_cmpint (stages->classes[1].cycles[TSR_STEP_GROUP_SYNC], ==, 0);
  g_assert_cmpint (stages->classes[1].cycles[TSR_STEP_GROUP_INTER_IPU], ==, 60);
  g_assert_cmpint (stages->classes[1].nothing, ==, 240 - 80 - 60);
  g_assert_cmpint (stages->work[2 * 3 + 1], ==, 20);
}

/* 10, 10 and 11 cycles in each of five periods: 2/3 of a cycle lost in each, 3 1/3 in all. */
static void
test_loss_is_rounded_once (void)
{
  g_autoptr (TraceTest) t = make_pipeline (3, 3);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GPtrArray) all = NULL;
  const TsrTraceStages *stages;

  for (guint p = 0; p < 5; p++)
    {
      for (guint ipu = 0; ipu < 3; ipu++)
        trace_test_add_simple (t, "OnTileExecute", "layer", ipu, 20 * p,
                               20 * p + (ipu == 2 ? 11 : 10));
      trace_test_add_simple (t, "GlobalExchange", "pass", G_MAXUINT, 20 * p + 11, 20 * p + 20);
    }
  trace = trace_test_build (t);
  all = get_stages (trace, 0, 100);
  stages = g_ptr_array_index (all, 0);
  g_assert_cmpuint (stages->periods->len, ==, 5);
  for (guint p = 0; p < 5; p++) /* they add up */
    g_assert_cmpint (g_array_index (stages->periods, TsrTracePeriod, p).loss, ==, p < 3);
  g_assert_cmpint (stages->loss, ==, 3);
}

static void
test_sharded (void)
{
  g_autoptr (TraceTest) t = make_pipeline (2, 2);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GPtrArray) all = NULL;
  const TsrTraceStages *stages;

  for (guint p = 0; p < 4; p++)
    {
      trace_test_add_simple (t, "OnTileExecute", "layer", p % 2, 100 * p, 100 * p + 90);
      trace_test_add_simple (t, "GlobalExchange", "pass", G_MAXUINT, 100 * p + 90, 100 * p + 100);
    }
  trace = trace_test_build (t);
  all = get_stages (trace, 0, 400);
  stages = g_ptr_array_index (all, 0);
  g_assert_true (stages->sharded);
  g_assert_cmpint (stages->loss, ==, 0);
  g_assert_cmpint (stages->bubble, ==, 400);
  g_assert_cmpint (stages->ramp_up, ==, 0);
}

/* A global exchange of one replica's IPUs does not cut the other's time, and IPUs of two replicas
 * are never compared. */
static void
test_two_replicas (void)
{
  g_autoptr (TraceTest) t = make_pipeline (4, 2);
  g_autoptr (TraceTest) single = make_pipeline (2, 1);
  g_autoptr (TsrTrace) trace = NULL, alone = NULL;
  g_autoptr (GPtrArray) all = NULL, none = NULL;
  const TsrTraceStages *first, *second;
  guint32 pass;

  for (guint ipu = 0; ipu < 4; ipu++)
    trace_test_add_simple (t, "OnTileExecute", "layer", ipu, 0, ipu < 2 ? 50 : 40 + 20 * (ipu - 2));
  pass = trace_test_add_step (t, "GlobalExchange", "pass");
  trace_test_add (t, pass, 0, 60, 70);
  trace_test_add (t, pass, 1, 60, 70);
  for (guint ipu = 0; ipu < 4; ipu++)
    trace_test_add_simple (t, "OnTileExecute", "more", ipu, 70, 100);
  trace = trace_test_build (t);
  all = get_stages (trace, 0, 100);
  g_assert_cmpuint (all->len, ==, 2);
  first = g_ptr_array_index (all, 0);
  second = g_ptr_array_index (all, 1);
  g_assert_cmpuint (first->periods->len, ==, 2);
  g_assert_cmpint (first->loss, ==, 0);
  g_assert_cmpuint (second->periods->len, ==, 1);
  g_assert_cmpuint (second->first_ipu, ==, 2);
  g_assert_cmpint (second->loss, ==, 10); /* 90 against the mean of 70 and 90 */
  trace_test_add_simple (single, "OnTileExecute", "layer", G_MAXUINT, 0, 10);
  alone = trace_test_build (single);
  none = get_stages (alone, 0, 10);
  g_assert_cmpuint (none->len, ==, 0);
}

/* The exact loss. */
static double
check_period (const TsrTraceStages *stages, guint index, guint8 **cycles, gint64 from)
{
  const TsrTracePeriod *period = &g_array_index (stages->periods, TsrTracePeriod, index);
  gint64 most = 0, sum = 0;
  guint n_working = 0;

  g_assert_cmpint (period->from, <, period->to);
  for (guint i = 0; i < stages->n_ipus; i++)
    {
      gint64 work = 0;

      for (gint64 c = period->from; c < period->to; c++)
        work += (cycles[i][c - from] & WORK) != 0;
      g_assert_cmpint (stages->work[index * stages->n_ipus + i], ==, work);
      n_working += work > 0;
      most = MAX (most, work);
      sum += work;
    }
  g_assert_cmpuint (period->n_working, ==, n_working);
  g_assert_cmpint (period->steady, ==, n_working == stages->n_ipus);
  if (n_working < stages->n_ipus)
    {
      g_assert_cmpint (period->loss, ==, 0);
      return 0;
    }
  g_assert_cmpfloat_with_epsilon ((double)period->loss, (double)most - (double)sum / stages->n_ipus,
                                  0.9999);
  return (double)most - (double)sum / stages->n_ipus;
}

/* For each cycle of [from, to] whether a period ends there by the rule, of steps that touch that.
 */
static guint8 *
dup_cuts (const TsrTrace *trace,
          const TsrTraceRun *run,
          const TsrTraceStages *stages,
          gint64 from,
          gint64 to)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  guint8 *cuts = g_new0 (guint8, (gsize)(to - from) + 1);

  for (guint step = 0; step < tables->n_steps; step++)
    {
      gint64 end = G_MININT64;
      guint n = 0;

      for (guint i = stages->first_ipu; i < stages->first_ipu + stages->n_ipus; i++)
        {
          guint32 slice = tsr_trace_find_slice (trace, step, i);
          TsrTraceSlice s;

          if (slice == TSR_NO_SLICE || !is_in_run (run, step))
            continue;
          tsr_trace_get_slice (trace, slice, &s);
          if (s.start == TSR_UNKNOWN || s.end <= s.start || s.end <= from || s.start >= to
              || tsr_trace_get_type (trace, s.type)->group != TSR_STEP_GROUP_INTER_IPU)
            continue;
          end = MAX (end, s.end);
          n++;
        }
      if (n >= 2 && end <= to)
        cuts[end - from] = 1;
    }
  return cuts;
}

static gboolean
begins_or_ends_wait (const TsrTrace *trace, gint64 cycles)
{
  for (guint i = 0; i < tsr_trace_get_n_runs (trace); i++)
    if (tsr_trace_get_run (trace, i)->start == cycles
        || tsr_trace_get_run (trace, i)->wait_end == cycles)
      return TRUE;
  return FALSE;
}

/* The cycles of the trace in [from, to) but for the waits that begin runs are in periods. */
static void
check_parts (const TsrTrace *trace,
             const TsrTraceRun *run,
             const TsrTraceStages *stages,
             gint64 from,
             gint64 to)
{
  gint64 first, last, at = G_MININT64;
  g_autofree guint8 *in = g_new0 (guint8, to - from);

  tsr_trace_get_span (trace, &first, &last);
  for (gint64 c = MAX (from, first); c < MIN (to, last); c++)
    in[c - from] = 1;
  for (guint i = 0; i < tsr_trace_get_n_runs (trace); i++)
    {
      const TsrTraceRun *one = tsr_trace_get_run (trace, i);

      for (gint64 c = MAX (from, one->start); c < MIN (to, one->wait_end); c++)
        if (run == NULL || run == one)
          in[c - from] = 0;
    }
  for (guint p = 0; p < stages->periods->len; p++)
    {
      const TsrTracePeriod *period = &g_array_index (stages->periods, TsrTracePeriod, p);

      g_assert_cmpint (period->from, >=, at);
      at = period->to;
      for (gint64 c = period->from; c < period->to; c++)
        in[c - from] ^= 1;
    }
  for (gint64 c = from; c < to; c++)
    g_assert_cmpint (in[c - from], ==, 0);
}

static void
check_stages (const TsrTrace *trace,
              const TsrTraceRun *run,
              const TsrTraceStages *stages,
              gint64 from,
              gint64 to)
{
  g_autoptr (GPtrArray) cycles = g_ptr_array_new_with_free_func (g_free);
  g_autofree guint8 *cuts = dup_cuts (trace, run, stages, from, to);
  gint64 bubble = 0, ramp_up = 0, ramp_down = 0;
  double loss = 0;
  gint64 told = 0;
  gboolean any_steady = FALSE, any_work = FALSE, sharded = TRUE;

  check_parts (trace, run, stages, from, to);
  for (guint i = 0; i < stages->n_ipus; i++)
    {
      gint64 work = 0;

      g_ptr_array_add (cycles, dup_cycles (trace, run, stages->first_ipu + i, from, to));
      for (guint p = 0; p < stages->periods->len; p++)
        {
          const TsrTracePeriod *period = &g_array_index (stages->periods, TsrTracePeriod, p);

          for (gint64 c = period->from; c < period->to; c++)
            {
              guint8 what = ((guint8 *)g_ptr_array_index (cycles, i))[c - from];

              work += (what & WORK) != 0;
            }
        }
      g_assert_cmpint (stages->ipu_work[i], ==, work);
      check_classes (trace, run, stages->first_ipu + i, &stages->classes[i], from, to);
    }
  for (guint p = 0; p < stages->periods->len; p++)
    {
      const TsrTracePeriod *period = &g_array_index (stages->periods, TsrTracePeriod, p);

      loss += check_period (stages, p, (guint8 **)cycles->pdata, from);
      told += period->loss;
      bubble += period->steady ? 0 : period->to - period->from;
      ramp_up = period->steady && !any_steady ? bubble : ramp_up;
      any_steady |= period->steady;
      ramp_down = period->steady || !any_steady ? 0 : ramp_down + period->to - period->from;
      any_work |= period->n_working > 0;
      sharded &= period->n_working <= 1;
      if (p + 1 < stages->periods->len)
        g_assert_true (cuts[period->to - from] || begins_or_ends_wait (trace, period->to));
      for (gint64 c = period->from + 1; c < period->to; c++)
        g_assert_false (cuts[c - from]);
    }
  g_assert_cmpfloat_with_epsilon ((double)stages->loss, loss, 0.5001);
  g_assert_cmpint (told, ==, stages->loss);
  g_assert_cmpint (stages->bubble, ==, bubble);
  g_assert_cmpint (stages->ramp_up, ==, ramp_up);
  g_assert_cmpint (stages->ramp_down, ==, ramp_down);
  g_assert_cmpint (stages->sharded, ==, sharded && any_work);
}

/* Runs, waits and exchanges in another order than in time. */
static void
test_order (void)
{
  static const gint64 starts[] = { 200, 0, 100 };
  g_autoptr (TraceTest) t = make_pipeline (2, 2);
  g_autoptr (TsrTrace) trace = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      trace_test_begin_run (t, "run");
      trace_test_add_simple (t, "StreamCopyBegin", "copyFromHost", G_MAXUINT, starts[i],
                             starts[i] + 20);
      trace_test_add_simple (t, "OnTileExecute", "a", G_MAXUINT, starts[i] + 20, starts[i] + 50);
      trace_test_add_simple (t, "GlobalExchange", "b", G_MAXUINT, starts[i] + 50, starts[i] + 60);
      trace_test_add_simple (t, "OnTileExecute", "c", 0, starts[i] + 60, starts[i] + 90);
    }
  trace = trace_test_build (t);
  for (guint i = 0; i <= G_N_ELEMENTS (starts); i++)
    for (gint64 from = 0; from < 220; from += 10)
      {
        const TsrTraceRun *run = i > 0 ? tsr_trace_get_run (trace, i - 1) : NULL;
        g_autoptr (GPtrArray) stages = get_stages_of (trace, run, from, 300 - from / 3);

        if (run != NULL)
          g_assert_cmpint (run->wait_end, ==, run->start + 20);
        if (stages->len > 0)
          check_stages (trace, run, g_ptr_array_index (stages, 0), from, 300 - from / 3);
      }
}

static void
test_random (void)
{
  for (guint seed = 0; seed < 30; seed++)
    {
      g_autoptr (TraceTest) t = trace_test_new_random (seed, 4, 150, 10);
      g_autoptr (TsrTrace) trace = NULL;
      GRand *random = g_rand_new_with_seed (seed);
      gint64 first, last;

      t->target.num_ipus = 4;
      t->target.ipus_per_replica = seed % 2 == 0 ? 4 : 2;
      t->target.num_replicas = 4 / t->target.ipus_per_replica;
      t->target.clock_frequency = 1e3;
      trace = trace_test_build (t);
      tsr_trace_get_span (trace, &first, &last);
      for (guint i = 0; i < 5; i++)
        {
          const TsrTraceRun *run = i < 3 ? NULL : tsr_trace_get_run (trace, (seed + i) % 3);
          gint64 from = i == 0 ? first : g_rand_int_range (random, (gint32)first, (gint32)last);
          gint64 to = i == 0 ? last : g_rand_int_range (random, (gint32)from + 1, (gint32)last + 1);
          g_autoptr (GArray) overlap = tsr_trace_overlap (trace, run, from, to, NULL, NULL);
          g_autoptr (GPtrArray) stages = get_stages_of (trace, run, from, to);

          for (guint ipu = 0; ipu < 4; ipu++)
            {
              check_overlap (trace, run, &g_array_index (overlap, TsrTraceOverlap, ipu), from, to);
              check_copies (trace, run, &g_array_index (overlap, TsrTraceOverlap, ipu), from, to);
              check_lone_copies (trace, run, ipu, from, to);
            }
          g_assert_cmpuint (stages->len, ==, t->target.num_replicas);
          for (guint k = 0; k < stages->len; k++)
            check_stages (trace, run, g_ptr_array_index (stages, k), from, to);
        }
      g_rand_free (random);
    }
}

static void
test_cancelled (void)
{
  g_autoptr (TraceTest) t = trace_test_new_random (1, 2, 50, 10);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) first = NULL, second = NULL, third = NULL;

  t->target.num_ipus = t->target.ipus_per_replica = 2;
  t->target.num_replicas = 1;
  trace = trace_test_build (t);
  g_cancellable_cancel (cancelled);
  g_assert_null (tsr_trace_overlap (trace, NULL, 0, 10000, cancelled, &first));
  g_assert_error (first, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (tsr_trace_stages (trace, NULL, 0, 10000, cancelled, &second));
  g_assert_error (second, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (tsr_trace_tiles (trace, NULL, 0, 0, 10000, NULL, &third));
  g_assert_error (third, TSR_ERROR, TSR_ERROR_MISSING_PART);
  g_assert_nonnull (strstr (third->message, "debug.computeInstrumentationLevel"));
}

/* Tiles */

/* Adds @count times the numbers of a dense or sparse array, written in hex, to @sums. */
static void
add_array (const char *hex, gint64 encoding, gint64 count, gint64 *sums, guint n)
{
  gsize length = strlen (hex) / 2;
  g_autofree guint8 *data = g_malloc (length + 4);

  for (gsize i = 0; i < length; i++)
    data[i]
        = (guint8)(g_ascii_xdigit_value (hex[2 * i]) << 4 | g_ascii_xdigit_value (hex[2 * i + 1]));
#define U32(at)                                                                                    \
  ((gint64)data[at] | (gint64)data[(at) + 1] << 8 | (gint64)data[(at) + 2] << 16                   \
   | (gint64)data[(at) + 3] << 24)
  for (guint i = 0; i < n; i++)
    if (encoding == 0)
      sums[i] += count * U32 (4 * i);
    else if (encoding == 1)
      sums[i] += count * (data[2 * i] | data[2 * i + 1] << 8);
    else if (encoding == 3)
      sums[i] += count * U32 (0);
  for (gsize at = 0; encoding == 2 && at + 8 <= length; at += 8)
    sums[U32 (at)] += count * U32 (at + 4);
}

static gint64
get_number (GPtrArray *rows, guint row, guint column)
{
  return g_ascii_strtoll (((GStrv)g_ptr_array_index (rows, row))[column], NULL, 10);
}

#define COUNTED "('OnTileExecute', 'DoExchange', 'GlobalExchange', 'StreamCopyMid')"

static void
add_sql_cycles (const char *folder, guint ipu, gint64 from, gint64 to, gint64 *sums[3], guint n)
{
  g_autofree char *sql = g_strdup_printf (
      "select s.type, count(*), a.encoding, hex(a.data) from steps s join steps_by_ipu i on "
      "i.step_id = s.id join tile_cycles c on c.set_id = s.tile_cycles and c.ipu = i.ipu join "
      "tile_arrays a on a.id = c.cycles_by_tile where i.ipu = %u and s.type in " COUNTED
      " and cycles_base + active_cycles_from_max between %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
      " and active_cycles_to_max > active_cycles_from_max group by s.type, a.id",
      ipu, from, to - 1);
  g_autoptr (GPtrArray) rows = tsr_test_query_rows (folder, "profile.pop", sql);

  g_assert_cmpuint (rows->len, >, to - from > 1 ? 10 : 0);
  for (guint i = 0; i < rows->len; i++)
    {
      GStrv row = g_ptr_array_index (rows, i);

      add_array (row[3], get_number (rows, i, 2), get_number (rows, i, 1),
                 sums[g_str_equal (row[0], "OnTileExecute")   ? 0
                      : g_str_equal (row[0], "StreamCopyMid") ? 2
                                                              : 1],
                 n);
    }
}

static gint64
query_span (const char *folder, guint ipu, gint64 from, gint64 to)
{
  g_autofree char *sql = g_strdup_printf (
      "select cycles_base + active_cycles_from_max a, cycles_base + active_cycles_to_max b from "
      "steps s join steps_by_ipu i on i.step_id = s.id join tile_cycles c on c.set_id = "
      "s.tile_cycles and c.ipu = i.ipu where i.ipu = %u and s.type in " COUNTED
      " and a between %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT " and b > a order by a",
      ipu, from, to - 1);
  g_autoptr (GPtrArray) rows = tsr_test_query_rows (folder, "profile.pop", sql);
  gint64 span = 0, end = G_MININT64;

  for (guint i = 0; i < rows->len; i++)
    {
      span += MAX (0, get_number (rows, i, 1) - MAX (end, get_number (rows, i, 0)));
      end = MAX (end, get_number (rows, i, 1));
    }
  return span;
}

/* Steps that take time, begin there, and have no numbers on @ipu. */
static gint64
query_missing (const char *folder, guint ipu, gint64 from, gint64 to)
{
  g_autofree char *sql = g_strdup_printf (
      "select count(*) from steps s join steps_by_ipu i on i.step_id = s.id where i.ipu = %u and "
      "s.type in " COUNTED " and cycles_base + active_cycles_from_max between %" G_GINT64_FORMAT
      " and %" G_GINT64_FORMAT " and active_cycles_to_max > active_cycles_from_max and not exists "
      "(select * from tile_cycles c where c.set_id = s.tile_cycles and c.ipu = i.ipu)",
      ipu, from, to - 1);
  g_autoptr (GPtrArray) rows = tsr_test_query_rows (folder, "profile.pop", sql);

  return get_number (rows, 0, 0);
}

/* Returns the tiles that take no part, or -1 where nothing of the span has numbers. */
static int
check_tiles (const char *folder, const TsrTrace *trace, guint ipu, gint64 from, gint64 to)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrTraceTiles) tiles = tsr_trace_tiles (trace, NULL, ipu, from, to, NULL, &error);
  g_autofree gint64 *compute = g_new0 (gint64, 1472);
  g_autofree gint64 *exchange = g_new0 (gint64, 1472);
  g_autofree gint64 *copy = g_new0 (gint64, 1472);
  gint64 *sums[3] = { compute, exchange, copy };
  gboolean computes = FALSE;
  const gint64 span = query_span (folder, ipu, from, to);
  int n_io = 0;

  if (span == 0)
    {
      g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
      g_assert_null (tiles);
      return -1;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (tiles->n, ==, 1472);
  add_sql_cycles (folder, ipu, from, to, sums, tiles->n);
  g_assert_cmpint (tiles->span, ==, span);
  g_assert_cmpint (tiles->n_missing, ==, query_missing (folder, ipu, from, to));
  for (guint i = 0; i < tiles->n; i++)
    computes = computes || compute[i] != 0;
  for (guint i = 0; i < tiles->n; i++)
    {
      g_assert_cmpint (tiles->compute[i], ==, compute[i]);
      g_assert_cmpint (tiles->exchange[i], ==, exchange[i]);
      g_assert_cmpint (tiles->copy[i], ==, copy[i]);
      g_assert_cmpint (tiles->waiting[i], ==,
                       MAX (0, tiles->span - compute[i] - exchange[i] - copy[i]));
      g_assert_cmpint (tiles->io[i], ==, computes && compute[i] == 0);
      n_io += tiles->io[i];
    }
  return n_io;
}

/* Whole runs, parts, and single steps; some sets have no numbers, some are of steps of two types,
 * and of some only one tile works, one cycle. */
static void
test_tiles (void)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrTrace) trace = NULL;
  char *folder = tsr_test_report_new ("demo");
  const TsrExecutionTables *tables;
  const TsrTraceRun *run;
  guint n_found[3] = { 0 }; /* steps without numbers, with some idle tile, with none */

  tsr_test_sql (
      folder, "profile.pop",
      "INSERT INTO tile_arrays SELECT max (id) + 1, 2, 1, 1, x'0500000001000000' FROM tile_arrays;"
      "UPDATE tile_cycles SET cycles_by_tile = (SELECT max (id) FROM tile_arrays)"
      " WHERE set_id % 5 = 2;"
      "UPDATE steps SET tile_cycles = (SELECT max (tile_cycles) FROM steps t WHERE"
      " t.type = 'OnTileExecute') WHERE id % 17 = 3;"
      "UPDATE steps SET tile_cycles = NULL WHERE id % 19 = 5;"
      "DELETE FROM tile_cycles WHERE set_id % 11 = 4");
  report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  trace = tsr_trace_new (report, NULL, &error);
  g_assert_no_error (error);
  tables = tsr_trace_get_tables (trace);
  run = tsr_trace_get_run (trace, tsr_trace_get_profiled_run (trace));
  for (guint ipu = 0; ipu < 2; ipu++)
    {
      for (guint thirds = 0; thirds < 2; thirds++)
        {
          int n_io = check_tiles (folder, trace, ipu,
                                  run->start + thirds * (run->end - run->start) / 3, run->end);

          g_assert_cmpint (n_io, >=, 0);
          g_assert_cmpint (n_io, <, 1472);
        }
    }
  for (gsize slice = 0; slice < tables->ipu_start[1]; slice += tables->ipu_start[1] / 61 | 1)
    {
      int n_io = check_tiles (folder, trace, 0, tables->slice_start[slice],
                              tables->slice_start[slice] + 1);

      n_found[n_io < 0 ? 0 : n_io > 0 ? 1 : 2]++;
    }
  for (guint i = 0; i < G_N_ELEMENTS (n_found); i++)
    g_assert_cmpuint (n_found[i], >, 10);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-balance/overlap", test_overlap_by_hand);
  g_test_add_func ("/trace-balance/copy-kinds", test_copy_kinds);
  g_test_add_func ("/trace-balance/no-work", test_no_work);
  g_test_add_func ("/trace-balance/three-stages", test_three_stages);
  g_test_add_func ("/trace-balance/sharded", test_sharded);
  g_test_add_func ("/trace-balance/loss-is-rounded-once", test_loss_is_rounded_once);
  g_test_add_func ("/trace-balance/two-replicas", test_two_replicas);
  g_test_add_func ("/trace-balance/order", test_order);
  g_test_add_func ("/trace-balance/random", test_random);
  g_test_add_func ("/trace-balance/cancelled", test_cancelled);
  g_test_add_func ("/trace-balance/tiles", test_tiles);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Copies against compute on one IPU.  Slices come in order of start, so the cycles that two unions
 * share follow without keeping either: what a slice adds to its own union can only meet the last
 * merged interval of the other. */

#include "config.h"

#include "tsr-trace-balance.h"

#include "tsr-trace-span-private.h"

#include <math.h>

typedef struct
{
  const TsrTrace *trace;
  const TsrExecutionTables *tables;
  TsrSpanTypes types;
  TsrSpanSlices slices;
  GCancellable *cancellable;
} Source;

static TsrStepGroup
get_group (const Source *source, gsize slice)
{
  return source->types.group[(guint8)tsr_trace_get_slice_type (source->trace, (guint32)slice)];
}

/* FALSE when cancelled. */
static gboolean
fill_classes (const Source *source, gint64 from, gint64 to, TsrTraceClasses *classes)
{
  TsrSpanClasses sums;

  tsr_span_classes_init (&sums);
  for (gsize slice = source->slices.first; slice < source->slices.end; slice++)
    {
      gint64 start, end;

      if (tsr_span_is_cancelled (slice, source->cancellable))
        return FALSE;
      if (tsr_span_cut (&source->slices, source->tables, slice, from, to, &start, &end))
        tsr_span_classes_add (&sums, &source->types,
                              (guint8)tsr_trace_get_slice_type (source->trace, (guint32)slice),
                              start, end);
    }
  tsr_span_classes_get (&sums, from, to, classes);
  return TRUE;
}

/* Merged cycles of [from, to): of copies, of work, of both.  FALSE when cancelled. */
static gboolean
sweep (const Source *source, gint64 from, gint64 to, gint64 *transfer, gint64 *work, gint64 *both)
{
  TsrSpanUnion unions[2] = { { 0, G_MININT64 }, { 0, G_MININT64 } };

  *both = 0;
  for (gsize slice = source->slices.first; slice < source->slices.end; slice++)
    {
      TsrStepGroup group = get_group (source, slice);
      guint own = tsr_step_group_is_work (group);
      gint64 start, end;

      if (tsr_span_is_cancelled (slice, source->cancellable))
        return FALSE;
      if (source->tables->slice_start[slice] >= to)
        break;
      if ((!own && group != TSR_STEP_GROUP_TRANSFER)
          || !tsr_span_cut (&source->slices, source->tables, slice, from, to, &start, &end))
        continue;
      start = tsr_span_union_add (&unions[own], start, end);
      *both = tsr_span_add (*both, tsr_span_length (start, MIN (end, unions[!own].end)));
    }
  *transfer = unions[0].cycles;
  *work = unions[1].cycles;
  return TRUE;
}

/* Cycles from the first compute step's start to the last one's end, cut to the span; equal without
 * one. */
static void
find_compute (const Source *source, gint64 from, gint64 to, gint64 *first, gint64 *last)
{
  gboolean any = FALSE;

  *first = *last = to;
  for (gsize slice = source->slices.first; slice < source->slices.end; slice++)
    {
      gint64 start, end;

      if (get_group (source, slice) != TSR_STEP_GROUP_COMPUTE
          || !tsr_span_cut (&source->slices, source->tables, slice, from, to, &start, &end))
        continue;
      *first = any ? *first : start;
      *last = any ? MAX (*last, end) : end;
      any = TRUE;
    }
}

/* Whether a slice of those of the span is a copy that takes time and begins in it. */
static gboolean
is_copy_from (const Source *source, gsize slice, gint64 from)
{
  gint64 start = source->tables->slice_start[slice];

  return start >= from && start < source->tables->slice_end[slice]
         && tsr_span_counts (&source->slices, source->tables, slice)
         && get_group (source, slice) == TSR_STEP_GROUP_TRANSFER;
}

gint64
tsr_trace_get_copy_time (
    const TsrTrace *trace, const TsrTraceRun *run, guint ipu, gint64 from, gint64 to)
{
  Source source = { .trace = trace, .tables = tsr_trace_get_tables (trace) };
  TsrSpanUnion merged = { 0, G_MININT64 };

  g_return_val_if_fail (ipu < tsr_trace_get_n_ipus (trace), 0);
  tsr_span_types_init (&source.types, trace);
  source.slices = tsr_span_find (trace, run, ipu, from, to);
  for (gsize slice = source.slices.first; slice < source.slices.end; slice++)
    if (is_copy_from (&source, slice, from))
      tsr_span_union_add (&merged, source.tables->slice_start[slice],
                          source.tables->slice_end[slice]);
  return merged.cycles;
}

static void
add_copies (const Source *source, TsrTraceOverlap *overlap, gint64 from)
{
  TsrSpanUnion unions[TSR_N_COPY_KINDS];

  for (guint i = 0; i < TSR_N_COPY_KINDS; i++)
    unions[i] = (TsrSpanUnion){ 0, G_MININT64 };
  for (gsize slice = source->slices.first; slice < source->slices.end; slice++)
    {
      gint64 start = source->tables->slice_start[slice], end = source->tables->slice_end[slice];
      gint64 in, out, *bytes;
      TsrCopyKind kind;

      if (!is_copy_from (source, slice, from))
        continue;
      kind = tsr_trace_get_copy_kind (source->trace, (guint32)slice);
      bytes = &overlap->bytes[kind];
      in = tsr_narrow_get (&source->tables->slice_data_in, slice);
      out = tsr_narrow_get (&source->tables->slice_data_out, slice);
      if (in == TSR_UNKNOWN || out == TSR_UNKNOWN)
        *bytes = TSR_UNKNOWN;
      else if (*bytes != TSR_UNKNOWN)
        *bytes = tsr_span_add (*bytes, tsr_span_add (in, out));
      tsr_span_union_add (&unions[kind], start, end);
    }
  for (guint i = 0; i < TSR_N_COPY_KINDS; i++)
    {
      overlap->cycles[i] = unions[i].cycles;
      overlap->rate[i] = overlap->bytes[i] == TSR_UNKNOWN || unions[i].cycles == 0
                             ? NAN
                             : (double)overlap->bytes[i] * tsr_trace_get_clock (source->trace)
                                   / (double)unions[i].cycles;
    }
}

static gboolean
fill_overlap (const Source *source, TsrTraceOverlap *overlap, gint64 from, gint64 to)
{
  gint64 first, last, transfer, work, both;

  if (!fill_classes (source, from, to, &overlap->classes)
      || !sweep (source, from, to, &overlap->transfer, &overlap->compute, &overlap->hidden))
    return FALSE;
  overlap->alone = overlap->transfer - overlap->hidden;
  overlap->compute_alone = overlap->compute - overlap->hidden;
  find_compute (source, from, to, &first, &last);
  if (!sweep (source, from, first, &transfer, &work, &both))
    return FALSE;
  overlap->outside = transfer - both;
  if (!sweep (source, last, to, &transfer, &work, &both))
    return FALSE;
  overlap->outside = tsr_span_add (overlap->outside, transfer - both);
  add_copies (source, overlap, from);
  return TRUE;
}

GArray *
tsr_trace_overlap (const TsrTrace *trace,
                   const TsrTraceRun *run,
                   gint64 from,
                   gint64 to,
                   GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (GArray) answer = g_array_new (FALSE, TRUE, sizeof (TsrTraceOverlap));
  Source source = { .trace = trace, .tables = tsr_trace_get_tables (trace) };

  source.cancellable = cancellable;
  tsr_span_types_init (&source.types, trace);
  g_array_set_size (answer, tsr_trace_get_n_ipus (trace));
  for (guint ipu = 0; ipu < answer->len; ipu++)
    {
      TsrTraceOverlap *overlap = &g_array_index (answer, TsrTraceOverlap, ipu);

      overlap->ipu = ipu;
      source.slices = tsr_span_find (trace, run, ipu, from, to);
      if (!fill_overlap (&source, overlap, from, to))
        {
          g_cancellable_set_error_if_cancelled (cancellable, error);
          return NULL;
        }
    }
  return g_steal_pointer (&answer);
}

/* Lone copies */

typedef struct
{
  gint64 from, to, before; /* before: merged cycles of the intervals before this one */
} Interval;

static GArray *
dup_work (const Source *source, gint64 from, gint64 to)
{
  GArray *intervals = g_array_new (FALSE, FALSE, sizeof (Interval));

  for (gsize slice = source->slices.first; slice < source->slices.end; slice++)
    {
      gint64 start, end;
      Interval *last
          = intervals->len > 0 ? &g_array_index (intervals, Interval, intervals->len - 1) : NULL;

      if (!tsr_step_group_is_work (get_group (source, slice))
          || !tsr_span_cut (&source->slices, source->tables, slice, from, to, &start, &end))
        continue;
      if (last != NULL && start <= last->to)
        last->to = MAX (last->to, end);
      else
        {
          Interval interval = { start, end, 0 };

          if (last != NULL)
            interval.before = tsr_span_add (last->before, tsr_span_length (last->from, last->to));
          g_array_append_val (intervals, interval);
        }
    }
  return intervals;
}

/* Cycles of work before @cycles. */
static gint64
get_work_before (const GArray *intervals, gint64 cycles)
{
  guint low = 0, high = intervals->len;
  const Interval *interval;

  while (low < high) /* the first interval that begins at @cycles or later */
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (intervals, Interval, middle).from < cycles)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return 0;
  interval = &g_array_index (intervals, Interval, low - 1);
  return tsr_span_add (interval->before,
                       tsr_span_length (interval->from, MIN (interval->to, cycles)));
}

/* The longest first; the sort is stable. */
static int
compare_copies (gconstpointer pa, gconstpointer pb)
{
  const TsrTraceLoneCopy *a = pa;
  const TsrTraceLoneCopy *b = pb;

  return (b->alone > a->alone) - (b->alone < a->alone);
}

GArray *
tsr_trace_lone_copies (
    const TsrTrace *trace, const TsrTraceRun *run, guint ipu, gint64 from, gint64 to, guint limit)
{
  GArray *copies = g_array_new (FALSE, FALSE, sizeof (TsrTraceLoneCopy));
  g_autoptr (GArray) work = NULL;
  Source source = { .trace = trace, .tables = tsr_trace_get_tables (trace) };

  g_return_val_if_fail (ipu < tsr_trace_get_n_ipus (trace), copies);
  tsr_span_types_init (&source.types, trace);
  source.slices = tsr_span_find (trace, run, ipu, from, to);
  work = dup_work (&source, from, to);
  for (gsize slice = source.slices.first; slice < source.slices.end; slice++)
    {
      TsrTraceLoneCopy copy = { .slice = (guint32)slice };
      gint64 start, end;

      if (get_group (&source, slice) != TSR_STEP_GROUP_TRANSFER
          || !tsr_span_cut (&source.slices, source.tables, slice, from, to, &start, &end))
        continue;
      copy.alone = tsr_span_length (start, end)
                   - (get_work_before (work, end) - get_work_before (work, start));
      if (copy.alone > 0)
        g_array_append_val (copies, copy);
    }
  g_array_sort (copies, compare_copies);
  g_array_set_size (copies, MIN (copies->len, limit));
  return copies;
}

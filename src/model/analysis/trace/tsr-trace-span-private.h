/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Slices of a span, for the analyses that pass over them: where they begin and end in the tables,
 * their part in the span, and unions of intervals that come in order of start. */

#pragma once

#include "tsr-trace-balance.h"

#include <math.h>
#include <stdlib.h>

G_BEGIN_DECLS

static inline gint64
tsr_span_add (gint64 a, gint64 b)
{
  gint64 sum;

  return G_LIKELY (!__builtin_add_overflow (a, b, &sum)) ? sum : b < 0 ? G_MININT64 : G_MAXINT64;
}

/* Cycles from @from to @to, 0 when there are none. */
static inline gint64
tsr_span_length (gint64 from, gint64 to)
{
  gint64 length;

  if (to <= from)
    return 0;
  return G_LIKELY (!__builtin_sub_overflow (to, from, &length)) ? length : G_MAXINT64;
}

/* Balances are summed up in units of 2^-32 with 128 bits, so that sums are exact, in whatever order
 * and groups. */
typedef __int128 TsrSpanWide;
#define TSR_SPAN_ONE ((TsrSpanWide)1 << 32)

/* In such units; -1 when it is not told. */
static inline gint64
tsr_span_quantise (float balance)
{
  return balance >= 0 && balance <= 1 ? llrint ((double)balance * 4294967296.0) : -1;
}

/* The nearest whole number; a half is rounded up. */
static inline gint64
tsr_span_round (TsrSpanWide units)
{
  TsrSpanWide rounded = (units + TSR_SPAN_ONE / 2) >> 32;

  return rounded > G_MAXINT64 ? G_MAXINT64 : (gint64)rounded;
}

/* Parts of a sum that is rounded once: each has its whole cycles, and as many of them as are
 * missing one more, those with the largest rests, so that they add up and each is off by less
 * than 1. */
typedef struct
{
  gint64 *part; /* whole cycles */
  guint32 rest; /* in any unit */
} TsrSpanPart;

static inline int
tsr_span_compare_parts (gconstpointer pa, gconstpointer pb)
{
  const TsrSpanPart *a = pa, *b = pb;

  if (a->rest != b->rest)
    return a->rest > b->rest ? -1 : 1;
  return (a->part > b->part) - (a->part < b->part);
}

static inline void
tsr_span_share_out (TsrSpanPart *parts, gsize n, gint64 sum)
{
  for (gsize i = 0; i < n; i++)
    sum -= *parts[i].part;
  qsort (parts, n, sizeof *parts, tsr_span_compare_parts);
  for (gsize i = 0; i < n && (gint64)i < sum; i++)
    ++*parts[i].part;
}

/* Slices [first, end) of an IPU among which are all that took time and touch the span; some in
 * between may not, or are of steps that do not count. @n_unknown: of the steps that count, that
 * stand behind them without times. */
typedef struct
{
  gsize first, end;
  guint32 first_step, n_steps; /* rows of steps that count */
  guint64 n_unknown;
} TsrSpanSlices;

/* Whether a slice is of a step that counts. */
static inline gboolean
tsr_span_counts (const TsrSpanSlices *slices, const TsrExecutionTables *tables, gsize slice)
{
  return tables->slice_step[slice] - slices->first_step < slices->n_steps;
}

/* First slice of [@low, @high) that starts at @cycles or later. */
static inline gsize
tsr_span_find_start (const TsrExecutionTables *tables, gsize low, gsize high, gint64 cycles)
{
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (tables->slice_start[middle] < cycles)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* First slice that touches @from or a later one: the least over the tracks, whose slices do not
 * overlap. */
static inline gsize
tsr_span_find_first (const TsrTrace *trace, guint ipu, gint64 from, gsize end)
{
  gsize first = end;

  for (guint i = 0; i < tsr_trace_get_n_tracks (trace); i++)
    if (tsr_trace_get_track (trace, i)->ipu == ipu)
      {
        const TsrTraceRow *row = tsr_trace_get_row (trace, i, TSR_TRACE_FLAT, 0);
        gsize item = row != NULL ? tsr_trace_row_find (row, from, 0) : 0;

        if (row != NULL && item < row->n)
          first = MIN (first, tsr_trace_row_first_slice (row, item));
      }
  return first;
}

/* @run (nullable): only its steps count. */
static inline TsrSpanSlices
tsr_span_find (const TsrTrace *trace, const TsrTraceRun *run, guint ipu, gint64 from, gint64 to)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  TsrSpanSlices slices = { 0 };
  gsize low = tables->ipu_start[ipu], high = tables->ipu_start[ipu + 1];
  gsize known = low, end = high;

  while (known < end) /* those without times stand last */
    {
      gsize middle = known + (end - known) / 2;

      if (tables->slice_start[middle] != TSR_UNKNOWN)
        known = middle + 1;
      else
        end = middle;
    }
  slices.first_step = run != NULL ? run->first_step : 0;
  slices.n_steps = run != NULL ? run->end_step - run->first_step : G_MAXUINT32;
  for (gsize slice = known; slice < high; slice++)
    slices.n_unknown += tsr_span_counts (&slices, tables, slice);
  slices.end = tsr_span_find_start (tables, low, known, to);
  slices.first = tsr_span_find_first (trace, ipu, from, slices.end);
  return slices;
}

/* The part of a slice in [@from, @to); FALSE when it has none, or when its step does not count. */
static inline gboolean
tsr_span_cut (const TsrSpanSlices *slices,
              const TsrExecutionTables *tables,
              gsize slice,
              gint64 from,
              gint64 to,
              gint64 *start,
              gint64 *end)
{
  *start = MAX (tables->slice_start[slice], from);
  *end = MIN (tables->slice_end[slice], to);
  return *start < *end && tsr_span_counts (slices, tables, slice);
}

/* A union of intervals that come in order of start: its cycles, and the last one of its merged
 * intervals. */
typedef struct
{
  gint64 cycles;
  gint64 end; /* begin with G_MININT64 */
} TsrSpanUnion;

/* Adds [@start, @end); where its new part begins (@end: it adds nothing). */
static inline gint64
tsr_span_union_add (TsrSpanUnion *self, gint64 start, gint64 end)
{
  gint64 begin = MAX (start, self->end);

  if (begin >= end)
    return end;
  self->cycles = tsr_span_add (self->cycles, tsr_span_length (begin, end));
  self->end = end;
  return begin;
}

/* Group of each type; TSR_STEP_GROUP_OTHER for what is no type. */
typedef struct
{
  guint8 group[G_MAXUINT8 + 1];
  gboolean start_up[G_MAXUINT8 + 1];
} TsrSpanTypes;

static inline void
tsr_span_types_init (TsrSpanTypes *self, const TsrTrace *trace)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->group); i++)
    {
      self->group[i] = TSR_STEP_GROUP_OTHER;
      self->start_up[i] = FALSE;
    }
  for (guint i = 0; i < tsr_trace_get_n_types (trace); i++)
    {
      const TsrTraceType *type = tsr_trace_get_type (trace, i);

      self->group[i] = (guint8)type->group;
      self->start_up[i] = type->start_up;
    }
}

/* What an IPU's slices, in order of start, add to each class. */
typedef struct
{
  TsrSpanUnion groups[TSR_N_STEP_GROUPS], start_up, any;
} TsrSpanClasses;

static inline void
tsr_span_classes_init (TsrSpanClasses *self)
{
  const TsrSpanUnion none = { 0, G_MININT64 };

  for (guint i = 0; i < TSR_N_STEP_GROUPS; i++)
    self->groups[i] = none;
  self->start_up = self->any = none;
}

static inline void
tsr_span_classes_add (
    TsrSpanClasses *self, const TsrSpanTypes *types, guint8 type, gint64 start, gint64 end)
{
  tsr_span_union_add (types->start_up[type] ? &self->start_up : &self->groups[types->group[type]],
                      start, end);
  tsr_span_union_add (&self->any, start, end);
}

/* Of the span [@from, @to). */
static inline void
tsr_span_classes_get (const TsrSpanClasses *self, gint64 from, gint64 to, TsrTraceClasses *out)
{
  out->start_up = out->overlap = self->start_up.cycles;
  for (guint i = 0; i < TSR_N_STEP_GROUPS; i++)
    {
      out->cycles[i] = self->groups[i].cycles;
      out->overlap = tsr_span_add (out->overlap, out->cycles[i]);
    }
  out->overlap -= self->any.cycles;
  out->nothing = tsr_span_length (from, to) - self->any.cycles;
}

/* Looks at @cancellable at every 65,536th call of a loop. */
static inline gboolean
tsr_span_is_cancelled (gsize i, GCancellable *cancellable)
{
  return (i & 0xffff) == 0 && g_cancellable_is_cancelled (cancellable);
}

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The trace of whatever was loaded: rows are in order and hold what they say, figures of two spans
 * side by side are those of both, and the tabs that stand on it answer. */

#pragma once

#include "fuzz.h"
#include "tsr-trace-aggregate.h"
#include "tsr-trace-balance.h"
#include "tsr-trace.h"

#define FUZZ_MAX_SLICES 20000 /* of more than that the first are looked at */

static inline void
fuzz_check_trace_row (const TsrTrace *trace, const TsrTraceRow *row)
{
  gsize n = MIN (row->n, FUZZ_MAX_SLICES);
  gsize longest = tsr_trace_row_longest (trace, row, 0, n, 0);
  gint64 most = 0;

  for (gsize i = 0; i < n; i++)
    {
      TsrTraceItem item;
      guint track;
      gsize place;

      tsr_trace_get_item (trace, row, i, &item);
      g_assert_cmpint (item.start, <, item.end);
      g_assert_cmpuint (item.type, <, tsr_trace_get_n_types (trace));
      g_assert_cmpuint (item.label_from, <=, item.path_length);
      g_assert_cmpuint (tsr_trace_row_find (row, item.end - 1, i / 2), ==, i);
      if (i > 0)
        {
          g_assert_cmpint (item.start, >, tsr_trace_row_start (row, i - 1));
          g_assert_cmpint (item.end, >, tsr_trace_row_end (row, i - 1));
        }
      most = MAX (most, item.end - item.start);
      g_assert_true (tsr_trace_locate (trace, item.first_slice,
                                       row->first != NULL ? TSR_TRACE_FLAME : TSR_TRACE_FLAT,
                                       row->depth, &track, &place));
      g_assert_cmpuint (track, ==, row->track);
      g_assert_cmpuint (place, ==, i);
    }
  if (n > 0)
    g_assert_cmpint (tsr_trace_row_end (row, longest) - tsr_trace_row_start (row, longest), ==,
                     most);
}

static inline void
fuzz_check_trace_sums (const TsrTrace *trace, guint ipu, gint64 from, gint64 to)
{
  gint64 middle = from + (to - from) / 3;
  TsrTraceSums whole, left, right;

  tsr_trace_sum (trace, ipu, from, to, 0, &whole);
  tsr_trace_sum (trace, ipu, from, middle, 0, &left);
  tsr_trace_sum (trace, ipu, middle, to, 0, &right);
  if (whole.counted == TSR_UNKNOWN)
    {
      g_assert_true (left.counted == TSR_UNKNOWN && right.counted == TSR_UNKNOWN);
      g_assert_cmpint (whole.n_slices, ==, 0);
      return;
    }
  for (guint type = 0; type < tsr_trace_get_n_types (trace); type++)
    {
      g_assert_cmpint (left.by_type[type] + right.by_type[type], ==, whole.by_type[type]);
      g_assert_cmpint (whole.by_type[type], <=, to - from);
      g_assert_cmpint (left.by_type[type], >=, 0);
    }
  g_assert_cmpint (whole.n_slices, <=, left.n_slices + right.n_slices);
  if (whole.counted > 0)
    g_assert_true (whole.utilisation >= 0 && whole.utilisation <= 1);
}

/* The steps of every run, and those of none, are all that there are; none adds cycles. */
static inline void
fuzz_check_trace_runs (const TsrTrace *trace, guint ipu, gint64 from, gint64 to)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  guint n_runs = MIN (tsr_trace_get_n_runs (trace), 64);
  gint64 n = 0;
  TsrTraceSums whole, sums;

  tsr_trace_sum (trace, ipu, from, to, 0, &whole);
  for (guint run = 0; run < n_runs; run++)
    {
      tsr_trace_sum_run (trace, tsr_trace_get_run (trace, run), ipu, from, to, 0, &sums);
      n += sums.n_slices;
      for (guint type = 0; type < tsr_trace_get_n_types (trace); type++)
        g_assert_cmpint (sums.by_type[type], <=, MAX (whole.by_type[type], 0));
    }
  for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
    n += t->step_run[t->slice_step[i]] >= n_runs && t->slice_start[i] != TSR_UNKNOWN
         && t->slice_end[i] > t->slice_start[i] && t->slice_end[i] > from && t->slice_start[i] < to;
  g_assert_cmpint (n, ==, whole.n_slices);
}

static inline void
fuzz_check_trace_slices (const TsrTrace *trace)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  gsize n = t->n_ipus > 0 ? MIN (t->ipu_start[t->n_ipus], FUZZ_MAX_SLICES) : 0;

  for (guint32 i = 0; i < n; i++)
    {
      g_autoptr (TsrTileCycles) cycles = NULL;
      g_autoptr (GError) error = NULL;
      TsrTraceSlice slice;

      tsr_trace_get_slice (trace, i, &slice);
      g_assert_cmpuint (slice.type, <, tsr_trace_get_n_types (trace));
      g_assert_cmpuint (tsr_trace_find_slice (trace, slice.step, slice.ipu), !=, TSR_NO_SLICE);
      if (i % 64 != 0)
        continue;
      cycles = tsr_trace_load_tile_cycles (trace, i, &error);
      if (error != NULL)
        fuzz_check_error (FALSE, error);
    }
}

static inline void
fuzz_run_trace_tabs (const TsrTrace *trace, gint64 from, gint64 to)
{
  const TsrTraceAggregateQuery query
      = { .from = from, .to = to, .grouping = TSR_TRACE_BY_PREFIX, .depth = 2 };
  g_autoptr (TsrTraceAggregate) groups = tsr_trace_aggregate (trace, &query, NULL, NULL);
  g_autoptr (GPtrArray) stages = tsr_trace_stages (trace, NULL, from, to, NULL, NULL);
  g_autoptr (GArray) overlap = tsr_trace_overlap (trace, NULL, from, to, NULL, NULL);

  g_assert_nonnull (groups);
  g_assert_nonnull (stages);
  g_assert_cmpuint (overlap->len, ==, tsr_trace_get_n_ipus (trace));
  if (tsr_trace_get_n_ipus (trace) > 0)
    {
      g_autoptr (TsrTraceTiles) tiles = tsr_trace_tiles (trace, NULL, 0, from, to, NULL, NULL);
    }
}

static inline void
fuzz_run_trace (TsrReport *report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrTrace) trace = tsr_trace_new (report, NULL, &error);
  gint64 from, to;

  fuzz_check_error (trace != NULL, error);
  if (trace == NULL)
    return;
  tsr_trace_get_span (trace, &from, &to);
  for (guint ipu = 0; ipu < MIN (tsr_trace_get_n_ipus (trace), 64); ipu++)
    {
      fuzz_check_trace_sums (trace, ipu, from, to);
      fuzz_check_trace_runs (trace, ipu, from, to);
      fuzz_check_trace_runs (trace, ipu, from + (to - from) / 3, to);
    }
  for (guint track = 0; track < MIN (tsr_trace_get_n_tracks (trace), 256); track++)
    for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
      for (guint depth = 0; depth < tsr_trace_get_n_rows (trace, track, shape); depth++)
        fuzz_check_trace_row (trace, tsr_trace_get_row (trace, track, shape, depth));
  fuzz_check_trace_slices (trace);
  fuzz_run_trace_tabs (trace, from, to);
}

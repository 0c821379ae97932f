/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Figures of a span computed by a loop over all slices, to compare with those of the trace. */

#include "config.h"

#include "trace-test.h"

#include <math.h>
#include <string.h>

typedef struct
{
  gint64 by_type[TSR_TRACE_MAX_TYPES];
  double cycles, tile, active, lost;
  gboolean no_tile, no_active;
  gboolean any_time; /* of any slice that counts, in the span or not */
  gboolean no_time;  /* of a slice that counts, or of all of the IPU */
  gint64 n_slices;
  gint64 in[5], out[5];
} Naive;

static void
add_bytes (gint64 *sum, gint64 bytes)
{
  *sum = bytes == TSR_UNKNOWN || *sum == TSR_UNKNOWN ? TSR_UNKNOWN : *sum + bytes;
}

static guint
copy_kind (const TsrTrace *trace, guint32 step)
{
  static const char *const kinds[] = { "host", "remote_buffer", "both" };
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  const TsrProgramTables *p = tsr_trace_get_programs (trace);
  guint32 program = step < t->n_steps ? t->step_program[step] : TSR_NO_INDEX;
  guint kind = 0;

  if (p == NULL || program == TSR_NO_INDEX)
    return G_N_ELEMENTS (kinds);
  while (kind < G_N_ELEMENTS (kinds)
         && g_strcmp0 (tsr_string_table_get (p->strings, p->program_stream_copy_kind[program]),
                       kinds[kind])
                != 0)
    kind++;
  return kind;
}

static void
sum_naively (const TsrTrace *trace, guint run, guint ipu, gint64 from, gint64 to, Naive *naive)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  gint64 reached[TSR_TRACE_MAX_TYPES];
  gboolean ipu_has_time = FALSE;

  memset (naive, 0, sizeof *naive);
  for (guint i = 0; i < TSR_TRACE_MAX_TYPES; i++)
    reached[i] = from;
  for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
    {
      guint type = tsr_trace_get_slice_type (trace, i);
      gint64 start = t->slice_start[i];
      gint64 end = t->slice_end[i];
      const char *name = tsr_trace_get_type (trace, type)->name;
      gint64 part;

      ipu_has_time = ipu_has_time || start != TSR_UNKNOWN;
      if (run != TSR_NO_INDEX && t->step_run[t->slice_step[i]] != run)
        continue;
      naive->any_time = naive->any_time || start != TSR_UNKNOWN;
      naive->no_time = naive->no_time || start == TSR_UNKNOWN;
      if (start == TSR_UNKNOWN)
        continue;
      if (start >= from && start < to
          && (strcmp (name, "StreamCopyMid") == 0 || strcmp (name, "GlobalExchange") == 0))
        {
          guint kind = 4;

          if (strcmp (name, "StreamCopyMid") == 0)
            kind = copy_kind (trace, t->slice_step[i]);
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
  naive->no_time = naive->no_time || !ipu_has_time;
}

static void
check_unknown (const TsrTrace *trace, const TsrTraceSums *sums)
{
  for (guint i = 0; i < tsr_trace_get_n_types (trace); i++)
    g_assert_cmpint (sums->by_type[i], ==, TSR_UNKNOWN);
  for (guint kind = 0; kind < TSR_N_COPY_KINDS; kind++)
    {
      g_assert_cmpint (sums->copy_in[kind], ==, TSR_UNKNOWN);
      g_assert_cmpint (sums->copy_out[kind], ==, TSR_UNKNOWN);
    }
  g_assert_cmpint (sums->global_in, ==, TSR_UNKNOWN);
  g_assert_cmpint (sums->global_out, ==, TSR_UNKNOWN);
  g_assert_cmpint (sums->counted, ==, TSR_UNKNOWN);
  g_assert_cmpint (sums->excluded, ==, TSR_UNKNOWN);
  g_assert_cmpint (sums->lost, ==, TSR_UNKNOWN);
  g_assert_cmpint (sums->n_slices, ==, 0);
  g_assert_true (isnan (sums->utilisation) && isnan (sums->tile_balance));
}

/* What is counted at many cycles of a span at once is what is counted at each, and at its ends what
 * the span has. */
static void
check_counts (const TsrTrace *trace, guint ipu, gint64 from, gint64 to, const Naive *naive)
{
  enum
  {
    N = 20
  };
  const guint n_types = tsr_trace_get_n_types (trace);
  g_autofree guint64 *unions = g_new (guint64, N * MAX (n_types, 1));
  g_autofree guint64 *one = g_new (guint64, MAX (n_types, 1));
  gint64 cycles[N];
  gsize starts[N];

  for (guint i = 0; i < N; i++)
    cycles[i] = (gint64)((guint64)from + ((guint64)to - (guint64)from) / (N - 1) * i);
  cycles[N - 1] = to;
  tsr_trace_count_types (trace, ipu, cycles, N, unions);
  tsr_trace_find_starts (trace, ipu, cycles, N, starts);
  for (guint i = 0; i < N; i++)
    {
      g_assert_cmpuint (starts[i], ==, tsr_trace_find_start (trace, ipu, cycles[i]));
      tsr_trace_count_types (trace, ipu, &cycles[i], 1, one);
      g_assert_cmpmem (one, n_types * sizeof *one, &unions[i * n_types], n_types * sizeof *one);
    }
  for (guint type = 0; type < n_types; type++)
    g_assert_cmpint ((gint64)(unions[(N - 1) * n_types + type] - unions[type]), ==,
                     naive->any_time ? naive->by_type[type] : 0);
}

void
trace_test_check_sums (const TsrTrace *trace, guint ipu, gint64 from, gint64 to, guint32 hidden)
{
  trace_test_check_run_sums (trace, TSR_NO_INDEX, ipu, from, to, hidden);
}

void
trace_test_check_run_sums (
    const TsrTrace *trace, guint run, guint ipu, gint64 from, gint64 to, guint32 hidden)
{
  Naive naive;
  TsrTraceSums sums;
  gint64 counted = 0;
  gint64 excluded = 0;
  gint64 busy = 0;
  guint32 compute = tsr_trace_find_types (trace, "OnTileExecute");

  sum_naively (trace, run, ipu, from, to, &naive);
  if (run == TSR_NO_INDEX)
    tsr_trace_sum (trace, ipu, from, to, hidden, &sums);
  else
    tsr_trace_sum_run (trace, tsr_trace_get_run (trace, run), ipu, from, to, hidden, &sums);
  g_assert_cmpint (sums.from, ==, from);
  g_assert_cmpint (sums.to, ==, to);
  if (run == TSR_NO_INDEX && from <= to)
    check_counts (trace, ipu, from, to, &naive);
  if (!naive.any_time && naive.no_time)
    {
      check_unknown (trace, &sums);
      return;
    }
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

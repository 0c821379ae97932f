/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Periods of a pipeline: the span without the waits that begin a run, cut at the ends of the
 * GlobalExchange steps that several IPUs of a replica take part in. Two passes over the slices. */

#include "config.h"

#include "tsr-trace-balance.h"

#include "tsr-trace-span-private.h"

typedef struct
{
  gint64 from, to;
} Part;

/* What is asked for. */
typedef struct
{
  const TsrTraceRun *run; /* (nullable): only its steps */
  gint64 from, to;
} Span;

static int
compare_parts (gconstpointer pa, gconstpointer pb)
{
  const Part *a = pa;
  const Part *b = pb;

  return (a->from > b->from) - (a->from < b->from);
}

static int
compare_cycles (gconstpointer pa, gconstpointer pb)
{
  gint64 a = *(const gint64 *)pa;
  gint64 b = *(const gint64 *)pb;

  return (a > b) - (a < b);
}

/* What is left of the span without the waits that begin runs. */
static GArray *
dup_parts (const TsrTrace *trace, const Span *span)
{
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (Part));
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Part));
  gint64 first, last, from, to;

  tsr_trace_get_span (trace, &first, &last);
  from = MAX (span->from, first);
  to = MIN (span->to, last);
  for (guint i = 0; i < tsr_trace_get_n_runs (trace); i++)
    {
      const TsrTraceRun *run = tsr_trace_get_run (trace, i);
      Part wait = { run->start, run->wait_end };

      if (wait.from < wait.to && (span->run == NULL || span->run == run))
        g_array_append_val (waits, wait);
    }
  g_array_sort (waits, compare_parts);
  for (guint i = 0; i < waits->len && from < to; i++)
    {
      const Part *wait = &g_array_index (waits, Part, i);
      Part part = { from, MIN (wait->from, to) };

      if (part.from < part.to)
        g_array_append_val (parts, part);
      from = MAX (from, wait->to);
    }
  if (from < to)
    {
      Part part = { from, to };

      g_array_append_val (parts, part);
    }
  return parts;
}

/* Ends of the GlobalExchange steps that two or more IPUs spend time in, ascending.  NULL when
 * cancelled. */
static GArray *
dup_cuts (const TsrTrace *trace,
          const TsrTraceStages *stages,
          const TsrSpanTypes *types,
          const Span *span,
          GCancellable *cancellable)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  g_autofree guint8 *n_parts = g_new0 (guint8, tables->n_steps);
  g_autofree gint64 *ends = g_new (gint64, tables->n_steps);
  g_autoptr (GArray) cuts = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint ipu = stages->first_ipu; ipu < stages->first_ipu + stages->n_ipus; ipu++)
    {
      TsrSpanSlices slices = tsr_span_find (trace, span->run, ipu, span->from, span->to);

      for (gsize slice = slices.first; slice < slices.end; slice++)
        {
          guint32 step = tables->slice_step[slice];
          gint64 end = tables->slice_end[slice];
          gint64 cut_start, cut_end;

          if (tsr_span_is_cancelled (slice, cancellable))
            return NULL;
          if (types->group[(guint8)tsr_trace_get_slice_type (trace, (guint32)slice)]
                  != TSR_STEP_GROUP_INTER_IPU
              || !tsr_span_cut (&slices, tables, slice, span->from, span->to, &cut_start, &cut_end))
            continue;
          ends[step] = n_parts[step] == 0 ? end : MAX (ends[step], end);
          n_parts[step] = MIN (n_parts[step] + 1, 2);
        }
    }
  for (guint step = 0; step < tables->n_steps; step++)
    if (n_parts[step] >= 2)
      g_array_append_val (cuts, ends[step]);
  g_array_sort (cuts, compare_cycles);
  return g_steal_pointer (&cuts);
}

static void
add_periods (TsrTraceStages *stages, const GArray *parts, const GArray *cuts)
{
  guint cut = 0;

  for (guint i = 0; i < parts->len; i++)
    {
      Part part = g_array_index (parts, Part, i);

      while (part.from < part.to)
        {
          TsrTracePeriod period = { .from = part.from, .to = part.to };

          while (cut < cuts->len && g_array_index (cuts, gint64, cut) <= part.from)
            cut++;
          if (cut < cuts->len)
            period.to = MIN (part.to, g_array_index (cuts, gint64, cut));
          g_array_append_val (stages->periods, period);
          part.from = period.to;
        }
    }
}

/* Sums of a union, all and by period. */
typedef struct
{
  TsrSpanUnion merged;
  guint period;
  gint64 total;
} Meter;

static void
measure (Meter *meter, TsrTraceStages *stages, guint place, gint64 start, gint64 end)
{
  start = tsr_span_union_add (&meter->merged, start, end);
  while (start < end && meter->period < stages->periods->len)
    {
      const TsrTracePeriod *period
          = &g_array_index (stages->periods, TsrTracePeriod, meter->period);
      gint64 cycles;

      if (period->to <= start)
        {
          meter->period++;
          continue;
        }
      cycles = tsr_span_length (MAX (start, period->from), MIN (end, period->to));
      meter->total = tsr_span_add (meter->total, cycles);
      stages->work[(gsize)meter->period * stages->n_ipus + place] += cycles;
      start = MIN (end, period->to);
    }
}

static gboolean
measure_ipu (const TsrTrace *trace,
             TsrTraceStages *stages,
             guint place,
             const TsrSpanTypes *types,
             const Span *span,
             GCancellable *cancellable)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  TsrSpanSlices slices
      = tsr_span_find (trace, span->run, stages->first_ipu + place, span->from, span->to);
  Meter work = { { 0, G_MININT64 }, 0, 0 };
  TsrSpanClasses classes;

  tsr_span_classes_init (&classes);
  for (gsize slice = slices.first; slice < slices.end; slice++)
    {
      guint8 type = (guint8)tsr_trace_get_slice_type (trace, (guint32)slice);
      gint64 start, end;

      if (tsr_span_is_cancelled (slice, cancellable))
        return FALSE;
      if (!tsr_span_cut (&slices, tables, slice, span->from, span->to, &start, &end))
        continue;
      tsr_span_classes_add (&classes, types, type, start, end);
      if (tsr_step_group_is_work (types->group[type]))
        measure (&work, stages, place, start, end);
    }
  stages->ipu_work[place] = work.total;
  tsr_span_classes_get (&classes, span->from, span->to, &stages->classes[place]);
  return TRUE;
}

typedef TsrSpanWide Wide;

/* The nearest whole number of cycles. */
static gint64
divide (Wide cycles, guint n)
{
  Wide rounded = (cycles + n / 2) / n;

  return rounded > G_MAXINT64 ? G_MAXINT64 : (gint64)rounded;
}

/* The period's loss, times the number of IPUs: exact; @part: its whole cycles. */
static Wide
judge_period (TsrTraceStages *stages, guint index, TsrSpanPart *part)
{
  TsrTracePeriod *period = &g_array_index (stages->periods, TsrTracePeriod, index);
  const gint64 *work = &stages->work[(gsize)index * stages->n_ipus];
  gint64 most = 0;
  Wide sum = 0, loss;

  for (guint i = 0; i < stages->n_ipus; i++)
    {
      period->n_working += work[i] > 0;
      most = MAX (most, work[i]);
      sum += work[i];
    }
  period->steady = period->n_working == stages->n_ipus;
  loss = period->steady ? (Wide)most * stages->n_ipus - sum : 0;
  period->loss = (gint64)MIN (loss / stages->n_ipus, G_MAXINT64);
  *part = (TsrSpanPart){ &period->loss, (guint32)(loss % stages->n_ipus) };
  return loss;
}

static void
judge (TsrTraceStages *stages)
{
  g_autofree TsrSpanPart *parts = g_new (TsrSpanPart, stages->periods->len + 1);
  gint64 since_steady = 0;
  gboolean any_steady = FALSE, any_work = FALSE;
  Wide loss = 0;

  stages->sharded = TRUE;
  for (guint i = 0; i < stages->periods->len; i++)
    {
      TsrTracePeriod *period = &g_array_index (stages->periods, TsrTracePeriod, i);
      gint64 length = tsr_span_length (period->from, period->to);

      loss += judge_period (stages, i, &parts[i]);
      any_work = any_work || period->n_working > 0;
      stages->sharded = stages->sharded && period->n_working <= 1;
      if (!period->steady)
        {
          stages->bubble = tsr_span_add (stages->bubble, length);
          since_steady = tsr_span_add (since_steady, length);
          continue;
        }
      if (!any_steady)
        stages->ramp_up = since_steady;
      any_steady = TRUE;
      since_steady = 0;
    }
  stages->loss = divide (loss, stages->n_ipus);
  if (stages->loss < G_MAXINT64)
    tsr_span_share_out (parts, stages->periods->len, stages->loss);
  stages->ramp_down = any_steady ? since_steady : 0;
  stages->sharded = stages->sharded && any_work;
}

static gboolean
fill_stages (const TsrTrace *trace,
             TsrTraceStages *stages,
             const Span *span,
             GCancellable *cancellable)
{
  g_autoptr (GArray) parts = dup_parts (trace, span);
  g_autoptr (GArray) cuts = NULL;
  TsrSpanTypes types;

  tsr_span_types_init (&types, trace);
  cuts = dup_cuts (trace, stages, &types, span, cancellable);
  if (cuts == NULL)
    return FALSE;
  add_periods (stages, parts, cuts);
  stages->work = g_new0 (gint64, (gsize)stages->periods->len * stages->n_ipus + 1);
  stages->ipu_work = g_new0 (gint64, stages->n_ipus);
  stages->classes = g_new0 (TsrTraceClasses, stages->n_ipus);
  for (guint i = 0; i < stages->n_ipus; i++)
    if (!measure_ipu (trace, stages, i, &types, span, cancellable))
      return FALSE;
  judge (stages);
  return TRUE;
}

static void
tsr_trace_stages_free (TsrTraceStages *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->periods);
  g_free (self->work);
  g_free (self->ipu_work);
  g_free (self->classes);
  g_free (self);
}

GPtrArray *
tsr_trace_stages (const TsrTrace *trace,
                  const TsrTraceRun *run,
                  gint64 from,
                  gint64 to,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GPtrArray) answer
      = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_trace_stages_free);
  const Span span = { run, from, to };
  guint n = tsr_trace_get_n_ipus (trace);
  guint end;

  for (guint first = 0; first < n; first = end)
    {
      gint64 replica, other, place;
      TsrTraceStages *stages;

      tsr_trace_get_replica (trace, first, &replica, &place);
      for (end = first + 1; end < n; end++)
        {
          tsr_trace_get_replica (trace, end, &other, &place);
          if (other != replica)
            break;
        }
      if (replica == TSR_UNKNOWN || end - first < 2)
        continue;
      stages = g_new0 (TsrTraceStages, 1);
      stages->replica = replica;
      stages->first_ipu = first;
      stages->n_ipus = end - first;
      stages->periods = g_array_new (FALSE, FALSE, sizeof (TsrTracePeriod));
      g_ptr_array_add (answer, stages);
      if (!fill_stages (trace, stages, &span, cancellable))
        {
          g_cancellable_set_error_if_cancelled (cancellable, error);
          return NULL;
        }
    }
  return g_steal_pointer (&answer);
}

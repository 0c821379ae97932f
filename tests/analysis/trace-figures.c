/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Everything that a trace is asked. */

#include "config.h"

#include "trace-figures.h"

#include "cancel-count.h"
#include "tsr-trace-aggregate.h"
#include "tsr-trace-balance.h"
#include "tsr-trace-live.h"
#include "tsr-trace-marks.h"
#include "tsr-trace-waits.h"

#include <string.h>

#define I64 "%" G_GINT64_FORMAT

typedef struct
{
  const AnalysisReport *report;
  const TsrTrace *trace;
  GString *out;
  const TsrTraceRun *run;
  gint64 from, to;
  TsrTraceMatches *matches;
} Ask;

static void
add_tables (Ask *self)
{
  for (guint i = 0; i < tsr_trace_get_n_types (self->trace); i++)
    {
      const TsrTraceType *type = tsr_trace_get_type (self->trace, i);

      g_string_append_printf (self->out, "type %s %s %d %d %d %x\n", type->name, type->label,
                              type->group, type->start_up, type->external,
                              tsr_trace_find_types (self->trace, type->label));
    }
  for (guint i = 0; i < tsr_trace_get_n_ipus (self->trace); i++)
    {
      g_autofree char *name = tsr_trace_dup_ipu_name (self->trace, i);
      g_autofree char *number = tsr_trace_dup_ipu_number (self->trace, i);
      gint64 replica, ipu;

      tsr_trace_get_replica (self->trace, i, &replica, &ipu);
      g_string_append_printf (self->out, "%s %s " I64 " " I64 "\n", name, number, replica, ipu);
    }
  for (guint i = 0; i < tsr_trace_get_n_runs (self->trace); i++)
    {
      const TsrTraceRun *run = tsr_trace_get_run (self->trace, i);
      gint64 from = -1, to = -1;

      g_string_append_printf (
          self->out, "run %s %u %u " I64 " " I64 " " I64 " " I64 " " I64 " " I64 " %.3f %d\n",
          run->name, run->first_step, run->end_step, run->start, run->end, run->wait_end,
          run->device, run->model_from, run->model_to, run->microseconds, run->complete);
      for (guint ipu = 0; ipu < tsr_trace_get_n_ipus (self->trace); ipu++)
        {
          gint64 all[2] = { tsr_trace_get_device_time (self->trace, run, ipu, 0, G_MAXINT64),
                            tsr_trace_get_device_time (self->trace, NULL, ipu, 0, G_MAXINT64) };

          tsr_trace_get_device_span (self->trace, i, ipu, &from, &to);
          g_string_append_printf (self->out, I64 " " I64 " " I64 " " I64 "\n", from, to, all[0],
                                  all[1]);
        }
      if (tsr_trace_get_block_span (self->trace, i, &from, &to))
        g_string_append_printf (self->out, "blocks " I64 " " I64 "\n", from, to);
    }
  g_string_append_printf (
      self->out, "profiled %u clock %.1f tiles " I64 " waits %d\n",
      tsr_trace_get_profiled_run (self->trace), tsr_trace_get_clock (self->trace),
      tsr_trace_get_tiles_per_ipu (self->trace), tsr_trace_has_external_syncs (self->trace));
}

static void
add_slice (Ask *self, guint32 i)
{
  TsrTraceSlice slice;
  g_autofree char *meeting = tsr_trace_dup_meeting_text (self->trace, i);
  g_autoptr (TsrTileCycles) cycles = tsr_trace_load_tile_cycles (self->trace, i, NULL);

  tsr_trace_get_slice (self->trace, i, &slice);
  g_string_append_printf (
      self->out,
      "slice %u %u %u %u " I64 " %u " I64 " " I64 " " I64 " " I64 " " I64 " " I64 " " I64
      " %.5f %.5f %s|%s|%s|%u %u %u %u %u %d|%s|%u\n",
      slice.slice, slice.ipu, slice.lane, slice.step, slice.step_id, slice.type, slice.start,
      slice.end, slice.lead_in, slice.cycles, slice.active_tiles, slice.data_in, slice.data_out,
      slice.tile_balance, slice.active_tile_balance, slice.name, slice.type_name,
      tsr_trace_get_slice_title (self->trace, i), slice.program, slice.compute_set, slice.run,
      tsr_trace_find_slice (self->trace, slice.step, slice.ipu),
      tsr_trace_find_start (self->trace, slice.ipu, slice.start),
      tsr_trace_get_copy_kind (self->trace, i), meeting, cycles != NULL ? cycles->to_max : 0);
  for (guint t = 0; cycles != NULL && t < cycles->n; t++)
    g_string_append_printf (self->out, "%u+%u ", cycles->start != NULL ? cycles->start[t] : 0,
                            cycles->cycles[t]);
  g_string_append_c (self->out, '\n');
}

static void
add_row (Ask *self, guint track, TsrTraceShape shape, guint depth)
{
  const TsrTraceRow *row = tsr_trace_get_row (self->trace, track, shape, depth);

  g_string_append_printf (self->out, "row %u %u %u\n", row->track, row->depth, (guint)row->n);
  for (gsize i = 0; i < row->n; i++)
    {
      TsrTraceItem item;
      const TsrTraceKind kind = tsr_trace_get_kind (self->trace, row, i);

      tsr_trace_get_item (self->trace, row, i, &item);
      g_string_append_printf (
          self->out, "%u %u " I64 " " I64 " %u %d %u %.*s %u|%x %u %u|%u %u %u\n", item.first_slice,
          item.last_slice, item.start, item.end, item.n_slices, item.group, item.type,
          (int)item.path_length, item.path, item.label_from, kind.types, kind.type, kind.depth,
          (guint)tsr_trace_row_find (row, item.start, i / 2),
          (guint)tsr_trace_row_longest (self->trace, row, i / 2, i + 1, 0),
          (guint)tsr_trace_row_longest (self->trace, row, i / 2, i + 1, 5));
    }
}

static void
add_columns (Ask *self, guint track)
{
  enum
  {
    N = 37
  };
  gint64 from[N + 1], to[N];
  guint32 first[N], end[N], best[N];

  from[N] = self->to;
  for (guint i = 0; i < N; i++)
    {
      from[i] = self->from + (self->to - self->from) * i / N;
      to[i] = self->from + (self->to - self->from) * (i + 1) / N;
    }
  tsr_trace_find_columns (self->trace, track, N, from, to, first, end);
  for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
    for (guint depth = 0; depth < tsr_trace_get_n_rows (self->trace, track, shape); depth++)
      {
        tsr_trace_longest_in_columns (self->trace,
                                      tsr_trace_get_row (self->trace, track, shape, depth), N,
                                      first, end, depth == 1 ? 5 : 0, best);
        for (guint i = 0; i < N; i++)
          g_string_append_printf (self->out, "%u %u %u|", first[i], end[i], best[i]);
        g_string_append_c (self->out, '\n');
      }
}

static void
add_sums (Ask *self, guint ipu, guint32 hidden)
{
  TsrTraceSums sums[2];

  memset (sums, 0, sizeof sums);
  tsr_trace_sum (self->trace, ipu, self->from, self->to, hidden, &sums[0]);
  tsr_trace_sum_run (self->trace, self->run, ipu, self->from, self->to, hidden, &sums[1]);
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    {
      const TsrTraceSums *s = &sums[i];

      g_string_append_printf (
          self->out, "sums " I64 " " I64 " %.9f %.9f %.9f " I64 " %d " I64 " " I64 " " I64,
          s->counted, s->excluded, s->utilisation, s->tile_balance, s->active_tile_balance, s->lost,
          s->lost_rest, s->n_slices, s->global_in, s->global_out);
      for (guint t = 0; t < tsr_trace_get_n_types (self->trace); t++)
        g_string_append_printf (self->out, " " I64, s->by_type[t]);
      for (guint k = 0; k < TSR_N_COPY_KINDS; k++)
        g_string_append_printf (self->out, " " I64 " " I64, s->copy_in[k], s->copy_out[k]);
      g_string_append_printf (self->out, " " I64 "\n",
                              tsr_trace_get_copy_time (self->trace, i == 0 ? NULL : self->run, ipu,
                                                       self->from, self->to));
    }
}

static void
add_counts (Ask *self, guint ipu)
{
  enum
  {
    N = 23
  };
  const guint n_types = tsr_trace_get_n_types (self->trace);
  g_autofree guint64 *unions = g_new0 (guint64, (gsize)N * n_types);
  g_autoptr (GArray) lone
      = tsr_trace_lone_copies (self->trace, self->run, ipu, self->from, self->to, 5);
  gint64 cycles[N];
  gsize slices[N];

  for (guint i = 0; i < N; i++)
    cycles[i] = self->from + (self->to - self->from) * i / N;
  tsr_trace_count_types (self->trace, ipu, cycles, N, unions);
  tsr_trace_find_starts (self->trace, ipu, cycles, N, slices);
  for (guint i = 0; i < N * n_types; i++)
    g_string_append_printf (self->out, "%" G_GUINT64_FORMAT " %u|", unions[i],
                            (guint)slices[i / n_types]);
  for (guint i = 0; i < lone->len; i++)
    {
      const TsrTraceLoneCopy *copy = &g_array_index (lone, TsrTraceLoneCopy, i);

      g_string_append_printf (self->out, "lone %u " I64 "|", copy->slice, copy->alone);
    }
  g_string_append_c (self->out, '\n');
}

/* ------------------------------------------------------------------ matches */

static gboolean
has_letter (const char *name, gpointer data)
{
  return strchr (name, *(char *)data) != NULL;
}

static gboolean
count (gpointer data, GCancellable *cancellable, GError **error)
{
  Ask *self = data;
  guint64 n = 0, place = 0;

  if (!tsr_trace_count_matches (self->trace, self->matches, self->run, NULL, 2, 9, cancellable, &n,
                                &place))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  g_string_append_printf (self->out, "matches %u of %u\n", (guint)place, (guint)n);
  return TRUE;
}

static gboolean
mark (gpointer data, GCancellable *cancellable, GError **error)
{
  Ask *self = data;
  gboolean any = FALSE;

  for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
    {
      g_autoptr (TsrTraceMarks) marks
          = tsr_trace_marks_new (self->trace, self->matches, shape, 4, cancellable);
      gint64 cycles = -1;

      if (marks == NULL)
        {
          g_cancellable_set_error_if_cancelled (cancellable, error);
          return FALSE;
        }
      g_string_append_printf (self->out, "marks %u", (guint)tsr_trace_marks_get_n (marks, &cycles));
      g_string_append_printf (self->out, " " I64 " %d ", cycles,
                              tsr_trace_marks_is_of (marks, self->matches, shape, 4));
      for (guint track = 0; track < tsr_trace_get_n_tracks (self->trace); track++)
        for (guint depth = 0; depth < tsr_trace_get_n_rows (self->trace, track, shape); depth++)
          for (guint32 i = 0; i < tsr_trace_get_row (self->trace, track, shape, 0)->n; i++)
            {
              any = tsr_trace_marks_has (marks, track, depth, i, i + 2);
              g_string_append_c (self->out, any ? '1' : '0');
            }
      g_string_append_c (self->out, '\n');
    }
  return TRUE;
}

static void
add_matches (Ask *self)
{
  char letter = 'C';

  for (guint i = 0; i < 2; i++)
    {
      guint32 slice = TSR_NO_SLICE;

      self->matches = i == 0 ? tsr_trace_matches_new (self->trace, has_letter, &letter)
                             : tsr_trace_matches_new_types (self->trace, 6, NULL);
      for (guint k = 0; k < 12; k++)
        {
          slice
              = tsr_trace_find_match (self->trace, self->matches, self->run, NULL, 2, slice, k < 8);
          g_string_append_printf (self->out, "%u ", slice);
        }
      g_string_append_printf (self->out, "looks %u %u\n",
                              cancel_count_walk ("count of matches", count, self),
                              cancel_count_walk ("marks", mark, self));
      tsr_trace_matches_unref (self->matches);
    }
}

/* ------------------------------------------------------------------ balance */

static gboolean
live (gpointer data, GCancellable *cancellable, GError **error)
{
  Ask *self = data;
  g_autoptr (TsrTraceLive) answer = NULL;
  gint64 edges[24], least[23], most[23];

  answer = tsr_trace_live_new (self->trace, self->report->liveness, cancellable, error);
  if (answer == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    edges[i] = self->from + (self->to - self->from) * i / 24;
  for (guint ipu = 0; ipu < tsr_trace_get_n_ipus (self->trace); ipu++)
    {
      tsr_trace_live_list (answer, ipu, G_N_ELEMENTS (least), edges, least, most);
      for (guint i = 0; i < G_N_ELEMENTS (least); i++)
        g_string_append_printf (self->out, I64 " " I64 " %u|", least[i], most[i],
                                tsr_trace_live_find_slice (answer, ipu, edges[i], edges[i + 1]));
    }
  for (guint32 step = 0; step < tsr_trace_get_tables (self->trace)->n_steps; step++)
    {
      guint32 first = 0, last = 0;
      const guint n = tsr_trace_live_get_steps (answer, step, &first, &last);

      g_string_append_printf (self->out, "%u %u %u %d|", n, first, last,
                              tsr_trace_live_may_be (answer, step, 5));
    }
  g_string_append_printf (self->out, "most " I64 "\n", tsr_trace_live_get_most (answer));
  return TRUE;
}

static gboolean
make (gpointer data, GCancellable *cancellable, GError **error)
{
  Ask *self = data;
  g_autoptr (TsrTrace) trace = tsr_trace_new (self->report->report, cancellable, error);

  if (trace == NULL)
    return FALSE;
  g_string_append_printf (self->out, "size %u\n", (guint)tsr_trace_get_size (trace));
  return TRUE;
}

static gboolean
wait_for (gpointer data, GCancellable *cancellable, GError **error)
{
  Ask *self = data;
  g_autoptr (TsrTraceWaits) waits = tsr_trace_waits_new (
      self->trace, self->run, self->from, self->to, TSR_NO_INDEX, 4, cancellable, error);

  if (waits == NULL)
    return FALSE;
  for (guint i = 0; i < waits->n * waits->n; i++)
    g_string_append_printf (self->out, I64 " ", waits->cycles[i]);
  for (guint i = 0; i < waits->n; i++)
    g_string_append_printf (self->out, "%u/%u ", (guint)waits->n_last[i], (guint)waits->n_syncs[i]);
  for (guint i = 0; i < waits->longest->len; i++)
    {
      const TsrTraceWait *wait = &g_array_index (waits->longest, TsrTraceWait, i);

      g_string_append_printf (self->out, "%u %u %u " I64 " " I64 " %u %u|", wait->step, wait->slice,
                              wait->first_slice, wait->cycles, wait->sum, wait->n, wait->n_kept);
    }
  g_string_append_printf (self->out, "met %u missing %u\n", (guint)waits->n_met,
                          (guint)waits->n_missing);
  return TRUE;
}

static void
add_span (Ask *self)
{
  for (guint ipu = 0; ipu < tsr_trace_get_n_ipus (self->trace); ipu++)
    {
      for (guint32 hidden = 0; hidden < 4; hidden++)
        add_sums (self, ipu, hidden * 5);
      add_counts (self, ipu);
    }
  for (guint track = 0; track < tsr_trace_get_n_tracks (self->trace); track++)
    add_columns (self, track);
  g_string_append_printf (self->out, "looks %u\n", cancel_count_walk ("waits", wait_for, self));
  if (self->report->liveness != NULL
      && tsr_report_get_liveness_tables (self->report->report) != NULL)
    {
      g_autoptr (TsrTraceLive) has
          = tsr_trace_live_new (self->trace, self->report->liveness, NULL, NULL);

      if (has != NULL)
        g_string_append_printf (self->out, "looks %u\n", cancel_count_walk ("live", live, self));
    }
}

void
trace_figures_add (const AnalysisReport *report, GString *out)
{
  Ask self = { report, report->trace, out, NULL, 0, 0, NULL };
  const TsrExecutionTables *tables;
  gint64 from, to;

  if (self.trace == NULL)
    return;
  tables = tsr_trace_get_tables (self.trace);
  if (tables->n_ipus == 0 || tables->ipu_start[tables->n_ipus] == 0)
    return;
  tsr_trace_get_span (self.trace, &from, &to);
  add_tables (&self);
  g_string_append_printf (out, "looks %u\n", cancel_count_walk ("trace", make, &self));
  for (guint32 i = 0; i < tables->ipu_start[tables->n_ipus]; i++)
    add_slice (&self, i);
  for (guint track = 0; track < tsr_trace_get_n_tracks (self.trace); track++)
    {
      const TsrTraceTrack *info = tsr_trace_get_track (self.trace, track);

      g_string_append_printf (out, "track %u %u %d\n", info->ipu, info->lane, info->io);
      for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
        for (guint depth = 0; depth < tsr_trace_get_n_rows (self.trace, track, shape); depth++)
          add_row (&self, track, shape, depth);
    }
  for (guint i = 0; i < 4; i++)
    {
      self.from = from + (to - from) * i / 9;
      self.to = to - (to - from) * i / 8;
      self.run = i < 2 || tsr_trace_get_n_runs (self.trace) == 0
                     ? NULL
                     : tsr_trace_get_run (self.trace, i % tsr_trace_get_n_runs (self.trace));
      add_span (&self);
      add_matches (&self);
    }
}

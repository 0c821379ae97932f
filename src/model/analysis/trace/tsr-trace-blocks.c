/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where blocks of lightweight profiling, which count by a clock of their IPU, lie on the trace's
 * axis: for the chart and for what is written of it. */

#include "config.h"

#include "tsr-trace.h"

/* Programs that run as part of @program. */
static guint8 *
dup_programs_below (const TsrProgramTables *programs, guint32 program)
{
  guint8 *below = g_new0 (guint8, MAX (programs->n_programs, 1));
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (guint32));

  below[program] = 1;
  g_array_append_val (left, program);
  while (left->len > 0)
    {
      guint32 at = g_array_index (left, guint32, left->len - 1);
      guint32 callee = programs->program_callee[at];

      g_array_set_size (left, left->len - 1);
      for (guint32 c = programs->child_start[at]; c <= programs->child_start[at + 1]; c++)
        {
          guint32 child = c < programs->child_start[at + 1] ? programs->child[c] : callee;

          if (child >= programs->n_programs || below[child])
            continue;
          below[child] = 1;
          g_array_append_val (left, child);
        }
    }
  return below;
}

/* Where the trace has the begin of a block: its program's first step in its run; TSR_UNKNOWN where
 * that is not told. */
static gint64
find_in_trace (const TsrTrace *self, guint block)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self);
  const TsrProgramTables *programs = tsr_trace_get_programs (self);
  guint32 run = tables->block_run[block];
  g_autofree guint8 *below = NULL;

  if (programs == NULL || tables->block_program[block] >= programs->n_programs
      || run >= tables->n_runs)
    return TSR_UNKNOWN;
  below = dup_programs_below (programs, tables->block_program[block]);
  for (guint32 step = tables->run_first[run]; step < tables->run_end[run]; step++)
    {
      guint32 program = tables->step_program[step];
      guint32 slice;

      if (program >= programs->n_programs || !below[program])
        continue;
      slice = tsr_trace_find_slice (self, step, tables->block_ipu[block]);
      if (slice != TSR_NO_SLICE && tables->slice_start[slice] != TSR_UNKNOWN)
        return tables->slice_start[slice];
    }
  return TSR_UNKNOWN;
}

/* First block of each IPU, the profiler's own left out; TSR_NO_INDEX. */
static guint *
dup_first_blocks (const TsrExecutionTables *tables)
{
  guint *first = g_new (guint, MAX (tables->n_ipus, 1));

  for (guint ipu = 0; ipu < tables->n_ipus; ipu++)
    first[ipu] = TSR_NO_INDEX;
  for (guint i = 0; i < tables->n_blocks; i++)
    {
      guint ipu = tables->block_ipu[i];

      if (ipu < tables->n_ipus && tables->block_from[i] != TSR_UNKNOWN
          && (tables->block_flags[i] & TSR_BLOCK_FLUSH) == 0
          && (first[ipu] == TSR_NO_INDEX || tables->block_from[i] < tables->block_from[first[ipu]]))
        first[ipu] = i;
    }
  return first;
}

gint64 *
tsr_trace_dup_block_shifts (const TsrTrace *self, gboolean align)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self);
  g_autofree guint *first = dup_first_blocks (tables);
  gint64 *shifts = g_new0 (gint64, MAX (tables->n_ipus, 1));
  gint64 origin = TSR_UNKNOWN;
  gint64 from, to;

  tsr_trace_get_span (self, &from, &to);
  for (guint ipu = 0; ipu < tables->n_ipus; ipu++)
    {
      gint64 begin;

      if (first[ipu] == TSR_NO_INDEX)
        continue;
      begin = tables->block_from[first[ipu]];
      if (origin == TSR_UNKNOWN)
        {
          gint64 in_trace = find_in_trace (self, first[ipu]);

          origin = begin;
          from = in_trace != TSR_UNKNOWN ? in_trace : from;
        }
      if (!align)
        begin = origin;
      shifts[ipu] = tsr_add_saturating (from, -MAX (begin, -G_MAXINT64), NULL);
    }
  return shifts;
}

gboolean
tsr_trace_get_block_span (const TsrTrace *self, guint run, gint64 *from, gint64 *to)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self);
  g_autofree gint64 *shifts = tsr_trace_dup_block_shifts (self, TRUE);
  gboolean any = FALSE;

  for (guint i = 0; i < tables->n_blocks; i++)
    {
      gint64 begin = tables->block_from[i], end = tables->block_to[i];

      if (begin == TSR_UNKNOWN || end == TSR_UNKNOWN || tables->block_ipu[i] >= tables->n_ipus
          || (run != TSR_NO_INDEX && tables->block_run[i] != run))
        continue;
      begin = tsr_add_saturating (begin, shifts[tables->block_ipu[i]], NULL);
      end = tsr_add_saturating (end, shifts[tables->block_ipu[i]], NULL);
      *from = any ? MIN (*from, begin) : begin;
      *to = any ? MAX (*to, end) : end;
      any = TRUE;
    }
  return any;
}

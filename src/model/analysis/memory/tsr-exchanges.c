/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exchanges: their code, and what they did in the recorded steps, by program and IPU; a step's
 * cycles are d of docs/insights.md#execution: the part that the step before does not cover. */

#include "config.h"

#include "tsr-vertices-private.h"

#include "tsr-trace.h"
#include "tsr-variables-private.h"

#include <string.h>

/* Slices between two looks at whether somebody still wants them. */
#define CANCEL_EVERY 65536

/* ---------------------------------------------------------------- execution */

/* By what it is; a type that is not known counts when it has code of its own. */
static gboolean
is_exchange (const TsrProgramTables *tables, guint program)
{
  TsrStepGroup group
      = tsr_step_group_of (tsr_string_table_get (tables->strings, tables->program_type[program]));

  return (group != TSR_STEP_GROUP_COMPUTE && tsr_step_group_is_useful (group))
         || tables->program_code[program].id != TSR_UNKNOWN;
}

/* What the slices of one IPU add to @sums, by program, until cancelled.  *overflow: a sum is too
 * large. */
static void
add_slices (const TsrExecutionTables *t,
            guint ipu,
            TsrExchangeRuns *sums,
            gboolean *overflow,
            GCancellable *cancellable)
{
  for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
    {
      guint32 program = t->step_program[t->slice_step[i]];
      gint64 in = tsr_narrow_get (&t->slice_data_in, i);
      gint64 out = tsr_narrow_get (&t->slice_data_out, i);
      gboolean told = t->slice_start[i] != TSR_UNKNOWN;

      if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
        return;
      if (program == TSR_NO_INDEX)
        continue;
      sums[program].executions++;
      if (!tsr_variables_sum_add (&sums[program].cycles,
                                  told ? t->slice_end[i] - t->slice_start[i] : TSR_UNKNOWN)
          || !tsr_variables_sum_add (&sums[program].bytes, in != TSR_UNKNOWN && out != TSR_UNKNOWN
                                                               ? in + out
                                                               : TSR_UNKNOWN))
        *overflow = TRUE;
    }
}

/* Of several IPUs the one where it took longest, ties to the lower; an unknown one may be that. */
static void
take_longer (TsrExchangeRuns *best, const TsrExchangeRuns *sums)
{
  if (best->executions == 0)
    *best = *sums;
  else if (best->cycles == TSR_UNKNOWN || sums->cycles == TSR_UNKNOWN)
    {
      best->executions = MAX (best->executions, sums->executions);
      best->cycles = best->bytes = TSR_UNKNOWN;
    }
  else if (sums->cycles > best->cycles)
    *best = *sums;
}

static gboolean
read_runs (TsrVertices *self, GCancellable *cancellable, GError **error)
{
  const TsrExecutionTables *t = tsr_report_get_execution_tables (self->report);
  const guint n = self->tables->n_programs;
  g_autofree TsrExchangeRuns *runs = g_new0 (TsrExchangeRuns, MAX (n, 1));
  g_autofree TsrExchangeRuns *sums = g_new (TsrExchangeRuns, MAX (n, 1));
  gboolean overflow = FALSE;

  for (guint ipu = 0; t != NULL && ipu < t->n_ipus; ipu++)
    {
      memset (sums, 0, n * sizeof *sums);
      add_slices (t, ipu, sums, &overflow, cancellable);
      for (guint i = 0; i < n; i++)
        if (sums[i].executions > 0)
          take_longer (&runs[i], &sums[i]);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  self->runs_read = TRUE;
  if (t != NULL && t->n_steps > 0)
    self->runs = g_steal_pointer (&runs);
  if (overflow)
    tsr_variables_say_sum_too_large (tsr_report_get_diagnostics (self->report), "steps_by_ipu");
  return TRUE;
}

/* Sums up the execution, the first time; FALSE and @error when it was cancelled. */
static gboolean
tsr_vertices_read_runs (TsrVertices *self, GCancellable *cancellable, GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = self->runs_read || read_runs (self, cancellable, error);
  g_mutex_unlock (&self->lock);
  return ok;
}

/* -------------------------------------------------------------------- list */

/* The largest first; the sort is stable. */
static int
compare_exchanges (gconstpointer a, gconstpointer b)
{
  const TsrExchangeRow *x = a;
  const TsrExchangeRow *y = b;

  return (y->code_bytes > x->code_bytes) - (y->code_bytes < x->code_bytes);
}

GArray *
tsr_vertices_list_exchanges (
    TsrVertices *self, const guint *tiles, guint n_tiles, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *tables;
  g_auto (TsrArrayReader) reader = { 0 };
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (TsrExchangeRow));

  g_return_val_if_fail (self != NULL, NULL);
  tables = self->tables;
  tsr_array_reader_init (&reader, self, tiles, n_tiles, cancellable);
  if (!tsr_vertices_read_runs (self, cancellable, error))
    return NULL;
  for (guint program = 0; program < tables->n_programs; program++)
    {
      TsrExchangeRow row = { program, TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };
      gint64 maximum;

      if (!is_exchange (tables, program))
        continue;
      if (!tsr_array_reader_get (&reader, tables->program_code[program], &row.code_bytes, &maximum,
                                 error))
        return NULL;
      if (tiles != NULL && row.code_bytes == 0)
        continue;
      if (self->runs != NULL)
        {
          row.executions = self->runs[program].executions;
          row.cycles = self->runs[program].cycles;
          row.bytes = self->runs[program].bytes;
        }
      g_array_append_val (list, row);
    }
  g_array_sort (list, compare_exchanges);
  return g_steal_pointer (&list);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loads the rest of the execution: the blocks of lightweight profiling, and the cycles of IPUs in a
 * run and in total. */

#include "config.h"

#include "tsr-load-execution.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* ------------------------------------------------------------------- blocks */

static guint8
get_flags (const TsrSortedRows *rows, guint i)
{
  static const struct
  {
    guint column;
    TsrBlockFlags flag;
  } flags[] = {
    { TSR_BLOCK_IS_STREAM_COPY, TSR_BLOCK_STREAM_COPY },
    { TSR_BLOCK_IS_COMMON, TSR_BLOCK_COMMON },
    { TSR_BLOCK_IS_OVERFLOW, TSR_BLOCK_OVERFLOW },
    { TSR_BLOCK_IS_FLUSH, TSR_BLOCK_FLUSH },
  };
  guint8 found = 0;

  for (guint k = 0; k < G_N_ELEMENTS (flags); k++)
    if (tsr_sorted_rows_get (rows, i, flags[k].column) == 1)
      found |= flags[k].flag;
  return found;
}

/* IPU of a row, TSR_NO_INDEX with a diagnostic when it cannot be used.  Without such a column there
 * is one IPU. */
static guint32
get_ipu (TsrExecutionBuilder *self, TsrSortedRows *rows, guint i, guint column, gboolean has_ipu)
{
  gint64 ipu = has_ipu ? tsr_sorted_rows_get (rows, i, column) : 0;

  if (ipu >= 0 && ipu < self->max_ipus)
    return (guint32)ipu;
  if (ipu != TSR_UNKNOWN)
    tsr_sorted_rows_report (rows, i, TSR_SEVERITY_ERROR, "value-out-of-range",
                            _ ("ipu is %" PRId64 ", at most %u is expected; the row is left out"),
                            ipu, self->max_ipus - 1);
  else
    tsr_sorted_rows_report (rows, i, TSR_SEVERITY_ERROR, "value-missing",
                            _ ("%s is missing (NULL); the row is left out"), "ipu");
  return TSR_NO_INDEX;
}

static guint32
get_tile (TsrExecutionBuilder *self, TsrSortedRows *rows, guint i)
{
  gint64 tile = tsr_sorted_rows_get (rows, i, TSR_BLOCK_TILE);
  gint64 n_tiles = self->summary->target.tiles_per_ipu;

  if (tile >= 0 && tile < TSR_NO_INDEX && (n_tiles <= 0 || tile < n_tiles))
    return (guint32)tile;
  if (tile != TSR_UNKNOWN)
    tsr_sorted_rows_report (rows, i, TSR_SEVERITY_ERROR, "value-out-of-range",
                            _ ("tile is %" PRId64 ", which the IPU does not have"), tile);
  return TSR_NO_INDEX;
}

static void
take_block (TsrExecutionBuilder *self, TsrSortedRows *rows, guint i, guint32 ipu)
{
  TsrExecutionTables *t = self->tables;
  const guint n = t->n_blocks++;
  gint64 name = tsr_sorted_rows_get (rows, i, TSR_BLOCK_NAME);
  gint64 from = tsr_sorted_rows_get (rows, i, TSR_BLOCK_FROM);
  gint64 to = tsr_sorted_rows_get (rows, i, TSR_BLOCK_TO);
  guint32 program = tsr_sorted_rows_find (rows, i, TSR_BLOCK_PROGRAM, &self->program_index,
                                          self->program_index.n > 0 ? "programs" : NULL);

  if (from != TSR_UNKNOWN && to != TSR_UNKNOWN && to < from)
    tsr_sorted_rows_report (rows, i, TSR_SEVERITY_ERROR, "cycles-reversed",
                            _ ("the block ends at cycle %" PRId64 ", before it starts at %" PRId64
                               "; neither is shown"),
                            to, from);
  if (from == TSR_UNKNOWN || to == TSR_UNKNOWN || to < from)
    from = to = TSR_UNKNOWN;
  if (name != TSR_UNKNOWN)
    t->block_name[n] = (guint32)name;
  else
    t->block_name[n] = program == TSR_NO_INDEX
                           ? TSR_NO_STRING
                           : tsr_string_table_intern (
                               t->strings,
                               tsr_string_table_get (self->programs->strings,
                                                     self->programs->program_name[program]),
                               -1);
  t->block_id[n] = tsr_sorted_rows_get (rows, i, TSR_BLOCK_ID);
  t->block_program[n] = program;
  t->block_ipu[n] = ipu;
  t->block_tile[n] = get_tile (self, rows, i);
  t->block_run[n] = tsr_sorted_rows_find (rows, i, TSR_BLOCK_RUN, &self->run_index,
                                          self->run_index.n > 0 ? "runs" : NULL);
  t->block_from[n] = from;
  t->block_to[n] = to;
  t->block_flags[n] = get_flags (rows, i);
  /* The slices, which come next, have a place for each. */
  t->n_ipus = MAX (t->n_ipus, ipu + 1);
}

gboolean
tsr_load_execution_blocks (TsrExecutionBuilder *self, GError **error)
{
  const TsrTableKind kind = TSR_TABLE_BLOCKS;
  TsrExecutionTables *t = self->tables;
  gboolean has_ipu = tsr_profile_has_column (self->loading->profile, "blocks", "ipu");
  g_auto (TsrSortedRows) rows = { 0 };
  gsize n;

  if (!tsr_sorted_rows_read (&rows, self->loading, kind, 3, t->strings, error))
    return FALSE;
  n = MAX (rows.n, 1);
  t->block_id = g_new (gint64, n);
  t->block_name = g_new (guint32, n);
  t->block_program = g_new (guint32, n);
  t->block_ipu = g_new (guint32, n);
  t->block_tile = g_new (guint32, n);
  t->block_run = g_new (guint32, n);
  t->block_from = g_new (gint64, n);
  t->block_to = g_new (gint64, n);
  t->block_flags = g_new (guint8, n);
  for (guint i = 0; i < rows.n; i++)
    {
      guint32 ipu = get_ipu (self, &rows, i, TSR_BLOCK_IPU, has_ipu);

      if (ipu != TSR_NO_INDEX)
        take_block (self, &rows, i, ipu);
    }
  return TRUE;
}

/* ------------------------------------------------------- of an IPU as a whole */

/* Cycles by run and IPU: no more than a generous multiple of the file. */
static gboolean
alloc_run_cycles (TsrExecutionBuilder *self)
{
  TsrExecutionTables *t = self->tables;
  guint64 n = (guint64)t->n_runs * t->n_ipus;

  if (n <= MAX ((guint64)1 << 20, (guint64)tsr_loading_get_most_rows (self->loading)))
    t->run_ipu_cycles = g_try_new (gint64, MAX (n, 1));
  if (t->run_ipu_cycles == NULL)
    tsr_loading_report (self->loading, "run_cycles_by_ipu", TSR_SEVERITY_WARNING, "limit",
                        _ ("%u runs on %u IPUs are more than a file of this size can hold; their "
                           "cycles are left out"),
                        t->n_runs, t->n_ipus);
  for (guint64 i = 0; t->run_ipu_cycles != NULL && i < n; i++)
    t->run_ipu_cycles[i] = TSR_UNKNOWN;
  return t->run_ipu_cycles != NULL;
}

gboolean
tsr_load_execution_run_cycles (TsrExecutionBuilder *self, GError **error)
{
  TsrExecutionTables *t = self->tables;
  g_auto (TsrSortedRows) rows = { 0 };

  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_RUN_CYCLES, 2, t->strings,
                                    error))
    return FALSE;
  if (rows.n == 0 || t->n_ipus == 0 || self->run_index.n == 0 || !alloc_run_cycles (self))
    return TRUE;
  for (guint i = 0; i < rows.n; i++)
    {
      guint32 run = tsr_sorted_rows_find (&rows, i, TSR_RUN_CYCLES_RUN, &self->run_index, "runs");
      guint32 ipu = get_ipu (self, &rows, i, TSR_RUN_CYCLES_IPU, TRUE);

      if (run != TSR_NO_INDEX && ipu < t->n_ipus)
        t->run_ipu_cycles[(gsize)run * t->n_ipus + ipu]
            = tsr_sorted_rows_get (&rows, i, TSR_RUN_CYCLES_CYCLES);
    }
  return TRUE;
}

/* Without an ipu column the k-th row is IPU k, if there are as many. */
gboolean
tsr_load_execution_totals (TsrExecutionBuilder *self, GError **error)
{
  TsrExecutionTables *t = self->tables;
  const char *table = "execution_cycle_totals";
  gboolean has_ipu = tsr_profile_has_column (self->loading->profile, table, "ipu");
  g_auto (TsrSortedRows) rows = { 0 };

  if (!tsr_sorted_rows_read_unique (&rows, self->loading, TSR_TABLE_CYCLE_TOTALS, 1, t->strings,
                                    error))
    return FALSE;
  if (rows.n == 0 || t->n_ipus == 0)
    return TRUE;
  if (!has_ipu && rows.n != t->n_ipus)
    {
      tsr_loading_report (self->loading, table, TSR_SEVERITY_WARNING, "ipus-uneven",
                          _ ("there are %u rows for %u IPUs, so which IPU each belongs to is not "
                             "known; they are left out"),
                          rows.n, t->n_ipus);
      return TRUE;
    }
  t->total_cycles = g_new (gint64, t->n_ipus);
  for (guint i = 0; i < t->n_ipus; i++)
    t->total_cycles[i] = TSR_UNKNOWN;
  for (guint i = 0; i < rows.n; i++)
    {
      guint32 ipu = has_ipu ? get_ipu (self, &rows, i, TSR_CYCLE_TOTAL_IPU, TRUE) : i;

      if (ipu < t->n_ipus)
        t->total_cycles[ipu] = tsr_sorted_rows_get (&rows, i, TSR_CYCLE_TOTAL_TOTAL);
    }
  return TRUE;
}

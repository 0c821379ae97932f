/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads rows of steps_by_ipu page by page.  A table that is stored by step (ours) is searched by
 * it; of another one the range of steps in each block of rows is noted in one scan, so a page reads
 * the blocks in which its steps can be, in whatever order rows stand.  A view is read as a whole.
 */

#include "config.h"

#include "tsr-report-exact.h"

#include "tsr-id-index.h"
#include "tsr-scan.h"

#include <math.h>
#include <string.h>

#define TABLE       "steps_by_ipu"
#define PAGE_SLICES 1024
#define BLOCK_ROWS  1024
#define CHECK_EVERY 65536 /* rows between two looks at the cancellable */

enum
{
  STEP,
  IPU,
  N_KEYS, /* those that were asked for follow */
};

static const char *const columns[TSR_N_EXACT] = {
  [TSR_EXACT_CYCLES] = "cycles",
  [TSR_EXACT_ACTIVE_TILES] = "active_tiles",
  [TSR_EXACT_BASE] = "cycles_base",
  [TSR_EXACT_FROM_MIN] = "active_cycles_from_min",
  [TSR_EXACT_FROM_MAX] = "active_cycles_from_max",
  [TSR_EXACT_TO_MIN] = "active_cycles_to_min",
  [TSR_EXACT_TO_MAX] = "active_cycles_to_max",
  [TSR_EXACT_ALL_FROM_MIN] = "all_cycles_from_min",
  [TSR_EXACT_ALL_FROM_MAX] = "all_cycles_from_max",
  [TSR_EXACT_ALL_TO_MIN] = "all_cycles_to_min",
  [TSR_EXACT_ALL_TO_MAX] = "all_cycles_to_max",
  [TSR_EXACT_DATA_IN] = "data_in",
  [TSR_EXACT_DATA_OUT] = "data_out",
  [TSR_EXACT_TILE_BALANCE] = "tile_balance",
  [TSR_EXACT_ACTIVE_TILE_BALANCE] = "active_tile_balance",
};

/* Rows that follow each other in the file. */
typedef struct
{
  gint64 first, end;         /* rowids */
  gint64 min_step, max_step; /* ids */
} Block;

struct _TsrExactReader
{
  TsrReport *report;
  TsrProfile *profile; /* (nullable): there is nothing to read */
  const TsrExecutionTables *tables;
  TsrIdIndex ids; /* of steps, when they do not count on */
  guint n_ipus, page_steps;
  gboolean by_key;
  gboolean by_block; /* else, when not by key, of rows without rowids: each page scans them all */
  GArray *blocks;    /* Block, when not by key */
};

const char *
tsr_exact_column_get_name (TsrExactColumn column)
{
  g_return_val_if_fail (column < TSR_N_EXACT, NULL);
  return columns[column];
}

void
tsr_exact_reader_free (TsrExactReader *self)
{
  g_clear_object (&self->profile);
  g_clear_object (&self->report);
  tsr_id_index_clear (&self->ids);
  g_clear_pointer (&self->blocks, g_array_unref);
  g_free (self);
}

/* A whole number, also one that is stored as a real. */
static gint64
get_number (TsrScan *scan, guint column)
{
  double value;

  if (tsr_scan_get_type (scan, column) == TSR_CELL_INTEGER)
    return tsr_scan_get_int (scan, column);
  value = tsr_scan_get_double (scan, column);
  return fabs (value) <= 0x1p53 && value == floor (value) ? (gint64)value : TSR_UNKNOWN;
}

static gboolean
note_blocks (TsrExactReader *self, GCancellable *cancellable, GError **error)
{
  static const char *const step_only[] = { "step_id", NULL };
  g_autoptr (TsrScan) scan = tsr_scan_new (self->profile, TABLE, step_only, error);
  Block block = { 0 };
  guint n = 0;

  self->blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  while (scan != NULL && tsr_scan_next (scan, error))
    {
      gint64 row = tsr_scan_get_row (scan);
      gint64 id = get_number (scan, 0);

      if (tsr_scan_get_n_rows (scan) % CHECK_EVERY == 0
          && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!tsr_scan_has_rowid (scan))
        {
          block = (Block){ .min_step = G_MININT64, .max_step = G_MAXINT64 };
          g_array_append_val (self->blocks, block);
          return TRUE;
        }
      self->by_block = TRUE;
      if (id == TSR_UNKNOWN || row == G_MAXINT64)
        continue;
      if (n == 0)
        block = (Block){ row, row + 1, id, id };
      block.end = row + 1;
      block.min_step = MIN (block.min_step, id);
      block.max_step = MAX (block.max_step, id);
      if (++n == BLOCK_ROWS)
        {
          g_array_append_val (self->blocks, block);
          n = 0;
        }
    }
  if (n > 0)
    g_array_append_val (self->blocks, block);
  return error == NULL || *error == NULL;
}

TsrExactReader *
tsr_exact_reader_new (TsrReport *report,
                      const TsrExecutionTables *tables,
                      guint n_ipus,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (TsrExactReader) self = NULL;
  GError *local_error = NULL;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  g_return_val_if_fail (tables != NULL && n_ipus > 0, NULL);
  self = g_new0 (TsrExactReader, 1);
  self->report = g_object_ref (report);
  self->tables = tables;
  self->n_ipus = n_ipus;
  self->page_steps = MAX (PAGE_SLICES / n_ipus, 1);
  self->profile = tsr_report_open_profile (report, &local_error);
  if (self->profile != NULL)
    {
      if (self->tables->step_id != NULL)
        tsr_id_index_init (&self->ids, self->tables->step_id, self->tables->n_steps);
      self->by_key = tsr_scan_is_key (self->profile, TABLE, "step_id");
      if (!self->by_key)
        note_blocks (self, cancellable, &local_error);
    }
  if (local_error == NULL)
    return g_steal_pointer (&self);
  g_propagate_error (error, local_error);
  return NULL;
}

guint
tsr_exact_reader_get_page_steps (const TsrExactReader *self)
{
  g_return_val_if_fail (self != NULL, 1);
  return self->page_steps;
}

static guint32
find_step (const TsrExactReader *self, gint64 id)
{
  return self->tables->step_id != NULL ? tsr_id_index_find (&self->ids, id)
                                       : tsr_execution_tables_find_step (self->tables, id);
}

/* Of several rows for a step and an IPU the first one counts. */
static gboolean
read_rows (TsrExactReader *self, TsrScan *scan, TsrExactPage *page, guint8 *seen, GError **error)
{
  GError *local_error = NULL;

  while (scan != NULL && tsr_scan_next (scan, &local_error))
    {
      gint64 id = get_number (scan, STEP);
      guint32 step = id != TSR_UNKNOWN ? find_step (self, id) : TSR_NO_INDEX;
      gint64 ipu = tsr_scan_has_column (scan, IPU) ? get_number (scan, IPU) : 0;
      guint cell = N_KEYS;
      gsize at;

      if (step == TSR_NO_INDEX || step < page->first_step
          || step - page->first_step >= page->n_steps || ipu < 0 || ipu >= page->n_ipus)
        continue;
      at = (gsize)(step - page->first_step) * page->n_ipus + (guint)ipu;
      if (seen[at])
        continue;
      seen[at] = TRUE;
      for (guint i = 0; i < TSR_N_EXACT; i++)
        if (page->values[i] == NULL)
          continue;
        else if (i < TSR_EXACT_TILE_BALANCE)
          page->values[i][at].number = get_number (scan, cell++);
        else
          page->values[i][at].real = tsr_scan_get_double (scan, cell++);
    }
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
read_between (TsrExactReader *self,
              gint64 first,
              gint64 end,
              TsrExactPage *page,
              guint8 *seen,
              GError **error)
{
  const char *names[N_KEYS + TSR_N_EXACT + 1] = { "step_id", "ipu" };
  GError *local_error = NULL;
  g_autoptr (TsrScan) scan = NULL;
  guint n = N_KEYS;

  for (guint i = 0; i < TSR_N_EXACT; i++)
    if (page->values[i] != NULL)
      names[n++] = columns[i];
  if (self->by_key)
    scan = tsr_scan_new_keys (self->profile, TABLE, names, first, end, &local_error);
  else if (self->by_block)
    scan = tsr_scan_new_range (self->profile, TABLE, names, first, end, &local_error);
  else
    scan = tsr_scan_new (self->profile, TABLE, names, &local_error);

  if (local_error == NULL)
    return read_rows (self, scan, page, seen, error);
  g_propagate_error (error, local_error);
  return FALSE;
}

static TsrExactPage *
page_new (const TsrExactReader *self, guint page, guint wanted)
{
  const guint32 first = page * self->page_steps;
  const guint32 n_steps = MIN (self->page_steps, self->tables->n_steps - first);
  const gsize n = n_steps * (gsize)self->n_ipus;
  TsrExactPage *result = g_malloc0 (
      sizeof *result + n * sizeof (TsrExactValue) * (gsize)__builtin_popcount (wanted));
  TsrExactValue *next = result->store;

  result->first_step = first;
  result->n_steps = n_steps;
  result->n_ipus = self->n_ipus;
  for (guint i = 0; i < TSR_N_EXACT; i++)
    {
      if ((wanted & 1u << i) == 0)
        continue;
      result->values[i] = next;
      for (gsize k = 0; k < n; k++, next++)
        if (i < TSR_EXACT_TILE_BALANCE)
          next->number = TSR_UNKNOWN;
        else
          next->real = NAN;
    }
  return result;
}

TsrExactPage *
tsr_exact_reader_read_page (TsrExactReader *self, guint page, guint wanted, GError **error)
{
  g_autofree TsrExactPage *result = NULL;
  g_autofree guint8 *seen = NULL;
  gint64 first_id;
  gint64 last_id;
  gboolean ok = TRUE;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail ((guint64)page * self->page_steps < self->tables->n_steps, NULL);
  g_return_val_if_fail (wanted >> TSR_N_EXACT == 0, NULL);
  result = page_new (self, page, wanted);
  if (self->profile == NULL)
    return g_steal_pointer (&result);
  seen = g_malloc0 (result->n_steps * (gsize)result->n_ipus);
  first_id = tsr_execution_tables_get_step_id (self->tables, result->first_step);
  last_id
      = tsr_execution_tables_get_step_id (self->tables, result->first_step + result->n_steps - 1);
  if (self->by_key)
    ok = read_between (self, first_id, MIN (last_id, G_MAXINT64 - 1) + 1, result, seen, error);
  for (guint i = 0; ok && !self->by_key && i < self->blocks->len; i++)
    {
      const Block *block = &g_array_index (self->blocks, Block, i);

      if (block->max_step >= first_id && block->min_step <= last_id)
        ok = read_between (self, block->first, block->end, result, seen, error);
    }
  ok = ok && tsr_database_check_unchanged (tsr_profile_get_database (self->profile), error);
  return ok ? g_steal_pointer (&result) : NULL;
}

gboolean
tsr_report_read_run_times (TsrReport *self,
                           const TsrExecutionTables *tables,
                           double **start,
                           double **end,
                           GCancellable *cancellable,
                           GError **error)
{
  static const char *const names[] = { "id", "microseconds_start", "microseconds_end", NULL };
  g_autoptr (TsrProfile) profile = NULL;
  g_autoptr (TsrScan) scan = NULL;
  g_autofree double *starts = NULL;
  g_autofree double *ends = NULL;
  GError *local_error = NULL;

  g_return_val_if_fail (TSR_IS_REPORT (self) && start != NULL && end != NULL, FALSE);
  g_return_val_if_fail (tables != NULL, FALSE);
  starts = g_new (double, tables->n_runs + 1);
  ends = g_new (double, tables->n_runs + 1);
  for (guint i = 0; i < tables->n_runs; i++)
    starts[i] = ends[i] = NAN;
  profile = tsr_report_open_profile (self, &local_error);
  if (profile != NULL)
    scan = tsr_scan_new (profile, "runs", names, &local_error);
  while (scan != NULL && tsr_scan_next (scan, &local_error)
         && !g_cancellable_set_error_if_cancelled (cancellable, &local_error))
    {
      guint32 row = tsr_id_index_find_id (tables->run_id, tables->n_runs, get_number (scan, 0));

      if (row == TSR_NO_INDEX)
        continue;
      starts[row] = tsr_scan_get_double (scan, 1);
      ends[row] = tsr_scan_get_double (scan, 2);
    }
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  *start = g_steal_pointer (&starts);
  *end = g_steal_pointer (&ends);
  return TRUE;
}

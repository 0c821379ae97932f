/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Code and cycles of one operation on each tile, from the arrays that its figures are the totals
 * of. */

#include "config.h"

#include "tsr-operations-private.h"

#include "tsr-error.h"
#include "tsr-scan.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

typedef struct
{
  TsrOperations *self;
  guint operation;
  TsrProfile *profile;
  guint n;         /* values of an array */
  guint32 *values; /* of the one that was read last */
  gint64 *sums;    /* of all tiles */
} Adding;

static gboolean
is_told (const TsrTileArrayRef *ref)
{
  return ref->id != TSR_UNKNOWN || ref->total != TSR_UNKNOWN;
}

static gboolean
set_missing (GError **error, const char *text)
{
  g_set_error_literal (error, TSR_ERROR, TSR_ERROR_MISSING_PART, text);
  return FALSE;
}

/* Into @adding->values. */
static gboolean
read_array (Adding *adding, gint64 id, GError **error)
{
  gboolean found = FALSE;

  if (id != TSR_UNKNOWN
      && !tsr_profile_read_tile_array (adding->profile, id, adding->n, adding->values, &found,
                                       error))
    return FALSE;
  if (!found)
    tsr_operations_set_array_missing (id, error);
  return found;
}

/* @times the array to the tiles from @first on. */
static gboolean
add_array (Adding *adding, gint64 id, guint first, gint64 times, GError **error)
{
  if (!read_array (adding, id, error))
    return FALSE;
  for (guint i = 0; i < adding->n; i++)
    {
      gint64 product;

      if (__builtin_mul_overflow ((gint64)adding->values[i], times, &product)
          || __builtin_add_overflow (adding->sums[first + i], product, &adding->sums[first + i]))
        adding->sums[first + i] = G_MAXINT64;
    }
  return TRUE;
}

/* ---- cycles */

static gboolean
add_estimated (Adding *adding, GCancellable *cancellable, GError **error)
{
  const TsrOperations *self = adding->self;
  g_autofree gint64 *executions = tsr_operations_dup_executions (self);
  guint n;
  const guint32 *programs = tsr_operations_get_programs (self, adding->operation, &n);

  for (guint i = 0; i < n; i++)
    {
      const guint32 program = programs[i];
      const TsrTileArrayRef *ref = tsr_program_tables_get_estimate (self->programs, program);
      const gboolean has_set = self->programs->program_compute_set[program] != TSR_NO_INDEX;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (executions[program] == 0 || (!has_set && !is_told (ref)))
        continue;
      if (ref->id == TSR_UNKNOWN || executions[program] == TSR_UNKNOWN)
        return set_missing (error, _ ("The cycles of some of its steps are not estimated for each "
                                      "tile (compute_sets.estimated_cycles_by_tile)"));
      if (!add_array (adding, ref->id, 0, executions[program], error))
        return FALSE;
    }
  return TRUE;
}

/* How often each set of tile_cycles was measured, on each IPU: set x IPUs + IPU to a number. */
static GHashTable *
count_sets (const Adding *adding)
{
  const TsrOperations *self = adding->self;
  const TsrExecutionTables *t = self->execution;
  GHashTable *counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint ipu = 0; ipu < t->n_ipus; ipu++)
    for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
      {
        const guint32 step = t->slice_step[i];
        const guint32 program = tsr_programs_get_of_step (self->graph, t, step);
        const guint of = program == TSR_NO_INDEX ? self->n - 1 : self->of_program[program];
        const guint32 set = t->step_tile_cycles != NULL ? t->step_tile_cycles[step] : TSR_NO_INDEX;
        const gint64 key = (gint64)set * t->n_ipus + ipu;

        if (of != adding->operation || set == TSR_NO_INDEX)
          continue;
        g_hash_table_insert (
            counts, g_memdup2 (&key, sizeof key),
            GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, &key)) + 1));
      }
  return counts;
}

static gboolean
add_measured (Adding *adding, GCancellable *cancellable, GError **error)
{
  static const char *const columns[] = { "set_id", "ipu", "cycles_by_tile", NULL };
  const TsrOperations *self = adding->self;
  const guint n_ipus = self->execution->n_ipus;
  g_autoptr (GHashTable) counts = count_sets (adding);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, 3 * sizeof (gint64));
  g_autoptr (TsrScan) scan = NULL;
  GError *local = NULL;

  scan = tsr_scan_new (adding->profile, "tile_cycles", columns, &local);
  while (scan != NULL && local == NULL && tsr_scan_next (scan, &local))
    {
      const gint64 set = tsr_scan_get_int (scan, 0), ipu = tsr_scan_get_int (scan, 1);
      gint64 key, row[3] = { tsr_scan_get_int (scan, 2), ipu, 0 };

      if (set < 0 || set >= TSR_NO_INDEX || ipu < 0 || ipu >= n_ipus)
        continue;
      key = set * n_ipus + ipu;
      row[2] = GPOINTER_TO_UINT (g_hash_table_lookup (counts, &key));
      if (row[2] == 0)
        continue;
      g_hash_table_remove (counts, &key); /* the first of several, as elsewhere */
      g_array_append_vals (found, row, 1);
    }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  for (guint i = 0; i < found->len; i++)
    {
      const gint64 *row = (const gint64 *)(gpointer)found->data + (gsize)i * 3;

      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !add_array (adding, row[0], (guint)row[1] * adding->n, row[2], error))
        return FALSE;
    }
  return TRUE;
}

/* ---- all */

static gboolean
prepare (Adding *adding, TsrOperationByTile what, guint *n, GError **error)
{
  TsrOperations *self = adding->self;
  const gint64 per_ipu = tsr_memory_get_tiles_per_ipu (self->memory);

  *n = adding->n = self->n_tiles;
  if (what == TSR_OPERATION_BY_TILE_MEASURED)
    {
      if (self->execution == NULL || self->execution->n_steps == 0)
        return set_missing (error, _ ("No execution is recorded (steps; the engine option "
                                      "autoReport.outputExecutionProfile records it)"));
      if (self->figures[TSR_OPERATION_TILE_CYCLES][adding->operation] == TSR_UNKNOWN)
        return set_missing (error, _ ("The cycles of single tiles are not recorded for all of its "
                                      "steps (tile_cycles)"));
      if (per_ipu <= 0 || per_ipu > G_MAXINT32 / self->execution->n_ipus)
        return set_missing (error, _ ("The report does not say how many tiles an IPU has"));
      adding->n = (guint)per_ipu;
      *n = adding->n * self->execution->n_ipus;
    }
  if (*n == 0)
    return set_missing (error, _ ("The report has no tiles (memory_by_tile)"));
  return TRUE;
}

gint64 *
tsr_operations_dup_by_tile (TsrOperations *self,
                            guint operation,
                            TsrOperationByTile what,
                            guint *n,
                            GCancellable *cancellable,
                            GError **error)
{
  g_autofree guint32 *values = NULL;
  g_autofree gint64 *sums = NULL;
  g_autoptr (TsrProfile) profile = NULL;
  Adding adding = { .self = self, .operation = operation };
  gboolean good;

  g_return_val_if_fail (self != NULL && operation < self->n && n != NULL, NULL);
  g_return_val_if_fail (what < TSR_N_OPERATION_BY_TILE, NULL);
  if (!prepare (&adding, what, n, error))
    return NULL;
  profile = adding.profile = tsr_report_open_profile (self->report, error);
  if (profile == NULL)
    return NULL;
  tsr_database_set_cancellable (tsr_profile_get_database (profile), cancellable);
  values = adding.values = g_new (guint32, adding.n);
  sums = adding.sums = g_new0 (gint64, *n);
  if (what == TSR_OPERATION_BY_TILE_ESTIMATED)
    good = add_estimated (&adding, cancellable, error);
  else if (what == TSR_OPERATION_BY_TILE_MEASURED)
    good = add_measured (&adding, cancellable, error);
  else
    good = tsr_operations_add_code (self, operation, what, profile, sums, error);
  return good ? g_steal_pointer (&sums) : NULL;
}

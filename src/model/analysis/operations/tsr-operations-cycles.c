/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cycles, FLOPs and bytes moved of operations: one pass over the slices of each IPU, and the totals
 * of tile_cycles instead of its arrays. */

#include "config.h"

#include "tsr-operations-private.h"

#include "tsr-id-index.h"
#include "tsr-scan.h"
#include "tsr-trace.h"

#include <math.h>
#include <string.h>

#define CANCEL_EVERY 65536

/* What a set of tile_cycles comes to on one IPU. */
typedef struct
{
  gint64 key; /* set x IPUs + IPU */
  gint64 total;
} SetTotal;

typedef struct
{
  GArray *sets; /* SetTotal, ascending */
  gint64 *keys;
  TsrIdIndex index;
} SetTotals;

static int
compare_sets (gconstpointer a, gconstpointer b)
{
  const SetTotal *x = a, *y = b;

  return x->key < y->key ? -1 : x->key > y->key;
}

static void
set_totals_clear (SetTotals *self)
{
  tsr_id_index_clear (&self->index);
  g_free (self->keys);
  g_clear_pointer (&self->sets, g_array_unref);
}

/* The total of an array is told beside its data, which are not read. */
static GHashTable *
read_array_totals (TsrProfile *profile, GError **error)
{
  static const char *const columns[] = { "id", "total", NULL };
  GHashTable *totals = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_autoptr (TsrScan) scan = NULL;
  GError *local = NULL;

  scan = tsr_scan_new (profile, "tile_arrays", columns, &local);
  while (scan != NULL && local == NULL && tsr_scan_next (scan, &local))
    {
      const gint64 id = tsr_scan_get_int (scan, 0), total = tsr_scan_get_int (scan, 1);

      if (id != TSR_UNKNOWN && total != TSR_UNKNOWN)
        g_hash_table_insert (totals, g_memdup2 (&id, sizeof id), g_memdup2 (&total, sizeof total));
    }
  if (local == NULL)
    return totals;
  g_propagate_error (error, local);
  g_hash_table_unref (totals);
  return NULL;
}

static gboolean
read_sets (TsrOperations *self, SetTotals *sets, GCancellable *cancellable, GError **error)
{
  static const char *const columns[] = { "set_id", "ipu", "cycles_by_tile", NULL };
  const gint64 n_ipus = self->execution->n_ipus;
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (self->report, error);
  g_autoptr (GHashTable) totals = NULL;
  g_autoptr (TsrScan) scan = NULL;
  GError *local = NULL;
  guint n = 0;

  sets->sets = g_array_new (FALSE, FALSE, sizeof (SetTotal));
  if (profile == NULL)
    return FALSE;
  tsr_database_set_cancellable (tsr_profile_get_database (profile), cancellable);
  totals = read_array_totals (profile, error);
  if (totals == NULL)
    return FALSE;
  scan = tsr_scan_new (profile, "tile_cycles", columns, &local);
  while (scan != NULL && local == NULL && tsr_scan_next (scan, &local))
    {
      const gint64 set = tsr_scan_get_int (scan, 0), id = tsr_scan_get_int (scan, 2);
      const gint64 ipu = tsr_scan_get_int (scan, 1);
      const gint64 *total = g_hash_table_lookup (totals, &id);
      SetTotal entry = { 0, total != NULL ? *total : TSR_UNKNOWN };

      if (set < 0 || set >= TSR_NO_INDEX || ipu < 0 || ipu >= n_ipus)
        continue;
      entry.key = set * n_ipus + ipu;
      g_array_append_val (sets->sets, entry);
    }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_array_sort (sets->sets, compare_sets);
  for (guint i = 0; i < sets->sets->len; i++) /* the first of several, as elsewhere */
    if (n == 0
        || g_array_index (sets->sets, SetTotal, i).key
               != g_array_index (sets->sets, SetTotal, n - 1).key)
      g_array_index (sets->sets, SetTotal, n++) = g_array_index (sets->sets, SetTotal, i);
  g_array_set_size (sets->sets, n);
  sets->keys = g_new (gint64, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    sets->keys[i] = g_array_index (sets->sets, SetTotal, i).key;
  tsr_id_index_init (&sets->index, sets->keys, n);
  return TRUE;
}

/* ---- steps */

typedef struct
{
  TsrOperations *self;
  const TsrExecutionTables *t;
  SetTotals sets;
  guint8 *useful; /* by step type */
  TsrRunLeads leads;
  gint64 *wall;   /* of one IPU, by operation */
  double *weight; /* by operation: cycles that the balance is of */
} Walk;

/* Measured cycles over the tiles of an IPU; 0 for waits, which no tile spends by itself. */
static gint64
tile_cycles (const Walk *walk, gsize slice, guint ipu)
{
  const TsrExecutionTables *t = walk->t;
  const guint32 step = t->slice_step[slice];
  const guint32 set = t->step_tile_cycles != NULL ? t->step_tile_cycles[step] : TSR_NO_INDEX;
  guint32 place;

  if (set == TSR_NO_INDEX)
    return !walk->useful[t->step_type[step]] || tsr_narrow_get (&t->slice_active_tiles, slice) == 0
               ? 0
               : TSR_UNKNOWN;
  place = tsr_id_index_find (&walk->sets.index, (gint64)set * t->n_ipus + ipu);
  if (place != TSR_NO_INDEX)
    return g_array_index (walk->sets.sets, SetTotal, place).total;
  /* The set has no row for IPUs that take no part. */
  return tsr_narrow_get (&t->slice_active_tiles, slice) == 0 ? 0 : TSR_UNKNOWN;
}

/* The operation of a slice: that of the program of its step. */
static guint
get_operation (const TsrOperations *self, gsize slice)
{
  const TsrExecutionTables *t = self->execution;
  const guint32 program = tsr_programs_get_of_step (self->graph, t, t->slice_step[slice]);

  return program == TSR_NO_INDEX ? self->n - 1 : self->of_program[program];
}

static gint64
get_length (const TsrExecutionTables *t, gsize slice)
{
  return t->slice_start[slice] == TSR_UNKNOWN || t->slice_end[slice] == TSR_UNKNOWN
             ? TSR_UNKNOWN
             : t->slice_end[slice] - t->slice_start[slice];
}

static gboolean
walk_ipu (Walk *walk, guint ipu, gint64 *all, GCancellable *cancellable)
{
  TsrOperations *self = walk->self;
  const TsrExecutionTables *t = walk->t;

  memset (walk->wall, 0, self->n * sizeof *walk->wall);
  tsr_run_leads_begin_ipu (&walk->leads);
  *all = 0;
  for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
    {
      const guint operation = get_operation (self, i);
      const gint64 length = get_length (t, i);
      const gint64 cycles = tile_cycles (walk, i, ipu);
      const gint64 longest = tsr_narrow_get (&t->slice_cycles, i);
      const float balance = t->slice_tile_balance != NULL ? t->slice_tile_balance[i] : NAN;

      if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      if (!tsr_run_leads_take (&walk->leads, i))
        {
          tsr_variables_sum_add (&walk->wall[operation], length);
          tsr_variables_sum_add (all, length);
        }
      tsr_variables_sum_add (&self->figures[TSR_OPERATION_TILE_CYCLES][operation], cycles);
      tsr_variables_sum_add (&self->totals[TSR_OPERATION_TILE_CYCLES], cycles);
      if (!isnan (balance) && longest != TSR_UNKNOWN)
        {
          self->balance[operation] += (double)balance * (double)longest;
          walk->weight[operation] += (double)longest;
        }
    }
  return TRUE;
}

/* The larger one; unknown if one is. */
static gint64
longer (gint64 a, gint64 b)
{
  return a == TSR_UNKNOWN || b == TSR_UNKNOWN ? TSR_UNKNOWN : MAX (a, b);
}

/* Steps are told without their cycles. */
static void
set_unmeasured (TsrOperations *self)
{
  static const TsrOperationFigure measured[]
      = { TSR_OPERATION_TILE_CYCLES, TSR_OPERATION_WALL_CYCLES };

  for (guint k = 0; k < G_N_ELEMENTS (measured); k++)
    {
      self->totals[measured[k]] = TSR_UNKNOWN;
      for (guint i = 0; i < self->n; i++)
        self->figures[measured[k]][i] = TSR_UNKNOWN;
    }
}

static void
set_unknown (TsrOperations *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      self->balance[i] = NAN;
      self->figures[TSR_OPERATION_EXECUTIONS][i] = TSR_UNKNOWN;
    }
  set_unmeasured (self);
}

static gboolean
walk_all (Walk *walk, const gint64 *executions, GCancellable *cancellable, GError **error)
{
  TsrOperations *self = walk->self;
  const TsrExecutionTables *t = walk->t;
  gint64 *wall = self->figures[TSR_OPERATION_WALL_CYCLES];
  gint64 *of = self->figures[TSR_OPERATION_EXECUTIONS];

  for (guint32 i = 0; i < self->programs->n_programs; i++)
    of[self->of_program[i]] = MAX (of[self->of_program[i]], executions[i]);
  self->totals[TSR_OPERATION_TILE_CYCLES] = self->totals[TSR_OPERATION_WALL_CYCLES] = 0;
  memset (self->balance, 0, self->n * sizeof (double));
  for (guint ipu = 0; ipu < t->n_ipus; ipu++)
    {
      gint64 all;

      if (!walk_ipu (walk, ipu, &all, cancellable))
        {
          g_cancellable_set_error_if_cancelled (cancellable, error);
          return FALSE;
        }
      for (guint i = 0; i < self->n; i++)
        wall[i] = longer (wall[i], walk->wall[i]);
      self->totals[TSR_OPERATION_WALL_CYCLES]
          = longer (self->totals[TSR_OPERATION_WALL_CYCLES], all);
    }
  for (guint i = 0; i < self->n; i++)
    self->balance[i] = walk->weight[i] > 0 ? self->balance[i] / walk->weight[i] : NAN;
  if (t->n_ipus == 0 || t->ipu_start[t->n_ipus] == 0)
    set_unmeasured (self);
  return TRUE;
}

gint64 *
tsr_operations_dup_executions (const TsrOperations *self)
{
  const TsrExecutionTables *t = self->execution;
  gint64 *executions = g_new0 (gint64, MAX (self->programs->n_programs, 1));

  if (t == NULL || t->n_steps == 0)
    {
      for (guint32 i = 0; i < self->programs->n_programs; i++)
        executions[i] = tsr_programs_get (self->graph, i, TSR_PROGRAM_EXECUTIONS);
      return executions;
    }
  for (guint32 step = 0; step < t->n_steps; step++)
    {
      const guint32 program = tsr_programs_get_of_step (self->graph, t, step);

      if (program != TSR_NO_INDEX)
        executions[program]++;
    }
  return executions;
}

static gboolean
measure (TsrOperations *self, const gint64 *executions, GCancellable *cancellable, GError **error)
{
  const TsrExecutionTables *t = self->execution;
  Walk walk = { .self = self, .t = t };
  gboolean good;

  if (t == NULL || t->n_steps == 0)
    {
      set_unknown (self);
      return TRUE;
    }
  walk.useful = g_new0 (guint8, 256);
  tsr_run_leads_init (&walk.leads, t);
  walk.wall = g_new (gint64, self->n);
  walk.weight = g_new0 (double, self->n);
  for (guint i = 0; i < t->n_types; i++)
    {
      const char *type = tsr_string_table_get (t->strings, t->type_name[i]);

      walk.useful[i] = tsr_step_group_is_useful (tsr_step_group_of (type));
    }
  good = read_sets (self, &walk.sets, cancellable, error)
         && walk_all (&walk, executions, cancellable, error);
  set_totals_clear (&walk.sets);
  g_free (walk.useful);
  tsr_run_leads_clear (&walk.leads);
  g_free (walk.wall);
  g_free (walk.weight);
  return good;
}

gboolean
tsr_operations_find_group_cycles (const TsrOperations *self,
                                  const guint *operations,
                                  const guint *starts,
                                  guint n_groups,
                                  gint64 *cycles,
                                  GCancellable *cancellable,
                                  GError **error)
{
  const TsrExecutionTables *t;
  g_auto (TsrRunLeads) leads = { 0 };
  g_autofree guint *group_of = NULL; /* by operation; @n_groups: none */
  g_autofree gint64 *wall = NULL;    /* of one IPU, by group */

  g_return_val_if_fail (self != NULL && operations != NULL && starts != NULL, FALSE);
  g_return_val_if_fail (cycles != NULL, FALSE);
  t = self->execution;
  for (guint g = 0; g < n_groups; g++)
    cycles[g] = t != NULL && t->n_steps > 0 ? 0 : TSR_UNKNOWN;
  if (t == NULL)
    return TRUE;
  tsr_run_leads_init (&leads, t);
  group_of = g_new (guint, self->n);
  wall = g_new (gint64, n_groups + 1);
  for (guint i = 0; i < self->n; i++)
    group_of[i] = n_groups;
  for (guint g = 0; g < n_groups; g++)
    for (guint i = starts[g]; i < starts[g + 1]; i++)
      group_of[operations[i]] = g;
  for (guint ipu = 0; ipu < t->n_ipus; ipu++)
    {
      memset (wall, 0, (n_groups + 1) * sizeof *wall);
      tsr_run_leads_begin_ipu (&leads);
      for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
        {
          if (i % CANCEL_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
          if (!tsr_run_leads_take (&leads, i))
            tsr_variables_sum_add (&wall[group_of[get_operation (self, i)]], get_length (t, i));
        }
      for (guint g = 0; g < n_groups; g++)
        cycles[g] = longer (cycles[g], wall[g]);
    }
  return TRUE;
}

/* ---- estimates */

static void
add_times (
    TsrOperations *self, TsrOperationFigure figure, guint operation, gint64 value, gint64 times)
{
  gint64 product;

  if (times == 0 || value == 0)
    return;
  if (value == TSR_UNKNOWN || times == TSR_UNKNOWN
      || __builtin_mul_overflow (value, times, &product))
    product = TSR_UNKNOWN;
  tsr_variables_sum_add (&self->figures[figure][operation], product);
  tsr_variables_sum_add (&self->totals[figure], product);
}

/* What one execution of a program comes to over its vertices; 0 without any. */
static gint64
sum_vertices (const TsrOperations *self, guint32 program, const gint64 *column)
{
  const TsrProgramTables *tables = self->programs;
  const guint32 set = tables->program_compute_set[program];
  gint64 sum = 0;

  if (!tsr_programs_tells_vertices (self->graph, program))
    return TSR_UNKNOWN;
  if (set == TSR_NO_INDEX)
    return 0;
  for (guint32 i = tables->vertex_start[set]; i < tables->vertex_start[set + 1]; i++)
    tsr_variables_sum_add (&sum, column[i]);
  return sum;
}

/* Without an array zero, if @figure of the program is known: it is no exchange, or moves nothing.
 */
static gint64
total_of (const TsrOperations *self, guint32 program, TsrTileArrayRef ref, TsrProgramFigure figure)
{
  if (ref.id != TSR_UNKNOWN || ref.total != TSR_UNKNOWN)
    return ref.total;
  return tsr_programs_get (self->graph, program, figure) != TSR_UNKNOWN ? 0 : TSR_UNKNOWN;
}

static void
estimate (TsrOperations *self, const gint64 *executions)
{
  static const TsrOperationFigure figures[] = { TSR_OPERATION_ESTIMATED, TSR_OPERATION_FLOPS,
                                                TSR_OPERATION_DATA_IN, TSR_OPERATION_DATA_OUT };
  const TsrProgramTables *tables = self->programs;

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    self->totals[figures[i]] = 0;
  for (guint32 i = 0; i < tables->n_programs; i++)
    {
      const guint operation = self->of_program[i];
      const guint32 set = tables->program_compute_set[i];
      gint64 cycles;

      if (set == TSR_NO_INDEX)
        cycles
            = total_of (self, i, tables->program_estimated_cycles[i], TSR_PROGRAM_ESTIMATED_SELF);
      else if (tables->compute_set_estimated_cycles[set].total != TSR_UNKNOWN)
        cycles = tables->compute_set_estimated_cycles[set].total;
      else
        cycles = sum_vertices (self, i, tables->vertex_estimated_cycles);
      add_times (self, TSR_OPERATION_ESTIMATED, operation, cycles, executions[i]);
      add_times (self, TSR_OPERATION_FLOPS, operation, sum_vertices (self, i, tables->vertex_flops),
                 executions[i]);
      add_times (self, TSR_OPERATION_DATA_IN, operation,
                 total_of (self, i, tables->program_data_in[i], TSR_PROGRAM_MOVED_SELF),
                 executions[i]);
      add_times (self, TSR_OPERATION_DATA_OUT, operation,
                 total_of (self, i, tables->program_data_out[i], TSR_PROGRAM_MOVED_SELF),
                 executions[i]);
    }
}

gboolean
tsr_operations_compute_cycles (TsrOperations *self, GCancellable *cancellable, GError **error)
{
  g_autofree gint64 *executions = tsr_operations_dup_executions (self);

  if (!measure (self, executions, cancellable, error))
    return FALSE;
  estimate (self, executions);
  return TRUE;
}

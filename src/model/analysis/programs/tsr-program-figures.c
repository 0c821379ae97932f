/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What programs take.  Executions go down the graph, from the roots; totals go up, from the leaves:
 * each one loop over the programs in their order, so neither depth nor sharing costs anything. */

#include "config.h"

#include "tsr-programs-private.h"

#include "tsr-known.h"
#include "tsr-trace.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#define CANCEL_EVERY 65536

/* ------------------------------------------------------------- arithmetic */

/* 0 times an unknown number is 0. */
static gint64
multiply (gint64 a, gint64 b)
{
  return a == 0 || b == 0 ? 0 : tsr_known_multiply (a, b);
}

/* -------------------------------------------------- of a program by itself */

/* Whether a program of this type takes time and moves data, so that a missing figure is not told
 * rather than nothing. */
static gboolean
is_exchange (const TsrPrograms *self, guint32 program)
{
  TsrStepGroup group = self->groups[program];

  return group != TSR_STEP_GROUP_COMPUTE && tsr_step_group_is_useful (group);
}

static gint64
missing (const TsrPrograms *self, guint32 program)
{
  return is_exchange (self, program) ? TSR_UNKNOWN : 0;
}

gboolean
tsr_programs_tells_vertices (const TsrPrograms *self, guint32 program)
{
  const TsrProgramTables *t;

  g_return_val_if_fail (self != NULL && program < self->n, FALSE);
  t = self->tables;
  if (t->program_compute_set[program] == TSR_NO_INDEX)
    return self->groups[program] != TSR_STEP_GROUP_COMPUTE;
  return t->vertex_start[t->n_compute_sets] > 0;
}

static gint64
get_estimated_self (const TsrPrograms *self, guint32 program)
{
  const TsrTileArrayRef *estimate = tsr_program_tables_get_estimate (self->tables, program);

  if (self->tables->program_compute_set[program] != TSR_NO_INDEX || estimate->id != TSR_UNKNOWN
      || estimate->maximum != TSR_UNKNOWN)
    return estimate->maximum;
  return self->groups[program] == TSR_STEP_GROUP_COMPUTE ? TSR_UNKNOWN : missing (self, program);
}

/* A copy from or to the host has one of the two. */
static gint64
get_moved_self (const TsrPrograms *self, guint32 program)
{
  const TsrTileArrayRef *in = &self->tables->program_data_in[program];
  const TsrTileArrayRef *out = &self->tables->program_data_out[program];
  gboolean has_in = in->id != TSR_UNKNOWN || in->total != TSR_UNKNOWN;
  gboolean has_out = out->id != TSR_UNKNOWN || out->total != TSR_UNKNOWN;

  if (!has_in && !has_out)
    return missing (self, program);
  return tsr_known_add (has_in ? in->total : 0, has_out ? out->total : 0);
}

/* Sum over the entries of its compute set. */
static gint64
sum_vertices (const TsrPrograms *self,
              guint32 program,
              gint64 (*get) (const TsrProgramTables *tables, guint32 entry))
{
  const TsrProgramTables *t = self->tables;
  guint32 set = t->program_compute_set[program];
  gint64 sum = 0;

  if (!tsr_programs_tells_vertices (self, program))
    return TSR_UNKNOWN;
  if (set == TSR_NO_INDEX)
    return 0;
  for (guint32 i = t->vertex_start[set]; i < t->vertex_start[set + 1]; i++)
    sum = tsr_known_add (sum, get (t, i));
  return sum;
}

static gint64
get_flops (const TsrProgramTables *tables, guint32 entry)
{
  return tables->vertex_flops[entry];
}

static gint64
get_vertex_code (const TsrProgramTables *tables, guint32 entry)
{
  return tables->vertex_type_code[tables->vertex_type[entry]].total;
}

static gint64
get_flops_self (const TsrPrograms *self, guint32 program)
{
  return sum_vertices (self, program, get_flops);
}

static gint64
get_vertex_self (const TsrPrograms *self, guint32 program)
{
  return sum_vertices (self, program, get_vertex_code);
}

static gint64
get_exchange_self (const TsrPrograms *self, guint32 program)
{
  const TsrTileArrayRef *code = &self->tables->program_code[program];

  return code->id != TSR_UNKNOWN || code->total != TSR_UNKNOWN ? code->total
                                                               : missing (self, program);
}

/* ------------------------------------------------------------------- above */

/* Executions go from a program to what is below it, where the same compilation step leads to both.
 */
static gboolean
passes_on (const TsrPrograms *self, guint32 program, guint32 edge)
{
  guint32 child = self->edge_child[edge];

  return !tsr_programs_is_cut (self, edge) && self->reach[child] == self->reach[program];
}

static void
compute_executions (TsrPrograms *self)
{
  guint32 rank = TSR_NO_INDEX, step = TSR_NO_INDEX;

  self->executions = g_new0 (gint64, MAX (self->n, 1));
  self->weights = g_new0 (double, MAX (self->n, 1));
  self->n_passing = g_new0 (guint32, MAX (self->n, 1));
  for (guint i = 0; i < self->n_roots; i++)
    {
      const TsrProgramRoot *root = &self->roots[i];
      guint32 p = root->program;
      gboolean derived = root->step == TSR_NO_INDEX && self->reach[p] == TSR_NO_INDEX;

      if (!derived && (rank == TSR_NO_INDEX || root->step != step))
        {
          rank++; /* from none to 0 */
          step = root->step;
        }
      if (root->kind == TSR_ROOT_FUNCTION || (!derived && self->reach[p] != rank))
        continue;
      self->executions[p] = derived && root->kind == TSR_ROOT_OTHER ? TSR_UNKNOWN : 1;
      self->weights[p] = 1;
    }
  for (guint32 k = self->n; k-- > 0;)
    {
      guint32 p = self->order[k];
      gint64 repeats = tsr_programs_get_repeats (self, p);
      gint64 times = multiply (self->executions[p], repeats);
      double weight = self->weights[p] * (repeats != TSR_UNKNOWN ? (double)repeats : 1);

      for (guint32 e = self->edge_start[p]; e < self->edge_start[p + 1]; e++)
        if (passes_on (self, p, e))
          {
            guint32 child = self->edge_child[e];

            self->executions[child] = tsr_known_add (self->executions[child], times);
            self->weights[child] += weight;
            self->n_passing[child]++;
          }
    }
}

double
tsr_programs_get_part (const TsrPrograms *self, guint32 program, guint32 edge)
{
  guint32 child;
  gint64 repeats;
  double weight;

  g_return_val_if_fail (self != NULL && program < self->n, 0);
  g_return_val_if_fail (edge >= self->edge_start[program] && edge < self->edge_start[program + 1],
                        0);
  if (tsr_programs_is_cut (self, edge))
    return 0;
  child = self->edge_child[edge];
  if (self->n_parents[child] == 1)
    return 1;
  if (!passes_on (self, program, edge))
    return 0;
  /* Nobody knows of an execution, or there are more than a number can hold: equal parts. */
  if (!(self->weights[child] > 0) || !isfinite (self->weights[child]))
    return 1.0 / self->n_passing[child];
  repeats = tsr_programs_get_repeats (self, program);
  weight = self->weights[program] * (repeats != TSR_UNKNOWN ? (double)repeats : 1);
  return weight / self->weights[child];
}

/* ------------------------------------------------------------------- below */

/* self + repeats x the sum of what is below. */
static gint64 *
sum_executed (const TsrPrograms *self,
              gint64 (*get_self) (const TsrPrograms *self, guint32 program))
{
  gint64 *totals = g_new (gint64, MAX (self->n, 1));

  for (guint32 k = 0; k < self->n; k++)
    {
      guint32 p = self->order[k];
      gint64 below = 0;

      for (guint32 e = self->edge_start[p]; e < self->edge_start[p + 1]; e++)
        if (!tsr_programs_is_cut (self, e))
          below = tsr_known_add (below, totals[self->edge_child[e]]);
      totals[p] = tsr_known_add (get_self (self, p),
                                 multiply (tsr_programs_get_repeats (self, p), below));
    }
  return totals;
}

/* Parts of each total go to all that lead there; rounded once. */
static gint64 *
sum_shared (const TsrPrograms *self, const gint64 *own)
{
  g_autofree long double *sums = g_new (long double, MAX (self->n, 1));
  gint64 *totals = g_new (gint64, MAX (self->n, 1));

  for (guint32 k = 0; k < self->n; k++)
    {
      guint32 p = self->order[k];
      long double sum = own[p] != TSR_UNKNOWN ? (long double)own[p] : (long double)NAN;

      for (guint32 e = self->edge_start[p]; e < self->edge_start[p + 1]; e++)
        {
          long double below = sums[self->edge_child[e]];

          if (!tsr_programs_is_cut (self, e) && below != 0)
            sum += below * (long double)tsr_programs_get_part (self, p, e);
        }
      sums[p] = sum;
      totals[p] = isfinite (sum) && sum < 9.2e18L ? (gint64)llroundl (sum) : TSR_UNKNOWN;
    }
  return totals;
}

/* --------------------------------------------------------------- execution */

/* Of each step the cycles of the IPU where it took longest, without the waits that lead runs. */
static gint64 *
find_step_cycles (const TsrExecutionTables *t, GCancellable *cancellable, GError **error)
{
  g_autofree gint64 *cycles = g_new (gint64, MAX (t->n_steps, 1));
  g_autofree guint8 *odd = g_new0 (guint8, MAX (t->n_steps, 1));
  g_auto (TsrRunLeads) leads = { NULL };

  tsr_run_leads_init (&leads, t);
  for (guint32 step = 0; step < t->n_steps; step++)
    cycles[step] = TSR_UNKNOWN;
  for (guint ipu = 0; ipu < t->n_ipus; ipu++)
    {
      tsr_run_leads_begin_ipu (&leads);
      for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu + 1]; i++)
        {
          gint64 value = tsr_run_leads_take (&leads, i) ? 0 : tsr_narrow_get (&t->slice_cycles, i);
          guint32 step = t->slice_step[i];

          if (i % CANCEL_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
          if (value == TSR_UNKNOWN)
            odd[step] = 1;
          cycles[step] = MAX (cycles[step], value); /* unknown is the least */
        }
    }
  for (guint32 step = 0; step < t->n_steps; step++)
    if (odd[step])
      cycles[step] = TSR_UNKNOWN;
  return g_steal_pointer (&cycles);
}

static void
find_executing (TsrPrograms *self)
{
  const TsrProgramTables *t = self->tables;
  g_autofree guint32 *counts = g_new0 (guint32, MAX (t->n_compute_sets, 1));

  self->executing = g_new (guint32, MAX (t->n_compute_sets, 1));
  for (guint32 set = 0; set < t->n_compute_sets; set++)
    self->executing[set] = TSR_NO_INDEX;
  for (guint32 p = 0; p < self->n; p++)
    {
      guint32 set = self->tables->program_compute_set[p];

      if (set != TSR_NO_INDEX)
        self->executing[set] = counts[set]++ == 0 ? p : TSR_NO_INDEX;
    }
}

guint32
tsr_programs_get_of_step (const TsrPrograms *self,
                          const TsrExecutionTables *execution,
                          guint32 step)
{
  guint32 program, set;

  g_return_val_if_fail (self != NULL && execution != NULL, TSR_NO_INDEX);
  g_return_val_if_fail (step < execution->n_steps, TSR_NO_INDEX);
  program = execution->step_program[step];
  set = execution->step_compute_set[step];
  if (program < self->n)
    return program;
  return set < self->tables->n_compute_sets ? self->executing[set] : TSR_NO_INDEX;
}

static gboolean
take_steps (TsrPrograms *self,
            const TsrExecutionTables *t,
            GCancellable *cancellable,
            GError **error)
{
  g_autofree gint64 *cycles = find_step_cycles (t, cancellable, error);
  g_autofree guint32 *sets = g_new (guint32, MAX (self->n, 1));

  if (cycles == NULL)
    return FALSE;
  self->steps = g_new0 (gint64, MAX (self->n, 1));
  self->cycles_self = g_new0 (gint64, MAX (self->n, 1));
  self->cycles_last = g_new (gint64, MAX (self->n, 1));
  self->repeated = g_new0 (guint8, MAX (self->n, 1));
  self->all_cycles = 0;
  for (guint32 p = 0; p < self->n; p++)
    self->cycles_last[p] = TSR_UNKNOWN;
  for (guint32 step = 0; step < t->n_steps; step++)
    {
      guint32 p = tsr_programs_get_of_step (self, t, step);

      self->all_cycles = tsr_known_add (self->all_cycles, cycles[step]);
      if (p == TSR_NO_INDEX)
        continue;
      if (self->steps[p]++ == 0)
        sets[p] = t->step_tile_cycles[step];
      else
        self->repeated[p] = sets[p] != TSR_NO_INDEX && sets[p] == t->step_tile_cycles[step]
                            && (self->repeated[p] || self->steps[p] == 2);
      self->cycles_self[p] = tsr_known_add (self->cycles_self[p], cycles[step]);
      self->cycles_last[p] = cycles[step];
    }
  self->cycles = sum_shared (self, self->cycles_self);
  return TRUE;
}

/* ---------------------------------------------------------------- liveness */

static void
take_liveness (TsrPrograms *self, const TsrLivenessTables *t)
{
  self->live_self = g_new (gint64, MAX (self->n, 1));
  self->live = g_new (gint64, MAX (self->n, 1));
  for (guint32 p = 0; p < self->n; p++)
    self->live_self[p] = TSR_UNKNOWN;
  for (guint32 step = 0; step < t->n_steps; step++)
    {
      guint32 p = t->step_program[step];

      if (p < self->n)
        self->live_self[p] = MAX (self->live_self[p], t->step_bytes[step]);
    }
  for (guint32 k = 0; k < self->n; k++)
    {
      guint32 p = self->order[k];

      self->live[p] = self->live_self[p];
      for (guint32 e = self->edge_start[p]; e < self->edge_start[p + 1]; e++)
        if (!tsr_programs_is_cut (self, e))
          self->live[p] = MAX (self->live[p], self->live[self->edge_child[e]]);
    }
}

/* -------------------------------------------------------------------- code */

/* A parent's control code has its children's in it.  A callee's is its own. */
static void
compute_control (TsrPrograms *self, TsrDiagnostics *diagnostics)
{
  const TsrProgramTables *t = self->tables;
  g_autofree guint32 *seen = g_new0 (guint32, MAX (self->n, 1)); /* parent + 1 */
  gboolean told = FALSE;

  self->control_self = g_new (gint64, MAX (self->n, 1));
  for (guint32 p = 0; p < self->n && !told; p++)
    told = t->program_control_code[p].id != TSR_UNKNOWN
           || t->program_control_code[p].total != TSR_UNKNOWN;
  for (guint32 p = 0; p < self->n; p++)
    {
      const TsrTileArrayRef *own = &t->program_control_code[p];
      gint64 below = 0;

      /* Where a report tells some, a program without any has none. */
      if (!told || own->total == TSR_UNKNOWN)
        {
          self->control_self[p] = told && own->id == TSR_UNKNOWN ? 0 : TSR_UNKNOWN;
          continue;
        }
      for (guint32 c = t->child_start[p]; c < t->child_start[p + 1]; c++)
        {
          const TsrTileArrayRef *of = &t->program_control_code[t->child[c]];
          guint32 edge = self->edge_start[p] + c - t->child_start[p];

          if (seen[t->child[c]] == p + 1 || tsr_programs_is_cut (self, edge))
            continue;
          seen[t->child[c]] = p + 1;
          below = tsr_known_add (below,
                                 of->id == TSR_UNKNOWN && of->total == TSR_UNKNOWN ? 0 : of->total);
        }
      self->control_self[p]
          = below != TSR_UNKNOWN && below <= own->total ? own->total - below : TSR_UNKNOWN;
      if (below != TSR_UNKNOWN && below > own->total && diagnostics != NULL
          && !tsr_diagnostics_has (diagnostics, "control-code-sum", "programs", t->program_id[p]))
        tsr_diagnostics_add (
            diagnostics, TSR_SEVERITY_WARNING, "control-code-sum", "profile.pop", "programs",
            t->program_id[p], TSR_NO_ROW,
            _ ("the control code of the children (%" PRId64
               " bytes) is larger than that of the program, which includes it (%" PRId64
               "): what the program has by itself is not known"),
            below, own->total);
    }
}

static gboolean
compute_code (TsrPrograms *self, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *t = self->tables;
  g_autofree gint64 *weights = g_new (gint64, MAX (self->n, 1));
  g_autofree gint64 *types = g_new (gint64, MAX (t->n_vertex_types, 1));

  for (guint32 p = 0; p < self->n; p++)
    weights[p] = tsr_programs_tells_vertices (self, p)
                     ? tsr_known_add (self->control_self[p], get_exchange_self (self, p))
                     : TSR_UNKNOWN;
  for (guint32 i = 0; i < t->n_vertex_types; i++)
    types[i] = t->vertex_type_code[i].total;
  self->code = tsr_programs_sum_once (self, weights, types, cancellable, error);
  return self->code != NULL;
}

/* --------------------------------------------------------------------- all */

gboolean
tsr_programs_compute_figures (TsrPrograms *self,
                              const TsrLivenessTables *liveness,
                              const TsrExecutionTables *execution,
                              TsrDiagnostics *diagnostics,
                              GCancellable *cancellable,
                              GError **error)
{
  compute_executions (self);
  find_executing (self);
  self->estimated = sum_executed (self, get_estimated_self);
  self->moved = sum_executed (self, get_moved_self);
  self->flops = sum_executed (self, get_flops_self);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (liveness != NULL && liveness->n_steps > 0)
    take_liveness (self, liveness);
  if (execution != NULL && execution->n_steps > 0
      && !take_steps (self, execution, cancellable, error))
    return FALSE;
  compute_control (self, diagnostics);
  return compute_code (self, cancellable, error);
}

gint64
tsr_programs_get (const TsrPrograms *self, guint32 program, TsrProgramFigure figure)
{
  const gint64 *column = NULL;

  g_return_val_if_fail (self != NULL && program < self->n, TSR_UNKNOWN);
  switch (figure)
    {
    case TSR_PROGRAM_EXECUTIONS:
      column = self->executions;
      break;
    case TSR_PROGRAM_STEPS:
      column = self->steps;
      break;
    case TSR_PROGRAM_CYCLES_SELF:
      column = self->cycles_self;
      break;
    case TSR_PROGRAM_CYCLES:
      column = self->cycles;
      break;
    case TSR_PROGRAM_CYCLES_LAST:
      column = self->cycles_last;
      break;
    case TSR_PROGRAM_ESTIMATED_SELF:
      return get_estimated_self (self, program);
    case TSR_PROGRAM_ESTIMATED:
      column = self->estimated;
      break;
    case TSR_PROGRAM_CONTROL_SELF:
      column = self->control_self;
      break;
    case TSR_PROGRAM_EXCHANGE_SELF:
      return get_exchange_self (self, program);
    case TSR_PROGRAM_VERTEX_SELF:
      return get_vertex_self (self, program);
    case TSR_PROGRAM_CODE:
      column = self->code;
      break;
    case TSR_PROGRAM_LIVE_SELF:
      column = self->live_self;
      break;
    case TSR_PROGRAM_LIVE:
      column = self->live;
      break;
    case TSR_PROGRAM_MOVED_SELF:
      return get_moved_self (self, program);
    case TSR_PROGRAM_MOVED:
      column = self->moved;
      break;
    case TSR_PROGRAM_FLOPS_SELF:
      return get_flops_self (self, program);
    case TSR_PROGRAM_FLOPS:
      column = self->flops;
      break;
    case TSR_N_PROGRAM_FIGURES:
      break;
    }
  return column != NULL ? column[program] : TSR_UNKNOWN;
}

gint64
tsr_programs_get_all_cycles (const TsrPrograms *self)
{
  g_return_val_if_fail (self != NULL, TSR_UNKNOWN);
  return self->all_cycles;
}

gboolean
tsr_programs_is_repeated (const TsrPrograms *self, guint32 program)
{
  g_return_val_if_fail (self != NULL && program < self->n, FALSE);
  return self->repeated != NULL && self->repeated[program];
}

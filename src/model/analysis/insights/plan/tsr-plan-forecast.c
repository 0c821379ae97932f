/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is live on a tile without what a set of measures removes, at every step; and the two numbers
 * and the verdict that follow for all tiles. */

#include "config.h"

#include "tsr-plan-private.h"

#include <math.h>
#include <string.h>

/* What a set does to a subject. */
typedef struct
{
  gboolean gone;       /* or spread: then its shares count instead */
  guint halved;        /* times */
  const GArray *remap; /* (nullable) borrowed from the world */
} Effect;

struct _TsrPlanEval
{
  TsrPlan *self;
  const TsrPlanWorld *world;
  TsrMeasureSet set;
  Effect *effects;   /* by subject */
  gboolean *dropped; /* by subject */
  TsrLiveSums sums;
  TsrLiveScratch *scratch;
};

TsrPlanEval *
tsr_plan_eval_new (TsrPlan *self, const TsrPlanWorld *world, TsrMeasureSet set)
{
  TsrPlanEval *eval = g_new0 (TsrPlanEval, 1);

  eval->self = self;
  eval->world = world;
  eval->set = set;
  eval->effects = g_new0 (Effect, self->subjects->len);
  eval->dropped = g_new0 (gboolean, self->subjects->len);
  for (guint i = 0; i < self->subjects->len; i++)
    {
      const TsrPlanSubject *subject = &g_array_index (self->subjects, TsrPlanSubject, i);
      Effect *effect = &eval->effects[i];

      for (TsrMeasureSet mask = subject->mask & set; mask != 0; mask &= mask - 1)
        {
          TsrPlanAct act = self->acts[__builtin_ctzll (mask)];

          effect->gone |= act == TSR_PLAN_GONE || act == TSR_PLAN_SPREAD;
          eval->dropped[i] |= act == TSR_PLAN_GONE;
          effect->halved += act == TSR_PLAN_HALVED || act == TSR_PLAN_BATCH;
        }
      if (subject->entry != TSR_NO_INDEX)
        effect->remap = g_hash_table_lookup (world->remap, GUINT_TO_POINTER (subject->entry));
    }
  tsr_live_sums_init (&eval->sums, &world->lowered);
  eval->scratch = tsr_live_scratch_new (&world->axis);
  return eval;
}

void
tsr_plan_eval_free (TsrPlanEval *eval)
{
  if (eval == NULL)
    return;
  tsr_live_sums_clear (&eval->sums);
  tsr_live_scratch_free (eval->scratch);
  g_free (eval->effects);
  g_free (eval->dropped);
  g_free (eval);
}

/* Of a cell that is not gone. */
static gint64
get_bytes (const TsrPlanCell *cell, const Effect *effect)
{
  if (cell->bytes == TSR_UNKNOWN || effect->halved == 0)
    return cell->bytes;
  return effect->halved == 1 ? (cell->bytes + cell->pad2) / 2 : (cell->bytes + cell->pad4) / 4;
}

static void
add_cell (TsrPlanEval *eval, const TsrPlanCell *cell, const Effect *effect)
{
  guint32 class_index = cell->class_index;

  for (guint i = 0; effect->remap != NULL && i + 1 < effect->remap->len; i += 2)
    if (g_array_index (effect->remap, guint32, i) == class_index)
      {
        class_index = g_array_index (effect->remap, guint32, i + 1);
        break;
      }
  tsr_live_sums_add (&eval->sums, class_index, get_bytes (cell, effect));
}

/* What @tile gets of a variable that is spread, halved as the set says; TSR_UNKNOWN. */
static gint64
get_share (TsrPlanEval *eval, guint tile, const TsrPlanShare *share)
{
  TsrPlan *self = eval->self;
  TsrPlanCell cell = { share->class_index, share->subject, TSR_UNKNOWN, 0, 0, 0 };
  guint n = self->n_receivers[share->ipu];

  if (self->receiver[tile] == TSR_NO_INDEX)
    return 0;
  if (share->bytes != TSR_UNKNOWN)
    {
      gint64 words = (share->bytes + 7) / 8;

      cell.bytes = 8 * (words / n + (self->receiver[tile] < words % n));
      cell.pad2 = (guint32)(-(guint64)cell.bytes & 15);
      cell.pad4 = (guint32)(-(guint64)cell.bytes & 31);
    }
  return get_bytes (&cell, &eval->effects[share->subject]);
}

static void
add_shares (TsrPlanEval *eval, guint tile)
{
  TsrPlan *self = eval->self;
  guint ipu = tsr_memory_get_ipu (self->memory, tile);

  for (guint i = 0; i < self->shares->len; i++)
    {
      const TsrPlanShare *share = &g_array_index (self->shares, TsrPlanShare, i);
      TsrPlanCell cell = { share->class_index, share->subject, 0, 0, 0, 0 };
      Effect effect = { FALSE, 0, eval->effects[share->subject].remap };

      if (share->ipu != ipu || (eval->set & TSR_PLAN_BIT (share->measure)) == 0
          || eval->dropped[share->subject])
        continue;
      cell.bytes = get_share (eval, tile, share);
      if (cell.bytes != 0)
        add_cell (eval, &cell, &effect);
    }
}

static gboolean
is_live_at (const TsrLoweredTables *lowered, guint32 class_index, guint32 step)
{
  gsize low = lowered->interval_start[class_index];
  gsize end = lowered->interval_start[class_index + 1];
  gsize high = end;

  /* The first interval that ends behind the step. */
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (lowered->interval_to[middle] <= step)
        low = middle + 1;
      else
        high = middle;
    }
  return low < end && lowered->interval_from[low] <= step;
}

/* Where the set only takes away, and nothing that is live at today's peak but always, the peak
 * stays where it is: no need to add up all steps.  FALSE: there is. */
static gboolean
find_quickly (TsrPlanEval *eval, guint tile, gboolean above, gint64 *live, guint32 *step)
{
  TsrPlan *self = eval->self;
  guint ipu = tsr_memory_get_ipu (self->memory, tile);

  if (self->now == NULL)
    return FALSE;
  *live = above ? self->now[tile].above : self->now[tile].live;
  *step = above ? self->now[tile].above_step : self->now[tile].step;
  if (*live == TSR_UNKNOWN)
    return FALSE;
  for (gsize i = self->cell_start[tile]; i < self->cell_start[tile + 1]; i++)
    {
      const TsrPlanCell *cell = &self->cells[i];
      const Effect *effect = &eval->effects[cell->subject];

      if (cell->subject == 0 || (above && !cell->above)
          || (!effect->gone && effect->halved == 0 && effect->remap == NULL))
        continue;
      if (cell->bytes == TSR_UNKNOWN || (effect->remap != NULL && !effect->gone))
        return FALSE;
      if (cell->class_index == TSR_CLASS_ALWAYS)
        *live -= cell->bytes - (effect->gone ? 0 : get_bytes (cell, effect));
      else if (cell->class_index >= self->lowered->n_classes
               || is_live_at (self->lowered, cell->class_index, *step))
        return FALSE;
    }
  for (guint i = 0; i < self->shares->len; i++)
    {
      const TsrPlanShare *share = &g_array_index (self->shares, TsrPlanShare, i);

      if (share->ipu != ipu || (eval->set & TSR_PLAN_BIT (share->measure)) == 0
          || eval->dropped[share->subject])
        continue;
      if (share->class_index != TSR_CLASS_ALWAYS || share->bytes == TSR_UNKNOWN)
        return FALSE;
      *live += get_share (eval, tile, share);
    }
  return TRUE;
}

/* What a tile receives may lie anywhere, so it counts above as well. */
static void
sum_tile (TsrPlanEval *eval, guint tile, gboolean above)
{
  TsrPlan *self = eval->self;

  tsr_live_sums_reset (&eval->sums);
  for (gsize i = self->cell_start[tile]; i < self->cell_start[tile + 1]; i++)
    {
      const TsrPlanCell *cell = &self->cells[i];

      if (above && !cell->above)
        continue;
      if (cell->subject == 0)
        tsr_live_sums_add (&eval->sums, cell->class_index, cell->bytes);
      else if (!eval->effects[cell->subject].gone)
        add_cell (eval, cell, &eval->effects[cell->subject]);
    }
  if (self->shares->len > 0)
    add_shares (eval, tile);
}

static void
find_peak (TsrPlanEval *eval, guint tile, gboolean above, gint64 *live, guint32 *step)
{
  if (find_quickly (eval, tile, above, live, step))
    return;
  sum_tile (eval, tile, above);
  tsr_live_sums_find_peak (&eval->sums, &eval->world->axis, eval->scratch, live, step);
  if (*live != TSR_UNKNOWN)
    *live = eval->sums.always == TSR_UNKNOWN ? TSR_UNKNOWN : *live + eval->sums.always;
}

void
tsr_plan_eval_tile (TsrPlanEval *eval, guint tile, TsrPlanPeak *peak)
{
  find_peak (eval, tile, FALSE, &peak->live, &peak->step);
  peak->above = TSR_UNKNOWN;
  peak->above_step = TSR_NO_INDEX;
  if (eval->self->split[tile])
    find_peak (eval, tile, TRUE, &peak->above, &peak->above_step);
}

gint64
tsr_plan_get_packed (const TsrPlan *self, guint tile, const TsrPlanPeak *peak)
{
  const TsrPlanPeak *now = &self->now[tile];
  gint64 saved;

  if (self->over_now[tile] == TSR_UNKNOWN || now->live == TSR_UNKNOWN || peak->live == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  saved = now->live - peak->live;
  if (now->above != TSR_UNKNOWN && peak->above != TSR_UNKNOWN)
    saved = MIN (saved, now->above - peak->above);
  return self->over_now[tile] - saved;
}

/* ---------------------------------------------------------------- all tiles */

typedef struct
{
  TsrPlan *self;
  const TsrPlanWorld *world;
  TsrMeasureSet set;
  TsrPlanPeak *peaks;
} All;

static gpointer
new_local (gpointer data)
{
  All *all = data;

  return tsr_plan_eval_new (all->self, all->world, all->set);
}

static void
free_local (gpointer local)
{
  tsr_plan_eval_free (local);
}

static void
eval_range (guint from, guint to, gpointer local, gpointer data)
{
  All *all = data;
  TsrPlan *self = all->self;

  for (guint tile = from; tile < to; tile++)
    if (self->now != NULL && (self->tile_mask[tile] & all->set) == 0)
      all->peaks[tile] = self->now[tile];
    else
      tsr_plan_eval_tile (local, tile, &all->peaks[tile]);
}

TsrMeasureSet
tsr_plan_get_recomputed (TsrPlan *self, TsrMeasureSet set)
{
  TsrMeasureSet recomputed = 0;

  for (guint i = 0; i < self->n_measures; i++)
    if (self->acts[i] == TSR_PLAN_RECOMPUTED)
      recomputed |= set & TSR_PLAN_BIT (i);
  return recomputed;
}

gboolean
tsr_plan_eval_all (
    TsrPlan *self, TsrMeasureSet set, TsrPlanPeak *peaks, GCancellable *cancellable, GError **error)
{
  static const TsrParallel parallel = { new_local, free_local, eval_range };
  TsrMeasureSet recomputed = tsr_plan_get_recomputed (self, set);
  TsrPlanWorld *world = recomputed != 0 ? tsr_plan_world_new (self, recomputed) : NULL;
  All all = { self, world != NULL ? world : self->base, set, peaks };
  gboolean ok = tsr_parallel_run (&parallel, self->n_tiles, 0, &all, cancellable, error);

  tsr_plan_world_free (world);
  return ok;
}

/* ----------------------------------------------------------------- forecast */

static void
number_fill (TsrPlanNumber *number, guint n_tiles)
{
  number->n_over = 0;
  number->worst = TSR_NO_INDEX;
  number->most = TSR_UNKNOWN;
  number->sum = 0;
  for (guint tile = 0; tile < n_tiles; tile++)
    {
      gint64 over = number->over[tile];

      if (over == TSR_UNKNOWN)
        {
          number->sum = TSR_UNKNOWN;
          continue;
        }
      if (number->worst == TSR_NO_INDEX || over > number->most)
        {
          number->worst = tile;
          number->most = over;
        }
      number->n_over += over > 0;
      if (over > 0 && number->sum != TSR_UNKNOWN)
        number->sum += over;
    }
}

static TsrPlanVerdict
judge (TsrPlan *self, const TsrForecast *forecast)
{
  if (forecast->best.n_over > 0)
    return TSR_PLAN_DOES_NOT_FIT;
  if (forecast->best.sum == TSR_UNKNOWN || forecast->packed.sum == TSR_UNKNOWN
      || forecast->best.worst == TSR_NO_INDEX)
    return TSR_PLAN_UNKNOWN;
  if (forecast->packed.n_over > 0
      || (forecast->set & tsr_plan_get_of_kind (self, TSR_MEASURE_UPPER_BOUND)) != 0)
    return TSR_PLAN_MAY_FIT;
  return TSR_PLAN_FITS;
}

static void
add_costs (TsrPlan *self, TsrForecast *forecast)
{
  forecast->cycles = TSR_UNKNOWN;
  for (guint i = 0; i < self->n_measures; i++)
    if ((forecast->set & TSR_PLAN_BIT (i)) != 0)
      {
        gint64 cycles = self->measures[i].cycles;

        if (cycles == TSR_UNKNOWN)
          forecast->n_unknown_cycles++;
        else
          forecast->cycles = forecast->cycles == TSR_UNKNOWN ? cycles : forecast->cycles + cycles;
      }
}

static char *
dup_step_name (TsrPlan *self, guint32 step)
{
  guint32 program = step < self->n_steps ? self->tables->step_program[step] : TSR_NO_INDEX;

  if (self->programs == NULL || program >= self->programs->n_programs)
    return NULL;
  return g_strdup (
      tsr_string_table_get (self->programs->strings, self->programs->program_name[program]));
}

void
tsr_forecast_free (TsrForecast *forecast)
{
  if (forecast == NULL)
    return;
  g_free (forecast->live);
  g_free (forecast->live_now);
  g_free (forecast->peak_step);
  g_free (forecast->best.over);
  g_free (forecast->packed.over);
  g_free (forecast->peak_name);
  g_free (forecast);
}

TsrForecast *
tsr_plan_forecast (TsrPlan *self, TsrMeasureSet set, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrForecast) forecast = g_new0 (TsrForecast, 1);
  g_autofree TsrPlanPeak *peaks = NULL;
  guint n;

  g_return_val_if_fail (self != NULL && self->missing == NULL, NULL);
  n = self->n_tiles;
  set &= tsr_plan_get_of_kind (self, TSR_MEASURE_EXACT)
         | tsr_plan_get_of_kind (self, TSR_MEASURE_UPPER_BOUND);
  forecast->set = set;
  forecast->n_tiles = n;
  peaks = g_new (TsrPlanPeak, MAX (n, 1));
  if (!tsr_plan_eval_all (self, set, peaks, cancellable, error))
    return NULL;
  forecast->live = g_new (gint64, MAX (n, 1));
  forecast->live_now = g_new (gint64, MAX (n, 1));
  forecast->peak_step = g_new (guint32, MAX (n, 1));
  forecast->best.over = g_new (gint64, MAX (n, 1));
  forecast->packed.over = g_new (gint64, MAX (n, 1));
  for (guint tile = 0; tile < n; tile++)
    {
      gint64 live = peaks[tile].live;

      forecast->live[tile] = live;
      forecast->live_now[tile] = self->now[tile].live;
      forecast->peak_step[tile] = peaks[tile].step;
      forecast->best.over[tile] = live == TSR_UNKNOWN || self->capacity == TSR_UNKNOWN
                                      ? TSR_UNKNOWN
                                      : live - self->capacity;
      forecast->packed.over[tile] = tsr_plan_get_packed (self, tile, &peaks[tile]);
    }
  number_fill (&forecast->best, n);
  number_fill (&forecast->packed, n);
  forecast->verdict = judge (self, forecast);
  forecast->peak_tile = forecast->packed.worst;
  if (forecast->peak_tile != TSR_NO_INDEX)
    forecast->peak_name = dup_step_name (self, forecast->peak_step[forecast->peak_tile]);
  add_costs (self, forecast);
  return g_steal_pointer (&forecast);
}

/* ------------------------------------------------------------------- growth */

typedef struct
{
  TsrPlan *self;
  TsrMeasureSet batch;
  double *best, *packed; /* by tile: factor; NaN: not known; infinite: nothing scales */
} Growing;

typedef struct
{
  TsrLiveSums rest, scaling;
  gint64 *rest_series, *scaling_series;
} GrowingLocal;

static gpointer
new_growing_local (gpointer data)
{
  Growing *growing = data;
  GrowingLocal *local = g_new0 (GrowingLocal, 1);

  tsr_live_sums_init (&local->rest, growing->self->lowered);
  tsr_live_sums_init (&local->scaling, growing->self->lowered);
  local->rest_series = g_new (gint64, (gsize)growing->self->n_steps + 1);
  local->scaling_series = g_new (gint64, (gsize)growing->self->n_steps + 1);
  return local;
}

static void
free_growing_local (gpointer data)
{
  GrowingLocal *local = data;

  tsr_live_sums_clear (&local->rest);
  tsr_live_sums_clear (&local->scaling);
  g_free (local->rest_series);
  g_free (local->scaling_series);
  g_free (local);
}

static double
find_factor (const GrowingLocal *local, guint n_steps, gint64 limit)
{
  double factor = INFINITY;

  for (guint k = 0; k < n_steps; k++)
    {
      if (local->rest_series[k] == TSR_UNKNOWN || local->scaling_series[k] == TSR_UNKNOWN)
        return NAN;
      if (local->scaling_series[k] > 0)
        factor = MIN (factor,
                      (double)(limit - local->rest_series[k]) / (double)local->scaling_series[k]);
      else if (local->rest_series[k] > limit)
        factor = 0;
    }
  return MAX (factor, 0);
}

/* The factor at which the peak of @tile, or of what lies above the start of interleaved memory,
 * is @limit. */
static double
grow_to (const Growing *growing, GrowingLocal *local, guint tile, gboolean above, gint64 limit)
{
  TsrPlan *self = growing->self;

  if (limit == TSR_UNKNOWN)
    return NAN;
  tsr_live_sums_reset (&local->rest);
  tsr_live_sums_reset (&local->scaling);
  for (gsize i = self->cell_start[tile]; i < self->cell_start[tile + 1]; i++)
    {
      const TsrPlanCell *cell = &self->cells[i];
      TsrMeasureSet mask = g_array_index (self->subjects, TsrPlanSubject, cell->subject).mask;

      if (!above || cell->above)
        tsr_live_sums_add ((mask & growing->batch) != 0 ? &local->scaling : &local->rest,
                           cell->class_index, cell->bytes);
    }
  if (local->rest.always == TSR_UNKNOWN)
    return NAN;
  tsr_live_sums_series (&local->rest, &self->base->axis, local->rest_series);
  tsr_live_sums_series (&local->scaling, &self->base->axis, local->scaling_series);
  return find_factor (local, self->n_steps, limit - local->rest.always);
}

static void
grow_range (guint from, guint to, gpointer local, gpointer data)
{
  Growing *growing = data;
  TsrPlan *self = growing->self;

  for (guint tile = from; tile < to; tile++)
    {
      gint64 over = self->over_now[tile];
      gboolean known = over != TSR_UNKNOWN && self->now[tile].live != TSR_UNKNOWN;

      growing->best[tile] = growing->packed[tile] = NAN;
      if (self->now[tile].live == TSR_UNKNOWN)
        continue;
      growing->best[tile] = grow_to (growing, local, tile, FALSE, self->capacity);
      if (known)
        growing->packed[tile] = grow_to (growing, local, tile, FALSE, self->now[tile].live - over);
      if (known && self->now[tile].above != TSR_UNKNOWN)
        growing->packed[tile] = MIN (growing->packed[tile], grow_to (growing, local, tile, TRUE,
                                                                     self->now[tile].above - over));
    }
}

static void
take_least (const double *factors, guint n, double *least, guint *tile)
{
  *least = INFINITY;
  *tile = TSR_NO_INDEX;
  for (guint t = 0; t < n; t++)
    {
      if (isnan (factors[t]))
        {
          *least = NAN;
          *tile = TSR_NO_INDEX;
          return;
        }
      if (factors[t] < *least)
        {
          *least = factors[t];
          *tile = t;
        }
    }
  if (*tile == TSR_NO_INDEX)
    *least = NAN;
}

gboolean
tsr_plan_find_growth (TsrPlan *self, GCancellable *cancellable, GError **error)
{
  static const TsrParallel parallel = { new_growing_local, free_growing_local, grow_range };
  g_autofree double *best = g_new0 (double, MAX (self->n_tiles, 1));
  g_autofree double *packed = g_new0 (double, MAX (self->n_tiles, 1));
  guint batch = tsr_plan_find (self, "batch");
  Growing growing = { self, batch != TSR_NO_INDEX ? TSR_PLAN_BIT (batch) : 0, best, packed };

  if (!tsr_parallel_run (&parallel, self->n_tiles, 0, &growing, cancellable, error))
    return FALSE;
  take_least (best, self->n_tiles, &self->growth.best, &self->growth.best_tile);
  take_least (packed, self->n_tiles, &self->growth.packed, &self->growth.packed_tile);
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is live on a tile without what a set of measures removes, at every step; and the two numbers
 * and the verdict that follow for all tiles. */

#include "config.h"

#include "tsr-known.h"
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
  TsrLiveScratch *scratch; /* (nullable) before a tile needs it */
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
add_bytes (TsrPlanEval *eval, guint32 class_index, const GArray *remap, gint64 bytes)
{
  for (guint i = 0; remap != NULL && i < remap->len; i += 2)
    if (g_array_index (remap, guint32, i) == class_index)
      {
        class_index = g_array_index (remap, guint32, i + 1);
        break;
      }
  tsr_live_sums_add (&eval->sums, class_index, bytes);
}

/* What @tile gets of a variable that is spread, halved as the set says; TSR_UNKNOWN. */
static gint64
get_share (TsrPlanEval *eval, guint tile, const TsrPlanShare *share)
{
  TsrPlan *self = eval->self;
  TsrPlanCell cell = { .bytes = TSR_UNKNOWN };
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
      gint64 bytes;

      if (share->ipu != ipu || (eval->set & TSR_PLAN_BIT (share->measure)) == 0
          || eval->dropped[share->subject])
        continue;
      bytes = get_share (eval, tile, share);
      if (bytes != 0)
        add_bytes (eval, share->class_index, eval->effects[share->subject].remap, bytes);
    }
}

/* If the set only removes bytes, and none of those that are live at today's peak and not always,
 * the peak stays at its step and the steps need not be added up.  FALSE: they must be. */
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
               || tsr_live_sums_is_live_at (self->lowered, cell->class_index, *step))
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
      const Effect *effect = &eval->effects[cell->subject];

      if (above && !cell->above)
        continue;
      if (cell->subject == 0)
        tsr_live_sums_add (&eval->sums, cell->class_index, cell->bytes);
      else if (!effect->gone)
        add_bytes (eval, cell->class_index, effect->remap, get_bytes (cell, effect));
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
  if (eval->scratch == NULL)
    eval->scratch = tsr_live_scratch_new (&eval->world->axis);
  tsr_live_sums_find_peak (&eval->sums, &eval->world->axis, eval->scratch, live, step);
  *live = tsr_known_add (*live, eval->sums.always);
}

void
tsr_plan_eval_tile (TsrPlanEval *eval, guint tile, TsrPlanPeak *peak)
{
  find_peak (eval, tile, FALSE, &peak->live, &peak->step);
  peak->above = TSR_UNKNOWN;
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
number_fill (TsrPlan *self, TsrPlanNumber *number)
{
  number->n_over = 0;
  number->worst = TSR_NO_INDEX;
  number->most = TSR_UNKNOWN;
  number->sum = 0;
  for (guint tile = 0; tile < self->n_tiles; tile++)
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
  /* That it fits is recorded, but of no tile how much is free. */
  if (number->most == 0 && self->worst == TSR_NO_INDEX)
    number->most = TSR_UNKNOWN;
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
  guint32 program = self->tables->step_program[step];

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
      forecast->best.over[tile] = tsr_known_subtract (live, self->capacity);
      forecast->packed.over[tile] = tsr_plan_get_packed (self, tile, &peaks[tile]);
    }
  number_fill (self, &forecast->best);
  number_fill (self, &forecast->packed);
  forecast->verdict = judge (self, forecast);
  forecast->peak_tile = forecast->packed.worst;
  if (forecast->peak_tile != TSR_NO_INDEX)
    forecast->peak_name = dup_step_name (self, forecast->peak_step[forecast->peak_tile]);
  add_costs (self, forecast);
  return g_steal_pointer (&forecast);
}

/* --------------------------------------------------------- one measure alone */

#define SPAN        128 /* marks */
#define MOST_EVENTS 512 /* with more a pass over all marks takes less */

typedef struct
{
  guint32 step;
  gint64 change;
} Event;

typedef struct
{
  TsrPlan *self;
  guint32 *n_marks;                    /* by step: those up to it */
  TsrPlanWorld *worlds[TSR_PLAN_MOST]; /* of measures that recompute; NULL: base */
  gint64 *saved[TSR_PLAN_MOST];        /* by tile; NULL: no number */
  GMutex mutex;
  gint64 relief[TSR_PLAN_MOST]; /* under the mutex */
} Savings;

/* What is live on a tile now.  A measure changes few classes of it: between the ends of their
 * intervals what it takes away is the same, and the most that remains is found without adding up
 * the tile again. */
typedef struct
{
  TsrPlan *self;
  TsrPlanEval *evals[TSR_PLAN_MOST]; /* of each measure alone; NULL: no number */
  GArray *touched[TSR_PLAN_MOST];    /* gsize: cells of the tile that it changes */
  TsrLiveSums sums;
  const guint32 *n_marks;
  gint64 *marks;   /* not always live */
  gint64 *most;    /* of each SPAN marks */
  gint64 *changes; /* room for as many as marks */
  gint64 always;
} TileNow;

static gpointer
new_tile_now (gpointer data)
{
  const Savings *savings = data;
  TsrPlan *self = savings->self;
  TileNow *now = g_new0 (TileNow, 1);
  gsize n_marks = self->base->axis.n_marks;

  now->self = self;
  tsr_live_sums_init (&now->sums, self->lowered);
  now->marks = g_new (gint64, n_marks + 1);
  now->most = g_new (gint64, n_marks / SPAN + 1);
  now->changes = g_new (gint64, n_marks + 1);
  now->n_marks = savings->n_marks;
  for (guint i = 0; i < self->n_measures; i++)
    if (self->acts[i] != TSR_PLAN_NOTHING)
      {
        const TsrPlanWorld *world = savings->worlds[i] != NULL ? savings->worlds[i] : self->base;

        now->evals[i] = tsr_plan_eval_new (self, world, TSR_PLAN_BIT (i));
        now->touched[i] = g_array_new (FALSE, FALSE, sizeof (gsize));
      }
  return now;
}

static void
free_tile_now (gpointer data)
{
  TileNow *now = data;

  for (guint i = 0; i < TSR_PLAN_MOST; i++)
    {
      tsr_plan_eval_free (now->evals[i]);
      g_clear_pointer (&now->touched[i], g_array_unref);
    }
  tsr_live_sums_clear (&now->sums);
  g_free (now->marks);
  g_free (now->most);
  g_free (now->changes);
  g_free (now);
}

static void
tile_now_fill (TileNow *now, guint tile, gboolean above)
{
  TsrPlan *self = now->self;
  const TsrLiveAxis *axis = &self->base->axis;

  tsr_live_sums_reset (&now->sums);
  for (guint i = 0; i < self->n_measures; i++)
    if (now->touched[i] != NULL)
      g_array_set_size (now->touched[i], 0);
  for (gsize k = self->cell_start[tile]; k < self->cell_start[tile + 1]; k++)
    {
      const TsrPlanCell *cell = &self->cells[k];
      TsrMeasureSet mask = g_array_index (self->subjects, TsrPlanSubject, cell->subject).mask;

      if (above && !cell->above)
        continue;
      tsr_live_sums_add (&now->sums, cell->class_index, cell->bytes);
      for (; mask != 0; mask &= mask - 1)
        g_array_append_val (now->touched[__builtin_ctzll (mask)], k);
    }
  now->always = now->sums.always;
  tsr_live_sums_marks (&now->sums, axis, now->marks);
  for (guint m = 0; m < axis->n_marks; m++)
    now->most[m / SPAN] = m % SPAN == 0 ? now->marks[m] : MAX (now->most[m / SPAN], now->marks[m]);
}

/* The most of the steps from @from to before @to; 0: the first. */
static gint64
find_most (const TileNow *now, guint32 from, guint32 to)
{
  guint m = now->n_marks[from] - 1;
  guint end = now->n_marks[to - 1];
  gint64 most = now->marks[m];

  while (m < end)
    if (m % SPAN == 0 && m + SPAN <= end)
      {
        most = MAX (most, now->most[m / SPAN]);
        m += SPAN;
      }
    else
      {
        most = MAX (most, now->marks[m]);
        m++;
      }
  return most;
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const Event *x = a;
  const Event *y = b;

  return x->step < y->step ? -1 : x->step > y->step;
}

/* Steps where what the measure changes, in eval->sums, begins or ends, in order.  FALSE: too many.
 */
static gboolean
list_events (const TsrPlanEval *eval, Event *events, guint *n_events)
{
  const TsrLoweredTables *lowered = &eval->world->lowered;
  const TsrLiveSums *sums = &eval->sums;
  guint n = 0;

  for (guint k = 0; k < sums->n_touched; k++)
    {
      guint32 c = sums->touched[k];

      if (lowered->interval_start[c + 1] - lowered->interval_start[c] > (MOST_EVENTS - n) / 2)
        return FALSE;
      for (gsize i = lowered->interval_start[c]; i < lowered->interval_start[c + 1]; i++)
        {
          events[n++] = (Event){ lowered->interval_from[i], sums->bytes[c] };
          events[n++] = (Event){ lowered->interval_to[i], -sums->bytes[c] };
        }
    }
  qsort (events, n, sizeof *events, compare_steps);
  *n_events = n;
  return TRUE;
}

/* What is live on @tile, that @now holds, with the measure.  FALSE: it must be added up. */
static gboolean
find_by_difference (const TileNow *now, guint measure, guint tile, gint64 *live)
{
  TsrPlan *self = now->self;
  TsrPlanEval *eval = now->evals[measure];
  Event events[MOST_EVENTS];
  gint64 change = 0;
  guint32 from = 0;
  guint n_events = 0;

  tsr_live_sums_reset (&eval->sums);
  for (guint i = 0; i < now->touched[measure]->len; i++)
    {
      const TsrPlanCell *cell = &self->cells[g_array_index (now->touched[measure], gsize, i)];
      const Effect *effect = &eval->effects[cell->subject];

      if (cell->bytes == TSR_UNKNOWN)
        return FALSE;
      tsr_live_sums_add (&eval->sums, cell->class_index, -cell->bytes);
      if (!effect->gone)
        add_bytes (eval, cell->class_index, effect->remap, get_bytes (cell, effect));
    }
  if (self->shares->len > 0)
    add_shares (eval, tile);
  if (!tsr_live_sums_is_known (&eval->sums) || eval->sums.always == TSR_UNKNOWN)
    return FALSE;
  *live = 0;
  if (!list_events (eval, events, &n_events))
    {
      const TsrLiveAxis *axis = &self->base->axis;

      if (eval->world != self->base)
        return FALSE;
      tsr_live_sums_marks (&eval->sums, axis, now->changes);
      for (guint m = 0; m < axis->n_marks; m++)
        *live = MAX (*live, now->marks[m] + now->changes[m]);
      from = self->n_steps;
    }
  for (guint i = 0; i <= n_events; i++)
    {
      guint32 to = i < n_events ? MIN (events[i].step, self->n_steps) : self->n_steps;

      if (from < to)
        {
          const gint64 most = find_most (now, from, to) + change;

          *live = MAX (*live, most);
        }
      from = to;
      change += i < n_events ? events[i].change : 0;
    }
  *live += now->always + eval->sums.always;
  return TRUE;
}

static void
save_tile (TileNow *now, guint tile, TsrPlanPeak *peaks)
{
  TsrPlan *self = now->self;

  for (guint above = 0; above <= self->split[tile]; above++)
    {
      gint64 all = above ? self->now[tile].above : self->now[tile].live;

      tile_now_fill (now, tile, above);
      for (guint i = 0; i < self->n_measures; i++)
        {
          gint64 *live = above ? &peaks[i].above : &peaks[i].live;
          guint32 step;

          if (now->evals[i] == NULL || (self->tile_mask[tile] & TSR_PLAN_BIT (i)) == 0)
            *live = all;
          else if (all == TSR_UNKNOWN || !find_by_difference (now, i, tile, live))
            find_peak (now->evals[i], tile, above, live, &step);
        }
    }
}

static void
save_range (guint from, guint to, gpointer local, gpointer data)
{
  Savings *savings = data;
  TsrPlan *self = savings->self;
  g_autofree gint64 *relief = g_new0 (gint64, self->n_measures);
  g_autofree TsrPlanPeak *peaks = g_new (TsrPlanPeak, self->n_measures);

  for (guint tile = from; tile < to; tile++)
    {
      gint64 live = self->now[tile].live;

      for (guint i = 0; i < self->n_measures; i++)
        peaks[i] = (TsrPlanPeak){ TSR_UNKNOWN, TSR_UNKNOWN, TSR_NO_INDEX, TSR_NO_INDEX };
      save_tile (local, tile, peaks);
      for (guint i = 0; i < self->n_measures; i++)
        {
          gint64 packed = tsr_plan_get_packed (self, tile, &peaks[i]);

          if (savings->saved[i] == NULL)
            continue;
          savings->saved[i][tile] = tsr_known_subtract (live, peaks[i].live);
          if (packed != TSR_UNKNOWN)
            relief[i] += MAX (self->over_now[tile], 0) - MAX (packed, 0);
        }
    }
  g_mutex_lock (&savings->mutex);
  for (guint i = 0; i < self->n_measures; i++)
    savings->relief[i] += relief[i];
  g_mutex_unlock (&savings->mutex);
}

gboolean
tsr_plan_find_savings (TsrPlan *self, GCancellable *cancellable, GError **error)
{
  static const TsrParallel parallel = { new_tile_now, free_tile_now, save_range };
  Savings savings = { .self = self };
  gboolean ok;

  g_mutex_init (&savings.mutex);
  savings.n_marks = g_new0 (guint32, (gsize)self->n_steps + 1);
  for (guint m = 0; m < self->base->axis.n_marks; m++)
    savings.n_marks[self->base->axis.mark_step[m]] = 1;
  for (guint step = 1; step < self->n_steps; step++)
    savings.n_marks[step] += savings.n_marks[step - 1];
  for (guint i = 0; i < self->n_measures; i++)
    if (self->acts[i] != TSR_PLAN_NOTHING)
      {
        self->measures[i].saved = savings.saved[i] = g_new (gint64, MAX (self->n_tiles, 1));
        if (self->acts[i] == TSR_PLAN_RECOMPUTED)
          savings.worlds[i] = tsr_plan_world_new (self, TSR_PLAN_BIT (i));
      }
  ok = tsr_parallel_run (&parallel, self->n_tiles, 0, &savings, cancellable, error);
  for (guint i = 0; i < self->n_measures; i++)
    {
      TsrMeasure *measure = &self->measures[i];

      tsr_plan_world_free (savings.worlds[i]);
      if (!ok || measure->saved == NULL)
        continue;
      measure->relief = savings.relief[i];
      if (self->worst != TSR_NO_INDEX)
        measure->worst_tile = measure->saved[self->worst];
    }
  g_mutex_clear (&savings.mutex);
  g_free (savings.n_marks);
  return ok;
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
  gint64 *rest_marks, *scaling_marks; /* their bytes by mark */
} GrowingLocal;

static gpointer
new_growing_local (gpointer data)
{
  Growing *growing = data;
  GrowingLocal *local = g_new0 (GrowingLocal, 1);

  tsr_live_sums_init (&local->rest, growing->self->lowered);
  tsr_live_sums_init (&local->scaling, growing->self->lowered);
  local->rest_marks = g_new (gint64, (gsize)growing->self->base->axis.n_marks + 1);
  local->scaling_marks = g_new (gint64, (gsize)growing->self->base->axis.n_marks + 1);
  return local;
}

static void
free_growing_local (gpointer data)
{
  GrowingLocal *local = data;

  tsr_live_sums_clear (&local->rest);
  tsr_live_sums_clear (&local->scaling);
  g_free (local->rest_marks);
  g_free (local->scaling_marks);
  g_free (local);
}

/* NaN where anything is not known. */
static double
find_factor (const GrowingLocal *local, guint n_marks, gint64 limit)
{
  double factor = INFINITY;

  for (guint m = 0; m < n_marks; m++)
    {
      gint64 rest = local->rest_marks[m];
      gint64 scaling = local->scaling_marks[m];

      if (rest == TSR_UNKNOWN || scaling == TSR_UNKNOWN)
        return NAN;
      /* Dividing takes longest: only where the factor gets less. */
      if (rest > limit)
        factor = 0;
      else if (scaling > 0 && (double)(limit - rest) < factor * (double)scaling)
        factor = (double)(limit - rest) / (double)scaling;
    }
  return factor;
}

/* The bytes of @tile, or of what lies above the start of interleaved memory, that scale and that
 * do not, by mark.  FALSE: what is always live is not known. */
static gboolean
fill_marks (const Growing *growing, GrowingLocal *local, guint tile, gboolean above)
{
  TsrPlan *self = growing->self;

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
  tsr_live_sums_marks (&local->rest, &self->base->axis, local->rest_marks);
  tsr_live_sums_marks (&local->scaling, &self->base->axis, local->scaling_marks);
  return local->rest.always != TSR_UNKNOWN;
}

/* The factor at which the peak of what fill_marks() gathered is @limit. */
static double
grow_to (const Growing *growing, const GrowingLocal *local, gint64 limit)
{
  if (limit == TSR_UNKNOWN)
    return NAN;
  return find_factor (local, growing->self->base->axis.n_marks, limit - local->rest.always);
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
      if (self->now[tile].live == TSR_UNKNOWN || !fill_marks (growing, local, tile, FALSE))
        continue;
      growing->best[tile] = grow_to (growing, local, self->capacity);
      if (known)
        growing->packed[tile] = grow_to (growing, local, self->now[tile].live - over);
      if (known && self->now[tile].above != TSR_UNKNOWN)
        {
          double above = fill_marks (growing, local, tile, TRUE)
                             ? grow_to (growing, local, self->now[tile].above - over)
                             : NAN;

          growing->packed[tile] = MIN (growing->packed[tile], above);
        }
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
  Growing growing = { self, TSR_PLAN_BIT (tsr_plan_find (self, "batch")), best, packed };

  if (!tsr_parallel_run (&parallel, self->n_tiles, 0, &growing, cancellable, error))
    return FALSE;
  take_least (best, self->n_tiles, &self->growth.best, &self->growth.best_tile);
  take_least (packed, self->n_tiles, &self->growth.packed, &self->growth.packed_tile);
  return TRUE;
}

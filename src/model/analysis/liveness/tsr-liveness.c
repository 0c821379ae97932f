/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The object, and one source over all steps. */

#include "config.h"

#include "tsr-liveness-private.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* Without a class for anything that is not always live nothing is told of when it is live. */
static gboolean
tells_when (const TsrLoweredTables *lowered)
{
  if (lowered == NULL || lowered->n == 0)
    return FALSE;
  if (lowered->n_classes > 0)
    return TRUE;
  for (gsize row = 0; row < lowered->n; row++)
    if (lowered->always_live[row] != 1)
      return FALSE;
  return TRUE;
}

TsrLiveness *
tsr_liveness_new (TsrReport *report, TsrMemory *memory, TsrVariables *variables)
{
  TsrLiveness *self;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  g_return_val_if_fail (memory != NULL && variables != NULL, NULL);
  g_return_val_if_fail (tsr_report_get_liveness_tables (report) != NULL, NULL);

  self = g_new0 (TsrLiveness, 1);
  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  self->report = g_object_ref (report);
  self->memory = tsr_memory_ref (memory);
  self->variables = tsr_variables_ref (variables);
  self->tables = tsr_report_get_liveness_tables (report);
  self->programs = tsr_report_get_program_tables (report);
  if (!tells_when (variables->lowered))
    return self;
  self->lowered = variables->lowered;
  tsr_live_axis_init (&self->axis, self->lowered, self->tables->n_steps);
  return self;
}

TsrLiveness *
tsr_liveness_ref (TsrLiveness *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_liveness_unref (TsrLiveness *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  tsr_live_axis_clear (&self->axis);
  g_free (self->peak_bytes);
  g_free (self->peak_step);
  g_mutex_clear (&self->lock);
  tsr_variables_unref (self->variables);
  tsr_memory_unref (self->memory);
  g_object_unref (self->report);
  g_free (self);
}

TsrReport *
tsr_liveness_get_report (TsrLiveness *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->report;
}

TsrMemory *
tsr_liveness_get_memory (TsrLiveness *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->memory;
}

TsrVariables *
tsr_liveness_get_variables (TsrLiveness *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->variables;
}

guint
tsr_liveness_get_n_steps (TsrLiveness *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->tables->n_steps;
}

guint
tsr_liveness_get_step_program (TsrLiveness *self, guint step)
{
  guint32 program;

  g_return_val_if_fail (step < self->tables->n_steps, TSR_NO_INDEX);
  program = self->tables->step_program[step];
  return self->programs != NULL && program < self->programs->n_programs ? program : TSR_NO_INDEX;
}

const char *
tsr_liveness_get_step_name (TsrLiveness *self, guint step)
{
  guint program = tsr_liveness_get_step_program (self, step);

  return program != TSR_NO_INDEX
             ? tsr_string_table_get (self->programs->strings, self->programs->program_name[program])
             : NULL;
}

const char *
tsr_liveness_get_step_type (TsrLiveness *self, guint step)
{
  guint program = tsr_liveness_get_step_program (self, step);

  return program != TSR_NO_INDEX
             ? tsr_string_table_get (self->programs->strings, self->programs->program_type[program])
             : NULL;
}

gboolean
tsr_liveness_has_lowered (TsrLiveness *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->lowered != NULL;
}

/* ---------------------------------------------------------- what is missing */

static const char *
why_not_lowered (TsrLiveness *self)
{
  return self->variables->lowered == NULL || self->variables->lowered->n == 0
             ? _ ("the variables on each tile are not recorded (vars_info; recorded with the "
                  "engine option autoReport.outputLoweredVars)")
             : _ ("it is not recorded when the variables on each tile are live "
                  "(equivalence_class_intervals; recorded with the engine option "
                  "autoReport.outputLoweredVars)");
}

static gboolean
has_ipu (TsrLiveness *self, guint ipu)
{
  return self->tables->step_ipu_bytes != NULL && ipu < self->tables->n_ipus;
}

gboolean
tsr_liveness_can_show (TsrLiveness *self, const TsrLivenessSource *source, char **why)
{
  const char *text = NULL;

  if (self->tables->n_steps == 0)
    text = _ ("the liveness steps are not recorded (liveness_steps; recorded with the engine "
              "option autoReport.outputGraphProfile)");
  else if (source->kind == TSR_LIVENESS_IPU && !has_ipu (self, source->ipu)
           && self->lowered == NULL)
    text = _ ("the liveness of single IPUs is not recorded (liveness_by_ipu, vars_info; recorded "
              "with the engine option autoReport.outputLoweredVars)");
  else if (source->kind == TSR_LIVENESS_TILES && self->lowered == NULL)
    text = why_not_lowered (self);
  if (why != NULL)
    *why = g_strdup (text);
  return text == NULL;
}

gboolean
tsr_liveness_check_variables (TsrLiveness *self, const TsrLivenessSource *source, GError **error)
{
  if (source->kind == TSR_LIVENESS_ALL || self->lowered != NULL)
    return TRUE;
  g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
               _ ("What is live on single tiles and IPUs is not known: %s"),
               why_not_lowered (self));
  return FALSE;
}

gboolean
tsr_liveness_check_step (TsrLiveness *self, guint step, GError **error)
{
  if (step < self->tables->n_steps)
    return TRUE;
  if (self->tables->n_steps == 0)
    g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                 _ ("The report has no liveness steps (liveness_steps)"));
  else
    g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT,
                 _ ("There is no step %u: this report has liveness steps 0 to %u"), step,
                 self->tables->n_steps - 1);
  return FALSE;
}

void
tsr_liveness_get_default_source (TsrLiveness *self, TsrLivenessSource *source)
{
  gint64 most = 0;
  guint worst = 0;

  g_return_if_fail (self != NULL && source != NULL);
  memset (source, 0, sizeof *source);
  if (self->lowered == NULL)
    return;
  for (guint tile = 0; tile < tsr_memory_get_n_tiles (self->memory); tile++)
    if (tsr_memory_get_need (self->memory, tile) > most)
      {
        most = tsr_memory_get_need (self->memory, tile);
        worst = tile;
      }
  if (most == 0)
    return;
  source->kind = TSR_LIVENESS_TILES;
  source->n_tiles = 1;
  source->tiles = g_new (guint, 1);
  source->tiles[0] = worst;
}

GArray *
tsr_liveness_dup_lifetimes (TsrLiveness *self, const TsrLivenessSource *source, guint variable)
{
  g_autoptr (GArray) tiles = NULL;
  guint first, end;

  g_return_val_if_fail (self != NULL && source != NULL, NULL);
  if (source->kind == TSR_LIVENESS_ALL)
    return tsr_variables_dup_lifetimes (self->variables, variable, NULL, 0);
  if (source->kind == TSR_LIVENESS_TILES)
    return tsr_variables_dup_lifetimes (self->variables, variable, source->tiles, source->n_tiles);
  tiles = g_array_new (FALSE, FALSE, sizeof (guint));
  tsr_memory_get_ipu_tiles (self->memory, source->ipu, &first, &end);
  for (guint tile = first; tile < end; tile++)
    g_array_append_val (tiles, tile);
  return tsr_variables_dup_lifetimes (self->variables, variable, (const guint *)tiles->data,
                                      tiles->len);
}

/* ------------------------------------------------------------------ series */

typedef struct
{
  TsrLivenessSeries series;
  gatomicrefcount refs;
} Series;

TsrLivenessSeries *
tsr_liveness_series_ref (TsrLivenessSeries *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&((Series *)self)->refs);
  return self;
}

void
tsr_liveness_series_unref (TsrLivenessSeries *self)
{
  if (!g_atomic_ref_count_dec (&((Series *)self)->refs))
    return;
  g_free (self->not_always_live);
  g_free (self);
}

TsrLivenessSeries *
tsr_liveness_series_new (guint n_steps)
{
  Series *self = g_new0 (Series, 1);

  g_atomic_ref_count_init (&self->refs);
  self->series.n_steps = n_steps;
  self->series.not_always_live = g_new (gint64, MAX (n_steps, 1));
  for (guint step = 0; step < n_steps; step++)
    self->series.not_always_live[step] = TSR_UNKNOWN;
  self->series.always_live = TSR_UNKNOWN;
  self->series.capacity = TSR_UNKNOWN;
  self->series.peak_step = TSR_NO_INDEX;
  self->series.peak_bytes = TSR_UNKNOWN;
  return &self->series;
}

static void
say_too_large (TsrLiveness *self, const char *table)
{
  tsr_variables_say_sum_too_large (tsr_report_get_diagnostics (self->report), table);
}

/* Adds up what the source's allocations are, class by class. */
static gboolean
add_allocations (TsrLiveness *self,
                 const TsrLivenessSource *source,
                 TsrLiveSums *sums,
                 GCancellable *cancellable,
                 GError **error)
{
  const TsrVariables *variables = self->variables;
  guint first;
  guint end;

  if (source->kind == TSR_LIVENESS_ALL)
    {
      for (guint32 i = 0; i < variables->part_start[variables->n]; i++)
        tsr_live_sums_add (sums, variables->parts[i].class_index, variables->parts[i].bytes);
      return TRUE;
    }
  if (!tsr_liveness_source_get_range (self->memory, source, &first, &end))
    end = source->n_tiles;
  for (guint i = first; i < end; i++)
    {
      guint tile = source->kind == TSR_LIVENESS_TILES ? source->tiles[i] : i;

      if (tile < self->lowered->n_tiles)
        tsr_live_sums_add_tile (sums, tile);
      if (i % LOOK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* Sums of variable_lifetimes for variables that no allocation belongs to.  FALSE when a variable
 * is not always live and nobody tells when it is: then no step is known. */
static gboolean
add_lifetimes (TsrLiveness *self, gint64 *bytes)
{
  const TsrLivenessTables *tables = self->tables;
  const TsrVariables *variables = self->variables;
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (TsrLiveEvent));
  g_autoptr (GArray) sums = NULL;
  gboolean overflow = FALSE;

  for (guint v = 0; v < variables->n_told; v++)
    {
      if (!tsr_variables_has_no_part (variables, v) || tables->variable_always_live[v] == 1)
        continue;
      if (tables->lifetime_start[v] == tables->lifetime_start[v + 1] && variables->bytes[v] != 0)
        return FALSE;
      for (guint32 i = tables->lifetime_start[v]; i < tables->lifetime_start[v + 1]; i++)
        tsr_live_events_add (events, tables->lifetime_from[i], tables->lifetime_to[i],
                             tables->lifetime_bytes[i]);
    }
  sums = tsr_live_events_merge (events, &overflow);
  for (guint i = 0; i < sums->len; i++)
    {
      const TsrLifetime *sum = &g_array_index (sums, TsrLifetime, i);

      for (guint32 step = sum->from; step < sum->to; step++)
        overflow |= !tsr_variables_sum_add (&bytes[step], sum->bytes);
    }
  if (overflow)
    say_too_large (self, "variable_lifetimes");
  return TRUE;
}

/* What allocations and lifetimes tell, where the tables of steps do not. */
static gboolean
fill_steps (TsrLiveness *self,
            const TsrLivenessSource *source,
            const TsrLiveSums *sums,
            gint64 *bytes)
{
  guint n = self->tables->n_steps;
  g_autofree gint64 *computed = g_new0 (gint64, MAX (n, 1));
  gboolean known = sums != NULL || source->kind == TSR_LIVENESS_ALL;

  if (sums != NULL)
    tsr_live_sums_series (sums, &self->axis, computed);
  if (source->kind == TSR_LIVENESS_ALL)
    known = add_lifetimes (self, computed);
  for (guint step = 0; step < n; step++)
    if (bytes[step] == TSR_UNKNOWN && known)
      bytes[step] = computed[step];
  return known;
}

/* Bytes always live: the tiles' own; else the allocations'; else the variables'. */
static gint64
sum_always_live (TsrLiveness *self, const TsrLivenessSource *source, const TsrLiveSums *sums)
{
  const gint64 *values = tsr_memory_peek (self->memory, TSR_METRIC_ALWAYS_LIVE);
  const TsrLivenessTables *tables = self->tables;
  gint64 sum = values != NULL ? 0 : TSR_UNKNOWN;
  gboolean fits = TRUE;
  guint first;
  guint end;

  if (!tsr_liveness_source_get_range (self->memory, source, &first, &end))
    end = source->n_tiles;
  for (guint i = first; values != NULL && i < end; i++)
    fits &= tsr_variables_sum_add (&sum, values[source->tiles != NULL ? source->tiles[i] : i]);
  if (!fits)
    say_too_large (self, "memory_by_tile");
  if (sum != TSR_UNKNOWN)
    return sum;
  if (sums != NULL)
    return sums->always;
  if (source->kind == TSR_LIVENESS_TILES || tables->n_variables == 0
      || (source->kind == TSR_LIVENESS_IPU
          && (tables->variable_ipu_bytes == NULL || source->ipu >= tables->n_variable_ipus)))
    return TSR_UNKNOWN;
  sum = 0;
  for (guint v = 0; v < tables->n_variables; v++)
    if (tables->variable_always_live[v] == 255)
      return TSR_UNKNOWN;
    else if (tables->variable_always_live[v] == 1)
      fits &= tsr_variables_sum_add (
          &sum, source->kind == TSR_LIVENESS_ALL
                    ? tables->variable_size[v]
                    : tables->variable_ipu_bytes[(gsize)source->ipu * tables->n_variables + v]);
  if (!fits)
    say_too_large (self, "variables");
  return sum;
}

static void
find_peak (TsrLiveness *self, TsrLivenessSeries *series)
{
  gint64 most = TSR_UNKNOWN;

  for (guint step = 0; step < series->n_steps; step++)
    {
      if (series->not_always_live[step] == TSR_UNKNOWN)
        {
          /* It may be the one. */
          series->peak_step = TSR_NO_INDEX;
          return;
        }
      if (most != TSR_UNKNOWN && series->not_always_live[step] <= most)
        continue;
      most = series->not_always_live[step];
      series->peak_step = step;
    }
  series->peak_bytes = most;
  if (!tsr_variables_sum_add (&series->peak_bytes, series->always_live))
    say_too_large (self, "liveness_steps");
}

static gint64
get_capacity (TsrLiveness *self, const TsrLivenessSource *source)
{
  gint64 capacity = tsr_memory_get_capacity (self->memory);
  guint first;
  guint end;

  if (!tsr_liveness_source_get_range (self->memory, source, &first, &end))
    end = source->n_tiles;
  if (capacity == TSR_UNKNOWN
      || __builtin_mul_overflow (capacity, (gint64)(end - first), &capacity))
    return TSR_UNKNOWN;
  return capacity;
}

/* What the tables of steps tell of @source; FALSE when any step is missing. */
static gboolean
take_told (TsrLiveness *self, const TsrLivenessSource *source, gint64 *bytes)
{
  const gint64 *told = NULL;
  guint n = self->tables->n_steps;

  if (source->kind == TSR_LIVENESS_ALL)
    told = self->tables->step_bytes;
  else if (source->kind == TSR_LIVENESS_IPU && has_ipu (self, source->ipu))
    told = self->tables->step_ipu_bytes + (gsize)source->ipu * n;
  if (told == NULL)
    return FALSE;
  memcpy (bytes, told, n * sizeof *bytes);
  for (guint step = 0; step < n; step++)
    if (told[step] == TSR_UNKNOWN)
      return FALSE;
  return TRUE;
}

static gboolean
needs_allocations (TsrLiveness *self, const TsrLivenessSource *source, gboolean told)
{
  const gint64 *always = tsr_memory_peek (self->memory, TSR_METRIC_ALWAYS_LIVE);

  if (self->lowered == NULL)
    return FALSE;
  for (guint tile = 0; told && always != NULL && tile < tsr_memory_get_n_tiles (self->memory);
       tile++)
    if (always[tile] == TSR_UNKNOWN)
      return TRUE;
  return !told || always == NULL;
}

TsrLivenessSeries *
tsr_liveness_compute (TsrLiveness *self,
                      const TsrLivenessSource *source,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autofree char *why = NULL;
  g_autoptr (TsrLivenessSeries) series = NULL;
  TsrLiveSums sums = { NULL };
  gboolean with_sums;
  gboolean told;
  gboolean ok;

  g_return_val_if_fail (self != NULL && source != NULL, NULL);
  if (!tsr_liveness_can_show (self, source, &why))
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART, _ ("Liveness cannot be shown: %s"),
                   why);
      return NULL;
    }
  series = tsr_liveness_series_new (self->tables->n_steps);
  told = take_told (self, source, series->not_always_live);
  with_sums = needs_allocations (self, source, told);
  if (with_sums)
    tsr_live_sums_init (&sums, self->lowered);
  ok = !with_sums || add_allocations (self, source, &sums, cancellable, error);
  if (ok)
    {
      if (!told)
        fill_steps (self, source, with_sums ? &sums : NULL, series->not_always_live);
      series->always_live = sum_always_live (self, source, with_sums ? &sums : NULL);
      series->capacity = get_capacity (self, source);
      find_peak (self, series);
    }
  if (with_sums)
    tsr_live_sums_clear (&sums);
  return ok ? g_steal_pointer (&series) : NULL;
}

/* ------------------------------------------------------------------- tiles */

/* Without lowered variables the file's own peaks of the tiles. */
static gboolean
take_told_peaks (TsrLiveness *self, gint64 *peaks, guint32 *steps)
{
  const gint64 *bytes = tsr_memory_peek (self->memory, TSR_METRIC_NOT_ALWAYS_LIVE);
  const gint64 *at = tsr_memory_peek (self->memory, TSR_METRIC_PEAK_STEP);

  if (bytes == NULL)
    return FALSE;
  for (guint tile = 0; tile < tsr_memory_get_n_tiles (self->memory); tile++)
    {
      peaks[tile] = bytes[tile];
      steps[tile] = at != NULL && at[tile] >= 0 && at[tile] < self->tables->n_steps
                        ? (guint32)at[tile]
                        : TSR_NO_INDEX;
    }
  return TRUE;
}

static gboolean
compute_peaks (TsrLiveness *self, GCancellable *cancellable, GError **error)
{
  guint n = tsr_memory_get_n_tiles (self->memory);
  guint n_lowered = self->lowered != NULL ? self->lowered->n_tiles : 0;
  g_autofree gint64 *bytes = g_new (gint64, MAX (MAX (n, n_lowered), 1));
  g_autofree guint32 *steps = g_new (guint32, MAX (MAX (n, n_lowered), 1));

  if (self->lowered == NULL && !take_told_peaks (self, bytes, steps))
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART,
                   _ ("The peaks of the tiles are not known: %s"), why_not_lowered (self));
      return FALSE;
    }
  if (self->lowered != NULL
      && !tsr_live_sums_find_peaks (&self->axis, 0, bytes, steps, cancellable, error))
    return FALSE;
  for (guint tile = n_lowered; self->lowered != NULL && tile < n; tile++)
    {
      bytes[tile] = TSR_UNKNOWN;
      steps[tile] = TSR_NO_INDEX;
    }
  self->peak_bytes = g_steal_pointer (&bytes);
  self->peak_step = g_steal_pointer (&steps);
  return TRUE;
}

gboolean
tsr_liveness_get_tile_peaks (TsrLiveness *self,
                             const gint64 **bytes,
                             const guint32 **step,
                             GCancellable *cancellable,
                             GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = self->peak_step != NULL || compute_peaks (self, cancellable, error);
  g_mutex_unlock (&self->lock);
  if (!ok)
    return FALSE;
  if (bytes != NULL)
    *bytes = self->peak_bytes;
  if (step != NULL)
    *step = self->peak_step;
  return TRUE;
}

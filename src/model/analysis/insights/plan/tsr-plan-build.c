/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Builds a plan from a report's parts: what is needed, which measures there are and what each
 * saves. One worker thread. */

#include "config.h"

#include "tsr-known.h"
#include "tsr-plan-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* -------------------------------------------------------------------- parts */

/* Tiles that do not fit, and what each has too much. */
static void
find_needs (TsrPlan *self)
{
  const gint64 *including = tsr_memory_peek (self->memory, TSR_METRIC_INCLUDING_GAPS);
  gboolean is_unknown = self->n_tiles == 0;

  self->over_now = g_new (gint64, MAX (self->n_tiles, 1));
  self->needing = g_new (guint, MAX (self->n_tiles, 1));
  self->worst = TSR_NO_INDEX;
  for (guint tile = 0; tile < self->n_tiles; tile++)
    {
      gint64 need = tsr_memory_get_need (self->memory, tile);
      gint64 over
          = tsr_known_subtract (including != NULL ? including[tile] : TSR_UNKNOWN, self->capacity);

      /* What fits and does not tell how much of it is free is not over. */
      self->over_now[tile] = need == 0 && over != TSR_UNKNOWN ? over : need;
      is_unknown |= need == TSR_UNKNOWN;
      if (need > 0)
        self->needing[self->n_needing++] = tile;
      if ((need > 0 || over != TSR_UNKNOWN)
          && (self->worst == TSR_NO_INDEX || self->over_now[tile] > self->over_now[self->worst]))
        self->worst = tile;
    }
  if (self->n_needing > 0)
    self->fit = TSR_OUT_OF_MEMORY;
  else
    self->fit = is_unknown ? TSR_FIT_UNKNOWN : TSR_FITS;
}

static int
compare_needs (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrPlan *self = data;
  gint64 x = self->over_now[*(const guint *)a];
  gint64 y = self->over_now[*(const guint *)b];

  return x > y ? -1 : x < y;
}

static void
find_of_program (TsrPlan *self)
{
  self->of_program = g_new0 (guint8, MAX (self->variables->n, 1));
  for (gsize row = 0; row < self->lowered->n; row++)
    if (self->lowered->variable[row] != TSR_NO_INDEX)
      self->of_program[tsr_variables_get_entry (self->variables, row)] = TRUE;
}

/* ------------------------------------------------------------------- order */

typedef struct
{
  TsrMeasure measure;
  TsrPlanAct act;
  guint32 entry;
  guint place;
} Listed;

static gint64
get_rank (const Listed *listed)
{
  if (listed->measure.kind == TSR_MEASURE_LISTED)
    return -2;
  return listed->measure.missing != NULL ? -1 : 0;
}

static int
compare_listed (gconstpointer a, gconstpointer b)
{
  const Listed *x = a;
  const Listed *y = b;

  if (get_rank (x) != get_rank (y))
    return get_rank (x) > get_rank (y) ? -1 : 1;
  if (x->measure.relief != y->measure.relief)
    return x->measure.relief > y->measure.relief ? -1 : 1;
  if (x->measure.worst_tile != y->measure.worst_tile)
    return x->measure.worst_tile > y->measure.worst_tile ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* Nothing to say of a measure that helps no tile that does not fit. */
static gboolean
is_worth_listing (TsrPlan *self, const TsrMeasure *measure, TsrPlanAct act)
{
  if (act == TSR_PLAN_NOTHING || act == TSR_PLAN_BATCH)
    return TRUE;
  for (guint tile = 0; tile < self->n_tiles; tile++)
    if (measure->saved[tile] > 0 && (self->n_needing == 0 || self->over_now[tile] > 0))
      return (act != TSR_PLAN_SPREAD && act != TSR_PLAN_RECOMPUTED) || measure->relief > 0;
  return FALSE;
}

static TsrMeasureSet
reorder (TsrMeasureSet mask, const guint *place)
{
  TsrMeasureSet result = 0;

  for (; mask != 0; mask &= mask - 1)
    {
      guint to = place[__builtin_ctzll (mask)];

      if (to != TSR_NO_INDEX)
        result |= TSR_PLAN_BIT (to);
    }
  return result;
}

/* The largest relief first; measures are bits of masks, which follow. */
static void
sort_measures (TsrPlan *self)
{
  Listed list[TSR_PLAN_MOST];
  guint place[TSR_PLAN_MOST];
  guint n = 0;
  guint kept = 0;

  for (guint i = 0; i < self->n_measures; i++)
    {
      place[i] = TSR_NO_INDEX;
      if (is_worth_listing (self, &self->measures[i], self->acts[i]))
        list[n++] = (Listed){ self->measures[i], self->acts[i], self->entries[i], i };
      else
        tsr_plan_measure_clear (&self->measures[i]);
    }
  qsort (list, n, sizeof *list, compare_listed);
  for (guint i = 0; i < n; i++)
    {
      self->measures[i] = list[i].measure;
      self->acts[i] = list[i].act;
      self->entries[i] = list[i].entry;
      place[list[i].place] = i;
    }
  self->n_measures = n;
  for (guint i = 0; i < self->subjects->len; i++)
    {
      TsrPlanSubject *subject = &g_array_index (self->subjects, TsrPlanSubject, i);

      subject->mask = reorder (subject->mask, place);
    }
  for (guint tile = 0; tile < self->n_tiles; tile++)
    self->tile_mask[tile] = reorder (self->tile_mask[tile], place);
  for (guint i = 0; i < self->shares->len; i++)
    {
      TsrPlanShare share = g_array_index (self->shares, TsrPlanShare, i);

      share.measure = place[share.measure];
      if (share.measure != TSR_NO_INDEX)
        g_array_index (self->shares, TsrPlanShare, kept++) = share;
    }
  g_array_set_size (self->shares, kept);
}

/* ----------------------------------------------------------------------- new */

/* L(t) of every tile. */
static gboolean
find_live (TsrPlan *self, GCancellable *cancellable, GError **error)
{
  g_autofree TsrPlanPeak *peaks = g_new (TsrPlanPeak, MAX (self->n_tiles, 1));

  if (!tsr_plan_eval_all (self, 0, peaks, cancellable, error))
    return FALSE;
  self->now = g_steal_pointer (&peaks);
  return TRUE;
}

static gboolean
build (TsrPlan *self, GCancellable *cancellable, GError **error)
{
  self->base = tsr_plan_world_new (self, 0);
  find_of_program (self);
  return tsr_plan_read_touches (self, cancellable, error)
         && tsr_plan_find_candidates (self, cancellable, error)
         && tsr_plan_fill_cells (self, cancellable, error) && find_live (self, cancellable, error)
         && tsr_plan_find_savings (self, cancellable, error)
         && tsr_plan_find_growth (self, cancellable, error);
}

/* (transfer full) (nullable): what the report lacks for a plan. */
static char *
dup_missing (TsrPlan *self)
{
  static const char graph[] = "autoReport.outputGraphProfile";
  static const char lowered_vars[] = "autoReport.outputLoweredVars";
  const TsrReportFiles *files = tsr_report_get_files (self->report);
  const TsrLoweredTables *lowered = tsr_report_get_lowered_tables (self->report);
  const char *part = NULL, *option = lowered_vars;

  if (files != NULL && !files->files[TSR_FILE_PROFILE].found)
    return g_strdup_printf (_ ("There is no plan: it needs profile.pop, which the report does not "
                               "have; the engine options %s and %s record it"),
                            graph, lowered_vars);
  if (lowered == NULL || lowered->n == 0)
    part = "vars_info";
  else if (self->liveness == NULL || self->n_steps == 0)
    {
      part = "liveness_steps";
      option = graph;
    }
  else if (!tsr_liveness_has_lowered (self->liveness))
    part = "equivalence_class_intervals";
  if (part == NULL)
    return NULL;
  /* Translators: a table of the report, and the engine option that records it. */
  return g_strdup_printf (_ ("There is no plan: it needs %s, which the report does not have; the "
                             "engine option %s records it"),
                          part, option);
}

TsrPlan *
tsr_plan_new (TsrReport *report,
              TsrMemory *memory,
              TsrLiveness *liveness,
              TsrUnits units,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (TsrPlan) self = NULL;
  const TsrSummary *summary;

  g_return_val_if_fail (TSR_IS_REPORT (report) && memory != NULL, NULL);
  self = g_new0 (TsrPlan, 1);
  summary = tsr_report_get_summary (report);
  g_atomic_ref_count_init (&self->refs);
  self->report = g_object_ref (report);
  self->memory = tsr_memory_ref (memory);
  self->liveness = liveness != NULL ? tsr_liveness_ref (liveness) : NULL;
  self->units = units;
  self->n_tiles = tsr_memory_get_n_tiles (memory);
  self->capacity = tsr_memory_get_capacity (memory);
  self->interleaved_start = summary != NULL ? summary->target.interleaved_start : TSR_UNKNOWN;
  self->tables = tsr_report_get_liveness_tables (report);
  self->programs = tsr_report_get_program_tables (report);
  self->growth = (TsrPlanGrowth){ NAN, NAN, TSR_NO_INDEX, TSR_NO_INDEX };
  find_needs (self);
  g_qsort_with_data (self->needing, (int)self->n_needing, sizeof (guint), compare_needs, self);
  if (liveness != NULL)
    {
      self->variables = tsr_liveness_get_variables (liveness);
      self->lowered = self->variables->lowered;
      self->n_steps = tsr_liveness_get_n_steps (liveness);
    }
  self->missing = dup_missing (self);
  if (self->missing != NULL)
    return g_steal_pointer (&self);
  if (!build (self, cancellable, error))
    return NULL;
  sort_measures (self);
  tsr_plan_write_texts (self);
  return g_steal_pointer (&self);
}

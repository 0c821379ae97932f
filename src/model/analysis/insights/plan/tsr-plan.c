/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a plan hands out. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-plan-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
tsr_plan_measure_clear (TsrMeasure *measure)
{
  g_free (measure->id);
  g_free (measure->title);
  g_free (measure->text);
  g_free (measure->missing);
  g_free (measure->variable);
  g_free ((gpointer)measure->saved);
}

TsrPlan *
tsr_plan_ref (TsrPlan *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_plan_unref (TsrPlan *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint i = 0; i < self->n_measures; i++)
    tsr_plan_measure_clear (&self->measures[i]);
  tsr_plan_world_free (self->base);
  g_clear_pointer (&self->subjects, g_array_unref);
  g_clear_pointer (&self->shares, g_array_unref);
  g_clear_pointer (&self->touched, g_hash_table_unref);
  g_clear_pointer (&self->twins, g_hash_table_unref);
  g_free (self->missing);
  g_free (self->over_now);
  g_free (self->now);
  g_free (self->split);
  g_free (self->needing);
  g_free (self->touch_start);
  g_free (self->touches);
  g_free (self->of_program);
  g_free (self->cells);
  g_free (self->cell_start);
  g_free (self->tile_mask);
  g_free (self->receiver);
  g_free (self->n_receivers);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  tsr_memory_unref (self->memory);
  g_object_unref (self->report);
  g_free (self);
}

/* ---------------------------------------------------------------- accessors */

const char *
tsr_plan_get_missing (TsrPlan *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->missing;
}

TsrFit
tsr_plan_get_fit (TsrPlan *self)
{
  g_return_val_if_fail (self != NULL, TSR_FIT_UNKNOWN);
  return self->fit;
}

guint
tsr_plan_get_worst (TsrPlan *self)
{
  g_return_val_if_fail (self != NULL, TSR_NO_INDEX);
  return self->worst;
}

guint
tsr_plan_get_n_tiles (TsrPlan *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_tiles;
}

guint
tsr_plan_get_n_needing (TsrPlan *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_needing;
}

const TsrMeasure *
tsr_plan_peek_measures (TsrPlan *self, guint *n_measures)
{
  g_return_val_if_fail (self != NULL && n_measures != NULL, NULL);
  *n_measures = self->n_measures;
  return self->measures;
}

guint
tsr_plan_find (TsrPlan *self, const char *id)
{
  g_return_val_if_fail (self != NULL && id != NULL, TSR_NO_INDEX);
  for (guint i = 0; i < self->n_measures; i++)
    if (g_str_equal (self->measures[i].id, id))
      return i;
  return TSR_NO_INDEX;
}

void
tsr_plan_get_growth (TsrPlan *self, TsrPlanGrowth *growth)
{
  g_return_if_fail (self != NULL && growth != NULL);
  *growth = self->growth;
}

TsrMeasureSet
tsr_plan_get_of_kind (TsrPlan *self, TsrMeasureKind kind)
{
  TsrMeasureSet set = 0;

  for (guint i = 0; i < self->n_measures; i++)
    if (self->measures[i].kind == kind && self->acts[i] != TSR_PLAN_NOTHING)
      set |= TSR_PLAN_BIT (i);
  return set;
}

char *
tsr_plan_dup_ids (TsrPlan *self, TsrMeasureSet set)
{
  GString *ids = g_string_new (NULL);

  g_return_val_if_fail (self != NULL, NULL);
  for (guint i = 0; i < self->n_measures; i++)
    if ((set & TSR_PLAN_BIT (i)) != 0)
      g_string_append_printf (ids, "%s%s", ids->len > 0 ? "," : "", self->measures[i].id);
  return g_string_free (ids, FALSE);
}

/* The longest measure's id that @text begins with, up to a comma or the end. */
static guint
find_at (TsrPlan *self, const char *text, gsize *length)
{
  guint found = TSR_NO_INDEX;

  *length = 0;
  for (guint i = 0; i < self->n_measures; i++)
    {
      gsize n = strlen (self->measures[i].id);

      if (n > *length && strncmp (text, self->measures[i].id, n) == 0
          && (text[n] == ',' || text[n] == '\0'))
        {
          found = i;
          *length = n;
        }
    }
  return found;
}

gboolean
tsr_plan_parse (TsrPlan *self, const char *ids, TsrMeasureSet *set, GError **error)
{
  g_return_val_if_fail (self != NULL && ids != NULL && set != NULL, FALSE);
  *set = 0;
  for (const char *p = ids; *p != '\0';)
    {
      gsize length;
      guint i = find_at (self, p, &length);

      if (i == TSR_NO_INDEX)
        {
          g_autofree char *id = g_strndup (p, strcspn (p, ","));
          g_autofree char *all
              = tsr_plan_dup_ids (self, tsr_plan_get_of_kind (self, TSR_MEASURE_EXACT)
                                            | tsr_plan_get_of_kind (self, TSR_MEASURE_UPPER_BOUND));

          g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT,
                       _ ("The plan has no measure “%s”; it has %s"), id,
                       *all != '\0' ? all : _ ("none"));
          return FALSE;
        }
      if (self->acts[i] == TSR_PLAN_NOTHING)
        {
          g_set_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT,
                       _ ("The measure “%s” cannot be forecast: %s"), self->measures[i].id,
                       self->measures[i].missing != NULL ? self->measures[i].missing
                                                         : _ ("its saving is not known"));
          return FALSE;
        }
      *set |= TSR_PLAN_BIT (i);
      p += length;
      if (*p == ',')
        p++;
    }
  return TRUE;
}

/* ------------------------------------------------------------------- values */

const char *
tsr_plan_verdict_get_nick (TsrPlanVerdict verdict)
{
  static const char *const nicks[] = { "fits", "may-fit", "does-not-fit", "unknown" };

  g_return_val_if_fail ((guint)verdict < G_N_ELEMENTS (nicks), NULL);
  return nicks[verdict];
}

const char *
tsr_plan_verdict_get_name (TsrPlanVerdict verdict)
{
  static const char *const names[]
      = { N_ ("Fits"), N_ ("May fit"), N_ ("Does not fit"), N_ ("Not known") };

  g_return_val_if_fail ((guint)verdict < G_N_ELEMENTS (names), NULL);
  return _ (names[verdict]);
}

const char *
tsr_measure_kind_get_nick (TsrMeasureKind kind)
{
  static const char *const nicks[] = { "exact", "upper-bound", "listed" };

  g_return_val_if_fail ((guint)kind < G_N_ELEMENTS (nicks), NULL);
  return nicks[kind];
}

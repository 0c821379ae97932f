/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Some variables together over all steps: their allocations are added up by class as those of a
 * source are, so that thousands of them cost no more than one walk over the classes. */

#include "config.h"

#include "tsr-liveness-private.h"

#include <string.h>

typedef struct
{
  TsrLiveness *self;
  guint8 *wanted; /* [variable] */
  TsrLiveSums sums;
  GArray *events; /* TsrLiveEvent, of variables without allocations */
  gboolean unknown;
} Together;

static void
together_clear (Together *t)
{
  g_free (t->wanted);
  tsr_live_sums_clear (&t->sums);
  g_clear_pointer (&t->events, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Together, together_clear)

static void
add_part (Together *t, guint32 class_index, gint64 bytes)
{
  if (t->self->lowered != NULL)
    tsr_live_sums_add (&t->sums, class_index, bytes);
  else if (class_index != TSR_CLASS_ALWAYS)
    t->unknown = TRUE;
}

/* A variable that no allocation belongs to, and so a row of the variables. */
static void
add_told (Together *t, guint variable)
{
  const TsrLivenessTables *tables = t->self->tables;

  if (tables->variable_always_live[variable] == 1)
    return;
  for (guint32 i = tables->lifetime_start[variable]; i < tables->lifetime_start[variable + 1]; i++)
    tsr_live_events_add (t->events, tables->lifetime_from[i], tables->lifetime_to[i],
                         tables->lifetime_bytes[i]);
}

static gboolean
add_tiles (Together *t, const TsrLivenessSource *source, GCancellable *cancellable, GError **error)
{
  TsrLiveness *self = t->self;
  const TsrLoweredTables *lowered = self->lowered;
  guint first, end;

  if (!tsr_liveness_source_get_range (self->memory, source, &first, &end))
    end = source->n_tiles;
  for (guint k = first; k < end; k++)
    {
      guint tile = source->kind == TSR_LIVENESS_TILES ? source->tiles[k] : k;

      if (k % LOOK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (tile >= lowered->n_tiles)
        continue;
      for (gsize i = lowered->tile_start[tile]; i < lowered->tile_start[tile + 1]; i++)
        {
          gsize row = tsr_lowered_get_row (lowered, i);

          if (t->wanted[tsr_variables_get_entry (self->variables, row)])
            add_part (t, tsr_lowered_get_class (lowered, row),
                      tsr_lowered_get_bytes (lowered, row));
        }
    }
  return TRUE;
}

static void
add_all (Together *t, const guint32 *variables, guint n)
{
  const TsrVariables *v = t->self->variables;

  for (guint i = 0; i < n; i++)
    {
      for (guint32 part = v->part_start[variables[i]]; part < v->part_start[variables[i] + 1];
           part++)
        add_part (t, v->parts[part].class_index, v->parts[part].bytes);
      if (tsr_variables_has_no_part (v, variables[i]))
        add_told (t, variables[i]);
    }
}

/* Bytes by step as intervals of the same bytes; nothing where there are none. */
static GArray *
to_lifetimes (const gint64 *bytes, guint n_steps)
{
  GArray *lifetimes = g_array_new (FALSE, FALSE, sizeof (TsrLifetime));

  for (guint32 from = 0, to; from < n_steps; from = to)
    {
      TsrLifetime one = { .from = from, .bytes = bytes[from] };

      for (to = from + 1; to < n_steps && bytes[to] == bytes[from];)
        to++;
      one.to = to;
      if (one.bytes != 0)
        g_array_append_val (lifetimes, one);
    }
  return lifetimes;
}

GArray *
tsr_liveness_dup_sum_of (TsrLiveness *self,
                         const TsrLivenessSource *source,
                         const guint32 *variables,
                         guint n_variables,
                         GCancellable *cancellable,
                         GError **error)
{
  guint n_steps;
  g_auto (Together) t = { .self = self };
  g_autofree gint64 *bytes = NULL;
  g_autoptr (GArray) told = NULL;
  gboolean overflow = FALSE;

  g_return_val_if_fail (self != NULL && source != NULL, NULL);
  if (!tsr_liveness_check_variables (self, source, error))
    return NULL;
  n_steps = self->tables->n_steps;
  bytes = g_new0 (gint64, MAX (n_steps, 1));
  t.events = g_array_new (FALSE, FALSE, sizeof (TsrLiveEvent));
  t.wanted = g_new0 (guint8, MAX (self->variables->n, 1));
  for (guint i = 0; i < n_variables; i++)
    {
      g_return_val_if_fail (variables[i] < self->variables->n, NULL);
      t.wanted[variables[i]] = TRUE;
    }
  if (self->lowered != NULL)
    tsr_live_sums_init (&t.sums, self->lowered);
  if (source->kind == TSR_LIVENESS_ALL)
    add_all (&t, variables, n_variables);
  else if (!add_tiles (&t, source, cancellable, error))
    return NULL;
  if (self->lowered != NULL)
    tsr_live_sums_series (&t.sums, &self->axis, bytes);
  told = tsr_live_events_merge (t.events, &overflow);
  for (guint i = 0; i < told->len; i++)
    {
      const TsrLifetime *one = &g_array_index (told, TsrLifetime, i);

      for (guint32 step = one->from; step < one->to; step++)
        overflow |= !tsr_variables_sum_add (&bytes[step], one->bytes);
    }
  for (guint step = 0; t.unknown && step < n_steps; step++)
    bytes[step] = TSR_UNKNOWN;
  if (overflow)
    tsr_variables_say_sum_too_large (tsr_report_get_diagnostics (self->report),
                                     "variable_lifetimes");
  return to_lifetimes (bytes, n_steps);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is live on a source, variable by variable.  For all tiles the sums by variable and class are
 * there already; for some tiles their rows are added up. */

#include "config.h"

#include "tsr-liveness-private.h"

#include "tsr-category.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Sums of variables in one or more columns.  Which allocations a column counts is a question to
 * their class. */
typedef struct
{
  TsrLiveness *self;
  guint n_columns;
  gboolean always;   /* what is always live, and nothing else; one column */
  const guint *step; /* [column] */
  guint end;         /* > 0: what dies until then; one column */
  guint8 **live;     /* [column][class] */
  gint64 *bytes;     /* [variable * n_columns + column] */
  guint8 *met;       /* [variable] */
} Sums;

static void
mark_dying (const TsrLoweredTables *lowered, guint step, guint end, guint8 *live)
{
  for (guint c = 0; c < lowered->n_classes; c++)
    for (gsize i = lowered->interval_start[c]; live[c] && i < lowered->interval_start[c + 1]; i++)
      if (lowered->interval_from[i] <= step && step < lowered->interval_to[i])
        {
          live[c] = lowered->interval_to[i] <= end;
          break;
        }
}

static void
sums_init (Sums *sums, TsrLiveness *self, const guint *steps, guint n_steps)
{
  memset (sums, 0, sizeof *sums);
  sums->self = self;
  sums->n_columns = n_steps;
  sums->step = steps;
  sums->live = g_new0 (guint8 *, n_steps);
  sums->bytes = g_new0 (gint64, (gsize)MAX (self->variables->n, 1) * n_steps);
  sums->met = g_new0 (guint8, MAX (self->variables->n, 1));
  for (guint i = 0; steps != NULL && self->lowered != NULL && i < n_steps; i++)
    sums->live[i] = tsr_live_sums_dup_classes_at (self->lowered, steps[i]);
}

static void
sums_clear (Sums *sums)
{
  for (guint i = 0; i < sums->n_columns; i++)
    g_free (sums->live[i]);
  g_free (sums->live);
  g_free (sums->bytes);
  g_free (sums->met);
}

/* Allocations have 32 bits and are fewer than 2^31; of what tables tell a variable has one number:
 * no sum overflows. */
static inline void
add_value (Sums *sums, guint32 variable, guint column, gint64 bytes)
{
  sums->met[variable] = TRUE;
  tsr_variables_sum_add (&sums->bytes[(gsize)variable * sums->n_columns + column], bytes);
}

static inline void
add_allocation (Sums *sums, guint32 variable, guint32 class_index, gint64 bytes)
{
  if (class_index == TSR_CLASS_ALWAYS)
    {
      if (sums->always)
        add_value (sums, variable, 0, bytes);
    }
  else if (class_index >= TSR_CLASS_UNTOLD)
    {
      /* Live at any step, or at none. */
      for (guint i = 0; (!sums->always || class_index == TSR_CLASS_UNKNOWN) && i < sums->n_columns;
           i++)
        add_value (sums, variable, i, TSR_UNKNOWN);
    }
  else if (!sums->always)
    for (guint i = 0; i < sums->n_columns; i++)
      if (sums->live[i][class_index])
        add_value (sums, variable, i, bytes);
}

/* Whether a variable is live at @step; its bytes then, and the least until @end. */
static gboolean
get_dying (GArray *lifetimes, guint step, guint end, gint64 *at, gint64 *least)
{
  guint next = step;
  gboolean is_live = FALSE;

  *least = G_MAXINT64;
  for (guint i = 0; i < lifetimes->len; i++)
    {
      const TsrLifetime *l = &g_array_index (lifetimes, TsrLifetime, i);

      if (l->to <= step || l->from > end)
        continue;
      if (l->from <= step)
        {
          *at = l->bytes;
          is_live = TRUE;
        }
      if (l->from > next)
        *least = 0;
      *least = MIN (*least, l->bytes);
      next = l->to;
    }
  if (next <= end)
    *least = MIN (*least, 0);
  return is_live;
}

/* A variable that no allocation belongs to. */
static void
add_told (Sums *sums, guint variable)
{
  TsrVariables *variables = sums->self->variables;
  g_autoptr (GArray) lifetimes = NULL;
  TsrLife life = variables->life[variable];

  if (life == TSR_LIFE_ALWAYS || sums->always)
    {
      if (sums->always && life == TSR_LIFE_ALWAYS)
        add_value (sums, variable, 0, variables->bytes[variable]);
      return;
    }
  lifetimes = tsr_variables_dup_lifetimes (variables, variable, NULL, 0);
  for (guint column = 0; column < sums->n_columns; column++)
    {
      const guint step = sums->step[column];
      gint64 at = 0, least;

      if (!get_dying (lifetimes, step, sums->end > 0 ? sums->end : step, &at, &least))
        continue;
      if (sums->end == 0)
        add_value (sums, variable, column, at);
      else if (at == TSR_UNKNOWN || least == TSR_UNKNOWN)
        add_value (sums, variable, column, TSR_UNKNOWN);
      else if (least < at)
        add_value (sums, variable, column, at - least);
    }
}

static void
add_tile (Sums *sums, guint tile)
{
  const TsrLoweredTables *lowered = sums->self->lowered;

  for (gsize i = lowered->tile_start[tile]; i < lowered->tile_start[tile + 1]; i++)
    {
      gsize row = tsr_lowered_get_row (lowered, i);

      add_allocation (sums, tsr_variables_get_entry (sums->self->variables, row),
                      tsr_lowered_get_class (lowered, row), tsr_lowered_get_bytes (lowered, row));
    }
}

/* IPUs without lowered variables: what is always live there, as variables_by_ipu tells. */
static void
add_told_ipu (Sums *sums, guint ipu)
{
  const TsrLivenessTables *tables = sums->self->tables;

  for (guint v = 0; v < tables->n_variables; v++)
    {
      gint64 bytes = tables->variable_ipu_bytes[(gsize)ipu * tables->n_variables + v];

      if (sums->self->variables->life[v] == TSR_LIFE_ALWAYS && bytes != 0)
        add_value (sums, v, 0, bytes);
    }
}

static gboolean
has_told_ipu (Sums *sums, const TsrLivenessSource *source)
{
  return sums->always && sums->self->lowered == NULL && source->kind == TSR_LIVENESS_IPU
         && sums->self->tables->variable_ipu_bytes != NULL
         && source->ipu < sums->self->tables->n_variable_ipus;
}

static gboolean
sums_fill (Sums *sums, const TsrLivenessSource *source, GCancellable *cancellable, GError **error)
{
  TsrLiveness *self = sums->self;
  const TsrVariables *variables = self->variables;
  guint first;
  guint end;

  if (has_told_ipu (sums, source))
    {
      add_told_ipu (sums, source->ipu);
      return TRUE;
    }
  if (!tsr_liveness_check_variables (self, source, error))
    return FALSE;
  if (source->kind == TSR_LIVENESS_ALL)
    {
      /* Parts without intervals at all tell nothing of when: see tells_when. */
      for (guint32 i = 0; i < variables->part_start[variables->n]; i++)
        if (self->lowered != NULL || variables->parts[i].class_index >= TSR_CLASS_UNTOLD)
          add_allocation (sums, variables->parts[i].variable, variables->parts[i].class_index,
                          variables->parts[i].bytes);
      for (guint v = 0; v < variables->n_told; v++)
        if (tsr_variables_has_no_part (variables, v))
          add_told (sums, v);
      return !g_cancellable_set_error_if_cancelled (cancellable, error);
    }
  if (!tsr_liveness_source_get_range (self->memory, source, &first, &end))
    end = source->n_tiles;
  for (guint i = first; i < end; i++)
    {
      guint tile = source->kind == TSR_LIVENESS_TILES ? source->tiles[i] : i;

      if (tile < self->lowered->n_tiles)
        add_tile (sums, tile);
      if (i % LOOK_EVERY == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* ------------------------------------------------------------------- lists */

/* Of one name by number: a sort of GArray is stable, and what is sorted comes in that order. */
static int
compare_bytes (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrVariableBytes *x = a;
  const TsrVariableBytes *y = b;
  TsrVariables *variables = data;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return strcmp (tsr_variables_get_name (variables, x->variable),
                 tsr_variables_get_name (variables, y->variable));
}

static GArray *
sums_list (Sums *sums, const TsrLivenessSource *source, GCancellable *cancellable, GError **error)
{
  TsrVariables *variables = sums->self->variables;
  GArray *list = NULL;

  if (sums_fill (sums, source, cancellable, error))
    {
      list = g_array_new (FALSE, FALSE, sizeof (TsrVariableBytes));
      for (guint v = 0; v < variables->n; v++)
        {
          TsrVariableBytes entry = { v, sums->bytes[v] };

          if (sums->met[v])
            g_array_append_val (list, entry);
        }
      g_array_sort_with_data (list, compare_bytes, variables);
    }
  sums_clear (sums);
  return list;
}

GArray *
tsr_liveness_list_always_live (TsrLiveness *self,
                               const TsrLivenessSource *source,
                               GCancellable *cancellable,
                               GError **error)
{
  Sums sums;

  g_return_val_if_fail (self != NULL && source != NULL, NULL);
  sums_init (&sums, self, NULL, 1);
  sums.always = TRUE;
  return sums_list (&sums, source, cancellable, error);
}

GArray *
tsr_liveness_list_at (TsrLiveness *self,
                      const TsrLivenessSource *source,
                      guint step,
                      GCancellable *cancellable,
                      GError **error)
{
  Sums sums;

  g_return_val_if_fail (self != NULL && source != NULL, NULL);
  if (!tsr_liveness_check_step (self, step, error))
    return NULL;
  sums_init (&sums, self, &step, 1);
  return sums_list (&sums, source, cancellable, error);
}

GArray *
tsr_liveness_list_dying (TsrLiveness *self,
                         const TsrLivenessSource *source,
                         guint step,
                         guint end,
                         GCancellable *cancellable,
                         GError **error)
{
  Sums sums;

  g_return_val_if_fail (self != NULL && source != NULL, NULL);
  if (!tsr_liveness_check_step (self, step, error))
    return NULL;
  /* What lives to the end of the program is gone at no step. */
  end = MIN (end, self->tables->n_steps - 1);
  if (end <= step)
    return g_array_new (FALSE, FALSE, sizeof (TsrVariableBytes));
  sums_init (&sums, self, &step, 1);
  sums.end = end;
  if (self->lowered != NULL)
    mark_dying (self->lowered, step, end, sums.live[0]);
  return sums_list (&sums, source, cancellable, error);
}

/* ------------------------------------------------------------------- table */

void
tsr_liveness_table_free (TsrLivenessTable *table)
{
  g_free (table->variables);
  g_free (table->bytes);
  g_free (table->totals);
  g_free (table);
}

/* Rows in the order of the largest of their columns. */
static GArray *
order_rows (Sums *sums)
{
  TsrVariables *variables = sums->self->variables;
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (TsrVariableBytes));

  for (guint v = 0; v < variables->n; v++)
    {
      TsrVariableBytes row = { v, G_MININT64 };

      for (guint i = 0; i < sums->n_columns; i++)
        row.bytes = MAX (row.bytes, sums->bytes[(gsize)v * sums->n_columns + i]);
      if (sums->met[v])
        g_array_append_val (rows, row);
    }
  g_array_sort_with_data (rows, compare_bytes, variables);
  return rows;
}

TsrLivenessTable *
tsr_liveness_compare_steps (TsrLiveness *self,
                            const TsrLivenessSource *source,
                            const guint *steps,
                            guint n_steps,
                            GCancellable *cancellable,
                            GError **error)
{
  g_autoptr (GArray) rows = NULL;
  TsrLivenessTable *table = NULL;
  Sums sums;

  g_return_val_if_fail (self != NULL && source != NULL && (steps != NULL || n_steps == 0), NULL);
  for (guint i = 0; i < n_steps; i++)
    if (!tsr_liveness_check_step (self, steps[i], error))
      return NULL;
  sums_init (&sums, self, steps, n_steps);
  if (sums_fill (&sums, source, cancellable, error))
    {
      rows = order_rows (&sums);
      table = g_new0 (TsrLivenessTable, 1);
      table->n_steps = n_steps;
      table->n_rows = rows->len;
      table->variables = g_new (guint32, MAX (rows->len, 1));
      table->bytes = g_new (gint64, MAX ((gsize)rows->len * n_steps, 1));
      table->totals = g_new0 (gint64, MAX (n_steps, 1));
      for (guint r = 0; r < rows->len; r++)
        {
          guint32 v = g_array_index (rows, TsrVariableBytes, r).variable;

          table->variables[r] = v;
          for (guint i = 0; i < n_steps; i++)
            {
              gint64 bytes = sums.bytes[(gsize)v * n_steps + i];

              table->bytes[(gsize)r * n_steps + i] = bytes;
              if (!tsr_variables_sum_add (&table->totals[i], bytes))
                tsr_variables_say_sum_too_large (tsr_report_get_diagnostics (self->report),
                                                 "variables");
            }
        }
    }
  sums_clear (&sums);
  return table;
}

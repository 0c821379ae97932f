/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bytes of the variables of operations, over all tiles and on the tile where an operation has most,
 * and of those that their programs touch. */

#include "config.h"

#include "tsr-operations-private.h"

#include "tsr-id-index.h"
#include "tsr-scan.h"

#include <string.h>

/* Tiles between two looks at whether somebody still wants them. */
#define CANCEL_EVERY 64

static void
add_bytes (TsrOperations *self)
{
  static const TsrOperationFigure figures[]
      = { TSR_OPERATION_VARIABLES, TSR_OPERATION_ALWAYS_LIVE, TSR_OPERATION_TEMPORARY };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    self->totals[figures[i]] = 0;
  for (guint i = 0; i < self->n_variables; i++)
    {
      const gint64 bytes = tsr_variables_get_bytes (self->variables, i);
      const TsrLife life = tsr_variables_get_life (self->variables, i);
      const guint operation = self->of_variable[i];
      const gint64 parts[]
          = { bytes, life == TSR_LIFE_ALWAYS ? bytes : 0, life == TSR_LIFE_ALWAYS ? 0 : bytes };

      for (guint k = 0; k < G_N_ELEMENTS (figures); k++)
        {
          const gint64 part
              = k > 0 && life == TSR_LIFE_UNKNOWN && bytes != 0 ? TSR_UNKNOWN : parts[k];
          tsr_variables_sum_add (&self->figures[figures[k]][operation], part);
          tsr_variables_sum_add (&self->totals[figures[k]], part);
        }
    }
}

/* ---- the worst tile */

/* Bytes on one tile: all, always live, the rest. */
typedef struct
{
  gint64 bytes[3];
} OnTile;

static void
take_worst (OnTile *worst, const OnTile *on)
{
  for (guint k = 0; k < G_N_ELEMENTS (on->bytes); k++)
    worst->bytes[k] = worst->bytes[k] == TSR_UNKNOWN || on->bytes[k] == TSR_UNKNOWN
                          ? TSR_UNKNOWN
                          : MAX (worst->bytes[k], on->bytes[k]);
}

static void
set_worst (TsrOperations *self, const OnTile *worst)
{
  static const TsrOperationFigure figures[]
      = { TSR_OPERATION_VARIABLES_WORST, TSR_OPERATION_ALWAYS_LIVE_WORST,
          TSR_OPERATION_TEMPORARY_WORST };

  for (guint k = 0; k < G_N_ELEMENTS (figures); k++)
    {
      for (guint i = 0; i < self->n; i++)
        self->figures[figures[k]][i] = worst[i].bytes[k];
      self->totals[figures[k]] = worst[self->n].bytes[k];
    }
}

/* Tile by tile: memory is for the operations of one tile, not for all pairs.  Behind the operations
 * stands what all of them have together. */
static gboolean
find_worst (TsrOperations *self, const TsrLoweredTables *lowered, GCancellable *cancellable)
{
  g_autofree OnTile *on = g_new0 (OnTile, self->n);
  g_autofree OnTile *worst = g_new0 (OnTile, self->n + 1);
  g_autofree guint32 *seen = g_new0 (guint32, self->n);
  g_autoptr (GArray) here = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint tile = 0; tile < lowered->n_tiles; tile++)
    {
      OnTile all = { { 0 } };

      if (tile % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      g_array_set_size (here, 0);
      for (gsize i = lowered->tile_start[tile]; i < lowered->tile_start[tile + 1]; i++)
        {
          const gsize row = tsr_lowered_get_row (lowered, i);
          const guint32 operation
              = self->of_variable[tsr_variables_get_entry (self->variables, row)];
          const guint32 class_index = tsr_lowered_get_class (lowered, row);
          const gint64 bytes = tsr_lowered_get_bytes (lowered, row);
          const gboolean always = class_index == TSR_CLASS_ALWAYS;

          if (seen[operation] != tile + 1)
            {
              seen[operation] = tile + 1;
              memset (&on[operation], 0, sizeof on[operation]);
              g_array_append_val (here, operation);
            }
          tsr_variables_sum_add (&on[operation].bytes[0], bytes);
          tsr_variables_sum_add (&on[operation].bytes[always ? 1 : 2],
                                 class_index == TSR_CLASS_UNKNOWN ? TSR_UNKNOWN : bytes);
        }
      for (guint i = 0; i < here->len; i++)
        {
          const guint32 operation = g_array_index (here, guint32, i);

          take_worst (&worst[operation], &on[operation]);
          for (guint k = 0; k < G_N_ELEMENTS (all.bytes); k++)
            tsr_variables_sum_add (&all.bytes[k], on[operation].bytes[k]);
        }
      take_worst (&worst[self->n], &all);
    }
  set_worst (self, worst);
  return TRUE;
}

static void
forget (TsrOperations *self, TsrOperationFigure first, TsrOperationFigure last)
{
  for (guint figure = first; figure <= last; figure++)
    for (guint i = 0; i < self->n; i++)
      self->figures[figure][i] = TSR_UNKNOWN;
}

/* ---- what programs touch */

typedef struct
{
  guint32 operation, variable;
  guint8 role;
} Touch;

/* (transfer full) (nullable): program_variables as operations and variables; NULL when no row tells
 * both. */
static GArray *
read_touches (TsrOperations *self, GCancellable *cancellable, GError **error)
{
  static const char *const columns[] = { "program", "role", "variable", NULL };
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (self->report);
  g_autoptr (TsrProfile) profile = NULL;
  g_autoptr (TsrScan) scan = NULL;
  g_autoptr (GArray) touches = g_array_new (FALSE, FALSE, sizeof (Touch));
  g_auto (TsrIdIndex) programs = { 0 };
  g_auto (TsrIdIndex) variables = { 0 };
  GError *local = NULL;

  if (liveness == NULL || liveness->n_variables == 0 || liveness->n_variables > self->n_variables)
    return NULL;
  profile = tsr_report_open_profile (self->report, error);
  if (profile == NULL || !tsr_profile_has_rows (profile, "program_variables"))
    return NULL;
  tsr_database_set_cancellable (tsr_profile_get_database (profile), cancellable);
  tsr_id_index_init (&programs, self->programs->program_id, self->programs->n_programs);
  tsr_id_index_init (&variables, liveness->variable_id, liveness->n_variables);
  scan = tsr_scan_new (profile, "program_variables", columns, &local);
  while (scan != NULL && local == NULL && tsr_scan_next (scan, &local))
    {
      const gint64 role = tsr_scan_get_int (scan, 1);
      const guint32 program = tsr_id_index_find (&programs, tsr_scan_get_int (scan, 0));
      Touch touch
          = { 0, tsr_id_index_find (&variables, tsr_scan_get_int (scan, 2)), TSR_VARIABLE_USED };

      if (program == TSR_NO_INDEX || touch.variable == TSR_NO_INDEX)
        continue;
      if (role > TSR_VARIABLE_USED && role < TSR_N_VARIABLE_ROLES)
        touch.role = (guint8)role;
      touch.operation = self->of_program[program];
      g_array_append_val (touches, touch);
    }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  return touches->len > 0 ? g_steal_pointer (&touches) : NULL;
}

/* By variable, each operation and role once. */
static void
list_links (TsrOperations *self, const GArray *touches)
{
  TsrOperationLinks *links = &self->links;
  g_autofree guint32 *order = g_new (guint32, MAX (touches->len, 1));
  g_autofree guint32 *at = g_new0 (guint32, self->n_variables + 1);
  g_autofree guint8 *roles = g_new0 (guint8, self->n);
  guint32 n = 0, from = 0;

  for (guint i = 0; i < touches->len; i++)
    at[g_array_index (touches, Touch, i).variable + 1]++;
  for (guint i = 0; i < self->n_variables; i++)
    at[i + 1] += at[i];
  for (guint i = 0; i < touches->len; i++)
    order[at[g_array_index (touches, Touch, i).variable]++] = i;
  links->start = g_new0 (guint32, self->n_variables + 1);
  links->operation = g_new (guint32, MAX (touches->len, 1));
  links->role = g_new (guint8, MAX (touches->len, 1));
  for (guint variable = 0; variable < self->n_variables; variable++)
    {
      for (guint32 i = from; i < at[variable]; i++) /* now the end of the variable */
        {
          const Touch *touch = &g_array_index (touches, Touch, order[i]);

          if (roles[touch->operation] & 1u << touch->role)
            continue;
          roles[touch->operation] |= 1u << touch->role;
          links->operation[n] = touch->operation;
          links->role[n++] = touch->role;
        }
      from = at[variable];
      for (guint32 i = links->start[variable]; i < n; i++)
        roles[links->operation[i]] = 0;
      links->start[variable + 1] = n;
    }
}

static void
add_touched (TsrOperations *self)
{
  const TsrOperationLinks *links = &self->links;
  g_autofree guint32 *seen = g_new0 (guint32, self->n);

  for (guint variable = 0; variable < self->n_variables; variable++)
    for (guint32 i = links->start[variable]; i < links->start[variable + 1]; i++)
      {
        if (seen[links->operation[i]] == variable + 1)
          continue;
        seen[links->operation[i]] = variable + 1;
        tsr_variables_sum_add (&self->figures[TSR_OPERATION_TOUCHED][links->operation[i]],
                               tsr_variables_get_bytes (self->variables, variable));
      }
}

GStrv
tsr_operations_dup_largest (const TsrOperations *self, guint operation)
{
  guint largest[TSR_OPERATIONS_LARGEST], n = 0;
  GStrv names;

  g_return_val_if_fail (self != NULL && operation < self->n, NULL);
  if (self->variables == NULL || operation + 1 == self->n)
    return NULL;
  for (guint i = 0; i < self->n_variables; i++)
    {
      const gint64 bytes = tsr_variables_get_bytes (self->variables, i);
      guint place = n;

      if (self->of_variable[i] != operation)
        continue;
      while (place > 0 && tsr_variables_get_bytes (self->variables, largest[place - 1]) < bytes)
        place--;
      if (place >= TSR_OPERATIONS_LARGEST)
        continue;
      n = MIN (n + 1, TSR_OPERATIONS_LARGEST);
      memmove (&largest[place + 1], &largest[place], (n - 1 - place) * sizeof *largest);
      largest[place] = i;
    }
  if (n == 0)
    return NULL;
  names = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    names[i] = g_strdup (tsr_variables_get_name (self->variables, largest[i]));
  return names;
}

gboolean
tsr_operations_compute_variables (TsrOperations *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) touches = NULL;
  GError *local = NULL;

  if (self->variables == NULL || self->n_variables == 0)
    {
      forget (self, TSR_OPERATION_VARIABLES, TSR_OPERATION_TOUCHED);
      return TRUE;
    }
  add_bytes (self);
  if (self->variables->lowered == NULL)
    forget (self, TSR_OPERATION_VARIABLES_WORST, TSR_OPERATION_TEMPORARY_WORST);
  else if (!find_worst (self, self->variables->lowered, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  touches = read_touches (self, cancellable, &local);
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  if (touches == NULL)
    {
      forget (self, TSR_OPERATION_TOUCHED, TSR_OPERATION_TOUCHED);
      return TRUE;
    }
  list_links (self, touches);
  add_touched (self);
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* When a variable is live, and how much of it: intervals of its parts added up step by step. */

#include "config.h"

#include "tsr-variables-private.h"

void
tsr_live_events_add (GArray *events, guint32 from, guint32 to, gint64 bytes)
{
  gboolean unknown = bytes == TSR_UNKNOWN;
  TsrLiveEvent event = { from, 1, unknown, unknown ? 0 : bytes };

  if (from >= to)
    return;
  g_array_append_val (events, event);
  event = (TsrLiveEvent){ to, -1, -event.unknown, -event.bytes };
  g_array_append_val (events, event);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const TsrLiveEvent *x = a;
  const TsrLiveEvent *y = b;

  return x->step < y->step ? -1 : x->step > y->step;
}

/* Appends what is live in [from, to), joined with the last one when nothing changes. */
static void
append (GArray *lifetimes, guint32 from, guint32 to, gint64 bytes)
{
  TsrLifetime *last
      = lifetimes->len > 0 ? &g_array_index (lifetimes, TsrLifetime, lifetimes->len - 1) : NULL;
  TsrLifetime lifetime = { from, to, bytes };

  if (last != NULL && last->to == from && last->bytes == bytes)
    last->to = to;
  else
    g_array_append_val (lifetimes, lifetime);
}

GArray *
tsr_live_events_merge (GArray *events, gboolean *overflow)
{
  GArray *lifetimes = g_array_new (FALSE, FALSE, sizeof (TsrLifetime));
  __extension__ __int128 sum = 0;
  gint64 live = 0;
  gint64 unknown = 0;

  g_array_sort (events, compare_events);
  for (guint i = 0; i < events->len; i++)
    {
      const TsrLiveEvent *event = &g_array_index (events, TsrLiveEvent, i);
      gint64 bytes;

      sum += event->bytes;
      live += event->live;
      unknown += event->unknown;
      /* Whatever begins ends: behind the last event nothing is live. */
      if (live == 0 || event[1].step == event->step)
        continue;
      bytes = sum > G_MAXINT64 || unknown > 0 ? TSR_UNKNOWN : (gint64)sum;
      if (sum > G_MAXINT64)
        *overflow = TRUE;
      append (lifetimes, event->step, event[1].step, bytes);
    }
  return lifetimes;
}

static void
add_class (TsrVariables *self, GArray *events, guint32 class_index, gint64 bytes)
{
  const TsrLoweredTables *lowered = self->lowered;

  if (class_index == TSR_CLASS_ALWAYS)
    tsr_live_events_add (events, 0, self->n_steps, bytes);
  else if (class_index >= TSR_CLASS_UNTOLD)
    /* It may be live anywhere. */
    tsr_live_events_add (events, 0, self->n_steps, TSR_UNKNOWN);
  else
    for (gsize i = lowered->interval_start[class_index];
         i < lowered->interval_start[class_index + 1]; i++)
      tsr_live_events_add (events, lowered->interval_from[i], lowered->interval_to[i], bytes);
}

static int
compare_tiles (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *)a;
  guint y = *(const guint *)b;

  return x < y ? -1 : x > y;
}

static gboolean
has_tile (const guint *tiles, guint n_tiles, guint32 tile)
{
  return n_tiles > 0 && bsearch (&tile, tiles, n_tiles, sizeof *tiles, compare_tiles) != NULL;
}

/* Sums of the rows on @tiles by class, as pairs (class, bytes) to the events: a class of many
 * intervals is walked once for each variable, not for each row. */
static void
add_rows (TsrVariables *self, GArray *events, guint variable, const guint *tiles, guint n_tiles)
{
  const TsrLoweredTables *lowered = self->lowered;
  guint first = self->part_start[variable];
  guint n_parts = self->part_start[variable + 1] - first;
  g_autofree guint *sorted = g_memdup2 (tiles, n_tiles * sizeof *tiles);
  g_autofree gint64 *sums = g_new0 (gint64, MAX (n_parts, 1));
  g_autofree guint8 *seen = g_new0 (guint8, MAX (n_parts, 1));
  gsize n_rows;
  const guint32 *rows = tsr_variables_peek_lowered (self, variable, &n_rows);

  if (n_tiles > 0)
    qsort (sorted, n_tiles, sizeof *sorted, compare_tiles);
  for (gsize i = 0; i < n_rows; i++)
    {
      guint32 class_index = tsr_lowered_get_class (lowered, rows[i]);
      guint low = 0;
      guint high = n_parts;

      if (!has_tile (sorted, n_tiles, lowered->tile[rows[i]]))
        continue;
      while (high - low > 1)
        {
          guint middle = low + (high - low) / 2;

          if (self->parts[first + middle].class_index <= class_index)
            low = middle;
          else
            high = middle;
        }
      tsr_variables_sum_add (&sums[low], tsr_lowered_get_bytes (lowered, rows[i]));
      seen[low] = TRUE;
    }
  for (guint i = 0; i < n_parts; i++)
    if (seen[i])
      add_class (self, events, self->parts[first + i].class_index, sums[i]);
}

GArray *
tsr_variables_dup_lifetimes (TsrVariables *self, guint variable, const guint *tiles, guint n_tiles)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (TsrLiveEvent));
  const TsrLivenessTables *tables = self->tables;
  gboolean overflow = FALSE;
  GArray *lifetimes;

  g_return_val_if_fail (variable < self->n, NULL);

  if (tiles != NULL)
    {
      if (self->lowered != NULL)
        add_rows (self, events, variable, tiles, n_tiles);
    }
  else if (self->part_start[variable] < self->part_start[variable + 1])
    for (guint i = self->part_start[variable]; i < self->part_start[variable + 1]; i++)
      add_class (self, events, self->parts[i].class_index, self->parts[i].bytes);
  else if (self->life[variable] == TSR_LIFE_ALWAYS)
    tsr_live_events_add (events, 0, self->n_steps, self->bytes[variable]);
  else /* every other entry has a part */
    for (guint32 i = tables->lifetime_start[variable]; i < tables->lifetime_start[variable + 1];
         i++)
      tsr_live_events_add (events, tables->lifetime_from[i], tables->lifetime_to[i],
                           tables->lifetime_bytes[i]);
  lifetimes = tsr_live_events_merge (events, &overflow);
  if (overflow)
    tsr_variables_say_sum_too_large (self->diagnostics, "variable_lifetimes");
  return lifetimes;
}

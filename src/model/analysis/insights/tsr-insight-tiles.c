/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lowered variables by tile: what the worst tile holds, when, and with which gaps; and what a
 * change would save on every tile (docs/insights.md#what-a-change-saves).
 *
 * n(t,k) of a tile comes from differences: +size at the begin of each interval, -size at its end,
 * then a running sum over the steps.  One pass over the tile's allocations and one over the steps,
 * O(rows x intervals + tiles x steps) for all tiles. */

#include "config.h"

#include "tsr-insights-private.h"

#include <math.h>
#include <string.h>

static gsize
get_row (const TsrLoweredTables *lowered, gsize place)
{
  return lowered->by_tile != NULL ? lowered->by_tile[place] : place;
}

typedef enum
{
  LIVE_ALWAYS,
  LIVE_SOMETIMES,
  LIVE_UNKNOWN, /* when, or how many bytes, is not told */
} Live;

static Live
get_live (const TsrLoweredTables *lowered, gsize row)
{
  if (lowered->size[row] == TSR_LOWERED_UNKNOWN)
    return LIVE_UNKNOWN;
  if (lowered->always_live[row] == 1)
    return LIVE_ALWAYS;
  return lowered->equivalence_class[row] < lowered->n_classes ? LIVE_SOMETIMES : LIVE_UNKNOWN;
}

/* Bytes of one tile by class, so that a class with many intervals is gone through once for each
 * tile and not for each allocation. */
typedef struct
{
  gint64 *bytes, *less; /* by class */
  GArray *classes;      /* guint32: those with any */
  gint64 *n, *gone;     /* differences: n_steps + 1 values each */
} Work;

static void
work_init (Work *work, const TsrInsightContext *c)
{
  work->bytes = g_new0 (gint64, MAX (c->lowered->n_classes, 1));
  work->less = g_new0 (gint64, MAX (c->lowered->n_classes, 1));
  work->classes = g_array_new (FALSE, FALSE, sizeof (guint32));
  work->n = g_new0 (gint64, (gsize)c->n_steps + 1);
  work->gone = g_new0 (gint64, (gsize)c->n_steps + 1);
}

static void
work_clear (Work *work)
{
  g_free (work->bytes);
  g_free (work->less);
  g_array_unref (work->classes);
  g_free (work->n);
  g_free (work->gone);
}

static void
work_add (Work *work, const TsrLoweredTables *lowered, gsize row, gboolean changes)
{
  guint32 class = lowered->equivalence_class[row];

  if (lowered->size[row] == 0)
    return;
  if (work->bytes[class] == 0)
    g_array_append_val (work->classes, class);
  work->bytes[class] += lowered->size[row];
  if (changes)
    work->less[class] += lowered->size[row];
}

/* What goes of a class in [from, to): nothing where both ends that stay meet. */
static void
add_change (const TsrInsightChange *change, guint32 from, guint32 to, gint64 bytes, gint64 *gone)
{
  const guint32 trim = (guint32)ceil (change->trim * (to - from));

  if (to - from < change->least)
    return;
  gone[from + trim] += bytes;
  gone[MAX (from + trim, to - trim)] -= bytes;
}

/* From bytes by class to differences by step; @change (nullable). Bytes by class are 0 after. */
static void
work_spread (Work *work, const TsrInsightContext *c, const TsrInsightChange *change)
{
  const TsrLoweredTables *lowered = c->lowered;

  memset (work->n, 0, ((gsize)c->n_steps + 1) * sizeof (gint64));
  memset (work->gone, 0, ((gsize)c->n_steps + 1) * sizeof (gint64));
  for (guint k = 0; k < work->classes->len; k++)
    {
      guint32 class = g_array_index (work->classes, guint32, k);

      for (gsize i = lowered->interval_start[class]; i < lowered->interval_start[class + 1]; i++)
        {
          guint32 from = lowered->interval_from[i];
          guint32 to = lowered->interval_to[i];

          work->n[from] += work->bytes[class];
          work->n[to] -= work->bytes[class];
          if (change != NULL && work->less[class] > 0)
            add_change (change, from, to, work->less[class], work->gone);
        }
      work->bytes[class] = work->less[class] = 0;
    }
  g_array_set_size (work->classes, 0);
}

static gboolean
is_live_at (const TsrLoweredTables *lowered, gsize row, guint step)
{
  guint32 class = lowered->equivalence_class[row];
  gsize low = lowered->interval_start[class];
  gsize high = lowered->interval_start[class + 1];

  /* The last interval that begins at or before the step. */
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (lowered->interval_from[middle] <= step)
        low = middle + 1;
      else
        high = middle;
    }
  return low > lowered->interval_start[class] && step < lowered->interval_to[low - 1];
}

/* ------------------------------------------------------------ the worst tile */

/* n(w,k) and its first largest step.  Nothing when an allocation of the tile is not told. */
static void
fill_series (TsrInsightContext *c)
{
  const TsrLoweredTables *lowered = c->lowered;
  gboolean told = TRUE;
  Work work;

  work_init (&work, c);
  for (gsize i = lowered->tile_start[c->worst]; i < lowered->tile_start[c->worst + 1]; i++)
    {
      gsize row = get_row (lowered, i);
      Live live = get_live (lowered, row);

      told = told && live != LIVE_UNKNOWN;
      if (live == LIVE_SOMETIMES)
        work_add (&work, lowered, row, FALSE);
    }
  work_spread (&work, c, NULL);
  if (told)
    {
      gint64 now = 0;

      c->worst_series = g_new (gint64, c->n_steps);
      for (guint k = 0; k < c->n_steps; k++)
        {
          now += work.n[k];
          c->worst_series[k] = now;
          if (k == 0 || now > c->worst_live)
            {
              c->worst_live = now;
              c->worst_peak = k;
            }
        }
    }
  work_clear (&work);
}

static int
compare_held (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrInsightContext *c = data;
  const TsrInsightHeld *x = a;
  const TsrInsightHeld *y = b;
  gint64 p = x->always + x->at_peak;
  gint64 q = y->always + y->at_peak;

  if (p != q)
    return p > q ? -1 : 1;
  if (x->all != y->all)
    return x->all > y->all ? -1 : 1;
  p = strcmp (c->variables[x->variable].name, c->variables[y->variable].name);
  return p != 0 ? (int)p : x->variable < y->variable ? -1 : x->variable > y->variable;
}

static void
fill_held (TsrInsightContext *c)
{
  const TsrLoweredTables *lowered = c->lowered;
  g_autofree guint32 *place = g_new0 (guint32, MAX (c->n_variables, 1));

  c->held = g_array_new (FALSE, TRUE, sizeof (TsrInsightHeld));
  for (gsize i = lowered->tile_start[c->worst]; i < lowered->tile_start[c->worst + 1]; i++)
    {
      gsize row = get_row (lowered, i);
      Live live = get_live (lowered, row);
      guint32 variable = c->entry[row];
      TsrInsightHeld *held;

      if (live == LIVE_UNKNOWN || variable >= c->n_variables)
        continue;
      if (place[variable] == 0)
        {
          const TsrInsightHeld new_one = { .variable = variable };

          g_array_append_val (c->held, new_one);
          place[variable] = c->held->len;
        }
      held = &g_array_index (c->held, TsrInsightHeld, place[variable] - 1);
      held->all += lowered->size[row];
      if (live == LIVE_ALWAYS)
        held->always += lowered->size[row];
      else if (c->worst_peak != TSR_NO_INDEX && is_live_at (lowered, row, c->worst_peak))
        held->at_peak += lowered->size[row];
    }
  g_array_sort_with_data (c->held, compare_held, c);
}

static int
compare_offsets (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrLoweredTables *lowered = data;
  gsize x = *(const gsize *)a;
  gsize y = *(const gsize *)b;

  if (lowered->offset[x] != lowered->offset[y])
    return lowered->offset[x] < lowered->offset[y] ? -1 : 1;
  return x < y ? -1 : x > y;
}

static int
compare_gaps (gconstpointer a, gconstpointer b)
{
  const TsrInsightGap *x = a;
  const TsrInsightGap *y = b;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

static const char *
get_name (const TsrInsightContext *c, gsize row)
{
  guint32 variable = c->entry[row];
  const char *name = tsr_string_table_get (c->lowered->strings, c->lowered->name[row]);

  if (name != NULL)
    return name;
  return variable < c->n_variables ? c->variables[variable].name : NULL;
}

/* Addresses that no allocation covers, from 0 to the last one's end.  Nothing when an allocation
 * has no address. */
static void
fill_gaps (TsrInsightContext *c)
{
  const TsrLoweredTables *lowered = c->lowered;
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (gsize));
  gint64 end = 0;
  const char *before = NULL;

  for (gsize i = lowered->tile_start[c->worst]; i < lowered->tile_start[c->worst + 1]; i++)
    {
      gsize row = get_row (lowered, i);

      if (lowered->offset[row] == TSR_LOWERED_UNKNOWN || lowered->size[row] == TSR_LOWERED_UNKNOWN)
        return;
      if (lowered->size[row] > 0)
        g_array_append_val (rows, row);
    }
  g_array_sort_with_data (rows, compare_offsets, (gpointer)lowered);
  c->gaps = g_array_new (FALSE, FALSE, sizeof (TsrInsightGap));
  c->below_end = 0;
  for (guint i = 0; i < rows->len; i++)
    {
      gsize row = g_array_index (rows, gsize, i);
      gint64 offset = lowered->offset[row];
      const char *name = get_name (c, row);

      if (offset > end)
        {
          const TsrInsightGap gap = { end, offset - end, before, name };

          g_array_append_val (c->gaps, gap);
        }
      if (offset + lowered->size[row] > end)
        {
          end = offset + lowered->size[row];
          before = name;
        }
      if (c->interleaved_start != TSR_UNKNOWN && offset < c->interleaved_start)
        c->below_end = end;
    }
  g_array_sort (c->gaps, compare_gaps);
}

gboolean
tsr_insight_context_look_at_worst (TsrInsightContext *c, GError **error)
{
  c->worst_peak = TSR_NO_INDEX;
  c->worst_live = c->below_end = TSR_UNKNOWN;
  if (c->lowered == NULL || c->entry == NULL || c->worst == TSR_NO_INDEX
      || c->worst >= c->lowered->n_tiles
      || c->lowered->tile_start[c->worst] == c->lowered->tile_start[c->worst + 1])
    return TRUE;
  if (c->n_steps > 0)
    fill_series (c);
  fill_held (c);
  fill_gaps (c);
  return !g_cancellable_set_error_if_cancelled (c->cancellable, error);
}

/* -------------------------------------------------------- what a change saves */

/* saved(t); TSR_UNKNOWN when it rests on an allocation that is not told. */
static gint64
get_saved (const TsrInsightContext *c, const TsrInsightChange *change, guint tile, Work *work)
{
  const TsrLoweredTables *lowered = c->lowered;
  gsize end = lowered->tile_start[tile + 1];
  gint64 always = 0;
  gboolean any = FALSE;
  gboolean told = TRUE;
  gint64 now = 0;
  gint64 gone = 0;
  gint64 peak = 0;
  double left = 0;

  for (gsize i = lowered->tile_start[tile]; i < end; i++)
    {
      gsize row = get_row (lowered, i);

      if (c->entry[row] >= c->n_variables || !change->in[c->entry[row]])
        continue;
      if (get_live (lowered, row) == LIVE_UNKNOWN)
        return TSR_UNKNOWN;
      if (get_live (lowered, row) == LIVE_ALWAYS)
        always += lowered->size[row];
      else
        any = TRUE;
    }
  if (!any)
    return (gint64)(change->factor * (double)always);
  for (gsize i = lowered->tile_start[tile]; i < end; i++)
    {
      gsize row = get_row (lowered, i);
      Live live = get_live (lowered, row);

      told = told && live != LIVE_UNKNOWN;
      if (live == LIVE_SOMETIMES)
        work_add (work, lowered, row, c->entry[row] < c->n_variables && change->in[c->entry[row]]);
    }
  work_spread (work, c, change);
  for (guint k = 0; k < c->n_steps; k++)
    {
      now += work->n[k];
      gone += work->gone[k];
      peak = MAX (peak, now);
      left = MAX (left, (double)now - change->factor * (double)gone);
    }
  if (!told)
    return TSR_UNKNOWN;
  return (gint64)(change->factor * (double)always + (double)peak - left);
}

gboolean
tsr_insight_get_saving (const TsrInsightContext *c,
                        const TsrInsightChange *change,
                        gint64 *worst_tile,
                        gint64 *all_tiles)
{
  Work work;

  *worst_tile = *all_tiles = TSR_UNKNOWN;
  if (c->lowered == NULL || c->entry == NULL)
    return TRUE;
  work_init (&work, c);
  *all_tiles = 0;
  for (guint t = 0; t < MIN (c->n_tiles, c->lowered->n_tiles); t++)
    {
      gint64 saved;

      if (g_cancellable_is_cancelled (c->cancellable))
        break;
      saved = get_saved (c, change, t, &work);
      *all_tiles = tsr_insight_add (*all_tiles, saved);
      if (t == c->worst)
        *worst_tile = saved;
    }
  work_clear (&work);
  return !g_cancellable_is_cancelled (c->cancellable);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions that single rules ask of what is live when.  Pure. */

#include "config.h"

#include "tsr-insights-private.h"

#include <string.h>

static int
compare_bytes (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrInsightContext *c = data;
  const TsrVariableBytes *x = a;
  const TsrVariableBytes *y = b;
  int order;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  order = strcmp (c->variables[x->variable].name, c->variables[y->variable].name);
  return order != 0 ? order : x->variable < y->variable ? -1 : x->variable > y->variable;
}

/* Which allocations count: live at the peak, and either nowhere outside [from, to) or not at
 * another step. */
typedef struct
{
  guint peak;
  gboolean inside;
  guint from, to; /* when inside */
  guint other;    /* when not */
} Wanted;

/* Of one class or variable: where it is live. */
typedef struct
{
  gboolean at_peak, at_other, outside;
} Place;

static void
place_add (Place *place, const Wanted *wanted, guint from, guint to)
{
  place->at_peak |= from <= wanted->peak && wanted->peak < to;
  place->at_other |= from <= wanted->other && wanted->other < to;
  place->outside |= from < wanted->from || to > wanted->to;
}

static gboolean
place_counts (const Place *place, const Wanted *wanted)
{
  return place->at_peak && !(wanted->inside ? place->outside : place->at_other);
}

static void
add_of_tile (const TsrInsightContext *c, gint64 *bytes, const Wanted *wanted)
{
  const TsrLoweredTables *lowered = c->lowered;

  for (gsize i = lowered->tile_start[c->worst]; i < lowered->tile_start[c->worst + 1]; i++)
    {
      gsize row = lowered->by_tile != NULL ? lowered->by_tile[i] : i;
      guint32 class = lowered->equivalence_class[row];
      Place place = { FALSE };

      if (c->entry[row] >= c->n_variables || lowered->always_live[row] == 1
          || lowered->size[row] == TSR_LOWERED_UNKNOWN || class >= lowered->n_classes)
        continue;
      for (gsize k = lowered->interval_start[class]; k < lowered->interval_start[class + 1]; k++)
        place_add (&place, wanted, lowered->interval_from[k], lowered->interval_to[k]);
      if (place_counts (&place, wanted))
        bytes[c->entry[row]] += lowered->size[row];
    }
}

static void
add_of_all (const TsrInsightContext *c, gint64 *bytes, const Wanted *wanted)
{
  for (guint v = 0; c->lifetimes != NULL && v < c->n_variables; v++)
    {
      Place place = { FALSE };
      gint64 at_peak = 0;

      for (guint32 i = c->lifetime_start[v]; i < c->lifetime_start[v + 1]; i++)
        {
          const TsrLifetime *life = &g_array_index (c->lifetimes, TsrLifetime, i);

          place_add (&place, wanted, life->from, life->to);
          if (life->from <= wanted->peak && wanted->peak < life->to)
            at_peak = life->bytes;
        }
      if (place_counts (&place, wanted))
        bytes[v] = at_peak;
    }
}

static GArray *
list_wanted (const TsrInsightContext *c, gboolean tile, const Wanted *wanted)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (TsrVariableBytes));
  g_autofree gint64 *bytes = g_new0 (gint64, MAX (c->n_variables, 1));

  if (tile)
    add_of_tile (c, bytes, wanted);
  else
    add_of_all (c, bytes, wanted);
  for (guint32 v = 0; v < c->n_variables; v++)
    if (bytes[v] > 0)
      {
        const TsrVariableBytes one = { v, bytes[v] };

        g_array_append_val (list, one);
      }
  g_array_sort_with_data (list, compare_bytes, (gpointer)c);
  return list;
}

GArray *
tsr_insight_list_inside (
    const TsrInsightContext *c, gboolean tile, guint peak, guint from, guint to)
{
  const Wanted wanted = { peak, TRUE, from, to, 0 };

  return list_wanted (c, tile, &wanted);
}

GArray *
tsr_insight_list_not_at (const TsrInsightContext *c, gboolean tile, guint peak, guint other)
{
  const Wanted wanted = { peak, FALSE, 0, 0, other };

  return list_wanted (c, tile, &wanted);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const TsrInsightSpan *x = a;
  const TsrInsightSpan *y = b;

  if (x->variable != y->variable)
    return x->variable < y->variable ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const TsrInsightSpan *x = a;
  const TsrInsightSpan *y = b;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return compare_places (a, b);
}

/* Adds up those of the same variable and interval. */
static void
merge_spans (GArray *list)
{
  guint kept = 0;

  g_array_sort (list, compare_places);
  for (guint i = 0; i < list->len; i++)
    {
      TsrInsightSpan *last = kept > 0 ? &g_array_index (list, TsrInsightSpan, kept - 1) : NULL;
      const TsrInsightSpan *span = &g_array_index (list, TsrInsightSpan, i);

      if (last != NULL && compare_places (last, span) == 0)
        last->bytes += span->bytes;
      else
        g_array_index (list, TsrInsightSpan, kept++) = *span;
    }
  g_array_set_size (list, kept);
}

GArray *
tsr_insight_list_spans (const TsrInsightContext *c)
{
  const TsrLoweredTables *lowered = c->lowered;
  GArray *list = g_array_new (FALSE, FALSE, sizeof (TsrInsightSpan));

  for (gsize i = lowered->tile_start[c->worst]; i < lowered->tile_start[c->worst + 1]; i++)
    {
      gsize row = lowered->by_tile != NULL ? lowered->by_tile[i] : i;
      guint32 class = lowered->equivalence_class[row];

      if (c->entry[row] >= c->n_variables || lowered->always_live[row] == 1
          || lowered->size[row] == TSR_LOWERED_UNKNOWN || class >= lowered->n_classes)
        continue;
      for (gsize k = lowered->interval_start[class]; k < lowered->interval_start[class + 1]; k++)
        {
          const TsrInsightSpan span = { c->entry[row], lowered->interval_from[k],
                                        lowered->interval_to[k], lowered->size[row] };

          if (span.from > c->worst_peak)
            break;
          if (c->worst_peak < span.to)
            g_array_append_val (list, span);
        }
    }
  merge_spans (list);
  g_array_sort (list, compare_spans);
  return list;
}

gint64
tsr_insight_sum_at (const TsrInsightContext *c, const guint8 *in, guint step)
{
  const TsrLoweredTables *lowered = c->lowered;
  g_autofree guint8 *live = g_new0 (guint8, MAX (lowered->n_classes, 1));
  gint64 sum = 0;

  for (guint32 class = 0; class < lowered->n_classes; class ++)
    for (gsize i = lowered->interval_start[class]; i < lowered->interval_start[class + 1]; i++)
      live[class] |= lowered->interval_from[i] <= step && step < lowered->interval_to[i];
  for (gsize row = 0; row < lowered->n; row++)
    {
      if (c->entry[row] >= c->n_variables || !in[c->entry[row]] || lowered->always_live[row] == 1)
        continue;
      if (lowered->size[row] == TSR_LOWERED_UNKNOWN
          || lowered->equivalence_class[row] >= lowered->n_classes)
        return TSR_UNKNOWN;
      if (live[lowered->equivalence_class[row]])
        sum = tsr_insight_add (sum, lowered->size[row]);
    }
  return sum;
}

guint
tsr_insight_count_tiles (const TsrInsightContext *c, guint32 variable)
{
  const TsrLoweredTables *lowered = c->lowered;
  g_autofree guint8 *seen = g_new0 (guint8, MAX (c->n_tiles, 1));
  guint n = 0;

  for (gsize row = 0; row < lowered->n; row++)
    if (c->entry[row] == variable && lowered->tile[row] < c->n_tiles && !seen[lowered->tile[row]])
      {
        seen[lowered->tile[row]] = TRUE;
        n++;
      }
  return n;
}

guint8 *
tsr_insight_find_always_live (const TsrInsightContext *c)
{
  const TsrLoweredTables *lowered = c->lowered;
  guint8 *in = g_new0 (guint8, MAX (c->n_variables, 1));

  for (guint k = 0; k < c->n_critical; k++)
    {
      guint tile = c->critical[k];

      for (gsize i = tile < lowered->n_tiles ? lowered->tile_start[tile] : 0;
           tile < lowered->n_tiles && i < lowered->tile_start[tile + 1]; i++)
        {
          gsize row = lowered->by_tile != NULL ? lowered->by_tile[i] : i;

          if (c->entry[row] < c->n_variables && lowered->always_live[row] == 1)
            in[c->entry[row]] = TRUE;
        }
    }
  return in;
}

gint64
tsr_insight_get_step_cycles (const TsrInsightContext *c, guint step)
{
  const TsrProgramTables *tables = c->programs;
  guint32 program;

  if (tables == NULL || c->step_program == NULL || step >= c->n_steps)
    return TSR_UNKNOWN;
  program = c->step_program[step];
  if (program >= tables->n_programs)
    return TSR_UNKNOWN;
  return tsr_program_tables_get_estimate (tables, program)->maximum;
}

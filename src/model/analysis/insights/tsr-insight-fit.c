/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether a report fits: needs of tiles, critical and fullest tiles, sums; and the small helpers
 * over the shared quantities.  Pure; one thread for each context. */

#include "config.h"

#include "tsr-insights-private.h"

#include <string.h>

gint64
tsr_insight_add (gint64 a, gint64 b)
{
  if (a == TSR_UNKNOWN || b == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  return tsr_add_saturating (a, b, NULL);
}

guint
tsr_insight_get_ipu (const TsrInsightContext *c, guint tile)
{
  return c->tiles_per_ipu > 0 ? (guint)(tile / c->tiles_per_ipu) : 0;
}

static gint64
sum_of (const gint64 *values, guint n)
{
  gint64 sum = values != NULL && n > 0 ? 0 : TSR_UNKNOWN;

  for (guint t = 0; values != NULL && t < n; t++)
    sum = tsr_insight_add (sum, values[t]);
  return sum;
}

static gint64
need_of (const TsrInsightContext *c, guint tile)
{
  gint64 need = TSR_UNKNOWN;

  if (c->ovf != NULL && c->ovf[tile] != TSR_UNKNOWN)
    need = MAX (c->ovf[tile], 0);
  if (c->inc != NULL && c->inc[tile] != TSR_UNKNOWN && c->capacity != TSR_UNKNOWN)
    need = MAX (MAX (need, 0), tsr_known_subtract (c->inc[tile], c->capacity));
  return need;
}

/* Largest first, ties to the lower tile. */
static int
compare_by (gconstpointer a, gconstpointer b, gpointer values)
{
  guint x = *(const guint *)a;
  guint y = *(const guint *)b;
  gint64 p = ((const gint64 *)values)[x];
  gint64 q = ((const gint64 *)values)[y];

  if (p != q)
    return p > q ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* The five of @values that are largest; unknown ones are not among them. */
static void
find_top (TsrInsightContext *c, const gint64 *values)
{
  c->n_top = 0;
  for (guint t = 0; values != NULL && t < c->n_tiles; t++)
    {
      guint place = c->n_top;

      if (values[t] == TSR_UNKNOWN)
        continue;
      while (place > 0 && values[c->top[place - 1]] < values[t])
        place--;
      if (place == G_N_ELEMENTS (c->top))
        continue;
      if (c->n_top < G_N_ELEMENTS (c->top))
        c->n_top++;
      memmove (c->top + place + 1, c->top + place, (c->n_top - 1 - place) * sizeof (guint));
      c->top[place] = t;
    }
}

/* No system has more IPUs.  Limits the memory of the sums by IPU for damaged files; lists say that
 * there are more. */
#define MOST_IPUS 256

static void
find_scopes (TsrInsightContext *c)
{
  const TsrInsightScope all = { TSR_LIVENESS_ALL, 0, 0, c->n_tiles };

  c->scopes = g_array_new (FALSE, FALSE, sizeof (TsrInsightScope));
  g_array_append_val (c->scopes, all);
  c->n_listed_ipus = c->tiles_per_ipu > 0 ? MIN (c->n_ipus, MOST_IPUS) : 0;
  for (guint i = 0; i < c->n_listed_ipus; i++)
    {
      guint first = (guint)(i * c->tiles_per_ipu);
      guint end = (guint)MIN (first + c->tiles_per_ipu, c->n_tiles);
      const TsrInsightScope ipu = { TSR_LIVENESS_IPU, i, first, end };

      g_array_append_val (c->scopes, ipu);
    }
  for (guint i = 0; i < c->n_top; i++)
    {
      const TsrInsightScope tile = { TSR_LIVENESS_TILES, c->top[i], c->top[i], c->top[i] + 1 };

      g_array_append_val (c->scopes, tile);
    }
}

void
tsr_insight_context_derive (TsrInsightContext *c)
{
  GArray *critical = g_array_new (FALSE, FALSE, sizeof (guint));

  if (c->fullness == NULL)
    c->fullness = c->inc;
  c->need = g_new (gint64, MAX (c->n_tiles, 1));
  c->n_needing = c->n_unknown = 0;
  for (guint t = 0; t < c->n_tiles; t++)
    {
      c->need[t] = need_of (c, t);
      c->n_unknown += c->need[t] == TSR_UNKNOWN;
      if (c->need[t] > 0)
        g_array_append_val (critical, t);
    }
  c->n_needing = critical->len;
  if (c->n_needing > 0)
    c->fit = TSR_OUT_OF_MEMORY;
  else
    c->fit = c->n_tiles == 0 || c->n_unknown > 0 ? TSR_FIT_UNKNOWN : TSR_FITS;
  c->sum_inc = sum_of (c->inc, c->n_tiles);
  c->sum_exc = sum_of (c->exc, c->n_tiles);
  c->sum_need = sum_of (c->need, c->n_tiles);
  find_top (c, c->fullness);
  find_scopes (c);
  if (critical->len > 0)
    g_array_sort_with_data (critical, compare_by, c->need);
  else
    g_array_append_vals (critical, c->top, c->n_top);
  c->n_critical = critical->len;
  c->critical = (guint *)g_array_free (critical, FALSE);
  c->worst = c->n_critical > 0 ? c->critical[0] : TSR_NO_INDEX;
  if (c->chunk == NULL)
    c->chunk = g_string_chunk_new (1024);
}

const gint64 *
tsr_insight_find_category (const TsrInsightContext *c, const char *name)
{
  for (guint i = 0; i < c->n_categories; i++)
    if (g_str_equal (c->category_names[i], name))
      return c->category_bytes[i];
  return NULL;
}

gint64
tsr_insight_get_category (const TsrInsightContext *c, const char *name, guint tile)
{
  const gint64 *bytes = tsr_insight_find_category (c, name);

  if (c->category_bytes == NULL || tile >= c->n_tiles)
    return TSR_UNKNOWN;
  return bytes != NULL ? bytes[tile] : 0;
}

gint64
tsr_insight_sum_category (const TsrInsightContext *c, const char *name)
{
  const gint64 *bytes = tsr_insight_find_category (c, name);

  if (c->category_bytes == NULL)
    return TSR_UNKNOWN;
  return bytes != NULL ? sum_of (bytes, c->n_tiles) : 0;
}

const char *
tsr_insight_size (const TsrInsightContext *c, gint64 bytes)
{
  g_autofree char *text = tsr_units_dup_bytes (c->units, bytes);

  return g_string_chunk_insert (c->chunk, text);
}

const char *
tsr_insight_percent (const TsrInsightContext *c, double share)
{
  g_autofree char *text = tsr_units_dup_percent (share, ABS (share) < 0.0995 ? 1 : 0);

  return g_string_chunk_insert (c->chunk, text);
}

const char *
tsr_insight_count (const TsrInsightContext *c, gint64 count)
{
  g_autofree char *text = tsr_units_dup_count (count);

  return g_string_chunk_insert (c->chunk, text);
}

const char *
tsr_insight_text (const TsrInsightContext *c, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  return g_string_chunk_insert (c->chunk, text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Builds liveness and lowered tables by hand or at random. */

#include "config.h"

#include "hand-tables.h"

#include <string.h>

#define GROW(pointer, n, value)                                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    (pointer) = g_realloc_n ((pointer), (n) + 1, sizeof *(pointer));                               \
    (pointer)[n] = (value);                                                                        \
  }                                                                                                \
  G_STMT_END

HandTables *
hand_tables_new (guint n_steps, guint n_tiles)
{
  static const char *const names[] = { "variable", "message", "vertexCode" };
  HandTables *self = g_new0 (HandTables, 1);

  self->liveness.strings = tsr_string_table_new ();
  self->liveness.n_steps = n_steps;
  self->liveness.lifetime_start = g_new0 (guint32, 1);
  self->lowered.strings = tsr_string_table_new ();
  self->lowered.n_tiles = n_tiles;
  self->lowered.tile_start = g_new0 (gsize, n_tiles + 1);
  self->lowered.interval_start = g_new0 (gsize, 1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GROW (self->categories.ids, i, 10 + (gint64)i);
      GROW (self->categories.names, i, g_strdup (names[i]));
      GROW (self->categories.allocated, i, TSR_UNKNOWN);
    }
  self->categories.n_categories = G_N_ELEMENTS (names);
  return self;
}

void
hand_tables_free (HandTables *self)
{
  TsrLivenessTables *l = &self->liveness;
  TsrLoweredTables *w = &self->lowered;

  tsr_string_table_free (l->strings);
  g_free (l->variable_id);
  g_free (l->variable_name);
  g_free (l->variable_size);
  g_free (l->variable_always_live);
  g_free (l->variable_category_id);
  g_free (l->variable_element_type);
  g_free (l->variable_shape);
  g_free (l->variable_debug_id);
  g_free (l->lifetime_start);
  g_free (l->lifetime_from);
  g_free (l->lifetime_to);
  g_free (l->lifetime_bytes);
  tsr_string_table_free (w->strings);
  g_free (w->tile);
  g_free (w->size);
  g_free (w->offset);
  g_free (w->name);
  g_free (w->variable);
  g_free (w->equivalence_class);
  g_free (w->category);
  g_free (w->always_live);
  g_free (w->alignment);
  g_free (w->tile_start);
  g_free (w->by_tile);
  g_free (w->class_id);
  g_free (w->interval_start);
  g_free (w->interval_from);
  g_free (w->interval_to);
  tsr_category_rows_clear (&self->categories);
  g_free (self);
}

guint32
hand_tables_add_variable (
    HandTables *self, const char *name, gint64 bytes, int always, int category)
{
  TsrLivenessTables *l = &self->liveness;
  guint n = l->n_variables++;

  GROW (l->variable_id, n, (gint64)n);
  GROW (l->variable_name, n, tsr_string_table_intern (l->strings, name, -1));
  GROW (l->variable_size, n, bytes);
  GROW (l->variable_always_live, n, always);
  GROW (l->variable_category_id, n, category < 0 ? TSR_UNKNOWN : 10 + category);
  GROW (l->variable_element_type, n, tsr_string_table_intern (l->strings, "half", -1));
  GROW (l->variable_shape, n, TSR_NO_STRING);
  GROW (l->variable_debug_id, n, TSR_UNKNOWN);
  GROW (l->lifetime_start, n + 1, l->lifetime_start[n]);
  return n;
}

void
hand_tables_add_lifetime (HandTables *self, guint32 from, guint32 to, gint64 bytes)
{
  TsrLivenessTables *l = &self->liveness;
  guint n = l->lifetime_start[l->n_variables]++;

  GROW (l->lifetime_from, n, from);
  GROW (l->lifetime_to, n, to);
  GROW (l->lifetime_bytes, n, bytes);
}

guint32
hand_tables_add_class (HandTables *self, const guint32 *intervals)
{
  TsrLoweredTables *w = &self->lowered;
  guint c = w->n_classes++;
  gsize n = w->interval_start[c];

  for (; intervals[0] < intervals[1]; intervals += 2, n++)
    {
      GROW (w->interval_from, n, intervals[0]);
      GROW (w->interval_to, n, intervals[1]);
    }
  GROW (w->class_id, c, (gint64)c * 7);
  GROW (w->interval_start, c + 1, n);
  return c;
}

void
hand_tables_add_row (HandTables *self,
                     guint tile,
                     guint32 size,
                     const char *name,
                     guint32 variable,
                     guint32 class_index,
                     int category,
                     int always)
{
  TsrLoweredTables *w = &self->lowered;
  gsize n = w->n++;

  GROW (w->tile, n, tile);
  GROW (w->size, n, size);
  GROW (w->offset, n, TSR_LOWERED_UNKNOWN);
  GROW (w->name, n, tsr_string_table_intern (w->strings, name, -1));
  GROW (w->variable, n, variable);
  GROW (w->equivalence_class, n, class_index);
  GROW (w->category, n, category < 0 ? TSR_NO_CATEGORY : category);
  GROW (w->always_live, n, always);
  GROW (w->alignment, n, 255);
  for (guint t = tile + 1; t <= w->n_tiles; t++)
    w->tile_start[t]++;
}

/* Puts the rows in another order: tile_start and by_tile then list each tile's. */
static void
shuffle (HandTables *self, GRand *random)
{
  TsrLoweredTables *w = &self->lowered;
  gsize place = 0;

  for (gsize i = 0; i < w->n; i++)
    {
      gsize k = (gsize)g_rand_int_range (random, 0, w->n);

#define SWAP(array)                                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    __typeof__ (*(array)) kept = (array)[i];                                                       \
    (array)[i] = (array)[k];                                                                       \
    (array)[k] = kept;                                                                             \
  }                                                                                                \
  G_STMT_END
      SWAP (w->tile);
      SWAP (w->size);
      SWAP (w->name);
      SWAP (w->variable);
      SWAP (w->equivalence_class);
      SWAP (w->category);
      SWAP (w->always_live);
    }
  w->by_tile = g_new (guint32, w->n + 1);
  for (guint tile = 0; tile < w->n_tiles; tile++)
    {
      w->tile_start[tile] = place;
      for (gsize i = 0; i < w->n; i++)
        if (w->tile[i] == tile)
          w->by_tile[place++] = i;
    }
  w->tile_start[w->n_tiles] = place;
}

static void
add_random_classes (HandTables *self, GRand *random, guint n)
{
  for (guint c = 0; c < n; c++)
    {
      guint32 intervals[12] = { 0 };
      guint32 at = 0;
      guint i;

      for (i = 0; i < 5; i++)
        {
          guint32 from = at + (guint32)g_rand_int_range (random, 0, self->liveness.n_steps / 4 + 2);
          guint32 to = from + (guint32)g_rand_int_range (random, 1, self->liveness.n_steps / 6 + 3);

          if (to > self->liveness.n_steps)
            break;
          intervals[2 * i] = from;
          intervals[2 * i + 1] = to;
          at = to + 1;
        }
      intervals[2 * i] = intervals[2 * i + 1] = 0;
      hand_tables_add_class (self, intervals);
    }
}

HandTables *
hand_tables_new_random (guint seed, guint n_steps, guint n_tiles, guint n_rows)
{
  HandTables *self = hand_tables_new (n_steps, n_tiles);
  GRand *random = g_rand_new_with_seed (seed);
  guint n_variables = 9;
  guint row = 0;

  for (guint v = 0; v < n_variables; v++)
    {
      g_autofree char *name = g_strdup_printf ("layer%u/w%u", v % 3, v);

      hand_tables_add_variable (self, name, TSR_UNKNOWN, 255, v % 2);
    }
  add_random_classes (self, random, 12);
  for (guint tile = 0; tile < n_tiles; tile++)
    for (; row < (guint64)n_rows * (tile + 1) / n_tiles; row++)
      {
        gboolean always = g_rand_int_range (random, 0, 4) == 0;
        guint32 v = g_rand_int_range (random, 0, 14);
        g_autofree char *name = g_strdup_printf ("layer%u/t%u#%u", v % 3, v, row % 4);

        hand_tables_add_row (self, tile, g_rand_int_range (random, 0, 5000), name,
                             v < n_variables ? v : TSR_NO_INDEX,
                             always ? TSR_NO_INDEX : (guint32)g_rand_int_range (random, 0, 12),
                             v % 3, always);
      }
  if (seed % 2 == 1)
    shuffle (self, random);
  g_rand_free (random);
  return self;
}

int
hand_tables_is_live (const HandTables *self, gsize row, guint step)
{
  const TsrLoweredTables *w = &self->lowered;
  guint32 c = w->equivalence_class[row];

  if (w->always_live[row] == 1)
    return 1;
  if (c == TSR_NO_INDEX)
    return -1;
  for (gsize i = w->interval_start[c]; i < w->interval_start[c + 1]; i++)
    if (w->interval_from[i] <= step && step < w->interval_to[i])
      return 1;
  return 0;
}

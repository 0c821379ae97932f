/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The selected tiles: an ascending array without doubles, at most some 10^5 long. */

#include "config.h"

#include "tsr-tile-selection.h"

#include <string.h>

struct _TsrTileSelection
{
  GObject parent_instance;

  GArray *tiles; /* guint, ascending, each once */
};

G_DEFINE_FINAL_TYPE (TsrTileSelection, tsr_tile_selection, G_TYPE_OBJECT)

static guint changed_signal;

static void
tsr_tile_selection_finalize (GObject *object)
{
  TsrTileSelection *self = TSR_TILE_SELECTION (object);

  g_array_unref (self->tiles);
  G_OBJECT_CLASS (tsr_tile_selection_parent_class)->finalize (object);
}

static void
tsr_tile_selection_class_init (TsrTileSelectionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tsr_tile_selection_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
tsr_tile_selection_init (TsrTileSelection *self)
{
  self->tiles = g_array_new (FALSE, FALSE, sizeof (guint));
}

TsrTileSelection *
tsr_tile_selection_new (void)
{
  return g_object_new (TSR_TYPE_TILE_SELECTION, NULL);
}

TsrTileSelection *
tsr_tile_selection_copy (TsrTileSelection *self)
{
  TsrTileSelection *copy;

  if (self == NULL)
    return NULL;
  g_return_val_if_fail (TSR_IS_TILE_SELECTION (self), NULL);
  copy = tsr_tile_selection_new ();
  g_array_append_vals (copy->tiles, self->tiles->data, self->tiles->len);
  return copy;
}

const guint *
tsr_tile_selection_peek (TsrTileSelection *self, guint *n_tiles)
{
  g_return_val_if_fail (TSR_IS_TILE_SELECTION (self), NULL);
  if (n_tiles != NULL)
    *n_tiles = self->tiles->len;
  return (const guint *)(gpointer)self->tiles->data;
}

static int
compare_tiles (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *)a;
  guint y = *(const guint *)b;

  return (x > y) - (x < y);
}

gboolean
tsr_tile_selection_contains (TsrTileSelection *self, guint tile)
{
  g_return_val_if_fail (TSR_IS_TILE_SELECTION (self), FALSE);
  return g_array_binary_search (self->tiles, &tile, compare_tiles, NULL);
}

/* Takes @tiles, makes it ascending and each once, and tells only when it differs. */
static void
take (TsrTileSelection *self, GArray *tiles)
{
  guint n = 0;

  g_array_sort (tiles, compare_tiles);
  for (guint i = 0; i < tiles->len; i++)
    if (i == 0 || g_array_index (tiles, guint, i) != g_array_index (tiles, guint, n - 1))
      g_array_index (tiles, guint, n++) = g_array_index (tiles, guint, i);
  g_array_set_size (tiles, n);

  if (n == self->tiles->len
      && (n == 0 || memcmp (tiles->data, self->tiles->data, n * sizeof (guint)) == 0))
    {
      g_array_unref (tiles);
      return;
    }
  g_array_unref (self->tiles);
  self->tiles = tiles;
  g_signal_emit (self, changed_signal, 0);
}

static GArray *
new_array (const guint *tiles, guint n_tiles)
{
  GArray *array = g_array_sized_new (FALSE, FALSE, sizeof (guint), n_tiles);

  if (n_tiles > 0)
    g_array_append_vals (array, tiles, n_tiles);
  return array;
}

void
tsr_tile_selection_set (TsrTileSelection *self, const guint *tiles, guint n_tiles)
{
  g_return_if_fail (TSR_IS_TILE_SELECTION (self));
  g_return_if_fail (tiles != NULL || n_tiles == 0);
  take (self, new_array (tiles, n_tiles));
}

void
tsr_tile_selection_toggle (TsrTileSelection *self, guint tile)
{
  guint at;
  GArray *tiles;

  g_return_if_fail (TSR_IS_TILE_SELECTION (self));
  tiles = new_array ((const guint *)(gpointer)self->tiles->data, self->tiles->len);
  if (g_array_binary_search (tiles, &tile, compare_tiles, &at))
    g_array_remove_index (tiles, at);
  else
    g_array_append_val (tiles, tile);
  take (self, tiles);
}

void
tsr_tile_selection_add (TsrTileSelection *self, const guint *tiles, guint n_tiles)
{
  GArray *all;

  g_return_if_fail (TSR_IS_TILE_SELECTION (self));
  g_return_if_fail (tiles != NULL || n_tiles == 0);
  all = new_array ((const guint *)(gpointer)self->tiles->data, self->tiles->len);
  if (n_tiles > 0)
    g_array_append_vals (all, tiles, n_tiles);
  take (self, all);
}

void
tsr_tile_selection_clear (TsrTileSelection *self)
{
  tsr_tile_selection_set (self, NULL, 0);
}

void
tsr_tile_selection_change (TsrTileSelection *self,
                           TsrSelectMode mode,
                           const guint *tiles,
                           guint n_tiles)
{
  g_return_if_fail (TSR_IS_TILE_SELECTION (self) && (tiles != NULL || n_tiles == 0));
  if (mode == TSR_SELECT_CLEAR)
    tsr_tile_selection_clear (self);
  else if (mode == TSR_SELECT_TOGGLE)
    for (guint i = 0; i < n_tiles; i++)
      tsr_tile_selection_toggle (self, tiles[i]);
  else if (mode == TSR_SELECT_ADD)
    tsr_tile_selection_add (self, tiles, n_tiles);
  else
    tsr_tile_selection_set (self, tiles, n_tiles);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Addresses, tile by tile.  What is always live is packed from the bottom, code first, because code
 * must lie in region 0.  Then the rest, largest first, each at the lowest address that is free of
 * variables that are ever live together with it.  Where that does not fit, what reached highest
 * goes first, a few times; the lowest end counts.  No variable crosses the start of the interleaved
 * region.  The end of the memory is no border: what overflows goes on behind it.  Two variables
 * whose classes have no step in common may share addresses: that is the "overlapped" part of a
 * report. */

#include "config.h"

#include "tsr-gen-lower.h"

#include "tsr-gen-presets.h"

#include <stdlib.h>
#include <string.h>

#define N_PLACED 2 /* regions; a third one holds what the second has beyond the end of the tile */
#define N_TRIES  8 /* to place what does not fit */

typedef struct
{
  guint32 size, class_id;
  guint32 order; /* in the tile's list: makes the sort stable */
  guint32 alignment;
  gboolean interleaved;
  guint8 category;
  guint32 *offset; /* where the address goes */
  guint32 start;   /* the address, once it is known */
  guint rank;      /* of those that reached highest in a try: the last one first */
} Item;

typedef struct
{
  guint32 start, end, class_id;
} Placed;

typedef struct
{
  const TsrGenModel *model;
  guint64 *interfere; /* bit matrix: classes that are ever live together */
  gsize words;        /* of a row of it */
  GPtrArray *here;    /* variables of the tile's IPU */
  GArray *always, *items, *placed, *edges;
  guint32 region_start[TSR_GEN_N_REGIONS + 1];
  guint32 limit[N_PLACED];  /* of what begins in a region */
  guint32 cursor[N_PLACED]; /* end of what is always live */
  gint64 *by_class;
  gint64 *difference; /* of bytes live, by step */
} Placer;

static gboolean
intervals_meet (const GArray *a, const GArray *b)
{
  guint i = 0, k = 0;

  while (i < a->len && k < b->len)
    {
      const TsrGenInterval *x = &g_array_index (a, TsrGenInterval, i);
      const TsrGenInterval *y = &g_array_index (b, TsrGenInterval, k);

      if (x->start < y->end && y->start < x->end)
        return TRUE;
      if (x->end <= y->end)
        i++;
      else
        k++;
    }
  return FALSE;
}

static void
find_interference (Placer *self)
{
  const GPtrArray *classes = self->model->classes;

  self->words = (classes->len + 63) / 64;
  self->interfere = g_new0 (guint64, self->words * classes->len + 1);
  for (guint i = 0; i < classes->len; i++)
    for (guint k = 0; k <= i; k++)
      if (intervals_meet (g_ptr_array_index (classes, i), g_ptr_array_index (classes, k)))
        {
          self->interfere[i * self->words + k / 64] |= G_GUINT64_CONSTANT (1) << (k % 64);
          self->interfere[k * self->words + i / 64] |= G_GUINT64_CONSTANT (1) << (i % 64);
        }
}

static inline guint32
align (guint32 address, guint32 alignment)
{
  return (address + alignment - 1) / alignment * alignment;
}

static void
collect (Placer *self, guint tile)
{
  const TsrGenModel *model = self->model;

  tsr_gen_find_vars (model, tile, &self->here);
  g_array_set_size (self->always, 0);
  g_array_set_size (self->items, 0);
  for (guint i = 0; i < self->here->len; i++)
    {
      TsrGenVar *var = g_ptr_array_index (self->here, i);
      const gint64 slot = tsr_gen_var_slot (model, var, tile % model->tiles_per_ipu);

      for (guint k = 0; slot >= 0 && k < var->pieces; k++)
        {
          GArray *list = var->class_id == TSR_GEN_ALWAYS ? self->always : self->items;
          const Item item = { .size = var->sizes[slot + k],
                              .class_id = var->class_id,
                              .order = list->len,
                              .alignment = var->alignment,
                              .interleaved = var->interleaved,
                              .category = var->category,
                              .offset = &var->offsets[slot + k] };

          if (item.size > 0)
            g_array_append_val (list, item);
        }
    }
}

/* Lowest free address at or above the end of the always-live part of each region in turn. */
static void
place_always (Placer *self, gboolean code)
{
  for (guint i = 0; i < self->always->len; i++)
    {
      Item *item = &g_array_index (self->always, Item, i);
      guint region;

      if (tsr_gen_category_is_code (item->category) != code)
        continue;
      for (region = item->interleaved ? 1 : 0; region < N_PLACED; region++)
        {
          const guint32 start = align (self->cursor[region], item->alignment);

          /* Code that does not fit below the interleaved region does not fit at all. */
          if (code && region == 1)
            continue;
          if (start + item->size <= self->limit[region])
            {
              item->start = start;
              self->cursor[region] = start + item->size;
              break;
            }
        }
      *item->offset = item->start;
    }
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const Item *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank > y->rank ? -1 : 1;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->order < y->order ? -1 : 1;
}

/* Index of the first placed one that begins at or after @address. */
static guint
placed_after (const GArray *placed, guint32 address)
{
  guint low = 0, high = placed->len;

  while (low < high)
    {
      const guint mid = (low + high) / 2;

      if (g_array_index (placed, Placed, mid).start < address)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

static guint32
find_place (const Placer *self, const Item *item)
{
  const guint64 *row = self->interfere + item->class_id * self->words;
  const Placed *placed = (const Placed *)self->placed->data;
  guint i = 0;

  for (guint region = item->interleaved ? 1 : 0; region < N_PLACED; region++)
    {
      const guint32 limit = self->limit[region];
      guint32 at = align (self->cursor[region], item->alignment);

      for (; i < self->placed->len && placed[i].start < limit; i++)
        {
          if (placed[i].end <= at)
            continue;
          if (!(row[placed[i].class_id / 64] >> (placed[i].class_id % 64) & 1))
            continue;
          if (placed[i].start >= at && placed[i].start - at >= item->size)
            break;
          at = align (placed[i].end, item->alignment);
        }
      if (limit - at >= item->size && at < limit)
        return at;
      while (i < self->placed->len && placed[i].start < limit)
        i++;
    }
  g_assert_not_reached ();
}

/* The end of the highest. */
static guint32
place_in_order (Placer *self)
{
  guint32 end = 0;

  qsort (self->items->data, self->items->len, sizeof (Item), compare_items);
  g_array_set_size (self->placed, 0);
  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = &g_array_index (self->items, Item, i);
      Placed placed;

      item->start = find_place (self, item);
      placed = (Placed){ item->start, item->start + item->size, item->class_id };
      g_array_insert_val (self->placed, placed_after (self->placed, item->start), placed);
      end = MAX (end, placed.end);
    }
  return end;
}

static void
place_items (Placer *self)
{
  g_autofree Item *best = NULL;
  guint32 end, lowest;

  if (self->items->len == 0)
    return;
  end = lowest = place_in_order (self);
  best = g_memdup2 (self->items->data, self->items->len * sizeof (Item));
  for (guint try = 1; try <= N_TRIES && lowest > self->region_start[2]; try++)
    {
      for (guint i = 0; i < self->items->len; i++)
        {
          Item *item = &g_array_index (self->items, Item, i);

          if (item->start + item->size == end)
            item->rank = try;
        }
      end = place_in_order (self);
      if (end < lowest)
        {
          lowest = end;
          memcpy (best, self->items->data, self->items->len * sizeof (Item));
        }
    }
  memcpy (self->items->data, best, self->items->len * sizeof (Item));
  for (guint i = 0; i < self->items->len; i++)
    *best[i].offset = best[i].start;
}

static guint
region_of (const Placer *self, guint32 address)
{
  return address < self->region_start[1] ? 0 : address < self->region_start[2] ? 1 : 2;
}

typedef struct
{
  guint32 address;
  gint32 change;
} Edge;

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Edge *x = a, *y = b;

  return x->address < y->address ? -1 : x->address > y->address;
}

/* Fills @once with the bytes below each edge that exactly one variable occupies. */
static void
sweep (Placer *self, TsrGenTile *tile, guint64 *once)
{
  const Edge *edges = (const Edge *)self->edges->data;
  gint depth = 0;

  once[0] = 0;
  for (guint i = 0; i < self->edges->len; i++)
    {
      const guint32 next = i + 1 < self->edges->len ? edges[i + 1].address : edges[i].address;
      const guint32 length = next - edges[i].address;
      const guint region = region_of (self, edges[i].address);

      depth += edges[i].change;
      once[i + 1] = once[i] + (depth == 1 ? length : 0);
      if (depth >= 1)
        tile->region[region] += length;
      if (depth >= 2)
        tile->overlapped[region] += length;
    }
}

static guint
first_edge_at (const GArray *edges, guint32 address)
{
  guint low = 0, high = edges->len;

  while (low < high)
    {
      const guint mid = (low + high) / 2;

      if (g_array_index (edges, Edge, mid).address < address)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

/* Bytes of @item in @region. */
static guint32
get_part (const Placer *self, const Item *item, guint region, guint32 *start, guint32 *end)
{
  *start = MAX (item->start, self->region_start[region]);
  *end = MIN (item->start + item->size, self->region_start[region + 1]);
  return *end > *start ? *end - *start : 0;
}

static void
count_always (const Placer *self, TsrGenTile *tile, const Item *item)
{
  guint32 start, end;

  for (guint region = 0; region < TSR_GEN_N_REGIONS; region++)
    {
      const guint32 bytes = get_part (self, item, region, &start, &end);

      tile->region[region] += bytes;
      tile->non_overlapped_by[item->category][region] += bytes;
    }
  tile->always_live += item->size;
  tile->including = MAX (tile->including, item->start + item->size);
}

static void
count_item (const Placer *self, TsrGenTile *tile, const Item *item, const guint64 *once)
{
  guint32 start, end;

  for (guint region = 0; region < TSR_GEN_N_REGIONS; region++)
    {
      const guint32 bytes = get_part (self, item, region, &start, &end);
      guint32 alone;

      if (bytes == 0)
        continue;
      alone = once[first_edge_at (self->edges, end)] - once[first_edge_at (self->edges, start)];
      tile->non_overlapped_by[item->category][region] += alone;
      tile->overlapped_by[item->category][region] += bytes - alone;
    }
}

static void
count_tile (Placer *self, TsrGenTile *tile)
{
  g_autofree guint64 *once = NULL;
  /* What crosses it is divided there. */
  const Edge memory_end = { self->region_start[2], 0 };

  g_array_set_size (self->edges, 0);
  for (guint i = 0; i < self->always->len; i++)
    count_always (self, tile, &g_array_index (self->always, Item, i));
  for (guint i = 0; i < self->items->len; i++)
    {
      const Item *item = &g_array_index (self->items, Item, i);
      const Edge edges[2] = { { item->start, 1 }, { item->start + item->size, -1 } };

      g_array_append_vals (self->edges, edges, 2);
      tile->including = MAX (tile->including, item->start + item->size);
    }
  g_array_append_val (self->edges, memory_end);
  qsort (self->edges->data, self->edges->len, sizeof (Edge), compare_edges);
  once = g_new (guint64, self->edges->len + 1);
  sweep (self, tile, once);
  for (guint i = 0; i < self->items->len; i++)
    count_item (self, tile, &g_array_index (self->items, Item, i), once);
  tile->excluding = tile->region[0] + tile->region[1] + tile->region[2];
  tile->overflowed = tile->region[2];
}

/* Bytes live on this tile at each step; also added to those of its IPU. */
static void
count_liveness (Placer *self, TsrGenTile *tile, guint64 *of_ipu)
{
  const guint n = self->model->steps->len;
  gint64 live = 0;

  memset (self->by_class, 0, sizeof (gint64) * (self->model->classes->len + 1));
  memset (self->difference, 0, sizeof (gint64) * (n + 1));
  for (guint i = 0; i < self->items->len; i++)
    {
      const Item *item = &g_array_index (self->items, Item, i);
      self->by_class[item->class_id] += item->size;
    }
  for (guint i = 0; i < self->model->classes->len; i++)
    {
      const GArray *intervals = g_ptr_array_index (self->model->classes, i);

      for (guint k = 0; self->by_class[i] > 0 && k < intervals->len; k++)
        {
          const TsrGenInterval *interval = &g_array_index (intervals, TsrGenInterval, k);

          self->difference[interval->start] += self->by_class[i];
          self->difference[interval->end] -= self->by_class[i];
        }
    }
  for (guint step = 0; step < n; step++)
    {
      live += self->difference[step];
      of_ipu[step] += live;
      if (live > tile->not_always_live)
        {
          tile->not_always_live = live;
          tile->peak_step = step;
        }
    }
}

void
tsr_gen_place (TsrGenModel *self)
{
  const guint n = self->steps->len;
  Placer placer = { .model = self };

  find_interference (&placer);
  placer.always = g_array_new (FALSE, FALSE, sizeof (Item));
  placer.items = g_array_new (FALSE, FALSE, sizeof (Item));
  placer.placed = g_array_new (FALSE, FALSE, sizeof (Placed));
  placer.edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  placer.by_class = g_new (gint64, self->classes->len + 1);
  placer.difference = g_new (gint64, n + 1);
  placer.region_start[1] = self->preset->interleaved_start;
  placer.region_start[2] = self->preset->bytes_per_tile;
  placer.region_start[3] = G_MAXUINT32 / 2;
  placer.limit[0] = placer.region_start[1];
  placer.limit[1] = placer.region_start[3];
  self->live = g_new0 (guint64, n + 1);
  self->live_by_ipu = g_new (guint64 *, self->n_ipus);
  for (guint ipu = 0; ipu < self->n_ipus; ipu++)
    self->live_by_ipu[ipu] = g_new0 (guint64, n + 1);

  for (guint tile = 0; tile < self->n_tiles; tile++)
    {
      collect (&placer, tile);
      memcpy (placer.cursor, placer.region_start, sizeof placer.cursor);
      place_always (&placer, TRUE);
      place_always (&placer, FALSE);
      place_items (&placer);
      count_tile (&placer, &self->tiles[tile]);
      count_liveness (&placer, &self->tiles[tile], self->live_by_ipu[tile / self->tiles_per_ipu]);
    }
  for (guint ipu = 0; ipu < self->n_ipus; ipu++)
    for (guint step = 0; step < n; step++)
      self->live[step] += self->live_by_ipu[ipu][step];

  g_clear_pointer (&placer.here, g_ptr_array_unref);
  g_array_unref (placer.always);
  g_array_unref (placer.items);
  g_array_unref (placer.placed);
  g_array_unref (placer.edges);
  g_free (placer.by_class);
  g_free (placer.difference);
  g_free (placer.interfere);
}

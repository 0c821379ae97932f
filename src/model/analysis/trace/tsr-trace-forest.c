/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An implicit in-order forest (the idea is Tristan Hume's, "IForests", thume.ca 2021; Perfetto's
 * trace processor has one as ImplicitSegmentForest), over blocks of items, not items.
 *
 *   blocks     0   1   2   3   4   5   6
 *   level 0    0   2   4   6   8  10  12      node of block b, level l: nodes[2 b + 2^l - 1], for
 *   level 1      1       5       9            each b that is a multiple of 2^l and has 2^l blocks
 *   level 2          3                        from there on
 *
 * Invariant: a node has the longest item of its 2^l blocks, the first of equals, and its length cut
 * to 32 bits.  Built level by level, O(n); a range is covered by at most 2 log2 (n / 32) nodes and
 * two blocks that are cut, of which one is looked at item by item only when its longest item lies
 * outside.  Leaf nodes are every second one: 2 x 8 bytes for 32 items. */

#include "config.h"

#include "tsr-trace-forest.h"

#include <string.h>

static inline guint64
length_of (const TsrTraceRow *row, gsize item)
{
  return (guint64)tsr_trace_row_end (row, item) - (guint64)tsr_trace_row_start (row, item);
}

static inline TsrTraceForestNode
make_node (gsize item, guint64 length)
{
  return (TsrTraceForestNode){ (guint32)item, (guint32)MIN (length, G_MAXUINT32) };
}

static TsrTraceForestNode
combine (const TsrTraceRow *row, TsrTraceForestNode a, TsrTraceForestNode b)
{
  if (a.length != b.length)
    return a.length > b.length ? a : b;
  if (G_UNLIKELY (a.length == G_MAXUINT32) && length_of (row, b.item) > length_of (row, a.item))
    return b;
  return a;
}

#define MAX_LONG 64 /* one of so many items may be looked up in the row */

static void
init_lengths (TsrTraceForest *self, const TsrTraceRow *row)
{
  gsize n_long = 0;

  for (gsize i = 0; i < row->n; i++)
    n_long += length_of (row, i) >= G_MAXUINT16;
  if (n_long > row->n / MAX_LONG)
    {
      self->lengths = g_new (guint32, row->n);
      for (gsize i = 0; i < row->n; i++)
        self->lengths[i] = (guint32)MIN (length_of (row, i), G_MAXUINT32);
      return;
    }
  self->short_lengths = g_new (guint16, MAX (row->n, 1));
  for (gsize i = 0; i < row->n; i++)
    self->short_lengths[i] = (guint16)MIN (length_of (row, i), G_MAXUINT16);
}

static inline guint64
get_length (const TsrTraceForest *self, const TsrTraceRow *row, gsize item)
{
  if (self->short_lengths != NULL && self->short_lengths[item] < G_MAXUINT16)
    return self->short_lengths[item];
  if (self->lengths != NULL && self->lengths[item] < G_MAXUINT32)
    return self->lengths[item];
  return length_of (row, item);
}

void
tsr_trace_forest_init (TsrTraceForest *self, const TsrTraceRow *row)
{
  gsize n = row->n / TSR_TRACE_FOREST_BLOCK;

  self->n_blocks = n;
  self->nodes = g_new (TsrTraceForestNode, 2 * n);
  init_lengths (self, row);
  for (gsize block = 0; block < n; block++)
    {
      gsize first = block * TSR_TRACE_FOREST_BLOCK;
      gsize best = first;
      guint64 most = get_length (self, row, first);

      for (gsize i = first + 1; i < first + TSR_TRACE_FOREST_BLOCK; i++)
        {
          guint64 length = get_length (self, row, i);

          if (length > most)
            {
              most = length;
              best = i;
            }
        }
      self->nodes[2 * block] = make_node (best, most);
    }
  for (gsize half = 1; 2 * half <= n; half *= 2)
    for (gsize block = 0; block + 2 * half <= n; block += 2 * half)
      self->nodes[2 * block + 2 * half - 1] = combine (row, self->nodes[2 * block + half - 1],
                                                       self->nodes[2 * (block + half) + half - 1]);
}

void
tsr_trace_forest_clear (TsrTraceForest *self)
{
  g_clear_pointer (&self->nodes, g_free);
  g_clear_pointer (&self->short_lengths, g_free);
  g_clear_pointer (&self->lengths, g_free);
  self->n_blocks = 0;
}

gsize
tsr_trace_forest_get_size (const TsrTraceForest *self, const TsrTraceRow *row)
{
  gsize size = self->n_blocks * 2 * sizeof *self->nodes;

  if (self->short_lengths != NULL)
    size += row->n * sizeof *self->short_lengths;
  if (self->lengths != NULL)
    size += row->n * sizeof *self->lengths;
  return size;
}

/* What a search has found so far. */
typedef struct
{
  const TsrTraceForest *forest;
  const TsrTraceRow *row;
  TsrTraceItemFunc visible; /* (nullable) */
  gpointer data;
  gsize best; /* G_MAXSIZE: nothing */
  guint64 most;
  gboolean before; /* what is looked at stands before the best: of equals it is the first */
} Search;

static inline void
offer (Search *search, gsize item, guint64 length)
{
  if ((search->best == G_MAXSIZE || length > search->most
       || (search->before && length == search->most))
      && (search->visible == NULL || search->visible (item, search->data)))
    {
      search->best = item;
      search->most = length;
    }
}

/* The first longest of some items whose lengths are short; *told: it is none that the row tells.
 * Eight at a time: the compiler makes one instruction of each line, where the processor has them.
 */
typedef guint16 Eight __attribute__ ((vector_size (16)));

static inline Eight
load (const guint16 *lengths)
{
  Eight eight;

  memcpy (&eight, lengths, sizeof eight);
  return eight;
}

static inline Eight
get_larger (Eight a, Eight b)
{
  Eight larger = (Eight)(a > b);

  return (a & larger) | (b & ~larger);
}

static inline guint16
get_most (Eight eight)
{
  guint16 a = MAX (eight[0], eight[1]);
  guint16 b = MAX (eight[2], eight[3]);
  guint16 c = MAX (eight[4], eight[5]);
  guint16 d = MAX (eight[6], eight[7]);

  a = MAX (a, b);
  c = MAX (c, d);
  return MAX (a, c);
}

/* Where the first of eight is that has all its bits set, which one of them has. */
static inline guint
find_set (Eight eight)
{
  guint k = 0;

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  guint64 halves[2];

  memcpy (halves, &eight, sizeof halves);
  k = halves[0] != 0 ? (guint)__builtin_ctzll (halves[0]) / 16
                     : 4 + (guint)__builtin_ctzll (halves[1]) / 16;
#else
  while (eight[k] == 0)
    k++;
#endif
  return k;
}

static inline gboolean
is_any_set (Eight eight)
{
  guint64 halves[2];

  memcpy (halves, &eight, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

static gsize
look_at_short (const guint16 *lengths, gsize first, gsize end, gboolean *told)
{
  Eight larger, same, wanted;
  gsize item = first;
  guint16 most;

  if (end - first < 8)
    {
      /* Length and how many are left in one number: of equals the first is the largest. */
      guint32 best = 0;

      for (; item < end; item++)
        best = MAX (best, (guint32)lengths[item] << 8 | (guint32)(end - item));
      *told = best >> 8 < G_MAXUINT16;
      return end - (best & 0xff);
    }
  larger = load (lengths + end - 8);
  for (; item + 8 < end; item += 8)
    larger = get_larger (larger, load (lengths + item));
  most = get_most (larger);
  wanted = (Eight){ most, most, most, most, most, most, most, most };
  *told = most < G_MAXUINT16;
  for (item = first; item + 8 < end; item += 8)
    {
      same = (Eight)(load (lengths + item) == wanted);
      if (is_any_set (same))
        return item + find_set (same);
    }
  same = (Eight)(load (lengths + end - 8) == wanted);
  return end - 8 + find_set (same);
}

static void
look_at_each (Search *search, gsize first, gsize end)
{
  for (gsize i = first; i < end; i++)
    {
      offer (search, i, get_length (search->forest, search->row, i));
      if (search->best == i)
        search->before = FALSE;
    }
}

static inline guint64
node_length (const Search *search, TsrTraceForestNode node)
{
  return node.length < G_MAXUINT32 ? node.length : length_of (search->row, node.item);
}

/* The blocks from @block on that the node of @level covers; looks below the node only when its
 * longest item is not visible and another could still win. */
static void
look_at_node (Search *search, gsize block, guint level)
{
  TsrTraceForestNode node = search->forest->nodes[2 * block + ((gsize)1 << level) - 1];
  guint64 length;

  if (search->best != G_MAXSIZE && node.length < G_MAXUINT32 && node.length <= search->most)
    return;
  length = node_length (search, node);
  if (search->best != G_MAXSIZE && length <= search->most)
    return;
  if (search->visible == NULL || search->visible (node.item, search->data))
    {
      search->best = node.item;
      search->most = length;
    }
  else if (level == 0)
    look_at_each (search, block * TSR_TRACE_FOREST_BLOCK, (block + 1) * TSR_TRACE_FOREST_BLOCK);
  else
    {
      look_at_node (search, block, level - 1);
      look_at_node (search, block + ((gsize)1 << (level - 1)), level - 1);
    }
}

/* Items [first, end) of one block. */
static void
look_at_part (Search *search, gsize first, gsize end)
{
  gsize block = first / TSR_TRACE_FOREST_BLOCK;

  if (first < end && block < search->forest->n_blocks)
    {
      TsrTraceForestNode node = search->forest->nodes[2 * block];

      if (search->best != G_MAXSIZE && node.length < G_MAXUINT32
          && (node.length < search->most || (node.length == search->most && !search->before)))
        return;
      if (node.item >= first && node.item < end
          && (search->visible == NULL || search->visible (node.item, search->data)))
        {
          offer (search, node.item, node_length (search, node));
          return;
        }
    }
  if (first < end && search->visible == NULL && search->forest->short_lengths != NULL)
    {
      gboolean told;
      gsize item = look_at_short (search->forest->short_lengths, first, end, &told);

      if (told)
        {
          offer (search, item, search->forest->short_lengths[item]);
          return;
        }
    }
  look_at_each (search, first, end);
}

static void
look_at_blocks (Search *search, gsize block, gsize end)
{
  while (block < end)
    {
      guint level = 63 - (guint)__builtin_clzll (end - block);

      if (block > 0)
        level = MIN (level, (guint)__builtin_ctzll (block));
      look_at_node (search, block, level);
      block += (gsize)1 << level;
    }
}

gsize
tsr_trace_forest_longest_of (const TsrTraceForest *self,
                             const TsrTraceRow *row,
                             gsize first,
                             gsize end,
                             TsrTraceItemFunc visible,
                             gpointer data)
{
  Search search = { self, row, visible, data, G_MAXSIZE, 0, FALSE };
  gsize from = (first + TSR_TRACE_FOREST_BLOCK - 1) / TSR_TRACE_FOREST_BLOCK;
  gsize to;

  end = MIN (end, row->n);
  to = MIN (end / TSR_TRACE_FOREST_BLOCK, self->n_blocks);
  if (first >= end)
    return G_MAXSIZE;
  if (from >= to)
    {
      gsize middle = MIN (from * TSR_TRACE_FOREST_BLOCK, end);

      look_at_part (&search, first, middle);
      look_at_part (&search, MAX (first, middle), end);
      return search.best;
    }
  /* Whole blocks first: what is longest there mostly spares a look at each item of the others. */
  look_at_blocks (&search, from, to);
  look_at_part (&search, to * TSR_TRACE_FOREST_BLOCK, end);
  search.before = TRUE;
  look_at_part (&search, first, from * TSR_TRACE_FOREST_BLOCK);
  return search.best;
}

#define SHORT 64 /* items that are looked at rather than nodes */

/* More than SHORT items, all of which count: as _longest_of, without what it takes to leave some
 * out or to compare lengths that do not fit.  FALSE: there are such. */
static gboolean
find_longest (const TsrTraceForest *self, gsize first, gsize end, gsize *best)
{
  gsize from = (first + TSR_TRACE_FOREST_BLOCK - 1) / TSR_TRACE_FOREST_BLOCK;
  gsize to = MIN (end / TSR_TRACE_FOREST_BLOCK, self->n_blocks);
  TsrTraceForestNode most = { 0, 0 };
  gboolean told = TRUE;

  for (gsize block = from; block < to;)
    {
      guint level = 63 - (guint)__builtin_clzll (to - block);
      TsrTraceForestNode node;

      if (block > 0)
        level = MIN (level, (guint)__builtin_ctzll (block));
      node = self->nodes[2 * block + ((gsize)1 << level) - 1];
      most = node.length > most.length ? node : most;
      block += (gsize)1 << level;
    }
  if (to * TSR_TRACE_FOREST_BLOCK < end)
    {
      TsrTraceForestNode node = { (guint32)end, G_MAXUINT32 };

      if (to < self->n_blocks)
        node = self->nodes[2 * to];
      if (node.length > most.length && node.item >= end)
        {
          node.item = (guint32)look_at_short (self->short_lengths, to * TSR_TRACE_FOREST_BLOCK, end,
                                              &told);
          node.length = self->short_lengths[node.item];
        }
      most = node.length > most.length ? node : most;
    }
  if (first < from * TSR_TRACE_FOREST_BLOCK && told)
    {
      TsrTraceForestNode node = self->nodes[2 * (from - 1)];

      if (node.length >= most.length && node.item < first)
        {
          node.item = (guint32)look_at_short (self->short_lengths, first,
                                              from * TSR_TRACE_FOREST_BLOCK, &told);
          node.length = self->short_lengths[node.item];
        }
      most = node.length >= most.length ? node : most;
    }
  *best = most.item;
  return told && most.length < G_MAXUINT16;
}

gsize
tsr_trace_forest_longest (const TsrTraceForest *self,
                          const TsrTraceRow *row,
                          gsize first,
                          gsize end)
{
  gboolean told = FALSE;
  gsize best = 0;

  end = MIN (end, row->n);
  if (first < end && end - first == 1)
    return first;
  if (self->short_lengths != NULL && first < end && end - first <= SHORT)
    best = look_at_short (self->short_lengths, first, end, &told);
  else if (self->short_lengths != NULL && first < end)
    told = find_longest (self, first, end, &best);
  if (told)
    return best;
  return tsr_trace_forest_longest_of (self, row, first, end, NULL, NULL);
}

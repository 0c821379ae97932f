/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A pyramid of extremes, implicit like a heap, fan-out 8:
 *
 *   level 2   [      node 0 covers values 0 .. 63       ] [ node 1 ...
 *   level 1   [ 0 .. 7 ][ 8 .. 15 ] ...      [ 56 .. 63 ] [ 64 .. 71 ] ...
 *   values    0 1 2 3 4 5 6 7 8 ...                        the caller's array, not copied
 *
 * Node i of level k covers values [i * 8^k, (i + 1) * 8^k), cut to n.  For each extreme it holds a
 * key, the extreme value in an order in which more is better and TSR_UNKNOWN is worst, and the
 * index of that value (lowest on ties), TSR_NO_INDEX when it has none.  Levels above the values
 * stand one after the other, level 1 first; the last one has one node.  Keys and indexes are arrays
 * of their own: a query reads keys in a row, and an index only of what won.
 *
 * Every element of every level also has a byte that says where the best one is from the head of its
 * group up to it, and from it to the tail: so the ragged ends of a range cost one look each, not up
 * to seven, and no loop whose length nobody can predict.
 *
 * Invariant: no known value under a node has a better key, and none of a lower index the same key.
 *
 * A range query takes two looks at each level, and one group in part where both ends meet: O(log8
 * n), 20 looks at a million values.  Building is O(n); memory n / 7 nodes of 24 bytes, and 2.3
 * bytes a value for the ends.  Tried before: nodes without keys (a line of cache for each node
 * looked at), ragged ends one by one (three times as long: wrong guesses of loop ends). */

#include "config.h"

#include "tsr-pyramid.h"

#define SHIFT      3
#define FAN_OUT    (1u << SHIFT)
#define MAX_LEVELS 12 /* 8^11 > 2^32 */
#define AHEAD      16 /* queries */

typedef struct
{
  gint64 *keys;
  guint32 *at;  /* indexes of values */
  guint8 *ends; /* of level 0, then 1 ...: offsets in the group, head | tail << SHIFT */
} Extreme;

struct _TsrPyramid
{
  const gint64 *values;
  guint n;
  guint n_levels;           /* above the values */
  gsize level[MAX_LEVELS];  /* [k]: where level k + 1 begins; in ends n elements later */
  gsize length[MAX_LEVELS]; /* [k]: nodes of level k + 1 */
  Extreme extremes[2];      /* largest, least */
};

static inline __attribute__ ((always_inline)) gint64
key_at (const TsrPyramid *self, gboolean least, guint level, gsize at)
{
  gint64 value;

  if (level > 0)
    return self->extremes[least].keys[self->level[level - 1] + at];
  value = self->values[at];
  return least && value != TSR_UNKNOWN ? -value : value;
}

static inline __attribute__ ((always_inline)) guint32
index_of (const TsrPyramid *self, gboolean least, guint level, gsize at)
{
  return level > 0 ? self->extremes[least].at[self->level[level - 1] + at] : at;
}

static inline __attribute__ ((always_inline)) guint8 *
ends_of (const TsrPyramid *self, gboolean least, guint level)
{
  return self->extremes[least].ends + (level > 0 ? self->n + self->level[level - 1] : 0);
}

/* The first of the best in [from, to) of @level (0: the values), at most a group.  Always as many
 * looks, the last ones at the same place: a loop whose length nobody can predict takes longer. */
static inline __attribute__ ((always_inline)) gsize
scan (const TsrPyramid *self, gboolean least, guint level, gsize from, gsize to)
{
  gint64 best;
  gsize at = from;

  if (to - from == 1)
    return at;
  best = key_at (self, least, level, at);
  for (guint i = 1; i < FAN_OUT; i++)
    {
      gsize j = MIN (from + i, to - 1);
      gint64 key = key_at (self, least, level, j);

      at = key > best ? j : at;
      best = MAX (key, best);
    }
  return at;
}

/* The bytes of a group; its best one. */
static gsize
fill_ends (TsrPyramid *self, gboolean least, guint level, gsize from, gsize to)
{
  guint8 *ends = ends_of (self, least, level);
  gsize head = from;
  gsize tail = to - 1;

  for (gsize j = from; j < to; j++)
    {
      if (key_at (self, least, level, j) > key_at (self, least, level, head))
        head = j;
      ends[j] = head - from;
    }
  for (gsize j = to; j-- > from;)
    {
      if (key_at (self, least, level, j) >= key_at (self, least, level, tail))
        tail = j;
      ends[j] |= (tail - from) << SHIFT;
    }
  return head;
}

static void
fill_level (TsrPyramid *self, gboolean least, guint k)
{
  Extreme *extreme = &self->extremes[least];
  gsize n_below = k > 0 ? self->length[k - 1] : self->n;

  for (gsize i = 0; i < self->length[k]; i++)
    {
      gsize at = fill_ends (self, least, k, i << SHIFT, MIN ((i + 1) << SHIFT, n_below));
      gint64 key = key_at (self, least, k, at);

      extreme->keys[self->level[k] + i] = key;
      extreme->at[self->level[k] + i]
          = key != TSR_UNKNOWN ? index_of (self, least, k, at) : TSR_NO_INDEX;
    }
}

TsrPyramid *
tsr_pyramid_new (const gint64 *values, guint n)
{
  TsrPyramid *self = g_new0 (TsrPyramid, 1);
  gsize total = 0;

  g_assert (n < TSR_NO_INDEX);
  self->values = values;
  self->n = n;
  for (gsize length = n; length > 1;)
    {
      length = (length + FAN_OUT - 1) >> SHIFT;
      self->level[self->n_levels] = total;
      self->length[self->n_levels] = length;
      total += (length + FAN_OUT - 1) >> SHIFT << SHIFT; /* a group is a line of cache */
      self->n_levels++;
    }
  for (guint least = 0; least < G_N_ELEMENTS (self->extremes); least++)
    {
      self->extremes[least].keys
          = g_aligned_alloc (MAX (total, 1), sizeof (gint64), TSR_PYRAMID_ALIGNMENT);
      self->extremes[least].at = g_new (guint32, MAX (total, 1));
      self->extremes[least].ends = g_new0 (guint8, MAX (n + total, 1));
      for (guint k = 0; k < self->n_levels; k++)
        fill_level (self, least, k);
    }
  return self;
}

void
tsr_pyramid_free (TsrPyramid *self)
{
  if (self == NULL)
    return;
  for (guint least = 0; least < G_N_ELEMENTS (self->extremes); least++)
    {
      g_aligned_free (self->extremes[least].keys);
      g_free (self->extremes[least].at);
      g_free (self->extremes[least].ends);
    }
  g_free (self);
}

/* The best of what a query has looked at, at either end of the range. */
typedef struct
{
  guint32 left, right;
  gint64 left_key, right_key;
} Best;
#define NOTHING ((Best){ TSR_NO_INDEX, TSR_NO_INDEX, TSR_UNKNOWN, TSR_UNKNOWN })

/* The groups at both ends of [i, end), which are @one, in level @k. */
static inline __attribute__ ((always_inline)) void
visit (
    const TsrPyramid *self, gboolean least, guint k, gsize i, gsize end, gboolean one, Best *best)
{
  const guint8 *ends = ends_of (self, least, k);
  gsize at = one ? scan (self, least, k, i, end) : (i & ~(gsize)(FAN_OUT - 1)) + (ends[i] >> SHIFT);
  gint64 key = key_at (self, least, k, at);
  gboolean better = key > best->left_key;

  best->left = better ? index_of (self, least, k, at) : best->left;
  best->left_key = better ? key : best->left_key;
  if (one)
    return;
  at = ((end - 1) & ~(gsize)(FAN_OUT - 1)) + (ends[end - 1] & (FAN_OUT - 1));
  key = key_at (self, least, k, at);
  better = key >= best->right_key;
  best->right = better ? index_of (self, least, k, at) : best->right;
  best->right_key = better ? key : best->right_key;
}

/* (returns) the index; @key: its key. */
static inline __attribute__ ((always_inline)) guint32
get_best (const Best *best, gint64 *key)
{
  *key = MAX (best->left_key, best->right_key);
  if (best->right_key > best->left_key)
    return best->right;
  return best->left_key != TSR_UNKNOWN ? best->left : TSR_NO_INDEX;
}

/* Climbs from the values: at each level the groups of both ends are taken through their bytes, what
 * lies between them is left to the level above.  What is found at the left comes in ascending order
 * of index, at the right in descending order: so ties go to the lower one.  @largest, @least
 * (nullable): what is asked for; both take the same way. */
static inline __attribute__ ((always_inline)) void
climb (const TsrPyramid *self, guint from, guint to, Best *largest, Best *least)
{
  gsize i = from;
  gsize end = MIN (to, self->n);

  for (guint k = 0; i < end; k++)
    {
      gboolean one = i >> SHIFT == (end - 1) >> SHIFT;

      if (largest != NULL)
        visit (self, FALSE, k, i, end, one, largest);
      if (least != NULL)
        visit (self, TRUE, k, i, end, one, least);
      if (one)
        break;
      i = (i >> SHIFT) + 1;
      end = (end - 1) >> SHIFT;
    }
}

static inline __attribute__ ((always_inline)) guint32
query (const TsrPyramid *self, gboolean least, guint from, guint to, gint64 *key)
{
  Best best = NOTHING;

  climb (self, from, to, least ? NULL : &best, least ? &best : NULL);
  return get_best (&best, key);
}

guint
tsr_pyramid_get_argmax (const TsrPyramid *self, guint from, guint to)
{
  gint64 key;

  return query (self, FALSE, from, to, &key);
}

guint
tsr_pyramid_get_argmin (const TsrPyramid *self, guint from, guint to)
{
  gint64 key;

  return query (self, TRUE, from, to, &key);
}

/* Asks early for what a later query will look at, where one value is far from the next: values,
 * their group's bytes, and nodes of level 1. */
static inline __attribute__ ((always_inline)) void
prefetch (const TsrPyramid *self, gboolean least, guint i, guint n, const guint *to)
{
  const Extreme *extreme = &self->extremes[least];
  gsize last;

  if (i + AHEAD >= n || to[i + AHEAD] == 0)
    return;
  last = to[i + AHEAD] - 1;
  __builtin_prefetch (self->values + last);
  __builtin_prefetch (extreme->ends + last);
  __builtin_prefetch (extreme->keys + (last >> SHIFT));
  __builtin_prefetch (extreme->at + (last >> SHIFT));
  __builtin_prefetch (extreme->ends + self->n + (last >> SHIFT));
}

void
tsr_pyramid_list_max (const TsrPyramid *self,
                      guint n,
                      const guint *from,
                      const guint *to,
                      gint64 *max,
                      guint32 *argmax)
{
  if (argmax == NULL)
    for (guint i = 0; i < n; i++)
      {
        prefetch (self, FALSE, i, n, to);
        query (self, FALSE, from[i], to[i], &max[i]);
      }
  else
    for (guint i = 0; i < n; i++)
      {
        prefetch (self, FALSE, i, n, to);
        argmax[i] = query (self, FALSE, from[i], to[i], &max[i]);
      }
}

void
tsr_pyramid_list_range (const TsrPyramid *self,
                        guint n,
                        const guint *from,
                        const guint *to,
                        gint64 *max,
                        guint32 *argmax,
                        gint64 *min)
{
  for (guint i = 0; i < n; i++)
    {
      Best largest = NOTHING;
      Best least = NOTHING;
      gint64 key;

      prefetch (self, FALSE, i, n, to);
      prefetch (self, TRUE, i, n, to);
      climb (self, from[i], to[i], &largest, &least);
      argmax[i] = get_best (&largest, &max[i]);
      get_best (&least, &key);
      min[i] = key != TSR_UNKNOWN ? -key : TSR_UNKNOWN;
    }
}

gboolean
tsr_pyramid_get_range (const TsrPyramid *self, guint from, guint to, gint64 *min, gint64 *max)
{
  gint64 key;

  query (self, FALSE, from, to, max);
  query (self, TRUE, from, to, &key);
  if (key == TSR_UNKNOWN)
    return FALSE;
  *min = -key;
  return TRUE;
}

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

/* The first of the best in [from, to) of @level (0: the values), less than a group. */
static inline __attribute__ ((always_inline)) gsize
scan (const TsrPyramid *self, gboolean least, guint level, gsize from, gsize to)
{
  gint64 best = TSR_UNKNOWN;
  gsize at = from;

  for (gsize j = from; j < to; j++)
    {
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

/* Climbs from the values: at each level the groups of both ends are taken through their bytes, what
 * lies between them is left to the level above.  What is found at the left comes in ascending order
 * of index, at the right in descending order: so ties go to the lower one.  @best: the key. */
static inline __attribute__ ((always_inline)) guint32
query (const TsrPyramid *self, gboolean least, guint from, guint to, gint64 *best)
{
  guint32 left = TSR_NO_INDEX;
  guint32 right = TSR_NO_INDEX;
  gint64 left_key = TSR_UNKNOWN;
  gint64 right_key = TSR_UNKNOWN;
  gsize i = from;
  gsize end = MIN (to, self->n);

  for (guint k = 0; i < end; k++)
    {
      const guint8 *ends = ends_of (self, least, k);
      gsize group = i >> SHIFT;
      gsize end_group = (end - 1) >> SHIFT;
      gsize at = (i & ~(gsize)(FAN_OUT - 1)) + (ends[i] >> SHIFT);
      gint64 key;
      gboolean better;

      if (group == end_group)
        at = scan (self, least, k, i, end);
      key = key_at (self, least, k, at);
      better = key > left_key;
      left = better ? index_of (self, least, k, at) : left;
      left_key = better ? key : left_key;
      if (group == end_group)
        break;
      at = (end_group << SHIFT) + (ends[end - 1] & (FAN_OUT - 1));
      key = key_at (self, least, k, at);
      better = key >= right_key;
      right = better ? index_of (self, least, k, at) : right;
      right_key = better ? key : right_key;
      i = group + 1;
      end = end_group;
    }
  *best = MAX (left_key, right_key);
  if (right_key > left_key)
    return right;
  return left_key != TSR_UNKNOWN ? left : TSR_NO_INDEX;
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

/* Asks early for what a later query will look at first. */
static inline void
prefetch (const TsrPyramid *self, guint i, guint n, const guint *to)
{
  if (i + AHEAD < n)
    __builtin_prefetch (self->values + to[i + AHEAD] - 1);
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
        prefetch (self, i, n, to);
        query (self, FALSE, from[i], to[i], &max[i]);
      }
  else
    for (guint i = 0; i < n; i++)
      {
        prefetch (self, i, n, to);
        argmax[i] = query (self, FALSE, from[i], to[i], &max[i]);
      }
}

void
tsr_pyramid_list_min (
    const TsrPyramid *self, guint n, const guint *from, const guint *to, gint64 *min)
{
  for (guint i = 0; i < n; i++)
    {
      gint64 key;

      prefetch (self, i, n, to);
      query (self, TRUE, from[i], to[i], &key);
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

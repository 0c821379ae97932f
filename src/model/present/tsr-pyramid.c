/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A pyramid of extremes, implicit like a heap, fan-out 8:
 *
 *   level 2   [      node 0 covers values 0 .. 63       ] [ node 1 ...
 *   level 1   [ 0 .. 7 ][ 8 .. 15 ] ...      [ 56 .. 63 ] [ 64 .. 71 ] ...
 *   values    0 1 2 3 4 5 6 7 8 ...                        the caller's array, not copied
 *
 * Node i of level k covers values [i * 8^k, (i + 1) * 8^k), cut to n.  It holds the index of its
 * least and of its largest known value (lowest index on ties), TSR_NO_INDEX when it has none.
 * Levels above the values stand one after the other in `nodes`, level 1 first; the last one has one
 * node.
 *
 * Invariant: values[node.max] >= every known value under the node, and no known value with a lower
 * index equals it; likewise for min.
 *
 * A range query takes at most 7 nodes at each side of each level: O(8 log8 n), 84 looks at a
 * million values.  Building is O(n); memory n / 7 nodes of 8 bytes.  Indexes, not values, are kept:
 * a stack needs to know WHICH datum is the largest, and the value is one look away.  Keeping
 * the values as well was tried: four times the memory, no faster. */

#include "config.h"

#include "tsr-pyramid.h"

#define SHIFT      3
#define FAN_OUT    (1u << SHIFT)
#define MAX_LEVELS 12 /* 8^11 > 2^32 */

typedef struct
{
  guint32 min, max; /* indexes of values */
} Node;

struct _TsrPyramid
{
  const gint64 *values;
  guint n;
  guint n_levels;           /* above the values */
  gsize level[MAX_LEVELS];  /* [k]: where level k + 1 begins in nodes */
  gsize length[MAX_LEVELS]; /* [k]: nodes of level k + 1 */
  Node *nodes;
};

/* Candidates come in ascending order of index, or are compared by it: ties to the lower. */
static inline void
take_max (const gint64 *values, guint32 candidate, guint32 *best)
{
  if (candidate == TSR_NO_INDEX || values[candidate] == TSR_UNKNOWN)
    return;
  if (*best == TSR_NO_INDEX || values[candidate] > values[*best]
      || (values[candidate] == values[*best] && candidate < *best))
    *best = candidate;
}

static inline void
take_min (const gint64 *values, guint32 candidate, guint32 *best)
{
  if (candidate == TSR_NO_INDEX || values[candidate] == TSR_UNKNOWN)
    return;
  if (*best == TSR_NO_INDEX || values[candidate] < values[*best]
      || (values[candidate] == values[*best] && candidate < *best))
    *best = candidate;
}

static void
fill_level (TsrPyramid *self, guint k)
{
  Node *nodes = self->nodes + self->level[k];
  const Node *below = k > 0 ? self->nodes + self->level[k - 1] : NULL;
  gsize n_below = k > 0 ? self->length[k - 1] : self->n;

  for (gsize i = 0; i < self->length[k]; i++)
    {
      gsize end = MIN ((i + 1) << SHIFT, n_below);

      nodes[i].min = nodes[i].max = TSR_NO_INDEX;
      for (gsize j = i << SHIFT; j < end; j++)
        {
          take_min (self->values, below != NULL ? below[j].min : j, &nodes[i].min);
          take_max (self->values, below != NULL ? below[j].max : j, &nodes[i].max);
        }
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
      total += length;
      self->n_levels++;
    }
  self->nodes = g_new (Node, MAX (total, 1));
  for (guint k = 0; k < self->n_levels; k++)
    fill_level (self, k);
  return self;
}

void
tsr_pyramid_free (TsrPyramid *self)
{
  if (self == NULL)
    return;
  g_free (self->nodes);
  g_free (self);
}

/* Climbs from the values: at each level the ragged ends are taken one by one, the whole groups
 * between them are left to the level above.  Inlined for each of its callers, so that a query for
 * one extreme does not look for the other. */
static inline __attribute__ ((always_inline)) void
query (const TsrPyramid *self, guint from, guint to, guint32 *min, guint32 *max)
{
  const Node *nodes = NULL;
  gsize i = from;
  gsize end = MIN (to, self->n);

  for (guint k = 0; i < end; k++)
    {
      gboolean last = k == self->n_levels;
      gsize first_whole = last ? end : MIN ((i + FAN_OUT - 1) >> SHIFT << SHIFT, end);
      gsize end_whole = last ? end : MAX (end >> SHIFT << SHIFT, first_whole);

      for (gsize j = i; j < end; j++)
        {
          if (j == first_whole)
            j = end_whole;
          if (j >= end)
            break;
          if (min != NULL)
            take_min (self->values, nodes != NULL ? nodes[j].min : j, min);
          if (max != NULL)
            take_max (self->values, nodes != NULL ? nodes[j].max : j, max);
        }
      if (last)
        break;
      i = first_whole >> SHIFT;
      end = end_whole >> SHIFT;
      nodes = self->nodes + self->level[k];
    }
}

guint
tsr_pyramid_get_argmax (const TsrPyramid *self, guint from, guint to)
{
  guint32 max = TSR_NO_INDEX;

  query (self, from, to, NULL, &max);
  return max;
}

guint
tsr_pyramid_get_argmin (const TsrPyramid *self, guint from, guint to)
{
  guint32 min = TSR_NO_INDEX;

  query (self, from, to, &min, NULL);
  return min;
}

gboolean
tsr_pyramid_get_range (const TsrPyramid *self, guint from, guint to, gint64 *min, gint64 *max)
{
  guint32 least = TSR_NO_INDEX;
  guint32 largest = TSR_NO_INDEX;

  query (self, from, to, &least, &largest);
  if (largest == TSR_NO_INDEX)
    return FALSE;
  *min = self->values[least];
  *max = self->values[largest];
  return TRUE;
}

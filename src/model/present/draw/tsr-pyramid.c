/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A pyramid of extremes, three storeys high:
 *
 *   table    [k][b]: the best of blocks b .. b + 2^k - 1          256 values in a block
 *   spans    [g][k]: the best of groups g .. g + 2^k - 1,          16 values in a group
 *            within their block
 *   values   0 1 2 3 4 5 ...                                       the caller's array
 *
 * Each value has marks as well: where the best one is from the head of its group up to it and from
 * it to the group's tail (near), and the same for its block (far).  A range is then never more than
 * four looks: its ragged ends through the marks of its first and last value, what lies between them
 * as two runs of 2^k groups, or of blocks, that may overlap.  Only a range inside one group is gone
 * through value by value.
 *
 * Marks and spans are offsets, one byte each; a node of the table has the best value's key, which
 * is the value in an order in which more is better and TSR_UNKNOWN is worst, and its index.  Of
 * equal values the one with the lowest index is the best: the four looks are compared in ascending
 * order of index, and a later one has to be better.
 *
 * Where the values span less than 2^32, as a rule, queries look at a copy in 32 bits: half as many
 * lines of cache.
 *
 * A query is O(1), building O(n); memory 12 bytes a value: 6 for the marks, 4 for the copy, 1/2 for
 * the spans, log2 (n / 256) / 8 for the table, for both extremes together.  They stand side by
 * side: who asks for one asks for the other, as a rule.
 *
 * A frame's ranges are far apart, and all that the frame before has drawn went through the cache in
 * between: a query is as quick as the lines of cache that it waits for.  So lists ask for the marks
 * of a range long before its turn, and for the values that they tell when they are there.
 *
 * Tried before: a heap of fan-out 8 that is climbed from both ends, with marks at each level (as
 * many guesses of the processor as looks: twice the time); keys of groups instead of offsets to
 * values (fewer lines that depend on others, but more of them: no gain, more memory). */

#include "config.h"

#include "tsr-pyramid.h"

#define GROUP_SHIFT 4
#define GROUP_SIZE  (1u << GROUP_SHIFT)
#define BLOCK_SHIFT 8 /* an offset is a byte */
#define BLOCK_SIZE  (1u << BLOCK_SHIFT)
#define N_SPANS     (BLOCK_SHIFT - GROUP_SHIFT)
#define MAX_LEVELS  (32 - BLOCK_SHIFT)
#define MARKS_AHEAD 32 /* queries */
#define LOOKS_AHEAD 16

/* Each for the largest and for the least: what one asks for, the other does as well. */
enum
{
  LARGEST,
  LEAST,
  N_EXTREMES
};

typedef struct
{
  guint8 marks[N_EXTREMES]; /* offsets in the group: head | tail << GROUP_SHIFT */
} Near;

typedef struct
{
  guint8 head[N_EXTREMES], tail[N_EXTREMES]; /* offsets in the block */
} Far;

typedef struct
{
  guint8 offsets[N_SPANS][N_EXTREMES]; /* in the block */
} Spans;

typedef struct
{
  gint64 keys[N_EXTREMES];
  guint32 at[N_EXTREMES]; /* indexes of the values */
  guint64 unused;         /* half a line of cache */
} Node;

struct _TsrPyramid
{
  const gint64 *values;
  guint n;
  guint n_blocks;
  guint n_levels;          /* of the table */
  gsize level[MAX_LEVELS]; /* where each begins */
  guint32 *narrow;         /* (nullable) what the values are above base, 0: TSR_UNKNOWN */
  gint64 base;
  Near *near;
  Far *far;
  Spans *spans; /* of each group */
  Node *table;
};

/* What a look finds. */
typedef struct
{
  gint64 key;
  guint32 at;
} Best;

/* From the caller's array.  TSR_UNKNOWN is the one number that is its own opposite. */
static inline __attribute__ ((always_inline)) gint64
key_at (const TsrPyramid *self, guint least, guint32 at)
{
  gint64 value = self->values[at];

  return least ? (gint64)(0 - (guint64)value) : value;
}

/* From the copy. */
static inline __attribute__ ((always_inline)) gint64
narrow_key_at (const TsrPyramid *self, guint least, guint32 at)
{
  guint32 code = self->narrow[at];
  gint64 value = self->base + code;

  return code != 0 ? (least ? -value : value) : TSR_UNKNOWN;
}

static inline guint
log2_floor (guint n)
{
  return g_bit_storage (n) - 1;
}

/* --------------------------------------------------------------- building */

/* The marks of [from, to), a block: each the first of the best. */
static void
fill_marks (TsrPyramid *self, guint least, guint from, guint to)
{
  guint group = from;
  guint block = from;

  for (guint i = from; i < to; i++)
    {
      gint64 key = key_at (self, least, i);

      group = i % GROUP_SIZE == 0 || key > key_at (self, least, group) ? i : group;
      block = key > key_at (self, least, block) ? i : block;
      self->near[i].marks[least] = group % GROUP_SIZE;
      self->far[i].head[least] = block % BLOCK_SIZE;
    }
  group = block = to - 1;
  for (guint i = to; i-- > from;)
    {
      gint64 key = key_at (self, least, i);

      group = i % GROUP_SIZE == GROUP_SIZE - 1 || key >= key_at (self, least, group) ? i : group;
      block = key >= key_at (self, least, block) ? i : block;
      self->near[i].marks[least] |= group % GROUP_SIZE << GROUP_SHIFT;
      self->far[i].tail[least] = block % BLOCK_SIZE;
    }
}

/* The spans of the block [from, to); those that would reach beyond it are cut. */
static void
fill_spans (TsrPyramid *self, guint least, guint from, guint to)
{
  guint n = (to - from + GROUP_SIZE - 1) >> GROUP_SHIFT;
  Spans *spans = self->spans + (from >> GROUP_SHIFT);

  for (guint g = 0; g < n; g++)
    spans[g].offsets[0][least]
        = (g << GROUP_SHIFT) + (self->near[from + (g << GROUP_SHIFT)].marks[least] >> GROUP_SHIFT);
  for (guint k = 1; k < N_SPANS; k++)
    for (guint g = 0; g < n; g++)
      {
        guint next = g + (1u << (k - 1));
        guint8 left = spans[g].offsets[k - 1][least];
        guint8 right = next < n ? spans[next].offsets[k - 1][least] : left;

        spans[g].offsets[k][least]
            = key_at (self, least, from + right) > key_at (self, least, from + left) ? right : left;
      }
}

static void
fill_table (TsrPyramid *self, guint least)
{
  for (guint b = 0; b < self->n_blocks; b++)
    {
      guint head = b << BLOCK_SHIFT;
      guint32 at = head + self->far[head].tail[least];

      self->table[b].keys[least] = key_at (self, least, at);
      self->table[b].at[least] = at;
    }
  for (guint k = 1; k < self->n_levels; k++)
    {
      const Node *below = self->table + self->level[k - 1];
      Node *nodes = self->table + self->level[k];
      guint half = 1u << (k - 1);

      for (guint b = 0; b + 2 * half <= self->n_blocks; b++)
        {
          const Node *best
              = below[b + half].keys[least] > below[b].keys[least] ? &below[b + half] : &below[b];

          nodes[b].keys[least] = best->keys[least];
          nodes[b].at[least] = best->at[least];
        }
    }
}

/* When they fit. */
static void
fill_narrow (TsrPyramid *self)
{
  gint64 min;
  gint64 max;

  if (!tsr_pyramid_get_range (self, 0, self->n, &min, &max)
      || (guint64)max - (guint64)min >= G_MAXUINT32 || min == G_MININT64 + 1)
    return;
  self->base = min - 1;
  self->narrow = g_aligned_alloc (self->n, sizeof *self->narrow, TSR_PYRAMID_ALIGNMENT);
  for (guint i = 0; i < self->n; i++)
    self->narrow[i] = self->values[i] != TSR_UNKNOWN ? (guint32)(self->values[i] - self->base) : 0;
}

TsrPyramid *
tsr_pyramid_new (const gint64 *values, guint n)
{
  TsrPyramid *self = g_new0 (TsrPyramid, 1);
  gsize n_groups = ((gsize)n + GROUP_SIZE - 1) >> GROUP_SHIFT;
  gsize n_nodes = 0;

  g_assert (n < TSR_NO_INDEX);
  self->values = values;
  self->n = n;
  self->n_blocks = ((gsize)n + BLOCK_SIZE - 1) >> BLOCK_SHIFT;
  for (guint length = 1; length <= self->n_blocks; length *= 2)
    {
      self->level[self->n_levels++] = n_nodes;
      n_nodes += self->n_blocks - length + 1;
    }
  self->near = g_new (Near, MAX (n, 1));
  self->far = g_new (Far, MAX (n, 1));
  self->spans = g_new (Spans, MAX (n_groups, 1));
  self->table = g_aligned_alloc0 (MAX (n_nodes, 1), sizeof (Node), TSR_PYRAMID_ALIGNMENT);
  for (guint from = 0; from < n; from += MIN (BLOCK_SIZE, n - from))
    {
      guint to = from + MIN (BLOCK_SIZE, n - from);

      fill_marks (self, LARGEST, from, to);
      fill_marks (self, LEAST, from, to);
      fill_spans (self, LARGEST, from, to);
      fill_spans (self, LEAST, from, to);
    }
  fill_table (self, LARGEST);
  fill_table (self, LEAST);
  fill_narrow (self);
  return self;
}

void
tsr_pyramid_free (TsrPyramid *self)
{
  if (self == NULL)
    return;
  g_aligned_free (self->narrow);
  g_free (self->near);
  g_free (self->far);
  g_free (self->spans);
  g_aligned_free (self->table);
  g_free (self);
}

/* ---------------------------------------------------------------- queries */

/* @candidate when it is better. */
static inline __attribute__ ((always_inline)) Best
better_of (Best best, Best candidate)
{
  gboolean better = candidate.key > best.key;

  best.at = better ? candidate.at : best.at;
  best.key = better ? candidate.key : best.key;
  return best;
}

static inline __attribute__ ((always_inline)) Best
look (const TsrPyramid *self, gboolean narrow, guint least, guint32 at)
{
  return (Best){ narrow ? narrow_key_at (self, least, at) : key_at (self, least, at), at };
}

static inline __attribute__ ((always_inline)) Best
look_at (const Node *node, guint least)
{
  return (Best){ node->keys[least], node->at[least] };
}

/* What a range has in the groups, or blocks, of its ends. */
static inline __attribute__ ((always_inline)) guint32
get_near_left (const TsrPyramid *self, guint least, guint from)
{
  return (from & ~(GROUP_SIZE - 1)) + (self->near[from].marks[least] >> GROUP_SHIFT);
}

static inline __attribute__ ((always_inline)) guint32
get_near_right (const TsrPyramid *self, guint least, guint last)
{
  return (last & ~(GROUP_SIZE - 1)) + (self->near[last].marks[least] & (GROUP_SIZE - 1));
}

static inline __attribute__ ((always_inline)) guint32
get_far_left (const TsrPyramid *self, guint least, guint from)
{
  return (from & ~(BLOCK_SIZE - 1)) + self->far[from].tail[least];
}

static inline __attribute__ ((always_inline)) guint32
get_far_right (const TsrPyramid *self, guint least, guint last)
{
  return (last & ~(BLOCK_SIZE - 1)) + self->far[last].head[least];
}

static inline __attribute__ ((always_inline)) const Node *
get_nodes (const TsrPyramid *self, guint n_between, guint *length)
{
  guint k = log2_floor (n_between);

  *length = 1u << k;
  return self->table + self->level[k];
}

static inline __attribute__ ((always_inline)) Best
query_blocks (const TsrPyramid *self, gboolean narrow, guint least, guint from, guint last)
{
  guint first = from >> BLOCK_SHIFT;
  guint end = last >> BLOCK_SHIFT;
  Best best = look (self, narrow, least, get_far_left (self, least, from));

  if (end - first > 1)
    {
      guint length;
      const Node *nodes = get_nodes (self, end - first - 1, &length);

      best = better_of (best, look_at (&nodes[first + 1], least));
      best = better_of (best, look_at (&nodes[end - length], least));
    }
  return better_of (best, look (self, narrow, least, get_far_right (self, least, last)));
}

static inline __attribute__ ((always_inline)) Best
query_groups (const TsrPyramid *self, gboolean narrow, guint least, guint from, guint last)
{
  guint first = from >> GROUP_SHIFT;
  guint end = last >> GROUP_SHIFT;
  guint block = from & ~(BLOCK_SIZE - 1);
  Best best = look (self, narrow, least, get_near_left (self, least, from));

  if (end - first > 1)
    {
      guint k = log2_floor (end - first - 1);
      guint length = 1u << k;

      best = better_of (
          best, look (self, narrow, least, block + self->spans[first + 1].offsets[k][least]));
      best = better_of (
          best, look (self, narrow, least, block + self->spans[end - length].offsets[k][least]));
    }
  return better_of (best, look (self, narrow, least, get_near_right (self, least, last)));
}

/* The first of the best in [from, to), cut to [0, n); of none, TSR_UNKNOWN. */
static inline __attribute__ ((always_inline)) Best
query (const TsrPyramid *self, gboolean narrow, guint least, guint from, guint to)
{
  guint last = MIN (to, self->n) - 1;
  Best best;

  if (from >= MIN (to, self->n))
    return (Best){ TSR_UNKNOWN, TSR_NO_INDEX };
  if (from >> BLOCK_SHIFT != last >> BLOCK_SHIFT)
    return query_blocks (self, narrow, least, from, last);
  if (from >> GROUP_SHIFT != last >> GROUP_SHIFT)
    return query_groups (self, narrow, least, from, last);
  best = look (self, narrow, least, from);
  while (from < last)
    best = better_of (best, look (self, narrow, least, ++from));
  return best;
}

static inline guint32
get_index (Best best)
{
  return best.key != TSR_UNKNOWN ? best.at : TSR_NO_INDEX;
}

static inline gint64
get_least (Best best)
{
  return best.key != TSR_UNKNOWN ? -best.key : TSR_UNKNOWN;
}

guint
tsr_pyramid_get_argmax (const TsrPyramid *self, guint from, guint to)
{
  return get_index (query (self, self->narrow != NULL, LARGEST, from, to));
}

/* Asks early for the marks of a later query. */
static inline __attribute__ ((always_inline)) void
prefetch_marks (const TsrPyramid *self, guint from, guint to)
{
  guint last = MIN (to, self->n) - 1;

  if (from > last || last >= self->n)
    return;
  if (from >> BLOCK_SHIFT == last >> BLOCK_SHIFT)
    {
      __builtin_prefetch (self->near + last);
      __builtin_prefetch (self->spans + (last >> GROUP_SHIFT));
    }
  else
    {
      guint n_between = (last >> BLOCK_SHIFT) - (from >> BLOCK_SHIFT) - 1;

      __builtin_prefetch (self->far + last);
      if (n_between > 0)
        __builtin_prefetch (self->table + self->level[log2_floor (n_between)]
                            + (from >> BLOCK_SHIFT) + 1);
    }
}

static inline __attribute__ ((always_inline)) void
prefetch_value (const TsrPyramid *self, gboolean narrow, guint32 at)
{
  if (narrow)
    __builtin_prefetch (self->narrow + at);
  else
    __builtin_prefetch (self->values + at);
}

/* Then for the values that they tell. */
static inline __attribute__ ((always_inline)) void
prefetch_values (const TsrPyramid *self, gboolean narrow, guint least, guint from, guint to)
{
  guint last = MIN (to, self->n) - 1;
  guint first = from >> GROUP_SHIFT;
  guint end = last >> GROUP_SHIFT;

  if (from > last || last >= self->n)
    return;
  if (from >> BLOCK_SHIFT != last >> BLOCK_SHIFT)
    {
      prefetch_value (self, narrow, get_far_left (self, least, from));
      prefetch_value (self, narrow, get_far_right (self, least, last));
      return;
    }
  prefetch_value (self, narrow, get_near_left (self, least, from));
  prefetch_value (self, narrow, get_near_right (self, least, last));
  if (end - first > 1)
    {
      guint k = log2_floor (end - first - 1);
      guint block = from & ~(BLOCK_SIZE - 1);

      prefetch_value (self, narrow, block + self->spans[first + 1].offsets[k][least]);
      prefetch_value (self, narrow, block + self->spans[end - (1u << k)].offsets[k][least]);
    }
}

static inline __attribute__ ((always_inline)) void
prefetch (const TsrPyramid *self,
          gboolean narrow,
          gboolean both,
          guint i,
          guint n,
          const guint *from,
          const guint *to)
{
  if (i + MARKS_AHEAD < n)
    prefetch_marks (self, from[i + MARKS_AHEAD], to[i + MARKS_AHEAD]);
  if (i + LOOKS_AHEAD < n)
    {
      prefetch_values (self, narrow, LARGEST, from[i + LOOKS_AHEAD], to[i + LOOKS_AHEAD]);
      if (both)
        prefetch_values (self, narrow, LEAST, from[i + LOOKS_AHEAD], to[i + LOOKS_AHEAD]);
    }
}

static inline __attribute__ ((always_inline)) void
list_max (const TsrPyramid *self,
          gboolean narrow,
          guint n,
          const guint *from,
          const guint *to,
          gint64 *max,
          guint32 *argmax)
{
  for (guint i = 0; i < n; i++)
    {
      Best best;

      prefetch (self, narrow, FALSE, i, n, from, to);
      best = query (self, narrow, LARGEST, from[i], to[i]);
      max[i] = best.key;
      if (argmax != NULL)
        argmax[i] = get_index (best);
    }
}

void
tsr_pyramid_list_max (const TsrPyramid *self,
                      guint n,
                      const guint *from,
                      const guint *to,
                      gint64 *max,
                      guint32 *argmax)
{
  if (self->narrow != NULL)
    list_max (self, TRUE, n, from, to, max, argmax);
  else
    list_max (self, FALSE, n, from, to, max, argmax);
}

static inline __attribute__ ((always_inline)) void
list_range (const TsrPyramid *self,
            gboolean narrow,
            guint n,
            const guint *from,
            const guint *to,
            gint64 *max,
            guint32 *argmax,
            gint64 *min)
{
  for (guint i = 0; i < n; i++)
    {
      Best largest;

      prefetch (self, narrow, TRUE, i, n, from, to);
      largest = query (self, narrow, LARGEST, from[i], to[i]);
      max[i] = largest.key;
      argmax[i] = get_index (largest);
      min[i] = get_least (query (self, narrow, LEAST, from[i], to[i]));
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
  if (self->narrow != NULL)
    list_range (self, TRUE, n, from, to, max, argmax, min);
  else
    list_range (self, FALSE, n, from, to, max, argmax, min);
}

gboolean
tsr_pyramid_get_range (const TsrPyramid *self, guint from, guint to, gint64 *min, gint64 *max)
{
  Best largest = query (self, self->narrow != NULL, LARGEST, from, to);

  if (largest.key == TSR_UNKNOWN)
    return FALSE;
  *max = largest.key;
  *min = get_least (query (self, self->narrow != NULL, LEAST, from, to));
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums in which everything counts once, however many ways lead there: code.
 *
 * A program with one parent belongs to the tree that it stands in; one with several parents is the
 * head of a tree of its own, and so is a root.  In one tree, a head that several of its programs
 * lead to shall count once in each program that has one of them below it: it is added where it
 * occurs, and taken away at the lowest common ancestor of each two neighbouring occurrences, so the
 * sum over what is below any program has it exactly once.  What a head in turn leads to occurs with
 * it.  Trees are done in an order in which those that a tree leads to come first.  A vertex type is
 * a head with nothing below it.
 *
 * O((n + occurrences) log depth).  Occurrences are few unless thousands of functions call each
 * other from everywhere; beyond MAX_OCCURRENCES the sums of the trees that need them are unknown.
 */

#include "config.h"

#include "tsr-programs-private.h"

#define CANCEL_EVERY    65536
#define MAX_OCCURRENCES G_GUINT64_CONSTANT (1000000000)
#define MAX_KEPT        (1u << 26) /* 256 MiB of what heads lead to */

typedef struct
{
  __int128 value;
  gint64 unknown; /* how many unknown ones are in it */
} Sum;

/* What counts once: heads by their number, then vertex types. */
typedef struct
{
  Sum weight;
  guint32 tree, last; /* the tree where it occurred last, and the place there */
  gsize first, end;   /* of a head: all that it leads to, in Once.below, itself among them */
} Item;

typedef struct
{
  guint32 place, edge, program;
} Frame;

typedef struct
{
  const TsrPrograms *programs;
  const gint64 *weights;
  guint32 n_heads;
  guint32 *heads; /* by program: its number, or TSR_NO_INDEX */
  Item *items;
  GArray *below;   /* guint32: items */
  GArray *touched; /* guint32: items that occur in the tree */
  GArray *path;    /* Frame: from the tree's top to the program */
  Sum *sums;       /* by place in the tree */
  guint32 *parents;
  guint32 *at; /* program by place */
  guint32 tree, n;
  gboolean incomplete; /* something that the tree leads to is left out */
  guint64 n_occurrences;
} Once;

static void
sum_add (Sum *sum, const Sum *other, int sign)
{
  sum->value += sign * other->value;
  sum->unknown += sign * other->unknown;
}

static Sum
sum_of (gint64 value)
{
  if (value == TSR_UNKNOWN)
    return (Sum){ .unknown = TRUE };
  return (Sum){ .value = value };
}

static gint64
sum_get (const Sum *sum)
{
  return sum->unknown == 0 && sum->value <= G_MAXINT64 && sum->value > G_MININT64
             ? (gint64)sum->value
             : TSR_UNKNOWN;
}

/* The last one on the path that does not stand behind @place: they ascend. */
static guint32
find_common (const Once *once, guint32 place)
{
  guint low = 0, high = once->path->len;

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (once->path, Frame, middle).place <= place)
        low = middle;
      else
        high = middle;
    }
  return g_array_index (once->path, Frame, low).place;
}

/* @item occurs at the end of the path. */
static void
occur (Once *once, guint32 item, guint32 place)
{
  Item *of = &once->items[item];

  sum_add (&once->sums[place], &of->weight, 1);
  if (of->tree == once->tree)
    sum_add (&once->sums[find_common (once, of->last)], &of->weight, -1);
  else
    g_array_append_val (once->touched, item);
  of->tree = once->tree;
  of->last = place;
  once->n_occurrences++;
}

static void
occur_types (Once *once, guint32 program, guint32 place)
{
  const TsrProgramTables *t = once->programs->tables;
  guint32 set = t->program_compute_set[program];

  if (set == TSR_NO_INDEX)
    return;
  for (guint32 i = t->vertex_start[set]; i < t->vertex_start[set + 1]; i++)
    occur (once, once->n_heads + t->vertex_type[i], place);
}

static void
enter (Once *once, guint32 program, guint32 parent)
{
  guint32 place = once->n++;
  Frame frame = { place, once->programs->edge_start[program], program };

  once->parents[place] = parent;
  once->at[place] = program;
  once->sums[place] = sum_of (once->weights[program]);
  g_array_append_val (once->path, frame);
  occur_types (once, program, place);
}

static void
occur_head (Once *once, guint32 head, guint32 place)
{
  Item *item = &once->items[head];

  if (item->first == item->end || once->n_occurrences > MAX_OCCURRENCES)
    {
      once->sums[place].unknown += G_MAXINT32; /* nothing takes that away */
      once->incomplete = TRUE;
      return;
    }
  for (gsize i = item->first; i < item->end; i++)
    occur (once, g_array_index (once->below, guint32, i), place);
}

/* Keeps what the head's tree leads to. */
static void
keep_below (Once *once, guint32 head)
{
  Item *item = &once->items[head];
  Sum own = { 0 };

  for (guint32 i = 0; i < once->n; i++)
    {
      Sum one = sum_of (once->weights[once->at[i]]);

      sum_add (&own, &one, 1);
    }
  item->weight = own;
  item->first = item->end = once->below->len;
  if (once->incomplete || once->below->len + (gsize)once->touched->len >= MAX_KEPT)
    return;
  g_array_append_val (once->below, head);
  g_array_append_vals (once->below, once->touched->data, once->touched->len);
  item->end = once->below->len;
}

static void
add_tree (Once *once, guint32 top, gint64 *totals)
{
  const TsrPrograms *programs = once->programs;

  once->n = 0;
  once->tree++;
  once->incomplete = FALSE;
  g_array_set_size (once->touched, 0);
  enter (once, top, TSR_NO_INDEX);
  while (once->path->len > 0)
    {
      Frame *frame = &g_array_index (once->path, Frame, once->path->len - 1);
      guint32 edge = frame->edge++, child;

      if (edge == programs->edge_start[frame->program + 1])
        {
          g_array_set_size (once->path, once->path->len - 1);
          continue;
        }
      if (tsr_programs_is_cut (programs, edge))
        continue;
      child = programs->edge_child[edge];
      if (once->heads[child] != TSR_NO_INDEX)
        occur_head (once, once->heads[child], frame->place);
      else
        enter (once, child, frame->place);
    }
  for (guint32 i = once->n; i-- > 0;)
    {
      totals[once->at[i]] = sum_get (&once->sums[i]);
      if (once->parents[i] != TSR_NO_INDEX)
        sum_add (&once->sums[once->parents[i]], &once->sums[i], 1);
    }
  if (once->heads[top] != TSR_NO_INDEX)
    keep_below (once, once->heads[top]);
}

static void
once_init (Once *once, const TsrPrograms *self, const gint64 *weights, const gint64 *type_weights)
{
  guint32 n_types = self->tables->n_vertex_types;

  *once = (Once){ .programs = self, .weights = weights };
  once->heads = g_new (guint32, MAX (self->n, 1));
  for (guint32 p = 0; p < self->n; p++)
    once->heads[p] = self->n_parents[p] > 1 ? once->n_heads++ : TSR_NO_INDEX;
  once->items = g_new0 (Item, (gsize)once->n_heads + n_types + 1);
  for (guint32 i = 0; i < n_types; i++)
    once->items[once->n_heads + i].weight = sum_of (type_weights[i]);
  once->below = g_array_new (FALSE, FALSE, sizeof (guint32));
  once->touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  once->path = g_array_new (FALSE, FALSE, sizeof (Frame));
  once->sums = g_new (Sum, MAX (self->n, 1));
  once->parents = g_new (guint32, MAX (self->n, 1));
  once->at = g_new (guint32, MAX (self->n, 1));
}

static void
once_clear (Once *once)
{
  g_free (once->heads);
  g_free (once->items);
  g_array_unref (once->below);
  g_array_unref (once->touched);
  g_array_unref (once->path);
  g_free (once->sums);
  g_free (once->parents);
  g_free (once->at);
}

gint64 *
tsr_programs_sum_once (const TsrPrograms *self,
                       const gint64 *self_weights,
                       const gint64 *type_weights,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autofree gint64 *totals = NULL;
  gboolean cancelled = FALSE;
  guint64 done = 0;
  Once once;

  g_return_val_if_fail (self != NULL && self_weights != NULL && type_weights != NULL, NULL);
  totals = g_new (gint64, MAX (self->n, 1));
  once_init (&once, self, self_weights, type_weights);
  /* A program that leads to a tree stands behind its top in this order. */
  for (guint32 k = 0; k < self->n && !cancelled; k++)
    if (self->n_parents[self->order[k]] != 1)
      {
        add_tree (&once, self->order[k], totals);
        done += once.n;
        if (done + once.n_occurrences > CANCEL_EVERY)
          {
            done = 0;
            cancelled = g_cancellable_set_error_if_cancelled (cancellable, error);
          }
      }
  once_clear (&once);
  return cancelled ? NULL : g_steal_pointer (&totals);
}

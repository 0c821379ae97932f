/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Notches, and the cycles that they take away before each of them.
 *
 * A wait is long beside what is seen with it, so 1 % is of what the notches leave: what is folded
 * first, say the 99 % between two runs, must not keep the others.  A wait above that holds at least
 * one whole cell, so that cells are asked first (an IPU's sums answer in O(log n)) and only what is
 * idle there is followed to its ends.  A notch's length is a whole number: outside of notches,
 * positions are exact and come back to the same cycles. */

#include "config.h"

#include "tsr-trace-fold.h"

#include <math.h>
#include <string.h>

#define CELLS       2.56  /* in the shortest wait that is folded */
#define MOST_PASSES 64    /* each folds what the one before made long */
#define SHARE       0.01  /* of what is left: what a wait has to exceed */
#define NOTCH       0.024 /* of the folded length */
#define MOST_FOLDED 0.5   /* of the folded length that all notches together take */

typedef struct
{
  gint64 from, to;
  guint64 position, end; /* of the notch */
} Notch;

struct _TsrTraceFold
{
  gint64 from, to;
  guint64 length;
  guint64 notch; /* length of one */
  GArray *notches;
};

static guint64
distance (gint64 from, gint64 to)
{
  return (guint64)to - (guint64)from;
}

/* ------------------------------------------------------------------ waits */

typedef struct
{
  const TsrTrace *trace;
  const guint8 *ipus;
  guint32 hidden; /* types that are waits */
  guint latest;   /* the IPU that was busy last: asked first */
} Search;

static gboolean
is_ipu_idle (const Search *self, guint ipu, gint64 from, gint64 to)
{
  TsrTraceSums sums;
  guint n = tsr_trace_get_n_types (self->trace);

  tsr_trace_sum (self->trace, ipu, from, to, 0, &sums);
  for (guint t = 0; t < n; t++)
    if ((self->hidden & 1u << t) == 0 && sums.by_type[t] > 0)
      return FALSE;
  return TRUE;
}

/* No IPU does anything but wait for the host in [from, to). */
static gboolean
is_idle (Search *self, gint64 from, gint64 to)
{
  guint n = tsr_trace_get_n_ipus (self->trace);

  for (guint i = 0; i < n; i++)
    {
      guint ipu = (self->latest + i) % n;

      if ((self->ipus != NULL && !self->ipus[ipu]) || is_ipu_idle (self, ipu, from, to))
        continue;
      self->latest = ipu;
      return FALSE;
    }
  return TRUE;
}

/* The least begin >= @low of what is idle up to @at. */
static gint64
find_begin (Search *self, gint64 low, gint64 at)
{
  gint64 high = at;

  while (low < high)
    {
      gint64 middle = low + (gint64)(distance (low, high) / 2);

      if (is_idle (self, middle, at))
        high = middle;
      else
        low = middle + 1;
    }
  return high;
}

static gint64
find_end (Search *self, gint64 at, gint64 high)
{
  gint64 low = at;

  while (low < high)
    {
      gint64 middle = high - (gint64)(distance (low, high) / 2);

      if (is_idle (self, at, middle))
        low = middle;
      else
        high = middle - 1;
    }
  return low;
}

/* Where the cells of [from, to) are. */
typedef struct
{
  gint64 from, to;
  guint n;
} Cells;

static gint64
get_cell (const Cells *cells, guint cell)
{
  guint64 length = distance (cells->from, cells->to);

  return (gint64)((guint64)cells->from + length / cells->n * cell
                  + length % cells->n * cell / cells->n);
}

/* Adds the waits above @least of [from, to), in order. */
static void
find_waits (Search *search, gint64 from, gint64 to, double least, GArray *waits)
{
  double length = (double)distance (from, to);
  Cells cells = { from, to, 0 };

  if (!(length > least))
    return;
  cells.n = (guint)MAX (MIN (ceil (length / least * CELLS), length), 1);
  for (guint cell = 0; cell < cells.n;)
    {
      guint end = cell;
      Notch notch = { 0, 0, 0, 0 };

      while (end < cells.n && is_idle (search, get_cell (&cells, end), get_cell (&cells, end + 1)))
        end++;
      if (end > cell)
        {
          notch.from = find_begin (search, cell > 0 ? get_cell (&cells, cell - 1) : from,
                                   get_cell (&cells, cell));
          notch.to = find_end (search, get_cell (&cells, end),
                               end < cells.n ? get_cell (&cells, end + 1) : to);
          if ((double)distance (notch.from, notch.to) > least)
            g_array_append_val (waits, notch);
        }
      cell = end + 1;
    }
}

/* What the notches leave. */
static guint64
get_rest (const TsrTraceFold *self)
{
  guint64 rest = distance (self->from, self->to);

  for (guint i = 0; i < self->notches->len; i++)
    {
      const Notch *notch = &g_array_index (self->notches, Notch, i);

      rest -= distance (notch->from, notch->to);
    }
  return rest;
}

/* Looks between the notches for more of them; FALSE: there are none. */
static gboolean
add_waits (TsrTraceFold *self, Search *search)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Notch));
  double least = (double)get_rest (self) * SHARE;
  guint before = self->notches->len;
  gint64 from = self->from;

  for (guint i = 0; i < before; i++)
    {
      const Notch *notch = &g_array_index (self->notches, Notch, i);

      find_waits (search, from, notch->from, least, all);
      g_array_append_vals (all, notch, 1);
      from = notch->to;
    }
  find_waits (search, from, self->to, least, all);
  g_array_unref (self->notches);
  self->notches = all;
  return all->len > before;
}

static void
find_all_waits (TsrTraceFold *self, const TsrTrace *trace, const guint8 *ipus)
{
  Search search = { .trace = trace, .ipus = ipus };
  guint pass = 0;

  for (guint t = 0; t < tsr_trace_get_n_types (trace); t++)
    if (tsr_trace_get_type (trace, t)->group == TSR_STEP_GROUP_HOST)
      search.hidden |= 1u << t;
  while (pass < MOST_PASSES && add_waits (self, &search))
    pass++;
}

/* ------------------------------------------------------------------- fold */

/* Length of a notch, when those that are left are folded; 0: nothing else is there. */
static guint64
get_notch_length (const TsrTraceFold *self)
{
  double share = MIN (NOTCH, MOST_FOLDED / MAX (self->notches->len, 1));

  return (guint64)floor ((double)get_rest (self) * share / (1 - self->notches->len * share) + 0.5);
}

/* A wait that would not become shorter stays as it is. */
static void
drop_short (TsrTraceFold *self)
{
  for (gboolean any = TRUE; any && self->notches->len > 0;)
    {
      any = FALSE;
      self->notch = get_notch_length (self);
      for (guint i = self->notches->len; i-- > 0;)
        {
          const Notch *notch = &g_array_index (self->notches, Notch, i);

          if (self->notch >= 1 && distance (notch->from, notch->to) > self->notch)
            continue;
          g_array_remove_index (self->notches, i);
          any = TRUE;
        }
    }
}

TsrTraceFold *
tsr_trace_fold_new (
    const TsrTrace *trace, gint64 from, gint64 to, const guint8 *ipus, gboolean fold)
{
  TsrTraceFold *self = g_new0 (TsrTraceFold, 1);
  guint64 folded = 0;

  g_return_val_if_fail (trace != NULL, NULL);
  self->from = from;
  self->to = MAX (from, to);
  self->notches = g_array_new (FALSE, FALSE, sizeof (Notch));
  if (fold && from < to && tsr_trace_get_n_ipus (trace) > 0)
    find_all_waits (self, trace, ipus);
  drop_short (self);
  for (guint i = 0; i < self->notches->len; i++)
    {
      Notch *notch = &g_array_index (self->notches, Notch, i);

      notch->position = distance (self->from, notch->from) - folded;
      notch->end = notch->position + self->notch;
      folded += distance (notch->from, notch->to) - self->notch;
    }
  self->length = distance (self->from, self->to) - folded;
  return self;
}

void
tsr_trace_fold_free (TsrTraceFold *self)
{
  g_array_unref (self->notches);
  g_free (self);
}

/* -------------------------------------------------------------- positions */

guint
tsr_trace_fold_find_notch (const TsrTraceFold *self, gint64 cycles)
{
  guint low = 0;
  guint high = self->notches->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->notches, Notch, middle).to > cycles)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* Positions that cycles outside of notches have less than they would have without those before. */
static guint64
get_folded (const TsrTraceFold *self, guint notch)
{
  const Notch *before;

  if (notch == 0)
    return 0;
  before = &g_array_index (self->notches, Notch, notch - 1);
  return distance (self->from, before->to) - before->end;
}

double
tsr_trace_fold_get_position (const TsrTraceFold *self, gint64 cycles)
{
  const Notch *notch;
  guint i;

  if (cycles <= self->from)
    return 0;
  if (cycles >= self->to)
    return (double)self->length;
  i = tsr_trace_fold_find_notch (self, cycles);
  notch = i < self->notches->len ? &g_array_index (self->notches, Notch, i) : NULL;
  if (notch == NULL || cycles <= notch->from)
    return (double)(distance (self->from, cycles) - get_folded (self, i));
  return (double)notch->position
         + (double)distance (notch->from, cycles) / (double)distance (notch->from, notch->to)
               * (double)(notch->end - notch->position);
}

gint64
tsr_trace_fold_get_cycles (const TsrTraceFold *self, double position)
{
  const Notch *notch = NULL;
  guint64 cycles;
  guint low = 0;
  guint high = self->notches->len;

  if (!(position > 0))
    return self->from;
  if (position >= (double)self->length)
    return self->to;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if ((double)g_array_index (self->notches, Notch, middle).end > position)
        high = middle;
      else
        low = middle + 1;
    }
  if (low < self->notches->len)
    notch = &g_array_index (self->notches, Notch, low);
  if (notch != NULL && position > (double)notch->position)
    cycles
        = distance (self->from, notch->from)
          + (guint64)((position - (double)notch->position) / (double)(notch->end - notch->position)
                      * (double)distance (notch->from, notch->to));
  else
    cycles = (guint64)position + get_folded (self, low);
  return (gint64)((guint64)self->from + MIN (cycles, distance (self->from, self->to)));
}

double
tsr_trace_fold_get_length (const TsrTraceFold *self)
{
  return (double)self->length;
}

void
tsr_trace_fold_get_domain (const TsrTraceFold *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (self != NULL);
  *from = self->from;
  *to = self->to;
}

guint
tsr_trace_fold_get_n_notches (const TsrTraceFold *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->notches->len;
}

void
tsr_trace_fold_get_notch (const TsrTraceFold *self, guint i, gint64 *from, gint64 *to)
{
  g_return_if_fail (i < self->notches->len);
  *from = g_array_index (self->notches, Notch, i).from;
  *to = g_array_index (self->notches, Notch, i).to;
}

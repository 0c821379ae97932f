/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A pass over the items of each row: those that are a step itself, which a byte of each tells, are
 * looked up.  Every step is such an item of one row, so most rows have no bits at all. */

#include "config.h"

#include "tsr-trace-marks.h"

#include "tsr-trace-private.h"
#include "tsr-trace-span-private.h"

#include <string.h>

struct _TsrTraceMarks
{
  gatomicrefcount count;
  TsrTraceMatches *matches;
  TsrTraceShape shape;
  guint32 hidden;
  guint n_tracks;
  guint *first_row; /* [n_tracks + 1] into rows */
  guint64 **rows;   /* (nullable each) bits of positions */
  guint64 n;
  gint64 cycles;
  guint32 longest[TSR_TRACE_MARKS_LONGEST]; /* slices */
  guint n_longest;
};

typedef struct
{
  TsrTraceMarks *marks;
  const TsrTrace *trace;
  const TsrTraceLane *lane;
} Pass;

static inline gboolean
is_marked (const Pass *pass, guint32 slice)
{
  return !tsr_trace_is_hidden (pass->trace, slice, pass->marks->hidden)
         && tsr_trace_matches_has_slice (pass->marks->matches, pass->trace, slice);
}

/* Of the same length the first one that is found. */
static void
keep_longest (const Pass *pass, guint32 slice, guint64 cycles)
{
  TsrTraceMarks *self = pass->marks;
  guint at = self->n_longest;

  while (at > 0 && tsr_trace_cycles (pass->trace->tables, self->longest[at - 1]) < cycles)
    at--;
  if (at == TSR_TRACE_MARKS_LONGEST)
    return;
  self->n_longest = MIN (self->n_longest + 1, TSR_TRACE_MARKS_LONGEST);
  memmove (self->longest + at + 1, self->longest + at,
           (self->n_longest - 1 - at) * sizeof *self->longest);
  self->longest[at] = slice;
}

static void
count_slice (const Pass *pass, guint32 slice)
{
  guint64 cycles = tsr_trace_cycles (pass->trace->tables, slice);

  keep_longest (pass, slice, cycles);
  pass->marks->n++;
  pass->marks->cycles = tsr_span_add (pass->marks->cycles, (gint64)MIN (cycles, G_MAXINT64));
}

static void
mark (const Pass *pass, guint64 **bits, guint32 position)
{
  guint32 slice = tsr_trace_lane_slice (pass->lane, position);

  if (!is_marked (pass, slice))
    return;
  if (*bits == NULL)
    *bits = g_new0 (guint64, pass->lane->n / 64 + 1);
  (*bits)[position / 64] |= (guint64)1 << position % 64;
  count_slice (pass, slice);
}

static gboolean
add_flat (const Pass *pass, guint64 **bits, GCancellable *cancellable)
{
  for (gsize i = 0; i < pass->lane->n; i++)
    {
      if (tsr_span_is_cancelled (i, cancellable))
        return FALSE;
      mark (pass, bits, (guint32)i);
    }
  return TRUE;
}

/* The last part of the name of a single step, or what has none. */
static gboolean
is_step (const TsrTraceRow *row, TsrTraceKind kind)
{
  return kind.depth > 0 && kind.depth <= row->depth + 1;
}

static gboolean
add_row (const Pass *pass, const TsrTraceRowData *data, guint64 **bits, GCancellable *cancellable)
{
  guint8 step[TSR_TRACE_MAX_KINDS + 1]; /* 2: look */

  for (guint i = 0; i < data->n_known_kinds; i++)
    step[i] = is_step (&data->row, data->known_kinds[i]);
  step[TSR_TRACE_MAX_KINDS] = 2;
  for (gsize i = 0; i < data->row.n; i++)
    {
      guint8 is = step[data->kinds[i]];

      if (tsr_span_is_cancelled (i, cancellable))
        return FALSE;
      if (is == 2)
        is = is_step (&data->row, tsr_trace_get_kind (pass->trace, &data->row, i));
      if (is)
        mark (pass, bits, data->row.first[i]);
    }
  return TRUE;
}

static gboolean
add_track (TsrTraceMarks *self, const TsrTrace *trace, guint track, GCancellable *cancellable)
{
  const TsrTraceLane *lane = trace->tracks[track];
  const Pass pass = { self, trace, lane };
  guint64 **rows = self->rows + self->first_row[track];

  if (self->shape == TSR_TRACE_FLAT)
    return add_flat (&pass, rows, cancellable);
  for (guint depth = 0; depth < lane->n_flame; depth++)
    if (!add_row (&pass, &lane->flame[depth], rows + depth, cancellable))
      return FALSE;
  return TRUE;
}

/* Steps without a lane stand nowhere, but are selected. */
static void
add_strays (TsrTraceMarks *self, const TsrTrace *trace)
{
  const Pass pass = { self, trace, NULL };

  for (guint i = 0; i < trace->n_ipus; i++)
    for (gsize k = 0; k < trace->ipus[i].n_strays; k++)
      if (is_marked (&pass, trace->ipus[i].strays[k]))
        count_slice (&pass, trace->ipus[i].strays[k]);
}

TsrTraceMarks *
tsr_trace_marks_new (const TsrTrace *trace,
                     TsrTraceMatches *matches,
                     TsrTraceShape shape,
                     guint32 hidden,
                     GCancellable *cancellable)
{
  g_autoptr (TsrTraceMarks) self = g_new0 (TsrTraceMarks, 1);

  g_return_val_if_fail (trace != NULL && matches != NULL, NULL);
  g_atomic_ref_count_init (&self->count);
  self->matches = tsr_trace_matches_ref (matches);
  self->shape = shape;
  self->hidden = hidden;
  self->n_tracks = trace->n_tracks;
  self->first_row = g_new0 (guint, (gsize)trace->n_tracks + 1);
  for (guint i = 0; i < trace->n_tracks; i++)
    self->first_row[i + 1] = self->first_row[i] + tsr_trace_get_n_rows (trace, i, shape);
  self->rows = g_new0 (guint64 *, self->first_row[trace->n_tracks]);
  for (guint i = 0; i < trace->n_tracks; i++)
    if (!add_track (self, trace, i, cancellable))
      return NULL;
  add_strays (self, trace);
  return g_steal_pointer (&self);
}

TsrTraceMarks *
tsr_trace_marks_ref (TsrTraceMarks *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
tsr_trace_marks_unref (TsrTraceMarks *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->count))
    return;
  for (guint i = 0; i < self->first_row[self->n_tracks]; i++)
    g_free (self->rows[i]);
  g_free (self->rows);
  g_free (self->first_row);
  tsr_trace_matches_unref (self->matches);
  g_free (self);
}

gboolean
tsr_trace_marks_is_of (const TsrTraceMarks *self,
                       TsrTraceMatches *matches,
                       TsrTraceShape shape,
                       guint32 hidden)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->matches == matches && self->shape == shape && self->hidden == hidden;
}

guint64
tsr_trace_marks_get_n (const TsrTraceMarks *self, gint64 *cycles)
{
  g_return_val_if_fail (self != NULL, 0);
  if (cycles != NULL)
    *cycles = self->cycles;
  return self->n;
}

const guint32 *
tsr_trace_marks_peek_longest (const TsrTraceMarks *self, guint *n)
{
  g_return_val_if_fail (self != NULL && n != NULL, NULL);
  *n = self->n_longest;
  return self->longest;
}

static gboolean
has_bit (const guint64 *bits, guint32 first, guint32 end)
{
  guint32 word = first / 64;
  guint32 last = (end - 1) / 64;
  guint64 mask = ~(guint64)0 << first % 64;

  for (; word < last; word++, mask = ~(guint64)0)
    if ((bits[word] & mask) != 0)
      return TRUE;
  return (bits[word] & mask & ~(guint64)0 >> (63 - (end - 1) % 64)) != 0;
}

gboolean
tsr_trace_marks_has (
    const TsrTraceMarks *self, guint track, guint depth, guint32 first, guint32 end)
{
  guint from = self->first_row[track];
  guint to = self->first_row[track + 1];

  if (first >= end)
    return FALSE;
  if (depth != TSR_TRACE_ANY_DEPTH)
    {
      if (depth >= to - from)
        return FALSE;
      from += depth;
      to = from + 1;
    }
  for (guint row = from; row < to; row++)
    if (self->rows[row] != NULL && has_bit (self->rows[row], first, end))
      return TRUE;
  return FALSE;
}

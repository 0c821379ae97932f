/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The flame of a lane: rows of items, an item being neighbours that share the first parts of their
 * names.  One pass over the lane with the items that are open, at most one in each row; what does
 * not go on is closed and stands in its row's columns: 5 bytes an item where every item of the row
 * is one slice, else 9: what is in an item (types, rows of a single slice) is the number of a
 * combination, of which a row has few.
 *
 * Two neighbours share as many rows as their names have first parts in common; but two steps of the
 * very same name stay two in their last row, so that a step can be seen as one.  A step whose whole
 * name is the first part of a neighbour's ("conv" beside "conv/Pre") is an item of the row below
 * that, too: else what computes would not be seen beside what is exchanged for it.  Where a run
 * ends, all items do.  Copies that run while others compute have a lane of their own, in which
 * nothing happens between them: one item does not span a hole longer than the shorter of the two.
 */

#include "config.h"

#include "tsr-trace-private.h"

#include <string.h>

#define CHECK_MASK 0xffff

TsrFlameKind
tsr_trace_get_flame_kind (const TsrTrace *self, guint type, guint32 name)
{
  const TsrTraceNames *names = &self->names;

  if (type == self->copy_begin || type == self->start_up || type == self->transfer
      || type == self->copy_end)
    return TSR_FLAME_COPY;
  if (self->types[type].group == TSR_STEP_GROUP_SYNC
      && (name == TSR_NO_NAME || names->part_start[name + 1] - names->part_start[name] == 1))
    return TSR_FLAME_SYNC;
  return name == TSR_NO_NAME ? TSR_FLAME_BARE : TSR_FLAME_PATH;
}

guint
tsr_trace_get_flame_depth (const TsrTrace *self, TsrFlameKind kind, guint32 name)
{
  switch (kind)
    {
    case TSR_FLAME_PATH:
      return self->names.part_start[name + 1] - self->names.part_start[name];
    case TSR_FLAME_COPY:
      return 2;
    case TSR_FLAME_SYNC:
    case TSR_FLAME_BARE:
    default:
      return 1;
    }
}

/* A row that grows. */
typedef struct
{
  guint32 *first, *last; /* last is NULL while every item is one slice */
  guint8 *kinds;
  gsize n, capacity;
  TsrTraceKind known[TSR_TRACE_MAX_KINDS];
  guint n_known;
} Column;

/* An item that is open: how long each type took in it. */
typedef struct
{
  guint32 first;
  guint32 types; /* bits: which of cycles are in use */
  guint64 cycles[TSR_TRACE_MAX_TYPES];
} Open;

typedef struct
{
  TsrFlameKind kind;
  guint type;
  guint32 name, run;
  guint depth;
} Step;

typedef struct
{
  const TsrTrace *trace;
  const TsrTraceLane *lane;
  Column rows[TSR_TRACE_MAX_DEPTH + 1];
  Open open[TSR_TRACE_MAX_DEPTH];
  guint n_open;
  Step before;      /* the latest step that is no sync */
  guint32 position; /* of it */
  gboolean apart;   /* it has an item of its own below its last row */
} Sweep;

static void
grow (Column *column)
{
  column->capacity = MAX (64, column->capacity + column->capacity / 2);
  column->first = g_renew (guint32, column->first, column->capacity);
  column->kinds = g_renew (guint8, column->kinds, column->capacity);
  if (column->last != NULL)
    column->last = g_renew (guint32, column->last, column->capacity);
}

/* @depth: rows of the flame that the slice has. */
static TsrTraceKind
kind_of_slice (const Sweep *sweep, guint32 position, guint depth)
{
  guint8 type = sweep->trace->slice_type[tsr_trace_lane_slice (sweep->lane, position)];

  return (TsrTraceKind){ 1u << type, type, (guint8)depth };
}

/* TSR_TRACE_MAX_KINDS when there are too many. */
static guint8
number_kind (Column *column, TsrTraceKind kind)
{
  for (guint i = 0; i < column->n_known; i++)
    if (column->known[i].types == kind.types && column->known[i].type == kind.type
        && column->known[i].depth == kind.depth)
      return (guint8)i;
  if (column->n_known == TSR_TRACE_MAX_KINDS)
    return TSR_TRACE_MAX_KINDS;
  column->known[column->n_known] = kind;
  return (guint8)column->n_known++;
}

static void
append (Sweep *sweep, guint row, guint32 first, guint32 last, TsrTraceKind kind)
{
  Column *column = &sweep->rows[row];

  if (column->n == column->capacity)
    grow (column);
  if (column->last == NULL && last != first)
    {
      column->last = g_new (guint32, column->capacity);
      memcpy (column->last, column->first, column->n * sizeof (guint32));
    }
  column->first[column->n] = first;
  if (column->last != NULL)
    column->last[column->n] = last;
  column->kinds[column->n++] = number_kind (column, kind);
}

static TsrTraceKind
summarise (const Open *open)
{
  TsrTraceKind kind = { open->types, 0, 0 };
  guint64 most = 0;

  for (guint32 left = open->types; left != 0; left &= left - 1)
    {
      guint8 type = (guint8)__builtin_ctz (left);

      if (open->cycles[type] > most)
        {
          most = open->cycles[type];
          kind.type = type;
        }
    }
  return kind;
}

static inline void
add_cycles (Open *open, guint8 type, guint64 cycles)
{
  if ((open->types >> type) & 1)
    open->cycles[type] += cycles;
  else
    {
      open->types |= 1u << type;
      open->cycles[type] = cycles;
    }
}

/* Closes rows @depth and deeper; what was in them belongs to the row above as well. */
static void
close_to (Sweep *sweep, guint depth)
{
  while (sweep->n_open > depth)
    {
      guint row = --sweep->n_open;
      Open *open = &sweep->open[row];
      TsrTraceKind kind = summarise (open);

      if (open->first == sweep->position)
        kind.depth = (guint8)sweep->before.depth;
      append (sweep, row, open->first, sweep->position, kind);
      if (row > 0)
        for (guint32 left = open->types; left != 0; left &= left - 1)
          {
            guint8 type = (guint8)__builtin_ctz (left);

            add_cycles (&sweep->open[row - 1], type, open->cycles[type]);
          }
    }
}

/* Whether nothing happens in the lane for longer before @position than the step there, or the one
 * before the hole, takes. */
static gboolean
is_after_hole (const Sweep *sweep, guint32 position)
{
  const TsrExecutionTables *tables = sweep->trace->tables;
  guint32 before, slice;
  gint64 hole;

  if (position == 0)
    return FALSE;
  before = tsr_trace_lane_slice (sweep->lane, position - 1);
  slice = tsr_trace_lane_slice (sweep->lane, position);
  hole = tables->slice_start[slice] - tables->slice_end[before];
  return hole > tables->slice_end[before] - tables->slice_start[before]
         || hole > tables->slice_end[slice] - tables->slice_start[slice];
}

/* Rows in which two neighbours are one item. */
static guint
count_shared (const Sweep *sweep, const Step *a, const Step *b)
{
  const TsrTrace *self = sweep->trace;
  const TsrTraceNames *names = &self->names;
  const guint32 *x, *y;
  guint n, shared = 0;

  if (sweep->n_open == 0 || a->run != b->run || a->kind != b->kind)
    return 0;
  if (a->kind == TSR_FLAME_COPY)
    return a->name == b->name && a->type != self->copy_end && b->type != self->copy_begin
           && b->type != self->start_up;
  if (a->kind != TSR_FLAME_PATH)
    return 0;
  if (a->name == b->name)
    return a->depth - 1;
  x = names->part_node + names->part_start[a->name];
  y = names->part_node + names->part_start[b->name];
  n = MIN (a->depth, b->depth);
  while (shared < n && x[shared] == y[shared])
    shared++;
  return shared == a->depth && shared == b->depth ? shared - 1 : shared;
}

static Step
get_step (const Sweep *sweep, guint32 slice)
{
  const TsrTrace *self = sweep->trace;
  guint32 row = self->tables->slice_step[slice];
  Step step = { .type = self->slice_type[slice], .name = tsr_trace_step_name (self, row) };

  step.run = tsr_trace_step_run (self, row);
  step.kind = tsr_trace_get_flame_kind (self, step.type, step.name);
  step.depth = tsr_trace_get_flame_depth (self, step.kind, step.name);
  return step;
}

/* Syncs from @first on, before @end, below @depth rows that go on around them. */
static void
add_syncs (Sweep *sweep, guint32 first, guint32 end, guint depth)
{
  for (guint32 position = first; position < end; position++)
    {
      guint32 slice = tsr_trace_lane_slice (sweep->lane, position);

      append (sweep, MIN (depth, TSR_TRACE_MAX_DEPTH - 1), position, position,
              kind_of_slice (sweep, position, 1));
      if (depth > 0)
        add_cycles (&sweep->open[depth - 1], sweep->trace->slice_type[slice],
                    tsr_trace_cycles (sweep->trace->tables, slice));
    }
}

static void
add_step (Sweep *sweep, guint32 position, guint32 syncs, const Step *step)
{
  guint32 slice = tsr_trace_lane_slice (sweep->lane, position);
  guint shared = step->kind == TSR_FLAME_COPY && is_after_hole (sweep, position)
                     ? 0
                     : count_shared (sweep, &sweep->before, step);
  gboolean inside = shared > 0 && shared == step->depth;

  close_to (sweep, shared);
  if (shared > 0 && shared == sweep->before.depth && !sweep->apart)
    append (sweep, shared, sweep->position, sweep->position,
            kind_of_slice (sweep, sweep->position, sweep->before.depth));
  add_syncs (sweep, syncs, position, shared);
  if (inside)
    append (sweep, shared, position, position, kind_of_slice (sweep, position, step->depth));
  for (guint row = shared; row < step->depth; row++)
    {
      sweep->open[row].first = position;
      sweep->open[row].types = 0;
    }
  sweep->n_open = step->depth;
  add_cycles (&sweep->open[step->depth - 1], (guint8)step->type,
              tsr_trace_cycles (sweep->trace->tables, slice));
  sweep->before = *step;
  sweep->position = position;
  sweep->apart = inside;
}

static gboolean
sweep_lane (Sweep *sweep, GCancellable *cancellable)
{
  guint32 syncs = 0; /* those from here on have not been placed */

  for (guint32 position = 0; position < sweep->lane->n; position++)
    {
      Step step = get_step (sweep, tsr_trace_lane_slice (sweep->lane, position));

      if ((position & CHECK_MASK) == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      if (step.kind == TSR_FLAME_SYNC)
        continue;
      add_step (sweep, position, syncs, &step);
      syncs = position + 1;
    }
  close_to (sweep, 0);
  add_syncs (sweep, syncs, (guint32)sweep->lane->n, 0);
  return TRUE;
}

TsrTraceKind
tsr_trace_get_kind (const TsrTrace *self, const TsrTraceRow *row, gsize item)
{
  const TsrTraceRowData *data = (const TsrTraceRowData *)row;
  guint32 slice;
  TsrTraceKind kind;
  Open open = { 0 };

  if (data->kinds != NULL && data->kinds[item] < TSR_TRACE_MAX_KINDS)
    return data->known_kinds[data->kinds[item]];
  slice = tsr_trace_row_first_slice (row, item);
  if (data->kinds == NULL)
    return (TsrTraceKind){ 1u << self->slice_type[slice], self->slice_type[slice], 1 };
  for (gsize at = row->first[item]; at <= row->last[item]; at++)
    {
      slice = row->slices != NULL ? row->slices[at] : row->slice_base + (guint32)at;
      add_cycles (&open, self->slice_type[slice], tsr_trace_cycles (self->tables, slice));
    }
  kind = summarise (&open);
  if (row->first[item] == row->last[item])
    {
      guint32 name = tsr_trace_get_slice_name (self, slice);

      kind.depth = (guint8)tsr_trace_get_flame_depth (
          self, tsr_trace_get_flame_kind (self, kind.type, name), name);
    }
  return kind;
}

void
tsr_trace_get_kinds (const TsrTrace *self,
                     const TsrTraceRow *row,
                     guint n,
                     const guint32 *items,
                     TsrTraceKind *kinds)
{
  const TsrTraceRowData *data = (const TsrTraceRowData *)row;

  for (guint i = 0; data->kinds == NULL && i < n; i++)
    {
      guint8 type = self->slice_type[tsr_trace_row_first_slice (row, items[i])];

      kinds[i] = (TsrTraceKind){ 1u << type, type, 1 };
    }
  for (guint i = 0; data->kinds != NULL && i < n; i++)
    {
      guint8 number = data->kinds[items[i]];

      kinds[i] = G_LIKELY (number < TSR_TRACE_MAX_KINDS) ? data->known_kinds[number]
                                                         : tsr_trace_get_kind (self, row, items[i]);
    }
}

/* Names that all are deeper than they differ: a row that is the one above again costs nothing. */
static gboolean
share_row (TsrTraceRowData *row, TsrTraceRowData *above)
{
  gsize size = row->row.n * sizeof (guint32);

  if (row->row.n != above->row.n
      || (row->row.first == row->row.last) != (above->row.first == above->row.last)
      || memcmp (row->row.first, above->row.first, size) != 0
      || memcmp (row->row.last, above->row.last, size) != 0)
    return FALSE;
  tsr_trace_clear_row (row);
  *row = *above;
  row->shared = TRUE;
  row->row.depth++;
  return TRUE;
}

static void
take_row (TsrTrace *self, TsrTraceLane *lane, guint depth, Column *column)
{
  TsrTraceRowData *data = &lane->flame[depth];

  data->row.track = self->ipus[lane->track.ipu].first_track + lane->track.lane;
  data->row.depth = depth;
  data->row.n = column->n;
  data->row.first = g_renew (guint32, column->first, MAX (column->n, 1));
  data->row.last = data->row.first;
  if (column->last != NULL)
    data->row.last = g_renew (guint32, column->last, column->n);
  data->kinds = g_renew (guint8, column->kinds, MAX (column->n, 1));
  data->known_kinds = g_memdup2 (column->known, column->n_known * sizeof *column->known);
  data->n_known_kinds = column->n_known;
  column->first = column->last = NULL;
  column->kinds = NULL;
  if (depth > 0 && share_row (data, data - 1))
    {
      data->row.forest = &data->forest;
      return;
    }
  tsr_trace_init_row (self, lane, data);
}

gboolean
tsr_trace_init_flame (TsrTrace *self, TsrTraceLane *lane, GCancellable *cancellable)
{
  g_autofree Sweep *sweep = g_new0 (Sweep, 1);
  gboolean done;

  sweep->trace = self;
  sweep->lane = lane;
  done = sweep_lane (sweep, cancellable);
  for (guint depth = 0; done && depth < TSR_TRACE_MAX_DEPTH && sweep->rows[depth].n > 0; depth++)
    lane->n_flame = depth + 1;
  lane->flame = g_new0 (TsrTraceRowData, MAX (lane->n_flame, 1));
  for (guint depth = 0; depth < lane->n_flame; depth++)
    take_row (self, lane, depth, &sweep->rows[depth]);
  for (guint depth = 0; depth < G_N_ELEMENTS (sweep->rows); depth++)
    {
      g_free (sweep->rows[depth].first);
      g_free (sweep->rows[depth].last);
      g_free (sweep->rows[depth].kinds);
    }
  return done;
}

void
tsr_trace_clear_flame (TsrTraceLane *lane)
{
  for (guint depth = 0; lane->flame != NULL && depth < lane->n_flame; depth++)
    tsr_trace_clear_row (&lane->flame[depth]);
  g_clear_pointer (&lane->flame, g_free);
}

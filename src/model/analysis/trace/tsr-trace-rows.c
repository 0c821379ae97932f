/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of a lane: finding an item by time, the longest of a range, what an item is, and the item
 * that holds a slice.  An item's ends rise as its starts do, so all is binary search. */

#include "config.h"

#include "tsr-trace-private.h"

#include <string.h>

/* Starts of a lane, 32 positions a block: the first one's in full, each as a difference to it.  A
 * difference is cut to 14 bits, as many as the block's length leaves over, so that hardly any two
 * have the same; of those that have, the tables tell.  The two bits that are left say whether the
 * next slice starts where this one ends, later or (lanes tolerate a little of that) sooner.
 *
 * Ranks: the items that begin before a position are those before its word of 64 bits, and the bits
 * in it; those that end before it likewise. */

#define CHUNK     16 /* columns of which everybody's memory is asked for before any is looked at */
#define CODE_BITS 14
#define NEXT_BITS 2
typedef enum
{
  NEXT_AT_ONCE,
  NEXT_LATER,
  NEXT_SOONER,
} Next;

static inline guint
get_shift (const TsrTraceStarts *self, gsize block)
{
  guint64 length = (guint64)self->begins[block + 1] - (guint64)self->begins[block];
  guint bits = length > 0 ? 64 - (guint)__builtin_clzll (length) : 0;

  return bits > CODE_BITS ? bits - CODE_BITS : 0;
}

static Next
get_next (const TsrTraceRow *row, gsize position)
{
  gint64 end = tsr_trace_row_end (row, position);
  gint64 next;

  if (position + 1 >= row->n)
    return NEXT_LATER;
  next = tsr_trace_row_start (row, position + 1);
  return next == end ? NEXT_AT_ONCE : next > end ? NEXT_LATER : NEXT_SOONER;
}

/* @row: the flat one. */
static void
tsr_trace_starts_init (TsrTraceStarts *self, const TsrTraceRow *row)
{
  gsize n = (row->n + TSR_TRACE_STARTS_BLOCK - 1) / TSR_TRACE_STARTS_BLOCK;

  self->n_blocks = n;
  self->begins = g_new (gint64, n + 1);
  self->codes = g_new (guint16, MAX (row->n, 1));
  for (gsize block = 0; block < n; block++)
    self->begins[block] = tsr_trace_row_start (row, block * TSR_TRACE_STARTS_BLOCK);
  self->begins[n] = row->n > 0 ? tsr_trace_row_start (row, row->n - 1) + 1 : 0;
  for (gsize block = 0; block < n; block++)
    {
      guint shift = get_shift (self, block);
      gsize end = MIN ((block + 1) * TSR_TRACE_STARTS_BLOCK, row->n);

      for (gsize i = block * TSR_TRACE_STARTS_BLOCK; i < end; i++)
        {
          guint64 after = (guint64)tsr_trace_row_start (row, i) - (guint64)self->begins[block];

          self->codes[i] = (guint16)((after >> shift) << NEXT_BITS | get_next (row, i));
        }
    }
}

static void
tsr_trace_starts_clear (TsrTraceStarts *self)
{
  g_clear_pointer (&self->begins, g_free);
  g_clear_pointer (&self->codes, g_free);
  self->n_blocks = 0;
}

static gsize
tsr_trace_starts_get_size (const TsrTraceStarts *self)
{
  return self->begins != NULL
             ? self->n_blocks
                   * (sizeof *self->begins + TSR_TRACE_STARTS_BLOCK * sizeof *self->codes)
             : 0;
}

/* The last block that begins at @cycles or before, the first one when there is none.  Gallops from
 * @block on. */
static gsize
find_block (const TsrTraceStarts *self, gint64 cycles, gsize block)
{
  gsize low = 0;
  gsize high = self->n_blocks;
  gsize step = 1;

  /* Every block before low begins at or before cycles, none from high on. */
  if (block < high && self->begins[block] <= cycles)
    {
      low = block + 1;
      while (step < high - low && self->begins[low + step - 1] <= cycles)
        {
          low += step;
          step *= 2;
        }
      high = MIN (high, low + step);
    }
  else if (block < high)
    {
      high = block;
      while (high > step && self->begins[high - step] > cycles)
        {
          high -= step;
          step *= 2;
        }
      low = high > step ? high - step : 0;
    }
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (self->begins[middle] <= cycles)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? low - 1 : 0;
}

/* Number of positions of the row that start at @cycles or before, and whether the last of them does
 * so at @cycles. */
static gsize
count_started (
    const TsrTraceStarts *self, const TsrTraceRow *row, gint64 cycles, gsize block, gboolean *at)
{
  gsize first = block * TSR_TRACE_STARTS_BLOCK;
  gsize low = first;
  gsize high = MIN (first + TSR_TRACE_STARTS_BLOCK, row->n);
  guint shift = get_shift (self, block);
  guint64 after = (guint64)cycles - (guint64)self->begins[block];
  guint64 code;

  *at = FALSE;
  if (cycles < self->begins[block])
    return first;
  code = after >> shift;
  if (high == first + TSR_TRACE_STARTS_BLOCK)
    {
      /* Nobody can guess how this turns out: no branches. */
      for (guint half = TSR_TRACE_STARTS_BLOCK / 2; half > 0; half /= 2)
        low += (guint64)(self->codes[low + half - 1] >> NEXT_BITS) <= code ? half : 0;
      low += (guint64)(self->codes[low] >> NEXT_BITS) <= code;
    }
  else
    while (low < high)
      {
        gsize middle = low + (high - low) / 2;

        if ((guint64)(self->codes[middle] >> NEXT_BITS) <= code)
          low = middle + 1;
        else
          high = middle;
      }
  if (low == first || (guint64)(self->codes[low - 1] >> NEXT_BITS) != code)
    return low;
  if (shift == 0)
    {
      *at = TRUE;
      return low;
    }
  while (low > first && (guint64)(self->codes[low - 1] >> NEXT_BITS) == code
         && tsr_trace_row_start (row, low - 1) > cycles)
    low--;
  *at = low > first && tsr_trace_row_start (row, low - 1) == cycles;
  return low;
}

/* The first of the row that ends after @cycles, when @started of them have started by then. */
static gsize
find_going_on (const TsrTraceStarts *self, const TsrTraceRow *row, gint64 cycles, gsize started)
{
  const guint mask = (1u << NEXT_BITS) - 1;
  gsize first = started;

  if (first == 0
      || ((self->codes[first - 1] & mask) == NEXT_LATER
          && tsr_trace_row_end (row, first - 1) <= cycles))
    return first;
  first--;
  while (first > 0 && (self->codes[first - 1] & mask) == NEXT_SOONER
         && tsr_trace_row_end (row, first - 1) > cycles)
    first--;
  return first;
}

/* First position that ends after @cycles; looks near @hint first. */
static gsize
tsr_trace_starts_find (const TsrTraceStarts *self,
                       const TsrTraceRow *row,
                       gint64 cycles,
                       gsize hint)
{
  gsize block;
  gboolean at;

  if (row->n == 0)
    return 0;
  block = find_block (self, cycles, hint / TSR_TRACE_STARTS_BLOCK);
  return find_going_on (self, row, cycles, count_started (self, row, cycles, block, &at));
}

/* The blocks of some columns, what is needed of each on its way from memory.  On entry the last one
 * is that of the column before. */
static void
find_blocks (const TsrTraceStarts *self, guint n, const gint64 *from, gsize blocks[CHUNK])
{
  gsize block = blocks[CHUNK - 1];

  for (guint i = 0; i < n; i++)
    {
      blocks[i] = block = find_block (self, from[i], block);
      __builtin_prefetch (self->codes + block * TSR_TRACE_STARTS_BLOCK);
    }
}

void
tsr_trace_find_columns (const TsrTrace *self,
                        guint track,
                        guint n,
                        const gint64 *from,
                        const gint64 *to,
                        guint32 *first,
                        guint32 *end)
{
  const TsrTraceRowData *data;
  const TsrTraceRow *row;
  gsize blocks[CHUNK] = { 0 };

  g_return_if_fail (track < self->n_tracks && from != NULL && to != NULL);
  data = &self->tracks[track]->flat;
  row = &data->row;
  for (guint i = 0; i <= n; i++)
    {
      gboolean at = FALSE;
      gsize started = 0;

      if (i % CHUNK == 0)
        find_blocks (&data->starts, MIN (n + 1 - i, CHUNK), from + i, blocks);
      if (row->n > 0)
        started = count_started (&data->starts, row, from[i], blocks[i % CHUNK], &at);
      /* to[i - 1] is this column's begin, or one later. */
      if (i > 0)
        end[i - 1] = (guint32)(to[i - 1] == from[i] && at ? started - 1 : started);
      if (i < n)
        first[i] = (guint32)find_going_on (&data->starts, row, from[i], started);
    }
}

/* ------------------------------------------------------------------- ranks */

#define GOES_ON (1u << 31)

/* @n: positions of the lane. */
static void
tsr_trace_ranks_init (TsrTraceRanks *self, const TsrTraceRow *row, gsize n)
{
  guint32 count = 0;
  gboolean open = FALSE;

  if (n >= GOES_ON)
    return;
  self->n_words = n / 64 + 1;
  self->bits = g_new0 (guint64, 2 * self->n_words);
  self->counts = g_new (guint32, self->n_words);
  for (gsize i = 0; i < row->n; i++)
    {
      self->bits[2 * (row->first[i] / 64)] |= G_GUINT64_CONSTANT (1) << row->first[i] % 64;
      self->bits[2 * (row->last[i] / 64) + 1] |= G_GUINT64_CONSTANT (1) << row->last[i] % 64;
    }
  for (gsize word = 0; word < self->n_words; word++)
    {
      guint begins = (guint)__builtin_popcountll (self->bits[2 * word]);
      guint ends = (guint)__builtin_popcountll (self->bits[2 * word + 1]);

      self->counts[word] = open ? count | GOES_ON : count;
      count += begins;
      open = (guint)open + begins > ends;
    }
}

static void
tsr_trace_ranks_clear (TsrTraceRanks *self)
{
  g_clear_pointer (&self->bits, g_free);
  g_clear_pointer (&self->counts, g_free);
  self->n_words = 0;
}

static gsize
tsr_trace_ranks_get_size (const TsrTraceRanks *self)
{
  return self->n_words * (2 * sizeof *self->bits + sizeof *self->counts);
}

/* The processor's own instruction is not there on every one. */
static inline guint
count_bits (guint64 bits)
{
  bits -= bits >> 1 & G_GUINT64_CONSTANT (0x5555555555555555);
  bits = (bits & G_GUINT64_CONSTANT (0x3333333333333333))
         + (bits >> 2 & G_GUINT64_CONSTANT (0x3333333333333333));
  bits = (bits + (bits >> 4)) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f);
  return (guint)(bits * G_GUINT64_CONSTANT (0x0101010101010101) >> 56);
}

static inline guint64
below (guint32 position)
{
  return (G_GUINT64_CONSTANT (1) << position % 64) - 1;
}

/* Values of @n ascending ones that are below @limit. */
static gsize
count_below (const guint32 *values, gsize n, guint32 limit)
{
  gsize low = 0;

  while (low < n)
    {
      gsize middle = low + (n - low) / 2;

      if (values[middle] < limit)
        low = middle + 1;
      else
        n = middle;
    }
  return low;
}

/* Items of @row that hold a position of [first, end), or both of its neighbours when that is empty:
 * [*from, *to). */
static inline void
find_items (const TsrTraceRanks *self,
            const TsrTraceRow *row,
            guint32 first,
            guint32 end,
            gsize *from,
            gsize *to)
{
  guint32 count;

  if (G_UNLIKELY (self->bits == NULL))
    {
      *from = count_below (row->last, row->n, first);
      *to = count_below (row->first, row->n, end);
      return;
    }
  count = self->counts[first / 64];
  *from = (count & ~GOES_ON) - (count >= GOES_ON)
          + count_bits (self->bits[2 * (first / 64) + 1] & below (first));
  *to = (self->counts[end / 64] & ~GOES_ON) + count_bits (self->bits[2 * (end / 64)] & below (end));
}

/* ----------------------------------------------------------------- longest */

void
tsr_trace_longest_in_columns (const TsrTrace *self,
                              const TsrTraceRow *row,
                              guint n,
                              const guint32 *first,
                              const guint32 *end,
                              guint32 hidden,
                              guint32 *best)
{
  const TsrTraceRowData *data = (const TsrTraceRowData *)row;

  g_return_if_fail (self != NULL && row != NULL && best != NULL && first != NULL && end != NULL);
  for (guint i = 0; i < n; i++)
    {
      gsize from = first[i];
      gsize to = end[i];

      if (row->first != NULL)
        find_items (&data->ranks, row, first[i], end[i], &from, &to);
      if (from >= to)
        best[i] = G_MAXUINT32;
      else if (hidden == 0)
        best[i] = (guint32)tsr_trace_forest_longest (&data->forest, row, from, to);
      else
        best[i] = (guint32)tsr_trace_row_longest (self, row, from, to, hidden);
    }
}

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

#define CHECK_MASK 0xffff

static TsrFlameKind
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

static guint
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

void
tsr_trace_init_row (TsrTrace *self, const TsrTraceLane *lane, TsrTraceRowData *data)
{
  TsrTraceRow *row = &data->row;

  row->slices = lane->slices;
  row->slice_base = lane->base;
  row->start = self->tables->slice_start;
  row->end = self->tables->slice_end;
  tsr_trace_forest_init (&data->forest, row);
  row->forest = &data->forest;
  if (row->first == NULL)
    tsr_trace_starts_init (&data->starts, row);
  else
    tsr_trace_ranks_init (&data->ranks, row, lane->n);
}

void
tsr_trace_clear_row (TsrTraceRowData *data)
{
  if (!data->shared)
    {
      if (data->row.last != data->row.first)
        g_free ((gpointer)data->row.last);
      g_free ((gpointer)data->row.first);
      g_free (data->kinds);
      g_free (data->known_kinds);
      tsr_trace_forest_clear (&data->forest);
      tsr_trace_starts_clear (&data->starts);
      tsr_trace_ranks_clear (&data->ranks);
    }
  memset (data, 0, sizeof *data);
}

gsize
tsr_trace_get_row_size (const TsrTraceRowData *data)
{
  gsize size = sizeof *data;

  if (data->shared)
    return size;
  if (data->row.first != NULL)
    size += data->row.n * sizeof (guint32);
  if (data->row.last != data->row.first)
    size += data->row.n * sizeof (guint32);
  if (data->kinds != NULL)
    size += data->row.n + data->n_known_kinds * sizeof *data->known_kinds;
  return size + tsr_trace_forest_get_size (&data->forest, &data->row)
         + tsr_trace_starts_get_size (&data->starts) + tsr_trace_ranks_get_size (&data->ranks);
}

guint
tsr_trace_get_n_rows (const TsrTrace *self, guint track, TsrTraceShape shape)
{
  g_return_val_if_fail (track < self->n_tracks, 0);
  return shape == TSR_TRACE_FLAT ? 1 : self->tracks[track]->n_flame;
}

const TsrTraceRow *
tsr_trace_get_row (const TsrTrace *self, guint track, TsrTraceShape shape, guint depth)
{
  g_return_val_if_fail (track < self->n_tracks, NULL);
  g_return_val_if_fail (depth < tsr_trace_get_n_rows (self, track, shape), NULL);
  if (shape == TSR_TRACE_FLAT)
    return &self->tracks[track]->flat.row;
  return &self->tracks[track]->flame[depth].row;
}

gsize
tsr_trace_row_find (const TsrTraceRow *row, gint64 cycles, gsize hint)
{
  gsize low = 0;
  gsize high = row->n;

  if (row->first == NULL)
    return tsr_trace_starts_find (&((const TsrTraceRowData *)row)->starts, row, cycles, hint);
  if (hint < high)
    {
      gsize step = 1;

      if (tsr_trace_row_end (row, hint) > cycles)
        for (high = hint; high >= step && tsr_trace_row_end (row, high - step) > cycles; step *= 2)
          high -= step;
      else
        for (low = hint + 1;
             step <= high - low && tsr_trace_row_end (row, low + step - 1) <= cycles; step *= 2)
          low += step;
      if (low == 0)
        low = high >= step ? high - step : 0;
      else
        high = MIN (high, low + step);
    }
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (tsr_trace_row_end (row, middle) <= cycles)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* ---------------------------------------------------------------- the longest */

typedef struct
{
  const TsrTrace *trace;
  const TsrTraceRow *row;
  guint32 hidden;
} Visible;

/* A group is hidden when all that is in it is. */
static gboolean
is_visible (gsize item, gpointer data)
{
  const Visible *v = data;

  return (tsr_trace_get_kind (v->trace, v->row, item).types & ~v->hidden) != 0;
}

gsize
tsr_trace_row_longest (
    const TsrTrace *self, const TsrTraceRow *row, gsize first, gsize end, guint32 hidden)
{
  Visible visible = { self, row, hidden };

  if (hidden == 0)
    return tsr_trace_forest_longest (row->forest, row, first, end);
  return tsr_trace_forest_longest_of (row->forest, row, first, end, is_visible, &visible);
}

/* ---------------------------------------------------------------- what it is */

/* The name in full, and where its last part begins. */
static void
describe_slice (const TsrTrace *self, guint32 name, TsrTraceItem *out)
{
  const TsrTraceNames *names = &self->names;

  if (name == TSR_NO_NAME)
    return;
  out->path = names->text[name];
  out->path_length = names->length[name];
  out->label_from = names->part_from[names->part_start[name + 1] - 1];
}

/* Row @depth of the flame. */
static void
describe_part (const TsrTrace *self, guint32 name, guint depth, TsrTraceItem *out)
{
  const TsrTraceNames *names = &self->names;
  guint32 part = names->part_start[name] + depth;

  g_assert (part < names->part_start[name + 1]);
  out->path = names->text[name];
  out->path_length = names->part_to[part];
  out->label_from = names->part_from[part];
}

#define COPY_LENGTH 10 /* of "StreamCopy" */

void
tsr_trace_get_item (const TsrTrace *self, const TsrTraceRow *row, gsize item, TsrTraceItem *out)
{
  gboolean flame = row->first != NULL;
  TsrFlameKind kind;
  guint32 name;

  g_return_if_fail (self != NULL && item < row->n);
  memset (out, 0, sizeof *out);
  out->path = "";
  out->first_slice = tsr_trace_row_first_slice (row, item);
  out->last_slice = tsr_trace_row_last_slice (row, item);
  out->start = tsr_trace_row_start (row, item);
  out->end = tsr_trace_row_end (row, item);
  out->n_slices = flame ? row->last[item] - row->first[item] + 1 : 1;
  out->type = tsr_trace_get_kind (self, row, item).type;
  name = tsr_trace_get_slice_name (self, out->first_slice);
  if (!flame)
    {
      describe_slice (self, name, out);
      return;
    }
  kind = tsr_trace_get_flame_kind (self, self->slice_type[out->first_slice], name);
  if (kind == TSR_FLAME_COPY)
    {
      out->path = self->types[self->slice_type[out->first_slice]].name;
      out->path_length = row->depth == 0 ? COPY_LENGTH : (guint)strlen (out->path);
      out->label_from = row->depth == 0 ? 0 : COPY_LENGTH;
    }
  else if (kind == TSR_FLAME_PATH && row->depth < tsr_trace_get_flame_depth (self, kind, name))
    describe_part (self, name, row->depth, out);
  else
    describe_slice (self, name, out);
  out->group = out->n_slices > 1
               || (kind != TSR_FLAME_SYNC
                   && tsr_trace_get_flame_depth (self, kind, name) > row->depth + 1);
}

/* ------------------------------------------------------------ where a slice is */

/* Position of @slice in the lane, or G_MAXSIZE. */
static gsize
find_position (const TsrTraceLane *lane, guint32 slice)
{
  gsize low = 0;
  gsize high = lane->n;

  if (lane->slices == NULL)
    return slice >= lane->base && slice - lane->base < lane->n ? slice - lane->base : G_MAXSIZE;
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (lane->slices[middle] < slice)
        low = middle + 1;
      else
        high = middle;
    }
  return low < lane->n && lane->slices[low] == slice ? low : G_MAXSIZE;
}

static const TsrTraceLane *
find_lane (const TsrTrace *self, guint32 slice, gsize *position)
{
  guint ipu = tsr_trace_get_ipu_of (self, slice);

  for (guint i = 0; ipu < self->n_ipus && i < self->ipus[ipu].n_lanes; i++)
    {
      const TsrTraceLane *lane = &self->ipus[ipu].lanes[i];

      *position = find_position (lane, slice);
      if (*position != G_MAXSIZE)
        return lane;
    }
  return NULL;
}

guint
tsr_trace_get_lane_of (const TsrTrace *self, guint32 slice)
{
  gsize position;
  const TsrTraceLane *lane = find_lane (self, slice, &position);

  return lane != NULL ? lane->track.lane : G_MAXUINT;
}

gboolean
tsr_trace_locate (const TsrTrace *self,
                  guint32 slice,
                  TsrTraceShape shape,
                  guint depth,
                  guint *track,
                  gsize *item)
{
  gsize position = 0;
  const TsrTraceLane *lane = find_lane (self, slice, &position);
  const TsrTraceRow *row;
  gsize low = 0;
  gsize high;

  if (lane == NULL || depth >= (shape == TSR_TRACE_FLAT ? 1 : lane->n_flame))
    return FALSE;
  *track = self->ipus[lane->track.ipu].first_track + lane->track.lane;
  if (shape == TSR_TRACE_FLAT)
    {
      *item = position;
      return TRUE;
    }
  row = &lane->flame[depth].row;
  high = row->n;
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (row->last[middle] < position)
        low = middle + 1;
      else
        high = middle;
    }
  *item = low;
  return low < row->n && row->first[low] <= position;
}

guint
tsr_trace_get_ipu_of (const TsrTrace *self, guint32 slice)
{
  guint low = 0;
  guint high = self->n_ipus;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->tables->ipu_start[middle + 1] <= slice)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

guint32
tsr_trace_get_slice_name (const TsrTrace *self, guint32 slice)
{
  return tsr_trace_step_name (self, self->tables->slice_step[slice]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Starts of a lane, 32 positions a block: the first one's in full, each as a difference to it.  A
 * difference is cut to 14 bits, as many as the block's length leaves over, so that hardly any two
 * have the same; of those that have, the tables tell.  The two bits that are left say whether the
 * next slice starts where this one ends, later or (lanes tolerate a little of that) sooner.
 *
 * Ranks: the items that begin before a position are those before its word of 64 bits, and the bits
 * in it; those that end before it likewise. */

#include "config.h"

#include "tsr-trace-private.h"

#include <string.h>

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

void
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

void
tsr_trace_starts_clear (TsrTraceStarts *self)
{
  g_clear_pointer (&self->begins, g_free);
  g_clear_pointer (&self->codes, g_free);
  self->n_blocks = 0;
}

gsize
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

gsize
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

  g_return_if_fail (track < self->n_tracks);
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

void
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

void
tsr_trace_ranks_clear (TsrTraceRanks *self)
{
  g_clear_pointer (&self->bits, g_free);
  g_clear_pointer (&self->counts, g_free);
  self->n_words = 0;
}

gsize
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

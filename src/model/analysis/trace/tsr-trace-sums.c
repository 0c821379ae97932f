/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Figures of a span in O(log n).  With the slices of an IPU in order of start, let for a type
 *
 *   E[k] = greatest end of its first k slices,
 *   F[k] = sum of what each of them adds to the union: max (0, end - max (start, E before)).
 *
 * Then the union up to x is U(x) = F[k] - max (0, E[k] - x), k the number of slices that start
 * before x, for what reaches beyond x is [x, E).  A span [a, b) has U(b) - U(a).  Sums over slices
 * that are no unions (balance by cycles, how many there are) are prefix sums less what of them lies
 * beyond x, which the few slices that run at x tell: at most one in each lane.  Whatever a slice
 * does not tell is counted instead, and makes a sum over it unknown.
 *
 * A state is a few words for each group of slices (a type; copies of one kind).  Groups that have
 * many slices stand in blocks: all of their states before every 56th slice, side by side.  The
 * others have a list of their own slices with the state before each.  Products of cycles and
 * balances are exact: a balance counts in units of 2^-32, and sums have 128 bits. */

#include "config.h"

#include "tsr-trace-private.h"
#include "tsr-trace-span-private.h"

#include "tsr-column.h"

#include <math.h>
#include <string.h>

#define BLOCK      56
#define LINE       64 /* bytes that the processor fetches at once */
#define AHEAD      3  /* times whose blocks are fetched before they are read */
#define CHECK_MASK 0xffff

typedef TsrSpanWide Wide;

/* Groups: types, then bytes of copies of each kind and of global exchanges, compute, all. */
enum
{
  GROUP_BYTES = TSR_TRACE_MAX_TYPES,
  GROUP_GLOBAL = GROUP_BYTES + TSR_N_COPY_KINDS,
  GROUP_COMPUTE,
  GROUP_ALL,
  N_GROUPS,
};
G_STATIC_ASSERT (N_GROUPS == TSR_TRACE_N_GROUPS);

/* Words of a group's state. */
enum
{
  COVERED = 0, /* of a type: F */
  REACHED,     /* E */
  TYPE_WORDS,

  BYTES_IN = 0,
  BYTES_OUT,
  BYTES_UNTOLD_IN, /* slices that do not tell */
  BYTES_UNTOLD_OUT,
  BYTES_WORDS,

  CYCLES = 0,              /* of compute: Wide */
  TILE_BALANCE = 2,        /* Wide, cycles x 2^32 */
  ACTIVE_TILE_BALANCE = 4, /* Wide */
  UNTOLD_TILE_BALANCE = 6,
  UNTOLD_ACTIVE_TILE_BALANCE,
  COMPUTE_WORDS,

  COUNT = 0, /* of all: slices that took time */
  ALL_WORDS,

  STATE_WORDS = TSR_TRACE_MAX_TYPES * TYPE_WORDS + (TSR_N_COPY_KINDS + 1) * BYTES_WORDS
                + COMPUTE_WORDS + ALL_WORDS,
};

typedef struct
{
  gint64 words[STATE_WORDS];
} State;

static inline guint
words_of (guint group)
{
  return group < GROUP_BYTES      ? TYPE_WORDS
         : group < GROUP_COMPUTE  ? BYTES_WORDS
         : group == GROUP_COMPUTE ? COMPUTE_WORDS
                                  : ALL_WORDS;
}

static inline guint
place_of (guint group)
{
  if (group < GROUP_BYTES)
    return group * TYPE_WORDS;
  if (group < GROUP_COMPUTE)
    return TSR_TRACE_MAX_TYPES * TYPE_WORDS + (group - GROUP_BYTES) * BYTES_WORDS;
  return TSR_TRACE_MAX_TYPES * TYPE_WORDS + (TSR_N_COPY_KINDS + 1) * BYTES_WORDS
         + (group == GROUP_COMPUTE ? 0 : COMPUTE_WORDS);
}

static inline gint64 *
state_of (State *state, guint group)
{
  return state->words + place_of (group);
}

static void
init_state (State *state)
{
  memset (state, 0, sizeof *state);
  for (guint type = 0; type < TSR_TRACE_MAX_TYPES; type++)
    state_of (state, type)[REACHED] = G_MININT64;
}

static inline Wide
get_wide (const gint64 *words)
{
  Wide value;

  memcpy (&value, words, sizeof value);
  return value;
}

static inline void
add_wide (gint64 *words, Wide more)
{
  Wide value = get_wide (words) + more;

  memcpy (words, &value, sizeof value);
}

/* ----------------------------------------------------------- one slice more */

static inline void
add_covered (gint64 *words, gint64 start, gint64 end)
{
  if (end <= words[REACHED])
    return;
  words[COVERED]
      = (gint64)((guint64)words[COVERED] + (guint64)end - (guint64)MAX (start, words[REACHED]));
  words[REACHED] = end;
}

static void
add_balance (gint64 *words, const TsrExecutionTables *t, gsize slice, guint64 cycles)
{
  gint64 balance = tsr_span_quantise (t->slice_tile_balance[slice]);
  gint64 active = tsr_span_quantise (t->slice_active_tile_balance[slice]);

  add_wide (words + CYCLES, cycles);
  if (balance >= 0)
    add_wide (words + TILE_BALANCE, (Wide)cycles * balance);
  else
    words[UNTOLD_TILE_BALANCE]++;
  if (active >= 0)
    add_wide (words + ACTIVE_TILE_BALANCE, (Wide)cycles * active);
  else
    words[UNTOLD_ACTIVE_TILE_BALANCE]++;
}

/* A sum that does not fit is not known either. */
static void
add_bytes (gint64 *sum, gint64 *untold, gint64 bytes)
{
  gint64 more;

  if (bytes == TSR_UNKNOWN || __builtin_add_overflow (*sum, bytes, &more))
    (*untold)++;
  else
    *sum = more;
}

/* The group of copies that a slice of @type belongs to; N_GROUPS: none. */
static guint
bytes_group (const TsrTrace *self, guint8 type, gsize slice)
{
  if (type == self->global)
    return GROUP_GLOBAL;
  if (type != self->transfer)
    return N_GROUPS;
  return GROUP_BYTES + tsr_trace_get_copy_kind (self, (guint32)slice);
}

static void
add_slice (const TsrTrace *self, State *state, gsize slice, const gboolean *groups)
{
  const TsrExecutionTables *t = self->tables;
  guint8 type = self->slice_type[slice];
  gint64 start = t->slice_start[slice];
  gint64 end = t->slice_end[slice];

  if (end > start)
    {
      state_of (state, GROUP_ALL)[COUNT]++;
      if (groups == NULL || groups[type])
        add_covered (state_of (state, type), start, end);
      if (type == self->compute && (groups == NULL || groups[GROUP_COMPUTE]))
        add_balance (state_of (state, GROUP_COMPUTE), t, slice, (guint64)end - (guint64)start);
    }
  if (G_UNLIKELY (type == self->transfer || type == self->global))
    {
      guint group = bytes_group (self, type, slice);
      gint64 *words = state_of (state, group);

      if (groups != NULL && !groups[group])
        return;
      add_bytes (&words[BYTES_IN], &words[BYTES_UNTOLD_IN],
                 tsr_narrow_get (&t->slice_data_in, slice));
      add_bytes (&words[BYTES_OUT], &words[BYTES_UNTOLD_OUT],
                 tsr_narrow_get (&t->slice_data_out, slice));
    }
}

/* ------------------------------------------------------------------- build */

static void
count_groups (const TsrTrace *self, const TsrTraceIpu *ipu, gsize *counts)
{
  for (gsize i = ipu->first; i < ipu->told; i++)
    {
      guint8 type = self->slice_type[i];

      counts[type]++;
      if (type == self->transfer || type == self->global)
        counts[bytes_group (self, type, i)]++;
    }
  if (self->compute != TSR_TRACE_NO_TYPE)
    counts[GROUP_COMPUTE] = counts[self->compute];
}

/* Lists where they are smaller than words in every block. */
static void
choose_forms (TsrTraceSumTable *sums, const gsize *counts, gsize n)
{
  for (guint group = 0; group < N_GROUPS; group++)
    {
      TsrTraceSparse *sparse = &sums->sparse[group];
      gsize word = words_of (group) * sizeof (gint64);

      sums->dense[group]
          = group == GROUP_ALL || counts[group] * (word + sizeof (guint32)) > n / BLOCK * word;
      if (sums->dense[group])
        sums->n_words += words_of (group);
      else if (counts[group] > 0)
        {
          sparse->slices = g_new (guint32, counts[group]);
          sparse->states = g_malloc_n (counts[group] + 1, word);
          sums->size += counts[group] * (word + sizeof (guint32)) + word;
        }
    }
  sums->blocks = tsr_column_alloc ((n / BLOCK + 1) * sums->n_words, sizeof *sums->blocks);
  sums->n_blocks = (n + BLOCK - 1) / BLOCK;
  sums->starts = g_new (gint64, sums->n_blocks);
  sums->size += ((n / BLOCK + 1) * sums->n_words + sums->n_blocks) * sizeof (gint64);
}

static void
keep_block (TsrTraceSumTable *sums, State *state, gsize block)
{
  gint64 *to = sums->blocks + block * sums->n_words;

  for (guint group = 0; group < N_GROUPS; group++)
    if (sums->dense[group])
      {
        memcpy (to, state_of (state, group), words_of (group) * sizeof (gint64));
        to += words_of (group);
      }
}

static inline void
keep_sparse (TsrTraceSumTable *sums, State *state, guint group, gsize slice)
{
  TsrTraceSparse *sparse = &sums->sparse[group];
  guint n = words_of (group);

  if (sums->dense[group])
    return;
  memcpy (sparse->states + (gsize)sparse->n * n, state_of (state, group), n * sizeof (gint64));
  sparse->slices[sparse->n++] = (guint32)slice;
}

gboolean
tsr_trace_init_sums (TsrTrace *self, TsrTraceIpu *ipu, GCancellable *cancellable)
{
  TsrTraceSumTable *sums = &ipu->sums;
  gsize n = ipu->told - ipu->first;
  gsize counts[N_GROUPS] = { 0 };
  State state;

  init_state (&state);
  count_groups (self, ipu, counts);
  choose_forms (sums, counts, n);
  for (gsize i = 0; i < n; i++)
    {
      gsize slice = ipu->first + i;
      guint8 type = self->slice_type[slice];

      if (i % BLOCK == 0)
        {
          keep_block (sums, &state, i / BLOCK);
          sums->starts[i / BLOCK] = self->tables->slice_start[slice];
        }
      keep_sparse (sums, &state, type, slice);
      if (type == self->compute)
        keep_sparse (sums, &state, GROUP_COMPUTE, slice);
      else if (type == self->transfer || type == self->global)
        keep_sparse (sums, &state, bytes_group (self, type, slice), slice);
      add_slice (self, &state, slice, NULL);
      if ((i & CHECK_MASK) == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
    }
  if (n % BLOCK == 0)
    keep_block (sums, &state, n / BLOCK);
  for (guint group = 0; group < N_GROUPS; group++)
    if (sums->sparse[group].n > 0)
      memcpy (sums->sparse[group].states + (gsize)sums->sparse[group].n * words_of (group),
              state_of (&state, group), words_of (group) * sizeof (gint64));
  return TRUE;
}

void
tsr_trace_clear_sums (TsrTraceIpu *ipu)
{
  for (guint group = 0; group < N_GROUPS; group++)
    {
      g_free (ipu->sums.sparse[group].slices);
      g_free (ipu->sums.sparse[group].states);
    }
  g_clear_pointer (&ipu->sums.blocks, g_free);
  g_clear_pointer (&ipu->sums.starts, g_free);
}

/* ------------------------------------------------------------------- query */

/* Slices of the group before @slice, of which there are at least @least; near it they are found
 * at once. */
static guint32
count_before (const TsrTraceSparse *sparse, guint32 least, gsize slice)
{
  gsize low = least;
  gsize high = low;

  for (gsize step = 1; high < sparse->n && sparse->slices[high] < slice; step *= 2)
    {
      low = high + 1;
      high += step;
    }
  high = MIN (high, sparse->n);
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (sparse->slices[middle] < slice)
        low = middle + 1;
      else
        high = middle;
    }
  return (guint32)low;
}

/* The state before @slice. */
static void
get_state (const TsrTrace *self, const TsrTraceIpu *ipu, gsize slice, State *state)
{
  const TsrTraceSumTable *sums = &ipu->sums;
  gsize block = (slice - ipu->first) / BLOCK;
  const gint64 *from = sums->blocks + block * sums->n_words;

  init_state (state);
  for (guint group = 0; group < N_GROUPS; group++)
    {
      const TsrTraceSparse *sparse = &sums->sparse[group];
      gsize n = words_of (group);

      if (sums->dense[group])
        {
          memcpy (state_of (state, group), from, n * sizeof (gint64));
          from += n;
        }
      else if (sparse->n > 0)
        memcpy (state_of (state, group), sparse->states + count_before (sparse, 0, slice) * n,
                n * sizeof (gint64));
    }
  for (gsize i = ipu->first + block * BLOCK; i < slice; i++)
    add_slice (self, state, i, sums->dense);
}

/* Blocks that begin before @cycles, of which there are at least @low. */
static gsize
count_blocks (const TsrTraceSumTable *sums, gsize low, gint64 cycles)
{
  gsize high = low;

  for (gsize step = 1; high < sums->n_blocks && sums->starts[high] < cycles; step *= 2)
    {
      low = high + 1;
      high += step;
    }
  high = MIN (high, sums->n_blocks);
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (sums->starts[middle] < cycles)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Tells the processor that @block will be read: what takes the time is the way to the memory. */
static void
fetch_block (const TsrTrace *self, const TsrTraceIpu *ipu, gsize block)
{
  const TsrExecutionTables *t = self->tables;
  gsize first = ipu->first + block * BLOCK;
  gsize end = MIN (first + BLOCK / 2, ipu->told);

  for (gsize slice = first; slice < end; slice += LINE / sizeof (gint64))
    {
      __builtin_prefetch (&t->slice_start[slice]);
      __builtin_prefetch (&t->slice_end[slice]);
    }
  __builtin_prefetch (&self->slice_type[first]);
  __builtin_prefetch (ipu->sums.blocks + block * ipu->sums.n_words);
}

/* The states before @cycles, which lies in @block, of the types that stand in blocks; the first
 * slice that starts at it or later.  No branch depends on a slice but that one. */
static gsize
get_dense_types (const TsrTrace *self,
                 const TsrTraceIpu *ipu,
                 gsize block,
                 gint64 cycles,
                 gint64 (*words)[TYPE_WORDS])
{
  const TsrTraceSumTable *sums = &ipu->sums;
  const TsrExecutionTables *t = self->tables;
  const gint64 *from = sums->blocks + block * sums->n_words;
  gsize slice = ipu->first + block * BLOCK;
  gsize end = MIN (slice + BLOCK, ipu->told);

  for (guint type = 0; type < self->n_types; type++)
    {
      words[type][COVERED] = 0;
      words[type][REACHED] = G_MININT64;
      if (sums->dense[type])
        {
          memcpy (words[type], from, sizeof words[type]);
          from += TYPE_WORDS;
        }
    }
  for (; slice < end && t->slice_start[slice] < cycles; slice++)
    {
      gint64 *of = words[self->slice_type[slice]];
      gint64 begin = MAX (t->slice_start[slice], of[REACHED]);
      gint64 reached = MAX (t->slice_end[slice], of[REACHED]);

      of[COVERED] = (gint64)((guint64)of[COVERED] + (guint64)reached - (guint64)begin);
      of[REACHED] = reached;
    }
  return slice;
}

/* What the slices that run at a time have beyond it: start < cycles < end. */
typedef struct
{
  guint64 n, untold_tile_balance, untold_active_tile_balance;
  Wide cycles, tile_balance, active_tile_balance;
} Beyond;

/* What is known at one end of a span. */
typedef struct
{
  gint64 cycles;
  State state; /* of the slices that start before it */
  Beyond beyond;
} Edge;

static void
add_beyond (const TsrTrace *self, Beyond *beyond, guint32 slice, gint64 cycles)
{
  const TsrExecutionTables *t = self->tables;
  Wide rest = (Wide)t->slice_end[slice] - cycles;
  gint64 balance, active;

  beyond->n++;
  if (self->slice_type[slice] != self->compute)
    return;
  balance = tsr_span_quantise (t->slice_tile_balance[slice]);
  active = tsr_span_quantise (t->slice_active_tile_balance[slice]);
  beyond->cycles += rest;
  beyond->tile_balance += rest * MAX (balance, 0);
  beyond->active_tile_balance += rest * MAX (active, 0);
  beyond->untold_tile_balance += balance < 0;
  beyond->untold_active_tile_balance += active < 0;
}

static void
look_beyond (const TsrTrace *self, const TsrTraceIpu *ipu, gint64 cycles, Beyond *beyond)
{
  const TsrExecutionTables *t = self->tables;

  memset (beyond, 0, sizeof *beyond);
  for (guint i = 0; i < ipu->n_lanes; i++)
    {
      const TsrTraceRow *row = &ipu->lanes[i].flat.row;

      for (gsize item = tsr_trace_row_find (row, cycles, G_MAXSIZE);
           item < row->n && tsr_trace_row_start (row, item) < cycles; item++)
        add_beyond (self, beyond, tsr_trace_row_first_slice (row, item), cycles);
    }
  for (gsize i = 0; i < ipu->n_strays && t->slice_start[ipu->strays[i]] < cycles; i++)
    if (t->slice_end[ipu->strays[i]] > cycles)
      add_beyond (self, beyond, ipu->strays[i], cycles);
}

/* U of the comment above. */
static guint64
get_union (const gint64 *words, gint64 cycles)
{
  return (guint64)words[COVERED]
         - (words[REACHED] > cycles ? (guint64)words[REACHED] - (guint64)cycles : 0);
}

static gint64
add_up (gint64 a, guint64 b)
{
  gint64 sum;

  return b > G_MAXINT64 || __builtin_add_overflow (a, (gint64)b, &sum) ? G_MAXINT64 : sum;
}

static void
sum_types (const TsrTrace *self, Edge *begin, Edge *end, guint32 hidden, TsrTraceSums *sums)
{
  gint64 busy = 0;

  for (guint type = 0; type < self->n_types; type++)
    {
      guint64 cycles = get_union (state_of (&end->state, type), end->cycles)
                       - get_union (state_of (&begin->state, type), begin->cycles);

      sums->by_type[type] = (gint64)MIN (cycles, G_MAXINT64);
      if (self->types[type].start_up || ((hidden >> type) & 1))
        {
          sums->excluded = add_up (sums->excluded, cycles);
          continue;
        }
      sums->counted = add_up (sums->counted, cycles);
      if (tsr_step_group_is_useful (self->types[type].group))
        busy = add_up (busy, cycles);
    }
  if (sums->counted > 0)
    sums->utilisation = (double)busy / (double)sums->counted;
}

static void
sum_balance (
    State *before, State *after, const Beyond *at_begin, const Beyond *at_end, TsrTraceSums *sums)
{
  const gint64 *a = state_of (before, GROUP_COMPUTE);
  const gint64 *b = state_of (after, GROUP_COMPUTE);
  Wide cycles = get_wide (b + CYCLES) - at_end->cycles - get_wide (a + CYCLES) + at_begin->cycles;
  Wide tile = get_wide (b + TILE_BALANCE) - at_end->tile_balance - get_wide (a + TILE_BALANCE)
              + at_begin->tile_balance;
  Wide active = get_wide (b + ACTIVE_TILE_BALANCE) - at_end->active_tile_balance
                - get_wide (a + ACTIVE_TILE_BALANCE) + at_begin->active_tile_balance;
  guint64 no_tile
      = (guint64)(b[UNTOLD_TILE_BALANCE] - a[UNTOLD_TILE_BALANCE]) + at_begin->untold_tile_balance;
  guint64 no_active = (guint64)(b[UNTOLD_ACTIVE_TILE_BALANCE] - a[UNTOLD_ACTIVE_TILE_BALANCE])
                      + at_begin->untold_active_tile_balance;

  if (cycles > 0 && no_tile == 0)
    sums->tile_balance = (double)tile / (double)cycles / 4294967296.0;
  if (cycles > 0 && no_active == 0)
    sums->active_tile_balance = (double)active / (double)cycles / 4294967296.0;
  if (no_active > 0)
    sums->lost = TSR_UNKNOWN;
  else
    {
      Wide lost = cycles * TSR_SPAN_ONE - active;

      sums->lost = tsr_span_round (lost);
      if (sums->lost < G_MAXINT64)
        sums->lost_rest = (gint32)(lost - sums->lost * TSR_SPAN_ONE);
    }
}

static void
sum_bytes (State *before, State *after, guint group, gint64 *in, gint64 *out)
{
  const gint64 *a = state_of (before, group);
  const gint64 *b = state_of (after, group);

  *in = b[BYTES_UNTOLD_IN] > a[BYTES_UNTOLD_IN] ? TSR_UNKNOWN : b[BYTES_IN] - a[BYTES_IN];
  *out = b[BYTES_UNTOLD_OUT] > a[BYTES_UNTOLD_OUT] ? TSR_UNKNOWN : b[BYTES_OUT] - a[BYTES_OUT];
}

TsrCopyKind
tsr_trace_get_copy_kind (const TsrTrace *self, guint32 slice)
{
  guint32 step, program;

  g_return_val_if_fail (slice < self->n_slices, TSR_COPY_NOT_TOLD);
  step = self->tables->slice_step[slice];
  program = step < self->tables->n_steps ? self->tables->step_program[step] : TSR_NO_INDEX;
  if (self->programs == NULL || program >= self->programs->n_programs || self->copy_kind == NULL)
    return TSR_COPY_NOT_TOLD;
  return self->copy_kind[program];
}

static void
forget_sums (const TsrTrace *self, TsrTraceSums *sums)
{
  for (guint type = 0; type < self->n_types; type++)
    sums->by_type[type] = TSR_UNKNOWN;
  for (guint kind = 0; kind < TSR_N_COPY_KINDS; kind++)
    sums->copy_in[kind] = sums->copy_out[kind] = TSR_UNKNOWN;
  sums->global_in = sums->global_out = TSR_UNKNOWN;
  sums->counted = sums->excluded = sums->lost = TSR_UNKNOWN;
}

static void
init_sums (TsrTraceSums *sums, gint64 from, gint64 to)
{
  memset (sums, 0, sizeof *sums);
  sums->from = from;
  sums->to = to;
  sums->utilisation = sums->tile_balance = sums->active_tile_balance = NAN;
}

/* The figures of a span from what is known at its @begin and @end. */
static void
subtract (const TsrTrace *self, Edge *begin, Edge *end, guint32 hidden, TsrTraceSums *sums)
{
  State *before = &begin->state;
  State *after = &end->state;

  sum_types (self, begin, end, hidden, sums);
  if (self->compute != TSR_TRACE_NO_TYPE && !((hidden >> self->compute) & 1))
    sum_balance (before, after, &begin->beyond, &end->beyond, sums);
  sums->n_slices = state_of (after, GROUP_ALL)[COUNT] - state_of (before, GROUP_ALL)[COUNT]
                   + (gint64)begin->beyond.n;
  for (guint kind = 0; kind < TSR_N_COPY_KINDS; kind++)
    sum_bytes (before, after, GROUP_BYTES + kind, &sums->copy_in[kind], &sums->copy_out[kind]);
  sum_bytes (before, after, GROUP_GLOBAL, &sums->global_in, &sums->global_out);
}

static void
sum_span (
    const TsrTrace *self, const TsrTraceIpu *ipu, gint64 from, gint64 to, Edge *begin, Edge *end)
{
  gsize first = tsr_trace_lower_start (self->tables, ipu->first, ipu->told, from);
  gsize last = tsr_trace_lower_start (self->tables, first, ipu->told, to);

  begin->cycles = from;
  end->cycles = to;
  get_state (self, ipu, first, &begin->state);
  get_state (self, ipu, last, &end->state);
  look_beyond (self, ipu, from, &begin->beyond);
  look_beyond (self, ipu, to, &end->beyond);
}

void
tsr_trace_sum (
    const TsrTrace *self, guint ipu, gint64 from, gint64 to, guint32 hidden, TsrTraceSums *sums)
{
  Edge begin, end;

  init_sums (sums, from, to);
  g_return_if_fail (ipu < self->n_ipus);
  if (self->ipus[ipu].told == self->ipus[ipu].first)
    {
      forget_sums (self, sums);
      return;
    }
  if (from >= to)
    return;
  sum_span (self, &self->ipus[ipu], from, to, &begin, &end);
  subtract (self, &begin, &end, hidden, sums);
}

/* List by list, each from its begin to its end: what memory is best at. */
static void
count_sparse (const TsrTraceSparse *sparse,
              const gint64 *cycles,
              const gsize *slices,
              guint n,
              guint64 *unions,
              guint n_types)
{
  guint32 at = 0;

  for (guint i = 0; i < n; i++)
    {
      at = count_before (sparse, at, slices[i]);
      unions[(gsize)i * n_types] = get_union (sparse->states + (gsize)at * TYPE_WORDS, cycles[i]);
    }
}

/* Of each time the block that it lies in. */
static void
find_blocks (const TsrTraceSumTable *sums, const gint64 *cycles, guint n, gsize *places)
{
  gsize block = 0;

  for (guint i = 0; i < n; i++)
    {
      block = count_blocks (sums, block, cycles[i]);
      places[i] = block > 0 ? block - 1 : 0;
    }
}

void
tsr_trace_find_starts (
    const TsrTrace *self, guint ipu, const gint64 *cycles, guint n, gsize *slices)
{
  const gint64 *start;
  const TsrTraceIpu *of;

  g_return_if_fail (self != NULL && ipu < self->n_ipus);
  g_return_if_fail (n == 0 || (cycles != NULL && slices != NULL));
  of = &self->ipus[ipu];
  start = self->tables->slice_start;
  find_blocks (&of->sums, cycles, n, slices);
  for (guint i = 0; i < n; i++)
    {
      gsize first;

      if (i + AHEAD < n)
        for (gsize slice = of->first + slices[i + AHEAD] * BLOCK, k = 0; k < BLOCK;
             k += LINE / sizeof (gint64))
          __builtin_prefetch (&start[slice + k]);
      /* No branch depends on a slice. */
      first = of->first + slices[i] * BLOCK;
      for (gsize left = MIN (BLOCK, of->told - first); left > 0;)
        {
          gsize half = (left + 1) / 2;

          first += start[first + half - 1] < cycles[i] ? half : 0;
          left -= half;
        }
      slices[i] = first;
    }
}

void
tsr_trace_count_types (
    const TsrTrace *self, guint ipu, const gint64 *cycles, guint n, guint64 *unions)
{
  g_autofree gsize *places = NULL; /* blocks, then slices */
  const TsrTraceIpu *of;

  g_return_if_fail (self != NULL && ipu < self->n_ipus);
  if (self->n_types == 0)
    return;
  g_return_if_fail (n == 0 || (cycles != NULL && unions != NULL));
  of = &self->ipus[ipu];
  if (of->told == of->first)
    {
      memset (unions, 0, (gsize)n * self->n_types * sizeof *unions);
      return;
    }
  places = g_new (gsize, n);
  find_blocks (&of->sums, cycles, n, places);
  for (guint i = 0; i < n; i++)
    {
      gint64 words[TSR_TRACE_MAX_TYPES][TYPE_WORDS];

      if (i + AHEAD < n)
        fetch_block (self, of, places[i + AHEAD]);
      places[i] = get_dense_types (self, of, places[i], cycles[i], words);
      for (guint type = 0; type < self->n_types; type++)
        unions[(gsize)i * self->n_types + type] = get_union (words[type], cycles[i]);
    }
  for (guint type = 0; type < self->n_types; type++)
    if (of->sums.sparse[type].n > 0)
      count_sparse (&of->sums.sparse[type], cycles, places, n, unions + type, self->n_types);
}

static const TsrTraceExtent *
find_extent (const TsrTraceIpu *ipu, guint run)
{
  guint low = 0;
  guint high = ipu->extents->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (ipu->extents, TsrTraceExtent, middle).run < run)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == ipu->extents->len || g_array_index (ipu->extents, TsrTraceExtent, low).run != run)
    return NULL;
  return &g_array_index (ipu->extents, TsrTraceExtent, low);
}

/* One by one, where steps of other runs stand among those of this one. */
static void
pass_extent (const TsrTrace *self, const TsrTraceExtent *extent, gint64 cycles, Edge *edge)
{
  const TsrExecutionTables *t = self->tables;

  edge->cycles = cycles;
  init_state (&edge->state);
  memset (&edge->beyond, 0, sizeof edge->beyond);
  for (guint32 i = extent->first; i < extent->end && t->slice_start[i] < cycles; i++)
    {
      if (tsr_trace_step_run (self, t->slice_step[i]) != extent->run)
        continue;
      add_slice (self, &edge->state, i, NULL);
      if (t->slice_end[i] > cycles)
        add_beyond (self, &edge->beyond, i, cycles);
    }
}

void
tsr_trace_sum_run (const TsrTrace *self,
                   const TsrTraceRun *run,
                   guint ipu,
                   gint64 from,
                   gint64 to,
                   guint32 hidden,
                   TsrTraceSums *sums)
{
  const TsrTraceExtent *extent;
  Edge begin, end;

  if (run == NULL)
    {
      tsr_trace_sum (self, ipu, from, to, hidden, sums);
      return;
    }
  init_sums (sums, from, to);
  g_return_if_fail (ipu < self->n_ipus);
  g_return_if_fail (run >= self->runs && run < self->runs + self->tables->n_runs);
  extent = find_extent (&self->ipus[ipu], (guint)(run - self->runs));
  if (extent != NULL ? extent->n == 0 : self->ipus[ipu].told == self->ipus[ipu].first)
    forget_sums (self, sums);
  if (extent == NULL || extent->n == 0 || from >= to)
    return;
  if (extent->alone)
    {
      from = MAX (from, self->tables->slice_start[extent->first]);
      to = MIN (to, extent->reach);
      if (from < to)
        sum_span (self, &self->ipus[ipu], from, to, &begin, &end);
    }
  else
    {
      pass_extent (self, extent, from, &begin);
      pass_extent (self, extent, to, &end);
    }
  if (from < to)
    subtract (self, &begin, &end, hidden, sums);
}

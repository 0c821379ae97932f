/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What lies in columns of time: which positions of a lane, and which items of a flame's row those
 * positions are.  Both answer for all columns of a chart from left to right, so that memory is read
 * in order; neither looks at the times of slices, which lie apart, but where they must.
 * Immutable after _init. */

#pragma once

#include "tsr-trace.h"

G_BEGIN_DECLS

#define TSR_TRACE_STARTS_BLOCK 32

/* Where the slices of a lane start: 2.25 bytes a position. */
typedef struct
{
  gsize n_blocks;
  gint64 *begins; /* n_blocks + 1: start of the first position of each; one after the last start */
  guint16 *codes; /* by position: start within the block, as 14 bits of it, and what follows */
} TsrTraceStarts;

/* @row: the flat one. */
void tsr_trace_starts_init (TsrTraceStarts *self, const TsrTraceRow *row);
void tsr_trace_starts_clear (TsrTraceStarts *self);
gsize tsr_trace_starts_get_size (const TsrTraceStarts *self); /* bytes */
/* First position that ends after @cycles; looks near @hint first. */
gsize tsr_trace_starts_find (const TsrTraceStarts *self,
                             const TsrTraceRow *row,
                             gint64 cycles,
                             gsize hint);

/* Positions to items of a flame's row, as bits of where items begin and end: 5/16 byte a position.
 */
typedef struct
{
  gsize n_words;
  guint64 *bits;   /* of word i: begins at 2 i, ends at 2 i + 1; NULL: none, search */
  guint32 *counts; /* n_words: items that begin before the word; top bit: the last one goes on */
} TsrTraceRanks;

/* @n: positions of the lane. */
void tsr_trace_ranks_init (TsrTraceRanks *self, const TsrTraceRow *row, gsize n);
void tsr_trace_ranks_clear (TsrTraceRanks *self);
gsize tsr_trace_ranks_get_size (const TsrTraceRanks *self);

G_END_DECLS

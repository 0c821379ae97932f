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

/* Positions to items of a flame's row, as bits of where items begin and end: 5/16 byte a position.
 */
typedef struct
{
  gsize n_words;
  guint64 *bits;   /* of word i: begins at 2 i, ends at 2 i + 1; NULL: none, search */
  guint32 *counts; /* n_words: items that begin before the word; top bit: the last one goes on */
} TsrTraceRanks;

G_END_DECLS

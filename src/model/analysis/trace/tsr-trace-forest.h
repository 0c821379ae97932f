/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the longest item in a range of a row: a segment forest over blocks of 32 items, half a byte
 * an item, and the lengths of items, two bytes each where few are long.  Immutable after _init. */

#pragma once

#include "tsr-trace.h"

G_BEGIN_DECLS

#define TSR_TRACE_FOREST_BLOCK 32

typedef struct
{
  guint32 item;   /* the longest, the first of equals */
  guint32 length; /* cycles; G_MAXUINT32: that many or more, the row tells */
} TsrTraceForestNode;

typedef struct
{
  gsize n_blocks;            /* whole ones: what is left over is looked at item by item */
  TsrTraceForestNode *nodes; /* 2 * n_blocks */
  /* Of each item, one of the two: times of items lie in up to six places. */
  guint16 *short_lengths; /* G_MAXUINT16: that many or more, the row tells */
  guint32 *lengths;       /* as in nodes */
} TsrTraceForest;

void tsr_trace_forest_init (TsrTraceForest *self, const TsrTraceRow *row);
void tsr_trace_forest_clear (TsrTraceForest *self);
gsize tsr_trace_forest_get_size (const TsrTraceForest *self, const TsrTraceRow *row); /* bytes */

/* The longest of items [first, end) of @row, the first of equals; G_MAXSIZE when there is none. */
gsize tsr_trace_forest_longest (const TsrTraceForest *self,
                                const TsrTraceRow *row,
                                gsize first,
                                gsize end);
/* The longest of those that @visible lets through. */
typedef gboolean (*TsrTraceItemFunc) (gsize item, gpointer data);
gsize tsr_trace_forest_longest_of (const TsrTraceForest *self,
                                   const TsrTraceRow *row,
                                   gsize first,
                                   gsize end,
                                   TsrTraceItemFunc visible,
                                   gpointer data);

G_END_DECLS

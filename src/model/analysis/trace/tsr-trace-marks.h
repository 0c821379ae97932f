/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the steps of a selection stand in the rows of a trace, so that a pixel knows whether one of
 * them lies in it: a bit for each position of a lane, in each row in which one of them stands (all
 * of a flat lane, the last part of a name in the flame).  Immutable after _new; any thread. */

#pragma once

#include "tsr-trace.h"

G_BEGIN_DECLS

typedef struct _TsrTraceMarks TsrTraceMarks;

/* Steps that match, took time and are not of a @hidden type (mask).  Keeps @matches; @trace must
 * outlive it.  10^7 slices take some tens of milliseconds: for a worker.  NULL: cancelled. */
TsrTraceMarks *tsr_trace_marks_new (const TsrTrace *trace,
                                    TsrTraceMatches *matches,
                                    TsrTraceShape shape,
                                    guint32 hidden,
                                    GCancellable *cancellable);
TsrTraceMarks *tsr_trace_marks_ref (TsrTraceMarks *self);
void tsr_trace_marks_unref (TsrTraceMarks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTraceMarks, tsr_trace_marks_unref)

/* Whether they were made of these. */
gboolean tsr_trace_marks_is_of (const TsrTraceMarks *self,
                                TsrTraceMatches *matches,
                                TsrTraceShape shape,
                                guint32 hidden);
/* Steps on all IPUs, each on each IPU by itself, and the sum of their cycles (all of each). */
guint64 tsr_trace_marks_get_n (const TsrTraceMarks *self, gint64 *cycles);
/* (transfer none): of these steps the longest, slices, the longest first; at most
 * TSR_TRACE_MARKS_LONGEST. */
#define TSR_TRACE_MARKS_LONGEST 8
const guint32 *tsr_trace_marks_peek_longest (const TsrTraceMarks *self, guint *n);
/* Whether one of positions [first, end) of @track is marked in the row @depth of the shape; in any
 * of its rows with TSR_TRACE_ANY_DEPTH. */
#define TSR_TRACE_ANY_DEPTH G_MAXUINT
gboolean tsr_trace_marks_has (
    const TsrTraceMarks *self, guint track, guint depth, guint32 first, guint32 end);

G_END_DECLS

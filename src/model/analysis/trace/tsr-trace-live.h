/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Live memory while the trace runs: which liveness steps an execution step may be, and the bytes
 * that are not always live on an IPU meanwhile.  Definition:
 * docs/formulas.md#live-memory-of-a-step. Immutable after _new, shared by reference between
 * threads.  About 3 bytes a slice. */

#pragma once

#include "tsr-liveness.h"
#include "tsr-trace.h"

G_BEGIN_DECLS

typedef struct _TsrTraceLive TsrTraceLive;

/* O(steps log steps + slices), for a worker.  NULL and @error: cancelled, or TSR_ERROR_MISSING_PART
 * when no IPU's liveness is recorded or no step executes a program that has any. */
TsrTraceLive *tsr_trace_live_new (const TsrTrace *trace,
                                  TsrLiveness *liveness,
                                  GCancellable *cancellable,
                                  GError **error);
/* The same from the program of each liveness step (row, or TSR_NO_INDEX) and its bytes on the IPUs
 * of a replica, [ipu * n_steps + step], TSR_UNKNOWN where not known; @trace must outlive it. */
TsrTraceLive *tsr_trace_live_new_from_steps (const TsrTrace *trace,
                                             const guint32 *step_program,
                                             guint n_steps,
                                             const gint64 *bytes,
                                             guint n_ipus,
                                             GCancellable *cancellable,
                                             GError **error);
TsrTraceLive *tsr_trace_live_ref (TsrTraceLive *self);
void tsr_trace_live_unref (TsrTraceLive *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTraceLive, tsr_trace_live_unref)

/* The most of any liveness step on any IPU: what a track's full height is.  Bytes. */
gint64 tsr_trace_live_get_most (const TsrTraceLive *self);

/* How many liveness steps the execution step @step (row) may be: 0 when its program has none, and
 * the first and last of them; whether it may be @live. */
guint
tsr_trace_live_get_steps (const TsrTraceLive *self, guint32 step, guint32 *first, guint32 *last);
gboolean tsr_trace_live_may_be (const TsrTraceLive *self, guint32 step, guint32 live);

/* Memory is as at the last step that began, until the next one does.  Of the steps of @ipu for
 * which that is some time in [edges[i], edges[i + 1]): the most bytes that are live for certain,
 * whichever of their liveness steps they are, and the most that may be; TSR_UNKNOWN for both when
 * nothing is known there.  @edges: [n + 1], ascending.  Each O(log n). */
void tsr_trace_live_list (
    const TsrTraceLive *self, guint ipu, guint n, const gint64 *edges, gint64 *least, gint64 *most);
/* The first slice where the most of [from, to) may be; TSR_NO_SLICE.  O(slices of the span). */
guint32 tsr_trace_live_find_slice (const TsrTraceLive *self, guint ipu, gint64 from, gint64 to);

G_END_DECLS

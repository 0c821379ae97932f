/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which IPU waits for which: in an external sync each IPU arrives where its part in the step
 * begins, and goes on when the last one has come.  Definitions: docs/formulas.md#waits.  One pass
 * over the slices of the span, for a worker; a single meeting is cheap enough for a callout. */

#pragma once

#include "tsr-trace.h"

G_BEGIN_DECLS

/* An IPU's part in a sync. */
typedef struct
{
  gint64 arrival, end; /* cycles */
  guint32 slice;
  guint ipu;
} TsrTraceArrival;

/* (transfer full) (nullable): "IPU 3 came last, 12,345 cycles after IPU 0; kept 3 IPUs waiting";
 * NULL where there is no meeting of several. */
char *tsr_trace_dup_meeting_text (const TsrTrace *trace, guint32 slice);

/* A meeting in which somebody waited. */
typedef struct
{
  guint32 step;        /* row */
  guint32 slice;       /* of the IPU that came last; the first of those that came together */
  guint32 first_slice; /* of the one that came first */
  gint64 cycles;       /* from the first arrival to the last, cut to the span */
  gint64 sum;          /* over the IPUs that waited, cut */
  guint n, n_kept;     /* IPUs in it; those of them that waited */
} TsrTraceWait;

typedef struct
{
  guint n;           /* IPUs */
  gint64 *cycles;    /* [waiting * n + waited for] in the span; they add up without overlap */
  guint64 *n_last;   /* [n] syncs in which it came last, and somebody before it */
  guint64 *n_syncs;  /* [n] meetings of several IPUs that it has a part in */
  GArray *longest;   /* TsrTraceWait by cycles, largest first, the earlier of equals first */
  guint64 n_met;     /* meetings of several IPUs that touch the span */
  guint64 n_missing; /* steps left out: an arrival is not recorded */
} TsrTraceWaits;

/* (transfer full): @run (nullable): only its steps; at most @limit of the longest, of those in
 * which @ipu waits or comes last (TSR_NO_INDEX: of all).  What an IPU waits counts where it does so
 * in [from, to); that it came last where it came in the span.  NULL and @error when cancelled. */
TsrTraceWaits *tsr_trace_waits_new (const TsrTrace *trace,
                                    const TsrTraceRun *run,
                                    gint64 from,
                                    gint64 to,
                                    guint ipu,
                                    guint limit,
                                    GCancellable *cancellable,
                                    GError **error);
void tsr_trace_waits_free (TsrTraceWaits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTraceWaits, tsr_trace_waits_free)

/* Whether the trace has any step of an external sync. */
gboolean tsr_trace_has_external_syncs (const TsrTrace *trace);

G_END_DECLS

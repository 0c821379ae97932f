/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How IPUs and tiles share the work in a span: periods of a pipeline, copies hidden behind compute,
 * tiles. Each is one pass over the slices of the span, for a worker; definitions:
 * docs/formulas.md#stages and docs/formulas.md#overlap.  @run (nullable): only its steps count,
 * whatever else runs meanwhile. */

#pragma once

#include "tsr-trace.h"

G_BEGIN_DECLS

/* ---- what the time of an IPU goes to: all of these but overlap, less overlap, are the span */
typedef struct
{
  gint64 cycles[TSR_N_STEP_GROUPS]; /* of each class, merged and cut to the span */
  gint64 start_up;                  /* the waits that begin runs: not in the class of the host */
  gint64 nothing;                   /* in which nothing is recorded */
  gint64 overlap; /* that are in several of the above: once less than in how many */
} TsrTraceClasses;

/* ---- stages: periods between the ends of GlobalExchange steps that several IPUs of the replica
 * spend time in (in the span).  The wait that begins a run is in no period. */
typedef struct
{
  gint64 from, to;
  gboolean steady; /* every IPU works */
  gint64 loss;     /* max_i work - mean_i work when steady, off by less than 1 so
                      that periods add up to all; else 0 */
  guint n_working; /* IPUs */
} TsrTracePeriod;

typedef struct
{
  gint64 replica; /* place of the replica among those recorded */
  guint first_ipu, n_ipus;
  GArray *periods;                   /* TsrTracePeriod */
  gint64 *work;                      /* [period * n_ipus + i] cycles: merged compute and exchange */
  gint64 *ipu_work;                  /* [n_ipus] over the periods */
  TsrTraceClasses *classes;          /* [n_ipus] over the span */
  gint64 loss;                       /* of the steady periods, rounded once */
  gint64 ramp_up, ramp_down, bubble; /* cycles of periods that are not steady: before the first
                                        steady one, after the last one, all */
  gboolean sharded;                  /* in no period more than one IPU works: no loss is told */
} TsrTraceStages;

/* (transfer full) (element-type TsrTraceStages): one for each replica; empty with fewer than two
 * IPUs a replica. NULL and @error when cancelled. */
GPtrArray *tsr_trace_stages (const TsrTrace *trace,
                             const TsrTraceRun *run,
                             gint64 from,
                             gint64 to,
                             GCancellable *cancellable,
                             GError **error);

/* ---- overlap of copies with compute, on one IPU */
typedef struct
{
  guint ipu;
  TsrTraceClasses classes;
  /* Cycles in the span, of merged intervals: I = transfer, C = compute and exchange on the same
   * IPU. */
  gint64 transfer, compute, hidden; /* |I|, |C|, |I and C| */
  gint64 alone, compute_alone;      /* |I| - hidden, |C| - hidden */
  gint64 outside; /* part of alone that lies before the first or after the last compute step: cannot
                     be hidden */
  /* StreamCopyMid that begin in the span, by kind; TSR_UNKNOWN when one does not tell. */
  gint64 bytes[TSR_N_COPY_KINDS];
  gint64 cycles[TSR_N_COPY_KINDS]; /* merged, to their ends even beyond the span */
  double rate[TSR_N_COPY_KINDS];   /* bytes a second while copying; NaN */
} TsrTraceOverlap;
/* (transfer full) (element-type TsrTraceOverlap): one for each IPU. */
GArray *tsr_trace_overlap (const TsrTrace *trace,
                           const TsrTraceRun *run,
                           gint64 from,
                           gint64 to,
                           GCancellable *cancellable,
                           GError **error);

/* Merged cycles of all StreamCopyMid of @ipu that begin in the span, to their ends: what the bytes
 * of tsr_trace_sum_run, which are of the same steps, are divided by.  @run (NULL: all). */
gint64 tsr_trace_get_copy_time (
    const TsrTrace *trace, const TsrTraceRun *run, guint ipu, gint64 from, gint64 to);

/* The copies of @run (NULL: all) that run alone longest: slices and the cycles of each that no
 * compute covers, largest first. */
typedef struct
{
  guint32 slice;
  gint64 alone;
} TsrTraceLoneCopy;
GArray *tsr_trace_lone_copies (
    const TsrTrace *trace, const TsrTraceRun *run, guint ipu, gint64 from, gint64 to, guint limit);

/* ---- tiles of one IPU: the step's numbers times how often it runs in the span.  Steps that are
 * cut by the span count when they begin in it. */
typedef struct
{
  guint n;                           /* tiles */
  gint64 *compute, *exchange, *copy; /* busy cycles by group */
  gint64 *waiting;                   /* the rest of span: the tile did nothing */
  guint8 *io;                        /* 1: computes in no step of the span although others do */
  gint64 span; /* merged cycles of the counted steps: compute, exchange, inter-IPU, transfer */
  guint64 n_missing; /* steps without numbers of each tile: left out */
} TsrTraceTiles;
/* Reads the arrays of all sets in the span of @run (NULL: all).  NULL and @error: cancelled, cannot
 * be read, or no step has them (TSR_ERROR_MISSING_PART, names debug.computeInstrumentationLevel =
 * tile). */
TsrTraceTiles *tsr_trace_tiles (const TsrTrace *trace,
                                const TsrTraceRun *run,
                                guint ipu,
                                gint64 from,
                                gint64 to,
                                GCancellable *cancellable,
                                GError **error);
void tsr_trace_tiles_free (TsrTraceTiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTraceTiles, tsr_trace_tiles_free)

G_END_DECLS

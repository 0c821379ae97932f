/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Steps of a span in groups: what costs most.  One pass over the slices; for a worker. */

#pragma once

#include "tsr-trace.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_TRACE_BY_NAME,
  TSR_TRACE_BY_PREFIX, /* the first @depth parts of the name */
  TSR_TRACE_BY_TYPE,
  TSR_TRACE_BY_COMPUTE_SET,
  TSR_TRACE_BY_REGEX, /* the first group of the match, else the match; what does not match: one
                         group "other" */
} TsrTraceGrouping;

typedef struct
{
  gint64 from, to;        /* slices that touch it count with their part in it */
  const TsrTraceRun *run; /* (nullable): only its steps count; NULL: all */
  const guint8 *ipus;     /* (nullable) [n_ipus]: 1 counts; NULL: all */
  guint32 hidden;         /* types */
  TsrTraceGrouping grouping;
  guint depth;   /* 1 ... */
  GRegex *regex; /* (nullable) */
} TsrTraceAggregateQuery;

typedef struct
{
  const char *name; /* borrowed from the answer */
  guint64 count;    /* slices that took time */
  gint64 total;     /* cycles: sum over IPUs of the parts of [start, end) in the span */
  double share;     /* of the total of all rows */
  /* Sum of d (1 - active_tile_balance), compute only; TSR_UNKNOWN when a step does not tell.  Off
   * by less than 1, so that rows add up to the sum of all, which is rounded once and the same for
   * any grouping. */
  gint64 lost;
  gint64
      bytes; /* data in and out of steps that begin in the span, as in TsrTraceSums; TSR_UNKNOWN */
  double flops;         /* estimates of the compute sets; NaN */
  guint n_compute_sets; /* different ones */
  /* Over the group's compute sets (one value each: only the last execution is recorded): recorded
   * cycles. Unknown with fewer than two. */
  gint64 least, most;
  double mean;
  double balance; /* tile balance by cycles; NaN */
  guint type;     /* that takes longest */
  guint n_types;
  guint32 first_slice;
} TsrTraceAggregateRow;

typedef struct
{
  GArray *rows; /* TsrTraceAggregateRow, by total, largest first */
  GStringChunk *texts;
  gint64 total, lost, bytes;
  double flops;
  double seconds;                 /* of the span by the clock; NaN */
  guint64 n_unknown;              /* slices without a usable time, left out */
  struct _TsrTraceGroups *groups; /* what steps were told by; borrows the trace */
  guint32 *row_of_group;          /* TSR_NO_INDEX: nothing of it is in the span */
} TsrTraceAggregate;

TsrTraceAggregate *tsr_trace_aggregate (const TsrTrace *trace,
                                        const TsrTraceAggregateQuery *query,
                                        GCancellable *cancellable,
                                        GError **error);
void tsr_trace_aggregate_free (TsrTraceAggregate *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTraceAggregate, tsr_trace_aggregate_free)
/* (transfer full): all steps of the trace, in the span or not, that are of the same groups as rows:
 * has[i][row] is 1 for those of aggregates[i].  All @n group by the same; several only by names. */
TsrTraceMatches *tsr_trace_aggregate_dup_matches (const TsrTrace *trace,
                                                  const TsrTraceAggregate *const *aggregates,
                                                  const guint8 *const *has,
                                                  guint n);
/* The way back: has[row] is 1 where all of the row's group matches; none when @matches are told by
 * something else than the groups. */
void tsr_trace_aggregate_find_rows (const TsrTraceAggregate *self,
                                    const TsrTraceMatches *matches,
                                    guint8 *has);

/* The same of blocks (lightweight profiling): every execution is real, so mean, least and most are
 * of blocks. */
typedef struct
{
  const char *name;
  guint64 count;
  gint64 total, least, most;
  double mean, share;
} TsrTraceBlockRow;
/* (transfer full) (element-type TsrTraceBlockRow): names are borrowed from the tables. @flushes:
 * with those of the profiler's own. */
GArray *tsr_trace_aggregate_blocks (const TsrTrace *trace, const guint8 *ipus, gboolean flushes);

G_END_DECLS

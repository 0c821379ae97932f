/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tabs under the execution trace, as questions and answers: what a tab asks is a value that
 * goes to a worker, and what comes back are tables with the figures that they are drawn from, or
 * the words that stand in their place.  Any thread, no toolkit. */

#pragma once

#include "tsr-memory.h"
#include "tsr-rows.h"
#include "tsr-trace-aggregate.h"
#include "tsr-trace-balance.h"
#include "tsr-trace-live.h"
#include "tsr-trace-waits.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_TRACE_TAB_SUMMARY,
  TSR_TRACE_TAB_DETAILS,
  TSR_TRACE_TAB_AGGREGATE,
  TSR_TRACE_TAB_STAGES,
  TSR_TRACE_TAB_OVERLAP,
  TSR_TRACE_TAB_WAITS,
  TSR_TRACE_TAB_TILES,
  TSR_TRACE_N_TABS
} TsrTraceTab;

/* What a row of Aggregate is: a TsrTraceGrouping, or one of these. */
typedef enum
{
  TSR_TRACE_GROUP_NAME = TSR_TRACE_BY_NAME,
  TSR_TRACE_GROUP_PREFIX = TSR_TRACE_BY_PREFIX,
  TSR_TRACE_GROUP_TYPE = TSR_TRACE_BY_TYPE,
  TSR_TRACE_GROUP_COMPUTE_SET = TSR_TRACE_BY_COMPUTE_SET,
  TSR_TRACE_GROUP_REGEX = TSR_TRACE_BY_REGEX,
  TSR_TRACE_GROUP_TREE,   /* prefixes of every depth up to the one that is set, indented */
  TSR_TRACE_GROUP_BLOCKS, /* of lightweight profiling */
  TSR_TRACE_N_GROUPS
} TsrTraceGroup;
const char *tsr_trace_group_get_nick (guint group); /* "compute-set" */

typedef struct
{
  TsrTraceTab tab;
  TsrTrace *trace;
  TsrMemory *memory;      /* (nullable) Stages: what is free */
  gboolean has_liveness;  /* Details: variables have names, programs have steps */
  TsrTraceLive *live;     /* (nullable) Details: which liveness step it is */
  gboolean has_debug;     /* Details: what made a step */
  const TsrTraceRun *run; /* (nullable) of the trace: only its steps; NULL: all */
  gint64 from, to;        /* cycles */
  guint ipu;              /* over all replicas; TSR_NO_INDEX: all */
  guint32 hidden;         /* types */
  TsrTraceGroup group;
  guint depth;
  char *regex;      /* (nullable) */
  gboolean flushes; /* blocks: with the profiler's own copies */
  guint replica;    /* Stages: place in the answer */
  TsrTraceStepRef steps[TSR_TRACE_MAX_SELECTED];
  guint n_steps;
  guint64 n_marked; /* Details: steps are the longest of so many; 0: they are all */
  gint64 marked_cycles;
} TsrTraceQuestion;

/* One line of what Details tells of a step. */
typedef struct
{
  const char *name;  /* the same in all languages */
  const char *label; /* translated, static */
  char *value;
  char *words;        /* (nullable): a link that says more */
  gboolean is_copied; /* its value is something to take elsewhere */
} TsrTraceFact;

typedef struct
{
  TsrTraceStepRef ref;
  TsrTraceSlice slice;
  char *heading;         /* "DoExchange (cs1/ExchangePre)" */
  char *ipu_name;        /* "Replica 0 · IPU 1" */
  GPtrArray *facts;      /* TsrTraceFact */
  TsrTileCycles *cycles; /* (nullable) of the IPU's tiles */
} TsrTraceStepFacts;

typedef struct _TsrTraceAnswer TsrTraceAnswer;
struct _TsrTraceAnswer
{
  TsrTrace *trace; /* that it is of */
  gint64 from, to;
  guint ipu;
  TsrRows *rows, *more; /* (nullable); more: beside it: bytes, IPUs, copies */
  char *title, *text;   /* instead of rows (nullable) */
  char *note;           /* (nullable): what the figures are not */
  const char *sort_key; /* (nullable) column of the first order, largest first */

  TsrTraceSums *sums; /* Summary: by row */
  guint n_sums;
  TsrTraceGroup group;
  GPtrArray *aggregates;        /* TsrTraceAggregate: one, or of a tree one for each depth */
  TsrTraceAggregateQuery query; /* of the first; regex is a reference */
  guint32 *row_aggregate;       /* by row of the table: into aggregates ... */
  guint32 *row_group;           /* ... and its row there */
  GPtrArray *stages;            /* TsrTraceStages */
  guint replica;                /* that rows shows */
  gint64 most_work;             /* in one period */
  GArray *overlap;              /* TsrTraceOverlap, by row */
  GArray *copies;               /* TsrTraceLoneCopy, by row of more */
  TsrTraceWaits *waits;         /* row i is that IPU, unless one was asked for; longest: more */
  gint64 most_waited;           /* in one cell */
  gint64 least_waited;          /* of many IPUs: in one cell in which any is; 0: of few */
  TsrTraceTiles *tiles;
  GPtrArray *steps; /* TsrTraceStepFacts */
};
void tsr_trace_answer_free (TsrTraceAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTraceAnswer, tsr_trace_answer_free)

/* (transfer full): NULL and @error only when cancelled or when the file cannot be read; what the
 * report lacks is an answer, too. */
TsrTraceAnswer *
tsr_trace_answer_new (const TsrTraceQuestion *question, GCancellable *cancellable, GError **error);

/* (transfer full) (nullable): all steps of the trace that are of the same groups as these rows of
 * Aggregate; NULL without any. */
TsrTraceMatches *
tsr_trace_answer_dup_matches (const TsrTraceAnswer *answer, const guint32 *rows, guint n_rows);

G_END_DECLS

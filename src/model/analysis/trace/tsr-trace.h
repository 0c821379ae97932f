/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The execution as a trace: what every IPU did when.  Slices stand in tracks (IPU, lane); a track
 * has a flat row of slices and the rows of a flame, each with a forest that finds the longest item
 * of a range, and each IPU has sums from which the figures of any span follow in O(log n).
 *
 * Formulas: docs/formulas.md#times-of-a-step.  A slice occupies [start, end); its lead-in is never
 * added.  Cycles count from the first step of the first run, one clock for all IPUs.  Immutable
 * after _new, shared by reference between threads.  At most 16 bytes a slice beside the tables. */

#pragma once

#include "tsr-execution-tables.h"
#include "tsr-report.h"

G_BEGIN_DECLS

typedef struct _TsrTrace TsrTrace;

/* The one classification of step types. */
typedef enum
{
  TSR_STEP_GROUP_COMPUTE,   /* OnTileExecute */
  TSR_STEP_GROUP_EXCHANGE,  /* DoExchange */
  TSR_STEP_GROUP_INTER_IPU, /* GlobalExchange */
  TSR_STEP_GROUP_TRANSFER,  /* StreamCopyMid */
  TSR_STEP_GROUP_HOST,      /* StreamCopyBegin, StreamCopyEnd */
  TSR_STEP_GROUP_SYNC,      /* Sync, SyncAns, Sans */
  TSR_STEP_GROUP_OTHER,
  TSR_N_STEP_GROUPS,
} TsrStepGroup;
TsrStepGroup tsr_step_group_of (const char *type);

/* Tells which slices are the wait for the host that leads a run and counts in no figure
 * (docs/formulas.md#runs).  Those of an IPU are asked about one after the other. */
typedef struct
{
  const TsrExecutionTables *tables;
  guint8 *syncs; /* by step type */
  guint begin;   /* the step type StreamCopyBegin; G_MAXUINT: there is none */
  guint8 *begun; /* of one IPU, by run */
} TsrRunLeads;
void tsr_run_leads_init (TsrRunLeads *self, const TsrExecutionTables *tables);
void tsr_run_leads_clear (TsrRunLeads *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrRunLeads, tsr_run_leads_clear)
void tsr_run_leads_begin_ipu (TsrRunLeads *self);
gboolean tsr_run_leads_take (TsrRunLeads *self, gsize slice);
const char *tsr_step_group_get_name (TsrStepGroup group); /* for people: "Inter-IPU" */
/* (transfer full): "StreamCopyBegin, StreamCopyEnd"; "" for what is another type. */
char *tsr_step_group_dup_types (TsrStepGroup group);

/* Work of an IPU by itself. */
static inline gboolean
tsr_step_group_is_work (TsrStepGroup group)
{
  return group == TSR_STEP_GROUP_COMPUTE || group == TSR_STEP_GROUP_EXCHANGE;
}

/* What counts as utilisation (docs/formulas.md#figures-of-a-span): work, exchange between IPUs,
 * copies. */
static inline gboolean
tsr_step_group_is_useful (TsrStepGroup group)
{
  return tsr_step_group_is_work (group) || group == TSR_STEP_GROUP_INTER_IPU
         || group == TSR_STEP_GROUP_TRANSFER;
}

/* Types as the trace counts and colours them, in the order in which proportions are shown:
 * OnTileExecute, DoExchange, GlobalExchange, StreamCopyBegin, the start-up wait, StreamCopyMid,
 * StreamCopyEnd, Sync (internal), Sync (external), then what else the file has, by name; types
 * beyond the 30th are one. */
#define TSR_TRACE_MAX_TYPES 32
#define TSR_TRACE_NO_TYPE   0xff
typedef struct
{
  const char *name;  /* as in the file: "Sync"; not unique: see the two below */
  const char *label; /* for people, unique: "External Sync", "StreamCopyBegin (start-up)" */
  TsrStepGroup group;
  gboolean start_up; /* the leading StreamCopyBegin of a run: never counted in utilisation */
  gboolean external; /* a Sync whose program's name says that it is external */
} TsrTraceType;

/* The execution and programs stages of @report must have ended; programs may have failed (then
 * names are missing).  NULL and @error: no execution (TSR_ERROR_MISSING_PART), cancelled. */
TsrTrace *tsr_trace_new (TsrReport *report, GCancellable *cancellable, GError **error);
/* The same from tables that somebody else keeps for as long as the trace lives: for tests and
 * benches.  @programs (nullable), @target (nullable). */
TsrTrace *tsr_trace_new_from_tables (const TsrExecutionTables *tables,
                                     const TsrProgramTables *programs,
                                     const TsrTarget *target,
                                     GCancellable *cancellable,
                                     GError **error);
TsrTrace *tsr_trace_ref (TsrTrace *self);
void tsr_trace_unref (TsrTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTrace, tsr_trace_unref)

const TsrExecutionTables *tsr_trace_get_tables (const TsrTrace *self);
const TsrProgramTables *tsr_trace_get_programs (const TsrTrace *self); /* (nullable) */
TsrReport *tsr_trace_get_report (const TsrTrace *self);                /* (nullable) */
gsize tsr_trace_get_size (const TsrTrace *self);                       /* bytes, tables left out */
double tsr_trace_get_clock (const TsrTrace *self);                     /* Hz; NaN: not told */
gint64 tsr_trace_get_tiles_per_ipu (const TsrTrace *self);             /* or TSR_UNKNOWN */
/* [least start, greatest end) of all slices; 0, 0 when nothing took time. */
void tsr_trace_get_span (const TsrTrace *self, gint64 *from, gint64 *to);

guint tsr_trace_get_n_types (const TsrTrace *self);
const TsrTraceType *tsr_trace_get_type (const TsrTrace *self, guint type);
/* Mask of the types with this name or label; 0: none. */
guint32 tsr_trace_find_types (const TsrTrace *self, const char *name);

/* IPUs over all replicas. */
guint tsr_trace_get_n_ipus (const TsrTrace *self);
/* Replica and IPU in it; replica is the real number where profiler.replicaToProfile names one.
 * TSR_UNKNOWN for both when ipus_per_replica is not told. */
void
tsr_trace_get_replica (const TsrTrace *self, guint ipu, gint64 *replica, gint64 *ipu_in_replica);
/* (transfer full): "Replica 0 · IPU 1", or "IPU 1" with one replica. */
char *tsr_trace_dup_ipu_name (const TsrTrace *self, guint ipu);
/* (transfer full): the same where there is room for little: "0·1", or "1" with one replica. */
char *tsr_trace_dup_ipu_number (const TsrTrace *self, guint ipu);

/* Runs, as in the tables, with what follows from their steps. */
typedef struct
{
  const char *name;
  guint first_step, end_step; /* rows of steps */
  gint64 start, end;          /* cycles, over all IPUs; equal when nothing took time */
  gint64 wait_end; /* end of the leading StreamCopyBegin of the IPU where it ends first; start
                      without one */
  gint64 device; /* S of docs/insights.md#execution, of the first replica with steps; TSR_UNKNOWN */
  gint64 model_from, model_to; /* docs/formulas.md#runs: from the first compute or exchange after
                                  the StreamCopyEnd "copyFromHost" to the last before the next
                                  StreamCopyBegin "...copyToHost"; equal: there is no such span */
  double microseconds;         /* measured by the host; NaN */
  gboolean complete;
} TsrTraceRun;
guint tsr_trace_get_n_runs (const TsrTrace *self);
const TsrTraceRun *tsr_trace_get_run (const TsrTrace *self, guint run);
/* The last complete run, else the last one; TSR_NO_INDEX without runs. */
guint tsr_trace_get_profiled_run (const TsrTrace *self);
/* S(i) of docs/insights.md#execution: from the end of the run's leading StreamCopyBegin on @ipu to
 * its last end; both equal when it did nothing. */
void
tsr_trace_get_device_span (const TsrTrace *self, guint run, guint ipu, gint64 *from, gint64 *to);
/* Cycles of [from, to) in the device spans of @ipu, merged: what rates are divided by.  Of @run, or
 * (NULL) of all; without runs all from the first step to the last. */
gint64 tsr_trace_get_device_time (
    const TsrTrace *self, const TsrTraceRun *run, guint ipu, gint64 from, gint64 to);

/* One slice; the index counts over all IPUs as in the tables. */
#define TSR_NO_SLICE (G_MAXUINT32)
typedef struct
{
  guint32 slice;
  guint ipu, lane; /* lane: G_MAXUINT when its times are not told, it took no time, or more than 64
                      steps overlap there */
  guint32 step;    /* row */
  gint64 step_id;
  guint type;
  gint64 start, end, lead_in, cycles, active_tiles, data_in, data_out; /* TSR_UNKNOWN: not told */
  double tile_balance, active_tile_balance;                            /* NaN */
  const char *name; /* the compute set's, else the program's, else "" */
  const char *type_name;
  guint32 program, compute_set; /* rows; TSR_NO_INDEX */
  guint run;                    /* or TSR_NO_INDEX */
} TsrTraceSlice;
void tsr_trace_get_slice (const TsrTrace *self, guint32 slice, TsrTraceSlice *out);
guint tsr_trace_get_slice_type (const TsrTrace *self, guint32 slice);
guint tsr_trace_get_ipu_of (const TsrTrace *self, guint32 slice);
/* Index into names below; G_MAXUINT32: it has none. */
guint32 tsr_trace_get_slice_name (const TsrTrace *self, guint32 slice);
/* What people see of a step: its name, but a sync without a path is called by its type, and so is
 * what has no name: "External Sync". */
const char *tsr_trace_get_slice_title (const TsrTrace *self, guint32 slice);
/* The slice of a step (row) on @ipu, or TSR_NO_SLICE.  O(log n) where steps stand in order. */
guint32 tsr_trace_find_slice (const TsrTrace *self, guint32 step, guint ipu);
/* First slice of @ipu in the tables' order that starts at @cycles or later. */
guint32 tsr_trace_find_start (const TsrTrace *self, guint ipu, gint64 cycles);
/* The same of many times side by side.  @cycles: [n], ascending; each O(log of the slices between
 * it and the one before). */
void tsr_trace_find_starts (
    const TsrTrace *self, guint ipu, const gint64 *cycles, guint n, gsize *slices);

/* Distinct names of slices; far fewer than slices. */
guint tsr_trace_get_n_names (const TsrTrace *self);
const char *tsr_trace_get_name (const TsrTrace *self, guint32 name);

/* ---- rows */
/* Lane 0 has what computes: a StreamCopyMid that really overlaps something goes to a further lane,
 * everything else to the lowest that is free.  "Lanes only where [start, end) overlap"; without
 * from_max only a concurrency of more than 1 % of the shorter step opens one.  Slices that took no
 * time stand in no track. */
typedef struct
{
  guint ipu, lane;
  gboolean io; /* all that is in it is copies between host or remote buffer and tiles, and syncs */
} TsrTraceTrack;
guint tsr_trace_get_n_tracks (const TsrTrace *self); /* by (ipu, lane) */
const TsrTraceTrack *tsr_trace_get_track (const TsrTrace *self, guint track);

typedef enum
{
  TSR_TRACE_FLAT,  /* row 0: slices */
  TSR_TRACE_FLAME, /* row d: names split at '/', the part at depth d; neighbours that share a prefix
                      are one item, but two steps of the same name stay two in their last row, and
                      no item goes beyond its run.  A step without a path that syncs (Sync, Sans
                      ...) belongs to the item around it when that goes on after it, and is an item
                      of the deepest row there of its own. StreamCopies: "StreamCopy", below it
                      Begin, Mid, End. At most TSR_TRACE_MAX_DEPTH rows; the last one has the rest
                      of the name. */
} TsrTraceShape;
#define TSR_TRACE_MAX_DEPTH 24

/* Items of a row in order, none overlapping the next.  Its time is that of its first slice's start
 * to its last slice's end. */
typedef struct
{
  guint track, depth;
  gsize n;
  const guint32 *first, *last; /* positions in the track; NULL: item i is position i */
  const guint32 *slices;       /* slice at a position of the track; NULL: slice_base + position */
  guint32 slice_base;
  const gint64 *start, *end; /* the tables' columns, by slice */
  gconstpointer forest;      /* tsr-trace-forest.h */
} TsrTraceRow;

guint tsr_trace_get_n_rows (const TsrTrace *self, guint track, TsrTraceShape shape);
const TsrTraceRow *
tsr_trace_get_row (const TsrTrace *self, guint track, TsrTraceShape shape, guint depth);

static inline guint32
tsr_trace_row_first_slice (const TsrTraceRow *row, gsize item)
{
  gsize at = row->first != NULL ? row->first[item] : item;

  return row->slices != NULL ? row->slices[at] : row->slice_base + (guint32)at;
}

static inline guint32
tsr_trace_row_last_slice (const TsrTraceRow *row, gsize item)
{
  gsize at = row->last != NULL ? row->last[item] : item;

  return row->slices != NULL ? row->slices[at] : row->slice_base + (guint32)at;
}

static inline gint64
tsr_trace_row_start (const TsrTraceRow *row, gsize item)
{
  return row->start[tsr_trace_row_first_slice (row, item)];
}

static inline gint64
tsr_trace_row_end (const TsrTraceRow *row, gsize item)
{
  return row->end[tsr_trace_row_last_slice (row, item)];
}

/* First item that ends after @cycles, n when none.  Looks near @hint first (galloping), so that a
 * walk from left to right costs O(1) a step. */
gsize tsr_trace_row_find (const TsrTraceRow *row, gint64 cycles, gsize hint);
/* The longest of items [first, end), the first of equals: O(log n).  @hidden: mask of types that do
 * not count; G_MAXSIZE when all are hidden (then it looks at each).  A group is hidden when all
 * that is in it is. */
gsize tsr_trace_row_longest (
    const TsrTrace *self, const TsrTraceRow *row, gsize first, gsize end, guint32 hidden);

/* Columns of time of a chart, ascending: column i is [from[i], to[i]), and from[i + 1], told for
 * the last one as well, is to[i] or one less.  first[i]: the first position of the track that ends
 * after from[i]; end[i]: end of those that start before to[i], and not before first[i].  O(n + log
 * n) with most of it in order, for many columns that have several positions each. */
void tsr_trace_find_columns (const TsrTrace *self,
                             guint track,
                             guint n,
                             const gint64 *from,
                             const gint64 *to,
                             guint32 *first,
                             guint32 *end);
/* The longest item of @row, flat or flame, in each of these columns, the first of equals, as in
 * tsr_trace_row_longest; G_MAXUINT32: there is none.  What goes on around a column without any
 * position is in it. */
void tsr_trace_longest_in_columns (const TsrTrace *self,
                                   const TsrTraceRow *row,
                                   guint n,
                                   const guint32 *first,
                                   const guint32 *end,
                                   guint32 hidden,
                                   guint32 *best);

/* What an item is. */
typedef struct
{
  guint32 first_slice, last_slice;
  gint64 start, end;
  guint n_slices;
  gboolean group;    /* more than the slice itself: an inner node of the flame */
  guint type;        /* the slice's; of a group the type that takes longest in it */
  const char *path;  /* of which the first path_length bytes are the item's prefix */
  guint path_length; /* bytes, from the first part to this one */
  guint label_from;  /* byte in path where this row's part begins */
} TsrTraceItem;
void
tsr_trace_get_item (const TsrTrace *self, const TsrTraceRow *row, gsize item, TsrTraceItem *out);
/* What pixels need of it, without a look at names or times. */
typedef struct
{
  guint32 types; /* that are in it: bits */
  guint8 type;   /* that takes longest, the first of equals */
  guint8 depth;  /* of a single slice: rows of the flame that it has; 0: several slices */
} TsrTraceKind;
TsrTraceKind tsr_trace_get_kind (const TsrTrace *self, const TsrTraceRow *row, gsize item);
/* The same of @n items: they lie apart, and asking for all of them waits for memory once. */
void tsr_trace_get_kinds (const TsrTrace *self,
                          const TsrTraceRow *row,
                          guint n,
                          const guint32 *items,
                          TsrTraceKind *kinds);
/* The item of row @depth that holds @slice; FALSE: the slice's name is not that deep or it is in no
 * track. */
gboolean tsr_trace_locate (const TsrTrace *self,
                           guint32 slice,
                           TsrTraceShape shape,
                           guint depth,
                           guint *track,
                           gsize *item);

/* ---- figures of a span */
typedef enum
{
  TSR_COPY_HOST,
  TSR_COPY_REMOTE,
  TSR_COPY_BOTH,
  TSR_COPY_NOT_TOLD,
  TSR_N_COPY_KINDS,
} TsrCopyKind;
/* What the copies of the slice's program are between. */
TsrCopyKind tsr_trace_get_copy_kind (const TsrTrace *self, guint32 slice);

typedef struct
{
  gint64 from, to; /* as asked */
  gint64
      by_type[TSR_TRACE_MAX_TYPES]; /* cycles: union of [start, end) of the type, cut to the span */
  gint64 counted, excluded;         /* sums of by_type: counted types; hidden ones and start-up */
  double utilisation;               /* compute, exchange, inter-IPU and transfer / counted; NaN */
  double tile_balance, active_tile_balance; /* of OnTileExecute, by cycles; NaN */
  gint64 lost; /* sum of d (1 - active_tile_balance) over OnTileExecute, rounded once; off by at
                  most 3 in 10^8 of their cycles */
  gint32 lost_rest; /* what rounding took away, in units of 2^-32: sums over IPUs are exact */
  gint64 n_slices;  /* that took time and touch the span */
  /* Bytes of steps that begin in the span: a step that it cuts counts as a whole on the side of its
   * begin, so that spans side by side add up.  TSR_UNKNOWN when one of them does not tell. */
  gint64 copy_in[TSR_N_COPY_KINDS], copy_out[TSR_N_COPY_KINDS]; /* StreamCopyMid */
  gint64 global_in, global_out;                                 /* GlobalExchange */
} TsrTraceSums;
/* O(log n).  @hidden: mask of types that are not counted: not in counted, nor in what is measured
 * of OnTileExecute; by_type, n_slices and bytes are of all.  Of an IPU without any step whose times
 * are told, cycles and bytes are TSR_UNKNOWN, whatever the span. */
void tsr_trace_sum (
    const TsrTrace *self, guint ipu, gint64 from, gint64 to, guint32 hidden, TsrTraceSums *sums);
/* For mixtures of many spans side by side: unions[i * n_types + type] is the union of the type's
 * steps up to cycles[i], so that the difference of two is what by_type says of the span between
 * them.  @cycles: [n], ascending; @unions: [n * n_types], all 0 for an IPU without any step whose
 * times are told.  Each O(log of the slices between it and the one before). */
void tsr_trace_count_types (
    const TsrTrace *self, guint ipu, const gint64 *cycles, guint n, guint64 *unions);
/* The sums of the steps of @run (nullable: all) alone, whatever else the IPU does meanwhile.  Of an
 * IPU that has no part in the run all is 0.
 * O(log n) but where steps of other runs stand among those of this one. */
void tsr_trace_sum_run (const TsrTrace *self,
                        const TsrTraceRun *run,
                        guint ipu,
                        gint64 from,
                        gint64 to,
                        guint32 hidden,
                        TsrTraceSums *sums);
/* ---- search */
/* A slice as a user selects it: it outlives a reload.  At most so many are looked at one by one. */
#define TSR_TRACE_MAX_SELECTED 64
typedef struct
{
  gint64 step_id;
  guint ipu;
} TsrTraceStepRef;

/* Slices that match: a set over names, over types or compute sets, or over programs.  Immutable. */
typedef struct _TsrTraceMatches TsrTraceMatches;
/* By name, or by title where that is another.  The filter of tables: substrings, "-word", /regex/.
 * What has no name never matches. */
TsrTraceMatches *tsr_trace_matches_new (const TsrTrace *self,
                                        gboolean (*match) (const char *name, gpointer data),
                                        gpointer data);
TsrTraceMatches *tsr_trace_matches_ref (TsrTraceMatches *self);
void tsr_trace_matches_unref (TsrTraceMatches *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTraceMatches, tsr_trace_matches_unref)
/* By name: @names [n_names + 1], the last one for slices without a name. */
TsrTraceMatches *tsr_trace_matches_new_names (const TsrTrace *self, const guint8 *names);
/* By type (mask), but where @sets (nullable) [n_compute_sets] is given slices of a compute set by
 * that. */
TsrTraceMatches *
tsr_trace_matches_new_types (const TsrTrace *self, guint32 types, const guint8 *sets);
/* By the program that the file names for their step: @programs [@n_programs], by row of the program
 * tables. */
TsrTraceMatches *
tsr_trace_matches_new_programs (const TsrTrace *self, const guint8 *programs, guint32 n_programs);
/* Whether a step of the trace is of those. */
gboolean tsr_trace_matches_has_any (const TsrTraceMatches *self, const TsrTrace *trace);
gboolean tsr_trace_matches_has (const TsrTraceMatches *self, guint32 name); /* by name only */
gboolean
tsr_trace_matches_has_slice (const TsrTraceMatches *self, const TsrTrace *trace, guint32 slice);
/* (transfer none) (nullable): what they were told by. */
const guint8 *tsr_trace_matches_peek_names (const TsrTraceMatches *self);
const guint8 *tsr_trace_matches_peek_sets (const TsrTraceMatches *self);
guint32 tsr_trace_matches_get_types (const TsrTraceMatches *self);
/* The next (or previous) matching slice of @run (NULL: all) in order of start over the IPUs of
 * @ipus (NULL: all), strictly after (before) @slice; TSR_NO_SLICE: from the begin (end) / there is
 * none. */
guint32 tsr_trace_find_match (const TsrTrace *self,
                              const TsrTraceMatches *matches,
                              const TsrTraceRun *run,
                              const guint8 *ipus,
                              guint32 hidden,
                              guint32 slice,
                              gboolean forward);
/* Matching slices of @run (NULL: all) over @ipus (NULL: all) that took time and are not hidden;
 * @place (nullable): how many of them stand before @slice.  For a worker; FALSE when cancelled. */
gboolean tsr_trace_count_matches (const TsrTrace *self,
                                  const TsrTraceMatches *matches,
                                  const TsrTraceRun *run,
                                  const guint8 *ipus,
                                  guint32 hidden,
                                  guint32 slice,
                                  GCancellable *cancellable,
                                  guint64 *count,
                                  guint64 *place);

/* ---- blocks of lightweight profiling */
/* (transfer full) [n_ipus of the tables]: what is added to cycles of an IPU's blocks to have them
 * on the trace's axis.  The clock of an IPU begins when the executable is loaded: the first block
 * of the first IPU begins where its program does, or with the trace when that is not told.  @align:
 * so does the first one of every IPU. */
gint64 *tsr_trace_dup_block_shifts (const TsrTrace *self, gboolean align);
/* From the first block's begin to the last one's end, aligned; of @run (row, or TSR_NO_INDEX: all).
 * FALSE, and nothing set, without any. */
gboolean tsr_trace_get_block_span (const TsrTrace *self, guint run, gint64 *from, gint64 *to);

/* ---- numbers of each tile of a step, read with a connection of the calling thread; the latest few
 * hundred sets are kept, under a lock of their own. */
typedef struct
{
  guint n;         /* tiles of one IPU */
  guint32 *start;  /* (nullable) cycles, relative: a tile is active in [b + start, b + start +
                      cycles) with  b = the slice's end - to_max; NULL: all begin at once */
  guint32 *cycles; /* 0: not active */
  guint32 to_max;  /* largest start + cycles */
  gatomicrefcount count;
} TsrTileCycles;
void tsr_tile_cycles_unref (TsrTileCycles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrTileCycles, tsr_tile_cycles_unref)

/* Set and IPU in one number, the key of what is kept; TSR_UNKNOWN when the step has no set. */
gint64 tsr_trace_get_tile_set (const TsrTrace *self, guint32 slice);
/* (transfer full) (nullable): NULL with @error when it cannot be read, NULL without one when the
 * report has no such numbers.  Any thread. */
TsrTileCycles *tsr_trace_load_tile_cycles (const TsrTrace *self, guint32 slice, GError **error);
/* (transfer full) (nullable): only if it is kept already: for a layout. */
TsrTileCycles *tsr_trace_peek_tile_cycles (const TsrTrace *self, guint32 slice);

G_END_DECLS

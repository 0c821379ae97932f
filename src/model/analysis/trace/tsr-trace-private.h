/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the parts of TsrTrace share: types and names, then for each IPU its lanes, the flame of each
 * lane and sums.  Built part by part by tsr-trace.c, immutable afterwards but for the cache of tile
 * cycles, which has a lock. */

#pragma once

#include "tsr-trace-columns.h"
#include "tsr-trace-forest.h"
#include "tsr-trace.h"

G_BEGIN_DECLS

/* Steps that would need more lanes than this are in no track, but they are in the sums. */
#define TSR_TRACE_MAX_LANES 64
#define TSR_NO_NAME         (TSR_NO_INDEX)

#define TSR_TRACE_MAX_KINDS 255 /* of a row; items of other kinds have this number: look */

/* A row, and what the public one does not show. */
typedef struct
{
  TsrTraceRow row; /* first member: rows that are handed out are cast back */
  TsrTraceForest forest;
  TsrTraceStarts starts;     /* of the flat row */
  TsrTraceRanks ranks;       /* of a flame's */
  guint8 *kinds;             /* (nullable) by item, into known_kinds; the flat row has none */
  TsrTraceKind *known_kinds; /* few: types come together in the same ways again and again */
  guint n_known_kinds;
  gboolean shared; /* first, last, kinds, forest and ranks are those of the row above */
} TsrTraceRowData;

typedef struct
{
  TsrTraceTrack track;
  gsize n;
  guint32 *slices; /* (nullable) slice at each position; NULL: base + position */
  guint32 base;
  TsrTraceRowData flat;
  guint n_flame;
  TsrTraceRowData *flame;
} TsrTraceLane;

/* One run on one IPU. */
typedef struct
{
  guint run;
  gint64 start, end;           /* of the slices that took time */
  gint64 wait_end;             /* of the leading StreamCopyBegin; TSR_UNKNOWN without one */
  gint64 model_from, model_to; /* docs/formulas.md#runs; TSR_UNKNOWN */
} TsrTraceRunPart;

/* Where the steps of one run stand among the slices of an IPU that have times (@n of them; 0: it
 * has slices, but none with times): all of them are in [first, end), and end before @reach. @alone:
 * nothing of another run is there, nor runs meanwhile, so that a span of the run is a span of the
 * IPU. */
typedef struct
{
  guint run;
  guint32 first, end;
  guint32 n;
  gint64 reach; /* at least one cycle after the last start */
  gboolean alone;
} TsrTraceExtent;

/* Sums of an IPU: see tsr-trace-sums.c. */
#define TSR_TRACE_N_GROUPS (TSR_TRACE_MAX_TYPES + TSR_N_COPY_KINDS + 3)
typedef struct
{
  guint32 n;       /* slices of the group; 0 when it has none or is dense */
  guint32 *slices; /* in order */
  gint64 *states;  /* [(n + 1) * words of the group]: before each of them, and at the end */
} TsrTraceSparse;
typedef struct
{
  guint n_words;                      /* of a block */
  gboolean dense[TSR_TRACE_N_GROUPS]; /* the group's states stand in blocks */
  TsrTraceSparse sparse[TSR_TRACE_N_GROUPS];
  gint64 *blocks; /* [block * n_words] */
  gint64 *starts; /* [n_blocks] of the first slice of each */
  gsize n_blocks; /* that have a slice */
  gsize size;
} TsrTraceSumTable;

typedef struct
{
  guint ipu;
  gsize first, told, end; /* slices: [first, told) have times */
  guint n_lanes, first_track;
  TsrTraceLane *lanes;
  guint32 *strays; /* (nullable) slices that took time and found no lane, in order */
  gsize n_strays;
  GArray *runs;    /* TsrTraceRunPart, by run */
  GArray *extents; /* TsrTraceExtent, by run */
  /* Greatest step up to the end of each block of slices and least one from its begin on: where a
   * step can be.  Of [first, told), then of [told, end). */
  guint32 *step_most[2], *step_least[2];
  TsrTraceSumTable sums;
  gint64 from, to;   /* of slices that took time; from > to: none did */
  gboolean start_up; /* it has such a slice */
  gsize size;        /* bytes of all of this, lanes and sums left out */
} TsrTraceIpu;

/* Parts of a name: entries part_start[name] .. part_start[name + 1] - 1. */
typedef struct
{
  guint n;
  const char **text;
  guint32 *length;
  guint32 *part_start;
  guint32 *part_from, *part_to; /* bytes in the text */
  guint32 *part_node;           /* equal when all up to this part is equal */
  const char **title;           /* [n] what people see: the text, or the label of a sync's type */
  guint8 *marks;                /* TSR_NAME_...: by name */
  guint32 *of_program, *of_set; /* name of each row, or TSR_NO_NAME */
} TsrTraceNames;
#define TSR_NAME_FROM_HOST 1 /* a part of it ends in "copyFromHost" */
#define TSR_NAME_TO_HOST   2

typedef struct _TsrTraceTileCache TsrTraceTileCache;

struct _TsrTrace
{
  const TsrExecutionTables *tables;
  const TsrProgramTables *programs; /* (nullable) */
  TsrReport *report;                /* (nullable) */
  gatomicrefcount count;

  double clock;
  gint64 tiles_per_ipu, ipus_per_replica;
  gint64 real_replica; /* profiler.replicaToProfile, or TSR_UNKNOWN */

  TsrTraceType types[TSR_TRACE_MAX_TYPES];
  guint n_types;
  char *own_labels[TSR_TRACE_MAX_TYPES]; /* those that had to be made unique */
  /* Indexes of the types that have a meaning here; TSR_TRACE_NO_TYPE if the trace has no such
   * type. */
  guint8 compute, global, transfer, copy_begin, start_up, copy_end;
  guint8 *copy_kind; /* [n_programs] TsrCopyKind */

  guint8 *slice_type; /* [slices] */
  gsize n_slices;
  TsrTraceNames names;

  guint n_ipus;
  TsrTraceIpu *ipus;
  guint n_tracks;
  TsrTraceLane **tracks;
  TsrTraceRun *runs;
  gint64 from, to;
  TsrTraceTileCache *tiles;
  gsize size;
};

/* ---- small helpers */
static inline guint32
tsr_trace_step_name (const TsrTrace *self, guint32 step)
{
  const TsrExecutionTables *t = self->tables;
  guint32 name = TSR_NO_NAME;

  if (step >= t->n_steps || self->programs == NULL)
    return TSR_NO_NAME;
  if (t->step_compute_set[step] < self->programs->n_compute_sets)
    name = self->names.of_set[t->step_compute_set[step]];
  if (name == TSR_NO_NAME && t->step_program[step] < self->programs->n_programs)
    name = self->names.of_program[t->step_program[step]];
  return name;
}

static inline guint32
tsr_trace_step_run (const TsrTrace *self, guint32 step)
{
  guint16 run = step < self->tables->n_steps ? self->tables->step_run[step] : G_MAXUINT16;

  return run < self->tables->n_runs ? run : TSR_NO_INDEX;
}

/* Cycles of [start, end); 0 when it took no time. */
static inline guint64
tsr_trace_cycles (const TsrExecutionTables *t, guint32 slice)
{
  return t->slice_end[slice] > t->slice_start[slice]
             ? (guint64)t->slice_end[slice] - (guint64)t->slice_start[slice]
             : 0;
}

/* Bit of a slice's type in a mask of hidden ones. */
static inline gboolean
tsr_trace_is_hidden (const TsrTrace *self, guint32 slice, guint32 hidden)
{
  return (hidden >> self->slice_type[slice]) & 1;
}

static inline guint32
tsr_trace_lane_slice (const TsrTraceLane *lane, gsize position)
{
  return lane->slices != NULL ? lane->slices[position] : lane->base + (guint32)position;
}

/* (transfer full) [@n] TSR_NO_INDEX. */
static inline guint32 *
tsr_trace_new_unset (gsize n)
{
  guint32 *values = g_new (guint32, n);

  for (gsize i = 0; i < n; i++)
    values[i] = TSR_NO_INDEX;
  return values;
}

/* First of [first, end) with a start of @cycles or later. */
gsize tsr_trace_lower_start (const TsrExecutionTables *t, gsize first, gsize end, gint64 cycles);

/* Names, types of steps and copy kinds (tsr-trace-names.c).  _init_types: [n_steps + 1] (transfer
 * full) type of each step, never the start-up one; the last is that of slices without a step. */
guint8 *tsr_trace_init_types (TsrTrace *self);
void tsr_trace_drop_start_up (TsrTrace *self);
void tsr_trace_init_names (TsrTrace *self);
void tsr_trace_init_titles (TsrTrace *self, const guint8 *step_type);
void tsr_trace_clear_names (TsrTrace *self);

/* Lane of a slice, G_MAXUINT: none. */
guint tsr_trace_get_lane_of (const TsrTrace *self, guint32 slice);

/* Parts of an IPU: each may run in a thread of its own.  FALSE: cancelled. */
gboolean tsr_trace_init_slices (TsrTrace *self,
                                TsrTraceIpu *ipu,
                                const guint8 *step_type,
                                GCancellable *cancellable);
gboolean tsr_trace_init_lanes (TsrTrace *self, TsrTraceIpu *ipu, GCancellable *cancellable);
gboolean tsr_trace_init_sums (TsrTrace *self, TsrTraceIpu *ipu, GCancellable *cancellable);
gboolean tsr_trace_init_flame (TsrTrace *self, TsrTraceLane *lane, GCancellable *cancellable);
void tsr_trace_init_row (TsrTrace *self, const TsrTraceLane *lane, TsrTraceRowData *data);
void tsr_trace_clear_row (TsrTraceRowData *data);
gsize tsr_trace_get_row_size (const TsrTraceRowData *data);
void tsr_trace_clear_lanes (TsrTraceIpu *ipu);
void tsr_trace_clear_flame (TsrTraceLane *lane);
void tsr_trace_clear_sums (TsrTraceIpu *ipu);

/* What the flame makes of a slice. */
typedef enum
{
  TSR_FLAME_PATH, /* parts of its name */
  TSR_FLAME_COPY, /* "StreamCopy", then Begin, Mid or End */
  TSR_FLAME_SYNC, /* belongs to what is around it */
  TSR_FLAME_BARE, /* no name: an item of row 0 of its own */
} TsrFlameKind;

TsrTraceTileCache *tsr_trace_tile_cache_new (void);
void tsr_trace_tile_cache_free (TsrTraceTileCache *self);

G_END_DECLS

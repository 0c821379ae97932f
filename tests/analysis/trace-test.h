/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of an execution built by hand, for tests of the trace and of what stands on it: add runs,
 * steps and slices in any order, then take the tables or a trace of them.
 *
 *   TraceTest *t = trace_test_new (2);
 *   guint32 step = trace_test_add_step (t, "OnTileExecute", "model/fc");
 *   trace_test_add (t, step, 0, 100, 250)->active_tiles = 30;
 *   g_autoptr (TsrTrace) trace = trace_test_build (t);
 *   ...
 *   trace_test_free (t);   (after the trace) */

#pragma once

#include "tsr-trace.h"

G_BEGIN_DECLS

/* What a slice tells; all but start and end are unknown (NaN) until set. */
typedef struct
{
  guint32 step;
  guint ipu;
  gint64 start, end;
  gint64 lead_in, cycles, active_tiles, data_in, data_out;
  float tile_balance, active_tile_balance;
} TraceTestSlice;

typedef struct
{
  TsrExecutionTables tables;
  TsrProgramTables programs;
  TsrTarget target; /* nothing told: set what the test needs before _build */
  GArray *slices;   /* TraceTestSlice, until sealed */
  gboolean sealed;
} TraceTest;

TraceTest *trace_test_new (guint n_ipus);
void trace_test_free (TraceTest *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TraceTest, trace_test_free)

/* Steps that are added from now on belong to this run; complete, not measured.  Its row. */
guint trace_test_begin_run (TraceTest *self, const char *name);

/* The next step, its row; step ids are the rows until one is set with _set_step_id.  Its program
 * is the one of this @type and @name (nullable: it has none), made when there is none. */
guint32 trace_test_add_step (TraceTest *self, const char *type, const char *name);
/* The same with a compute set of its own name (made when there is none of that name). */
guint32 trace_test_add_compute (TraceTest *self, const char *compute_set);
void trace_test_set_step_id (TraceTest *self, guint32 step, gint64 id);
void trace_test_set_tile_cycles (TraceTest *self, guint32 step, gint64 set_id);

/* Row of the program of this type and name; made when there is none. */
guint32 trace_test_get_program (TraceTest *self, const char *type, const char *name);
/* "host", "remote_buffer", "both": of the program. */
void trace_test_set_copy_kind (TraceTest *self, guint32 program, const char *kind);

/* The part of @ipu in @step; valid until the next one is added.  TSR_UNKNOWN for start or end: its
 * times are not told. */
TraceTestSlice *trace_test_add (TraceTest *self, guint32 step, guint ipu, gint64 start, gint64 end);
/* A step with a part in one IPU, or (ipu G_MAXUINT) the same one in all of them.  Its row. */
guint32 trace_test_add_simple (
    TraceTest *self, const char *type, const char *name, guint ipu, gint64 start, gint64 end);

/* Sorts the slices into the tables; nothing is added afterwards.  Done by _build. */
void trace_test_seal (TraceTest *self);
/* (transfer full): a trace of the tables, which must outlive it. */
TsrTrace *trace_test_build (TraceTest *self);

/* @n_steps random steps of up to @n_types types on all IPUs: lanes that overlap, steps that an IPU
 * has no part in, steps without time, figures that are not told here and there.  Sealed. */
TraceTest *trace_test_new_random (guint seed, guint n_ipus, guint n_steps, guint n_types);

/* Compares all figures of the span with a loop over the IPU's slices (trace-sums-test.c). */
void
trace_test_check_sums (const TsrTrace *trace, guint ipu, gint64 from, gint64 to, guint32 hidden);
/* The same of the steps of one run. */
void trace_test_check_run_sums (
    const TsrTrace *trace, guint run, guint ipu, gint64 from, gint64 to, guint32 hidden);

G_END_DECLS

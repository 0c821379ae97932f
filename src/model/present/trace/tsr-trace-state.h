/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a window shows of a trace and what is selected in it: one object that the trace page's parts
 * share.  Names and numbers, not indexes, so that it outlives a reload.  Main thread.
 *
 * Signals: "options-changed" (how it is drawn), "hidden-changed" (types: figures change too),
 * "span-changed", "steps-changed", "search-changed", "run-changed", "markers-changed". */

#pragma once

#include "tsr-trace.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_STATE (tsr_trace_state_get_type ())
G_DECLARE_FINAL_TYPE (TsrTraceState, tsr_trace_state, TSR, TRACE_STATE, GObject)

typedef enum
{
  TSR_TRACE_OPTION_BSP = 1 << 0,     /* tiles on y, below the rows of each IPU */
  TSR_TRACE_OPTION_TIME = 1 << 1,    /* microseconds, not cycles; needs a clock */
  TSR_TRACE_OPTION_FOLD = 1 << 2,    /* long host waits as notches */
  TSR_TRACE_OPTION_BALANCE = 1 << 3, /* lower part of a step darkened by 1 - tile balance */
  TSR_TRACE_OPTION_LANES = 1 << 4,   /* steps that overlap stand in lanes of their own */
  TSR_TRACE_OPTION_LABELS = 1 << 5,
  TSR_TRACE_OPTION_GROUP_SYNCS = 1 << 6,  /* neighbouring syncs are one block */
  TSR_TRACE_OPTION_BLOCKS = 1 << 7,       /* rows of lightweight-profiling blocks */
  TSR_TRACE_OPTION_FLUSHES = 1 << 8,      /* with the profiler's own copies */
  TSR_TRACE_OPTION_ALIGN_CLOCKS = 1 << 9, /* blocks of every IPU begin with IPU 0's */
  TSR_TRACE_OPTION_USE = 1 << 10,         /* what shares the time, below the rows of each IPU */
  TSR_TRACE_OPTION_LIVE = 1 << 11,        /* memory live on each IPU, below its rows */
} TsrTraceOptions;
#define TSR_TRACE_OPTIONS_DEFAULT                                                                  \
  (TSR_TRACE_OPTION_FOLD | TSR_TRACE_OPTION_BALANCE | TSR_TRACE_OPTION_LANES                       \
   | TSR_TRACE_OPTION_LABELS | TSR_TRACE_OPTION_BLOCKS | TSR_TRACE_OPTION_ALIGN_CLOCKS)

TsrTraceState *tsr_trace_state_new (void);
/* (transfer full): another one with the same in it, that nobody else has. */
TsrTraceState *tsr_trace_state_dup (TsrTraceState *self);
void tsr_trace_state_clear (TsrTraceState *self); /* a new report: all but the options */

TsrTraceShape tsr_trace_state_get_shape (TsrTraceState *self);
void tsr_trace_state_set_shape (TsrTraceState *self, TsrTraceShape shape);
gboolean tsr_trace_state_has (TsrTraceState *self, TsrTraceOptions option);
void tsr_trace_state_set_option (TsrTraceState *self, TsrTraceOptions option, gboolean on);
/* All at once. */
void
tsr_trace_state_set_options (TsrTraceState *self, TsrTraceShape shape, TsrTraceOptions options);

/* Labels of hidden step types (TsrTraceType.label), and as a mask for @trace. */
void tsr_trace_state_set_hidden (TsrTraceState *self, const char *label, gboolean hidden);
const char *const *tsr_trace_state_peek_hidden (TsrTraceState *self);
guint32 tsr_trace_state_get_hidden_mask (TsrTraceState *self, const TsrTrace *trace);

/* The run that is looked at: its row; TSR_TRACE_RUN_PROFILED: the one that the trace names;
 * TSR_TRACE_RUN_ALL. */
#define TSR_TRACE_RUN_PROFILED (-1)
#define TSR_TRACE_RUN_ALL      (-2)
int tsr_trace_state_get_run (TsrTraceState *self);
void tsr_trace_state_set_run (TsrTraceState *self, int run);
/* That run of @trace, whose steps figures are of; NULL: all, also when it took no time. */
const TsrTraceRun *tsr_trace_state_get_chosen_run (TsrTraceState *self, const TsrTrace *trace);
/* Cycles [from, to) that the chosen run covers in @trace: the domain of the chart. */
void
tsr_trace_state_get_domain (TsrTraceState *self, const TsrTrace *trace, gint64 *from, gint64 *to);

/* IPUs: only one (TSR_NO_INDEX: all), pinned ones stand first and do not scroll away, collapsed
 * ones show one row. */
guint tsr_trace_state_get_ipu (TsrTraceState *self);
void tsr_trace_state_set_ipu (TsrTraceState *self, guint ipu);
gboolean tsr_trace_state_is_pinned (TsrTraceState *self, guint ipu);
void tsr_trace_state_set_pinned (TsrTraceState *self, guint ipu, gboolean pinned);
gboolean tsr_trace_state_is_collapsed (TsrTraceState *self, guint ipu);
void tsr_trace_state_set_collapsed (TsrTraceState *self, guint ipu, gboolean collapsed);
/* IPUs 0 to @n_ipus - 1 at once. */
void tsr_trace_state_set_all_collapsed (TsrTraceState *self, guint n_ipus, gboolean collapsed);

/* A measured span of cycles: statistics follow it.  FALSE: there is none. */
gboolean tsr_trace_state_get_span (TsrTraceState *self, gint64 *from, gint64 *to);
void tsr_trace_state_set_span (TsrTraceState *self, gint64 from, gint64 to); /* from >= to: none */

/* Selected slices as (step id, IPU), in the order in which they were chosen: at most
 * TSR_TRACE_MAX_SELECTED of them are listed; a whole group, of any size, is selected by what its
 * steps have in common (names, types, compute sets). */
const TsrTraceStepRef *tsr_trace_state_peek_steps (TsrTraceState *self, guint *n_steps);
void tsr_trace_state_set_steps (TsrTraceState *self, const TsrTraceStepRef *steps, guint n_steps);
void tsr_trace_state_toggle_step (TsrTraceState *self, gint64 step_id, guint ipu);
/* (nullable): what is selected as a whole. */
TsrTraceMatches *tsr_trace_state_get_selected_group (TsrTraceState *self);
void tsr_trace_state_set_selected_group (TsrTraceState *self, TsrTraceMatches *matches);

/* The search: a filter's text, and the names that match in the trace that is shown. */
const char *tsr_trace_state_get_search (TsrTraceState *self); /* "" without */
TsrTraceMatches *tsr_trace_state_get_matches (TsrTraceState *self);
void tsr_trace_state_set_search (TsrTraceState *self, const char *text, TsrTraceMatches *matches);

/* Markers: a place or span with a note of the user's; kept by ui/session outside the report. */
typedef struct
{
  gint64 from, to; /* cycles; equal: a place */
  char *note;
} TsrTraceMarker;
const GPtrArray *tsr_trace_state_peek_markers (TsrTraceState *self); /* TsrTraceMarker, by from */
void tsr_trace_state_add_marker (TsrTraceState *self, gint64 from, gint64 to, const char *note);
void tsr_trace_state_set_marker_note (TsrTraceState *self, guint marker, const char *note);
void tsr_trace_state_remove_marker (TsrTraceState *self, guint marker);
void tsr_trace_state_take_markers (TsrTraceState *self, GPtrArray *markers);
GPtrArray *tsr_trace_markers_new (void);

G_END_DECLS

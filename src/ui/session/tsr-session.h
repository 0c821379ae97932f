/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What one window works on, as observable objects: the report and what is computed from it, the
 * selected tiles, the units, the visible range of each chart and the options of each page.  Pages
 * bind to it and never talk to each other.  All of it survives a reload as far as the new report
 * allows.  Main thread.
 *
 * Properties to watch with notify: "report", "units", "tiles-per-ipu", and one for each node of
 * TsrData: "memory", "liveness", "vertices", "trace", "insights" ...  Signal "stage-changed"
 * (TsrStage) of the report that is shown. */

#pragma once

#include "tsr-link.h"
#include "tsr-report-data.h"
#include "tsr-settings.h"
#include "tsr-step-selection.h"
#include "tsr-subject.h"
#include "tsr-tile-selection.h"
#include "tsr-trace-state.h"
#include "tsr-view-state.h"
#include "tsr-viewport.h"

G_BEGIN_DECLS

#define TSR_TYPE_SESSION (tsr_session_get_type ())
G_DECLARE_FINAL_TYPE (TsrSession, tsr_session, TSR, SESSION, GObject)

TsrSession *tsr_session_new (TsrSettings *settings);
TsrSettings *tsr_session_get_settings (TsrSession *self);

/* (transfer none) (nullable).  Setting one cancels the loading of the one before, forgets nothing
 * else; tiles that the new report does not have leave the selection when its memory is there. */
TsrReport *tsr_session_get_report (TsrSession *self);
void tsr_session_set_report (TsrSession *self, TsrReport *report);

/* Somebody shows what comes from @stage: read from here on where reading is slow
 * (tsr_report_want), as long as this report is shown. */
void tsr_session_want (TsrSession *self, TsrStage stage);
/* TRUE while @stage is to be read, or being read, and has not ended. */
gboolean tsr_session_is_stage_pending (TsrSession *self, TsrStage stage);

/* Forgets report, selection, ranges and page options. */
void tsr_session_close (TsrSession *self);

/* (transfer none) (nullable): NULL until it is computed; the property of its name says when.  A
 * node that is on request is computed from the first call on. */
gpointer tsr_session_get_data (TsrSession *self, TsrData node);
/* (transfer none) (nullable): as it is, without asking for it. */
gpointer tsr_session_peek_data (TsrSession *self, TsrData node);
/* TRUE from the start of loading until it is there or cannot be had. */
gboolean tsr_session_is_data_pending (TsrSession *self, TsrData node);

static inline TsrMemory *
tsr_session_get_memory (TsrSession *self)
{
  return tsr_session_get_data (self, TSR_DATA_MEMORY);
}

static inline TsrLiveness *
tsr_session_get_liveness (TsrSession *self)
{
  return tsr_session_get_data (self, TSR_DATA_LIVENESS);
}

static inline TsrVertices *
tsr_session_get_vertices (TsrSession *self)
{
  return tsr_session_get_data (self, TSR_DATA_VERTICES);
}

static inline TsrTrace *
tsr_session_get_trace (TsrSession *self)
{
  return tsr_session_get_data (self, TSR_DATA_TRACE);
}

static inline TsrInsights *
tsr_session_get_insights (TsrSession *self)
{
  return tsr_session_get_data (self, TSR_DATA_INSIGHTS);
}

static inline TsrPrograms *
tsr_session_get_programs (TsrSession *self)
{
  return tsr_session_get_data (self, TSR_DATA_PROGRAMS);
}

static inline TsrProgramCode *
tsr_session_get_program_code (TsrSession *self)
{
  return tsr_session_get_data (self, TSR_DATA_PROGRAM_CODE);
}

static inline TsrOperations *
tsr_session_get_operations (TsrSession *self)
{
  return tsr_session_get_data (self, TSR_DATA_OPERATIONS);
}

static inline TsrPlan *
tsr_session_get_plan (TsrSession *self)
{
  return tsr_session_get_data (self, TSR_DATA_PLAN);
}

static inline TsrTraceLive *
tsr_session_get_trace_live (TsrSession *self)
{
  return tsr_session_get_data (self, TSR_DATA_TRACE_LIVE);
}

/* The layer whose operations those are, by the file's word; NULL: the first that they have. */
void tsr_session_set_layer (TsrSession *self, const char *layer);

/* (transfer none): what is shown of the trace and selected in it. */
TsrTraceState *tsr_session_get_trace_state (TsrSession *self);
/* TRUE while the lowered variables are still being read: what needs them may come. */
gboolean tsr_session_is_lowered_pending (TsrSession *self);

/* (nullable) (transfer none): why the user's markers of the trace could not be kept; signal
 * "markers-error-changed".  They stay in the window. */
const char *tsr_session_get_markers_error (TsrSession *self);

/* (transfer none) */
TsrTileSelection *tsr_session_get_selection (TsrSession *self);
/* (transfer none): liveness steps, source and variables that are selected. */
TsrStepSelection *tsr_session_get_steps (TsrSession *self);
TsrUnits tsr_session_get_units (TsrSession *self);

/* (transfer none): what was selected last.  Steps of the trace, liveness steps and variables come
 * here by themselves when they are selected. */
const TsrSubject *tsr_session_peek_subject (TsrSession *self);
/* Another one for each subject; 0 before the first. */
guint tsr_session_get_subject_serial (TsrSession *self);
/* The user selected it. */
void tsr_session_set_subject (TsrSession *self, const TsrSubject *subject);
/* The user selected nothing in place of what is of that kind. */
void tsr_session_drop_subject (TsrSession *self, TsrSubjectKind kind);
/* In between, what is selected follows from the subject, or is what a page was left with: it is no
 * subject.  They nest. */
void tsr_session_hold_subject (TsrSession *self);
void tsr_session_release_subject (TsrSession *self);
/* Whether the liveness steps (the variables) that are selected were so between these. */
gboolean tsr_session_has_shared_steps (TsrSession *self);
gboolean tsr_session_has_shared_variables (TsrSession *self);

/* The user's number of tiles per IPU where the file does not tell it; 0: as in the file.  The
 * memory is computed again. */
guint tsr_session_get_tiles_per_ipu (TsrSession *self);
void tsr_session_set_tiles_per_ipu (TsrSession *self, guint tiles_per_ipu);

/* (transfer none): the visible range of the chart named @key ("memory"), made on the first call. */
TsrViewport *tsr_session_get_viewport (TsrSession *self, const char *key);

/* (transfer none): the options of the view named @key ("liveness"), made from that table on the
 * first call. */
TsrViewState *tsr_session_get_view_state (TsrSession *self,
                                          const char *key,
                                          const TsrViewOption *options,
                                          guint n_options);

/* What is selected and visible, as words of a link (tsr-link.h): tiles, source, steps, variables,
 * and the range of @view's chart. */
void tsr_session_save_words (TsrSession *self, TsrView view, GHashTable *words);
/* Takes them up again, in place of what is selected; each as soon as the data that it needs are
 * there. What the report does not have is left out. */
void tsr_session_load_words (TsrSession *self, TsrView view, GHashTable *words);

/* Anything else that a page wants back after a reload or when it is made again: a GVariant of its
 * own under its own key. */
GVariant *tsr_session_get_state (TsrSession *self,
                                 const char *key); /* (transfer none) (nullable) */
void tsr_session_set_state (TsrSession *self, const char *key, GVariant *value);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The user's markers of a trace, kept beside the user's other data and never in the report's
 * folder: a key file for each report that has any, named by what the report is (its path, and size
 * and time of its profile).  A report that was recorded anew has none of the old one's.  Main
 * thread. */

#pragma once

#include "tsr-report.h"
#include "tsr-trace-state.h"

G_BEGIN_DECLS

#define TSR_MARKERS_MOST 10000

typedef struct _TsrMarkers TsrMarkers;

/* Follows @state's markers.  @folder (nullable): where the files are; NULL: in the user's data. */
TsrMarkers *tsr_markers_new (TsrTraceState *state, const char *folder);
/* Keeps what has not been kept yet. */
void tsr_markers_free (TsrMarkers *self);
/* Keeps the markers of the report before, and hands those of @report (nullable) to the state.  Its
 * summary must be there. */
void tsr_markers_set_report (TsrMarkers *self, TsrReport *report);
/* Changes are kept half a second later; this keeps them now, and what could not be kept before. */
void tsr_markers_flush (TsrMarkers *self);
/* (nullable): why the last change could not be kept. */
const GError *tsr_markers_get_error (TsrMarkers *self);
/* @func is called when a change could not be kept, and when it could after one that could not. */
void tsr_markers_set_error_func (TsrMarkers *self, void (*func) (gpointer data), gpointer data);

G_END_DECLS

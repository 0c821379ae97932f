/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The selected steps of the trace, a block each: a bar in the colour of its type, its facts, and
 * the cycles of its tiles as a graph, whose tiles are selected in the window.  Actions: rows.copy
 * (Ctrl+C), rows.copy-all, rows.save: all facts as CSV. */

#pragma once

#include "tsr-session.h"
#include "tsr-table-answer.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_STEP_LIST (tsr_trace_step_list_get_type ())
G_DECLARE_FINAL_TYPE (TsrTraceStepList, tsr_trace_step_list, TSR, TRACE_STEP_LIST, GtkWidget)

/* @by_cycles of @options: graphs order their tiles by cycles. */
TsrTraceStepList *
tsr_trace_step_list_new (TsrSession *session, TsrViewState *options, guint by_cycles);
/* (nullable); it need not stay.  Without steps its words are shown. */
void tsr_trace_step_list_set_answer (TsrTraceStepList *self, const TsrTableAnswer *answer);
/* (transfer full): all blocks, a line for each fact. */
char *tsr_trace_step_list_dup_text (TsrTraceStepList *self);

G_END_DECLS

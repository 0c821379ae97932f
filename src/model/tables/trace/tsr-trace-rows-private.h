/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the files that answer the questions of the trace's tabs. */

#pragma once

#include "tsr-grid.h"
#include "tsr-trace-rows.h"

G_BEGIN_DECLS

/* Columns; those that are not to be added up say so. */
TsrRowColumn *tsr_trace_column (
    const char *key, const char *title, const char *definition, TsrValueKind kind, gboolean summed);
/* A fraction as rows have it: parts in 10^9; TSR_UNKNOWN for NaN. */
gint64 tsr_trace_fraction (double fraction);
gint64 tsr_trace_share (gint64 part, gint64 whole);
gint64 tsr_trace_round (double number); /* TSR_UNKNOWN for NaN */
/* (transfer none): the key of the row of an IPU. */
const char *tsr_trace_intern_ipu_key (TsrGrid *grid, guint ipu);
void tsr_trace_answer_say (TsrTraceAnswer *answer, const char *title, const char *text);
/* (transfer full): [n_ipus] of what is asked for; NULL: all. */
guint8 *tsr_trace_question_dup_ipus (const TsrTraceQuestion *question);

gboolean tsr_trace_answer_summary (const TsrTraceQuestion *question,
                                   TsrTraceAnswer *answer,
                                   GCancellable *cancellable,
                                   GError **error);
gboolean tsr_trace_answer_details (const TsrTraceQuestion *question,
                                   TsrTraceAnswer *answer,
                                   GCancellable *cancellable,
                                   GError **error);
gboolean tsr_trace_answer_aggregate (const TsrTraceQuestion *question,
                                     TsrTraceAnswer *answer,
                                     GCancellable *cancellable,
                                     GError **error);
gboolean tsr_trace_answer_stages (const TsrTraceQuestion *question,
                                  TsrTraceAnswer *answer,
                                  GCancellable *cancellable,
                                  GError **error);
gboolean tsr_trace_answer_overlap (const TsrTraceQuestion *question,
                                   TsrTraceAnswer *answer,
                                   GCancellable *cancellable,
                                   GError **error);
gboolean tsr_trace_answer_waits (const TsrTraceQuestion *question,
                                 TsrTraceAnswer *answer,
                                 GCancellable *cancellable,
                                 GError **error);
gboolean tsr_trace_answer_tiles (const TsrTraceQuestion *question,
                                 TsrTraceAnswer *answer,
                                 GCancellable *cancellable,
                                 GError **error);

G_END_DECLS

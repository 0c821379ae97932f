/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Looks for steps of a trace by the names of their programs.  Names, next match and count are found
 * in workers; what matches is set in the session's trace state.
 *
 * Signal beside those of the bar: "found" (guint slice): go there. */

#pragma once

#include "tsr-match-bar.h"
#include "tsr-session.h"

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_SEARCH (tsr_trace_search_get_type ())
G_DECLARE_FINAL_TYPE (TsrTraceSearch, tsr_trace_search, TSR, TRACE_SEARCH, TsrMatchBar)

/* Once. */
void tsr_trace_search_set_session (TsrTraceSearch *self, TsrSession *session);
void tsr_trace_search_set_text (TsrTraceSearch *self, const char *text);
const char *tsr_trace_search_get_text (TsrTraceSearch *self);
/* Looks for the match after or before @slice (direction 1, -1), around the end; TSR_NO_SLICE: the
 * first or the last.  "found" says which. */
void tsr_trace_search_find (TsrTraceSearch *self, guint32 slice, int direction);
/* How many there are, and how many before the one that was found last; G_MAXUINT64: not counted. */
guint64 tsr_trace_search_get_count (TsrTraceSearch *self, guint64 *place);
gboolean tsr_trace_search_is_busy (TsrTraceSearch *self);

G_END_DECLS

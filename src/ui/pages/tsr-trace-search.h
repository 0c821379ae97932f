/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An entry that looks for steps by the names of their programs, with the number of matches and
 * buttons to the one before and after.  Names, next match and count are found in workers; what
 * matches is set in the session's trace state.
 *
 * Signals: "found" (guint slice): go there; "previous" and "next": the user wants to go on;
 * "left": the keyboard goes elsewhere. */

#pragma once

#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_SEARCH (tsr_trace_search_get_type ())
G_DECLARE_FINAL_TYPE (TsrTraceSearch, tsr_trace_search, TSR, TRACE_SEARCH, GtkWidget)

TsrTraceSearch *tsr_trace_search_new (void);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The popovers of markers: a list of them, to go there and to take them away, and an entry for the
 * note of one.
 *
 * Signal of the list: "jump" (guint marker). */

#pragma once

#include "tsr-trace-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_NOTES (tsr_trace_notes_get_type ())
G_DECLARE_FINAL_TYPE (TsrTraceNotes, tsr_trace_notes, TSR, TRACE_NOTES, GtkPopover)

/* Once.  @trace (nullable) may be told again: it formats the cycles. */
void tsr_trace_notes_set_state (TsrTraceNotes *self, TsrTraceState *state);
void tsr_trace_notes_set_trace (TsrTraceNotes *self, TsrTrace *trace);
/* @text (nullable): why markers are not kept, below them. */
void tsr_trace_notes_set_error (TsrTraceNotes *self, const char *text);
/* (transfer none), for tests */
GtkListBox *tsr_trace_notes_get_list (TsrTraceNotes *self);

#define TSR_TYPE_TRACE_NOTE (tsr_trace_note_get_type ())
G_DECLARE_FINAL_TYPE (TsrTraceNote, tsr_trace_note, TSR, TRACE_NOTE, GtkPopover)

/* Asks for the note of a new marker at [from, to], or of one that there is.  The popover must have
 * a parent. */
TsrTraceNote *tsr_trace_note_new (TsrTraceState *state);
void tsr_trace_note_ask_new (TsrTraceNote *self, gint64 from, gint64 to);
void tsr_trace_note_ask (TsrTraceNote *self, guint marker);
/* As if @text had been typed and Enter pressed; for tests. */
void tsr_trace_note_enter (TsrTraceNote *self, const char *text);

G_END_DECLS

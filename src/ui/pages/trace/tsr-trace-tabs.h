/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The details of the Execution Trace: a notebook with the tabs Summary, Details, Aggregate, Stages,
 * Overlap and Tiles on its own top edge.  It follows the session's trace and trace state (run, IPU,
 * hidden types, span, selected steps) and the selected tiles by itself; the page tells only which
 * range is visible.  What it selects (a group of Aggregate, a step, tiles) it sets in the state or
 * in the tile selection; where to look it asks with "go-to".  Only the tab that is shown is
 * computed, in a worker.
 *
 * The cycles that figures are of: the state's span; without one the selected step, in a tab that
 * is about steps; else the visible range.
 *
 * Signals: "tab-changed"; "go-to" (gint64 from, gint64 to): bring these cycles into view. */

#pragma once

#include "tsr-row-view.h"
#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_TABS (tsr_trace_tabs_get_type ())
G_DECLARE_FINAL_TYPE (TsrTraceTabs, tsr_trace_tabs, TSR, TRACE_TABS, GtkWidget)

TsrTraceTabs *tsr_trace_tabs_new (TsrSession *session);

/* Cycles [from, to) that are visible, told when they have settled; from >= to: not known, then the
 * figures are those of the chosen run. */
void tsr_trace_tabs_set_range (TsrTraceTabs *self, gint64 from, gint64 to);

/* "summary", "details", "aggregate", "stages", "overlap", "tiles"; FALSE for no tab. */
gboolean tsr_trace_tabs_set_tab (TsrTraceTabs *self, const char *nick);
const char *tsr_trace_tabs_get_tab (TsrTraceTabs *self);
/* Shows the next or the previous tab (1, -1), around the end. */
void tsr_trace_tabs_turn (TsrTraceTabs *self, int direction);

/* Word "tab" and the tabs' own options, as in TsrPage. */
void tsr_trace_tabs_save_words (TsrTraceTabs *self, GHashTable *words);
void tsr_trace_tabs_load_words (TsrTraceTabs *self, GHashTable *words);

/* (transfer full): what the tab that is shown says, for "Copy all as text". */
char *tsr_trace_tabs_dup_text (TsrTraceTabs *self);
/* (transfer none): what is shown has the actions rows.copy, rows.copy-all and rows.save. */
GtkWidget *tsr_trace_tabs_get_table (TsrTraceTabs *self);
/* (transfer none) (nullable): the table of a tab, for tests. */
TsrRowView *tsr_trace_tabs_get_view (TsrTraceTabs *self, const char *nick);
gboolean tsr_trace_tabs_is_busy (TsrTraceTabs *self);

G_END_DECLS

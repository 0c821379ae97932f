/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tabs under the Execution Trace (TsrTabs).  The page tells only which range is visible.  What
 * rows select (a group of Aggregate, a step, tiles) is set in the trace's state or in the tile
 * selection; where to look is asked with "go-to".
 *
 * The cycles that figures are of: the state's span; without one the selected step, in a tab that
 * is about steps; else the visible range.
 *
 * Signal: "go-to" (gint64 from, gint64 to): bring these cycles into view. */

#pragma once

#include "tsr-tabs.h"
#include "tsr-trace-marks.h"

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_TABS (tsr_trace_tabs_get_type ())
G_DECLARE_FINAL_TYPE (TsrTraceTabs, tsr_trace_tabs, TSR, TRACE_TABS, TsrTabs)

TsrTraceTabs *tsr_trace_tabs_new (TsrSession *session);

/* Details tells of the marked steps (@marks nullable, of @trace) while no single one is selected.
 */
void
tsr_trace_tabs_set_marks (TsrTraceTabs *self, const TsrTrace *trace, const TsrTraceMarks *marks);
/* Cycles [from, to) that are visible, told when they have settled; from >= to: not known, then the
 * figures are those of the chosen run. */
void tsr_trace_tabs_set_range (TsrTraceTabs *self, gint64 from, gint64 to);

/* (transfer full): what the tab that is shown says, for "Copy all as text". */
char *tsr_trace_tabs_dup_text (TsrTraceTabs *self);
gboolean tsr_trace_tabs_is_busy (TsrTraceTabs *self);

G_END_DECLS

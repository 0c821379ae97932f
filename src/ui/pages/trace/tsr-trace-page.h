/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Execution Trace: what every IPU did when, as a chart, and what it adds up to, in tabs. */

#pragma once

#include "tsr-page.h"
#include "tsr-split.h"
#include "tsr-trace-notes.h"
#include "tsr-trace-search.h"
#include "tsr-trace-tabs.h"
#include "tsr-trace-view.h"

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_PAGE (tsr_trace_page_get_type ())
G_DECLARE_FINAL_TYPE (TsrTracePage, tsr_trace_page, TSR, TRACE_PAGE, TsrPage)

/* Actions: trace.shape ("flat", "flame"), trace.tile-order ("number", "finish"), trace.bsp, .time,
 * .fold, .balance, .lanes, .labels, .group-syncs, .blocks, .flushes, .align-clocks, .utilisation,
 * .live-memory (booleans), .search, .next-match, .previous-match, .edit-range, .edit-run,
 * .edit-ipu, .edit-types, .show-all-types, .clear-selection, .show-in-liveness, .show-in-memory,
 * .show-in-programs, .show-in-operations, .select-same, .next-tab, .previous-tab, .save-table,
 * .copy-table; and those of the view: chart.mark ... */

TsrTraceNote *tsr_trace_page_get_note (TsrTracePage *self);
/* As if @text had been typed for the range and Enter pressed: FALSE when it is none. */
gboolean tsr_trace_page_enter_range (TsrTracePage *self, const char *text);
gboolean tsr_trace_page_is_busy (TsrTracePage *self);

G_END_DECLS

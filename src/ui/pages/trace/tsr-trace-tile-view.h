/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cycles of the tiles of an IPU as a graph, on the tile map or as a table, with the window's
 * selected tiles. */

#pragma once

#include "tsr-chart.h"
#include "tsr-row-view.h"
#include "tsr-session.h"
#include "tsr-table-answer.h"
#include "tsr-trace-rows.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_TRACE_TILE_VIEW (tsr_trace_tile_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrTraceTileView, tsr_trace_tile_view, TSR, TRACE_TILE_VIEW, GtkWidget)

TsrTraceTileView *tsr_trace_tile_view_new (TsrSession *session);
/* Shows what is in @answer, which need not stay; without tiles the words of its table. */
void tsr_trace_tile_view_set_answer (TsrTraceTileView *self, const TsrTableAnswer *answer);
TsrRowView *tsr_trace_tile_view_get_table (TsrTraceTileView *self);
/* (transfer none): its controls, which whoever shows the view puts in a place of their own. */
GtkWidget *tsr_trace_tile_view_get_controls (TsrTraceTileView *self);

#define TSR_TRACE_N_TILE_FORMS 3
const char *tsr_trace_tile_view_get_form_nick (guint form); /* "graph", "map", "table" */
/* Options of @state: the form, and whether the graph is ordered by cycles. */
void
tsr_trace_tile_view_bind (TsrTraceTileView *self, TsrViewState *state, guint form, guint order);

/* For tests: what is shown. */
TsrChartModel *tsr_trace_tile_view_get_chart (TsrTraceTileView *self);
TsrChartModel *tsr_trace_tile_view_get_map (TsrTraceTileView *self);
/* Number of the IPU's first tile in the replica; TSR_NO_INDEX: not told. */
guint tsr_trace_get_first_tile (const TsrTrace *trace, guint ipu);
/* The rows of @datums, numbers of tiles in an IPU, are selected in the window. */
void tsr_trace_select_tiles (
    TsrSession *session, guint first, const guint32 *tiles, guint n, TsrSelectMode mode);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrTraceTabs, shared with what draws its cells, places its tables and tests them.
 */

#pragma once

#include "tsr-trace-rows.h"
#include "tsr-trace-step-list.h"
#include "tsr-trace-tabs.h"
#include "tsr-trace-tile-view.h"

G_BEGIN_DECLS

/* Options of the page, in the order of the table in tsr-trace-controls.c; from _TAB on they are the
 * tabs'. */
typedef enum
{
  TSR_TRACE_VIEW_SHAPE,
  TSR_TRACE_VIEW_BITS, /* those of TsrTraceState, in their order */
  TSR_TRACE_VIEW_TILE_ORDER = TSR_TRACE_VIEW_BITS + 12,
  TSR_TRACE_VIEW_MINI_MAP,
  TSR_TRACE_VIEW_TAB,
  TSR_TRACE_VIEW_GROUPING, /* of Aggregate, with its depth and expression */
  TSR_TRACE_VIEW_DEPTH,
  TSR_TRACE_VIEW_REGEX,
  TSR_TRACE_VIEW_TILES_AS,
  TSR_TRACE_VIEW_STEP_ORDER, /* of Details: by cycles */
  TSR_TRACE_VIEW_TILES_ORDER,
  TSR_TRACE_N_VIEW_OPTIONS
} TsrTraceViewOption;

/* What stands over a tab's tables: what the figures are of, types that are not counted, and what
 * else is to be known. */
typedef struct
{
  GtkLabel *warning, *note;
} TsrTraceLine;

struct _TsrTraceTabs
{
  TsrTabs parent_instance;

  TsrTraceLine lines[TSR_TRACE_N_TABS];
  TsrViewState *options; /* of the page */
  GtkDropDown *group;    /* Aggregate */
  GtkWidget *depth;      /* spin button */
  GtkWidget *regex;      /* entry */
  guint typed;           /* source: something was typed there */
  GtkDropDown *replica;  /* Stages */
  GtkDropDown *tile_ipu; /* Tiles */
  TsrTraceStepList *steps;
  TsrTraceTileView *tiles;

  TsrSession *session;
  gint64 from, to;                                  /* visible; from >= to: not told */
  TsrTraceStepRef longest[TSR_TRACE_MARKS_LONGEST]; /* of the marked steps */
  guint n_longest;
  guint64 n_marked;
  gint64 marked_cycles;
};

/* tsr-trace-controls.c: the state of all these options, with or without a page. */
TsrViewState *tsr_trace_tabs_get_options (TsrSession *session);

/* (transfer floating): a box for one or two tables; @alone: where it is wide the first is enough.
 */
GtkWidget *tsr_trace_pair_new (gboolean alone);

/* Draws the painted cells of Summary, Overlap, Stages and Waits: @data is the TsrTab. */
void tsr_trace_tab_paint (
    gpointer data, guint32 row, guint column, const TsrChartGeometry *geometry, TsrDrawList *list);

G_END_DECLS

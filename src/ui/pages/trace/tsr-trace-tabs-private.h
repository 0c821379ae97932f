/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the files of TsrTraceTabs. */

#pragma once

#include "tsr-tab-work.h"
#include "tsr-trace-rows.h"
#include "tsr-trace-step-list.h"
#include "tsr-trace-tabs.h"
#include "tsr-trace-tile-view.h"

G_BEGIN_DECLS

typedef struct
{
  TsrTraceTabs *tabs;
  TsrTraceTab tab;
  GtkWidget *child; /* page of the notebook */
  TsrTabLabel *label;
  GtkLabel *scope, *note; /* what the figures are of; what else is to be known */
  GtkLabel *warning;      /* types that are not counted */
  TsrRowView *view;       /* (nullable): not of Details */
  TsrRowView *more;       /* (nullable): Stages, Overlap */
  TsrTraceAnswer *answer; /* (nullable) that is shown */
} TsrTraceTabPage;

struct _TsrTraceTabs
{
  GtkWidget parent_instance;

  GtkNotebook *notebook;
  TsrTraceTabPage pages[TSR_TRACE_N_TABS];
  GtkDropDown *group;    /* Aggregate */
  GtkWidget *depth;      /* spin button */
  GtkWidget *regex;      /* entry */
  guint typed;           /* source: something was typed there */
  GtkDropDown *replica;  /* Stages */
  GtkDropDown *tile_ipu; /* Tiles */
  TsrTraceStepList *steps;
  TsrTraceTileView *tiles;

  TsrSession *session;
  gint64 from, to; /* visible; from >= to: not told */
  TsrTabWork *work;
  gboolean applying; /* the tabs themselves select rows or set controls */
};

static inline TsrTraceState *
tsr_trace_tabs_get_state (TsrTraceTabs *self)
{
  return tsr_session_get_trace_state (self->session);
}

/* The tab that is shown. */
TsrTraceTabPage *tsr_trace_tabs_get_page (TsrTraceTabs *self);
/* The controls of Aggregate have changed. */
void tsr_trace_tabs_on_group (TsrTraceTabs *self);

/* (transfer floating): a box for one or two tables; @alone: where it is wide the first is enough.
 */
GtkWidget *tsr_trace_pair_new (gboolean alone);

/* Draws the painted cells of Summary, Overlap and Stages: @data is the page. */
void tsr_trace_tab_paint (
    gpointer data, guint32 row, guint column, const TsrChartGeometry *geometry, TsrDrawList *list);

G_END_DECLS

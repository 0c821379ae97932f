/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrLivenessPage, shared by its files. */

#pragma once

#include "tsr-latest.h"
#include "tsr-liveness-page.h"
#include "tsr-navigation.h"
#include "tsr-page-options.h"
#include "tsr-peaks-popover.h"

G_BEGIN_DECLS

/* In the order of the table in tsr-liveness-page.c; those before the tab are the graph's. */
typedef enum
{
  TSR_LIVENESS_OPTION_INCLUDE_ALWAYS_LIVE,
  TSR_LIVENESS_OPTION_FROM_ZERO,
  TSR_LIVENESS_OPTION_SHOW_MAX,
  TSR_LIVENESS_OPTION_STRUCTURE,
  TSR_LIVENESS_OPTION_STATISTICS,
  TSR_LIVENESS_OPTION_LIFETIMES,
  TSR_LIVENESS_OPTION_MINI_MAP, /* also while all is visible */
  TSR_LIVENESS_OPTION_TAB,
  TSR_LIVENESS_OPTION_HIDDEN,
  TSR_LIVENESS_OPTION_MATCH,
  TSR_LIVENESS_OPTION_LIFETIME_ORDER,
  TSR_LIVENESS_OPTION_LIFETIME_COLOUR,
  TSR_LIVENESS_OPTION_LIFETIME_FILTER,
  TSR_LIVENESS_OPTION_PEAK, /* its number, from 1 on */
  /* From here on one for each tab, which not all have: what a row is, depth of name prefixes,
   * names of the selected groups, and the second mode, cycles by tile or A to B what dies. */
  TSR_LIVENESS_OPTION_BY,
  TSR_LIVENESS_OPTION_DEPTH = TSR_LIVENESS_OPTION_BY + TSR_LIVENESS_N_TABS,
  TSR_LIVENESS_OPTION_GROUPS = TSR_LIVENESS_OPTION_DEPTH + TSR_LIVENESS_N_TABS,
  TSR_LIVENESS_OPTION_MODE = TSR_LIVENESS_OPTION_GROUPS + TSR_LIVENESS_N_TABS,
  TSR_LIVENESS_N_OPTIONS = TSR_LIVENESS_OPTION_MODE + TSR_LIVENESS_N_TABS
} TsrLivenessOption;

struct _TsrLivenessPage
{
  TsrPage parent_instance;

  TsrSourceChooser *source_chooser;
  TsrNavigation *navigation, *zoom_menu;
  TsrStepFilter *step_filter;
  GtkMenuButton *peaks_button;
  TsrPeaksPopover *peaks_popover;
  TsrSplit *split;
  GtkPaned *paned; /* graph, and under it the lifetimes when there is room */
  TsrChart *chart;
  GtkLabel *message; /* over the graph, when it cannot be shown */
  TsrLivenessTabs *tabs;
  TsrLifetimeView *lifetimes;

  /* Parts of the scope line, made with the first liveness. */
  GtkWidget *scope_replica, *scope_source, *scope_always, *scope_live, *scope_steps,
      *scope_selection, *scope_program, *scope_operation, *scope_clear;
  GtkLabel *replica_text;

  TsrLiveness *liveness; /* that is asked for */
  TsrLivenessSource source;
  TsrLivenessChart *model;   /* (nullable) */
  TsrLiveness *shown;        /* (nullable) of the model */
  TsrLivenessSeries *series; /* (nullable) of the model */
  GArray *peaks;             /* (nullable) TsrPeak, of the series */
  TsrLatest *series_work, *statistics_work, *lines_work;
  gboolean lifetimes_below; /* where they are now */
  gboolean lifetimes_stale; /* their source is not the page's: they are not shown */
  guint place_idle;         /* source id */
};

#define TSR_LIVENESS_MAX_DEPTH 16

G_END_DECLS

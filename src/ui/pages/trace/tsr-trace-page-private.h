/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrTracePage, shared by its files. */

#pragma once

#include "tsr-latest.h"
#include "tsr-navigation.h"
#include "tsr-trace-page.h"
#include "tsr-trace-tabs-private.h"

G_BEGIN_DECLS

struct _TsrTracePage
{
  TsrPage parent_instance;

  GtkDropDown *run_chooser, *ipu_chooser;
  GtkMenuButton *types_button, *view_button, *notes_button;
  GtkBox *types_box, *details;
  TsrTraceNotes *notes;
  TsrNavigation *navigation, *zoom_menu;
  TsrTraceSearch *search;
  TsrSplit *split;
  TsrTraceView *view;
  TsrTraceTabs *tabs;
  TsrTraceNote *note;

  /* Parts of the scope line, made with the first trace. */
  GtkWidget *scope_run, *scope_range, *scope_ipus, *scope_types, *scope_selection, *scope_clear;
  GtkWidget *range_popover, *range_entry;
  GtkLabel *range_message;

  TsrTrace *trace; /* (nullable) that is shown */
  TsrReport *report;
  TsrTraceChart *chart;   /* (nullable) */
  GHashTable *words;      /* (nullable) that wait for the trace */
  gboolean zoom_to_match; /* the next one that is found is looked at closely */
  double wanted_top;      /* of the rows, when they are there; negative: none */

  TsrLatest *group_work;        /* finds the steps of the selected group: */
  TsrTraceMatches *asked_group; /* this one, while it runs; borrowed */
  TsrTraceShape asked_shape;
  guint32 asked_hidden;

  TsrTraceMatches *subject_group; /* (nullable): marked because of what is selected elsewhere */
};

TsrSession *tsr_trace_page_get_session (TsrTracePage *self);
TsrTraceState *tsr_trace_page_get_state (TsrTracePage *self);
/* The slice of the step selected last, else at the cursor, or TSR_NO_SLICE. */
guint32 tsr_trace_page_get_slice (TsrTracePage *self);
void tsr_trace_page_find (TsrTracePage *self, int direction);
/* Likewise, and shows it with ten times its length on either side. */
void tsr_trace_page_zoom_to_match (TsrTracePage *self, int direction);

/* tsr-trace-controls.c: the table of options, and choosers. */
void tsr_trace_page_install_options (TsrPageClass *klass);
void tsr_trace_page_update_tile_order (TsrTracePage *self);
void tsr_trace_page_init_controls (TsrTracePage *self);
void tsr_trace_page_restore_options (TsrTracePage *self);
/* The trace is another one (or none). */
void tsr_trace_page_fill_controls (TsrTracePage *self);

/* tsr-trace-scope.c: scope line and status strip. */
void tsr_trace_page_update_scope (TsrTracePage *self);
void tsr_trace_page_update_status_left (TsrTracePage *self);
void tsr_trace_page_update_status_right (TsrTracePage *self);
void tsr_trace_page_edit_range (TsrTracePage *self);

/* tsr-trace-group.c: finds the steps of the selected group unless that is done or under way. */
void tsr_trace_page_update_group (TsrTracePage *self);

/* tsr-trace-group.c: and the memory that is live meanwhile, when it is asked for. */
void tsr_trace_page_update_live (TsrTracePage *self);

/* tsr-trace-links.c: links. */
void tsr_trace_page_save_words (TsrPage *page, GHashTable *words);
void tsr_trace_page_load_words (TsrPage *page, GHashTable *words);
/* What waited for the trace. */
void tsr_trace_page_apply_words (TsrTracePage *self);

/* tsr-trace-actions.c */
void tsr_trace_page_install_actions (TsrPageClass *klass);
void tsr_trace_page_add_forwarding (TsrTracePage *self);

G_END_DECLS

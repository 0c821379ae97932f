/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrMemoryPage, shared by its files: controls (options, tile entry), scope line,
 * details. */

#pragma once

#include "tsr-control-row.h"
#include "tsr-memory-page.h"
#include "tsr-navigation.h"

G_BEGIN_DECLS

struct _TsrMemoryPage
{
  TsrPage parent_instance;

  GtkWidget *breakdown_none, *breakdown_region, *breakdown_category, *breakdown_liveness;
  GtkWidget *order_software, *order_physical, *order_bytes;
  GtkMenuButton *order_button, *sort_button;
  TsrNavigation *navigation;
  GtkEntry *tile_entry;
  TsrSplit *split;
  TsrChart *chart;
  TsrTableView *details;

  /* Parts of the scope line, made with the first memory. */
  GtkWidget *scope_replica, *scope_tiles, *scope_gaps, *scope_selection, *scope_clear;
  GtkLabel *replica_text, *tiles_text;
  GtkSpinButton *tiles_spin;
  GtkWidget *tiles_row;
  GtkWidget *error_popover;
  GtkLabel *error_label;

  TsrMemory *memory; /* that the chart shows */
  TsrMemoryChart *model;
  TsrBreakdown breakdown; /* the user's wish; the report may not have it */
  TsrTileOrder order;
  gboolean include_gaps, show_max, fit_data;
  gboolean applying;  /* the page itself changes series or entry */
  guint details_idle; /* source id */
};

TsrSession *tsr_memory_page_get_session (TsrMemoryPage *self);
TsrTileSelection *tsr_memory_page_get_selection (TsrMemoryPage *self);

/* tsr-memory-controls.c: options as properties and settings; what the report cannot show is
 * insensitive; the entry for tiles. */
void tsr_memory_page_install_options (GObjectClass *object_class, GtkWidgetClass *widget_class);
void tsr_memory_page_restore_options (TsrMemoryPage *self);
void tsr_memory_page_restore_hidden_series (TsrMemoryPage *self);
void tsr_memory_page_save_hidden_series (TsrMemoryPage *self);
void tsr_memory_page_update_order_label (TsrMemoryPage *self, TsrTileOrder order);
void tsr_memory_page_update_possible (TsrMemoryPage *self);
void tsr_memory_page_init_entry (TsrMemoryPage *self);
void tsr_memory_page_show_selection_in_entry (TsrMemoryPage *self);

/* tsr-memory-scope.c */
void tsr_memory_page_make_scope_line (TsrMemoryPage *self);
void tsr_memory_page_update_scope (TsrMemoryPage *self);

/* tsr-memory-tabs.c */
void tsr_memory_page_init_details (TsrMemoryPage *self);
char *tsr_memory_page_dup_details_csv (TsrMemoryPage *self);
void tsr_memory_page_queue_details (TsrMemoryPage *self);

/* tsr-memory-page.c */
void tsr_memory_page_update_options (TsrMemoryPage *self);

G_END_DECLS

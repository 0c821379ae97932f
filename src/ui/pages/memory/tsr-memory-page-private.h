/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrMemoryPage, shared by its files: controls (options, tile entry), scope line,
 * details. */

#pragma once

#include "tsr-address-panel.h"
#include "tsr-control-row.h"
#include "tsr-latest.h"
#include "tsr-memory-page.h"
#include "tsr-memory-rows.h"
#include "tsr-navigation.h"
#include "tsr-row-message.h"
#include "tsr-tabs.h"
#include "tsr-tile-map-view.h"
#include "tsr-traffic-label.h"
#include "tsr-variable-picker.h"
#include "tsr-variables-chart.h"

G_BEGIN_DECLS

/* What the colours of the tile map stand for. */
typedef enum
{
  TSR_MEMORY_VALUE_METRIC,
  TSR_MEMORY_VALUE_CATEGORY,
  TSR_MEMORY_VALUE_VARIABLE,
} TsrMemoryValueKind;

typedef struct
{
  char *key, *label;
  TsrMemoryValueKind kind;
  guint index;
} TsrMemoryValue;

struct _TsrMemoryPage
{
  TsrPage parent_instance;

  GtkWidget *breakdown_none, *breakdown_region, *breakdown_category, *breakdown_liveness;
  GtkWidget *breakdown_none_check, *breakdown_region_check, *breakdown_category_check,
      *breakdown_liveness_check; /* in the popover of breakdown_button, where there is less room */
  GtkWidget *order_software, *order_physical, *order_bytes;
  GtkWidget *order_software_check, *order_physical_check, *order_bytes_check; /* in Options */
  GtkMenuButton *breakdown_button, *order_button, *sort_button;
  TsrNavigation *navigation;
  GtkEntry *tile_entry;
  TsrSplit *split;
  TsrChart *chart;
  TsrRowView *details; /* the table of its tab */

  GtkDropDown *value_chooser, *ipu_chooser;
  GtkMenuButton *step_button;
  GtkWidget *breakdown_fold, *options_fold, *order_fold;
  TsrVariablePicker *picker;
  GtkStack *graph_stack;
  TsrRowMessage *graph_words; /* in the place of a graph that there is not */
  TsrTileMapView *map_view;
  GtkCheckButton *step_off, *step_on; /* in the popover of step_button */
  GtkSpinButton *step_spin;
  GtkLabel *step_name;
  TsrTrafficLabel *step_traffic;
  TsrTabs *tabs;
  GtkWidget *details_buttons;
  char *wanted_rows[TSR_MEMORY_N_TABS]; /* (nullable) by tab: name of the row that a link selects */
  TsrAddressPanel *panel;

  /* Parts of the scope line, made with the first memory. */
  GtkWidget *scope_replica, *scope_tiles, *scope_gaps, *scope_step, *scope_selection, *scope_clear;
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
  GStrv hidden_series; /* (nullable) that a link wants, until there is a graph */
  gboolean applying;   /* the page itself changes series or entry */

  TsrMemoryGraph graph;
  TsrVariablesChart *variables_model;
  GStrv hidden_variables;      /* (nullable) wanted, until there are lines */
  gint64 scale_from, scale_to; /* wanted, until there is a map */
  TsrTileMap *tile_map;
  GArray *values;        /* TsrMemoryValue: entries of value_chooser */
  char *value_key;       /* the chosen one */
  gboolean at_step;      /* the user's wish */
  gboolean follows_step; /* because a step was chosen on another page */
  guint ipu_place;       /* of the tile map: 0 all, else one more than the IPU; the user's wish */
  TsrLatest *step_latest;
  gint64 *step_bytes; /* (nullable) not always live, by tile, at step_shown */
  guint step_shown;
  gint64 *step_value_bytes; /* (nullable) live at step_shown, by tile, of a category or variable */
  char *step_value_key;     /* of which */
};

TsrSession *tsr_memory_page_get_session (TsrMemoryPage *self);
TsrTileSelection *tsr_memory_page_get_selection (TsrMemoryPage *self);

/* tsr-memory-controls.c: options as properties and settings; what the report cannot show is
 * insensitive; the entry for tiles. */
void tsr_memory_page_install_options (GObjectClass *object_class, GtkWidgetClass *widget_class);
void tsr_memory_page_restore_options (TsrMemoryPage *self);
void tsr_memory_page_restore_hidden_series (TsrMemoryPage *self);
void tsr_memory_page_save_hidden_series (TsrMemoryPage *self);
void tsr_memory_page_update_labels (TsrMemoryPage *self, const TsrMemoryChartOptions *options);
void tsr_memory_page_update_possible (TsrMemoryPage *self);
void tsr_memory_page_init_entry (TsrMemoryPage *self);
void tsr_memory_page_show_selection_in_entry (TsrMemoryPage *self);

/* tsr-memory-links.c */
void tsr_memory_page_save_words (TsrPage *page, GHashTable *words);
void tsr_memory_page_load_words (TsrPage *page, GHashTable *words);

/* tsr-memory-scope.c */
void tsr_memory_page_make_scope_line (TsrMemoryPage *self);
void tsr_memory_page_update_scope (TsrMemoryPage *self);

/* tsr-memory-tabs.c */
void tsr_memory_page_init_details (TsrMemoryPage *self);
char *tsr_memory_page_dup_details_csv (TsrMemoryPage *self);
void tsr_memory_page_restore_details (TsrMemoryPage *self);
TsrMemoryTab tsr_memory_page_get_tab (TsrMemoryPage *self);
void tsr_memory_page_set_tab (TsrMemoryPage *self, TsrMemoryTab tab);
/* Selects the row of that name (nullable) in @tab, once it is there, until the user selects one. */
void tsr_memory_page_want_row (TsrMemoryPage *self, TsrMemoryTab tab, const char *name);

/* tsr-memory-step.c: what is live at a step. */
void tsr_memory_page_init_step (TsrMemoryPage *self);
void tsr_memory_page_restore_step (TsrMemoryPage *self);
void tsr_memory_page_set_at_step (TsrMemoryPage *self, gboolean at_step);
/* Whether what is shown is that of a step. */
gboolean tsr_memory_page_is_at_step (TsrMemoryPage *self);
/* Another step, graph or value: computes what is live there unless it is known. */
void tsr_memory_page_update_step (TsrMemoryPage *self);
void tsr_memory_page_clear_step (TsrMemoryPage *self); /* forgets what is known */

/* tsr-memory-graphs.c: Total, Variables and Tile Map. */
/* (nullable): liveness of which the lowered variables are there; else why they are not. */
TsrLiveness *tsr_memory_page_get_lowered (TsrMemoryPage *self);
const char *tsr_memory_page_get_why (TsrMemoryPage *self);
/* (nullable): what the tile map shows. */
const TsrMemoryValue *tsr_memory_page_get_value (TsrMemoryPage *self);
void tsr_memory_page_update_tile_map (TsrMemoryPage *self);
void tsr_memory_page_init_graphs (TsrMemoryPage *self);
void tsr_memory_page_clear_graphs (TsrMemoryPage *self); /* on dispose */
void tsr_memory_page_restore_graphs (TsrMemoryPage *self);
/* Another memory, another liveness; another graph. */
void tsr_memory_page_update_graphs (TsrMemoryPage *self);
void tsr_memory_page_set_graph (TsrMemoryPage *self, TsrMemoryGraph graph);
/* Takes it up when it is there. */
void tsr_memory_page_want_value (TsrMemoryPage *self, const char *key);
void tsr_memory_page_set_ipu_place (TsrMemoryPage *self, guint place);
/* Range of the map's colours; from >= to: as it is by itself. */
void tsr_memory_page_set_scale (TsrMemoryPage *self, gint64 from, gint64 to);
/* Lines of the Variables graph that are hidden, names a line each (nullable). */
void tsr_memory_page_set_hidden_variables (TsrMemoryPage *self, const char *names);
/* The picker has other variables. */
void tsr_memory_page_update_plotted (TsrMemoryPage *self);
/* The widget that shows the graph: a TsrChart or a TsrTileMapView. */
GtkWidget *tsr_memory_page_get_graph_widget (TsrMemoryPage *self);

/* tsr-memory-page.c */
void tsr_memory_page_select_tiles (TsrMemoryPage *self, const guint *tiles, guint n, int mode);
void tsr_memory_page_update_options (TsrMemoryPage *self);

G_END_DECLS

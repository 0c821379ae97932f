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
#include "tsr-page-options.h"
#include "tsr-row-message.h"
#include "tsr-tabs.h"
#include "tsr-tile-map-view.h"
#include "tsr-traffic-label.h"
#include "tsr-variable-picker.h"
#include "tsr-variables-chart.h"

G_BEGIN_DECLS

/* In the order of the table in tsr-memory-page.c; then what of the session the page shows. */
typedef enum
{
  TSR_MEMORY_OPTION_GRAPH,
  TSR_MEMORY_OPTION_BREAKDOWN,
  TSR_MEMORY_OPTION_ORDER,
  TSR_MEMORY_OPTION_INCLUDE_GAPS,
  TSR_MEMORY_OPTION_SHOW_MAX,
  TSR_MEMORY_OPTION_FIT_DATA,
  TSR_MEMORY_OPTION_FROM_ZERO,
  TSR_MEMORY_OPTION_MINI_MAP, /* also while all is visible */
  TSR_MEMORY_OPTION_AT_STEP,
  TSR_MEMORY_OPTION_TAB,
  TSR_MEMORY_OPTION_VALUE, /* key of what the colours of the tile map stand for */
  TSR_MEMORY_OPTION_IPU,   /* of the tile map; TSR_NO_INDEX: all */
  TSR_MEMORY_OPTION_SCALE, /* of the tile map's colours, "FROM-TO" in bytes */
  TSR_MEMORY_OPTION_PLOTTED,
  TSR_MEMORY_OPTION_HIDDEN_VARIABLES,
  TSR_MEMORY_OPTION_HIDDEN,     /* series of the totals, by key */
  TSR_MEMORY_OPTION_MAP_STEP,   /* of the map of addresses: what is live at the step */
  TSR_MEMORY_OPTION_MAP_COLOUR, /* TsrAddressColour */
  TSR_MEMORY_N_OPTIONS,
  TSR_MEMORY_EVENT_MEMORY = TSR_MEMORY_N_OPTIONS,
  TSR_MEMORY_EVENT_LIVENESS,
  TSR_MEMORY_EVENT_MADE, /* what stands in their places, map and graph of variables, is new */
  TSR_MEMORY_EVENT_UNITS,
  TSR_MEMORY_EVENT_STEP,      /* the selected one */
  TSR_MEMORY_EVENT_VARIABLES, /* the selected ones */
  TSR_MEMORY_EVENT_TILES,     /* the selected ones */
  TSR_MEMORY_EVENT_CODE,      /* programs and vertices, that code is asked of */
} TsrMemoryAspect;
#define TSR_MEMORY_BIT(aspect) TSR_VIEW_BIT (TSR_MEMORY_##aspect)
/* Another one may be live at the step, or shown of it. */
#define TSR_MEMORY_STEP_BITS                                                                       \
  (TSR_MEMORY_BIT (EVENT_MADE) | TSR_MEMORY_BIT (EVENT_UNITS) | TSR_MEMORY_BIT (EVENT_STEP)        \
   | TSR_MEMORY_BIT (OPTION_GRAPH) | TSR_MEMORY_BIT (OPTION_AT_STEP)                               \
   | TSR_MEMORY_BIT (OPTION_VALUE) | TSR_MEMORY_BIT (EVENT_CODE))

/* What each tile holds at its own peak may be there, or wanted. */
#define TSR_MEMORY_PEAK_BITS                                                                       \
  (TSR_MEMORY_BIT (EVENT_MADE) | TSR_MEMORY_BIT (OPTION_GRAPH) | TSR_MEMORY_BIT (OPTION_BREAKDOWN))

/* What the colours of the tile map stand for. */
typedef enum
{
  TSR_MEMORY_VALUE_METRIC,
  TSR_MEMORY_VALUE_CATEGORY,
  TSR_MEMORY_VALUE_VARIABLE,
  TSR_MEMORY_VALUE_PROGRAM, /* code of it with all below it; a link says which */
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

  GtkWidget *breakdown_none_check, *breakdown_region_check, *breakdown_category_check,
      *breakdown_liveness_check, *breakdown_peak_check; /* in the popover of breakdown_button */
  GtkWidget *gaps_check, *max_check;
  GtkWidget *order_software, *order_physical, *order_bytes;
  GtkMenuButton *breakdown_button, *sort_button;
  TsrNavigation *navigation, *zoom_menu;
  GtkEntry *tile_entry;
  TsrSplit *split;
  TsrChart *chart;
  TsrRowView *details; /* the table of its tab */

  GtkDropDown *value_chooser, *ipu_chooser;
  GtkMenuButton *step_button;
  GtkWidget *view_button, *total_options;
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
  gboolean details_opened;              /* as far as they fit, when they are first shown */
  gboolean subject_rows[TSR_MEMORY_N_TABS]; /* that is because of what is selected elsewhere */
  TsrAddressPanel *panel;

  /* Parts of the scope line, made with the first memory. */
  GtkWidget *scope_replica, *scope_tiles, *scope_gaps, *scope_step, *scope_peaks, *scope_selection,
      *scope_clear, *scope_subject;
  GtkLabel *replica_text, *tiles_text;
  GtkSpinButton *tiles_spin;
  GtkWidget *tiles_row;
  GtkWidget *error_popover;
  GtkLabel *error_label;

  TsrMemory *memory; /* that the chart shows */
  TsrMemoryChart *model;
  guint64 due;           /* aspects that are to be shown, a bit each */
  gboolean follows_step; /* because a step was chosen on another page */

  TsrVariablesChart *variables_model;
  TsrTileMap *tile_map;
  GArray *values; /* TsrMemoryValue: entries of value_chooser */
  TsrLatest *peaks_latest;
  gboolean has_peaks; /* the chart has what each tile holds at its own peak, or it is computed */
  TsrLatest *step_latest;
  gint64 *step_bytes; /* (nullable) not always live, by tile, at step_shown */
  guint step_shown;
  gint64 *step_value_bytes; /* (nullable) live at step_shown, by tile, of a category or variable */
  char *step_value_key;     /* of which */
  TsrLatest *code_latest;
  gint64 *code_bytes; /* (nullable) of the program code_key, by tile */
  char *code_key;     /* of which, or of which it is computed */
};

TsrSession *tsr_memory_page_get_session (TsrMemoryPage *self);
TsrTileSelection *tsr_memory_page_get_selection (TsrMemoryPage *self);

static inline guint
tsr_memory_page_get (TsrMemoryPage *self, TsrMemoryAspect option)
{
  return tsr_page_get_option (TSR_PAGE (self), option);
}

/* tsr-memory-controls.c: what the report cannot show is insensitive; the entry for tiles. */
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
/* Selects the row of that name (nullable) in @tab, once it is there, until the user selects one. */
void tsr_memory_page_want_row (TsrMemoryPage *self, TsrMemoryTab tab, const char *name);
/* Whether rows of the tab, with TSR_MEMORY_N_TABS of any, are selected because of what is selected
 * on another page. */
gboolean tsr_memory_page_is_marked (TsrMemoryPage *self, TsrMemoryTab tab);

/* tsr-memory-graphs.c: Total, Variables and Tile Map. */
/* (nullable): liveness of which the lowered variables are there; else why they are not. */
TsrLiveness *tsr_memory_page_get_lowered (TsrMemoryPage *self);
const char *tsr_memory_page_get_why (TsrMemoryPage *self);
/* (nullable): what the tile map shows. */
const TsrMemoryValue *tsr_memory_page_get_value (TsrMemoryPage *self);
void tsr_memory_page_update_tile_map (TsrMemoryPage *self);
void tsr_memory_page_init_graphs (TsrMemoryPage *self);
void tsr_memory_page_clear_graphs (TsrMemoryPage *self); /* on dispose */
/* The map and the graph of variables anew: another memory, another liveness. */
void tsr_memory_page_make_graphs (TsrMemoryPage *self);
/* TRUE: that were chosen now, and all that is due is shown. */
gboolean tsr_memory_page_choose_variables (TsrMemoryPage *self);
void tsr_memory_page_show_graphs (TsrMemoryPage *self, guint64 changed);
/* The widget that shows the graph: a TsrChart or a TsrTileMapView. */
GtkWidget *tsr_memory_page_get_graph_widget (TsrMemoryPage *self);

/* tsr-memory-page.c */
/* These aspects have changed, a bit each: shows what follows from them. */
void tsr_memory_page_update (TsrMemoryPage *self, guint64 changed);
/* There is other liveness, or there will be none. */
void tsr_memory_page_update_graphs (TsrMemoryPage *self);
/* Whether what is shown is that of a step. */
gboolean tsr_memory_page_is_at_step (TsrMemoryPage *self);
void tsr_memory_page_clear_step (TsrMemoryPage *self); /* forgets what is known of it */
/* Whether what each tile holds at its own peak will be shown instead of what is. */
gboolean tsr_memory_page_waits_for_peaks (TsrMemoryPage *self);

G_END_DECLS

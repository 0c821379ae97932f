/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Memory report: what each tile holds, as a chart, and the details of the selected tiles. */

#pragma once

#include "tsr-address-panel.h"
#include "tsr-chart.h"
#include "tsr-memory-chart.h"
#include "tsr-memory-rows.h"
#include "tsr-page.h"
#include "tsr-row-view.h"
#include "tsr-split.h"
#include "tsr-row-view.h"
#include "tsr-tile-map-view.h"
#include "tsr-variable-picker.h"

G_BEGIN_DECLS

#define TSR_TYPE_MEMORY_PAGE (tsr_memory_page_get_type ())
G_DECLARE_FINAL_TYPE (TsrMemoryPage, tsr_memory_page, TSR, MEMORY_PAGE, TsrPage)

typedef enum
{
  TSR_MEMORY_GRAPH_TOTAL,
  TSR_MEMORY_GRAPH_VARIABLES,
  TSR_MEMORY_GRAPH_TILE_MAP,
  TSR_MEMORY_N_GRAPHS
} TsrMemoryGraph;
const char *tsr_memory_graph_get_nick (TsrMemoryGraph graph); /* "tile-map" */

/* Actions: memory.include-gaps, memory.show-max, memory.fit-data, memory.from-zero,
 * memory.at-step (booleans), memory.graph, memory.breakdown, memory.order and memory.tab (nicks),
 * memory.edit-tiles, memory.clear-selection, memory.select-fullest, memory.add-variable,
 * memory.show-marked. */

TsrRowView *tsr_memory_page_get_details (TsrMemoryPage *self);
TsrTileMapView *tsr_memory_page_get_map_view (TsrMemoryPage *self);
TsrVariablePicker *tsr_memory_page_get_picker (TsrMemoryPage *self);
TsrAddressPanel *tsr_memory_page_get_address_panel (TsrMemoryPage *self);
TsrRowView *tsr_memory_page_get_rows (TsrMemoryPage *self, TsrMemoryTab tab);
/* The value of the tile map: "includingGaps", "category:vertexCode", "variable:weights"; FALSE when
 * there is none of that name. */
gboolean tsr_memory_page_set_value (TsrMemoryPage *self, const char *key);
void tsr_memory_page_get_options (TsrMemoryPage *self, TsrMemoryChartOptions *options);
/* As if @text had been typed and Enter pressed: FALSE when it names no tiles. */
gboolean tsr_memory_page_enter_tiles (TsrMemoryPage *self, const char *text);

G_END_DECLS

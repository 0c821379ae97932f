/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Memory report: what each tile holds, as a chart, and the details of the selected tiles. */

#pragma once

#include "tsr-chart.h"
#include "tsr-memory-chart.h"
#include "tsr-page.h"
#include "tsr-split.h"
#include "tsr-table-view.h"

G_BEGIN_DECLS

#define TSR_TYPE_MEMORY_PAGE (tsr_memory_page_get_type ())
G_DECLARE_FINAL_TYPE (TsrMemoryPage, tsr_memory_page, TSR, MEMORY_PAGE, TsrPage)

/* Actions: memory.include-gaps, memory.show-max, memory.fit-data (booleans), memory.breakdown and
 * memory.order (nicks), memory.edit-tiles, memory.clear-selection, memory.select-fullest. */

/* (transfer none), for tests and for links between pages. */
TsrChart *tsr_memory_page_get_chart (TsrMemoryPage *self);
TsrTableView *tsr_memory_page_get_details (TsrMemoryPage *self);
TsrSplit *tsr_memory_page_get_split (TsrMemoryPage *self);
GtkEntry *tsr_memory_page_get_tile_entry (TsrMemoryPage *self);
void tsr_memory_page_get_options (TsrMemoryPage *self, TsrMemoryChartOptions *options);
/* As if @text had been typed and Enter pressed: FALSE when it names no tiles. */
gboolean tsr_memory_page_enter_tiles (TsrMemoryPage *self, const char *text);

G_END_DECLS

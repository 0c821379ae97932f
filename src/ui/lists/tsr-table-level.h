/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One level of a TsrTable's tree as a list model: the children of one row, in an order of the
 * table's own (no GtkSortListModel).  Items are made when they are asked for. */

#pragma once

#include "tsr-table.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* One row of a table, as a list item. */
#define TSR_TYPE_TABLE_ITEM (tsr_table_item_get_type ())
G_DECLARE_FINAL_TYPE (TsrTableItem, tsr_table_item, TSR, TABLE_ITEM, GObject)

TsrTable *tsr_table_item_get_table (TsrTableItem *self);
guint tsr_table_item_get_row (TsrTableItem *self);

#define TSR_TYPE_TABLE_LEVEL (tsr_table_level_get_type ())
G_DECLARE_FINAL_TYPE (TsrTableLevel, tsr_table_level, TSR, TABLE_LEVEL, GObject)

/* Children of @parent (-1: top rows) by @column (-1: as they are). */
TsrTableLevel *tsr_table_level_new (TsrTable *table, int parent, int column, gboolean descending);
/* Another order, or another table that took the place of this one: one items-changed. */
void tsr_table_level_reset (
    TsrTableLevel *self, TsrTable *table, int parent, int column, gboolean descending);
/* Takes another table whose rows are the same ones.  TRUE, and no signal, when they are in the same
 * order; else FALSE and nothing has changed. */
gboolean tsr_table_level_refresh (
    TsrTableLevel *self, TsrTable *table, int parent, int column, gboolean descending);

G_END_DECLS

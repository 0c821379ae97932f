/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a TsrRowOutline shows as a list model that is its own selection.  An item is a place in the
 * list, made when it is asked for; which row stands there changes with the order and with what is
 * expanded, without a signal: whoever shows items fills them again.  What is selected are rows of
 * the table, wherever they stand, shown or not. */

#pragma once

#include "tsr-row-outline.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* One place, as a list item. */
#define TSR_TYPE_ROW_ITEM (tsr_row_item_get_type ())
G_DECLARE_FINAL_TYPE (TsrRowItem, tsr_row_item, TSR, ROW_ITEM, GObject)

guint tsr_row_item_get_position (TsrRowItem *self);

#define TSR_TYPE_ROW_MODEL (tsr_row_model_get_type ())
G_DECLARE_FINAL_TYPE (TsrRowModel, tsr_row_model, TSR, ROW_MODEL, GObject)

TsrRowModel *tsr_row_model_new (void);
/* Both or none.  Another table clears the selection, unless it is the same tree with other numbers.
 * The list is no longer than @at_most at first: a view pays for the rows that it gets in a frame.
 */
void tsr_row_model_set (TsrRowModel *self, TsrRows *rows, TsrRowOrder *order, guint at_most);
/* Up to @n rows more; FALSE when all are there. */
gboolean tsr_row_model_grow (TsrRowModel *self, guint n);
gboolean tsr_row_model_is_growing (TsrRowModel *self);
/* (transfer none): what is shown; changed by the functions here alone. */
TsrRowOutline *tsr_row_model_get_outline (TsrRowModel *self);
/* As in TsrRowOutline; @row TSR_NO_INDEX: all rows.  At most @more places come at once. */
void tsr_row_model_set_expanded (
    TsrRowModel *self, guint32 row, gboolean expanded, gboolean below, guint more);
void tsr_row_model_set_keys (TsrRowModel *self, const char *const *keys, guint more);
/* TRUE when @rows (nullable) is a tree like the one that is shown: other numbers in the same rows.
 */
gboolean tsr_row_model_is_same_tree (TsrRowModel *self, TsrRows *rows);
/* Row of the table at @position, which is below the number of rows shown. */
guint32 tsr_row_model_get_row (TsrRowModel *self, guint position);
TsrRows *tsr_row_model_get_rows (TsrRowModel *self);      /* (nullable) (transfer none) */
TsrRowOrder *tsr_row_model_get_order (TsrRowModel *self); /* (nullable) (transfer none) */

void tsr_row_model_set_multiple (TsrRowModel *self, gboolean multiple);
/* (transfer none): rows of the table. */
GtkBitset *tsr_row_model_get_selected (TsrRowModel *self);
void tsr_row_model_set_selected (TsrRowModel *self, GtkBitset *rows);
/* Position of the first selected row, or GTK_INVALID_LIST_POSITION. */
guint tsr_row_model_find_selected (TsrRowModel *self);

G_END_DECLS

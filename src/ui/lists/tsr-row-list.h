/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list inside a TsrRowView: headings, total row, columns that fit, and the order that was
 * worked out for it; of a tree, what is expanded.  Signals: "sort-changed" (int column, gboolean
 * descending): the user asks for an order; "expanded-changed" (uint row or TSR_NO_INDEX for all,
 * gboolean below). */

#pragma once

#include "tsr-row-cells.h"
#include "tsr-total-row.h"

G_BEGIN_DECLS

#define TSR_TYPE_ROW_LIST (tsr_row_list_get_type ())
G_DECLARE_FINAL_TYPE (TsrRowList, tsr_row_list, TSR, ROW_LIST, GtkWidget)

TsrRowList *tsr_row_list_new (void);
/* Both or none of @rows and @order.  @select (nullable): rows to select.  A long list that comes up
 * or gets longer does so in portions, a frame each. */
void tsr_row_list_show (
    TsrRowList *self, TsrRows *rows, TsrRowOrder *order, TsrUnits units, GtkBitset *select);
/* As in tsr_row_model_set_expanded; the user's doing. */
void tsr_row_list_set_expanded (TsrRowList *self, guint32 row, gboolean expanded, gboolean below);
/* What a key of a tree does with the row that has the focus: Right expands (with Shift, and all
 * below it) or goes to the first row below, Left collapses or goes to the row above.  FALSE: it has
 * no use for the key. */
gboolean tsr_row_list_key (TsrRowList *self, guint key, GdkModifierType state);
/* See tsr_row_view_set_plain, tsr_row_view_set_fits. */
void tsr_row_list_set_plain (TsrRowList *self, const char *name);
void tsr_row_list_set_fits (TsrRowList *self);
/* Rows with these keys are the expanded ones. */
void tsr_row_list_set_keys (TsrRowList *self, const char *const *keys);
/* Only columns with these keys (nullable: all), and the main one, are shown while there is room:
 * for the main one @main_width pixels (0: as usual). */
void tsr_row_list_set_columns (TsrRowList *self, const char *const *keys, int main_width);
/* What these columns take when no name is cut; 0: not known yet. */
int tsr_row_list_get_wanted_width (TsrRowList *self);
/* The arrow in the headings; -1: none. */
void tsr_row_list_show_sort (TsrRowList *self, int column, gboolean descending);
gboolean tsr_row_list_is_growing (TsrRowList *self);
/* To the first row when none is selected. */
void tsr_row_list_scroll_to_selected (TsrRowList *self);
void tsr_row_list_focus (TsrRowList *self);
/* Stands over the list; the caller shows and hides it. */
void tsr_row_list_add_message (TsrRowList *self, GtkWidget *message);

/* (transfer none) */
TsrRowModel *tsr_row_list_get_model (TsrRowList *self);
TsrRowCells *tsr_row_list_get_cells (TsrRowList *self);
GtkColumnView *tsr_row_list_get_column_view (TsrRowList *self);

/* (transfer full): keys and kinds of the columns: the same for tables with the same columns. */
char *tsr_row_list_dup_signature (TsrRows *rows);
/* The column that takes what width is left: the first text. */
guint tsr_row_list_get_main_column (TsrRows *rows);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A TsrTable as a tree of rows with a column for each of its columns: sorted by a click on a
 * heading (or by the menu of tsr_table_view_get_sort_menu), copied as CSV, exact values as
 * tooltips.  What is expanded is remembered by the rows' keys and outlives the table.
 *
 * Actions: table.copy (what is selected; all when nothing is), table.copy-all, table.save,
 * table.expand-all, table.collapse-all, table.sort (column as "i", again: the other way round;
 * -1: no order).  Signal "toast" (char *): something to tell the user. */

#pragma once

#include "tsr-settings.h"
#include "tsr-table.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_TABLE_VIEW (tsr_table_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrTableView, tsr_table_view, TSR, TABLE_VIEW, GtkWidget)

TsrTableView *tsr_table_view_new (void);
/* @label_title: heading of the first column. */
void tsr_table_view_set_label_title (TsrTableView *self, const char *label_title);
/* @table (nullable) */
void tsr_table_view_set_table (TsrTableView *self, TsrTable *table, TsrUnits units);
TsrTable *tsr_table_view_get_table (TsrTableView *self);
/* Remembers keys of expanded rows under @key, a list of words. */
void tsr_table_view_set_settings (TsrTableView *self, TsrSettings *settings, const char *key);

/* What "copy all" and "save" give; without it the table's own CSV.  Returns (transfer full). */
typedef char *(*TsrTableCsvFunc) (gpointer data);
void tsr_table_view_set_csv_func (TsrTableView *self, TsrTableCsvFunc func, gpointer data);
/* A word for the name of the saved file: "memory-details". */
void tsr_table_view_set_file_name (TsrTableView *self, const char *name);

/* Order by @column of the table, -1: as in the table. */
void tsr_table_view_sort (TsrTableView *self, int column, gboolean descending);
int tsr_table_view_get_sort (TsrTableView *self, gboolean *descending);
/* (transfer none): follows the columns. */
GMenuModel *tsr_table_view_get_sort_menu (TsrTableView *self);

gboolean tsr_table_view_is_expanded (TsrTableView *self, const char *key);
void tsr_table_view_set_expanded (TsrTableView *self, const char *key, gboolean expanded);

/* (transfer none): visible rows in their order; items are GtkTreeListRow of TsrTableItem. */
GtkSelectionModel *tsr_table_view_get_rows (TsrTableView *self);
GtkColumnView *tsr_table_view_get_column_view (TsrTableView *self);
/* (transfer full): the selected rows, in the order shown, as CSV; NULL when none is. */
char *tsr_table_view_dup_selected_csv (TsrTableView *self);
void tsr_table_view_save_to (TsrTableView *self, const char *path);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* TsrRows as a list or a tree with a heading row: a filter entry above (with count "1,204 of
 * 8,135"), sorted by a click on a heading, a pinned total row, columns that disappear from the
 * least important one when there is no room, selection of one or several rows, copied and saved as
 * CSV.  Sorting and filtering run in a worker; the rows shown stay until the new order is there.
 *
 * Of a tree, what is expanded is remembered by the rows' keys and outlives the table: by a click on
 * the arrow, a double click or Return, Right and Left; Shift+Right expands all below a row.
 *
 * Actions: rows.copy (selected rows; all when none is), rows.copy-value (of a plain view: the last
 * cell of the selected row), rows.copy-all, rows.save, rows.filter
 * (focus the entry, Ctrl+F), rows.sort (column "i", -1: no order), rows.expand-all,
 * rows.collapse-all, rows.menu.  Signals: "selection-changed" (by the user);
 * "activate-row" (uint row: double click or Return); "toast" (char *), which
 * the window shows (action "win.toast"). */

#pragma once

#include "tsr-row-cells.h"
#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_ROW_VIEW (tsr_row_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrRowView, tsr_row_view, TSR, ROW_VIEW, GtkWidget)

TsrRowView *tsr_row_view_new (void);
/* @rows (nullable).  A table whose columns have the same keys keeps sort, filter and widths; else
 * @sort_key (NULL: row order) and @descending say the first order, and the filter is kept when the
 * first text column has the same key; a table that is away in between (NULL) changes nothing of
 * this.  Another table has nothing selected; the rows shown are those of the table before until
 * these are in order. */
void tsr_row_view_set_rows (
    TsrRowView *self, TsrRows *rows, TsrUnits units, const char *sort_key, gboolean descending);
TsrRows *tsr_row_view_get_rows (TsrRowView *self);
/* (nullable) (transfer none): those on the screen, which are others until an order is there. */
TsrRows *tsr_row_view_get_shown (TsrRowView *self);
/* What stands there while there are no rows: translated title and text (each nullable). */
void tsr_row_view_set_placeholder (TsrRowView *self, const char *title, const char *text);
/* How far reading in @session (nullable) has come; see tsr_row_message_set_stages(). */
void tsr_row_view_set_stages (TsrRowView *self, TsrSession *session, guint stages);
/* "Filter variables"; NULL hides the filter. */
void tsr_row_view_set_filter_hint (TsrRowView *self, const char *hint);
void tsr_row_view_set_filter (TsrRowView *self, const char *text);
const char *tsr_row_view_get_filter (TsrRowView *self);
/* The order as a word of a link, "bytes" or "-bytes" (largest first), a column's key;
 * NULL: the table's first one.  Setting it holds for every table that has the column,
 * until the user sorts. */
void tsr_row_view_set_sort (TsrRowView *self, const char *sort);
/* Both as words of a link, "filter" and "sort", and back; nothing where @self is NULL.  A filter
 * that is not named would hide what is; an order that is not named is the first one in words that
 * say all (@whole). */
void tsr_row_view_save_filter (TsrRowView *self, GHashTable *words);
void tsr_row_view_save_sort (TsrRowView *self, GHashTable *words);
void tsr_row_view_load_filter (TsrRowView *self, GHashTable *words);
void tsr_row_view_load_sort (TsrRowView *self, GHashTable *words, gboolean whole);
/* The same by number of the column, -1: none, also of a table that is still to come.  A tree in
 * place of another one with other columns keeps the number. */
int tsr_row_view_get_sort_column (TsrRowView *self, gboolean *descending);
void tsr_row_view_sort_by_column (TsrRowView *self, int column, gboolean descending);
/* (transfer none): "rows.sort" by each column of numbers; follows the columns. */
GMenuModel *tsr_row_view_get_sort_menu (TsrRowView *self);
/* Remembers keys of expanded rows under @key, a list of words. */
void tsr_row_view_set_settings (TsrRowView *self, TsrSettings *settings, const char *key);
/* By key, of rows of the table that is there. */
gboolean tsr_row_view_is_expanded (TsrRowView *self, const char *key);
void tsr_row_view_set_expanded (TsrRowView *self, const char *key, gboolean expanded);
/* Expands what is above @row of the table that is shown. */
void tsr_row_view_reveal (TsrRowView *self, guint32 row);
/* @keys (nullable: none) of all rows that are expanded; (transfer full). */
void tsr_row_view_set_keys (TsrRowView *self, const char *const *keys);
char **tsr_row_view_dup_keys (TsrRowView *self);
/* The row before or behind @row (-1, 1; TSR_NO_INDEX: from the end) in the order that is shown,
 * expanded or not, for which @test is TRUE; around the end.  TSR_NO_INDEX: none. */
typedef gboolean (*TsrRowTestFunc) (gpointer data, guint32 row);
guint32 tsr_row_view_find_next (
    TsrRowView *self, guint32 row, int direction, TsrRowTestFunc test, gpointer data);
/* Of the row that is clicked with the secondary button, which is selected then; also by the Menu
 * key.  Once. */
void tsr_row_view_set_menu (TsrRowView *self, GMenuModel *menu);
/* Only columns with these @keys (nullable: all), and the main one, are shown while there is room:
 * for the main one @main_width pixels (0: as usual). */
void tsr_row_view_set_columns (TsrRowView *self, const char *const *keys, int main_width);
/* What these columns take when no name is cut; 0: not known yet. */
int tsr_row_view_get_wanted_width (TsrRowView *self);
/* What "copy all" and "save" give in place of the rows shown: (transfer full) (nullable). */
typedef TsrRows *(*TsrRowExportFunc) (gpointer data);
void tsr_row_view_set_export_func (TsrRowView *self, TsrRowExportFunc func, gpointer data);
/* A word for the name of the saved file. */
void tsr_row_view_set_file_name (TsrRowView *self, const char *name);
/* (transfer full): the rows that are shown, filtered and in their order, as CSV with a line of
 * titles; empty without rows. */
char *tsr_row_view_dup_csv (TsrRowView *self);
void tsr_row_view_save_to (TsrRowView *self, const char *path);
void tsr_row_view_set_multiple (TsrRowView *self, gboolean multiple);
/* Shows it without headings; one row is selected, and its menu and Ctrl+C copy it and all below it
 * as text.  @name: for screen readers. */
void tsr_row_view_set_plain (TsrRowView *self, const char *name);
/* It is a part of a page that scrolls, and as high as its rows, or some of them when there are
 * many; else it fills its place. */
void tsr_row_view_set_fits (TsrRowView *self);
/* How many rows there are stands elsewhere, such as in a tab: beside the filter only what passes
 * it is counted. */
void tsr_row_view_set_counted (TsrRowView *self);
/* A widget that stands in the filter's row, at its end. */
void tsr_row_view_add_control (TsrRowView *self, GtkWidget *control);
/* Puts the filter's row, which expands, after @sibling in place of above the rows. */
void tsr_row_view_move_filter (TsrRowView *self, GtkWidget *sibling);

/* (transfer full) (element-type guint32): selected rows of the table, ascending. */
GArray *tsr_row_view_dup_selected (TsrRowView *self);
/* Selects these rows (none: clears) and scrolls to the first. */
void tsr_row_view_select (TsrRowView *self, const guint32 *rows, guint n_rows);
/* A swatch of colour at the start of each row: ink of @row or TSR_NO_DATUM.  (nullable) */
typedef guint (*TsrRowInkFunc) (gpointer data, guint32 row);
void tsr_row_view_set_ink_func (TsrRowView *self,
                                TsrRowInkFunc func,
                                gpointer data,
                                GDestroyNotify notify);

/* Highlights the names of rows for which @func is TRUE; NULL: of none.  Set again when others are:
 * only the highlights follow. */
void tsr_row_view_set_mark_func (TsrRowView *self, TsrRowTestFunc func, gpointer data);

/* Draws the cells of painted columns (TsrRowColumn.paint).  (nullable) */
void tsr_row_view_set_paint_func (TsrRowView *self, TsrRowPaintFunc func, gpointer data);

/* TRUE while an order is being worked out; the number of rows shown. */
gboolean tsr_row_view_is_busy (TsrRowView *self);
guint tsr_row_view_get_n_shown (TsrRowView *self);
/* What a key of a tree does: see tsr_row_list_key. */
gboolean tsr_row_view_key (TsrRowView *self, guint key, GdkModifierType state);
GtkColumnView *tsr_row_view_get_column_view (TsrRowView *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The cells of a list of rows: texts at the left, shortened in the middle with all of it as
 * tooltip, numbers at the right with all digits as tooltip; of a tree indentation and an arrow
 * before the name.  Signal "toggle-row" (uint position): the arrow was clicked.  Main thread. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-row-model.h"

G_BEGIN_DECLS

#define TSR_TYPE_ROW_CELLS (tsr_row_cells_get_type ())
G_DECLARE_FINAL_TYPE (TsrRowCells, tsr_row_cells, TSR, ROW_CELLS, GObject)

TsrRowCells *tsr_row_cells_new (TsrRowModel *model);
/* (transfer full): makes the cells of @column; the one of the first has the swatch. */
GtkListItemFactory *tsr_row_cells_create_factory (TsrRowCells *self, guint column, gboolean first);
void tsr_row_cells_set_units (TsrRowCells *self, TsrUnits units);
/* As in tsr_row_view_set_ink_func. */
void tsr_row_cells_set_ink_func (TsrRowCells *self,
                                 guint (*func) (gpointer data, guint32 row),
                                 gpointer data,
                                 GDestroyNotify notify);
/* As in tsr_row_view_set_mark_func. */
void tsr_row_cells_set_mark_func (TsrRowCells *self,
                                  gboolean (*func) (gpointer data, guint32 row),
                                  gpointer data);
/* Draws what stands in a painted cell into @list. */
typedef void (*TsrRowPaintFunc) (
    gpointer data, guint32 row, guint column, const TsrChartGeometry *geometry, TsrDrawList *list);
void tsr_row_cells_set_paint_func (TsrRowCells *self, TsrRowPaintFunc func, gpointer data);
/* (nullable) (transfer none): what stands at @position, when it has a widget. */
GtkWidget *tsr_row_cells_get_row_widget (TsrRowCells *self, guint position);
/* The position whose row has @widget (nullable) in it, or GTK_INVALID_LIST_POSITION. */
guint tsr_row_cells_find (TsrRowCells *self, GtkWidget *widget);
/* The position that has the focus, or GTK_INVALID_LIST_POSITION. */
guint tsr_row_cells_find_focus (TsrRowCells *self);
/* Fills all cells again. */
void tsr_row_cells_refresh (TsrRowCells *self);

G_END_DECLS

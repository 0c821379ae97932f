/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The total row of a list: one cell under each heading of a column view, wherever its columns are
 * moved or scrolled.  It stands over the space that the style class "with-total" leaves at the foot
 * of the view's headings, so that it never covers a row. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_TOTAL_ROW (tsr_total_row_get_type ())
G_DECLARE_FINAL_TYPE (TsrTotalRow, tsr_total_row, TSR, TOTAL_ROW, GtkWidget)

/* @view is borrowed and outlives the row. */
TsrTotalRow *tsr_total_row_new (GtkColumnView *view);
/* One text for each column of the view ("" for none), with an exact one as tooltip (nullable each).
 * @numbers: stands at the right. */
void tsr_total_row_set (TsrTotalRow *self,
                        guint n,
                        const char *const *texts,
                        const char *const *exact,
                        const gboolean *numbers);
/* (transfer none): text of a cell. */
const char *tsr_total_row_get_text (TsrTotalRow *self, guint column);
/* Where it stands in @overlay, for GtkOverlay::get-child-position. */
gboolean tsr_total_row_get_position (TsrTotalRow *self, GtkWidget *overlay, GdkRectangle *position);

G_END_DECLS

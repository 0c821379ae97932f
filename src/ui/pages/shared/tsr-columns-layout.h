/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cards in columns of one width: as many columns as fit, each card under the shortest column. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_COLUMNS_LAYOUT (tsr_columns_layout_get_type ())
G_DECLARE_FINAL_TYPE (TsrColumnsLayout, tsr_columns_layout, TSR, COLUMNS_LAYOUT, GtkLayoutManager)

/* @min_width: a column is never narrower unless the whole widget is. */
GtkLayoutManager *tsr_columns_layout_new (int min_width, int max_columns, int spacing);
/* Number of columns at @width. */
int tsr_columns_layout_get_n_columns (TsrColumnsLayout *self, int width);

G_END_DECLS

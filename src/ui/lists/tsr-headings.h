/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What GTK 4.8 does not offer for the headings of a column view: which column it is sorted by,
 * alignment, tooltips, a width that fits.  Main thread. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A sorter that orders nothing, for the column with this number: the view's arrows follow it.
 * (transfer full) */
GtkSorter *tsr_heading_sorter_new (int column);
/* Number of the column that @view is sorted by, as its user wants it; -1 for none. */
int tsr_headings_get_sort (GtkColumnView *view, gboolean *descending);

/* Pixels of @text in the font of @widget; of one of many kilobytes, those of its beginning. */
int tsr_text_get_width (GtkWidget *widget, const char *text);
/* The same of a number, whose figures are tabular. */
int tsr_number_get_width (GtkWidget *widget, const char *text);
/* A label that ends in an ellipsis where it has no room, and then tells its whole text in a
 * tooltip; what is not cut is not said twice. */
void tsr_text_may_be_cut (GtkLabel *label);
/* Pixels for @title with the sort arrow beside it. */
int tsr_heading_get_width (GtkWidget *widget, const char *title);
/* The widget of the heading of the column at @position, hidden ones counted; (nullable)
 * (transfer none). */
GtkWidget *tsr_headings_get_title (GtkColumnView *view, guint position);
/* Gives the heading at @position its tooltip; numbers stand at the right. */
void tsr_heading_dress (GtkColumnView *view, guint position, gboolean number, const char *tooltip);

G_END_DECLS

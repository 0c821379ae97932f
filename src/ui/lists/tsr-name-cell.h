/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A name in a cell that, where it has no room, is cut so that it does not read like those in the
 * rows about it.  Main thread. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_NAME_CELL (tsr_name_cell_get_type ())
G_DECLARE_FINAL_TYPE (TsrNameCell, tsr_name_cell, TSR, NAME_CELL, GtkWidget)

/* Takes @inscription as its child. */
TsrNameCell *tsr_name_cell_new (GtkWidget *inscription);
/* (transfer none) */
GtkInscription *tsr_name_cell_get_inscription (TsrNameCell *self);
#define TSR_NAME_CELL_MOST_NEIGHBOURS 48
/* @list fills in the names about it, borrowed, and gives their number; asked only when the name has
 * no room.  @data outlives the cell. */
typedef guint (*TsrNeighboursFunc) (TsrNameCell *self,
                                    gpointer data,
                                    const char *names[TSR_NAME_CELL_MOST_NEIGHBOURS]);
void tsr_name_cell_set_neighbours_func (TsrNameCell *self, TsrNeighboursFunc list, gpointer data);
void tsr_name_cell_set_text (TsrNameCell *self, const char *text);
/* TRUE when the inscription's text is not all of the name. */
gboolean tsr_name_cell_is_cut (TsrNameCell *self);

G_END_DECLS

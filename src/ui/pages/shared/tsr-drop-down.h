/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A drop-down with words that are translated here and a name for tooltip and assistive technology.
 * Main thread. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* (transfer floating): one row for each of @words (N_, NULL-terminated); @label is translated. */
GtkDropDown *tsr_drop_down_new (const char *const *words, const char *label);
/* (transfer none): the same at the end of @box; @changed (@owner) whenever another row is chosen.
 */
GtkDropDown *tsr_drop_down_add (
    GtkWidget *box, const char *const *words, const char *label, GCallback changed, gpointer owner);
/* Other rows, of which the one at place @selected is chosen; both are told at once, as the choice
 * of that place. */
void tsr_drop_down_set_rows (GtkDropDown *self, const char *const *rows, guint selected);
/* Lets the button of @self, whose rows are strings, be narrower than its longest row, which it then
 * cuts: between @least and
 * @most characters wide.  The list has all of each. */
void tsr_drop_down_set_shrinking (GtkDropDown *self, int least, int most);

G_END_DECLS

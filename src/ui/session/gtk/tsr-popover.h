/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A popover's child that has all the room it needs. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Puts @child into @popover.  GTK 4.8 asks for its height at a width that has the popover's shadow
 * in it, so that lines of text which break in the width that is left are cut off; here it is asked
 * at its own natural width. */
void tsr_popover_set_child (GtkPopover *popover, GtkWidget *child);

G_END_DECLS

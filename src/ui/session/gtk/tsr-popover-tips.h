/* SPDX-License-Identifier: GPL-3.0-or-later */

/* No tooltip over a popover: what a popover points to has none while it is open.  For all popovers
 * of the program, buttons' menus and choosers of GTK included. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Once. */
void tsr_popover_tips_init (void);

G_END_DECLS

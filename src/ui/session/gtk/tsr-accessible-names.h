/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names for assistive technology that GTK 4.8 does not give to widgets of its own: rows, headings,
 * tabs, the buttons inside of menu buttons and drop-downs.  Main thread. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on each widget that is shown has one, in all windows. */
void tsr_accessible_names_init (void);

G_END_DECLS

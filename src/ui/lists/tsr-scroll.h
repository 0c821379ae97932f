/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What GTK's scrolled windows lack for pages that scroll as a whole.  Main thread. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Of a scrolled window inside another one GTK takes every turn of the wheel, also those that move
 * nothing in it.  From here on what @inner has no room for, down or up, moves the one about it. */
void tsr_scroll_chain_add (GtkScrolledWindow *inner);

/* In place of GtkViewport:scroll-to-focus, which goes to the end of what is higher than the
 * viewport, whatever of it is seen: that comes into sight with its beginning, when none of it is.
 */
void tsr_scroll_follow_focus (GtkViewport *viewport);

G_END_DECLS

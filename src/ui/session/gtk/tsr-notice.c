/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Toasts: whoever has something to say in passing knows only that the window may have an action for
 * it. */

#include "config.h"

#include "tsr-notice.h"

void
tsr_notice_show (GtkWidget *widget, const char *text)
{
  g_return_if_fail (GTK_IS_WIDGET (widget) && text != NULL);
  gtk_widget_activate_action (widget, "win.toast", "s", text);
}

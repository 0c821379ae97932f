/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is said in passing, over the page. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* In the window that @widget is in, if it is one that has toasts; @text is translated. */
void tsr_notice_show (GtkWidget *widget, const char *text);

G_END_DECLS

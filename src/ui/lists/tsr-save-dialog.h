/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where a table is saved: the dialog that both kinds of table open.  Main thread. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef void (*TsrSaveFunc) (gpointer object, GFile *file);
/* Asks for a file; @func is called with @object (which is kept alive) unless the user cancels.
 * @name: proposed name, without ".csv". */
void tsr_save_dialog_show (GtkWidget *parent, const char *name, TsrSaveFunc func, GObject *object);

G_END_DECLS

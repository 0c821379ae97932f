/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shows a chooser of files, or says why there is none.  Main thread. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* In a sandbox the desktop's portal shows choosers, and where it has none, nothing at all would
 * happen: then a message says so and what to do, and @dialog gets the response CANCEL.  Whoever
 * drops @dialog before has cancelled. */
void tsr_chooser_show (GtkNativeDialog *dialog);

G_END_DECLS

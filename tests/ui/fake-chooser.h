/* SPDX-License-Identifier: GPL-3.0-or-later */

/* In place of the system's chooser of files: what would be shown is kept, and answered by the test.
 * Of programs that are linked with fake_chooser_args of meson.build. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* (transfer none) (nullable): the one that was shown last, until it is gone; its owner has it. */
GtkNativeDialog *fake_chooser_peek (void);
/* What is chosen in it (@uri, nullable) and how it is answered, after which it must be gone. */
void fake_chooser_answer (const char *uri, int response);

G_END_DECLS

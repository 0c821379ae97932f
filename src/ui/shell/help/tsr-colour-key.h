/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window that says what the colours mean, from the table of colours. */

#pragma once

#include "tsr-memory.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @subjects: mask of 1 << TsrColourSubject; @memory (nullable): of its report, of which only the
 * categories and IPUs are listed that there are. */
GtkWindow *tsr_colour_key_new (GtkWindow *parent, guint subjects, TsrMemory *memory);

G_END_DECLS

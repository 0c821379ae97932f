/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What GTK 4.8 gets wrong on any screen and can be put right from outside.  Main thread. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void tsr_gtk_mends_init (void);

G_END_DECLS

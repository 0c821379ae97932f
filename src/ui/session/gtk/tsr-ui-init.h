/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What every program with our widgets does once: resources, icons, style, settings. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_RESOURCE_PATH "/io/github/tessera_ipu/Tessera"

/* After gtk_init; further calls do nothing. */
void tsr_ui_init (void);

G_END_DECLS

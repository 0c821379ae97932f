/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The navigation strip of a chart: zoom out, magnification to type, zoom in, page left and right,
 * fit, undo of a zoom, and a button that folds it (remembered in the settings).  It works on the
 * viewport alone and may stand anywhere. */

#pragma once

#include "tsr-settings.h"
#include "tsr-viewport.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_NAVIGATION (tsr_navigation_get_type ())
G_DECLARE_FINAL_TYPE (TsrNavigation, tsr_navigation, TSR, NAVIGATION, GtkWidget)

TsrNavigation *tsr_navigation_new (void);
void tsr_navigation_set_viewport (TsrNavigation *self, TsrViewport *viewport);
/* Lets the strip be folded, and remembers it there. */
void tsr_navigation_set_settings (TsrNavigation *self, TsrSettings *settings);
gboolean tsr_navigation_is_folded (TsrNavigation *self);
/* (transfer none) */
GtkEntry *tsr_navigation_get_entry (TsrNavigation *self);

/* "250", "250 %", "2,500%": 2.5, 2.5, 25; FALSE for anything that is no magnification. */
gboolean tsr_magnification_parse (const char *text, double *magnification);

/* The factor of one step of zoom, and about what: the middle of what is visible. */
#define TSR_ZOOM_STEP 1.5
void tsr_viewport_zoom_middle (TsrViewport *viewport, double factor);

G_END_DECLS

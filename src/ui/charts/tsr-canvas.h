/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A widget that shows one draw list and nothing else.  The list is made by a function, only when
 * something that it depends on has changed; the widget's render node is kept by GTK until then, so
 * what moves (hover, selection) is a canvas of its own over the one that does not. */

#pragma once

#include "tsr-chart-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_CANVAS (tsr_canvas_get_type ())
G_DECLARE_FINAL_TYPE (TsrCanvas, tsr_canvas, TSR, CANVAS, GtkWidget)

/* Fills @list, which is empty.  @geometry has size, scale and text measure set. */
typedef void (*TsrCanvasLayout) (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data);

TsrCanvas *tsr_canvas_new (TsrCanvasLayout layout, gpointer data);
/* The list is made again before the next frame. */
void tsr_canvas_invalidate (TsrCanvas *self);
/* Makes the list now if need be, for a size that the widget is about to get. */
void tsr_canvas_ensure (TsrCanvas *self, int width, int height);
/* (transfer none) */
const TsrDrawList *tsr_canvas_get_list (TsrCanvas *self);

G_END_DECLS

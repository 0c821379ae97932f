/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Draw lists on the screen: rectangles and axis-parallel lines as colour nodes, everything slanted
 * or dashed as cairo nodes with tight bounds, labels through Pango layouts that are kept, rasters
 * as one image each, made when it is drawn.  Main thread. */

#pragma once

#include "tsr-chart-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _TsrScreenPainter TsrScreenPainter;

/* @widget gives the font; it must live longer. */
TsrScreenPainter *tsr_screen_painter_new (GtkWidget *widget);
void tsr_screen_painter_free (TsrScreenPainter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrScreenPainter, tsr_screen_painter_free)

/* (transfer none): measures text in the widget's font. */
const TsrTextMeasure *tsr_screen_painter_get_measure (TsrScreenPainter *self);

/* Forgets text that was laid out: for another font. */
void tsr_screen_painter_forget (TsrScreenPainter *self);

/* Paints @list; @scale: device pixels for each logical one, to which edges are rounded. */
void tsr_screen_painter_paint (TsrScreenPainter *self,
                               const TsrDrawList *list,
                               GtkSnapshot *snapshot,
                               gboolean dark,
                               double scale);

/* Whether @widget has light text on a dark ground. */
gboolean tsr_widget_is_dark (GtkWidget *widget);

G_END_DECLS

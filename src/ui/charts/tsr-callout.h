/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a chart says of one datum, beside the pointer or the keyboard cursor: a heading and lines
 * under it.  The widget it stands in gives it its place. */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_CALLOUT (tsr_callout_get_type ())
G_DECLARE_FINAL_TYPE (TsrCallout, tsr_callout, TSR, CALLOUT, GtkWidget)

TsrCallout *tsr_callout_new (void);
/* The first line of @text is the heading; NULL and "" hide the callout.  (@x, @y): what it points
 * at, in the parent, which must allocate again. */
void tsr_callout_show (TsrCallout *self, const char *text, double x, double y);
/* Gives it its place inside a parent of @width x @height. */
void tsr_callout_allocate (TsrCallout *self, int width, int height);

G_END_DECLS

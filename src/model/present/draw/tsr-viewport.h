/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The visible part of a chart's x axis, in data units, with a history.  One object for each chart
 * and window; main thread.  Signal "changed". */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define TSR_TYPE_VIEWPORT (tsr_viewport_get_type ())
G_DECLARE_FINAL_TYPE (TsrViewport, tsr_viewport, TSR, VIEWPORT, GObject)

TsrViewport *tsr_viewport_new (void);

/* Domain [from, to), least span that may be shown.  Keeps what is visible as far as the domain
 * allows. */
void tsr_viewport_set_domain (TsrViewport *self, double from, double to, double min_span);
void tsr_viewport_get_domain (TsrViewport *self, double *from, double *to);
void tsr_viewport_get_range (TsrViewport *self, double *from, double *to);

/* Each clamps to the domain; a range that is set before there is a domain waits for it.  set_range
 * and zooms push onto the history unless they continue the same gesture
 * (@gesture: any number not 0 that stays the same while one drag or one burst of wheel events
 * lasts; 0: a step of its own). */
void tsr_viewport_set_range (TsrViewport *self, double from, double to, guint gesture);
/* Shows [from, to) and forgets the history: the domain means something else than before. */
void tsr_viewport_restart (TsrViewport *self, double from, double to);
void tsr_viewport_zoom_about (TsrViewport *self,
                              double x,
                              double factor,
                              guint gesture);                        /* factor > 1: closer */
void tsr_viewport_pan (TsrViewport *self, double by, guint gesture); /* data units */
void tsr_viewport_page (TsrViewport *self, int pages); /* +-: 90 % of what is visible */
void tsr_viewport_fit (TsrViewport *self);
/* Whole domain / visible span: 1 = 100 %. */
double tsr_viewport_get_magnification (TsrViewport *self);
void tsr_viewport_set_magnification (TsrViewport *self, double magnification);
gboolean tsr_viewport_undo (TsrViewport *self); /* FALSE when there is nothing to undo */
gboolean tsr_viewport_can_undo (TsrViewport *self);
/* Brings [from, to) into view without changing the zoom unless it does not fit. */
void tsr_viewport_reveal (TsrViewport *self, double from, double to);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The plane of the lifetime chart with its scroll bar, filter and order.  It shows the same steps
 * as the graph (one viewport), and stands below it edge to edge when it is told to.
 *
 * Pointer: the wheel scrolls (Ctrl zooms the steps, Shift or a sideways wheel pans them), a click
 * selects a variable, Shift+click adds or takes away, Ctrl+drag or the middle button pans. */

#pragma once

#include "tsr-chart.h"
#include "tsr-lifetime-chart.h"
#include "tsr-plane.h"
#include "tsr-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_LIFETIME_VIEW (tsr_lifetime_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrLifetimeView, tsr_lifetime_view, TSR, LIFETIME_VIEW, TsrPlane)

TsrLifetimeView *tsr_lifetime_view_new (void);
/* Once. */
void
tsr_lifetime_view_set_session (TsrLifetimeView *self, TsrSession *session, TsrViewport *viewport);
/* Rows of @source are computed in a worker; nothing is shown without @liveness (nullable). */
void tsr_lifetime_view_set_source (TsrLifetimeView *self,
                                   TsrLiveness *liveness,
                                   const TsrLivenessSource *source);
/* Puts the plot's edges under those of @chart's plot; NULL: takes the whole width. */
void tsr_lifetime_view_align (TsrLifetimeView *self, TsrChart *chart);
/* Its choosers and its entry follow these options (TsrLifetimeOrder, TsrLifetimeColour, a text). */
void tsr_lifetime_view_bind (
    TsrLifetimeView *self, TsrViewState *state, guint order, guint colour, guint filter);

/* (transfer none) (nullable), for tests. */
TsrLifetimeChart *tsr_lifetime_view_get_model (TsrLifetimeView *self);
gboolean tsr_lifetime_view_is_busy (TsrLifetimeView *self);

G_END_DECLS

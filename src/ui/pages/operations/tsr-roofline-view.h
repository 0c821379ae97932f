/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The roofline on the screen: a click or the keyboard selects an operation, the wheel zooms along
 * the x axis.  Main thread.
 *
 * Signal "select" (guint): the operation, by the user. */

#pragma once

#include "tsr-plane.h"
#include "tsr-roofline.h"

G_BEGIN_DECLS

#define TSR_TYPE_ROOFLINE_VIEW (tsr_roofline_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrRooflineView, tsr_roofline_view, TSR, ROOFLINE_VIEW, TsrPlane)

TsrRooflineView *tsr_roofline_view_new (void);
void tsr_roofline_view_set_roofline (TsrRooflineView *self, TsrRoofline *roofline); /* (nullable) */
/* (transfer none) (nullable) */
TsrRoofline *tsr_roofline_view_get_roofline (TsrRooflineView *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The plane of an icicle.  A click or the arrows select a cell; a double click or Return makes it
 * as wide as the plot, and on the outermost cells that are shown goes back; the wheel zooms without
 * leaving the level.  Actions have the names of TsrChart's, and chart.zoom-to, chart.zoom-back.
 *
 * Signal: "select" (uint cell of the icicle). */

#pragma once

#include "tsr-plane.h"
#include "tsr-program-icicle.h"

G_BEGIN_DECLS

#define TSR_TYPE_ICICLE_VIEW (tsr_icicle_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrIcicleView, tsr_icicle_view, TSR, ICICLE_VIEW, TsrPlane)

TsrIcicleView *tsr_icicle_view_new (void);
void tsr_icicle_view_set_icicle (TsrIcicleView *self, TsrProgramIcicle *icicle); /* (nullable) */
TsrProgramIcicle *tsr_icicle_view_get_icicle (TsrIcicleView *self);
/* Marks @cell, TSR_NO_DATUM for none, and shows so much above it that it can be seen. */
void tsr_icicle_view_show_cell (TsrIcicleView *self, guint32 cell);
/* Makes @cell as wide as the plot; what is marked stays so. */
void tsr_icicle_view_zoom_to (TsrIcicleView *self, guint32 cell);

G_END_DECLS

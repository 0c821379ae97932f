/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The highest local maxima of the liveness graph as a list, numbered as their flags are.  Signal
 * "jump" (uint place in the list): the user wants to go there. */

#pragma once

#include "tsr-liveness.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_PEAKS_POPOVER (tsr_peaks_popover_get_type ())
G_DECLARE_FINAL_TYPE (TsrPeaksPopover, tsr_peaks_popover, TSR, PEAKS_POPOVER, GtkPopover)

/* @peaks (element-type TsrPeak) (nullable); @always_live is added to their bytes. */
void tsr_peaks_popover_set_peaks (TsrPeaksPopover *self,
                                  TsrLiveness *liveness,
                                  GArray *peaks,
                                  gint64 always_live,
                                  TsrUnits units);

G_END_DECLS

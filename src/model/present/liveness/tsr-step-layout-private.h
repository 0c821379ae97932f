/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of tsr-step-layout, shared by its files. */

#pragma once

#include "tsr-step-layout.h"

G_BEGIN_DECLS

/* The row of @value among @height rows.  Not floor (), which is a call without SSE 4.1; nothing
 * here is negative. */
static inline int
tsr_step_layout_get_row (double value, const TsrPlotArea *area, int height)
{
  double share = (value - area->y_from) / (area->y_to - area->y_from);

  return height - (int)(CLAMP (share, 0, 1) * height + 0.5);
}

G_END_DECLS

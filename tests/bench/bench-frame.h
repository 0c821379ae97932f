/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a frame of a chart costs while it is zoomed and panned, at 1600 x 1000. */

#pragma once

#include "tsr-chart-model.h"

G_BEGIN_DECLS

/* Median milliseconds of layout and snapshot (allocation, layout, render nodes), and of the same
 * with the nodes drawn by cairo; printed as "frame WHAT SIZE MS" and "drawn WHAT SIZE MS".  @close:
 * up to nine times closer instead of between the whole range and half of it. */
void bench_frame_print (TsrChartModel *model, const char *what, guint size, gboolean close);

G_END_DECLS

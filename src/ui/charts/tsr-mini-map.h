/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The strip over a chart that shows the whole of it and which part is visible.  Its two handles
 * resize that part, what is between them moves it, a click beside it centres it.  The keyboard has
 * the same through the chart's own keys. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-viewport.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_MINI_MAP (tsr_mini_map_get_type ())
G_DECLARE_FINAL_TYPE (TsrMiniMap, tsr_mini_map, TSR, MINI_MAP, GtkWidget)

#define TSR_MINI_MAP_HEIGHT 24

TsrMiniMap *tsr_mini_map_new (TsrViewport *viewport);
void tsr_mini_map_set_model (TsrMiniMap *self, TsrChartModel *model);
void tsr_mini_map_set_viewport (TsrMiniMap *self, TsrViewport *viewport);

typedef enum
{
  TSR_MINI_MAP_OUTSIDE,
  TSR_MINI_MAP_INSIDE,
  TSR_MINI_MAP_LEFT_HANDLE,
  TSR_MINI_MAP_RIGHT_HANDLE,
} TsrMiniMapPart;

/* What the gestures call; tests call it as well.  @x in the widget. */
TsrMiniMapPart tsr_mini_map_part_at (TsrMiniMap *self, double x);
void tsr_mini_map_press (TsrMiniMap *self, double x);
void tsr_mini_map_drag (TsrMiniMap *self, double x);
void tsr_mini_map_release (TsrMiniMap *self);
/* Left and right edge of the visible part, in the widget. */
void tsr_mini_map_get_window (TsrMiniMap *self, double *left, double *right);

G_END_DECLS

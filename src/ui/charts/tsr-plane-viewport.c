/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A plane whose x axis is a viewport's: what is where, the wheel, and the actions on the range. */

#include "config.h"

#include "tsr-plane-private.h"

#include "tsr-navigation.h"

#include <math.h>

#define WHEEL_FACTOR 1.25
#define WHEEL_PAN    0.08 /* of what is visible */
#define KEY_PAN      0.1
#define BURST        (400 * G_TIME_SPAN_MILLISECOND)

void
tsr_plane_set_viewport (TsrPlane *self, TsrViewport *viewport)
{
  TsrPlanePrivate *priv;

  g_return_if_fail (TSR_IS_PLANE (self) && TSR_IS_VIEWPORT (viewport));
  priv = tsr_plane_get_private (self);
  tsr_plane_drop_viewport (self);
  g_set_object (&priv->viewport, viewport);
  g_signal_connect_swapped (viewport, "changed", G_CALLBACK (tsr_plane_invalidate), self);
  tsr_plane_invalidate (self);
}

void
tsr_plane_drop_viewport (TsrPlane *self)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);

  if (priv->viewport != NULL)
    g_signal_handlers_disconnect_by_func (priv->viewport, tsr_plane_invalidate, self);
}

TsrViewport *
tsr_plane_get_viewport (TsrPlane *self)
{
  g_return_val_if_fail (TSR_IS_PLANE (self), NULL);
  return tsr_plane_get_private (self)->viewport;
}

double
tsr_plane_data_at (TsrPlane *self, double x)
{
  TsrPlanePrivate *priv;
  double from, to;

  g_return_val_if_fail (TSR_IS_PLANE (self), 0);
  priv = tsr_plane_get_private (self);
  g_return_val_if_fail (priv->viewport != NULL, 0);
  tsr_viewport_get_range (priv->viewport, &from, &to);
  return priv->area.width > 0 ? from + (x - priv->area.x) / priv->area.width * (to - from) : from;
}

double
tsr_plane_x_of (TsrPlane *self, double data)
{
  TsrPlanePrivate *priv;
  double from, to;

  g_return_val_if_fail (TSR_IS_PLANE (self), 0);
  priv = tsr_plane_get_private (self);
  g_return_val_if_fail (priv->viewport != NULL, 0);
  tsr_viewport_get_range (priv->viewport, &from, &to);
  return priv->area.x + (to > from ? (data - from) / (to - from) * priv->area.width : 0);
}

/* Several planes may share a viewport, so they share the numbers too. */
guint
tsr_plane_new_gesture (void)
{
  static guint gestures;

  return ++gestures;
}

void
tsr_plane_wheel (TsrPlane *self, double x, double dx, double dy)
{
  gint64 now = g_get_monotonic_time ();
  TsrPlanePrivate *priv;
  double from, to;

  g_return_if_fail (TSR_IS_PLANE (self));
  priv = tsr_plane_get_private (self);
  g_return_if_fail (priv->viewport != NULL);
  if (now - priv->wheel_time > BURST || priv->wheel_gesture == 0)
    priv->wheel_gesture = tsr_plane_new_gesture ();
  priv->wheel_time = now;
  tsr_viewport_get_range (priv->viewport, &from, &to);
  if (dx != 0)
    tsr_viewport_pan (priv->viewport, dx * WHEEL_PAN * (to - from), priv->wheel_gesture);
  if (dy != 0)
    tsr_viewport_zoom_about (priv->viewport, CLAMP (tsr_plane_data_at (self, x), from, to),
                             pow (WHEEL_FACTOR, -dy), priv->wheel_gesture);
}

void
tsr_plane_draw_span (TsrPlane *self, TsrDrawList *list, double from, double to)
{
  const TsrPlotArea *area;
  double x1, x2, end, bottom;

  g_return_if_fail (TSR_IS_PLANE (self) && list != NULL);
  area = &tsr_plane_get_private (self)->area;
  end = area->x + area->width;
  bottom = area->y + area->height;
  x1 = CLAMP (tsr_plane_x_of (self, MIN (from, to)), area->x, end);
  x2 = CLAMP (tsr_plane_x_of (self, MAX (from, to)), area->x, end);
  tsr_draw_list_rect (list, TSR_INK_SELECTION, x1, area->y, MAX (x2 - x1, 1), area->height)->alpha
      = 0.18f;
  tsr_draw_list_line (list, TSR_INK_SELECTION, x1, area->y, x1, bottom);
  tsr_draw_list_line (list, TSR_INK_SELECTION, x2, area->y, x2, bottom);
}

/* Actions */

void
tsr_plane_zoom (TsrPlane *self, int direction)
{
  tsr_viewport_zoom_middle (tsr_plane_get_viewport (self),
                            direction > 0 ? TSR_ZOOM_STEP : 1 / TSR_ZOOM_STEP);
}

void
tsr_plane_pan (TsrPlane *self, int direction)
{
  TsrViewport *viewport = tsr_plane_get_viewport (self);
  double from, to;

  tsr_viewport_get_range (viewport, &from, &to);
  tsr_viewport_pan (viewport, direction * KEY_PAN * (to - from), 0);
}

void
tsr_plane_fit (TsrPlane *self, int argument)
{
  tsr_viewport_fit (tsr_plane_get_viewport (self));
}

void
tsr_plane_undo_zoom (TsrPlane *self, int argument)
{
  tsr_viewport_undo (tsr_plane_get_viewport (self));
}

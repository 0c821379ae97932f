/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What pointer, wheel and touch do to a chart. */

#include "config.h"

#include "tsr-chart-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define DRAG_THRESHOLD 4.0
#define CLOSER         8.0 /* a double click where there is nothing else to go to */

/* To the selection that was there before the first click and is hit, else to all, else closer. */
static void
double_click (TsrChart *self, double x)
{
  double at = tsr_plane_data_at (TSR_PLANE (self), x);
  double from = self->press_selected[0], to = self->press_selected[1], first, end, a, b;

  tsr_viewport_get_range (self->viewport, &a, &b);
  tsr_viewport_get_domain (self->viewport, &first, &end);
  if (to - from > 1 && at >= from && at < to && (from > a || to < b))
    tsr_chart_zoom_to_range (self, from, to);
  else if (a > first || b < end)
    tsr_viewport_fit (self->viewport);
  else
    tsr_viewport_zoom_about (self->viewport, at, CLOSER, 0);
}

static void
press (TsrPlane *plane, double x, double y, guint button, int n_press, GdkModifierType state)
{
  TsrChart *self = TSR_CHART (plane);

  if (n_press == 1)
    {
      self->press_selected[0] = self->selected_from;
      self->press_selected[1] = self->selected_to;
    }
  self->drag = TSR_DRAG_NONE;
  if (n_press == 2 && button == GDK_BUTTON_PRIMARY && tsr_plane_is_in_area (plane, x, y))
    {
      double_click (self, x);
      return;
    }
  self->drag = TSR_DRAG_PRESSED;
  self->drag_pans = button == GDK_BUTTON_MIDDLE || (state & GDK_CONTROL_MASK) != 0;
  self->press_x = self->last_x = x;
  self->press_y = y;
  self->gesture = tsr_plane_new_gesture ();
}

static gboolean
drag (TsrPlane *plane, double x, double y)
{
  TsrChart *self = TSR_CHART (plane);
  double width = tsr_plane_get_area (plane)->width, from, to;

  if (self->drag == TSR_DRAG_NONE)
    return FALSE;
  if (self->drag == TSR_DRAG_PRESSED)
    {
      if (hypot (x - self->press_x, y - self->press_y) < DRAG_THRESHOLD)
        return FALSE;
      self->drag = self->drag_pans ? TSR_DRAG_PAN : TSR_DRAG_BAND;
      self->band_from = tsr_plane_data_at (TSR_PLANE (self), self->press_x);
      tsr_plane_leave (plane);
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                       self->drag == TSR_DRAG_PAN ? "grabbing" : NULL);
    }
  tsr_viewport_get_range (self->viewport, &from, &to);
  if (self->drag == TSR_DRAG_PAN && width > 0)
    tsr_viewport_pan (self->viewport, (self->last_x - x) / width * (to - from), self->gesture);
  else
    {
      self->band_to = CLAMP (tsr_plane_data_at (TSR_PLANE (self), x), from, to);
      self->band_from = CLAMP (self->band_from, from, to);
      tsr_plane_invalidate_overlay (plane);
    }
  self->last_x = x;
  return TRUE;
}

static void
cancel (TsrPlane *plane)
{
  TSR_CHART (plane)->drag = TSR_DRAG_NONE;
  gtk_widget_set_cursor (GTK_WIDGET (plane), NULL);
  tsr_plane_invalidate_overlay (plane);
}

static void
release (TsrPlane *plane, double x, double y, GdkModifierType state)
{
  TsrChart *self = TSR_CHART (plane);
  TsrDragKind kind = self->drag;
  gboolean add = (state & GDK_SHIFT_MASK) != 0;
  double position;
  guint32 datum;

  cancel (plane);
  if (kind == TSR_DRAG_NONE || kind == TSR_DRAG_PAN || self->drag_pans)
    return;
  if (kind == TSR_DRAG_BAND)
    {
      tsr_chart_emit_select (self, floor (MIN (self->band_from, self->band_to)),
                             ceil (MAX (self->band_from, self->band_to)),
                             add ? TSR_SELECT_ADD : TSR_SELECT_REPLACE);
      return;
    }
  datum = TSR_PLANE_GET_CLASS (plane)->datum_at (plane, x, y);
  if (datum == TSR_NO_DATUM)
    {
      if (!add)
        tsr_chart_emit_select (self, 0, 0, TSR_SELECT_CLEAR);
      return;
    }
  position = tsr_chart_model_position_of (tsr_plane_get_model (plane), datum);
  tsr_plane_put_cursor (plane, datum, FALSE);
  self->anchor = position;
  tsr_chart_emit_select (self, position, position + 1,
                         add ? TSR_SELECT_TOGGLE : TSR_SELECT_REPLACE);
}

static void
motion (TsrPlane *plane, double x, double y)
{
  if (TSR_CHART (plane)->drag <= TSR_DRAG_PRESSED)
    tsr_plane_hover_at (plane, x, y);
}

static void
scroll (TsrPlane *plane, double x, double y, double dx, double dy, GdkModifierType state)
{
  tsr_plane_wheel (plane, x, dx, dy);
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, TsrChart *self)
{
  tsr_plane_cancel (TSR_PLANE (self));
  self->gesture = tsr_plane_new_gesture ();
  g_object_set_data (G_OBJECT (gesture), "scale", GINT_TO_POINTER (1000));
}

static void
on_pinch (GtkGestureZoom *zoom, double scale, TsrChart *self)
{
  double before = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (zoom), "scale")) / 1000.0;
  const TsrPlotArea *area = tsr_plane_get_area (TSR_PLANE (self));
  double x = area->x + area->width / 2, y;

  if (before <= 0 || scale <= 0 || tsr_plane_get_model (TSR_PLANE (self)) == NULL)
    return;
  gtk_gesture_get_bounding_box_center (GTK_GESTURE (zoom), &x, &y);
  tsr_viewport_zoom_about (self->viewport, tsr_plane_data_at (TSR_PLANE (self), x), scale / before,
                           self->gesture);
  g_object_set_data (G_OBJECT (zoom), "scale", GINT_TO_POINTER ((int)lround (scale * 1000)));
}

void
tsr_chart_add_pinch (TsrChart *self)
{
  GtkGesture *zoom = gtk_gesture_zoom_new ();

  g_signal_connect (zoom, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (zoom, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (zoom));
}

static void
add_menu_items (TsrPlane *plane, GMenu *menu)
{
  g_menu_append (menu, _ ("Zoom to selection"), "chart.zoom-to-selection");
  g_menu_append (menu, _ ("Show all"), "chart.fit");
  g_menu_append (menu, _ ("Undo zoom"), "chart.undo-zoom");
  g_menu_append (menu, _ ("Clear selection"), "chart.clear-selection");
}

void
tsr_chart_class_init_input (TsrPlaneClass *klass)
{
  klass->press = press;
  klass->drag = drag;
  klass->release = release;
  klass->cancel = cancel;
  klass->motion = motion;
  klass->scroll = scroll;
  klass->add_menu_items = add_menu_items;
}

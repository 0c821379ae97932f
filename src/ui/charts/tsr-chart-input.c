/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What pointer, wheel and touch do to a chart.  GTK 4 has no synthetic events, so each gesture
 * calls one function here, and a test calls the same. */

#include "config.h"

#include "tsr-chart-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define DRAG_THRESHOLD 4.0
#define WHEEL_FACTOR   1.25
#define WHEEL_PAN      0.08 /* of what is visible */
#define BURST          (400 * G_TIME_SPAN_MILLISECOND)
#define CLOSER         8.0 /* a double click where there is nothing else to go to */

static void
show_menu (TsrChart *self, double x, double y)
{
  if (self->menu == NULL)
    {
      g_autoptr (GMenu) menu = g_menu_new (), view = g_menu_new (), out = g_menu_new ();

      g_menu_append (view, _ ("Zoom to selection"), "chart.zoom-to-selection");
      g_menu_append (view, _ ("Show all"), "chart.fit");
      g_menu_append (view, _ ("Undo zoom"), "chart.undo-zoom");
      g_menu_append (view, _ ("Clear selection"), "chart.clear-selection");
      g_menu_append (out, _ ("Save image…"), "chart.export-image");
      g_menu_append (out, _ ("Copy image"), "chart.copy-image");
      g_menu_append (out, _ ("Save visible data as CSV…"), "chart.export-data");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (view));
      g_menu_append_section (menu, NULL, G_MENU_MODEL (out));
      self->menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  tsr_chart_show_callout (self, TSR_NO_DATUM, 0, 0);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle){ x, y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

/* To the selection that was there before the first click and is hit, else to all, else closer. */
static void
double_click (TsrChart *self, double x)
{
  double at = tsr_chart_data_at (self, x);
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

void
tsr_chart_pointer_press (
    TsrChart *self, double x, double y, guint button, int n_press, GdkModifierType state)
{
  if (self->model == NULL)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (button == GDK_BUTTON_SECONDARY)
    {
      show_menu (self, x, y);
      return;
    }
  if (n_press == 1)
    {
      self->press_selected[0] = self->selected_from;
      self->press_selected[1] = self->selected_to;
    }
  self->drag = TSR_DRAG_NONE;
  if (n_press == 2 && button == GDK_BUTTON_PRIMARY && tsr_chart_is_in_plot (self, x, y))
    {
      double_click (self, x);
      return;
    }
  self->drag = TSR_DRAG_PRESSED;
  self->drag_pans = button == GDK_BUTTON_MIDDLE || (state & GDK_CONTROL_MASK) != 0;
  self->press_x = self->last_x = x;
  self->press_y = self->last_y = y;
  self->gesture = tsr_chart_new_gesture ();
}

void
tsr_chart_pointer_drag (TsrChart *self, double x, double y)
{
  double from, to;

  if (self->drag == TSR_DRAG_NONE || self->model == NULL)
    return;
  if (self->drag == TSR_DRAG_PRESSED)
    {
      if (hypot (x - self->press_x, y - self->press_y) < DRAG_THRESHOLD)
        return;
      self->drag = self->drag_pans ? TSR_DRAG_PAN : TSR_DRAG_BAND;
      self->band_from = tsr_chart_data_at (self, self->press_x);
      tsr_chart_show_callout (self, TSR_NO_DATUM, 0, 0);
      tsr_chart_set_hover (self, TSR_NO_DATUM);
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                       self->drag == TSR_DRAG_PAN ? "grabbing" : NULL);
    }
  tsr_viewport_get_range (self->viewport, &from, &to);
  if (self->drag == TSR_DRAG_PAN && self->area.width > 0)
    tsr_viewport_pan (self->viewport, (self->last_x - x) / self->area.width * (to - from),
                      self->gesture);
  else
    {
      self->band_to = CLAMP (tsr_chart_data_at (self, x), from, to);
      self->band_from = CLAMP (self->band_from, from, to);
      tsr_canvas_invalidate (self->overlay);
    }
  self->last_x = x;
  self->last_y = y;
}

static void
finish_drag (TsrChart *self)
{
  self->drag = TSR_DRAG_NONE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
  tsr_canvas_invalidate (self->overlay);
}

void
tsr_chart_pointer_release (TsrChart *self, double x, double y, GdkModifierType state)
{
  TsrDragKind drag = self->drag;
  gboolean add = (state & GDK_SHIFT_MASK) != 0;
  double position;
  guint32 datum;

  finish_drag (self);
  if (self->model == NULL || drag == TSR_DRAG_NONE || drag == TSR_DRAG_PAN || self->drag_pans)
    return;
  if (drag == TSR_DRAG_BAND)
    {
      tsr_chart_emit_select (self, floor (MIN (self->band_from, self->band_to)),
                             ceil (MAX (self->band_from, self->band_to)),
                             add ? TSR_SELECT_ADD : TSR_SELECT_REPLACE);
      return;
    }
  datum = tsr_chart_is_in_plot (self, x, y)
              ? tsr_chart_model_datum_at (self->model, tsr_chart_data_at (self, x))
              : TSR_NO_DATUM;
  if (datum == TSR_NO_DATUM)
    {
      if (!add)
        tsr_chart_emit_select (self, 0, 0, TSR_SELECT_CLEAR);
      return;
    }
  position = tsr_chart_model_position_of (self->model, datum);
  self->cursor = datum; /* the keyboard goes on from here */
  self->cursor_shown = FALSE;
  self->anchor = position;
  tsr_chart_emit_select (self, position, position + 1,
                         add ? TSR_SELECT_TOGGLE : TSR_SELECT_REPLACE);
}

void
tsr_chart_pointer_cancel (TsrChart *self)
{
  if (self->drag != TSR_DRAG_NONE)
    finish_drag (self);
}

void
tsr_chart_pointer_motion (TsrChart *self, double x, double y)
{
  guint32 datum = TSR_NO_DATUM;

  if (self->model == NULL || self->drag == TSR_DRAG_BAND || self->drag == TSR_DRAG_PAN)
    return;
  if (tsr_chart_is_in_plot (self, x, y))
    datum = tsr_chart_model_datum_at (self->model, tsr_chart_data_at (self, x));
  tsr_chart_set_hover (self, datum);
  tsr_chart_show_callout (self, datum, x, y);
}

void
tsr_chart_pointer_leave (TsrChart *self)
{
  tsr_chart_set_hover (self, TSR_NO_DATUM);
  tsr_chart_show_callout (self, TSR_NO_DATUM, 0, 0);
}

void
tsr_chart_pointer_scroll (TsrChart *self, double dx, double dy, GdkModifierType state)
{
  gint64 now = g_get_monotonic_time ();
  double from, to, at;

  if (self->model == NULL)
    return;
  /* One burst of the wheel is one step of undo. */
  if (now - self->scroll_time > BURST || self->gesture == 0)
    self->gesture = tsr_chart_new_gesture ();
  self->scroll_time = now;
  if ((state & GDK_SHIFT_MASK) != 0 && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  tsr_viewport_get_range (self->viewport, &from, &to);
  if (dx != 0)
    tsr_viewport_pan (self->viewport, dx * WHEEL_PAN * (to - from), self->gesture);
  if (dy != 0)
    {
      at = CLAMP (tsr_chart_data_at (self, self->last_x), from, to);
      tsr_viewport_zoom_about (self->viewport, at, pow (WHEEL_FACTOR, -dy), self->gesture);
    }
  /* Something else is under the pointer now. */
  tsr_chart_pointer_motion (self, self->last_x, self->last_y);
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, TsrChart *self)
{
  /* Mini-map, legend and menu look after their own presses. */
  if (gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT) != GTK_WIDGET (self))
    return;
  tsr_chart_pointer_press (
      self, x, y, gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (click)), n_press,
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click)));
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, TsrChart *self)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (drag, &x, &y))
    tsr_chart_pointer_drag (self, x + dx, y + dy);
  if (self->drag == TSR_DRAG_BAND || self->drag == TSR_DRAG_PAN)
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, TsrChart *self)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (drag, &x, &y))
    tsr_chart_pointer_release (
        self, x + dx, y + dy,
        gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag)));
}

static void
on_cancel (GtkGesture *gesture, GdkEventSequence *sequence, TsrChart *self)
{
  tsr_chart_pointer_cancel (self);
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, TsrChart *self)
{
  if (self->drag == TSR_DRAG_NONE)
    {
      self->last_x = x;
      self->last_y = y;
    }
  tsr_chart_pointer_motion (self, x, y);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, TsrChart *self)
{
  tsr_chart_pointer_scroll (
      self, dx, dy, gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll)));
  return TRUE;
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, TsrChart *self)
{
  tsr_chart_pointer_cancel (self);
  self->gesture = tsr_chart_new_gesture ();
  g_object_set_data (G_OBJECT (gesture), "scale", GINT_TO_POINTER (1000));
}

static void
on_pinch (GtkGestureZoom *zoom, double scale, TsrChart *self)
{
  double before = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (zoom), "scale")) / 1000.0;
  double x = self->area.x + self->area.width / 2, y;

  if (before <= 0 || scale <= 0 || self->model == NULL)
    return;
  gtk_gesture_get_bounding_box_center (GTK_GESTURE (zoom), &x, &y);
  tsr_viewport_zoom_about (self->viewport, tsr_chart_data_at (self, x), scale / before,
                           self->gesture);
  g_object_set_data (G_OBJECT (zoom), "scale", GINT_TO_POINTER ((int)lround (scale * 1000)));
}

void
tsr_chart_add_controllers (TsrChart *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *click = gtk_gesture_click_new (), *drag = gtk_gesture_drag_new ();
  GtkGesture *zoom = gtk_gesture_zoom_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  gtk_gesture_group (drag, click);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_cancel), self);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (tsr_chart_pointer_leave), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (zoom, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (zoom, "scale-changed", G_CALLBACK (on_pinch), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (tsr_chart_pointer_leave), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (zoom));
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, focus);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What pointer, wheel and keys do to the lifetimes. */

#include "config.h"

#include "tsr-lifetime-view-private.h"

#include "tsr-navigation.h"

#include <math.h>

#define WHEEL_ROWS     3.0
#define WHEEL_FACTOR   1.25
#define WHEEL_PAN      0.08 /* of what is visible */
#define KEY_PAN        0.1
#define DRAG_THRESHOLD 4.0
#define ROW_FACTOR     1.5

/* Pointer */

void
tsr_lifetime_view_click (TsrLifetimeView *self, double x, double y, GdkModifierType state)
{
  guint32 row;

  g_return_if_fail (TSR_IS_LIFETIME_VIEW (self));
  row = tsr_lifetime_view_row_at (self, y);
  if (self->model == NULL || y < self->plot_y)
    return;
  if (row != TSR_NO_DATUM)
    self->cursor = row;
  tsr_lifetime_view_select_row (self, row, (state & GDK_SHIFT_MASK) != 0);
  tsr_lifetime_view_update_accessible (self);
}

static gboolean
on_plot (TsrLifetimeView *self, double x, double y)
{
  return gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT) == GTK_WIDGET (self);
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, TsrLifetimeView *self)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click));
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (click));

  if (!on_plot (self, x, y))
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->last_x = x;
  self->last_y = y;
  self->gesture = g_random_int_range (1, G_MAXINT);
  self->panning = button == GDK_BUTTON_MIDDLE || (state & GDK_CONTROL_MASK) != 0;
  if (!self->panning && button == GDK_BUTTON_PRIMARY)
    tsr_lifetime_view_click (self, x, y, state);
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, TsrLifetimeView *self)
{
  double x, y, from, to;

  if (!self->panning || !gtk_gesture_drag_get_start_point (drag, &x, &y)
      || hypot (dx, dy) < DRAG_THRESHOLD)
    return;
  tsr_viewport_get_range (self->viewport, &from, &to);
  if (self->area.width > 0)
    tsr_viewport_pan (self->viewport, (self->last_x - x - dx) / self->area.width * (to - from),
                      self->gesture);
  gtk_adjustment_set_value (self->adjustment, gtk_adjustment_get_value (self->adjustment)
                                                  + (self->last_y - y - dy) / self->row_height);
  self->last_x = x + dx;
  self->last_y = y + dy;
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, TsrLifetimeView *self)
{
  self->last_x = x;
  self->last_y = y;
  tsr_lifetime_view_set_hover (self, on_plot (self, x, y) ? tsr_lifetime_view_row_at (self, y)
                                                          : TSR_NO_DATUM);
}

static void
on_leave (TsrLifetimeView *self)
{
  tsr_lifetime_view_set_hover (self, TSR_NO_DATUM);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, TsrLifetimeView *self)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));
  double from, to, at;

  tsr_viewport_get_range (self->viewport, &from, &to);
  if ((state & GDK_SHIFT_MASK) != 0 && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  if (dx != 0)
    tsr_viewport_pan (self->viewport, dx * WHEEL_PAN * (to - from), 0);
  if (dy != 0 && (state & GDK_CONTROL_MASK) != 0 && self->area.width > 0)
    {
      at = from + (self->last_x - self->plot_x - self->area.x) / self->area.width * (to - from);
      tsr_viewport_zoom_about (self->viewport, CLAMP (at, from, to), pow (WHEEL_FACTOR, -dy), 0);
    }
  else if (dy != 0)
    gtk_adjustment_set_value (self->adjustment,
                              gtk_adjustment_get_value (self->adjustment)
                                  + dy * MAX (WHEEL_ROWS, 42.0 / self->row_height));
  on_motion (NULL, self->last_x, self->last_y, self);
  return TRUE;
}

gboolean
tsr_lifetime_view_query_tooltip (
    GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (widget);
  guint32 row = keyboard ? self->cursor : self->hover;
  g_autofree char *text = NULL;

  if (self->model == NULL || row >= tsr_lifetime_view_get_n_rows (self)
      || (!keyboard && !on_plot (self, x, y)))
    return FALSE;
  text = tsr_chart_model_describe (TSR_CHART_MODEL (self->model), row);
  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

/* Keys */

static const struct
{
  const char *name;
  guint key;
  GdkModifierType modifiers;
} actions[] = {
  { "lifetimes.up", GDK_KEY_Up, 0 },
  { "lifetimes.down", GDK_KEY_Down, 0 },
  { "lifetimes.page-up", GDK_KEY_Page_Up, 0 },
  { "lifetimes.page-down", GDK_KEY_Page_Down, 0 },
  { "lifetimes.first", GDK_KEY_Home, 0 },
  { "lifetimes.last", GDK_KEY_End, 0 },
  { "lifetimes.left", GDK_KEY_Left, 0 },
  { "lifetimes.right", GDK_KEY_Right, 0 },
  { "lifetimes.select", GDK_KEY_space, 0 },
  { "lifetimes.select", GDK_KEY_Return, 0 },
  { "lifetimes.select-add", GDK_KEY_space, GDK_SHIFT_MASK },
  { "lifetimes.select-add", GDK_KEY_Return, GDK_SHIFT_MASK },
  { "lifetimes.clear", GDK_KEY_Escape, 0 },
  { "lifetimes.zoom-in", GDK_KEY_plus, 0 },
  { "lifetimes.zoom-in", GDK_KEY_equal, 0 },
  { "lifetimes.zoom-out", GDK_KEY_minus, 0 },
  { "lifetimes.fit", GDK_KEY_0, 0 },
  { "lifetimes.taller", GDK_KEY_bracketright, 0 },
  { "lifetimes.lower", GDK_KEY_bracketleft, 0 },
};

static void
pan (TsrLifetimeView *self, double share)
{
  double from, to;

  tsr_viewport_get_range (self->viewport, &from, &to);
  tsr_viewport_pan (self->viewport, share * (to - from), 0);
}

static void
run_view_action (TsrLifetimeView *self, const char *name)
{
  if (g_str_equal (name, "lifetimes.left"))
    pan (self, -KEY_PAN);
  else if (g_str_equal (name, "lifetimes.right"))
    pan (self, KEY_PAN);
  else if (g_str_equal (name, "lifetimes.zoom-in"))
    tsr_viewport_zoom_middle (self->viewport, TSR_ZOOM_STEP);
  else if (g_str_equal (name, "lifetimes.zoom-out"))
    tsr_viewport_zoom_middle (self->viewport, 1 / TSR_ZOOM_STEP);
  else if (g_str_equal (name, "lifetimes.fit"))
    tsr_viewport_fit (self->viewport);
  else if (g_str_equal (name, "lifetimes.taller"))
    tsr_lifetime_view_set_row_height (self, self->row_height * ROW_FACTOR);
  else if (g_str_equal (name, "lifetimes.lower"))
    tsr_lifetime_view_set_row_height (self, self->row_height / ROW_FACTOR);
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (widget);
  double page = MAX (gtk_adjustment_get_page_size (self->adjustment) - 1, 1);
  double at = self->cursor != TSR_NO_DATUM ? self->cursor : -1;

  if (self->model == NULL)
    return;
  if (g_str_equal (name, "lifetimes.up"))
    tsr_lifetime_view_set_cursor (self, at - 1);
  else if (g_str_equal (name, "lifetimes.down"))
    tsr_lifetime_view_set_cursor (self,
                                  at >= 0 ? at + 1 : gtk_adjustment_get_value (self->adjustment));
  else if (g_str_equal (name, "lifetimes.page-up"))
    tsr_lifetime_view_set_cursor (self, at - page);
  else if (g_str_equal (name, "lifetimes.page-down"))
    tsr_lifetime_view_set_cursor (self, at + page);
  else if (g_str_equal (name, "lifetimes.first"))
    tsr_lifetime_view_set_cursor (self, 0);
  else if (g_str_equal (name, "lifetimes.last"))
    tsr_lifetime_view_set_cursor (self, tsr_lifetime_view_get_n_rows (self));
  else if (g_str_equal (name, "lifetimes.select"))
    tsr_lifetime_view_select_row (self, self->cursor, FALSE);
  else if (g_str_equal (name, "lifetimes.select-add"))
    tsr_lifetime_view_select_row (self, self->cursor, TRUE);
  else if (g_str_equal (name, "lifetimes.clear"))
    tsr_lifetime_view_select_row (self, TSR_NO_DATUM, FALSE);
  else
    run_view_action (self, name);
}

void
tsr_lifetime_view_class_add_actions (GtkWidgetClass *widget_class)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      if (i == 0 || !g_str_equal (actions[i].name, actions[i - 1].name))
        gtk_widget_class_install_action (widget_class, actions[i].name, NULL, run_action);
      gtk_widget_class_add_binding_action (widget_class, actions[i].key, actions[i].modifiers,
                                           actions[i].name, NULL);
    }
}

void
tsr_lifetime_view_add_controllers (TsrLifetimeView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *click = gtk_gesture_click_new (), *drag = gtk_gesture_drag_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  gtk_gesture_group (drag, click);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (tsr_lifetime_view_invalidate_overlay),
                            self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (tsr_lifetime_view_invalidate_overlay),
                            self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, focus);
}

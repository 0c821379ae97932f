/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pointer, keys, context menu and export of a plane.  GTK 4 has no synthetic events, so each
 * gesture calls one function here, and a test calls the same. */

#include "config.h"

#include "tsr-plane-private.h"

#include <glib/gi18n.h>

/* Pointer */

static void
show_menu (TsrPlane *self, double x, double y)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);

  if (priv->menu == NULL)
    {
      g_autoptr (GMenu) menu = g_menu_new (), view = g_menu_new (), out = g_menu_new ();

      if (klass->add_menu_items != NULL)
        klass->add_menu_items (self, view);
      g_menu_append (out, _ ("Save image…"), "chart.export-image");
      g_menu_append (out, _ ("Copy image"), "chart.copy-image");
      g_menu_append (out, _ ("Save visible data as CSV…"), "chart.export-data");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (view));
      g_menu_append_section (menu, NULL, G_MENU_MODEL (out));
      priv->menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
      gtk_popover_set_has_arrow (GTK_POPOVER (priv->menu), FALSE);
      gtk_widget_set_halign (priv->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (priv->menu, GTK_WIDGET (self));
    }
  tsr_plane_show_text (self, NULL, 0, 0);
  gtk_popover_set_pointing_to (GTK_POPOVER (priv->menu),
                               &(GdkRectangle){ priv->x + x, priv->y + y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (priv->menu));
}

void
tsr_plane_press (
    TsrPlane *self, double x, double y, guint button, int n_press, GdkModifierType state)
{
  TsrPlanePrivate *priv;
  TsrPlaneClass *klass;

  g_return_if_fail (TSR_IS_PLANE (self));
  priv = tsr_plane_get_private (self);
  klass = TSR_PLANE_GET_CLASS (self);
  priv->pressed = FALSE;
  if (priv->model == NULL)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (button == GDK_BUTTON_SECONDARY)
    {
      if (klass->point_menu != NULL)
        klass->point_menu (self, x - priv->x, y - priv->y);
      show_menu (self, x - priv->x, y - priv->y);
      return;
    }
  priv->pressed = TRUE;
  priv->last_x = x - priv->x;
  priv->last_y = y - priv->y;
  if (klass->press != NULL)
    klass->press (self, priv->last_x, priv->last_y, button, n_press, state);
}

static gboolean
drag_to (TsrPlane *self, double x, double y)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);

  if (priv->model == NULL || !priv->pressed || klass->drag == NULL)
    return FALSE;
  priv->last_x = x - priv->x;
  priv->last_y = y - priv->y;
  return klass->drag (self, priv->last_x, priv->last_y);
}

void
tsr_plane_drag (TsrPlane *self, double x, double y)
{
  g_return_if_fail (TSR_IS_PLANE (self));
  drag_to (self, x, y);
}

void
tsr_plane_release (TsrPlane *self, double x, double y, GdkModifierType state)
{
  TsrPlanePrivate *priv;
  TsrPlaneClass *klass;

  g_return_if_fail (TSR_IS_PLANE (self));
  priv = tsr_plane_get_private (self);
  klass = TSR_PLANE_GET_CLASS (self);
  if (priv->model != NULL && priv->pressed && klass->release != NULL)
    klass->release (self, x - priv->x, y - priv->y, state);
  priv->pressed = FALSE;
}

void
tsr_plane_cancel (TsrPlane *self)
{
  TsrPlaneClass *klass;

  g_return_if_fail (TSR_IS_PLANE (self));
  klass = TSR_PLANE_GET_CLASS (self);
  tsr_plane_get_private (self)->pressed = FALSE;
  if (klass->cancel != NULL)
    klass->cancel (self);
}

void
tsr_plane_hover_at (TsrPlane *self, double x, double y)
{
  guint32 datum = TSR_PLANE_GET_CLASS (self)->datum_at (self, x, y);

  tsr_plane_set_hover (self, datum);
  tsr_plane_show_callout (self, datum, x, y);
}

void
tsr_plane_motion (TsrPlane *self, double x, double y)
{
  TsrPlanePrivate *priv;

  g_return_if_fail (TSR_IS_PLANE (self));
  priv = tsr_plane_get_private (self);
  if (priv->model == NULL)
    return;
  priv->last_x = x - priv->x;
  priv->last_y = y - priv->y;
  TSR_PLANE_GET_CLASS (self)->motion (self, priv->last_x, priv->last_y);
}

void
tsr_plane_leave (TsrPlane *self)
{
  g_return_if_fail (TSR_IS_PLANE (self));
  tsr_plane_set_hover (self, TSR_NO_DATUM);
  tsr_plane_show_text (self, NULL, 0, 0);
}

void
tsr_plane_scroll (TsrPlane *self, double dx, double dy, GdkModifierType state)
{
  TsrPlanePrivate *priv;
  TsrPlaneClass *klass;

  g_return_if_fail (TSR_IS_PLANE (self));
  priv = tsr_plane_get_private (self);
  klass = TSR_PLANE_GET_CLASS (self);
  if (priv->model == NULL || klass->scroll == NULL)
    return;
  if ((state & GDK_SHIFT_MASK) != 0 && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  klass->scroll (self, priv->last_x, priv->last_y, dx, dy, state);
  /* Something else is under the pointer now. */
  klass->motion (self, priv->last_x, priv->last_y);
}

/* Gestures */

/* What stands beside the plot or over it looks after itself. */
static gboolean
is_on_plot (TsrPlane *self, double x, double y)
{
  return gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT) == GTK_WIDGET (self);
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, TsrPlane *self)
{
  GtkEventController *controller = GTK_EVENT_CONTROLLER (click);

  if (is_on_plot (self, x, y))
    tsr_plane_press (self, x, y, gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (click)),
                     n_press, gtk_event_controller_get_current_event_state (controller));
  else
    tsr_plane_get_private (self)->pressed = FALSE;
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, TsrPlane *self)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (drag, &x, &y) && drag_to (self, x + dx, y + dy))
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, TsrPlane *self)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (drag, &x, &y))
    tsr_plane_release (self, x + dx, y + dy,
                       gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag)));
}

static void
on_cancel (GtkGesture *gesture, GdkEventSequence *sequence, TsrPlane *self)
{
  tsr_plane_cancel (self);
}

/* GTK tells of a motion after each layout; a pointer that rests has no say while the keyboard
 * moves. */
static void
on_motion (GtkEventControllerMotion *motion, double x, double y, TsrPlane *self)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  gboolean rests = x == priv->seen_x && y == priv->seen_y;

  priv->seen_x = x;
  priv->seen_y = y;
  if (priv->crossing != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), priv->crossing);
  priv->crossing = 0;
  if (rests && priv->cursor_shown)
    return;
  if (is_on_plot (self, x, y))
    tsr_plane_motion (self, x, y);
  else if (!priv->pressed)
    tsr_plane_leave (self);
}

/* GTK also tells of a pointer that rests while a widget beside this one goes, and does so in the
 * middle of giving places to both: what the callout asks for then is forgotten, and nothing of the
 * page is drawn for a frame.  So what comes and goes is looked at in the next frame. */
static gboolean
on_crossed (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TsrPlane *self = TSR_PLANE (widget);
  TsrPlanePrivate *priv = tsr_plane_get_private (self);

  priv->crossing = 0;
  if (priv->inside)
    on_motion (NULL, priv->entered_x, priv->entered_y, self);
  else
    tsr_plane_leave (self);
  return G_SOURCE_REMOVE;
}

static void
cross (TsrPlane *self, gboolean inside)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);

  priv->inside = inside;
  if (priv->crossing == 0)
    priv->crossing = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_crossed, NULL, NULL);
}

static void
on_enter (GtkEventControllerMotion *motion, double x, double y, TsrPlane *self)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);

  priv->entered_x = x;
  priv->entered_y = y;
  cross (self, TRUE);
}

static void
on_leave (TsrPlane *self)
{
  cross (self, FALSE);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, TsrPlane *self)
{
  tsr_plane_scroll (self, dx, dy,
                    gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll)));
  return TRUE;
}

static void
on_focus_leave (TsrPlane *self)
{
  tsr_plane_leave (self);
  tsr_plane_invalidate_overlay (self);
}

void
tsr_plane_add_controllers (TsrPlane *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *click = gtk_gesture_click_new (), *drag = gtk_gesture_drag_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *focus = gtk_event_controller_focus_new (), *scroll;

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  gtk_gesture_group (drag, click);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_cancel), self);
  g_signal_connect (motion, "enter", G_CALLBACK (on_enter), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (tsr_plane_invalidate_overlay), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_focus_leave), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, focus);
  if (TSR_PLANE_GET_CLASS (self)->scroll == NULL)
    return;
  scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
}

/* Actions */

static TsrExport
get_export (TsrPlane *self)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);
  TsrExport what = { .widget = GTK_WIDGET (self),
                     .model = priv->model,
                     .file_name = priv->file_name,
                     .from = 0,
                     .to = 1,
                     .width = gtk_widget_get_width (GTK_WIDGET (priv->plot)),
                     .height = gtk_widget_get_height (GTK_WIDGET (priv->plot)),
                     .cancellable = priv->cancellable };

  if (priv->viewport != NULL)
    tsr_viewport_get_range (priv->viewport, &what.from, &what.to);
  if (klass->get_export != NULL)
    klass->get_export (self, &what);
  return what;
}

void
tsr_plane_export_image_to (TsrPlane *self, const char *path)
{
  TsrExport what;

  g_return_if_fail (TSR_IS_PLANE (self) && tsr_plane_get_private (self)->model != NULL);
  what = get_export (self);
  tsr_export_write_image (&what, path);
}

void
tsr_plane_export_data_to (TsrPlane *self, const char *path)
{
  TsrExport what;

  g_return_if_fail (TSR_IS_PLANE (self) && tsr_plane_get_private (self)->model != NULL);
  what = get_export (self);
  tsr_export_write_data (&what, path);
}

typedef enum
{
  OUT_IMAGE,
  OUT_DATA,
  OUT_COPY,
} Out;

static void
run_out (TsrPlane *self, int out)
{
  TsrExport what = get_export (self);

  if (out == OUT_IMAGE)
    tsr_export_ask_image (&what);
  else if (out == OUT_DATA)
    tsr_export_ask_data (&what);
  else
    tsr_export_copy_image (&what);
}

static void
run_menu (TsrPlane *self, int argument)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);
  double x, y;

  if (klass->get_anchor == NULL || priv->cursor == TSR_NO_DATUM
      || !klass->get_anchor (self, priv->cursor, &x, &y))
    {
      x = gtk_widget_get_width (GTK_WIDGET (priv->plot)) / 2.0;
      y = gtk_widget_get_height (GTK_WIDGET (priv->plot)) / 2.0;
    }
  show_menu (self, x, y);
}

static const TsrPlaneAction out_actions[] = {
  { "chart.export-image", NULL, run_out, OUT_IMAGE },
  { "chart.export-data", NULL, run_out, OUT_DATA },
  { "chart.copy-image", "<Control>c", run_out, OUT_COPY },
  { "chart.menu", "Menu <Shift>F10", run_menu, 0 },
  { NULL },
};

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrPlane *self = TSR_PLANE (widget);

  if (tsr_plane_get_private (self)->model == NULL)
    return;
  for (const GSList *l = TSR_PLANE_GET_CLASS (self)->actions; l != NULL; l = l->next)
    for (const TsrPlaneAction *action = l->data; action->name != NULL; action++)
      if (g_str_equal (action->name, name))
        {
          action->run (self, action->argument);
          return;
        }
}

void
tsr_plane_class_add_actions (TsrPlaneClass *klass, const TsrPlaneAction *actions)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  klass->actions = g_slist_prepend (klass->actions, (gpointer)actions);
  for (const TsrPlaneAction *action = actions; action->name != NULL; action++)
    {
      g_auto (GStrv) keys = g_strsplit (action->keys != NULL ? action->keys : "", " ", -1);

      gtk_widget_class_install_action (widget_class, action->name, NULL, run_action);
      for (guint i = 0; keys[i] != NULL; i++)
        {
          GdkModifierType modifiers;
          guint key;

          if (gtk_accelerator_parse (keys[i], &key, &modifiers))
            gtk_widget_class_add_binding_action (widget_class, key, modifiers, action->name, NULL);
          else
            g_assert_not_reached ();
        }
    }
}

void
tsr_plane_class_add_own_actions (TsrPlaneClass *klass)
{
  tsr_plane_class_add_actions (klass, out_actions);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The plot's layout comes before the children get their places, because a place may follow from
 * where the layout puts the plot. */

#include "config.h"

#include "tsr-plane.h"

#include "tsr-callout.h"
#include "tsr-navigation.h"
#include "tsr-notice.h"

#include <glib/gi18n.h>
#include <math.h>

typedef struct
{
  TsrChartModel *model;  /* (nullable) */
  TsrViewport *viewport; /* (nullable) */
  char *file_name;
  TsrCanvas *plot;    /* kept by GTK while nothing but hover and selection change */
  TsrCanvas *overlay; /* hover, selection, cursor, rubber band */
  TsrCallout *callout;
  GtkWidget *menu;           /* popover, made when first wanted */
  GMenuModel *menu_items;    /* (nullable): what stands first in it */
  TsrChartGeometry geometry; /* of the last layout; width 0: none */
  TsrPlotArea area;
  double x, y;           /* of the canvases in the widget */
  double last_x, last_y; /* of the pointer in the canvases */
  double seen_x, seen_y; /* of the last event of motion, in the widget */
  double entered_x, entered_y;
  guint crossing; /* tick in which the pointer's coming or going is looked at; 0: none */
  guint32 hover, cursor;
  gboolean cursor_shown;     /* the keyboard was used after the pointer */
  gboolean inside;           /* what the tick is about */
  gboolean pressed;          /* on the plot */
  gboolean in_scrolled;      /* the wheel is the page's unless Ctrl is held */
  int natural_height;        /* or 0: twice the least */
  guint wheel_gesture;       /* of the viewport's history */
  gint64 wheel_time;         /* of the last event */
  GCancellable *cancellable; /* of exports */
} TsrPlanePrivate;

static TsrPlanePrivate *tsr_plane_get_private (TsrPlane *self);
static void tsr_plane_drop_viewport (TsrPlane *self);

/* A plane whose x axis is a viewport's: what is where, the wheel, and the actions on the range. */

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

static void
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

/* Pointer, keys, context menu and export of a plane.  GTK 4 has no synthetic events, so each
 * gesture calls one function here, and a test calls the same. */

/* Pointer */

static void
show_menu (TsrPlane *self, double x, double y)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);

  if (priv->menu == NULL)
    {
      g_autoptr (GMenu) menu = g_menu_new (), view = g_menu_new (), out = g_menu_new ();

      if (priv->menu_items != NULL)
        g_menu_append_section (menu, NULL, priv->menu_items);
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
  const GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));

  if (tsr_plane_get_private (self)->in_scrolled && (state & GDK_CONTROL_MASK) == 0)
    return FALSE;
  tsr_plane_scroll (self, dx, dy, state);
  return TRUE;
}

void
tsr_plane_set_in_scrolled (TsrPlane *self, gboolean in_scrolled)
{
  g_return_if_fail (TSR_IS_PLANE (self));
  tsr_plane_get_private (self)->in_scrolled = in_scrolled;
}

static void
on_focus_leave (TsrPlane *self)
{
  tsr_plane_leave (self);
  tsr_plane_invalidate_overlay (self);
}

static void
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

  g_return_if_fail (TSR_IS_PLANE_CLASS (klass) && actions != NULL);
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

/* Data that are picked one by one. */

static void
pick_at (TsrPlane *self, double x, double y, guint button, int n_press, GdkModifierType state)
{
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);
  const guint32 datum = klass->datum_at (self, x, y);

  if (button != GDK_BUTTON_PRIMARY || datum == TSR_NO_DATUM)
    return;
  if (n_press == 2 && klass->activate != NULL)
    {
      klass->activate (self, datum);
      return;
    }
  tsr_plane_put_cursor (self, datum, TRUE);
  g_signal_emit (self, klass->picked, 0, datum);
}

static void
pick_for_menu (TsrPlane *self, double x, double y)
{
  pick_at (self, x, y, GDK_BUTTON_PRIMARY, 1, 0);
}

static void
pick_neighbour (TsrPlane *self, int dx, int dy)
{
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);
  const guint32 datum = klass->neighbour (self, tsr_plane_get_cursor (self), dx, dy);

  if (datum == TSR_NO_DATUM)
    return;
  tsr_plane_set_cursor (self, datum);
  g_signal_emit (self, klass->picked, 0, datum);
}

static void
pick_beside (TsrPlane *self, int by)
{
  pick_neighbour (self, by, 0);
}

static void
pick_above (TsrPlane *self, int by)
{
  pick_neighbour (self, 0, by);
}

static void
wheel (TsrPlane *self, double x, double y, double dx, double dy, GdkModifierType state)
{
  tsr_plane_wheel (self, x, dx, dy);
}

static void
show_all (TsrPlane *self, gboolean new_model)
{
  TsrChartModel *model = tsr_plane_get_model (self);
  double from, to, least;

  tsr_plane_forget (self);
  if (model == NULL)
    return;
  tsr_chart_model_get_domain (model, &from, &to, &least);
  tsr_viewport_set_domain (tsr_plane_get_viewport (self), from, to, least);
  tsr_viewport_restart (tsr_plane_get_viewport (self), from, to);
}

static const TsrPlaneAction pick_actions[] = {
  { "chart.cursor-left", "Left KP_Left", pick_beside, -1 },
  { "chart.cursor-right", "Right KP_Right", pick_beside, 1 },
  { "chart.cursor-up", "Up KP_Up", pick_above, -1 },
  { "chart.cursor-down", "Down KP_Down", pick_above, 1 },
  { "chart.zoom-in", "plus equal KP_Add", tsr_plane_zoom, 1 },
  { "chart.zoom-out", "minus KP_Subtract", tsr_plane_zoom, -1 },
  { NULL },
};

void
tsr_plane_class_pick (TsrPlaneClass *klass)
{
  g_return_if_fail (TSR_IS_PLANE_CLASS (klass) && klass->datum_at != NULL
                    && klass->neighbour != NULL);
  klass->press = pick_at;
  klass->point_menu = pick_for_menu;
  klass->scroll = wheel;
  klass->domain_changed = show_all;
  klass->picked = g_signal_new ("select", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  tsr_plane_class_add_actions (klass, pick_actions);
}

static void
tsr_plane_class_add_own_actions (TsrPlaneClass *klass)
{
  tsr_plane_class_add_actions (klass, out_actions);
}

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TsrPlane, tsr_plane, GTK_TYPE_WIDGET)

enum
{
  HOVER_CHANGED,
  TOAST,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static TsrPlanePrivate *
tsr_plane_get_private (TsrPlane *self)
{
  return tsr_plane_get_instance_private (self);
}

/* Layout */

/* What a layout needs beside the size. */
static void
tsr_plane_prepare (TsrPlane *self, TsrChartGeometry *geometry)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);

  if (priv->viewport != NULL)
    tsr_viewport_get_range (priv->viewport, &geometry->from, &geometry->to);
  if (klass->prepare != NULL)
    klass->prepare (self, geometry);
}

static void
layout_plot (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TsrPlane *self = data;
  TsrPlanePrivate *priv = tsr_plane_get_private (self);

  memset (&priv->area, 0, sizeof priv->area);
  memset (&priv->geometry, 0, sizeof priv->geometry);
  if (priv->model == NULL)
    return;
  tsr_plane_prepare (self, geometry);
  tsr_chart_model_layout (priv->model, geometry, list, &priv->area);
  priv->geometry = *geometry;
}

static void
layout_overlay (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TsrPlane *self = data;
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);

  if (priv->model == NULL || priv->area.width <= 0)
    return;
  tsr_plane_prepare (self, geometry);
  tsr_chart_model_layout_overlay (priv->model, geometry, &priv->area, priv->hover,
                                  tsr_plane_shows_cursor (self) ? priv->cursor : TSR_NO_DATUM,
                                  list);
  if (klass->layout_band != NULL)
    klass->layout_band (self, &priv->area, list);
}

gboolean
tsr_plane_get_geometry (TsrPlane *self, TsrChartGeometry *geometry, TsrPlotArea *area)
{
  TsrPlanePrivate *priv;

  g_return_val_if_fail (TSR_IS_PLANE (self) && geometry != NULL, FALSE);
  priv = tsr_plane_get_private (self);
  *geometry = priv->geometry;
  if (area != NULL)
    *area = priv->area;
  if (priv->model == NULL || priv->geometry.width <= 0)
    return FALSE;
  tsr_plane_prepare (self, geometry);
  return TRUE;
}

const TsrPlotArea *
tsr_plane_get_area (TsrPlane *self)
{
  g_return_val_if_fail (TSR_IS_PLANE (self), NULL);
  return &tsr_plane_get_private (self)->area;
}

gboolean
tsr_plane_is_in_area (TsrPlane *self, double x, double y)
{
  const TsrPlotArea *area;

  g_return_val_if_fail (TSR_IS_PLANE (self), FALSE);
  area = &tsr_plane_get_private (self)->area;
  return x >= area->x && x < area->x + area->width && y >= area->y && y < area->y + area->height;
}

const TsrPlotArea *
tsr_plane_layout_for (TsrPlane *self, int width, int height)
{
  TsrPlanePrivate *priv;

  g_return_val_if_fail (TSR_IS_PLANE (self), NULL);
  priv = tsr_plane_get_private (self);
  tsr_canvas_ensure (priv->plot, width, height);
  return &priv->area;
}

void
tsr_plane_allocate_child (GtkWidget *child, double x, double y, int width, int height)
{
  g_return_if_fail (GTK_IS_WIDGET (child));
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (child, MAX (width, 0), MAX (height, 0), -1,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (x, y)));
}

static void
tsr_plane_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrPlane *self = TSR_PLANE (widget);
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);
  GdkRectangle at = { 0, 0, width, height };

  if (klass->place != NULL)
    klass->place (self, width, height, &at);
  tsr_canvas_ensure (priv->plot, at.width, at.height);
  priv->x = at.x;
  priv->y = at.y;
  tsr_plane_allocate_child (GTK_WIDGET (priv->plot), at.x, at.y, at.width, at.height);
  tsr_plane_allocate_child (GTK_WIDGET (priv->overlay), at.x, at.y, at.width, at.height);
  tsr_callout_allocate (priv->callout, width, height);
  if (priv->menu != NULL)
    gtk_popover_present (GTK_POPOVER (priv->menu));
}

static void
tsr_plane_measure (GtkWidget *widget,
                   GtkOrientation orientation,
                   int for_size,
                   int *minimum,
                   int *natural,
                   int *minimum_baseline,
                   int *natural_baseline)
{
  const TsrPlanePrivate *priv = tsr_plane_get_private (TSR_PLANE (widget));
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (widget);

  *minimum
      = orientation == GTK_ORIENTATION_HORIZONTAL ? klass->minimum_width : klass->minimum_height;
  *natural = 2 * *minimum;
  if (orientation == GTK_ORIENTATION_VERTICAL && priv->natural_height > 0)
    *natural = MAX (priv->natural_height, *minimum);
}

void
tsr_plane_set_natural_height (TsrPlane *self, int height)
{
  g_return_if_fail (TSR_IS_PLANE (self) && height >= 0);
  tsr_plane_get_private (self)->natural_height = height;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* The callout is over what a subclass adds. */
static void
tsr_plane_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GtkWidget *callout = GTK_WIDGET (tsr_plane_get_private (TSR_PLANE (widget))->callout);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (child != callout)
      gtk_widget_snapshot_child (widget, child, snapshot);
  gtk_widget_snapshot_child (widget, callout, snapshot);
}

void
tsr_plane_invalidate (TsrPlane *self)
{
  TsrPlanePrivate *priv;

  g_return_if_fail (TSR_IS_PLANE (self));
  priv = tsr_plane_get_private (self);
  tsr_plane_show_text (self, NULL, 0, 0);
  tsr_canvas_invalidate (priv->plot);
  tsr_canvas_invalidate (priv->overlay);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
tsr_plane_invalidate_overlay (TsrPlane *self)
{
  g_return_if_fail (TSR_IS_PLANE (self));
  tsr_canvas_invalidate (tsr_plane_get_private (self)->overlay);
}

const TsrDrawList *
tsr_plane_get_overlay (TsrPlane *self)
{
  g_return_val_if_fail (TSR_IS_PLANE (self), NULL);
  return tsr_canvas_get_list (tsr_plane_get_private (self)->overlay);
}

TsrCanvas *
tsr_plane_get_plot (TsrPlane *self)
{
  g_return_val_if_fail (TSR_IS_PLANE (self), NULL);
  return tsr_plane_get_private (self)->plot;
}

/* Callout, hover and cursor */

void
tsr_plane_show_text (TsrPlane *self, const char *text, double x, double y)
{
  TsrPlanePrivate *priv;

  g_return_if_fail (TSR_IS_PLANE (self));
  priv = tsr_plane_get_private (self);
  tsr_callout_show (priv->callout, text, priv->x + x, priv->y + y);
  if (text != NULL)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static char *
describe (TsrPlane *self, guint32 datum)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);

  if (datum == TSR_NO_DATUM || priv->model == NULL)
    return NULL;
  return klass->describe != NULL ? klass->describe (self, datum)
                                 : tsr_chart_model_describe (priv->model, datum);
}

void
tsr_plane_show_callout (TsrPlane *self, guint32 datum, double x, double y)
{
  g_autofree char *text = NULL;

  g_return_if_fail (TSR_IS_PLANE (self));
  text = describe (self, datum);
  tsr_plane_show_text (self, text, x, y);
}

static void
update_accessible (TsrPlane *self)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);
  g_autofree char *caption = priv->model != NULL ? tsr_chart_model_dup_caption (priv->model) : NULL;
  g_autofree char *description = describe (self, priv->cursor);

  if (description != NULL)
    {
      g_strdelimit (description, "\n", ';');
      g_strdelimit (description, "\t", ' ');
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  caption != NULL ? caption : _ (klass->name),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description != NULL ? description : _ (klass->hint), -1);
}

guint32
tsr_plane_get_hover (TsrPlane *self)
{
  g_return_val_if_fail (TSR_IS_PLANE (self), TSR_NO_DATUM);
  return tsr_plane_get_private (self)->hover;
}

guint32
tsr_plane_get_cursor (TsrPlane *self)
{
  g_return_val_if_fail (TSR_IS_PLANE (self), TSR_NO_DATUM);
  return tsr_plane_get_private (self)->cursor;
}

gboolean
tsr_plane_shows_cursor (TsrPlane *self)
{
  g_return_val_if_fail (TSR_IS_PLANE (self), FALSE);
  return tsr_plane_get_private (self)->cursor_shown
         && (!TSR_PLANE_GET_CLASS (self)->cursor_needs_focus
             || gtk_widget_has_focus (GTK_WIDGET (self)));
}

guint32
tsr_plane_get_current (TsrPlane *self)
{
  TsrPlanePrivate *priv;

  g_return_val_if_fail (TSR_IS_PLANE (self), TSR_NO_DATUM);
  priv = tsr_plane_get_private (self);
  if (priv->hover != TSR_NO_DATUM)
    return priv->hover;
  return tsr_plane_shows_cursor (self) ? priv->cursor : TSR_NO_DATUM;
}

char *
tsr_plane_dup_line (TsrPlane *self)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_return_val_if_fail (TSR_IS_PLANE (self), NULL);
  text = describe (self, tsr_plane_get_current (self));
  if (text == NULL)
    return NULL;
  g_strdelimit (text, "\t", ' ');
  lines = g_strsplit (text, "\n", -1);
  return g_strjoinv (" · ", lines);
}

void
tsr_plane_set_hover (TsrPlane *self, guint32 datum)
{
  TsrPlanePrivate *priv;

  g_return_if_fail (TSR_IS_PLANE (self));
  priv = tsr_plane_get_private (self);
  if (priv->hover == datum)
    return;
  priv->hover = datum;
  tsr_canvas_invalidate (priv->overlay);
  g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

void
tsr_plane_put_cursor (TsrPlane *self, guint32 datum, gboolean shown)
{
  TsrPlanePrivate *priv;

  g_return_if_fail (TSR_IS_PLANE (self));
  priv = tsr_plane_get_private (self);
  priv->cursor = datum;
  priv->cursor_shown = shown;
  tsr_canvas_invalidate (priv->overlay);
  update_accessible (self);
}

void
tsr_plane_set_cursor (TsrPlane *self, guint32 datum)
{
  TsrPlaneClass *klass;
  double x, y;

  g_return_if_fail (TSR_IS_PLANE (self));
  klass = TSR_PLANE_GET_CLASS (self);
  tsr_plane_get_private (self)->hover = TSR_NO_DATUM; /* until the pointer moves again */
  tsr_plane_put_cursor (self, datum, TRUE);
  tsr_plane_show_text (self, NULL, 0, 0);
  if (datum != TSR_NO_DATUM && tsr_plane_get_private (self)->model != NULL)
    {
      if (klass->reveal != NULL)
        klass->reveal (self, datum);
      if (klass->get_anchor != NULL && klass->get_anchor (self, datum, &x, &y))
        tsr_plane_show_callout (self, datum, x, y);
    }
  g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

void
tsr_plane_forget (TsrPlane *self)
{
  TsrPlanePrivate *priv;

  g_return_if_fail (TSR_IS_PLANE (self));
  priv = tsr_plane_get_private (self);
  priv->hover = TSR_NO_DATUM;
  tsr_plane_put_cursor (self, TSR_NO_DATUM, FALSE);
}

guint32
tsr_plane_datum_at (TsrPlane *self, double x, double y)
{
  TsrPlanePrivate *priv;

  g_return_val_if_fail (TSR_IS_PLANE (self), TSR_NO_DATUM);
  priv = tsr_plane_get_private (self);
  return priv->model != NULL ? TSR_PLANE_GET_CLASS (self)->datum_at (self, x - priv->x, y - priv->y)
                             : TSR_NO_DATUM;
}

/* Object */

static void
tsr_plane_constructed (GObject *object)
{
  G_OBJECT_CLASS (tsr_plane_parent_class)->constructed (object);
  /* Not in _init, where the class is not the subclass's yet. */
  tsr_plane_add_controllers (TSR_PLANE (object));
  update_accessible (TSR_PLANE (object));
}

static void
tsr_plane_dispose (GObject *object)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (TSR_PLANE (object));
  GtkWidget *child;

  g_cancellable_cancel (priv->cancellable);
  tsr_plane_drop_viewport (TSR_PLANE (object));
  if (priv->model != NULL)
    g_signal_handlers_disconnect_by_data (priv->model, object);
  priv->menu = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&priv->model);
  g_clear_object (&priv->menu_items);
  G_OBJECT_CLASS (tsr_plane_parent_class)->dispose (object);
}

static void
tsr_plane_finalize (GObject *object)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (TSR_PLANE (object));

  g_object_unref (priv->plot);
  g_object_unref (priv->overlay);
  g_object_unref (priv->callout);
  g_clear_object (&priv->viewport);
  g_free (priv->file_name);
  g_object_unref (priv->cancellable);
  G_OBJECT_CLASS (tsr_plane_parent_class)->finalize (object);
}

static void
tsr_plane_class_init (TsrPlaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = tsr_plane_constructed;
  G_OBJECT_CLASS (klass)->dispose = tsr_plane_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_plane_finalize;
  widget_class->measure = tsr_plane_measure;
  widget_class->size_allocate = tsr_plane_size_allocate;
  widget_class->snapshot = tsr_plane_snapshot;
  gtk_widget_class_set_css_name (widget_class, "chart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  klass->minimum_width = 240;
  klass->minimum_height = 120;
  klass->motion = tsr_plane_hover_at;
  signals[HOVER_CHANGED] = g_signal_new ("hover-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[TOAST]
      = g_signal_new_class_handler ("toast", type, G_SIGNAL_RUN_LAST, G_CALLBACK (tsr_notice_show),
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  tsr_plane_class_add_own_actions (klass);
}

static void
tsr_plane_init (TsrPlane *self)
{
  TsrPlanePrivate *priv = tsr_plane_get_private (self);
  GtkWidget *widget = GTK_WIDGET (self);

  priv->hover = priv->cursor = TSR_NO_DATUM;
  priv->file_name = g_strdup ("chart");
  priv->cancellable = g_cancellable_new ();
  /* Kept beyond dispose, because a model or a viewport may still speak to a widget that goes. */
  priv->plot = g_object_ref_sink (tsr_canvas_new (layout_plot, self));
  priv->overlay = g_object_ref_sink (tsr_canvas_new (layout_overlay, self));
  priv->callout = g_object_ref_sink (tsr_callout_new ());
  gtk_widget_set_parent (GTK_WIDGET (priv->plot), widget);
  gtk_widget_set_parent (GTK_WIDGET (priv->overlay), widget);
  gtk_widget_set_parent (GTK_WIDGET (priv->callout), widget);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
}

static void
on_model_changed (TsrPlane *self)
{
  update_accessible (self);
  tsr_plane_invalidate (self);
}

static void
update_domain (TsrPlane *self, gboolean new_model)
{
  TsrPlaneClass *klass = TSR_PLANE_GET_CLASS (self);

  if (klass->domain_changed != NULL)
    klass->domain_changed (self, new_model);
  on_model_changed (self);
}

static void
on_domain_changed (TsrPlane *self)
{
  update_domain (self, FALSE);
}

void
tsr_plane_set_model (TsrPlane *self, TsrChartModel *model)
{
  TsrPlanePrivate *priv;

  g_return_if_fail (TSR_IS_PLANE (self) && (model == NULL || TSR_IS_CHART_MODEL (model)));
  priv = tsr_plane_get_private (self);
  if (priv->model != NULL)
    g_signal_handlers_disconnect_by_data (priv->model, self);
  g_set_object (&priv->model, model);
  priv->hover = priv->cursor = TSR_NO_DATUM;
  tsr_plane_cancel (self);
  if (model != NULL)
    {
      g_signal_connect_swapped (model, "changed", G_CALLBACK (on_model_changed), self);
      g_signal_connect_swapped (model, "domain-changed", G_CALLBACK (on_domain_changed), self);
      g_signal_connect_swapped (model, "overlay-changed", G_CALLBACK (tsr_plane_invalidate_overlay),
                                self);
    }
  update_domain (self, TRUE);
}

TsrChartModel *
tsr_plane_get_model (TsrPlane *self)
{
  g_return_val_if_fail (TSR_IS_PLANE (self), NULL);
  return tsr_plane_get_private (self)->model;
}

void
tsr_plane_set_menu (TsrPlane *self, GMenuModel *menu)
{
  TsrPlanePrivate *priv;

  g_return_if_fail (TSR_IS_PLANE (self) && G_IS_MENU_MODEL (menu));
  priv = tsr_plane_get_private (self);
  g_return_if_fail (priv->menu_items == NULL);
  priv->menu_items = g_object_ref (menu);
}

void
tsr_plane_set_file_name (TsrPlane *self, const char *name)
{
  TsrPlanePrivate *priv;

  g_return_if_fail (TSR_IS_PLANE (self) && name != NULL);
  priv = tsr_plane_get_private (self);
  g_free (priv->file_name);
  priv->file_name = g_strdup (name);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Draws the overview, and drags its window. */

#include "config.h"

#include "tsr-mini-map.h"

#include "tsr-canvas.h"
#include "tsr-palette.h"
#include "tsr-screen-painter.h"

#include <math.h>

#define HANDLE_WIDTH 5.0
#define HANDLE_REACH 8.0 /* how near the pointer must be */
#define LEAST_WINDOW 6.0 /* drawn, however far in the chart is */

struct _TsrMiniMap
{
  GtkWidget parent_instance;

  TsrCanvas *canvas;
  TsrChartModel *model;
  TsrViewport *viewport;
  TsrMiniMapPart held;
  double grip; /* pointer minus the edge or centre that it holds, data units */
  guint gesture;
};

G_DEFINE_FINAL_TYPE (TsrMiniMap, tsr_mini_map, GTK_TYPE_WIDGET)

static void
layout_overview (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TsrMiniMap *self = data;

  if (self->model == NULL)
    return;
  tsr_viewport_get_domain (self->viewport, &geometry->from, &geometry->to);
  tsr_chart_model_layout_overview (self->model, geometry, list);
}

static double
data_at (TsrMiniMap *self, double x)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  double from, to;

  tsr_viewport_get_domain (self->viewport, &from, &to);
  return from + x / MAX (width, 1) * (to - from);
}

void
tsr_mini_map_get_window (TsrMiniMap *self, double *left, double *right)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  double from, to, a, b;

  tsr_viewport_get_domain (self->viewport, &from, &to);
  tsr_viewport_get_range (self->viewport, &a, &b);
  *left = to > from ? (a - from) / (to - from) * width : 0;
  *right = to > from ? (b - from) / (to - from) * width : width;
  if (*right - *left < LEAST_WINDOW)
    {
      *left = CLAMP ((*left + *right - LEAST_WINDOW) / 2, 0, MAX (width - LEAST_WINDOW, 0));
      *right = *left + LEAST_WINDOW;
    }
}

TsrMiniMapPart
tsr_mini_map_part_at (TsrMiniMap *self, double x)
{
  double left, right, inner;

  g_return_val_if_fail (TSR_IS_MINI_MAP (self), TSR_MINI_MAP_OUTSIDE);
  tsr_mini_map_get_window (self, &left, &right);
  /* A narrow window keeps a middle that can be held. */
  inner = MIN (HANDLE_REACH, (right - left) / 4);
  if (x >= left - HANDLE_REACH && x <= left + inner)
    return TSR_MINI_MAP_LEFT_HANDLE;
  if (x >= right - inner && x <= right + HANDLE_REACH)
    return TSR_MINI_MAP_RIGHT_HANDLE;
  return x > left && x < right ? TSR_MINI_MAP_INSIDE : TSR_MINI_MAP_OUTSIDE;
}

void
tsr_mini_map_press (TsrMiniMap *self, double x)
{
  static guint gestures = 1u << 30;
  double at, from, to;

  g_return_if_fail (TSR_IS_MINI_MAP (self));
  at = data_at (self, x);
  tsr_viewport_get_range (self->viewport, &from, &to);
  self->gesture = ++gestures;
  self->held = tsr_mini_map_part_at (self, x);
  if (self->held == TSR_MINI_MAP_LEFT_HANDLE)
    self->grip = at - from;
  else if (self->held == TSR_MINI_MAP_RIGHT_HANDLE)
    self->grip = at - to;
  else
    {
      if (self->held == TSR_MINI_MAP_OUTSIDE)
        {
          tsr_viewport_set_range (self->viewport, at - (to - from) / 2, at + (to - from) / 2,
                                  self->gesture);
          tsr_viewport_get_range (self->viewport, &from, &to);
        }
      self->held = TSR_MINI_MAP_INSIDE;
      self->grip = at - (from + to) / 2;
    }
}

void
tsr_mini_map_drag (TsrMiniMap *self, double x)
{
  double at, from, to, first, end;

  g_return_if_fail (TSR_IS_MINI_MAP (self));
  if (self->gesture == 0)
    return;
  at = data_at (self, x) - self->grip;
  tsr_viewport_get_range (self->viewport, &from, &to);
  tsr_viewport_get_domain (self->viewport, &first, &end);
  if (self->held == TSR_MINI_MAP_LEFT_HANDLE)
    tsr_viewport_set_range (self->viewport, CLAMP (at, first, to), to, self->gesture);
  else if (self->held == TSR_MINI_MAP_RIGHT_HANDLE)
    tsr_viewport_set_range (self->viewport, from, CLAMP (at, from, end), self->gesture);
  else
    {
      double half = (to - from) / 2;

      at = CLAMP (at, first + half, MAX (end - half, first + half));
      tsr_viewport_set_range (self->viewport, at - half, at + half, self->gesture);
    }
}

void
tsr_mini_map_release (TsrMiniMap *self)
{
  g_return_if_fail (TSR_IS_MINI_MAP (self));
  self->gesture = 0;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, TsrMiniMap *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  tsr_mini_map_press (self, x);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, TsrMiniMap *self)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (gesture, &x, &y))
    tsr_mini_map_drag (self, x + dx);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, TsrMiniMap *self)
{
  tsr_mini_map_release (self);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, TsrMiniMap *self)
{
  static const char *const cursors[] = { "pointer", "grab", "ew-resize", "ew-resize" };

  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), cursors[tsr_mini_map_part_at (self, x)]);
}

static void
append_ink (GtkSnapshot *snapshot,
            guint ink,
            gboolean dark,
            float alpha,
            double x,
            double y,
            double width,
            double height)
{
  TsrColor color = tsr_palette_get (ink, dark);

  if (width > 0 && height > 0)
    gtk_snapshot_append_color (
        snapshot, &(GdkRGBA){ color.red, color.green, color.blue, color.alpha * alpha },
        &GRAPHENE_RECT_INIT (x, y, width, height));
}

static void
tsr_mini_map_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsrMiniMap *self = TSR_MINI_MAP (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  gboolean dark = tsr_widget_is_dark (widget);
  double left, right;

  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->canvas), snapshot);
  if (self->model == NULL)
    return;
  tsr_mini_map_get_window (self, &left, &right);
  left = round (left);
  right = round (right);
  append_ink (snapshot, TSR_INK_BACKGROUND, dark, 0.66, 0, 0, left, height);
  append_ink (snapshot, TSR_INK_BACKGROUND, dark, 0.66, right, 0, width - right, height);
  append_ink (snapshot, TSR_INK_AXIS, dark, 0.6, left, 0, right - left, 1);
  append_ink (snapshot, TSR_INK_AXIS, dark, 0.6, left, height - 1, right - left, 1);
  for (int i = 0; i < 2; i++)
    {
      double x = i == 0 ? left : right - HANDLE_WIDTH;

      if (right - left < 3 * HANDLE_WIDTH)
        x = i == 0 ? left - HANDLE_WIDTH : right;
      append_ink (snapshot, TSR_INK_DIM_TEXT, dark, 1, x, 0, HANDLE_WIDTH, height);
      append_ink (snapshot, TSR_INK_BACKGROUND, dark, 0.9, x + 2, height / 2 - 4, 1, 8);
    }
}

static void
tsr_mini_map_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL ? TSR_MINI_MAP_HEIGHT : 0;
}

static void
tsr_mini_map_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrMiniMap *self = TSR_MINI_MAP (widget);

  gtk_widget_allocate (GTK_WIDGET (self->canvas), width, height, -1, NULL);
}

static void
tsr_mini_map_dispose (GObject *object)
{
  TsrMiniMap *self = TSR_MINI_MAP (object);

  if (self->canvas != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->canvas));
  self->canvas = NULL;
  tsr_mini_map_set_model (self, NULL);
  if (self->viewport != NULL)
    g_signal_handlers_disconnect_by_data (self->viewport, self);
  g_clear_object (&self->viewport);
  G_OBJECT_CLASS (tsr_mini_map_parent_class)->dispose (object);
}

static void
tsr_mini_map_class_init (TsrMiniMapClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_mini_map_dispose;
  widget_class->snapshot = tsr_mini_map_snapshot;
  widget_class->measure = tsr_mini_map_measure;
  widget_class->size_allocate = tsr_mini_map_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "minimap");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
tsr_mini_map_init (TsrMiniMap *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->canvas = tsr_canvas_new (layout_overview, self);
  gtk_widget_set_parent (GTK_WIDGET (self->canvas), GTK_WIDGET (self));
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
}

TsrMiniMap *
tsr_mini_map_new (TsrViewport *viewport)
{
  TsrMiniMap *self = g_object_new (TSR_TYPE_MINI_MAP, NULL);

  tsr_mini_map_set_viewport (self, viewport);
  return self;
}

void
tsr_mini_map_set_viewport (TsrMiniMap *self, TsrViewport *viewport)
{
  g_return_if_fail (TSR_IS_MINI_MAP (self) && TSR_IS_VIEWPORT (viewport));

  if (self->viewport != NULL)
    g_signal_handlers_disconnect_by_data (self->viewport, self);
  g_set_object (&self->viewport, viewport);
  g_signal_connect_swapped (viewport, "changed", G_CALLBACK (gtk_widget_queue_draw), self);
  tsr_canvas_invalidate (self->canvas);
}

void
tsr_mini_map_set_model (TsrMiniMap *self, TsrChartModel *model)
{
  g_return_if_fail (TSR_IS_MINI_MAP (self));

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_func (self->model, tsr_canvas_invalidate, self->canvas);
  g_set_object (&self->model, model);
  if (self->canvas == NULL)
    return;
  if (model != NULL)
    {
      g_signal_connect_object (model, "changed", G_CALLBACK (tsr_canvas_invalidate), self->canvas,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (model, "domain-changed", G_CALLBACK (tsr_canvas_invalidate),
                               self->canvas, G_CONNECT_SWAPPED);
    }
  tsr_canvas_invalidate (self->canvas);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

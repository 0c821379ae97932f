/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-address-view.h"

#include "tsr-callout.h"
#include "tsr-canvas.h"
#include "tsr-export.h"

#include <glib/gi18n.h>
#include <math.h>

#define MINIMUM_WIDTH 240

struct _TsrAddressView
{
  GtkWidget parent_instance;

  TsrAddressMap *map;
  TsrCanvas *plot, *overlay;
  TsrCallout *callout;
  TsrTextMeasure measure;
  guint32 hover, cursor;
  GCancellable *cancellable; /* of exports */
};

G_DEFINE_FINAL_TYPE (TsrAddressView, tsr_address_view, GTK_TYPE_WIDGET)

enum
{
  SELECT,
  HOVER_CHANGED,
  TOAST,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* Layout */

static void
layout_plot (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TsrAddressView *self = data;
  TsrPlotArea area;

  self->measure = geometry->measure;
  if (self->map != NULL)
    tsr_chart_model_layout (TSR_CHART_MODEL (self->map), geometry, list, &area);
}

static void
layout_overlay (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TsrAddressView *self = data;
  TsrPlotArea area = { 0 };

  if (self->map != NULL)
    tsr_chart_model_layout_overlay (TSR_CHART_MODEL (self->map), geometry, &area, self->hover,
                                    self->cursor, list);
}

static gboolean
get_geometry (TsrAddressView *self, TsrChartGeometry *geometry)
{
  *geometry = (TsrChartGeometry){
    .width = gtk_widget_get_width (GTK_WIDGET (self)),
    .height = gtk_widget_get_height (GTK_WIDGET (self)),
    .scale = gtk_widget_get_scale_factor (GTK_WIDGET (self)),
    .measure = self->measure,
  };
  return self->map != NULL && self->measure.measure != NULL && geometry->width > 0;
}

static void
tsr_address_view_measure (GtkWidget *widget,
                          GtkOrientation orientation,
                          int for_size,
                          int *minimum,
                          int *natural,
                          int *minimum_baseline,
                          int *natural_baseline)
{
  TsrAddressView *self = TSR_ADDRESS_VIEW (widget);

  *minimum = *natural = MINIMUM_WIDTH;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural
        = self->map != NULL ? (int)ceil (tsr_address_map_get_height (self->map, for_size)) : 0;
}

static void
allocate_all (GtkWidget *child, int width, int height)
{
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (child, width, height, -1, NULL);
}

static void
tsr_address_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrAddressView *self = TSR_ADDRESS_VIEW (widget);

  tsr_canvas_ensure (self->plot, width, height);
  allocate_all (GTK_WIDGET (self->plot), width, height);
  allocate_all (GTK_WIDGET (self->overlay), width, height);
  tsr_callout_allocate (self->callout, width, height);
}

/* Hover and cursor */

static void
update_accessible (TsrAddressView *self)
{
  TsrChartModel *model = self->map != NULL ? TSR_CHART_MODEL (self->map) : NULL;
  g_autofree char *caption = model != NULL ? tsr_chart_model_dup_caption (model) : NULL;
  g_autofree char *description = NULL;

  if (model != NULL && self->cursor != TSR_NO_DATUM)
    description = tsr_chart_model_describe (model, self->cursor);
  if (description != NULL)
    g_strdelimit (description, "\n", ';');
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
      caption != NULL ? caption : _ ("Address map"), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      description != NULL ? description : _ ("Arrows move along the allocations"), -1);
}

static void
show_callout (TsrAddressView *self, guint32 row, double x, double y)
{
  g_autofree char *text = NULL;

  if (row != TSR_NO_DATUM && self->map != NULL)
    text = tsr_chart_model_describe (TSR_CHART_MODEL (self->map), row);
  tsr_callout_show (self->callout, text, x, y);
  if (text != NULL)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
set_hover (TsrAddressView *self, guint32 row)
{
  if (self->hover == row)
    return;
  self->hover = row;
  tsr_canvas_invalidate (self->overlay);
  g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

void
tsr_address_view_motion (TsrAddressView *self, double x, double y)
{
  TsrChartGeometry geometry;
  guint32 row;

  if (!get_geometry (self, &geometry))
    return;
  row = tsr_address_map_row_at (self->map, &geometry, x, y, NULL);
  set_hover (self, row);
  show_callout (self, row, x, y);
}

static void
leave (TsrAddressView *self)
{
  set_hover (self, TSR_NO_DATUM);
  show_callout (self, TSR_NO_DATUM, 0, 0);
}

void
tsr_address_view_press (TsrAddressView *self, double x, double y, GdkModifierType state)
{
  TsrChartGeometry geometry;

  if (!get_geometry (self, &geometry))
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->cursor = tsr_address_map_row_at (self->map, &geometry, x, y, NULL);
  tsr_canvas_invalidate (self->overlay);
  g_signal_emit (self, signals[SELECT], 0, self->cursor, (state & GDK_SHIFT_MASK) != 0);
}

/* Scrolls so that (x, y) is in sight. */
static void
reveal (TsrAddressView *self, double y, double height)
{
  GtkWidget *scrolled = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);

  if (scrolled != NULL)
    gtk_adjustment_clamp_page (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)),
                               y, y + height);
}

static void
move_cursor (TsrAddressView *self, int by)
{
  TsrChartGeometry geometry;
  double x, y, height;
  guint32 row;

  if (!get_geometry (self, &geometry))
    return;
  row = tsr_address_map_step_from (self->map, self->cursor, by);
  self->cursor = row;
  tsr_canvas_invalidate (self->overlay);
  if (row != TSR_NO_DATUM && tsr_address_map_get_place (self->map, &geometry, row, &x, &y, &height))
    {
      reveal (self, y, height);
      show_callout (self, row, x, y + height);
    }
  update_accessible (self);
  g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

/* Actions */

static void
export_action (TsrAddressView *self, const char *name)
{
  TsrExport what = { .widget = GTK_WIDGET (self),
                     .model = TSR_CHART_MODEL (self->map),
                     .file_name = "addresses",
                     .from = 0,
                     .to = 1,
                     .width = gtk_widget_get_width (GTK_WIDGET (self)),
                     .height = gtk_widget_get_height (GTK_WIDGET (self)) + 48,
                     .cancellable = self->cancellable };

  if (g_str_equal (name, "chart.export-image"))
    tsr_export_ask_image (&what);
  else if (g_str_equal (name, "chart.export-data"))
    tsr_export_ask_data (&what);
  else
    tsr_export_copy_image (&what);
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrAddressView *self = TSR_ADDRESS_VIEW (widget);

  if (self->map == NULL)
    return;
  if (g_str_equal (name, "chart.cursor-left"))
    move_cursor (self, -1);
  else if (g_str_equal (name, "chart.cursor-right"))
    move_cursor (self, 1);
  else if (g_str_equal (name, "chart.select"))
    g_signal_emit (self, signals[SELECT], 0, self->cursor, FALSE);
  else if (g_str_equal (name, "chart.select-add"))
    g_signal_emit (self, signals[SELECT], 0, self->cursor, TRUE);
  else if (g_str_equal (name, "chart.clear-selection"))
    g_signal_emit (self, signals[SELECT], 0, TSR_NO_DATUM, FALSE);
  else
    export_action (self, name);
}

static const struct
{
  const char *name;
  guint keys[3];
  GdkModifierType modifiers;
} actions[] = {
  { "chart.cursor-left", { GDK_KEY_Left, GDK_KEY_Up, GDK_KEY_KP_Left }, 0 },
  { "chart.cursor-right", { GDK_KEY_Right, GDK_KEY_Down, GDK_KEY_KP_Right }, 0 },
  { "chart.select", { GDK_KEY_space, GDK_KEY_Return, GDK_KEY_KP_Enter }, 0 },
  { "chart.select-add", { GDK_KEY_space, GDK_KEY_Return }, GDK_SHIFT_MASK },
  { "chart.clear-selection", { GDK_KEY_Escape }, 0 },
  { "chart.copy-image", { GDK_KEY_c }, GDK_CONTROL_MASK },
  { "chart.export-image", { 0 }, 0 },
  { "chart.export-data", { 0 }, 0 },
};

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, TsrAddressView *self)
{
  tsr_address_view_press (
      self, x, y, gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click)));
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, TsrAddressView *self)
{
  tsr_address_view_motion (self, x, y);
}

/* Object */

static void
tsr_address_view_dispose (GObject *object)
{
  TsrAddressView *self = TSR_ADDRESS_VIEW (object);
  GtkWidget *child;

  g_cancellable_cancel (self->cancellable);
  if (self->map != NULL)
    g_signal_handlers_disconnect_by_data (self->map, self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->map);
  G_OBJECT_CLASS (tsr_address_view_parent_class)->dispose (object);
}

static void
tsr_address_view_finalize (GObject *object)
{
  g_object_unref (TSR_ADDRESS_VIEW (object)->cancellable);
  G_OBJECT_CLASS (tsr_address_view_parent_class)->finalize (object);
}

static void
tsr_address_view_class_init (TsrAddressViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_address_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_address_view_finalize;
  widget_class->measure = tsr_address_view_measure;
  widget_class->size_allocate = tsr_address_view_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "chart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[SELECT] = g_signal_new ("select", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_BOOLEAN);
  signals[HOVER_CHANGED] = g_signal_new ("hover-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[TOAST] = g_signal_new ("toast", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_STRING);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gtk_widget_class_install_action (widget_class, actions[i].name, NULL, run_action);
      for (guint k = 0; k < 3 && actions[i].keys[k] != 0; k++)
        gtk_widget_class_add_binding_action (widget_class, actions[i].keys[k], actions[i].modifiers,
                                             actions[i].name, NULL);
    }
}

static void
tsr_address_view_init (TsrAddressView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->hover = self->cursor = TSR_NO_DATUM;
  self->cancellable = g_cancellable_new ();
  self->plot = tsr_canvas_new (layout_plot, self);
  self->overlay = tsr_canvas_new (layout_overlay, self);
  self->callout = tsr_callout_new ();
  gtk_widget_set_parent (GTK_WIDGET (self->plot), widget);
  gtk_widget_set_parent (GTK_WIDGET (self->overlay), widget);
  gtk_widget_set_parent (GTK_WIDGET (self->callout), widget);
  gtk_widget_set_focusable (widget, TRUE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, motion);
  update_accessible (self);
}

TsrAddressView *
tsr_address_view_new (void)
{
  return g_object_new (TSR_TYPE_ADDRESS_VIEW, NULL);
}

static void
on_map_changed (TsrAddressView *self)
{
  show_callout (self, TSR_NO_DATUM, 0, 0);
  update_accessible (self);
  tsr_canvas_invalidate (self->plot);
  tsr_canvas_invalidate (self->overlay);
}

/* Another tile: other rows, another height. */
static void
on_domain_changed (TsrAddressView *self)
{
  self->hover = self->cursor = TSR_NO_DATUM;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  on_map_changed (self);
}

static void
on_overlay_changed (TsrAddressView *self)
{
  tsr_canvas_invalidate (self->overlay);
}

void
tsr_address_view_set_map (TsrAddressView *self, TsrAddressMap *map)
{
  g_return_if_fail (TSR_IS_ADDRESS_VIEW (self) && (map == NULL || TSR_IS_ADDRESS_MAP (map)));

  if (self->map != NULL)
    g_signal_handlers_disconnect_by_data (self->map, self);
  g_set_object (&self->map, map);
  if (map != NULL)
    {
      g_signal_connect_swapped (map, "changed", G_CALLBACK (on_map_changed), self);
      g_signal_connect_swapped (map, "domain-changed", G_CALLBACK (on_domain_changed), self);
      g_signal_connect_swapped (map, "overlay-changed", G_CALLBACK (on_overlay_changed), self);
    }
  on_domain_changed (self);
}

TsrAddressMap *
tsr_address_view_get_map (TsrAddressView *self)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_VIEW (self), NULL);
  return self->map;
}

guint32
tsr_address_view_get_hover (TsrAddressView *self)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_VIEW (self), TSR_NO_DATUM);
  return self->hover != TSR_NO_DATUM ? self->hover : self->cursor;
}

guint32
tsr_address_view_get_cursor (TsrAddressView *self)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_VIEW (self), TSR_NO_DATUM);
  return self->cursor;
}

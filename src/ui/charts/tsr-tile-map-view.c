/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The cells are one canvas, which is laid out when values, view or size change; hover, selection
 * and rubber band are another one over it. */

#include "config.h"

#include "tsr-tile-map-view-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define DRAG_THRESHOLD 4.0
#define WHEEL_FACTOR   1.25
#define WHEEL_PAN      60.0
#define CLOSER         4.0
#define MINIMUM_WIDTH  240
#define MINIMUM_HEIGHT 120

G_DEFINE_FINAL_TYPE (TsrTileMapView, tsr_tile_map_view, GTK_TYPE_WIDGET)

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
layout_cells (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TsrTileMapView *self = data;
  TsrPlotArea area;

  self->measure = geometry->measure;
  if (self->map != NULL)
    tsr_chart_model_layout (TSR_CHART_MODEL (self->map), geometry, list, &area);
}

static void
layout_overlay (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TsrTileMapView *self = data;
  TsrPlotArea area = { 0 };

  if (self->map == NULL)
    return;
  tsr_chart_model_layout_overlay (TSR_CHART_MODEL (self->map), geometry, &area, self->hover,
                                  self->cursor_shown ? self->cursor : TSR_NO_DATUM, list);
  if (self->drag == DRAG_BAND)
    {
      double x = MIN (self->press_x, self->last_x), y = MIN (self->press_y, self->last_y);
      double width = MAX (fabs (self->last_x - self->press_x), 1);
      double height = MAX (fabs (self->last_y - self->press_y), 1);

      tsr_draw_list_rect (list, TSR_INK_SELECTION, x, y, width, height)->alpha = 0.18f;
      tsr_draw_list_line (list, TSR_INK_SELECTION, x, y, x + width, y);
      tsr_draw_list_line (list, TSR_INK_SELECTION, x, y + height, x + width, y + height);
      tsr_draw_list_line (list, TSR_INK_SELECTION, x, y, x, y + height);
      tsr_draw_list_line (list, TSR_INK_SELECTION, x + width, y, x + width, y + height);
    }
}

gboolean
tsr_tile_map_view_get_geometry (TsrTileMapView *self, TsrChartGeometry *geometry)
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
allocate_all (GtkWidget *child, int width, int height)
{
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (child, width, height, -1, NULL);
}

static void
tsr_tile_map_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (widget);

  tsr_canvas_ensure (self->cells, width, height);
  allocate_all (GTK_WIDGET (self->cells), width, height);
  allocate_all (GTK_WIDGET (self->overlay), width, height);
  tsr_callout_allocate (self->callout, width, height);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
tsr_tile_map_view_measure (GtkWidget *widget,
                           GtkOrientation orientation,
                           int for_size,
                           int *minimum,
                           int *natural,
                           int *minimum_baseline,
                           int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MINIMUM_WIDTH : MINIMUM_HEIGHT;
  *natural = 2 * *minimum;
}

static void
tsr_tile_map_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (widget);

  if (self->map == NULL)
    return;
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->cells), snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->overlay), snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->callout), snapshot);
}

/* Hover, cursor and callout */

static void
update_accessible (TsrTileMapView *self)
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
      caption != NULL ? caption : _ ("Tile map"), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      description != NULL ? description : _ ("Arrows move along the tiles"), -1);
}

static void
show_callout (TsrTileMapView *self, guint32 tile, double x, double y)
{
  g_autofree char *text = NULL;

  if (tile != TSR_NO_DATUM && self->map != NULL)
    text = tsr_chart_model_describe (TSR_CHART_MODEL (self->map), tile);
  tsr_callout_show (self->callout, text, x, y);
  if (text != NULL)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
set_hover (TsrTileMapView *self, guint32 tile)
{
  if (self->hover == tile)
    return;
  self->hover = tile;
  tsr_canvas_invalidate (self->overlay);
  g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

gboolean
tsr_tile_map_view_get_point (TsrTileMapView *self, guint32 tile, double *x, double *y)
{
  TsrChartGeometry geometry;
  double width, height;

  g_return_val_if_fail (TSR_IS_TILE_MAP_VIEW (self), FALSE);
  if (!tsr_tile_map_view_get_geometry (self, &geometry)
      || !tsr_tile_map_get_cell (self->map, &geometry, tile, x, y, &width, &height))
    return FALSE;
  *x += width / 2;
  *y += height / 2;
  return TRUE;
}

void
tsr_tile_map_view_set_cursor (TsrTileMapView *self, guint32 tile)
{
  TsrChartGeometry geometry;
  double x, y;

  g_return_if_fail (TSR_IS_TILE_MAP_VIEW (self));
  self->cursor = tile;
  self->cursor_shown = TRUE;
  tsr_canvas_invalidate (self->overlay);
  show_callout (self, TSR_NO_DATUM, 0, 0);
  if (tile != TSR_NO_DATUM && tsr_tile_map_view_get_geometry (self, &geometry))
    {
      tsr_tile_map_reveal (self->map, &geometry, tile);
      if (tsr_tile_map_view_get_point (self, tile, &x, &y))
        show_callout (self, tile, x, y);
    }
  update_accessible (self);
}

/* Pointer */

static void
emit_select (TsrTileMapView *self, GArray *tiles, TsrSelectMode mode)
{
  g_signal_emit (self, signals[SELECT], 0, tiles, (int)mode);
}

void
tsr_tile_map_view_select_one (TsrTileMapView *self, guint32 tile, TsrSelectMode mode)
{
  g_autoptr (GArray) tiles = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (mode != TSR_SELECT_CLEAR)
    g_array_append_val (tiles, tile);
  emit_select (self, tiles, mode);
}

void
tsr_tile_map_view_show_menu (TsrTileMapView *self, double x, double y)
{
  if (self->menu == NULL)
    {
      g_autoptr (GMenu) menu = g_menu_new (), view = g_menu_new (), out = g_menu_new ();

      g_menu_append (view, _ ("Show all"), "chart.fit");
      g_menu_append (view, _ ("Reset the colour scale"), "chart.reset-scale");
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
  show_callout (self, TSR_NO_DATUM, 0, 0);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle){ x, y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

/* FALSE when (x, y) is not on the colour scale. */
static gboolean
press_scale (
    TsrTileMapView *self, const TsrChartGeometry *geometry, double x, double y, int n_press)
{
  TsrScalePart part = tsr_tile_map_scale_at (self->map, geometry, x, y, &self->press_value);

  if (part == TSR_SCALE_NONE)
    return FALSE;
  tsr_tile_map_get_scale (self->map, &self->press_from, &self->press_to);
  self->drag = DRAG_NONE;
  if (n_press == 2)
    tsr_tile_map_set_scale (self->map, 0, 0);
  else if (part == TSR_SCALE_FROM)
    self->drag = DRAG_FROM;
  else if (part == TSR_SCALE_TO)
    self->drag = DRAG_TO;
  else if (self->press_value > self->press_from && self->press_value < self->press_to)
    self->drag = DRAG_RANGE;
  else
    self->drag = self->press_value <= self->press_from ? DRAG_FROM : DRAG_TO;
  return TRUE;
}

void
tsr_tile_map_view_press (
    TsrTileMapView *self, double x, double y, guint button, int n_press, GdkModifierType state)
{
  TsrChartGeometry geometry;
  double zoom, at_x, at_y;

  if (!tsr_tile_map_view_get_geometry (self, &geometry))
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (button == GDK_BUTTON_SECONDARY)
    {
      tsr_tile_map_view_show_menu (self, x, y);
      return;
    }
  self->press_x = self->last_x = x;
  self->press_y = self->last_y = y;
  if (button == GDK_BUTTON_PRIMARY && press_scale (self, &geometry, x, y, n_press))
    return;
  self->drag = DRAG_NONE;
  if (n_press == 2 && button == GDK_BUTTON_PRIMARY)
    {
      tsr_tile_map_get_view (self->map, &zoom, &at_x, &at_y);
      if (zoom > 1)
        tsr_tile_map_set_view (self->map, 1, 0.5, 0.5);
      else
        tsr_tile_map_zoom_about (self->map, &geometry, x, y, CLOSER);
      return;
    }
  self->drag = DRAG_PRESSED;
  self->drag_pans = button == GDK_BUTTON_MIDDLE || (state & GDK_CONTROL_MASK) != 0;
}

static void
drag_scale (TsrTileMapView *self, const TsrChartGeometry *geometry, double y)
{
  gint64 from = self->press_from, to = self->press_to, value, by;
  gint64 top = tsr_tile_map_get_top (self->map), least = MAX (top / 200, 1);

  tsr_tile_map_scale_at (self->map, geometry, 0, y, &value);
  by = value - self->press_value;
  if (self->drag == DRAG_FROM)
    from = CLAMP (from + by, 0, to - least);
  else if (self->drag == DRAG_TO)
    to = CLAMP (to + by, from + least, top);
  else
    {
      by = CLAMP (by, -from, MAX (top - to, 0));
      from += by;
      to += by;
    }
  if (from < to)
    tsr_tile_map_set_scale (self->map, MAX (from, 0), to);
}

static void
show_scale (TsrTileMapView *self, double x, double y)
{
  g_autofree char *from_text = NULL, *to_text = NULL, *text = NULL;
  gint64 from, to;

  tsr_tile_map_get_scale (self->map, &from, &to);
  from_text = tsr_units_dup_bytes_exact (from);
  to_text = tsr_units_dup_bytes_exact (to);
  text = g_strdup_printf (_ ("Colours from %s to %s"), from_text, to_text);
  tsr_callout_show (self->callout, text, x, y);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
tsr_tile_map_view_drag (TsrTileMapView *self, double x, double y)
{
  TsrChartGeometry geometry;

  if (self->drag == DRAG_NONE || !tsr_tile_map_view_get_geometry (self, &geometry))
    return;
  if (self->drag >= DRAG_FROM)
    {
      drag_scale (self, &geometry, y);
      show_scale (self, x, y);
      return;
    }
  if (self->drag == DRAG_PRESSED)
    {
      if (hypot (x - self->press_x, y - self->press_y) < DRAG_THRESHOLD)
        return;
      self->drag = self->drag_pans ? DRAG_PAN : DRAG_BAND;
      show_callout (self, TSR_NO_DATUM, 0, 0);
      set_hover (self, TSR_NO_DATUM);
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                       self->drag == DRAG_PAN ? "grabbing" : NULL);
    }
  if (self->drag == DRAG_PAN)
    tsr_tile_map_pan (self->map, &geometry, self->last_x - x, self->last_y - y);
  self->last_x = x;
  self->last_y = y;
  tsr_canvas_invalidate (self->overlay);
}

void
tsr_tile_map_view_release (TsrTileMapView *self, double x, double y, GdkModifierType state)
{
  gboolean add = (state & GDK_SHIFT_MASK) != 0;
  TsrTileDrag drag = self->drag;
  TsrChartGeometry geometry;
  guint32 tile;

  self->drag = DRAG_NONE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
  tsr_canvas_invalidate (self->overlay);
  if (drag == DRAG_NONE || drag >= DRAG_PAN || self->drag_pans
      || !tsr_tile_map_view_get_geometry (self, &geometry))
    return;
  if (drag == DRAG_BAND)
    {
      g_autoptr (GArray) tiles = tsr_tile_map_dup_tiles_in (
          self->map, &geometry, MIN (self->press_x, x), MIN (self->press_y, y),
          fabs (x - self->press_x), fabs (y - self->press_y));

      if (tiles->len > 0)
        emit_select (self, tiles, add ? TSR_SELECT_ADD : TSR_SELECT_REPLACE);
      return;
    }
  tile = tsr_tile_map_tile_at (self->map, &geometry, x, y);
  if (tile == TSR_NO_DATUM)
    {
      if (!add)
        tsr_tile_map_view_select_one (self, 0, TSR_SELECT_CLEAR);
      return;
    }
  self->cursor = tile; /* the keyboard goes on from here */
  self->cursor_shown = FALSE;
  tsr_tile_map_view_select_one (self, tile, add ? TSR_SELECT_TOGGLE : TSR_SELECT_REPLACE);
}

void
tsr_tile_map_view_motion (TsrTileMapView *self, double x, double y)
{
  TsrChartGeometry geometry;
  TsrScalePart part;
  guint32 tile;
  gint64 value;

  if (self->drag > DRAG_PRESSED || !tsr_tile_map_view_get_geometry (self, &geometry))
    return;
  self->last_x = x;
  self->last_y = y;
  tile = tsr_tile_map_tile_at (self->map, &geometry, x, y);
  part = tsr_tile_map_scale_at (self->map, &geometry, x, y, &value);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), part == TSR_SCALE_FROM || part == TSR_SCALE_TO
                                                          ? "ns-resize"
                                                      : part == TSR_SCALE_BODY ? "grab"
                                                                               : NULL);
  set_hover (self, tile);
  if (part != TSR_SCALE_NONE)
    show_scale (self, x, y);
  else
    show_callout (self, tile, x, y);
}

static void
leave (TsrTileMapView *self)
{
  set_hover (self, TSR_NO_DATUM);
  show_callout (self, TSR_NO_DATUM, 0, 0);
}

void
tsr_tile_map_view_scroll (TsrTileMapView *self, double dx, double dy, GdkModifierType state)
{
  TsrChartGeometry geometry;

  if (!tsr_tile_map_view_get_geometry (self, &geometry))
    return;
  if ((state & GDK_SHIFT_MASK) != 0 && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  if (dx != 0)
    tsr_tile_map_pan (self->map, &geometry, dx * WHEEL_PAN, 0);
  if (dy != 0)
    tsr_tile_map_zoom_about (self->map, &geometry, self->last_x, self->last_y,
                             pow (WHEEL_FACTOR, -dy));
  tsr_tile_map_view_motion (self, self->last_x, self->last_y);
}

/* Gestures */

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, TsrTileMapView *self)
{
  tsr_tile_map_view_press (
      self, x, y, gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (click)), n_press,
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click)));
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, TsrTileMapView *self)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (drag, &x, &y))
    tsr_tile_map_view_drag (self, x + dx, y + dy);
  if (self->drag > DRAG_PRESSED)
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, TsrTileMapView *self)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (drag, &x, &y))
    tsr_tile_map_view_release (
        self, x + dx, y + dy,
        gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag)));
}

static void
on_cancel (GtkGesture *gesture, GdkEventSequence *sequence, TsrTileMapView *self)
{
  self->drag = DRAG_NONE;
  tsr_canvas_invalidate (self->overlay);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, TsrTileMapView *self)
{
  tsr_tile_map_view_scroll (
      self, dx, dy, gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll)));
  return TRUE;
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, TsrTileMapView *self)
{
  tsr_tile_map_view_motion (self, x, y);
}

static void
add_controllers (TsrTileMapView *self)
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
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_cancel), self);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (leave), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, focus);
}

/* Object */

static void
tsr_tile_map_view_dispose (GObject *object)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (object);
  GtkWidget *child;

  g_cancellable_cancel (self->cancellable);
  if (self->map != NULL)
    g_signal_handlers_disconnect_by_data (self->map, self);
  self->menu = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->map);
  G_OBJECT_CLASS (tsr_tile_map_view_parent_class)->dispose (object);
}

static void
tsr_tile_map_view_finalize (GObject *object)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (object);

  g_free (self->file_name);
  g_object_unref (self->cancellable);
  G_OBJECT_CLASS (tsr_tile_map_view_parent_class)->finalize (object);
}

static void
tsr_tile_map_view_class_init (TsrTileMapViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_tile_map_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_tile_map_view_finalize;
  widget_class->measure = tsr_tile_map_view_measure;
  widget_class->size_allocate = tsr_tile_map_view_size_allocate;
  widget_class->snapshot = tsr_tile_map_view_snapshot;
  gtk_widget_class_set_css_name (widget_class, "chart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[SELECT] = g_signal_new ("select", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 2, G_TYPE_ARRAY, G_TYPE_INT);
  signals[HOVER_CHANGED] = g_signal_new ("hover-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[TOAST] = g_signal_new ("toast", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_STRING);
  tsr_tile_map_view_class_add_actions (widget_class);
}

static void
tsr_tile_map_view_init (TsrTileMapView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->hover = self->cursor = TSR_NO_DATUM;
  self->file_name = g_strdup ("tile-map");
  self->cancellable = g_cancellable_new ();
  self->cells = tsr_canvas_new (layout_cells, self);
  self->overlay = tsr_canvas_new (layout_overlay, self);
  self->callout = tsr_callout_new ();
  gtk_widget_set_parent (GTK_WIDGET (self->cells), widget);
  gtk_widget_set_parent (GTK_WIDGET (self->overlay), widget);
  gtk_widget_set_parent (GTK_WIDGET (self->callout), widget);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  add_controllers (self);
  update_accessible (self);
}

TsrTileMapView *
tsr_tile_map_view_new (void)
{
  return g_object_new (TSR_TYPE_TILE_MAP_VIEW, NULL);
}

static void
on_map_changed (TsrTileMapView *self)
{
  if (self->drag < DRAG_FROM)
    show_callout (self, TSR_NO_DATUM, 0, 0);
  update_accessible (self);
  tsr_canvas_invalidate (self->cells);
  tsr_canvas_invalidate (self->overlay);
}

static void
on_overlay_changed (TsrTileMapView *self)
{
  tsr_canvas_invalidate (self->overlay);
}

void
tsr_tile_map_view_set_map (TsrTileMapView *self, TsrTileMap *map)
{
  g_return_if_fail (TSR_IS_TILE_MAP_VIEW (self) && (map == NULL || TSR_IS_TILE_MAP (map)));

  if (self->map != NULL)
    g_signal_handlers_disconnect_by_data (self->map, self);
  g_set_object (&self->map, map);
  self->hover = self->cursor = TSR_NO_DATUM;
  self->drag = DRAG_NONE;
  if (map != NULL)
    {
      g_signal_connect_swapped (map, "changed", G_CALLBACK (on_map_changed), self);
      g_signal_connect_swapped (map, "overlay-changed", G_CALLBACK (on_overlay_changed), self);
    }
  on_map_changed (self);
}

TsrTileMap *
tsr_tile_map_view_get_map (TsrTileMapView *self)
{
  g_return_val_if_fail (TSR_IS_TILE_MAP_VIEW (self), NULL);
  return self->map;
}

void
tsr_tile_map_view_set_file_name (TsrTileMapView *self, const char *name)
{
  g_return_if_fail (TSR_IS_TILE_MAP_VIEW (self) && name != NULL);
  g_free (self->file_name);
  self->file_name = g_strdup (name);
}

guint32
tsr_tile_map_view_get_hover (TsrTileMapView *self)
{
  g_return_val_if_fail (TSR_IS_TILE_MAP_VIEW (self), TSR_NO_DATUM);
  return self->hover;
}

guint32
tsr_tile_map_view_get_cursor (TsrTileMapView *self)
{
  g_return_val_if_fail (TSR_IS_TILE_MAP_VIEW (self), TSR_NO_DATUM);
  return self->cursor;
}

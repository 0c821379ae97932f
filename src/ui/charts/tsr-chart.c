/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chart: its parts and their places.  The mini-map stands over the plot, edge to edge. */

#include "config.h"

#include "tsr-chart-marks.h"
#include "tsr-chart-private.h"

#include <glib/gi18n.h>
#include <math.h>

static void tsr_chart_emit_select (TsrChart *self, double from, double to, TsrSelectMode mode);
static void tsr_chart_zoom_to_range (TsrChart *self, double from, double to);

/* What pointer, wheel and touch do to a chart. */

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

static void
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

/* Pointer, context menu and pinch; actions and keys. */
static void
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

/* What keys, menus and assistive technology fire on a chart: actions without parameters, the keys
 * bound to them, and how the keyboard cursor moves. */

/* Position of the cursor; where it would begin when there is none. */
static double
cursor_position (TsrChart *self)
{
  TsrPlane *plane = TSR_PLANE (self);
  TsrChartModel *model = tsr_plane_get_model (plane);
  double from, to;

  if (tsr_plane_get_cursor (plane) != TSR_NO_DATUM)
    return tsr_chart_model_position_of (model, tsr_plane_get_cursor (plane));
  if (tsr_plane_get_hover (plane) != TSR_NO_DATUM)
    return tsr_chart_model_position_of (model, tsr_plane_get_hover (plane));
  tsr_viewport_get_range (self->viewport, &from, &to);
  if (self->selected_from < self->selected_to && self->selected_from >= from
      && self->selected_from < to)
    return self->selected_from;
  return ceil (from);
}

static void
go_to (TsrChart *self, double position, gboolean extend)
{
  TsrPlane *plane = TSR_PLANE (self);
  double from, to;

  tsr_viewport_get_domain (self->viewport, &from, &to);
  position = CLAMP (position, from, MAX (to - 1, from));
  if (extend && !isfinite (self->anchor))
    self->anchor = cursor_position (self);
  else if (!extend)
    self->anchor = NAN;
  tsr_plane_set_cursor (plane,
                        tsr_chart_model_datum_at (tsr_plane_get_model (plane), position + 0.5));
  if (extend)
    tsr_chart_emit_select (self, MIN (self->anchor, position), MAX (self->anchor, position) + 1,
                           TSR_SELECT_REPLACE);
}

/* The first step goes to where the cursor begins. */
static void
move_cursor (TsrPlane *plane, int by)
{
  TsrChart *self = TSR_CHART (plane);

  go_to (self, cursor_position (self) + (tsr_plane_get_cursor (plane) != TSR_NO_DATUM ? by : 0),
         FALSE);
}

static void
extend_cursor (TsrPlane *plane, int by)
{
  go_to (TSR_CHART (plane), cursor_position (TSR_CHART (plane)) + by, TRUE);
}

static void
move_to_end (TsrPlane *plane, int last)
{
  double first, end;

  tsr_viewport_get_domain (TSR_CHART (plane)->viewport, &first, &end);
  go_to (TSR_CHART (plane), last ? end - 1 : first, FALSE);
}

static void
page (TsrPlane *plane, int pages)
{
  TsrChart *self = TSR_CHART (plane);
  double from, to, first, end, position;

  tsr_viewport_get_range (self->viewport, &from, &to);
  tsr_viewport_page (self->viewport, pages);
  if (tsr_plane_get_cursor (plane) == TSR_NO_DATUM)
    return;
  /* The cursor goes along, and to the very end when there is no further page. */
  tsr_viewport_get_range (self->viewport, &first, &end);
  position = cursor_position (self);
  if (first == from)
    tsr_viewport_get_domain (self->viewport, &first, &end);
  else
    position += first - from;
  if (first == from || position < first || position >= end)
    position = pages < 0 ? first : end - 1;
  go_to (self, floor (position), FALSE);
}

static void
select_at_cursor (TsrPlane *plane, int mode)
{
  TsrChart *self = TSR_CHART (plane);
  double position;

  if (tsr_plane_get_cursor (plane) == TSR_NO_DATUM)
    move_cursor (plane, 0);
  position = cursor_position (self);
  self->anchor = position;
  tsr_chart_emit_select (self, position, position + 1, mode);
}

static void
clear_selection (TsrPlane *plane, int argument)
{
  tsr_plane_cancel (plane);
  TSR_CHART (plane)->anchor = NAN;
  tsr_chart_emit_select (TSR_CHART (plane), 0, 0, TSR_SELECT_CLEAR);
}

static void
zoom_to_selection (TsrPlane *plane, int argument)
{
  TsrChart *self = TSR_CHART (plane);

  tsr_chart_zoom_to_range (self, self->selected_from, self->selected_to);
}

static const TsrPlaneAction actions[] = {
  { "chart.zoom-in", "plus <Shift>plus equal KP_Add", tsr_plane_zoom, 1 },
  { "chart.zoom-out", "minus KP_Subtract", tsr_plane_zoom, -1 },
  { "chart.fit", "KP_0 0", tsr_plane_fit, 0 },
  { "chart.undo-zoom", "BackSpace <Control>z", tsr_plane_undo_zoom, 0 },
  { "chart.zoom-to-selection", "f", zoom_to_selection, 0 },
  { "chart.page-left", "Page_Up KP_Page_Up", page, -1 },
  { "chart.page-right", "Page_Down KP_Page_Down", page, 1 },
  { "chart.cursor-left", "Left KP_Left", move_cursor, -1 },
  { "chart.cursor-right", "Right KP_Right", move_cursor, 1 },
  { "chart.cursor-left-ten", "<Control>Left", move_cursor, -10 },
  { "chart.cursor-right-ten", "<Control>Right", move_cursor, 10 },
  { "chart.cursor-first", "Home KP_Home", move_to_end, FALSE },
  { "chart.cursor-last", "End KP_End", move_to_end, TRUE },
  { "chart.extend-left", "<Shift>Left", extend_cursor, -1 },
  { "chart.extend-right", "<Shift>Right", extend_cursor, 1 },
  { "chart.extend-left-ten", "<Shift><Control>Left", extend_cursor, -10 },
  { "chart.extend-right-ten", "<Shift><Control>Right", extend_cursor, 10 },
  { "chart.select", "space Return KP_Enter", select_at_cursor, TSR_SELECT_REPLACE },
  { "chart.select-add", "<Shift>space <Shift>Return", select_at_cursor, TSR_SELECT_TOGGLE },
  { "chart.clear-selection", "Escape", clear_selection, 0 },
  { NULL },
};

static void
tsr_chart_class_add_actions (TsrPlaneClass *klass)
{
  tsr_plane_class_add_actions (klass, actions);
}

#define LEGEND_MARGIN  3
#define LEGEND_SHARE   0.9 /* of the width: the rest is behind "All series" */
#define MINIMUM_HEIGHT 130

G_DEFINE_FINAL_TYPE (TsrChart, tsr_chart, TSR_TYPE_PLANE)

static guint select_signal, moved_signal;

/* What a flag stands for, before what is drawn in the pixel column: a peak among thousands of steps
 * is as wide as its flag. */
static guint32
datum_at (TsrPlane *plane, double x, double y)
{
  const TsrPlotArea *area = tsr_plane_get_area (plane);
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (plane));
  double left = area->x + floor ((x - area->x) * scale) / scale;
  guint32 datum;

  if (!tsr_plane_is_in_area (plane, x, y))
    return TSR_NO_DATUM;
  datum = tsr_chart_marks_datum_at (tsr_plane_get_overlay (plane), x, y);
  if (datum != TSR_NO_DATUM)
    return datum;
  return tsr_chart_model_datum_near (tsr_plane_get_model (plane), tsr_plane_data_at (plane, left),
                                     tsr_plane_data_at (plane, left + 1.0 / scale));
}

static gboolean
get_anchor (TsrPlane *plane, guint32 datum, double *x, double *y)
{
  const TsrPlotArea *area = tsr_plane_get_area (plane);
  double position = tsr_chart_model_position_of (tsr_plane_get_model (plane), datum);

  *x = tsr_plane_x_of (plane, position + 0.5);
  *y = area->y + area->height / 3;
  return *x >= area->x && *x <= area->x + area->width;
}

static void
reveal (TsrPlane *plane, guint32 datum)
{
  double position = tsr_chart_model_position_of (tsr_plane_get_model (plane), datum);

  tsr_viewport_reveal (TSR_CHART (plane)->viewport, position, position + 1);
}

/* Layout */

/* Room for the legend at the plot's top edge; the same with one series and with many. */
static double
legend_inset (TsrChart *self)
{
  int height;

  gtk_widget_measure (GTK_WIDGET (self->legend), GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL,
                      NULL);
  return height > 0 ? height + 2 * LEGEND_MARGIN : 0;
}

static void
prepare (TsrPlane *plane, TsrChartGeometry *geometry)
{
  geometry->inset = legend_inset (TSR_CHART (plane));
}

static void
layout_band (TsrPlane *plane, const TsrPlotArea *area, TsrDrawList *list)
{
  TsrChart *self = TSR_CHART (plane);

  if (self->drag == TSR_DRAG_BAND)
    tsr_plane_draw_span (plane, list, self->band_from, self->band_to);
}

/* Inside the plot's top edge, where the layout keeps room for it. */
/* Where the plot's canvas begins. */
static int
get_top (TsrChart *self)
{
  return self->map_shown ? TSR_CHART_MAP_HEIGHT : 0;
}

static void
allocate_legend (TsrChart *self, const TsrPlotArea *area)
{
  GtkWidget *legend = GTK_WIDGET (self->legend);
  int minimum, natural, height, width;

  gtk_widget_measure (legend, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  gtk_widget_measure (legend, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  width = MAX (MIN (natural, (int)(area->width * LEGEND_SHARE)), minimum);
  tsr_plane_allocate_child (legend, round (area->x + area->width) - 6 - width,
                            round (get_top (self) + area->y) + LEGEND_MARGIN, width, height);
}

static void
place (TsrPlane *plane, int width, int height, GdkRectangle *canvas)
{
  TsrChart *self = TSR_CHART (plane);
  const TsrPlotArea *area;

  self->map_shown = tsr_chart_has_mini_map (self);
  *canvas = (GdkRectangle){ 0, get_top (self), width, MAX (height - get_top (self), 1) };
  area = tsr_plane_layout_for (plane, canvas->width, canvas->height);
  gtk_widget_set_child_visible (GTK_WIDGET (self->mini_map), self->map_shown);
  tsr_plane_allocate_child (GTK_WIDGET (self->mini_map), round (area->x), 0, round (area->width),
                            TSR_MINI_MAP_HEIGHT);
  allocate_legend (self, area);
  if (area->x == self->plot_x && area->width == self->plot_width)
    return;
  self->plot_x = area->x;
  self->plot_width = area->width;
  g_signal_emit (self, moved_signal, 0);
}

static void
tsr_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  if (tsr_plane_get_model (TSR_PLANE (widget)) != NULL)
    GTK_WIDGET_CLASS (tsr_chart_parent_class)->snapshot (widget, snapshot);
}

gboolean
tsr_chart_has_mini_map (TsrChart *self)
{
  g_return_val_if_fail (TSR_IS_CHART (self), FALSE);
  return self->map_always || tsr_viewport_get_magnification (self->viewport) > 1;
}

/* The plot gives it its place, or takes it. */
static void
update_mini_map (TsrChart *self)
{
  if (tsr_chart_has_mini_map (self) != self->map_shown)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
tsr_chart_set_mini_map (TsrChart *self, gboolean always)
{
  g_return_if_fail (TSR_IS_CHART (self));
  self->map_always = always;
  update_mini_map (self);
}

static void
tsr_chart_emit_select (TsrChart *self, double from, double to, TsrSelectMode mode)
{
  g_signal_emit (self, select_signal, 0, from, to, (int)mode);
}

static void
tsr_chart_zoom_to_range (TsrChart *self, double from, double to)
{
  double margin = (to - from) * 0.05;

  if (to > from)
    tsr_viewport_set_range (self->viewport, from - margin, to + margin, 0);
}

GArray *
tsr_chart_dup_data (TsrChart *self, double from, double to)
{
  GArray *data = g_array_new (FALSE, FALSE, sizeof (guint32));
  TsrChartModel *model;
  double first, end;

  g_return_val_if_fail (TSR_IS_CHART (self), data);
  model = tsr_plane_get_model (TSR_PLANE (self));
  if (model == NULL)
    return data;
  tsr_viewport_get_domain (self->viewport, &first, &end);
  from = MAX (floor (from), first);
  to = MIN (to, end);
  for (double position = from; position < to; position++)
    {
      guint32 datum = tsr_chart_model_datum_at (model, position + 0.5);

      if (datum != TSR_NO_DATUM)
        g_array_append_val (data, datum);
    }
  return data;
}

/* Object */

static void
update_domain (TsrChart *self)
{
  TsrChartModel *model = tsr_plane_get_model (TSR_PLANE (self));
  double from, to, min_span;

  if (model == NULL)
    return;
  tsr_chart_model_get_domain (model, &from, &to, &min_span);
  tsr_viewport_set_domain (self->viewport, from, to, min_span);
}

/* What stood at a position may stand elsewhere now, or be gone. */
static void
domain_changed (TsrPlane *plane, gboolean new_model)
{
  TsrChart *self = TSR_CHART (plane);
  TsrChartModel *model = tsr_plane_get_model (plane);

  self->anchor = NAN;
  update_domain (self);
  if (!new_model)
    return;
  self->selected_from = self->selected_to = 0;
  tsr_mini_map_set_model (self->mini_map, model);
  tsr_legend_set_model (self->legend, model);
}

static void
tsr_chart_class_init (TsrChartClass *klass)
{
  TsrPlaneClass *plane_class = TSR_PLANE_CLASS (klass);

  GTK_WIDGET_CLASS (klass)->snapshot = tsr_chart_snapshot;
  plane_class->name = N_ ("Chart");
  plane_class->hint = N_ ("Left and right arrows move along the data");
  plane_class->minimum_height = MINIMUM_HEIGHT;
  plane_class->prepare = prepare;
  plane_class->layout_band = layout_band;
  plane_class->place = place;
  plane_class->datum_at = datum_at;
  plane_class->get_anchor = get_anchor;
  plane_class->reveal = reveal;
  plane_class->domain_changed = domain_changed;
  select_signal
      = g_signal_new ("select", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 3, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_INT);
  moved_signal = g_signal_new ("plot-moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
  tsr_chart_class_init_input (plane_class);
  tsr_chart_class_add_actions (plane_class);
}

static void
use_viewport (TsrChart *self, TsrViewport *viewport)
{
  tsr_plane_set_viewport (TSR_PLANE (self), viewport);
  self->viewport = viewport;
  g_signal_connect_object (viewport, "changed", G_CALLBACK (update_mini_map), self,
                           G_CONNECT_SWAPPED);
}

static void
tsr_chart_init (TsrChart *self)
{
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();

  self->anchor = NAN;
  use_viewport (self, viewport);
  self->mini_map = tsr_mini_map_new (self->viewport);
  self->legend = tsr_legend_new ();
  gtk_widget_set_parent (GTK_WIDGET (self->mini_map), GTK_WIDGET (self));
  gtk_widget_set_parent (GTK_WIDGET (self->legend), GTK_WIDGET (self));
  tsr_chart_add_pinch (self);
}

TsrChart *
tsr_chart_new (void)
{
  return g_object_new (TSR_TYPE_CHART, NULL);
}

void
tsr_chart_set_viewport (TsrChart *self, TsrViewport *viewport)
{
  g_return_if_fail (TSR_IS_CHART (self) && TSR_IS_VIEWPORT (viewport));

  g_signal_handlers_disconnect_by_func (self->viewport, update_mini_map, self);
  use_viewport (self, viewport);
  tsr_mini_map_set_viewport (self->mini_map, viewport);
  update_domain (self);
}

TsrViewport *
tsr_chart_get_viewport (TsrChart *self)
{
  g_return_val_if_fail (TSR_IS_CHART (self), NULL);
  return self->viewport;
}

void
tsr_chart_set_selected_extent (TsrChart *self, double from, double to)
{
  g_return_if_fail (TSR_IS_CHART (self));
  self->selected_from = from;
  self->selected_to = to;
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chart.zoom-to-selection", from < to);
}

void
tsr_chart_get_plot_extent (TsrChart *self, double *x, double *width)
{
  g_return_if_fail (TSR_IS_CHART (self));
  *x = self->plot_x;
  *width = self->plot_width;
}

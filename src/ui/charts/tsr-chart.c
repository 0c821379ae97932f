/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chart: its parts, their places and the keyboard cursor.  A layout is made only
 * when model, range, size, scale or font change; hover and selection are a canvas of their own.
 * The plot's layout comes before the children get their places, because the mini-map stands over
 * the plot, edge to edge. */

#include "config.h"

#include "tsr-chart-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define LEGEND_MARGIN  3
#define LEGEND_SHARE   0.9 /* of the width: the rest is behind "All series" */
#define MINIMUM_WIDTH  240
#define MINIMUM_HEIGHT 160

G_DEFINE_FINAL_TYPE (TsrChart, tsr_chart, GTK_TYPE_WIDGET)

enum
{
  SELECT,
  HOVER_CHANGED,
  TOAST,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

guint
tsr_chart_new_gesture (void)
{
  static guint gestures;

  return ++gestures;
}

double
tsr_chart_data_at (TsrChart *self, double x)
{
  double from, to;

  tsr_viewport_get_range (self->viewport, &from, &to);
  if (self->area.width <= 0)
    return from;
  return from + (x - self->area.x) / self->area.width * (to - from);
}

double
tsr_chart_x_of (TsrChart *self, double data)
{
  double from, to;

  tsr_viewport_get_range (self->viewport, &from, &to);
  return self->area.x + (to > from ? (data - from) / (to - from) * self->area.width : 0);
}

gboolean
tsr_chart_is_in_plot (TsrChart *self, double x, double y)
{
  return x >= self->area.x && x < self->area.x + self->area.width
         && y >= TSR_CHART_TOP + self->area.y
         && y < TSR_CHART_TOP + self->area.y + self->area.height;
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
layout_plot (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TsrChart *self = data;

  memset (&self->area, 0, sizeof self->area);
  if (self->model == NULL)
    return;
  tsr_viewport_get_range (self->viewport, &geometry->from, &geometry->to);
  geometry->inset = legend_inset (self);
  tsr_chart_model_layout (self->model, geometry, list, &self->area);
}

static void
layout_overlay (TsrDrawList *list, TsrChartGeometry *geometry, gpointer data)
{
  TsrChart *self = data;

  if (self->model == NULL || self->area.width <= 0)
    return;
  tsr_viewport_get_range (self->viewport, &geometry->from, &geometry->to);
  geometry->inset = legend_inset (self);
  tsr_chart_model_layout_overlay (self->model, geometry, &self->area, self->hover,
                                  self->cursor_shown ? self->cursor : TSR_NO_DATUM, list);
  if (self->drag == TSR_DRAG_BAND)
    {
      double left = MIN (self->band_from, self->band_to);
      double right = MAX (self->band_from, self->band_to);
      double x1
          = CLAMP (tsr_chart_x_of (self, left), self->area.x, self->area.x + self->area.width);
      double x2
          = CLAMP (tsr_chart_x_of (self, right), self->area.x, self->area.x + self->area.width);

      tsr_draw_list_rect (list, TSR_INK_SELECTION, x1, self->area.y, MAX (x2 - x1, 1),
                          self->area.height)
          ->alpha
          = 0.18f;
      tsr_draw_list_line (list, TSR_INK_SELECTION, x1, self->area.y, x1,
                          self->area.y + self->area.height);
      tsr_draw_list_line (list, TSR_INK_SELECTION, x2, self->area.y, x2,
                          self->area.y + self->area.height);
    }
}

static void
allocate_at (GtkWidget *child, double x, double y, double width, double height)
{
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (child, MAX (width, 0), MAX (height, 0), -1,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (x, y)));
}

/* Inside the plot's top edge, where the layout keeps room for it. */
static void
allocate_legend (TsrChart *self)
{
  GtkWidget *legend = GTK_WIDGET (self->legend);
  int minimum, natural, height, width;

  gtk_widget_measure (legend, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  gtk_widget_measure (legend, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  width = MAX (MIN (natural, (int)(self->area.width * LEGEND_SHARE)), minimum);
  allocate_at (legend, round (self->area.x + self->area.width) - 6 - width,
               round (TSR_CHART_TOP + self->area.y) + LEGEND_MARGIN, width, height);
}

static void
tsr_chart_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrChart *self = TSR_CHART (widget);
  int plot_height = MAX (height - TSR_CHART_TOP, 1);

  tsr_canvas_ensure (self->plot, width, plot_height);
  allocate_at (GTK_WIDGET (self->plot), 0, TSR_CHART_TOP, width, plot_height);
  allocate_at (GTK_WIDGET (self->overlay), 0, TSR_CHART_TOP, width, plot_height);
  allocate_at (GTK_WIDGET (self->mini_map), round (self->area.x), 0, round (self->area.width),
               TSR_MINI_MAP_HEIGHT);
  allocate_legend (self);
  tsr_callout_allocate (self->callout, width, height);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
tsr_chart_measure (GtkWidget *widget,
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
tsr_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsrChart *self = TSR_CHART (widget);

  if (self->model == NULL)
    return;
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->mini_map), snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->plot), snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->overlay), snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->legend), snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->callout), snapshot);
}

static void
invalidate (TsrChart *self)
{
  tsr_canvas_invalidate (self->plot);
  tsr_canvas_invalidate (self->overlay);
  /* The mini-map stands over the plot, whose edges may move. */
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
invalidate_overlay (TsrChart *self)
{
  tsr_canvas_invalidate (self->overlay);
}

static void
on_viewport_changed (TsrChart *self)
{
  tsr_chart_show_callout (self, TSR_NO_DATUM, 0, 0);
  invalidate (self);
}

/* Callout, hover and cursor */

void
tsr_chart_show_callout (TsrChart *self, guint32 datum, double x, double y)
{
  g_autofree char *description = NULL;

  if (datum != TSR_NO_DATUM && self->model != NULL)
    description = tsr_chart_model_describe (self->model, datum);
  tsr_callout_show (self->callout, description, x, y);
  if (description != NULL)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

void
tsr_chart_set_hover (TsrChart *self, guint32 datum)
{
  if (self->hover == datum)
    return;
  self->hover = datum;
  tsr_canvas_invalidate (self->overlay);
  g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

static void
update_accessible (TsrChart *self)
{
  g_autofree char *caption = self->model != NULL ? tsr_chart_model_dup_caption (self->model) : NULL;
  g_autofree char *description = NULL;

  if (self->model != NULL && self->cursor != TSR_NO_DATUM)
    description = tsr_chart_model_describe (self->model, self->cursor);
  for (char *p = description; p != NULL && *p != '\0'; p++)
    if (*p == '\n')
      *p = ';';
    else if (*p == '\t')
      *p = ' ';
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, caption != NULL ? caption : _ ("Chart"),
      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      description != NULL ? description : _ ("Left and right arrows move along the data"), -1);
}

void
tsr_chart_set_cursor (TsrChart *self, guint32 datum)
{
  double position;

  g_return_if_fail (TSR_IS_CHART (self));
  self->cursor = datum;
  self->cursor_shown = TRUE;
  tsr_canvas_invalidate (self->overlay);
  if (datum != TSR_NO_DATUM && self->model != NULL)
    {
      position = tsr_chart_model_position_of (self->model, datum);
      tsr_viewport_reveal (self->viewport, position, position + 1);
      tsr_chart_show_callout (self, datum, tsr_chart_x_of (self, position + 0.5),
                              TSR_CHART_TOP + self->area.y + self->area.height / 3);
    }
  else
    tsr_chart_show_callout (self, TSR_NO_DATUM, 0, 0);
  update_accessible (self);
}

void
tsr_chart_emit_select (TsrChart *self, double from, double to, TsrSelectMode mode)
{
  g_signal_emit (self, signals[SELECT], 0, from, to, (int)mode);
}

void
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
  double first, end;

  g_return_val_if_fail (TSR_IS_CHART (self), data);
  if (self->model == NULL)
    return data;
  tsr_viewport_get_domain (self->viewport, &first, &end);
  from = MAX (floor (from), first);
  to = MIN (to, end);
  for (double position = from; position < to; position++)
    {
      guint32 datum = tsr_chart_model_datum_at (self->model, position + 0.5);

      if (datum != TSR_NO_DATUM)
        g_array_append_val (data, datum);
    }
  return data;
}

/* Object */

static void
tsr_chart_dispose (GObject *object)
{
  TsrChart *self = TSR_CHART (object);
  GtkWidget *child;

  g_cancellable_cancel (self->cancellable);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  if (self->viewport != NULL)
    g_signal_handlers_disconnect_by_data (self->viewport, self);
  self->menu = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->model);
  g_clear_object (&self->viewport);
  G_OBJECT_CLASS (tsr_chart_parent_class)->dispose (object);
}

static void
tsr_chart_finalize (GObject *object)
{
  TsrChart *self = TSR_CHART (object);

  g_free (self->file_name);
  g_object_unref (self->cancellable);
  G_OBJECT_CLASS (tsr_chart_parent_class)->finalize (object);
}

static void
tsr_chart_class_init (TsrChartClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_chart_dispose;
  G_OBJECT_CLASS (klass)->finalize = tsr_chart_finalize;
  widget_class->measure = tsr_chart_measure;
  widget_class->size_allocate = tsr_chart_size_allocate;
  widget_class->snapshot = tsr_chart_snapshot;
  gtk_widget_class_set_css_name (widget_class, "chart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[SELECT] = g_signal_new ("select", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 3, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_INT);
  signals[HOVER_CHANGED] = g_signal_new ("hover-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[TOAST] = g_signal_new ("toast", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_STRING);
  tsr_chart_class_add_actions (widget_class);
}

static void
tsr_chart_init (TsrChart *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->hover = self->cursor = TSR_NO_DATUM;
  self->anchor = NAN;
  self->file_name = g_strdup ("chart");
  self->cancellable = g_cancellable_new ();
  self->viewport = tsr_viewport_new ();
  g_signal_connect_swapped (self->viewport, "changed", G_CALLBACK (on_viewport_changed), self);
  self->mini_map = tsr_mini_map_new (self->viewport);
  self->plot = tsr_canvas_new (layout_plot, self);
  self->overlay = tsr_canvas_new (layout_overlay, self);
  self->legend = tsr_legend_new ();
  gtk_widget_set_parent (GTK_WIDGET (self->mini_map), widget);
  gtk_widget_set_parent (GTK_WIDGET (self->plot), widget);
  gtk_widget_set_parent (GTK_WIDGET (self->overlay), widget);
  gtk_widget_set_parent (GTK_WIDGET (self->legend), widget);
  self->callout = tsr_callout_new ();
  gtk_widget_set_parent (GTK_WIDGET (self->callout), widget);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  tsr_chart_add_controllers (self);
  update_accessible (self);
}

TsrChart *
tsr_chart_new (void)
{
  return g_object_new (TSR_TYPE_CHART, NULL);
}

static void
update_domain (TsrChart *self)
{
  double from, to, min_span;

  tsr_chart_model_get_domain (self->model, &from, &to, &min_span);
  tsr_viewport_set_domain (self->viewport, from, to, min_span);
}

static void
on_model_changed (TsrChart *self)
{
  tsr_chart_show_callout (self, TSR_NO_DATUM, 0, 0);
  update_accessible (self);
  invalidate (self);
}

/* What stood at a position may stand elsewhere now, or be gone. */
static void
on_domain_changed (TsrChart *self)
{
  self->anchor = NAN;
  update_domain (self);
  on_model_changed (self);
}

void
tsr_chart_set_model (TsrChart *self, TsrChartModel *model)
{
  g_return_if_fail (TSR_IS_CHART (self) && (model == NULL || TSR_IS_CHART_MODEL (model)));

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_set_object (&self->model, model);
  self->hover = self->cursor = TSR_NO_DATUM;
  self->anchor = NAN;
  self->selected_from = self->selected_to = 0;
  tsr_chart_pointer_cancel (self);
  if (model != NULL)
    {
      g_signal_connect_swapped (model, "changed", G_CALLBACK (on_model_changed), self);
      g_signal_connect_swapped (model, "overlay-changed", G_CALLBACK (invalidate_overlay), self);
      g_signal_connect_swapped (model, "domain-changed", G_CALLBACK (on_domain_changed), self);
      update_domain (self);
    }
  tsr_mini_map_set_model (self->mini_map, model);
  tsr_legend_set_model (self->legend, model);
  on_model_changed (self);
}

TsrChartModel *
tsr_chart_get_model (TsrChart *self)
{
  g_return_val_if_fail (TSR_IS_CHART (self), NULL);
  return self->model;
}

void
tsr_chart_set_viewport (TsrChart *self, TsrViewport *viewport)
{
  g_return_if_fail (TSR_IS_CHART (self) && TSR_IS_VIEWPORT (viewport));

  g_signal_handlers_disconnect_by_data (self->viewport, self);
  g_set_object (&self->viewport, viewport);
  g_signal_connect_swapped (viewport, "changed", G_CALLBACK (on_viewport_changed), self);
  tsr_mini_map_set_viewport (self->mini_map, viewport);
  if (self->model != NULL)
    update_domain (self);
  invalidate (self);
}

TsrViewport *
tsr_chart_get_viewport (TsrChart *self)
{
  g_return_val_if_fail (TSR_IS_CHART (self), NULL);
  return self->viewport;
}

void
tsr_chart_set_file_name (TsrChart *self, const char *name)
{
  g_return_if_fail (TSR_IS_CHART (self) && name != NULL);
  g_free (self->file_name);
  self->file_name = g_strdup (name);
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
  *x = self->area.x;
  *width = self->area.width;
}

guint32
tsr_chart_get_hover (TsrChart *self)
{
  g_return_val_if_fail (TSR_IS_CHART (self), TSR_NO_DATUM);
  return self->hover;
}

guint32
tsr_chart_get_cursor (TsrChart *self)
{
  g_return_val_if_fail (TSR_IS_CHART (self), TSR_NO_DATUM);
  return self->cursor;
}

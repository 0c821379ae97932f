/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chart: its parts and their places.  The mini-map stands over the plot, edge to edge. */

#include "config.h"

#include "tsr-chart-marks.h"
#include "tsr-chart-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define LEGEND_MARGIN  3
#define LEGEND_SHARE   0.9 /* of the width: the rest is behind "All series" */
#define MINIMUM_HEIGHT 160

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
  return TRUE;
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
static void
allocate_legend (TsrChart *self, const TsrPlotArea *area)
{
  GtkWidget *legend = GTK_WIDGET (self->legend);
  int minimum, natural, height, width;

  gtk_widget_measure (legend, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  gtk_widget_measure (legend, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  width = MAX (MIN (natural, (int)(area->width * LEGEND_SHARE)), minimum);
  tsr_plane_allocate_child (legend, round (area->x + area->width) - 6 - width,
                            round (TSR_CHART_TOP + area->y) + LEGEND_MARGIN, width, height);
}

static void
place (TsrPlane *plane, int width, int height, GdkRectangle *canvas)
{
  TsrChart *self = TSR_CHART (plane);
  const TsrPlotArea *area;

  *canvas = (GdkRectangle){ 0, TSR_CHART_TOP, width, MAX (height - TSR_CHART_TOP, 1) };
  area = tsr_plane_layout_for (plane, canvas->width, canvas->height);
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

void
tsr_chart_emit_select (TsrChart *self, double from, double to, TsrSelectMode mode)
{
  g_signal_emit (self, select_signal, 0, from, to, (int)mode);
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
tsr_chart_init (TsrChart *self)
{
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();

  self->anchor = NAN;
  self->viewport = viewport;
  tsr_plane_set_viewport (TSR_PLANE (self), viewport);
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

  tsr_plane_set_viewport (TSR_PLANE (self), viewport);
  self->viewport = viewport;
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

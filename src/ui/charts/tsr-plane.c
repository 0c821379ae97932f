/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The plot's layout comes before the children get their places, because a place may follow from
 * where the layout puts the plot. */

#include "config.h"

#include "tsr-plane-private.h"

#include <glib/gi18n.h>

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TsrPlane, tsr_plane, GTK_TYPE_WIDGET)

enum
{
  HOVER_CHANGED,
  TOAST,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

TsrPlanePrivate *
tsr_plane_get_private (TsrPlane *self)
{
  return tsr_plane_get_instance_private (self);
}

/* Layout */

void
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
  signals[TOAST] = g_signal_new ("toast", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_STRING);
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
tsr_plane_set_file_name (TsrPlane *self, const char *name)
{
  TsrPlanePrivate *priv;

  g_return_if_fail (TSR_IS_PLANE (self) && name != NULL);
  priv = tsr_plane_get_private (self);
  g_free (priv->file_name);
  priv->file_name = g_strdup (name);
}

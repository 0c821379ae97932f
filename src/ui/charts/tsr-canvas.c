/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeps a draw list until it is invalidated, and paints it in snapshot(). */

#include "config.h"

#include "tsr-canvas.h"

#include "tsr-screen-painter.h"

struct _TsrCanvas
{
  GtkWidget parent_instance;

  TsrCanvasLayout layout;
  gpointer data;
  TsrScreenPainter *painter;
  TsrDrawList *list;
  int width, height, scale; /* that the list is for */
  gboolean valid;
  gboolean dark;
  PangoFontDescription *font; /* that the list is for */
};

G_DEFINE_FINAL_TYPE (TsrCanvas, tsr_canvas, GTK_TYPE_WIDGET)

void
tsr_canvas_invalidate (TsrCanvas *self)
{
  g_return_if_fail (TSR_IS_CANVAS (self));
  self->valid = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
tsr_canvas_ensure (TsrCanvas *self, int width, int height)
{
  int scale;
  TsrChartGeometry geometry = { 0 };

  g_return_if_fail (TSR_IS_CANVAS (self));
  scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  if (width <= 0 || height <= 0
      || (self->valid && self->width == width && self->height == height && self->scale == scale))
    return;
  self->width = width;
  self->height = height;
  self->scale = scale;
  geometry.width = width;
  geometry.height = height;
  geometry.scale = scale;
  geometry.measure = *tsr_screen_painter_get_measure (self->painter);
  tsr_draw_list_reset (self->list);
  self->layout (self->list, &geometry, self->data);
  self->valid = TRUE;
}

static void
tsr_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsrCanvas *self = TSR_CANVAS (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (width <= 0 || height <= 0)
    return;
  tsr_canvas_ensure (self, width, height);
  self->dark = tsr_widget_is_dark (widget);
  tsr_screen_painter_paint (self->painter, self->list, snapshot, self->dark, self->scale);
}

static void
tsr_canvas_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  TsrCanvas *self = TSR_CANVAS (widget);
  PangoFontDescription *font;

  GTK_WIDGET_CLASS (tsr_canvas_parent_class)->css_changed (widget, change);
  font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));
  if (self->font == NULL || !pango_font_description_equal (self->font, font))
    {
      g_clear_pointer (&self->font, pango_font_description_free);
      self->font = pango_font_description_copy (font);
      tsr_screen_painter_forget (self->painter);
      tsr_canvas_invalidate (self);
    }
  else if (self->dark != tsr_widget_is_dark (widget))
    gtk_widget_queue_draw (widget);
}

static void
tsr_canvas_finalize (GObject *object)
{
  TsrCanvas *self = TSR_CANVAS (object);

  tsr_screen_painter_free (self->painter);
  tsr_draw_list_free (self->list);
  g_clear_pointer (&self->font, pango_font_description_free);
  G_OBJECT_CLASS (tsr_canvas_parent_class)->finalize (object);
}

static void
tsr_canvas_class_init (TsrCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tsr_canvas_finalize;
  widget_class->snapshot = tsr_canvas_snapshot;
  widget_class->css_changed = tsr_canvas_css_changed;
  gtk_widget_class_set_css_name (widget_class, "tsrcanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
tsr_canvas_init (TsrCanvas *self)
{
  self->painter = tsr_screen_painter_new (GTK_WIDGET (self));
  self->list = tsr_draw_list_new ();
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

TsrCanvas *
tsr_canvas_new (TsrCanvasLayout layout, gpointer data)
{
  TsrCanvas *self;

  g_return_val_if_fail (layout != NULL, NULL);
  self = g_object_new (TSR_TYPE_CANVAS, NULL);
  self->layout = layout;
  self->data = data;
  return self;
}

const TsrDrawList *
tsr_canvas_get_list (TsrCanvas *self)
{
  g_return_val_if_fail (TSR_IS_CANVAS (self), NULL);
  return self->list;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Paints the colour sample of a series. */

#include "config.h"

#include "tsr-swatch.h"

#include "tsr-palette.h"
#include "tsr-screen-painter.h"

#define WIDTH  14
#define HEIGHT 10
#define HATCH  4

struct _TsrSwatch
{
  GtkWidget parent_instance;

  TsrChartSeries series; /* its name is not kept */
};

G_DEFINE_FINAL_TYPE (TsrSwatch, tsr_swatch, GTK_TYPE_WIDGET)

/* What does not fit is hatched wherever it is drawn. */
static void
append_hatch (GtkSnapshot *snapshot, const GdkRGBA *color, int width, int y)
{
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, y, width, HEIGHT);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);

  cairo_rectangle (cr, 0, y, width, HEIGHT);
  cairo_clip (cr);
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha * 0.16);
  cairo_paint (cr);
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
  cairo_set_line_width (cr, 1.5);
  for (int x = 0; x < width + HEIGHT; x += HATCH)
    {
      cairo_move_to (cr, x, y);
      cairo_line_to (cr, x - HEIGHT, y + HEIGHT);
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
tsr_swatch_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TsrSwatch *self = TSR_SWATCH (widget);
  TsrColor color = tsr_palette_get (self->series.ink, tsr_widget_is_dark (widget));
  int height = gtk_widget_get_height (widget), width = gtk_widget_get_width (widget);
  float alpha = color.alpha * (self->series.visible ? 1 : 0.35f);
  GdkRGBA rgba = { color.red, color.green, color.blue, alpha };

  if (self->series.ink == TSR_INK_OVERFLOW)
    append_hatch (snapshot, &rgba, width, (height - HEIGHT) / 2);
  else if (self->series.filled)
    gtk_snapshot_append_color (snapshot, &rgba,
                               &GRAPHENE_RECT_INIT (0, (height - HEIGHT) / 2, width, HEIGHT));
  else if (self->series.dashed)
    for (int x = 0; x < width; x += 5)
      gtk_snapshot_append_color (snapshot, &rgba,
                                 &GRAPHENE_RECT_INIT (x, height / 2 - 1, MIN (3, width - x), 2));
  else
    gtk_snapshot_append_color (snapshot, &rgba, &GRAPHENE_RECT_INIT (0, height / 2 - 1, width, 2));
}

static void
tsr_swatch_measure (GtkWidget *widget,
                    GtkOrientation orientation,
                    int for_size,
                    int *minimum,
                    int *natural,
                    int *minimum_baseline,
                    int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
}

static void
tsr_swatch_class_init (TsrSwatchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = tsr_swatch_snapshot;
  widget_class->measure = tsr_swatch_measure;
  gtk_widget_class_set_css_name (widget_class, "swatch");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
tsr_swatch_init (TsrSwatch *self)
{
}

TsrSwatch *
tsr_swatch_new (void)
{
  return g_object_new (TSR_TYPE_SWATCH, NULL);
}

void
tsr_swatch_set_series (TsrSwatch *self, const TsrChartSeries *series)
{
  g_return_if_fail (TSR_IS_SWATCH (self) && series != NULL);
  self->series = *series;
  self->series.name = NULL;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

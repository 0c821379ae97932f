/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A text's width is the sum of its characters', measured once for a font, so that binding a row of
 * a long list costs no layout of a text. */

#include "config.h"

#include "tsr-name-cell.h"

#include "tsr-elide.h"

#define SPARE    2.0 /* pixels: what kerning and rounding may need beyond the sum */
#define ELLIPSIS "…"

struct _TsrNameCell
{
  GtkWidget parent_instance;

  GtkWidget *inscription;
  char *text; /* (nullable) */
  TsrNeighboursFunc list_neighbours;
  gpointer data;
  int width;
  gboolean cut;
};

G_DEFINE_FINAL_TYPE (TsrNameCell, tsr_name_cell, GTK_TYPE_WIDGET)

/* Pixels of each character of ASCII and of an ellipsis, and of any other: the average, or twice
 * that of wide ones. */
typedef struct
{
  PangoFontDescription *font;
  double resolution, other, ellipsis;
  int ascii[128]; /* in Pango's units: sums of integers are quick */
} Font;

static int
measure_character (PangoLayout *layout, const char *text, int length)
{
  int width;

  pango_layout_set_text (layout, text, length);
  pango_layout_get_size (layout, &width, NULL);
  return width;
}

/* The latest font's is kept: that of a list is one. */
static const Font *
get_font (TsrNameCell *self)
{
  static Font kept;
  PangoContext *context = gtk_widget_get_pango_context (self->inscription);
  const PangoFontDescription *wanted = pango_context_get_font_description (context);
  double resolution = pango_cairo_context_get_resolution (context);
  g_autoptr (PangoLayout) layout = NULL;
  PangoFontMetrics *metrics;

  if (kept.font != NULL && pango_font_description_equal (kept.font, wanted)
      && kept.resolution == resolution)
    return &kept;
  g_clear_pointer (&kept.font, pango_font_description_free);
  kept.font = pango_font_description_copy (wanted);
  kept.resolution = resolution;
  metrics = pango_context_get_metrics (context, NULL, NULL);
  kept.other
      = MAX ((double)pango_font_metrics_get_approximate_char_width (metrics) / PANGO_SCALE, 1);
  pango_font_metrics_unref (metrics);
  layout = pango_layout_new (context);
  for (guint c = ' '; c < G_N_ELEMENTS (kept.ascii); c++)
    {
      const char text = (char)c;

      kept.ascii[c] = measure_character (layout, &text, 1);
    }
  kept.ellipsis = (double)measure_character (layout, ELLIPSIS, -1) / PANGO_SCALE;
  return &kept;
}

static double
measure (gpointer data, const char *text)
{
  const Font *font = data;
  double width = 0;
  gint64 ascii = 0;

  while (*text != '\0')
    {
      /* Most of them, one by one without a look at how long each is. */
      for (; (gint8)*text > 0; text++)
        ascii += font->ascii[(guchar)*text];
      for (; (guchar)*text >= G_N_ELEMENTS (font->ascii); text = g_utf8_next_char (text))
        width += g_str_has_prefix (text, ELLIPSIS)
                     ? font->ellipsis
                     : font->other * (g_unichar_iswide (g_utf8_get_char (text)) ? 2 : 1.2);
    }
  return width + (double)ascii / PANGO_SCALE;
}

/* Neither asks for another size: the inscription's does not depend on its text. */
static void
show (TsrNameCell *self)
{
  GtkInscription *inscription = GTK_INSCRIPTION (self->inscription);
  g_autofree char *shown = NULL;

  if (self->width > 0 && self->text != NULL)
    {
      const Font *font = get_font (self);
      const char *others[TSR_NAME_CELL_MOST_NEIGHBOURS];

      if (measure ((gpointer)font, self->text) > self->width - SPARE)
        {
          guint n = self->list_neighbours != NULL ? self->list_neighbours (self, self->data, others)
                                                  : 0;

          shown
              = tsr_elide_dup (self->text, others, n, self->width - SPARE, measure, (gpointer)font);
        }
    }
  self->cut = shown != NULL;
  gtk_inscription_set_text (inscription, shown != NULL ? shown : self->text);
  if (self->cut)
    gtk_accessible_update_property (GTK_ACCESSIBLE (inscription), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    self->text, -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (inscription), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static void
tsr_name_cell_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  gtk_widget_measure (TSR_NAME_CELL (widget)->inscription, orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static void
tsr_name_cell_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrNameCell *self = TSR_NAME_CELL (widget);

  gtk_widget_allocate (self->inscription, width, height, baseline, NULL);
  if (width == self->width)
    return;
  self->width = width;
  show (self);
}

static void
tsr_name_cell_dispose (GObject *object)
{
  g_clear_pointer (&TSR_NAME_CELL (object)->inscription, gtk_widget_unparent);
  g_clear_pointer (&TSR_NAME_CELL (object)->text, g_free);
  G_OBJECT_CLASS (tsr_name_cell_parent_class)->dispose (object);
}

static void
tsr_name_cell_class_init (TsrNameCellClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_name_cell_dispose;
  widget_class->measure = tsr_name_cell_measure;
  widget_class->size_allocate = tsr_name_cell_size_allocate;
}

static void
tsr_name_cell_init (TsrNameCell *self)
{
}

TsrNameCell *
tsr_name_cell_new (GtkWidget *inscription)
{
  TsrNameCell *self = g_object_new (TSR_TYPE_NAME_CELL, NULL);

  g_return_val_if_fail (GTK_IS_INSCRIPTION (inscription), self);
  self->inscription = inscription;
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (inscription),
                                     GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_widget_set_parent (inscription, GTK_WIDGET (self));
  return self;
}

GtkInscription *
tsr_name_cell_get_inscription (TsrNameCell *self)
{
  g_return_val_if_fail (TSR_IS_NAME_CELL (self), NULL);
  return GTK_INSCRIPTION (self->inscription);
}

void
tsr_name_cell_set_neighbours_func (TsrNameCell *self, TsrNeighboursFunc list, gpointer data)
{
  g_return_if_fail (TSR_IS_NAME_CELL (self));
  self->list_neighbours = list;
  self->data = data;
}

void
tsr_name_cell_set_text (TsrNameCell *self, const char *text)
{
  g_return_if_fail (TSR_IS_NAME_CELL (self));
  if (self->text != text)
    {
      g_free (self->text);
      self->text = g_strdup (text);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      text != NULL ? text : "", -1); /* what is shown may be cut */
    }
  show (self);
}

gboolean
tsr_name_cell_is_cut (TsrNameCell *self)
{
  g_return_val_if_fail (TSR_IS_NAME_CELL (self), FALSE);
  return self->cut;
}

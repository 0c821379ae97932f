/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many characters fit is estimated from the font, so that binding a row of a long list costs no
 * layout of a text; GtkInscription cuts to the pixel. */

#include "config.h"

#include "tsr-name-cell.h"

#include "tsr-elide.h"

#define WIDE   1.15 /* characters: what a text may need beyond the average of its font */
#define NARROW 0.9

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

/* Pixels of a character on average.  Pango lays out a sample text for it, so the latest font's is
 * kept: that of a list is one. */
static double
get_char_width (TsrNameCell *self)
{
  static PangoFontDescription *font;
  static double resolution, width;
  PangoContext *context = gtk_widget_get_pango_context (self->inscription);
  const PangoFontDescription *wanted = pango_context_get_font_description (context);
  PangoFontMetrics *metrics;

  if (font != NULL && pango_font_description_equal (font, wanted)
      && pango_cairo_context_get_resolution (context) == resolution)
    return width;
  g_clear_pointer (&font, pango_font_description_free);
  font = pango_font_description_copy (wanted);
  resolution = pango_cairo_context_get_resolution (context);
  metrics = pango_context_get_metrics (context, NULL, NULL);
  width = MAX ((double)pango_font_metrics_get_approximate_char_width (metrics) / PANGO_SCALE, 1);
  pango_font_metrics_unref (metrics);
  return width;
}

/* Neither asks for another size: the inscription's does not depend on its text. */
static void
show (TsrNameCell *self)
{
  GtkInscription *inscription = GTK_INSCRIPTION (self->inscription);
  GtkInscriptionOverflow overflow = GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_MIDDLE;
  glong length = self->text != NULL ? g_utf8_strlen (self->text, -1) : 0;
  g_autofree char *shown = NULL;
  double width;

  width = get_char_width (self);
  self->cut = FALSE;
  if (self->width > 0 && self->list_neighbours != NULL && length * width * WIDE > self->width)
    {
      const char *others[TSR_NAME_CELL_MOST_NEIGHBOURS];
      guint n = self->list_neighbours (self, self->data, others);
      TsrElide elide
          = tsr_elide_choose (self->text, others, n, (guint)(self->width / width * NARROW));

      if (elide.form == TSR_ELIDE_START)
        overflow = GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_START;
      else if (elide.form == TSR_ELIDE_BOTH)
        {
          overflow = GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END;
          self->cut = elide.from > 0;
          shown = g_strconcat (self->cut ? "…" : "", self->text + elide.from, NULL);
        }
    }
  gtk_inscription_set_text_overflow (inscription, overflow);
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

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
  char **(*dup_neighbours) (TsrNameCell *self, gpointer data);
  gpointer data;
  int width;
  double char_width; /* pixels on average; 0: not asked yet */
  gboolean cut;
};

G_DEFINE_FINAL_TYPE (TsrNameCell, tsr_name_cell, GTK_TYPE_WIDGET)

static double
get_char_width (TsrNameCell *self)
{
  PangoContext *context = gtk_widget_get_pango_context (self->inscription);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  double width = (double)pango_font_metrics_get_approximate_char_width (metrics) / PANGO_SCALE;

  pango_font_metrics_unref (metrics);
  return MAX (width, 1);
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

  if (self->char_width == 0)
    self->char_width = get_char_width (self);
  width = self->char_width;
  self->cut = FALSE;
  if (self->width > 0 && self->dup_neighbours != NULL && length * width * WIDE > self->width)
    {
      g_auto (GStrv) others = self->dup_neighbours (self, self->data);
      TsrElide elide
          = tsr_elide_choose (self->text, (const char *const *)others, g_strv_length (others),
                              (guint)(self->width / width * NARROW));

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
  self->char_width = 0; /* the font may be another one, too */
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
tsr_name_cell_set_neighbours_func (TsrNameCell *self,
                                   char **(*dup) (TsrNameCell *self, gpointer data),
                                   gpointer data)
{
  g_return_if_fail (TSR_IS_NAME_CELL (self));
  self->dup_neighbours = dup;
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
    }
  show (self);
}

gboolean
tsr_name_cell_is_cut (TsrNameCell *self)
{
  g_return_val_if_fail (TSR_IS_NAME_CELL (self), FALSE);
  return self->cut;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Places one cell under each heading of a column view. */

#include "config.h"

#include "tsr-total-row.h"

#include "tsr-headings.h"

#include <math.h>

#define PADDING 8 /* of the cells, in tessera.css */

struct _TsrTotalRow
{
  GtkWidget parent_instance;

  GtkColumnView *view;
  GPtrArray *cells; /* GtkInscription */
};

G_DEFINE_FINAL_TYPE (TsrTotalRow, tsr_total_row, GTK_TYPE_WIDGET)

static void
tsr_total_row_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  TsrTotalRow *self = TSR_TOTAL_ROW (widget);

  *minimum = *natural = 0;
  for (guint i = 0; orientation == GTK_ORIENTATION_VERTICAL && i < self->cells->len; i++)
    {
      int least, wanted;

      gtk_widget_measure (g_ptr_array_index (self->cells, i), orientation, -1, &least, &wanted,
                          NULL, NULL);
      *minimum = *natural = MAX (*natural, wanted);
    }
}

static void
tsr_total_row_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrTotalRow *self = TSR_TOTAL_ROW (widget);

  for (guint i = 0; i < self->cells->len; i++)
    {
      GtkWidget *cell = g_ptr_array_index (self->cells, i);
      GtkWidget *title = tsr_headings_get_title (self->view, i);
      graphene_rect_t bounds;
      GtkAllocation place = { 0 };
      gboolean shown = title != NULL && gtk_widget_get_visible (title)
                       && gtk_widget_compute_bounds (title, widget, &bounds);

      gtk_widget_set_child_visible (cell, shown);
      if (!shown)
        continue;
      gtk_widget_measure (cell, GTK_ORIENTATION_VERTICAL, -1, NULL, &place.height, NULL, NULL);
      place.y = (height - place.height) / 2;
      place.x = (int)floorf (bounds.origin.x) + PADDING;
      place.width = MAX ((int)bounds.size.width - 2 * PADDING, 0);
      gtk_widget_size_allocate (cell, &place, -1);
    }
}

static void
tsr_total_row_dispose (GObject *object)
{
  TsrTotalRow *self = TSR_TOTAL_ROW (object);

  for (guint i = 0; self->cells != NULL && i < self->cells->len; i++)
    gtk_widget_unparent (g_ptr_array_index (self->cells, i));
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  G_OBJECT_CLASS (tsr_total_row_parent_class)->dispose (object);
}

static void
tsr_total_row_class_init (TsrTotalRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_total_row_dispose;
  widget_class->measure = tsr_total_row_measure;
  widget_class->size_allocate = tsr_total_row_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "totalrow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
tsr_total_row_init (TsrTotalRow *self)
{
  self->cells = g_ptr_array_new ();
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

TsrTotalRow *
tsr_total_row_new (GtkColumnView *view)
{
  TsrTotalRow *self = g_object_new (TSR_TYPE_TOTAL_ROW, NULL);

  self->view = view;
  return self;
}

static GtkWidget *
get_cell (TsrTotalRow *self, guint i)
{
  GtkWidget *cell;

  if (i < self->cells->len)
    return g_ptr_array_index (self->cells, i);
  cell = gtk_inscription_new (NULL);
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (cell),
                                     GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_inscription_set_min_chars (GTK_INSCRIPTION (cell), 0);
  gtk_widget_add_css_class (cell, "numeric");
  gtk_widget_set_parent (cell, GTK_WIDGET (self));
  g_ptr_array_add (self->cells, cell);
  return cell;
}

void
tsr_total_row_set (TsrTotalRow *self,
                   guint n,
                   const char *const *texts,
                   const char *const *exact,
                   const gboolean *numbers)
{
  g_autofree char *label = NULL;

  g_return_if_fail (TSR_IS_TOTAL_ROW (self));
  for (guint i = 0; i < n; i++)
    {
      GtkInscription *cell = GTK_INSCRIPTION (get_cell (self, i));

      gtk_inscription_set_text (cell, texts[i]);
      gtk_inscription_set_xalign (cell, numbers[i] ? 1 : 0);
      /* Setting it asks the display where the pointer is. */
      if (g_strcmp0 (gtk_widget_get_tooltip_text (GTK_WIDGET (cell)), exact[i]) != 0)
        gtk_widget_set_tooltip_text (GTK_WIDGET (cell), exact[i]);
    }
  while (self->cells->len > n)
    {
      gtk_widget_unparent (g_ptr_array_index (self->cells, self->cells->len - 1));
      g_ptr_array_set_size (self->cells, self->cells->len - 1);
    }
  label = n > 0 ? g_strdup (texts[0]) : g_strdup ("");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

const char *
tsr_total_row_get_text (TsrTotalRow *self, guint column)
{
  g_return_val_if_fail (TSR_IS_TOTAL_ROW (self) && column < self->cells->len, NULL);
  return gtk_inscription_get_text (g_ptr_array_index (self->cells, column));
}

gboolean
tsr_total_row_get_position (TsrTotalRow *self, GtkWidget *overlay, GdkRectangle *position)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  graphene_rect_t bounds;
  int height;

  if (header == NULL || !gtk_widget_compute_bounds (header, overlay, &bounds))
    return FALSE;
  gtk_widget_measure (GTK_WIDGET (self), GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  position->x = 0;
  position->y = (int)(bounds.origin.y + bounds.size.height) - height;
  position->width = gtk_widget_get_width (overlay);
  position->height = height;
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GTK 4.8 does not tell which column a column view sorts by.  Each column has a sorter that does
 * nothing but write down that it was asked, and in which direction the view turned its answer: the
 * view's sorter is asked to compare two items whose order is known. */

#include "config.h"

#include "tsr-headings.h"

#include <string.h>

#define MIN_WIDTH 92
#define MAX_WIDTH 320
#define NO_COLUMN (-1)
/* Bytes: wider than any screen; Pango cannot tell how wide megabytes are. */
#define MAX_MEASURED 8192

static int probed; /* column whose sorter was asked; main thread */

static int
probe_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  probed = GPOINTER_TO_INT (data);
  return -1;
}

GtkSorter *
tsr_heading_sorter_new (int column)
{
  return GTK_SORTER (gtk_custom_sorter_new (probe_compare, GINT_TO_POINTER (column), NULL));
}

int
tsr_headings_get_sort (GtkColumnView *view, gboolean *descending)
{
  g_autoptr (GObject) a = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GObject) b = g_object_new (G_TYPE_OBJECT, NULL);

  g_return_val_if_fail (GTK_IS_COLUMN_VIEW (view), NO_COLUMN);
  probed = NO_COLUMN;
  *descending = gtk_sorter_compare (gtk_column_view_get_sorter (view), a, b) == GTK_ORDERING_LARGER;
  return probed;
}

/* @attributes (nullable) */
static int
measure (GtkWidget *widget, const char *text, PangoAttrList *attributes)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, NULL);
  const gsize length = strlen (text);
  int width;

  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_text (layout, text,
                         length <= MAX_MEASURED
                             ? (int)length
                             : (int)(g_utf8_find_prev_char (text, text + MAX_MEASURED) - text));
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static gboolean
on_query_cut (GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  if (!pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))))
    return FALSE;
  gtk_tooltip_set_text (tooltip, gtk_label_get_text (GTK_LABEL (label)));
  return TRUE;
}

void
tsr_text_may_be_cut (GtkLabel *label)
{
  g_return_if_fail (GTK_IS_LABEL (label));
  gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_END);
  gtk_widget_set_has_tooltip (GTK_WIDGET (label), TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (on_query_cut), NULL);
}

int
tsr_text_get_width (GtkWidget *widget, const char *text)
{
  return measure (widget, text, NULL);
}

int
tsr_number_get_width (GtkWidget *widget, const char *text)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  /* A widget's layout does not know the features that the style sheet asks for. */
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum"));
  return measure (widget, text, attributes);
}

int
tsr_heading_get_width (GtkWidget *widget, const char *title)
{
  /* Heading font is bold, and there is an arrow when the column is sorted. */
  return CLAMP (tsr_text_get_width (widget, title) * 23 / 20 + 44, MIN_WIDTH, MAX_WIDTH);
}

/* Their widgets stand in the first child of the view, in the order of the columns. */
GtkWidget *
tsr_headings_get_title (GtkColumnView *view, guint position)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;

  for (; title != NULL && position > 0; position--)
    title = gtk_widget_get_next_sibling (title);
  return title;
}

static GtkWidget *
find_label (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *label = find_label (child);

      if (label != NULL)
        return label;
    }
  return NULL;
}

void
tsr_heading_dress (GtkColumnView *view, guint position, gboolean number, const char *tooltip)
{
  GtkWidget *title = tsr_headings_get_title (view, position);
  GtkWidget *label = title != NULL ? find_label (title) : NULL;

  if (label == NULL)
    return;
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (number)
    {
      gtk_widget_set_hexpand (label, TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 1);
      gtk_widget_add_css_class (label, "numeric");
    }
  if (g_strcmp0 (gtk_widget_get_tooltip_text (title), tooltip) != 0) /* as in tsr-total-row.c */
    gtk_widget_set_tooltip_text (title, tooltip);
}

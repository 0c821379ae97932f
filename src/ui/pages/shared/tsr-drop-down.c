/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes drop-downs with translated items. */

#include "config.h"

#include "tsr-drop-down.h"

#include <glib/gi18n.h>

GtkDropDown *
tsr_drop_down_new (const char *const *words, const char *label)
{
  g_autoptr (GPtrArray) translated = g_ptr_array_new ();
  GtkWidget *widget;

  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (translated, (gpointer)_ (words[i]));
  g_ptr_array_add (translated, NULL);
  widget = gtk_drop_down_new_from_strings ((const char *const *)translated->pdata);
  gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (widget, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  return GTK_DROP_DOWN (widget);
}

GtkDropDown *
tsr_drop_down_add (
    GtkWidget *box, const char *const *words, const char *label, GCallback changed, gpointer owner)
{
  GtkDropDown *self = tsr_drop_down_new (words, label);

  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self));
  g_signal_connect_object (self, "notify::selected", changed, owner, G_CONNECT_SWAPPED);
  return self;
}

static gboolean
has_rows (GtkDropDown *self, const char *const *rows)
{
  GListModel *model = gtk_drop_down_get_model (self);
  guint n = model != NULL ? g_list_model_get_n_items (model) : 0;

  if (!GTK_IS_STRING_LIST (model) || n != g_strv_length ((char **)rows))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (model), i), rows[i]))
      return FALSE;
  return TRUE;
}

void
tsr_drop_down_set_rows (GtkDropDown *self, const char *const *rows, guint selected)
{
  g_return_if_fail (GTK_IS_DROP_DOWN (self) && rows != NULL);
  g_object_freeze_notify (G_OBJECT (self));
  if (!has_rows (self, rows))
    {
      g_autoptr (GtkStringList) list = gtk_string_list_new (rows);

      gtk_drop_down_set_model (self, G_LIST_MODEL (list));
    }
  gtk_drop_down_set_selected (self, selected);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), GPOINTER_TO_INT (data) & 0xff);
  gtk_label_set_max_width_chars (GTK_LABEL (label), GPOINTER_TO_INT (data) >> 8);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)),
                       gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

void
tsr_drop_down_set_shrinking (GtkDropDown *self, int least, int most)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkExpression) text
      = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");

  g_return_if_fail (GTK_IS_DROP_DOWN (self) && least > 0 && least <= most && most < 256);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GINT_TO_POINTER (most << 8 | least));
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  gtk_drop_down_set_expression (self, text);
  gtk_drop_down_set_list_factory (self, gtk_drop_down_get_factory (self));
  gtk_drop_down_set_factory (self, factory);
}

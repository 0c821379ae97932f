/* SPDX-License-Identifier: GPL-3.0-or-later */

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

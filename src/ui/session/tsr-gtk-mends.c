/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A hook on GtkWidget::map: it does not matter where a popover comes from. */

#include "config.h"

#include "tsr-gtk-mends.h"

static GtkWidget *
find_focusable (GtkWidget *widget)
{
  GtkWidget *found = NULL;

  if (GTK_IS_POPOVER (widget) || !gtk_widget_get_mapped (widget)
      || !gtk_widget_get_can_focus (widget) || !gtk_widget_is_sensitive (widget))
    return NULL;
  if (gtk_widget_get_focusable (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_focusable (child);
  return found;
}

/* A popover in which nothing takes the keyboard asks where in the window the keyboard is, and takes
 * it for granted that it is somewhere. */
static gboolean
on_map (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *widget = g_value_get_object (values), *focus = NULL;
  GtkRoot *root = GTK_IS_POPOVER (widget) ? gtk_widget_get_root (widget) : NULL;

  if (root == NULL || gtk_root_get_focus (root) != NULL)
    return TRUE;
  while (focus == NULL && (widget = gtk_widget_get_parent (widget)) != NULL)
    focus = find_focusable (widget);
  if (focus != NULL)
    gtk_root_set_focus (root, focus);
  return TRUE;
}

void
tsr_gtk_mends_init (void)
{
  gpointer widget_class = g_type_class_ref (GTK_TYPE_WIDGET); /* it has its signals from then on */

  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, on_map, NULL, NULL);
  g_type_class_unref (widget_class);
}

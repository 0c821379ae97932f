/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GTK 4.8 says the name of the class where it knows no name, and most of the widgets that it makes
 * by itself have none and cannot be reached otherwise.  A hook on GtkWidget::map gives each of them
 * a relation to the text that it shows, which stays right when the text changes. */

#include "config.h"

#include "tsr-accessible-names.h"

#include <glib/gi18n.h>

/* GTK has no other way to ask. */
static gboolean
has_label (GtkWidget *widget)
{
  return gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static gboolean
is_named (GtkWidget *widget)
{
  return has_label (widget)
         || gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget),
                                              GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

/* The first that is shown within @widget and has a name of its own, as each text has; (nullable).
 */
static GtkWidget *
find_text (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *text;

      if (GTK_IS_POPOVER (child) || !gtk_widget_get_visible (child)
          || !gtk_widget_get_child_visible (child)
          || (GTK_IS_LABEL (child) && *gtk_label_get_label (GTK_LABEL (child)) == '\0'))
        continue;
      text = has_label (child) ? child : find_text (child);
      if (text != NULL)
        return text;
    }
  return NULL;
}

/* What @widget is in, as far as it is named. */
static GtkWidget *
find_holder (GtkWidget *widget)
{
  do
    widget = gtk_widget_get_parent (widget);
  while (widget != NULL && !has_label (widget));
  return widget;
}

static void
set_name (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
name_by (GtkWidget *widget, GtkWidget *text)
{
  if (text != NULL)
    gtk_accessible_update_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                    text, NULL, -1);
}

/* What the tooltip says, where nothing is written on it. */
static void
name_by_tooltip (GtkWidget *widget)
{
  const char *tooltip = gtk_widget_get_tooltip_text (widget);

  if (tooltip != NULL && *tooltip != '\0')
    set_name (widget, tooltip);
}

/* GTK's type for rows of lists, of their headings, and for what a drop-down shows. */
static gboolean
is_list_item (GtkWidget *widget)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkListItemWidget");
}

/* The keyboard goes to the button inside, which says of what something is chosen, and what. */
static void
name_drop_down (GtkWidget *drop_down)
{
  GtkWidget *button = gtk_widget_get_first_child (drop_down);
  GtkWidget *text = find_text (button);
  const char *tooltip = gtk_widget_get_tooltip_text (drop_down);

  if (!is_named (drop_down))
    name_by_tooltip (drop_down);
  if (tooltip != NULL)
    set_name (button, tooltip);
  name_by (button, text);
  for (GtkWidget *item = text; item != NULL && item != button; item = gtk_widget_get_parent (item))
    if (is_list_item (item))
      name_by (item, text);
}

static void
on_selected (GtkWidget *drop_down)
{
  name_drop_down (drop_down);
}

static void
follow_drop_down (GtkWidget *drop_down)
{
  g_signal_handlers_disconnect_by_func (drop_down, on_selected, NULL);
  g_signal_connect_after (drop_down, "notify::selected-item", G_CALLBACK (on_selected), NULL);
  name_drop_down (drop_down);
}

/* GTK's window of shortcuts has one. */
static void
name_by_icon (GtkWidget *button, GtkWidget *image)
{
  if (g_strcmp0 (gtk_image_get_icon_name (GTK_IMAGE (image)), "edit-find-symbolic") == 0)
    set_name (button, _ ("Search"));
}

static void
name_button (GtkWidget *button)
{
  /* GTK has both names of a button with an underlined letter: the one of the label is spare. */
  if (GTK_IS_BUTTON (button) && gtk_button_get_label (GTK_BUTTON (button)) != NULL)
    gtk_accessible_reset_relation (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  /* And that one has the underscore. */
  if (GTK_IS_BUTTON (button) && gtk_button_get_use_underline (GTK_BUTTON (button))
      && GTK_IS_LABEL (gtk_button_get_child (GTK_BUTTON (button))))
    set_name (button, gtk_label_get_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button)))));
  if (has_label (button))
    return;
  if (find_text (button) != NULL)
    name_by (button, find_text (button));
  else if (gtk_widget_get_tooltip_text (button) != NULL)
    name_by_tooltip (button);
  else if (GTK_IS_IMAGE (gtk_widget_get_first_child (button)))
    name_by_icon (button, gtk_widget_get_first_child (button));
}

/* A row outlives its cells, as when the columns change. */
static void
name_cell (GtkWidget *cell)
{
  GtkWidget *row = gtk_widget_get_parent (cell);

  if (g_str_equal (G_OBJECT_TYPE_NAME (cell), "GtkColumnViewTitle"))
    name_by (cell, find_text (cell));
  if (row != NULL && cell == gtk_widget_get_first_child (row))
    name_by (row, find_text (row));
}

/* GTK says "Tab list", or nothing, not of what. */
static void
name_tab_list (GtkWidget *tabs)
{
  GtkWidget *holder = find_holder (tabs);

  gtk_accessible_reset_property (GTK_ACCESSIBLE (tabs), GTK_ACCESSIBLE_PROPERTY_LABEL);
  name_by (tabs, holder);
  if (holder == NULL)
    set_name (tabs, _ ("Pages"));
}

static void
name_entry (GtkWidget *entry)
{
  g_autofree char *placeholder = NULL;

  g_object_get (entry, "placeholder-text", &placeholder, NULL);
  set_name (entry, placeholder != NULL ? placeholder : _ ("Search"));
}

static void
name_widget (GtkWidget *widget)
{
  const char *type = G_OBJECT_TYPE_NAME (widget);

  if (GTK_IS_MENU_BUTTON (widget) || GTK_IS_BUTTON (widget))
    name_button (widget);
  else if (GTK_IS_DROP_DOWN (widget))
    follow_drop_down (widget);
  else if (g_str_equal (gtk_widget_get_css_name (widget), "tab"))
    {
      gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
      name_by (widget, find_text (widget));
    }
  else if (gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget))
           == GTK_ACCESSIBLE_ROLE_TAB_LIST)
    name_tab_list (widget);
  else if (is_list_item (widget))
    name_by (widget, find_text (widget));
  else if (g_str_equal (type, "GtkColumnViewTitle") || g_str_equal (type, "GtkColumnViewCell"))
    name_cell (widget);
  else if (is_named (widget))
    return;
  else if (GTK_IS_LIST_BOX_ROW (widget) || GTK_IS_FLOW_BOX_CHILD (widget)
           || GTK_IS_EXPANDER (widget))
    name_by (widget, find_text (widget));
  else if (GTK_IS_LIST_BASE (widget) || GTK_IS_LIST_BOX (widget))
    name_by (widget, find_holder (widget));
  else if (GTK_IS_PANED (widget))
    set_name (widget, _ ("Divider"));
  else if (GTK_IS_SEARCH_ENTRY (widget))
    name_entry (widget);
}

static gboolean
on_map (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  name_widget (g_value_get_object (values));
  return TRUE;
}

void
tsr_accessible_names_init (void)
{
  gpointer widget_class = g_type_class_ref (GTK_TYPE_WIDGET); /* it has its signals from then on */

  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, on_map, NULL, NULL);
  g_type_class_unref (widget_class);
}

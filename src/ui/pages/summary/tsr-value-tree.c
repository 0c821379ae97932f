/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widget of a value tree: a list view over a tree list model, in a scrolled window that is as
 * high as its rows up to a limit. */

#include "config.h"

#include "tsr-value-tree.h"

#include "tsr-page.h"
#include "tsr-scroll.h"

#include <glib/gi18n.h>

/* A longer value is cut on the screen; copying gives all of it. */
#define SHOWN_CHARS 400
/* Up to so many rows all are shown and only the page scrolls; of more, so many pixels. */
#define MAX_ROWS   60
#define ROW_HEIGHT 27
#define LONG_TREE  520
/* Values begin here, however deep their row is; each level is indented by so much. */
#define NAME_WIDTH 320
#define INDENT     16

struct _TsrValueTree
{
  GtkWidget parent_instance;

  GtkWidget *scrolled;
  GtkListView *list;
  GtkSingleSelection *selection; /* owned by the list */
  GtkWidget *popover;
};

G_DEFINE_FINAL_TYPE (TsrValueTree, tsr_value_tree, GTK_TYPE_WIDGET)

static GListModel *
create_children (gpointer item, gpointer data)
{
  return tsr_value_item_dup_children (item);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *value = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_label_set_ellipsize (GTK_LABEL (value), PANGO_ELLIPSIZE_END);
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_widget_set_focusable (value, FALSE);
  gtk_widget_set_hexpand (value, TRUE);
  gtk_widget_add_css_class (name, "dim-label");
  gtk_widget_add_css_class (value, "numeric");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), value);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), box);
  gtk_list_item_set_child (item, expander);
}

/* (transfer full): one line of at most SHOWN_CHARS. */
static char *
dup_shown (const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, MIN (strlen (value), 4 * SHOWN_CHARS));
  char *shown = g_utf8_strlen (valid, -1) > SHOWN_CHARS ? g_utf8_substring (valid, 0, SHOWN_CHARS)
                                                        : g_strdup (valid);

  return g_strdelimit (shown, "\r\n\t", ' ');
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  GtkTreeListRow *row = gtk_list_item_get_item (list_item);
  g_autoptr (TsrValueItem) item = gtk_tree_list_row_get_item (row);
  GtkWidget *expander = gtk_list_item_get_child (list_item);
  GtkWidget *name
      = gtk_widget_get_first_child (gtk_tree_expander_get_child (GTK_TREE_EXPANDER (expander)));
  GtkWidget *value = gtk_widget_get_next_sibling (name);
  const char *text = tsr_value_item_get_value (item);
  g_autofree char *shown = dup_shown (text);
  g_autofree char *shown_name = dup_shown (tsr_value_item_get_name (item));

  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (expander), row);
  gtk_label_set_label (GTK_LABEL (name), shown_name);
  gtk_widget_set_size_request (
      name, MAX (NAME_WIDTH - INDENT * (int)gtk_tree_list_row_get_depth (row), 40), -1);
  gtk_label_set_label (GTK_LABEL (value), shown);
  gtk_widget_set_tooltip_text (value, g_utf8_strlen (shown, -1) > 40 ? shown : NULL);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item)), NULL);
}

static TsrValueItem *
dup_selected (TsrValueTree *self)
{
  GtkTreeListRow *row = gtk_single_selection_get_selected_item (self->selection);

  return row != NULL ? gtk_tree_list_row_get_item (row) : NULL;
}

static void
copy (TsrValueTree *self, gboolean value_only)
{
  g_autoptr (TsrValueItem) item = dup_selected (self);
  g_autofree char *text = NULL;

  if (item == NULL)
    return;
  text = value_only && *tsr_value_item_get_value (item) != '\0'
             ? g_strdup (tsr_value_item_get_value (item))
             : tsr_value_item_dup_text (item);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  tsr_page_toast (GTK_WIDGET (self), _ ("Copied"));
}

static void
on_copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  copy (TSR_VALUE_TREE (widget), g_str_equal (name, "tree.copy-value"));
}

static void
on_activate (GtkListView *list, guint position, TsrValueTree *self)
{
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (row != NULL && gtk_tree_list_row_is_expandable (row))
    gtk_tree_list_row_set_expanded (row, !gtk_tree_list_row_get_expanded (row));
}

/* As in every tree: Right opens, Left closes or goes to the row above it. */
static gboolean
on_key (GtkEventControllerKey *controller,
        guint key,
        guint code,
        GdkModifierType state,
        TsrValueTree *self)
{
  return tsr_value_tree_key (self, key);
}

gboolean
tsr_value_tree_key (TsrValueTree *self, guint key)
{
  GtkTreeListRow *row;
  g_autoptr (GtkTreeListRow) parent = NULL;

  g_return_val_if_fail (TSR_IS_VALUE_TREE (self), FALSE);
  row = self->selection != NULL ? gtk_single_selection_get_selected_item (self->selection) : NULL;
  if (row == NULL)
    return FALSE;
  if (key == GDK_KEY_Right && gtk_tree_list_row_is_expandable (row))
    {
      gtk_tree_list_row_set_expanded (row, TRUE);
      return TRUE;
    }
  if (key != GDK_KEY_Left)
    return FALSE;
  if (gtk_tree_list_row_get_expanded (row))
    gtk_tree_list_row_set_expanded (row, FALSE);
  else if ((parent = gtk_tree_list_row_get_parent (row)) != NULL)
    tsr_value_tree_select (self, gtk_tree_list_row_get_position (parent));
  return TRUE;
}

void
tsr_value_tree_select (TsrValueTree *self, guint position)
{
  g_return_if_fail (TSR_IS_VALUE_TREE (self));
  if (self->selection == NULL)
    return;
  gtk_single_selection_set_selected (self->selection, position);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
}

/* A press selects its row first (the list does so), then the menu is about that row. */
static void
on_menu_pressed (GtkGestureClick *gesture, int n, double x, double y, TsrValueTree *self)
{
  GdkRectangle at = { x, y, 1, 1 };
  GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);

  while (widget != NULL && !GTK_IS_TREE_EXPANDER (widget) && widget != GTK_WIDGET (self))
    widget = gtk_widget_get_parent (widget);
  if (widget == NULL || !GTK_IS_TREE_EXPANDER (widget))
    return;
  gtk_single_selection_set_selected (
      self->selection,
      gtk_tree_list_row_get_position (gtk_tree_expander_get_list_row (GTK_TREE_EXPANDER (widget))));
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), &at);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
tsr_value_tree_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsrValueTree *self = TSR_VALUE_TREE (widget);

  gtk_widget_size_allocate (self->scrolled, &(GtkAllocation){ 0, 0, width, height }, baseline);
  gtk_popover_present (GTK_POPOVER (self->popover));
}

static void
tsr_value_tree_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  gtk_widget_measure (TSR_VALUE_TREE (widget)->scrolled, orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static void
tsr_value_tree_dispose (GObject *object)
{
  TsrValueTree *self = TSR_VALUE_TREE (object);

  g_clear_pointer (&self->popover, gtk_widget_unparent);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_value_tree_parent_class)->dispose (object);
}

static void
tsr_value_tree_class_init (TsrValueTreeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_value_tree_dispose;
  widget_class->measure = tsr_value_tree_measure;
  widget_class->size_allocate = tsr_value_tree_size_allocate;
  gtk_widget_class_install_action (widget_class, "tree.copy", NULL, on_copy);
  gtk_widget_class_install_action (widget_class, "tree.copy-value", NULL, on_copy);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "tree.copy",
                                       NULL);
}

static void
tsr_value_tree_init (TsrValueTree *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkGesture *gesture = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), NULL);
  self->list = GTK_LIST_VIEW (gtk_list_view_new (NULL, factory));
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "value-tree");
  g_signal_connect (self->list, "activate", G_CALLBACK (on_activate), self);
  self->scrolled = gtk_scrolled_window_new ();
  tsr_scroll_chain_add (GTK_SCROLLED_WINDOW (self->scrolled));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->list));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scrolled), TRUE);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));

  g_menu_append (menu, _ ("_Copy Value"), "tree.copy-value");
  g_menu_append (menu, _ ("Copy _Row"), "tree.copy");
  self->popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
  gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), GDK_BUTTON_SECONDARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (gesture), GTK_PHASE_CAPTURE);
  g_signal_connect (gesture, "pressed", G_CALLBACK (on_menu_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (gesture));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), keys);
}

GtkWidget *
tsr_value_tree_new (const char *accessible_name)
{
  TsrValueTree *self = g_object_new (TSR_TYPE_VALUE_TREE, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  accessible_name, -1);
  return GTK_WIDGET (self);
}

static void
update_height (TsrValueTree *self)
{
  guint n = g_list_model_get_n_items (tsr_value_tree_get_rows (self));

  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scrolled),
                                              n <= MAX_ROWS ? MAX_ROWS * ROW_HEIGHT : LONG_TREE);
}

void
tsr_value_tree_set_model (TsrValueTree *self, GListModel *model, gboolean expand)
{
  GtkTreeListModel *rows;

  g_return_if_fail (TSR_IS_VALUE_TREE (self));
  if (model == NULL)
    {
      self->selection = NULL;
      gtk_list_view_set_model (self->list, NULL);
      return;
    }
  rows = gtk_tree_list_model_new (g_object_ref (model), FALSE, expand, create_children, NULL, NULL);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (rows));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_object_unref (self->selection);
  g_signal_connect_object (rows, "items-changed", G_CALLBACK (update_height), self,
                           G_CONNECT_SWAPPED);
  update_height (self);
}

GListModel *
tsr_value_tree_get_rows (TsrValueTree *self)
{
  g_return_val_if_fail (TSR_IS_VALUE_TREE (self), NULL);
  return self->selection != NULL ? gtk_single_selection_get_model (self->selection) : NULL;
}

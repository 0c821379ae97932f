/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chips of chosen variables and the list to choose from. */

#include "config.h"

#include "tsr-variable-picker.h"

#include "tsr-rows.h"
#include "tsr-variables-chart.h"

#include <glib/gi18n.h>

struct _TsrVariablePicker
{
  GtkWidget parent_instance;

  GtkWidget *chips;
  GtkMenuButton *button;
  GtkSearchEntry *entry;
  GtkListBox *list;
  TsrVariables *variables; /* (nullable) */
  TsrUnits units;
  GStrv names;
  guint32 *by_size; /* entries, largest first */
};

G_DEFINE_FINAL_TYPE (TsrVariablePicker, tsr_variable_picker, GTK_TYPE_WIDGET)

enum
{
  CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void update_chips (TsrVariablePicker *self);
static void update_list (TsrVariablePicker *self);

GArray *
tsr_variable_picker_dup_chosen (TsrVariablePicker *self)
{
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_return_val_if_fail (TSR_IS_VARIABLE_PICKER (self), chosen);
  for (guint i = 0; self->variables != NULL && self->names[i] != NULL; i++)
    {
      guint32 variable = tsr_variables_find (self->variables, self->names[i]);

      if (variable != TSR_NO_INDEX)
        g_array_append_val (chosen, variable);
    }
  return chosen;
}

void
tsr_variable_picker_toggle (TsrVariablePicker *self, const char *name)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  gboolean there = FALSE;
  guint n = 0;

  g_return_if_fail (TSR_IS_VARIABLE_PICKER (self) && name != NULL);
  for (guint i = 0; self->names[i] != NULL; i++)
    if (g_str_equal (self->names[i], name))
      there = TRUE;
    else
      {
        g_strv_builder_add (builder, self->names[i]);
        n++;
      }
  if (!there && n >= TSR_MAX_PLOTTED_VARIABLES)
    return;
  if (!there)
    g_strv_builder_add (builder, name);
  g_strfreev (self->names);
  self->names = g_strv_builder_end (builder);
  update_chips (self);
  update_list (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Chips */

static void
on_chip (GtkButton *button, TsrVariablePicker *self)
{
  g_autofree char *name = g_strdup (g_object_get_data (G_OBJECT (button), "name"));

  tsr_variable_picker_toggle (self, name);
}

static GtkWidget *
new_chip (TsrVariablePicker *self, const char *name)
{
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (name);
  g_autofree char *tooltip = g_strdup_printf (_ ("Remove %s from the graph"), name);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 28);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("window-close-symbolic"));
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_object_set_data_full (G_OBJECT (button), "name", g_strdup (name), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (on_chip), self);
  return button;
}

static void
update_chips (TsrVariablePicker *self)
{
  GtkWidget *child;
  guint n = 0;

  while ((child = gtk_widget_get_first_child (self->chips)) != NULL)
    gtk_box_remove (GTK_BOX (self->chips), child);
  for (guint i = 0; self->variables != NULL && self->names[i] != NULL; i++)
    if (tsr_variables_find (self->variables, self->names[i]) != TSR_NO_INDEX)
      {
        gtk_box_append (GTK_BOX (self->chips), new_chip (self, self->names[i]));
        n++;
      }
  gtk_widget_set_sensitive (GTK_WIDGET (self->button),
                            self->variables != NULL && n < TSR_MAX_PLOTTED_VARIABLES);
}

/* List */

GArray *
tsr_variable_picker_suggest (TsrVariablePicker *self, const char *text)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (TsrFilter) filter = NULL;
  guint n;

  g_return_val_if_fail (TSR_IS_VARIABLE_PICKER (self), found);
  n = self->variables != NULL ? tsr_variables_get_n (self->variables) : 0;
  /* Half an expression finds nothing until it is whole. */
  filter = tsr_filter_new (text != NULL ? text : "", NULL);
  for (guint i = 0; filter != NULL && i < n && found->len < TSR_PICKER_SUGGESTIONS; i++)
    {
      const char *name = tsr_variables_get_name (self->variables, self->by_size[i]);

      if (tsr_filter_is_empty (filter) || tsr_filter_match (filter, name))
        g_array_append_val (found, self->by_size[i]);
    }
  return found;
}

static GtkWidget *
new_row (TsrVariablePicker *self, guint32 variable)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  const char *name = tsr_variables_get_name (self->variables, variable);
  g_autofree char *bytes
      = tsr_units_dup_bytes (self->units, tsr_variables_get_bytes (self->variables, variable));
  GtkWidget *check = gtk_image_new_from_icon_name ("object-select-symbolic");
  GtkWidget *label = gtk_label_new (name), *size = gtk_label_new (bytes);

  gtk_widget_set_opacity (check, g_strv_contains ((const char *const *)self->names, name) ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 60);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_tooltip_text (label, name);
  gtk_widget_add_css_class (size, "numeric");
  gtk_widget_add_css_class (size, "dim-label");
  gtk_box_append (GTK_BOX (box), check);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), size);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "name", g_strdup (name), g_free);
  return row;
}

static void
update_list (TsrVariablePicker *self)
{
  g_autoptr (GArray) found = NULL;
  GtkWidget *child;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self->list)))
    return;
  found = tsr_variable_picker_suggest (self, gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL
         && GTK_IS_LIST_BOX_ROW (child))
    gtk_list_box_remove (self->list, child);
  for (guint i = 0; i < found->len; i++)
    gtk_list_box_append (self->list, new_row (self, g_array_index (found, guint32, i)));
}

static void
on_row (GtkListBox *list, GtkListBoxRow *row, TsrVariablePicker *self)
{
  g_autofree char *name = g_strdup (g_object_get_data (G_OBJECT (row), "name"));

  tsr_variable_picker_toggle (self, name);
}

/* Enter in the entry takes the first. */
static void
on_activate (TsrVariablePicker *self)
{
  g_autoptr (GArray) found
      = tsr_variable_picker_suggest (self, gtk_editable_get_text (GTK_EDITABLE (self->entry)));

  if (found->len > 0)
    tsr_variable_picker_toggle (
        self, tsr_variables_get_name (self->variables, g_array_index (found, guint32, 0)));
}

/* Values */

static int
compare_size (gconstpointer a, gconstpointer b, gpointer data)
{
  guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
  gint64 p = tsr_variables_get_bytes (data, x), q = tsr_variables_get_bytes (data, y);

  if (p != q)
    return p > q ? -1 : 1;
  return (x > y) - (x < y);
}

void
tsr_variable_picker_set_variables (TsrVariablePicker *self, TsrVariables *variables)
{
  guint n;

  g_return_if_fail (TSR_IS_VARIABLE_PICKER (self));
  if (variables == self->variables)
    return;
  g_clear_pointer (&self->variables, tsr_variables_unref);
  g_clear_pointer (&self->by_size, g_free);
  if (variables != NULL)
    {
      self->variables = tsr_variables_ref (variables);
      n = tsr_variables_get_n (variables);
      self->by_size = g_new (guint32, MAX (n, 1));
      for (guint32 i = 0; i < n; i++)
        self->by_size[i] = i;
      g_qsort_with_data (self->by_size, (int)n, sizeof *self->by_size, compare_size, variables);
    }
  update_chips (self);
  update_list (self);
}

void
tsr_variable_picker_set_units (TsrVariablePicker *self, TsrUnits units)
{
  g_return_if_fail (TSR_IS_VARIABLE_PICKER (self));
  self->units = units;
  update_list (self);
}

void
tsr_variable_picker_set_names (TsrVariablePicker *self, const char *const *names)
{
  g_return_if_fail (TSR_IS_VARIABLE_PICKER (self));
  g_strfreev (self->names);
  self->names = names != NULL ? g_strdupv ((GStrv)names) : g_new0 (char *, 1);
  update_chips (self);
  update_list (self);
}

const char *const *
tsr_variable_picker_peek_names (TsrVariablePicker *self)
{
  g_return_val_if_fail (TSR_IS_VARIABLE_PICKER (self), NULL);
  return (const char *const *)self->names;
}

void
tsr_variable_picker_popup (TsrVariablePicker *self)
{
  g_return_if_fail (TSR_IS_VARIABLE_PICKER (self));
  gtk_menu_button_popup (self->button);
}

/* Widget */

static void
tsr_variable_picker_dispose (GObject *object)
{
  TsrVariablePicker *self = TSR_VARIABLE_PICKER (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->variables, tsr_variables_unref);
  g_clear_pointer (&self->by_size, g_free);
  g_clear_pointer (&self->names, g_strfreev);
  G_OBJECT_CLASS (tsr_variable_picker_parent_class)->dispose (object);
}

static void
tsr_variable_picker_class_init (TsrVariablePickerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_variable_picker_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *
new_popover (TsrVariablePicker *self)
{
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->entry = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  g_object_set (self->entry, "placeholder-text", _ ("Find a variable"), NULL);
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_list_box_set_placeholder (self->list, gtk_label_new (_ ("No variable has such a name")));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (scrolled, 460, 300);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->entry));
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (update_list), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_swapped (self->list, "map", G_CALLBACK (update_list), self);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row), self);
  return popover;
}

static void
tsr_variable_picker_init (TsrVariablePicker *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->names = g_new0 (char *, 1);
  self->chips = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->chips);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_EXTERNAL,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  self->button = GTK_MENU_BUTTON (gtk_menu_button_new ());
  gtk_menu_button_set_label (self->button, _ ("Add variable"));
  gtk_menu_button_set_popover (self->button, new_popover (self));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button),
                               _ ("Find a variable and plot it (Ctrl+Shift+V)"));
  gtk_widget_set_valign (GTK_WIDGET (self->button), GTK_ALIGN_CENTER);
  gtk_widget_set_parent (GTK_WIDGET (self->button), GTK_WIDGET (self));
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              6);
  gtk_widget_set_hexpand (scrolled, TRUE);
  update_chips (self);
}

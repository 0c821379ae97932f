/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row of small flat controls with dots between them. */

#include "config.h"

#include "tsr-scope-line.h"

struct _TsrScopeLine
{
  GtkWidget parent_instance;

  GtkWidget *box;
};

G_DEFINE_FINAL_TYPE (TsrScopeLine, tsr_scope_line, GTK_TYPE_WIDGET)

#define DOT_KEY   "tsr-scope-dot"
#define LABEL_KEY "tsr-scope-label"

static void
tsr_scope_line_dispose (GObject *object)
{
  TsrScopeLine *self = TSR_SCOPE_LINE (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_scope_line_parent_class)->dispose (object);
}

static void
tsr_scope_line_class_init (TsrScopeLineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_scope_line_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "scopeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
}

static void
tsr_scope_line_init (TsrScopeLine *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

TsrScopeLine *
tsr_scope_line_new (void)
{
  return g_object_new (TSR_TYPE_SCOPE_LINE, NULL);
}

static GtkWidget *
new_label (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

/* A dot stands before every visible part but the first visible one. */
static void
update_dots (TsrScopeLine *self)
{
  gboolean first = TRUE;

  for (GtkWidget *child = gtk_widget_get_first_child (self->box); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *dot = g_object_get_data (G_OBJECT (child), DOT_KEY);

      if (dot == NULL)
        continue;
      gtk_widget_set_visible (dot, gtk_widget_get_visible (child) && !first);
      if (gtk_widget_get_visible (child))
        first = FALSE;
    }
}

static GtkWidget *
append_part (TsrScopeLine *self, GtkWidget *part, GtkWidget *label, const char *tooltip)
{
  GtkWidget *dot = gtk_label_new ("·");

  gtk_widget_add_css_class (dot, "dim-label");
  gtk_accessible_update_state (GTK_ACCESSIBLE (dot), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  gtk_box_append (GTK_BOX (self->box), dot);
  gtk_box_append (GTK_BOX (self->box), part);
  gtk_widget_set_tooltip_text (part, tooltip);
  g_object_set_data (G_OBJECT (part), DOT_KEY, dot);
  g_object_set_data (G_OBJECT (part), LABEL_KEY, label);
  tsr_scope_line_set_part_text (self, part, gtk_label_get_label (GTK_LABEL (label)));
  update_dots (self);
  return part;
}

GtkWidget *
tsr_scope_line_add_text (TsrScopeLine *self, const char *text, const char *tooltip)
{
  GtkWidget *label;

  g_return_val_if_fail (TSR_IS_SCOPE_LINE (self), NULL);
  label = new_label (text);
  gtk_widget_add_css_class (label, "scope-text");
  return append_part (self, label, label, tooltip);
}

GtkWidget *
tsr_scope_line_add_button (TsrScopeLine *self,
                           const char *text,
                           const char *tooltip,
                           const char *action_name)
{
  GtkWidget *button, *label;

  g_return_val_if_fail (TSR_IS_SCOPE_LINE (self), NULL);
  button = gtk_button_new ();
  label = new_label (text);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  if (action_name != NULL)
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action_name);
  return append_part (self, button, label, tooltip);
}

static GtkWidget *
add_menu_button (TsrScopeLine *self, const char *text, const char *tooltip, GtkWidget **button)
{
  GtkWidget *label = new_label (text);

  *button = gtk_menu_button_new ();
  gtk_menu_button_set_child (GTK_MENU_BUTTON (*button), label);
  gtk_menu_button_set_always_show_arrow (GTK_MENU_BUTTON (*button), TRUE);
  gtk_widget_add_css_class (*button, "flat");
  return append_part (self, *button, label, tooltip);
}

GtkWidget *
tsr_scope_line_add_menu (TsrScopeLine *self,
                         const char *text,
                         const char *tooltip,
                         GMenuModel *menu)
{
  GtkWidget *button;

  g_return_val_if_fail (TSR_IS_SCOPE_LINE (self), NULL);
  add_menu_button (self, text, tooltip, &button);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), menu);
  return button;
}

GtkWidget *
tsr_scope_line_add_popover (TsrScopeLine *self,
                            const char *text,
                            const char *tooltip,
                            GtkWidget *popover)
{
  GtkWidget *button;

  g_return_val_if_fail (TSR_IS_SCOPE_LINE (self), NULL);
  add_menu_button (self, text, tooltip, &button);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  return button;
}

void
tsr_scope_line_set_part_text (TsrScopeLine *self, GtkWidget *part, const char *text)
{
  GtkWidget *label;

  g_return_if_fail (TSR_IS_SCOPE_LINE (self) && GTK_IS_WIDGET (part));
  label = g_object_get_data (G_OBJECT (part), LABEL_KEY);
  g_return_if_fail (label != NULL);
  gtk_label_set_label (GTK_LABEL (label), text);
  if (part != label)
    gtk_accessible_update_property (GTK_ACCESSIBLE (part), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

void
tsr_scope_line_set_part_visible (TsrScopeLine *self, GtkWidget *part, gboolean visible)
{
  g_return_if_fail (TSR_IS_SCOPE_LINE (self) && GTK_IS_WIDGET (part));
  gtk_widget_set_visible (part, visible);
  update_dots (self);
}

char *
tsr_scope_line_dup_text (TsrScopeLine *self)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (TSR_IS_SCOPE_LINE (self), NULL);
  for (GtkWidget *child = gtk_widget_get_first_child (self->box); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *label = g_object_get_data (G_OBJECT (child), LABEL_KEY);

      if (label == NULL || !gtk_widget_get_visible (child))
        continue;
      if (text->len > 0)
        g_string_append (text, " · ");
      g_string_append (text, gtk_label_get_label (GTK_LABEL (label)));
    }
  return g_string_free (text, FALSE);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Buttons and the entry for the magnification, bound to a viewport. */

#include "config.h"

#include "tsr-navigation.h"

#include "tsr-units.h"

#include <glib/gi18n.h>
#include <math.h>

#define FOLDED_WORD "chart-navigation" /* in the list of folded sections */

struct _TsrNavigation
{
  GtkWidget parent_instance;

  TsrViewport *viewport;
  TsrSettings *settings;
  GtkWidget *box;
  GtkWidget *strip; /* all but the folding button */
  GtkEntry *entry;
  GtkWidget *fold;
};

G_DEFINE_FINAL_TYPE (TsrNavigation, tsr_navigation, GTK_TYPE_WIDGET)

gboolean
tsr_magnification_parse (const char *text, double *magnification)
{
  g_autoptr (GString) digits = g_string_new (NULL);
  const char *p = text;
  char *end;
  double value;

  /* Separators of thousands and spaces are not part of the number. */
  for (; *p != '\0' && *p != '%'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_ascii_isdigit (c) || c == '.')
        g_string_append_c (digits, c);
      else if (c != ',' && c != '\'' && !g_unichar_isspace (c))
        return FALSE;
    }
  if (*p == '%')
    for (p++; *p != '\0'; p = g_utf8_next_char (p))
      if (!g_unichar_isspace (g_utf8_get_char (p)))
        return FALSE;
  value = g_ascii_strtod (digits->str, &end);
  if (digits->len == 0 || *end != '\0' || !isfinite (value) || value <= 0)
    return FALSE;
  *magnification = value / 100;
  return TRUE;
}

/* (transfer full): "250 %". */
static char *
tsr_magnification_format (double magnification)
{
  g_autofree char *percent = tsr_units_dup_count (llround (MIN (magnification * 100, 1e15)));

  return g_strdup_printf ("%s %%", percent);
}

void
tsr_viewport_zoom_middle (TsrViewport *viewport, double factor)
{
  double from, to;

  g_return_if_fail (TSR_IS_VIEWPORT (viewport));
  tsr_viewport_get_range (viewport, &from, &to);
  tsr_viewport_zoom_about (viewport, (from + to) / 2, factor, 0);
}

static void
update (TsrNavigation *self)
{
  double from, to, first, end, magnification;
  g_autofree char *text = NULL;

  if (self->viewport == NULL)
    return;
  magnification = tsr_viewport_get_magnification (self->viewport);
  text = tsr_magnification_format (magnification);
  tsr_viewport_get_range (self->viewport, &from, &to);
  tsr_viewport_get_domain (self->viewport, &first, &end);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ ("Type a number and press Enter"), -1);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "navigation.zoom-out",
                                 from > first || to < end);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "navigation.fit", from > first || to < end);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "navigation.page-left", from > first);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "navigation.page-right", to < end);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "navigation.undo",
                                 tsr_viewport_can_undo (self->viewport));
}

static void
on_activate (GtkEntry *entry, TsrNavigation *self)
{
  double magnification;

  if (self->viewport == NULL)
    return;
  if (tsr_magnification_parse (gtk_editable_get_text (GTK_EDITABLE (entry)), &magnification))
    {
      tsr_viewport_set_magnification (self->viewport, MAX (magnification, 1));
      update (self);
      return;
    }
  gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ ("This is not a magnification in percent"), -1);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  update (data);
  return TRUE;
}

static void
tsr_navigation_set_folded (TsrNavigation *self, gboolean folded)
{
  const char *text = folded ? _ ("Show navigation") : _ ("Hide navigation");

  g_return_if_fail (TSR_IS_NAVIGATION (self));
  gtk_widget_set_visible (self->strip, !folded);
  gtk_button_set_icon_name (GTK_BUTTON (self->fold),
                            folded ? "zoom-in-symbolic" : "pan-end-symbolic");
  gtk_widget_set_tooltip_text (self->fold, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->fold), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  -1);
  if (self->settings != NULL)
    tsr_settings_set_word (self->settings, "collapsed-sections", FOLDED_WORD, folded);
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrNavigation *self = TSR_NAVIGATION (widget);

  name += strlen ("navigation.");
  if (g_str_equal (name, "fold"))
    tsr_navigation_set_folded (self, !tsr_navigation_is_folded (self));
  else if (self->viewport == NULL)
    return;
  else if (g_str_equal (name, "zoom-in"))
    tsr_viewport_zoom_middle (self->viewport, TSR_ZOOM_STEP);
  else if (g_str_equal (name, "zoom-out"))
    tsr_viewport_zoom_middle (self->viewport, 1 / TSR_ZOOM_STEP);
  else if (g_str_equal (name, "page-left"))
    tsr_viewport_page (self->viewport, -1);
  else if (g_str_equal (name, "page-right"))
    tsr_viewport_page (self->viewport, 1);
  else if (g_str_equal (name, "fit"))
    tsr_viewport_fit (self->viewport);
  else
    tsr_viewport_undo (self->viewport);
}

static void
tsr_navigation_dispose (GObject *object)
{
  TsrNavigation *self = TSR_NAVIGATION (object);

  if (self->viewport != NULL)
    g_signal_handlers_disconnect_by_data (self->viewport, self);
  g_clear_object (&self->viewport);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_navigation_parent_class)->dispose (object);
}

static void
tsr_navigation_class_init (TsrNavigationClass *klass)
{
  static const char *const actions[]
      = { "navigation.zoom-out",   "navigation.zoom-in", "navigation.page-left",
          "navigation.page-right", "navigation.fit",     "navigation.undo",
          "navigation.fold" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_navigation_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "navigation");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i], NULL, run_action);
}

static GtkWidget *
add_button (TsrNavigation *self,
            GtkWidget *box,
            const char *icon,
            const char *action,
            const char *name,
            const char *tooltip)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

static GtkEntry *
add_entry (TsrNavigation *self)
{
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 8);
  gtk_entry_set_alignment (GTK_ENTRY (entry), 1);
  gtk_widget_add_css_class (entry, "numeric");
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (entry, _ ("Magnification: type a percentage and press Enter"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Magnification"), -1);
  g_signal_connect (entry, "activate", G_CALLBACK (on_activate), self);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                        gtk_callback_action_new (on_escape, self, NULL)));
  gtk_widget_add_controller (entry, keys);
  gtk_box_append (GTK_BOX (self->strip), entry);
  return GTK_ENTRY (entry);
}

static void
tsr_navigation_init (TsrNavigation *self)
{
  GtkWidget *strip = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Navigation"), -1);
  self->strip = strip;
  gtk_box_append (GTK_BOX (self->box), strip);
  add_button (self, strip, "zoom-out-symbolic", "navigation.zoom-out", _ ("Zoom out"),
              _ ("Zoom out (−)"));
  self->entry = add_entry (self);
  add_button (self, strip, "zoom-in-symbolic", "navigation.zoom-in", _ ("Zoom in"),
              _ ("Zoom in (+)"));
  add_button (self, strip, "go-previous-symbolic", "navigation.page-left", _ ("Page left"),
              _ ("Page left (Page Up)"));
  add_button (self, strip, "go-next-symbolic", "navigation.page-right", _ ("Page right"),
              _ ("Page right (Page Down)"));
  add_button (self, strip, "zoom-fit-best-symbolic", "navigation.fit", _ ("Show all"),
              _ ("Show all (0)"));
  add_button (self, strip, "edit-undo-symbolic", "navigation.undo", _ ("Undo zoom"),
              _ ("Undo zoom (Backspace)"));
  self->fold = add_button (self, self->box, "pan-start-symbolic", "navigation.fold", "", "");
  gtk_widget_add_css_class (self->fold, "fold");
  gtk_widget_hide (self->fold); /* until it is remembered */
  tsr_navigation_set_folded (self, FALSE);
}

TsrNavigation *
tsr_navigation_new (void)
{
  return g_object_new (TSR_TYPE_NAVIGATION, NULL);
}

void
tsr_navigation_set_viewport (TsrNavigation *self, TsrViewport *viewport)
{
  g_return_if_fail (TSR_IS_NAVIGATION (self) && TSR_IS_VIEWPORT (viewport));

  if (self->viewport != NULL)
    g_signal_handlers_disconnect_by_data (self->viewport, self);
  g_set_object (&self->viewport, viewport);
  g_signal_connect_swapped (viewport, "changed", G_CALLBACK (update), self);
  update (self);
}

void
tsr_navigation_set_settings (TsrNavigation *self, TsrSettings *settings)
{
  g_return_if_fail (TSR_IS_NAVIGATION (self) && TSR_IS_SETTINGS (settings));

  g_clear_object (&self->settings);
  tsr_navigation_set_folded (self,
                             tsr_settings_has_word (settings, "collapsed-sections", FOLDED_WORD));
  self->settings = g_object_ref (settings);
  gtk_widget_show (self->fold);
}

gboolean
tsr_navigation_is_folded (TsrNavigation *self)
{
  g_return_val_if_fail (TSR_IS_NAVIGATION (self), FALSE);
  return !gtk_widget_get_visible (self->strip);
}

GtkEntry *
tsr_navigation_get_entry (TsrNavigation *self)
{
  g_return_val_if_fail (TSR_IS_NAVIGATION (self), NULL);
  return self->entry;
}

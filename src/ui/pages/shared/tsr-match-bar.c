/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The entry, its count and its buttons; subclasses do the search. */

#include "config.h"

#include "tsr-match-bar.h"

#include <glib/gi18n.h>

#define MOST_COUNT_CHARS 18
#define DELAY_MS         150 /* a worker looks at everything */

typedef struct
{
  GtkWidget *box, *entry, *previous, *next;
  GtkLabel *count;
} TsrMatchBarPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TsrMatchBar, tsr_match_bar, GTK_TYPE_WIDGET)

enum
{
  PREVIOUS,
  NEXT,
  LEFT,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static TsrMatchBarPrivate *
get_private (TsrMatchBar *self)
{
  return tsr_match_bar_get_instance_private (self);
}

const char *
tsr_match_bar_get_text (TsrMatchBar *self)
{
  g_return_val_if_fail (TSR_IS_MATCH_BAR (self), NULL);
  return gtk_editable_get_text (GTK_EDITABLE (get_private (self)->entry));
}

void
tsr_match_bar_set_text (TsrMatchBar *self, const char *text)
{
  g_return_if_fail (TSR_IS_MATCH_BAR (self) && text != NULL);
  gtk_editable_set_text (GTK_EDITABLE (get_private (self)->entry), text);
}

GtkWidget *
tsr_match_bar_get_entry (TsrMatchBar *self)
{
  g_return_val_if_fail (TSR_IS_MATCH_BAR (self), NULL);
  return get_private (self)->entry;
}

void
tsr_match_bar_show_error (TsrMatchBar *self, const char *text)
{
  GtkWidget *entry;

  g_return_if_fail (TSR_IS_MATCH_BAR (self));
  entry = get_private (self)->entry;
  if (text != NULL)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  gtk_widget_set_tooltip_text (entry,
                               text != NULL ? text : _ (TSR_MATCH_BAR_GET_CLASS (self)->hint));
}

void
tsr_match_bar_show_count (TsrMatchBar *self, const char *count, const char *tooltip, gboolean any)
{
  TsrMatchBarPrivate *priv;

  g_return_if_fail (TSR_IS_MATCH_BAR (self) && count != NULL);
  priv = get_private (self);
  gtk_label_set_label (priv->count, count);
  gtk_widget_set_tooltip_text (GTK_WIDGET (priv->count), tooltip);
  gtk_widget_set_sensitive (priv->previous, any);
  gtk_widget_set_sensitive (priv->next, any);
}

static void
on_changed (TsrMatchBar *self)
{
  TSR_MATCH_BAR_GET_CLASS (self)->changed (self);
}

static void
step (TsrMatchBar *self, guint signal)
{
  TsrMatchBarClass *klass = TSR_MATCH_BAR_GET_CLASS (self);

  if (klass->settle != NULL)
    klass->settle (self);
  g_signal_emit (self, signals[signal], 0);
}

static void
on_previous (TsrMatchBar *self)
{
  step (self, PREVIOUS);
}

static void
on_next (TsrMatchBar *self)
{
  step (self, NEXT);
}

/* The entry has no signal for it. */
static gboolean
on_shift_enter (GtkWidget *widget, GVariant *args, gpointer data)
{
  on_previous (TSR_MATCH_BAR (widget));
  return TRUE;
}

/* Escape: first the text goes, then the keyboard goes on to what is searched. */
static void
on_stop (TsrMatchBar *self)
{
  if (*tsr_match_bar_get_text (self) == '\0')
    g_signal_emit (self, signals[LEFT], 0);
  tsr_match_bar_set_text (self, "");
}

static gboolean
tsr_match_bar_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (get_private (TSR_MATCH_BAR (widget))->entry);
}

static void
tsr_match_bar_dispose (GObject *object)
{
  g_clear_pointer (&get_private (TSR_MATCH_BAR (object))->box, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_match_bar_parent_class)->dispose (object);
}

static GtkWidget *
new_button (TsrMatchBar *self, const char *icon, const char *text, GCallback callback)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

/* What the class says is known from here on. */
static void
tsr_match_bar_constructed (GObject *object)
{
  TsrMatchBar *self = TSR_MATCH_BAR (object);
  TsrMatchBarClass *klass = TSR_MATCH_BAR_GET_CLASS (self);
  TsrMatchBarPrivate *priv = get_private (self);

  G_OBJECT_CLASS (tsr_match_bar_parent_class)->constructed (object);
  gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (priv->entry), klass->delay);
  gtk_editable_set_width_chars (GTK_EDITABLE (priv->entry), klass->least_chars);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (priv->entry), klass->most_chars);
  g_object_set (priv->entry, "placeholder-text", _ (klass->name), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (priv->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (klass->name), -1);
  gtk_label_set_width_chars (priv->count, klass->count_chars);
  priv->previous
      = new_button (self, "go-up-symbolic", _ (klass->previous), G_CALLBACK (on_previous));
  priv->next = new_button (self, "go-down-symbolic", _ (klass->next), G_CALLBACK (on_next));
  gtk_box_append (GTK_BOX (priv->box), priv->previous);
  gtk_box_append (GTK_BOX (priv->box), priv->next);
  g_signal_connect_swapped (priv->entry, "search-changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (priv->entry, "activate", G_CALLBACK (on_next), self);
  g_signal_connect_swapped (priv->entry, "previous-match", G_CALLBACK (on_previous), self);
  g_signal_connect_swapped (priv->entry, "next-match", G_CALLBACK (on_next), self);
  g_signal_connect_swapped (priv->entry, "stop-search", G_CALLBACK (on_stop), self);
  tsr_match_bar_show_error (self, NULL);
  tsr_match_bar_show_count (self, "", NULL, FALSE);
}

static void
tsr_match_bar_class_init (TsrMatchBarClass *klass)
{
  static const char *const names[N_SIGNALS] = { "previous", "next", "left" };
  static const guint enters[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = tsr_match_bar_constructed;
  G_OBJECT_CLASS (klass)->dispose = tsr_match_bar_dispose;
  widget_class->grab_focus = tsr_match_bar_grab_focus;
  klass->previous = N_ ("Previous match (Shift+Enter, P)");
  klass->next = N_ ("Next match (Enter, N)");
  klass->least_chars = 12;
  klass->most_chars = 24;
  klass->count_chars = 5;
  klass->delay = DELAY_MS;
  for (guint i = 0; i < G_N_ELEMENTS (enters); i++)
    gtk_widget_class_add_binding (widget_class, enters[i], GDK_SHIFT_MASK, on_shift_enter, NULL);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 0);
}

static void
tsr_match_bar_init (TsrMatchBar *self)
{
  TsrMatchBarPrivate *priv = get_private (self);

  priv->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (priv->box, "linked");
  priv->entry = gtk_search_entry_new ();
  priv->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (priv->count), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (priv->count), "step-count");
  /* What comes must not make the window wider. */
  gtk_label_set_ellipsize (priv->count, PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (priv->count, MOST_COUNT_CHARS);
  gtk_box_append (GTK_BOX (priv->box), priv->entry);
  gtk_box_append (GTK_BOX (priv->box), GTK_WIDGET (priv->count));
  gtk_widget_set_parent (priv->box, GTK_WIDGET (self));
}

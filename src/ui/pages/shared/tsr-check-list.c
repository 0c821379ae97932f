/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Buttons in a box that scrolls when it is high. */

#include "config.h"

#include "tsr-check-list.h"

#define MOST_HEIGHT 480
#define WORD_KEY    "tsr-word"

struct _TsrCheckList
{
  GtkWidget parent_instance;

  GtkWidget *scrolled;
  GtkBox *box;
  gboolean setting; /* not the user's doing */
};

G_DEFINE_FINAL_TYPE (TsrCheckList, tsr_check_list, GTK_TYPE_WIDGET)

static guint toggled_signal;

static const char *
get_word (GtkWidget *child)
{
  return g_object_get_data (G_OBJECT (child), WORD_KEY);
}

static void
on_active (GtkCheckButton *button, GParamSpec *pspec, TsrCheckList *self)
{
  if (!self->setting)
    g_signal_emit (self, toggled_signal, 0, get_word (GTK_WIDGET (button)),
                   gtk_check_button_get_active (button));
}

void
tsr_check_list_add_heading (TsrCheckList *self, const char *text)
{
  GtkWidget *label;

  g_return_if_fail (TSR_IS_CHECK_LIST (self));
  label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_box_append (self->box, label);
}

void
tsr_check_list_add (TsrCheckList *self, const char *word, const char *label, const char *tooltip)
{
  GtkWidget *button;

  g_return_if_fail (TSR_IS_CHECK_LIST (self) && word != NULL);
  button = gtk_check_button_new_with_label (label);
  gtk_widget_set_tooltip_text (button, tooltip);
  g_object_set_data_full (G_OBJECT (button), WORD_KEY, g_strdup (word), g_free);
  g_signal_connect_object (button, "notify::active", G_CALLBACK (on_active), self, 0);
  gtk_box_append (self->box, button);
}

gboolean
tsr_check_list_is_empty (TsrCheckList *self)
{
  g_return_val_if_fail (TSR_IS_CHECK_LIST (self), TRUE);
  return gtk_widget_get_first_child (GTK_WIDGET (self->box)) == NULL;
}

void
tsr_check_list_clear (TsrCheckList *self)
{
  g_return_if_fail (TSR_IS_CHECK_LIST (self));
  for (GtkWidget *child; (child = gtk_widget_get_first_child (GTK_WIDGET (self->box))) != NULL;)
    gtk_box_remove (self->box, child);
}

gboolean
tsr_check_list_knows_any (TsrCheckList *self, const char *const *words)
{
  g_return_val_if_fail (TSR_IS_CHECK_LIST (self) && words != NULL, FALSE);
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->box)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (get_word (child) != NULL && g_strv_contains (words, get_word (child)))
      return TRUE;
  return tsr_check_list_is_empty (self);
}

GStrv
tsr_check_list_dup_words (const char *const *words, const char *word, gboolean with)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (words != NULL && word != NULL, NULL);
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0' && !g_str_equal (words[i], word))
      g_strv_builder_add (builder, words[i]);
  if (with)
    g_strv_builder_add (builder, word);
  return g_strv_builder_end (builder);
}

void
tsr_check_list_set_checked (TsrCheckList *self, const char *const *words, gboolean but)
{
  g_return_if_fail (TSR_IS_CHECK_LIST (self) && words != NULL);
  self->setting = TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->box)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (get_word (child) != NULL)
      gtk_check_button_set_active (GTK_CHECK_BUTTON (child),
                                   g_strv_contains (words, get_word (child)) != but);
  self->setting = FALSE;
}

static void
tsr_check_list_dispose (GObject *object)
{
  g_clear_pointer (&TSR_CHECK_LIST (object)->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS (tsr_check_list_parent_class)->dispose (object);
}

static void
tsr_check_list_class_init (TsrCheckListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_check_list_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  toggled_signal = g_signal_new ("toggled", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
}

static void
tsr_check_list_init (TsrCheckList *self)
{
  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scrolled), MOST_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->box));
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

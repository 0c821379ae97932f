/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widget that takes the place of an empty list. */

#include "config.h"

#include "tsr-row-message.h"

#include "tsr-traffic-label.h"

#include <glib/gi18n.h>

struct _TsrRowMessage
{
  GtkWidget parent_instance;

  GtkWidget *title;
  GtkWidget *text;
  TsrTrafficLabel *traffic;
  GtkWidget *clear_button;
};

G_DEFINE_FINAL_TYPE (TsrRowMessage, tsr_row_message, GTK_TYPE_WIDGET)

static guint clear_signal;

static void
set_optional_text (GtkWidget *label, const char *text)
{
  gtk_label_set_label (GTK_LABEL (label), text != NULL ? text : "");
  gtk_widget_set_visible (label, text != NULL);
}

void
tsr_row_message_set (TsrRowMessage *self, const char *title, const char *text, gboolean can_clear)
{
  g_return_if_fail (TSR_IS_ROW_MESSAGE (self));
  set_optional_text (self->title, title);
  set_optional_text (self->text, text);
  gtk_widget_set_visible (self->clear_button, can_clear);
}

void
tsr_row_message_set_stages (TsrRowMessage *self, TsrSession *session, guint stages)
{
  g_return_if_fail (TSR_IS_ROW_MESSAGE (self));
  tsr_traffic_label_set_stages (self->traffic, session, stages);
}

static void
on_clicked (TsrRowMessage *self)
{
  g_signal_emit (self, clear_signal, 0);
}

static GtkWidget *
add_label (GtkWidget *box, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 60);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
tsr_row_message_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  if (child != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (tsr_row_message_parent_class)->dispose (object);
}

static void
tsr_row_message_class_init (TsrRowMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_row_message_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  clear_signal = g_signal_new ("clear", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 0);
}

static void
tsr_row_message_init (TsrRowMessage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_widget_add_css_class (box, "page-message");
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  self->title = add_label (box, "heading");
  self->text = add_label (box, "dim-label");
  self->traffic = tsr_traffic_label_new ();
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->traffic));
  self->clear_button = gtk_button_new_with_mnemonic (_ ("_Clear Filter"));
  gtk_widget_set_halign (self->clear_button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->clear_button, "clicked", G_CALLBACK (on_clicked), self);
  gtk_box_append (GTK_BOX (box), self->clear_button);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  tsr_row_message_set (self, NULL, NULL, FALSE);
}

TsrRowMessage *
tsr_row_message_new (void)
{
  return g_object_new (TSR_TYPE_ROW_MESSAGE, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-home.h"

#include <glib/gi18n.h>

struct _TsrHome
{
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (TsrHome, tsr_home, GTK_TYPE_WIDGET)

static void
tsr_home_dispose (GObject *object)
{
  for (GtkWidget *child; (child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL;)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (tsr_home_parent_class)->dispose (object);
}

static void
tsr_home_class_init (TsrHomeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tsr_home_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
tsr_home_init (TsrHome *self)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Open a report…"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.open");
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_parent (button, GTK_WIDGET (self));
}

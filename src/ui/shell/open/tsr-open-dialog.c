/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window around the two tabs. */

#include "config.h"

#include "tsr-open-dialog.h"

#include "tsr-ui-init.h"

#include <glib/gi18n.h>

struct _TsrOpenDialog
{
  AdwWindow parent_instance;

  GtkStack *stack;
  GtkWidget *open_button;

  TsrSettings *settings;
  TsrFolderBrowser *local; /* in the stack */
  TsrRemoteTab *remote;    /* in the stack */
};

G_DEFINE_FINAL_TYPE (TsrOpenDialog, tsr_open_dialog, ADW_TYPE_WINDOW)

enum
{
  CHOSEN,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void
choose (TsrOpenDialog *self, const char *location)
{
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_bytestring (location));

  g_object_ref (self);
  g_signal_emit (self, signals[CHOSEN], 0, value);
  gtk_window_close (GTK_WINDOW (self));
  g_object_unref (self);
}

static void
on_local_chosen (TsrFolderBrowser *browser, GVariant *path, TsrOpenDialog *self)
{
  choose (self, g_variant_get_bytestring (path));
}

static gboolean
is_remote (TsrOpenDialog *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "remote") == 0;
}

static TsrFolderBrowser *
get_browser (TsrOpenDialog *self)
{
  return is_remote (self) ? tsr_remote_tab_get_browser (self->remote) : self->local;
}

static void
on_remote_chosen (TsrRemoteTab *tab, GVariant *location, TsrOpenDialog *self)
{
  choose (self, g_variant_get_bytestring (location));
}

static void
on_open (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrFolderBrowser *browser = get_browser (TSR_OPEN_DIALOG (widget));

  if (browser != NULL)
    tsr_folder_browser_open (browser);
}

/* Open is for a folder that is shown; the fields of a host have a button of their own. */
static void
update_open (TsrOpenDialog *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dialog.open", get_browser (self) != NULL);
}

static void
on_tab_changed (TsrOpenDialog *self)
{
  update_open (self);
  gtk_widget_grab_focus (is_remote (self) ? GTK_WIDGET (self->remote) : GTK_WIDGET (self->local));
}

static void
on_turn (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrOpenDialog *self = TSR_OPEN_DIALOG (widget);

  gtk_stack_set_visible_child_name (self->stack, is_remote (self) ? "local" : "remote");
}

/* As in a notebook, and before a list takes the keys to move in itself. */
static void
add_turn_keys (TsrOpenDialog *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_shortcut_trigger_parse_string (
                            "<Control>Page_Down|<Control>Page_Up|<Control>KP_Page_Down|"
                            "<Control>KP_Page_Up"),
                        gtk_named_action_new ("dialog.turn")));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

static void
add_local (TsrOpenDialog *self)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autofree char *folder = tsr_settings_dup_string (self->settings, "open-folder");

  self->local = tsr_folder_browser_new (place, g_get_home_dir (), self->settings);
  gtk_stack_add_titled (self->stack, GTK_WIDGET (self->local), "local", _ ("Local"));
  g_signal_connect (self->local, "chosen", G_CALLBACK (on_local_chosen), self);
  if (*folder != '\0' && g_file_test (folder, G_FILE_TEST_IS_DIR))
    tsr_folder_browser_go_to (self->local, folder);
  else
    tsr_folder_browser_go_home (self->local);
}

static void
add_remote (TsrOpenDialog *self, TsrApplication *application)
{
  self->remote = tsr_remote_tab_new (tsr_application_get_remote (application),
                                     tsr_application_get_asker (application), self->settings);
  gtk_stack_add_titled (self->stack, GTK_WIDGET (self->remote), "remote", _ ("Remote"));
  g_signal_connect (self->remote, "chosen", G_CALLBACK (on_remote_chosen), self);
  g_signal_connect_object (self->remote, "state-changed", G_CALLBACK (update_open), self,
                           G_CONNECT_SWAPPED);
}

void
tsr_open_dialog_show_remote (TsrOpenDialog *self, const char *location, const GError *error)
{
  g_return_if_fail (TSR_IS_OPEN_DIALOG (self));
  if (location != NULL)
    tsr_remote_tab_set_location (self->remote, location);
  tsr_host_form_set_error (tsr_remote_tab_get_form (self->remote), error);
  gtk_stack_set_visible_child_name (self->stack, "remote");
}

void
tsr_open_dialog_show_beside (TsrOpenDialog *self, const char *location)
{
  g_return_if_fail (TSR_IS_OPEN_DIALOG (self) && location != NULL);
  if (tsr_ssh_address_is_one (location))
    {
      gtk_stack_set_visible_child_name (self->stack, "remote");
      tsr_remote_tab_go_beside (self->remote, location);
    }
  else
    tsr_folder_browser_go_above (self->local, location);
}

TsrRemoteTab *
tsr_open_dialog_get_remote (TsrOpenDialog *self)
{
  g_return_val_if_fail (TSR_IS_OPEN_DIALOG (self), NULL);
  return self->remote;
}

TsrFolderBrowser *
tsr_open_dialog_get_local (TsrOpenDialog *self)
{
  g_return_val_if_fail (TSR_IS_OPEN_DIALOG (self), NULL);
  return self->local;
}

static void
tsr_open_dialog_dispose (GObject *object)
{
  g_clear_object (&TSR_OPEN_DIALOG (object)->settings);
  G_OBJECT_CLASS (tsr_open_dialog_parent_class)->dispose (object);
}

static void
tsr_open_dialog_class_init (TsrOpenDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_open_dialog_dispose;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_VARIANT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               TSR_RESOURCE_PATH "/tsr-open-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, TsrOpenDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, TsrOpenDialog, open_button);
  gtk_widget_class_install_action (widget_class, "dialog.open", NULL, on_open);
  gtk_widget_class_install_action (widget_class, "dialog.turn", NULL, on_turn);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
tsr_open_dialog_init (TsrOpenDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_turn_keys (self);
}

TsrOpenDialog *
tsr_open_dialog_new (GtkWindow *parent, TsrApplication *application)
{
  TsrOpenDialog *self;

  g_return_val_if_fail (TSR_IS_APPLICATION (application), NULL);
  self = g_object_new (TSR_TYPE_OPEN_DIALOG, "transient-for", parent, NULL);
  self->settings = g_object_ref (tsr_application_get_settings (application));
  add_local (self);
  add_remote (self, application);
  update_open (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->local));
  g_signal_connect_object (self->stack, "notify::visible-child", G_CALLBACK (on_tab_changed), self,
                           G_CONNECT_SWAPPED);
  return self;
}

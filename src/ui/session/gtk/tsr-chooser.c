/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks the session bus, in a sandbox, whether there is a portal for choosers of files before one is
 * shown: GTK is silent where there is none.  Main thread. */

#include "config.h"

#include "tsr-chooser.h"

#include "tsr-sandbox.h"

#include <glib/gi18n.h>

/* A portal that has to be started first may need seconds. */
#define PATIENCE_MS 10000

static void
say_none (GtkNativeDialog *dialog, const char *problem)
{
  GtkWidget *message = gtk_message_dialog_new (gtk_native_dialog_get_transient_for (dialog),
                                               GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                               GTK_MESSAGE_WARNING, GTK_BUTTONS_CLOSE, "%s",
                                               _ ("No file can be chosen"));

  gtk_message_dialog_format_secondary_text (
      GTK_MESSAGE_DIALOG (message),
      _ ("Tessera runs in a sandbox (Flatpak), in which files are chosen and saved by a portal of "
         "the desktop, and this desktop has none: %s.\n\nInstall xdg-desktop-portal and the one "
         "for your desktop (xdg-desktop-portal-gtk, -gnome or -kde), and log in again."),
      problem);
  g_signal_connect (message, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (message));
}

static void
finish (GWeakRef *wanted, GVariant *version, GError *error)
{
  GtkNativeDialog *dialog = g_weak_ref_get (wanted);

  g_weak_ref_clear (wanted);
  g_free (wanted);
  if (dialog != NULL && version != NULL)
    gtk_native_dialog_show (dialog);
  else if (dialog != NULL)
    {
      g_dbus_error_strip_remote_error (error);
      say_none (dialog, error->message);
      g_signal_emit_by_name (dialog, "response", GTK_RESPONSE_CANCEL);
    }
  g_clear_object (&dialog);
}

static void
on_version (GObject *bus, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) version
      = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, &error);

  finish (data, version, error);
}

static void
on_bus (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_finish (result, &error);

  if (bus == NULL)
    finish (data, NULL, error);
  else
    g_dbus_connection_call (
        bus, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
        "org.freedesktop.DBus.Properties", "Get",
        g_variant_new ("(ss)", "org.freedesktop.portal.FileChooser", "version"),
        G_VARIANT_TYPE ("(v)"), G_DBUS_CALL_FLAGS_NONE, PATIENCE_MS, NULL, on_version, data);
}

void
tsr_chooser_show (GtkNativeDialog *dialog)
{
  GWeakRef *wanted;

  g_return_if_fail (GTK_IS_NATIVE_DIALOG (dialog));
  if (!tsr_sandbox_is_here ())
    {
      gtk_native_dialog_show (dialog);
      return;
    }
  wanted = g_new (GWeakRef, 1);
  g_weak_ref_init (wanted, dialog);
  g_bus_get (G_BUS_TYPE_SESSION, NULL, on_bus, wanted);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Saving in a sandbox, on a session bus whose portal does not choose files, and on one where it
 * does. */

#include "config.h"

#include "tsr-save-dialog.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <string.h>

/* LeakSanitizer asks for it, in this program alone: GTK 4.8's file chooser loses what it asked of
 * the folders in its path bar, which a program does too that has nothing but such a chooser.  Made
 * in a thread of GIO by functions without names, so that no narrower line would match. */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libgio-2.0.so\n";
}

static const char portal[] = "<node><interface name='org.freedesktop.portal.FileChooser'>"
                             "<property name='version' type='u' access='read'/></interface></node>";

static void
on_saved (gpointer object, GFile *file)
{
  g_assert_not_reached ();
}

static GVariant *
get_version (GDBusConnection *bus,
             const char *sender,
             const char *path,
             const char *interface,
             const char *name,
             GError **error,
             gpointer data)
{
  return g_variant_new_uint32 (3);
}

/* (nullable): the dialog that is open over @window. */
static GtkWindow *
get_dialog (GtkWindow *window)
{
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) one = g_list_model_get_item (all, i);

      if (one != window && gtk_widget_get_visible (GTK_WIDGET (one)))
        return one;
    }
  return NULL;
}

static GtkWindow *
wait_for_dialog (GtkWindow *window)
{
  gint64 end = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

  while (get_dialog (window) == NULL && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  return get_dialog (window);
}

static gboolean
tick (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
expect_message (GtkWindow *window)
{
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);
  GtkWindow *dialog;

  tsr_save_dialog_show (GTK_WIDGET (window), "tiles", on_saved, object);
  dialog = wait_for_dialog (window);
  g_assert_true (GTK_IS_MESSAGE_DIALOG (dialog));
  g_assert_true (gtk_window_get_transient_for (dialog) == window);
  g_assert_true (tsr_ui_test_says (GTK_WIDGET (dialog), "No file can be chosen"));
  g_assert_true (tsr_ui_test_says (GTK_WIDGET (dialog), "xdg-desktop-portal-gtk"));
  /* Nobody waits for an answer any more. */
  g_assert_finalize_object (object);
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_CLOSE);
  g_assert_null (get_dialog (window));
}

static void
test_portal (void)
{
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (portal, NULL);
  static const GDBusInterfaceVTable table = { .get_property = get_version };
  char *folder = tsr_test_folder_new ();
  g_autofree char *info = g_build_filename (folder, "info", NULL);
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());
  guint ticks = g_timeout_add (20, tick, NULL);
  GtkWindow *dialog;
  guint name, n;

  g_assert_nonnull (bus);
  tsr_test_write (folder, "info", "[Application]\n", -1);
  g_setenv ("TSR_FLATPAK_INFO", info, TRUE);
  gtk_window_present (window);

  /* First of all: the bus would start the machine's own. */
  name = g_bus_own_name_on_connection (bus, "org.freedesktop.portal.Desktop", 0, NULL, NULL, NULL,
                                       NULL);
  g_dbus_connection_flush_sync (bus, NULL, NULL);
  expect_message (window);

  n = g_dbus_connection_register_object (bus, "/org/freedesktop/portal/desktop",
                                         node->interfaces[0], &table, NULL, NULL, NULL);
  tsr_save_dialog_show (GTK_WIDGET (window), "tiles", on_saved, object);
  dialog = wait_for_dialog (window);
  g_assert_true (GTK_IS_FILE_CHOOSER (dialog));
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  g_assert_finalize_object (object);

  g_dbus_connection_unregister_object (bus, n);
  g_bus_unown_name (name);
  g_source_remove (ticks);
  gtk_window_destroy (window);
  g_unsetenv ("TSR_FLATPAK_INFO");
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;
  g_test_add_func ("/chooser/portal", test_portal);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Command line and application-wide actions.  A second start hands its words to the first. */

#include "config.h"

#include "tsr-application-private.h"

#include "tsr-recent-report.h"
#include "tsr-ui-init.h"
#include "tsr-window.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

G_DEFINE_FINAL_TYPE (TsrApplication, tsr_application, ADW_TYPE_APPLICATION)

static const GOptionEntry options[] = {
  { "page", 'p', G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, NULL,
    N_ ("Show this page first: summary, insights, memory, liveness, trace, programs, "
        "operations"),
    N_ ("PAGE") },
  { "new-window", 'n', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL, N_ ("Open a new window"),
    NULL },
  { "demo", 'd', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL, N_ ("Open the demo report"), NULL },
  { "version", 'v', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"),
    NULL },
  { G_OPTION_REMAINING, 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL,
    N_ ("[REPORT…]") },
  { NULL },
};

static gboolean
find_view (const char *nick, TsrView *view)
{
  for (guint i = 0; i < TSR_N_VIEWS; i++)
    if (g_ascii_strcasecmp (tsr_view_get_nick (i), nick) == 0 && tsr_pages_find (i) != NULL)
      {
        *view = i;
        return TRUE;
      }
  return FALSE;
}

/* A window that shows nothing yet, else a new one. */
static TsrWindow *
free_window (TsrApplication *self, gboolean new_window)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL && !new_window;
       l = l->next)
    if (TSR_IS_WINDOW (l->data) && tsr_window_is_home (l->data))
      return l->data;
  return tsr_window_new (self);
}

static void
open_path (TsrApplication *self, const char *path, TsrView view, gboolean new_window)
{
  TsrWindow *window = free_window (self, new_window);

  gtk_window_present (GTK_WINDOW (window));
  tsr_window_open (window, path, view);
}

static void
tsr_application_activate (GApplication *application)
{
  TsrApplication *self = TSR_APPLICATION (application);
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (window == NULL)
    window = GTK_WINDOW (tsr_window_new (self));
  gtk_window_present (window);
}

static void
tsr_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  for (int i = 0; i < n_files; i++)
    {
      g_autofree char *path = g_file_get_path (files[i]);

      if (path == NULL)
        path = g_file_get_uri (files[i]);
      open_path (TSR_APPLICATION (application), path, TSR_N_VIEWS, FALSE);
    }
}

static int
tsr_application_command_line (GApplication *application, GApplicationCommandLine *line)
{
  TsrApplication *self = TSR_APPLICATION (application);
  GVariantDict *dict = g_application_command_line_get_options_dict (line);
  g_autofree const char **paths = NULL;
  g_autofree char *demo = NULL;
  const char *page = NULL;
  gboolean new_window = FALSE, want_demo = FALSE;
  TsrView view = TSR_N_VIEWS;

  g_variant_dict_lookup (dict, "page", "&s", &page);
  g_variant_dict_lookup (dict, "new-window", "b", &new_window);
  g_variant_dict_lookup (dict, "demo", "b", &want_demo);
  g_variant_dict_lookup (dict, G_OPTION_REMAINING, "^a&ay", &paths);
  if (page != NULL && !find_view (page, &view))
    {
      g_application_command_line_printerr (line, _ ("tessera: there is no page named “%s”\n"),
                                           page);
      return 2;
    }
  if (want_demo && (demo = tsr_application_dup_demo_path ()) == NULL)
    {
      g_application_command_line_printerr (line, _ ("tessera: the demo report is not installed\n"));
      return 2;
    }
  if (demo != NULL)
    open_path (self, demo, view, new_window);
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    {
      g_autoptr (GFile) file = g_application_command_line_create_file_for_arg (line, paths[i]);
      g_autofree char *path
          = tsr_link_is_link (paths[i]) ? g_strdup (paths[i]) : g_file_get_path (file);

      open_path (self, path != NULL ? path : paths[i], view, new_window);
    }
  if (demo == NULL && (paths == NULL || paths[0] == NULL))
    {
      if (new_window)
        gtk_window_present (GTK_WINDOW (tsr_window_new (self)));
      else
        g_application_activate (application);
    }
  return 0;
}

static int
tsr_application_handle_local_options (GApplication *application, GVariantDict *dict)
{
  if (g_variant_dict_contains (dict, "version"))
    {
      g_print ("tessera %s\n", TSR_VERSION);
      return 0;
    }
  return -1;
}

static void
on_color_scheme_changed (TsrApplication *self)
{
  g_autofree char *scheme = tsr_settings_dup_string (self->settings, "color-scheme");
  AdwColorScheme wanted = ADW_COLOR_SCHEME_DEFAULT;

  if (g_str_equal (scheme, "light"))
    wanted = ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (g_str_equal (scheme, "dark"))
    wanted = ADW_COLOR_SCHEME_FORCE_DARK;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), wanted);
}

static void
on_new_window (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (GTK_WINDOW (tsr_window_new (data)));
}

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrApplication *self = data;

  for (GList *l; (l = gtk_application_get_windows (GTK_APPLICATION (self))) != NULL;)
    {
      g_autoptr (GtkWindow) window = g_object_ref (l->data);

      /* What a window keeps of itself when it is closed, it keeps now, too. */
      gtk_window_close (window);
      gtk_window_destroy (window);
    }
}

/* Alt+1 is the first page of the side menu, and so on. */
static void
add_page_keys (TsrApplication *self)
{
  guint n_pages = 0;
  const TsrPageInfo *pages = tsr_pages_get (&n_pages);

  for (guint i = 0; i < MIN (n_pages, 9); i++)
    {
      g_autofree char *action = g_strconcat ("win.view-", tsr_view_get_nick (pages[i].view), NULL);
      g_autofree char *key = g_strdup_printf ("<Alt>%u", i + 1);
      const char *keys[] = { key, NULL };

      gtk_application_set_accels_for_action (GTK_APPLICATION (self), action, keys);
    }
}

/* Returns 0 if it can, or what is wrong (errno); makes nothing. */
static int
can_be_written (const char *folder)
{
  g_autofree char *at = g_strdup (folder);

  while (!g_file_test (at, G_FILE_TEST_EXISTS))
    {
      char *above = g_path_get_dirname (at);

      g_free (at);
      at = above;
    }
  return g_access (at, W_OK | X_OK) == 0 ? 0 : errno;
}

/* What a machine usually has and this one does not: a sentence for each, and nothing of what
 * libraries would say.  Comes before anything reads settings or asks for the bus of screen readers,
 * which their variables are for. */
static char *
dup_remarks (GApplication *application)
{
  const char *folders[] = { g_get_user_config_dir (), g_get_user_data_dir () };
  GString *text = g_string_new (NULL);

  if (g_application_get_dbus_connection (application) == NULL)
    {
      g_setenv ("GTK_A11Y", "none", FALSE);
      g_string_append_printf (text, "tessera: %s\n",
                              _ ("there is no session bus: screen readers do not see the window, "
                                 "and another start does not "
                                 "find it; “dbus-run-session tessera” starts it with a bus"));
    }
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      int wrong = can_be_written (folders[i]);
      g_autofree char *settings = g_build_filename (folders[i], "glib-2.0", "settings", NULL);

      if (wrong == 0)
        continue;
      if (i == 0 && !g_file_test (settings, G_FILE_TEST_IS_DIR)
          && g_strcmp0 (g_getenv ("GSETTINGS_BACKEND"), "keyfile") == 0)
        g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
      g_string_append (text, "tessera: ");
      g_string_append_printf (text,
                              _ ("%s cannot be written (%s): settings, recent reports and markers "
                                 "are not kept; set HOME to a folder of yours to keep them"),
                              folders[i], g_strerror (wrong));
      g_string_append_c (text, '\n');
      break;
    }
  return g_string_free (text, FALSE);
}

static void
tsr_application_startup (GApplication *application)
{
  static const GActionEntry actions[] = {
    { .name = "new-window", .activate = on_new_window },
    { .name = "quit", .activate = on_quit },
  };
  static const struct
  {
    const char *action;
    const char *keys[3];
  } keys[] = {
    { "app.new-window", { "<Control>n" } },
    { "app.quit", { "<Control>q" } },
    { "win.open", { "<Control>o" } },
    { "win.open-remote", { "<Control><Shift>o" } },
    { "win.back", { "<Alt>Left" } },
    { "win.forward", { "<Alt>Right" } },
    { "win.find", { "<Control>k" } },
    { "win.toggle-sidebar", { "<Control>b" } },
    { "win.help", { "F1" } },
    { "win.show-help-overlay", { "<Control>question" } },
    { "win.preferences", { "<Control>comma" } },
    { "win.copy-link", { "<Control><Shift>l" } },
    { "win.copy-page", { "<Control><Shift>c" } },
    { "win.diagnostics", { "<Control><Shift>d" } },
    { "report.reload", { "F5", "<Control>r" } },
    { "report.close", { "<Control><Shift>w" } },
    { "window.close", { "<Control>w" } },
  };
  TsrApplication *self = TSR_APPLICATION (application);
  g_autofree char *remarks = dup_remarks (application);

  /* GTK's own words for it help nobody. */
  if (!gtk_init_check ())
    {
      g_printerr ("tessera: %s\n", _ ("there is no display for a window: set DISPLAY or "
                                      "WAYLAND_DISPLAY, or use tessera-cli, which needs none"));
      exit (EXIT_FAILURE);
    }
  g_printerr ("%s", remarks);
  G_APPLICATION_CLASS (tsr_application_parent_class)->startup (application);
  tsr_ui_init ();
  g_set_object (&self->settings, tsr_settings_get_default ());
  g_signal_connect_object (self->settings, "changed::color-scheme",
                           G_CALLBACK (on_color_scheme_changed), self, G_CONNECT_SWAPPED);
  on_color_scheme_changed (self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), keys[i].action,
                                           (const char *const *)keys[i].keys);
  add_page_keys (self);
  gtk_window_set_default_icon_name (TSR_APP_ID);
}

static void
tsr_application_dispose (GObject *object)
{
  TsrApplication *self = TSR_APPLICATION (object);

  if (self->remote.connections != NULL)
    tsr_connections_close_all (self->remote.connections);
  g_clear_pointer (&self->remote.connections, tsr_connections_free);
  g_clear_pointer (&self->remote.cache, tsr_block_cache_unref);
  g_clear_object (&self->asker);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (tsr_application_parent_class)->dispose (object);
}

static void
tsr_application_class_init (TsrApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_application_dispose;
  application_class->startup = tsr_application_startup;
  application_class->activate = tsr_application_activate;
  application_class->open = tsr_application_open;
  application_class->command_line = tsr_application_command_line;
  application_class->handle_local_options = tsr_application_handle_local_options;
}

static void
tsr_application_init (TsrApplication *self)
{
  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), NULL);
  g_application_set_option_context_summary (
      G_APPLICATION (self),
      _ ("Shows where memory and cycles go in a profiling report of a Graphcore IPU program.\n"
         "REPORT is a report's folder, a file in one, one behind ssh as\n"
         "ssh://[user@]host[:port]/path, or a link to a view of one."));
}

TsrApplication *
tsr_application_new (void)
{
  GApplicationFlags flags = G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_HANDLES_OPEN;

  if (g_getenv ("TESSERA_NON_UNIQUE") != NULL)
    flags |= G_APPLICATION_NON_UNIQUE;
  return g_object_new (TSR_TYPE_APPLICATION, "application-id", TSR_APP_ID, "flags", flags,
                       "resource-base-path", TSR_RESOURCE_PATH, NULL);
}

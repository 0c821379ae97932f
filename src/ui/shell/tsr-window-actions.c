/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the menus, the home page and a drop of files do. */

#include "config.h"

#include "tsr-window.h"

#include "tsr-colour-key.h"
#include "tsr-diagnostics-dialog.h"
#include "tsr-help.h"
#include "tsr-location-texts.h"
#include "tsr-open-dialog.h"
#include "tsr-preferences.h"
#include "tsr-recent-report.h"
#include "tsr-structure-copy.h"

#include <glib/gi18n.h>
#include <string.h>

static TsrApplication *
application_of (TsrWindow *self)
{
  return TSR_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)));
}

static void
open_in_new_window (TsrWindow *self, const char *path)
{
  TsrWindow *window = tsr_window_new (application_of (self));

  gtk_window_present (GTK_WINDOW (window));
  tsr_window_open (window, path, TSR_N_VIEWS);
}

/* ---------------------------------------------------------------- opening */

static void
on_chosen (TsrOpenDialog *dialog, GVariant *path, TsrWindow *self)
{
  tsr_window_open (self, g_variant_get_bytestring (path), TSR_N_VIEWS);
}

static TsrOpenDialog *
present_open_dialog (TsrWindow *self)
{
  TsrOpenDialog *dialog = tsr_open_dialog_new (GTK_WINDOW (self), application_of (self));

  g_signal_connect_object (dialog, "chosen", G_CALLBACK (on_chosen), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return dialog;
}

/* (transfer full) (nullable): where the report that is shown lies; the demo lies among the
 * program's own files, where nobody looks for another one. */
static char *
dup_shown_location (TsrWindow *self)
{
  TsrReport *report = tsr_session_get_report (tsr_window_get_session (self));

  return report != NULL && !tsr_application_is_demo (report)
             ? tsr_recent_report_dup_location (report)
             : NULL;
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree char *shown = dup_shown_location (data);
  TsrOpenDialog *dialog = present_open_dialog (data);

  if (shown != NULL)
    tsr_open_dialog_show_beside (dialog, shown);
}

static void
on_open_remote (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree char *shown = dup_shown_location (data);
  TsrOpenDialog *dialog = present_open_dialog (data);

  if (shown != NULL && tsr_ssh_address_is_one (shown))
    tsr_open_dialog_show_beside (dialog, shown);
  else
    tsr_open_dialog_show_remote (dialog, NULL, NULL);
}

/* From the page that says why a report could not be opened. */
static void
on_change_host (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrWindow *self = data;

  tsr_open_dialog_show_remote (present_open_dialog (self), tsr_window_get_location (self),
                               tsr_window_get_error (self));
}

static void
on_open_demo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree char *path = tsr_application_dup_demo_path ();

  if (path != NULL)
    tsr_window_open (data, path, TSR_N_VIEWS);
  else
    tsr_window_toast (data, _ ("The demo report is not installed"));
}

static void
on_open_path (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  /* Opening changes the list that the parameter may come from. */
  g_autofree char *path = g_variant_dup_bytestring (parameter, NULL);

  tsr_window_open (data, path, TSR_N_VIEWS);
}

static void
on_open_path_in_new_window (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree char *path = g_variant_dup_bytestring (parameter, NULL);

  open_in_new_window (data, path);
}

static void
on_copy_path (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree char *shown = tsr_location_dup_shown_path (g_variant_get_bytestring (parameter));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (data), shown);
  tsr_window_toast (data, _ ("Copied"));
}

static void
on_copy_report_link (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GHashTable) words = tsr_view_words_new ();
  g_autofree char *text = tsr_link_dup_text (g_variant_get_bytestring (parameter), words);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (data), text);
  tsr_window_toast (data, _ ("Copied"));
}

static void
on_remove_recent (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree char *path = g_variant_dup_bytestring (parameter, NULL);

  tsr_recents_remove (tsr_recents_get_default (), path);
}

/* From the page that says that a report is gone. */
static void
on_forget_recent (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  on_remove_recent (action, parameter, data);
  gtk_widget_activate_action (data, "report.close", NULL);
}

gboolean
tsr_window_drop (TsrWindow *self, GSList *files)
{
  gboolean first = TRUE;

  g_return_val_if_fail (TSR_IS_WINDOW (self), FALSE);
  for (GSList *l = files; l != NULL; l = l->next)
    {
      g_autofree char *path = g_file_get_path (l->data);

      /* A file manager gives sftp://host/path. */
      if (path == NULL)
        path = g_file_get_uri (l->data);
      if (!g_path_is_absolute (path) && !tsr_link_is_link (path))
        tsr_window_toast (self, _ ("Only files of this computer and of hosts behind ssh can be "
                                   "opened"));
      else if (first)
        tsr_window_open (self, path, TSR_N_VIEWS);
      else
        open_in_new_window (self, path);
      first = FALSE;
    }
  return !first;
}

gboolean
tsr_window_drop_text (TsrWindow *self, const char *text)
{
  g_autofree char *line = NULL;
  g_autofree char *path = NULL;

  g_return_val_if_fail (TSR_IS_WINDOW (self), FALSE);
  line = g_strndup (text != NULL ? text : "", strcspn (text != NULL ? text : "", "\r\n"));
  g_strstrip (line);
  if (g_str_has_prefix (line, "file://"))
    path = g_filename_from_uri (line, NULL, NULL);
  else if (g_path_is_absolute (line) || tsr_link_is_link (line))
    path = g_steal_pointer (&line);
  if (path == NULL)
    {
      tsr_window_toast (self, _ ("This text is neither a path nor a link to a report"));
      return FALSE;
    }
  tsr_window_open (self, path, TSR_N_VIEWS);
  return TRUE;
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, TsrWindow *self)
{
  if (G_VALUE_HOLDS (value, G_TYPE_STRING))
    return tsr_window_drop_text (self, g_value_get_string (value));
  return tsr_window_drop (self, g_value_get_boxed (value));
}

/* ---------------------------------------------------------------- windows beside this one */

static void
show_help (TsrWindow *self, const char *topic)
{
  TsrHelp *help = NULL;

  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (application_of (self)));
       l != NULL && help == NULL; l = l->next)
    if (TSR_IS_HELP (l->data))
      help = l->data;
  if (help == NULL)
    {
      help = tsr_help_new (NULL);
      gtk_window_set_application (GTK_WINDOW (help), GTK_APPLICATION (application_of (self)));
    }
  if (topic != NULL)
    tsr_help_show_topic (help, topic);
  gtk_window_present (GTK_WINDOW (help));
}

/* Help on what is shown. */
static void
on_help (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrPage *page = tsr_report_view_get_page (tsr_window_get_report_view (data));

  show_help (data, page != NULL ? tsr_view_get_nick (tsr_page_get_view (page)) : "start");
}

static void
on_help_topic (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  show_help (data, g_variant_get_string (parameter, NULL));
}

/* The colours of what is shown; without a page all of them. */
static void
on_colours (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrPage *page = tsr_report_view_get_page (tsr_window_get_report_view (data));
  const TsrPageInfo *info = page != NULL ? tsr_pages_find (tsr_page_get_view (page)) : NULL;

  gtk_window_present (tsr_colour_key_new (data, info != NULL ? info->subjects : G_MAXUINT32,
                                          tsr_session_get_memory (tsr_window_get_session (data))));
}

static void
on_preferences (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (tsr_preferences_new (data, application_of (data)));
}

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  adw_show_about_window (
      data, "title", _ ("About Tessera"), "application-name", "Tessera", "application-icon",
      TSR_APP_ID, "version", TSR_VERSION, "developer-name", _ ("The Tessera developers"),
      "license-type", GTK_LICENSE_GPL_3_0, "comments",
      _ ("Shows where memory and cycles go in a profiling report of a Graphcore IPU program.\n\n"
         "Free software, without telemetry: nothing about your reports leaves this computer."),
      NULL);
}

static void
on_diagnostics (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrReport *report = tsr_session_get_report (tsr_window_get_session (data));

  if (report == NULL)
    return;
  gtk_window_present (GTK_WINDOW (tsr_diagnostics_dialog_new (data, report)));
}

static void
on_structure_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TsrWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = tsr_structure_copy_finish (result, &error);

  /* The window may have been closed meanwhile. */
  if (tsr_window_get_session (self) == NULL)
    return;
  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  tsr_window_toast (self, text != NULL ? _ ("The structure is copied: paste it into a bug report")
                                       : error->message);
}

static void
on_copy_structure (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TsrReport *report = tsr_session_get_report (tsr_window_get_session (data));

  if (report != NULL)
    tsr_structure_copy_async (report, on_structure_ready, g_object_ref (data));
}

static void
on_toast (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  tsr_window_toast (data, g_variant_get_string (parameter, NULL));
}

/* ---------------------------------------------------------------- units */

static void
on_units (GSimpleAction *action, GVariant *value, gpointer data)
{
  const char *nick = g_variant_get_string (value, NULL);
  TsrUnits units;

  if (tsr_units_parse (nick, &units))
    tsr_settings_set_string (tsr_window_get_settings (data), "units", nick);
}

static void
on_units_changed (TsrWindow *self)
{
  TsrUnits units = tsr_settings_get_units (tsr_window_get_settings (self));
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "units");

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_string (tsr_units_get_nick (units)));
}

void
tsr_window_add_actions (TsrWindow *self)
{
  static const GActionEntry actions[] = {
    { .name = "open", .activate = on_open },
    { .name = "open-remote", .activate = on_open_remote },
    { .name = "change-host", .activate = on_change_host },
    { .name = "open-demo", .activate = on_open_demo },
    { .name = "open-path", .activate = on_open_path, .parameter_type = "ay" },
    { .name = "open-path-in-new-window",
      .activate = on_open_path_in_new_window,
      .parameter_type = "ay" },
    { .name = "copy-path", .activate = on_copy_path, .parameter_type = "ay" },
    { .name = "copy-report-link", .activate = on_copy_report_link, .parameter_type = "ay" },
    { .name = "remove-recent", .activate = on_remove_recent, .parameter_type = "ay" },
    { .name = "forget-recent", .activate = on_forget_recent, .parameter_type = "ay" },
    { .name = "help", .activate = on_help },
    { .name = "help-topic", .activate = on_help_topic, .parameter_type = "s" },
    { .name = "colours", .activate = on_colours },
    { .name = "preferences", .activate = on_preferences },
    { .name = "about", .activate = on_about },
    { .name = "diagnostics", .activate = on_diagnostics },
    { .name = "copy-structure", .activate = on_copy_structure },
    { .name = "toast", .activate = on_toast, .parameter_type = "s" },
    { .name = "units", .state = "'binary'", .parameter_type = "s", .change_state = on_units },
  };
  GType types[] = { GDK_TYPE_FILE_LIST, G_TYPE_STRING };
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);

  g_return_if_fail (TSR_IS_WINDOW (self));
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect_object (tsr_window_get_settings (self), "changed::units",
                           G_CALLBACK (on_units_changed), self, G_CONNECT_SWAPPED);
  on_units_changed (self);
  gtk_drop_target_set_gtypes (target, types, G_N_ELEMENTS (types));
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

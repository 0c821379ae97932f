/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of the preferences for keys, agent and cache. */

#include "config.h"

#include "tsr-preferences-remote.h"

#include "tsr-chooser.h"
#include "tsr-remote-texts.h"
#include "tsr-task.h"
#include "tsr-units.h"

#include <glib/gi18n.h>

/* What the rows of one window know; lives as long as the group. */
typedef struct
{
  TsrSettings *settings;
  TsrBlockCache *cache;
  GtkWidget *group; /* not kept */
  AdwEntryRow *key_row, *socket_row;
  AdwComboRow *agent_row, *limit_row;
  AdwActionRow *cache_row;
  GtkWidget *clear_button;
  GtkNativeDialog *chooser;
  GCancellable *cancellable;
} Rows;

static void
rows_free (gpointer data)
{
  Rows *rows = data;

  g_cancellable_cancel (rows->cancellable);
  g_object_unref (rows->cancellable);
  g_clear_object (&rows->chooser);
  g_object_unref (rows->settings);
  tsr_block_cache_unref (rows->cache);
  g_free (rows);
}

/* ---------------------------------------------------------------- keys and agent */

static void
on_key_changed (Rows *rows)
{
  tsr_settings_set_string (rows->settings, "remote-identity-file",
                           gtk_editable_get_text (GTK_EDITABLE (rows->key_row)));
}

static void
on_chooser_response (GtkNativeDialog *chooser, int response, Rows *rows)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  path = file != NULL ? g_file_get_path (file) : NULL;
  g_clear_object (&rows->chooser);
  if (path != NULL)
    gtk_editable_set_text (GTK_EDITABLE (rows->key_row), path);
}

static void
on_choose_key (Rows *rows)
{
  g_clear_object (&rows->chooser);
  rows->chooser = tsr_remote_texts_new_key_chooser (GTK_WINDOW (gtk_widget_get_root (rows->group)));
  g_signal_connect (rows->chooser, "response", G_CALLBACK (on_chooser_response), rows);
  tsr_chooser_show (rows->chooser);
}

static GtkWidget *
new_key_row (Rows *rows)
{
  GtkWidget *row = adw_entry_row_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("document-open-symbolic");
  g_autofree char *path = tsr_settings_dup_string (rows->settings, "remote-identity-file");

  rows->key_row = ADW_ENTRY_ROW (row);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Key file (empty: those of ssh)"));
  gtk_editable_set_text (GTK_EDITABLE (row), path);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Choose a Key File"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Choose a key file"), -1);
  adw_entry_row_add_suffix (rows->key_row, button);
  g_signal_connect_swapped (row, "changed", G_CALLBACK (on_key_changed), rows);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_choose_key), rows);
  return row;
}

enum
{
  AGENT_ENVIRONMENT,
  AGENT_NONE,
  AGENT_SOCKET,
};

/* The setting is "", "none" or a path. */
static void
on_agent_changed (Rows *rows)
{
  guint choice = adw_combo_row_get_selected (rows->agent_row);
  const char *path = gtk_editable_get_text (GTK_EDITABLE (rows->socket_row));

  gtk_widget_set_visible (GTK_WIDGET (rows->socket_row), choice == AGENT_SOCKET);
  tsr_settings_set_string (rows->settings, "remote-agent",
                           choice == AGENT_NONE     ? "none"
                           : choice == AGENT_SOCKET ? path
                                                    : "");
}

static void
add_agent_rows (Rows *rows)
{
  const char *const labels[]
      = { _ ("As SSH_AUTH_SOCK says"), _ ("No agent"), _ ("A socket of your own"), NULL };
  g_autoptr (GtkStringList) list = gtk_string_list_new (labels);
  g_autofree char *agent = tsr_settings_dup_string (rows->settings, "remote-agent");
  guint choice = *agent == '\0'                ? AGENT_ENVIRONMENT
                 : g_str_equal (agent, "none") ? AGENT_NONE
                                               : AGENT_SOCKET;

  rows->agent_row = ADW_COMBO_ROW (adw_combo_row_new ());
  rows->socket_row = ADW_ENTRY_ROW (adw_entry_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (rows->agent_row), _ ("Agent with keys"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (rows->socket_row),
                                 _ ("Path of the agent’s socket"));
  adw_combo_row_set_model (rows->agent_row, G_LIST_MODEL (list));
  adw_combo_row_set_selected (rows->agent_row, choice);
  if (choice == AGENT_SOCKET)
    gtk_editable_set_text (GTK_EDITABLE (rows->socket_row), agent);
  gtk_widget_set_visible (GTK_WIDGET (rows->socket_row), choice == AGENT_SOCKET);
  g_signal_connect_swapped (rows->agent_row, "notify::selected", G_CALLBACK (on_agent_changed),
                            rows);
  g_signal_connect_swapped (rows->socket_row, "changed", G_CALLBACK (on_agent_changed), rows);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (rows->group), GTK_WIDGET (rows->agent_row));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (rows->group), GTK_WIDGET (rows->socket_row));
}

/* ---------------------------------------------------------------- cache */

static const int limits[] = { 0, 1024, 4096, 16384, 65536 }; /* MiB */

static void
on_limit_changed (Rows *rows)
{
  guint choice = adw_combo_row_get_selected (rows->limit_row);

  if (choice < G_N_ELEMENTS (limits))
    tsr_settings_set_int (rows->settings, "remote-cache-limit", limits[choice]);
}

static GtkWidget *
new_limit_row (Rows *rows)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  int limit = tsr_settings_get_int (rows->settings, "remote-cache-limit");
  guint choice = G_N_ELEMENTS (limits);

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autofree char *text = limits[i] == 0 ? g_strdup (_ ("Nothing"))
                                             : g_strdup_printf (_ ("%d GiB"), limits[i] / 1024);

      gtk_string_list_append (list, text);
      if (limits[i] == limit)
        choice = i;
    }
  /* A value of another program stays what it is. */
  if (choice == G_N_ELEMENTS (limits))
    {
      g_autofree char *text = tsr_units_dup_bytes (TSR_UNITS_BINARY, (gint64)limit << 20);

      gtk_string_list_append (list, text);
    }
  rows->limit_row = ADW_COMBO_ROW (adw_combo_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (rows->limit_row),
                                 _ ("Keep of remote reports at most"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (rows->limit_row),
                               _ ("What was not used for longest goes first"));
  adw_combo_row_set_model (rows->limit_row, G_LIST_MODEL (list));
  adw_combo_row_set_selected (rows->limit_row, choice);
  g_signal_connect_swapped (rows->limit_row, "notify::selected", G_CALLBACK (on_limit_changed),
                            rows);
  return GTK_WIDGET (rows->limit_row);
}

static void
bytes_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  gpointer *job = data;

  if (GPOINTER_TO_INT (job[1]))
    tsr_block_cache_clear (job[0]);
  g_task_return_int (task, (gssize)tsr_block_cache_get_bytes (job[0]));
}

static void
bytes_job_free (gpointer data)
{
  tsr_block_cache_unref (((gpointer *)data)[0]);
  g_free (data);
}

static void
on_bytes_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  gssize bytes = g_task_propagate_int (G_TASK (result), &error);
  gpointer *job = g_task_get_task_data (G_TASK (result));
  Rows *rows = data;
  g_autofree char *shown = NULL;
  g_autofree char *text = NULL;

  /* Cancelled: the rows have gone. */
  if (error != NULL)
    return;
  shown = tsr_units_dup_bytes (TSR_UNITS_BINARY, bytes);
  text = GPOINTER_TO_INT (job[1]) && bytes > 0
             ? g_strdup_printf (_ ("%s, of reports that are open"), shown)
             : g_strdup (shown);
  adw_action_row_set_subtitle (rows->cache_row, text);
  gtk_widget_set_sensitive (rows->clear_button, bytes > 0);
}

static void
look_at_cache (Rows *rows, gboolean clear)
{
  g_autoptr (GTask) task = g_task_new (NULL, rows->cancellable, on_bytes_ready, rows);
  gpointer *job = g_new0 (gpointer, 2);

  job[0] = tsr_block_cache_ref (rows->cache);
  job[1] = GINT_TO_POINTER (clear);
  g_task_set_source_tag (task, look_at_cache);
  g_task_set_task_data (task, job, bytes_job_free);
  tsr_task_run_in_thread (task, bytes_run);
}

static void
on_clear (Rows *rows)
{
  gtk_widget_set_sensitive (rows->clear_button, FALSE);
  look_at_cache (rows, TRUE);
}

static GtkWidget *
new_cache_row (Rows *rows)
{
  rows->cache_row = ADW_ACTION_ROW (adw_action_row_new ());
  rows->clear_button = gtk_button_new_with_mnemonic (_ ("_Clear"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (rows->cache_row), _ ("Kept now"));
  adw_action_row_set_subtitle (rows->cache_row, "…");
  gtk_widget_set_valign (rows->clear_button, GTK_ALIGN_CENTER);
  gtk_widget_set_sensitive (rows->clear_button, FALSE);
  gtk_widget_set_tooltip_text (rows->clear_button,
                               _ ("Delete What Is Kept, Except of Reports That Are Open"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (rows->clear_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Clear the cache"), -1);
  adw_action_row_add_suffix (rows->cache_row, rows->clear_button);
  g_signal_connect_swapped (rows->clear_button, "clicked", G_CALLBACK (on_clear), rows);
  return GTK_WIDGET (rows->cache_row);
}

GtkWidget *
tsr_preferences_remote_new (TsrApplication *application)
{
  Rows *rows;
  GtkWidget *group;

  g_return_val_if_fail (TSR_IS_APPLICATION (application), NULL);
  rows = g_new0 (Rows, 1);
  group = adw_preferences_group_new ();
  rows->settings = g_object_ref (tsr_application_get_settings (application));
  rows->cache = tsr_block_cache_ref (tsr_application_get_remote (application)->cache);
  rows->group = group;
  rows->cancellable = g_cancellable_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Remote reports"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), new_key_row (rows));
  add_agent_rows (rows);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), new_limit_row (rows));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), new_cache_row (rows));
  g_object_set_data_full (G_OBJECT (group), "tsr-rows", rows, rows_free);
  look_at_cache (rows, FALSE);
  return group;
}

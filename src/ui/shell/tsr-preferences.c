/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The preferences window. */

#include "config.h"

#include "tsr-preferences.h"

#include "tsr-preferences-remote.h"

#include <glib/gi18n.h>

typedef struct
{
  TsrSettings *settings;
  const char *key;
  const char *const *words; /* value of each entry */
} Choice;

static void
choice_free (gpointer data, GClosure *closure)
{
  Choice *choice = data;

  g_object_unref (choice->settings);
  g_free (choice);
}

static void
on_selected (AdwComboRow *row, GParamSpec *pspec, Choice *choice)
{
  tsr_settings_set_string (choice->settings, choice->key,
                           choice->words[adw_combo_row_get_selected (row)]);
}

static GtkWidget *
new_choice (TsrSettings *settings,
            const char *key,
            const char *title,
            const char *subtitle,
            const char *const *words,
            const char *const *labels)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  g_autofree char *current = tsr_settings_dup_string (settings, key);
  Choice *choice = g_new0 (Choice, 1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  for (guint i = 0; labels[i] != NULL; i++)
    gtk_string_list_append (list, _ (labels[i]));
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], current))
      adw_combo_row_set_selected (ADW_COMBO_ROW (row), i);
  choice->settings = g_object_ref (settings);
  choice->key = key;
  choice->words = words;
  g_signal_connect_data (row, "notify::selected", G_CALLBACK (on_selected), choice, choice_free, 0);
  return row;
}

GtkWindow *
tsr_preferences_new (GtkWindow *parent, TsrApplication *application)
{
  static const char *const units[] = { "binary", "si", "bytes", NULL };
  static const char *const unit_labels[]
      = { N_ ("KiB, MiB, GiB (1,024)"), N_ ("kB, MB, GB (1,000)"), N_ ("Bytes"), NULL };
  static const char *const schemes[] = { "system", "light", "dark", NULL };
  static const char *const scheme_labels[]
      = { N_ ("As the system"), N_ ("Light"), N_ ("Dark"), NULL };
  TsrSettings *settings = tsr_application_get_settings (application);
  GtkWidget *window = g_object_new (ADW_TYPE_PREFERENCES_WINDOW, "transient-for", parent, "modal",
                                    TRUE, "search-enabled", FALSE, NULL);
  GtkWidget *page = adw_preferences_page_new ();
  GtkWidget *numbers = adw_preferences_group_new ();
  GtkWidget *look = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (numbers), _ ("Numbers"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (numbers),
                             new_choice (settings, "units", _ ("Units for memory"),
                                         _ ("Exact bytes are always in the tooltip"), units,
                                         unit_labels));
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (look), _ ("Look"));
  adw_preferences_group_add (
      ADW_PREFERENCES_GROUP (look),
      new_choice (settings, "color-scheme", _ ("Light or dark"), NULL, schemes, scheme_labels));
  if (!tsr_settings_is_persistent (settings))
    adw_preferences_group_set_description (
        ADW_PREFERENCES_GROUP (look),
        _ ("The settings schema is not installed: choices last until Tessera is closed"));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (numbers));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (look));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page),
                            ADW_PREFERENCES_GROUP (tsr_preferences_remote_new (application)));
  adw_preferences_page_set_title (ADW_PREFERENCES_PAGE (page), _ ("Preferences"));
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (window), ADW_PREFERENCES_PAGE (page));
  return GTK_WINDOW (window);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The open dialog in process: its local tab, the form of a host, and what is chosen with the
 * system's chooser. */

#include "config.h"

#include "fake-chooser.h"
#include "tsr-host-form.h"
#include "tsr-open-dialog.h"
#include "tsr-preferences.h"
#include "tsr-remote-hosts.h"
#include "tsr-test.h"
#include "window-test.h"

#include <adwaita.h>
#include <glib/gstdio.h>

static void
on_chosen (TsrOpenDialog *dialog, GVariant *path, char **chosen)
{
  g_free (*chosen);
  *chosen = g_variant_dup_bytestring (path, NULL);
}

static gboolean
has_listed (TsrFolderBrowser *browser, const char *path)
{
  return g_strcmp0 (tsr_folder_model_get_path (tsr_folder_browser_get_folder (browser)), path) == 0;
}

static void
test_open_dialog (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *run = g_build_filename (folder, "run1", NULL);
  g_autofree char *typed = g_build_filename (folder, "ru", NULL);
  g_autofree char *chosen = NULL;
  TsrWindow *window = window_test_new ();
  TsrOpenDialog *dialog = tsr_open_dialog_new (GTK_WINDOW (window), window_test_get_application ());
  TsrFolderBrowser *browser = tsr_open_dialog_get_local (dialog);
  GtkEditable *entry = tsr_ui_test_child (browser, "entry");
  g_autoptr (TsrFolderItem) item = NULL;
  int start, end;

  g_assert_cmpint (g_mkdir (run, 0700), ==, 0);
  tsr_ui_test_write_report (run, 0);
  tsr_test_write (folder, "notes.txt", "x", 1);
  g_signal_connect (dialog, "chosen", G_CALLBACK (on_chosen), &chosen);
  gtk_window_present (GTK_WINDOW (dialog));
  /* To the other tab and back (Ctrl+Page Down). */
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (browser)));
  gtk_widget_activate_action (GTK_WIDGET (dialog), "dialog.turn", NULL);
  tsr_ui_test_wait (gtk_widget_get_mapped (GTK_WIDGET (tsr_open_dialog_get_remote (dialog))));
  gtk_widget_activate_action (GTK_WIDGET (dialog), "dialog.turn", NULL);
  tsr_ui_test_wait (gtk_widget_get_mapped (GTK_WIDGET (browser)));
  tsr_ui_test_wait (tsr_folder_model_get_path (tsr_folder_browser_get_folder (browser)) != NULL);
  /* What is typed takes the place of the path where it begins, and goes on from any other. */
  g_assert_true (gtk_editable_get_selection_bounds (entry, &start, &end));
  g_assert_cmpint (start, ==, 0);
  g_assert_cmpuint (end, ==, g_utf8_strlen (tsr_folder_browser_get_text (browser), -1));
  tsr_folder_browser_go_to (browser, folder);
  tsr_ui_test_wait (has_listed (browser, folder));
  g_assert_false (gtk_editable_get_selection_bounds (entry, NULL, NULL));
  g_assert_cmpuint (
      g_list_model_get_n_items (G_LIST_MODEL (tsr_folder_browser_get_folder (browser))), ==, 2);

  tsr_folder_browser_type (browser, typed);
  tsr_ui_test_wait (
      g_list_model_get_n_items (G_LIST_MODEL (tsr_folder_browser_get_completion (browser))) == 1);
  item = g_list_model_get_item (G_LIST_MODEL (tsr_folder_browser_get_completion (browser)), 0);
  g_assert_cmpstr (tsr_folder_item_get_name (item), ==, "run1");

  /* The list goes where the text goes, and the text stays. */
  tsr_folder_browser_go_to (browser, "/");
  tsr_ui_test_wait (has_listed (browser, "/"));
  tsr_folder_browser_type (browser, typed);
  tsr_ui_test_wait (has_listed (browser, folder));
  tsr_ui_test_run (20);
  g_assert_cmpstr (tsr_folder_browser_get_text (browser), ==, typed);

  /* Nothing is there: said in place, the dialog stays. */
  tsr_folder_browser_accept (browser);
  tsr_ui_test_wait (tsr_folder_browser_get_message (browser) != NULL);
  g_assert_null (chosen);

  tsr_folder_browser_go_to (browser, run);
  tsr_ui_test_wait (has_listed (browser, run));
  tsr_folder_browser_go_up (browser);
  tsr_ui_test_wait (has_listed (browser, folder));
  tsr_folder_browser_type (browser, "run1");
  tsr_folder_browser_accept (browser);
  tsr_ui_test_wait (chosen != NULL);
  g_assert_cmpstr (chosen, ==, run);
  tsr_ui_test_run (50);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* What is chosen when @typed is accepted. */
static char *
dup_chosen (TsrWindow *window, const char *typed)
{
  TsrOpenDialog *dialog = tsr_open_dialog_new (GTK_WINDOW (window), window_test_get_application ());
  TsrFolderBrowser *browser = tsr_open_dialog_get_local (dialog);
  char *chosen = NULL;

  g_signal_connect (dialog, "chosen", G_CALLBACK (on_chosen), &chosen);
  gtk_window_present (GTK_WINDOW (dialog));
  tsr_folder_browser_type (browser, typed);
  tsr_folder_browser_accept (browser);
  tsr_ui_test_wait (chosen != NULL);
  tsr_ui_test_run (50);
  return chosen;
}

/* What the system's chooser of files or of folders answers. */
static void
test_chooser (void)
{
  static const struct
  {
    const char *action, *file;
    int response;
    const char *chosen, *message;
  } answers[] = {
    { "browser.browse-folder", "file:///srv/run%201", GTK_RESPONSE_CANCEL, NULL, NULL },
    { "browser.browse-folder", "file:///srv/run%201", GTK_RESPONSE_DELETE_EVENT, NULL, NULL },
    { "browser.browse-folder", NULL, GTK_RESPONSE_ACCEPT, NULL, NULL },
    { "browser.browse-file", "sftp://host/profile.pop", GTK_RESPONSE_ACCEPT, NULL,
      "Only files of this computer can be opened" },
    { "browser.browse-folder", "file:///srv/run%201", GTK_RESPONSE_ACCEPT, "/srv/run 1", NULL },
    { "browser.browse-file", "file:///srv/profile.pop", GTK_RESPONSE_ACCEPT, "/srv/profile.pop",
      NULL },
  };
  TsrWindow *window = window_test_new ();

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      TsrOpenDialog *dialog
          = tsr_open_dialog_new (GTK_WINDOW (window), window_test_get_application ());
      TsrFolderBrowser *browser = tsr_open_dialog_get_local (dialog);
      g_autofree char *chosen = NULL;

      g_signal_connect (dialog, "chosen", G_CALLBACK (on_chosen), &chosen);
      gtk_window_present (GTK_WINDOW (dialog));
      tsr_ui_test_wait (gtk_widget_get_mapped (GTK_WIDGET (browser)));
      /* The last one counts. */
      for (guint round = 0; round < 2; round++)
        gtk_widget_activate_action (GTK_WIDGET (browser), answers[i].action, NULL);
      g_assert_cmpint (gtk_file_chooser_get_action (GTK_FILE_CHOOSER (fake_chooser_peek ())), ==,
                       g_str_has_suffix (answers[i].action, "folder")
                           ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                           : GTK_FILE_CHOOSER_ACTION_OPEN);
      g_assert_true (gtk_native_dialog_get_transient_for (fake_chooser_peek ())
                     == GTK_WINDOW (dialog));
      fake_chooser_answer (answers[i].file, answers[i].response);
      g_assert_cmpstr (chosen, ==, answers[i].chosen);
      if (answers[i].chosen == NULL)
        {
          g_assert_cmpstr (tsr_folder_browser_get_message (browser), ==, answers[i].message);
          gtk_window_destroy (GTK_WINDOW (dialog));
        }
      tsr_ui_test_run (20);
    }
  window_test_close (window);
}

static const struct
{
  const char *file;
  int response;
  const char *path; /* NULL: what was there stays */
} key_answers[] = { { "file:///keys/one", GTK_RESPONSE_CANCEL, NULL },
                    { "file:///keys/one", GTK_RESPONSE_ACCEPT, "/keys/one" },
                    { NULL, GTK_RESPONSE_ACCEPT, NULL },
                    { "sftp://host/key", GTK_RESPONSE_ACCEPT, NULL },
                    { "file:///keys/two%20more", GTK_RESPONSE_ACCEPT, "/keys/two more" } };

static gboolean
is_combo_row (GtkWidget *widget, gconstpointer what)
{
  return ADW_IS_COMBO_ROW (widget);
}

/* The key file of the preferences; a limit of the cache that is none of the list. */
static void
test_preferences_remote (void)
{
  TsrWindow *window = window_test_new ();
  TsrSettings *settings = tsr_window_get_settings (window);
  const int limit = tsr_settings_get_int (settings, "remote-cache-limit");
  g_autofree char *before = tsr_settings_dup_string (settings, "remote-identity-file");
  const char *expected = before;
  GtkWindow *dialog;
  GtkWidget *button;

  tsr_settings_set_int (settings, "remote-cache-limit", 2560);
  dialog = tsr_preferences_new (GTK_WINDOW (window), window_test_get_application ());
  gtk_window_present (dialog);
  button = tsr_ui_test_find_icon (GTK_WIDGET (dialog), "document-open-symbolic");
  g_assert_nonnull (button);
  for (guint i = 0; i < G_N_ELEMENTS (key_answers); i++)
    {
      g_autofree char *key = NULL;

      /* The last one counts. */
      for (guint round = 0; round < 2; round++)
        g_signal_emit_by_name (button, "clicked");
      g_assert_true (gtk_native_dialog_get_transient_for (fake_chooser_peek ()) == dialog);
      fake_chooser_answer (key_answers[i].file, key_answers[i].response);
      if (key_answers[i].path != NULL)
        expected = key_answers[i].path;
      key = tsr_settings_dup_string (settings, "remote-identity-file");
      g_assert_cmpstr (key, ==, expected);
    }
  /* Of three rows with a choice it is the last. */
  {
    g_autoptr (GPtrArray) rows = tsr_ui_test_find_all (GTK_WIDGET (dialog), is_combo_row, NULL);
    AdwComboRow *row;
    GListModel *entries;
    guint n;

    row = rows->pdata[rows->len - 1];
    entries = adw_combo_row_get_model (row);
    n = g_list_model_get_n_items (entries);
    g_assert_cmpuint (n, ==, 6);
    g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 5);
    g_assert_cmpstr (gtk_string_list_get_string (GTK_STRING_LIST (entries), 5), ==, "2,560 MiB");
    for (guint i = 0; i < n; i++)
      {
        static const int limits[] = { 0, 1024, 4096, 16384, 65536, 65536 };

        adw_combo_row_set_selected (row, i);
        g_assert_cmpint (tsr_settings_get_int (settings, "remote-cache-limit"), ==, limits[i]);
      }
  }
  gtk_window_destroy (dialog);
  tsr_settings_set_int (settings, "remote-cache-limit", limit);
  tsr_settings_set_string (settings, "remote-identity-file", before);
  window_test_close (window);
}

static void
count_up (guint *n)
{
  ++*n;
}

/* Hosts that are remembered, the key file, and the name that a host is to have. */
static void
test_host_form (void)
{
  static const char *const addresses[]
      = { "ssh://ann@one:2200/srv/a", "ssh://bob@two/srv/b" }; /* the last one comes first */
  g_autoptr (TsrSettings) settings = tsr_settings_new ("none.such");
  TsrHostForm *form;
  GtkWidget *window = gtk_window_new (), *widget, *list;
  GtkWidget *scrolled;
  GtkAdjustment *adjustment;
  const char *expected = "";
  guint n_connects = 0, n;

  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_autoptr (TsrSshAddress) address = tsr_ssh_address_parse (addresses[i], NULL);

      tsr_remote_hosts_add (settings, address, i == 0 ? "/keys/of-one" : NULL);
    }
  form = tsr_host_form_new (settings);
  widget = GTK_WIDGET (form);
  gtk_window_set_child (GTK_WINDOW (window), widget);
  gtk_window_set_default_size (GTK_WINDOW (window), 700, 420);
  gtk_window_present (GTK_WINDOW (window));
  g_signal_connect_swapped (form, "connect", G_CALLBACK (count_up), &n_connects);
  gtk_widget_activate_action (widget, "form.connect", NULL);
  g_assert_cmpuint (n_connects, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (key_answers); i++)
    {
      for (guint round = 0; round < 2; round++)
        gtk_widget_activate_action (widget, "form.choose-identity", NULL);
      fake_chooser_answer (key_answers[i].file, key_answers[i].response);
      if (key_answers[i].path != NULL)
        expected = key_answers[i].path;
      g_assert_cmpstr (tsr_host_form_get_field (form, TSR_HOST_FIELD_IDENTITY), ==, expected);
    }
  /* Return in a field connects, and so does a host of the list, with its own key. */
  g_signal_emit_by_name (tsr_ui_test_child (form, "host"), "entry-activated");
  g_assert_cmpuint (n_connects, ==, 2);
  list = tsr_ui_test_child (form, "list");
  n = tsr_host_form_get_n_hosts (form);
  g_assert_cmpuint (n, >=, 2);
  for (int i = 1; i >= 0; i--)
    {
      g_signal_emit_by_name (list, "row-activated",
                             gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), i));
      g_assert_cmpuint (n_connects, ==, 4 - i);
      g_assert_cmpstr (tsr_host_form_get_field (form, TSR_HOST_FIELD_HOST), ==,
                       i == 1 ? "one" : "two");
      g_assert_cmpstr (tsr_host_form_get_field (form, TSR_HOST_FIELD_USER), ==,
                       i == 1 ? "ann" : "bob");
      g_assert_cmpstr (tsr_host_form_get_field (form, TSR_HOST_FIELD_PORT), ==,
                       i == 1 ? "2200" : "");
      g_assert_cmpstr (tsr_host_form_get_field (form, TSR_HOST_FIELD_IDENTITY), ==,
                       i == 1 ? "/keys/of-one" : "");
    }
  {
    g_autoptr (GPtrArray) left = NULL;
    GtkWidget *first = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 0));

    g_signal_emit_by_name (tsr_ui_test_find (first, GTK_TYPE_BUTTON), "clicked");
    g_assert_cmpuint (tsr_host_form_get_n_hosts (form), ==, n - 1);
    left = tsr_remote_hosts_dup (settings);
    g_assert_cmpuint (left->len, ==, 1);
    g_assert_cmpstr (((TsrRemoteHost *)left->pdata[0])->address->target.host, ==, "one");
  }
  /* The name: its entry is unfolded and scrolled to. */
  scrolled = tsr_ui_test_child (form, "scrolled");
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  adw_expander_row_set_expanded (tsr_ui_test_child (form, "more"), FALSE);
  tsr_ui_test_run (400);
  gtk_adjustment_set_value (adjustment, 0);
  for (guint i = 0; i < 2; i++)
    gtk_widget_activate_action (widget, "form.alias", NULL);
  g_assert_true (adw_expander_row_get_expanded (tsr_ui_test_child (form, "more")));
  tsr_ui_test_wait (gtk_adjustment_get_value (adjustment) > 0
                    && gtk_adjustment_get_value (adjustment)
                           >= gtk_adjustment_get_upper (adjustment)
                                  - gtk_adjustment_get_page_size (adjustment) - 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* As if the key were pressed where @name has the focus. */
static void
press (TsrFolderBrowser *browser, const char *name, guint key)
{
  tsr_ui_test_press (tsr_ui_test_child (browser, name), key, 0);
  tsr_ui_test_run (20);
}

/* Whether what completes the entry's text is there. */
static gboolean
is_completing (GtkWidget *widget)
{
  if (GTK_IS_POPOVER (widget))
    return gtk_widget_get_visible (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (is_completing (child))
      return TRUE;
  return FALSE;
}

static void
type_and_wait (TsrFolderBrowser *browser, const char *text, guint n)
{
  tsr_folder_browser_type (browser, text);
  tsr_ui_test_wait (
      g_list_model_get_n_items (G_LIST_MODEL (tsr_folder_browser_get_completion (browser))) == n);
  tsr_ui_test_wait (is_completing (GTK_WIDGET (browser)));
}

/* The keys of the entry, of what completes it, and of the list. */
static void
test_open_dialog_keys (void)
{
  static const struct
  {
    guint keys[4];
    const char *name;
  } cases[] = {
    { { GDK_KEY_Down, GDK_KEY_Return }, "run1/" },
    { { GDK_KEY_Down, GDK_KEY_Down, GDK_KEY_Return }, "run2/" },
    { { GDK_KEY_Down, GDK_KEY_Down, GDK_KEY_Down, GDK_KEY_KP_Enter }, "run1/" },
    { { GDK_KEY_Up, GDK_KEY_Return }, "run2/" },
    { { GDK_KEY_Tab }, "run1/" },
    { { GDK_KEY_Down, GDK_KEY_Down, GDK_KEY_Tab }, "run2/" },
    { { GDK_KEY_Escape }, "ru" },
  };
  char *folder = tsr_test_folder_new ();
  g_autofree char *typed = g_build_filename (folder, "ru", NULL);
  g_autofree char *run = g_build_filename (folder, "run1", NULL);
  g_autofree char *other = g_build_filename (folder, "run2", NULL);
  g_autofree char *chosen = NULL;
  TsrWindow *window = window_test_new ();
  TsrOpenDialog *dialog = tsr_open_dialog_new (GTK_WINDOW (window), window_test_get_application ());
  TsrFolderBrowser *browser = tsr_open_dialog_get_local (dialog);

  g_assert_cmpint (g_mkdir (run, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (other, 0700), ==, 0);
  tsr_ui_test_write_report (run, 0);
  tsr_test_write (folder, "notes.txt", "x", 1);
  g_signal_connect (dialog, "chosen", G_CALLBACK (on_chosen), &chosen);
  gtk_window_present (GTK_WINDOW (dialog));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *expected = g_build_filename (folder, cases[i].name, NULL);

      tsr_folder_browser_type (browser, "");
      type_and_wait (browser, typed, 2);
      for (guint k = 0; k < G_N_ELEMENTS (cases[i].keys) && cases[i].keys[k] != 0; k++)
        press (browser, "entry", cases[i].keys[k]);
      g_assert_cmpstr (tsr_folder_browser_get_text (browser), ==, expected);
    }
  g_assert_false (is_completing (GTK_WIDGET (browser)));
  /* Into the list, into a folder and out of it, and back to what is typed. */
  tsr_ui_test_wait (has_listed (browser, folder));
  press (browser, "entry", GDK_KEY_Down);
  g_assert_nonnull (tsr_folder_browser_get_selected (browser));
  for (guint i = 0;
       g_strcmp0 (tsr_folder_item_get_name (tsr_folder_browser_get_selected (browser)), "run2")
       != 0;
       i++)
    tsr_folder_browser_select_position (browser, i);
  press (browser, "list", GDK_KEY_Right);
  tsr_ui_test_wait (has_listed (browser, other));
  /* Keys of the window go by. */
  g_assert_false (
      tsr_ui_test_press (tsr_ui_test_child (browser, "list"), GDK_KEY_BackSpace, GDK_ALT_MASK));
  g_assert_false (
      tsr_ui_test_press (tsr_ui_test_child (browser, "list"), GDK_KEY_Left, GDK_CONTROL_MASK));
  g_assert_true (has_listed (browser, other));
  press (browser, "list", GDK_KEY_BackSpace);
  tsr_ui_test_wait (has_listed (browser, folder));
  press (browser, "list", GDK_KEY_slash);
  g_assert_cmpstr (tsr_folder_browser_get_text (browser), ==, "/");
  press (browser, "list", GDK_KEY_asciitilde);
  g_assert_cmpstr (tsr_folder_browser_get_text (browser), ==, "~/");
  g_assert_null (chosen);
  /* A file that is no report's says so; what is selected opens. */
  tsr_folder_browser_go_to (browser, folder);
  tsr_ui_test_wait (has_listed (browser, folder));
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (TsrFolderItem) item
          = g_list_model_get_item (G_LIST_MODEL (tsr_folder_browser_get_folder (browser)), i);

      if (!g_str_equal (tsr_folder_item_get_name (item), "notes.txt"))
        continue;
      tsr_folder_browser_activate (browser, i);
      tsr_ui_test_wait (tsr_folder_browser_get_message (browser) != NULL);
      g_assert_nonnull (
          strstr (tsr_folder_browser_get_message (browser), "notes.txt is not a file"));
    }
  g_assert_null (chosen);
  {
    g_autofree char *uri = g_filename_to_uri (run, NULL, NULL);

    tsr_folder_browser_type (browser, uri);
    tsr_folder_browser_accept (browser);
    tsr_ui_test_wait (chosen != NULL);
    g_assert_cmpstr (chosen, ==, run);
  }
  tsr_ui_test_run (50);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* Two slashes begin anew, unless the whole is there. */
static void
test_open_dialog_slashes (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *run = g_build_filename (folder, "run1", NULL);
  g_autofree char *twice = g_strconcat (folder, "//run1", NULL);
  g_autofree char *anew = g_strconcat ("/nowhere/at/all/", run, NULL);
  g_autofree char *first = NULL, *second = NULL;
  TsrWindow *window = window_test_new ();

  g_assert_cmpint (g_mkdir (run, 0700), ==, 0);
  tsr_ui_test_write_report (run, 0);
  first = dup_chosen (window, twice);
  g_assert_cmpstr (first, ==, run);
  second = dup_chosen (window, anew);
  g_assert_cmpstr (second, ==, run);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* Where the dialog begins that Ctrl+O shows. */
static void
check_begins (TsrWindow *window, const char *folder, const char *selected)
{
  TsrOpenDialog *dialog = NULL;
  TsrFolderBrowser *browser;
  TsrFolderItem *item;
  GList *all;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.open", NULL);
  all = gtk_window_list_toplevels ();
  for (GList *at = all; at != NULL; at = at->next)
    if (TSR_IS_OPEN_DIALOG (at->data)
        && gtk_window_get_transient_for (at->data) == GTK_WINDOW (window))
      dialog = at->data;
  g_list_free (all);
  browser = tsr_open_dialog_get_local (dialog);
  tsr_ui_test_wait (has_listed (browser, folder));
  tsr_ui_test_run (30);
  g_assert_true (has_listed (browser, folder));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (browser)));
  item = tsr_folder_browser_get_selected (browser);
  g_assert_cmpstr (item != NULL ? tsr_folder_item_get_name (item) : NULL, ==, selected);
  gtk_window_destroy (GTK_WINDOW (dialog));
  tsr_ui_test_run (30);
}

static void
open_and_wait (TsrWindow *window, const char *path)
{
  tsr_window_open (window, path, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "report"));
}

/* Beside the report that is shown, else where the last one was chosen; the demo is nobody's folder.
 */
static void
test_open_dialog_beside (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *last = g_build_filename (folder, "last", NULL);
  g_autofree char *runs = g_build_filename (folder, "runs", NULL);
  g_autofree char *run = g_build_filename (runs, "run1", NULL);
  g_autofree char *file = g_build_filename (run, "profile.pop", NULL);
  g_autofree char *named = g_build_filename (runs, "mine.pop", NULL);
  g_autofree char *before = NULL;
  TsrSettings *settings = tsr_application_get_settings (window_test_get_application ());
  TsrWindow *window = window_test_new ();

  g_assert_cmpint (g_mkdir (last, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (run, 0700), ==, 0);
  tsr_ui_test_write_report (run, 0);
  before = tsr_settings_dup_string (settings, "open-folder");
  tsr_settings_set_string (settings, "open-folder", last);
  check_begins (window, last, NULL);
  open_and_wait (window, run);
  check_begins (window, runs, "run1");
  open_and_wait (window, file);
  check_begins (window, runs, "run1");
  g_assert_cmpint (g_rename (file, named), ==, 0);
  open_and_wait (window, named);
  check_begins (window, runs, "mine.pop");
  /* Gone, so nothing is beside it. */
  gtk_widget_activate_action (GTK_WIDGET (window), "report.close", NULL);
  check_begins (window, last, NULL);
  g_setenv ("TSR_DEMO_DIR", run, TRUE);
  g_assert_cmpint (g_rename (named, file), ==, 0);
  open_and_wait (window, run);
  check_begins (window, last, NULL);
  g_unsetenv ("TSR_DEMO_DIR");
  tsr_settings_set_string (settings, "open-folder", before);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* Open takes what is typed while that has the keyboard, else what is selected, else the folder. */
static void
test_open_dialog_button (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *run = g_build_filename (folder, "run1", NULL);
  g_autofree char *other = g_build_filename (folder, "run2", NULL);
  TsrWindow *window = window_test_new ();

  g_assert_cmpint (g_mkdir (run, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (other, 0700), ==, 0);
  tsr_ui_test_write_report (other, 0);
  for (guint i = 0; i < 3; i++)
    {
      TsrOpenDialog *dialog
          = tsr_open_dialog_new (GTK_WINDOW (window), window_test_get_application ());
      TsrFolderBrowser *browser = tsr_open_dialog_get_local (dialog);
      GtkWidget *entry = tsr_ui_test_child (browser, "entry");
      GtkWidget *list = tsr_ui_test_child (browser, "list");
      g_autofree char *chosen = NULL;

      g_signal_connect (dialog, "chosen", G_CALLBACK (on_chosen), &chosen);
      gtk_window_present (GTK_WINDOW (dialog));
      tsr_folder_browser_go_to (browser, folder);
      tsr_ui_test_wait (has_listed (browser, folder));
      if (i < 2)
        tsr_folder_browser_select_position (
            browser, tsr_folder_model_find (tsr_folder_browser_get_folder (browser), "run1"));
      gtk_widget_grab_focus (i == 0 ? entry : list);
      if (i == 0)
        type_and_wait (browser, other, 1);
      /* Another folder needs no completion. */
      if (i == 2)
        {
          type_and_wait (browser, other, 1);
          tsr_folder_browser_go_to (browser, folder);
          g_assert_false (is_completing (GTK_WIDGET (browser)));
          tsr_ui_test_wait (has_listed (browser, folder));
          g_assert_null (tsr_folder_browser_get_selected (browser));
          gtk_widget_grab_focus (list);
        }
      gtk_widget_activate_action (GTK_WIDGET (dialog), "dialog.open", NULL);
      tsr_ui_test_wait (chosen != NULL);
      g_assert_cmpstr (chosen, ==, i == 0 ? other : i == 1 ? run : folder);
      tsr_ui_test_run (50);
    }
  window_test_close (window);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  window_test_init (&argc, &argv);
  g_test_add_func ("/open-dialog/local", test_open_dialog);
  g_test_add_func ("/open-dialog/chooser", test_chooser);
  g_test_add_func ("/open-dialog/preferences", test_preferences_remote);
  g_test_add_func ("/open-dialog/host-form", test_host_form);
  g_test_add_func ("/open-dialog/keys", test_open_dialog_keys);
  g_test_add_func ("/open-dialog/button", test_open_dialog_button);
  g_test_add_func ("/open-dialog/slashes", test_open_dialog_slashes);
  g_test_add_func ("/open-dialog/beside", test_open_dialog_beside);
  return window_test_run ();
}

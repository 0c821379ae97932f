/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The open dialog in process: its local tab. */

#include "config.h"

#include "tsr-open-dialog.h"
#include "tsr-test.h"
#include "window-test.h"

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

static GtkNativeDialog *shown;  /* (nullable): the chooser that is shown; its owner has it */
static const char *chosen_file; /* (nullable): address of what is chosen in it */

void __wrap_tsr_chooser_show (GtkNativeDialog *chooser);
GFile *__wrap_gtk_file_chooser_get_file (GtkFileChooser *chooser);

void
__wrap_tsr_chooser_show (GtkNativeDialog *chooser)
{
  shown = chooser;
}

GFile *
__wrap_gtk_file_chooser_get_file (GtkFileChooser *chooser)
{
  return chosen_file != NULL ? g_file_new_for_uri (chosen_file) : NULL;
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
      g_assert_cmpint (gtk_file_chooser_get_action (GTK_FILE_CHOOSER (shown)), ==,
                       g_str_has_suffix (answers[i].action, "folder")
                           ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                           : GTK_FILE_CHOOSER_ACTION_OPEN);
      g_assert_true (gtk_native_dialog_get_transient_for (shown) == GTK_WINDOW (dialog));
      g_object_add_weak_pointer (G_OBJECT (shown), (gpointer *)&shown);
      chosen_file = answers[i].file;
      g_signal_emit_by_name (shown, "response", answers[i].response);
      g_assert_null (shown);
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
  g_test_add_func ("/open-dialog/keys", test_open_dialog_keys);
  g_test_add_func ("/open-dialog/button", test_open_dialog_button);
  g_test_add_func ("/open-dialog/slashes", test_open_dialog_slashes);
  g_test_add_func ("/open-dialog/beside", test_open_dialog_beside);
  return window_test_run ();
}

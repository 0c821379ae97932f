/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window in process: opening, what cannot be opened, reloading, side menu, dialogs, help. */

#include "config.h"

#include "tsr-diagnostics-dialog.h"
#include "tsr-json.h"
#include "tsr-help.h"
#include "tsr-home.h"
#include "tsr-insights.h"
#include "tsr-manual.h"
#include "tsr-page.h"
#include "tsr-preferences.h"
#include "tsr-recents.h"
#include "tsr-summary-page.h"
#include "tsr-test.h"
#include "window-test.h"

#include <glib/gstdio.h>

static TsrWindow *
open_window (const char *path)
{
  TsrWindow *window = window_test_new ();

  tsr_window_open (window, path, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "report"));
  tsr_ui_test_wait (
      !tsr_session_is_data_pending (tsr_window_get_session (window), TSR_DATA_MEMORY));
  return window;
}

static TsrSummaryPage *
summary_of (TsrWindow *window)
{
  TsrPage *page = tsr_report_view_get_page (tsr_window_get_report_view (window));

  g_assert_true (TSR_IS_SUMMARY_PAGE (page));
  return TSR_SUMMARY_PAGE (page);
}

static void
activate (TsrWindow *window, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
}

static const char *
bar_of (TsrWindow *window, const char *key)
{
  return tsr_report_view_get_bar (tsr_window_get_report_view (window), key);
}

/* (nullable): the first one in @widget. */
static GtkWidget *
find_class (GtkWidget *widget, const char *css_class)
{
  GtkWidget *found = gtk_widget_has_css_class (widget, css_class) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_class (child, css_class);
  return found;
}

/* ---------------------------------------------------------------- opening */

static void
test_open (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  TsrWindow *window;
  TsrReport *report;
  TsrSummaryPage *page;
  g_autofree char *edges = NULL;
  GtkWidget *strip;

  tsr_ui_test_write_report (folder, 0);
  before = tsr_test_fingerprint (folder);
  window = open_window (folder);
  page = summary_of (window);
  report = tsr_session_get_report (tsr_window_get_session (window));
  g_assert_true (tsr_page_is_content_shown (TSR_PAGE (page)));
  edges = tsr_units_dup_count (tsr_report_get_summary (report)->graph.num_edges);
  g_assert_cmpstr (tsr_summary_page_get_value (page, "graph", "Edges"), ==, edges);
  g_assert_cmpstr (tsr_summary_page_get_value (page, "graph", "Edges"), ==, "12,985,960");
  g_assert_cmpstr (tsr_summary_page_get_value (page, "target", "Memory per replica"), ==,
                   "7.81 KiB");
  g_assert_cmpstr (tsr_summary_page_get_verdict (page), ==, "Fits in memory");

  /* A strip that says nothing is not there; it is where a page has something to say. */
  strip = find_class (GTK_WIDGET (window), "status-strip");
  g_assert_false (gtk_widget_get_visible (strip));
  tsr_report_view_show (tsr_window_get_report_view (window), TSR_VIEW_MEMORY);
  tsr_ui_test_wait (gtk_widget_get_visible (strip));
  tsr_report_view_show (tsr_window_get_report_view (window), TSR_VIEW_SUMMARY);
  g_assert_false (gtk_widget_get_visible (strip));

  /* Units change what is shown at once. */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.units", "s", "bytes");
  g_assert_cmpstr (tsr_summary_page_get_value (page, "target", "Memory per replica"), ==,
                   "8,000 B");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.units", "s", "binary");

  g_assert_true (tsr_recents_contains (tsr_recents_get_default (), folder));
  activate (window, "report.close");
  g_assert_true (window_test_is (window, "home"));
  g_assert_true (tsr_window_is_home (window));
  window_test_close (window);
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  tsr_test_folder_free (folder);
}

/* Before anything is drawn the window says what it opens, and offers nothing that is not there. */
static void
test_opening (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *run = g_build_filename (folder, "run12", NULL);
  TsrWindow *window = window_test_new ();

  g_assert_cmpint (g_mkdir (run, 0700), ==, 0);
  tsr_ui_test_write_report (run, 0);
  for (guint round = 0; round < 2; round++) /* from the home page, then over another report */
    {
      tsr_window_open (window, run, TSR_N_VIEWS);
      g_assert_true (window_test_is (window, "opening"));
      g_assert_true (tsr_ui_test_says (GTK_WIDGET (window), run));
      g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "run12 – Tessera");
      tsr_ui_test_wait (window_test_is (window, "report"));
    }
  /* Given up. */
  tsr_window_open (window, run, TSR_N_VIEWS);
  activate (window, "report.close");
  g_assert_true (window_test_is (window, "home"));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "Tessera");
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* A page that the report has no data for says which table and option are missing, in a bar of
 * several lines over the summary; GTK is content with its height whatever buttons stand beside it
 * (a critical of it ends the test). */
static void
test_missing (void)
{
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;
  TsrReportView *view;

  tsr_ui_test_write_report (folder, 0);
  window = window_test_new ();
  tsr_window_open (window, folder, TSR_VIEW_LIVENESS);
  tsr_ui_test_wait (window_test_is (window, "report"));
  view = tsr_window_get_report_view (window);
  g_assert_cmpint (tsr_page_get_view (tsr_report_view_get_page (view)), ==, TSR_VIEW_SUMMARY);
  g_assert_nonnull (bar_of (window, "page"));
  g_assert_true (
      g_str_has_prefix (bar_of (window, "page"), "This report has no data for Liveness\n"));
  g_assert_nonnull (strstr (bar_of (window, "page"), "liveness_steps"));
  g_assert_nonnull (strstr (bar_of (window, "page"), "autoReport.outputGraphProfile"));
  tsr_report_view_set_bar (view, "test", GTK_MESSAGE_WARNING, "one\ntwo\nthree", "_Reload",
                           "report.reload");
  tsr_ui_test_run (300);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

static gboolean
has_focus_inside (TsrWindow *window, GtkWidget *widget)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));

  return focus != NULL && gtk_widget_is_ancestor (focus, widget);
}

/* Whoever has only a keyboard is on the page after opening and after each change of pages. */
static void
test_focus (void)
{
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;
  TsrReportView *view;

  tsr_ui_test_write_report (folder, 0);
  window = open_window (folder);
  view = tsr_window_get_report_view (window);
  g_assert_true (has_focus_inside (window, GTK_WIDGET (summary_of (window))));
  activate (window, "win.view-memory");
  g_assert_cmpint (tsr_page_get_view (tsr_report_view_get_page (view)), ==, TSR_VIEW_MEMORY);
  tsr_ui_test_wait (has_focus_inside (window, GTK_WIDGET (tsr_report_view_get_page (view))));
  gtk_widget_child_focus (GTK_WIDGET (tsr_report_view_get_sidebar (view)), GTK_DIR_TAB_FORWARD);
  g_assert_true (has_focus_inside (window, GTK_WIDGET (tsr_report_view_get_sidebar (view))));
  tsr_sidebar_activate (tsr_report_view_get_sidebar (view), TSR_VIEW_SUMMARY);
  g_assert_true (has_focus_inside (window, GTK_WIDGET (summary_of (window))));
  activate (window, "win.back");
  g_assert_cmpint (tsr_page_get_view (tsr_report_view_get_page (view)), ==, TSR_VIEW_MEMORY);
  window_test_close (window);

  /* The page that is asked for is still loading when it is shown. */
  window = window_test_new ();
  tsr_window_open (window, folder, TSR_VIEW_MEMORY);
  tsr_ui_test_wait (window_test_is (window, "report"));
  view = tsr_window_get_report_view (window);
  tsr_ui_test_wait (tsr_page_is_content_shown (tsr_report_view_get_page (view)));
  tsr_ui_test_wait (has_focus_inside (window, GTK_WIDGET (tsr_report_view_get_page (view))));
  window_test_close (window);
  tsr_test_folder_free (folder);
}

static void
test_error (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *missing = g_build_filename (folder, "gone", NULL);
  TsrWindow *window = window_test_new ();

  tsr_recents_add (tsr_recents_get_default (), missing, "gone");
  tsr_window_open (window, missing, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "error"));
  gtk_widget_activate_action_variant (GTK_WIDGET (window), "win.forget-recent",
                                      g_variant_new_bytestring (missing));
  g_assert_false (tsr_recents_contains (tsr_recents_get_default (), missing));
  g_assert_true (window_test_is (window, "home"));

  /* An empty folder, then the same with a report in it: Retry opens it. */
  tsr_window_open (window, folder, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "error"));
  tsr_ui_test_write_report (folder, 0);
  activate (window, "report.reload");
  tsr_ui_test_wait (window_test_is (window, "report"));
  window_test_close (window);
  tsr_test_folder_free (folder);
}

static void
test_choice (void)
{
  char *folder = tsr_test_folder_new ();
  TsrWindow *window = window_test_new ();

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *path = g_build_filename (folder, i == 0 ? "training" : "inference", NULL);

      g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
      tsr_ui_test_write_report (path, 0);
    }
  tsr_window_open (window, folder, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "choice"));
  /* The first row has the keyboard. */
  g_assert_true (GTK_IS_LIST_BOX_ROW (gtk_window_get_focus (GTK_WINDOW (window))));
  gtk_widget_activate (gtk_window_get_focus (GTK_WINDOW (window)));
  tsr_ui_test_wait (window_test_is (window, "report"));
  g_assert_true (g_str_has_prefix (
      tsr_report_get_location (tsr_session_get_report (tsr_window_get_session (window))), folder));
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* Two folders dropped: one here, one in a window of its own. */
static void
test_drop (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *other = g_build_filename (folder, "other", NULL);
  TsrWindow *window = window_test_new ();
  TsrWindow *second = NULL;
  GSList *files = NULL;

  g_assert_cmpint (g_mkdir (other, 0700), ==, 0);
  tsr_ui_test_write_report (folder, 0);
  tsr_ui_test_write_report (other, 0);
  files = g_slist_append (files, g_file_new_for_path (folder));
  files = g_slist_append (files, g_file_new_for_path (other));
  g_assert_false (tsr_window_drop (window, NULL));
  g_assert_true (tsr_window_drop (window, files));
  tsr_ui_test_wait (window_test_is (window, "report"));
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (window_test_get_application ())); l;
       l = l->next)
    if (l->data != window)
      second = TSR_WINDOW (l->data);
  g_assert_nonnull (second);
  tsr_ui_test_wait (window_test_is (second, "report"));
  g_assert_cmpstr (
      tsr_report_get_location (tsr_session_get_report (tsr_window_get_session (second))), ==,
      other);
  /* What one window selects is nothing to the other. */
  g_assert_true (tsr_session_get_selection (tsr_window_get_session (window))
                 != tsr_session_get_selection (tsr_window_get_session (second)));
  g_slist_free_full (files, g_object_unref);
  window_test_close (second);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* Of what is dropped or pasted only reports are opened; the rest is said. */
static void
test_drop_others (void)
{
  static const char *const texts[]
      = { NULL, "", "some words", "http://nowhere/run", "file:nowhere" };
  TsrWindow *window = window_test_new ();
  GtkWidget *widget = GTK_WIDGET (window);
  const char *tiny = tsr_test_get_report ("tiny");
  g_autofree char *uri = g_filename_to_uri (tiny, NULL, NULL);
  g_autofree char *lines = g_strdup_printf ("  %s \r\nmore", uri);
  GSList *files = g_slist_append (NULL, g_file_new_for_uri ("http://nowhere/run"));

  g_assert_true (tsr_window_drop (window, files));
  tsr_ui_test_wait (
      tsr_ui_test_says (widget, "Only files of this computer and of hosts behind ssh can be"));
  g_assert_true (window_test_is (window, "home"));
  g_slist_free_full (files, g_object_unref);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_assert_false (tsr_window_drop_text (window, texts[i]));
      tsr_ui_test_wait (
          tsr_ui_test_says (widget, "This text is neither a path nor a link to a report"));
      g_assert_true (window_test_is (window, "home"));
    }
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (tsr_window_drop_text (window, i == 0 ? lines : tiny));
      tsr_ui_test_wait (window_test_is (window, "report"));
      g_assert_cmpstr (tsr_window_get_location (window), ==, tiny);
      activate (window, "report.close");
    }
  window_test_close (window);
}

/* (nullable): the one in @widget whose value is @value. */
static GtkWidget *
find_spin (GtkWidget *widget, int value)
{
  GtkWidget *found = GTK_IS_SPIN_BUTTON (widget)
                             && gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (widget)) == value
                         ? widget
                         : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_spin (child, value);
  return found;
}

/* Where the report does not say how many tiles an IPU has, the Summary and Memory ask for it. */
static void
test_tiles_per_ipu (void)
{
  static const TsrView views[] = { TSR_VIEW_SUMMARY, TSR_VIEW_MEMORY, TSR_VIEW_SUMMARY };
  static const int values[] = { 2, 4, 1, 8 };
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;
  TsrSession *session;

  tsr_ui_test_write_report (folder, 0);
  tsr_test_sql (folder, "profile.pop", "UPDATE target SET tiles_per_ipu = NULL;");
  window = open_window (folder);
  session = tsr_window_get_session (window);
  tsr_session_set_tiles_per_ipu (session, values[0]);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      GtkWidget *page, *spin = NULL;

      g_assert_true (tsr_report_view_show (tsr_window_get_report_view (window), views[i]));
      page = GTK_WIDGET (tsr_report_view_get_page (tsr_window_get_report_view (window)));
      tsr_ui_test_wait ((spin = find_spin (page, values[i])) != NULL);
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), values[i + 1]);
      g_assert_cmpuint (tsr_session_get_tiles_per_ipu (session), ==, values[i + 1]);
    }
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* An archive alone shows the memory, which is all that it knows; beside a profile it is one of the
 * report's files. */
static void
test_archive_alone (void)
{
  static const char *const names[] = { "archive.a", "profile.pop" };

  for (guint n_files = 1; n_files <= G_N_ELEMENTS (names); n_files++)
    {
      char *folder = tsr_test_folder_new ();
      g_autofree char *archive = g_build_filename (folder, "archive.a", NULL);
      TsrWindow *window = window_test_new ();

      for (guint i = 0; i < n_files; i++)
        tsr_test_copy (tsr_test_get_report ("demo"), folder, names[i]);
      tsr_window_open (window, archive, TSR_N_VIEWS);
      tsr_ui_test_wait (window_test_is (window, "report"));
      g_assert_cmpint (
          tsr_page_get_view (tsr_report_view_get_page (tsr_window_get_report_view (window))), ==,
          n_files == 1 ? TSR_VIEW_MEMORY : TSR_VIEW_SUMMARY);
      window_test_close (window);
      tsr_test_folder_free (folder);
    }
}

static void
test_reload (void)
{
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;
  TsrSession *session;
  g_autoptr (TsrReport) first = NULL; /* held: another one must not get its address */
  const guint tile = 3;
  const char *label = "Memory per tile";

  tsr_ui_test_write_report (folder, 0);
  window = open_window (folder);
  session = tsr_window_get_session (window);
  first = g_object_ref (tsr_session_get_report (session));
  tsr_tile_selection_set (tsr_session_get_selection (session), &tile, 1);

  tsr_test_write (folder, "profile.pop", "this is no database", -1);
  activate (window, "report.reload");
  tsr_ui_test_wait (bar_of (window, "reload") != NULL);
  g_assert_true (window_test_is (window, "report"));
  g_assert_true (tsr_session_get_report (session) == first);
  g_assert_nonnull (tsr_session_get_memory (session));
  g_assert_cmpstr (tsr_summary_page_get_value (summary_of (window), "target", label), ==,
                   "1,000 B");

  tsr_ui_test_write_report (folder, 500);
  activate (window, "report.reload");
  tsr_ui_test_wait (tsr_session_get_report (session) != first);
  tsr_ui_test_wait (tsr_session_get_memory (session) != NULL);
  g_assert_null (bar_of (window, "reload"));
  g_assert_true (
      g_str_has_prefix (tsr_summary_page_get_verdict (summary_of (window)), "Does not fit"));
  g_assert_true (tsr_tile_selection_contains (tsr_session_get_selection (session), tile));
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* A file that changes is announced, and what takes it back is Reload. */
static void
test_changed (void)
{
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;

  tsr_ui_test_write_report (folder, 0);
  window = open_window (folder);
  tsr_test_write (folder, "app.json", "{}", -1);
  tsr_ui_test_wait (bar_of (window, "changed") != NULL);
  g_assert_nonnull (strstr (bar_of (window, "changed"), "app.json"));
  tsr_ui_test_wait (strstr (bar_of (window, "changed"), "have changed") != NULL);
  activate (window, "report.reload");
  tsr_ui_test_wait (bar_of (window, "changed") == NULL);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* ---------------------------------------------------------------- side menu */

/* (nullable): the first label in @widget that says @text. */
static GtkWidget *
find_label (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && g_strcmp0 (gtk_label_get_label (GTK_LABEL (widget)), text) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_label (child, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* All lines of @label have room, once it is laid out. */
static gboolean
is_whole (GtkWidget *label)
{
  int height;

  if (!gtk_widget_get_mapped (label) || gtk_widget_get_width (label) <= 0)
    return FALSE;
  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (label), &height, NULL,
                      NULL, NULL);
  return gtk_widget_get_height (label) >= height;
}

/* What a view lacks is said whole, and keys go on doing what they do: to the next view, whether
 * that one is there or not. */
static void
test_unavailable (void)
{
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;
  TsrSidebar *sidebar;
  GtkWidget *focus, *label;
  g_autofree char *memory = NULL;
  g_autofree char *trace = NULL;

  tsr_test_sql (folder, "profile.pop",
                "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT);"
                "INSERT INTO programs VALUES (1, 'x');");
  window = open_window (folder);
  sidebar = tsr_report_view_get_sidebar (tsr_window_get_report_view (window));
  focus = gtk_window_get_focus (GTK_WINDOW (window));
  tsr_sidebar_is_available (sidebar, TSR_VIEW_MEMORY, &memory);
  tsr_sidebar_is_available (sidebar, TSR_VIEW_EXECUTION_TRACE, &trace);
  g_assert_cmpstr (memory, !=, trace);
  activate (window, "win.view-trace");
  g_assert_cmpstr (tsr_sidebar_get_explanation (sidebar), ==, trace);
  label = find_label (GTK_WIDGET (sidebar), trace);
  tsr_ui_test_wait (is_whole (label));
  /* It has not taken the keyboard away, nor is its text selected. */
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == focus);
  gtk_widget_grab_focus (label);
  g_assert_false (gtk_label_get_selection_bounds (GTK_LABEL (label), NULL, NULL));
  activate (window, "win.view-memory");
  g_assert_cmpstr (tsr_sidebar_get_explanation (sidebar), ==, memory);
  tsr_ui_test_wait (is_whole (label));
  activate (window, "win.view-summary");
  tsr_report_view_show (tsr_window_get_report_view (window), TSR_VIEW_SUMMARY);
  g_assert_true (TSR_IS_SUMMARY_PAGE (summary_of (window)));
  /* A link on a page to such a view says the same. */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.go", "s", "page=trace");
  g_assert_cmpstr (tsr_sidebar_get_explanation (sidebar), ==, trace);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

static void
test_sidebar (void)
{
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;
  TsrSidebar *sidebar;
  g_autofree char *why = NULL;
  gboolean expanded;

  tsr_test_sql (folder, "profile.pop",
                "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT);"
                "INSERT INTO programs VALUES (1, 'x');");
  window = open_window (folder);
  sidebar = tsr_report_view_get_sidebar (tsr_window_get_report_view (window));
  g_assert_true (tsr_sidebar_is_available (sidebar, TSR_VIEW_SUMMARY, NULL));
  g_assert_false (tsr_sidebar_is_available (sidebar, TSR_VIEW_MEMORY, &why));
  g_assert_nonnull (strstr (why, "memory_by_tile"));
  if (tsr_pages_find (TSR_VIEW_MEMORY) != NULL)
    {
      activate (window, "win.view-memory");
      g_assert_cmpstr (tsr_sidebar_get_explanation (sidebar), ==, why);
    }
  g_assert_true (TSR_IS_SUMMARY_PAGE (summary_of (window)));

  expanded = tsr_sidebar_is_expanded (sidebar);
  activate (window, "win.toggle-sidebar");
  g_assert_true (tsr_sidebar_is_expanded (sidebar) != expanded);
  activate (window, "win.toggle-sidebar");
  g_assert_true (tsr_sidebar_is_expanded (sidebar) == expanded);
  tsr_settings_set_string (tsr_window_get_settings (window), "sidebar", "auto");
  window_test_close (window);
  tsr_test_folder_free (folder);
}

static void
collect_expanders (GtkWidget *widget, GPtrArray *out)
{
  if (GTK_IS_EXPANDER (widget) && gtk_widget_get_mapped (widget))
    g_ptr_array_add (out, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_expanders (child, out);
}

/* GTK asks what a folded section holds whether it takes the keyboard, although it is in no window
 * then: each way leads out of the section, and nothing is critical. */
static void
test_folded (void)
{
  static const TsrView views[] = { TSR_VIEW_SUMMARY, TSR_VIEW_INSIGHTS };
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;

  tsr_ui_test_write_report (folder, 0);
  window = open_window (folder);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autoptr (GPtrArray) expanders = g_ptr_array_new ();
      TsrPage *page;

      tsr_sidebar_activate (tsr_report_view_get_sidebar (tsr_window_get_report_view (window)),
                            views[i]);
      page = tsr_report_view_get_page (tsr_window_get_report_view (window));
      tsr_ui_test_wait (tsr_page_is_content_shown (page));
      tsr_ui_test_wait ((g_ptr_array_set_size (expanders, 0),
                         collect_expanders (GTK_WIDGET (page), expanders), expanders->len > 1));
      for (guint k = 0; k < expanders->len; k++)
        {
          GtkExpander *expander = expanders->pdata[k];
          gboolean expanded = gtk_expander_get_expanded (expander);

          gtk_expander_set_expanded (expander, TRUE);
          g_assert_true (gtk_widget_get_can_focus (gtk_expander_get_child (expander)));
          gtk_expander_set_expanded (expander, FALSE);
          for (GtkDirectionType way = GTK_DIR_TAB_FORWARD; way <= GTK_DIR_RIGHT; way++)
            {
              gtk_widget_grab_focus (GTK_WIDGET (expander));
              gtk_widget_child_focus (GTK_WIDGET (expander), way);
              gtk_widget_child_focus (GTK_WIDGET (page), way);
            }
          gtk_expander_set_expanded (expander, expanded);
        }
    }
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* TRUE when the row at @position of the list has the focus from now on. */
static gboolean
focus_row (TsrRowView *view, guint position)
{
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (tsr_row_view_get_column_view (view)));
  GtkWidget *row = NULL;

  while (list != NULL && !GTK_IS_LIST_VIEW (list))
    list = gtk_widget_get_prev_sibling (list);
  row = list != NULL ? gtk_widget_get_first_child (list) : NULL;
  while (row != NULL && position-- > 0)
    row = gtk_widget_get_next_sibling (row);
  return row != NULL && gtk_widget_grab_focus (row);
}

/* (transfer full) (nullable): the text that was copied. */
static char *
dup_clipboard (GtkWidget *widget)
{
  GdkContentProvider *content = gdk_clipboard_get_content (gtk_widget_get_clipboard (widget));
  GValue value = G_VALUE_INIT;
  char *text = NULL;

  g_value_init (&value, G_TYPE_STRING);
  if (content != NULL && gdk_content_provider_get_value (content, &value, NULL))
    text = g_value_dup_string (&value);
  g_value_unset (&value);
  return text;
}

static gboolean
has_copied (GtkWidget *widget, const char *text)
{
  g_autofree char *copied = dup_clipboard (widget);

  return g_strcmp0 (copied, text) == 0;
}

static void
test_options (void)
{
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;
  TsrSummaryPage *page;
  TsrRowView *view;
  TsrRowModel *model;
  g_autofree char *copied = NULL;

  tsr_ui_test_write_report (folder, 0);
  window = open_window (folder);
  page = summary_of (window);
  view = tsr_summary_page_get_options (page);
  model = TSR_ROW_MODEL (gtk_column_view_get_model (tsr_row_view_get_column_view (view)));
  /* Six options and the groups autoReport, debug, opt and target, all open. */
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 10);
  tsr_ui_test_wait (!tsr_row_view_is_busy (view));
  /* Left closes the group autoReport, Right opens it again; Left on a leaf goes to its group. */
  tsr_row_view_select (view, (const guint32[]){ 0 }, 1);
  tsr_ui_test_wait (focus_row (view, 1));
  g_assert_true (tsr_row_view_key (view, GDK_KEY_Left, 0));
  tsr_ui_test_wait (focus_row (view, 0));
  g_assert_true (tsr_row_view_key (view, GDK_KEY_Left, 0));
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 8);
  g_assert_true (tsr_row_view_key (view, GDK_KEY_Right, 0));
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 10);
  /* A row that is selected is copied with all below it, or its value alone. */
  g_assert_cmpuint (tsr_row_model_find_selected (model), ==, 0);
  gtk_widget_activate_action (GTK_WIDGET (view), "rows.copy", NULL);
  copied = dup_clipboard (GTK_WIDGET (window));
  g_assert_nonnull (copied);
  g_assert_true (g_str_has_prefix (copied, "autoReport\n  "));
  tsr_row_view_select (view, (const guint32[]){ 1 }, 1);
  gtk_widget_activate_action (GTK_WIDGET (view), "rows.copy-value", NULL);
  g_clear_pointer (&copied, g_free);
  copied = dup_clipboard (GTK_WIDGET (window));
  g_assert_cmpstr (copied, ==, tsr_rows_get_text (tsr_row_view_get_rows (view), 1, 1));
  tsr_summary_page_set_filter (page, "", TRUE);
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 5);
  tsr_summary_page_set_filter (page, "report -all", TRUE);
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), ==, 2);
  window_test_close (window);

  /* The filter is remembered for the next report. */
  window = open_window (folder);
  g_assert_cmpuint (tsr_row_view_get_n_shown (tsr_summary_page_get_options (summary_of (window))),
                    ==, 2);
  tsr_summary_page_set_filter (summary_of (window), "", FALSE);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* (nullable): the first child of @widget that is named by @id in its template. */
static GtkWidget *
find_child (GtkWidget *widget, const char *id)
{
  GtkWidget *found = g_strcmp0 (gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget)), id) == 0
                         ? widget
                         : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_child (child, id);
  return found;
}

static GtkExpander *
get_section (TsrWindow *window, const char *id)
{
  return GTK_EXPANDER (find_child (GTK_WIDGET (summary_of (window)), id));
}

/* A few lines of JSON are open at first, unless the user has folded them; many are not. */
static void
test_json (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (GString) list = g_string_new ("[0");
  TsrWindow *window;

  tsr_ui_test_write_report (folder, 0);
  for (guint i = 0; i < 60; i++)
    g_string_append (list, ", 1");
  g_string_append_c (list, ']');
  tsr_test_write (folder, "framework.json", "{\"PopTorch\": {\"Version\": 3}}", -1);
  tsr_test_write (folder, "app.json", list->str, -1);
  /* As it is at first. */
  window = open_window (folder);
  tsr_settings_set_word (tsr_window_get_settings (window), "collapsed-sections", "framework",
                         FALSE);
  tsr_settings_set_word (tsr_window_get_settings (window), "collapsed-sections", "app", FALSE);
  window_test_close (window);

  window = open_window (folder);
  tsr_ui_test_wait (gtk_expander_get_expanded (get_section (window, "framework_section")));
  tsr_ui_test_run (200);
  g_assert_false (gtk_expander_get_expanded (get_section (window, "app_section")));
  gtk_expander_set_expanded (get_section (window, "framework_section"), FALSE);
  window_test_close (window);

  window = open_window (folder);
  tsr_ui_test_run (300);
  g_assert_false (gtk_expander_get_expanded (get_section (window, "framework_section")));
  gtk_expander_set_expanded (get_section (window, "framework_section"), TRUE);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* ---------------------------------------------------------------- dialogs */

static void
test_diagnostics (void)
{
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;
  TsrReport *report;
  TsrDiagnosticsDialog *dialog;
  guint n;
  g_autofree char *text = NULL, *structure = NULL;

  tsr_ui_test_write_report (folder, 0);
  tsr_test_sql (folder, "profile.pop",
                "UPDATE memory_by_tile SET including_gaps = 'many' WHERE tile = 2;"
                "UPDATE memory_by_tile SET including_gaps = -5 WHERE tile = 3;"
                "CREATE TABLE mystery (a);");
  window = open_window (folder);
  report = tsr_session_get_report (tsr_window_get_session (window));
  g_assert_cmpuint (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (report)), >=, 2);
  g_assert_nonnull (bar_of (window, "diagnostics"));
  g_assert_nonnull (bar_of (window, "unknown"));
  dialog = tsr_diagnostics_dialog_new (GTK_WINDOW (window), report);
  gtk_window_present (GTK_WINDOW (dialog));
  n = tsr_diagnostics_dialog_get_n_shown (dialog);
  g_assert_cmpuint (n, ==, tsr_diagnostics_get_n_kept (tsr_report_get_diagnostics (report)));
  text = tsr_diagnostics_dialog_dup_text (dialog);
  g_assert_nonnull (strstr (text, "profile.pop, memory_by_tile, row 2"));
  g_assert_false (tsr_ui_test_says (GTK_WIDGET (dialog), "No Remark"));
  tsr_diagnostics_dialog_set_filter (dialog, "nothing like this");
  g_assert_cmpuint (tsr_diagnostics_dialog_get_n_shown (dialog), ==, 0);
  g_assert_true (tsr_ui_test_says (GTK_WIDGET (dialog), "No Remark Matches the Filter"));
  tsr_diagnostics_dialog_set_filter (dialog, "");
  g_assert_false (tsr_ui_test_says (GTK_WIDGET (dialog), "No Remark"));
  gtk_widget_activate_action (GTK_WIDGET (dialog), "diagnostics.copy-structure", NULL);
  tsr_ui_test_wait (tsr_ui_test_says (GTK_WIDGET (dialog), "The structure is copied"));
  structure = dup_clipboard (GTK_WIDGET (dialog));
  g_assert_cmpint (*structure, ==, '{');
  /* It is closed before that is there, which is copied all the same. */
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (window)), "before");
  gtk_widget_activate_action (GTK_WIDGET (dialog), "diagnostics.copy-structure", NULL);
  gtk_window_destroy (GTK_WINDOW (dialog));
  tsr_ui_test_wait (has_copied (GTK_WIDGET (window), structure));
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* A single remark stands in the bar itself; of several it says how many. */
static void
test_remarks (void)
{
  static const struct
  {
    const char *sql, *bar, *button;
  } cases[] = {
    { "UPDATE memory_by_tile SET including_gaps = -5 WHERE tile = 3",
      "profile.pop, memory_by_tile, row 3: including_gaps is -5, at least 0 is expected",
      "1 remark" },
    { "UPDATE memory_by_tile SET including_gaps = -5 WHERE tile IN (2, 3)",
      "2 things in this report could not be read or contradict others", "2 remarks" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char *folder = tsr_test_folder_new ();
      TsrWindow *window;

      tsr_ui_test_write_report (folder, 0);
      tsr_test_sql (folder, "profile.pop", cases[i].sql);
      window = open_window (folder);
      tsr_ui_test_wait (g_strcmp0 (bar_of (window, "diagnostics"), cases[i].bar) == 0);
      g_assert_true (tsr_ui_test_says (GTK_WIDGET (window), cases[i].button));
      window_test_close (window);
      tsr_test_folder_free (folder);
    }
}

static GtkWindow *
find_colour_key (TsrWindow *window)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (gtk_window_get_transient_for (l->data) == GTK_WINDOW (window)
        && g_strcmp0 (gtk_window_get_title (l->data), "What the Colours Mean") == 0)
      return l->data;
  return NULL;
}

/* What is drawn of memory: the bar of the Summary and its end, max memory, which Liveness has as a
 * line; the track of the trace is what is not always live. */
static void
test_subjects (void)
{
  static const TsrView with_memory[]
      = { TSR_VIEW_SUMMARY, TSR_VIEW_INSIGHTS, TSR_VIEW_MEMORY, TSR_VIEW_LIVENESS };
  static const TsrView with_lives[]
      = { TSR_VIEW_INSIGHTS, TSR_VIEW_MEMORY, TSR_VIEW_LIVENESS, TSR_VIEW_EXECUTION_TRACE };

  for (guint i = 0; i < G_N_ELEMENTS (with_memory); i++)
    g_assert_cmpuint (tsr_pages_find (with_memory[i])->subjects >> TSR_COLOUR_MEMORY & 1, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (with_lives); i++)
    g_assert_cmpuint (tsr_pages_find (with_lives[i])->subjects >> TSR_COLOUR_LIFE & 1, ==, 1);
}

/* The key has the subjects of the page that is shown, each of their names, and nothing else. */
static void
test_colours (void)
{
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;
  TsrMemory *memory;
  guint n_pages = 0, n_keys = 0, n_known = 0;
  const TsrPageInfo *pages = tsr_pages_get (&n_pages);

  tsr_ui_test_write_report (folder, 0);
  window = open_window (folder);
  memory = tsr_session_get_memory (tsr_window_get_session (window));
  g_assert_nonnull (memory);
  for (guint c = 0; c < tsr_memory_get_n_categories (memory); c++)
    n_known
        += tsr_palette_get_category_ink (tsr_memory_get_category_name (memory, c)) != TSR_INK_REST;
  for (guint i = 0; i < n_pages; i++)
    {
      guint subjects = pages[i].subjects & ~(n_known == 0 ? 1u << TSR_COLOUR_CATEGORY : 0);
      GtkWindow *key;

      if (!tsr_report_view_show (tsr_window_get_report_view (window), pages[i].view))
        continue;
      n_keys++;
      g_action_group_activate_action (G_ACTION_GROUP (window), "colours", NULL);
      key = find_colour_key (window);
      g_assert_nonnull (key);
      for (guint subject = TSR_COLOUR_NONE + 1; subject < TSR_N_COLOUR_SUBJECTS; subject++)
        g_assert_cmpint (
            tsr_ui_test_says (GTK_WIDGET (key), tsr_palette_get_subject_name (subject)), ==,
            subjects >> subject & 1);
      for (guint ink = 0; ink < TSR_N_INKS; ink++)
        if (tsr_palette_get_name (ink) != NULL
            && tsr_palette_get_subject (ink) != TSR_COLOUR_CATEGORY
            && (subjects >> tsr_palette_get_subject (ink) & 1) != 0)
          g_assert_true (tsr_ui_test_says (GTK_WIDGET (key), tsr_palette_get_name (ink)));
      for (guint c = 0; c < tsr_memory_get_n_categories (memory); c++)
        if ((subjects >> TSR_COLOUR_CATEGORY & 1) != 0
            && tsr_palette_get_category_ink (tsr_memory_get_category_name (memory, c))
                   != TSR_INK_REST)
          g_assert_true (
              tsr_ui_test_says (GTK_WIDGET (key), tsr_memory_get_category_label (memory, c)));
      gtk_window_destroy (key);
    }
  g_assert_cmpuint (n_keys, >=, 3);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* The help has every rule of Insights and every threshold with its value. */
static void
find_rules (TsrHelp *help)
{
  guint n = 0;
  const TsrInsightLimit *limits = tsr_insight_limits_get (&n);
  TsrInsightRuleText rule;

  for (guint i = 0; tsr_insight_rules_describe (i, &rule); i++)
    {
      g_assert_cmpuint (tsr_help_search (help, rule.id), >=, 1);
      g_assert_cmpuint (tsr_help_search (help, rule.title), >=, 1);
      g_assert_cmpuint (tsr_help_search (help, rule.meaning), ==, 1);
    }
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *value = tsr_insight_limit_dup_value (&limits[i]);
      g_autofree char *said = g_strconcat (limits[i].meaning, " ", value, NULL);

      g_assert_cmpuint (tsr_help_search (help, said), >=, 1);
    }
}

/* A report without a remark says so, while it is read (which takes many times as long as the dialog
 * does) and then; without a report there is no dialog. */
static void
test_no_diagnostics (void)
{
  char *folder = tsr_test_report_new ("demo");
  TsrWindow *window = window_test_new ();
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  TsrDiagnosticsDialog *dialog;

  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "diagnostics"));
  report = tsr_report_open (place, folder, TSR_LOAD_ALL);
  dialog = tsr_diagnostics_dialog_new (GTK_WINDOW (window), report);
  gtk_window_present (GTK_WINDOW (dialog));
  g_assert_true (tsr_ui_test_says (GTK_WIDGET (dialog), "No Remarks So Far"));
  g_assert_true (tsr_ui_test_says (GTK_WIDGET (dialog), "still being read"));
  tsr_ui_test_wait (!tsr_ui_test_says (GTK_WIDGET (dialog), "So Far"));
  g_assert_cmpuint (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (report)), ==, 0);
  g_assert_true (tsr_ui_test_says (GTK_WIDGET (dialog), "No Remarks"));
  g_assert_false (tsr_ui_test_says (GTK_WIDGET (dialog), "0 shown"));
  gtk_window_destroy (GTK_WINDOW (dialog));
  tsr_window_open (window, folder, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "report"));
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "diagnostics"));
  window_test_close (window);
  tsr_test_folder_free (folder);
}

static gboolean
answers_tooltip (GtkWidget *widget)
{
  g_autoptr (GObject) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shown = FALSE;

  g_signal_emit_by_name (widget, "query-tooltip", 1, 1, FALSE, tooltip, &shown);
  return shown;
}

static GtkWidget *
find_popover (GtkWidget *widget)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  while (child != NULL && !GTK_IS_POPOVER (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* Opens what each button and chooser under @widget opens; returns how many there were with a
 * tooltip. */
static guint
check_tooltips (GtkWidget *widget)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_mapped (child))
      n += check_tooltips (child);
  if ((GTK_IS_MENU_BUTTON (widget) || GTK_IS_DROP_DOWN (widget)) && find_popover (widget) != NULL
      && gtk_widget_is_sensitive (widget) && answers_tooltip (widget))
    {
      GtkPopover *popover = GTK_POPOVER (find_popover (widget));

      gtk_popover_popup (popover);
      tsr_ui_test_wait (gtk_widget_get_mapped (GTK_WIDGET (popover)));
      g_assert_false (answers_tooltip (widget));
      gtk_popover_popdown (popover);
      tsr_ui_test_wait (!gtk_widget_get_mapped (GTK_WIDGET (popover)));
      g_assert_true (answers_tooltip (widget));
      n++;
    }
  return n;
}

/* A tooltip would cover the popover that its widget has opened. */
static void
test_tooltips (void)
{
  char *folder = tsr_test_report_new ("tiny");
  TsrWindow *window = open_window (folder);
  guint n_pages = 0, n = 0;
  const TsrPageInfo *pages = tsr_pages_get (&n_pages);

  for (guint i = 0; i < n_pages; i++)
    {
      g_autofree char *action = g_strconcat ("win.view-", tsr_view_get_nick (pages[i].view), NULL);

      activate (window, action);
      tsr_ui_test_run (300);
      n += check_tooltips (GTK_WIDGET (window));
    }
  g_assert_cmpuint (n, >=, 3 * n_pages); /* main menu, search, and some of each page */
  window_test_close (window);
  tsr_test_folder_free (folder);
}

static GtkWidget *
find_paragraph (GtkWidget *widget, const char *text)
{
  GtkWidget *found = NULL;

  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
      && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_paragraph (child, text);
  return found;
}

/* Whether all of the paragraph with @text can be read, and @text is marked in it. */
static gboolean
is_in_sight (TsrHelp *help, const char *text)
{
  GtkWidget *label = find_paragraph (GTK_WIDGET (help), text);
  PangoAttrList *marks = label != NULL ? gtk_label_get_attributes (GTK_LABEL (label)) : NULL;
  GtkWidget *viewport;
  graphene_rect_t at;
  GSList *list;
  gboolean marked;

  if (marks == NULL)
    return FALSE;
  list = pango_attr_list_get_attributes (marks);
  for (marked = FALSE; list != NULL; list = g_slist_delete_link (list, list))
    {
      PangoAttribute *mark = list->data;
      const char *all = gtk_label_get_text (GTK_LABEL (label));

      marked |= mark->klass->type == PANGO_ATTR_BACKGROUND
                && mark->start_index == (guint)(strstr (all, text) - all)
                && mark->end_index - mark->start_index == strlen (text);
      pango_attribute_destroy (mark);
    }
  viewport = gtk_widget_get_ancestor (label, GTK_TYPE_VIEWPORT);
  return marked && gtk_widget_compute_bounds (label, viewport, &at) && at.origin.y >= 0
         && at.size.height > 0
         && at.origin.y + at.size.height <= (float)gtk_widget_get_height (viewport);
}

/* What is found comes into sight, in a topic that was not shown yet, down and up; and its row in
 * the list, in a window that is too low for all of them. */
static void
test_help_search (void)
{
  static const char *const words[] = { "gaps-on-full-tiles", "Take the completion",
                                       "profiler.replicaToProfile", "Where the files are" };
  TsrHelp *help = tsr_help_new (NULL);

  gtk_window_set_default_size (GTK_WINDOW (help), 640, 400);
  gtk_window_present (GTK_WINDOW (help));
  tsr_ui_test_wait (gtk_widget_get_mapped (GTK_WIDGET (help)));
  tsr_ui_test_run (200);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (help)), <=, 400);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_assert_cmpuint (tsr_help_search (help, words[i]), >=, 1);
      tsr_ui_test_wait (is_in_sight (help, words[i]));
    }
  /* Too long to be looked for; and none. */
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = g_strnfill (i == 0 ? 100000 : 0, 'a');

      g_assert_cmpuint (tsr_help_search (help, text), ==, 0);
      g_assert_false (is_in_sight (help, words[3]));
    }
  gtk_window_destroy (GTK_WINDOW (help));
  tsr_ui_test_run (20);
}

/* The label with a link to @target; NULL if there is none. */
static GtkWidget *
find_link (GtkWidget *widget, const char *target)
{
  g_autofree char *link = g_strdup_printf ("<a href=\"%s\">", target);

  if (GTK_IS_LABEL (widget))
    return strstr (gtk_label_get_label (GTK_LABEL (widget)), link) != NULL ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_link (child, target);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* How far down what @label is in was scrolled. */
static double
get_scrolled (GtkWidget *label)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (label, GTK_TYPE_VIEWPORT);

  return gtk_adjustment_get_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport)));
}

/* Every page has its chapter, every chapter text; a link leads to another, and to a heading in it.
 */
static void
test_help (void)
{
  guint n = 0;
  const TsrPageInfo *pages = tsr_pages_get (&n);
  GPtrArray *chapters = tsr_manual_get_chapters ();
  TsrHelp *help = tsr_help_new (NULL);
  gboolean handled = FALSE;

  g_object_ref_sink (help);
  gtk_window_present (GTK_WINDOW (help));
  for (guint i = 0; i < chapters->len; i++)
    {
      const TsrManualChapter *chapter = g_ptr_array_index (chapters, i);

      g_assert_cmpuint (chapter->blocks->len, >=, 4);
      tsr_help_show_topic (help, chapter->id);
      g_assert_cmpstr (tsr_help_get_topic (help), ==, chapter->id);
    }
  for (guint i = 0; i < n; i++)
    {
      tsr_help_show_topic (help, tsr_view_get_nick (pages[i].view));
      g_assert_cmpstr (tsr_help_get_topic (help), ==, tsr_view_get_nick (pages[i].view));
    }
  tsr_help_show_topic (help, "no such chapter");
  g_assert_cmpstr (tsr_help_get_topic (help), ==, "start");
  g_signal_emit_by_name (find_link (GTK_WIDGET (help), "memory#gaps"), "activate-link",
                         "memory#gaps", &handled);
  g_assert_true (handled);
  g_assert_cmpstr (tsr_help_get_topic (help), ==, "memory");
  tsr_ui_test_wait (get_scrolled (find_paragraph (GTK_WIDGET (help), "Gaps")) > 0);
  g_assert_cmpuint (tsr_help_search (help, "autoReport.all"), >=, 1);
  g_assert_cmpuint (tsr_help_search (help, "GAPS"), >=, 2);
  g_assert_cmpuint (tsr_help_search (help, "no such words"), ==, 0);
  find_rules (help);
  gtk_window_destroy (GTK_WINDOW (help));
  g_object_unref (help);
  tsr_ui_test_run (20);
}

static void
assert_block (GArray *blocks, guint i, TsrManualKind kind, int number, int row, const char *markup)
{
  const TsrManualBlock *block = &g_array_index (blocks, TsrManualBlock, i);

  g_assert_cmpuint (i, <, blocks->len);
  g_assert_cmpint (block->kind, ==, kind);
  g_assert_cmpint (block->number, ==, number);
  g_assert_cmpint (block->row, ==, row);
  g_assert_cmpstr (block->markup, ==, markup);
}

/* Each kind of block and of what is in a line; what only looks like one; and texts that break off.
 */
static void
test_manual (void)
{
  static const char *const broken[]
      = { "",    "[a](b",    "[a",       "**a",          "`a", "*",  "![a](", "![",
          "| a", "|",        "```\na",   "\\",           "#",  "- ", "1. ",   "****",
          "``",  "[](x.md)", "<b>&amp;", "[**a](b.md)**" };
  g_autoptr (GArray) blocks = tsr_manual_parse (
      "# A & B\ntwo\nlines, `x < *y*` and **bold *both* b**\n\n- one [m](memory.md#gaps)\n  "
      "more\n- "
      "[t](x.c)\n"
      "\n12. twelve 2*3*4\n\n| a | `b` |\n| --- | --- |\n| c | |\n\n![No "
      "<picture>](../images/a.png)\n"
      "```sh\n# code & more\n\nend\n```\n[up](../insights.md), [here](#a--b)\nlast \\*star\n");

  assert_block (blocks, 0, TSR_MANUAL_HEADING, 1, 0, "A &amp; B");
  g_assert_cmpstr (g_array_index (blocks, TsrManualBlock, 0).target, ==, "a--b");
  assert_block (blocks, 1, TSR_MANUAL_TEXT, 0, 0,
                "two lines, <tt>x &lt; *y*</tt> and <b>bold <i>both</i> b</b>");
  assert_block (blocks, 2, TSR_MANUAL_ITEM, 0, 0, "one <a href=\"memory#gaps\">m</a> more");
  assert_block (blocks, 3, TSR_MANUAL_ITEM, 0, 1, "t");
  assert_block (blocks, 4, TSR_MANUAL_ITEM, 12, 0, "twelve 2<i>3</i>4");
  assert_block (blocks, 5, TSR_MANUAL_CELL, 0, 0, "a");
  assert_block (blocks, 6, TSR_MANUAL_CELL, 1, 0, "<tt>b</tt>");
  assert_block (blocks, 7, TSR_MANUAL_CELL, 0, 1, "c");
  assert_block (blocks, 8, TSR_MANUAL_CELL, 1, 1, "");
  assert_block (blocks, 9, TSR_MANUAL_PICTURE, 0, 0, "No <picture>");
  g_assert_true (
      g_str_has_suffix (g_array_index (blocks, TsrManualBlock, 9).target, "/manual/images/a.png"));
  assert_block (blocks, 10, TSR_MANUAL_CODE, 0, 0, "# code &amp; more\n\nend");
  assert_block (blocks, 11, TSR_MANUAL_TEXT, 0, 0,
                "<a href=\"rules\">up</a>, <a href=\"#a--b\">here</a> last *star");
  g_assert_cmpuint (blocks->len, ==, 12);
  {
    g_autoptr (GArray) numbered = tsr_manual_parse ("7. a\n100. b\n2026. c\n");

    assert_block (numbered, 0, TSR_MANUAL_ITEM, 7, 0, "a");
    assert_block (numbered, 1, TSR_MANUAL_ITEM, 100, 1, "b 2026. c");
    g_assert_cmpuint (numbered->len, ==, 2);
  }
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr (GArray) some = tsr_manual_parse (broken[i]);
      GtkWidget *label = g_object_ref_sink (gtk_label_new (NULL));

      /* What is no markup logs a warning, which ends the test. */
      for (guint k = 0; k < some->len; k++)
        if (g_array_index (some, TsrManualBlock, k).kind != TSR_MANUAL_PICTURE)
          gtk_label_set_markup (GTK_LABEL (label), g_array_index (some, TsrManualBlock, k).markup);
      g_object_unref (label);
    }
}

static GtkWidget *
find_button (GtkWidget *widget, const char *action)
{
  GtkWidget *found
      = GTK_IS_BUTTON (widget)
                && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), action) == 0
            ? widget
            : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_button (child, action);
  return found;
}

/* A report whose folder is gone says so and offers to leave the list; another, and one behind ssh,
 * does not. */
static void
test_home_gone (void)
{
  TsrHome *home;
  TsrRecents *recents = tsr_recents_get_default ();
  const char *paths[] = { "/nowhere/training", "ssh://nobody@nowhere.invalid/training", NULL };
  GtkWidget *list, *row[3];
  g_autoptr (GVariant) target = NULL;

  paths[2] = g_get_tmp_dir ();
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    tsr_recents_add (recents, paths[i], "training");
  home = g_object_ref_sink (g_object_new (TSR_TYPE_HOME, NULL));
  list = find_child (GTK_WIDGET (home), "list");
  for (guint i = 0; i < G_N_ELEMENTS (row); i++) /* the newest first */
    row[i] = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 2 - i));
  while (find_button (row[0], "win.remove-recent") == NULL)
    g_main_context_iteration (NULL, TRUE);
  target = g_variant_ref (gtk_actionable_get_action_target_value (
      GTK_ACTIONABLE (find_button (row[0], "win.remove-recent"))));
  g_assert_cmpstr (g_variant_get_bytestring (target), ==, paths[0]);
  for (guint i = 0; i < 100; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_null (find_button (row[1], "win.remove-recent"));
  g_assert_null (find_button (row[2], "win.remove-recent"));
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    tsr_recents_remove (recents, paths[i]);
  g_object_unref (home);
}

/* Recent reports come first, a few until all are asked for; the card of the demo report stands in
 * their place while there are none. */
static void
test_home (void)
{
  TsrHome *home = g_object_ref_sink (g_object_new (TSR_TYPE_HOME, NULL));
  TsrRecents *recents = tsr_recents_get_default ();
  guint n = g_list_model_get_n_items (G_LIST_MODEL (recents));

  while (n < 12)
    {
      g_autofree char *path = g_strdup_printf ("/data/run%u/training", n);

      tsr_recents_add (recents, path, "training");
      n = g_list_model_get_n_items (G_LIST_MODEL (recents));
    }
  /* There may have been twelve before. */
  tsr_recents_add (recents, "/data/run11/training", "training");
  n = g_list_model_get_n_items (G_LIST_MODEL (recents));
  g_assert_true (tsr_home_has_filter (home));
  g_assert_false (gtk_widget_get_visible (find_child (GTK_WIDGET (home), "demo_card")));
  g_assert_true (gtk_widget_get_visible (find_child (GTK_WIDGET (home), "formats_row")));
  g_assert_cmpuint (tsr_home_get_n_shown (home), ==, 5);
  g_signal_emit_by_name (find_child (GTK_WIDGET (home), "all_button"), "clicked");
  g_assert_cmpuint (tsr_home_get_n_shown (home), ==, n);
  tsr_home_set_filter (home, "RUN11/");
  g_assert_cmpuint (tsr_home_get_n_shown (home), ==, 1);
  while (g_list_model_get_n_items (G_LIST_MODEL (recents)) > 3)
    {
      g_autoptr (TsrRecent) item = g_list_model_get_item (G_LIST_MODEL (recents), 0);
      g_autofree char *path = g_strdup (tsr_recent_get_path (item));

      tsr_recents_remove (recents, path);
    }
  /* No filter, so nothing is hidden by one. */
  g_assert_false (tsr_home_has_filter (home));
  g_assert_cmpuint (tsr_home_get_n_shown (home), ==, 3);
  g_assert_false (gtk_widget_get_visible (find_child (GTK_WIDGET (home), "all_button")));
  window_test_forget_recents ();
  g_assert_true (gtk_widget_get_visible (find_child (GTK_WIDGET (home), "demo_card")));
  g_assert_false (gtk_widget_get_visible (find_child (GTK_WIDGET (home), "recent_group")));
  g_assert_false (gtk_widget_get_visible (find_child (GTK_WIDGET (home), "formats_row")));
  g_object_unref (home);
}

/* The keys of a recent report: its menu, and away with it. */
static void
test_home_keys (void)
{
  TsrRecents *recents = tsr_recents_get_default ();
  TsrWindow *window;
  GtkWidget *list, *row;
  GtkMenuButton *menu;

  window_test_forget_recents ();
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *path = g_strdup_printf ("/nowhere/keys%u", i);

      tsr_recents_add (recents, path, "training");
    }
  window = window_test_new ();
  list = find_child (GTK_WIDGET (window), "list");
  row = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 1));
  menu = GTK_MENU_BUTTON (tsr_ui_test_find (row, GTK_TYPE_MENU_BUTTON));
  g_assert_false (tsr_ui_test_press (row, GDK_KEY_F10, 0));
  g_assert_false (tsr_ui_test_press (row, GDK_KEY_a, 0));
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *popover = GTK_WIDGET (gtk_menu_button_get_popover (menu));

      g_assert_false (gtk_widget_get_visible (popover));
      g_assert_true (i == 0 ? tsr_ui_test_press (row, GDK_KEY_Menu, 0)
                            : tsr_ui_test_press (row, GDK_KEY_F10, GDK_SHIFT_MASK));
      g_assert_true (gtk_widget_get_visible (popover));
      gtk_menu_button_popdown (menu);
    }
  /* The second is /nowhere/keys1; then what comes after it. */
  g_assert_true (tsr_ui_test_press (row, GDK_KEY_Delete, 0));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (recents)), ==, 2);
  row = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 1));
  g_assert_true (tsr_ui_test_press (row, GDK_KEY_KP_Delete, 0));
  {
    g_autoptr (TsrRecent) left = g_list_model_get_item (G_LIST_MODEL (recents), 0);

    g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (recents)), ==, 1);
    g_assert_cmpstr (tsr_recent_get_path (left), ==, "/nowhere/keys2");
  }
  tsr_recents_remove (recents, "/nowhere/keys2");
  window_test_close (window);
}

static void
test_preferences (void)
{
  TsrWindow *window = window_test_new ();
  TsrSettings *settings = tsr_window_get_settings (window);
  GtkWindow *dialog = tsr_preferences_new (GTK_WINDOW (window), window_test_get_application ());

  gtk_window_present (dialog);
  tsr_settings_set_string (settings, "color-scheme", "dark");
  g_assert_true (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  tsr_settings_set_string (settings, "color-scheme", "light");
  g_assert_false (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  tsr_settings_set_string (settings, "color-scheme", "system");
  gtk_window_destroy (dialog);
  window_test_close (window);
}

/* Every action that a key or a menu names is there. */
static void
test_actions (void)
{
  TsrWindow *window = window_test_new ();
  g_auto (GStrv) actions
      = gtk_application_list_action_descriptions (GTK_APPLICATION (window_test_get_application ()));

  for (guint i = 0; actions[i] != NULL; i++)
    {
      g_autofree char *name = NULL;

      if (g_str_has_prefix (actions[i], "app."))
        g_assert_true (g_action_group_has_action (G_ACTION_GROUP (window_test_get_application ()),
                                                  actions[i] + 4));
      else if (g_str_has_prefix (actions[i], "win."))
        g_assert_true (g_action_group_has_action (G_ACTION_GROUP (window), actions[i] + 4));
    }
  window_test_close (window);
}

/* What the actions of the window do that have no page of their own. */
static void
test_window_actions (void)
{
  TsrWindow *window = window_test_new ();
  GtkWidget *widget = GTK_WIDGET (window);
  const char *demo = tsr_test_get_report ("demo"), *tiny = tsr_test_get_report ("tiny");
  g_autofree char *path = NULL, *link = NULL, *structure = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (TsrSource) source = NULL;
  g_autoptr (TsrJson) json = NULL;
  g_autoptr (GError) error = NULL;
  guint n_tables = 0;

  gtk_widget_activate_action (widget, "win.copy-path", "^ay", demo);
  path = dup_clipboard (widget);
  g_assert_cmpstr (path, ==, demo);
  gtk_widget_activate_action (widget, "win.copy-report-link", "^ay", demo);
  link = dup_clipboard (widget);
  g_assert_true (g_str_has_prefix (link, "tessera:"));
  g_assert_nonnull (strstr (link, "demo"));
  gtk_widget_activate_action (widget, "win.open-path", "^ay", tiny);
  tsr_ui_test_wait (window_test_is (window, "report"));
  g_assert_cmpstr (tsr_window_get_location (window), ==, tiny);
  {
    g_autofree char *here = NULL, *again = NULL;
    TsrWindow *second;
    guint n_windows = g_list_length (
        gtk_application_get_windows (GTK_APPLICATION (window_test_get_application ())));

    gtk_widget_activate_action (widget, "win.copy-link", NULL);
    here = dup_clipboard (widget);
    g_assert_cmpstr (here, !=, link);
    g_assert_nonnull (strstr (here, "tiny"));
    g_assert_nonnull (strstr (here, "page=summary"));
    tsr_ui_test_wait (tsr_ui_test_says (widget, "The link to this view is copied"));
    /* It leads back, in a window of its own. */
    gtk_widget_activate_action (widget, "win.open-path-in-new-window", "^ay", here);
    g_assert_cmpuint (g_list_length (gtk_application_get_windows (
                          GTK_APPLICATION (window_test_get_application ()))),
                      ==, n_windows + 1);
    second = TSR_WINDOW (
        gtk_application_get_windows (GTK_APPLICATION (window_test_get_application ()))->data);
    g_assert_true (second != window);
    tsr_ui_test_wait (window_test_is (second, "report"));
    gtk_widget_activate_action (GTK_WIDGET (second), "win.copy-link", NULL);
    again = dup_clipboard (GTK_WIDGET (second));
    g_assert_cmpstr (again, ==, here);
    window_test_close (second);
  }
  g_setenv ("TSR_DEMO_DIR", "/nowhere", TRUE);
  gtk_widget_activate_action (widget, "win.open-demo", NULL);
  tsr_ui_test_wait (tsr_ui_test_says (widget, "The demo report is not installed"));
  g_assert_cmpstr (tsr_window_get_location (window), ==, tiny);
  g_setenv ("TSR_DEMO_DIR", demo, TRUE);
  gtk_widget_activate_action (widget, "win.open-demo", NULL);
  tsr_ui_test_wait (g_strcmp0 (tsr_window_get_location (window), demo) == 0
                    && window_test_is (window, "report"));
  g_unsetenv ("TSR_DEMO_DIR");
  /* Names and types of the tables, and nothing of what is in them. */
  gtk_widget_activate_action (widget, "win.copy-structure", NULL);
  for (guint i = 0; i < 200; i++)
    {
      tsr_ui_test_run (20);
      g_free (structure);
      structure = dup_clipboard (widget);
      if (structure != NULL && *structure == '{')
        break;
    }
  bytes = g_bytes_new (structure, strlen (structure));
  source = tsr_bytes_source_new ("structure.json", bytes);
  json = tsr_json_read (source, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < tsr_json_get_n_children (json); i++)
    if (g_strcmp0 (tsr_json_get_key (tsr_json_get_child (json, i)), "tables") == 0)
      n_tables = tsr_json_get_n_children (tsr_json_get_child (json, i));
  g_assert_cmpuint (n_tables, >, 20);
  window_test_close (window);
}

static void
test_command_line (void)
{
  const char *program = g_getenv ("TSR_PROGRAM");
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_autoptr (GError) error = NULL;
  const char *argv[] = { program, "--version", NULL };
  int status = 0;

  if (program == NULL)
    {
      g_test_skip ("TSR_PROGRAM is not set");
      return;
    }
  g_spawn_sync (NULL, (char **)argv, NULL, 0, NULL, NULL, &out, &err, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (out, ==, "tessera " TSR_VERSION "\n");
  g_clear_pointer (&out, g_free);
  g_clear_pointer (&err, g_free);
  argv[1] = "--page=nonsense";
  g_spawn_sync (NULL, (char **)argv, NULL, 0, NULL, NULL, &out, &err, &status, &error);
  g_assert_no_error (error);
  g_assert_false (g_spawn_check_wait_status (status, NULL));
  g_assert_nonnull (strstr (err, "nonsense"));
}

static void
on_frame (GdkFrameClock *clock, guint *n)
{
  ++*n;
}

/* Nothing moves any more when all is read. */
static void
test_still (void)
{
  char *folder = tsr_test_folder_new ();
  TsrWindow *window;
  GdkFrameClock *clock;
  guint n = 0;

  tsr_ui_test_write_report (folder, 0);
  window = open_window (folder);
  tsr_ui_test_run (1500);
  clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  g_signal_connect (clock, "update", G_CALLBACK (on_frame), &n);
  tsr_ui_test_run (500);
  g_signal_handlers_disconnect_by_data (clock, &n);
  g_assert_cmpuint (n, <, 5);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  window_test_init (&argc, &argv);
  g_test_add_func ("/shell/open", test_open);
  g_test_add_func ("/shell/opening", test_opening);
  g_test_add_func ("/shell/missing", test_missing);
  g_test_add_func ("/shell/focus", test_focus);
  g_test_add_func ("/shell/error", test_error);
  g_test_add_func ("/shell/choice", test_choice);
  g_test_add_func ("/shell/drop", test_drop);
  g_test_add_func ("/shell/drop/others", test_drop_others);
  g_test_add_func ("/shell/tiles-per-ipu", test_tiles_per_ipu);
  g_test_add_func ("/shell/archive-alone", test_archive_alone);
  g_test_add_func ("/shell/reload", test_reload);
  g_test_add_func ("/shell/changed", test_changed);
  g_test_add_func ("/shell/sidebar", test_sidebar);
  g_test_add_func ("/shell/unavailable", test_unavailable);
  g_test_add_func ("/shell/still", test_still);
  g_test_add_func ("/shell/folded", test_folded);
  g_test_add_func ("/shell/options", test_options);
  g_test_add_func ("/shell/json", test_json);
  g_test_add_func ("/shell/diagnostics", test_diagnostics);
  g_test_add_func ("/shell/no-diagnostics", test_no_diagnostics);
  g_test_add_func ("/shell/remarks", test_remarks);
  g_test_add_func ("/shell/subjects", test_subjects);
  g_test_add_func ("/shell/colours", test_colours);
  g_test_add_func ("/shell/tooltips", test_tooltips);
  g_test_add_func ("/shell/manual", test_manual);
  g_test_add_func ("/shell/help", test_help);
  g_test_add_func ("/shell/help-search", test_help_search);
  g_test_add_func ("/shell/home", test_home);
  g_test_add_func ("/shell/home/gone", test_home_gone);
  g_test_add_func ("/shell/home/keys", test_home_keys);
  g_test_add_func ("/shell/preferences", test_preferences);
  g_test_add_func ("/shell/actions", test_actions);
  g_test_add_func ("/shell/window-actions", test_window_actions);
  g_test_add_func ("/shell/command-line", test_command_line);
  return window_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every option of every page: what a page shows follows from its options alone, however they were
 * set.  For each value of each option that has a name: all that is to be read on the page after it
 * was set is the same when a link says it, and set back, by an action or by a link, the page is as
 * it was. */

#include "config.h"

#include "tsr-link.h"
#include "tsr-liveness-rows.h"
#include "tsr-memory-rows.h"
#include "tsr-operation-tabs.h"
#include "tsr-program-tabs.h"
#include "tsr-tables.h"
#include "tsr-test.h"
#include "tsr-view-state.h"
#include "window-test.h"

#include <string.h>

/* Values of choices; each page takes those that are its.  Tabs follow from their tables. */
static const char *const choices[]
    = { "tree",   "costliest", "icicle",   "none", "api",      "prefix",   "prefix-2",
        "region", "category",  "liveness", "peak", "software", "physical", "bytes",
        "total",  "variables", "tile-map", "flat", "flame",    "number",   "finish",
        "cycles", "code",      "replica",  "ipu",  "tile" };

static GPtrArray *values; /* choices and keys of tabs */

static void
find_values (void)
{
  values = g_ptr_array_new ();
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    g_ptr_array_add (values, (gpointer)choices[i]);
  for (guint i = 0; i < TSR_PROGRAM_N_DETAILS; i++)
    g_ptr_array_add (values, (gpointer)tsr_program_detail_get_nick (i));
  for (guint i = 0; i < TSR_OPERATION_N_DETAILS; i++)
    g_ptr_array_add (values, (gpointer)tsr_operation_detail_get_nick (i));
  for (guint i = 0; i < TSR_LIVENESS_N_TABS; i++)
    g_ptr_array_add (values, (gpointer)tsr_tables_get_key ("liveness", i));
  for (guint i = 0; i < TSR_MEMORY_N_TABS; i++)
    g_ptr_array_add (values, (gpointer)tsr_memory_tab_get_nick (i));
}

/* ---------------------------------------------------------------- what is to be seen */

/* How much is behind a tab is known once it was looked at; arrows follow from what has room. */
static gboolean
is_of_tab (GtkWidget *widget)
{
  const char *above = gtk_widget_get_css_name (gtk_widget_get_parent (widget));

  return (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "numeric")
          && gtk_widget_get_ancestor (widget, GTK_TYPE_NOTEBOOK) != NULL)
         || (g_str_equal (above, "header") && GTK_IS_BUTTON (widget));
}

static void
tell (GString *out, GtkWidget *widget, int depth)
{
  g_auto (GStrv) classes = gtk_widget_get_css_classes (widget);
  g_autofree char *joined = g_strjoinv (".", classes);

  /* Bars come and go by themselves; of a list, which row widgets are kept is GTK's affair. */
  if (!gtk_widget_get_mapped (widget) || GTK_IS_SCROLLBAR (widget) || GTK_IS_SPINNER (widget)
      || is_of_tab (widget))
    return;
  g_string_append_printf (out, "%*s%s %s%s", depth, "", G_OBJECT_TYPE_NAME (widget), joined,
                          gtk_widget_is_sensitive (widget) ? "" : " off");
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (out, " “%s”", gtk_label_get_text (GTK_LABEL (widget)));
  if (GTK_IS_TOGGLE_BUTTON (widget) && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (widget)))
    g_string_append (out, " pressed");
  if (GTK_IS_CHECK_BUTTON (widget) && gtk_check_button_get_active (GTK_CHECK_BUTTON (widget)))
    g_string_append (out, " checked");
  g_string_append_c (out, '\n');
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    tell (out, child, depth + 1);
}

static char *
dup_seen (TsrPage *page)
{
  GString *out = g_string_new (NULL);

  tell (out, GTK_WIDGET (page), 0);
  return g_string_free (out, FALSE);
}

/* (transfer full): once it has stood still. */
static char *
dup_settled (TsrPage *page)
{
  g_autofree char *before = NULL;
  char *now = dup_seen (page);

  do
    {
      g_free (before);
      before = now;
      tsr_ui_test_run (40);
      now = dup_seen (page);
    }
  while (!g_str_equal (before, now));
  return now;
}

static gboolean
is_seen (TsrPage *page, const char *wanted)
{
  g_autofree char *now = dup_seen (page);

  return g_str_equal (now, wanted);
}

/* The first line that differs, for who has to mend it. */
static void
wait_for (TsrPage *page, const char *wanted, const char *way, const char *name)
{
  gint64 until = g_get_monotonic_time () + 5 * G_USEC_PER_SEC;

  while (!is_seen (page, wanted) && g_get_monotonic_time () < until)
    tsr_ui_test_run (20);
  if (!is_seen (page, wanted))
    {
      g_autofree char *now = dup_seen (page);
      g_auto (GStrv) lines = g_strsplit (now, "\n", -1);
      g_auto (GStrv) others = g_strsplit (wanted, "\n", -1);
      guint i = 0;

      while (lines[i] != NULL && others[i] != NULL && g_str_equal (lines[i], others[i]))
        i++;
      g_test_message ("%s, %s: “%s” is not “%s”", name, way, lines[i] != NULL ? lines[i] : "end",
                      others[i] != NULL ? others[i] : "end");
      g_test_fail ();
    }
}

/* ---------------------------------------------------------------- the options */

static GHashTable *
save (TsrPage *page)
{
  GHashTable *words = tsr_page_new_words (tsr_page_get_view (page));

  tsr_page_save_words (page, words);
  return words;
}

/* FALSE: that is no value of it. */
static gboolean
set (TsrPage *page, const char *name, gboolean is_switch, guint value)
{
  g_autofree char *text = NULL;
  gboolean on = FALSE;

  if (is_switch)
    {
      g_object_set (page, name, value != 0, NULL);
      g_object_get (page, name, &on, NULL);
      return on == (value != 0);
    }
  g_object_set (page, name, values->pdata[value], NULL);
  g_object_get (page, name, &text, NULL);
  return g_strcmp0 (text, values->pdata[value]) == 0;
}

/* What the words say, the page says after them; and then it looks the same. */
static void
check_words (TsrPage *page, GHashTable *words, const char *seen, const char *name)
{
  g_autofree char *wanted = tsr_view_words_dup_text (words);
  g_autofree char *said = NULL;
  g_autoptr (GHashTable) now = NULL;

  tsr_page_load_words (page, words);
  now = save (page);
  said = tsr_view_words_dup_text (now);
  g_assert_cmpstr (said, ==, wanted);
  wait_for (page, seen, "by words", name);
}

static guint
check_option (TsrPage *page, const char *name, gboolean is_switch)
{
  g_autofree char *usual = NULL, *seen_usual = dup_settled (page);
  g_autoptr (GHashTable) words_usual = save (page);
  g_autofree char *told_usual = tsr_view_words_dup_text (words_usual);
  gboolean on = FALSE;
  guint n = is_switch ? 2 : values->len, n_taken = 0;

  if (is_switch)
    g_object_get (page, name, &on, NULL);
  else
    g_object_get (page, name, &usual, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *seen = NULL, *told = NULL;
      g_autoptr (GHashTable) words = NULL;

      if (is_switch ? (i != 0) == on : g_strcmp0 (usual, values->pdata[i]) == 0)
        continue;
      if (!set (page, name, is_switch, i))
        continue;
      n_taken++;
      seen = dup_settled (page);
      words = save (page);
      told = tsr_view_words_dup_text (words);
      if (!g_str_equal (told, told_usual))
        {
          check_words (page, words_usual, seen_usual, name);
          check_words (page, words, seen, name);
        }
      if (is_switch)
        g_object_set (page, name, on, NULL);
      else
        g_object_set (page, name, usual, NULL);
      wait_for (page, seen_usual, "set back", name);
    }
  return n_taken;
}

/* @preset: of the small report the pages that it has; of the large one what only that has. */
static void
test_options (gconstpointer preset)
{
  gboolean small = g_str_equal (preset, "tiny");
  TsrWindow *window = window_test_new ();
  guint n_pages = 0, n = 0;
  const TsrPageInfo *pages = tsr_pages_get (&n_pages);

  find_values ();
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 900);
  tsr_window_open (window, tsr_test_get_report (preset), TSR_VIEW_SUMMARY);
  tsr_ui_test_wait (window_test_is (window, "report"));
  tsr_ui_test_wait (!tsr_session_is_lowered_pending (tsr_window_get_session (window)));
  for (guint i = 0; i < n_pages; i++)
    {
      g_autoptr (GHashTable) words = tsr_page_new_words (pages[i].view);
      TsrReportView *view = tsr_window_get_report_view (window);
      g_autofree GParamSpec **props = NULL;
      TsrPage *page;
      guint n_props = 0;

      if (small == (pages[i].view == TSR_VIEW_OPERATIONS))
        continue;
      tsr_ui_test_wait (tsr_report_view_show_words (view, words));
      page = tsr_report_view_get_page (view);
      tsr_ui_test_wait (tsr_page_is_content_shown (page));
      tsr_ui_test_run (200);
      props = g_object_class_list_properties (G_OBJECT_GET_CLASS (page), &n_props);
      for (guint p = 0; p < n_props; p++)
        {
          GType type = props[p]->value_type;
          gboolean own = props[p]->owner_type == pages[i].get_type ();
          gint64 start = g_get_monotonic_time ();
          guint taken;

          if (!own || (type != G_TYPE_BOOLEAN && type != G_TYPE_STRING)
              || (type == G_TYPE_STRING
                  && *g_value_get_string (g_param_spec_get_default_value (props[p])) == '\0'))
            continue;
          taken = check_option (page, props[p]->name, type == G_TYPE_BOOLEAN);
          g_test_message ("%s.%s: %u, %d ms", tsr_view_get_nick (pages[i].view), props[p]->name,
                          taken, (int)((g_get_monotonic_time () - start) / 1000));
          /* Of a choice that is new, values are missing above. */
          g_assert_cmpuint (taken, >, 0);
          n += taken;
        }
    }
  g_assert_cmpuint (n, >, small ? 50 : 8);
  g_ptr_array_unref (values);
  window_test_close (window);
}

int
main (int argc, char **argv)
{
  window_test_init (&argc, &argv);
  g_test_add_data_func ("/options/every-page", "tiny", test_options);
  g_test_add_data_func ("/options/operations", "demo", test_options);
  return window_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every page of a whole window with every tab of its details, at sizes from half a small screen to
 * a large one: nothing stands outside of the window, what is cut can be read in full, an empty
 * list says why, and every entry of a menu does something at some time. */

#include "config.h"

#include "tsr-insights-page.h"
#include "tsr-link.h"
#include "tsr-liveness-page.h"
#include "tsr-memory-page.h"
#include "tsr-row-message.h"
#include "tsr-row-view.h"
#include "tsr-test.h"
#include "tsr-trace-page.h"
#include "window-test.h"

#include <string.h>

static const struct
{
  int width, height;
} sizes[] = { { 900, 720 }, { 1280, 720 }, { 1600, 1000 }, { 2560, 1440 } };

typedef struct
{
  TsrWindow *window;
  const char *page;
  GString *wrong;       /* a line for each */
  GHashTable *disabled; /* "page: entry" of menus; FALSE once it was not */
} Walk;

static TsrPage *
get_page (Walk *walk)
{
  return tsr_report_view_get_page (tsr_window_get_report_view (walk->window));
}

static gboolean
is_settled (Walk *walk)
{
  TsrSession *session = tsr_window_get_session (walk->window);
  TsrPage *page;

  if (!window_test_is (walk->window, "report"))
    return FALSE;
  page = get_page (walk);
  if (tsr_session_get_memory (session) == NULL || tsr_session_get_insights (session) == NULL
      || tsr_session_get_liveness (session) == NULL || tsr_session_get_vertices (session) == NULL
      || tsr_session_is_lowered_pending (session) || !tsr_page_is_content_shown (page))
    return FALSE;
  if (TSR_IS_LIVENESS_PAGE (page))
    return !tsr_liveness_page_is_busy (TSR_LIVENESS_PAGE (page));
  return !TSR_IS_TRACE_PAGE (page) || !tsr_trace_page_is_busy (TSR_TRACE_PAGE (page));
}

static void
settle (Walk *walk)
{
  tsr_ui_test_wait (is_settled (walk));
  tsr_ui_test_run (60);
  tsr_ui_test_wait (is_settled (walk));
}

/* ---------------------------------------------------------------- what is wrong */

static void complain (Walk *walk, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
complain (Walk *walk, const char *format, ...)
{
  g_autofree char *text = NULL, *line = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  line = g_strdup_printf ("%s: %s\n", walk->page, text);
  if (strstr (walk->wrong->str, line) == NULL)
    g_string_append (walk->wrong, line);
}

static gboolean
has_tooltip (GtkWidget *widget)
{
  for (guint up = 0; widget != NULL && up < 4; widget = gtk_widget_get_parent (widget), up++)
    if (gtk_widget_get_has_tooltip (widget))
      return TRUE;
  return FALSE;
}

static void
check_label (Walk *walk, GtkLabel *label)
{
  if (pango_layout_is_ellipsized (gtk_label_get_layout (label))
      && !has_tooltip (GTK_WIDGET (label)))
    complain (walk, "cut without a tooltip: %s", gtk_label_get_text (label));
}

static void
check_place (Walk *walk, GtkWidget *widget)
{
  GtkWidget *window = GTK_WIDGET (walk->window);
  graphene_rect_t bounds;

  /* The tooltip of what is under the pointer is placed later. */
  if (widget == window || g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkTooltipWindow")
      || !gtk_widget_compute_bounds (widget, window, &bounds) || bounds.size.width <= 0)
    return;
  if (bounds.origin.x < -1 || bounds.origin.y < -1
      || bounds.origin.x + bounds.size.width > gtk_widget_get_width (window) + 1
      || bounds.origin.y + bounds.size.height > gtk_widget_get_height (window) + 1)
    complain (walk, "%s outside of the window: %.0f, %.0f, %.0f x %.0f",
              G_OBJECT_TYPE_NAME (widget), bounds.origin.x, bounds.origin.y, bounds.size.width,
              bounds.size.height);
}

static void
check_rows (Walk *walk, TsrRowView *view)
{
  if (tsr_row_view_get_n_shown (view) == 0 && !tsr_row_view_is_busy (view))
    {
      GtkWidget *words = tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_ROW_MESSAGE);

      if (words == NULL || !gtk_widget_get_mapped (words))
        complain (walk, "an empty list says nothing");
    }
}

/* Of entries of menus GTK makes no type public. */
static void
note_entry (Walk *walk, GtkWidget *entry)
{
  g_autofree char *text = NULL, *key = NULL;

  g_object_get (entry, "text", &text, NULL);
  key = g_strdup_printf ("%s: %s", walk->page, text);
  if (gtk_widget_get_sensitive (entry))
    g_hash_table_insert (walk->disabled, g_steal_pointer (&key), NULL);
  else if (!g_hash_table_contains (walk->disabled, key))
    g_hash_table_insert (walk->disabled, g_steal_pointer (&key), GINT_TO_POINTER (TRUE));
}

/* @scrolled: what is out of sight can be scrolled to. */
static void
look (Walk *walk, GtkWidget *widget, gboolean scrolled)
{
  gboolean popover
      = GTK_IS_POPOVER (widget) || gtk_widget_get_ancestor (widget, GTK_TYPE_POPOVER) != NULL;

  /* Of other pages nothing; of what pops up on this one also what has not. */
  if (!gtk_widget_get_mapped (widget) && !popover)
    return;
  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton"))
    note_entry (walk, widget);
  if (gtk_widget_get_mapped (widget))
    {
      if (!scrolled)
        check_place (walk, widget);
      if (GTK_IS_LABEL (widget))
        check_label (walk, GTK_LABEL (widget));
      if (TSR_IS_ROW_VIEW (widget))
        check_rows (walk, TSR_ROW_VIEW (widget));
    }
  scrolled = scrolled || popover || GTK_IS_SCROLLED_WINDOW (widget) || GTK_IS_NOTEBOOK (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    look (walk, child, scrolled);
}

/* ---------------------------------------------------------------- the walk */

static void
look_at_tabs (Walk *walk)
{
  GtkNotebook *notebook
      = GTK_NOTEBOOK (tsr_ui_test_find (GTK_WIDGET (get_page (walk)), GTK_TYPE_NOTEBOOK));

  for (int i = 0; notebook != NULL && i < gtk_notebook_get_n_pages (notebook); i++)
    {
      if (!gtk_widget_get_visible (gtk_notebook_get_nth_page (notebook, i)))
        continue;
      gtk_notebook_set_current_page (notebook, i);
      settle (walk);
      look (walk, GTK_WIDGET (walk->window), FALSE);
    }
  look (walk, GTK_WIDGET (walk->window), FALSE);
}

static void
go (Walk *walk, const char *words)
{
  walk->page = words;
  gtk_widget_activate_action (GTK_WIDGET (walk->window), "win.go", "s", words);
  settle (walk);
}

static void
test_walk (gconstpointer preset)
{
  static const char *const pages[] = { "page=summary",
                                       "page=insights",
                                       "page=memory&tiles=706",
                                       "page=memory&tiles=5,9,700-706&breakdown=category",
                                       "page=memory&graph=tile-map&tiles=5",
                                       "page=liveness&source=all",
                                       "page=liveness&source=tile5&steps=40,90&tiles=5" };
  g_autofree char *folder = tsr_test_report_new (preset);
  Walk walk = { .wrong = g_string_new (NULL) };
  GHashTableIter iter;
  gpointer entry, disabled;

  walk.disabled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  /* The second one has the same pages: the narrow ones of them. */
  for (guint size = 0; size < (g_str_equal (preset, "demo") ? G_N_ELEMENTS (sizes) : 2); size++)
    {
      walk.window = tsr_window_new (window_test_get_application ());
      gtk_window_set_default_size (GTK_WINDOW (walk.window), sizes[size].width, sizes[size].height);
      gtk_window_present (GTK_WINDOW (walk.window));
      tsr_window_open (walk.window, folder, TSR_VIEW_SUMMARY);
      walk.page = "opening";
      settle (&walk);
      g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (walk.window)), <=, sizes[size].width);
      for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
        {
          go (&walk, pages[i]);
          look_at_tabs (&walk);
        }
      if (tsr_session_get_trace (tsr_window_get_session (walk.window)) != NULL)
        {
          go (&walk, "page=trace");
          look_at_tabs (&walk);
        }
      window_test_close (walk.window);
    }
  g_assert_cmpuint (g_hash_table_size (walk.disabled), >, 20);
  g_hash_table_iter_init (&iter, walk.disabled);
  while (g_hash_table_iter_next (&iter, &entry, &disabled))
    if (disabled != NULL)
      g_string_append_printf (walk.wrong, "always off: %s\n", (char *)entry);
  g_assert_cmpstr (walk.wrong->str, ==, "");
  g_string_free (walk.wrong, TRUE);
  g_hash_table_unref (walk.disabled);
  tsr_test_folder_free (g_steal_pointer (&folder));
}

int
main (int argc, char **argv)
{
  window_test_init (&argc, &argv);
  g_test_add_data_func ("/walk/demo", "demo", test_walk);
  g_test_add_data_func ("/walk/oom", "oom", test_walk);
  return window_test_run ();
}

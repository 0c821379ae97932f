/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What holds for every page, each of its graphs and each of its tabs, in a whole window: it needs
 * no more room than half of a screen of 1,920 x 1,080 leaves it, the wheel moves it wherever it
 * turns, and a click never makes it jump.  Headings of tables have contrast. */

#include "config.h"

#include "tsr-link.h"
#include "tsr-test.h"
#include "window-test.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define MOST_WIDTH  900
#define MOST_HEIGHT 720

/* What is inside, and what is in the largest of it: what to mend. */
static void
tell_largest (GtkWidget *widget, int depth, GtkOrientation orientation, int for_size)
{
  GtkWidget *largest = NULL;
  int most = 0, least;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (!gtk_widget_should_layout (child) || GTK_IS_NATIVE (child))
        continue;
      gtk_widget_measure (child, orientation, for_size, &least, NULL, NULL, NULL);
      g_test_message ("%*s%s: %d", depth, "", G_OBJECT_TYPE_NAME (child), least);
      if (least > most)
        {
          most = least;
          largest = child;
        }
    }
  if (most > 250)
    tell_largest (largest, depth + 1, orientation, for_size);
}

static void
turn_wheel (GtkWidget *widget, double by)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      gboolean taken = FALSE;

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller)
          && gtk_event_controller_get_propagation_phase (controller) == GTK_PHASE_CAPTURE)
        g_signal_emit_by_name (controller, "scroll", 0.0, by, &taken);
    }
}

static guint n_nested; /* that were tried */

/* @inner stands in @outer: what it has no room for moves @outer. */
static void
check_wheel (GtkScrolledWindow *inner, GtkScrolledWindow *outer)
{
  GtkAdjustment *own = gtk_scrolled_window_get_vadjustment (inner);
  GtkAdjustment *page = gtk_scrolled_window_get_vadjustment (outer);
  double room = gtk_adjustment_get_upper (page) - gtk_adjustment_get_page_size (page);
  double was = gtk_adjustment_get_value (page), was_own = gtk_adjustment_get_value (own);

  if (room < 1)
    return;
  n_nested++;
  gtk_adjustment_set_value (own, gtk_adjustment_get_upper (own));
  gtk_adjustment_set_value (page, 0);
  turn_wheel (GTK_WIDGET (inner), 1);
  g_assert_cmpfloat (gtk_adjustment_get_value (page), >, 0);
  gtk_adjustment_set_value (own, 0);
  gtk_adjustment_set_value (page, room);
  turn_wheel (GTK_WIDGET (inner), -1);
  g_assert_cmpfloat (gtk_adjustment_get_value (page), <, room);
  /* While there is room inside, the page stands still. */
  if (gtk_adjustment_get_upper (own) > gtk_adjustment_get_page_size (own) + 1)
    {
      gtk_adjustment_set_value (page, 0);
      turn_wheel (GTK_WIDGET (inner), 1);
      g_assert_cmpfloat (gtk_adjustment_get_value (page), ==, 0);
    }
  gtk_adjustment_set_value (page, was);
  gtk_adjustment_set_value (own, was_own);
}

/* @outer: the scrolled window that @widget is in. */
static void
check_scrolling (GtkWidget *widget, GtkWidget *outer)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_SCROLLED_WINDOW (widget))
    {
      if (outer != NULL)
        check_wheel (GTK_SCROLLED_WINDOW (widget), GTK_SCROLLED_WINDOW (outer));
      outer = widget;
    }
  /* A viewport shows all of what gets the focus: what is higher would jump with each click. */
  if (outer != NULL && gtk_widget_get_focusable (widget))
    {
      GtkWidget *viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);

      if (viewport != NULL && gtk_viewport_get_scroll_to_focus (GTK_VIEWPORT (viewport)))
        g_assert_cmpint (gtk_widget_get_height (widget), <=, gtk_widget_get_height (viewport));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_NATIVE (child))
      check_scrolling (child, outer);
}

static gboolean
check_window (TsrWindow *window, const char *words, const char *tab)
{
  int width, height;

  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL,
                      NULL);
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_VERTICAL, MAX (width, MOST_WIDTH),
                      &height, NULL, NULL, NULL);
  g_test_message ("%s %s: %d x %d", words, tab, width, height);
  check_scrolling (GTK_WIDGET (window), NULL);
  if (width > MOST_WIDTH)
    tell_largest (GTK_WIDGET (window), 0, GTK_ORIENTATION_HORIZONTAL, -1);
  if (height > MOST_HEIGHT)
    tell_largest (GTK_WIDGET (window), 0, GTK_ORIENTATION_VERTICAL, MOST_WIDTH);
  return width <= MOST_WIDTH && height <= MOST_HEIGHT;
}

static GtkNotebook *
find_notebook (GtkWidget *widget)
{
  GtkNotebook *found = GTK_IS_NOTEBOOK (widget) ? GTK_NOTEBOOK (widget) : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_notebook (child);
  return found;
}

/* As it is shown, and with each tab of its details. */
static gboolean
check_page (TsrWindow *window, const char *words)
{
  TsrReportView *view = tsr_window_get_report_view (window);
  g_autoptr (GHashTable) parsed = tsr_view_words_parse (words);
  GtkNotebook *notebook;
  gboolean fits;

  g_assert_true (tsr_report_view_show_words (view, parsed));
  tsr_ui_test_wait (tsr_page_is_content_shown (tsr_report_view_get_page (view)));
  tsr_ui_test_run (400);
  fits = check_window (window, words, "");
  notebook = find_notebook (GTK_WIDGET (tsr_report_view_get_page (view)));
  for (int i = 0; notebook != NULL && i < gtk_notebook_get_n_pages (notebook); i++)
    {
      GtkWidget *child = gtk_notebook_get_nth_page (notebook, i);
      const char *tab = gtk_notebook_get_tab_label_text (notebook, child);
      g_autofree char *number = g_strdup_printf ("tab %d", i);

      gtk_notebook_set_current_page (notebook, i);
      tsr_ui_test_run (100);
      fits &= check_window (window, words, tab != NULL ? tab : number);
    }
  return fits;
}

static gboolean
is_settled (TsrWindow *window)
{
  TsrSession *session = tsr_window_get_session (window);

  return g_str_equal (tsr_window_get_state (window), "report")
         && tsr_session_get_liveness (session) != NULL && tsr_session_get_vertices (session) != NULL
         && !tsr_session_is_lowered_pending (session);
}

static void
test_sizes (gconstpointer data)
{
  static const char *const pages[] = {
    "page=summary",
    "page=insights",
    "page=memory&graph=total",
    "page=memory&graph=variables",
    "page=memory&graph=tile-map",
    "page=memory&graph=total&breakdown=category&tiles=706&step=3",
    "page=memory&graph=total&breakdown=liveness&tiles=5-2000",
    "page=liveness",
    "page=liveness&source=worst&steps=104&tiles=706",
    "page=liveness&steps=20,90&source=0-3,7",
    "page=programs&list=tree",
    "page=programs&list=costliest",
    "page=programs&list=icicle&width=code",
    "page=operations",
    "page=operations&group=api&program=20",
    "page=trace&shape=flame",
    "page=trace&shape=flat&bsp=1&ipu=0",
  };
  const char *preset = data;
  TsrWindow *window = window_test_new ();
  gboolean fits = TRUE;
  guint n_views, n_seen = 0;
  const TsrPageInfo *views = tsr_pages_get (&n_views);

  gtk_window_set_default_size (GTK_WINDOW (window), MOST_WIDTH, MOST_HEIGHT);
  tsr_window_open (window, tsr_test_get_report (preset), TSR_VIEW_SUMMARY);
  tsr_ui_test_wait (is_settled (window));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (g_str_equal (preset, "demo") || strstr (pages[i], "trace") == NULL)
      fits &= check_page (window, pages[i]);
  /* A page that is new is measured, too. */
  for (guint v = 0; v < n_views; v++)
    for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
      {
        g_autofree char *name = g_strconcat ("page=", tsr_view_get_nick (views[v].view), NULL);

        if (g_str_has_prefix (pages[i], name))
          {
            n_seen++;
            break;
          }
      }
  g_assert_cmpuint (n_seen, ==, n_views);
  g_assert_cmpuint (n_nested, >, 0);
  g_assert_true (fits);
  window_test_close (window);
}

/* The places of a window without a report. */
static void
test_without_report (void)
{
  TsrWindow *window = window_test_new ();
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (
      folder, "a_folder_with_a_long_name_that_has_no_space_in_it_and_no_report_either", NULL);
  gboolean fits;

  tsr_ui_test_run (300);
  g_assert_true (tsr_window_is_home (window));
  fits = check_window (window, "home", "");
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  tsr_test_write (path, "profile.pop", "no database", -1);
  tsr_window_open (window, path, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "error"));
  tsr_ui_test_run (300);
  fits &= check_window (window, "error", "");
  g_assert_true (fits);
  window_test_close (window);
  tsr_test_folder_free (folder);
}

/* ------------------------------------------------------------ headings */

static double
linear (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

/* Of @ink as it is seen over @paper, which is opaque; as in WCAG 2.1. */
static double
get_contrast (const GdkRGBA *ink, const GdkRGBA *paper)
{
  double below = 0.2126 * linear (paper->red) + 0.7152 * linear (paper->green)
                 + 0.0722 * linear (paper->blue);
  double above = 0.2126 * linear (paper->red + (ink->red - paper->red) * ink->alpha)
                 + 0.7152 * linear (paper->green + (ink->green - paper->green) * ink->alpha)
                 + 0.0722 * linear (paper->blue + (ink->blue - paper->blue) * ink->alpha);

  return (MAX (below, above) + 0.05) / (MIN (below, above) + 0.05);
}

/* Of the labels in @widget, which is in the headings of a table or not; their number. */
static guint
check_headings (GtkWidget *widget, gboolean heading)
{
  guint n = 0;

  heading = heading || g_str_equal (gtk_widget_get_css_name (widget), "header");
  if (heading && GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget))
    {
      GtkStyleContext *style = gtk_widget_get_style_context (widget);
      GdkRGBA ink, paper;

      gtk_style_context_get_color (style, &ink);
      g_assert_true (gtk_style_context_lookup_color (style, "view_bg_color", &paper));
      g_test_message ("%s: %.2f", gtk_label_get_text (GTK_LABEL (widget)),
                      get_contrast (&ink, &paper));
      g_assert_cmpfloat (get_contrast (&ink, &paper), >=, 4.5);
      return 1;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += check_headings (child, heading);
  return n;
}

/* Headings of tables can be read by everybody: 4.5 : 1 at least, light and dark. */
static void
test_headings (void)
{
  static const AdwColorScheme schemes[]
      = { ADW_COLOR_SCHEME_FORCE_LIGHT, ADW_COLOR_SCHEME_FORCE_DARK };
  g_autofree char *folder = tsr_test_folder_new ();
  TsrWindow *window = window_test_new ();

  tsr_test_make_report (folder, "demo", NULL);
  tsr_window_open (window, folder, TSR_VIEW_OPERATIONS);
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    {
      adw_style_manager_set_color_scheme (adw_style_manager_get_default (), schemes[i]);
      tsr_ui_test_wait (window_test_is (window, "report"));
      tsr_ui_test_run (1000); /* colours change slowly */
      tsr_ui_test_wait (check_headings (GTK_WIDGET (window), FALSE) > 3);
    }
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
  window_test_close (window);
  tsr_test_folder_free (g_steal_pointer (&folder));
}

int
main (int argc, char **argv)
{
  window_test_init (&argc, &argv);
  g_test_add_func ("/every-page/without-report", test_without_report);
  g_test_add_data_func ("/every-page/demo", "demo", test_sizes);
  g_test_add_data_func ("/every-page/oom", "oom", test_sizes);
  g_test_add_func ("/every-page/headings", test_headings);
  return window_test_run ();
}

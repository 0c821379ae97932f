/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every page of a whole window with every tab of its details, at sizes from half a small screen to
 * a large one: nothing stands outside of the window, what is cut can be read in full, an empty
 * list says why, and every entry of a menu does something at some time.  It needs no more room than
 * half of a screen of 1,920 x 1,080 leaves it, the wheel moves it wherever it turns, and a click
 * never makes it jump.  Headings of tables have contrast. */

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

#include <adwaita.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define MOST_WIDTH  900
#define MOST_HEIGHT 720

static const struct
{
  int width, height;
} sizes[] = { { MOST_WIDTH, MOST_HEIGHT }, { 1280, 720 }, { 1600, 1000 }, { 2560, 1440 } };

typedef struct
{
  TsrWindow *window;
  const char *page;
  GString *wrong;       /* a line for each */
  gboolean narrow;      /* the window has no more room than it must do with */
  gboolean short_look;  /* without what takes a choice first: the entries of menus */
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
  if (!walk->short_look && g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton"))
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

/* ---------------------------------------------------------------- room and scrolling */

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

static void
check_window (Walk *walk)
{
  GtkWidget *window = GTK_WIDGET (walk->window);
  int width, height;

  gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (window, GTK_ORIENTATION_VERTICAL, MAX (width, MOST_WIDTH), &height, NULL,
                      NULL, NULL);
  check_scrolling (window, NULL);
  if (width > MOST_WIDTH)
    tell_largest (window, 0, GTK_ORIENTATION_HORIZONTAL, -1);
  if (height > MOST_HEIGHT)
    tell_largest (window, 0, GTK_ORIENTATION_VERTICAL, MOST_WIDTH);
  if (width > MOST_WIDTH || height > MOST_HEIGHT)
    complain (walk, "needs %d x %d", width, height);
}

/* ---------------------------------------------------------------- the walk */

static void
look_at_window (Walk *walk)
{
  look (walk, GTK_WIDGET (walk->window), FALSE);
  if (walk->narrow)
    check_window (walk);
}

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
      look_at_window (walk);
    }
  look_at_window (walk);
}

static void
go (Walk *walk, const char *words)
{
  walk->page = words;
  gtk_widget_activate_action (GTK_WIDGET (walk->window), "win.go", "s", words);
  settle (walk);
}

/* The others are looked at where there is least room. */
static const struct
{
  const char *words;
  gboolean always;
} pages[] = {
  { "page=summary", TRUE },
  { "page=insights", TRUE },
  { "page=memory&graph=total&tiles=706", TRUE },
  { "page=memory&tiles=5,9,700-706&breakdown=category", TRUE },
  { "page=memory&graph=variables" },
  { "page=memory&graph=tile-map&tiles=5", TRUE },
  { "page=memory&graph=total&breakdown=category&tiles=706&step=3" },
  { "page=memory&graph=total&breakdown=liveness&tiles=5-2000" },
  { "page=liveness&source=all", TRUE },
  { "page=liveness&source=worst&steps=104&tiles=706" },
  { "page=liveness&source=tile5&steps=40,90&tiles=5", TRUE },
  { "page=liveness&steps=20,90&source=0-3,7" },
  { "page=programs&list=tree" },
  { "page=programs&list=costliest" },
  { "page=programs&list=icicle&width=code" },
  { "page=operations" },
  { "page=operations&group=api&program=20" },
  { "page=trace&shape=flame", TRUE },
  { "page=trace&shape=flat&bsp=1&ipu=0" },
};

/* A page that is new is looked at, too. */
static void
check_pages (void)
{
  guint n_views, n_seen = 0;
  const TsrPageInfo *views = tsr_pages_get (&n_views);

  for (guint v = 0; v < n_views; v++)
    {
      g_autofree char *name = g_strconcat ("page=", tsr_view_get_nick (views[v].view), NULL);
      gboolean seen = FALSE;

      for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
        seen |= g_str_has_prefix (pages[i].words, name);
      n_seen += seen;
    }
  g_assert_cmpuint (n_seen, ==, n_views);
}

static void
test_walk (gconstpointer preset)
{
  const char *folder = tsr_test_get_report (preset);
  Walk walk = { .wrong = g_string_new (NULL) };
  GHashTableIter iter;
  gpointer entry, disabled;

  check_pages ();
  walk.disabled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  /* The second one has the same pages: the narrow ones of them. */
  for (guint size = 0; size < (g_str_equal (preset, "demo") ? G_N_ELEMENTS (sizes) : 2); size++)
    {
      walk.window = tsr_window_new (window_test_get_application ());
      gtk_window_set_default_size (GTK_WINDOW (walk.window), sizes[size].width, sizes[size].height);
      gtk_window_present (GTK_WINDOW (walk.window));
      tsr_window_open (walk.window, folder, TSR_VIEW_SUMMARY);
      walk.page = "opening";
      walk.narrow = size == 0;
      settle (&walk);
      g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (walk.window)), <=, sizes[size].width);
      for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
        if ((size == 0 || pages[i].always)
            && (strstr (pages[i].words, "page=trace") == NULL
                || tsr_session_get_trace (tsr_window_get_session (walk.window)) != NULL))
          {
            walk.short_look = !pages[i].always;
            go (&walk, pages[i].words);
            look_at_tabs (&walk);
          }
      window_test_close (walk.window);
    }
  g_assert_cmpuint (n_nested, >, 0);
  g_assert_cmpuint (g_hash_table_size (walk.disabled), >, 20);
  g_hash_table_iter_init (&iter, walk.disabled);
  while (g_hash_table_iter_next (&iter, &entry, &disabled))
    if (disabled != NULL)
      g_string_append_printf (walk.wrong, "always off: %s\n", (char *)entry);
  g_assert_cmpstr (walk.wrong->str, ==, "");
  g_string_free (walk.wrong, TRUE);
  g_hash_table_unref (walk.disabled);
}

/* The places of a window without a report. */
static void
test_without_report (void)
{
  TsrWindow *window = window_test_new ();
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (
      folder, "a_folder_with_a_long_name_that_has_no_space_in_it_and_no_report_either", NULL);
  Walk walk = { .window = window, .page = "home", .wrong = g_string_new (NULL) };

  tsr_ui_test_run (300);
  g_assert_true (tsr_window_is_home (window));
  check_window (&walk);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  tsr_test_write (path, "profile.pop", "no database", -1);
  tsr_window_open (window, path, TSR_N_VIEWS);
  tsr_ui_test_wait (window_test_is (window, "error"));
  tsr_ui_test_run (300);
  walk.page = "error";
  check_window (&walk);
  g_assert_cmpstr (walk.wrong->str, ==, "");
  g_string_free (walk.wrong, TRUE);
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
  g_test_add_func ("/walk/without-report", test_without_report);
  g_test_add_data_func ("/walk/demo", "demo", test_walk);
  g_test_add_data_func ("/walk/oom", "oom", test_walk);
  g_test_add_func ("/walk/headings", test_headings);
  return window_test_run ();
}

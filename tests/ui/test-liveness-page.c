/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Liveness page over made reports: actions are fired, models and selections are asserted, and
 * numbers are compared with plain SQL. */

#include "config.h"

#include "tsr-liveness-page-private.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <math.h>
#include <string.h>

typedef struct
{
  char *folder;
  TsrSettings *settings;
  TsrSession *session;
  GtkWidget *window;
  TsrLivenessPage *page;
} Fixture;

typedef struct
{
  const char *preset, *sql;
  int width, height;
} Setup;

static void
open_report (Fixture *f)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = tsr_report_open (place, f->folder, TSR_LOAD_ALL);

  tsr_session_set_report (f->session, report);
}

static gboolean
is_ready (Fixture *f)
{
  return tsr_session_get_liveness (f->session) != NULL
         && !tsr_session_is_lowered_pending (f->session)
         && tsr_session_get_vertices (f->session) != NULL
         && tsr_liveness_page_get_model (f->page) != NULL && !tsr_liveness_page_is_busy (f->page);
}

#define settle(f) tsr_ui_test_wait (is_ready (f))

/* Whatever else is drawn, a tab is not behind it. */
static void
test_busy (Fixture *f, gconstpointer data)
{
  guint hog = tsr_ui_test_hog_frames ();

  tsr_step_selection_toggle (tsr_session_get_steps (f->session), 0);
  g_assert_false (is_ready (f));
  settle (f);
  g_source_remove (hog);
}

static void
setup (Fixture *f, gconstpointer data)
{
  const Setup *options = data;

  f->folder = tsr_test_report_new (options->preset);
  if (options->sql != NULL)
    tsr_test_sql (f->folder, "profile.pop", options->sql);
  f->settings = tsr_settings_new ("none.such");
  f->session = tsr_session_new (f->settings);
  f->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f->window), options->width, options->height);
  f->page = g_object_new (TSR_TYPE_LIVENESS_PAGE, NULL);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->page));
  tsr_page_set_session (TSR_PAGE (f->page), f->session);
  gtk_window_present (GTK_WINDOW (f->window));
  /* A display that is late begins with another size. */
  tsr_ui_test_wait (gtk_widget_get_width (f->window) == options->width);
  open_report (f);
  settle (f);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  tsr_session_close (f->session);
  tsr_ui_test_drop (f->session);
  g_object_unref (f->settings);
  tsr_test_folder_free (f->folder);
}

static gint64
query_tile (Fixture *f, guint tile, guint step)
{
  return tsr_test_ask (
      f->folder,
      "SELECT coalesce(sum(v.size_bytes), 0) FROM vars_info v "
      "JOIN equivalence_class_intervals i ON i.equivalence_class = v.equivalence_class "
      "WHERE v.always_live = 0 AND v.tile = %u AND i.start_step <= %u "
      "AND %u < i.end_step",
      tile, step, step);
}

#define ALWAYS "SELECT sum(size_bytes) FROM vars_info WHERE always_live = 1"

static guint
peak_step (Fixture *f)
{
  return tsr_test_ask (f->folder,
                       "SELECT step FROM liveness_steps ORDER BY not_always_live_bytes DESC, step "
                       "LIMIT 1");
}

static TsrLivenessSeries *
get_series (Fixture *f)
{
  return tsr_liveness_chart_get_series (tsr_liveness_page_get_model (f->page));
}

static void
fire (Fixture *f, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (f->page), action, NULL));
}

static void
chart_select (Fixture *f, double from, double to, TsrSelectMode mode)
{
  g_signal_emit_by_name (tsr_ui_test_child (f->page, "chart"), "select", from, to, (int)mode);
}

static void
assert_steps (Fixture *f, guint n, guint a, guint b)
{
  guint n_steps;
  const guint *steps = tsr_step_selection_peek (tsr_session_get_steps (f->session), &n_steps);

  g_assert_cmpuint (n_steps, ==, n);
  if (n > 0)
    g_assert_cmpuint (steps[0], ==, a);
  if (n > 1)
    g_assert_cmpuint (steps[1], ==, b);
}

/* The table of a tab, computed and in order. */
static TsrRows *
show_tab (Fixture *f, const char *nick)
{
  TsrLivenessTabs *tabs = tsr_ui_test_child (f->page, "tabs");
  TsrRowView *view;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (f->page), "liveness.tab", "s", nick));
  settle (f);
  view = tsr_tabs_get_shown (TSR_TABS (tabs))->view;
  return view != NULL ? tsr_row_view_get_rows (view) : NULL;
}

static TsrRowView *
get_view (Fixture *f)
{
  TsrLivenessTabs *tabs = tsr_ui_test_child (f->page, "tabs");

  return tsr_tabs_get_shown (TSR_TABS (tabs))->view;
}

static gint64
total (TsrRows *rows, guint column)
{
  gint64 sum = 0;

  g_assert_nonnull (rows);
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    sum += tsr_rows_get_value (rows, row, column);
  return sum;
}

static void
test_shows (Fixture *f, gconstpointer data)
{
  double from, to;
  g_autofree char *scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (TSR_PAGE (f->page)));
  guint n_steps = tsr_test_ask (f->folder, "SELECT count(*) FROM liveness_steps"),
        peak = peak_step (f);
  g_autofree char *expected
      = g_strdup_printf ("Per replica · All tiles · with always-live · live bytes, no gaps · "
                         "%u steps",
                         n_steps);

  g_assert_true (tsr_page_is_content_shown (TSR_PAGE (f->page)));
  tsr_viewport_get_domain (tsr_session_get_viewport (f->session, "liveness"), &from, &to);
  g_assert_cmpfloat (from, ==, 0);
  g_assert_cmpfloat (to, ==, n_steps);
  g_assert_cmpstr (scope, ==, expected);
  g_assert_cmpuint (get_series (f)->peak_step, ==, peak);
  g_assert_cmpint (get_series (f)->always_live, ==, tsr_test_ask (f->folder, ALWAYS));
  g_assert_cmpint (
      get_series (f)->peak_bytes, ==,
      tsr_test_ask (f->folder, ALWAYS)
          + tsr_test_ask (f->folder, "SELECT max(not_always_live_bytes) FROM liveness_steps"));
  g_assert_true (g_str_has_prefix (tsr_page_get_status_right (TSR_PAGE (f->page)), "Peak: "));
}

static void
test_steps (Fixture *f, gconstpointer data)
{
  TsrRows *rows = show_tab (f, "not-always-live");
  guint peak = peak_step (f);
  g_autofree char *scope = NULL, *words = NULL;

  /* Nothing chosen: the peak. */
  g_assert_cmpint (
      total (rows, 1), ==,
      tsr_test_ask (f->folder, "SELECT max(not_always_live_bytes) FROM liveness_steps"));
  chart_select (f, 40, 41, TSR_SELECT_REPLACE);
  assert_steps (f, 1, 40, 0);
  chart_select (f, peak, peak + 1, TSR_SELECT_TOGGLE);
  assert_steps (f, 2, 40, peak);
  rows = show_tab (f, "not-always-live");
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (
        total (rows, i + 1), ==,
        tsr_test_ask (f->folder, "SELECT not_always_live_bytes FROM liveness_steps WHERE step = %u",
                      i == 0 ? 40 : peak));
  g_assert_cmpint (total (rows, 3), ==, total (rows, 2) - total (rows, 1));
  scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (TSR_PAGE (f->page)));
  words = g_strdup_printf ("selection: steps 40, %u · program · operation · clear", peak);
  g_assert_true (g_str_has_suffix (scope, words));
  /* A range is its two ends; it never leaves the graph. */
  chart_select (f, 10, 21, TSR_SELECT_REPLACE);
  assert_steps (f, 2, 10, 20);
  chart_select (f, -5, 1e6, TSR_SELECT_REPLACE);
  assert_steps (f, 2, 0, tsr_liveness_get_n_steps (tsr_session_get_liveness (f->session)) - 1);
  fire (f, "liveness.clear-selection");
  assert_steps (f, 0, 0, 0);
}

static void
test_source (Fixture *f, gconstpointer data)
{
  TsrSourceChooser *chooser = tsr_ui_test_child (f->page, "source_chooser");
  TsrLivenessSeries *series;
  guint peak = peak_step (f);

  gtk_widget_activate_action (GTK_WIDGET (f->page), "liveness.source", "s", "tile5");
  settle (f);
  series = get_series (f);
  g_assert_cmpint (series->not_always_live[peak], ==, query_tile (f, 5, peak));
  g_assert_cmpint (series->always_live, ==, tsr_test_ask (f->folder, ALWAYS " AND tile = 5"));
  g_assert_cmpint (series->capacity, ==,
                   tsr_test_ask (f->folder, "SELECT bytes_per_tile FROM target"));
  g_assert_cmpint (total (show_tab (f, "always-live"), 1), ==, series->always_live);
  /* What is off changes nothing and says so. */
  g_assert_false (tsr_source_chooser_enter (chooser, "tile1000000"));
  g_assert_true (
      gtk_widget_has_css_class (GTK_WIDGET (tsr_source_chooser_get_entry (chooser)), "error"));
  settle (f);
  g_assert_cmpint (get_series (f)->always_live, ==, series->always_live);
  g_assert_true (tsr_source_chooser_enter (chooser, "ipu0"));
  settle (f);
  g_assert_cmpint (
      get_series (f)->always_live, ==,
      tsr_test_ask (f->folder, ALWAYS " AND tile < (SELECT tiles_per_ipu FROM target)"));
  /* The empty text is the default again. */
  g_assert_true (tsr_source_chooser_enter (chooser, ""));
  settle (f);
  g_assert_cmpint (get_series (f)->always_live, ==, tsr_test_ask (f->folder, ALWAYS));
}

static const char *
get_label (GtkWidget *check)
{
  return gtk_check_button_get_label (GTK_CHECK_BUTTON (check));
}

/* Each choice of the popover by a click; what none of them stands for has its own. */
static void
test_source_choices (Fixture *f, gconstpointer data)
{
  TsrSourceChooser *chooser = tsr_ui_test_child (f->page, "source_chooser");
  GtkMenuButton *button
      = GTK_MENU_BUTTON (tsr_ui_test_find (GTK_WIDGET (chooser), GTK_TYPE_MENU_BUTTON));
  GtkWidget *popover = GTK_WIDGET (gtk_menu_button_get_popover (button));
  const guint selected[] = { 3, 4, 5, 9 };
  g_autofree char *worst = g_strdup_printf (
      "Worst tile (%u)", tsr_source_chooser_get_worst_tile (tsr_session_get_memory (f->session)));
  const char *const labels[]
      = { "All tiles", worst, "Selected in Memory (4 tiles)", "IPU 0", "IPU 1" };
  const char *const found[] = { "all", NULL, "tile3-5,9", "ipu0", "ipu1" };

  tsr_tile_selection_set (tsr_session_get_selection (f->session), selected,
                          G_N_ELEMENTS (selected));
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      GtkWidget *check;
      g_auto (TsrLivenessSource) source = { 0 };

      tsr_source_chooser_popup (chooser);
      g_assert_true (gtk_widget_get_visible (popover));
      check = tsr_ui_test_find (popover, GTK_TYPE_CHECK_BUTTON);
      for (guint k = 0; k < i; k++)
        check = gtk_widget_get_next_sibling (check);
      g_assert_cmpstr (get_label (check), ==, labels[i]);
      if (gtk_check_button_get_active (GTK_CHECK_BUTTON (check)))
        gtk_popover_popdown (GTK_POPOVER (popover));
      else
        gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
      g_assert_false (gtk_widget_get_visible (popover));
      settle (f);
      g_assert_true (tsr_source_chooser_get_source (f->session, &source));
      if (found[i] != NULL)
        {
          g_auto (TsrLivenessSource) expected = { 0 };

          g_assert_true (tsr_liveness_source_parse (tsr_session_get_memory (f->session), found[i],
                                                    &expected, NULL));
          g_assert_true (tsr_liveness_source_equal (&source, &expected));
        }
    }
  g_assert_true (tsr_source_chooser_enter (chooser, "tile7"));
  settle (f);
  {
    GtkWidget *last = gtk_widget_get_last_child (
        gtk_widget_get_parent (tsr_ui_test_find (popover, GTK_TYPE_CHECK_BUTTON)));

    g_assert_cmpstr (get_label (last), ==, "Tile 7");
    g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (last)));
  }
}

/* The keys of the splitter, and two clicks on its handle, of which clicks in its parts are not
 * one; where the handle is put it stays in proportion. */
static void
test_split_by_hand (Fixture *f, gconstpointer data)
{
  TsrSplit *split = tsr_ui_test_child (f->page, "split");
  GtkWidget *widget = GTK_WIDGET (split), *paned = tsr_ui_test_find (widget, GTK_TYPE_PANED);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (paned);
  GtkGesture *click = NULL;
  graphene_rect_t details;
  int height = gtk_widget_get_height (widget), position;

  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (tsr_ui_test_shortcut (widget, GDK_KEY_F9, 0));
      g_assert_cmpint (tsr_split_get_details_visible (split), ==, i == 1);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (tsr_ui_test_shortcut (widget, GDK_KEY_F9, GDK_SHIFT_MASK));
      g_assert_cmpint (tsr_split_is_maximised (split), ==, i == 0);
      g_assert_true (tsr_split_get_details_visible (split));
    }
  tsr_ui_test_draw (f->window);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_CLICK (controller)
          && gtk_event_controller_get_propagation_phase (controller) == GTK_PHASE_CAPTURE)
        click = GTK_GESTURE (controller);
    }
  g_assert_nonnull (click);
  g_assert_true (
      gtk_widget_compute_bounds (gtk_paned_get_end_child (GTK_PANED (paned)), paned, &details));
  for (int n_press = 1; n_press <= 3; n_press++)
    for (int y = -60; y <= 60; y += 60)
      {
        gboolean before = tsr_split_is_swapped (split);

        tsr_ui_test_draw (f->window);
        g_assert_true (gtk_widget_compute_bounds (gtk_paned_get_end_child (GTK_PANED (paned)),
                                                  paned, &details));
        g_signal_emit_by_name (click, "pressed", n_press, 100.0,
                               (double)details.origin.y + y - (y == 0 ? 2 : 0));
        g_assert_cmpint (tsr_split_is_swapped (split), ==,
                         n_press == 2 && y == 0 ? !before : before);
      }
  tsr_split_set_swapped (split, FALSE);
  tsr_ui_test_draw (f->window);
  position = height / 2;
  gtk_paned_set_position (GTK_PANED (paned), position);
  tsr_ui_test_draw (f->window);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 920);
  tsr_ui_test_wait (gtk_widget_get_height (widget) > height + 100);
  tsr_ui_test_draw (f->window);
  g_assert_cmpfloat_with_epsilon ((double)gtk_paned_get_position (GTK_PANED (paned))
                                      / gtk_widget_get_height (widget),
                                  0.5, 0.01);
  gtk_widget_hide (widget);
  g_assert_false (tsr_ui_test_shortcut (widget, GDK_KEY_F9, 0));
  g_assert_true (tsr_split_get_details_visible (split));
}

static void
test_worst_tile (Fixture *f, gconstpointer data)
{
  g_auto (TsrLivenessSource) source = { 0 };
  guint worst = tsr_test_ask (f->folder, "SELECT tile FROM memory_by_tile ORDER BY "
                                         "max(overflowed, including_gaps - "
                                         "(SELECT bytes_per_tile FROM target)) DESC, tile LIMIT 1");

  g_assert_true (tsr_source_chooser_get_source (f->session, &source));
  g_assert_cmpint (source.kind, ==, TSR_LIVENESS_TILES);
  g_assert_cmpuint (source.n_tiles, ==, 1);
  g_assert_cmpuint (source.tiles[0], ==, worst);
  g_assert_cmpuint (tsr_source_chooser_get_worst_tile (tsr_session_get_memory (f->session)), ==,
                    worst);
  g_assert_cmpint (get_series (f)->not_always_live[get_series (f)->peak_step], ==,
                   query_tile (f, worst, get_series (f)->peak_step));
}

static void
test_peaks (Fixture *f, gconstpointer data)
{
  GArray *peaks = tsr_liveness_page_get_peaks (f->page);
  guint peak = peak_step (f);

  g_assert_cmpuint (peaks->len, >=, 2);
  fire (f, "liveness.peak-1");
  assert_steps (f, 1, peak, 0);
  fire (f, "liveness.add-peak-2");
  assert_steps (f, 2, peak, g_array_index (peaks, TsrPeak, 1).step);
  fire (f, "liveness.peak-2");
  assert_steps (f, 1, g_array_index (peaks, TsrPeak, 1).step, 0);
  /* The Peak tab goes along. */
  g_assert_cmpuint (tsr_liveness_tabs_get_peak (tsr_ui_test_child (f->page, "tabs")), ==, 1);
  g_assert_cmpint (
      total (show_tab (f, "peak"), 1), ==,
      tsr_test_ask (f->folder, ALWAYS)
          + tsr_test_ask (f->folder,
                          "SELECT not_always_live_bytes FROM liveness_steps WHERE step = %u",
                          g_array_index (peaks, TsrPeak, 1).step));
  fire (f, "liveness.include-always-live");
  g_assert_cmpint (total (show_tab (f, "peak"), 1), ==,
                   tsr_test_ask (f->folder,
                                 "SELECT not_always_live_bytes FROM liveness_steps WHERE step = %u",
                                 g_array_index (peaks, TsrPeak, 1).step));
}

#define WITH_TYPE                                                                                  \
  "FROM liveness_steps l JOIN programs p ON p.id = l.program WHERE p.type = 'DoExchange'"

static void
test_filter (Fixture *f, gconstpointer data)
{
  TsrStepFilter *filter = tsr_ui_test_child (f->page, "step_filter");
  guint first = tsr_test_ask (f->folder, "SELECT min(l.step) " WITH_TYPE), n = 0;
  guint second
      = tsr_test_ask (f->folder, "SELECT min(l.step) " WITH_TYPE " AND l.step > %u", first);
  guint last = tsr_test_ask (f->folder, "SELECT max(l.step) " WITH_TYPE);
  GtkWidget *entry;

  g_assert_null (tsr_step_filter_peek_matches (filter, NULL));
  tsr_step_filter_set_text (filter, "DoExchange");
  tsr_ui_test_wait (tsr_step_filter_peek_matches (filter, NULL) != NULL);
  tsr_step_filter_peek_matches (filter, &n);
  g_assert_cmpuint (n, ==, tsr_test_ask (f->folder, "SELECT count(*) " WITH_TYPE));
  fire (f, "liveness.next-match");
  assert_steps (f, 1, first, 0);
  fire (f, "liveness.next-match");
  assert_steps (f, 1, second, 0);
  fire (f, "liveness.previous-match");
  fire (f, "liveness.previous-match"); /* around the end */
  assert_steps (f, 1, last, 0);
  /* Escape: first the text goes, then the keyboard goes to the graph. */
  gtk_widget_grab_focus (GTK_WIDGET (filter));
  entry
      = gtk_widget_get_ancestor (gtk_root_get_focus (GTK_ROOT (f->window)), GTK_TYPE_SEARCH_ENTRY);
  g_assert_nonnull (entry);
  g_signal_emit_by_name (entry, "stop-search");
  tsr_ui_test_wait (tsr_step_filter_peek_matches (filter, NULL) == NULL);
  g_assert_true (gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (f->window)), entry));
  g_signal_emit_by_name (entry, "stop-search");
  g_assert_false (gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (f->window)), entry));
}

static guint
count_series (Fixture *f)
{
  return tsr_chart_model_get_n_series (TSR_CHART_MODEL (tsr_liveness_page_get_model (f->page)));
}

static void
test_variables (Fixture *f, gconstpointer data)
{
  TsrStepSelection *steps = tsr_session_get_steps (f->session);
  TsrRows *rows = show_tab (f, "peak");
  const char *names[] = { tsr_rows_get_text (rows, 1, 0), NULL };
  guint n_series = count_series (f);
  g_autoptr (GArray) selected = NULL;
  guint32 row = 0;

  /* From elsewhere into the table and over the graph ... */
  tsr_step_selection_set_variables (steps, names);
  settle (f);
  selected = tsr_row_view_dup_selected (get_view (f));
  g_assert_cmpuint (selected->len, ==, 1);
  g_assert_cmpuint (g_array_index (selected, guint32, 0), ==, 1);
  g_assert_cmpuint (count_series (f), ==, n_series + 1);
  /* ... and from the table to everybody. */
  tsr_row_view_select (get_view (f), &row, 1);
  g_signal_emit_by_name (get_view (f), "selection-changed");
  settle (f);
  g_assert_cmpstr (tsr_step_selection_peek_variables (steps)[0], ==,
                   tsr_rows_get_text (rows, 0, 0));
  g_assert_null (tsr_step_selection_peek_variables (steps)[1]);
  g_assert_cmpuint (count_series (f), ==, n_series + 1);
  tsr_step_selection_set_variables (steps, NULL);
  settle (f);
  g_assert_cmpuint (count_series (f), ==, n_series);
}

/* Column of the graph's CSV for a line whose name begins with @name, at each step; NULL without
 * one. */
static gint64 *
dup_line (Fixture *f, const char *name)
{
  g_autofree char *title = g_strconcat ("variable ", name, NULL);
  guint n = tsr_test_ask (f->folder, "SELECT count(*) FROM liveness_steps"), column = 0;
  g_autoptr (GString) csv = g_string_new (NULL);
  g_auto (GStrv) lines = NULL, titles = NULL;
  gint64 *values;

  tsr_chart_model_write_csv (TSR_CHART_MODEL (tsr_liveness_page_get_model (f->page)), 0, n, csv);
  lines = g_strsplit (csv->str, "\r\n", -1);
  titles = g_strsplit (lines[0], ",", -1);
  while (titles[column] != NULL && !g_str_has_prefix (titles[column], title))
    column++;
  if (titles[column] == NULL)
    return NULL;
  values = g_new (gint64, n);
  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i + 1], ",", -1);

      values[i] = g_ascii_strtoll (fields[column], NULL, 10);
    }
  return values;
}

/* A group draws what its variables hold together; it is selected again in the next table. */
static void
test_group_line (Fixture *f, gconstpointer data)
{
  const guint by = TSR_LIVENESS_OPTION_BY + TSR_LIVENESS_TAB_TEMPORARY;
  guint n_series = count_series (f), peak = peak_step (f), n, row = 0;
  g_autofree gint64 *line = NULL, *moved = NULL;
  g_autoptr (GArray) selected = NULL;
  g_autofree char *name = NULL;
  TsrRows *rows;

  chart_select (f, peak, peak + 1, TSR_SELECT_REPLACE);
  tsr_page_set_option (TSR_PAGE (f->page), by, TSR_LIVENESS_BY_PREFIX);
  tsr_page_set_option (TSR_PAGE (f->page), TSR_LIVENESS_OPTION_DEPTH + TSR_LIVENESS_TAB_TEMPORARY,
                       1);
  rows = show_tab (f, "not-always-live");
  g_assert_cmpuint (tsr_rows_get_n (rows), >, 0);
  name = g_strdup (tsr_rows_get_text (rows, row, 0));
  tsr_row_view_select (get_view (f), &row, 1);
  g_signal_emit_by_name (get_view (f), "selection-changed");
  settle (f);
  g_assert_cmpuint (count_series (f), ==, n_series + 1);
  line = dup_line (f, name);
  g_assert_nonnull (line);
  /* At the peak it is the number in the table; elsewhere what the same variables hold there. */
  g_assert_cmpint (line[peak], ==, tsr_rows_get_value (rows, row, 1));
  n = tsr_test_ask (f->folder, "SELECT count(*) FROM liveness_steps");
  for (guint step = 0; step < n; step++)
    g_assert_cmpint (
        line[step], ==,
        tsr_test_ask (
            f->folder,
            "SELECT coalesce(sum(l.size_bytes), 0) FROM variable_lifetimes l JOIN variables x ON "
            "x.id = l.variable WHERE l.start_step <= %u AND %u < l.end_step AND (x.name = '%s' OR "
            "x.name LIKE '%s/%%') AND EXISTS (SELECT 1 FROM variable_lifetimes m WHERE "
            "m.variable = x.id AND m.start_step <= %u AND %u < m.end_step)",
            step, step, name, name, peak, peak));
  /* Another source, the same group. */
  gtk_widget_activate_action (GTK_WIDGET (f->page), "liveness.source", "s", "ipu0");
  settle (f);
  moved = dup_line (f, name);
  g_assert_nonnull (moved);
  g_assert_cmpint (moved[peak], <, line[peak]);
  selected = tsr_row_view_dup_selected (get_view (f));
  g_assert_cmpuint (selected->len, ==, 1);
  /* By variable there are no groups. */
  tsr_page_set_option (TSR_PAGE (f->page), by, TSR_LIVENESS_BY_VARIABLE);
  settle (f);
  g_assert_cmpuint (count_series (f), ==, n_series);
}

static void
test_statistics (Fixture *f, gconstpointer data)
{
  guint n_series = count_series (f), tiles[] = { 2, 3 };
  g_autofree char *size = NULL, *wanted = NULL;
  gboolean found = FALSE;
  gint64 most;

  tsr_tile_selection_set (tsr_session_get_selection (f->session), tiles, 2);
  settle (f);
  g_assert_cmpuint (count_series (f), ==, n_series);
  fire (f, "liveness.statistics");
  settle (f);
  g_assert_cmpuint (count_series (f), ==, n_series + 1);
  /* The line lies flat at the bottom of all tiles: its most is in its name. */
  most = tsr_test_ask (
      f->folder, "SELECT max(bytes) FROM (SELECT sum(v.size_bytes) AS bytes FROM vars_info v "
                 "JOIN equivalence_class_intervals i ON i.equivalence_class = v.equivalence_class "
                 "JOIN liveness_steps s ON i.start_step <= s.step AND s.step < i.end_step "
                 "WHERE v.always_live = 0 AND v.tile BETWEEN 2 AND 3 GROUP BY s.step)");
  most += tsr_test_ask (f->folder, ALWAYS " AND tile BETWEEN 2 AND 3");
  size = tsr_units_dup_bytes (tsr_session_get_units (f->session), most);
  wanted = g_strdup_printf ("at most %s", size);
  for (guint i = 0; i < count_series (f); i++)
    {
      TsrChartSeries series;

      tsr_chart_model_get_series (TSR_CHART_MODEL (tsr_liveness_page_get_model (f->page)), i,
                                  &series);
      found = found || strstr (series.name, wanted) != NULL;
    }
  g_assert_true (found);
  tsr_tile_selection_clear (tsr_session_get_selection (f->session));
  settle (f);
  g_assert_cmpuint (count_series (f), ==, n_series);
}

static void
test_options (Fixture *f, gconstpointer data)
{
  TsrLivenessChart *model = tsr_liveness_page_get_model (f->page);
  TsrLivenessChartOptions options;

  tsr_liveness_chart_get_options (model, &options);
  g_assert_true (options.include_always_live && options.show_max && !options.from_zero);
  fire (f, "liveness.from-zero");
  fire (f, "liveness.show-max");
  tsr_liveness_chart_get_options (model, &options);
  g_assert_true (options.from_zero);
  g_assert_false (options.show_max);
  fire (f, "liveness.include-always-live");
  tsr_liveness_chart_get_options (model, &options);
  g_assert_false (options.include_always_live);
  g_assert_false (tsr_settings_get_boolean (f->settings, "liveness-include-always-live"));
}

/* What a link says of the page is there again on another page. */
static void
test_words (Fixture *f, gconstpointer data)
{
  g_autoptr (GHashTable) words = tsr_view_words_new (), again = tsr_view_words_new ();

  show_tab (f, "peak");
  tsr_row_view_set_filter (get_view (f), "conv1");
  tsr_step_filter_set_text (tsr_ui_test_child (f->page, "step_filter"), "Sync");
  tsr_page_save_words (TSR_PAGE (f->page), words);
  g_assert_cmpstr (tsr_view_words_get (words, "tab"), ==, "peak");
  g_assert_cmpstr (tsr_view_words_get (words, "filter"), ==, "conv1");
  g_assert_cmpstr (tsr_view_words_get (words, "match"), ==, "Sync");
  show_tab (f, "vertices");
  tsr_step_filter_set_text (tsr_ui_test_child (f->page, "step_filter"), "");
  tsr_page_load_words (TSR_PAGE (f->page), words);
  settle (f);
  tsr_page_save_words (TSR_PAGE (f->page), again);
  g_assert_cmpstr (tsr_view_words_get (again, "tab"), ==, "peak");
  g_assert_cmpstr (tsr_view_words_get (again, "filter"), ==, "conv1");
  g_assert_cmpstr (tsr_view_words_get (again, "match"), ==, "Sync");
  tsr_view_words_set (words, "tab", "variables"); /* as Insights name it */
  tsr_page_load_words (TSR_PAGE (f->page), words);
  settle (f);
  g_assert_cmpint (tsr_tabs_get_shown (TSR_TABS (tsr_ui_test_child (f->page, "tabs")))->number, ==,
                   TSR_LIVENESS_TAB_TEMPORARY);
}

/* Steps and source outlive a reload; what the report has not any more does not. */
static void
test_reload (Fixture *f, gconstpointer data)
{
  guint peak = peak_step (f);

  chart_select (f, peak, peak + 1, TSR_SELECT_REPLACE);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "liveness.source", "s", "tile5");
  settle (f);
  tsr_test_sql (f->folder, "profile.pop",
                "DELETE FROM vars_info; DELETE FROM equivalence_class_intervals;");
  open_report (f);
  tsr_ui_test_wait (tsr_session_get_liveness (f->session) == NULL);
  settle (f);
  assert_steps (f, 1, peak, 0);
  /* Tiles need lowered variables: all tiles stand in, by what liveness_steps tells. */
  g_assert_cmpint (get_series (f)->not_always_live[peak], ==,
                   tsr_test_ask (f->folder,
                                 "SELECT not_always_live_bytes FROM liveness_steps WHERE step = %u",
                                 peak));
  g_assert_false (
      tsr_source_chooser_enter (tsr_ui_test_child (f->page, "source_chooser"), "tile5"));
}

/* Whether a control on the page with that action can be pressed. */
static gboolean
is_enabled (Fixture *f, const char *action)
{
  GtkWidget *button = gtk_button_new ();
  gboolean enabled;

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_parent (button, GTK_WIDGET (f->page));
  enabled = gtk_widget_get_sensitive (button);
  gtk_widget_unparent (button);
  return enabled;
}

/* What stands in the menus of the control row reaches what it is about, or is off. */
static void
test_menus (Fixture *f, gconstpointer data)
{
  TsrSplit *split = tsr_ui_test_child (f->page, "split");

  g_assert_true (is_enabled (f, "split.toggle-details") && is_enabled (f, "split.swap"));
  g_assert_true (tsr_split_get_details_visible (split));
  fire (f, "split.toggle-details");
  g_assert_false (tsr_split_get_details_visible (split));
  fire (f, "split.toggle-details");
  fire (f, "split.swap");
  g_assert_true (tsr_split_is_swapped (split));
  fire (f, "split.swap");
  settle (f);
  g_assert_true (is_enabled (f, "liveness.copy-table") && is_enabled (f, "liveness.save-table"));
  show_tab (f, "lifetimes");
  g_assert_false (is_enabled (f, "liveness.copy-table") || is_enabled (f, "liveness.save-table"));
  show_tab (f, "peak");
  g_assert_true (is_enabled (f, "liveness.copy-table") && is_enabled (f, "liveness.save-table"));
}

static void
on_saved (TsrPlane *plane, const char *text, gboolean *saved)
{
  *saved = TRUE;
}

/* What the lifetimes have because they are a plane: hover, cursor, export. */
static void
check_plane (TsrPlane *plane, double x, double y)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "x.csv", NULL);
  g_autofree char *text = NULL, *line = NULL, *described = NULL;
  g_autoptr (GString) expected = g_string_new (NULL);
  TsrChartModel *model = tsr_plane_get_model (plane);
  TsrChartGeometry geometry;
  gboolean saved = FALSE;
  gulong handler = g_signal_connect (plane, "toast", G_CALLBACK (on_saved), &saved);

  tsr_plane_motion (plane, x, y);
  g_assert_cmpuint (tsr_plane_get_hover (plane), ==, 0);
  line = tsr_plane_dup_line (plane);
  described = tsr_chart_model_describe (model, 0);
  g_assert_true (strlen (line) > 0 && strchr (line, '\n') == NULL);
  *strchr (described, '\n') = '\0';
  g_assert_true (g_str_has_prefix (line, described));
  tsr_plane_leave (plane);
  g_assert_cmpuint (tsr_plane_get_hover (plane), ==, TSR_NO_DATUM);

  g_assert_true (tsr_plane_get_geometry (plane, &geometry, NULL));
  tsr_chart_model_write_csv (model, geometry.from, geometry.to, expected);
  tsr_plane_export_data_to (plane, path);
  tsr_ui_test_wait (saved);
  g_signal_handler_disconnect (plane, handler);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected->str);
  tsr_test_folder_free (folder);
}

/* Two turns of the wheel with Ctrl zoom about the pointer, and are one step of undo. */
static void
check_wheel (TsrPlane *plane, double x, double y)
{
  TsrViewport *viewport = tsr_plane_get_viewport (plane);
  double from, to, a, b, at, in_plot;

  tsr_viewport_get_range (viewport, &from, &to);
  tsr_plane_motion (plane, x, y);
  g_assert_true (gtk_widget_translate_coordinates (
      GTK_WIDGET (plane), GTK_WIDGET (tsr_plane_get_plot (plane)), x, y, &in_plot, NULL));
  at = tsr_plane_data_at (plane, in_plot);
  tsr_plane_scroll (plane, 0, -1, GDK_CONTROL_MASK);
  tsr_plane_scroll (plane, 0, -1, GDK_CONTROL_MASK);
  tsr_viewport_get_range (viewport, &a, &b);
  g_assert_cmpfloat_with_epsilon (b - a, (to - from) / 1.5625, 1e-6);
  g_assert_cmpfloat_with_epsilon (tsr_plane_x_of (plane, at), in_plot, 1e-3);
  g_assert_true (tsr_viewport_undo (viewport));
  tsr_viewport_get_range (viewport, &a, &b);
  g_assert_cmpfloat (a, ==, from);
  g_assert_cmpfloat (b, ==, to);
  tsr_plane_leave (plane);
}

static void
test_lifetimes (Fixture *f, gconstpointer data)
{
  TsrLifetimeView *view = tsr_liveness_page_get_lifetimes (f->page);
  TsrStepSelection *steps = tsr_session_get_steps (f->session);
  const Setup *options = data;
  TsrLifetimeChart *model;
  guint variable;
  double y = 0;

  g_assert_cmpint (tsr_split_get_orientation (tsr_ui_test_child (f->page, "split")), ==,
                   options->width >= TSR_SPLIT_WIDE ? GTK_ORIENTATION_HORIZONTAL
                                                    : GTK_ORIENTATION_VERTICAL);
  if (options->width < TSR_SPLIT_WIDE)
    {
      g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (view)));
      show_tab (f, "lifetimes");
    }
  tsr_ui_test_run (200);
  settle (f);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (view)));
  model = tsr_lifetime_view_get_model (view);
  g_assert_cmpuint (tsr_lifetime_chart_get_n_rows (model), >, 0);
  while (tsr_plane_datum_at (TSR_PLANE (view), 300, y) != 0 && y < 400)
    y++;
  g_assert_cmpuint (tsr_plane_datum_at (TSR_PLANE (view), 300, y), ==, 0);
  tsr_plane_press (TSR_PLANE (view), 300, y, GDK_BUTTON_PRIMARY, 1, 0);
  check_plane (TSR_PLANE (view), 300, y);
  check_wheel (TSR_PLANE (view), 300, y);
  variable = tsr_lifetime_chart_get_variable (model, 0);
  g_assert_cmpstr (
      tsr_step_selection_peek_variables (steps)[0], ==,
      tsr_variables_get_name (tsr_liveness_get_variables (tsr_session_get_liveness (f->session)),
                              variable));
  gtk_widget_activate_action (GTK_WIDGET (view), "lifetimes.last", NULL);
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (view)), ==,
                    tsr_lifetime_chart_get_n_rows (model) - 1);
  gtk_widget_activate_action (GTK_WIDGET (view), "lifetimes.select-add", NULL);
  g_assert_cmpuint (g_strv_length ((char **)tsr_step_selection_peek_variables (steps)), ==, 2);
  gtk_widget_activate_action (GTK_WIDGET (view), "lifetimes.clear", NULL);
  g_assert_cmpuint (g_strv_length ((char **)tsr_step_selection_peek_variables (steps)), ==, 0);
}

/* Where a step stands in the window, in either of them. */
static double
get_window_x (Fixture *f, TsrPlane *plane, double step)
{
  double x = NAN;

  g_assert_true (gtk_widget_translate_coordinates (GTK_WIDGET (tsr_plane_get_plot (plane)),
                                                   f->window, tsr_plane_x_of (plane, step), 0, &x,
                                                   NULL));
  return x;
}

static void
assert_aligned (Fixture *f)
{
  TsrPlane *chart = TSR_PLANE (tsr_ui_test_child (f->page, "chart"));
  TsrPlane *lifetimes = TSR_PLANE (tsr_liveness_page_get_lifetimes (f->page));
  GtkWidget *bar = gtk_widget_get_first_child (GTK_WIDGET (lifetimes));
  double from, to, end, x;

  tsr_ui_test_run (60);
  settle (f);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (lifetimes)));
  tsr_viewport_get_range (tsr_plane_get_viewport (chart), &from, &to);
  end = get_window_x (f, chart, to);
  g_assert_cmpfloat (end, >, get_window_x (f, chart, from));
  g_assert_cmpfloat_with_epsilon (get_window_x (f, lifetimes, from), get_window_x (f, chart, from),
                                  1e-3);
  g_assert_cmpfloat_with_epsilon (get_window_x (f, lifetimes, to), end, 1e-3);
  while (!GTK_IS_SCROLLBAR (bar))
    bar = gtk_widget_get_next_sibling (bar);
  g_assert_true (gtk_widget_translate_coordinates (bar, f->window, 0, 0, &x, NULL));
  g_assert_cmpfloat (x, >=, end);
}

/* One x axis for both plots, whatever stands beside them and however wide their labels are. */
static void
test_aligned (Fixture *f, gconstpointer data)
{
  const Setup *options = data;
  TsrPlane *chart = TSR_PLANE (tsr_ui_test_child (f->page, "chart"));
  g_autoptr (GHashTable) words = NULL;

  if (options->width < TSR_SPLIT_WIDE)
    show_tab (f, "lifetimes");
  assert_aligned (f);
  tsr_settings_set_string (f->settings, "units", "bytes");
  assert_aligned (f);
  fire (f, "liveness.from-zero");
  assert_aligned (f);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "liveness.source", "s", "tile5");
  assert_aligned (f);
  /* So few rows that nothing scrolls. */
  words = tsr_view_words_parse ("lifetime-filter=conv1%2Fout");
  tsr_page_load_words (TSR_PAGE (f->page), words);
  assert_aligned (f);
  tsr_plane_motion (chart, 300, 200);
  tsr_plane_scroll (chart, 0, -3, 0);
  assert_aligned (f);
  if (options->width < TSR_SPLIT_WIDE)
    show_tab (f, "peak");
  tsr_settings_set_string (f->settings, "units", "binary");
  if (options->width < TSR_SPLIT_WIDE)
    show_tab (f, "lifetimes");
  assert_aligned (f);
}

/* ---------------------------------------------------------------- what is missing */

/* Liveness is computed with the memory of the tiles: when that cannot be read, the page says so and
 * does not wait. */
static void
test_no_memory (void)
{
  g_autoptr (TsrSettings) settings = tsr_settings_new ("none.such");
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  Fixture f = { .folder = tsr_test_report_new ("tiny") };

  tsr_test_sql (f.folder, "profile.pop", "DROP TABLE memory_by_tile");
  f.session = tsr_session_new (settings);
  f.window = gtk_window_new ();
  f.page = g_object_new (TSR_TYPE_LIVENESS_PAGE, NULL);
  gtk_window_set_child (GTK_WINDOW (f.window), GTK_WIDGET (f.page));
  tsr_page_set_session (TSR_PAGE (f.page), f.session);
  gtk_window_present (GTK_WINDOW (f.window));
  report = tsr_report_open (place, f.folder, TSR_LOAD_ALL);
  tsr_session_set_report (f.session, report);
  tsr_ui_test_wait (tsr_report_get_stage_state (report, TSR_STAGE_LIVENESS) == TSR_STAGE_READY);
  tsr_ui_test_wait (tsr_report_get_stage_state (report, TSR_STAGE_MEMORY) == TSR_STAGE_FAILED);
  tsr_ui_test_wait (tsr_ui_test_says (GTK_WIDGET (f.page), "Liveness cannot be shown"));
  g_assert_true (tsr_ui_test_says (GTK_WIDGET (f.page), "It needs the memory of the tiles"));
  g_assert_true (tsr_ui_test_says (GTK_WIDGET (f.page),
                                   tsr_report_get_stage_error (report, TSR_STAGE_MEMORY)->message));
  g_assert_false (tsr_page_is_content_shown (TSR_PAGE (f.page)));
  g_clear_object (&report);
  gtk_window_destroy (GTK_WINDOW (f.window));
  tsr_session_close (f.session);
  tsr_ui_test_drop (f.session);
  tsr_test_folder_free (f.folder);
}

static const Setup demo = { "demo", NULL, 1232, 640 }, wide = { "demo", NULL, 2360, 900 },
                   oom = { "oom", NULL, 1232, 640 }, narrow = { "demo", NULL, 846, 640 };

#define ADD(name, data, func)                                                                      \
  g_test_add ("/liveness-page/" name, Fixture, data, setup, func, teardown)

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
  ADD ("shows", &demo, test_shows);
  ADD ("busy", &demo, test_busy);
  ADD ("steps", &demo, test_steps);
  ADD ("source", &demo, test_source);
  ADD ("source-choices", &demo, test_source_choices);
  ADD ("split-by-hand", &demo, test_split_by_hand);
  ADD ("worst-tile", &oom, test_worst_tile);
  ADD ("peaks", &demo, test_peaks);
  ADD ("filter", &demo, test_filter);
  ADD ("variables", &demo, test_variables);
  ADD ("group-line", &demo, test_group_line);
  ADD ("statistics", &demo, test_statistics);
  ADD ("options", &demo, test_options);
  ADD ("menus", &demo, test_menus);
  ADD ("words", &demo, test_words);
  ADD ("reload", &demo, test_reload);
  ADD ("lifetimes", &demo, test_lifetimes);
  ADD ("lifetimes-below", &wide, test_lifetimes);
  ADD ("aligned", &demo, test_aligned);
  ADD ("aligned-narrow", &narrow, test_aligned);
  ADD ("aligned-below", &wide, test_aligned);
  g_test_add_func ("/liveness-page/no-memory", test_no_memory);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chart widget over a model whose geometry is known: what gestures, keys and actions do to the
 * visible range and the selection, when it is laid out again, and what it paints. */

#include "config.h"

#include "fake-chooser.h"
#include "tsr-callout.h"
#include "tsr-chart-private.h"
#include "tsr-fake-chart.h"
#include "tsr-navigation.h"
#include "tsr-painter.h"
#include "tsr-palette.h"
#include "tsr-raster-source.h"
#include "tsr-swatch.h"
#include "tsr-test.h"
#include "tsr-ui-test.h"
#include "tsr-ui-init.h"

#include <math.h>

#define N      100
#define WIDTH  560 /* 500 pixels of plot: five for each datum */
#define HEIGHT 300

typedef struct
{
  GtkWidget *window;
  TsrChart *chart;
  TsrFakeChart *model;
  double from, to;
  int mode, n_selects;
} Fixture;

static void
on_select (TsrChart *chart, double from, double to, int mode, Fixture *f)
{
  f->from = from;
  f->to = to;
  f->mode = mode;
  f->n_selects++;
}

static void
settle (Fixture *f)
{
  tsr_ui_test_draw (f->window);
}

static void
setup (Fixture *f, gconstpointer data)
{
  memset (f, 0, sizeof *f);
  f->window = gtk_window_new ();
  f->chart = tsr_chart_new ();
  f->model = tsr_fake_chart_new (N);
  f->mode = -1;
  gtk_widget_set_size_request (GTK_WIDGET (f->chart), WIDTH, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->chart));
  gtk_window_set_decorated (GTK_WINDOW (f->window), FALSE);
  gtk_window_set_default_size (GTK_WINDOW (f->window), WIDTH, HEIGHT);
  tsr_plane_set_model (TSR_PLANE (f->chart), TSR_CHART_MODEL (f->model));
  g_signal_connect (f->chart, "select", G_CALLBACK (on_select), f);
  gtk_window_present (GTK_WINDOW (f->window));
  settle (f);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (f->chart)), ==, WIDTH);
  g_assert_cmpfloat (tsr_plane_get_area (TSR_PLANE (f->chart))->width, ==,
                     WIDTH - FAKE_LEFT - FAKE_RIGHT);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  g_assert_cmpuint (G_OBJECT (f->model)->ref_count, ==, 1); /* nobody keeps the model */
  g_object_unref (f->model);
  tsr_ui_test_run (1);
}

static void
assert_range (Fixture *f, double from, double to)
{
  double a, b;

  tsr_viewport_get_range (tsr_chart_get_viewport (f->chart), &a, &b);
  g_assert_cmpfloat_with_epsilon (a, from, 1e-6);
  g_assert_cmpfloat_with_epsilon (b, to, 1e-6);
}

static void
act (Fixture *f, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (f->chart), action, NULL));
}

/* The x of the middle of a position, while the whole domain is visible. */
#define X(position) (FAKE_LEFT + 5 * (position) + 2)
#define Y           (TSR_CHART_MAP_HEIGHT + 100)

static void
press_and_release (Fixture *f, double x, double y, int n_press, GdkModifierType state)
{
  tsr_plane_press (TSR_PLANE (f->chart), x, y, GDK_BUTTON_PRIMARY, n_press, state);
  tsr_plane_release (TSR_PLANE (f->chart), x, y, state);
}

static void
test_parts (Fixture *f, gconstpointer data)
{
  graphene_rect_t map;
  double left, right;

  /* The mini-map stands over the plot, edge to edge, when it is asked for. */
  g_assert_false (gtk_widget_get_child_visible (GTK_WIDGET (f->chart->mini_map)));
  tsr_chart_set_mini_map (f->chart, TRUE);
  while (!gtk_widget_get_child_visible (GTK_WIDGET (f->chart->mini_map)))
    g_main_context_iteration (NULL, TRUE);
  settle (f);
  g_assert_true (
      gtk_widget_compute_bounds (GTK_WIDGET (f->chart->mini_map), GTK_WIDGET (f->chart), &map));
  g_assert_cmpfloat (map.origin.x, ==, FAKE_LEFT);
  g_assert_cmpfloat (map.size.width, ==, WIDTH - FAKE_LEFT - FAKE_RIGHT);
  g_assert_cmpfloat (map.size.height, ==, TSR_MINI_MAP_HEIGHT);
  tsr_mini_map_get_window (f->chart->mini_map, &left, &right);
  g_assert_cmpfloat (left, ==, 0);
  g_assert_cmpfloat (right, ==, 500);
  g_assert_cmpuint (tsr_legend_get_n_entries (f->chart->legend), ==, 2);
}

static void
test_click (Fixture *f, gconstpointer data)
{
  press_and_release (f, X (10), Y, 1, 0);
  g_assert_cmpint (f->mode, ==, TSR_SELECT_REPLACE);
  g_assert_cmpfloat (f->from, ==, 10);
  g_assert_cmpfloat (f->to, ==, 11);
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (f->chart)), ==, N - 1 - 10);
  press_and_release (f, X (20), Y, 1, GDK_SHIFT_MASK);
  g_assert_cmpint (f->mode, ==, TSR_SELECT_TOGGLE);
  g_assert_cmpfloat (f->from, ==, 20);
  /* Beside the plot: nothing is selected any more; with Shift that would be an accident. */
  f->n_selects = 0;
  press_and_release (f, 10, Y, 1, GDK_SHIFT_MASK);
  g_assert_cmpint (f->n_selects, ==, 0);
  press_and_release (f, 10, Y, 1, 0);
  g_assert_cmpint (f->mode, ==, TSR_SELECT_CLEAR);
}

static void
test_rubber_band (Fixture *f, gconstpointer data)
{
  g_autoptr (GArray) found = NULL;

  tsr_plane_press (TSR_PLANE (f->chart), X (30), Y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_drag (TSR_PLANE (f->chart), X (30) + 2, Y); /* too short */
  g_assert_cmpint (f->chart->drag, ==, TSR_DRAG_PRESSED);
  tsr_plane_drag (TSR_PLANE (f->chart), X (25), Y); /* to the left */
  tsr_plane_release (TSR_PLANE (f->chart), X (25), Y, 0);
  g_assert_cmpint (f->mode, ==, TSR_SELECT_REPLACE);
  g_assert_cmpfloat (f->from, ==, 25);
  g_assert_cmpfloat (f->to, ==, 31);
  found = tsr_chart_dup_data (f->chart, f->from, f->to);
  g_assert_cmpuint (found->len, ==, 6);
  g_assert_cmpuint (g_array_index (found, guint32, 0), ==, N - 1 - 25);
  /* Beyond the edge it stops at the edge. */
  tsr_plane_press (TSR_PLANE (f->chart), X (95), Y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_drag (TSR_PLANE (f->chart), 5000, Y);
  tsr_plane_release (TSR_PLANE (f->chart), 5000, Y, GDK_SHIFT_MASK);
  g_assert_cmpint (f->mode, ==, TSR_SELECT_ADD);
  g_assert_cmpfloat (f->from, ==, 95);
  g_assert_cmpfloat (f->to, ==, 100);
  /* Escape in the middle of one. */
  f->n_selects = 0;
  tsr_plane_press (TSR_PLANE (f->chart), X (50), Y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_drag (TSR_PLANE (f->chart), X (60), Y);
  tsr_plane_cancel (TSR_PLANE (f->chart));
  tsr_plane_release (TSR_PLANE (f->chart), X (60), Y, 0);
  g_assert_cmpint (f->n_selects, ==, 0);
}

static void
test_pan (Fixture *f, gconstpointer data)
{
  TsrViewport *viewport = tsr_chart_get_viewport (f->chart);

  tsr_viewport_set_range (viewport, 40, 60, 0); /* 25 pixels for each datum */
  for (int way = 0; way < 2; way++)
    {
      guint button = way == 0 ? GDK_BUTTON_PRIMARY : GDK_BUTTON_MIDDLE;
      GdkModifierType state = way == 0 ? GDK_CONTROL_MASK : 0;

      tsr_plane_press (TSR_PLANE (f->chart), 300, Y, button, 1, state);
      tsr_plane_drag (TSR_PLANE (f->chart), 325, Y);
      tsr_plane_drag (TSR_PLANE (f->chart), 350, Y);
      tsr_plane_release (TSR_PLANE (f->chart), 350, Y, state);
      assert_range (f, 38, 58);
      g_assert_true (tsr_viewport_undo (viewport)); /* one drag, one step */
      assert_range (f, 40, 60);
    }
  g_assert_cmpint (f->n_selects, ==, 0);
}

static void
test_wheel (Fixture *f, gconstpointer data)
{
  TsrViewport *viewport = tsr_chart_get_viewport (f->chart);
  double from, to, at;

  tsr_plane_motion (TSR_PLANE (f->chart), FAKE_LEFT + 125, Y); /* over 25 */
  tsr_plane_leave (TSR_PLANE (f->chart));
  for (int i = 0; i < 4; i++)
    {
      tsr_plane_scroll (TSR_PLANE (f->chart), 0, -1, 0);
      at = tsr_plane_data_at (TSR_PLANE (f->chart), FAKE_LEFT + 125);
      g_assert_cmpfloat_with_epsilon (at, 25, 1e-6); /* what is under the pointer stays there */
    }
  tsr_viewport_get_range (viewport, &from, &to);
  g_assert_cmpfloat_with_epsilon (to - from, N / pow (1.25, 4), 1e-6);
  g_assert_cmpuint (tsr_plane_get_hover (TSR_PLANE (f->chart)), ==, N - 1 - 25);
  tsr_plane_scroll (TSR_PLANE (f->chart), 0, 1, GDK_SHIFT_MASK);
  assert_range (f, from + 0.08 * (to - from), to + 0.08 * (to - from));
  tsr_plane_scroll (TSR_PLANE (f->chart), -1, 0, 0);
  assert_range (f, from, to);
  g_assert_true (tsr_viewport_undo (viewport)); /* the burst is one step */
  assert_range (f, 0, N);
}

/* A hundred data in each pixel: the pointer is told the one that is drawn there, and a flag stands
 * for its own datum over its whole width. */
static void
test_narrow (Fixture *f, gconstpointer data)
{
  TsrPlane *plane = TSR_PLANE (f->chart);
  guint heaviest = 12300;
  double y = FAKE_TOP + 3;

  tsr_fake_chart_set_n (f->model, 50000);
  settle (f);
  assert_range (f, 0, 50000);
  for (guint i = 12300; i < 12400; i++)
    if (i * 7919 % 1009 > heaviest * 7919 % 1009)
      heaviest = i;
  tsr_plane_motion (plane, FAKE_LEFT + 123.7, Y);
  g_assert_cmpuint (tsr_plane_get_hover (plane), ==, 49999 - heaviest);
  press_and_release (f, FAKE_LEFT + 123.2, Y, 1, 0);
  g_assert_cmpfloat (f->from, ==, heaviest);

  tsr_fake_chart_set_flag (f->model, 7);
  settle (f);
  for (guint x = 1; x < 20; x += 6)
    {
      tsr_plane_motion (plane, FAKE_LEFT + FAKE_FLAG_X + x, y);
      g_assert_cmpuint (tsr_plane_get_hover (plane), ==, 7);
    }
  press_and_release (f, FAKE_LEFT + FAKE_FLAG_X + 10, y, 1, 0);
  g_assert_cmpfloat (f->from, ==, 49999 - 7);
  tsr_plane_motion (plane, FAKE_LEFT + FAKE_FLAG_X + 10, Y);
  g_assert_cmpuint (tsr_plane_get_hover (plane), !=, 7);
}

static void
test_double_click (Fixture *f, gconstpointer data)
{
  press_and_release (f, X (50), Y, 1, 0);
  press_and_release (f, X (50), Y, 2, 0);
  g_assert_cmpfloat (tsr_viewport_get_magnification (tsr_chart_get_viewport (f->chart)), ==, 8);
  press_and_release (f, 300, Y, 1, 0);
  press_and_release (f, 300, Y, 2, 0);
  assert_range (f, 0, N);
  /* Into what was selected before the first click. */
  tsr_chart_set_selected_extent (f->chart, 20, 40);
  tsr_plane_press (TSR_PLANE (f->chart), X (30), Y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_chart_set_selected_extent (f->chart, 30, 31);
  tsr_plane_release (TSR_PLANE (f->chart), X (30), Y, 0);
  press_and_release (f, X (30), Y, 2, 0);
  assert_range (f, 19, 41);
}

static void
test_keyboard (Fixture *f, gconstpointer data)
{
  act (f, "chart.cursor-right"); /* the first press shows where the cursor is */
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (f->chart)), ==, N - 1);
  act (f, "chart.cursor-right");
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (f->chart)), ==, N - 2);
  act (f, "chart.cursor-right-ten");
  act (f, "chart.cursor-left");
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (f->chart)), ==, N - 1 - 10);
  act (f, "chart.select");
  g_assert_cmpint (f->mode, ==, TSR_SELECT_REPLACE);
  g_assert_cmpfloat (f->from, ==, 10);
  act (f, "chart.extend-right");
  act (f, "chart.extend-right-ten");
  g_assert_cmpfloat (f->from, ==, 10);
  g_assert_cmpfloat (f->to, ==, 22);
  act (f, "chart.extend-left-ten");
  act (f, "chart.extend-left-ten");
  g_assert_cmpfloat (f->from, ==, 1);
  g_assert_cmpfloat (f->to, ==, 11);
  act (f, "chart.select-add");
  g_assert_cmpint (f->mode, ==, TSR_SELECT_TOGGLE);
  act (f, "chart.clear-selection");
  g_assert_cmpint (f->mode, ==, TSR_SELECT_CLEAR);
  act (f, "chart.cursor-last");
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (f->chart)), ==, 0);
  act (f, "chart.cursor-right");
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (f->chart)), ==, 0);
  act (f, "chart.cursor-first");
  act (f, "chart.cursor-left-ten");
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (f->chart)), ==, N - 1);
}

static void
test_keyboard_moves_view (Fixture *f, gconstpointer data)
{
  TsrViewport *viewport = tsr_chart_get_viewport (f->chart);
  double from, to;

  tsr_viewport_set_range (viewport, 10, 30, 0);
  act (f, "chart.cursor-last");
  tsr_viewport_get_range (viewport, &from, &to);
  g_assert_cmpfloat (to, ==, N);
  g_assert_cmpfloat_with_epsilon (to - from, 20, 1e-6);
  act (f, "chart.page-left");
  assert_range (f, 62, 82);
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (f->chart)), ==, N - 1 - 81);
  act (f, "chart.page-right");
  act (f, "chart.page-right");
  assert_range (f, 80, 100);
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (f->chart)), ==, 0);
  act (f, "chart.fit");
  assert_range (f, 0, N);
  act (f, "chart.zoom-in");
  tsr_viewport_get_range (viewport, &from, &to);
  g_assert_cmpfloat_with_epsilon (to - from, N / TSR_ZOOM_STEP, 1e-6);
  act (f, "chart.zoom-out");
  act (f, "chart.undo-zoom");
  tsr_viewport_get_range (viewport, &from, &to);
  g_assert_cmpfloat_with_epsilon (to - from, N / TSR_ZOOM_STEP, 1e-6);
}

static void
test_accessible (Fixture *f, gconstpointer data)
{
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (f->chart), GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (f->chart), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "A fake chart");
  act (f, "chart.cursor-first");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (f->chart),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Datum 99;693 units");
  act (f, "chart.cursor-right");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (f->chart),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "Datum 98;686 units");
  settle (f);
  g_assert_cmpuint (tsr_fake_chart_get_marked_cursor (f->model), ==, 98);
}

/* Hover and selection leave the plot alone; a range, a hidden series and a size do not. */
static void
test_layouts (Fixture *f, gconstpointer data)
{
  guint n = tsr_fake_chart_get_n_layouts (f->model);

  g_assert_cmpuint (n, >=, 1);
  for (int i = 0; i < 20; i++)
    {
      tsr_plane_motion (TSR_PLANE (f->chart), X (i), Y);
      settle (f);
    }
  g_assert_cmpuint (tsr_plane_get_hover (TSR_PLANE (f->chart)), ==, N - 1 - 19);
  /* The keyboard takes over from the pointer, and the other way round. */
  act (f, "chart.cursor-first");
  g_assert_cmpuint (tsr_plane_get_hover (TSR_PLANE (f->chart)), ==, TSR_NO_DATUM);
  g_assert_cmpuint (tsr_plane_get_current (TSR_PLANE (f->chart)), ==, N - 1);
  tsr_plane_motion (TSR_PLANE (f->chart), X (19), Y);
  g_assert_cmpuint (tsr_plane_get_current (TSR_PLANE (f->chart)), ==, N - 1 - 19);
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (f->model));
  act (f, "chart.cursor-right");
  settle (f);
  g_assert_cmpuint (tsr_fake_chart_get_n_layouts (f->model), ==, n);
  act (f, "chart.zoom-in");
  settle (f);
  g_assert_cmpuint (tsr_fake_chart_get_n_layouts (f->model), ==, n + 1);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (tsr_legend_get_toggle (f->chart->legend, 1)),
                                FALSE);
  settle (f);
  g_assert_cmpuint (tsr_fake_chart_get_n_layouts (f->model), ==, n + 2);
  tsr_plane_leave (TSR_PLANE (f->chart));
  g_assert_cmpuint (tsr_plane_get_hover (TSR_PLANE (f->chart)), ==, TSR_NO_DATUM);
}

static void
test_legend (Fixture *f, gconstpointer data)
{
  GtkToggleButton *bars = GTK_TOGGLE_BUTTON (tsr_legend_get_toggle (f->chart->legend, 0));
  GtkToggleButton *line = GTK_TOGGLE_BUTTON (tsr_legend_get_toggle (f->chart->legend, 1));
  TsrChartSeries series;

  g_assert_true (gtk_toggle_button_get_active (bars));
  gtk_toggle_button_set_active (bars, FALSE);
  tsr_chart_model_get_series (TSR_CHART_MODEL (f->model), 0, &series);
  g_assert_false (series.visible);
  settle (f);
  g_assert_cmpuint (tsr_canvas_get_list (tsr_plane_get_plot (TSR_PLANE (f->chart)))->items->len, ==,
                    1);
  /* The other way round: the model changes, the toggle follows. */
  tsr_chart_model_set_series_visible (TSR_CHART_MODEL (f->model), 0, TRUE);
  g_assert_true (gtk_toggle_button_get_active (bars));
  tsr_legend_solo (f->chart->legend, 1);
  g_assert_false (gtk_toggle_button_get_active (bars));
  g_assert_true (gtk_toggle_button_get_active (line));
  tsr_legend_solo (f->chart->legend, 1);
  g_assert_true (gtk_toggle_button_get_active (bars));
}

/* What says how to read the chart leaves a legend last, although it is the last in it. */
static void
test_legend_room (Fixture *f, gconstpointer data)
{
  GtkWidget *legend = GTK_WIDGET (f->chart->legend);
  GtkWidget *bars = tsr_legend_get_toggle (f->chart->legend, 0);
  GtkWidget *line = tsr_legend_get_toggle (f->chart->legend, 1);
  int most, least;

  gtk_widget_measure (legend, GTK_ORIENTATION_HORIZONTAL, -1, &least, &most, NULL, NULL);
  gtk_widget_allocate (legend, most, 30, -1, NULL);
  g_assert_true (gtk_widget_get_child_visible (bars) && gtk_widget_get_child_visible (line));
  for (int width = most - 1, was = TRUE; width >= least; width--)
    {
      gtk_widget_allocate (legend, width, 30, -1, NULL);
      g_assert_false (gtk_widget_get_child_visible (bars) && !gtk_widget_get_child_visible (line));
      g_assert_true (was || !gtk_widget_get_child_visible (line)); /* it does not come back */
      was = gtk_widget_get_child_visible (line);
    }
  g_assert_false (gtk_widget_get_child_visible (bars));
}

static void
test_mini_map (Fixture *f, gconstpointer data)
{
  TsrMiniMap *map = f->chart->mini_map;

  /* 500 pixels for 100 data. */
  g_assert_cmpint (tsr_mini_map_part_at (map, 1), ==, TSR_MINI_MAP_LEFT_HANDLE);
  tsr_mini_map_press (map, 0);
  tsr_mini_map_drag (map, 100);
  tsr_mini_map_release (map);
  assert_range (f, 20, 100);
  tsr_mini_map_press (map, 500);
  tsr_mini_map_drag (map, 300);
  tsr_mini_map_release (map);
  assert_range (f, 20, 60);
  tsr_mini_map_press (map, 200); /* in between: moves */
  tsr_mini_map_drag (map, 225);
  tsr_mini_map_drag (map, 250);
  tsr_mini_map_release (map);
  assert_range (f, 30, 70);
  tsr_mini_map_press (map, 450); /* beside: centres, as far as there is room */
  tsr_mini_map_release (map);
  assert_range (f, 60, 100);
  tsr_mini_map_press (map, 350);
  tsr_mini_map_drag (map, 100000);
  tsr_mini_map_release (map);
  assert_range (f, 60, 100);
  /* A handle does not pass the other one. */
  tsr_mini_map_press (map, 300);
  tsr_mini_map_drag (map, 9999);
  tsr_mini_map_release (map);
  assert_range (f, 98, 100);
  g_assert_true (tsr_viewport_undo (tsr_chart_get_viewport (f->chart)));
  assert_range (f, 60, 100);
}

static void
test_domain (Fixture *f, gconstpointer data)
{
  act (f, "chart.cursor-last");
  tsr_fake_chart_set_n (f->model, 10);
  assert_range (f, 0, 10);
  settle (f);
  act (f, "chart.cursor-last");
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (f->chart)), ==, 0);
  tsr_plane_set_model (TSR_PLANE (f->chart), NULL);
  settle (f);
  act (f, "chart.cursor-right"); /* harmless without a model */
  act (f, "chart.zoom-in");
  tsr_plane_motion (TSR_PLANE (f->chart), 100, 100);
  press_and_release (f, 100, 100, 1, 0);
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (f->chart)), ==, TSR_NO_DATUM);
}

static void
on_toast (TsrChart *chart, const char *text, char **toast)
{
  g_free (*toast);
  *toast = g_strdup (text);
}

static void
test_export_data (Fixture *f, gconstpointer data)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "x.csv", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "no", "x.csv", NULL);
  g_autofree char *text = NULL;
  g_autofree char *toast = NULL;

  g_signal_connect (f->chart, "toast", G_CALLBACK (on_toast), &toast);
  tsr_viewport_set_range (tsr_chart_get_viewport (f->chart), 10, 13, 0);
  tsr_plane_export_data_to (TSR_PLANE (f->chart), path);
  while (toast == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "datum\r\n89\r\n88\r\n87\r\n");
  g_clear_pointer (&toast, g_free);
  tsr_plane_export_data_to (TSR_PLANE (f->chart), nowhere);
  while (toast == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (toast, "x.csv"));
  tsr_test_folder_free (folder);
}

/* Files of these kinds are seen in the dialog. */
static void
check_filter (GtkFileChooser *chooser, gboolean image)
{
  static const char *const endings[] = { "png", "svg", "pdf", "csv" };
  g_autoptr (GListModel) filters = gtk_file_chooser_get_filters (chooser);
  g_autoptr (GtkFileFilter) filter = g_list_model_get_item (filters, 0);
  g_autoptr (GVariant) told = g_variant_ref_sink (gtk_file_filter_to_gvariant (filter));
  g_autofree char *text = g_variant_print (told, FALSE);
  g_autofree char *lower = g_ascii_strdown (text, -1);

  g_assert_cmpuint (g_list_model_get_n_items (filters), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      /* *.png, or *.[pP][nN][gG] */
      g_autofree char *plain = g_strconcat ("*.", endings[i], NULL);
      g_autofree char *folded = g_strdup_printf ("*.[%1$c%1$c][%2$c%2$c][%3$c%3$c]", endings[i][0],
                                                 endings[i][1], endings[i][2]);

      g_assert_cmpint (strstr (lower, plain) != NULL || strstr (lower, folded) != NULL, ==,
                       image == (i < 3));
    }
}

/* What is chosen in the dialog has the ending of its kind, given or added; elsewhere than on this
 * computer it is not written; cancelled, nothing is. */
static void
test_export_dialog (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *action, *name, *written, *magic;
  } cases[] = {
    { "chart.export-image", "a.png", "a.png", "\x89PNG" },
    { "chart.export-image", "b.SVG", "b.SVG", "<?xml" },
    { "chart.export-image", "c.pdf", "c.pdf", "%PDF" },
    { "chart.export-image", "d.csv", "d.csv.png", "\x89PNG" },
    { "chart.export-data", "e.csv", "e.csv", "datum\r\n" },
    { "chart.export-data", "f.png", "f.png.csv", "datum\r\n" },
    { "chart.export-data", "csv", "csv.csv", "datum\r\n" },
  };
  char *folder = tsr_test_folder_new ();
  g_autofree char *toast = NULL;
  guint n = 0;
  g_autoptr (GDir) dir = NULL;

  g_signal_connect (f->chart, "toast", G_CALLBACK (on_toast), &toast);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *uri = g_strdup_printf ("file://%s/%s", folder, cases[i].name);
      g_autofree char *path = g_build_filename (folder, cases[i].written, NULL);
      g_autofree char *text = NULL;

      act (f, cases[i].action);
      g_assert_nonnull (fake_chooser_peek ());
      check_filter (GTK_FILE_CHOOSER (fake_chooser_peek ()),
                    g_str_has_suffix (cases[i].action, "image"));
      fake_chooser_answer (uri, GTK_RESPONSE_ACCEPT);
      tsr_ui_test_wait (toast != NULL);
      g_assert_nonnull (strstr (toast, cases[i].written));
      g_clear_pointer (&toast, g_free);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_true (g_str_has_prefix (text, cases[i].magic));
    }
  act (f, "chart.export-image");
  fake_chooser_answer ("sftp://elsewhere/g.png", GTK_RESPONSE_ACCEPT);
  g_assert_cmpstr (toast, ==, "Only a folder on this computer can be written to");
  g_clear_pointer (&toast, g_free);
  act (f, "chart.export-data");
  fake_chooser_answer ("sftp://elsewhere/g.png", GTK_RESPONSE_CANCEL);
  tsr_ui_test_run (50);
  g_assert_null (toast);
  dir = g_dir_open (folder, 0, NULL);
  while (g_dir_read_name (dir) != NULL)
    n++;
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (cases));
  tsr_test_folder_free (folder);
}

/* Selected without a cursor: where the selection begins, if that is seen, else the first. */
static void
test_first_select (Fixture *f, gconstpointer data)
{
  static const struct
  {
    double from, to, selected, expected;
  } cases[] = {
    { 0, 100, 40, 40 }, { 40, 60, 40, 40 }, { 41.5, 60, 40, 42 },
    { 10, 40, 40, 10 }, { 10, 41, 40, 40 }, { 0, 100, -1, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      teardown (f, data);
      setup (f, data);
      if (cases[i].selected >= 0)
        tsr_chart_set_selected_extent (f->chart, cases[i].selected, cases[i].selected + 5);
      tsr_viewport_set_range (tsr_chart_get_viewport (f->chart), cases[i].from, cases[i].to, 0);
      act (f, "chart.select");
      g_assert_cmpint (f->mode, ==, TSR_SELECT_REPLACE);
      g_assert_cmpfloat (f->from, ==, cases[i].expected);
      g_assert_cmpfloat (f->to, ==, cases[i].expected + 1);
    }
}

static void
on_texture (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GdkTexture **)data = gdk_clipboard_read_texture_finish (GDK_CLIPBOARD (source), result, NULL);
}

/* The visible range as the painter makes it, on disk and on the clipboard. */
static void
test_export_image (Fixture *f, gconstpointer data)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "x.png", NULL);
  g_autofree char *wanted = g_build_filename (folder, "wanted.png", NULL);
  g_autofree char *bytes = NULL, *wanted_bytes = NULL, *toast = NULL;
  GtkWidget *plot = GTK_WIDGET (tsr_plane_get_plot (TSR_PLANE (f->chart)));
  const int width = MAX (gtk_widget_get_width (plot), 800);
  const int height = MAX (gtk_widget_get_height (plot), 450);
  g_autoptr (GdkTexture) texture = NULL;
  gsize n, n_wanted;

  g_signal_connect (f->chart, "toast", G_CALLBACK (on_toast), &toast);
  tsr_viewport_set_range (tsr_chart_get_viewport (f->chart), 10, 13, 0);
  tsr_plane_export_image_to (TSR_PLANE (f->chart), path);
  tsr_ui_test_wait (toast != NULL);
  g_assert_nonnull (strstr (toast, "x.png"));
  g_assert_true (tsr_painter_export (tsr_plane_get_model (TSR_PLANE (f->chart)), wanted, 10, 13,
                                     width, height, 2, FALSE, NULL));
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  g_assert_true (g_file_get_contents (wanted, &wanted_bytes, &n_wanted, NULL));
  g_assert_cmpmem (bytes, n, wanted_bytes, n_wanted);
  g_clear_pointer (&toast, g_free);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (f->chart), "chart.copy-image", NULL));
  tsr_ui_test_wait (toast != NULL);
  gdk_clipboard_read_texture_async (gtk_widget_get_clipboard (plot), NULL, on_texture, &texture);
  tsr_ui_test_wait (texture != NULL);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, 2 * width);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, 2 * height);
  tsr_test_folder_free (folder);
}

/* Counts of node kinds under @node. */
static void
count_nodes (GskRenderNode *node, guint *counts)
{
  GskRenderNodeType type = gsk_render_node_get_node_type (node);

  counts[type]++;
  if (type == GSK_CONTAINER_NODE)
    for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
      count_nodes (gsk_container_node_get_child (node, i), counts);
  else if (type == GSK_TRANSFORM_NODE)
    count_nodes (gsk_transform_node_get_child (node), counts);
  else if (type == GSK_CLIP_NODE)
    count_nodes (gsk_clip_node_get_child (node), counts);
  else if (type == GSK_CAIRO_NODE)
    {
      graphene_rect_t bounds;

      /* No cairo node over a whole chart: that alone is ten milliseconds a frame. */
      gsk_render_node_get_bounds (node, &bounds);
      g_assert_cmpfloat (bounds.size.width * bounds.size.height, <, WIDTH * HEIGHT / 10.0);
    }
}

static GskRenderNode *
snapshot_plot (Fixture *f)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GtkWidget *plot = GTK_WIDGET (tsr_plane_get_plot (TSR_PLANE (f->chart)));

  GTK_WIDGET_GET_CLASS (plot)->snapshot (plot, snapshot);
  return gtk_snapshot_free_to_node (snapshot);
}

static void
test_nodes (Fixture *f, gconstpointer data)
{
  guint counts[64] = { 0 };
  GskRenderNode *node;

  tsr_fake_chart_set_rich (f->model, TRUE);
  settle (f);
  node = snapshot_plot (f);
  count_nodes (node, counts);
  g_assert_cmpuint (counts[GSK_COLOR_NODE], ==, N + 1); /* bars and the straight line */
  g_assert_cmpuint (counts[GSK_TEXT_NODE], ==, 1);
  /* Three hatches in one node, one dashed line, 50 points in pieces, one raster. */
  g_assert_cmpuint (counts[GSK_CAIRO_NODE], ==, 1 + 1 + 3 + 1);
  gsk_render_node_unref (node);
}

static guint32
pixel_at (cairo_surface_t *surface, guint x, guint y)
{
  const guchar *row
      = cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface);

  return ((const guint32 *)(gconstpointer)row)[x];
}

/* A swatch of any width in a place that is higher: a line is two pixels in the middle, all of it or
 * three of five; what is filled has ten, of which a hatch has some in each row. */
static void
test_swatch (void)
{
  enum
  {
    LINE,
    DASHED,
    FILLED,
    HATCHED,
    N_KINDS
  };
  GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  TsrSwatch *swatch = tsr_swatch_new ();
  GtkWidget *widget = GTK_WIDGET (swatch);
  const int height = 24;

  gtk_box_append (GTK_BOX (box), widget);
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  tsr_ui_test_draw (window);
  for (int width = 14; width < 40; width += 3)
    for (guint kind = 0; kind < N_KINDS; kind++)
      {
        TsrChartSeries series = { .ink = kind == HATCHED ? TSR_INK_OVERFLOW : TSR_INK_TOTAL,
                                  .visible = TRUE,
                                  .dashed = kind == DASHED,
                                  .filled = kind >= FILLED };
        cairo_surface_t *surface
            = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width + 2, height);
        cairo_t *cr = cairo_create (surface);
        g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
        GtkSnapshot *snapshot = gtk_snapshot_new ();
        GskRenderNode *node;

        tsr_swatch_set_series (swatch, &series);
        gtk_widget_set_size_request (widget, width, height);
        tsr_ui_test_draw (window);
        g_assert_cmpint (gtk_widget_get_width (widget), ==, width);
        g_assert_cmpint (gtk_widget_get_height (widget), ==, height);
        gdk_paintable_snapshot (paintable, snapshot, width, height);
        node = gtk_snapshot_free_to_node (snapshot);
        gsk_render_node_draw (node, cr);
        gsk_render_node_unref (node);
        cairo_destroy (cr);
        cairo_surface_flush (surface);
        for (int y = 0; y < height; y++)
          {
            const gboolean in = kind < FILLED ? y == 11 || y == 12 : y >= 7 && y < 17;
            guint n_inked = 0, n_full = 0;

            for (int x = 0; x < width + 2; x++)
              {
                const guint alpha = pixel_at (surface, (guint)x, (guint)y) >> 24;

                n_inked += alpha > 0;
                n_full += alpha == 255;
                if (kind == DASHED)
                  g_assert_cmpuint (alpha, ==, in && x < width && x % 5 < 3 ? 255 : 0);
              }
            if (!in)
              g_assert_cmpuint (n_inked, ==, 0);
            else if (kind == LINE || kind == FILLED)
              g_assert_cmpuint (n_full, ==, width);
            else
              g_assert_cmpuint (n_inked, >, (guint)width / 3);
          }
        cairo_surface_destroy (surface);
      }
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
assert_painted (GskRenderNode *node, guint32 color)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 9, 7);
  cairo_t *cr = cairo_create (surface);

  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (guint y = 0; y < 7; y++)
    for (guint x = 0; x < 9; x++)
      g_assert_cmphex (pixel_at (surface, x, y), ==, x < 5 && y >= x && y < 6 ? color : 0);
  cairo_surface_destroy (surface);
}

/* The pixels of a raster come when it is drawn, however often, also when raster and pool are gone;
 * its memory serves the next one. */
static void
test_raster_source (void)
{
  TsrRasterPool *pool = tsr_raster_pool_new ();
  GskRenderNode *nodes[3];

  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      TsrDrawRaster *raster = tsr_draw_raster_new (5, 6, TRUE);
      TsrRasterLayer *layer = tsr_draw_raster_add_layer (raster, TSR_LAYER_PLAIN, 7, 0);
      guint32 colors[256] = { 0 };
      cairo_pattern_t *pattern;
      cairo_t *cr;

      for (guint x = 0; x < 5; x++)
        {
          layer->from[x] = x;
          layer->to[x] = 6;
        }
      colors[7] = 0xff000000u + i;
      pattern = tsr_raster_source_new (pool, raster, colors);
      nodes[i] = gsk_cairo_node_new (&GRAPHENE_RECT_INIT (0, 0, 9, 7));
      cr = gsk_cairo_node_get_draw_context (nodes[i]);
      cairo_set_source (cr, pattern);
      cairo_paint (cr);
      cairo_destroy (cr);
      cairo_pattern_destroy (pattern);
      tsr_draw_raster_unref (raster);
      if (i == 1)
        {
          assert_painted (nodes[0], 0xff000000u);
          g_clear_pointer (&nodes[0], gsk_render_node_unref);
        }
    }
  assert_painted (nodes[2], 0xff000002u);
  tsr_raster_pool_unref (pool);
  assert_painted (nodes[1], 0xff000001u);
  assert_painted (nodes[2], 0xff000002u);
  assert_painted (nodes[1], 0xff000001u);
  gsk_render_node_unref (nodes[1]);
  gsk_render_node_unref (nodes[2]);
}

/* Colours are the palette's business: the golden file names inks. */
static char *
name_inks (const char *text)
{
  static const struct
  {
    guint ink;
    const char *name;
  } inks[] = { { TSR_INK_TOTAL, "total" }, { TSR_INK_CAPACITY, "capacity" } };
  GString *out = g_string_new (text);

  for (guint i = 0; i < G_N_ELEMENTS (inks); i++)
    {
      TsrColor color = tsr_palette_get (inks[i].ink, FALSE);
      GdkRGBA rgba = { color.red, color.green, color.blue, color.alpha };
      g_autofree char *css = gdk_rgba_to_string (&rgba);

      g_string_replace (out, css, inks[i].name, 0);
    }
  return g_string_free (out, FALSE);
}

/* The whole plot of a tiny chart, without text, as GTK writes it down. */
static void
test_golden (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "ui", "chart.node", NULL);
  g_autofree char *expected = NULL;
  g_autofree char *raw = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  GskRenderNode *node;

  tsr_fake_chart_set_n (f->model, 4);
  settle (f);
  node = snapshot_plot (f);
  bytes = gsk_render_node_serialize (node);
  gsk_render_node_unref (node);
  raw = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  text = name_inks (raw);
  if (g_getenv ("TSR_WRITE_GOLDEN") != NULL)
    g_file_set_contents (path, text, -1, NULL);
  g_file_get_contents (path, &expected, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_magnification (void)
{
  static const struct
  {
    const char *text;
    double value; /* 0: none */
  } cases[] = { { "250", 2.5 },     { "250 %", 2.5 }, { " 2,500%", 25 }, { "9522.5 %", 95.225 },
                { "", 0 },          { "%", 0 },       { "-3", 0 },       { "abc", 0 },
                { "1e9", 0 },       { "0", 0 },       { "100 % x", 0 },  { "1.2.3", 0 },
                { "100\u202f%", 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double value = 0;

      g_assert_cmpint (tsr_magnification_parse (cases[i].text, &value), ==, cases[i].value > 0);
      g_assert_cmpfloat_with_epsilon (value, cases[i].value, 1e-9);
    }
}

static void
test_navigation (void)
{
  TsrNavigation *strip = g_object_ref_sink (tsr_navigation_new ());
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();
  g_autoptr (TsrSettings) settings = tsr_settings_new ("none.such");
  GtkEntry *entry = tsr_navigation_get_entry (strip);
  double from, to;

  tsr_viewport_set_domain (viewport, 0, 1000, 1);
  tsr_navigation_set_viewport (strip, viewport);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "100 %");
  gtk_editable_set_text (GTK_EDITABLE (entry), "400");
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpfloat (tsr_viewport_get_magnification (viewport), ==, 4);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "400 %");
  gtk_editable_set_text (GTK_EDITABLE (entry), "lots");
  g_signal_emit_by_name (entry, "activate");
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (entry), "error"));
  g_assert_cmpfloat (tsr_viewport_get_magnification (viewport), ==, 4);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (strip), "navigation.page-left", NULL));
  tsr_viewport_get_range (viewport, &from, &to);
  g_assert_cmpfloat (from, ==, 375 - 225);
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (entry), "error"));
  gtk_widget_activate_action (GTK_WIDGET (strip), "navigation.fit", NULL);
  g_assert_cmpfloat (tsr_viewport_get_magnification (viewport), ==, 1);
  gtk_widget_activate_action (GTK_WIDGET (strip), "navigation.undo", NULL);
  g_assert_cmpfloat (tsr_viewport_get_magnification (viewport), ==, 4);
  /* Folded, and remembered. */
  tsr_navigation_set_settings (strip, settings);
  g_assert_false (tsr_navigation_is_folded (strip));
  gtk_widget_activate_action (GTK_WIDGET (strip), "navigation.fold", NULL);
  g_assert_true (tsr_navigation_is_folded (strip));
  g_object_unref (strip);
  strip = g_object_ref_sink (tsr_navigation_new ());
  tsr_navigation_set_settings (strip, settings);
  g_assert_true (tsr_navigation_is_folded (strip));
  g_object_unref (strip);
}

static GtkWidget *
find_callout (GtkWidget *plane)
{
  for (GtkWidget *child = gtk_widget_get_first_child (plane); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (TSR_IS_CALLOUT (child))
      return child;
  return NULL;
}

/* Where a plane scrolls, the callout is in the part that is seen. */
static void
test_callout_in_view (void)
{
  g_autoptr (TsrFakeChart) model = tsr_fake_chart_new (N);
  GtkWidget *window = gtk_window_new (), *scrolled = gtk_scrolled_window_new ();
  GtkWidget *chart = GTK_WIDGET (tsr_chart_new ()), *callout;
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  graphene_rect_t at;

  gtk_widget_set_size_request (chart, WIDTH, 900);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), chart);
  gtk_window_set_child (GTK_WINDOW (window), scrolled);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, 300);
  tsr_plane_set_model (TSR_PLANE (chart), TSR_CHART_MODEL (model));
  gtk_window_present (GTK_WINDOW (window));
  tsr_ui_test_draw (window);
  gtk_adjustment_set_value (place, 100);
  tsr_ui_test_draw (window);
  callout = find_callout (chart);
  for (int y = 110; y < 400; y += 95) /* from the top of the view to its bottom */
    {
      tsr_plane_show_callout (TSR_PLANE (chart), 3, X (3), y);
      tsr_ui_test_draw (window);
      g_assert_true (gtk_widget_get_visible (callout));
      g_assert_true (gtk_widget_compute_bounds (callout, scrolled, &at));
      g_assert_cmpfloat (at.origin.y, >=, 0);
      g_assert_cmpfloat (at.origin.y + at.size.height, <=, gtk_widget_get_height (scrolled));
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
#define ADD(name, function) g_test_add (name, Fixture, NULL, setup, function, teardown)
  ADD ("/chart/parts", test_parts);
  ADD ("/chart/click", test_click);
  ADD ("/chart/narrow", test_narrow);
  ADD ("/chart/rubber-band", test_rubber_band);
  ADD ("/chart/pan", test_pan);
  ADD ("/chart/wheel", test_wheel);
  ADD ("/chart/double-click", test_double_click);
  ADD ("/chart/keyboard", test_keyboard);
  ADD ("/chart/keyboard-moves-view", test_keyboard_moves_view);
  ADD ("/chart/accessible", test_accessible);
  ADD ("/chart/layouts", test_layouts);
  ADD ("/chart/legend", test_legend);
  ADD ("/chart/legend/room", test_legend_room);
  ADD ("/chart/mini-map", test_mini_map);
  ADD ("/chart/domain", test_domain);
  ADD ("/chart/export-data", test_export_data);
  ADD ("/chart/export-image", test_export_image);
  ADD ("/chart/export-dialog", test_export_dialog);
  ADD ("/chart/first-select", test_first_select);
  ADD ("/chart/nodes", test_nodes);
  ADD ("/chart/golden", test_golden);
  g_test_add_func ("/chart/swatch", test_swatch);
  g_test_add_func ("/chart/raster-source", test_raster_source);
  g_test_add_func ("/chart/callout-in-view", test_callout_in_view);
  g_test_add_func ("/chart/magnification", test_magnification);
  g_test_add_func ("/chart/navigation", test_navigation);
  return g_test_run ();
}

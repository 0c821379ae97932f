/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The graphs and tables of the Memory page over a report whose numbers are known: eight tiles with
 * two variables and a piece of code each, four liveness steps, one compute set and one exchange. */

#include "config.h"

#include "memory-page-test.h"
#include "tsr-memory-page-private.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#define MORE                                                                                       \
  "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT, allocated_bytes);"              \
  "INSERT INTO var_categories VALUES (0, 'variable', NULL), (1, 'vertexCode', NULL);"              \
  "CREATE TABLE vars_string_table (id INTEGER PRIMARY KEY, value TEXT);"                           \
  "INSERT INTO vars_string_table VALUES (0, 'weights'), (1, 'partials#'), (2, 'code');"            \
  "CREATE TABLE variables (id INTEGER PRIMARY KEY, name TEXT, size_bytes, always_live, category);" \
  "INSERT INTO variables VALUES (0, 'weights', NULL, 1, 0), (1, 'partials', NULL, 0, 0);"          \
  "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT, type TEXT, compute_set, "             \
  "  code_bytes_by_tile);"                                                                         \
  "INSERT INTO programs VALUES (0, 'forward', 'OnTileExecute', 0, NULL), "                         \
  "  (1, 'copy', 'DoExchange', NULL, 3), (2, 'back', 'OnTileExecute', 0, NULL);"                   \
  "CREATE TABLE compute_sets (compute_set INTEGER PRIMARY KEY, name TEXT);"                        \
  "INSERT INTO compute_sets VALUES (0, 'forward/MatMul');"                                         \
  "CREATE TABLE vertex_types (id INTEGER PRIMARY KEY, name TEXT, size_bytes, source_type, "        \
  "  code_bytes_by_tile);"                                                                         \
  "INSERT INTO vertex_types VALUES (0, 'poplin::MatMul', 10, 'cpp', 2);"                           \
  "CREATE TABLE compute_set_vertices (compute_set, vertex_type, count, count_by_tile, "            \
  "  PRIMARY KEY (compute_set, vertex_type)) WITHOUT ROWID;"                                       \
  "INSERT INTO compute_set_vertices VALUES (0, 0, 24, 1);"                                         \
  "CREATE TABLE tile_arrays (id INTEGER PRIMARY KEY, encoding, total, maximum, data BLOB);"        \
  "INSERT INTO tile_arrays VALUES (1, 3, 24, 3, x'03000000'), (2, 3, 160, 20, x'14000000'),"       \
  "  (3, 2, 12, 12, x'020000000c000000');"                                                         \
  "CREATE TABLE liveness_steps (step INTEGER PRIMARY KEY, program, not_always_live_bytes);"        \
  "INSERT INTO liveness_steps VALUES (0, 0, 0), (1, 1, 160), (2, 2, 0), (3, 2, 0);"                \
  "CREATE TABLE equivalence_class_intervals (equivalence_class, start_step, end_step);"            \
  "INSERT INTO equivalence_class_intervals VALUES (0, 1, 2);"                                      \
  "CREATE TABLE vars_info (id INTEGER PRIMARY KEY, tile, size_bytes, category, name, variable, "   \
  "  offset, always_live, equivalence_class, alignment);"                                          \
  "INSERT INTO vars_info SELECT tile * 3 + 1, tile, 30 + tile, 0, 0, 0, 0, 1, NULL, 4 "            \
  "  FROM memory_by_tile UNION ALL SELECT tile * 3 + 2, tile, 20, 0, 1, 1, 100, 0, 0, 4 "          \
  "  FROM memory_by_tile UNION ALL SELECT tile * 3 + 3, tile, 20, 1, 2, NULL, 300, 1, NULL, 4 "    \
  "  FROM memory_by_tile;"

static void
choose (MemoryPageTest *f, const char *action, const char *nick)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (f->page), action, "s", nick));
  tsr_ui_test_run (60);
}

static void
test_tile_map (MemoryPageTest *f, gconstpointer data)
{
  TsrTileMapView *view = tsr_memory_page_get_map_view (f->page);
  g_autofree char *text = NULL, *category = NULL, *variable = NULL;
  double x, y, x2, y2;

  choose (f, "memory.graph", "tile-map");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (view)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (tsr_ui_test_child (f->page, "chart"))));
  text = tsr_chart_model_describe (TSR_CHART_MODEL (tsr_tile_map_view_get_map (view)), 5);
  g_assert_cmpstr (text, ==, "Tile 5 (IPU 1)\nMemory excluding gaps: 590 B (59.0 %)");

  /* A click, Shift and a click, a rectangle, and the same by keyboard. */
  g_assert_true (tsr_tile_map_view_get_point (view, 5, &x, &y));
  tsr_plane_press (TSR_PLANE (view), x, y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_release (TSR_PLANE (view), x, y, 0);
  memory_page_test_assert_selected (f, "5");
  g_assert_true (tsr_tile_map_view_get_point (view, 2, &x2, &y2));
  tsr_plane_press (TSR_PLANE (view), x2, y2, GDK_BUTTON_PRIMARY, 1, GDK_SHIFT_MASK);
  tsr_plane_release (TSR_PLANE (view), x2, y2, GDK_SHIFT_MASK);
  memory_page_test_assert_selected (f, "2,5");
  g_assert_true (tsr_tile_map_view_get_point (view, 0, &x, &y));
  g_assert_true (tsr_tile_map_view_get_point (view, 3, &x2, &y2));
  tsr_plane_press (TSR_PLANE (view), x, y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_drag (TSR_PLANE (view), x2, y2 + 5);
  tsr_plane_release (TSR_PLANE (view), x2, y2 + 5, 0);
  memory_page_test_assert_selected (f, "0-3");
  tsr_plane_set_cursor (TSR_PLANE (view), 1);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.cursor-right", NULL);
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (view)), ==, 2);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.select", NULL);
  memory_page_test_assert_selected (f, "2");
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.clear-selection", NULL);
  memory_page_test_assert_selected (f, "");

  /* Beside the tiles: nothing is selected then, unless it is to be added; without a cursor the
   * first tile in sight. */
  tsr_plane_set_cursor (TSR_PLANE (view), TSR_NO_DATUM);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.select", NULL);
  memory_page_test_assert_selected (f, "0");
  for (guint add = 2; add-- > 0;)
    {
      GdkModifierType held = add ? GDK_SHIFT_MASK : 0;

      tsr_plane_press (TSR_PLANE (view), 1, 1, GDK_BUTTON_PRIMARY, 1, held);
      tsr_plane_release (TSR_PLANE (view), 1, 1, held);
      memory_page_test_assert_selected (f, add ? "0" : "");
    }
  /* Twice where it is closer: all. */
  {
    double zoom, at_x, at_y;

    tsr_tile_map_set_view (tsr_tile_map_view_get_map (view), 2, 0.3, 0.3);
    tsr_plane_press (TSR_PLANE (view), 1, 1, GDK_BUTTON_PRIMARY, 2, 0);
    tsr_plane_release (TSR_PLANE (view), 1, 1, 0);
    tsr_tile_map_get_view (tsr_tile_map_view_get_map (view), &zoom, &at_x, &at_y);
    g_assert_cmpfloat (zoom, ==, 1);
    g_assert_cmpfloat (at_x, ==, 0.5);
    g_assert_cmpfloat (at_y, ==, 0.5);
  }

  /* One variable; one that is not there. */
  choose (f, "memory.graph", "variables");
  choose (f, "memory.graph", "tile-map");
  g_assert_true (tsr_memory_page_set_value (f->page, "variable:weights"));
  g_assert_false (tsr_memory_page_set_value (f->page, "variable:none"));
  variable = tsr_chart_model_describe (TSR_CHART_MODEL (tsr_tile_map_view_get_map (view)), 5);
  g_assert_cmpstr (variable, ==, "Tile 5 (IPU 1)\nweights: 35 B");
}

/* The status line sums what the map shows, and no scope says otherwise. */
static void
test_map_gaps (MemoryPageTest *f, gconstpointer data)
{
  static const struct
  {
    const char *value, *status;
  } rows[] = {
    { "excludingGaps", "8 tiles: 3.44 KiB excluding gaps, mean 440 B, fullest tile 7 (790 B)" },
    { "includingGaps", "8 tiles: 3.52 KiB including gaps, mean 450 B, fullest tile 7 (800 B)" },
    { "alwaysLive", "8 tiles: 3.44 KiB excluding gaps, mean 440 B, fullest tile 7 (790 B)" },
  };

  choose (f, "memory.graph", "tile-map");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *scope = NULL;

      g_assert_true (tsr_memory_page_set_value (f->page, rows[i].value));
      tsr_ui_test_run (20);
      g_assert_cmpstr (tsr_page_get_status_right (TSR_PAGE (f->page)), ==, rows[i].status);
      scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (TSR_PAGE (f->page)));
      g_assert_null (strstr (scope, "gaps"));
    }
}

/* Tile 5 is 600 B up to its last address, 590 B of them in use: with 595 B it does not fit, and the
 * map says so although it shows 590. */
static void
test_map_overflow (MemoryPageTest *f, gconstpointer data)
{
  TsrTileMapView *view = tsr_memory_page_get_map_view (f->page);
  g_autofree char *fits = NULL, *over = NULL;

  choose (f, "memory.graph", "tile-map");
  fits = tsr_chart_model_describe (TSR_CHART_MODEL (tsr_tile_map_view_get_map (view)), 4);
  g_assert_cmpstr (fits, ==, "Tile 4 (IPU 1)\nMemory excluding gaps: 490 B (82.4 %)");
  over = tsr_chart_model_describe (TSR_CHART_MODEL (tsr_tile_map_view_get_map (view)), 5);
  g_assert_cmpstr (over, ==,
                   "Tile 5 (IPU 1)\nMemory excluding gaps: 590 B (99.2 %)\n"
                   "Memory including gaps: 600 B (100.8 %)\nDoes not fit: 5 B");
}

static void
test_scale_drag (MemoryPageTest *f, gconstpointer data)
{
  TsrTileMapView *view = tsr_memory_page_get_map_view (f->page);
  TsrTileMap *map;
  gint64 from, to, after_from, after_to;
  double width;

  choose (f, "memory.graph", "tile-map");
  map = tsr_tile_map_view_get_map (view);
  width = gtk_widget_get_width (GTK_WIDGET (view));
  tsr_tile_map_get_scale (map, &from, &to);
  g_assert_cmpint (from, ==, 90);
  g_assert_cmpint (to, ==, 790);
  /* Near the foot of the scale: its beginning goes up with the pointer. */
  {
    double bottom = gtk_widget_get_height (GTK_WIDGET (view)) - 30;

    tsr_plane_press (TSR_PLANE (view), width - 60, bottom, GDK_BUTTON_PRIMARY, 1, 0);
    tsr_plane_drag (TSR_PLANE (view), width - 60, bottom - 40);
    tsr_plane_release (TSR_PLANE (view), width - 60, bottom - 40, 0);
  }
  tsr_tile_map_get_scale (map, &after_from, &after_to);
  g_assert_cmpint (after_from, >, from);
  g_assert_cmpint (after_to, ==, to);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.reset-scale", NULL);
  tsr_tile_map_get_scale (map, &after_from, &after_to);
  g_assert_cmpint (after_from, ==, from);
}

/* Wherever the scale is pressed and dragged to: one end moves, or both do, by what lies between; no
 * end leaves the scale, and a little is always left between them. */
static void
test_scale_range (MemoryPageTest *f, gconstpointer data)
{
  TsrTileMapView *view = tsr_memory_page_get_map_view (f->page);
  TsrPlane *plane = TSR_PLANE (view);
  TsrChartGeometry geometry;
  TsrTileMap *map;
  gint64 top, least;
  double x;
  guint n_seen[4] = { 0 };

  choose (f, "memory.graph", "tile-map");
  map = tsr_tile_map_view_get_map (view);
  g_assert_true (tsr_plane_get_geometry (plane, &geometry, NULL));
  top = tsr_tile_map_get_top (map);
  least = MAX (top / 200, 1);
  x = geometry.width - 60;
  g_assert_cmpint (top, >, 600);
  for (double y = 4; y < geometry.height; y += 9)
    for (double y2 = 1; y2 < geometry.height; y2 += 37)
      {
        gint64 from, to, at, at2, from2 = 300, to2 = 600, by;
        TsrScalePart part;

        tsr_tile_map_set_scale (map, from2, to2);
        part = tsr_tile_map_scale_at (map, &geometry, x, y, &at);
        tsr_tile_map_scale_at (map, &geometry, x, y2, &at2);
        by = at2 - at;
        if (part == TSR_SCALE_BODY && at <= 300)
          part = TSR_SCALE_FROM;
        else if (part == TSR_SCALE_BODY && at >= 600)
          part = TSR_SCALE_TO;
        n_seen[part]++;
        tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, 0);
        tsr_plane_drag (plane, x, y2);
        tsr_plane_release (plane, x, y2, 0);
        tsr_tile_map_get_scale (map, &from, &to);
        if (part == TSR_SCALE_FROM)
          from2 = MIN (MAX (300 + by, 0), 600 - least);
        else if (part == TSR_SCALE_TO)
          to2 = MAX (MIN (600 + by, top), 300 + least);
        else if (part == TSR_SCALE_BODY)
          {
            by = MIN (MAX (by, -300), top - 600);
            from2 += by;
            to2 += by;
          }
        g_assert_cmpint (from, ==, from2);
        g_assert_cmpint (to, ==, to2);
        /* Twice: as it was. */
        if (part != TSR_SCALE_NONE)
          {
            tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 2, 0);
            tsr_plane_release (plane, x, y, 0);
            tsr_tile_map_get_scale (map, &from, &to);
            g_assert_cmpint (from, ==, 90);
            g_assert_cmpint (to, ==, 790);
          }
      }
  for (guint i = 0; i < G_N_ELEMENTS (n_seen); i++)
    g_assert_cmpuint (n_seen[i], >, 0);
}

static void
test_variables_graph (MemoryPageTest *f, gconstpointer data)
{
  TsrVariablePicker *picker = tsr_memory_page_get_picker (f->page);
  TsrChartModel *model;
  g_autofree char *text = NULL;
  g_autoptr (GArray) found = NULL;

  choose (f, "memory.graph", "variables");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (picker)));
  /* The largest ones, until somebody chooses. */
  g_assert_cmpuint (g_strv_length ((GStrv)tsr_variable_picker_peek_names (picker)), ==, 3);
  tsr_variable_picker_set_names (picker, NULL);
  tsr_variable_picker_toggle (picker, "weights");
  model = tsr_plane_get_model (TSR_PLANE (tsr_ui_test_child (f->page, "chart")));
  g_assert_cmpuint (tsr_chart_model_get_n_series (model), ==, 1);
  text = tsr_chart_model_describe (model, 6);
  g_assert_cmpstr (text, ==, "Tile 6 (IPU 1)\nweights: 36 B");
  tsr_variable_picker_toggle (picker, "partials");
  g_assert_cmpuint (tsr_chart_model_get_n_series (model), ==, 2);
  tsr_variable_picker_toggle (picker, "weights");
  g_assert_cmpuint (tsr_chart_model_get_n_series (model), ==, 1);
  found = tsr_variable_picker_suggest (picker, "PART");
  g_assert_cmpuint (found->len, ==, 0); /* a capital letter asks for capitals */
  g_array_unref (found);
  found = tsr_variable_picker_suggest (picker, "part");
  g_assert_cmpuint (found->len, ==, 1);
  /* The page comes back as it was. */
  choose (f, "memory.graph", "total");
  g_assert_false (tsr_plane_get_model (TSR_PLANE (tsr_ui_test_child (f->page, "chart"))) == model);
}

static gboolean
is_named (GtkWidget *widget, gconstpointer what)
{
  return GTK_IS_BUTTON (widget) && g_object_get_data (G_OBJECT (widget), "name") != NULL;
}

/* By hand: a chip goes when it is clicked, a row of the list comes or goes, Return takes the first
 * that is found. */
static void
test_picker (MemoryPageTest *f, gconstpointer data)
{
  TsrVariablePicker *picker = tsr_memory_page_get_picker (f->page);
  g_autoptr (GPtrArray) chips = NULL;
  GtkMenuButton *button;
  GtkWidget *popover, *list, *entry;
  GtkListBoxRow *row;
  g_autofree char *name = NULL, *first = NULL;
  guint n, n_rows = 0;

  choose (f, "memory.graph", "variables");
  n = g_strv_length ((GStrv)tsr_variable_picker_peek_names (picker));
  chips = tsr_ui_test_find_all (GTK_WIDGET (picker), is_named, NULL);
  g_assert_cmpuint (chips->len, ==, n);
  name = g_strdup (g_object_get_data (chips->pdata[1], "name"));
  g_signal_emit_by_name (chips->pdata[1], "clicked");
  g_assert_cmpuint (g_strv_length ((GStrv)tsr_variable_picker_peek_names (picker)), ==, n - 1);
  g_assert_false (g_strv_contains (tsr_variable_picker_peek_names (picker), name));
  button = GTK_MENU_BUTTON (tsr_ui_test_find (GTK_WIDGET (picker), GTK_TYPE_MENU_BUTTON));
  gtk_menu_button_popup (button);
  popover = GTK_WIDGET (gtk_menu_button_get_popover (button));
  list = tsr_ui_test_find (popover, GTK_TYPE_LIST_BOX);
  entry = tsr_ui_test_find (popover, GTK_TYPE_EDITABLE);
  tsr_ui_test_wait (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 1) != NULL);
  while (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), (int)n_rows) != NULL)
    n_rows++;
  for (guint i = 0; i < 2; i++)
    {
      gboolean before;

      row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 1);
      g_free (first);
      first = g_strdup (g_object_get_data (G_OBJECT (row), "name"));
      before = g_strv_contains (tsr_variable_picker_peek_names (picker), first);
      g_signal_emit_by_name (list, "row-activated", row);
      g_assert_cmpint (g_strv_contains (tsr_variable_picker_peek_names (picker), first), !=,
                       before);
    }
  gtk_editable_set_text (GTK_EDITABLE (entry), "weig");
  tsr_ui_test_wait (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 1) == NULL);
  tsr_variable_picker_set_names (picker, NULL);
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpuint (g_strv_length ((GStrv)tsr_variable_picker_peek_names (picker)), ==, 1);
  g_assert_true (g_strv_contains (tsr_variable_picker_peek_names (picker), "weights"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "none of these");
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpuint (g_strv_length ((GStrv)tsr_variable_picker_peek_names (picker)), ==, 1);
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  tsr_ui_test_wait (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), (int)n_rows - 1) != NULL);
  g_assert_null (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), (int)n_rows));
  gtk_menu_button_popdown (button);
}

/* The IPU and the value of the map, by their choosers. */
static void
test_map_choosers (MemoryPageTest *f, gconstpointer data)
{
  GtkDropDown *ipus = tsr_ui_test_child (f->page, "ipu_chooser");
  GtkDropDown *values = tsr_ui_test_child (f->page, "value_chooser");
  TsrTileMapView *view = tsr_memory_page_get_map_view (f->page);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_values;

  choose (f, "memory.graph", "tile-map");
  for (guint i = 0; i < 3; i++)
    {
      guint place = (i + 1) % 3; /* the first, the second, all */

      gtk_drop_down_set_selected (ipus, place);
      for (guint tile = 0; tile < 8; tile++)
        g_assert_cmpint (tsr_tile_map_shows (tsr_tile_map_view_get_map (view), tile), ==,
                         place == 0 || tile / 4 == place - 1);
    }
  n_values = g_list_model_get_n_items (gtk_drop_down_get_model (values));
  g_assert_cmpuint (n_values, >, 3);
  for (guint i = 0; i < n_values; i++)
    {
      gtk_drop_down_set_selected (values, i);
      g_hash_table_add (
          seen, tsr_chart_model_describe (TSR_CHART_MODEL (tsr_tile_map_view_get_map (view)), 5));
    }
  g_assert_cmpuint (g_hash_table_size (seen), ==, n_values);
}

static void
test_at_step (MemoryPageTest *f, gconstpointer data)
{
  const guint step = 1, other = 2;
  GtkWidget *popover, *off, *on;
  TsrMemoryChart *chart;
  g_autofree char *at_one = NULL, *at_two = NULL, *scope = NULL;

  tsr_step_selection_set (tsr_session_get_steps (f->session), &step, 1);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.at-step", NULL);
  chart = TSR_MEMORY_CHART (tsr_plane_get_model (TSR_PLANE (tsr_ui_test_child (f->page, "chart"))));
  tsr_ui_test_wait (tsr_memory_chart_get_step (chart) == 1);
  at_one = tsr_chart_model_describe (TSR_CHART_MODEL (chart), 3);
  g_assert_nonnull (strstr (at_one, "Live at step 1: 70 B"));
  g_assert_nonnull (strstr (at_one, "Tile memory excluding gaps: 390 B"));
  /* Another step in Liveness. */
  tsr_step_selection_set (tsr_session_get_steps (f->session), &other, 1);
  tsr_ui_test_wait (tsr_memory_chart_get_step (chart) == 2);
  at_two = tsr_chart_model_describe (TSR_CHART_MODEL (chart), 3);
  g_assert_nonnull (strstr (at_two, "Live at step 2: 50 B"));
  scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (TSR_PAGE (f->page)));
  g_assert_nonnull (strstr (scope, " · live at step 2 · "));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.at-step", NULL);
  g_assert_cmpuint (tsr_memory_chart_get_step (chart), ==, TSR_NO_INDEX);
  /* By what is in the popover. */
  popover = GTK_WIDGET (gtk_menu_button_get_popover (tsr_ui_test_child (f->page, "step_button")));
  off = tsr_ui_test_find (popover, GTK_TYPE_CHECK_BUTTON);
  on = tsr_ui_test_find (gtk_widget_get_next_sibling (off), GTK_TYPE_CHECK_BUTTON);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (tsr_ui_test_find (popover, GTK_TYPE_SPIN_BUTTON)), 1);
  tsr_ui_test_wait (tsr_memory_chart_get_step (chart) == 1);
  g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (on)));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (off), TRUE);
  g_assert_cmpuint (tsr_memory_chart_get_step (chart), ==, TSR_NO_INDEX);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (on), TRUE);
  tsr_ui_test_wait (tsr_memory_chart_get_step (chart) == 1);
}

/* A step that is chosen while another page is shown is what this one shows when it comes back. */
static void
test_follows_step (MemoryPageTest *f, gconstpointer data)
{
  TsrStepSelection *steps = tsr_session_get_steps (f->session);
  TsrAddressPanel *panel = tsr_memory_page_get_address_panel (f->page);
  const guint one = 1, two = 2, both[] = { 1, 2 };
  TsrMemoryChart *chart;
  gboolean at_step;
  guint n = 0;

  gtk_widget_hide (GTK_WIDGET (f->page));
  tsr_step_selection_set (steps, &one, 1);
  gtk_widget_show (GTK_WIDGET (f->page));
  chart = TSR_MEMORY_CHART (tsr_plane_get_model (TSR_PLANE (tsr_ui_test_child (f->page, "chart"))));
  tsr_ui_test_wait (tsr_memory_chart_get_step (chart) == 1);
  g_assert_cmpint (tsr_address_panel_get_step (panel), ==, 1);
  /* On the page itself the reader decides, and another step changes nothing. */
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.at-step", NULL);
  tsr_step_selection_set (steps, &two, 1);
  tsr_ui_test_run (50);
  g_assert_cmpuint (tsr_memory_chart_get_step (chart), ==, TSR_NO_INDEX);
  /* Chosen no more: the peaks. */
  gtk_widget_hide (GTK_WIDGET (f->page));
  tsr_step_selection_set (steps, both, 2);
  tsr_step_selection_peek (steps, &n);
  g_assert_cmpuint (n, ==, 2);
  g_object_get (f->page, "at-step", &at_step, NULL);
  g_assert_true (at_step);
  tsr_step_selection_set (steps, NULL, 0);
  gtk_widget_show (GTK_WIDGET (f->page));
  tsr_ui_test_run (50);
  g_assert_cmpuint (tsr_memory_chart_get_step (chart), ==, TSR_NO_INDEX);
  g_assert_cmpint (tsr_address_panel_get_step (panel), ==, -1);
  /* A page that is made after the step was chosen. */
  tsr_step_selection_set (steps, &two, 1);
  f->page = g_object_new (TSR_TYPE_MEMORY_PAGE, NULL);
  tsr_page_set_session (TSR_PAGE (f->page), f->session);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->page));
  chart = TSR_MEMORY_CHART (tsr_plane_get_model (TSR_PLANE (tsr_ui_test_child (f->page, "chart"))));
  tsr_ui_test_wait (tsr_memory_chart_get_step (chart) == 2);
  g_assert_cmpint (tsr_address_panel_get_step (tsr_memory_page_get_address_panel (f->page)), ==, 2);
}

/* What the tile map says of tile 5. */
static gboolean
map_says (MemoryPageTest *f, const char *words)
{
  TsrTileMap *map = tsr_tile_map_view_get_map (tsr_memory_page_get_map_view (f->page));
  g_autofree char *text = tsr_chart_model_describe (TSR_CHART_MODEL (map), 5);

  return strstr (text, words) != NULL;
}

/* A category and a variable: what of them is live there; weights 35 B always, partials 20 B at 1.
 */
static void
test_map_at_step (MemoryPageTest *f, gconstpointer data)
{
  TsrStepSelection *steps = tsr_session_get_steps (f->session);
  const char *const names[] = { "partials", NULL };
  const guint one = 1, two = 2;

  tsr_step_selection_set (steps, &one, 1);
  tsr_step_selection_set_variables (steps, names);
  choose (f, "memory.graph", "tile-map");
  g_assert_true (tsr_memory_page_set_value (f->page, "category:variable"));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.at-step", NULL);
  tsr_ui_test_wait (map_says (f, "Variables, live at step 1: 55 B"));
  tsr_step_selection_set (steps, &two, 1);
  tsr_ui_test_wait (map_says (f, "Variables, live at step 2: 35 B"));
  g_assert_true (tsr_memory_page_set_value (f->page, "variable:partials"));
  tsr_ui_test_wait (map_says (f, "partials, live at step 2: 0 B"));
  tsr_step_selection_set (steps, &one, 1);
  tsr_ui_test_wait (map_says (f, "partials, live at step 1: 20 B"));
  g_assert_true (tsr_memory_page_set_value (f->page, "excludingGaps"));
  tsr_ui_test_wait (map_says (f, "Live at step 1: 70 B"));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.at-step", NULL);
  g_assert_true (tsr_memory_page_set_value (f->page, "variable:partials"));
  tsr_ui_test_wait (map_says (f, "partials: 20 B"));
}

static gint64
cell (MemoryPageTest *f, TsrMemoryTab tab, const char *key, guint32 row)
{
  TsrRows *rows = tsr_row_view_get_rows (tsr_memory_page_get_rows (f->page, tab));

  for (guint i = 0; i < tsr_rows_get_n_columns (rows); i++)
    if (g_str_equal (tsr_rows_get_column (rows, i)->key, key))
      return tsr_rows_get_value (rows, row, i);
  g_assert_not_reached ();
}

static guint32
n_rows (MemoryPageTest *f, TsrMemoryTab tab)
{
  TsrRows *rows = tsr_row_view_get_rows (tsr_memory_page_get_rows (f->page, tab));

  return rows != NULL ? tsr_rows_get_n (rows) : 0;
}

/* Shows the tab, which asks for its table only then. */
static void
show (MemoryPageTest *f, TsrMemoryTab tab, guint32 n)
{
  choose (f, "memory.tab", tsr_memory_tab_get_nick (tab));
  tsr_ui_test_wait (n_rows (f, tab) == n);
}

static void
test_tabs (MemoryPageTest *f, gconstpointer data)
{
  const guint pair[] = { 1, 2 };

  show (f, TSR_MEMORY_TAB_COMPUTE_SETS, 1);
  show (f, TSR_MEMORY_TAB_EXCHANGES, 1);
  g_assert_cmpint (cell (f, TSR_MEMORY_TAB_EXCHANGES, "codeBytes", 0), ==, 12);
  g_assert_cmpint (cell (f, TSR_MEMORY_TAB_EXCHANGES, "executions", 0), ==, TSR_UNKNOWN);
  show (f, TSR_MEMORY_TAB_VARIABLES, 3);
  show (f, TSR_MEMORY_TAB_VERTICES, 1);
  g_assert_cmpint (cell (f, TSR_MEMORY_TAB_VERTICES, "stateBytes", 0), ==, 240);
  g_assert_cmpint (cell (f, TSR_MEMORY_TAB_VERTICES, "codeBytes", 0), ==, 160);
  tsr_tile_selection_set (tsr_session_get_selection (f->session), pair, 2);
  tsr_ui_test_wait (cell (f, TSR_MEMORY_TAB_VERTICES, "count", 0) == 6);
  g_assert_cmpint (cell (f, TSR_MEMORY_TAB_VERTICES, "stateBytes", 0), ==, 60);
  g_assert_cmpint (cell (f, TSR_MEMORY_TAB_VERTICES, "codeBytes", 0), ==, 40);
  show (f, TSR_MEMORY_TAB_COMPUTE_SETS, 1);
  tsr_ui_test_wait (cell (f, TSR_MEMORY_TAB_COMPUTE_SETS, "numVertices", 0) == 6);
  /* By variable: the sum of both tiles. */
  show (f, TSR_MEMORY_TAB_VARIABLES, 3);
  tsr_ui_test_wait (cell (f, TSR_MEMORY_TAB_VARIABLES, "bytes", 0) == 31 + 32);
  /* One tile: each allocation. */
  tsr_tile_selection_set (tsr_session_get_selection (f->session), pair, 1);
  choose (f, "memory.tab", "variables");
  tsr_ui_test_wait (cell (f, TSR_MEMORY_TAB_VARIABLES, "bytes", 0) == 31);
  g_assert_cmpint (cell (f, TSR_MEMORY_TAB_VARIABLES, "offset", 1), ==, 100);
  g_assert_cmpint (cell (f, TSR_MEMORY_TAB_VARIABLES, "numLifetimes", 1), ==, 1);
  /* The total says what it counts, and what the tile takes: 200 - 10 B. */
  {
    const TsrRowColumn *name = tsr_rows_get_column (
        tsr_row_view_get_rows (tsr_memory_page_get_rows (f->page, TSR_MEMORY_TAB_VARIABLES)), 0);

    g_assert_cmpstr (name->total, ==, "Total, shared addresses counted for each variable");
    g_assert_nonnull (strstr (name->total_hint, " takes 190 B, each address counted once"));
  }
}

/* The menu opens with its items, and goes. */
static void
open_menu (TsrPlane *plane)
{
  GtkWidget *child = gtk_widget_get_last_child (GTK_WIDGET (plane));
  GMenuModel *out;
  g_autofree char *action = NULL;

  g_assert_false (GTK_IS_POPOVER_MENU (child));
  tsr_plane_press (plane, 20, 20, GDK_BUTTON_SECONDARY, 1, 0);
  child = gtk_widget_get_last_child (GTK_WIDGET (plane));
  g_assert_true (GTK_IS_POPOVER_MENU (child) && gtk_widget_get_visible (child));
  out = g_menu_model_get_item_link (gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (child)), 1,
                                    G_MENU_LINK_SECTION);
  g_assert_cmpint (g_menu_model_get_n_items (out), ==, 3);
  g_assert_true (g_menu_model_get_item_attribute (out, 2, "action", "s", &action));
  g_assert_cmpstr (action, ==, "chart.export-data");
  g_object_unref (out);
  gtk_popover_popdown (GTK_POPOVER (child));
}

static gboolean
is_toggle (GtkWidget *widget, gconstpointer what)
{
  return GTK_IS_TOGGLE_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), what) == 0;
}

/* The map of one tile; what is chosen there is chosen in the window, and in the table. */
static void
test_addresses (MemoryPageTest *f, gconstpointer data)
{
  TsrAddressPanel *panel = tsr_memory_page_get_address_panel (f->page);
  TsrAddressView *view = tsr_address_panel_get_view (panel);
  TsrStepSelection *steps = tsr_session_get_steps (f->session);
  const guint tile = 4, step = 1;
  TsrRowView *rows = tsr_memory_page_get_rows (f->page, TSR_MEMORY_TAB_VARIABLES);
  g_autoptr (GArray) selected = NULL;
  guint32 second = 1;
  GtkPaned *paned;
  GtkWidget *play;

  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (view)));
  tsr_tile_selection_set (tsr_session_get_selection (f->session), &tile, 1);
  choose (f, "memory.tab", "variables");
  tsr_ui_test_wait (gtk_widget_get_mapped (GTK_WIDGET (view)));
  g_assert_cmpuint (tsr_address_map_get_n (tsr_address_view_get_map (view)), ==, 3);
  g_assert_cmpint (tsr_address_map_get_gap_bytes (tsr_address_view_get_map (view)), ==,
                   (100 - 34) + (300 - 120));
  tsr_ui_test_wait (n_rows (f, TSR_MEMORY_TAB_VARIABLES) == 3
                    && cell (f, TSR_MEMORY_TAB_VARIABLES, "bytes", 0) == 34);
  tsr_ui_test_run (100); /* until it has its place */
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.cursor-right", NULL);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.cursor-right", NULL);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.select", NULL);
  g_assert_cmpstr (tsr_step_selection_peek_variables (steps)[0], ==, "partials");
  tsr_ui_test_run (100);
  selected = tsr_row_view_dup_selected (rows);
  g_assert_cmpuint (selected->len, ==, 1);
  g_assert_cmpuint (g_array_index (selected, guint32, 0), ==, second);
  /* Another button selects nothing, and the secondary one opens the menu. */
  tsr_plane_press (TSR_PLANE (view), 1, 1, GDK_BUTTON_MIDDLE, 1, 0);
  tsr_plane_release (TSR_PLANE (view), 1, 1, 0);
  g_assert_cmpstr (tsr_step_selection_peek_variables (steps)[0], ==, "partials");
  open_menu (TSR_PLANE (view));

  /* The slider follows the selected step and sets it. */
  g_assert_cmpint (tsr_address_panel_get_step (panel), ==, -1);
  tsr_page_set_option (TSR_PAGE (f->page), TSR_MEMORY_OPTION_MAP_STEP, TRUE);
  g_assert_cmpint (tsr_address_panel_get_step (panel), ==, 1);
  tsr_step_selection_set (steps, &(guint){ 2 }, 1);
  g_assert_cmpint (tsr_address_panel_get_step (panel), ==, 2);
  tsr_step_selection_set (steps, &step, 1);
  g_assert_cmpint (tsr_address_panel_get_step (panel), ==, 1);
  tsr_address_panel_set_playing (panel, TRUE);
  g_assert_true (tsr_address_panel_is_playing (panel));
  tsr_ui_test_wait (tsr_step_selection_get_step (steps) == 3);
  tsr_ui_test_wait (!tsr_address_panel_is_playing (panel));
  /* From the end it begins anew; the button stops it, too. */
  play = tsr_ui_test_find_icon (GTK_WIDGET (panel), "media-playback-start-symbolic");
  for (guint i = 0; i < 2; i++)
    {
      g_signal_emit_by_name (play, "clicked");
      g_assert_cmpint (tsr_address_panel_is_playing (panel), ==, i == 0);
      g_assert_cmpstr (gtk_button_get_icon_name (GTK_BUTTON (play)), ==,
                       i == 0 ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
      if (i == 0)
        tsr_ui_test_wait (tsr_step_selection_get_step (steps) < 3);
    }
  /* Its label says what the step is called. */
  for (guint i = 0; i < 4; i++)
    {
      const char *name = tsr_liveness_get_step_name (tsr_session_get_liveness (f->session), i);
      g_autofree char *text = name != NULL ? g_strdup_printf ("Step %u: %s", i, name)
                                           : g_strdup_printf ("Step %u", i);

      tsr_step_selection_set (steps, &i, 1);
      g_assert_cmpint (tsr_address_panel_get_step (panel), ==, (int)i);
      g_assert_true (tsr_ui_test_says (GTK_WIDGET (panel), text));
    }
  /* Category or life, one of the two. */
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *life = tsr_ui_test_find_where (GTK_WIDGET (panel), is_toggle, "Life");
      GtkWidget *category = tsr_ui_test_find_where (GTK_WIDGET (panel), is_toggle, "Category");

      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (life), i == 0);
      g_assert_cmpint (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (category)), ==, i == 1);
      g_assert_cmpint (tsr_page_get_option (TSR_PAGE (f->page), TSR_MEMORY_OPTION_MAP_COLOUR), ==,
                       i == 0);
    }
  /* Beside its rows or above them, the map has 55 % of the length. */
  paned = GTK_PANED (tsr_ui_test_find (GTK_WIDGET (panel), GTK_TYPE_PANED));
  for (guint i = 0; i < 2; i++)
    {
      GtkOrientation before = gtk_orientable_get_orientation (GTK_ORIENTABLE (paned));

      gtk_widget_activate_action (GTK_WIDGET (panel), "split.swap", NULL);
      tsr_ui_test_wait (gtk_orientable_get_orientation (GTK_ORIENTABLE (paned)) != before);
      g_assert_cmpint (gtk_paned_get_position (paned), ==,
                       (before == GTK_ORIENTATION_VERTICAL
                            ? gtk_widget_get_width (GTK_WIDGET (panel))
                            : gtk_widget_get_height (GTK_WIDGET (panel)))
                           * 55 / 100);
    }
  /* No tile, no map. */
  tsr_tile_selection_clear (tsr_session_get_selection (f->session));
  tsr_ui_test_wait (!gtk_widget_get_mapped (GTK_WIDGET (view)));
}

/* Forty more variables on tile 4, one in each element of 16 KiB: a map that is higher than its
 * place. */
#define HIGH                                                                                       \
  MORE "UPDATE target SET bytes_per_tile = 700000;"                                                \
       "WITH RECURSIVE k(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM k WHERE i < 39)"              \
       "  INSERT INTO vars_string_table SELECT 100 + i, 'far' || i FROM k;"                        \
       "INSERT INTO vars_info SELECT 1000 + id, 4, 5000 + id, 0, id, NULL, (id - 99) * 16384, 1,"  \
       "  NULL, 4 FROM vars_string_table WHERE id >= 100;"

/* The place of an allocation within what is seen of the map. */
static gboolean
is_seen (TsrAddressView *view, guint32 row)
{
  GtkWidget *scrolled = gtk_widget_get_ancestor (GTK_WIDGET (view), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  double top = gtk_adjustment_get_value (adjustment), x, y, height;
  TsrChartGeometry geometry;

  return tsr_plane_get_geometry (TSR_PLANE (view), &geometry, NULL)
         && tsr_address_map_get_place (tsr_address_view_get_map (view), &geometry, row, &x, &y,
                                       &height)
         && y >= top && y + height <= top + gtk_adjustment_get_page_size (adjustment);
}

/* The row of the table whose first cell says @name, where it stands now. */
static guint
find_shown (TsrRowView *rows, const char *name)
{
  g_autofree char *csv = tsr_row_view_dup_csv (rows);
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);
  g_autofree char *start = g_strconcat (name, ",", NULL);

  for (guint i = 1; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], start))
      return i - 1;
  g_assert_not_reached ();
}

/* A click leaves the map where it is; a row that is chosen in the table is seen in it. */
static void
test_addresses_scroll (MemoryPageTest *f, gconstpointer data)
{
  TsrAddressView *view = tsr_address_panel_get_view (tsr_memory_page_get_address_panel (f->page));
  TsrRowView *rows = tsr_memory_page_get_rows (f->page, TSR_MEMORY_TAB_VARIABLES);
  TsrStepSelection *steps = tsr_session_get_steps (f->session);
  const guint tile = 4, other = 3;
  const char *const chosen[] = { "far30", NULL };
  GtkSelectionModel *selection;
  GtkAdjustment *adjustment;
  double value;
  guint32 row;

  tsr_tile_selection_set (tsr_session_get_selection (f->session), &tile, 1);
  choose (f, "memory.tab", "variables");
  tsr_ui_test_wait (gtk_widget_get_mapped (GTK_WIDGET (view))
                    && n_rows (f, TSR_MEMORY_TAB_VARIABLES) == 43
                    && tsr_row_view_get_n_shown (rows) == 43);
  tsr_ui_test_run (200);
  adjustment = gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (GTK_WIDGET (view), GTK_TYPE_SCROLLED_WINDOW)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), >,
                     2 * gtk_adjustment_get_page_size (adjustment));
  for (guint k = 0; k < 3; k++)
    {
      /* From the table, from the end, and from the middle, where the value is 0 at first. */
      gtk_widget_grab_focus (GTK_WIDGET (tsr_row_view_get_column_view (rows)));
      gtk_adjustment_set_value (adjustment, k * gtk_adjustment_get_page_size (adjustment) / 2);
      tsr_ui_test_run (50);
      value = gtk_adjustment_get_value (adjustment);
      tsr_plane_press (TSR_PLANE (view), 60, value + 30, GDK_BUTTON_PRIMARY, 1, 0);
      tsr_plane_release (TSR_PLANE (view), 60, value + 30, 0);
      tsr_ui_test_run (300);
      g_assert_true (gtk_widget_has_focus (GTK_WIDGET (view)));
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, value);
    }
  gtk_adjustment_set_value (adjustment, 0);
  selection = gtk_column_view_get_model (tsr_row_view_get_column_view (rows));
  for (guint i = 0; i < 40; i += 13)
    {
      g_autofree char *name = g_strdup_printf ("far%u", 39 - i);

      gtk_selection_model_select_item (selection, find_shown (rows, name), TRUE);
      g_assert_cmpstr (tsr_step_selection_peek_variables (steps)[0], ==, name);
      /* By address: weights, partials and code, then far0. */
      row = tsr_address_map_step_from (tsr_address_view_get_map (view), TSR_NO_DATUM, 1);
      row = tsr_address_map_step_from (tsr_address_view_get_map (view), row, 3 + 39 - (int)i);
      tsr_ui_test_wait (is_seen (view, row));
    }
  /* Selected elsewhere, before the tile. */
  tsr_tile_selection_set (tsr_session_get_selection (f->session), &other, 1);
  tsr_ui_test_wait (n_rows (f, TSR_MEMORY_TAB_VARIABLES) == 3);
  tsr_step_selection_set_variables (steps, chosen);
  tsr_tile_selection_set (tsr_session_get_selection (f->session), &tile, 1);
  tsr_ui_test_wait (n_rows (f, TSR_MEMORY_TAB_VARIABLES) == 43);
  row = tsr_address_map_step_from (tsr_address_view_get_map (view), TSR_NO_DATUM, 1);
  row = tsr_address_map_step_from (tsr_address_view_get_map (view), row, 3 + 30);
  tsr_ui_test_wait (is_seen (view, row));
}

/* A report without any of it says what is missing. */
static void
test_missing (MemoryPageTest *f, gconstpointer data)
{
  choose (f, "memory.graph", "variables");
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (tsr_ui_test_child (f->page, "chart"))));
  choose (f, "memory.graph", "tile-map");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (tsr_memory_page_get_map_view (f->page))));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.at-step", NULL);
  tsr_ui_test_run (50);
  choose (f, "memory.tab", "variables");
  g_assert_cmpuint (n_rows (f, TSR_MEMORY_TAB_VARIABLES), ==, 0);
  choose (f, "memory.graph", "total");
  g_assert_cmpuint (tsr_memory_chart_get_step (TSR_MEMORY_CHART (
                        tsr_plane_get_model (TSR_PLANE (tsr_ui_test_child (f->page, "chart"))))),
                    ==, TSR_NO_INDEX);
}

/* What a link says of the page, and back. */
static void
test_words (MemoryPageTest *f, gconstpointer data)
{
  g_autoptr (GHashTable) words = tsr_view_words_new ();
  g_autoptr (GHashTable) back = NULL;
  g_autofree char *text = NULL, *graph = NULL, *tab = NULL;
  g_autofree char *copied = NULL, *csv = NULL, *details = NULL;

  choose (f, "memory.graph", "tile-map");
  choose (f, "memory.tab", "vertices");
  g_assert_true (tsr_memory_page_set_value (f->page, "alwaysLive"));
  tsr_page_save_words (TSR_PAGE (f->page), words);
  text = tsr_view_words_dup_text (words);
  g_assert_cmpstr (text, ==, "graph=tile-map&tab=vertices&value=alwaysLive");
  /* The page as text is the tab that is open, as it is shown. */
  tsr_ui_test_wait (
      tsr_row_view_get_n_shown (tsr_memory_page_get_rows (f->page, TSR_MEMORY_TAB_VERTICES)) > 0);
  copied = tsr_page_dup_text (TSR_PAGE (f->page));
  csv = tsr_row_view_dup_csv (tsr_memory_page_get_rows (f->page, TSR_MEMORY_TAB_VERTICES));
  g_assert_cmpuint (strlen (csv), >, 0);
  g_assert_true (g_str_has_suffix (copied, csv));
  choose (f, "memory.tab", "details");
  details = tsr_page_dup_text (TSR_PAGE (f->page));
  g_assert_cmpstr (details, !=, copied);
  choose (f, "memory.tab", "vertices");
  tsr_row_view_set_filter (tsr_memory_page_get_rows (f->page, TSR_MEMORY_TAB_VERTICES), "a b");
  tsr_page_save_words (TSR_PAGE (f->page), words);
  g_assert_cmpstr (tsr_view_words_get (words, "filter"), ==, "a b");
  back = tsr_view_words_parse (
      "graph=total&tab=exchanges&breakdown=liveness&order=nonsense&filter=x");
  tsr_page_load_words (TSR_PAGE (f->page), back);
  g_object_get (f->page, "graph", &graph, "tab", &tab, NULL);
  g_assert_cmpstr (graph, ==, "total");
  g_assert_cmpstr (tab, ==, "exchanges");
  g_assert_cmpstr (
      tsr_row_view_get_filter (tsr_memory_page_get_rows (f->page, TSR_MEMORY_TAB_EXCHANGES)), ==,
      "x");
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
#define ADD(path, func, more)                                                                      \
  g_test_add ("/memory-graphs/" path, MemoryPageTest, more, memory_page_test_set_up, func,         \
              memory_page_test_tear_down)
  ADD ("tile-map", test_tile_map, MORE);
  ADD ("map-overflow", test_map_overflow, MORE "UPDATE target SET bytes_per_tile = 595;");
  ADD ("map-gaps", test_map_gaps, MORE);
  ADD ("scale-drag", test_scale_drag, MORE);
  ADD ("scale-range", test_scale_range, MORE);
  ADD ("picker", test_picker, MORE);
  ADD ("map-choosers", test_map_choosers, MORE);
  ADD ("variables", test_variables_graph, MORE);
  ADD ("at-step", test_at_step, MORE);
  ADD ("follows-step", test_follows_step, MORE);
  ADD ("map-at-step", test_map_at_step, MORE);
  ADD ("tabs", test_tabs, MORE);
  ADD ("addresses", test_addresses, MORE);
  ADD ("addresses-scroll", test_addresses_scroll, HIGH);
  ADD ("missing", test_missing, NULL);
  ADD ("words", test_words, MORE);
  return g_test_run ();
}

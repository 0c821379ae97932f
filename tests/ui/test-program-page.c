/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Program Tree over made reports: what is shown is what the tables answer and plain SQL says;
 * keys, folding, selection, search, links. */

#include "config.h"

#include "tsr-chart.h"
#include "tsr-program-page.h"
#include "tsr-program-tiles.h"
#include "tsr-report-read.h"
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
  TsrProgramPage *page;
} Fixture;

static void
open_report (Fixture *f)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = tsr_report_open (place, f->folder, TSR_LOAD_ALL);

  tsr_session_set_report (f->session, report);
}

/* The execution has come, too: programs are computed again with it. */
static gboolean
is_ready (Fixture *f)
{
  return tsr_session_get_programs (f->session) != NULL
         && !tsr_session_is_data_pending (f->session, TSR_DATA_PROGRAMS)
         && tsr_session_get_trace (f->session) != NULL
         && tsr_session_get_liveness (f->session) != NULL
         && tsr_session_get_vertices (f->session) != NULL && !tsr_program_page_is_busy (f->page)
         && tsr_row_view_get_shown (tsr_program_page_get_tree (f->page)) != NULL;
}

#define settle(f)                                                                                  \
  G_STMT_START                                                                                     \
  {                                                                                                \
    tsr_ui_test_run (30);                                                                          \
    tsr_ui_test_wait (is_ready (f));                                                               \
  }                                                                                                \
  G_STMT_END

static void
setup (Fixture *f, gconstpointer preset)
{
  f->folder = tsr_test_report_new (preset);
  f->settings = tsr_settings_new ("none.such");
  f->session = tsr_session_new (f->settings);
  f->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 720);
  f->page = g_object_new (TSR_TYPE_PROGRAM_PAGE, NULL);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->page));
  tsr_page_set_session (TSR_PAGE (f->page), f->session);
  gtk_window_present (GTK_WINDOW (f->window));
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

static TsrRowView *
tree (Fixture *f)
{
  return tsr_program_page_get_tree (f->page);
}

static TsrRows *
rows (Fixture *f)
{
  return tsr_row_view_get_shown (tree (f));
}

static int
find_column (TsrRows *of, const char *key)
{
  for (guint i = 0; i < tsr_rows_get_n_columns (of); i++)
    if (g_strcmp0 (tsr_rows_get_column (of, i)->key, key) == 0)
      return (int)i;
  return -1;
}

static gint64
get (Fixture *f, guint32 row, const char *key)
{
  int column = find_column (rows (f), key);

  g_assert_cmpint (column, >=, 0);
  return tsr_rows_get_value (rows (f), row, (guint)column);
}

static guint32
find_id (Fixture *f, gint64 id)
{
  for (guint32 row = 0; row < tsr_rows_get_n (rows (f)); row++)
    if (get (f, row, "id") == id)
      return row;
  return TSR_NO_INDEX;
}

static guint32
get_selected (Fixture *f)
{
  g_autoptr (GArray) selected = tsr_row_view_dup_selected (tree (f));

  return selected->len == 1 ? g_array_index (selected, guint32, 0) : TSR_NO_INDEX;
}

static void
fire (Fixture *f, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (f->page), action, NULL));
}

/* By the user. */
static void
select_row (Fixture *f, guint32 row)
{
  tsr_row_view_select (tree (f), &row, 1);
  g_signal_emit_by_name (tree (f), "selection-changed");
}

/* The id of a compute set's program, by its place among them. */
static gint64
pick_executed (Fixture *f, guint place)
{
  return tsr_test_ask (f->folder,
                       "SELECT id FROM programs WHERE compute_set IS NOT NULL ORDER BY id "
                       "LIMIT 1 OFFSET %u",
                       place);
}

/* ----------------------------------------------------------------- numbers */

/* What the roots of @kind lead to, and what of it takes longest on one IPU, by recursion in SQL. */
#define REACHED                                                                                    \
  "WITH RECURSIVE e (a, b) AS (SELECT parent, child FROM program_children UNION SELECT id, "       \
  "callee FROM programs WHERE callee IS NOT NULL), w (p) AS (SELECT program FROM program_roots "   \
  "WHERE kind = '%s' AND compilation_step = (SELECT max(id) FROM compilation_steps) UNION SELECT " \
  "b FROM e JOIN w ON a = p) "

/* A group of the roots of @kind of the latest compilation step, with their number and total. */
static void
check_roots (Fixture *f, TsrRows *roots, const char *kind)
{
  gint64 n = tsr_test_ask (f->folder,
                           "SELECT count(*) FROM program_roots WHERE kind = '%s' AND "
                           "compilation_step = (SELECT max(id) FROM compilation_steps)",
                           kind);
  guint32 row = 0;
  g_autofree char *count = g_strdup_printf ("(%" G_GINT64_FORMAT ")", n);

  for (; row < tsr_rows_get_n (roots); row = tsr_rows_get_end (roots, row))
    {
      g_autofree char *key = tsr_rows_dup_key (roots, row);

      if (g_str_equal (key, kind))
        break;
    }
  g_assert_cmpuint (row, <, tsr_rows_get_n (roots));
  g_assert_cmpint (n, >, 0);
  g_assert_cmpint (tsr_rows_get_end (roots, row) - row - 1, ==, n);
  g_assert_true (g_str_has_suffix (tsr_rows_get_text (roots, row, 0), count));
  g_assert_cmpint (tsr_rows_get_value (roots, row, (guint)find_column (roots, "cycles")), ==,
                   tsr_test_ask (f->folder,
                                 REACHED "SELECT sum(cycles) FROM " TSR_TEST_STEP_CYCLES
                                         " WHERE program IN (SELECT p FROM w)",
                                 kind));
  g_assert_cmpint (
      tsr_rows_get_value (roots, row, (guint)find_column (roots, "live")), ==,
      tsr_test_ask (f->folder,
                    REACHED "SELECT max(not_always_live_bytes) FROM liveness_steps WHERE program "
                            "IN (SELECT p FROM w)",
                    kind));
}

static void
test_numbers (Fixture *f, gconstpointer data)
{
  TsrRows *roots = tsr_row_view_get_shown (tsr_program_page_get_roots (f->page));
  TsrTableQuestion question = { .of_programs = { .programs = tsr_session_get_programs (f->session),
                                                 .step = TSR_NO_INDEX,
                                                 .root = TSR_NO_INDEX,
                                                 .program = TSR_NO_INDEX,
                                                 .variable = TSR_NO_INDEX,
                                                 .grouped = TRUE } };
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrTableAnswer) answer
      = tsr_tables_answer (tsr_tables_find ("programs", "tree"), &question, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (tsr_rows_get_n (rows (f)), ==, tsr_rows_get_n (answer->rows));
  for (guint32 row = 0; row < tsr_rows_get_n (answer->rows); row++)
    {
      int cycles = find_column (answer->rows, "cycles"), id = find_column (answer->rows, "id");

      g_assert_cmpstr (tsr_rows_get_text (rows (f), row, 0), ==,
                       tsr_rows_get_text (answer->rows, row, 0));
      g_assert_cmpint (get (f, row, "id"), ==, tsr_rows_get_value (answer->rows, row, (guint)id));
      g_assert_cmpint (get (f, row, "cycles"), ==,
                       tsr_rows_get_value (answer->rows, row, (guint)cycles));
    }
  check_roots (f, roots, "control");
  check_roots (f, roots, "function");
  /* Cycles of one compute set: of each step the IPU where it took longest. */
  for (guint i = 0; i < 3; i++)
    {
      gint64 program = pick_executed (f, i * 3);
      guint32 row = find_id (f, program);

      if (row == TSR_NO_INDEX)
        continue;
      g_assert_cmpstr (tsr_rows_get_text (rows (f), row, 0), !=, "");
      g_assert_cmpint (get (f, row, "steps"), ==,
                       tsr_test_ask (f->folder,
                                     "SELECT count(*) FROM steps WHERE program = %" G_GINT64_FORMAT,
                                     program));
    }
}

/* ------------------------------------------------------- types, columns, steps */

/* Rows of programs of the type; roots are shown whatever their type is. */
static guint
count_type (Fixture *f, const char *type)
{
  TsrPrograms *programs = tsr_session_get_programs (f->session);
  guint n = 0;

  for (guint32 row = 0; row < tsr_rows_get_n (rows (f)); row++)
    n += tsr_rows_get_depth (rows (f), row) > 0
         && g_str_equal (
             tsr_programs_get_type (programs, tsr_programs_find (programs, get (f, row, "id"))),
             type);
  return n;
}

static guint
count_columns (Fixture *f)
{
  GListModel *columns = gtk_column_view_get_columns (tsr_row_view_get_column_view (tree (f)));
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      n += gtk_column_view_column_get_visible (column);
    }
  return n;
}

/* Types that are left out are in no row below the roots, a column that is taken off is not there,
 * the last one stays; and the roots of another compilation step are those that SQL has. */
static void
test_choices (Fixture *f, gconstpointer data)
{
  GtkWidget *kinds = tsr_ui_test_child (f->page, "kinds");
  GtkWidget *columns = tsr_ui_test_child (f->page, "columns");
  GtkDropDown *steps = GTK_DROP_DOWN (tsr_ui_test_child (f->page, "step_chooser"));
  static const char *const keys[]
      = { "cycles", "code", "live", "vertices", "variables", "steps", "callers", "id", "type" };
  const guint n = tsr_rows_get_n (rows (f)), n_sequences = count_type (f, "Sequence");
  const guint n_columns = count_columns (f);
  guint least = n_columns;

  g_assert_cmpuint (n_sequences, >, 0);
  g_signal_emit_by_name (kinds, "toggled", "Sequence", FALSE);
  settle (f);
  g_assert_cmpuint (count_type (f, "Sequence"), ==, 0);
  g_assert_cmpuint (tsr_rows_get_n (rows (f)), <=, n - n_sequences);
  g_signal_emit_by_name (kinds, "toggled", "Sequence", TRUE);
  settle (f);
  g_assert_cmpuint (tsr_rows_get_n (rows (f)), ==, n);
  g_assert_cmpuint (count_type (f, "Sequence"), ==, n_sequences);
  g_signal_emit_by_name (columns, "toggled", "cycles", FALSE);
  settle (f);
  g_assert_cmpuint (count_columns (f), ==, n_columns - 1);
  for (guint i = 1; i < G_N_ELEMENTS (keys); i++)
    {
      g_signal_emit_by_name (columns, "toggled", keys[i], FALSE);
      settle (f);
      least = MIN (least, count_columns (f));
    }
  g_assert_cmpuint (least, >=, 2); /* the name and one more */
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_signal_emit_by_name (columns, "toggled", keys[i], TRUE);
  settle (f);
  g_assert_cmpuint (count_columns (f), >=, n_columns);
  for (guint i = 0; i < 2; i++)
    {
      TsrRows *roots;
      guint n_roots = 0;

      gtk_drop_down_set_selected (steps, 1 - i); /* the latest stands first */
      settle (f);
      roots = tsr_row_view_get_shown (tsr_program_page_get_roots (f->page));
      for (guint32 row = 0; row < tsr_rows_get_n (roots); row++)
        n_roots += tsr_rows_get_depth (roots, row) > 0;
      g_assert_cmpint (n_roots, ==,
                       tsr_test_ask (f->folder,
                                     "SELECT count(*) FROM program_roots WHERE compilation_step = "
                                     "(SELECT id FROM compilation_steps ORDER BY id LIMIT 1 OFFSET "
                                     "%u)",
                                     i));
    }
}

/* --------------------------------------------------------- keys and folding */

static void
test_folding (Fixture *f, gconstpointer data)
{
  guint n = tsr_row_view_get_n_shown (tree (f));
  GtkWidget *view = GTK_WIDGET (tree (f));

  /* It is unfolded at first. */
  g_assert_cmpuint (n, >, 5);
  fire (f, "programs.collapse-all");
  tsr_ui_test_run (30);
  g_assert_cmpuint (tsr_row_view_get_n_shown (tree (f)), <, n);
  fire (f, "programs.expand-all");
  tsr_ui_test_run (30);
  g_assert_cmpuint (tsr_row_view_get_n_shown (tree (f)), ==, tsr_rows_get_n (rows (f)));
  gtk_widget_activate_action (view, "rows.collapse-all", NULL);
  /* What is selected is unfolded to. */
  tsr_program_page_set_program (
      f->page, tsr_programs_find (tsr_session_get_programs (f->session), pick_executed (f, 2)));
  settle (f);
  g_assert_cmpint (get (f, get_selected (f), "id"), ==, pick_executed (f, 2));
  g_assert_cmpuint (tsr_row_view_get_n_shown (tree (f)), >, 1);
}

static gboolean
is_arrow (GtkWidget *widget, gconstpointer what)
{
  return GTK_IS_IMAGE (widget)
         && gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget))
                == GTK_ACCESSIBLE_ROLE_BUTTON
         && gtk_widget_get_mapped (widget);
}

/* Presses and releases @button at (@x, @y) in @widget, which has a gesture for that. */
static void
click (GtkWidget *widget, guint button, double x, double y)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_CLICK (controller)
          && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == button)
        {
          g_signal_emit_by_name (controller, "pressed", 1, x, y);
          g_signal_emit_by_name (controller, "released", 1, x, y);
          return;
        }
    }
  g_assert_not_reached ();
}

/* Each arrow that is seen folds and unfolds its own row; the secondary button selects the row that
 * it hits, and opens the menu there. */
static void
test_by_hand (Fixture *f, gconstpointer data)
{
  GtkWidget *view = GTK_WIDGET (tree (f));
  GtkWidget *list = GTK_WIDGET (tsr_row_view_get_column_view (tree (f)));
  guint n = tsr_row_view_get_n_shown (tree (f)), n_arrows = 0;

  tsr_ui_test_draw (f->window);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (GPtrArray) arrows = tsr_ui_test_find_all (list, is_arrow, NULL);
      g_autoptr (GPtrArray) again = NULL;
      double y = 0;
      guint folded;
      GtkWidget *arrow;

      if (i >= arrows->len)
        break;
      n_arrows++;
      arrow = arrows->pdata[i];
      gtk_widget_translate_coordinates (arrow, view, 4, 4, NULL, &y);
      click (view, GDK_BUTTON_SECONDARY, gtk_widget_get_width (view) / 2.0, y);
      folded = tsr_rows_get_end (rows (f), get_selected (f)) - get_selected (f) - 1;
      g_assert_cmpuint (folded, >, 0);
      g_assert_true (gtk_widget_get_visible (tsr_ui_test_find (view, GTK_TYPE_POPOVER_MENU)));
      gtk_popover_popdown (GTK_POPOVER (tsr_ui_test_find (view, GTK_TYPE_POPOVER_MENU)));
      click (arrow, 1, 1, 1);
      tsr_ui_test_draw (f->window);
      g_assert_cmpuint (tsr_row_view_get_n_shown (tree (f)), <, n);
      g_assert_cmpuint (tsr_row_view_get_n_shown (tree (f)), >=, n - folded);
      again = tsr_ui_test_find_all (list, is_arrow, NULL);
      click (again->pdata[i], 1, 1, 1);
      tsr_ui_test_draw (f->window);
      g_assert_cmpuint (tsr_row_view_get_n_shown (tree (f)), ==, n);
    }
  g_assert_cmpuint (n_arrows, >, 2);
}

static void
test_lists (Fixture *f, gconstpointer data)
{
  fire (f, "programs.show-costliest");
  settle (f);
  g_assert_false (tsr_rows_is_tree (rows (f)));
  g_assert_cmpint (tsr_rows_get_n (rows (f)), ==,
                   tsr_test_ask (f->folder, "SELECT count(*) FROM programs"));
  fire (f, "programs.show-tree");
  settle (f);
  g_assert_true (tsr_rows_is_tree (rows (f)));
  g_object_set (f->page, "grouped", FALSE, NULL);
  settle (f);
  for (guint32 row = 0; row < tsr_rows_get_n (rows (f)); row++)
    g_assert_cmpint (get (f, row, "id"), !=, TSR_UNKNOWN);
}

/* --------------------------------------------------------------- selecting */

static void
test_details (Fixture *f, gconstpointer data)
{
  TsrTabs *tabs = TSR_TABS (tsr_ui_test_child (f->page, "tabs"));
  gint64 id = pick_executed (f, 1);
  guint32 row;

  /* What stands there before and after takes the same room: nothing moves at the first click. */
  g_assert_cmpint (g_ascii_strtoll (tsr_page_get_status_right (TSR_PAGE (f->page)), NULL, 10), ==,
                   tsr_test_ask (f->folder, "SELECT count(*) FROM programs"));
  fire (f, "programs.expand-all");
  row = find_id (f, id);
  g_assert_cmpuint (row, !=, TSR_NO_INDEX);
  select_row (f, row);
  settle (f);
  g_assert_nonnull (strstr (tsr_page_get_status_right (TSR_PAGE (f->page)),
                            tsr_rows_get_text (rows (f), row, 0)));
  tsr_tabs_show (tabs, TSR_PROGRAM_DETAIL_VERTICES);
  settle (f);
  g_assert_cmpint (
      tsr_rows_get_n (tsr_tabs_get (tabs, TSR_PROGRAM_DETAIL_VERTICES)->answer->rows), ==,
      tsr_test_ask (f->folder,
                    "SELECT count(*) FROM compute_set_vertices WHERE compute_set = (SELECT "
                    "compute_set FROM programs WHERE id = %" G_GINT64_FORMAT ")",
                    id));
  tsr_tabs_show (tabs, TSR_PROGRAM_DETAIL_STEPS);
  settle (f);
  g_assert_cmpint (tsr_rows_get_n (tsr_tabs_get (tabs, TSR_PROGRAM_DETAIL_STEPS)->answer->rows), ==,
                   get (f, row, "steps"));
  tsr_tabs_show (tabs, TSR_PROGRAM_DETAIL_TILES);
  settle (f);
  /* A reload keeps it, and where it is. */
  open_report (f);
  settle (f);
  g_assert_cmpint (get (f, get_selected (f), "id"), ==, id);
  g_assert_cmpuint (tsr_tabs_get_shown (tabs)->number, ==, TSR_PROGRAM_DETAIL_TILES);
}

static gboolean
is_message (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && gtk_widget_get_ancestor (widget, GTK_TYPE_DROP_DOWN) == NULL;
}

/* The tiles of a program, of it alone and with all below it, are the model's. */
static void
test_tiles (Fixture *f, gconstpointer data)
{
  /* Where the figures of each choice begin. */
  static const TsrTileFigure figures[]
      = { TSR_CODE_CONTROL, TSR_TILE_RECEIVED, TSR_TILE_ESTIMATED, TSR_N_TILE_FIGURES };
  TsrTabs *tabs = TSR_TABS (tsr_ui_test_child (f->page, "tabs"));
  TsrProgramTiles *tiles
      = TSR_PROGRAM_TILES (tsr_ui_test_find (GTK_WIDGET (f->page), TSR_TYPE_PROGRAM_TILES));
  GtkWidget *form = tsr_ui_test_find (GTK_WIDGET (tiles), GTK_TYPE_DROP_DOWN);
  GtkWidget *below = gtk_widget_get_next_sibling (form);
  TsrPrograms *programs = tsr_session_get_programs (f->session);
  const guint n_tiles = tsr_memory_get_n_tiles (tsr_session_get_memory (f->session));
  /* It has computation and exchanges below it. */
  const gint64 id
      = tsr_test_ask (f->folder, "SELECT e.parent FROM program_children e JOIN programs p ON p.id"
                                 " = e.child GROUP BY e.parent HAVING sum (p.compute_set IS NOT"
                                 " NULL) > 0 AND sum (p.data_in_by_tile IS NOT NULL) > 0 LIMIT 1");
  const guint *selected;
  guint n_selected = 0;

  tsr_tabs_show (tabs, TSR_PROGRAM_DETAIL_TILES);
  tsr_program_page_set_program (f->page, tsr_programs_find (programs, id));
  settle (f);
  for (guint i = 0; i < 2 * (G_N_ELEMENTS (figures) - 1); i++)
    {
      TsrChartModel *model;
      double from, to, least;
      g_autoptr (GString) csv = g_string_new (NULL);
      g_auto (GStrv) lines = NULL;
      guint n_known = 0;

      gtk_drop_down_set_selected (GTK_DROP_DOWN (form), i / 2);
      gtk_drop_down_set_selected (GTK_DROP_DOWN (below), i % 2);
      tsr_ui_test_wait (!tsr_program_tiles_is_busy (tiles));
      model
          = tsr_plane_get_model (TSR_PLANE (tsr_ui_test_find (GTK_WIDGET (tiles), TSR_TYPE_CHART)));
      tsr_chart_model_get_domain (model, &from, &to, &least);
      tsr_chart_model_write_csv (model, from, to, csv);
      lines = g_strsplit (csv->str, "\n", -1);
      for (TsrTileFigure figure = figures[i / 2]; figure < figures[i / 2 + 1]; figure++)
        {
          g_autofree gint64 *wanted = tsr_programs_dup_by_tile (
              programs, tsr_session_get_vertices (f->session), tsr_programs_find (programs, id),
              figure, i % 2 != 0, NULL, NULL);

          for (guint tile = 0; tile < n_tiles; tile++)
            {
              g_auto (GStrv) fields = g_strsplit (lines[1 + tile], ",", -1);

              g_assert_cmpint (g_ascii_strtoll (fields[0], NULL, 10), ==, tile);
              g_assert_cmpint (g_ascii_strtoll (fields[1 + figure - figures[i / 2]], NULL, 10), ==,
                               wanted[tile]);
              n_known += wanted[tile] > 0;
            }
        }
      g_assert_true (n_known > 0 || i % 2 == 0);
    }
  /* What is drawn selects its tiles. */
  g_signal_emit_by_name (tsr_ui_test_find (GTK_WIDGET (tiles), TSR_TYPE_CHART), "select", 7.0, 9.0,
                         (int)TSR_SELECT_REPLACE);
  selected = tsr_tile_selection_peek (tsr_session_get_selection (f->session), &n_selected);
  g_assert_cmpuint (n_selected, ==, 2);
  g_assert_cmpuint (selected[0], ==, 7);
  g_assert_cmpuint (selected[1], ==, 8);
  /* What is not told is not what is not there. */
  tsr_test_sql (f->folder, "profile.pop",
                "UPDATE programs SET code_bytes_by_tile = NULL, control_code_by_tile = NULL;"
                "DROP TABLE compute_set_vertices");
  open_report (f);
  settle (f);
  programs = tsr_session_get_programs (f->session);
  tsr_program_page_set_program (f->page, tsr_programs_find (programs, id));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (form), 0);
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *message;

      gtk_drop_down_set_selected (GTK_DROP_DOWN (below), i);
      settle (f);
      tsr_ui_test_wait (!tsr_program_tiles_is_busy (tiles));
      message = tsr_ui_test_find_where (GTK_WIDGET (tiles), is_message, NULL);
      g_assert_nonnull (message);
      g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (message)), ==,
                       i == 0 ? "It has no code" : "The report does not tell");
    }
}

/* The contexts that made the program, outermost first; why there are none is told. */
static void
test_debug (Fixture *f, gconstpointer data)
{
  TsrTabs *tabs = TSR_TABS (tsr_ui_test_child (f->page, "tabs"));
  TsrTab *tab = tsr_tabs_get (tabs, TSR_PROGRAM_DETAIL_DEBUG);
  TsrPrograms *programs;
  const TsrDebugTables *debug;
  g_autofree guint32 *chain = NULL;
  gint64 id = tsr_test_ask (f->folder, "SELECT id FROM programs WHERE debug_id IS NOT NULL AND "
                                       "compute_set IS NOT NULL ORDER BY id LIMIT 1");
  guint n = 0, n_contexts = 0, n_sources = 0, n_wanted = 0;

  tsr_tabs_show (tabs, TSR_PROGRAM_DETAIL_DEBUG);
  settle (f);
  tsr_ui_test_wait (tab->answer != NULL);
  g_assert_null (tab->answer->rows);
  g_assert_nonnull (strstr (tab->answer->text, "autoReport.outputDebugInfo"));

  tsr_test_copy (tsr_test_get_report ("demo"), f->folder, "debug.cbor");
  open_report (f);
  settle (f);
  programs = tsr_session_get_programs (f->session);
  tsr_program_page_set_program (f->page, tsr_programs_find (programs, id));
  settle (f);
  tsr_ui_test_wait (tab->answer != NULL && tab->answer->rows != NULL);
  settle (f);
  debug = tsr_report_get_debug_tables (tsr_session_get_report (f->session));
  chain = tsr_debug_tables_dup_chain (
      debug,
      tsr_debug_tables_find (
          debug, tsr_test_ask (f->folder,
                               "SELECT debug_id FROM programs WHERE id = %" G_GINT64_FORMAT, id)),
      &n);
  g_assert_cmpuint (n, >, 1);
  for (guint32 row = 0; row < tsr_rows_get_n (tab->answer->rows);
       row = tsr_rows_get_end (tab->answer->rows, row))
    {
      guint32 context = chain[n - 1 - n_contexts++];
      const char *file = tsr_debug_tables_get_text (debug, debug->file_name[context]);
      g_autofree char *place
          = file != NULL ? g_strdup_printf ("%s:%u", file, debug->line[context]) : NULL;
      g_autofree char *key = tsr_rows_dup_key (tab->answer->rows, row);

      g_assert_cmpstr (tsr_rows_get_text (tab->answer->rows, row, 1), ==,
                       tsr_debug_tables_get_text (debug, debug->name[context]));
      g_assert_true (tsr_row_view_is_expanded (tab->view, key));
      n_wanted += file != NULL;
      for (guint32 below = row + 1; below < tsr_rows_get_end (tab->answer->rows, row); below++)
        n_sources += place != NULL
                     && g_strcmp0 (tsr_rows_get_text (tab->answer->rows, below, 1), place) == 0;
    }
  g_assert_cmpuint (n_contexts, ==, n);
  g_assert_cmpuint (n_wanted, >, 0);
  g_assert_cmpuint (n_sources, ==, n_wanted);
  /* What is folded stays so. */
  {
    g_autofree char *key = tsr_rows_dup_key (tab->answer->rows, 0);

    tsr_row_view_set_expanded (tab->view, key, FALSE);
    tsr_program_page_set_program (f->page, TSR_NO_INDEX);
    settle (f);
    tsr_ui_test_wait (tab->answer != NULL && tab->answer->rows == NULL);
    tsr_program_page_set_program (f->page, tsr_programs_find (programs, id));
    settle (f);
    tsr_ui_test_wait (tab->answer != NULL && tab->answer->rows != NULL);
    g_assert_false (tsr_row_view_is_expanded (tab->view, key));
  }
  /* A program without a number of a context. */
  tsr_program_page_set_program (
      f->page, tsr_programs_find (
                   programs, tsr_test_ask (f->folder, "SELECT min(id) FROM programs WHERE debug_id "
                                                      "IS NULL")));
  settle (f);
  tsr_ui_test_wait (tab->answer != NULL && tab->answer->rows == NULL);
  g_assert_nonnull (strstr (tab->answer->text, "debug_id"));
}

/* A variable leads to the first program that writes it. */
static void
test_touching (Fixture *f, gconstpointer data)
{
  static const char *const names[] = { "model/stem/conv1.weight", "model/stem/conv1/out" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GHashTable) words = tsr_view_words_new ();
      gint64 id = tsr_test_ask (
          f->folder,
          "SELECT coalesce (min (CASE WHEN v.role = 2 THEN p.id END), min (p.id)) FROM "
          "program_variables v JOIN variables n ON n.id = v.variable JOIN programs p ON p.id = "
          "v.program WHERE n.name = '%s'",
          names[i]);

      tsr_view_words_set (words, "page", "programs");
      tsr_view_words_set (words, "touching", names[i]);
      tsr_page_load_words (TSR_PAGE (f->page), words);
      settle (f);
      g_assert_cmpint (get (f, get_selected (f), "id"), ==, id);
    }
}

/* --------------------------------------------------------------- highlight */

/* The context of a program in a layer, walked one by one: the nearest, of "poplibs" the outermost,
 * else the nearest of "poplar". */
static guint32
find_context (const TsrDebugTables *debug, const TsrProgramTables *t, guint32 p, const char *layer)
{
  guint32 start = tsr_debug_tables_find (debug, t->program_debug_id[p]);
  gboolean both = g_str_equal (layer, "poplibs");
  guint32 found = TSR_NO_INDEX;

  for (guint32 row = start; row != TSR_NO_INDEX; row = debug->parent[row])
    if (g_str_equal (debug->layers[debug->layer[row]].name, layer)
        && (both || found == TSR_NO_INDEX))
      found = row;
  for (guint32 row = start; both && found == TSR_NO_INDEX && row != TSR_NO_INDEX;
       row = debug->parent[row])
    if (g_str_equal (debug->layers[debug->layer[row]].name, "poplar"))
      found = row;
  return found;
}

/* How many programs the same operation made, told in the scope line; the way through them. */
static void
test_alike (Fixture *f, gconstpointer data)
{
  static const char *const layers[] = { "poplibs", "popart" };
  TsrPrograms *programs;
  const TsrDebugTables *debug;
  const TsrProgramTables *t;
  guint32 program, at;

  tsr_test_copy (tsr_test_get_report ("demo"), f->folder, "debug.cbor");
  open_report (f);
  settle (f);
  tsr_ui_test_wait (tsr_report_get_debug_tables (tsr_session_get_report (f->session)) != NULL);
  programs = tsr_session_get_programs (f->session);
  debug = tsr_report_get_debug_tables (tsr_session_get_report (f->session));
  t = tsr_programs_get_tables (programs);
  program = tsr_programs_find (programs, pick_executed (f, 2));
  tsr_program_page_set_program (f->page, program);
  settle (f);
  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      guint32 context = find_context (debug, t, program, layers[i]);
      guint n = 0;
      g_autofree char *wanted = NULL, *scope = NULL;

      g_object_set (f->page, "layer", i > 0 ? layers[i] : "", NULL);
      settle (f);
      for (guint32 p = 0; p < t->n_programs; p++)
        n += find_context (debug, t, p, layers[i]) == context;
      g_assert_cmpuint (n, >, 1);
      wanted = g_strdup_printf ("%s: %u programs of %s",
                                tsr_debug_tables_get_text (debug, debug->name[context]), n,
                                i > 0 ? "PopART" : "PopLibs");
      scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (TSR_PAGE (f->page)));
      g_assert_nonnull (strstr (scope, wanted));
      /* Around through all of them: every program stands once in the flat list. */
      fire (f, "programs.show-costliest");
      settle (f);
      at = program;
      for (guint k = 0; k < n; k++)
        {
          fire (f, "programs.next-alike");
          settle (f);
          at = tsr_program_page_get_program (f->page);
          g_assert_cmpuint (find_context (debug, t, at, layers[i]), ==, context);
          g_assert_true (k + 1 == n ? at == program : at != program);
        }
    }
  g_object_set (f->page, "layer", "none", NULL);
  settle (f);
  fire (f, "programs.next-alike");
  g_assert_cmpuint (tsr_program_page_get_program (f->page), ==, program);
}

/* Where a program stands again, what is below it can be expanded there, too; and the way to where
 * it stands first. */
static void
test_elsewhere (Fixture *f, gconstpointer data)
{
  guint32 first = TSR_NO_INDEX, again = TSR_NO_INDEX, n;
  gint64 id = -1;

  for (guint32 row = 0; row < tsr_rows_get_n (rows (f)) && again == TSR_NO_INDEX; row++)
    for (first = 0; first < row && again == TSR_NO_INDEX; first++)
      if (get (f, first, "id") == get (f, row, "id")
          && tsr_rows_get_end (rows (f), first) > first + 1
          && tsr_rows_get_end (rows (f), row) == row + 1)
        {
          again = row;
          id = get (f, row, "id");
          break;
        }
  g_assert_cmpint (id, !=, -1);
  n = tsr_rows_get_n (rows (f));
  select_row (f, again);
  settle (f);
  fire (f, "programs.expand-here");
  settle (f);
  g_assert_cmpuint (get_selected (f), ==, again);
  g_assert_cmpuint (tsr_rows_get_n (rows (f)), >, n);
  g_assert_cmpuint (tsr_rows_get_end (rows (f), again) - again, ==,
                    tsr_rows_get_end (rows (f), first) - first);
  for (guint32 i = 1; i < tsr_rows_get_end (rows (f), first) - first; i++)
    g_assert_cmpint (get (f, first + i, "id"), ==, get (f, again + i, "id"));
  n = tsr_rows_get_n (rows (f));
  fire (f, "programs.expand-here"); /* it is */
  settle (f);
  g_assert_cmpuint (tsr_rows_get_n (rows (f)), ==, n);
  fire (f, "programs.go-to-first");
  settle (f);
  g_assert_cmpuint (get_selected (f), ==, first);
}

static void
on_toast (GSimpleAction *action, GVariant *text, gpointer told)
{
  g_string_append (told, g_variant_get_string (text, NULL));
}

/* What is asked for and is not in the tree is shown in one of its own, unless its type is hidden.
 */
static void
test_sought (Fixture *f, gconstpointer data)
{
  static const GActionEntry entry
      = { .name = "toast", .activate = on_toast, .parameter_type = "s" };
  TsrPrograms *programs = tsr_session_get_programs (f->session);
  const gint64 function
      = tsr_test_ask (f->folder, "SELECT callee FROM programs WHERE callee IS NOT NULL LIMIT 1");
  const gint64 sync
      = tsr_test_ask (f->folder, "SELECT id FROM programs WHERE type = 'Sync' LIMIT 1");
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GHashTable) words = tsr_view_words_new ();
  g_autoptr (GString) told = g_string_new (NULL);

  g_action_map_add_action_entries (G_ACTION_MAP (group), &entry, 1, told);
  gtk_widget_insert_action_group (f->window, "win", G_ACTION_GROUP (group));
  select_row (f, find_id (f, sync));
  settle (f);
  fire (f, "programs.alone");
  settle (f);
  g_assert_cmpuint (tsr_rows_get_n (rows (f)), ==, 1);
  g_assert_cmpint (get (f, 0, "id"), ==, sync);
  tsr_program_page_set_program (f->page, tsr_programs_find (programs, function));
  settle (f);
  g_assert_cmpint (get (f, 0, "id"), ==, function);
  g_assert_cmpuint (get_selected (f), ==, 0);
  g_assert_cmpstr (told->str, ==, "");
  tsr_view_words_set (words, "hidden", "Sync");
  tsr_page_load_words (TSR_PAGE (f->page), words);
  settle (f);
  tsr_program_page_set_program (f->page, tsr_programs_find (programs, sync));
  settle (f);
  g_assert_cmpstr (told->str, ==, "Programs of this type are hidden: see View");
  g_assert_cmpuint (get_selected (f), ==, TSR_NO_INDEX);
}

/* ------------------------------------------------------------------ icicle */

static TsrProgramIcicle *
icicle (Fixture *f)
{
  return tsr_icicle_view_get_icicle (tsr_program_page_get_icicle (f->page));
}

static void
press (Fixture *f, guint32 cell, int n_press)
{
  TsrPlane *plane = TSR_PLANE (tsr_program_page_get_icicle (f->page));
  TsrChartGeometry geometry;
  double x, y, width, height;

  tsr_ui_test_wait (tsr_plane_get_geometry (plane, &geometry, NULL));
  g_assert_true (
      tsr_program_icicle_get_cell (icicle (f), &geometry, cell, &x, &y, &width, &height));
  tsr_plane_press (plane, x + 2, y + height / 2, GDK_BUTTON_PRIMARY, n_press, 0);
  tsr_plane_release (plane, x + 2, y + height / 2, 0);
}

static void
test_icicle (Fixture *f, gconstpointer data)
{
  GtkWidget *view = GTK_WIDGET (tsr_program_page_get_icicle (f->page));
  g_autoptr (GHashTable) words = tsr_view_words_new ();
  gint64 id = pick_executed (f, 2);
  guint32 program, cell, parent;
  double from, to, least, all;

  g_assert_false (gtk_widget_get_mapped (view));
  g_assert_null (icicle (f));
  fire (f, "programs.show-icicle");
  settle (f);
  tsr_ui_test_wait (gtk_widget_get_mapped (view) && gtk_widget_get_width (view) > 0);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (tree (f))));
  tsr_chart_model_get_domain (TSR_CHART_MODEL (icicle (f)), &from, &to, &least);
  all = to - from;
  /* All recorded cycles: of each step the IPU where it took longest. */
  g_assert_cmpint (llround (all), ==,
                   tsr_programs_get_all_cycles (tsr_session_get_programs (f->session)));

  /* What is selected elsewhere is marked, and where it is pressed it is selected. */
  program = tsr_programs_find (tsr_session_get_programs (f->session), id);
  tsr_program_page_set_program (f->page, program);
  settle (f);
  cell = tsr_plane_get_cursor (TSR_PLANE (view));
  g_assert_cmpuint (tsr_program_icicle_get_program (icicle (f), cell), ==, program);
  parent = tsr_program_icicle_get_parent (icicle (f), cell);
  gtk_widget_activate_action (view, "chart.fit", NULL);
  tsr_ui_test_run (30);
  tsr_icicle_view_zoom_to (tsr_program_page_get_icicle (f->page), parent);
  tsr_ui_test_run (30);
  press (f, parent, 1);
  settle (f);
  g_assert_cmpuint (tsr_program_page_get_program (f->page), ==,
                    tsr_program_icicle_get_program (icicle (f), parent));
  g_assert_cmpint (get (f, get_selected (f), "id"), ==,
                   tsr_programs_get_tables (tsr_session_get_programs (f->session))
                       ->program_id[tsr_program_page_get_program (f->page)]);
  /* A double click on the focus leads back, one on a cell to it. */
  press (f, parent, 2);
  g_assert_cmpuint (tsr_program_icicle_get_focus (icicle (f)), ==,
                    tsr_program_icicle_get_parent (icicle (f), parent));
  tsr_ui_test_run (30);
  press (f, parent, 2);
  g_assert_cmpuint (tsr_program_icicle_get_focus (icicle (f)), ==, parent);
  tsr_chart_model_get_domain (TSR_CHART_MODEL (icicle (f)), &from, &to, &least);
  g_assert_cmpfloat (to - from, <, all);
  g_assert_cmpuint (tsr_plane_get_cursor (TSR_PLANE (view)), ==, parent);
  /* The keyboard goes to what is below and selects it. */
  gtk_widget_activate_action (view, "chart.cursor-down", NULL);
  settle (f);
  cell = tsr_plane_get_cursor (TSR_PLANE (view));
  g_assert_cmpuint (tsr_program_icicle_get_parent (icicle (f), cell), ==, parent);
  g_assert_cmpuint (tsr_program_page_get_program (f->page), ==,
                    tsr_program_icicle_get_program (icicle (f), cell));
  gtk_widget_activate_action (view, "chart.zoom-to", NULL);
  g_assert_cmpuint (tsr_program_icicle_get_focus (icicle (f)), ==, cell);
  gtk_widget_activate_action (view, "chart.zoom-back", NULL);
  g_assert_cmpuint (tsr_program_icicle_get_focus (icicle (f)), ==, parent);

  /* Another width is of other bytes, and in the link. */
  g_object_set (f->page, "width", "live", NULL);
  settle (f);
  tsr_chart_model_get_domain (TSR_CHART_MODEL (icicle (f)), &from, &to, &least);
  g_assert_cmpfloat (to - from, !=, all);
  g_assert_cmpuint (tsr_program_icicle_get_focus (icicle (f)), ==, 0);
  tsr_page_save_words (TSR_PAGE (f->page), words);
  g_assert_cmpstr (tsr_view_words_get (words, "list"), ==, "icicle");
  g_assert_cmpstr (tsr_view_words_get (words, "width"), ==, "live");
  open_report (f);
  settle (f);
  g_assert_cmpuint (
      tsr_program_icicle_get_program (icicle (f), tsr_plane_get_cursor (TSR_PLANE (view))), ==,
      tsr_program_page_get_program (f->page));
  fire (f, "programs.show-tree");
  settle (f);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (tree (f))));
  g_assert_null (icicle (f));
}

static void
test_search (Fixture *f, gconstpointer data)
{
  TsrMatchBar *bar = TSR_MATCH_BAR (tsr_ui_test_child (f->page, "search"));
  guint32 first, second;
  guint n = 0;

  tsr_match_bar_set_text (bar, "OnTileExecute");
  tsr_ui_test_wait (tsr_program_search_get_n (tsr_ui_test_child (f->page, "search")) > 0);
  for (guint32 row = 0; row < tsr_rows_get_n (rows (f)); row++)
    n += strstr (tsr_rows_get_text (rows (f), row, 0), "OnTileExecute") != NULL
         && strstr (tsr_rows_get_text (rows (f), row, 0), " × ") == NULL;
  g_assert_cmpuint (tsr_program_search_get_n (tsr_ui_test_child (f->page, "search")), ==, n);
  fire (f, "programs.next-match");
  settle (f);
  first = get_selected (f);
  g_assert_nonnull (strstr (tsr_rows_get_text (rows (f), first, 0), "OnTileExecute"));
  fire (f, "programs.next-match");
  settle (f);
  second = get_selected (f);
  g_assert_cmpuint (second, >, first);
  fire (f, "programs.previous-match");
  settle (f);
  g_assert_cmpuint (get_selected (f), ==, first);
  /* Matches alone keep what is above them. */
  g_object_set (f->page, "matching", TRUE, NULL);
  settle (f);
  g_assert_cmpuint (tsr_row_view_get_n_shown (tree (f)), <, tsr_rows_get_n (rows (f)));
  g_assert_cmpuint (tsr_row_view_get_n_shown (tree (f)), >=, n);
}

/* ------------------------------------------------------------------- links */

static void
test_links (Fixture *f, gconstpointer data)
{
  g_autoptr (GHashTable) words = tsr_view_words_new (), partly = NULL;
  g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, pick_executed (f, 1));
  g_autofree char *text = g_strconcat ("page=programs&program=", id, NULL);
  GtkWidget *other;

  tsr_program_page_set_program (
      f->page, tsr_programs_find (tsr_session_get_programs (f->session), pick_executed (f, 1)));
  tsr_match_bar_set_text (TSR_MATCH_BAR (tsr_ui_test_child (f->page, "search")), "conv");
  tsr_tabs_show (TSR_TABS (tsr_ui_test_child (f->page, "tabs")), TSR_PROGRAM_DETAIL_STEPS);
  tsr_row_view_set_sort (tree (f), "-cycles");
  tsr_ui_test_wait (tsr_program_search_get_n (tsr_ui_test_child (f->page, "search")) > 0);
  settle (f);
  tsr_page_save_words (TSR_PAGE (f->page), words);
  g_assert_cmpstr (tsr_view_words_get (words, "program"), ==, id);
  g_assert_cmpstr (tsr_view_words_get (words, "search"), ==, "conv");
  g_assert_cmpstr (tsr_view_words_get (words, "tab"), ==, "steps");
  g_assert_cmpstr (tsr_view_words_get (words, "sort"), ==, "-cycles");
  g_assert_cmpstr (tsr_view_words_get (words, "list"), ==, "tree");
  /* Something else, and back. */
  tsr_program_page_set_program (f->page, TSR_NO_INDEX);
  fire (f, "programs.show-costliest");
  tsr_match_bar_set_text (TSR_MATCH_BAR (tsr_ui_test_child (f->page, "search")), "");
  settle (f);
  g_assert_cmpuint (get_selected (f), ==, TSR_NO_INDEX);
  tsr_page_load_words (TSR_PAGE (f->page), words);
  settle (f);
  g_assert_true (tsr_rows_is_tree (rows (f)));
  other = gtk_window_get_child (GTK_WINDOW (f->window));
  g_assert_true (other == GTK_WIDGET (f->page));
  g_assert_cmpint (get (f, get_selected (f), "id"), ==, pick_executed (f, 1));
  g_assert_cmpstr (tsr_match_bar_get_text (TSR_MATCH_BAR (tsr_ui_test_child (f->page, "search"))),
                   ==, "conv");
  /* A finding's words say the program alone. */
  tsr_program_page_set_program (f->page, TSR_NO_INDEX);
  settle (f);
  partly = tsr_view_words_parse (text);
  tsr_page_load_words (TSR_PAGE (f->page), partly);
  settle (f);
  g_assert_cmpint (get (f, get_selected (f), "id"), ==, pick_executed (f, 1));
}

/* The keyboard begins in the rows, not in a heading or below. */
static void
test_focus (Fixture *f, gconstpointer data)
{
  GtkWidget *focus;

  tsr_page_focus_start (TSR_PAGE (f->page));
  focus = gtk_root_get_focus (GTK_ROOT (f->window));
  g_assert_nonnull (focus);
  g_assert_nonnull (gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_VIEW));
  g_assert_true (gtk_widget_is_ancestor (focus, GTK_WIDGET (tree (f))));
}

/* The list of programs is as wide as its names ask, and as the page has room; where the user puts
 * its handle it stays. */
static void
test_roots_width (Fixture *f, gconstpointer data)
{
  GtkPaned *paned = tsr_ui_test_child (f->page, "roots_paned");
  const int widths[] = { 900, 1280 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      const int most = MAX (widths[i] / 4, 272);

      gtk_window_set_default_size (GTK_WINDOW (f->window), widths[i], 720);
      tsr_ui_test_wait (gtk_widget_get_width (GTK_WIDGET (paned)) == widths[i]);
      settle (f);
      tsr_ui_test_wait (
          gtk_paned_get_position (paned)
          == CLAMP (tsr_row_view_get_wanted_width (tsr_program_page_get_roots (f->page)), 272,
                    most));
    }
  g_assert_cmpint (gtk_paned_get_position (paned), >, 272);
  gtk_paned_set_position (paned, 290);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 900, 720);
  tsr_ui_test_wait (gtk_widget_get_width (GTK_WIDGET (paned)) == 900);
  settle (f);
  g_assert_cmpint (gtk_paned_get_position (paned), ==, 290);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
  g_test_add ("/program-page/numbers", Fixture, "demo", setup, test_numbers, teardown);
  g_test_add ("/program-page/choices", Fixture, "demo", setup, test_choices, teardown);
  g_test_add ("/program-page/folding", Fixture, "demo", setup, test_folding, teardown);
  g_test_add ("/program-page/by-hand", Fixture, "demo", setup, test_by_hand, teardown);
  g_test_add ("/program-page/lists", Fixture, "demo", setup, test_lists, teardown);
  g_test_add ("/program-page/details", Fixture, "demo", setup, test_details, teardown);
  g_test_add ("/program-page/debug", Fixture, "demo", setup, test_debug, teardown);
  g_test_add ("/program-page/touching", Fixture, "demo", setup, test_touching, teardown);
  g_test_add ("/program-page/alike", Fixture, "demo", setup, test_alike, teardown);
  g_test_add ("/program-page/elsewhere", Fixture, "tiny", setup, test_elsewhere, teardown);
  g_test_add ("/program-page/sought", Fixture, "tiny", setup, test_sought, teardown);
  g_test_add ("/program-page/tiles", Fixture, "demo", setup, test_tiles, teardown);
  g_test_add ("/program-page/icicle", Fixture, "demo", setup, test_icicle, teardown);
  g_test_add ("/program-page/search", Fixture, "demo", setup, test_search, teardown);
  g_test_add ("/program-page/focus", Fixture, "demo", setup, test_focus, teardown);
  g_test_add ("/program-page/roots-width", Fixture, "demo", setup, test_roots_width, teardown);
  g_test_add ("/program-page/links", Fixture, "demo", setup, test_links, teardown);
  return g_test_run ();
}

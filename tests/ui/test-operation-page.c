/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations over made reports: what is shown is what plain SQL says; layer, filter, order, groups,
 * selection and its tabs, links, and what is said where there is nothing. */

#include "config.h"

#include "tsr-operation-page.h"
#include "tsr-operation-rows.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <inttypes.h>
#include <string.h>

typedef struct
{
  char *folder;
  TsrSettings *settings;
  TsrSession *session;
  GtkWidget *window;
  TsrOperationPage *page;
} Fixture;

static void
open_report (Fixture *f)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = tsr_report_open (place, f->folder, TSR_LOAD_ALL);

  tsr_session_set_report (f->session, report);
}

/* The execution and the variables on each tile have come, too. */
static gboolean
is_ready (Fixture *f)
{
  TsrOperations *operations = tsr_operation_page_get_operations (f->page);

  return operations != NULL && operations == tsr_session_get_operations (f->session)
         && tsr_operations_get_variables (operations) != NULL
         && !tsr_session_is_lowered_pending (f->session)
         && !tsr_session_is_stage_pending (f->session, TSR_STAGE_EXECUTION)
         && !tsr_session_is_stage_pending (f->session, TSR_STAGE_LIVENESS)
         && tsr_session_get_liveness (f->session) != NULL
         && !tsr_session_is_data_pending (f->session, TSR_DATA_OPERATIONS)
         && !tsr_operation_page_is_busy (f->page)
         && tsr_row_view_get_shown (tsr_operation_page_get_list (f->page)) != NULL;
}

#define settle(f)                                                                                  \
  G_STMT_START                                                                                     \
  {                                                                                                \
    tsr_ui_test_run (60);                                                                          \
    tsr_ui_test_wait (is_ready (f));                                                               \
  }                                                                                                \
  G_STMT_END

static void
show_window (Fixture *f)
{
  f->settings = tsr_settings_new ("none.such");
  f->session = tsr_session_new (f->settings);
  f->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 720);
  f->page = g_object_new (TSR_TYPE_OPERATION_PAGE, NULL);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->page));
  tsr_page_set_session (TSR_PAGE (f->page), f->session);
  gtk_window_present (GTK_WINDOW (f->window));
  open_report (f);
}

static void
setup (Fixture *f, gconstpointer preset)
{
  f->folder = tsr_test_report_new (preset);
  tsr_test_copy (tsr_test_get_report (preset), f->folder, "debug.cbor");
  show_window (f);
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
list (Fixture *f)
{
  return tsr_operation_page_get_list (f->page);
}

static TsrRows *
rows (Fixture *f)
{
  return tsr_row_view_get_shown (list (f));
}

static TsrOperations *
operations (Fixture *f)
{
  return tsr_operation_page_get_operations (f->page);
}

static guint
find_column (TsrRows *of, const char *key)
{
  for (guint i = 0; i < tsr_rows_get_n_columns (of); i++)
    if (g_strcmp0 (tsr_rows_get_column (of, i)->key, key) == 0)
      return i;
  g_assert_not_reached ();
}

static gint64
get (Fixture *f, guint32 row, const char *key)
{
  return tsr_rows_get_value (rows (f), row, find_column (rows (f), key));
}

static const char *
get_name (Fixture *f, guint32 row)
{
  return tsr_rows_get_text (rows (f), row, find_column (rows (f), "debugName"));
}

static gint64
sum (TsrRows *of, const char *key)
{
  const guint column = find_column (of, key);
  gint64 all = 0;

  for (guint32 row = 0; row < tsr_rows_get_n (of); row++)
    if (tsr_rows_get_end (of, row) == row + 1)
      all += tsr_rows_get_value (of, row, column);
  return all;
}

static guint32
get_selected (Fixture *f)
{
  g_autoptr (GArray) selected = tsr_row_view_dup_selected (list (f));

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
  tsr_row_view_select (list (f), &row, row != TSR_NO_INDEX ? 1 : 0);
  g_signal_emit_by_name (list (f), "selection-changed");
}

/* The row of an operation with programs and variables: the costliest one that has a name. */
static guint32
pick (Fixture *f)
{
  guint32 best = TSR_NO_INDEX;

  for (guint32 row = 0; row < tsr_rows_get_n (rows (f)); row++)
    if (tsr_rows_get_end (rows (f), row) == row + 1 && get_name (f, row) != NULL
        && get (f, row, "variableBytes") > 0
        && (best == TSR_NO_INDEX
            || get (f, row, "measuredTileCycles") > get (f, best, "measuredTileCycles")))
      best = row;
  g_assert_cmpuint (best, !=, TSR_NO_INDEX);
  return best;
}

/* (transfer full): ids of the programs of the selected operation, with commas. */
static char *
dup_programs (Fixture *f)
{
  const guint operation = tsr_operation_find (operations (f), tsr_operation_page_get_key (f->page));
  const TsrProgramTables *t = tsr_programs_get_tables (tsr_operations_get_graph (operations (f)));
  GString *ids = g_string_new (NULL);
  const guint32 *programs;
  guint n;

  g_assert_cmpuint (operation, !=, TSR_NO_INDEX);
  programs = tsr_operations_get_programs (operations (f), operation, &n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (ids, "%s%" PRId64, i > 0 ? "," : "", t->program_id[programs[i]]);
  return g_string_free (ids, FALSE);
}

static const TsrTableAnswer *
show_tab (Fixture *f, TsrOperationDetail detail)
{
  TsrTabs *tabs = TSR_TABS (tsr_ui_test_child (f->page, "tabs"));

  tsr_tabs_show (tabs, detail);
  settle (f);
  tsr_ui_test_wait (tsr_tabs_get (tabs, detail)->answer != NULL && !tsr_tabs_is_busy (tabs));
  return tsr_tabs_get (tabs, detail)->answer;
}

/* ----------------------------------------------------------------- numbers */

/* What belongs to no operation of the layer is called so, and is the first row of every order. */
static void
check_none (Fixture *f)
{
  const char *layer = tsr_operations_get_layer (operations (f));
  g_autofree char *title
      = g_str_equal (layer, "poplibs")
            ? g_strdup ("No debug information")
            : g_strdup_printf ("No operation of %s", tsr_operations_get_layer_title (layer));
  const guint32 n = tsr_rows_get_n (rows (f));
  guint found = 0;

  g_assert_cmpstr (tsr_operations_get_none_title (operations (f)), ==, title);
  for (guint column = 0; column < tsr_rows_get_n_columns (rows (f)); column++)
    for (guint way = 0; way < 2; way++)
      {
        g_autoptr (TsrRowOrder) order
            = tsr_rows_arrange (rows (f), (int)column, way == 1, NULL, NULL, NULL);

        for (guint32 k = 0; k < n; k++)
          if (g_strcmp0 (tsr_rows_get_text (rows (f), order->rows[k], 0), title) == 0)
            {
              g_assert_cmpuint (k, ==, 0);
              found++;
            }
      }
  g_assert_cmpuint (found, ==, 2 * tsr_rows_get_n_columns (rows (f)));
}

/* What belongs to operations adds up to the report's, in each layer. */
static void
test_totals (Fixture *f, gconstpointer data)
{
  g_auto (GStrv) layers = tsr_operations_dup_layers (tsr_operations_get_debug (operations (f)));

  g_assert_cmpstr (layers[0], ==, "poplibs");
  for (guint i = 0; layers[i] != NULL; i++)
    {
      g_autofree char *words = g_strconcat ("page=operations&layer=", layers[i], NULL);
      g_autoptr (GHashTable) link = tsr_view_words_parse (words);

      tsr_page_load_words (TSR_PAGE (f->page), link);
      settle (f);
      tsr_ui_test_wait (g_str_equal (tsr_operations_get_layer (operations (f)), layers[i]));
      settle (f);
      check_none (f);
      g_assert_cmpint (sum (rows (f), "nPrograms"), ==,
                       tsr_test_ask (f->folder, "SELECT count(*) FROM programs"));
      g_assert_cmpint (sum (rows (f), "measuredTileCycles"), ==,
                       tsr_test_ask (f->folder,
                                     "SELECT sum(a.total) FROM steps s JOIN steps_by_ipu i ON "
                                     "i.step_id = s.id JOIN tile_cycles t ON t.set_id = "
                                     "s.tile_cycles AND t.ipu = i.ipu JOIN tile_arrays a ON a.id = "
                                     "t.cycles_by_tile"));
      g_assert_cmpint (sum (rows (f), "tileCyclesShare"), <=, 1000000100);
      g_assert_cmpint (sum (rows (f), "tileCyclesShare"), >=, 999999900);
      /* The summary without a selection. */
      {
        TsrRows *of = show_tab (f, TSR_OPERATION_DETAIL_SUMMARY)->rows;

        g_assert_cmpint (tsr_rows_get_value (of, 0, find_column (of, "total")), ==,
                         tsr_operations_get_n (operations (f)) - 1);
        g_assert_cmpstr (tsr_rows_get_column (of, 1)->key, ==, "total");
      }
    }
  /* A layer that the report does not have: the first one, and it is said. */
  {
    g_autoptr (GHashTable) link = tsr_view_words_parse ("page=operations&layer=nonsense");
    g_autofree char *scope = NULL;

    tsr_page_load_words (TSR_PAGE (f->page), link);
    settle (f);
    tsr_ui_test_wait (g_str_equal (tsr_operations_get_layer (operations (f)), "poplibs"));
    scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (TSR_PAGE (f->page)));
    g_assert_nonnull (strstr (scope, "nonsense"));
  }
}

/* ------------------------------------------------- order, filter and groups */

static void
test_list (Fixture *f, gconstpointer data)
{
  const guint n = tsr_row_view_get_n_shown (list (f));
  gboolean descending;
  g_autofree char *name = NULL, *counted = NULL;
  guint n_groups = 0;

  g_assert_cmpuint (n, ==, tsr_operation_rows_get_n (operations (f)));
  /* What the figures cover stands before the filter, as in the other pages. */
  {
    GtkWidget *line = GTK_WIDGET (tsr_page_get_scope_line (TSR_PAGE (f->page)));

    g_assert_true (gtk_widget_get_prev_sibling (line)
                   == GTK_WIDGET (tsr_ui_test_child (f->page, "show_button")));
    g_assert_true (
        gtk_widget_compute_expand (gtk_widget_get_next_sibling (line), GTK_ORIENTATION_HORIZONTAL));
  }
  g_assert_cmpstr (
      tsr_rows_get_column (rows (f), (guint)tsr_row_view_get_sort_column (list (f), &descending))
          ->key,
      ==, "codeBytes");
  g_assert_true (descending);
  name = g_strdup (get_name (f, pick (f)));
  tsr_row_view_set_filter (list (f), name);
  tsr_ui_test_wait (tsr_row_view_get_n_shown (list (f)) < n);
  g_assert_cmpuint (tsr_row_view_get_n_shown (list (f)), >=, 1);
  tsr_row_view_set_filter (list (f), "/conv[12]$/");
  tsr_ui_test_wait (!tsr_row_view_is_busy (list (f)));
  settle (f);
  {
    guint n_wanted = 0;

    for (guint32 row = 0; row < tsr_rows_get_n (rows (f)); row++)
      n_wanted += get_name (f, row) != NULL
                  && (g_str_has_suffix (get_name (f, row), "conv1")
                      || g_str_has_suffix (get_name (f, row), "conv2"));
    g_assert_cmpuint (n_wanted, >, 1);
    g_assert_cmpuint (tsr_row_view_get_n_shown (list (f)), ==, n_wanted);
  }
  tsr_row_view_set_filter (list (f), "");
  settle (f);
  /* Groups stand over what they sum up; what is selected is unfolded to. */
  select_row (f, pick (f));
  g_object_set (f->page, "group", "api", NULL);
  settle (f);
  g_assert_true (tsr_rows_is_tree (rows (f)));
  for (guint32 row = 0; row < tsr_rows_get_n (rows (f)); row++)
    {
      const guint32 end = tsr_rows_get_end (rows (f), row);
      gint64 flops = 0, code = 0, most = 0, cycles = 0;

      if (end == row + 1)
        continue;
      n_groups++;
      for (guint32 below = row + 1; below < end; below++)
        {
          flops += get (f, below, "flops");
          cycles += get (f, below, "wallCycles");
          code += get (f, below, "codeBytes");
          most = MAX (most, get (f, below, "codeBytes"));
        }
      g_assert_cmpint (get (f, row, "flops"), ==, flops);
      /* There is one IPU, so its steps follow each other. */
      g_assert_cmpint (get (f, row, "wallCycles"), ==, cycles);
      /* Vertices that several have count once. */
      g_assert_cmpint (get (f, row, "codeBytes"), >=, most);
      g_assert_cmpint (get (f, row, "codeBytes"), <=, code);
      g_assert_cmpint (get (f, row, "codeBytes"), ==,
                       get (f, row, "controlCodeBytes") + get (f, row, "exchangeCodeBytes")
                           + get (f, row, "vertexCodeBytes"));
    }
  g_assert_cmpuint (n_groups, >, 1);
  g_assert_cmpuint (tsr_rows_get_n (rows (f)), ==, n + n_groups);
  counted = g_strdup_printf ("%u · %u groups", n - 1, n_groups); /* one belongs to none */
  g_assert_true (tsr_ui_test_says (GTK_WIDGET (f->page), counted));
  g_assert_cmpstr (get_name (f, get_selected (f)), ==, name);
  fire (f, "operations.collapse-all");
  settle (f);
  g_assert_cmpuint (tsr_row_view_get_n_shown (list (f)), <, n);
  fire (f, "operations.expand-all");
  settle (f);
  g_assert_cmpuint (tsr_row_view_get_n_shown (list (f)), ==, n + n_groups);
  /* A group is no operation, and stays selected. */
  for (guint32 row = 0; row < tsr_rows_get_n (rows (f)); row++)
    if (tsr_rows_get_end (rows (f), row) > row + 1)
      {
        select_row (f, row);
        settle (f);
        g_assert_cmpuint (get_selected (f), ==, row);
        g_assert_cmpstr (tsr_operation_page_get_key (f->page), ==, "");
        break;
      }
  g_object_set (f->page, "group", "prefix", NULL);
  settle (f);
  g_assert_cmpint (sum (rows (f), "nPrograms"), ==,
                   tsr_test_ask (f->folder, "SELECT count(*) FROM programs"));
}

/* ----------------------------------------------------------------- details */

static gint64
ask_about (Fixture *f, const char *programs, const char *before, const char *after)
{
  g_autofree char *sql = g_strconcat (before, programs, after, NULL);

  return tsr_test_query (f->folder, "profile.pop", sql);
}

/* By three parts of the name, each layer of the gradient is a row. */
static void
test_parts (Fixture *f, gconstpointer data)
{
  guint n = 0;

  g_object_set (f->page, "group", "prefix-3", NULL);
  settle (f);
  for (guint32 row = 0; row < tsr_rows_get_n (rows (f)); row++)
    if (tsr_rows_get_end (rows (f), row) > row + 1)
      for (guint32 below = row + 1; below < tsr_rows_get_end (rows (f), row); below++)
        {
          g_autofree char *prefix = tsr_name_dup_prefix (get_name (f, below), 3);

          g_assert_true (g_str_has_suffix (
              tsr_rows_get_text (rows (f), row, find_column (rows (f), "name")), prefix));
          n++;
        }
  g_assert_cmpuint (n, >, 1);
}

/* What is selected in a chart over all tiles is selected everywhere. */
static void
check_selects (Fixture *f, TsrPlane *chart)
{
  TsrTileSelection *selection = tsr_session_get_selection (f->session);
  const guint last = tsr_memory_get_n_tiles (tsr_session_get_memory (f->session)) - 1;
  const struct
  {
    guint from, to;
    TsrSelectMode mode;
    guint n, first;
  } steps[] = {
    { 10, 13, TSR_SELECT_REPLACE, 3, 10 }, { 20, 21, TSR_SELECT_ADD, 4, 10 },
    { 10, 11, TSR_SELECT_TOGGLE, 3, 11 },  { last, last + 1, TSR_SELECT_REPLACE, 1, last },
    { 0, 0, TSR_SELECT_CLEAR, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      const guint *tiles;
      guint n;

      g_signal_emit_by_name (chart, "select", (double)steps[i].from, (double)steps[i].to,
                             steps[i].mode);
      tiles = tsr_tile_selection_peek (selection, &n);
      g_assert_cmpuint (n, ==, steps[i].n);
      if (n > 0)
        g_assert_cmpuint (tiles[0], ==, steps[i].first);
    }
}

static void
test_details (Fixture *f, gconstpointer data)
{
  TsrOperationTabs *tabs = tsr_ui_test_child (f->page, "tabs");
  g_autofree char *key = NULL, *programs = NULL;
  guint32 row = pick (f);
  TsrRows *of;

  g_assert_cmpint (g_ascii_strtoll (tsr_page_get_status_right (TSR_PAGE (f->page)), NULL, 10), ==,
                   tsr_operations_get_n (tsr_operation_page_get_operations (f->page)) - 1);
  select_row (f, row);
  settle (f);
  key = g_strdup (tsr_operation_page_get_key (f->page));
  programs = dup_programs (f);
  g_assert_nonnull (
      strstr (tsr_page_get_status_right (TSR_PAGE (f->page)), get_name (f, get_selected (f))));

  of = show_tab (f, TSR_OPERATION_DETAIL_SUMMARY)->rows;
  for (guint32 i = 0; i < tsr_rows_get_n (of); i++)
    {
      g_autofree char *figure = tsr_rows_dup_key (of, i);

      if (!g_str_equal (figure, "nOperations"))
        g_assert_cmpint (tsr_rows_get_value (of, i, find_column (of, "value")), ==,
                         get (f, row, figure));
    }
  of = show_tab (f, TSR_OPERATION_DETAIL_PROGRAMS)->rows;
  g_assert_cmpint (tsr_rows_get_n (of), ==, get (f, row, "nPrograms"));
  /* A variable stands there for each operation at its other end: its bytes are not added up. */
  for (guint i = 0; i < 2; i++)
    {
      of = show_tab (f, i == 0 ? TSR_OPERATION_DETAIL_PRODUCERS : TSR_OPERATION_DETAIL_CONSUMERS)
               ->rows;
      g_assert_false (tsr_rows_get_column (of, find_column (of, "bytes"))->summed);
    }
  of = show_tab (f, TSR_OPERATION_DETAIL_STEPS)->rows;
  g_assert_cmpint (tsr_rows_get_n (of), ==,
                   ask_about (f, programs, "SELECT count(*) FROM steps WHERE program IN (", ")"));
  of = show_tab (f, TSR_OPERATION_DETAIL_CODE)->rows;
  g_assert_cmpint (tsr_rows_get_n (of), ==,
                   tsr_test_ask (f->folder, "SELECT count(*) FROM memory_by_tile"));
  g_assert_cmpint (sum (of, "exchangeCodeBytes"), ==,
                   ask_about (f, programs,
                              "SELECT coalesce(sum(a.total), 0) FROM programs p JOIN tile_arrays a "
                              "ON a.id = p.code_bytes_by_tile WHERE p.id IN (",
                              ")"));
  g_assert_cmpint (sum (of, "vertexCodeBytes"), ==, get (f, row, "vertexCodeBytes"));
  {
    TsrPlane *chart = tsr_operation_tiles_get_chart (
        tsr_operation_tabs_get_tiles (tabs, TSR_OPERATION_DETAIL_CODE));
    TsrChartModel *model = tsr_plane_get_model (chart);
    double bottom = 0;

    /* Of a window of 720 header and status take 82: the axis of the chart stays in what is left. */
    gtk_window_set_default_size (GTK_WINDOW (f->window), 1226, 638);
    tsr_ui_test_wait (gtk_widget_get_height (f->window) == 638);
    tsr_ui_test_run (100);
    gtk_widget_translate_coordinates (GTK_WIDGET (chart), f->window, 0,
                                      gtk_widget_get_height (GTK_WIDGET (chart)), NULL, &bottom);
    g_assert_cmpfloat (bottom, >, 400);
    g_assert_cmpfloat (bottom, <=, 638);
    gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 720);
    g_assert_nonnull (model);
    g_assert_cmpuint (tsr_chart_model_get_n_series (model), ==, 3);
    check_selects (f, chart);
  }
  of = show_tab (f, TSR_OPERATION_DETAIL_CYCLES)->rows;
  g_assert_cmpint (
      sum (of, "measured"), ==,
      ask_about (f, programs,
                 "SELECT sum(a.total) FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id JOIN "
                 "tile_cycles t ON t.set_id = s.tile_cycles AND t.ipu = i.ipu JOIN tile_arrays a "
                 "ON a.id = t.cycles_by_tile WHERE s.program IN (",
                 ")"));
  of = show_tab (f, TSR_OPERATION_DETAIL_VARIABLES)->rows;
  g_assert_cmpint (sum (of, "ownBytes"), ==, get (f, row, "variableBytes"));
  g_assert_cmpint (tsr_rows_get_n (of), >=,
                   ask_about (f, programs,
                              "SELECT count(DISTINCT variable) FROM program_variables WHERE "
                              "program IN (",
                              ")"));
  of = show_tab (f, TSR_OPERATION_DETAIL_DEBUG)->rows;
  g_assert_cmpuint (tsr_rows_get_n (of), >, 1);
  /* Another operation, another code; then none: words in its place. */
  show_tab (f, TSR_OPERATION_DETAIL_CODE);
  tsr_operation_page_set_key (f->page, NULL);
  settle (f);
  tsr_ui_test_wait (tsr_tabs_get (TSR_TABS (tabs), TSR_OPERATION_DETAIL_CODE)->answer != NULL
                    && tsr_tabs_get (TSR_TABS (tabs), TSR_OPERATION_DETAIL_CODE)->answer->rows
                           == NULL);
  g_assert_cmpuint (get_selected (f), ==, TSR_NO_INDEX);
  /* A reload keeps what is selected. */
  tsr_operation_page_set_key (f->page, key);
  open_report (f);
  settle (f);
  g_assert_cmpstr (tsr_operation_page_get_key (f->page), ==, key);
  tsr_ui_test_wait (get_selected (f) != TSR_NO_INDEX);
  g_clear_pointer (&key, g_free);
  key = dup_programs (f);
  g_assert_cmpstr (key, ==, programs);
}

/* The list is as high whatever tab is chosen below it, with and without an operation. */
static void
test_steady (Fixture *f, gconstpointer data)
{
  int height = 0;

  for (guint turn = 0; turn < 2; turn++)
    {
      for (guint detail = 0; detail < TSR_OPERATION_N_DETAILS; detail++)
        {
          tsr_tabs_show (TSR_TABS (tsr_ui_test_child (f->page, "tabs")), detail);
          settle (f);
          tsr_ui_test_run (60);
          if (height == 0)
            height = gtk_widget_get_height (GTK_WIDGET (list (f)));
          g_test_message ("tab %u: %d", detail, gtk_widget_get_height (GTK_WIDGET (list (f))));
          g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (list (f))), ==, height);
        }
      select_row (f, pick (f));
    }
}

/* A click in the roofline selects, and what is selected is marked there. */
static void
test_roofline (Fixture *f, gconstpointer data)
{
  TsrPlane *plane
      = TSR_PLANE (tsr_operation_tabs_get_roofline (tsr_ui_test_child (f->page, "tabs")));
  TsrRoofline *roofline;
  TsrChartGeometry geometry;
  TsrPlotArea area;
  guint32 operation, other;
  double x = 0, y = 0;

  tsr_tabs_show (TSR_TABS (tsr_ui_test_child (f->page, "tabs")), TSR_OPERATION_DETAIL_FLOPS);
  settle (f);
  roofline = (TsrRoofline *)tsr_plane_get_model (plane);
  g_assert_cmpuint (tsr_roofline_get_n (roofline), >, 5);
  tsr_ui_test_wait (tsr_plane_get_geometry (plane, &geometry, &area) && area.width > 0);
  operation = tsr_roofline_neighbour (roofline, TSR_NO_DATUM, 1, 0);
  g_assert_true (tsr_roofline_get_point (roofline, &geometry, &area, operation, &x, &y));
  tsr_plane_press (plane, x, y, GDK_BUTTON_PRIMARY, 1, 0);
  tsr_plane_release (plane, x, y, 0);
  settle (f);
  g_assert_cmpuint (tsr_operation_find (operations (f), tsr_operation_page_get_key (f->page)), ==,
                    operation);
  g_assert_cmpstr (get_name (f, get_selected (f)), ==,
                   tsr_operations_get_name (operations (f), operation));
  g_assert_true (tsr_plane_shows_cursor (plane));
  gtk_widget_activate_action (GTK_WIDGET (plane), "chart.cursor-left", NULL);
  other = tsr_roofline_neighbour (roofline, operation, -1, 0);
  g_assert_cmpuint (other, !=, operation);
  g_assert_cmpuint (tsr_operation_find (operations (f), tsr_operation_page_get_key (f->page)), ==,
                    other);
  g_assert_cmpuint (tsr_plane_get_cursor (plane), ==, other);
}

/* Variables are selected together with the window's. */
static void
test_variables (Fixture *f, gconstpointer data)
{
  TsrTab *tab = tsr_tabs_get (TSR_TABS (tsr_ui_test_child (f->page, "tabs")),
                              TSR_OPERATION_DETAIL_VARIABLES);
  TsrStepSelection *steps = tsr_session_get_steps (f->session);
  g_autoptr (GArray) selected = NULL;
  const char *names[] = { NULL, NULL };
  guint32 row = 0;

  select_row (f, pick (f));
  show_tab (f, TSR_OPERATION_DETAIL_VARIABLES);
  tsr_row_view_select (tab->view, &row, 1);
  g_signal_emit_by_name (tab->view, "selection-changed");
  names[0] = tsr_rows_get_text (tab->answer->rows, 0, 0);
  g_assert_cmpstr (tsr_step_selection_peek_variables (steps)[0], ==, names[0]);
  names[0] = tsr_rows_get_text (tab->answer->rows, 1, 0);
  tsr_step_selection_set_variables (steps, names);
  selected = tsr_row_view_dup_selected (tab->view);
  g_assert_cmpuint (selected->len, ==, 1);
  g_assert_cmpuint (g_array_index (selected, guint32, 0), ==, 1);
}

/* ------------------------------------------------------------------- links */

static void
check_leads (Fixture *f, const char *text, guint operation)
{
  g_autofree char *words = g_strconcat ("page=operations&", text, NULL);
  g_autofree char *key = tsr_operation_dup_key (operations (f), operation);
  g_autoptr (GHashTable) link = tsr_view_words_parse (words);

  tsr_operation_page_set_key (f->page, NULL);
  tsr_page_load_words (TSR_PAGE (f->page), link);
  settle (f);
  g_assert_cmpstr (tsr_operation_page_get_key (f->page), ==, key);
  g_assert_cmpuint (get_selected (f), !=, TSR_NO_INDEX);
}

static void
test_links (Fixture *f, gconstpointer data)
{
  g_autoptr (GHashTable) words = tsr_view_words_new ();
  g_autofree char *key = NULL;
  TsrVariables *variables = tsr_operations_get_variables (operations (f));
  TsrPrograms *graph = tsr_operations_get_graph (operations (f));

  select_row (f, pick (f));
  key = g_strdup (tsr_operation_page_get_key (f->page));
  show_tab (f, TSR_OPERATION_DETAIL_STEPS);
  tsr_row_view_set_sort (list (f), "-flops");
  tsr_row_view_set_filter (list (f), "conv");
  g_object_set (f->page, "group", "prefix-2", NULL);
  settle (f);
  tsr_page_save_words (TSR_PAGE (f->page), words);
  g_assert_cmpstr (tsr_view_words_get (words, "operation"), ==, key);
  g_assert_cmpstr (tsr_view_words_get (words, "tab"), ==, "steps");
  g_assert_cmpstr (tsr_view_words_get (words, "sort"), ==, "-flops");
  g_assert_cmpstr (tsr_view_words_get (words, "filter"), ==, "conv");
  g_assert_cmpstr (tsr_view_words_get (words, "group"), ==, "prefix-2");
  /* Something else, and back. */
  g_object_set (f->page, "group", "none", NULL);
  tsr_row_view_set_filter (list (f), "");
  tsr_operation_page_set_key (f->page, "none");
  settle (f);
  g_assert_null (get_name (f, get_selected (f)));
  tsr_page_load_words (TSR_PAGE (f->page), words);
  settle (f);
  g_assert_cmpstr (tsr_operation_page_get_key (f->page), ==, key);
  g_assert_cmpstr (tsr_row_view_get_filter (list (f)), ==, "conv");
  g_assert_true (tsr_rows_is_tree (rows (f)));
  /* What other views know: a program, a compute set, a variable. */
  for (guint32 program = 0; program < tsr_programs_get_n (graph); program += 17)
    {
      g_autofree char *text = g_strdup_printf (
          "program=%" PRId64, tsr_programs_get_tables (graph)->program_id[program]);

      check_leads (f, text, tsr_operations_of_program (operations (f), program));
    }
  for (guint variable = 0; variable < tsr_variables_get_n (variables); variable += 29)
    {
      const char *name = tsr_variables_get_name (variables, variable);
      g_autofree char *escaped = g_uri_escape_string (name, NULL, TRUE);
      g_autofree char *text = g_strconcat ("variable=", escaped, NULL);

      if (tsr_variables_find (variables, name) == variable)
        check_leads (f, text, tsr_operations_of_variable (operations (f), variable));
    }
}

/* What was called leaves room for figures in a narrow window, and has it back in a wide one. */
static void
test_narrow (Fixture *f, gconstpointer data)
{
  TsrRowView *view = tsr_operation_page_get_list (f->page);
  GListModel *columns = gtk_column_view_get_columns (tsr_row_view_get_column_view (view));
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);

  tsr_ui_test_wait (gtk_column_view_column_get_fixed_width (column) > 240);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 800, 720);
  tsr_ui_test_wait (gtk_column_view_column_get_fixed_width (column) <= 220);
  g_assert_cmpint (gtk_column_view_column_get_fixed_width (column), >=, 160);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 720);
  tsr_ui_test_wait (gtk_column_view_column_get_fixed_width (column) > 240);
}

static guint
count_visible (Fixture *f)
{
  GListModel *columns = gtk_column_view_get_columns (
      tsr_row_view_get_column_view (tsr_operation_page_get_list (f->page)));
  guint n = 0;

  /* The last one fills the rest, when the layout needs it. */
  for (guint i = 0; i + 1 < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      n += gtk_column_view_column_get_visible (column);
    }
  return n;
}

/* Columns of a link that are not known are left out; where none is, the usual ones are shown. */
/* More of the usual columns where there is room, and only there. */
static void
test_roomy (Fixture *f, gconstpointer data)
{
  guint usual;

  settle (f);
  usual = count_visible (f);
  /* Wider than the screen. */
  gtk_widget_set_size_request (GTK_WIDGET (f->page), 3600, -1);
  tsr_ui_test_wait (count_visible (f) == usual + 5);
  gtk_widget_set_size_request (GTK_WIDGET (f->page), -1, -1);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 720);
  tsr_ui_test_wait (count_visible (f) == usual);
}

static void
test_link_columns (Fixture *f, gconstpointer data)
{
  guint usual;
  static const struct
  {
    const char *columns;
    guint expected; /* with the operation's; 0: the usual ones */
  } cases[] = { { "none.such%0Aother", 0 }, { "flops%0Aother", 2 }, { "other", 0 } };

  settle (f);
  usual = count_visible (f);
  g_assert_cmpuint (usual, >, 4);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = g_strconcat ("page=operations&columns=", cases[i].columns, NULL);
      g_autoptr (GHashTable) link = tsr_view_words_parse (words);

      tsr_page_load_words (TSR_PAGE (f->page), link);
      settle (f);
      g_assert_cmpuint (count_visible (f), ==, cases[i].expected > 0 ? cases[i].expected : usual);
    }
}

/* ------------------------------------------------------------ nothing there */

static char *led, *said; /* by the action that was fired last */

static void
on_led (GSimpleAction *action, GVariant *words, gpointer data)
{
  g_assert_null (led);
  led = g_variant_dup_string (words, NULL);
}

static void
on_said (GSimpleAction *action, GVariant *text, gpointer data)
{
  g_assert_null (said);
  said = g_variant_dup_string (text, NULL);
}

/* Memory shows the compute sets of an operation, else the variables that are called like it.
 * Whether it has compute sets. */
static gboolean
check_way_to_memory (Fixture *f, guint operation)
{
  const TsrProgramTables *t = tsr_programs_get_tables (tsr_session_get_programs (f->session));
  const char *name = tsr_operations_get_name (operations (f), operation);
  guint n;
  const guint32 *programs = tsr_operations_get_programs (operations (f), operation, &n);
  g_autoptr (GHashTable) words = NULL;
  gboolean sets = FALSE;

  for (guint i = 0; i < n; i++)
    sets |= tsr_test_ask (f->folder, "SELECT compute_set IS NOT NULL FROM programs WHERE id = %d",
                          (int)t->program_id[programs[i]])
            > 0;
  fire (f, "operations.show-in-memory");
  g_assert_null (said);
  words = tsr_view_words_parse (led);
  g_assert_cmpstr (tsr_view_words_get (words, "page"), ==, "memory");
  g_assert_cmpstr (tsr_view_words_get (words, "tab"), ==, sets ? "compute-sets" : "variables");
  g_assert_null (tsr_view_words_get (words, "range"));
  if (!sets)
    {
      g_autofree char *filter = name != NULL && *name != '\0' ? tsr_filter_dup_name (name) : NULL;

      g_assert_cmpstr (tsr_view_words_get (words, "filter"), ==, filter);
    }
  g_clear_pointer (&led, g_free);
  return sets;
}

/* Where an operation is to be seen elsewhere: each way leads there, or it is said why not. */
static void
check_ways (Fixture *f, gboolean has_steps)
{
  static const struct
  {
    const char *action, *page, *none;
  } ways[] = {
    { "operations.show-in-programs", "programs", "It has no programs" },
    { "operations.show-in-trace", "trace", "No execution of it is recorded" },
    { "operations.show-in-liveness", "liveness", "It has neither a liveness step nor a variable" },
  };
  static const GActionEntry entries[]
      = { { .name = "go", .activate = on_led, .parameter_type = "s" },
          { .name = "toast", .activate = on_said, .parameter_type = "s" } };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  guint n_led[G_N_ELEMENTS (ways)] = { 0 }, n_sets = 0, n_all = 0;

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), NULL);
  gtk_widget_insert_action_group (f->window, "win", G_ACTION_GROUP (group));
  for (guint32 row = 0; row < MIN (tsr_rows_get_n (rows (f)), 60); row++)
    {
      guint operation, n_programs;

      select_row (f, row);
      operation = tsr_operation_find (operations (f), tsr_operation_page_get_key (f->page));
      if (operation == TSR_NO_INDEX)
        continue;
      tsr_operations_get_programs (operations (f), operation, &n_programs);
      for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
        {
          fire (f, ways[i].action);
          g_assert_true ((led != NULL) != (said != NULL));
          if (led != NULL)
            {
              g_autofree char *start = g_strconcat ("page=", ways[i].page, NULL);

              g_assert_nonnull (strstr (led, start));
              n_led[i]++;
            }
          else
            g_assert_cmpstr (said, ==, ways[i].none);
          g_assert_true (i != 0 || (led != NULL) == (n_programs > 0));
          g_assert_true (i != 1 || has_steps || said != NULL);
          g_clear_pointer (&led, g_free);
          g_clear_pointer (&said, g_free);
        }
      n_sets += check_way_to_memory (f, operation);
      n_all++;
    }
  /* Some have compute sets, and some have only variables. */
  g_assert_cmpuint (n_sets, >, 0);
  g_assert_cmpuint (n_sets, <, n_all);
  g_assert_cmpuint (n_led[0], >, 5);
  g_assert_true ((n_led[1] > 5) == has_steps);
  g_test_message ("%u, %u and %u lead elsewhere", n_led[0], n_led[1], n_led[2]);
  gtk_widget_insert_action_group (f->window, "win", NULL);
}

static void
test_ways (Fixture *f, gconstpointer data)
{
  check_ways (f, TRUE);
}

/* What was executed is not recorded, nor which variables there are. */
static void
setup_bare (Fixture *f, gconstpointer preset)
{
  f->folder = tsr_test_report_new (preset);
  tsr_test_sql (f->folder, "profile.pop",
                "DELETE FROM steps; DELETE FROM steps_by_ipu; DELETE FROM liveness_steps");
  tsr_test_copy (tsr_test_get_report (preset), f->folder, "debug.cbor");
  show_window (f);
  settle (f);
}

static void
test_bare_ways (Fixture *f, gconstpointer data)
{
  check_ways (f, FALSE);
}

static void
setup_without (Fixture *f, gconstpointer preset)
{
  f->folder = tsr_test_report_new (preset);
  show_window (f);
  tsr_ui_test_wait (!tsr_session_is_stage_pending (f->session, TSR_STAGE_LIVENESS));
  tsr_ui_test_run (100);
}

/* Without debug.cbor the page says what records it; a damaged one is as good as what was read. */
static void
test_nothing (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "debug.cbor", NULL);
  g_autofree char *contents = NULL;
  gsize length = 0;

  tsr_ui_test_wait (tsr_ui_test_says (GTK_WIDGET (f->page), "autoReport.outputDebugInfo"));
  g_assert_false (tsr_page_is_content_shown (TSR_PAGE (f->page)));

  tsr_test_copy (tsr_test_get_report ("poplibs"), f->folder, "debug.cbor");
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_true (g_file_set_contents (path, contents, (gssize)length / 2, NULL));
  open_report (f);
  tsr_ui_test_wait (tsr_session_get_report (f->session) != NULL
                    && !tsr_session_is_stage_pending (f->session, TSR_STAGE_DEBUG)
                    && !tsr_session_is_stage_pending (f->session, TSR_STAGE_EXECUTION));
  tsr_ui_test_run (300);
  if (tsr_report_get_stage_state (tsr_session_get_report (f->session), TSR_STAGE_DEBUG)
      == TSR_STAGE_READY)
    {
      settle (f);
      g_assert_cmpint (sum (rows (f), "nPrograms"), ==,
                       tsr_test_ask (f->folder, "SELECT count(*) FROM programs"));
    }
  else
    g_assert_true (tsr_ui_test_says (GTK_WIDGET (f->page), "debug.cbor"));

  tsr_test_write (f->folder, "debug.cbor", "no debug information", -1);
  open_report (f);
  tsr_ui_test_wait (tsr_ui_test_says (GTK_WIDGET (f->page), "debug.cbor"));

  tsr_test_write (f->folder, "debug.cbor",
                  "\xa2\x68"
                  "contexts\x80\x6b"
                  "stringTable\x80",
                  -1);
  open_report (f);
  tsr_ui_test_wait (tsr_ui_test_says (GTK_WIDGET (f->page), "no context that belongs to a layer"));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
  g_test_add ("/operation-page/totals", Fixture, "demo", setup, test_totals, teardown);
  g_test_add ("/operation-page/list", Fixture, "poplibs", setup, test_list, teardown);
  g_test_add ("/operation-page/parts", Fixture, "demo", setup, test_parts, teardown);
  g_test_add ("/operation-page/details", Fixture, "poplibs", setup, test_details, teardown);
  g_test_add ("/operation-page/steady", Fixture, "poplibs", setup, test_steady, teardown);
  g_test_add ("/operation-page/roofline", Fixture, "poplibs", setup, test_roofline, teardown);
  g_test_add ("/operation-page/variables", Fixture, "poplibs", setup, test_variables, teardown);
  g_test_add ("/operation-page/links", Fixture, "poplibs", setup, test_links, teardown);
  g_test_add ("/operation-page/narrow", Fixture, "oom", setup, test_narrow, teardown);
  g_test_add ("/operation-page/roomy", Fixture, "demo", setup, test_roomy, teardown);
  g_test_add ("/operation-page/link-columns", Fixture, "poplibs", setup, test_link_columns,
              teardown);
  g_test_add ("/operation-page/ways", Fixture, "poplibs", setup, test_ways, teardown);
  g_test_add ("/operation-page/bare-ways", Fixture, "poplibs", setup_bare, test_bare_ways,
              teardown);
  g_test_add ("/operation-page/nothing", Fixture, "poplibs", setup_without, test_nothing, teardown);
  return g_test_run ();
}

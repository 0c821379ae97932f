/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tabs of the Execution Trace in a window: what they follow, what they select, where they lead,
 * their words and texts. */

#include "config.h"

#include "tsr-canvas.h"
#include "tsr-chart.h"
#include "tsr-page.h"
#include "tsr-painter.h"
#include "tsr-rows-print.h"
#include "tsr-save-dialog.h"
#include "tsr-swatch.h"
#include "tsr-test.h"
#include "tsr-tile-map-view.h"
#include "tsr-trace-tabs-private.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

typedef struct
{
  char *folder;
  TsrSettings *settings;
  TsrSession *session;
  TsrTraceState *state;
  GtkWidget *window;
  TsrTraceTabs *tabs;
  gint64 go_from, go_to;
} Fixture;

static gboolean
is_ready (Fixture *f)
{
  return tsr_session_get_trace (f->session) != NULL && tsr_session_get_memory (f->session) != NULL
         && !tsr_trace_tabs_is_busy (f->tabs);
}

#define settle(f) tsr_ui_test_wait (is_ready (f))

static void
on_go_to (Fixture *f, gint64 from, gint64 to)
{
  f->go_from = from;
  f->go_to = to;
}

static void
setup (Fixture *f, gconstpointer data)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;

  f->folder = tsr_test_report_new ("demo");
  if (data != NULL)
    tsr_test_sql (f->folder, "profile.pop", data);
  f->settings = tsr_settings_new ("none.such");
  f->session = tsr_session_new (f->settings);
  f->state = tsr_session_get_trace_state (f->session);
  f->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1200, 400);
  f->tabs = tsr_trace_tabs_new (f->session);
  g_signal_connect_swapped (f->tabs, "go-to", G_CALLBACK (on_go_to), f);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->tabs));
  gtk_window_present (GTK_WINDOW (f->window));
  report = tsr_report_open (place, f->folder, TSR_LOAD_ALL);
  tsr_session_set_report (f->session, report);
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

static TsrTab *
show (Fixture *f, const char *nick)
{
  g_assert_true (tsr_tabs_show_key (TSR_TABS (f->tabs), nick));
  settle (f);
  g_assert_cmpstr (tsr_tabs_get_shown (TSR_TABS (f->tabs))->words->key, ==, nick);
  return tsr_tabs_get_shown (TSR_TABS (f->tabs));
}

/* Items that the canvases below @widget draw. */
static guint
count_painted (GtkWidget *widget)
{
  guint n = 0;

  if (TSR_IS_CANVAS (widget))
    return tsr_canvas_get_list (TSR_CANVAS (widget))->items->len;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += GTK_IS_LIST_VIEW (widget) || !TSR_IS_SWATCH (child) ? count_painted (child) : 0;
  return n;
}

static void
test_all_tabs (Fixture *f, gconstpointer data)
{
  static const char *const nicks[]
      = { "summary", "aggregate", "stages", "overlap", "waits", "tiles" };

  for (guint i = 0; i < G_N_ELEMENTS (nicks); i++)
    {
      TsrTab *page = show (f, nicks[i]);
      g_autofree char *text = tsr_trace_tabs_dup_text (f->tabs);

      g_assert_nonnull (page->answer);
      g_assert_nonnull (page->answer->rows);
      g_assert_true (tsr_row_view_get_rows (page->view) == page->answer->rows);
      g_assert_cmpuint (strlen (text), >, 100);
      g_assert_true (page->more == NULL
                     || tsr_row_view_get_rows (page->more) == page->answer->more);
      tsr_ui_test_run (50);
      if (page->number == TSR_TRACE_TAB_SUMMARY || page->number == TSR_TRACE_TAB_STAGES
          || page->number == TSR_TRACE_TAB_OVERLAP || page->number == TSR_TRACE_TAB_WAITS)
        tsr_ui_test_wait (count_painted (GTK_WIDGET (tsr_row_view_get_column_view (page->view)))
                          >= 2 * tsr_row_view_get_n_shown (page->view));
    }
  g_assert_false (tsr_tabs_show_key (TSR_TABS (f->tabs), "none"));
  tsr_tabs_show_key (TSR_TABS (f->tabs), "tiles");
  tsr_tabs_run (TSR_TABS (f->tabs), "next");
  g_assert_cmpstr (tsr_tabs_get_shown (TSR_TABS (f->tabs))->words->key, ==, "summary");
  tsr_tabs_run (TSR_TABS (f->tabs), "previous");
  g_assert_cmpstr (tsr_tabs_get_shown (TSR_TABS (f->tabs))->words->key, ==, "tiles");
}

/* Figures are of the span, else of what is visible, else of the run. */
static void
test_range (Fixture *f, gconstpointer data)
{
  TsrTab *page = show (f, "aggregate");
  gint64 from, to;

  tsr_trace_state_get_domain (f->state, tsr_session_get_trace (f->session), &from, &to);
  g_assert_cmpint (page->answer->trace->from, ==, from);
  g_assert_cmpint (page->answer->trace->to, ==, to);
  tsr_trace_tabs_set_range (f->tabs, from + 1000, to - 1000);
  settle (f);
  g_assert_cmpint (page->answer->trace->from, ==, from + 1000);
  tsr_trace_state_set_span (f->state, from + 5000, from + 60000);
  settle (f);
  g_assert_cmpint (page->answer->trace->from, ==, from + 5000);
  g_assert_cmpint (page->answer->trace->to, ==, from + 60000);
  tsr_trace_tabs_set_range (f->tabs, from, to - 2000); /* says nothing beside a span */
  g_assert_false (tsr_trace_tabs_is_busy (f->tabs));
  tsr_trace_state_set_span (f->state, 0, 0);
  settle (f);
  g_assert_cmpint (page->answer->trace->to, ==, to - 2000);
}

static void
test_hidden (Fixture *f, gconstpointer data)
{
  TsrTab *page = show (f, "summary");
  gint64 counted = page->answer->trace->sums[0].counted;

  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (f->tabs->lines[page->number].warning)));
  tsr_trace_state_set_hidden (f->state, "DoExchange", TRUE);
  settle (f);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (f->tabs->lines[page->number].warning)));
  g_assert_nonnull (
      strstr (gtk_label_get_text (f->tabs->lines[page->number].warning), "DoExchange"));
  g_assert_cmpint (page->answer->trace->sums[0].counted, <, counted);
  tsr_trace_state_set_ipu (f->state, 1);
  settle (f);
  g_assert_cmpuint (tsr_rows_get_n (page->answer->rows), ==, 1);
}

/* A group selects all its steps by their names, and what else selects names selects groups. */
static void
test_select_group (Fixture *f, gconstpointer data)
{
  TsrTab *page = show (f, "aggregate");
  const TsrTraceAggregate *aggregate = g_ptr_array_index (page->answer->trace->aggregates, 0);
  TsrTrace *trace = tsr_session_get_trace (f->session);
  g_autoptr (GArray) shown = NULL;
  TsrTraceMatches *matches;
  TsrTraceSlice slice;
  guint32 row = 3;

  tsr_row_view_select (page->view, &row, 1);
  g_signal_emit_by_name (page->view, "selection-changed");
  matches = tsr_trace_state_get_selected_group (f->state);
  g_assert_nonnull (matches);
  for (guint i = 0; i < tsr_trace_get_n_names (trace); i++)
    g_assert_cmpint (tsr_trace_matches_has (matches, i), ==,
                     g_str_equal (tsr_trace_get_name (trace, i),
                                  g_array_index (aggregate->rows, TsrTraceAggregateRow, row).name));
  g_signal_emit_by_name (page->view, "activate-row", row);
  tsr_trace_get_slice (
      trace, g_array_index (aggregate->rows, TsrTraceAggregateRow, row).first_slice, &slice);
  g_assert_cmpint (f->go_from, ==, slice.start);
  g_assert_cmpint (f->go_to, ==, slice.end);
  tsr_trace_state_set_span (f->state, page->answer->trace->from, page->answer->trace->to - 1);
  settle (f); /* another table: the same names are selected in it */
  shown = tsr_row_view_dup_selected (page->view);
  g_assert_cmpuint (shown->len, ==, 1);
  tsr_trace_state_set_selected_group (f->state, NULL);
}

/* Groups by type are of any size and share names: all their steps are selected. */
static void
test_select_types (Fixture *f, gconstpointer data)
{
  TsrTab *page = show (f, "aggregate");
  TsrTrace *trace = tsr_session_get_trace (f->session);
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  const TsrTraceAggregate *aggregate;
  g_autoptr (GArray) shown = NULL;
  TsrTraceMatches *matches;
  const char *name;
  guint32 row = 1;

  gtk_drop_down_set_selected (f->tabs->group, TSR_TRACE_GROUP_TYPE);
  settle (f);
  aggregate = g_ptr_array_index (page->answer->trace->aggregates, 0);
  name = g_array_index (aggregate->rows, TsrTraceAggregateRow, row).name;
  tsr_row_view_select (page->view, &row, 1);
  g_signal_emit_by_name (page->view, "selection-changed");
  matches = tsr_trace_state_get_selected_group (f->state);
  g_assert_nonnull (matches);
  for (guint32 i = 0; i < tables->ipu_start[tables->n_ipus]; i++)
    {
      TsrTraceSlice slice;

      tsr_trace_get_slice (trace, i, &slice);
      g_assert_cmpint (tsr_trace_matches_has_slice (matches, trace, i), ==,
                       g_str_equal (tsr_trace_get_type (trace, slice.type)->label, name));
    }
  tsr_trace_state_set_span (f->state, page->answer->trace->from, page->answer->trace->to - 1);
  settle (f); /* another table: the same type is selected in it */
  shown = tsr_row_view_dup_selected (page->view);
  g_assert_cmpuint (shown->len, ==, 1);
  gtk_drop_down_set_selected (f->tabs->group, TSR_TRACE_GROUP_NAME);
  settle (f); /* not told by names */
  g_clear_pointer (&shown, g_array_unref);
  shown = tsr_row_view_dup_selected (page->view);
  g_assert_cmpuint (shown->len, ==, 0);
  g_assert_true (tsr_trace_state_get_selected_group (f->state) == matches);
}

/* An expression is taken when nothing is typed any more; one that means nothing is seen at once. */
static void
test_regex (Fixture *f, gconstpointer data)
{
  TsrTab *page = show (f, "aggregate");
  const TsrTraceAggregate *aggregate;
  guint n_all;

  n_all = tsr_rows_get_n (page->answer->rows);
  gtk_drop_down_set_selected (f->tabs->group, TSR_TRACE_GROUP_REGEX);
  settle (f);
  g_assert_null (page->answer->rows);
  gtk_editable_set_text (GTK_EDITABLE (f->tabs->regex), "layer[");
  g_assert_true (gtk_widget_has_css_class (f->tabs->regex, "error"));
  settle (f);
  g_assert_null (page->answer->rows);
  gtk_editable_set_text (GTK_EDITABLE (f->tabs->regex), "layer([0-9]+)");
  g_assert_false (gtk_widget_has_css_class (f->tabs->regex, "error"));
  settle (f);
  aggregate = g_ptr_array_index (page->answer->trace->aggregates, 0);
  g_assert_cmpuint (aggregate->rows->len, >, 1);
  g_assert_cmpuint (aggregate->rows->len, <, n_all);
  for (guint i = 0; i < aggregate->rows->len; i++)
    {
      const char *name = g_array_index (aggregate->rows, TsrTraceAggregateRow, i).name;

      g_assert_true (g_str_equal (name, "other") || strspn (name, "0123456789") == strlen (name));
    }
}

static void
test_details (Fixture *f, gconstpointer data)
{
#define LAST(type, what)                                                                           \
  tsr_test_query (f->folder, "profile.pop",                                                        \
                  "SELECT " what " FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id WHERE "    \
                  "ipu = 1 AND active_tiles > 0 AND type = '" type "' ORDER BY s.id DESC LIMIT 1")
  TsrTraceStepRef steps[2]
      = { { LAST ("OnTileExecute", "s.id"), 1 }, { LAST ("DoExchange", "s.id"), 1 } };
  gint64 tiles = LAST ("OnTileExecute", "active_tiles");
  TsrTab *page = show (f, "details");
  g_autofree char *text = NULL, *count = NULL, *active = NULL;

  g_assert_nonnull (page->answer->title); /* nothing is selected */
  tsr_trace_state_set_steps (f->state, steps, 2);
  settle (f);
  g_assert_cmpuint (page->answer->trace->steps->len, ==, 2);
  g_assert_cmpstr (tsr_tab_label_get_text (page->label), ==, "Details 2");
  text = tsr_trace_tabs_dup_text (f->tabs);
  g_assert_nonnull (strstr (text, "OnTileExecute ("));
  g_assert_nonnull (strstr (text, "DoExchange ("));
  count = tsr_units_dup_count (tiles);
  active = g_strdup_printf ("Active Tiles\t%s of 1,472\n", count);
  g_assert_nonnull (strstr (text, active));
  tsr_view_state_set (f->tabs->options, TSR_TRACE_VIEW_STEP_ORDER, TRUE);
  g_assert_true (gtk_toggle_button_get_active (
      GTK_TOGGLE_BUTTON (tsr_ui_test_find (GTK_WIDGET (f->tabs->steps), GTK_TYPE_TOGGLE_BUTTON))));
  tsr_ui_test_run (100);
}

/* What a toast says takes the place of the last one. */
static void
on_toast (GSimpleAction *action, GVariant *text, gpointer said)
{
  g_free (*(char **)said);
  *(char **)said = g_variant_dup_string (text, NULL);
}

/* The window shows toasts: here they are kept in @said. */
static void
take_toasts (Fixture *f, char **said)
{
  static const GActionEntry entry
      = { .name = "toast", .activate = on_toast, .parameter_type = "s" };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), &entry, 1, said);
  gtk_widget_insert_action_group (f->window, "win", G_ACTION_GROUP (group));
}

static TsrSaveFunc save; /* (nullable): what a dialog that is shown will call */
static GObject *saved_object;

void __wrap_tsr_save_dialog_show (GtkWidget *parent,
                                  const char *name,
                                  TsrSaveFunc func,
                                  GObject *object);
void
__wrap_tsr_save_dialog_show (GtkWidget *parent, const char *name, TsrSaveFunc func, GObject *object)
{
  save = func;
  saved_object = object;
}

static char *
dup_clipboard (Fixture *f)
{
  GdkContentProvider *content
      = gdk_clipboard_get_content (gtk_widget_get_clipboard (GTK_WIDGET (f->tabs)));
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  return content != NULL && gdk_content_provider_get_value (content, &value, NULL)
             ? g_value_dup_string (&value)
             : NULL;
}

/* The steps as CSV, on the clipboard and in a file; without any, and where nothing can be written,
 * a toast says so. */
static void
test_details_csv (Fixture *f, gconstpointer data)
{
  const gint64 id = LAST ("OnTileExecute", "s.id");
  TsrTraceStepRef step = { id, 1 };
  TsrTab *page = show (f, "details");
  GtkWidget *list = GTK_WIDGET (f->tabs->steps);
  g_autofree char *said = NULL, *csv = NULL, *copied = NULL, *written = NULL, *path = NULL;
  g_autoptr (GFile) file = NULL, nowhere = g_file_new_for_path ("/nowhere/at/all.csv");

  take_toasts (f, &said);
  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&said, g_free);
      gtk_widget_activate_action (list, i == 0 ? "rows.copy" : "rows.save", NULL);
      g_assert_cmpstr (said, ==, "No Step Is Selected");
    }
  g_assert_null (save);
  tsr_trace_state_set_steps (f->state, &step, 1);
  settle (f);
  csv = tsr_rows_dup_csv (page->answer->rows, NULL);
  gtk_widget_activate_action (list, "rows.copy", NULL);
  copied = dup_clipboard (f);
  g_assert_cmpstr (copied, ==, csv);
  g_assert_cmpstr (said, ==, "The whole table is on the clipboard as CSV");
  gtk_widget_activate_action (list, "rows.save", NULL);
  g_assert_nonnull (save);
  g_assert_true (saved_object == G_OBJECT (list));
  path = g_build_filename (g_get_tmp_dir (), "details.csv", NULL);
  file = g_file_new_for_path (path);
  save (saved_object, file);
  g_assert_cmpstr (said, ==, "The table is saved");
  g_assert_true (g_file_get_contents (path, &written, NULL, NULL));
  g_assert_cmpstr (written, ==, csv);
  g_remove (path);
  save (saved_object, nowhere);
  g_assert_nonnull (strstr (said, "No such file"));
}

/* Of a step's chart: tiles have the numbers of the report, not of the IPU; its order. */
static void
test_details_chart (Fixture *f, gconstpointer data)
{
  const gint64 id = LAST ("OnTileExecute", "s.id");
  TsrTraceStepRef step = { id, 1 };
  TsrTileSelection *selection = tsr_session_get_selection (f->session);
  GtkWidget *chart;
  TsrTab *page = show (f, "details");
  g_autofree char *said = NULL;
  const guint *tiles;
  guint n;

  tsr_trace_state_set_steps (f->state, &step, 1);
  settle (f);
  g_assert_nonnull (page->answer);
  chart = tsr_ui_test_find (GTK_WIDGET (f->tabs->steps), TSR_TYPE_CHART);
  g_signal_emit_by_name (chart, "select", 4.0, 7.0, TSR_SELECT_REPLACE);
  tiles = tsr_tile_selection_peek (selection, &n);
  g_assert_cmpuint (n, ==, 3);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (tiles[i], ==, 1472 + 4 + i);
  g_signal_emit_by_name (chart, "select", 0.0, 0.0, TSR_SELECT_CLEAR);
  tsr_tile_selection_peek (selection, &n);
  g_assert_cmpuint (n, ==, 0);
  take_toasts (f, &said);
  g_signal_emit_by_name (chart, "toast", "of the chart");
  g_assert_cmpstr (said, ==, "of the chart");
  g_signal_emit_by_name (tsr_ui_test_find (GTK_WIDGET (f->tabs), TSR_TYPE_ROW_VIEW), "toast",
                         "of a list");
  g_assert_cmpstr (said, ==, "of a list");
}

static gint64
get_busy (const TsrTraceTiles *tiles, guint tile)
{
  return tiles->compute[tile] + tiles->exchange[tile] + tiles->copy[tile];
}

/* Tiles by cycles: the busiest come first, in the chart too; what is selected in the chart and in
 * the map are tiles of this IPU. */
static void
test_tiles_chart (Fixture *f, gconstpointer data)
{
  TsrTileSelection *selection = tsr_session_get_selection (f->session);
  GtkWidget *view = GTK_WIDGET (f->tabs->tiles);
  GtkWidget *chart, *map;
  const TsrTraceTiles *all;
  g_autoptr (GArray) picked = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 tile = 1475;
  const guint *tiles;
  guint n;

  tsr_trace_state_set_ipu (f->state, 1);
  all = show (f, "tiles")->answer->trace->tiles;
  chart = tsr_ui_test_find (view, TSR_TYPE_CHART);
  map = tsr_ui_test_find (view, TSR_TYPE_TILE_MAP_VIEW);
  for (guint order = 0; order < 2; order++)
    {
      gint64 least = G_MAXINT64;
      guint n_more = 0;

      tsr_view_state_set (f->tabs->options, TSR_TRACE_VIEW_TILES_ORDER, order);
      g_signal_emit_by_name (chart, "select", 0.0, 5.0, TSR_SELECT_REPLACE);
      tiles = tsr_tile_selection_peek (selection, &n);
      g_assert_cmpuint (n, ==, 5);
      for (guint i = 0; i < n; i++)
        {
          g_assert_cmpuint (tiles[i], >=, 1472);
          g_assert_true (order == 1 || tiles[i] == 1472 + i);
          least = MIN (least, get_busy (all, tiles[i] - 1472));
        }
      for (guint i = 0; i < all->n; i++)
        n_more += get_busy (all, i) > least;
      g_assert_true (order == 0 ? n_more > 5 : n_more < 5);
    }
  g_array_append_val (picked, tile);
  g_signal_emit_by_name (map, "select", picked, TSR_SELECT_REPLACE);
  tiles = tsr_tile_selection_peek (selection, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (tiles[0], ==, tile);
  g_array_set_size (picked, 0);
  g_signal_emit_by_name (map, "select", picked, TSR_SELECT_REPLACE);
  tsr_tile_selection_peek (selection, &n);
  g_assert_cmpuint (n, ==, 0);
}

/* Of many marked steps Details has their sum and the longest; a selected one comes first. */
static void
test_marked (Fixture *f, gconstpointer data)
{
  TsrTab *page = show (f, "details");
  const TsrTrace *trace = tsr_session_get_trace (f->session);
  /* One more, for steps without a name. */
  const gsize n_names = (gsize)tsr_trace_get_n_names (trace) + 1;
  guint8 *names = g_malloc (n_names);
  g_autoptr (TsrTraceMatches) all = NULL;
  g_autoptr (TsrTraceMarks) marks = NULL;
  const gint64 n = tsr_test_query (f->folder, "profile.pop",
                                   "SELECT count(*) FROM steps_by_ipu WHERE cycles > 0");
  const gint64 sum
      = tsr_test_query (f->folder, "profile.pop", "SELECT sum(cycles) FROM steps_by_ipu");
  const gint64 longest
      = tsr_test_query (f->folder, "profile.pop", "SELECT max(cycles) FROM steps_by_ipu");
  g_autofree char *count = tsr_units_dup_count (n), *cycles = tsr_units_dup_count (sum);
  g_autofree char *title = g_strdup_printf ("%s steps are marked: %s cycles", count, cycles);
  g_autofree char *label = g_strdup_printf ("Details %s", count);
  const TsrTraceStepFacts *first;
  TsrTraceStepRef step;

  memset (names, 1, n_names);
  all = tsr_trace_matches_new_names (trace, names);
  g_free (names);
  marks = tsr_trace_marks_new (trace, all, TSR_TRACE_FLAT, 0, NULL);
  tsr_trace_tabs_set_marks (f->tabs, trace, marks);
  settle (f);
  g_assert_cmpstr (page->answer->title, ==, title);
  g_assert_cmpstr (tsr_tab_label_get_text (page->label), ==, label);
  g_assert_cmpuint (page->answer->trace->steps->len, ==, TSR_TRACE_MARKS_LONGEST);
  first = g_ptr_array_index (page->answer->trace->steps, 0);
  g_assert_cmpint (first->slice.end - first->slice.start, ==, longest);
  step = first->ref;
  tsr_trace_state_set_steps (f->state, &step, 1);
  settle (f);
  g_assert_null (page->answer->title);
  g_assert_cmpuint (page->answer->trace->steps->len, ==, 1);
  tsr_trace_state_set_steps (f->state, NULL, 0);
  tsr_trace_tabs_set_marks (f->tabs, NULL, NULL);
  settle (f);
  g_assert_null (page->answer->rows);
}

/* One step's facts and graph, with its axis, are seen whole in the room that a window of 1600 x
 * 1000 has for them. */
static void
test_step_fits (Fixture *f, gconstpointer data)
{
  TsrTraceStepRef step = { LAST ("DoExchange", "s.id"), 1 };
  TsrTab *page = show (f, "details");
  GtkAdjustment *adjustment;
  GtkWidget *chart, *scrolled;

  gtk_window_set_default_size (GTK_WINDOW (f->window), 1390, 375);
  tsr_trace_state_set_steps (f->state, &step, 1);
  settle (f);
  tsr_ui_test_run (100);
  scrolled = gtk_widget_get_ancestor (GTK_WIDGET (f->tabs->steps), GTK_TYPE_SCROLLED_WINDOW);
  if (scrolled == NULL)
    scrolled = tsr_ui_test_find (page->child, GTK_TYPE_SCROLLED_WINDOW);
  chart = tsr_ui_test_find (GTK_WIDGET (f->tabs->steps), TSR_TYPE_CHART);
  g_assert_nonnull (scrolled);
  g_assert_nonnull (chart);
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  g_assert_cmpfloat (gtk_adjustment_get_page_size (adjustment), >, 200);
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), <=,
                     gtk_adjustment_get_page_size (adjustment));
  g_assert_cmpint (gtk_widget_get_height (chart), >=, 160);
}

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  *(char **)data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

/* (transfer full): what the shown tab's table puts on the clipboard. */
static char *
dup_copied (Fixture *f)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (f->window);
  char *text = NULL;

  gdk_clipboard_set_text (clipboard, "nothing");
  tsr_tabs_run (TSR_TABS (f->tabs), "rows.copy-all");
  for (guint i = 0; i < 100 && (text == NULL || g_str_equal (text, "nothing")); i++)
    {
      g_clear_pointer (&text, g_free);
      tsr_ui_test_run (20);
      gdk_clipboard_read_text_async (clipboard, NULL, on_text, &text);
      tsr_ui_test_wait (text != NULL);
    }
  return text;
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

/* Every tab is copied as CSV with a line for each row; Details with one for each fact. */
static void
test_copy (Fixture *f, gconstpointer data)
{
  static const char *const nicks[]
      = { "summary", "aggregate", "stages", "overlap", "waits", "tiles" };
  TsrTraceStepRef steps[2]
      = { { LAST ("OnTileExecute", "s.id"), 1 }, { LAST ("DoExchange", "s.id"), 1 } };
  TsrTab *page;
  g_autofree char *csv = NULL, *line = NULL;
  guint n_facts = 0;

  for (guint i = 0; i < G_N_ELEMENTS (nicks); i++)
    {
      g_autofree char *text = NULL;

      page = show (f, nicks[i]);
      text = dup_copied (f);
      g_assert_cmpuint (count_lines (text), ==, tsr_rows_get_n (page->answer->rows) + 1);
    }
  tsr_trace_state_set_steps (f->state, steps, 2);
  page = show (f, "details");
  csv = dup_copied (f);
  for (guint i = 0; i < 2; i++)
    n_facts += ((TsrTraceStepFacts *)g_ptr_array_index (page->answer->trace->steps, i))->facts->len;
  g_assert_true (g_str_has_prefix (csv, "step,ipuName,name,fact,value"));
  g_assert_cmpuint (count_lines (csv), ==, n_facts + 1);
  line = g_strdup_printf ("\n%" G_GINT64_FORMAT ",", steps[1].step_id);
  g_assert_nonnull (strstr (csv, line));
}

static void
test_stages_and_copies (Fixture *f, gconstpointer data)
{
  TsrTab *page = show (f, "stages");
  const TsrTraceStages *stages = g_ptr_array_index (page->answer->trace->stages, 0);
  const TsrTraceStepRef *steps;
  TsrTraceSlice slice;
  guint32 row = 1;
  guint n;

  g_signal_emit_by_name (page->view, "activate-row", row);
  g_assert_cmpint (f->go_from, ==, g_array_index (stages->periods, TsrTracePeriod, 1).from);
  g_assert_cmpint (f->go_to, ==, g_array_index (stages->periods, TsrTracePeriod, 1).to);
  page = show (f, "overlap");
  g_signal_emit_by_name (page->more, "activate-row", row);
  tsr_trace_get_slice (tsr_session_get_trace (f->session),
                       g_array_index (page->answer->trace->copies, TsrTraceLoneCopy, 1).slice,
                       &slice);
  steps = tsr_trace_state_peek_steps (f->state, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (steps[0].step_id, ==, slice.step_id);
  g_assert_cmpuint (steps[0].ipu, ==, slice.ipu);
  g_assert_cmpint (f->go_from, ==, slice.start);
  page = show (f, "waits");
  g_signal_emit_by_name (page->more, "activate-row", row);
  steps = tsr_trace_state_peek_steps (f->state, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (steps[0].step_id, ==,
                   tsr_rows_get_value (page->answer->more, row,
                                       tsr_rows_get_n_columns (page->answer->more) - 1));
  g_assert_cmpuint (steps[0].ipu, ==, 1); /* comes last in all of them */
}

static GtkWidget *
list_of (TsrRowView *view)
{
  return gtk_widget_get_ancestor (GTK_WIDGET (tsr_row_view_get_column_view (view)),
                                  g_type_from_name ("TsrRowList"));
}

/* Two tables have room for both in the smallest window, beside or over each other. */
static void
test_smallest (Fixture *f, gconstpointer data)
{
  static const int widths[] = { 1200, 700 };
  static const char *const nicks[] = { "overlap", "waits" };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    for (guint j = 0; j < G_N_ELEMENTS (nicks); j++)
      {
        TsrTab *page = show (f, nicks[j]);
        graphene_rect_t one, two, both;

        gtk_window_set_default_size (GTK_WINDOW (f->window), widths[i], 1);
        tsr_ui_test_wait (gtk_widget_get_width (f->window) == widths[i]);
        tsr_ui_test_run (50);
        g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (page->view), f->window, &one));
        g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (page->more), f->window, &two));
        g_assert_true (gtk_widget_compute_bounds (gtk_widget_get_parent (GTK_WIDGET (page->view)),
                                                  f->window, &both));
        g_assert_false (graphene_rect_intersection (&one, &two, NULL));
        g_assert_cmpint (gtk_widget_get_height (list_of (page->view)), <=,
                         gtk_widget_get_height (GTK_WIDGET (page->view)));
        g_assert_true (graphene_rect_contains_rect (&both, &one));
        g_assert_true (graphene_rect_contains_rect (&both, &two));
        g_assert_cmpfloat (i == 0 ? two.origin.x : two.origin.y, >,
                           i == 0 ? one.origin.x : one.origin.y);
      }
}

/* 64 IPUs: those that the report has not arrive in its external syncs at cycles of their own. */
#define MANY_IPUS                                                                                  \
  "UPDATE target SET ipus_per_replica = 64; "                                                      \
  "WITH RECURSIVE n (ipu) AS (SELECT 2 UNION ALL SELECT ipu + 1 FROM n WHERE ipu < 63), "          \
  "d AS (SELECT b.*, n.ipu AS other, (b.step_id * 7 + n.ipu * n.ipu * 31) % 9500 AS late "         \
  "FROM steps_by_ipu b JOIN n JOIN steps s ON s.id = b.step_id JOIN programs p ON p.id = "         \
  "s.program WHERE b.ipu = 0 AND s.type = 'Sync' AND p.name = 'External') "                        \
  "INSERT INTO steps_by_ipu (step_id, ipu, cycles, active_tiles, cycles_base, "                    \
  "active_cycles_from_min, active_cycles_from_max, active_cycles_to_min, active_cycles_to_max) "   \
  "SELECT step_id, other, max(cycles - late, 40), active_tiles, cycles_base + late, 0, 0, "        \
  "max(cycles - late, 40), max(cycles - late, 40) FROM d"

static gint64
sum_kept (const TsrTraceWaits *waits, guint ipu)
{
  gint64 sum = 0;

  for (guint i = 0; i < waits->n; i++)
    sum += waits->cycles[(gsize)i * waits->n + ipu];
  return sum;
}

/* The box that a row has for the IPU called @number, NULL for none; its text stands inside. */
static const TsrDrawItem *
find_box (const TsrDrawList *list, const TsrChartGeometry *geometry, const char *number)
{
  for (guint i = 1; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i), *box = item - 1;
      double width, height;

      if (item->kind != TSR_ITEM_LABEL
          || !g_str_equal (tsr_draw_list_get_text (list, item), number))
        continue;
      geometry->measure.measure (geometry->measure.data, number, TSR_FONT_SIZE, FALSE, &width,
                                 &height);
      g_assert_cmpint (box->kind, ==, TSR_ITEM_RECT);
      g_assert_cmpfloat (box->x, >=, 0);
      g_assert_cmpfloat (box->x + box->width, <=, geometry->width);
      g_assert_cmpfloat (box->width, >=, MAX (width, 11));
      g_assert_cmpfloat_with_epsilon (item->x, box->x + box->width / 2, 0.01);
      return box;
    }
  return NULL;
}

/* Of many IPUs each has its place in every row, from the lightest, which is the least that any
 * waits for another, to the darkest; the one that keeps the others waiting longest has the first
 * row, and words tell first of the one that it waits for most. */
static void
test_many_waits (Fixture *f, gconstpointer data)
{
  TsrTab *page = show (f, "waits");
  const TsrTraceAnswer *answer = page->answer->trace;
  const TsrTraceWaits *waits = answer->waits;
  g_autofree char *csv = tsr_row_view_dup_csv (page->view);
  g_auto (GStrv) lines = g_strsplit (csv, "\n", 3);
  gint64 least = G_MAXINT64, most = 0;
  guint latest = 0, n_inks = 0;
  gboolean inks[TSR_N_RAMP_INKS] = { FALSE };

  g_assert_cmpuint (waits->n, ==, 64);
  for (guint i = 0; i < 64 * 64; i++)
    {
      most = MAX (most, waits->cycles[i]);
      least = waits->cycles[i] > 0 ? MIN (least, waits->cycles[i]) : least;
    }
  g_assert_cmpint (answer->least_waited, ==, least);
  g_assert_cmpint (answer->most_waited, ==, most);
  for (guint i = 1; i < 64; i++)
    if (sum_kept (waits, i) > sum_kept (waits, latest))
      latest = i;
  {
    g_autofree char *first = g_strdup_printf ("IPU %u,", latest);

    g_assert_true (g_str_has_prefix (lines[1], first));
  }
  for (guint32 row = 0; row < 64; row++)
    {
      const gint64 *cycles = waits->cycles + (gsize)row * 64;
      const TsrChartGeometry geometry
          = { .width = 192, .height = 22, .scale = 1, .measure = *tsr_painter_get_measure () };
      g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
      guint n = 0, longest = 0;
      g_autofree char *name = NULL;

      tsr_trace_tab_paint (page, row, 1, &geometry, list);
      for (guint i = 0; i < 64; i++)
        {
          const TsrDrawItem *box = &g_array_index (list->items, TsrDrawItem, n);
          double share = 0.12 + 0.88 * (double)(cycles[i] - least) / (double)(most - least);

          longest = cycles[i] > cycles[longest] ? i : longest;
          if (cycles[i] == 0)
            continue;
          g_assert_cmpuint (++n, <=, list->items->len);
          g_assert_cmpint (box->kind, ==, TSR_ITEM_RECT);
          g_assert_cmpfloat_with_epsilon (box->x, i * 3, 0.01);
          g_assert_cmpfloat_with_epsilon (box->width, 3, 0.01);
          g_assert_cmpuint (box->ink - TSR_INK_RAMP, ==,
                            (guint)(share * (TSR_N_RAMP_INKS - 1) + 0.5));
          inks[box->ink - TSR_INK_RAMP] = TRUE;
        }
      g_assert_cmpuint (list->items->len, ==, n);
      name = g_strdup_printf ("IPU %u ", longest);
      g_assert_true (n == 0 || g_str_has_prefix (tsr_rows_get_text (answer->rows, row, 1), name));
    }
  for (guint i = 0; i < TSR_N_RAMP_INKS; i++)
    n_inks += inks[i];
  g_assert_cmpuint (n_inks, >, 20);
}

/* The ink of what is drawn last at (@x, @y). */
static guint
get_ink (TsrDrawList *list, double x, double y)
{
  guint ink = G_MAXUINT;

  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if ((item->kind == TSR_ITEM_RECT || item->kind == TSR_ITEM_HATCH) && item->x <= x
          && x < item->x + item->width && item->y <= y && y < item->y + item->height)
        ink = item->ink;
    }
  return ink;
}

/* Each pixel of a bar is of the part that it lies in; copies that are hidden are the lower half of
 * what hides them, and what is left has at most a fifth. */
static void
test_overlap_bars (Fixture *f, gconstpointer data)
{
  const TsrTab *page = show (f, "overlap");
  const TsrTraceAnswer *answer = page->answer->trace;
  const guint compute = TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE;
  const guint copies = TSR_INK_TRACE + TSR_TRACE_INK_TRANSFER;
  guint n_hidden = 0;

  g_assert_cmpuint (answer->overlap->len, >, 1);
  for (guint row = 0; row < answer->overlap->len; row++)
    {
      const TsrTraceOverlap *part = &g_array_index (answer->overlap, TsrTraceOverlap, row);
      const gint64 busy = part->compute_alone + part->hidden + part->alone;
      const gint64 rest = answer->to - answer->from - busy;
      const TsrChartGeometry geometry
          = { .width = 400, .height = 22, .scale = 1, .measure = *tsr_painter_get_measure () };
      const double total = (double)busy + MIN ((double)rest, (double)busy / 4);
      g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
      double ends[3];

      if (busy <= 0)
        continue;
      tsr_trace_tab_paint ((gpointer)page, row, 1, &geometry, list);
      ends[0] = round (400 * (double)part->compute_alone / total);
      ends[1] = round (400 * (double)(part->compute_alone + part->hidden) / total);
      ends[2] = round (400 * (double)busy / total);
      for (double x = 0.5; x < ends[2]; x++)
        for (double y = 4.5; y < 18; y++)
          {
            gboolean below = x >= ends[0] && x < ends[1] && y > 11;

            g_assert_cmpuint (get_ink (list, x, y), ==, x < ends[1] && !below ? compute : copies);
            n_hidden += below;
          }
    }
  g_assert_cmpuint (n_hidden, >, 0);
}

/* Of 64 IPUs those that work in a period have boxes with their numbers, in their order, if there is
 * room for all of them. */
static void
test_many_stages (Fixture *f, gconstpointer data)
{
  TsrTab *page = show (f, "stages");
  const TsrTraceAnswer *answer = page->answer->trace;
  const TsrTraceStages *stages = g_ptr_array_index (answer->stages, 0);
  guint n_boxes = 0;

  g_assert_cmpuint (stages->n_ipus, ==, 64);
  for (guint32 row = 0; row < MIN (stages->periods->len, 300); row++)
    {
      const gint64 *work = stages->work + (gsize)row * 64;
      const TsrChartGeometry geometry
          = { .width = 290, .height = 22, .scale = 1, .measure = *tsr_painter_get_measure () };
      g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
      double place = 0;

      tsr_trace_tab_paint (page, row, 1, &geometry, list);
      for (guint i = 0; i < 64; i++)
        {
          g_autofree char *number = g_strdup_printf ("%u", i);
          const TsrDrawItem *box = find_box (list, &geometry, number);

          g_assert_cmpint (box != NULL, ==, work[i] > 0);
          if (box == NULL)
            continue;
          n_boxes++;
          g_assert_cmpfloat (box->x, >=, place);
          place = box->x + box->width;
          g_assert_cmpuint (
              box->ink, ==,
              TSR_INK_RAMP
                  + (guint)((double)work[i] / (double)answer->most_work * (TSR_N_RAMP_INKS - 1)
                            + 0.5));
        }
    }
  g_assert_cmpuint (n_boxes, >, 2);
}

/* Of several replicas one is chosen, by its number; where there is one, nothing is to choose. */
static void
test_replicas (Fixture *f, gconstpointer data)
{
  const guint n = data != NULL ? 2 : 1;
  TsrTab *page = show (f, "stages");
  GtkDropDown *chooser = f->tabs->replica;

  g_assert_cmpuint (page->answer->trace->stages->len, ==, n);
  g_assert_cmpint (gtk_widget_get_mapped (GTK_WIDGET (chooser)), ==, n > 1);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (chooser)), ==, n);
  for (guint i = 0; i < 2 * n; i++)
    {
      guint replica = (i + 1) % n;
      GtkStringObject *row;

      gtk_drop_down_set_selected (chooser, replica);
      settle (f);
      g_assert_cmpuint (page->answer->trace->replica, ==, replica);
      row = gtk_drop_down_get_selected_item (chooser);
      g_assert_cmpstr (gtk_string_object_get_string (row), ==,
                       replica == 0 ? "Replica 0" : "Replica 1");
    }
}

/* Tiles of the second IPU are 1,472 and on in the window's selection. */
static void
test_tiles (Fixture *f, gconstpointer data)
{
  TsrTab *page;
  TsrTileSelection *selection = tsr_session_get_selection (f->session);
  g_autoptr (GArray) shown = NULL;
  const guint *tiles;
  guint32 rows[2] = { 5, 700 };
  guint n;

  tsr_trace_state_set_ipu (f->state, 1);
  page = show (f, "tiles");
  g_assert_cmpuint (page->answer->trace->ipu, ==, 1);
  tsr_row_view_select (page->view, rows, 2);
  g_signal_emit_by_name (page->view, "selection-changed");
  tiles = tsr_tile_selection_peek (selection, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (tiles[0], ==, 1477);
  g_assert_cmpuint (tiles[1], ==, 2172);
  n = 1473;
  tsr_tile_selection_set (selection, &n, 1);
  shown = tsr_row_view_dup_selected (page->view);
  g_assert_cmpuint (shown->len, ==, 1);
  g_assert_cmpuint (g_array_index (shown, guint32, 0), ==, 1);
  g_assert_nonnull (tsr_trace_tile_view_get_chart (f->tabs->tiles));
  g_assert_nonnull (tsr_trace_tile_view_get_map (f->tabs->tiles));
  for (guint form = 0; form < TSR_TRACE_N_TILE_FORMS; form++)
    {
      GtkStack *stack = GTK_STACK (tsr_ui_test_find (GTK_WIDGET (f->tabs->tiles), GTK_TYPE_STACK));

      tsr_view_state_set (f->tabs->options, TSR_TRACE_VIEW_TILES_AS, form);
      tsr_ui_test_run (50);
      g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==,
                       tsr_trace_tile_view_get_form_nick (form));
    }
}

static void
test_words (Fixture *f, gconstpointer data)
{
  g_autoptr (GHashTable) words = tsr_view_words_parse (
      "tab=aggregate&grouping=prefix&depth=1&tiles-as=map&tile-order=cycles");
  g_autoptr (GHashTable) off = tsr_view_words_parse ("tab=nowhere&grouping=none&depth=-3");
  g_autoptr (GHashTable) whole = tsr_view_words_parse ("shape=flame&depth=3");
  g_autoptr (GHashTable) saved = tsr_view_words_new ();
  g_autoptr (GHashTable) last = tsr_view_words_new ();
  TsrViewState *options = f->tabs->options;
  TsrTab *page;

  tsr_view_state_load_words (options, words);
  settle (f);
  page = tsr_tabs_get_shown (TSR_TABS (f->tabs));
  g_assert_cmpuint (page->answer->trace->group, ==, TSR_TRACE_GROUP_PREFIX);
  for (guint32 i = 0; i < tsr_rows_get_n (page->answer->rows); i++)
    g_assert_null (strchr (tsr_rows_get_text (page->answer->rows, i, 0), '/'));
  tsr_view_state_load_words (options, off);
  settle (f);
  tsr_view_state_save_words (options, saved);
  g_assert_cmpstr (tsr_view_words_get (saved, "tab"), ==, "aggregate");
  g_assert_cmpstr (tsr_view_words_get (saved, "grouping"), ==, "prefix");
  g_assert_cmpstr (tsr_view_words_get (saved, "depth"), ==, "1");
  g_assert_cmpstr (tsr_view_words_get (saved, "tiles-as"), ==, "map");
  g_assert_cmpstr (tsr_view_words_get (saved, "tile-order"), ==, "cycles");
  /* What the user chooses is said, too; whole words set the rest as usual. */
  tsr_tabs_show_key (TSR_TABS (f->tabs), "stages");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (f->tabs->depth), 7);
  gtk_editable_set_text (GTK_EDITABLE (f->tabs->regex), "a(b)");
  g_assert_cmpuint (tsr_view_state_get (options, TSR_TRACE_VIEW_TAB), ==, TSR_TRACE_TAB_STAGES);
  g_assert_cmpuint (tsr_view_state_get (options, TSR_TRACE_VIEW_DEPTH), ==, 7);
  tsr_view_state_load_words (options, whole);
  settle (f);
  tsr_view_state_save_words (options, last);
  g_assert_cmpstr (tsr_view_words_get (last, "tab"), ==, "summary");
  g_assert_cmpstr (tsr_view_words_get (last, "depth"), ==, "3");
  g_assert_null (tsr_view_words_get (last, "regex"));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (f->tabs->regex)), ==, "");
}

/* Without cycles of each tile the tab says which option records them. */
static void
test_no_tiles (Fixture *f, gconstpointer data)
{
  TsrTab *page = show (f, "tiles");

  g_assert_null (page->answer->rows);
  g_assert_nonnull (strstr (page->answer->text, "debug.computeInstrumentationLevel"));
}

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "none", FALSE);
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
#define ADD(path, sql, function)                                                                   \
  g_test_add ("/trace-tabs/" path, Fixture, sql, setup, function, teardown)
  ADD ("all", NULL, test_all_tabs);
  ADD ("range", NULL, test_range);
  ADD ("hidden", NULL, test_hidden);
  ADD ("select-group", NULL, test_select_group);
  ADD ("select-types", NULL, test_select_types);
  ADD ("regex", NULL, test_regex);
  ADD ("details", NULL, test_details);
  ADD ("marked", NULL, test_marked);
  ADD ("step-fits", NULL, test_step_fits);
  ADD ("copy", NULL, test_copy);
  ADD ("details-csv", NULL, test_details_csv);
  ADD ("details-chart", NULL, test_details_chart);
  ADD ("tiles-chart", NULL, test_tiles_chart);
  ADD ("stages-and-copies", NULL, test_stages_and_copies);
  ADD ("smallest", NULL, test_smallest);
  ADD ("overlap-bars", NULL, test_overlap_bars);
  ADD ("many-waits", MANY_IPUS, test_many_waits);
  ADD ("many-stages", MANY_IPUS, test_many_stages);
  ADD ("replica", NULL, test_replicas);
  ADD ("replicas", MANY_IPUS "; UPDATE target SET ipus_per_replica = 32, num_replicas = 2",
       test_replicas);
  ADD ("tiles", NULL, test_tiles);
  ADD ("words", NULL, test_words);
  ADD ("no-tiles", "DROP TABLE tile_cycles", test_no_tiles);
  return g_test_run ();
}

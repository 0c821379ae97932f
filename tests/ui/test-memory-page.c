/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Memory page over a report whose numbers are known: eight tiles, tile t with 100 (t + 1)
 * bytes including gaps of 1,000. */

#include "config.h"

#include "memory-page-test.h"
#include "tsr-step-stack.h"
#include "tsr-chart-private.h"
#include "tsr-memory-texts.h"
#include "tsr-tables.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

static const char *
entry_text (MemoryPageTest *f)
{
  return gtk_editable_get_text (GTK_EDITABLE (tsr_ui_test_child (f->page, "tile_entry")));
}

static void
chart_select (MemoryPageTest *f, double from, double to, TsrSelectMode mode)
{
  g_signal_emit_by_name (tsr_ui_test_child (f->page, "chart"), "select", from, to, (int)mode);
}

static guint
n_columns (MemoryPageTest *f)
{
  TsrRows *rows = tsr_row_view_get_rows (tsr_memory_page_get_details (f->page));

  return rows != NULL ? tsr_rows_get_n_columns (rows) - 1 : 0; /* of numbers */
}

static void
test_shows (MemoryPageTest *f, gconstpointer data)
{
  TsrChart *chart = tsr_ui_test_child (f->page, "chart");
  double from, to;

  g_assert_true (tsr_page_is_content_shown (TSR_PAGE (f->page)));
  g_assert_nonnull (tsr_plane_get_model (TSR_PLANE (chart)));
  tsr_viewport_get_domain (tsr_session_get_viewport (f->session, "memory"), &from, &to);
  g_assert_cmpfloat (from, ==, 0);
  g_assert_cmpfloat (to, ==, TSR_UI_TILES);
  g_assert_true (tsr_chart_get_viewport (chart) == tsr_session_get_viewport (f->session, "memory"));
  g_assert_cmpstr (tsr_page_get_status_right (TSR_PAGE (f->page)), ==,
                   "8 tiles: 3.44 KiB, mean 440 B, fullest tile 7 (790 B)");
  tsr_ui_test_wait (n_columns (f) >= 1);
}

static gboolean
count_charts (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  guint *n = data;

  *n += TSR_IS_MEMORY_CHART (g_value_get_object (&values[0]));
  return TRUE;
}

/* The chart of a new memory is made as it is shown, and not made again. */
static void
test_once (MemoryPageTest *f, gconstpointer data)
{
  guint signal = g_signal_lookup ("changed", TSR_TYPE_CHART_MODEL);
  g_autoptr (TsrMemory) before = tsr_memory_ref (tsr_session_get_memory (f->session));
  TsrMemoryChartOptions shown;
  TsrPlane *plane = TSR_PLANE (tsr_ui_test_child (f->page, "chart"));
  guint n = 0;
  gulong hook;

  g_object_set (f->page, "order", "bytes", "include-gaps", TRUE, "fit-data", TRUE, NULL);
  tsr_ui_test_run (50);
  hook = g_signal_add_emission_hook (signal, 0, count_charts, &n, NULL);
  /* It counts. */
  g_object_set (f->page, "fit-data", FALSE, NULL);
  g_assert_cmpuint (n, ==, 1);
  tsr_session_set_tiles_per_ipu (f->session, 2);
  tsr_ui_test_wait (tsr_session_get_memory (f->session) != before);
  tsr_ui_test_run (100);
  g_signal_remove_emission_hook (signal, hook);
  g_assert_cmpuint (n, ==, 1);
  tsr_memory_chart_get_options (TSR_MEMORY_CHART (tsr_plane_get_model (plane)), &shown);
  g_assert_cmpint (shown.order, ==, TSR_ORDER_BYTES);
  g_assert_true (shown.include_gaps);
  g_assert_false (shown.fit_data);
}

/* Calls of what a change of the page computes: the linker leads them by here. */
static guint n_series, n_scopes;
static int n_answers; /* of any thread */

TsrStepStack *__real_tsr_step_stack_new (guint n, guint n_bands);
TsrStepStack *__wrap_tsr_step_stack_new (guint n, guint n_bands);
char *__real_tsr_memory_texts_replicas (const TsrSummary *summary, TsrMemory *memory);
char *__wrap_tsr_memory_texts_replicas (const TsrSummary *summary, TsrMemory *memory);
TsrTableAnswer *__real_tsr_tables_answer (const TsrTableInfo *info,
                                          const TsrTableQuestion *question,
                                          GCancellable *cancellable,
                                          GError **error);
TsrTableAnswer *__wrap_tsr_tables_answer (const TsrTableInfo *info,
                                          const TsrTableQuestion *question,
                                          GCancellable *cancellable,
                                          GError **error);

/* The sums of the chart's series. */
TsrStepStack *
__wrap_tsr_step_stack_new (guint n, guint n_bands)
{
  n_series++;
  return __real_tsr_step_stack_new (n, n_bands);
}

char *
__wrap_tsr_memory_texts_replicas (const TsrSummary *summary, TsrMemory *memory)
{
  n_scopes++;
  return __real_tsr_memory_texts_replicas (summary, memory);
}

TsrTableAnswer *
__wrap_tsr_tables_answer (const TsrTableInfo *info,
                          const TsrTableQuestion *question,
                          GCancellable *cancellable,
                          GError **error)
{
  g_atomic_int_inc (&n_answers);
  return __real_tsr_tables_answer (info, question, cancellable, error);
}

/* One change, as words of a link, is shown once: the series of the chart, the scope line and the
 * tables are computed at most once for it, and not at all where it is not about them. */
static void
test_one_change (MemoryPageTest *f, gconstpointer data)
{
  static const struct
  {
    const char *words;
    guint series, scopes;
  } rows[] = {
    { "breakdown=liveness", 1, 1 },
    { "order=bytes", 1, 0 },
    { "gaps=1", 1, 1 },
    { "max=0", 1, 0 },
    { "fit=1", 1, 0 },
    { "fit=1", 0, 0 }, /* as it is */
    { "tab=vertices", 0, 0 },
    { "graph=tile-map", 1, 1 }, /* and the rest as usual */
    { "graph=tile-map&value=alwaysLive&ipu=1&scale=1-500", 0, 1 },
    { "graph=total", 0, 1 },
    { "graph=total&tab=exchanges&breakdown=liveness&order=bytes&gaps=1&max=0&fit=1", 1, 1 },
  };
  TsrMemory *before = tsr_session_get_memory (f->session);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GHashTable) words = tsr_view_words_parse (rows[i].words);
      int answers = strstr (rows[i].words, "tab=") != NULL ? 1 : 0;

      n_series = n_scopes = 0;
      g_atomic_int_set (&n_answers, 0);
      tsr_page_load_words (TSR_PAGE (f->page), words);
      tsr_ui_test_wait (g_atomic_int_get (&n_answers) >= answers);
      tsr_ui_test_run (30);
      g_test_message ("%s: %u series, %u scopes, %d answers", rows[i].words, n_series, n_scopes,
                      g_atomic_int_get (&n_answers));
      g_assert_cmpuint (n_series, ==, rows[i].series);
      g_assert_cmpuint (n_scopes, ==, rows[i].scopes);
      g_assert_cmpint (g_atomic_int_get (&n_answers), ==, answers);
    }
  n_series = n_scopes = 0;
  g_atomic_int_set (&n_answers, 0);
  tsr_session_set_tiles_per_ipu (f->session, 2);
  tsr_ui_test_wait (tsr_session_get_memory (f->session) != before);
  tsr_ui_test_run (100);
  g_assert_cmpuint (n_series, ==, 1);
  g_assert_cmpuint (n_scopes, ==, 1);
  g_assert_cmpint (g_atomic_int_get (&n_answers), ==, 1);
}

/* Details come with the numbers, whatever else is drawn: when the page begins, and for other tiles.
 */
static void
test_busy (MemoryPageTest *f, gconstpointer data)
{
  guint hog = tsr_ui_test_hog_frames ();
  guint before;

  tsr_ui_test_wait (n_columns (f) >= 1);
  before = n_columns (f);
  chart_select (f, 0, 3, TSR_SELECT_REPLACE);
  g_assert_cmpuint (n_columns (f), ==, before);
  tsr_ui_test_wait (n_columns (f) > before);
  g_source_remove (hog);
}

static void
test_scope (MemoryPageTest *f, gconstpointer data)
{
  TsrScopeLine *line = tsr_page_get_scope_line (TSR_PAGE (f->page));
  g_autofree char *before = tsr_scope_line_dup_text (line);
  g_autofree char *after = NULL;

  g_assert_cmpstr (before, ==, "Per replica · 8 tiles on 2 IPUs · excluding gaps · no selection");
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.include-gaps", NULL);
  chart_select (f, 2, 5, TSR_SELECT_REPLACE);
  after = tsr_scope_line_dup_text (line);
  g_assert_cmpstr (
      after, ==, "Per replica · 8 tiles on 2 IPUs · including gaps · selection: tiles 2-4 · clear");
  g_assert_cmpstr (tsr_page_get_status_right (TSR_PAGE (f->page)), ==,
                   "3 tiles selected: 1.17 KiB, mean 400 B, fullest tile 4 (500 B)");
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.clear-selection", NULL);
  memory_page_test_assert_selected (f, "");
}

static void
test_selection (MemoryPageTest *f, gconstpointer data)
{
  chart_select (f, 2, 3, TSR_SELECT_REPLACE);
  memory_page_test_assert_selected (f, "2");
  g_assert_cmpstr (entry_text (f), ==, "2");
  chart_select (f, 5, 6, TSR_SELECT_TOGGLE);
  memory_page_test_assert_selected (f, "2,5");
  chart_select (f, 2, 3, TSR_SELECT_TOGGLE);
  memory_page_test_assert_selected (f, "5");
  chart_select (f, 0.5, 2.2, TSR_SELECT_ADD);
  memory_page_test_assert_selected (f, "0-2,5");
  g_assert_cmpstr (entry_text (f), ==, "0-2,5");
  tsr_ui_test_wait (n_columns (f) >= 4); /* one for each tile */
  chart_select (f, 0, 8, TSR_SELECT_REPLACE);
  memory_page_test_assert_selected (f, "0-7");
  chart_select (f, 0, 0, TSR_SELECT_CLEAR);
  memory_page_test_assert_selected (f, "");
  /* From another view of the same window. */
  tsr_tile_selection_toggle (tsr_session_get_selection (f->session), 6);
  g_assert_cmpstr (entry_text (f), ==, "6");
  g_assert_cmpstr (tsr_page_get_status_right (TSR_PAGE (f->page)), ==, "1 tile selected: 690 B");
}

static void
test_entry (MemoryPageTest *f, gconstpointer data)
{
  GtkEntry *entry = tsr_ui_test_child (f->page, "tile_entry");

  g_assert_true (tsr_memory_page_enter_tiles (f->page, "0, ipu1"));
  memory_page_test_assert_selected (f, "0,4-7");
  gtk_editable_set_text (GTK_EDITABLE (entry), "top2");
  g_signal_emit_by_name (entry, "activate");
  memory_page_test_assert_selected (f, "6,7");
  g_assert_cmpstr (entry_text (f), ==, "top2"); /* says more than the numbers */
  gtk_editable_set_text (GTK_EDITABLE (entry), "5,tile9");
  g_signal_emit_by_name (entry, "activate");
  memory_page_test_assert_selected (f, "6,7"); /* what is wrong changes nothing */
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (entry), "error"));
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
                                    GTK_ACCESSIBLE_INVALID_TRUE);
  gtk_editable_set_text (GTK_EDITABLE (entry), "5");
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (entry), "error"));
  g_assert_false (tsr_memory_page_enter_tiles (f->page, "8"));
  g_assert_true (tsr_memory_page_enter_tiles (f->page, "  "));
  memory_page_test_assert_selected (f, "");
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.select-fullest", NULL);
  memory_page_test_assert_selected (f, "7");
}

static void
test_options (MemoryPageTest *f, gconstpointer data)
{
  TsrMemoryChartOptions options;

  tsr_memory_page_get_options (f->page, &options);
  g_assert_true (options.show_max);
  g_assert_false (options.include_gaps || options.fit_data);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.breakdown", "s", "liveness");
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.order", "s", "bytes");
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.fit-data", NULL);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.show-max", NULL);
  tsr_memory_page_get_options (f->page, &options);
  g_assert_cmpint (options.breakdown, ==, TSR_BREAKDOWN_LIVENESS);
  g_assert_cmpint (options.order, ==, TSR_ORDER_BYTES);
  g_assert_true (options.fit_data);
  g_assert_false (options.show_max);
  g_assert_false (tsr_chart_has_mini_map (tsr_ui_test_child (f->page, "chart")));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.mini-map", NULL);
  g_assert_true (tsr_chart_has_mini_map (tsr_ui_test_child (f->page, "chart")));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.mini-map", NULL);
  tsr_ui_test_run (50);
  /* By bytes the fullest tile stands first. */
  chart_select (f, 0, 1, TSR_SELECT_REPLACE);
  memory_page_test_assert_selected (f, "7");
  /* What this report has not: no categories.  The wish stays for the next report. */
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.breakdown", "s", "category");
  tsr_memory_page_get_options (f->page, &options);
  g_assert_cmpint (options.breakdown, ==, TSR_BREAKDOWN_NONE);
  /* A page made later has it all back. */
  memory_page_test_add_page (f);
  tsr_memory_page_get_options (f->page, &options);
  g_assert_cmpint (options.order, ==, TSR_ORDER_BYTES);
  g_assert_true (options.fit_data);
  memory_page_test_assert_selected (f, "7");
  tsr_ui_test_run (50);
}

/* The button with the target @nick, anywhere under @widget. */
static GtkWidget *
find_button (GtkWidget *widget, const char *action, const char *nick)
{
  if (GTK_IS_ACTIONABLE (widget)
      && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), action) == 0)
    {
      GVariant *target = gtk_actionable_get_action_target_value (GTK_ACTIONABLE (widget));

      if (target != NULL && g_str_equal (g_variant_get_string (target, NULL), nick))
        return widget;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, action, nick);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
assert_impossible (GtkWidget *button, const char *why)
{
  g_assert_false (gtk_widget_get_sensitive (button));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (button), why));
}

static void
test_insensitive (MemoryPageTest *f, gconstpointer data)
{
  GtkWidget *page = GTK_WIDGET (f->page);
  GtkWidget *category = find_button (page, "memory.breakdown", "category");
  GtkWidget *liveness = find_button (page, "memory.breakdown", "liveness");
  GtkWidget *physical = find_button (page, "memory.order", "physical");

  assert_impossible (category, "memory_by_tile_category");
  g_assert_true (gtk_widget_get_sensitive (liveness));
  g_assert_false (gtk_widget_get_sensitive (physical)); /* IPUs of four tiles */
}

static void
test_hover (MemoryPageTest *f, gconstpointer data)
{
  g_autofree char *none = NULL;
  g_autofree char *full = tsr_memory_texts_tile (tsr_session_get_memory (f->session), 6);

  g_assert_cmpstr (full, ==,
                   "Tile 6 · IPU 1 · 700 B including gaps · 690 B excluding gaps · 70.00 % full");
  g_assert_null (tsr_page_get_status_left (TSR_PAGE (f->page)));
}

/* A reload: selection and zoom stay as far as the new report has them. */
static void
test_reload (MemoryPageTest *f, gconstpointer data)
{
  g_assert_true (tsr_memory_page_enter_tiles (f->page, "3-4"));
  tsr_session_set_report (f->session, NULL);
  g_assert_null (tsr_plane_get_model (TSR_PLANE (tsr_ui_test_child (f->page, "chart"))));
  tsr_ui_test_run (30);
  tsr_ui_test_write_report (f->folder, 7);
  memory_page_test_open (f);
  tsr_ui_test_wait (tsr_session_get_memory (f->session) != NULL);
  tsr_ui_test_run (30);
  memory_page_test_assert_selected (f, "3,4");
  g_assert_cmpstr (tsr_page_get_status_right (TSR_PAGE (f->page)), ==,
                   "2 tiles selected: 894 B, mean 447 B, fullest tile 4 (497 B)");
  /* Closed and gone. */
  tsr_session_close (f->session);
  tsr_ui_test_run (30);
  g_assert_cmpstr (entry_text (f), ==, "");
}

static void
test_split (MemoryPageTest *f, gconstpointer data)
{
  TsrSplit *split = tsr_ui_test_child (f->page, "split");
  GtkWidget *details
      = gtk_paned_get_end_child (GTK_PANED (tsr_ui_test_find (GTK_WIDGET (split), GTK_TYPE_PANED)));
  int below;

  g_assert_cmpint (tsr_split_get_orientation (split), ==, GTK_ORIENTATION_VERTICAL);
  /* Some rows of the details can be seen also where there is little height. */
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1232, 480);
  tsr_ui_test_wait (gtk_widget_get_height (GTK_WIDGET (split)) < 450);
  tsr_ui_test_wait (gtk_widget_get_height (details) >= 200
                    && gtk_widget_get_height (details)
                           < gtk_widget_get_height (GTK_WIDGET (split)) / 2);
  below = gtk_widget_get_height (details);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1232, 640);
  tsr_ui_test_wait (gtk_widget_get_height (GTK_WIDGET (split)) > 500);
  g_assert_cmpint (gtk_widget_get_height (details), ==, below); /* in the same frame */
  gtk_widget_activate_action (GTK_WIDGET (split), "split.swap", NULL);
  tsr_ui_test_run (50);
  g_assert_cmpint (tsr_split_get_orientation (split), ==, GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_activate_action (GTK_WIDGET (split), "split.toggle-details", NULL);
  g_assert_false (tsr_split_get_details_visible (split));
  tsr_ui_test_run (50);
  memory_page_test_add_page (f); /* remembered by the session */
  split = tsr_ui_test_child (f->page, "split");
  g_assert_false (tsr_split_get_details_visible (split));
  g_assert_true (tsr_split_is_swapped (split));
  /* The details have all the room, and give it back; to hide them does so, too. */
  gtk_widget_activate_action (GTK_WIDGET (split), "split.maximise", NULL);
  g_assert_true (tsr_split_get_details_visible (split));
  tsr_ui_test_wait (!gtk_widget_get_mapped (GTK_WIDGET (tsr_ui_test_child (f->page, "chart"))));
  gtk_widget_activate_action (GTK_WIDGET (split), "split.maximise", NULL);
  tsr_ui_test_wait (gtk_widget_get_mapped (GTK_WIDGET (tsr_ui_test_child (f->page, "chart"))));
  tsr_split_set_maximised (split, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (split), "split.toggle-details", NULL);
  g_assert_false (tsr_split_is_maximised (split) || tsr_split_get_details_visible (split));
  tsr_split_set_details_visible (split, TRUE);
  tsr_split_set_swapped (split, FALSE);
  gtk_widget_set_size_request (GTK_WIDGET (f->page), 1900, 600);
  tsr_ui_test_wait (tsr_split_get_orientation (split) == GTK_ORIENTATION_HORIZONTAL);
}

static guint
count_open (MemoryPageTest *f)
{
  g_auto (GStrv) keys = tsr_row_view_dup_keys (tsr_memory_page_get_details (f->page));

  return g_strv_length (keys);
}

/* Where all figures fit they are seen at once, unless some have been opened or folded before. */
static void
test_high (MemoryPageTest *f, gconstpointer data)
{
  TsrRows *rows = tsr_row_view_get_rows (tsr_memory_page_get_details (f->page));
  guint n = 0;

  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    n += tsr_rows_get_end (rows, row) > row + 1;
  g_assert_cmpuint (n, >, 3);
  g_assert_cmpuint (count_open (f), ==, 1);
  gtk_widget_set_size_request (GTK_WIDGET (f->page), 1900, 1400);
  tsr_ui_test_wait (count_open (f) == n);
  gtk_widget_activate_action (GTK_WIDGET (tsr_memory_page_get_details (f->page)),
                              "rows.collapse-all", NULL);
  g_assert_cmpuint (count_open (f), ==, 0);
  memory_page_test_add_page (f);
  gtk_widget_set_size_request (GTK_WIDGET (f->page), 1900, 1400);
  tsr_ui_test_wait (tsr_row_view_get_rows (tsr_memory_page_get_details (f->page)) != NULL);
  tsr_ui_test_run (300);
  g_assert_cmpuint (count_open (f), ==, 0);
}

static void
test_units (MemoryPageTest *f, gconstpointer data)
{
  tsr_settings_set_string (f->settings, "units", "bytes");
  g_assert_cmpstr (tsr_page_get_status_right (TSR_PAGE (f->page)), ==,
                   "8 tiles: 3,520 B, mean 440 B, fullest tile 7 (790 B)");
  tsr_ui_test_run (50);
}

static void
test_hidden_series (MemoryPageTest *f, gconstpointer data)
{
  TsrChartModel *model = tsr_plane_get_model (TSR_PLANE (tsr_ui_test_child (f->page, "chart")));
  TsrChartSeries series;

  tsr_chart_model_set_series_visible (model, 0, FALSE);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.breakdown", "s", "liveness");
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.breakdown", "s", "none");
  tsr_chart_model_get_series (model, 0, &series);
  g_assert_false (series.visible);
  memory_page_test_add_page (f);
  model = tsr_plane_get_model (TSR_PLANE (tsr_ui_test_child (f->page, "chart")));
  tsr_chart_model_get_series (model, 0, &series);
  g_assert_false (series.visible);
  tsr_ui_test_run (50);
}

static void
on_toast (TsrChart *chart, const char *text, char **toast)
{
  g_free (*toast);
  *toast = g_strdup (text);
}

static char *
export_to (MemoryPageTest *f, const char *name, gsize *length)
{
  TsrChart *chart = tsr_ui_test_child (f->page, "chart");
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  g_autofree char *toast = NULL;
  char *contents = NULL;
  gulong handler = g_signal_connect (chart, "toast", G_CALLBACK (on_toast), &toast);

  tsr_plane_export_image_to (TSR_PLANE (chart), path);
  /* Painted on a copy: what happens meanwhile is another picture. */
  gtk_widget_activate_action (GTK_WIDGET (f->page), "memory.fit-data", NULL);
  tsr_ui_test_wait (toast != NULL);
  g_signal_handler_disconnect (chart, handler);
  *length = 0;
  if (!g_file_get_contents (path, &contents, length, NULL))
    return NULL;
  g_assert_nonnull (strstr (toast, name));
  return contents;
}

static void
test_export (MemoryPageTest *f, gconstpointer data)
{
  gsize length;
  g_autofree char *png = export_to (f, "a.png", &length);
  g_autofree char *svg = export_to (f, "a.svg", &length);
  g_autofree char *pdf = export_to (f, "a.pdf", &length);
  g_autofree char *other = export_to (f, "a.xyz", &length);

  g_assert_cmpmem (png, 4, "\x89PNG", 4);
  g_assert_nonnull (strstr (svg, "<svg"));
  g_assert_true (g_str_has_prefix (pdf, "%PDF"));
  g_assert_null (other);
}

/* A report of nothing but totals, without a target: IPUs are not known, and said to be. */
static void
test_poor (void)
{
  MemoryPageTest f = { 0 };
  g_autofree char *scope = NULL;

  f.folder = tsr_test_folder_new ();
  tsr_test_sql (f.folder, "profile.pop",
                "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total INTEGER);"
                "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 2943)"
                "  INSERT INTO memory_by_tile SELECT i, i * 13 % 1009 FROM t;");
  f.settings = tsr_settings_new ("none.such");
  f.session = tsr_session_new (f.settings);
  f.window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f.window), 800, 500);
  memory_page_test_add_page (&f);
  gtk_window_present (GTK_WINDOW (f.window));
  memory_page_test_open (&f);
  tsr_ui_test_wait (tsr_session_get_memory (f.session) != NULL);
  tsr_ui_test_run (100);
  scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (TSR_PAGE (f.page)));
  g_assert_nonnull (strstr (scope, "2,944 tiles on 2 IPUs (assumed)"));
  assert_impossible (tsr_ui_test_child (f.page, "gaps_check"), "including_gaps");
  assert_impossible (tsr_ui_test_child (f.page, "max_check"), "memory of a tile");
  g_assert_true (tsr_memory_page_enter_tiles (f.page, "ipu1,top3"));
  tsr_session_set_tiles_per_ipu (f.session, 736);
  tsr_ui_test_wait (tsr_memory_get_n_ipus (tsr_session_get_memory (f.session)) == 4);
  tsr_ui_test_run (60);
  memory_page_test_tear_down (&f, NULL);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
#define ADD(name, function)                                                                        \
  g_test_add (name, MemoryPageTest, NULL, memory_page_test_set_up, function,                       \
              memory_page_test_tear_down)
  ADD ("/memory-page/shows", test_shows);
  ADD ("/memory-page/once", test_once);
  ADD ("/memory-page/one-change", test_one_change);
  ADD ("/memory-page/busy", test_busy);
  ADD ("/memory-page/scope", test_scope);
  ADD ("/memory-page/selection", test_selection);
  ADD ("/memory-page/entry", test_entry);
  ADD ("/memory-page/options", test_options);
  ADD ("/memory-page/insensitive", test_insensitive);
  ADD ("/memory-page/hover", test_hover);
  ADD ("/memory-page/reload", test_reload);
  ADD ("/memory-page/split", test_split);
  ADD ("/memory-page/high", test_high);
  ADD ("/memory-page/units", test_units);
  ADD ("/memory-page/hidden-series", test_hidden_series);
  ADD ("/memory-page/export", test_export);
  g_test_add_func ("/memory-page/poor", test_poor);
  return g_test_run ();
}

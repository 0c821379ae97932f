/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tabs of the pages' details: none moves when a number comes or goes, and a number is always
 * that of the rows which the tab lists, or would list. */

#include "config.h"

#include "tsr-liveness-page.h"
#include "tsr-memory-page.h"
#include "tsr-operation-page.h"
#include "tsr-program-page.h"
#include "tsr-tabs.h"
#include "tsr-test.h"
#include "tsr-trace-page.h"
#include "tsr-trace-rows.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <string.h>

typedef struct
{
  char *folder;
  TsrSettings *settings;
  TsrSession *session;
  GtkWidget *window, *page;
  GtkNotebook *notebook;
  GArray *places; /* int: where the tabs begin and end, while most have no number */
} Fixture;

/* ---------------------------------------------------------------- what is seen */

static GtkWidget *
get_label (Fixture *f, int tab)
{
  return gtk_notebook_get_tab_label (f->notebook, gtk_notebook_get_nth_page (f->notebook, tab));
}

static TsrRowView *
get_view (Fixture *f, int tab)
{
  return (TsrRowView *)tsr_ui_test_find (gtk_notebook_get_nth_page (f->notebook, tab),
                                         TSR_TYPE_ROW_VIEW);
}

/* The number that is written on a tab; -1: none. */
static gint64
read_count (Fixture *f, int tab)
{
  const char *text = tsr_tab_label_get_text (TSR_TAB_LABEL (get_label (f, tab)));
  g_autofree char *digits = g_strdup ("");

  for (const char *c = strrchr (text, ' '); c != NULL && *c != '\0'; c++)
    if (g_ascii_isdigit (*c))
      {
        char *longer = g_strdup_printf ("%s%c", digits, *c);

        g_free (digits);
        digits = longer;
      }
  return *digits != '\0' ? g_ascii_strtoll (digits, NULL, 10) : -1;
}

static GArray *
dup_places (Fixture *f)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = 0; i < gtk_notebook_get_n_pages (f->notebook); i++)
    {
      GtkWidget *tab = gtk_widget_get_parent (get_label (f, i));
      double x = 0;
      int place;

      gtk_widget_translate_coordinates (tab, GTK_WIDGET (f->notebook), 0, 0, &x, NULL);
      place = (int)x;
      g_array_append_val (places, place);
      place += gtk_widget_get_width (tab);
      g_array_append_val (places, place);
    }
  return places;
}

static gboolean
is_ready (Fixture *f)
{
  if (TSR_IS_LIVENESS_PAGE (f->page))
    return tsr_session_get_vertices (f->session) != NULL
           && !tsr_session_is_lowered_pending (f->session)
           && tsr_liveness_page_get_model (TSR_LIVENESS_PAGE (f->page)) != NULL
           && !tsr_liveness_page_is_busy (TSR_LIVENESS_PAGE (f->page));
  if (TSR_IS_TRACE_PAGE (f->page))
    return tsr_session_get_trace (f->session) != NULL
           && !tsr_trace_page_is_busy (TSR_TRACE_PAGE (f->page));
  if (TSR_IS_PROGRAM_PAGE (f->page))
    return tsr_row_view_get_shown (tsr_program_page_get_tree (TSR_PROGRAM_PAGE (f->page))) != NULL
           && !tsr_program_page_is_busy (TSR_PROGRAM_PAGE (f->page));
  if (TSR_IS_OPERATION_PAGE (f->page))
    return tsr_row_view_get_shown (tsr_operation_page_get_list (TSR_OPERATION_PAGE (f->page)))
               != NULL
           && !tsr_operation_page_is_busy (TSR_OPERATION_PAGE (f->page));
  return tsr_session_get_vertices (f->session) != NULL
         && !tsr_session_is_lowered_pending (f->session)
         && !tsr_tabs_is_busy (TSR_TABS (tsr_ui_test_find (f->page, TSR_TYPE_TABS)));
}

/* On a page this narrow the titles have room as long as no number takes it. */
static void
check_all_seen (Fixture *f)
{
  for (int i = 0; i < gtk_notebook_get_n_pages (f->notebook); i++)
    g_assert_true (gtk_widget_get_mapped (get_label (f, i)));
}

/* Nothing has moved, and no number is another's. */
static void
check (Fixture *f)
{
  g_autoptr (GArray) places = NULL;
  int shown;

  tsr_ui_test_wait (is_ready (f));
  tsr_ui_test_run (60);
  tsr_ui_test_wait (is_ready (f));
  places = dup_places (f);
  check_all_seen (f);
  g_assert_cmpmem (places->data, places->len * sizeof (int), f->places->data,
                   f->places->len * sizeof (int));
  shown = gtk_notebook_get_current_page (f->notebook);
  for (int i = 0; i < gtk_notebook_get_n_pages (f->notebook); i++)
    {
      gint64 count = read_count (f, i);

      if (count >= 0 && get_view (f, i) != NULL)
        g_assert_cmpint (count, ==, tsr_row_view_get_n_shown (get_view (f, i)));
      if (i == shown && (!TSR_IS_TRACE_PAGE (f->page) || i == TSR_TRACE_TAB_AGGREGATE)
          && (!TSR_IS_MEMORY_PAGE (f->page) || i != TSR_MEMORY_TAB_DETAILS)
          && get_view (f, i) != NULL && tsr_row_view_get_rows (get_view (f, i)) != NULL)
        g_assert_cmpint (count, >=, 0);
    }
}

static void
visit_all (Fixture *f)
{
  for (int i = 0; i < gtk_notebook_get_n_pages (f->notebook); i++)
    {
      gtk_notebook_set_current_page (f->notebook, i);
      check (f);
    }
}

static void
choose_tiles (Fixture *f, const char *text)
{
  g_autoptr (GArray) tiles = g_array_new (FALSE, FALSE, sizeof (guint));

  for (const char *c = text; *c != '\0'; c++)
    {
      guint tile = (guint)(*c - '0');

      g_array_append_val (tiles, tile);
    }
  tsr_tile_selection_set (tsr_session_get_selection (f->session), (guint *)tiles->data, tiles->len);
}

/* ---------------------------------------------------------------- fixture */

typedef struct
{
  GType (*get_type) (void);
  int width;
  gboolean debug; /* with debug.cbor */
} Setup;

static void
set_up (Fixture *f, gconstpointer data)
{
  const Setup *options = data;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;

  f->folder = tsr_test_report_new ("demo");
  if (options->debug)
    tsr_test_copy (tsr_test_get_report ("demo"), f->folder, "debug.cbor");
  f->settings = tsr_settings_new ("none.such");
  f->session = tsr_session_new (f->settings);
  f->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f->window), options->width, 640);
  f->page = g_object_new (options->get_type (), NULL);
  gtk_window_set_child (GTK_WINDOW (f->window), f->page);
  tsr_page_set_session (TSR_PAGE (f->page), f->session);
  f->notebook = GTK_NOTEBOOK (tsr_ui_test_find (f->page, GTK_TYPE_NOTEBOOK));
  report = tsr_report_open (place, f->folder, TSR_LOAD_ALL);
  tsr_session_set_report (f->session, report);
  tsr_ui_test_wait (tsr_session_get_memory (f->session) != NULL);
  choose_tiles (f, "5");
  gtk_window_present (GTK_WINDOW (f->window));
  tsr_ui_test_wait (is_ready (f));
  tsr_ui_test_wait (gtk_widget_get_width (GTK_WIDGET (f->notebook)) > 0);
  tsr_ui_test_run (60);
  f->places = dup_places (f);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  tsr_session_close (f->session);
  tsr_ui_test_drop (f->session);
  g_object_unref (f->settings);
  g_array_unref (f->places);
  tsr_test_folder_free (f->folder);
}

/* ---------------------------------------------------------------- tests */

static gint64
count_live (Fixture *f, guint step)
{
  return tsr_test_ask (f->folder,
                       "SELECT count(DISTINCT variable) FROM variable_lifetimes "
                       "WHERE start_step <= %u AND %u < end_step",
                       step, step);
}

static void
show (Fixture *f, TsrLivenessTab tab)
{
  tsr_tabs_show (TSR_TABS (tsr_ui_test_child (TSR_LIVENESS_PAGE (f->page), "tabs")), tab);
  check (f);
}

static void
test_liveness (Fixture *f, gconstpointer data)
{
  TsrStepSelection *steps = tsr_session_get_steps (f->session);
  guint step = 40;

  visit_all (f);
  for (int i = TSR_LIVENESS_TAB_ALWAYS; i <= TSR_LIVENESS_TAB_VERTICES; i++)
    g_assert_cmpint (read_count (f, i), >, 0);
  /* Of another step nobody knows before it is looked at; of what is always live it is the same. */
  tsr_step_selection_set (steps, &step, 1);
  check (f);
  for (int i = TSR_LIVENESS_TAB_TEMPORARY; i <= TSR_LIVENESS_TAB_FLOPS; i++)
    g_assert_cmpint (read_count (f, i), ==, -1);
  g_assert_cmpint (read_count (f, TSR_LIVENESS_TAB_ALWAYS), >=, 0);
  g_assert_cmpint (read_count (f, TSR_LIVENESS_TAB_PEAK), >=, 0);
  show (f, TSR_LIVENESS_TAB_TEMPORARY);
  g_assert_cmpint (read_count (f, TSR_LIVENESS_TAB_TEMPORARY), ==, count_live (f, step));
  /* The table that is shown and its number go together. */
  step = 60;
  tsr_step_selection_set (steps, &step, 1);
  check (f);
  g_assert_cmpint (read_count (f, TSR_LIVENESS_TAB_TEMPORARY), ==, count_live (f, step));
  /* One that is left before it has its answer. */
  step = 70;
  tsr_step_selection_set (steps, &step, 1);
  show (f, TSR_LIVENESS_TAB_PEAK);
  g_assert_cmpint (read_count (f, TSR_LIVENESS_TAB_TEMPORARY), ==, -1);
  visit_all (f);
  g_assert_cmpint (read_count (f, TSR_LIVENESS_TAB_TEMPORARY), ==, count_live (f, step));
  /* Another source. */
  gtk_widget_activate_action (f->page, "liveness.source", "s", "tile5");
  check (f);
  for (int i = 0; i < TSR_LIVENESS_TAB_LIFETIMES; i++)
    if (i != gtk_notebook_get_current_page (f->notebook))
      g_assert_cmpint (read_count (f, i), ==, -1);
  visit_all (f);
  g_assert_cmpint (read_count (f, TSR_LIVENESS_TAB_TEMPORARY), <, count_live (f, step));
  /* A filter. */
  show (f, TSR_LIVENESS_TAB_ALWAYS);
  tsr_row_view_set_filter (get_view (f, TSR_LIVENESS_TAB_ALWAYS), "weight");
  check (f);
  g_assert_cmpint (read_count (f, TSR_LIVENESS_TAB_ALWAYS), <,
                   tsr_rows_get_n (tsr_row_view_get_rows (get_view (f, TSR_LIVENESS_TAB_ALWAYS))));
  tsr_row_view_set_filter (get_view (f, TSR_LIVENESS_TAB_ALWAYS), "");
  check (f);
}

static void
test_memory (Fixture *f, gconstpointer data)
{
  visit_all (f);
  choose_tiles (f, "237");
  visit_all (f);
  tsr_row_view_set_filter (
      tsr_memory_page_get_rows (TSR_MEMORY_PAGE (f->page), TSR_MEMORY_TAB_VARIABLES), "conv");
  check (f);
  choose_tiles (f, "");
  tsr_ui_test_run (200);
  check (f);
}

static void
test_trace (Fixture *f, gconstpointer data)
{
  TsrTraceState *state = tsr_session_get_trace_state (f->session);
  TsrTraceStepRef refs[3];
  gint64 from, to;

  visit_all (f);
  g_assert_cmpint (read_count (f, TSR_TRACE_TAB_DETAILS), ==, -1);
  g_assert_cmpint (read_count (f, TSR_TRACE_TAB_AGGREGATE), >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (refs); i++)
    refs[i] = (TsrTraceStepRef){ 1 + i, 0 };
  tsr_trace_state_set_steps (state, refs, G_N_ELEMENTS (refs));
  visit_all (f);
  g_assert_cmpint (read_count (f, TSR_TRACE_TAB_DETAILS), ==, 3);
  /* Another span: what is not seen has no number. */
  gtk_notebook_set_current_page (f->notebook, TSR_TRACE_TAB_SUMMARY);
  check (f);
  tsr_trace_state_get_domain (state, tsr_session_get_trace (f->session), &from, &to);
  tsr_trace_state_set_span (state, from, from + (to - from) / 3);
  check (f);
  g_assert_cmpint (read_count (f, TSR_TRACE_TAB_AGGREGATE), ==, -1);
  visit_all (f);
  g_assert_cmpint (read_count (f, TSR_TRACE_TAB_AGGREGATE), >, 0);
}

/* Every table of the register has its tab, by key and title, with the rows that the command line
 * prints. */
static void
check_same (TsrRows *a, TsrRows *b)
{
  g_assert_true ((a == NULL) == (b == NULL));
  if (a == NULL)
    return;
  g_assert_cmpuint (tsr_rows_get_n (a), ==, tsr_rows_get_n (b));
  g_assert_cmpuint (tsr_rows_get_n_columns (a), ==, tsr_rows_get_n_columns (b));
  for (guint column = 0; column < tsr_rows_get_n_columns (a); column++)
    {
      const TsrRowColumn *of_a = tsr_rows_get_column (a, column);

      g_assert_cmpstr (of_a->key, ==, tsr_rows_get_column (b, column)->key);
      for (guint32 row = 0; row < tsr_rows_get_n (a); row++)
        if (of_a->cell == TSR_CELL_KIND_TEXT)
          g_assert_cmpstr (tsr_rows_get_text (a, row, column), ==,
                           tsr_rows_get_text (b, row, column));
        else
          g_assert_cmpint (tsr_rows_get_value (a, row, column), ==,
                           tsr_rows_get_value (b, row, column));
    }
}

static void
check_table (Fixture *f, const TsrTableInfo *info)
{
  TsrTabs *tabs = TSR_TABS (tsr_ui_test_find (f->page, TSR_TYPE_TABS));
  const TsrTab *tab = tsr_tabs_get (tabs, info->tab);
  g_autoptr (TsrTableAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;
  TsrRowView *view = info->beside ? tab->more : tab->view;

  if (!info->beside)
    {
      g_assert_cmpstr (tab->words->key, ==, info->key);
      g_assert_true (g_str_has_prefix (tsr_tab_label_get_text (tab->label), info->title));
    }
  if (g_str_equal (info->key, "lifetimes"))
    {
      g_assert_null (view); /* a chart */
      return;
    }
  g_assert_true (tsr_tabs_show_key (tabs, tab->words->key));
  check (f);
  g_assert_true (tsr_tabs_get_shown (tabs) == tab);
  answer = tsr_tables_answer (info, tab->question, NULL, &error);
  g_assert_no_error (error);
  check_same (answer->rows, view != NULL ? tsr_row_view_get_rows (view) : tab->answer->rows);
  if (answer->rows == NULL)
    g_assert_cmpstr (answer->title, ==, tab->answer->title);
}

static void
check_register (Fixture *f)
{
  const char *command = TSR_IS_MEMORY_PAGE (f->page)     ? "memory"
                        : TSR_IS_LIVENESS_PAGE (f->page) ? "liveness"
                                                         : "trace";
  const TsrTraceStepRef refs[] = { { 1, 0 }, { 2, 0 } };
  const TsrTableInfo *infos;
  guint n, n_tables = 0;

  tsr_trace_state_set_steps (tsr_session_get_trace_state (f->session), refs, 2);
  infos = tsr_tables_peek (&n);
  for (guint i = 0; i < n; i++)
    if (g_str_equal (infos[i].command, command))
      {
        check_table (f, &infos[i]);
        n_tables++;
      }
  g_assert_cmpuint (n_tables, >=,
                    tsr_tabs_get_n (TSR_TABS (tsr_ui_test_find (f->page, TSR_TYPE_TABS))));
}

/* How many tables were asked for since the last time. */
static guint
count_asked (Fixture *f, guint *before)
{
  guint n, was = *before;

  tsr_ui_test_run (60);
  tsr_ui_test_wait (is_ready (f));
  *before = n = tsr_tabs_get_n_asked (TSR_TABS (tsr_ui_test_find (f->page, TSR_TYPE_TABS)));
  return n - was;
}

/* What all three pages have tables of. */
static void
change (Fixture *f, guint i)
{
  TsrTraceState *state = tsr_session_get_trace_state (f->session);
  gint64 from, to;

  if (TSR_IS_MEMORY_PAGE (f->page))
    choose_tiles (f, (const char[]){ (char)('0' + i % 8), '\0' });
  else if (TSR_IS_LIVENESS_PAGE (f->page))
    tsr_step_selection_set (tsr_session_get_steps (f->session), &i, 1);
  else
    {
      tsr_trace_state_get_domain (state, tsr_session_get_trace (f->session), &from, &to);
      tsr_trace_state_set_span (state, from, to - 1 - i);
    }
}

/* Only what is seen is computed, once, when its question has become another one. */
static void
check_asked (Fixture *f)
{
  TsrTabs *tabs = TSR_TABS (tsr_ui_test_find (f->page, TSR_TYPE_TABS));
  guint n = 0, shown = 2, other = TSR_IS_LIVENESS_PAGE (f->page) ? 1 : 3;
  const char *const names[] = { "none such", NULL };

  tsr_tabs_show (tabs, shown);
  count_asked (f, &n);
  change (f, 40);
  g_assert_cmpuint (count_asked (f, &n), ==, 1);
  change (f, 41);
  change (f, 42);
  g_assert_cmpuint (count_asked (f, &n), ==, 1);
  change (f, 42);
  tsr_tabs_update (tabs);
  tsr_step_selection_set_variables (tsr_session_get_steps (f->session), names);
  g_assert_cmpuint (count_asked (f, &n), ==, 0);
  tsr_tabs_show (tabs, other);
  g_assert_cmpuint (count_asked (f, &n), ==, 1);
  tsr_tabs_show (tabs, shown);
  g_assert_cmpuint (count_asked (f, &n), ==, 0);
  gtk_widget_set_visible (f->page, FALSE); /* as behind another page */
  change (f, 43);
  g_assert_cmpuint (count_asked (f, &n), ==, 0);
  gtk_widget_set_visible (f->page, TRUE);
  g_assert_cmpuint (count_asked (f, &n), ==, 1);
}

static void
test_tables (Fixture *f, gconstpointer data)
{
  check_asked (f);
  check_register (f);
}

/* Lists that stand by themselves, and tables that a link fills a list with. */
static gboolean
is_no_tab (const TsrTableInfo *info)
{
  static const char *const keys[] = { "tree", "costliest", "roots", "touching", "list", NULL };

  return g_strv_contains (keys, info->key);
}

/* Tables of the program or the operation that is selected: those of the register and no others,
 * but for what is drawn. */
static void
test_selected (Fixture *f, gconstpointer data)
{
  TsrTabs *tabs = TSR_TABS (tsr_ui_test_find (f->page, TSR_TYPE_TABS));
  const char *command = TSR_IS_PROGRAM_PAGE (f->page) ? "programs" : "operations";
  guint32 row = 2;
  guint n, n_found = 0;
  const TsrTableInfo *infos = tsr_tables_peek (&n);

  if (TSR_IS_PROGRAM_PAGE (f->page))
    tsr_program_page_set_program (TSR_PROGRAM_PAGE (f->page), 3);
  else
    tsr_row_view_select (tsr_operation_page_get_list (TSR_OPERATION_PAGE (f->page)), &row, 1);
  for (guint i = 0; i < tsr_tabs_get_n (tabs); i++)
    {
      const TsrTab *tab = tsr_tabs_get (tabs, i);
      const TsrTableInfo *info = tsr_tables_find (command, tab->words->key);
      g_autoptr (TsrTableAnswer) answer = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (tsr_tabs_show_key (tabs, tab->words->key));
      tsr_ui_test_run (60);
      tsr_ui_test_wait (is_ready (f));
      g_assert_true ((info != NULL) == (tab->view != NULL));
      if (info == NULL)
        continue;
      n_found++;
      g_assert_true (g_str_has_prefix (tsr_tab_label_get_text (tab->label), info->title));
      answer = tsr_tables_answer (info, tab->question, NULL, &error);
      g_assert_no_error (error);
      check_same (answer->rows, tsr_row_view_get_rows (tab->view));
      g_assert_true (answer->rows == NULL || tsr_rows_get_n (answer->rows) > 0);
    }
  for (guint i = 0; i < n; i++)
    n_found -= g_str_equal (infos[i].command, command) && !is_no_tab (&infos[i]);
  g_assert_cmpuint (n_found, ==, 0);
}

/* However many there are: the place is wide enough. */
static void
test_width (void)
{
  static const gint64 counts[] = { 0, 8, 88, 888, 8888, 88888, 888888, 8888888, 888888888 };
  GtkWidget *window = gtk_window_new ();
  TsrTabLabel *label = tsr_tab_label_new ("Variables", NULL);
  int width, wide;

  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (label));
  gtk_window_present (GTK_WINDOW (window));
  gtk_widget_measure (GTK_WIDGET (label), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      tsr_tab_label_set_count (label, counts[i]);
      gtk_widget_measure (GTK_WIDGET (label), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wide, NULL,
                          NULL);
      g_assert_cmpint (wide, ==, width);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A room that is wider and then narrower: the numbers come and go with it. */
static void
test_fold (Fixture *f, gconstpointer data)
{
  TsrTabLabel *place = TSR_TAB_LABEL (get_label (f, 0));

  g_assert_cmpint (tsr_tab_label_get_folded_width (place), >, 0);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1232, 640);
  tsr_ui_test_wait (gtk_widget_get_width (f->window) == 1232);
  tsr_ui_test_run (60);
  g_assert_cmpint (tsr_tab_label_get_folded_width (place), ==, 0);
  check_all_seen (f);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 846, 640);
  tsr_ui_test_wait (gtk_widget_get_width (f->window) == 846);
  tsr_ui_test_run (60);
  g_assert_cmpint (tsr_tab_label_get_folded_width (place), >, 0);
  check (f);
}

static const Setup liveness
    = { tsr_liveness_page_get_type, 1232 },
    narrow = { tsr_liveness_page_get_type, 846 }, memory = { tsr_memory_page_get_type, 1232 },
    trace = { tsr_trace_page_get_type, 1232 }, programs = { tsr_program_page_get_type, 1232, TRUE },
    operations = { tsr_operation_page_get_type, 1232, TRUE };

#define ADD(name, data, func) g_test_add ("/tabs/" name, Fixture, data, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
  g_test_add_func ("/tabs/width", test_width);
  ADD ("liveness", &liveness, test_liveness);
  ADD ("liveness-narrow", &narrow, test_liveness);
  ADD ("fold", &narrow, test_fold);
  ADD ("memory", &memory, test_memory);
  ADD ("trace", &trace, test_trace);
  ADD ("tables-memory", &memory, test_tables);
  ADD ("tables-liveness", &liveness, test_tables);
  ADD ("tables-trace", &trace, test_tables);
  ADD ("tables-programs", &programs, test_selected);
  ADD ("tables-operations", &operations, test_selected);
  return g_test_run ();
}

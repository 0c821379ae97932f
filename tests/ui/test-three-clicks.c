/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the fattest exchange of a trace to the operation that made it and its line of source, in
 * three clicks, for reports of several frameworks: on the step, on Details, where both stand, and
 * on the operation, whose contexts are then in the Program Tree.  And on to its code on every tile,
 * and back.  What is asked most often, in two.  From other pages' steps, compute sets and variables
 * to programs and operations. */

#include "config.h"

#include "tsr-finding-row.h"
#include "tsr-insights-page.h"
#include "tsr-liveness-page.h"
#include "tsr-memory-page.h"
#include "tsr-operation-page.h"
#include "tsr-plan-view.h"
#include "tsr-program-page.h"
#include "tsr-summary-page.h"
#include "tsr-test.h"
#include "tsr-trace-page.h"
#include "window-test.h"

#include <string.h>

typedef struct
{
  const char *preset, *steps; /* (nullable) number */
  const char *layer;          /* outermost, that is named */
  const char *source;         /* begins so */
  gboolean reduction;         /* the all-reduce, which PopART makes itself: it has no line */
} Walk;

static const Walk walks[] = {
  { "demo", NULL, "PopART Builder: ", "/work/train/model.py:" },
  { "demo", NULL, "PopART: ", "no line recorded", TRUE },
  { "pytorch", NULL, "PopTorch: ", "/work/train/model.py:" },
  { "trace", "3000", "TensorFlow XLA operations: ", "/work/train/model.py:" },
  { "poplibs", NULL, "PopLibs: ", "/poplibs/lib/" },
};

static TsrPage *
page_of (TsrWindow *window)
{
  return tsr_report_view_get_page (tsr_window_get_report_view (window));
}

static gboolean
is_there (TsrWindow *window, GType type)
{
  return window_test_is (window, "report") && page_of (window) != NULL
         && G_TYPE_CHECK_INSTANCE_TYPE (page_of (window), type)
         && tsr_page_is_content_shown (page_of (window));
}

/* (nullable): the widget of @type in @widget that says @text first. */
static GtkWidget *
find_saying (GtkWidget *widget, GType type, const char *text)
{
  const char *label = NULL;

  if (GTK_IS_LABEL (widget))
    label = gtk_label_get_label (GTK_LABEL (widget));
  else if (GTK_IS_BUTTON (widget))
    label = gtk_button_get_label (GTK_BUTTON (widget));
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && label != NULL && g_str_has_prefix (label, text))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_saying (child, type, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_contexts (TsrWindow *window)
{
  TsrTab *tab;

  if (!is_there (window, TSR_TYPE_PROGRAM_PAGE)
      || tsr_program_page_is_busy (TSR_PROGRAM_PAGE (page_of (window))))
    return FALSE;
  tab = tsr_tabs_get_shown (
      TSR_TABS (tsr_ui_test_child (TSR_PROGRAM_PAGE (page_of (window)), "tabs")));
  return tab->number == TSR_PROGRAM_DETAIL_DEBUG && tab->answer != NULL
         && tab->answer->rows != NULL;
}

/* The program of the step is selected, and the line of source (nullable) is among its contexts. */
static void
check_contexts (TsrWindow *window, const char *source, gint64 program)
{
  TsrProgramPage *page = TSR_PROGRAM_PAGE (page_of (window));
  TsrRows *rows = tsr_tabs_get_shown (TSR_TABS (tsr_ui_test_child (page, "tabs")))->answer->rows;
  TsrPrograms *programs = tsr_session_get_programs (tsr_window_get_session (window));
  guint n = 0;

  g_assert_cmpint (
      tsr_programs_get_tables (programs)->program_id[tsr_program_page_get_program (page)], ==,
      program);
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    n += g_strcmp0 (tsr_rows_get_text (rows, row, 1), source) == 0;
  g_assert_true (source == NULL || n > 0);
}

/* What the map says of all tiles is the program's code. */
static void
check_code (TsrWindow *window, gint64 id)
{
  TsrPrograms *programs = tsr_session_get_programs (tsr_window_get_session (window));
  guint32 program = tsr_programs_find (programs, id);
  TsrTileMap *map;
  g_autoptr (GString) csv = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  gint64 sum = 0;

  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "programs.show-in-memory", NULL);
  tsr_ui_test_wait (is_there (window, TSR_TYPE_MEMORY_PAGE));
  map = tsr_tile_map_view_get_map (
      tsr_memory_page_get_map_view (TSR_MEMORY_PAGE (page_of (window))));
  for (guint turn = 0; turn < 100; turn++)
    {
      g_autofree char *caption = tsr_chart_model_dup_caption (TSR_CHART_MODEL (map));

      if (caption != NULL && strstr (caption, tsr_programs_get_label (programs, program)) != NULL)
        break;
      tsr_ui_test_run (50);
    }
  tsr_chart_model_write_csv (TSR_CHART_MODEL (map), 0, G_MAXINT, csv);
  lines = g_strsplit (csv->str, "\n", -1);
  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    sum += g_ascii_strtoll (strrchr (lines[i], ',') + 1, NULL, 10);
  g_assert_cmpint (sum, ==, tsr_programs_get (programs, program, TSR_PROGRAM_CODE));
  g_assert_cmpint (sum, >, 0);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.back", NULL);
  tsr_ui_test_wait (has_contexts (window));
}

static void
test_walk (gconstpointer data)
{
  const Walk *walk = data;
  g_autofree char *folder = tsr_test_folder_new (), *source = NULL;
  TsrWindow *window = window_test_new ();
  TsrTraceStepRef step = { 0 };
  GtkWidget *made_by = NULL;
  gint64 program;

  /* The number stands behind the preset. */
  if (walk->steps != NULL)
    tsr_test_make_report (folder, walk->steps, walk->preset, NULL);
  else
    tsr_test_make_report (folder, walk->preset, NULL);
  step.step_id = tsr_test_ask (
      folder,
      "SELECT i.step_id FROM steps_by_ipu i JOIN steps s ON s.id = "
      "i.step_id JOIN programs p ON p.id = s.program WHERE "
      "p.type = 'DoExchange' AND p.debug_id IS NOT NULL AND (p.name LIKE "
      "'%%allReduce%%') = %d AND ipu = 0 ORDER BY i.data_in DESC, i.step_id LIMIT 1",
      walk->reduction);
  program = tsr_test_ask (folder, "SELECT program FROM steps WHERE id = %" G_GINT64_FORMAT,
                          step.step_id);
  tsr_window_open (window, folder, TSR_VIEW_EXECUTION_TRACE);
  tsr_ui_test_wait (is_there (window, TSR_TYPE_TRACE_PAGE)
                    && tsr_session_get_trace (tsr_window_get_session (window)) != NULL);
  /* 1: the step. */
  tsr_trace_state_set_steps (tsr_session_get_trace_state (tsr_window_get_session (window)), &step,
                             1);
  /* 2: Details. */
  tsr_tabs_show (TSR_TABS (tsr_ui_test_find (GTK_WIDGET (page_of (window)), TSR_TYPE_TRACE_TABS)),
                 TSR_TRACE_TAB_DETAILS);
  tsr_ui_test_wait (
      (made_by = find_saying (GTK_WIDGET (page_of (window)), GTK_TYPE_BUTTON, walk->layer))
      != NULL);
  source = g_strdup (gtk_label_get_label (
      GTK_LABEL (find_saying (GTK_WIDGET (page_of (window)), GTK_TYPE_LABEL, walk->source))));
  /* 3: the operation. */
  g_signal_emit_by_name (made_by, "clicked");
  tsr_ui_test_wait (has_contexts (window));
  check_contexts (window, walk->reduction ? NULL : source, program);
  check_code (window, program);
  window_test_close (window);
  tsr_test_folder_free (g_steal_pointer (&folder));
}

/* -------------------------------------------------------------- ways back */

static void
go (TsrWindow *window, GType type, const char *link)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.go", "s", link);
  tsr_ui_test_wait (is_there (window, type));
}

static guint32
get_program (TsrWindow *window)
{
  TsrProgramPage *page = TSR_PROGRAM_PAGE (page_of (window));

  tsr_ui_test_wait (!tsr_program_page_is_busy (page));
  return tsr_program_page_get_program (page);
}

/* Another page selects what is asked for. */
static void
select_none (TsrWindow *window)
{
  go (window, TSR_TYPE_PROGRAM_PAGE, "page=programs");
  tsr_program_page_set_program (TSR_PROGRAM_PAGE (page_of (window)), TSR_NO_INDEX);
  go (window, TSR_TYPE_OPERATION_PAGE, "page=operations");
  tsr_operation_page_set_key (TSR_OPERATION_PAGE (page_of (window)), NULL);
}

static void
check_operation (TsrWindow *window, guint (*find) (TsrOperations *, guint32), guint32 of)
{
  TsrOperationPage *page;
  g_autofree char *key = NULL;

  tsr_ui_test_wait (is_there (window, TSR_TYPE_OPERATION_PAGE));
  page = TSR_OPERATION_PAGE (page_of (window));
  tsr_ui_test_wait (
      !tsr_operation_page_is_busy (page) && tsr_operation_page_get_operations (page) != NULL
      && tsr_operation_page_get_key (page) != NULL && *tsr_operation_page_get_key (page) != '\0');
  key = tsr_operation_dup_key (tsr_operation_page_get_operations (page),
                               find (tsr_operation_page_get_operations (page), of));
  g_assert_cmpstr (tsr_operation_page_get_key (page), ==, key);
}

static guint
of_program (TsrOperations *operations, guint32 program)
{
  return tsr_operations_of_program (operations, program);
}

static guint
of_variable (TsrOperations *operations, guint32 variable)
{
  return tsr_operations_of_variable (operations, variable);
}

static gboolean
has_rows (TsrRowView *view)
{
  TsrRows *shown = tsr_row_view_get_shown (view);

  return gtk_widget_get_mapped (GTK_WIDGET (view)) && !tsr_row_view_is_busy (view) && shown != NULL
         && tsr_rows_get_n (shown) > 2;
}

/* By the menu of a row of Memory; the name that stands there. */
static char *
follow_row (
    TsrWindow *window, const char *link, TsrMemoryTab tab, const char *action, const char *word)
{
  TsrRowView *view;
  const guint32 row = 2;
  char *name;

  select_none (window);
  go (window, TSR_TYPE_MEMORY_PAGE, link);
  view = tsr_memory_page_get_rows (TSR_MEMORY_PAGE (page_of (window)), tab);
  tsr_ui_test_wait (has_rows (view));
  tsr_row_view_select (view, &row, 1);
  name = g_strdup (tsr_rows_get_text (tsr_row_view_get_shown (view), row, 0));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (view), action, "s", word));
  return name;
}

/* A compute set and a variable of Memory lead to the Program Tree and to Operations. */
static void
test_ways (void)
{
  g_autofree char *folder = tsr_test_folder_new ();
  g_autofree char *set = NULL, *same_set = NULL, *variable = NULL, *same_variable = NULL;
  g_autofree char *sql = NULL;
  TsrWindow *window = window_test_new ();
  TsrSession *session;
  const TsrProgramTables *t;
  guint32 program;

  tsr_test_make_report (folder, "demo", NULL);
  tsr_window_open (window, folder, TSR_VIEW_EXECUTION_TRACE);
  tsr_ui_test_wait (is_there (window, TSR_TYPE_TRACE_PAGE)
                    && tsr_session_get_trace (tsr_window_get_session (window)) != NULL);
  session = tsr_window_get_session (window);
  tsr_ui_test_wait (tsr_session_get_liveness (session) != NULL);
  t = tsr_report_get_program_tables (tsr_session_get_report (session));
  set = follow_row (window, "page=memory&tab=compute-sets", TSR_MEMORY_TAB_COMPUTE_SETS,
                    "way.programs", "compute-set");
  tsr_ui_test_wait (is_there (window, TSR_TYPE_PROGRAM_PAGE)
                    && (program = get_program (window)) != TSR_NO_INDEX);
  g_assert_cmpstr (
      tsr_string_table_get (t->strings, t->compute_set_name[t->program_compute_set[program]]), ==,
      set);
  same_set = follow_row (window, "page=memory&tab=compute-sets", TSR_MEMORY_TAB_COMPUTE_SETS,
                         "way.operations", "compute-set");
  g_assert_cmpstr (same_set, ==, set);
  check_operation (window, of_program, program);

  variable = follow_row (window, "page=memory&tab=variables", TSR_MEMORY_TAB_VARIABLES,
                         "way.programs", "touching");
  tsr_ui_test_wait (is_there (window, TSR_TYPE_PROGRAM_PAGE)
                    && (program = get_program (window)) != TSR_NO_INDEX);
  sql = g_strdup_printf ("SELECT count(*) FROM program_variables p JOIN variables v ON v.id = "
                         "p.variable WHERE p.program = %" G_GINT64_FORMAT " AND v.name = '%s'",
                         t->program_id[program], variable);
  g_assert_cmpint (tsr_test_ask (folder, "%s", sql), >, 0);
  same_variable = follow_row (window, "page=memory&tab=variables", TSR_MEMORY_TAB_VARIABLES,
                              "way.operations", "variable");
  g_assert_cmpstr (same_variable, ==, variable);
  check_operation (
      window, of_variable,
      tsr_variables_find (tsr_operations_get_variables (tsr_session_get_operations (session)),
                          variable));
  window_test_close (window);
  tsr_test_folder_free (g_steal_pointer (&folder));
}

/* A new window, with the session of its report. */
static TsrWindow *
open_summary (const char *folder, TsrSession **session)
{
  TsrWindow *window = window_test_new ();

  tsr_window_open (window, folder, TSR_VIEW_SUMMARY);
  tsr_ui_test_wait (window_test_is (window, "report"));
  *session = tsr_window_get_session (window);
  tsr_ui_test_wait (tsr_session_get_trace (*session) != NULL
                    && tsr_session_get_liveness (*session) != NULL);
  return window;
}

static void
check_program (TsrWindow *window, guint way, gint64 id)
{
  guint32 program;

  tsr_ui_test_wait (is_there (window, way == 0 ? TSR_TYPE_PROGRAM_PAGE : TSR_TYPE_OPERATION_PAGE));
  tsr_ui_test_wait (tsr_session_get_programs (tsr_window_get_session (window)) != NULL);
  program = tsr_programs_find (tsr_session_get_programs (tsr_window_get_session (window)), id);
  if (way == 0)
    g_assert_cmpuint (get_program (window), ==, program);
  else
    check_operation (window, of_program, program);
}

/* A step that is selected before its page is made leads to its program and operation, and they lead
 * to a trace that has not been shown. */
static void
test_first_visits (void)
{
  static const TsrView views[] = { TSR_VIEW_EXECUTION_TRACE, TSR_VIEW_LIVENESS };
  g_autofree char *folder = tsr_test_folder_new ();
  TsrTraceStepRef step = { 0 };
  guint liveness_step;
  gint64 ids[2];

  tsr_test_make_report (folder, "demo", NULL);
  step.step_id = tsr_test_ask (folder, "SELECT max(s.id) FROM steps s JOIN programs p ON p.id = "
                                       "s.program JOIN steps_by_ipu i ON i.step_id = s.id WHERE "
                                       "p.debug_id IS NOT NULL AND i.ipu = 0 AND i.cycles > 0");
  ids[0] = tsr_test_ask (folder, "SELECT program FROM steps WHERE id = %" G_GINT64_FORMAT,
                         step.step_id);
  liveness_step = tsr_test_ask (folder, "SELECT max(step) FROM liveness_steps l JOIN programs p ON "
                                        "p.id = l.program WHERE p.debug_id IS NOT NULL");
  ids[1]
      = tsr_test_ask (folder, "SELECT program FROM liveness_steps WHERE step = %u", liveness_step);
  for (guint turn = 0; turn < 4; turn++)
    {
      const guint view = turn / 2, way = turn % 2;
      const char *target = way == 0 ? "programs" : "operations";
      g_autofree char *there = NULL, *back = NULL, *link = NULL;
      TsrSession *session;
      TsrWindow *window = open_summary (folder, &session);
      const TsrTraceStepRef *found;
      guint n = 0;

      tsr_trace_state_set_steps (tsr_session_get_trace_state (session), &step, 1);
      tsr_step_selection_set (tsr_session_get_steps (session), &liveness_step, 1);
      tsr_report_view_show (tsr_window_get_report_view (window), views[view]);
      tsr_ui_test_wait (
          is_there (window, view == 0 ? TSR_TYPE_TRACE_PAGE : TSR_TYPE_LIVENESS_PAGE));
      tsr_ui_test_run (100);
      there = g_strdup_printf ("%s.show-in-%s", tsr_view_get_nick (views[view]), target);
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (page_of (window)), there, NULL));
      check_program (window, way, ids[view]);
      window_test_close (window);
      if (view == 1)
        continue;

      window = open_summary (folder, &session);
      link = g_strdup_printf ("page=%s&program=%" G_GINT64_FORMAT, target, ids[0]);
      go (window, way == 0 ? TSR_TYPE_PROGRAM_PAGE : TSR_TYPE_OPERATION_PAGE, link);
      check_program (window, way, ids[0]);
      back = g_strdup_printf ("%s.show-in-trace", target);
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (page_of (window)), back, NULL));
      tsr_ui_test_wait (is_there (window, TSR_TYPE_TRACE_PAGE));
      tsr_ui_test_run (300);
      found = tsr_trace_state_peek_steps (tsr_session_get_trace_state (session), &n);
      g_assert_cmpuint (n, ==, 1);
      g_assert_cmpint (tsr_test_ask (folder,
                                     "SELECT p.debug_id = (SELECT debug_id FROM programs WHERE id "
                                     "= %" G_GINT64_FORMAT ") FROM steps s JOIN programs p ON p.id "
                                     "= s.program WHERE s.id = %" G_GINT64_FORMAT,
                                     ids[0], found->step_id),
                       ==, 1);
      window_test_close (window);
    }
  tsr_test_folder_free (g_steal_pointer (&folder));
}

/* An operation of a layer that has names of its own: what Execution Trace and Memory look for is
 * what its steps and compute sets are called. */
static void
test_own_names (void)
{
  g_autofree char *folder = tsr_test_folder_new (), *link = NULL;
  TsrWindow *window = window_test_new ();
  TsrTraceSearch *search;
  TsrRowView *view;
  gint64 id;

  tsr_test_make_report (folder, "3000", "trace", NULL);
  id = tsr_test_ask (folder, "SELECT p.id FROM programs p JOIN steps s ON s.program = p.id WHERE "
                             "p.name LIKE '%%conv1/Convolve' AND p.type = 'OnTileExecute' LIMIT 1");
  link = g_strdup_printf ("page=operations&layer=hloinstruction&program=%" G_GINT64_FORMAT, id);
  for (guint way = 0; way < 2; way++)
    {
      TsrOperationPage *page;

      if (way == 0)
        tsr_window_open (window, folder, TSR_VIEW_SUMMARY);
      tsr_ui_test_wait (window_test_is (window, "report"));
      tsr_ui_test_wait (tsr_session_get_trace (tsr_window_get_session (window)) != NULL);
      go (window, TSR_TYPE_OPERATION_PAGE, link);
      page = TSR_OPERATION_PAGE (page_of (window));
      tsr_ui_test_wait (!tsr_operation_page_is_busy (page)
                        && tsr_operation_page_get_operations (page) != NULL
                        && tsr_operation_page_get_key (page) != NULL
                        && *tsr_operation_page_get_key (page) != '\0');
      g_assert_true (gtk_widget_activate_action (
          GTK_WIDGET (page), way == 0 ? "operations.show-in-trace" : "operations.show-in-memory",
          NULL));
      if (way == 1)
        break;
      tsr_ui_test_wait (is_there (window, TSR_TYPE_TRACE_PAGE));
      search = tsr_ui_test_child (TSR_TRACE_PAGE (page_of (window)), "search");
      /* The path that the operation's steps are in, and as many as the file has below such ones. */
      tsr_ui_test_wait (*tsr_trace_search_get_text (search) != '\0');
      g_assert_cmpstr (tsr_trace_search_get_text (search), ==, "model/stem/conv1");
      tsr_ui_test_wait (tsr_trace_search_get_count (search, NULL) != G_MAXUINT64);
      g_assert_cmpuint (
          tsr_trace_search_get_count (search, NULL), ==,
          tsr_test_ask (folder,
                        "SELECT count(*) FROM steps_by_ipu b JOIN steps s ON s.id = b.step_id "
                        "JOIN programs p ON p.id = s.program LEFT JOIN compute_sets c ON "
                        "c.compute_set = s.compute_set WHERE b.cycles > 0 AND s.run = (SELECT "
                        "max(run) FROM steps) "
                        "AND coalesce(c.name, p.name) LIKE '%%model/stem/conv1%%'"));
    }
  tsr_ui_test_wait (is_there (window, TSR_TYPE_MEMORY_PAGE));
  view = tsr_memory_page_get_rows (TSR_MEMORY_PAGE (page_of (window)), TSR_MEMORY_TAB_COMPUTE_SETS);
  for (guint turn = 0; turn < 100 && tsr_row_view_get_n_shown (view) == 0; turn++)
    tsr_ui_test_run (50);
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), >, 0);
  g_assert_cmpuint (tsr_row_view_get_n_shown (view), <, 20);
  window_test_close (window);
  tsr_test_folder_free (g_steal_pointer (&folder));
}

/* ------------------------------------------------------------ two clicks */

typedef void (*Step) (TsrWindow *window);
typedef void (*Check) (TsrWindow *window, const char *folder);

/* The rows of a tab that has them, for this question. */
static TsrTab *
wait_for_tab (TsrTabs *tabs, guint number)
{
  TsrTab *tab;

  tsr_ui_test_wait ((tab = tsr_tabs_get_shown (tabs))->number == number && tab->answer != NULL
                    && tab->answer->rows != NULL && tsr_rows_get_n (tab->answer->rows) > 0);
  return tab;
}

static TsrTabs *
get_liveness_tabs (TsrWindow *window)
{
  tsr_ui_test_wait (is_there (window, TSR_TYPE_LIVENESS_PAGE));
  return TSR_TABS (tsr_ui_test_child (TSR_LIVENESS_PAGE (page_of (window)), "tabs"));
}

static void
propose (TsrWindow *window)
{
  TsrPlanView *view;

  tsr_ui_test_wait (is_there (window, TSR_TYPE_INSIGHTS_PAGE));
  view = tsr_insights_page_get_plan (TSR_INSIGHTS_PAGE (page_of (window)));
  tsr_ui_test_wait (tsr_plan_view_get_forecast (view) != NULL);
  gtk_widget_activate_action (GTK_WIDGET (page_of (window)), "insights.propose", NULL);
}

/* The first finding says by how many bytes the worst tile is too full; what is proposed leaves
 * fewer tiles too full than the report has. */
static void
check_fix (TsrWindow *window, const char *folder)
{
  TsrInsightsPage *page = TSR_INSIGHTS_PAGE (page_of (window));
  TsrPlanView *view = tsr_insights_page_get_plan (page);
  TsrMemory *memory = tsr_session_get_memory (tsr_window_get_session (window));
  g_autoptr (GPtrArray) rows = NULL;
  const TsrFinding *first;
  const TsrForecast *forecast;

  tsr_ui_test_wait ((forecast = tsr_plan_view_get_forecast (view)) != NULL
                    && !tsr_plan_view_is_busy (view) && forecast->set != 0);
  g_assert_cmpint (forecast->packed.n_over, <,
                   tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile WHERE overflowed > "
                                         "0"));
  rows = tsr_insights_page_dup_rows (page);
  first = tsr_finding_row_get_finding (rows->pdata[0]);
  g_assert_cmpint (first->severity, ==, TSR_FINDING_ERROR);
  g_assert_cmpuint (first->where.n_tiles, >, 0);
  g_assert_cmpint (tsr_memory_get_need (memory, first->where.tiles[0]), ==,
                   tsr_test_ask (folder, "SELECT max(max(overflowed, including_gaps - (SELECT "
                                         "bytes_per_tile FROM target))) FROM memory_by_tile"));
}

/* The row that stands first has name and number of @found, which is one row. */
static void
check_top (TsrTab *tab, GPtrArray *found, guint column)
{
  TsrRows *rows = tsr_row_view_get_shown (tab->view);
  char **cells = found->pdata[0];
  gboolean descending = FALSE;
  int order = tsr_row_view_get_sort_column (tab->view, &descending);
  guint32 top = 0;

  g_assert_cmpint (order, >, 0);
  g_assert_true (descending);
  for (guint32 row = 1; row < tsr_rows_get_n (rows); row++)
    if (tsr_rows_get_value (rows, row, order) > tsr_rows_get_value (rows, top, order))
      top = row;
  g_assert_cmpstr (tsr_rows_get_text (rows, top, 0), ==, cells[0]);
  g_assert_cmpint (tsr_rows_get_value (rows, top, column), ==,
                   g_ascii_strtoll (cells[1], NULL, 10));
}

static void
show_peak (TsrWindow *window)
{
  tsr_tabs_show (get_liveness_tabs (window), TSR_LIVENESS_TAB_PEAK);
}

static void
check_biggest (TsrWindow *window, const char *folder)
{
  TsrTabs *tabs = get_liveness_tabs (window);
  TsrTab *tab;
  const TsrLivenessQuestion *asked;
  guint step, tile = tsr_test_ask (folder, "SELECT tile FROM memory_by_tile ORDER BY "
                                           "including_gaps DESC, tile LIMIT 1");
  g_autoptr (GPtrArray) found = NULL;

  /* What is on the tile may come later than the page. */
  tsr_ui_test_wait (!tsr_session_is_lowered_pending (tsr_window_get_session (window)));
  tsr_ui_test_wait ((tab = wait_for_tab (tabs, TSR_LIVENESS_TAB_PEAK))->question != NULL
                    && !tsr_tabs_is_busy (tabs) && has_rows (tab->view)
                    && tab->question->of_liveness.source.kind == TSR_LIVENESS_TILES);
  asked = &tab->question->of_liveness;
  g_assert_cmpuint (asked->source.n_tiles, ==, 1);
  g_assert_cmpuint (asked->source.tiles[0], ==, tile);
  step = tsr_test_ask (
      folder,
      "SELECT s.step FROM liveness_steps s JOIN vars_info v ON v.tile = %u AND v.always_live = 0 "
      "JOIN equivalence_class_intervals i ON i.equivalence_class = v.equivalence_class AND "
      "i.start_step <= s.step AND s.step < i.end_step GROUP BY 1 ORDER BY sum(v.size_bytes) DESC, "
      "1 LIMIT 1",
      tile);
  g_assert_cmpuint (asked->peak, ==, step);
  found = tsr_test_ask_rows (
      folder,
      "SELECT substr(n.value, 1, instr(n.value || '#', '#') - 1), sum(v.size_bytes) FROM vars_info "
      "v JOIN vars_string_table n ON n.id = v.name WHERE v.tile = %u AND (v.always_live = 1 OR "
      "v.equivalence_class IN (SELECT equivalence_class FROM equivalence_class_intervals WHERE "
      "start_step <= %u AND %u < end_step)) GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
      tile, step, step);
  check_top (tab, found, 1);
}

static TsrTab *
get_memory_tab (TsrWindow *window)
{
  TsrTabs *tabs = TSR_TABS (tsr_ui_test_find (GTK_WIDGET (page_of (window)), TSR_TYPE_TABS));
  TsrTab *tab = tsr_tabs_get_shown (tabs);

  tsr_ui_test_wait ((tab = tsr_tabs_get_shown (tabs))->answer != NULL && !tsr_tabs_is_busy (tabs)
                    && has_rows (tab->view));
  return tab;
}

static void
show_memory_tab (TsrWindow *window, TsrMemoryTab tab)
{
  tsr_ui_test_wait (is_there (window, TSR_TYPE_MEMORY_PAGE));
  tsr_tabs_show (TSR_TABS (tsr_ui_test_find (GTK_WIDGET (page_of (window)), TSR_TYPE_TABS)), tab);
}

static void
show_waits (TsrWindow *window)
{
  tsr_ui_test_wait (is_there (window, TSR_TYPE_TRACE_PAGE)
                    && tsr_session_get_trace (tsr_window_get_session (window)) != NULL);
  tsr_tabs_show (TSR_TABS (tsr_ui_test_find (GTK_WIDGET (page_of (window)), TSR_TYPE_TRACE_TABS)),
                 TSR_TRACE_TAB_WAITS);
}

/* Each IPU's waits for the other: from its own arrival to the last one, as far as they are in the
 * span. */
static void
check_waits (TsrWindow *window, const char *folder)
{
  TsrTabs *tabs = TSR_TABS (tsr_ui_test_find (GTK_WIDGET (page_of (window)), TSR_TYPE_TRACE_TABS));
  TsrTab *tab = wait_for_tab (tabs, TSR_TRACE_TAB_WAITS);
  const TsrTraceAnswer *answer;
  gint64 sum = 0;

  tsr_ui_test_wait (!tsr_tabs_is_busy (tabs));
  answer = (tab = tsr_tabs_get_shown (tabs))->answer->trace;
  g_assert_cmpuint (answer->waits->n, ==, 2);
  for (guint ipu = 0; ipu < 2; ipu++)
    {
      gint64 waited = tsr_test_ask (
          folder,
          "WITH a AS (SELECT i.step_id, ipu, cycles_base + active_cycles_from_max AS at FROM "
          "steps_by_ipu i JOIN steps s ON s.id = i.step_id JOIN programs p ON p.id = s.program "
          "WHERE p.type = 'Sync' AND p.name LIKE '%%External%%') SELECT coalesce(sum(max(0, "
          "min(o.at, %" G_GINT64_FORMAT ") - max(a.at, %" G_GINT64_FORMAT "))), 0) FROM a JOIN a o "
          "ON o.step_id = a.step_id AND o.ipu <> a.ipu WHERE a.ipu = %u",
          answer->to, answer->from, ipu);

      g_assert_cmpint (answer->waits->cycles[ipu * 2 + 1 - ipu], ==, waited);
      sum += waited;
    }
  g_assert_cmpint (sum, >, 0);
}

static void
show_a_to_b (TsrWindow *window)
{
  tsr_tabs_show (get_liveness_tabs (window), TSR_LIVENESS_TAB_A_TO_B);
}

/* One is the highest peak, and what changes from A to B adds up to the difference of the two. */
static void
check_peaks (TsrWindow *window, const char *folder)
{
  TsrTab *tab = wait_for_tab (get_liveness_tabs (window), TSR_LIVENESS_TAB_A_TO_B);
  const TsrLivenessQuestion *asked = &tab->question->of_liveness;
  gint64 sum = 0, live[2], most;

  g_assert_cmpuint (asked->n_steps, ==, 2);
  g_assert_cmpuint (asked->steps[0], <, asked->steps[1]);
  for (guint i = 0; i < 2; i++)
    live[i]
        = tsr_test_ask (folder, "SELECT not_always_live_bytes FROM liveness_steps WHERE step = %u",
                        asked->steps[i]);
  most = tsr_test_ask (folder, "SELECT max(not_always_live_bytes) FROM liveness_steps");
  g_assert_cmpint (MAX (live[0], live[1]), ==, most);
  for (guint32 row = 0; row < tsr_rows_get_n (tab->answer->rows); row++)
    sum += tsr_rows_get_value (tab->answer->rows, row, 2);
  g_assert_cmpint (sum, ==, live[1] - live[0]);
}

/* What is asked of a report in at most two clicks from its Summary: the action of the first, the
 * second, and what is there then. */
static const struct
{
  const char *name, *preset, *first;
  Step second; /* (nullable) */
  Check check; /* (nullable): the tab of Memory is the second click, and its first row is that of
                  SQL */
  TsrMemoryTab tab;
  const char *top;
  guint column;
} tasks[] = {
  { "why-and-what-to-do", "oom", "win.view-insights", propose, check_fix },
  { "biggest-variable", "demo", "summary.show-peak", NULL, check_biggest },
  { "biggest-variable-too-full", "oom", "summary.show-peak", NULL, check_biggest },
  { "biggest-variable-in-liveness", "oom", "win.view-liveness", show_peak, check_biggest },
  { "largest-vertex-code", "demo", "win.view-memory", NULL, NULL, TSR_MEMORY_TAB_VERTICES,
    "SELECT v.name, t.total FROM vertex_types v JOIN tile_arrays t ON t.id = v.code_bytes_by_tile "
    "ORDER BY 2 DESC LIMIT 1",
    2 },
  { "largest-exchange-code", "demo", "win.view-memory", NULL, NULL, TSR_MEMORY_TAB_EXCHANGES,
    "SELECT p.name, t.total FROM programs p JOIN tile_arrays t ON t.id = p.code_bytes_by_tile "
    "ORDER BY 2 DESC, p.id LIMIT 1",
    1 },
  { "two-peaks", "demo", "win.view-liveness", show_a_to_b, check_peaks },
  { "who-waits", "demo", "win.view-trace", show_waits, check_waits },
};

static void
test_task (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *folder = tsr_test_folder_new ();
  TsrWindow *window = window_test_new ();
  TsrPage *page;

  tsr_test_make_report (folder, tasks[i].preset, NULL);
  tsr_window_open (window, folder, TSR_VIEW_SUMMARY);
  tsr_ui_test_wait (is_there (window, TSR_TYPE_SUMMARY_PAGE));
  page = page_of (window);
  /* A button that waits for what it shows is there later. */
  tsr_ui_test_wait (
      page_of (window) != page
      || (gtk_widget_activate_action (GTK_WIDGET (page), tasks[i].first, NULL), FALSE));
  if (tasks[i].second != NULL)
    tasks[i].second (window);
  if (tasks[i].check != NULL)
    tasks[i].check (window, folder);
  else
    {
      g_autoptr (GPtrArray) found = tsr_test_ask_rows (folder, "%s", tasks[i].top);

      show_memory_tab (window, tasks[i].tab);
      check_top (get_memory_tab (window), found, tasks[i].column);
    }
  window_test_close (window);
  tsr_test_folder_free (g_steal_pointer (&folder));
}

int
main (int argc, char **argv)
{
  window_test_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    {
      g_autofree char *path = g_strdup_printf ("/three-clicks/%s%s", walks[i].preset,
                                               walks[i].reduction ? "-reduction" : "");

      g_test_add_data_func (path, &walks[i], test_walk);
    }
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      g_autofree char *path = g_strdup_printf ("/two-clicks/%s", tasks[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_task);
    }
  g_test_add_func ("/three-clicks/ways-back", test_ways);
  g_test_add_func ("/three-clicks/first-visits", test_first_visits);
  g_test_add_func ("/three-clicks/own-names", test_own_names);
  return window_test_run ();
}

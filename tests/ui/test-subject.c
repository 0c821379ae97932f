/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is selected on one page is selected or marked on the others when they are opened by their
 * keys, from each to each; what the user chose there later, and what belongs to it already, stays;
 * nothing is read or computed for it. */

#include "config.h"

#include "tsr-liveness-page.h"
#include "tsr-memory-page.h"
#include "tsr-operation-columns.h"
#include "tsr-operation-page.h"
#include "tsr-program-page.h"
#include "tsr-subject-parts.h"
#include "tsr-test.h"
#include "tsr-trace-page.h"
#include "window-test.h"

#include <inttypes.h>

typedef struct
{
  char *folder;
  TsrWindow *window;
  TsrSession *session;
} Fixture;

static TsrPage *
show (Fixture *f, TsrView view)
{
  TsrReportView *report_view = tsr_window_get_report_view (f->window);

  g_assert_true (tsr_report_view_show (report_view, view));
  tsr_ui_test_wait (tsr_report_view_get_page (report_view) != NULL
                    && tsr_page_get_view (tsr_report_view_get_page (report_view)) == view
                    && tsr_page_is_content_shown (tsr_report_view_get_page (report_view)));
  tsr_ui_test_run (150);
  return tsr_report_view_get_page (report_view);
}

static TsrOperationPage *
show_operations (Fixture *f)
{
  TsrOperationPage *page = TSR_OPERATION_PAGE (show (f, TSR_VIEW_OPERATIONS));

  tsr_ui_test_wait (
      tsr_operation_page_get_operations (page) != NULL
      && !tsr_session_is_data_pending (f->session, TSR_DATA_OPERATIONS)
      && tsr_operation_page_get_operations (page) == tsr_session_get_operations (f->session)
      && tsr_operations_get_variables (tsr_operation_page_get_operations (page)) != NULL
      && !tsr_operation_page_is_busy (page));
  return page;
}

static TsrProgramPage *
show_programs (Fixture *f)
{
  TsrProgramPage *page = TSR_PROGRAM_PAGE (show (f, TSR_VIEW_PROGRAM_TREE));

  tsr_ui_test_wait (!tsr_program_page_is_busy (page));
  return page;
}

/* The operation that is selected in its page, by its key. */
static guint
get_operation (Fixture *f)
{
  TsrOperationPage *page = show_operations (f);
  const char *key = tsr_operation_page_get_key (page);

  return *key != '\0' ? tsr_operation_find (tsr_operation_page_get_operations (page), key)
                      : TSR_NO_INDEX;
}

static const TsrProgramTables *
programs (Fixture *f)
{
  return tsr_report_get_program_tables (tsr_session_get_report (f->session));
}

static guint32
row_of (Fixture *f, gint64 id)
{
  const TsrProgramTables *t = programs (f);

  for (guint32 i = 0; i < t->n_programs; i++)
    if (t->program_id[i] == id)
      return i;
  g_assert_not_reached ();
}

static guint
operation_of (Fixture *f, guint32 program)
{
  return tsr_operations_of_program (tsr_session_get_operations (f->session), program);
}

/* Programs with an operation of their own, a compute set, an execution and a liveness step; @skip
 * of them are left out. */
static gint64
ask_program (Fixture *f, guint skip)
{
  return tsr_test_ask (
      f->folder,
      "SELECT p.id FROM programs p WHERE p.type = 'OnTileExecute' AND p.debug_id IS NOT NULL AND "
      "p.id IN (SELECT program FROM liveness_steps) AND p.id IN (SELECT s.program FROM steps s "
      "JOIN "
      "steps_by_ipu i ON i.step_id = s.id WHERE i.cycles > 0) ORDER BY p.id LIMIT 1 OFFSET %u",
      skip);
}

static void
setup (Fixture *f, gconstpointer data)
{
  f->folder = tsr_test_folder_new ();
  tsr_test_make_report (f->folder, "demo", NULL);
  f->window = window_test_new ();
  tsr_window_open (f->window, f->folder, TSR_VIEW_SUMMARY);
  tsr_ui_test_wait (window_test_is (f->window, "report"));
  f->session = tsr_window_get_session (f->window);
  tsr_ui_test_wait (tsr_session_get_trace (f->session) != NULL
                    && tsr_session_get_liveness (f->session) != NULL
                    && !tsr_session_is_lowered_pending (f->session)
                    && !tsr_session_is_stage_pending (f->session, TSR_STAGE_DEBUG));
}

static void
teardown (Fixture *f, gconstpointer data)
{
  window_test_close (f->window);
  tsr_test_folder_free (f->folder);
}

/* --------------------------------------------------------- what is marked */

/* The group of the trace are the executions of programs of which @of says so, all and no other. */
static void
check_trace (Fixture *f,
             gboolean (*of) (Fixture *f, guint32 program, gconstpointer data),
             gconstpointer data)
{
  TsrTrace *trace;
  const TsrExecutionTables *t;
  TsrTraceMatches *group;
  guint n = 0;

  show (f, TSR_VIEW_EXECUTION_TRACE);
  trace = tsr_session_get_trace (f->session);
  t = tsr_trace_get_tables (trace);
  group = tsr_trace_state_get_selected_group (tsr_session_get_trace_state (f->session));
  g_assert_nonnull (group);
  for (guint32 slice = 0; slice < t->ipu_start[t->n_ipus]; slice++)
    {
      const guint32 program = t->step_program[t->slice_step[slice]];
      const gboolean is = program != TSR_NO_INDEX && of (f, program, data);

      g_assert_cmpint (tsr_trace_matches_has_slice (group, trace, slice), ==, is);
      n += is;
    }
  g_assert_cmpuint (n, >, 0);
}

static gboolean
is_of_operation (Fixture *f, guint32 program, gconstpointer operation)
{
  return operation_of (f, program) == *(const guint *)operation;
}

static gboolean
is_program (Fixture *f, guint32 program, gconstpointer wanted)
{
  return program == *(const guint32 *)wanted;
}

/* One liveness step is selected: of those, the one with most bytes. */
static void
check_liveness (Fixture *f,
                gboolean (*of) (Fixture *f, guint32 program, gconstpointer data),
                gconstpointer data)
{
  TsrLiveness *liveness = tsr_session_get_liveness (f->session);
  const TsrLivenessTables *t = tsr_report_get_liveness_tables (tsr_session_get_report (f->session));
  guint n = 0, best = TSR_NO_INDEX;
  const guint *steps;

  show (f, TSR_VIEW_LIVENESS);
  for (guint i = 0; i < tsr_liveness_get_n_steps (liveness); i++)
    {
      const guint program = tsr_liveness_get_step_program (liveness, i);

      if (program != TSR_NO_INDEX && of (f, program, data)
          && (best == TSR_NO_INDEX || t->step_bytes[i] > t->step_bytes[best]))
        best = i;
    }
  steps = tsr_step_selection_peek (tsr_session_get_steps (f->session), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (steps[0], ==, best);
}

static void
check_memory (Fixture *f,
              gboolean (*of) (Fixture *f, guint32 program, gconstpointer data),
              gconstpointer data)
{
  TsrMemoryPage *page = TSR_MEMORY_PAGE (show (f, TSR_VIEW_MEMORY));
  TsrRowView *view = tsr_memory_page_get_rows (page, TSR_MEMORY_TAB_COMPUTE_SETS);
  const TsrProgramTables *t = programs (f);
  g_autoptr (GArray) rows = NULL;
  const char *name;
  guint n = 0;

  g_object_set (page, "tab", "compute-sets", NULL);
  tsr_ui_test_wait (!tsr_row_view_is_busy (view) && tsr_row_view_get_shown (view) != NULL
                    && gtk_widget_get_mapped (GTK_WIDGET (view)));
  tsr_ui_test_run (150);
  rows = tsr_row_view_dup_selected (view);
  g_assert_cmpuint (rows->len, ==, 1);
  name = tsr_rows_get_text (tsr_row_view_get_shown (view), g_array_index (rows, guint32, 0), 0);
  for (guint32 i = 0; i < t->n_programs; i++)
    if (t->program_compute_set[i] < t->n_compute_sets && of (f, i, data))
      n += g_strcmp0 (
               tsr_string_table_get (t->strings, t->compute_set_name[t->program_compute_set[i]]),
               name)
           == 0;
  g_assert_cmpuint (n, >, 0);
}

/* ------------------------------------------------------------------ pairs */

static void
test_operation (Fixture *f, gconstpointer data)
{
  TsrOperationPage *page = show_operations (f);
  TsrOperations *operations = tsr_operation_page_get_operations (page);

  for (guint turn = 0; turn < 2; turn++)
    {
      const guint operation = operation_of (f, row_of (f, ask_program (f, turn * 3)));
      g_autofree char *key = tsr_operation_dup_key (operations, operation);
      const char *const *names;
      guint32 program;

      show_operations (f);
      tsr_operation_page_set_key (page, key);
      program = tsr_program_page_get_program (show_programs (f));
      g_assert_cmpuint (program, ==, tsr_operations_find_costliest (operations, operation));
      check_trace (f, is_of_operation, &operation);
      check_liveness (f, is_of_operation, &operation);
      check_memory (f, is_of_operation, &operation);
      names = tsr_step_selection_peek_variables (tsr_session_get_steps (f->session));
      for (guint i = 0; names[i] != NULL; i++)
        g_assert_cmpuint (tsr_operations_of_variable (
                              operations, tsr_variables_find (
                                              tsr_operations_get_variables (operations), names[i])),
                          ==, operation);
      /* All that followed from it is none itself. */
      g_assert_cmpuint (get_operation (f), ==, operation);
      g_assert_cmpint (tsr_session_peek_subject (f->session)->kind, ==, TSR_SUBJECT_OPERATION);
    }
}

static gboolean
is_of_group (Fixture *f, guint32 program, gconstpointer members)
{
  const GArray *group = members;
  const guint operation = operation_of (f, program);

  for (guint i = 0; i < group->len; i++)
    if (g_array_index (group, guint, i) == operation)
      return TRUE;
  return FALSE;
}

/* A group is all of its operations; Memory says that it has rows of them, and leads there. */
static void
test_group (Fixture *f, gconstpointer data)
{
  TsrOperationPage *page = show_operations (f);
  TsrOperations *operations = tsr_operation_page_get_operations (page);
  TsrRowView *list = tsr_operation_page_get_list (page);
  g_autoptr (GArray) group = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *scope = NULL, *tab = NULL, *none = NULL;
  GtkWidget *memory;
  TsrRows *rows;
  guint32 row = 0;

  g_object_set (page, "group", "api", NULL);
  tsr_ui_test_run (50);
  tsr_ui_test_wait (!tsr_operation_page_is_busy (page)
                    && tsr_rows_is_tree (tsr_row_view_get_shown (list)));
  rows = tsr_row_view_get_shown (list);
  while (tsr_rows_get_end (rows, row) == row + 1)
    g_assert_cmpuint (++row, <, tsr_rows_get_n (rows));
  for (guint32 below = row + 1; below < tsr_rows_get_end (rows, row); below++)
    {
      g_autofree char *key = tsr_rows_dup_key (rows, below);
      const guint operation = tsr_operation_find (operations, key);

      g_array_append_val (group, operation);
    }
  g_assert_cmpuint (group->len, >, 1);
  tsr_row_view_select (list, &row, 1);
  g_signal_emit_by_name (list, "selection-changed");
  check_trace (f, is_of_group, group);
  check_liveness (f, is_of_group, group);
  memory = GTK_WIDGET (show (f, TSR_VIEW_MEMORY));
  g_object_set (memory, "tab", "details", NULL);
  scope = tsr_scope_line_dup_text (tsr_page_get_scope_line (TSR_PAGE (memory)));
  g_assert_nonnull (strstr (scope, "marked: "));
  g_assert_nonnull (strstr (scope, " operations"));
  gtk_widget_activate_action (memory, "memory.show-marked", NULL);
  g_object_get (memory, "tab", &tab, NULL);
  g_assert_cmpstr (tab, ==, "compute-sets");
  check_memory (f, is_of_group, group);
  /* The group is still what is selected. */
  show_operations (f);
  g_assert_cmpstr (tsr_operation_page_get_key (page), ==, "");
  tsr_row_view_select (list, NULL, 0);
  g_signal_emit_by_name (list, "selection-changed");
  g_assert_cmpint (tsr_session_peek_subject (f->session)->kind, ==, TSR_SUBJECT_NONE);
  memory = GTK_WIDGET (show (f, TSR_VIEW_MEMORY));
  none = tsr_scope_line_dup_text (tsr_page_get_scope_line (TSR_PAGE (memory)));
  g_assert_null (strstr (none, "marked: "));
}

static void
test_program (Fixture *f, gconstpointer data)
{
  TsrProgramPage *page = show_programs (f);

  for (guint turn = 0; turn < 2; turn++)
    {
      const guint32 program = row_of (f, ask_program (f, turn * 4));

      show_programs (f);
      tsr_program_page_set_program (page, program);
      check_trace (f, is_program, &program);
      check_liveness (f, is_program, &program);
      check_memory (f, is_program, &program);
      g_assert_cmpuint (get_operation (f), ==, operation_of (f, program));
      show_programs (f);
      g_assert_cmpuint (tsr_program_page_get_program (page), ==, program);
    }
}

/* What executes nothing itself: what is below it. */
static void
test_sequence (Fixture *f, gconstpointer data)
{
  TsrProgramPage *page = show_programs (f);
  TsrPrograms *graph = tsr_session_get_programs (f->session);
  const TsrTrace *trace;
  TsrTraceMatches *group;
  g_autoptr (GArray) below = NULL;
  g_autofree char *ids = NULL;
  GString *list = g_string_new (NULL);
  guint n = 0;
  const guint32 sequence = row_of (
      f,
      tsr_test_ask (f->folder, "SELECT p.id FROM programs p WHERE p.type = 'Sequence' AND p.id NOT "
                               "IN (SELECT program FROM steps) ORDER BY p.id LIMIT 1"));

  below = tsr_programs_find_below (graph, sequence);
  for (guint i = 0; i < below->len; i++)
    g_string_append_printf (list, "%s%" PRId64, i > 0 ? "," : "",
                            programs (f)->program_id[g_array_index (below, guint32, i)]);
  ids = g_string_free (list, FALSE);
  tsr_program_page_set_program (page, sequence);
  show (f, TSR_VIEW_EXECUTION_TRACE);
  trace = tsr_session_get_trace (f->session);
  group = tsr_trace_state_get_selected_group (tsr_session_get_trace_state (f->session));
  g_assert_nonnull (group);
  for (guint32 slice = 0;
       slice < tsr_trace_get_tables (trace)->ipu_start[tsr_trace_get_n_ipus (trace)]; slice++)
    n += tsr_trace_matches_has_slice (group, trace, slice);
  g_assert_cmpuint (n, ==,
                    tsr_test_ask (f->folder,
                                  "SELECT count(*) FROM steps_by_ipu i JOIN steps s ON s.id = "
                                  "i.step_id WHERE s.program IN (%s)",
                                  ids));
}

static void
test_step (Fixture *f, gconstpointer data)
{
  show_operations (f);
  for (guint turn = 0; turn < 2; turn++)
    {
      const gint64 id = ask_program (f, turn * 2 + 1);
      const guint32 program = row_of (f, id);
      const TsrTraceStepRef step = {
        tsr_test_ask (f->folder,
                      "SELECT min(s.id) FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id WHERE "
                      "i.ipu = 0 AND i.cycles > 0 AND s.program = %" G_GINT64_FORMAT,
                      id),
        0
      };
      guint n = 0;

      show (f, TSR_VIEW_EXECUTION_TRACE);
      tsr_trace_state_set_selected_group (tsr_session_get_trace_state (f->session), NULL);
      tsr_trace_state_set_steps (tsr_session_get_trace_state (f->session), &step, 1);
      g_assert_cmpuint (get_operation (f), ==, operation_of (f, program));
      g_assert_cmpuint (tsr_program_page_get_program (show_programs (f)), ==, program);
      check_liveness (f, is_program, &program);
      check_memory (f, is_program, &program);
      show (f, TSR_VIEW_EXECUTION_TRACE);
      tsr_trace_state_peek_steps (tsr_session_get_trace_state (f->session), &n);
      g_assert_cmpuint (n, ==, 1);
    }
}

static void
test_live_step (Fixture *f, gconstpointer data)
{
  const gint64 id = ask_program (f, 2);
  const guint32 program = row_of (f, id);
  const guint step = tsr_test_ask (
      f->folder, "SELECT min(step) FROM liveness_steps WHERE program = %" G_GINT64_FORMAT, id);

  show (f, TSR_VIEW_LIVENESS);
  tsr_step_selection_set (tsr_session_get_steps (f->session), &step, 1);
  g_assert_cmpuint (get_operation (f), ==, operation_of (f, program));
  g_assert_cmpuint (tsr_program_page_get_program (show_programs (f)), ==, program);
  check_trace (f, is_program, &program);
  check_memory (f, is_program, &program);
}

/* A variable of Liveness or Memory has an operation; a compute set of Memory all. */
static void
test_memory (Fixture *f, gconstpointer data)
{
  const guint32 program = row_of (f, ask_program (f, 5));
  const TsrProgramTables *t = programs (f);
  const char *wanted
      = tsr_string_table_get (t->strings, t->compute_set_name[t->program_compute_set[program]]);
  const char *names[2] = { NULL };
  TsrMemoryPage *page;
  TsrRowView *view;
  TsrOperations *operations;
  guint32 row = 0;
  guint variable = 0;

  show_operations (f);
  operations = tsr_session_get_operations (f->session);
  show_programs (f);
  page = TSR_MEMORY_PAGE (show (f, TSR_VIEW_MEMORY));
  view = tsr_memory_page_get_rows (page, TSR_MEMORY_TAB_COMPUTE_SETS);
  g_object_set (page, "tab", "compute-sets", NULL);
  tsr_ui_test_wait (!tsr_row_view_is_busy (view) && tsr_row_view_get_shown (view) != NULL
                    && gtk_widget_get_mapped (GTK_WIDGET (view)));
  while (g_strcmp0 (tsr_rows_get_text (tsr_row_view_get_shown (view), row, 0), wanted) != 0)
    row++;
  tsr_row_view_select (view, &row, 1);
  g_signal_emit_by_name (view, "selection-changed");
  g_assert_cmpuint (tsr_program_page_get_program (show_programs (f)), ==,
                    tsr_programs_find_of_set (tsr_session_get_programs (f->session), wanted));
  g_assert_cmpuint (
      get_operation (f), ==,
      operation_of (f, tsr_programs_find_of_set (tsr_session_get_programs (f->session), wanted)));

  /* One whose operation is another. */
  while (tsr_operations_is_none (operations, tsr_operations_of_variable (operations, variable))
         || tsr_operations_of_variable (operations, variable) == operation_of (f, program))
    variable++;
  names[0] = tsr_variables_get_name (tsr_operations_get_variables (operations), variable);
  show (f, TSR_VIEW_LIVENESS);
  tsr_step_selection_set_variables (tsr_session_get_steps (f->session), names);
  g_assert_cmpuint (
      get_operation (f), ==,
      tsr_operations_of_variable (
          operations, tsr_variables_find (tsr_operations_get_variables (operations), names[0])));
}

/* ---------------------------------------------------- what is no more said */

/* What was selected and marked because of an operation goes with it. */
static void
test_deselect (Fixture *f, gconstpointer data)
{
  TsrOperationPage *page = show_operations (f);
  const guint operation = operation_of (f, row_of (f, ask_program (f, 0)));
  g_autofree char *key
      = tsr_operation_dup_key (tsr_operation_page_get_operations (page), operation);
  TsrStepSelection *selection = tsr_session_get_steps (f->session);
  TsrMemoryPage *memory;
  g_autoptr (GArray) rows = NULL;

  tsr_operation_page_set_key (page, key);
  g_assert_cmpuint (tsr_program_page_get_program (show_programs (f)), !=, TSR_NO_INDEX);
  check_trace (f, is_of_operation, &operation);
  check_liveness (f, is_of_operation, &operation);
  check_memory (f, is_of_operation, &operation);
  show_operations (f);
  tsr_operation_page_set_key (page, NULL);
  g_assert_cmpuint (tsr_program_page_get_program (show_programs (f)), ==, TSR_NO_INDEX);
  show (f, TSR_VIEW_EXECUTION_TRACE);
  g_assert_null (tsr_trace_state_get_selected_group (tsr_session_get_trace_state (f->session)));
  show (f, TSR_VIEW_LIVENESS);
  g_assert_cmpuint (tsr_step_selection_get_step (selection), ==, TSR_NO_INDEX);
  g_assert_null (*tsr_step_selection_peek_variables (selection));
  memory = TSR_MEMORY_PAGE (show (f, TSR_VIEW_MEMORY));
  rows = tsr_row_view_dup_selected (tsr_memory_page_get_rows (memory, TSR_MEMORY_TAB_COMPUTE_SETS));
  g_assert_cmpuint (rows->len, ==, 0);

  /* Nor do executions stay marked for a program that has none. */
  tsr_program_page_set_program (show_programs (f), row_of (f, ask_program (f, 0)));
  show (f, TSR_VIEW_EXECUTION_TRACE);
  g_assert_nonnull (tsr_trace_state_get_selected_group (tsr_session_get_trace_state (f->session)));
  tsr_program_page_set_program (
      show_programs (f),
      row_of (f, tsr_test_ask (f->folder, "SELECT min(p.id) FROM programs p WHERE p.type NOT IN "
                                          "('Sequence', 'Call', 'Repeat', 'Switch') AND p.id NOT "
                                          "IN (SELECT program FROM steps)")));
  show (f, TSR_VIEW_EXECUTION_TRACE);
  g_assert_null (tsr_trace_state_get_selected_group (tsr_session_get_trace_state (f->session)));

  /* And an operation with the program that it followed from. */
  tsr_program_page_set_program (show_programs (f), row_of (f, ask_program (f, 0)));
  g_assert_cmpuint (get_operation (f), ==, operation);
  tsr_program_page_set_program (show_programs (f), TSR_NO_INDEX);
  g_assert_cmpuint (get_operation (f), ==, TSR_NO_INDEX);
}

/* When operations are of another layer, the costliest program stands for the operation. */
static void
test_layer (Fixture *f, gconstpointer data)
{
  TsrOperationPage *page = show_operations (f);
  TsrOperations *operations = tsr_operation_page_get_operations (page);
  const guint operation = operation_of (f, row_of (f, ask_program (f, 3)));
  const guint32 costliest = tsr_operations_find_costliest (operations, operation);
  g_autofree char *key = tsr_operation_dup_key (operations, operation);
  g_auto (GStrv) layers = tsr_operations_dup_layers (tsr_operations_get_debug (operations));

  g_assert_cmpuint (g_strv_length (layers), >, 1);
  tsr_operation_page_set_key (page, key);
  tsr_session_set_layer (f->session, layers[1]);
  tsr_ui_test_wait (
      tsr_session_get_operations (f->session) != NULL
      && g_str_equal (tsr_operations_get_layer (tsr_session_get_operations (f->session)), layers[1])
      && !tsr_session_is_data_pending (f->session, TSR_DATA_OPERATIONS));
  g_assert_cmpuint (tsr_program_page_get_program (show_programs (f)), ==, costliest);
  check_trace (f, is_program, &costliest);
  check_liveness (f, is_program, &costliest);
}

/* ------------------------------------------------------------- what stays */

static void
test_stays (Fixture *f, gconstpointer data)
{
  TsrOperationPage *page = show_operations (f);
  TsrOperations *operations = tsr_operation_page_get_operations (page);
  const guint32 program = row_of (f, ask_program (f, 0));
  const guint operation = operation_of (f, program);
  g_autofree char *key = tsr_operation_dup_key (operations, operation);
  TsrStepSelection *selection = tsr_session_get_steps (f->session);
  const guint pair[] = { 3, 5 };
  const char *const chosen[]
      = { tsr_variables_get_name (tsr_operations_get_variables (operations), 1), NULL };
  TsrTraceView *view;
  gint64 from, to, from_after, to_after;
  guint n, other = 0;
  g_autofree char *link = NULL;

  /* Two steps that are compared, and variables. */
  show (f, TSR_VIEW_LIVENESS);
  tsr_step_selection_set (selection, pair, 2);
  tsr_step_selection_set_variables (selection, chosen);
  view = tsr_ui_test_child (TSR_TRACE_PAGE (show (f, TSR_VIEW_EXECUTION_TRACE)), "view");
  g_assert_true (tsr_trace_view_get_visible (view, &from, &to));
  tsr_trace_view_show (view, from + (to - from) / 4, from + (to - from) / 2);
  tsr_ui_test_run (100);
  g_assert_true (tsr_trace_view_get_visible (view, &from, &to));
  show_operations (f);
  tsr_operation_page_set_key (page, key);
  show (f, TSR_VIEW_LIVENESS);
  g_assert_cmpmem (tsr_step_selection_peek (selection, &n), 2 * sizeof (guint), pair, sizeof pair);
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (g_strv_equal (tsr_step_selection_peek_variables (selection), chosen));
  /* What is visible of the trace. */
  check_trace (f, is_of_operation, &operation);
  g_assert_true (tsr_trace_view_get_visible (view, &from_after, &to_after));
  g_assert_cmpint (from_after, ==, from);
  g_assert_cmpint (to_after, ==, to);
  /* A program of the operation that is selected already, and what was chosen later. */
  for (other = 0; other < programs (f)->n_programs; other++)
    if (operation_of (f, other) == operation
        && other != tsr_operations_find_costliest (operations, operation))
      break;
  g_assert_cmpuint (other, <, programs (f)->n_programs);
  tsr_program_page_set_program (show_programs (f), other);
  show_operations (f);
  g_assert_cmpuint (tsr_program_page_get_program (show_programs (f)), ==, other);
  tsr_operation_page_set_key (TSR_OPERATION_PAGE (show_operations (f)), NULL);
  tsr_operation_page_set_key (TSR_OPERATION_PAGE (show_operations (f)), key);
  g_assert_cmpuint (tsr_program_page_get_program (show_programs (f)), ==, other);
  /* A link says what is selected, and is the newest. */
  link = g_strdup_printf ("page=programs&program=%" G_GINT64_FORMAT, ask_program (f, 6));
  gtk_widget_activate_action (GTK_WIDGET (f->window), "win.go", "s", link);
  tsr_ui_test_run (150);
  g_assert_cmpuint (tsr_program_page_get_program (show_programs (f)), ==,
                    row_of (f, ask_program (f, 6)));
  g_assert_cmpuint (get_operation (f), ==, operation_of (f, row_of (f, ask_program (f, 6))));
  /* Selected no more: the others stay. */
  tsr_operation_page_set_key (page, NULL);
  g_assert_cmpuint (tsr_program_page_get_program (show_programs (f)), ==,
                    row_of (f, ask_program (f, 6)));
}

/* A page that was left with liveness steps is gone back to for itself. */
static void
test_back (Fixture *f, gconstpointer data)
{
  TsrOperationPage *page = show_operations (f);
  const guint32 program = row_of (f, ask_program (f, 0));
  const guint operation = operation_of (f, program);
  g_autofree char *key
      = tsr_operation_dup_key (tsr_operation_page_get_operations (page), operation);
  const guint step = tsr_test_ask (
      f->folder, "SELECT min(step) FROM liveness_steps WHERE program = %" G_GINT64_FORMAT,
      ask_program (f, 5));

  tsr_operation_page_set_key (page, key);
  show (f, TSR_VIEW_LIVENESS);
  show_operations (f);
  show (f, TSR_VIEW_LIVENESS);
  tsr_step_selection_set (tsr_session_get_steps (f->session), &step, 1);
  gtk_widget_activate_action (GTK_WIDGET (f->window), "win.back", NULL);
  tsr_ui_test_run (200);
  g_assert_cmpuint (get_operation (f), ==, operation);
  g_assert_cmpuint (operation_of (f, tsr_program_page_get_program (show_programs (f))), ==,
                    operation);
}

/* Pages by themselves, of a session that nobody has asked for programs or operations: a step leads
 * to Memory's row and to Liveness, and none of these is computed for it. */
static void
test_reads_nothing (Fixture *f, gconstpointer data)
{
  static const TsrView views[] = { TSR_VIEW_MEMORY, TSR_VIEW_LIVENESS };
  const gint64 id = ask_program (f, 1);
  const TsrSubject subject
      = { .kind = TSR_SUBJECT_STEP,
          .id = tsr_test_ask (f->folder,
                              "SELECT min(id) FROM steps WHERE program = %" G_GINT64_FORMAT, id) };
  g_autoptr (TsrSettings) settings = tsr_settings_new ("none.such");
  TsrSession *session = tsr_session_new (settings);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = tsr_report_open (place, f->folder, TSR_LOAD_ALL);
  GtkWidget *window = gtk_window_new ();
  GtkWidget *stack = gtk_stack_new ();
  guint n = 0;

  gtk_window_set_child (GTK_WINDOW (window), stack);
  gtk_window_present (GTK_WINDOW (window));
  tsr_session_set_report (session, report);
  tsr_ui_test_wait (tsr_session_get_liveness (session) != NULL
                    && tsr_session_get_memory (session) != NULL
                    && !tsr_session_is_stage_pending (session, TSR_STAGE_EXECUTION));
  tsr_session_set_subject (session, &subject);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      TsrPage *page = g_object_new (tsr_pages_find (views[i])->get_type (), NULL);

      gtk_stack_add_child (GTK_STACK (stack), GTK_WIDGET (page));
      tsr_page_set_session (page, session);
      gtk_stack_set_visible_child (GTK_STACK (stack), GTK_WIDGET (page));
      tsr_ui_test_wait (tsr_page_is_content_shown (page));
      tsr_ui_test_run (100);
    }
  g_assert_cmpint (tsr_test_ask (f->folder, "SELECT program FROM liveness_steps WHERE step = %u",
                                 tsr_step_selection_get_step (tsr_session_get_steps (session))),
                   ==, id);
  tsr_step_selection_peek (tsr_session_get_steps (session), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_null (tsr_session_peek_data (session, TSR_DATA_PROGRAMS));
  g_assert_null (tsr_session_peek_data (session, TSR_DATA_OPERATIONS));
  gtk_window_destroy (GTK_WINDOW (window));
  tsr_session_close (session);
  tsr_ui_test_drop (session);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Fixture *f, gconstpointer data);
  } tests[] = {
    { "/subject/operation", test_operation }, { "/subject/group", test_group },
    { "/subject/program", test_program },     { "/subject/sequence", test_sequence },
    { "/subject/step", test_step },           { "/subject/live-step", test_live_step },
    { "/subject/memory", test_memory },       { "/subject/deselect", test_deselect },
    { "/subject/layer", test_layer },         { "/subject/stays", test_stays },
    { "/subject/back", test_back },           { "/subject/reads-nothing", test_reads_nothing },
  };

  window_test_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, setup, tests[i].test, teardown);
  return window_test_run ();
}

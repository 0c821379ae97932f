/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ctrl+K in a whole window: every kind of result leads to a page that shows it and has it selected,
 * whatever tiles, steps and source of liveness were selected before; and what of these had to go is
 * said. */

#include "config.h"

#include "tsr-debug-tables.h"
#include "tsr-liveness-page.h"
#include "tsr-memory-page.h"
#include "tsr-program-page.h"
#include "tsr-search-popover.h"
#include "tsr-search.h"
#include "tsr-test.h"
#include "tsr-trace-page.h"
#include "window-test.h"

#include <string.h>

typedef struct
{
  TsrWindow *window;
  TsrSession *session;
  TsrSearchPopover *popover;
  TsrSearch *search; /* what the popover has to find, by itself */
  GArray *found;     /* TsrFound of the last text */
  guint went[TSR_N_FOUND_KINDS];
  guint widened;
  const char *folder;
  gboolean has_trace;
} Walk;

static TsrPage *
get_page (Walk *walk)
{
  return tsr_report_view_get_page (tsr_window_get_report_view (walk->window));
}

static TsrView
get_view (Walk *walk)
{
  return tsr_page_get_view (get_page (walk));
}

/* ---------------------------------------------------------------- before each */

/* A source, a step and tiles that have next to nothing. */
static void
select_little (Walk *walk)
{
  TsrMemory *memory = tsr_session_get_memory (walk->session);
  TsrStepSelection *steps = tsr_session_get_steps (walk->session);
  guint last = tsr_memory_get_n_tiles (memory) - 1;
  const guint step = 0;
  TsrLivenessSource source = { .kind = TSR_LIVENESS_TILES, .n_tiles = 1, .tiles = &last };

  tsr_tile_selection_set (tsr_session_get_selection (walk->session), &last, 1);
  if (tsr_liveness_can_show (tsr_session_get_liveness (walk->session), &source, NULL))
    tsr_step_selection_set_source (steps, &source);
  tsr_step_selection_set (steps, &step, 1);
  tsr_step_selection_set_variables (steps, NULL);
}

static void
on_found (gpointer data, const TsrFound *found, guint n_found)
{
  GArray *array = data;

  g_array_set_size (array, 0);
  g_array_append_vals (array, found, n_found);
}

/* Where the result of @kind and @name stands, after typing @text. */
static guint
type (Walk *walk, const char *text, TsrFoundKind kind, const char *name)
{
  guint n;

  tsr_search_popover_set_text (walk->popover, text);
  tsr_ui_test_wait (!tsr_search_popover_is_busy (walk->popover));
  n = tsr_search_popover_get_n_found (walk->popover);
  g_assert_true (
      tsr_search_run (walk->search, text, MAX (n, 1), on_found, walk->found, NULL, NULL));
  g_assert_cmpuint (n, ==, walk->found->len);
  for (guint i = 0; i < n; i++)
    {
      const TsrFound *found = &g_array_index (walk->found, TsrFound, i);

      if (found->kind == kind && (name == NULL || g_strcmp0 (found->name, name) == 0))
        return i;
    }
  return TSR_NO_INDEX;
}

/* ---------------------------------------------------------------- after each */

/* The selected rows of @view, and no others, are called @name. */
static gboolean
has_selected (TsrRowView *view, const char *name)
{
  TsrRows *rows = view != NULL ? tsr_row_view_get_rows (view) : NULL;
  g_autoptr (GArray) selected = view != NULL ? tsr_row_view_dup_selected (view) : NULL;
  g_autofree char *csv = NULL;

  if (rows == NULL || selected->len == 0 || !gtk_widget_get_mapped (GTK_WIDGET (view)))
    return FALSE;
  for (guint i = 0; i < selected->len; i++)
    if (g_array_index (selected, guint32, i) >= tsr_rows_get_n (rows)
        || g_strcmp0 (tsr_rows_get_text (rows, g_array_index (selected, guint32, i), 0), name) != 0)
      return FALSE;
  csv = tsr_row_view_dup_csv (view); /* what the filter leaves */
  return strstr (csv, name) != NULL || strchr (name, '"') != NULL;
}

static gboolean
has_variable (Walk *walk, const char *name)
{
  const char *const *names
      = tsr_step_selection_peek_variables (tsr_session_get_steps (walk->session));

  return names != NULL && g_strcmp0 (names[0], name) == 0 && names[1] == NULL;
}

static gboolean
is_variable_shown (Walk *walk, const char *name)
{
  TsrLivenessTabs *tabs;

  if (get_view (walk) != TSR_VIEW_LIVENESS || !has_variable (walk, name))
    return FALSE;
  tabs = tsr_ui_test_child (TSR_LIVENESS_PAGE (get_page (walk)), "tabs");
  return has_selected (tsr_tabs_get_shown (TSR_TABS (tabs))->view, name);
}

static gboolean
is_variable_plotted (Walk *walk, const char *name)
{
  g_autofree char *graph = NULL;

  if (get_view (walk) != TSR_VIEW_MEMORY || !has_variable (walk, name))
    return FALSE;
  g_object_get (get_page (walk), "graph", &graph, NULL);
  return g_str_equal (graph, "variables")
         && gtk_widget_get_mapped (
             GTK_WIDGET (tsr_ui_test_child (TSR_MEMORY_PAGE (get_page (walk)), "chart")));
}

static gboolean
is_code_shown (Walk *walk, TsrMemoryTab tab, const char *name)
{
  return get_view (walk) == TSR_VIEW_MEMORY
         && has_selected (tsr_memory_page_get_rows (TSR_MEMORY_PAGE (get_page (walk)), tab), name);
}

static gboolean
is_program_shown (Walk *walk, guint32 program)
{
  TsrProgramPage *page;
  g_autoptr (GArray) rows = NULL;

  if (get_view (walk) != TSR_VIEW_PROGRAM_TREE)
    return FALSE;
  page = TSR_PROGRAM_PAGE (get_page (walk));
  rows = tsr_row_view_dup_selected (tsr_program_page_get_tree (page));
  return tsr_program_page_get_program (page) == program && !tsr_program_page_is_busy (page)
         && rows->len == 1;
}

static gboolean
is_execution_shown (Walk *walk)
{
  TsrTracePage *page;
  guint n = 0;

  if (get_view (walk) != TSR_VIEW_EXECUTION_TRACE)
    return FALSE;
  page = TSR_TRACE_PAGE (get_page (walk));
  tsr_trace_state_peek_steps (tsr_session_get_trace_state (walk->session), &n);
  return n > 0 && !tsr_trace_page_is_busy (page)
         && !tsr_trace_search_is_busy (tsr_ui_test_child (page, "search"))
         && tsr_trace_search_get_count (tsr_ui_test_child (page, "search"), NULL) > 0;
}

static gboolean
are_tiles_shown (Walk *walk, guint first, guint end)
{
  guint n = 0;
  const guint *tiles = tsr_tile_selection_peek (tsr_session_get_selection (walk->session), &n);
  TsrViewport *viewport = tsr_session_get_viewport (walk->session, "memory");
  double from, to;

  tsr_viewport_get_range (viewport, &from, &to);
  return get_view (walk) == TSR_VIEW_MEMORY && n == end - first && tiles[0] == first
         && tiles[n - 1] == end - 1 && from <= first && end <= to;
}

/* ---------------------------------------------------------------- the walk */

/* (transfer full) (nullable): what was said of the way. */
static char *
go (Walk *walk, guint position, gboolean other_view)
{
  g_autofree char *note = NULL;
  g_autofree char *target
      = tsr_search_popover_dup_target (walk->popover, position, other_view, &note);

  gtk_widget_activate_action (GTK_WIDGET (walk->window), "win.go", "s", target);
  walk->widened += note != NULL;
  return g_steal_pointer (&note);
}

static void
visit_variable (Walk *walk, guint variable)
{
  TsrLiveness *liveness = tsr_session_get_liveness (walk->session);
  TsrVariables *variables = tsr_liveness_get_variables (liveness);
  const char *name = tsr_variables_get_name (variables, variable);
  guint last = tsr_memory_get_n_tiles (tsr_session_get_memory (walk->session)) - 1;
  guint position = type (walk, name, TSR_FOUND_VARIABLE, name);
  gboolean there = FALSE, anywhere = FALSE;
  gsize n_rows = 0;
  const guint32 *rows = tsr_variables_peek_lowered (variables, variable, &n_rows);
  const TsrLoweredTables *lowered
      = tsr_report_get_lowered_tables (tsr_session_get_report (walk->session));
  g_autofree char *note = NULL;
  g_autofree char *other = NULL;

  g_test_message ("variable %s", name);
  g_assert_cmpuint (position, !=, TSR_NO_INDEX);
  for (gsize i = 0; i < n_rows; i++)
    {
      anywhere = anywhere || lowered->size[rows[i]] > 0;
      there = there || (lowered->tile[rows[i]] == last && lowered->size[rows[i]] > 0);
    }
  select_little (walk);
  note = go (walk, position, FALSE);
  tsr_ui_test_wait (is_variable_shown (walk, name) || (!anywhere && has_variable (walk, name)));
  if (anywhere)
    g_assert_cmpint (note != NULL && strstr (note, "Showing all tiles: the variable") != NULL, ==,
                     !there);
  select_little (walk);
  other = go (walk, position, TRUE);
  tsr_ui_test_wait (is_variable_plotted (walk, name));
  walk->went[TSR_FOUND_VARIABLE]++;
}

/* Some of each life: the first, the last, and those between that fall to a step of a third. */
static void
visit_variables (Walk *walk)
{
  TsrVariables *variables = tsr_liveness_get_variables (tsr_session_get_liveness (walk->session));
  guint n = tsr_variables_get_n (variables);

  for (TsrLife life = TSR_LIFE_ALWAYS; life <= TSR_LIFE_TEMPORARY; life++)
    {
      g_autoptr (GArray) some = g_array_new (FALSE, FALSE, sizeof (guint));

      for (guint v = 0; v < n; v++)
        /* Twins are found by the first of them. */
        if (tsr_variables_get_life (variables, v) == life
            && tsr_variables_find (variables, tsr_variables_get_name (variables, v)) == v)
          g_array_append_val (some, v);
      for (guint i = 0; i < some->len; i += MAX (some->len / 3, 1))
        visit_variable (walk, g_array_index (some, guint, i));
    }
}

/* With Shift, where it is executed.  FALSE when it never is, which is said: then it leads where it
 * leads without. */
static gboolean
visit_execution (Walk *walk, guint position, gint64 n_executions)
{
  g_autofree char *note = go (walk, position, TRUE);

  if (n_executions > 0)
    {
      g_assert_true (note == NULL || strstr (note, "Showing all runs") != NULL);
      tsr_ui_test_wait (is_execution_shown (walk));
      return TRUE;
    }
  g_assert_nonnull (strstr (note, "No execution"));
  return FALSE;
}

static void
visit_code (Walk *walk, TsrFoundKind kind, TsrMemoryTab tab, const char *name)
{
  guint position = type (walk, name, kind, name);
  g_autofree char *note = NULL;

  g_test_message ("code %s", name);
  g_assert_cmpuint (position, !=, TSR_NO_INDEX);
  select_little (walk);
  note = go (walk, position, FALSE);
  tsr_ui_test_wait (is_code_shown (walk, tab, name));
  walk->went[kind]++;
  if (kind == TSR_FOUND_COMPUTE_SET && walk->has_trace
      && !visit_execution (walk, position,
                           tsr_test_ask (walk->folder,
                                         "SELECT count(*) FROM steps s JOIN compute_sets c ON "
                                         "c.compute_set = s.compute_set WHERE c.name = '%s'",
                                         name)))
    tsr_ui_test_wait (is_code_shown (walk, tab, name));
}

static void
visit_all_code (Walk *walk)
{
  const TsrProgramTables *t
      = tsr_report_get_program_tables (tsr_session_get_report (walk->session));

  for (guint i = 0; i < t->n_vertex_types; i += MAX (t->n_vertex_types / 3, 1))
    visit_code (walk, TSR_FOUND_VERTEX_TYPE, TSR_MEMORY_TAB_VERTICES,
                tsr_string_table_get (t->strings, t->vertex_type_name[i]));
  for (guint i = 0; i < t->n_compute_sets; i += MAX (t->n_compute_sets / 3, 1))
    visit_code (walk, TSR_FOUND_COMPUTE_SET, TSR_MEMORY_TAB_COMPUTE_SETS,
                tsr_string_table_get (t->strings, t->compute_set_name[i]));
}

static void
visit_programs (Walk *walk)
{
  TsrLiveness *liveness = tsr_session_get_liveness (walk->session);
  guint n_steps = tsr_liveness_get_n_steps (liveness);

  for (guint step = 0; step < n_steps; step += MAX (n_steps / 4, 1))
    {
      const char *name = tsr_liveness_get_step_name (liveness, step);
      guint position = name != NULL ? type (walk, name, TSR_FOUND_PROGRAM, name) : TSR_NO_INDEX;
      g_autofree char *note = NULL;

      if (position == TSR_NO_INDEX)
        continue; /* a step without a program of its own */
      g_test_message ("program %s", name);
      select_little (walk);
      note = go (walk, position, FALSE);
      tsr_ui_test_wait (
          is_program_shown (walk, g_array_index (walk->found, TsrFound, position).index));
      walk->went[TSR_FOUND_PROGRAM]++;
      if (walk->has_trace
          && !visit_execution (walk, position,
                               tsr_test_ask (walk->folder,
                                             "SELECT count(*) FROM steps s JOIN programs p ON "
                                             "p.id = s.program WHERE p.name = '%s'",
                                             name)))
        tsr_ui_test_wait (
            is_program_shown (walk, g_array_index (walk->found, TsrFound, position).index));
    }
}

/* To the program that stands for it, or nowhere, which is said. */
static void
visit_contexts (Walk *walk)
{
  const TsrDebugTables *debug
      = tsr_report_get_debug_tables (tsr_session_get_report (walk->session));

  for (guint row = 0; row < debug->n; row += MAX (debug->n / 12, 1))
    {
      const char *name = tsr_debug_tables_get_text (debug, debug->name[row]);
      guint position = type (walk, name, TSR_FOUND_CONTEXT, name);
      guint32 program, context;
      TsrCarries carries;
      g_autofree char *target = NULL;
      g_autofree char *note = NULL;

      if (position == TSR_NO_INDEX)
        continue; /* many programs are called like it */
      g_test_message ("context %s", name);
      carries = tsr_search_find_carrier (
          walk->search, g_array_index (walk->found, TsrFound, position).index, &program, &context);
      target = tsr_search_popover_dup_target (walk->popover, position, FALSE, &note);
      g_assert_true ((target != NULL) == (carries != TSR_CARRIES_NONE));
      g_assert_true ((note != NULL) == (carries != TSR_CARRIES_BELOW));
      walk->went[TSR_FOUND_CONTEXT]++;
      if (target == NULL)
        continue;
      gtk_widget_activate_action (GTK_WIDGET (walk->window), "win.go", "s", target);
      tsr_ui_test_wait (is_program_shown (walk, program));
    }
}

static void
visit_places (Walk *walk)
{
  TsrMemory *memory = tsr_session_get_memory (walk->session);
  const TsrSummary *summary = tsr_report_get_summary (tsr_session_get_report (walk->session));
  guint first, end;

  for (guint tile = 0; tile < tsr_memory_get_n_tiles (memory);
       tile += MAX (tsr_memory_get_n_tiles (memory) / 2, 1))
    {
      g_autofree char *text = g_strdup_printf ("tile %u", tile);
      g_autofree char *note = NULL;

      select_little (walk);
      note = go (walk, type (walk, text, TSR_FOUND_TILE, NULL), FALSE);
      tsr_ui_test_wait (are_tiles_shown (walk, tile, tile + 1));
      g_assert_null (note);
      walk->went[TSR_FOUND_TILE]++;
    }
  for (guint ipu = 0; ipu < tsr_memory_get_n_ipus (memory); ipu++)
    {
      g_autofree char *text = g_strdup_printf ("ipu %u", ipu);
      g_autofree char *note = go (walk, type (walk, text, TSR_FOUND_IPU, NULL), FALSE);

      tsr_memory_get_ipu_tiles (memory, ipu, &first, &end);
      tsr_ui_test_wait (are_tiles_shown (walk, first, end));
      walk->went[TSR_FOUND_IPU]++;
    }
  for (guint view = 0; view < TSR_N_VIEWS; view++)
    {
      const char *title = tsr_view_get_title (view);
      guint position = type (walk, title, TSR_FOUND_VIEW, title);
      g_autofree char *note = NULL;

      g_assert_cmpint (position != TSR_NO_INDEX, ==,
                       summary->views[view].available && tsr_pages_find (view) != NULL);
      if (position == TSR_NO_INDEX)
        continue;
      note = go (walk, position, FALSE);
      tsr_ui_test_wait (get_view (walk) == view && tsr_page_is_content_shown (get_page (walk)));
      walk->went[TSR_FOUND_VIEW]++;
    }
}

static void
test_walk (gconstpointer preset)
{
  Walk walk = { .window = window_test_new () };
  guint views = 0;

  gtk_window_set_default_size (GTK_WINDOW (walk.window), 1280, 720);
  walk.folder = tsr_test_get_report (preset);
  tsr_window_open (walk.window, walk.folder, TSR_N_VIEWS);
  walk.session = tsr_window_get_session (walk.window);
  tsr_ui_test_wait (window_test_is (walk.window, "report"));
  tsr_ui_test_wait (tsr_session_get_liveness (walk.session) != NULL
                    && tsr_session_get_vertices (walk.session) != NULL
                    && !tsr_session_is_lowered_pending (walk.session)
                    && tsr_report_get_debug_tables (tsr_session_get_report (walk.session)) != NULL
                    && !tsr_session_is_data_pending (walk.session, TSR_DATA_TRACE));
  walk.popover = TSR_SEARCH_POPOVER (tsr_window_get_search (walk.window));
  walk.found = g_array_new (FALSE, FALSE, sizeof (TsrFound));
  for (guint i = 0; i < TSR_N_VIEWS; i++)
    if (tsr_pages_find (i) != NULL
        && tsr_report_get_summary (tsr_session_get_report (walk.session))->views[i].available)
      views |= 1u << i;
  walk.has_trace = (views & 1u << TSR_VIEW_EXECUTION_TRACE) != 0;
  walk.search = tsr_search_new (
      tsr_session_get_report (walk.session), tsr_session_get_memory (walk.session),
      tsr_liveness_get_variables (tsr_session_get_liveness (walk.session)), views);
  visit_places (&walk);
  visit_variables (&walk);
  visit_all_code (&walk);
  visit_programs (&walk);
  visit_contexts (&walk);
  for (guint kind = 0; kind < TSR_N_FOUND_KINDS; kind++)
    g_assert_cmpuint (walk.went[kind], >, 0);
  g_assert_cmpuint (walk.widened, >, 0);
  tsr_search_unref (walk.search);
  g_array_unref (walk.found);
  window_test_close (walk.window);
}

int
main (int argc, char **argv)
{
  window_test_init (&argc, &argv);
  g_test_add_data_func ("/shell-find/demo", "demo", test_walk);
  g_test_add_data_func ("/shell-find/oom", "oom", test_walk);
  return window_test_run ();
}

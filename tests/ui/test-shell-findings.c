/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Findings in a whole window: they are those of tessera-cli insights, number by number, and each
 * leads to a page that shows what it names, with the number that it tells. */

#include "config.h"

#include "cli-test.h"
#include "tsr-finding-row.h"
#include "tsr-liveness-page.h"
#include "tsr-memory-page.h"
#include "tsr-memory-details.h"
#include "tsr-test.h"
#include "tsr-trace-page.h"
#include "window-test.h"

#include <math.h>
#include <string.h>

typedef struct
{
  TsrWindow *window;
  TsrSession *session;
  TsrInsights *insights;
} Fixture;

static TsrPage *
get_page (Fixture *f)
{
  return tsr_report_view_get_page (tsr_window_get_report_view (f->window));
}

/* ---------------------------------------------------------------- the command line */

static void
compare_evidence (const TsrFinding *finding, JsonArray *printed)
{
  g_assert_cmpuint (json_array_get_length (printed), ==, finding->evidence->len);
  for (guint i = 0; i < finding->evidence->len; i++)
    {
      const TsrEvidence *evidence = &g_array_index (finding->evidence, TsrEvidence, i);
      JsonNode *one = json_array_get_element (printed, i);

      g_assert_cmpstr (json_node_get_string (cli_member (one, "name")), ==, evidence->name);
      g_assert_cmpint (cli_int (one, "bytes"), ==, evidence->bytes);
      g_assert_cmpint (cli_int (one, "cycles"), ==, evidence->cycles);
    }
}

static void
compare_with_cli (Fixture *f, const char *folder)
{
  GPtrArray *findings = tsr_insights_peek_findings (f->insights);
  g_auto (CliRun) run = { 0 };
  JsonArray *printed;

  cli_run_json (&run, "insights", folder, NULL);
  printed = cli_array (run.json, "findings");
  g_assert_cmpuint (json_array_get_length (printed), ==, findings->len);
  for (guint i = 0; i < findings->len; i++)
    {
      const TsrFinding *finding = findings->pdata[i];
      JsonNode *one = json_array_get_element (printed, i);

      g_assert_cmpstr (json_node_get_string (cli_member (one, "rule")), ==, finding->rule);
      g_assert_cmpstr (json_node_get_string (cli_member (one, "severity")), ==,
                       tsr_finding_severity_get_nick (finding->severity));
      g_assert_cmpstr (json_node_get_string (cli_member (one, "title")), ==, finding->title);
      g_assert_cmpstr (json_node_get_string (cli_member (one, "text")), ==, finding->text);
      g_assert_cmpstr (json_node_get_string (cli_member (one, "action")), ==, finding->action);
      g_assert_cmpint (cli_int (one, "bytes"), ==, finding->bytes);
      g_assert_cmpint (cli_int (one, "bytesWorstTile"), ==, finding->bytes_worst_tile);
      g_assert_cmpint (cli_int (one, "cycles"), ==, finding->cycles);
      compare_evidence (finding, cli_array (one, "evidence"));
    }
}

/* ---------------------------------------------------------------- the pages */

/* The only selected row of @view; TSR_NO_INDEX until there is one. */
static guint32
get_selected (TsrRowView *view)
{
  g_autoptr (GArray) selected = tsr_row_view_dup_selected (view);

  return gtk_widget_get_mapped (GTK_WIDGET (view)) && selected->len == 1
             ? g_array_index (selected, guint32, 0)
             : TSR_NO_INDEX;
}

static gint64
get_cell (TsrRowView *view, guint32 row, const char *key)
{
  TsrRows *rows = tsr_row_view_get_rows (view);

  for (guint c = 0; c < tsr_rows_get_n_columns (rows); c++)
    if (g_str_equal (tsr_rows_get_column (rows, c)->key, key))
      return tsr_rows_get_value (rows, row, c);
  g_assert_not_reached ();
}

/* The exchange or vertex type that is named stands in the tab, selected, with the code of the first
 * line of evidence. */
static void
check_code (Fixture *f, const TsrFinding *finding, TsrMemoryTab tab, gboolean code)
{
  TsrRowView *view = tsr_memory_page_get_rows (TSR_MEMORY_PAGE (get_page (f)), tab);
  guint32 row;

  if (finding->where.names == NULL)
    return;
  tsr_ui_test_wait (get_selected (view) != TSR_NO_INDEX);
  row = get_selected (view);
  g_assert_cmpstr (tsr_rows_get_text (tsr_row_view_get_rows (view), row, 0), ==,
                   finding->where.names[0]);
  if (code)
    g_assert_cmpint (get_cell (view, row, "codeBytes"), ==,
                     g_array_index (finding->evidence, TsrEvidence, 0).bytes);
}

/* What the tree of details says of @key in @column. */
static gint64
get_detail (Fixture *f, const char *key, guint column)
{
  guint n = 0;
  const guint *tiles = tsr_tile_selection_peek (tsr_session_get_selection (f->session), &n);
  g_autoptr (TsrRows) table
      = tsr_memory_details_new (tsr_session_get_memory (f->session), tiles, n);

  for (guint i = 0; i < tsr_rows_get_n (table); i++)
    {
      g_autofree char *own = tsr_rows_dup_key (table, i);

      if (g_strcmp0 (own, key) == 0)
        return tsr_rows_get_value (table, i, column + 1);
    }
  g_assert_not_reached ();
}

static gint64
sum_allocations (TsrRowView *view, const char *name)
{
  TsrRows *rows = tsr_row_view_get_rows (view);
  gint64 sum = 0;

  for (guint32 row = 0; rows != NULL && row < tsr_rows_get_n (rows); row++)
    if (g_str_equal (tsr_rows_get_text (rows, row, 0), name)
        || (g_str_has_prefix (tsr_rows_get_text (rows, row, 0), name)
            && tsr_rows_get_text (rows, row, 0)[strlen (name)] == '#'))
      sum += get_cell (view, row, "bytes");
  return sum;
}

static void
check_memory (Fixture *f, const TsrFinding *finding)
{
  TsrRowView *variables
      = tsr_memory_page_get_rows (TSR_MEMORY_PAGE (get_page (f)), TSR_MEMORY_TAB_VARIABLES);
  const TsrEvidence *first = &g_array_index (finding->evidence, TsrEvidence, 0);
  gint64 most = 0;
  guint n = 0;
  const guint *tiles = tsr_tile_selection_peek (tsr_session_get_selection (f->session), &n);

  g_assert_cmpuint (n, ==, finding->where.n_tiles);
  if (g_str_equal (finding->rule, "out-of-memory"))
    {
      for (guint i = 0; i < n; i++)
        most = MAX (most, tsr_memory_get_need (tsr_session_get_memory (f->session), tiles[i]));
      g_assert_cmpint (most, ==, finding->bytes_worst_tile);
    }
  else if (g_str_equal (finding->rule, "tile-imbalance"))
    {
      const guint one = finding->where.tiles[0];
      gint64 more;

      /* Tiles are selected in their order; alone, the tile is compared with the same other one. */
      more = get_detail (f, "includingGaps", 0) - get_detail (f, "includingGaps", 1);
      g_assert_cmpint (ABS (more), ==, finding->bytes_worst_tile);
      tsr_tile_selection_set (tsr_session_get_selection (f->session), &one, 1);
      g_assert_cmpint (get_detail (f, "includingGaps", 2), ==, finding->bytes_worst_tile);
    }
  else if (g_str_equal (finding->rule, "gaps-on-full-tiles"))
    g_assert_cmpint (get_detail (f, "gaps", 0), ==, finding->bytes_worst_tile);
  else if (g_str_equal (finding->rule, "instrumentation"))
    g_assert_cmpint (first->bytes, ==, finding->bytes_worst_tile);
  else if (g_str_equal (finding->rule, "exchange-code"))
    check_code (f, finding, TSR_MEMORY_TAB_EXCHANGES, TRUE);
  else if (g_strcmp0 (finding->where.tab, "vertices") == 0)
    check_code (f, finding, TSR_MEMORY_TAB_VERTICES, g_str_equal (finding->rule, "one-off-code"));
  else if (g_strcmp0 (finding->where.tab, "exchanges") == 0)
    check_code (f, finding, TSR_MEMORY_TAB_EXCHANGES, g_str_equal (finding->rule, "one-off-code"));
  else if (g_str_equal (finding->rule, "resident-state"))
    tsr_ui_test_wait (sum_allocations (variables, first->name) == first->bytes);
  else
    g_error ("%s has no check of its page here", finding->rule);
}

static gint64
find_bytes (TsrLiveness *liveness, GArray *list, const char *name)
{
  for (guint i = 0; i < list->len; i++)
    {
      const TsrVariableBytes *one = &g_array_index (list, TsrVariableBytes, i);

      if (g_str_equal (
              tsr_variables_get_name (tsr_liveness_get_variables (liveness), one->variable), name))
        return one->bytes;
    }
  return 0;
}

/* The tile and the step that the finding is about, with its variables selected; the first one that
 * is not always live is in the table. */
static void
check_liveness (Fixture *f, const TsrFinding *finding)
{
  TsrLiveness *liveness = tsr_session_get_liveness (f->session);
  TsrStepSelection *selection = tsr_session_get_steps (f->session);
  TsrLivenessTabs *tabs = tsr_ui_test_child (TSR_LIVENESS_PAGE (get_page (f)), "tabs");
  TsrRowView *view = tsr_tabs_get_shown (TSR_TABS (tabs))->view;
  const TsrLivenessSource *source = tsr_step_selection_get_source (selection);
  guint n = 0;
  const guint *steps = tsr_step_selection_peek (selection, &n);
  g_autoptr (GArray) always = tsr_liveness_list_always_live (liveness, source, NULL, NULL);
  g_autoptr (GArray) live = NULL;
  guint n_listed = 0;

  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (steps[0], ==, finding->where.step);
  g_assert_cmpuint (source->n_tiles, ==, 1);
  g_assert_cmpuint (source->tiles[0], ==, finding->where.tiles[0]);
  live = tsr_liveness_list_at (liveness, source, steps[0], NULL, NULL);
  for (guint i = 0; i < finding->evidence->len; i++)
    {
      const TsrEvidence *evidence = &g_array_index (finding->evidence, TsrEvidence, i);
      gint64 here = find_bytes (liveness, live, evidence->name);

      g_assert_cmpint (here + find_bytes (liveness, always, evidence->name), ==, evidence->bytes);
      n_listed += here > 0;
    }
  g_assert_cmpuint (n_listed, >, 0);
  g_assert_cmpint (tsr_tabs_get_shown (TSR_TABS (tabs))->number, ==, TSR_LIVENESS_TAB_TEMPORARY);
  tsr_ui_test_wait (tsr_row_view_get_rows (view) != NULL && !tsr_tabs_is_busy (TSR_TABS (tabs)));
  {
    g_autoptr (GArray) selected = tsr_row_view_dup_selected (view);

    g_assert_cmpuint (selected->len, >=, n_listed);
  }
}

static gboolean
is_found (Fixture *f)
{
  TsrTraceSearch *search = tsr_ui_test_child (TSR_TRACE_PAGE (get_page (f)), "search");

  return !tsr_trace_search_is_busy (search) && tsr_trace_search_get_count (search, NULL) > 0;
}

static void
check_trace (Fixture *f, const TsrFinding *finding)
{
  if (finding->where.names != NULL)
    tsr_ui_test_wait (is_found (f));
}

static void
follow (Fixture *f, const TsrFinding *finding)
{
  g_autoptr (GHashTable) words = tsr_finding_dup_words (finding);
  g_autofree char *text = tsr_view_words_dup_text (words);

  g_test_message ("%s: %s", finding->rule, text);
  gtk_widget_activate_action (GTK_WIDGET (f->window), "win.go", "s", text);
  g_assert_cmpint (tsr_page_get_view (get_page (f)), ==, finding->where.view);
  tsr_ui_test_wait (tsr_page_is_content_shown (get_page (f)));
  if (finding->where.view == TSR_VIEW_MEMORY)
    check_memory (f, finding);
  else if (finding->where.view == TSR_VIEW_LIVENESS)
    check_liveness (f, finding);
  else
    check_trace (f, finding);
}

static void
test_preset (gconstpointer preset)
{
  Fixture f = { .window = window_test_new () };
  const char *folder = tsr_test_get_report (preset);
  GPtrArray *findings;

  gtk_window_set_default_size (GTK_WINDOW (f.window), 1280, 720);
  tsr_window_open (f.window, folder, TSR_N_VIEWS);
  f.session = tsr_window_get_session (f.window);
  tsr_ui_test_wait (window_test_is (f.window, "report"));
  tsr_ui_test_wait (tsr_session_get_liveness (f.session) != NULL
                    && tsr_session_get_vertices (f.session) != NULL
                    && !tsr_session_is_lowered_pending (f.session)
                    && !tsr_session_is_data_pending (f.session, TSR_DATA_TRACE));
  tsr_ui_test_wait (tsr_session_get_insights (f.session) != NULL);
  f.insights = tsr_insights_ref (tsr_session_get_insights (f.session));
  compare_with_cli (&f, folder);
  findings = tsr_insights_peek_findings (f.insights);
  g_assert_cmpuint (findings->len, >, 5);
  for (guint i = 0; i < findings->len; i++)
    follow (&f, findings->pdata[i]);
  tsr_insights_unref (f.insights);
  window_test_close (f.window);
}

int
main (int argc, char **argv)
{
  window_test_init (&argc, &argv);
  g_test_add_data_func ("/shell-findings/demo", "demo", test_preset);
  g_test_add_data_func ("/shell-findings/oom", "oom", test_preset);
  return window_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Insights page over the demo report and one that does not fit: what it lists is what the
 * insights say, and what its buttons ask the window for leads there. */

#include "config.h"

#include "tsr-chart.h"
#include "tsr-finding-row.h"
#include "tsr-insight-charts.h"
#include "tsr-insights-largest.h"
#include "tsr-insights-overview.h"
#include "tsr-insights-page.h"
#include "tsr-row-view.h"
#include "tsr-test.h"
#include "tsr-ui-init.h"
#include "tsr-ui-test.h"

#include <string.h>

typedef struct
{
  char *folder;
  char *written; /* (nullable): folder to be removed */
  TsrSettings *settings;
  TsrSession *session;
  GtkWidget *window;
  TsrInsightsPage *page;
  char *went; /* words of the last win.go */
} Fixture;

static void
on_go (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Fixture *f = data;

  g_free (f->went);
  f->went = g_variant_dup_string (parameter, NULL);
}

static void
setup (Fixture *f, gconstpointer data)
{
  static const GActionEntry actions[] = {
    { .name = "go", .activate = on_go, .parameter_type = "s" },
    { .name = "toast", .activate = on_go, .parameter_type = "s" },
  };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;

  /* Without a name: a small one that has no lowered variables. */
  if (data == NULL)
    {
      f->written = tsr_test_folder_new ();
      tsr_ui_test_write_report (f->written, 0);
    }
  f->folder = data != NULL ? g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), data, NULL)
                           : g_strdup (f->written);
  f->settings = tsr_settings_new ("none.such");
  f->session = tsr_session_new (f->settings);
  f->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1232, 600);
  g_action_map_add_action_entries (G_ACTION_MAP (group), actions, G_N_ELEMENTS (actions), f);
  gtk_widget_insert_action_group (f->window, "win", G_ACTION_GROUP (group));
  f->page = g_object_new (TSR_TYPE_INSIGHTS_PAGE, NULL);
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->page));
  tsr_page_set_session (TSR_PAGE (f->page), f->session);
  gtk_window_present (GTK_WINDOW (f->window));
  report = tsr_report_open (place, f->folder, TSR_LOAD_ALL);
  tsr_session_set_report (f->session, report);
  tsr_ui_test_wait (tsr_session_get_insights (f->session) != NULL);
  tsr_ui_test_run (100);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  tsr_ui_test_drop (f->session);
  g_object_unref (f->settings);
  g_free (f->folder);
  g_free (f->went);
  if (f->written != NULL)
    tsr_test_folder_free (f->written);
}

static GPtrArray *
findings (Fixture *f)
{
  return tsr_insights_peek_findings (tsr_session_get_insights (f->session));
}

static void
test_lists (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) rows = tsr_insights_page_dup_rows (f->page);
  guint serious = 0;

  g_assert_true (tsr_page_is_content_shown (TSR_PAGE (f->page)));
  g_assert_cmpuint (rows->len, ==, findings (f)->len);
  g_assert_cmpuint (rows->len, >, 0);
  for (guint i = 0; i < rows->len; i++)
    {
      const TsrFinding *finding = tsr_finding_row_get_finding (rows->pdata[i]);

      g_assert_true (finding == findings (f)->pdata[i]);
      serious += finding->severity <= TSR_FINDING_WARNING;
    }
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.minor", NULL);
  g_clear_pointer (&rows, g_ptr_array_unref);
  rows = tsr_insights_page_dup_rows (f->page);
  g_assert_cmpuint (rows->len, ==, serious);
}

static gboolean
is_of_execution (const TsrFinding *finding)
{
  return finding->where.view == TSR_VIEW_EXECUTION_TRACE
         || g_str_equal (finding->rule, "operation-cycles");
}

/* Findings about memory and about the execution are listed apart, and a link says which. */
static void
test_kinds (Fixture *f, gconstpointer data)
{
  guint of_execution = 0, n = findings (f)->len;
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GHashTable) words = tsr_view_words_new ();
  gboolean shown;

  for (guint i = 0; i < n; i++)
    of_execution += is_of_execution (findings (f)->pdata[i]);
  g_assert_cmpuint (of_execution, >, 0);
  g_assert_cmpuint (of_execution, <, n);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.memory", NULL);
  rows = tsr_insights_page_dup_rows (f->page);
  g_assert_cmpuint (rows->len, ==, of_execution);
  for (guint i = 0; i < rows->len; i++)
    g_assert_true (is_of_execution (tsr_finding_row_get_finding (rows->pdata[i])));
  tsr_page_save_words (TSR_PAGE (f->page), words);
  g_assert_cmpstr (tsr_view_words_get (words, "memory"), ==, "0");
  g_assert_null (tsr_view_words_get (words, "execution"));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.memory", NULL);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.execution", NULL);
  g_clear_pointer (&rows, g_ptr_array_unref);
  rows = tsr_insights_page_dup_rows (f->page);
  g_assert_cmpuint (rows->len, ==, n - of_execution);
  tsr_page_load_words (TSR_PAGE (f->page), words);
  g_object_get (f->page, "show-memory", &shown, NULL);
  g_assert_false (shown);
  g_object_get (f->page, "show-execution", &shown, NULL);
  g_assert_true (shown);
}

static void
test_opens_in_place (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) rows = tsr_insights_page_dup_rows (f->page);

  for (guint i = 0; i < rows->len; i++)
    {
      const TsrFinding *finding = tsr_finding_row_get_finding (rows->pdata[i]);

      g_assert_true (tsr_ui_test_says (rows->pdata[i], finding->title));
      g_assert_false (tsr_ui_test_says (rows->pdata[i], finding->text));
      tsr_finding_row_set_open (rows->pdata[i], TRUE);
      g_assert_true (tsr_ui_test_says (rows->pdata[i], finding->text));
      for (guint k = 0; k < finding->evidence->len; k++)
        g_assert_true (tsr_ui_test_says (rows->pdata[i],
                                         g_array_index (finding->evidence, TsrEvidence, k).name));
    }
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.close-all", NULL);
  for (guint i = 0; i < rows->len; i++)
    g_assert_false (tsr_finding_row_is_open (rows->pdata[i]));
}

/* The arrow asks the window for the place that the finding names. */
static void
test_goes_there (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) rows = tsr_insights_page_dup_rows (f->page);
  guint n_arrows = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      const TsrFinding *finding = tsr_finding_row_get_finding (rows->pdata[i]);
      GtkWidget *arrow = tsr_ui_test_find_icon (rows->pdata[i], "go-next-symbolic");
      g_autoptr (GHashTable) words = NULL;

      if (tsr_pages_find (finding->where.view) == NULL)
        {
          g_assert_false (gtk_widget_get_sensitive (arrow));
          continue;
        }
      g_assert_nonnull (arrow);
      g_signal_emit_by_name (arrow, "clicked");
      words = tsr_view_words_parse (f->went);
      g_assert_cmpint (tsr_view_words_get_view (words), ==, finding->where.view);
      if (finding->where.n_tiles > 0)
        {
          g_autofree char *tiles
              = tsr_memory_format_tiles (finding->where.tiles, finding->where.n_tiles);

          g_assert_cmpstr (tsr_view_words_get (words, "tiles"), ==, tiles);
        }
      n_arrows++;
    }
  g_assert_cmpuint (n_arrows, >, 0);
}

/* Every tile stands in one bin. */
static void
test_histogram (Fixture *f, gconstpointer data)
{
  TsrInsights *insights = tsr_session_get_insights (f->session);
  TsrMemory *memory = tsr_session_get_memory (f->session);
  const gint64 *bytes = tsr_memory_peek (memory, TSR_METRIC_INCLUDING_GAPS);
  guint sum = 0;

  for (guint bin = 0; bin <= TSR_N_BINS; bin++)
    {
      gint64 from, to;
      guint n = 0;

      tsr_insights_get_bin (insights, bin, &from, &to);
      for (guint i = 0; i < tsr_memory_get_n_tiles (memory); i++)
        n += bytes[i] >= from && bytes[i] < to;
      g_assert_cmpuint (tsr_insight_charts_get_bin_tiles (insights, bin), ==, n);
      sum += n;
      if (n > 0)
        {
          g_autofree char *count = tsr_units_dup_count (n);
          g_autofree char *wanted = g_strdup_printf (": %s tile%s", count, n == 1 ? "" : "s");
          g_autofree char *text = tsr_insight_charts_describe_bin (insights, bin, TSR_UNITS_BINARY);

          g_assert_nonnull (strstr (text, wanted));
        }
    }
  g_assert_cmpuint (sum, ==, tsr_memory_get_n_tiles (memory));
}

static void
test_largest (Fixture *f, gconstpointer data)
{
  TsrInsights *insights = tsr_session_get_insights (f->session);
  guint n = 0;

  for (guint scope = 0; scope < TSR_N_LARGEST_SCOPES; scope++)
    {
      g_autoptr (TsrRows) rows = tsr_largest_rows_new (insights, scope);

      n += tsr_rows_get_n (rows);
      for (guint i = 0; i < tsr_rows_get_n (rows); i++)
        {
          const TsrLargest *largest = tsr_largest_rows_get (insights, scope, i);
          g_autoptr (GHashTable) words = tsr_largest_dup_words (largest);

          if ((largest->used_in == NULL || largest->used_in[0] == NULL)
              && largest->step != TSR_NO_INDEX)
            {
              g_autofree char *count = tsr_units_dup_count (largest->step);
              g_autofree char *step
                  = largest->n_peaks > 1
                        ? g_strdup_printf ("Step %s, × %u", count, largest->n_peaks)
                        : g_strdup_printf ("Step %s", count);

              g_assert_cmpstr (tsr_rows_get_text (rows, i, 4), ==, step);
            }
          g_assert_cmpstr (tsr_rows_get_text (rows, i, 0), ==, largest->name);
          g_assert_cmpint (tsr_rows_get_value (rows, i, 3), ==, largest->bytes);
          g_assert_cmpint (tsr_view_words_get_view (words), !=, TSR_N_VIEWS);
        }
    }
  g_assert_cmpuint (n, ==, tsr_insights_peek_largest (insights)->len);
  g_assert_cmpuint (n, >, 0);
}

static void
test_text (Fixture *f, gconstpointer data)
{
  g_autofree char *text = tsr_page_dup_text (TSR_PAGE (f->page));
  g_autofree char *status
      = tsr_insights_dup_status (tsr_session_get_insights (f->session), TSR_UNITS_BINARY);
  g_auto (GStrv) parts = g_strsplit (text, "\\", -1); /* Markdown's escapes */
  g_autofree char *plain = g_strjoinv (NULL, parts);

  g_assert_true (g_str_has_prefix (text, status));
  for (guint i = 0; i < findings (f)->len; i++)
    g_assert_nonnull (strstr (plain, ((const TsrFinding *)findings (f)->pdata[i])->title));
}

/* Tables of the page in their order, those of the largest things. */
static GPtrArray *
find_largest (GtkWidget *widget, GPtrArray *found)
{
  if (TSR_IS_ROW_VIEW (widget))
    {
      g_ptr_array_add (found, widget);
      return found;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!TSR_IS_PLAN_VIEW (child))
      find_largest (child, found);
  return found;
}

static guint
count_open (Fixture *f)
{
  g_autoptr (GPtrArray) rows = tsr_insights_page_dup_rows (f->page);
  guint n = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      /* The first ones. */
      g_assert_true (!tsr_finding_row_is_open (rows->pdata[i]) || n == i);
      n += tsr_finding_row_is_open (rows->pdata[i]);
    }
  return n;
}

static void
resize (Fixture *f, int width, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (f->window), width, height);
  tsr_ui_test_wait (gtk_widget_get_width (f->window) == width
                    && gtk_widget_get_height (f->window) == height);
  tsr_ui_test_run (150);
}

/* Only the page scrolls.  A large window shows the largest of all scopes, and opens the findings
 * that have room, until the user opens or closes one. */
static void
test_room (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) tables = find_largest (GTK_WIDGET (f->page), g_ptr_array_new ());
  g_autoptr (GPtrArray) rows = NULL;
  GtkWidget *scroller = tsr_ui_test_find (GTK_WIDGET (f->page), GTK_TYPE_SCROLLED_WINDOW);
  GtkWidget *last;
  double bottom = 0;
  guint n;

  g_assert_cmpuint (tables->len, ==, TSR_N_LARGEST_SCOPES);
  resize (f, 1232, 700);
  g_assert_cmpuint (count_open (f), ==, 0);
  for (guint i = 0; i < tables->len; i++)
    g_assert_true (gtk_widget_get_visible (tables->pdata[i]) == (i == TSR_LARGEST_OF_REPLICA));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.scope", "s", "ipu");
  for (guint i = 0; i < tables->len; i++)
    g_assert_true (gtk_widget_get_visible (tables->pdata[i]) == (i == TSR_LARGEST_OF_IPUS));

  resize (f, 2400, 2000);
  for (guint i = 0; i < tables->len; i++)
    {
      GtkWidget *inner = tsr_ui_test_find (tables->pdata[i], GTK_TYPE_SCROLLED_WINDOW);
      GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (inner));

      g_assert_true (gtk_widget_get_mapped (tables->pdata[i]));
      g_assert_cmpuint (tsr_row_view_get_n_shown (tables->pdata[i]), >, 0);
      g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), <=,
                         gtk_adjustment_get_page_size (adjustment));
    }
  rows = tsr_insights_page_dup_rows (f->page);
  n = count_open (f);
  g_assert_cmpuint (n, >, 0);
  /* The last finding, and what follows, is still on the page. */
  last = gtk_widget_get_last_child (
      gtk_widget_get_ancestor (rows->pdata[rows->len - 1], GTK_TYPE_BOX));
  gtk_widget_translate_coordinates (last, scroller, 0, gtk_widget_get_height (last), NULL, &bottom);
  g_assert_cmpfloat (bottom, <=, gtk_widget_get_height (scroller));
  resize (f, 2400, 1500);
  g_assert_cmpuint (count_open (f), <, n);
  resize (f, 1232, 700);
  g_assert_cmpuint (count_open (f), ==, 0);

  tsr_finding_row_set_open (rows->pdata[1], TRUE);
  resize (f, 2400, 2000);
  for (guint i = 0; i < rows->len; i++)
    g_assert_true (tsr_finding_row_is_open (rows->pdata[i]) == (i == 1));
}

/* The fix plan */

static TsrPlan *
wait_for_plan (Fixture *f)
{
  TsrPlanView *view = tsr_insights_page_get_plan (f->page);

  tsr_ui_test_wait (tsr_session_get_plan (f->session) != NULL);
  tsr_ui_test_wait (!tsr_plan_view_is_busy (view));
  return tsr_session_get_plan (f->session);
}

static TsrRows *
wait_for_tiles (TsrPlanView *view)
{
  TsrRowView *rows = TSR_ROW_VIEW (tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_ROW_VIEW));

  tsr_ui_test_wait (!tsr_row_view_is_busy (rows));
  return tsr_row_view_get_rows (rows);
}

static gboolean
has_text (GtkWidget *widget, gconstpointer what)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_label (GTK_LABEL (widget)), what) != NULL;
}

/* Whether a label of @widget, folded or not, says @part. */
static gboolean
has_label (GtkWidget *widget, const char *part)
{
  return tsr_ui_test_find_where (widget, has_text, part) != NULL;
}

/* What is shown is what the model says of @set. */
static void
assert_forecast (Fixture *f, TsrMeasureSet set)
{
  TsrPlanView *view = tsr_insights_page_get_plan (f->page);
  TsrPlan *plan = wait_for_plan (f);
  const TsrForecast *shown = tsr_plan_view_get_forecast (view);
  g_autoptr (TsrForecast) now = tsr_plan_forecast (plan, 0, NULL, NULL);
  g_autoptr (TsrForecast) wanted = tsr_plan_forecast (plan, set, NULL, NULL);
  TsrRows *rows = wait_for_tiles (view);
  g_autofree char *over
      = g_strdup_printf (wanted->packed.n_over == 1 ? "%u tile overflows" : "%u tiles overflow",
                         wanted->packed.n_over);

  g_assert_nonnull (shown);
  g_assert_cmpuint (shown->set, ==, set);
  g_assert_cmpint (shown->verdict, ==, wanted->verdict);
  g_assert_true (has_label (GTK_WIDGET (view), tsr_plan_verdict_get_name (wanted->verdict)));
  g_assert_true (has_label (GTK_WIDGET (view), over));
  g_assert_cmpuint (tsr_rows_get_n (rows), ==, wanted->n_tiles);
  for (guint i = 0; i < wanted->n_tiles; i++)
    {
      const gint64 values[] = { i,
                                i / 1472,
                                now->packed.over[i],
                                wanted->best.over[i],
                                wanted->packed.over[i],
                                now->live[i],
                                wanted->live[i],
                                wanted->peak_step[i] };

      for (guint c = 0; c < G_N_ELEMENTS (values); c++)
        g_assert_cmpint (tsr_rows_get_value (rows, i, c), ==, values[c]);
    }
}

/* From a tile of the forecast to where it is fullest then; what is drawn of tiles selects them. */
static void
check_plan_ways (Fixture *f)
{
  TsrPlanView *view = tsr_insights_page_get_plan (f->page);
  const TsrForecast *forecast = tsr_plan_view_get_forecast (view);
  GtkWidget *rows = tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_ROW_VIEW);
  GtkWidget *chart = tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_CHART);
  TsrTileSelection *selection = tsr_session_get_selection (f->session);
  const guint *tiles;
  guint n = 0;

  for (guint tile = 0; tile < forecast->n_tiles; tile += 300)
    {
      g_autoptr (GHashTable) words = NULL;
      g_autofree char *source = g_strdup_printf ("tile%u", tile);
      g_autofree char *step = forecast->peak_step[tile] != TSR_NO_INDEX
                                  ? g_strdup_printf ("%u", forecast->peak_step[tile])
                                  : NULL;

      g_clear_pointer (&f->went, g_free);
      g_signal_emit_by_name (rows, "activate-row", tile);
      words = tsr_view_words_parse (f->went);
      g_assert_cmpstr (tsr_view_words_get (words, "page"), ==, "liveness");
      g_assert_cmpstr (tsr_view_words_get (words, "source"), ==, source);
      g_assert_cmpstr (tsr_view_words_get (words, "steps"), ==, step);
    }
  g_signal_emit_by_name (chart, "select", 5.0, 8.0, (int)TSR_SELECT_REPLACE);
  tiles = tsr_tile_selection_peek (selection, &n);
  g_assert_cmpuint (n, ==, 3);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (tiles[i], ==, 5 + i);
  tsr_tile_selection_clear (selection);
}

/* In half of a screen the overview leaves the findings room: two of its cards share a line. */
/* How many labels below @widget, of the buttons of the fullest tiles, say @text. */
static guint
count_top_labels (GtkWidget *widget, const char *text, gboolean inside)
{
  guint n = inside && GTK_IS_LABEL (widget)
            && g_str_equal (gtk_label_get_label (GTK_LABEL (widget)), text);

  inside = inside || gtk_widget_has_css_class (widget, "top-tile");
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_top_labels (child, text, inside);
  return n;
}

/* A report that tells but one total of each tile: the fullest tiles have that one. */
static void
test_totals (Fixture *f, gconstpointer data)
{
  TsrMemory *memory = tsr_session_get_memory (f->session);
  const gint64 *bytes = tsr_memory_peek (memory, tsr_memory_get_fullness_metric (memory));
  g_autofree char *text = NULL;
  gint64 most = 0;

  g_assert_cmpint (tsr_memory_get_fullness_metric (memory), !=, TSR_METRIC_INCLUDING_GAPS);
  for (guint i = 0; i < tsr_memory_get_n_tiles (memory); i++)
    most = MAX (most, bytes[i]);
  g_assert_cmpint (most, >, 0);
  text = tsr_units_dup_bytes (tsr_session_get_units (f->session), most);
  g_assert_cmpuint (count_top_labels (GTK_WIDGET (f->page), text, FALSE), >, 0);
  g_assert_cmpuint (count_top_labels (GTK_WIDGET (f->page), "\342\200\223", FALSE), ==, 0);
}

/* Where there is room below it the overview is higher, and lower again where there is none. */
static void
test_overview_roomy (Fixture *f, gconstpointer data)
{
  GtkWidget *overview = tsr_ui_test_find (GTK_WIDGET (f->page), TSR_TYPE_INSIGHTS_OVERVIEW);
  int width = gtk_widget_get_width (overview), before, roomy;

  gtk_widget_measure (overview, GTK_ORIENTATION_VERTICAL, width, NULL, &before, NULL, NULL);
  tsr_insights_overview_set_roomy (TSR_INSIGHTS_OVERVIEW (overview), TRUE);
  tsr_ui_test_run (100);
  gtk_widget_measure (overview, GTK_ORIENTATION_VERTICAL, width, NULL, &roomy, NULL, NULL);
  g_assert_cmpint (roomy, >=, before + 80);
  tsr_insights_overview_set_roomy (TSR_INSIGHTS_OVERVIEW (overview), FALSE);
  tsr_ui_test_run (100);
  gtk_widget_measure (overview, GTK_ORIENTATION_VERTICAL, width, NULL, &roomy, NULL, NULL);
  g_assert_cmpint (roomy, ==, before);
}

static void
test_overview_room (void)
{
  GtkWidget *overview = g_object_ref_sink (tsr_insights_overview_new ());
  int wide, half, narrow;

  gtk_widget_measure (overview, GTK_ORIENTATION_VERTICAL, 1200, NULL, &wide, NULL, NULL);
  gtk_widget_measure (overview, GTK_ORIENTATION_VERTICAL, 820, NULL, &half, NULL, NULL);
  gtk_widget_measure (overview, GTK_ORIENTATION_VERTICAL, 600, NULL, &narrow, NULL, NULL);
  g_assert_cmpint (wide, <, half);
  g_assert_cmpint (half + 120, <, narrow);
  g_object_unref (overview);
}

/* Ticks one after another change the numbers as the model says, and so does taking them away. */
static void
test_plan_ticks (Fixture *f, gconstpointer data)
{
  static const char *const ids[]
      = { "halve-fp32", "drop:model/preprocess/table_0", "recompute:model/stem/bn1/out" };
  TsrPlanView *view = tsr_insights_page_get_plan (f->page);
  TsrPlan *plan = wait_for_plan (f);
  g_autofree char *status = tsr_plan_dup_status (plan);
  TsrMeasureSet set = 0;
  guint n = 0, n_listed = 0;
  const TsrMeasure *measures = tsr_plan_peek_measures (plan, &n);

  g_assert_true (has_label (GTK_WIDGET (view), "Which changes together make it fit"));
  g_assert_false (has_label (GTK_WIDGET (view), status)); /* the overview has it */
  assert_forecast (f, 0);
  for (guint i = 0; i < n; i++)
    {
      const gboolean can = measures[i].kind != TSR_MEASURE_LISTED && measures[i].missing == NULL;

      g_assert_true (has_label (GTK_WIDGET (view), measures[i].title));
      g_assert_cmpint (tsr_plan_view_get_check (view, i) != NULL, ==, can);
      n_listed += !can;
    }
  g_assert_cmpuint (n_listed, >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      const guint index = tsr_plan_find (plan, ids[i]);

      g_assert_cmpuint (index, !=, TSR_NO_INDEX);
      gtk_check_button_set_active (tsr_plan_view_get_check (view, index), TRUE);
      set |= G_GUINT64_CONSTANT (1) << index;
      assert_forecast (f, set);
    }
  gtk_check_button_set_active (tsr_plan_view_get_check (view, tsr_plan_find (plan, "halve-fp32")),
                               FALSE);
  set ^= G_GUINT64_CONSTANT (1) << tsr_plan_find (plan, "halve-fp32");
  assert_forecast (f, set);
  /* Two in one turn of the main loop: only what is ticked in the end counts. */
  for (guint i = 0; i < 2; i++)
    gtk_check_button_set_active (tsr_plan_view_get_check (view, tsr_plan_find (plan, ids[0])),
                                 i == 0);
  assert_forecast (f, set);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.clear-plan", NULL);
  assert_forecast (f, 0);
}

static void
test_plan_proposal (Fixture *f, gconstpointer data)
{
  TsrPlanView *view = tsr_insights_page_get_plan (f->page);
  TsrPlan *plan = wait_for_plan (f);
  g_autoptr (TsrProposal) proposal = tsr_plan_propose (plan, NULL, NULL);
  gboolean open;

  g_assert_cmpuint (proposal->set, !=, 0);
  g_assert_false (has_label (GTK_WIDGET (view), proposal->text));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.propose", NULL);
  g_object_get (f->page, "show-plan", &open, NULL);
  g_assert_true (open);
  assert_forecast (f, proposal->set);
  g_assert_true (has_label (GTK_WIDGET (view), proposal->text));
  for (guint i = 0; i < TSR_PLAN_MOST; i++)
    if ((proposal->set >> i & 1) != 0)
      g_assert_true (gtk_check_button_get_active (tsr_plan_view_get_check (view, i)));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.clear-plan", NULL);
  g_assert_false (has_label (GTK_WIDGET (view), proposal->text));
  /* The second time it is known. */
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.propose", NULL);
  assert_forecast (f, proposal->set);
}

static void
test_plan_copy (Fixture *f, gconstpointer data)
{
  TsrPlanView *view = tsr_insights_page_get_plan (f->page);
  TsrPlan *plan = wait_for_plan (f);
  const TsrMeasureSet set = G_GUINT64_CONSTANT (1) << tsr_plan_find (plan, "halve-fp32");
  g_autoptr (TsrForecast) forecast = tsr_plan_forecast (plan, set, NULL, NULL);
  g_autofree char *location = tsr_report_dup_location (tsr_session_get_report (f->session));
  g_autofree char *wanted = tsr_plan_dup_text (plan, forecast, location);
  g_autofree char *page = NULL;
  GdkContentProvider *provider;
  g_auto (GValue) value = G_VALUE_INIT;

  tsr_plan_view_set_ids (view, "halve-fp32");
  assert_forecast (f, set);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.copy-plan", NULL);
  provider = gdk_clipboard_get_content (gtk_widget_get_clipboard (f->window));
  g_value_init (&value, G_TYPE_STRING);
  g_assert_true (gdk_content_provider_get_value (provider, &value, NULL));
  g_assert_cmpstr (g_value_get_string (&value), ==, wanted);
  g_assert_nonnull (strstr (wanted, "--plan='halve-fp32'"));
  page = tsr_page_dup_text (TSR_PAGE (f->page));
  g_assert_nonnull (strstr (page, wanted));
}

/* Folded and ticked as a link says; ids that the plan does not have are left out. */
static void
test_plan_words (Fixture *f, gconstpointer data)
{
  TsrPlanView *view = tsr_insights_page_get_plan (f->page);
  GtkWidget *revealer = tsr_ui_test_find (GTK_WIDGET (view), GTK_TYPE_REVEALER);
  TsrPlan *plan = wait_for_plan (f);
  g_autoptr (GHashTable) none = tsr_view_words_new (), words = tsr_view_words_new ();
  g_autoptr (GHashTable) again = tsr_view_words_new ();

  tsr_page_save_words (TSR_PAGE (f->page), none);
  g_assert_null (tsr_view_words_get (none, "plan"));
  g_assert_null (tsr_view_words_get (none, "measures"));
  g_assert_false (gtk_revealer_get_reveal_child (GTK_REVEALER (revealer)));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.plan", NULL);
  g_assert_true (gtk_revealer_get_reveal_child (GTK_REVEALER (revealer)));
  tsr_view_words_set (words, "plan", "1");
  tsr_view_words_set (words, "measures", "drop:none\nhalve-fp32\nbatch\nlayout");
  tsr_page_load_words (TSR_PAGE (f->page), words);
  assert_forecast (f, G_GUINT64_CONSTANT (1) << tsr_plan_find (plan, "halve-fp32")
                          | G_GUINT64_CONSTANT (1) << tsr_plan_find (plan, "batch"));
  tsr_page_save_words (TSR_PAGE (f->page), again);
  g_assert_cmpstr (tsr_view_words_get (again, "plan"), ==, "1");
  g_assert_nonnull (strstr (tsr_view_words_get (again, "measures"), "halve-fp32"));
  g_assert_null (strstr (tsr_view_words_get (again, "measures"), "none"));
  check_plan_ways (f);
  tsr_page_load_words (TSR_PAGE (f->page), none);
  g_assert_false (gtk_revealer_get_reveal_child (GTK_REVEALER (revealer)));
  assert_forecast (f, 0);
}

/* A program that fits has room instead of a proposal. */
static void
test_plan_room (Fixture *f, gconstpointer data)
{
  TsrPlanView *view = tsr_insights_page_get_plan (f->page);
  TsrPlan *plan = wait_for_plan (f);
  TsrPlanGrowth growth;
  g_autofree char *best = NULL;

  g_assert_cmpint (tsr_plan_get_fit (plan), ==, TSR_FITS);
  assert_forecast (f, 0);
  g_assert_cmpint (tsr_plan_view_get_forecast (view)->packed.n_over, ==, 0);
  tsr_plan_get_growth (plan, &growth);
  best = tsr_units_dup_percent (growth.best, 0);
  g_assert_cmpfloat (growth.best, >, 1);
  g_assert_true (has_label (GTK_WIDGET (view), best));
  /* Nobody asks how to make fit what fits. */
  g_assert_true (has_label (GTK_WIDGET (view), "How much room is left, and what makes more"));
  g_assert_false (has_label (GTK_WIDGET (view), "Which changes together make it fit"));
}

/* Who unfolds the bar while the plan is worked out sees it as soon as it is there. */
static void
test_plan_early (Fixture *f, gconstpointer data)
{
  GtkWidget *view = GTK_WIDGET (tsr_insights_page_get_plan (f->page));
  GtkWidget *fold = tsr_ui_test_find (view, GTK_TYPE_TOGGLE_BUTTON);
  GtkWidget *revealer = tsr_ui_test_find (view, GTK_TYPE_REVEALER);
  g_autoptr (TsrReport) report = g_object_ref (tsr_session_get_report (f->session));

  tsr_session_set_report (f->session, NULL);
  tsr_session_set_report (f->session, report);
  g_assert_null (tsr_session_get_plan (f->session));
  g_assert_true (gtk_widget_is_sensitive (fold));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (fold), TRUE);
  g_assert_false (gtk_widget_get_visible (revealer));
  wait_for_plan (f);
  g_assert_true (gtk_widget_get_visible (revealer));
  g_assert_true (gtk_revealer_get_reveal_child (GTK_REVEALER (revealer)));
}

/* Beside what they leave, the measures of a program that fits are all seen. */
static void
test_plan_measures (Fixture *f, gconstpointer data)
{
  TsrPlanView *view = tsr_insights_page_get_plan (f->page);
  GtkAdjustment *height;

  wait_for_plan (f);
  g_object_set (view, "open", TRUE, NULL);
  tsr_ui_test_run (400);
  height = gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (tsr_ui_test_find (GTK_WIDGET (view), GTK_TYPE_SCROLLED_WINDOW)));
  g_assert_cmpfloat (gtk_adjustment_get_page_size (height), >, 0);
  g_assert_cmpfloat (gtk_adjustment_get_upper (height), <=, gtk_adjustment_get_page_size (height));
}

/* Where Tab goes until it is where it began; it is to stop nowhere. */
static GPtrArray *
walk_by_tab (Fixture *f)
{
  GPtrArray *places = g_ptr_array_new ();

  gtk_window_set_focus (GTK_WINDOW (f->window), NULL);
  while (gtk_widget_child_focus (f->window, GTK_DIR_TAB_FORWARD))
    {
      GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (f->window));

      g_assert_nonnull (focus);
      if (places->len > 0 && focus == places->pdata[0])
        break;
      g_assert_false (g_ptr_array_find (places, focus, NULL));
      g_assert_cmpuint (places->len, <, 500);
      g_ptr_array_add (places, focus);
    }
  return places;
}

static guint
find_place (GPtrArray *places, GtkWidget *within)
{
  for (guint i = 0; i < places->len; i++)
    if (places->pdata[i] == within || gtk_widget_is_ancestor (places->pdata[i], within))
      return i;
  return G_MAXUINT;
}

/* From the bar over all measures, in the order of the list, to what they leave, and on. */
static void
test_plan_tab (Fixture *f, gconstpointer data)
{
  TsrPlanView *view = tsr_insights_page_get_plan (f->page);
  g_autoptr (GPtrArray) places = NULL, rows = tsr_insights_page_dup_rows (f->page);
  guint n = 0, last, first_row;

  wait_for_plan (f);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.propose", NULL);
  tsr_ui_test_wait (tsr_plan_view_get_forecast (view) != NULL && !tsr_plan_view_is_busy (view));
  /* In a table Tab goes from row to row. */
  tsr_row_view_set_filter (TSR_ROW_VIEW (tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_ROW_VIEW)),
                           "none such");
  tsr_ui_test_run (400);
  places = walk_by_tab (f);
  /* Each is named once: by its label, or by what is written on it. */
  for (guint i = 0; i < places->len; i++)
    if (gtk_widget_is_ancestor (places->pdata[i], GTK_WIDGET (view))
        && GTK_IS_BUTTON (places->pdata[i]))
      g_assert_cmpint (gtk_test_accessible_has_property (GTK_ACCESSIBLE (places->pdata[i]),
                                                         GTK_ACCESSIBLE_PROPERTY_LABEL),
                       !=,
                       gtk_test_accessible_has_relation (GTK_ACCESSIBLE (places->pdata[i]),
                                                         GTK_ACCESSIBLE_RELATION_LABELLED_BY));
  tsr_plan_peek_measures (tsr_session_get_plan (f->session), &n);
  for (guint i = 0; i < n; i++)
    {
      GtkCheckButton *check = tsr_plan_view_get_check (view, i);

      if (check != NULL)
        g_assert_cmpuint (find_place (places, GTK_WIDGET (check)), !=, G_MAXUINT);
    }
  last = 0;
  for (guint i = 0; i < places->len; i++)
    {
      g_assert_false (GTK_IS_LABEL (places->pdata[i]));
      if (GTK_IS_CHECK_BUTTON (places->pdata[i]))
        last = i;
    }
  g_assert_cmpuint (find_place (places, tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_CHART)), >,
                    last);
  g_assert_cmpuint (find_place (places, tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_ROW_VIEW)), >,
                    last);
  first_row = find_place (places, rows->pdata[0]);
  g_assert_cmpuint (first_row, !=, G_MAXUINT);
  g_assert_cmpuint (first_row, >,
                    find_place (places, tsr_ui_test_find (GTK_WIDGET (view), TSR_TYPE_ROW_VIEW)));
}

static guint
check_names (GtkWidget *widget)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += check_names (child);
  if (GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
      && gtk_button_get_use_underline (GTK_BUTTON (widget)))
    {
      GtkWidget *label = gtk_button_get_child (GTK_BUTTON (widget));
      g_autofree char *other = gtk_test_accessible_check_property (
          GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
          gtk_label_get_text (GTK_LABEL (label)));

      g_assert_cmpstr (other, ==, NULL);
      n++;
    }
  return n;
}

/* The name of a button with an underlined letter has no underscore. */
static void
test_button_names (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) rows = tsr_insights_page_dup_rows (f->page);

  tsr_finding_row_set_open (rows->pdata[0], TRUE);
  wait_for_plan (f);
  tsr_ui_test_run (300);
  g_assert_cmpuint (check_names (GTK_WIDGET (f->page)), >, 1);
}

/* Without lowered variables it says why there is none, and what records them. */
static void
test_plan_missing (Fixture *f, gconstpointer data)
{
  TsrPlanView *view = tsr_insights_page_get_plan (f->page);
  TsrPlan *plan = wait_for_plan (f);

  g_assert_nonnull (tsr_plan_get_missing (plan));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (view)));
  g_assert_true (has_label (GTK_WIDGET (view), tsr_plan_get_missing (plan)));
  g_assert_nonnull (strstr (tsr_plan_get_missing (plan), "outputLoweredVars"));
  g_assert_null (tsr_plan_view_get_forecast (view));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.propose", NULL);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "insights.copy-plan", NULL);
  g_assert_false (tsr_plan_view_is_busy (view));
}

/* How sure a saving is, in words. */
static void
test_saving (void)
{
  static const struct
  {
    TsrConfidence confidence;
    gboolean at_least;
    const char *on_tile, *over_all;
    const char *title;
  } cases[] = {
    { TSR_CONFIDENCE_EXACT, FALSE, "10 B on tile 7", "20 B over all tiles",
      "Saves, on the worst tile" },
    { TSR_CONFIDENCE_ESTIMATE, FALSE, "about 10 B on tile 7", "about 20 B over all tiles",
      "Saves about, on the worst tile" },
    { TSR_CONFIDENCE_ESTIMATE, TRUE, "at least 10 B on tile 7", "at least 20 B over all tiles",
      "Saves at least, on the worst tile" },
    { TSR_CONFIDENCE_UPPER_BOUND, FALSE, "up to 10 B on tile 7", "up to 20 B over all tiles",
      "Saves up to, on the worst tile" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TsrFinding finding = { .bytes = 20,
                             .bytes_worst_tile = 10,
                             .confidence = cases[i].confidence,
                             .at_least = cases[i].at_least };
      g_autofree char *on_tile = tsr_finding_dup_saving (&finding, 7, TSR_UNITS_BYTES);
      g_autofree char *over_all = NULL;

      g_assert_cmpstr (on_tile, ==, cases[i].on_tile);
      g_assert_cmpstr (tsr_finding_get_saving_title (&finding, TRUE), ==, cases[i].title);
      finding.bytes_worst_tile = 0;
      over_all = tsr_finding_dup_saving (&finding, 7, TSR_UNITS_BYTES);
      g_assert_cmpstr (over_all, ==, cases[i].over_all);
      finding.bytes = TSR_UNKNOWN;
      g_assert_null (tsr_finding_dup_saving (&finding, 7, TSR_UNITS_BYTES));
    }
}

int
main (int argc, char **argv)
{
  static const char *const reports[] = { "demo", "oom" };
  static const struct
  {
    const char *name;
    void (*func) (Fixture *, gconstpointer);
  } tests[] = {
    { "lists", test_lists },           { "opens-in-place", test_opens_in_place },
    { "goes-there", test_goes_there }, { "histogram", test_histogram },
    { "largest", test_largest },       { "text", test_text },
  };

  gtk_test_init (&argc, &argv, NULL);
  tsr_ui_init ();
  for (guint i = 0; i < G_N_ELEMENTS (reports); i++)
    for (guint k = 0; k < G_N_ELEMENTS (tests); k++)
      {
        g_autofree char *path = g_strdup_printf ("/insights-page/%s/%s", tests[k].name, reports[i]);

        g_test_add (path, Fixture, reports[i], setup, tests[k].func, teardown);
      }
  g_test_add ("/insights-page/room", Fixture, "demo", setup, test_room, teardown);
  g_test_add ("/insights-page/kinds", Fixture, "demo", setup, test_kinds, teardown);
  g_test_add ("/insights-page/plan/ticks", Fixture, "oom", setup, test_plan_ticks, teardown);
  g_test_add ("/insights-page/plan/proposal", Fixture, "oom", setup, test_plan_proposal, teardown);
  g_test_add ("/insights-page/plan/copy", Fixture, "oom", setup, test_plan_copy, teardown);
  g_test_add ("/insights-page/plan/tab", Fixture, "oom", setup, test_plan_tab, teardown);
  g_test_add ("/insights-page/button-names", Fixture, "oom", setup, test_button_names, teardown);
  g_test_add ("/insights-page/plan/words", Fixture, "oom", setup, test_plan_words, teardown);
  g_test_add ("/insights-page/plan/room", Fixture, "demo", setup, test_plan_room, teardown);
  g_test_add ("/insights-page/plan/early", Fixture, "demo", setup, test_plan_early, teardown);
  g_test_add ("/insights-page/plan/measures", Fixture, "demo", setup, test_plan_measures, teardown);
  g_test_add ("/insights-page/plan/missing", Fixture, NULL, setup, test_plan_missing, teardown);
  g_test_add_func ("/insights-page/saving", test_saving);
  g_test_add_func ("/insights-page/overview-room", test_overview_room);
  g_test_add ("/insights-page/overview-roomy", Fixture, "demo", setup, test_overview_roomy,
              teardown);
  g_test_add ("/insights-page/totals", Fixture, "confirmed", setup, test_totals, teardown);
  return g_test_run ();
}

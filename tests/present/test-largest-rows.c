/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of the largest: each entry of the insights is one row of its scope, says what the entry
 * does, and leads to where that is shown. */

#include "config.h"

#include "analysis-test.h"
#include "tsr-insights-largest.h"

#include <string.h>

/* By the page of the manual: what is always there is shown in Memory, what is live in Liveness. */
static char *
dup_expected_words (const TsrLargest *one)
{
  const char *place = one->scope + strcspn (one->scope, "0123456789");
  gboolean of_tile = g_str_has_prefix (one->scope, "tile");
  gboolean replica = g_str_equal (one->scope, "replica");
  gboolean variable = one->kind == TSR_LARGEST_VARIABLE;
  g_autoptr (GHashTable) words = tsr_view_words_new ();

  if (one->kind == TSR_LARGEST_STEP || (variable && !one->always_live))
    {
      g_autofree char *step = g_strdup_printf ("%u", one->step);

      tsr_view_words_set (words, "page", "liveness");
      tsr_view_words_set (words, "source", replica ? "all" : one->scope);
      tsr_view_words_set (words, "steps", step);
      tsr_view_words_set (words, "variables", variable ? one->name : NULL);
    }
  else
    {
      g_autofree char *filter = tsr_filter_dup_name (one->name);

      tsr_view_words_set (words, "page", "memory");
      tsr_view_words_set (words, "variables", variable ? one->name : NULL);
      tsr_view_words_set (words, "tab",
                          variable                            ? "variables"
                          : one->kind == TSR_LARGEST_EXCHANGE ? "exchanges"
                                                              : "vertices");
      tsr_view_words_set (words, "filter", variable ? NULL : filter);
      tsr_view_words_set (words, "row", variable ? NULL : one->name);
      tsr_view_words_set (words, "tiles", replica ? NULL : one->scope);
    }
  if (of_tile)
    tsr_view_words_set (words, "tiles", place);
  return tsr_view_words_dup_text (words);
}

static char *
dup_expected_note (const TsrLargest *one)
{
  g_autofree char *step = NULL;
  g_autofree char *peaks = NULL;
  guint n = one->used_in != NULL ? g_strv_length (one->used_in) : 0;

  if (n > 0)
    return n == 1 ? g_strdup (one->used_in[0])
                  : g_strdup_printf ("%s and %u more", one->used_in[0], n - 1);
  if (one->step == TSR_NO_INDEX)
    return NULL;
  step = tsr_units_dup_count (one->step);
  peaks = tsr_units_dup_count (one->n_peaks);
  return one->n_peaks > 1 ? g_strdup_printf ("Step %s, × %s", step, peaks)
                          : g_strdup_printf ("Step %s", step);
}

static void
check_row (TsrRows *rows, guint32 row, const TsrLargest *one)
{
  static const char *const kinds[] = { [TSR_LARGEST_VERTEX_STATE] = "Vertex state",
                                       [TSR_LARGEST_VERTEX_CODE] = "Vertex code",
                                       [TSR_LARGEST_VARIABLE] = "Variable, peak",
                                       [TSR_LARGEST_EXCHANGE] = "Exchange",
                                       [TSR_LARGEST_STEP] = "Program step" };
  const char *place = one->scope + strcspn (one->scope, "0123456789");
  g_autofree char *scope = g_str_has_prefix (one->scope, "ipu") ? g_strdup_printf ("IPU %s", place)
                           : g_str_has_prefix (one->scope, "tile")
                               ? g_strdup_printf ("Tile %s", place)
                               : g_strdup ("Replica");
  g_autofree char *note = dup_expected_note (one);
  g_autoptr (GHashTable) words = tsr_largest_dup_words (one);
  g_autofree char *link = tsr_view_words_dup_text (words);
  g_autofree char *expected = dup_expected_words (one);

  g_assert_cmpstr (tsr_rows_get_text (rows, row, 0), ==, one->name);
  g_assert_cmpstr (tsr_rows_get_text (rows, row, 1), ==,
                   one->kind == TSR_LARGEST_VARIABLE && one->always_live ? "Variable, always"
                                                                         : kinds[one->kind]);
  g_assert_cmpstr (tsr_rows_get_text (rows, row, 2), ==, scope);
  g_assert_cmpint (tsr_rows_get_value (rows, row, 3), ==, one->bytes);
  g_assert_cmpstr (tsr_rows_get_text (rows, row, 4), ==, note);
  g_assert_cmpstr (link, ==, expected);
  for (guint column = 0; column < tsr_rows_get_n_columns (rows); column++)
    {
      const TsrRowColumn *info = tsr_rows_get_column (rows, column);

      g_assert_false (info->summed);
      g_assert_true (info->filtered == (info->cell == TSR_CELL_KIND_TEXT));
      g_assert_true (info->pinned == (column == 0 || column == 3));
    }
}

static void
test_rows (void)
{
  g_auto (AnalysisReport) opened = { 0 };
  g_autoptr (GError) error = NULL;
  GPtrArray *all;
  guint n = 0;

  analysis_report_open (&opened, "demo",
                        "UPDATE liveness_steps SET program = (SELECT program FROM liveness_steps "
                        "WHERE step = 84) WHERE step IN (93, 96)",
                        TSR_LOAD_ALL);
  opened.insights = tsr_insights_new (opened.report, opened.memory, opened.liveness,
                                      opened.vertices, NULL, TSR_UNITS_BINARY, NULL, NULL, &error);
  g_assert_no_error (error);
  all = tsr_insights_peek_largest (opened.insights);
  for (guint scope = 0; scope < TSR_N_LARGEST_SCOPES; scope++)
    {
      static const char *const prefixes[] = { "replica", "ipu", "tile" };
      g_autoptr (TsrRows) rows = tsr_largest_rows_new (opened.insights, scope);
      guint32 row = 0;

      for (guint i = 0; i < all->len; i++)
        if (g_str_has_prefix (((TsrLargest *)all->pdata[i])->scope, prefixes[scope]))
          {
            g_assert_true (tsr_largest_rows_get (opened.insights, scope, row) == all->pdata[i]);
            check_row (rows, row++, all->pdata[i]);
          }
      g_assert_cmpuint (row, >, 3);
      g_assert_cmpuint (tsr_rows_get_n (rows), ==, row);
      g_assert_null (tsr_largest_rows_get (opened.insights, scope, row));
      n += row;
    }
  g_assert_cmpuint (n, ==, all->len);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/largest-rows/rows", test_rows);
  return g_test_run ();
}

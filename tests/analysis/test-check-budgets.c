/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Budgets of `check` against plain SQL, and against two runs made by hand. */

#include "config.h"

#include "analysis-test.h"
#include "tsr-check.h"
#include "tsr-test-place.h"

#include <math.h>
#include <string.h>

static TsrBudget *
measure (TsrReport *report, const char *line)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) budgets = tsr_check_budgets (report, line, NULL, &error);
  TsrBudget *budget;

  g_assert_no_error (error);
  g_assert_cmpuint (budgets->len, ==, 1);
  budget = g_memdup2 (g_ptr_array_index (budgets, 0), sizeof (TsrBudget));
  budget->name = NULL;
  return budget;
}

static void
expect_exact (TsrReport *report, const char *folder, const char *name, const char *sql)
{
  g_autofree char *line = g_strdup_printf ("%s = 1e18", name);
  g_autofree TsrBudget *budget = measure (report, line);

  g_assert_cmpint (budget->exact, ==, tsr_test_query (folder, "profile.pop", sql));
  g_assert_true (budget->ok);
}

static void
test_budget_values (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrReport) report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
  g_autofree TsrBudget *share = NULL;
  g_autofree TsrBudget *balance = NULL;
  gint64 permille;

  expect_exact (report, folder, "maxTileBytes", "SELECT max (including_gaps) FROM memory_by_tile");
  expect_exact (report, folder, "peakLiveBytes",
                "SELECT (SELECT sum (always_live) FROM memory_by_tile)"
                " + (SELECT max (not_always_live_bytes) FROM liveness_steps)");
  expect_exact (report, folder, "exchangeCodeBytes",
                "SELECT sum (non_overlapped) FROM memory_by_tile_category WHERE category ="
                " (SELECT id FROM var_categories WHERE name = 'internalExchangeCode')");
  expect_exact (report, folder, "totalCycles",
                "SELECT max (cycles_base + active_cycles_to_max)"
                " - min (cycles_base + active_cycles_from_max) FROM steps_by_ipu");
  share = measure (report, "freePercent = 0");
  permille = tsr_test_query (folder, "profile.pop",
                             "SELECT cast (round (100000.0 * (bytes_per_tile - (SELECT max "
                             "(including_gaps) FROM memory_by_tile)) / bytes_per_tile) AS INTEGER) "
                             "FROM target");
  g_assert_cmpint (lround (share->value * 1000), ==, permille);
  balance = measure (report, "tileBalance = 0");
  permille = tsr_test_query (
      folder, "profile.pop",
      "SELECT cast (round (1e6 * sum (cycles * tile_balance) / sum (cycles)) AS INTEGER)"
      " FROM steps_by_ipu JOIN steps ON steps.id = step_id"
      " WHERE steps.type = 'OnTileExecute' AND tile_balance IS NOT NULL");
  g_assert_cmpint (lround (balance->value * 1e6), ==, permille);
  tsr_test_folder_free (folder);
}

/* Two runs of one IPU by hand.  Steps: type, from, to; the first of each run waits for the host. */
static void
test_budget_execution (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autofree TsrBudget *device = NULL;
  g_autofree TsrBudget *total = NULL;
  g_autofree TsrBudget *used = NULL;

  tsr_test_sql (
      folder, "profile.pop",
      "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total INTEGER);"
      "INSERT INTO memory_by_tile VALUES (0, 1);"
      "CREATE TABLE runs (id INTEGER PRIMARY KEY, first_step INTEGER, end_step INTEGER);"
      "INSERT INTO runs VALUES (0, 0, 3), (1, 3, 8);"
      "CREATE TABLE steps (id INTEGER PRIMARY KEY, type TEXT);"
      "INSERT INTO steps VALUES (0, 'StreamCopyBegin'), (1, 'OnTileExecute'), (2, 'Sync'),"
      " (3, 'StreamCopyBegin'), (4, 'OnTileExecute'), (5, 'StreamCopyMid'), (6, 'StreamCopyBegin'),"
      " (7, 'OnTileExecute');"
      "CREATE TABLE steps_by_ipu (step_id INTEGER, ipu INTEGER, cycles INTEGER, cycles_base "
      "INTEGER,"
      " active_cycles_from_min INTEGER, active_cycles_from_max INTEGER, active_cycles_to_max "
      "INTEGER,"
      " tile_balance REAL, PRIMARY KEY (step_id, ipu)) WITHOUT ROWID;"
      "INSERT INTO steps_by_ipu VALUES (0, 0, 1000, 0, 0, 0, 1000, NULL),"
      " (1, 0, 100, 1000, 0, 0, 100, 0.5), (2, 0, 50, 1100, 0, 0, 50, NULL),"
      /* host wait of 10,000; two steps that overlap by 20; 300 of host wait inside the run */
      " (3, 0, 10000, 1150, 0, 0, 10000, NULL), (4, 0, 200, 11150, -5, 0, 200, 0.25),"
      " (5, 0, 100, 11330, 0, 0, 100, NULL), (6, 0, 300, 11430, 0, 0, 300, NULL),"
      " (7, 0, 70, 11730, 0, 0, 70, 1.0);");
  report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
  total = measure (report, "totalCycles = 11800");
  g_assert_cmpint (total->exact, ==, 11800);
  g_assert_true (total->ok);
  device = measure (report, "deviceCycles = 649");
  g_assert_cmpint (device->exact, ==, 11800 - 11150);
  g_assert_false (device->ok);
  used = measure (report, "tileUtilisation = 0.5");
  /* compute 100 + 200 + 70, copy 100; beside it sync 50 and waiting 300 */
  g_assert_cmpfloat_with_epsilon (used->value, 470.0 / 820.0, 1e-12);
  g_assert_true (used->ok);
  tsr_test_folder_free (folder);
}

static void
test_budget_unknown (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrReport) report = NULL;
  const char *const names[]
      = { "freePercent",  "peakLiveBytes",   "exchangeCodeBytes", "totalCycles",
          "deviceCycles", "tileUtilisation", "tileBalance" };

  tsr_test_sql (
      folder, "profile.pop",
      "CREATE TABLE memory_by_tile (total INTEGER); INSERT INTO memory_by_tile VALUES (5)");
  report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *line = g_strdup_printf ("%s = 1", names[i]);
      g_autofree TsrBudget *budget = measure (report, line);

      g_assert_false (budget->ok);
      g_assert_true (isnan (budget->value));
    }
  g_assert_cmpuint (tsr_diagnostics_get_n_total (tsr_report_get_diagnostics (report)), ==,
                    G_N_ELEMENTS (names));
  g_assert_cmpuint (tsr_diagnostics_get_n_errors (tsr_report_get_diagnostics (report)), ==, 0);
  tsr_test_folder_free (folder);
}

/* Each of the names that an error lists is the name of a budget. */
static void
check_names (TsrReport *report, const char *list)
{
  g_auto (GStrv) names = g_strsplit (list, ", ", -1);

  g_assert_cmpuint (g_strv_length (names), >, 7);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *line = g_strdup_printf ("%s = 1", names[i]);
      g_autofree TsrBudget *budget = measure (report, line);

      g_assert_nonnull (budget);
    }
}

static void
test_budget_words (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrReport) report = analysis_open_report (folder, TSR_LOAD_UP_TO_MEMORY);
  static const struct
  {
    const char *text, *why;
  } texts[] = {
    { "maxTileBytes 5", " is not \"name = number\": maxTileBytes 5" },
    { "maxTileBytes = five", ": the limit of maxTileBytes must be a number, not \"five\"" },
    { "maxTileBytes = 5 = 6", ": the limit of maxTileBytes must be a number, not \"5 = 6\"" },
    { "maxTileBytes =", ": the limit of maxTileBytes must be a number, not \"\"" },
    { "maxTileBytes = 5 MB", ": the limit of maxTileBytes must be a number, not \"5 MB\"" },
    { "bytes = 5", ": no budget is named \"bytes\"; there are maxTileBytes" },
    { "tileBalance = 1.5", ": the limit of tileBalance must be a number from 0 to 1, not \"1.5\"" },
    { "tileBalance = -0.1",
      ": the limit of tileBalance must be a number from 0 to 1, not \"-0.1\"" },
    { "maxTileBytes = nan", ": the limit of maxTileBytes must be a number, not \"nan\"" },
    { "maxTileBytes = inf", ": the limit of maxTileBytes must be a number, not \"inf\"" },
    { "= 5", ": no budget is named \"\"; there are maxTileBytes" },
    { "totalCycles = 1\ntotalCycles = 2", "" },
  };
  g_autoptr (GPtrArray) none = tsr_check_budgets (report, "\n  # nothing\r\n\n", NULL, NULL);

  g_assert_cmpuint (none->len, ==, 0);
  /* The last line of each is wrong, wherever it stands. */
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (guint n = 0; n < 4; n++)
      {
        static const char *const before[] = { "# a comment\n", "\n", "freePercent = 1\r\n" };
        g_autoptr (GError) error = NULL;
        g_autoptr (GString) text = g_string_new (NULL);
        g_autofree char *line = NULL;
        guint number = 1;

        for (guint k = 0; k < n; k++)
          g_string_append (text, before[k]);
        g_string_append (text, texts[i].text);
        for (const char *p = text->str; *p != '\0'; p++)
          number += *p == '\n';
        line = g_strdup_printf ("Line %u of the budgets%s", number, texts[i].why);
        g_assert_null (tsr_check_budgets (report, text->str, NULL, &error));
        g_assert_nonnull (error);
        if (strstr (error->message, line) == NULL)
          g_error ("%s: %s", line, error->message);
        if (strstr (error->message, "there are ") != NULL)
          check_names (report, strstr (error->message, "there are ") + strlen ("there are "));
      }
  tsr_test_folder_free (folder);
}

/* Each read fails in turn while allocations are added up: the error is told, or nothing is. */
static void
test_budget_unread (void)
{
  char *folder = tsr_test_report_new ("tiny");
  g_autoptr (TsrPlace) place = tsr_test_failing_place_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree TsrBudget *whole = NULL;
  guint n_failed = 0;
  gboolean again = TRUE;

  tsr_test_sql (folder, "profile.pop", "ALTER TABLE memory_by_tile DROP COLUMN always_live");
  report = tsr_report_open_sync (place, folder, TSR_LOAD_UP_TO_MEMORY, NULL, &error);
  g_assert_no_error (error);
  whole = measure (report, "peakLiveBytes = 1");
  g_assert_cmpint (whole->exact, ==,
                   tsr_test_query (folder, "profile.pop",
                                   "SELECT (SELECT sum (size_bytes) FROM vars_info WHERE"
                                   " always_live = 1) + max (not_always_live_bytes)"
                                   " FROM liveness_steps"));
  for (int n = 0; again; n++)
    {
      g_autoptr (GError) failed = NULL;
      g_autoptr (GPtrArray) budgets = NULL;

      tsr_test_fail_read (n);
      budgets = tsr_check_budgets (report, "peakLiveBytes = 1", NULL, &failed);
      again = tsr_test_has_read_failed ();
      tsr_test_fail_read (G_MAXINT);
      g_assert_true ((budgets == NULL) == (failed != NULL));
      n_failed += budgets == NULL;
      if (budgets != NULL)
        {
          const TsrBudget *budget = budgets->pdata[0];

          g_assert_true (budget->exact == whole->exact || (again && budget->exact == TSR_UNKNOWN));
        }
    }
  g_assert_cmpuint (n_failed, >, 0);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/check/budget/values", test_budget_values);
  g_test_add_func ("/check/budget/execution", test_budget_execution);
  g_test_add_func ("/check/budget/unknown", test_budget_unknown);
  g_test_add_func ("/check/budget/unread", test_budget_unread);
  g_test_add_func ("/check/budget/words", test_budget_words);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli trace against rows that plain SQL gives and loops over them. */

#include "config.h"

#include "cli-slices.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
test_trace (gconstpointer preset)
{
  char *folder = cli_report_new (preset);
  g_autofree char *before = tsr_test_fingerprint (folder);
  g_autofree char *after = NULL;
  g_auto (CliRun) run = { 0 };
  g_autofree char *keys = NULL;
  g_autofree char *ipu_keys = NULL;
  g_autofree char *run_keys = NULL;
  g_autoptr (GPtrArray) slices = cli_slices_read (folder);
  JsonArray *runs;

  cli_run_json (&run, "trace", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (run.err, ==, "");
  keys = cli_keys (run.json, NULL);
  g_assert_cmpstr (keys, ==, "totalCycles ipus runs");
  cli_check_number (folder, run.json, "totalCycles",
                    "SELECT max(cycles_base + active_cycles_to_max) "
                    "- min(cycles_base + active_cycles_from_max) FROM steps_by_ipu");
  cli_slices_check (slices, run.json, -1, G_MININT64 / 2, G_MAXINT64 / 2, NULL);
  ipu_keys = cli_keys (
      json_array_get_element (json_node_get_array (cli_member (run.json, "ipus")), 0), NULL);
  g_assert_cmpstr (
      ipu_keys, ==,
      "ipu replica cyclesByType countedCycles excludedCyclesByType tileUtilisation tileBalance "
      "streamCopyRx streamCopyTx globalExchangeRx globalExchangeTx");
  runs = json_node_get_array (cli_member (run.json, "runs"));
  g_assert_cmpint (json_array_get_length (runs), ==,
                   tsr_test_ask (folder, "SELECT count(*) FROM runs"));
  run_keys = cli_keys (json_array_get_element (runs, 0), NULL);
  g_assert_cmpstr (run_keys, ==, "id name firstStep endStep start end microseconds");
  for (guint i = 0; i < json_array_get_length (runs); i++)
    {
      JsonNode *node = json_array_get_element (runs, i);
      gint64 id = cli_int (node, "id");

      g_assert_cmpint (
          cli_int (node, "firstStep"), ==,
          tsr_test_ask (folder, "SELECT first_step FROM runs WHERE id = %" PRId64, id));
      g_assert_cmpint (cli_int (node, "endStep"), ==,
                       tsr_test_ask (folder, "SELECT end_step FROM runs WHERE id = %" PRId64, id));
      g_assert_cmpint (
          cli_int (node, "start"), ==,
          tsr_test_ask (folder,
                        "SELECT min(cycles_base + active_cycles_from_max) FROM steps_by_ipu "
                        "JOIN steps ON id = step_id WHERE run = %" PRId64,
                        id));
    }
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  tsr_test_folder_free (folder);
}

/* Ranges that begin and end inside of steps. */
static void
test_ranges (void)
{
  char *folder = cli_report_new ("demo");
  g_autoptr (GPtrArray) slices = cli_slices_read (folder);
  gint64 end
      = tsr_test_ask (folder, "SELECT max(cycles_base + active_cycles_to_max) FROM steps_by_ipu");

  for (guint i = 0; i < 12; i++)
    {
      gint64 from = (gint64)(g_test_rand_double () * (double)end);
      gint64 to = from + 1 + (gint64)(g_test_rand_double () * (double)(end - from));
      g_autofree char *from_word = g_strdup_printf ("--from=%" PRId64, from);
      g_autofree char *to_word = g_strdup_printf ("--to=%" PRId64, to);
      g_auto (CliRun) run = { 0 };

      cli_run_json (&run, "trace", from_word, to_word, "--exclude=Sync", folder, NULL);
      g_assert_cmpint (run.status, ==, 0);
      cli_slices_check (slices, run.json, -1, from, to, "Sync");
    }
  tsr_test_folder_free (folder);
}

static void
test_run_and_ipu (void)
{
  char *folder = cli_report_new ("demo");
  g_autoptr (GPtrArray) slices = cli_slices_read (folder);
  gint64 from
      = tsr_test_ask (folder, "SELECT min(cycles_base + active_cycles_from_max) FROM steps_by_ipu "
                              "JOIN steps ON id = step_id WHERE run = 1");
  gint64 to
      = tsr_test_ask (folder, "SELECT max(cycles_base + active_cycles_to_max) FROM steps_by_ipu "
                              "JOIN steps ON id = step_id WHERE run = 1");
  g_auto (CliRun) run = { 0 };
  JsonArray *ipus;

  cli_run_json (&run, "trace", "--run=1", "--ipu=1", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  ipus = json_node_get_array (cli_member (run.json, "ipus"));
  g_assert_cmpuint (json_array_get_length (ipus), ==, 1);
  g_assert_cmpint (cli_int (json_array_get_element (ipus, 0), "ipu"), ==, 1);
  cli_slices_check (slices, run.json, 1, from, to, NULL);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (cli_member (run.json, "runs"))), ==,
                    1);
  tsr_test_folder_free (folder);
}

/* Figures of a run are those of its steps, also where other runs overlap it: IPU 1 lags half a run
 * behind, and on IPU 0 the last run begins before the second one has ended. */
static void
test_runs_that_overlap (void)
{
  char *folder = cli_report_new ("demo");
  gint64 length
      = tsr_test_ask (folder, "SELECT max(cycles_base + active_cycles_to_max) - min(cycles_base + "
                              "active_cycles_from_max) FROM steps_by_ipu JOIN steps ON id = "
                              "step_id WHERE run = 1 AND ipu = 0");
  g_autofree char *sql = g_strdup_printf (
      "UPDATE steps_by_ipu SET cycles_base = cycles_base + %" PRId64 " WHERE ipu = 1;"
      "UPDATE steps_by_ipu SET cycles_base = cycles_base - %" PRId64 " WHERE ipu = 0 AND step_id "
      "IN (SELECT id FROM steps WHERE run = 2);",
      length / 2, length / 3);
  g_autoptr (GPtrArray) slices = NULL;

  tsr_test_sql (folder, "profile.pop", sql);
  slices = cli_slices_read (folder);
  for (gint64 number = 0; number < 3; number++)
    {
      g_autofree char *word = g_strdup_printf ("--run=%" PRId64, number);
      g_autofree char *span = g_strdup_printf (
          "SELECT max(cycles_base + active_cycles_to_max) - min(cycles_base + "
          "active_cycles_from_max) FROM steps_by_ipu JOIN steps ON id = step_id WHERE run = "
          "%" PRId64,
          number);
      g_auto (CliRun) whole = { 0 };
      g_auto (CliRun) part = { 0 };

      cli_run_json (&whole, "trace", word, folder, NULL);
      cli_slices_check (slices, whole.json, number, G_MININT64 / 2, G_MAXINT64 / 2, NULL);
      cli_check_number (folder, whole.json, "totalCycles", span);
      cli_run_json (&part, "trace", word, "--from=250000", "--to=280000", folder, NULL);
      cli_slices_check (slices, part.json, number, 250000, 280000, NULL);
    }
  tsr_test_folder_free (folder);
}

/* A number of "budgets" in check. */
static double
get_budget (JsonNode *root, const char *name)
{
  JsonArray *budgets = json_node_get_array (cli_member (root, "budgets"));

  for (guint i = 0; i < json_array_get_length (budgets); i++)
    {
      JsonNode *budget = json_array_get_element (budgets, i);

      if (g_str_equal (json_node_get_string (cli_member (budget, "name")), name))
        return json_node_get_double (cli_member (budget, "value"));
    }
  g_error ("there is no budget %s", name);
}

/* Budgets scan the steps by themselves: their figures are the trace's. */
static void
test_budgets (gconstpointer preset)
{
  char *folder = cli_report_new (preset);
  char *beside = tsr_test_folder_new ();
  g_autofree char *file = g_build_filename (beside, "budget.txt", NULL);
  g_autofree char *option = g_strconcat ("--budget=", file, NULL);
  g_auto (CliRun) trace = { 0 };
  g_auto (CliRun) check = { 0 };
  double busy = 0, counted = 0;
  JsonArray *ipus;

  g_assert_true (g_file_set_contents (
      file, "totalCycles = 1\ntileUtilisation = 0.1\ntileBalance = 0.1\n", -1, NULL));
  cli_run_json (&trace, "trace", folder, NULL);
  cli_run_json (&check, "check", option, folder, NULL);
  g_assert_cmpfloat (get_budget (check.json, "totalCycles"), ==,
                     (double)cli_int (trace.json, "totalCycles"));
  ipus = json_node_get_array (cli_member (trace.json, "ipus"));
  for (guint i = 0; i < json_array_get_length (ipus); i++)
    {
      JsonNode *ipu = json_array_get_element (ipus, i);

      busy += (double)(cli_slices_get_cycles (ipu, "cyclesByType", "OnTileExecute")
                       + cli_slices_get_cycles (ipu, "cyclesByType", "DoExchange")
                       + cli_slices_get_cycles (ipu, "cyclesByType", "GlobalExchange")
                       + cli_slices_get_cycles (ipu, "cyclesByType", "StreamCopyMid"));
      counted += (double)cli_int (ipu, "countedCycles");
    }
  g_assert_cmpfloat_with_epsilon (get_budget (check.json, "tileUtilisation"), busy / counted, 1e-9);
  tsr_test_folder_free (folder);
  tsr_test_folder_free (beside);
}

/* Runs are told by their numbers in the file, not by their places, in every command. */
static void
test_run_numbers (void)
{
  static const char *const calls[][3] = { { "trace", "--ipu=0" },
                                          { "export", "--as=perfetto", "--output=" },
                                          { "render", "--view=trace", "--output=" } };
  char *folder = cli_report_new ("demo");
  char *target = tsr_test_folder_new ();

  tsr_test_sql (folder, "profile.pop",
                "UPDATE runs SET id = id + 10; UPDATE steps SET run = run + 10;"
                "UPDATE run_cycles_by_ipu SET run = run + 10; UPDATE blocks SET run = run + 10;");
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autofree char *output = g_strdup_printf ("--output=%s/out%u.png", target, i);
      const char *last = calls[i][2] != NULL ? output : calls[i][1];
      g_auto (CliRun) there = { 0 };
      g_auto (CliRun) missing = { 0 };

      cli_run (&there, calls[i][0], calls[i][1], last, "--run=12", folder, NULL);
      g_assert_cmpstr (there.err, ==, "");
      g_assert_cmpint (there.status, ==, 0);
      cli_run (&missing, calls[i][0], calls[i][1], last, "--run=2", folder, NULL);
      g_assert_cmpint (missing.status, ==, 2);
      g_assert_nonnull (strstr (missing.err, "no run 2"));
    }
  tsr_test_folder_free (folder);
  tsr_test_folder_free (target);
}

/* ------------------------------------------------------------------- steps */

#define STEPS_SQL                                                                                  \
  "SELECT b.step_id, b.ipu, s.type, coalesce(c.name, p.name, ''), b.cycles_base + "                \
  "b.active_cycles_from_max, "                                                                     \
  "b.cycles_base + b.active_cycles_to_max, b.active_cycles_from_max - b.active_cycles_from_min, "  \
  "b.cycles, "                                                                                     \
  "b.active_tiles, b.data_in, b.data_out FROM steps_by_ipu b JOIN steps s ON s.id = b.step_id "    \
  "LEFT JOIN compute_sets c ON c.compute_set = s.compute_set LEFT JOIN programs p ON p.id = "      \
  "s.program "

static void
check_steps (const char *folder, JsonNode *json, const char *where)
{
  static const char *const keys[] = { "step",   "ipu",    "type",        "name",   "start",  "end",
                                      "leadIn", "cycles", "activeTiles", "dataIn", "dataOut" };
  g_autofree char *sql = g_strconcat (STEPS_SQL, where, " ORDER BY 1, 2", NULL);
  g_autoptr (GPtrArray) rows = tsr_test_query_rows (folder, "profile.pop", sql);
  JsonArray *array = json_node_get_array (json);

  g_assert_cmpuint (rows->len, >, 0);
  g_assert_cmpuint (json_array_get_length (array), ==, rows->len);
  for (guint i = 0; i < rows->len; i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      char **row = rows->pdata[i];

      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        if (k == 2 || k == 3)
          g_assert_cmpstr (json_node_get_string (cli_member (node, keys[k])), ==, row[k]);
        else
          g_assert_cmpint (cli_int (node, keys[k]), ==, cli_slices_parse (row[k]));
    }
}

static void
test_steps (gconstpointer preset)
{
  char *folder = cli_report_new (preset);
  g_auto (CliRun) all = { 0 };
  g_auto (CliRun) some = { 0 };
  g_auto (CliRun) csv = { 0 };
  g_auto (CliRun) few = { 0 };
  g_auto (CliRun) text = { 0 };
  g_autoptr (GPtrArray) lines = NULL;
  g_autofree char *count = NULL, *more = NULL;
  gint64 n;

  cli_run_json (&all, "trace", "--steps", folder, NULL);
  g_assert_cmpint (all.status, ==, 0);
  check_steps (folder, all.json, "");
  cli_run_json (&some, "trace", "--steps", "--run=1", "--ipu=0", "--exclude=Sync,StreamCopyEnd",
                folder, NULL);
  check_steps (folder, some.json,
               "WHERE s.run = 1 AND b.ipu = 0 AND s.type NOT IN ('Sync', 'StreamCopyEnd')");
  cli_run (&csv, "trace", "--steps", "--format=csv", folder, NULL);
  lines = cli_parse_csv (csv.out);
  g_assert_cmpint (lines->len, ==, 1 + tsr_test_ask (folder, "SELECT count(*) FROM steps_by_ipu"));
  g_assert_cmpstr (((char **)lines->pdata[0])[0], ==, "step");
  cli_run_json (&few, "trace", "--steps", "--limit=3", "--run=1", "--ipu=0", folder, NULL);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (few.json)), ==, 3);
  cli_run (&text, "trace", "--steps", "--limit=3", "--run=1", "--ipu=0", folder, NULL);
  n = tsr_test_ask (folder, "SELECT count(*) FROM steps s JOIN steps_by_ipu b ON b.step_id = s.id "
                            "WHERE s.run = 1 AND b.ipu = 0");
  count = n >= 1003 ? g_strdup_printf ("%d,%03d", (int)(n - 3) / 1000, (int)(n - 3) % 1000)
                    : g_strdup_printf ("%d", (int)n - 3);
  more = g_strdup_printf ("\n%s more rows are not listed\n", count);
  g_assert_cmpint (n, >, 4);
  g_assert_true (g_str_has_suffix (text.out, more));
  /* An array has no member that could say so. */
  g_assert_cmpstr (few.err, ==, more + 1);
  tsr_test_folder_free (folder);
}

/* Places on a terminal, sign by sign. */
static gint64
count_places (const char *from, const char *to)
{
  gint64 n = 0;

  for (const char *p = from; p < to; p = g_utf8_next_char (p))
    n += g_unichar_iszerowidth (g_utf8_get_char (p)) ? 0
         : g_unichar_iswide (g_utf8_get_char (p))    ? 2
                                                     : 1;
  return n;
}

/* What people read has no control characters and none that turn the direction of what follows, and
 * columns stay below each other whatever signs are in them; programs get what the file says. */
static void
test_odd_names (void)
{
  /* NAME, an escape, a line feed, to the left, a new line of its own kind, a wide sign, a combining
   * accent, a tilde and what comes after it (which no terminal shows). */
  static const char name[] = "NAME/a\033b\nc\u202ed\u2028e\u6f22f\u0301g~\177h";
  static const char shown[] = "NAME/a b c d e\u6f22f\u0301g~ h";
  char *folder = cli_report_new ("tiny");
  g_autofree char *sql = g_strdup_printf (
      "UPDATE compute_sets SET name = '%s'; UPDATE programs "
      "SET name = '%s'; UPDATE steps SET type ="
      " 'Wide \u6f22\u5b57\u0301' WHERE type = 'Sync'; UPDATE steps SET program = 1",
      name, name);
  g_auto (CliRun) text = { 0 };
  g_auto (CliRun) csv = { 0 };
  g_autoptr (GPtrArray) lines = NULL;
  g_auto (GStrv) rows = NULL;
  gint64 places = 0;
  guint n = 0, n_wide = 0, column = 0;

  tsr_test_sql (folder, "profile.pop", sql);
  cli_run (&text, "trace", "--steps", folder, NULL);
  rows = g_strsplit (text.out, "\n", -1);
  for (guint i = 1; rows[i] != NULL && *rows[i] != '\0'; i++)
    {
      const char *at = strstr (rows[i], "NAME");

      g_assert_nonnull (at);
      g_assert_cmpstr (at, ==, shown);
      places = i == 1 ? count_places (rows[i], at) : places;
      g_assert_cmpint (count_places (rows[i], at), ==, places);
      n_wide += strstr (rows[i], "\u6f22\u5b57") != NULL;
      n++;
    }
  g_assert_cmpuint (n, >, 10);
  g_assert_cmpuint (n_wide, >, 0);
  cli_run (&csv, "trace", "--steps", "--format=csv", folder, NULL);
  lines = cli_parse_csv (csv.out);
  g_assert_cmpuint (lines->len, ==, n + 1);
  while (!g_str_equal (((GStrv)g_ptr_array_index (lines, 0))[column], "name"))
    column++;
  for (guint i = 1; i < lines->len; i++)
    g_assert_cmpstr (((GStrv)g_ptr_array_index (lines, i))[column], ==, name);
  tsr_test_folder_free (folder);
}

/* Only what the schema marks as confirmed: starts are the first tile's, lead-ins are not told. */
static void
test_confirmed (void)
{
  char *full = cli_report_new ("demo");
  char *folder = cli_confirmed_new (full);
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) steps = { 0 };
  JsonArray *array;

  cli_run_json (&run, "trace", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (cli_member (run.json, "ipus"))), ==,
                    2);
  cli_run_json (&steps, "trace", "--steps", folder, NULL);
  array = json_node_get_array (steps.json);
  g_assert_cmpint (json_array_get_length (array), ==,
                   tsr_test_ask (folder, "SELECT count(*) FROM steps_by_ipu"));
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      g_assert_true (json_node_is_null (cli_member (node, "leadIn")));
      g_assert_true (json_node_is_null (cli_member (node, "tileBalance")));
      g_assert_cmpint (cli_int (node, "start"), <=, cli_int (node, "end"));
    }
  tsr_test_folder_free (folder);
  tsr_test_folder_free (full);
}

/* Steps whose times cannot be are no steps of 0 cycles: what follows from them is null. */
static void
test_no_times (void)
{
  static const char *const damage[] = {
    "UPDATE steps_by_ipu SET cycles_base = cycles_base + 9223372036853000000",
    "DELETE FROM steps_by_ipu",
  };

  for (guint i = 0; i < G_N_ELEMENTS (damage); i++)
    {
      char *folder = cli_report_new ("tiny");
      g_auto (CliRun) run = { 0 };
      g_auto (CliRun) text = { 0 };
      JsonArray *ipus, *runs;

      tsr_test_sql (folder, "profile.pop", damage[i]);
      cli_run_json (&run, "trace", folder, NULL);
      g_assert_cmpint (run.status, <=, 1);
      g_assert_true (json_node_is_null (cli_member (run.json, "totalCycles")));
      ipus = cli_array (run.json, "ipus");
      for (guint k = 0; k < json_array_get_length (ipus); k++)
        {
          static const char *const keys[]
              = { "countedCycles", "tileUtilisation",  "streamCopyRx",
                  "streamCopyTx",  "globalExchangeRx", "globalExchangeTx" };

          for (guint n = 0; n < G_N_ELEMENTS (keys); n++)
            g_assert_true (
                json_node_is_null (cli_member (json_array_get_element (ipus, k), keys[n])));
        }
      runs = cli_array (run.json, "runs");
      g_assert_cmpuint (json_array_get_length (runs), >, 0);
      for (guint k = 0; k < json_array_get_length (runs); k++)
        {
          g_assert_true (
              json_node_is_null (cli_member (json_array_get_element (runs, k), "start")));
          g_assert_true (json_node_is_null (cli_member (json_array_get_element (runs, k), "end")));
        }
      cli_run (&text, "trace", folder, NULL);
      g_assert_null (strstr (text.out, " 0 cycles"));
      tsr_test_folder_free (folder);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *word, *said;
  } calls[] = {
    { "--ipu=2", "no IPU 2" },
    { "--run=9", "no run 9" },
    { "--exclude=Nonsense", "OnTileExecute" },
    { "--from=x", "whole number" },
    { "--ipu=-1", "whole number" },
    { "--to=1e9", "whole number" },
  };
  char *folder = cli_report_new ("demo");
  char *without = cli_report_new ("oom");
  g_auto (CliRun) run = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_auto (CliRun) refused = { 0 };

      cli_run (&refused, "trace", calls[i].word, folder, NULL);
      g_assert_cmpint (refused.status, ==, 2);
      g_assert_nonnull (strstr (refused.err, calls[i].said));
      g_assert_cmpstr (refused.out, ==, "");
    }
  cli_run (&run, "trace", without, NULL);
  g_assert_cmpint (run.status, ==, 2);
  g_assert_nonnull (strstr (run.err, "autoReport.outputExecutionProfile"));
  tsr_test_folder_free (folder);
  tsr_test_folder_free (without);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/trace/tiny", "tiny", test_trace);
  g_test_add_data_func ("/trace/demo", "demo", test_trace);
  g_test_add_func ("/trace/odd-names", test_odd_names);
  g_test_add_func ("/trace/ranges", test_ranges);
  g_test_add_func ("/trace/run-and-ipu", test_run_and_ipu);
  g_test_add_func ("/trace/runs-that-overlap", test_runs_that_overlap);
  g_test_add_func ("/trace/run-numbers", test_run_numbers);
  g_test_add_data_func ("/trace/budgets/tiny", "tiny", test_budgets);
  g_test_add_data_func ("/trace/budgets/demo", "demo", test_budgets);
  g_test_add_data_func ("/trace/steps/tiny", "tiny", test_steps);
  g_test_add_data_func ("/trace/steps/demo", "demo", test_steps);
  g_test_add_func ("/trace/confirmed", test_confirmed);
  g_test_add_func ("/trace/no-times", test_no_times);
  g_test_add_func ("/trace/refused", test_refused);
  return g_test_run ();
}

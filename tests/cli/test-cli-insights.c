/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli insights: the shape of what it prints, and its head against plain SQL.  The findings'
 * numbers are compared in tests/analysis/test-insights.c. */

#include "config.h"

#include "cli-test.h"

#include <string.h>

#define NEED "max (overflowed, including_gaps - (SELECT bytes_per_tile FROM target), 0)"

static void
check_histogram (const char *folder, JsonNode *root)
{
  JsonArray *bins = cli_array (root, "histogram");
  gint64 capacity = tsr_test_ask (folder, "SELECT bytes_per_tile FROM target");
  gint64 tiles = 0;

  g_assert_cmpuint (json_array_get_length (bins), ==, 25);
  for (guint i = 0; i < 25; i++)
    {
      JsonNode *bin = json_array_get_element (bins, i);

      cli_check_keys (bin, NULL, "from to tiles");
      g_assert_cmpint (cli_int (bin, "from"), ==, i * capacity / 24);
      g_assert_cmpint (cli_int (bin, "to"), ==, i < 24 ? (i + 1) * capacity / 24 : G_MININT64);
      tiles += cli_int (bin, "tiles");
    }
  g_assert_cmpint (tiles, ==, tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile"));
  g_assert_cmpint (cli_int (json_array_get_element (bins, 24), "tiles"), ==,
                   tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile WHERE " NEED " > 0"));
}

static void
check_top (const char *folder, JsonNode *root)
{
  JsonArray *top = cli_array (root, "topTiles");

  g_assert_cmpuint (json_array_get_length (top), ==, 5);
  for (guint i = 0; i < 5; i++)
    {
      JsonNode *tile = json_array_get_element (top, i);

      cli_check_keys (tile, NULL, "tile ipu includingGaps excludingGaps");
      g_assert_cmpint (
          cli_int (tile, "tile"), ==,
          tsr_test_ask (folder,
                        "SELECT tile FROM memory_by_tile ORDER BY including_gaps DESC, tile "
                        "LIMIT 1 OFFSET %u",
                        i));
      g_assert_cmpint (cli_int (tile, "ipu"), ==,
                       cli_int (tile, "tile")
                           / tsr_test_ask (folder, "SELECT tiles_per_ipu FROM target"));
      g_assert_cmpint (cli_int (tile, "excludingGaps"), ==,
                       tsr_test_ask (folder,
                                     "SELECT excluding_gaps FROM memory_by_tile WHERE tile = %d",
                                     (int)cli_int (tile, "tile")));
    }
}

static void
check_findings (JsonNode *root)
{
  JsonArray *findings = cli_array (root, "findings");
  JsonArray *fine = cli_array (root, "fine");
  JsonArray *not_checked = cli_array (root, "notChecked");

  g_assert_cmpuint (json_array_get_length (findings) + json_array_get_length (fine)
                        + json_array_get_length (not_checked),
                    ==, 22);
  for (guint i = 0; i < json_array_get_length (findings); i++)
    {
      JsonNode *finding = json_array_get_element (findings, i);
      JsonArray *evidence = cli_array (finding, "evidence");

      cli_check_keys (finding, NULL,
                      "rule severity title text action bytes bytesWorstTile cycles scope "
                      "evidence where confidence");
      cli_check_keys (cli_member (finding, "where"), NULL,
                      "view tiles step names breakdown tab run ipu layer operation");
      /* A finding is about memory or about the execution. */
      if (g_str_equal (json_node_get_string (cli_member (finding, "where.view")), "executionTrace"))
        g_assert_cmpint (cli_int (finding, "bytes"), ==, G_MININT64);
      else
        g_assert_cmpint (cli_int (finding, "cycles"), ==, G_MININT64);
      for (guint e = 0; e < json_array_get_length (evidence); e++)
        cli_check_keys (json_array_get_element (evidence, e), NULL, "name bytes cycles share");
    }
  for (guint i = 0; i < json_array_get_length (fine); i++)
    cli_check_keys (json_array_get_element (fine, i), NULL, "rule title text");
}

static void
test_json (gconstpointer preset)
{
  char *folder = cli_report_new (preset);
  g_autofree char *before = tsr_test_fingerprint (folder);
  g_autofree char *after = NULL;
  gint64 needing = tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile WHERE " NEED " > 0");
  gint64 excluding = tsr_test_ask (folder, "SELECT sum(excluding_gaps) FROM memory_by_tile");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) again = { 0 };

  cli_run_json (&run, "insights", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  cli_check_keys (run.json, NULL,
                  "status includingGaps excludingGaps memoryPerReplica percent topTiles "
                  "histogram findings fine notChecked");
  g_assert_cmpstr (json_node_get_string (cli_member (run.json, "status")), ==,
                   needing > 0 ? "out-of-memory" : "fits");
  g_assert_cmpint (cli_int (run.json, "includingGaps"), ==,
                   tsr_test_ask (folder, "SELECT sum(including_gaps) FROM memory_by_tile"));
  g_assert_cmpint (cli_int (run.json, "excludingGaps"), ==, excluding);
  g_assert_cmpfloat_with_epsilon (
      json_node_get_double (cli_member (run.json, "percent")),
      100.0 * (double)excluding / (double)cli_int (run.json, "memoryPerReplica"), 1e-9);
  check_top (folder, run.json);
  check_histogram (folder, run.json);
  check_findings (run.json);
  /* The same once more, byte by byte. */
  cli_run_json (&again, "insights", folder, NULL);
  g_assert_cmpstr (run.out, ==, again.out);
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  tsr_test_folder_free (folder);
}

static void
test_limit (void)
{
  char *folder = cli_report_new ("demo");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) all = { 0 };

  cli_run_json (&run, "insights", "--limit=2", folder, NULL);
  g_assert_cmpuint (json_array_get_length (cli_array (run.json, "findings")), ==, 2);
  g_assert_true (json_node_get_boolean (cli_member (run.json, "truncated")));
  cli_run_json (&all, "insights", "--limit=13", folder, NULL);
  g_assert_null (cli_member (all.json, "truncated"));
  tsr_test_folder_free (folder);
}

static void
test_text (void)
{
  char *folder = cli_report_new ("oom");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) bytes = { 0 };
  g_auto (CliRun) csv = { 0 };
  g_autoptr (GPtrArray) lines = NULL;
  g_autofree char *head = NULL;

  cli_run (&run, "insights", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_str_has_prefix (run.out, "Does not fit: "));
  g_assert_nonnull (strstr (run.out, "KiB"));
  g_assert_nonnull (strstr (run.out, "\nNot checked\n"));
  g_assert_nonnull (strstr (run.out, "autoReport.outputExecutionProfile"));
  cli_run (&bytes, "insights", "--units=bytes", folder, NULL);
  g_assert_null (strstr (bytes.out, "KiB"));
  cli_run (&csv, "insights", "--format=csv", folder, NULL);
  lines = cli_parse_csv (csv.out);
  head = g_strjoinv (" ", g_ptr_array_index (lines, 0));
  g_assert_cmpstr (head, ==,
                   "rule severity title text action bytes bytesWorstTile cycles scope confidence");
  g_assert_cmpstr (((char **)g_ptr_array_index (lines, 1))[0], ==, "out-of-memory");
  tsr_test_folder_free (folder);
}

/* Only what Poplar's own files are known to have: nothing is said of a fit that is not known. */
static void
test_confirmed (void)
{
  char *full = cli_report_new ("tiny");
  char *folder = cli_confirmed_new (full);
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) text = { 0 };

  cli_run_json (&run, "insights", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (json_node_is_null (cli_member (run.json, "status")));
  g_assert_cmpint (cli_int (run.json, "includingGaps"), ==, G_MININT64);
  check_findings (run.json);
  cli_run (&text, "insights", folder, NULL);
  g_assert_nonnull (strstr (text.out, "not known"));
  tsr_test_folder_free (folder);
  tsr_test_folder_free (full);
}

/* Without a profile there is archive.a's total of each tile, and without that nothing. */
static void
test_parts (void)
{
  char *full = cli_report_new ("tiny");
  char *archive = cli_part_new (full, "archive.a");
  char *debug = cli_part_new (full, "debug.cbor");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) none = { 0 };
  g_auto (CliRun) text = { 0 };

  cli_run_json (&run, "insights", archive, NULL);
  g_assert_true (json_node_is_null (cli_member (run.json, "status")));
  check_findings (run.json);
  g_assert_cmpuint (json_array_get_length (cli_array (run.json, "notChecked")), ==, 22);
  /* Nothing was looked at: that is no good news. */
  cli_run (&text, "insights", archive, NULL);
  g_assert_nonnull (strstr (text.out, "No rule could be checked"));
  g_assert_null (strstr (text.out, "Nothing found"));
  cli_run (&none, "insights", debug, NULL);
  g_assert_cmpint (none.status, ==, 2);
  tsr_test_folder_free (debug);
  tsr_test_folder_free (archive);
  tsr_test_folder_free (full);
}

/* --------------------------------------------------------------------- plan */

#define FORECAST "set verdict atBest packed nextPeak cycles unknownCycles"

static void
check_forecast (JsonNode *forecast)
{
  cli_check_keys (cli_member (forecast, "atBest"), NULL, "tiles worstTile bytesWorstTile bytes");
  cli_check_keys (cli_member (forecast, "packed"), NULL, "tiles worstTile bytesWorstTile bytes");
  cli_check_keys (cli_member (forecast, "nextPeak"), NULL, "tile step program");
}

static void
test_plan (void)
{
  char *folder = cli_report_new ("oom");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) text = { 0 };
  g_auto (CliRun) csv = { 0 };
  g_autoptr (GPtrArray) lines = NULL;
  JsonArray *measures;

  cli_run_json (&run, "insights", "--plan", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  cli_check_keys (run.json, NULL,
                  "status missing worstTile tilesOverflowing growth measures proposal");
  cli_check_keys (cli_member (run.json, "growth"), NULL, "atBest atBestTile packed packedTile");
  cli_check_keys (cli_member (run.json, "proposal"), NULL,
                  FORECAST " candidates greedy upperBounds text");
  check_forecast (cli_member (run.json, "proposal"));
  g_assert_cmpint (cli_int (run.json, "tilesOverflowing"), ==,
                   tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile WHERE " NEED " > 0"));
  measures = cli_array (run.json, "measures");
  for (guint i = 0; i < json_array_get_length (measures); i++)
    cli_check_keys (json_array_get_element (measures, i), NULL,
                    "id kind title text missing bytesWorstTile relief cycles option source");
  cli_run (&text, "insights", "--plan", folder, NULL);
  g_assert_true (g_str_has_prefix (text.out, "298 KiB too much on tile 706, 869 tiles overflow\n"));
  g_assert_nonnull (strstr (text.out, "\nProposal\n"));
  cli_run (&csv, "insights", "--plan", "--format=csv", folder, NULL);
  lines = cli_parse_csv (csv.out);
  g_assert_cmpuint (lines->len, ==, json_array_get_length (measures) + 1);
  tsr_test_folder_free (folder);
}

/* Two variables that lie on the worst tile all the time: what they have there is what they save. */
static void
test_forecast (void)
{
  static const char *const ids
      = "--plan=drop:model/embedding/lookup_table,drop:model/preprocess/table_0";
  char *folder = cli_report_new ("oom");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) text = { 0 };
  g_auto (CliRun) wrong = { 0 };
  gint64 saved = tsr_test_ask (
      folder, "SELECT sum(i.size_bytes) FROM vars_info i JOIN variables v ON v.id = i.variable"
              " WHERE i.tile = 706 AND v.name IN ('model/embedding/lookup_table',"
              " 'model/preprocess/table_0')");
  JsonArray *tiles;
  gboolean seen = FALSE;

  cli_run_json (&run, "insights", ids, folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  cli_check_keys (run.json, NULL,
                  "status missing worstTile tilesOverflowing growth " FORECAST " tiles");
  check_forecast (run.json);
  tiles = cli_array (run.json, "tiles");
  g_assert_cmpuint (json_array_get_length (tiles), ==,
                    tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile"));
  for (guint i = 0; i < json_array_get_length (tiles); i++)
    {
      JsonNode *tile = json_array_get_element (tiles, i);

      cli_check_keys (tile, NULL, "tile ipu before atBest packed liveNow live step program");
      if (cli_int (tile, "tile") != 706)
        continue;
      seen = TRUE;
      g_assert_cmpint (cli_int (tile, "liveNow") - cli_int (tile, "live"), ==, saved);
      g_assert_cmpint (
          cli_int (tile, "packed"), ==,
          tsr_test_ask (folder, "SELECT overflowed FROM memory_by_tile WHERE tile = 706") - saved);
    }
  g_assert_true (seen);
  cli_run (&text, "insights", ids, "--limit=3", folder, NULL);
  g_assert_nonnull (strstr (text.out, "\nDoes not fit\n"));
  /* In the order of the list. */
  g_assert_nonnull (strstr (text.out,
                            "\ntessera-cli insights --plan='drop:model/preprocess/table_0,"
                            "drop:model/embedding/lookup_table' "));
  cli_run (&wrong, "insights", "--plan=nonsense", folder, NULL);
  g_assert_cmpint (wrong.status, ==, 2);
  g_assert_nonnull (strstr (wrong.err, "nonsense"));
  tsr_test_sql (folder, "profile.pop", "DROP TABLE vars_info");
  cli_run (&wrong, "insights", "--plan", folder, NULL);
  g_assert_cmpint (wrong.status, ==, 2);
  g_assert_nonnull (strstr (wrong.err, "autoReport.outputLoweredVars"));
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cli/insights/json/tiny", "tiny", test_json);
  g_test_add_data_func ("/cli/insights/json/demo", "demo", test_json);
  g_test_add_data_func ("/cli/insights/json/oom", "oom", test_json);
  g_test_add_func ("/cli/insights/limit", test_limit);
  g_test_add_func ("/cli/insights/text", test_text);
  g_test_add_func ("/cli/insights/confirmed", test_confirmed);
  g_test_add_func ("/cli/insights/parts", test_parts);
  g_test_add_func ("/cli/insights/plan", test_plan);
  g_test_add_func ("/cli/insights/forecast", test_forecast);
  return g_test_run ();
}

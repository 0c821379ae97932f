/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli liveness, variables and vertices against plain SQL on the same file. */

#include "config.h"

#include "cli-test.h"

#include <inttypes.h>
#include <string.h>

/* ---------------------------------------------------------------- liveness */

static void
test_liveness (gconstpointer data)
{
  char *folder = cli_report_new (data);
  g_autofree char *before = tsr_test_fingerprint (folder);
  g_autofree char *after = NULL;
  g_auto (CliRun) run = { 0 };
  g_autofree char *keys = NULL;
  g_autofree char *step_keys = NULL;
  g_autoptr (GPtrArray) steps = tsr_test_ask_rows (
      folder, "SELECT step, program, not_always_live_bytes FROM liveness_steps ORDER BY step");
  gint64 always = tsr_test_ask (folder, "SELECT sum(always_live) FROM memory_by_tile");

  cli_run_json (&run, "liveness", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (run.err, ==, "");
  keys = cli_keys (run.json, NULL);
  g_assert_cmpstr (keys, ==, "source alwaysLive peakStep peakBytes steps");
  g_assert_cmpstr (json_node_get_string (cli_member (run.json, "source")), ==, "all");
  g_assert_cmpint (cli_int (run.json, "alwaysLive"), ==, always);
  g_assert_cmpint (cli_int (run.json, "peakStep"), ==,
                   tsr_test_ask (folder, "SELECT step FROM liveness_steps "
                                         "ORDER BY not_always_live_bytes DESC, step LIMIT 1"));
  g_assert_cmpint (
      cli_int (run.json, "peakBytes"), ==,
      always + tsr_test_ask (folder, "SELECT max(not_always_live_bytes) FROM liveness_steps"));
  cli_compare_rows (cli_array (run.json, "steps"), "step program notAlwaysLive", steps);
  step_keys = cli_keys (json_array_get_element (cli_array (run.json, "steps"), 0), NULL);
  g_assert_cmpstr (step_keys, ==, "step program notAlwaysLive");
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  tsr_test_folder_free (folder);
}

static void
check_source (const char *folder, const char *source, const char *where)
{
  g_autofree char *option = g_strconcat ("--source=", source, NULL);
  g_auto (CliRun) run = { 0 };
  g_autoptr (GPtrArray) steps = tsr_test_ask_rows (
      folder,
      "SELECT s.step, s.program, coalesce(sum(v.size_bytes), 0) FROM liveness_steps s "
      "LEFT JOIN equivalence_class_intervals i ON i.start_step <= s.step AND s.step < i.end_step "
      "LEFT JOIN vars_info v ON v.equivalence_class = i.equivalence_class AND v.always_live = 0 "
      "AND %s GROUP BY s.step ORDER BY s.step",
      where);

  cli_run_json (&run, "liveness", option, folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (json_node_get_string (cli_member (run.json, "source")), ==, source);
  g_assert_cmpint (
      cli_int (run.json, "alwaysLive"), ==,
      tsr_test_ask (folder,
                    "SELECT sum(size_bytes) FROM vars_info v WHERE always_live = 1 AND "
                    "%s",
                    where));
  cli_compare_rows (cli_array (run.json, "steps"), "step program notAlwaysLive", steps);
}

static void
test_sources (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) demo_run = { 0 };

  check_source (folder, "all", "1");
  check_source (folder, "tile1", "v.tile = 1");
  check_source (folder, "0-2", "v.tile BETWEEN 0 AND 2");
  check_source (folder, "ipu0", "v.tile < (SELECT tiles_per_ipu FROM target)");
  /* Only the rows of the tile are read: what says where they are may lie, or be missing. */
  tsr_test_sql (folder, "profile.pop",
                "UPDATE tile_vars SET first_var = first_var + 1 WHERE tile = 1;"
                "UPDATE tile_vars SET end_var = end_var + 1 WHERE tile = 2;"
                "DELETE FROM tile_vars WHERE tile = 3");
  check_source (folder, "tile1", "v.tile = 1");
  check_source (folder, "tile2", "v.tile = 2");
  check_source (folder, "tile3", "v.tile = 3");
  check_source (folder, "0-3", "v.tile BETWEEN 0 AND 3");
  tsr_test_sql (folder, "profile.pop",
                "UPDATE vars_info SET id = id + 100000 WHERE id = (SELECT first_var + 2 FROM "
                "tile_vars WHERE tile = 0)");
  check_source (folder, "tile0", "v.tile = 0");
  tsr_test_sql (folder, "profile.pop", "DROP TABLE tile_vars");
  check_source (folder, "tile1", "v.tile = 1");
  tsr_test_sql (folder, "profile.pop", "DROP TABLE liveness_by_ipu");
  check_source (folder, "ipu0", "v.tile < (SELECT tiles_per_ipu FROM target)");
  tsr_test_sql (folder, "profile.pop", "UPDATE liveness_steps SET not_always_live_bytes = NULL");
  check_source (folder, "all", "1");
  tsr_test_folder_free (folder);
}

static void
check_step (const char *folder, const char *source, const char *where, int step)
{
  g_autofree char *option = g_strconcat ("--source=", source, NULL);
  g_autofree char *step_option = g_strdup_printf ("--step=%d", step);
  g_auto (CliRun) run = { 0 };
  g_autofree char *keys = NULL;
  g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
      folder,
      "SELECT coalesce(x.name, substr(n.value, 1, instr(n.value || '#', '#') - 1)) AS which, "
      "sum(v.size_bytes) AS bytes FROM vars_info v LEFT JOIN variables x ON x.id = v.variable "
      "LEFT JOIN vars_string_table n ON n.id = v.name WHERE v.always_live = 0 AND %s AND "
      "v.equivalence_class IN (SELECT equivalence_class FROM equivalence_class_intervals "
      "WHERE start_step <= %d AND %d < end_step) GROUP BY which ORDER BY bytes DESC, which",
      where, step, step);
  gint64 sum = 0;

  cli_run_json (&run, "liveness", option, step_option, folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  keys = cli_keys (run.json, NULL);
  g_assert_cmpstr (keys, ==, "step program notAlwaysLive variables");
  cli_compare_rows (cli_array (run.json, "variables"), "name bytes", rows);
  for (guint i = 0; i < rows->len; i++)
    sum += g_ascii_strtoll (((GStrv)rows->pdata[i])[1], NULL, 10);
  g_assert_cmpint (cli_int (run.json, "notAlwaysLive"), ==, sum);
  g_assert_cmpint (
      cli_int (run.json, "program"), ==,
      tsr_test_ask (folder, "SELECT program FROM liveness_steps WHERE step = %d", step));
}

static void
test_step (void)
{
  char *folder = cli_report_new ("demo");

  check_step (folder, "all", "1", 96);
  check_step (folder, "ipu1", "v.tile >= 1472", 96);
  check_step (folder, "tile2000", "v.tile = 2000", 96);
  check_step (folder, "tile5", "v.tile = 5", 112);
  /* Without lifetimes of variables the allocations tell. */
  tsr_test_sql (folder, "profile.pop", "DROP TABLE variable_lifetimes");
  check_step (folder, "all", "1", 50);
  tsr_test_folder_free (folder);
}

/* One number, whoever prints it. */
static void
test_budget (gconstpointer data)
{
  char *folder = cli_report_new (data);
  g_autofree char *budget = g_build_filename (folder, "budget.txt", NULL);
  g_autofree char *option = g_strconcat ("--budget=", budget, NULL);
  g_auto (CliRun) check = { 0 };
  g_auto (CliRun) liveness = { 0 };
  g_auto (CliRun) hole = { 0 };
  g_auto (CliRun) csv = { 0 };
  g_autofree char *said = NULL;
  JsonNode *entry;

  tsr_test_write (folder, "budget.txt", "peakLiveBytes = 1\n", -1);
  cli_run_json (&check, "check", option, folder, NULL);
  cli_run_json (&liveness, "liveness", folder, NULL);
  entry = json_array_get_element (cli_array (check.json, "budgets"), 0);
  g_assert_cmpint (cli_int (entry, "value"), >, 0);
  g_assert_cmpint (cli_int (entry, "value"), ==, cli_int (liveness.json, "peakBytes"));
  g_assert_cmpint (check.status, ==, 1);

  /* A table of diagnostics does not tell why. */
  cli_run (&csv, "check", "--format=csv", option, folder, NULL);
  said = g_strdup_printf ("peakLiveBytes is exceeded: %" PRId64 ", limit 1\n",
                          cli_int (liveness.json, "peakBytes"));
  g_assert_cmpint (csv.status, ==, 1);
  g_assert_nonnull (strstr (csv.err, said));

  /* A step that has no row may be the peak. */
  tsr_test_sql (folder, "profile.pop", "DELETE FROM liveness_steps WHERE step = 3");
  cli_run_json (&hole, "check", option, folder, NULL);
  entry = json_array_get_element (cli_array (hole.json, "budgets"), 0);
  g_assert_cmpint (cli_int (entry, "value"), ==, G_MININT64);
  tsr_test_folder_free (folder);
}

/* There is no id after the largest to end a loop with. */
static void
test_largest_id (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) check = { 0 };
  g_auto (CliRun) liveness = { 0 };

  tsr_test_sql (folder, "profile.pop",
                "UPDATE variables SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM "
                "variables)");
  cli_run_json (&check, "check", folder, NULL);
  g_assert_cmpint (check.status, ==, 1);
  cli_run_json (&liveness, "liveness", folder, NULL);
  g_assert_cmpint (cli_int (liveness.json, "peakBytes"), ==,
                   tsr_test_ask (folder, "SELECT (SELECT sum(always_live) FROM memory_by_tile) + "
                                         "max(not_always_live_bytes) FROM liveness_steps"));
  tsr_test_folder_free (folder);
}

/* --------------------------------------------------------------- variables */

/* Lifetimes of an allocation as JSON text of our own making. */
static char *
dup_lifetimes (const char *folder, const char *always, const char *class_id)
{
  g_autoptr (GPtrArray) rows = NULL;
  GString *text = g_string_new (NULL);

  if (g_str_equal (always, "1"))
    {
      g_string_printf (text, "[[0,%d]]",
                       (int)tsr_test_ask (folder, "SELECT count(*) FROM liveness_steps"));
      return g_string_free (text, FALSE);
    }
  rows = tsr_test_ask_rows (folder,
                            "SELECT start_step, end_step FROM equivalence_class_intervals WHERE "
                            "equivalence_class = %s ORDER BY start_step",
                            class_id);
  g_string_append_c (text, '[');
  for (guint i = 0; i < rows->len; i++)
    g_string_append_printf (text, "%s[%s,%s]", i > 0 ? "," : "", ((GStrv)rows->pdata[i])[0],
                            ((GStrv)rows->pdata[i])[1]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

#define VARIABLES                                                                                  \
  "SELECT n.value, v.size_bytes, v.always_live, k.name, v.tile, v.offset, v.equivalence_class "    \
  "FROM vars_info v LEFT JOIN vars_string_table n ON n.id = v.name "                               \
  "LEFT JOIN var_categories k ON k.id = v.category "

static void
compare_variables (const char *folder, JsonNode *json, const char *where)
{
  g_autoptr (GPtrArray) rows
      = tsr_test_ask_rows (folder, VARIABLES "WHERE %s ORDER BY v.id", where);
  g_autoptr (GHashTable) lifetimes_of
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  JsonArray *array = json_node_get_array (json);

  cli_compare_rows (array, "name bytes alwaysLive category tile offset", rows);
  for (guint i = 0; i < rows->len; i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      g_autofree char *keys = cli_keys (node, NULL);
      g_autofree char *lifetimes = json_to_string (cli_member (node, "lifetimes"), FALSE);
      GStrv row = rows->pdata[i];
      char *class = g_str_equal (row[2], "1") ? (char *)"" : row[6];
      char *expected = g_hash_table_lookup (lifetimes_of, class);

      /* Asked once for each class, and for what is always live. */
      if (expected == NULL)
        {
          expected = dup_lifetimes (folder, row[2], class);
          g_hash_table_insert (lifetimes_of, class, expected);
        }
      g_assert_cmpstr (keys, ==, "name bytes alwaysLive category tile offset lifetimes");
      g_assert_cmpstr (lifetimes, ==, expected);
    }
}

static void
test_variables (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) all = { 0 };
  g_auto (CliRun) tile = { 0 };
  g_auto (CliRun) without = { 0 };
  g_auto (CliRun) found = { 0 };
  g_auto (CliRun) few = { 0 };
  g_auto (CliRun) csv = { 0 };
  g_autoptr (GPtrArray) lines = NULL;
  g_autofree char *head = NULL;

  cli_run_json (&all, "variables", folder, NULL);
  g_assert_cmpint (all.status, ==, 0);
  compare_variables (folder, all.json, "1");
  cli_run_json (&tile, "variables", "--tile=2", folder, NULL);
  compare_variables (folder, tile.json, "v.tile = 2");
  cli_run_json (&found, "variables", "--filter=partials", "--tile=1", folder, NULL);
  compare_variables (folder, found.json, "v.tile = 1 AND n.value LIKE '%partials%'");
  cli_run_json (&few, "variables", "--limit=3", folder, NULL);
  compare_variables (folder, few.json, "v.id IN (SELECT id FROM vars_info ORDER BY id LIMIT 3)");
  cli_run (&csv, "variables", "--format=csv", folder, NULL);
  lines = cli_parse_csv (csv.out);
  g_assert_cmpint (lines->len, ==, 1 + tsr_test_ask (folder, "SELECT count(*) FROM vars_info"));
  head = g_strjoinv (" ", lines->pdata[0]);
  g_assert_cmpstr (head, ==, "name bytes alwaysLive category tile offset lifetimes");
  tsr_test_sql (folder, "profile.pop", "DROP TABLE tile_vars");
  cli_run_json (&without, "variables", "--tile=2", folder, NULL);
  compare_variables (folder, without.json, "v.tile = 2");
  tsr_test_folder_free (folder);
}

/* More rows than a batch, and of a file whose order is not that of the tiles. */
static void
test_many_variables (void)
{
  char *folder = cli_report_new ("demo");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) text = { 0 };
  g_auto (CliRun) few = { 0 };
  g_auto (CliRun) rare = { 0 };
  g_autofree char *more = NULL;

  cli_run (&few, "variables", "--limit=2", "--tile=9", folder, NULL);
  more = g_strdup_printf (
      "\n%d more are not listed",
      (int)tsr_test_ask (folder, "SELECT count(*) - 2 FROM vars_info WHERE tile = 9"));
  g_assert_nonnull (strstr (few.out, more));
  tsr_test_sql (folder, "profile.pop",
                "UPDATE vars_info SET id = id + 1000000 WHERE id % 3 = 0 AND id < 30000;"
                "UPDATE vars_info SET id = id + 2000000 WHERE id = 5;");
  cli_run_json (&run, "variables", "--filter=partials -head", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  compare_variables (folder, run.json, "n.value LIKE '%partials%' AND n.value NOT LIKE '%head%'");
  cli_run (&text, "variables", "--limit=2", folder, NULL);
  /* Counted as far as it costs next to nothing. */
  g_assert_cmpint (tsr_test_ask (folder, "SELECT count(*) FROM vars_info"), >, 100002);
  g_assert_nonnull (strstr (text.out, "At least 100,000 more are not listed"));
  /* The two that are listed are the only ones near. */
  tsr_test_sql (folder, "profile.pop",
                "UPDATE vars_info SET name = (SELECT id FROM vars_string_table LIMIT 1);"
                "UPDATE vars_string_table SET value = 'nowhere/else' WHERE id = "
                "(SELECT id FROM vars_string_table LIMIT 1 OFFSET 1);"
                "UPDATE vars_info SET name = (SELECT id FROM vars_string_table LIMIT 1 OFFSET 1) "
                "WHERE id IN (SELECT id FROM vars_info ORDER BY id LIMIT 2);"
                "UPDATE vars_info SET name = (SELECT id FROM vars_string_table LIMIT 1 OFFSET 1) "
                "WHERE id = (SELECT max(id) FROM vars_info)");
  cli_run (&rare, "variables", "--limit=2", "--filter=nowhere", folder, NULL);
  g_assert_nonnull (strstr (rare.out, "There may be more"));
  tsr_test_folder_free (folder);
}

static void
test_unlowered (void)
{
  char *folder = cli_report_new ("demo");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) without = { 0 };
  g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
      folder, "SELECT x.name, x.size_bytes, x.always_live, k.name, NULL, NULL FROM variables x "
              "LEFT JOIN var_categories k ON k.id = x.category ORDER BY x.size_bytes DESC, x.name");

  cli_run_json (&run, "variables", "--unlowered", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  cli_compare_rows (json_node_get_array (run.json), "name bytes alwaysLive category tile offset",
                    rows);
  tsr_test_sql (folder, "profile.pop", "DROP TABLE vars_info");
  cli_run_json (&without, "variables", folder, NULL);
  g_assert_cmpint (without.status, ==, 0);
  cli_compare_rows (json_node_get_array (without.json),
                    "name bytes alwaysLive category tile offset", rows);
  tsr_test_folder_free (folder);
}

/* ---------------------------------------------------------------- vertices */

static void
test_vertices (gconstpointer data)
{
  char *folder = cli_report_new (data);
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) few = { 0 };
  g_autofree char *keys = NULL;
  g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
      folder, "SELECT t.name, t.size_bytes * coalesce(sum(v.count), 0) AS state, a.total, "
              "coalesce(sum(v.count), 0), group_concat(v.compute_set, ',') FROM vertex_types t "
              "LEFT JOIN (SELECT * FROM compute_set_vertices ORDER BY compute_set) v "
              "ON v.vertex_type = t.id LEFT JOIN tile_arrays a ON a.id = t.code_bytes_by_tile "
              "GROUP BY t.id ORDER BY state + a.total DESC, t.name");
  JsonArray *array;

  cli_run_json (&run, "vertices", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (run.err, ==, "");
  array = json_node_get_array (run.json);
  cli_compare_rows (array, "name stateBytes codeBytes count", rows);
  keys = cli_keys (json_array_get_element (array, 0), NULL);
  g_assert_cmpstr (keys, ==, "name stateBytes codeBytes count computeSets");
  for (guint i = 0; i < rows->len; i++)
    {
      g_autofree char *sets
          = json_to_string (cli_member (json_array_get_element (array, i), "computeSets"), FALSE);
      g_autofree char *expected = g_strdup_printf ("[%s]", ((GStrv)rows->pdata[i])[4]);

      g_assert_cmpstr (sets, ==, expected);
    }
  cli_run_json (&few, "vertices", "--limit=2", folder, NULL);
  g_assert_cmpint (json_array_get_length (json_node_get_array (few.json)), ==, 2);
  tsr_test_folder_free (folder);
}

/* ------------------------------------------------------------------ formats */

static void
test_limits (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) steps = { 0 };
  g_auto (CliRun) variables = { 0 };
  g_auto (CliRun) csv = { 0 };
  g_auto (CliRun) text = { 0 };
  g_autoptr (GPtrArray) lines = NULL;
  g_autofree char *head = NULL;
  int peak = (int)tsr_test_ask (folder, "SELECT step FROM liveness_steps "
                                        "ORDER BY not_always_live_bytes DESC, step LIMIT 1");
  g_autofree char *at_peak = g_strdup_printf ("--step=%d", peak);

  cli_run_json (&steps, "liveness", "--limit=2", folder, NULL);
  g_assert_cmpint (json_array_get_length (cli_array (steps.json, "steps")), ==, 2);
  g_assert_true (json_node_get_boolean (cli_member (steps.json, "truncated")));
  g_assert_cmpint (cli_int (steps.json, "peakStep"), ==, peak);
  cli_run_json (&variables, "liveness", "--limit=1", at_peak, folder, NULL);
  g_assert_cmpint (json_array_get_length (cli_array (variables.json, "variables")), ==, 1);
  g_assert_true (json_node_get_boolean (cli_member (variables.json, "truncated")));
  cli_run (&csv, "liveness", "--format=csv", folder, NULL);
  lines = cli_parse_csv (csv.out);
  g_assert_cmpint (lines->len, ==,
                   1 + tsr_test_ask (folder, "SELECT count(*) FROM liveness_steps"));
  head = g_strjoinv (" ", lines->pdata[0]);
  g_assert_cmpstr (head, ==, "step program notAlwaysLive");
  cli_run (&text, "liveness", "--units=bytes", folder, NULL);
  g_assert_cmpint (text.status, ==, 0);
  g_assert_nonnull (strstr (text.out, "Peak, always live included"));
  tsr_test_folder_free (folder);
}

typedef struct
{
  const char *words[4];
  const char *sql;  /* (nullable): done to the report */
  const char *says; /* on stderr */
} Failing;

static const Failing failing[] = {
  { { "liveness", "--source=ipu9" }, NULL, "There is no IPU 9" },
  { { "liveness", "--source=tile99999" }, NULL, "There is no tile 99999" },
  { { "liveness", "--source=" }, NULL, "names no tile" },
  { { "liveness", "--step=9999" }, NULL, "There is no step 9999" },
  { { "liveness", "--step=-1" }, NULL, "whole number" },
  { { "liveness", "--source=tile1" }, "DROP TABLE vars_info", "autoReport.outputLoweredVars" },
  { { "liveness", "--source=tile1" },
    "DROP TABLE equivalence_class_intervals",
    "equivalence_class_intervals" },
  { { "liveness" },
    "DROP TABLE liveness_steps; DROP TABLE variables; DROP TABLE equivalence_class_intervals",
    "liveness_steps" },
  { { "variables", "--tile=99999" }, NULL, "There is no tile 99999" },
  { { "variables", "--tile=x" }, NULL, "whole number" },
  { { "variables", "--tile=1", "--unlowered" }, NULL, "leave out --tile, or --unlowered" },
  { { "variables", "--tile=1", "--touched-by=1" }, NULL, "leave out --tile, or --touched-by" },
  { { "programs", "--table=vertices" }, NULL, "needs --program=ID" },
  { { "programs", "--table=touching" }, NULL, "needs --variable=NAME" },
  { { "variables", "--filter=/(/" }, NULL, "" },
  { { "variables", "--tile=1" }, "DROP TABLE vars_info", "autoReport.outputLoweredVars" },
  { { "variables" },
    "DROP TABLE vars_info; DROP TABLE variables; DROP TABLE liveness_steps;"
    "DROP TABLE equivalence_class_intervals",
    "vars_info" },
  { { "vertices" }, "DROP TABLE vertex_types", "vertex_types" },
  { { "vertices" }, "DROP TABLE programs; DROP TABLE compute_sets; DROP TABLE vertex_types", "" },
};

static void
test_failing (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (failing); i++)
    {
      const Failing *f = &failing[i];
      char *folder = cli_report_new ("tiny");
      g_auto (CliRun) run = { 0 };

      if (f->sql != NULL)
        tsr_test_sql (folder, "profile.pop", f->sql);
      if (f->words[1] == NULL)
        cli_run (&run, f->words[0], folder, NULL);
      else if (f->words[2] == NULL)
        cli_run (&run, f->words[0], f->words[1], folder, NULL);
      else
        cli_run (&run, f->words[0], f->words[1], f->words[2], folder, NULL);
      g_test_message ("%s %s: %s", f->words[0], f->words[1] != NULL ? f->words[1] : "", run.err);
      g_assert_cmpint (run.status, ==, 2);
      g_assert_cmpstr (run.out, ==, "");
      g_assert_nonnull (strstr (run.err, f->says));
      g_assert_cmpstr (run.err, !=, "");
      tsr_test_folder_free (folder);
    }
}

/* Only what Poplar's own files are known to have. */
static void
test_confirmed (void)
{
  char *full = cli_report_new ("tiny");
  char *folder = cli_confirmed_new (full);
  g_auto (CliRun) variables = { 0 };
  g_auto (CliRun) liveness = { 0 };
  g_auto (CliRun) vertices = { 0 };
  g_autoptr (GPtrArray) rows = tsr_test_ask_rows (
      full, "SELECT NULL, v.size_bytes, NULL, k.name, v.tile, NULL, NULL FROM vars_info v "
            "LEFT JOIN var_categories k ON k.id = v.category ORDER BY v.id");

  cli_run_json (&variables, "variables", folder, NULL);
  g_assert_cmpint (variables.status, ==, 0);
  cli_compare_rows (json_node_get_array (variables.json),
                    "name bytes alwaysLive category tile offset lifetimes", rows);
  cli_run (&liveness, "liveness", folder, NULL);
  g_assert_cmpint (liveness.status, ==, 2);
  g_assert_nonnull (strstr (liveness.err, "liveness_steps"));
  cli_run (&vertices, "vertices", folder, NULL);
  g_assert_cmpint (vertices.status, ==, 2);
  g_assert_nonnull (strstr (vertices.err, "vertex_types"));
  tsr_test_folder_free (folder);
  tsr_test_folder_free (full);
}

/* What is wrong is told, and the rest is right. */
static void
test_damage (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) variables = { 0 };
  g_auto (CliRun) liveness = { 0 };
  JsonNode *node;
  int id = (int)tsr_test_ask (folder, "SELECT min(id) FROM vars_info WHERE always_live = 0");
  g_autofree char *sql
      = g_strdup_printf ("UPDATE vars_info SET size_bytes = -5, offset = 'x' WHERE id = %d;"
                         "UPDATE liveness_steps SET not_always_live_bytes = 'many' WHERE step = 1",
                         id);

  tsr_test_sql (folder, "profile.pop", sql);
  cli_run_json (&variables, "variables", folder, NULL);
  g_assert_cmpint (variables.status, ==, 1);
  g_assert_nonnull (strstr (variables.err, "vars_info"));
  node = json_array_get_element (
      json_node_get_array (variables.json),
      (guint)tsr_test_ask (folder, "SELECT count(*) FROM vars_info WHERE id < %d", id));
  g_assert_cmpint (cli_int (node, "bytes"), ==, G_MININT64);
  g_assert_cmpint (cli_int (node, "offset"), ==, G_MININT64);
  cli_run_json (&liveness, "liveness", folder, NULL);
  g_assert_cmpint (liveness.status, ==, 1);
  g_assert_nonnull (strstr (liveness.err, "liveness_steps"));
  node = json_array_get_element (cli_array (liveness.json, "steps"), 2);
  g_assert_cmpint (
      cli_int (node, "notAlwaysLive"), ==,
      tsr_test_ask (folder, "SELECT not_always_live_bytes FROM liveness_steps WHERE step = 2"));
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cli-liveness/tiny", "tiny", test_liveness);
  g_test_add_data_func ("/cli-liveness/demo", "demo", test_liveness);
  g_test_add_data_func ("/cli-liveness/oom", "oom", test_liveness);
  g_test_add_func ("/cli-liveness/sources", test_sources);
  g_test_add_func ("/cli-liveness/step", test_step);
  g_test_add_data_func ("/cli-liveness/budget/tiny", "tiny", test_budget);
  g_test_add_data_func ("/cli-liveness/budget/demo", "demo", test_budget);
  g_test_add_func ("/cli-liveness/largest-id", test_largest_id);
  g_test_add_func ("/cli-variables/lowered", test_variables);
  g_test_add_func ("/cli-variables/many", test_many_variables);
  g_test_add_func ("/cli-variables/unlowered", test_unlowered);
  g_test_add_data_func ("/cli-vertices/tiny", "tiny", test_vertices);
  g_test_add_data_func ("/cli-vertices/demo", "demo", test_vertices);
  g_test_add_func ("/cli-liveness/limits", test_limits);
  g_test_add_func ("/cli-liveness/failing", test_failing);
  g_test_add_func ("/cli-liveness/confirmed", test_confirmed);
  g_test_add_func ("/cli-liveness/damage", test_damage);
  return g_test_run ();
}

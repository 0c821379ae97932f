/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli summary and schema against plain SQL on the same file. */

#include "config.h"

#include "cli-test.h"

#include <glib/gstdio.h>
#include <string.h>

static void
test_keys (gconstpointer data)
{
  char *folder = cli_report_new (data);
  g_auto (CliRun) run = { 0 };
  static const struct
  {
    const char *path, *keys;
  } wanted[] = {
    { NULL, "target graph poplarVersion timestamp computeInstrumentation "
            "externalExchangeInstrumentation engineOptions framework app files views" },
    { "target", "type architecture numIPUs ipusPerReplica numReplicas tilesPerIpu numTiles "
                "tilesPerReplica bytesPerTile bytesPerIPU memoryPerReplica totalMemory "
                "clockFrequency" },
    { "graph", "numComputeSets numVertices numEdges numVars" },
    { "views", "summary insights memory liveness programTree operations executionTrace" },
    { "views.memory", "available missing" },
  };

  cli_run_json (&run, "summary", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (run.err, ==, "");
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autofree char *keys = cli_keys (run.json, wanted[i].path);

      g_assert_cmpstr (keys, ==, wanted[i].keys);
    }
  tsr_test_folder_free (folder);
}

static void
test_values (gconstpointer data)
{
  char *folder = cli_report_new (data);
  g_autofree char *before = tsr_test_fingerprint (folder);
  g_autofree char *after = NULL;
  g_auto (CliRun) run = { 0 };
  JsonObject *options;
  static const char *const numbers[][2] = {
    { "target.numIPUs", "SELECT num_ipus FROM target" },
    { "target.ipusPerReplica", "SELECT ipus_per_replica FROM target" },
    { "target.numReplicas", "SELECT num_replicas FROM target" },
    { "target.tilesPerIpu", "SELECT tiles_per_ipu FROM target" },
    { "target.numTiles", "SELECT tiles_per_ipu * num_ipus FROM target" },
    { "target.tilesPerReplica", "SELECT tiles_per_ipu * ipus_per_replica FROM target" },
    { "target.bytesPerTile", "SELECT bytes_per_tile FROM target" },
    { "target.bytesPerIPU", "SELECT bytes_per_tile * tiles_per_ipu FROM target" },
    { "target.memoryPerReplica",
      "SELECT bytes_per_tile * tiles_per_ipu * ipus_per_replica FROM target" },
    { "target.totalMemory", "SELECT bytes_per_tile * tiles_per_ipu * num_ipus FROM target" },
    { "graph.numComputeSets", "SELECT num_compute_sets FROM graph" },
    { "graph.numVertices", "SELECT num_vertices FROM graph" },
    { "graph.numEdges", "SELECT num_edges FROM graph" },
    { "graph.numVars", "SELECT num_vars FROM graph" },
  };

  cli_run_json (&run, "summary", folder, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    cli_check_number (folder, run.json, numbers[i][0], numbers[i][1]);
  g_assert_cmpfloat (
      json_node_get_double (cli_member (run.json, "target.clockFrequency")), ==,
      (double)tsr_test_ask (folder, "SELECT cast(clock_frequency AS INTEGER) FROM target"));
  options = json_node_get_object (cli_member (run.json, "engineOptions"));
  g_assert_cmpint (json_object_get_size (options), ==,
                   tsr_test_ask (folder, "SELECT count(*) FROM engine_options"));
  g_assert_cmpint (json_object_get_size (options), >, 0);
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  tsr_test_folder_free (folder);
}

static void
test_files (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) run = { 0 };
  JsonArray *files;
  const char *names[] = { "profile.pop", "archive.a", "debug.cbor", "framework.json", "app.json" };

  tsr_test_write (folder, "app.json", "{\"a\": {\"b\": [1, 12345678901234567890123, null]}}", -1);
  cli_run_json (&run, "summary", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  files = cli_array (run.json, "files");
  g_assert_cmpint (json_array_get_length (files), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      JsonNode *file = json_array_get_element (files, i);
      g_autofree char *keys = cli_keys (file, NULL);
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_autofree char *contents = NULL;
      gsize length;

      g_assert_cmpstr (keys, ==, "name path found bytes");
      g_assert_cmpstr (json_node_get_string (cli_member (file, "name")), ==, names[i]);
      g_assert_true (json_node_get_boolean (cli_member (file, "found")));
      g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
      g_assert_cmpint (cli_int (file, "bytes"), ==, length);
    }
  /* Digits are kept, whatever their number. */
  g_assert_nonnull (strstr (run.out, "12345678901234567890123"));
  g_assert_cmpint (json_array_get_int_element (cli_array (run.json, "app.a.b"), 0), ==, 1);
  tsr_test_folder_free (folder);
}

static void
test_confirmed (void)
{
  char *full = cli_report_new ("tiny");
  char *folder = cli_confirmed_new (full);
  g_auto (CliRun) run = { 0 };
  static const char *const unknown[]
      = { "target.numIPUs",      "target.ipusPerReplica",   "target.numReplicas",
          "target.tilesPerIpu",  "target.bytesPerTile",     "target.bytesPerIPU",
          "target.totalMemory",  "target.memoryPerReplica", "graph.numEdges",
          "graph.numComputeSets" };

  cli_run_json (&run, "summary", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    g_assert_cmpint (cli_int (run.json, unknown[i]), ==, G_MININT64);
  g_assert_true (JSON_NODE_HOLDS_NULL (cli_member (run.json, "poplarVersion")));
  g_assert_true (JSON_NODE_HOLDS_NULL (cli_member (run.json, "framework")));
  g_assert_true (JSON_NODE_HOLDS_NULL (cli_member (run.json, "target.clockFrequency")));
  cli_check_number (full, run.json, "target.tilesPerReplica",
                    "SELECT count(*) FROM memory_by_tile");
  g_assert_true (json_node_get_boolean (cli_member (run.json, "views.memory.available")));
  g_assert_true (json_node_get_boolean (cli_member (run.json, "views.executionTrace.available")));
  g_assert_false (json_node_get_boolean (cli_member (run.json, "views.liveness.available")));
  g_assert_cmpint (json_array_get_length (cli_array (run.json, "views.liveness.missing")), >, 0);
  tsr_test_folder_free (folder);
  tsr_test_folder_free (full);
}

/* 2,944 rows and no target: 1,472 tiles per IPU would divide them, but nobody told that. */
static void
test_assumed (void)
{
  char *folder = tsr_test_folder_new ();
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) memory = { 0 };
  g_auto (CliRun) text = { 0 };

  tsr_test_sql (folder, "profile.pop",
                "CREATE TABLE memory_by_tile (total INTEGER);"
                "WITH RECURSIVE t (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 2943) "
                "INSERT INTO memory_by_tile SELECT 1000 + i FROM t;");
  cli_run_json (&run, "summary", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpint (cli_int (run.json, "target.tilesPerIpu"), ==, G_MININT64);
  g_assert_cmpint (cli_int (run.json, "target.ipusPerReplica"), ==, G_MININT64);
  g_assert_cmpint (cli_int (run.json, "target.numIPUs"), ==, G_MININT64);
  g_assert_cmpint (cli_int (run.json, "target.bytesPerIPU"), ==, G_MININT64);
  g_assert_cmpint (cli_int (run.json, "target.tilesPerReplica"), ==, 2944);
  cli_run_json (&memory, "memory", "--tile=2943", folder, NULL);
  g_assert_cmpint (cli_int (json_array_get_element (cli_array (memory.json, "tiles"), 0), "ipu"),
                   ==, G_MININT64);
  cli_run (&text, "summary", folder, NULL);
  g_assert_nonnull (strstr (text.out, "472 would divide"));
  tsr_test_folder_free (folder);
}

static void
test_archive (void)
{
  char *full = cli_report_new ("tiny");
  char *folder = cli_part_new (full, "archive.a");
  g_auto (CliRun) run = { 0 };

  cli_run_json (&run, "summary", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpint (cli_int (run.json, "target.numIPUs"), ==, G_MININT64);
  g_assert_true (json_node_get_boolean (cli_member (run.json, "views.memory.available")));
  g_assert_false (json_node_get_boolean (cli_member (run.json, "views.programTree.available")));
  tsr_test_folder_free (folder);
  tsr_test_folder_free (full);
}

static void
test_text (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) csv = { 0 };
  g_autoptr (GPtrArray) lines = NULL;

  cli_run (&run, "summary", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.out, "Synthetic"));
  g_assert_nonnull (strstr (run.out, "Tiles per IPU"));
  g_assert_nonnull (strstr (run.out, "Engine options"));
  g_assert_nonnull (strstr (run.out, "Execution Trace"));
  cli_run (&csv, "summary", "-f", "csv", folder, NULL);
  lines = cli_parse_csv (csv.out);
  g_assert_cmpint (lines->len, ==,
                   1 + 21 + tsr_test_ask (folder, "SELECT count(*) FROM engine_options"));
  for (guint i = 0; i < lines->len; i++)
    g_assert_cmpint (g_strv_length (g_ptr_array_index (lines, i)), ==, 2);
  tsr_test_folder_free (folder);
}

/* A name from a file must not steer the terminal, nor break JSON. */
static void
test_hostile_text (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) json = { 0 };

  tsr_test_sql (folder, "profile.pop",
                "INSERT INTO engine_options VALUES ('a' || char(27) || '[31mred', 'x' || char(10) "
                "|| char(8238) || 'y'), ('\"', CAST (x'ff22' AS TEXT))");
  cli_run (&run, "summary", folder, NULL);
  g_assert_null (strchr (run.out, 27));
  g_assert_null (strstr (run.out, "\xe2\x80\xae"));
  cli_run_json (&json, "summary", folder, NULL);
  g_assert_cmpint (
      json_object_get_size (json_node_get_object (cli_member (json.json, "engineOptions"))), ==,
      tsr_test_ask (folder, "SELECT count(*) FROM engine_options"));
  tsr_test_folder_free (folder);
}

/* ------------------------------------------------------------------ schema */

static void
test_schema (void)
{
  char *folder = cli_report_new ("tiny");
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) limited = { 0 };
  g_auto (CliRun) text = { 0 };
  g_auto (CliRun) csv = { 0 };
  g_auto (CliRun) cut = { 0 };
  g_autoptr (GPtrArray) lines = NULL;
  JsonArray *tables;
  g_autofree char *keys = NULL, *more = NULL;
  gint64 n_columns = 0;

  cli_run_json (&run, "schema", path, NULL);
  g_assert_cmpint (run.status, ==, 0);
  keys = cli_keys (run.json, NULL);
  g_assert_cmpstr (keys, ==, "pageSize encoding journalMode userVersion applicationId tables");
  tables = cli_array (run.json, "tables");
  g_assert_cmpint (
      json_array_get_length (tables), ==,
      tsr_test_ask (folder, "SELECT count(*) FROM sqlite_master WHERE type = 'table'"));
  for (guint i = 0; i < json_array_get_length (tables); i++)
    {
      JsonNode *table = json_array_get_element (tables, i);
      g_autofree char *sql = g_strdup_printf ("SELECT count(*) FROM \"%s\"",
                                              json_node_get_string (cli_member (table, "name")));

      g_assert_cmpint (cli_int (table, "rows"), ==, tsr_test_ask (folder, "%s", sql));
      n_columns += json_array_get_length (cli_array (table, "columns"));
    }
  /* Nothing of the user's. */
  g_assert_null (strstr (run.out, "Convolve"));
  g_assert_null (strstr (run.out, "popops"));
  cli_run_json (&limited, "schema", "--limit=3", "--quick", folder, NULL);
  g_assert_cmpint (json_array_get_length (cli_array (limited.json, "tables")), ==, 3);
  g_assert_true (json_node_get_boolean (cli_member (limited.json, "truncated")));
  cli_run (&cut, "schema", "--limit=3", "--quick", folder, NULL);
  more = g_strdup_printf ("\n%u more tables are not listed\n", json_array_get_length (tables) - 3);
  g_assert_true (g_str_has_suffix (cut.out, more));
  cli_run (&text, "schema", path, NULL);
  g_assert_cmpint (text.status, ==, 0);
  g_assert_nonnull (strstr (text.out, "memory_by_tile_category"));
  cli_run (&csv, "schema", "--format=csv", path, NULL);
  lines = cli_parse_csv (csv.out);
  g_assert_cmpint (lines->len, ==, n_columns + 1);
  tsr_test_folder_free (folder);
}

/* Place and value of each member of @node, in order: "/layers/[0]\tconv". */
static void
list_members (JsonNode *node, const char *place, GPtrArray *all)
{
  g_autoptr (GList) names = NULL;
  const guint n = JSON_NODE_HOLDS_OBJECT (node) ? json_object_get_size (json_node_get_object (node))
                  : JSON_NODE_HOLDS_ARRAY (node)
                      ? json_array_get_length (json_node_get_array (node))
                      : 0;

  if (JSON_NODE_HOLDS_OBJECT (node))
    names = json_object_get_members (json_node_get_object (node));
  for (guint i = 0; i < n; i++)
    {
      JsonNode *child = names != NULL ? json_object_get_member (json_node_get_object (node),
                                                                g_list_nth_data (names, i))
                                      : json_array_get_element (json_node_get_array (node), i);
      g_autofree char *below
          = names != NULL ? g_strdup_printf ("%s/%s", place, (char *)g_list_nth_data (names, i))
                          : g_strdup_printf ("%s/[%u]", place, i);
      const GType type = JSON_NODE_HOLDS_VALUE (child) ? json_node_get_value_type (child) : 0;
      g_autofree char *value
          = type == G_TYPE_DOUBLE ? g_strdup_printf ("%.15g", json_node_get_double (child))
            : type != 0 || JSON_NODE_HOLDS_NULL (child) ? json_to_string (child, FALSE)
                                                        : g_strdup ("");
      const char *text = type == G_TYPE_STRING ? json_node_get_string (child) : value;

      g_ptr_array_add (all, g_strconcat (below, "\t", text, NULL));
      list_members (child, below, all);
    }
}

/* framework.json and app.json as tables, against what another reader finds in the files. */
static void
test_json_tables (gconstpointer data)
{
  static const struct
  {
    const char *table, *file;
  } of[] = { { "--table=framework", "framework.json" }, { "--table=app", "app.json" } };
  char *folder = cli_report_new (data);

  for (guint i = 0; i < G_N_ELEMENTS (of); i++)
    {
      g_autofree char *path = g_build_filename (folder, of[i].file, NULL);
      g_autoptr (JsonParser) parser = json_parser_new ();
      g_autoptr (GPtrArray) wanted = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GError) error = NULL;
      g_auto (CliRun) run = { 0 };
      g_auto (CliRun) broken = { 0 };
      g_auto (CliRun) gone = { 0 };
      JsonArray *rows;

      json_parser_load_from_file (parser, path, &error);
      g_assert_no_error (error);
      list_members (json_parser_get_root (parser), "", wanted);
      g_assert_cmpuint (wanted->len, >, 5);
      cli_run_json (&run, "summary", of[i].table, folder, NULL);
      rows = cli_array (run.json, "rows");
      g_assert_cmpuint (json_array_get_length (rows), ==, wanted->len);
      for (guint row = 0; row < wanted->len; row++)
        {
          JsonNode *member = json_array_get_element (rows, row);
          g_autofree char *told
              = g_strjoin ("\t", json_node_get_string (cli_member (member, "key")),
                           json_node_get_string (cli_member (member, "value")), NULL);

          g_assert_cmpstr (told, ==, wanted->pdata[row]);
        }
      g_assert_true (g_file_set_contents (path, "{ \"a\": ", -1, NULL));
      cli_run (&broken, "summary", of[i].table, folder, NULL);
      g_assert_cmpint (broken.status, ==, 2);
      g_assert_nonnull (strstr (broken.err, "could not be read"));
      g_assert_nonnull (strstr (broken.err, of[i].file));
      g_assert_cmpint (g_remove (path), ==, 0);
      cli_run (&gone, "summary", of[i].table, folder, NULL);
      g_assert_cmpint (gone.status, ==, 2);
      g_assert_cmpstr (gone.out, ==, "");
      g_assert_nonnull (strstr (gone.err, "There is no "));
      g_assert_nonnull (strstr (gone.err, of[i].file));
    }
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cli/summary/keys/tiny", "tiny", test_keys);
  g_test_add_data_func ("/cli/summary/keys/oom", "oom", test_keys);
  g_test_add_data_func ("/cli/summary/values/tiny", "tiny", test_values);
  g_test_add_data_func ("/cli/summary/values/oom", "oom", test_values);
  g_test_add_data_func ("/cli/summary/values/demo", "demo", test_values);
  g_test_add_func ("/cli/summary/files", test_files);
  g_test_add_func ("/cli/summary/confirmed", test_confirmed);
  g_test_add_func ("/cli/summary/assumed", test_assumed);
  g_test_add_func ("/cli/summary/archive", test_archive);
  g_test_add_func ("/cli/summary/text", test_text);
  g_test_add_func ("/cli/summary/hostile-text", test_hostile_text);
  g_test_add_data_func ("/cli/summary/json-tables/tiny", "tiny", test_json_tables);
  g_test_add_data_func ("/cli/summary/json-tables/demo", "demo", test_json_tables);
  g_test_add_func ("/cli/schema", test_schema);
  return g_test_run ();
}

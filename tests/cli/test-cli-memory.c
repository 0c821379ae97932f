/* SPDX-License-Identifier: GPL-3.0-or-later */

/* tessera-cli memory against plain SQL on the same file. */

#include "config.h"

#include "cli-test.h"

#include <string.h>

static const char *const tile_keys[]
    = { "total",      "includingGaps", "excludingGaps", "overflowed",
        "alwaysLive", "notAlwaysLive", "peakStep" };
static const char *const tile_columns[]
    = { "total",       "including_gaps",  "excluding_gaps", "overflowed",
        "always_live", "not_always_live", "peak_step" };
static const char *const regions[] = { "nonInterleaved", "interleaved", "overflowed" };

/* @where: rows of the tables by tile that count. */
static void
check_parts (const char *folder, JsonNode *node, const char *where, const char *allocated)
{
  gint64 n = tsr_test_ask (folder, "SELECT count(*) FROM var_categories");

  for (guint r = 0; r < G_N_ELEMENTS (regions); r++)
    {
      g_autofree char *path = g_strconcat ("regions.", regions[r], NULL);

      g_assert_cmpint (
          cli_int (node, path), ==,
          tsr_test_ask (
              folder,
              "SELECT coalesce(sum(bytes), 0) FROM memory_by_tile_region WHERE %s AND region = %u",
              where, r));
    }
  g_assert_cmpint (json_object_get_size (json_node_get_object (cli_member (node, "categories"))),
                   ==, n);
  for (gint64 i = 0; i < n; i++)
    {
      gint64 id = tsr_test_ask (
          folder, "SELECT id FROM var_categories ORDER BY id LIMIT 1 OFFSET %d", (int)i);
      g_autoptr (GList) names
          = json_object_get_members (json_node_get_object (cli_member (node, "categories")));
      const char *name = g_list_nth_data (names, (guint)i);
      g_autofree char *path = g_strconcat ("categories.", name, NULL);
      JsonNode *category = cli_member (node, path);

      g_assert_cmpint (tsr_test_ask (folder, "SELECT name = '%s' FROM var_categories WHERE id = %d",
                                     name, (int)id),
                       ==, 1);
      g_assert_cmpint (
          cli_int (category, "nonOverlapped"), ==,
          tsr_test_ask (folder,
                        "SELECT coalesce(sum(non_overlapped), 0) FROM memory_by_tile_category "
                        "WHERE %s AND category = %d",
                        where, (int)id));
      g_assert_cmpint (
          cli_int (category, "overlapped"), ==,
          tsr_test_ask (folder,
                        "SELECT coalesce(sum(overlapped), 0) FROM memory_by_tile_category "
                        "WHERE %s AND category = %d",
                        where, (int)id));
      g_assert_cmpint (
          cli_int (category, "allocated"), ==,
          tsr_test_ask (
              folder,
              "SELECT coalesce(sum(size_bytes), 0) FROM vars_info WHERE %s AND category = %d",
              allocated, (int)id));
    }
}

static void
check_tile (const char *folder, JsonNode *node, gint64 tile, gboolean chosen)
{
  g_autofree char *keys = cli_keys (node, NULL);

  g_assert_cmpstr (keys, ==,
                   chosen ? "tile ipu total includingGaps excludingGaps overflowed alwaysLive "
                            "notAlwaysLive peakStep regions categories"
                          : "tile ipu total includingGaps excludingGaps overflowed alwaysLive "
                            "notAlwaysLive peakStep");
  g_assert_cmpint (cli_int (node, "tile"), ==, tile);
  g_assert_cmpint (cli_int (node, "ipu"), ==,
                   tile / tsr_test_ask (folder, "SELECT tiles_per_ipu FROM target"));
  for (guint i = 0; i < G_N_ELEMENTS (tile_keys); i++)
    g_assert_cmpint (cli_int (node, tile_keys[i]), ==,
                     tsr_test_ask (folder, "SELECT %s FROM memory_by_tile WHERE tile = %d",
                                   tile_columns[i], (int)tile));
}

static void
test_json (gconstpointer data)
{
  char *folder = cli_report_new (data);
  g_autofree char *before = tsr_test_fingerprint (folder);
  g_autofree char *after = NULL;
  g_auto (CliRun) run = { 0 };
  g_autofree char *keys = NULL;
  JsonArray *tiles;

  cli_run_json (&run, "memory", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (run.err, ==, "");
  keys = cli_keys (run.json, NULL);
  g_assert_cmpstr (keys, ==, "includingGaps excludingGaps overflowed regions categories tiles");
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (
        cli_int (run.json, tile_keys[i + 1]), ==,
        tsr_test_ask (folder, "SELECT sum(%s) FROM memory_by_tile", tile_columns[i + 1]));
  check_parts (folder, run.json, "1", "1");
  tiles = cli_array (run.json, "tiles");
  g_assert_cmpint (json_array_get_length (tiles), ==,
                   tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile"));
  for (guint i = 0; i < MIN (json_array_get_length (tiles), 50); i++)
    check_tile (folder, json_array_get_element (tiles, i), i, FALSE);
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  tsr_test_folder_free (folder);
}

static void
test_tiles (gconstpointer data)
{
  char *folder = cli_report_new (data);
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) top = { 0 };
  JsonArray *tiles;
  gint64 fullest = tsr_test_ask (folder, "SELECT tile FROM memory_by_tile "
                                         "ORDER BY including_gaps DESC, tile LIMIT 1");

  cli_run_json (&run, "memory", "--tile=1,0,2-3", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  /* The head is the whole replica's. */
  g_assert_cmpint (cli_int (run.json, "includingGaps"), ==,
                   tsr_test_ask (folder, "SELECT sum(including_gaps) FROM memory_by_tile"));
  tiles = cli_array (run.json, "tiles");
  g_assert_cmpint (json_array_get_length (tiles), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *where = g_strdup_printf ("tile = %u", i);

      check_tile (folder, json_array_get_element (tiles, i), i, TRUE);
      check_parts (folder, json_array_get_element (tiles, i), where, where);
    }
  cli_run_json (&top, "memory", "-t", "top1", folder, NULL);
  tiles = cli_array (top.json, "tiles");
  g_assert_cmpint (json_array_get_length (tiles), ==, 1);
  check_tile (folder, json_array_get_element (tiles, 0), fullest, TRUE);
  tsr_test_folder_free (folder);
}

/* Without tile_vars each tile's allocations come from a scan: the same numbers. */
static void
test_tiles_without_ranges (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) run = { 0 };
  JsonArray *tiles;

  tsr_test_sql (folder, "profile.pop", "DROP TABLE tile_vars");
  cli_run_json (&run, "memory", "--tile=1", folder, NULL);
  tiles = cli_array (run.json, "tiles");
  check_parts (folder, json_array_get_element (tiles, 0), "tile = 1", "tile = 1");
  tsr_test_folder_free (folder);
}

static void
test_limit (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) all = { 0 };
  gint64 n = tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile");
  g_autofree char *exact = g_strdup_printf ("--limit=%d", (int)n);

  cli_run_json (&run, "memory", "--limit=2", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpint (json_array_get_length (cli_array (run.json, "tiles")), ==, 2);
  g_assert_true (json_node_get_boolean (cli_member (run.json, "truncated")));
  g_assert_cmpint (cli_int (run.json, "includingGaps"), ==,
                   tsr_test_ask (folder, "SELECT sum(including_gaps) FROM memory_by_tile"));
  cli_run_json (&all, "memory", exact, folder, NULL);
  g_assert_null (cli_member (all.json, "truncated"));
  tsr_test_folder_free (folder);
}

static void
test_csv (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) chosen = { 0 };
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GPtrArray) more = NULL;
  g_autofree char *head = NULL;
  gint64 n = tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile");

  cli_run (&run, "memory", "--format=csv", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  lines = cli_parse_csv (run.out);
  g_assert_cmpint (lines->len, ==, n + 1);
  head = g_strjoinv (" ", g_ptr_array_index (lines, 0));
  g_assert_cmpstr (head, ==,
                   "tile ipu total includingGaps excludingGaps overflowed alwaysLive "
                   "notAlwaysLive peakStep");
  for (guint i = 1; i < lines->len; i++)
    {
      char **fields = g_ptr_array_index (lines, i);

      g_assert_cmpint (g_strv_length (fields), ==, 9);
      g_assert_cmpint (g_ascii_strtoll (fields[3], NULL, 10), ==,
                       tsr_test_ask (folder,
                                     "SELECT including_gaps FROM memory_by_tile WHERE tile = %u",
                                     i - 1));
    }
  cli_run (&chosen, "memory", "--format=csv", "--tile=1", folder, NULL);
  more = cli_parse_csv (chosen.out);
  g_assert_cmpint (more->len, ==, 2);
  g_assert_cmpint (g_strv_length (g_ptr_array_index (more, 0)), ==,
                   9 + 3 + 3 * tsr_test_ask (folder, "SELECT count(*) FROM var_categories"));
  g_assert_cmpint (g_strv_length (g_ptr_array_index (more, 1)), ==,
                   g_strv_length (g_ptr_array_index (more, 0)));
  tsr_test_folder_free (folder);
}

/* Only what Poplar's own files are known to have. */
static void
test_confirmed (void)
{
  char *full = cli_report_new ("tiny");
  char *folder = cli_confirmed_new (full);
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) tile = { 0 };
  JsonArray *tiles;
  JsonNode *node;
  g_autoptr (GList) names = NULL;

  cli_run_json (&run, "memory", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpint (cli_int (run.json, "includingGaps"), ==, G_MININT64);
  g_assert_cmpint (cli_int (run.json, "overflowed"), ==, G_MININT64);
  g_assert_cmpint (cli_int (run.json, "regions.interleaved"), ==, G_MININT64);
  tiles = cli_array (run.json, "tiles");
  for (guint i = 0; i < json_array_get_length (tiles); i++)
    {
      node = json_array_get_element (tiles, i);
      g_assert_cmpint (cli_int (node, "total"), ==,
                       tsr_test_ask (full, "SELECT total FROM memory_by_tile WHERE tile = %u", i));
      g_assert_cmpint (cli_int (node, "alwaysLive"), ==, G_MININT64);
      g_assert_cmpint (cli_int (node, "ipu"), ==, G_MININT64);
    }
  node = cli_member (run.json, "categories");
  names = json_object_get_members (json_node_get_object (node));
  g_assert_nonnull (names);
  for (GList *l = names; l != NULL; l = l->next)
    {
      JsonNode *category = cli_member (node, l->data);

      g_assert_cmpint (cli_int (category, "nonOverlapped"), ==, G_MININT64);
      g_assert_cmpint (cli_int (category, "allocated"), ==,
                       tsr_test_ask (full,
                                     "SELECT coalesce(sum(size_bytes), 0) FROM vars_info JOIN "
                                     "var_categories c ON c.id = category WHERE c.name = '%s'",
                                     (char *)l->data));
    }
  cli_run_json (&tile, "memory", "--tile=1", folder, NULL);
  node = json_array_get_element (cli_array (tile.json, "tiles"), 0);
  node = cli_member (node, "categories");
  for (GList *l = names; l != NULL; l = l->next)
    g_assert_cmpint (
        cli_int (cli_member (node, l->data), "allocated"), ==,
        tsr_test_ask (full,
                      "SELECT coalesce(sum(size_bytes), 0) FROM vars_info JOIN "
                      "var_categories c ON c.id = category WHERE tile = 1 AND c.name = '%s'",
                      (char *)l->data));
  tsr_test_folder_free (folder);
  tsr_test_folder_free (full);
}

static void
test_archive (void)
{
  char *full = cli_report_new ("tiny");
  char *folder = cli_part_new (full, "archive.a");
  g_auto (CliRun) run = { 0 };
  JsonArray *tiles;

  cli_run_json (&run, "memory", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  tiles = cli_array (run.json, "tiles");
  g_assert_cmpint (json_array_get_length (tiles), ==,
                   tsr_test_ask (full, "SELECT count(*) FROM memory_by_tile"));
  for (guint i = 0; i < json_array_get_length (tiles); i++)
    {
      JsonNode *node = json_array_get_element (tiles, i);

      g_assert_cmpint (cli_int (node, "total"), ==,
                       tsr_test_ask (full, "SELECT total FROM memory_by_tile WHERE tile = %u", i));
      g_assert_cmpint (cli_int (node, "includingGaps"), ==, G_MININT64);
    }
  tsr_test_folder_free (folder);
  tsr_test_folder_free (full);
}

/* One column that does not tell everything makes the sum unknown, and nothing else. */
static void
test_null (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) run = { 0 };

  tsr_test_sql (folder, "profile.pop",
                "UPDATE memory_by_tile SET including_gaps = NULL WHERE tile = 1");
  cli_run_json (&run, "memory", folder, NULL);
  g_assert_cmpint (cli_int (run.json, "includingGaps"), ==, G_MININT64);
  g_assert_cmpint (cli_int (run.json, "excludingGaps"), ==,
                   tsr_test_ask (folder, "SELECT sum(excluding_gaps) FROM memory_by_tile"));
  tsr_test_folder_free (folder);
}

static void
test_missing (void)
{
  char *folder = cli_report_new ("tiny");
  char *part = cli_part_new (folder, "profile.pop");
  g_auto (CliRun) run = { 0 };

  tsr_test_sql (part, "profile.pop", "DROP TABLE memory_by_tile");
  cli_run (&run, "memory", "--format=json", part, NULL);
  g_assert_cmpint (run.status, ==, 2);
  g_assert_cmpstr (run.out, ==, "");
  g_assert_nonnull (strstr (run.err, "memory_by_tile"));
  g_assert_nonnull (strstr (run.err, "autoReport.outputGraphProfile"));
  tsr_test_folder_free (part);
  tsr_test_folder_free (folder);
}

static void
test_text (void)
{
  char *folder = cli_report_new ("tiny");
  g_auto (CliRun) run = { 0 };
  g_auto (CliRun) bytes = { 0 };
  g_auto (GStrv) lines = NULL;
  g_autofree char *total = NULL;
  gint64 n = tsr_test_ask (folder, "SELECT count(*) FROM memory_by_tile");

  cli_run (&run, "memory", folder, NULL);
  g_assert_cmpint (run.status, ==, 0);
  lines = g_strsplit (run.out, "\n", -1);
  g_assert_cmpint (g_strv_length (lines), >, n);
  g_assert_nonnull (strstr (run.out, "Including gaps"));
  g_assert_nonnull (strstr (run.out, "iB"));
  cli_run (&bytes, "memory", "--units=bytes", "--tile=0", folder, NULL);
  g_assert_null (strstr (bytes.out, "iB"));
  /* The C locale has no separators. */
  total = g_strdup_printf ("%" G_GINT64_FORMAT,
                           tsr_test_ask (folder, "SELECT sum(including_gaps) FROM memory_by_tile"));
  g_assert_nonnull (strstr (bytes.out, "Tile 0"));
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cli/memory/json/tiny", "tiny", test_json);
  g_test_add_data_func ("/cli/memory/json/oom", "oom", test_json);
  g_test_add_data_func ("/cli/memory/json/demo", "demo", test_json);
  g_test_add_data_func ("/cli/memory/tiles/tiny", "tiny", test_tiles);
  g_test_add_data_func ("/cli/memory/tiles/oom", "oom", test_tiles);
  g_test_add_func ("/cli/memory/tiles/without-ranges", test_tiles_without_ranges);
  g_test_add_func ("/cli/memory/limit", test_limit);
  g_test_add_func ("/cli/memory/csv", test_csv);
  g_test_add_func ("/cli/memory/confirmed", test_confirmed);
  g_test_add_func ("/cli/memory/archive", test_archive);
  g_test_add_func ("/cli/memory/null", test_null);
  g_test_add_func ("/cli/memory/missing", test_missing);
  g_test_add_func ("/cli/memory/text", test_text);
  return g_test_run ();
}

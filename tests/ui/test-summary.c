/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Summary as text: values against plain SQL, options as a tree, JSON as rows. */

#include "config.h"

#include "tsr-columns-layout.h"
#include "tsr-debug-tables.h"
#include "tsr-summary-rows.h"
#include "tsr-test.h"
#include "tsr-ui-test.h"
#include "tsr-value-rows.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static TsrReport *
open_report (const char *folder)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  TsrReport *report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);

  g_assert_no_error (error);
  return report;
}

static const TsrSummaryRow *
find_row (GPtrArray *sections, const char *id, const char *label)
{
  for (guint i = 0; i < sections->len; i++)
    {
      const TsrSummarySection *section = g_ptr_array_index (sections, i);

      for (guint k = 0; k < section->rows->len; k++)
        {
          const TsrSummaryRow *row = g_ptr_array_index (section->rows, k);

          if (g_str_equal (section->id, id) && g_str_equal (row->label, label))
            return row;
        }
    }
  g_error ("no row %s in %s", label, id);
}

static void
assert_count (
    GPtrArray *sections, const char *id, const char *label, const char *folder, const char *sql)
{
  g_autofree char *expected = tsr_units_dup_count (tsr_test_query (folder, "profile.pop", sql));

  g_assert_cmpstr (find_row (sections, id, label)->value, ==, expected);
}

static void
test_rows (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (GPtrArray) sections = NULL;

  tsr_ui_test_write_report (folder, 0);
  report = open_report (folder);
  sections = tsr_summary_rows_new (report, NULL, TSR_UNITS_BYTES);
  assert_count (sections, "target", "Tiles per IPU", folder, "SELECT tiles_per_ipu FROM target");
  assert_count (sections, "target", "Total tiles", folder,
                "SELECT tiles_per_ipu * num_ipus FROM target");
  assert_count (sections, "target", "Replicas", folder, "SELECT num_replicas FROM target");
  assert_count (sections, "graph", "Edges", folder, "SELECT num_edges FROM graph");
  assert_count (sections, "graph", "Compute sets", folder, "SELECT num_compute_sets FROM graph");
  /* NULL in the file: never 0. */
  g_assert_cmpstr (find_row (sections, "graph", "Variables")->value, ==, "–");
  g_assert_cmpstr (find_row (sections, "target", "Memory per replica")->value, ==, "8,000 B");
  g_assert_cmpstr (find_row (sections, "target", "Total memory")->value, ==, "16,000 B");
  g_assert_cmpstr (find_row (sections, "target", "Clock")->value, ==, "1.33 GHz");
  g_assert_cmpstr (find_row (sections, "poplar", "Poplar version")->value, ==,
                   "3.1.0 (a027fa0bd5)");
  g_assert_cmpstr (find_row (sections, "poplar", "Compute sets")->value, ==, "Tile");
  g_assert_cmpstr (find_row (sections, "report", "Compiled program")->value, ==, "training");
  g_assert_cmpint (find_row (sections, "files", "Profile (profile.pop)")->kind, ==, TSR_ROW_FILE);
  g_assert_cmpint (find_row (sections, "files", "Executable archive (archive.a)")->kind, ==,
                   TSR_ROW_NO_FILE);
  tsr_test_folder_free (folder);
}

/* Only confirmed tables: the number of tiles is the number of rows, tiles per IPU are assumed. */
static void
test_assumed (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrMemory) memory = NULL;
  g_autoptr (TsrMemory) other = NULL;
  g_autoptr (GPtrArray) sections = NULL;
  g_autoptr (GPtrArray) changed = NULL;
  g_auto (TsrSummaryVerdict) verdict = { 0 };

  tsr_test_sql (folder, "profile.pop",
                "CREATE TABLE memory_by_tile (total INTEGER);"
                "WITH RECURSIVE t (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 2943)"
                " INSERT INTO memory_by_tile SELECT 1000 + i * 37 % 1000 FROM t;");
  report = open_report (folder);
  memory = tsr_memory_new (report);
  sections = tsr_summary_rows_new (report, memory, TSR_UNITS_BINARY);
  g_assert_cmpint (find_row (sections, "target", "Tiles per IPU")->kind, ==, TSR_ROW_TILES_PER_IPU);
  g_assert_cmpstr (find_row (sections, "target", "Tiles per IPU")->value, ==, "1,472");
  other = tsr_memory_new_with_tiles_per_ipu (report, 736);
  changed = tsr_summary_rows_new (report, other, TSR_UNITS_BINARY);
  g_assert_cmpstr (find_row (changed, "target", "Tiles per IPU")->value, ==, "736");
  g_assert_cmpstr (find_row (changed, "target", "Total tiles")->value, ==, "2,944");

  /* Without the memory of a tile nobody can say whether it fits. */
  tsr_summary_verdict_init (&verdict, memory, NULL, TSR_UNITS_BYTES);
  g_assert_cmpint (verdict.kind, ==, TSR_SUMMARY_VERDICT_UNKNOWN);
  g_assert_true (isnan (verdict.fullest_share));
  g_assert_cmpint (
      verdict.fullest_tile, ==,
      tsr_test_query (folder, "profile.pop",
                      "SELECT rowid - 1 FROM memory_by_tile ORDER BY total DESC, rowid LIMIT 1"));
  tsr_test_folder_free (folder);
}

static char *
dup_debug_row (const char *folder, TsrSummaryRowKind *kind, char **tooltip)
{
  g_autoptr (TsrReport) report = open_report (folder);
  g_autoptr (GPtrArray) sections = tsr_summary_rows_new (report, NULL, TSR_UNITS_BYTES);
  const TsrSummaryRow *row = find_row (sections, "files", "Debug information (debug.cbor)");

  *kind = row->kind;
  *tooltip = g_strdup (row->tooltip);
  return g_strdup (row->value);
}

/* Three contexts of two layers; where the file is whole, cut, no CBOR, and a link to nothing. */
static void
test_debug (void)
{
  static const char bytes[] = "\xa2\x68"
                              "contexts\x83\xa2\x62id\x01\x65layer\x66poplar"
                              "\xa2\x62id\x02\x65layer\x67poplibs"
                              "\xa2\x62id\x03\x65layer\x66poplar"
                              "\x6bstringTable\x80";
  const struct
  {
    const char *bytes;
    gsize length;
    TsrSummaryRowKind kind;
    const char *value, *tooltip;
  } cases[] = {
    { bytes, sizeof bytes - 1, TSR_ROW_FILE, "%zu B, 3 contexts, 2 layers", NULL },
    { bytes, 60, TSR_ROW_DOUBTFUL_FILE, "%zu B, 2 contexts, 2 layers, damaged", "byte 59:" },
    { "plain text", 10, TSR_ROW_DOUBTFUL_FILE, "%zu B, not readable", "debug.cbor" },
    { NULL, 0, TSR_ROW_NO_FILE, "not found, a link to a file that is not there", NULL },
  };
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "debug.cbor", NULL);

  tsr_ui_test_write_report (folder, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *value = NULL;
      g_autofree char *tooltip = NULL;
      TsrSummaryRowKind kind;
      g_autofree char *size = g_strdup_printf ("%zu", cases[i].length);
      g_auto (GStrv) parts = g_strsplit (cases[i].value, "%zu", 2);
      g_autofree char *expected = g_strjoinv (size, parts);

      if (cases[i].bytes != NULL)
        g_assert_true (g_file_set_contents (path, cases[i].bytes, cases[i].length, NULL));
      else
        g_assert_true (g_unlink (path) == 0 && symlink ("nowhere/debug.cbor", path) == 0);
      value = dup_debug_row (folder, &kind, &tooltip);
      g_assert_cmpint (kind, ==, cases[i].kind);
      g_assert_cmpstr (value, ==, expected);
      g_assert_nonnull (strstr (tooltip, "debug.cbor"));
      if (cases[i].tooltip != NULL)
        g_assert_nonnull (strstr (tooltip, cases[i].tooltip));
    }
  tsr_test_folder_free (folder);
}

/* An archive alone: Summary has the tiles of an IPU that every page assumes. */
static void
test_archive (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrMemory) memory = NULL;
  g_autoptr (GPtrArray) sections = NULL;
  g_autofree char *per_ipu = NULL;

  tsr_test_make_report (folder, "demo", "--force", "--only=archive", NULL);
  report = open_report (folder);
  memory = tsr_memory_new (report);
  g_assert_true (tsr_memory_is_from_archive (memory));
  g_assert_cmpuint (tsr_memory_get_n_tiles (memory), ==, 2944);
  per_ipu = tsr_units_dup_count (tsr_memory_get_tiles_per_ipu (memory));
  sections = tsr_summary_rows_new (report, memory, TSR_UNITS_BINARY);
  g_assert_cmpint (find_row (sections, "target", "Tiles per IPU")->kind, ==, TSR_ROW_TILES_PER_IPU);
  g_assert_cmpstr (find_row (sections, "target", "Tiles per IPU")->value, ==, per_ipu);
  g_assert_cmpstr (per_ipu, ==, "1,472");
  g_assert_cmpstr (find_row (sections, "target", "Total tiles")->value, ==, "2,944");
  tsr_test_folder_free (folder);
}

static void
test_text (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrMemory) memory = NULL;
  g_autofree char *text = NULL;

  tsr_ui_test_write_report (folder, 0);
  tsr_test_write (folder, "app.json", "{\"batch\": {\"size\": 12345678901234567890}}", -1);
  report = open_report (folder);
  memory = tsr_memory_new (report);
  text = tsr_summary_rows_dup_text (report, memory, TSR_UNITS_BYTES);
  g_assert_nonnull (strstr (text, "Fits in memory\n"));
  g_assert_nonnull (strstr (text, "Fullest tile: 7, 800 B of 1,000 B\n"));
  g_assert_nonnull (strstr (text, "  Edges: 12,985,960\n"));
  g_assert_nonnull (strstr (text, "  autoReport.directory: ./report\n"));
  g_assert_nonnull (strstr (text, "12345678901234567890"));
  tsr_test_folder_free (folder);
}

/* ---------------------------------------------------------------- trees */

static void
assert_tree (TsrRows *rows, const char *expected)
{
  GString *text = g_string_new (NULL);

  g_assert_true (tsr_rows_is_tree (rows));
  for (guint32 row = 0; row < tsr_rows_get_n (rows); row++)
    g_string_append_printf (text, "%*s%s=%s\n", (int)tsr_rows_get_depth (rows, row), "",
                            tsr_rows_get_text (rows, row, 0), tsr_rows_get_text (rows, row, 1));
  g_assert_cmpstr (text->str, ==, expected);
  g_string_free (text, TRUE);
}

static void
assert_key (TsrRows *rows, guint32 row, const char *expected)
{
  g_autofree char *key = tsr_rows_dup_key (rows, row);

  g_assert_cmpstr (key, ==, expected);
}

static void
test_options (void)
{
  const char *const pairs[] = {
    "a.b", "1", "a.b.c", "2", "autoReport.all", "true", "d", "4", "..", "5", "opt.X", "on", NULL,
  };
  guint shown = 0, all = 0;
  g_autoptr (TsrRows) model = tsr_value_rows_new_options (pairs, "", NULL, &shown, &all);
  g_autoptr (TsrRows) filtered = NULL;
  g_autoptr (TsrRows) without = NULL;
  g_autoptr (TsrRows) recording = NULL;
  g_autofree char *text = tsr_rows_dup_whole (model, 0);

  g_assert_cmpuint (shown, ==, 6);
  g_assert_cmpuint (all, ==, 6);
  assert_tree (model, "a=\n b=1\n  c=2\nautoReport=\n all=true\nd=4\n=\n =\n  =5\nopt=\n X=on\n");
  g_assert_cmpstr (text, ==, "a\n  b: 1\n    c: 2");
  assert_key (model, 2, "/a/b/c");
  filtered = tsr_value_rows_new_options (pairs, " OPT.x  ON ", NULL, &shown, &all);
  assert_tree (filtered, "opt=\n X=on\n");
  without = tsr_value_rows_new_options (pairs, "-a -5 -o", NULL, &shown, &all);
  assert_tree (without, "d=4\n");
  recording = tsr_value_rows_new_options (pairs, NULL, tsr_option_is_recording, &shown, &all);
  g_assert_cmpuint (shown, ==, 1);
  g_assert_cmpuint (all, ==, 6);
  assert_tree (recording, "autoReport=\n all=true\n");
}

static void
test_recording (void)
{
  g_assert_true (tsr_option_is_recording ("autoReport.outputLoweredVars"));
  g_assert_true (tsr_option_is_recording ("debug.instrumentCompute"));
  g_assert_true (tsr_option_is_recording ("debug.allowOutOfMemory"));
  g_assert_true (tsr_option_is_recording ("profiler.includeFlopEstimates"));
  g_assert_false (tsr_option_is_recording ("debug.checkForNaNs"));
  g_assert_false (tsr_option_is_recording ("opt.internalExchangeOptimisationTarget"));
  g_assert_false (tsr_option_is_recording ("autoReport"));
}

static TsrJson *
read_json (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("app.json", bytes);
  g_autoptr (GError) error = NULL;
  TsrJson *json = tsr_json_read (source, NULL, &error);

  g_assert_no_error (error);
  return json;
}

static void
test_json (void)
{
  g_autoptr (TsrJson) json = read_json ("{\"a\": [1, {\"b\": null}], \"c\": \"x\", \"~d/e\": {}}");
  g_autoptr (TsrJson) single = read_json ("3.50");
  g_autoptr (TsrRows) model = tsr_value_rows_new_json (json);
  g_autoptr (TsrRows) one = tsr_value_rows_new_json (single);
  g_autofree char *text = tsr_rows_dup_whole (model, 0);
  g_autofree char *scalar = tsr_rows_dup_whole (model, 4);

  assert_tree (model, "a=\n [0]=1\n [1]=\n  b=null\nc=x\n~d/e=\n");
  assert_tree (one, "[0]=3.50\n");
  g_assert_cmpstr (text, ==, "a: [\n  1,\n  {\n    \"b\": null\n  }\n]");
  g_assert_cmpstr (scalar, ==, "c: x");
  assert_key (model, 3, "/a/[1]/b");
  assert_key (model, 5, "/~0d~1e");
  /* Rows outlive the caller's root. */
  g_clear_pointer (&json, tsr_json_unref);
  g_assert_cmpstr (tsr_rows_get_text (model, 0, 0), ==, "a");
}

/* Nobody can say which of two members is meant: both are there, each with its own key. */
static void
test_json_same_names (void)
{
  g_autoptr (TsrJson) json = read_json (
      "{\"a\": 1, \"b\": {\"x\": 1, \"x\": 2}, \"a\": {\"x\": 3}, \"a~#2\": 4, \"a\": 5}");
  g_autoptr (TsrRows) model = tsr_value_rows_new_json (json);
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  assert_tree (model, "a=1\nb=\n x=1\n x=2\na=\n x=3\na~#2=4\na=5\n");
  assert_key (model, 0, "/a");
  assert_key (model, 3, "/b/x~#2");
  assert_key (model, 5, "/a~#2/x");
  assert_key (model, 6, "/a~0#2");
  assert_key (model, 7, "/a~#3");
  for (guint32 row = 0; row < tsr_rows_get_n (model); row++)
    g_assert_true (g_hash_table_add (keys, tsr_rows_dup_key (model, row)));
}

/* A hundred thousand siblings, each with one row below it. */
static void
test_json_wide (void)
{
  GString *text = g_string_new ("[");
  g_autoptr (TsrJson) json = NULL;
  g_autoptr (TsrRows) model = NULL;
  const guint n = 100000;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s{\"k\": %u}", i > 0 ? "," : "", i);
  g_string_append_c (text, ']');
  json = read_json (text->str);
  model = tsr_value_rows_new_json (json);
  g_assert_cmpuint (tsr_rows_get_n (model), ==, 2 * n);
  for (guint i = 0; i < n; i += 9999)
    {
      g_autofree char *expected = g_strdup_printf ("%u", i);

      g_assert_cmpstr (tsr_rows_get_text (model, 2 * i + 1, 1), ==, expected);
      g_assert_cmpuint (tsr_rows_get_parent (model, 2 * i + 1), ==, 2 * i);
    }
  g_string_free (text, TRUE);
}

static void
test_columns (void)
{
  g_autoptr (GtkLayoutManager) layout = tsr_columns_layout_new (480, 4, 12);
  TsrColumnsLayout *columns = TSR_COLUMNS_LAYOUT (layout);

  /* Page widths at 640, 1280 and 2560 pixels of window, and something absurd. */
  g_assert_cmpint (tsr_columns_layout_get_n_columns (columns, 568), ==, 1);
  g_assert_cmpint (tsr_columns_layout_get_n_columns (columns, 1208), ==, 2);
  g_assert_cmpint (tsr_columns_layout_get_n_columns (columns, 2336), ==, 4);
  g_assert_cmpint (tsr_columns_layout_get_n_columns (columns, 10), ==, 1);
  g_assert_cmpint (tsr_columns_layout_get_n_columns (columns, 99999), ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/summary/rows", test_rows);
  g_test_add_func ("/summary/debug", test_debug);
  g_test_add_func ("/summary/assumed", test_assumed);
  g_test_add_func ("/summary/archive", test_archive);
  g_test_add_func ("/summary/text", test_text);
  g_test_add_func ("/summary/options", test_options);
  g_test_add_func ("/summary/recording", test_recording);
  g_test_add_func ("/summary/json", test_json);
  g_test_add_func ("/summary/json-same-names", test_json_same_names);
  g_test_add_func ("/summary/json-wide", test_json_wide);
  g_test_add_func ("/summary/columns", test_columns);
  return g_test_run ();
}

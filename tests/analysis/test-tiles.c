/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists of tiles as people type them, orders, physical tile ids. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-memory.h"
#include "tsr-test.h"

#include <string.h>

static TsrMemory *
make_memory (char *folder, guint tiles_per_ipu, guint ipus, gboolean target)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autofree char *sql = g_strdup_printf (
      "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps);"
      "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < %u)"
      "  INSERT INTO memory_by_tile SELECT i, i, i * 7919 %% 1009 FROM t;",
      tiles_per_ipu * ipus - 1);

  tsr_test_sql (folder, "profile.pop", sql);
  if (target)
    {
      g_autofree char *row
          = g_strdup_printf ("CREATE TABLE target (tiles_per_ipu, ipus_per_replica);"
                             "INSERT INTO target VALUES (%u, %u);",
                             tiles_per_ipu, ipus);

      tsr_test_sql (folder, "profile.pop", row);
    }
  report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  return tsr_memory_new (report);
}

static void
assert_tiles (TsrMemory *memory, const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) tiles = tsr_memory_parse_tiles (memory, text, &error);
  g_autofree char *formatted = NULL;

  g_assert_no_error (error);
  formatted = tsr_memory_format_tiles ((const guint *)(void *)tiles->data, tiles->len);
  g_assert_cmpstr (formatted, ==, expected);
}

static void
assert_refused (TsrMemory *memory, const char *text, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) tiles = tsr_memory_parse_tiles (memory, text, &error);

  g_assert_null (tiles);
  g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
  g_assert_nonnull (strstr (error->message, word));
}

static void
test_parse (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrMemory) memory = make_memory (folder, 1472, 2, TRUE);

  assert_tiles (memory, "", "");
  assert_tiles (memory, "0", "0");
  assert_tiles (memory, " 5 , 3,3 4 ", "3-5");
  assert_tiles (memory, "0,5,10-20", "0,5,10-20");
  assert_tiles (memory, "20 - 10", "10-20");
  assert_tiles (memory, "10–12", "10-12");
  assert_tiles (memory, "7,8", "7,8");
  assert_tiles (memory, "IPU1", "1472-2943");
  assert_tiles (memory, "ipu0,1472", "0-1472");
  assert_tiles (memory, "2943", "2943");
  assert_refused (memory, "5-2944", "no tile 2944");
  assert_refused (memory, "2944-5", "no tile 2944");
  assert_refused (memory, "4294967295", "no tile 4294967295");
  assert_refused (memory, "4294967296", "not a list");
  assert_refused (memory, "–3", "“-3”");
  assert_refused (memory, "2944", "no tile 2944: this report has tiles 0 to 2943");
  assert_refused (memory, "0-99999999999", "99999999999");
  assert_refused (memory, "ipu2", "no IPU 2: a replica of this report has IPUs 0 to 1");
  assert_refused (memory, "ipu", "ipu");
  assert_refused (memory, "ipx0", "not a list");
  assert_refused (memory, "tox5", "not a list");
  assert_refused (memory, "top0", "top0");
  assert_refused (memory, "1,two", "two");
  assert_refused (memory, "-3", "-3");
  assert_refused (memory, "1-2-3", "1-2-3");
  assert_refused (memory, "\xff", "");
  tsr_test_folder_free (folder);
}

/* The fullest by including gaps, ties to the lower tile: against SQL. */
static void
test_top (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrMemory) memory = make_memory (folder, 1472, 2, TRUE);
  g_autoptr (GArray) tiles = tsr_memory_parse_tiles (memory, "top5", NULL);
  g_autoptr (GArray) fullest = tsr_memory_parse_tiles (memory, "top1", NULL);

  assert_tiles (memory, "top3000", "0-2943");
  g_assert_cmpuint (fullest->len, ==, 1);
  g_assert_cmpint (
      g_array_index (fullest, guint, 0), ==,
      tsr_test_query (
          folder, "profile.pop",
          "SELECT tile FROM memory_by_tile ORDER BY including_gaps DESC, tile LIMIT 1"));
  g_assert_cmpuint (tiles->len, ==, 5);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *sql = g_strdup_printf (
          "SELECT count(*) FROM (SELECT tile FROM memory_by_tile ORDER BY including_gaps DESC, tile"
          " LIMIT 5) WHERE tile = %u",
          g_array_index (tiles, guint, i));

      g_assert_cmpint (tsr_test_query (folder, "profile.pop", sql), ==, 1);
    }
  tsr_test_folder_free (folder);
}

static void
test_ipu_not_known (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrMemory) memory = make_memory (folder, 10, 1, FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (tsr_memory_get_tiles_per_ipu (memory), ==, TSR_UNKNOWN);
  g_assert_null (tsr_memory_parse_tiles (memory, "ipu0", &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  g_assert_null (tsr_memory_dup_order (memory, TSR_ORDER_PHYSICAL, TSR_METRIC_TOTAL));
  tsr_test_folder_free (folder);
}

/* A report with one tile, and one that does not say how full its tiles are. */
static void
test_odd (void)
{
  char *folder = tsr_test_folder_new (), *other = tsr_test_folder_new ();
  g_autoptr (TsrMemory) one = make_memory (folder, 1, 1, FALSE);
  g_autoptr (TsrMemory) untold = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;

  assert_refused (one, "5", "no tile 5: this report has tiles 0 to 0");
  tsr_test_sql (other, "profile.pop",
                "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, always_live);"
                "INSERT INTO memory_by_tile VALUES (0, 5), (1, 7);");
  report = tsr_report_open_sync (place, other, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  untold = tsr_memory_new (report);
  assert_tiles (untold, "0-1", "0,1");
  g_assert_null (tsr_memory_parse_tiles (untold, "top1", &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_MISSING_PART);
  g_assert_cmpuint (tsr_memory_find_median_tile (untold, 0), ==, TSR_NO_INDEX);
  tsr_test_folder_free (folder);
  tsr_test_folder_free (other);
}

static void
test_order (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrMemory) memory = make_memory (folder, 1472, 2, TRUE);
  const gint64 *bytes = tsr_memory_peek (memory, TSR_METRIC_INCLUDING_GAPS);
  g_autofree guint *by_bytes
      = tsr_memory_dup_order (memory, TSR_ORDER_BYTES, TSR_METRIC_INCLUDING_GAPS);
  g_autofree guint *physical
      = tsr_memory_dup_order (memory, TSR_ORDER_PHYSICAL, TSR_METRIC_INCLUDING_GAPS);

  g_autofree guint *plain
      = tsr_memory_dup_order (memory, TSR_ORDER_SOFTWARE, TSR_METRIC_OVERFLOWED);

  g_assert_null (tsr_memory_dup_order (memory, TSR_ORDER_BYTES, TSR_METRIC_OVERFLOWED));
  for (guint i = 0; i < 2944; i++)
    g_assert_cmpuint (plain[i], ==, i);
  for (guint i = 1; i < 2944; i++)
    g_assert_true (
        bytes[by_bytes[i - 1]] > bytes[by_bytes[i]]
        || (bytes[by_bytes[i - 1]] == bytes[by_bytes[i]] && by_bytes[i - 1] < by_bytes[i]));
  for (guint i = 0; i < 2944; i++)
    {
      g_assert_cmpuint (physical[i] / 1472, ==, i / 1472);
      g_assert_cmpint (tsr_tile_get_physical (physical[i] % 1472, 1472), ==, i % 1472);
    }
  tsr_test_folder_free (folder);
}

/* A permutation of 0..1471 in which logical tile 2 is physical 64: the facts that are published. */
static void
test_physical (void)
{
  guint8 seen[1472] = { 0 };

  g_assert_cmpint (tsr_tile_get_physical (2, 1472), ==, 64);
  g_assert_cmpint (tsr_tile_get_physical (0, 1472), ==, 0);
  for (guint tile = 0; tile < 1472; tile++)
    {
      int physical = tsr_tile_get_physical (tile, 1472);

      g_assert_cmpint (physical, >=, 0);
      g_assert_cmpint (physical, <, 1472);
      g_assert_false (seen[physical]);
      seen[physical] = 1;
    }
  /* Blocks of 23 pairs, up and down. */
  for (int block = 0, tile = 0; block < 32; block++)
    for (int row = block % 2 == 0 ? 0 : 22; row >= 0 && row <= 22; row += block % 2 == 0 ? 1 : -1)
      for (int lane = 0; lane < 2; lane++)
        g_assert_cmpint (tsr_tile_get_physical (tile++, 1472), ==,
                         64 * row + 4 * (block / 2) + block % 2 + 2 * lane);
  g_assert_cmpint (tsr_tile_get_physical (0, 1216), ==, -1);
  g_assert_cmpint (tsr_tile_get_physical (1472, 1472), ==, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tiles/parse", test_parse);
  g_test_add_func ("/tiles/top", test_top);
  g_test_add_func ("/tiles/ipu-not-known", test_ipu_not_known);
  g_test_add_func ("/tiles/odd", test_odd);
  g_test_add_func ("/tiles/order", test_order);
  g_test_add_func ("/tiles/physical", test_physical);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Details tree against SQL on the same file, its columns for none, one, some and many tiles,
 * sorting and CSV. */

#include "config.h"

#include "memory-fixture.h"
#include "tsr-memory-details.h"
#include "tsr-rows-print.h"
#include "tsr-test.h"

#include <math.h>
#include <string.h>

/* Ten tiles of 10,000 bytes; tile 9 overflows. */
#define TABLES                                                                                     \
  "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile);" \
  "INSERT INTO target VALUES (5, 2, 1, 2, 10000);"                                                 \
  "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT, allocated_bytes INTEGER);"      \
  "INSERT INTO var_categories VALUES (0, 'stack', 1), (1, 'variable', 2), (2, 'controlCode', 3),"  \
  "  (3, 'controlId', 0);"                                                                         \
  "CREATE TABLE memory_by_tile_category (tile, category, region, non_overlapped, overlapped,"      \
  "  PRIMARY KEY (tile, category, region)) WITHOUT ROWID;"                                         \
  "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 9)"                    \
  "  INSERT INTO memory_by_tile_category SELECT i, id, r, 10 + i * 100 * (id + 1) + r, 6 * r"      \
  "  FROM t, var_categories, (SELECT 0 AS r UNION SELECT 1) WHERE id < 3;"                         \
  "CREATE TABLE memory_by_tile_region (tile, region, bytes, overlapped_bytes,"                     \
  "  PRIMARY KEY (tile, region)) WITHOUT ROWID;"                                                   \
  "INSERT INTO memory_by_tile_region SELECT tile, region, sum (non_overlapped) + 9 * region,"      \
  "  9 * region FROM memory_by_tile_category GROUP BY tile, region;"                               \
  "INSERT INTO memory_by_tile_region SELECT DISTINCT tile, 2, 0, 0 FROM memory_by_tile_region;"    \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps, excluding_gaps,"  \
  "  overflowed, always_live, not_always_live, peak_step);"                                        \
  "INSERT INTO memory_by_tile SELECT tile, sum (bytes), sum (bytes) + tile, sum (bytes),"          \
  "  max (0, sum (bytes) + tile - 10000), sum (bytes) / 2, sum (bytes) / 3, 40 - tile"             \
  "  FROM memory_by_tile_region GROUP BY tile;"

static int
find_row (TsrRows *table, const char *key)
{
  for (guint i = 0; i < tsr_rows_get_n (table); i++)
    {
      g_autofree char *own = tsr_rows_dup_key (table, i);

      if (strcmp (own, key) == 0)
        return i;
    }
  return -1;
}

/* Columns of numbers are counted from behind the name. */
static guint
get_n_columns (TsrRows *table)
{
  g_assert_cmpstr (tsr_rows_get_column (table, 0)->key, ==, "name");
  return tsr_rows_get_n_columns (table) - 1;
}

static gint64
get_value (TsrRows *table, int row, guint column)
{
  return tsr_rows_get_value (table, row, column + 1);
}

static double
get_fraction (TsrRows *table, int row, guint column)
{
  gint64 value = get_value (table, row, column);

  g_assert_cmpint (tsr_rows_get_column (table, column + 1)->kind, ==, TSR_VALUE_FRACTION);
  return value != TSR_UNKNOWN ? (double)value / 1e9 : NAN;
}

static const char *
get_title (TsrRows *table, guint column)
{
  return tsr_rows_get_column (table, column + 1)->title;
}

/* What each row is, asked of the file; %s: a condition on the tiles. */
static const struct
{
  const char *key;
  const char *sql;
} questions[] = {
  { "includingGaps", "SELECT sum (including_gaps) FROM memory_by_tile WHERE %s" },
  { "excludingGaps", "SELECT sum (excluding_gaps) FROM memory_by_tile WHERE %s" },
  { "region.nonInterleaved",
    "SELECT sum (bytes) FROM memory_by_tile_region WHERE region=0 AND %s" },
  { "region.interleaved", "SELECT sum (bytes) FROM memory_by_tile_region WHERE region=1 AND %s" },
  { "region.interleaved.shared",
    "SELECT sum (overlapped_bytes) FROM memory_by_tile_region WHERE region=1 AND %s" },
  { "region.overflowed", "SELECT sum (bytes) FROM memory_by_tile_region WHERE region=2 AND %s" },
  { "notOverlapped", "SELECT sum (non_overlapped) FROM memory_by_tile_category WHERE %s" },
  { "notOverlapped.variable",
    "SELECT sum (non_overlapped) FROM memory_by_tile_category WHERE category=1 AND %s" },
  { "overlapped", "SELECT sum (overlapped_bytes) FROM memory_by_tile_region WHERE %s" },
  { "overlapped.controlCode",
    "SELECT sum (overlapped) FROM memory_by_tile_category WHERE category=2 AND %s" },
  { "need",
    "SELECT sum (max (overflowed, including_gaps - 10000, 0)) FROM memory_by_tile WHERE %s" },
  { "alwaysLive", "SELECT sum (always_live) FROM memory_by_tile WHERE %s" },
  { "notAlwaysLive", "SELECT sum (not_always_live) FROM memory_by_tile WHERE %s" },
  { "packingLoss",
    "SELECT sum (excluding_gaps - always_live - not_always_live) FROM memory_by_tile WHERE %s" },
  { "gaps", "SELECT sum (including_gaps - excluding_gaps) FROM memory_by_tile WHERE %s" },
  { "free", "SELECT sum (max (10000 - including_gaps, 0)) FROM memory_by_tile WHERE %s" },
};

static void
assert_column (MemoryFixture *fixture, TsrRows *table, guint column, const char *where)
{
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    {
      GString *sql = g_string_new (questions[i].sql);
      int row = find_row (table, questions[i].key);

      g_string_replace (sql, "%s", where, 1);
      g_assert_cmpint (row, >=, 0);
      g_assert_cmpint (get_value (table, row, column), ==,
                       tsr_test_query (fixture->folder, "profile.pop", sql->str));
      g_string_free (sql, TRUE);
    }
}

static void
test_all (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autoptr (TsrRows) table = NULL;
  int row;

  memory_fixture_open (&fixture, TABLES);
  table = tsr_memory_details_new (fixture.memory, NULL, 0);
  g_assert_cmpuint (get_n_columns (table), ==, 2);
  assert_column (&fixture, table, 0, "1");
  row = find_row (table, "excludingGaps");
  g_assert_cmpfloat_with_epsilon (get_fraction (table, row, 1),
                                  get_value (table, row, 0) / 100000.0, 1e-12);
  g_assert_cmpint (tsr_rows_get_parent (table, find_row (table, "byRegion")), ==, row);
  g_assert_true (tsr_rows_is_heading (table, find_row (table, "byType")));
  /* No physical tile without a tile; no row for what does not occur. */
  g_assert_cmpint (find_row (table, "physicalTile"), ==, -1);
  g_assert_cmpint (find_row (table, "notOverlapped.controlId"), ==, -1);
  g_assert_cmpint (get_value (table, find_row (table, "peakStep"), 0), ==, TSR_UNKNOWN);
  {
    g_autofree char *text
        = tsr_rows_dup_text (table, find_row (table, "peakStep"), 1, TSR_UNITS_BINARY);

    g_assert_cmpstr (text, ==, "–");
  }
}

static void
test_one (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autoptr (TsrRows) table = NULL;
  g_autofree char *step = NULL;
  g_autofree char *difference = NULL;
  int row;

  memory_fixture_open (&fixture, TABLES);
  table = tsr_memory_details_new (fixture.memory, (guint[]){ 9 }, 1);
  g_assert_cmpuint (get_n_columns (table), ==, 3);
  g_assert_cmpstr (get_title (table, 0), ==, "Tile 9");
  assert_column (&fixture, table, 0, "tile = 9");
  /* Tiles grow with their number: of the five of its IPU the middle one is tile 7. */
  g_assert_nonnull (strstr (get_title (table, 2), "tile 7"));
  row = find_row (table, "includingGaps");
  g_assert_cmpint (get_value (table, row, 2), ==,
                   tsr_test_query (fixture.folder, "profile.pop",
                                   "SELECT (SELECT including_gaps FROM memory_by_tile WHERE tile=9)"
                                   " - including_gaps FROM memory_by_tile WHERE tile=7"));
  row = find_row (table, "peakStep");
  g_assert_cmpint (get_value (table, row, 0), ==, 31);
  g_assert_cmpint (get_value (table, row, 2), ==, TSR_UNKNOWN);
  step = tsr_rows_dup_text (table, row, 1, TSR_UNITS_BINARY);
  g_assert_cmpstr (step, ==, "31");
  difference = tsr_rows_dup_text (table, find_row (table, "gaps"), 3, TSR_UNITS_BYTES);
  g_assert_cmpstr (difference, ==, "+2 B");
  /* IPUs of 5 tiles: nobody knows where they lie. */
  g_assert_cmpint (get_value (table, find_row (table, "physicalTile"), 0), ==, TSR_UNKNOWN);
}

/* What a tile is compared with is what Insights compares it with: tiles without a vertex only copy.
 */
static void
test_median (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autoptr (TsrRows) table = NULL;

  memory_fixture_open (&fixture,
                       TABLES "INSERT INTO var_categories VALUES (4, 'vertexCode', 3);"
                              "INSERT INTO memory_by_tile_category SELECT tile, 4, 0, tile > 7, 0"
                              "  FROM memory_by_tile;");
  /* Of tiles 5 to 9 only 8 and 9 compute; of 0 to 4 none, so all count. */
  g_assert_cmpuint (tsr_memory_find_median_tile (fixture.memory, 5), ==, 8);
  g_assert_cmpuint (tsr_memory_find_median_tile (fixture.memory, 0), ==, 2);
  table = tsr_memory_details_new (fixture.memory, (guint[]){ 6 }, 1);
  g_assert_nonnull (strstr (get_title (table, 2), "tile 8"));
  g_assert_cmpint (get_value (table, find_row (table, "includingGaps"), 2), ==,
                   tsr_test_query (fixture.folder, "profile.pop",
                                   "SELECT (SELECT including_gaps FROM memory_by_tile WHERE tile=6)"
                                   " - including_gaps FROM memory_by_tile WHERE tile=8"));
}

static void
test_some (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autoptr (TsrRows) table = NULL;

  memory_fixture_open (&fixture, TABLES);
  table = tsr_memory_details_new (fixture.memory, (guint[]){ 1, 4, 9, 1000 }, 4);
  g_assert_cmpuint (get_n_columns (table), ==, 3);
  assert_column (&fixture, table, 0, "tile = 1");
  assert_column (&fixture, table, 1, "tile = 4");
  assert_column (&fixture, table, 2, "tile = 9");
}

static void
test_many (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autoptr (TsrRows) table = NULL;
  int row;

  memory_fixture_open (&fixture, TABLES);
  table = tsr_memory_details_new (fixture.memory, (guint[]){ 1, 2, 3, 4, 5, 6, 8 }, 7);
  g_assert_cmpuint (get_n_columns (table), ==, 5);
  g_assert_cmpstr (get_title (table, 0), ==, "Selection (7 tiles)");
  g_assert_cmpstr (get_title (table, 4), ==, "Fullest: tile 8");
  assert_column (&fixture, table, 0, "tile IN (1, 2, 3, 4, 5, 6, 8)");
  assert_column (&fixture, table, 4, "tile = 8");
  row = find_row (table, "notOverlapped.stack");
  for (guint c = 1; c <= 3; c++)
    {
      static const char *const functions[] = { "", "round (avg (s))", "min (s)", "max (s)" };
      g_autofree char *sql = g_strdup_printf (
          "SELECT %s FROM (SELECT sum (non_overlapped) AS s FROM memory_by_tile_category"
          " WHERE category = 0 AND tile IN (1, 2, 3, 4, 5, 6, 8) GROUP BY tile)",
          functions[c]);

      g_assert_cmpint (get_value (table, row, c), ==,
                       tsr_test_query (fixture.folder, "profile.pop", sql));
    }
  /* Steps have a least and a largest, no sum and no mean. */
  row = find_row (table, "peakStep");
  g_assert_cmpint (get_value (table, row, 0), ==, TSR_UNKNOWN);
  g_assert_cmpint (get_value (table, row, 1), ==, TSR_UNKNOWN);
  g_assert_cmpint (get_value (table, row, 2), ==, 32);
  g_assert_cmpint (get_value (table, row, 3), ==, 39);
}

static void
test_csv (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autoptr (TsrRows) table = NULL;
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL;
  guint tiles[10];
  gboolean found = FALSE;

  for (guint i = 0; i < 10; i++)
    tiles[i] = i;
  memory_fixture_open (&fixture, TABLES);
  table = tsr_memory_details_new_each (fixture.memory, tiles, 10);
  csv = tsr_rows_dup_csv (table, NULL);
  lines = g_strsplit (csv, "\r\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "name,tile0,tile1,"));
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i],
                          "Memory excluding gaps / By data type / Not overlapped / Stack"))
      {
        g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);

        g_assert_cmpuint (g_strv_length (fields), ==, 11);
        for (guint t = 0; t < 10; t++)
          {
            g_autofree char *sql = g_strdup_printf (
                "SELECT sum (non_overlapped) FROM memory_by_tile_category WHERE category = 0 AND "
                "tile = %u",
                t);

            g_assert_cmpint (g_ascii_strtoll (fields[t + 1], NULL, 10), ==,
                             tsr_test_query (fixture.folder, "profile.pop", sql));
          }
        found = TRUE;
      }
  g_assert_true (found);
}

static void
test_confirmed_only (void)
{
  g_auto (MemoryFixture) fixture = { 0 };
  g_autoptr (TsrRows) table = NULL;
  g_autofree char *unknown = NULL;

  memory_fixture_open (&fixture, "CREATE TABLE memory_by_tile (total);"
                                 "INSERT INTO memory_by_tile VALUES (10), (30), (20);");
  table = tsr_memory_details_new (fixture.memory, (guint[]){ 1 }, 1);
  g_assert_cmpint (get_value (table, find_row (table, "total"), 0), ==, 30);
  g_assert_cmpint (get_value (table, find_row (table, "total"), 2), ==, 10);
  unknown = tsr_rows_dup_exact (table, find_row (table, "includingGaps"), 1);
  g_assert_cmpstr (unknown, ==, "–");
  g_assert_true (isnan (get_fraction (table, find_row (table, "total"), 1)));
}

/* Without what is not overlapped, sizes of variables stand for it: of the whole, as the file sums
 * them up, or where all are listed of any tiles.  The largest first, and none that is nowhere. */
static void
test_allocated (void)
{
  static const char *const more[]
      = { "",
          "CREATE TABLE vars_info (id INTEGER PRIMARY KEY, tile, category, size_bytes);"
          "INSERT INTO vars_info (tile, category, size_bytes) SELECT tile, category, 3 * tile + "
          "category FROM memory_by_tile, (SELECT id AS category FROM var_categories WHERE id < "
          "3);" };
  static const char *const names[] = { "controlCode", "variable", "stack" };

  for (guint way = 0; way < G_N_ELEMENTS (more); way++)
    {
      g_auto (MemoryFixture) fixture = { 0 };
      g_autoptr (TsrRows) all = NULL, tile = NULL;
      g_autofree char *sql
          = g_strconcat (TABLES "DROP TABLE memory_by_tile_category;", more[way], NULL);
      const char *heading = way == 0 ? "allocated" : "allocatedByTile";
      int row;

      memory_fixture_open (&fixture, sql);
      all = tsr_memory_details_new (fixture.memory, NULL, 0);
      tile = tsr_memory_details_new (fixture.memory, (guint[]){ 4 }, 1);
      row = find_row (all, heading);
      g_assert_cmpint (row, >=, 0);
      g_assert_cmpint (tsr_rows_is_heading (all, row), ==, way == 0);
      g_assert_cmpint (get_value (tile, find_row (tile, heading), 0), ==,
                       way == 0 ? TSR_UNKNOWN : 3 * 3 * 4 + 0 + 1 + 2);
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        {
          g_autofree char *key = g_strconcat (heading, ".", names[i], NULL);
          int one = find_row (all, key);

          g_assert_cmpint (one, ==, row + 1 + (int)i);
          g_assert_cmpint (tsr_rows_get_parent (all, one), ==, row);
          g_assert_cmpint (get_value (all, one, 0), ==, way == 0 ? 3 - i : 3 * 45 + 10 * (2 - i));
          g_assert_cmpint (get_value (tile, find_row (tile, key), 0), ==,
                           way == 0 ? TSR_UNKNOWN : 3 * 4 + 2 - i);
        }
      g_assert_cmpint (tsr_rows_get_end (all, row), ==, row + 4);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/details/all", test_all);
  g_test_add_func ("/details/one", test_one);
  g_test_add_func ("/details/median", test_median);
  g_test_add_func ("/details/some", test_some);
  g_test_add_func ("/details/many", test_many);
  g_test_add_func ("/details/csv", test_csv);
  g_test_add_func ("/details/allocated", test_allocated);
  g_test_add_func ("/details/confirmed-only", test_confirmed_only);
  return g_test_run ();
}

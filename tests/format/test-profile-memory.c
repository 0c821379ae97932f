/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory by tile: tiles, categories, regions, and sums over vars_info.  Right numbers are compared
 * with SQL on the same file; every kind of damage has its own case. */

#include "config.h"

#include "profile-test.h"

#include "tsr-error.h"

static void
read_tiles (Fixture *fixture, gint64 hint, TsrTileRows *rows)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (tsr_profile_read_tiles (fixture->profile, hint, rows, &error));
  g_assert_no_error (error);
}

static void
test_tiles (Fixture *fixture, gconstpointer data)
{
  const guint n = 2944;
  TsrTileRows rows;

  make (fixture, "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps,"
                 " peak_step);"
                 "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 2943)"
                 " INSERT INTO memory_by_tile SELECT i, (i * 7919) % 638976, NULL, i % 13 FROM t;"
                 /* An index that has all the columns, in another order. */
                 "CREATE INDEX other_order ON memory_by_tile (total, including_gaps, peak_step)");
  read_tiles (fixture, n, &rows);
  g_assert_cmpuint (rows.n_tiles, ==, n);
  for (guint i = 0; i < n; i += 97)
    {
      g_autofree char *sql
          = g_strdup_printf ("SELECT total FROM memory_by_tile WHERE tile = %u", i);

      g_assert_cmpint (rows.total[i], ==, tsr_test_query (fixture->folder, "profile.pop", sql));
      g_assert_cmpint (rows.including_gaps[i], ==, TSR_UNKNOWN);
      g_assert_cmpint (rows.peak_step[i], ==, i % 13);
    }
  g_assert_null (rows.overflowed);
  tsr_tile_rows_clear (&rows);
  read_tiles (fixture, TSR_UNKNOWN, &rows);
  g_assert_cmpuint (rows.n_tiles, ==, n);
  tsr_tile_rows_clear (&rows);
  expect_no_diagnostics (fixture);
}

/* The confirmed part of the table: rows count in rowid order, whatever index there is. */
static void
test_without_tile_column (Fixture *fixture, gconstpointer data)
{
  TsrTileRows rows;

  make (fixture, "CREATE TABLE memory_by_tile (total INTEGER);"
                 "CREATE INDEX i ON memory_by_tile (total);"
                 "INSERT INTO memory_by_tile (rowid, total) VALUES (10, 30), (20, 10), (15, 20)");
  read_tiles (fixture, TSR_UNKNOWN, &rows);
  g_assert_cmpuint (rows.n_tiles, ==, 3);
  g_assert_cmpint (rows.total[0], ==, 30);
  g_assert_cmpint (rows.total[1], ==, 20);
  g_assert_cmpint (rows.total[2], ==, 10);
  expect_no_diagnostics (fixture);
  tsr_tile_rows_clear (&rows);

  read_tiles (fixture, 2, &rows);
  g_assert_cmpuint (rows.n_tiles, ==, 2);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile", 20);
  tsr_tile_rows_clear (&rows);

  read_tiles (fixture, 5, &rows);
  g_assert_cmpuint (rows.n_tiles, ==, 5);
  g_assert_cmpint (rows.total[3], ==, TSR_UNKNOWN);
  expect_diagnostic (fixture, "rows-missing", "memory_by_tile", TSR_NO_ROW);
  tsr_tile_rows_clear (&rows);
}

static void
test_bad_tiles (Fixture *fixture, gconstpointer data)
{
  TsrTileRows rows;

  make (fixture,
        "CREATE TABLE memory_by_tile (id INTEGER PRIMARY KEY, tile, total, excluding_gaps);"
        "INSERT INTO memory_by_tile VALUES (1, 0, 100, 90), (2, 1, -5, 80), (3, 2, '12', 70),"
        " (4, NULL, 1, 1), (5, 'x', 1, 1), (6, 9, 1, 1), (7, -1, 1, 1), (8, 1099511627776, 1, 1),"
        " (9, 0, 101, 90), (10, 3, 9007199254740993, 1.0), (11, 3.0, NULL, 1),"
        " (12, 4, x'00', 2.5)");
  read_tiles (fixture, 6, &rows);
  g_assert_cmpuint (rows.n_tiles, ==, 6);
  g_assert_cmpint (rows.total[0], ==, TSR_UNKNOWN); /* two rows differ */
  g_assert_cmpint (rows.excluding_gaps[0], ==, 90); /* and agree */
  g_assert_cmpint (rows.total[1], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.excluding_gaps[1], ==, 80);
  g_assert_cmpint (rows.total[2], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.total[3], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.excluding_gaps[3], ==, 1);
  g_assert_cmpint (rows.total[4], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.excluding_gaps[4], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.total[5], ==, TSR_UNKNOWN);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile", 2);
  expect_diagnostic (fixture, "value-of-wrong-type", "memory_by_tile", 3);
  expect_diagnostic (fixture, "value-missing", "memory_by_tile", 4);
  expect_diagnostic (fixture, "value-of-wrong-type", "memory_by_tile", 5);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile", 6);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile", 7);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile", 8);
  expect_diagnostic (fixture, "row-repeated", "memory_by_tile", 9);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile", 10);
  expect_diagnostic (fixture, "row-repeated", "memory_by_tile", 11);
  expect_diagnostic (fixture, "value-of-wrong-type", "memory_by_tile", 12);
  expect_diagnostic (fixture, "rows-missing", "memory_by_tile", TSR_NO_ROW);
  tsr_tile_rows_clear (&rows);
}

/* Without a target there are as many tiles as rows; a table WITHOUT ROWID names its tile. */
static void
test_tiles_without_target (Fixture *fixture, gconstpointer data)
{
  TsrTileRows rows;

  make (fixture, "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total) WITHOUT ROWID;"
                 "INSERT INTO memory_by_tile VALUES (0, 1), (1, 2), (77, 3)");
  read_tiles (fixture, TSR_UNKNOWN, &rows);
  g_assert_cmpuint (rows.n_tiles, ==, 3);
  g_assert_cmpint (rows.total[1], ==, 2);
  g_assert_cmpint (rows.total[2], ==, TSR_UNKNOWN);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile", 77);
  tsr_tile_rows_clear (&rows);
}

static void
test_absurd_targets (Fixture *fixture, gconstpointer data)
{
  static const gint64 hints[] = { TSR_MAX_TILES, (gint64)1 << 31, (gint64)1 << 40, G_MAXINT64 };

  make (fixture, "CREATE TABLE memory_by_tile (tile, total);"
                 "INSERT INTO memory_by_tile VALUES (0, 1), (2, 2)");
  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    {
      TsrTileRows rows;

      read_tiles (fixture, hints[i], &rows);
      g_assert_cmpuint (rows.n_tiles, ==, 3); /* those that rows name */
      g_assert_cmpint (rows.total[2], ==, 2);
      tsr_tile_rows_clear (&rows);
    }
  expect_diagnostic (fixture, "limit", "target", TSR_NO_ROW);
}

/* As many tiles as there may be, and one more. */
static void
test_most_tiles (Fixture *fixture, gconstpointer data)
{
  TsrTileRows rows;

  g_assert_cmpint (TSR_MAX_TILES, ==, 1048576);
  for (guint more = 0; more < 2; more++)
    {
      g_autofree char *sql = g_strdup_printf (
          "CREATE TABLE memory_by_tile (total); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT"
          " i + 1 FROM n WHERE i < %u) INSERT INTO memory_by_tile SELECT i FROM n",
          TSR_MAX_TILES + more);

      make (fixture, sql);
      read_tiles (fixture, TSR_UNKNOWN, &rows);
      g_assert_cmpuint (rows.n_tiles, ==, TSR_MAX_TILES);
      g_assert_cmpint (rows.total[TSR_MAX_TILES - 1], ==, TSR_MAX_TILES);
      if (more == 0)
        expect_no_diagnostics (fixture);
      else
        expect_diagnostic (fixture, "limit", "memory_by_tile", TSR_MAX_TILES + 1);
      tsr_tile_rows_clear (&rows);
    }
  /* One whose number is too large is none of them. */
  make (fixture, "CREATE TABLE memory_by_tile AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT"
                 " i + 1 FROM n WHERE i < 1048576) SELECT i AS tile, i AS total FROM n;"
                 "INSERT INTO memory_by_tile VALUES (0, 0)");
  read_tiles (fixture, TSR_UNKNOWN, &rows);
  g_assert_cmpuint (rows.n_tiles, ==, TSR_MAX_TILES);
  g_assert_cmpint (rows.total[TSR_MAX_TILES - 1], ==, TSR_MAX_TILES - 1);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile", TSR_MAX_TILES);
  tsr_tile_rows_clear (&rows);
}

/* ------------------------------------------------------------- categories */

static void
test_categories (Fixture *fixture, gconstpointer data)
{
  TsrCategoryRows rows;

  make (fixture, "CREATE TABLE var_categories (id, name, allocated_bytes);"
                 "INSERT INTO var_categories VALUES (9, 'stack', 7), (2, 'constant', NULL),"
                 " (4, NULL, -1), (2, 'again', 5), ('x', 'y', 1), (NULL, 'z', 1)");
  g_assert_true (tsr_profile_read_categories (fixture->profile, &rows, NULL));
  g_assert_cmpuint (rows.n_categories, ==, 3);
  g_assert_cmpint (rows.ids[0], ==, 2);
  g_assert_cmpint (rows.ids[1], ==, 4);
  g_assert_cmpint (rows.ids[2], ==, 9);
  g_assert_cmpstr (rows.names[0], ==, "constant");
  g_assert_cmpstr (rows.names[1], ==, "category 4");
  g_assert_cmpint (rows.allocated[0], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.allocated[1], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.allocated[2], ==, 7);
  expect_diagnostic (fixture, "id-repeated", "var_categories", TSR_NO_ROW);
  expect_diagnostic (fixture, "value-of-wrong-type", "var_categories", 5);
  expect_diagnostic (fixture, "value-missing", "var_categories", 6);
  tsr_category_rows_clear (&rows);
}

static const char allocations[]
    = "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"
      "INSERT INTO var_categories VALUES (1, 'variable'), (2, 'stack'), (3, 'none');"
      "CREATE TABLE vars_info (id INTEGER PRIMARY KEY, tile, size_bytes, category);"
      "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 9999)"
      " INSERT INTO vars_info SELECT i, i % 17, (i * 31) % 1000, 1 + i % 2 FROM t;"
      "CREATE INDEX by_category ON vars_info (category, size_bytes, tile)";

static void
test_scan (Fixture *fixture, gconstpointer data)
{
  TsrCategoryRows rows;
  g_autofree gint64 *cells = NULL;

  make (fixture, allocations);
  g_assert_true (tsr_profile_read_categories (fixture->profile, &rows, NULL));
  rows.allocated[1] = 5; /* told by the file: stays */
  g_assert_true (tsr_profile_scan_allocated (fixture->profile, &rows, NULL, NULL));
  g_assert_cmpint (rows.allocated[0], ==,
                   tsr_test_query (fixture->folder, "profile.pop",
                                   "SELECT sum(size_bytes) FROM vars_info WHERE category = 1"));
  g_assert_cmpint (rows.allocated[1], ==, 5);
  g_assert_cmpint (rows.allocated[2], ==, 0);
  g_assert_true (
      tsr_profile_scan_allocated_by_tile (fixture->profile, &rows, 17, NULL, &cells, NULL));
  for (guint category = 0; category < 3; category++)
    for (guint tile = 0; tile < 17; tile++)
      {
        g_autofree char *sql = g_strdup_printf ("SELECT total(size_bytes) FROM vars_info"
                                                " WHERE category = %u AND tile = %u",
                                                category + 1, tile);

        g_assert_cmpint (cells[category * 17 + tile], ==,
                         tsr_test_query (fixture->folder, "profile.pop", sql));
      }
  expect_no_diagnostics (fixture);
  tsr_category_rows_clear (&rows);
}

/* Rows that name no category are an entry of their own, also where the file tells the rest. */
static void
test_unknown_category (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sql
      = g_strconcat (allocations, "; UPDATE vars_info SET category = NULL WHERE id % 7 = 0", NULL);

  make (fixture, sql);
  for (guint told = 0; told < 2; told++)
    {
      TsrCategoryRows rows;
      g_autofree gint64 *cells = NULL;
      guint unknown = 3;

      g_assert_true (tsr_profile_read_categories (fixture->profile, &rows, NULL));
      if (!told)
        g_assert_true (tsr_profile_scan_allocated (fixture->profile, &rows, NULL, NULL));
      g_assert_true (
          tsr_profile_scan_allocated_by_tile (fixture->profile, &rows, 17, NULL, &cells, NULL));
      g_assert_cmpuint (rows.n_categories, ==, 4);
      g_assert_cmpstr (rows.names[unknown], ==, TSR_UNKNOWN_CATEGORY);
      g_assert_cmpint (rows.allocated[unknown], ==,
                       tsr_test_ask (fixture->folder, "SELECT sum (size_bytes) FROM vars_info "
                                                      "WHERE category IS NULL"));
      for (guint tile = 0; tile < 17; tile++)
        {
          gint64 sum = 0;

          for (guint category = 0; category < 4; category++)
            sum += cells[category * 17 + tile];
          g_assert_cmpint (cells[unknown * 17 + tile], ==,
                           tsr_test_ask (fixture->folder,
                                         "SELECT total (size_bytes) FROM vars_info "
                                         "WHERE category IS NULL AND tile = %u",
                                         tile));
          g_assert_cmpint (sum, ==,
                           tsr_test_ask (fixture->folder,
                                         "SELECT total (size_bytes) FROM vars_info WHERE tile = %u",
                                         tile));
        }
      tsr_category_rows_clear (&rows);
    }
}

/* Without one of the columns that are added up nothing is known, not even nothing. */
static void
test_scan_without (Fixture *fixture, gconstpointer data)
{
  static const char *const columns[] = { "size_bytes", "category", "tile" };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    for (guint n_tiles = 1; n_tiles < 3; n_tiles++)
      {
        g_autofree char *sql
            = g_strdup_printf ("CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"
                               "INSERT INTO var_categories VALUES (1, 'stack');"
                               "CREATE TABLE vars_info (tile, size_bytes, category);"
                               "INSERT INTO vars_info VALUES (0, 10, 1), (1, 7, 1);"
                               "ALTER TABLE vars_info RENAME COLUMN %s TO other",
                               columns[i]);
        TsrCategoryRows rows;
        g_autofree gint64 *cells = NULL;

        make (fixture, sql);
        g_assert_true (tsr_profile_read_categories (fixture->profile, &rows, NULL));
        g_assert_true (tsr_profile_scan_allocated (fixture->profile, &rows, NULL, NULL));
        g_assert_cmpuint (rows.n_categories, ==, 1);
        g_assert_cmpint (rows.allocated[0], ==, i < 2 ? TSR_UNKNOWN : 17);
        g_assert_true (tsr_profile_scan_allocated_by_tile (fixture->profile, &rows, n_tiles, NULL,
                                                           &cells, NULL));
        g_assert_null (cells);
        tsr_category_rows_clear (&rows);
      }
}

static void
test_bad_scan (Fixture *fixture, gconstpointer data)
{
  TsrCategoryRows rows;
  g_autofree gint64 *cells = NULL;

  make (fixture, "CREATE TABLE vars_info (tile, size_bytes, category);"
                 "INSERT INTO vars_info VALUES (0, 10, 1), (0, NULL, 1), (0, 7, 8), (1, 20, 1),"
                 " (99, 5, 8), (0, 5, NULL), (0, -1, 3), (0, 9007199254740992, 4), (2, 1, 8)");
  g_assert_true (tsr_profile_read_categories (fixture->profile, &rows, NULL));
  g_assert_cmpuint (rows.n_categories, ==, 0);
  g_assert_true (tsr_profile_scan_allocated (fixture->profile, &rows, NULL, NULL));
  g_assert_cmpuint (rows.n_categories, ==, 5);
  g_assert_cmpstr (rows.names[0], ==, "category 1");
  g_assert_cmpint (rows.allocated[0], ==, TSR_UNKNOWN); /* a size is missing */
  g_assert_cmpint (rows.allocated[1], ==, 13);
  g_assert_cmpstr (rows.names[2], ==, "unknown");
  g_assert_cmpint (rows.ids[2], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.allocated[2], ==, 5);
  g_assert_cmpint (rows.allocated[3], ==, TSR_UNKNOWN); /* negative */
  g_assert_cmpint (rows.allocated[4], ==, (gint64)1 << 53);
  g_assert_true (
      tsr_profile_scan_allocated_by_tile (fixture->profile, &rows, 2, NULL, &cells, NULL));
  g_assert_cmpint (cells[0], ==, TSR_UNKNOWN);
  g_assert_cmpint (cells[1], ==, 20);
  g_assert_cmpint (cells[2], ==, 7);
  g_assert_cmpint (cells[3], ==, 0); /* one beyond the last tile is on none */
  g_assert_cmpint (cells[4], ==, 5);
  g_assert_cmpint (cells[5], ==, 0);
  g_assert_cmpuint (rows.n_categories, ==, 5);
  expect_diagnostic (fixture, "value-missing", "vars_info", 2);
  expect_diagnostic (fixture, "value-missing", "vars_info", 6);
  expect_diagnostic (fixture, "value-out-of-range", "vars_info", 5);
  expect_diagnostic (fixture, "value-out-of-range", "vars_info", 7);
  tsr_category_rows_clear (&rows);
}

/* As many as have a number of 16 bits; the rest is told of, and in no sum. */
static void
test_many_categories (Fixture *fixture, gconstpointer data)
{
  TsrCategoryRows rows;
  g_autofree gint64 *cells = NULL;
  g_autoptr (GError) error = NULL;

  make (fixture, "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"
                 "WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 65599)"
                 " INSERT INTO var_categories SELECT i, 'c' || i FROM c;"
                 "CREATE TABLE vars_info (tile, size_bytes, category);"
                 "INSERT INTO vars_info VALUES (0, 10, 65534), (0, 20, 65535), (1, 30, 65534)");
  g_assert_true (tsr_profile_read_categories (fixture->profile, &rows, NULL));
  g_assert_cmpuint (rows.n_categories, ==, 65535);
  g_assert_cmpstr (rows.names[65534], ==, "c65534");
  expect_diagnostic (fixture, "limit", "var_categories", 65535);
  g_assert_true (tsr_profile_scan_allocated (fixture->profile, &rows, NULL, NULL));
  g_assert_cmpuint (rows.n_categories, ==, 65535);
  g_assert_cmpint (rows.allocated[65534], ==, 40);
  g_assert_cmpint (rows.allocated[65533], ==, 0);
  expect_diagnostic (fixture, "limit", "vars_info", 2);
  /* Cells of many tiles are more than such a file tells of. */
  g_assert_false (
      tsr_profile_scan_allocated_by_tile (fixture->profile, &rows, 1472, NULL, &cells, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_LIMIT);
  g_assert_null (cells);
  /* Some eight millions may always be. */
  g_assert_true (
      tsr_profile_scan_allocated_by_tile (fixture->profile, &rows, 100, NULL, &cells, NULL));
  g_assert_cmpint (cells[65534 * 100], ==, 10);
  tsr_category_rows_clear (&rows);
}

/* ---------------------------------------------------------------- regions */

static void
test_regions (Fixture *fixture, gconstpointer data)
{
  TsrRegionRows rows;

  make (fixture, "CREATE TABLE memory_by_tile_region (tile INTEGER, region INTEGER, bytes INTEGER,"
                 " overlapped_bytes INTEGER);"
                 "INSERT INTO memory_by_tile_region VALUES (1, 1, 30, 3), (0, 0, 10, 1),"
                 " (0, 2, NULL, 5), (7, 0, 1, 1), (0, 3, 1, 1), (1, 1, 31, 3);"
                 "CREATE TABLE r AS SELECT tile, region, CAST (bytes AS REAL) AS bytes,"
                 " overlapped_bytes FROM memory_by_tile_region;"
                 "INSERT INTO r VALUES (3, 0, 0.0, 9007199254740992.0), (3, 1, -1.0, 0.5);"
                 "DROP TABLE memory_by_tile_region; ALTER TABLE r RENAME TO memory_by_tile_region");
  g_assert_true (tsr_profile_read_regions (fixture->profile, 4, &rows, NULL));
  g_assert_true (rows.present);
  g_assert_cmpint (rows.bytes[0][0], ==, 10);
  g_assert_cmpint (rows.bytes[1][0], ==, 0); /* left out: nothing there */
  g_assert_cmpint (rows.bytes[2][0], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.overlapped[2][0], ==, 5);
  g_assert_cmpint (rows.bytes[0][1], ==, 0);
  g_assert_cmpint (rows.bytes[1][1], ==, TSR_UNKNOWN); /* told twice */
  g_assert_cmpint (rows.overlapped[1][1], ==, 3);
  g_assert_cmpint (rows.bytes[0][2], ==, TSR_UNKNOWN); /* no row at all */
  /* Reals that are whole, the least and the largest; and others. */
  g_assert_cmpint (rows.bytes[0][3], ==, 0);
  g_assert_cmpint (rows.overlapped[0][3], ==, (gint64)1 << 53);
  g_assert_cmpint (rows.bytes[1][3], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.overlapped[1][3], ==, TSR_UNKNOWN);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile_region", 8);
  expect_diagnostic (fixture, "value-of-wrong-type", "memory_by_tile_region", 8);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile_region", 4);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile_region", 5);
  expect_diagnostic (fixture, "row-repeated", "memory_by_tile_region", 6);
  tsr_region_rows_clear (&rows);

  /* Of two columns either may be alone. */
  for (guint with_bytes = 0; with_bytes < 2; with_bytes++)
    {
      g_autofree char *sql
          = g_strdup_printf ("CREATE TABLE memory_by_tile_region (tile, region, %s);"
                             "INSERT INTO memory_by_tile_region VALUES (1, 0, 7)",
                             with_bytes ? "bytes" : "overlapped_bytes");

      make (fixture, sql);
      g_assert_true (tsr_profile_read_regions (fixture->profile, 2, &rows, NULL));
      g_assert_true (rows.present);
      for (guint r = 0; r < TSR_N_REGIONS; r++)
        {
          const gint64 *told = with_bytes ? rows.bytes[r] : rows.overlapped[r];

          g_assert_null (with_bytes ? rows.overlapped[r] : rows.bytes[r]);
          g_assert_cmpint (told[1], ==, r == 0 ? 7 : 0);
          g_assert_cmpint (told[0], ==, TSR_UNKNOWN);
        }
      tsr_region_rows_clear (&rows);
    }

  make (fixture, "CREATE TABLE memory_by_tile_region (tile, bytes);"
                 "INSERT INTO memory_by_tile_region VALUES (0, 1)");
  g_assert_true (tsr_profile_read_regions (fixture->profile, 3, &rows, NULL));
  g_assert_false (rows.present);
  expect_diagnostic (fixture, "column-missing", "memory_by_tile_region", TSR_NO_ROW);
}

/* -------------------------------------------------------- tile categories */

static void
test_tile_categories (Fixture *fixture, gconstpointer data)
{
  TsrCategoryRows categories;
  TsrTileCategoryRows rows;
  gint64 sum = 0;

  make (fixture, "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"
                 "INSERT INTO var_categories VALUES (1, 'variable'), (2, 'stack');"
                 "CREATE TABLE memory_by_tile_category (tile, category, region, non_overlapped,"
                 " overlapped, PRIMARY KEY (tile, category, region)) WITHOUT ROWID;"
                 "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 99)"
                 " INSERT INTO memory_by_tile_category SELECT i / 4, 1 + i % 2, (i / 2) % 2,"
                 " i * 3, i FROM t WHERE i / 4 <> 7");
  g_assert_true (tsr_profile_read_categories (fixture->profile, &categories, NULL));
  g_assert_true (tsr_profile_read_tile_categories (fixture->profile, 25, &categories, &rows, NULL));
  g_assert_true (rows.present);
  g_assert_cmpuint (rows.tile_start[25], ==, 96);
  g_assert_cmpuint (rows.tile_start[8] - rows.tile_start[7], ==, 0);
  for (guint i = rows.tile_start[3]; i < rows.tile_start[4]; i++)
    sum += rows.non_overlapped[i];
  g_assert_cmpint (sum, ==,
                   tsr_test_query (fixture->folder, "profile.pop",
                                   "SELECT sum(non_overlapped) FROM memory_by_tile_category"
                                   " WHERE tile = 3"));
  for (guint t = 0; t < 25; t++)
    for (guint i = rows.tile_start[t] + 1; i < rows.tile_start[t + 1]; i++)
      g_assert_true (
          rows.category[i - 1] < rows.category[i]
          || (rows.category[i - 1] == rows.category[i] && rows.region[i - 1] < rows.region[i]));
  expect_no_diagnostics (fixture);
  tsr_tile_category_rows_clear (&rows);
  tsr_category_rows_clear (&categories);
}

/* Few rows in every order: each is where it belongs, and of two for one place the first counts. */
static void
test_few_tile_categories (Fixture *fixture, gconstpointer data)
{
  /* Tile, category, region. */
  static const guint places[][3]
      = { { 0, 1, 0 }, { 0, 1, 1 }, { 0, 2, 0 }, { 1, 1, 0 }, { 2, 2, 1 } };
  const guint n = G_N_ELEMENTS (places);

  for (guint first = 0; first < n; first++)
    for (guint second = 0; second < n; second++)
      {
        const guint rows_of[] = { first, second };
        const guint low = MIN (first, second), high = MAX (first, second);
        g_autoptr (GString) sql
            = g_string_new ("CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"
                            "INSERT INTO var_categories VALUES (1, 'variable'), (2, 'stack');"
                            "CREATE TABLE memory_by_tile_category (tile, category, region,"
                            " non_overlapped, overlapped);");
        TsrCategoryRows categories;
        TsrTileCategoryRows rows;

        for (guint i = 0; i < 2; i++)
          g_string_append_printf (
              sql, "INSERT INTO memory_by_tile_category VALUES (%u, %u, %u, %u, %u);",
              places[rows_of[i]][0], places[rows_of[i]][1], places[rows_of[i]][2],
              first == second ? 7 : 10 + rows_of[i], first == second ? 8 : 20 + rows_of[i]);
        make (fixture, sql->str);
        g_assert_true (tsr_profile_read_categories (fixture->profile, &categories, NULL));
        g_assert_true (
            tsr_profile_read_tile_categories (fixture->profile, 3, &categories, &rows, NULL));
        g_assert_true (rows.present);
        g_assert_cmpuint (rows.n_tiles, ==, 3);
        g_assert_cmpuint (rows.tile_start[0], ==, 0);
        g_assert_cmpuint (rows.tile_start[3], ==, first == second ? 1 : 2);
        for (guint i = 0; i < rows.tile_start[3]; i++)
          {
            const guint place = i == 0 ? low : high;
            const guint tile = places[place][0];

            g_assert_cmpuint (rows.tile_start[tile], <=, i);
            g_assert_cmpuint (rows.tile_start[tile + 1], >, i);
            g_assert_cmpint (categories.ids[rows.category[i]], ==, places[place][1]);
            g_assert_cmpuint (rows.region[i], ==, places[place][2]);
            g_assert_cmpint (rows.non_overlapped[i], ==, first == second ? 7 : 10 + place);
            g_assert_cmpint (rows.overlapped[i], ==, first == second ? 8 : 20 + place);
          }
        if (first == second)
          expect_diagnostic (fixture, "row-repeated", "memory_by_tile_category", places[first][0]);
        else
          expect_no_diagnostics (fixture);
        tsr_tile_category_rows_clear (&rows);
        tsr_category_rows_clear (&categories);
      }
}

static void
test_bad_tile_categories (Fixture *fixture, gconstpointer data)
{
  TsrCategoryRows categories;
  TsrTileCategoryRows rows;

  make (fixture, "CREATE TABLE memory_by_tile_category (tile, category, region, non_overlapped,"
                 " overlapped);"
                 "INSERT INTO memory_by_tile_category VALUES (1, 5, 0, 10, 0), (0, 6, 1, 20, 0),"
                 " (1, 5, 0, 11, 0), (2, 5, 0, 1, 1), (0, 5, 9, 1, 1), (0, NULL, 0, 1, 1),"
                 " (0, 5, 0, -1, 'x')");
  g_assert_true (tsr_profile_read_categories (fixture->profile, &categories, NULL));
  g_assert_true (tsr_profile_read_tile_categories (fixture->profile, 2, &categories, &rows, NULL));
  g_assert_cmpuint (categories.n_categories, ==, 2);
  g_assert_cmpstr (categories.names[0], ==, "category 5");
  g_assert_cmpuint (rows.tile_start[1], ==, 2);
  g_assert_cmpuint (rows.tile_start[2], ==, 3);
  g_assert_cmpint (rows.non_overlapped[0], ==, TSR_UNKNOWN);
  g_assert_cmpint (rows.non_overlapped[1], ==, 20);
  g_assert_cmpint (rows.non_overlapped[2], ==, TSR_UNKNOWN); /* told twice */
  g_assert_cmpint (rows.overlapped[2], ==, 0);
  expect_diagnostic (fixture, "reference-broken", "memory_by_tile_category", 1);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile_category", 4);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile_category", 5);
  expect_diagnostic (fixture, "value-missing", "memory_by_tile_category", 6);
  expect_diagnostic (fixture, "value-out-of-range", "memory_by_tile_category", 7);
  expect_diagnostic (fixture, "value-of-wrong-type", "memory_by_tile_category", 7);
  expect_diagnostic (fixture, "row-repeated", "memory_by_tile_category", 1);
  tsr_tile_category_rows_clear (&rows);
  tsr_category_rows_clear (&categories);
}

/* Without rows, or one of the columns that say where, there is nothing; and that is no error. */
static void
test_no_tile_categories (Fixture *fixture, gconstpointer data)
{
  static const char *const columns[] = { "tile", "category", "region", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autofree char *sql = g_strdup_printf (
          "CREATE TABLE memory_by_tile_category (tile, category, region, non_overlapped,"
          " overlapped); %s %s %s",
          columns[i] != NULL ? "INSERT INTO memory_by_tile_category VALUES (0, 1, 0, 5, 0); ALTER "
                               "TABLE memory_by_tile_category RENAME COLUMN"
                             : "",
          columns[i] != NULL ? columns[i] : "", columns[i] != NULL ? "TO other" : "");
      TsrCategoryRows categories;
      TsrTileCategoryRows rows;

      make (fixture, sql);
      g_assert_true (tsr_profile_read_categories (fixture->profile, &categories, NULL));
      g_assert_true (
          tsr_profile_read_tile_categories (fixture->profile, 2, &categories, &rows, NULL));
      g_assert_false (rows.present);
      g_assert_cmpuint (rows.n_tiles, ==, 2);
      g_assert_cmpuint (categories.n_categories, ==, 0);
      if (columns[i] != NULL)
        expect_diagnostic (fixture, "column-missing", "memory_by_tile_category", TSR_NO_ROW);
      else
        expect_no_diagnostics (fixture);
      tsr_tile_category_rows_clear (&rows);
      tsr_category_rows_clear (&categories);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/profile-memory/tiles", test_tiles);
  add ("/profile-memory/without-tile-column", test_without_tile_column);
  add ("/profile-memory/bad-tiles", test_bad_tiles);
  add ("/profile-memory/tiles-without-target", test_tiles_without_target);
  add ("/profile-memory/absurd-targets", test_absurd_targets);
  add ("/profile-memory/most-tiles", test_most_tiles);
  add ("/profile-memory/categories", test_categories);
  add ("/profile-memory/scan", test_scan);
  add ("/profile-memory/many-categories", test_many_categories);
  add ("/profile-memory/no-tile-categories", test_no_tile_categories);
  add ("/profile-memory/bad-scan", test_bad_scan);
  add ("/profile-memory/unknown-category", test_unknown_category);
  add ("/profile-memory/regions", test_regions);
  add ("/profile-memory/tile-categories", test_tile_categories);
  add ("/profile-memory/few-tile-categories", test_few_tile_categories);
  add ("/profile-memory/bad-tile-categories", test_bad_tile_categories);
  add ("/profile-memory/scan-without", test_scan_without);
  return g_test_run ();
}

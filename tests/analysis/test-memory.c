/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums over tiles against SQL on the same file, and what is unknown staying unknown. */

#include "config.h"

#include "tsr-category.h"
#include "tsr-memory.h"
#include "tsr-test.h"

#include <string.h>

#define N_TILES 60

/* Three IPUs of 20 tiles with numbers from a small hash; tile 7 has no rows by category though it
 * holds bytes. */
#define TABLES                                                                                     \
  "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile);" \
  "INSERT INTO target VALUES (20, 3, 1, 3, 5000);"                                                 \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps, excluding_gaps,"  \
  "  overflowed, always_live, not_always_live, peak_step);"                                        \
  "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 59)"                   \
  "  INSERT INTO memory_by_tile SELECT i, i * 7919 % 4001, i * 7919 % 4001 + i * 31,"              \
  "    i * 7919 % 4001, max (i * 7919 % 4001 + i * 31 - 5000, 0), i * 3, i * 5, i FROM t;"         \
  "CREATE TABLE memory_by_tile_region (tile, region, bytes, overlapped_bytes,"                     \
  "  PRIMARY KEY (tile, region)) WITHOUT ROWID;"                                                   \
  "INSERT INTO memory_by_tile_region SELECT tile, r, total * (r + 1) / 6, tile * r"                \
  "  FROM memory_by_tile, (SELECT 0 AS r UNION SELECT 1 UNION SELECT 2);"                          \
  "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT, allocated_bytes INTEGER);"      \
  "INSERT INTO var_categories VALUES (2, 'variable', 100), (5, 'stack', NULL),"                    \
  "  (11, 'somethingNew', 300);"                                                                   \
  "CREATE TABLE memory_by_tile_category (tile, category, region, non_overlapped, overlapped,"      \
  "  PRIMARY KEY (tile, category, region)) WITHOUT ROWID;"                                         \
  "INSERT INTO memory_by_tile_category SELECT tile, id, r, tile * id + r, tile + r"                \
  "  FROM memory_by_tile, var_categories, (SELECT 0 AS r UNION SELECT 1 UNION SELECT 2)"           \
  "  WHERE tile <> 7 AND (tile + id + r) % 4 <> 0;"

static TsrMemory *
open_memory (const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (tsr_report_get_memory_tables (report));
  return tsr_memory_new (report);
}

/* In the order of TsrMetric. */
static const char *const columns[]
    = { "total",       "including_gaps",  "excluding_gaps", "overflowed",
        "always_live", "not_always_live", "peak_step" };

static gint64
ask (const char *folder, const char *format, const char *where)
{
  g_autofree char *sql = g_strdup_printf ("%s WHERE %s", format, where);

  return tsr_test_query (folder, "profile.pop", sql);
}

static void
compare_figures (
    TsrMemory *memory, const char *folder, const guint *tiles, guint n_tiles, const char *where)
{
  g_auto (TsrMemoryFigures) figures;

  memset (&figures, 0x55, sizeof figures); /* nothing of it is taken */
  tsr_memory_get_figures (memory, tiles, n_tiles, &figures);
  for (guint m = 0; m < TSR_N_METRICS; m++)
    {
      g_autofree char *sum = g_strdup_printf ("SELECT sum(%s) FROM memory_by_tile", columns[m]);

      g_assert_cmpint (figures.metrics[m], ==,
                       m == TSR_METRIC_PEAK_STEP && n_tiles > 1 ? TSR_UNKNOWN
                                                                : ask (folder, sum, where));
    }
  for (guint r = 0; r < TSR_N_REGIONS; r++)
    {
      g_autofree char *and_region = g_strdup_printf ("%s AND region = %u", where, r);

      g_assert_cmpint (figures.regions[r], ==,
                       ask (folder, "SELECT sum(bytes) FROM memory_by_tile_region", and_region));
      g_assert_cmpint (
          figures.region_overlapped[r], ==,
          ask (folder, "SELECT sum(overlapped_bytes) FROM memory_by_tile_region", and_region));
    }
  g_assert_cmpuint (figures.n_categories, ==, 3);
  for (guint c = 0; c < 3; c++)
    {
      static const int ids[] = { 2, 5, 11 };
      g_autofree char *and_category = g_strdup_printf ("%s AND category = %d", where, ids[c]);

      g_assert_cmpint (
          figures.non_overlapped[c], ==,
          ask (folder, "SELECT total(non_overlapped) FROM memory_by_tile_category", and_category));
      g_assert_cmpint (
          figures.overlapped[c], ==,
          ask (folder, "SELECT total(overlapped) FROM memory_by_tile_category", and_category));
      for (guint r = 0; r < TSR_N_REGIONS; r++)
        for (guint o = 0; o < 2; o++)
          {
            g_autofree char *and_region = g_strdup_printf ("%s AND region = %u", and_category, r);

            g_assert_cmpint (figures.by_region[o][r][c], ==,
                             ask (folder,
                                  o == 0
                                      ? "SELECT total(non_overlapped) FROM memory_by_tile_category"
                                      : "SELECT total(overlapped) FROM memory_by_tile_category",
                                  and_region));
          }
    }
  tsr_memory_figures_clear (&figures);
  g_assert_cmpuint (figures.n_categories, ==, 0);
}

static void
test_figures (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrMemory) memory = NULL;
  const guint some[] = { 3, 20, 59 };
  const guint one[] = { 42 };
  g_auto (TsrMemoryFigures) figures = { 0 };

  tsr_test_sql (folder, "profile.pop", TABLES);
  memory = open_memory (folder);
  g_assert_cmpuint (tsr_memory_get_n_tiles (memory), ==, N_TILES);
  g_assert_cmpuint (tsr_memory_get_n_ipus (memory), ==, 3);
  g_assert_cmpuint (tsr_memory_get_ipu (memory, 39), ==, 1);
  g_assert_cmpuint (tsr_memory_get_ipu (memory, 40), ==, 2);
  compare_figures (memory, folder, some, 3, "tile IN (3, 20, 59)");
  compare_figures (memory, folder, one, 1, "tile = 42");

  /* Tile 7 has bytes and no rows by category: the whole replica's categories are not known. */
  tsr_memory_get_figures (memory, NULL, 0, &figures);
  g_assert_cmpint (figures.metrics[TSR_METRIC_TOTAL], ==,
                   tsr_test_query (folder, "profile.pop", "SELECT sum(total) FROM memory_by_tile"));
  for (guint c = 0; c < 3; c++)
    {
      g_assert_cmpint (figures.non_overlapped[c], ==, TSR_UNKNOWN);
      g_assert_cmpint (figures.overlapped[c], ==, TSR_UNKNOWN);
      for (guint r = 0; r < TSR_N_REGIONS; r++)
        for (guint o = 0; o < 2; o++)
          g_assert_cmpint (figures.by_region[o][r][c], ==, TSR_UNKNOWN);
    }
  g_assert_cmpint (figures.metrics[TSR_METRIC_PEAK_STEP], ==, TSR_UNKNOWN);
  tsr_test_folder_free (folder);
}

/* A number is known where one tile has it. */
static void
test_known (void)
{
  static const char *const wheres[] = { "tile < 0", "tile < 59", "tile > 0", "tile >= 0" };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    for (guint j = 0; j < G_N_ELEMENTS (wheres); j++)
      {
        char *folder = tsr_test_folder_new ();
        g_autoptr (TsrMemory) memory = NULL;
        g_autofree char *sql = g_strdup_printf ("UPDATE memory_by_tile SET %s = NULL WHERE %s",
                                                columns[i], wheres[j]);

        tsr_test_sql (folder, "profile.pop", TABLES);
        tsr_test_sql (folder, "profile.pop", sql);
        memory = open_memory (folder);
        for (guint k = 0; k < G_N_ELEMENTS (columns); k++)
          g_assert_cmpint (tsr_memory_is_known (memory, k), ==, k != i || j < 3);
        g_assert_cmpint (tsr_memory_get_fullness_metric (memory), ==,
                         i == TSR_METRIC_INCLUDING_GAPS && j == 3 ? TSR_METRIC_EXCLUDING_GAPS
                                                                  : TSR_METRIC_INCLUDING_GAPS);
        tsr_test_folder_free (folder);
      }
}

/* However many tiles an IPU has, the IPUs have all tiles, in order. */
static void
test_ipus (void)
{
  static const guint sizes[] = { 0, 1, 7, 20, 59, 60, 61, 1000 };
  static const char *const capacities[] = { "NULL", "-5", "0", "1", "5000" };
  char *folder = tsr_test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;

  tsr_test_sql (folder, "profile.pop", TABLES);
  report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (TsrMemory) memory = tsr_memory_new_with_tiles_per_ipu (report, sizes[i]);
      guint first, end = 0;

      g_assert_cmpint (tsr_memory_get_tiles_per_ipu (memory), ==, i > 0 ? sizes[i] : TSR_UNKNOWN);
      g_assert_cmpint (tsr_memory_is_tiles_per_ipu_assumed (memory), ==, i > 0);
      for (guint ipu = 0, before = 0; ipu < tsr_memory_get_n_ipus (memory); ipu++, before = end)
        {
          tsr_memory_get_ipu_tiles (memory, ipu, &first, &end);
          g_assert_cmpuint (first, ==, before);
          g_assert_cmpuint (end, >, first);
          for (guint tile = first; tile < end; tile++)
            g_assert_cmpuint (tsr_memory_get_ipu (memory, tile), ==, ipu);
        }
      g_assert_cmpuint (end, ==, N_TILES);
    }
  for (guint i = 0; i < G_N_ELEMENTS (capacities); i++)
    {
      g_autofree char *sql
          = g_strdup_printf ("UPDATE target SET bytes_per_tile = %s", capacities[i]);
      g_autoptr (TsrMemory) memory = NULL;

      tsr_test_sql (folder, "profile.pop", sql);
      memory = open_memory (folder);
      g_assert_false (tsr_memory_is_tiles_per_ipu_assumed (memory));
      g_assert_cmpint (tsr_memory_get_capacity (memory), ==,
                       i < 3 ? TSR_UNKNOWN : g_ascii_strtoll (capacities[i], NULL, 10));
    }
  {
    g_autoptr (TsrMemory) memory = NULL;

    tsr_test_sql (folder, "profile.pop",
                  "UPDATE memory_by_tile SET including_gaps = NULL, excluding_gaps = NULL");
    memory = open_memory (folder);
    g_assert_cmpint (tsr_memory_get_fullness_metric (memory), ==, TSR_METRIC_TOTAL);
  }
  tsr_test_folder_free (folder);
}

static void
test_categories (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrMemory) memory = NULL;

  tsr_test_sql (folder, "profile.pop", TABLES);
  memory = open_memory (folder);
  g_assert_true (tsr_memory_has_categories (memory));
  g_assert_false (tsr_memory_are_categories_allocated (memory));
  g_assert_cmpstr (tsr_memory_get_category_label (memory, 0), ==, "Variables");
  g_assert_cmpstr (tsr_memory_get_category_label (memory, 2), ==, "somethingNew");
  g_assert_null (tsr_memory_get_category_meaning (memory, 2));
  for (guint overlapped = 0; overlapped < 2; overlapped++)
    {
      g_autofree gint64 *values = tsr_memory_dup_category (memory, 1, overlapped);

      for (guint tile = 0; tile < N_TILES; tile++)
        {
          g_autofree char *where = g_strdup_printf ("tile = %u AND category = 5", tile);
          gint64 expected
              = ask (folder,
                     overlapped ? "SELECT total(overlapped) FROM memory_by_tile_category"
                                : "SELECT total(non_overlapped) FROM memory_by_tile_category",
                     where);

          g_assert_cmpint (values[tile], ==, tile == 7 ? TSR_UNKNOWN : expected);
        }
    }
  {
    g_autofree gint64 *shared = tsr_memory_dup_shared (memory);

    for (guint tile = 0; tile < N_TILES; tile++)
      g_assert_cmpint (shared[tile], ==, tile * 3);
  }
  tsr_test_folder_free (folder);
}

/* A tile without rows by category holds nothing, or what it holds is not told. */
static void
test_without_rows (void)
{
  static const char *const changes[]
      = { "UPDATE memory_by_tile SET excluding_gaps = 1 WHERE tile = 7",
          "UPDATE memory_by_tile SET excluding_gaps = 0 WHERE tile = 7",
          "UPDATE memory_by_tile SET excluding_gaps = NULL WHERE tile = 7",
          "ALTER TABLE memory_by_tile DROP COLUMN excluding_gaps" };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      char *folder = tsr_test_folder_new ();
      g_autoptr (TsrMemory) memory = NULL;
      g_autofree gint64 *values = NULL;

      tsr_test_sql (folder, "profile.pop", TABLES);
      tsr_test_sql (folder, "profile.pop", changes[i]);
      memory = open_memory (folder);
      values = tsr_memory_dup_category (memory, 0, FALSE);
      g_assert_cmpint (values[7], ==, i == 0 ? TSR_UNKNOWN : 0);
      tsr_test_folder_free (folder);
    }
}

/* The tiles that a median is taken of are those with code or state of vertices. */
static void
test_median_tile (void)
{
  static const char *const names[] = { "vertexCode", "vertexInstanceState" };

  for (guint i = 0; i < 9; i++)
    {
      const guint places[] = { i % 3, i / 3 };
      gint64 *bytes[] = { NULL, NULL };
      char *folder = tsr_test_folder_new ();
      g_autoptr (TsrMemory) memory = NULL;
      guint first, end;

      tsr_test_sql (folder, "profile.pop", TABLES);
      tsr_test_sql (folder, "profile.pop",
                    "UPDATE memory_by_tile_category SET non_overlapped = 0 WHERE (tile * 7 + "
                    "category) % 5 > 1");
      for (guint k = 0; k < 2; k++)
        {
          g_autofree char *sql
              = g_strdup_printf ("UPDATE var_categories SET name = '%s' WHERE id = %u", names[k],
                                 places[k] == 0 ? 2 : places[k] * 6 - 1);

          tsr_test_sql (folder, "profile.pop", sql);
        }
      memory = open_memory (folder);
      /* One category for both has the second name. */
      for (guint k = places[0] == places[1]; k < 2; k++)
        bytes[k] = tsr_memory_dup_category (memory, places[k], FALSE);
      for (guint ipu = 0; ipu < 3; ipu++)
        {
          tsr_memory_get_ipu_tiles (memory, ipu, &first, &end);
          g_assert_cmpuint (tsr_memory_find_median_tile (memory, end - 1), ==,
                            tsr_median_tile (tsr_memory_peek (memory, TSR_METRIC_INCLUDING_GAPS),
                                             bytes[0], bytes[1], first, end));
        }
      g_free (bytes[0]);
      g_free (bytes[1]);
      tsr_test_folder_free (folder);
    }
}

/* Without rows by category they are what the variables have allocated, and without these unknown.
 */
static void
test_allocated_categories (void)
{
  for (guint has_variables = 0; has_variables < 2; has_variables++)
    {
      char *folder = tsr_test_report_new ("tiny");
      g_autoptr (TsrMemory) memory = NULL;
      g_auto (TsrMemoryFigures) figures = { 0 };

      tsr_test_sql (folder, "profile.pop",
                    has_variables ? "DROP TABLE memory_by_tile_category"
                                  : "DROP TABLE memory_by_tile_category; DROP TABLE vars_info");
      memory = open_memory (folder);
      tsr_memory_get_figures (memory, NULL, 0, &figures);
      g_assert_cmpint (tsr_memory_has_categories (memory), ==, has_variables);
      g_assert_cmpint (tsr_memory_are_categories_allocated (memory), ==, has_variables);
      g_assert_cmpuint (figures.n_categories, ==,
                        tsr_test_ask (folder, "SELECT count(*) FROM var_categories"));
      for (guint c = 0; c < figures.n_categories; c++)
        {
          g_autofree gint64 *by_tile = tsr_memory_dup_category (memory, c, FALSE);
          gint64 wanted = TSR_UNKNOWN;

          g_assert_cmpint (by_tile[0] == TSR_UNKNOWN, ==, !has_variables);
          if (has_variables)
            wanted = tsr_test_ask (folder,
                                   "SELECT total(size_bytes) FROM vars_info v JOIN var_categories c"
                                   " ON c.id = v.category WHERE c.name = '%s'",
                                   tsr_memory_get_category_name (memory, c));
          g_assert_cmpint (figures.non_overlapped[c], ==, wanted);
          g_assert_cmpint (figures.overlapped[c], ==, TSR_UNKNOWN);
        }
      tsr_test_folder_free (folder);
    }
}

/* What does not fit on each tile, and how many those are, with the first tile over and not. */
static void
test_need (void)
{
  static const char *const changes[]
      = { "UPDATE memory_by_tile SET"
          "  including_gaps = CASE tile % 4 WHEN 3 THEN NULL ELSE 4999 + tile % 4 END,"
          "  overflowed = CASE tile % 7 WHEN 6 THEN NULL WHEN 5 THEN 9 ELSE tile % 7 % 2 END",
          "UPDATE memory_by_tile SET overflowed = tile = 0",
          "UPDATE target SET bytes_per_tile = NULL",
          "ALTER TABLE memory_by_tile DROP COLUMN including_gaps",
          "ALTER TABLE memory_by_tile DROP COLUMN overflowed" };
  char *folder = tsr_test_folder_new ();

  tsr_test_sql (folder, "profile.pop", TABLES);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (TsrMemory) memory = NULL;
      g_autofree gint64 *need = NULL;
      const gint64 *including, *overflowed;
      guint n = 0;

      tsr_test_sql (folder, "profile.pop", changes[i]);
      memory = open_memory (folder);
      including = tsr_memory_peek (memory, TSR_METRIC_INCLUDING_GAPS);
      overflowed = tsr_memory_peek (memory, TSR_METRIC_OVERFLOWED);
      need = tsr_memory_dup_need (memory);
      for (guint tile = 0; tile < N_TILES; tile++)
        {
          gint64 wanted = TSR_UNKNOWN;

          if (overflowed != NULL)
            wanted = overflowed[tile];
          if (including != NULL && including[tile] != TSR_UNKNOWN && i != 2)
            wanted = MAX (wanted, MAX (including[tile] - 5000, 0));
          g_assert_cmpint (need[tile], ==, wanted);
          g_assert_cmpint (tsr_memory_get_need (memory, tile), ==, wanted);
          n += wanted > 0;
        }
      g_assert_cmpuint (tsr_memory_get_n_overflowing (memory), ==, n);
      if (i == 2)
        tsr_test_sql (folder, "profile.pop", "UPDATE target SET bytes_per_tile = 5000");
    }
  tsr_test_folder_free (folder);
}

static void
test_statistics (void)
{
  const gint64 values[] = { 5, 9, 1, 9, 4, TSR_UNKNOWN };
  const guint some[] = { 1, 2, 3 }, beyond[] = { 1, 6 };
  TsrStatistics out;

  tsr_memory_get_statistics (values, 5, NULL, 0, &out);
  g_assert_cmpint (out.sum, ==, 28);
  g_assert_cmpint (out.min, ==, 1);
  g_assert_cmpint (out.max, ==, 9);
  g_assert_cmpint (out.median, ==, 5);
  g_assert_cmpuint (out.max_tile, ==, 1);
  g_assert_cmpuint (out.min_tile, ==, 2);
  g_assert_cmpfloat_with_epsilon (out.mean, 5.6, 1e-12);
  tsr_memory_get_statistics (values, 6, some, 3, &out);
  g_assert_cmpint (out.sum, ==, 19);
  g_assert_cmpint (out.median, ==, 9);
  tsr_memory_get_statistics (values, 6, beyond, 2, &out);
  g_assert_cmpint (out.sum, ==, TSR_UNKNOWN);
  tsr_memory_get_statistics (values, 6, NULL, 0, &out);
  g_assert_cmpint (out.sum, ==, TSR_UNKNOWN);
  g_assert_cmpint (out.min, ==, TSR_UNKNOWN);
  g_assert_cmpint (out.max, ==, TSR_UNKNOWN);
  g_assert_cmpint (out.median, ==, TSR_UNKNOWN);
  g_assert_cmpuint (out.min_tile, ==, G_MAXUINT);
  g_assert_cmpuint (out.max_tile, ==, G_MAXUINT);
}

/* Few different values, of all tiles or of some, against counts of those that are smaller. */
static void
check_statistics (const gint64 *values, guint n, const guint *tiles, guint n_tiles)
{
  double sum = 0;
  TsrStatistics out;

  tsr_memory_get_statistics (values, n, tiles, n_tiles, &out);
  g_assert_cmpint (values[out.min_tile], ==, out.min);
  g_assert_cmpint (values[out.max_tile], ==, out.max);
  for (guint i = 0; i < n_tiles; i++)
    {
      const gint64 value = values[tiles[i]];
      guint smaller = 0, same = 0;

      for (guint k = 0; k < n_tiles; k++)
        {
          smaller += values[tiles[k]] < value;
          same += values[tiles[k]] == value;
        }
      if (smaller <= (n_tiles - 1) / 2 && smaller + same > (n_tiles - 1) / 2)
        g_assert_cmpint (out.median, ==, value);
      g_assert_true (out.min < value || (out.min == value && out.min_tile <= tiles[i]));
      g_assert_true (out.max > value || (out.max == value && out.max_tile <= tiles[i]));
      sum += (double)value;
    }
  g_assert_cmpint (out.sum, ==, (gint64)sum);
  g_assert_cmpfloat_with_epsilon (out.mean, sum / n_tiles, 1e-12);
}

/* Of those that compute, if any do, the one before which half of the others come. */
static void
check_median (const gint64 *values, const gint64 *code, const gint64 *state, guint first, guint end)
{
  const guint median = tsr_median_tile (values, code, state, first, end);
  gboolean counts[12] = { FALSE }, any = FALSE;
  guint n = 0, before = 0;

  for (guint t = first; t < end; t++)
    {
      counts[t] = values[t] != TSR_UNKNOWN
                  && ((code != NULL && code[t] != 0) || (state != NULL && state[t] != 0));
      any |= counts[t];
    }
  for (guint t = first; t < end; t++)
    {
      counts[t] = any ? counts[t] : values[t] != TSR_UNKNOWN;
      n += counts[t];
    }
  g_assert_cmpint (median == TSR_NO_INDEX, ==, n == 0);
  if (n == 0)
    return;
  g_assert_true (counts[median]);
  for (guint t = first; t < end; t++)
    before
        += counts[t] && (values[t] < values[median] || (values[t] == values[median] && t < median));
  g_assert_cmpuint (before, ==, (n - 1) / 2);
}

static void
test_random_statistics (void)
{
  for (guint seed = 0; seed < 400; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      gint64 values[12], code[12], state[12];
      guint tiles[12], n = (guint)g_rand_int_range (rand, 1, 13), n_tiles = 0;

      for (guint i = 0; i < n; i++)
        {
          values[i] = g_rand_int_range (rand, 0, 6);
          values[i] = values[i] == 5 && seed % 2 == 0 ? TSR_UNKNOWN : values[i];
          code[i] = g_rand_int_range (rand, 0, 4) == 0 ? g_rand_int_range (rand, -1, 2) : 0;
          state[i] = g_rand_int_range (rand, 0, 4) == 0;
          if (values[i] != TSR_UNKNOWN && g_rand_boolean (rand))
            tiles[n_tiles++] = i;
        }
      for (guint i = 1; i < n_tiles && seed % 3 == 0; i++) /* in any order */
        {
          guint k = (guint)g_rand_int_range (rand, 0, (gint32)i + 1), tile = tiles[i];

          tiles[i] = tiles[k];
          tiles[k] = tile;
        }
      if (n_tiles > 0)
        check_statistics (values, n, tiles, n_tiles);
      check_median (values, seed % 3 > 0 ? code : NULL, seed % 5 > 0 ? state : NULL,
                    (guint)g_rand_int_range (rand, 0, (gint32)n + 1), n);
    }
}

/* Every known category has a label and a meaning of its own; what the file does not tell is none.
 */
static void
test_known_categories (void)
{
  g_autoptr (GHashTable) labels = g_hash_table_new (g_str_hash, g_str_equal);
  const char *name;
  guint n = 0;

  for (; (name = tsr_category_get_known (n)) != NULL; n++)
    {
      g_assert_false (tsr_category_is_unknown (name));
      g_assert_true (g_hash_table_add (labels, (gpointer)tsr_category_get_label (name)));
      g_assert_true (g_hash_table_add (labels, (gpointer)tsr_category_get_meaning (name)));
    }
  g_assert_cmpuint (n, ==, 24);
  g_assert_true (tsr_category_is_unknown (TSR_UNKNOWN_CATEGORY));
  g_assert_true (
      g_hash_table_add (labels, (gpointer)tsr_category_get_label (TSR_UNKNOWN_CATEGORY)));
  g_assert_cmpstr (tsr_category_get_label ("somethingNew"), ==, "somethingNew");
  g_assert_null (tsr_category_get_meaning ("somethingNew"));
}

static guint
count_diagnostics (TsrReport *report, const char *code)
{
  TsrDiagnostics *diagnostics = tsr_report_get_diagnostics (report);
  guint n = 0;

  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    n += strcmp (tsr_diagnostics_get (diagnostics, i)->code, code) == 0;
  return n;
}

static void
test_saturating (void)
{
  char *folder = tsr_test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrMemory) memory = NULL;
  const guint some[] = { 3, 20, 59 };
  g_auto (TsrMemoryFigures) figures = { 0 };

  tsr_test_sql (folder, "profile.pop",
                "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total);"
                "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 1471)"
                "  INSERT INTO memory_by_tile SELECT i, 9007199254740992 FROM t;");
  report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  memory = tsr_memory_new (report);
  tsr_memory_get_figures (memory, some, 3, &figures);
  g_assert_cmpint (figures.metrics[TSR_METRIC_TOTAL], ==, 3 * 9007199254740992);
  g_assert_cmpuint (count_diagnostics (report, "sum-too-large"), ==, 0);
  for (guint i = 0; i < 2; i++) /* said once */
    {
      tsr_memory_figures_clear (&figures);
      tsr_memory_get_figures (memory, NULL, 0, &figures);
      g_assert_cmpint (figures.metrics[TSR_METRIC_TOTAL], ==, G_MAXINT64);
      g_assert_cmpuint (count_diagnostics (report, "sum-too-large"), ==, 1);
    }
  /* Either the reader refuses such sizes or the sum is cut: never a wrapped, small or negative
   * number. */
  g_assert_true (figures.metrics[TSR_METRIC_TOTAL] == TSR_UNKNOWN
                 || figures.metrics[TSR_METRIC_TOTAL] >= G_MAXINT64 / 1472);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory/figures", test_figures);
  g_test_add_func ("/memory/known", test_known);
  g_test_add_func ("/memory/ipus", test_ipus);
  g_test_add_func ("/memory/categories", test_categories);
  g_test_add_func ("/memory/without-rows", test_without_rows);
  g_test_add_func ("/memory/median-tile", test_median_tile);
  g_test_add_func ("/memory/allocated-categories", test_allocated_categories);
  g_test_add_func ("/memory/known-categories", test_known_categories);
  g_test_add_func ("/memory/need", test_need);
  g_test_add_func ("/memory/statistics", test_statistics);
  g_test_add_func ("/memory/random-statistics", test_random_statistics);
  g_test_add_func ("/memory/saturating", test_saturating);
  return g_test_run ();
}

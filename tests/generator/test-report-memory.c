/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a synthetic report says about memory and liveness, against a naive computation from its rows
 * of vars_info: bytes are counted one by one, steps one after another.  "-m slow" checks the preset
 * resnet50 too, with the numbers that it is built to. */

#include "config.h"

#include "tsr-test.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define N_CATEGORIES 32
#define MIB          (1024.0 * 1024.0)

typedef struct
{
  gint64 size, category, offset, always_live, class_id, alignment;
} Row;

typedef struct
{
  sqlite3 *db;
  char *folder;
  gint64 n_tiles, tiles_per_ipu, n_ipus, bytes_per_tile, interleaved_start, n_steps, n_classes;
  GArray **intervals; /* by class: pairs of guint32 */
  gint64 *live;       /* [ipu * n_steps + step], summed up from tiles */
  guint8 *depth;      /* of each address: variables that occupy it */
  gint64 *now;        /* bytes live on the tile, by step */
} Report;

static gint64
ask (const Report *self, const char *sql)
{
  return tsr_test_query (self->folder, "profile.pop", sql);
}

static sqlite3_stmt *
prepare (const Report *self, const char *sql)
{
  sqlite3_stmt *stmt = NULL;

  if (sqlite3_prepare_v2 (self->db, sql, -1, &stmt, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (self->db));
  return stmt;
}

static Report *
report_new (const char *folder)
{
  Report *self = g_new0 (Report, 1);
  g_autofree char *path = g_build_filename (folder, "profile.pop", NULL);
  sqlite3_stmt *stmt;

  self->folder = g_strdup (folder);
  g_assert_cmpint (sqlite3_open_v2 (path, &self->db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  self->tiles_per_ipu = ask (self, "SELECT tiles_per_ipu FROM target");
  self->n_ipus = ask (self, "SELECT ipus_per_replica FROM target");
  self->n_tiles = self->tiles_per_ipu * self->n_ipus;
  self->bytes_per_tile = ask (self, "SELECT bytes_per_tile FROM target");
  self->interleaved_start = ask (self, "SELECT interleaved_start FROM target");
  self->n_steps = ask (self, "SELECT count (*) FROM liveness_steps");
  self->n_classes
      = ask (self, "SELECT max (equivalence_class) + 1 FROM equivalence_class_intervals");
  self->intervals = g_new0 (GArray *, self->n_classes);
  for (gint64 i = 0; i < self->n_classes; i++)
    self->intervals[i] = g_array_new (FALSE, FALSE, sizeof (guint32));
  stmt = prepare (self, "SELECT equivalence_class, start_step, end_step"
                        " FROM equivalence_class_intervals");
  while (sqlite3_step (stmt) == SQLITE_ROW)
    {
      const guint32 pair[2] = { sqlite3_column_int (stmt, 1), sqlite3_column_int (stmt, 2) };

      g_assert_cmpuint (pair[0], <, pair[1]);
      g_assert_cmpint (pair[1], <=, self->n_steps);
      g_array_append_vals (self->intervals[sqlite3_column_int (stmt, 0)], pair, 2);
    }
  sqlite3_finalize (stmt);
  self->live = g_new0 (gint64, self->n_ipus * self->n_steps);
  self->depth = g_new (guint8, 8 * self->bytes_per_tile);
  self->now = g_new (gint64, self->n_steps);
  return self;
}

static void
report_free (Report *self)
{
  for (gint64 i = 0; i < self->n_classes; i++)
    g_array_unref (self->intervals[i]);
  g_free (self->intervals);
  g_free (self->live);
  g_free (self->depth);
  g_free (self->now);
  g_free (self->folder);
  sqlite3_close (self->db);
  g_free (self);
}

static guint
region_of (const Report *self, gint64 address)
{
  return address < self->interleaved_start ? 0 : address < self->bytes_per_tile ? 1 : 2;
}

/* Two rows that are ever live at the same step must not share a byte.  Only always-live ones and a
 * sample of steps: enough, because classes live and die together. */
static void
check_no_clash (Report *self, const GArray *rows)
{
  for (gint64 step = 0; step < self->n_steps; step += MAX (1, self->n_steps / 200))
    {
      memset (self->depth, 0, 8 * self->bytes_per_tile);
      for (guint i = 0; i < rows->len; i++)
        {
          const Row *row = &g_array_index (rows, Row, i);
          gboolean live = row->always_live;

          for (guint k = 0; !row->always_live && k < self->intervals[row->class_id]->len; k += 2)
            live = live
                   || (g_array_index (self->intervals[row->class_id], guint32, k) <= step
                       && step < g_array_index (self->intervals[row->class_id], guint32, k + 1));
          for (gint64 at = row->offset; live && at < row->offset + row->size; at++)
            g_assert_cmpuint (self->depth[at]++, ==, 0);
        }
    }
}

static void
check_regions (Report *self, gint64 tile, gint64 (*of)[3], gint64 *shared)
{
  sqlite3_stmt *stmt = prepare (self, "SELECT region, bytes, overlapped_bytes"
                                      " FROM memory_by_tile_region WHERE tile = ?");
  guint n = 0, expected = 0;

  sqlite3_bind_int64 (stmt, 1, tile);
  while (sqlite3_step (stmt) == SQLITE_ROW)
    {
      const int region = sqlite3_column_int (stmt, 0);

      g_assert_cmpint (sqlite3_column_int64 (stmt, 1), ==, (*of)[region]);
      g_assert_cmpint (sqlite3_column_int64 (stmt, 2), ==, shared[region]);
      n++;
    }
  sqlite3_finalize (stmt);
  for (guint region = 0; region < 3; region++)
    expected += (*of)[region] > 0;
  g_assert_cmpuint (n, ==, expected);
}

static void
check_categories (Report *self, gint64 tile, gint64 alone[][3], gint64 shared[][3])
{
  sqlite3_stmt *stmt = prepare (self, "SELECT category, region, non_overlapped, overlapped"
                                      " FROM memory_by_tile_category WHERE tile = ?");

  sqlite3_bind_int64 (stmt, 1, tile);
  while (sqlite3_step (stmt) == SQLITE_ROW)
    {
      gint64 *expected = &alone[sqlite3_column_int (stmt, 0)][sqlite3_column_int (stmt, 1)];
      gint64 *others = &shared[sqlite3_column_int (stmt, 0)][sqlite3_column_int (stmt, 1)];

      g_assert_cmpint (sqlite3_column_int64 (stmt, 2), ==, *expected);
      g_assert_cmpint (sqlite3_column_int64 (stmt, 3), ==, *others);
      *expected = *others = 0;
    }
  sqlite3_finalize (stmt);
  for (guint i = 0; i < N_CATEGORIES; i++)
    for (guint region = 0; region < 3; region++)
      g_assert_cmpint (alone[i][region] + shared[i][region], ==, 0);
}

static void
check_addresses (Report *self, gint64 tile, const GArray *rows, gint64 including, gint64 excluding)
{
  gint64 of[3] = { 0 }, common[3] = { 0 }, highest = 0;
  gint64 alone[N_CATEGORIES][3] = { { 0 } }, shared[N_CATEGORIES][3] = { { 0 } };
  guint8 *depth = self->depth;

  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);

      g_assert_cmpint (row->size, >, 0);
      g_assert_cmpint (row->offset, >=, 0);
      g_assert_cmpint (row->offset % row->alignment, ==, 0);
      highest = MAX (highest, row->offset + row->size);
      /* Below or above the start of interleaved memory, whole. */
      g_assert_cmpint (region_of (self, row->offset) > 0, ==,
                       region_of (self, row->offset + row->size - 1) > 0);
    }
  g_assert_cmpint (highest, ==, including);
  g_assert_cmpint (highest, <, 8 * self->bytes_per_tile);
  memset (depth, 0, highest);
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);
      const gint64 end = row->offset + row->size;

      for (gint64 at = row->offset; at < end; at++)
        depth[at] += depth[at] < 2;
    }
  for (guint region = 0; region < 3; region++)
    {
      const gint64 begin[] = { 0, self->interleaved_start, self->bytes_per_tile, highest };
      const gint64 end = MIN (begin[region + 1], highest);
      gint64 n = 0, n_common = 0;

      for (gint64 at = begin[region]; at < end; at++)
        {
          n += depth[at] > 0;
          n_common += depth[at] > 1;
        }
      of[region] = n;
      common[region] = n_common;
    }
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);
      const gint64 end = row->offset + row->size;

      for (gint64 at = row->offset; at < end; at++)
        {
          gint64 (*of_category)[3] = depth[at] == 1 ? alone : shared;

          of_category[row->category][region_of (self, at)]++;
        }
    }
  g_assert_cmpint (of[0] + of[1] + of[2], ==, excluding);
  check_regions (self, tile, &of, common);
  check_categories (self, tile, alone, shared);
}

static void
check_liveness (Report *self, gint64 tile, const GArray *rows, gint64 most, gint64 peak_step)
{
  gint64 *of_ipu = self->live + tile / self->tiles_per_ipu * self->n_steps;
  gint64 found = 0, at = 0;

  memset (self->now, 0, sizeof (gint64) * self->n_steps);
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);

      for (guint k = 0; !row->always_live && k < self->intervals[row->class_id]->len; k += 2)
        for (guint32 step = g_array_index (self->intervals[row->class_id], guint32, k);
             step < g_array_index (self->intervals[row->class_id], guint32, k + 1); step++)
          self->now[step] += row->size;
    }
  for (gint64 step = 0; step < self->n_steps; step++)
    {
      of_ipu[step] += self->now[step];
      if (self->now[step] > found)
        {
          found = self->now[step];
          at = step;
        }
    }
  g_assert_cmpint (most, ==, found);
  g_assert_cmpint (peak_step, ==, at);
}

static void
check_tile (
    Report *self, sqlite3_stmt *tiles, sqlite3_stmt *rows_stmt, GArray *rows, gint64 *next_id)
{
  const gint64 tile = sqlite3_column_int64 (tiles, 0);
  gint64 always = 0;

  g_array_set_size (rows, 0);
  g_assert_cmpint (sqlite3_column_int64 (tiles, 8), ==, *next_id);
  sqlite3_bind_int64 (rows_stmt, 1, sqlite3_column_int64 (tiles, 8));
  sqlite3_bind_int64 (rows_stmt, 2, sqlite3_column_int64 (tiles, 9));
  while (sqlite3_step (rows_stmt) == SQLITE_ROW)
    {
      const Row row = {
        .size = sqlite3_column_int64 (rows_stmt, 2),
        .category = sqlite3_column_int64 (rows_stmt, 3),
        .offset = sqlite3_column_int64 (rows_stmt, 4),
        .always_live = sqlite3_column_int64 (rows_stmt, 5),
        .class_id = sqlite3_column_int64 (rows_stmt, 6),
        .alignment = sqlite3_column_int64 (rows_stmt, 7),
      };

      g_assert_cmpint (sqlite3_column_int64 (rows_stmt, 0), ==, (*next_id)++);
      g_assert_cmpint (sqlite3_column_int64 (rows_stmt, 1), ==, tile);
      g_assert_cmpint (sqlite3_column_type (rows_stmt, 6) == SQLITE_NULL, ==, row.always_live);
      g_assert_cmpint (row.category, <, N_CATEGORIES);
      always += row.always_live ? row.size : 0;
      g_array_append_val (rows, row);
    }
  sqlite3_reset (rows_stmt);
  g_assert_cmpint (sqlite3_column_int64 (tiles, 9), ==, *next_id);
  g_assert_cmpint (sqlite3_column_int64 (tiles, 1), ==, sqlite3_column_int64 (tiles, 3));
  g_assert_cmpint (sqlite3_column_int64 (tiles, 5), ==, always);
  g_assert_cmpint (sqlite3_column_int64 (tiles, 3), >=,
                   sqlite3_column_int64 (tiles, 5) + sqlite3_column_int64 (tiles, 6));
  check_addresses (self, tile, rows, sqlite3_column_int64 (tiles, 2),
                   sqlite3_column_int64 (tiles, 3));
  check_liveness (self, tile, rows, sqlite3_column_int64 (tiles, 6),
                  sqlite3_column_int64 (tiles, 7));
  if (self->n_tiles < 16 || tile % 389 == 7)
    check_no_clash (self, rows);
}

static void
check_totals (Report *self)
{
  sqlite3_stmt *stmt
      = prepare (self, "SELECT step, ipu, not_always_live_bytes FROM liveness_by_ipu");
  guint n = 0;

  for (; sqlite3_step (stmt) == SQLITE_ROW; n++)
    g_assert_cmpint (sqlite3_column_int64 (stmt, 2), ==,
                     self->live[sqlite3_column_int64 (stmt, 1) * self->n_steps
                                + sqlite3_column_int64 (stmt, 0)]);
  sqlite3_finalize (stmt);
  g_assert_cmpuint (n, ==, self->n_ipus * self->n_steps);
}

/* Each must give no row. */
static const char *const contradictions[] = {
  "SELECT step FROM liveness_steps s WHERE not_always_live_bytes <> (SELECT sum"
  " (not_always_live_bytes) FROM liveness_by_ipu i WHERE i.step = s.step)",
  "SELECT id FROM var_categories c LEFT JOIN (SELECT category, sum (size_bytes) bytes FROM "
  "vars_info"
  " GROUP BY category) v ON v.category = c.id WHERE allocated_bytes <> coalesce (bytes, 0)",
  "SELECT category FROM vars_info WHERE category NOT IN (SELECT id FROM var_categories)",
  "SELECT name FROM vars_info WHERE name NOT IN (SELECT id FROM vars_string_table)",
  "SELECT v.id FROM variables v LEFT JOIN (SELECT variable, sum (size_bytes) bytes FROM"
  " variables_by_ipu GROUP BY variable) i ON i.variable = v.id"
  " WHERE size_bytes <> coalesce (bytes, 0)",
  /* What the program wrote: its rows are all there is of it. */
  "SELECT v.id FROM variables v JOIN (SELECT variable, sum (size_bytes) bytes FROM vars_info WHERE"
  " variable IS NOT NULL GROUP BY variable) r ON r.variable = v.id WHERE v.size_bytes <> r.bytes",
  /* Pseudo-variables: what is always live, compiler-made and of that category. */
  "SELECT v.id FROM variables v JOIN var_categories c ON c.name = v.name AND c.id = v.category"
  " WHERE v.size_bytes <> (SELECT sum (size_bytes) FROM vars_info r WHERE r.category = c.id"
  " AND r.variable IS NULL AND r.always_live)",
  "SELECT 1 WHERE (SELECT sum (size_bytes) FROM variables WHERE always_live) <>"
  " (SELECT sum (always_live) FROM memory_by_tile)",
  "SELECT 1 WHERE (SELECT sum (size_bytes) FROM variables) <>"
  " (SELECT sum (size_bytes) FROM vars_info)",
  "SELECT 1 WHERE (SELECT num_vars FROM graph) <> (SELECT count (*) FROM vars_info)",
  "SELECT variable FROM variable_lifetimes WHERE variable IN"
  " (SELECT id FROM variables WHERE always_live)",
  "SELECT tile FROM memory_by_tile WHERE overflowed <> coalesce ((SELECT bytes FROM"
  " memory_by_tile_region r WHERE r.tile = memory_by_tile.tile AND region = 2), 0)",
};

/* Sum of the lifetimes' sizes at each step. */
static void
check_lifetimes (Report *self)
{
  g_autofree gint64 *sum = g_new0 (gint64, self->n_steps);
  sqlite3_stmt *stmt
      = prepare (self, "SELECT start_step, end_step, size_bytes FROM variable_lifetimes");

  while (sqlite3_step (stmt) == SQLITE_ROW)
    for (gint64 step = sqlite3_column_int64 (stmt, 0); step < sqlite3_column_int64 (stmt, 1);
         step++)
      sum[step] += sqlite3_column_int64 (stmt, 2);
  sqlite3_finalize (stmt);
  stmt = prepare (self, "SELECT step, not_always_live_bytes FROM liveness_steps");
  while (sqlite3_step (stmt) == SQLITE_ROW)
    g_assert_cmpint (sqlite3_column_int64 (stmt, 1), ==, sum[sqlite3_column_int64 (stmt, 0)]);
  sqlite3_finalize (stmt);
}

static void
check_report (const char *folder)
{
  Report *self = report_new (folder);
  sqlite3_stmt *tiles = prepare (
      self, "SELECT m.tile, total, including_gaps, excluding_gaps, overflowed, always_live,"
            " not_always_live, peak_step, first_var, end_var FROM memory_by_tile m"
            " JOIN tile_vars v ON v.tile = m.tile ORDER BY m.tile");
  sqlite3_stmt *rows_stmt
      = prepare (self, "SELECT id, tile, size_bytes, category, offset, always_live,"
                       " equivalence_class, alignment FROM vars_info WHERE id >= ? AND id < ?"
                       " ORDER BY id");
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Row));
  gint64 n_tiles = 0, next_id = 0;

  for (; sqlite3_step (tiles) == SQLITE_ROW; n_tiles++)
    {
      g_assert_cmpint (sqlite3_column_int64 (tiles, 0), ==, n_tiles);
      check_tile (self, tiles, rows_stmt, rows, &next_id);
    }
  sqlite3_finalize (tiles);
  sqlite3_finalize (rows_stmt);
  g_assert_cmpint (n_tiles, ==, self->n_tiles);
  g_assert_cmpint (next_id, ==, ask (self, "SELECT count (*) FROM vars_info"));
  check_totals (self);
  check_lifetimes (self);
  for (guint i = 0; i < G_N_ELEMENTS (contradictions); i++)
    if (ask (self, contradictions[i]) != G_MININT64)
      g_error ("%s: %s", folder, contradictions[i]);
  report_free (self);
}

static void
test_report (gconstpointer name)
{
  g_autofree char *folder = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), name, NULL);

  check_report (folder);
}

static void
test_meaning (void)
{
  g_autofree char *demo = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), "demo", NULL);
  g_autofree char *oom = g_build_filename (g_getenv ("TESSERA_TEST_REPORTS"), "oom", NULL);
  const char *db = "profile.pop";

  /* The demo fits, one group of tiles only just; its peak is where forward meets backward. */
  g_assert_cmpint (tsr_test_query (demo, db, "SELECT sum (overflowed) FROM memory_by_tile"), ==, 0);
  g_assert_cmpint (tsr_test_query (demo, db, "SELECT max (including_gaps) FROM memory_by_tile"), >,
                   638976 * 0.95);
  g_assert_cmpint (tsr_test_query (demo, db, "SELECT max (including_gaps) FROM memory_by_tile"), <=,
                   638976);
  g_assert_cmpint (
      tsr_test_query (demo, db,
                      "SELECT count (*) FROM memory_by_tile WHERE including_gaps > 560000"),
      ==, 8);
  /* The other does not, on some tiles, and did not run. */
  g_assert_cmpint (
      tsr_test_query (oom, db, "SELECT count (*) FROM memory_by_tile WHERE overflowed > 0"), >,
      100);
  g_assert_cmpint (
      tsr_test_query (oom, db, "SELECT count (*) FROM memory_by_tile WHERE overflowed > 0"), <,
      2944);
  g_assert_cmpint (tsr_test_query (oom, db, "SELECT count (*) FROM steps"), ==, 0);
  g_assert_cmpint (tsr_test_query (oom, db, "SELECT count (*) FROM runs"), ==, 0);
}

static void
near_mib (const char *folder, const char *sql, double wanted)
{
  const double found = tsr_test_query (folder, "profile.pop", sql) / MIB;

  g_test_message ("%s: %.1f MiB, wanted %.1f", sql, found, wanted);
  g_assert_cmpfloat (ABS (found - wanted), <=, 0.02 * wanted);
}

static void
test_resnet50 (void)
{
  static const struct
  {
    const char *category;
    double mib;
  } categories[] = { { "internalExchangeCode", 261 },     { "controlCode", 46.1 },
                     { "vertexInstanceState", 40.5 },     { "vertexCode", 33.6 },
                     { "vertexFieldData", 17.8 },         { "hostExchangeCode", 17.5 },
                     { "hostExchangePacketHeader", 15.1 } };
  static const struct
  {
    const char *sql;
    gint64 value;
  } exact[] = {
    { "SELECT num_compute_sets FROM graph", 2041 },
    { "SELECT num_edges FROM graph", 12985960 },
    { "SELECT num_vars FROM graph", 8135360 },
    { "SELECT num_vertices FROM graph", 3590145 },
    { "SELECT count (*) FROM liveness_steps", 31400 },
    { "SELECT count (*) FROM memory_by_tile", 2944 },
    { "SELECT max (overflowed) FROM memory_by_tile", 0 },
    { "SELECT max (cycles) FROM run_cycles_by_ipu WHERE run = 0", 27960351 },
  };
  char *folder = tsr_test_folder_new ();
  const char *words[] = { g_getenv ("TESSERA_MAKE_REPORT"), "resnet50", folder, NULL };
  g_autoptr (GError) error = NULL;
  int status;

  if (!g_test_slow ())
    {
      g_test_skip ("8 million rows: only with -m slow");
      tsr_test_folder_free (folder);
      return;
    }
  g_spawn_sync (NULL, (char **)words, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status,
                &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (exact); i++)
    g_assert_cmpint (tsr_test_query (folder, "profile.pop", exact[i].sql), ==, exact[i].value);
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    {
      g_autofree char *sql = g_strdup_printf (
          "SELECT allocated_bytes FROM var_categories WHERE name = '%s'", categories[i].category);
      near_mib (folder, sql, categories[i].mib);
    }
  near_mib (folder, "SELECT sum (including_gaps) FROM memory_by_tile", 898);
  near_mib (folder, "SELECT sum (excluding_gaps) FROM memory_by_tile", 893);
  near_mib (folder, "SELECT sum (always_live) FROM memory_by_tile", 651);
  near_mib (folder, "SELECT max (not_always_live_bytes) FROM liveness_steps", 180);
  check_report (folder);
  tsr_test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/report-memory/tiny", "tiny", test_report);
  g_test_add_data_func ("/report-memory/demo", "demo", test_report);
  g_test_add_data_func ("/report-memory/oom", "oom", test_report);
  g_test_add_func ("/report-memory/meaning", test_meaning);
  g_test_add_func ("/report-memory/resnet50", test_resnet50);
  return g_test_run ();
}

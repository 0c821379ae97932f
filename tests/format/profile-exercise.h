/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls every reader of profile.pop on a source, whatever it holds: for the fuzz target and for
 * the test that damages a good file.  What comes out is checked for what must always hold. */

#pragma once

#include "tsr-profile-execution.h"
#include "tsr-profile-lowered.h"
#include "tsr-profile-tables.h"

/* A small good profile with something in each table. */
#define PROFILE_EXERCISE_SQL                                                                       \
  "PRAGMA page_size = 512;"                                                                        \
  "CREATE TABLE report_info (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"                    \
  "INSERT INTO report_info VALUES ('synthetic', '1'), ('poplar_version', '3.1.0');"                \
  "CREATE TABLE engine_options (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"                 \
  "INSERT INTO engine_options VALUES ('autoReport.all', 'true');"                                  \
  "CREATE TABLE target (type TEXT, num_ipus INTEGER, ipus_per_replica INTEGER,"                    \
  " num_replicas INTEGER, tiles_per_ipu INTEGER, bytes_per_tile INTEGER,"                          \
  " clock_frequency REAL);"                                                                        \
  "INSERT INTO target VALUES ('Ipu', 2, 1, 2, 8, 638976, 1.33e9);"                                 \
  "CREATE TABLE graph (num_compute_sets, num_vertices, num_edges, num_vars);"                      \
  "INSERT INTO graph VALUES (1, 2, 3, 4);"                                                         \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total INTEGER, including_gaps,"          \
  " peak_step);"                                                                                   \
  "CREATE TABLE memory_by_tile_region (tile INTEGER, region INTEGER, bytes INTEGER,"               \
  " overlapped_bytes INTEGER, PRIMARY KEY (tile, region)) WITHOUT ROWID;"                          \
  "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"                               \
  "INSERT INTO var_categories VALUES (0, 'variable'), (1, 'stack'), (2, 'vertexCode');"            \
  "CREATE TABLE memory_by_tile_category (tile INTEGER, category INTEGER, region INTEGER,"          \
  " non_overlapped INTEGER, overlapped INTEGER, PRIMARY KEY (tile, category, region))"             \
  " WITHOUT ROWID;"                                                                                \
  "CREATE TABLE vars_info (id INTEGER PRIMARY KEY, tile, size_bytes, category, offset);"           \
  "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT, type TEXT, callee INTEGER);"          \
  "CREATE TABLE compute_sets (compute_set INTEGER PRIMARY KEY, name TEXT);"                        \
  "CREATE TABLE steps (id INTEGER PRIMARY KEY, type TEXT, program, compute_set, run);"             \
  "CREATE TABLE steps_by_ipu (step_id INTEGER, ipu INTEGER, cycles, active_tiles, cycles_base,"    \
  " active_cycles_from_min, active_cycles_from_max, active_cycles_to_max, data_in, data_out,"      \
  " PRIMARY KEY (step_id, ipu)) WITHOUT ROWID;"                                                    \
  "CREATE TABLE tile_arrays (id INTEGER PRIMARY KEY, encoding, total, maximum, data BLOB);"        \
  "INSERT INTO tile_arrays VALUES (0, 3, NULL, NULL, x'05000000'),"                                \
  " (1, 1, NULL, NULL, x'01000200030004000500060007000800'),"                                      \
  " (2, 2, NULL, NULL, x'0100000007000000');"                                                      \
  "CREATE TABLE n AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n"               \
  " WHERE i < 63) SELECT i FROM n;"                                                                \
  "INSERT INTO memory_by_tile SELECT i, i * 1000, i * 1001, i FROM n WHERE i < 8;"                 \
  "INSERT INTO memory_by_tile_region SELECT i / 3, i % 3, i, 0 FROM n WHERE i < 24;"               \
  "INSERT INTO memory_by_tile_category SELECT i / 6, i % 3, i / 3 % 2, i, i FROM n WHERE i < "     \
  "48;"                                                                                            \
  "INSERT INTO vars_info SELECT i, i % 8, i * 4, i % 3, i * 8 FROM n;"                             \
  "INSERT INTO programs SELECT i, 'program/' || i, 'OnTileExecute', i / 2 FROM n;"                 \
  "INSERT INTO compute_sets SELECT i, printf('conv%0200d', i) FROM n WHERE i < 9;"                 \
  "INSERT INTO steps SELECT i, 'DoExchange', i, NULL, 0 FROM n;"                                   \
  "INSERT INTO steps_by_ipu SELECT i / 2, i % 2, iif (i % 7 = 0, 5000000000, 10), 8, i / 2 * "     \
  "100, 0, 5, 20, iif (i % 5 = 0, 6000000000, 1), iif (i % 3 = 0, 7000000000, 2) FROM n;"          \
  "DROP TABLE n;"

/* The outcome, so that a test can ask whether anything was reached. */
typedef struct
{
  gboolean opened;
  gboolean probed;
  guint n_failed; /* readers that gave up, each with an error */
  guint n_read;
  guint64 n_values;
} Exercise;

static inline void
exercise_note (Exercise *out, gboolean ok, GError **error)
{
  g_assert_true (ok == (*error == NULL));
  if (ok)
    out->n_read++;
  else
    out->n_failed++;
  g_clear_error (error);
}

static inline void
exercise_memory (TsrProfile *profile, gint64 hint, Exercise *out)
{
  GError *error = NULL;
  TsrTileRows tiles = { 0 };
  TsrRegionRows regions = { 0 };
  TsrCategoryRows categories = { 0 };
  TsrTileCategoryRows shares = { 0 };
  gint64 *cells = NULL;
  guint n;

  exercise_note (out, tsr_profile_read_tiles (profile, hint, &tiles, &error), &error);
  n = tiles.n_tiles;
  g_assert_cmpuint (n, <=, TSR_MAX_TILES);
  for (guint i = 0; tiles.total != NULL && i < n; i++)
    g_assert_true (tiles.total[i] == TSR_UNKNOWN || tiles.total[i] >= 0);
  out->n_values += n;
  exercise_note (out, tsr_profile_read_regions (profile, n, &regions, &error), &error);
  exercise_note (out, tsr_profile_read_categories (profile, &categories, &error), &error);
  exercise_note (out, tsr_profile_read_tile_categories (profile, n, &categories, &shares, &error),
                 &error);
  for (guint tile = 0; shares.present && tile < n; tile++)
    for (guint i = shares.tile_start[tile]; i < shares.tile_start[tile + 1]; i++)
      {
        g_assert_cmpuint (shares.category[i], <, categories.n_categories);
        g_assert_cmpuint (shares.region[i], <, TSR_N_REGIONS);
        out->n_values++;
      }
  exercise_note (out, tsr_profile_scan_allocated (profile, &categories, NULL, &error), &error);
  exercise_note (out,
                 tsr_profile_scan_allocated_by_tile (profile, &categories, n, NULL, &cells, &error),
                 &error);
  g_free (cells);
  tsr_tile_category_rows_clear (&shares);
  tsr_category_rows_clear (&categories);
  tsr_region_rows_clear (&regions);
  tsr_tile_rows_clear (&tiles);
}

/* Sizes alone are those of the whole rows, unless one of both failed. */
static inline void
exercise_lowered (TsrProfile *profile, guint rows_for_two, Exercise *out)
{
  const TsrLoweredKeys keys
      = { .n_tiles = 8, .bytes_per_tile = TSR_UNKNOWN, .rows_for_two = rows_for_two };
  TsrLoweredRows rows = { 0 };
  GError *error = NULL;
  gboolean ok = tsr_profile_scan_lowered (profile, &keys, &rows, NULL, &error);

  exercise_note (out, ok, &error);
  out->n_values += rows.n;
  for (TsrLoweredNumber which = TSR_LOWERED_SIZE; which <= TSR_LOWERED_OFFSET; which++)
    {
      g_autofree guint32 *values = NULL;
      gsize n;
      gboolean read = tsr_profile_scan_lowered_numbers (profile, which, &values, &n, &error);

      exercise_note (out, read, &error);
      g_assert_true (read || n == 0);
      for (gsize i = 0; ok && read && values != NULL && rows.size != NULL && i < rows.n; i++)
        g_assert_cmpuint (values[i], ==, which == TSR_LOWERED_SIZE ? rows.size[i] : rows.offset[i]);
    }
  tsr_lowered_rows_clear (&rows);
}

/* Steps, and slices of the steps that are in order. */
static inline void
exercise_slices (TsrProfile *profile, guint rows_for_two, Exercise *out)
{
  const TsrStepKeys step_keys = { .max_types = 8, .rows_for_two = rows_for_two };
  TsrSliceKeys keys = { .n_ipus = 64, .rows_for_two = rows_for_two };
  g_auto (TsrStepRows) steps = { 0 };
  g_auto (TsrSliceRows) slices = { 0 };
  GError *error = NULL;
  gsize n = 0;

  exercise_note (out, tsr_profile_scan_steps (profile, &step_keys, &steps, NULL, &error), &error);
  while (n < steps.n && steps.id[n] != TSR_UNKNOWN && (n == 0 || steps.id[n - 1] < steps.id[n]))
    g_assert_cmpuint (steps.type[n++], <, steps.types->len);
  tsr_id_index_init (&keys.steps, steps.id, n);
  exercise_note (out, tsr_profile_scan_slices (profile, &keys, &slices, NULL, &error), &error);
  for (gsize i = 0; i < slices.n; i++)
    {
      g_assert_true (slices.step[i] == TSR_NO_INDEX || slices.step[i] < n);
      g_assert_cmpuint (slices.ipu[i], <, 64);
      g_assert_true ((slices.start[i] == TSR_UNKNOWN) == (slices.end[i] == TSR_UNKNOWN));
      g_assert_cmpint (slices.start[i], <=, slices.end[i]);
      out->n_values++;
    }
  tsr_id_index_clear (&keys.steps);
}

static inline void
exercise_execution (TsrProfile *profile, guint rows_for_two, Exercise *out)
{
  GError *error = NULL;
  g_autoptr (TsrStringTable) strings = tsr_string_table_new ();

  for (TsrTableKind kind = 0; kind < TSR_N_TABLES; kind++)
    {
      g_auto (TsrTableRows) rows = { 0 };

      exercise_note (out, tsr_profile_read_table (profile, kind, strings, &rows, &error), &error);
      g_assert_cmpuint (rows.row.length, ==, rows.n);
      if (kind == TSR_TABLE_PROGRAMS)
        out->n_values += rows.n;
    }
  exercise_slices (profile, rows_for_two, out);
}

static inline void
exercise_small (TsrProfile *profile, gint64 *hint, Exercise *out)
{
  GError *error = NULL;
  GHashTable *info = NULL;
  GStrv options = NULL;
  TsrTargetRow target = { 0 };
  TsrGraphRow graph = { 0 };
  guint32 values[8];
  gboolean found;

  exercise_note (out, tsr_profile_read_info (profile, &info, &error), &error);
  g_clear_pointer (&info, g_hash_table_unref);
  exercise_note (out, tsr_profile_read_engine_options (profile, &options, &error), &error);
  g_assert_true (options == NULL || g_strv_length (options) % 2 == 0);
  g_strfreev (options);
  exercise_note (out, tsr_profile_read_graph (profile, &graph, &found, &error), &error);
  exercise_note (out, tsr_profile_read_target (profile, &target, &found, &error), &error);
  *hint = found ? target.tiles_per_ipu : TSR_UNKNOWN;
  tsr_target_row_clear (&target);
  for (gint64 id = 0; id < 4; id++)
    exercise_note (
        out,
        tsr_profile_read_tile_array (profile, id, G_N_ELEMENTS (values), values, &found, &error),
        &error);
}

/* @rows_for_two: how many rows two threads share; 0: more than there are. */
static inline void
exercise_profile (TsrSource *source, guint rows_for_two, Exercise *out)
{
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (TsrProfile) profile = NULL;
  GError *error = NULL;
  gint64 hint = TSR_UNKNOWN;

  *out = (Exercise){ 0 };
  database = tsr_database_open_source (source, &error);
  g_assert_true ((database != NULL) == (error == NULL));
  g_clear_error (&error);
  out->opened = database != NULL;
  if (!out->opened)
    return;
  profile = tsr_profile_new (database, diagnostics, &error);
  g_assert_true ((profile != NULL) == (error == NULL));
  g_clear_error (&error);
  out->probed = profile != NULL;
  if (!out->probed)
    return;
  exercise_small (profile, &hint, out);
  exercise_memory (profile, hint, out);
  exercise_execution (profile, rows_for_two, out);
  exercise_lowered (profile, rows_for_two, out);
}

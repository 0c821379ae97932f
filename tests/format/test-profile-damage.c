/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A small good profile, damaged in every way that is cheap to try: bits flipped, bytes replaced,
 * pages swapped, cut off.  Nothing may crash, hang or take memory without end; damage that SQLite
 * cannot see is what the readers' own checks are for. */

#include "config.h"

#include "profile-exercise.h"
#include "tsr-test.h"

#include <string.h>

static const char sql[]
    = "PRAGMA page_size = 512;"
      "CREATE TABLE report_info (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
      "INSERT INTO report_info VALUES ('synthetic', '1'), ('poplar_version', '3.1.0');"
      "CREATE TABLE engine_options (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
      "INSERT INTO engine_options VALUES ('autoReport.all', 'true');"
      "CREATE TABLE target (type TEXT, num_ipus INTEGER, ipus_per_replica INTEGER,"
      " num_replicas INTEGER, tiles_per_ipu INTEGER, bytes_per_tile INTEGER,"
      " clock_frequency REAL);"
      "INSERT INTO target VALUES ('Ipu', 2, 1, 2, 8, 638976, 1.33e9);"
      "CREATE TABLE graph (num_compute_sets, num_vertices, num_edges, num_vars);"
      "INSERT INTO graph VALUES (1, 2, 3, 4);"
      "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total INTEGER, including_gaps,"
      " peak_step);"
      "CREATE TABLE memory_by_tile_region (tile INTEGER, region INTEGER, bytes INTEGER,"
      " overlapped_bytes INTEGER, PRIMARY KEY (tile, region)) WITHOUT ROWID;"
      "CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);"
      "INSERT INTO var_categories VALUES (0, 'variable'), (1, 'stack'), (2, 'vertexCode');"
      "CREATE TABLE memory_by_tile_category (tile INTEGER, category INTEGER, region INTEGER,"
      " non_overlapped INTEGER, overlapped INTEGER, PRIMARY KEY (tile, category, region))"
      " WITHOUT ROWID;"
      "CREATE TABLE vars_info (id INTEGER PRIMARY KEY, tile, size_bytes, category);"
      "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT, type TEXT, callee INTEGER);"
      "CREATE TABLE compute_sets (compute_set INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE steps (id INTEGER PRIMARY KEY, type TEXT, program, compute_set, run);"
      "CREATE TABLE steps_by_ipu (step_id INTEGER, ipu INTEGER, cycles, active_tiles, cycles_base,"
      " active_cycles_from_min, active_cycles_from_max, active_cycles_to_max,"
      " PRIMARY KEY (step_id, ipu)) WITHOUT ROWID;"
      "CREATE TABLE tile_arrays (id INTEGER PRIMARY KEY, encoding, total, maximum, data BLOB);"
      "INSERT INTO tile_arrays VALUES (0, 3, NULL, NULL, x'05000000'),"
      " (1, 1, NULL, NULL, x'01000200030004000500060007000800'),"
      " (2, 2, NULL, NULL, x'0100000007000000');"
      "CREATE TABLE n AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n"
      " WHERE i < 63) SELECT i FROM n;"
      "INSERT INTO memory_by_tile SELECT i, i * 1000, i * 1001, i FROM n WHERE i < 8;"
      "INSERT INTO memory_by_tile_region SELECT i / 3, i % 3, i, 0 FROM n WHERE i < 24;"
      "INSERT INTO memory_by_tile_category SELECT i / 6, i % 3, i / 3 % 2, i, i FROM n WHERE i < "
      "48;"
      "INSERT INTO vars_info SELECT i, i % 8, i * 4, i % 3 FROM n;"
      "INSERT INTO programs SELECT i, 'program/' || i, 'OnTileExecute', i / 2 FROM n;"
      "INSERT INTO compute_sets SELECT i, printf('conv%0200d', i) FROM n WHERE i < 9;"
      "INSERT INTO steps SELECT i, 'DoExchange', i, NULL, 0 FROM n;"
      "INSERT INTO steps_by_ipu SELECT i / 2, i % 2, 10, 8, i / 2 * 100, 0, 5, 20 FROM n;"
      "DROP TABLE n;";

typedef struct
{
  guint8 *bytes;
  gsize length;
} Profile;

static Profile good;

static guint32
next_random (guint64 *state)
{
  *state = *state * G_GUINT64_CONSTANT (6364136223846793005)
           + G_GUINT64_CONSTANT (1442695040888963407);
  return *state >> 33;
}

static void
exercise_bytes (const guint8 *bytes, gsize length, Exercise *out)
{
  g_autoptr (GBytes) all = g_bytes_new (bytes, length);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("profile.pop", all);

  exercise_profile (source, out);
}

static void
test_good (void)
{
  Exercise out;

  exercise_bytes (good.bytes, good.length, &out);
  g_assert_true (out.opened && out.probed);
  g_assert_cmpuint (out.n_failed, ==, 0);
  g_assert_cmpuint (out.n_values, ==, 8 + 48 + 64 + 64);
}

static void
test_bits (void)
{
  g_autofree guint8 *bytes = g_memdup2 (good.bytes, good.length);
  guint64 state = 1;
  guint opened = 0;
  guint failed = 0;

  for (guint i = 0; i < 4000; i++)
    {
      gsize at = next_random (&state) % good.length;
      Exercise out;

      /* Every bit of the header and the schema's first page, then bits anywhere. */
      if (i < 100 * 8)
        at = i / 8;
      bytes[at] ^= 1 << (i % 8);
      exercise_bytes (bytes, good.length, &out);
      opened += out.opened;
      failed += out.n_failed > 0;
      bytes[at] = good.bytes[at];
    }
  /* Neither refuses everything nor believes everything. */
  g_assert_cmpuint (opened, >, 2000);
  g_assert_cmpuint (failed, >, 100);
}

static void
test_many_bytes (void)
{
  static const guint8 values[] = { 0x00, 0xff, 0x7f, 0x80, 0x01 };
  guint64 state = 2;

  for (guint i = 0; i < 1500; i++)
    {
      g_autofree guint8 *bytes = g_memdup2 (good.bytes, good.length);
      guint n = 1 + next_random (&state) % 64;
      Exercise out;

      for (guint k = 0; k < n; k++)
        bytes[100 + next_random (&state) % (good.length - 100)]
            = values[next_random (&state) % G_N_ELEMENTS (values)];
      exercise_bytes (bytes, good.length, &out);
    }
}

/* Pages that point to each other in circles. */
static void
test_swapped_pages (void)
{
  const gsize page = 512;
  gsize n_pages = good.length / page;
  guint64 state = 3;

  for (guint i = 0; i < 1000; i++)
    {
      g_autofree guint8 *bytes = g_memdup2 (good.bytes, good.length);
      gsize from = next_random (&state) % n_pages;
      gsize to = 1 + next_random (&state) % (n_pages - 1);
      Exercise out;

      memcpy (bytes + to * page, good.bytes + from * page, page);
      exercise_bytes (bytes, good.length, &out);
    }
}

static void
test_cut (void)
{
  guint opened = 0;

  for (gsize length = 0; length <= good.length; length += 64)
    {
      Exercise out;

      exercise_bytes (good.bytes, length, &out);
      opened += out.opened;
      if (out.opened && length < good.length)
        g_assert_cmpuint (out.n_read, >, 0);
    }
  g_assert_cmpuint (opened, >, 10);
}

int
main (int argc, char **argv)
{
  char *folder;
  g_autofree char *path = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = tsr_test_folder_new ();
  path = g_build_filename (folder, "profile.pop", NULL);
  tsr_test_sql (folder, "profile.pop", sql);
  g_assert_true (g_file_get_contents (path, (char **)&good.bytes, &good.length, NULL));
  g_test_add_func ("/profile-damage/good", test_good);
  g_test_add_func ("/profile-damage/bits", test_bits);
  g_test_add_func ("/profile-damage/many-bytes", test_many_bytes);
  g_test_add_func ("/profile-damage/swapped-pages", test_swapped_pages);
  g_test_add_func ("/profile-damage/cut", test_cut);
  status = g_test_run ();
  g_free (good.bytes);
  tsr_test_folder_free (folder);
  return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* profile.pop: every reader, one after the other, whatever the one before said. */

#include "config.h"

#include "fuzz.h"
#include "tsr-profile-execution.h"
#include "tsr-profile-lowered.h"
#include "tsr-profile-tables.h"

#define MAX_FUZZ_TILES 5000

static void
end_reader (gboolean ok, GError **error)
{
  fuzz_check_error (ok, *error);
  g_clear_error (error);
}

static void
read_report (TsrProfile *profile)
{
  g_autoptr (GHashTable) info = NULL;
  g_auto (GStrv) options = NULL;
  TsrTargetRow target = { 0 };
  TsrGraphRow graph = { 0 };
  gboolean found;
  GError *error = NULL;

  end_reader (tsr_profile_read_info (profile, &info, &error), &error);
  end_reader (tsr_profile_read_engine_options (profile, &options, &error), &error);
  end_reader (tsr_profile_read_target (profile, &target, &found, &error), &error);
  tsr_target_row_clear (&target);
  end_reader (tsr_profile_read_graph (profile, &graph, &found, &error), &error);
}

static void
read_memory (TsrProfile *profile, gint64 hint)
{
  TsrTileRows tiles = { 0 };
  TsrRegionRows regions = { 0 };
  TsrCategoryRows categories = { 0 };
  TsrTileCategoryRows by_category = { 0 };
  gint64 *allocated = NULL;
  GError *error = NULL;
  guint n;

  end_reader (tsr_profile_read_tiles (profile, hint, &tiles, &error), &error);
  g_assert_cmpuint (tiles.n_tiles, <=, TSR_MAX_TILES);
  n = MIN (tiles.n_tiles, MAX_FUZZ_TILES);
  end_reader (tsr_profile_read_regions (profile, n, &regions, &error), &error);
  end_reader (tsr_profile_read_categories (profile, &categories, &error), &error);
  end_reader (tsr_profile_scan_allocated (profile, &categories, NULL, &error), &error);
  end_reader (tsr_profile_read_tile_categories (profile, n, &categories, &by_category, &error),
              &error);
  end_reader (
      tsr_profile_scan_allocated_by_tile (profile, &categories, n, NULL, &allocated, &error),
      &error);
  for (guint i = 0; by_category.tile_start != NULL && i < by_category.tile_start[n]; i++)
    {
      g_assert_cmpuint (by_category.category[i], <, categories.n_categories);
      g_assert_cmpuint (by_category.region[i], <, TSR_N_REGIONS);
    }
  g_free (allocated);
  tsr_tile_rows_clear (&tiles);
  tsr_region_rows_clear (&regions);
  tsr_category_rows_clear (&categories);
  tsr_tile_category_rows_clear (&by_category);
}

static void
check_picture (const TsrSlicePicture *picture, gpointer data)
{
  for (gsize i = 0; i < (gsize)picture->n_ipus * picture->n_columns; i++)
    g_assert_true (picture->length[i] > 0 ? picture->type[i] == 0 : picture->type[i] == 0xff);
}

static void
read_execution (TsrProfile *profile, guint rows_for_two)
{
  const TsrStepKeys step_keys = { .max_types = 4, .rows_for_two = 2 };
  guint8 types[5] = { 0 };
  TsrSliceKeys keys = { .n_ipus = 16,
                        .rows_for_two = rows_for_two,
                        .step_type = types,
                        .show = check_picture,
                        .n_picture_ipus = 3 };
  g_auto (TsrStepRows) steps = { 0 };
  g_auto (TsrSliceRows) slices = { 0 };
  static const gint64 ids[] = { 0, 1, 2, 3, 1000000 };
  guint32 values[100];
  gboolean found;
  GError *error = NULL;

  end_reader (tsr_profile_scan_steps (profile, &step_keys, &steps, NULL, &error), &error);
  for (gsize i = 0; i < steps.n; i++)
    {
      g_assert_cmpuint (steps.type[i], <, steps.types->len);
      g_assert_cmpuint (steps.program[i], ==, TSR_NO_INDEX);
      g_assert_cmpuint (steps.run[i], ==, G_MAXUINT16);
    }
  tsr_id_index_init (&keys.steps, ids, 5);
  end_reader (tsr_profile_scan_slices (profile, &keys, &slices, NULL, &error), &error);
  for (gsize i = 0; i < slices.n; i++)
    {
      g_assert_true (slices.step[i] < 5 || slices.step[i] == TSR_NO_INDEX);
      g_assert_cmpuint (slices.ipu[i], <, 16);
      g_assert_true ((slices.start[i] == TSR_UNKNOWN) == (slices.end[i] == TSR_UNKNOWN));
      g_assert_cmpint (slices.start[i], <=, slices.end[i]);
      g_assert_cmpint (tsr_narrow_get (&slices.cycles, i), >=, TSR_UNKNOWN);
    }
  tsr_id_index_clear (&keys.steps);
  for (gint64 id = 0; id < 4; id++)
    end_reader (
        tsr_profile_read_tile_array (profile, id, G_N_ELEMENTS (values), values, &found, &error),
        &error);
}

static void
read_tables (TsrProfile *profile)
{
  g_autoptr (TsrStringTable) strings = tsr_string_table_new ();
  GError *error = NULL;

  for (TsrTableKind kind = 0; kind < TSR_N_TABLES; kind++)
    {
      g_auto (TsrTableRows) rows = { 0 };

      end_reader (tsr_profile_read_table (profile, kind, strings, &rows, &error), &error);
      g_assert_cmpuint (rows.row.length, ==, rows.n);
      for (guint i = 0; i < rows.n_columns; i++)
        g_assert_cmpuint (rows.columns[i].length, ==, rows.n);
    }
}

/* By one thread and by two, with ids that some files have. */
static void
read_lowered (TsrProfile *profile, guint rows_for_two)
{
  static const gint64 ids[] = { 0, 1, 2, 3, 1000000 };
  static const guint32 strings[] = { 7, 8, 9, TSR_NO_STRING };
  static const guint16 places[] = { 4, 3, 2, 1, 0 };
  TsrLoweredKeys keys = { .strings = strings,
                          .n_strings = G_N_ELEMENTS (strings),
                          .category_places = places,
                          .n_tiles = 16,
                          .bytes_per_tile = 1000,
                          .rows_for_two = rows_for_two };
  TsrLoweredRows rows = { 0 };
  GError *error = NULL;

  tsr_id_index_init (&keys.names, ids, 4);
  tsr_id_index_init (&keys.variables, ids, 5);
  tsr_id_index_init (&keys.categories, ids, 5);
  tsr_id_index_init (&keys.classes, ids, 3);
  end_reader (tsr_profile_scan_lowered (profile, &keys, &rows, NULL, &error), &error);
  for (gsize i = 0; i < rows.n; i++)
    {
      g_assert_true (rows.tile[i] < 16 || rows.tile[i] == TSR_NO_INDEX);
      g_assert_true (rows.variable[i] < 5 || rows.variable[i] == TSR_NO_INDEX);
      g_assert_true (rows.equivalence_class[i] < 3 || rows.equivalence_class[i] == TSR_NO_INDEX);
      g_assert_true (rows.name[i] == TSR_NO_STRING || (rows.name[i] >= 7 && rows.name[i] <= 9));
    }
  tsr_lowered_rows_clear (&rows);
  tsr_id_index_clear (&keys.variables);
  tsr_id_index_clear (&keys.categories);
  tsr_id_index_clear (&keys.classes);
  tsr_id_index_clear (&keys.names);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (TsrSource) source = tsr_bytes_source_new ("profile.pop", bytes);
  g_autoptr (TsrDiagnostics) diagnostics = tsr_diagnostics_new ();
  g_autoptr (TsrDatabase) database = NULL;
  g_autoptr (TsrProfile) profile = NULL;
  g_autoptr (GError) error = NULL;

  fuzz_begin ();
  database = tsr_database_open_source (source, &error);
  fuzz_check_error (database != NULL, error);
  if (database == NULL)
    return 0;
  profile = tsr_profile_new (database, diagnostics, &error);
  fuzz_check_error (profile != NULL, error);
  if (profile == NULL)
    return 0;
  read_report (profile);
  read_memory (profile, TSR_UNKNOWN);
  read_memory (profile, 16);
  read_execution (profile, 2);
  read_execution (profile, 0);
  read_tables (profile);
  read_lowered (profile, 2);
  read_lowered (profile, 0);
  for (guint i = 0; i < tsr_diagnostics_get_n_kept (diagnostics); i++)
    g_assert_true (g_utf8_validate (tsr_diagnostics_get (diagnostics, i)->text, -1, NULL));
  return 0;
}

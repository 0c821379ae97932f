/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What must hold between the tables of memory by tile, and between them and archive.a. */

#include "config.h"

#include "tsr-check-private.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

static gint64
value_at (const gint64 *values, guint tile)
{
  return values != NULL ? values[tile] : TSR_UNKNOWN;
}

static gboolean
known (gint64 a, gint64 b)
{
  return a != TSR_UNKNOWN && b != TSR_UNKNOWN;
}

static void
check_tile (TsrCheck *check, guint tile)
{
  const TsrTileRows *tiles = &check->memory->tiles;
  gint64 total = value_at (tiles->total, tile);
  gint64 including = value_at (tiles->including_gaps, tile);
  gint64 excluding = value_at (tiles->excluding_gaps, tile);
  gint64 overflowed = value_at (tiles->overflowed, tile);
  gint64 always = value_at (tiles->always_live, tile);
  gint64 not_always = value_at (tiles->not_always_live, tile);
  const char *table = "memory_by_tile";

  if (check->ours && known (total, excluding) && total != excluding)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "total-differs", table, tile,
                   _ ("total is %" PRId64 ", excluding_gaps is %" PRId64 "; they must be the same"),
                   total, excluding);
  if (known (including, excluding) && including < excluding)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "gaps-negative", table, tile,
                   _ ("including_gaps is %" PRId64 ", less than excluding_gaps, %" PRId64),
                   including, excluding);
  if (known (including, check->bytes_per_tile) && overflowed != TSR_UNKNOWN
      && (overflowed > 0) != (including > check->bytes_per_tile))
    tsr_check_add (
        check, TSR_SEVERITY_ERROR, "overflow-differs", table, tile,
        _ ("overflowed is %" PRId64 " although %" PRId64 " of %" PRId64 " bytes are used"),
        overflowed, including, check->bytes_per_tile);
  if (known (always, not_always) && excluding != TSR_UNKNOWN && excluding - always < not_always)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "live-exceeds-tile", table, tile,
                   _ ("always_live %" PRId64 " and not_always_live %" PRId64
                      " are together more than excluding_gaps, %" PRId64),
                   always, not_always, excluding);
}

static void
check_regions (TsrCheck *check, guint tile)
{
  const TsrRegionRows *regions = &check->memory->regions;
  gint64 excluding = value_at (check->memory->tiles.excluding_gaps, tile);
  gint64 sum = 0;

  if (!regions->present)
    return;
  for (guint r = 0; r < TSR_N_REGIONS; r++)
    {
      gint64 bytes = value_at (regions->bytes[r], tile);
      gint64 shared = value_at (regions->overlapped[r], tile);

      if (known (bytes, shared) && shared > bytes)
        tsr_check_add (check, TSR_SEVERITY_ERROR, "overlap-exceeds-region", "memory_by_tile_region",
                       tile,
                       _ ("region %u: overlapped_bytes is %" PRId64 ", more than bytes, %" PRId64),
                       r, shared, bytes);
      sum = known (sum, bytes) ? tsr_check_wrap_add (sum, bytes) : TSR_UNKNOWN;
    }
  if (known (sum, excluding) && sum != excluding
      && !tsr_check_is_flagged (check, "memory_by_tile", tile))
    tsr_check_add (check, TSR_SEVERITY_ERROR, "region-sum-differs", "memory_by_tile_region", tile,
                   _ ("the regions hold %" PRId64 " bytes, excluding_gaps of the tile is %" PRId64),
                   sum, excluding);
}

/* For each region: bytes that one variable has for itself, and those that several share, once. */
static void
check_region_categories (TsrCheck *check, guint tile)
{
  const TsrTileCategoryRows *rows = &check->memory->by_category;
  const TsrRegionRows *regions = &check->memory->regions;
  gint64 own[TSR_N_REGIONS] = { 0 };
  gint64 others[TSR_N_REGIONS] = { 0 };

  for (guint32 i = rows->tile_start[tile]; i < rows->tile_start[tile + 1]; i++)
    {
      guint r = rows->region[i];

      own[r] = known (own[r], rows->non_overlapped[i])
                   ? tsr_check_wrap_add (own[r], rows->non_overlapped[i])
                   : TSR_UNKNOWN;
      others[r] = known (others[r], rows->overlapped[i])
                      ? tsr_check_wrap_add (others[r], rows->overlapped[i])
                      : TSR_UNKNOWN;
    }
  for (guint r = 0; r < TSR_N_REGIONS; r++)
    {
      gint64 bytes = value_at (regions->bytes[r], tile);
      gint64 shared = value_at (regions->overlapped[r], tile);

      if (!known (bytes, shared))
        continue;
      if (own[r] != TSR_UNKNOWN && tsr_check_wrap_add (own[r], shared) != bytes)
        tsr_check_add (
            check, TSR_SEVERITY_ERROR, "category-sum-differs", "memory_by_tile_category", tile,
            _ ("region %u: non_overlapped of all categories, %" PRId64
               ", and the region's overlapped_bytes, %" PRId64 ", are not its bytes, %" PRId64),
            r, own[r], shared, bytes);
      else if (others[r] != TSR_UNKNOWN && others[r] / 2 < shared)
        tsr_check_add (
            check, TSR_SEVERITY_ERROR, "overlap-sum-differs", "memory_by_tile_category", tile,
            _ ("region %u: %" PRId64 " bytes are shared by two variables or more, but the "
               "categories have only %" PRId64 " overlapped bytes"),
            r, shared, others[r]);
    }
}

/* By category: what the tile holds, each variable whole, against the allocations themselves. */
/* Whether a category can have @told bytes where its rows in vars_info have @counted, and @unknown
 * more belong to any. */
static gboolean
can_be (gint64 told, gint64 counted, gint64 unknown)
{
  return told == counted
         || (told > counted && (guint64)told - (guint64)counted <= (guint64)MAX (unknown, 0));
}

static void
check_tile_categories (TsrCheck *check, guint tile)
{
  const TsrTileCategoryRows *rows = &check->memory->by_category;
  const TsrCategoryRows *categories = &check->memory->categories;
  guint64 n = check->sets[TSR_SET_CATEGORIES].n_ids;
  const gint64 *of_tile = check->tile_category + (guint64)tile * (n + 1);
  g_autofree gint64 *sums = g_new0 (gint64, n);

  for (guint32 i = rows->tile_start[tile]; i < rows->tile_start[tile + 1]; i++)
    {
      gint64 place
          = tsr_id_set_index (&check->sets[TSR_SET_CATEGORIES], categories->ids[rows->category[i]]);

      if (place < 0)
        continue;
      if (!known (rows->non_overlapped[i], rows->overlapped[i]))
        return;
      sums[place] = tsr_check_wrap_add (
          sums[place], tsr_check_wrap_add (rows->non_overlapped[i], rows->overlapped[i]));
    }
  for (guint64 c = 0; c < n; c++)
    {
      gint64 allocated = of_tile[c];

      if (!can_be (sums[c], allocated, of_tile[n]))
        tsr_check_add (check, TSR_SEVERITY_ERROR, "category-allocation-differs",
                       "memory_by_tile_category", tile,
                       _ ("category %s: non_overlapped and overlapped are together %" PRId64
                          " bytes, the tile's rows in vars_info add up to %" PRId64),
                       c < categories->n_categories ? categories->names[c] : "?", sums[c],
                       allocated);
    }
}

static void
check_allocated (TsrCheck *check)
{
  const TsrCategoryRows *categories = &check->memory->categories;

  if (check->allocated == NULL || !check->vars_sound || check->tile < 0
      || !tsr_profile_has_column (check->profile, "var_categories", "allocated_bytes"))
    return;
  for (guint i = 0; i < categories->n_categories; i++)
    {
      gint64 place = tsr_id_set_index (&check->sets[TSR_SET_CATEGORIES], categories->ids[i]);

      if (place >= 0 && categories->allocated[i] != TSR_UNKNOWN
          && !tsr_check_is_flagged (check, "var_categories", categories->ids[i])
          && !can_be (categories->allocated[i], check->allocated[place],
                      check->allocated[check->sets[TSR_SET_CATEGORIES].n_ids]))
        tsr_check_add (
            check, TSR_SEVERITY_ERROR, "allocated-differs", "var_categories", categories->ids[i],
            _ ("allocated_bytes of %s is %" PRId64 ", its rows in vars_info add up to %" PRId64),
            categories->names[i], categories->allocated[i], check->allocated[place]);
    }
}

void
tsr_check_memory_invariants (TsrCheck *check)
{
  const TsrMemoryTables *memory = check->memory;

  if (memory == NULL || memory->from_archive)
    return;
  for (guint tile = 0; tile < memory->tiles.n_tiles; tile++)
    {
      if (!tsr_check_is_flagged (check, "memory_by_tile", tile))
        check_tile (check, tile);
      if (tsr_check_is_flagged (check, "memory_by_tile_region", tile))
        continue;
      check_regions (check, tile);
      if (!memory->by_category.present
          || tsr_check_is_flagged (check, "memory_by_tile_region", tile)
          || tsr_check_is_flagged (check, "memory_by_tile_category", tile))
        continue;
      if (memory->regions.present)
        check_region_categories (check, tile);
      if (check->tile_category != NULL && check->vars_sound && check->tile >= 0
          && !tsr_check_is_flagged (check, "memory_by_tile_category", tile)
          && tile < check->n_tiles)
        check_tile_categories (check, tile);
    }
  check_allocated (check);
}

/* ----------------------------------------------------------------- archive */

static void
compare_archive (TsrCheck *check, const char *file, const TsrArchiveRows *rows)
{
  const TsrMemoryTables *memory = check->memory;
  const gint64 *totals;

  if (memory == NULL || memory->tiles.total == NULL)
    return;
  totals = memory->tiles.total;
  if (rows->n_members != memory->tiles.n_tiles)
    tsr_diagnostics_add (check->diagnostics, TSR_SEVERITY_WARNING, "archive-incomplete", file, NULL,
                         TSR_NO_ROW, TSR_NO_ROW,
                         _ ("the archive has %u ELF files, the profile %u tiles"), rows->n_members,
                         memory->tiles.n_tiles);
  for (guint i = 0; i < rows->n_members; i++)
    {
      gint64 tile = rows->tiles[i];
      gint64 text = rows->text_bytes[i];

      if (tile >= memory->tiles.n_tiles || !known (text, totals[tile]) || text == totals[tile])
        continue;
      tsr_diagnostics_add (
          check->diagnostics, check->ours ? TSR_SEVERITY_ERROR : TSR_SEVERITY_WARNING,
          "archive-differs", file, rows->names[i], tile, rows->offsets[i],
          _ (".text has %" PRId64 " bytes, the profile's total of tile %" PRId64 " is %" PRId64),
          text, tile, totals[tile]);
    }
}

/* The loader reads the archive only when there is no profile. */
gboolean
tsr_check_archive (TsrCheck *check, GError **error)
{
  const TsrReportFiles *files = tsr_report_get_files (check->report);
  const TsrReportFile *file = &files->files[TSR_FILE_ARCHIVE];
  g_autoptr (TsrSource) source = NULL;
  TsrArchiveRows rows = { 0 };
  GError *local_error = NULL;

  if (!file->found || (check->memory != NULL && check->memory->from_archive))
    return TRUE;
  source = tsr_place_open (files->place, file->path, check->cancellable, &local_error);
  if (source != NULL
      && tsr_archive_read (source, &rows, check->diagnostics, NULL, check->cancellable,
                           &local_error))
    compare_archive (check, file->name, &rows);
  tsr_archive_rows_clear (&rows);
  if (local_error == NULL)
    return TRUE;
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  tsr_diagnostics_add (check->diagnostics, TSR_SEVERITY_ERROR, "part-not-read", file->name, NULL,
                       TSR_NO_ROW, TSR_NO_ROW, "%s", local_error->message);
  g_error_free (local_error);
  return TRUE;
}

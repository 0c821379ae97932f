/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory by tile: from rows of profile.pop to one array for each column.  A row that names no tile
 * of the report is a diagnostic; a tile without a row stays unknown. */

#include "config.h"

#include "tsr-profile-private.h"

#include "tsr-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static gint64 *
unknown_values (gsize n)
{
  gint64 *values = g_new (gint64, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    values[i] = TSR_UNKNOWN;
  return values;
}

/* ------------------------------------------------------------------ tiles */

enum
{
  TILE,
  TOTAL,
  INCLUDING,
  EXCLUDING,
  OVERFLOWED,
  ALWAYS,
  NOT_ALWAYS,
  PEAK,
  N_TILE_COLUMNS
};

static const char *const tile_columns[]
    = { "tile",       "total",       "including_gaps",  "excluding_gaps",
        "overflowed", "always_live", "not_always_live", "peak_step",
        NULL };

static gint64 **
tile_array (TsrTileRows *rows, int column)
{
  switch (column)
    {
    case TOTAL:
      return &rows->total;
    case INCLUDING:
      return &rows->including_gaps;
    case EXCLUDING:
      return &rows->excluding_gaps;
    case OVERFLOWED:
      return &rows->overflowed;
    case ALWAYS:
      return &rows->always_live;
    case NOT_ALWAYS:
      return &rows->not_always_live;
    case PEAK:
    default:
      return &rows->peak_step;
    }
}

void
tsr_tile_rows_clear (TsrTileRows *rows)
{
  for (int column = TOTAL; column < N_TILE_COLUMNS; column++)
    g_clear_pointer (tile_array (rows, column), g_free);
  rows->n_tiles = 0;
}

/* Rows as they come: the tile, then the values of one row side by side. */
typedef struct
{
  GArray *tiles;  /* guint32 */
  GArray *values; /* gint64, N_TILE_COLUMNS - 1 a row */
  gint64 last;    /* largest tile so far */
} TileRow;

static void
collect_tiles (TsrReader *reader, gboolean keyed, gint64 hint, TileRow *found)
{
  while (tsr_reader_next (reader))
    {
      gint64 end = hint != TSR_UNKNOWN ? MIN (hint, TSR_MAX_TILES) : TSR_MAX_TILES;
      gint64 tile = keyed ? tsr_scan_get_int (reader->scan, TILE)
                          : (gint64)tsr_scan_get_n_rows (reader->scan) - 1;
      guint32 kept;

      if (tile == TSR_UNKNOWN || tile < 0 || tile >= end)
        {
          if (keyed && tsr_scan_get_type (reader->scan, TILE) != TSR_CELL_INTEGER)
            tsr_reader_complain (reader, "wrong-type", _ ("tile is not an integer"));
          else
            tsr_reader_complain (
                reader, "tile-out-of-range",
                _ ("tile %" PRId64 " is not one of the target's tiles 0 to %" PRId64), tile,
                end - 1);
          continue;
        }
      kept = tile;
      g_array_append_val (found->tiles, kept);
      found->last = MAX (found->last, tile);
      for (int column = TOTAL; column < N_TILE_COLUMNS; column++)
        {
          gint64 value = column == PEAK ? tsr_reader_int (reader, PEAK, 0, G_MAXUINT32)
                                        : tsr_reader_size (reader, column);

          g_array_append_val (found->values, value);
        }
    }
}

static void
place_tiles (TsrReader *reader, const TileRow *found, TsrTileRows *rows)
{
  g_autofree guint8 *seen = g_new0 (guint8, rows->n_tiles + 1);
  guint missing = 0;
  guint first = 0;

  for (guint i = 0; i < found->tiles->len; i++)
    {
      guint32 tile = g_array_index (found->tiles, guint32, i);

      if (seen[tile])
        {
          tsr_diagnostics_add (tsr_profile_peek_diagnostics (reader->profile), TSR_SEVERITY_ERROR,
                               "duplicate-tile", tsr_profile_peek_file (reader->profile),
                               reader->table, tile, TSR_NO_ROW,
                               _ ("tile %u has more than one row; the first counts"), tile);
          continue;
        }
      seen[tile] = 1;
      for (int column = TOTAL; column < N_TILE_COLUMNS; column++)
        if (*tile_array (rows, column) != NULL)
          (*tile_array (rows, column))[tile]
              = g_array_index (found->values, gint64, i * (N_TILE_COLUMNS - 1) + column - TOTAL);
    }
  for (guint tile = 0; tile < rows->n_tiles; tile++)
    if (!seen[tile] && missing++ == 0)
      first = tile;
  if (missing > 0)
    tsr_diagnostics_add (tsr_profile_peek_diagnostics (reader->profile), TSR_SEVERITY_WARNING,
                         "tiles-missing", tsr_profile_peek_file (reader->profile), reader->table,
                         first, TSR_NO_ROW,
                         _ ("%u of %u tiles have no row, tile %u first; their memory is not known"),
                         missing, rows->n_tiles, first);
}

gboolean
tsr_profile_read_tiles (TsrProfile *self, gint64 tiles_hint, TsrTileRows *rows, GError **error)
{
  gboolean keyed = tsr_profile_has_column (self, "memory_by_tile", "tile");
  TileRow found = { g_array_new (FALSE, FALSE, sizeof (guint32)),
                    g_array_new (FALSE, FALSE, sizeof (gint64)), -1 };
  TsrReader reader;
  gboolean ok;

  memset (rows, 0, sizeof *rows);
  tsr_reader_begin (&reader, self, "memory_by_tile", tile_columns);
  collect_tiles (&reader, keyed, tiles_hint, &found);
  /* What the target tells counts only as far as the file has rows: an absurd target costs nothing.
   */
  rows->n_tiles = found.last + 1;
  if (tiles_hint != TSR_UNKNOWN && tiles_hint <= TSR_MAX_TILES
      && tiles_hint <= 2 * (gint64)found.tiles->len + 4096)
    rows->n_tiles = tiles_hint;
  /* One row far out must not make a million tiles. */
  if (rows->n_tiles > 2 * (gint64)found.tiles->len + 4096)
    {
      tsr_diagnostics_add (tsr_profile_peek_diagnostics (self), TSR_SEVERITY_ERROR,
                           "tile-out-of-range", tsr_profile_peek_file (self), "memory_by_tile",
                           found.last, TSR_NO_ROW,
                           _ ("tile %" PRId64 " is far beyond the %u tiles that have rows; "
                              "the table is left out"),
                           found.last, found.tiles->len);
      rows->n_tiles = 0;
      g_array_set_size (found.tiles, 0);
    }
  for (int column = TOTAL; column < N_TILE_COLUMNS; column++)
    if (tsr_profile_has_column (self, "memory_by_tile", tile_columns[column]))
      *tile_array (rows, column) = unknown_values (rows->n_tiles);
  place_tiles (&reader, &found, rows);
  g_array_unref (found.tiles);
  g_array_unref (found.values);
  ok = tsr_reader_end (&reader, error);
  if (!ok)
    tsr_tile_rows_clear (rows);
  return ok;
}

/* ------------------------------------------------------------- categories */

void
tsr_category_rows_clear (TsrCategoryRows *rows)
{
  for (guint i = 0; i < rows->n_categories; i++)
    g_free (rows->names[i]);
  g_clear_pointer (&rows->names, g_free);
  g_clear_pointer (&rows->ids, g_free);
  g_clear_pointer (&rows->allocated, g_free);
  rows->n_categories = 0;
}

/* Where @id stands or would stand. */
static guint
find_category (const TsrCategoryRows *rows, gint64 id, gboolean *there)
{
  guint low = 0;
  guint high = rows->n_categories;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (rows->ids[middle] < id)
        low = middle + 1;
      else
        high = middle;
    }
  *there = low < rows->n_categories && rows->ids[low] == id;
  return low;
}

static void
insert_category (TsrCategoryRows *rows, guint at, gint64 id, char *name, gint64 allocated)
{
  guint n = rows->n_categories;

  rows->ids = g_renew (gint64, rows->ids, n + 1);
  rows->names = g_renew (char *, rows->names, n + 1);
  rows->allocated = g_renew (gint64, rows->allocated, n + 1);
  memmove (rows->ids + at + 1, rows->ids + at, (n - at) * sizeof *rows->ids);
  memmove (rows->names + at + 1, rows->names + at, (n - at) * sizeof *rows->names);
  memmove (rows->allocated + at + 1, rows->allocated + at, (n - at) * sizeof *rows->allocated);
  rows->ids[at] = id;
  rows->names[at] = name != NULL ? name : g_strdup_printf (_ ("category %" PRId64), id);
  rows->allocated[at] = allocated;
  rows->n_categories++;
}

/* Categories are few; more than this is no list of categories. */
#define MAX_CATEGORIES 4096

gboolean
tsr_profile_read_categories (TsrProfile *self, TsrCategoryRows *rows, GError **error)
{
  static const char *const columns[] = { "id", "name", "allocated_bytes", NULL };
  TsrReader reader;

  memset (rows, 0, sizeof *rows);
  tsr_reader_begin (&reader, self, "var_categories", columns);
  while (tsr_reader_next (&reader))
    {
      gint64 id = tsr_reader_int (&reader, 0, G_MININT32, G_MAXINT32);
      gboolean there;
      guint at;

      if (id == TSR_UNKNOWN)
        continue;
      at = find_category (rows, id, &there);
      if (there)
        tsr_reader_complain (&reader, "duplicate-category",
                             _ ("category %" PRId64 " stands twice; the first counts"), id);
      else if (rows->n_categories >= MAX_CATEGORIES)
        {
          tsr_reader_complain (&reader, "limit",
                               _ ("more than %d categories; the rest is left out"), MAX_CATEGORIES);
          break;
        }
      else
        insert_category (rows, at, id, tsr_reader_dup_text (&reader, 1),
                         tsr_reader_size (&reader, 2));
    }
  if (tsr_reader_end (&reader, error))
    return TRUE;
  tsr_category_rows_clear (rows);
  return FALSE;
}

/* Index of @id; a category that var_categories does not name is added, with a diagnostic. */
static gboolean
need_category (TsrReader *reader, TsrCategoryRows *rows, gint64 id, guint *index)
{
  gboolean there;

  *index = find_category (rows, id, &there);
  if (there)
    return TRUE;
  if (rows->n_categories >= MAX_CATEGORIES)
    return FALSE;
  tsr_reader_complain (reader, "unknown-category",
                       _ ("category %" PRId64 " is not in var_categories"), id);
  insert_category (rows, *index, id, NULL, TSR_UNKNOWN);
  return TRUE;
}

gboolean
tsr_profile_scan_allocated (TsrProfile *self,
                            TsrCategoryRows *rows,
                            TsrProgress *progress,
                            GError **error)
{
  static const char *const columns[] = { "category", "size_bytes", NULL };
  g_autoptr (GHashTable) sums = g_hash_table_new (NULL, NULL);
  g_autofree gint64 *bytes = NULL;
  GHashTableIter iter;
  TsrReader reader;
  gpointer key;
  gpointer slot;
  guint n_slots = 0;

  /* Small sums by slot; ids become categories only at the end, because adding one moves the others.
   */
  bytes = g_new0 (gint64, MAX_CATEGORIES + 1);
  tsr_reader_begin (&reader, self, "vars_info", columns);
  while (tsr_reader_next (&reader))
    {
      gint64 id = tsr_reader_int (&reader, 0, G_MININT32, G_MAXINT32);
      gint64 size = tsr_reader_size (&reader, 1);
      guint index;

      tsr_progress_add_done (progress, 1);
      if (id == TSR_UNKNOWN)
        continue;
      index = GPOINTER_TO_UINT (g_hash_table_lookup (sums, GINT_TO_POINTER ((int)id)));
      if (index == 0)
        {
          if (n_slots >= MAX_CATEGORIES)
            continue;
          index = ++n_slots;
          g_hash_table_insert (sums, GINT_TO_POINTER ((int)id), GUINT_TO_POINTER (index));
        }
      if (size == TSR_UNKNOWN || bytes[index] == TSR_UNKNOWN)
        bytes[index] = TSR_UNKNOWN;
      else
        bytes[index] = tsr_add_saturating (bytes[index], size, NULL);
    }
  g_hash_table_iter_init (&iter, sums);
  while (reader.error == NULL && g_hash_table_iter_next (&iter, &key, &slot))
    {
      gint64 id = GPOINTER_TO_INT (key);
      gboolean there;
      guint at = find_category (rows, id, &there);

      if (!there && rows->n_categories < MAX_CATEGORIES)
        insert_category (rows, at, id, NULL, TSR_UNKNOWN);
      else if (!there)
        continue;
      if (rows->allocated[at] == TSR_UNKNOWN)
        rows->allocated[at] = bytes[GPOINTER_TO_UINT (slot)];
    }
  for (guint i = 0; reader.error == NULL && i < rows->n_categories; i++)
    if (rows->allocated[i] == TSR_UNKNOWN
        && !g_hash_table_contains (sums, GINT_TO_POINTER ((int)rows->ids[i])))
      rows->allocated[i] = 0;
  return tsr_reader_end (&reader, error);
}

gboolean
tsr_profile_scan_allocated_by_tile (TsrProfile *self,
                                    const TsrCategoryRows *rows,
                                    guint n_tiles,
                                    TsrProgress *progress,
                                    gint64 **bytes,
                                    GError **error)
{
  static const char *const columns[] = { "tile", "category", "size_bytes", NULL };
  gsize n = (gsize)n_tiles * rows->n_categories;
  gint64 *sums = g_try_new0 (gint64, MAX (n, 1));
  TsrReader reader;

  if (sums == NULL)
    {
      g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
                   _ ("%s, table vars_info: not enough memory for %u categories on %u tiles"),
                   tsr_profile_peek_file (self), rows->n_categories, n_tiles);
      return FALSE;
    }
  tsr_reader_begin (&reader, self, "vars_info", columns);
  while (tsr_reader_next (&reader))
    {
      gint64 tile = tsr_reader_int (&reader, 0, 0, (gint64)n_tiles - 1);
      gint64 id = tsr_reader_int (&reader, 1, G_MININT32, G_MAXINT32);
      gint64 size = tsr_reader_size (&reader, 2);
      gboolean there;
      guint category;

      tsr_progress_add_done (progress, 1);
      if (tile == TSR_UNKNOWN || id == TSR_UNKNOWN)
        continue;
      category = find_category (rows, id, &there);
      if (!there)
        continue;
      n = (gsize)category * n_tiles + tile;
      if (size == TSR_UNKNOWN || sums[n] == TSR_UNKNOWN)
        sums[n] = TSR_UNKNOWN;
      else
        sums[n] = tsr_add_saturating (sums[n], size, NULL);
    }
  if (!tsr_reader_end (&reader, error))
    {
      g_free (sums);
      return FALSE;
    }
  *bytes = sums;
  return TRUE;
}

/* ---------------------------------------------------------------- regions */

void
tsr_region_rows_clear (TsrRegionRows *rows)
{
  for (guint r = 0; r < TSR_N_REGIONS; r++)
    {
      g_clear_pointer (&rows->bytes[r], g_free);
      g_clear_pointer (&rows->overlapped[r], g_free);
    }
  rows->present = FALSE;
}

gboolean
tsr_profile_read_regions (TsrProfile *self, guint n_tiles, TsrRegionRows *rows, GError **error)
{
  static const char *const columns[] = { "tile", "region", "bytes", "overlapped_bytes", NULL };
  g_autofree guint8 *seen = g_new0 (guint8, n_tiles + 1); /* a bit for each region */
  TsrReader reader;

  memset (rows, 0, sizeof *rows);
  rows->n_tiles = n_tiles;
  tsr_reader_begin (&reader, self, "memory_by_tile_region", columns);
  while (tsr_reader_next (&reader))
    {
      gint64 tile = tsr_reader_int (&reader, 0, 0, (gint64)n_tiles - 1);
      gint64 region = tsr_reader_int (&reader, 1, 0, TSR_N_REGIONS - 1);

      if (!rows->present)
        for (guint r = 0; r < TSR_N_REGIONS; r++)
          {
            rows->bytes[r] = unknown_values (n_tiles);
            rows->overlapped[r] = unknown_values (n_tiles);
          }
      rows->present = TRUE;
      if (tile == TSR_UNKNOWN || region == TSR_UNKNOWN)
        continue;
      if ((seen[tile] & 1 << region) != 0)
        {
          tsr_reader_complain (&reader, "duplicate-tile",
                               _ ("region %d of the tile has more than one row; the first counts"),
                               (int)region);
          continue;
        }
      seen[tile] |= 1 << region;
      rows->bytes[region][tile] = tsr_reader_size (&reader, 2);
      rows->overlapped[region][tile] = tsr_reader_size (&reader, 3);
    }
  /* A writer may leave out empty regions: a tile with any row has nothing in those without one. */
  for (guint tile = 0; rows->present && tile < n_tiles; tile++)
    for (guint r = 0; seen[tile] != 0 && r < TSR_N_REGIONS; r++)
      if ((seen[tile] & 1 << r) == 0)
        rows->bytes[r][tile] = rows->overlapped[r][tile] = 0;
  if (tsr_reader_end (&reader, error))
    return TRUE;
  tsr_region_rows_clear (rows);
  return FALSE;
}

/* ----------------------------------------------------- tiles x categories */

typedef struct
{
  guint32 tile;
  gint32 id;
  guint8 region;
  gint64 non_overlapped;
  gint64 overlapped;
} Share;

static int
compare_shares (gconstpointer a, gconstpointer b)
{
  const Share *x = a;
  const Share *y = b;

  if (x->tile != y->tile)
    return x->tile < y->tile ? -1 : 1;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return (int)x->region - (int)y->region;
}

void
tsr_tile_category_rows_clear (TsrTileCategoryRows *rows)
{
  g_clear_pointer (&rows->tile_start, g_free);
  g_clear_pointer (&rows->category, g_free);
  g_clear_pointer (&rows->region, g_free);
  g_clear_pointer (&rows->non_overlapped, g_free);
  g_clear_pointer (&rows->overlapped, g_free);
  rows->present = FALSE;
}

static gboolean
collect_shares (TsrReader *reader, guint n_tiles, TsrCategoryRows *categories, GArray *shares)
{
  gboolean sorted = TRUE;
  Share last = { 0 };

  while (tsr_reader_next (reader))
    {
      gint64 tile = tsr_reader_int (reader, 0, 0, (gint64)n_tiles - 1);
      gint64 id = tsr_reader_int (reader, 1, G_MININT32, G_MAXINT32);
      gint64 region = tsr_reader_int (reader, 2, 0, TSR_N_REGIONS - 1);
      Share share = { 0 };
      guint index;

      if (tile == TSR_UNKNOWN || id == TSR_UNKNOWN || region == TSR_UNKNOWN)
        continue;
      if (!need_category (reader, categories, id, &index))
        continue;
      share.tile = tile;
      share.id = id;
      share.region = region;
      share.non_overlapped = tsr_reader_size (reader, 3);
      share.overlapped = tsr_reader_size (reader, 4);
      if (shares->len > 0 && compare_shares (&last, &share) >= 0)
        sorted = FALSE;
      last = share;
      g_array_append_val (shares, share);
    }
  return sorted;
}

static void
fill_shares (TsrReader *reader,
             const GArray *shares,
             const TsrCategoryRows *categories,
             TsrTileCategoryRows *rows)
{
  guint n = 0;

  rows->tile_start = g_new0 (guint32, rows->n_tiles + 1);
  rows->category = g_new (guint16, shares->len + 1);
  rows->region = g_new (guint8, shares->len + 1);
  rows->non_overlapped = g_new (gint64, shares->len + 1);
  rows->overlapped = g_new (gint64, shares->len + 1);
  for (guint i = 0; i < shares->len; i++)
    {
      const Share *share = &g_array_index (shares, Share, i);
      gboolean there;

      if (i > 0 && compare_shares (share - 1, share) == 0)
        {
          tsr_diagnostics_add (
              tsr_profile_peek_diagnostics (reader->profile), TSR_SEVERITY_ERROR, "duplicate-tile",
              tsr_profile_peek_file (reader->profile), reader->table, share->tile, TSR_NO_ROW,
              _ ("category %d, region %d of the tile has more than one row; the first counts"),
              share->id, share->region);
          continue;
        }
      rows->category[n] = find_category (categories, share->id, &there);
      rows->region[n] = share->region;
      rows->non_overlapped[n] = share->non_overlapped;
      rows->overlapped[n] = share->overlapped;
      n++;
      rows->tile_start[share->tile + 1] = n;
    }
  for (guint tile = 0; tile < rows->n_tiles; tile++)
    rows->tile_start[tile + 1] = MAX (rows->tile_start[tile + 1], rows->tile_start[tile]);
}

gboolean
tsr_profile_read_tile_categories (TsrProfile *self,
                                  guint n_tiles,
                                  TsrCategoryRows *categories,
                                  TsrTileCategoryRows *rows,
                                  GError **error)
{
  static const char *const columns[]
      = { "tile", "category", "region", "non_overlapped", "overlapped", NULL };
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (Share));
  TsrReader reader;

  memset (rows, 0, sizeof *rows);
  rows->n_tiles = n_tiles;
  tsr_reader_begin (&reader, self, "memory_by_tile_category", columns);
  if (!collect_shares (&reader, n_tiles, categories, shares))
    g_array_sort (shares, compare_shares);
  rows->present = shares->len > 0;
  if (rows->present)
    fill_shares (&reader, shares, categories, rows);
  if (tsr_reader_end (&reader, error))
    return TRUE;
  tsr_tile_category_rows_clear (rows);
  return FALSE;
}

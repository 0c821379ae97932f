/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory by tile: memory_by_tile, its regions and categories.  A value that differs between two
 * rows becomes unknown, with a diagnostic. */

#include "config.h"

#include "tsr-profile-cursor.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define N_TILE_COLUMNS 7

void
tsr_tile_rows_clear (TsrTileRows *rows)
{
  g_free (rows->total);
  g_free (rows->including_gaps);
  g_free (rows->excluding_gaps);
  g_free (rows->overflowed);
  g_free (rows->always_live);
  g_free (rows->not_always_live);
  g_free (rows->peak_step);
  memset (rows, 0, sizeof *rows);
}

void
tsr_region_rows_clear (TsrRegionRows *rows)
{
  for (guint i = 0; i < TSR_N_REGIONS; i++)
    {
      g_free (rows->bytes[i]);
      g_free (rows->overlapped[i]);
    }
  memset (rows, 0, sizeof *rows);
}

void
tsr_tile_category_rows_clear (TsrTileCategoryRows *rows)
{
  g_free (rows->tile_start);
  g_free (rows->category);
  g_free (rows->region);
  g_free (rows->non_overlapped);
  g_free (rows->overlapped);
}

static gint64 *
new_values (gsize n, gint64 value)
{
  gint64 *values = g_try_new (gint64, MAX (n, 1));

  for (gsize i = 0; values != NULL && i < n; i++)
    values[i] = value;
  return values;
}

/* ------------------------------------------------------------------ tiles */

/* The rows as they stand, before it is known how many tiles there are. */
typedef struct
{
  TsrColumn row, tile;
  TsrColumn values[N_TILE_COLUMNS];
  gboolean has[N_TILE_COLUMNS];
  gboolean has_tile;
} RawTiles;

static void
raw_tiles_clear (RawTiles *raw)
{
  tsr_column_clear (&raw->row);
  tsr_column_clear (&raw->tile);
  for (guint i = 0; i < N_TILE_COLUMNS; i++)
    tsr_column_clear (&raw->values[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RawTiles, raw_tiles_clear)

static gboolean
read_raw_tiles (TsrProfile *self, RawTiles *raw, GError **error)
{
  static const char *const columns[]
      = { "tile",       "total",       "including_gaps",  "excluding_gaps",
          "overflowed", "always_live", "not_always_live", "peak_step",
          NULL };
  g_auto (TsrProfileCursor) rows = { 0 };

  if (!tsr_profile_cursor_open (&rows, self, "memory_by_tile", columns, error))
    return FALSE;
  raw->has_tile = tsr_profile_cursor_has (&rows, 0);
  for (guint i = 0; i < N_TILE_COLUMNS; i++)
    raw->has[i] = tsr_profile_cursor_has (&rows, i + 1);
  while (tsr_profile_cursor_next (&rows, error))
    {
      gint64 tile = (gint64)rows.n_rows - 1;

      if (raw->tile.length >= TSR_MAX_TILES)
        {
          tsr_profile_cursor_report (&rows, TSR_SEVERITY_ERROR, "limit",
                                     _ ("there are more than %d tiles; the rest is left out"),
                                     TSR_MAX_TILES);
          return TRUE;
        }
      if (raw->has_tile)
        tile = tsr_profile_cursor_get_key (&rows, 0, 0, TSR_MAX_TILES - 1);
      if (tile == TSR_UNKNOWN)
        continue;
      tsr_column_append (&raw->tile, tile);
      tsr_column_append (&raw->row, tsr_profile_cursor_get_row (&rows));
      for (guint i = 0; i < N_TILE_COLUMNS; i++)
        if (raw->has[i])
          tsr_column_append (&raw->values[i],
                             tsr_profile_cursor_get_int (&rows, i + 1, 0, TSR_MAX_SIZE));
    }
  return !rows.failed;
}

static void
report_tile_row (TsrProfile *self, gint64 row, const char *code, const char *text, gint64 tile)
{
  tsr_diagnostics_add (tsr_profile_get_diagnostics (self), TSR_SEVERITY_ERROR, code,
                       tsr_profile_get_file_name (self), "memory_by_tile",
                       row != TSR_NO_ROW ? row : tile, TSR_NO_ROW, "%s", text);
}

/* The number of tiles: the target's if a file of this size can have so many rows, else up to the
 * last tile that has a row; without a target the number of rows. */
static guint
count_tiles (TsrProfile *self, const RawTiles *raw, gint64 hint)
{
  gint64 highest = -1;

  if (hint == TSR_UNKNOWN || hint < 0)
    return raw->tile.length;
  if (hint <= MAX (tsr_profile_get_file_size (self), 4096) && hint <= TSR_MAX_TILES)
    return hint;
  for (gsize i = 0; i < raw->tile.length; i++)
    highest = MAX (highest, raw->tile.values[i]);
  tsr_profile_report (self, "target", TSR_SEVERITY_ERROR, "limit",
                      _ ("the target has %" PRId64 " tiles, which a file of %" PRId64
                         " bytes cannot describe; only the tiles that have rows are shown"),
                      hint, tsr_profile_get_file_size (self));
  return MIN (highest + 1, tsr_profile_get_file_size (self));
}

static void
place_value (gint64 *values, guint tile, gint64 value, gboolean repeated, gboolean *differs)
{
  if (!repeated)
    values[tile] = value;
  else if (values[tile] != value)
    {
      values[tile] = TSR_UNKNOWN;
      *differs = TRUE;
    }
}

static void
place_tiles (TsrProfile *self, const RawTiles *raw, guint n_tiles, gint64 **arrays)
{
  g_autofree guint8 *seen = g_malloc0 (n_tiles + 1);
  guint n_seen = 0;
  guint first_hole = 0;

  for (gsize i = 0; i < raw->tile.length; i++)
    {
      gint64 tile = raw->tile.values[i];
      gboolean differs = FALSE;
      g_autofree char *text = NULL;

      if (tile >= n_tiles)
        {
          text = g_strdup_printf (
              _ ("there is no tile %" PRId64 ": the report has %u tiles; the row is left out"),
              tile, n_tiles);
          report_tile_row (self, raw->row.values[i], "value-out-of-range", text, tile);
          continue;
        }
      for (guint c = 0; c < N_TILE_COLUMNS; c++)
        if (raw->has[c])
          place_value (arrays[c], tile, raw->values[c].values[i], seen[tile], &differs);
      if (seen[tile])
        {
          text = g_strdup_printf (
              differs ? _ ("tile %" PRId64
                           " has another row with other values; values that differ are not shown")
                      : _ ("tile %" PRId64 " has another row with the same values"),
              tile);
          report_tile_row (self, raw->row.values[i], "row-repeated", text, tile);
        }
      else
        n_seen++;
      seen[tile] = TRUE;
    }
  while (first_hole < n_tiles && seen[first_hole])
    first_hole++;
  if (n_seen < n_tiles && n_seen > 0)
    tsr_profile_report (self, "memory_by_tile", TSR_SEVERITY_WARNING, "rows-missing",
                        _ ("%u of %u tiles have no row, tile %u is the first of them; their "
                           "memory is not known"),
                        n_tiles - n_seen, n_tiles, first_hole);
}

gboolean
tsr_profile_read_tiles (TsrProfile *self, gint64 tiles_hint, TsrTileRows *rows, GError **error)
{
  g_auto (RawTiles) raw = { 0 };
  gint64 *arrays[N_TILE_COLUMNS] = { NULL };

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  memset (rows, 0, sizeof *rows);
  if (!read_raw_tiles (self, &raw, error))
    return FALSE;
  rows->n_tiles = count_tiles (self, &raw, tiles_hint);
  for (guint i = 0; i < N_TILE_COLUMNS; i++)
    if (raw.has[i])
      arrays[i] = new_values (rows->n_tiles, TSR_UNKNOWN);
  for (guint i = 0; i < N_TILE_COLUMNS; i++)
    if (raw.has[i] && arrays[i] == NULL)
      {
        for (guint j = 0; j < N_TILE_COLUMNS; j++)
          g_free (arrays[j]);
        return !tsr_profile_fail_memory (self, "memory_by_tile", error);
      }
  place_tiles (self, &raw, rows->n_tiles, arrays);
  rows->total = arrays[0];
  rows->including_gaps = arrays[1];
  rows->excluding_gaps = arrays[2];
  rows->overflowed = arrays[3];
  rows->always_live = arrays[4];
  rows->not_always_live = arrays[5];
  rows->peak_step = arrays[6];
  return TRUE;
}

/* ---------------------------------------------------------------- regions */

static gboolean
alloc_regions (TsrRegionRows *regions, gboolean has_bytes, gboolean has_overlapped)
{
  for (guint i = 0; i < TSR_N_REGIONS; i++)
    {
      if (has_bytes)
        regions->bytes[i] = new_values (regions->n_tiles, TSR_UNKNOWN);
      if (has_overlapped)
        regions->overlapped[i] = new_values (regions->n_tiles, TSR_UNKNOWN);
      if ((has_bytes && regions->bytes[i] == NULL)
          || (has_overlapped && regions->overlapped[i] == NULL))
        return FALSE;
    }
  return TRUE;
}

static void
add_region (TsrProfileCursor *rows, TsrRegionRows *regions, guint8 *seen)
{
  gint64 tile = tsr_profile_cursor_get_key (rows, 0, 0, (gint64)regions->n_tiles - 1);
  gint64 region = tsr_profile_cursor_get_key (rows, 1, 0, TSR_N_REGIONS - 1);
  gint64 bytes = tsr_profile_cursor_get_int (rows, 2, 0, TSR_MAX_SIZE);
  gint64 overlapped = tsr_profile_cursor_get_int (rows, 3, 0, TSR_MAX_SIZE);
  gboolean differs = FALSE;
  gboolean repeated;

  if (tile == TSR_UNKNOWN || region == TSR_UNKNOWN)
    return;
  repeated = (seen[tile] & (1 << region)) != 0;
  seen[tile] |= 1 << region;
  if (regions->bytes[region] != NULL)
    place_value (regions->bytes[region], tile, bytes, repeated, &differs);
  if (regions->overlapped[region] != NULL)
    place_value (regions->overlapped[region], tile, overlapped, repeated, &differs);
  if (repeated)
    tsr_profile_cursor_report (rows, TSR_SEVERITY_ERROR, "row-repeated",
                               _ ("tile %d has another row for region %d"), (int)tile, (int)region);
}

/* A writer may leave out empty regions: a tile with any row has nothing in those without one. */
static void
fill_regions (TsrRegionRows *regions, const guint8 *seen)
{
  for (guint tile = 0; tile < regions->n_tiles; tile++)
    for (guint region = 0; seen[tile] != 0 && region < TSR_N_REGIONS; region++)
      if ((seen[tile] & (1 << region)) == 0)
        {
          if (regions->bytes[region] != NULL)
            regions->bytes[region][tile] = 0;
          if (regions->overlapped[region] != NULL)
            regions->overlapped[region][tile] = 0;
        }
}

gboolean
tsr_profile_read_regions (TsrProfile *self, guint n_tiles, TsrRegionRows *regions, GError **error)
{
  static const char *const columns[] = { "tile", "region", "bytes", "overlapped_bytes", NULL };
  g_auto (TsrProfileCursor) rows = { 0 };
  g_autofree guint8 *seen = NULL;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  memset (regions, 0, sizeof *regions);
  regions->n_tiles = n_tiles;
  if (!tsr_profile_cursor_open (&rows, self, "memory_by_tile_region", columns, error))
    return FALSE;
  if (!tsr_profile_cursor_need (&rows, 0) || !tsr_profile_cursor_need (&rows, 1))
    return TRUE;
  while (tsr_profile_cursor_next (&rows, error))
    {
      if (seen == NULL)
        {
          seen = g_malloc0 (MAX (n_tiles, 1));
          if (!alloc_regions (regions, tsr_profile_cursor_has (&rows, 2),
                              tsr_profile_cursor_has (&rows, 3)))
            {
              tsr_region_rows_clear (regions);
              return !tsr_profile_fail_memory (self, "memory_by_tile_region", error);
            }
        }
      add_region (&rows, regions, seen);
    }
  regions->present = seen != NULL && !rows.failed;
  if (regions->present)
    fill_regions (regions, seen);
  else
    tsr_region_rows_clear (regions);
  return !rows.failed;
}

/* -------------------------------------------------------- tile categories */

typedef struct
{
  guint32 tile;
  guint16 category;
  guint8 region;
  gint64 non_overlapped, overlapped;
} Entry;

static int
compare_places (const Entry *x, const Entry *y)
{
  if (x->tile != y->tile)
    return x->tile < y->tile ? -1 : 1;
  if (x->category != y->category)
    return x->category < y->category ? -1 : 1;
  return (int)x->region - (int)y->region;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  return compare_places (a, b);
}

/* FALSE when the row cannot be used. */
static gboolean
read_entry (TsrProfileCursor *rows, guint n_tiles, TsrCategoryIndex *index, Entry *entry)
{
  gint64 tile = tsr_profile_cursor_get_key (rows, 0, 0, (gint64)n_tiles - 1);
  gint64 id = tsr_profile_cursor_get_key (rows, 1, G_MININT64 + 1, G_MAXINT64);
  gint64 region = tsr_profile_cursor_get_key (rows, 2, 0, TSR_N_REGIONS - 1);
  int category;

  entry->non_overlapped = tsr_profile_cursor_get_int (rows, 3, 0, TSR_MAX_SIZE);
  entry->overlapped = tsr_profile_cursor_get_int (rows, 4, 0, TSR_MAX_SIZE);
  if (tile == TSR_UNKNOWN || id == TSR_UNKNOWN || region == TSR_UNKNOWN)
    return FALSE;
  category = tsr_category_index_add (index, rows, id);
  if (category < 0)
    return FALSE;
  entry->tile = tile;
  entry->category = category;
  entry->region = region;
  return TRUE;
}

/* Merges entries for the same place, which stand side by side now. */
static void
drop_repeated (TsrProfile *self, GArray *entries)
{
  guint kept = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      Entry *entry = &g_array_index (entries, Entry, i);
      Entry *last = kept > 0 ? &g_array_index (entries, Entry, kept - 1) : NULL;

      if (last == NULL || compare_places (last, entry) != 0)
        {
          g_array_index (entries, Entry, kept++) = *entry;
          continue;
        }
      if (last->non_overlapped != entry->non_overlapped)
        last->non_overlapped = TSR_UNKNOWN;
      if (last->overlapped != entry->overlapped)
        last->overlapped = TSR_UNKNOWN;
      tsr_diagnostics_add (tsr_profile_get_diagnostics (self), TSR_SEVERITY_ERROR, "row-repeated",
                           tsr_profile_get_file_name (self), "memory_by_tile_category", entry->tile,
                           TSR_NO_ROW,
                           _ ("tile %u has another row for the same category and region; values "
                              "that differ are not shown"),
                           entry->tile);
    }
  g_array_set_size (entries, kept);
}

static void
compress (GArray *entries, TsrTileCategoryRows *out)
{
  guint at = 0;

  out->present = TRUE;
  out->tile_start = g_new (guint32, out->n_tiles + 1);
  out->category = g_new (guint16, MAX (entries->len, 1));
  out->region = g_new (guint8, MAX (entries->len, 1));
  out->non_overlapped = g_new (gint64, MAX (entries->len, 1));
  out->overlapped = g_new (gint64, MAX (entries->len, 1));
  for (guint tile = 0; tile < out->n_tiles; tile++)
    {
      out->tile_start[tile] = at;
      for (; at < entries->len && g_array_index (entries, Entry, at).tile == tile; at++)
        {
          const Entry *entry = &g_array_index (entries, Entry, at);

          out->category[at] = entry->category;
          out->region[at] = entry->region;
          out->non_overlapped[at] = entry->non_overlapped;
          out->overlapped[at] = entry->overlapped;
        }
    }
  out->tile_start[out->n_tiles] = at;
}

gboolean
tsr_profile_read_tile_categories (TsrProfile *self,
                                  guint n_tiles,
                                  TsrCategoryRows *categories,
                                  TsrTileCategoryRows *out,
                                  GError **error)
{
  static const char *const columns[]
      = { "tile", "category", "region", "non_overlapped", "overlapped", NULL };
  g_auto (TsrProfileCursor) rows = { 0 };
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_auto (TsrCategoryIndex) index = { 0 };
  gboolean sorted = TRUE;

  g_return_val_if_fail (TSR_IS_PROFILE (self), FALSE);
  memset (out, 0, sizeof *out);
  out->n_tiles = n_tiles;
  if (!tsr_profile_cursor_open (&rows, self, "memory_by_tile_category", columns, error))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!tsr_profile_cursor_need (&rows, i))
      return TRUE;
  tsr_category_index_init (&index, categories);
  while (tsr_profile_cursor_next (&rows, error))
    {
      Entry entry;

      if (!read_entry (&rows, n_tiles, &index, &entry))
        continue;
      if (entries->len > 0
          && compare_places (&g_array_index (entries, Entry, entries->len - 1), &entry) >= 0)
        sorted = FALSE;
      g_array_append_val (entries, entry);
    }
  if (rows.failed)
    return FALSE;
  if (rows.n_rows == 0)
    return TRUE;
  if (!sorted)
    {
      g_array_sort (entries, compare_entries);
      drop_repeated (self, entries);
    }
  compress (entries, out);
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads profile.pop: from rows to columns.  It knows tables and columns (docs/report.sql), not
 * their meaning.  All SQL on reports is in this folder.  Every table and column may be absent, and
 * every value may be NULL or of another type: such a value becomes unknown, never 0, and wrong ones
 * become diagnostics with table and row.  One thread per profile; use _open_again for another
 * thread.  Readers return FALSE and an error only if reading fails (corrupt pages, cancelled,
 * changed, out of memory).  A missing table is not an error: the result is empty. */

#pragma once

#include "tsr-column.h"
#include "tsr-database.h"
#include "tsr-string-table.h"
#include "tsr-units.h"

G_BEGIN_DECLS

#define TSR_TYPE_PROFILE (tsr_profile_get_type ())
G_DECLARE_FINAL_TYPE (TsrProfile, tsr_profile, TSR, PROFILE, GObject)

/* Finds out which tables @database has.  Readers report problems to @diagnostics. */
TsrProfile *tsr_profile_new (TsrDatabase *database, TsrDiagnostics *diagnostics, GError **error);
/* (transfer full): another reader of the same file for another thread; what is wrong with the
 * tables as such is not reported again.  The second one reports to @diagnostics. */
TsrProfile *tsr_profile_open_again (TsrProfile *self, GError **error);
TsrProfile *tsr_profile_open_part (TsrProfile *self, TsrDiagnostics *diagnostics, GError **error);
TsrDatabase *tsr_profile_get_database (TsrProfile *self);
TsrDiagnostics *tsr_profile_get_diagnostics (TsrProfile *self);

/* What exists.  Names are compared without case, as in SQLite.  A view counts as a table. */
gboolean tsr_profile_has_table (TsrProfile *self, const char *table);
gboolean tsr_profile_has_column (TsrProfile *self, const char *table, const char *column);
/* TRUE if the table is there and has at least one row: O(1). */
gboolean tsr_profile_has_rows (TsrProfile *self, const char *table);
/* (transfer none): NULL-terminated names of tables that docs/report.sql does not have. */
const char *const *tsr_profile_get_unknown_tables (TsrProfile *self);

/* ---- the report */
/* (transfer full) (element-type utf8 utf8): report_info and engine_options; NULL values left out.
 */
gboolean tsr_profile_read_info (TsrProfile *self, GHashTable **info, GError **error);
/* (transfer full): pairs name, value in name order, NULL-terminated at an even index. */
gboolean tsr_profile_read_engine_options (TsrProfile *self, GStrv *pairs, GError **error);

typedef struct
{
  char *type; /* NULL: unknown */
  char *architecture;
  gint64 num_ipus, ipus_per_replica, num_replicas, tiles_per_ipu, bytes_per_tile;
  gint64 interleaved_start; /* all TSR_UNKNOWN if unknown or out of range */
  double clock_frequency;   /* Hz; NaN if unknown */
} TsrTargetRow;
void tsr_target_row_clear (TsrTargetRow *row);
/* *found is FALSE if there is no table or no row. */
gboolean
tsr_profile_read_target (TsrProfile *self, TsrTargetRow *row, gboolean *found, GError **error);

typedef struct
{
  gint64 num_compute_sets, num_vertices, num_edges, num_vars;
} TsrGraphRow;
gboolean
tsr_profile_read_graph (TsrProfile *self, TsrGraphRow *row, gboolean *found, GError **error);

/* ---- memory by tile.  Arrays have one value for each tile 0 .. n_tiles - 1; TSR_UNKNOWN if
 * unknown.  A column that the file does not have is NULL. Without a tile column, tiles are numbered
 * in rowid order. */
#define TSR_MAX_TILES (1 << 20)
typedef struct
{
  guint n_tiles;
  gint64 *total, *including_gaps, *excluding_gaps, *overflowed;
  gint64 *always_live, *not_always_live, *peak_step;
} TsrTileRows;
void tsr_tile_rows_clear (TsrTileRows *rows);
/* @tiles_hint: number of tiles of the target, or TSR_UNKNOWN. Rows with a tile outside [0, hint),
 * duplicates and holes are diagnostics. */
gboolean
tsr_profile_read_tiles (TsrProfile *self, gint64 tiles_hint, TsrTileRows *rows, GError **error);

/* What allocations are of that name no category: an entry of its own with the id TSR_UNKNOWN, where
 * vars_info was scanned and has any.  So nothing is left out of the sums, and one of a category is
 * what names it. */
#define TSR_UNKNOWN_CATEGORY "unknown"
typedef struct
{
  guint n_categories;
  gint64 *ids;       /* var_categories.id, ascending; then those that only other tables mention */
  char **names;      /* camelCase as in the file; "category 7" if NULL or without a row */
  gint64 *allocated; /* TSR_UNKNOWN if unknown */
} TsrCategoryRows;
void tsr_category_rows_clear (TsrCategoryRows *rows);
gboolean tsr_profile_read_categories (TsrProfile *self, TsrCategoryRows *rows, GError **error);
/* Fills in unknown values of rows->allocated by scanning vars_info (slow: millions of rows), and
 * adds categories that only vars_info mentions.  Without var_categories.allocated_bytes this is the
 * only source. */
gboolean tsr_profile_scan_allocated (TsrProfile *self,
                                     TsrCategoryRows *rows,
                                     TsrProgress *progress,
                                     GError **error);
/* The same by tile, for files without memory_by_tile_category: bytes[category * n_tiles + tile];
 * the caller owns it.  Adds the unknown category if it is needed. */
gboolean tsr_profile_scan_allocated_by_tile (TsrProfile *self,
                                             TsrCategoryRows *rows,
                                             guint n_tiles,
                                             TsrProgress *progress,
                                             gint64 **bytes,
                                             GError **error);

typedef enum
{
  TSR_REGION_NON_INTERLEAVED,
  TSR_REGION_INTERLEAVED,
  TSR_REGION_OVERFLOWED,
} TsrRegion;
#define TSR_N_REGIONS 3

/* memory_by_tile_region: bytes[region][tile], overlapped[region][tile]; present says whether the
 * table has rows.  There are rows for occupied regions only: a tile with any row has 0 in regions
 * without one; a tile without rows is unknown. */
typedef struct
{
  gboolean present;
  guint n_tiles;
  gint64 *bytes[TSR_N_REGIONS];
  gint64 *overlapped[TSR_N_REGIONS];
} TsrRegionRows;
void tsr_region_rows_clear (TsrRegionRows *rows);
gboolean
tsr_profile_read_regions (TsrProfile *self, guint n_tiles, TsrRegionRows *rows, GError **error);

/* memory_by_tile_category, compressed by tile: entries tile_start[t] .. tile_start[t + 1] - 1 are
 * tile t's, ordered by (category, region).  category is an index into TsrCategoryRows, not an id.
 */
typedef struct
{
  gboolean present;
  guint n_tiles;
  guint32 *tile_start; /* n_tiles + 1 */
  guint16 *category;
  guint8 *region;
  gint64 *non_overlapped;
  gint64 *overlapped;
} TsrTileCategoryRows;
void tsr_tile_category_rows_clear (TsrTileCategoryRows *rows);
/* May append categories that only this table mentions to @categories. */
gboolean tsr_profile_read_tile_categories (TsrProfile *self,
                                           guint n_tiles,
                                           TsrCategoryRows *categories,
                                           TsrTileCategoryRows *rows,
                                           GError **error);

/* ---- numbers for each tile.  Steps: tsr-profile-execution.h; the rest: tsr-profile-tables.h. */
/* tile_arrays: the numbers for @n tiles of the array @id into @values. *found is FALSE, with a
 * diagnostic, if there is no such array or its data do not fit its encoding; @values are then
 * invalid. */
gboolean tsr_profile_read_tile_array (
    TsrProfile *self, gint64 id, guint n, guint32 *values, gboolean *found, GError **error);
/* The same without a copy: *values (transfer none) (nullable) are valid until the next array is
 * read. */
gboolean tsr_profile_peek_tile_array (
    TsrProfile *self, gint64 id, guint n, const guint32 **values, GError **error);
/* Checks that the arrays of tile_cycles exist and have the right size for @n tiles, without reading
 * them.  Problems become diagnostics of tile_arrays with the array's id, as if it had been read.
 * FALSE only if cancelled or if the file has changed. */
gboolean tsr_profile_check_tile_cycles (TsrProfile *self, guint n, GError **error);
/* (transfer full) (element-type gint64): the set ids of tile_cycles that fit into 32 bits,
 * ascending, each once; none without the table.  NULL and @error only if cancelled or if the file
 * has changed; _check_tile_cycles reports other problems. */
GArray *tsr_profile_dup_tile_sets (TsrProfile *self, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory of one replica, per tile, per IPU and whole (libpva: Tile.memory).  Computed once from a
 * report's tables, immutable, shared by reference between threads.  All sums saturate and say so
 * with a diagnostic.  A figure that the file does not tell is TSR_UNKNOWN and makes every sum over
 * it TSR_UNKNOWN: never 0, never a sum of the rest. */

#pragma once

#include "tsr-report.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_METRIC_TOTAL, /* the file's own total */
  TSR_METRIC_INCLUDING_GAPS,
  TSR_METRIC_EXCLUDING_GAPS,
  TSR_METRIC_OVERFLOWED,
  TSR_METRIC_ALWAYS_LIVE,
  TSR_METRIC_NOT_ALWAYS_LIVE, /* its largest over the liveness steps, each tile at its own step */
  TSR_METRIC_PEAK_STEP,       /* not a size: never summed */
  TSR_N_METRICS,
} TsrMetric;

typedef struct _TsrMemory TsrMemory;

/* Holds a reference to @report; its memory stage must be ready. */
TsrMemory *tsr_memory_new (TsrReport *report);
/* The same memory with another number of tiles per IPU (the user's choice where the file does not
 * tell it). */
TsrMemory *tsr_memory_new_with_tiles_per_ipu (TsrReport *report, guint tiles_per_ipu);
TsrMemory *tsr_memory_ref (TsrMemory *self);
void tsr_memory_unref (TsrMemory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrMemory, tsr_memory_unref)

guint tsr_memory_get_n_tiles (TsrMemory *self);
guint
tsr_memory_get_n_ipus (TsrMemory *self); /* of the replica; 1 when tiles per IPU are not known */
guint tsr_memory_get_ipu (TsrMemory *self, guint tile);
void tsr_memory_get_ipu_tiles (TsrMemory *self, guint ipu, guint *first, guint *end);
gint64
tsr_memory_get_tiles_per_ipu (TsrMemory *self); /* TSR_UNKNOWN when neither told nor assumed */
gboolean tsr_memory_is_tiles_per_ipu_assumed (TsrMemory *self);
gint64 tsr_memory_get_capacity (TsrMemory *self); /* bytes of a tile, or TSR_UNKNOWN */
gboolean tsr_memory_is_from_archive (TsrMemory *self);

/* (transfer none) (nullable): n_tiles values in bytes; NULL when the file has no such column. */
const gint64 *tsr_memory_peek (TsrMemory *self, TsrMetric metric);
gboolean tsr_memory_is_known (TsrMemory *self, TsrMetric metric); /* for at least one tile */
/* The metric that stands for "how full" when the wanted one is not told: including gaps, else
 * excluding, else total. */
TsrMetric tsr_memory_get_fullness_metric (TsrMemory *self);

gboolean tsr_memory_has_regions (TsrMemory *self);
const gint64 *tsr_memory_peek_region (TsrMemory *self, TsrRegion region); /* bytes; (nullable) */

/* Categories in file order.  Label: libpva's name as people read it ("Internal Exchange Code"); the
 * name itself when we do not know it. */
gboolean tsr_memory_has_categories (TsrMemory *self); /* by tile */
/* TRUE when the file has no bytes by tile and category and they are plain sums of allocated sizes:
 * then what variables share counts for each of them, there is no overlapped part, and the
 * categories of a tile may add up to more than it holds. */
gboolean tsr_memory_are_categories_allocated (TsrMemory *self);
guint tsr_memory_get_n_categories (TsrMemory *self);
const char *tsr_memory_get_category_name (TsrMemory *self, guint category);
const char *tsr_memory_get_category_label (TsrMemory *self, guint category);
const char *
tsr_memory_get_category_meaning (TsrMemory *self,
                                 guint category); /* (nullable) one translated sentence */
gint64 tsr_memory_get_category_allocated (TsrMemory *self, guint category);

/* (transfer full): n_tiles values, sums over regions; free with g_free. */
gint64 *tsr_memory_dup_category (TsrMemory *self, guint category, gboolean overlapped);
/* (transfer full): n_tiles values: addresses that two or more variables share, over all regions,
 * each once. */
gint64 *tsr_memory_dup_shared (TsrMemory *self);

/* What one tile or the sum over several holds. */
typedef struct
{
  gint64 metrics[TSR_N_METRICS]; /* PEAK_STEP only for one tile */
  gint64 regions[TSR_N_REGIONS];
  gint64 region_overlapped[TSR_N_REGIONS];
  guint n_categories;
  gint64 *non_overlapped, *overlapped; /* [category], over regions */
  gint64 *by_region[2][TSR_N_REGIONS]; /* [overlapped?][region][category] */
} TsrMemoryFigures;
void tsr_memory_figures_clear (TsrMemoryFigures *figures);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrMemoryFigures, tsr_memory_figures_clear)
/* Sum over @n_tiles tiles (all tiles when @tiles is NULL). */
void tsr_memory_get_figures (TsrMemory *self,
                             const guint *tiles,
                             guint n_tiles,
                             TsrMemoryFigures *figures);

/* Sum, mean, least, largest and the fullest tile of a selection, for one array of n_tiles values.
 */
typedef struct
{
  gint64 sum, min, max, median; /* TSR_UNKNOWN when any value is */
  double mean;
  guint min_tile, max_tile; /* ties to the lower tile */
} TsrStatistics;
void tsr_memory_get_statistics (
    const gint64 *values, guint n_values, const guint *tiles, guint n_tiles, TsrStatistics *out);

/* The tile in the middle of [first, end) when they are ordered by @values (of two in the middle the
 * lower, ties by tile), among those that compute: whose @code or @state, bytes of vertices, are not
 * 0; each (nullable).  Tiles without any vertex only copy and are meant to be emptier.  Where none
 * has one, among all.  Unknown values are left out; TSR_NO_INDEX when nothing is left. */
guint tsr_median_tile (
    const gint64 *values, const gint64 *code, const gint64 *state, guint first, guint end);
/* That of @tile's IPU by the fullness metric. */
guint tsr_memory_find_median_tile (TsrMemory *self, guint tile);

/* Tiles that do not fit: overflowed > 0 or including gaps > capacity (need(t) > 0 of
 * docs/insights.md#memory). */
guint tsr_memory_get_n_overflowing (TsrMemory *self);
gint64 tsr_memory_get_need (TsrMemory *self, guint tile);
gint64 *tsr_memory_dup_need (TsrMemory *self); /* (transfer full): n_tiles of them */

/* "0,5,10-20,ipu1,top5": tiles, ranges, IPUs, the fullest by including gaps (ties to the lower
 * tile); spaces allowed. (transfer full) (element-type guint): ascending, each once.
 * TSR_ERROR_ARGUMENT with the word that is off. */
GArray *tsr_memory_parse_tiles (TsrMemory *self, const char *text, GError **error);
/* (transfer full): the shortest such text: "0,5,10-20". */
char *tsr_memory_format_tiles (const guint *tiles, guint n_tiles);

/* Physical tile id within its IPU (docs/formats.md#tiles-on-the-chip): known for IPUs of 1,472
 * tiles, else -1. */
int tsr_tile_get_physical (guint tile_of_ipu, guint tiles_per_ipu);

typedef enum
{
  TSR_ORDER_SOFTWARE,
  TSR_ORDER_PHYSICAL, /* within each IPU */
  TSR_ORDER_BYTES,    /* largest first, ties to the lower tile */
} TsrTileOrder;
/* (transfer full): tile at each of n_tiles positions; NULL when the order is not known for this
 * target. */
guint *tsr_memory_dup_order (TsrMemory *self, TsrTileOrder order, TsrMetric metric);

G_END_DECLS

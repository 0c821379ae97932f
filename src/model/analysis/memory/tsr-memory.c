/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory per tile, per IPU and of a whole replica.  Borrows the report's sealed tables; what it
 * computes itself (sums) is small and made on demand, so an object costs next to nothing. */

#include "config.h"

#include "tsr-memory.h"

#include "tsr-category.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _TsrMemory
{
  gatomicrefcount refs;
  TsrReport *report; /* keeps the tables alive */
  const TsrMemoryTables *tables;
  guint n_tiles;
  guint n_ipus;
  gint64 tiles_per_ipu; /* or TSR_UNKNOWN */
  gboolean assumed;
  int told_overflow; /* atomic: the diagnostic about saturated sums was given */
};

static TsrMemory *
memory_new (TsrReport *report, gint64 tiles_per_ipu, gboolean assumed)
{
  TsrMemory *self = g_new0 (TsrMemory, 1);

  g_atomic_ref_count_init (&self->refs);
  self->report = g_object_ref (report);
  self->tables = tsr_report_get_memory_tables (report);
  self->n_tiles = self->tables->tiles.n_tiles;
  self->tiles_per_ipu = tiles_per_ipu > 0 ? tiles_per_ipu : TSR_UNKNOWN;
  self->assumed = assumed && self->tiles_per_ipu != TSR_UNKNOWN;
  self->n_ipus = 1;
  if (self->tiles_per_ipu != TSR_UNKNOWN && self->n_tiles > 0)
    self->n_ipus = (self->n_tiles - 1) / self->tiles_per_ipu + 1;
  return self;
}

TsrMemory *
tsr_memory_new (TsrReport *report)
{
  const TsrMemoryTables *tables;

  g_return_val_if_fail (TSR_IS_REPORT (report), NULL);
  tables = tsr_report_get_memory_tables (report);
  g_return_val_if_fail (tables != NULL, NULL);
  return memory_new (report, tables->tiles_per_ipu, tables->tiles_per_ipu_assumed);
}

TsrMemory *
tsr_memory_new_with_tiles_per_ipu (TsrReport *report, guint tiles_per_ipu)
{
  g_return_val_if_fail (tsr_report_get_memory_tables (report) != NULL, NULL);
  return memory_new (report, tiles_per_ipu, TRUE);
}

TsrMemory *
tsr_memory_ref (TsrMemory *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tsr_memory_unref (TsrMemory *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_object_unref (self->report);
  g_free (self);
}

guint
tsr_memory_get_n_tiles (TsrMemory *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_tiles;
}

guint
tsr_memory_get_n_ipus (TsrMemory *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_ipus;
}

guint
tsr_memory_get_ipu (TsrMemory *self, guint tile)
{
  return self->tiles_per_ipu == TSR_UNKNOWN ? 0 : tile / self->tiles_per_ipu;
}

void
tsr_memory_get_ipu_tiles (TsrMemory *self, guint ipu, guint *first, guint *end)
{
  g_return_if_fail (ipu < self->n_ipus);

  *first = 0;
  *end = self->n_tiles;
  if (self->tiles_per_ipu == TSR_UNKNOWN)
    return;
  *first = ipu * self->tiles_per_ipu;
  *end = MIN (*first + self->tiles_per_ipu, self->n_tiles);
}

gint64
tsr_memory_get_tiles_per_ipu (TsrMemory *self)
{
  g_return_val_if_fail (self != NULL, TSR_UNKNOWN);
  return self->tiles_per_ipu;
}

gboolean
tsr_memory_is_tiles_per_ipu_assumed (TsrMemory *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->assumed;
}

gint64
tsr_memory_get_capacity (TsrMemory *self)
{
  g_return_val_if_fail (self != NULL, TSR_UNKNOWN);
  return self->tables->bytes_per_tile;
}

gboolean
tsr_memory_is_from_archive (TsrMemory *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->tables->from_archive;
}

const gint64 *
tsr_memory_peek (TsrMemory *self, TsrMetric metric)
{
  const TsrTileRows *tiles;

  g_return_val_if_fail (self != NULL, NULL);
  tiles = &self->tables->tiles;
  switch (metric)
    {
    case TSR_METRIC_TOTAL:
      return tiles->total;
    case TSR_METRIC_INCLUDING_GAPS:
      return tiles->including_gaps;
    case TSR_METRIC_EXCLUDING_GAPS:
      return tiles->excluding_gaps;
    case TSR_METRIC_OVERFLOWED:
      return tiles->overflowed;
    case TSR_METRIC_ALWAYS_LIVE:
      return tiles->always_live;
    case TSR_METRIC_NOT_ALWAYS_LIVE:
      return tiles->not_always_live;
    case TSR_METRIC_PEAK_STEP:
      return tiles->peak_step;
    case TSR_N_METRICS:
    default:
      g_return_val_if_reached (NULL);
    }
}

TsrMetric
tsr_memory_get_fullness_metric (TsrMemory *self)
{
  static const TsrMetric order[] = { TSR_METRIC_INCLUDING_GAPS, TSR_METRIC_EXCLUDING_GAPS };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      const gint64 *values = tsr_memory_peek (self, order[i]);

      for (guint t = 0; values != NULL && t < self->n_tiles; t++)
        if (values[t] != TSR_UNKNOWN)
          return order[i];
    }
  return TSR_METRIC_TOTAL;
}

gboolean
tsr_memory_has_regions (TsrMemory *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->tables->regions.present;
}

const gint64 *
tsr_memory_peek_region (TsrMemory *self, TsrRegion region)
{
  g_return_val_if_fail (self != NULL && region < TSR_N_REGIONS, NULL);
  return self->tables->regions.present ? self->tables->regions.bytes[region] : NULL;
}

/* (nullable) */
static const gint64 *
tsr_memory_peek_region_overlapped (TsrMemory *self, TsrRegion region)
{
  g_return_val_if_fail (region < TSR_N_REGIONS, NULL);
  return self->tables->regions.present ? self->tables->regions.overlapped[region] : NULL;
}

/* ------------------------------------------------------------- categories */

gboolean
tsr_memory_has_categories (TsrMemory *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->tables->by_category.present || self->tables->allocated_by_tile != NULL;
}

gboolean
tsr_memory_are_categories_allocated (TsrMemory *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return !self->tables->by_category.present && self->tables->allocated_by_tile != NULL;
}

guint
tsr_memory_get_n_categories (TsrMemory *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->tables->categories.n_categories;
}

const char *
tsr_memory_get_category_name (TsrMemory *self, guint category)
{
  g_return_val_if_fail (category < tsr_memory_get_n_categories (self), NULL);
  return self->tables->categories.names[category];
}

gint64
tsr_memory_get_category_allocated (TsrMemory *self, guint category)
{
  g_return_val_if_fail (category < tsr_memory_get_n_categories (self), TSR_UNKNOWN);
  return self->tables->categories.allocated[category];
}

const char *
tsr_memory_get_category_label (TsrMemory *self, guint category)
{
  const char *name = tsr_memory_get_category_name (self, category);

  return tsr_category_get_label (name);
}

const char *
tsr_memory_get_category_meaning (TsrMemory *self, guint category)
{
  return tsr_category_get_meaning (tsr_memory_get_category_name (self, category));
}

static void
say_overflow (TsrMemory *self, const char *table)
{
  if (g_atomic_int_compare_and_exchange (&self->told_overflow, FALSE, TRUE))
    tsr_diagnostics_add (tsr_report_get_diagnostics (self->report), TSR_SEVERITY_ERROR,
                         "sum-too-large", "profile.pop", table, TSR_NO_ROW, TSR_NO_ROW,
                         _ ("the sizes add up to more than 2^63 - 1 bytes; sums are cut there"));
}

/* Adds @value to @sum: unknown stays unknown. */
static void
add_known (TsrMemory *self, gint64 *sum, gint64 value, const char *table)
{
  gboolean overflow = FALSE;

  if (*sum == TSR_UNKNOWN || value == TSR_UNKNOWN)
    {
      *sum = TSR_UNKNOWN;
      return;
    }
  *sum = tsr_add_saturating (*sum, value, &overflow);
  if (overflow)
    say_overflow (self, table);
}

/* A tile without any row in memory_by_tile_category holds nothing, or the file does not tell. */
static gboolean
is_tile_told (TsrMemory *self, guint tile)
{
  const TsrTileCategoryRows *rows = &self->tables->by_category;
  const gint64 *bytes = self->tables->tiles.excluding_gaps;

  if (rows->tile_start[tile] < rows->tile_start[tile + 1])
    return TRUE;
  return bytes == NULL || bytes[tile] == TSR_UNKNOWN || bytes[tile] == 0;
}

gint64 *
tsr_memory_dup_category (TsrMemory *self, guint category, gboolean overlapped)
{
  const TsrTileCategoryRows *rows = &self->tables->by_category;
  gint64 *values = g_new0 (gint64, MAX (self->n_tiles, 1));

  g_return_val_if_fail (category < tsr_memory_get_n_categories (self), values);
  for (guint tile = 0; tile < self->n_tiles; tile++)
    if (!rows->present)
      values[tile] = self->tables->allocated_by_tile == NULL || overlapped
                         ? TSR_UNKNOWN
                         : self->tables->allocated_by_tile[(gsize)category * self->n_tiles + tile];
    else if (!is_tile_told (self, tile))
      values[tile] = TSR_UNKNOWN;
    else
      for (guint32 i = rows->tile_start[tile]; i < rows->tile_start[tile + 1]; i++)
        if (rows->category[i] == category)
          add_known (self, &values[tile],
                     overlapped ? rows->overlapped[i] : rows->non_overlapped[i],
                     "memory_by_tile_category");
  return values;
}

gint64 *
tsr_memory_dup_shared (TsrMemory *self)
{
  gint64 *values;

  g_return_val_if_fail (self != NULL, NULL);
  values = g_new0 (gint64, MAX (self->n_tiles, 1));
  for (guint tile = 0; tile < self->n_tiles; tile++)
    for (guint region = 0; region < TSR_N_REGIONS; region++)
      {
        const gint64 *shared = tsr_memory_peek_region_overlapped (self, region);

        add_known (self, &values[tile], shared != NULL ? shared[tile] : TSR_UNKNOWN,
                   "memory_by_tile_region");
      }
  return values;
}

/* ---------------------------------------------------------------- figures */

void
tsr_memory_figures_clear (TsrMemoryFigures *figures)
{
  g_clear_pointer (&figures->non_overlapped, g_free);
  g_clear_pointer (&figures->overlapped, g_free);
  for (guint o = 0; o < 2; o++)
    for (guint r = 0; r < TSR_N_REGIONS; r++)
      g_clear_pointer (&figures->by_region[o][r], g_free);
  figures->n_categories = 0;
}

static gint64 *
new_values (guint n, gint64 value)
{
  gint64 *values = g_new (gint64, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    values[i] = value;
  return values;
}

static void
add_tile_categories (TsrMemory *self, guint tile, TsrMemoryFigures *figures)
{
  const TsrTileCategoryRows *rows = &self->tables->by_category;

  if (!is_tile_told (self, tile))
    {
      for (guint c = 0; c < figures->n_categories; c++)
        for (guint r = 0; r < TSR_N_REGIONS; r++)
          figures->by_region[0][r][c] = figures->by_region[1][r][c] = TSR_UNKNOWN;
      return;
    }
  for (guint32 i = rows->tile_start[tile]; i < rows->tile_start[tile + 1]; i++)
    {
      add_known (self, &figures->by_region[0][rows->region[i]][rows->category[i]],
                 rows->non_overlapped[i], "memory_by_tile_category");
      add_known (self, &figures->by_region[1][rows->region[i]][rows->category[i]],
                 rows->overlapped[i], "memory_by_tile_category");
    }
}

static void
add_tile (TsrMemory *self, guint tile, TsrMemoryFigures *figures)
{
  for (guint m = 0; m < TSR_N_METRICS; m++)
    {
      const gint64 *values = m == TSR_METRIC_PEAK_STEP ? NULL : tsr_memory_peek (self, m);

      add_known (self, &figures->metrics[m], values != NULL ? values[tile] : TSR_UNKNOWN,
                 "memory_by_tile");
    }
  for (guint r = 0; r < TSR_N_REGIONS; r++)
    {
      const gint64 *bytes = tsr_memory_peek_region (self, r);
      const gint64 *shared = tsr_memory_peek_region_overlapped (self, r);

      add_known (self, &figures->regions[r], bytes != NULL ? bytes[tile] : TSR_UNKNOWN,
                 "memory_by_tile_region");
      add_known (self, &figures->region_overlapped[r], shared != NULL ? shared[tile] : TSR_UNKNOWN,
                 "memory_by_tile_region");
    }
  if (self->tables->by_category.present)
    add_tile_categories (self, tile, figures);
  else if (self->tables->allocated_by_tile != NULL)
    for (guint c = 0; c < figures->n_categories; c++)
      add_known (self, &figures->non_overlapped[c],
                 self->tables->allocated_by_tile[(gsize)c * self->n_tiles + tile], "vars_info");
}

void
tsr_memory_get_figures (TsrMemory *self,
                        const guint *tiles,
                        guint n_tiles,
                        TsrMemoryFigures *figures)
{
  gboolean by_region = self->tables->by_category.present;
  guint n = tiles != NULL ? n_tiles : self->n_tiles;

  memset (figures, 0, sizeof *figures);
  figures->n_categories = tsr_memory_get_n_categories (self);
  figures->non_overlapped
      = new_values (figures->n_categories,
                    by_region || self->tables->allocated_by_tile != NULL ? 0 : TSR_UNKNOWN);
  figures->overlapped = new_values (figures->n_categories, by_region ? 0 : TSR_UNKNOWN);
  for (guint o = 0; o < 2; o++)
    for (guint r = 0; r < TSR_N_REGIONS; r++)
      figures->by_region[o][r] = new_values (figures->n_categories, by_region ? 0 : TSR_UNKNOWN);

  for (guint i = 0; i < n; i++)
    {
      guint tile = tiles != NULL ? tiles[i] : i;

      g_return_if_fail (tile < self->n_tiles);
      add_tile (self, tile, figures);
      if (n == 1 && self->tables->tiles.peak_step != NULL)
        figures->metrics[TSR_METRIC_PEAK_STEP] = self->tables->tiles.peak_step[tile];
    }
  if (!by_region)
    return;
  for (guint c = 0; c < figures->n_categories; c++)
    for (guint r = 0; r < TSR_N_REGIONS; r++)
      {
        add_known (self, &figures->non_overlapped[c], figures->by_region[0][r][c],
                   "memory_by_tile_category");
        add_known (self, &figures->overlapped[c], figures->by_region[1][r][c],
                   "memory_by_tile_category");
      }
}

static int
compare_values (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a;
  gint64 y = *(const gint64 *)b;

  return (x > y) - (x < y);
}

void
tsr_memory_get_statistics (
    const gint64 *values, guint n_values, const guint *tiles, guint n_tiles, TsrStatistics *out)
{
  guint n = tiles != NULL ? n_tiles : n_values;
  g_autofree gint64 *sorted = g_new (gint64, MAX (n, 1));

  out->sum = out->min = out->max = out->median = TSR_UNKNOWN;
  out->mean = 0;
  out->min_tile = out->max_tile = G_MAXUINT;
  for (guint i = 0; i < n; i++)
    {
      guint tile = tiles != NULL ? tiles[i] : i;

      sorted[i] = tile < n_values ? values[tile] : TSR_UNKNOWN;
      if (sorted[i] == TSR_UNKNOWN)
        return;
    }
  if (n == 0)
    return;
  out->sum = 0;
  for (guint i = 0; i < n; i++)
    {
      guint tile = tiles != NULL ? tiles[i] : i;

      out->sum = tsr_add_saturating (out->sum, sorted[i], NULL);
      out->mean += (double)sorted[i] / n;
      if (i == 0 || sorted[i] < out->min || (sorted[i] == out->min && tile < out->min_tile))
        {
          out->min = sorted[i];
          out->min_tile = tile;
        }
      if (i == 0 || sorted[i] > out->max || (sorted[i] == out->max && tile < out->max_tile))
        {
          out->max = sorted[i];
          out->max_tile = tile;
        }
    }
  qsort (sorted, n, sizeof *sorted, compare_values);
  out->median = sorted[(n - 1) / 2];
}

/* The sort is stable: of the same size the lower tile first. */
static int
compare_tiles (gconstpointer a, gconstpointer b, gpointer data)
{
  const gint64 *values = data;
  guint x = *(const guint *)a;
  guint y = *(const guint *)b;

  return (values[x] > values[y]) - (values[x] < values[y]);
}

guint
tsr_median_tile (
    const gint64 *values, const gint64 *code, const gint64 *state, guint first, guint end)
{
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) computing = g_array_new (FALSE, FALSE, sizeof (guint));
  GArray *tiles = known;

  for (guint t = first; t < end; t++)
    {
      if (values[t] == TSR_UNKNOWN)
        continue;
      g_array_append_val (known, t);
      if ((code != NULL && code[t] != 0) || (state != NULL && state[t] != 0))
        g_array_append_val (computing, t);
    }
  if (computing->len > 0)
    tiles = computing;
  if (tiles->len == 0)
    return TSR_NO_INDEX;
  g_array_sort_with_data (tiles, compare_tiles, (gpointer)values);
  return g_array_index (tiles, guint, (tiles->len - 1) / 2);
}

static gint64 *
dup_category_named (TsrMemory *self, const char *name)
{
  for (guint i = 0; tsr_memory_has_categories (self) && i < tsr_memory_get_n_categories (self); i++)
    if (g_strcmp0 (tsr_memory_get_category_name (self, i), name) == 0)
      return tsr_memory_dup_category (self, i, FALSE);
  return NULL;
}

guint
tsr_memory_find_median_tile (TsrMemory *self, guint tile)
{
  const gint64 *values = tsr_memory_peek (self, tsr_memory_get_fullness_metric (self));
  g_autofree gint64 *code = dup_category_named (self, "vertexCode");
  g_autofree gint64 *state = dup_category_named (self, "vertexInstanceState");
  guint first, end;

  g_return_val_if_fail (tile < self->n_tiles, TSR_NO_INDEX);
  if (values == NULL)
    return TSR_NO_INDEX;
  tsr_memory_get_ipu_tiles (self, tsr_memory_get_ipu (self, tile), &first, &end);
  return tsr_median_tile (values, code, state, first, end);
}

gint64
tsr_memory_get_need (TsrMemory *self, guint tile)
{
  const gint64 *overflowed = self->tables->tiles.overflowed;
  const gint64 *including = self->tables->tiles.including_gaps;
  gint64 capacity = tsr_memory_get_capacity (self);
  gint64 need = TSR_UNKNOWN;

  g_return_val_if_fail (tile < self->n_tiles, TSR_UNKNOWN);
  if (overflowed != NULL && overflowed[tile] != TSR_UNKNOWN)
    need = MAX (overflowed[tile], 0);
  if (including != NULL && including[tile] != TSR_UNKNOWN && capacity != TSR_UNKNOWN)
    need = MAX (MAX (need, 0), including[tile] - capacity);
  return need;
}

gint64 *
tsr_memory_dup_need (TsrMemory *self)
{
  gint64 *need;

  g_return_val_if_fail (self != NULL, NULL);
  need = g_new (gint64, MAX (self->n_tiles, 1));
  for (guint tile = 0; tile < self->n_tiles; tile++)
    need[tile] = tsr_memory_get_need (self, tile);
  return need;
}

guint
tsr_memory_get_n_overflowing (TsrMemory *self)
{
  guint n = 0;

  for (guint tile = 0; tile < self->n_tiles; tile++)
    if (tsr_memory_get_need (self, tile) > 0)
      n++;
  return n;
}

gboolean
tsr_memory_is_known (TsrMemory *self, TsrMetric metric)
{
  const gint64 *values;

  g_return_val_if_fail (self != NULL, FALSE);
  values = tsr_memory_peek (self, metric);
  for (guint i = 0; values != NULL && i < tsr_memory_get_n_tiles (self); i++)
    if (values[i] != TSR_UNKNOWN)
      return TRUE;
  return FALSE;
}

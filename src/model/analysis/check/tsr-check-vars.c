/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The allocations, tile after tile: their order, their sums, what is live when, and which addresses
 * they take.  One tile is held at a time; a step's sum over tiles is kept as differences. */

#include "config.h"

#include "tsr-check-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* ---------------------------------------------------- equivalence classes */

void
tsr_check_interval_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  TsrLifetime lifetime = { v[0], v[1], v[2] };

  if (v[0] == TSR_UNKNOWN || v[1] == TSR_UNKNOWN || v[2] == TSR_UNKNOWN)
    {
      check->vars_sound = check->intervals_sound = FALSE;
      return;
    }
  if (v[1] >= v[2])
    {
      tsr_check_add (check, TSR_SEVERITY_ERROR, "interval-reversed", check->table->name, row,
                     _ ("start_step %" PRId64 " is not before end_step %" PRId64), v[1], v[2]);
      check->vars_sound = check->intervals_sound = FALSE;
      return;
    }
  g_array_append_val (check->intervals, lifetime);
}

static int
compare_lifetimes (gconstpointer a, gconstpointer b)
{
  const TsrLifetime *x = a;
  const TsrLifetime *y = b;

  if (x->class != y->class)
    return (x->class > y->class) - (x->class < y->class);
  return (x->start > y->start) - (x->start < y->start);
}

void
tsr_check_interval_end (TsrCheck *check)
{
  const TsrIdSet *classes = &check->sets[TSR_SET_CLASSES];
  TsrLifetime *all = (TsrLifetime *)(void *)check->intervals->data;
  guint n = check->intervals->len;
  guint next = 0;

  g_array_sort (check->intervals, compare_lifetimes);
  all = (TsrLifetime *)(void *)check->intervals->data;
  for (guint i = 1; i < n; i++)
    if (all[i].class == all[i - 1].class && all[i].start < all[i - 1].end)
      {
        tsr_check_add (check, TSR_SEVERITY_ERROR, "intervals-overlap", check->table->name,
                       TSR_NO_ROW,
                       _ ("intervals of class %" PRId64 " overlap: from %" PRId64 " to %" PRId64
                          " and from %" PRId64 " to %" PRId64),
                       all[i].class, all[i - 1].start, all[i - 1].end, all[i].start, all[i].end);
        check->vars_sound = check->intervals_sound = FALSE;
      }
  check->class_start = g_new (guint, classes->n_ids + 1);
  for (guint64 c = 0; c <= classes->n_ids; c++)
    {
      while (next < n && tsr_id_set_index (classes, all[next].class) < (gint64)c)
        next++;
      check->class_start[c] = next;
    }
}

/* --------------------------------------------------------------- tile_vars */

void
tsr_check_tile_vars_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  const TsrSpan none = { TSR_UNKNOWN, TSR_UNKNOWN };
  TsrSpan span = { v[1], v[2] };

  if (v[0] == TSR_UNKNOWN || v[1] == TSR_UNKNOWN || v[2] == TSR_UNKNOWN || v[0] >= TSR_MAX_TILES)
    return;
  if (v[1] > v[2])
    {
      tsr_check_add (check, TSR_SEVERITY_ERROR, "interval-reversed", check->table->name, row,
                     _ ("first_var %" PRId64 " is after end_var %" PRId64), v[1], v[2]);
      return;
    }
  while (check->tile_vars->len <= v[0])
    g_array_append_val (check->tile_vars, none);
  g_array_index (check->tile_vars, TsrSpan, v[0]) = span;
}

static const TsrSpan *
span_of (TsrCheck *check, gint64 tile)
{
  const TsrSpan *span;

  if (tile < 0 || tile >= check->tile_vars->len)
    return NULL;
  span = &g_array_index (check->tile_vars, TsrSpan, tile);
  return span->first == TSR_UNKNOWN ? NULL : span;
}

/* ---------------------------------------------------------------- one tile */

/* Differences of what is live, by step: onto the tile's and the IPU's. */
static void
add_live (TsrCheck *check, const TsrAllocation *allocation, gint64 *ipu_steps)
{
  gint64 place = tsr_id_set_index (&check->sets[TSR_SET_CLASSES], allocation->class);
  const TsrLifetime *all = (const TsrLifetime *)(const void *)check->intervals->data;

  if (place < 0 || check->class_start == NULL)
    return;
  for (guint i = check->class_start[place]; i < check->class_start[place + 1]; i++)
    {
      gint64 *targets[] = { check->tile_steps, ipu_steps };

      for (guint t = 0; t < G_N_ELEMENTS (targets); t++)
        if (targets[t] != NULL && all[i].end <= check->n_steps)
          {
            targets[t][all[i].start]
                = tsr_check_wrap_add (targets[t][all[i].start], allocation->size);
            targets[t][all[i].end] = tsr_check_wrap_add (targets[t][all[i].end], -allocation->size);
          }
    }
}

static void
compare_tile_value (
    TsrCheck *check, const char *code, const char *what, const gint64 *told, gint64 value)
{
  gint64 declared = told != NULL ? told[check->tile] : TSR_UNKNOWN;

  if (declared == TSR_UNKNOWN || declared == value
      || tsr_check_is_flagged (check, "memory_by_tile", check->tile))
    return;
  tsr_check_add (check, TSR_SEVERITY_ERROR, code, "memory_by_tile", check->tile,
                 _ ("%s is %" PRId64 ", from the tile's rows in vars_info it is %" PRId64), what,
                 declared, value);
}

/* The tile's own peak: the largest sum over its allocations of one step, and the first such step.
 */
static void
check_tile_peak (TsrCheck *check)
{
  const TsrTileRows *tiles = &check->memory->tiles;
  gint64 live = 0;
  gint64 peak = 0;
  gint64 peak_step = 0;

  for (gint64 k = 0; k < check->n_steps; k++)
    {
      live = tsr_check_wrap_add (live, check->tile_steps[k]);
      if (live > peak)
        {
          peak = live;
          peak_step = k;
        }
    }
  compare_tile_value (check, "tile-peak-differs", "not_always_live", tiles->not_always_live, peak);
  if (peak > 0)
    compare_tile_value (check, "peak-step-differs", "peak_step", tiles->peak_step, peak_step);
}

static int
compare_offsets (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const TsrAllocation *)a)->offset;
  gint64 y = ((const TsrAllocation *)b)->offset;

  return (x > y) - (x < y);
}

/* Addresses that somebody occupies, and the end of the last one. */
static void
check_tile_addresses (TsrCheck *check)
{
  const TsrTileRows *tiles = &check->memory->tiles;
  gint64 occupied = 0;
  gint64 end = 0;

  g_array_sort (check->tile_allocations, compare_offsets);
  for (guint i = 0; i < check->tile_allocations->len; i++)
    {
      const TsrAllocation *a = &g_array_index (check->tile_allocations, TsrAllocation, i);
      gint64 a_end;

      if (a->offset == TSR_UNKNOWN)
        return;
      a_end = tsr_check_wrap_add (a->offset, a->size);
      if (a_end > end)
        occupied = tsr_check_wrap_add (occupied, a_end - MAX (a->offset, end));
      end = MAX (end, a_end);
    }
  compare_tile_value (check, "addresses-differ", "excluding_gaps", tiles->excluding_gaps, occupied);
  compare_tile_value (check, "last-address-differs", "including_gaps", tiles->including_gaps, end);
}

static void
check_tile_rows (TsrCheck *check)
{
  const TsrSpan *span = span_of (check, check->tile);
  gint64 n = span != NULL ? span->end - span->first : 0;

  if (check->tile_vars->len == 0 || !check->vars_in_order || n == check->tile_rows
      || tsr_check_is_flagged (check, "tile_vars", check->tile))
    return;
  if (span == NULL)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "tile-range-differs", "tile_vars", check->tile,
                   _ ("tile %" PRId64 " has %" PRId64 " rows in vars_info and no row here"),
                   check->tile, check->tile_rows);
  else
    tsr_check_add (check, TSR_SEVERITY_ERROR, "tile-range-differs", "tile_vars", check->tile,
                   _ ("first_var %" PRId64 " to end_var %" PRId64 " are %" PRId64
                      " rows, but vars_info has %" PRId64 " of this tile"),
                   span->first, span->end, n, check->tile_rows);
}

static void
finish_tile (TsrCheck *check)
{
  gint64 *ipu_steps = NULL;

  if (check->tile < 0)
    return;
  if (check->tile_steps == NULL)
    check->tile_sound = FALSE;
  check_tile_rows (check);
  if (check->ipu_lowered != NULL && check->tile / check->tiles_per_ipu < check->n_ipus)
    ipu_steps = check->ipu_lowered + check->tile / check->tiles_per_ipu * (check->n_steps + 1);
  for (guint i = 0; i < check->tile_allocations->len; i++)
    {
      const TsrAllocation *a = &g_array_index (check->tile_allocations, TsrAllocation, i);

      if (a->class != TSR_UNKNOWN)
        add_live (check, a, ipu_steps);
    }
  if (check->tile_sound && check->vars_in_order && check->memory != NULL
      && !check->memory->from_archive && check->tile < check->memory->tiles.n_tiles)
    {
      if (check->lives_told)
        compare_tile_value (check, "always-live-differs", "always_live",
                            check->memory->tiles.always_live, check->tile_always_live);
      if (check->lives_told && check->tile_steps != NULL && check->class_start != NULL
          && check->intervals_sound)
        check_tile_peak (check);
      if (check->ours)
        check_tile_addresses (check);
    }
  if (check->tile_steps != NULL)
    memset (check->tile_steps, 0, (check->n_steps + 1) * sizeof (gint64));
  g_array_set_size (check->tile_allocations, 0);
}

/* -------------------------------------------------------------------- rows */

/* Tiles of the replica between the one just finished and @tile have no rows. */
static void
finish_empty_tiles (TsrCheck *check, gint64 tile)
{
  gint64 n_tiles = check->memory != NULL && !check->memory->from_archive
                       ? (gint64)check->memory->tiles.n_tiles
                       : 0;

  for (gint64 t = check->tile + 1; check->vars_in_order && t < MIN (tile, n_tiles); t++)
    {
      check->tile = t;
      check->tile_rows = 0;
      check->tile_always_live = 0;
      check->tile_sound = check->vars_sound;
      finish_tile (check);
    }
}

static void
begin_tile (TsrCheck *check, gint64 row, gint64 tile)
{
  finish_tile (check);
  finish_empty_tiles (check, tile);
  if (tile < check->tile)
    {
      check->vars_in_order = FALSE;
      if (check->ours)
        tsr_check_add (
            check, TSR_SEVERITY_ERROR, "rows-out-of-order", check->table->name, row,
            _ ("tile %" PRId64 " comes after tile %" PRId64 "; rows must be ordered by tile"), tile,
            check->tile);
    }
  check->tile = tile;
  check->tile_rows = 0;
  check->tile_sound = TRUE;
  check->tile_always_live = 0;
}

static void
check_class (TsrCheck *check, gint64 row, const gint64 *v)
{
  gboolean always = v[7] == 1;

  if (!check->lives_told || tsr_check_is_flagged (check, check->table->name, row))
    return;
  if (always && v[8] != TSR_UNKNOWN)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "class-unexpected", check->table->name, row,
                   _ ("equivalence_class is %" PRId64 " although the allocation is always live"),
                   v[8]);
  if (!always && v[8] == TSR_UNKNOWN)
    {
      tsr_check_add (check, TSR_SEVERITY_ERROR, "class-missing", check->table->name, row,
                     _ ("equivalence_class is NULL although the allocation is not always live"));
      check->tile_sound = check->vars_sound = FALSE;
    }
}

/* tile 1, size_bytes 2, category 3, name 4, variable 5, offset 6, always_live 7, class 8. */
static void
add_allocation (TsrCheck *check, gint64 row, const gint64 *v)
{
  /* -1 where it names none. */
  gint64 category = tsr_id_set_index (&check->sets[TSR_SET_CATEGORIES], v[3]);
  TsrAllocation allocation = { v[6], v[2], v[7] == 0 ? v[8] : TSR_UNKNOWN };
  guint64 n_categories = check->sets[TSR_SET_CATEGORIES].n_ids;
  guint64 slot = category >= 0 ? (guint64)category : n_categories;

  check_class (check, row, v);
  if (check->allocated != NULL)
    check->allocated[slot] = tsr_check_wrap_add (check->allocated[slot], v[2]);
  if (check->tile_category != NULL)
    {
      gint64 *sum = &check->tile_category[(guint64)v[1] * (n_categories + 1) + slot];

      *sum = tsr_check_wrap_add (*sum, v[2]);
    }
  if (check->variable_lowered != NULL)
    {
      gint64 place = tsr_id_set_index (&check->sets[TSR_SET_VARIABLES], v[5]);

      if (place >= 0)
        check->variable_lowered[place] = tsr_check_wrap_add (check->variable_lowered[place], v[2]);
    }
  if (v[7] == 1)
    check->tile_always_live = tsr_check_wrap_add (check->tile_always_live, v[2]);
  /* Out of order there is no tile to complete, and one of a hostile file could be the whole. */
  if (check->vars_in_order && tsr_check_may_hold (check, (check->tile_allocations->len + 1) * 4))
    g_array_append_val (check->tile_allocations, allocation);
  else
    check->tile_sound = FALSE;
}

void
tsr_check_vars_row (TsrCheck *check, TsrScan *scan, gint64 row, const gint64 *v)
{
  const TsrSpan *span;

  if (v[1] == TSR_UNKNOWN)
    {
      check->tile_sound = check->vars_sound = FALSE;
      return;
    }
  if (v[1] != check->tile)
    begin_tile (check, row, v[1]);
  check->tile_rows++;
  span = span_of (check, v[1]);
  if (span != NULL && (row < span->first || row >= span->end) && check->vars_in_order)
    tsr_check_add (check, TSR_SEVERITY_ERROR, "outside-tile-range", check->table->name, row,
                   _ ("tile_vars gives tile %" PRId64 " the rows from %" PRId64 " to %" PRId64),
                   v[1], span->first, span->end);
  /* A row that does not tell all of it counts, but nothing can be added up. */
  check->lives_told = tsr_scan_has_column (scan, 7) && tsr_scan_has_column (scan, 8);
  if (v[2] == TSR_UNKNOWN || (check->lives_told && v[7] == TSR_UNKNOWN))
    check->tile_sound = check->vars_sound = FALSE;
  else
    add_allocation (check, row, v);
}

void
tsr_check_vars_flagged_row (TsrCheck *check, gint64 row, const gint64 *v)
{
  if (v[1] >= 0 && v[1] < (check->n_tiles != TSR_UNKNOWN ? check->n_tiles : TSR_MAX_TILES))
    {
      if (v[1] != check->tile)
        begin_tile (check, row, v[1]);
      check->tile_rows++;
    }
  check->tile_sound = check->vars_sound = FALSE;
}

void
tsr_check_vars_end (TsrCheck *check)
{
  finish_tile (check);
  if (check->tile >= 0)
    finish_empty_tiles (check, G_MAXINT64);
  if (!check->vars_in_order)
    check->vars_sound = FALSE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Total Memory graph: series laid out by tsr-step-layout inside tsr-chart-frame.  The top of a
 * stack is excluding gaps exactly: what is missing to it is a band with a name (shared by several
 * variables, packing loss), never a hole.  What depends on options and hidden series is worked out
 * when they change (`derive`), so that a layout is O(log n) a pixel column. */

#include "config.h"

#include "tsr-memory-chart.h"

#include "tsr-chart-frame.h"
#include "tsr-chart-marks.h"
#include "tsr-json-writer.h"
#include "tsr-step-layout.h"
#include "tsr-tile-axis.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define FEW_BANDS     5    /* none of so many is minor */
#define MINOR_SHARE   0.02 /* of all bytes */
#define MINOR_ON_TILE 0.05 /* of the fullest tile */

typedef enum
{
  TSR_SERIES_BAND,   /* a part of the stack, or the area */
  TSR_SERIES_LINE,   /* including gaps */
  TSR_SERIES_LEVEL,  /* max memory: no values */
  TSR_SERIES_EXCESS, /* what a tile needs beyond its memory */
} TsrMemorySeriesKind;

typedef struct
{
  TsrMemorySeriesKind kind;
  char *key;  /* stable word: remembers what is hidden */
  char *name; /* translated */
  guint ink;
  const gint64 *values; /* (nullable) by tile */
  gint64 *owned;        /* (nullable) the same, when it is not the report's own */
  gboolean visible;
  gboolean minor; /* a band that is hardly seen, on no tile */
} TsrMemorySeries;

/* What is not always live at one step. */
typedef struct
{
  guint step;
  gint64 *bytes; /* by tile */
} TsrMemoryStep;

struct _TsrMemoryChart
{
  TsrChartModel parent_instance;

  TsrMemory *memory;
  TsrTileSelection *selection; /* (nullable) */
  TsrMemoryChartOptions options;
  gint64 *peaks;    /* (nullable) [category * n + tile] at each tile's peak */
  TsrMemoryStep at; /* bytes NULL: each tile's peak */
  guint n;
  GPtrArray *series; /* TsrMemorySeries */

  TsrTileAxis *axis;
  TsrStepStack *stack;         /* sums from the bottom, by position; NULL without bands */
  gint64 *top, *line, *excess; /* by position; NULL without */
  TsrPyramid *top_pyramid, *line_pyramid, *excess_pyramid;
  GArray *over;  /* TsrStepExcess: those above 0 */
  GArray *bands; /* TsrStepBand, visible ones */
  gint64 y_from; /* of the axis */
  double y_to;
};

static inline guint
tsr_memory_chart_tile_at (const TsrMemoryChart *self, guint position)
{
  return tsr_tile_axis_tile_at (self->axis, position);
}

static TsrMetric tsr_memory_chart_get_order_metric (TsrMemoryChart *self);

/* ----------------------------------------------------------------- series */

static void
series_free (TsrMemorySeries *series)
{
  if (series == NULL)
    return;
  g_free (series->key);
  g_free (series->name);
  g_free (series->owned);
  g_free (series);
}

static TsrMemorySeries *
add (GPtrArray *list,
     TsrMemorySeriesKind kind,
     const char *key,
     const char *name,
     guint ink,
     const gint64 *values,
     gint64 *owned)
{
  TsrMemorySeries *series = g_new0 (TsrMemorySeries, 1);

  series->kind = kind;
  series->key = g_strdup (key);
  series->name = g_strdup (name);
  series->ink = ink;
  series->values = owned != NULL ? owned : values;
  series->owned = owned;
  series->visible = TRUE;
  g_ptr_array_add (list, series);
  return series;
}

static gboolean
any_known (const gint64 *values, guint n)
{
  for (guint i = 0; values != NULL && i < n; i++)
    if (values[i] != TSR_UNKNOWN)
      return TRUE;
  return FALSE;
}

/* The metric under a breakdown's stack: excluding gaps, else the file's total, else including gaps.
 */
static TsrMetric
get_base_metric (TsrMemory *memory)
{
  static const TsrMetric wanted[]
      = { TSR_METRIC_EXCLUDING_GAPS, TSR_METRIC_TOTAL, TSR_METRIC_INCLUDING_GAPS };

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (tsr_memory_is_known (memory, wanted[i]))
      return wanted[i];
  return TSR_METRIC_TOTAL;
}

static const char *
get_base_name (TsrMemory *memory)
{
  switch (get_base_metric (memory))
    {
    case TSR_METRIC_EXCLUDING_GAPS:
      return _ ("Tile memory excluding gaps");
    case TSR_METRIC_INCLUDING_GAPS:
      return _ ("Tile memory including gaps");
    default:
      return tsr_memory_is_from_archive (memory) ? _ ("Tile memory (code and data in archive.a)")
                                                 : _ ("Tile memory (total in the file)");
    }
}

static const char *
get_base_key (TsrMemory *memory)
{
  TsrMetric metric = get_base_metric (memory);

  return metric == TSR_METRIC_EXCLUDING_GAPS   ? "excludingGaps"
         : metric == TSR_METRIC_INCLUDING_GAPS ? "includingGaps"
                                               : "total";
}

/* @values: by tile; sum[i] += values[i], unknown where either is. */
static void
add_values (gint64 *sum, const gint64 *values, guint n)
{
  for (guint i = 0; i < n; i++)
    sum[i] = sum[i] == TSR_UNKNOWN || values[i] == TSR_UNKNOWN
                 ? TSR_UNKNOWN
                 : tsr_add_saturating (sum[i], values[i], NULL);
}

/* What is left of @whole over @parts: unknown where either is, never below 0 (a file that
 * contradicts itself is the checker's business). */
static gint64 *
dup_rest (const gint64 *whole, const gint64 *parts, guint n)
{
  gint64 *rest = g_new (gint64, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    rest[i] = whole[i] == TSR_UNKNOWN || parts[i] == TSR_UNKNOWN
                  ? TSR_UNKNOWN
                  : MAX (whole[i] - MIN (parts[i], whole[i]), 0);
  return rest;
}

/* ---------------------------------------------------------------- regions */

static void
add_regions (GPtrArray *list, TsrMemory *memory)
{
  static const char *const keys[TSR_N_REGIONS] = { "nonInterleaved", "interleaved", "overflowed" };
  const char *const names[TSR_N_REGIONS]
      = { _ ("Non-interleaved"), _ ("Interleaved"), _ ("Overflowed") };
  guint n = tsr_memory_get_n_tiles (memory);

  for (guint r = 0; r < TSR_N_REGIONS; r++)
    {
      const gint64 *values = tsr_memory_peek_region (memory, r);
      gboolean any = r != TSR_REGION_OVERFLOWED;

      for (guint i = 0; values != NULL && i < n && !any; i++)
        any = values[i] != 0 && values[i] != TSR_UNKNOWN;
      if (values != NULL && any)
        add (list, TSR_SERIES_BAND, keys[r], names[r], TSR_INK_REGION_0 + r, values, NULL);
    }
}

/* ------------------------------------------------------------- categories */

typedef struct
{
  guint category;
  gint64 *values;
  gint64 total; /* of what is known */
} Ranked;

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  const Ranked *x = a;
  const Ranked *y = b;

  if (x->total != y->total)
    return x->total > y->total ? -1 : 1;
  return (x->category > y->category) - (x->category < y->category);
}

static void
ranked_clear (gpointer data)
{
  g_free (((Ranked *)data)->values);
}

/* Categories that occur, the largest first: of @peaks (nullable; with what names none), or of what
 * is allocated. */
static GArray *
rank_categories (TsrMemory *memory, const gint64 *peaks)
{
  GArray *ranked = g_array_new (FALSE, FALSE, sizeof (Ranked));
  guint n = tsr_memory_get_n_tiles (memory);

  g_array_set_clear_func (ranked, ranked_clear);
  for (guint c = 0; c < tsr_memory_get_n_categories (memory) + (peaks != NULL); c++)
    {
      Ranked entry = { c,
                       peaks != NULL ? g_memdup2 (peaks + (gsize)c * n, n * sizeof *peaks)
                                     : tsr_memory_dup_category (memory, c, FALSE),
                       0 };

      for (guint i = 0; i < n; i++)
        if (entry.values[i] != TSR_UNKNOWN)
          entry.total = tsr_add_saturating (entry.total, entry.values[i], NULL);
      if (entry.total > 0)
        g_array_append_val (ranked, entry);
      else
        g_free (entry.values);
    }
  g_array_sort (ranked, compare_ranked);
  return ranked;
}

static void
add_shared (GPtrArray *list, TsrMemory *memory, const gint64 *sum)
{
  guint n = tsr_memory_get_n_tiles (memory);
  gint64 *shared;
  gboolean any = FALSE;

  if (tsr_memory_are_categories_allocated (memory))
    return;
  shared = tsr_memory_dup_shared (memory);
  if (!any_known (shared, n) && tsr_memory_is_known (memory, TSR_METRIC_EXCLUDING_GAPS))
    {
      g_free (shared);
      shared = dup_rest (tsr_memory_peek (memory, TSR_METRIC_EXCLUDING_GAPS), sum, n);
    }
  for (guint i = 0; i < n && !any; i++)
    any = shared[i] != TSR_UNKNOWN && shared[i] != 0;
  if (any)
    add (list, TSR_SERIES_BAND, "shared", _ ("Shared by several variables"), TSR_INK_SHARED, NULL,
         shared);
  else
    g_free (shared);
}

/* What is allocated beyond @sum, which is live at each tile's peak. */
static void
add_packing_loss (GPtrArray *list, TsrMemory *memory, const gint64 *sum)
{
  guint n = tsr_memory_get_n_tiles (memory);
  const gint64 *whole = tsr_memory_peek (memory, TSR_METRIC_EXCLUDING_GAPS);

  if (any_known (whole, n))
    add (list, TSR_SERIES_BAND, "packingLoss", _ ("Packing loss"), TSR_INK_PACKING, NULL,
         dup_rest (whole, sum, n));
}

static void
add_category (GPtrArray *list, TsrMemory *memory, Ranked *entry)
{
  gboolean told = entry->category < tsr_memory_get_n_categories (memory);
  const char *name
      = told ? tsr_memory_get_category_name (memory, entry->category) : TSR_UNKNOWN_CATEGORY;

  add (list, TSR_SERIES_BAND, name,
       told ? tsr_memory_get_category_label (memory, entry->category) : _ ("No category recorded"),
       told ? tsr_palette_get_category_ink (name) : TSR_INK_REST, NULL,
       g_steal_pointer (&entry->values));
}

static void
add_categories (GPtrArray *list, TsrMemory *memory, const gint64 *peaks)
{
  g_autoptr (GArray) ranked = rank_categories (memory, peaks);
  guint n = tsr_memory_get_n_tiles (memory);
  guint n_own = ranked->len > TSR_N_CATEGORY_INKS ? TSR_N_CATEGORY_INKS - 1 : ranked->len;
  gint64 *other = n_own < ranked->len ? g_new0 (gint64, MAX (n, 1)) : NULL;
  g_autofree gint64 *sum = g_new0 (gint64, MAX (n, 1));

  for (guint i = 0; i < ranked->len; i++)
    {
      Ranked *entry = &g_array_index (ranked, Ranked, i);

      add_values (sum, entry->values, n);
      if (i >= n_own)
        {
          add_values (other, entry->values, n);
          continue;
        }
      add_category (list, memory, entry);
    }
  if (other != NULL)
    {
      const guint n_rest = ranked->len - n_own;
      g_autofree char *name = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "Other (%u category)", "Other (%u categories)", n_rest),
          n_rest);

      add (list, TSR_SERIES_BAND, "other", name, TSR_INK_REST, NULL, other);
    }
  if (peaks != NULL)
    add_packing_loss (list, memory, sum);
  else
    add_shared (list, memory, sum);
}

/* --------------------------------------------------------------- liveness */

static void
add_liveness (GPtrArray *list, TsrMemory *memory)
{
  guint n = tsr_memory_get_n_tiles (memory);
  const gint64 *always = tsr_memory_peek (memory, TSR_METRIC_ALWAYS_LIVE);
  const gint64 *not_always = tsr_memory_peek (memory, TSR_METRIC_NOT_ALWAYS_LIVE);
  g_autofree gint64 *sum = g_new0 (gint64, MAX (n, 1));

  if (always == NULL || not_always == NULL)
    return;
  add_values (sum, always, n);
  add_values (sum, not_always, n);
  add (list, TSR_SERIES_BAND, "alwaysLive", _ ("Always live"), TSR_INK_ALWAYS_LIVE, always, NULL);
  add (list, TSR_SERIES_BAND, "notAlwaysLive", _ ("Not always live (each tile's peak)"),
       TSR_INK_NOT_ALWAYS_LIVE, not_always, NULL);
  add_packing_loss (list, memory, sum);
}

/* --------------------------------------------------------------- the rest */

static void
add_level_and_excess (GPtrArray *list, TsrMemory *memory, gboolean show_max)
{
  if (tsr_memory_get_capacity (memory) == TSR_UNKNOWN)
    return;
  if (show_max)
    add (list, TSR_SERIES_LEVEL, "maxMemory", _ ("Max memory"), TSR_INK_CAPACITY, NULL, NULL);
  if (tsr_memory_get_n_overflowing (memory) == 0)
    return;
  add (list, TSR_SERIES_EXCESS, "need", _ ("Does not fit"), TSR_INK_OVERFLOW, NULL,
       tsr_memory_dup_need (memory));
}

/* Bands of what is live at a step; what stays of the allocation above it is unused just then. */
static void
add_step (GPtrArray *list,
          TsrMemory *memory,
          const TsrMemoryChartOptions *options,
          const TsrMemoryStep *at)
{
  guint n = tsr_memory_get_n_tiles (memory);
  const gint64 *always = tsr_memory_peek (memory, TSR_METRIC_ALWAYS_LIVE);
  gint64 capacity = tsr_memory_get_capacity (memory);
  gint64 *live = g_memdup2 (at->bytes, MAX (n, 1) * sizeof *live);
  gint64 *need = g_new (gint64, MAX (n, 1));
  gboolean any = FALSE;
  TsrMetric metric = get_base_metric (memory);
  g_autofree char *step = tsr_units_dup_count (at->step);
  g_autofree char *name = NULL;

  for (guint i = 0; i < n; i++)
    live[i] = live[i] == TSR_UNKNOWN || always == NULL || always[i] == TSR_UNKNOWN
                  ? TSR_UNKNOWN
                  : tsr_add_saturating (live[i], always[i], NULL);
  for (guint i = 0; i < n; i++)
    {
      need[i] = live[i] == TSR_UNKNOWN || capacity == TSR_UNKNOWN ? TSR_UNKNOWN
                                                                  : MAX (live[i] - capacity, 0);
      any |= need[i] > 0;
    }
  if (options->breakdown == TSR_BREAKDOWN_LIVENESS && always != NULL)
    {
      add (list, TSR_SERIES_BAND, "alwaysLive", _ ("Always live"), TSR_INK_ALWAYS_LIVE, always,
           NULL);
      name = g_strdup_printf (_ ("Not always live at step %s"), step);
      add (list, TSR_SERIES_BAND, "notAlwaysLive", name, TSR_INK_NOT_ALWAYS_LIVE, at->bytes, NULL);
      g_free (live);
    }
  else
    {
      name = g_strdup_printf (_ ("Live at step %s"), step);
      add (list, TSR_SERIES_BAND, "liveAtStep", name, TSR_INK_TOTAL, NULL, live);
    }
  if (options->include_gaps && tsr_memory_is_known (memory, TSR_METRIC_INCLUDING_GAPS))
    add (list, TSR_SERIES_LINE, "includingGaps", _ ("Tile memory including gaps"), TSR_INK_GAPS,
         tsr_memory_peek (memory, TSR_METRIC_INCLUDING_GAPS), NULL);
  else if (tsr_memory_is_known (memory, metric))
    add (list, TSR_SERIES_LINE, get_base_key (memory), get_base_name (memory), TSR_INK_GAPS,
         tsr_memory_peek (memory, metric), NULL);
  if (options->show_max && capacity != TSR_UNKNOWN)
    add (list, TSR_SERIES_LEVEL, "maxMemory", _ ("Max memory"), TSR_INK_CAPACITY, NULL, NULL);
  if (any)
    add (list, TSR_SERIES_EXCESS, "need", _ ("Does not fit"), TSR_INK_OVERFLOW, NULL, need);
  else
    g_free (need);
}

/* Of many bands those that take little of all, and of no tile much, are but lines in the chart. */
static void
mark_minor (GPtrArray *list, guint n)
{
  g_autofree double *sums = g_new0 (double, list->len + 1), *most = g_new0 (double, list->len + 1);
  g_autofree double *tops = g_new0 (double, MAX (n, 1));
  double sum = 0, top = 0;
  guint n_bands = 0;

  for (guint k = 0; k < list->len; k++)
    {
      const TsrMemorySeries *series = g_ptr_array_index (list, k);

      for (guint i = 0; i < n && series->kind == TSR_SERIES_BAND; i++)
        if (series->values[i] != TSR_UNKNOWN)
          {
            sums[k] += series->values[i];
            tops[i] += series->values[i];
            most[k] = MAX (most[k], series->values[i]);
          }
      sum += sums[k];
      n_bands += series->kind == TSR_SERIES_BAND;
    }
  for (guint i = 0; i < n; i++)
    top = MAX (top, tops[i]);
  for (guint k = 0; k < list->len && n_bands > FEW_BANDS; k++)
    {
      TsrMemorySeries *series = g_ptr_array_index (list, k);

      series->minor = series->kind == TSR_SERIES_BAND && sums[k] < MINOR_SHARE * sum
                      && most[k] < MINOR_ON_TILE * top;
    }
}

/* (transfer full) (element-type TsrMemorySeries): bands bottom to top, then line, level, excess.
 * @peaks (nullable): of tsr_liveness_dup_categories_at_peaks.  @at (nullable): what is live at that
 * step instead of the breakdown, under the allocation. */
static GPtrArray *
list_series (TsrMemory *memory,
             const TsrMemoryChartOptions *options,
             const gint64 *peaks,
             const TsrMemoryStep *at)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)series_free);
  TsrMetric metric = get_base_metric (memory);

  if (at != NULL)
    {
      add_step (list, memory, options, at);
      return list;
    }
  switch (options->breakdown)
    {
    case TSR_BREAKDOWN_REGION:
      add_regions (list, memory);
      break;
    case TSR_BREAKDOWN_CATEGORY:
      add_categories (list, memory, NULL);
      break;
    case TSR_BREAKDOWN_PEAK:
      if (peaks != NULL)
        add_categories (list, memory, peaks);
      break;
    case TSR_BREAKDOWN_LIVENESS:
      add_liveness (list, memory);
      break;
    case TSR_BREAKDOWN_NONE:
    default:
      break;
    }
  if (list->len == 0 && tsr_memory_is_known (memory, metric))
    add (list, TSR_SERIES_BAND, get_base_key (memory), get_base_name (memory), TSR_INK_TOTAL,
         tsr_memory_peek (memory, metric), NULL);
  if (options->include_gaps && metric != TSR_METRIC_INCLUDING_GAPS
      && tsr_memory_is_known (memory, TSR_METRIC_INCLUDING_GAPS))
    add (list, TSR_SERIES_LINE, "includingGaps", _ ("Tile memory including gaps"), TSR_INK_GAPS,
         tsr_memory_peek (memory, TSR_METRIC_INCLUDING_GAPS), NULL);
  add_level_and_excess (list, memory, options->show_max);
  mark_minor (list, tsr_memory_get_n_tiles (memory));
  return list;
}

/* The Total Memory graph in words: what a tile's callout and the caption say, the rows of its CSV,
 * what is missing for a breakdown or an order, and the nicks of both. */

/* Of a tile's memory: in a stack of many, what is less is told in one line. */
#define SMALL 0.0005

/* ------------------------------------------------------------------ words */

static const char *const breakdown_nicks[] = { "none", "region", "category", "liveness", "peak" };
static const char *const order_nicks[] = { "software", "physical", "bytes" };

const char *
tsr_breakdown_get_nick (TsrBreakdown breakdown)
{
  return breakdown_nicks[CLAMP (breakdown, 0, G_N_ELEMENTS (breakdown_nicks) - 1)];
}

gboolean
tsr_breakdown_parse (const char *nick, TsrBreakdown *breakdown)
{
  g_return_val_if_fail (breakdown != NULL, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (breakdown_nicks); i++)
    if (g_strcmp0 (nick, breakdown_nicks[i]) == 0)
      {
        *breakdown = i;
        return TRUE;
      }
  return FALSE;
}

const char *
tsr_tile_order_get_nick (TsrTileOrder order)
{
  return order_nicks[CLAMP (order, 0, G_N_ELEMENTS (order_nicks) - 1)];
}

gboolean
tsr_tile_order_parse (const char *nick, TsrTileOrder *order)
{
  g_return_val_if_fail (order != NULL, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (order_nicks); i++)
    if (g_strcmp0 (nick, order_nicks[i]) == 0)
      {
        *order = i;
        return TRUE;
      }
  return FALSE;
}

/* -------------------------------------------------------------- in words */

static void
append_value (TsrMemoryChart *self, GString *out, const char *name, gint64 value, gboolean share)
{
  gint64 capacity = tsr_memory_get_capacity (self->memory);
  g_autofree char *exact = NULL;

  if (value == TSR_UNKNOWN)
    {
      g_string_append_printf (out, _ ("\n%s: not recorded"), name);
      return;
    }
  exact = tsr_units_dup_bytes_exact (value);
  g_string_append_printf (out, "\n%s: %s", name, exact);
  if (share && capacity > 0)
    {
      g_autofree char *percent = tsr_units_dup_percent ((double)value / capacity, 1);

      g_string_append_printf (out, " (%s)", percent);
    }
}

/* Members of TsrChartModelClass. */
static char *
tsr_memory_chart_describe (TsrChartModel *model, guint32 datum)
{
  TsrMemoryChart *self = TSR_MEMORY_CHART (model);
  gint64 capacity = tsr_memory_get_capacity (self->memory);
  gint64 small = capacity > 0 ? MAX ((gint64)(capacity * SMALL), 1) : 1;
  gint64 sum_small = 0;
  guint n_bands = 0;
  guint n_small = 0;
  g_autofree char *name = NULL;
  GString *out;

  if (datum >= self->n)
    return NULL;
  name = tsr_tile_axis_dup_name (self->axis, datum);
  out = g_string_new (name);
  for (guint i = 0; i < self->series->len; i++)
    n_bands += ((TsrMemorySeries *)g_ptr_array_index (self->series, i))->kind == TSR_SERIES_BAND;
  if (n_bands > 1 && tsr_memory_is_known (self->memory, get_base_metric (self->memory)))
    append_value (self, out, get_base_name (self->memory),
                  tsr_memory_peek (self->memory, get_base_metric (self->memory))[datum], TRUE);
  /* Bands from the top down, as they stand in the stack. */
  for (guint i = n_bands; i-- > 0;)
    {
      const TsrMemorySeries *series = g_ptr_array_index (self->series, i);
      gint64 value = series->values[datum];

      if (!series->visible)
        continue;
      if (n_bands > 3 && value >= 0 && value < small)
        {
          n_small += value > 0;
          sum_small += value;
        }
      else
        append_value (self, out, series->name, value, TRUE);
    }
  if (n_small > 0)
    {
      g_autofree char *smaller = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%u smaller", "%u smaller", n_small), n_small);

      append_value (self, out, smaller, sum_small, TRUE);
    }
  for (guint i = n_bands; i < self->series->len; i++)
    {
      const TsrMemorySeries *series = g_ptr_array_index (self->series, i);

      if (!series->visible)
        continue;
      if (series->kind == TSR_SERIES_LEVEL)
        append_value (self, out, series->name, tsr_memory_get_capacity (self->memory), FALSE);
      else if (series->kind == TSR_SERIES_LINE
               || (series->values[datum] != 0 && series->values[datum] != TSR_UNKNOWN))
        append_value (self, out, series->name, series->values[datum], TRUE);
    }
  return g_string_free (out, FALSE);
}

static char *
tsr_memory_chart_dup_caption (TsrChartModel *model)
{
  TsrMemoryChart *self = TSR_MEMORY_CHART (model);
  const char *what = _ ("Memory per tile");
  g_autofree char *count = tsr_units_dup_count (self->n);

  if (self->at.bytes != NULL)
    {
      g_autofree char *step = tsr_units_dup_count (self->at.step);
      g_autofree char *at = g_strdup_printf (_ ("Memory live at liveness step %s per tile"), step);

      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s, %s tile of one replica",
                                           "%s, %s tiles of one replica", self->n),
                              at, count);
    }
  if (self->options.breakdown == TSR_BREAKDOWN_REGION)
    what = _ ("Memory per tile by region");
  else if (self->options.breakdown == TSR_BREAKDOWN_LIVENESS)
    what = _ ("Memory per tile by liveness");
  else if (self->options.breakdown == TSR_BREAKDOWN_PEAK)
    what = _ ("Memory per tile by category, each tile at its own peak");
  else if (self->options.breakdown == TSR_BREAKDOWN_CATEGORY)
    what = tsr_memory_are_categories_allocated (self->memory)
               ? _ ("Allocated memory per tile by category, shared addresses counted for each "
                    "variable")
               : _ ("Memory per tile by category");
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s, %s tile of one replica",
                                       "%s, %s tiles of one replica", self->n),
                          what, count);
}

/* -------------------------------------------------------------------- CSV */

static void
add_number (GPtrArray *fields, gint64 value)
{
  g_ptr_array_add (fields, value != TSR_UNKNOWN ? g_strdup_printf ("%" G_GINT64_FORMAT, value)
                                                : g_strdup (""));
}

static void
append_csv_row (GPtrArray *fields, GString *out)
{
  tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
  g_ptr_array_set_size (fields, 0);
}

static void
tsr_memory_chart_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrMemoryChart *self = TSR_MEMORY_CHART (model);
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);
  guint first = (guint)CLAMP (floor (from), 0, (double)self->n);
  guint end = (guint)CLAMP (ceil (to), 0, (double)self->n);

  tsr_tile_axis_add_headings (self->axis, fields);
  for (guint i = 0; i < self->series->len; i++)
    {
      const TsrMemorySeries *series = g_ptr_array_index (self->series, i);

      if (series->visible)
        g_ptr_array_add (fields, g_strdup (series->key));
    }
  append_csv_row (fields, out);

  for (guint position = first; position < end; position++)
    {
      guint tile = tsr_memory_chart_tile_at (self, position);

      tsr_tile_axis_add_fields (self->axis, tile, fields);
      for (guint i = 0; i < self->series->len; i++)
        {
          const TsrMemorySeries *series = g_ptr_array_index (self->series, i);

          if (series->visible)
            add_number (fields, series->values != NULL ? series->values[tile]
                                                       : tsr_memory_get_capacity (self->memory));
        }
      append_csv_row (fields, out);
    }
}

/* --------------------------------------------------------------- missing */

static gboolean
tell (gboolean can, const char *reason, char **why)
{
  if (why != NULL)
    *why = can ? NULL : g_strdup (reason);
  return can;
}

gboolean
tsr_memory_chart_can_break_down (TsrMemoryChart *self, TsrBreakdown breakdown, char **why)
{
  g_return_val_if_fail (TSR_IS_MEMORY_CHART (self), FALSE);

  switch (breakdown)
    {
    case TSR_BREAKDOWN_REGION:
      return tell (tsr_memory_has_regions (self->memory),
                   _ ("The report does not record memory by region (table memory_by_tile_region)"),
                   why);
    case TSR_BREAKDOWN_CATEGORY:
      return tell (tsr_memory_has_categories (self->memory),
                   _ ("The report does not record memory by category for each tile (table "
                      "memory_by_tile_category)"),
                   why);
    case TSR_BREAKDOWN_LIVENESS:
      return tell (tsr_memory_is_known (self->memory, TSR_METRIC_ALWAYS_LIVE)
                       && tsr_memory_is_known (self->memory, TSR_METRIC_NOT_ALWAYS_LIVE),
                   _ ("The report does not record what is always live on each tile (columns "
                      "always_live and not_always_live of table memory_by_tile)"),
                   why);
    case TSR_BREAKDOWN_PEAK:
      return tell (self->peaks != NULL,
                   _ ("What is live on each tile is known from lowered variables (table vars_info, "
                      "engine option autoReport.outputLoweredVars)"),
                   why);
    case TSR_BREAKDOWN_NONE:
    default:
      return tell (TRUE, NULL, why);
    }
}

gboolean
tsr_memory_chart_can_include_gaps (TsrMemoryChart *self, char **why)
{
  g_return_val_if_fail (TSR_IS_MEMORY_CHART (self), FALSE);
  return tell (tsr_memory_is_known (self->memory, TSR_METRIC_INCLUDING_GAPS),
               _ ("The report does not record memory including gaps (column including_gaps of "
                  "table memory_by_tile)"),
               why);
}

gboolean
tsr_memory_chart_can_order (TsrMemoryChart *self, TsrTileOrder order, char **why)
{
  g_autofree guint *tiles = NULL;

  g_return_val_if_fail (TSR_IS_MEMORY_CHART (self), FALSE);
  if (order == TSR_ORDER_SOFTWARE)
    return tell (TRUE, NULL, why);
  tiles = tsr_memory_dup_order (self->memory, order, tsr_memory_chart_get_order_metric (self));
  return tell (tiles != NULL,
               order == TSR_ORDER_PHYSICAL
                   ? _ ("Where tiles lie on the chip is known only for IPUs of 1,472 tiles")
                   : _ ("The report does not record the memory of each tile"),
               why);
}

G_DEFINE_FINAL_TYPE (TsrMemoryChart, tsr_memory_chart, TSR_TYPE_CHART_MODEL)

/* ---------------------------------------------------------------- derived */

/* What tiles are ordered by when they are ordered by bytes. */
static TsrMetric
tsr_memory_chart_get_order_metric (TsrMemoryChart *self)
{
  if (self->options.include_gaps && tsr_memory_is_known (self->memory, TSR_METRIC_INCLUDING_GAPS))
    return TSR_METRIC_INCLUDING_GAPS;
  return get_base_metric (self->memory);
}

static void
derive_order (TsrMemoryChart *self)
{
  tsr_tile_axis_set_order (
      self->axis, self->options.order,
      tsr_memory_peek (self->memory, tsr_memory_chart_get_order_metric (self)));
}

/* @values by tile to an array by position. */
static gint64 *
dup_by_position (TsrMemoryChart *self, const gint64 *values)
{
  gint64 *result = g_aligned_alloc (MAX (self->n, 1), sizeof *result, TSR_PYRAMID_ALIGNMENT);

  for (guint i = 0; i < self->n; i++)
    result[i] = values[tsr_memory_chart_tile_at (self, i)];
  return result;
}

static void
clear_sums (TsrMemoryChart *self)
{
  g_clear_pointer (&self->top_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->line_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->excess_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->stack, tsr_step_stack_free);
  g_clear_pointer (&self->top, g_aligned_free);
  g_clear_pointer (&self->line, g_aligned_free);
  g_clear_pointer (&self->excess, g_aligned_free);
  g_array_set_size (self->bands, 0);
  g_array_set_size (self->over, 0);
}

static void
add_to_top (TsrMemoryChart *self, const gint64 *values)
{
  if (self->top == NULL)
    {
      self->top = dup_by_position (self, values);
      return;
    }
  for (guint i = 0; i < self->n; i++)
    {
      gint64 value = values[tsr_memory_chart_tile_at (self, i)];

      self->top[i] = self->top[i] == TSR_UNKNOWN || value == TSR_UNKNOWN
                         ? TSR_UNKNOWN
                         : tsr_add_saturating (self->top[i], value, NULL);
    }
}

/* The sums that the columns of the plot are made from; negative sizes count as 0. */
static void
derive_stack (TsrMemoryChart *self)
{
  if (self->bands->len == 0)
    return;
  self->stack = tsr_step_stack_new (self->n, self->bands->len);
  for (guint b = 0; b < self->bands->len; b++)
    {
      const TsrStepBand *band = &g_array_index (self->bands, TsrStepBand, b);
      const TsrMemorySeries *series = g_ptr_array_index (self->series, band->series);

      tsr_step_stack_add (self->stack, series->values, self->axis->order);
    }
}

static gint64
largest (const TsrPyramid *pyramid, guint n)
{
  gint64 min;
  gint64 max;

  return pyramid != NULL && tsr_pyramid_get_range (pyramid, 0, n, &min, &max) ? max : 0;
}

/* What every tile has of the lowest band: of the stack, nothing differs below. */
static gint64
find_base (TsrMemoryChart *self)
{
  gint64 least = G_MAXINT64;

  for (guint i = 0; self->stack != NULL && i < self->n; i++)
    least = MIN (least, self->top[i] != TSR_UNKNOWN ? tsr_step_stack_get (self->stack, i, 0) : 0);
  return self->stack != NULL && self->n > 0 ? MAX (least, 0) : 0;
}

static void
derive_axis (TsrMemoryChart *self)
{
  gint64 capacity = tsr_memory_get_capacity (self->memory);
  double data = MAX (largest (self->top_pyramid, self->n), largest (self->line_pyramid, self->n));

  if (self->excess_pyramid != NULL)
    data = MAX (data, (double)capacity + MAX (largest (self->excess_pyramid, self->n), 0));
  if (self->options.show_max && !self->options.fit_data && capacity != TSR_UNKNOWN)
    data = MAX (data, (double)capacity);
  self->y_from = self->options.from_zero ? 0 : tsr_chart_frame_find_y_from (find_base (self), data);
  self->y_to = (double)self->y_from + MAX ((data - self->y_from) * TSR_CHART_HEADROOM, 1);
}

static void
derive_sums (TsrMemoryChart *self)
{
  clear_sums (self);
  for (guint i = 0; i < self->series->len; i++)
    {
      const TsrMemorySeries *series = g_ptr_array_index (self->series, i);

      if (!series->visible || series->values == NULL)
        continue;
      if (series->kind == TSR_SERIES_BAND)
        {
          TsrStepBand band = { series->ink, i };

          g_array_append_val (self->bands, band);
          add_to_top (self, series->values);
        }
      else if (series->kind == TSR_SERIES_LINE)
        self->line = dup_by_position (self, series->values);
      else if (series->kind == TSR_SERIES_EXCESS)
        self->excess = dup_by_position (self, series->values);
    }
  derive_stack (self);
  if (self->top != NULL)
    self->top_pyramid = tsr_pyramid_new (self->top, self->n);
  if (self->line != NULL)
    self->line_pyramid = tsr_pyramid_new (self->line, self->n);
  if (self->excess != NULL)
    self->excess_pyramid = tsr_pyramid_new (self->excess, self->n);
  for (guint i = 0; self->excess != NULL && i < self->n; i++)
    if (self->excess[i] > 0)
      {
        TsrStepExcess over = { i, self->excess[i] };

        g_array_append_val (self->over, over);
      }
  derive_axis (self);
}

static void
mark_visible (TsrMemoryChart *self)
{
  for (guint i = 0; i < self->series->len; i++)
    {
      TsrMemorySeries *series = g_ptr_array_index (self->series, i);

      series->visible = !tsr_chart_model_is_hidden (TSR_CHART_MODEL (self), series->key);
    }
}

static void
derive (TsrMemoryChart *self)
{
  g_clear_pointer (&self->series, g_ptr_array_unref);
  self->series = list_series (self->memory, &self->options, self->peaks,
                              self->at.bytes != NULL ? &self->at : NULL);
  mark_visible (self);
  derive_order (self);
  derive_sums (self);
}

/* The series of @kind, or NULL; its index. */
static const TsrMemorySeries *
find_series (TsrMemoryChart *self, TsrMemorySeriesKind kind, guint *index)
{
  for (guint i = 0; i < self->series->len; i++)
    {
      const TsrMemorySeries *series = g_ptr_array_index (self->series, i);

      if (series->kind == kind)
        {
          *index = i;
          return series;
        }
    }
  *index = TSR_NO_DATUM;
  return NULL;
}

static void
get_step_data (TsrMemoryChart *self, TsrStepData *data)
{
  const TsrMemorySeries *line;

  *data = (TsrStepData){ .n = self->n, .order = self->axis->order };
  data->n_bands = self->bands->len;
  data->bands = (const TsrStepBand *)(gpointer)self->bands->data;
  data->stack = self->stack;
  data->top = self->top;
  data->top_pyramid = self->top_pyramid;
  data->outlined = data->n_bands == 1 && data->bands[0].ink == TSR_INK_TOTAL;
  data->tint = TSR_INK_TOTAL_TINT;
  data->spread = TSR_INK_TOTAL_SPREAD;
  line = find_series (self, TSR_SERIES_LINE, &data->line_series);
  data->line = self->line;
  data->line_pyramid = self->line_pyramid;
  data->line_ink = line != NULL ? line->ink : TSR_INK_GAPS;
  find_series (self, TSR_SERIES_EXCESS, &data->excess_series);
  data->limit = tsr_memory_get_capacity (self->memory);
  data->excess = self->excess;
  data->excess_pyramid = self->excess_pyramid;
  data->over = (const TsrStepExcess *)(gpointer)self->over->data;
  data->n_over = self->over->len;
}

static void
get_frame (TsrMemoryChart *self, TsrChartFrame *frame)
{
  const TsrMemorySeries *level;

  *frame
      = (TsrChartFrame){ .units = self->options.units, .y_from = self->y_from, .y_to = self->y_to };
  level = find_series (self, TSR_SERIES_LEVEL, &frame->level_series);
  frame->level
      = level != NULL && level->visible ? tsr_memory_get_capacity (self->memory) : TSR_UNKNOWN;
  tsr_tile_axis_get_frame (self->axis, frame);
}

/* ------------------------------------------------------------ chart model */

static void
memory_chart_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  tsr_tile_axis_get_domain (TSR_MEMORY_CHART (model)->axis, from, to, min_span);
}

static void
memory_chart_layout (TsrChartModel *model,
                     const TsrChartGeometry *geometry,
                     TsrDrawList *list,
                     TsrPlotArea *area)
{
  TsrMemoryChart *self = TSR_MEMORY_CHART (model);
  TsrStepData data;
  TsrChartFrame frame;

  get_frame (self, &frame);
  get_step_data (self, &data);
  tsr_chart_frame_layout_back (&frame, model, geometry, list, area);
  tsr_step_layout (&data, geometry, area, list);
  tsr_chart_frame_layout_front (&frame, geometry, area, list);
}

/* A dot on each visible series at @position. */
static void
add_dots (gpointer chart,
          const TsrChartGeometry *geometry,
          const TsrPlotArea *area,
          guint position,
          TsrDrawList *list)
{
  TsrMemoryChart *self = chart;
  guint n_bands = self->bands->len;

  if (self->top != NULL && self->top[position] != TSR_UNKNOWN)
    for (guint b = 0; b < n_bands; b++)
      {
        gint64 sum = tsr_step_stack_get (self->stack, position, b);

        if (sum > (b > 0 ? tsr_step_stack_get (self->stack, position, b - 1) : 0))
          tsr_chart_marks_dot (geometry, area, position, sum,
                               g_array_index (self->bands, TsrStepBand, b).ink, list);
      }
  if (self->line != NULL && self->line[position] != TSR_UNKNOWN)
    tsr_chart_marks_dot (geometry, area, position, self->line[position], TSR_INK_GAPS, list);
}

static void
memory_chart_layout_overlay (TsrChartModel *model,
                             const TsrChartGeometry *geometry,
                             const TsrPlotArea *area,
                             guint32 hover,
                             guint32 cursor,
                             TsrDrawList *list)
{
  TsrMemoryChart *self = TSR_MEMORY_CHART (model);

  tsr_tile_axis_layout_overlay (self->axis, self->selection, geometry, area, hover, cursor,
                                add_dots, self, list);
}

static void
memory_chart_layout_overview (TsrChartModel *model,
                              const TsrChartGeometry *geometry,
                              TsrDrawList *list)
{
  TsrStepData data;

  get_step_data (TSR_MEMORY_CHART (model), &data);
  tsr_step_layout_overview (&data, geometry, list);
}

static guint32
memory_chart_datum_at (TsrChartModel *model, double x)
{
  return tsr_tile_axis_datum_at (TSR_MEMORY_CHART (model)->axis, x);
}

static guint32
memory_chart_datum_near (TsrChartModel *model, double from, double to)
{
  TsrMemoryChart *self = TSR_MEMORY_CHART (model);
  TsrStepData data;
  guint position;

  get_step_data (self, &data);
  position = tsr_step_layout_position_at (&data, from, to);
  return position < self->n ? tsr_memory_chart_tile_at (self, position) : TSR_NO_DATUM;
}

static double
memory_chart_position_of (TsrChartModel *model, guint32 datum)
{
  TsrMemoryChart *self = TSR_MEMORY_CHART (model);

  return tsr_tile_axis_position_of (self->axis, datum);
}

static guint
memory_chart_get_n_series (TsrChartModel *model)
{
  return TSR_MEMORY_CHART (model)->series->len;
}

static void
memory_chart_get_series (TsrChartModel *model, guint i, TsrChartSeries *out)
{
  TsrMemoryChart *self = TSR_MEMORY_CHART (model);
  const TsrMemorySeries *series;

  g_return_if_fail (i < self->series->len);
  series = g_ptr_array_index (self->series, i);
  *out = (TsrChartSeries){
    .name = series->name,
    .key = series->key,
    .ink = series->ink,
    .filled = series->kind == TSR_SERIES_BAND || series->kind == TSR_SERIES_EXCESS,
    .visible = series->visible,
    .minor = series->minor,
    .kept = series->kind == TSR_SERIES_LEVEL || series->kind == TSR_SERIES_EXCESS,
  };
}

static void
memory_chart_hidden_changed (TsrChartModel *model)
{
  TsrMemoryChart *self = TSR_MEMORY_CHART (model);

  mark_visible (self);
  derive_sums (self);
  tsr_chart_model_emit_series_changed (model);
}

/* ----------------------------------------------------------------- object */

/* Nothing is derived yet. */
static TsrMemoryChart *
chart_new (TsrMemory *memory, TsrTileSelection *selection)
{
  TsrMemoryChart *self = g_object_new (TSR_TYPE_MEMORY_CHART, NULL);
  self->memory = tsr_memory_ref (memory);
  self->axis = tsr_tile_axis_new (memory);
  self->n = self->axis->n;
  if (selection != NULL)
    {
      self->selection = g_object_ref (selection);
      g_signal_connect_object (selection, "changed",
                               G_CALLBACK (tsr_chart_model_emit_overlay_changed), self,
                               G_CONNECT_SWAPPED);
    }
  return self;
}

static gsize
get_n_peaks (TsrMemoryChart *self)
{
  return ((gsize)tsr_memory_get_n_categories (self->memory) + 1) * self->n;
}

static TsrChartModel *
memory_chart_dup (TsrChartModel *model)
{
  TsrMemoryChart *self = TSR_MEMORY_CHART (model);
  g_autoptr (TsrTileSelection) selection = tsr_tile_selection_copy (self->selection);
  TsrMemoryChart *copy;

  copy = chart_new (self->memory, selection);
  copy->options = self->options;
  copy->at.step = self->at.step;
  if (self->peaks != NULL)
    copy->peaks = g_memdup2 (self->peaks, get_n_peaks (self) * sizeof *self->peaks);
  if (self->at.bytes != NULL)
    copy->at.bytes = g_memdup2 (self->at.bytes, MAX (self->n, 1) * sizeof (gint64));
  tsr_chart_model_copy_hidden (TSR_CHART_MODEL (copy), model);
  derive (copy);
  return TSR_CHART_MODEL (copy);
}

static void
tsr_memory_chart_finalize (GObject *object)
{
  TsrMemoryChart *self = TSR_MEMORY_CHART (object);

  clear_sums (self);
  g_array_unref (self->bands);
  g_array_unref (self->over);
  g_clear_pointer (&self->axis, tsr_tile_axis_free);
  g_free (self->peaks);
  g_free (self->at.bytes);
  g_clear_pointer (&self->series, g_ptr_array_unref);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tsr_memory_chart_parent_class)->finalize (object);
}

static void
tsr_memory_chart_class_init (TsrMemoryChartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  object_class->finalize = tsr_memory_chart_finalize;
  model_class->get_domain = memory_chart_get_domain;
  model_class->layout = memory_chart_layout;
  model_class->layout_overlay = memory_chart_layout_overlay;
  model_class->layout_overview = memory_chart_layout_overview;
  model_class->datum_at = memory_chart_datum_at;
  model_class->datum_near = memory_chart_datum_near;
  model_class->position_of = memory_chart_position_of;
  model_class->describe = tsr_memory_chart_describe;
  model_class->dup_caption = tsr_memory_chart_dup_caption;
  model_class->get_n_series = memory_chart_get_n_series;
  model_class->get_series = memory_chart_get_series;
  model_class->hidden_changed = memory_chart_hidden_changed;
  model_class->write_csv = tsr_memory_chart_write_csv;
  model_class->dup = memory_chart_dup;
}

static void
tsr_memory_chart_init (TsrMemoryChart *self)
{
  self->bands = g_array_new (FALSE, FALSE, sizeof (TsrStepBand));
  self->over = g_array_new (FALSE, FALSE, sizeof (TsrStepExcess));
  self->options.show_max = TRUE;
}

/* Takes up as much of @options as the report has; FALSE when they are what they were. */
static gboolean
take_options (TsrMemoryChart *self, TsrMemoryChartOptions options)
{
  TsrMemoryChartOptions *old = &self->options;

  if (!tsr_memory_chart_can_break_down (self, options.breakdown, NULL))
    options.breakdown = TSR_BREAKDOWN_NONE;
  if (!tsr_memory_chart_can_order (self, options.order, NULL))
    options.order = TSR_ORDER_SOFTWARE;
  if (old->breakdown == options.breakdown && old->order == options.order
      && !old->include_gaps == !options.include_gaps && !old->show_max == !options.show_max
      && !old->fit_data == !options.fit_data && !old->from_zero == !options.from_zero
      && old->units == options.units)
    return FALSE;
  *old = options;
  return TRUE;
}

/* Options, or what they are shown of. */
static void
changed (TsrMemoryChart *self)
{
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

TsrMemoryChart *
tsr_memory_chart_new (TsrMemory *memory,
                      TsrTileSelection *selection,
                      const TsrMemoryChartOptions *options)
{
  TsrMemoryChart *self;

  g_return_val_if_fail (memory != NULL, NULL);
  g_return_val_if_fail (selection == NULL || TSR_IS_TILE_SELECTION (selection), NULL);

  self = chart_new (memory, selection);
  if (options != NULL)
    take_options (self, *options);
  derive (self);
  return self;
}

void
tsr_memory_chart_set_options (TsrMemoryChart *self, const TsrMemoryChartOptions *options)
{
  g_return_if_fail (TSR_IS_MEMORY_CHART (self));
  g_return_if_fail (options != NULL);

  if (!take_options (self, *options))
    return;
  changed (self);
}

void
tsr_memory_chart_set_peaks (TsrMemoryChart *self, gint64 *peaks)
{
  TsrMemoryChartOptions options;

  g_return_if_fail (TSR_IS_MEMORY_CHART (self));
  g_free (self->peaks);
  self->peaks = peaks;
  if (self->options.breakdown != TSR_BREAKDOWN_PEAK)
    return;
  /* The series are copies of what was there before. */
  options = self->options;
  if (peaks == NULL)
    tsr_memory_chart_set_options (self, &options);
  else
    changed (self);
}

void
tsr_memory_chart_set_step (TsrMemoryChart *self, guint step, const gint64 *not_always_live)
{
  g_return_if_fail (TSR_IS_MEMORY_CHART (self));

  if (not_always_live == NULL || self->at.bytes == NULL
          ? not_always_live == self->at.bytes
          : self->at.step == step
                && memcmp (not_always_live, self->at.bytes, self->n * sizeof (gint64)) == 0)
    return;
  /* Series point at these bytes: they go only with them. */
  g_clear_pointer (&self->series, g_ptr_array_unref);
  g_clear_pointer (&self->at.bytes, g_free);
  self->at.step = step;
  if (not_always_live != NULL)
    self->at.bytes = g_memdup2 (not_always_live, MAX (self->n, 1) * sizeof (gint64));
  changed (self);
}

guint
tsr_memory_chart_get_step (TsrMemoryChart *self)
{
  g_return_val_if_fail (TSR_IS_MEMORY_CHART (self), TSR_NO_INDEX);
  return self->at.bytes != NULL ? self->at.step : TSR_NO_INDEX;
}

void
tsr_memory_chart_get_options (TsrMemoryChart *self, TsrMemoryChartOptions *options)
{
  g_return_if_fail (TSR_IS_MEMORY_CHART (self));
  *options = self->options;
}

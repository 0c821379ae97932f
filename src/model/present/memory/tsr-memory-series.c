/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stacks whose top is excluding gaps exactly: what is missing to it is a band with a name (shared
 * by several variables, packing loss), never a hole. */

#include "config.h"

#include "tsr-memory-series.h"

#include <glib/gi18n-lib.h>

static void
tsr_memory_series_free (TsrMemorySeries *series)
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

gboolean
tsr_memory_is_known (TsrMemory *memory, TsrMetric metric)
{
  return any_known (tsr_memory_peek (memory, metric), tsr_memory_get_n_tiles (memory));
}

TsrMetric
tsr_memory_get_base_metric (TsrMemory *memory)
{
  static const TsrMetric wanted[]
      = { TSR_METRIC_EXCLUDING_GAPS, TSR_METRIC_TOTAL, TSR_METRIC_INCLUDING_GAPS };

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (tsr_memory_is_known (memory, wanted[i]))
      return wanted[i];
  return TSR_METRIC_TOTAL;
}

const char *
tsr_memory_get_base_name (TsrMemory *memory)
{
  switch (tsr_memory_get_base_metric (memory))
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
  TsrMetric metric = tsr_memory_get_base_metric (memory);

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
       told ? tsr_memory_get_category_label (memory, entry->category) : _ ("No category told"),
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
      g_autofree char *name
          = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Other (%u category)",
                                          "Other (%u categories)", ranked->len - n_own),
                             ranked->len - n_own);

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
  TsrMetric metric = tsr_memory_get_base_metric (memory);
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
    add (list, TSR_SERIES_LINE, get_base_key (memory), tsr_memory_get_base_name (memory),
         TSR_INK_GAPS, tsr_memory_peek (memory, metric), NULL);
  if (options->show_max && capacity != TSR_UNKNOWN)
    add (list, TSR_SERIES_LEVEL, "maxMemory", _ ("Max memory"), TSR_INK_CAPACITY, NULL, NULL);
  if (any)
    add (list, TSR_SERIES_EXCESS, "need", _ ("Does not fit"), TSR_INK_OVERFLOW, NULL, need);
  else
    g_free (need);
}

GPtrArray *
tsr_memory_series_list (TsrMemory *memory,
                        const TsrMemoryChartOptions *options,
                        const gint64 *peaks,
                        const TsrMemoryStep *at)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_memory_series_free);
  TsrMetric metric = tsr_memory_get_base_metric (memory);

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
    add (list, TSR_SERIES_BAND, get_base_key (memory), tsr_memory_get_base_name (memory),
         TSR_INK_TOTAL, tsr_memory_peek (memory, metric), NULL);
  if (options->include_gaps && metric != TSR_METRIC_INCLUDING_GAPS
      && tsr_memory_is_known (memory, TSR_METRIC_INCLUDING_GAPS))
    add (list, TSR_SERIES_LINE, "includingGaps", _ ("Tile memory including gaps"), TSR_INK_GAPS,
         tsr_memory_peek (memory, TSR_METRIC_INCLUDING_GAPS), NULL);
  add_level_and_excess (list, memory, options->show_max);
  return list;
}

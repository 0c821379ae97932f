/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Total Memory graph in words: what a tile's callout and the caption say, the rows of its CSV,
 * what is missing for a breakdown or an order, and the nicks of both. */

#include "config.h"

#include "tsr-memory-chart-private.h"

#include "tsr-json-writer.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Of a tile's memory: in a stack of many, what is less is told in one line. */
#define SMALL 0.0005

/* ------------------------------------------------------------------ words */

static const char *const breakdown_nicks[] = { "none", "region", "category", "liveness" };
static const char *const order_nicks[] = { "software", "physical", "bytes" };

const char *
tsr_breakdown_get_nick (TsrBreakdown breakdown)
{
  return breakdown_nicks[CLAMP (breakdown, 0, G_N_ELEMENTS (breakdown_nicks) - 1)];
}

gboolean
tsr_breakdown_parse (const char *nick, TsrBreakdown *breakdown)
{
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

char *
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
  if (n_bands > 1 && tsr_memory_is_known (self->memory, tsr_memory_get_base_metric (self->memory)))
    append_value (self, out, tsr_memory_get_base_name (self->memory),
                  tsr_memory_peek (self->memory, tsr_memory_get_base_metric (self->memory))[datum],
                  TRUE);
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

char *
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

void
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
        g_ptr_array_add (fields, g_strdup_printf (_ ("%s (bytes)"), series->name));
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
                   _ ("The report does not tell memory by region (table memory_by_tile_region)"),
                   why);
    case TSR_BREAKDOWN_CATEGORY:
      return tell (tsr_memory_has_categories (self->memory),
                   _ ("The report does not tell memory by category for each tile (table "
                      "memory_by_tile_category)"),
                   why);
    case TSR_BREAKDOWN_LIVENESS:
      return tell (tsr_memory_is_known (self->memory, TSR_METRIC_ALWAYS_LIVE)
                       && tsr_memory_is_known (self->memory, TSR_METRIC_NOT_ALWAYS_LIVE),
                   _ ("The report does not tell what is always live on each tile (columns "
                      "always_live and not_always_live of table memory_by_tile)"),
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
               _ ("The report does not tell memory including gaps (column including_gaps of table "
                  "memory_by_tile)"),
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
                   : _ ("The report does not tell the memory of each tile"),
               why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Layout, pointer and export of the chart of cycles by tile. */

#include "config.h"

#include "tsr-tile-cycles-chart.h"

#include "tsr-chart-frame.h"
#include "tsr-chart-marks.h"
#include "tsr-json-writer.h"
#include "tsr-step-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MIN_SPAN 8 /* tiles */

typedef struct
{
  const char *key; /* static */
  char *name;
  guint ink;
  gint64 *values; /* by tile */
  gboolean idle, visible;
} Series;

struct _TsrTileCyclesChart
{
  TsrChartModel parent_instance;

  guint n;
  char *caption;
  TsrTileCyclesOrder order;
  gboolean bytes; /* values are, in @units */
  TsrUnits units;
  TsrTileSelection *selection; /* (nullable) */
  guint first;                 /* tile of the replica that is tile 0 */
  Series series[TSR_TILE_CYCLES_MAX_SERIES];
  guint n_series;

  /* Derived: of the visible series. */
  TsrStepBand bands[TSR_TILE_CYCLES_MAX_SERIES];
  guint n_bands;
  guint *tiles, *position; /* (nullable): tile at each position and back */
  TsrStepStack *stack;     /* (nullable) without bands */
  gint64 *top;
  TsrPyramid *pyramid;
  double y_to;
};

G_DEFINE_FINAL_TYPE (TsrTileCyclesChart, tsr_tile_cycles_chart, TSR_TYPE_CHART_MODEL)

static guint
get_tile (TsrTileCyclesChart *self, guint position)
{
  return self->tiles != NULL ? self->tiles[position] : position;
}

static guint
get_position (TsrTileCyclesChart *self, guint tile)
{
  return self->position != NULL && tile < self->n ? self->position[tile] : tile;
}

/* Derived */

static int
compare_tiles (gconstpointer pa, gconstpointer pb, gpointer data)
{
  const gint64 *sums = data;
  guint a = *(const guint *)pa;
  guint b = *(const guint *)pb;

  if (sums[a] != sums[b])
    return sums[a] > sums[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void
sort_tiles (TsrTileCyclesChart *self)
{
  g_autofree gint64 *sums = g_new0 (gint64, self->n + 1);
  gboolean any_busy = FALSE;

  for (guint i = 0; i < self->n_series; i++)
    any_busy = any_busy || (self->series[i].visible && !self->series[i].idle);
  g_clear_pointer (&self->tiles, g_free);
  g_clear_pointer (&self->position, g_free);
  if (self->order == TSR_TILE_CYCLES_BY_TILE)
    return;
  self->tiles = g_new (guint, self->n + 1);
  self->position = g_new (guint, self->n + 1);
  for (guint tile = 0; tile < self->n; tile++)
    {
      self->tiles[tile] = tile;
      for (guint i = 0; i < self->n_series; i++)
        if (self->series[i].visible && (!any_busy || !self->series[i].idle))
          sums[tile] = tsr_add_saturating (sums[tile], self->series[i].values[tile], NULL);
    }
  g_qsort_with_data (self->tiles, (gint)self->n, sizeof (guint), compare_tiles, sums);
  for (guint p = 0; p < self->n; p++)
    self->position[self->tiles[p]] = p;
}

static void
derive (TsrTileCyclesChart *self)
{
  gint64 most = 0;

  self->n_bands = 0;
  for (guint i = 0; i < self->n_series; i++)
    if (self->series[i].visible)
      self->bands[self->n_bands++] = (TsrStepBand){ self->series[i].ink, i };
  sort_tiles (self);
  g_clear_pointer (&self->pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->stack, tsr_step_stack_free);
  g_free (self->top);
  if (self->n_bands > 0 && self->n > 0)
    self->stack = tsr_step_stack_new (self->n, self->n_bands);
  for (guint b = 0; self->stack != NULL && b < self->n_bands; b++)
    tsr_step_stack_add (self->stack, self->series[self->bands[b].series].values, self->tiles);
  self->top = g_new0 (gint64, self->n + 1);
  for (guint p = 0; p < self->n; p++)
    {
      for (guint b = 0; b < self->n_bands; b++)
        {
          const Series *series = &self->series[self->bands[b].series];

          self->top[p]
              = tsr_add_saturating (self->top[p], series->values[get_tile (self, p)], NULL);
        }
      most = MAX (most, self->top[p]);
    }
  self->pyramid = tsr_pyramid_new (self->top, self->n);
  self->y_to = MAX ((double)most * TSR_CHART_HEADROOM, 1);
}

static void
get_data (TsrTileCyclesChart *self, TsrStepData *data)
{
  *data = (TsrStepData){
    .n = self->n,
    .order = self->tiles,
    .n_bands = self->n_bands,
    .bands = self->bands,
    .stack = self->stack,
    .top = self->top,
    .top_pyramid = self->pyramid,
    .limit = TSR_UNKNOWN,
  };
}

/* Chart model */

static void
tile_cycles_chart_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (model);

  *from = 0;
  *to = MAX (self->n, 1);
  *min_span = MIN (*to, MIN_SPAN);
}

static void
tile_cycles_chart_layout (TsrChartModel *model,
                          const TsrChartGeometry *geometry,
                          TsrDrawList *list,
                          TsrPlotArea *area)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (model);
  TsrChartFrame frame
      = { .counts = !self->bytes, .units = self->units, .y_to = self->y_to, .level = TSR_UNKNOWN };
  TsrStepData data;

  frame.level_series = TSR_NO_DATUM;
  frame.x_title = self->order == TSR_TILE_CYCLES_BY_TILE ? _ ("Tile") : _ ("Place");
  frame.x_names = self->order == TSR_TILE_CYCLES_BY_TILE;
  get_data (self, &data);
  tsr_chart_frame_layout_back (&frame, model, geometry, list, area);
  if (self->n > 0 && self->n_bands > 0)
    tsr_step_layout (&data, geometry, area, list);
  tsr_chart_frame_layout_front (&frame, geometry, area, list);
}

/* Selected tiles that are of this IPU, by their number in it. */
static GArray *
dup_selected (TsrTileCyclesChart *self)
{
  GArray *own = g_array_new (FALSE, FALSE, sizeof (guint));
  const guint *tiles = NULL;
  guint n = 0;

  if (self->selection != NULL)
    tiles = tsr_tile_selection_peek (self->selection, &n);
  for (guint i = 0; i < n; i++)
    if (tiles[i] >= self->first && tiles[i] - self->first < self->n)
      {
        guint tile = tiles[i] - self->first;

        g_array_append_val (own, tile);
      }
  return own;
}

static void
tile_cycles_chart_layout_overlay (TsrChartModel *model,
                                  const TsrChartGeometry *geometry,
                                  const TsrPlotArea *area,
                                  guint32 hover,
                                  guint32 cursor,
                                  TsrDrawList *list)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (model);
  g_autoptr (GArray) selected = dup_selected (self);

  if (area->width <= 0 || !(geometry->to > geometry->from))
    return;
  tsr_chart_marks_selection (geometry, area, (const guint *)(gpointer)selected->data, selected->len,
                             self->n, self->position, list);
  if (cursor < self->n)
    tsr_chart_marks_cursor (geometry, area, get_position (self, cursor), cursor, list);
  if (hover < self->n)
    tsr_chart_marks_hover (geometry, area, get_position (self, hover), hover, list);
}

static void
tile_cycles_chart_layout_overview (TsrChartModel *model,
                                   const TsrChartGeometry *geometry,
                                   TsrDrawList *list)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (model);
  TsrStepData data;

  get_data (self, &data);
  if (self->n > 0 && self->n_bands > 0)
    tsr_step_layout_overview (&data, geometry, list);
}

static guint32
tile_cycles_chart_datum_at (TsrChartModel *model, double x)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (model);

  return x >= 0 && x < self->n ? get_tile (self, (guint)x) : TSR_NO_DATUM;
}

static guint32
tile_cycles_chart_datum_near (TsrChartModel *model, double from, double to)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (model);
  TsrStepData data;
  guint position;

  get_data (self, &data);
  position = self->n_bands > 0 ? tsr_step_layout_position_at (&data, from, to) : TSR_NO_INDEX;
  return position < self->n ? get_tile (self, position)
                            : tile_cycles_chart_datum_at (model, floor ((from + to) / 2));
}

static double
tile_cycles_chart_position_of (TsrChartModel *model, guint32 datum)
{
  return get_position (TSR_TILE_CYCLES_CHART (model), datum);
}

static char *
tile_cycles_chart_describe (TsrChartModel *model, guint32 datum)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (model);
  GString *out;

  if (datum >= self->n)
    return NULL;
  out = g_string_new (NULL);
  g_string_append_printf (out, _ ("Tile %u"), datum);
  for (guint i = 0; i < self->n_series; i++)
    {
      gint64 value = self->series[i].values[datum];
      g_autofree char *text
          = self->bytes ? tsr_units_dup_bytes_exact (value) : tsr_units_dup_count (value);

      if (self->series[i].visible)
        {
          g_string_append_c (out, '\n');
          g_string_append_printf (out, self->bytes ? "%s: %s" : _ ("%s: %s cycles"),
                                  self->series[i].name, text);
        }
    }
  return g_string_free (out, FALSE);
}

static char *
tile_cycles_chart_dup_caption (TsrChartModel *model)
{
  return g_strdup (TSR_TILE_CYCLES_CHART (model)->caption);
}

static guint
tile_cycles_chart_get_n_series (TsrChartModel *model)
{
  return TSR_TILE_CYCLES_CHART (model)->n_series;
}

static void
tile_cycles_chart_get_series (TsrChartModel *model, guint i, TsrChartSeries *out)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (model);

  g_return_if_fail (i < self->n_series);
  *out = (TsrChartSeries){
    .key = self->series[i].key,
    .name = self->series[i].name,
    .ink = self->series[i].ink,
    .filled = TRUE,
    .visible = self->series[i].visible,
  };
}

static void
tile_cycles_chart_set_series_visible (TsrChartModel *model, guint i, gboolean visible)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (model);

  g_return_if_fail (i < self->n_series);
  if (!self->series[i].visible == !visible)
    return;
  self->series[i].visible = visible != FALSE;
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

static void
tile_cycles_chart_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (model);
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);
  guint first = (guint)CLAMP (floor (from), 0, (double)self->n);
  guint end = (guint)CLAMP (ceil (to), 0, (double)self->n);

  g_ptr_array_add (fields, g_strdup ("tile"));
  for (guint i = 0; i < self->n_series; i++)
    g_ptr_array_add (fields, g_strdup (self->series[i].key));
  tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
  for (guint position = first; position < end; position++)
    {
      guint tile = get_tile (self, position);

      g_ptr_array_set_size (fields, 0);
      g_ptr_array_add (fields, g_strdup_printf ("%u", tile));
      for (guint i = 0; i < self->n_series; i++)
        g_ptr_array_add (fields,
                         g_strdup_printf ("%" G_GINT64_FORMAT, self->series[i].values[tile]));
      tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
    }
}

static TsrChartModel *
tile_cycles_chart_dup (TsrChartModel *model)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (model);
  TsrTileCyclesChart *copy = tsr_tile_cycles_chart_new (self->n, self->caption);

  copy->order = self->order;
  copy->bytes = self->bytes;
  copy->units = self->units;
  for (guint i = 0; i < self->n_series; i++)
    tsr_tile_cycles_chart_add_series (copy, self->series[i].key, self->series[i].name,
                                      self->series[i].ink, self->series[i].values,
                                      self->series[i].idle, self->series[i].visible);
  if (self->selection != NULL)
    {
      g_autoptr (TsrTileSelection) selection = tsr_tile_selection_new ();
      guint n;
      const guint *tiles = tsr_tile_selection_peek (self->selection, &n);

      tsr_tile_selection_set (selection, tiles, n);
      tsr_tile_cycles_chart_set_selection (copy, selection, self->first);
    }
  return TSR_CHART_MODEL (copy);
}

/* Object */

static void
tsr_tile_cycles_chart_finalize (GObject *object)
{
  TsrTileCyclesChart *self = TSR_TILE_CYCLES_CHART (object);

  for (guint i = 0; i < self->n_series; i++)
    {
      g_free (self->series[i].name);
      g_free (self->series[i].values);
    }
  g_clear_pointer (&self->pyramid, tsr_pyramid_free);
  g_free (self->tiles);
  g_free (self->position);
  g_clear_pointer (&self->stack, tsr_step_stack_free);
  g_free (self->top);
  g_free (self->caption);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tsr_tile_cycles_chart_parent_class)->finalize (object);
}

static void
tsr_tile_cycles_chart_class_init (TsrTileCyclesChartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  object_class->finalize = tsr_tile_cycles_chart_finalize;
  model_class->get_domain = tile_cycles_chart_get_domain;
  model_class->layout = tile_cycles_chart_layout;
  model_class->layout_overlay = tile_cycles_chart_layout_overlay;
  model_class->layout_overview = tile_cycles_chart_layout_overview;
  model_class->datum_at = tile_cycles_chart_datum_at;
  model_class->datum_near = tile_cycles_chart_datum_near;
  model_class->position_of = tile_cycles_chart_position_of;
  model_class->describe = tile_cycles_chart_describe;
  model_class->dup_caption = tile_cycles_chart_dup_caption;
  model_class->get_n_series = tile_cycles_chart_get_n_series;
  model_class->get_series = tile_cycles_chart_get_series;
  model_class->set_series_visible = tile_cycles_chart_set_series_visible;
  model_class->write_csv = tile_cycles_chart_write_csv;
  model_class->dup = tile_cycles_chart_dup;
}

static void
tsr_tile_cycles_chart_init (TsrTileCyclesChart *self)
{
  self->y_to = 1;
}

TsrTileCyclesChart *
tsr_tile_cycles_chart_new (guint n, const char *caption)
{
  TsrTileCyclesChart *self;

  g_return_val_if_fail (caption != NULL, NULL);
  self = g_object_new (TSR_TYPE_TILE_CYCLES_CHART, NULL);
  self->n = n;
  self->caption = g_strdup (caption);
  derive (self);
  return self;
}

void
tsr_tile_cycles_chart_add_series (TsrTileCyclesChart *self,
                                  const char *key,
                                  const char *name,
                                  guint ink,
                                  const gint64 *values,
                                  gboolean idle,
                                  gboolean visible)
{
  Series *series;

  g_return_if_fail (TSR_IS_TILE_CYCLES_CHART (self) && self->n_series < TSR_TILE_CYCLES_MAX_SERIES
                    && key != NULL && name != NULL && values != NULL);
  series = &self->series[self->n_series++];
  *series = (Series){ key, g_strdup (name), ink, g_new0 (gint64, self->n + 1), idle, visible };
  for (guint i = 0; i < self->n; i++)
    series->values[i] = MAX (values[i], 0);
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

void
tsr_tile_cycles_chart_set_selection (TsrTileCyclesChart *self,
                                     TsrTileSelection *selection,
                                     guint first)
{
  g_return_if_fail (TSR_IS_TILE_CYCLES_CHART (self) && self->selection == NULL);
  self->selection = g_object_ref (selection);
  self->first = first;
  g_signal_connect_object (selection, "changed", G_CALLBACK (tsr_chart_model_emit_overlay_changed),
                           self, G_CONNECT_SWAPPED);
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

void
tsr_tile_cycles_chart_set_order (TsrTileCyclesChart *self, TsrTileCyclesOrder order)
{
  g_return_if_fail (TSR_IS_TILE_CYCLES_CHART (self));
  if (order == self->order)
    return;
  self->order = order;
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

void
tsr_tile_cycles_chart_set_bytes (TsrTileCyclesChart *self, TsrUnits units)
{
  g_return_if_fail (TSR_IS_TILE_CYCLES_CHART (self));
  self->bytes = TRUE;
  self->units = units;
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The liveness graph laid out: frame, areas, lines over them, and the structure of the program
 * below. */

#include "config.h"

#include "tsr-liveness-chart-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define STRIP_GAP    4.0  /* between the x axis and the structure */
#define STRIP_HEIGHT 20.0 /* of a band */
#define STRIP_FOOT   30.0 /* taken away from the plot */
#define VEIL         0.65 /* over steps that do not pass the filter */
#define LANE         4.0  /* pixels at the plot's foot that say when a variable is live */

static void
get_step_data (TsrLivenessChart *self, TsrStepBand *band, TsrStepData *data)
{
  guint index;

  *data = (TsrStepData){ .n = self->n, .limit = TSR_UNKNOWN, .line_series = TSR_NO_DATUM };
  if (self->series == NULL
      || tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_NOT_ALWAYS, &index) == NULL)
    return;
  *band = (TsrStepBand){ TSR_INK_NOT_ALWAYS_LIVE, index };
  data->n_bands = 1;
  data->bands = band;
  data->top = self->series->not_always_live;
  data->top_pyramid = self->pyramid;
  data->outlined = TRUE;
  data->tint = TSR_INK_NOT_ALWAYS_LIVE_TINT;
  data->spread = TSR_INK_NOT_ALWAYS_LIVE_SPREAD;
  if (self->excess != NULL
      && tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_EXCESS, &data->excess_series) != NULL)
    {
      data->limit = tsr_liveness_chart_get_room (self);
      data->excess = self->excess;
      data->excess_pyramid = self->excess_pyramid;
    }
}

static void
get_frame (TsrLivenessChart *self, const TsrChartGeometry *geometry, TsrChartFrame *frame)
{
  *frame = (TsrChartFrame){ .units = self->options.units,
                            .y_from = self->y_from,
                            .y_to = self->y_to,
                            .level = TSR_UNKNOWN,
                            .x_title = _ ("Step") };
  if (tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_MAX, &frame->level_series) != NULL)
    frame->level = self->level;
  if (self->structure != NULL && geometry->height > 4 * STRIP_FOOT)
    frame->foot = STRIP_FOOT;
}

static void
ensure_structure (TsrLivenessChart *self)
{
  if (self->options.structure && self->structure == NULL && self->series != NULL && self->n > 0)
    self->structure = tsr_step_structure_new (self->liveness);
  if (self->structure != NULL
      && (!self->options.structure || tsr_step_structure_get_n_bands (self->structure) == 0))
    g_clear_pointer (&self->structure, tsr_step_structure_unref);
}

/* Always-live bytes over the foot of the areas; what of them is beyond the capacity is hatched. */
static void
layout_always (TsrLivenessChart *self,
               const TsrChartGeometry *geometry,
               const TsrPlotArea *area,
               TsrDrawList *list)
{
  double foot = area->y + area->height;
  double top = tsr_plot_area_get_y (area, self->base, geometry->scale);
  double right
      = area->x
        + CLAMP ((self->n - geometry->from) / (geometry->to - geometry->from), 0, 1) * area->width;
  double width = tsr_snap (right, geometry->scale) - area->x;
  double line = MAX (floor (1.5 * geometry->scale), 1) / geometry->scale;
  guint series;
  TsrDrawItem *item;

  if (tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_ALWAYS, &series) == NULL || top >= foot
      || width <= 0)
    return;
  item = tsr_draw_list_rect (list, TSR_INK_ALWAYS_LIVE_TINT, area->x, top, width, foot - top);
  item->series = series;
  if (self->level != TSR_UNKNOWN && self->level < self->base)
    {
      double level = tsr_plot_area_get_y (area, self->level, geometry->scale);

      tsr_draw_list_rect (list, TSR_INK_OVERFLOW_TINT, area->x, top, width, level - top);
      tsr_draw_list_hatch (list, TSR_INK_OVERFLOW, area->x, top, width, level - top)->line_width
          = 2;
    }
  item
      = tsr_draw_list_rect (list, TSR_INK_ALWAYS_LIVE, area->x, top, width, MIN (line, foot - top));
  item->series = series;
}

static void
layout_areas (TsrLivenessChart *self,
              const TsrChartGeometry *geometry,
              const TsrPlotArea *area,
              guint32 *shown,
              TsrDrawList *list)
{
  TsrPlotArea moved = *area;
  TsrStepBand band;
  TsrStepData data;

  moved.y_from -= self->base;
  moved.y_to -= self->base;
  get_step_data (self, &band, &data);
  data.shown = shown;
  tsr_step_layout (&data, geometry, &moved, list);
  data.shown = NULL;
  if (self->matched != NULL)
    {
      tsr_draw_list_rect (list, TSR_INK_BACKGROUND, area->x, area->y, area->width, area->height)
          ->alpha
          = VEIL;
      data.top = self->matched;
      data.top_pyramid = data.n_bands > 0 ? self->matched_pyramid : NULL;
      data.excess_pyramid = data.excess != NULL ? self->matched_excess_pyramid : NULL;
      data.excess = self->matched_excess;
      data.tint = data.spread; /* stands out from what is faded, however narrow it is */
      tsr_step_layout (&data, geometry, &moved, list);
    }
  layout_always (self, geometry, area, list);
}

static gint64
tiles_value (gpointer data, guint first, guint end)
{
  TsrLivenessChart *self = data;
  guint best = tsr_pyramid_get_argmax (self->tiles_pyramid, first, end);

  return best != TSR_NO_INDEX ? tsr_liveness_chart_get_tiles (self, best) : TSR_UNKNOWN;
}

typedef struct
{
  const TsrLifetimeLine *line;
  gint64 foot; /* of the axis: a variable stands on it */
} Overlay;

static gint64
lifetime_value (gpointer data, guint first, guint end)
{
  const Overlay *overlay = data;
  gint64 bytes = tsr_lifetime_line_get_largest (overlay->line, first, end);

  return bytes != TSR_UNKNOWN && bytes > 0 ? tsr_add_saturating (overlay->foot, bytes, NULL)
                                           : TSR_UNKNOWN;
}

/* A variable may be too small for the axis: when it is live is told at the plot's foot as well. */
static void
layout_lane (TsrLivenessChart *self,
             const TsrLivenessEntry *entry,
             const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             guint row,
             TsrDrawList *list)
{
  const TsrLivenessLifetime *lifetime = g_ptr_array_index (self->lifetimes, entry->lifetime);
  double y = tsr_snap (area->y + area->height - (row + 1) * (LANE + 1), geometry->scale);
  double per;
  guint n = tsr_step_count_columns (geometry, area, &per);
  g_autofree guint8 *inks = g_malloc (MAX (n, 1));

  if (y < area->y)
    return;
  for (guint c = 0; c < n; c++)
    {
      guint first;
      guint end;

      tsr_step_get_positions (geometry->from + c * per, geometry->from + (c + 1) * per, self->n,
                              &first, &end);
      inks[c] = first < end && tsr_lifetime_line_is_live (lifetime->line, first, end)
                    ? entry->ink
                    : TSR_RASTER_CLEAR;
    }
  tsr_step_row_layout (inks, n, geometry->scale, area->x, y, LANE, list);
}

static void
layout_lines (TsrLivenessChart *self,
              const TsrChartGeometry *geometry,
              const TsrPlotArea *area,
              TsrDrawList *list)
{
  guint lane = 0;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

      if (!entry->visible)
        continue;
      if (entry->kind == TSR_LIVENESS_SERIES_TILES)
        tsr_step_line_layout (tiles_value, self, MIN (self->n, self->tiles->n_steps), FALSE,
                              geometry, area, entry->ink, i, list);
      else if (entry->kind == TSR_LIVENESS_SERIES_VARIABLE)
        {
          const TsrLivenessLifetime *lifetime
              = g_ptr_array_index (self->lifetimes, entry->lifetime);
          Overlay overlay = { lifetime->line, self->y_from };

          tsr_step_line_layout (lifetime_value, &overlay, self->n, TRUE, geometry, area, entry->ink,
                                i, list);
          layout_lane (self, entry, geometry, area, lane++, list);
        }
    }
}

/* Why there is nothing to see, in the middle of the plot. */
static void
layout_empty (const TsrChartGeometry *geometry,
              const TsrPlotArea *area,
              const char *text,
              TsrDrawList *list)
{
  double width;
  TsrDrawItem *item;

  geometry->measure.measure (geometry->measure.data, text, TSR_FONT_SIZE, FALSE, &width, NULL);
  item = tsr_draw_list_label (
      list, TSR_INK_DIM_TEXT, width <= area->width ? area->x + area->width / 2 : area->x,
      area->y + area->height / 2, width <= area->width ? 0.5 : 0, 0.5, text);
  if (width > area->width)
    item->width = MAX (area->width, 1);
}

void
tsr_liveness_chart_layout (TsrChartModel *model,
                           const TsrChartGeometry *geometry,
                           TsrDrawList *list,
                           TsrPlotArea *area)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  g_autofree guint32 *shown = NULL;
  TsrChartFrame frame;
  gint64 least;
  gint64 most;

  ensure_structure (self);
  get_frame (self, geometry, &frame);
  tsr_chart_frame_layout_back (&frame, model, geometry, list, area);
  if (area->width <= 0 || !(geometry->to > geometry->from))
    return;
  if (self->series != NULL && self->n > 0)
    {
      double per;
      guint n = tsr_step_count_columns (geometry, area, &per);

      shown = g_new (guint32, MAX (n, 1));
      for (guint c = 0; c < n; c++)
        shown[c] = TSR_NO_INDEX;
      layout_areas (self, geometry, area, shown, list);
      layout_lines (self, geometry, area, list);
    }
  tsr_chart_frame_layout_front (&frame, geometry, area, list);
  if (frame.foot > 0)
    tsr_step_structure_layout (
        self->structure, shown, geometry, area,
        tsr_snap (geometry->height - STRIP_FOOT + STRIP_GAP, geometry->scale), STRIP_HEIGHT, list);
  if (self->series == NULL)
    return;
  if (self->n == 0)
    layout_empty (geometry, area, _ ("The report has no liveness steps"), list);
  else if (!tsr_pyramid_get_range (self->pyramid, 0, self->n, &least, &most))
    layout_empty (geometry, area, _ ("The report does not tell how much is live at any step"),
                  list);
}

void
tsr_liveness_chart_layout_overview (TsrChartModel *model,
                                    const TsrChartGeometry *geometry,
                                    TsrDrawList *list)
{
  TsrStepBand band;
  TsrStepData data;

  get_step_data (TSR_LIVENESS_CHART (model), &band, &data);
  tsr_step_layout_overview (&data, geometry, list);
}

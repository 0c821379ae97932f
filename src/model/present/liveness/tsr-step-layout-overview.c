/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All data of a tsr-step-layout as a silhouette: what a mini-map shows. */

#include "config.h"

#include "tsr-step-layout-private.h"

void
tsr_step_layout_overview (const TsrStepData *self,
                          const TsrChartGeometry *geometry,
                          TsrDrawList *list)
{
  TsrDrawRaster *raster;
  TsrRasterLayer *layer;
  guint16 *from;
  guint16 *to;
  TsrPlotArea area = { 0, 0, geometry->width, geometry->height, 0, 1 };
  const TsrPyramid *pyramid = self->top_pyramid != NULL ? self->top_pyramid : self->line_pyramid;
  const gint64 *values = self->top_pyramid != NULL ? self->top : self->line;
  gint64 least;
  gint64 largest;
  double per;

  if (geometry->width < 1 || geometry->height < 1 || self->n == 0 || pyramid == NULL
      || !tsr_pyramid_get_range (pyramid, 0, self->n, &least, &largest))
    return;
  area.y_to = MAX (largest, 1);
  raster = tsr_draw_list_columns (list, 0, 0, geometry->width, geometry->height, geometry->scale);
  layer = tsr_draw_raster_add_layer (raster, TSR_LAYER_PLAIN, TSR_INK_OVERVIEW, 0);
  from = layer->from;
  to = layer->to;
  layer = tsr_draw_raster_add_layer (raster, TSR_LAYER_PLAIN, TSR_INK_OVERFLOW, 0);
  per = (double)self->n / MAX (raster->width, 1);
  for (guint c = 0; c < raster->width; c++)
    {
      guint first;
      guint end;
      guint at;

      tsr_step_layout_get_positions (c * per, (c + 1) * per, self->n, &first, &end);
      at = tsr_pyramid_get_argmax (pyramid, first, end);
      if (at == TSR_NO_INDEX)
        continue;
      from[c] = tsr_step_layout_get_row (values[at], &area, raster->height);
      to[c] = raster->height;
      if (self->excess_pyramid != NULL)
        {
          guint worst = tsr_pyramid_get_argmax (self->excess_pyramid, first, end);

          if (worst != TSR_NO_INDEX && self->excess[worst] > 0)
            {
              layer->from[c] = from[c];
              layer->to[c] = to[c];
            }
        }
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Columns are dealt to positions by tsr_step_layout_get_positions, as those of the areas are, so
 * that a line's riser stands where its area's does.  A lifetime keeps its intervals and a pyramid
 * over their bytes: O(log n) a column, whatever the number of intervals. */

#include "config.h"

#include "tsr-step-lines.h"

#include "tsr-chart-frame.h"
#include "tsr-step-layout.h"

#include <math.h>
#include <string.h>

#define MAX_COLUMNS (1 << 15)
#define MAX_RUNS    120 /* rectangles of a row; more become a raster */
#define LINE_WIDTH  2.0

guint
tsr_step_lines_count_columns (const TsrChartGeometry *geometry,
                              const TsrPlotArea *area,
                              double *per_column)
{
  guint n = (guint)CLAMP (floor (area->width * geometry->scale + 0.5), 0, MAX_COLUMNS);

  *per_column = n > 0 ? (geometry->to - geometry->from) / n : 0;
  return *per_column > 0 ? n : 0;
}

/* ------------------------------------------------------------------- line */

typedef struct
{
  TsrDrawList *list;
  double x, scale, foot;
  guint ink, series;
  gboolean rises;
  gboolean open; /* a polyline is being drawn */
} Pen;

static void
pen_down (Pen *pen, guint column, double y)
{
  double x = pen->x + column / pen->scale;

  if (!pen->open)
    {
      TsrDrawItem *item = tsr_draw_list_polyline (pen->list, pen->ink);

      item->line_width = LINE_WIDTH;
      item->series = pen->series;
      pen->open = TRUE;
      if (pen->rises)
        tsr_draw_list_point (pen->list, x, pen->foot);
    }
  tsr_draw_list_point (pen->list, x, y);
}

static void
pen_up (Pen *pen, guint column, double y)
{
  double x = pen->x + column / pen->scale;

  if (!pen->open)
    return;
  tsr_draw_list_point (pen->list, x, y);
  if (pen->rises)
    tsr_draw_list_point (pen->list, x, pen->foot);
  pen->open = FALSE;
}

void
tsr_step_lines_layout (TsrStepValueFunc value,
                       gpointer data,
                       guint n,
                       gboolean rises,
                       const TsrChartGeometry *geometry,
                       const TsrPlotArea *area,
                       guint ink,
                       guint series,
                       TsrDrawList *list)
{
  double per;
  guint n_columns = tsr_step_lines_count_columns (geometry, area, &per);
  double half = LINE_WIDTH / 2;
  Pen pen = { .list = list,
              .x = area->x,
              .scale = geometry->scale,
              .foot = area->y + area->height,
              .ink = ink,
              .series = series,
              .rises = rises };
  double before = 0;

  for (guint c = 0; c < n_columns; c++)
    {
      guint first;
      guint end;
      gint64 bytes = TSR_UNKNOWN;
      double y;

      tsr_step_layout_get_positions (geometry->from + c * per, geometry->from + (c + 1) * per, n,
                                     &first, &end);
      if (first < end)
        bytes = value (data, first, end);
      if (bytes == TSR_UNKNOWN)
        {
          pen_up (&pen, c, before);
          continue;
        }
      y = CLAMP (tsr_plot_area_get_y (area, bytes, geometry->scale), area->y + half,
                 area->y + area->height - half);
      if (pen.open && y != before)
        tsr_draw_list_point (list, area->x + c / geometry->scale, before);
      if (!pen.open || y != before)
        pen_down (&pen, c, y);
      before = y;
    }
  pen_up (&pen, n_columns, before);
}

/* -------------------------------------------------------------------- row */

static guint
end_of_run (const guint8 *inks, guint n_columns, guint c)
{
  guint end = c + 1;

  while (end < n_columns && inks[end] == inks[c])
    end++;
  return end;
}

void
tsr_step_lines_layout_row (const guint8 *inks,
                           guint n_columns,
                           double scale,
                           double x,
                           double y,
                           double height,
                           TsrDrawList *list)
{
  guint n_runs = 0;
  TsrDrawRaster *raster;

  for (guint c = 0; c < n_columns; c = end_of_run (inks, n_columns, c))
    n_runs += inks[c] != TSR_RASTER_CLEAR;
  if (n_runs <= MAX_RUNS)
    {
      for (guint c = 0; c < n_columns;)
        {
          guint end = end_of_run (inks, n_columns, c);

          if (inks[c] != TSR_RASTER_CLEAR)
            tsr_draw_list_rect (list, inks[c], x + c / scale, y, (end - c) / scale, height);
          c = end;
        }
      return;
    }
  raster = tsr_draw_list_raster (list, x, y, n_columns / scale, height, scale);
  for (guint row = 0; row < raster->height; row++)
    memcpy (raster->inks + (gsize)row * raster->width, inks, MIN (raster->width, n_columns));
}

/* -------------------------------------------------------------- lifetimes */

TsrLifetimeLine *
tsr_lifetime_line_new (const GArray *lifetimes, guint n_steps)
{
  TsrLifetimeLine *self = g_new0 (TsrLifetimeLine, 1);
  guint n = lifetimes != NULL ? lifetimes->len : 0;
  guint before = 0;

  self->from = g_new (guint32, MAX (n, 1));
  self->to = g_new (guint32, MAX (n, 1));
  self->bytes = g_new (gint64, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      const TsrLifetime *life = &g_array_index (lifetimes, TsrLifetime, i);
      guint to = MIN (life->to, n_steps);

      if (life->from < before || life->from >= to)
        continue;
      self->from[self->n] = life->from;
      self->to[self->n] = to;
      self->bytes[self->n++] = life->bytes;
      self->largest = MAX (self->largest, life->bytes);
      before = to;
    }
  self->pyramid = tsr_pyramid_new (self->bytes, self->n);
  return self;
}

void
tsr_lifetime_line_free (TsrLifetimeLine *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->pyramid, tsr_pyramid_free);
  g_free (self->from);
  g_free (self->to);
  g_free (self->bytes);
  g_free (self);
}

/* Intervals [*a, *b) touch the steps [first, end). */
static void
find_intervals (const TsrLifetimeLine *self, guint first, guint end, guint *a, guint *b)
{
  guint low = 0;
  guint high = self->n;

  while (low < high) /* the first that ends after @first */
    {
      guint middle = low + (high - low) / 2;

      if (self->to[middle] > first)
        high = middle;
      else
        low = middle + 1;
    }
  *a = low;
  high = self->n;
  while (low < high) /* the first that begins at @end or later */
    {
      guint middle = low + (high - low) / 2;

      if (self->from[middle] >= end)
        high = middle;
      else
        low = middle + 1;
    }
  *b = low;
}

gint64
tsr_lifetime_line_get_largest (const TsrLifetimeLine *self, guint first, guint end)
{
  guint a;
  guint b;
  guint best;

  find_intervals (self, first, end, &a, &b);
  if (a >= b)
    return 0;
  best = tsr_pyramid_get_argmax (self->pyramid, a, b);
  return best != TSR_NO_INDEX ? self->bytes[best] : TSR_UNKNOWN;
}

gboolean
tsr_lifetime_line_is_live (const TsrLifetimeLine *self, guint first, guint end)
{
  guint a;
  guint b;

  find_intervals (self, first, end, &a, &b);
  return a < b;
}

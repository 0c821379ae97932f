/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Margins, axes, grid and names.  Lines cover whole device pixels; the grid lies over the data, so
 * that a value can be read off a full stack, too. */

#include "config.h"

#include "tsr-chart-frame.h"

#include <math.h>
#include <string.h>

#define MARGIN       12.0
#define INNER        6.0
#define TICK         4.0
#define TITLE_SIZE   15.0
#define SWATCH_WIDTH 24.0
#define LEGEND_GAP   18.0
#define MIN_SIDE     8.0  /* a plot smaller than this is not drawn */
#define NAME_TICK    12.0 /* beside a group's name that does not stand over its middle */
#define MAX_INSET    0.3  /* of the plot's height */
#define BREAK_GAP    6 /* from the foot of the y axis to a stroke of its break, and to the next */
#define BREAK_WIDTH  7 /* half of a stroke's */
#define BREAK_RISE   3

static double
measure (
    const TsrChartGeometry *geometry, const char *text, double size, gboolean bold, double *height)
{
  double width;

  geometry->measure.measure (geometry->measure.data, text, size, bold, &width, height);
  return width;
}

double
tsr_plot_area_get_y (const TsrPlotArea *area, double value, double scale)
{
  double span = area->y_to - area->y_from;
  double share = span > 0 ? (value - area->y_from) / span : 0;

  return tsr_draw_list_snap (area->y + area->height * (1 - CLAMP (share, 0, 1)), scale);
}

/* ------------------------------------------------------- title and legend */

static void
add_swatch (const TsrChartSeries *series, double x, double y, double height, TsrDrawList *list)
{
  TsrDrawItem *item;
  double middle = floor (y + height / 2);

  if (series->filled && series->ink == TSR_INK_OVERFLOW)
    {
      tsr_draw_list_rect (list, TSR_INK_OVERFLOW_TINT, x, middle - 5, SWATCH_WIDTH, 10);
      tsr_draw_list_hatch (list, series->ink, x, middle - 5, SWATCH_WIDTH, 10)->line_width = 2;
      return;
    }
  if (series->filled)
    {
      tsr_draw_list_rect (list, series->ink, x, middle - 5, SWATCH_WIDTH, 10);
      return;
    }
  item = tsr_draw_list_line (list, series->ink, x, middle, x + SWATCH_WIDTH, middle);
  item->line_width = 2;
  item->dash = series->dashed ? 4 : 0;
}

/* Rows of swatches and names, as wide as the chart; hidden series are left out.  With @list NULL it
 * only measures. (returns) the height. */
static double
layout_legend (TsrChartModel *model,
               const TsrChartGeometry *geometry,
               double top,
               TsrDrawList *list)
{
  guint n = tsr_chart_model_get_n_series (model);
  double right = geometry->width - MARGIN;
  double x = MARGIN;
  double row = 0;
  gboolean any = FALSE;
  double height = 0;

  for (guint i = 0; i < n; i++)
    {
      TsrChartSeries series;
      double width;

      tsr_chart_model_get_series (model, i, &series);
      if (!series.visible)
        continue;
      width = SWATCH_WIDTH + INNER + measure (geometry, series.name, TSR_FONT_SIZE, FALSE, &height);
      if (any && x + width > right)
        {
          x = MARGIN;
          row += ceil (height) + 4;
        }
      if (list != NULL)
        {
          TsrDrawItem *label;
          double room = right - x - SWATCH_WIDTH - INNER;

          add_swatch (&series, x, top + row, height, list);
          label = tsr_draw_list_label (list, TSR_INK_TEXT, x + SWATCH_WIDTH + INNER, top + row, 0,
                                       0, series.name);
          label->series = i;
          if (width - SWATCH_WIDTH - INNER > room)
            label->width = MAX (room, 1);
        }
      x += width + LEGEND_GAP;
      any = TRUE;
    }
  return any ? row + ceil (height) + INNER : 0;
}

/* ----------------------------------------------------------------- groups */

/* A boundary, up to @above over the plot. */
static void
add_boundary (const TsrChartFrame *self,
              const TsrChartGeometry *geometry,
              const TsrPlotArea *area,
              guint group,
              double above,
              TsrDrawList *list)
{
  double per = area->width / (geometry->to - geometry->from);
  double at = self->groups[group].from;
  double x = tsr_draw_list_snap (area->x + (at - geometry->from) * per, geometry->scale);

  if (group > 0 && at > geometry->from && at < geometry->to)
    tsr_draw_list_rect (list, TSR_INK_BOUNDARY, x, area->y - above, 1 / geometry->scale,
                        area->height + above)
        ->alpha
        = 0.6;
}

/* Names centred over what is visible of their group; where they have no room, every second, fourth
 * ... name at its group's beginning, beside the boundary, which reaches up to it. */
static void
layout_groups (const TsrChartFrame *self,
               const TsrChartGeometry *geometry,
               const TsrPlotArea *area,
               TsrDrawList *list)
{
  double per = area->width / (geometry->to - geometry->from);
  double widest = 0;
  double narrowest = G_MAXDOUBLE;
  double right = -G_MAXDOUBLE;
  guint every = 1;
  g_autofree double *widths = g_new0 (double, MAX (self->n_groups, 1));

  for (guint i = 0; i < self->n_groups; i++)
    {
      const TsrChartGroup *group = &self->groups[i];

      if (group->to <= geometry->from || group->from >= geometry->to)
        continue;
      widths[i] = measure (geometry, group->name, TSR_AXIS_FONT_SIZE, FALSE, NULL);
      widest = MAX (widest, widths[i] + MARGIN);
      narrowest = MIN (narrowest, (group->to - group->from) * per);
    }
  while (narrowest * every < widest && every < self->n_groups)
    every *= 2;

  for (guint i = 0; i < self->n_groups; i++)
    {
      const TsrChartGroup *group = &self->groups[i];
      double x0 = area->x + (MAX (group->from, geometry->from) - geometry->from) * per;
      double x1 = area->x + (MIN (group->to, geometry->to) - geometry->from) * per;
      double width = widths[i];
      /* A sliver of a group at the edge keeps its name inside the chart. */
      double x = CLAMP (every == 1 ? (x0 + x1 - width) / 2 : x0 + 4, area->x,
                        MAX (area->x + area->width - width, area->x));
      gboolean named = i % every == 0 && x >= right && width <= area->width;

      if (group->to <= geometry->from || group->from >= geometry->to)
        continue;
      add_boundary (self, geometry, area, i, named && every > 1 ? NAME_TICK : 0, list);
      if (!named)
        continue;
      tsr_draw_list_label (list, TSR_INK_DIM_TEXT, x, area->y - 3, 0, 1, group->name)->font_size
          = TSR_AXIS_FONT_SIZE;
      right = x + width + INNER;
    }
}

/* ------------------------------------------------------------------- axes */

static TsrAxis *
new_axis (const TsrChartFrame *self,
          const TsrChartGeometry *geometry,
          double from,
          double to,
          double pixels)
{
  if (self->counts)
    return tsr_axis_new_counts_between (from, to, pixels, &geometry->measure, TSR_AXIS_FONT_SIZE);
  return tsr_axis_new_bytes_between (self->units, from, to, pixels, &geometry->measure,
                                     TSR_AXIS_FONT_SIZE);
}

/* The part of the scale that the data have; its length in pixels. */
static TsrAxis *
new_y_axis (const TsrChartFrame *self,
            const TsrChartGeometry *geometry,
            const TsrPlotArea *area,
            double *length)
{
  double to = MAX (self->y_to, area->y_from + 1);
  double pixels = area->height * (to - area->y_from) / (area->y_to - area->y_from);

  if (length != NULL)
    *length = pixels;
  return new_axis (self, geometry, area->y_from, to, pixels);
}

/* Under the data as it is, over them as a hint: a full stack can be read off, too. */
static void
layout_grid (const TsrChartFrame *self,
             const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             double alpha,
             TsrDrawList *list)
{
  double line = 1 / geometry->scale;
  g_autoptr (TsrAxis) axis = new_y_axis (self, geometry, area, NULL);

  for (guint i = 0; i < axis->ticks->len; i++)
    {
      const TsrTick *tick = &g_array_index (axis->ticks, TsrTick, i);
      double y = tsr_plot_area_get_y (area, tick->value, geometry->scale) + line / 2;
      TsrDrawItem *item;

      if (tick->value <= area->y_from)
        continue;
      item = tsr_draw_list_line (list, TSR_INK_GRID, area->x, y, area->x + area->width, y);
      item->line_width = line;
      item->dash = 3;
      item->alpha = alpha;
    }
}

gint64
tsr_chart_frame_find_y_from (gint64 base, double top)
{
  return (double)base * 2 < top || (double)base >= top ? 0 : base;
}

/* The scale reaches further up, so that @self->y_to stands below the inset. */
static double
get_y_to (const TsrChartFrame *self, const TsrChartGeometry *geometry, double height)
{
  double inset = MIN (geometry->inset, height * MAX_INSET);

  return inset > 0 ? self->y_from + (self->y_to - self->y_from) * height / (height - inset)
                   : self->y_to;
}

static double
measure_bytes (const TsrChartFrame *self, const TsrChartGeometry *geometry, gint64 bytes)
{
  g_autofree char *label = tsr_units_dup_bytes (self->units, bytes);

  return measure (geometry, label, TSR_AXIS_FONT_SIZE, TRUE, NULL);
}

double
tsr_chart_frame_layout_head (TsrChartModel *model,
                             const TsrChartGeometry *geometry,
                             TsrDrawList *list)
{
  double top = 0;

  if (geometry->title != NULL && *geometry->title != '\0')
    {
      TsrDrawItem *title
          = tsr_draw_list_label (list, TSR_INK_TEXT, MARGIN, MARGIN, 0, 0, geometry->title);
      double height;

      title->font_size = TITLE_SIZE;
      title->bold = TRUE;
      if (measure (geometry, geometry->title, TITLE_SIZE, TRUE, &height)
          > geometry->width - 2 * MARGIN)
        title->width = MAX (geometry->width - 2 * MARGIN, 1);
      top = MARGIN + ceil (height) + INNER;
    }
  if (geometry->legend)
    {
      top = MAX (top, MARGIN);
      top += layout_legend (model, geometry, top, list);
    }
  return top;
}

void
tsr_chart_frame_layout_back (const TsrChartFrame *self,
                             TsrChartModel *model,
                             const TsrChartGeometry *geometry,
                             TsrDrawList *list,
                             TsrPlotArea *area)
{
  double scale = geometry->scale;
  double text_height;
  double left = measure (geometry, self->x_title, TSR_AXIS_FONT_SIZE, FALSE, &text_height) + INNER;
  double top = tsr_chart_frame_layout_head (model, geometry, list);
  double bottom = geometry->height - self->foot - (TICK + 2 + ceil (text_height) + 4);
  double y_to;
  g_autoptr (TsrAxis) axis = NULL;

  /* Names of groups, else half of the highest label of the axis. */
  top += self->n_groups > 0 ? ceil (text_height) + INNER : ceil (text_height / 2) + 2;
  y_to = get_y_to (self, geometry, bottom - top);
  axis = new_axis (self, geometry, self->y_from, y_to, MAX (bottom - top, 1));
  left = MAX (left, axis->label_width);
  if (self->y_from > 0)
    left = MAX (left, measure_bytes (self, geometry, self->y_from));
  if (self->level != TSR_UNKNOWN)
    left = MAX (
        left,
        measure_bytes (self, geometry, self->level)
            + (self->level > y_to ? measure (geometry, "↑ ", TSR_AXIS_FONT_SIZE, TRUE, NULL) : 0));

  area->x = tsr_draw_list_snap (MARGIN + left + TICK + 4, scale);
  area->y = tsr_draw_list_snap (top, scale);
  area->width = tsr_draw_list_snap (geometry->width - MARGIN, scale) - area->x;
  area->height = tsr_draw_list_snap (bottom, scale) - area->y;
  area->y_from = self->y_from;
  area->y_to = MAX (y_to, area->y_from + 1);
  if (area->width < MIN_SIDE || area->height < MIN_SIDE)
    {
      area->width = area->height = 0;
      return;
    }
  if (!(geometry->to > geometry->from))
    return;
  layout_grid (self, geometry, area, 1, list);
}

/* A value in bold, in the place of a tick's label. */
static void
add_marked_label (const TsrChartFrame *self,
                  const TsrChartGeometry *geometry,
                  const TsrPlotArea *area,
                  gint64 value,
                  TsrDrawList *list)
{
  g_autofree char *bytes = tsr_units_dup_bytes (self->units, value);
  g_autofree char *text = g_strconcat (value > area->y_to ? "↑ " : "", bytes, NULL);
  TsrDrawItem *item
      = tsr_draw_list_label (list, TSR_INK_TEXT, area->x - TICK - 4,
                             tsr_plot_area_get_y (area, value, geometry->scale), 1, 0.5, text);

  item->font_size = TSR_AXIS_FONT_SIZE;
  item->bold = TRUE;
}

/* Says that the axis does not begin at 0: a gap between two slanted strokes over its foot. */
static void
add_break (const TsrChartGeometry *geometry, const TsrPlotArea *area, TsrDrawList *list)
{
  double y = area->y + area->height;

  tsr_draw_list_rect (list, TSR_INK_AXIS, area->x, area->y, 1 / geometry->scale,
                      MAX (area->height - BREAK_GAP * 2, 0));
  for (guint i = 1; i <= 2; i++)
    tsr_draw_list_line (list, TSR_INK_TEXT, area->x - BREAK_WIDTH, y - i * BREAK_GAP + BREAK_RISE,
                        area->x + BREAK_WIDTH, y - i * BREAK_GAP - BREAK_RISE)
        ->line_width
        = 1.5;
}

static void
layout_y_axis (const TsrChartFrame *self,
               const TsrChartGeometry *geometry,
               const TsrPlotArea *area,
               TsrDrawList *list)
{
  double scale = geometry->scale;
  double line = 1 / scale;
  double length;
  g_autoptr (TsrAxis) axis = new_y_axis (self, geometry, area, &length);
  gboolean marked = self->level != TSR_UNKNOWN && self->level >= area->y_from;

  if (marked)
    tsr_axis_clear_near (
        axis,
        self->level <= area->y_to
            ? length * (1 - (self->level - area->y_from) / (self->y_to - area->y_from))
            : length - area->height,
        axis->label_height);
  if (area->y_from > 0)
    tsr_axis_clear_near (axis, length, axis->label_height);
  for (guint i = 0; i < axis->ticks->len; i++)
    {
      const TsrTick *tick = &g_array_index (axis->ticks, TsrTick, i);
      double y = tsr_plot_area_get_y (area, tick->value, scale);
      TsrDrawItem *item;

      if (tick->label == NULL)
        continue;
      item = tsr_draw_list_label (list, TSR_INK_DIM_TEXT, area->x - TICK - 4, y, 1, 0.5,
                                  tick->label);
      item->font_size = TSR_AXIS_FONT_SIZE;
    }
  tsr_draw_list_rect (list, TSR_INK_AXIS, area->x, area->y + area->height, area->width, line);
  if (self->y_from > 0)
    {
      add_break (geometry, area, list);
      add_marked_label (self, geometry, area, self->y_from, list);
    }
  if (marked)
    {
      double y = tsr_plot_area_get_y (area, self->level, scale);
      double thick = MAX (floor (1.5 * scale), 1) / scale;

      if (self->level <= area->y_to)
        tsr_draw_list_rect (list, TSR_INK_CAPACITY, area->x, y, area->width, thick)->series
            = self->level_series;
      add_marked_label (self, geometry, area, self->level, list);
    }
}

static void
add_x_ticks (const TsrAxis *axis,
             double offset,
             const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             TsrDrawList *list)
{
  double line = 1 / geometry->scale;
  double bottom = area->y + area->height;

  for (guint i = 0; i < axis->ticks->len; i++)
    {
      const TsrTick *tick = &g_array_index (axis->ticks, TsrTick, i);
      double x = floor ((area->x + offset + tick->at) * geometry->scale) / geometry->scale;
      TsrDrawItem *item;

      tsr_draw_list_rect (list, TSR_INK_AXIS, x, bottom, line, tick->label != NULL ? TICK : 2);
      if (tick->label == NULL)
        continue;
      item = tsr_draw_list_label (list, TSR_INK_DIM_TEXT, area->x + offset + tick->at,
                                  bottom + TICK + 2, 0.5, 0, tick->label);
      item->font_size = TSR_AXIS_FONT_SIZE;
    }
}

/* Where numbers begin anew, each group has an axis of its own; its step is that of the widest, and
 * a label must not stick out into the next group. */
static void
layout_x_by_group (const TsrChartFrame *self,
                   const TsrChartGeometry *geometry,
                   const TsrPlotArea *area,
                   TsrDrawList *list)
{
  double per = area->width / (geometry->to - geometry->from);
  guint shown = 0;

  for (guint i = 0; i < self->n_groups; i++)
    {
      const TsrChartGroup *group = &self->groups[i];
      double from = MAX (group->from, geometry->from);
      double to = MIN (group->to, geometry->to);
      double length = (to - from) * per;
      g_autoptr (TsrAxis) axis = NULL;

      if (to <= from || shown++ > 400)
        continue;
      axis = tsr_axis_new_index (from, to, group->from, self->x_names, length, i == 0 ? INNER : 0,
                                 -4, &geometry->measure, TSR_AXIS_FONT_SIZE);
      if (axis->ticks->len <= 2 && length < 60)
        continue;
      add_x_ticks (axis, (from - geometry->from) * per, geometry, area, list);
    }
}

void
tsr_chart_frame_layout_index (const TsrChartGeometry *geometry,
                              const TsrPlotArea *area,
                              gboolean names,
                              TsrDrawList *list)
{
  g_autoptr (TsrAxis) axis
      = tsr_axis_new_index (geometry->from, geometry->to, 0, names, area->width, 2 + INNER,
                            MARGIN - 2, &geometry->measure, TSR_AXIS_FONT_SIZE);

  add_x_ticks (axis, 0, geometry, area, list);
}

void
tsr_chart_frame_layout_front (const TsrChartFrame *self,
                              const TsrChartGeometry *geometry,
                              const TsrPlotArea *area,
                              TsrDrawList *list)
{
  TsrDrawItem *title;

  if (area->width <= 0 || !(geometry->to > geometry->from))
    return;
  layout_grid (self, geometry, area, 0.3, list);
  layout_groups (self, geometry, area, list);
  layout_y_axis (self, geometry, area, list);
  title = tsr_draw_list_label (list, TSR_INK_DIM_TEXT, area->x - TICK - 4 - INNER,
                               area->y + area->height + TICK + 2, 1, 0, self->x_title);
  title->font_size = TSR_AXIS_FONT_SIZE;
  if (self->by_group)
    layout_x_by_group (self, geometry, area, list);
  else
    tsr_chart_frame_layout_index (geometry, area, self->x_names, list);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bars of the rows that are visible.  A bar is found from one pixel column to the next by binary
 * search, so that a row costs at most its columns, whatever the number of its intervals.  Where
 * rows are thinner than a pixel, the pyramid tells which one stands for its neighbours.  Bars are
 * rectangles as long as they are few, else one raster of the same pixels. */

#include "config.h"

#include "tsr-lifetime-chart-private.h"

#include "tsr-chart-frame.h"
#include "tsr-elide.h"
#include "tsr-step-layout.h"
#include "tsr-step-lines.h"

#include <math.h>
#include <string.h>

#define MARGIN       12.0
#define AXIS_ROOM    22.0 /* ticks and their labels */
#define TOP          4.0  /* half a line of a name in a low row */
#define MAX_RECTS    2400
#define LABEL_HEIGHT 12.0 /* of a row that has its name in it */
#define LABEL_PAD    4.0
#define NEIGHBOURS   24   /* rows above and below that a name differs from */
#define MIN_LABEL    40.0 /* pixels of a name that is cropped */
#define GAP_HEIGHT   4.0  /* of a row, from which on bars stand apart */
#define PALE_WIDTH   24.0 /* pixels of a bar that may have text on it */
#define NAMED_ALPHA  0.45 /* of a bar that has text on it */
#define MAX_NAMES    250

typedef struct
{
  TsrLifetimeChart *chart;
  const TsrChartGeometry *geometry;
  const TsrPlotArea *area;
  TsrDrawList *list;
  TsrDrawRaster *raster;     /* (nullable) */
  guint n_columns, n_pixels; /* across, down */
  double per;                /* steps in a column */
  guint n_rects;
} Layout;

/* Columns from and to of a bar. */
typedef struct
{
  guint from, to;
} Run;

/* ------------------------------------------------------------------- bars */

/* First column of @step, and the end of its columns: as tsr_step_get_positions deals them. */
static double
get_column (const Layout *self, double step)
{
  double at = (step - self->geometry->from) / self->per;

  return self->per < 1 ? ceil (at - 0.5) : floor ((step + 0.5 - self->geometry->from) / self->per);
}

static double
get_end_column (const Layout *self, double end)
{
  return self->per < 1 ? ceil ((end - self->geometry->from) / self->per - 0.5)
                       : floor ((end - 0.5 - self->geometry->from) / self->per) + 1;
}

/* The first interval in [low, high) that ends after @step. */
static gsize
find_after (const TsrLifetimeRows *rows, gsize low, gsize high, double step)
{
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (rows->to[middle] > step)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* The next bar of @row at or after column run->to; FALSE when there is none. */
static gboolean
next_run (const Layout *self, guint32 row, gsize *interval, Run *run)
{
  const TsrLifetimeRows *rows = self->chart->rows;
  gsize end = rows->start[row + 1];
  guint before = run->to;
  gboolean any = FALSE;

  for (;;)
    {
      double first;
      double last;
      double at = self->geometry->from + run->to * self->per - 0.5;

      /* A step belongs to a column by its middle when it shares it. */
      *interval = find_after (rows, *interval, end, self->per < 1 ? at + 0.5 : ceil (at));
      if (*interval >= end)
        return any;
      first = MAX (get_column (self, rows->from[*interval]), before);
      last = MIN (get_end_column (self, rows->to[*interval]), self->n_columns);
      if (first >= self->n_columns || (any && first > run->to))
        return any;
      if (last <= first || last <= run->to)
        {
          ++*interval;
          continue;
        }
      if (!any)
        run->from = (guint)first;
      run->to = (guint)last;
      any = TRUE;
      if (run->to >= self->n_columns)
        return TRUE;
    }
}

/* FALSE when there are more than a frame has time for as rectangles. */
static gboolean
add_bar (
    Layout *self, const Run *run, guint top, guint bottom, guint ink, double alpha, guint place)
{
  double scale = self->geometry->scale;
  TsrDrawItem *item;

  if (self->raster != NULL)
    {
      for (guint y = top; y < MIN (bottom, self->raster->height); y++)
        memset (self->raster->inks + (gsize)y * self->raster->width + run->from, ink,
                MIN (run->to, self->raster->width) - run->from);
      return TRUE;
    }
  if (++self->n_rects > MAX_RECTS)
    return FALSE;
  item = tsr_draw_list_rect (self->list, ink, self->area->x + run->from / scale,
                             self->area->y + top / scale, (run->to - run->from) / scale,
                             (bottom - top) / scale);
  item->alpha = (run->to - run->from) / scale >= PALE_WIDTH ? alpha : 1;
  item->datum = place;
  return TRUE;
}

/* @top, @bottom: device pixels of the plot. */
static gboolean
add_row (Layout *self, guint place, guint top, guint bottom, double alpha)
{
  TsrLifetimeChart *chart = self->chart;
  guint32 row = tsr_lifetime_chart_row_of (chart, place);
  const TsrLifetimeGroup *group = g_ptr_array_index (chart->groups, chart->group[row]);
  gsize interval = chart->rows->start[row];
  Run run = { 0, 0 };

  if (!group->visible)
    return TRUE;
  while (run.to < self->n_columns && next_run (self, row, &interval, &run))
    if (!add_bar (self, &run, top, bottom, group->ink, alpha, place))
      return FALSE;
  return TRUE;
}

/* Device pixels of @place's row; FALSE when it is not visible. */
static gboolean
get_row_pixels (const Layout *self, guint place, guint *top, guint *bottom)
{
  double height = self->chart->row_height * self->geometry->scale;
  double from = (place - self->chart->first_row) * height;
  double to = from + height;
  double gap = self->chart->row_height >= GAP_HEIGHT ? MAX (floor (self->geometry->scale), 1) : 0;

  from = floor (from + 0.5);
  to = MAX (floor (to + 0.5) - gap, from + 1);
  if (to <= 0 || from >= self->n_pixels)
    return FALSE;
  *top = (guint)MAX (from, 0);
  *bottom = (guint)MIN (to, self->n_pixels);
  return TRUE;
}

/* Rows that are at least a pixel high. */
static gboolean
add_rows (Layout *self)
{
  TsrLifetimeChart *chart = self->chart;
  double alpha = chart->row_height >= LABEL_HEIGHT ? NAMED_ALPHA : 1;
  guint first = (guint)MIN (floor (chart->first_row), chart->rows->n);

  for (guint place = first; place < chart->rows->n; place++)
    {
      guint top;
      guint bottom;

      if (!get_row_pixels (self, place, &top, &bottom))
        {
          if ((place - chart->first_row) * chart->row_height > self->area->height)
            break;
          continue;
        }
      if (!add_row (self, place, top, bottom, alpha))
        return FALSE;
    }
  return TRUE;
}

/* Places lie far from one another, and each leads from table to table: every table is asked for all
 * of them before the next one is. */
static void
prefetch_rows (const Layout *self, const guint32 *places)
{
  const TsrLifetimeRows *rows = self->chart->rows;
  const guint32 *order = rows->order[self->chart->order];

  for (guint y = 0; y < self->n_pixels; y++)
    if (places[y] != TSR_NO_INDEX)
      __builtin_prefetch (&order[places[y]]);
  for (guint y = 0; y < self->n_pixels; y++)
    if (places[y] != TSR_NO_INDEX)
      {
        __builtin_prefetch (&rows->start[order[places[y]]]);
        __builtin_prefetch (&self->chart->group[order[places[y]]]);
      }
  for (guint y = 0; y < self->n_pixels; y++)
    if (places[y] != TSR_NO_INDEX)
      {
        gsize start = rows->start[order[places[y]]];

        __builtin_prefetch (&rows->from[start]);
        __builtin_prefetch (&rows->to[start]);
      }
}

/* Rows that share pixels: the one with the most bytes stands for its neighbours. */
static gboolean
add_shared_rows (Layout *self)
{
  TsrLifetimeChart *chart = self->chart;
  double rows = 1 / (chart->row_height * self->geometry->scale); /* in a pixel */
  g_autofree guint *first = g_new (guint, self->n_pixels);
  g_autofree guint *end = g_new (guint, self->n_pixels);
  g_autofree gint64 *weights = g_new (gint64, self->n_pixels);
  g_autofree guint32 *places = g_new (guint32, self->n_pixels);

  for (guint y = 0; y < self->n_pixels; y++)
    tsr_step_get_positions (chart->first_row + y * rows, chart->first_row + (y + 1) * rows,
                            chart->rows->n, &first[y], &end[y]);
  tsr_pyramid_list_max (chart->pyramid, self->n_pixels, first, end, weights, places);
  prefetch_rows (self, places);
  for (guint y = 0; y < self->n_pixels; y++)
    if (places[y] != TSR_NO_INDEX && !add_row (self, places[y], y, y + 1, 1))
      return FALSE;
  return TRUE;
}

static gboolean
add_bars (Layout *self)
{
  return self->chart->row_height * self->geometry->scale < 1 ? add_shared_rows (self)
                                                             : add_rows (self);
}

/* ------------------------------------------------------------------ names */

/* Columns that have no bar, or a bar that text may stand on. */
static void
take_room (Run *best, gboolean *fits, guint from, guint to, double needed)
{
  if (*fits || to <= from)
    return;
  *fits = to - from >= needed;
  /* Not for a few pixels more: names stay together at the left. */
  if (*fits || to - from > (best->to - best->from) * 1.25)
    *best = (Run){ from, to };
}

/* Inside the first bar that has room, else in the first gap behind a bar, else cropped in the
 * widest of all. */
static Run
find_room (const Layout *self, guint32 row, double needed)
{
  gsize interval = self->chart->rows->start[row];
  Run run = { 0, 0 };
  Run gap = { 0, 0 };
  guint before = 0;
  gboolean fits = FALSE;

  while (run.to < self->n_columns && next_run (self, row, &interval, &run))
    {
      if (run.to - run.from >= needed)
        return run;
      if (before > 0)
        take_room (&gap, &fits, before, run.from, needed);
      before = run.to;
    }
  if (before > 0)
    take_room (&gap, &fits, before, self->n_columns, needed);
  return gap;
}

static double
get_name_size (const TsrLifetimeChart *chart)
{
  return MIN (TSR_AXIS_FONT_SIZE, chart->row_height - 3);
}

static const char *
get_name (const TsrLifetimeChart *chart, guint place)
{
  return tsr_variables_get_name (tsr_liveness_get_variables (chart->liveness),
                                 chart->rows->variable[tsr_lifetime_chart_row_of (chart, place)]);
}

static double
measure_name (gpointer data, const char *text)
{
  const Layout *self = data;
  double width;

  self->geometry->measure.measure (self->geometry->measure.data, text, get_name_size (self->chart),
                                   FALSE, &width, NULL);
  return width;
}

/* (nullable): the name as far as there is room, unlike those about it that are seen: the more names
 * it has to differ from, the less of it differs from all. */
static char *
shorten_name (Layout *self, guint place, double room)
{
  const TsrLifetimeChart *chart = self->chart;
  guint first = (guint)MIN (floor (chart->first_row), chart->rows->n);
  guint seen = first + (guint)ceil (self->area->height / chart->row_height);
  const char *others[2 * NEIGHBOURS + 1];
  guint n = 0;

  for (guint i = MAX (first, place > NEIGHBOURS ? place - NEIGHBOURS : 0);
       i < MIN (seen, chart->rows->n) && i <= place + NEIGHBOURS; i++)
    others[n++] = get_name (chart, i);
  return tsr_elide_dup (get_name (self->chart, place), others, n, room, measure_name, self);
}

static gboolean
add_name (Layout *self, guint place, guint top, guint bottom)
{
  TsrLifetimeChart *chart = self->chart;
  double scale = self->geometry->scale;
  const char *name = get_name (chart, place);
  double width = measure_name (self, name);
  Run run
      = find_room (self, tsr_lifetime_chart_row_of (chart, place), (width + 2 * LABEL_PAD) * scale);
  double room = (run.to - run.from) / scale - 2 * LABEL_PAD;
  g_autofree char *shorter = NULL;
  TsrDrawItem *item;

  if (room < MIN (width, MIN_LABEL))
    return FALSE;
  if (room < width && (shorter = shorten_name (self, place, room)) == NULL)
    return FALSE;
  item = tsr_draw_list_label (
      self->list, TSR_INK_TEXT, self->area->x + run.from / scale + LABEL_PAD,
      self->area->y + (top + bottom) / 2.0 / scale, 0, 0.5, shorter != NULL ? shorter : name);
  item->font_size = get_name_size (chart);
  item->datum = place;
  return TRUE;
}

static void
add_names (Layout *self)
{
  TsrLifetimeChart *chart = self->chart;
  guint n = 0;

  if (chart->row_height < LABEL_HEIGHT)
    return;
  for (guint place = (guint)MIN (floor (chart->first_row), chart->rows->n);
       place < chart->rows->n && n < MAX_NAMES; place++)
    {
      guint32 row = tsr_lifetime_chart_row_of (chart, place);
      const TsrLifetimeGroup *group = g_ptr_array_index (chart->groups, chart->group[row]);
      guint top;
      guint bottom;

      if (!get_row_pixels (self, place, &top, &bottom)
          || (bottom - top) / self->geometry->scale < LABEL_HEIGHT - 2)
        {
          if ((place - chart->first_row) * chart->row_height > self->area->height)
            break;
          continue; /* cut by an edge */
        }
      if (group->visible)
        n += add_name (self, place, top, bottom);
    }
}

/* ----------------------------------------------------------------- layout */

static void
layout_bars (TsrLifetimeChart *self,
             const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             TsrDrawList *list)
{
  Layout layout = { .chart = self, .geometry = geometry, .area = area, .list = list };
  guint before = list->items->len;

  layout.n_columns = tsr_step_count_columns (geometry, area, &layout.per);
  layout.n_pixels = (guint)MAX (floor (area->height * geometry->scale + 0.5), 0);
  if (layout.n_columns == 0 || layout.n_pixels == 0)
    return;
  if (!add_bars (&layout))
    {
      g_array_set_size (list->items, before);
      layout.raster = tsr_draw_list_raster (list, area->x, area->y, area->width, area->height,
                                            geometry->scale);
      add_bars (&layout);
      if (self->row_height >= LABEL_HEIGHT)
        g_array_index (list->items, TsrDrawItem, before).alpha = NAMED_ALPHA;
    }
  add_names (&layout);
}

void
tsr_lifetime_chart_layout (TsrChartModel *model,
                           const TsrChartGeometry *geometry,
                           TsrDrawList *list,
                           TsrPlotArea *area)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  double top = tsr_chart_frame_layout_head (model, geometry, list);

  area->x = tsr_snap (MARGIN, geometry->scale);
  area->y = tsr_snap (top + TOP, geometry->scale);
  area->width = tsr_snap (geometry->width - MARGIN, geometry->scale) - area->x;
  area->height = tsr_snap (geometry->height - AXIS_ROOM, geometry->scale) - area->y;
  area->y_from = 0;
  area->y_to = 1;
  if (area->width < 8 || area->height < 8)
    {
      area->width = area->height = 0;
      return;
    }
  if (!(geometry->to > geometry->from))
    return;
  if (self->rows != NULL && self->rows->n > 0)
    layout_bars (self, geometry, area, list);
  tsr_draw_list_rect (list, TSR_INK_AXIS, area->x, area->y + area->height, area->width,
                      1 / geometry->scale);
  tsr_chart_frame_layout_index (geometry, area, FALSE, list);
}

/* ---------------------------------------------------------------- overlay */

guint32
tsr_lifetime_chart_row_at (TsrLifetimeChart *self,
                           const TsrChartGeometry *geometry,
                           const TsrPlotArea *area,
                           double y)
{
  double scale = geometry->scale;
  double height;
  guint first;
  guint end;
  guint place;

  g_return_val_if_fail (TSR_IS_LIFETIME_CHART (self), TSR_NO_DATUM);
  if (self->rows == NULL || !(y >= area->y && y < area->y + area->height))
    return TSR_NO_DATUM;
  height = self->row_height * scale;
  if (height >= 1)
    {
      double at = floor (self->first_row + (y - area->y) / self->row_height);

      return at >= 0 && at < self->rows->n ? (guint32)at : TSR_NO_DATUM;
    }
  y = floor ((y - area->y) * scale);
  tsr_step_get_positions (self->first_row + y / height, self->first_row + (y + 1) / height,
                          self->rows->n, &first, &end);
  place = first < end ? tsr_pyramid_get_argmax (self->pyramid, first, end) : TSR_NO_INDEX;
  return place != TSR_NO_INDEX ? place : TSR_NO_DATUM;
}

static void
add_frame (const Layout *self, guint place, guint ink)
{
  double scale = self->geometry->scale;
  double line = MAX (floor (scale), 1) / scale;
  const TsrPlotArea *area = self->area;
  guint top;
  guint bottom;
  double y0;
  double y1;
  TsrDrawItem *item;

  if (place >= self->chart->rows->n || !get_row_pixels (self, place, &top, &bottom))
    return;
  y0 = area->y + top / scale;
  y1 = area->y + bottom / scale;
  item = tsr_draw_list_rect (self->list, ink, area->x, y0, area->width, y1 - y0);
  item->alpha = 0.12;
  item->datum = place;
  tsr_draw_list_rect (self->list, ink, area->x, y0, area->width, line);
  if (y1 - line > y0)
    tsr_draw_list_rect (self->list, ink, area->x, y1 - line, area->width, line);
}

/* Rows of the variables that are selected, each in the ink of its line over the graph. */
static void
add_selected (const Layout *self)
{
  TsrLifetimeChart *chart = self->chart;
  const char *const *names = tsr_step_selection_peek_variables (chart->selection);
  TsrVariables *variables = tsr_liveness_get_variables (chart->liveness);

  for (guint i = 0; names[i] != NULL && i < TSR_N_MARK_INKS; i++)
    {
      guint variable = tsr_variables_find (variables, names[i]);

      for (guint place = 0; variable != TSR_NO_INDEX && place < chart->rows->n; place++)
        if (chart->rows->variable[tsr_lifetime_chart_row_of (chart, place)] == variable)
          {
            add_frame (self, place, TSR_INK_MARK + i);
            break;
          }
    }
}

static void
add_steps (const Layout *self)
{
  guint n;
  const guint *steps = tsr_step_selection_peek (self->chart->selection, &n);
  double line = MAX (floor (self->geometry->scale), 1) / self->geometry->scale;

  for (guint i = 0; i < n; i++)
    {
      double left;
      double right;

      if (tsr_step_get_edges (self->geometry, self->area, steps[i], &left, &right))
        tsr_draw_list_rect (self->list, TSR_INK_MARK + i % TSR_N_MARK_INKS,
                            tsr_snap ((left + right - line) / 2, self->geometry->scale),
                            self->area->y, line, self->area->height);
    }
}

void
tsr_lifetime_chart_layout_overlay (TsrChartModel *model,
                                   const TsrChartGeometry *geometry,
                                   const TsrPlotArea *area,
                                   guint32 hover,
                                   guint32 cursor,
                                   TsrDrawList *list)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  Layout layout = { .chart = self, .geometry = geometry, .area = area, .list = list };

  if (self->rows == NULL || area->width <= 0 || !(geometry->to > geometry->from))
    return;
  layout.n_columns = tsr_step_count_columns (geometry, area, &layout.per);
  layout.n_pixels = (guint)MAX (floor (area->height * geometry->scale + 0.5), 0);
  if (self->selection != NULL)
    {
      add_selected (&layout);
      add_steps (&layout);
    }
  if (cursor != TSR_NO_DATUM)
    add_frame (&layout, cursor, TSR_INK_HOVER);
  if (hover != TSR_NO_DATUM && hover != cursor)
    add_frame (&layout, hover, TSR_INK_HOVER);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From data to columns of device pixels, from columns to rectangles or to one raster.
 *
 * A column is one device pixel wide and shows one position.  With one datum or less in a column
 * that is the datum under its middle; with more, data are dealt to columns by their own middle, so
 * that each belongs to exactly one column and a lone spike is one pixel wide, and the pyramid tells
 * the largest.  Cost: O(log n) a column, whatever n.
 *
 * Columns are worked out first, as edges in whole pixels (`Columns`).  Equal neighbours then make
 * one rectangle.  If that gives more rectangles than a frame has time for, the same edges fill a
 * raster instead: same pixels, other means. */

#include "config.h"

#include "tsr-step-layout-private.h"

#include <math.h>
#include <string.h>

#define NONE (-1)
/* Of a hatch, logical pixels: more than half of the area, so that a column of one pixel is red,
 * too. */
#define HATCH_WIDTH 3.5
#define TINT_WIDTH  4.0
#define HATCH_COST  8 /* rectangles: what each adds to a clip */
#define MAX_PIXELS  (1 << 15)
#define AHEAD       24 /* columns */
#define MAX_OVER    4  /* for each column: beyond that a query is quicker */
#define LINE        64 /* bytes in a line of cache */

typedef struct
{
  int width, height; /* device pixels */
  int stroke;        /* thickness of outlines */
  double scale;
  double from, per;   /* data: where the first column begins, and in each */
  double x, y;        /* of the plot, logical */
  guint *first, *end; /* positions that a column stands for */
  guint32 *position;  /* that it shows */
  int *edges;  /* [(n_bands + 1) * width]: row where a band begins, from the bottom one's foot */
  int *spread; /* row of the least value, or NONE; (nullable) */
  int *line;   /* row, or NONE; (nullable) */
  int *excess; /* row of limit + excess, or NONE; (nullable) */
  int limit;   /* row of the limit */
  int foot;    /* row of 0, where the lowest band begins */
} Columns;

static void
columns_clear (Columns *self)
{
  g_free (self->first);
  g_free (self->end);
  g_free (self->position);
  g_free (self->edges);
  g_free (self->spread);
  g_free (self->line);
  g_free (self->excess);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Columns, columns_clear)

/* First position whose middle is in or after the column that begins at @x. */
static guint
first_position (double x, guint n)
{
  return (guint)CLAMP (ceil (x - 0.5), 0, (double)n);
}

/* The positions that a column stands for. */
static void
get_positions (double from, double to, guint n, guint *first, guint *end)
{
  *first = first_position (from, n);
  *end = first_position (to, n);
  if (to - from < 1)
    {
      double middle = floor ((from + to) / 2);

      *first = middle >= 0 && middle < n ? (guint)middle : n;
      *end = MIN (*first + 1, n);
    }
}

void
tsr_step_layout_get_positions (double from, double to, guint n, guint *first, guint *end)
{
  get_positions (from, to, n, first, end);
}

guint
tsr_step_layout_position_at (const TsrStepData *self, double from, double to)
{
  guint first;
  guint end;
  guint best = TSR_NO_INDEX;

  if (!(to > from))
    return TSR_NO_INDEX;
  get_positions (from, to, self->n, &first, &end);
  if (first >= end)
    return TSR_NO_INDEX;
  if (self->top_pyramid != NULL)
    best = tsr_pyramid_get_argmax (self->top_pyramid, first, end);
  if (best == TSR_NO_INDEX && self->line_pyramid != NULL)
    best = tsr_pyramid_get_argmax (self->line_pyramid, first, end);
  return best != TSR_NO_INDEX ? best : first;
}

gboolean
tsr_step_layout_get_edges (const TsrChartGeometry *geometry,
                           const TsrPlotArea *area,
                           double position,
                           double *left,
                           double *right)
{
  double width = floor (area->width * geometry->scale + 0.5);
  double per = (geometry->to - geometry->from) / width; /* data for each column */
  double first;
  double end;

  if (!(width >= 1) || !(per > 0))
    return FALSE;
  if (per < 1)
    {
      first = ceil ((position - geometry->from) / per - 0.5);
      end = ceil ((position + 1 - geometry->from) / per - 0.5);
    }
  else
    {
      first = floor ((position + 0.5 - geometry->from) / per);
      end = first + 1;
    }
  first = MAX (first, 0);
  end = MIN (end, width);
  if (end <= first)
    return FALSE;
  *left = area->x + first / geometry->scale;
  *right = area->x + end / geometry->scale;
  return TRUE;
}

/* ---------------------------------------------------------------- columns */

static void
set_rows (const Columns *columns, const TsrPlotArea *area, const gint64 *values, int *rows)
{
  for (int c = 0; c < columns->width; c++)
    rows[c] = values[c] != TSR_UNKNOWN ? tsr_step_layout_get_row (values[c], area, columns->height)
                                       : NONE;
}

/* Stacks lie far from one another: each is asked for before it is its turn. */
static inline void
prefetch_stack (const TsrStepData *self, guint32 position)
{
  const TsrStepStack *stack = self->stack;
  gsize at = (gsize)position * stack->stride;

  if (position == TSR_NO_INDEX)
    return;
  if (stack->narrow != NULL)
    for (guint b = 0; b < self->n_bands; b += LINE / sizeof *stack->narrow)
      __builtin_prefetch (stack->narrow + at + b);
  else
    for (guint b = 0; b < self->n_bands; b += LINE / sizeof *stack->wide)
      __builtin_prefetch (stack->wide + at + b);
}

/* One band needs no stack: its top is the column's value. */
static void
set_bands (const TsrStepData *self, const TsrPlotArea *area, Columns *columns, const gint64 *values)
{
  int width = columns->width;
  int *edges = columns->edges + width;

  for (int c = 0; c < width; c++)
    {
      guint32 position = columns->position[c];

      if (self->n_bands > 1 && c + AHEAD < width)
        prefetch_stack (self, columns->position[c + AHEAD]);
      columns->edges[c] = columns->foot;
      for (guint b = 0; b < self->n_bands; b++)
        {
          gint64 sum;

          if (position == TSR_NO_INDEX)
            {
              edges[(gsize)b * width + c] = columns->foot;
              continue;
            }
          sum = self->n_bands > 1 ? tsr_step_stack_get (self->stack, position, b) : values[c];
          edges[(gsize)b * width + c] = tsr_step_layout_get_row (sum, area, columns->height);
        }
    }
}

/* Which datum each column shows, its bands, and how far down its neighbours reach. */
static void
set_top (const TsrStepData *self, const TsrPlotArea *area, Columns *columns, gint64 *values)
{
  g_autofree gint64 *least = NULL;

  if (self->top_pyramid == NULL)
    for (int c = 0; c < columns->width; c++)
      columns->position[c] = TSR_NO_INDEX;
  else if (!self->outlined)
    tsr_pyramid_list_max (self->top_pyramid, columns->width, columns->first, columns->end, values,
                          columns->position);
  else
    {
      least = g_new (gint64, columns->width);
      tsr_pyramid_list_range (self->top_pyramid, columns->width, columns->first, columns->end,
                              values, columns->position, least);
      columns->spread = g_new (int, columns->width);
      set_rows (columns, area, least, columns->spread);
    }
  set_bands (self, area, columns, values);
}

/* First place in @self->over that is at @position or after it. */
static guint
find_over (const TsrStepData *self, guint position)
{
  guint low = 0;
  guint high = self->n_over;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->over[middle].position < position)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Each excess of @over to its column: a column has several positions, and each position one.  No
 * loop here ends after a number of rounds that nobody can guess. */
static void
deal_excess (const Columns *columns, const TsrStepExcess *over, guint n, gint64 *values)
{
  int last = columns->width - 1;

  for (guint i = 0; i < n; i++)
    {
      guint position = over[i].position;
      int c = CLAMP ((position + 0.5 - columns->from) / columns->per, 0, last);

      /* Never far: but for rounding it is there. */
      while (c > 0 && position < columns->first[c])
        c--;
      while (c < last && position >= columns->end[c])
        c++;
      values[c] = MAX (values[c], over[i].bytes);
    }
}

/* The largest excess of each column.  Those that are over are few, as a rule: then going through
 * them is quicker than a query for each column. */
static void
list_excess (const TsrStepData *self, const Columns *columns, gint64 *values)
{
  guint last = columns->width - 1;
  guint next = self->over != NULL ? find_over (self, columns->first[0]) : 0;
  guint n = self->over != NULL ? find_over (self, columns->end[last]) - next : 0;

  if (self->over == NULL || n > MAX_OVER * (guint)columns->width)
    {
      tsr_pyramid_list_max (self->excess_pyramid, columns->width, columns->first, columns->end,
                            values, NULL);
      return;
    }
  for (int c = 0; c < columns->width; c++)
    values[c] = TSR_UNKNOWN;
  if (columns->per >= 2)
    {
      deal_excess (columns, self->over + next, n, values);
      return;
    }
  for (int c = 0; c < columns->width; c++)
    {
      while (next < self->n_over && self->over[next].position < columns->first[c])
        next++;
      for (guint i = next; i < self->n_over && self->over[i].position < columns->end[c]; i++)
        values[c] = MAX (values[c], self->over[i].bytes);
    }
}

static void
set_excess (const TsrStepData *self, const TsrPlotArea *area, Columns *columns, gint64 *values)
{
  columns->excess = g_new (int, columns->width);
  columns->limit = tsr_step_layout_get_row (self->limit, area, columns->height);
  list_excess (self, columns, values);
  for (int c = 0; c < columns->width; c++)
    {
      columns->excess[c] = NONE;
      if (values[c] != TSR_UNKNOWN && values[c] > 0)
        {
          int row
              = tsr_step_layout_get_row ((double)self->limit + values[c], area, columns->height);

          columns->excess[c] = CLAMP (row, 0, MAX (columns->limit - 1, 0));
        }
    }
}

static void
make_columns (const TsrStepData *self,
              const TsrChartGeometry *geometry,
              const TsrPlotArea *area,
              Columns *columns)
{
  g_autofree gint64 *values = NULL;

  columns->scale = geometry->scale;
  columns->x = area->x;
  columns->y = area->y;
  columns->width = CLAMP (floor (area->width * geometry->scale + 0.5), 0, MAX_PIXELS);
  columns->height = CLAMP (floor (area->height * geometry->scale + 0.5), 0, MAX_PIXELS);
  columns->stroke = MAX (floor (1.5 * geometry->scale), 1);
  columns->foot = tsr_step_layout_get_row (0, area, columns->height);
  columns->first = g_new (guint, columns->width);
  columns->end = g_new (guint, columns->width);
  columns->position = g_new (guint32, columns->width);
  columns->edges = g_new (int, (gsize)columns->width *(self->n_bands + 1));
  values = g_new (gint64, columns->width);
  columns->from = geometry->from;
  columns->per = (geometry->to - geometry->from) / columns->width;
  /* Edges are computed from the column's number, both sides alike: no datum falls between. */
  for (int c = 0; c < columns->width; c++)
    get_positions (columns->from + c * columns->per, columns->from + (c + 1) * columns->per,
                   self->n, &columns->first[c], &columns->end[c]);

  set_top (self, area, columns, values);
  if (self->shown != NULL)
    memcpy (self->shown, columns->position, columns->width * sizeof (guint32));
  if (self->line_pyramid != NULL)
    {
      columns->line = g_new (int, columns->width);
      tsr_pyramid_list_max (self->line_pyramid, columns->width, columns->first, columns->end,
                            values, NULL);
      set_rows (columns, area, values, columns->line);
    }
  if (self->excess_pyramid != NULL && self->limit != TSR_UNKNOWN && columns->width > 0)
    set_excess (self, area, columns, values);
}

/* ------------------------------------------------------------- rectangles */

/* One pass over the runs of one layer: counts them when @list is NULL, until they are too many,
 * else appends. */
typedef struct
{
  const TsrStepData *data;
  const Columns *columns;
  TsrDrawList *list;
  guint n;
} Runs;

static void
set_datum (const Runs *runs, TsrDrawItem *item, int from, int to, guint series)
{
  guint32 position = runs->columns->position[from];

  item->series = series;
  for (int c = from + 1; c < to; c++)
    if (runs->columns->position[c] != position)
      return;
  if (position != TSR_NO_INDEX)
    item->datum = runs->data->order != NULL ? runs->data->order[position] : position;
}

static gboolean
is_too_many (const Runs *runs)
{
  return runs->list == NULL && runs->n > TSR_STEP_MAX_RECTS;
}

static TsrDrawItem *
add_rect (Runs *runs, TsrItemKind kind, guint ink, int x, int y, int width, int height)
{
  const Columns *columns = runs->columns;
  double scale = columns->scale;
  TsrDrawItem *item;

  runs->n += kind == TSR_ITEM_HATCH ? HATCH_COST : 1;
  if (runs->list == NULL)
    return NULL;
  if (kind == TSR_ITEM_RECT)
    return tsr_draw_list_rect (runs->list, ink, columns->x + x / scale, columns->y + y / scale,
                               width / scale, height / scale);
  item = tsr_draw_list_hatch (runs->list, ink, columns->x + x / scale, columns->y + y / scale,
                              width / scale, height / scale);
  item->line_width = ink == TSR_INK_OVERFLOW ? HATCH_WIDTH : TINT_WIDTH;
  return item;
}

/* Areas between two rows of each column; @low NULL: the row @foot. */
static void
add_area (Runs *runs,
          TsrItemKind kind,
          guint ink,
          guint series,
          const int *high,
          const int *low,
          int foot)
{
  int width = runs->columns->width;

  for (int c = 0; c < width && !is_too_many (runs);)
    {
      int top = high[c];
      int bottom = low != NULL ? low[c] : foot;
      int end = c + 1;

      while (end < width && high[end] == top && (low != NULL ? low[end] : foot) == bottom)
        end++;
      if (top != NONE && bottom != NONE && top < bottom)
        {
          TsrDrawItem *item = add_rect (runs, kind, ink, c, top, end - c, bottom - top);

          if (item != NULL)
            set_datum (runs, item, c, end, series);
        }
      c = end;
    }
}

/* A part of an outline: what is beyond the limit is red. */
static void
add_stroke (Runs *runs, guint ink, guint series, int x, int y, int width, int height, int to)
{
  const Columns *columns = runs->columns;
  int limit = columns->excess != NULL ? columns->limit : 0;
  int above = CLAMP (limit - y, 0, height);
  TsrDrawItem *item;

  if (above > 0)
    {
      item = add_rect (runs, TSR_ITEM_RECT, TSR_INK_OVERFLOW, x, y, width, above);
      if (item != NULL)
        set_datum (runs, item, x, to, series);
    }
  if (above == height)
    return;
  item = add_rect (runs, TSR_ITEM_RECT, ink, x, y + above, width, height - above);
  if (item != NULL)
    set_datum (runs, item, x, to, series);
}

/* The outline of a step line: treads and risers. */
static void
add_outline (Runs *runs, guint ink, guint series, const int *rows)
{
  const Columns *columns = runs->columns;
  int stroke = columns->stroke;
  int before = NONE;

  for (int c = 0; c < columns->width && !is_too_many (runs);)
    {
      int row = rows[c];
      int end = c + 1;

      while (end < columns->width && rows[end] == row)
        end++;
      if (row != NONE)
        {
          int y = MIN (row, columns->height - stroke);

          if (before != NONE && ABS (before - y) > stroke)
            add_stroke (runs, ink, series, c, MIN (before, y), 1, ABS (before - y), c + 1);
          add_stroke (runs, ink, series, c, y, end - c, stroke, end);
          before = y;
        }
      else
        before = NONE;
      c = end;
    }
}

static int *
dup_outline (const Columns *columns, const int *rows)
{
  int *outline = g_new (int, MAX (columns->width, 1));

  for (int c = 0; c < columns->width; c++)
    outline[c] = columns->position[c] != TSR_NO_INDEX ? rows[c] : NONE;
  return outline;
}

/* Where the red line over what does not fit ends. */
static int *
dup_caps (const Columns *columns)
{
  int *caps = g_new (int, MAX (columns->width, 1));

  for (int c = 0; c < columns->width; c++)
    caps[c] = columns->excess[c] != NONE
                  ? MIN (columns->excess[c] + columns->stroke, columns->limit)
                  : NONE;
  return caps;
}

static void
add_all (Runs *runs)
{
  const TsrStepData *data = runs->data;
  const Columns *columns = runs->columns;
  int width = columns->width;

  for (guint b = 0; b < data->n_bands; b++)
    add_area (runs, TSR_ITEM_RECT, data->outlined ? data->tint : data->bands[b].ink,
              data->bands[b].series, columns->edges + (gsize)(b + 1) * width,
              columns->edges + (gsize)b * width, 0);
  if (columns->spread != NULL)
    add_area (runs, TSR_ITEM_RECT, data->spread, data->bands[0].series, columns->edges + width,
              columns->spread, 0);
  if (columns->excess != NULL)
    {
      g_autofree int *caps = dup_caps (columns);

      add_area (runs, data->outlined || data->n_bands == 0 ? TSR_ITEM_RECT : TSR_ITEM_HATCH,
                TSR_INK_OVERFLOW_TINT, data->excess_series, columns->excess, NULL, columns->limit);
      add_area (runs, TSR_ITEM_HATCH, TSR_INK_OVERFLOW, data->excess_series, columns->excess, NULL,
                columns->limit);
      add_area (runs, TSR_ITEM_RECT, TSR_INK_OVERFLOW, data->excess_series, columns->excess, caps,
                0);
    }
  if (data->outlined && data->n_bands > 0)
    {
      g_autofree int *outline = dup_outline (columns, columns->edges + width);

      add_outline (runs, data->bands[0].ink, data->bands[0].series, outline);
    }
  if (columns->line != NULL)
    add_outline (runs, data->line_ink, data->line_series, columns->line);
}

/* ----------------------------------------------------------------- raster */

static void
add_bands (const TsrStepData *data, const Columns *columns, TsrDrawRaster *raster)
{
  int width = columns->width;

  for (guint b = 0; b < data->n_bands; b++)
    {
      const int *top = columns->edges + (gsize)(b + 1) * width;
      const int *foot = columns->edges + (gsize)b * width;
      TsrRasterLayer *layer = tsr_draw_raster_add_layer (
          raster, TSR_LAYER_PLAIN, data->outlined ? data->tint : data->bands[b].ink, 0);

      for (int c = 0; c < width; c++)
        {
          layer->from[c] = top[c];
          layer->to[c] = foot[c];
        }
      if (columns->spread == NULL)
        continue;
      layer = tsr_draw_raster_add_layer (raster, TSR_LAYER_PLAIN, data->spread, 0);
      for (int c = 0; c < width; c++)
        if (columns->spread[c] != NONE)
          {
            layer->from[c] = top[c];
            layer->to[c] = MIN (columns->spread[c], foot[c]);
          }
    }
}

static void
add_excess (const TsrStepData *data, const Columns *columns, TsrDrawRaster *raster)
{
  int line = MAX (floor (HATCH_WIDTH * columns->scale + 0.5), 1);
  TsrRasterLayer *layer
      = tsr_draw_raster_add_layer (raster, data->outlined ? TSR_LAYER_HATCH : TSR_LAYER_HATCH_LINES,
                                   TSR_INK_OVERFLOW, TSR_INK_OVERFLOW_TINT);

  raster->hatch_period = MAX (floor (TSR_HATCH_SPACING * columns->scale + 0.5), 2);
  raster->hatch_line = line;
  raster->hatch_origin = (guint)floor (columns->x * columns->scale + 0.5)
                         + (guint)floor (columns->y * columns->scale + 0.5) + line / 2;
  for (int c = 0; c < columns->width; c++)
    if (columns->excess[c] != NONE)
      {
        layer->from[c] = columns->excess[c];
        layer->to[c] = columns->limit;
      }
  /* Where it ends. */
  layer = tsr_draw_raster_add_layer (raster, TSR_LAYER_PLAIN, TSR_INK_OVERFLOW, 0);
  for (int c = 0; c < columns->width; c++)
    if (columns->excess[c] != NONE)
      {
        layer->from[c] = columns->excess[c];
        layer->to[c] = MIN (columns->excess[c] + columns->stroke, columns->limit);
      }
}

/* Tread and riser of each column are one range; what is beyond the limit is red. */
static void
add_outline_layers (const Columns *columns, TsrDrawRaster *raster, const int *rows, guint8 ink)
{
  int limit = columns->excess != NULL ? columns->limit : 0;
  int stroke = columns->stroke;
  TsrRasterLayer *layer = tsr_draw_raster_add_layer (raster, TSR_LAYER_PLAIN, ink, 0);
  guint16 *from = layer->from;
  guint16 *to = layer->to;
  int before = NONE;

  for (int c = 0; c < columns->width; c++)
    {
      int y = rows[c] != NONE ? CLAMP (rows[c], 0, columns->height - stroke) : NONE;

      if (y != NONE)
        {
          gboolean riser = before != NONE && ABS (before - y) > stroke;

          from[c] = riser ? MIN (before, y) : y;
          to[c] = riser ? MAX (before, y + stroke) : y + stroke;
        }
      before = y;
    }
  if (limit == 0)
    return;
  layer = tsr_draw_raster_add_layer (raster, TSR_LAYER_PLAIN, TSR_INK_OVERFLOW, 0);
  for (int c = 0; c < columns->width; c++)
    {
      layer->from[c] = from[c];
      layer->to[c] = MIN (to[c], limit);
    }
}

static void
move_rows (int *rows, int n, int by)
{
  for (int i = 0; rows != NULL && i < n; i++)
    if (rows[i] != NONE)
      rows[i] -= by;
}

/* Takes the rows away in which no column has anything: every pixel of a raster is painted. */
static void
crop (const TsrStepData *self, Columns *columns)
{
  const int *edges = columns->edges + (gsize)self->n_bands * columns->width;
  int top = columns->height;
  int bottom = columns->foot;

  for (int c = 0; c < columns->width; c++)
    {
      top = MIN (top, edges[c]);
      if (columns->line != NULL && columns->line[c] != NONE)
        {
          top = MIN (top, columns->line[c]);
          bottom = MAX (bottom, columns->line[c]);
        }
      if (columns->excess != NULL && columns->excess[c] != NONE)
        {
          top = MIN (top, columns->excess[c]);
          bottom = MAX (bottom, columns->limit);
        }
    }
  bottom = MIN (bottom + columns->stroke, columns->height);
  top = CLAMP (top, 0, bottom - columns->stroke);
  move_rows (columns->edges, columns->width * (int)(self->n_bands + 1), top);
  move_rows (columns->spread, columns->width, top);
  move_rows (columns->line, columns->width, top);
  move_rows (columns->excess, columns->width, top);
  columns->limit -= top;
  columns->foot -= top;
  columns->height = bottom - top;
  columns->y += top / columns->scale;
}

/* The row from which on all columns have nothing but the lowest band. */
static int
get_flat (const TsrStepData *self, const Columns *columns)
{
  const int *top = columns->edges + columns->width;
  int flat = columns->excess != NULL ? columns->limit : 0;

  if (self->n_bands == 0)
    return columns->height;
  for (int c = 0; c < columns->width; c++)
    flat = MAX (flat, top[c]);
  for (int c = 0; columns->spread != NULL && c < columns->width; c++)
    flat = MAX (flat, columns->spread[c]);
  for (int c = 0; columns->line != NULL && c < columns->width; c++)
    flat = MAX (flat, columns->line[c]);
  return MIN (flat + columns->stroke, columns->height);
}

/* A pixel of a raster is written, and read again to be drawn; one of a rectangle costs a tenth.  So
 * what is flat below all columns is one. */
static void
add_flat (const TsrStepData *self, Columns *columns, TsrDrawList *list)
{
  int flat = get_flat (self, columns);
  TsrDrawItem *item;

  if (flat >= columns->foot)
    return;
  item = tsr_draw_list_rect (list, self->outlined ? self->tint : self->bands[0].ink, columns->x,
                             columns->y + flat / columns->scale, columns->width / columns->scale,
                             (columns->foot - flat) / columns->scale);
  item->series = self->bands[0].series;
  for (int c = 0; c < columns->width; c++)
    columns->edges[c] = flat;
  columns->height = columns->foot = flat;
}

static void
add_raster (const TsrStepData *self, Columns *columns, TsrDrawList *list)
{
  TsrDrawRaster *raster;

  crop (self, columns);
  add_flat (self, columns, list);
  raster = tsr_draw_list_columns (list, columns->x, columns->y, columns->width / columns->scale,
                                  columns->height / columns->scale, columns->scale);
  g_assert (raster->width == (guint)columns->width && raster->height == (guint)columns->height);
  add_bands (self, columns, raster);
  if (columns->excess != NULL)
    add_excess (self, columns, raster);
  if (self->outlined && self->n_bands > 0)
    {
      g_autofree int *outline = dup_outline (columns, columns->edges + columns->width);

      add_outline_layers (columns, raster, outline, self->bands[0].ink);
    }
  if (columns->line != NULL)
    add_outline_layers (columns, raster, columns->line, self->line_ink);
}

void
tsr_step_layout (const TsrStepData *self,
                 const TsrChartGeometry *geometry,
                 const TsrPlotArea *area,
                 TsrDrawList *list)
{
  g_auto (Columns) columns = { 0 };
  Runs runs = { self, &columns, NULL, 0 };

  if (area->width <= 0 || !(geometry->to > geometry->from) || !(area->y_to > area->y_from))
    return;
  make_columns (self, geometry, area, &columns);
  if (columns.width == 0 || columns.height <= columns.stroke)
    return;
  add_all (&runs);
  if (runs.n > TSR_STEP_MAX_RECTS)
    {
      add_raster (self, &columns, list);
      return;
    }
  runs.list = list;
  add_all (&runs);
}

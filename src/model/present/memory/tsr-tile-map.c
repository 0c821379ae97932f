/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile map: values, colour scale, view, where tiles are drawn, and its texts. */

#include "config.h"

#include "tsr-tile-map-private.h"

#include "tsr-axis.h"
#include "tsr-chart-frame.h"
#include "tsr-json-writer.h"
#include "tsr-tile-axis.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

struct _TsrTileMap
{
  TsrChartModel parent_instance;

  TsrMemory *memory;
  TsrTileSelection *selection; /* (nullable) */
  TsrTileAxis *axis;           /* for names of tiles */
  guint n;                     /* tiles */
  guint per_ipu;               /* tiles of an IPU; all of them when not known */
  guint columns, rows;         /* of an IPU's floor plan */
  gboolean physical;           /* the floor plan is known */
  guint32 *cell_of;            /* [tile of IPU]: row * columns + column */
  guint32 *tile_of;            /* [row * columns + column]: tile of IPU, or TSR_NO_DATUM */

  gint64 *values; /* by tile */
  gint64 *need; /* (nullable) by tile: what does not fit, where that is not for the values to say */
  char *key, *label;
  gint64 capacity;
  TsrUnits units;
  gboolean counts;             /* plain numbers, not bytes */
  gint64 least, largest;       /* of the known values; TSR_UNKNOWN without any */
  gint64 scale_from, scale_to; /* as asked for */

  guint *ipus; /* shown */
  guint n_ipus;
  double zoom, view_x, view_y;
};

/* Where things lie at one size and view; logical pixels. */
typedef struct
{
  double left, top, width, height; /* of the plot; 0 x 0 when there is no room */
  double scale;
  guint block_columns, block_rows;
  double cell_width, cell_height;
  double block_width, block_height;   /* from one block to the next: cells, name, gap */
  double name_height;                 /* over the cells of a block */
  double map_width, map_height, x, y; /* of the map, which may stick out of the plot */
  gboolean lines;                     /* cells stand apart */
  double bar_x;                       /* of the colour scale */
  TsrAxis *axis;
} TsrTilePlan;

static void
tsr_tile_plan_clear (TsrTilePlan *plan)
{
  g_clear_pointer (&plan->axis, tsr_axis_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrTilePlan, tsr_tile_plan_clear)

static guint tsr_tile_map_get_ink (TsrTileMap *self, gint64 value);
static gint64 tsr_tile_map_get_excess (TsrTileMap *self, guint32 tile);

/* Where things lie on a tile map, the view of it, and what is at a point.  Blocks (IPUs) stand in a
 * grid, each with its name over its cells; all of it grows with the zoom, so that map units are
 * linear. */

#define TSR_TILE_BAR_WIDTH 14.0
#define TSR_TILE_WHOLE     3.0 /* device pixels from which on cells have whole ones */
#define MARGIN             12.0
#define TITLE_SIZE         15.0
#define NOTE_HEIGHT        14.0
#define NAME_HEIGHT        18.0
#define GAP                14.0 /* between blocks */
#define TICK               4.0
#define MIN_SIDE           8.0
#define MAX_SHAPE          2.0 /* a cell is at most this much wider than high, or higher than wide */
#define APART              5.0 /* device pixels from which on there is a line between cells */
#define MAX_CELL           96.0
#define MAX_NAMES          256

static double
measure (const TsrChartGeometry *geometry, const char *text, double size, gboolean bold)
{
  double width;

  geometry->measure.measure (geometry->measure.data, text, size, bold, &width, NULL);
  return width;
}

/* ------------------------------------------------------------------- plan */

/* The grid of blocks whose cells are largest at zoom 1. */
static void
choose_blocks (TsrTilePlan *plan, TsrTileMap *self, double name_height, double gap)
{
  guint n = self->n_ipus;
  double best = -1;

  for (guint columns = 1; columns <= n; columns++)
    {
      guint rows = (n + columns - 1) / columns;
      double width = (plan->width - (columns - 1) * gap) / ((double)columns * self->columns);
      double height
          = (plan->height - rows * name_height - (rows - 1) * gap) / ((double)rows * self->rows);

      if (width <= 0 || height <= 0)
        continue;
      width = MIN (width, height * MAX_SHAPE);
      height = MIN (height, width * MAX_SHAPE);
      if (width * height <= best)
        continue;
      best = width * height;
      plan->block_columns = columns;
      plan->block_rows = rows;
      plan->cell_width = width;
      plan->cell_height = height;
    }
}

static double
whole_pixels (double length, double scale, gboolean down)
{
  if (length * scale < TSR_TILE_WHOLE)
    return length;
  return (down ? floor (length * scale) : round (length * scale)) / scale;
}

static void
place_map (TsrTilePlan *plan, TsrTileMap *self)
{
  double name_height = self->n_ipus <= MAX_NAMES ? NAME_HEIGHT : 0;
  double gap = self->n_ipus <= MAX_NAMES ? GAP : 0;
  double zoom = self->zoom;

  choose_blocks (plan, self, name_height, gap);
  if (plan->block_columns == 0)
    {
      name_height = gap = 0;
      choose_blocks (plan, self, 0, 0);
    }
  zoom = MIN (zoom, MAX (MAX_CELL / MAX (plan->cell_width, plan->cell_height), 1));
  plan->cell_width = whole_pixels (plan->cell_width, plan->scale, TRUE);
  plan->cell_height = whole_pixels (plan->cell_height, plan->scale, TRUE);
  plan->cell_width = whole_pixels (plan->cell_width * zoom, plan->scale, FALSE);
  plan->cell_height = whole_pixels (plan->cell_height * zoom, plan->scale, FALSE);
  plan->lines = plan->cell_width * plan->scale >= APART && plan->cell_height * plan->scale >= APART;
  plan->name_height = name_height * zoom;
  plan->block_width = self->columns * plan->cell_width + gap * zoom;
  plan->block_height = self->rows * plan->cell_height + plan->name_height + gap * zoom;
  plan->map_width = plan->block_columns * plan->block_width - gap * zoom;
  plan->map_height = plan->block_rows * plan->block_height - gap * zoom;
  plan->x = plan->left + plan->width / 2 - self->view_x * plan->map_width;
  plan->y = plan->top + plan->height / 2 - self->view_y * plan->map_height;
  if (plan->map_width <= plan->width)
    plan->x = plan->left + (plan->width - plan->map_width) / 2;
  else
    plan->x = CLAMP (plan->x, plan->left + plan->width - plan->map_width, plan->left);
  if (plan->map_height <= plan->height)
    plan->y = plan->top + MIN ((plan->height - plan->map_height) / 2, GAP);
  else
    plan->y = CLAMP (plan->y, plan->top + plan->height - plan->map_height, plan->top);
  plan->x = tsr_draw_list_snap (plan->x, plan->scale);
  plan->y = tsr_draw_list_snap (plan->y, plan->scale);
}

static void
tsr_tile_plan_init (TsrTilePlan *plan, TsrTileMap *self, const TsrChartGeometry *geometry)
{
  gint64 top = tsr_tile_map_get_top (self);
  double right, labels, bottom = geometry->height - MARGIN;

  memset (plan, 0, sizeof *plan);
  plan->scale = geometry->scale;
  plan->left = MARGIN;
  plan->top = MARGIN / 2 + geometry->inset;
  if (geometry->title != NULL)
    plan->top += TITLE_SIZE * 1.25 + MARGIN;
  if (!self->physical)
    bottom -= NOTE_HEIGHT; /* a note stands there */
  plan->axis = self->counts
                   ? tsr_axis_new_counts_between (0, top, MAX (bottom - plan->top - 12, 1),
                                                  &geometry->measure, TSR_AXIS_FONT_SIZE)
                   : tsr_axis_new_bytes (self->units, top, MAX (bottom - plan->top - 12, 1),
                                         &geometry->measure, TSR_AXIS_FONT_SIZE);
  labels = plan->axis->label_width;
  if (self->capacity != TSR_UNKNOWN)
    {
      g_autofree char *text = tsr_units_dup_bytes (self->units, self->capacity);

      labels = MAX (labels, measure (geometry, text, TSR_AXIS_FONT_SIZE, TRUE));
    }
  right = tsr_draw_list_snap (geometry->width - MARGIN - labels - TICK - 4, plan->scale);
  plan->bar_x = tsr_draw_list_snap (right - TSR_TILE_BAR_WIDTH, plan->scale);
  plan->width = tsr_draw_list_snap (plan->bar_x - 2 * MARGIN, plan->scale) - plan->left;
  plan->height
      = tsr_draw_list_snap (bottom, plan->scale) - tsr_draw_list_snap (plan->top, plan->scale);
  plan->top = tsr_draw_list_snap (plan->top, plan->scale);
  if (plan->width < MIN_SIDE || plan->height < 2 * MIN_SIDE || self->n_ipus == 0 || self->n == 0)
    {
      plan->width = plan->height = 0;
      return;
    }
  place_map (plan, self);
  if (plan->block_columns == 0)
    plan->width = plan->height = 0;
}

/* Top left corner of the cells of block @i; its tiles [*first, *end). */
static void
tsr_tile_plan_get_block (const TsrTilePlan *plan, guint i, double *x, double *y)
{
  *x = plan->x + i % plan->block_columns * plan->block_width;
  *y = plan->y + i / plan->block_columns * plan->block_height + plan->name_height;
}

static void
tsr_tile_plan_get_tiles (TsrTileMap *self, guint i, guint *first, guint *end)
{
  *first = self->ipus[i] * self->per_ipu;
  *end = MIN (*first + self->per_ipu, self->n);
}

/* Cells of a block that [from, to) touches, in one direction: [*first, *end). */
static void
tsr_tile_plan_get_cells (
    double from, double to, double origin, double size, guint n, int *first, int *end)
{
  *first = (int)CLAMP (floor ((from - origin) / size - 1e-9), 0, n);
  *end = (int)CLAMP (ceil ((to - origin) / size + 1e-9), 0, n);
}

static gboolean
tsr_tile_plan_find_block (TsrTileMap *self, guint32 tile, guint *block)
{
  for (guint i = 0; tile < self->n && i < self->n_ipus; i++)
    if (self->ipus[i] == tile / self->per_ipu)
      {
        *block = i;
        return TRUE;
      }
  return FALSE;
}

/* Top left corner of a cell. */
static void
tsr_tile_plan_get_cell (
    TsrTileMap *self, const TsrTilePlan *plan, guint block, guint32 cell, double *x, double *y)
{
  tsr_tile_plan_get_block (plan, block, x, y);
  *x += cell % self->columns * plan->cell_width;
  *y += cell / self->columns * plan->cell_height;
}

gboolean
tsr_tile_map_get_cell (TsrTileMap *self,
                       const TsrChartGeometry *geometry,
                       guint32 tile,
                       double *x,
                       double *y,
                       double *width,
                       double *height)
{
  g_auto (TsrTilePlan) plan = { 0 };
  guint block;

  g_return_val_if_fail (TSR_IS_TILE_MAP (self) && geometry != NULL, FALSE);
  tsr_tile_plan_init (&plan, self, geometry);
  if (plan.width <= 0 || !tsr_tile_plan_find_block (self, tile, &block))
    return FALSE;
  tsr_tile_plan_get_cell (self, &plan, block, self->cell_of[tile % self->per_ipu], x, y);
  *width = plan.cell_width;
  *height = plan.cell_height;
  return TRUE;
}

/* -------------------------------------------------------------------- view */

void
tsr_tile_map_zoom_about (
    TsrTileMap *self, const TsrChartGeometry *geometry, double x, double y, double factor)
{
  g_auto (TsrTilePlan) before = { 0 };
  g_auto (TsrTilePlan) after = { 0 };
  double u, v, zoom;

  g_return_if_fail (TSR_IS_TILE_MAP (self) && geometry != NULL);
  tsr_tile_plan_init (&before, self, geometry);
  if (before.width <= 0 || !(factor > 0))
    return;
  u = (x - before.x) / before.map_width;
  v = (y - before.y) / before.map_height;
  zoom = self->zoom * factor;
  /* Beyond the largest cell nothing grows any more. */
  if (factor > 1 && MAX (before.cell_width, before.cell_height) >= MAX_CELL - 1)
    return;
  self->zoom = CLAMP (zoom, 1, 64);
  tsr_tile_plan_init (&after, self, geometry);
  zoom = self->zoom;
  self->zoom = -1; /* so that _set_view sees a change */
  tsr_tile_map_set_view (
      self, zoom, (after.left + after.width / 2 - (x - u * after.map_width)) / after.map_width,
      (after.top + after.height / 2 - (y - v * after.map_height)) / after.map_height);
}

void
tsr_tile_map_pan (TsrTileMap *self, const TsrChartGeometry *geometry, double dx, double dy)
{
  g_auto (TsrTilePlan) plan = { 0 };

  g_return_if_fail (TSR_IS_TILE_MAP (self) && geometry != NULL);
  tsr_tile_plan_init (&plan, self, geometry);
  if (plan.width <= 0)
    return;
  /* From where the map really lies: the centre may stand beyond what its edges allow. */
  tsr_tile_map_set_view (self, self->zoom,
                         (plan.left + plan.width / 2 - plan.x + dx) / plan.map_width,
                         (plan.top + plan.height / 2 - plan.y + dy) / plan.map_height);
}

void
tsr_tile_map_reveal (TsrTileMap *self, const TsrChartGeometry *geometry, guint32 tile)
{
  g_auto (TsrTilePlan) plan = { 0 };
  guint block;
  double x, y, dx, dy;

  g_return_if_fail (TSR_IS_TILE_MAP (self) && geometry != NULL);
  tsr_tile_plan_init (&plan, self, geometry);
  if (plan.width <= 0 || !tsr_tile_plan_find_block (self, tile, &block))
    return;
  tsr_tile_plan_get_cell (self, &plan, block, self->cell_of[tile % self->per_ipu], &x, &y);
  dx = MIN (x - plan.left, 0) + MAX (x + plan.cell_width - plan.left - plan.width, 0);
  dy = MIN (y - plan.top, 0) + MAX (y + plan.cell_height - plan.top - plan.height, 0);
  if (dx != 0 || dy != 0)
    tsr_tile_map_pan (self, geometry, dx, dy);
}

/* -------------------------------------------------------------------- hits */

/* Calls @func for each tile that the rectangle touches. */
typedef void (*TileFunc) (TsrTileMap *self, guint32 tile, gpointer data);

static void
foreach_tile_in (TsrTileMap *self,
                 const TsrTilePlan *plan,
                 double x1,
                 double y1,
                 double x2,
                 double y2,
                 TileFunc func,
                 gpointer data)
{
  for (guint i = 0; i < self->n_ipus; i++)
    {
      int c1, c2, r1, r2;
      guint first, end;
      double x, y;

      tsr_tile_plan_get_block (plan, i, &x, &y);
      tsr_tile_plan_get_cells (x1, x2, x, plan->cell_width, self->columns, &c1, &c2);
      tsr_tile_plan_get_cells (y1, y2, y, plan->cell_height, self->rows, &r1, &r2);
      tsr_tile_plan_get_tiles (self, i, &first, &end);
      for (int row = r1; row < r2; row++)
        for (int column = c1; column < c2; column++)
          {
            guint32 tile = self->tile_of[row * self->columns + column];

            if (tile != TSR_NO_DATUM && first + tile < end)
              func (self, first + tile, data);
          }
    }
}

static void
keep_largest (TsrTileMap *self, guint32 tile, gpointer data)
{
  guint32 *best = data;
  gint64 more = *best == TSR_NO_DATUM
                    ? 0
                    : tsr_tile_map_get_excess (self, tile) - tsr_tile_map_get_excess (self, *best);

  if (*best == TSR_NO_DATUM || more > 0 || (more == 0 && self->values[tile] > self->values[*best]))
    *best = tile;
}

guint32
tsr_tile_map_tile_at (TsrTileMap *self, const TsrChartGeometry *geometry, double x, double y)
{
  g_auto (TsrTilePlan) plan = { 0 };
  guint32 best = TSR_NO_DATUM;
  double px, py, size;

  g_return_val_if_fail (TSR_IS_TILE_MAP (self) && geometry != NULL, TSR_NO_DATUM);
  tsr_tile_plan_init (&plan, self, geometry);
  if (x < plan.left || x >= plan.left + plan.width || y < plan.top || y >= plan.top + plan.height)
    return TSR_NO_DATUM;
  /* The whole device pixel where cells are smaller, else its middle. */
  size = 1 / plan.scale;
  px = floor (x * plan.scale) / plan.scale;
  py = floor (y * plan.scale) / plan.scale;
  if (MIN (plan.cell_width, plan.cell_height) >= size)
    {
      px += size / 2;
      py += size / 2;
      size = 0;
    }
  foreach_tile_in (self, &plan, px, py, px + size, py + size, keep_largest, &best);
  return best;
}

static void
append_tile (TsrTileMap *self, guint32 tile, gpointer data)
{
  g_array_append_val ((GArray *)data, tile);
}

static int
compare_tiles (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;

  return (x > y) - (x < y);
}

GArray *
tsr_tile_map_dup_tiles_in (TsrTileMap *self,
                           const TsrChartGeometry *geometry,
                           double x,
                           double y,
                           double width,
                           double height)
{
  GArray *tiles = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_auto (TsrTilePlan) plan = { 0 };

  g_return_val_if_fail (TSR_IS_TILE_MAP (self) && geometry != NULL, tiles);
  tsr_tile_plan_init (&plan, self, geometry);
  if (plan.width <= 0)
    return tiles;
  foreach_tile_in (self, &plan, MAX (x, plan.left), MAX (y, plan.top),
                   MIN (x + width, plan.left + plan.width),
                   MIN (y + height, plan.top + plan.height), append_tile, tiles);
  g_array_sort (tiles, compare_tiles);
  return tiles;
}

guint32
tsr_tile_map_neighbour (TsrTileMap *self, guint32 tile, int dx, int dy)
{
  guint32 cell, other;
  int column, row;

  g_return_val_if_fail (TSR_IS_TILE_MAP (self) && tile < self->n, tile);
  cell = self->cell_of[tile % self->per_ipu];
  column = (int)(cell % self->columns) + dx;
  row = (int)(cell / self->columns) + dy;
  if (column < 0 || column >= (int)self->columns || row < 0 || row >= (int)self->rows)
    return tile;
  other = self->tile_of[row * self->columns + column];
  if (other == TSR_NO_DATUM || tile / self->per_ipu * self->per_ipu + other >= self->n)
    return tile;
  return tile / self->per_ipu * self->per_ipu + other;
}

/* The tile map as a draw list.  Cells are one raster, whatever their number: where several tiles
 * share a device pixel it shows the largest. */

#define NAME_SIZE   11.0
#define NUMBER_SIZE 9.0
#define HATCHED     6.0 /* logical pixels of a cell that is hatched */
#define MAX_NUMBERS 1600
#define MAX_HATCHES 2000
#define MAX_FRAMES  400
#define HANDLE      5.0 /* pixels from a handle that still take it */

static double
measure_cells (const TsrChartGeometry *geometry, const char *text, double size, gboolean bold)
{
  double width;

  geometry->measure.measure (geometry->measure.data, text, size, bold, &width, NULL);
  return width;
}

/* ------------------------------------------------------------------- scale */

static double
scale_y (const TsrTilePlan *plan, TsrTileMap *self, gint64 value)
{
  double share = (double)value / (double)tsr_tile_map_get_top (self);

  return tsr_draw_list_snap (plan->top + 6 + (plan->height - 12) * (1 - CLAMP (share, 0, 1)),
                             plan->scale);
}

TsrScalePart
tsr_tile_map_scale_at (
    TsrTileMap *self, const TsrChartGeometry *geometry, double x, double y, gint64 *value)
{
  g_auto (TsrTilePlan) plan = { 0 };
  gint64 from, to, top;
  double share, to_from, to_to;

  g_return_val_if_fail (TSR_IS_TILE_MAP (self) && geometry != NULL, TSR_SCALE_NONE);
  tsr_tile_plan_init (&plan, self, geometry);
  *value = 0;
  if (plan.width <= 0)
    return TSR_SCALE_NONE;
  top = tsr_tile_map_get_top (self);
  share = 1 - (y - plan.top - 6) / MAX (plan.height - 12, 1);
  *value = (gint64)(CLAMP (share, 0, 1) * (double)top);
  if (x < plan.bar_x - 8 || y < plan.top || y > plan.top + plan.height)
    return TSR_SCALE_NONE;
  tsr_tile_map_get_scale (self, &from, &to);
  to_from = fabs (y - scale_y (&plan, self, from));
  to_to = fabs (y - scale_y (&plan, self, to));
  if (MIN (to_from, to_to) > HANDLE)
    return TSR_SCALE_BODY;
  return to_from < to_to ? TSR_SCALE_FROM : TSR_SCALE_TO;
}

static void
layout_scale (const TsrTilePlan *plan, TsrTileMap *self, TsrDrawList *list)
{
  double length = plan->height - 12;
  double top = plan->top + 6;
  TsrDrawRaster *raster
      = tsr_draw_list_raster (list, plan->bar_x, tsr_draw_list_snap (top, plan->scale),
                              TSR_TILE_BAR_WIDTH, length, plan->scale);
  gint64 most = tsr_tile_map_get_top (self), from, to;

  tsr_tile_map_get_scale (self, &from, &to);
  for (guint row = 0; row < raster->height; row++)
    {
      gint64 value = (gint64)((1 - (row + 0.5) / raster->height) * (double)most);

      memset (raster->inks + (gsize)row * raster->width,
              (int)tsr_tile_map_get_ink (self, MAX (value, 1)), raster->width);
    }
  for (guint i = 0; i < 2; i++)
    {
      double y = scale_y (plan, self, i == 0 ? from : to);

      tsr_draw_list_rect (list, TSR_INK_TEXT, plan->bar_x - 5, y - 1, TSR_TILE_BAR_WIDTH + 5, 2);
      tsr_draw_list_rect (list, TSR_INK_TEXT, plan->bar_x - 8, y - 3, 5, 6);
    }
  if (self->capacity != TSR_UNKNOWN)
    tsr_axis_clear_near (plan->axis, length * (1 - (double)self->capacity / (double)most),
                         plan->axis->label_height);
  for (guint i = 0; i < plan->axis->ticks->len; i++)
    {
      const TsrTick *tick = &g_array_index (plan->axis->ticks, TsrTick, i);
      double y = scale_y (plan, self, tick->value);
      double x = plan->bar_x + TSR_TILE_BAR_WIDTH;

      if (tick->label == NULL)
        continue;
      tsr_draw_list_rect (list, TSR_INK_AXIS, x, y, TICK, 1 / plan->scale);
      tsr_draw_list_label (list, TSR_INK_DIM_TEXT, x + TICK + 4, y, 0, 0.5, tick->label)->font_size
          = TSR_AXIS_FONT_SIZE;
    }
  if (self->capacity != TSR_UNKNOWN)
    {
      g_autofree char *text = tsr_units_dup_bytes (self->units, self->capacity);
      double y = scale_y (plan, self, self->capacity);
      TsrDrawItem *item;

      tsr_draw_list_rect (list, TSR_INK_CAPACITY, plan->bar_x, y, TSR_TILE_BAR_WIDTH + TICK, 1.5);
      item = tsr_draw_list_label (list, TSR_INK_TEXT, plan->bar_x + TSR_TILE_BAR_WIDTH + TICK + 4,
                                  y, 0, 0.5, text);
      item->font_size = TSR_AXIS_FONT_SIZE;
      item->bold = TRUE;
    }
}

/* ------------------------------------------------------------------- cells */

/* Which of two inks a shared pixel shows: unknown, nothing, little ... much, overflow. */
static int
rank_ink (guint ink)
{
  if (ink == TSR_RASTER_CLEAR)
    return 0;
  if (ink == TSR_INK_GRID)
    return 2;
  if (ink == TSR_INK_OVERFLOW)
    return G_MAXINT;
  return ink >= TSR_INK_RAMP ? (int)ink : 1;
}

typedef struct
{
  const TsrTilePlan *plan;
  TsrDrawRaster *raster;
} Cells;

/* Device pixels of [from, from + size) inside the raster; at least one where it is visible. */
static gboolean
get_pixels (
    double from, double size, double origin, double scale, guint n, gboolean line, int *a, int *b)
{
  int first = (int)floor ((from - origin) * scale + 0.5);
  int end = (int)floor ((from + size - origin) * scale + 0.5);

  if (end <= first)
    {
      first = (int)floor ((from - origin) * scale);
      end = first + 1;
    }
  if (line)
    end--;
  *a = MAX (first, 0);
  *b = MIN (end, (int)n);
  return *a < *b;
}

static void
fill_cell (TsrTileMap *self, const Cells *cells, double x, double y, guint ink)
{
  const TsrTilePlan *plan = cells->plan;
  TsrDrawRaster *raster = cells->raster;
  gboolean shared = MIN (plan->cell_width, plan->cell_height) * plan->scale < TSR_TILE_WHOLE;
  int x1, x2, y1, y2;

  if (!get_pixels (x, plan->cell_width, plan->left, plan->scale, raster->width, plan->lines, &x1,
                   &x2)
      || !get_pixels (y, plan->cell_height, plan->top, plan->scale, raster->height, plan->lines,
                      &y1, &y2))
    return;
  for (int row = y1; row < y2; row++)
    {
      guint8 *inks = raster->inks + (gsize)row * raster->width;

      if (!shared)
        memset (inks + x1, (int)ink, x2 - x1);
      else
        for (int i = x1; i < x2; i++)
          if (rank_ink (ink) > rank_ink (inks[i]))
            inks[i] = (guint8)ink;
    }
}

/* The visible cells of block @i: [*c1, *c2) x [*r1, *r2). */
static void
get_visible (TsrTileMap *self, const TsrTilePlan *plan, guint i, int *c1, int *c2, int *r1, int *r2)
{
  double x, y;

  tsr_tile_plan_get_block (plan, i, &x, &y);
  tsr_tile_plan_get_cells (plan->left, plan->left + plan->width, x, plan->cell_width, self->columns,
                           c1, c2);
  tsr_tile_plan_get_cells (plan->top, plan->top + plan->height, y, plan->cell_height, self->rows,
                           r1, r2);
}

/* A rectangle cut to the plot; FALSE when nothing is left. */
static gboolean
cut (const TsrTilePlan *plan, double *x, double *y, double *width, double *height)
{
  double right = MIN (*x + *width, plan->left + plan->width);
  double bottom = MIN (*y + *height, plan->top + plan->height);

  *x = MAX (*x, plan->left);
  *y = MAX (*y, plan->top);
  *width = right - *x;
  *height = bottom - *y;
  return *width > 0 && *height > 0;
}

static void
hatch_cell (const TsrTilePlan *plan, double x, double y, gboolean unknown, TsrDrawList *list)
{
  double width = plan->cell_width - 1 / plan->scale, height = plan->cell_height - 1 / plan->scale;
  TsrDrawItem *item;

  if (!cut (plan, &x, &y, &width, &height))
    return;
  item = tsr_draw_list_hatch (list, unknown ? TSR_INK_AXIS : TSR_INK_BACKGROUND, x, y, width,
                              height);
  item->line_width = 1;
}

static void
number_cell (
    const TsrTilePlan *plan, double x, double y, guint32 tile, guint ink, TsrDrawList *list)
{
  g_autofree char *text = g_strdup_printf ("%u", tile);
  double middle_x = x + (plan->cell_width - 1 / plan->scale) / 2;
  double middle_y = y + (plan->cell_height - 1 / plan->scale) / 2;
  TsrDrawItem *item;

  if (x < plan->left || x + plan->cell_width > plan->left + plan->width || y < plan->top
      || y + plan->cell_height > plan->top + plan->height)
    return;
  item = tsr_draw_list_label (list,
                              ink >= TSR_INK_RAMP && ink < TSR_INK_RAMP + TSR_RAMP_TEXT_STEP
                                  ? TSR_INK_TEXT
                              : ink == TSR_INK_GRID || ink == TSR_RASTER_CLEAR ? TSR_INK_TEXT
                                                                               : TSR_INK_BACKGROUND,
                              middle_x, middle_y, 0.5, 0.5, text);
  item->font_size = NUMBER_SIZE;
  item->datum = tile;
}

/* Whether the visible cells have room for numbers, and are not too many for them. */
static gboolean
has_numbers (TsrTileMap *self, const TsrTilePlan *plan, const TsrChartGeometry *geometry)
{
  g_autofree char *widest = g_strdup_printf ("%u", MAX (self->n, 1) - 1);
  double width = measure_cells (geometry, widest, NUMBER_SIZE, FALSE);
  guint n = 0;

  if (plan->cell_width < width + 3 || plan->cell_height < NUMBER_SIZE * 1.25 + 2)
    return FALSE;
  for (guint i = 0; i < self->n_ipus && n <= MAX_NUMBERS; i++)
    {
      int c1, c2, r1, r2;

      get_visible (self, plan, i, &c1, &c2, &r1, &r2);
      n += MAX (c2 - c1, 0) * MAX (r2 - r1, 0);
    }
  return n <= MAX_NUMBERS;
}

static void
layout_block (TsrTileMap *self,
              const Cells *cells,
              guint i,
              gboolean numbers,
              guint *n_hatches,
              TsrDrawList *list)
{
  const TsrTilePlan *plan = cells->plan;
  gboolean hatched = MIN (plan->cell_width, plan->cell_height) >= HATCHED;
  int c1, c2, r1, r2;
  guint first, end;

  get_visible (self, plan, i, &c1, &c2, &r1, &r2);
  tsr_tile_plan_get_tiles (self, i, &first, &end);
  for (int row = r1; row < r2; row++)
    for (int column = c1; column < c2; column++)
      {
        guint32 cell = row * self->columns + column;
        guint32 tile = self->tile_of[cell];
        double x, y;
        guint ink;

        if (tile == TSR_NO_DATUM || first + tile >= end)
          continue;
        tile += first;
        tsr_tile_plan_get_cell (self, plan, i, cell, &x, &y);
        ink = tsr_tile_map_get_tile_ink (self, tile);
        if (ink == TSR_RASTER_CLEAR && !hatched)
          ink = TSR_INK_SHARED;
        if (ink != TSR_RASTER_CLEAR)
          fill_cell (self, cells, x, y, ink);
        if (hatched && (ink == TSR_RASTER_CLEAR || ink == TSR_INK_OVERFLOW)
            && (*n_hatches)++ < MAX_HATCHES)
          hatch_cell (plan, x, y, ink == TSR_RASTER_CLEAR, list);
        if (numbers)
          number_cell (plan, x, y, tile, ink, list);
      }
}

static void
layout_names (TsrTileMap *self,
              const TsrTilePlan *plan,
              const TsrChartGeometry *geometry,
              TsrDrawList *list)
{
  gboolean assumed = tsr_memory_is_tiles_per_ipu_assumed (self->memory);

  if (plan->name_height <= 0 || tsr_memory_get_tiles_per_ipu (self->memory) == TSR_UNKNOWN)
    return;
  for (guint i = 0; i < self->n_ipus; i++)
    {
      g_autofree char *name
          = g_strdup_printf (assumed ? _ ("IPU %u (assumed)") : _ ("IPU %u"), self->ipus[i]);
      double x, y, width = measure_cells (geometry, name, NAME_SIZE, TRUE);
      TsrDrawItem *item;

      tsr_tile_plan_get_block (plan, i, &x, &y);
      /* Where a block is wider than the plot its name stays in sight. */
      x = MIN (MAX (x, plan->left), x + self->columns * plan->cell_width - width);
      if (y - NAME_SIZE * 1.25 - 2 < plan->top || y > plan->top + plan->height || x < plan->left
          || x + width > plan->left + plan->width)
        continue;
      item = tsr_draw_list_label (list, TSR_INK_DIM_TEXT, x, y - 3, 0, 1, name);
      item->font_size = NAME_SIZE;
      item->bold = TRUE;
      item->width = MIN (width + 1, self->columns * plan->cell_width);
    }
}

/* Members of TsrChartModelClass. */
static void
tsr_tile_map_layout (TsrChartModel *model,
                     const TsrChartGeometry *geometry,
                     TsrDrawList *list,
                     TsrPlotArea *area)
{
  TsrTileMap *self = TSR_TILE_MAP (model);
  g_auto (TsrTilePlan) plan = { 0 };
  Cells cells = { &plan, NULL };
  guint n_hatches = 0;
  gboolean numbers;
  TsrDrawItem *item;

  tsr_tile_plan_init (&plan, self, geometry);
  *area = (TsrPlotArea){ plan.left, plan.top, plan.width, plan.height, 0, 1 };
  if (plan.width <= 0)
    return;
  if (geometry->title != NULL)
    {
      item = tsr_draw_list_label (list, TSR_INK_TEXT, MARGIN, MARGIN, 0, 0, geometry->title);
      item->font_size = TITLE_SIZE;
      item->bold = TRUE;
      item->width = MAX (geometry->width - 2 * MARGIN, 1);
    }
  cells.raster
      = tsr_draw_list_raster (list, plan.left, plan.top, plan.width, plan.height, plan.scale);
  numbers = has_numbers (self, &plan, geometry);
  for (guint i = 0; i < self->n_ipus; i++)
    layout_block (self, &cells, i, numbers, &n_hatches, list);
  layout_names (self, &plan, geometry, list);
  layout_scale (&plan, self, list);
  if (self->physical)
    return;
  item = tsr_draw_list_label (list, TSR_INK_DIM_TEXT, MARGIN, geometry->height - 4, 0, 1,
                              _ ("In software order: where tiles lie on the chip is known only for "
                                 "IPUs of 1,472 tiles"));
  item->font_size = NAME_SIZE;
  item->width = MAX (geometry->width - 2 * MARGIN, 1);
}

/* ----------------------------------------------------------------- overlay */

static void
frame (const TsrTilePlan *plan,
       double x,
       double y,
       double width,
       double height,
       guint ink,
       double thick,
       guint32 datum,
       TsrDrawList *list)
{
  double sides[4][4] = { { x - thick, y - thick, width + 2 * thick, thick },
                         { x - thick, y + height, width + 2 * thick, thick },
                         { x - thick, y, thick, height },
                         { x + width, y, thick, height } };

  for (guint i = 0; i < 4; i++)
    if (cut (plan, &sides[i][0], &sides[i][1], &sides[i][2], &sides[i][3]))
      tsr_draw_list_rect (list, ink, sides[i][0], sides[i][1], sides[i][2], sides[i][3])->datum
          = datum;
}

/* Many selected tiles: where they border on others, in one raster. */
static void
layout_many (
    TsrTileMap *self, const TsrTilePlan *plan, const guint *tiles, guint n, TsrDrawList *list)
{
  TsrDrawRaster *raster
      = tsr_draw_list_raster (list, plan->left, plan->top, plan->width, plan->height, plan->scale);
  TsrTilePlan whole = *plan;
  Cells cells = { &whole, raster };

  whole.lines = FALSE;
  for (guint k = 0; k < n; k++)
    {
      guint block;
      double x, y;

      if (!tsr_tile_plan_find_block (self, tiles[k], &block))
        continue;
      tsr_tile_plan_get_cell (self, plan, block, self->cell_of[tiles[k] % self->per_ipu], &x, &y);
      fill_cell (self, &cells, x, y, TSR_INK_SELECTION);
    }
  g_array_index (list->items, TsrDrawItem, list->items->len - 1).alpha = 0.55f;
}

static void
layout_selection (TsrTileMap *self, const TsrTilePlan *plan, TsrDrawList *list)
{
  double thick = MAX (round (2 * plan->scale), 1) / plan->scale;
  guint n;
  const guint *tiles = tsr_tile_selection_peek (self->selection, &n);

  if (n > MAX_FRAMES || MIN (plan->cell_width, plan->cell_height) * plan->scale < TSR_TILE_WHOLE)
    {
      if (n > 0)
        layout_many (self, plan, tiles, n, list);
      return;
    }
  for (guint k = 0; k < n; k++)
    {
      guint block;
      double x, y;

      if (!tsr_tile_plan_find_block (self, tiles[k], &block))
        continue;
      tsr_tile_plan_get_cell (self, plan, block, self->cell_of[tiles[k] % self->per_ipu], &x, &y);
      /* A margin of the background: it stands out from any colour. */
      for (guint ring = 0; ring < 2; ring++)
        frame (plan, x, y, plan->cell_width - (plan->lines ? 1 / plan->scale : 0),
               plan->cell_height - (plan->lines ? 1 / plan->scale : 0),
               ring == 0 ? TSR_INK_BACKGROUND : TSR_INK_SELECTION, thick + (ring == 0 ? 1 : 0),
               tiles[k], list);
    }
}

static void
mark (TsrTileMap *self, const TsrTilePlan *plan, guint32 tile, guint ink, TsrDrawList *list)
{
  double line = plan->lines ? 1 / plan->scale : 0;
  guint block;
  double x, y;

  if (!tsr_tile_plan_find_block (self, tile, &block))
    return;
  tsr_tile_plan_get_cell (self, plan, block, self->cell_of[tile % self->per_ipu], &x, &y);
  frame (plan, x, y, MAX (plan->cell_width - line, 3), MAX (plan->cell_height - line, 3), ink, 1,
         tile, list);
}

static void
tsr_tile_map_layout_overlay (TsrChartModel *model,
                             const TsrChartGeometry *geometry,
                             const TsrPlotArea *area,
                             guint32 hover,
                             guint32 cursor,
                             TsrDrawList *list)
{
  TsrTileMap *self = TSR_TILE_MAP (model);
  g_auto (TsrTilePlan) plan = { 0 };

  tsr_tile_plan_init (&plan, self, geometry);
  if (plan.width <= 0)
    return;
  if (self->selection != NULL)
    layout_selection (self, &plan, list);
  if (hover < self->n)
    mark (self, &plan, hover, TSR_INK_HOVER, list);
  if (cursor < self->n)
    mark (self, &plan, cursor, TSR_INK_TEXT, list);
}

#define PHYSICAL_COLUMNS 64
#define MAX_ZOOM         64.0

G_DEFINE_FINAL_TYPE (TsrTileMap, tsr_tile_map, TSR_TYPE_CHART_MODEL)

/* Floor plan */

/* Rows of this many tiles where the real place is not known: the shape of the known one. */
static guint
guess_columns (guint n)
{
  if (n >= 512 && n <= 4096)
    return PHYSICAL_COLUMNS;
  return CLAMP ((guint)ceil (sqrt (n * 64.0 / 23)), 1, MAX (n, 1));
}

static void
make_floor_plan (TsrTileMap *self)
{
  gint64 per_ipu = tsr_memory_get_tiles_per_ipu (self->memory);

  self->n = tsr_memory_get_n_tiles (self->memory);
  self->per_ipu = MAX (per_ipu > 0 && per_ipu < self->n ? (guint)per_ipu : self->n, 1);
  self->physical = per_ipu > 0 && tsr_tile_get_physical (0, (guint)per_ipu) >= 0;
  self->columns = self->physical ? PHYSICAL_COLUMNS : guess_columns (self->per_ipu);
  self->rows = self->physical ? 23 : (self->per_ipu + self->columns - 1) / self->columns;
  self->cell_of = g_new (guint32, self->per_ipu);
  self->tile_of = g_new (guint32, (gsize)self->columns * self->rows);
  memset (self->tile_of, 0xff, (gsize)self->columns * self->rows * sizeof *self->tile_of);
  for (guint i = 0; i < self->per_ipu; i++)
    {
      self->cell_of[i] = self->physical ? (guint)tsr_tile_get_physical (i, (guint)per_ipu) : i;
      self->tile_of[self->cell_of[i]] = i;
    }
}

/* Values */

/* Ink of @value on the scale; TSR_RASTER_CLEAR when it is unknown. */
static guint
tsr_tile_map_get_ink (TsrTileMap *self, gint64 value)
{
  gint64 from, to;
  double share;

  if (value == TSR_UNKNOWN)
    return TSR_RASTER_CLEAR;
  if (self->capacity != TSR_UNKNOWN && value > self->capacity)
    return TSR_INK_OVERFLOW;
  if (value <= 0)
    return TSR_INK_GRID; /* nothing is not the same as little */
  tsr_tile_map_get_scale (self, &from, &to);
  share = ((double)value - (double)from) / ((double)to - (double)from);
  return TSR_INK_RAMP + (guint)(CLAMP (share, 0, 1) * (TSR_N_RAMP_INKS - 1) + 0.5);
}

static gint64
tsr_tile_map_get_excess (TsrTileMap *self, guint32 tile)
{
  gint64 value = self->values[tile];

  if (self->need != NULL)
    return MAX (self->need[tile], 0);
  return self->capacity != TSR_UNKNOWN && value > self->capacity ? value - self->capacity : 0;
}

guint
tsr_tile_map_get_tile_ink (TsrTileMap *self, guint32 tile)
{
  return tsr_tile_map_get_excess (self, tile) > 0 ? TSR_INK_OVERFLOW
                                                  : tsr_tile_map_get_ink (self, self->values[tile]);
}

/* Takes @need. */
static void
set_values (TsrTileMap *self,
            const gint64 *values,
            gint64 *need,
            const char *key,
            const char *label,
            gint64 capacity,
            TsrUnits units)
{
  g_free (self->label);
  self->label = g_strdup (label);
  g_free (self->key);
  self->key = g_strdup (key);
  g_free (self->need);
  self->need = need;
  self->capacity = capacity > 0 ? capacity : TSR_UNKNOWN;
  self->units = units;
  self->least = self->largest = TSR_UNKNOWN;
  for (guint i = 0; i < self->n; i++)
    {
      gint64 value = values != NULL ? values[i] : TSR_UNKNOWN;

      self->values[i] = value;
      if (value == TSR_UNKNOWN)
        continue;
      self->least = self->least == TSR_UNKNOWN ? value : MIN (self->least, value);
      self->largest = self->largest == TSR_UNKNOWN ? value : MAX (self->largest, value);
    }
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_tile_map_set_values (TsrTileMap *self,
                         const gint64 *values,
                         const char *key,
                         const char *label,
                         gint64 capacity,
                         TsrUnits units)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self) && key != NULL && label != NULL);
  set_values (self, values, NULL, key, label, capacity, units);
}

void
tsr_tile_map_set_metric (
    TsrTileMap *self, TsrMetric metric, const char *key, const char *label, TsrUnits units)
{
  gboolean whole = metric <= TSR_METRIC_EXCLUDING_GAPS;

  g_return_if_fail (TSR_IS_TILE_MAP (self) && key != NULL && label != NULL);
  set_values (self, tsr_memory_peek (self->memory, metric),
              whole ? tsr_memory_dup_need (self->memory) : NULL, key, label,
              whole ? tsr_memory_get_capacity (self->memory) : TSR_UNKNOWN, units);
}

void
tsr_tile_map_set_counts (TsrTileMap *self, gboolean counts)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self));
  self->counts = counts;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_tile_map_set_scale (TsrTileMap *self, gint64 from, gint64 to)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self));
  if (self->scale_from == from && self->scale_to == to)
    return;
  self->scale_from = from;
  self->scale_to = to;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

gboolean
tsr_tile_map_has_scale (TsrTileMap *self)
{
  g_return_val_if_fail (TSR_IS_TILE_MAP (self), FALSE);
  return self->scale_from < self->scale_to;
}

void
tsr_tile_map_get_scale (TsrTileMap *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self));
  *from = self->scale_from;
  *to = self->scale_to;
  if (*from < *to)
    return;
  *from = MAX (self->least, 0);
  *to = MAX (self->largest, 1);
  if (self->capacity != TSR_UNKNOWN)
    *to = MIN (*to, self->capacity);
  if (*from >= *to)
    *from = 0;
}

gint64
tsr_tile_map_get_top (TsrTileMap *self)
{
  g_return_val_if_fail (TSR_IS_TILE_MAP (self), 1);
  return MAX (MAX (self->capacity, self->largest), 1);
}

void
tsr_tile_map_set_ipus (TsrTileMap *self, const guint *ipus, guint n_ipus)
{
  guint n_all;

  g_return_if_fail (TSR_IS_TILE_MAP (self));

  n_all = (self->n + self->per_ipu - 1) / self->per_ipu;
  g_free (self->ipus);
  self->n_ipus = 0;
  self->ipus = g_new (guint, MAX (ipus != NULL ? n_ipus : n_all, 1));
  for (guint i = 0; i < (ipus != NULL ? n_ipus : n_all); i++)
    {
      guint ipu = ipus != NULL ? ipus[i] : i;

      if (ipu < n_all)
        self->ipus[self->n_ipus++] = ipu;
    }
  self->zoom = 1;
  self->view_x = self->view_y = 0.5;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

gboolean
tsr_tile_map_shows (TsrTileMap *self, guint32 tile)
{
  g_return_val_if_fail (TSR_IS_TILE_MAP (self), FALSE);
  for (guint i = 0; tile < self->n && i < self->n_ipus; i++)
    if (self->ipus[i] == tile / self->per_ipu)
      return TRUE;
  return FALSE;
}

/* View */

void
tsr_tile_map_set_view (TsrTileMap *self, double zoom, double x, double y)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self));

  zoom = isfinite (zoom) ? CLAMP (zoom, 1, MAX_ZOOM) : 1;
  x = isfinite (x) ? CLAMP (x, 0, 1) : 0.5;
  y = isfinite (y) ? CLAMP (y, 0, 1) : 0.5;
  if (zoom == 1)
    x = y = 0.5;
  if (self->zoom == zoom && self->view_x == x && self->view_y == y)
    return;
  self->zoom = zoom;
  self->view_x = x;
  self->view_y = y;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_tile_map_get_view (TsrTileMap *self, double *zoom, double *x, double *y)
{
  g_return_if_fail (TSR_IS_TILE_MAP (self));
  *zoom = self->zoom;
  *x = self->view_x;
  *y = self->view_y;
}

/* Words */

static void
tile_map_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  *from = 0;
  *to = MAX (TSR_TILE_MAP (model)->n, 1);
  *min_span = *to;
}

static guint32
tile_map_datum_at (TsrChartModel *model, double x)
{
  return x >= 0 && x < TSR_TILE_MAP (model)->n ? (guint32)x : TSR_NO_DATUM;
}

static double
tile_map_position_of (TsrChartModel *model, guint32 datum)
{
  return datum;
}

static void
tile_map_layout_overview (TsrChartModel *model, const TsrChartGeometry *geometry, TsrDrawList *list)
{
}

static void
append_value (TsrTileMap *self, const char *label, gint64 value, GString *out)
{
  g_autofree char *exact
      = self->counts ? tsr_units_dup_count (value) : tsr_units_dup_bytes_exact (value);

  g_string_append_printf (out, "\n%s: %s", label, exact);
  if (self->capacity != TSR_UNKNOWN)
    {
      g_autofree char *percent = tsr_units_dup_percent ((double)value / self->capacity, 1);

      g_string_append_printf (out, " (%s)", percent);
    }
}

/* By how much it does not fit, with the extent that says so where another value is shown. */
static void
append_excess (TsrTileMap *self, guint32 tile, GString *out)
{
  const gint64 *including = tsr_memory_peek (self->memory, TSR_METRIC_INCLUDING_GAPS);
  gint64 excess = tsr_tile_map_get_excess (self, tile);
  g_autofree char *bytes = NULL;

  if (excess == 0)
    return;
  if (self->need != NULL && including != NULL && including[tile] != TSR_UNKNOWN
      && including[tile] != self->values[tile])
    append_value (self, _ ("Memory including gaps"), including[tile], out);
  bytes = tsr_units_dup_bytes_exact (excess);
  g_string_append_printf (out, "\n%s: %s", _ ("Does not fit"), bytes);
}

static char *
tile_map_describe (TsrChartModel *model, guint32 datum)
{
  TsrTileMap *self = TSR_TILE_MAP (model);
  g_autofree char *name = NULL;
  GString *out;

  if (datum >= self->n)
    return NULL;
  name = tsr_tile_axis_dup_name (self->axis, datum);
  out = g_string_new (name);
  if (self->values[datum] == TSR_UNKNOWN)
    g_string_append_printf (out, _ ("\n%s: not recorded"), self->label);
  else
    append_value (self, self->label, self->values[datum], out);
  append_excess (self, datum, out);
  return g_string_free (out, FALSE);
}

static char *
tile_map_dup_caption (TsrChartModel *model)
{
  TsrTileMap *self = TSR_TILE_MAP (model);
  guint n_all = (self->n + self->per_ipu - 1) / self->per_ipu;
  g_autofree char *what = NULL;

  if (self->n_ipus == 1 && n_all > 1)
    what = g_strdup_printf (_ ("Tile map of IPU %u: %s"), self->ipus[0], self->label);
  else
    what = g_strdup_printf (_ ("Tile map: %s"), self->label);
  if (self->physical)
    return g_steal_pointer (&what);
  return g_strdup_printf (_ ("%s (in software order: where the tiles lie on the chip is known only "
                             "for IPUs of 1,472 tiles)"),
                          what);
}

static guint
tile_map_get_n_series (TsrChartModel *model)
{
  return 0;
}

static void
tile_map_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrTileMap *self = TSR_TILE_MAP (model);
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);

  tsr_tile_axis_add_headings (self->axis, fields);
  g_ptr_array_add (fields, g_strdup (self->key));
  tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
  for (guint tile = 0; tile < self->n; tile++)
    {
      if (!tsr_tile_map_shows (self, tile))
        continue;
      g_ptr_array_set_size (fields, 0);
      tsr_tile_axis_add_fields (self->axis, tile, fields);
      g_ptr_array_add (fields, self->values[tile] != TSR_UNKNOWN
                                   ? g_strdup_printf ("%" G_GINT64_FORMAT, self->values[tile])
                                   : g_strdup (""));
      tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
    }
}

/* Object */

static TsrChartModel *
tile_map_dup (TsrChartModel *model)
{
  TsrTileMap *self = TSR_TILE_MAP (model);
  g_autoptr (TsrTileSelection) selection = tsr_tile_selection_copy (self->selection);
  TsrTileMap *copy;

  copy = tsr_tile_map_new (self->memory, selection);
  tsr_tile_map_set_ipus (copy, self->ipus, self->n_ipus);
  copy->counts = self->counts;
  set_values (copy, self->values, g_memdup2 (self->need, self->n * sizeof *self->need), self->key,
              self->label, self->capacity, self->units);
  tsr_tile_map_set_scale (copy, self->scale_from, self->scale_to);
  tsr_tile_map_set_view (copy, self->zoom, self->view_x, self->view_y);
  return TSR_CHART_MODEL (copy);
}

static void
tsr_tile_map_finalize (GObject *object)
{
  TsrTileMap *self = TSR_TILE_MAP (object);

  g_clear_pointer (&self->axis, tsr_tile_axis_free);
  g_free (self->cell_of);
  g_free (self->tile_of);
  g_free (self->values);
  g_free (self->need);
  g_free (self->key);
  g_free (self->label);
  g_free (self->ipus);
  g_clear_pointer (&self->memory, tsr_memory_unref);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tsr_tile_map_parent_class)->finalize (object);
}

static void
tsr_tile_map_class_init (TsrTileMapClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  object_class->finalize = tsr_tile_map_finalize;
  model_class->get_domain = tile_map_get_domain;
  model_class->layout = tsr_tile_map_layout;
  model_class->layout_overlay = tsr_tile_map_layout_overlay;
  model_class->layout_overview = tile_map_layout_overview;
  model_class->datum_at = tile_map_datum_at;
  model_class->position_of = tile_map_position_of;
  model_class->describe = tile_map_describe;
  model_class->dup_caption = tile_map_dup_caption;
  model_class->get_n_series = tile_map_get_n_series;
  model_class->write_csv = tile_map_write_csv;
  model_class->dup = tile_map_dup;
}

static void
tsr_tile_map_init (TsrTileMap *self)
{
  self->key = g_strdup ("");
  self->label = g_strdup ("");
  self->capacity = self->least = self->largest = TSR_UNKNOWN;
  self->zoom = 1;
  self->view_x = self->view_y = 0.5;
}

TsrTileMap *
tsr_tile_map_new (TsrMemory *memory, TsrTileSelection *selection)
{
  TsrTileMap *self;

  g_return_val_if_fail (memory != NULL, NULL);
  g_return_val_if_fail (selection == NULL || TSR_IS_TILE_SELECTION (selection), NULL);

  self = g_object_new (TSR_TYPE_TILE_MAP, NULL);
  self->memory = tsr_memory_ref (memory);
  self->axis = tsr_tile_axis_new (memory);
  make_floor_plan (self);
  self->values = g_new (gint64, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++)
    self->values[i] = TSR_UNKNOWN;
  tsr_tile_map_set_ipus (self, NULL, 0);
  if (selection != NULL)
    {
      self->selection = g_object_ref (selection);
      g_signal_connect_object (selection, "changed",
                               G_CALLBACK (tsr_chart_model_emit_overlay_changed), self,
                               G_CONNECT_SWAPPED);
    }
  return self;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where things lie on a tile map, the view of it, and what is at a point.  Blocks (IPUs) stand in a
 * grid, each with its name over its cells; all of it grows with the zoom, so that map units are
 * linear. */

#include "config.h"

#include "tsr-tile-map-private.h"

#include "tsr-chart-frame.h"

#include <math.h>
#include <string.h>

#define MARGIN      12.0
#define TITLE_SIZE  15.0
#define NOTE_HEIGHT 14.0
#define NAME_HEIGHT 18.0
#define GAP         14.0 /* between blocks */
#define TICK        4.0
#define MIN_SIDE    8.0
#define MAX_SHAPE   2.0 /* a cell is at most this much wider than high, or higher than wide */
#define APART       5.0 /* device pixels from which on there is a line between cells */
#define MAX_CELL    96.0
#define MAX_NAMES   256

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
  plan->x = tsr_snap (plan->x, plan->scale);
  plan->y = tsr_snap (plan->y, plan->scale);
}

void
tsr_tile_plan_init (TsrTilePlan *plan, TsrTileMap *self, const TsrChartGeometry *geometry)
{
  gint64 top = tsr_tile_map_get_top (self);
  double right, labels, bottom = geometry->height - MARGIN;

  memset (plan, 0, sizeof *plan);
  plan->scale = geometry->scale > 0 ? geometry->scale : 1;
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
  right = tsr_snap (geometry->width - MARGIN - labels - TICK - 4, plan->scale);
  plan->bar_x = tsr_snap (right - TSR_TILE_BAR_WIDTH, plan->scale);
  plan->width = tsr_snap (plan->bar_x - 2 * MARGIN, plan->scale) - plan->left;
  plan->height = tsr_snap (bottom, plan->scale) - tsr_snap (plan->top, plan->scale);
  plan->top = tsr_snap (plan->top, plan->scale);
  if (plan->width < MIN_SIDE || plan->height < 2 * MIN_SIDE || self->n_ipus == 0 || self->n == 0)
    {
      plan->width = plan->height = 0;
      return;
    }
  place_map (plan, self);
  if (plan->block_columns == 0)
    plan->width = plan->height = 0;
}

void
tsr_tile_plan_clear (TsrTilePlan *plan)
{
  g_clear_pointer (&plan->axis, tsr_axis_free);
}

void
tsr_tile_plan_get_block (const TsrTilePlan *plan, guint i, double *x, double *y)
{
  *x = plan->x + i % plan->block_columns * plan->block_width;
  *y = plan->y + i / plan->block_columns * plan->block_height + plan->name_height;
}

void
tsr_tile_plan_get_tiles (TsrTileMap *self, guint i, guint *first, guint *end)
{
  *first = self->ipus[i] * self->per_ipu;
  *end = MIN (*first + self->per_ipu, self->n);
}

void
tsr_tile_plan_get_cells (
    double from, double to, double origin, double size, guint n, int *first, int *end)
{
  *first = (int)CLAMP (floor ((from - origin) / size - 1e-9), 0, n);
  *end = (int)CLAMP (ceil ((to - origin) / size + 1e-9), 0, n);
}

gboolean
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

void
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
  if (plan.width <= 0 || x < plan.left || x >= plan.left + plan.width || y < plan.top
      || y >= plan.top + plan.height)
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

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile map as a draw list.  Cells are one raster, whatever their number: where several tiles
 * share a device pixel it shows the largest. */

#include "config.h"

#include "tsr-tile-map-private.h"

#include "tsr-chart-frame.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MARGIN      12.0
#define TITLE_SIZE  15.0
#define NAME_SIZE   11.0
#define NUMBER_SIZE 9.0
#define TICK        4.0
#define HATCHED     6.0 /* logical pixels of a cell that is hatched */
#define MAX_NUMBERS 1600
#define MAX_HATCHES 2000
#define MAX_FRAMES  400
#define HANDLE      5.0 /* pixels from a handle that still take it */

static double
measure (const TsrChartGeometry *geometry, const char *text, double size, gboolean bold)
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

  return tsr_snap (plan->top + 6 + (plan->height - 12) * (1 - CLAMP (share, 0, 1)), plan->scale);
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
  TsrDrawRaster *raster = tsr_draw_list_raster (list, plan->bar_x, tsr_snap (top, plan->scale),
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
  double width = measure (geometry, widest, NUMBER_SIZE, FALSE);
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
      double x, y, width = measure (geometry, name, NAME_SIZE, TRUE);
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

void
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

void
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

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrTileMap, shared by its files: values and words, and where things lie. */

#pragma once

#include "tsr-axis.h"
#include "tsr-tile-axis.h"
#include "tsr-tile-map.h"

G_BEGIN_DECLS

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

#define TSR_TILE_BAR_WIDTH 14.0
#define TSR_TILE_WHOLE     3.0 /* device pixels from which on cells have whole ones */

void tsr_tile_plan_clear (TsrTilePlan *plan);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TsrTilePlan, tsr_tile_plan_clear)

/* Ink of @tile, and the bytes of it that do not fit (0: it fits, or that is not known). */
guint tsr_tile_map_get_tile_ink (TsrTileMap *self, guint32 tile);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile map: tiles on the physical floor plan of their IPU (FORMATS 10), one value each as
 * colour. Two-dimensional: zoomed and panned by the widget through _set_view.  A datum is a tile.
 * For an IPU whose floor plan is not known tiles stand in rows in software order, and the caption
 * says so. */

#pragma once

#include "tsr-draw-list.h"
#include "tsr-memory.h"
#include "tsr-tile-selection.h"
#include "tsr-chart-model.h"

G_BEGIN_DECLS

#define TSR_TYPE_TILE_MAP (tsr_tile_map_get_type ())
G_DECLARE_FINAL_TYPE (TsrTileMap, tsr_tile_map, TSR, TILE_MAP, TsrChartModel)

TsrTileMap *tsr_tile_map_new (TsrMemory *memory, TsrTileSelection *selection);
/* n_tiles values (copied) and what they are ("Including gaps", "Vertex Code", "weights");
 * TSR_UNKNOWN is hatched. @capacity (or TSR_UNKNOWN): values above it are overflow. */
void tsr_tile_map_set_values (
    TsrTileMap *self, const gint64 *values, const char *label, gint64 capacity, TsrUnits units);
/* Range of the colour scale in bytes; from >= to: least to largest of the values, or 0 to the
 * capacity with _full. */
void tsr_tile_map_set_scale (TsrTileMap *self, gint64 from, gint64 to);
void tsr_tile_map_get_scale (TsrTileMap *self, gint64 *from, gint64 *to);
/* IPUs that are shown, ascending; NULL: all. */
void tsr_tile_map_set_ipus (TsrTileMap *self, const guint *ipus, guint n_ipus);
/* Zoom (1: all of it fits) and the centre in map units (0..1 of the map). */
void tsr_tile_map_set_view (TsrTileMap *self, double zoom, double x, double y);
/* Tile at a point of the geometry; the tiles in a rectangle of it (transfer full). */
guint32
tsr_tile_map_tile_at (TsrTileMap *self, const TsrChartGeometry *geometry, double x, double y);
GArray *tsr_tile_map_dup_tiles_in (TsrTileMap *self,
                                   const TsrChartGeometry *geometry,
                                   double x,
                                   double y,
                                   double width,
                                   double height);
/* The tile next to @tile in a direction on the map (keyboard): dx, dy in -1..1; itself at the edge.
 */
guint32 tsr_tile_map_neighbour (TsrTileMap *self, guint32 tile, int dx, int dy);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tile map: tiles on the physical floor plan of their IPU (docs/formats.md#tiles-on-the-chip),
 * one value each as colour. Two-dimensional: zoomed and panned by the widget through _set_view.  A
 * datum is a tile. For an IPU whose floor plan is not known tiles stand in rows in software order,
 * and the caption says so. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-memory.h"
#include "tsr-tile-selection.h"

G_BEGIN_DECLS

#define TSR_TYPE_TILE_MAP (tsr_tile_map_get_type ())
G_DECLARE_FINAL_TYPE (TsrTileMap, tsr_tile_map, TSR, TILE_MAP, TsrChartModel)

TsrTileMap *tsr_tile_map_new (TsrMemory *memory, TsrTileSelection *selection);
/* @values of all tiles (copied; NULL: all unknown) and what they are ("Including gaps", "Vertex
 * Code", "weights"; @key is the heading in CSV); TSR_UNKNOWN is hatched. @capacity (or
 * TSR_UNKNOWN): values above it are overflow. */
void tsr_tile_map_set_values (TsrTileMap *self,
                              const gint64 *values,
                              const char *key,
                              const char *label,
                              gint64 capacity,
                              TsrUnits units);
/* The same of a metric.  Where it is all that a tile holds, the tiles that do not fit are those of
 * tsr_memory_get_need, whichever gaps the metric counts. */
void tsr_tile_map_set_metric (
    TsrTileMap *self, TsrMetric metric, const char *key, const char *label, TsrUnits units);
/* The values are plain numbers (cycles), not bytes. */
void tsr_tile_map_set_counts (TsrTileMap *self, gboolean counts);
/* Range of the colour scale in bytes; from >= to: least to largest of the values.  _top is the end
 * of the scale's axis: the capacity, or the largest value if that is more. */
void tsr_tile_map_set_scale (TsrTileMap *self, gint64 from, gint64 to);
void tsr_tile_map_get_scale (TsrTileMap *self, gint64 *from, gint64 *to);
gboolean tsr_tile_map_has_scale (TsrTileMap *self); /* somebody set it */
gint64 tsr_tile_map_get_top (TsrTileMap *self);
/* IPUs that are shown, ascending; NULL: all. */
void tsr_tile_map_set_ipus (TsrTileMap *self, const guint *ipus, guint n_ipus);
/* Whether tiles of @tile's IPU are shown. */
gboolean tsr_tile_map_shows (TsrTileMap *self, guint32 tile);

/* Zoom (1: all of it fits) and the centre in map units (0..1 of the map).  _zoom_about keeps what
 * is at (@x, @y) there, _pan moves by logical pixels, _reveal pans as little as shows @tile. */
void tsr_tile_map_set_view (TsrTileMap *self, double zoom, double x, double y);
void tsr_tile_map_get_view (TsrTileMap *self, double *zoom, double *x, double *y);
void tsr_tile_map_zoom_about (
    TsrTileMap *self, const TsrChartGeometry *geometry, double x, double y, double factor);
void tsr_tile_map_pan (TsrTileMap *self, const TsrChartGeometry *geometry, double dx, double dy);
void tsr_tile_map_reveal (TsrTileMap *self, const TsrChartGeometry *geometry, guint32 tile);

/* Tile at a point of the geometry, TSR_NO_DATUM where none is.  Where several share a device pixel
 * it is the one that is drawn: the largest. */
guint32
tsr_tile_map_tile_at (TsrTileMap *self, const TsrChartGeometry *geometry, double x, double y);
/* (transfer full) (element-type guint32): the tiles that a rectangle touches, ascending. */
GArray *tsr_tile_map_dup_tiles_in (TsrTileMap *self,
                                   const TsrChartGeometry *geometry,
                                   double x,
                                   double y,
                                   double width,
                                   double height);
/* Rectangle of @tile in logical pixels, also when it lies outside the plot; FALSE when its IPU is
 * not shown. */
gboolean tsr_tile_map_get_cell (TsrTileMap *self,
                                const TsrChartGeometry *geometry,
                                guint32 tile,
                                double *x,
                                double *y,
                                double *width,
                                double *height);
/* The tile next to @tile in a direction on the map (keyboard): dx, dy in -1..1; itself at the edge
 * of its IPU. */
guint32 tsr_tile_map_neighbour (TsrTileMap *self, guint32 tile, int dx, int dy);

/* What of the colour scale is at a point, and the value of its height (cut to 0..top). */
typedef enum
{
  TSR_SCALE_NONE,
  TSR_SCALE_FROM, /* handle of the range's beginning */
  TSR_SCALE_TO,
  TSR_SCALE_BODY,
} TsrScalePart;
TsrScalePart tsr_tile_map_scale_at (
    TsrTileMap *self, const TsrChartGeometry *geometry, double x, double y, gint64 *value);

G_END_DECLS

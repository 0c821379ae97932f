/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The plane of a tile map: zoom and pan in two dimensions, selection of tiles by pointer and
 * keyboard, a colour scale whose range is dragged.
 *
 * Pointer: a click selects a tile, Shift+click adds or takes away, a drag selects a rectangle, the
 * wheel zooms about the pointer, Ctrl+drag or the middle button pans, a double click zooms in or
 * shows all.  On the colour scale a drag moves the nearer end of the range or, between the ends,
 * both; a double click resets it.  Actions have the names of TsrChart's, so that menus fit both.
 *
 * Signal: "select" (GArray of guint32 tiles, int TsrSelectMode). */

#pragma once

#include "tsr-chart.h"
#include "tsr-plane.h"
#include "tsr-tile-map.h"

G_BEGIN_DECLS

#define TSR_TYPE_TILE_MAP_VIEW (tsr_tile_map_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrTileMapView, tsr_tile_map_view, TSR, TILE_MAP_VIEW, TsrPlane)

TsrTileMapView *tsr_tile_map_view_new (void);
void tsr_tile_map_view_set_map (TsrTileMapView *self, TsrTileMap *map); /* (nullable) */
TsrTileMap *tsr_tile_map_view_get_map (TsrTileMapView *self);
/* The middle of the cell of @tile; FALSE when it is not on the screen. */
gboolean tsr_tile_map_view_get_point (TsrTileMapView *self, guint32 tile, double *x, double *y);

G_END_DECLS

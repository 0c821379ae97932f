/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widget of a tile map: zoom and pan in two dimensions, selection of tiles by pointer and
 * keyboard, callout, a colour scale whose range is dragged, and export.
 *
 * Pointer: a click selects a tile, Shift+click adds or takes away, a drag selects a rectangle, the
 * wheel zooms about the pointer, Ctrl+drag or the middle button pans, a double click zooms in or
 * shows all.  On the colour scale a drag moves the nearer end of the range or, between the ends,
 * both; a double click resets it.  Actions have the names of TsrChart's, so that menus fit both.
 *
 * Signals: "select" (GArray of guint32 tiles, int TsrSelectMode); "hover-changed"; "toast". */

#pragma once

#include "tsr-chart.h"
#include "tsr-tile-map.h"

G_BEGIN_DECLS

#define TSR_TYPE_TILE_MAP_VIEW (tsr_tile_map_view_get_type ())
G_DECLARE_FINAL_TYPE (TsrTileMapView, tsr_tile_map_view, TSR, TILE_MAP_VIEW, GtkWidget)

TsrTileMapView *tsr_tile_map_view_new (void);
void tsr_tile_map_view_set_map (TsrTileMapView *self, TsrTileMap *map); /* (nullable) */
TsrTileMap *tsr_tile_map_view_get_map (TsrTileMapView *self);
void tsr_tile_map_view_set_file_name (TsrTileMapView *self, const char *name);
/* The tile under the pointer, and the one the keyboard is at; TSR_NO_DATUM. */
guint32 tsr_tile_map_view_get_hover (TsrTileMapView *self);
guint32 tsr_tile_map_view_get_cursor (TsrTileMapView *self);
void tsr_tile_map_view_set_cursor (TsrTileMapView *self, guint32 tile);

/* What gestures call; tests call it as well. */
void tsr_tile_map_view_press (
    TsrTileMapView *self, double x, double y, guint button, int n_press, GdkModifierType state);
void tsr_tile_map_view_drag (TsrTileMapView *self, double x, double y);
void tsr_tile_map_view_release (TsrTileMapView *self, double x, double y, GdkModifierType state);
void tsr_tile_map_view_motion (TsrTileMapView *self, double x, double y);
void tsr_tile_map_view_scroll (TsrTileMapView *self, double dx, double dy, GdkModifierType state);
/* (returns) FALSE when the tile is not on the screen: the middle of its cell. */
gboolean tsr_tile_map_view_get_point (TsrTileMapView *self, guint32 tile, double *x, double *y);
void tsr_tile_map_view_export_image_to (TsrTileMapView *self, const char *path);
void tsr_tile_map_view_export_data_to (TsrTileMapView *self, const char *path);

G_END_DECLS

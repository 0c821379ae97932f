/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrTileMapView, shared by its files: pointer, and actions with their keys. */

#pragma once

#include "tsr-callout.h"
#include "tsr-canvas.h"
#include "tsr-tile-map-view.h"

G_BEGIN_DECLS

typedef enum
{
  DRAG_NONE,
  DRAG_PRESSED,
  DRAG_BAND,
  DRAG_PAN,
  DRAG_FROM, /* ends of the colour scale's range */
  DRAG_TO,
  DRAG_RANGE, /* both */
} TsrTileDrag;

struct _TsrTileMapView
{
  GtkWidget parent_instance;

  TsrTileMap *map;
  char *file_name;
  TsrCanvas *cells, *overlay;
  TsrCallout *callout;
  GtkWidget *menu; /* popover, made when first wanted */
  TsrTextMeasure measure;

  guint32 hover, cursor;
  gboolean cursor_shown;
  TsrTileDrag drag;
  gboolean drag_pans;
  double press_x, press_y, last_x, last_y;
  gint64 press_value, press_from, press_to; /* of the colour scale */
  GCancellable *cancellable;                /* of exports */
};

/* The geometry that the cells were laid out with; FALSE before they were. */
gboolean tsr_tile_map_view_get_geometry (TsrTileMapView *self, TsrChartGeometry *geometry);
void tsr_tile_map_view_select_one (TsrTileMapView *self, guint32 tile, TsrSelectMode mode);
void tsr_tile_map_view_show_menu (TsrTileMapView *self, double x, double y);
void tsr_tile_map_view_class_add_actions (GtkWidgetClass *widget_class);

G_END_DECLS

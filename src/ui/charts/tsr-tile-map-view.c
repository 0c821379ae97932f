/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What pointer and keys do to a tile map. */

#include "config.h"

#include "tsr-tile-map-view.h"

#include <glib/gi18n.h>
#include <math.h>

#define DRAG_THRESHOLD 4.0
#define WHEEL_FACTOR   1.25
#define WHEEL_PAN      60.0
#define CLOSER         4.0
#define ZOOM_STEP      1.5

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
  TsrPlane parent_instance;

  TsrTileDrag drag;
  gboolean drag_pans;
  double press_x, press_y, last_x, last_y;
  gint64 press_value, press_from, press_to; /* of the colour scale */
};

G_DEFINE_FINAL_TYPE (TsrTileMapView, tsr_tile_map_view, TSR_TYPE_PLANE)

static guint select_signal;

static gboolean
get_geometry (TsrTileMapView *self, TsrChartGeometry *geometry)
{
  return tsr_plane_get_geometry (TSR_PLANE (self), geometry, NULL);
}

static void
layout_band (TsrPlane *plane, const TsrPlotArea *area, TsrDrawList *list)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (plane);
  double x = MIN (self->press_x, self->last_x), y = MIN (self->press_y, self->last_y);
  double width = MAX (fabs (self->last_x - self->press_x), 1);
  double height = MAX (fabs (self->last_y - self->press_y), 1);

  if (self->drag != DRAG_BAND)
    return;
  tsr_draw_list_rect (list, TSR_INK_SELECTION, x, y, width, height)->alpha = 0.18f;
  tsr_draw_list_line (list, TSR_INK_SELECTION, x, y, x + width, y);
  tsr_draw_list_line (list, TSR_INK_SELECTION, x, y + height, x + width, y + height);
  tsr_draw_list_line (list, TSR_INK_SELECTION, x, y, x, y + height);
  tsr_draw_list_line (list, TSR_INK_SELECTION, x + width, y, x + width, y + height);
}

/* Hover and cursor */

static guint32
tile_at (TsrPlane *plane, double x, double y)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (plane);
  TsrChartGeometry geometry;

  return get_geometry (self, &geometry)
             ? tsr_tile_map_tile_at (tsr_tile_map_view_get_map (self), &geometry, x, y)
             : TSR_NO_DATUM;
}

static gboolean
get_anchor (TsrPlane *plane, guint32 tile, double *x, double *y)
{
  return tsr_tile_map_view_get_point (TSR_TILE_MAP_VIEW (plane), tile, x, y);
}

gboolean
tsr_tile_map_view_get_point (TsrTileMapView *self, guint32 tile, double *x, double *y)
{
  TsrChartGeometry geometry;
  double width, height;

  g_return_val_if_fail (TSR_IS_TILE_MAP_VIEW (self), FALSE);
  if (!get_geometry (self, &geometry)
      || !tsr_tile_map_get_cell (tsr_tile_map_view_get_map (self), &geometry, tile, x, y, &width,
                                 &height))
    return FALSE;
  *x += width / 2;
  *y += height / 2;
  return TRUE;
}

static void
reveal (TsrPlane *plane, guint32 tile)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (plane);
  TsrChartGeometry geometry;

  if (get_geometry (self, &geometry))
    tsr_tile_map_reveal (tsr_tile_map_view_get_map (self), &geometry, tile);
}

/* Pointer */

static void
select_one (TsrTileMapView *self, guint32 tile, TsrSelectMode mode)
{
  g_autoptr (GArray) tiles = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (mode != TSR_SELECT_CLEAR)
    g_array_append_val (tiles, tile);
  g_signal_emit (self, select_signal, 0, tiles, (int)mode);
}

/* FALSE when (x, y) is not on the colour scale. */
static gboolean
press_scale (
    TsrTileMapView *self, const TsrChartGeometry *geometry, double x, double y, int n_press)
{
  TsrTileMap *map = tsr_tile_map_view_get_map (self);
  TsrScalePart part = tsr_tile_map_scale_at (map, geometry, x, y, &self->press_value);

  if (part == TSR_SCALE_NONE)
    return FALSE;
  tsr_tile_map_get_scale (map, &self->press_from, &self->press_to);
  self->drag = DRAG_NONE;
  if (n_press == 2)
    tsr_tile_map_set_scale (map, 0, 0);
  else if (part == TSR_SCALE_FROM)
    self->drag = DRAG_FROM;
  else if (part == TSR_SCALE_TO)
    self->drag = DRAG_TO;
  else if (self->press_value > self->press_from && self->press_value < self->press_to)
    self->drag = DRAG_RANGE;
  else
    self->drag = self->press_value <= self->press_from ? DRAG_FROM : DRAG_TO;
  return TRUE;
}

static void
press (TsrPlane *plane, double x, double y, guint button, int n_press, GdkModifierType state)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (plane);
  TsrTileMap *map = tsr_tile_map_view_get_map (self);
  TsrChartGeometry geometry;
  double zoom, at_x, at_y;

  self->drag = DRAG_NONE;
  if (!get_geometry (self, &geometry))
    return;
  self->press_x = self->last_x = x;
  self->press_y = self->last_y = y;
  if (button == GDK_BUTTON_PRIMARY && press_scale (self, &geometry, x, y, n_press))
    return;
  if (n_press == 2 && button == GDK_BUTTON_PRIMARY)
    {
      tsr_tile_map_get_view (map, &zoom, &at_x, &at_y);
      if (zoom > 1)
        tsr_tile_map_set_view (map, 1, 0.5, 0.5);
      else
        tsr_tile_map_zoom_about (map, &geometry, x, y, CLOSER);
      return;
    }
  self->drag = DRAG_PRESSED;
  self->drag_pans = button == GDK_BUTTON_MIDDLE || (state & GDK_CONTROL_MASK) != 0;
}

static void
drag_scale (TsrTileMapView *self, const TsrChartGeometry *geometry, double y)
{
  TsrTileMap *map = tsr_tile_map_view_get_map (self);
  gint64 from = self->press_from, to = self->press_to, value, by;
  gint64 top = tsr_tile_map_get_top (map), least = MAX (top / 200, 1);

  tsr_tile_map_scale_at (map, geometry, 0, y, &value);
  by = value - self->press_value;
  if (self->drag == DRAG_FROM)
    from = CLAMP (from + by, 0, to - least);
  else if (self->drag == DRAG_TO)
    to = CLAMP (to + by, from + least, top);
  else
    {
      by = CLAMP (by, -from, MAX (top - to, 0));
      from += by;
      to += by;
    }
  if (from < to)
    tsr_tile_map_set_scale (map, MAX (from, 0), to);
}

static void
show_scale (TsrTileMapView *self, double x, double y)
{
  g_autofree char *from_text = NULL, *to_text = NULL, *text = NULL;
  gint64 from, to;

  tsr_tile_map_get_scale (tsr_tile_map_view_get_map (self), &from, &to);
  from_text = tsr_units_dup_bytes_exact (from);
  to_text = tsr_units_dup_bytes_exact (to);
  text = g_strdup_printf (_ ("Colours from %s to %s"), from_text, to_text);
  tsr_plane_show_text (TSR_PLANE (self), text, x, y);
}

static gboolean
drag (TsrPlane *plane, double x, double y)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (plane);
  TsrChartGeometry geometry;

  if (self->drag == DRAG_NONE || !get_geometry (self, &geometry))
    return FALSE;
  if (self->drag >= DRAG_FROM)
    {
      drag_scale (self, &geometry, y);
      show_scale (self, x, y);
      return TRUE;
    }
  if (self->drag == DRAG_PRESSED)
    {
      if (hypot (x - self->press_x, y - self->press_y) < DRAG_THRESHOLD)
        return FALSE;
      self->drag = self->drag_pans ? DRAG_PAN : DRAG_BAND;
      tsr_plane_leave (plane);
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                       self->drag == DRAG_PAN ? "grabbing" : NULL);
    }
  if (self->drag == DRAG_PAN)
    tsr_tile_map_pan (tsr_tile_map_view_get_map (self), &geometry, self->last_x - x,
                      self->last_y - y);
  self->last_x = x;
  self->last_y = y;
  tsr_plane_invalidate_overlay (plane);
  return TRUE;
}

static void
cancel (TsrPlane *plane)
{
  TSR_TILE_MAP_VIEW (plane)->drag = DRAG_NONE;
  gtk_widget_set_cursor (GTK_WIDGET (plane), NULL);
  tsr_plane_invalidate_overlay (plane);
}

static void
release (TsrPlane *plane, double x, double y, GdkModifierType state)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (plane);
  gboolean add = (state & GDK_SHIFT_MASK) != 0;
  TsrTileDrag kind = self->drag;
  TsrChartGeometry geometry;
  guint32 tile;

  cancel (plane);
  if (kind == DRAG_NONE || kind >= DRAG_PAN || self->drag_pans || !get_geometry (self, &geometry))
    return;
  if (kind == DRAG_BAND)
    {
      g_autoptr (GArray) tiles = tsr_tile_map_dup_tiles_in (
          tsr_tile_map_view_get_map (self), &geometry, MIN (self->press_x, x),
          MIN (self->press_y, y), fabs (x - self->press_x), fabs (y - self->press_y));

      if (tiles->len > 0)
        g_signal_emit (self, select_signal, 0, tiles,
                       (int)(add ? TSR_SELECT_ADD : TSR_SELECT_REPLACE));
      return;
    }
  tile = tile_at (plane, x, y);
  if (tile == TSR_NO_DATUM)
    {
      if (!add)
        select_one (self, 0, TSR_SELECT_CLEAR);
      return;
    }
  tsr_plane_put_cursor (plane, tile, FALSE);
  select_one (self, tile, add ? TSR_SELECT_TOGGLE : TSR_SELECT_REPLACE);
}

static void
motion (TsrPlane *plane, double x, double y)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (plane);
  TsrChartGeometry geometry;
  TsrScalePart part;
  gint64 value;

  if (self->drag > DRAG_PRESSED || !get_geometry (self, &geometry))
    return;
  part = tsr_tile_map_scale_at (tsr_tile_map_view_get_map (self), &geometry, x, y, &value);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), part == TSR_SCALE_FROM || part == TSR_SCALE_TO
                                                          ? "ns-resize"
                                                      : part == TSR_SCALE_BODY ? "grab"
                                                                               : NULL);
  tsr_plane_hover_at (plane, x, y);
  if (part != TSR_SCALE_NONE)
    show_scale (self, x, y);
}

static void
scroll (TsrPlane *plane, double x, double y, double dx, double dy, GdkModifierType state)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (plane);
  TsrTileMap *map = tsr_tile_map_view_get_map (self);
  TsrChartGeometry geometry;

  if (!get_geometry (self, &geometry))
    return;
  if (dx != 0)
    tsr_tile_map_pan (map, &geometry, dx * WHEEL_PAN, 0);
  if (dy != 0)
    tsr_tile_map_zoom_about (map, &geometry, x, y, pow (WHEEL_FACTOR, -dy));
}

/* Actions */

/* Where the cursor begins: what is under the pointer, else the first tile in sight. */
static guint32
first_tile (TsrTileMapView *self)
{
  TsrChartGeometry geometry;
  g_autoptr (GArray) tiles = NULL;

  if (tsr_plane_get_hover (TSR_PLANE (self)) != TSR_NO_DATUM)
    return tsr_plane_get_hover (TSR_PLANE (self));
  if (!get_geometry (self, &geometry))
    return TSR_NO_DATUM;
  tiles = tsr_tile_map_dup_tiles_in (tsr_tile_map_view_get_map (self), &geometry, 0, 0,
                                     geometry.width, geometry.height);
  return tiles->len > 0 ? g_array_index (tiles, guint32, 0) : TSR_NO_DATUM;
}

/* FALSE when there is no cursor, or not on what is shown. */
static gboolean
has_cursor (TsrTileMapView *self)
{
  guint32 tile = tsr_plane_get_cursor (TSR_PLANE (self));

  return tile != TSR_NO_DATUM && tsr_tile_map_shows (tsr_tile_map_view_get_map (self), tile);
}

static void
move_cursor (TsrTileMapView *self, int dx, int dy, guint steps)
{
  guint32 tile = tsr_plane_get_cursor (TSR_PLANE (self));

  if (!has_cursor (self))
    tile = first_tile (self);
  else
    for (guint i = 0; i < steps; i++)
      tile = tsr_tile_map_neighbour (tsr_tile_map_view_get_map (self), tile, dx, dy);
  tsr_plane_set_cursor (TSR_PLANE (self), tile);
}

static void
move_x (TsrPlane *plane, int by)
{
  move_cursor (TSR_TILE_MAP_VIEW (plane), by < 0 ? -1 : 1, 0, ABS (by));
}

static void
move_y (TsrPlane *plane, int by)
{
  move_cursor (TSR_TILE_MAP_VIEW (plane), 0, by, 1);
}

static void
select_at_cursor (TsrPlane *plane, int mode)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (plane);

  if (!has_cursor (self))
    tsr_plane_set_cursor (plane, first_tile (self));
  if (tsr_plane_get_cursor (plane) != TSR_NO_DATUM)
    select_one (self, tsr_plane_get_cursor (plane), mode);
}

static void
clear_selection (TsrPlane *plane, int argument)
{
  select_one (TSR_TILE_MAP_VIEW (plane), 0, TSR_SELECT_CLEAR);
}

/* About the cursor if it is shown, else the middle. */
static void
zoom (TsrPlane *plane, int direction)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (plane);
  TsrChartGeometry geometry;
  double x, y;

  if (!get_geometry (self, &geometry))
    return;
  if (!tsr_plane_shows_cursor (plane) || !get_anchor (plane, tsr_plane_get_cursor (plane), &x, &y))
    {
      x = geometry.width / 2;
      y = geometry.height / 2;
    }
  tsr_tile_map_zoom_about (tsr_tile_map_view_get_map (self), &geometry, x, y,
                           direction > 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
}

static void
fit (TsrPlane *plane, int argument)
{
  tsr_tile_map_set_view (tsr_tile_map_view_get_map (TSR_TILE_MAP_VIEW (plane)), 1, 0.5, 0.5);
}

static void
reset_scale (TsrPlane *plane, int argument)
{
  tsr_tile_map_set_scale (tsr_tile_map_view_get_map (TSR_TILE_MAP_VIEW (plane)), 0, 0);
}

static const TsrPlaneAction actions[] = {
  { "chart.cursor-left", "Left KP_Left", move_x, -1 },
  { "chart.cursor-right", "Right KP_Right", move_x, 1 },
  { "chart.cursor-up", "Up KP_Up", move_y, -1 },
  { "chart.cursor-down", "Down KP_Down", move_y, 1 },
  { "chart.cursor-left-ten", "<Control>Left", move_x, -10 },
  { "chart.cursor-right-ten", "<Control>Right", move_x, 10 },
  { "chart.select", "space Return KP_Enter", select_at_cursor, TSR_SELECT_REPLACE },
  { "chart.select-add", "<Shift>space <Shift>Return", select_at_cursor, TSR_SELECT_TOGGLE },
  { "chart.clear-selection", "Escape", clear_selection, 0 },
  { "chart.zoom-in", "plus equal KP_Add", zoom, 1 },
  { "chart.zoom-out", "minus KP_Subtract", zoom, -1 },
  { "chart.fit", "KP_0 BackSpace 0", fit, 0 },
  { "chart.reset-scale", "r", reset_scale, 0 },
  { NULL },
};

static void
add_menu_items (TsrPlane *plane, GMenu *menu)
{
  g_menu_append (menu, _ ("Show all"), "chart.fit");
  g_menu_append (menu, _ ("Reset the colour scale"), "chart.reset-scale");
  g_menu_append (menu, _ ("Clear selection"), "chart.clear-selection");
}

/* Object */

static void
tsr_tile_map_view_class_init (TsrTileMapViewClass *klass)
{
  TsrPlaneClass *plane_class = TSR_PLANE_CLASS (klass);

  plane_class->name = N_ ("Tile map");
  plane_class->hint = N_ ("Arrows move along the tiles");
  plane_class->layout_band = layout_band;
  plane_class->datum_at = tile_at;
  plane_class->get_anchor = get_anchor;
  plane_class->reveal = reveal;
  plane_class->press = press;
  plane_class->drag = drag;
  plane_class->release = release;
  plane_class->cancel = cancel;
  plane_class->motion = motion;
  plane_class->scroll = scroll;
  plane_class->add_menu_items = add_menu_items;
  select_signal = g_signal_new ("select", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 2, G_TYPE_ARRAY, G_TYPE_INT);
  tsr_plane_class_add_actions (plane_class, actions);
}

static void
tsr_tile_map_view_init (TsrTileMapView *self)
{
  tsr_plane_set_file_name (TSR_PLANE (self), "tile-map");
}

TsrTileMapView *
tsr_tile_map_view_new (void)
{
  return g_object_new (TSR_TYPE_TILE_MAP_VIEW, NULL);
}

void
tsr_tile_map_view_set_map (TsrTileMapView *self, TsrTileMap *map)
{
  g_return_if_fail (TSR_IS_TILE_MAP_VIEW (self) && (map == NULL || TSR_IS_TILE_MAP (map)));
  tsr_plane_set_model (TSR_PLANE (self), (TsrChartModel *)map);
}

TsrTileMap *
tsr_tile_map_view_get_map (TsrTileMapView *self)
{
  g_return_val_if_fail (TSR_IS_TILE_MAP_VIEW (self), NULL);
  return (TsrTileMap *)tsr_plane_get_model (TSR_PLANE (self));
}

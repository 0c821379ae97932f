/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What keys, menus and assistive technology fire on a tile map, and what leaves it. */

#include "config.h"

#include "tsr-tile-map-view-private.h"

#include "tsr-export.h"

#define ZOOM_STEP 1.5

/* Where the cursor begins: what is under the pointer, else the first tile in sight. */
static guint32
first_tile (TsrTileMapView *self)
{
  TsrChartGeometry geometry;
  g_autoptr (GArray) tiles = NULL;

  if (self->hover != TSR_NO_DATUM)
    return self->hover;
  if (!tsr_tile_map_view_get_geometry (self, &geometry))
    return TSR_NO_DATUM;
  tiles = tsr_tile_map_dup_tiles_in (self->map, &geometry, 0, 0, geometry.width, geometry.height);
  return tiles->len > 0 ? g_array_index (tiles, guint32, 0) : TSR_NO_DATUM;
}

static void
move_cursor (TsrTileMapView *self, int dx, int dy, guint steps)
{
  guint32 tile = self->cursor;

  if (tile == TSR_NO_DATUM || !tsr_tile_map_shows (self->map, tile))
    tile = first_tile (self);
  else
    for (guint i = 0; i < steps; i++)
      tile = tsr_tile_map_neighbour (self->map, tile, dx, dy);
  tsr_tile_map_view_set_cursor (self, tile);
}

static void
select_at_cursor (TsrTileMapView *self, TsrSelectMode mode)
{
  if (self->cursor == TSR_NO_DATUM || !tsr_tile_map_shows (self->map, self->cursor))
    tsr_tile_map_view_set_cursor (self, first_tile (self));
  if (self->cursor != TSR_NO_DATUM)
    tsr_tile_map_view_select_one (self, self->cursor, mode);
}

static TsrExport
get_export (TsrTileMapView *self)
{
  return (TsrExport){ .widget = GTK_WIDGET (self),
                      .model = TSR_CHART_MODEL (self->map),
                      .file_name = self->file_name,
                      .from = 0,
                      .to = 1,
                      .width = gtk_widget_get_width (GTK_WIDGET (self)),
                      .height = gtk_widget_get_height (GTK_WIDGET (self)),
                      .cancellable = self->cancellable };
}

void
tsr_tile_map_view_export_image_to (TsrTileMapView *self, const char *path)
{
  TsrExport what;

  g_return_if_fail (TSR_IS_TILE_MAP_VIEW (self) && self->map != NULL);
  what = get_export (self);
  tsr_export_write_image (&what, path);
}

void
tsr_tile_map_view_export_data_to (TsrTileMapView *self, const char *path)
{
  TsrExport what;

  g_return_if_fail (TSR_IS_TILE_MAP_VIEW (self) && self->map != NULL);
  what = get_export (self);
  tsr_export_write_data (&what, path);
}

static void
zoom_middle (TsrTileMapView *self, double factor)
{
  TsrChartGeometry geometry;
  double x, y;

  if (!tsr_tile_map_view_get_geometry (self, &geometry))
    return;
  if (!self->cursor_shown || !tsr_tile_map_view_get_point (self, self->cursor, &x, &y))
    {
      x = geometry.width / 2;
      y = geometry.height / 2;
    }
  tsr_tile_map_zoom_about (self->map, &geometry, x, y, factor);
}

static void
show_menu_at_cursor (TsrTileMapView *self)
{
  double x, y;

  if (!tsr_tile_map_view_get_point (self, self->cursor, &x, &y))
    {
      x = gtk_widget_get_width (GTK_WIDGET (self)) / 2.0;
      y = gtk_widget_get_height (GTK_WIDGET (self)) / 2.0;
    }
  tsr_tile_map_view_show_menu (self, x, y);
}

typedef enum
{
  MOVE_LEFT,
  MOVE_RIGHT,
  MOVE_UP,
  MOVE_DOWN,
  MOVE_LEFT_TEN,
  MOVE_RIGHT_TEN,
  SELECT_REPLACE,
  SELECT_TOGGLE,
  CLEAR,
  ZOOM_IN,
  ZOOM_OUT,
  FIT,
  RESET_SCALE,
  EXPORT_IMAGE,
  EXPORT_DATA,
  COPY_IMAGE,
  MENU,
  N_ACTIONS
} Action;

static const char *const action_names[N_ACTIONS] = {
  [MOVE_LEFT] = "chart.cursor-left",
  [MOVE_RIGHT] = "chart.cursor-right",
  [MOVE_UP] = "chart.cursor-up",
  [MOVE_DOWN] = "chart.cursor-down",
  [MOVE_LEFT_TEN] = "chart.cursor-left-ten",
  [MOVE_RIGHT_TEN] = "chart.cursor-right-ten",
  [SELECT_REPLACE] = "chart.select",
  [SELECT_TOGGLE] = "chart.select-add",
  [CLEAR] = "chart.clear-selection",
  [ZOOM_IN] = "chart.zoom-in",
  [ZOOM_OUT] = "chart.zoom-out",
  [FIT] = "chart.fit",
  [RESET_SCALE] = "chart.reset-scale",
  [EXPORT_IMAGE] = "chart.export-image",
  [EXPORT_DATA] = "chart.export-data",
  [COPY_IMAGE] = "chart.copy-image",
  [MENU] = "chart.menu",
};

static const struct
{
  guint key;
  GdkModifierType modifiers;
  Action action;
} bindings[] = {
  { GDK_KEY_Left, 0, MOVE_LEFT },
  { GDK_KEY_Right, 0, MOVE_RIGHT },
  { GDK_KEY_Up, 0, MOVE_UP },
  { GDK_KEY_Down, 0, MOVE_DOWN },
  { GDK_KEY_KP_Left, 0, MOVE_LEFT },
  { GDK_KEY_KP_Right, 0, MOVE_RIGHT },
  { GDK_KEY_KP_Up, 0, MOVE_UP },
  { GDK_KEY_KP_Down, 0, MOVE_DOWN },
  { GDK_KEY_Left, GDK_CONTROL_MASK, MOVE_LEFT_TEN },
  { GDK_KEY_Right, GDK_CONTROL_MASK, MOVE_RIGHT_TEN },
  { GDK_KEY_space, 0, SELECT_REPLACE },
  { GDK_KEY_Return, 0, SELECT_REPLACE },
  { GDK_KEY_KP_Enter, 0, SELECT_REPLACE },
  { GDK_KEY_space, GDK_SHIFT_MASK, SELECT_TOGGLE },
  { GDK_KEY_Return, GDK_SHIFT_MASK, SELECT_TOGGLE },
  { GDK_KEY_Escape, 0, CLEAR },
  { GDK_KEY_plus, 0, ZOOM_IN },
  { GDK_KEY_equal, 0, ZOOM_IN },
  { GDK_KEY_KP_Add, 0, ZOOM_IN },
  { GDK_KEY_minus, 0, ZOOM_OUT },
  { GDK_KEY_KP_Subtract, 0, ZOOM_OUT },
  { GDK_KEY_0, 0, FIT },
  { GDK_KEY_KP_0, 0, FIT },
  { GDK_KEY_BackSpace, 0, FIT },
  { GDK_KEY_r, 0, RESET_SCALE },
  { GDK_KEY_c, GDK_CONTROL_MASK, COPY_IMAGE },
  { GDK_KEY_Menu, 0, MENU },
  { GDK_KEY_F10, GDK_SHIFT_MASK, MENU },
};

static void
run_out_action (TsrTileMapView *self, Action action)
{
  TsrExport what = get_export (self);

  if (action == EXPORT_IMAGE)
    tsr_export_ask_image (&what);
  else if (action == EXPORT_DATA)
    tsr_export_ask_data (&what);
  else if (action == COPY_IMAGE)
    tsr_export_copy_image (&what);
  else
    show_menu_at_cursor (self);
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrTileMapView *self = TSR_TILE_MAP_VIEW (widget);
  Action action = 0;

  while (action < N_ACTIONS && !g_str_equal (name, action_names[action]))
    action++;
  if (self->map == NULL || action == N_ACTIONS)
    return;
  switch (action)
    {
    case MOVE_LEFT:
    case MOVE_RIGHT:
      move_cursor (self, action == MOVE_LEFT ? -1 : 1, 0, 1);
      break;
    case MOVE_UP:
    case MOVE_DOWN:
      move_cursor (self, 0, action == MOVE_UP ? -1 : 1, 1);
      break;
    case MOVE_LEFT_TEN:
    case MOVE_RIGHT_TEN:
      move_cursor (self, action == MOVE_LEFT_TEN ? -1 : 1, 0, 10);
      break;
    case SELECT_REPLACE:
    case SELECT_TOGGLE:
      select_at_cursor (self, action == SELECT_REPLACE ? TSR_SELECT_REPLACE : TSR_SELECT_TOGGLE);
      break;
    case CLEAR:
      tsr_tile_map_view_select_one (self, 0, TSR_SELECT_CLEAR);
      break;
    case ZOOM_IN:
    case ZOOM_OUT:
      zoom_middle (self, action == ZOOM_IN ? ZOOM_STEP : 1 / ZOOM_STEP);
      break;
    case FIT:
      tsr_tile_map_set_view (self->map, 1, 0.5, 0.5);
      break;
    case RESET_SCALE:
      tsr_tile_map_set_scale (self->map, 0, 0);
      break;
    default:
      run_out_action (self, action);
    }
}

void
tsr_tile_map_view_class_add_actions (GtkWidgetClass *widget_class)
{
  for (guint i = 0; i < N_ACTIONS; i++)
    gtk_widget_class_install_action (widget_class, action_names[i], NULL, run_action);
  for (guint i = 0; i < G_N_ELEMENTS (bindings); i++)
    gtk_widget_class_add_binding_action (widget_class, bindings[i].key, bindings[i].modifiers,
                                         action_names[bindings[i].action], NULL);
}

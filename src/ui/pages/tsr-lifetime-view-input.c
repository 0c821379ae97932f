/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What pointer, wheel and keys do to the lifetimes. */

#include "config.h"

#include "tsr-lifetime-view-private.h"

#include "tsr-navigation.h"

#include <glib/gi18n.h>
#include <math.h>

#define WHEEL_ROWS     3.0
#define WHEEL_FACTOR   1.25
#define WHEEL_PAN      0.08 /* of what is visible */
#define KEY_PAN        0.1
#define DRAG_THRESHOLD 4.0
#define ROW_FACTOR     1.5

/* Pointer */

static void
press (TsrPlane *plane, double x, double y, guint button, int n_press, GdkModifierType state)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  guint32 row = TSR_PLANE_GET_CLASS (plane)->datum_at (plane, x, y);

  self->last_x = x;
  self->last_y = y;
  self->gesture = g_random_int_range (1, G_MAXINT);
  self->threshold = DRAG_THRESHOLD;
  self->panning = button == GDK_BUTTON_MIDDLE || (state & GDK_CONTROL_MASK) != 0;
  if (self->panning || button != GDK_BUTTON_PRIMARY)
    return;
  if (row != TSR_NO_DATUM)
    tsr_plane_put_cursor (plane, row, TRUE);
  tsr_lifetime_view_select_row (self, row, (state & GDK_SHIFT_MASK) != 0);
}

static gboolean
drag (TsrPlane *plane, double x, double y)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  const TsrPlotArea *area = tsr_plane_get_area (plane);
  double from, to;

  if (!self->panning || hypot (x - self->last_x, y - self->last_y) < self->threshold)
    return FALSE;
  self->threshold = 0;
  tsr_viewport_get_range (self->viewport, &from, &to);
  if (area->width > 0)
    tsr_viewport_pan (self->viewport, (self->last_x - x) / area->width * (to - from),
                      self->gesture);
  gtk_adjustment_set_value (self->adjustment, gtk_adjustment_get_value (self->adjustment)
                                                  + (self->last_y - y) / self->row_height);
  self->last_x = x;
  self->last_y = y;
  return TRUE;
}

static void
scroll (TsrPlane *plane, double x, double y, double dx, double dy, GdkModifierType state)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  const TsrPlotArea *area = tsr_plane_get_area (plane);
  double from, to, at;

  tsr_viewport_get_range (self->viewport, &from, &to);
  if (dx != 0)
    tsr_viewport_pan (self->viewport, dx * WHEEL_PAN * (to - from), 0);
  if (dy != 0 && (state & GDK_CONTROL_MASK) != 0 && area->width > 0)
    {
      at = from + (x - area->x) / area->width * (to - from);
      tsr_viewport_zoom_about (self->viewport, CLAMP (at, from, to), pow (WHEEL_FACTOR, -dy), 0);
    }
  else if (dy != 0)
    gtk_adjustment_set_value (self->adjustment,
                              gtk_adjustment_get_value (self->adjustment)
                                  + dy * MAX (WHEEL_ROWS, 42.0 / self->row_height));
}

/* Keys */

/* The first step goes to what is visible. */
static void
move_rows (TsrPlane *plane, int by)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  guint32 cursor = tsr_plane_get_cursor (plane);

  if (cursor != TSR_NO_DATUM)
    tsr_lifetime_view_set_cursor (self, (double)cursor + by);
  else
    tsr_lifetime_view_set_cursor (self, by > 0 ? gtk_adjustment_get_value (self->adjustment) : 0);
}

static void
move_pages (TsrPlane *plane, int by)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  double page = MAX (gtk_adjustment_get_page_size (self->adjustment) - 1, 1);
  guint32 cursor = tsr_plane_get_cursor (plane);

  tsr_lifetime_view_set_cursor (self, (cursor != TSR_NO_DATUM ? cursor : -1.0) + by * page);
}

static void
move_to_end (TsrPlane *plane, int last)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);

  tsr_lifetime_view_set_cursor (self, last ? tsr_lifetime_view_get_n_rows (self) : 0);
}

static void
select_at_cursor (TsrPlane *plane, int toggle)
{
  tsr_lifetime_view_select_row (TSR_LIFETIME_VIEW (plane), tsr_plane_get_cursor (plane), toggle);
}

static void
clear_selection (TsrPlane *plane, int argument)
{
  tsr_lifetime_view_select_row (TSR_LIFETIME_VIEW (plane), TSR_NO_DATUM, FALSE);
}

static void
pan (TsrPlane *plane, int direction)
{
  TsrViewport *viewport = TSR_LIFETIME_VIEW (plane)->viewport;
  double from, to;

  tsr_viewport_get_range (viewport, &from, &to);
  tsr_viewport_pan (viewport, direction * KEY_PAN * (to - from), 0);
}

static void
zoom (TsrPlane *plane, int direction)
{
  tsr_viewport_zoom_middle (TSR_LIFETIME_VIEW (plane)->viewport,
                            direction > 0 ? TSR_ZOOM_STEP : 1 / TSR_ZOOM_STEP);
}

static void
fit (TsrPlane *plane, int argument)
{
  tsr_viewport_fit (TSR_LIFETIME_VIEW (plane)->viewport);
}

static void
change_height (TsrPlane *plane, int direction)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);

  tsr_lifetime_view_set_row_height (self, direction > 0 ? self->row_height * ROW_FACTOR
                                                        : self->row_height / ROW_FACTOR);
}

static const TsrPlaneAction actions[] = {
  { "lifetimes.up", "Up", move_rows, -1 },
  { "lifetimes.down", "Down", move_rows, 1 },
  { "lifetimes.page-up", "Page_Up", move_pages, -1 },
  { "lifetimes.page-down", "Page_Down", move_pages, 1 },
  { "lifetimes.first", "Home", move_to_end, FALSE },
  { "lifetimes.last", "End", move_to_end, TRUE },
  { "lifetimes.left", "Left", pan, -1 },
  { "lifetimes.right", "Right", pan, 1 },
  { "lifetimes.select", "space Return", select_at_cursor, FALSE },
  { "lifetimes.select-add", "<Shift>space <Shift>Return", select_at_cursor, TRUE },
  { "lifetimes.clear", "Escape", clear_selection, 0 },
  { "lifetimes.zoom-in", "plus equal", zoom, 1 },
  { "lifetimes.zoom-out", "minus", zoom, -1 },
  { "lifetimes.fit", "0", fit, 0 },
  { "lifetimes.taller", "bracketright", change_height, 1 },
  { "lifetimes.lower", "bracketleft", change_height, -1 },
  { NULL },
};

static void
add_menu_items (TsrPlane *plane, GMenu *menu)
{
  g_menu_append (menu, _ ("Show all"), "lifetimes.fit");
  g_menu_append (menu, _ ("Clear selection"), "lifetimes.clear");
}

static void
get_export (TsrPlane *plane, TsrExport *what)
{
  tsr_viewport_get_range (TSR_LIFETIME_VIEW (plane)->viewport, &what->from, &what->to);
}

void
tsr_lifetime_view_class_init_input (TsrPlaneClass *klass)
{
  klass->press = press;
  klass->drag = drag;
  klass->scroll = scroll;
  klass->add_menu_items = add_menu_items;
  klass->get_export = get_export;
  tsr_plane_class_add_actions (klass, actions);
}

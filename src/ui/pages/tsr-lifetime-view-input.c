/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What pointer, wheel and keys do to the lifetimes. */

#include "config.h"

#include "tsr-lifetime-view-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define WHEEL_ROWS     3.0
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
  self->gesture = tsr_plane_new_gesture ();
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

/* The wheel goes along the rows; Ctrl zooms the steps. */
static void
scroll (TsrPlane *plane, double x, double y, double dx, double dy, GdkModifierType state)
{
  TsrLifetimeView *self = TSR_LIFETIME_VIEW (plane);
  gboolean zooms = (state & GDK_CONTROL_MASK) != 0;

  tsr_plane_wheel (plane, x, dx, zooms ? dy : 0);
  if (dy != 0 && !zooms)
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
  { "lifetimes.left", "Left", tsr_plane_pan, -1 },
  { "lifetimes.right", "Right", tsr_plane_pan, 1 },
  { "lifetimes.select", "space Return", select_at_cursor, FALSE },
  { "lifetimes.select-add", "<Shift>space <Shift>Return", select_at_cursor, TRUE },
  { "lifetimes.clear", "Escape", clear_selection, 0 },
  { "lifetimes.zoom-in", "plus equal", tsr_plane_zoom, 1 },
  { "lifetimes.zoom-out", "minus", tsr_plane_zoom, -1 },
  { "lifetimes.fit", "0", tsr_plane_fit, 0 },
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

void
tsr_lifetime_view_class_init_input (TsrPlaneClass *klass)
{
  klass->press = press;
  klass->drag = drag;
  klass->scroll = scroll;
  klass->add_menu_items = add_menu_items;
  tsr_plane_class_add_actions (klass, actions);
}

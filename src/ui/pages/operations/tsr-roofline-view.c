/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pointer and keyboard on the roofline.  The keyboard's cursor is what is selected. */

#include "config.h"

#include "tsr-roofline-view.h"

#include <glib/gi18n.h>

struct _TsrRooflineView
{
  TsrPlane parent_instance;

  GMenuModel *menu; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (TsrRooflineView, tsr_roofline_view, TSR_TYPE_PLANE)

static guint select_signal;

static TsrRoofline *
get_roofline (TsrPlane *plane)
{
  return (TsrRoofline *)tsr_plane_get_model (plane);
}

static guint32
operation_at (TsrPlane *plane, double x, double y)
{
  TsrChartGeometry geometry;
  TsrPlotArea area;

  return tsr_plane_get_geometry (plane, &geometry, &area) && tsr_plane_is_in_area (plane, x, y)
             ? tsr_roofline_operation_at (get_roofline (plane), &geometry, &area, x, y)
             : TSR_NO_DATUM;
}

static gboolean
get_anchor (TsrPlane *plane, guint32 operation, double *x, double *y)
{
  TsrChartGeometry geometry;
  TsrPlotArea area;

  return tsr_plane_get_geometry (plane, &geometry, &area)
         && tsr_roofline_get_point (get_roofline (plane), &geometry, &area, operation, x, y)
         && *x >= area.x && *x <= area.x + area.width;
}

static void
reveal (TsrPlane *plane, guint32 operation)
{
  double x, y;

  if (!get_anchor (plane, operation, &x, &y))
    tsr_viewport_fit (tsr_plane_get_viewport (plane));
}

static void
select_operation (TsrPlane *plane, guint32 operation)
{
  g_signal_emit (plane, select_signal, 0, operation);
}

static void
press (TsrPlane *plane, double x, double y, guint button, int n_press, GdkModifierType state)
{
  const guint32 operation = operation_at (plane, x, y);

  if (button != GDK_BUTTON_PRIMARY || operation == TSR_NO_DATUM)
    return;
  tsr_plane_put_cursor (plane, operation, TRUE);
  select_operation (plane, operation);
}

static void
point_menu (TsrPlane *plane, double x, double y)
{
  press (plane, x, y, GDK_BUTTON_PRIMARY, 1, 0);
}

static void
scroll (TsrPlane *plane, double x, double y, double dx, double dy, GdkModifierType state)
{
  tsr_plane_wheel (plane, x, dx, dy);
}

static void
move_cursor (TsrPlane *plane, int dx, int dy)
{
  const guint32 operation
      = tsr_roofline_neighbour (get_roofline (plane), tsr_plane_get_cursor (plane), dx, dy);

  if (operation == TSR_NO_DATUM)
    return;
  tsr_plane_set_cursor (plane, operation);
  select_operation (plane, operation);
}

static void
move_x (TsrPlane *plane, int by)
{
  move_cursor (plane, by, 0);
}

static void
move_y (TsrPlane *plane, int by)
{
  move_cursor (plane, 0, by);
}

static void
fit (TsrPlane *plane, int argument)
{
  tsr_viewport_fit (tsr_plane_get_viewport (plane));
}

static const TsrPlaneAction actions[] = {
  { "chart.cursor-left", "Left KP_Left", move_x, -1 },
  { "chart.cursor-right", "Right KP_Right", move_x, 1 },
  { "chart.cursor-up", "Up KP_Up", move_y, -1 },
  { "chart.cursor-down", "Down KP_Down", move_y, 1 },
  { "chart.zoom-in", "plus equal KP_Add", tsr_plane_zoom, 1 },
  { "chart.zoom-out", "minus KP_Subtract", tsr_plane_zoom, -1 },
  { "chart.fit", "0 KP_0 BackSpace Escape", fit, 0 },
  { NULL },
};

static void
add_menu_items (TsrPlane *plane, GMenu *menu)
{
  TsrRooflineView *self = TSR_ROOFLINE_VIEW (plane);
  g_autoptr (GMenu) own = g_menu_new ();

  if (self->menu != NULL)
    g_menu_append_section (menu, NULL, self->menu);
  g_menu_append (own, _ ("Show all"), "chart.fit");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (own));
}

/* Operations may be others. */
static void
domain_changed (TsrPlane *plane, gboolean new_model)
{
  TsrChartModel *model = tsr_plane_get_model (plane);
  double from, to, least;

  tsr_plane_forget (plane);
  if (model == NULL)
    return;
  tsr_chart_model_get_domain (model, &from, &to, &least);
  tsr_viewport_set_domain (tsr_plane_get_viewport (plane), from, to, least);
  tsr_viewport_restart (tsr_plane_get_viewport (plane), from, to);
}

static void
tsr_roofline_view_dispose (GObject *object)
{
  g_clear_object (&TSR_ROOFLINE_VIEW (object)->menu);
  G_OBJECT_CLASS (tsr_roofline_view_parent_class)->dispose (object);
}

static void
tsr_roofline_view_class_init (TsrRooflineViewClass *klass)
{
  TsrPlaneClass *plane_class = TSR_PLANE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_roofline_view_dispose;
  plane_class->name = N_ ("Roofline");
  plane_class->hint = N_ ("Arrows move along the operations");
  plane_class->minimum_width = 240;
  plane_class->minimum_height = 90;
  plane_class->datum_at = operation_at;
  plane_class->get_anchor = get_anchor;
  plane_class->reveal = reveal;
  plane_class->press = press;
  plane_class->point_menu = point_menu;
  plane_class->scroll = scroll;
  plane_class->add_menu_items = add_menu_items;
  plane_class->domain_changed = domain_changed;
  select_signal = g_signal_new ("select", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  tsr_plane_class_add_actions (plane_class, actions);
}

static void
tsr_roofline_view_init (TsrRooflineView *self)
{
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();

  tsr_plane_set_viewport (TSR_PLANE (self), viewport);
  tsr_plane_set_file_name (TSR_PLANE (self), "roofline");
}

TsrRooflineView *
tsr_roofline_view_new (void)
{
  return g_object_new (TSR_TYPE_ROOFLINE_VIEW, NULL);
}

void
tsr_roofline_view_set_roofline (TsrRooflineView *self, TsrRoofline *roofline)
{
  g_return_if_fail (TSR_IS_ROOFLINE_VIEW (self));
  g_return_if_fail (roofline == NULL || TSR_IS_ROOFLINE (roofline));
  tsr_plane_set_model (TSR_PLANE (self), (TsrChartModel *)roofline);
}

TsrRoofline *
tsr_roofline_view_get_roofline (TsrRooflineView *self)
{
  g_return_val_if_fail (TSR_IS_ROOFLINE_VIEW (self), NULL);
  return get_roofline (TSR_PLANE (self));
}

void
tsr_roofline_view_set_menu (TsrRooflineView *self, GMenuModel *menu)
{
  g_return_if_fail (TSR_IS_ROOFLINE_VIEW (self) && self->menu == NULL && G_IS_MENU_MODEL (menu));
  self->menu = g_object_ref (menu);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pointer and keyboard on the roofline.  The keyboard's cursor is what is selected. */

#include "config.h"

#include "tsr-roofline-view.h"

#include <glib/gi18n.h>

struct _TsrRooflineView
{
  TsrPlane parent_instance;
};

G_DEFINE_FINAL_TYPE (TsrRooflineView, tsr_roofline_view, TSR_TYPE_PLANE)

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

static guint32
neighbour (TsrPlane *plane, guint32 operation, int dx, int dy)
{
  return tsr_roofline_neighbour (get_roofline (plane), operation, dx, dy);
}

static const TsrPlaneAction actions[] = {
  { "chart.fit", "0 KP_0 BackSpace Escape", tsr_plane_fit, 0 },
  { NULL },
};

static void
add_menu_items (TsrPlane *plane, GMenu *menu)
{
  g_menu_append (menu, _ ("Show all"), "chart.fit");
}

static void
tsr_roofline_view_class_init (TsrRooflineViewClass *klass)
{
  TsrPlaneClass *plane_class = TSR_PLANE_CLASS (klass);

  plane_class->name = N_ ("Roofline");
  plane_class->hint = N_ ("Arrows move along the operations");
  plane_class->minimum_width = 240;
  plane_class->minimum_height = 90;
  plane_class->datum_at = operation_at;
  plane_class->get_anchor = get_anchor;
  plane_class->reveal = reveal;
  plane_class->neighbour = neighbour;
  plane_class->add_menu_items = add_menu_items;
  tsr_plane_class_pick (plane_class);
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

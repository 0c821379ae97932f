/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pointer and keyboard on the icicle.  The keyboard's cursor is what is selected. */

#include "config.h"

#include "tsr-icicle-view.h"

#include <glib/gi18n.h>

#define LEAST_SEEN 3.0 /* pixels of a cell that is shown */

struct _TsrIcicleView
{
  TsrPlane parent_instance;
};

G_DEFINE_FINAL_TYPE (TsrIcicleView, tsr_icicle_view, TSR_TYPE_PLANE)

static TsrProgramIcicle *
get_icicle (TsrPlane *plane)
{
  return (TsrProgramIcicle *)tsr_plane_get_model (plane);
}

static guint32
cell_at (TsrPlane *plane, double x, double y)
{
  TsrChartGeometry geometry;

  return tsr_plane_get_geometry (plane, &geometry, NULL)
             ? tsr_program_icicle_cell_at (get_icicle (plane), &geometry, x, y)
             : TSR_NO_DATUM;
}

/* The middle of what is seen of its lower edge. */
static gboolean
get_anchor (TsrPlane *plane, guint32 cell, double *x, double *y)
{
  const TsrPlotArea *area = tsr_plane_get_area (plane);
  TsrChartGeometry geometry;
  double left, right, width, height;

  if (!tsr_plane_get_geometry (plane, &geometry, NULL)
      || !tsr_program_icicle_get_cell (get_icicle (plane), &geometry, cell, &left, y, &width,
                                       &height))
    return FALSE;
  right = MIN (left + width, area->x + area->width);
  left = MAX (left, area->x);
  *x = (left + right) / 2;
  *y += height;
  return left <= right && *y <= area->y + area->height;
}

/* ----------------------------------------------------------------- zooming */

void
tsr_icicle_view_zoom_to (TsrIcicleView *self, guint32 cell)
{
  TsrPlane *plane = TSR_PLANE (self);
  TsrProgramIcicle *icicle;
  guint32 cursor;
  gboolean shown;

  g_return_if_fail (TSR_IS_ICICLE_VIEW (self));
  icicle = get_icicle (plane);
  if (icicle == NULL)
    return;
  cursor = tsr_plane_get_cursor (plane);
  shown = tsr_plane_shows_cursor (plane);
  tsr_program_icicle_set_focus (icicle, cell);
  tsr_viewport_fit (tsr_plane_get_viewport (plane));
  if (cursor != TSR_NO_DATUM)
    tsr_plane_put_cursor (plane, cursor, shown);
}

/* From the focus and what is above it back out, from any other cell in. */
static void
turn (TsrPlane *plane, guint32 cell)
{
  TsrProgramIcicle *icicle = get_icicle (plane);
  guint32 focus = tsr_program_icicle_get_focus (icicle);

  if (cell == focus)
    cell = tsr_program_icicle_get_parent (icicle, focus);
  tsr_icicle_view_zoom_to (TSR_ICICLE_VIEW (plane), cell);
}

/* Whether enough of it is seen for a mark. */
static gboolean
can_be_seen (TsrPlane *plane, guint32 cell)
{
  const TsrPlotArea *area = tsr_plane_get_area (plane);
  TsrChartGeometry geometry;
  double x, y, width, height;

  if (!tsr_plane_get_geometry (plane, &geometry, NULL) || area->width <= 0)
    return TRUE;
  if (!tsr_program_icicle_get_cell (get_icicle (plane), &geometry, cell, &x, &y, &width, &height))
    return FALSE;
  return y + height <= area->y + area->height
         && MIN (x + width, area->x + area->width) - MAX (x, area->x) >= LEAST_SEEN;
}

static void
reveal (TsrPlane *plane, guint32 cell)
{
  if (can_be_seen (plane, cell))
    return;
  tsr_icicle_view_zoom_to (TSR_ICICLE_VIEW (plane),
                           tsr_program_icicle_get_parent (get_icicle (plane), cell));
  if (!can_be_seen (plane, cell))
    tsr_icicle_view_zoom_to (TSR_ICICLE_VIEW (plane), cell);
}

void
tsr_icicle_view_show_cell (TsrIcicleView *self, guint32 cell)
{
  g_return_if_fail (TSR_IS_ICICLE_VIEW (self));
  if (get_icicle (TSR_PLANE (self)) == NULL)
    return;
  tsr_plane_put_cursor (TSR_PLANE (self), cell, cell != TSR_NO_DATUM);
  if (cell != TSR_NO_DATUM)
    reveal (TSR_PLANE (self), cell);
}

/* ----------------------------------------------------------------- actions */

/* Where there was no cell yet, at the focus. */
static guint32
neighbour (TsrPlane *plane, guint32 cell, int dx, int dy)
{
  TsrProgramIcicle *icicle = get_icicle (plane);

  return cell != TSR_NO_DATUM ? tsr_program_icicle_neighbour (icicle, cell, dx, dy)
                              : tsr_program_icicle_get_focus (icicle);
}

static void
zoom_to (TsrPlane *plane, int argument)
{
  if (tsr_plane_get_cursor (plane) != TSR_NO_DATUM)
    turn (plane, tsr_plane_get_cursor (plane));
}

static void
zoom_back (TsrPlane *plane, int argument)
{
  TsrProgramIcicle *icicle = get_icicle (plane);

  tsr_icicle_view_zoom_to (
      TSR_ICICLE_VIEW (plane),
      tsr_program_icicle_get_parent (icicle, tsr_program_icicle_get_focus (icicle)));
}

static void
fit (TsrPlane *plane, int argument)
{
  tsr_icicle_view_zoom_to (TSR_ICICLE_VIEW (plane), TSR_NO_DATUM);
}

static const TsrPlaneAction actions[] = {
  { "chart.zoom-to", "Return KP_Enter", zoom_to, 0 },
  { "chart.zoom-back", "BackSpace Escape", zoom_back, 0 },
  { "chart.fit", "0 KP_0", fit, 0 },
  { NULL },
};

static void
add_menu_items (TsrPlane *plane, GMenu *menu)
{
  g_menu_append (menu, _ ("Zoom to it, or back"), "chart.zoom-to");
  g_menu_append (menu, _ ("Show all"), "chart.fit");
}

/* ------------------------------------------------------------------ object */

static void
tsr_icicle_view_class_init (TsrIcicleViewClass *klass)
{
  TsrPlaneClass *plane_class = TSR_PLANE_CLASS (klass);

  plane_class->name = N_ ("Icicle");
  plane_class->hint = N_ ("Arrows move along the programs, Enter zooms to one");
  plane_class->minimum_width = 120;
  plane_class->minimum_height = 80;
  plane_class->datum_at = cell_at;
  plane_class->get_anchor = get_anchor;
  plane_class->reveal = reveal;
  plane_class->neighbour = neighbour;
  plane_class->activate = turn;
  plane_class->add_menu_items = add_menu_items;
  tsr_plane_class_pick (plane_class);
  tsr_plane_class_add_actions (plane_class, actions);
}

static void
tsr_icicle_view_init (TsrIcicleView *self)
{
  g_autoptr (TsrViewport) viewport = tsr_viewport_new ();

  tsr_plane_set_viewport (TSR_PLANE (self), viewport);
  tsr_plane_set_file_name (TSR_PLANE (self), "icicle");
}

TsrIcicleView *
tsr_icicle_view_new (void)
{
  return g_object_new (TSR_TYPE_ICICLE_VIEW, NULL);
}

void
tsr_icicle_view_set_icicle (TsrIcicleView *self, TsrProgramIcicle *icicle)
{
  g_return_if_fail (TSR_IS_ICICLE_VIEW (self));
  g_return_if_fail (icicle == NULL || TSR_IS_PROGRAM_ICICLE (icicle));
  tsr_plane_set_model (TSR_PLANE (self), (TsrChartModel *)icicle);
}

TsrProgramIcicle *
tsr_icicle_view_get_icicle (TsrIcicleView *self)
{
  g_return_val_if_fail (TSR_IS_ICICLE_VIEW (self), NULL);
  return get_icicle (TSR_PLANE (self));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pointer and keyboard on the icicle.  The keyboard's cursor is what is selected. */

#include "config.h"

#include "tsr-icicle-view.h"

#include <glib/gi18n.h>

#define LEAST_SEEN 3.0 /* pixels of a cell that is shown */

struct _TsrIcicleView
{
  TsrPlane parent_instance;

  GMenuModel *menu; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (TsrIcicleView, tsr_icicle_view, TSR_TYPE_PLANE)

static guint select_signal;

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
turn (TsrIcicleView *self, guint32 cell)
{
  TsrProgramIcicle *icicle = get_icicle (TSR_PLANE (self));
  guint32 focus = tsr_program_icicle_get_focus (icicle);

  if (cell == focus)
    cell = tsr_program_icicle_get_parent (icicle, focus);
  tsr_icicle_view_zoom_to (self, cell);
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

void
tsr_icicle_view_show_cell (TsrIcicleView *self, guint32 cell)
{
  TsrPlane *plane = TSR_PLANE (self);
  TsrProgramIcicle *icicle;

  g_return_if_fail (TSR_IS_ICICLE_VIEW (self));
  icicle = get_icicle (plane);
  if (icicle == NULL)
    return;
  tsr_plane_put_cursor (plane, cell, cell != TSR_NO_DATUM);
  if (cell == TSR_NO_DATUM || can_be_seen (plane, cell))
    return;
  tsr_icicle_view_zoom_to (self, tsr_program_icicle_get_parent (icicle, cell));
  if (!can_be_seen (plane, cell))
    tsr_icicle_view_zoom_to (self, cell);
}

/* ----------------------------------------------------------------- pointer */

static void
select_cell (TsrPlane *plane, guint32 cell)
{
  g_signal_emit (plane, select_signal, 0, cell);
}

static void
press (TsrPlane *plane, double x, double y, guint button, int n_press, GdkModifierType state)
{
  guint32 cell = cell_at (plane, x, y);

  if (button != GDK_BUTTON_PRIMARY || cell == TSR_NO_DATUM)
    return;
  if (n_press == 2)
    {
      turn (TSR_ICICLE_VIEW (plane), cell);
      return;
    }
  tsr_plane_put_cursor (plane, cell, TRUE);
  select_cell (plane, cell);
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

/* ----------------------------------------------------------------- actions */

/* Where there was no cell yet, at the focus. */
static void
move_cursor (TsrPlane *plane, int dx, int dy)
{
  TsrProgramIcicle *icicle = get_icicle (plane);
  guint32 cell = tsr_plane_get_cursor (plane);

  cell = cell != TSR_NO_DATUM ? tsr_program_icicle_neighbour (icicle, cell, dx, dy)
                              : tsr_program_icicle_get_focus (icicle);
  tsr_icicle_view_show_cell (TSR_ICICLE_VIEW (plane), cell);
  tsr_plane_set_cursor (plane, cell);
  select_cell (plane, cell);
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
zoom_to (TsrPlane *plane, int argument)
{
  if (tsr_plane_get_cursor (plane) != TSR_NO_DATUM)
    turn (TSR_ICICLE_VIEW (plane), tsr_plane_get_cursor (plane));
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
  { "chart.cursor-left", "Left KP_Left", move_x, -1 },
  { "chart.cursor-right", "Right KP_Right", move_x, 1 },
  { "chart.cursor-up", "Up KP_Up", move_y, -1 },
  { "chart.cursor-down", "Down KP_Down", move_y, 1 },
  { "chart.zoom-to", "Return KP_Enter", zoom_to, 0 },
  { "chart.zoom-back", "BackSpace Escape", zoom_back, 0 },
  { "chart.zoom-in", "plus equal KP_Add", tsr_plane_zoom, 1 },
  { "chart.zoom-out", "minus KP_Subtract", tsr_plane_zoom, -1 },
  { "chart.fit", "0 KP_0", fit, 0 },
  { NULL },
};

static void
add_menu_items (TsrPlane *plane, GMenu *menu)
{
  TsrIcicleView *self = TSR_ICICLE_VIEW (plane);
  g_autoptr (GMenu) own = g_menu_new ();

  if (self->menu != NULL)
    g_menu_append_section (menu, NULL, self->menu);
  g_menu_append (own, _ ("Zoom to it, or back"), "chart.zoom-to");
  g_menu_append (own, _ ("Show all"), "chart.fit");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (own));
}

/* ------------------------------------------------------------------ object */

/* Cells may be others. */
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
tsr_icicle_view_dispose (GObject *object)
{
  g_clear_object (&TSR_ICICLE_VIEW (object)->menu);
  G_OBJECT_CLASS (tsr_icicle_view_parent_class)->dispose (object);
}

static void
tsr_icicle_view_class_init (TsrIcicleViewClass *klass)
{
  TsrPlaneClass *plane_class = TSR_PLANE_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tsr_icicle_view_dispose;
  plane_class->name = N_ ("Icicle");
  plane_class->hint = N_ ("Arrows move along the programs, Enter zooms to one");
  plane_class->minimum_width = 120;
  plane_class->minimum_height = 80;
  plane_class->datum_at = cell_at;
  plane_class->get_anchor = get_anchor;
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

void
tsr_icicle_view_set_menu (TsrIcicleView *self, GMenuModel *menu)
{
  g_return_if_fail (TSR_IS_ICICLE_VIEW (self) && self->menu == NULL && G_IS_MENU_MODEL (menu));
  self->menu = g_object_ref (menu);
}

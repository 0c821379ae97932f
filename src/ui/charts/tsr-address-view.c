/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pointer and keyboard on the address map. */

#include "config.h"

#include "tsr-address-view.h"

#include <glib/gi18n.h>
#include <math.h>

#define MORE_HEIGHT 48 /* of an image, for the title */

struct _TsrAddressView
{
  TsrPlane parent_instance;

  guint32 wanted; /* allocation that is to be seen, once it has its place */
};

G_DEFINE_FINAL_TYPE (TsrAddressView, tsr_address_view, TSR_TYPE_PLANE)

static guint select_signal;

static void
tsr_address_view_measure (GtkWidget *widget,
                          GtkOrientation orientation,
                          int for_size,
                          int *minimum,
                          int *natural,
                          int *minimum_baseline,
                          int *natural_baseline)
{
  TsrAddressMap *map = tsr_address_view_get_map (TSR_ADDRESS_VIEW (widget));

  *minimum = *natural = TSR_PLANE_GET_CLASS (widget)->minimum_width;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = map != NULL ? (int)ceil (tsr_address_map_get_height (map, for_size)) : 0;
}

static guint32
row_at (TsrPlane *plane, double x, double y)
{
  TsrAddressMap *map = tsr_address_view_get_map (TSR_ADDRESS_VIEW (plane));
  TsrChartGeometry geometry;

  return tsr_plane_get_geometry (plane, &geometry, NULL)
             ? tsr_address_map_row_at (map, &geometry, x, y, NULL)
             : TSR_NO_DATUM;
}

/* The lower end of the allocation. */
static gboolean
get_anchor (TsrPlane *plane, guint32 row, double *x, double *y)
{
  TsrAddressMap *map = tsr_address_view_get_map (TSR_ADDRESS_VIEW (plane));
  TsrChartGeometry geometry;
  double height;

  if (!tsr_plane_get_geometry (plane, &geometry, NULL)
      || !tsr_address_map_get_place (map, &geometry, row, x, y, &height))
    return FALSE;
  *y += height;
  return TRUE;
}

static void
reveal (TsrPlane *plane, guint32 row)
{
  TsrAddressMap *map = tsr_address_view_get_map (TSR_ADDRESS_VIEW (plane));
  GtkWidget *scrolled = gtk_widget_get_ancestor (GTK_WIDGET (plane), GTK_TYPE_SCROLLED_WINDOW);
  TsrChartGeometry geometry;
  double x, y, height;

  if (scrolled != NULL && tsr_plane_get_geometry (plane, &geometry, NULL)
      && tsr_address_map_get_place (map, &geometry, row, &x, &y, &height))
    gtk_adjustment_clamp_page (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)),
                               y - height, y + 2 * height);
}

/* A map of another tile has another height, which comes with the next layout. */
static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  TsrAddressView *self = TSR_ADDRESS_VIEW (widget);
  TsrAddressMap *map = tsr_address_view_get_map (self);
  int width = gtk_widget_get_width (widget);
  guint32 row = self->wanted;

  if (map != NULL && gtk_widget_get_height (widget) < tsr_address_map_get_height (map, width))
    return G_SOURCE_CONTINUE;
  self->wanted = TSR_NO_DATUM;
  reveal (TSR_PLANE (widget), row);
  return G_SOURCE_REMOVE;
}

void
tsr_address_view_reveal (TsrAddressView *self, guint32 row)
{
  g_return_if_fail (TSR_IS_ADDRESS_VIEW (self));
  if (self->wanted == TSR_NO_DATUM)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
  self->wanted = row;
}

static void
press (TsrPlane *plane, double x, double y, guint button, int n_press, GdkModifierType state)
{
  guint32 row = row_at (plane, x, y);

  if (button != GDK_BUTTON_PRIMARY)
    return;
  tsr_plane_put_cursor (plane, row, TRUE);
  g_signal_emit (plane, select_signal, 0, row, (state & GDK_SHIFT_MASK) != 0);
}

/* Actions */

static void
move_cursor (TsrPlane *plane, int by)
{
  TsrAddressMap *map = tsr_address_view_get_map (TSR_ADDRESS_VIEW (plane));

  tsr_plane_set_cursor (plane, tsr_address_map_step_from (map, tsr_plane_get_cursor (plane), by));
}

static void
select_at_cursor (TsrPlane *plane, int add)
{
  g_signal_emit (plane, select_signal, 0, tsr_plane_get_cursor (plane), add);
}

static void
clear_selection (TsrPlane *plane, int argument)
{
  g_signal_emit (plane, select_signal, 0, TSR_NO_DATUM, FALSE);
}

static const TsrPlaneAction actions[] = {
  { "chart.cursor-left", "Left Up KP_Left", move_cursor, -1 },
  { "chart.cursor-right", "Right Down KP_Right", move_cursor, 1 },
  { "chart.select", "space Return KP_Enter", select_at_cursor, FALSE },
  { "chart.select-add", "<Shift>space <Shift>Return", select_at_cursor, TRUE },
  { "chart.clear-selection", "Escape", clear_selection, 0 },
  { NULL },
};

static void
add_menu_items (TsrPlane *plane, GMenu *menu)
{
  g_menu_append (menu, _ ("Clear selection"), "chart.clear-selection");
}

static void
get_export (TsrPlane *plane, TsrExport *what)
{
  what->height += MORE_HEIGHT;
}

/* Another tile: other rows, another height. */
static void
domain_changed (TsrPlane *plane, gboolean new_model)
{
  tsr_plane_forget (plane);
  gtk_widget_queue_resize (GTK_WIDGET (plane));
}

/* Object */

static void
tsr_address_view_class_init (TsrAddressViewClass *klass)
{
  TsrPlaneClass *plane_class = TSR_PLANE_CLASS (klass);

  GTK_WIDGET_CLASS (klass)->measure = tsr_address_view_measure;
  plane_class->name = N_ ("Address map");
  plane_class->hint = N_ ("Arrows move along the allocations");
  plane_class->datum_at = row_at;
  plane_class->get_anchor = get_anchor;
  plane_class->reveal = reveal;
  plane_class->press = press;
  plane_class->add_menu_items = add_menu_items;
  plane_class->get_export = get_export;
  plane_class->domain_changed = domain_changed;
  select_signal = g_signal_new ("select", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_BOOLEAN);
  tsr_plane_class_add_actions (plane_class, actions);
}

static void
tsr_address_view_init (TsrAddressView *self)
{
  self->wanted = TSR_NO_DATUM;
  tsr_plane_set_file_name (TSR_PLANE (self), "addresses");
  /* The callout may be higher than a few rows. */
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_VISIBLE);
}

TsrAddressView *
tsr_address_view_new (void)
{
  return g_object_new (TSR_TYPE_ADDRESS_VIEW, NULL);
}

void
tsr_address_view_set_map (TsrAddressView *self, TsrAddressMap *map)
{
  g_return_if_fail (TSR_IS_ADDRESS_VIEW (self) && (map == NULL || TSR_IS_ADDRESS_MAP (map)));
  tsr_plane_set_model (TSR_PLANE (self), (TsrChartModel *)map);
}

TsrAddressMap *
tsr_address_view_get_map (TsrAddressView *self)
{
  g_return_val_if_fail (TSR_IS_ADDRESS_VIEW (self), NULL);
  return (TsrAddressMap *)tsr_plane_get_model (TSR_PLANE (self));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lets the wheel and the focus scroll the page around a list. */

#include "config.h"

#include "tsr-scroll.h"

#include <math.h>

static gboolean
has_room (GtkAdjustment *adjustment, double by)
{
  double value = gtk_adjustment_get_value (adjustment);
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  return by > 0 ? value + 0.5 < end : value - 0.5 > gtk_adjustment_get_lower (adjustment);
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, GtkScrolledWindow *inner)
{
  GtkEventController *base = GTK_EVENT_CONTROLLER (controller);
  GtkWidget *outer = gtk_widget_get_ancestor (gtk_widget_get_parent (GTK_WIDGET (inner)),
                                              GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment;

  if (dy == 0 || outer == NULL
      || gtk_widget_get_native (outer) != gtk_widget_get_native (GTK_WIDGET (inner))
      || (gtk_event_controller_get_current_event_state (base) & GDK_SHIFT_MASK) != 0
      || has_room (gtk_scrolled_window_get_vadjustment (inner), dy))
    return GDK_EVENT_PROPAGATE;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (outer));
  /* A step of the wheel is as GTK has it. */
  if (gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL)
    dy *= pow (gtk_adjustment_get_page_size (adjustment), 2.0 / 3.0);
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + dy);
  return GDK_EVENT_STOP;
}

void
tsr_scroll_chain_add (GtkScrolledWindow *inner)
{
  GtkEventController *controller
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  g_return_if_fail (GTK_IS_SCROLLED_WINDOW (inner));
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect (controller, "scroll", G_CALLBACK (on_scroll), inner);
  gtk_widget_add_controller (GTK_WIDGET (inner), controller);
}

static void
on_focus (GtkWidget *viewport, GParamSpec *pspec, GtkRoot *root)
{
  GtkWidget *focus = gtk_root_get_focus (root);
  GtkWidget *child = gtk_viewport_get_child (GTK_VIEWPORT (viewport));
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport));
  double value = gtk_adjustment_get_value (adjustment);
  double page = gtk_adjustment_get_page_size (adjustment);
  graphene_rect_t bounds;
  double top, end;

  /* The text of an entry is less than the entry. */
  if (focus != NULL && GTK_IS_TEXT (focus))
    focus = gtk_widget_get_parent (focus);
  if (focus == NULL || child == NULL || !gtk_widget_is_ancestor (focus, child)
      || !gtk_widget_compute_bounds (focus, child, &bounds))
    return;
  top = bounds.origin.y;
  end = top + bounds.size.height;
  if (bounds.size.height <= page)
    gtk_adjustment_clamp_page (adjustment, top, end);
  else if (end <= value || top >= value + page)
    gtk_adjustment_set_value (adjustment, top);
}

static void
on_root (GtkWidget *viewport)
{
  GtkRoot *root = gtk_widget_get_root (viewport);

  if (root != NULL)
    g_signal_connect_object (root, "notify::focus-widget", G_CALLBACK (on_focus), viewport,
                             G_CONNECT_SWAPPED);
}

void
tsr_scroll_follow_focus (GtkViewport *viewport)
{
  g_return_if_fail (GTK_IS_VIEWPORT (viewport));
  gtk_viewport_set_scroll_to_focus (viewport, FALSE);
  g_signal_connect (viewport, "notify::root", G_CALLBACK (on_root), NULL);
  on_root (GTK_WIDGET (viewport));
}

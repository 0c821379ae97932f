/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the pointer does to a trace. */

#include "config.h"

#include "tsr-trace-view-private.h"

#include <math.h>

#define DRAG_THRESHOLD 4.0
#define WHEEL_FACTOR   1.25
#define WHEEL_ROWS     3.0
#define CLOSER         8.0 /* a double click where there is nothing to go to */

static gboolean
hit_at (TsrTraceView *self, double x, double y, TsrTraceHit *hit, TsrPlotArea *area)
{
  TsrChartGeometry geometry;

  memset (hit, 0, sizeof *hit);
  hit->kind = TSR_TRACE_HIT_NOTHING;
  if (!tsr_plane_get_geometry (TSR_PLANE (self), &geometry, area))
    return FALSE;
  tsr_trace_chart_hit (self->chart, &geometry, area, x, y, hit);
  return TRUE;
}

/* To what is hit; back, when it fills the view already. */
static void
double_click (TsrTraceView *self, double x, double y)
{
  TsrTraceHit hit;
  TsrPlotArea area;
  gint64 from, to;
  double a, b;

  if (!hit_at (self, x, y, &hit, &area) || x < area.x)
    return;
  tsr_viewport_get_range (self->viewport, &a, &b);
  if (hit.kind == TSR_TRACE_HIT_ARROW || hit.kind == TSR_TRACE_HIT_PIN)
    return;
  if (hit.kind == TSR_TRACE_HIT_RUN)
    tsr_trace_state_set_run (tsr_trace_view_get_state (self), (int)hit.index);
  else if (tsr_trace_view_get_extent (self, &hit, &from, &to))
    {
      TsrTraceFold *fold = tsr_trace_chart_get_fold (self->chart);
      double span
          = tsr_trace_fold_get_position (fold, to) - tsr_trace_fold_get_position (fold, from);

      if (span >= (b - a) * 0.85 && tsr_viewport_can_undo (self->viewport))
        tsr_viewport_undo (self->viewport);
      else
        tsr_trace_view_zoom_to (self, from, to);
    }
  else if (!self->whole)
    tsr_viewport_fit (self->viewport);
  else
    tsr_viewport_zoom_about (self->viewport, tsr_plane_data_at (TSR_PLANE (self), x), CLOSER, 0);
}

static void
press (TsrPlane *plane, double x, double y, guint button, int n_press, GdkModifierType state)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);

  self->drag = TSR_TRACE_DRAG_NONE;
  if (n_press == 2 && button == GDK_BUTTON_PRIMARY)
    {
      double_click (self, x, y);
      return;
    }
  self->drag = TSR_TRACE_DRAG_PRESSED;
  self->drag_pans = button == GDK_BUTTON_MIDDLE || (state & GDK_CONTROL_MASK) != 0;
  self->press_x = self->last_x = x;
  self->press_y = self->last_y = y;
  self->gesture = tsr_plane_new_gesture ();
}

static void
begin_drag (TsrTraceView *self)
{
  TsrTraceHit hit;
  TsrPlotArea area = { 0 };
  gboolean pinned;
  double top;

  hit_at (self, self->press_x, self->press_y, &hit, &area);
  /* A band that is zoomed goes up and down under the pointer, in the place of rows. */
  if (hit.kind != TSR_TRACE_HIT_TILE || self->bsp_to - self->bsp_from >= 1
      || !tsr_trace_chart_get_row_place (self->chart, &hit, &top, &self->drag_band, &pinned))
    self->drag_band = 0;
  /* Over the names there is nothing to measure: rows are pulled. */
  self->drag = self->drag_pans || self->press_x < area.x ? TSR_TRACE_DRAG_PAN : TSR_TRACE_DRAG_SPAN;
  self->span_from = tsr_plane_data_at (TSR_PLANE (self), self->press_x);
  tsr_trace_view_set_hit (self, NULL, 0, 0);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                   self->drag == TSR_TRACE_DRAG_PAN ? "grabbing" : "ew-resize");
}

static gboolean
drag (TsrPlane *plane, double x, double y)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  double from, to, last;

  if (self->drag == TSR_TRACE_DRAG_NONE)
    return FALSE;
  if (self->drag == TSR_TRACE_DRAG_PRESSED)
    {
      if (hypot (x - self->press_x, y - self->press_y) < DRAG_THRESHOLD)
        return FALSE;
      begin_drag (self);
    }
  tsr_viewport_get_range (self->viewport, &from, &to);
  if (self->drag == TSR_TRACE_DRAG_PAN)
    {
      last = tsr_plane_data_at (TSR_PLANE (self), self->last_x);
      tsr_viewport_pan (self->viewport, last - tsr_plane_data_at (TSR_PLANE (self), x),
                        self->gesture);
      if (self->drag_band > 0)
        tsr_trace_view_pan_band (self, (self->last_y - y) / self->drag_band);
      else
        gtk_adjustment_set_value (self->adjustment,
                                  gtk_adjustment_get_value (self->adjustment) + self->last_y - y);
    }
  else
    {
      self->span_from = CLAMP (self->span_from, from, to);
      self->span_to = CLAMP (tsr_plane_data_at (TSR_PLANE (self), x), from, to);
      tsr_plane_invalidate_overlay (plane);
    }
  self->last_x = x;
  self->last_y = y;
  return TRUE;
}

static void
finish_span (TsrTraceView *self)
{
  TsrTraceFold *fold = tsr_trace_chart_get_fold (self->chart);
  gint64 from = tsr_trace_fold_get_cycles (fold, MIN (self->span_from, self->span_to));
  gint64 to = tsr_trace_fold_get_cycles (fold, ceil (MAX (self->span_from, self->span_to)));

  tsr_trace_state_set_span (tsr_trace_view_get_state (self), from, MAX (to, from + 1));
}

static void
release (TsrPlane *plane, double x, double y, GdkModifierType state)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrTraceDrag was = self->drag;
  TsrTraceHit hit;
  TsrPlotArea area;

  tsr_plane_cancel (plane);
  if (was == TSR_TRACE_DRAG_SPAN)
    {
      /* Up and down there is nothing to measure. */
      if (fabs (x - self->press_x) >= DRAG_THRESHOLD)
        finish_span (self);
    }
  else if (was == TSR_TRACE_DRAG_PRESSED && !self->drag_pans && hit_at (self, x, y, &hit, &area))
    {
      /* The keyboard goes on from here. */
      if (hit.kind == TSR_TRACE_HIT_ITEM)
        tsr_trace_view_put_cursor (self, &hit);
      tsr_trace_view_activate (self, &hit, (state & GDK_SHIFT_MASK) != 0);
    }
}

static void
scroll_rows (TsrTraceView *self, double dy)
{
  gtk_adjustment_set_value (self->adjustment, gtk_adjustment_get_value (self->adjustment)
                                                  + dy * WHEEL_ROWS * self->row_height);
}

/* FALSE when there is no band of tiles under the pointer. */
static gboolean
scroll_band (
    TsrTraceView *self, const TsrTraceHit *hit, const TsrPlotArea *area, double y, double dy)
{
  double place;

  if (!tsr_trace_view_get_band_place (self, hit, area, y, &place))
    return FALSE;
  tsr_trace_view_zoom_band (self,
                            self->bsp_from + CLAMP (place, 0, 1) * (self->bsp_to - self->bsp_from),
                            pow (WHEEL_FACTOR, -dy));
  return TRUE;
}

static void
scroll (TsrPlane *plane, double x, double y, double dx, double dy, GdkModifierType state)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrPlotArea area = { 0 };
  TsrTraceHit hit;
  gboolean rows;

  hit_at (self, x, y, &hit, &area);
  if (dy != 0 && (state & GDK_ALT_MASK) != 0 && scroll_band (self, &hit, &area, y, dy))
    dy = 0;
  rows = (state & GDK_CONTROL_MASK) != 0 || x < area.x;
  tsr_plane_wheel (plane, x, dx, rows ? 0 : dy);
  if (rows && dy != 0)
    scroll_rows (self, dy);
}

/* What the menu speaks of is at the cursor, and a step is selected. */
static void
point_menu (TsrPlane *plane, double x, double y)
{
  TsrTraceView *self = TSR_TRACE_VIEW (plane);
  TsrPlotArea area;
  TsrTraceHit hit;

  if (!hit_at (self, x, y, &hit, &area) || hit.kind == TSR_TRACE_HIT_NOTHING)
    return;
  tsr_trace_view_put_cursor (self, &hit);
  if (hit.kind == TSR_TRACE_HIT_ITEM && !tsr_trace_view_is_selected (self, hit.slice))
    tsr_trace_view_select_leaf (self, &hit);
}

void
tsr_trace_view_class_add_input (TsrPlaneClass *klass)
{
  klass->point_menu = point_menu;
  klass->press = press;
  klass->drag = drag;
  klass->release = release;
  klass->scroll = scroll;
}

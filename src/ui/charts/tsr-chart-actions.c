/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What keys, menus and assistive technology fire on a chart: actions without parameters, the keys
 * bound to them, and how the keyboard cursor moves. */

#include "config.h"

#include "tsr-chart-private.h"

#include <math.h>

/* Position of the cursor; where it would begin when there is none. */
static double
cursor_position (TsrChart *self)
{
  TsrPlane *plane = TSR_PLANE (self);
  TsrChartModel *model = tsr_plane_get_model (plane);
  double from, to;

  if (tsr_plane_get_cursor (plane) != TSR_NO_DATUM)
    return tsr_chart_model_position_of (model, tsr_plane_get_cursor (plane));
  if (tsr_plane_get_hover (plane) != TSR_NO_DATUM)
    return tsr_chart_model_position_of (model, tsr_plane_get_hover (plane));
  tsr_viewport_get_range (self->viewport, &from, &to);
  if (self->selected_from < self->selected_to && self->selected_from >= from
      && self->selected_from < to)
    return self->selected_from;
  return ceil (from);
}

static void
go_to (TsrChart *self, double position, gboolean extend)
{
  TsrPlane *plane = TSR_PLANE (self);
  double from, to;

  tsr_viewport_get_domain (self->viewport, &from, &to);
  position = CLAMP (position, from, MAX (to - 1, from));
  if (extend && !isfinite (self->anchor))
    self->anchor = cursor_position (self);
  else if (!extend)
    self->anchor = NAN;
  tsr_plane_set_cursor (plane,
                        tsr_chart_model_datum_at (tsr_plane_get_model (plane), position + 0.5));
  if (extend)
    tsr_chart_emit_select (self, MIN (self->anchor, position), MAX (self->anchor, position) + 1,
                           TSR_SELECT_REPLACE);
}

/* The first step goes to where the cursor begins. */
static void
move_cursor (TsrPlane *plane, int by)
{
  TsrChart *self = TSR_CHART (plane);

  go_to (self, cursor_position (self) + (tsr_plane_get_cursor (plane) != TSR_NO_DATUM ? by : 0),
         FALSE);
}

static void
extend_cursor (TsrPlane *plane, int by)
{
  go_to (TSR_CHART (plane), cursor_position (TSR_CHART (plane)) + by, TRUE);
}

static void
move_to_end (TsrPlane *plane, int last)
{
  double first, end;

  tsr_viewport_get_domain (TSR_CHART (plane)->viewport, &first, &end);
  go_to (TSR_CHART (plane), last ? end - 1 : first, FALSE);
}

static void
page (TsrPlane *plane, int pages)
{
  TsrChart *self = TSR_CHART (plane);
  double from, to, first, end, position;

  tsr_viewport_get_range (self->viewport, &from, &to);
  tsr_viewport_page (self->viewport, pages);
  if (tsr_plane_get_cursor (plane) == TSR_NO_DATUM)
    return;
  /* The cursor goes along, and to the very end when there is no further page. */
  tsr_viewport_get_range (self->viewport, &first, &end);
  position = cursor_position (self);
  if (first == from)
    tsr_viewport_get_domain (self->viewport, &first, &end);
  else
    position += first - from;
  if (first == from || position < first || position >= end)
    position = pages < 0 ? first : end - 1;
  go_to (self, floor (position), FALSE);
}

static void
select_at_cursor (TsrPlane *plane, int mode)
{
  TsrChart *self = TSR_CHART (plane);
  double position;

  if (tsr_plane_get_cursor (plane) == TSR_NO_DATUM)
    move_cursor (plane, 0);
  position = cursor_position (self);
  self->anchor = position;
  tsr_chart_emit_select (self, position, position + 1, mode);
}

static void
clear_selection (TsrPlane *plane, int argument)
{
  tsr_plane_cancel (plane);
  TSR_CHART (plane)->anchor = NAN;
  tsr_chart_emit_select (TSR_CHART (plane), 0, 0, TSR_SELECT_CLEAR);
}

static void
zoom_to_selection (TsrPlane *plane, int argument)
{
  TsrChart *self = TSR_CHART (plane);

  tsr_chart_zoom_to_range (self, self->selected_from, self->selected_to);
}

static const TsrPlaneAction actions[] = {
  { "chart.zoom-in", "plus <Shift>plus equal KP_Add", tsr_plane_zoom, 1 },
  { "chart.zoom-out", "minus KP_Subtract", tsr_plane_zoom, -1 },
  { "chart.fit", "KP_0 0", tsr_plane_fit, 0 },
  { "chart.undo-zoom", "BackSpace <Control>z", tsr_plane_undo_zoom, 0 },
  { "chart.zoom-to-selection", "f", zoom_to_selection, 0 },
  { "chart.page-left", "Page_Up KP_Page_Up", page, -1 },
  { "chart.page-right", "Page_Down KP_Page_Down", page, 1 },
  { "chart.cursor-left", "Left KP_Left", move_cursor, -1 },
  { "chart.cursor-right", "Right KP_Right", move_cursor, 1 },
  { "chart.cursor-left-ten", "<Control>Left", move_cursor, -10 },
  { "chart.cursor-right-ten", "<Control>Right", move_cursor, 10 },
  { "chart.cursor-first", "Home KP_Home", move_to_end, FALSE },
  { "chart.cursor-last", "End KP_End", move_to_end, TRUE },
  { "chart.extend-left", "<Shift>Left", extend_cursor, -1 },
  { "chart.extend-right", "<Shift>Right", extend_cursor, 1 },
  { "chart.extend-left-ten", "<Shift><Control>Left", extend_cursor, -10 },
  { "chart.extend-right-ten", "<Shift><Control>Right", extend_cursor, 10 },
  { "chart.select", "space Return KP_Enter", select_at_cursor, TSR_SELECT_REPLACE },
  { "chart.select-add", "<Shift>space <Shift>Return", select_at_cursor, TSR_SELECT_TOGGLE },
  { "chart.clear-selection", "Escape", clear_selection, 0 },
  { NULL },
};

void
tsr_chart_class_add_actions (TsrPlaneClass *klass)
{
  tsr_plane_class_add_actions (klass, actions);
}

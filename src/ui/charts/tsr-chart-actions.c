/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What keys, menus and assistive technology fire on a chart: actions without parameters, the keys
 * bound to them, and how the keyboard cursor moves. */

#include "config.h"

#include "tsr-chart-private.h"

#include "tsr-navigation.h"

#include <math.h>

/* Position of the cursor; where it would begin when there is none. */
static double
cursor_position (TsrChart *self)
{
  double from, to;

  if (self->cursor != TSR_NO_DATUM)
    return tsr_chart_model_position_of (self->model, self->cursor);
  if (self->hover != TSR_NO_DATUM)
    return tsr_chart_model_position_of (self->model, self->hover);
  tsr_viewport_get_range (self->viewport, &from, &to);
  if (self->selected_from < self->selected_to && self->selected_from >= from
      && self->selected_from < to)
    return self->selected_from;
  return ceil (from);
}

static void
move_cursor_to (TsrChart *self, double position, gboolean extend)
{
  double from, to;

  tsr_viewport_get_domain (self->viewport, &from, &to);
  position = CLAMP (position, from, MAX (to - 1, from));
  if (extend && !isfinite (self->anchor))
    self->anchor = cursor_position (self);
  else if (!extend)
    self->anchor = NAN;
  tsr_chart_set_cursor (self, tsr_chart_model_datum_at (self->model, position + 0.5));
  if (extend)
    tsr_chart_emit_select (self, MIN (self->anchor, position), MAX (self->anchor, position) + 1,
                           TSR_SELECT_REPLACE);
}

static void
move_cursor (TsrChart *self, double by, gboolean extend)
{
  if (self->cursor == TSR_NO_DATUM && !extend)
    by = 0;
  move_cursor_to (self, cursor_position (self) + by, extend);
}

static void
page (TsrChart *self, int pages)
{
  double from, to, first, end, position;

  tsr_viewport_get_range (self->viewport, &from, &to);
  tsr_viewport_page (self->viewport, pages);
  if (self->cursor == TSR_NO_DATUM)
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
  move_cursor_to (self, floor (position), FALSE);
}

static void
select_at_cursor (TsrChart *self, TsrSelectMode mode)
{
  double position;

  if (self->cursor == TSR_NO_DATUM)
    move_cursor (self, 0, FALSE);
  position = cursor_position (self);
  self->anchor = position;
  tsr_chart_emit_select (self, position, position + 1, mode);
}

typedef enum
{
  ZOOM_IN,
  ZOOM_OUT,
  FIT,
  UNDO_ZOOM,
  ZOOM_TO_SELECTION,
  PAGE_LEFT,
  PAGE_RIGHT,
  CURSOR_LEFT,
  CURSOR_RIGHT,
  CURSOR_LEFT_TEN,
  CURSOR_RIGHT_TEN,
  CURSOR_FIRST,
  CURSOR_LAST,
  EXTEND_LEFT,
  EXTEND_RIGHT,
  EXTEND_LEFT_TEN,
  EXTEND_RIGHT_TEN,
  SELECT_REPLACE,
  SELECT_TOGGLE,
  CLEAR_SELECTION,
  EXPORT_IMAGE,
  EXPORT_DATA,
  COPY_IMAGE,
  MENU,
  N_ACTIONS
} Action;

static const char *const action_names[N_ACTIONS] = {
  [ZOOM_IN] = "chart.zoom-in",
  [ZOOM_OUT] = "chart.zoom-out",
  [FIT] = "chart.fit",
  [UNDO_ZOOM] = "chart.undo-zoom",
  [ZOOM_TO_SELECTION] = "chart.zoom-to-selection",
  [PAGE_LEFT] = "chart.page-left",
  [PAGE_RIGHT] = "chart.page-right",
  [CURSOR_LEFT] = "chart.cursor-left",
  [CURSOR_RIGHT] = "chart.cursor-right",
  [CURSOR_LEFT_TEN] = "chart.cursor-left-ten",
  [CURSOR_RIGHT_TEN] = "chart.cursor-right-ten",
  [CURSOR_FIRST] = "chart.cursor-first",
  [CURSOR_LAST] = "chart.cursor-last",
  [EXTEND_LEFT] = "chart.extend-left",
  [EXTEND_RIGHT] = "chart.extend-right",
  [EXTEND_LEFT_TEN] = "chart.extend-left-ten",
  [EXTEND_RIGHT_TEN] = "chart.extend-right-ten",
  [SELECT_REPLACE] = "chart.select",
  [SELECT_TOGGLE] = "chart.select-add",
  [CLEAR_SELECTION] = "chart.clear-selection",
  [EXPORT_IMAGE] = "chart.export-image",
  [EXPORT_DATA] = "chart.export-data",
  [COPY_IMAGE] = "chart.copy-image",
  [MENU] = "chart.menu",
};

static const struct
{
  guint key;
  GdkModifierType modifiers;
  Action action;
} bindings[] = {
  { GDK_KEY_plus, 0, ZOOM_IN },
  { GDK_KEY_plus, GDK_SHIFT_MASK, ZOOM_IN },
  { GDK_KEY_equal, 0, ZOOM_IN },
  { GDK_KEY_KP_Add, 0, ZOOM_IN },
  { GDK_KEY_minus, 0, ZOOM_OUT },
  { GDK_KEY_KP_Subtract, 0, ZOOM_OUT },
  { GDK_KEY_0, 0, FIT },
  { GDK_KEY_KP_0, 0, FIT },
  { GDK_KEY_BackSpace, 0, UNDO_ZOOM },
  { GDK_KEY_z, GDK_CONTROL_MASK, UNDO_ZOOM },
  { GDK_KEY_f, 0, ZOOM_TO_SELECTION },
  { GDK_KEY_Page_Up, 0, PAGE_LEFT },
  { GDK_KEY_KP_Page_Up, 0, PAGE_LEFT },
  { GDK_KEY_Page_Down, 0, PAGE_RIGHT },
  { GDK_KEY_KP_Page_Down, 0, PAGE_RIGHT },
  { GDK_KEY_Left, 0, CURSOR_LEFT },
  { GDK_KEY_KP_Left, 0, CURSOR_LEFT },
  { GDK_KEY_Right, 0, CURSOR_RIGHT },
  { GDK_KEY_KP_Right, 0, CURSOR_RIGHT },
  { GDK_KEY_Left, GDK_CONTROL_MASK, CURSOR_LEFT_TEN },
  { GDK_KEY_Right, GDK_CONTROL_MASK, CURSOR_RIGHT_TEN },
  { GDK_KEY_Home, 0, CURSOR_FIRST },
  { GDK_KEY_KP_Home, 0, CURSOR_FIRST },
  { GDK_KEY_End, 0, CURSOR_LAST },
  { GDK_KEY_KP_End, 0, CURSOR_LAST },
  { GDK_KEY_Left, GDK_SHIFT_MASK, EXTEND_LEFT },
  { GDK_KEY_Right, GDK_SHIFT_MASK, EXTEND_RIGHT },
  { GDK_KEY_Left, GDK_SHIFT_MASK | GDK_CONTROL_MASK, EXTEND_LEFT_TEN },
  { GDK_KEY_Right, GDK_SHIFT_MASK | GDK_CONTROL_MASK, EXTEND_RIGHT_TEN },
  { GDK_KEY_space, 0, SELECT_REPLACE },
  { GDK_KEY_Return, 0, SELECT_REPLACE },
  { GDK_KEY_KP_Enter, 0, SELECT_REPLACE },
  { GDK_KEY_space, GDK_SHIFT_MASK, SELECT_TOGGLE },
  { GDK_KEY_Return, GDK_SHIFT_MASK, SELECT_TOGGLE },
  { GDK_KEY_Escape, 0, CLEAR_SELECTION },
  { GDK_KEY_c, GDK_CONTROL_MASK, COPY_IMAGE },
  { GDK_KEY_Menu, 0, MENU },
  { GDK_KEY_F10, GDK_SHIFT_MASK, MENU },
};

static void
show_menu_at_cursor (TsrChart *self)
{
  double x = self->area.x + self->area.width / 2;

  if (self->cursor != TSR_NO_DATUM)
    x = tsr_chart_x_of (self, cursor_position (self) + 0.5);
  tsr_chart_pointer_press (self, x, TSR_CHART_TOP + self->area.y + self->area.height / 2,
                           GDK_BUTTON_SECONDARY, 1, 0);
}

static void
run_view_action (TsrChart *self, Action action)
{
  switch (action)
    {
    case ZOOM_IN:
      tsr_viewport_zoom_middle (self->viewport, TSR_ZOOM_STEP);
      break;
    case ZOOM_OUT:
      tsr_viewport_zoom_middle (self->viewport, 1 / TSR_ZOOM_STEP);
      break;
    case FIT:
      tsr_viewport_fit (self->viewport);
      break;
    case UNDO_ZOOM:
      tsr_viewport_undo (self->viewport);
      break;
    case ZOOM_TO_SELECTION:
      tsr_chart_zoom_to_range (self, self->selected_from, self->selected_to);
      break;
    case EXPORT_IMAGE:
      tsr_chart_export_image (self);
      break;
    case EXPORT_DATA:
      tsr_chart_export_data (self);
      break;
    case COPY_IMAGE:
      tsr_chart_copy_image (self);
      break;
    case MENU:
      show_menu_at_cursor (self);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TsrChart *self = TSR_CHART (widget);
  Action action = 0;
  double first, end;

  while (action < N_ACTIONS && !g_str_equal (name, action_names[action]))
    action++;
  if (self->model == NULL || action == N_ACTIONS)
    return;
  tsr_viewport_get_domain (self->viewport, &first, &end);
  switch (action)
    {
    case PAGE_LEFT:
    case PAGE_RIGHT:
      page (self, action == PAGE_LEFT ? -1 : 1);
      break;
    case CURSOR_LEFT:
    case CURSOR_RIGHT:
      move_cursor (self, action == CURSOR_LEFT ? -1 : 1, FALSE);
      break;
    case CURSOR_LEFT_TEN:
    case CURSOR_RIGHT_TEN:
      move_cursor (self, action == CURSOR_LEFT_TEN ? -10 : 10, FALSE);
      break;
    case CURSOR_FIRST:
    case CURSOR_LAST:
      move_cursor_to (self, action == CURSOR_FIRST ? first : end - 1, FALSE);
      break;
    case EXTEND_LEFT:
    case EXTEND_RIGHT:
      move_cursor (self, action == EXTEND_LEFT ? -1 : 1, TRUE);
      break;
    case EXTEND_LEFT_TEN:
    case EXTEND_RIGHT_TEN:
      move_cursor (self, action == EXTEND_LEFT_TEN ? -10 : 10, TRUE);
      break;
    case SELECT_REPLACE:
    case SELECT_TOGGLE:
      select_at_cursor (self, action == SELECT_REPLACE ? TSR_SELECT_REPLACE : TSR_SELECT_TOGGLE);
      break;
    case CLEAR_SELECTION:
      tsr_chart_pointer_cancel (self);
      self->anchor = NAN;
      tsr_chart_emit_select (self, 0, 0, TSR_SELECT_CLEAR);
      break;
    default:
      run_view_action (self, action);
    }
}

void
tsr_chart_class_add_actions (GtkWidgetClass *widget_class)
{
  for (guint i = 0; i < N_ACTIONS; i++)
    gtk_widget_class_install_action (widget_class, action_names[i], NULL, run_action);
  for (guint i = 0; i < G_N_ELEMENTS (bindings); i++)
    gtk_widget_class_add_binding_action (widget_class, bindings[i].key, bindings[i].modifiers,
                                         action_names[bindings[i].action], NULL);
}

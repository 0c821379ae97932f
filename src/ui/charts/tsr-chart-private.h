/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrChart, shared by its files and by tests: what gestures call. */

#pragma once

#include "tsr-callout.h"
#include "tsr-canvas.h"
#include "tsr-chart.h"
#include "tsr-legend.h"
#include "tsr-mini-map.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_DRAG_NONE,
  TSR_DRAG_PRESSED, /* not moved far enough yet */
  TSR_DRAG_BAND,    /* selects a range */
  TSR_DRAG_PAN,
} TsrDragKind;

struct _TsrChart
{
  GtkWidget parent_instance;

  TsrChartModel *model;
  TsrViewport *viewport;
  char *file_name;

  TsrMiniMap *mini_map;
  TsrCanvas *plot;    /* kept by GTK while nothing but hover and selection change */
  TsrCanvas *overlay; /* hover, selection, cursor, rubber band */
  TsrLegend *legend;
  TsrCallout *callout;
  GtkWidget *menu; /* popover, made when first wanted */

  TsrPlotArea area; /* of the plot, in the canvas */
  guint32 hover, cursor;
  gboolean cursor_shown;             /* the keyboard was used after the pointer */
  double anchor;                     /* position where a keyboard selection began */
  double selected_from, selected_to; /* from >= to: nothing */

  TsrDragKind drag;
  gboolean drag_pans; /* Ctrl or the middle button is held */
  double press_x, press_y, last_x, last_y;
  double band_from, band_to; /* data units */
  double press_selected[2];  /* selection when the first of several presses came */
  guint gesture;             /* of the viewport's history */
  gint64 scroll_time;        /* of the last wheel event: one burst, one step of undo */
  GCancellable *cancellable; /* of exports */
};

/* Where the plot's canvas begins. */
#define TSR_CHART_TOP (TSR_MINI_MAP_HEIGHT + 4)

/* Gestures call these; tests call them as well.  Coordinates in the chart. */
void tsr_chart_pointer_press (
    TsrChart *self, double x, double y, guint button, int n_press, GdkModifierType state);
void tsr_chart_pointer_drag (TsrChart *self, double x, double y);
void tsr_chart_pointer_release (TsrChart *self, double x, double y, GdkModifierType state);
void tsr_chart_pointer_cancel (TsrChart *self);
void tsr_chart_pointer_motion (TsrChart *self, double x, double y);
void tsr_chart_pointer_leave (TsrChart *self);
void tsr_chart_pointer_scroll (TsrChart *self, double dx, double dy, GdkModifierType state);
void tsr_chart_add_controllers (TsrChart *self);
void tsr_chart_class_add_actions (GtkWidgetClass *widget_class);

double tsr_chart_data_at (TsrChart *self, double x);
double tsr_chart_x_of (TsrChart *self, double data);
gboolean tsr_chart_is_in_plot (TsrChart *self, double x, double y);
guint tsr_chart_new_gesture (void);
void tsr_chart_emit_select (TsrChart *self, double from, double to, TsrSelectMode mode);
void tsr_chart_set_hover (TsrChart *self, guint32 datum);
/* @datum TSR_NO_DATUM hides it; (x, y): what it points at. */
void tsr_chart_show_callout (TsrChart *self, guint32 datum, double x, double y);
void tsr_chart_zoom_to_range (TsrChart *self, double from, double to);

/* Export: asks for a file; the _to versions write it, and "toast" says how it went. */
void tsr_chart_export_image (TsrChart *self);
void tsr_chart_export_data (TsrChart *self);
void tsr_chart_copy_image (TsrChart *self);
void tsr_chart_export_image_to (TsrChart *self, const char *path);
void tsr_chart_export_data_to (TsrChart *self, const char *path);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrPlane, shared by its files. */

#pragma once

#include "tsr-callout.h"
#include "tsr-plane.h"

G_BEGIN_DECLS

typedef struct
{
  TsrChartModel *model;  /* (nullable) */
  TsrViewport *viewport; /* (nullable) */
  char *file_name;
  TsrCanvas *plot;    /* kept by GTK while nothing but hover and selection change */
  TsrCanvas *overlay; /* hover, selection, cursor, rubber band */
  TsrCallout *callout;
  GtkWidget *menu;           /* popover, made when first wanted */
  TsrChartGeometry geometry; /* of the last layout; width 0: none */
  TsrPlotArea area;
  double x, y;           /* of the canvases in the widget */
  double last_x, last_y; /* of the pointer in the canvases */
  double seen_x, seen_y; /* of the last event of motion, in the widget */
  double entered_x, entered_y;
  guint crossing; /* tick in which the pointer's coming or going is looked at; 0: none */
  guint32 hover, cursor;
  gboolean cursor_shown;     /* the keyboard was used after the pointer */
  gboolean inside;           /* what the tick is about */
  gboolean pressed;          /* on the plot */
  int natural_height;        /* or 0: twice the least */
  guint wheel_gesture;       /* of the viewport's history */
  gint64 wheel_time;         /* of the last event */
  GCancellable *cancellable; /* of exports */
} TsrPlanePrivate;

TsrPlanePrivate *tsr_plane_get_private (TsrPlane *self);
void tsr_plane_drop_viewport (TsrPlane *self);
/* What a layout needs beside the size. */
void tsr_plane_prepare (TsrPlane *self, TsrChartGeometry *geometry);
void tsr_plane_add_controllers (TsrPlane *self);
void tsr_plane_class_add_own_actions (TsrPlaneClass *klass);

G_END_DECLS

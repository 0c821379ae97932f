/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrChart, shared by its files and by tests. */

#pragma once

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
  TsrPlane parent_instance;

  TsrViewport *viewport; /* the plane's */
  TsrMiniMap *mini_map;
  TsrLegend *legend;
  gboolean map_always, map_shown;

  double plot_x, plot_width; /* as it has been placed */

  double anchor;                     /* position where a keyboard selection began */
  double selected_from, selected_to; /* from >= to: nothing */

  TsrDragKind drag;
  gboolean drag_pans; /* Ctrl or the middle button is held */
  double press_x, press_y, last_x;
  double band_from, band_to; /* data units */
  double press_selected[2];  /* selection when the first of several presses came */
  guint gesture;             /* of the viewport's history */
};

/* What the mini-map takes above the plot's canvas. */
#define TSR_CHART_MAP_HEIGHT (TSR_MINI_MAP_HEIGHT + 4)

G_END_DECLS

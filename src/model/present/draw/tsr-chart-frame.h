/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What stands around the data of any chart: title and legend on paper, y axis of bytes, x axis of
 * numbered data, groups of data (IPUs) with their names in the top margin, one marked level
 * (max memory). */

#pragma once

#include "tsr-axis.h"

G_BEGIN_DECLS

#define TSR_AXIS_FONT_SIZE 11.0

/* An axis reaches this far beyond what it has to show. */
#define TSR_CHART_HEADROOM 1.05

typedef struct
{
  double from, to; /* positions */
  const char *name;
} TsrChartGroup;

typedef struct
{
  TsrUnits units;
  gboolean counts;     /* y is plain numbers, not bytes */
  gint64 y_from;       /* bytes at the bottom: 0, or what is named there */
  double y_to;         /* bytes at the top */
  double foot;         /* pixels below the x axis that the chart fills by itself */
  gint64 level;        /* a marked value, or TSR_UNKNOWN */
  guint level_series;  /* its index in the legend */
  const char *x_title; /* stands left of the first label of the x axis */
  gboolean x_names;    /* numbers of the x axis are names */
  gboolean by_group;   /* numbers of the x axis begin anew in each group */
  guint n_groups;
  const TsrChartGroup *groups; /* ascending, without overlap */
} TsrChartFrame;

/* Where an axis up to @top begins: at @base, below which nothing differs, where that takes half of
 * the axis and more, else at 0. */
gint64 tsr_chart_frame_find_y_from (gint64 base, double top);

/* Sets @area (edges on device pixels; 0 x 0 when there is no room) and appends title, legend of
 * @model's series and the group names: what stands under the data. */
void tsr_chart_frame_layout_back (const TsrChartFrame *self,
                                  TsrChartModel *model,
                                  const TsrChartGeometry *geometry,
                                  TsrDrawList *list,
                                  TsrPlotArea *area);
/* Grid, boundaries of groups, axes, their labels and the level: what stands over the data. */
void tsr_chart_frame_layout_front (const TsrChartFrame *self,
                                   const TsrChartGeometry *geometry,
                                   const TsrPlotArea *area,
                                   TsrDrawList *list);

/* Title and legend alone; (returns) where what stands below them begins. */
double tsr_chart_frame_layout_head (TsrChartModel *model,
                                    const TsrChartGeometry *geometry,
                                    TsrDrawList *list);
/* Ticks and numbers of the x axis alone; @names as x_names. */
void tsr_chart_frame_layout_index (const TsrChartGeometry *geometry,
                                   const TsrPlotArea *area,
                                   gboolean names,
                                   TsrDrawList *list);

/* y of @value inside @area, on a device pixel's edge, cut to the area. */
double tsr_plot_area_get_y (const TsrPlotArea *area, double value, double scale);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines, rows of colour and lifetimes on the columns of tsr-step-layout: what lies over or beside a
 * graph of steps.  Never more than pixels: a column shows the largest of what it stands for.  Any
 * thread. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-pyramid.h"
#include "tsr-variables.h"

G_BEGIN_DECLS

/* Device pixels across @area, at least 0; data units in each. */
guint tsr_step_lines_count_columns (const TsrChartGeometry *geometry,
                                    const TsrPlotArea *area,
                                    double *per_column);

/* The largest value of positions [first, end); TSR_UNKNOWN: nothing is drawn there. */
typedef gint64 (*TsrStepValueFunc) (gpointer data, guint first, guint end);

/* A line through treads and risers, 2 pixels thick.  @rises: where it begins and ends it comes from
 * the plot's foot. */
void tsr_step_lines_layout (TsrStepValueFunc value,
                            gpointer data,
                            guint n,
                            gboolean rises,
                            const TsrChartGeometry *geometry,
                            const TsrPlotArea *area,
                            guint ink,
                            guint series,
                            TsrDrawList *list);

/* A row of @n_columns device pixels, each with its ink or TSR_RASTER_CLEAR: rectangles when they
 * are few, else one raster. */
void tsr_step_lines_layout_row (const guint8 *inks,
                                guint n_columns,
                                double scale,
                                double x,
                                double y,
                                double height,
                                TsrDrawList *list);

/* When something is live, and with how many bytes. */
typedef struct
{
  guint n;
  guint32 *from, *to; /* half-open, ascending, without overlap */
  gint64 *bytes;
  gint64 largest;      /* 0 without any; TSR_UNKNOWN bytes are skipped */
  TsrPyramid *pyramid; /* over bytes */
} TsrLifetimeLine;

/* (element-type TsrLifetime): cut to [0, n_steps); what is out of order or overlaps is left out. */
TsrLifetimeLine *tsr_lifetime_line_new (const GArray *lifetimes, guint n_steps);
void tsr_lifetime_line_free (TsrLifetimeLine *self);
/* The most bytes at any of the steps [first, end); 0 when it is not live at any of them. */
gint64 tsr_lifetime_line_get_largest (const TsrLifetimeLine *self, guint first, guint end);
gboolean tsr_lifetime_line_is_live (const TsrLifetimeLine *self, guint first, guint end);

G_END_DECLS

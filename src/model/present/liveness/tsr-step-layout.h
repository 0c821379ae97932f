/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stacked step areas and a line over numbered data, for any chart of that form: one value for each
 * datum, many data or few, never more than pixels.  A column that stands for several data shows the
 * one with the largest stack, whole; nothing is sampled and no stack is made up of parts of
 * different data.  Any thread. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-pyramid.h"
#include "tsr-step-stack.h"

G_BEGIN_DECLS

typedef struct
{
  guint ink;
  guint series;
} TsrStepBand;

typedef struct
{
  guint position;
  gint64 bytes;
} TsrStepExcess;

typedef struct
{
  guint n;            /* positions */
  const guint *order; /* datum at each position; (nullable): the same number */

  /* Bottom to top.  @stack (nullable) where there is one band at most; @top is the whole sum by
   * position, TSR_UNKNOWN where any part is: then nothing is drawn there. */
  guint n_bands;
  const TsrStepBand *bands;
  const TsrStepStack *stack;
  const gint64 *top;
  const TsrPyramid *top_pyramid; /* (nullable) when there is no band */
  /* One band alone may be an outlined tint, with the spread down to the least where data share a
   * column. */
  gboolean outlined;
  guint tint, spread;

  /* (nullable) a line over it, by position. */
  const gint64 *line;
  const TsrPyramid *line_pyramid;
  guint line_ink, line_series;

  /* (nullable) by position: what is beyond @limit.  Hatched from the limit upwards, for the datum
   * that needs most of those that share the column. */
  gint64 limit;
  const gint64 *excess;
  const TsrPyramid *excess_pyramid;
  guint excess_series;
  /* (nullable) those above 0, by ascending position: where few are visible, they are looked at one
   * by one. */
  const TsrStepExcess *over;
  guint n_over;

  /* (nullable) filled by tsr_step_layout: the position that each column shows, or TSR_NO_INDEX. */
  guint32 *shown;
} TsrStepData;

/* Beyond this many rectangles the plot becomes one raster. */
#define TSR_STEP_MAX_RECTS 2400

void tsr_step_layout (const TsrStepData *self,
                      const TsrChartGeometry *geometry,
                      const TsrPlotArea *area,
                      TsrDrawList *list);

/* All data as a silhouette that fills the geometry's width and height. */
void tsr_step_layout_overview (const TsrStepData *self,
                               const TsrChartGeometry *geometry,
                               TsrDrawList *list);

/* The position that a column [from, to) shows, or TSR_NO_INDEX. */
guint tsr_step_layout_position_at (const TsrStepData *self, double from, double to);

/* The positions [first, end) that a column [from, to) stands for, of @n; each belongs to one. */
void tsr_step_layout_get_positions (double from, double to, guint n, guint *first, guint *end);

/* Left and right edge of the columns of @position, logical pixels, on device pixels, at least one
 * wide; FALSE when it is not visible. */
gboolean tsr_step_layout_get_edges (const TsrChartGeometry *geometry,
                                    const TsrPlotArea *area,
                                    double position,
                                    double *left,
                                    double *right);

G_END_DECLS

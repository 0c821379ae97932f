/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lifetimes: one bar for each variable over the liveness steps, on the x axis of the liveness
 * graph. Thousands of rows, of which only those are laid out that are visible (row_from .. in
 * rows); where several share a pixel row, the one with the most bytes stands for them.  A datum is
 * a row. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-liveness.h"
#include "tsr-rows.h"
#include "tsr-step-selection.h"

G_BEGIN_DECLS

#define TSR_TYPE_LIFETIME_CHART (tsr_lifetime_chart_get_type ())
G_DECLARE_FINAL_TYPE (TsrLifetimeChart, tsr_lifetime_chart, TSR, LIFETIME_CHART, TsrChartModel)

typedef enum
{
  TSR_LIFETIME_BY_BYTES,
  TSR_LIFETIME_BY_BIRTH,
  TSR_LIFETIME_BY_DEATH,
} TsrLifetimeOrder;

typedef enum
{
  TSR_LIFETIME_COLOUR_PREFIX, /* of the name, as deep as it takes to have two */
  TSR_LIFETIME_COLOUR_CATEGORY,
} TsrLifetimeColour;

TsrLifetimeChart *tsr_lifetime_chart_new (TsrLiveness *liveness, TsrStepSelection *selection);
/* The rows of @source: variables that are live at some step, but not always; @filter (nullable)
 * looks at their names.  For a worker; the main thread then takes them.  NULL and @error when
 * cancelled. */
typedef struct _TsrLifetimeRows TsrLifetimeRows;
TsrLifetimeRows *tsr_lifetime_rows_new (TsrLiveness *liveness,
                                        const TsrLivenessSource *source,
                                        TsrFilter *filter,
                                        GCancellable *cancellable,
                                        GError **error);
void tsr_lifetime_rows_free (TsrLifetimeRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrLifetimeRows, tsr_lifetime_rows_free)
/* (transfer full) for @rows; they may be freed while copies of the chart still have them. */
void tsr_lifetime_chart_take_rows (TsrLifetimeChart *self, TsrLifetimeRows *rows);
guint tsr_lifetime_chart_get_n_rows (TsrLifetimeChart *self);
guint tsr_lifetime_chart_get_variable (TsrLifetimeChart *self, guint row); /* TSR_NO_INDEX */
void tsr_lifetime_chart_set_order (TsrLifetimeChart *self, TsrLifetimeOrder order);
void tsr_lifetime_chart_set_colour (TsrLifetimeChart *self, TsrLifetimeColour colour);
/* First visible row and rows that fit at this height; scrolling and vertical zoom. */
void tsr_lifetime_chart_set_first_row (TsrLifetimeChart *self, double row);
void tsr_lifetime_chart_set_row_height (TsrLifetimeChart *self, double pixels);
/* The row that is drawn at @y of a layout, or TSR_NO_DATUM: where rows share a pixel, the one that
 * stands for them. */
guint32 tsr_lifetime_chart_row_at (TsrLifetimeChart *self,
                                   const TsrChartGeometry *geometry,
                                   const TsrPlotArea *area,
                                   double y);

G_END_DECLS

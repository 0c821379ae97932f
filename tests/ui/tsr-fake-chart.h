/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chart model for tests of the chart widget: bars of known heights in a plot of known edges,
 * without labels unless asked for, so that everything can be worked out by hand. */

#pragma once

#include "tsr-chart-model.h"

G_BEGIN_DECLS

#define TSR_TYPE_FAKE_CHART (tsr_fake_chart_get_type ())
G_DECLARE_FINAL_TYPE (TsrFakeChart, tsr_fake_chart, TSR, FAKE_CHART, TsrChartModel)

/* Margins of the plot in the canvas, in pixels. */
#define FAKE_LEFT   50
#define FAKE_RIGHT  10
#define FAKE_TOP    20
#define FAKE_BOTTOM 30
/* Where a flag stands in the plot. */
#define FAKE_FLAG_X 300

TsrFakeChart *tsr_fake_chart_new (guint n);
void tsr_fake_chart_set_n (TsrFakeChart *self, guint n);
/* Labels, a hatch, a dashed line, a slanted polyline and a raster as well. */
void tsr_fake_chart_set_rich (TsrFakeChart *self, gboolean rich);
/* A flag for @datum lies over the plot's top edge; TSR_NO_DATUM: none. */
void tsr_fake_chart_set_flag (TsrFakeChart *self, guint32 datum);
guint tsr_fake_chart_get_n_layouts (TsrFakeChart *self);
/* What the last overlay was asked to mark. */
guint32 tsr_fake_chart_get_marked_cursor (TsrFakeChart *self);

G_END_DECLS

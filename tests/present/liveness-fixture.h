/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A liveness graph of as many steps as a test wants, with bytes that a function tells. */

#pragma once

#include "chart-test.h"
#include "tsr-liveness-chart.h"

G_BEGIN_DECLS

typedef struct
{
  TestLiveness report;
  TsrLivenessSeries *series;
  TsrStepSelection *selection;
  TsrLivenessChart *chart;
  TsrChartModel *model;
} LivenessFixture;

/* @n steps whose bytes @value tells. */
void liveness_fixture_open (
    LivenessFixture *self, guint n, gint64 (*value) (guint step), gint64 always, gint64 capacity);
void liveness_fixture_close (LivenessFixture *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LivenessFixture, liveness_fixture_close)

void liveness_fixture_set_options (LivenessFixture *self,
                                   gboolean include,
                                   gboolean max,
                                   gboolean from_always);

/* Bytes of a step: up and down below 100,000; 1,000 and one more at each step. */
gint64 liveness_fixture_ragged (guint step);
gint64 liveness_fixture_flat (guint step);

/* Row of the highest pixel of the areas in column @c of the plot, from its top. */
guint liveness_fixture_find_top (const TestPixels *pixels, const TsrPlotArea *area, guint c);
GArray *liveness_fixture_make_lifetimes (void);

G_END_DECLS

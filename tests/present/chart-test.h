/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tests of charts over steps need: a report of some steps, a geometry that does not depend on
 * this machine's fonts, a draw list as pixels, and rules that any draw list keeps. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-liveness.h"

G_BEGIN_DECLS

/* A report of @n liveness steps on one IPU, whose programs are named in runs: copyFromHost, model,
 * Gradient, WeightUpdate, copyToHost, with a synchronisation at every third step. */
typedef struct
{
  char *folder;
  TsrLiveness *liveness;
} TestLiveness;

void test_liveness_open (TestLiveness *self, guint n);
/* With @sql run at the end. */
void test_liveness_open_with (TestLiveness *self, guint n, const char *sql);
void test_liveness_close (TestLiveness *self);

TsrChartGeometry test_geometry (double width, double height, double scale, double from, double to);

/* Rectangles without transparency and rasters, painted: an ink for each device pixel. */
typedef struct
{
  guint width, height;
  double scale;
  guint8 *inks;
} TestPixels;

void
test_pixels_paint (TestPixels *self, const TsrDrawList *list, const TsrChartGeometry *geometry);
guint8 test_pixels_get (const TestPixels *self, guint x, guint y);
void test_pixels_clear (TestPixels *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TestPixels, test_pixels_clear)

gboolean test_list_has_label (const TsrDrawList *list, const char *text);
gboolean test_list_has_plot_raster (const TsrDrawList *list, const TsrPlotArea *area);
/* Finite, inside @width x @height, and no more items than a frame has time for. */
void test_list_check (const TsrDrawList *list, double width, double height);
/* test_list_check() of all that @model lays out, in sizes and parts of its domain from none to a
 * large screen's. */
void test_check_sizes (TsrChartModel *model);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chart of a trace that a test has put together, laid out. */

#pragma once

#include "chart-test.h"
#include "trace-test.h"
#include "tsr-trace-chart-private.h"

typedef struct
{
  TraceTest *test;
  TsrTrace *trace;
  TsrTraceState *state;
  TsrTraceChart *chart;
  TsrDrawList *list;
  TsrChartGeometry geometry;
  TsrPlotArea area;
} TraceChartTest;

/* Takes @test; all runs, nothing folded, no shading of balances. */
void trace_chart_test_take (TraceChartTest *fixture, TraceTest *test);
void trace_chart_test_tear_down (TraceChartTest *fixture);
void trace_chart_test_layout (
    TraceChartTest *fixture, double width, double height, double scale, double from, double to);
/* Of the folded axis. */
double trace_chart_test_get_length (TraceChartTest *fixture);
/* Looked at slice by slice: has an item anything that is not hidden? */
gboolean
trace_chart_test_is_shown (const TsrTrace *trace, const TsrTraceRow *row, gsize i, guint32 hidden);

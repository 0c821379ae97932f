/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "trace-chart-test.h"

void
trace_chart_test_take (TraceChartTest *fixture, TraceTest *test)
{
  fixture->test = test;
  fixture->trace = trace_test_build (test);
  fixture->state = tsr_trace_state_new ();
  tsr_trace_state_set_run (fixture->state, TSR_TRACE_RUN_ALL);
  tsr_trace_state_set_option (fixture->state, TSR_TRACE_OPTION_FOLD, FALSE);
  tsr_trace_state_set_option (fixture->state, TSR_TRACE_OPTION_BALANCE, FALSE);
  fixture->chart = tsr_trace_chart_new (fixture->trace, fixture->state);
  fixture->list = tsr_draw_list_new ();
}

void
trace_chart_test_tear_down (TraceChartTest *fixture)
{
  tsr_draw_list_free (fixture->list);
  g_assert_finalize_object (fixture->chart);
  g_assert_finalize_object (fixture->state);
  tsr_trace_unref (fixture->trace);
  trace_test_free (fixture->test);
}

void
trace_chart_test_layout (
    TraceChartTest *fixture, double width, double height, double scale, double from, double to)
{
  fixture->geometry = test_geometry (width, height, scale, from, to);
  tsr_draw_list_reset (fixture->list);
  tsr_chart_model_layout (TSR_CHART_MODEL (fixture->chart), &fixture->geometry, fixture->list,
                          &fixture->area);
}

double
trace_chart_test_get_length (TraceChartTest *fixture)
{
  return tsr_trace_fold_get_length (tsr_trace_chart_get_fold (fixture->chart));
}

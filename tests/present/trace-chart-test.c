/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lays out the chart of a trace built by hand. */

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

gboolean
trace_chart_test_is_shown (const TsrTrace *trace, const TsrTraceRow *row, gsize i, guint32 hidden)
{
  gsize first = row->first != NULL ? row->first[i] : i;
  gsize last = row->last != NULL ? row->last[i] : i;

  for (gsize at = first; at <= last; at++)
    {
      guint32 slice = row->slices != NULL ? row->slices[at] : row->slice_base + (guint32)at;

      if ((hidden & 1u << tsr_trace_get_slice_type (trace, slice)) == 0)
        return TRUE;
    }
  return FALSE;
}

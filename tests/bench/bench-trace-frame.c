/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a frame of the execution trace costs (bench-frame.h): BENCH_TRACES names two reports of four
 * IPUs, with a line feed between them, of 10^4 and 10^7 slices.  Flame and flat, the whole trace,
 * also as wide as the widest screens are.
 * With the word "strip": what laying out the strip above it costs, "strip COLUMNS MILLISECONDS" of
 * the processor, the least of rounds, of the second report. */

#include "config.h"

#include "bench-least.h"
#include "bench-frame.h"
#include "tsr-trace-chart.h"
#include "tsr-ui-init.h"

#include <gtk/gtk.h>
#include <stdio.h>

#define N_REPORTS    2
#define STRIP_HEIGHT 40
#define STRIP_ROUNDS 100
#define WIDEST       3840

/* Kinds of frames: all of what may be or not. */
enum
{
  FLAT = 1,
  CLOSE = 2,
  WIDE = 4,
  N_KINDS = 8,
};

typedef struct
{
  TsrReport *report;
  TsrTrace *trace;
} Report;

static void
open_report (Report *self, const char *folder)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;

  self->report = tsr_report_open_sync (
      place, folder, TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED, NULL, &error);
  if (self->report != NULL)
    self->trace = tsr_trace_new (self->report, NULL, &error);
  if (self->trace == NULL)
    g_error ("%s", error->message);
}

static guint
count_slices (Report *self)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);

  return (guint)tables->ipu_start[tables->n_ipus];
}

typedef struct
{
  const Report *reports;
  TsrTraceShape shape;
} Charts;

static TsrChartModel *
make_chart (gpointer data, guint i)
{
  const Charts *charts = data;
  g_autoptr (TsrTraceState) state = tsr_trace_state_new ();

  tsr_trace_state_set_shape (state, charts->shape);
  tsr_trace_state_set_run (state, TSR_TRACE_RUN_ALL);
  return TSR_CHART_MODEL (tsr_trace_chart_new (charts->reports[i].trace, state));
}

static void
print_strips (const Report *report)
{
  static const double columns[] = { 1232, WIDEST };
  const Charts charts = { report, TSR_TRACE_FLAME };
  g_autoptr (TsrChartModel) model = make_chart ((gpointer)&charts, 0);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      TsrChartGeometry geometry = { .width = columns[i], .height = STRIP_HEIGHT, .scale = 1 };
      double least = G_MAXDOUBLE, min_span;

      tsr_chart_model_get_domain (model, &geometry.from, &geometry.to, &min_span);
      for (guint round = 0; round < STRIP_ROUNDS; round++)
        {
          double start = bench_frame_get_milliseconds ();

          tsr_draw_list_reset (list);
          tsr_chart_model_layout_overview (model, &geometry, list);
          bench_take_least (&least, bench_frame_get_milliseconds () - start);
        }
      printf ("strip %.0f %.4f\n", columns[i], least);
    }
}

int
main (int argc, char **argv)
{
  const char *folders = g_getenv ("BENCH_TRACES");
  g_auto (GStrv) names = g_strsplit (folders != NULL ? folders : "", "\n", -1);
  Report reports[N_REPORTS] = { 0 };

  gboolean strip = argc == 2 && g_str_equal (argv[1], "strip");

  if ((!strip && !bench_frame_take_arguments (argc, argv)) || g_strv_length (names) != N_REPORTS)
    return 2;
  gtk_init ();
  tsr_ui_init ();
  for (guint i = 0; i < N_REPORTS; i++)
    open_report (&reports[i], names[i]);
  if (strip)
    print_strips (&reports[N_REPORTS - 1]);
  for (guint kind = 0; kind < N_KINDS && !strip; kind++)
    {
      Charts charts = { reports, kind & FLAT ? TSR_TRACE_FLAT : TSR_TRACE_FLAME };
      BenchFrames frames = { kind & FLAT ? "flat" : "flame",
                             { make_chart (&charts, 0), make_chart (&charts, 1) },
                             { count_slices (&reports[0]), count_slices (&reports[1]) },
                             (kind & CLOSE) != 0,
                             make_chart,
                             &charts,
                             kind & WIDE ? WIDEST : BENCH_FRAME_WIDTH };

      bench_frame_print (&frames);
      for (guint i = 0; i < N_REPORTS; i++)
        g_object_unref (frames.models[i]);
    }
  for (guint i = 0; i < N_REPORTS; i++)
    {
      tsr_trace_unref (reports[i].trace);
      g_object_unref (reports[i].report);
    }
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the views of tessera-cli render: the command line, and painting a chart on paper. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-cli.h"
#include "tsr-memory-chart.h"

G_BEGIN_DECLS

typedef struct
{
  char *view, *output, *size, *from, *to, *scale;
  gboolean dark, no_max;
  int width, height;
  double scale_factor;

  /* memory */
  char *breakdown, *order, *tiles;
  gboolean gaps, fit;
  TsrMemoryChartOptions chart;

  /* liveness */
  char *source, *steps, *filter;
  char **variables;
  gboolean no_always_live, from_always_live, no_structure, no_peaks;

  /* trace */
  char *run, *ipu, *exclude;
  gboolean flat, flame, bsp, by_finish, time, no_fold, no_balance, no_lanes, no_labels, no_blocks,
      no_align, group_syncs, flushes;
} TsrRenderWish;

/* Draws the requested range; on failure prints what is wrong and sets the status. */
void tsr_render_paint (TsrCli *cli, TsrRenderWish *wish, TsrChartModel *model);
/* The same with positions of the model's x axis. */
void tsr_render_paint_range (
    TsrCli *cli, TsrRenderWish *wish, TsrChartModel *model, double from, double to);
/* FALSE if @text is not a finite number. */
gboolean tsr_render_parse_number (const char *text, double *number);
void tsr_render_liveness (TsrCli *cli, TsrRenderWish *wish, TsrReport *report);
void tsr_render_trace (TsrCli *cli, TsrRenderWish *wish, TsrReport *report);

G_END_DECLS

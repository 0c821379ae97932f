/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the views of tessera-cli render share: the words of the call, and a chart put on paper. */

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
} TsrRenderWish;

/* Draws the wished range; says what is wrong and sets the status when it cannot. */
void tsr_render_paint (TsrCli *cli, TsrRenderWish *wish, TsrChartModel *model);
void tsr_render_liveness (TsrCli *cli, TsrRenderWish *wish, TsrReport *report);

G_END_DECLS

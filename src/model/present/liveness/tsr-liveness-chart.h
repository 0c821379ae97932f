/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The liveness graph: always-live and not-always-live bytes of a source at every liveness step
 * (Liveness page, tessera-cli render --view=liveness).  A datum is a step.  Between pixels the step
 * with the most bytes stands for its neighbours, so every peak is in the picture. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-liveness.h"
#include "tsr-step-selection.h"

G_BEGIN_DECLS

#define TSR_TYPE_LIVENESS_CHART (tsr_liveness_chart_get_type ())
G_DECLARE_FINAL_TYPE (TsrLivenessChart, tsr_liveness_chart, TSR, LIVENESS_CHART, TsrChartModel)

typedef struct
{
  gboolean include_always_live;
  gboolean show_max;  /* capacity of the source; the axis reaches to it */
  gboolean from_zero; /* y begins at 0 also where what is always live takes half of it */
  gboolean structure; /* strip of program prefixes below the plot */
  TsrUnits units;
} TsrLivenessChartOptions;

/* @liveness (names of steps); @selection (nullable): marks of steps and variables' lifetimes. */
TsrLivenessChart *tsr_liveness_chart_new (TsrLiveness *liveness, TsrStepSelection *selection);
/* (nullable): nothing is drawn without. */
void tsr_liveness_chart_set_series (TsrLivenessChart *self,
                                    TsrLivenessSeries *series,
                                    const char *source_label);
TsrLivenessSeries *tsr_liveness_chart_get_series (TsrLivenessChart *self);
void tsr_liveness_chart_set_options (TsrLivenessChart *self,
                                     const TsrLivenessChartOptions *options);
void tsr_liveness_chart_get_options (TsrLivenessChart *self, TsrLivenessChartOptions *options);
/* Steps that pass a filter stay in full colour, the others fade.  @matches (nullable): n_steps
 * bytes. */
void tsr_liveness_chart_set_matches (TsrLivenessChart *self, const guint8 *matches);
/* Lines over the graph: bytes of one variable by step.  (element-type TsrLifetime); clears with
 * NULL. At most six; each has a series in the legend with its name. */
void tsr_liveness_chart_clear_lifetimes (TsrLivenessChart *self);
void tsr_liveness_chart_add_lifetime (TsrLivenessChart *self, const char *name, GArray *lifetimes);
/* A second line: the sum over the selected tiles of this series (nullable). */
void tsr_liveness_chart_set_tiles_series (TsrLivenessChart *self,
                                          TsrLivenessSeries *series,
                                          const char *label);
/* Numbered flags 1 to 9 (element-type TsrPeak) (nullable). */
void tsr_liveness_chart_set_peaks (TsrLivenessChart *self, GArray *peaks);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrLivenessChart, shared by its files: what is drawn, the marks over it, and what
 * it says in words. */

#pragma once

#include "tsr-chart-frame.h"
#include "tsr-liveness-chart.h"
#include "tsr-step-layout.h"
#include "tsr-step-lines.h"
#include "tsr-step-structure.h"

G_BEGIN_DECLS

#define TSR_MAX_LIFETIMES 6

typedef enum
{
  TSR_LIVENESS_SERIES_NOT_ALWAYS,
  TSR_LIVENESS_SERIES_ALWAYS,
  TSR_LIVENESS_SERIES_MAX,
  TSR_LIVENESS_SERIES_EXCESS,
  TSR_LIVENESS_SERIES_TILES,
  TSR_LIVENESS_SERIES_VARIABLE,
} TsrLivenessSeriesKind;

/* An entry of the legend. */
typedef struct
{
  TsrLivenessSeriesKind kind;
  guint lifetime; /* of a variable: index into lifetimes */
  char *key;      /* remembers what is hidden */
  char *name;     /* translated, or the variable's */
  guint ink;
  gboolean visible;
} TsrLivenessEntry;

typedef struct
{
  char *name;
  GArray *spans; /* TsrLifetime, as given */
  TsrLifetimeLine *line;
} TsrLivenessLifetime;

struct _TsrLivenessChart
{
  TsrChartModel parent_instance;

  TsrLiveness *liveness;
  TsrStepSelection *selection; /* (nullable) */
  TsrLivenessSeries *series;   /* (nullable) */
  char *source_label;
  TsrLivenessChartOptions options;
  TsrLivenessSeries *tiles; /* (nullable) */
  char *tiles_label;
  GPtrArray *lifetimes; /* TsrLivenessLifetime */
  GArray *peaks;        /* TsrPeak */
  guint8 *matches;      /* (nullable) by step */
  GHashTable *hidden;   /* keys */

  /* Derived. */
  guint n;                             /* steps */
  GPtrArray *entries;                  /* TsrLivenessEntry */
  TsrPyramid *pyramid, *tiles_pyramid; /* over not-always-live bytes; (nullable) */
  gint64 *matched;                     /* those of the steps that pass the filter, else unknown */
  TsrPyramid *matched_pyramid;
  gint64 *matched_excess; /* (nullable) likewise of what does not fit */
  TsrPyramid *matched_excess_pyramid;
  gint64 *excess; /* by step; (nullable) when all of it fits */
  TsrPyramid *excess_pyramid;
  gint64 base;  /* bytes under the not-always-live ones: always live when shown, else 0 */
  gint64 level; /* on the axis; TSR_UNKNOWN */
  gint64 y_from;
  double y_to;
  TsrStepStructure *structure; /* (nullable) made when it is first needed */
};

/* The entry of @kind that is visible, or NULL; its index. */
const TsrLivenessEntry *
tsr_liveness_chart_find (TsrLivenessChart *self, TsrLivenessSeriesKind kind, guint *index);
/* Bytes of @step as the graph shows them, from 0; TSR_UNKNOWN. */
gint64 tsr_liveness_chart_get_top (TsrLivenessChart *self, guint step);
/* The same of the line of selected tiles. */
gint64 tsr_liveness_chart_get_tiles (TsrLivenessChart *self, guint step);
/* What is left for not-always-live bytes; TSR_UNKNOWN. */
gint64 tsr_liveness_chart_get_room (TsrLivenessChart *self);
/* Always-live bytes are part of the graph, as far as the options go. */
gboolean tsr_liveness_chart_wants_always (TsrLivenessChart *self);

/* Members of TsrChartModelClass. */
void tsr_liveness_chart_layout (TsrChartModel *model,
                                const TsrChartGeometry *geometry,
                                TsrDrawList *list,
                                TsrPlotArea *area);
void tsr_liveness_chart_layout_overview (TsrChartModel *model,
                                         const TsrChartGeometry *geometry,
                                         TsrDrawList *list);
void tsr_liveness_chart_layout_overlay (TsrChartModel *model,
                                        const TsrChartGeometry *geometry,
                                        const TsrPlotArea *area,
                                        guint32 hover,
                                        guint32 cursor,
                                        TsrDrawList *list);
char *tsr_liveness_chart_describe (TsrChartModel *model, guint32 datum);
char *tsr_liveness_chart_dup_caption (TsrChartModel *model);
void tsr_liveness_chart_write_csv (TsrChartModel *model, double from, double to, GString *out);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inside of TsrLifetimeChart, shared by its files.  A place is where a row stands in the order:
 * what the header calls a row, and the datum. */

#pragma once

#include "tsr-lifetime-rows-private.h"
#include "tsr-pyramid.h"

G_BEGIN_DECLS

#define TSR_MAX_LIFETIME_GROUPS 10 /* with a colour of their own */

typedef struct
{
  char *name;
  guint ink;
  gint64 bytes;
  gboolean visible;
} TsrLifetimeGroup;

struct _TsrLifetimeChart
{
  TsrChartModel parent_instance;

  TsrLiveness *liveness;
  TsrStepSelection *selection; /* (nullable) */
  TsrLifetimeRows *rows;       /* (nullable); shared with copies */
  TsrLifetimeOrder order;
  TsrLifetimeColour colour;
  double first_row, row_height;
  GHashTable *hidden; /* names of groups */

  /* Derived. */
  GPtrArray *groups; /* TsrLifetimeGroup, most bytes first */
  guint8 *group;     /* of each row */
  gint64 *weight;    /* by place: what stands for its neighbours; TSR_UNKNOWN: hidden */
  TsrPyramid *pyramid;
};

/* The row at a place below rows->n. */
static inline guint32
tsr_lifetime_chart_row_of (const TsrLifetimeChart *self, guint place)
{
  return self->rows->order[self->order][place];
}

/* Members of TsrChartModelClass. */
void tsr_lifetime_chart_layout (TsrChartModel *model,
                                const TsrChartGeometry *geometry,
                                TsrDrawList *list,
                                TsrPlotArea *area);
void tsr_lifetime_chart_layout_overlay (TsrChartModel *model,
                                        const TsrChartGeometry *geometry,
                                        const TsrPlotArea *area,
                                        guint32 hover,
                                        guint32 cursor,
                                        TsrDrawList *list);
char *tsr_lifetime_chart_describe (TsrChartModel *model, guint32 datum);
char *tsr_lifetime_chart_dup_caption (TsrChartModel *model);
void tsr_lifetime_chart_write_csv (TsrChartModel *model, double from, double to, GString *out);

G_END_DECLS

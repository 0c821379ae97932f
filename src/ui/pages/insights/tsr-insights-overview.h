/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The left or upper part of the Insights page: verdict with what fills the fullest tile, the five
 * fullest tiles, the histogram.  In a row where there is room, else in a column. */

#pragma once

#include "tsr-insights.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TSR_TYPE_INSIGHTS_OVERVIEW (tsr_insights_overview_get_type ())
G_DECLARE_FINAL_TYPE (TsrInsightsOverview, tsr_insights_overview, TSR, INSIGHTS_OVERVIEW, GtkWidget)

GtkWidget *tsr_insights_overview_new (void);
void tsr_insights_overview_set_insights (TsrInsightsOverview *self,
                                         TsrInsights *insights,
                                         TsrMemory *memory,
                                         TsrUnits units);
/* Higher bars and a higher histogram, for a page with room below them; at the next frame. */
void tsr_insights_overview_set_roomy (TsrInsightsOverview *self, gboolean roomy);

G_END_DECLS

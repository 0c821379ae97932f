/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Insights page: whether the report fits, what was found, what is largest.
 *
 * Actions: insights.minor (advice is listed too), insights.memory and insights.execution (which
 * findings), insights.scope (replica, ipu, tile), insights.open-all, insights.close-all; of the fix
 * plan: insights.plan (unfolds it), insights.propose, insights.clear-plan, insights.copy-plan. */

#pragma once

#include "tsr-page.h"
#include "tsr-plan-view.h"

G_BEGIN_DECLS

#define TSR_TYPE_INSIGHTS_PAGE (tsr_insights_page_get_type ())
G_DECLARE_FINAL_TYPE (TsrInsightsPage, tsr_insights_page, TSR, INSIGHTS_PAGE, TsrPage)

/* (transfer full) (element-type TsrFindingRow): rows that are listed now. */
GPtrArray *tsr_insights_page_dup_rows (TsrInsightsPage *self);
/* (transfer none) */
TsrPlanView *tsr_insights_page_get_plan (TsrInsightsPage *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a forecast of the fix plan leaves on each tile, as a table. */

#pragma once

#include "tsr-liveness.h"
#include "tsr-plan.h"
#include "tsr-rows.h"

G_BEGIN_DECLS

/* (transfer full): a row for each tile, in their order: how much is too much (less than 0: free)
 * without the measures, with them at best and packed as now, what is live at its peak and the step
 * of it, whose name is @liveness's (nullable).  @now: the forecast without measures.  Copies. */
TsrRows *tsr_plan_rows_new (const TsrForecast *now,
                            const TsrForecast *forecast,
                            TsrMemory *memory,
                            TsrLiveness *liveness);

G_END_DECLS

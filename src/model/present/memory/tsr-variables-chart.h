/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Variables graph of the Memory page: bytes of several variables on each tile, one line each.
 * A datum is a tile. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-memory.h"
#include "tsr-tile-selection.h"
#include "tsr-variables.h"

G_BEGIN_DECLS

#define TSR_TYPE_VARIABLES_CHART (tsr_variables_chart_get_type ())
G_DECLARE_FINAL_TYPE (TsrVariablesChart, tsr_variables_chart, TSR, VARIABLES_CHART, TsrChartModel)

#define TSR_MAX_PLOTTED_VARIABLES 12

TsrVariablesChart *
tsr_variables_chart_new (TsrMemory *memory, TsrVariables *variables, TsrTileSelection *selection);
/* Entries of TsrVariables, in the order of the legend. */
void tsr_variables_chart_set_variables (TsrVariablesChart *self,
                                        const guint32 *variables,
                                        guint n_variables);
void tsr_variables_chart_set_order (TsrVariablesChart *self, TsrTileOrder order);
void tsr_variables_chart_set_units (TsrVariablesChart *self, TsrUnits units);

G_END_DECLS

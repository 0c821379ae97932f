/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The structure of a program as bands along its liveness steps: forward, backward, update ...  A
 * band is the first part of the program's name; a step that has no
 * name, or only synchronises, belongs to the band around it.  Immutable, shared by reference
 * between threads. */

#pragma once

#include "tsr-chart-model.h"
#include "tsr-liveness.h"

G_BEGIN_DECLS

typedef struct _TsrStepStructure TsrStepStructure;

/* O(steps). */
TsrStepStructure *tsr_step_structure_new (TsrLiveness *liveness);
TsrStepStructure *tsr_step_structure_ref (TsrStepStructure *self);
void tsr_step_structure_unref (TsrStepStructure *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrStepStructure, tsr_step_structure_unref)

/* In order of their first step. */
guint tsr_step_structure_get_n_bands (const TsrStepStructure *self);
const char *tsr_step_structure_get_name (const TsrStepStructure *self, guint band);
/* Band of a step, or TSR_NO_INDEX when no step has a name. */
guint tsr_step_structure_get_band (const TsrStepStructure *self, guint step);

/* One row of bands with their names, from @y down, on the columns of @area.  A column belongs to
 * the band of the step that it shows: @shown (nullable), else the first. */
void tsr_step_structure_layout (const TsrStepStructure *self,
                                const guint32 *shown,
                                const TsrChartGeometry *geometry,
                                const TsrPlotArea *area,
                                double y,
                                double height,
                                TsrDrawList *list);

G_END_DECLS

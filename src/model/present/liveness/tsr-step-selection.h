/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is selected in a window beside tiles: liveness steps (in the order in which they were
 * chosen: the first is A, the second B), the source whose liveness is looked at, variables, and a
 * program or compute set.  One object that all pages share.  Main thread.  Signals "steps-changed",
 * "source-changed", "variables-changed". */

#pragma once

#include "tsr-liveness.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define TSR_TYPE_STEP_SELECTION (tsr_step_selection_get_type ())
G_DECLARE_FINAL_TYPE (TsrStepSelection, tsr_step_selection, TSR, STEP_SELECTION, GObject)

TsrStepSelection *tsr_step_selection_new (void);
void tsr_step_selection_clear (TsrStepSelection *self); /* everything; the source is unset again */

/* (transfer none): at most TSR_MAX_SELECTED_STEPS, in the order in which they were chosen. */
const guint *tsr_step_selection_peek (TsrStepSelection *self, guint *n_steps);
void tsr_step_selection_set (TsrStepSelection *self, const guint *steps, guint n_steps);
/* Adds or takes away; adding a seventh drops the oldest but the first. */
void tsr_step_selection_toggle (TsrStepSelection *self, guint step);
/* The last one chosen, or TSR_NO_INDEX. */
guint tsr_step_selection_get_step (TsrStepSelection *self);

/* (transfer none) (nullable): NULL while nobody has chosen one (then the default source holds). */
const TsrLivenessSource *tsr_step_selection_get_source (TsrStepSelection *self);
void tsr_step_selection_set_source (TsrStepSelection *self, const TsrLivenessSource *source);

/* (transfer none): names of selected variables, in the order in which they were chosen: names
 * outlive a reload, indexes do not. */
const char *const *tsr_step_selection_peek_variables (TsrStepSelection *self);
void tsr_step_selection_set_variables (TsrStepSelection *self, const char *const *names);
void tsr_step_selection_toggle_variable (TsrStepSelection *self, const char *name);

G_END_DECLS

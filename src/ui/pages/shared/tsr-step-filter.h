/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Filters the liveness steps by the name and type of their program.  Matching runs in a worker.
 *
 * Signal beside those of the bar: "matches-changed". */

#pragma once

#include "tsr-liveness.h"
#include "tsr-match-bar.h"

G_BEGIN_DECLS

#define TSR_TYPE_STEP_FILTER (tsr_step_filter_get_type ())
G_DECLARE_FINAL_TYPE (TsrStepFilter, tsr_step_filter, TSR, STEP_FILTER, TsrMatchBar)

/* (nullable) */
void tsr_step_filter_set_liveness (TsrStepFilter *self, TsrLiveness *liveness);
void tsr_step_filter_set_text (TsrStepFilter *self, const char *text);
/* (transfer none) (nullable): a byte for each step, 1 when it passes; NULL without a filter. */
const guint8 *tsr_step_filter_peek_matches (TsrStepFilter *self, guint *n_matches);
/* The match next to @step in a direction (1, -1), around the end; TSR_NO_INDEX without any.
 * @step TSR_NO_INDEX: the first or the last. */
guint tsr_step_filter_find (TsrStepFilter *self, guint step, int direction);
gboolean tsr_step_filter_is_busy (TsrStepFilter *self);

G_END_DECLS

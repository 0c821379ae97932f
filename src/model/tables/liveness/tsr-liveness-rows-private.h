/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shared by the files that answer the questions of the tabs. */

#pragma once

#include "tsr-grid.h"
#include "tsr-known.h"
#include "tsr-liveness-rows.h"

G_BEGIN_DECLS

/* "bytesStep1234": a table keeps its order as long as its steps are the same, and CSV says which
 * they are. */
const char *tsr_liveness_step_key (const char *word, guint step);
/* A fraction as rows have it: parts in 10^9; TSR_UNKNOWN when it cannot be told. */
gint64 tsr_liveness_share (gint64 part, gint64 whole);
/* (transfer full): "A: step 1,234", or "Peak: step 1,234" where that stands in. */
char *tsr_liveness_question_dup_title (const TsrLivenessQuestion *question, guint place);

G_END_DECLS

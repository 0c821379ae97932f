/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables under the liveness graph, as questions and answers: what a tab asks is a value that
 * goes to a worker, and what comes back is a table, or the words that stand in its place.  Pure
 * functions of the liveness, any thread, no toolkit. */

#pragma once

#include "tsr-table-answer.h"
#include "tsr-vertices.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_LIVENESS_TAB_ALWAYS,
  TSR_LIVENESS_TAB_TEMPORARY, /* not always live, a column for each step */
  TSR_LIVENESS_TAB_VERTICES,
  TSR_LIVENESS_TAB_CYCLES,
  TSR_LIVENESS_TAB_FLOPS,
  TSR_LIVENESS_TAB_PEAK,
  TSR_LIVENESS_TAB_A_TO_B,
  TSR_LIVENESS_TAB_LIFETIMES, /* in the window a chart */
  TSR_LIVENESS_N_TABS
} TsrLivenessTab;

/* What a row is. */
typedef enum
{
  TSR_LIVENESS_BY_VARIABLE,
  TSR_LIVENESS_BY_PREFIX, /* the first parts of the name, as many as the depth */
  TSR_LIVENESS_BY_CATEGORY,
  TSR_LIVENESS_BY_LIFE,
  TSR_LIVENESS_N_BY
} TsrLivenessBy;

typedef struct
{
  TsrLivenessTab tab;
  TsrLiveness *liveness;
  TsrVertices *vertices;     /* (nullable) */
  gboolean vertices_pending; /* when there are none: they are being read */
  TsrLivenessSource source;
  guint steps[TSR_MAX_SELECTED_STEPS]; /* in the order in which they were chosen */
  guint n_steps;
  guint peak; /* step that stands in when none is chosen; TSR_NO_INDEX */
  TsrLivenessBy by;
  guint depth;                  /* of a prefix: 1 ... */
  gboolean include_always_live; /* in what the peak is made of */
  gboolean dying;               /* A to B: live in the first and not any more in the second */
  gboolean by_tile;             /* cycles of each tile, not of each vertex type */
} TsrLivenessQuestion;

/* (transfer full): NULL and @error only when cancelled; what the report lacks is an answer, too. */
TsrTableAnswer *tsr_liveness_answer_new (const TsrLivenessQuestion *question,
                                         GCancellable *cancellable,
                                         GError **error);

/* (transfer full): "A: step 1,234" for the column of a step; what the step is: "Step 1,234:
 * OnTileExecute, model/conv1". */
char *tsr_liveness_step_title (guint place, guint step);
char *tsr_liveness_step_text (TsrLiveness *liveness, guint step);
/* (transfer none): translated. */
const char *tsr_life_get_label (TsrLife life);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables under the memory graphs, as questions and answers: what a tab asks of the selected
 * tiles goes to a worker as a value, and a table comes back, or the words that stand in its place.
 * Any thread, no toolkit. */

#pragma once

#include "tsr-table-answer.h"
#include "tsr-vertices.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_MEMORY_TAB_DETAILS, /* a tree of its own */
  TSR_MEMORY_TAB_COMPUTE_SETS,
  TSR_MEMORY_TAB_VERTICES,
  TSR_MEMORY_TAB_EXCHANGES,
  TSR_MEMORY_TAB_VARIABLES,
  TSR_MEMORY_N_TABS
} TsrMemoryTab;
const char *tsr_memory_tab_get_nick (TsrMemoryTab tab); /* "compute-sets" */

typedef struct
{
  TsrMemoryTab tab;
  TsrLiveness *liveness; /* (nullable) */
  TsrVertices *vertices; /* (nullable) */
  guint *tiles;          /* ascending; none: all tiles */
  guint n_tiles;
  gboolean pending; /* what is missing may still come */
  char *why;        /* (nullable) why it will not */
} TsrMemoryQuestion;

/* (transfer full): NULL and @error only when cancelled or when the file cannot be read. */
TsrTableAnswer *tsr_memory_answer_new (const TsrMemoryQuestion *question,
                                       GCancellable *cancellable,
                                       GError **error);

G_END_DECLS

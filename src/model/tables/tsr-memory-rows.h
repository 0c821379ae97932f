/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tables under the memory graphs, as questions and answers: what a tab asks of the selected
 * tiles goes to a worker as a value, and a table comes back, or the words that stand in its place.
 * Any thread, no toolkit. */

#pragma once

#include "tsr-liveness.h"
#include "tsr-rows.h"
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
gboolean tsr_memory_tab_parse (const char *nick, TsrMemoryTab *tab);

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
TsrMemoryQuestion *tsr_memory_question_copy (const TsrMemoryQuestion *question);
void tsr_memory_question_free (TsrMemoryQuestion *question);

typedef struct
{
  TsrRows *rows;        /* (nullable) */
  guint32 *variables;   /* (nullable) by row: entries of TsrVariables */
  guint32 *allocations; /* (nullable) by row: rows of TsrLoweredTables; one tile only */
  char *title, *text;   /* instead of rows (nullable) */
  guint stages;         /* that will bring them, a bit each */
  const char *sort_key; /* column of the first order, largest first */
} TsrMemoryAnswer;
void tsr_memory_answer_free (TsrMemoryAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrMemoryAnswer, tsr_memory_answer_free)

/* (transfer full): NULL and @error only when cancelled or when the file cannot be read. */
TsrMemoryAnswer *tsr_memory_answer_new (const TsrMemoryQuestion *question,
                                        GCancellable *cancellable,
                                        GError **error);

G_END_DECLS

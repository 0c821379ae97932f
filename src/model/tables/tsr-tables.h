/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The register of tables: one entry for each table of the window, by which the command line prints
 * it.  A question goes in; rows come out, or the words that stand in their place.  Any thread. */

#pragma once

#include "tsr-insights-largest.h"
#include "tsr-liveness-rows.h"
#include "tsr-memory-rows.h"
#include "tsr-operation-rows.h"
#include "tsr-plan.h"
#include "tsr-program-rows.h"
#include "tsr-table-answer.h"
#include "tsr-trace-rows.h"

G_BEGIN_DECLS

/* What tables are asked of.  Borrowed; what an entry does not use may be missing.  The "tab" of the
 * questions is set by the entry. */
typedef struct
{
  TsrReport *report;
  TsrMemory *memory;     /* (nullable) */
  TsrInsights *insights; /* (nullable) */
  TsrLargestScope scope; /* of the largest */
  TsrPlan *plan;         /* (nullable) of the fix plan, with the measures that are ticked */
  TsrMeasureSet measures;
  TsrUnits units; /* of the summary's texts */
  TsrMemoryQuestion of_memory;
  TsrLivenessQuestion of_liveness;
  TsrTraceQuestion of_trace;
  TsrProgramQuestion of_programs;
  TsrOperationQuestion of_operations;
} TsrTableQuestion;

/* (transfer full): a copy with references of its own. */
TsrTableQuestion *tsr_table_question_copy (const TsrTableQuestion *question);
void tsr_table_question_free (TsrTableQuestion *question);
/* Whether both ask the same, of the same data. */
gboolean tsr_table_question_equal (const TsrTableQuestion *a, const TsrTableQuestion *b);

typedef struct _TsrTableInfo TsrTableInfo;
struct _TsrTableInfo
{
  const char *command; /* of tessera-cli */
  const char *key;     /* --table=..., and the tab's word in links and settings */
  const char *title;   /* to be translated */
  guint tab;           /* of the questions */
  gboolean beside;     /* the tab's second table */
  guint needs, uses;   /* stages of the report, as 1 << TsrStage */
  const char
      *row_key; /* columns that name a row, with spaces, where rows have no keys of their own */
  TsrTableAnswer *(*answer) (const TsrTableInfo *info,
                             const TsrTableQuestion *question,
                             GCancellable *cancellable,
                             GError **error);
};

/* (transfer none): all entries; of a command in the order of its tabs.  The entry of a command;
 * NULL without any. */
const TsrTableInfo *tsr_tables_peek (guint *n);
const TsrTableInfo *tsr_tables_find (const char *command, const char *key);
/* The key of a tab's first table. */
const char *tsr_tables_get_key (const char *command, guint tab);
/* (transfer full): the keys of a command's tables, with commas. */
char *tsr_tables_dup_keys (const char *command);

/* (transfer full): NULL and @error only when cancelled or when the file cannot be read. */
TsrTableAnswer *tsr_tables_answer (const TsrTableInfo *info,
                                   const TsrTableQuestion *question,
                                   GCancellable *cancellable,
                                   GError **error);

/* (transfer full): by row, what names it, in all languages: its own key, else the texts and numbers
 * of the entry's row_key, with tabs between them.  Each stands once in the table: further rows of
 * the same name, which compilers make, get "#2", "#3" ... in row order. */
GStrv tsr_tables_dup_row_keys (const TsrTableInfo *info, TsrRows *rows);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of the operations of a layer: what each costs, and who produces what for one of them. */

#pragma once

#include "tsr-operations.h"
#include "tsr-table-answer.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_OPERATION_TAB_LIST,
  TSR_OPERATION_TAB_PRODUCERS, /* what it reads, and who writes that */
  TSR_OPERATION_TAB_CONSUMERS,
} TsrOperationTab;

typedef struct
{
  TsrOperations *operations; /* borrowed (nullable) */
  guint32 operation;         /* of producers and consumers; TSR_NO_INDEX: none is chosen */
  TsrOperationTab tab;
} TsrOperationQuestion;

/* (transfer full): rows of the list are operations in their order; the last one is left out when it
 * has nothing.  NULL and @error only when cancelled or when the file cannot be read. */
TsrTableAnswer *tsr_operation_answer_new (const TsrOperationQuestion *question,
                                          GCancellable *cancellable,
                                          GError **error);
/* How many rows the list has. */
guint tsr_operation_rows_get_n (TsrOperations *operations);
/* (transfer full): what the operation is called in a table: its API, else its context's name; NULL
 * of none.  Its records must have been read. */
char *tsr_operation_dup_name (TsrOperations *operations, guint operation);

G_END_DECLS

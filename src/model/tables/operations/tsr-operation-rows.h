/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of the operations of a layer: what each costs, and who produces what for one of them. */

#pragma once

#include "tsr-operation-columns.h"
#include "tsr-table-answer.h"

G_BEGIN_DECLS

typedef enum
{
  TSR_OPERATION_TAB_LIST,
  TSR_OPERATION_TAB_SUMMARY,  /* all figures of it beside those of the report */
  TSR_OPERATION_TAB_PROGRAMS, /* its own */
  TSR_OPERATION_TAB_CODE,     /* on each tile */
  TSR_OPERATION_TAB_CYCLES,   /* likewise */
  TSR_OPERATION_TAB_STEPS,    /* where its programs ran */
  TSR_OPERATION_TAB_VARIABLES,
  TSR_OPERATION_TAB_PRODUCERS, /* what it reads, and who writes that */
  TSR_OPERATION_TAB_CONSUMERS,
  TSR_OPERATION_TAB_DEBUG, /* its contexts */
} TsrOperationTab;

typedef enum
{
  TSR_OPERATION_GROUP_NONE,
  TSR_OPERATION_GROUP_API,    /* what was called: "matMul" */
  TSR_OPERATION_GROUP_PREFIX, /* the first parts of their names */
  TSR_N_OPERATION_GROUPS,
} TsrOperationGrouping;

typedef struct
{
  TsrOperations *operations; /* borrowed (nullable) */
  guint32 operation;         /* of all but the list; TSR_NO_INDEX: none is chosen */
  TsrOperationTab tab;
  TsrOperationGrouping grouping; /* of the list */
  guint depth;                   /* of a prefix: parts of the name, from 1 */
  TsrLiveness *liveness; /* borrowed (nullable): its variables are selected with the window's */
} TsrOperationQuestion;

/* (transfer full): rows of the list are operations in their order; the last one is left out when it
 * has nothing.  Grouped it is a tree, in which a group of several is a row over them.  Keys of
 * operations are what tsr_operation_find takes.  NULL and @error only when cancelled or when
 * the file cannot be read. */
TsrTableAnswer *tsr_operation_answer_new (const TsrOperationQuestion *question,
                                          GCancellable *cancellable,
                                          GError **error);

G_END_DECLS

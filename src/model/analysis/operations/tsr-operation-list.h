/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations of a report as libpva lists them: without figures, with those that have no
 * program, and one for each operation that outlining made one of.  Immutable; any thread. */

#pragma once

#include "tsr-debug-tables.h"

G_BEGIN_DECLS

typedef struct
{
  guint n;
  guint32 *context;  /* by operation: row of the debug tables */
  guint32 *replaced; /* row of the context that it was outlined from; TSR_NO_INDEX */
  guint32 *group;    /* operations of the same context have the same group */

  guint n_groups;
  guint32 *program_start, *program; /* by group: rows of the program tables, ascending */
  /* By group: liveness steps of its programs; where none of them has one, as of calls, of what
   * these enclose or call; TSR_NO_INDEX. */
  guint32 *first_step, *last_step;
} TsrOperationList;

/* @layer (nullable): as of tsr_operation_rule_new.  @liveness (nullable).  Every context of the
 * layer is an operation, except one that another replaced and that no program hangs under; one that
 * replaced others is one operation for each of those that the file has.  In the order of the first
 * program, depth first from the roots, then those without programs in the file's order.  NULL and
 * @error when cancelled or without such a layer. */
TsrOperationList *tsr_operation_list_new (const TsrProgramTables *programs,
                                          const TsrDebugTables *debug,
                                          const TsrLivenessTables *liveness,
                                          const char *layer,
                                          GCancellable *cancellable,
                                          GError **error);
void tsr_operation_list_free (TsrOperationList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrOperationList, tsr_operation_list_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Operations: what each operation of a software layer costs, in memory and in cycles; below or
 * beside the table what belongs to the selected one. */

#pragma once

#include "tsr-operation-tabs.h"
#include "tsr-page.h"
#include "tsr-row-view.h"
#include "tsr-split.h"

G_BEGIN_DECLS

#define TSR_TYPE_OPERATION_PAGE (tsr_operation_page_get_type ())
G_DECLARE_FINAL_TYPE (TsrOperationPage, tsr_operation_page, TSR, OPERATION_PAGE, TsrPage)

/* Actions: operations.group and .tab (nicks), .filter, .next-tab, .previous-tab, .expand-all,
 * .collapse-all, .show-in-programs, .show-in-trace, .show-in-liveness, .show-in-memory, .copy-name,
 * .save-list, .copy-list, .save-roofline, .save-table, .copy-table. */

/* (transfer none), for tests. */
TsrRowView *tsr_operation_page_get_list (TsrOperationPage *self);
/* The list's key of the selected operation: "" without one. */
const char *tsr_operation_page_get_key (TsrOperationPage *self);
void tsr_operation_page_set_key (TsrOperationPage *self, const char *key);
/* (transfer none) (nullable): those that are shown. */
TsrOperations *tsr_operation_page_get_operations (TsrOperationPage *self);
gboolean tsr_operation_page_is_busy (TsrOperationPage *self);

G_END_DECLS

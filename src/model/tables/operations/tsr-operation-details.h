/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of one operation: all but its producers and consumers.  Any thread. */

#pragma once

#include "tsr-operation-rows.h"

G_BEGIN_DECLS

/* (transfer full): as tsr_operation_answer_new; the records have been read. */
TsrTableAnswer *tsr_operation_details_new (const TsrOperationQuestion *question,
                                           GCancellable *cancellable,
                                           GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which context is the operation of what hangs under a context: the one place with that rule.  It
 * is the nearest context of the layer from there upwards.  In the layer of Poplar and PopLibs (both
 * words mean it) it is the outermost context of PopLibs, where there is one, else the nearest one
 * of Poplar.  A context of a tensor (PopART's category "tensor") is an operation as well: a weight
 * or a stream that no other context of the layer stands above would else be nowhere.  Every context
 * is walked over once, however many ask.  One thread at a time. */

#pragma once

#include "tsr-debug-tables.h"

G_BEGIN_DECLS

typedef struct _TsrOperationRule TsrOperationRule;

/* @layer: a word of the file's, or "poplar" or "poplibs"; NULL: what libpva takes, which is PopART
 * and XLA, and without both Poplar and PopLibs.  @debug must live as long.  NULL and @error
 * (TSR_ERROR_MISSING_PART, the text lists the layers that there are) without such a layer. */
TsrOperationRule *
tsr_operation_rule_new (const TsrDebugTables *debug, const char *layer, GError **error);
void tsr_operation_rule_free (TsrOperationRule *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrOperationRule, tsr_operation_rule_free)

/* (transfer none): the file's word; "poplibs" for Poplar and PopLibs. */
const char *tsr_operation_rule_get_layer (const TsrOperationRule *self);
/* Row of the context that is the operation of what hangs under @row (which may be it, or
 * TSR_NO_INDEX); TSR_NO_INDEX. */
guint32 tsr_operation_rule_find (TsrOperationRule *self, guint32 row);
/* Likewise of what carries @debug_id, TSR_UNKNOWN included. */
guint32 tsr_operation_rule_find_id (TsrOperationRule *self, gint64 debug_id);
/* Whether @row itself is an operation of the layer, whatever is below it.  Contexts of Poplar are
 * not. */
gboolean tsr_operation_rule_is_operation (TsrOperationRule *self, guint32 row);

G_END_DECLS

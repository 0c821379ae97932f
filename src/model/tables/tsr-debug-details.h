/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The debug information of a program or variable as a tree: its contexts from the outermost layer
 * down to Poplar, each with its source line and all that its layer keeps of it.  Any thread. */

#pragma once

#include "tsr-debug-tables.h"
#include "tsr-table-answer.h"

G_BEGIN_DECLS

/* Of a longer chain only the inner contexts are shown. */
#define TSR_DEBUG_DETAILS_CONTEXTS 1000

/* (transfer full) (nullable): the place in a source file that the context @row tells, "model.py:40"
 * or "model.py"; of TensorFlow's operations, which keep it under names of their own, read from the
 * file. */
char *tsr_debug_dup_source (const TsrDebugTables *debug, guint32 row, GCancellable *cancellable);

/* (transfer full): columns "name" and "value"; the contexts are the top rows, outermost first.
 * Words in their place when no context has @id.  Reads the records of these contexts from the file,
 * which may wait for a network; one that cannot be read says so in its place.  NULL and @error when
 * cancelled. */
TsrTableAnswer *tsr_debug_details_new (const TsrDebugTables *debug,
                                       gint64 id,
                                       GCancellable *cancellable,
                                       GError **error);

G_END_DECLS

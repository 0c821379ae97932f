/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which context of one software layer something belongs to: the nearest one of the layer from its
 * own context upwards; in the layer of Poplar and PopLibs (both words mean it) the outermost
 * context of PopLibs, where there is one, else the nearest one of Poplar.  Every context is walked
 * over once, however many ask for it.  One thread at a time. */

#pragma once

#include "tsr-debug-tables.h"

G_BEGIN_DECLS

typedef struct _TsrContextFinder TsrContextFinder;

/* @debug lives longer.  @layer: a word of the file's; one that it does not have finds nothing. */
TsrContextFinder *tsr_context_finder_new (const TsrDebugTables *debug, const char *layer);
void tsr_context_finder_free (TsrContextFinder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrContextFinder, tsr_context_finder_free)

/* The context of the context @row, or TSR_NO_INDEX; of what carries a debug id, TSR_UNKNOWN
 * included. */
guint32 tsr_context_finder_find (TsrContextFinder *self, guint32 row);
guint32 tsr_context_finder_find_id (TsrContextFinder *self, gint64 debug_id);

G_END_DECLS

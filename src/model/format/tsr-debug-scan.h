/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scans debug.cbor from the first byte to the last, for check: whether it is valid CBOR, and the
 * ids and parents of its contexts.  It decodes heads itself, with a bounded stack for nesting;
 * strings are skipped, and nothing is kept. */

#pragma once

#include "tsr-progress.h"
#include "tsr-source.h"

G_BEGIN_DECLS

#define TSR_DEBUG_MAX_DEPTH 512

/* One context: @has_id and @has_parent say whether @id and @parent are valid.  @offset: where its
 * map begins. */
typedef struct
{
  guint64 id, parent;
  gboolean has_id, has_parent;
  gint64 offset;
} TsrDebugContext;
typedef void (*TsrDebugContextFunc) (const TsrDebugContext *context, gpointer data);

/* FALSE and @error, with *offset at the byte where it failed: TRUNCATED, CORRUPT, LIMIT,
 * NOT_A_REPORT (valid CBOR, but not a map with contexts), or G_IO_ERROR. */
gboolean tsr_debug_scan (TsrSource *source,
                         TsrDebugContextFunc func,
                         gpointer data,
                         gint64 *offset,
                         GCancellable *cancellable,
                         GError **error);

G_END_DECLS

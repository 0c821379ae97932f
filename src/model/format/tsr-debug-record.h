/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One context of debug.cbor with all that its layer keeps in it, read from the file when somebody
 * looks at it. */

#pragma once

#include "tsr-debug-reader.h"
#include "tsr-json.h"

G_BEGIN_DECLS

/* (transfer full): the record of @row as the tree of a JSON object.  The numbers of name,
 * location.fileName and location.functionName are replaced by their texts; numbers have all their
 * digits (NaN and infinity are null); bytes are hexadecimal; keys that are no texts become texts,
 * and a key that is a container a member "(key)" before its "(value)"; tags are left out.  Errors:
 * TRUNCATED or CORRUPT with the byte, LIMIT (TSR_JSON_MAX_DEPTH, _VALUES, _BYTES), G_IO_ERROR.
 * Any thread; may wait for a network. */
TsrJson *tsr_debug_record_read (TsrSource *source,
                                const TsrDebugRows *rows,
                                guint32 row,
                                GCancellable *cancellable,
                                GError **error);

/* (transfer full): names of the tensors that a record has as its inputs (@outputs: as its outputs),
 * as its layer records them: texts in "inputs", "input" or "outputs", "output", names in "operands"
 * and "args".  Never NULL, often empty. */
GStrv tsr_debug_record_dup_tensors (const TsrJson *record, gboolean outputs);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The debug information of a report (debug.cbor): its contexts, a row each in file order, as a
 * structure of arrays of at most 64 bytes a context and its texts.  Sealed by the loader, shared
 * without locks afterwards.  What a layer alone knows of a context stays in the file and is read
 * when somebody looks at it (tsr_debug_tables_read_record).
 *
 * Parents are a forest: a walk along them from any row ends.  Rings of the file are cut, with a
 * diagnostic, at the row that comes first.
 *
 *   for (row = tsr_debug_tables_find (debug, debug_id); row != TSR_NO_INDEX;
 *        row = debug->parent[row])
 *     ...
 */

#pragma once

#include "tsr-debug-reader.h"
#include "tsr-json.h"
#include "tsr-report-tables.h"

G_BEGIN_DECLS

/* One software layer of the file. */
typedef struct
{
  char *name;       /* the file's own word: "popart" */
  guint n_contexts; /* rows that have it */
} TsrDebugLayer;

typedef struct
{
  TsrSource *source; /* debug.cbor */
  gboolean complete; /* FALSE: the file is damaged or ends early; what was read before stands */

  guint n;                            /* contexts; fewer than TSR_NO_INDEX */
  guint64 *id;                        /* TSR_DEBUG_NO_ID: none, or no number */
  guint32 *parent;                    /* a row; TSR_NO_INDEX: outermost, or not in the file */
  guint16 *layer;                     /* into layers; TSR_DEBUG_NO_LAYER */
  guint32 *name;                      /* a text (tsr_debug_tables_get_text); TSR_NO_STRING */
  guint32 *file_name, *function_name; /* of its source location; likewise */
  guint32 *line;                      /* of file_name; 0: not told */
  gint64 *offset;                     /* of its record in the file, bytes */
  guint32 *length;                    /* of its record, bytes; G_MAXUINT32: longer */

  guint n_layers; /* as they come first in the file */
  TsrDebugLayer *layers;

  TsrDebugRows *rows; /* owns the columns and the texts; private */
  guint32 *by_id;     /* private, see tsr_debug_tables_find */
  guint64 first_id, n_places;
  gboolean is_dense;
} TsrDebugTables;

/* Row of the context with @id, the first in the file if several have it; TSR_NO_INDEX for
 * TSR_DEBUG_NO_ID and ids that no context has.  Debug ids of programs and variables are passed as
 * they are in profile.pop, TSR_UNKNOWN included.  O(1); any thread. */
guint32 tsr_debug_tables_find (const TsrDebugTables *self, gint64 id);

/* (transfer none) (nullable): valid UTF-8; NULL for TSR_NO_STRING.  Equal texts mostly have equal
 * numbers, but a file may have a text twice: compare texts where it matters.  Any thread. */
const char *tsr_debug_tables_get_text (const TsrDebugTables *self, guint32 text);

/* Number of the layer with the file's word @name; TSR_DEBUG_NO_LAYER. */
guint16 tsr_debug_tables_find_layer (const TsrDebugTables *self, const char *name);

/* Row of the nearest context of @layer from @row upwards, @row itself included; TSR_NO_INDEX. */
guint32 tsr_debug_tables_find_above (const TsrDebugTables *self, guint32 row, guint16 layer);

/* The chain of @row: @row first, the outermost last; (transfer full), of @n rows. */
guint32 *tsr_debug_tables_dup_chain (const TsrDebugTables *self, guint32 row, guint *n);

/* Ids of contexts that @row stands for (replacedDebugContextIds) or was made from
 * (outlinedDebugContextIds), as they are in the file; the list is empty for most rows.
 * (transfer none); O(log n); any thread. */
const guint64 *
tsr_debug_tables_get_ids (const TsrDebugTables *self, guint32 row, TsrDebugIds kind, guint *n);

/* (transfer full): the whole record of @row as the tree of a JSON object, with the texts of name,
 * location.fileName and location.functionName in the place of their numbers: numbers have all their
 * digits (NaN and infinity are null), byte strings are hexadecimal, keys that are no texts become
 * texts, tags are left out.  Reads these bytes of the file: TRUNCATED or CORRUPT with the byte,
 * LIMIT (TSR_JSON_MAX_DEPTH, TSR_JSON_MAX_VALUES), CHANGED, G_IO_ERROR.  Any thread; may wait for a
 * network. */
TsrJson *tsr_debug_tables_read_record (const TsrDebugTables *self,
                                       guint32 row,
                                       GCancellable *cancellable,
                                       GError **error);

/* (transfer full): names of the tensors that a record has as its inputs (@outputs: as its outputs),
 * as its layer records them: "inputs", "input", "operands", "args"; "outputs", "output".  Never
 * NULL, often empty. */
GStrv tsr_debug_record_dup_tensors (const TsrJson *record, gboolean outputs);

/* What people call the layer @name: "PopLibs" (translated where there is a word); @name itself if
 * it is not known. */
const char *tsr_debug_layer_get_title (const char *name);

G_END_DECLS

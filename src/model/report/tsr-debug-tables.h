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

#include "tsr-debug-record.h"
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

  guint n;                                  /* contexts; fewer than 2^31 */
  const guint64 *id;                        /* TSR_DEBUG_NO_ID: none, or no number */
  guint32 *parent;                          /* a row; TSR_NO_INDEX: outermost, or not in the file */
  const guint16 *layer;                     /* into layers; TSR_DEBUG_NO_LAYER */
  const guint32 *name;                      /* a text (tsr_debug_tables_get_text); TSR_NO_STRING */
  const guint32 *file_name, *function_name; /* of its source location; likewise */
  const guint32 *line;                      /* of file_name; 0: not told */
  const gint64 *offset;                     /* of its record in the file, bytes */
  const guint32 *length;                    /* of its record, bytes; G_MAXUINT32: longer */

  guint n_layers; /* as they come first in the file */
  TsrDebugLayer *layers;

  TsrDebugRows *rows; /* owns all columns but parent, and the texts */

  /* Of tsr_debug_tables_find: rows, TSR_NO_INDEX in free places.  Where ids are dense, the row of
   * an id has the place id - first_id; else the first free one from where its hash leads. */
  guint32 *places;
  gsize n_places;
  guint64 first_id, seed; /* the seed keeps a file from choosing where its ids lead */
  gboolean is_dense;
} TsrDebugTables;

/* Takes @rows.  What is odd among them becomes a diagnostic with its byte: repeated ids, parents
 * that no context is (not when the file ends early), rings; and where and why reading ended. */
TsrDebugTables *
tsr_debug_tables_new (TsrDebugRows *rows, TsrSource *source, TsrDiagnostics *diagnostics);
void tsr_debug_tables_free (TsrDebugTables *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrDebugTables, tsr_debug_tables_free)

/* Row of the context with @id, the first in the file if several have it; TSR_NO_INDEX for
 * TSR_DEBUG_NO_ID and ids that no context has.  Debug ids of programs and variables are passed as
 * they are in profile.pop, TSR_UNKNOWN included.  O(1); any thread. */
guint32 tsr_debug_tables_find (const TsrDebugTables *self, gint64 id);

/* (transfer none) (nullable): valid UTF-8; NULL for TSR_NO_STRING.  Equal texts mostly have equal
 * numbers, but a file may have a text twice: compare texts where it matters.  Any thread. */
const char *tsr_debug_tables_get_text (const TsrDebugTables *self, guint32 text);

/* Number of the layer with the file's word @name; TSR_DEBUG_NO_LAYER. */
guint16 tsr_debug_tables_find_layer (const TsrDebugTables *self, const char *name);

/* The chain of @row: @row first, the outermost last; (transfer full), of @n rows. */
guint32 *tsr_debug_tables_dup_chain (const TsrDebugTables *self, guint32 row, guint *n);

/* Ids of contexts that @row stands for (replacedDebugContextIds) or was made from
 * (outlinedDebugContextIds), as they are in the file; the list is empty for most rows.
 * (transfer none); O(log n); any thread. */
const guint64 *
tsr_debug_tables_get_ids (const TsrDebugTables *self, guint32 row, TsrDebugIds kind, guint *n);

/* (transfer full): the whole record of @row, see tsr_debug_record_read; its tensors are told by
 * tsr_debug_record_dup_tensors. */
TsrJson *tsr_debug_tables_read_record (const TsrDebugTables *self,
                                       guint32 row,
                                       GCancellable *cancellable,
                                       GError **error);

/* What people call the layer @name: "PopLibs" (translated where there is a word); @name itself if
 * it is not known. */
const char *tsr_debug_layer_get_title (const char *name);

G_END_DECLS

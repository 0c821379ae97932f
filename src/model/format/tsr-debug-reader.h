/* SPDX-License-Identifier: GPL-3.0-or-later */

/* debug.cbor as rows: contexts in columns, texts and layers.  Streamed through a window with
 * libcbor's cbor_stream_decode; the file is never in memory.  Counts, breaks and depth are on a
 * stack of our own.  What a context has beside the columns is stepped over. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-progress.h"
#include "tsr-source.h"
#include "tsr-string-table.h"

G_BEGIN_DECLS

#define TSR_DEBUG_NO_ID    G_GUINT64_CONSTANT (0)
#define TSR_DEBUG_NO_LAYER (G_MAXUINT16)
/* Values nested deeper than this end the reading.  A level takes 16 bytes of memory. */
#define TSR_DEBUG_MAX_DEPTH (1 << 20)
/* Longer names and texts are not kept. */
#define TSR_DEBUG_MAX_TEXT (64 << 20)

typedef enum
{
  TSR_DEBUG_REPLACED, /* replacedDebugContextIds */
  TSR_DEBUG_OUTLINED, /* outlinedDebugContextIds */
  TSR_DEBUG_N_IDS,
} TsrDebugIds;

/* Lists of ids of those rows that have one: that of row[i] is id[start[i]] .. id[start[i + 1] - 1],
 * of the last row to the end. */
typedef struct
{
  GArray *row;   /* guint32, ascending, each once */
  GArray *start; /* guint32 */
  GArray *id;    /* guint64 */
} TsrDebugIdLists;

/* The contexts of a file in file order.  Filled by one thread, immutable and shared afterwards. */
typedef struct
{
  guint n;                            /* fewer than 2^31 */
  guint64 *id, *parent_id;            /* TSR_DEBUG_NO_ID: none, or no number */
  guint16 *layer;                     /* into layer_names; TSR_DEBUG_NO_LAYER */
  guint32 *name;                      /* a text; TSR_NO_STRING: none, or not in the string table */
  guint32 *file_name, *function_name; /* likewise */
  guint32 *line;                      /* 0: none */
  gint64 *offset;                     /* byte in the file */
  guint32 *length;                    /* bytes; G_MAXUINT32: longer */
  TsrDebugIdLists ids[TSR_DEBUG_N_IDS];

  /* One for each engine's map of the file: rows part_start[p] .. part_start[p + 1] - 1, whose
   * numbers of texts begin at part_text[p]. */
  guint n_parts;
  guint *part_start; /* n_parts + 1 */
  guint *part_text;  /* n_parts + 1 */

  GPtrArray *layer_names; /* char *, as they come first in the file */

  /* Texts 0 .. n_texts - 1 are the file's string tables one after the other; those that stand in a
   * context itself have TSR_DEBUG_INLINE set. */
  guint n_texts;
  gsize *text_start;
  char *texts; /* each with a NUL; valid UTF-8 */
  TsrStringTable *inline_texts;

  GError *end;       /* (nullable): why reading ended early: TRUNCATED, CORRUPT, LIMIT; no place */
  gint64 end_offset; /* the byte where it did */
} TsrDebugRows;

#define TSR_DEBUG_INLINE (1u << 31)

/* (transfer full): all contexts of @source, or those before the byte from which it cannot be read
 * on (see end).  Odd values become diagnostics with their byte, repeated ids do not.  NULL and
 * @error: NOT_A_REPORT (no CBOR that has contexts, or empty), TRUNCATED, CORRUPT or LIMIT before
 * the first context, CHANGED, G_IO_ERROR. */
TsrDebugRows *tsr_debug_rows_read (TsrSource *source,
                                   TsrProgress *progress,
                                   TsrDiagnostics *diagnostics,
                                   GCancellable *cancellable,
                                   GError **error);
void tsr_debug_rows_free (TsrDebugRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrDebugRows, tsr_debug_rows_free)

/* (transfer none) (nullable): NULL for TSR_NO_STRING and numbers that there are not. */
const char *tsr_debug_rows_get_text (const TsrDebugRows *self, guint32 text);

/* (transfer none): the ids that @row has of @kind, *n of them. */
const guint64 *
tsr_debug_rows_get_ids (const TsrDebugRows *self, guint32 row, TsrDebugIds kind, guint *n);

G_END_DECLS

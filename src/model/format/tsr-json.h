/* SPDX-License-Identifier: GPL-3.0-or-later */

/* framework.json and app.json: any JSON, as an immutable tree whose numbers keep their digits.
 * RFC 8259, strictly; a UTF-8 byte order mark is skipped; members of the same name are all kept, in
 * file order; U+0000 and half surrogate pairs become U+FFFD. */

#pragma once

#include "tsr-diagnostics.h"
#include "tsr-json-writer.h"
#include "tsr-source.h"

G_BEGIN_DECLS

#define TSR_JSON_MAX_DEPTH  512
#define TSR_JSON_MAX_BYTES  (64 << 20)
#define TSR_JSON_MAX_VALUES (1 << 20)

typedef enum
{
  TSR_JSON_OBJECT,
  TSR_JSON_ARRAY,
  TSR_JSON_STRING,
  TSR_JSON_NUMBER,
  TSR_JSON_BOOLEAN,
  TSR_JSON_NULL,
} TsrJsonKind;

typedef struct _TsrJson TsrJson; /* one value; belongs to the tree's root */

/* (transfer full): errors name the line and the byte offset: LIMIT (size, depth, values), CORRUPT,
 * TRUNCATED (ends too early, empty), NOT_A_REPORT (git-lfs pointer), or G_IO_ERROR. */
TsrJson *tsr_json_read (TsrSource *source, GCancellable *cancellable, GError **error);
TsrJson *tsr_json_ref (TsrJson *root);
void tsr_json_unref (TsrJson *root);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrJson, tsr_json_unref)

TsrJsonKind tsr_json_get_kind (const TsrJson *self);
const char *
tsr_json_get_key (const TsrJson *self); /* (nullable): name in the object that contains it */
const char *
tsr_json_get_text (const TsrJson *self); /* scalar as text, without quotes; a number's own digits;
                                             "" for containers */
guint tsr_json_get_n_children (const TsrJson *self);
/* (transfer none) (nullable): O(1); NULL beyond the end. */
const TsrJson *tsr_json_get_child (const TsrJson *self, guint i);
/* Writes the value, numbers digit by digit as in the file; @key (nullable): in an array. */
void tsr_json_write (const TsrJson *self, TsrJsonWriter *writer, const char *key);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Interned strings: each text is stored once and has a 32-bit index.  Filled by one thread,
 * immutable and shared afterwards. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _TsrStringTable TsrStringTable;

#define TSR_NO_STRING (G_MAXUINT32)

TsrStringTable *tsr_string_table_new (void);
void tsr_string_table_free (TsrStringTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrStringTable, tsr_string_table_free)

/* Whether @length bytes at @text are UTF-8 without a NUL, as they can be shown. */
gboolean tsr_text_is_valid (const char *text, gsize length);

/* Index of @text (@length bytes, or -1 for a NUL-terminated one), added if new.  NULL gives
 * TSR_NO_STRING. Bytes that are not valid UTF-8 are replaced, so every text can be shown. */
guint32 tsr_string_table_intern (TsrStringTable *self, const char *text, gssize length);

/* (transfer none) (nullable): text of @index; NULL for TSR_NO_STRING and beyond the end. */
const char *tsr_string_table_get (TsrStringTable *self, guint32 index);

/* Index of @text, or TSR_NO_STRING if it is not in the table. */
guint32 tsr_string_table_find (TsrStringTable *self, const char *text);

guint32 tsr_string_table_get_length (TsrStringTable *self);

G_END_DECLS

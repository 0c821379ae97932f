/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-string-table.h"

struct _TsrStringTable
{
  GStringChunk *chunk; /* owns the text */
  GPtrArray *texts;    /* index to text, borrowed from the chunk */
  GHashTable *indexes; /* text to index + 1 */
};

TsrStringTable *
tsr_string_table_new (void)
{
  TsrStringTable *self = g_new0 (TsrStringTable, 1);

  self->chunk = g_string_chunk_new (64 * 1024);
  self->texts = g_ptr_array_new ();
  self->indexes = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
tsr_string_table_free (TsrStringTable *self)
{
  g_hash_table_unref (self->indexes);
  g_ptr_array_unref (self->texts);
  g_string_chunk_free (self->chunk);
  g_free (self);
}

guint32
tsr_string_table_intern (TsrStringTable *self, const char *text, gssize length)
{
  g_autofree char *valid = NULL;
  gpointer found;
  char *kept;

  if (text == NULL)
    return TSR_NO_STRING;
  valid = g_utf8_make_valid (text, length);
  found = g_hash_table_lookup (self->indexes, valid);
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  kept = g_string_chunk_insert (self->chunk, valid);
  g_ptr_array_add (self->texts, kept);
  g_hash_table_insert (self->indexes, kept, GUINT_TO_POINTER (self->texts->len));
  return self->texts->len - 1;
}

const char *
tsr_string_table_get (TsrStringTable *self, guint32 index)
{
  return index < self->texts->len ? g_ptr_array_index (self->texts, index) : NULL;
}

guint32
tsr_string_table_find (TsrStringTable *self, const char *text)
{
  gpointer found = g_hash_table_lookup (self->indexes, text);

  return found != NULL ? GPOINTER_TO_UINT (found) - 1 : TSR_NO_STRING;
}

guint32
tsr_string_table_get_length (TsrStringTable *self)
{
  return self->texts->len;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Interned strings: a hash table over texts in one string chunk. */

#include "config.h"

#include "tsr-string-table.h"

#include <string.h>

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
  char small[256];
  g_autofree char *large = NULL;
  const char *key;
  gpointer found;
  char *kept;

  if (text == NULL)
    return TSR_NO_STRING;
  if (length < 0)
    length = strlen (text);
  if (!g_utf8_validate (text, length, NULL))
    key = large = g_utf8_make_valid (text, length);
  else if ((gsize)length >= sizeof small)
    key = large = g_strndup (text, length);
  else
    {
      memcpy (small, text, length);
      small[length] = '\0';
      key = small;
    }
  found = g_hash_table_lookup (self->indexes, key);
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  kept = g_string_chunk_insert (self->chunk, key);
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
  gpointer found;

  g_return_val_if_fail (self != NULL, TSR_NO_STRING);
  found = text != NULL ? g_hash_table_lookup (self->indexes, text) : NULL;
  return found != NULL ? GPOINTER_TO_UINT (found) - 1 : TSR_NO_STRING;
}

guint32
tsr_string_table_get_length (TsrStringTable *self)
{
  return self->texts->len;
}

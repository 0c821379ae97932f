/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Interned strings: texts in one string chunk, found by a table of slots that is never more than
 * three quarters full.  A slot has a text's hash beside its index, so a search compares hardly any
 * text but the one that it finds, and the table grows without a look at any. */

#include "config.h"

#include "tsr-string-table.h"

#include <string.h>

struct _TsrStringTable
{
  GStringChunk *chunk; /* owns the texts */
  GPtrArray *texts;    /* index to text, borrowed from the chunk */
  guint64 *slots;      /* hash << 32 | index + 1; 0: none */
  guint64 n_slots;     /* a power of two */
};

#define FEWEST_SLOTS 16

TsrStringTable *
tsr_string_table_new (void)
{
  TsrStringTable *self = g_new0 (TsrStringTable, 1);

  self->chunk = g_string_chunk_new (64 * 1024);
  self->texts = g_ptr_array_new ();
  self->n_slots = FEWEST_SLOTS;
  self->slots = g_new0 (guint64, self->n_slots);
  return self;
}

void
tsr_string_table_free (TsrStringTable *self)
{
  g_free (self->slots);
  g_ptr_array_unref (self->texts);
  g_string_chunk_free (self->chunk);
  g_free (self);
}

/* The hash of @length bytes, eight at a time.  *plain: whether they are ASCII without a NUL, which
 * is valid UTF-8. */
static guint32
hash_text (const char *text, gsize length, gboolean *plain)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  const guint64 tops = ones << 7;
  guint64 hash = length;
  guint64 odd = 0;

  for (gsize at = 0; at < length; at += sizeof (guint64))
    {
      guint64 word = tops >> 1; /* the rest of the last one is neither NUL nor beyond ASCII */

      if (length - at >= sizeof word)
        memcpy (&word, text + at, sizeof word);
      else
        memcpy (&word, text + at, length - at);
      odd |= word | (word - ones);
      hash = (hash ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      hash ^= hash >> 29;
    }
  *plain = (odd & tops) == 0;
  return (guint32)(hash >> 16);
}

gboolean
tsr_text_is_valid (const char *text, gsize length)
{
  gboolean plain;

  g_return_val_if_fail (text != NULL, FALSE);
  hash_text (text, length, &plain);
  return plain || g_utf8_validate (text, (gssize)length, NULL);
}

/* The slot of @text, or the empty one where it belongs. */
static guint64 *
find_slot (TsrStringTable *self, const char *text, gsize length, guint32 hash)
{
  guint64 at = hash & (self->n_slots - 1);

  for (; self->slots[at] != 0; at = (at + 1) & (self->n_slots - 1))
    if (self->slots[at] >> 32 == hash)
      {
        const char *kept = g_ptr_array_index (self->texts, (guint32)self->slots[at] - 1);

        if (strncmp (kept, text, length) == 0 && kept[length] == '\0')
          break;
      }
  return &self->slots[at];
}

static void
grow (TsrStringTable *self)
{
  g_autofree guint64 *old = self->slots;
  guint64 n_old = self->n_slots;

  self->n_slots *= 2;
  self->slots = g_new0 (guint64, self->n_slots);
  for (guint64 i = 0; i < n_old; i++)
    if (old[i] != 0)
      {
        guint64 at = (old[i] >> 32) & (self->n_slots - 1);

        while (self->slots[at] != 0)
          at = (at + 1) & (self->n_slots - 1);
        self->slots[at] = old[i];
      }
}

guint32
tsr_string_table_intern (TsrStringTable *self, const char *text, gssize length)
{
  g_autofree char *valid = NULL;
  gboolean plain;
  guint64 *slot;
  guint32 hash;

  if (text == NULL)
    return TSR_NO_STRING;
  if (length < 0)
    length = strlen (text);
  hash = hash_text (text, length, &plain);
  if (!plain && !g_utf8_validate (text, length, NULL))
    {
      text = valid = g_utf8_make_valid (text, length);
      length = strlen (valid);
      hash = hash_text (text, length, &plain);
    }
  slot = find_slot (self, text, length, hash);
  if (*slot == 0)
    {
      g_ptr_array_add (self->texts, g_string_chunk_insert_len (self->chunk, text, length));
      *slot = (guint64)hash << 32 | self->texts->len;
      if (self->texts->len > self->n_slots / 4 * 3)
        {
          grow (self);
          return self->texts->len - 1;
        }
    }
  return (guint32)*slot - 1;
}

const char *
tsr_string_table_get (TsrStringTable *self, guint32 index)
{
  return index < self->texts->len ? g_ptr_array_index (self->texts, index) : NULL;
}

guint32
tsr_string_table_find (TsrStringTable *self, const char *text)
{
  gboolean plain;
  guint64 *slot;

  g_return_val_if_fail (self != NULL, TSR_NO_STRING);
  if (text == NULL)
    return TSR_NO_STRING;
  slot = find_slot (self, text, strlen (text), hash_text (text, strlen (text), &plain));
  return *slot != 0 ? (guint32)*slot - 1 : TSR_NO_STRING;
}

guint32
tsr_string_table_get_length (TsrStringTable *self)
{
  return self->texts->len;
}

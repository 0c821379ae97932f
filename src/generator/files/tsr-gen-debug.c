/* SPDX-License-Identifier: GPL-3.0-or-later */

/* debug.cbor: a map of "contexts", an array of indefinite length in which children come before
 * their parents, and "stringTable".  Encoded while it is written; only the strings are kept. */

#include "config.h"

#include "tsr-gen-files.h"

#include <cbor.h>
#include <errno.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  FILE *file;
  GPtrArray *strings; /* borrowed */
  GHashTable *indices;
} Writer;

static void
emit (Writer *self, const guint8 *bytes, gsize size)
{
  fwrite (bytes, 1, size, self->file);
}

static void
put_uint (Writer *self, guint64 value)
{
  guint8 bytes[9];

  emit (self, bytes, cbor_encode_uint (value, bytes, sizeof bytes));
}

static void
put_text (Writer *self, const char *text)
{
  const gsize length = strlen (text);
  guint8 bytes[9];

  emit (self, bytes, cbor_encode_string_start (length, bytes, sizeof bytes));
  emit (self, (const guint8 *)text, length);
}

static void
put_index (Writer *self, const char *text, gboolean as_double)
{
  gpointer found;
  guint8 bytes[9];

  if (!g_hash_table_lookup_extended (self->indices, text, NULL, &found))
    {
      found = GUINT_TO_POINTER (self->strings->len);
      g_ptr_array_add (self->strings, (gpointer)text);
      g_hash_table_insert (self->indices, (gpointer)text, found);
    }
  if (as_double)
    emit (self, bytes, cbor_encode_double (GPOINTER_TO_UINT (found), bytes, sizeof bytes));
  else
    put_uint (self, GPOINTER_TO_UINT (found));
}

static void
put_map (Writer *self)
{
  guint8 byte[1];

  emit (self, byte, cbor_encode_indef_map_start (byte, 1));
}

static void
put_array (Writer *self)
{
  guint8 byte[1];

  emit (self, byte, cbor_encode_indef_array_start (byte, 1));
}

static void
put_break (Writer *self)
{
  guint8 byte[1];

  emit (self, byte, cbor_encode_break (byte, 1));
}

static void
put_context (Writer *self, const TsrGenContext *context)
{
  /* Poplar's numbers are doubles inside; some writers keep them so. */
  const gboolean as_double = context->id % 8 == 3;

  put_map (self);
  put_text (self, "id");
  put_uint (self, context->id);
  if (context->parent != 0)
    {
      put_text (self, "parentId");
      put_uint (self, context->parent);
    }
  put_text (self, "name");
  put_index (self, context->name, as_double);
  put_text (self, "layer");
  put_text (self, context->layer);
  if (context->file != NULL)
    {
      put_text (self, "location");
      put_map (self);
      put_text (self, "fileName");
      put_index (self, context->file, FALSE);
      put_text (self, "functionName");
      put_index (self, context->function, FALSE);
      put_text (self, "lineNumber");
      put_uint (self, context->line);
      put_break (self);
    }
  for (guint i = 0; context->pairs != NULL && i + 1 < context->pairs->len; i += 2)
    {
      put_text (self, g_ptr_array_index (context->pairs, i));
      put_text (self, g_ptr_array_index (context->pairs, i + 1));
    }
  put_break (self);
}

gboolean
tsr_gen_debug_write (const TsrGenModel *model, const char *path, GError **error)
{
  Writer self = { fopen (path, "wbx") };
  gboolean good = self.file != NULL;

  if (good)
    {
      self.strings = g_ptr_array_new ();
      self.indices = g_hash_table_new (g_str_hash, g_str_equal);
      put_map (&self);
      put_text (&self, "contexts");
      put_array (&self);
      for (guint i = model->contexts->len; i > 0; i--)
        put_context (&self, g_ptr_array_index (model->contexts, i - 1));
      put_break (&self);
      put_text (&self, "stringTable");
      put_array (&self);
      for (guint i = 0; i < self.strings->len; i++)
        put_text (&self, g_ptr_array_index (self.strings, i));
      put_break (&self);
      put_break (&self);
      g_ptr_array_unref (self.strings);
      g_hash_table_unref (self.indices);
      good = !ferror (self.file);
      good = fclose (self.file) == 0 && good;
    }
  if (!good)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "Cannot write %s: %s", path,
                 g_strerror (errno));
  return good;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* debug.cbor: a map of "contexts", an array of indefinite length in which children come before
 * their parents, and "stringTable".  Encoded while it is written; only the strings are kept.
 *
 * Of a real program most contexts belong to no program: what PopLibs planned, mapped and allocated.
 * Such details hang under the PopLibs contexts of the model, as many as the wanted size needs. They
 * are a function of their number, so they are never in memory: the second time, for the strings,
 * they are made again. */

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
  guint64 size;       /* bytes written */
  GPtrArray *strings; /* borrowed */
  GHashTable *indices;
} Writer;

static void
emit (Writer *self, const guint8 *bytes, gsize size)
{
  fwrite (bytes, 1, size, self->file);
  self->size += size;
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

static guint
string_index (Writer *self, const char *text)
{
  gpointer found;

  if (!g_hash_table_lookup_extended (self->indices, text, NULL, &found))
    {
      found = GUINT_TO_POINTER (self->strings->len);
      g_ptr_array_add (self->strings, (gpointer)text);
      g_hash_table_insert (self->indices, (gpointer)text, found);
    }
  return GPOINTER_TO_UINT (found);
}

static void
put_double (Writer *self, double value)
{
  guint8 bytes[9];

  emit (self, bytes, cbor_encode_double (value, bytes, sizeof bytes));
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
put_variant (Writer *self, GVariant *value)
{
  GVariantIter iter;
  GVariant *child;
  const char *key;
  guint8 byte[1];

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    put_text (self, g_variant_get_string (value, NULL));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    put_uint (self, (guint64)g_variant_get_int64 (value));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    put_double (self, g_variant_get_double (value));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    emit (self, byte, cbor_encode_bool (g_variant_get_boolean (value), byte, 1));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT))
    {
      put_map (self);
      g_variant_iter_init (&iter, value);
      while (g_variant_iter_next (&iter, "{&sv}", &key, &child))
        {
          put_text (self, key);
          put_variant (self, child);
          g_variant_unref (child);
        }
      put_break (self);
    }
  else
    {
      guint8 bytes[9];

      g_assert (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING_ARRAY));
      emit (self, bytes,
            cbor_encode_array_start (g_variant_n_children (value), bytes, sizeof bytes));
      g_variant_iter_init (&iter, value);
      while (g_variant_iter_next (&iter, "&s", &key))
        put_text (self, key);
    }
}

/* Begins the map of a context.  @name: its index; Poplar's numbers are doubles inside, and some
 * writers keep them so. */
static void
begin_context (Writer *self, guint64 id, guint64 parent, guint64 name, const char *layer)
{
  put_map (self);
  put_text (self, "id");
  put_uint (self, id);
  if (parent != 0)
    {
      put_text (self, "parentId");
      put_uint (self, parent);
    }
  put_text (self, "name");
  if (id % 8 == 3)
    put_double (self, (double)name);
  else
    put_uint (self, name);
  put_text (self, "layer");
  put_text (self, layer);
}

static void
put_location (Writer *self, const char *file, const char *function, guint line)
{
  put_text (self, "location");
  put_map (self);
  put_text (self, "fileName");
  put_uint (self, string_index (self, file));
  put_text (self, "functionName");
  put_uint (self, string_index (self, function));
  put_text (self, "lineNumber");
  put_uint (self, line);
  put_break (self);
}

static void
put_context (Writer *self, const TsrGenContext *context)
{
  begin_context (self, context->id, context->parent, string_index (self, context->name),
                 context->layer);
  if (context->file != NULL)
    put_location (self, context->file, context->function, context->line);
  for (guint i = 0; i < context->pairs->len; i++)
    {
      const TsrGenPair *pair = &g_array_index (context->pairs, TsrGenPair, i);

      put_text (self, pair->key);
      put_variant (self, pair->value);
    }
  put_break (self);
}

/* ---- details */

/* One detail is a PopLibs context, another one in it, and three of Poplar in that. */
#define PER_DETAIL 5

static const struct
{
  const char *api, *file;
  guint line;
} details[] = {
  { "createWeights", "/poplibs/lib/poplin/Convolution.cpp", 1630 },
  { "mapTensorLinearly", "/poplibs/lib/poputil/TileMapping.cpp", 118 },
  { "copyToInput", "/poplibs/lib/poplin/ConvUtil.cpp", 402 },
  { "broadcastToMatch", "/poplibs/lib/poputil/Broadcast.cpp", 71 },
  { "planReduction", "/poplibs/lib/popops/reduction/Reduction.cpp", 255 },
  { "rearrange", "/poplibs/lib/popops/Rearrange.cpp", 611 },
};
static const char *const leaves[PER_DETAIL - 2] = { "partials", "mapping", "program" };

/* (transfer full): name of one of the two PopLibs contexts of detail @n. */
static char *
detail_name (guint64 n, guint which)
{
  const guint kind = n % G_N_ELEMENTS (details);

  if (which == 0)
    return g_strdup_printf ("%s_%" G_GUINT64_FORMAT, details[kind].api, n);
  return g_strdup_printf ("%s_%" G_GUINT64_FORMAT "/tile_%u", details[kind].api, n,
                          (guint)(n * 7 % 1472));
}

/* Children first.  @first_id: number of the first of its contexts; @first_name: index of the first
 * of its two names. */
static void
put_detail (Writer *self, guint64 n, guint64 parent, guint64 first_id, guint64 first_name)
{
  const guint kind = n % G_N_ELEMENTS (details);
  const guint64 outer = tsr_gen_context_id (first_id), inner = tsr_gen_context_id (first_id + 1);
  g_autofree char *shape
      = g_strdup_printf ("[%u, %u, %u]", 1 + (guint)(n % 64), 16 << (n % 5), 7 + (guint)(n % 50));

  for (guint i = G_N_ELEMENTS (leaves); i > 0; i--)
    {
      begin_context (self, tsr_gen_context_id (first_id + 1 + i), inner,
                     string_index (self, leaves[i - 1]), "poplar");
      put_break (self);
    }
  begin_context (self, inner, outer, first_name + 1, "poplibs");
  put_text (self, "api");
  put_text (self, details[kind].api);
  put_break (self);
  begin_context (self, outer, parent, first_name, "poplibs");
  put_location (self, details[kind].file, details[kind].api, details[kind].line);
  put_text (self, "api");
  put_text (self, details[kind].api);
  for (guint i = 0; i < 2; i++)
    {
      put_text (self, i == 0 ? "args" : "outputs");
      put_map (self);
      put_text (self, i == 0 ? "in" : "0");
      put_map (self);
      put_text (self, "shape");
      put_text (self, shape);
      put_text (self, "type");
      put_text (self, n % 3 == 0 ? "float" : "half");
      put_break (self);
      put_break (self);
    }
  put_break (self);
}

/* Until @size bytes are there, with the strings that follow; returns how many. */
static guint64
put_details (Writer *self, const TsrGenModel *model, guint64 size)
{
  g_autoptr (GArray) parents = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 n = 0, names = 0, n_strings;

  for (guint i = 0; i < model->contexts->len; i++)
    {
      const TsrGenContext *context = g_ptr_array_index (model->contexts, i);

      if (g_str_equal (context->layer, "poplibs"))
        g_array_append_val (parents, context->id);
      string_index (self, context->name);
      if (context->file != NULL)
        {
          string_index (self, context->file);
          string_index (self, context->function);
        }
    }
  if (parents->len == 0)
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (details); i++)
    {
      string_index (self, details[i].file);
      string_index (self, details[i].api);
    }
  for (guint i = 0; i < G_N_ELEMENTS (leaves); i++)
    string_index (self, leaves[i]);
  n_strings = self->strings->len;
  while (self->size + names < size)
    {
      put_detail (self, n, g_array_index (parents, guint64, n % parents->len),
                  model->next_context + 1 + n * PER_DETAIL, n_strings + 2 * n);
      for (guint i = 0; i < 2; i++)
        {
          g_autofree char *name = detail_name (n, i);
          names += strlen (name) + 1;
        }
      n++;
    }
  return n;
}

gboolean
tsr_gen_debug_write (const TsrGenModel *model, const char *path, guint64 size, GError **error)
{
  Writer self = { fopen (path, "wbx") };
  gboolean good = self.file != NULL;

  if (good)
    {
      guint64 n;

      self.strings = g_ptr_array_new ();
      self.indices = g_hash_table_new (g_str_hash, g_str_equal);
      put_map (&self);
      put_text (&self, "contexts");
      put_array (&self);
      n = size == 0 ? 0 : put_details (&self, model, size);
      for (guint i = model->contexts->len; i > 0; i--)
        put_context (&self, g_ptr_array_index (model->contexts, i - 1));
      put_break (&self);
      put_text (&self, "stringTable");
      put_array (&self);
      for (guint i = 0; i < self.strings->len; i++)
        put_text (&self, g_ptr_array_index (self.strings, i));
      for (guint64 i = 0; i < 2 * n; i++)
        {
          g_autofree char *name = detail_name (i / 2, i % 2);
          put_text (&self, name);
        }
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

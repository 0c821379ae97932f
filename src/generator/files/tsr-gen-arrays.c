/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Collects arrays by tile in a hash table, and picks the shortest encoding of each. */

#include "config.h"

#include "tsr-gen-arrays.h"

#include <string.h>

static void
array_free (gpointer data)
{
  TsrGenArray *array = data;

  g_bytes_unref (array->data);
  g_free (array);
}

TsrGenArrays *
tsr_gen_arrays_new (void)
{
  TsrGenArrays *self = g_new0 (TsrGenArrays, 1);

  self->arrays = g_ptr_array_new_with_free_func (array_free);
  self->ids = g_hash_table_new_full ((GHashFunc)g_bytes_hash, (GEqualFunc)g_bytes_equal,
                                     (GDestroyNotify)g_bytes_unref, NULL);
  return self;
}

void
tsr_gen_arrays_free (TsrGenArrays *self)
{
  g_ptr_array_unref (self->arrays);
  g_hash_table_unref (self->ids);
  g_free (self);
}

static void
put_32 (GByteArray *out, guint32 value)
{
  const guint32 little = GUINT32_TO_LE (value);

  g_byte_array_append (out, (const guint8 *)&little, sizeof little);
}

static void
put_16 (GByteArray *out, guint16 value)
{
  const guint16 little = GUINT16_TO_LE (value);

  g_byte_array_append (out, (const guint8 *)&little, sizeof little);
}

static void
encode (GByteArray *out, TsrGenEncoding encoding, const guint32 *values, guint n)
{
  put_32 (out, encoding); /* only to tell equal arrays apart; not written to the file */
  switch (encoding)
    {
    case TSR_GEN_SAME:
      put_32 (out, values[0]);
      break;
    case TSR_GEN_SPARSE:
      for (guint i = 0; i < n; i++)
        if (values[i] != 0)
          {
            put_32 (out, i);
            put_32 (out, values[i]);
          }
      break;
    case TSR_GEN_DENSE_16:
      for (guint i = 0; i < n; i++)
        put_16 (out, values[i]);
      break;
    case TSR_GEN_DENSE_32:
    default:
      for (guint i = 0; i < n; i++)
        put_32 (out, values[i]);
      break;
    }
}

guint32
tsr_gen_arrays_add (TsrGenArrays *self, const guint32 *values, guint n)
{
  g_autoptr (GByteArray) out = NULL;
  TsrGenArray array = { .maximum = 0 };
  guint n_nonzero = 0;
  gboolean same = TRUE;
  GBytes *key;
  gpointer found;

  for (guint i = 0; i < n; i++)
    {
      array.total += values[i];
      array.maximum = MAX (array.maximum, values[i]);
      n_nonzero += values[i] != 0;
      same = same && values[i] == values[0];
    }
  if (n_nonzero == 0)
    return 0;
  array.encoding = array.maximum > G_MAXUINT16 ? TSR_GEN_DENSE_32 : TSR_GEN_DENSE_16;
  if (same)
    array.encoding = TSR_GEN_SAME;
  else if (n_nonzero * 8 < n * (array.encoding == TSR_GEN_DENSE_32 ? 4 : 2))
    array.encoding = TSR_GEN_SPARSE;
  out = g_byte_array_sized_new (4 + n * 4);
  encode (out, array.encoding, values, n);
  key = g_bytes_new (out->data, out->len);
  if (g_hash_table_lookup_extended (self->ids, key, NULL, &found))
    {
      g_bytes_unref (key);
      return GPOINTER_TO_UINT (found);
    }
  array.data = g_bytes_new_from_bytes (key, 4, out->len - 4);
  g_ptr_array_add (self->arrays, g_memdup2 (&array, sizeof array));
  g_hash_table_insert (self->ids, key, GUINT_TO_POINTER (self->arrays->len));
  return self->arrays->len;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Columns of 32-bit numbers; the few larger values are in a sorted list beside them. */

#include "config.h"

#include "tsr-narrow.h"

#include <string.h>

gboolean
tsr_narrow_init (TsrNarrow *self, gsize n)
{
  g_return_val_if_fail (self != NULL, FALSE);
  memset (self, 0, sizeof *self);
  self->values = g_try_new (guint32, MAX (n, 1));
  if (self->values == NULL)
    return FALSE;
  memset (self->values, 0xff, n * sizeof *self->values);
  self->n = n;
  return TRUE;
}

void
tsr_narrow_clear (TsrNarrow *self)
{
  g_free (self->values);
  g_clear_pointer (&self->wide, g_array_unref);
  memset (self, 0, sizeof *self);
}

void
tsr_narrow_set (TsrNarrow *self, gsize index, gint64 value)
{
  TsrNarrowWide wide = { index, value };

  if (value < 0)
    self->values[index] = TSR_NARROW_UNKNOWN;
  else if (value < TSR_NARROW_WIDE)
    self->values[index] = (guint32)value;
  else
    {
      self->values[index] = TSR_NARROW_WIDE;
      if (self->wide == NULL)
        self->wide = g_array_new (FALSE, FALSE, sizeof (TsrNarrowWide));
      g_array_append_val (self->wide, wide);
    }
}

/* Entries with the same index must stay in the order in which they were set, so the sort must be
 * stable. */
static int
compare_wide (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer data)
{
  const TsrNarrowWide *x = a;
  const TsrNarrowWide *y = b;

  return (x->index > y->index) - (x->index < y->index);
}

/* The last value that was set counts; entries that fit into the narrow array now are dropped. */
void
tsr_narrow_seal (TsrNarrow *self)
{
  TsrNarrowWide *list;
  guint n = 0;

  g_return_if_fail (self != NULL);
  if (self->wide == NULL)
    return;
  list = (TsrNarrowWide *)(gpointer)self->wide->data;
  for (guint i = 1; i < self->wide->len; i++)
    if (list[i].index <= list[i - 1].index)
      {
        g_qsort_with_data (list, (int)self->wide->len, sizeof *list, compare_wide, NULL);
        break;
      }
  for (guint i = 0; i < self->wide->len; i++)
    {
      if (self->values[list[i].index] != TSR_NARROW_WIDE)
        continue;
      if (n > 0 && list[n - 1].index == list[i].index)
        n--;
      list[n++] = list[i];
    }
  g_array_set_size (self->wide, n);
}

gint64
tsr_narrow_get_wide (const TsrNarrow *self, gsize index)
{
  const TsrNarrowWide *list
      = self->wide != NULL ? (const TsrNarrowWide *)(gconstpointer)self->wide->data : NULL;
  guint from = 0;
  guint to = self->wide != NULL ? self->wide->len : 0;

  while (from < to)
    {
      guint middle = from + (to - from) / 2;

      if (list[middle].index < index)
        from = middle + 1;
      else
        to = middle;
    }
  g_return_val_if_fail (list != NULL && from < self->wide->len && list[from].index == index,
                        TSR_UNKNOWN);
  return list[from].value;
}

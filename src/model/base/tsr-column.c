/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Growing columns of 64-bit integers. */

#include "config.h"

#include "tsr-column.h"

void
tsr_column_clear (TsrColumn *self)
{
  g_clear_pointer (&self->values, g_free);
  self->length = self->capacity = 0;
}

gboolean
tsr_column_reserve (TsrColumn *self, gsize n)
{
  gsize wanted;
  gint64 *values;

  g_return_val_if_fail (self != NULL, FALSE);
  if (n <= self->capacity - self->length)
    return TRUE;
  if (n > G_MAXSIZE / sizeof (gint64) - self->length)
    return FALSE;
  wanted = MAX (self->length + n, MIN (self->capacity, G_MAXSIZE / 32) * 2);
  values = g_try_renew (gint64, self->values, wanted);
  if (values == NULL)
    return FALSE;
  self->values = values;
  self->capacity = wanted;
  return TRUE;
}

void
tsr_column_append (TsrColumn *self, gint64 value)
{
  if (self->length == self->capacity && !tsr_column_reserve (self, 1))
    g_error ("out of memory for a column of %" G_GSIZE_FORMAT " values", self->length);
  self->values[self->length++] = value;
}

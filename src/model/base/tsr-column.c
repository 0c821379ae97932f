/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Growing columns of 64-bit integers, and memory for columns that do not grow. */

#include "config.h"

#include "tsr-column.h"

#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_PAGE (2 << 20)
#define LARGE     (2 * HUGE_PAGE)

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

gpointer
tsr_column_try_alloc (gsize n, gsize size)
{
  gsize bytes;
  void *column;

  if (!g_size_checked_mul (&bytes, MAX (n, 1), size))
    return NULL;
  if (bytes < LARGE)
    return g_try_malloc (bytes);
  if (posix_memalign (&column, HUGE_PAGE, bytes) != 0)
    return NULL;
  /* A kernel without them says so, and nothing is lost. */
  (void)!madvise (column, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
  return column;
}

gpointer
tsr_column_alloc (gsize n, gsize size)
{
  gpointer column = tsr_column_try_alloc (n, size);

  if (column == NULL)
    g_error ("no memory for %" G_GSIZE_FORMAT " values of %" G_GSIZE_FORMAT " bytes", n, size);
  return column;
}

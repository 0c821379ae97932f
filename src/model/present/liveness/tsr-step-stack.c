/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A frame reads the stack of one position for each pixel column, far from one another: what counts
 * is the number of cache lines.  A tile's sums fit into 32 bits, and up to 16 of them into one
 * line, when their number is a power of two.  A sum that does not fit makes all of them wide. */

#include "config.h"

#include "tsr-step-stack.h"

#define LINE 64 /* bytes in a line of cache */

static gsize
get_size (const TsrStepStack *self)
{
  return MAX ((gsize)self->n * self->stride, 1);
}

TsrStepStack *
tsr_step_stack_new (guint n, guint n_bands)
{
  TsrStepStack *self = g_new0 (TsrStepStack, 1);
  guint per_line = LINE / sizeof *self->narrow;

  self->n = n;
  self->n_bands = n_bands;
  self->stride = n_bands <= 1          ? 1
                 : n_bands <= per_line ? 1u << g_bit_storage (n_bands - 1)
                                       : (n_bands + per_line - 1) / per_line * per_line;
  self->narrow = g_aligned_alloc (get_size (self), sizeof *self->narrow, LINE);
  return self;
}

void
tsr_step_stack_free (TsrStepStack *self)
{
  if (self == NULL)
    return;
  g_aligned_free (self->narrow);
  g_aligned_free (self->wide);
  g_free (self);
}

static void
widen (TsrStepStack *self)
{
  self->wide = g_aligned_alloc (get_size (self), sizeof *self->wide, LINE);
  for (guint i = 0; i < self->n; i++)
    for (guint b = 0; b <= MIN (self->n_added, self->n_bands - 1); b++)
      self->wide[(gsize)i * self->stride + b] = self->narrow[(gsize)i * self->stride + b];
  g_clear_pointer (&self->narrow, g_aligned_free);
}

void
tsr_step_stack_add (TsrStepStack *self, const gint64 *values, const guint *order)
{
  guint band = self->n_added;

  g_return_if_fail (band < self->n_bands);
  for (guint i = 0; i < self->n; i++)
    {
      gint64 below = band > 0 ? tsr_step_stack_get (self, i, band - 1) : 0;
      gint64 sum = tsr_add_saturating (below, MAX (values[order != NULL ? order[i] : i], 0), NULL);

      if (self->narrow != NULL && sum > G_MAXUINT32)
        widen (self);
      if (self->narrow != NULL)
        self->narrow[(gsize)i * self->stride + band] = (guint32)sum;
      else
        self->wide[(gsize)i * self->stride + band] = sum;
    }
  self->n_added++;
}

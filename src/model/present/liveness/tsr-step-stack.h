/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sums of stacked bands by position, as the columns of a plot need them: all of one position
 * together.  Filled by one thread, then any. */

#pragma once

#include "tsr-units.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint n, n_bands;
  guint stride;    /* from position to position */
  guint n_added;   /* bands so far */
  guint32 *narrow; /* [position * stride + band]; NULL when a sum is too large for it: then wide */
  gint64 *wide;
} TsrStepStack;

TsrStepStack *tsr_step_stack_new (guint n, guint n_bands);
void tsr_step_stack_free (TsrStepStack *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrStepStack, tsr_step_stack_free)

/* The next band over those before it: @values[order[position]], @order (nullable): the same number.
 * Negative and unknown ones add nothing; sums saturate. */
void tsr_step_stack_add (TsrStepStack *self, const gint64 *values, const guint *order);

/* The sum of bands 0 to @band, of those that were added. */
static inline gint64
tsr_step_stack_get (const TsrStepStack *self, guint position, guint band)
{
  gsize at = (gsize)position * self->stride + band;

  return self->narrow != NULL ? (gint64)self->narrow[at] : self->wide[at];
}

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Progress as two atomic counters. */

#include "config.h"

#include "tsr-progress.h"

struct _TsrProgress
{
  guint64 total; /* accessed with atomic builtins: 64 bits also on 32-bit machines */
  guint64 done;
};

TsrProgress *
tsr_progress_new (void)
{
  return g_new0 (TsrProgress, 1);
}

void
tsr_progress_free (TsrProgress *self)
{
  g_free (self);
}

void
tsr_progress_set_total (TsrProgress *self, guint64 total)
{
  if (self != NULL)
    __atomic_store_n (&self->total, total, __ATOMIC_RELAXED);
}

void
tsr_progress_set_done (TsrProgress *self, guint64 done)
{
  if (self != NULL)
    __atomic_store_n (&self->done, done, __ATOMIC_RELAXED);
}

void
tsr_progress_add_done (TsrProgress *self, guint64 more)
{
  if (self != NULL)
    __atomic_fetch_add (&self->done, more, __ATOMIC_RELAXED);
}

double
tsr_progress_get_fraction (TsrProgress *self)
{
  guint64 total;
  guint64 done;

  if (self == NULL)
    return -1;
  total = __atomic_load_n (&self->total, __ATOMIC_RELAXED);
  done = __atomic_load_n (&self->done, __ATOMIC_RELAXED);
  return total == 0 ? -1 : MIN (1.0, (double)done / (double)total);
}

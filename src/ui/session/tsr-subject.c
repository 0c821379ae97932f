/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The value itself: copies and comparisons. */

#include "config.h"

#include "tsr-subject.h"

void
tsr_subject_clear (TsrSubject *self)
{
  g_return_if_fail (self != NULL);
  g_free (self->name);
  g_free (self->layer);
  *self = (TsrSubject){ 0 };
}

gboolean
tsr_subject_equal (const TsrSubject *a, const TsrSubject *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);
  return a->kind == b->kind && a->id == b->id && g_strcmp0 (a->name, b->name) == 0
         && g_strcmp0 (a->layer, b->layer) == 0;
}

void
tsr_subject_set (TsrSubject *to, const TsrSubject *from)
{
  /* @from may have a part of @to. */
  TsrSubject old;

  g_return_if_fail (to != NULL && from != NULL);
  old = *to;
  *to = (TsrSubject){ from->kind, from->id, g_strdup (from->name), g_strdup (from->layer) };
  tsr_subject_clear (&old);
}

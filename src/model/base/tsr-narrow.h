/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A column of numbers of which nearly all fit into 32 bits: four bytes per value, and a sorted list
 * of the few that do not fit.  Values are not negative.  Filled by one thread, in any order;
 * immutable and shared after tsr_narrow_seal. */

#pragma once

#include "tsr-units.h"

#include <glib.h>

G_BEGIN_DECLS

#define TSR_NARROW_UNKNOWN (G_MAXUINT32)     /* unknown */
#define TSR_NARROW_WIDE    (G_MAXUINT32 - 1) /* is in the list */

typedef struct
{
  guint32 *values;
  gsize n;
  GArray *wide; /* (nullable): TsrNarrowWide, by index */
} TsrNarrow;

typedef struct
{
  gsize index;
  gint64 value;
} TsrNarrowWide;

/* FALSE if there is no memory for @n values.  All values are unknown at first. */
gboolean tsr_narrow_init (TsrNarrow *self, gsize n);
void tsr_narrow_clear (TsrNarrow *self);
/* Negative values (TSR_UNKNOWN too) become unknown. */
void tsr_narrow_set (TsrNarrow *self, gsize index, gint64 value);
/* Sorts the list; nothing is set afterwards. */
void tsr_narrow_seal (TsrNarrow *self);
/* Slow path of tsr_narrow_get. */
gint64 tsr_narrow_get_wide (const TsrNarrow *self, gsize index);

/* The value, or TSR_UNKNOWN. */
static inline gint64
tsr_narrow_get (const TsrNarrow *self, gsize index)
{
  guint32 value = self->values[index];

  if (G_LIKELY (value < TSR_NARROW_WIDE))
    return value;
  return value == TSR_NARROW_UNKNOWN ? TSR_UNKNOWN : tsr_narrow_get_wide (self, index);
}

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arithmetic with numbers that may be unknown (TSR_UNKNOWN): the result is unknown if one of them
 * is, or if it does not fit. */

#pragma once

#include "tsr-units.h"

G_BEGIN_DECLS

static inline gint64
tsr_known_add (gint64 a, gint64 b)
{
  gint64 sum;

  if (a == TSR_UNKNOWN || b == TSR_UNKNOWN || __builtin_add_overflow (a, b, &sum))
    return TSR_UNKNOWN;
  return sum;
}

static inline gint64
tsr_known_subtract (gint64 a, gint64 b)
{
  gint64 difference;

  if (a == TSR_UNKNOWN || b == TSR_UNKNOWN || __builtin_sub_overflow (a, b, &difference))
    return TSR_UNKNOWN;
  return difference;
}

static inline gint64
tsr_known_multiply (gint64 a, gint64 b)
{
  gint64 product;

  if (a == TSR_UNKNOWN || b == TSR_UNKNOWN || __builtin_mul_overflow (a, b, &product))
    return TSR_UNKNOWN;
  return product;
}

G_END_DECLS

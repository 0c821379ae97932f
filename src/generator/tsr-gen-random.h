/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pseudo-random numbers without state: a number is a function of the seed and of its purpose, so
 * the order of calls never matters and every run produces the same bytes. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* SplitMix64's finaliser (Steele, Lea, Flood: Fast splittable pseudorandom number generators). */
static inline guint64
tsr_gen_mix (guint64 x)
{
  x += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static inline guint64
tsr_gen_hash (guint64 seed, guint64 what, guint64 which)
{
  return tsr_gen_mix (tsr_gen_mix (seed ^ tsr_gen_mix (what)) + which);
}

/* Uniform in [0, 1). */
static inline double
tsr_gen_unit (guint64 seed, guint64 what, guint64 which)
{
  return (double)(tsr_gen_hash (seed, what, which) >> 11) * 0x1p-53;
}

G_END_DECLS

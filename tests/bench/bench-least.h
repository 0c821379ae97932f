/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The least of several tries.  Any thread. */

#pragma once

#include <glib.h>

/* Takes @value, which is measured once; MIN() would measure what is less a second time. */
static inline void
bench_take_least (double *least, double value)
{
  *least = MIN (*least, value);
}

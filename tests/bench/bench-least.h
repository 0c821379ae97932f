/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

/* @value, which is measured once, where it is less than what *least holds: MIN() would measure it
 * a second time. */
static inline void
bench_take_least (double *least, double value)
{
  *least = MIN (*least, value);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A span of a trace as somebody types it: "1,200,000 - 1,500,000", "10 ms - 12.5 ms" (one unit may
 * stand for both), "1,200,000 + 5,000" (from, and how much).  Pure; the decimal point is the
 * locale's. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Cycles [from, to), from < to.  @clock: Hz, NaN when not known.  FALSE and TSR_ERROR_ARGUMENT,
 * whose text says what is wrong. */
gboolean
tsr_trace_span_parse (const char *text, double clock, gint64 *from, gint64 *to, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers as people read them: bytes in three unit modes, counts with separators,
 * percents, and axis steps that are round in the chosen unit.  Every number and
 * unit that a user sees goes through here.  Pure functions, any thread; the
 * decimal point and the separator are those of the locale (of a C locale: "1,794.5"), except in
 * _plain. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_UNITS_BINARY, /* 1.0 KiB = 1024 B */
  TSR_UNITS_SI,     /* 1.0 kB = 1000 B */
  TSR_UNITS_BYTES,  /* 1,024 B */
} TsrUnits;

/* A value that the file does not tell.  Formatted as an en dash. */
#define TSR_UNKNOWN (G_MININT64)
/* An index that refers to nothing. */
#define TSR_NO_INDEX (G_MAXUINT32)

/* "binary", "si", "bytes"; _parse gives FALSE for anything else. */
const char *tsr_units_get_nick (TsrUnits units);
gboolean tsr_units_parse (const char *nick, TsrUnits *units);

/* (transfer full): three significant digits and the unit: "624 KiB", "44.2 MiB",
 * "0 B"; whole bytes below one unit.  From MiB on up to four whole digits: "1,794 MiB".  Negative
 * values have a minus sign (U+2212). */
char *tsr_units_dup_bytes (TsrUnits units, gint64 bytes);

/* (transfer full): the same with an explicit "+" or "−": for differences. */
char *tsr_units_dup_bytes_signed (TsrUnits units, gint64 bytes);

/* (transfer full): all digits with separators and " B": "638,976 B". */
char *tsr_units_dup_bytes_exact (gint64 bytes);

/* (transfer full): all digits with separators: "8,135,360". */
char *tsr_units_dup_count (gint64 count);
/* (transfer full): the same of cycles: "1 cycle", "8,135,360 cycles". */
char *tsr_units_dup_cycles (gint64 cycles);

/* (transfer full): three significant digits and k, M, G or T for a power of 1000: "27.9 M". */
char *tsr_units_dup_short (gint64 count);

/* (transfer full): a number in units of 10^9 with three significant digits: "8.31", "0.0416",
 * "1,280": bytes a second as GB/s. */
char *tsr_units_dup_giga (gint64 number);

/* (transfer full): "49.78 %" with @decimals digits; "–" for NaN and infinity.  @fraction is 0..1.
 */
char *tsr_units_dup_percent (double fraction, int decimals);

/* (transfer full): "1.33 GHz". */
char *tsr_units_dup_hertz (double hertz);

/* (transfer full): three significant digits of a time: "21.0 ms", "1.95 s", "0 s"; "–" for NaN. */
char *tsr_units_dup_seconds (double seconds);

/* (transfer full): how long something goes on, rounded up to what one wants to know: "36 s",
 * "12 min", "2 h 05 min"; "" where that is not known, or makes no sense. */
char *tsr_units_dup_duration (double seconds);

/* Both ends of a span of time, each as above, so that one sees how far they are apart: where that
 * is little beside the larger one both have its unit and as many decimals as show two digits of the
 * difference: "404.12012 ms", "404.12053 ms". */
void tsr_units_dup_seconds_pair (double from, double to, char **from_text, char **to_text);

/* (transfer full): a tick's label of an axis of time; all ticks of it share the unit, in which
 * @largest is at least 1, and the digits that @step (1, 2, 5 x 10^k seconds) needs. */
char *tsr_units_dup_seconds_tick (double seconds, double step, double largest);

/* The smallest round step (1, 2, 4, 8, ... 512 of a binary unit; 1, 2, 5 x 10^k of an SI
 * unit or of bytes) for which a span of @span bytes has at most @max_steps steps; at least 1. */
gint64 tsr_units_nice_step (TsrUnits units, gint64 span, int max_steps);

/* The smallest round step (1, 2, 5 x 10^k) for counts, likewise. */
gint64 tsr_count_nice_step (gint64 span, int max_steps);

/* (transfer full): a tick's label; all ticks of one axis share unit and digits,
 * which follow from @step.  "0", "128 KiB", "1,280 KiB".  @value is a multiple of @step. */
char *tsr_units_dup_tick (TsrUnits units, gint64 value, gint64 step);

/* (transfer full): @number as text in C locale, shortest that reads back equal; for CSV and JSON.
 */
char *tsr_number_dup_plain (double number);

/* Saturating sums for sizes from a file: never wrap; *overflow is set when they would. */
gint64 tsr_add_saturating (gint64 a, gint64 b, gboolean *overflow);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Formats numbers for people: bytes in three unit modes, counts with separators, percentages, and
 * axis steps that are round in the chosen unit.  Every number and unit that a user sees comes from
 * here.  Pure functions, any thread.  Decimal point and separator are those of the locale
 * ("1,794.5" in the C locale), except in _plain. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TSR_UNITS_BINARY, /* 1.0 KiB = 1024 B */
  TSR_UNITS_SI,     /* 1.0 kB = 1000 B */
  TSR_UNITS_BYTES,  /* 1,024 B */
} TsrUnits;

/* A value that the file does not contain.  Formatted as an en dash. */
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
/* (transfer full): the same for cycles: "1 cycle", "8,135,360 cycles". */
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

/* (transfer full): the time that is left, rounded up to a sensible precision: "36 s", "12 min", "2
 * h 05 min"; "" if it is unknown or makes no sense. */
char *tsr_units_dup_duration (double seconds);

/* Both ends of a span of time, formatted so that the difference shows.  If it is small compared
 * with the larger end, both get that end's unit and enough decimals for two digits of the
 * difference: "404.12012 ms", "404.12053 ms". */
void tsr_units_dup_seconds_pair (double from, double to, char **from_text, char **to_text);

/* (transfer full): the label of a tick on a time axis.  All ticks of the axis share the unit, in
 * which @largest is at least 1, and the digits that @step (1, 2, 5 x 10^k seconds) needs. */
char *tsr_units_dup_seconds_tick (double seconds, double step, double largest);

/* The smallest round step (1, 2, 4, 8, ... 512 of a binary unit; 1, 2, 5 x 10^k of an SI unit or of
 * bytes) with which @span bytes have at most @max_steps steps; at least 1. */
gint64 tsr_units_nice_step (TsrUnits units, gint64 span, int max_steps);

/* The smallest round step (1, 2, 5 x 10^k) for counts, likewise. */
gint64 tsr_count_nice_step (gint64 span, int max_steps);

/* (transfer full): the label of a tick.  All ticks of an axis share unit and digits, which follow
 * from @step.  "0", "128 KiB", "1,280 KiB".  @value is a multiple of @step. */
char *tsr_units_dup_tick (TsrUnits units, gint64 value, gint64 step);

/* (transfer full): @number in the C locale, the shortest text that reads back equal; for CSV and
 * JSON. */
char *tsr_number_dup_plain (double number);

/* Saturating sums for sizes from a file: they never wrap, and set *overflow when they saturate. */
gint64 tsr_add_saturating (gint64 a, gint64 b, gboolean *overflow);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Formats and parses numbers, sizes, times and cycles for people, and picks round axis steps.  All
 * functions are pure. */

#include "config.h"

#include "tsr-units.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

static const char *const binary_names[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
static const char *const si_names[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };

const char *
tsr_units_get_nick (TsrUnits units)
{
  switch (units)
    {
    case TSR_UNITS_SI:
      return "si";
    case TSR_UNITS_BYTES:
      return "bytes";
    case TSR_UNITS_BINARY:
    default:
      return "binary";
    }
}

gboolean
tsr_units_parse (const char *nick, TsrUnits *units)
{
  g_return_val_if_fail (units != NULL, FALSE);
  for (int i = TSR_UNITS_BINARY; i <= TSR_UNITS_BYTES; i++)
    if (g_strcmp0 (nick, tsr_units_get_nick (i)) == 0)
      {
        *units = i;
        return TRUE;
      }
  return FALSE;
}

/* TRUE in the locales that are nobody's language and have no separator of their own. */
static gboolean
is_locale_neutral (void)
{
  const char *name = setlocale (LC_NUMERIC, NULL);

  return name == NULL || strcmp (name, "C") == 0 || strcmp (name, "POSIX") == 0
         || g_str_has_prefix (name, "C.");
}

/* Puts a comma between each three digits of the number's whole part. */
static char *
dup_grouped (const char *text)
{
  GString *out = g_string_new (NULL);
  gsize n = strspn (text, "0123456789");

  for (gsize i = 0; i < n; i++)
    {
      if (i > 0 && (n - i) % 3 == 0)
        g_string_append_c (out, ',');
      g_string_append_c (out, text[i]);
    }
  g_string_append (out, text + n);
  return g_string_free (out, FALSE);
}

/* @format has the ' flag and stands for one number that is not negative. */
static char *dup_number (const char *format, ...) G_GNUC_PRINTF (1, 2);

static char *
dup_number (const char *format, ...)
{
  g_autofree char *text = NULL;
  char *utf8;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (is_locale_neutral ())
    return dup_grouped (text);
  if (g_utf8_validate (text, -1, NULL))
    return g_steal_pointer (&text);
  utf8 = g_locale_to_utf8 (text, -1, NULL, NULL, NULL);
  return utf8 != NULL ? utf8 : g_utf8_make_valid (text, -1);
}

static const char *
sign_of (double value)
{
  return value < 0 ? "−" : "";
}

/* Three significant digits of a value >= 0: "9.81", "44.2", "313", "1,794". */
static char *
dup_significant (double value)
{
  return dup_number ("%'.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
}

static guint
scale_of (TsrUnits units, guint64 bytes, double *scaled)
{
  double base = units == TSR_UNITS_SI ? 1000 : 1024;
  guint power = 0;

  *scaled = bytes;
  /* What would round to a whole next unit goes up (1,023.7 KiB is "1.00 MiB").  From MiB on four
   * digits stay: a replica of 1,794 MiB is known to its users by that number. */
  while (*scaled >= (power == 0 ? base : base - 0.5) && power + 1 < G_N_ELEMENTS (binary_names))
    {
      if (power >= 2 && *scaled < 9999.5)
        break;
      *scaled /= base;
      power++;
    }
  return power;
}

static guint64
magnitude_of (gint64 bytes)
{
  return bytes < 0 ? (guint64) - (bytes + 1) + 1 : (guint64)bytes;
}

char *
tsr_units_dup_bytes (TsrUnits units, gint64 bytes)
{
  g_autofree char *digits = NULL;
  double scaled;
  guint power;

  if (bytes == TSR_UNKNOWN)
    return g_strdup ("–");
  if (units == TSR_UNITS_BYTES)
    {
      digits = tsr_units_dup_count (bytes);
      return g_strconcat (digits, " B", NULL);
    }
  power = scale_of (units, magnitude_of (bytes), &scaled);
  digits = power == 0 ? dup_number ("%'.0f", scaled) : dup_significant (scaled);
  return g_strdup_printf ("%s%s %s", sign_of (bytes), digits,
                          units == TSR_UNITS_SI ? si_names[power] : binary_names[power]);
}

char *
tsr_units_dup_bytes_signed (TsrUnits units, gint64 bytes)
{
  g_autofree char *text = tsr_units_dup_bytes (units, bytes);

  return bytes > 0 ? g_strconcat ("+", text, NULL) : g_steal_pointer (&text);
}

char *
tsr_units_dup_bytes_exact (gint64 bytes)
{
  return tsr_units_dup_bytes (TSR_UNITS_BYTES, bytes);
}

char *
tsr_units_dup_count (gint64 count)
{
  g_autofree char *digits = NULL;

  if (count == TSR_UNKNOWN)
    return g_strdup ("–");
  digits = dup_number ("%'" G_GUINT64_FORMAT, magnitude_of (count));
  return g_strconcat (sign_of (count), digits, NULL);
}

char *
tsr_units_dup_cycles (gint64 cycles)
{
  g_autofree char *count = tsr_units_dup_count (cycles);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s cycle", "%s cycles",
                                       cycles == TSR_UNKNOWN ? 2 : (gulong)magnitude_of (cycles)),
                          count);
}

char *
tsr_units_dup_percent (double fraction, int decimals)
{
  g_autofree char *digits = NULL;

  if (!isfinite (fraction))
    return g_strdup ("–");
  digits = dup_number ("%'.*f", CLAMP (decimals, 0, 9), fabs (fraction) * 100);
  return g_strdup_printf ("%s%s %%",
                          strpbrk (digits, "123456789") != NULL ? sign_of (fraction) : "", digits);
}

char *
tsr_units_dup_hertz (double hertz)
{
  static const char *const names[] = { "Hz", "kHz", "MHz", "GHz", "THz" };
  g_autofree char *digits = NULL;
  double scaled = fabs (hertz);
  guint power = 0;

  if (!isfinite (hertz))
    return g_strdup ("–");
  while (scaled >= 999.5 && power + 1 < G_N_ELEMENTS (names))
    {
      scaled /= 1000;
      power++;
    }
  digits = dup_significant (scaled);
  return g_strdup_printf ("%s%s %s", sign_of (hertz), digits, names[power]);
}

char *
tsr_units_dup_short (gint64 count)
{
  static const char *const names[] = { "", " k", " M", " G", " T", " P", " E" };
  g_autofree char *digits = NULL;
  double scaled = fabs ((double)count);
  guint power = 0;

  if (count == TSR_UNKNOWN)
    return g_strdup ("–");
  if (scaled < 1000)
    return tsr_units_dup_count (count);
  while (scaled >= 999.5 && power + 1 < G_N_ELEMENTS (names))
    {
      scaled /= 1000;
      power++;
    }
  digits = dup_significant (scaled);
  return g_strdup_printf ("%s%s%s", sign_of (count), digits, names[power]);
}

char *
tsr_units_dup_giga (gint64 number)
{
  double scaled = fabs ((double)number) / 1e9;
  g_autofree char *digits = NULL;
  int decimals = 3;

  if (number == TSR_UNKNOWN)
    return g_strdup ("–");
  if (number == 0)
    return g_strdup ("0");
  if (scaled >= 0.9995)
    digits = dup_significant (scaled);
  else
    {
      for (double least = 0.09995; scaled < least; least /= 10)
        decimals++;
      digits = dup_number ("%'.*f", decimals, scaled);
    }
  return g_strconcat (sign_of (number), digits, NULL);
}

/* The unit in which @seconds is at least 1 (or 1000 of the smallest). */
static const char *
scale_seconds (double seconds, double *unit)
{
  static const char *const names[] = { "s", "ms", "µs", "ns", "ps" };
  guint power = 0;

  *unit = 1;
  while (fabs (seconds) < 0.9995 * *unit && power + 1 < G_N_ELEMENTS (names))
    {
      *unit /= 1000;
      power++;
    }
  return names[power];
}

char *
tsr_units_dup_seconds (double seconds)
{
  g_autofree char *digits = NULL;
  const char *name;
  double unit;

  if (!isfinite (seconds))
    return g_strdup ("–");
  if (seconds == 0)
    return g_strdup ("0 s");
  name = scale_seconds (seconds, &unit);
  digits = dup_significant (fabs (seconds) / unit);
  return g_strdup_printf ("%s%s %s", sign_of (seconds), digits, name);
}

char *
tsr_units_dup_seconds_tick (double seconds, double step, double largest)
{
  g_autofree char *digits = NULL;
  const char *name;
  double unit;
  int decimals;

  if (!isfinite (seconds) || !(step > 0))
    return g_strdup ("–");
  name = scale_seconds (largest, &unit);
  decimals = (int)CLAMP (ceil (-log10 (step / unit) - 1e-9), 0, 15);
  digits = dup_number ("%'.*f", decimals, fabs (seconds) / unit);
  return g_strdup_printf ("%s%s %s", sign_of (seconds), digits, name);
}

char *
tsr_units_dup_duration (double seconds)
{
  guint64 whole;

  if (isnan (seconds) || seconds < 0 || seconds > 1e7)
    return g_strdup ("");
  whole = (guint64)ceil (seconds);
  if (whole < 60)
    return g_strdup_printf (_ ("%u s"), (guint)whole);
  if (whole < 3600)
    return g_strdup_printf (_ ("%u min"), (guint)((whole + 59) / 60));
  return g_strdup_printf (_ ("%u h %02u min"), (guint)(whole / 3600), (guint)(whole % 3600 / 60));
}

void
tsr_units_dup_seconds_pair (double from, double to, char **from_text, char **to_text)
{
  double largest = MAX (fabs (from), fabs (to));
  double apart = fabs (to - from);

  g_return_if_fail (from_text != NULL && to_text != NULL);
  /* Three digits are enough if the numbers differ by ten units of the third digit or more. */
  if (!isfinite (from) || !isfinite (to) || apart == 0
      || apart >= 10 * pow (10, floor (log10 (largest)) - 2))
    {
      *from_text = tsr_units_dup_seconds (from);
      *to_text = tsr_units_dup_seconds (to);
      return;
    }
  apart = pow (10, floor (log10 (apart) + 1e-9) - 1);
  *from_text = tsr_units_dup_seconds_tick (from, apart, largest);
  *to_text = tsr_units_dup_seconds_tick (to, apart, largest);
}

gint64
tsr_count_nice_step (gint64 span, int max_steps)
{
  static const int factors[] = { 1, 2, 5 };

  max_steps = MAX (max_steps, 1);
  for (gint64 power = 1;; power *= 10)
    {
      for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
        {
          gint64 step = power > G_MAXINT64 / factors[i] ? G_MAXINT64 : power * factors[i];

          if (span / step < max_steps || (span / step == max_steps && span % step == 0))
            return step;
        }
      if (power > G_MAXINT64 / 10)
        return G_MAXINT64;
    }
}

gint64
tsr_units_nice_step (TsrUnits units, gint64 span, int max_steps)
{
  if (units != TSR_UNITS_BINARY)
    return tsr_count_nice_step (span, max_steps);
  max_steps = MAX (max_steps, 1);
  /* Powers of two: each is 1, 2, 4 ... 512 of a binary unit. */
  for (int shift = 0; shift < 62; shift++)
    {
      gint64 step = (gint64)1 << shift;

      if (span / step < max_steps || (span / step == max_steps && span % step == 0))
        return step;
    }
  return (gint64)1 << 62;
}

char *
tsr_units_dup_tick (TsrUnits units, gint64 value, gint64 step)
{
  gint64 base = units == TSR_UNITS_SI ? 1000 : 1024;
  gint64 unit = 1;
  guint power = 0;
  g_autofree char *digits = NULL;

  if (value == 0)
    return g_strdup ("0");
  if (units == TSR_UNITS_BYTES || value == TSR_UNKNOWN)
    return tsr_units_dup_bytes_exact (value);
  /* The unit is the step's own, so every label is a whole number of it and no two are alike. */
  while (step / unit >= base && power + 1 < G_N_ELEMENTS (binary_names))
    {
      unit *= base;
      power++;
    }
  digits = dup_number ("%'.0f", (double)magnitude_of (value) / (double)unit);
  return g_strdup_printf ("%s%s %s", sign_of (value), digits,
                          units == TSR_UNITS_SI ? si_names[power] : binary_names[power]);
}

char *
tsr_number_dup_plain (double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (fabs (number) < 1e15 && number == floor (number))
    return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.0f", number));
  for (int digits = 1; digits <= 17; digits++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, number);
      if (g_ascii_strtod (buffer, NULL) == number)
        break;
    }
  return g_strdup (buffer);
}

gint64
tsr_add_saturating (gint64 a, gint64 b, gboolean *overflow)
{
  gint64 sum;

  if (!__builtin_add_overflow (a, b, &sum) && sum != TSR_UNKNOWN)
    return sum;
  if (overflow != NULL)
    *overflow = TRUE;
  return b > 0 ? G_MAXINT64 : G_MININT64 + 1;
}

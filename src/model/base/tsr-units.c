/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "tsr-units.h"

#include <glib/gi18n-lib.h>
#include <math.h>
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
  for (int i = TSR_UNITS_BINARY; i <= TSR_UNITS_BYTES; i++)
    if (g_strcmp0 (nick, tsr_units_get_nick (i)) == 0)
      {
        *units = i;
        return TRUE;
      }
  return FALSE;
}

/* Three significant digits: "9.81", "44.2", "313", "1,794". */
static char *
dup_significant (double value)
{
  double magnitude = fabs (value);
  int decimals = magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0;

  return g_strdup_printf ("%'.*f", decimals, value);
}

static guint
scale_of (TsrUnits units, guint64 bytes, double *scaled)
{
  double base = units == TSR_UNITS_SI ? 1000 : 1024;
  guint power = 0;

  *scaled = bytes;
  /* A value stays below 1,000 of the smaller unit or goes up at 1 of the larger: the
   * original shows 1,794 MiB as such, so only a full next unit above 9,999 goes up. */
  while (*scaled >= base && power + 1 < G_N_ELEMENTS (binary_names))
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
  const char *sign = bytes < 0 ? "−" : "";
  double scaled;
  guint power;

  if (bytes == TSR_UNKNOWN)
    return g_strdup ("–");
  if (units == TSR_UNITS_BYTES)
    return g_strdup_printf ("%s%'" G_GUINT64_FORMAT " B", sign, magnitude_of (bytes));
  power = scale_of (units, magnitude_of (bytes), &scaled);
  digits = power == 0 ? g_strdup_printf ("%'.0f", scaled) : dup_significant (scaled);
  return g_strdup_printf ("%s%s %s", sign, digits,
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
  if (count == TSR_UNKNOWN)
    return g_strdup ("–");
  return g_strdup_printf ("%s%'" G_GUINT64_FORMAT, count < 0 ? "−" : "", magnitude_of (count));
}

char *
tsr_units_dup_percent (double fraction, int decimals)
{
  if (!isfinite (fraction))
    return g_strdup ("–");
  return g_strdup_printf ("%'.*f %%", CLAMP (decimals, 0, 9), fraction * 100);
}

char *
tsr_units_dup_hertz (double hertz)
{
  static const char *const names[] = { "Hz", "kHz", "MHz", "GHz", "THz" };
  g_autofree char *digits = NULL;
  guint power = 0;

  if (!isfinite (hertz))
    return g_strdup ("–");
  while (fabs (hertz) >= 1000 && power + 1 < G_N_ELEMENTS (names))
    {
      hertz /= 1000;
      power++;
    }
  digits = dup_significant (hertz);
  return g_strdup_printf ("%s %s", digits, names[power]);
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
  int decimals = 0;
  gint64 largest;

  if (value == 0)
    return g_strdup ("0");
  if (units == TSR_UNITS_BYTES)
    return tsr_units_dup_bytes_exact (value);
  /* The unit is the step's own: all labels of the axis are then whole numbers of it.  Only when
   * that makes long labels does the unit go up, with the decimals that tell neighbours apart. */
  while (step / unit >= base && power + 1 < G_N_ELEMENTS (binary_names))
    {
      unit *= base;
      power++;
    }
  largest = value < 0 ? -value : value;
  if (largest / unit >= 10000 && power + 1 < G_N_ELEMENTS (binary_names))
    {
      unit *= base;
      power++;
      decimals = step % unit == 0 ? 0 : step * 10 % unit == 0 ? 1 : 2;
    }
  return g_strdup_printf ("%'.*f %s", decimals, (double)value / (double)unit,
                          units == TSR_UNITS_SI ? si_names[power] : binary_names[power]);
}

char *
tsr_number_dup_plain (double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

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

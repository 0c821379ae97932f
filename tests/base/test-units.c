/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers and units as people read them: fixed examples, and properties over many values that are
 * checked with arithmetic of their own. */

#include "config.h"

#include "tsr-units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KIB ((gint64)1024)
#define MIB (1024 * KIB)

static void
assert_bytes (TsrUnits units, gint64 bytes, const char *expected)
{
  g_autofree char *text = tsr_units_dup_bytes (units, bytes);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_binary (void)
{
  assert_bytes (TSR_UNITS_BINARY, 0, "0 B");
  assert_bytes (TSR_UNITS_BINARY, 1, "1 B");
  assert_bytes (TSR_UNITS_BINARY, 1023, "1,023 B");
  assert_bytes (TSR_UNITS_BINARY, 1024, "1.00 KiB");
  assert_bytes (TSR_UNITS_BINARY, 638976, "624 KiB");
  assert_bytes (TSR_UNITS_BINARY, 1024 * KIB - 1, "1.00 MiB");
  assert_bytes (TSR_UNITS_BINARY, 1023 * KIB, "1,023 KiB");
  assert_bytes (TSR_UNITS_BINARY, 46.1 * MIB, "46.1 MiB");
  assert_bytes (TSR_UNITS_BINARY, 940572672, "897 MiB");
  assert_bytes (TSR_UNITS_BINARY, 2 * (gint64)940572672, "1,794 MiB");
  assert_bytes (TSR_UNITS_BINARY, 10000 * MIB, "9.77 GiB");
  assert_bytes (TSR_UNITS_BINARY, -5 * KIB, "−5.00 KiB");
  assert_bytes (TSR_UNITS_BINARY, G_MAXINT64, "8,192 PiB");
  assert_bytes (TSR_UNITS_BINARY, G_MININT64 + 1, "−8,192 PiB");
  assert_bytes (TSR_UNITS_BINARY, TSR_UNKNOWN, "–");
}

static void
test_si_and_bytes (void)
{
  assert_bytes (TSR_UNITS_SI, 999, "999 B");
  assert_bytes (TSR_UNITS_SI, 1000, "1.00 kB");
  assert_bytes (TSR_UNITS_SI, 638976, "639 kB");
  assert_bytes (TSR_UNITS_SI, 999499, "999 kB");
  assert_bytes (TSR_UNITS_SI, 999500, "1.00 MB");
  assert_bytes (TSR_UNITS_SI, 9994, "9.99 kB");
  assert_bytes (TSR_UNITS_SI, 9995, "10.0 kB");
  assert_bytes (TSR_UNITS_SI, 99949, "99.9 kB");
  assert_bytes (TSR_UNITS_SI, 99950, "100 kB");
  assert_bytes (TSR_UNITS_BYTES, 638976, "638,976 B");
  assert_bytes (TSR_UNITS_BYTES, -1234567, "−1,234,567 B");
  assert_bytes (TSR_UNITS_BYTES, G_MININT64 + 1, "−9,223,372,036,854,775,807 B");
  assert_bytes (TSR_UNITS_BYTES, TSR_UNKNOWN, "–");
}

static void
test_other_numbers (void)
{
  const struct
  {
    char *text;
    const char *expected;
  } rows[] = {
    { tsr_units_dup_bytes_signed (TSR_UNITS_BINARY, 2048), "+2.00 KiB" },
    { tsr_units_dup_bytes_signed (TSR_UNITS_BINARY, -2048), "−2.00 KiB" },
    { tsr_units_dup_bytes_signed (TSR_UNITS_BINARY, 0), "0 B" },
    { tsr_units_dup_bytes_signed (TSR_UNITS_BINARY, TSR_UNKNOWN), "–" },
    { tsr_units_dup_bytes_exact (1), "1 B" },
    { tsr_units_dup_count (8135360), "8,135,360" },
    { tsr_units_dup_count (-1000), "−1,000" },
    { tsr_units_dup_count (TSR_UNKNOWN), "–" },
    { tsr_units_dup_cycles (1), "1 cycle" },
    { tsr_units_dup_cycles (0), "0 cycles" },
    { tsr_units_dup_cycles (8135360), "8,135,360 cycles" },
    { tsr_units_dup_cycles (TSR_UNKNOWN), "– cycles" },
    { tsr_units_dup_percent (0.49776, 2), "49.78 %" },
    { tsr_units_dup_percent (12.5, 0), "1,250 %" },
    { tsr_units_dup_percent (-0.5, 1), "−50.0 %" },
    { tsr_units_dup_percent (-0.00001, 1), "0.0 %" },
    { tsr_units_dup_percent (NAN, 1), "–" },
    { tsr_units_dup_percent (INFINITY, 1), "–" },
    { tsr_units_dup_percent (1, 99), "100.000000000 %" },
    { tsr_units_dup_hertz (1.33e9), "1.33 GHz" },
    { tsr_units_dup_hertz (999.7e6), "1.00 GHz" },
    { tsr_units_dup_hertz (50), "50.0 Hz" },
    { tsr_units_dup_hertz (NAN), "–" },
    { tsr_units_dup_seconds (0.0210), "21.0 ms" },
    { tsr_units_dup_seconds (1.9501), "1.95 s" },
    { tsr_units_dup_seconds (0.99999), "1.00 s" },
    { tsr_units_dup_seconds (-7.5e-9), "−7.50 ns" },
    { tsr_units_dup_seconds (3e-14), "0.03 ps" },
    { tsr_units_dup_seconds (0), "0 s" },
    { tsr_units_dup_seconds (NAN), "–" },
    { tsr_units_dup_duration (NAN), "" },
    { tsr_units_dup_duration (-1), "" },
    { tsr_units_dup_duration (1e9), "" },
    { tsr_units_dup_duration (35.2), "36 s" },
    { tsr_units_dup_duration (59.2), "1 min" },
    { tsr_units_dup_duration (61), "2 min" },
    { tsr_units_dup_duration (7500), "2 h 05 min" },
    { tsr_units_dup_seconds_tick (0.02, 0.005, 0.025), "20 ms" },
    { tsr_units_dup_seconds_tick (0.0205, 0.0005, 0.025), "20.5 ms" },
    { tsr_units_dup_seconds_tick (0, 0.0005, 0.025), "0.0 ms" },
    { tsr_units_dup_seconds_tick (1234.5, 0.5, 2000), "1,234.5 s" },
    { tsr_units_dup_seconds_tick (1, 0, 1), "–" },
    { tsr_units_dup_giga (8313456789), "8.31" },
    { tsr_units_dup_giga (41600000), "0.0416" },
    { tsr_units_dup_giga (999499999), "0.999" },
    { tsr_units_dup_giga (999500000), "1.00" },
    { tsr_units_dup_giga (99950000), "0.100" },
    { tsr_units_dup_giga (1), "0.00000000100" },
    { tsr_units_dup_giga (G_GINT64_CONSTANT (1280000000000)), "1,280" },
    { tsr_units_dup_giga (-2500000000), "−2.50" },
    { tsr_units_dup_giga (0), "0" },
    { tsr_units_dup_giga (TSR_UNKNOWN), "–" },
    { tsr_units_dup_short (999), "999" },
    { tsr_units_dup_short (27960351), "28.0 M" },
    { tsr_units_dup_short (-1500), "−1.50 k" },
    { tsr_units_dup_short (999999), "1.00 M" },
    { tsr_units_dup_short (TSR_UNKNOWN), "–" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_cmpstr (rows[i].text, ==, rows[i].expected);
      g_free (rows[i].text);
    }
}

static void
test_nick (void)
{
  TsrUnits units = TSR_UNITS_SI;

  for (int i = TSR_UNITS_BINARY; i <= TSR_UNITS_BYTES; i++)
    {
      g_assert_true (tsr_units_parse (tsr_units_get_nick (i), &units));
      g_assert_cmpint (units, ==, i);
    }
  units = TSR_UNITS_SI;
  g_assert_false (tsr_units_parse ("Binary", &units));
  g_assert_false (tsr_units_parse (NULL, &units));
  g_assert_cmpint (units, ==, TSR_UNITS_SI);
}

/* The number of whole or begun steps in a span. */
static gint64
count_steps (gint64 span, gint64 step)
{
  return span / step + (span % step != 0 ? 1 : 0);
}

static gboolean
is_power (gint64 value, gint64 base)
{
  while (value % base == 0)
    value /= base;
  return value == 1;
}

/* Round in its unit, few enough steps, and the next smaller round step would give too many. */
static void
assert_nice (TsrUnits units, gint64 span, int max_steps)
{
  gint64 step = tsr_units_nice_step (units, span, max_steps);
  gint64 digit = step;
  gint64 smaller = step / 2;

  g_assert_cmpint (step, >=, 1);
  g_assert_cmpint (count_steps (span, step), <=, max_steps);
  if (units == TSR_UNITS_BINARY)
    g_assert_true (is_power (step, 2));
  else
    {
      while (digit % 10 == 0)
        digit /= 10;
      g_assert_true (digit == 1 || digit == 2 || digit == 5);
      smaller = digit == 5 ? step / 5 * 2 : step / 2;
    }
  if (smaller >= 1)
    g_assert_cmpint (count_steps (span, smaller), >, max_steps);
}

static void
test_nice_steps (void)
{
  g_assert_cmpint (tsr_units_nice_step (TSR_UNITS_BINARY, 624 * KIB, 5), ==, 128 * KIB);
  g_assert_cmpint (tsr_units_nice_step (TSR_UNITS_SI, 638976, 5), ==, 200000);
  g_assert_cmpint (tsr_count_nice_step (1472, 8), ==, 200);
  g_assert_cmpint (tsr_count_nice_step (0, 8), ==, 1);
  g_assert_cmpint (tsr_count_nice_step (100, 0), ==, 100);
  g_assert_cmpint (tsr_count_nice_step (G_MAXINT64, 1), ==, G_MAXINT64);
  for (int shift = 0; shift < 60; shift++)
    for (int max_steps = 1; max_steps <= 12; max_steps++)
      {
        gint64 span = ((gint64)1 << shift) + g_test_rand_int_range (0, 1 << 20);

        assert_nice (TSR_UNITS_BINARY, span, max_steps);
        assert_nice (TSR_UNITS_SI, span, max_steps);
        assert_nice (TSR_UNITS_BYTES, span, max_steps);
      }
}

/* All labels of an axis carry the same unit, and no two are alike, near zero and far from it. */
static void
test_ticks (void)
{
  const gint64 origins[] = { 0, 893 * MIB, 1794 * MIB * 1024 };

  for (int units = TSR_UNITS_BINARY; units <= TSR_UNITS_BYTES; units++)
    for (guint o = 0; o < G_N_ELEMENTS (origins); o++)
      for (gint64 span = 5; span < origins[2]; span *= 7)
        {
          gint64 step = tsr_units_nice_step (units, span, 6);
          gint64 first = origins[o] / step * step;
          g_autoptr (GHashTable) seen
              = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
          g_autofree char *unit = NULL;

          for (int i = 0; i < 7; i++)
            {
              char *label = tsr_units_dup_tick (units, first + i * step, step);
              const char *space = strrchr (label, ' ');

              g_assert_null (strchr (label, '.'));
              if (space != NULL && unit == NULL)
                unit = g_strdup (space);
              g_assert_cmpstr (space != NULL ? space : unit, ==, unit);
              g_assert_true (g_hash_table_add (seen, label));
            }
        }
}

static void
test_tick_examples (void)
{
  const struct
  {
    TsrUnits units;
    gint64 value, step;
    const char *expected;
  } rows[] = {
    { TSR_UNITS_BINARY, 0, 128 * KIB, "0" },
    { TSR_UNITS_BINARY, 128 * KIB, 128 * KIB, "128 KiB" },
    { TSR_UNITS_BINARY, 1280 * KIB, 128 * KIB, "1,280 KiB" },
    { TSR_UNITS_BINARY, 3 * MIB, MIB, "3 MiB" },
    { TSR_UNITS_BINARY, -3 * MIB, MIB, "−3 MiB" },
    { TSR_UNITS_SI, 600000, 200000, "600 kB" },
    { TSR_UNITS_SI, 2000000, 1000000, "2 MB" },
    { TSR_UNITS_BYTES, 200000, 200000, "200,000 B" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *label = tsr_units_dup_tick (rows[i].units, rows[i].value, rows[i].step);

      g_assert_cmpstr (label, ==, rows[i].expected);
    }
}

static void
assert_plain (double number, const char *expected)
{
  g_autofree char *text = tsr_number_dup_plain (number);

  if (expected != NULL)
    g_assert_cmpstr (text, ==, expected);
  g_assert_true (strtod (text, NULL) == number);
}

static void
test_plain (void)
{
  assert_plain (0, "0");
  assert_plain (10, "10");
  assert_plain (100000, "100000");
  assert_plain (-3, "-3");
  assert_plain (0.1, "0.1");
  assert_plain (1.0 / 3, "0.3333333333333333");
  assert_plain (9007199254740993.0, NULL);
  assert_plain (1e300, "1e+300");
  assert_plain (5e-324, "5e-324");
  for (int i = 0; i < 20000; i++)
    {
      union
      {
        guint32 words[2];
        double number;
      } any = { { g_test_rand_int (), g_test_rand_int () } };

      if (isfinite (any.number))
        assert_plain (any.number, NULL);
      assert_plain (g_test_rand_double_range (-1e6, 1e6), NULL);
    }
}

static void
test_saturating (void)
{
  gboolean overflow = FALSE;

  g_assert_cmpint (tsr_add_saturating (2, 3, &overflow), ==, 5);
  g_assert_cmpint (tsr_add_saturating (G_MAXINT64, -1, &overflow), ==, G_MAXINT64 - 1);
  g_assert_false (overflow);
  g_assert_cmpint (tsr_add_saturating (G_MAXINT64, 1, &overflow), ==, G_MAXINT64);
  g_assert_true (overflow);
  overflow = FALSE;
  g_assert_cmpint (tsr_add_saturating (G_MININT64 + 1, -1, &overflow), ==, G_MININT64 + 1);
  g_assert_true (overflow);
  g_assert_cmpint (tsr_add_saturating (G_MININT64 + 10, G_MININT64 + 10, NULL), ==, G_MININT64 + 1);
}

/* The ends of a span differ wherever it is and however short. */
static void
test_seconds_pair (void)
{
  static const struct
  {
    double from, to;
    const char *from_text, *to_text;
  } cases[] = {
    { 0.404120123, 0.404120533, "404.12012 ms", "404.12053 ms" },
    { 0.404, 0.405, "404.0 ms", "405.0 ms" },
    { 0, 0.021, "0 s", "21.0 ms" },
    { 410e-9, 0.021, "410 ns", "21.0 ms" },
    { 0.0999999, 0.1000001, "99.99990 ms", "100.00010 ms" },
    { 1.5, 1.5, "1.50 s", "1.50 s" },
    { 2000.0, 2000.000001, "2,000.0000000 s", "2,000.0000010 s" },
    { -0.404120123, -0.404120533, "−404.12012 ms", "−404.12053 ms" },
    { NAN, 1, "–", "1.00 s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *from = NULL;
      g_autofree char *to = NULL;

      tsr_units_dup_seconds_pair (cases[i].from, cases[i].to, &from, &to);
      g_assert_cmpstr (from, ==, cases[i].from_text);
      g_assert_cmpstr (to, ==, cases[i].to_text);
    }
  /* One cycle of the fastest clock, at any time up to an hour. */
  for (double at = 1e-9; at < 3600; at *= 1.7)
    {
      g_autofree char *from = NULL;
      g_autofree char *to = NULL;

      tsr_units_dup_seconds_pair (at, at + 1 / 1.85e9, &from, &to);
      g_assert_cmpstr (from, !=, to);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/units/binary", test_binary);
  g_test_add_func ("/units/seconds-pair", test_seconds_pair);
  g_test_add_func ("/units/si-and-bytes", test_si_and_bytes);
  g_test_add_func ("/units/other-numbers", test_other_numbers);
  g_test_add_func ("/units/nick", test_nick);
  g_test_add_func ("/units/nice-steps", test_nice_steps);
  g_test_add_func ("/units/ticks", test_ticks);
  g_test_add_func ("/units/tick-examples", test_tick_examples);
  g_test_add_func ("/units/plain", test_plain);
  g_test_add_func ("/units/saturating", test_saturating);
  return g_test_run ();
}

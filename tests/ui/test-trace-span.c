/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Spans of a trace as they are typed. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-trace-span.h"

#include <locale.h>
#include <math.h>

#define CLOCK 1e9

static void
test_good (void)
{
  static const struct
  {
    const char *text;
    gint64 from, to;
  } cases[] = {
    { "1000-2500", 1000, 2500 },
    { "1,200,000 - 1,500,000", 1200000, 1500000 },
    { "1'200'000 \342\200\223 1'500'000", 1200000, 1500000 },
    { "1 200 000 .. 1 500 000", 1200000, 1500000 },
    { "10 ms - 12.5 ms", 10000000, 12500000 },
    { "10 - 12 ms", 10000000, 12000000 },
    { "1.5 us - 2 \302\265s", 1500, 2000 },
    { "0 - 1 s", 0, 1000000000 },
    { "1,000 + 500", 1000, 1500 },
    { "1000 + 2 us", 1000, 3000 },
    { "5 cycles - 9 cycles", 5, 9 },
    { "0-1", 0, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 from = -1, to = -1;

      g_test_message ("%s", cases[i].text);
      g_assert_true (tsr_trace_span_parse (cases[i].text, CLOCK, &from, &to, &error));
      g_assert_no_error (error);
      g_assert_cmpint (from, ==, cases[i].from);
      g_assert_cmpint (to, ==, cases[i].to);
    }
}

static void
test_bad (void)
{
  static const char *const cases[] = {
    "",
    "12",
    "a - b",
    "-",
    "5 - ",
    "- 5",
    "9 - 5",
    "5 - 5",
    "1 ms - 1 m",
    "1..",
    "0x5-9",
    "1.5.2 - 9",
    "1e3-5",
    "99999999999999999999 - 1",
    "1 - 99999999999999999999",
    "\377 - 5",
  };
  gint64 from = 7, to = 8;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *escaped = g_strescape (cases[i], NULL); /* results are UTF-8 */

      g_test_message ("%s", escaped);
      g_assert_false (tsr_trace_span_parse (cases[i], CLOCK, &from, &to, &error));
      g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
    }
  g_assert_cmpint (from, ==, 7);
  g_assert_cmpint (to, ==, 8);
}

/* Without a clock there is no time, cycles are as good as ever. */
static void
test_clock (void)
{
  g_autoptr (GError) error = NULL;
  gint64 from, to;

  g_assert_false (tsr_trace_span_parse ("1 ms - 2 ms", NAN, &from, &to, &error));
  g_assert_error (error, TSR_ERROR, TSR_ERROR_ARGUMENT);
  g_assert_true (tsr_trace_span_parse ("1 - 2", NAN, &from, &to, NULL));
}

/* Where a comma is the decimal point, a stop separates thousands. */
static void
test_locale (void)
{
  gint64 from, to;

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("this machine has no German locale");
      return;
    }
  g_assert_true (tsr_trace_span_parse ("1.200.000 - 1.500.000", CLOCK, &from, &to, NULL));
  g_assert_cmpint (from, ==, 1200000);
  g_assert_cmpint (to, ==, 1500000);
  g_assert_true (tsr_trace_span_parse ("10,5 - 12 ms", CLOCK, &from, &to, NULL));
  g_assert_cmpint (from, ==, 10500000);
  setlocale (LC_NUMERIC, "C");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-span/good", test_good);
  g_test_add_func ("/trace-span/bad", test_bad);
  g_test_add_func ("/trace-span/clock", test_clock);
  g_test_add_func ("/trace-span/locale", test_locale);
  return g_test_run ();
}

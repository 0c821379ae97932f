/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Axes over many widths, spans and units: labels do not overlap and are not clipped, steps are
 * round and ticks stand where their value is. */

#include "config.h"

#include "tsr-axis.h"
#include "tsr-painter.h"

#include <math.h>

#define SIZE 11.0

static gboolean
is_round (gint64 step, gboolean binary)
{
  if (binary)
    return (step & (step - 1)) == 0;
  while (step % 10 == 0)
    step /= 10;
  return step == 1 || step == 2 || step == 5;
}

static void
check_index (double from, double to, double origin, double length, double slack)
{
  g_autoptr (TsrAxis) axis = tsr_axis_new_index (from, to, origin, FALSE, length, slack, slack,
                                                 tsr_painter_get_measure (), SIZE);
  double end = -G_MAXDOUBLE;
  guint n_labels = 0;

  g_assert_true (is_round (axis->step, FALSE));
  for (guint i = 0; i < axis->ticks->len; i++)
    {
      const TsrTick *tick = &g_array_index (axis->ticks, TsrTick, i);

      g_assert_cmpint (tick->value % axis->step, ==, 0);
      g_assert_cmpfloat_with_epsilon (
          tick->at, (tick->value + 0.5 + origin - from) / (to - from) * length, 1e-6);
      g_assert_true (tick->at >= -1e-6 && tick->at <= length + 1e-6);
      if (i > 0)
        g_assert_cmpint (tick->value - tick[-1].value, ==, axis->step);
      if (tick->label == NULL)
        continue;
      n_labels++;
      g_assert_cmpfloat (tick->at - tick->label_width / 2, >=, -slack - 1e-6);
      g_assert_cmpfloat (tick->at + tick->label_width / 2, <=, length + slack + 1e-6);
      g_assert_cmpfloat (tick->at - tick->label_width / 2, >, end + 4);
      end = tick->at + tick->label_width / 2;
    }
  /* An axis with room for a label has one: it tells where one is. */
  if (length >= 200 && to - from >= 8)
    g_assert_cmpuint (n_labels, >=, 1);
}

static void
test_index (void)
{
  for (int width = 200; width <= 4000; width = width * 5 / 4 + 1)
    for (double span = 1; span < 2e7; span = ceil (span * 1.7))
      {
        check_index (0, span, 0, width, 8);
        check_index (span * 0.37, span * 1.37, 0, width, 0);
        check_index (1472 + span * 0.1, 1472 + span * 0.2, 1472, width, 3);
      }
  check_index (0, 5, 0, 3, 0);
}

static void
check_bytes (TsrUnits units, double to, double height)
{
  g_autoptr (TsrAxis) axis
      = tsr_axis_new_bytes (units, to, height, tsr_painter_get_measure (), SIZE);
  double before = G_MAXDOUBLE;

  g_assert_true (is_round (axis->step, units == TSR_UNITS_BINARY));
  g_assert_cmpuint (axis->ticks->len, >=, 1);
  g_assert_cmpuint (axis->ticks->len, <=, 14);
  for (guint i = 0; i < axis->ticks->len; i++)
    {
      const TsrTick *tick = &g_array_index (axis->ticks, TsrTick, i);

      g_assert_cmpint (tick->value, ==, i * axis->step);
      g_assert_cmpfloat_with_epsilon (tick->at, height * (1 - tick->value / to), 1e-6);
      g_assert_nonnull (tick->label);
      g_assert_cmpfloat (tick->label_width, <=, axis->label_width);
      if (i > 0)
        {
          g_assert_cmpfloat (before - tick->at, >, axis->label_height);
          /* Two ticks never read the same. */
          g_assert_cmpstr (tick->label, !=, tick[-1].label);
        }
      before = tick->at;
    }
}

static void
test_bytes (void)
{
  for (int units = TSR_UNITS_BINARY; units <= TSR_UNITS_BYTES; units++)
    for (double height = 40; height < 3000; height *= 1.6)
      for (double to = 1; to < 1e15; to = ceil (to * 2.3))
        check_bytes (units, to, height);
}

/* An axis that does not begin at 0 has the ticks of its own range, each where its value is. */
static void
test_between (void)
{
  for (int units = TSR_UNITS_BINARY; units <= TSR_UNITS_BYTES; units++)
    for (double from = 0; from < 1e15; from = from * 3.1 + 700)
      for (double span = 1; span < 1e15; span = ceil (span * 2.9))
        {
          double height = 320;
          g_autoptr (TsrAxis) axis = tsr_axis_new_bytes_between (units, from, from + span, height,
                                                                 tsr_painter_get_measure (), SIZE);
          gint64 expected = (gint64)ceil (from / axis->step) * axis->step;
          g_autoptr (TsrAxis) same = tsr_axis_new_bytes_between (
              units, 0, from + span - from, height, tsr_painter_get_measure (), SIZE);

          /* As fine as if it began at 0. */
          g_assert_cmpint (axis->step, ==, same->step);
          g_assert_true (is_round (axis->step, units == TSR_UNITS_BINARY));
          g_assert_cmpuint (axis->ticks->len, <=, 14);
          for (guint i = 0; i < axis->ticks->len; i++, expected += axis->step)
            {
              const TsrTick *tick = &g_array_index (axis->ticks, TsrTick, i);

              g_assert_cmpint (tick->value, ==, expected);
              g_assert_cmpfloat (tick->value, <=, from + span);
              g_assert_cmpfloat_with_epsilon (tick->at, height * (1 - (tick->value - from) / span),
                                              1e-3);
              if (i > 0)
                g_assert_cmpstr (tick->label, !=, tick[-1].label);
            }
          g_assert_cmpfloat (expected, >, from + span - 1);
        }
}

static void
test_clear_near (void)
{
  g_autoptr (TsrAxis) axis
      = tsr_axis_new_bytes (TSR_UNITS_BINARY, 1024 * 640, 500, tsr_painter_get_measure (), SIZE);
  double at = 500 * (1 - 624.0 / 640);
  guint n = 0;

  g_assert_cmpint (axis->step, ==, 128 * 1024);
  tsr_axis_clear_near (axis, at, axis->label_height);
  for (guint i = 0; i < axis->ticks->len; i++)
    n += g_array_index (axis->ticks, TsrTick, i).label != NULL;
  g_assert_cmpuint (n, ==, 5);
  g_assert_null (g_array_index (axis->ticks, TsrTick, 5).label);
}

/* Numbers of tiles are names; other numbers have separators. */
static void
test_names (void)
{
  for (guint names = 0; names < 2; names++)
    {
      g_autoptr (TsrAxis) axis
          = tsr_axis_new_index (0, 3000, 0, names, 900, 0, 0, tsr_painter_get_measure (), SIZE);
      guint n_long = 0;

      for (guint i = 0; i < axis->ticks->len; i++)
        {
          const TsrTick *tick = &g_array_index (axis->ticks, TsrTick, i);
          g_autofree char *plain = g_strdup_printf ("%d", (int)tick->value);
          g_autofree char *count = tsr_units_dup_count (tick->value);

          if (tick->label == NULL)
            continue;
          g_assert_cmpstr (tick->label, ==, names ? plain : count);
          n_long += tick->value >= 1000;
        }
      g_assert_cmpuint (n_long, >, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/axis/index", test_index);
  g_test_add_func ("/axis/bytes", test_bytes);
  g_test_add_func ("/axis/between", test_between);
  g_test_add_func ("/axis/clear-near", test_clear_near);
  g_test_add_func ("/axis/names", test_names);
  return g_test_run ();
}

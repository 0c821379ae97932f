/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chooses the least round step whose labels have room, then places ticks on its multiples. */

#include "config.h"

#include "tsr-axis.h"

#include <math.h>

/* Distances between labels, logical pixels. */
#define GAP_ACROSS 14.0
#define LINES_DOWN 1.6  /* of text, at least, from one label to the next */
#define DOWN       75.0 /* wanted; steps that go up by two make it 75 to 150 */
#define MIN_LINES  3
#define FEW_LINES  6    /* as many as this may stand closer, in a low plot */
#define FEW_DOWN   40.0 /* wanted then */
#define MAX_TICKS  1000
#define MAX_LINES  12 /* of a grid: more do not help to read a value */

static void
tick_clear (gpointer data)
{
  TsrTick *tick = data;

  g_free (tick->label);
}

static TsrAxis *
axis_new (gint64 step)
{
  TsrAxis *self = g_new0 (TsrAxis, 1);

  self->ticks = g_array_new (FALSE, TRUE, sizeof (TsrTick));
  g_array_set_clear_func (self->ticks, tick_clear);
  self->step = step;
  return self;
}

void
tsr_axis_free (TsrAxis *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->ticks);
  g_free (self);
}

static double
text_width (const TsrTextMeasure *measure, const char *text, double font_size, double *height)
{
  double width;

  measure->measure (measure->data, text, font_size, FALSE, &width, height);
  return width;
}

static void
add_tick (TsrAxis *self, gint64 value, double at, char *label, double width)
{
  TsrTick tick = { value, at, label, width };

  g_array_append_val (self->ticks, tick);
  if (label != NULL)
    self->label_width = MAX (self->label_width, width);
}

/* @units (nullable): plain numbers. */
static TsrAxis *
new_between (const TsrUnits *units,
             double from,
             double to,
             double length,
             const TsrTextMeasure *measure,
             double font_size)
{
  gint64 end;
  gint64 span;
  gint64 step;
  TsrAxis *self;
  double height;
  double steps;

  g_return_val_if_fail (measure != NULL && font_size > 0, NULL);
  text_width (measure, "0", font_size, &height);
  from = MAX (from, 0);
  end = to >= 1 ? (to < (double)G_MAXINT64 ? (gint64)to : G_MAXINT64) : 1;
  span = MAX (to - from, 1) < (double)G_MAXINT64 ? (gint64)MAX (to - from, 1) : G_MAXINT64;
  steps = MAX (MAX (length / DOWN, MIN (length / FEW_DOWN, FEW_LINES)), MIN_LINES);
  steps = MIN (steps, length / (height * LINES_DOWN));
  steps = CLAMP (steps, 1, MAX_LINES);
  step = units != NULL ? tsr_units_nice_step (*units, span, (int)steps)
                       : tsr_count_nice_step (span, (int)steps);
  self = axis_new (step);
  self->label_height = height;
  if (from / step >= (double)(G_MAXINT64 / step))
    return self;
  for (gint64 value = (gint64)ceil (from / step) * step; value <= end; value += step)
    {
      char *label
          = units != NULL ? tsr_units_dup_tick (*units, value, step) : tsr_units_dup_count (value);
      double width = text_width (measure, label, font_size, NULL);

      add_tick (self, value, length * (1 - (value - from) / MAX (to - from, 1)), label, width);
      if (value > G_MAXINT64 - step)
        break;
    }
  return self;
}

TsrAxis *
tsr_axis_new_bytes_between (TsrUnits units,
                            double from,
                            double to,
                            double length,
                            const TsrTextMeasure *measure,
                            double font_size)
{
  return new_between (&units, from, to, length, measure, font_size);
}

TsrAxis *
tsr_axis_new_counts_between (
    double from, double to, double length, const TsrTextMeasure *measure, double font_size)
{
  return new_between (NULL, from, to, length, measure, font_size);
}

TsrAxis *
tsr_axis_new_bytes (
    TsrUnits units, double to, double length, const TsrTextMeasure *measure, double font_size)
{
  return tsr_axis_new_bytes_between (units, 0, to, length, measure, font_size);
}

static char *
dup_number (gint64 number, gboolean name)
{
  return name ? g_strdup_printf ("%" G_GINT64_FORMAT, number) : tsr_units_dup_count (number);
}

TsrAxis *
tsr_axis_new_index (double from,
                    double to,
                    double origin,
                    gboolean names,
                    double length,
                    double slack_left,
                    double slack_right,
                    const TsrTextMeasure *measure,
                    double font_size)
{
  TsrAxis *self;
  g_autofree char *widest = NULL;
  double height;
  double room;
  gint64 step;
  gint64 first;

  g_return_val_if_fail (measure != NULL && font_size > 0, NULL);
  /* Tabular figures: the number with the most digits is the widest. */
  widest = dup_number ((gint64)MAX (fabs (to - origin), fabs (from - origin)), names);
  room = text_width (measure, widest, font_size, &height) + GAP_ACROSS;
  step = tsr_count_nice_step ((gint64)ceil (MAX (to - from, 1)),
                              (int)CLAMP (length / room, 1, MAX_TICKS));
  self = axis_new (step);
  self->label_height = height;
  if (!(to > from) || length <= 0)
    return self;

  first = (gint64)ceil ((from - origin - 0.5) / step) * step;
  for (gint64 value = first; value + 0.5 + origin <= to; value += step)
    {
      double at = (value + 0.5 + origin - from) / (to - from) * length;
      char *label = dup_number (value, names);
      double width = text_width (measure, label, font_size, NULL);

      if (at - width / 2 < -slack_left || at + width / 2 > length + slack_right)
        g_clear_pointer (&label, g_free);
      add_tick (self, value, at, label, width);
    }
  return self;
}

void
tsr_axis_clear_near (TsrAxis *self, double at, double distance)
{
  for (guint i = 0; i < self->ticks->len; i++)
    {
      TsrTick *tick = &g_array_index (self->ticks, TsrTick, i);

      if (fabs (tick->at - at) < distance)
        g_clear_pointer (&tick->label, g_free);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ticks of an axis: round numbers in the chosen unit, with labels that neither overlap nor get
 * clipped.  Places are logical pixels from the axis's beginning.  Any thread. */

#pragma once

#include "tsr-chart-model.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 value;
  double at;   /* y axis: from the top */
  char *label; /* (nullable): a tick without one */
  double label_width;
} TsrTick;

typedef struct
{
  GArray *ticks; /* TsrTick, ascending in value */
  gint64 step;
  double label_width; /* of the widest */
  double label_height;
} TsrAxis;

void tsr_axis_free (TsrAxis *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrAxis, tsr_axis_free)

/* A vertical axis of bytes from 0 at the bottom to @to at the top.  Labels stand beside their tick,
 * centred on it; half a label may stick out at either end. */
TsrAxis *tsr_axis_new_bytes (
    TsrUnits units, double to, double length, const TsrTextMeasure *measure, double font_size);

/* The same from @from at the bottom: only ticks of that range. */
TsrAxis *tsr_axis_new_bytes_between (TsrUnits units,
                                     double from,
                                     double to,
                                     double length,
                                     const TsrTextMeasure *measure,
                                     double font_size);

/* The same of plain numbers: cycles. */
TsrAxis *tsr_axis_new_counts_between (
    double from, double to, double length, const TsrTextMeasure *measure, double font_size);

/* A horizontal axis of numbered data: datum i covers [i, i + 1) and its tick is in the middle of
 * that. @origin: datum that is called 0.  @names: the numbers are names, as those of tiles, and
 * have no separators.  Labels stand under their tick and stick out of the axis by at most
 * @slack_left and
 * @slack_right. */
TsrAxis *tsr_axis_new_index (double from,
                             double to,
                             double origin,
                             gboolean names,
                             double length,
                             double slack_left,
                             double slack_right,
                             const TsrTextMeasure *measure,
                             double font_size);

/* Takes the labels away whose middle is nearer to @at than @distance. */
void tsr_axis_clear_near (TsrAxis *self, double at, double distance);

G_END_DECLS

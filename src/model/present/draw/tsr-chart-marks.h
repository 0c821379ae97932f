/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Marks that any chart lays over its data: selected data as flags, the pointer's hair line, the
 * keyboard cursor, dots on series.  Positions are those of the x axis. */

#pragma once

#include "tsr-chart-model.h"

G_BEGIN_DECLS

/* No more flags than this get a name. */
#define TSR_MARKS_MAX_LABELS 150

/* A filled box with a word on it: its size, and one with its top left at (x, y). */
void tsr_chart_marks_measure_chip (const TsrChartGeometry *geometry,
                                   const char *text,
                                   double *width,
                                   double *height);
void tsr_chart_marks_chip (const TsrChartGeometry *geometry,
                           guint ink,
                           double x,
                           double y,
                           const char *text,
                           guint32 datum,
                           TsrDrawList *list);
/* The datum of the topmost such box of @list at (@x, @y), or TSR_NO_DATUM. */
guint32 tsr_chart_marks_datum_at (const TsrDrawList *list, double x, double y);

/* Each run of selected data that are neighbours on the screen is outlined and named at the top of
 * the plot ("1806", "10–20", "7 selected"); names do not collide.  What is selected outside the
 * visible range is counted at the edges.  @positions: place of each of @n data, or NULL: the same
 * number. */
void tsr_chart_marks_selection (const TsrChartGeometry *geometry,
                                const TsrPlotArea *area,
                                const guint *data,
                                guint n_data,
                                guint n,
                                const guint *positions,
                                TsrDrawList *list);
/* A hair line, with the datum's number on the axis. */
void tsr_chart_marks_hover (const TsrChartGeometry *geometry,
                            const TsrPlotArea *area,
                            guint position,
                            guint32 datum,
                            TsrDrawList *list);
/* A frame around the datum's column, with its number on the axis. */
void tsr_chart_marks_cursor (const TsrChartGeometry *geometry,
                             const TsrPlotArea *area,
                             guint position,
                             guint32 datum,
                             TsrDrawList *list);
void tsr_chart_marks_dot (const TsrChartGeometry *geometry,
                          const TsrPlotArea *area,
                          guint position,
                          double value,
                          guint ink,
                          TsrDrawList *list);

G_END_DECLS

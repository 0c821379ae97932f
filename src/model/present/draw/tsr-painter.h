/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Draw lists on paper: PNG, SVG and PDF through cairo, in the window's export and on the command
 * line.  Any thread. */

#pragma once

#include "tsr-chart-model.h"

#include <cairo.h>

G_BEGIN_DECLS

/* A text measure over Pango and cairo for layouts that are not for the screen; one thread at a
 * time. */
const TsrTextMeasure *tsr_painter_get_measure (void);

/* Writes the chart of @model, range [from, to), @width x @height logical pixels, to @path; the
 * format follows the ending (.png, .svg, .pdf; else TSR_ERROR_UNSUPPORTED).  @scale: device pixels
 * for PNG.  The file is written whole or not at all. */
gboolean tsr_painter_export (TsrChartModel *model,
                             const char *path,
                             double from,
                             double to,
                             int width,
                             int height,
                             double scale,
                             gboolean dark,
                             GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the painter's files share. */

#pragma once

#include "tsr-painter.h"

G_BEGIN_DECLS

/* (transfer full): native-endian 0xAARRGGBB, premultiplied by nature. */
guint32 *tsr_painter_dup_pixels (const TsrDrawRaster *raster, gboolean dark);

/* (transfer full): @text cut with an ellipsis so that it is at most @room wide. */
char *tsr_painter_dup_fitting (const char *text, double font_size, gboolean bold, double room);

gboolean tsr_painter_draw_svg (const TsrDrawList *list,
                               int width,
                               int height,
                               gboolean dark,
                               const char *title,
                               GByteArray *out,
                               const char *path,
                               GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A picture of inks, one for each device pixel: either pixel by pixel, or as layers of columns.  A
 * layer has one ink and one range of rows in each column, so that making it costs O(columns);
 * pixels come into being when somebody paints them.  Filled by its maker, not changed any more once
 * it is shared; then any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Premultiplied is not needed: every pixel is an ink index with alpha 255, or TSR_RASTER_CLEAR. */
#define TSR_RASTER_CLEAR 0xff

typedef enum
{
  TSR_LAYER_PLAIN,
  TSR_LAYER_HATCH,       /* lines of ink, tint between them */
  TSR_LAYER_HATCH_LINES, /* lines of ink with a margin of tint; between them what is below shows */
} TsrLayerKind;

typedef struct
{
  guint8 kind;
  guint8 ink, tint;
  guint16 *from, *to; /* of each column: rows [from, to); from >= to: nothing */
} TsrRasterLayer;

typedef struct
{
  guint width, height; /* device pixels */
  guint8 *inks;        /* width * height, row by row; NULL: layers */
  GArray *layers;      /* TsrRasterLayer, the lowest first; NULL: inks */
  /* Hatched are the pixels with (hatch_origin + column + row) % hatch_period < hatch_line. */
  guint hatch_origin, hatch_period, hatch_line;
  gatomicrefcount count;
} TsrDrawRaster;

/* Takes all clear; @layered: without inks, for tsr_draw_raster_add_layer. Sides are cut to 2^15. */
TsrDrawRaster *tsr_draw_raster_new (double width, double height, gboolean layered);
TsrDrawRaster *tsr_draw_raster_ref (TsrDrawRaster *self);
void tsr_draw_raster_unref (TsrDrawRaster *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsrDrawRaster, tsr_draw_raster_unref)

/* A layer over those before it, empty; fill its ranges, none beyond the height.  Valid until the
 * next one is added. */
TsrRasterLayer *
tsr_draw_raster_add_layer (TsrDrawRaster *self, TsrLayerKind kind, guint8 ink, guint8 tint);

/* Writes every pixel: colors[ink], @stride pixels from row to row. */
void tsr_draw_raster_paint (const TsrDrawRaster *self,
                            const guint32 colors[256],
                            guint32 *pixels,
                            gsize stride);

G_END_DECLS

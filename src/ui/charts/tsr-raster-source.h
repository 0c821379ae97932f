/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A raster as a cairo pattern whose pixels come into being when it is first drawn, once.  Their
 * memory goes back to a pool when the pattern is gone, so that the next frame has pages that are
 * already there.  Main thread. */

#pragma once

#include "tsr-raster.h"

#include <cairo.h>

G_BEGIN_DECLS

typedef struct _TsrRasterPool TsrRasterPool;

TsrRasterPool *tsr_raster_pool_new (void);
void tsr_raster_pool_unref (TsrRasterPool *self);

/* (transfer full): @raster, which must not change any more, in premultiplied @colors.  The pattern
 * may outlive @pool. */
cairo_pattern_t *
tsr_raster_source_new (TsrRasterPool *pool, TsrDrawRaster *raster, const guint32 colors[256]);

G_END_DECLS

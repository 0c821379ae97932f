/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an ink looks like, light and dark.  Pure, any thread. */

#pragma once

#include "tsr-draw-list.h"

G_BEGIN_DECLS

typedef struct
{
  float red, green, blue, alpha; /* 0..1, sRGB, not premultiplied */
} TsrColor;

TsrColor tsr_palette_get (guint ink, gboolean dark);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The two palettes.  Text stands out from the background by 4.5:1 and strokes by 3:1 (WCAG 2.1);
 * neighbours in a stack of categories stay apart for protan, deutan and tritan eyes.  tests/present
 * computes both.  Where users know a colour (FEATURES 7.2), the hue is that one; it is only as much
 * darker on white as the contrast asks for. */

#include "config.h"

#include "tsr-palette.h"

static const guint32 base[TSR_INK_CATEGORY][2] = {
  /* clang-format off */
  /*                               light     dark */
  [TSR_INK_BACKGROUND]      = { 0xffffff, 0x1e1e1e },
  [TSR_INK_TEXT]            = { 0x1e1e1e, 0xf2f2f2 },
  [TSR_INK_DIM_TEXT]        = { 0x5e5c64, 0xb4b4b8 },
  [TSR_INK_GRID]            = { 0xdddddd, 0x3a3a3a },
  [TSR_INK_AXIS]            = { 0x77767b, 0x9a9996 },
  [TSR_INK_BOUNDARY]        = { 0x77767b, 0x9a9996 },
  [TSR_INK_CAPACITY]        = { 0x000000, 0xeeeeee },
  [TSR_INK_OVERFLOW]        = { 0xd4001a, 0xff5a5a },
  [TSR_INK_SELECTION]       = { 0x1c71d8, 0x62a0ea },
  [TSR_INK_HOVER]           = { 0x3d3846, 0xdeddda },
  [TSR_INK_TOTAL]           = { 0xf9606c, 0xff6f79 },
  [TSR_INK_GAPS]            = { 0xa2000b, 0xffb0b5 },
  [TSR_INK_REGION_0]        = { 0x3a7bd5, 0x5b9bf0 },
  [TSR_INK_REGION_1]        = { 0xb87700, 0xf0b440 },
  [TSR_INK_REGION_2]        = { 0xd4001a, 0xff5a5a },
  [TSR_INK_ALWAYS_LIVE]     = { 0x3f97a4, 0x78b8c2 },
  [TSR_INK_NOT_ALWAYS_LIVE] = { 0xf9606c, 0xff6f79 },
  [TSR_INK_PACKING]         = { 0x6d5f8d, 0xb9a8e0 },
  [TSR_INK_SHARED]          = { 0x9a9a9a, 0x7f7f7f },
  [TSR_INK_OVERVIEW]        = { 0x9a9996, 0x77767b },
  [TSR_INK_TOTAL_TINT]      = { 0xfeeff0, 0x352628 },
  [TSR_INK_TOTAL_SPREAD]    = { 0xfcb8be, 0x80454a },
  [TSR_INK_OVERFLOW_TINT]   = { 0xf9d6da, 0x5a2a2c },
  /* clang-format on */
};

static const guint32 categories[2][TSR_N_CATEGORY_INKS] = {
  { 0x2f6fb5, 0xb36b00, 0x00596e, 0xd0508a, 0x3d7a1f, 0x7d3fa8, 0x9a8412, 0x14448f,
    0xc9543f, 0x1f8a80, 0x8a1f5c, 0x6b8a2a, 0x4a3fb5, 0xb0703f, 0x0f6a3a, 0xb04fc0,
    0x7a5a10, 0x3f8fc0, 0x8f2a2a, 0x4f8f5f, 0x5a2a80, 0xb08a3f, 0x1f4f5f, 0xc06a7a },
  { 0x5b9bf0, 0xffb454, 0x3fa7b5, 0xff9ac4, 0x7fc45a, 0xb98af0, 0xe0cc5a, 0x6f8fe0,
    0xff947f, 0x5fd0c4, 0xd073a8, 0xb8dc6f, 0x8f86f0, 0xf0bc8f, 0x5fb07f, 0xe8a0f5,
    0xc4a04f, 0x8fd0f5, 0xd87f7f, 0xa0e0b0, 0xa883d0, 0xf5dc9f, 0x6fa0b0, 0xf5b8c4 },
};

TsrColor
tsr_palette_get (guint ink, gboolean dark)
{
  guint32 rgb;

  g_return_val_if_fail (ink < TSR_N_INKS, ((TsrColor){ 0, 0, 0, 1 }));
  rgb = ink < TSR_INK_CATEGORY ? base[ink][dark ? 1 : 0]
                               : categories[dark ? 1 : 0][ink - TSR_INK_CATEGORY];
  return (TsrColor){ (rgb >> 16 & 0xff) / 255.0f, (rgb >> 8 & 0xff) / 255.0f, (rgb & 0xff) / 255.0f,
                     1 };
}

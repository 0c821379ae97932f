/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The two palettes.  Text stands out from the background by 4.5:1 and strokes by 3:1 (WCAG 2.1);
 * neighbours in a stack of categories stay apart for protan, deutan and tritan eyes.  tests/present
 * computes both.  Where users know a colour (docs/formulas.md#colours), the hue is that one; it is
 * only as much darker on white as the contrast asks for.  Except Interleaved in dark: its cream, by
 * far the brightest area of a chart, drew all looks. */

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
  [TSR_INK_GAPS]            = { 0xa2000b, 0xffc9cc },
  [TSR_INK_REGION_0]        = { 0x3a7bd5, 0x5b9bf0 },
  [TSR_INK_REGION_1]        = { 0xa28a77, 0xc0aea5 },
  [TSR_INK_REGION_2]        = { 0xd4001a, 0xff5a5a },
  [TSR_INK_ALWAYS_LIVE]     = { 0x3f97a4, 0x78b8c2 },
  [TSR_INK_NOT_ALWAYS_LIVE] = { 0xf9606c, 0xff6f79 },
  [TSR_INK_PACKING]         = { 0x6d5f8d, 0xb9a8e0 },
  [TSR_INK_SHARED]          = { 0x9a9a9a, 0x7f7f7f },
  [TSR_INK_OVERVIEW]        = { 0x9a9996, 0x77767b },
  [TSR_INK_TOTAL_TINT]      = { 0xfeeff0, 0x352628 },
  [TSR_INK_TOTAL_SPREAD]    = { 0xfcb8be, 0x80454a },
  [TSR_INK_OVERFLOW_TINT]   = { 0xf9d6da, 0x5a2a2c },
  [TSR_INK_ALWAYS_LIVE_TINT]       = { 0xcfe5e8, 0x344547 },
  [TSR_INK_NOT_ALWAYS_LIVE_TINT]   = { 0xfee4e6, 0x402a2c },
  [TSR_INK_NOT_ALWAYS_LIVE_SPREAD] = { 0xfcb8be, 0x80454a },
  [TSR_INK_PEAK]            = { 0xa51d2d, 0xff9aa2 },
  [TSR_INK_MARK + 0]        = { 0x464ccc, 0x758af7 },
  [TSR_INK_MARK + 1]        = { 0x857009, 0xf4c82b },
  [TSR_INK_MARK + 2]        = { 0x2b622b, 0xa6d69b },
  [TSR_INK_MARK + 3]        = { 0x7f1958, 0xcfb6fc },
  [TSR_INK_MARK + 4]        = { 0xb0565f, 0xca831b },
  [TSR_INK_MARK + 5]        = { 0x177c9e, 0x4ce7d4 },
  [TSR_INK_STRUCTURE + 0]   = { 0xcab4da, 0x5c4386 },
  [TSR_INK_STRUCTURE + 1]   = { 0xf4e794, 0x5f4f27 },
  [TSR_INK_STRUCTURE + 2]   = { 0x9de4dd, 0x253f39 },
  [TSR_INK_STRUCTURE + 3]   = { 0xf0ac95, 0x5b586b },
  [TSR_INK_STRUCTURE + 4]   = { 0x9dc8fd, 0x3c3054 },
  [TSR_INK_STRUCTURE + 5]   = { 0xbfc66a, 0x3d3602 },
  [TSR_INK_STRUCTURE + 6]   = { 0xd2eddb, 0x4a5f57 },
  [TSR_INK_STRUCTURE + 7]   = { 0xcfdabc, 0x323b25 },
  /* clang-format on */
};

/* Found by annealing over OKLCh: at least CIEDE2000 21 between neighbours, 11 between those one
 * apart and 8 between those two apart (hidden series make them neighbours), as seen by the worst of
 * normal, protan, deutan and tritan eyes (Machado, Oliveira and Fernandes 2009, severity 1). */
static const guint32 categories[2][TSR_N_CATEGORY_INKS] = {
  { 0x738de2, 0x085762, 0xb6734d, 0x4876c3, 0x465400, 0x743355, 0xd67161, 0x4d97de,
    0x96353b, 0x194f81, 0x7c9128, 0xa366cd, 0x842b02, 0x3b7663, 0x563e7b, 0x8771de,
    0x6d6e1d, 0x5290a3, 0xa5931b, 0x2c5a21, 0xba6c78, 0x722c6e, 0x297d0f, 0xa685ad },
  { 0x418ad1, 0xca865f, 0x7be3f5, 0x816993, 0xfcc687, 0xa65f46, 0x6dd3c0, 0x7d82b0,
    0xd3a062, 0x8459c3, 0x5a8325, 0x7aabfc, 0xe6b816, 0x576ec0, 0x97ccae, 0xbe4a1b,
    0xc4e05c, 0x8677ce, 0xf9becf, 0x56805f, 0xb0b246, 0xec7fca, 0x68d7a1, 0x9e5598 },
};

/* Stops of the ramp, evenly spaced, after ColorBrewer's YlGnBu: lightness alone tells more from
 * less, for every eye; much is dark on white and bright on black. */
static const guint32 ramp[2][7] = {
  { 0xe2f3d2, 0x9cd7ba, 0x4fb3c6, 0x2187bd, 0x2163aa, 0x1b478c, 0x0f2a66 },
  { 0x24305e, 0x27487f, 0x266299, 0x2c83a8, 0x4fae9f, 0x9ad893, 0xfbf6b2 },
};

static guint32
get_ramp (guint step, gboolean dark)
{
  const guint32 *stops = ramp[dark ? 1 : 0];
  double at = (double)step * (G_N_ELEMENTS (ramp[0]) - 1) / (TSR_N_RAMP_INKS - 1);
  guint first = MIN ((guint)at, G_N_ELEMENTS (ramp[0]) - 2);
  guint32 rgb = 0;

  for (int shift = 16; shift >= 0; shift -= 8)
    {
      double a = stops[first] >> shift & 0xff;
      double b = stops[first + 1] >> shift & 0xff;

      rgb |= (guint32)(a + (b - a) * (at - first) + 0.5) << shift;
    }
  return rgb;
}

/* As users know them: docs/formulas.md#colours.  Other types are green: the tree's control flow. */
static const guint32 steps[TSR_N_TRACE_INKS][2] = {
  [TSR_TRACE_INK_COMPUTE] = { 0xff6f79, 0xff6470 },
  [TSR_TRACE_INK_EXCHANGE] = { 0xb5e4eb, 0xa6e0e7 },
  [TSR_TRACE_INK_INTER_IPU] = { 0xa1af9f, 0x95a595 },
  [TSR_TRACE_INK_HOST] = { 0xd9d9d9, 0x757575 },
  [TSR_TRACE_INK_TRANSFER] = { 0xf7b89c, 0xfcaf94 },
  [TSR_TRACE_INK_SYNC] = { 0xfbe8aa, 0xfde4a5 },
  [TSR_TRACE_INK_OTHER] = { 0x78c473, 0x78c473 },
  [TSR_TRACE_INK_GROUP] = { 0xffc0cb, 0xffb8c4 },
  [TSR_TRACE_INK_RUN] = { 0x000000, 0xeeeeee },
};
static const guint32 trace_text[TSR_N_INKS - TSR_INK_TRACE_TEXT][2] = {
  { 0x1e1e1e, 0x1e1e1e },
  { 0x1e1e1e, 0xffffff },
  { 0xf4f4f4, 0x2a2a2a },
  { 0xebebeb, 0x333333 },
};

#define SHADE 0.80 /* of the lightness */
#define DIM   0.25 /* of the colour, the rest is background */

static guint32
mix (guint32 a, guint32 b, double share)
{
  guint32 rgb = 0;

  for (int shift = 16; shift >= 0; shift -= 8)
    rgb |= (guint32)((a >> shift & 0xff) * share + (b >> shift & 0xff) * (1 - share) + 0.5)
           << shift;
  return rgb;
}

static guint32
get_trace (guint ink, gboolean dark)
{
  guint theme = dark ? 1 : 0;
  guint32 rgb;

  if (ink >= 3 * TSR_N_TRACE_INKS)
    return trace_text[ink - 3 * TSR_N_TRACE_INKS][theme];
  rgb = steps[ink % TSR_N_TRACE_INKS][theme];
  if (ink < TSR_N_TRACE_INKS)
    return rgb;
  return ink < 2 * TSR_N_TRACE_INKS ? mix (rgb, 0, SHADE)
                                    : mix (rgb, base[TSR_INK_BACKGROUND][theme], DIM);
}

TsrColor
tsr_palette_get (guint ink, gboolean dark)
{
  guint32 rgb;

  g_return_val_if_fail (ink < TSR_N_INKS, ((TsrColor){ 0, 0, 0, 1 }));
  if (ink >= TSR_INK_TRACE)
    rgb = get_trace (ink - TSR_INK_TRACE, dark);
  else if (ink >= TSR_INK_RAMP)
    rgb = get_ramp (ink - TSR_INK_RAMP, dark);
  else
    rgb = ink < TSR_INK_CATEGORY ? base[ink][dark ? 1 : 0]
                                 : categories[dark ? 1 : 0][ink - TSR_INK_CATEGORY];
  return (TsrColor){ (rgb >> 16 & 0xff) / 255.0f, (rgb >> 8 & 0xff) / 255.0f, (rgb & 0xff) / 255.0f,
                     1 };
}

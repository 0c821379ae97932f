/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text stands out from the background by 4.5:1 and strokes by 3:1 (WCAG 2.1); what may stand side
 * by side stays apart for protan, deutan and tritan eyes; the hue of an ink is the same in both
 * themes; red is left to what does not fit and what got worse.  tests/present computes all four.
 * Where users know a colour (docs/formulas.md#colours), the hue is that one, as far as it is not
 * red. */

#include "config.h"

#include "tsr-palette.h"

#include "tsr-category.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  const char *name; /* (nullable) */
  TsrColourSubject subject;
  guint32 light, dark;
} Entry;

/* The rows without a name were found by annealing over OKLCh, CIEDE2000 as seen by the worst of
 * normal, protan, deutan and tritan eyes (Machado, Oliveira and Fernandes 2009, severity 1): the
 * largest least distance of any two of a row, more for those that stand side by side. */
static const Entry table[TSR_INK_TOTAL_TINT] = {
  /* clang-format off */
  [TSR_INK_BACKGROUND] = { NULL, TSR_COLOUR_NONE, 0xffffff, 0x1e1e1e },
  [TSR_INK_TEXT] = { NULL, TSR_COLOUR_NONE, 0x1e1e1e, 0xf2f2f2 },
  [TSR_INK_DIM_TEXT] = { NULL, TSR_COLOUR_NONE, 0x5e5c64, 0xb4b4b8 },
  [TSR_INK_GRID] = { NULL, TSR_COLOUR_NONE, 0xdddddd, 0x3a3a3a },
  [TSR_INK_FREE] = { NULL, TSR_COLOUR_NONE, 0xd0d0d4, 0x68686c },
  [TSR_INK_AXIS] = { NULL, TSR_COLOUR_NONE, 0x77767b, 0x9a9996 },
  [TSR_INK_BOUNDARY] = { NULL, TSR_COLOUR_NONE, 0x77767b, 0x9a9996 },
  [TSR_INK_OVERVIEW] = { NULL, TSR_COLOUR_NONE, 0x9a9996, 0x77767b },
  [TSR_INK_CALLOUT] = { NULL, TSR_COLOUR_NONE, 0x141418, 0x141418 },
  [TSR_INK_CALLOUT_TEXT] = { NULL, TSR_COLOUR_NONE, 0xffffff, 0xffffff },
  [TSR_INK_SELECTION] = { N_ ("Selected"), TSR_COLOUR_MARK, 0x1c71d8, 0x62a0ea },
  [TSR_INK_HOVER] = { N_ ("Under the pointer or the cursor"), TSR_COLOUR_MARK, 0x3d3846, 0xdeddda },
  [TSR_INK_CAPACITY] = { N_ ("Max memory"), TSR_COLOUR_MEMORY, 0x000000, 0xeeeeee },
  [TSR_INK_OVERFLOW] = { N_ ("Does not fit, or got worse"), TSR_COLOUR_VERDICT, 0xd4001a, 0xff5a5a },
  [TSR_INK_WARNING] = { N_ ("Warning, or not known"), TSR_COLOUR_VERDICT, 0x9c6e03, 0xf8e45c },
  [TSR_INK_FITS] = { N_ ("Fits, or got better"), TSR_COLOUR_VERDICT, 0x1b8553, 0x78e9ab },
  [TSR_INK_TOTAL] = { N_ ("Tile memory"), TSR_COLOUR_MEMORY, 0x56789c, 0x8fb0d2 },
  [TSR_INK_GAPS] = { N_ ("Gaps"), TSR_COLOUR_MEMORY, 0x5b3a1e, 0xe9cfae },
  [TSR_INK_REGION_0] = { N_ ("Non-interleaved"), TSR_COLOUR_REGION, 0x6a62c4, 0x8d86e8 },
  [TSR_INK_REGION_1] = { N_ ("Interleaved"), TSR_COLOUR_REGION, 0xa28a77, 0xc0aea5 },
  [TSR_INK_REGION_2] = { N_ ("Overflowed"), TSR_COLOUR_REGION, 0xd4001a, 0xff5a5a },
  [TSR_INK_ALWAYS_LIVE] = { N_ ("Always live"), TSR_COLOUR_LIFE, 0x3f97a4, 0x78b8c2 },
  [TSR_INK_NOT_ALWAYS_LIVE] = { N_ ("Not always live"), TSR_COLOUR_LIFE, 0xcb6d0c, 0xf0a050 },
  [TSR_INK_RESIDENT] = { N_ ("Resident"), TSR_COLOUR_LIFE, 0x1d4f5c, 0xd2f0f4 },
  [TSR_INK_PACKING] = { N_ ("Packing loss"), TSR_COLOUR_MEMORY, 0x6c7266, 0xe6e6e6 },
  [TSR_INK_SHARED] = { N_ ("Shared by several variables"), TSR_COLOUR_MEMORY, 0x9a9a9a, 0x7f7f7f },
  [TSR_INK_REST] = { N_ ("Others together"), TSR_COLOUR_MARK, 0x5e5c64, 0xc0bfc4 },
  [TSR_INK_PEAK] = { N_ ("Peak"), TSR_COLOUR_LIFE, 0x8a4a00, 0xffc078 },
  [TSR_INK_MARK + 0] = { NULL, TSR_COLOUR_MARK, 0x4426d3, 0x7d82fd },
  [TSR_INK_MARK + 1] = { NULL, TSR_COLOUR_MARK, 0x5c1d3e, 0xf297c1 },
  [TSR_INK_MARK + 2] = { NULL, TSR_COLOUR_MARK, 0xa06b17, 0xc18424 },
  [TSR_INK_MARK + 3] = { NULL, TSR_COLOUR_MARK, 0x0080a2, 0x8cdffe },
  [TSR_INK_MARK + 4] = { NULL, TSR_COLOUR_MARK, 0x465400, 0xd3f742 },
  [TSR_INK_MARK + 5] = { NULL, TSR_COLOUR_MARK, 0x006e4e, 0x09ac7c },
  [TSR_INK_NAME + 0] = { NULL, TSR_COLOUR_NAME, 0x8345c4, 0x8753c3 },
  [TSR_INK_NAME + 1] = { NULL, TSR_COLOUR_NAME, 0x607300, 0xc7e657 },
  [TSR_INK_NAME + 2] = { NULL, TSR_COLOUR_NAME, 0x9489e7, 0xd2cfff },
  [TSR_INK_NAME + 3] = { NULL, TSR_COLOUR_NAME, 0x6b3b54, 0xbc8ca3 },
  [TSR_INK_NAME + 4] = { NULL, TSR_COLOUR_NAME, 0x374a7d, 0x6288f7 },
  [TSR_INK_NAME + 5] = { NULL, TSR_COLOUR_NAME, 0x7f3200, 0xefb195 },
  [TSR_INK_NAME + 6] = { NULL, TSR_COLOUR_NAME, 0x3e85a2, 0x33b0dd },
  [TSR_INK_NAME + 7] = { NULL, TSR_COLOUR_NAME, 0x13a979, 0x9eebc8 },
  [TSR_INK_NAME + 8] = { NULL, TSR_COLOUR_NAME, 0x006a46, 0x078f5f },
  [TSR_INK_NAME + 9] = { NULL, TSR_COLOUR_NAME, 0xc14d90, 0xb33e84 },
  [TSR_INK_NAME + 10] = { NULL, TSR_COLOUR_NAME, 0xe07903, 0xe67c00 },
  [TSR_INK_NAME + 11] = { NULL, TSR_COLOUR_NAME, 0x9a814e, 0x8b6d26 },
  [TSR_INK_STRUCTURE + 0] = { NULL, TSR_COLOUR_NAME, 0xe8dbff, 0x605572 },
  [TSR_INK_STRUCTURE + 1] = { NULL, TSR_COLOUR_NAME, 0xdbf48f, 0x5d6a34 },
  [TSR_INK_STRUCTURE + 2] = { NULL, TSR_COLOUR_NAME, 0xb5b3d9, 0x33206f },
  [TSR_INK_STRUCTURE + 3] = { NULL, TSR_COLOUR_NAME, 0xdda4bf, 0x511d3a },
  [TSR_INK_STRUCTURE + 4] = { NULL, TSR_COLOUR_NAME, 0x98b5fe, 0x324c99 },
  [TSR_INK_STRUCTURE + 5] = { NULL, TSR_COLOUR_NAME, 0xffc8af, 0x964009 },
  [TSR_INK_STRUCTURE + 6] = { NULL, TSR_COLOUR_NAME, 0x76d5fd, 0x026d8e },
  [TSR_INK_STRUCTURE + 7] = { NULL, TSR_COLOUR_NAME, 0x9bc3af, 0x4b6b5c },
  [TSR_INK_STRUCTURE + 8] = { NULL, TSR_COLOUR_NAME, 0xaefcd3, 0x163b2a },
  [TSR_INK_STRUCTURE + 9] = { NULL, TSR_COLOUR_NAME, 0xffd7ea, 0x7f345f },
  [TSR_INK_STRUCTURE + 10] = { NULL, TSR_COLOUR_NAME, 0xf6a15f, 0x674d3a },
  [TSR_INK_STRUCTURE + 11] = { NULL, TSR_COLOUR_NAME, 0xc9b58b, 0x413005 },
  [TSR_INK_IPU + 0] = { NULL, TSR_COLOUR_IPU, 0x3466dc, 0x5a8bf7 },
  [TSR_INK_IPU + 1] = { NULL, TSR_COLOUR_IPU, 0x19a97a, 0x6bf5be },
  [TSR_INK_IPU + 2] = { NULL, TSR_COLOUR_IPU, 0xa8642e, 0xe18d4c },
  [TSR_INK_IPU + 3] = { NULL, TSR_COLOUR_IPU, 0x870665, 0xffb5e0 },
  [TSR_INK_IPU + 4] = { NULL, TSR_COLOUR_IPU, 0xc77ab5, 0xa84694 },
  [TSR_INK_IPU + 5] = { NULL, TSR_COLOUR_IPU, 0x554f00, 0xe7dc40 },
  [TSR_INK_IPU + 6] = { NULL, TSR_COLOUR_IPU, 0x27654f, 0x1b8563 },
  [TSR_INK_IPU + 7] = { NULL, TSR_COLOUR_IPU, 0xa39701, 0x7e7405 },
  [TSR_INK_CATEGORY + 0] = { NULL, TSR_COLOUR_CATEGORY, 0x948dd2, 0x705cae },
  [TSR_INK_CATEGORY + 1] = { NULL, TSR_COLOUR_CATEGORY, 0x6a8658, 0x87ab71 },
  [TSR_INK_CATEGORY + 2] = { NULL, TSR_COLOUR_CATEGORY, 0xa09800, 0xa0860f },
  [TSR_INK_CATEGORY + 3] = { NULL, TSR_COLOUR_CATEGORY, 0x757100, 0xc7b323 },
  [TSR_INK_CATEGORY + 4] = { NULL, TSR_COLOUR_CATEGORY, 0x829e5b, 0xb7c3a1 },
  [TSR_INK_CATEGORY + 5] = { NULL, TSR_COLOUR_CATEGORY, 0x71257f, 0x9c7eba },
  [TSR_INK_CATEGORY + 6] = { NULL, TSR_COLOUR_CATEGORY, 0x6fa07c, 0x8fd279 },
  [TSR_INK_CATEGORY + 7] = { NULL, TSR_COLOUR_CATEGORY, 0x9b3a6b, 0xf69dba },
  [TSR_INK_CATEGORY + 8] = { NULL, TSR_COLOUR_CATEGORY, 0xc9609b, 0x845d79 },
  [TSR_INK_CATEGORY + 9] = { NULL, TSR_COLOUR_CATEGORY, 0x1c5a41, 0x5f8064 },
  [TSR_INK_CATEGORY + 10] = { NULL, TSR_COLOUR_CATEGORY, 0x6c4fd0, 0xb0a2ff },
  [TSR_INK_CATEGORY + 11] = { NULL, TSR_COLOUR_CATEGORY, 0x1b6977, 0x628c99 },
  [TSR_INK_CATEGORY + 12] = { NULL, TSR_COLOUR_CATEGORY, 0x4332b1, 0xacbde9 },
  [TSR_INK_CATEGORY + 13] = { NULL, TSR_COLOUR_CATEGORY, 0x007f7d, 0x08b4a0 },
  [TSR_INK_CATEGORY + 14] = { NULL, TSR_COLOUR_CATEGORY, 0x9c68be, 0x8b6ace },
  [TSR_INK_CATEGORY + 15] = { NULL, TSR_COLOUR_CATEGORY, 0x00937b, 0x427263 },
  [TSR_INK_CATEGORY + 16] = { NULL, TSR_COLOUR_CATEGORY, 0x74609b, 0xaa99c0 },
  [TSR_INK_CATEGORY + 17] = { NULL, TSR_COLOUR_CATEGORY, 0x5274f0, 0x6d7199 },
  [TSR_INK_CATEGORY + 18] = { NULL, TSR_COLOUR_CATEGORY, 0x890c57, 0xc18f99 },
  [TSR_INK_CATEGORY + 19] = { NULL, TSR_COLOUR_CATEGORY, 0x4c5201, 0x6c6c2b },
  [TSR_INK_CATEGORY + 20] = { NULL, TSR_COLOUR_CATEGORY, 0x31a3b0, 0x6fd1cd },
  [TSR_INK_CATEGORY + 21] = { NULL, TSR_COLOUR_CATEGORY, 0x9f7e30, 0x89804a },
  [TSR_INK_CATEGORY + 22] = { NULL, TSR_COLOUR_CATEGORY, 0x8289ff, 0x9b84eb },
  [TSR_INK_CATEGORY + 23] = { NULL, TSR_COLOUR_CATEGORY, 0x4d6f46, 0x839576 },
  /* clang-format on */
};

static const struct
{
  guint8 of;
  float share[2]; /* of it, light and dark; the rest is background */
} tints[TSR_INK_RAMP - TSR_INK_TOTAL_TINT] = {
  [TSR_INK_TOTAL_TINT - TSR_INK_TOTAL_TINT] = { TSR_INK_TOTAL, { 0.13f, 0.20f } },
  [TSR_INK_TOTAL_SPREAD - TSR_INK_TOTAL_TINT] = { TSR_INK_TOTAL, { 0.45f, 0.45f } },
  [TSR_INK_OVERFLOW_TINT - TSR_INK_TOTAL_TINT] = { TSR_INK_OVERFLOW, { 0.16f, 0.27f } },
  [TSR_INK_ALWAYS_LIVE_TINT - TSR_INK_TOTAL_TINT] = { TSR_INK_ALWAYS_LIVE, { 0.25f, 0.25f } },
  [TSR_INK_NOT_ALWAYS_LIVE_TINT - TSR_INK_TOTAL_TINT]
  = { TSR_INK_NOT_ALWAYS_LIVE, { 0.18f, 0.18f } },
  [TSR_INK_NOT_ALWAYS_LIVE_SPREAD - TSR_INK_TOTAL_TINT]
  = { TSR_INK_NOT_ALWAYS_LIVE, { 0.45f, 0.45f } },
};

/* Stops of the ramp, evenly spaced, after ColorBrewer's YlGnBu: lightness alone tells more from
 * less, for every eye; much is dark on white and bright on black. */
static const guint32 ramp[2][7] = {
  { 0xe2f3d2, 0x9cd7ba, 0x4fb3c6, 0x2187bd, 0x2163aa, 0x1b478c, 0x0f2a66 },
  { 0x24305e, 0x27487f, 0x266299, 0x2c83a8, 0x4fae9f, 0x9ad893, 0xfbf6b2 },
};

/* As users know them: docs/formulas.md#colours.  Other types are green: the tree's control flow. */
static const Entry steps[TSR_N_TRACE_INKS] = {
  [TSR_TRACE_INK_COMPUTE] = { N_ ("Compute"), TSR_COLOUR_STEP, 0xe76ea8, 0xe76ea8 },
  [TSR_TRACE_INK_EXCHANGE] = { N_ ("Exchange"), TSR_COLOUR_STEP, 0xb5e4eb, 0xa6e0e7 },
  [TSR_TRACE_INK_INTER_IPU] = { N_ ("Inter-IPU"), TSR_COLOUR_STEP, 0xa1af9f, 0x95a595 },
  [TSR_TRACE_INK_HOST] = { N_ ("Host"), TSR_COLOUR_STEP, 0xd9d9d9, 0x757575 },
  [TSR_TRACE_INK_TRANSFER] = { N_ ("Transfer"), TSR_COLOUR_STEP, 0xf7b89c, 0xfcaf94 },
  [TSR_TRACE_INK_SYNC] = { N_ ("Sync"), TSR_COLOUR_STEP, 0xfbe8aa, 0xfde4a5 },
  [TSR_TRACE_INK_OTHER] = { N_ ("Control flow"), TSR_COLOUR_STEP, 0x78c473, 0x78c473 },
  [TSR_TRACE_INK_GROUP]
  = { N_ ("Part of a name, with compute in it"), TSR_COLOUR_STEP, 0xf5b3d4, 0xf2aace },
  [TSR_TRACE_INK_RUN] = { N_ ("Run of the engine"), TSR_COLOUR_STEP, 0x000000, 0xeeeeee },
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
get_ramp (guint step, gboolean dark)
{
  const guint32 *stops = ramp[dark ? 1 : 0];
  double at = (double)step * (G_N_ELEMENTS (ramp[0]) - 1) / (TSR_N_RAMP_INKS - 1);
  guint first = MIN ((guint)at, G_N_ELEMENTS (ramp[0]) - 2);

  return mix (stops[first + 1], stops[first], at - first);
}

static guint32
get_row (const Entry *entry, gboolean dark)
{
  return dark ? entry->dark : entry->light;
}

static guint32
get_trace (guint ink, gboolean dark)
{
  guint32 rgb;

  if (ink >= 3 * TSR_N_TRACE_INKS)
    return trace_text[ink - 3 * TSR_N_TRACE_INKS][dark ? 1 : 0];
  rgb = get_row (&steps[ink % TSR_N_TRACE_INKS], dark);
  if (ink < TSR_N_TRACE_INKS)
    return rgb;
  return ink < 2 * TSR_N_TRACE_INKS ? mix (rgb, 0, SHADE)
                                    : mix (rgb, get_row (&table[TSR_INK_BACKGROUND], dark), DIM);
}

static guint32
get_rgb (guint ink, gboolean dark)
{
  if (ink >= TSR_INK_TRACE)
    return get_trace (ink - TSR_INK_TRACE, dark);
  if (ink >= TSR_INK_RAMP)
    return get_ramp (ink - TSR_INK_RAMP, dark);
  if (ink < TSR_INK_TOTAL_TINT)
    return get_row (&table[ink], dark);
  return mix (get_row (&table[tints[ink - TSR_INK_TOTAL_TINT].of], dark),
              get_row (&table[TSR_INK_BACKGROUND], dark),
              tints[ink - TSR_INK_TOTAL_TINT].share[dark ? 1 : 0]);
}

TsrColor
tsr_palette_get (guint ink, gboolean dark)
{
  guint32 rgb;

  g_return_val_if_fail (ink < TSR_N_INKS, ((TsrColor){ 0, 0, 0, 1 }));
  rgb = get_rgb (ink, dark);
  return (TsrColor){ (rgb >> 16 & 0xff) / 255.0f, (rgb >> 8 & 0xff) / 255.0f, (rgb & 0xff) / 255.0f,
                     1 };
}

/* -------------------------------------------------------------------- words */

static const char *const nicks[TSR_INK_RAMP] = {
  [TSR_INK_BACKGROUND] = "background",
  [TSR_INK_TEXT] = "text",
  [TSR_INK_DIM_TEXT] = "dim-text",
  [TSR_INK_GRID] = "grid",
  [TSR_INK_FREE] = "free",
  [TSR_INK_AXIS] = "axis",
  [TSR_INK_BOUNDARY] = "boundary",
  [TSR_INK_OVERVIEW] = "overview",
  [TSR_INK_CALLOUT] = "callout",
  [TSR_INK_CALLOUT_TEXT] = "callout-text",
  [TSR_INK_SELECTION] = "selection",
  [TSR_INK_HOVER] = "hover",
  [TSR_INK_CAPACITY] = "capacity",
  [TSR_INK_OVERFLOW] = "overflow",
  [TSR_INK_WARNING] = "warning",
  [TSR_INK_FITS] = "fits",
  [TSR_INK_TOTAL] = "total",
  [TSR_INK_GAPS] = "gaps",
  [TSR_INK_REGION_0] = "region-0",
  [TSR_INK_REGION_1] = "region-1",
  [TSR_INK_REGION_2] = "region-2",
  [TSR_INK_ALWAYS_LIVE] = "always",
  [TSR_INK_NOT_ALWAYS_LIVE] = "not-always",
  [TSR_INK_RESIDENT] = "resident",
  [TSR_INK_PACKING] = "packing",
  [TSR_INK_SHARED] = "shared",
  [TSR_INK_REST] = "rest",
  [TSR_INK_PEAK] = "peak",
  [TSR_INK_TOTAL_TINT] = "total-tint",
  [TSR_INK_TOTAL_SPREAD] = "total-spread",
  [TSR_INK_OVERFLOW_TINT] = "overflow-tint",
  [TSR_INK_ALWAYS_LIVE_TINT] = "always-tint",
  [TSR_INK_NOT_ALWAYS_LIVE_TINT] = "not-always-tint",
  [TSR_INK_NOT_ALWAYS_LIVE_SPREAD] = "not-always-spread",
};

/* Inks with a number, the last row first. */
static const struct
{
  guint first;
  const char *nick;
} numbered[] = {
  { TSR_INK_TRACE, "trace" }, { TSR_INK_RAMP, "ramp" },           { TSR_INK_CATEGORY, "category" },
  { TSR_INK_IPU, "ipu" },     { TSR_INK_STRUCTURE, "structure" }, { TSR_INK_NAME, "name" },
  { TSR_INK_MARK, "mark" },
};

const char *
tsr_palette_get_nick (guint ink, char *buffer, gsize size)
{
  g_return_val_if_fail (ink < TSR_N_INKS, "");
  if (ink < TSR_INK_RAMP && nicks[ink] != NULL)
    return nicks[ink];
  for (guint i = 0; i < G_N_ELEMENTS (numbered); i++)
    if (ink >= numbered[i].first)
      {
        g_snprintf (buffer, size, "%s-%u", numbered[i].nick, ink - numbered[i].first);
        break;
      }
  return buffer;
}

/* (nullable): a mixture, a step of the ramp or a text has none. */
static const Entry *
get_entry (guint ink)
{
  if (ink < TSR_INK_TOTAL_TINT)
    return &table[ink];
  return ink >= TSR_INK_TRACE && ink < TSR_INK_TRACE + TSR_N_TRACE_INKS
             ? &steps[ink - TSR_INK_TRACE]
             : NULL;
}

const char *
tsr_palette_get_name (guint ink)
{
  const Entry *entry = get_entry (ink);

  if (ink >= TSR_INK_CATEGORY && ink < TSR_INK_CATEGORY + TSR_N_CATEGORY_INKS)
    return tsr_category_get_label (tsr_category_get_known (ink - TSR_INK_CATEGORY));
  return entry != NULL && entry->name != NULL ? _ (entry->name) : NULL;
}

TsrColourSubject
tsr_palette_get_subject (guint ink)
{
  const Entry *entry = get_entry (ink);

  if (ink >= TSR_INK_RAMP && ink < TSR_INK_TRACE)
    return TSR_COLOUR_AMOUNT;
  return entry != NULL ? entry->subject : TSR_COLOUR_NONE;
}

static const struct
{
  const char *name, *note;
} subjects[TSR_N_COLOUR_SUBJECTS] = {
  [TSR_COLOUR_NONE] = { "", NULL },
  [TSR_COLOUR_VERDICT] = { N_ ("Verdicts"), N_ ("Nothing else is red") },
  [TSR_COLOUR_MARK] = { N_ ("Marks"), NULL },
  [TSR_COLOUR_MEMORY] = { N_ ("Memory of a tile"), NULL },
  [TSR_COLOUR_LIFE] = { N_ ("Lives of variables"), NULL },
  [TSR_COLOUR_REGION] = { N_ ("Memory regions"), NULL },
  [TSR_COLOUR_AMOUNT] = { N_ ("Amounts"), N_ ("From little to much; grey is nothing") },
  [TSR_COLOUR_STEP]
  = { N_ ("Step types"),
      N_ ("The darker part of a step is what its tiles wait.  Steps that share a pixel stand on "
          "each other, each type as high as its share of the time") },
  [TSR_COLOUR_IPU] = { N_ ("IPUs"), NULL },
  [TSR_COLOUR_NAME]
  = { N_ ("Names"),
      N_ ("A part of a name, such as a layer, has the same colour in every chart and report") },
  [TSR_COLOUR_CATEGORY] = { N_ ("Categories"), N_ ("The same in every report") },
};

const char *
tsr_palette_get_subject_name (TsrColourSubject subject)
{
  g_return_val_if_fail (subject > TSR_COLOUR_NONE && subject < TSR_N_COLOUR_SUBJECTS, "");
  return _ (subjects[subject].name);
}

const char *
tsr_palette_get_subject_note (TsrColourSubject subject)
{
  g_return_val_if_fail (subject < TSR_N_COLOUR_SUBJECTS, NULL);
  return subjects[subject].note != NULL ? _ (subjects[subject].note) : NULL;
}

/* -------------------------------------------------------------------- names */

/* FNV-1a: the same on every machine and in every version. */
static guint32
hash_name (const char *name)
{
  guint32 hash = 2166136261u;

  for (; *name != '\0'; name++)
    hash = (hash ^ (guint8)*name) * 16777619u;
  return hash;
}

guint
tsr_palette_get_category_ink (const char *name)
{
  const char *known;

  if (name == NULL || tsr_category_is_unknown (name))
    return TSR_INK_REST;
  for (guint i = 0; (known = tsr_category_get_known (i)) != NULL; i++)
    if (g_str_equal (known, name))
      return TSR_INK_CATEGORY + i % TSR_N_CATEGORY_INKS;
  return TSR_INK_CATEGORY + hash_name (name) % TSR_N_CATEGORY_INKS;
}

static int
compare_names (gconstpointer a, gconstpointer b, gpointer names)
{
  return strcmp (((const char *const *)names)[*(const guint *)a],
                 ((const char *const *)names)[*(const guint *)b]);
}

void
tsr_palette_place_names (const char *const *names, guint n, guint8 *slots)
{
  g_autofree guint *order = g_new (guint, MAX (n, 1));
  gboolean taken[TSR_N_NAME_INKS] = { FALSE };
  guint n_taken = 0;

  g_return_if_fail (n == 0 || (names != NULL && slots != NULL));
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, n, sizeof *order, compare_names, (gpointer)names);
  for (guint i = 0; i < n; i++)
    {
      guint slot = hash_name (names[order[i]]) % TSR_N_NAME_INKS;

      if (i > 0 && strcmp (names[order[i]], names[order[i - 1]]) == 0)
        {
          slots[order[i]] = slots[order[i - 1]];
          continue;
        }
      while (taken[slot] && n_taken < TSR_N_NAME_INKS)
        slot = (slot + 1) % TSR_N_NAME_INKS;
      n_taken += !taken[slot];
      taken[slot] = TRUE;
      slots[order[i]] = slot;
    }
}

/* -------------------------------------------------------------- style sheet */

char *
tsr_palette_dup_css (gboolean dark)
{
  /* What libadwaita calls the verdicts, and what is of ours. */
  static const struct
  {
    const char *name;
    guint ink;
  } colours[] = {
    { "error_color", TSR_INK_OVERFLOW },
    { "warning_color", TSR_INK_WARNING },
    { "success_color", TSR_INK_FITS },
    { "tsr_callout", TSR_INK_CALLOUT },
    { "tsr_callout_text", TSR_INK_CALLOUT_TEXT },
  };
  GString *css = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (colours); i++)
    g_string_append_printf (css, "@define-color %s #%06x;\n", colours[i].name,
                            get_rgb (colours[i].ink, dark));
  return g_string_free (css, FALSE);
}

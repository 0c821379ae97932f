/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the palettes promise, computed: contrast as in WCAG 2.1, distance as CIEDE2000 (Sharma, Wu
 * and Dalal 2005, with three of their test pairs), dichromats as in Machado, Oliveira and Fernandes
 * 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency", severity 1. */

#include "config.h"

#include "tsr-palette.h"

#include <math.h>

typedef struct
{
  double l, a, b;
} Lab;

enum
{
  NORMAL,
  PROTAN,
  DEUTAN,
  TRITAN,
  N_EYES
};

static const double eyes[N_EYES][3][3] = {
  { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  { { 0.152286, 1.052583, -0.204868 },
    { 0.114503, 0.786281, 0.099216 },
    { -0.003882, -0.048116, 1.051998 } },
  { { 0.367322, 0.860646, -0.227968 },
    { 0.280085, 0.672501, 0.047413 },
    { -0.011820, 0.042940, 0.968881 } },
  { { 1.255528, -0.076749, -0.178779 },
    { -0.078411, 0.930809, 0.147602 },
    { 0.004733, 0.691367, 0.303900 } },
};

static double
linear (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static double
luminance (guint ink, gboolean dark)
{
  TsrColor c = tsr_palette_get (ink, dark);

  return 0.2126 * linear (c.red) + 0.7152 * linear (c.green) + 0.0722 * linear (c.blue);
}

static double
contrast (guint a, guint b, gboolean dark)
{
  double x = luminance (a, dark) + 0.05;
  double y = luminance (b, dark) + 0.05;

  return MAX (x, y) / MIN (x, y);
}

static double
lab_function (double t)
{
  return t > 216.0 / 24389 ? cbrt (t) : (24389.0 / 27 * t + 16) / 116;
}

static Lab
to_lab (guint ink, gboolean dark, guint eye)
{
  TsrColor c = tsr_palette_get (ink, dark);
  double rgb[3] = { linear (c.red), linear (c.green), linear (c.blue) };
  double seen[3];
  double x;
  double y;
  double z;

  for (guint i = 0; i < 3; i++)
    seen[i] = CLAMP (eyes[eye][i][0] * rgb[0] + eyes[eye][i][1] * rgb[1] + eyes[eye][i][2] * rgb[2],
                     0, 1);
  x = lab_function ((0.4124564 * seen[0] + 0.3575761 * seen[1] + 0.1804375 * seen[2]) / 0.95047);
  y = lab_function (0.2126729 * seen[0] + 0.7151522 * seen[1] + 0.0721750 * seen[2]);
  z = lab_function ((0.0193339 * seen[0] + 0.1191920 * seen[1] + 0.9503041 * seen[2]) / 1.08883);
  return (Lab){ 116 * y - 16, 500 * (x - y), 200 * (y - z) };
}

static double
degrees (double b, double a)
{
  double h = atan2 (b, a) * 180 / G_PI;

  return a == 0 && b == 0 ? 0 : h < 0 ? h + 360 : h;
}

static double
cosine (double d)
{
  return cos (d * G_PI / 180);
}

static double
ciede2000 (Lab p, Lab q)
{
  double mean = (hypot (p.a, p.b) + hypot (q.a, q.b)) / 2;
  double g = 0.5 * (1 - sqrt (pow (mean, 7) / (pow (mean, 7) + pow (25, 7))));
  double a1 = p.a * (1 + g);
  double a2 = q.a * (1 + g);
  double c1 = hypot (a1, p.b);
  double c2 = hypot (a2, q.b);
  double h1 = degrees (p.b, a1);
  double h2 = degrees (q.b, a2);
  double dh = c1 * c2 == 0 ? 0 : h2 - h1;
  double hm = h1 + h2;
  double lm = (p.l + q.l) / 2;
  double cm = (c1 + c2) / 2;
  double t;
  double sl;
  double sc;
  double sh;
  double rt;
  double dhh;

  if (dh > 180)
    dh -= 360;
  else if (dh < -180)
    dh += 360;
  dhh = 2 * sqrt (c1 * c2) * sin (dh * G_PI / 360);
  if (c1 * c2 != 0)
    hm = fabs (h1 - h2) <= 180 ? hm / 2 : hm < 360 ? (hm + 360) / 2 : (hm - 360) / 2;
  t = 1 - 0.17 * cosine (hm - 30) + 0.24 * cosine (2 * hm) + 0.32 * cosine (3 * hm + 6)
      - 0.20 * cosine (4 * hm - 63);
  sl = 1 + 0.015 * (lm - 50) * (lm - 50) / sqrt (20 + (lm - 50) * (lm - 50));
  sc = 1 + 0.045 * cm;
  sh = 1 + 0.015 * cm * t;
  rt = -2 * sqrt (pow (cm, 7) / (pow (cm, 7) + pow (25, 7)))
       * sin (60 * exp (-pow ((hm - 275) / 25, 2)) * G_PI / 180);
  return sqrt (pow ((q.l - p.l) / sl, 2) + pow ((c2 - c1) / sc, 2) + pow (dhh / sh, 2)
               + rt * (c2 - c1) / sc * dhh / sh);
}

/* The smallest distance that any eye sees. */
static double
distance (guint a, guint b, gboolean dark)
{
  double least = G_MAXDOUBLE;

  for (guint eye = 0; eye < N_EYES; eye++)
    least = MIN (least, ciede2000 (to_lab (a, dark, eye), to_lab (b, dark, eye)));
  return least;
}

static void
test_formula (void)
{
  /* Pairs 1, 7 and 17 of the supplementary data of Sharma et al. */
  g_assert_cmpfloat_with_epsilon (
      ciede2000 ((Lab){ 50, 2.6772, -79.7751 }, (Lab){ 50, 0, -82.7485 }), 2.0425, 5e-5);
  g_assert_cmpfloat_with_epsilon (ciede2000 ((Lab){ 50, 0, 0 }, (Lab){ 50, -1, 2 }), 2.3669, 5e-5);
  g_assert_cmpfloat_with_epsilon (ciede2000 ((Lab){ 50, 2.5, 0 }, (Lab){ 73, 25, -18 }), 27.1492,
                                  5e-5);
}

static void
test_contrast (void)
{
  static const guint text[] = { TSR_INK_TEXT, TSR_INK_DIM_TEXT };
  static const guint strokes[]
      = { TSR_INK_AXIS,      TSR_INK_BOUNDARY,       TSR_INK_CAPACITY, TSR_INK_OVERFLOW,
          TSR_INK_SELECTION, TSR_INK_HOVER,          TSR_INK_TOTAL,    TSR_INK_GAPS,
          TSR_INK_REGION_0,  TSR_INK_REGION_1,       TSR_INK_REGION_2, TSR_INK_ALWAYS_LIVE,
          TSR_INK_PACKING,   TSR_INK_NOT_ALWAYS_LIVE };

  for (int dark = 0; dark < 2; dark++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (text); i++)
        g_assert_cmpfloat (contrast (text[i], TSR_INK_BACKGROUND, dark), >=, 4.5);
      /* Names in filled boxes are written in the background's colour. */
      g_assert_cmpfloat (contrast (TSR_INK_SELECTION, TSR_INK_BACKGROUND, dark), >=, 4.5);
      g_assert_cmpfloat (contrast (TSR_INK_HOVER, TSR_INK_BACKGROUND, dark), >=, 4.5);
      g_assert_cmpfloat (contrast (TSR_INK_PEAK, TSR_INK_BACKGROUND, dark), >=, 4.5);
      for (guint i = 0; i < TSR_N_MARK_INKS; i++)
        {
          static const guint tints[] = { TSR_INK_ALWAYS_LIVE_TINT, TSR_INK_NOT_ALWAYS_LIVE_TINT };

          g_assert_cmpfloat (contrast (TSR_INK_MARK + i, TSR_INK_BACKGROUND, dark), >=, 4.5);
          /* As lines over the areas of a graph. */
          for (guint t = 0; t < G_N_ELEMENTS (tints); t++)
            g_assert_cmpfloat (contrast (TSR_INK_MARK + i, tints[t], dark), >=, 3);
        }
      for (guint i = 0; i < TSR_N_STRUCTURE_INKS; i++)
        g_assert_cmpfloat (contrast (TSR_INK_TEXT, TSR_INK_STRUCTURE + i, dark), >=, 4.5);
      for (guint i = 0; i < G_N_ELEMENTS (strokes); i++)
        g_assert_cmpfloat (contrast (strokes[i], TSR_INK_BACKGROUND, dark), >=, 3);
      for (guint i = 0; i < TSR_N_CATEGORY_INKS; i++)
        g_assert_cmpfloat (contrast (TSR_INK_CATEGORY + i, TSR_INK_BACKGROUND, dark), >=, 3);
    }
}

static void
test_neighbours (void)
{
  for (int dark = 0; dark < 2; dark++)
    for (guint i = 0; i < TSR_N_CATEGORY_INKS; i++)
      {
        guint ink = TSR_INK_CATEGORY + i;

        if (i + 1 < TSR_N_CATEGORY_INKS)
          g_assert_cmpfloat (distance (ink, ink + 1, dark), >, 20);
        if (i + 2 < TSR_N_CATEGORY_INKS)
          g_assert_cmpfloat (distance (ink, ink + 2, dark), >, 10);
        if (i + 3 < TSR_N_CATEGORY_INKS)
          g_assert_cmpfloat (distance (ink, ink + 3, dark), >, 8);
        /* Any of them may be the last under the shared band, or stand against what does not fit. */
        g_assert_cmpfloat (distance (ink, TSR_INK_SHARED, dark), >, 8);
        g_assert_cmpfloat (
            ciede2000 (to_lab (ink, dark, NORMAL), to_lab (TSR_INK_OVERFLOW, dark, NORMAL)), >, 10);
      }
}

static void
test_small_stacks (void)
{
  for (int dark = 0; dark < 2; dark++)
    {
      g_assert_cmpfloat (distance (TSR_INK_REGION_0, TSR_INK_REGION_1, dark), >, 15);
      g_assert_cmpfloat (distance (TSR_INK_REGION_1, TSR_INK_REGION_2, dark), >, 15);
      for (guint r = 0; r < 3; r++) /* large areas: none glares */
        g_assert_cmpfloat (to_lab (TSR_INK_REGION_0 + r, dark, NORMAL).l, <, 75);
      g_assert_cmpfloat (distance (TSR_INK_ALWAYS_LIVE, TSR_INK_NOT_ALWAYS_LIVE, dark), >, 15);
      g_assert_cmpfloat (distance (TSR_INK_NOT_ALWAYS_LIVE, TSR_INK_PACKING, dark), >, 15);
      g_assert_cmpfloat (distance (TSR_INK_TOTAL, TSR_INK_GAPS, dark), >, 15);
    }
}

/* Any two of the marks, and bands of the structure that stand side by side, the last beside the
 * first. */
static void
test_marks (void)
{
  for (int dark = 0; dark < 2; dark++)
    {
      for (guint i = 0; i < TSR_N_MARK_INKS; i++)
        for (guint j = 0; j < i; j++)
          g_assert_cmpfloat (distance (TSR_INK_MARK + i, TSR_INK_MARK + j, dark), >, 10);
      for (guint i = 0; i < TSR_N_STRUCTURE_INKS; i++)
        g_assert_cmpfloat (distance (TSR_INK_STRUCTURE + i,
                                     TSR_INK_STRUCTURE + (i + 1) % TSR_N_STRUCTURE_INKS, dark),
                           >, 6);
    }
}

/* More is further from the background, step by step and for every eye, and stays apart from what
 * does not fit; a number on any step can be read. */
static void
test_ramp (void)
{
  for (int dark = 0; dark < 2; dark++)
    for (guint i = 0; i < TSR_N_RAMP_INKS; i++)
      {
        guint ink = TSR_INK_RAMP + i;

        if (i + 1 < TSR_N_RAMP_INKS)
          for (guint eye = 0; eye < N_EYES; eye++)
            {
              double step = to_lab (ink + 1, dark, eye).l - to_lab (ink, dark, eye).l;

              g_assert_cmpfloat (dark ? step : -step, >, 0.2);
            }
        g_assert_cmpfloat (
            ciede2000 (to_lab (ink, dark, NORMAL), to_lab (TSR_INK_OVERFLOW, dark, NORMAL)), >, 20);
        g_assert_cmpfloat (
            contrast (ink, i < TSR_RAMP_TEXT_STEP ? TSR_INK_TEXT : TSR_INK_BACKGROUND, dark), >=,
            3.7);
      }
}

/* Text on steps is readable in both themes, on what is shaded and on what a search leaves pale. */
static void
test_steps (void)
{
  for (guint dark = 0; dark < 2; dark++)
    for (guint ink = 0; ink < TSR_N_TRACE_INKS; ink++)
      {
        guint text = ink == TSR_TRACE_INK_HOST  ? TSR_INK_TRACE_WAIT_TEXT
                     : ink == TSR_TRACE_INK_RUN ? TSR_INK_BACKGROUND
                                                : TSR_INK_TRACE_TEXT;

        g_assert_cmpfloat (contrast (text, TSR_INK_TRACE + ink, dark), >=, 4.5);
        if (ink == TSR_TRACE_INK_COMPUTE) /* the only one that is shaded */
          g_assert_cmpfloat (contrast (text, TSR_INK_TRACE + TSR_N_TRACE_INKS + ink, dark), >=, 3);
        g_assert_cmpfloat (
            contrast (TSR_INK_DIM_TEXT, TSR_INK_TRACE + 2 * TSR_N_TRACE_INKS + ink, dark), >=, 3);
      }
  g_assert_cmpuint (TSR_N_INKS, <, 250);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/palette/formula", test_formula);
  g_test_add_func ("/palette/contrast", test_contrast);
  g_test_add_func ("/palette/neighbours", test_neighbours);
  g_test_add_func ("/palette/small-stacks", test_small_stacks);
  g_test_add_func ("/palette/marks", test_marks);
  g_test_add_func ("/palette/steps", test_steps);
  g_test_add_func ("/palette/ramp", test_ramp);
  return g_test_run ();
}

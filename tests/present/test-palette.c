/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the palettes promise, computed: contrast as in WCAG 2.1, distance as CIEDE2000 (Sharma, Wu
 * and Dalal 2005, with three of their test pairs), dichromats as in Machado, Oliveira and Fernandes
 * 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency", severity 1. */

#include "config.h"

#include "tsr-category.h"
#include "tsr-palette.h"

#include <math.h>
#include <string.h>

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

/* Against a grey. */
static double
contrast_with_grey (guint ink, guint8 grey, gboolean dark)
{
  double x = luminance (ink, dark) + 0.05;
  double y = linear (grey / 255.0) + 0.05;

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
  static const guint text[]
      = { TSR_INK_TEXT, TSR_INK_DIM_TEXT, TSR_INK_OVERFLOW, TSR_INK_WARNING, TSR_INK_FITS };
  static const guint strokes[]
      = { TSR_INK_AXIS,      TSR_INK_BOUNDARY,        TSR_INK_CAPACITY, TSR_INK_OVERFLOW,
          TSR_INK_SELECTION, TSR_INK_HOVER,           TSR_INK_TOTAL,    TSR_INK_GAPS,
          TSR_INK_REGION_0,  TSR_INK_REGION_1,        TSR_INK_REGION_2, TSR_INK_ALWAYS_LIVE,
          TSR_INK_PACKING,   TSR_INK_NOT_ALWAYS_LIVE, TSR_INK_RESIDENT, TSR_INK_REST };

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
      for (guint i = 0; i < TSR_N_NAME_INKS; i++)
        {
          g_assert_cmpfloat (contrast (TSR_INK_TEXT, TSR_INK_STRUCTURE + i, dark), >=, 4.5);
          g_assert_cmpfloat (contrast (TSR_INK_NAME + i, TSR_INK_BACKGROUND, dark), >=, 3);
        }
      for (guint i = 0; i < TSR_N_IPU_INKS; i++)
        g_assert_cmpfloat (contrast (TSR_INK_IPU + i, TSR_INK_BACKGROUND, dark), >=, 3);
      g_assert_cmpfloat (contrast (TSR_INK_CALLOUT_TEXT, TSR_INK_CALLOUT, dark), >=, 4.5);
      for (guint i = 0; i < G_N_ELEMENTS (strokes); i++)
        g_assert_cmpfloat (contrast (strokes[i], TSR_INK_BACKGROUND, dark), >=, 3);
      for (guint i = 0; i < TSR_N_CATEGORY_INKS; i++)
        g_assert_cmpfloat (contrast (TSR_INK_CATEGORY + i, TSR_INK_BACKGROUND, dark), >=, 3);
      /* What is left of a bar on a card, whose ground is Adwaita's: it stays behind what is used,
       * but can be told from none. */
      g_assert_cmpfloat (contrast_with_grey (TSR_INK_FREE, dark ? 0x36 : 0xff, dark), >=, 1.5);
    }
}

/* In a stack by size any two categories may meet, the large ones in every report. */
static gboolean
is_large (guint category)
{
  static const char *const large[] = { "variable",
                                       "constant",
                                       "message",
                                       "hostMessage",
                                       "controlCode",
                                       "vertexCode",
                                       "vertexInstanceState",
                                       "vertexFieldData",
                                       "internalExchangeCode",
                                       "stack" };

  for (guint i = 0; i < G_N_ELEMENTS (large); i++)
    if (g_str_equal (tsr_category_get_known (category), large[i]))
      return TRUE;
  return FALSE;
}

static void
test_neighbours (void)
{
  for (int dark = 0; dark < 2; dark++)
    for (guint i = 0; i < TSR_N_CATEGORY_INKS; i++)
      {
        guint ink = TSR_INK_CATEGORY + i;

        for (guint j = 0; j < i; j++)
          g_assert_cmpfloat (distance (ink, TSR_INK_CATEGORY + j, dark), >,
                             is_large (i) && is_large (j) ? 11
                             : j + 1 == i                 ? 10
                                                          : 6);
        /* Any of them may be the last under the shared band, or stand against what does not fit. */
        g_assert_cmpfloat (distance (ink, TSR_INK_SHARED, dark), >, 7);
        /* Packing loss stands on the last of them. */
        g_assert_cmpfloat (distance (ink, TSR_INK_PACKING, dark), >, is_large (i) ? 9 : 7);
        g_assert_cmpfloat (
            ciede2000 (to_lab (ink, dark, NORMAL), to_lab (TSR_INK_OVERFLOW, dark, NORMAL)), >, 15);
      }
}

static double hue_between (guint a, guint b, gboolean dark);

/* What most tiles of a training run hold, as it stands in a stack: no two of one family of hues
 * that are near in lightness, too. */
static void
test_stack_of_training (void)
{
  static const char *const usual[]
      = { "constant", "variable", "internalExchangeCode", "vertexCode", "instrumentationResults",
          "message" };

  for (int dark = 0; dark < 2; dark++)
    for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
      for (guint j = 0; j < i; j++)
        {
          guint a = tsr_palette_get_category_ink (usual[i]);
          guint b = tsr_palette_get_category_ink (usual[j]);

          /* The first IPUs are another thing. */
          for (guint ipu = 0; ipu < 3; ipu++)
            g_assert_cmpfloat (distance (a, TSR_INK_IPU + ipu, dark), >, 7);
          /* Large areas, on black: none glares, none stands out before the others. */
          g_assert_cmpfloat (to_lab (b, TRUE, NORMAL).l, <, 70);
          g_assert_cmpfloat (to_lab (a, TRUE, NORMAL).l, <, 70);
          if (fabs (to_lab (a, dark, NORMAL).l - to_lab (b, dark, NORMAL).l) < 20)
            g_assert_cmpfloat (hue_between (a, b, dark), >, 25);
        }
}

static void
test_small_stacks (void)
{
  static const guint pairs[][2] = {
    { TSR_INK_REGION_0, TSR_INK_REGION_1 },
    { TSR_INK_REGION_1, TSR_INK_REGION_2 },
    { TSR_INK_ALWAYS_LIVE, TSR_INK_NOT_ALWAYS_LIVE },
    { TSR_INK_ALWAYS_LIVE, TSR_INK_RESIDENT },
    { TSR_INK_RESIDENT, TSR_INK_NOT_ALWAYS_LIVE },
    { TSR_INK_PACKING, TSR_INK_SHARED },
    { TSR_INK_TOTAL, TSR_INK_GAPS },
    { TSR_INK_TOTAL, TSR_INK_OVERFLOW },
    { TSR_INK_GAPS, TSR_INK_FREE },
    { TSR_INK_PACKING, TSR_INK_FREE },
    { TSR_INK_PACKING, TSR_INK_GAPS },
    { TSR_INK_TOTAL, TSR_INK_FREE },
    { TSR_INK_SHARED, TSR_INK_REST },
  };

  for (int dark = 0; dark < 2; dark++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
        g_assert_cmpfloat (distance (pairs[i][0], pairs[i][1], dark), >, 14);
      g_assert_cmpfloat (distance (TSR_INK_NOT_ALWAYS_LIVE, TSR_INK_PACKING, dark), >, 12);
      g_assert_cmpfloat (distance (TSR_INK_PACKING, TSR_INK_REST, dark), >, 7);
      for (guint r = 0; r < 3; r++) /* large areas: none glares */
        g_assert_cmpfloat (to_lab (TSR_INK_REGION_0 + r, dark, NORMAL).l, <, 75);
    }
}

/* Any two of a row, whatever stands side by side. */
static void
test_rows (void)
{
  static const struct
  {
    guint first, n;
    double least, next;
  } rows[] = { { TSR_INK_MARK, TSR_N_MARK_INKS, 9, 9 },
               { TSR_INK_NAME, TSR_N_NAME_INKS, 9, 9 },
               { TSR_INK_STRUCTURE, TSR_N_NAME_INKS, 5, 5 },
               { TSR_INK_IPU, TSR_N_IPU_INKS, 11, 15 } };

  for (int dark = 0; dark < 2; dark++)
    for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
      for (guint i = 0; i < rows[r].n; i++)
        for (guint j = 0; j < i; j++)
          g_assert_cmpfloat (distance (rows[r].first + i, rows[r].first + j, dark), >,
                             j + 1 == i ? rows[r].next : rows[r].least);
}

static double
hue_between (guint a, guint b, gboolean dark)
{
  Lab p = to_lab (a, dark, NORMAL), q = to_lab (b, dark, NORMAL);
  double between = fabs (degrees (p.b, p.a) - degrees (q.b, q.a));

  return MIN (between, 360 - between);
}

static double
chroma (Lab p)
{
  return hypot (p.a, p.b);
}

/* One hue in both themes, as bar and as band. */
static void
check_hue (guint a, gboolean a_dark, guint b, gboolean b_dark)
{
  Lab p = to_lab (a, a_dark, NORMAL), q = to_lab (b, b_dark, NORMAL);
  double between = fabs (degrees (p.b, p.a) - degrees (q.b, q.a));

  /* A hue of CIELAB bends with lightness, that of blue the most; a grey has none. */
  if (chroma (p) > 14 && chroma (q) > 14)
    g_assert_cmpfloat (MIN (between, 360 - between), <, 32);
  else
    g_assert_cmpfloat (MIN (chroma (p), chroma (q)), <, 25);
}

static void
test_hues (void)
{
  for (guint ink = 0; ink < TSR_INK_RAMP; ink++)
    check_hue (ink, FALSE, ink, TRUE);
  for (guint i = 0; i < TSR_N_TRACE_INKS; i++)
    check_hue (TSR_INK_TRACE + i, FALSE, TSR_INK_TRACE + i, TRUE);
  for (guint i = 0; i < TSR_N_NAME_INKS; i++)
    for (int dark = 0; dark < 2; dark++)
      check_hue (TSR_INK_NAME + i, dark, TSR_INK_STRUCTURE + i, dark);
}

/* Red: hues of CIELAB between pink and orange, with colour enough to be called one. */
static gboolean
is_red (Lab p)
{
  double hue = degrees (p.b, p.a);

  return chroma (p) > 38 && (hue < 50 || hue > 357);
}

static void
test_red (void)
{
  for (int dark = 0; dark < 2; dark++)
    for (guint ink = 0; ink < TSR_N_INKS; ink++)
      if (ink == TSR_INK_OVERFLOW || ink == TSR_INK_REGION_2)
        g_assert_true (is_red (to_lab (ink, dark, NORMAL)));
      else if (is_red (to_lab (ink, dark, NORMAL)))
        {
          char nick[32];

          g_error ("%s is red", tsr_palette_get_nick (ink, nick, sizeof nick));
        }
}

/* A category keeps its ink, a name its colour, whatever else there is and in whatever order. */
static void
test_names (void)
{
  const char *names[] = { "model", "Gradient", "WeightUpdate", "copyFromHost", "model" };
  const char *backwards[] = { "model", "copyFromHost", "WeightUpdate", "Gradient", "model" };
  const char *known;
  guint8 slots[5], again[5], alone;
  guint n_alone = 0;
  g_autoptr (GPtrArray) many = g_ptr_array_new_with_free_func (g_free);
  g_autofree guint8 *of_many = NULL;

  for (guint i = 0; (known = tsr_category_get_known (i)) != NULL; i++)
    {
      g_assert_cmpuint (tsr_palette_get_category_ink (known), ==, TSR_INK_CATEGORY + i);
      g_assert_cmpstr (tsr_palette_get_name (TSR_INK_CATEGORY + i), ==,
                       tsr_category_get_label (known));
      g_assert_cmpuint (i, <, TSR_N_CATEGORY_INKS);
    }
  g_assert_cmpuint (tsr_palette_get_category_ink (NULL), ==, TSR_INK_REST);
  g_assert_cmpuint (tsr_palette_get_category_ink ("newOne"), ==,
                    tsr_palette_get_category_ink ("newOne"));
  g_assert_cmpuint (tsr_palette_get_category_ink ("newOne"), >=, TSR_INK_CATEGORY);

  tsr_palette_place_names (names, 5, slots);
  tsr_palette_place_names (backwards, 5, again);
  for (guint i = 0; i < 5; i++)
    {
      g_assert_cmpuint (slots[i], ==, again[4 - i]);
      for (guint j = 0; j < i; j++)
        g_assert_cmpint (slots[i] == slots[j], ==, strcmp (names[i], names[j]) == 0);
      tsr_palette_place_names (&names[i], 1, &alone);
      n_alone += alone == slots[i];
    }
  g_assert_cmpuint (n_alone, >=, 4); /* it is the name, not its neighbours, that decides */

  /* More names than colours: each has one, and all are used; as many, each its own. */
  for (guint i = 0; i < 100; i++)
    g_ptr_array_add (many, g_strdup_printf ("layer%u", i));
  of_many = g_malloc (100);
  tsr_palette_place_names ((const char *const *)many->pdata, TSR_N_NAME_INKS, of_many);
  for (guint slot = 0; slot < TSR_N_NAME_INKS; slot++)
    g_assert_nonnull (memchr (of_many, (int)slot, TSR_N_NAME_INKS));
  tsr_palette_place_names ((const char *const *)many->pdata, 100, of_many);
  for (guint slot = 0; slot < TSR_N_NAME_INKS; slot++)
    g_assert_nonnull (memchr (of_many, (int)slot, 100));
  for (guint i = 0; i < 100; i++)
    g_assert_cmpuint (of_many[i], <, TSR_N_NAME_INKS);
}

/* The style sheet says what the table says; each ink has a name of its own. */
static void
test_css (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (int dark = 0; dark < 2; dark++)
    {
      TsrColor c = tsr_palette_get (TSR_INK_OVERFLOW, dark);
      g_autofree char *css = tsr_palette_dup_css (dark);
      g_autofree char *line = g_strdup_printf (
          "@define-color error_color #%02x%02x%02x;\n", (guint)lround (c.red * 255),
          (guint)lround (c.green * 255), (guint)lround (c.blue * 255));

      g_assert_nonnull (strstr (css, line));
    }
  for (guint ink = 0; ink < TSR_N_INKS; ink++)
    {
      char buffer[32];

      g_assert_true (
          g_hash_table_add (seen, g_strdup (tsr_palette_get_nick (ink, buffer, sizeof buffer))));
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
  for (guint dark = 0; dark < 2; dark++)
    for (guint i = 0; i <= TSR_TRACE_INK_OTHER; i++)
      for (guint j = 0; j < i; j++)
        g_assert_cmpfloat (distance (TSR_INK_TRACE + i, TSR_INK_TRACE + j, dark), >, 5);
  g_assert_cmpuint (TSR_N_INKS, <, 250);
}

/* Whatever has a name in the legend of colours is about something, and that has a name of its own.
 */
static void
test_subjects (void)
{
  guint n_of[TSR_N_COLOUR_SUBJECTS + 1] = { 0 };

  for (guint ink = 0; ink < TSR_N_INKS; ink++)
    {
      const TsrColourSubject subject = tsr_palette_get_subject (ink);

      g_assert_cmpuint (subject, <, TSR_N_COLOUR_SUBJECTS);
      n_of[subject]++;
      if (ink >= TSR_INK_CATEGORY && ink < TSR_INK_CATEGORY + TSR_N_CATEGORY_INKS)
        g_assert_cmpuint (subject, ==, TSR_COLOUR_CATEGORY);
      /* The ramp ends where the steps begin. */
      if (ink >= TSR_INK_RAMP && ink < TSR_INK_TRACE)
        g_assert_cmpuint (subject, ==, TSR_COLOUR_AMOUNT);
      else if (ink >= TSR_INK_TRACE)
        g_assert_cmpuint (subject, !=, TSR_COLOUR_AMOUNT);
    }
  g_assert_cmpuint (tsr_palette_get_subject (TSR_INK_BACKGROUND), ==, TSR_COLOUR_NONE);
  g_assert_cmpuint (tsr_palette_get_subject (TSR_INK_OVERFLOW), ==, TSR_COLOUR_VERDICT);
  g_assert_cmpuint (tsr_palette_get_subject (TSR_INK_TRACE + TSR_TRACE_INK_EXCHANGE), ==,
                    TSR_COLOUR_STEP);
  for (guint subject = TSR_COLOUR_NONE + 1; subject < TSR_N_COLOUR_SUBJECTS; subject++)
    {
      const char *note = tsr_palette_get_subject_note (subject);

      g_assert_cmpuint (n_of[subject], >, 0);
      g_assert_cmpuint (strlen (tsr_palette_get_subject_name (subject)), >, 3);
      g_assert_true (note == NULL || strlen (note) > 10);
      for (guint other = TSR_COLOUR_NONE + 1; other < subject; other++)
        g_assert_cmpstr (tsr_palette_get_subject_name (subject), !=,
                         tsr_palette_get_subject_name (other));
    }
  g_assert_nonnull (tsr_palette_get_subject_note (TSR_COLOUR_STEP));
  g_assert_null (tsr_palette_get_subject_note (TSR_COLOUR_NONE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/palette/formula", test_formula);
  g_test_add_func ("/palette/contrast", test_contrast);
  g_test_add_func ("/palette/neighbours", test_neighbours);
  g_test_add_func ("/palette/stack-of-training", test_stack_of_training);
  g_test_add_func ("/palette/small-stacks", test_small_stacks);
  g_test_add_func ("/palette/rows", test_rows);
  g_test_add_func ("/palette/hues", test_hues);
  g_test_add_func ("/palette/red", test_red);
  g_test_add_func ("/palette/names", test_names);
  g_test_add_func ("/palette/css", test_css);
  g_test_add_func ("/palette/steps", test_steps);
  g_test_add_func ("/palette/ramp", test_ramp);
  g_test_add_func ("/palette/subjects", test_subjects);
  return g_test_run ();
}

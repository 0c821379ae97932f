/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rasters made of layers against a painter that goes through all layers for each pixel. */

#include "config.h"

#include "tsr-raster.h"

#define N_LAYERS 9
#define MARGIN   5       /* of the target, right of the raster: nobody writes there */
#define BARE     0xdeadu /* what stands in it */

static guint8
naive_ink (const TsrDrawRaster *raster, guint x, guint y)
{
  guint8 ink = TSR_RASTER_CLEAR;
  const TsrRasterLayer *hatch = NULL;
  guint phase = (raster->hatch_origin + x + y) % raster->hatch_period;
  guint line = raster->hatch_line;

  for (guint i = 0; i < raster->layers->len; i++)
    {
      const TsrRasterLayer *layer = &g_array_index (raster->layers, TsrRasterLayer, i);

      if (y < layer->from[x] || y >= layer->to[x])
        continue;
      if (layer->kind != TSR_LAYER_PLAIN)
        hatch = layer;
      else
        {
          ink = layer->ink;
          hatch = NULL;
        }
    }
  if (hatch == NULL)
    return ink;
  if (phase < line)
    return hatch->ink;
  if (hatch->kind == TSR_LAYER_HATCH || ink == TSR_RASTER_CLEAR)
    return hatch->tint;
  return phase < line + line / 2 || phase >= raster->hatch_period - line / 2 ? hatch->tint : ink;
}

static void
fill_layers (TsrDrawRaster *raster)
{
  for (guint i = 0; i < N_LAYERS; i++)
    {
      TsrLayerKind kind = g_test_rand_int_range (0, 5) < 3 ? TSR_LAYER_PLAIN
                          : i % 2 == 0                     ? TSR_LAYER_HATCH
                                                           : TSR_LAYER_HATCH_LINES;
      TsrRasterLayer *layer = tsr_draw_raster_add_layer (raster, kind, i, 100 + i);

      for (guint x = 0; x < raster->width; x++)
        {
          layer->from[x] = g_test_rand_int_range (0, raster->height + 1);
          layer->to[x] = g_test_rand_int_range (0, raster->height + 1);
        }
    }
  raster->hatch_origin = g_test_rand_int_range (0, 1000);
  raster->hatch_period = g_test_rand_int_range (2, 13);
  raster->hatch_line = g_test_rand_int_range (1, raster->hatch_period);
}

static void
test_layers (void)
{
  static const guint sizes[][2]
      = { { 1, 1 }, { 63, 40 }, { 64, 40 }, { 65, 40 }, { 130, 7 }, { 3, 300 }, { 200, 90 } };
  guint32 colors[256];

  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    colors[i] = i;
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autoptr (TsrDrawRaster) raster = tsr_draw_raster_new (sizes[s][0], sizes[s][1], TRUE);
      guint stride = raster->width + MARGIN;
      g_autofree guint32 *pixels = g_new (guint32, stride * raster->height);

      g_assert_cmpuint (raster->width, ==, sizes[s][0]);
      fill_layers (raster);
      for (guint i = 0; i < stride * raster->height; i++)
        pixels[i] = BARE;
      tsr_draw_raster_paint (raster, colors, pixels, stride);
      for (guint y = 0; y < raster->height; y++)
        for (guint x = 0; x < stride; x++)
          g_assert_cmpuint (pixels[y * stride + x], ==,
                            x < raster->width ? naive_ink (raster, x, y) : BARE);
    }
}

/* Two inks of the same colour are one to the eye, but a hatch still tells clear from painted. */
static void
test_same_colors (void)
{
  g_autoptr (TsrDrawRaster) raster = tsr_draw_raster_new (70, 60, TRUE);
  g_autofree guint32 *pixels = g_new (guint32, 70 * 60);
  guint32 colors[256];

  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    colors[i] = i % 3;
  fill_layers (raster);
  tsr_draw_raster_paint (raster, colors, pixels, 70);
  for (guint y = 0; y < 60; y++)
    for (guint x = 0; x < 70; x++)
      g_assert_cmpuint (pixels[y * 70 + x], ==, colors[naive_ink (raster, x, y)]);
}

static void
test_inks (void)
{
  g_autoptr (TsrDrawRaster) raster = tsr_draw_raster_new (37, 11, FALSE);
  g_autofree guint32 *pixels = g_new (guint32, 40 * 11);
  guint32 colors[256];

  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    colors[i] = 1000 + i;
  for (guint i = 0; i < 37 * 11; i++)
    {
      g_assert_cmpuint (raster->inks[i], ==, TSR_RASTER_CLEAR);
      raster->inks[i] = g_test_rand_int_range (0, 8) < 6 ? 4 : i % 256;
    }
  tsr_draw_raster_paint (raster, colors, pixels, 40);
  for (guint y = 0; y < 11; y++)
    for (guint x = 0; x < 37; x++)
      g_assert_cmpuint (pixels[y * 40 + x], ==, 1000 + raster->inks[y * 37 + x]);
}

static void
test_no_pixels (void)
{
  static const double sizes[][2] = { { 0, 10 }, { 10, 0 }, { -5, 3 } };
  const guint32 colors[256] = { 0 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (TsrDrawRaster) raster
          = tsr_draw_raster_new (sizes[i / 2][0], sizes[i / 2][1], i % 2);

      if (i % 2)
        tsr_draw_raster_add_layer (raster, TSR_LAYER_PLAIN, 1, 0);
      tsr_draw_raster_paint (raster, colors, NULL, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raster/layers", test_layers);
  g_test_add_func ("/raster/same-colors", test_same_colors);
  g_test_add_func ("/raster/inks", test_inks);
  g_test_add_func ("/raster/no-pixels", test_no_pixels);
  return g_test_run ();
}

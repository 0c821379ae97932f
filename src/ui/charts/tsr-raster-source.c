/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GTK keeps the nodes of the frame before for comparison, so two images take turns.  Cairo copies
 * patterns as it likes: each copy holds a reference, `finish` gives it up. */

#include "config.h"

#include "tsr-raster-source.h"

#include <string.h>

struct _TsrRasterPool
{
  grefcount count;
  cairo_surface_t *spare; /* (nullable) an image that nobody uses */
};

typedef struct
{
  grefcount count;
  TsrRasterPool *pool;
  TsrDrawRaster *raster;
  cairo_surface_t *image; /* NULL until it is drawn */
  guint32 colors[256];
} Source;

TsrRasterPool *
tsr_raster_pool_new (void)
{
  TsrRasterPool *self = g_new0 (TsrRasterPool, 1);

  g_ref_count_init (&self->count);
  return self;
}

void
tsr_raster_pool_unref (TsrRasterPool *self)
{
  if (!g_ref_count_dec (&self->count))
    return;
  g_clear_pointer (&self->spare, cairo_surface_destroy);
  g_free (self);
}

static cairo_surface_t *
take_image (TsrRasterPool *pool, int width, int height)
{
  cairo_surface_t *spare = g_steal_pointer (&pool->spare);

  if (spare != NULL && cairo_image_surface_get_width (spare) == width
      && cairo_image_surface_get_height (spare) == height)
    return spare;
  g_clear_pointer (&spare, cairo_surface_destroy);
  return cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
}

static void
source_unref (Source *self)
{
  if (!g_ref_count_dec (&self->count))
    return;
  if (self->image != NULL)
    {
      g_clear_pointer (&self->pool->spare, cairo_surface_destroy);
      self->pool->spare = g_steal_pointer (&self->image);
    }
  tsr_raster_pool_unref (self->pool);
  tsr_draw_raster_unref (self->raster);
  g_free (self);
}

static cairo_surface_t *
acquire (cairo_pattern_t *pattern,
         gpointer data,
         cairo_surface_t *target,
         const cairo_rectangle_int_t *extents)
{
  Source *self = data;

  if (self->image == NULL)
    {
      self->image = take_image (self->pool, self->raster->width, self->raster->height);
      if (cairo_surface_status (self->image) == CAIRO_STATUS_SUCCESS)
        {
          tsr_draw_raster_paint (self->raster, self->colors,
                                 (guint32 *)(gpointer)cairo_image_surface_get_data (self->image),
                                 cairo_image_surface_get_stride (self->image) / sizeof (guint32));
          cairo_surface_mark_dirty (self->image);
        }
    }
  return cairo_surface_reference (self->image);
}

static void
release (cairo_pattern_t *pattern, gpointer data, cairo_surface_t *surface)
{
  cairo_surface_destroy (surface);
}

static cairo_status_t
copy (cairo_pattern_t *pattern, gpointer data, const cairo_pattern_t *other)
{
  g_ref_count_inc (&((Source *)data)->count);
  return CAIRO_STATUS_SUCCESS;
}

static void
finish (cairo_pattern_t *pattern, gpointer data)
{
  source_unref (data);
}

cairo_pattern_t *
tsr_raster_source_new (TsrRasterPool *pool, TsrDrawRaster *raster, const guint32 colors[256])
{
  Source *self = g_new0 (Source, 1);
  cairo_pattern_t *pattern = cairo_pattern_create_raster_source (self, CAIRO_CONTENT_COLOR_ALPHA,
                                                                 raster->width, raster->height);

  g_ref_count_init (&self->count);
  g_ref_count_inc (&pool->count);
  self->pool = pool;
  self->raster = tsr_draw_raster_ref (raster);
  memcpy (self->colors, colors, sizeof self->colors);
  cairo_raster_source_pattern_set_acquire (pattern, acquire, release);
  cairo_raster_source_pattern_set_copy (pattern, copy);
  cairo_raster_source_pattern_set_finish (pattern, finish);
  return pattern;
}

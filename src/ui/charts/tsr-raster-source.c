/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GTK keeps the nodes of the frame before for comparison, so the images of two frames take turns.
 * Their heights change from frame to frame, what pixels stand in does not: new memory is paged in
 * and cleared, which costs more than painting it.  Cairo copies patterns as it likes: each copy
 * holds a reference, `finish` gives it up. */

#include "config.h"

#include "tsr-raster-source.h"

#include <string.h>

#define MAX_SPARE 3 /* a chart, what is filtered of it, a strip below */

typedef struct
{
  TsrRasterPool *pool;
  guint32 *pixels;
  gsize size; /* bytes */
} Block;

struct _TsrRasterPool
{
  grefcount count;
  Block *spare[MAX_SPARE]; /* nobody uses; they hold no reference */
  guint n_spare;
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

static void
block_free (Block *block)
{
  g_free (block->pixels);
  g_free (block);
}

void
tsr_raster_pool_unref (TsrRasterPool *self)
{
  if (!g_ref_count_dec (&self->count))
    return;
  for (guint i = 0; i < self->n_spare; i++)
    block_free (self->spare[i]);
  g_free (self);
}

/* Back to its pool, where the smallest has to go when there are too many. */
static void
give_block (gpointer data)
{
  Block *block = data;
  TsrRasterPool *pool = g_steal_pointer (&block->pool);

  for (guint i = 0; pool->n_spare == MAX_SPARE && i < MAX_SPARE; i++)
    if (pool->spare[i]->size < block->size)
      {
        Block *smaller = pool->spare[i];

        pool->spare[i] = block;
        block = smaller;
      }
  if (pool->n_spare < MAX_SPARE)
    pool->spare[pool->n_spare++] = block;
  else
    block_free (block);
  tsr_raster_pool_unref (pool);
}

/* The smallest that has room; else the largest makes place for a new one. (returns) (nullable) */
static Block *
take_block (TsrRasterPool *pool, gsize size)
{
  Block *block;
  guint best = 0;

  for (guint i = 1; i < pool->n_spare; i++)
    {
      gsize one = pool->spare[i]->size;
      gsize other = pool->spare[best]->size;

      if (other < size ? one > other : one >= size && one < other)
        best = i;
    }
  if (pool->n_spare > 0)
    {
      block = pool->spare[best];
      pool->spare[best] = pool->spare[--pool->n_spare];
      if (block->size >= size)
        return block;
      block_free (block);
    }
  block = g_new0 (Block, 1);
  block->pixels = g_try_malloc (size);
  block->size = size;
  if (block->pixels == NULL)
    g_clear_pointer (&block, block_free);
  return block;
}

/* Cairo may keep the surface: its pixels come back when it goes. */
static cairo_surface_t *
new_image (TsrRasterPool *pool, int width, int height)
{
  static const cairo_user_data_key_t key;
  int stride = cairo_format_stride_for_width (CAIRO_FORMAT_ARGB32, width);
  Block *block = take_block (pool, (gsize)stride * height);
  cairo_surface_t *image;

  if (block == NULL)
    return cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  image = cairo_image_surface_create_for_data ((guchar *)block->pixels, CAIRO_FORMAT_ARGB32, width,
                                               height, stride);
  block->pool = pool;
  g_ref_count_inc (&pool->count);
  if (cairo_surface_set_user_data (image, &key, block, give_block) != CAIRO_STATUS_SUCCESS)
    give_block (block); /* nobody paints on a surface that is in error */
  return image;
}

static void
source_unref (Source *self)
{
  if (!g_ref_count_dec (&self->count))
    return;
  g_clear_pointer (&self->image, cairo_surface_destroy);
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
      self->image = new_image (self->pool, self->raster->width, self->raster->height);
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

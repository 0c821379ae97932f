/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Costs that shaped this (GTK 4.8, cairo renderer): a colour node about 1 us, a cairo node by its
 * area.  So nothing here makes a cairo node larger than it must be: a polyline that is not made of
 * steps is cut into short pieces, each with bounds of its own. */

#include "config.h"

#include "tsr-screen-painter.h"

#include "tsr-palette.h"
#include "tsr-raster-source.h"

#include <math.h>

#define MAX_TEXTS     1500 /* kept; then all are forgotten */
#define PIECE_POINTS  24   /* of a polyline in one cairo node */
#define HATCH_SPACING 6.0

typedef struct
{
  PangoLayout *layout;
  PangoRectangle extents; /* logical */
  GskRenderNode *node;    /* (nullable) of the layout at (0, 0) in @color */
  GdkRGBA color;
} Text;

struct _TsrScreenPainter
{
  GtkWidget *widget;
  TsrTextMeasure measure;
  GHashTable *texts; /* key text -> Text */
  GString *key;      /* scratch */
  TsrRasterPool *pool;
  guint32 colors[256]; /* premultiplied, of inks at this alpha */
  double colors_alpha; /* NAN: not made yet */
  gboolean colors_dark;
};

typedef struct
{
  TsrScreenPainter *painter;
  const TsrDrawList *list;
  GtkSnapshot *snapshot;
  gboolean dark;
  double scale;
} Frame;

static void
text_free (gpointer data)
{
  Text *text = data;

  g_clear_pointer (&text->node, gsk_render_node_unref);
  g_object_unref (text->layout);
  g_free (text);
}

/* A number as bytes that are not NUL, always as many. */
static void
append_to_key (GString *key, double number)
{
  for (guint rest = (guint)CLAMP (number, 0, G_MAXINT), i = 0; i < 5; i++, rest >>= 7)
    g_string_append_c (key, (char)(0x80 | (rest & 0x7f)));
}

static Text *
get_text (TsrScreenPainter *self, const char *text, double size, gboolean bold, double width)
{
  Text *kept;
  PangoLayout *layout;
  PangoFontDescription *font;
  PangoAttrList *attributes;

  /* Looked up twice for each label of each frame: no printf. */
  g_string_truncate (self->key, 0);
  append_to_key (self->key, size * PANGO_SCALE);
  append_to_key (self->key, width * PANGO_SCALE);
  g_string_append_c (self->key, bold ? 'b' : 'n');
  g_string_append (self->key, text);
  kept = g_hash_table_lookup (self->texts, self->key->str);
  if (kept != NULL)
    return kept;
  if (g_hash_table_size (self->texts) >= MAX_TEXTS)
    g_hash_table_remove_all (self->texts);
  layout = gtk_widget_create_pango_layout (self->widget, text);
  font = pango_font_description_copy (
      pango_context_get_font_description (pango_layout_get_context (layout)));
  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_font_description_set_weight (font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  if (width > 0)
    {
      pango_layout_set_width (layout, width * PANGO_SCALE);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    }
  kept = g_new0 (Text, 1);
  kept->layout = layout;
  pango_layout_get_extents (layout, NULL, &kept->extents);
  g_hash_table_insert (self->texts, g_strdup (self->key->str), kept);
  return kept;
}

static void
measure_text (
    gpointer data, const char *text, double size, gboolean bold, double *width, double *height)
{
  const Text *kept = get_text (data, text, size, bold, 0);

  if (width != NULL)
    *width = (double)kept->extents.width / PANGO_SCALE;
  if (height != NULL)
    *height = (double)kept->extents.height / PANGO_SCALE;
}

TsrScreenPainter *
tsr_screen_painter_new (GtkWidget *widget)
{
  TsrScreenPainter *self = g_new0 (TsrScreenPainter, 1);

  self->widget = widget;
  self->measure.measure = measure_text;
  self->measure.data = self;
  self->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, text_free);
  self->key = g_string_new (NULL);
  self->pool = tsr_raster_pool_new ();
  self->colors_alpha = NAN;
  return self;
}

void
tsr_screen_painter_free (TsrScreenPainter *self)
{
  g_hash_table_unref (self->texts);
  g_string_free (self->key, TRUE);
  tsr_raster_pool_unref (self->pool);
  g_free (self);
}

const TsrTextMeasure *
tsr_screen_painter_get_measure (TsrScreenPainter *self)
{
  return &self->measure;
}

void
tsr_screen_painter_forget (TsrScreenPainter *self)
{
  g_hash_table_remove_all (self->texts);
}

gboolean
tsr_widget_is_dark (GtkWidget *widget)
{
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  return 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue > 0.5;
}

static GdkRGBA
get_color (const Frame *frame, const TsrDrawItem *item)
{
  TsrColor color = tsr_palette_get (item->ink, frame->dark);

  return (GdkRGBA){ color.red, color.green, color.blue, color.alpha * item->alpha };
}

static double
snap (const Frame *frame, double value)
{
  return round (value * frame->scale) / frame->scale;
}

/* Edges go to device pixels, so that neighbours still touch; what is there stays visible. */
static void
paint_rect (
    const Frame *frame, const GdkRGBA *color, double x, double y, double width, double height)
{
  double left = snap (frame, MIN (x, x + width)), right = snap (frame, MAX (x, x + width));
  double top = snap (frame, MIN (y, y + height)), bottom = snap (frame, MAX (y, y + height));

  if (width == 0 || height == 0)
    return;
  right = MAX (right, left + 1 / frame->scale);
  bottom = MAX (bottom, top + 1 / frame->scale);
  gtk_snapshot_append_color (frame->snapshot, color,
                             &GRAPHENE_RECT_INIT (left, top, right - left, bottom - top));
}

static void
paint_straight (const Frame *frame,
                const GdkRGBA *color,
                const TsrDrawItem *item,
                double x1,
                double y1,
                double x2,
                double y2)
{
  double thick = MAX (snap (frame, item->line_width), 1 / frame->scale);
  double left = MIN (x1, x2), top = MIN (y1, y2);

  if (y1 == y2)
    paint_rect (frame, color, left, snap (frame, y1 - thick / 2), fabs (x2 - x1), thick);
  else
    paint_rect (frame, color, snap (frame, x1 - thick / 2), top, thick, fabs (y2 - y1));
}

static cairo_t *
begin_stroke (const Frame *frame,
              const TsrDrawItem *item,
              double left,
              double top,
              double right,
              double bottom)
{
  double margin = item->line_width + 1;
  GdkRGBA color = get_color (frame, item);
  cairo_t *cr = gtk_snapshot_append_cairo (
      frame->snapshot, &GRAPHENE_RECT_INIT (left - margin, top - margin, right - left + 2 * margin,
                                            bottom - top + 2 * margin));

  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, MAX (item->line_width, 1 / frame->scale));
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  if (item->dash > 0)
    {
      double dash = item->dash;

      cairo_set_dash (cr, &dash, 1, 0);
    }
  return cr;
}

static void
paint_line (const Frame *frame, const TsrDrawItem *item)
{
  double x1 = item->x, y1 = item->y, x2 = item->x + item->width, y2 = item->y + item->height;
  cairo_t *cr;

  if (item->dash <= 0 && (item->width == 0 || item->height == 0))
    {
      GdkRGBA color = get_color (frame, item);

      paint_straight (frame, &color, item, x1, y1, x2, y2);
      return;
    }
  if (item->width == 0 || item->height == 0)
    {
      /* A dashed line stays sharp: its middle goes to the middle of a device pixel. */
      double offset = fmod (MAX (round (item->line_width * frame->scale), 1), 2) / 2 / frame->scale;

      if (item->width == 0)
        x1 = x2 = floor (x1 * frame->scale) / frame->scale + offset;
      else
        y1 = y2 = floor (y1 * frame->scale) / frame->scale + offset;
    }
  cr = begin_stroke (frame, item, MIN (x1, x2), MIN (y1, y2), MAX (x1, x2), MAX (y1, y2));
  cairo_move_to (cr, x1, y1);
  cairo_line_to (cr, x2, y2);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static gboolean
is_stepped (const TsrDrawPoint *points, guint n)
{
  for (guint i = 1; i < n; i++)
    if (points[i].x != points[i - 1].x && points[i].y != points[i - 1].y)
      return FALSE;
  return TRUE;
}

static void
paint_piece (const Frame *frame, const TsrDrawItem *item, const TsrDrawPoint *points, guint n)
{
  double left = points[0].x, right = left, top = points[0].y, bottom = top;
  cairo_t *cr;

  for (guint i = 1; i < n; i++)
    {
      left = MIN (left, points[i].x);
      right = MAX (right, points[i].x);
      top = MIN (top, points[i].y);
      bottom = MAX (bottom, points[i].y);
    }
  cr = begin_stroke (frame, item, left, top, right, bottom);
  cairo_move_to (cr, points[0].x, points[0].y);
  for (guint i = 1; i < n; i++)
    cairo_line_to (cr, points[i].x, points[i].y);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
paint_polyline (const Frame *frame, const TsrDrawItem *item)
{
  const TsrDrawPoint *points = &g_array_index (frame->list->points, TsrDrawPoint, item->first);
  GdkRGBA color = get_color (frame, item);

  if (item->n < 2)
    return;
  if (item->dash <= 0 && is_stepped (points, item->n))
    for (guint i = 1; i < item->n; i++)
      paint_straight (frame, &color, item, points[i - 1].x, points[i - 1].y, points[i].x,
                      points[i].y);
  else if (item->dash > 0)
    paint_piece (frame, item, points, item->n);
  else
    for (guint i = 0; i + 1 < item->n; i += PIECE_POINTS - 1)
      paint_piece (frame, item, points + i, MIN (PIECE_POINTS, item->n - i));
}

/* Hatches that follow one another with the same ink make one node: an overflow across a thousand
 * columns is one area to the eye as well.  Returns how many items it painted. */
static guint
paint_hatches (const Frame *frame, guint first)
{
  const TsrDrawItem *items = &g_array_index (frame->list->items, TsrDrawItem, 0);
  const TsrDrawItem *item = &items[first];
  double left = item->x, right = item->x + item->width;
  double top = item->y, bottom = item->y + item->height;
  guint n = 1;
  cairo_t *cr;

  while (first + n < frame->list->items->len && items[first + n].kind == TSR_ITEM_HATCH
         && items[first + n].ink == item->ink && items[first + n].alpha == item->alpha)
    {
      const TsrDrawItem *next = &items[first + n];

      left = MIN (left, next->x);
      right = MAX (right, next->x + next->width);
      top = MIN (top, next->y);
      bottom = MAX (bottom, next->y + next->height);
      n++;
    }
  if (right <= left || bottom <= top)
    return n;
  cr = begin_stroke (frame, item, left, top, right, bottom);
  for (guint i = 0; i < n; i++)
    {
      const TsrDrawItem *one = &items[first + i];
      double x1 = snap (frame, one->x), x2 = snap (frame, one->x + one->width);
      double y1 = snap (frame, one->y), y2 = snap (frame, one->y + one->height);

      cairo_rectangle (cr, x1, y1, MAX (x2 - x1, 1 / frame->scale),
                       MAX (y2 - y1, 1 / frame->scale));
    }
  cairo_clip (cr);
  /* Lines x + y = k * spacing, the same whatever the bounds: hatches join. */
  for (double k = floor ((left + top) / HATCH_SPACING); k * HATCH_SPACING < right + bottom; k++)
    {
      cairo_move_to (cr, k * HATCH_SPACING - top + 1, top - 1);
      cairo_line_to (cr, k * HATCH_SPACING - bottom - 1, bottom + 1);
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
  return n;
}

/* Glyphs are measured when a node is made, not each time that it is shown. */
static GskRenderNode *
get_text_node (Text *text, const GdkRGBA *color)
{
  GtkSnapshot *snapshot;

  if (text->node != NULL && gdk_rgba_equal (&text->color, color))
    return text->node;
  g_clear_pointer (&text->node, gsk_render_node_unref);
  snapshot = gtk_snapshot_new ();
  gtk_snapshot_append_layout (snapshot, text->layout, color);
  text->node = gtk_snapshot_free_to_node (snapshot);
  text->color = *color;
  return text->node;
}

static void
paint_label (const Frame *frame, const TsrDrawItem *item)
{
  const char *text = tsr_draw_list_get_text (frame->list, item);
  GdkRGBA color = get_color (frame, item);
  GskTransform *place;
  GskRenderNode *node;
  Text *kept;
  double x, y;

  if (text == NULL || *text == '\0')
    return;
  kept = get_text (frame->painter, text, item->font_size, item->bold, item->width);
  x = item->x - (item->xalign * kept->extents.width + kept->extents.x) / PANGO_SCALE;
  y = item->y - item->yalign * kept->extents.height / PANGO_SCALE;
  node = get_text_node (kept, &color);
  if (node == NULL)
    return; /* spaces */
  place = gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (snap (frame, x), snap (frame, y)));
  /* Nowhere to go is no transform. */
  if (place == NULL)
    {
      gtk_snapshot_append_node (frame->snapshot, node);
      return;
    }
  node = gsk_transform_node_new (node, place);
  gtk_snapshot_append_node (frame->snapshot, node);
  gsk_render_node_unref (node);
  gsk_transform_unref (place);
}

/* Rasters mostly look alike: colours of the last one are kept. */
static const guint32 *
get_colors (const Frame *frame, double item_alpha)
{
  TsrScreenPainter *self = frame->painter;

  if (self->colors_alpha == item_alpha && self->colors_dark == frame->dark)
    return self->colors;
  for (guint ink = 0; ink < TSR_N_INKS; ink++)
    {
      TsrColor color = tsr_palette_get (ink, frame->dark);
      double alpha = color.alpha * item_alpha;

      self->colors[ink] = (guint32)lround (alpha * 255) << 24
                          | (guint32)lround (color.red * alpha * 255) << 16
                          | (guint32)lround (color.green * alpha * 255) << 8
                          | (guint32)lround (color.blue * alpha * 255);
    }
  self->colors[TSR_RASTER_CLEAR] = 0;
  self->colors_alpha = item_alpha;
  self->colors_dark = frame->dark;
  return self->colors;
}

/* A cairo node with an image in it, pixel on pixel.  The same as a GdkMemoryTexture costs the cairo
 * renderer 20 ms for 1500 x 900, because GTK 4.8 converts textures through floats. */
static void
paint_raster (const Frame *frame, const TsrDrawItem *item)
{
  TsrDrawRaster *raster = g_ptr_array_index (frame->list->rasters, item->first);
  double x = snap (frame, item->x), y = snap (frame, item->y);
  cairo_pattern_t *source;
  cairo_t *cr;

  if (raster->width == 0 || raster->height == 0)
    return;
  source = tsr_raster_source_new (frame->painter->pool, raster, get_colors (frame, item->alpha));
  cr = gtk_snapshot_append_cairo (
      frame->snapshot,
      &GRAPHENE_RECT_INIT (x, y, raster->width / frame->scale, raster->height / frame->scale));
  cairo_translate (cr, x, y);
  cairo_scale (cr, 1 / frame->scale, 1 / frame->scale);
  cairo_pattern_set_filter (source, CAIRO_FILTER_NEAREST);
  cairo_set_source (cr, source);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_pattern_destroy (source);
}

void
tsr_screen_painter_paint (TsrScreenPainter *self,
                          const TsrDrawList *list,
                          GtkSnapshot *snapshot,
                          gboolean dark,
                          double scale)
{
  Frame frame = { self, list, snapshot, dark, scale };

  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);
      GdkRGBA color;

      switch (item->kind)
        {
        case TSR_ITEM_RECT:
          color = get_color (&frame, item);
          paint_rect (&frame, &color, item->x, item->y, item->width, item->height);
          break;
        case TSR_ITEM_HATCH:
          i += paint_hatches (&frame, i) - 1;
          break;
        case TSR_ITEM_LINE:
          paint_line (&frame, item);
          break;
        case TSR_ITEM_POLYLINE:
          paint_polyline (&frame, item);
          break;
        case TSR_ITEM_LABEL:
          paint_label (&frame, item);
          break;
        case TSR_ITEM_RASTER:
          paint_raster (&frame, item);
          break;
        default:
          g_assert_not_reached ();
        }
    }
}

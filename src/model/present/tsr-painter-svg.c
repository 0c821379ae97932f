/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A draw list as SVG 1.1 with text as text, so that it can be searched, read out and edited. */

#include "config.h"

#include "tsr-painter-private.h"
#include "tsr-palette.h"

#include <cairo.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The baseline below the top of a line of text, and its descent, in parts of its height: what
 * viewers have for "sans-serif", near enough for 11 pixels. */
#define ASCENT 0.797

static void
append_number (GString *out, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  char *end;

  g_ascii_formatd (buffer, sizeof buffer, "%.3f", number);
  end = buffer + strlen (buffer);
  while (end[-1] == '0')
    *--end = '\0';
  if (end[-1] == '.')
    *--end = '\0';
  g_string_append (out, buffer);
}

static void
append_attribute (GString *out, const char *name, double number)
{
  g_string_append_printf (out, " %s=\"", name);
  append_number (out, number);
  g_string_append_c (out, '"');
}

/* XML knows no control characters, whatever the escape. */
static void
append_text (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *escaped = NULL;

  for (char *c = valid; *c != '\0'; c++)
    if ((guchar)*c < ' ')
      *c = ' ';
  escaped = g_markup_escape_text (valid, -1);
  g_string_append (out, escaped);
}

static void
append_color (GString *out, const char *name, const TsrDrawItem *item, gboolean dark)
{
  TsrColor color = tsr_palette_get (item->ink, dark);

  g_string_append_printf (out, " %s=\"#%02x%02x%02x\"", name, (guint)(color.red * 255 + 0.5f),
                          (guint)(color.green * 255 + 0.5f), (guint)(color.blue * 255 + 0.5f));
  if (item->alpha * color.alpha < 1)
    {
      g_string_append_printf (out, " %s-opacity=\"", name);
      append_number (out, item->alpha * color.alpha);
      g_string_append_c (out, '"');
    }
}

static void
append_stroke (GString *out, const TsrDrawItem *item, gboolean dark)
{
  append_color (out, "stroke", item, dark);
  append_attribute (out, "stroke-width", item->line_width);
  if (item->dash > 0)
    append_attribute (out, "stroke-dasharray", item->dash);
}

static void
append_box (GString *out, const TsrDrawItem *item)
{
  append_attribute (out, "x", item->x);
  append_attribute (out, "y", item->y);
  append_attribute (out, "width", item->width);
  append_attribute (out, "height", item->height);
}

/* Lines of a hatch, cut to the rectangle here: no clip path for each. */
static void
append_hatch (GString *out, const TsrDrawItem *item, gboolean dark)
{
  double last = item->x + item->width + item->y + item->height;
  double sum = ceil ((item->x + item->y) / TSR_HATCH_SPACING) * TSR_HATCH_SPACING;

  g_string_append (out, "<path fill=\"none\" d=\"");
  for (; sum <= last; sum += TSR_HATCH_SPACING)
    {
      double x0 = MIN (item->x + item->width, sum - item->y);
      double y1 = MIN (item->y + item->height, sum - item->x);

      g_string_append_c (out, 'M');
      append_number (out, x0);
      g_string_append_c (out, ' ');
      append_number (out, sum - x0);
      g_string_append_c (out, 'L');
      append_number (out, sum - y1);
      g_string_append_c (out, ' ');
      append_number (out, y1);
    }
  g_string_append_c (out, '"');
  append_stroke (out, item, dark);
  g_string_append (out, "/>\n");
}

static void
append_polyline (GString *out, const TsrDrawList *list, const TsrDrawItem *item, gboolean dark)
{
  g_string_append (out, "<polyline fill=\"none\" points=\"");
  for (guint i = 0; i < item->n; i++)
    {
      const TsrDrawPoint *point = &g_array_index (list->points, TsrDrawPoint, item->first + i);

      append_number (out, point->x);
      g_string_append_c (out, ',');
      append_number (out, point->y);
      g_string_append_c (out, ' ');
    }
  g_string_append_c (out, '"');
  append_stroke (out, item, dark);
  g_string_append (out, "/>\n");
}

static void
append_label (GString *out, const TsrDrawList *list, const TsrDrawItem *item, gboolean dark)
{
  const TsrTextMeasure *measure = tsr_painter_get_measure ();
  const char *text = tsr_draw_list_get_text (list, item);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *fitting
      = item->width > 0 ? tsr_painter_dup_fitting (valid, item->font_size, item->bold, item->width)
                        : g_strdup (valid);
  double width;
  double height;

  measure->measure (measure->data, fitting, item->font_size, item->bold, &width, &height);
  g_string_append (out, "<text");
  /* The viewer's font is another: the anchor keeps the point that must not move. */
  append_attribute (out, "x", item->x);
  append_attribute (out, "y", item->y - item->yalign * height + ASCENT * height);
  append_attribute (out, "font-size", item->font_size);
  if (item->bold)
    g_string_append (out, " font-weight=\"bold\"");
  g_string_append_printf (out, " text-anchor=\"%s\"",
                          item->xalign == 0   ? "start"
                          : item->xalign == 1 ? "end"
                                              : "middle");
  append_color (out, "fill", item, dark);
  g_string_append_c (out, '>');
  append_text (out, fitting);
  g_string_append (out, "</text>\n");
}

static cairo_status_t
write_bytes (void *closure, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (closure, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_status_t
append_raster (GString *out, const TsrDrawList *list, const TsrDrawItem *item, gboolean dark)
{
  const TsrDrawRaster *raster = g_ptr_array_index (list->rasters, item->first);
  g_autofree guint32 *pixels = NULL;
  g_autofree char *base64 = NULL;
  g_autoptr (GByteArray) png = g_byte_array_new ();
  cairo_surface_t *surface;
  cairo_status_t status;

  if (raster->width == 0 || raster->height == 0)
    return CAIRO_STATUS_SUCCESS;
  pixels = tsr_painter_dup_pixels (raster, dark);
  surface = cairo_image_surface_create_for_data ((guchar *)pixels, CAIRO_FORMAT_ARGB32,
                                                 raster->width, raster->height, raster->width * 4);
  status = cairo_surface_write_to_png_stream (surface, write_bytes, png);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return status;
  base64 = g_base64_encode (png->data, png->len);
  g_string_append (out, "<image");
  append_box (out, item);
  if (item->alpha < 1)
    append_attribute (out, "opacity", item->alpha);
  g_string_append_printf (out,
                          " preserveAspectRatio=\"none\" image-rendering=\"pixelated\""
                          " xlink:href=\"data:image/png;base64,%s\"/>\n",
                          base64);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_status_t
append_item (GString *out, const TsrDrawList *list, const TsrDrawItem *item, gboolean dark)
{
  switch (item->kind)
    {
    case TSR_ITEM_HATCH:
      append_hatch (out, item, dark);
      break;
    case TSR_ITEM_LINE:
      g_string_append (out, "<line");
      append_attribute (out, "x1", item->x);
      append_attribute (out, "y1", item->y);
      append_attribute (out, "x2", item->x + item->width);
      append_attribute (out, "y2", item->y + item->height);
      append_stroke (out, item, dark);
      g_string_append (out, "/>\n");
      break;
    case TSR_ITEM_POLYLINE:
      append_polyline (out, list, item, dark);
      break;
    case TSR_ITEM_LABEL:
      append_label (out, list, item, dark);
      break;
    case TSR_ITEM_RASTER:
      return append_raster (out, list, item, dark);
    case TSR_ITEM_RECT:
    default:
      g_string_append (out, "<rect");
      append_box (out, item);
      append_color (out, "fill", item, dark);
      g_string_append (out, "/>\n");
      break;
    }
  return CAIRO_STATUS_SUCCESS;
}

gboolean
tsr_painter_draw_svg (const TsrDrawList *list,
                      int width,
                      int height,
                      gboolean dark,
                      const char *title,
                      GByteArray *bytes,
                      const char *path,
                      GError **error)
{
  g_autoptr (GString) out = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");

  g_string_append_printf (out,
                          "<svg xmlns=\"http://www.w3.org/2000/svg\""
                          " xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\""
                          " width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                          " font-family=\"Cantarell, 'DejaVu Sans', sans-serif\""
                          " style=\"font-variant-numeric: tabular-nums\">\n<title>",
                          width, height, width, height);
  append_text (out, title);
  g_string_append (out, "</title>\n");
  for (guint i = 0; i < list->items->len; i++)
    {
      cairo_status_t status
          = append_item (out, list, &g_array_index (list->items, TsrDrawItem, i), dark);

      if (status != CAIRO_STATUS_SUCCESS)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("Cannot draw the image for %s: %s"),
                       path, cairo_status_to_string (status));
          return FALSE;
        }
    }
  g_string_append (out, "</svg>\n");
  g_byte_array_append (bytes, (const guint8 *)out->str, out->len);
  return TRUE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Draw lists through cairo and Pango, and the writing of image files.  SVG has a writer of its own:
 * cairo's turns text into outlines. */

#include "config.h"

#include "tsr-painter.h"

#include "tsr-error.h"
#include "tsr-palette.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

static char *
tsr_painter_dup_fitting (const char *text, double font_size, gboolean bold, double room);
static guint32 *tsr_painter_dup_pixels (const TsrDrawRaster *raster, gboolean dark);

/* A draw list as SVG 1.1 with text as text, so that it can be searched, read out and edited. */

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
write_svg_bytes (void *closure, const unsigned char *bytes, unsigned int length)
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
  status = cairo_surface_write_to_png_stream (surface, write_svg_bytes, png);
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

static gboolean
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

/* Pixels of a picture, and its sides: beyond that a typing error is likelier than a wish. */
#define MAX_SIDE        32767
#define MAX_PIXELS      (256 * 1024 * 1024)
#define VECTOR_SCALE    3.0 /* rasters inside vector formats */
#define POINTS_PER_UNIT 0.75

/* ------------------------------------------------------------------- text */

static PangoLayout *
create_layout (PangoContext *context, const char *text, double font_size, gboolean bold)
{
  PangoLayout *layout = pango_layout_new (context);
  PangoFontDescription *font = pango_font_description_from_string ("Sans");
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_font_description_set_absolute_size (font, font_size * PANGO_SCALE);
  pango_font_description_set_weight (font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text, -1);
  return layout;
}

static PangoContext *
create_context (void)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();

  /* 96 dpi, unhinted: the same widths on screen, PNG and paper. */
  pango_cairo_context_set_resolution (context, 96);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  pango_context_set_round_glyph_positions (context, FALSE);
  return context;
}

/* Pango's font map is one for each thread, and so is what hangs on it. */
static PangoContext *
peek_context (void)
{
  static GPrivate key = G_PRIVATE_INIT (g_object_unref);
  PangoContext *context = g_private_get (&key);

  if (context == NULL)
    {
      context = create_context ();
      g_private_set (&key, context);
    }
  return context;
}

static void
measure_text (
    gpointer data, const char *text, double font_size, gboolean bold, double *width, double *height)
{
  g_autoptr (PangoLayout) layout = create_layout (peek_context (), text, font_size, bold);
  int w;
  int h;

  pango_layout_get_size (layout, &w, &h);
  if (width != NULL)
    *width = (double)w / PANGO_SCALE;
  if (height != NULL)
    *height = (double)h / PANGO_SCALE;
}

const TsrTextMeasure *
tsr_painter_get_measure (void)
{
  static const TsrTextMeasure measure = { measure_text, NULL };

  return &measure;
}

/* (transfer full): @text cut with an ellipsis so that it is at most @room wide. */
static char *
tsr_painter_dup_fitting (const char *text, double font_size, gboolean bold, double room)
{
  g_autofree char *cut = g_strdup (text);
  double width;

  for (;;)
    {
      g_autofree char *candidate = g_strconcat (cut, "…", NULL);
      char *last;

      measure_text (NULL, strcmp (cut, text) == 0 ? text : candidate, font_size, bold, &width,
                    NULL);
      if (width <= room || *cut == '\0')
        return g_strdup (strcmp (cut, text) == 0 ? text : candidate);
      last = g_utf8_find_prev_char (cut, cut + strlen (cut));
      if (last == NULL)
        return g_strdup ("…");
      *last = '\0';
    }
}

/* --------------------------------------------------------------- painting */

static void
set_ink (cairo_t *cr, const TsrDrawItem *item, gboolean dark)
{
  TsrColor color = tsr_palette_get (item->ink, dark);

  cairo_set_source_rgba (cr, color.red, color.green, color.blue, color.alpha * item->alpha);
}

static void
set_line (cairo_t *cr, const TsrDrawItem *item)
{
  double dash = item->dash;

  cairo_set_line_width (cr, item->line_width);
  cairo_set_dash (cr, &dash, dash > 0, 0);
}

static void
paint_hatch (cairo_t *cr, const TsrDrawItem *item)
{
  double first = floor ((item->x + item->y) / TSR_HATCH_SPACING) * TSR_HATCH_SPACING;
  double last = item->x + item->width + item->y + item->height;

  cairo_save (cr);
  cairo_rectangle (cr, item->x, item->y, item->width, item->height);
  cairo_clip (cr);
  for (double sum = first; sum <= last; sum += TSR_HATCH_SPACING)
    {
      cairo_move_to (cr, sum - item->y, item->y);
      cairo_line_to (cr, sum - item->y - item->height, item->y + item->height);
    }
  set_line (cr, item);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
paint_polyline (cairo_t *cr, const TsrDrawList *list, const TsrDrawItem *item)
{
  for (guint i = 0; i < item->n; i++)
    {
      const TsrDrawPoint *point = &g_array_index (list->points, TsrDrawPoint, item->first + i);

      cairo_line_to (cr, point->x, point->y);
    }
  set_line (cr, item);
  cairo_stroke (cr);
}

static void
paint_label (cairo_t *cr, const TsrDrawList *list, const TsrDrawItem *item)
{
  const char *text = tsr_draw_list_get_text (list, item);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (PangoLayout) layout
      = create_layout (peek_context (), valid, item->font_size, item->bold);
  PangoRectangle logical;

  if (item->width > 0)
    {
      pango_layout_set_width (layout, item->width * PANGO_SCALE);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    }
  pango_layout_get_extents (layout, NULL, &logical);
  cairo_move_to (cr, item->x - item->xalign * logical.width / PANGO_SCALE,
                 item->y - item->yalign * logical.height / PANGO_SCALE);
  pango_cairo_show_layout (cr, layout);
}

/* (transfer full): native-endian 0xAARRGGBB, premultiplied by nature. */
static guint32 *
tsr_painter_dup_pixels (const TsrDrawRaster *raster, gboolean dark)
{
  gsize n = (gsize)raster->width * raster->height;
  guint32 *pixels = g_new (guint32, MAX (n, 1));
  guint32 colors[256] = { 0 };

  for (guint ink = 0; ink < TSR_N_INKS; ink++)
    {
      TsrColor color = tsr_palette_get (ink, dark);

      colors[ink] = 0xff000000u | (guint32)(color.red * 255 + 0.5f) << 16
                    | (guint32)(color.green * 255 + 0.5f) << 8 | (guint32)(color.blue * 255 + 0.5f);
    }
  tsr_draw_raster_paint (raster, colors, pixels, raster->width);
  return pixels;
}

static void
paint_raster (cairo_t *cr, const TsrDrawList *list, const TsrDrawItem *item, gboolean dark)
{
  const TsrDrawRaster *raster = g_ptr_array_index (list->rasters, item->first);
  g_autofree guint32 *pixels = NULL;
  cairo_surface_t *surface;

  if (raster->width == 0 || raster->height == 0)
    return;
  pixels = tsr_painter_dup_pixels (raster, dark);
  surface = cairo_image_surface_create_for_data ((guchar *)pixels, CAIRO_FORMAT_ARGB32,
                                                 raster->width, raster->height, raster->width * 4);
  cairo_save (cr);
  cairo_translate (cr, item->x, item->y);
  cairo_scale (cr, item->width / raster->width, item->height / raster->height);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  if (item->alpha < 1)
    cairo_paint_with_alpha (cr, item->alpha);
  else
    cairo_paint (cr);
  cairo_restore (cr);
  /* A vector surface that still needs the pixels copies them here. */
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
}

/* Paints @list onto @cr, (0, 0) at the top left. */
static void
tsr_painter_paint (cairo_t *cr, const TsrDrawList *list, gboolean dark)
{
  cairo_save (cr);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      set_ink (cr, item, dark);
      cairo_new_path (cr);
      switch (item->kind)
        {
        case TSR_ITEM_RECT:
          cairo_rectangle (cr, item->x, item->y, item->width, item->height);
          cairo_fill (cr);
          break;
        case TSR_ITEM_HATCH:
          paint_hatch (cr, item);
          break;
        case TSR_ITEM_LINE:
          cairo_move_to (cr, item->x, item->y);
          cairo_line_to (cr, item->x + item->width, item->y + item->height);
          set_line (cr, item);
          cairo_stroke (cr);
          break;
        case TSR_ITEM_POLYLINE:
          paint_polyline (cr, list, item);
          break;
        case TSR_ITEM_LABEL:
          paint_label (cr, list, item);
          break;
        case TSR_ITEM_RASTER:
        default:
          paint_raster (cr, list, item, dark);
          break;
        }
    }
  cairo_restore (cr);
}

/* ------------------------------------------------------------------ files */

typedef enum
{
  FORMAT_PNG,
  FORMAT_SVG,
  FORMAT_PDF,
} Format;

static gboolean
parse_format (const char *path, Format *format, GError **error)
{
  static const char *const endings[] = { ".png", ".svg", ".pdf" };
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i]))
      {
        *format = i;
        return TRUE;
      }
  g_set_error (error, TSR_ERROR, TSR_ERROR_UNSUPPORTED,
               _ ("Cannot save an image as %s: the name must end in .png, .svg or .pdf"), path);
  return FALSE;
}

static cairo_status_t
write_bytes (void *closure, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (closure, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

static gboolean
set_cairo_error (cairo_status_t status, const char *path, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("Cannot draw the image for %s: %s"), path,
               cairo_status_to_string (status));
  return FALSE;
}

static gboolean
draw_png (const TsrDrawList *list,
          int width,
          int height,
          double scale,
          gboolean dark,
          GByteArray *out,
          const char *path,
          GError **error)
{
  cairo_surface_t *surface = cairo_image_surface_create (
      CAIRO_FORMAT_RGB24, (int)ceil (width * scale), (int)ceil (height * scale));
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  cairo_scale (cr, scale, scale);
  tsr_painter_paint (cr, list, dark);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream (surface, write_bytes, out);
  cairo_surface_destroy (surface);
  return set_cairo_error (status, path, error);
}

static gboolean
draw_pdf (const TsrDrawList *list,
          int width,
          int height,
          gboolean dark,
          const char *title,
          GByteArray *out,
          const char *path,
          GError **error)
{
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (
      write_bytes, out, width * POINTS_PER_UNIT, height * POINTS_PER_UNIT);
  cairo_t *cr;
  cairo_status_t status;

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, title);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Tessera " TSR_VERSION);
  cr = cairo_create (surface);
  cairo_scale (cr, POINTS_PER_UNIT, POINTS_PER_UNIT);
  tsr_painter_paint (cr, list, dark);
  cairo_show_page (cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return set_cairo_error (status, path, error);
}

/* Whole or not at all: written beside the target under a name of its own, then renamed.  A link is
 * followed, so that it stays a link; a target that is no file (a device, a folder) is refused. */
static gboolean
save (const char *path, GByteArray *bytes, GError **error)
{
  g_autofree char *target = realpath (path, NULL);
  GStatBuf info;
  g_autoptr (GError) local = NULL;

  if (target == NULL)
    target = g_strdup (path);
  if (g_stat (target, &info) == 0 && !S_ISREG (info.st_mode))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                   _ ("Cannot write %s: it is not a file; choose another name"), path);
      return FALSE;
    }
  if (g_file_set_contents_full (target, (const char *)bytes->data, bytes->len,
                                G_FILE_SET_CONTENTS_CONSISTENT, 0666, &local))
    return TRUE;
  g_set_error (error, G_IO_ERROR,
               local->domain == G_FILE_ERROR ? g_io_error_from_errno (errno) : G_IO_ERROR_FAILED,
               _ ("Cannot write %s: %s; choose another folder or name"), path, local->message);
  return FALSE;
}

static gboolean
check_size (const char *path, int width, int height, double scale, GError **error)
{
  if (width >= 1 && height >= 1 && scale >= 0.1 && scale <= 16 && width * scale <= MAX_SIDE
      && height * scale <= MAX_SIDE && width * scale * height * scale <= MAX_PIXELS)
    return TRUE;
  g_set_error (error, TSR_ERROR, TSR_ERROR_LIMIT,
               _ ("Cannot draw %s: %d x %d at %g times is not a size that an image can have; "
                  "choose at most %d on each side"),
               path, width, height, scale, MAX_SIDE);
  return FALSE;
}

gboolean
tsr_painter_export (TsrChartModel *model,
                    const char *path,
                    double from,
                    double to,
                    int width,
                    int height,
                    double scale,
                    gboolean dark,
                    GError **error)
{
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *caption = NULL;
  TsrChartGeometry geometry = { .width = width, .height = height, .from = from, .to = to };
  TsrPlotArea area;
  Format format;
  gboolean drawn;

  g_return_val_if_fail (TSR_IS_CHART_MODEL (model), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (!parse_format (path, &format, error))
    return FALSE;
  geometry.scale = format == FORMAT_PNG ? scale : VECTOR_SCALE;
  if (!check_size (path, width, height, geometry.scale, error))
    return FALSE;
  caption = tsr_chart_model_dup_caption (model);
  geometry.legend = TRUE;
  geometry.title = caption;
  geometry.measure = *tsr_painter_get_measure ();
  tsr_draw_list_rect (list, TSR_INK_BACKGROUND, 0, 0, width, height);
  tsr_chart_model_layout (model, &geometry, list, &area);
  tsr_chart_model_layout_overlay (model, &geometry, &area, TSR_NO_DATUM, TSR_NO_DATUM, list);

  if (format == FORMAT_PNG)
    drawn = draw_png (list, width, height, scale, dark, bytes, path, error);
  else if (format == FORMAT_PDF)
    drawn = draw_pdf (list, width, height, dark, caption, bytes, path, error);
  else
    drawn = tsr_painter_draw_svg (list, width, height, dark, caption, bytes, path, error);
  return drawn && save (path, bytes, error);
}

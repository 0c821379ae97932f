/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images: pixels of a PNG at known places, an SVG that is XML with text in it, a PDF from head to
 * tail, and files that are written whole or not at all. */

#include "config.h"

#include "tsr-error.h"
#include "tsr-painter.h"
#include "tsr-palette.h"
#include "tsr-test.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LABEL "MMMgMMM"

/* ---- a chart of one of everything */

#define TYPE_SAMPLE (sample_get_type ())
G_DECLARE_FINAL_TYPE (Sample, sample, SAMPLE, CHART, TsrChartModel)

struct _Sample
{
  TsrChartModel parent_instance;
  const TsrDrawItem *label; /* (nullable): nothing but a label of its kind */
  gboolean thin;            /* nothing but rasters of 0, 1 and 2 columns */
};

G_DEFINE_FINAL_TYPE (Sample, sample, TSR_TYPE_CHART_MODEL)

static void
sample_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  *from = 0;
  *to = 10;
  *min_span = 1;
}

/* Whatever was painted before, this is not moved, cut or mixed. */
static void
add_square (TsrDrawList *list, guint k)
{
  tsr_draw_list_rect (list, TSR_INK_TOTAL, 130 + 10 * (double)k, 50, 8, 8);
}

static void
sample_layout (TsrChartModel *model,
               const TsrChartGeometry *geometry,
               TsrDrawList *list,
               TsrPlotArea *area)
{
  TsrDrawRaster *raster;

  const TsrDrawItem *label = SAMPLE_CHART (model)->label;

  *area = (TsrPlotArea){ 0, 0, geometry->width, geometry->height, 0, 1 };
  /* No window around it says what it is. */
  g_assert_true (geometry->legend);
  g_assert_cmpstr (geometry->title, ==, "Cap & tion");
  if (SAMPLE_CHART (model)->thin)
    {
      for (guint pixels = 0; pixels < 3; pixels++)
        {
          raster = tsr_draw_list_raster (list, 10 + 10 * pixels, 10, pixels / geometry->scale, 5,
                                         geometry->scale);
          memset (raster->inks, TSR_INK_REGION_0, raster->width * raster->height);
        }
      return;
    }
  if (label != NULL)
    {
      TsrDrawItem *item = tsr_draw_list_label (list, TSR_INK_TEXT, label->x, label->y,
                                               label->xalign, label->yalign, LABEL);

      item->width = label->width;
      item->bold = label->bold;
      item->font_size = label->font_size;
      return;
    }
  tsr_draw_list_rect (list, TSR_INK_TOTAL, 10, 10, 20, 20);
  tsr_draw_list_rect (list, TSR_INK_TEXT, 40, 10, 20, 20)->alpha = 0.5;
  add_square (list, 0);
  tsr_draw_list_hatch (list, TSR_INK_OVERFLOW, 70, 10, 24, 24)->line_width = 2;
  add_square (list, 1);
  tsr_draw_list_line (list, TSR_INK_AXIS, 10, 40.5, 90, 40.5)->dash = 4;
  add_square (list, 2);
  tsr_draw_list_line (list, TSR_INK_CAPACITY, 10, 50.5, 90, 50.5);
  tsr_draw_list_polyline (list, TSR_INK_GAPS);
  tsr_draw_list_point (list, 10, 60);
  tsr_draw_list_point (list, 50, 70);
  tsr_draw_list_point (list, 90, 60);
  add_square (list, 3);
  raster = tsr_draw_list_raster (list, 100, 10, 20, 20, geometry->scale);
  for (guint y = 0; y < raster->height / 2; y++)
    memset (raster->inks + y * raster->width, TSR_INK_REGION_0, raster->width);
  add_square (list, 4);
  raster = tsr_draw_list_raster (list, 100, 90, 20, 20, geometry->scale);
  memset (raster->inks, TSR_INK_REGION_0, raster->width * raster->height);
  g_array_index (list->items, TsrDrawItem, list->items->len - 1).alpha = 0.25;
  tsr_draw_list_label (list, TSR_INK_TEXT, 10, 80, 0, 0, "Fish & <Chips> \x01 \xff end");
  tsr_draw_list_label (list, TSR_INK_TEXT, 10, 100, 0, 0, "a long name that has no room")->width
      = 60;
  add_square (list, 5);
}

static char *
sample_dup_caption (TsrChartModel *model)
{
  return g_strdup ("Cap & tion");
}

static void
sample_class_init (SampleClass *klass)
{
  TSR_CHART_MODEL_CLASS (klass)->get_domain = sample_get_domain;
  TSR_CHART_MODEL_CLASS (klass)->layout = sample_layout;
  TSR_CHART_MODEL_CLASS (klass)->dup_caption = sample_dup_caption;
}

static void
sample_init (Sample *self)
{
}

static TsrColor
get_pixel (cairo_surface_t *surface, int x, int y)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  const guint32 pixel = *(
      const guint32 *)(gconstpointer)(data + y * cairo_image_surface_get_stride (surface) + x * 4);

  return (TsrColor){ .red = (pixel >> 16 & 0xff) / 255.f,
                     .green = (pixel >> 8 & 0xff) / 255.f,
                     .blue = (pixel & 0xff) / 255.f };
}

/* Whether anything but the background stands in a column, between two rows. */
static gboolean
has_ink (cairo_surface_t *surface, int x, int from, int to, gboolean dark)
{
  const TsrColor background = tsr_palette_get (TSR_INK_BACKGROUND, dark);

  for (int y = from; y < to; y++)
    {
      const TsrColor got = get_pixel (surface, x, y);

      if (fabs (got.red - background.red) > 0.1 || fabs (got.green - background.green) > 0.1
          || fabs (got.blue - background.blue) > 0.1)
        return TRUE;
    }
  return FALSE;
}

static gboolean
export_to (const char *path, int width, int height, double scale, gboolean dark, GError **error)
{
  g_autoptr (TsrChartModel) model = g_object_new (TYPE_SAMPLE, NULL);

  return tsr_painter_export (model, path, 0, 10, width, height, scale, dark, error);
}

static void
assert_pixel (cairo_surface_t *surface, int x, int y, guint ink, gboolean dark, double alpha)
{
  const TsrColor pixel = get_pixel (surface, x, y);
  TsrColor c = tsr_palette_get (ink, dark);
  TsrColor b = tsr_palette_get (TSR_INK_BACKGROUND, dark);
  const float over[3] = { c.red, c.green, c.blue };
  const float under[3] = { b.red, b.green, b.blue };
  const float got[3] = { pixel.red, pixel.green, pixel.blue };

  for (guint i = 0; i < 3; i++)
    {
      double wanted = 255 * (over[i] * alpha + under[i] * (1 - alpha));

      g_assert_cmpfloat_with_epsilon (255 * got[i], wanted, alpha < 1 ? 1.6 : 0.51);
    }
}

static void
test_png (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "a.PNG", NULL);
  g_autoptr (GError) error = NULL;

  for (int dark = 0; dark < 2; dark++)
    for (int scale = 1; scale <= 2; scale++)
      {
        cairo_surface_t *surface;

        g_assert_true (export_to (path, 200, 120, scale, dark, &error));
        g_assert_no_error (error);
        surface = cairo_image_surface_create_from_png (path);
        g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
        g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 200 * scale);
        g_assert_cmpint (cairo_image_surface_get_height (surface), ==, 120 * scale);
        cairo_surface_flush (surface);
        assert_pixel (surface, 5 * scale, 5 * scale, TSR_INK_BACKGROUND, dark, 1);
        assert_pixel (surface, 10 * scale, 10 * scale, TSR_INK_TOTAL, dark, 1);
        assert_pixel (surface, 30 * scale - 1, 30 * scale - 1, TSR_INK_TOTAL, dark, 1);
        assert_pixel (surface, 30 * scale, 20 * scale, TSR_INK_BACKGROUND, dark, 1);
        assert_pixel (surface, 50 * scale, 20 * scale, TSR_INK_TEXT, dark, 0.5);
        /* The middle of the pixel at (71, 12) is on a line of the hatch, x + y = 84. */
        assert_pixel (surface, 71 * scale, 12 * scale, TSR_INK_OVERFLOW, dark, 1);
        assert_pixel (surface, 73 * scale, 13 * scale, TSR_INK_BACKGROUND, dark, 1);
        assert_pixel (surface, 50 * scale, 50 * scale, TSR_INK_CAPACITY, dark, 1);
        /* Down from (10, 60) to (50, 70), and up again. */
        for (int x = 12; x < 88; x += 4)
          {
            const int y = x < 50 ? 60 + (x - 10) / 4 : 70 - (x - 50) / 4;

            g_assert_true (has_ink (surface, x * scale, (y - 2) * scale, (y + 3) * scale, dark));
            g_assert_false (has_ink (surface, x * scale, 54 * scale, (y - 3) * scale, dark));
          }
        g_assert_false (has_ink (surface, 94 * scale, 54 * scale, 75 * scale, dark));
        /* Dashes of 4 pixels with as much between them, and then none any more. */
        for (int x = 0; x < 80; x++)
          {
            assert_pixel (surface, (10 + x) * scale, 40 * scale,
                          x % 8 < 4 ? TSR_INK_AXIS : TSR_INK_BACKGROUND, dark, 1);
            assert_pixel (surface, (10 + x) * scale, 50 * scale, TSR_INK_CAPACITY, dark, 1);
          }
        for (int k = 0; k < 6; k++)
          for (int x = 0; x < 10; x++)
            for (int y = 0; y < 2; y++)
              assert_pixel (surface, (130 + 10 * k + x) * scale, (y == 0 ? 50 : 57) * scale,
                            x < 8 ? TSR_INK_TOTAL : TSR_INK_BACKGROUND, dark, 1);
        assert_pixel (surface, 110 * scale, 12 * scale, TSR_INK_REGION_0, dark, 1);
        assert_pixel (surface, 110 * scale, 28 * scale, TSR_INK_BACKGROUND, dark, 1);
        assert_pixel (surface, 110 * scale, 100 * scale, TSR_INK_REGION_0, dark, 0.25);
        cairo_surface_destroy (surface);
      }
  tsr_test_folder_free (folder);
}

typedef struct
{
  int x0, y0, x1, y1; /* pixels; behind the last ones */
} Box;

/* What is not as the first pixel is. */
static Box
find_box (cairo_surface_t *surface)
{
  const int width = cairo_image_surface_get_width (surface);
  const int height = cairo_image_surface_get_height (surface);
  const TsrColor ground = get_pixel (surface, 0, 0);
  Box box = { width, height, 0, 0 };

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (fabs (get_pixel (surface, x, y).green - ground.green) > 0.2)
        box = (Box){ MIN (box.x0, x), MIN (box.y0, y), MAX (box.x1, x + 1), MAX (box.y1, y + 1) };
  return box;
}

static void
check_label (const char *path, const TsrDrawItem *label)
{
  const TsrTextMeasure *measure = tsr_painter_get_measure ();
  g_autoptr (Sample) sample = g_object_new (TYPE_SAMPLE, NULL);
  g_autoptr (GError) error = NULL;
  cairo_surface_t *surface;
  double width, height, left, top;
  Box box;

  sample->label = label;
  tsr_painter_export (TSR_CHART_MODEL (sample), path, 0, 10, 200, 100, 2, FALSE, &error);
  g_assert_no_error (error);
  surface = cairo_image_surface_create_from_png (path);
  box = find_box (surface);
  cairo_surface_destroy (surface);
  measure->measure (measure->data, LABEL, label->font_size, label->bold, &width, &height);
  /* Cut, it has letters as far as they fit, and the last one may be narrow. */
  if (label->width > 0)
    {
      g_assert_cmpfloat (width, >, label->width);
      width = label->width;
    }
  left = 2 * (label->x - label->xalign * width);
  top = 2 * (label->y - label->yalign * height);
  g_assert_cmpfloat (box.x0, >=, left - 1);
  g_assert_cmpfloat (box.x1, <=, left + 2 * width + 1);
  g_assert_cmpfloat (box.x1 - box.x0, >=, 2 * width - (label->width > 0 ? 24 : 8));
  if (label->xalign == 0)
    g_assert_cmpfloat (box.x0, <=, left + 4);
  if (label->xalign == 1 && label->width == 0)
    g_assert_cmpfloat (box.x1, >=, left + 2 * width - 5);
  /* Room for the accents above. */
  g_assert_cmpfloat (box.y0, >=, top);
  g_assert_cmpfloat (box.y0, <=, top + 0.5 * height);
  g_assert_cmpfloat (box.y1, >=, top + 1.5 * height);
  g_assert_cmpfloat (box.y1, <=, top + 2 * height + 1);
}

/* Where labels stand: what is measured of them is what they cover. */
static void
test_labels (void)
{
  static const double aligns[] = { 0, 0.5, 1 };
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "a.png", NULL);

  for (guint x = 0; x < G_N_ELEMENTS (aligns); x++)
    for (guint y = 0; y < G_N_ELEMENTS (aligns); y++)
      for (guint i = 0; i < 4; i++)
        {
          const TsrDrawItem label = { .x = 100,
                                      .y = 50,
                                      .xalign = aligns[x],
                                      .yalign = aligns[y],
                                      .font_size = i < 2 ? 11 : 15,
                                      .bold = i % 2,
                                      .width = i == 1 ? 40 : 0 };

          check_label (path, &label);
        }
  tsr_test_folder_free (folder);
}

typedef struct
{
  guint n_text, n_image, n_rect;
  GString *text;
  char *hatch;       /* path of the last one */
  double opacity[2]; /* of images */
} Seen;

static void
start_element (GMarkupParseContext *context,
               const char *element,
               const char **names,
               const char **values,
               gpointer data,
               GError **error)
{
  Seen *seen = data;

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (strcmp (element, "path") == 0 && strcmp (names[i], "d") == 0)
        {
          g_free (seen->hatch);
          seen->hatch = g_strdup (values[i]);
        }
      if (strcmp (element, "image") == 0 && strcmp (names[i], "opacity") == 0
          && seen->n_image < G_N_ELEMENTS (seen->opacity))
        seen->opacity[seen->n_image] = g_ascii_strtod (values[i], NULL);
    }
  seen->n_text += strcmp (element, "text") == 0;
  seen->n_image += strcmp (element, "image") == 0;
  seen->n_rect += strcmp (element, "rect") == 0;
}

static void
add_text (
    GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  g_string_append_len (((Seen *)data)->text, text, length);
}

/* Each line of a hatch goes down to the left from edge to edge, and none of them is left out: on
 * it the sum of x and y is a multiple of the distance. */
static void
check_hatch (const char *path, double x, double y, double width, double height)
{
  g_auto (GStrv) lines = g_strsplit (path, "M", -1);
  guint n = 0;

  g_assert_cmpstr (lines[0], ==, "");
  for (int k = 0; k * TSR_HATCH_SPACING <= x + y + width + height; k++)
    {
      const double sum = k * TSR_HATCH_SPACING;
      double x0, y0, x1, y1;

      if (sum < x + y)
        continue;
      n++;
      g_assert_nonnull (lines[n]);
      g_assert_cmpint (sscanf (lines[n], "%lf %lfL%lf %lf", &x0, &y0, &x1, &y1), ==, 4);
      g_assert_cmpfloat_with_epsilon (x0 + y0, sum, 0.01);
      g_assert_cmpfloat_with_epsilon (x1 + y1, sum, 0.01);
      g_assert_true (fabs (x0 - x - width) < 0.01 || fabs (y0 - y) < 0.01);
      g_assert_true (fabs (x1 - x) < 0.01 || fabs (y1 - y - height) < 0.01);
      g_assert_cmpfloat (MIN (x0, x1), >=, x - 0.01);
      g_assert_cmpfloat (MAX (x0, x1), <=, x + width + 0.01);
      g_assert_cmpfloat (MIN (y0, y1), >=, y - 0.01);
      g_assert_cmpfloat (MAX (y0, y1), <=, y + height + 0.01);
    }
  g_assert_cmpuint (n, >, 3);
  g_assert_null (lines[n + 1]);
}

static void
test_svg (void)
{
  static const GMarkupParser parser = { .start_element = start_element, .text = add_text };
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "a.svg", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  Seen seen = { .text = g_string_new (NULL), .opacity = { -1, -1 } };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &seen, NULL);
  gsize length;

  g_assert_true (export_to (path, 200, 120, 1, FALSE, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, &length, &error));
  g_assert_true (g_utf8_validate (text, length, NULL));
  for (gsize i = 0; i < length; i++)
    g_assert_true ((guchar)text[i] >= ' ' || text[i] == '\n');
  g_assert_true (g_markup_parse_context_parse (context, text, length, &error));
  g_assert_no_error (error);
  g_assert_true (g_markup_parse_context_end_parse (context, &error));
  g_assert_cmpuint (seen.n_text, ==, 2);
  g_assert_cmpuint (seen.n_image, ==, 2);
  g_assert_cmpfloat (seen.opacity[0], ==, -1);
  g_assert_cmpfloat_with_epsilon (seen.opacity[1], 0.25, 0.001);
  check_hatch (seen.hatch, 70, 10, 24, 24);
  g_assert_nonnull (strstr (text, "fill-opacity=\"0.5\""));
  g_assert_cmpuint (seen.n_rect, ==, 9);
  g_assert_nonnull (strstr (seen.text->str, "Fish & <Chips>"));
  g_assert_nonnull (strstr (seen.text->str, "Cap & tion"));
  g_assert_nonnull (strstr (seen.text->str, "…"));
  g_assert_null (strstr (seen.text->str, "no room"));
  g_string_free (seen.text, TRUE);
  g_free (seen.hatch);
  tsr_test_folder_free (folder);
}

/* A column of pixels is a picture, none is not; neither is an error. */
static void
test_thin (void)
{
  static const GMarkupParser parser = { .start_element = start_element, .text = add_text };
  char *folder = tsr_test_folder_new ();
  g_autoptr (TsrChartModel) model = g_object_new (TYPE_SAMPLE, NULL);

  SAMPLE_CHART (model)->thin = TRUE;
  for (guint i = 0; i < 3; i++)
    {
      static const char *const names[] = { "a.svg", "a.png", "a.pdf" };
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;
      Seen seen = { .text = g_string_new (NULL) };
      g_autoptr (GMarkupParseContext) context
          = g_markup_parse_context_new (&parser, 0, &seen, NULL);

      g_assert_true (tsr_painter_export (model, path, 0, 10, 200, 120, 1, FALSE, &error));
      g_assert_no_error (error);
      if (i == 0)
        {
          g_assert_true (g_file_get_contents (path, &text, NULL, &error));
          g_assert_true (g_markup_parse_context_parse (context, text, -1, &error));
          g_assert_cmpuint (seen.n_image, ==, 2);
        }
      g_string_free (seen.text, TRUE);
      g_free (seen.hatch);
    }
  tsr_test_folder_free (folder);
}

/* The same picture as SVG, drawn by librsvg, and as PNG: but for letters, which are each one's own,
 * no pixel differs much. */
static void
test_svg_pixels (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *svg = g_build_filename (folder, "a.svg", NULL);
  g_autofree char *png = g_build_filename (folder, "a.png", NULL);

  for (guint round = 0; round < 4; round++)
    {
      const gboolean dark = round % 2;
      const int scale = 1 + round / 2 * 3;
      g_autoptr (GError) error = NULL;
      g_autoptr (GdkPixbuf) pixbuf = NULL;
      cairo_surface_t *surface;
      int n_differ = 0, n_letters = 0;

      g_assert_true (export_to (svg, 200, 120, 1, dark, &error));
      g_assert_no_error (error);
      g_assert_true (export_to (png, 200, 120, scale, dark, &error));
      g_assert_no_error (error);
      pixbuf = gdk_pixbuf_new_from_file_at_size (svg, 200 * scale, 120 * scale, &error);
      g_assert_no_error (error);
      g_assert_cmpint (gdk_pixbuf_get_width (pixbuf), ==, 200 * scale);
      g_assert_cmpint (gdk_pixbuf_get_height (pixbuf), ==, 120 * scale);
      surface = cairo_image_surface_create_from_png (png);
      for (int y = 0; y < 120 * scale; y++)
        for (int x = 0; x < 200 * scale; x++)
          {
            const TsrColor pixel = get_pixel (surface, x, y);
            const guint8 *other = gdk_pixbuf_get_pixels (pixbuf)
                                  + y * gdk_pixbuf_get_rowstride (pixbuf)
                                  + x * gdk_pixbuf_get_n_channels (pixbuf);
            const double differs = MAX (
                fabs (pixel.red - other[0] / 255.),
                MAX (fabs (pixel.green - other[1] / 255.), fabs (pixel.blue - other[2] / 255.)));

            /* The lines of a hatch end in another shape. */
            const double at = (x + 0.5) / scale, to = (y + 0.5) / scale;
            const gboolean is_end = fabs (at - 82) < 14 && fabs (to - 22) < 14
                                    && MAX (fabs (at - 82), fabs (to - 22)) > 10;
            const gboolean is_letter = to > 76 && (to < 97 ? at < 165 : at < 100);

            n_differ += differs > 0.2 && !is_end && !is_letter;
            n_letters += differs > 0.2 && is_letter;
          }
      g_test_message ("%d pixels differ, of letters %d", n_differ, n_letters);
      g_assert_cmpint (n_differ, ==, 0);
      g_assert_cmpint (n_letters, <, 1000 * scale * scale);
      cairo_surface_destroy (surface);
    }
  tsr_test_folder_free (folder);
}

static void
test_pdf (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "a.pdf", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_assert_true (export_to (path, 200, 120, 1, TRUE, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &bytes, &length, &error));
  g_assert_cmpuint (length, >, 1000);
  g_assert_true (g_str_has_prefix (bytes, "%PDF-1."));
  g_assert_cmpmem (bytes + length - 6, 6, "%%EOF\n", 6);
  /* Text is text: there is a font that maps back to characters. */
  g_assert_nonnull (memmem (bytes, length, "/ToUnicode", strlen ("/ToUnicode")));
  tsr_test_folder_free (folder);
}

static void
assert_fails (const char *path, int width, int height, double scale, GQuark domain, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (export_to (path, width, height, scale, FALSE, &error));
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_false (g_str_has_suffix (error->message, "."));
}

static void
test_refused (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *below = g_build_filename (folder, "none", "a.png", NULL);
  g_autofree char *sub = g_build_filename (folder, "folder.png", NULL);
  g_autofree char *big = g_build_filename (folder, "big.png", NULL);
  g_autofree char *gif = g_build_filename (folder, "a.gif", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_mkdir (sub, 0700);
  before = tsr_test_fingerprint (folder);
  assert_fails (below, 200, 100, 1, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  assert_fails (sub, 200, 100, 1, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  assert_fails ("/proc/a.png", 200, 100, 1, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  assert_fails (gif, 200, 100, 1, TSR_ERROR, TSR_ERROR_UNSUPPORTED);
  assert_fails (big, 2000000, 100, 1, TSR_ERROR, TSR_ERROR_LIMIT);
  assert_fails (big, 30000, 30000, 1, TSR_ERROR, TSR_ERROR_LIMIT);
  assert_fails (big, 0, 100, 1, TSR_ERROR, TSR_ERROR_LIMIT);
  assert_fails (big, 100, 0, 1, TSR_ERROR, TSR_ERROR_LIMIT);
  assert_fails (big, 100, 100, NAN, TSR_ERROR, TSR_ERROR_LIMIT);
  after = tsr_test_fingerprint (folder);
  g_assert_cmpstr (before, ==, after);
  /* The smallest and the largest scale that there are, and one pixel. */
  g_assert_true (export_to (big, 1, 1, 1, FALSE, NULL));
  g_assert_true (export_to (big, 100, 50, 0.1, FALSE, NULL));
  g_assert_true (export_to (big, 100, 50, 16, FALSE, NULL));
  tsr_test_folder_free (folder);
}

/* What was there stays whole when the new image cannot be written, and a link stays a link. */
static void
test_kept (void)
{
  char *folder = tsr_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "a.png", NULL);
  g_autofree char *link = g_build_filename (folder, "link.png", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autoptr (GDir) dir = NULL;
  guint n = 0;

  tsr_test_write (folder, "a.png", "old", -1);
  g_assert_cmpint (symlink ("a.png", link), ==, 0);
  g_assert_true (export_to (link, 100, 50, 1, FALSE, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_assert_cmpmem (bytes, 4, "\x89PNG", 4);
  /* Nothing else is left beside it. */
  dir = g_dir_open (folder, 0, NULL);
  while (g_dir_read_name (dir) != NULL)
    n++;
  g_assert_cmpuint (n, ==, 2);
  tsr_test_folder_free (folder);
}

static void
test_measure (void)
{
  const TsrTextMeasure *measure = tsr_painter_get_measure ();
  double w1;
  double w2;
  double w3;
  double h;

  measure->measure (measure->data, "1,111", 11, FALSE, &w1, &h);
  measure->measure (measure->data, "8,888", 11, FALSE, &w2, NULL);
  g_assert_cmpfloat_with_epsilon (w1, w2, 0.01); /* tabular figures */
  g_assert_true (h > 11 && h < 22);
  measure->measure (measure->data, "8,888", 22, FALSE, &w3, NULL);
  g_assert_cmpfloat_with_epsilon (w3, 2 * w2, 0.5);
  measure->measure (measure->data, "8,888", 11, TRUE, &w3, NULL);
  g_assert_cmpfloat (w3, >, w2);
  measure->measure (measure->data, "", 11, FALSE, &w3, &h);
  g_assert_cmpfloat (w3, ==, 0);
  g_assert_cmpfloat (h, >, 0);
}

/* What a chart says that has no more than a layout. */
static void
test_plain (void)
{
  g_autoptr (TsrChartModel) model = g_object_new (TYPE_SAMPLE, NULL);
  g_autofree char *told = tsr_chart_model_describe (model, 7);
  g_autoptr (GString) csv = g_string_new (NULL);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  const TsrChartGeometry geometry = {
    .width = 200, .height = 120, .scale = 1, .to = 10, .measure = *tsr_painter_get_measure ()
  };
  const TsrPlotArea area = { 0, 0, 200, 120, 0, 1 };

  g_assert_cmpuint (tsr_chart_model_datum_at (model, 0), ==, 0);
  g_assert_cmpuint (tsr_chart_model_datum_at (model, 9.9), ==, 9);
  g_assert_cmpuint (tsr_chart_model_datum_at (model, 10), ==, TSR_NO_DATUM);
  g_assert_cmpuint (tsr_chart_model_datum_at (model, -0.1), ==, TSR_NO_DATUM);
  g_assert_cmpfloat (tsr_chart_model_position_of (model, 7), ==, 7);
  g_assert_cmpstr (told, ==, "7");
  g_assert_cmpuint (tsr_chart_model_get_n_series (model), ==, 0);
  tsr_chart_model_write_csv (model, 0, 10, csv);
  g_assert_cmpstr (csv->str, ==, "");
  tsr_chart_model_layout_overlay (model, &geometry, &area, 1, 2, list);
  tsr_chart_model_layout_overview (model, &geometry, list);
  g_assert_cmpuint (list->items->len, ==, 0);
  g_assert_null (tsr_chart_model_dup (model));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/painter/png", test_png);
  g_test_add_func ("/painter/labels", test_labels);
  g_test_add_func ("/painter/svg", test_svg);
  g_test_add_func ("/painter/thin", test_thin);
  g_test_add_func ("/painter/svg-pixels", test_svg_pixels);
  g_test_add_func ("/painter/pdf", test_pdf);
  g_test_add_func ("/painter/refused", test_refused);
  g_test_add_func ("/painter/kept", test_kept);
  g_test_add_func ("/painter/measure", test_measure);
  g_test_add_func ("/painter/plain", test_plain);
  return g_test_run ();
}

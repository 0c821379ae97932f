/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every chart of a report, against charts.txt and charts-many.txt: each line, rectangle and label
 * of what it lays out, whole, zoomed and in small, its marks, what is found at its points, told and
 * exported.
 *
 * The files hold a line for each section of the list, with its size and sums; the whole list is
 * written to the working folder, to compare it with that of another build.
 *
 * With TESSERA_GOLDEN=1 the files are written anew, and with TESSERA_PICTURES=FOLDER a picture of
 * each chart: who does the one looks at the other, and says at the beginning of the file what at.
 */

#include "config.h"

#include "chart-test.h"
#include "drawn-sql.h"
#include "golden.h"
#include "liveness-fixture.h"
#include "memory-fixture.h"
#include "tsr-address-map.h"
#include "tsr-insight-charts.h"
#include "tsr-lifetime-chart.h"
#include "tsr-liveness-chart.h"
#include "tsr-memory-chart.h"
#include "tsr-painter.h"
#include "tsr-program-icicle.h"
#include "tsr-roofline.h"
#include "tsr-test.h"
#include "tsr-tile-cycles-chart.h"
#include "tsr-tile-map.h"
#include "tsr-trace-chart.h"
#include "tsr-variables-chart.h"

#include <math.h>
#include <string.h>

typedef struct
{
  TsrReport *report;
  TsrMemory *memory;
  TsrVariables *variables;
  TsrLiveness *liveness;
  TsrTileSelection *tiles;
  TsrStepSelection *steps;
  GString *out;
  const char *of_report; /* before the names of its sections */
  const char *name;      /* of the section */
} Walk;

/* ------------------------------------------------------------------ charts */

static void
add_part (Walk *self, const char *part)
{
  g_string_append_printf (self->out, "## %s%s %s\n", self->of_report, self->name, part);
}

/* (transfer full) (nullable): what the text of an item does not tell. */
static char *
dup_style (const TsrDrawList *list, const TsrDrawItem *item)
{
  if (item->kind == TSR_ITEM_RASTER)
    {
      const TsrDrawRaster *raster = g_ptr_array_index (list->rasters, item->first);

      return g_strdup_printf ("raster hatched %u %u %u", raster->hatch_period, raster->hatch_line,
                              raster->hatch_origin);
    }
  if (item->kind == TSR_ITEM_RECT)
    return NULL;
  return item->kind == TSR_ITEM_LABEL
             ? g_strdup_printf ("%gpt in %.1f", (double)item->font_size, (double)item->width)
             : g_strdup_printf ("line %.2f", (double)item->line_width);
}

/* Sizes of fonts, widths of lines and hatches, a line for each run of items that have the same. */
static void
add_styles (GString *out, const TsrDrawList *list)
{
  g_autofree char *last = NULL;

  for (guint i = 0; i < list->items->len; i++)
    {
      g_autofree char *style = dup_style (list, &g_array_index (list->items, TsrDrawItem, i));

      if (style == NULL || g_strcmp0 (style, last) == 0)
        continue;
      g_string_append_printf (out, "from item %u: %s\n", i, style);
      g_free (last);
      last = g_steal_pointer (&style);
    }
}

/* A label is a line, whatever the names in the report hold. */
static void
check_labels (const TsrDrawList *list)
{
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind == TSR_ITEM_LABEL)
        for (const char *at = tsr_draw_list_get_text (list, item); *at != '\0'; at++)
          g_assert_false (g_ascii_iscntrl (*at));
    }
}

/* Each record has as many fields as the first one, with names of any characters in quotes. */
static void
check_csv (const char *csv)
{
  gboolean quoted = FALSE;
  guint n = 1, expected = 0;

  for (; *csv != '\0'; csv++)
    {
      quoted ^= *csv == '"';
      if (quoted)
        continue;
      n += *csv == ',';
      if (*csv != '\n')
        continue;
      if (expected == 0)
        expected = n;
      g_assert_cmpuint (n, ==, expected);
      n = 1;
    }
  g_assert_false (quoted);
}

static void
add_list (Walk *self, const char *part, const TsrDrawList *list)
{
  g_autofree char *text = tsr_draw_list_dup_text (list);

  check_labels (list);
  add_part (self, part);
  g_string_append (self->out, text);
  add_styles (self->out, list);
}

/* (transfer full): an icicle numbers its cells as it meets them, and its copy does so anew. */
static char *
dup_shape (TsrChartModel *model, const TsrDrawList *list)
{
  g_autofree char *text = tsr_draw_list_dup_text (list);
  g_autoptr (GString) shape = g_string_new (text);

  add_styles (shape, list);
  if (TSR_IS_PROGRAM_ICICLE (model))
    {
      g_autoptr (GRegex) number = g_regex_new (" datum [0-9]+", 0, 0, NULL);

      return g_regex_replace (number, shape->str, -1, 0, "", 0, NULL);
    }
  return g_string_free (g_steal_pointer (&shape), FALSE);
}

static void
add_chart (Walk *self,
           TsrChartModel *model,
           TsrChartModel *copy,
           double width,
           double height,
           double scale,
           double from,
           double to,
           const char *part)
{
  TsrChartGeometry geometry = test_geometry (width, height, scale, from, to);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (TsrDrawList) again = tsr_draw_list_new ();
  g_autofree char *text = NULL, *same = NULL;
  /* All of it is told, whatever stood there. */
  TsrPlotArea area = { 7, 7, 7, 7, 7, 7 };
  guint32 data[] = { TSR_NO_DATUM, TSR_NO_DATUM };

  tsr_chart_model_layout (model, &geometry, list, &area);
  add_list (self, part, list);
  g_string_append_printf (self->out, "area %.2f %.2f %.2f %.2f %.2f %.2f\n", area.x, area.y,
                          area.width, area.height, area.y_from, area.y_to);
  if (copy != NULL)
    {
      TsrPlotArea other = { -9, -9, -9, -9, -9, -9 };

      tsr_chart_model_layout (copy, &geometry, again, &other);
      g_assert_cmpmem (&area, sizeof area, &other, sizeof other);
      text = dup_shape (model, list);
      same = dup_shape (model, again);
      g_assert_cmpstr (text, ==, same);
    }
  /* What is under the pointer at a third and at two thirds of it. */
  for (guint i = 0; i < G_N_ELEMENTS (data); i++)
    {
      const double x = from + (to - from) * (i + 1) / 3;

      data[i] = tsr_chart_model_datum_at (model, x);
      g_string_append_printf (self->out, "at %.3f: %u, column %u, position %.3f\n", x, data[i],
                              tsr_chart_model_datum_near (model, x, x + (to - from) / 300),
                              tsr_chart_model_position_of (model, data[i]));
      if (data[i] != TSR_NO_DATUM)
        {
          g_autofree char *told = tsr_chart_model_describe (model, data[i]);

          g_string_append_printf (self->out, "%s\n", told);
        }
    }
  tsr_draw_list_reset (list);
  tsr_chart_model_layout_overlay (model, &geometry, &area, data[0], data[1], list);
  g_string_append (self->out, "marks\n");
  g_free (text);
  text = tsr_draw_list_dup_text (list);
  g_string_append (self->out, text);
}

/* Sizes, scales and parts that nobody would choose, drawn and marked: the same ones for all. */
static void
add_odd (Walk *self, TsrChartModel *model)
{
  static const double scales[] = { 1, 1.25, 1.5, 2, 3, 0.5 };
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  double from, to, least;
  guint seed = 20;

  tsr_chart_model_get_domain (model, &from, &to, &least);
  add_part (self, "odd");
  for (guint i = 0; i < 16; i++)
    {
      guint numbers[8];
      TsrChartGeometry geometry;
      TsrPlotArea area = { 0 };
      double first, length;
      g_autofree char *text = NULL, *marks = NULL, *overview = NULL;
      TsrChartGeometry strip;

      for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
        numbers[k] = (seed = seed * 1103515245 + 12345) >> 16 & 0x7fff;
      length = (to - from) * pow (numbers[0] / 32768.0, 3);
      first = from + (to - from - length) * numbers[1] / 32768.0;
      geometry = test_geometry ((i < 8 ? 40 : 1) + numbers[2] % (i < 8 ? 500 : 90),
                                (i < 8 ? 30 : 1) + numbers[3] % (i < 8 ? 300 : 70),
                                scales[numbers[4] % G_N_ELEMENTS (scales)], first, first + length);
      geometry.legend = numbers[5] % 4 == 0;
      geometry.title = geometry.legend && numbers[5] % 8 == 0 ? "A title" : NULL;
      geometry.inset = numbers[7] % 3 == 0 ? numbers[7] % 40 : 0;
      tsr_draw_list_reset (list);
      tsr_chart_model_layout (model, &geometry, list, &area);
      text = dup_shape (model, list);
      test_list_check (list, geometry.width, geometry.legend ? 1e9 : geometry.height);
      tsr_draw_list_reset (list);
      if (area.width > 0)
        tsr_chart_model_layout_overlay (
            model, &geometry, &area, tsr_chart_model_datum_at (model, first + length / 2),
            tsr_chart_model_datum_at (model, first + length * numbers[6] / 32768), list);
      marks = tsr_draw_list_dup_text (list);
      tsr_draw_list_reset (list);
      strip = test_geometry (geometry.width, 1 + numbers[6] % 40, geometry.scale, from, to);
      tsr_chart_model_layout_overview (model, &strip, list);
      overview = dup_shape (model, list);
      g_string_append_printf (self->out, "%gx%g, scale %g, %.3f to %.3f\n%smarks\n%soverview\n%s",
                              geometry.width, geometry.height, geometry.scale, geometry.from,
                              geometry.to, text, marks, overview);
    }
}

static void
write_picture (Walk *self, TsrChartModel *model, double from, double to)
{
  const char *folder = g_getenv ("TESSERA_PICTURES");
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_strdup_printf ("%s.png", self->name);
  g_autofree char *path = NULL;

  if (folder == NULL)
    return;
  path = g_build_filename (folder, g_strdelimit (name, " ", '-'), NULL);
  tsr_painter_export (model, path, from, to, 840, 420, 1, FALSE, &error);
  g_assert_no_error (error);
}

/* What is at a point: of which chart, tells how. */
static guint32
find_at (TsrChartModel *model,
         const TsrChartGeometry *geometry,
         const TsrPlotArea *area,
         double x,
         double y)
{
  gint64 address;
  TsrTraceHit hit = { 0 };

  if (TSR_IS_TILE_MAP (model))
    return tsr_tile_map_tile_at (TSR_TILE_MAP (model), geometry, x, y);
  if (TSR_IS_ADDRESS_MAP (model))
    return tsr_address_map_row_at (TSR_ADDRESS_MAP (model), geometry, x, y, &address);
  if (TSR_IS_PROGRAM_ICICLE (model))
    return tsr_program_icicle_cell_at (TSR_PROGRAM_ICICLE (model), geometry, x, y);
  if (TSR_IS_LIFETIME_CHART (model))
    return tsr_lifetime_chart_row_at (TSR_LIFETIME_CHART (model), geometry, area, y);
  if (TSR_IS_ROOFLINE (model))
    return tsr_roofline_operation_at (TSR_ROOFLINE (model), geometry, area, x, y);
  if (!TSR_IS_TRACE_CHART (model))
    return TSR_NO_DATUM;
  tsr_trace_chart_hit (TSR_TRACE_CHART (model), geometry, area, x, y, &hit);
  return hit.kind * 1000 + hit.depth * 100 + (guint32)hit.item;
}

/* Letters of whole pixels, whatever the font. */
static void
measure_whole (
    gpointer data, const char *text, double font_size, gboolean bold, double *width, double *height)
{
  if (width != NULL)
    *width = g_utf8_strlen (text, -1) * floor (font_size / 2);
  if (height != NULL)
    *height = floor (font_size);
}

/* As narrow and as low as can be, one pixel after the other. */
static void
add_narrow (Walk *self, TsrChartModel *model)
{
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  double from, to, least;

  tsr_chart_model_get_domain (model, &from, &to, &least);
  add_part (self, "one pixel more");
  for (guint i = 0; i < 48; i++)
    {
      const TsrChartGeometry geometry
          = test_geometry (i < 24 ? i : 90, i < 24 ? 70 : i - 24, 1 + i % 2, from, to);
      TsrPlotArea area = { 0 };
      g_autofree char *text = NULL;

      tsr_draw_list_reset (list);
      tsr_chart_model_layout (model, &geometry, list, &area);
      text = dup_shape (model, list);
      g_string_append_printf (self->out, "%gx%g\n%s", geometry.width, geometry.height, text);
    }
}

/* Each thing begins, ends and is wide at a whole pixel, or at a half or quarter of one, so that
 * what has a least width or just fits has exactly that somewhere: from as much as there is down to
 * some units. */
static void
add_whole (Walk *self, TsrChartModel *model)
{
  static const double most[] = { INFINITY, INFINITY, 4, 2, 1, 0.25 };
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  double from, to, least;

  tsr_chart_model_get_domain (model, &from, &to, &least);
  add_part (self, "whole pixels");
  for (guint i = 0; i < 2 * G_N_ELEMENTS (most); i++)
    {
      TsrChartGeometry geometry
          = test_geometry (i % 2 == 0 ? 240 : 160, i % 2 == 0 ? 150 : 96, 1 + i % 2, from, to);
      TsrPlotArea area = { 0 };
      double unit;
      g_autofree char *text = NULL, *marks = NULL;

      geometry.measure.measure = measure_whole;
      tsr_chart_model_layout (model, &geometry, list, &area);
      if (area.width < 1 || to <= from)
        break;
      geometry.width += ceil (area.width) - area.width;
      unit = exp2 (floor (log2 ((to - from) / ceil (area.width))) - i / 2);
      unit = MIN (unit, most[i / 2]);
      geometry.from = i % 2 == 0 ? from : from + floor ((to - from) / 2);
      if (geometry.from + ceil (area.width) * unit > to)
        geometry.from = from;
      geometry.to = geometry.from + ceil (area.width) * unit;
      tsr_draw_list_reset (list);
      tsr_chart_model_layout (model, &geometry, list, &area);
      text = dup_shape (model, list);
      g_string_append_printf (self->out, "%g a pixel\n%s", unit, text);
      for (int x = -1; x <= area.width; x += 1 + x / 16)
        g_string_append_printf (self->out, "%u %u ",
                                tsr_chart_model_datum_near (model, geometry.from + x * unit,
                                                            geometry.from + (x + 1) * unit),
                                find_at (model, &geometry, &area, area.x + x, area.y + x));
      tsr_draw_list_reset (list);
      tsr_chart_model_layout_overlay (model, &geometry, &area,
                                      tsr_chart_model_datum_at (model, geometry.from + unit),
                                      tsr_chart_model_datum_at (model, geometry.to - unit), list);
      marks = tsr_draw_list_dup_text (list);
      g_string_append_printf (self->out, "\nmarks\n%s", marks);
    }
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const guint x = GPOINTER_TO_UINT (a), y = GPOINTER_TO_UINT (b);

  return (x > y) - (x < y);
}

/* What the trace tells of each thing that is found in the grid, and where it stands. */
static void
add_told_hits (Walk *self,
               TsrTraceChart *chart,
               const TsrChartGeometry *geometry,
               const TsrPlotArea *area)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (double y = 3; y < 240; y += 9)
    for (double x = 1; x < 420; x += 12)
      {
        TsrTraceHit hit = { 0 };
        g_autofree char *told = NULL;
        double left = 0, top = 0, width = 0, height = 0;

        tsr_trace_chart_hit (chart, geometry, area, x, y, &hit);
        if (hit.kind == TSR_TRACE_HIT_NOTHING || hit.kind == TSR_TRACE_HIT_RULER)
          continue;
        told = tsr_trace_chart_describe_hit (chart, &hit);
        if (g_hash_table_contains (seen, told))
          continue;
        tsr_trace_chart_get_place (chart, geometry, area, &hit, &left, &top, &width, &height);
        g_string_append_printf (self->out, "%.2f %.2f %.2f %.2f\n%s\n", left, top, width, height,
                                told);
        g_hash_table_add (seen, g_steal_pointer (&told));
      }
}

/* What the chart tells of things that were found, by number. */
static void
add_told (Walk *self, TsrChartModel *model, GHashTable *seen)
{
  g_autoptr (GList) data = g_hash_table_get_keys (seen);

  data = g_list_sort (data, compare_numbers);
  for (GList *datum = data; datum != NULL; datum = datum->next)
    {
      g_autofree char *told = tsr_chart_model_describe (model, GPOINTER_TO_UINT (datum->data));

      g_string_append_printf (self->out, "%u: %s\n", GPOINTER_TO_UINT (datum->data), told);
    }
}

/* What is at the corners of each item, where one thing ends and the next begins, and in its middle.
 */
static void
add_corners (Walk *self,
             TsrChartModel *model,
             const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             const TsrDrawList *list)
{
  add_part (self, "corners");
  for (guint i = 0; i < list->items->len; i += 1 + list->items->len / 400)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      for (guint k = 0; k < 5 && item->kind != TSR_ITEM_LABEL; k++)
        {
          const double x = item->x + item->width * (k == 4 ? 0.5 : k % 2);
          const double y = item->y + item->height * (k == 4 ? 0.5 : k / 2);
          gint64 address = -1;

          g_string_append_printf (self->out, "%u ", find_at (model, geometry, area, x, y));
          if (TSR_IS_ADDRESS_MAP (model))
            tsr_address_map_row_at (TSR_ADDRESS_MAP (model), geometry, x, y, &address);
          if (address >= 0)
            g_string_append_printf (self->out, "%" G_GINT64_FORMAT " ", address);
          if (TSR_IS_TRACE_CHART (model))
            {
              TsrTraceHit hit = { 0 };

              tsr_trace_chart_hit (TSR_TRACE_CHART (model), geometry, area, x, y, &hit);
              g_string_append_printf (self->out,
                                      "%u %u %u %u %u of %u at %" G_GINT64_FORMAT
                                      ", %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT "; ",
                                      hit.kind, hit.ipu, hit.index, hit.track, hit.slice,
                                      hit.n_under, hit.cycles, hit.from, hit.to);
            }
        }
      g_string_append_c (self->out, '\n');
    }
}

/* A grid of points over the chart, a line for each row: "3x7 2x." */
static void
add_hits (Walk *self, TsrChartModel *model, double from, double to)
{
  const TsrChartGeometry geometry = test_geometry (420, 240, 1, from, to);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  tsr_chart_model_layout (model, &geometry, list, &area);
  add_part (self, "hits");
  /* From outside of it to outside of it, and on its edges. */
  for (double y = -6; y <= 246; y += 3)
    {
      guint32 last = find_at (model, &geometry, &area, -6, y);
      guint n = 0;

      for (double x = -6; x <= 430; x += 3)
        {
          const guint32 found = x < 427 ? find_at (model, &geometry, &area, x, y) : last + 1;

          if (x < 427 && found != TSR_NO_DATUM)
            g_hash_table_add (seen, GUINT_TO_POINTER (found));
          if (found != last && last == TSR_NO_DATUM)
            g_string_append_printf (self->out, "%ux. ", n);
          else if (found != last)
            g_string_append_printf (self->out, "%ux%u ", n, last);
          n = found == last ? n + 1 : 1;
          last = found;
        }
      g_string_append_c (self->out, '\n');
    }
  if (TSR_IS_TRACE_CHART (model))
    add_told_hits (self, TSR_TRACE_CHART (model), &geometry, &area);
  else
    {
      g_autoptr (TsrDrawList) marks = tsr_draw_list_new ();
      guint32 first = TSR_NO_DATUM, last = 0;
      GHashTableIter iter;
      gpointer datum;

      add_told (self, model, seen);
      /* With marks on the first and the last of them, either by itself and both. */
      g_hash_table_iter_init (&iter, seen);
      while (g_hash_table_iter_next (&iter, &datum, NULL))
        {
          first = MIN (first, GPOINTER_TO_UINT (datum));
          last = MAX (last, GPOINTER_TO_UINT (datum));
        }
      for (guint i = 0; i < 3 && first != TSR_NO_DATUM; i++)
        tsr_chart_model_layout_overlay (model, &geometry, &area, i != 1 ? first : TSR_NO_DATUM,
                                        i != 0 ? last : TSR_NO_DATUM, marks);
      add_list (self, "marks of what is found", marks);
    }
  tsr_chart_model_layout_overlay (model, &geometry, &area, 1, 2, list);
  add_corners (self, model, &geometry, &area, list);
}

/* Whole, a seventh of it at twice the resolution, most of it in small, on narrow paper, with two
 * marks, and on paper with one series less. */
static void
add_model (Walk *self, const char *name, TsrChartModel *model)
{
  double from, to, least;
  TsrChartGeometry strip;
  TsrPlotArea area;
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autofree char *caption = tsr_chart_model_dup_caption (model);
  /* It shows the same if it was asked the same. */
  g_autoptr (TsrChartModel) copy = tsr_chart_model_dup (model);
  const guint n = tsr_chart_model_get_n_series (model);

  self->name = name;
  tsr_chart_model_get_domain (model, &from, &to, &least);
  add_part (self, "model");
  g_string_append_printf (self->out, "%s\ndomain %.3f %.3f %.3f\n", caption, from, to, least);
  for (guint i = 0; i < 6; i++)
    {
      const double x = (i < 3 ? from : to) + (i % 3 - 1.0) / 2;
      const guint32 datum = tsr_chart_model_datum_at (model, x);

      g_string_append_printf (self->out, "edge %.3f: %u at %.3f, near %u\n", x, datum,
                              tsr_chart_model_position_of (model, datum),
                              tsr_chart_model_datum_near (model, x, x + 0.25));
    }
  for (guint i = 0; i < n; i++)
    {
      TsrChartSeries series;
      char buffer[32];

      tsr_chart_model_get_series (model, i, &series);
      g_string_append_printf (self->out, "series %s \"%s\" %s%s%s%s\n",
                              series.key != NULL ? series.key : "-", series.name,
                              tsr_palette_get_nick (series.ink, buffer, sizeof buffer),
                              series.filled ? " filled" : "", series.dashed ? " dashed" : "",
                              series.visible ? "" : " hidden");
    }
  add_chart (self, model, copy, 420, 240, 1, from, to, "whole");
  add_chart (self, model, copy, 300, 160, 2, from + (to - from) * 0.4, from + (to - from) * 0.55,
             "zoomed");
  /* More of it than there are pixels, not from its beginning, and no room for words. */
  add_chart (self, model, copy, 190, 100, 1.5, from + (to - from) * 0.2, from + (to - from) * 0.9,
             "small");
  strip = test_geometry (14, 60, 1, from, to);
  strip.legend = TRUE;
  strip.title = "On paper";
  tsr_draw_list_reset (list);
  tsr_chart_model_layout (model, &strip, list, &area);
  add_list (self, "narrow", list);
  strip = test_geometry (420, 240, 1, from, to);
  tsr_chart_model_layout (model, &strip, list, &area);
  tsr_draw_list_reset (list);
  tsr_chart_model_layout_overlay (model, &strip, &area, 1, 2, list);
  add_list (self, "marks of 1 and 2", list);
  for (guint i = 0; i < list->points->len; i++)
    g_assert_cmpfloat (g_array_index (list->points, TsrDrawPoint, i).x, >=, 0);
  if (copy != NULL && !TSR_IS_PROGRAM_ICICLE (model)) /* that numbers its cells anew */
    {
      g_autofree char *marks = tsr_draw_list_dup_text (list), *same = NULL;

      tsr_chart_model_layout (copy, &strip, list, &area);
      tsr_draw_list_reset (list);
      tsr_chart_model_layout_overlay (copy, &strip, &area, 1, 2, list);
      same = tsr_draw_list_dup_text (list);
      g_assert_cmpstr (marks, ==, same);
    }
  tsr_draw_list_reset (list);
  strip = test_geometry (200, 24, 1, from, to);
  tsr_chart_model_layout_overview (model, &strip, list);
  add_list (self, "overview", list);
  strip = test_geometry (420, 240, 1, from, to);
  strip.legend = TRUE;
  strip.title = "On paper";
  strip.inset = 20;
  if (n > 1)
    tsr_chart_model_set_series_visible (model, 0, FALSE);
  tsr_draw_list_reset (list);
  tsr_chart_model_layout (model, &strip, list, &area);
  add_list (self, "paper", list);
  if (n > 1)
    tsr_chart_model_set_series_visible (model, 0, TRUE);
  {
    g_autoptr (GString) csv = g_string_new (NULL);

    tsr_chart_model_write_csv (model, from + (to - from) * 0.4, from + (to - from) * 0.41, csv);
    g_string_replace (csv, "\r\n", "\n", 0);
    check_csv (csv->str);
    add_part (self, "csv");
    g_string_append (self->out, csv->str);
  }
  add_odd (self, model);
  add_whole (self, model);
  add_narrow (self, model);
  if (TSR_IS_TILE_MAP (model) || TSR_IS_ADDRESS_MAP (model) || TSR_IS_PROGRAM_ICICLE (model)
      || TSR_IS_LIFETIME_CHART (model) || TSR_IS_ROOFLINE (model) || TSR_IS_TRACE_CHART (model))
    add_hits (self, model, from, to);
  write_picture (self, model, from, to);
}

/* ---------------------------------------------------------------- each setting */

/* What was drawn and marked of a chart last, and how often it said since then that this is no
 * longer so. */
typedef struct
{
  char *text, *marks;
  guint n_told, n_marked;
} Shown;

static void
shown_free (gpointer data)
{
  Shown *shown = data;

  g_free (shown->text);
  g_free (shown->marks);
  g_free (shown);
}

static void
on_told (TsrChartModel *model, gpointer data)
{
  ((Shown *)data)->n_told++;
}

static void
on_marked (TsrChartModel *model, gpointer data)
{
  ((Shown *)data)->n_marked++;
}

/* What is drawn is another only where the chart has said so, and what is marked, too. */
static void
check_told (TsrChartModel *model, const char *text, const char *marks)
{
  Shown *shown = g_object_get_data (G_OBJECT (model), "shown");

  if (shown == NULL)
    {
      shown = g_new0 (Shown, 1);
      g_object_set_data_full (G_OBJECT (model), "shown", shown, shown_free);
      g_signal_connect (model, "changed", G_CALLBACK (on_told), shown);
      g_signal_connect (model, "overlay-changed", G_CALLBACK (on_marked), shown);
      g_signal_connect (model, "domain-changed", G_CALLBACK (on_told), shown);
    }
  else if (shown->n_told == 0 && g_strcmp0 (shown->text, text) != 0)
    g_error ("%s does not tell that it shows something else", G_OBJECT_TYPE_NAME (model));
  else if (shown->n_told + shown->n_marked == 0 && g_strcmp0 (shown->marks, marks) != 0)
    g_error ("%s does not tell that it marks something else", G_OBJECT_TYPE_NAME (model));
  g_free (shown->text);
  g_free (shown->marks);
  shown->text = g_strdup (text);
  shown->marks = g_strdup (marks);
  shown->n_told = shown->n_marked = 0;
}

/* Three views of it as it is set, and what is marked; under the part that was begun. */
static void
add_views (Walk *self, TsrChartModel *model)
{
  static const struct
  {
    double from, to, width, height, scale;
  } views[] = { { 0, 1, 420, 300, 1 }, { 0.31, 0.83, 187, 121, 1.5 }, { 0.47, 0.55, 260, 200, 2 } };
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autofree char *caption = tsr_chart_model_dup_caption (model);
  g_autoptr (TsrChartModel) copy = tsr_chart_model_dup (model);
  g_autoptr (GString) all = g_string_new (NULL), all_marks = g_string_new (NULL);
  double from, to, least;

  tsr_chart_model_get_domain (model, &from, &to, &least);
  g_string_append_printf (self->out, "%s\n", caption);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      const TsrChartGeometry geometry
          = test_geometry (views[i].width, views[i].height, views[i].scale,
                           from + (to - from) * views[i].from, from + (to - from) * views[i].to);
      const TsrChartGeometry strip = test_geometry (views[i].width, 24, views[i].scale, from, to);
      g_autofree char *text = NULL, *marks = NULL, *overview = NULL;
      TsrPlotArea area = { 0 };

      tsr_draw_list_reset (list);
      tsr_chart_model_layout (model, &geometry, list, &area);
      text = dup_shape (model, list);
      if (copy != NULL && i == 1)
        {
          g_autofree char *same = NULL;

          tsr_draw_list_reset (list);
          tsr_chart_model_layout (copy, &geometry, list, &area);
          same = dup_shape (copy, list);
          g_assert_cmpstr (text, ==, same);
        }
      tsr_draw_list_reset (list);
      tsr_chart_model_layout_overlay (model, &geometry, &area, TSR_NO_DATUM, TSR_NO_DATUM, list);
      marks = dup_shape (model, list);
      tsr_draw_list_reset (list);
      tsr_chart_model_layout_overview (model, &strip, list);
      overview = dup_shape (model, list);
      g_string_append_printf (self->out, "%smarks\n%soverview\n%s", text, marks, overview);
      g_string_append_printf (all, "%s%s", text, overview);
      g_string_append (all_marks, marks);
    }
  check_told (model, all->str, all_marks->str);
}

static void
walk_memory (Walk *self)
{
  static const struct
  {
    const char *name;
    TsrMemoryChartOptions options;
  } states[] = {
    { "memory", { .show_max = TRUE } },
    { "memory region", { .breakdown = TSR_BREAKDOWN_REGION, .include_gaps = TRUE } },
    { "memory category",
      { .breakdown = TSR_BREAKDOWN_CATEGORY, .order = TSR_ORDER_BYTES, .show_max = TRUE } },
    { "memory liveness", { .breakdown = TSR_BREAKDOWN_LIVENESS, .from_zero = TRUE } },
  };
  const guint32 shown[] = { 0, 3 };
  g_autoptr (TsrVariablesChart) variables
      = tsr_variables_chart_new (self->memory, self->variables, self->tiles);

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      g_autoptr (TsrMemoryChart) chart
          = tsr_memory_chart_new (self->memory, self->tiles, &states[i].options);

      add_model (self, states[i].name, TSR_CHART_MODEL (chart));
    }
  {
    g_autoptr (TsrMemoryChart) chart
        = tsr_memory_chart_new (self->memory, self->tiles, &states[3].options);
    g_autofree gint64 *bytes = g_new (gint64, tsr_memory_get_n_tiles (self->memory));

    for (guint i = 0; i < tsr_memory_get_n_tiles (self->memory); i++)
      bytes[i] = i == 3 ? TSR_UNKNOWN : 100 + 37 * (gint64)i;
    tsr_memory_chart_set_step (chart, 4, bytes);
    add_model (self, "memory at a step", TSR_CHART_MODEL (chart));
    bytes[2] = 5000;
    tsr_memory_chart_set_step (chart, 5, bytes);
    add_model (self, "memory at a full step", TSR_CHART_MODEL (chart));
    tsr_memory_chart_set_options (chart, &states[1].options);
    add_model (self, "memory of all at a step", TSR_CHART_MODEL (chart));
  }
  tsr_variables_chart_set_variables (variables, shown, G_N_ELEMENTS (shown));
  add_model (self, "variables", TSR_CHART_MODEL (variables));
  tsr_variables_chart_set_order (variables, TSR_ORDER_BYTES);
  tsr_variables_chart_set_units (variables, TSR_UNITS_SI);
  add_model (self, "variables by bytes", TSR_CHART_MODEL (variables));
}

static void
walk_maps (Walk *self)
{
  g_autoptr (TsrTileMap) tiles = tsr_tile_map_new (self->memory, self->tiles);
  g_autoptr (TsrAddressMap) addresses = tsr_address_map_new (self->liveness, self->steps);

  tsr_tile_map_set_values (tiles, tsr_memory_peek (self->memory, TSR_METRIC_EXCLUDING_GAPS),
                           "excludingGaps", "Excluding gaps", 1000, TSR_UNITS_BINARY);
  add_model (self, "tile map", TSR_CHART_MODEL (tiles));
  tsr_tile_map_set_scale (tiles, 400, 800);
  tsr_tile_map_set_view (tiles, 1.7, 0.4, 0.6);
  tsr_tile_map_set_ipus (tiles, (guint[]){ 1 }, 1);
  add_model (self, "tile map of one", TSR_CHART_MODEL (tiles));
  tsr_address_map_set_tile (addresses, 1);
  add_model (self, "address map", TSR_CHART_MODEL (addresses));
  tsr_address_map_set_step (addresses, 4);
  tsr_address_map_set_colour (addresses, TSR_ADDRESS_BY_LIFE);
  add_model (self, "address map at a step", TSR_CHART_MODEL (addresses));
}

static guint
find_grad (const Walk *self)
{
  guint i = 0;

  while (!g_str_has_prefix (tsr_variables_get_name (self->variables, i), "fc/grad"))
    i++;
  return i;
}

static void
walk_liveness (Walk *self)
{
  const TsrLivenessSource source = { .kind = TSR_LIVENESS_ALL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrLivenessSeries) series
      = tsr_liveness_compute (self->liveness, &source, NULL, &error);
  g_autoptr (TsrLivenessChart) chart = tsr_liveness_chart_new (self->liveness, self->steps);
  g_autoptr (TsrLifetimeChart) lives = tsr_lifetime_chart_new (self->liveness, self->steps);
  g_autoptr (GArray) peaks = NULL, mine = NULL;
  g_autoptr (TsrLivenessSeries) of_tiles = NULL;
  g_autofree guint8 *matches = NULL;
  guint two[] = { 1, 2 };
  const TsrLivenessSource some = { .kind = TSR_LIVENESS_TILES, .tiles = two, .n_tiles = 2 };
  TsrLivenessChartOptions options = { .include_always_live = TRUE, .structure = TRUE };

  g_assert_no_error (error);
  tsr_liveness_chart_set_series (chart, series, "All tiles");
  tsr_liveness_chart_set_options (chart, &options);
  add_model (self, "liveness", TSR_CHART_MODEL (chart));
  options = (TsrLivenessChartOptions){ .show_max = TRUE, .from_zero = TRUE };
  tsr_liveness_chart_set_options (chart, &options);
  peaks = tsr_liveness_find_peak_programs (self->liveness, series, 3);
  tsr_liveness_chart_set_peaks (chart, peaks);
  mine = tsr_variables_dup_lifetimes (self->variables, find_grad (self), NULL, 0);
  tsr_liveness_chart_add_lifetime (chart, "mine", mine);
  add_model (self, "liveness from zero", TSR_CHART_MODEL (chart));
  matches = g_new0 (guint8, tsr_liveness_get_n_steps (self->liveness));
  for (guint i = 0; i < tsr_liveness_get_n_steps (self->liveness); i++)
    matches[i] = i % 3 == 0;
  tsr_liveness_chart_set_matches (chart, matches);
  of_tiles = tsr_liveness_compute (self->liveness, &some, NULL, &error);
  g_assert_no_error (error);
  tsr_liveness_chart_set_tiles_series (chart, of_tiles, "Two tiles");
  tsr_liveness_chart_set_peaks (chart, NULL);
  add_model (self, "liveness filtered", TSR_CHART_MODEL (chart));
  tsr_lifetime_chart_take_rows (
      lives, tsr_lifetime_rows_new (self->liveness, &source, NULL, NULL, &error));
  g_assert_no_error (error);
  add_model (self, "lifetimes", TSR_CHART_MODEL (lives));
  tsr_lifetime_chart_set_order (lives, TSR_LIFETIME_BY_DEATH);
  tsr_lifetime_chart_set_colour (lives, TSR_LIFETIME_COLOUR_CATEGORY);
  tsr_lifetime_chart_set_first_row (lives, 1.5);
  tsr_lifetime_chart_set_row_height (lives, 22);
  add_model (self, "lifetimes by death", TSR_CHART_MODEL (lives));
}

static void
walk_programs (Walk *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPrograms) programs = tsr_programs_new (self->report, NULL, &error);
  g_autoptr (TsrVertices) vertices = tsr_vertices_new (self->report, self->memory);
  g_autoptr (TsrProgramCode) code = tsr_program_code_new (programs, vertices, 0, NULL, &error);
  g_autoptr (TsrProgramIcicle) icicle = tsr_program_icicle_new (programs, code);
  g_autofree guint8 *marks = NULL;

  g_assert_no_error (error);
  add_model (self, "icicle", TSR_CHART_MODEL (icicle));
  marks = g_new0 (guint8, tsr_programs_get_n (programs));
  for (guint i = 0; i < tsr_programs_get_n (programs); i++)
    marks[i] = i % 2 == 0;
  tsr_program_icicle_set_marks (icicle, marks);
  tsr_program_icicle_set_focus (icicle, tsr_program_icicle_find (icicle, 4));
  add_model (self, "icicle focused", TSR_CHART_MODEL (icicle));
  tsr_program_icicle_set_marks (icicle, NULL);
  tsr_program_icicle_set_width (icicle, TSR_ICICLE_CODE);
  add_model (self, "icicle of code", TSR_CHART_MODEL (icicle));
}

/* Of a report that has few. */
static void
walk_few_operations (Walk *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPrograms) programs = tsr_programs_new (self->report, NULL, &error);
  g_autoptr (TsrOperations) operations
      = tsr_operations_new (programs, tsr_report_get_debug_tables (self->report), "poplibs",
                            self->memory, NULL, NULL, &error);
  g_autoptr (TsrRoofline) roofline = tsr_roofline_new (operations, TSR_UNITS_BINARY);

  g_assert_no_error (error);
  add_model (self, "roofline of few", TSR_CHART_MODEL (roofline));
}

/* With more operations than the others have. */
static void
walk_operations (Walk *self)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report
      = tsr_report_open_sync (place, tsr_test_get_report ("poplibs"), TSR_LOAD_ALL, NULL, &error);
  g_autoptr (TsrMemory) memory = tsr_memory_new (report);
  g_autoptr (TsrPrograms) programs = tsr_programs_new (report, NULL, &error);
  g_autoptr (TsrOperations) operations = tsr_operations_new (
      programs, tsr_report_get_debug_tables (report), "poplibs", memory, NULL, NULL, &error);
  g_autoptr (TsrRoofline) roofline = tsr_roofline_new (operations, TSR_UNITS_BINARY);

  g_assert_no_error (error);
  tsr_roofline_set_selected (roofline, tsr_roofline_neighbour (roofline, TSR_NO_DATUM, 1, 0));
  add_model (self, "roofline", TSR_CHART_MODEL (roofline));
  add_part (self, "each operation");
  for (guint i = 0; i < tsr_operations_get_n (operations); i++)
    {
      double intensity = 0, gflops = 0, from, to, least;
      const gboolean there = tsr_roofline_get_place (roofline, i, &intensity, &gflops);

      tsr_roofline_set_selected (roofline, i);
      tsr_chart_model_get_domain (TSR_CHART_MODEL (roofline), &from, &to, &least);
      if (i % 5 == 0)
        add_views (self, TSR_CHART_MODEL (roofline));
      g_string_append_printf (
          self->out, "%u: %d %.6g %.6g in %.3f to %.3f by %.3f; %u %u %u %u\n", i, there, intensity,
          gflops, from, to, least, tsr_roofline_neighbour (roofline, i, 1, 0),
          tsr_roofline_neighbour (roofline, i, -1, 0), tsr_roofline_neighbour (roofline, i, 0, 1),
          tsr_roofline_neighbour (roofline, i, 0, -1));
    }
}

/* As it is at first, and with all that can be shown. */
static void
walk_trace (Walk *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrTrace) trace = tsr_trace_new (self->report, NULL, &error);
  g_autoptr (TsrTraceState) state = tsr_trace_state_new ();
  g_autoptr (TsrTraceChart) chart = tsr_trace_chart_new (trace, state);
  g_autoptr (GArray) wanted = NULL;
  g_autoptr (TsrTraceLive) live = tsr_trace_live_new (trace, self->liveness, NULL, &error);

  g_assert_no_error (error);
  add_model (self, "trace", TSR_CHART_MODEL (chart));
  tsr_trace_state_add_marker (state, 2400, 2400, "here");
  tsr_trace_state_add_marker (state, 2500, 2700, "there");
  tsr_trace_state_set_span (state, 2600, 2900);
  tsr_trace_state_set_pinned (state, 1, TRUE);
  tsr_trace_state_set_collapsed (state, 0, TRUE);
  tsr_trace_state_set_hidden (state, "DoExchange", TRUE);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_BSP, TRUE);
  add_model (self, "trace marked", TSR_CHART_MODEL (chart));
  wanted = tsr_trace_chart_dup_wanted (chart);
  for (guint i = 0; i < wanted->len; i++)
    tsr_tile_cycles_unref (
        tsr_trace_load_tile_cycles (trace, g_array_index (wanted, guint32, i), NULL));
  add_model (self, "trace of tiles", TSR_CHART_MODEL (chart));
  tsr_trace_state_clear (state);
  tsr_trace_state_set_run (state, TSR_TRACE_RUN_ALL);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_USE, TRUE);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_LIVE, TRUE);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_TIME, TRUE);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_FOLD, FALSE);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_FLUSHES, TRUE);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_GROUP_SYNCS, TRUE);
  tsr_trace_chart_set_live (chart, live, TSR_UNITS_BINARY, NULL);
  add_model (self, "trace of all", TSR_CHART_MODEL (chart));
}

static void
walk_cycles (Walk *self)
{
  enum
  {
    N = 40
  };
  g_autoptr (TsrTileCyclesChart) chart = tsr_tile_cycles_chart_new (N, "Cycles of tiles");
  gint64 values[3][N];

  for (guint i = 0; i < N; i++)
    {
      values[0][i] = (i * 7919) % 1000;
      values[1][i] = i < 20 ? 0 : 300 + i;
      values[2][i] = 2000 - values[0][i] - values[1][i];
    }
  tsr_tile_cycles_chart_add_series (chart, "compute", "Compute",
                                    TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE, values[0], FALSE, TRUE);
  tsr_tile_cycles_chart_add_series (chart, "exchange", "Exchange",
                                    TSR_INK_TRACE + TSR_TRACE_INK_EXCHANGE, values[1], FALSE, TRUE);
  tsr_tile_cycles_chart_add_series (chart, "idle", "Idle", TSR_INK_REST, values[2], TRUE, TRUE);
  tsr_tile_cycles_chart_set_selection (chart, self->tiles, 0);
  add_model (self, "tile cycles", TSR_CHART_MODEL (chart));
  tsr_tile_cycles_chart_set_order (chart, TSR_TILE_CYCLES_BY_CYCLES);
  tsr_tile_cycles_chart_set_bytes (chart, TSR_UNITS_BINARY);
  add_model (self, "tile bytes", TSR_CHART_MODEL (chart));
  {
    g_autoptr (TsrTileCyclesChart) one = tsr_tile_cycles_chart_new (1, "One tile");

    tsr_tile_cycles_chart_add_series (one, "compute", "Compute",
                                      TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE, values[1] + 30, FALSE,
                                      TRUE);
    add_model (self, "cycles of a tile", TSR_CHART_MODEL (one));
  }
}

static void
walk_insights (Walk *self)
{
  const gint64 parts[TSR_N_PARTS] = { 500, 0, 300, 41, 7 };
  gint64 values[50];
  const TsrChartGeometry geometry = test_geometry (300, 40, 2, 0, 1);
  g_autoptr (TsrInsights) insights = NULL;
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = i % 11 == 0 ? -(gint64)i * 3 : (gint64)(i * 7919 % 500);
  self->name = "insights";
  tsr_insight_charts_layout_parts (parts, 700, &geometry, list);
  add_list (self, "parts", list);
  for (guint i = 0; i < 3; i++)
    {
      tsr_draw_list_reset (list);
      tsr_insight_charts_layout_bar (5, 5, i == 1 ? 0 : -1, &geometry, list);
      tsr_insight_charts_layout_bar (-1, 5, 10, &geometry, list);
      g_assert_cmpuint (list->items->len, ==, 0);
      tsr_insight_charts_layout_bar (i == 0 ? 900 : 400, i == 2 ? TSR_UNKNOWN : 700, 1000,
                                     &geometry, list);
      add_list (self, "bar", list);
    }
  tsr_draw_list_reset (list);
  tsr_insight_charts_layout_strip (values, G_N_ELEMENTS (values), 500, &geometry, list);
  add_list (self, "strip", list);
  insights = tsr_insights_new (self->report, self->memory, NULL, NULL, NULL, TSR_UNITS_BINARY, NULL,
                               NULL, NULL);
  for (guint i = 0; i < 2; i++)
    {
      const TsrChartGeometry large = test_geometry (i == 0 ? 500 : 180, 120, 1 + i, 0, 1);

      tsr_draw_list_reset (list);
      tsr_insight_charts_layout_histogram (insights, TSR_UNITS_BINARY, i == 0 ? 7 : TSR_NO_DATUM,
                                           &large, list);
      add_list (self, "histogram", list);
      for (double x = 0; x < large.width; x += 5)
        g_string_append_printf (self->out, "%d ", (int)tsr_insight_charts_find_bin (list, x));
      g_string_append_c (self->out, '\n');
    }
  for (guint bin = 0; bin <= TSR_N_BINS; bin++)
    {
      g_autofree char *told = tsr_insight_charts_describe_bin (insights, bin, TSR_UNITS_BINARY);

      g_string_append_printf (self->out, "%u: %s\n",
                              tsr_insight_charts_get_bin_tiles (insights, bin), told);
    }
}

/* A report of 8 tiles and 22 steps. */
static void
set_memory (Walk *self)
{
  const guint n = tsr_memory_get_n_tiles (self->memory);
  g_autofree gint64 *bytes = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    bytes[i] = i == 3 ? TSR_UNKNOWN : 100 + 37 * (gint64)i;
  for (guint breakdown = TSR_BREAKDOWN_NONE; breakdown <= TSR_BREAKDOWN_PEAK; breakdown++)
    for (guint bits = 0; bits < 32; bits++)
      for (guint order = TSR_ORDER_SOFTWARE; order <= TSR_ORDER_BYTES; order++)
        {
          const TsrMemoryChartOptions options
              = { .breakdown = breakdown,
                  .order = order,
                  .include_gaps = bits & 1,
                  .show_max = bits >> 1 & 1,
                  .fit_data = bits >> 2 & 1,
                  .from_zero = bits >> 3 & 1,
                  .units = order == TSR_ORDER_BYTES ? TSR_UNITS_SI : TSR_UNITS_BINARY };
          g_autoptr (TsrMemoryChart) chart
              = tsr_memory_chart_new (self->memory, self->tiles, &options);
          TsrMemoryChartOptions told;

          tsr_memory_chart_set_peaks (
              chart, tsr_liveness_dup_categories_at_peaks (self->liveness, NULL, NULL));
          tsr_memory_chart_set_options (chart, &options);
          if (bits >> 4 != 0)
            tsr_memory_chart_set_step (chart, 4, bytes);
          tsr_memory_chart_get_options (chart, &told);
          g_string_append_printf (self->out, "told %u %u %d %d %d %d %u\n", told.breakdown,
                                  told.order, told.include_gaps, told.show_max, told.fit_data,
                                  told.from_zero, told.units);
          add_views (self, TSR_CHART_MODEL (chart));
        }
}

static void
set_variables (Walk *self)
{
  g_autoptr (TsrVariablesChart) chart
      = tsr_variables_chart_new (self->memory, self->variables, self->tiles);
  const guint32 shown[] = { 0, 3, 1, 5 };

  for (guint n = 0; n <= G_N_ELEMENTS (shown); n++)
    for (guint order = TSR_ORDER_SOFTWARE; order <= TSR_ORDER_BYTES; order++)
      {
        tsr_variables_chart_set_variables (chart, shown, n);
        tsr_variables_chart_set_order (chart, order);
        add_views (self, TSR_CHART_MODEL (chart));
      }
}

/* Each metric, with a range of its colours and without, near and whole; and what is told of it. */
static void
set_map (Walk *self)
{
  g_autoptr (TsrTileMap) map = tsr_tile_map_new (self->memory, self->tiles);
  const TsrChartGeometry geometry = test_geometry (420, 300, 1, 0, 1);
  const guint n = tsr_memory_get_n_tiles (self->memory);

  for (guint metric = 0; metric <= TSR_N_METRICS; metric++)
    for (guint bits = 0; bits < 16; bits++)
      {
        gint64 from, to;
        double zoom, left, top;

        if (metric < TSR_N_METRICS)
          tsr_tile_map_set_metric (map, metric, "key", "What it is", TSR_UNITS_BINARY);
        else
          tsr_tile_map_set_values (map, NULL, "nothing", "Nothing", TSR_UNKNOWN, TSR_UNITS_BINARY);
        tsr_tile_map_set_counts (map, bits & 1);
        tsr_tile_map_set_scale (map, 300, bits & 2 ? 700 : 300);
        tsr_tile_map_set_view (map, bits & 4 ? 2.3 : 1, 0.3, 0.7);
        tsr_tile_map_set_ipus (map, (guint[]){ 1 }, bits & 8 ? 1 : 0);
        add_views (self, TSR_CHART_MODEL (map));
        tsr_tile_map_get_scale (map, &from, &to);
        tsr_tile_map_get_view (map, &zoom, &left, &top);
        g_string_append_printf (self->out,
                                "scale %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                                " of %" G_GINT64_FORMAT " %d view %.3f %.3f %.3f\n",
                                from, to, tsr_tile_map_get_top (map), tsr_tile_map_has_scale (map),
                                zoom, left, top);
        for (guint tile = 0; tile < n; tile++)
          {
            g_autofree char *told = tsr_chart_model_describe (TSR_CHART_MODEL (map), tile);
            double x = 0, y = 0, width = 0, height = 0;
            const gboolean there
                = tsr_tile_map_get_cell (map, &geometry, tile, &x, &y, &width, &height);

            g_assert_true (there == tsr_tile_map_shows (map, tile));
            g_string_append_printf (self->out, "%d %.2f %.2f %.2f %.2f %u %u %u %u %s\n", there, x,
                                    y, width, height, tsr_tile_map_neighbour (map, tile, 1, 0),
                                    tsr_tile_map_neighbour (map, tile, -1, 0),
                                    tsr_tile_map_neighbour (map, tile, 0, 1),
                                    tsr_tile_map_neighbour (map, tile, 0, -1), told);
          }
        for (double x = 0; x < 420; x += 7)
          {
            gint64 value = 0;
            const guint part = tsr_tile_map_scale_at (map, &geometry, x, 290, &value);

            g_string_append_printf (self->out, "%u %" G_GINT64_FORMAT "\n", part, value);
          }
      }
}

static void
set_lives (Walk *self)
{
  static const double heights[] = { 0.3, 6, 14, 22 };
  const TsrLivenessSource source = { .kind = TSR_LIVENESS_ALL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrLifetimeChart) chart = tsr_lifetime_chart_new (self->liveness, self->steps);

  tsr_lifetime_chart_take_rows (
      chart, tsr_lifetime_rows_new (self->liveness, &source, NULL, NULL, &error));
  g_assert_no_error (error);
  for (guint selected = 0; selected < 2; selected++)
    {
      for (guint order = TSR_LIFETIME_BY_BYTES; order <= TSR_LIFETIME_BY_DEATH; order++)
        for (guint colour = 0; colour <= TSR_LIFETIME_COLOUR_CATEGORY; colour++)
          for (guint i = 0; i < G_N_ELEMENTS (heights); i++)
            {
              tsr_lifetime_chart_set_order (chart, order);
              tsr_lifetime_chart_set_colour (chart, colour);
              tsr_lifetime_chart_set_row_height (chart, heights[i]);
              tsr_lifetime_chart_set_first_row (chart, i == 1 ? 0 : 1.25);
              add_views (self, TSR_CHART_MODEL (chart));
            }
      for (guint row = 0; row < tsr_lifetime_chart_get_n_rows (chart); row += 2)
        tsr_step_selection_toggle_variable (
            self->steps,
            tsr_variables_get_name (self->variables, tsr_lifetime_chart_get_variable (chart, row)));
    }
}

static void
set_icicle (Walk *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrPrograms) programs = tsr_programs_new (self->report, NULL, &error);
  g_autoptr (TsrVertices) vertices = tsr_vertices_new (self->report, self->memory);
  g_autoptr (TsrProgramCode) code = tsr_program_code_new (programs, vertices, 0, NULL, &error);
  g_autoptr (TsrProgramIcicle) icicle = tsr_program_icicle_new (programs, code);

  g_assert_no_error (error);
  for (guint width = 0; width < TSR_N_ICICLE_WIDTHS; width++)
    for (guint32 program = 0; program < 8; program++)
      {
        tsr_program_icicle_set_units (icicle, program % 2 ? TSR_UNITS_SI : TSR_UNITS_BINARY);
        tsr_program_icicle_set_width (icicle, width);
        tsr_program_icicle_set_root (icicle, TSR_NO_INDEX, program % 3 == 2 ? 1 : TSR_NO_INDEX);
        tsr_program_icicle_set_focus (icicle, tsr_program_icicle_find (icicle, program));
        add_views (self, TSR_CHART_MODEL (icicle));
      }
}

static void
set_liveness (Walk *self)
{
  static const TsrLivenessSource source = { .kind = TSR_LIVENESS_ALL };
  guint two[] = { 1, 2 };
  const TsrLivenessSource some = { .kind = TSR_LIVENESS_TILES, .tiles = two, .n_tiles = 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrLivenessSeries) series
      = tsr_liveness_compute (self->liveness, &source, NULL, &error);
  g_autoptr (TsrLivenessSeries) of_tiles
      = tsr_liveness_compute (self->liveness, &some, NULL, &error);
  g_autoptr (TsrLivenessChart) chart = tsr_liveness_chart_new (self->liveness, self->steps);
  g_autoptr (GArray) mine
      = tsr_variables_dup_lifetimes (self->variables, find_grad (self), NULL, 0);
  const guint n = tsr_liveness_get_n_steps (self->liveness);
  g_autofree guint8 *matches = g_new0 (guint8, n);

  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    matches[i] = i % 3 == 0;
  for (guint bits = 0; bits < 512; bits++)
    {
      const TsrLivenessChartOptions options = { .include_always_live = bits & 1,
                                                .structure = bits >> 1 & 1,
                                                .show_max = bits >> 2 & 1,
                                                .from_zero = bits >> 3 & 1 };

      g_autoptr (GArray) peaks = NULL;

      tsr_liveness_chart_set_options (chart, &options);
      tsr_liveness_chart_set_series (chart, bits >> 8 & 1 ? of_tiles : series, "All of it");
      if (bits >> 4 & 1)
        peaks = tsr_liveness_find_peak_programs (self->liveness, series, 3);
      tsr_liveness_chart_set_peaks (chart, peaks);
      tsr_liveness_chart_set_matches (chart, bits >> 5 & 1 ? matches : NULL);
      tsr_liveness_chart_set_tiles_series (chart, bits >> 6 & 1 ? of_tiles : NULL, "Two tiles");
      tsr_liveness_chart_clear_lifetimes (chart);
      if (bits >> 7 & 1)
        tsr_liveness_chart_add_lifetime (chart, "mine", mine);
      add_views (self, TSR_CHART_MODEL (chart));
    }
}

static void
set_trace (Walk *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrTrace) trace = tsr_trace_new (self->report, NULL, &error);
  g_autoptr (TsrTraceState) state = tsr_trace_state_new ();
  g_autoptr (TsrTraceChart) chart = tsr_trace_chart_new (trace, state);

  g_assert_no_error (error);
  tsr_trace_state_set_run (state, TSR_TRACE_RUN_ALL);
  for (guint round = 0; round < 200; round++)
    {
      const guint what = round * 7919 % 16;

      if (what < 8)
        tsr_trace_state_set_option (state, 1 << what, !tsr_trace_state_has (state, 1 << what));
      else if (what == 8)
        tsr_trace_state_set_shape (state, round % 2 ? TSR_TRACE_FLAT : TSR_TRACE_FLAME);
      else if (what == 9)
        tsr_trace_state_set_collapsed (state, round % 2, round % 3 == 0);
      else if (what == 10)
        tsr_trace_state_set_pinned (state, round % 2, round % 3 != 0);
      else if (what == 11)
        tsr_trace_state_set_hidden (state, "DoExchange", round % 2);
      else if (what == 12)
        tsr_trace_state_set_span (state, 100 * (round % 7), 90 * round);
      else if (what == 13)
        tsr_trace_chart_set_live (chart, NULL, TSR_UNITS_BINARY,
                                  round % 3 == 0 ? NULL : "Nobody\tknows,\nnor will");
      else if (what == 14)
        tsr_trace_state_set_ipu (state, round % 4 == 3 ? TSR_NO_INDEX : round % 4);
      else
        tsr_trace_chart_set_bsp_range (chart, -0.5 + round % 5 * 0.4, 0.3 + round % 4 * 0.5);
      add_views (self, TSR_CHART_MODEL (chart));
    }
}

static void
set_cycles (Walk *self)
{
  enum
  {
    N = 40
  };
  gint64 values[3][N];

  for (guint i = 0; i < N; i++)
    {
      values[0][i] = i % 17 == 3 ? TSR_UNKNOWN : (i * 7919) % 1000;
      values[1][i] = i < 20 ? 0 : 300 + i;
      values[2][i] = 900 - 7 * (gint64)i;
    }
  for (guint n = 0; n <= 3; n++)
    for (guint bits = 0; bits < 8; bits++)
      {
        g_autoptr (TsrTileCyclesChart) chart = tsr_tile_cycles_chart_new (N, "Cycles of tiles");
        TsrChartModel *model = TSR_CHART_MODEL (chart);

        for (guint k = 0; k < n; k++)
          tsr_tile_cycles_chart_add_series (chart,
                                            k == 0   ? "a"
                                            : k == 1 ? "b"
                                                     : "c",
                                            "Some", TSR_INK_TRACE + k, values[k], k == 2, bits & 4);
        if (bits & 1)
          tsr_tile_cycles_chart_set_order (chart, TSR_TILE_CYCLES_BY_CYCLES);
        if (bits & 2)
          tsr_tile_cycles_chart_set_bytes (chart, TSR_UNITS_BINARY);
        add_views (self, model);
        for (double x = -0.5; x < N + 1; x += 0.5)
          {
            const guint32 datum = tsr_chart_model_datum_at (model, x);

            g_string_append_printf (self->out, "%u at %.3f, near %u\n", datum,
                                    tsr_chart_model_position_of (model, datum),
                                    tsr_chart_model_datum_near (model, x, x + 3));
          }
      }
}

/* Strips of more and of fewer values than there are columns, and of none. */
static void
set_strips (Walk *self)
{
  gint64 values[97];
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = i % 13 == 5  ? TSR_UNKNOWN
                : i % 7 == 2 ? -(gint64)(i * 3)
                             : (gint64)(i * 7919 % 500);
  for (guint n = 0; n <= G_N_ELEMENTS (values); n += n < 4 ? 1 : 31)
    for (guint width = 7; width < 200; width += 48)
      for (guint scale = 1; scale <= 2; scale++)
        {
          const TsrChartGeometry geometry = test_geometry (width, 30, scale, 0, 1);
          g_autofree char *text = NULL;

          tsr_draw_list_reset (list);
          tsr_insight_charts_layout_strip (values, n, 400, &geometry, list);
          text = tsr_draw_list_dup_text (list);
          g_string_append_printf (self->out, "%u in %u\n%s", n, width, text);
        }
  for (gint64 bytes = 0; bytes <= 1200; bytes += 100)
    for (gint64 capacity = 0; capacity <= 1000; capacity += 500)
      {
        const TsrChartGeometry geometry = test_geometry (200, 20, 1, 0, 1);
        g_autofree char *text = NULL;

        tsr_draw_list_reset (list);
        tsr_insight_charts_layout_bar (bytes, capacity > 0 ? capacity : TSR_UNKNOWN, 1000,
                                       &geometry, list);
        text = tsr_draw_list_dup_text (list);
        g_string_append_printf (self->out, "%d of %d\n%s", (int)bytes, (int)capacity, text);
      }
}

/* Each tile and one that is not there, at some steps and one that is not there, in each colour. */
static void
set_addresses (Walk *self)
{
  static const guint steps[] = { TSR_NO_INDEX, 0, 7, 21, 22 };
  g_autoptr (TsrAddressMap) map = tsr_address_map_new (self->liveness, self->steps);

  for (guint colour = 0; colour <= TSR_ADDRESS_BY_LIFE; colour++)
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      for (int tile = (int)tsr_memory_get_n_tiles (self->memory); tile >= 0; tile--)
        {
          /* After each, so that none tells for another, and of a tile that is there. */
          tsr_address_map_set_colour (map, colour);
          add_views (self, TSR_CHART_MODEL (map));
          tsr_address_map_set_step (map, steps[i]);
          add_views (self, TSR_CHART_MODEL (map));
          tsr_address_map_set_tile (map, (guint)tile);
          add_views (self, TSR_CHART_MODEL (map));
        }
}

/* Every setting of each chart with every other one of it. */
static void
walk_settings (Walk *self)
{
  static const struct
  {
    const char *name;
    void (*set) (Walk *self);
  } charts[] = { { "memory", set_memory },      { "variables", set_variables },
                 { "tile map", set_map },       { "addresses", set_addresses },
                 { "lifetimes", set_lives },    { "icicle", set_icicle },
                 { "liveness", set_liveness },  { "trace", set_trace },
                 { "tile cycles", set_cycles }, { "strips and bars", set_strips } };

  self->name = "each setting of";
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    {
      add_part (self, charts[i].name);
      charts[i].set (self);
    }
}

static void
walk_report (const char *folder, const char *of_report, GString *out)
{
  Walk self = { .out = out, .of_report = of_report };
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  const guint marked[] = { 1, 2 };

  self.report = tsr_report_open_sync (place, folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  self.memory = tsr_memory_new (self.report);
  self.variables = tsr_variables_new (self.report, NULL, &error);
  g_assert_no_error (error);
  self.liveness = tsr_liveness_new (self.report, self.memory, self.variables);
  self.tiles = tsr_tile_selection_new ();
  self.steps = tsr_step_selection_new ();
  tsr_tile_selection_set (self.tiles, marked, G_N_ELEMENTS (marked));
  tsr_step_selection_set (self.steps, marked, G_N_ELEMENTS (marked));
  walk_memory (&self);
  walk_maps (&self);
  walk_liveness (&self);
  walk_programs (&self);
  walk_operations (&self);
  walk_few_operations (&self);
  walk_trace (&self);
  walk_cycles (&self);
  walk_insights (&self);
  walk_settings (&self);
  g_object_unref (self.steps);
  g_object_unref (self.tiles);
  tsr_liveness_unref (self.liveness);
  tsr_variables_unref (self.variables);
  tsr_memory_unref (self.memory);
  g_object_unref (self.report);
}

static void
test_walk (gconstpointer golden)
{
  g_autoptr (GString) out = g_string_new (NULL);

  walk_report (tsr_test_get_report ("tiny"), "", out);
  golden_compare (golden, out->str);
}

/* The same with names that nobody would give: of many lines, with tabs and letters of two columns.
 */
static void
test_odd_names (gconstpointer golden)
{
  g_autoptr (GString) out = g_string_new (NULL);
  static const char *const tables[] = { "variables", "programs", "vertex_types", "var_categories" };
  g_autofree char *folder = tsr_test_folder_new ();
  g_autoptr (GString) sql
      = g_string_new ("UPDATE compute_set_vertices SET flops = 0;"
                      "UPDATE target SET bytes_per_tile = 1050;"
                      "UPDATE memory_by_tile SET excluding_gaps = excluding_gaps / 20 + 1000,"
                      "  including_gaps = including_gaps / 20 + 1020, total = total / 20 + 1000,"
                      "  always_live = always_live / 20 + 900;"
                      "UPDATE memory_by_tile SET overflowed = max (total - 1050, 0);");

  tsr_test_copy (tsr_test_get_report ("tiny"), folder, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    g_string_append_printf (
        sql,
        "UPDATE %s SET name = name || char(13, 10, 9) || '\"; \345\220\215\345\211\215, ' || name"
        " || CASE id %% 4 WHEN 3 THEN replace (hex (zeroblob (900)), '00', '/part of it') ELSE '' "
        "END;",
        tables[i]);
  tsr_test_sql (folder, "profile.pop", sql->str);
  walk_report (folder, "", out);
  golden_compare (golden, out->str);
  tsr_test_folder_free (g_steal_pointer (&folder));
}

/* The same with numbers that are unknown, equal, nothing or negative here and there. */
static void
test_odd_numbers (gconstpointer golden)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *folder = tsr_test_folder_new ();
      g_autofree char *sql = drawn_sql_new (i == 0 ? 3 : 40);
      g_autofree char *more = i == 0 ? g_strdup ("") : drawn_sql_new (41);

      tsr_test_copy (tsr_test_get_report ("tiny"), folder, NULL);
      tsr_test_sql (folder, "profile.pop", sql);
      tsr_test_sql (folder, "profile.pop", more);
      walk_report (folder, i == 0 ? "" : "more, ", out);
      tsr_test_folder_free (g_steal_pointer (&folder));
    }
  golden_compare (golden, out->str);
}

/* Where each cell of an icicle leads, each way. */
static void
walk_neighbours (Walk *self, TsrProgramIcicle *icicle)
{
  static const int ways[][2] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };

  add_part (self, "neighbours");
  for (guint32 program = 0; program < 60; program++)
    {
      const guint32 cell = tsr_program_icicle_find (icicle, program);

      g_string_append_printf (self->out, "%u:", cell);
      for (guint i = 0; cell != TSR_NO_DATUM && i < G_N_ELEMENTS (ways); i++)
        g_string_append_printf (
            self->out, " %u", tsr_program_icicle_neighbour (icicle, cell, ways[i][0], ways[i][1]));
      g_string_append_c (self->out, '\n');
    }
}

/* Where the allocations of a tile stand, in the order of their addresses. */
static void
walk_addresses (Walk *self, TsrAddressMap *map)
{
  const TsrChartGeometry geometry
      = test_geometry (420, tsr_address_map_get_height (map, 420), 1.5, 0, 1);
  guint32 row = tsr_address_map_step_from (map, TSR_NO_DATUM, 1);
  const guint n = tsr_address_map_get_n (map);
  double left = 0, top = 0, height = 0;

  add_part (self, "places");
  g_string_append_printf (self->out, "%u allocations, gaps of %" G_GINT64_FORMAT "\n", n,
                          tsr_address_map_get_gap_bytes (map));
  /* Each of them once, there and back; at the ends it stays. */
  g_assert_cmpuint (tsr_address_map_step_from (map, row, -1), ==, row);
  for (guint i = 0; i < n; i++)
    {
      const guint32 next = tsr_address_map_step_from (map, row, 1);

      g_assert_true (tsr_address_map_get_place (map, &geometry, row, &left, &top, &height));
      g_string_append_printf (self->out, "%u ink %u: %.2f %.2f %.2f\n", row,
                              tsr_address_map_get_ink (map, row), left, top, height);
      if (i + 1 < n)
        g_assert_cmpuint (tsr_address_map_step_from (map, next, -1), ==, row);
      else
        g_assert_cmpuint (next, ==, row);
      row = next;
    }
  g_assert_cmpuint (tsr_address_map_step_from (map, row, -(int)n), ==,
                    tsr_address_map_step_from (map, TSR_NO_DATUM, 1));
  g_assert_false (tsr_address_map_get_place (map, &geometry, TSR_NO_DATUM, &left, &top, &height));
}

/* Lives of one IPU and of two tiles, and more rows than pixels. */
static void
walk_lives (Walk *self, TsrLiveness *liveness, TsrLifetimeChart *lives)
{
  guint two[] = { 706, 2000 };
  const TsrLivenessSource sources[]
      = { { .kind = TSR_LIVENESS_IPU, .ipu = 1 },
          { .kind = TSR_LIVENESS_TILES, .tiles = two, .n_tiles = G_N_ELEMENTS (two) } };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      tsr_lifetime_chart_take_rows (
          lives, tsr_lifetime_rows_new (liveness, &sources[i], NULL, NULL, &error));
      g_assert_no_error (error);
      tsr_lifetime_chart_set_row_height (lives, i == 0 ? 14 : 0.3);
      add_model (self, i == 0 ? "demo, lifetimes of an IPU" : "demo, lifetimes of tiles",
                 TSR_CHART_MODEL (lives));
    }
}

/* The other charts of a report with many categories, variables and steps. */
static void
walk_demo (Walk *self, TsrReport *report)
{
  const TsrLivenessSource source = { .kind = TSR_LIVENESS_ALL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrMemory) memory = tsr_memory_new (report);
  g_autoptr (TsrVariables) variables = tsr_variables_new (report, NULL, &error);
  g_autoptr (TsrLiveness) liveness = tsr_liveness_new (report, memory, variables);
  g_autoptr (TsrTileSelection) tiles = tsr_tile_selection_new ();
  g_autoptr (TsrStepSelection) steps = tsr_step_selection_new ();
  g_autoptr (TsrLivenessSeries) series = tsr_liveness_compute (liveness, &source, NULL, &error);
  g_autoptr (TsrLivenessChart) live = tsr_liveness_chart_new (liveness, steps);
  g_autoptr (TsrLifetimeChart) lives = tsr_lifetime_chart_new (liveness, steps);
  g_autoptr (TsrAddressMap) addresses = tsr_address_map_new (liveness, steps);
  g_autoptr (TsrTileMap) map = tsr_tile_map_new (memory, tiles);
  g_autoptr (TsrPrograms) programs = tsr_programs_new (report, NULL, &error);
  g_autoptr (TsrVertices) vertices = tsr_vertices_new (report, memory);
  g_autoptr (TsrProgramCode) code = tsr_program_code_new (programs, vertices, 0, NULL, &error);
  g_autoptr (TsrProgramIcicle) icicle = tsr_program_icicle_new (programs, code);
  g_autoptr (GArray) peaks = NULL;
  const TsrLivenessChartOptions options = { .include_always_live = TRUE, .structure = TRUE };

  g_assert_no_error (error);
  tsr_tile_selection_set (tiles, (guint[]){ 706, 2000 }, 2);
  tsr_step_selection_set (steps, (guint[]){ 96, 102 }, 2);
  for (guint breakdown = TSR_BREAKDOWN_NONE; breakdown <= TSR_BREAKDOWN_LIVENESS; breakdown++)
    {
      const TsrMemoryChartOptions how
          = { .breakdown = breakdown, .include_gaps = breakdown % 2 == 0, .show_max = TRUE };
      g_autoptr (TsrMemoryChart) chart = tsr_memory_chart_new (memory, tiles, &how);

      add_model (self, "demo, memory", TSR_CHART_MODEL (chart));
    }
  tsr_tile_map_set_values (map, tsr_memory_peek (memory, TSR_METRIC_EXCLUDING_GAPS),
                           "excludingGaps", "Excluding gaps", 600000, TSR_UNITS_BINARY);
  add_model (self, "demo, tile map", TSR_CHART_MODEL (map));
  tsr_liveness_chart_set_series (live, series, "All tiles");
  tsr_liveness_chart_set_options (live, &options);
  add_model (self, "demo, liveness", TSR_CHART_MODEL (live));
  peaks = tsr_liveness_find_peak_programs (liveness, series, 9);
  tsr_liveness_chart_set_peaks (live, peaks);
  tsr_liveness_chart_set_options (live, &(TsrLivenessChartOptions){ .show_max = TRUE });
  add_model (self, "demo, liveness with peaks", TSR_CHART_MODEL (live));
  tsr_lifetime_chart_take_rows (lives,
                                tsr_lifetime_rows_new (liveness, &source, NULL, NULL, &error));
  g_assert_no_error (error);
  add_model (self, "demo, lifetimes", TSR_CHART_MODEL (lives));
  tsr_address_map_set_tile (addresses, 706);
  for (guint step = 0; step < 2; step++)
    {
      tsr_address_map_set_step (addresses, step == 0 ? TSR_NO_INDEX : 96);
      for (guint colour = 0; colour <= TSR_ADDRESS_BY_LIFE; colour++)
        {
          tsr_address_map_set_colour (addresses, colour);
          add_model (self, "demo, addresses", TSR_CHART_MODEL (addresses));
        }
    }
  self->name = "demo, addresses";
  walk_addresses (self, addresses);
  tsr_address_map_set_step (addresses, TSR_NO_INDEX);
  walk_addresses (self, addresses);
  walk_lives (self, liveness, lives);
  tsr_tile_map_set_counts (map, TRUE);
  tsr_tile_map_set_metric (map, TSR_METRIC_EXCLUDING_GAPS, "excludingGaps", "Excluding gaps",
                           TSR_UNITS_SI);
  add_model (self, "demo, tile map of counts", TSR_CHART_MODEL (map));
  tsr_tile_selection_set (tiles, (guint[]){ 706 }, 1);
  self->name = "demo, tile map";
  add_odd (self, TSR_CHART_MODEL (map));
  add_model (self, "demo, icicle", TSR_CHART_MODEL (icicle));
  walk_neighbours (self, icicle);
  tsr_program_icicle_set_units (icicle, TSR_UNITS_SI);
  tsr_program_icicle_set_width (icicle, TSR_ICICLE_CODE);
  tsr_program_icicle_set_root (icicle, TSR_NO_INDEX, 3);
  add_model (self, "demo, icicle of one", TSR_CHART_MODEL (icicle));
}

/* The trace with each option alone turned round: all of it, some steps, and part of one. */
static void
walk_options (Walk *self, TsrTraceChart *chart, TsrTraceState *state)
{
  static const struct
  {
    double from, to, width, height, scale;
  } views[]
      = { { 0, 1, 420, 520, 1 }, { 0.4, 0.42, 400, 520, 2 }, { 0.41, 0.4102, 300, 300, 1.5 } };
  TsrChartModel *model = TSR_CHART_MODEL (chart);

  for (guint shape = 0; shape < 2; shape++)
    for (int bit = -1; 1 << MAX (bit, 0) <= TSR_TRACE_OPTION_LIVE; bit++)
      {
        const TsrTraceOptions option = bit >= 0 ? 1 << bit : 0;
        const gboolean was = bit >= 0 && tsr_trace_state_has (state, option);
        double from, to, least;

        tsr_trace_state_set_shape (state, shape == 0 ? TSR_TRACE_FLAT : TSR_TRACE_FLAME);
        if (bit >= 0)
          tsr_trace_state_set_option (state, option, !was);
        tsr_chart_model_get_domain (model, &from, &to, &least);
        for (guint i = 0; i < G_N_ELEMENTS (views); i++)
          {
            const double first = from + (to - from) * views[i].from;
            const double last = from + (to - from) * views[i].to;
            g_autofree char *part = g_strdup_printf ("shape %u, option %d, view %u", shape, bit, i);
            Walk picture = { .name = part };

            /* As a flame twice as fine. */
            add_chart (self, model, NULL, views[i].width, views[i].height,
                       views[i].scale * (1 + shape), first, last, part);
            write_picture (&picture, model, first, last);
          }
        if (bit >= 0)
          tsr_trace_state_set_option (state, option, was);
      }
}

/* Rows that scroll below those that do not, in a plot that has no room for all; and what is hit. */
static void
walk_scrolled (Walk *self, TsrTraceChart *chart, TsrTraceState *state)
{
  TsrChartModel *model = TSR_CHART_MODEL (chart);
  double from, to, least;

  tsr_trace_state_set_pinned (state, 1, TRUE);
  tsr_chart_model_get_domain (model, &from, &to, &least);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *part = g_strdup_printf ("scrolled by %u", i * 37);

      tsr_trace_state_set_option (state, TSR_TRACE_OPTION_BSP, i == 3);
      tsr_trace_chart_set_row_height (chart, 14 + 5 * i);
      tsr_trace_chart_set_top (chart, 37 * i);
      add_chart (self, model, NULL, 420, 240, 1 + i % 2, from, to, part);
      add_hits (self, model, from, to);
    }
  tsr_trace_state_set_pinned (state, 1, FALSE);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_BSP, FALSE);
  tsr_trace_chart_set_top (chart, 0);
}

/* One IPU in a line of its own, the other, and both; and what is hit. */
static void
walk_collapsed (Walk *self, TsrTraceChart *chart, TsrTraceState *state)
{
  TsrChartModel *model = TSR_CHART_MODEL (chart);
  double from, to, least;

  tsr_chart_model_get_domain (model, &from, &to, &least);
  for (guint i = 1; i < 8; i++)
    {
      g_autofree char *part = g_strdup_printf ("collapsed %u", i);
      Walk picture = { .name = part };

      tsr_trace_state_set_shape (state, i < 4 ? TSR_TRACE_FLAT : TSR_TRACE_FLAME);
      tsr_trace_state_set_collapsed (state, 0, i & 1);
      tsr_trace_state_set_collapsed (state, 1, i & 2);
      add_chart (self, model, NULL, 420, 240, 1 + i % 2, from, to, part);
      add_chart (self, model, NULL, 420, 240, 1, from + (to - from) * 0.4,
                 from + (to - from) * 0.42, part);
      add_hits (self, model, from, to);
      write_picture (&picture, model, from + (to - from) * 0.4, from + (to - from) * 0.42);
    }
  tsr_trace_state_set_all_collapsed (state, 2, FALSE);
}

static gboolean
has_text (const char *name, gpointer data)
{
  return strstr (name, data) != NULL;
}

/* What is found stays, the rest is faint: some names, one, none, and the groups above them. */
static void
walk_search (Walk *self, TsrTraceChart *chart, TsrTraceState *state)
{
  static const char *const texts[] = { "o", "Conv", "MatMul", "nobody has this" };
  TsrChartModel *model = TSR_CHART_MODEL (chart);
  double from, to, least;

  tsr_chart_model_get_domain (model, &from, &to, &least);
  for (guint shape = 0; shape < 2; shape++)
    for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
      {
        g_autoptr (TsrTraceMatches) matches = tsr_trace_matches_new (
            tsr_trace_chart_get_trace (chart), has_text, (gpointer)texts[i]);
        g_autofree char *part = g_strdup_printf ("shape %u, \"%s\" searched", shape, texts[i]);
        Walk picture = { .name = part };

        tsr_trace_state_set_shape (state, shape == 0 ? TSR_TRACE_FLAT : TSR_TRACE_FLAME);
        tsr_trace_state_set_search (state, texts[i], matches);
        add_chart (self, model, NULL, 420, 400, 1, from, to, part);
        add_chart (self, model, NULL, 300, 400, 2, from + (to - from) * 0.4,
                   from + (to - from) * 0.41, part);
        write_picture (&picture, model, from + (to - from) * 0.4, from + (to - from) * 0.41);
      }
  tsr_trace_state_set_search (state, "", NULL);
}

/* The pointer and the cursor over each thing of a grid, beside markers and a span. */
static void
walk_pointer (Walk *self, TsrTraceChart *chart, TsrTraceState *state)
{
  static const char long_note[]
      = "A note that says far more than there is room for beside the flag of a marker, and goes on";
  static const struct
  {
    double from, to;
  } views[] = { { 0, 1 }, { 0.41, 0.4102 } };
  TsrChartModel *model = TSR_CHART_MODEL (chart);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  double from, to, least;

  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_USE, TRUE);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_BSP, TRUE);
  tsr_chart_model_get_domain (model, &from, &to, &least);
  tsr_trace_state_add_marker (state, (gint64)(from + (to - from) * 0.41005),
                              (gint64)(from + (to - from) * 0.41005), long_note);
  tsr_trace_state_add_marker (state, (gint64)(from + (to - from) * 0.3),
                              (gint64)(from + (to - from) * 0.5), "");
  for (guint v = 0; v < 2 * G_N_ELEMENTS (views); v++)
    {
      const TsrChartGeometry geometry
          = test_geometry (420, 360, 1 + v % 2, from + (to - from) * views[v / 2].from,
                           from + (to - from) * views[v / 2].to);
      TsrTraceHit last = { 0 };
      TsrPlotArea area;

      tsr_trace_state_set_shape (state, v % 2 == 0 ? TSR_TRACE_FLAT : TSR_TRACE_FLAME);
      tsr_trace_state_set_option (state, TSR_TRACE_OPTION_TIME, v % 2 != 0);
      if (v % 2 != 0)
        tsr_trace_state_set_span (state, (gint64)(from + (to - from) * 0.41003),
                                  (gint64)(from + (to - from) * 0.41012));
      tsr_draw_list_reset (list);
      tsr_chart_model_layout (model, &geometry, list, &area);
      add_part (self, v % 2 == 0 ? "pointer, flat" : "pointer, flame");
      for (double y = 4; y < 360; y += 7)
        for (int column = -2; column < 10; column++)
          {
            /* The arrow of an IPU, its pin, and a grid. */
            const double x = column == -2   ? 11
                             : column == -1 ? area.x - 12
                                            : 2 + fmod (y, 5) + 41 * column;
            TsrTraceHit hit = { 0 };
            g_autofree char *text = NULL;

            tsr_trace_chart_hit (chart, &geometry, &area, x, y, &hit);
            tsr_trace_chart_set_hover (chart, &hit);
            tsr_trace_chart_set_cursor (chart, &last);
            tsr_draw_list_reset (list);
            tsr_chart_model_layout_overlay (model, &geometry, &area, TSR_NO_DATUM, TSR_NO_DATUM,
                                            list);
            text = tsr_draw_list_dup_text (list);
            g_string_append_printf (self->out, "%g, %g: %d\n%s", x, y, hit.kind, text);
            last = hit;
          }
    }
  tsr_trace_chart_set_hover (chart, NULL);
  tsr_trace_chart_set_cursor (chart, NULL);
  tsr_trace_state_set_span (state, 0, 0);
}

/* Where the keys lead: a walk over all rows that goes each way again and again. */
static void
walk_keys (Walk *self, TsrTraceChart *chart)
{
  static const TsrTraceMove moves[]
      = { TSR_TRACE_MOVE_RIGHT, TSR_TRACE_MOVE_DOWN, TSR_TRACE_MOVE_RIGHT, TSR_TRACE_MOVE_LEFT,
          TSR_TRACE_MOVE_DOWN,  TSR_TRACE_MOVE_UP,   TSR_TRACE_MOVE_LEFT };
  TsrTraceHit hit = { 0 };
  double from, to, least;
  TsrChartGeometry geometry;
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrPlotArea area;

  tsr_chart_model_get_domain (TSR_CHART_MODEL (chart), &from, &to, &least);
  geometry = test_geometry (420, 520, 1, from, to);
  tsr_chart_model_layout (TSR_CHART_MODEL (chart), &geometry, list, &area);
  add_part (self, "by keys");
  for (guint i = 0; i < 400; i++)
    {
      const TsrTraceMove move = moves[(i * i / 3 + i / 40) % G_N_ELEMENTS (moves)];
      const gboolean moved = tsr_trace_chart_move (chart, move, &hit);

      g_string_append_printf (
          self->out,
          "%u %d: %d ipu %u track %u row %u item %u (%u) slice %u at %" G_GINT64_FORMAT "\n", move,
          moved, hit.kind, hit.ipu, hit.track, hit.depth, (guint)hit.item, (guint)hit.n_under,
          hit.slice, hit.cycles);
    }
}

/* The trace as nobody would set all of it at once, by lot, the same for all: what is drawn of it,
 * what is hit at a few places, told and marked there, and where the keys lead from it. */
static void
walk_states (Walk *self, TsrTraceChart *chart, TsrTraceState *state, TsrTraceLive *live)
{
  static const double scales[] = { 1, 1.25, 2, 3 };
  TsrTrace *trace = tsr_trace_chart_get_trace (chart);
  TsrChartModel *model = TSR_CHART_MODEL (chart);
  g_autoptr (GRand) lot = g_rand_new_with_seed (7);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_autoptr (TsrTraceMatches) matches = tsr_trace_matches_new (trace, has_text, (gpointer) "Conv");

  for (guint i = 0; i < 160; i++)
    {
      g_autofree char *part = g_strdup_printf ("state %u", i);
      Walk picture = { .name = part };
      const TsrTraceShape shape = g_rand_boolean (lot) ? TSR_TRACE_FLAT : TSR_TRACE_FLAME;
      const TsrTraceOptions options
          = g_rand_int (lot) & (TSR_TRACE_OPTION_LIVE | (TSR_TRACE_OPTION_LIVE - 1));
      TsrTraceHit hit = { 0 };
      TsrChartGeometry geometry;
      TsrPlotArea area = { 0 };
      double from, to, least, first, length, pixel;

      tsr_trace_state_set_options (state, shape, options);
      for (guint t = 0; t < tsr_trace_get_n_types (trace); t++)
        tsr_trace_state_set_hidden (state, tsr_trace_get_type (trace, t)->label,
                                    g_rand_int_range (lot, 0, 5) == 0);
      for (guint ipu = 0; ipu < 2; ipu++)
        {
          tsr_trace_state_set_collapsed (state, ipu, g_rand_int_range (lot, 0, 3) == 0);
          tsr_trace_state_set_pinned (state, ipu, g_rand_int_range (lot, 0, 3) == 0);
        }
      tsr_trace_chart_set_live (chart, g_rand_int_range (lot, 0, 4) == 0 ? NULL : live,
                                TSR_UNITS_BINARY, "Nobody knows");
      tsr_chart_model_get_domain (model, &from, &to, &least);
      length = MAX ((to - from) * pow (g_rand_double (lot), 4), 1);
      first = from + (to - from - length) * g_rand_double (lot);
      geometry = test_geometry (g_rand_int_range (lot, 60, 700), g_rand_int_range (lot, 40, 400),
                                scales[g_rand_int_range (lot, 0, G_N_ELEMENTS (scales))], first,
                                first + length);
      geometry.legend = g_rand_boolean (lot);
      /* Of rows of 10 to 40 pixels that scroll, or as high as there is room for. */
      tsr_trace_chart_set_row_height (chart, g_rand_double_range (lot, 4, 50));
      if (g_rand_int_range (lot, 0, 3) == 0)
        tsr_trace_chart_set_room (chart, geometry.height - 20);
      tsr_trace_chart_set_top (chart, g_rand_double_range (lot, -10, 160));
      tsr_trace_chart_set_bsp_range (chart, g_rand_double (lot) * 0.5,
                                     0.5 + g_rand_double (lot) * 0.5);
      tsr_trace_state_set_span (state, (gint64)(first + length * g_rand_double (lot)),
                                (gint64)(first + length * g_rand_double (lot)));
      tsr_trace_state_set_search (state, i % 5 == 0 ? "Conv" : "", i % 5 == 0 ? matches : NULL);
      if (i % 3 == 0)
        {
          const guint32 hidden = tsr_trace_state_get_hidden_mask (state, trace);
          g_autoptr (TsrTraceMarks) marks
              = tsr_trace_marks_new (trace, matches, shape, hidden, NULL);

          tsr_trace_state_set_selected_group (state, matches);
          tsr_trace_chart_set_marks (chart, marks);
        }
      else
        {
          tsr_trace_state_set_selected_group (state, NULL);
          tsr_trace_chart_set_marks (chart, NULL);
        }
      tsr_draw_list_reset (list);
      tsr_chart_model_layout (model, &geometry, list, &area);
      pixel = 1 / geometry.scale;
      test_list_check (list, geometry.width + pixel,
                       geometry.legend ? 1e9 : geometry.height + pixel);
      add_list (self, part, list);
      for (guint k = 0; k < 24; k++)
        {
          /* On a row more often than beside all. */
          const double x = g_rand_double_range (lot, k % 4 == 0 ? 0 : area.x, geometry.width);
          const double y = g_rand_double_range (lot, 0, geometry.height);
          TsrTraceHit there = { 0 };
          double left = 0, top = 0, width = 0, height = 0;
          g_autofree char *told = NULL, *marked = NULL;

          tsr_trace_chart_hit (chart, &geometry, &area, x, y, &there);
          told = tsr_trace_chart_describe_hit (chart, &there);
          tsr_trace_chart_get_place (chart, &geometry, &area, &there, &left, &top, &width, &height);
          tsr_trace_chart_set_cursor (chart, &hit);
          tsr_trace_chart_set_hover (chart, &there);
          tsr_draw_list_reset (list);
          tsr_chart_model_layout_overlay (model, &geometry, &area, TSR_NO_DATUM, TSR_NO_DATUM,
                                          list);
          test_list_check (list, geometry.width + pixel, geometry.height + pixel);
          marked = tsr_draw_list_dup_text (list);
          g_string_append_printf (self->out, "%d in %.2f %.2f %.2f %.2f: %s\n%s", there.kind, left,
                                  top, width, height, told, marked);
          if (there.kind == TSR_TRACE_HIT_ITEM || there.kind == TSR_TRACE_HIT_BLOCK)
            hit = there;
          g_string_append_printf (self->out, "moved %d",
                                  tsr_trace_chart_move (chart, (TsrTraceMove)(k % 4), &hit));
          g_string_append_printf (self->out, " to %d of %u, %u, %u: %u at %" G_GINT64_FORMAT "\n",
                                  hit.kind, hit.ipu, hit.track, hit.depth, (guint)hit.item,
                                  hit.cycles);
        }
      write_picture (&picture, model, first, first + length);
    }
  tsr_trace_chart_set_hover (chart, NULL);
  tsr_trace_chart_set_cursor (chart, NULL);
}

/* Steps that need more than a tile has, all and some of them. */
static void
walk_full (Walk *self)
{
  guint tile = 0;
  const TsrLivenessSource source = { .kind = TSR_LIVENESS_TILES, .tiles = &tile, .n_tiles = 1 };
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report
      = tsr_report_open_sync (place, tsr_test_get_report ("oom"), TSR_LOAD_ALL, NULL, &error);
  g_autoptr (TsrMemory) memory = tsr_memory_new (report);
  g_autoptr (TsrVariables) variables = tsr_variables_new (report, NULL, &error);
  g_autoptr (TsrLiveness) liveness = tsr_liveness_new (report, memory, variables);
  g_autoptr (TsrStepSelection) steps = tsr_step_selection_new ();
  g_autoptr (TsrLivenessChart) chart = tsr_liveness_chart_new (liveness, steps);
  g_autoptr (TsrLivenessSeries) series = NULL;
  g_autofree guint8 *matches = g_new0 (guint8, tsr_liveness_get_n_steps (liveness));
  const gint64 *bytes = tsr_memory_peek (memory, TSR_METRIC_EXCLUDING_GAPS);
  const TsrLivenessChartOptions options = { .include_always_live = TRUE, .show_max = TRUE };

  g_assert_no_error (error);
  for (guint i = 0; i < tsr_memory_get_n_tiles (memory); i++)
    if (bytes[i] > bytes[tile])
      tile = i;
  series = tsr_liveness_compute (liveness, &source, NULL, &error);
  g_assert_no_error (error);
  tsr_liveness_chart_set_series (chart, series, "The fullest tile");
  tsr_liveness_chart_set_options (chart, &options);
  add_model (self, "liveness beyond a tile", TSR_CHART_MODEL (chart));
  for (guint i = 0; i < tsr_liveness_get_n_steps (liveness); i++)
    matches[i] = i % 3 != 0;
  tsr_liveness_chart_set_matches (chart, matches);
  add_model (self, "liveness beyond a tile, some", TSR_CHART_MODEL (chart));
  /* Several steps in a column of pixels. */
  add_chart (self, TSR_CHART_MODEL (chart), NULL, 120, 160, 1, 0,
             tsr_liveness_get_n_steps (liveness), "in small, some");
  tsr_liveness_chart_set_matches (chart, NULL);
  add_chart (self, TSR_CHART_MODEL (chart), NULL, 120, 160, 2, 0,
             tsr_liveness_get_n_steps (liveness), "in small");
}

/* Marks of what is selected at the edge below which rows scroll, pixel by pixel. */
static void
walk_edge (Walk *self, TsrTraceChart *chart, TsrTraceState *state)
{
  TsrTrace *trace = tsr_trace_chart_get_trace (chart);
  g_autoptr (TsrTraceMatches) matches = tsr_trace_matches_new (trace, has_text, (gpointer) "o");
  g_autoptr (TsrTraceMarks) marks = tsr_trace_marks_new (trace, matches, TSR_TRACE_FLAME, 0, NULL);
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  TsrChartGeometry geometry;
  TsrTraceHit past = { .kind = TSR_TRACE_HIT_ITEM };
  double from, to, least;

  tsr_trace_state_set_options (state, TSR_TRACE_FLAME, TSR_TRACE_OPTIONS_DEFAULT);
  for (guint t = 0; t < tsr_trace_get_n_types (trace); t++)
    tsr_trace_state_set_hidden (state, tsr_trace_get_type (trace, t)->label, FALSE);
  for (guint ipu = 0; ipu < 2; ipu++)
    {
      tsr_trace_state_set_collapsed (state, ipu, FALSE);
      tsr_trace_state_set_pinned (state, ipu, FALSE);
    }
  tsr_trace_state_set_span (state, 0, 0);
  tsr_trace_state_set_selected_group (state, matches);
  tsr_trace_chart_set_marks (chart, marks);
  tsr_trace_chart_set_row_height (chart, 10);
  tsr_chart_model_get_domain (TSR_CHART_MODEL (chart), &from, &to, &least);
  geometry = test_geometry (160, 90, 1, from + (to - from) * 0.4, from + (to - from) * 0.42);
  add_part (self, "marks at the edge");
  for (guint top = 0; top < 60; top++)
    {
      TsrPlotArea area;
      g_autofree char *text = NULL;

      tsr_trace_chart_set_top (chart, top);
      tsr_draw_list_reset (list);
      tsr_chart_model_layout (TSR_CHART_MODEL (chart), &geometry, list, &area);
      tsr_draw_list_reset (list);
      tsr_chart_model_layout_overlay (TSR_CHART_MODEL (chart), &geometry, &area, TSR_NO_DATUM,
                                      TSR_NO_DATUM, list);
      for (guint i = 0; i < list->items->len; i++)
        if (g_array_index (list->items, TsrDrawItem, i).ink == TSR_INK_SELECTION)
          g_assert_cmpfloat (g_array_index (list->items, TsrDrawItem, i).y, >=, area.y - 1);
      text = tsr_draw_list_dup_text (list);
      g_string_append_printf (self->out, "%u\n%s", top, text);
    }
  /* Nothing is told of what is no step of the row any more. */
  past.item = tsr_trace_get_row (trace, 0, TSR_TRACE_FLAME, 0)->n;
  for (guint beyond = 0; beyond < 2; beyond++, past.item++)
    {
      g_autofree char *told = tsr_trace_chart_describe_hit (chart, &past);

      g_assert_cmpstr (told, ==, "");
    }
}

/* More tiles and steps than columns of pixels. */
static void
test_many (gconstpointer golden)
{
  Walk self = { .out = g_string_new (NULL), .of_report = "", .name = "memory" };
  g_auto (MemoryFixture) memory = { 0 };
  g_auto (LivenessFixture) liveness = { 0 };
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report
      = tsr_report_open_sync (place, tsr_test_get_report ("demo"), TSR_LOAD_ALL, NULL, &error);
  g_autoptr (TsrTrace) trace = tsr_trace_new (report, NULL, &error);
  g_autoptr (TsrTraceState) state = tsr_trace_state_new ();
  g_autoptr (TsrTraceChart) chart = tsr_trace_chart_new (trace, state);
  g_autoptr (TsrMemory) memory_of = NULL;
  g_autoptr (TsrVariables) variables = NULL;
  g_autoptr (TsrLiveness) of_steps = NULL;
  g_autoptr (TsrTraceLive) live = NULL;
  double from, to, least;

  g_assert_no_error (error);
  memory_fixture_open_large (&memory, 27);
  for (guint b = TSR_BREAKDOWN_NONE; b <= TSR_BREAKDOWN_LIVENESS; b++)
    {
      if (b == TSR_BREAKDOWN_CATEGORY)
        continue;
      memory_fixture_set_options (&memory, b, b % 2 == 0 ? TSR_ORDER_SOFTWARE : TSR_ORDER_BYTES,
                                  TRUE);
      add_chart (&self, memory.model, NULL, 130, 90, 1, 0, 2944, "of 2,944 tiles");
    }
  add_chart (&self, memory.model, NULL, 120, 80, 2, 1000, 1400, "of 400 tiles");
  self.name = "many tiles";
  write_picture (&self, memory.model, 0, 2944);
  self.name = "liveness";
  liveness_fixture_open (&liveness, 3000, liveness_fixture_ragged, 40000, 120000);
  add_chart (&self, liveness.model, NULL, 150, 90, 1, 0, 3000, "of 3,000 steps");
  add_chart (&self, liveness.model, NULL, 120, 80, 2, 1000, 1400, "of 400 steps");
  add_chart (&self, liveness.model, NULL, 1300, 90, 2, 0, 3000, "of 3,000 steps, finely");
  self.name = "many steps";
  write_picture (&self, liveness.model, 0, 3000);
  self.name = "trace";
  tsr_trace_state_set_run (state, TSR_TRACE_RUN_ALL);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_USE, TRUE);
  tsr_chart_model_get_domain (TSR_CHART_MODEL (chart), &from, &to, &least);
  add_chart (&self, TSR_CHART_MODEL (chart), NULL, 260, 160, 1, from, to, "of a demo");
  add_chart (&self, TSR_CHART_MODEL (chart), NULL, 200, 120, 2, from + (to - from) * 0.4,
             from + (to - from) * 0.45, "of a part");
  self.name = "trace of many";
  write_picture (&self, TSR_CHART_MODEL (chart), from, to);
  tsr_trace_state_set_option (state, TSR_TRACE_OPTION_USE, FALSE);
  tsr_trace_chart_set_live (chart, NULL, TSR_UNITS_BINARY, "Nobody knows");
  walk_demo (&self, report);
  self.name = "trace of many";
  walk_options (&self, chart, state);
  walk_scrolled (&self, chart, state);
  walk_keys (&self, chart);
  tsr_trace_state_set_shape (state, TSR_TRACE_FLAT);
  walk_keys (&self, chart);
  walk_collapsed (&self, chart, state);
  walk_search (&self, chart, state);
  walk_pointer (&self, chart, state);
  memory_of = tsr_memory_new (report);
  variables = tsr_variables_new (report, NULL, &error);
  g_assert_no_error (error);
  of_steps = tsr_liveness_new (report, memory_of, variables);
  live = tsr_trace_live_new (trace, of_steps, NULL, &error);
  g_assert_no_error (error);
  walk_states (&self, chart, state, live);
  walk_edge (&self, chart, state);
  walk_full (&self);
  golden_compare (golden, self.out->str);
  g_string_free (self.out, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 5);
  g_test_add_data_func ("/charts/walk", argv[1], test_walk);
  g_test_add_data_func ("/charts/many", argv[2], test_many);
  g_test_add_data_func ("/charts/odd-names", argv[3], test_odd_names);
  g_test_add_data_func ("/charts/odd-numbers", argv[4], test_odd_numbers);
  return g_test_run ();
}

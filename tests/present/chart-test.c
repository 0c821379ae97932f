/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reports, pixels and rules for tests of charts. */

#include "config.h"

#include "chart-test.h"

#include "tsr-test.h"

#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------- report */

#define TABLES                                                                                     \
  "BEGIN;"                                                                                         \
  "CREATE TABLE target (tiles_per_ipu, ipus_per_replica, num_replicas, num_ipus, bytes_per_tile);" \
  "INSERT INTO target VALUES (4, 1, 1, 1, 100000);"                                                \
  "CREATE TABLE memory_by_tile (tile INTEGER PRIMARY KEY, total, including_gaps, excluding_gaps,"  \
  "  overflowed, always_live, not_always_live, peak_step);"                                        \
  "INSERT INTO memory_by_tile VALUES (0, 9, 9, 9, 0, 9, 0, 0), (1, 9, 9, 9, 0, 9, 0, 0),"          \
  "  (2, 9, 9, 9, 0, 9, 0, 0), (3, 9, 9, 9, 0, 9, 0, 0);"                                          \
  "CREATE TABLE variables (id INTEGER PRIMARY KEY, name TEXT, size_bytes, always_live);"           \
  "INSERT INTO variables VALUES (0, 'v', 100, 0);"                                                 \
  "CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT, type TEXT);"                          \
  "CREATE TABLE liveness_steps (step INTEGER PRIMARY KEY, program INTEGER,"                        \
  "  not_always_live_bytes INTEGER);"
#define STEPS                                                                                      \
  "WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < %u)"                   \
  "  INSERT INTO programs SELECT i,"                                                               \
  "    CASE WHEN i %% 3 = 0 THEN 'Internal' WHEN i < %u THEN 'copyFromHost/in'"                    \
  "      WHEN i < %u THEN 'model/b/op' || i WHEN i < %u THEN 'Gradient/b/op' || i"                 \
  "      WHEN i < %u THEN 'WeightUpdate/op' || i ELSE 'copyToHost/out' END,"                       \
  "    CASE WHEN i %% 3 = 0 THEN 'Sync' WHEN i < %u OR i >= %u THEN 'StreamCopyMid'"               \
  "      ELSE 'OnTileExecute' END FROM s;"                                                         \
  "INSERT INTO liveness_steps SELECT id, id, id FROM programs;"

void
test_liveness_open (TestLiveness *self, guint n)
{
  test_liveness_open_with (self, n, "");
}

void
test_liveness_open_with (TestLiveness *self, guint n, const char *more)
{
  g_autofree char *steps = n > 0 ? g_strdup_printf (STEPS, n - 1, n / 20, n / 2 + 10, n * 3 / 4,
                                                    n * 9 / 10, n / 20, n * 9 / 10)
                                 : g_strdup ("");
  g_autofree char *sql = g_strconcat (TABLES, steps, more, "COMMIT;", NULL);
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;
  g_autoptr (TsrMemory) memory = NULL;
  g_autoptr (TsrVariables) variables = NULL;

  self->folder = tsr_test_folder_new ();
  tsr_test_sql (self->folder, "profile.pop", sql);
  report = tsr_report_open_sync (place, self->folder, TSR_LOAD_ALL, NULL, &error);
  g_assert_no_error (error);
  memory = tsr_memory_new (report);
  variables = tsr_variables_new (report, NULL, &error);
  g_assert_no_error (error);
  self->liveness = tsr_liveness_new (report, memory, variables);
  g_assert_cmpuint (tsr_liveness_get_n_steps (self->liveness), ==, n);
}

void
test_liveness_close (TestLiveness *self)
{
  tsr_liveness_unref (self->liveness);
  tsr_test_folder_free (self->folder);
}

/* ----------------------------------------------------------------- pixels */

/* Fixed widths. */
static void
measure_text (
    gpointer data, const char *text, double font_size, gboolean bold, double *width, double *height)
{
  if (width != NULL)
    *width = g_utf8_strlen (text, -1) * font_size * 0.6;
  if (height != NULL)
    *height = font_size * 1.25;
}

TsrChartGeometry
test_geometry (double width, double height, double scale, double from, double to)
{
  return (TsrChartGeometry){ .width = width,
                             .height = height,
                             .scale = scale,
                             .from = from,
                             .to = to,
                             .measure = { measure_text, NULL } };
}

static void
paint_rect (TestPixels *self, const TsrDrawItem *item)
{
  int x0 = MAX ((int)round (item->x * self->scale), 0);
  int x1 = MIN ((int)round ((item->x + item->width) * self->scale), (int)self->width);
  int y0 = MAX ((int)round (item->y * self->scale), 0);
  int y1 = MIN ((int)round ((item->y + item->height) * self->scale), (int)self->height);

  for (int y = y0; y < y1 && x0 < x1; y++)
    memset (self->inks + (gsize)y * self->width + x0, item->ink, x1 - x0);
}

static void
paint_raster (TestPixels *self, const TsrDrawItem *item, const TsrDrawRaster *raster)
{
  guint x0 = (guint)round (item->x * self->scale);
  guint y0 = (guint)round (item->y * self->scale);
  g_autofree guint32 *inks = g_new (guint32, MAX ((gsize)raster->width * raster->height, 1));
  guint32 colors[256];

  for (guint i = 0; i < 256; i++)
    colors[i] = i;
  tsr_draw_raster_paint (raster, colors, inks, raster->width);
  for (guint y = 0; y < raster->height && y0 + y < self->height; y++)
    for (guint x = 0; x < raster->width && x0 + x < self->width; x++)
      if (inks[(gsize)y * raster->width + x] != TSR_RASTER_CLEAR)
        self->inks[(gsize)(y0 + y) * self->width + x0 + x] = inks[(gsize)y * raster->width + x];
}

void
test_pixels_paint (TestPixels *self, const TsrDrawList *list, const TsrChartGeometry *geometry)
{
  self->scale = geometry->scale;
  self->width = (guint)round (geometry->width * geometry->scale);
  self->height = (guint)round (geometry->height * geometry->scale);
  self->inks = g_malloc (MAX ((gsize)self->width * self->height, 1));
  memset (self->inks, TSR_RASTER_CLEAR, (gsize)self->width * self->height);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind == TSR_ITEM_RECT && item->alpha >= 1)
        paint_rect (self, item);
      else if (item->kind == TSR_ITEM_RASTER)
        paint_raster (self, item, g_ptr_array_index (list->rasters, item->first));
    }
}

guint8
test_pixels_get (const TestPixels *self, guint x, guint y)
{
  g_assert_cmpuint (x, <, self->width);
  g_assert_cmpuint (y, <, self->height);
  return self->inks[(gsize)y * self->width + x];
}

void
test_pixels_clear (TestPixels *self)
{
  g_clear_pointer (&self->inks, g_free);
}

/* ------------------------------------------------------------------ lists */

gboolean
test_list_has_label (const TsrDrawList *list, const char *text)
{
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind == TSR_ITEM_LABEL && strcmp (tsr_draw_list_get_text (list, item), text) == 0)
        return TRUE;
    }
  return FALSE;
}

gboolean
test_list_has_plot_raster (const TsrDrawList *list, const TsrPlotArea *area)
{
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind == TSR_ITEM_RASTER && item->y >= (float)area->y
          && item->y + item->height <= area->y + area->height + 0.01)
        return TRUE;
    }
  return FALSE;
}

static void
check_label (const TsrDrawList *list, const TsrDrawItem *item, double width, double height)
{
  double w;
  double h;

  measure_text (NULL, tsr_draw_list_get_text (list, item), item->font_size, item->bold, &w, &h);
  if (item->width > 0)
    w = MIN (w, item->width);
  g_assert_cmpfloat (item->x - item->xalign * w, >=, -0.01);
  g_assert_cmpfloat (item->x + (1 - item->xalign) * w, <=, width + 0.01);
  g_assert_cmpfloat (item->y - item->yalign * h, >=, -0.01);
  g_assert_cmpfloat (item->y + (1 - item->yalign) * h, <=, height + 0.01);
}

void
test_list_check (const TsrDrawList *list, double width, double height)
{
  guint n_labels = 0;
  guint n_rects = 0;

  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      g_assert_true (isfinite (item->x) && isfinite (item->y) && isfinite (item->width)
                     && isfinite (item->height));
      g_assert_cmpuint (item->ink, <, TSR_N_INKS);
      n_rects += item->kind == TSR_ITEM_RECT || item->kind == TSR_ITEM_HATCH;
      n_labels += item->kind == TSR_ITEM_LABEL;
      if (width < 200 || height < 120)
        continue; /* no room for anything */
      if (item->kind == TSR_ITEM_LABEL)
        check_label (list, item, width, height);
      else
        {
          g_assert_cmpfloat (item->x, >=, -0.01);
          g_assert_cmpfloat (item->y, >=, -0.01);
          g_assert_cmpfloat (item->x + item->width, <=, width + 0.01);
          g_assert_cmpfloat (item->y + item->height, <=, height + 0.01);
        }
    }
  g_assert_cmpuint (n_rects, <=, 4000);
  g_assert_cmpuint (n_labels, <=, 300);
}

void
test_check_sizes (TsrChartModel *model)
{
  static const double sizes[][2] = { { 0, 0 },     { 3, 900 },    { 40, 30 },    { 200, 120 },
                                     { 801, 333 }, { 1280, 400 }, { 2560, 1250 } };
  static const double ranges[][2] = { { 0, 1 }, { 0, 0.0031 }, { 0.31, 0.47 }, { 0.99, 1 } };
  double from;
  double to;
  double min_span;
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();

  tsr_chart_model_get_domain (model, &from, &to, &min_span);
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint r = 0; r < G_N_ELEMENTS (ranges); r++)
      {
        double scale = 1 + (s + r) % 3 * 0.5;
        TsrChartGeometry geometry
            = test_geometry (sizes[s][0], sizes[s][1], scale, ranges[r][0] * to, ranges[r][1] * to);
        TsrPlotArea area;

        if (sizes[s][0] > 2000 && r > 0)
          continue; /* slow, and no other than the smaller ones */
        geometry.legend = s % 2 == 0;
        geometry.inset = geometry.legend ? 0 : 30;
        geometry.title = r % 2 == 0 && s > 3 ? "Title" : NULL;
        tsr_draw_list_reset (list);
        tsr_chart_model_layout (model, &geometry, list, &area);
        test_list_check (list, sizes[s][0],
                         geometry.legend && sizes[s][1] < 300 ? 1e9 : sizes[s][1]);
        tsr_draw_list_reset (list);
        tsr_chart_model_layout_overlay (model, &geometry, &area, 3, 7, list);
        test_list_check (list, sizes[s][0] + 3, sizes[s][1]);
        tsr_draw_list_reset (list);
        tsr_chart_model_layout_overview (model, &geometry, list);
        test_list_check (list, sizes[s][0], sizes[s][1]);
      }
}

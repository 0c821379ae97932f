/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A chart model with bars of known heights. */

#include "config.h"

#include "tsr-fake-chart.h"

#include "tsr-chart-marks.h"

struct _TsrFakeChart
{
  TsrChartModel parent_instance;

  guint n, n_layouts;
  gboolean rich;
  gboolean visible[2];
  guint32 marked_cursor, flag;
};

G_DEFINE_FINAL_TYPE (TsrFakeChart, tsr_fake_chart, TSR_TYPE_CHART_MODEL)

#define SELF TSR_FAKE_CHART (model)

static void
get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  *from = 0;
  *to = SELF->n;
  *min_span = 2;
}

static void
add_rich (const TsrPlotArea *area, double scale, TsrDrawList *list)
{
  TsrDrawRaster *raster;
  TsrDrawItem *item;

  tsr_draw_list_label (list, TSR_INK_TEXT, area->x, area->y, 0, 1, "64 KiB")->font_size = 12;
  for (guint i = 0; i < 3; i++)
    tsr_draw_list_hatch (list, TSR_INK_OVERFLOW, area->x + 10 * i, area->y, 10, 20)->line_width = 1;
  item = tsr_draw_list_line (list, TSR_INK_GRID, area->x, area->y + 40, area->x + area->width,
                             area->y + 40);
  item->dash = 4;
  tsr_draw_list_polyline (list, TSR_INK_GAPS)->line_width = 1.5;
  for (guint i = 0; i < 50; i++)
    tsr_draw_list_point (list, area->x + i, area->y + 50 + i % 7);
  raster = tsr_draw_list_raster (list, area->x, area->y + 80, 8, 8, scale);
  for (guint i = 0; i < raster->width; i++)
    raster->inks[i] = TSR_INK_CATEGORY;
}

static void
layout (TsrChartModel *model,
        const TsrChartGeometry *geometry,
        TsrDrawList *list,
        TsrPlotArea *area)
{
  double pixels;

  SELF->n_layouts++;
  area->x = FAKE_LEFT;
  area->y = FAKE_TOP;
  area->width = geometry->width - FAKE_LEFT - FAKE_RIGHT;
  area->height = geometry->height - FAKE_TOP - FAKE_BOTTOM;
  area->y_from = 0;
  area->y_to = 10;
  pixels = area->width / (geometry->to - geometry->from);
  for (guint i = 0; i < SELF->n && SELF->visible[0]; i++)
    if (i + 1 > geometry->from && i < geometry->to)
      tsr_draw_list_rect (list, TSR_INK_TOTAL, area->x + (i - geometry->from) * pixels,
                          area->y + area->height - (1 + i % 5) * 10, pixels, (1 + i % 5) * 10)
          ->datum
          = i;
  if (SELF->visible[1])
    tsr_draw_list_line (list, TSR_INK_CAPACITY, area->x, area->y + 10, area->x + area->width,
                        area->y + 10);
  if (SELF->rich)
    add_rich (area, geometry->scale, list);
}

static void
layout_overlay (TsrChartModel *model,
                const TsrChartGeometry *geometry,
                const TsrPlotArea *area,
                guint32 hover,
                guint32 cursor,
                TsrDrawList *list)
{
  SELF->marked_cursor = cursor;
  if (SELF->flag != TSR_NO_DATUM)
    tsr_chart_marks_chip (geometry, TSR_INK_PEAK, area->x + FAKE_FLAG_X, area->y, "flag",
                          SELF->flag, list);
  if (hover != TSR_NO_DATUM)
    tsr_draw_list_rect (list, TSR_INK_HOVER, area->x + hover, area->y, 1, area->height);
}

static void
layout_overview (TsrChartModel *model, const TsrChartGeometry *geometry, TsrDrawList *list)
{
  tsr_draw_list_rect (list, TSR_INK_OVERVIEW, 0, geometry->height / 2, geometry->width,
                      geometry->height / 2);
}

/* Data stand in reverse, so that a datum and its position are never mixed up. */
static guint32
datum_at (TsrChartModel *model, double x)
{
  return x >= 0 && x < SELF->n ? SELF->n - 1 - (guint)x : TSR_NO_DATUM;
}

/* Which of several is drawn: nothing that a guess would hit. */
static guint
weight (guint position)
{
  return position * 7919 % 1009;
}

static guint32
datum_near (TsrChartModel *model, double from, double to)
{
  guint best = MAX (from, 0);

  for (guint i = best; i < to && i < SELF->n; i++)
    if (weight (i) > weight (best))
      best = i;
  return datum_at (model, best);
}

static double
position_of (TsrChartModel *model, guint32 datum)
{
  return SELF->n - 1 - datum;
}

static char *
describe (TsrChartModel *model, guint32 datum)
{
  return g_strdup_printf ("Datum %u\n%u units", datum, 7 * datum);
}

static char *
dup_caption (TsrChartModel *model)
{
  return g_strdup ("A fake chart");
}

static guint
get_n_series (TsrChartModel *model)
{
  return 2;
}

static void
get_series (TsrChartModel *model, guint i, TsrChartSeries *series)
{
  *series = (TsrChartSeries){ .name = i == 0 ? "Bars" : "Line",
                              .ink = i == 0 ? TSR_INK_TOTAL : TSR_INK_CAPACITY,
                              .filled = i == 0,
                              .kept = i == 1,
                              .visible = SELF->visible[i] };
}

static void
set_series_visible (TsrChartModel *model, guint i, gboolean visible)
{
  SELF->visible[i] = visible;
  tsr_chart_model_emit_series_changed (model);
}

static void
write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  g_string_append (out, "datum\r\n");
  for (guint i = 0; i < SELF->n; i++)
    if (i + 1 > from && i < to)
      g_string_append_printf (out, "%u\r\n", datum_at (model, i));
}

static void
tsr_fake_chart_class_init (TsrFakeChartClass *klass)
{
  TsrChartModelClass *chart = TSR_CHART_MODEL_CLASS (klass);

  chart->get_domain = get_domain;
  chart->layout = layout;
  chart->layout_overlay = layout_overlay;
  chart->layout_overview = layout_overview;
  chart->datum_at = datum_at;
  chart->datum_near = datum_near;
  chart->position_of = position_of;
  chart->describe = describe;
  chart->dup_caption = dup_caption;
  chart->get_n_series = get_n_series;
  chart->get_series = get_series;
  chart->set_series_visible = set_series_visible;
  chart->write_csv = write_csv;
}

static void
tsr_fake_chart_init (TsrFakeChart *self)
{
  self->visible[0] = self->visible[1] = TRUE;
  self->marked_cursor = self->flag = TSR_NO_DATUM;
}

TsrFakeChart *
tsr_fake_chart_new (guint n)
{
  TsrFakeChart *self = g_object_new (TSR_TYPE_FAKE_CHART, NULL);

  self->n = n;
  return self;
}

void
tsr_fake_chart_set_n (TsrFakeChart *self, guint n)
{
  self->n = n;
  tsr_chart_model_emit_domain_changed (TSR_CHART_MODEL (self));
}

void
tsr_fake_chart_set_rich (TsrFakeChart *self, gboolean rich)
{
  self->rich = rich;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_fake_chart_set_flag (TsrFakeChart *self, guint32 datum)
{
  self->flag = datum;
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

guint
tsr_fake_chart_get_n_layouts (TsrFakeChart *self)
{
  return self->n_layouts;
}

guint32
tsr_fake_chart_get_marked_cursor (TsrFakeChart *self)
{
  return self->marked_cursor;
}

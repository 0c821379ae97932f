/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows drawn.  A row of few pieces is rectangles, as long as the frame has time for them; any
 * other is one raster, a layer for each ink.  Labels are collected from all rows; the widest pieces
 * get theirs. */

#include "config.h"

#include "tsr-trace-chart-private.h"

#include "tsr-chart-frame.h"
#include "tsr-elide.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define HEADER       120.0
#define WIDE_HEADER  180.0
#define WIDE         1500.0 /* of a chart with the wide one */
#define MARGIN       12.0
#define MAX_RECTS    2200
#define MAX_LABELS   200
#define LABEL_PAD    4.0
#define LEAST_LABEL  28.0 /* pixels of a piece that has one */
#define LEAST_HEIGHT 12.0 /* of a row with labels */
#define LEAD_HEIGHT  3.0
#define MAX_EXAMINED 256 /* bytes of a label that are looked at */

typedef struct
{
  double x, width, middle;
  const TsrTraceChartRow *row;
  gsize item;
  guint ink;
} Label;

typedef struct
{
  TsrTraceGrid *view;
  TsrDrawList *list;
  GArray *labels; /* Label */
  guint n_rects;
} Layout;

/* ---------------------------------------------------------------- drawing */

static TsrDrawItem *
add_rect (Layout *self, guint ink, guint from, guint to, int top, int bottom)
{
  const TsrPlotArea *area = self->view->area;
  double scale = self->view->geometry->scale;

  self->n_rects++;
  return tsr_draw_list_rect (self->list, ink, area->x + from / scale, top / scale,
                             (to - from) / scale, (bottom - top) / scale);
}

static void
draw_rects (Layout *self, const TsrTraceStrip *strip)
{
  for (guint i = 0; i < strip->n; i++)
    {
      const TsrTracePiece *piece = &strip->pieces[i];
      TsrTraceBlock block = strip->blocks[i];
      int bottom = block.tall ? strip->foot : strip->bottom;
      TsrDrawItem *item;

      if (bottom <= strip->top)
        continue;
      item = add_rect (self, block.ink, block.from, block.to, strip->top, bottom);
      if (block.leaf)
        item->datum = tsr_trace_row_first_slice (strip->row->row, piece->item);
      if (block.shade != TSR_RASTER_CLEAR && MAX (block.split, strip->top) < strip->bottom)
        add_rect (self, block.shade, block.from, block.to, MAX (block.split, strip->top),
                  strip->bottom);
    }
}

static void
draw_raster (Layout *self, const TsrTraceStrip *strip)
{
  const TsrPlotArea *area = self->view->area;
  double scale = self->view->geometry->scale;
  TsrDrawRaster *raster
      = strip->raster != NULL ? strip->raster : tsr_trace_strip_make_raster (strip);

  tsr_draw_list_take_raster (self->list, raster, area->x + strip->pieces[0].from / scale,
                             strip->top / scale, raster->width / scale, raster->height / scale);
}

/* From the first tile's begin to the last one's, over what comes before. */
static void
draw_lead_ins (Layout *self, const TsrTraceStrip *strip)
{
  const TsrTraceGrid *view = self->view;
  const TsrExecutionTables *tables = tsr_trace_get_tables (view->chart->trace);
  double scale = view->geometry->scale;
  int height = (int)floor (LEAD_HEIGHT * scale + 0.5);

  if (strip->row->row == NULL || !tables->from_max_told || tables->slice_lead_in.values == NULL)
    return;
  for (guint i = 0; i < strip->n && self->n_rects < MAX_RECTS; i++)
    {
      const TsrTracePiece *piece = &strip->pieces[i];
      guint32 slice;
      gint64 lead;
      TsrTraceLook look;
      guint from;
      guint to;

      if (piece->to - piece->from < TSR_TRACE_LEAST_GAP * scale)
        continue;
      slice = tsr_trace_row_first_slice (strip->row->row, piece->item);
      lead = tsr_narrow_get (&tables->slice_lead_in, slice);
      if (lead == TSR_UNKNOWN || lead <= 0)
        continue;
      if (!tsr_trace_grid_get_columns (view, tables->slice_start[slice] - lead,
                                       tables->slice_start[slice], &from, &to)
          || from >= piece->from || tsr_trace_grid_find_stretch (view, from) == NULL)
        continue;
      tsr_trace_chart_get_look (view->chart, strip->row, piece->item, &look);
      if (look.leaf && strip->bottom - height > strip->top
          && tsr_trace_chart_is_step (view->chart, strip->row, piece->item))
        add_rect (self, TSR_INK_TRACE + look.ink, from, piece->from, strip->bottom - height,
                  strip->bottom);
    }
}

static void
collect_labels (Layout *self, const TsrTraceStrip *strip)
{
  double scale = self->view->geometry->scale;

  if (!tsr_trace_state_has (self->view->chart->state, TSR_TRACE_OPTION_LABELS)
      || strip->widest < LEAST_LABEL * scale || strip->height < LEAST_HEIGHT
      || strip->bottom - strip->top < strip->full)
    return;
  for (guint i = 0; i < strip->n; i++)
    {
      const TsrTracePiece *piece = &strip->pieces[i];
      Label label = { .row = strip->row, .item = piece->item };
      TsrTraceBlock block = strip->blocks[i];

      if (piece->to - piece->from < LEAST_LABEL * scale)
        continue;
      label.x = self->view->area->x + block.from / scale;
      label.width = (block.to - block.from) / scale;
      label.middle = (strip->top + (block.tall ? strip->foot : strip->bottom)) / 2.0 / scale;
      label.ink = block.ink;
      g_array_append_val (self->labels, label);
    }
}

static void
draw_strip (Layout *self, const TsrTraceStrip *strip)
{
  if (strip->crowded)
    tsr_trace_chart_layout_crowd (self->view, strip, self->list);
  if (strip->n == 0 || strip->crowded)
    return;
  if (strip->n <= TSR_TRACE_MAX_ROW_RECTS && self->n_rects + 2 * strip->n <= MAX_RECTS)
    draw_rects (self, strip);
  else
    draw_raster (self, strip);
  if (strip->bottom > strip->top)
    {
      draw_lead_ins (self, strip);
      collect_labels (self, strip);
    }
}

/* ----------------------------------------------------------------- labels */

static guint
get_text_ink (guint ink)
{
  if (ink < TSR_INK_TRACE)
    return TSR_INK_TEXT;
  ink -= TSR_INK_TRACE;
  if (ink >= 2 * TSR_N_TRACE_INKS)
    return TSR_INK_DIM_TEXT;
  if (ink % TSR_N_TRACE_INKS == TSR_TRACE_INK_RUN)
    return TSR_INK_BACKGROUND;
  return ink % TSR_N_TRACE_INKS == TSR_TRACE_INK_HOST ? TSR_INK_TRACE_WAIT_TEXT
                                                      : TSR_INK_TRACE_TEXT;
}

static int
compare_labels (gconstpointer a, gconstpointer b)
{
  const Label *x = a;
  const Label *y = b;

  return x->width != y->width ? (x->width > y->width ? -1 : 1) : 0;
}

/* A name may be of ten megabytes: only what could be seen of it is looked at. */
static void
shorten (char **text)
{
  char *valid;

  if (strlen (*text) > MAX_EXAMINED)
    {
      gsize length = strlen (*text);
      g_autofree char *head = g_strndup (*text, MAX_EXAMINED / 2);
      char *joined = g_strconcat (head, "…", *text + length - MAX_EXAMINED / 2, NULL);

      g_free (*text);
      *text = joined;
    }
  valid = g_utf8_make_valid (*text, -1);
  g_free (*text);
  *text = valid;
}

/* Where lanes stand over each other, what lies on top of a piece may have a name as well. */
static gboolean
is_covered (const Layout *self, guint i)
{
  const Label *label = &g_array_index (self->labels, Label, i);

  if (!label->row->shared)
    return FALSE;
  for (guint k = 0; k < self->labels->len; k++)
    {
      const Label *other = &g_array_index (self->labels, Label, k);

      if (other->row != label->row && other->row->shared
          && fabs (other->middle - label->middle) < label->row->height
          && other->x < label->x + label->width && label->x < other->x + other->width
          && (other->row->track > label->row->track
              || (other->row->track == label->row->track && other->row->depth > label->row->depth)))
        return TRUE;
    }
  return FALSE;
}

static void
layout_labels (Layout *self)
{
  TsrTraceChart *chart = self->view->chart;

  if (self->labels->len > MAX_LABELS)
    {
      g_array_sort (self->labels, compare_labels);
      g_array_set_size (self->labels, MAX_LABELS);
    }
  for (guint i = 0; i < self->labels->len; i++)
    {
      const Label *label = &g_array_index (self->labels, Label, i);
      g_autofree char *text = label->row->row != NULL
                                  ? tsr_trace_chart_dup_label (chart, label->row, label->item)
                                  : tsr_trace_chart_dup_span_label (chart, label->row, label->item);
      g_autofree char *fitting = NULL;
      TsrDrawItem *item;

      if (is_covered (self, i))
        continue;
      shorten (&text);
      if (*text == '\0')
        continue;
      fitting = tsr_elide_dup_label (text, TSR_TRACE_LABEL_SIZE, label->width - 2 * LABEL_PAD,
                                     &self->view->geometry->measure);
      if (fitting == NULL)
        continue;
      item = tsr_draw_list_label (self->list, get_text_ink (label->ink),
                                  label->x + label->width / 2, label->middle, 0.5, 0.5, fitting);
      item->font_size = TSR_TRACE_LABEL_SIZE;
    }
}

/* ----------------------------------------------------------------- layout */

static void
layout_lane_line (Layout *self, const TsrTraceChartIpu *ipu, const TsrTraceChartRow *row)
{
  const TsrPlotArea *area = self->view->area;
  double scale = self->view->geometry->scale;
  double top;
  double bottom;
  double y = tsr_trace_grid_get_y (self->view, ipu, row->y - 3, &top, &bottom);

  y = tsr_draw_list_snap_line (y, 1, scale);
  if (y > top && y < bottom)
    {
      TsrDrawItem *item
          = tsr_draw_list_line (self->list, TSR_INK_AXIS, area->x, y, area->x + area->width, y);

      item->dash = 4;
      item->line_width = 1 / scale;
    }
}

/* FALSE: nothing of it is visible. */
static gboolean
place_strip (const TsrTraceGrid *view,
             const TsrTraceChartIpu *ipu,
             const TsrTraceChartRow *row,
             TsrTraceStrip *strip)
{
  double scale = view->geometry->scale;
  double top;
  double bottom;
  double y = tsr_trace_grid_get_y (view, ipu, row->y, &top, &bottom);

  *strip = (TsrTraceStrip){ .row = row, .ipu = ipu };
  if (row->kind >= TSR_TRACE_ROW_BAND)
    return TRUE;
  strip->height = row->height - 1;
  strip->full_top = (int)floor (y * scale + 0.5);
  strip->full = MAX ((int)floor (strip->height * scale + 0.5), 1);
  strip->top = MAX (strip->full_top, (int)floor (top * scale + 0.5));
  strip->bottom = MIN (strip->full_top + strip->full, (int)floor (bottom * scale + 0.5));
  strip->foot = MIN ((int)floor ((y + row->foot - row->y - 1) * scale + 0.5),
                     (int)floor (bottom * scale + 0.5));
  if (strip->top >= MAX (strip->bottom, strip->foot))
    return FALSE;
  /* Above the plot, but something of it may reach down to the lane's end. */
  strip->bottom = MAX (strip->bottom, strip->top);
  return TRUE;
}

/* Rows that are visible, in the order in which they are drawn.  (element-type TsrTraceStrip) */
static GArray *
list_strips (const TsrTraceGrid *view)
{
  TsrTraceChart *chart = view->chart;
  GArray *strips = g_array_new (FALSE, FALSE, sizeof (TsrTraceStrip));

  for (guint i = 0; i < chart->ipus->len; i++)
    {
      const TsrTraceChartIpu *ipu = &g_array_index (chart->ipus, TsrTraceChartIpu, i);
      double top;
      double bottom;
      double y = tsr_trace_grid_get_y (view, ipu, ipu->y, &top, &bottom);

      if (y + ipu->height <= top || y >= bottom)
        continue;
      for (guint r = ipu->first; r < ipu->end; r++)
        {
          const TsrTraceChartRow *row = tsr_trace_chart_peek_row (chart, r);
          TsrTraceStrip strip;

          if (!place_strip (view, ipu, row, &strip))
            continue;
          strip.line = row->kind == TSR_TRACE_ROW_STEPS && row->depth == 0 && r > ipu->first
                       && row[-1].kind == TSR_TRACE_ROW_STEPS && row[-1].y < row->y;
          g_array_append_val (strips, strip);
        }
    }
  return strips;
}

static void
tsr_trace_chart_layout_rows (TsrTraceGrid *view, TsrDrawList *list)
{
  g_autoptr (GArray) labels = g_array_new (FALSE, FALSE, sizeof (Label));
  g_autoptr (GArray) strips = list_strips (view);
  Layout layout = { .view = view, .list = list, .labels = labels };

  tsr_trace_grid_fill_strips (view, strips);
  for (guint i = 0; i < strips->len; i++)
    {
      const TsrTraceStrip *strip = &g_array_index (strips, TsrTraceStrip, i);

      if (strip->line)
        layout_lane_line (&layout, strip->ipu, strip->row);
      if (strip->row->kind == TSR_TRACE_ROW_BAND)
        tsr_trace_chart_layout_band (view, strip->row, list);
      else if (strip->row->kind == TSR_TRACE_ROW_USE)
        tsr_trace_chart_layout_use (view, strip->row, list);
      else if (strip->row->kind == TSR_TRACE_ROW_LIVE)
        tsr_trace_chart_layout_live (view, strip->row, list);
      else
        draw_strip (&layout, strip);
    }
  tsr_trace_chart_layout_notches (view, list);
  layout_labels (&layout);
}

static double
tsr_trace_chart_header_width (const TsrChartGeometry *geometry)
{
  return geometry->width >= WIDE ? WIDE_HEADER : HEADER;
}

static void
layout_empty (const TsrChartGeometry *geometry, const TsrPlotArea *area, TsrDrawList *list)
{
  TsrDrawItem *item
      = tsr_draw_list_label (list, TSR_INK_DIM_TEXT, area->x + MARGIN, area->y + area->height / 2,
                             0, 0.5, _ ("The report has no step with recorded times"));

  item->width = MAX (area->width - 2 * MARGIN, 1);
}

void
tsr_trace_chart_layout (TsrChartModel *model,
                        const TsrChartGeometry *geometry,
                        TsrDrawList *list,
                        TsrPlotArea *area)
{
  TsrTraceChart *self = TSR_TRACE_CHART (model);
  double top = tsr_chart_frame_layout_head (model, geometry, list);
  double scale = geometry->scale;
  double margin = geometry->legend ? MARGIN : 0;
  g_auto (TsrTraceGrid) view = { NULL };

  area->x = tsr_draw_list_snap (tsr_trace_chart_header_width (geometry), scale);
  area->y = tsr_draw_list_snap (top + TSR_TRACE_RULER_HEIGHT, scale);
  area->width = tsr_draw_list_snap (geometry->width - margin, scale) - area->x;
  area->height = tsr_draw_list_snap (geometry->height - margin / 2, scale) - area->y;
  area->y_from = 0;
  area->y_to = 1;
  g_array_set_size (self->wanted, 0);
  if (area->width < 8 || area->height < 8)
    {
      area->width = area->height = 0;
      return;
    }
  if (!tsr_trace_grid_init (&view, self, geometry, area))
    return;
  tsr_trace_chart_layout_ruler (&view, list);
  if (view.stretches->len == 0 && tsr_trace_fold_get_n_notches (self->fold) == 0)
    layout_empty (geometry, area, list);
  tsr_trace_chart_layout_rows (&view, list);
  tsr_trace_chart_layout_headers (&view, list);
}

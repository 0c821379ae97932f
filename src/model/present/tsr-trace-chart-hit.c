/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is where, and where something is: the same columns and rows as the layout's. */

#include "config.h"

#include "tsr-trace-chart-private.h"

#include <math.h>
#include <string.h>

#define MARKER_REACH 5.0 /* pixels on either side of a marker's place on the ruler */

static void
hit_init (TsrTraceHit *hit)
{
  memset (hit, 0, sizeof *hit);
  hit->kind = TSR_TRACE_HIT_NOTHING;
  hit->ipu = hit->index = TSR_NO_INDEX;
  hit->slice = TSR_NO_SLICE;
  hit->item = G_MAXSIZE;
}

/* -------------------------------------------------------------- what is where */

static gint64
get_cycles_at (TsrTraceGrid *view, double x)
{
  double position = view->geometry->from + (x - view->area->x) * view->geometry->scale * view->per;

  return tsr_trace_fold_get_cycles (view->chart->fold, position);
}

static gboolean
hit_notch (TsrTraceGrid *view, guint column, TsrTraceHit *hit)
{
  for (guint i = 0; i < tsr_trace_fold_get_n_notches (view->chart->fold); i++)
    {
      guint from;
      guint to;

      if (tsr_trace_grid_get_notch (view, i, &from, &to) && column >= from && column < to)
        {
          hit->kind = TSR_TRACE_HIT_NOTCH;
          hit->index = i;
          return TRUE;
        }
    }
  return FALSE;
}

/* The nearest one whose place is under the pointer, else the one whose flag is. */
static void
hit_ruler (TsrTraceGrid *view, double x, guint column, TsrTraceHit *hit)
{
  const GPtrArray *markers = tsr_trace_state_peek_markers (view->chart->state);
  double best = MARKER_REACH;

  hit->kind = TSR_TRACE_HIT_RULER;
  for (guint i = 0; i < markers->len; i++)
    {
      const TsrTraceMarker *marker = g_ptr_array_index (markers, i);
      double distance = fabs (tsr_trace_grid_get_x (view, marker->from) - x);

      if (distance > best)
        continue;
      best = distance;
      hit->kind = TSR_TRACE_HIT_MARKER;
      hit->index = i;
    }
  if (hit->kind == TSR_TRACE_HIT_RULER)
    {
      hit->index = tsr_trace_grid_find_flag (view, x);
      if (hit->index != TSR_NO_INDEX)
        hit->kind = TSR_TRACE_HIT_MARKER;
    }
  if (hit->kind == TSR_TRACE_HIT_RULER)
    hit_notch (view, column, hit);
}

static void
hit_header (TsrTraceGrid *view, const TsrTraceChartIpu *ipu, double x, double y, TsrTraceHit *hit)
{
  TsrTraceHeader header;

  if (!tsr_trace_grid_get_header (view, ipu, &header))
    return;
  hit->kind = TSR_TRACE_HIT_HEADER;
  if (fabs (y - header.arrow_y) > TSR_TRACE_BUTTON / 2 + 2)
    return;
  if (fabs (x - header.arrow_x) <= TSR_TRACE_BUTTON / 2 + 2)
    hit->kind = TSR_TRACE_HIT_ARROW;
  else if (fabs (x - header.pin_x) <= TSR_TRACE_BUTTON / 2 + 2)
    hit->kind = TSR_TRACE_HIT_PIN;
}

/* The row at @y, and an inter-IPU exchange that reaches down to it. */
static gboolean
hit_row (
    TsrTraceGrid *view, const TsrTraceChartRow *row, guint column, gboolean below, TsrTraceHit *hit)
{
  TsrTraceLook look;
  guint n_under;
  gsize item;

  item = tsr_trace_grid_item_at (view, row, column, &n_under);
  if (item == G_MAXSIZE)
    return FALSE;
  hit->n_under = n_under;
  if (row->kind != TSR_TRACE_ROW_STEPS)
    {
      hit->kind = row->kind == TSR_TRACE_ROW_RUNS ? TSR_TRACE_HIT_RUN : TSR_TRACE_HIT_BLOCK;
      hit->index = row->spans->index[item];
      hit->item = item;
      return TRUE;
    }
  tsr_trace_chart_get_look (view->chart, row, item, &look);
  if (below && (!look.leaf || look.ink != TSR_TRACE_INK_INTER_IPU))
    return FALSE;
  hit->kind = TSR_TRACE_HIT_ITEM;
  hit->track = row->track;
  hit->depth = row->depth;
  hit->item = item;
  hit->slice = tsr_trace_row_first_slice (row->row, item);
  return TRUE;
}

/* A column's longest step of the IPU: of those that compute first. */
static void
hit_band (TsrTraceGrid *view, const TsrTraceChartRow *row, guint column, double y, TsrTraceHit *hit)
{
  TsrTraceChartRow steps = { .kind = TSR_TRACE_ROW_STEPS, .ipu = row->ipu, .flat = TRUE };
  guint tile = tsr_trace_chart_get_band_tile (view, row, y);

  if (tile == TSR_NO_INDEX)
    return;
  hit->kind = TSR_TRACE_HIT_TILE;
  hit->index = tile;
  for (guint t = 0; t < tsr_trace_get_n_tracks (view->chart->trace); t++)
    if (tsr_trace_get_track (view->chart->trace, t)->ipu == row->ipu)
      {
        gsize item;

        steps.track = t;
        steps.row = tsr_trace_get_row (view->chart->trace, t, TSR_TRACE_FLAT, 0);
        item = tsr_trace_grid_item_at (view, &steps, column, &hit->n_under);
        if (item == G_MAXSIZE)
          continue;
        hit->item = item;
        hit->track = t;
        hit->slice = tsr_trace_row_first_slice (steps.row, item);
        return;
      }
}

static void
hit_ipu (TsrTraceGrid *view, const TsrTraceChartIpu *ipu, guint column, double y, TsrTraceHit *hit)
{
  TsrTraceChart *chart = view->chart;
  double top;
  double bottom;
  double origin = tsr_trace_grid_get_y (view, ipu, 0, &top, &bottom);

  /* What was drawn last lies on top. */
  for (guint r = ipu->end; r-- > ipu->first;)
    {
      const TsrTraceChartRow *row = tsr_trace_chart_peek_row (chart, r);
      double at = y - origin - row->y;

      if (at < 0 || at >= MAX (row->height, row->foot - row->y))
        continue;
      if (row->kind == TSR_TRACE_ROW_BAND)
        {
          hit_band (view, row, column, y, hit);
          return;
        }
      if (hit_row (view, row, column, at >= row->height, hit))
        return;
    }
}

void
tsr_trace_chart_hit (TsrTraceChart *self,
                     const TsrChartGeometry *geometry,
                     const TsrPlotArea *area,
                     double x,
                     double y,
                     TsrTraceHit *hit)
{
  g_auto (TsrTraceGrid) view = { NULL };
  gboolean in_plot;
  guint column = 0;

  g_return_if_fail (TSR_IS_TRACE_CHART (self));
  g_return_if_fail (hit != NULL);

  hit_init (hit);
  if (!tsr_trace_grid_init (&view, self, geometry, area))
    return;
  hit->cycles = get_cycles_at (&view, x);
  in_plot = tsr_trace_grid_column_at (&view, x, &column);
  if (y < area->y)
    {
      if (in_plot && y >= area->y - TSR_TRACE_RULER_HEIGHT)
        hit_ruler (&view, x, column, hit);
      return;
    }
  if (y >= area->y + area->height || x < 0 || (x >= area->x && !in_plot))
    return;
  for (guint i = 0; i < self->ipus->len; i++)
    {
      const TsrTraceChartIpu *ipu = &g_array_index (self->ipus, TsrTraceChartIpu, i);
      double top;
      double bottom;
      double at = tsr_trace_grid_get_y (&view, ipu, ipu->y, &top, &bottom);

      if (y < MAX (at, top) || y >= MIN (at + ipu->height, bottom))
        continue;
      hit->ipu = ipu->ipu;
      if (!in_plot)
        hit_header (&view, ipu, x, y, hit);
      else if (!hit_notch (&view, column, hit))
        hit_ipu (&view, ipu, column, y, hit);
      return;
    }
}

/* ------------------------------------------------------------ where it is */

/* The row of a hit; NULL when it is not shown. */
static const TsrTraceChartRow *
find_row (TsrTraceChart *self, const TsrTraceHit *hit)
{
  const TsrTraceChartIpu *ipu;

  tsr_trace_chart_ensure_rows (self);
  ipu = tsr_trace_chart_find_ipu (self, hit->ipu);
  for (guint r = ipu != NULL ? ipu->first : 0; ipu != NULL && r < ipu->end; r++)
    {
      const TsrTraceChartRow *row = tsr_trace_chart_peek_row (self, r);

      switch (row->kind)
        {
        case TSR_TRACE_ROW_RUNS:
          if (hit->kind == TSR_TRACE_HIT_RUN)
            return row;
          break;
        case TSR_TRACE_ROW_STEPS:
          if (hit->kind == TSR_TRACE_HIT_ITEM && row->track == hit->track
              && row->depth == hit->depth)
            return row;
          break;
        case TSR_TRACE_ROW_BLOCKS:
          if (hit->kind == TSR_TRACE_HIT_BLOCK && hit->item < row->spans->n
              && row->spans->index[hit->item] == hit->index)
            return row;
          break;
        case TSR_TRACE_ROW_BAND:
        default:
          if (hit->kind == TSR_TRACE_HIT_TILE)
            return row;
          break;
        }
    }
  return NULL;
}

static gboolean
get_times (TsrTraceChart *self,
           const TsrTraceChartRow *row,
           const TsrTraceHit *hit,
           gint64 *start,
           gint64 *end)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->trace);

  if (row->row != NULL && hit->item < row->row->n)
    {
      *start = tsr_trace_row_start (row->row, hit->item);
      *end = tsr_trace_row_end (row->row, hit->item);
      return TRUE;
    }
  if (row->spans != NULL && hit->item < row->spans->n)
    {
      *start = row->spans->start[hit->item];
      *end = row->spans->end[hit->item];
      return TRUE;
    }
  if (hit->kind == TSR_TRACE_HIT_TILE && hit->slice != TSR_NO_SLICE)
    {
      *start = tables->slice_start[hit->slice];
      *end = tables->slice_end[hit->slice];
      return TRUE;
    }
  return FALSE;
}

/* An inter-IPU exchange takes its lane's height. */
static double
get_height (TsrTraceChart *self, const TsrTraceChartRow *row, gsize item)
{
  TsrTraceLook look;

  if (row->row == NULL)
    return row->height - 1;
  tsr_trace_chart_get_look (self, row, item, &look);
  return (look.leaf && look.ink == TSR_TRACE_INK_INTER_IPU ? row->foot - row->y : row->height) - 1;
}

static gboolean
cut (double *from, double *length, double least, double most)
{
  double end = MIN (*from + *length, most);

  *from = MAX (*from, least);
  *length = end - *from;
  return *length > 0;
}

static gboolean
get_notch_place (
    TsrTraceGrid *view, const TsrTraceHit *hit, double *x, double *y, double *width, double *height)
{
  guint from;
  guint to;

  if (hit->index >= tsr_trace_fold_get_n_notches (view->chart->fold)
      || !tsr_trace_grid_get_notch (view, hit->index, &from, &to))
    return FALSE;
  *x = view->area->x + from / view->geometry->scale;
  *width = (to - from) / view->geometry->scale;
  *y = view->area->y;
  *height = view->area->height;
  return TRUE;
}

gboolean
tsr_trace_chart_get_place (TsrTraceChart *self,
                           const TsrChartGeometry *geometry,
                           const TsrPlotArea *area,
                           const TsrTraceHit *hit,
                           double *x,
                           double *y,
                           double *width,
                           double *height)
{
  g_auto (TsrTraceGrid) view = { NULL };
  const TsrTraceChartRow *row;
  gint64 start;
  gint64 end;
  guint from;
  guint to;
  double top;
  double bottom;

  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), FALSE);
  g_return_val_if_fail (hit != NULL, FALSE);

  if (!tsr_trace_grid_init (&view, self, geometry, area))
    return FALSE;
  if (hit->kind == TSR_TRACE_HIT_NOTCH)
    return get_notch_place (&view, hit, x, y, width, height);
  row = find_row (self, hit);
  if (row == NULL || !get_times (self, row, hit, &start, &end)
      || !tsr_trace_grid_get_columns (&view, start, end, &from, &to))
    return FALSE;
  *x = area->x + from / geometry->scale;
  *width = (to - from) / geometry->scale;
  *y = tsr_trace_grid_get_y (&view, tsr_trace_chart_find_ipu (self, row->ipu), row->y, &top,
                             &bottom);
  *height = get_height (self, row, hit->item);
  return cut (y, height, top, bottom);
}

gboolean
tsr_trace_chart_get_row_place (
    TsrTraceChart *self, const TsrTraceHit *hit, double *top, double *height, gboolean *pinned)
{
  const TsrTraceChartRow *row;

  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), FALSE);
  g_return_val_if_fail (hit != NULL, FALSE);

  row = find_row (self, hit);
  if (row == NULL)
    return FALSE;
  *top = row->y;
  *height = row->height;
  *pinned = tsr_trace_chart_find_ipu (self, row->ipu)->pinned;
  return TRUE;
}

/* ------------------------------------------------------------------- moves */

static gsize
count_items (const TsrTraceChartRow *row)
{
  if (row->kind == TSR_TRACE_ROW_BAND)
    return 0;
  return row->row != NULL ? row->row->n : row->spans->n;
}

static gint64
get_item_start (const TsrTraceChartRow *row, gsize item)
{
  return row->row != NULL ? tsr_trace_row_start (row->row, item) : row->spans->start[item];
}

static gint64
get_item_end (const TsrTraceChartRow *row, gsize item)
{
  return row->row != NULL ? tsr_trace_row_end (row->row, item) : row->spans->end[item];
}

static gboolean
is_hidden (TsrTraceChart *self, const TsrTraceChartRow *row, gsize item)
{
  return row->row != NULL && self->hidden != 0
         && tsr_trace_row_longest (self->trace, row->row, item, item + 1, self->hidden)
                == G_MAXSIZE;
}

/* In the domain, and of a type that is shown. */
static gboolean
can_go_to (TsrTraceChart *self, const TsrTraceChartRow *row, gsize item)
{
  gint64 from;
  gint64 to;

  tsr_trace_fold_get_domain (self->fold, &from, &to);
  return get_item_start (row, item) < to && get_item_end (row, item) > from
         && !is_hidden (self, row, item);
}

static void
set_item (
    TsrTraceChart *self, const TsrTraceChartRow *row, gsize item, gint64 cycles, TsrTraceHit *hit)
{
  gint64 start = get_item_start (row, item);
  gint64 end = get_item_end (row, item);

  hit_init (hit);
  hit->ipu = row->ipu;
  hit->item = item;
  hit->n_under = 1;
  hit->cycles = CLAMP (cycles, start, MAX (start, end - 1));
  if (row->kind == TSR_TRACE_ROW_STEPS)
    {
      hit->kind = TSR_TRACE_HIT_ITEM;
      hit->track = row->track;
      hit->depth = row->depth;
      hit->slice = tsr_trace_row_first_slice (row->row, item);
      return;
    }
  hit->kind = row->kind == TSR_TRACE_ROW_RUNS ? TSR_TRACE_HIT_RUN : TSR_TRACE_HIT_BLOCK;
  hit->index = row->spans->index[item];
}

static gsize
find_from (const TsrTraceChartRow *row, gint64 cycles)
{
  gsize low = 0;
  gsize high = count_items (row);

  if (row->row != NULL)
    return tsr_trace_row_find (row->row, cycles, 0);
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (row->spans->end[middle] > cycles)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static gboolean
move_along (TsrTraceChart *self, const TsrTraceChartRow *row, gboolean right, TsrTraceHit *hit)
{
  gsize n = count_items (row);

  for (gsize item = hit->item; right ? item + 1 < n : item > 0;)
    {
      item = right ? item + 1 : item - 1;
      if (!can_go_to (self, row, item))
        {
          gint64 from;
          gint64 to;

          tsr_trace_fold_get_domain (self->fold, &from, &to);
          if (right ? get_item_start (row, item) >= to : get_item_end (row, item) <= from)
            return FALSE;
          continue;
        }
      set_item (self, row, item, get_item_start (row, item), hit);
      return TRUE;
    }
  return FALSE;
}

/* The item of @row at @cycles, or the nearest one. */
static gboolean
move_into (TsrTraceChart *self, const TsrTraceChartRow *row, gint64 cycles, TsrTraceHit *hit)
{
  gsize n = count_items (row);
  gsize after = find_from (row, cycles);
  gsize before = after;

  while (after < n && !can_go_to (self, row, after) && after - before < 1000)
    after++;
  if (after < n && can_go_to (self, row, after) && get_item_start (row, after) <= cycles)
    {
      set_item (self, row, after, cycles, hit);
      return TRUE;
    }
  for (guint tries = 0; before > 0 && tries < 1000; tries++)
    if (can_go_to (self, row, --before))
      break;
  if (before < n && can_go_to (self, row, before)
      && (after >= n || !can_go_to (self, row, after)
          || cycles - get_item_end (row, before) < get_item_start (row, after) - cycles))
    after = before;
  if (after >= n || !can_go_to (self, row, after))
    return FALSE;
  set_item (self, row, after, cycles, hit);
  return TRUE;
}

/* A row that is not there where it was looked for gives way to the next one. */
static gboolean
move_across (TsrTraceChart *self, guint from, gboolean down, gint64 cycles, TsrTraceHit *hit)
{
  for (guint r = from; down ? r < self->rows->len : r != G_MAXUINT; r += down ? 1 : -1)
    if (move_into (self, tsr_trace_chart_peek_row (self, r), cycles, hit))
      {
        hit->cycles = cycles;
        return TRUE;
      }
  return FALSE;
}

gboolean
tsr_trace_chart_move (TsrTraceChart *self, TsrTraceMove move, TsrTraceHit *hit)
{
  const TsrTraceChartRow *row;
  guint at;

  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), FALSE);
  g_return_val_if_fail (hit != NULL, FALSE);

  tsr_trace_chart_ensure_rows (self);
  row = hit->kind == TSR_TRACE_HIT_ITEM || hit->kind == TSR_TRACE_HIT_RUN
                || hit->kind == TSR_TRACE_HIT_BLOCK
            ? find_row (self, hit)
            : NULL;
  if (row == NULL || hit->item >= count_items (row))
    return move_across (self, 0, TRUE, hit->cycles, hit);
  if (move == TSR_TRACE_MOVE_LEFT || move == TSR_TRACE_MOVE_RIGHT)
    return move_along (self, row, move == TSR_TRACE_MOVE_RIGHT, hit);
  at = (guint)(row - tsr_trace_chart_peek_row (self, 0));
  if (move == TSR_TRACE_MOVE_UP)
    return at > 0 && move_across (self, at - 1, FALSE, hit->cycles, hit);
  return move_across (self, at + 1, TRUE, hit->cycles, hit);
}

gboolean
tsr_trace_chart_hit_slice (TsrTraceChart *self, guint32 slice, TsrTraceHit *hit)
{
  const TsrTraceChartIpu *ipu;
  TsrTraceShape shape;

  g_return_val_if_fail (TSR_IS_TRACE_CHART (self), FALSE);
  g_return_val_if_fail (hit != NULL, FALSE);

  hit_init (hit);
  tsr_trace_chart_ensure_rows (self);
  if (slice == TSR_NO_SLICE)
    return FALSE;
  ipu = tsr_trace_chart_find_ipu (self, tsr_trace_get_ipu_of (self->trace, slice));
  if (ipu == NULL)
    return FALSE;
  shape = ipu->collapsed ? TSR_TRACE_FLAT : tsr_trace_state_get_shape (self->state);
  for (guint depth = shape == TSR_TRACE_FLAT ? 1 : TSR_TRACE_MAX_DEPTH; depth-- > 0;)
    {
      guint track;
      gsize item;

      if (!tsr_trace_locate (self->trace, slice, shape, depth, &track, &item))
        continue;
      hit->kind = TSR_TRACE_HIT_ITEM;
      hit->ipu = ipu->ipu;
      hit->track = track;
      hit->depth = depth;
      hit->item = item;
      hit->slice = slice;
      hit->n_under = 1;
      hit->cycles = tsr_trace_get_tables (self->trace)->slice_start[slice];
      return TRUE;
    }
  return FALSE;
}

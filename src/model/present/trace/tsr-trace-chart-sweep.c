/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From pixel columns to items.  A column stands for the cycles that it touches, and shows the
 * longest of the items that touch them.  Where a row has about as many items as columns, all
 * columns are asked at once; where it has fewer, one that covers a column alone is followed to its
 * end, so that a row costs at most its columns.  Columns of a notch show nothing of a row. */

#include "config.h"

#include "tsr-trace-chart-private.h"

#include <math.h>

#define MAX_SHARED 2048

/* ------------------------------------------------------------------- view */

static guint
column_of_position (const TsrTraceGrid *self, double position)
{
  return (guint)CLAMP (ceil ((position - self->geometry->from) / self->per - 0.5), 0,
                       self->n_columns);
}

gboolean
tsr_trace_grid_get_notch (const TsrTraceGrid *self, guint notch, guint *from, guint *to)
{
  const TsrTraceFold *fold = self->chart->fold;
  gint64 first;
  gint64 end;

  tsr_trace_fold_get_notch (fold, notch, &first, &end);
  *from = column_of_position (self, tsr_trace_fold_get_position (fold, first));
  *to = column_of_position (self, tsr_trace_fold_get_position (fold, end));
  return *from < *to;
}

static void
add_stretch (TsrTraceGrid *self, guint from, guint to, gint64 first, gint64 end)
{
  TsrTraceStretch stretch = { from, to, first, end, 0 };

  if (from >= to || first >= end)
    return;
  stretch.origin
      = (tsr_trace_fold_get_position (self->chart->fold, first) - self->geometry->from) / self->per;
  g_array_append_val (self->stretches, stretch);
}

gboolean
tsr_trace_grid_init (TsrTraceGrid *self,
                     TsrTraceChart *chart,
                     const TsrChartGeometry *geometry,
                     const TsrPlotArea *area)
{
  gint64 first;
  gint64 last;
  guint column = 0;
  guint n = tsr_trace_fold_get_n_notches (chart->fold);

  *self = (TsrTraceGrid){ .chart = chart, .geometry = geometry, .area = area };
  self->stretches = g_array_new (FALSE, FALSE, sizeof (TsrTraceStretch));
  self->n_columns = (guint)MAX (floor (area->width * geometry->scale + 0.5), 0);
  if (self->n_columns == 0 || !(geometry->to > geometry->from))
    return FALSE;
  self->per = (geometry->to - geometry->from) / self->n_columns;
  tsr_trace_chart_ensure_rows (chart);
  tsr_trace_fold_get_domain (chart->fold, &first, &last);
  for (guint i = 0; i < n && column < self->n_columns; i++)
    {
      gint64 notch_from;
      gint64 notch_to;
      guint from;
      guint to;

      tsr_trace_fold_get_notch (chart->fold, i, &notch_from, &notch_to);
      tsr_trace_grid_get_notch (self, i, &from, &to);
      add_stretch (self, column, from, first, notch_from);
      column = to;
      first = notch_to;
    }
  add_stretch (self, column, self->n_columns, first, last);
  return TRUE;
}

void
tsr_trace_grid_clear (TsrTraceGrid *self)
{
  g_clear_pointer (&self->stretches, g_array_unref);
  for (guint i = 0; self->lanes != NULL && i < tsr_trace_get_n_tracks (self->chart->trace); i++)
    g_free (self->lanes[i].first);
  g_clear_pointer (&self->lanes, g_free);
  g_clear_pointer (&self->from, g_free);
  self->to = NULL;
  g_clear_pointer (&self->mixture, g_free);
}

const TsrTraceStretch *
tsr_trace_grid_find_stretch (const TsrTraceGrid *self, guint column)
{
  for (guint i = 0; i < self->stretches->len; i++)
    {
      const TsrTraceStretch *stretch = &g_array_index (self->stretches, TsrTraceStretch, i);

      if (column >= stretch->from && column < stretch->to)
        return stretch;
    }
  return NULL;
}

/* Cycles from the stretch's first one to the left edge of @column. */
static inline double
get_edge (const TsrTraceGrid *self, const TsrTraceStretch *stretch, guint column)
{
  return (column - stretch->origin) * self->per;
}

static inline gint64
add_cycles (const TsrTraceStretch *stretch, double cycles)
{
  if (!(cycles > 0))
    return stretch->first;
  if (cycles >= (double)((guint64)stretch->end - (guint64)stretch->first))
    return stretch->end;
  return (gint64)((guint64)stretch->first + (guint64)cycles);
}

static inline gint64
get_low (const TsrTraceGrid *self, const TsrTraceStretch *stretch, guint column)
{
  return add_cycles (stretch, floor (get_edge (self, stretch, column)));
}

static inline gint64
get_high (const TsrTraceGrid *self, const TsrTraceStretch *stretch, guint column)
{
  return add_cycles (stretch, ceil (get_edge (self, stretch, column + 1)));
}

void
tsr_trace_grid_get_column (const TsrTraceGrid *self,
                           const TsrTraceStretch *stretch,
                           guint column,
                           gint64 *from,
                           gint64 *to)
{
  *from = get_low (self, stretch, column);
  *to = get_high (self, stretch, column);
}

static inline double
get_place (const TsrTraceGrid *self, const TsrTraceStretch *stretch, gint64 cycles)
{
  return stretch->origin + ((double)cycles - (double)stretch->first) / self->per;
}

/* The first column at or after @least that touches @cycles or what comes after. */
static guint
find_column (const TsrTraceGrid *self, const TsrTraceStretch *stretch, gint64 cycles, guint least)
{
  double place = floor (get_place (self, stretch, cycles));
  guint column = (guint)CLAMP (place, least, stretch->to);

  while (column < stretch->to && get_high (self, stretch, column) <= cycles)
    column++;
  while (column > least && get_high (self, stretch, column - 1) > cycles)
    column--;
  return column;
}

/* The end of the columns from @least on that touch something before @cycles. */
static guint
find_end_column (const TsrTraceGrid *self,
                 const TsrTraceStretch *stretch,
                 gint64 cycles,
                 guint least)
{
  double place = ceil (get_place (self, stretch, cycles));
  guint column = (guint)CLAMP (place, least, stretch->to);

  while (column < stretch->to && get_low (self, stretch, column) < cycles)
    column++;
  while (column > least && get_low (self, stretch, column - 1) >= cycles)
    column--;
  return column;
}

guint
tsr_trace_grid_get_stride (const TsrTraceGrid *self)
{
  return (self->n_columns + MAX_SHARED - 1) / MAX_SHARED;
}

void
tsr_trace_grid_get_shared (const TsrTraceGrid *self,
                           const TsrTraceStretch *stretch,
                           guint column,
                           gint64 *from,
                           gint64 *to)
{
  guint stride = tsr_trace_grid_get_stride (self);
  guint first = column - (column - stretch->from) % stride;

  *from = get_low (self, stretch, first);
  *to = get_high (self, stretch, MIN (first + stride, stretch->to) - 1);
}

guint
tsr_trace_grid_get_edges (const TsrTraceGrid *self, const TsrTraceStretch *stretch, gint64 *edges)
{
  guint stride = tsr_trace_grid_get_stride (self), n = 0;
  gint64 to = 0;

  for (guint column = stretch->from; column < stretch->to; column += stride, n++)
    {
      tsr_trace_grid_get_shared (self, stretch, column, &edges[n], &to);
      edges[n] = n > 0 ? MAX (edges[n], edges[n - 1]) : edges[n];
    }
  edges[n] = n > 0 ? MAX (to, edges[n - 1]) : 0;
  return n;
}

gboolean
tsr_trace_grid_column_at (const TsrTraceGrid *self, double x, guint *column)
{
  double at = floor ((x - self->area->x) * self->geometry->scale);

  if (!(at >= 0 && at < self->n_columns))
    return FALSE;
  *column = (guint)at;
  return TRUE;
}

double
tsr_trace_grid_get_x (const TsrTraceGrid *self, gint64 cycles)
{
  double at = (tsr_trace_fold_get_position (self->chart->fold, cycles) - self->geometry->from)
              / self->per;

  return self->area->x
         + floor (CLAMP (at, -1e6, self->n_columns + 1e6) + 0.5) / self->geometry->scale;
}

gboolean
tsr_trace_grid_get_columns (
    const TsrTraceGrid *self, gint64 start, gint64 end, guint *from, guint *to)
{
  const TsrTraceFold *fold = self->chart->fold;
  double first = (tsr_trace_fold_get_position (fold, start) - self->geometry->from) / self->per;
  double last = (tsr_trace_fold_get_position (fold, end) - self->geometry->from) / self->per;
  gint64 domain_from;
  gint64 domain_to;

  tsr_trace_fold_get_domain (fold, &domain_from, &domain_to);
  if (end <= domain_from || start >= domain_to || last <= 0 || first >= self->n_columns)
    return FALSE;
  *from = (guint)CLAMP (floor (first + 1e-6), 0, self->n_columns - 1);
  *to = (guint)CLAMP (ceil (last - 1e-6), *from + 1, self->n_columns);
  return TRUE;
}

double
tsr_trace_grid_get_y (
    const TsrTraceGrid *self, const TsrTraceChartIpu *ipu, double y, double *top, double *bottom)
{
  const TsrPlotArea *area = self->area;
  double foot = area->y + area->height;

  *top = ipu->pinned ? area->y : MIN (area->y + self->chart->pinned_height, foot);
  *bottom = ipu->pinned ? MIN (area->y + self->chart->pinned_height, foot) : foot;
  return area->y + y - (ipu->pinned ? 0 : self->chart->top);
}

/* ---------------------------------------------------------------- sources */

/* Steps or spans, the same way. */
static inline gsize
get_n (const TsrTraceChartRow *row)
{
  return row->row != NULL ? row->row->n : row->spans->n;
}

static inline gint64
get_start (const TsrTraceChartRow *row, gsize i)
{
  return row->row != NULL ? tsr_trace_row_start (row->row, i) : row->spans->start[i];
}

static inline gint64
get_end (const TsrTraceChartRow *row, gsize i)
{
  return row->row != NULL ? tsr_trace_row_end (row->row, i) : row->spans->end[i];
}

/* First one that ends after @cycles. */
static gsize
find (const TsrTraceChartRow *row, gint64 cycles, gsize hint)
{
  gsize low = 0;
  gsize high;

  if (row->row != NULL)
    return tsr_trace_row_find (row->row, cycles, hint);
  high = row->spans->n;
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

static gsize
find_longest (const TsrTraceGrid *self, const TsrTraceChartRow *row, gsize first, gsize end)
{
  guint best;

  if (row->row != NULL)
    {
      if (end - first == 1 && self->chart->hidden == 0)
        return first;
      return tsr_trace_row_longest (self->chart->trace, row->row, first, end, self->chart->hidden);
    }
  best = tsr_pyramid_get_argmax (row->spans->lengths, first, end);
  return best != TSR_NO_INDEX ? best : G_MAXSIZE;
}

/* The end of the items from @first on that begin before @cycles; @guess: how many they may be. */
static gsize
find_end (const TsrTraceChartRow *row, gint64 cycles, gsize first, gsize guess)
{
  gsize n = get_n (row);
  gsize end = first + 1;

  if (end >= n || get_start (row, end) >= cycles)
    return end;
  end = find (row, cycles - 1, MIN (MAX (end, first + guess), n - 1));
  return end < n && get_start (row, end) < cycles ? end + 1 : end;
}

/* ------------------------------------------------------------------ sweep */

typedef struct
{
  TsrTracePiece *piece; /* with room for as many as columns */
  guint n;
} Pieces;

static inline void
add_piece (Pieces *pieces, gsize item, guint from, guint to)
{
  TsrTracePiece *before = pieces->piece + pieces->n - 1;

  if (item == G_MAXSIZE || from >= to)
    return;
  if (pieces->n > 0 && before->item == item && before->to == from)
    before->to = to;
  else
    pieces->piece[pieces->n++] = (TsrTracePiece){ item, from, to };
}

static void
sweep_stretch (const TsrTraceGrid *self,
               const TsrTraceChartRow *row,
               const TsrTraceStretch *stretch,
               gsize *hint,
               Pieces *pieces)
{
  gsize n = get_n (row);
  gsize stride = 0;

  for (guint column = stretch->from; column < stretch->to;)
    {
      gint64 high = get_high (self, stretch, column);
      gsize first = find (row, get_low (self, stretch, column), *hint);
      gsize end;
      guint to = column + 1;

      *hint = first;
      if (first >= n)
        return;
      if (get_start (row, first) >= high)
        {
          if (get_start (row, first) >= stretch->end)
            return;
          column = find_column (self, stretch, get_start (row, first), column + 1);
          continue;
        }
      end = find_end (row, high, first, stride);
      stride = end - first;
      *hint = end - 1;
      if (stride == 1)
        {
          to = find_end_column (self, stretch, get_end (row, first), column + 1);
          if (end < n)
            to = MIN (to, find_column (self, stretch, get_start (row, end), column + 1));
        }
      add_piece (pieces, find_longest (self, row, first, end), column, to);
      column = to;
    }
}

/* ------------------------------------------------------------------ flame */

static void
fill_columns (guint32 *columns, guint from, guint to, gsize value)
{
  for (guint column = from; column < to; column++)
    columns[column] = (guint32)value;
}

/* As a sweep, but what is found is kept: steps of the lane by column. */
static void
find_steps (const TsrTraceGrid *self,
            const TsrTraceChartRow *flat,
            const TsrTraceStretch *stretch,
            const TsrTraceLaneColumns *lane)
{
  gsize n = get_n (flat);
  gsize hint = 0;
  gsize stride = 0;

  for (guint column = stretch->from, to; column < stretch->to; column = to)
    {
      gint64 high = get_high (self, stretch, column);
      gsize first = find (flat, get_low (self, stretch, column), hint);
      gsize end = first;

      hint = first;
      to = column + 1;
      if (first >= n)
        to = stretch->to;
      else if (get_start (flat, first) >= high)
        to = find_column (self, stretch, get_start (flat, first), column + 1);
      else
        {
          end = find_end (flat, high, first, stride);
          stride = end - first;
          hint = end - 1;
          if (stride == 1)
            {
              to = find_end_column (self, stretch, get_end (flat, first), column + 1);
              if (end < n)
                to = MIN (to, find_column (self, stretch, get_start (flat, end), column + 1));
            }
        }
      fill_columns (lane->first, column, to, first);
      fill_columns (lane->end, column, to, end);
    }
}

/* What the columns of all stretches touch: from and to. */
static void
tsr_trace_grid_ensure_edges (TsrTraceGrid *self)
{
  gsize n = (gsize)self->n_columns + self->stretches->len;

  if (self->from != NULL)
    return;
  self->from = g_new (gint64, 2 * n);
  self->to = self->from + n;
  for (guint i = 0; i < self->stretches->len; i++)
    {
      const TsrTraceStretch *stretch = &g_array_index (self->stretches, TsrTraceStretch, i);

      for (guint column = stretch->from; column <= stretch->to; column++)
        {
          self->from[column + i] = get_low (self, stretch, column);
          self->to[column + i] = get_high (self, stretch, column);
        }
    }
}

static TsrTraceChartRow
get_flat (const TsrTraceGrid *self, guint track)
{
  return (TsrTraceChartRow){ .kind = TSR_TRACE_ROW_STEPS,
                             .track = track,
                             .flat = TRUE,
                             .row
                             = tsr_trace_get_row (self->chart->trace, track, TSR_TRACE_FLAT, 0) };
}

/* Steps in the columns; 0 where there are fewer in all than would count. */
static gsize
count_steps (const TsrTraceGrid *self, const TsrTraceChartRow *flat)
{
  const TsrTraceStretch *stretch;
  gint64 low;
  gsize first;

  if (get_n (flat) < self->n_columns / 2 || self->stretches->len == 0)
    return 0;
  stretch = &g_array_index (self->stretches, TsrTraceStretch, 0);
  low = get_low (self, stretch, stretch->from);
  first = find (flat, low, G_MAXSIZE);
  stretch = &g_array_index (self->stretches, TsrTraceStretch, self->stretches->len - 1);
  return find (flat, get_high (self, stretch, stretch->to - 1), first) - first;
}

static TsrTraceLaneColumns *
ensure_lane (TsrTraceGrid *self, guint track)
{
  TsrTraceChartRow flat = get_flat (self, track);
  TsrTraceLaneColumns *lane;

  if (self->lanes == NULL)
    self->lanes = g_new0 (TsrTraceLaneColumns, tsr_trace_get_n_tracks (self->chart->trace));
  lane = &self->lanes[track];
  if (!lane->known)
    {
      gsize n = count_steps (self, &flat);

      lane->dense = n > 0 && n >= self->n_columns / 2;
    }
  lane->known = TRUE;
  if (lane->dense)
    tsr_trace_grid_ensure_edges (self);
  return lane;
}

void
tsr_trace_grid_find_steps (TsrTraceGrid *self, guint track)
{
  TsrTraceChartRow flat = get_flat (self, track);
  TsrTraceLaneColumns *lane = ensure_lane (self, track);

  if (lane->first != NULL)
    return;
  lane->first = g_new0 (guint32, 2 * (gsize)self->n_columns);
  lane->end = lane->first + self->n_columns;
  for (guint i = 0; i < self->stretches->len; i++)
    {
      const TsrTraceStretch *stretch = &g_array_index (self->stretches, TsrTraceStretch, i);
      guint from = stretch->from;

      if (lane->dense)
        tsr_trace_find_columns (self->chart->trace, track, stretch->to - from,
                                self->from + from + i, self->to + from + i, lane->first + from,
                                lane->end + from);
      else
        find_steps (self, &flat, stretch, lane);
    }
}

/* The first of @n ascending values that is not below @least, looked for from @guess on. */
static gsize
gallop (const guint32 *values, gsize n, gsize guess, guint32 least)
{
  gsize low = 0;
  gsize high = n;
  gsize step = 4;

  guess = MIN (guess, n);
  if (guess < n && values[guess] < least)
    {
      for (low = guess + 1; low + step < n && values[low + step] < least; step *= 2)
        low += step + 1;
      high = MIN (low + step, n);
    }
  else
    {
      for (high = guess; high > step && values[high - step] >= least; step *= 2)
        high -= step;
      low = high > step ? high - step : 0;
    }
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (values[middle] < least)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* One row of a flame: its items are ranges of the lane's steps, so that each column's are found
 * without looking at their times. */
static void
sweep_flame (const TsrTraceGrid *self,
             const TsrTraceChartRow *row,
             const TsrTraceStretch *stretch,
             gsize *hint,
             Pieces *pieces)
{
  const TsrTraceRow *items = row->row;
  const TsrTraceLaneColumns *lane = &self->lanes[row->track];
  gsize stride = 1;

  for (guint column = stretch->from, to; column < stretch->to; column = to)
    {
      guint32 from_step = lane->first[column];
      guint32 end_step = lane->end[column];
      gsize first = gallop (items->last, items->n, *hint, from_step);
      gsize end = first + 1;

      to = column + 1;
      *hint = first;
      if (first >= items->n)
        return;
      /* In a gap between two steps there is what goes on around it. */
      if (items->first[first] >= MAX (end_step, from_step))
        {
          if (get_start (row, first) >= stretch->end)
            return;
          to = find_column (self, stretch, get_start (row, first), column + 1);
          continue;
        }
      if (end < items->n && items->first[end] < end_step)
        end = gallop (items->first, items->n, first + stride, end_step);
      stride = end - first;
      if (stride == 1)
        {
          to = find_end_column (self, stretch, get_end (row, first), column + 1);
          if (end < items->n)
            to = MIN (to, find_column (self, stretch, get_start (row, end), column + 1));
        }
      else
        *hint = end - 1;
      add_piece (pieces, find_longest (self, row, first, end), column, to);
    }
}

static gboolean
is_swept_dense (const TsrTraceGrid *self, const TsrTraceChartRow *row)
{
  return row->row != NULL && self->lanes[row->track].dense && get_n (row) >= self->n_columns / 2;
}

/* All columns at once, in order. */
static void
sweep_dense (const TsrTraceGrid *self,
             const TsrTraceChartRow *row,
             const TsrTraceStretch *stretch,
             Pieces *pieces)
{
  const TsrTraceLaneColumns *lane = &self->lanes[row->track];
  guint32 best[256];

  for (guint from = stretch->from, to; from < stretch->to; from = to)
    {
      to = MIN (stretch->to, from + G_N_ELEMENTS (best));
      tsr_trace_longest_in_columns (self->chart->trace, row->row, to - from, lane->first + from,
                                    lane->end + from, self->chart->hidden, best);
      for (guint column = from; column < to; column++)
        add_piece (pieces, best[column - from] != G_MAXUINT32 ? best[column - from] : G_MAXSIZE,
                   column, column + 1);
    }
}

guint
tsr_trace_grid_fill (TsrTraceGrid *self, const TsrTraceChartRow *row, TsrTracePiece *pieces)
{
  Pieces found = { pieces, 0 };
  gsize hint = 0;

  if (row->kind >= TSR_TRACE_ROW_BAND || get_n (row) == 0)
    return 0;
  /* A flat row of few steps needs none of what rows of a flame share. */
  if (row->row != NULL && (row->row->first != NULL || ensure_lane (self, row->track)->dense))
    tsr_trace_grid_find_steps (self, row->track);
  for (guint i = 0; i < self->stretches->len; i++)
    {
      const TsrTraceStretch *stretch = &g_array_index (self->stretches, TsrTraceStretch, i);

      if (is_swept_dense (self, row))
        sweep_dense (self, row, stretch, &found);
      else if (row->row != NULL && row->row->first != NULL)
        sweep_flame (self, row, stretch, &hint, &found);
      else
        sweep_stretch (self, row, stretch, &hint, &found);
    }
  return found.n;
}

gboolean
tsr_trace_grid_is_crowded (const TsrTraceGrid *self,
                           const TsrTraceChartRow *row,
                           const TsrTracePiece *pieces,
                           guint n)
{
  static const guint tenths[] = {
    [TSR_TRACE_CROWDING_NEW] = 5,
    [TSR_TRACE_CROWDING_APART] = 6,
    [TSR_TRACE_CROWDING_CROWDED] = 4,
  };
  guint least = (guint)ceil (TSR_TRACE_LEAST_GAP * self->geometry->scale);
  guint64 filled = 0, narrow = 0;

  if (row->kind != TSR_TRACE_ROW_STEPS || n == 0 || self->chart->found != NULL
      || pieces[n - 1].item - pieces[0].item < n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      guint width = pieces[i].to - pieces[i].from;

      filled += width;
      narrow += width < least ? width : 0;
    }
  return 10 * narrow > tenths[row->crowding] * filled;
}

gboolean
tsr_trace_grid_is_in_crowd (const TsrTraceGrid *self, const TsrTraceChartRow *row)
{
  guint track = row->track;

  if (row->kind != TSR_TRACE_ROW_STEPS || self->lanes == NULL)
    return FALSE;
  if (row->shared)
    track -= tsr_trace_get_track (self->chart->trace, track)->lane;
  return self->lanes[track].crowded;
}

gboolean
tsr_trace_grid_find_crowd (TsrTraceGrid *self,
                           const TsrTraceChartIpu *ipu,
                           const TsrTraceChartRow *row,
                           const TsrTraceChartRow **first)
{
  g_autofree TsrTracePiece *pieces = g_new (TsrTracePiece, self->n_columns);
  guint track = row->track;

  *first = NULL;
  if (row->shared)
    track -= tsr_trace_get_track (self->chart->trace, track)->lane;
  for (guint r = ipu->first; r < ipu->end && *first == NULL; r++)
    {
      const TsrTraceChartRow *other = tsr_trace_chart_peek_row (self->chart, r);

      if (other->kind == TSR_TRACE_ROW_STEPS && other->track == track
          && tsr_trace_grid_is_crowded (self, other, pieces,
                                        tsr_trace_grid_fill (self, other, pieces)))
        *first = other;
    }
  return *first != NULL && (track != row->track || (*first)->depth <= row->depth);
}

gsize
tsr_trace_grid_item_at (const TsrTraceGrid *self,
                        const TsrTraceChartRow *row,
                        guint column,
                        guint *n_under)
{
  const TsrTraceStretch *stretch = tsr_trace_grid_find_stretch (self, column);
  gint64 high;
  gsize first;
  gsize end;

  *n_under = 0;
  if (stretch == NULL || row->kind >= TSR_TRACE_ROW_BAND || get_n (row) == 0)
    return G_MAXSIZE;
  high = get_high (self, stretch, column);
  first = find (row, get_low (self, stretch, column), 0);
  if (first >= get_n (row) || get_start (row, first) >= high)
    return G_MAXSIZE;
  end = find_end (row, high, first, 0);
  *n_under = (guint)MIN (end - first, G_MAXUINT);
  return find_longest (self, row, first, end);
}

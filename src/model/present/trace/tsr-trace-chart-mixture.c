/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What shares the time of each column, from the sums by type: rows whose steps cannot be told
 * apart, the mini-map with a band for each IPU, and the track of utilisation below an IPU's rows.
 */

#include "config.h"

#include "tsr-trace-chart-private.h"

#include <math.h>
#include <string.h>

#define OVERVIEW_BAND 8.0 /* pixels of an IPU */
#define BLOCK         64  /* columns that are drawn together */

/* What takes the time of a column, from the foot of its band: work first, so that its height is
 * the utilisation. */
static const TsrTraceInk pile[] = {
  TSR_TRACE_INK_COMPUTE, TSR_TRACE_INK_EXCHANGE, TSR_TRACE_INK_INTER_IPU, TSR_TRACE_INK_TRANSFER,
  TSR_TRACE_INK_OTHER,   TSR_TRACE_INK_SYNC,     TSR_TRACE_INK_HOST,
};

typedef struct
{
  double share[G_N_ELEMENTS (pile)]; /* sum over the IPUs of the band */
} Mixture;

static guint
place_in_pile (guint8 ink)
{
  for (guint i = 0; i < G_N_ELEMENTS (pile); i++)
    if (pile[i] == ink)
      return i;
  return G_N_ELEMENTS (pile) - 1;
}

/* A column of a stretch within a cycle looks like the whole cycle: from edge *@from to edge @end.
 */
static guint
widen_column (const gint64 *edges, guint n, guint c, guint *from)
{
  guint end = c + 1;

  *from = edges[c] > edges[*from] ? c : *from;
  while (end < n && edges[end] == edges[*from])
    end++;
  return end;
}

/* Cycles of the IPU, all lanes. */
static void
count_ipu (const TsrTraceGrid *view, const gint64 *edges, guint n, guint ipu, Mixture *columns)
{
  TsrTraceChart *chart = view->chart;
  guint n_types = tsr_trace_get_n_types (chart->trace), place[TSR_TRACE_MAX_TYPES];
  g_autofree guint64 *unions = g_new (guint64, (gsize)(n + 1) * n_types);

  for (guint type = 0; type < n_types; type++)
    place[type] = place_in_pile (chart->inks[type]);
  tsr_trace_count_types (chart->trace, ipu, edges, n + 1, unions);
  for (guint c = 0, from = 0; c < n; c++)
    {
      guint end = widen_column (edges, n, c, &from);
      const guint64 *before = unions + (gsize)from * n_types;
      const guint64 *after = unions + (gsize)end * n_types;

      for (guint type = 0; type < n_types; type++)
        if ((chart->hidden >> type & 1) == 0)
          columns[c].share[place[type]] += (double)(after[type] - before[type]);
    }
}

/* Cycles of a lane beyond the first, times @sign, step by step: such a lane has few. */
static void
count_lane (TsrTraceGrid *view,
            const TsrTraceStretch *stretch,
            const gint64 *edges,
            guint n,
            guint track,
            double sign,
            Mixture *columns)
{
  TsrTraceChart *chart = view->chart;
  const TsrTraceRow *row = tsr_trace_get_row (chart->trace, track, TSR_TRACE_FLAT, 0);
  const TsrTraceLaneColumns *lane;
  guint stride = tsr_trace_grid_get_stride (view);

  tsr_trace_grid_find_steps (view, track);
  lane = &view->lanes[track];
  for (guint c = 0, from = 0; c < n; c++)
    {
      guint end = widen_column (edges, n, c, &from);
      guint column = stretch->from + c * stride, last = MIN (column + stride, stretch->to) - 1;

      for (guint32 at = lane->first[column]; at < lane->end[last]; at++)
        {
          guint8 type
              = tsr_trace_get_slice_type (chart->trace, tsr_trace_row_first_slice (row, at));
          gint64 begin = MAX (tsr_trace_row_start (row, at), edges[from]);
          gint64 stop = MIN (tsr_trace_row_end (row, at), edges[end]);

          if (begin < stop && (chart->hidden >> type & 1) == 0)
            columns[c].share[place_in_pile (chart->inks[type])] += sign * (double)(stop - begin);
        }
    }
}

#define ALL_LANES TSR_NO_INDEX

static gboolean
has_more_lanes (const TsrTrace *trace, guint track)
{
  const TsrTraceTrack *of = tsr_trace_get_track (trace, track);

  return of->lane > 0
         || (track + 1 < tsr_trace_get_n_tracks (trace)
             && tsr_trace_get_track (trace, track + 1)->ipu == of->ipu);
}

/* The first lane has what the IPU has beyond the others. */
static void
count_stretch (TsrTraceGrid *view,
               const TsrTraceStretch *stretch,
               const gint64 *edges,
               guint n,
               guint ipu,
               guint track,
               Mixture *columns)
{
  TsrTrace *trace = view->chart->trace;

  if (track != ALL_LANES && tsr_trace_get_track (trace, track)->lane > 0)
    {
      count_lane (view, stretch, edges, n, track, 1, columns);
      return;
    }
  count_ipu (view, edges, n, ipu, columns);
  for (guint t = track; t < tsr_trace_get_n_tracks (trace); t++)
    if (t > track && tsr_trace_get_track (trace, t)->ipu == ipu)
      count_lane (view, stretch, edges, n, t, -1, columns);
}

/* Shares of the columns of @stretch, of one IPU or one of its lanes more.  Steps of several lanes
 * may fill more than a column has: then their shares are of what they fill. */
static void
add_stretch (
    TsrTraceGrid *view, const TsrTraceStretch *stretch, guint ipu, guint track, Mixture *columns)
{
  guint stride = tsr_trace_grid_get_stride (view), n = stretch->to - stretch->from;
  g_autofree gint64 *edges = g_new (gint64, n + 1);
  g_autofree Mixture *cycles = g_new0 (Mixture, n);

  n = tsr_trace_grid_get_edges (view, stretch, edges);
  count_stretch (view, stretch, edges, n, ipu, track, cycles);
  for (guint c = 0, from = 0; c < n; c++)
    {
      guint end = widen_column (edges, n, c, &from);
      double sum = 0, whole = (double)(edges[end] - edges[from]);

      for (guint i = 0; i < G_N_ELEMENTS (pile); i++)
        sum += MAX (cycles[c].share[i], 0);
      for (guint i = 0; i < G_N_ELEMENTS (pile) && sum > 0; i++)
        for (guint k = stretch->from + c * stride;
             k < MIN (stretch->from + (c + 1) * stride, stretch->to); k++)
          columns[k].share[i] += MAX (cycles[c].share[i], 0) / MAX (sum, whole);
    }
}

/* What shares the time of all columns: the rows of an IPU that show it stand one below the other,
 * so that the last one is kept. */
static const Mixture *
find_mixture (TsrTraceGrid *view, guint ipu, guint track)
{
  Mixture *columns;

  if (track != ALL_LANES && !has_more_lanes (view->chart->trace, track))
    track = ALL_LANES;
  if (view->mixture != NULL && view->mixture_ipu == ipu && view->mixture_track == track)
    return view->mixture;
  g_free (view->mixture);
  view->mixture = columns = g_new0 (Mixture, view->n_columns);
  view->mixture_ipu = ipu;
  view->mixture_track = track;
  for (guint s = 0; s < view->stretches->len; s++)
    add_stretch (view, &g_array_index (view->stretches, TsrTraceStretch, s), ipu, track, columns);
  return columns;
}

/* ------------------------------------------------------------------- pixels */

/* A band of @height pixels, of which [first, end) are drawn, for @n_ipus.  @keep: all that there is
 * has a pixel at least, so that nothing short is lost. */
typedef struct
{
  guint n_ipus, height, first, end;
  gboolean keep;
} Band;

/* "From this row on, this column has that ink", chained by row. */
typedef struct
{
  guint16 next; /* index + 1; 0: none */
  guint8 column, ink;
} Event;

typedef struct
{
  Event events[BLOCK * G_N_ELEMENTS (pile)];
  guint n;
  guint16 *rows; /* [end - first] */
} Sweep;

/* From the foot to the top; of one pixel what takes the most. */
static void
add_column (const Band *band, const Mixture *mixture, guint column, Sweep *sweep)
{
  guint bottom = band->height, most = 0, above = 0;
  double sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (pile); i++)
    {
      above += mixture->share[i] > 0 && band->keep;
      if (mixture->share[i] > mixture->share[most])
        most = i;
    }
  for (guint i = 0; i < G_N_ELEMENTS (pile); i++)
    {
      guint top, least = band->keep ? 1 : 0;

      if (!(mixture->share[i] > 0))
        continue;
      sum += mixture->share[i];
      above -= band->keep;
      top = band->height - MIN ((guint)(sum / band->n_ipus * band->height + 0.5), band->height);
      if (band->height == 1)
        top = i == most ? 0 : bottom;
      top = MAX (MIN (top, bottom - MIN (least, bottom)), above);
      if (top < bottom && bottom > band->first && top < band->end)
        {
          guint16 *row = &sweep->rows[MAX (top, band->first) - band->first];

          sweep->events[sweep->n]
              = (Event){ *row, (guint8)column, (guint8)(TSR_INK_TRACE + pile[i]) };
          *row = (guint16)++sweep->n;
        }
      bottom = MIN (bottom, top);
    }
}

/* Columns are worked out from foot to top, memory goes row by row: see tsr-raster.c.  @filled
 * (nullable): of each column whether it is drawn. */
static void
fill_band (const Band *band,
           const Mixture *columns,
           const guint8 *filled,
           guint n_columns,
           guint8 *inks,
           gsize stride)
{
  g_autofree guint16 *rows = g_new (guint16, band->end - band->first);
  Sweep sweep = { .rows = rows };

  for (guint from = 0; from < n_columns; from += BLOCK)
    {
      guint n = MIN (n_columns - from, BLOCK);
      guint8 line[BLOCK];

      memset (line, TSR_RASTER_CLEAR, sizeof line);
      memset (rows, 0, (band->end - band->first) * sizeof *rows);
      sweep.n = 0;
      for (guint c = 0; c < n; c++)
        if (filled == NULL || filled[from + c])
          add_column (band, &columns[from + c], c, &sweep);
      for (guint y = 0; y < band->end - band->first && sweep.n > 0; y++)
        {
          for (guint e = rows[y]; e != 0; e = sweep.events[e - 1].next)
            line[sweep.events[e - 1].column] = sweep.events[e - 1].ink;
          memcpy (inks + y * stride + from, line, n);
        }
    }
}

gboolean
tsr_trace_grid_add_track (const TsrTraceGrid *self,
                          const TsrTraceChartRow *row,
                          TsrDrawList *list,
                          TsrTraceTrackRaster *track)
{
  double scale = self->geometry->scale, top, bottom;
  double y = tsr_trace_grid_get_y (self, tsr_trace_chart_find_ipu (self->chart, row->ipu), row->y,
                                   &top, &bottom);
  int at = (int)floor (y * scale + 0.5), height = (int)floor (row->height * scale + 0.5);
  int first = CLAMP ((int)floor (top * scale + 0.5) - at, 0, height);
  int end = CLAMP ((int)floor (bottom * scale + 0.5) - at, first, height);

  if (first == end || self->n_columns == 0)
    return FALSE;
  *track = (TsrTraceTrackRaster){ NULL, (guint)height, (guint)first, (guint)end };
  track->raster = tsr_draw_list_raster (list, self->area->x, (at + first) / scale,
                                        self->n_columns / scale, (end - first) / scale, scale);
  g_assert (track->raster->width == self->n_columns);
  return TRUE;
}

void
tsr_trace_chart_layout_crowd (TsrTraceGrid *view, const TsrTraceStrip *strip, TsrDrawList *list)
{
  TsrTraceChartRow row = *strip->row;
  g_autofree guint8 *filled = NULL;
  TsrTraceTrackRaster track;
  Band band;

  row.height = row.foot - row.y - 1;
  if (!tsr_trace_grid_add_track (view, &row, list, &track))
    return;
  filled = g_new0 (guint8, view->n_columns);
  for (guint i = 0; i < strip->n; i++)
    memset (filled + strip->pieces[i].from, TRUE, strip->pieces[i].to - strip->pieces[i].from);
  band = (Band){ 1, track.height, track.first, track.end, TRUE };
  fill_band (&band, find_mixture (view, row.ipu, row.shared ? ALL_LANES : row.track), filled,
             view->n_columns, track.raster->inks, track.raster->width);
}

void
tsr_trace_chart_layout_use (TsrTraceGrid *view, const TsrTraceChartRow *row, TsrDrawList *list)
{
  TsrTraceTrackRaster track;
  Band band;

  if (!tsr_trace_grid_add_track (view, row, list, &track))
    return;
  band = (Band){ 1, track.height, track.first, track.end, FALSE };
  fill_band (&band, find_mixture (view, row->ipu, ALL_LANES), NULL, view->n_columns,
             track.raster->inks, track.raster->width);
}

void
tsr_trace_chart_layout_overview (TsrChartModel *model,
                                 const TsrChartGeometry *geometry,
                                 TsrDrawList *list)
{
  TsrTraceChart *self = TSR_TRACE_CHART (model);
  TsrPlotArea area = { 0, 0, geometry->width, geometry->height, 0, 1 };
  g_auto (TsrTraceGrid) view = { NULL };
  g_autofree Mixture *columns = NULL;
  TsrDrawRaster *raster;
  double height;
  Band band;
  guint n;

  if (!tsr_trace_grid_init (&view, self, geometry, &area) || self->ipus->len == 0)
    return;
  n = self->ipus->len;
  height = MIN (OVERVIEW_BAND, geometry->height / n);
  area.y = tsr_draw_list_snap ((geometry->height - height * n) / 2, geometry->scale);
  raster = tsr_draw_list_raster (list, 0, area.y, view.n_columns / geometry->scale, height * n,
                                 geometry->scale);
  g_assert (raster->width == view.n_columns);
  columns = g_new (Mixture, MAX (view.n_columns, 1));
  /* Bands of pixels; where there are fewer than IPUs, several IPUs share one. */
  for (guint y = 0, end; y < raster->height; y = end)
    {
      guint first = (guint)((guint64)y * n / raster->height);
      guint last = first;
      guint8 *inks = raster->inks + (gsize)y * raster->width;

      for (end = y + 1; end < raster->height && (guint64)end * n / raster->height == first; end++)
        ;
      last = MAX ((guint)((guint64)end * n / raster->height), first + 1);
      memset (columns, 0, view.n_columns * sizeof *columns);
      for (guint i = first; i < MIN (last, n); i++)
        for (guint s = 0; s < view.stretches->len; s++)
          add_stretch (&view, &g_array_index (view.stretches, TsrTraceStretch, s),
                       g_array_index (self->ipus, TsrTraceChartIpu, i).ipu, ALL_LANES, columns);
      band = (Band){ MIN (last, n) - first, end - y, 0, end - y, FALSE };
      fill_band (&band, columns, NULL, view.n_columns, inks, raster->width);
      for (guint i = 0; i < tsr_trace_fold_get_n_notches (self->fold); i++)
        {
          guint from, to;

          if (tsr_trace_grid_get_notch (&view, i, &from, &to))
            for (guint row = 0; row < end - y; row++)
              memset (inks + (gsize)row * raster->width + from, TSR_INK_TRACE_NOTCH, to - from);
        }
    }
}

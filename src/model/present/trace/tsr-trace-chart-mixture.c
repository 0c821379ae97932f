/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What shares the time of each column, from the sums by type: the mini-map with a band for each
 * IPU, and the track of utilisation below an IPU's rows. */

#include "config.h"

#include "tsr-trace-chart-private.h"

#include <math.h>
#include <string.h>

#define OVERVIEW_BAND 8.0 /* pixels of an IPU */

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

/* Shares of the columns of @stretch, of one IPU more.  Steps of several lanes may fill more than a
 * column has: then their shares are of what they fill. */
static void
add_stretch (const TsrTraceGrid *view, const TsrTraceStretch *stretch, guint ipu, Mixture *columns)
{
  TsrTraceChart *chart = view->chart;
  guint n = stretch->to - stretch->from;
  guint n_types = tsr_trace_get_n_types (chart->trace);
  g_autofree gint64 *edges = g_new (gint64, n + 1);
  g_autofree guint64 *unions = g_new (guint64, (gsize)(n + 1) * n_types);

  tsr_trace_grid_get_edges (view, stretch, edges);
  tsr_trace_count_types (chart->trace, ipu, edges, n + 1, unions);
  for (guint c = 0, from = 0; c < n; c++)
    {
      Mixture one = { { 0 } };
      guint end = c + 1;
      double sum = 0, whole;

      /* A column within a cycle looks like the whole cycle. */
      from = edges[c] > edges[from] ? c : from;
      while (end < n && edges[end] == edges[from])
        end++;
      whole = (double)(edges[end] - edges[from]);
      for (guint type = 0; type < n_types; type++)
        {
          double cycles = (double)(unions[(gsize)end * n_types + type]
                                   - unions[(gsize)from * n_types + type]);

          if ((chart->hidden >> type & 1) != 0)
            continue;
          one.share[place_in_pile (chart->inks[type])] += cycles;
          sum += cycles;
        }
      for (guint i = 0; i < G_N_ELEMENTS (pile) && sum > 0; i++)
        columns[stretch->from + c].share[i] += one.share[i] / MAX (sum, whole);
    }
}

/* Pixels [@first, @end) of the column of a band of @height ones, from its top; of one pixel what
 * takes the most. */
static void
fill_column (const Mixture *mixture,
             guint n_ipus,
             guint height,
             guint first,
             guint end,
             guint8 *inks,
             gsize stride)
{
  guint bottom = height, most = 0;
  double sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (pile); i++)
    if (mixture->share[i] > mixture->share[most])
      most = i;
  for (guint i = 0; i < G_N_ELEMENTS (pile); i++)
    {
      guint top;

      sum += mixture->share[i];
      top = height - MIN ((guint)(sum / n_ipus * height + 0.5), height);
      if (height == 1)
        top = i == most && mixture->share[i] > 0 ? 0 : bottom;
      for (guint y = MAX (top, first); y < MIN (bottom, end); y++)
        inks[(y - first) * stride] = (guint8)(TSR_INK_TRACE + pile[i]);
      bottom = MIN (bottom, top);
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
  return TRUE;
}

void
tsr_trace_chart_layout_use (TsrTraceGrid *view, const TsrTraceChartRow *row, TsrDrawList *list)
{
  g_autofree Mixture *columns = NULL;
  TsrTraceTrackRaster track;

  if (!tsr_trace_grid_add_track (view, row, list, &track))
    return;
  columns = g_new0 (Mixture, view->n_columns);
  for (guint s = 0; s < view->stretches->len; s++)
    add_stretch (view, &g_array_index (view->stretches, TsrTraceStretch, s), row->ipu, columns);
  for (guint c = 0; c < MIN (track.raster->width, view->n_columns); c++)
    fill_column (&columns[c], 1, track.height, track.first, track.end, track.raster->inks + c,
                 track.raster->width);
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
  guint n;

  if (!tsr_trace_grid_init (&view, self, geometry, &area) || self->ipus->len == 0)
    return;
  n = self->ipus->len;
  height = MIN (OVERVIEW_BAND, geometry->height / n);
  area.y = tsr_draw_list_snap ((geometry->height - height * n) / 2, geometry->scale);
  raster = tsr_draw_list_raster (list, 0, area.y, view.n_columns / geometry->scale, height * n,
                                 geometry->scale);
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
                       g_array_index (self->ipus, TsrTraceChartIpu, i).ipu, columns);
      for (guint c = 0; c < MIN (raster->width, view.n_columns); c++)
        fill_column (&columns[c], MIN (last, n) - first, end - y, 0, end - y, inks + c,
                     raster->width);
      for (guint i = 0; i < tsr_trace_fold_get_n_notches (self->fold); i++)
        {
          guint from, to;

          if (tsr_trace_grid_get_notch (&view, i, &from, &to))
            for (guint row = 0; row < end - y; row++)
              memset (inks + (gsize)row * raster->width + from, TSR_INK_TRACE_NOTCH, to - from);
        }
    }
}

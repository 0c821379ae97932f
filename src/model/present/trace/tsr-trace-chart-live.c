/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The track of live memory below an IPU's rows: in each column the most that is live for certain,
 * and lighter above it the most that may be. */

#include "config.h"

#include "tsr-trace-chart-private.h"

#define INSET 4.0 /* of a text */

/* How many of @height pixels @bytes take: at least one of anything. */
static guint
get_pixels (const TsrTraceLive *live, gint64 bytes, guint height)
{
  gint64 most = tsr_trace_live_get_most (live);

  if (bytes <= 0 || most <= 0)
    return 0;
  return CLAMP ((guint)((double)bytes / (double)most * height + 0.5), 1, height);
}

static void
fill_rows (const TsrTraceTrackRaster *track, guint column, guint low, guint high, guint8 ink)
{
  for (guint y = MAX (track->height - high, track->first);
       y < MIN (track->height - low, track->end); y++)
    track->raster->inks[(gsize)(y - track->first) * track->raster->width + column] = ink;
}

static void
fill_stretch (const TsrTraceGrid *view,
              const TsrTraceStretch *stretch,
              guint ipu,
              const TsrTraceTrackRaster *track)
{
  const TsrTraceLive *live = view->chart->live;
  guint n = stretch->to - stretch->from, stride = tsr_trace_grid_get_stride (view);
  g_autofree gint64 *edges = g_new (gint64, n + 1);
  g_autofree gint64 *least = g_new (gint64, MAX (n, 1)), *most = g_new (gint64, MAX (n, 1));

  tsr_trace_live_list (live, ipu, tsr_trace_grid_get_edges (view, stretch, edges), edges, least,
                       most);
  for (guint c = 0; c < n; c++)
    {
      guint sure = get_pixels (live, least[c / stride], track->height);

      fill_rows (track, stretch->from + c, 0, sure, TSR_INK_NOT_ALWAYS_LIVE);
      fill_rows (track, stretch->from + c, sure, get_pixels (live, most[c / stride], track->height),
                 TSR_INK_NOT_ALWAYS_LIVE_SPREAD);
    }
}

/* In the widest stretch: what is folded is drawn over it. */
static void
say_why (const TsrTraceGrid *view, const TsrTraceChartRow *row, TsrDrawList *list)
{
  double scale = view->geometry->scale, top, bottom;
  double y = tsr_trace_grid_get_y (view, tsr_trace_chart_find_ipu (view->chart, row->ipu), row->y,
                                   &top, &bottom);
  const TsrTraceStretch *widest = NULL;
  TsrDrawItem *item;

  for (guint s = 0; s < view->stretches->len; s++)
    {
      const TsrTraceStretch *stretch = &g_array_index (view->stretches, TsrTraceStretch, s);

      if (widest == NULL || stretch->to - stretch->from > widest->to - widest->from)
        widest = stretch;
    }
  if (widest == NULL || y < top || y + row->height > bottom)
    return;
  item = tsr_draw_list_label (list, TSR_INK_DIM_TEXT, view->area->x + widest->from / scale + INSET,
                              y + row->height / 2, 0, 0.5, view->chart->no_live);
  item->font_size = TSR_TRACE_LABEL_SIZE;
  item->width = MAX ((widest->to - widest->from) / scale - 2 * INSET, 1);
}

void
tsr_trace_chart_layout_live (TsrTraceGrid *view, const TsrTraceChartRow *row, TsrDrawList *list)
{
  TsrTraceChart *chart = view->chart;
  TsrTraceTrackRaster track;

  if (chart->live != NULL)
    {
      if (tsr_trace_grid_add_track (view, row, list, &track))
        for (guint s = 0; s < view->stretches->len; s++)
          fill_stretch (view, &g_array_index (view->stretches, TsrTraceStretch, s), row->ipu,
                        &track);
    }
  else if (chart->no_live != NULL)
    say_why (view, row, list);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tiles of an IPU over time, as a raster: what each does while the longest step of a column
 * runs.  A tile works in [start, start + cycles) of the step and waits in the rest of it.  Where
 * several tiles share a row of pixels, all of them must work for it to be drawn as work: the row
 * has the longest wait of its tiles. */

#include "config.h"

#include "tsr-trace-chart-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* When all tiles of a row of pixels work, relative to what the tiles' numbers are; from >= to:
 * never. */
typedef struct
{
  guint32 *from, *to;
} Work;

typedef struct
{
  TsrTraceGrid *view;
  TsrTraceChart *chart;
  guint ipu;
  guint n_tiles;
  guint n_rows;         /* of the whole band, device pixels */
  guint first, end;     /* of them visible */
  const guint32 *order; /* (nullable): tile at each place */
  GHashTable *works;    /* of each set of numbers */
  TsrDrawRaster *raster;
  GHashTable *asked; /* sets in chart->wanted */
} Band;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_free (work->from);
  g_free (work->to);
  g_free (work);
}

/* Places [from, to) in the order of tiles that row @r stands for. */
static void
get_places (const Band *self, guint r, guint *from, guint *to)
{
  double low = self->chart->band_from * self->n_tiles;
  double span = (self->chart->band_to - self->chart->band_from) * self->n_tiles;

  *from = (guint)CLAMP (floor (low + span * r / self->n_rows), 0, self->n_tiles - 1);
  *to = (guint)CLAMP (floor (low + span * (r + 1) / self->n_rows), *from + 1, self->n_tiles);
}

static Work *
work_new (const Band *self, const TsrTileCycles *cycles)
{
  Work *work = g_new (Work, 1);

  work->from = g_new0 (guint32, MAX (self->n_rows, 1));
  work->to = g_new0 (guint32, MAX (self->n_rows, 1));
  for (guint r = self->first; r < self->end; r++)
    {
      guint32 from = 0;
      guint32 to = G_MAXUINT32;
      guint place;
      guint last;

      for (get_places (self, r, &place, &last); place < last; place++)
        {
          guint tile = self->order != NULL ? self->order[place] : place;
          guint32 start = tile < cycles->n && cycles->start != NULL ? cycles->start[tile] : 0;
          guint32 length = tile < cycles->n ? cycles->cycles[tile] : 0;

          from = MAX (from, start);
          to = MIN (to, start <= G_MAXUINT32 - length ? start + length : G_MAXUINT32);
          if (length == 0)
            to = 0;
        }
      work->from[r] = from;
      work->to[r] = to;
    }
  return work;
}

/* ----------------------------------------------------------------- columns */

static void
fill (const Band *self, guint ink, guint r, guint from, guint to)
{
  if (from < to)
    memset (self->raster->inks + (gsize)(r - self->first) * self->raster->width + from, (int)ink,
            to - from);
}

static void
fill_all (const Band *self, guint ink, guint from, guint to)
{
  for (guint r = self->first; r < self->end; r++)
    fill (self, ink, r, from, to);
}

static guint
round_column (TsrTraceGrid *view, gint64 cycles, guint from, guint to)
{
  double at = (tsr_trace_fold_get_position (view->chart->fold, cycles) - view->geometry->from)
              / view->per;

  return (guint)CLAMP (floor (at + 0.5), from, to);
}

static void
fill_work (const Band *self,
           guint32 slice,
           const TsrTileCycles *cycles,
           guint ink,
           const TsrTracePiece *piece,
           gboolean over)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (self->chart->trace);
  gint64 set = tsr_trace_get_tile_set (self->chart->trace, slice);
  gint64 base = tables->slice_end[slice] - cycles->to_max;
  gint64 length = tables->slice_end[slice] - tables->slice_start[slice];
  Work *work = g_hash_table_lookup (self->works, &set);

  if (work == NULL)
    {
      work = work_new (self, cycles);
      g_hash_table_insert (self->works, g_memdup2 (&set, sizeof set), work);
    }
  for (guint r = self->first; r < self->end; r++)
    {
      guint from = piece->from;
      guint to = piece->from;

      if (work->from[r] < work->to[r] && piece->to - piece->from > 1)
        {
          from = round_column (self->view, base + work->from[r], piece->from, piece->to);
          to = round_column (self->view, base + work->to[r], from, piece->to);
        }
      else if (work->from[r] < work->to[r] && 2 * (gint64)(work->to[r] - work->from[r]) >= length)
        to = piece->to;
      fill (self, ink, r, from, to);
      if (over)
        continue;
      fill (self, TSR_INK_TRACE + TSR_TRACE_INK_SYNC, r, piece->from, from);
      fill (self, TSR_INK_TRACE + TSR_TRACE_INK_SYNC, r, to, piece->to);
    }
}

/* Numbers that are not there yet are asked for, once for each set. */
static void
want (const Band *self, guint32 slice)
{
  gint64 set = tsr_trace_get_tile_set (self->chart->trace, slice);

  if (g_hash_table_add (self->asked, g_memdup2 (&set, sizeof set)))
    g_array_append_val (self->chart->wanted, slice);
}

static gboolean
is_of_tiles (const TsrTraceType *type)
{
  return type->group == TSR_STEP_GROUP_COMPUTE || type->group == TSR_STEP_GROUP_EXCHANGE
         || type->group == TSR_STEP_GROUP_INTER_IPU;
}

/* @over: of a further lane, whose tiles are others: only where they work. */
static void
fill_piece (const Band *self, const TsrTraceRow *row, const TsrTracePiece *piece, gboolean over)
{
  TsrTrace *trace = self->chart->trace;
  guint32 slice = tsr_trace_row_first_slice (row, piece->item);
  const TsrTraceType *type = tsr_trace_get_type (trace, tsr_trace_get_slice_type (trace, slice));
  guint ink = tsr_trace_get_ink (type);
  gboolean told = tsr_trace_get_tile_set (trace, slice) != TSR_UNKNOWN;
  g_autoptr (TsrTileCycles) cycles = told ? tsr_trace_peek_tile_cycles (trace, slice) : NULL;

  if (cycles != NULL)
    fill_work (self, slice, cycles, ink, piece, over);
  else if (!over && is_of_tiles (type))
    fill_all (self, TSR_INK_TRACE_NEUTRAL, piece->from, piece->to);
  else if (!over)
    fill_all (self, ink, piece->from, piece->to);
  if (told && cycles == NULL)
    want (self, slice);
}

/* ------------------------------------------------------------------- band */

typedef struct
{
  guint64 finish;
  guint32 tile;
} Finish;

static int
compare_finishes (gconstpointer a, gconstpointer b)
{
  const Finish *x = a;
  const Finish *y = b;

  if (x->finish != y->finish)
    return x->finish < y->finish ? -1 : 1;
  return x->tile < y->tile ? -1 : x->tile > y->tile;
}

/* Tiles by when they finish the longest visible step whose numbers are known. */
static guint32 *
dup_order (TsrTraceChart *chart, const TsrTraceRow *row, const GArray *pieces, guint n_tiles)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (chart->trace);
  g_autoptr (TsrTileCycles) best = NULL;
  g_autofree Finish *finishes = NULL;
  gint64 longest = 0;
  guint32 *order;

  for (guint i = 0; i < pieces->len; i++)
    {
      guint32 slice
          = tsr_trace_row_first_slice (row, g_array_index (pieces, TsrTracePiece, i).item);
      gint64 length = tables->slice_end[slice] - tables->slice_start[slice];
      TsrTileCycles *cycles;

      if (length <= longest || tsr_trace_get_tile_set (chart->trace, slice) == TSR_UNKNOWN)
        continue;
      cycles = tsr_trace_peek_tile_cycles (chart->trace, slice);
      if (cycles == NULL)
        continue;
      g_clear_pointer (&best, tsr_tile_cycles_unref);
      best = cycles;
      longest = length;
    }
  if (best == NULL)
    return NULL;
  finishes = g_new (Finish, n_tiles);
  order = g_new (guint32, n_tiles);
  for (guint t = 0; t < n_tiles; t++)
    {
      guint64 start = t < best->n && best->start != NULL ? best->start[t] : 0;

      finishes[t] = (Finish){ t < best->n && best->cycles[t] > 0 ? start + best->cycles[t] : 0, t };
    }
  qsort (finishes, n_tiles, sizeof *finishes, compare_finishes);
  for (guint t = 0; t < n_tiles; t++)
    order[t] = finishes[t].tile;
  return order;
}

static guint
count_tiles (const TsrTrace *trace)
{
  gint64 n = tsr_trace_get_tiles_per_ipu (trace);

  return n != TSR_UNKNOWN ? (guint)CLAMP (n, 1, 1 << 20) : 0;
}

/* First track of an IPU; TSR_NO_INDEX. */
static guint
find_track (const TsrTrace *trace, guint ipu)
{
  for (guint t = 0; t < tsr_trace_get_n_tracks (trace); t++)
    if (tsr_trace_get_track (trace, t)->ipu == ipu)
      return t;
  return TSR_NO_INDEX;
}

static void
sweep_track (TsrTraceGrid *view, guint track, GArray *pieces)
{
  TsrTraceChartRow row = { .kind = TSR_TRACE_ROW_STEPS, .track = track, .flat = TRUE };

  row.row = tsr_trace_get_row (view->chart->trace, track, TSR_TRACE_FLAT, 0);
  g_array_set_size (pieces, view->n_columns);
  g_array_set_size (pieces, tsr_trace_grid_fill (view, &row, (TsrTracePiece *)pieces->data));
}

static gboolean
band_init (Band *self, TsrTraceGrid *view, const TsrTraceChartRow *row, double *y)
{
  double scale = view->geometry->scale;
  double top;
  double bottom;
  double at = tsr_trace_grid_get_y (view, tsr_trace_chart_find_ipu (view->chart, row->ipu), row->y,
                                    &top, &bottom);
  int first = (int)floor (at * scale + 0.5);

  *self = (Band){ .view = view, .chart = view->chart, .ipu = row->ipu };
  self->n_tiles = count_tiles (view->chart->trace);
  self->n_rows = (guint)MAX (floor (row->height * scale + 0.5), 1);
  self->first = (guint)CLAMP ((int)floor (top * scale + 0.5) - first, 0, (int)self->n_rows);
  self->end = (guint)CLAMP ((int)floor (bottom * scale + 0.5) - first, (int)self->first,
                            (int)self->n_rows);
  *y = (first + (int)self->first) / scale;
  return self->n_tiles > 0 && self->first < self->end;
}

void
tsr_trace_chart_layout_band (TsrTraceGrid *view, const TsrTraceChartRow *row, TsrDrawList *list)
{
  double scale = view->geometry->scale;
  guint track = find_track (view->chart->trace, row->ipu);
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (TsrTracePiece));
  g_autofree guint32 *order = NULL;
  const TsrTraceRow *steps;
  Band band;
  double y;

  if (!band_init (&band, view, row, &y) || track == TSR_NO_INDEX)
    return;
  band.raster = tsr_draw_list_raster (list, view->area->x, y, view->n_columns / scale,
                                      (band.end - band.first) / scale, scale);
  band.works = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, work_free);
  band.asked = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (; track < tsr_trace_get_n_tracks (view->chart->trace)
         && tsr_trace_get_track (view->chart->trace, track)->ipu == row->ipu;
       track++)
    {
      gboolean over = tsr_trace_get_track (view->chart->trace, track)->lane > 0;

      sweep_track (view, track, pieces);
      steps = tsr_trace_get_row (view->chart->trace, track, TSR_TRACE_FLAT, 0);
      if (!over && view->chart->order == TSR_TRACE_TILES_BY_FINISH)
        band.order = order = dup_order (view->chart, steps, pieces, band.n_tiles);
      for (guint i = 0; i < pieces->len; i++)
        fill_piece (&band, steps, &g_array_index (pieces, TsrTracePiece, i), over);
    }
  g_hash_table_unref (band.works);
  g_hash_table_unref (band.asked);
}

guint
tsr_trace_chart_get_band_tile (TsrTraceGrid *view, const TsrTraceChartRow *row, double y)
{
  guint track = find_track (view->chart->trace, row->ipu);
  g_autofree guint32 *order = NULL;
  double scale = view->geometry->scale;
  Band band;
  double top;
  guint r;
  guint place;
  guint end;

  if (!band_init (&band, view, row, &top) || track == TSR_NO_INDEX || y < top)
    return TSR_NO_INDEX;
  r = band.first + (guint)floor ((y - top) * scale);
  if (r >= band.end)
    return TSR_NO_INDEX;
  get_places (&band, r, &place, &end);
  if (view->chart->order == TSR_TRACE_TILES_BY_FINISH)
    {
      g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (TsrTracePiece));

      sweep_track (view, track, pieces);
      order = dup_order (view->chart,
                         tsr_trace_get_row (view->chart->trace, track, TSR_TRACE_FLAT, 0), pieces,
                         band.n_tiles);
    }
  return order != NULL ? order[place] : place;
}

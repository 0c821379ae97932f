/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What stands around the rows: a ruler in cycles or time, notches of folded waits, and for each IPU
 * its name, how much it works in what is visible, and the names of its lanes. */

#include "config.h"

#include "tsr-trace-chart-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define RULER_SIZE 11.0
#define RULER_GAP  14.0 /* between numbers */
#define TICK       7.0
#define NAME_SIZE  12.0
#define SMALL_SIZE 10.5
#define NOTCH_SIZE 10.0
#define INNER      6.0
#define ARROW_X    11.0
#define NAME_X     22.0
#define LINE       16.0 /* of text */
#define BAR_HEIGHT 6.0
#define PERCENT    42.0 /* room for "70.3 %" */
#define MAX_TICKS  200
#define TILE_GAP   48.0 /* between the numbers of tiles */
#define TILE_TICK  5.0

static double
measure (const TsrTraceGrid *view, const char *text, double size, gboolean bold)
{
  double width;

  view->geometry->measure.measure (view->geometry->measure.data, text, size, bold, &width, NULL);
  return width;
}

static TsrDrawItem *
add_label (
    TsrDrawList *list, guint ink, double x, double y, double xalign, double size, const char *text)
{
  TsrDrawItem *item = tsr_draw_list_label (list, ink, x, y, xalign, 0.5, text);

  item->font_size = size;
  return item;
}

/* ------------------------------------------------------------------ ruler */

typedef struct
{
  double from, to; /* pixels */
} Stretch;

typedef struct
{
  const TsrTraceGrid *view;
  TsrDrawList *list;
  double clock;   /* Hz; 0: cycles */
  double step;    /* cycles, or seconds */
  double largest; /* seconds: gives all ticks their unit */
  double right;   /* end of the latest label */
  guint n;
  GArray *lengths; /* Stretch: lengths of notches, left to right */
} Ruler;

static char *
dup_tick (const Ruler *self, double value)
{
  if (self->clock > 0)
    return tsr_units_dup_seconds_tick (value, self->step, self->largest);
  return tsr_units_dup_count ((gint64)value);
}

/* The least of 1, 2, 5 x 10^k that is not below @least. */
static double
get_nice_step (double least)
{
  double power = pow (10, floor (log10 (least)));

  for (guint i = 0; i < 3; i++)
    {
      static const double factors[] = { 1, 2, 5 };

      if (power * factors[i] >= least * (1 - 1e-9))
        return power * factors[i];
    }
  return power * 10;
}

/* Steps depend on the width of their labels, and those on the step. */
static void
choose_step (Ruler *self)
{
  const TsrTraceGrid *view = self->view;
  double pixels = 1 / (view->per * view->geometry->scale); /* of a position */
  double per = self->clock > 0 ? self->clock : 1;
  double last = (double)tsr_trace_fold_get_cycles (view->chart->fold, view->geometry->to) / per;
  double first = (double)tsr_trace_fold_get_cycles (view->chart->fold, view->geometry->from) / per;

  self->largest = MAX (fabs (last), fabs (first));
  self->step = self->clock > 0 ? get_nice_step (50 / pixels / per) : 1;
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *a = dup_tick (self, last);
      g_autofree char *b = dup_tick (self, first);
      double room = MAX (measure (view, a, RULER_SIZE, FALSE), measure (view, b, RULER_SIZE, FALSE))
                    + RULER_GAP;

      self->step = get_nice_step (MAX (room / pixels / per, self->clock > 0 ? 1e-15 : 1));
    }
}

static char *
dup_length (TsrTraceChart *self, gint64 cycles)
{
  double clock = tsr_trace_get_clock (self->trace);

  if (tsr_trace_state_has (self->state, TSR_TRACE_OPTION_TIME) && isfinite (clock) && clock > 0)
    return tsr_units_dup_seconds ((double)cycles / clock);
  return tsr_units_dup_short (cycles);
}

/* In one line about its notch, which may be narrower, or not at all. */
static void
add_length (Ruler *self, guint notch)
{
  const TsrTraceGrid *view = self->view;
  const TsrPlotArea *area = view->area;
  g_autofree char *text = NULL;
  Stretch place;
  gint64 from;
  gint64 to;
  guint first;
  guint end;
  double width;

  if (!tsr_trace_grid_get_notch (view, notch, &first, &end))
    return;
  tsr_trace_fold_get_notch (view->chart->fold, notch, &from, &to);
  text = dup_length (view->chart, to - from);
  width = measure (view, text, NOTCH_SIZE, FALSE);
  place.from = area->x + (first + end) / 2.0 / view->geometry->scale - width / 2;
  place.from = CLAMP (place.from, area->x, MAX (area->x + area->width - width, area->x));
  place.to = place.from + width;
  if (place.to > area->x + area->width
      || (self->lengths->len > 0
          && place.from < g_array_index (self->lengths, Stretch, self->lengths->len - 1).to
                              + RULER_GAP / 2))
    return;
  add_label (self->list, TSR_INK_TEXT, place.from, area->y - TSR_TRACE_RULER_HEIGHT / 2, 0,
             NOTCH_SIZE, text);
  g_array_append_val (self->lengths, place);
}

static gboolean
is_taken (const Ruler *self, double from, double to)
{
  for (guint i = 0; i < self->lengths->len; i++)
    {
      const Stretch *place = &g_array_index (self->lengths, Stretch, i);

      if (from < place->to + RULER_GAP / 2 && to > place->from - RULER_GAP / 2)
        return TRUE;
    }
  return FALSE;
}

static void
add_tick (Ruler *self, const TsrTraceStretch *stretch, double value)
{
  const TsrTraceGrid *view = self->view;
  const TsrPlotArea *area = view->area;
  double line = 1 / view->geometry->scale;
  double end = area->x + stretch->to / view->geometry->scale;
  double x = tsr_trace_grid_get_x (
      view, (gint64)(self->clock > 0 ? floor (value * self->clock + 0.5) : value));
  g_autofree char *label = NULL;
  double width;

  if (x < area->x + stretch->from / view->geometry->scale || x + line > end)
    return;
  tsr_draw_list_rect (self->list, TSR_INK_GRID, x, area->y, line, area->height);
  tsr_draw_list_rect (self->list, TSR_INK_AXIS, x, area->y - TICK, line, TICK);
  label = dup_tick (self, value);
  width = measure (view, label, RULER_SIZE, FALSE);
  if (x + 4 < self->right + RULER_GAP / 2 || x + 4 + width > end
      || is_taken (self, x + 4, x + 4 + width))
    return;
  add_label (self->list, TSR_INK_DIM_TEXT, x + 4, area->y - TSR_TRACE_RULER_HEIGHT / 2, 0,
             RULER_SIZE, label);
  self->right = x + 4 + width;
}

static void
add_ticks (Ruler *self, const TsrTraceStretch *stretch)
{
  double per = self->clock > 0 ? self->clock : 1;
  gint64 from;
  gint64 to;
  gint64 ignored;
  double first;

  tsr_trace_grid_get_column (self->view, stretch, stretch->from, &from, &ignored);
  tsr_trace_grid_get_column (self->view, stretch, stretch->to - 1, &ignored, &to);
  first = ceil ((double)from / per / self->step);
  for (double i = first; i * self->step <= (double)to / per && self->n < MAX_TICKS; i++, self->n++)
    add_tick (self, stretch, i * self->step);
}

void
tsr_trace_chart_layout_ruler (const TsrTraceGrid *view, TsrDrawList *list)
{
  const TsrPlotArea *area = view->area;
  double line = 1 / view->geometry->scale;
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (Stretch));
  Ruler ruler = { .view = view, .list = list, .right = -1e9, .lengths = lengths };
  double clock = tsr_trace_get_clock (view->chart->trace);

  if (tsr_trace_state_has (view->chart->state, TSR_TRACE_OPTION_TIME) && isfinite (clock)
      && clock > 0)
    ruler.clock = clock;
  choose_step (&ruler);
  for (guint i = 0; i < tsr_trace_fold_get_n_notches (view->chart->fold); i++)
    add_length (&ruler, i);
  for (guint i = 0; i < view->stretches->len; i++)
    add_ticks (&ruler, &g_array_index (view->stretches, TsrTraceStretch, i));
  tsr_draw_list_rect (list, TSR_INK_AXIS, 0, area->y - line, area->x + area->width, line);
  add_label (list, TSR_INK_DIM_TEXT, NAME_X, area->y - TSR_TRACE_RULER_HEIGHT / 2, 0, RULER_SIZE,
             ruler.clock > 0 ? _ ("Time") : _ ("Cycles"));
}

/* ---------------------------------------------------------------- notches */

void
tsr_trace_chart_layout_notches (const TsrTraceGrid *view, TsrDrawList *list)
{
  const TsrPlotArea *area = view->area;
  double scale = view->geometry->scale;
  double line = 1 / scale;
  double foot = MIN (area->y + view->chart->height - view->chart->top, area->y + area->height);
  guint n = tsr_trace_fold_get_n_notches (view->chart->fold);

  for (guint i = 0; i < n; i++)
    {
      guint first;
      guint end;
      double x;
      double width;

      if (!tsr_trace_grid_get_notch (view, i, &first, &end) || foot <= area->y)
        continue;
      x = area->x + first / scale;
      width = (end - first) / scale;
      tsr_draw_list_rect (list, TSR_INK_TRACE_NOTCH, x, area->y, width, foot - area->y);
      tsr_draw_list_hatch (list, TSR_INK_GRID, x, area->y, width, foot - area->y);
      tsr_draw_list_rect (list, TSR_INK_AXIS, x, area->y, line, foot - area->y)->alpha = 0.6;
      tsr_draw_list_rect (list, TSR_INK_AXIS, x + width - line, area->y, line, foot - area->y)
          ->alpha
          = 0.6;
    }
}

/* ---------------------------------------------------------------- headers */

gboolean
tsr_trace_grid_get_header (const TsrTraceGrid *self,
                           const TsrTraceChartIpu *ipu,
                           TsrTraceHeader *header)
{
  double needed = ipu->collapsed ? LINE + 4 : 3 * LINE;
  double y = tsr_trace_grid_get_y (self, ipu, ipu->y, &header->top, &header->bottom);
  double end = y + ipu->height;

  /* It stays in view as long as anything of its IPU does. */
  header->y = MAX (y, MIN (header->top, end - needed - 2));
  header->x = 0;
  header->width = self->area->x;
  header->height = MIN (needed, end - header->y);
  header->arrow_x = ARROW_X;
  header->pin_x = self->area->x - 12;
  header->arrow_y = header->pin_y = header->y + LINE / 2 + 5;
  return header->y < header->bottom && end > header->top;
}

static gboolean
is_inside (const TsrTraceHeader *header, double middle)
{
  return middle - LINE / 2 >= header->top && middle + LINE / 2 <= header->bottom;
}

static void
add_arrow (const TsrTraceHeader *header, gboolean collapsed, TsrDrawList *list)
{
  double x = header->arrow_x;
  double y = header->arrow_y;
  TsrDrawItem *item = tsr_draw_list_polyline (list, TSR_INK_TEXT);

  item->line_width = 1.5;
  if (collapsed)
    {
      tsr_draw_list_point (list, x - 2, y - 4);
      tsr_draw_list_point (list, x + 2, y);
      tsr_draw_list_point (list, x - 2, y + 4);
      return;
    }
  tsr_draw_list_point (list, x - 4, y - 2);
  tsr_draw_list_point (list, x, y + 2);
  tsr_draw_list_point (list, x + 4, y - 2);
}

static void
add_pin (const TsrTraceHeader *header, gboolean pinned, TsrDrawList *list)
{
  guint ink = pinned ? TSR_INK_SELECTION : TSR_INK_DIM_TEXT;
  double alpha = pinned ? 1 : 0.55;
  double x = floor (header->pin_x);
  double y = floor (header->pin_y);

  tsr_draw_list_rect (list, ink, x - 2, y - 6, 5, 5)->alpha = alpha;
  tsr_draw_list_rect (list, ink, x - 4, y - 1, 9, 2)->alpha = alpha;
  tsr_draw_list_rect (list, ink, x, y + 1, 1, 5)->alpha = alpha;
}

/* (returns) the middle of the line below. */
static double
add_name (const TsrTraceGrid *view,
          const TsrTraceChartIpu *ipu,
          const TsrTraceHeader *header,
          TsrDrawList *list)
{
  g_autofree char *name = tsr_trace_dup_ipu_name (view->chart->trace, ipu->ipu);
  g_auto (GStrv) parts = g_strsplit (name, " · ", 2);
  double room = header->pin_x - 10 - NAME_X;
  double y = header->arrow_y;
  gboolean split = measure (view, name, NAME_SIZE, TRUE) > room && g_strv_length (parts) == 2;
  TsrDrawItem *item;

  if (is_inside (header, y))
    {
      item = add_label (list, TSR_INK_TEXT, NAME_X, y, 0, NAME_SIZE, split ? parts[1] : name);
      item->bold = TRUE;
      if (measure (view, split ? parts[1] : name, NAME_SIZE, TRUE) > room)
        item->width = MAX (room, 1);
    }
  if (split && is_inside (header, y + LINE - 2))
    add_label (list, TSR_INK_DIM_TEXT, NAME_X, y + LINE - 2, 0, SMALL_SIZE, parts[0]);
  return split ? y + 2 * LINE - 4 : y + LINE;
}

/* What of the cycles that count is work, in the part of the trace that is visible; NaN. */
static double
get_utilisation (const TsrTraceGrid *view, const TsrTraceChartIpu *ipu)
{
  const TsrTraceChart *chart = view->chart;
  gint64 from = tsr_trace_fold_get_cycles (chart->fold, view->geometry->from);
  gint64 to = tsr_trace_fold_get_cycles (chart->fold, view->geometry->to);
  TsrTraceSums sums;

  tsr_trace_sum_run (chart->trace, tsr_trace_state_get_chosen_run (chart->state, chart->trace),
                     ipu->ipu, from, to, chart->hidden, &sums);
  return sums.utilisation;
}

/* An IPU that has one row: its name, if need be without the word for its replica, and, where there
 * is room, its utilisation. */
static void
add_collapsed (const TsrTraceGrid *view,
               const TsrTraceChartIpu *ipu,
               const TsrTraceHeader *header,
               TsrDrawList *list)
{
  TsrTrace *trace = view->chart->trace;
  g_autofree char *name = tsr_trace_dup_ipu_name (trace, ipu->ipu);
  g_autofree char *share = NULL;
  double right = header->pin_x - 10;
  double room = right - NAME_X;
  double width = measure (view, name, NAME_SIZE, TRUE);
  gint64 replica;
  gint64 place;
  TsrDrawItem *item;

  if (!is_inside (header, header->arrow_y))
    return;
  tsr_trace_get_replica (trace, ipu->ipu, &replica, &place);
  if (width > room && replica != TSR_UNKNOWN)
    {
      g_free (name);
      /* Translators: short for "Replica 0 · IPU 1" */
      name = g_strdup_printf (_ ("R%" PRId64 " · IPU %" PRId64), replica, place);
      width = measure (view, name, NAME_SIZE, TRUE);
    }
  item = add_label (list, TSR_INK_TEXT, NAME_X, header->arrow_y, 0, NAME_SIZE, name);
  item->bold = TRUE;
  if (width > room)
    item->width = MAX (room, 1);
  share = tsr_units_dup_percent (get_utilisation (view, ipu), 0);
  if (width + INNER + measure (view, share, SMALL_SIZE, FALSE) <= room)
    add_label (list, TSR_INK_DIM_TEXT, right, header->arrow_y, 1, SMALL_SIZE, share);
}

static void
add_utilisation (const TsrTraceGrid *view,
                 const TsrTraceChartIpu *ipu,
                 const TsrTraceHeader *header,
                 double middle,
                 TsrDrawList *list)
{
  double width = header->width - NAME_X - PERCENT - INNER;
  double y = tsr_draw_list_snap (middle - BAR_HEIGHT / 2, view->geometry->scale);
  g_autofree char *text = NULL;
  double utilisation;

  if (!is_inside (header, middle))
    return;
  utilisation = get_utilisation (view, ipu);
  text = tsr_units_dup_percent (utilisation, 1);
  tsr_draw_list_rect (list, TSR_INK_GRID, NAME_X, y, width, BAR_HEIGHT);
  if (utilisation > 0)
    tsr_draw_list_rect (list, TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE, NAME_X, y,
                        tsr_draw_list_snap (width * MIN (utilisation, 1), view->geometry->scale),
                        BAR_HEIGHT);
  add_label (list, TSR_INK_DIM_TEXT, header->width - INNER, middle, 1, SMALL_SIZE, text);
}

/* A name beside a row, unless the IPU's header stands there. */
static void
add_row_name (const TsrTraceGrid *view,
              const TsrTraceHeader *header,
              double used,
              double y,
              double foot,
              const char *name,
              TsrDrawList *list)
{
  double middle = MAX (y, used) + LINE / 2;
  double room = view->area->x - NAME_X - INNER;
  TsrDrawItem *item;

  if (middle + LINE / 2 > foot + 2 || !is_inside (header, middle))
    return;
  item = add_label (list, TSR_INK_DIM_TEXT, NAME_X, middle, 0, SMALL_SIZE, name);
  if (measure (view, name, SMALL_SIZE, FALSE) > room)
    item->width = MAX (room, 1);
}

/* Numbers of tiles beside their band; in the order of finishing a place has no number. */
static void
add_tile_axis (const TsrTraceGrid *view,
               const TsrTraceChartIpu *ipu,
               const TsrTraceHeader *header,
               double used,
               const TsrTraceChartRow *row,
               TsrDrawList *list)
{
  const TsrTraceChart *chart = view->chart;
  gint64 tiles = tsr_trace_get_tiles_per_ipu (chart->trace);
  double low = chart->band_from * (double)tiles;
  double span = (chart->band_to - chart->band_from) * (double)tiles;
  double top;
  double bottom;
  double y = tsr_trace_grid_get_y (view, ipu, row->y, &top, &bottom);
  gint64 step;

  if (tiles == TSR_UNKNOWN || tiles <= 0 || chart->order == TSR_TRACE_TILES_BY_FINISH)
    return;
  step = tsr_count_nice_step ((gint64)ceil (span), MAX ((int)(row->height / TILE_GAP), 1));
  for (gint64 tile = (gint64)ceil (low / (double)step) * step; (double)tile < low + span;
       tile += step)
    {
      double at = y + ((double)tile - low) / span * row->height;
      double middle = CLAMP (at, y + LINE / 2, MAX (y + row->height - LINE / 2, y + LINE / 2));
      g_autofree char *text = NULL;

      if (middle - LINE / 2 < used || !is_inside (header, middle))
        continue;
      text = g_strdup_printf ("%" PRId64, tile);
      tsr_draw_list_rect (list, TSR_INK_AXIS, view->area->x - TILE_TICK,
                          tsr_draw_list_snap (at, view->geometry->scale), TILE_TICK,
                          1 / view->geometry->scale);
      add_label (list, TSR_INK_DIM_TEXT, view->area->x - TILE_TICK - 3, middle, 1, SMALL_SIZE,
                 text);
    }
}

static void
add_row_names (const TsrTraceGrid *view,
               const TsrTraceChartIpu *ipu,
               const TsrTraceHeader *header,
               double used,
               TsrDrawList *list)
{
  TsrTraceChart *chart = view->chart;
  gboolean many = FALSE;

  for (guint r = ipu->first; r < ipu->end; r++)
    many = many
           || (tsr_trace_chart_peek_row (chart, r)->kind == TSR_TRACE_ROW_STEPS
               && tsr_trace_get_track (chart->trace, tsr_trace_chart_peek_row (chart, r)->track)
                      ->io);
  for (guint r = ipu->first; r < ipu->end; r++)
    {
      const TsrTraceChartRow *row = tsr_trace_chart_peek_row (chart, r);
      g_autofree char *name = NULL;
      double top;
      double bottom;
      double y = tsr_trace_grid_get_y (view, ipu, row->y, &top, &bottom);

      if (row->depth > 0
          || (row->kind == TSR_TRACE_ROW_STEPS && r > ipu->first && row[-1].y >= row->y
              && row[-1].kind == TSR_TRACE_ROW_STEPS))
        continue;
      if (row->kind == TSR_TRACE_ROW_STEPS && many && !ipu->collapsed)
        name = g_strdup (tsr_trace_get_track (chart->trace, row->track)->io ? _ ("I/O")
                                                                            : _ ("Compute"));
      else if (row->kind == TSR_TRACE_ROW_BLOCKS)
        name = g_strdup_printf (_ ("Blocks, tile %u"), row->track);
      else if (row->kind == TSR_TRACE_ROW_USE)
        name = g_strdup (_ ("Utilisation"));
      else if (row->kind == TSR_TRACE_ROW_LIVE)
        {
          g_autofree char *most = NULL;

          if (chart->live != NULL)
            most = tsr_units_dup_bytes (chart->units, tsr_trace_live_get_most (chart->live));
          name = most != NULL ? g_strdup_printf (_ ("Live to %s"), most)
                              : g_strdup (_ ("Live memory"));
        }
      else if (row->kind == TSR_TRACE_ROW_BAND)
        {
          name = g_strdup (chart->order == TSR_TRACE_TILES_BY_FINISH ? _ ("Tiles, by finish")
                                                                     : _ ("Tiles"));
          add_tile_axis (view, ipu, header, used, row, list);
        }
      if (name != NULL)
        add_row_name (view, header, used, y, y + row->foot - row->y, name, list);
    }
}

static void
add_boundary (const TsrTraceGrid *view, const TsrTraceChartIpu *ipu, TsrDrawList *list)
{
  double scale = view->geometry->scale;
  gboolean last_pinned = ipu->pinned && ipu->y + ipu->height >= view->chart->pinned_height - 0.5;
  double top;
  double bottom;
  double y = tsr_trace_grid_get_y (view, ipu, ipu->y + ipu->height, &top, &bottom);
  double line = (last_pinned ? MAX (floor (2 * scale), 1) : 1) / scale;

  y = tsr_draw_list_snap (y, scale) - line;
  if (y >= top && y + line <= bottom + 0.01)
    tsr_draw_list_rect (list, TSR_INK_BOUNDARY, 0, y, view->area->x + view->area->width, line)
        ->alpha
        = last_pinned ? 0.9 : 0.45;
}

void
tsr_trace_chart_layout_headers (const TsrTraceGrid *view, TsrDrawList *list)
{
  const GArray *ipus = view->chart->ipus;

  for (guint i = 0; i < ipus->len; i++)
    {
      const TsrTraceChartIpu *ipu = &g_array_index (ipus, TsrTraceChartIpu, i);
      TsrTraceHeader header;
      double used;

      if (!tsr_trace_grid_get_header (view, ipu, &header))
        continue;
      if (is_inside (&header, header.arrow_y))
        {
          add_arrow (&header, ipu->collapsed, list);
          add_pin (&header, ipu->pinned, list);
        }
      if (ipu->collapsed)
        add_collapsed (view, ipu, &header, list);
      else
        {
          used = add_name (view, ipu, &header, list);
          add_utilisation (view, ipu, &header, used, list);
          add_row_names (view, ipu, &header, used + LINE / 2, list);
        }
      add_boundary (view, ipu, list);
    }
}

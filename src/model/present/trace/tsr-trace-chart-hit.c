/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is where, and where something is: the same columns and rows as the layout's. */

#include "config.h"

#include "tsr-chart-marks.h"
#include "tsr-trace-chart-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* What lies over the rows: the measured span's bracket, markers as flags on the ruler, what is
 * selected, the pointer's hair line and the keyboard cursor. */

#define FRAME        2.0
#define LEAST        5.0 /* pixels of a frame around something narrow */
#define MAX_NOTE     24  /* characters of a note on its flag */
#define MAX_FLAGS    64
#define FLAG_GAP     3.0
#define STRIP        3.0 /* under steps of a selected group */
#define PIN          3.0 /* over the height of a row, where a strip would be a speck ... */
#define CAP          9.0 /* of a pin: its head, which is seen from afar */
#define PIN_GAP      6.0 /* ... up to this width, and from this gap on */
#define MAX_FRAMES   400
#define RULER_MIDDLE (TSR_TRACE_RULER_HEIGHT / 2)

typedef struct
{
  TsrTraceGrid *view;
  const TsrPlotArea *area;
  TsrDrawList *list;
  double line;                /* one device pixel or more, logical */
  double right;               /* end of the latest flag */
  double flags[MAX_FLAGS][2]; /* from, to on the ruler, left to right */
  guint n_flags;
} Marks;

static double
get_bottom (const Marks *self)
{
  return self->area->y + self->area->height;
}

static gboolean
is_in_plot (const Marks *self, double x)
{
  return x >= self->area->x && x <= self->area->x + self->area->width - self->line;
}

/* ----------------------------------------------------------- ruler's chips */

/* (transfer full) */
static char *
dup_length (TsrTraceChart *chart, gint64 cycles)
{
  double clock = tsr_trace_get_clock (chart->trace);
  g_autofree char *count = tsr_units_dup_cycles (cycles);
  g_autofree char *time = NULL;

  if (!isfinite (clock) || clock <= 0)
    return g_steal_pointer (&count);
  time = tsr_units_dup_seconds ((double)cycles / clock);
  return g_strdup_printf ("%s · %s", count, time);
}

/* Where a chip about @middle stands. */
static double
place_chip (const Marks *self, double middle, const char *text, double *width, double *height)
{
  tsr_chart_marks_measure_chip (self->view->geometry, text, width, height);
  return CLAMP (middle - *width / 2, 0, MAX (self->area->x + self->area->width - *width, 0));
}

static void
add_chip (const Marks *self, guint ink, double x, double height, const char *text)
{
  tsr_chart_marks_chip (self->view->geometry, ink, x, self->area->y - RULER_MIDDLE - height / 2,
                        text, TSR_NO_DATUM, self->list);
}

/* The place under the pointer, when it is told on the ruler. */
static char *
dup_hover (const Marks *self, double *x)
{
  TsrTraceChart *chart = self->view->chart;
  const TsrTraceHit *hit = &chart->hover;

  if (hit->kind == TSR_TRACE_HIT_NOTHING || hit->kind == TSR_TRACE_HIT_HEADER
      || hit->kind == TSR_TRACE_HIT_ARROW || hit->kind == TSR_TRACE_HIT_PIN
      || hit->kind == TSR_TRACE_HIT_MARKER) /* its flag stands there */
    return NULL;
  *x = tsr_trace_grid_get_x (self->view, hit->cycles);
  if (!is_in_plot (self, *x))
    return NULL;
  return tsr_trace_format_cycles (chart->trace, hit->cycles,
                                  tsr_trace_state_has (chart->state, TSR_TRACE_OPTION_TIME));
}

/* The span's length gives way to flags, and to the place under the pointer altogether. */
static void
add_length (const Marks *self, double middle, const char *text)
{
  double x = 0;
  double width;
  double height;
  double from = place_chip (self, middle, text, &width, &height);
  double length = width;
  g_autofree char *hover = dup_hover (self, &x);

  for (guint i = 0; i < self->n_flags; i++)
    if (self->flags[i][0] < from + length && self->flags[i][1] > from)
      from = self->flags[i][1];
  if (from + length > self->area->x + self->area->width)
    return;
  if (hover != NULL)
    {
      x = place_chip (self, x, hover, &width, &height);
      if (x < from + length && x + width > from)
        return;
    }
  add_chip (self, TSR_INK_SELECTION, from, height, text);
}

static void
add_span (const Marks *self)
{
  TsrTraceChart *chart = self->view->chart;
  const TsrPlotArea *area = self->area;
  g_autofree char *text = NULL;
  gint64 from;
  gint64 to;
  guint first;
  guint end;
  double left;
  double right;

  if (!tsr_trace_state_get_span (chart->state, &from, &to)
      || !tsr_trace_grid_get_columns (self->view, from, to, &first, &end))
    return;
  left = area->x + first / self->view->geometry->scale;
  right = area->x + end / self->view->geometry->scale;
  tsr_draw_list_rect (self->list, TSR_INK_SELECTION, left, area->y, right - left, area->height)
      ->alpha
      = 0.08;
  tsr_draw_list_rect (self->list, TSR_INK_SELECTION, left, area->y - 2 * FRAME, right - left,
                      FRAME);
  if (tsr_trace_grid_get_x (self->view, from) >= area->x)
    tsr_draw_list_rect (self->list, TSR_INK_SELECTION, left, area->y - 4 * FRAME, self->line,
                        area->height + 4 * FRAME);
  if (tsr_trace_grid_get_x (self->view, to) <= area->x + area->width)
    tsr_draw_list_rect (self->list, TSR_INK_SELECTION, MAX (right - self->line, left),
                        area->y - 4 * FRAME, self->line, area->height + 4 * FRAME);
  text = dup_length (chart, to - from);
  add_length (self, (left + right) / 2, text);
}

/* ---------------------------------------------------------------- markers */

static char *
dup_flag (const TsrTraceMarker *marker, guint i)
{
  g_autofree char *note = g_utf8_make_valid (marker->note, -1);
  g_autofree char *head = NULL;

  if (*note == '\0')
    return g_strdup_printf ("%u", i + 1);
  if (g_utf8_strlen (note, -1) <= MAX_NOTE)
    return g_steal_pointer (&note);
  head = g_utf8_substring (note, 0, MAX_NOTE - 1);
  return g_strconcat (head, "…", NULL);
}

static gboolean
is_seen (const TsrTraceGrid *view, const TsrTraceMarker *marker)
{
  guint from;
  guint to;

  return tsr_trace_grid_get_columns (view, marker->from, MAX (marker->to, marker->from + 1), &from,
                                     &to);
}

/* Where the flag of a marker whose pole is at @x ends, when it has room beside the ones to the
 * left, which end at @right. */
static gboolean
place_flag (const TsrTraceGrid *view, double x, const char *text, double right, double *end)
{
  double width;
  double height;

  tsr_chart_marks_measure_chip (view->geometry, text, &width, &height);
  *end = x + width;
  return x >= right && *end <= view->area->x + view->area->width;
}

/* The marker whose flag on the ruler is at @x; TSR_NO_INDEX. */
static guint
tsr_trace_grid_find_flag (const TsrTraceGrid *self, double x)
{
  const GPtrArray *markers = tsr_trace_state_peek_markers (self->chart->state);
  double right = -1e9;
  guint n = 0;

  for (guint i = 0; i < markers->len && n < MAX_FLAGS; i++)
    {
      const TsrTraceMarker *marker = g_ptr_array_index (markers, i);
      double pole = tsr_trace_grid_get_x (self, marker->from);
      g_autofree char *text = NULL;
      double end;

      if (!is_seen (self, marker))
        continue;
      n++;
      text = dup_flag (marker, i);
      if (pole < self->area->x || !place_flag (self, pole, text, right, &end))
        continue;
      if (x >= pole && x < end)
        return i;
      right = end + FLAG_GAP;
    }
  return TSR_NO_INDEX;
}

/* Left to right; a flag that has no room is only its pole. */
static void
add_marker (Marks *self, const TsrTraceMarker *marker, guint i)
{
  const TsrPlotArea *area = self->area;
  g_autofree char *text = NULL;
  double x = tsr_trace_grid_get_x (self->view, marker->from);
  double end;

  if (marker->from < marker->to)
    {
      double left = CLAMP (x, area->x, area->x + area->width);
      double right
          = CLAMP (tsr_trace_grid_get_x (self->view, marker->to), area->x, area->x + area->width);

      if (right > left)
        tsr_draw_list_rect (self->list, TSR_INK_MARK, left, area->y, right - left, area->height)
            ->alpha
            = 0.08;
    }
  if (!is_in_plot (self, x))
    return;
  tsr_draw_list_rect (self->list, TSR_INK_MARK, x, area->y - 6, self->line, area->height + 6);
  text = dup_flag (marker, i);
  if (!place_flag (self->view, x, text, self->right, &end))
    return;
  tsr_chart_marks_chip (self->view->geometry, TSR_INK_MARK, x, area->y - TSR_TRACE_RULER_HEIGHT + 1,
                        text, i, self->list);
  self->right = end + FLAG_GAP;
  self->flags[self->n_flags][0] = x;
  self->flags[self->n_flags++][1] = self->right;
}

static void
add_markers (Marks *self)
{
  const GPtrArray *markers = tsr_trace_state_peek_markers (self->view->chart->state);
  guint n = 0;

  self->right = -1e9;
  for (guint i = 0; i < markers->len && n < MAX_FLAGS; i++)
    {
      const TsrTraceMarker *marker = g_ptr_array_index (markers, i);

      if (!is_seen (self->view, marker))
        continue;
      add_marker (self, marker, i);
      n++;
    }
}

/* ----------------------------------------------------------------- frames */

static void
add_frame (const Marks *self, guint ink, double x, double y, double width, double height)
{
  const TsrPlotArea *area = self->area;
  double right;
  double bottom;

  if (width < LEAST)
    {
      x -= (LEAST - width) / 2;
      width = LEAST;
    }
  right = MIN (x + width, area->x + area->width);
  x = MAX (x, area->x);
  bottom = MIN (y + height, get_bottom (self));
  if (right - x < FRAME || bottom - y < FRAME)
    return;
  tsr_draw_list_rect (self->list, ink, x, y, right - x, FRAME);
  tsr_draw_list_rect (self->list, ink, x, bottom - FRAME, right - x, FRAME);
  tsr_draw_list_rect (self->list, ink, x, y, FRAME, bottom - y);
  tsr_draw_list_rect (self->list, ink, right - FRAME, y, FRAME, bottom - y);
}

static gboolean
add_hit_frame (const Marks *self, const TsrTraceHit *hit, guint ink)
{
  double x;
  double y;
  double width;
  double height;

  if (!tsr_trace_chart_get_place (self->view->chart, self->view->geometry, self->area, hit, &x, &y,
                                  &width, &height))
    return FALSE;
  add_frame (self, ink, x, y, width, height);
  return TRUE;
}

static void
add_steps (const Marks *self)
{
  TsrTraceChart *chart = self->view->chart;
  guint n;
  const TsrTraceStepRef *steps = tsr_trace_state_peek_steps (chart->state, &n);

  for (guint i = 0; i < n; i++)
    {
      guint32 step
          = tsr_execution_tables_find_step (tsr_trace_get_tables (chart->trace), steps[i].step_id);
      TsrTraceHit hit;
      guint32 slice;

      if (step == TSR_NO_INDEX || steps[i].ipu >= tsr_trace_get_n_ipus (chart->trace))
        continue;
      slice = tsr_trace_find_slice (chart->trace, step, steps[i].ipu);
      if (slice != TSR_NO_SLICE && tsr_trace_chart_hit_slice (chart, slice, &hit))
        add_hit_frame (self, &hit, TSR_INK_SELECTION);
    }
}

/* ---------------------------------------------------------- selected groups */

/* Columns of a row in which steps of a selected group lie, as rectangles while they are few, else
 * as a raster. */
static void
add_strip (const Marks *self, double y, double height, const GArray *columns)
{
  double scale = self->view->geometry->scale;
  TsrDrawRaster *raster;
  TsrRasterLayer *layer;

  if (columns->len <= 40)
    {
      for (guint i = 0; i < columns->len; i++)
        {
          const TsrTracePiece *piece = &g_array_index (columns, TsrTracePiece, i);

          tsr_draw_list_rect (self->list, TSR_INK_SELECTION, self->area->x + piece->from / scale, y,
                              (piece->to - piece->from) / scale, height);
        }
      return;
    }
  raster = tsr_draw_list_columns (self->list, self->area->x, y, self->area->width, height, scale);
  layer = tsr_draw_raster_add_layer (raster, TSR_LAYER_PLAIN, TSR_INK_SELECTION, 0);
  for (guint i = 0; i < columns->len; i++)
    {
      const TsrTracePiece *piece = &g_array_index (columns, TsrTracePiece, i);

      for (guint c = piece->from; c < MIN (piece->to, raster->width); c++)
        layer->to[c] = (guint16)raster->height;
    }
}

/* Marks that stand together in fewer columns than are seen at a glance: a pin of at least @width
 * over the row's height for each.  More of them are a strip that is seen. */
static GArray *
dup_pins (const Marks *self, const GArray *columns, double width)
{
  double scale = self->view->geometry->scale;
  GArray *pins = g_array_new (FALSE, FALSE, sizeof (TsrTracePiece));
  guint least = (guint)ceil (width * scale);

  for (guint i = 0, next; i < columns->len; i = next)
    {
      TsrTracePiece pin = g_array_index (columns, TsrTracePiece, i);

      for (next = i + 1; next < columns->len; next++)
        {
          const TsrTracePiece *piece = &g_array_index (columns, TsrTracePiece, next);

          if (piece->from - pin.to > PIN_GAP * scale)
            break;
          pin.to = piece->to;
        }
      if (pin.to - pin.from > PIN_GAP * scale)
        continue;
      if (pin.to - pin.from < least)
        {
          guint middle = (pin.from + pin.to) / 2;

          pin.to = MIN (MAX (middle, least / 2) - least / 2 + least, self->view->n_columns);
          pin.from = pin.to > least ? pin.to - least : 0;
        }
      g_array_append_val (pins, pin);
    }
  return pins;
}

/* Every column in which a marked step lies, also below a longer one that is drawn there. */
static void
add_marks_of_row (const Marks *self,
                  const TsrTraceChartIpu *ipu,
                  const TsrTraceChartRow *row,
                  GArray *pieces)
{
  TsrTraceChart *chart = self->view->chart;
  double scale = self->view->geometry->scale;
  guint depth = row->flat ? TSR_TRACE_ANY_DEPTH : row->depth;
  const TsrTraceLaneColumns *lane;
  double top, bottom;
  double y = tsr_trace_grid_get_y (self->view, ipu, row->y, &top, &bottom);
  double foot = tsr_draw_list_snap (y + row->height - 1, scale);

  if (foot > bottom || foot - STRIP < top)
    return;
  tsr_trace_grid_find_steps (self->view, row->track);
  lane = &self->view->lanes[row->track];
  g_array_set_size (pieces, 0);
  for (guint c = 0; c < self->view->n_columns; c++)
    {
      TsrTracePiece piece = { 0, c, c + 1 };

      if (!tsr_trace_marks_has (chart->marks, row->track, depth, lane->first[c], lane->end[c]))
        continue;
      if (pieces->len > 0 && g_array_index (pieces, TsrTracePiece, pieces->len - 1).to == c)
        g_array_index (pieces, TsrTracePiece, pieces->len - 1).to = c + 1;
      else
        g_array_append_val (pieces, piece);
    }
  if (pieces->len > 0)
    {
      double head = tsr_draw_list_snap (MAX (y, top), scale);
      g_autoptr (GArray) pins = dup_pins (self, pieces, PIN);
      g_autoptr (GArray) caps = dup_pins (self, pieces, CAP);

      foot -= tsr_draw_list_snap (STRIP, scale);
      add_strip (self, foot, tsr_draw_list_snap (STRIP, scale), pieces);
      if (foot > head)
        {
          add_strip (self, head, foot - head, pins);
          add_strip (self, head, tsr_draw_list_snap (MIN (STRIP, foot - head), scale), caps);
        }
    }
}

static void
add_marks (const Marks *self)
{
  TsrTraceChart *chart = self->view->chart;
  g_autoptr (GArray) pieces = NULL;

  if (tsr_trace_chart_get_marks (chart) == NULL)
    return;
  pieces = g_array_new (FALSE, FALSE, sizeof (TsrTracePiece));
  for (guint i = 0; i < chart->ipus->len; i++)
    {
      const TsrTraceChartIpu *ipu = &g_array_index (chart->ipus, TsrTraceChartIpu, i);

      for (guint r = ipu->first; r < ipu->end; r++)
        if (tsr_trace_chart_peek_row (chart, r)->kind == TSR_TRACE_ROW_STEPS)
          add_marks_of_row (self, ipu, tsr_trace_chart_peek_row (chart, r), pieces);
    }
}

/* ------------------------------------------------------- pointer and keys */

static void
add_hover (const Marks *self)
{
  TsrTraceChart *chart = self->view->chart;
  const TsrTraceHit *hit = &chart->hover;
  g_autofree char *text = NULL;
  double x;

  if (hit->kind == TSR_TRACE_HIT_NOTHING || hit->kind == TSR_TRACE_HIT_HEADER
      || hit->kind == TSR_TRACE_HIT_ARROW || hit->kind == TSR_TRACE_HIT_PIN)
    return;
  text = dup_hover (self, &x);
  if (text != NULL)
    {
      double width;
      double height;
      double left;

      tsr_draw_list_rect (self->list, TSR_INK_HOVER, x, self->area->y, self->line,
                          self->area->height)
          ->alpha
          = 0.5;
      left = place_chip (self, x, text, &width, &height);
      add_chip (self, TSR_INK_HOVER, left, height, text);
    }
  if (hit->from < hit->to)
    add_hit_frame (self, hit, TSR_INK_HOVER);
  else if (hit->kind != TSR_TRACE_HIT_TILE && hit->kind != TSR_TRACE_HIT_NOTCH)
    {
      double y;
      double width;
      double height;

      if (tsr_trace_chart_get_place (chart, self->view->geometry, self->area, hit, &x, &y, &width,
                                     &height))
        tsr_draw_list_rect (self->list, TSR_INK_HOVER, x, y, width, height)->alpha = 0.14;
    }
}

void
tsr_trace_chart_layout_overlay (TsrChartModel *model,
                                const TsrChartGeometry *geometry,
                                const TsrPlotArea *area,
                                guint32 hover,
                                guint32 cursor,
                                TsrDrawList *list)
{
  TsrTraceChart *self = TSR_TRACE_CHART (model);
  g_auto (TsrTraceGrid) view = { NULL };
  Marks marks = { .view = &view, .area = area, .list = list };

  if (area->width <= 0 || !tsr_trace_grid_init (&view, self, geometry, area))
    return;
  marks.line = MAX (floor (geometry->scale), 1) / geometry->scale;
  add_markers (&marks);
  add_span (&marks);
  add_marks (&marks);
  add_steps (&marks);
  add_hover (&marks);
  if (self->cursor.kind != TSR_TRACE_HIT_NOTHING)
    add_hit_frame (&marks, &self->cursor, TSR_INK_HOVER);
}

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

/* Of a crowded row: the longest step of the lane, of all that share the column. */
static gboolean
hit_crowd (TsrTraceGrid *view, const TsrTraceChartRow *first, guint column, TsrTraceHit *hit)
{
  TsrTrace *trace = view->chart->trace;
  TsrTraceChartRow flat = { .kind = TSR_TRACE_ROW_STEPS, .track = first->track, .flat = TRUE };
  gint64 cycles = hit->cycles;
  guint n_under;
  gsize item;

  flat.row = tsr_trace_get_row (trace, first->track, TSR_TRACE_FLAT, 0);
  if (tsr_trace_grid_item_at (view, first, column, &n_under) == G_MAXSIZE)
    return FALSE;
  item = tsr_trace_grid_item_at (view, &flat, column, &n_under);
  if (item == G_MAXSIZE
      || !tsr_trace_chart_hit_slice (view->chart, tsr_trace_row_first_slice (flat.row, item), hit))
    return FALSE;
  hit->cycles = cycles;
  hit->n_under = n_under;
  tsr_trace_grid_get_shared (view, tsr_trace_grid_find_stretch (view, column), column, &hit->from,
                             &hit->to);
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
      const TsrTraceChartRow *row = tsr_trace_chart_peek_row (chart, r), *first;
      double at = y - origin - row->y;

      if (at < 0 || at >= MAX (row->height, row->foot - row->y))
        continue;
      if (row->kind == TSR_TRACE_ROW_BAND)
        {
          hit_band (view, row, column, y, hit);
          return;
        }
      if (row->kind == TSR_TRACE_ROW_USE || row->kind == TSR_TRACE_ROW_LIVE)
        {
          const TsrTraceStretch *stretch = tsr_trace_grid_find_stretch (view, column);

          if (stretch == NULL)
            return;
          hit->kind = row->kind == TSR_TRACE_ROW_USE ? TSR_TRACE_HIT_USE : TSR_TRACE_HIT_LIVE;
          tsr_trace_grid_get_shared (view, stretch, column, &hit->from, &hit->to);
          return;
        }
      if (row->kind == TSR_TRACE_ROW_STEPS && tsr_trace_grid_find_crowd (view, ipu, row, &first))
        {
          if (row == first && hit_crowd (view, row, column, hit))
            return;
        }
      else if (hit_row (view, row, column, at >= row->height, hit))
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

  g_return_if_fail (TSR_IS_TRACE_CHART (self) && geometry != NULL && area != NULL);
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
        case TSR_TRACE_ROW_USE:
          if (hit->kind == TSR_TRACE_HIT_USE)
            return row;
          break;
        case TSR_TRACE_ROW_LIVE:
          if (hit->kind == TSR_TRACE_HIT_LIVE)
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

static gboolean
cut (double *from, double *length, double least, double most)
{
  double end = MIN (*from + *length, most);

  *from = MAX (*from, least);
  *length = end - *from;
  return *length > 0;
}

/* A crowded row's pixel is the lane's from where the crowd begins; in a track it is all of it. */
static gboolean
get_pixel_place (TsrTraceGrid *view,
                 const TsrTraceChartRow *row,
                 const TsrTraceHit *hit,
                 double *y,
                 double *height)
{
  const TsrTraceChartIpu *ipu = tsr_trace_chart_find_ipu (view->chart, row->ipu);
  const TsrTraceChartRow *first = row;
  double top, bottom;

  /* The step itself may stand above it. */
  if (hit->kind == TSR_TRACE_HIT_ITEM)
    tsr_trace_grid_find_crowd (view, ipu, row, &first);
  if (first == NULL)
    return FALSE;
  *y = tsr_trace_grid_get_y (view, ipu, first->y, &top, &bottom);
  *height = MAX (first->foot - first->y, first->height) - 1;
  return cut (y, height, top, bottom);
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

  g_return_val_if_fail (TSR_IS_TRACE_CHART (self) && geometry != NULL && area != NULL, FALSE);
  g_return_val_if_fail (hit != NULL, FALSE);

  if (!tsr_trace_grid_init (&view, self, geometry, area))
    return FALSE;
  if (hit->kind == TSR_TRACE_HIT_NOTCH)
    return get_notch_place (&view, hit, x, y, width, height);
  row = find_row (self, hit);
  if (row == NULL)
    return FALSE;
  if (hit->from < hit->to)
    {
      start = hit->from;
      end = hit->to;
    }
  else if (!get_times (self, row, hit, &start, &end))
    return FALSE;
  if (!tsr_trace_grid_get_columns (&view, start, end, &from, &to))
    return FALSE;
  *x = area->x + from / geometry->scale;
  *width = (to - from) / geometry->scale;
  if (hit->from < hit->to)
    return get_pixel_place (&view, row, hit, y, height);
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
  if (row->kind >= TSR_TRACE_ROW_BAND)
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

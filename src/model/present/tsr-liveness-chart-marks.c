/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What lies over the liveness graph: flags A to F at the selected steps, the band from A to B,
 * numbered flags at the peaks, hair line and dots of the pointer.  Flags are placed one after the
 * other, each where none is yet; one without room is left out, its line stays.  A selected peak has
 * its number at its letter, so that it takes no other peak's place. */

#include "config.h"

#include "tsr-chart-marks.h"
#include "tsr-liveness-chart-private.h"

#include <glib/gi18n-lib.h>

#define FLAG_GAP  3.0
#define FLAG_ROWS 3
#define STEM      5.0 /* between a peak and its flag */
#define MAX_FLAGS 32
#define MAX_PEAKS 9 /* keys 1 to 9 */

typedef struct
{
  double x, y, width, height;
} Box;

typedef struct
{
  TsrLivenessChart *chart;
  const TsrChartGeometry *geometry;
  const TsrPlotArea *area;
  TsrDrawList *list;
  Box boxes[MAX_FLAGS]; /* taken */
  guint n_boxes;
  guint named; /* a bit for each peak whose number stands at a letter */
} Marks;

static gboolean
is_free (const Marks *marks, const Box *box)
{
  const TsrPlotArea *area = marks->area;

  if (box->x < area->x || box->x + box->width > area->x + area->width + 0.5 || box->y < area->y
      || box->y + box->height > area->y + area->height)
    return FALSE;
  for (guint i = 0; i < marks->n_boxes; i++)
    {
      const Box *other = &marks->boxes[i];

      if (box->x < other->x + other->width + FLAG_GAP && other->x < box->x + box->width + FLAG_GAP
          && box->y < other->y + other->height + FLAG_GAP
          && other->y < box->y + box->height + FLAG_GAP)
        return FALSE;
    }
  return marks->n_boxes < MAX_FLAGS;
}

/* A flag stands over the point. */
static gboolean
is_taken (const Marks *marks, double x, double y)
{
  for (guint i = 0; i < marks->n_boxes; i++)
    {
      const Box *box = &marks->boxes[i];

      if (x >= box->x && x <= box->x + box->width && y >= box->y && y <= box->y + box->height)
        return TRUE;
    }
  return FALSE;
}

static gboolean
put_flag (Marks *marks, guint ink, double x, double y, const char *text, guint32 datum)
{
  const TsrPlotArea *area = marks->area;
  Box box = { .y = tsr_snap (y, marks->geometry->scale) };

  tsr_chart_marks_measure_chip (marks->geometry, text, &box.width, &box.height);
  box.x = tsr_snap (
      CLAMP (x - box.width / 2, area->x, MAX (area->x + area->width - box.width, area->x)),
      marks->geometry->scale);
  if (!is_free (marks, &box))
    return FALSE;
  marks->boxes[marks->n_boxes++] = box;
  tsr_chart_marks_chip (marks->geometry, ink, box.x, box.y, text, datum, marks->list);
  return TRUE;
}

/* --------------------------------------------------------- selected steps */

static void
get_letter (guint i, char letter[2])
{
  letter[0] = 'A' + i;
  letter[1] = '\0';
}

/* The first two steps that were chosen, whichever is earlier. */
static void
add_span (const Marks *marks, guint a, guint b)
{
  const TsrChartGeometry *geometry = marks->geometry;
  const TsrPlotArea *area = marks->area;
  double per = area->width / (geometry->to - geometry->from);
  double left = area->x + (MIN (a, b) - geometry->from) * per;
  double right = area->x + (MAX (a, b) + 1 - geometry->from) * per;

  left = tsr_snap (MAX (left, area->x), geometry->scale);
  right = tsr_snap (MIN (right, area->x + area->width), geometry->scale);
  if (right > left)
    tsr_draw_list_rect (marks->list, TSR_INK_SELECTION, left, area->y, right - left, area->height)
        ->alpha
        = 0.1;
}

/* A step beyond an edge is named there. */
static void
add_edge_flag (Marks *marks, guint ink, guint step, const char *letter)
{
  gboolean before = step < marks->geometry->from;
  const TsrPlotArea *area = marks->area;
  g_autofree char *text
      = before ? g_strdup_printf ("‹ %s", letter) : g_strdup_printf ("%s ›", letter);
  double width;
  double height;

  tsr_chart_marks_measure_chip (marks->geometry, text, &width, &height);
  for (guint row = 0; row < TSR_MAX_SELECTED_STEPS; row++)
    if (put_flag (marks, ink, before ? area->x : area->x + area->width,
                  area->y + area->height - (row + 1) * (height + FLAG_GAP), text, step))
      return;
}

/* The peaks that have flags: none when what they are peaks of is hidden. */
static guint
count_peaks (const Marks *marks)
{
  GArray *peaks = marks->chart->peaks;

  if (peaks == NULL
      || tsr_liveness_chart_find (marks->chart, TSR_LIVENESS_SERIES_NOT_ALWAYS, NULL) == NULL)
    return 0;
  return MIN (peaks->len, MAX_PEAKS);
}

/* The number of a peak that is selected, edge to edge with the letter that was put last. */
static void
add_number (Marks *marks, guint step)
{
  const Box *letter = &marks->boxes[marks->n_boxes - 1];
  const TsrPlotArea *area = marks->area;
  guint n = count_peaks (marks);

  for (guint i = 0; i < n && marks->n_boxes < MAX_FLAGS; i++)
    {
      char text[2] = { (char)('1' + i), '\0' };
      Box box = { .y = letter->y };

      if (g_array_index (marks->chart->peaks, TsrPeak, i).step != step)
        continue;
      tsr_chart_marks_measure_chip (marks->geometry, text, &box.width, &box.height);
      box.x = letter->x - box.width;
      if (box.x < area->x)
        box.x = letter->x + letter->width;
      marks->boxes[marks->n_boxes++] = box;
      marks->named |= 1u << i;
      tsr_chart_marks_chip (marks->geometry, TSR_INK_PEAK, box.x, box.y, text, step, marks->list);
      return;
    }
}

static void
add_band (const Marks *marks, guint i, guint step)
{
  const TsrPlotArea *area = marks->area;
  double line = MAX (floor (marks->geometry->scale), 1) / marks->geometry->scale;
  guint ink = TSR_INK_MARK + i % TSR_N_MARK_INKS;
  TsrDrawItem *item;
  double left;
  double right;

  if (!tsr_step_get_edges (marks->geometry, area, step, &left, &right))
    return;
  if (right - left > 3 * line)
    {
      item = tsr_draw_list_rect (marks->list, ink, left, area->y, right - left, area->height);
      item->alpha = 0.16;
      item->datum = step;
      tsr_draw_list_rect (marks->list, ink, left, area->y, line, area->height);
      tsr_draw_list_rect (marks->list, ink, right - line, area->y, line, area->height);
    }
  else
    tsr_draw_list_rect (marks->list, ink, left, area->y, right - left, area->height)->datum = step;
}

static void
add_flag (Marks *marks, guint i, guint step)
{
  const TsrPlotArea *area = marks->area;
  guint ink = TSR_INK_MARK + i % TSR_N_MARK_INKS;
  double left;
  double right;
  double width;
  double height;
  char letter[2];

  get_letter (i, letter);
  if (!tsr_step_get_edges (marks->geometry, area, step, &left, &right))
    {
      add_edge_flag (marks, ink, step, letter);
      return;
    }
  tsr_chart_marks_measure_chip (marks->geometry, letter, &width, &height);
  for (guint row = 0; row < FLAG_ROWS; row++)
    if (put_flag (marks, ink, (left + right) / 2,
                  area->y + marks->geometry->inset + FLAG_GAP + row * (height + FLAG_GAP), letter,
                  step))
      {
        add_number (marks, step);
        return;
      }
}

/* ------------------------------------------------------------------ peaks */

/* Tries one place for the flag of a peak at (x, y); the stem says which one it is. */
static gboolean
try_peak (Marks *marks, const char *text, double x, double y, double dx, guint row, guint32 step)
{
  const TsrPlotArea *area = marks->area;
  double scale = marks->geometry->scale;
  double line = MAX (floor (scale), 1) / scale;
  double width;
  double height;
  double top;

  tsr_chart_marks_measure_chip (marks->geometry, text, &width, &height);
  top = MAX (y - STEM - height - row * (height + FLAG_GAP), area->y + marks->geometry->inset);
  top = tsr_snap (top, scale);
  if (!put_flag (marks, TSR_INK_PEAK, x + dx * (width + FLAG_GAP), top, text, step))
    return FALSE;
  if (dx != 0 && !is_taken (marks, x, y))
    tsr_draw_list_line (marks->list, TSR_INK_PEAK, x + dx * (width / 2 + FLAG_GAP),
                        top + height / 2, x, y);
  else if (dx == 0 && y > top + height)
    tsr_draw_list_rect (marks->list, TSR_INK_PEAK, tsr_snap (x - line / 2, scale), top + height,
                        line, y - top - height);
  return TRUE;
}

/* Over its step, as near as there is room; beside it when a step's flag stands there. */
static void
add_peak (Marks *marks, guint number, const TsrPeak *peak)
{
  static const double sides[] = { 0, 1, -1 };
  TsrLivenessChart *chart = marks->chart;
  double left;
  double right;
  double y;
  gint64 bytes;
  char text[2] = { (char)('0' + number), '\0' };

  if (peak->step >= chart->n
      || !tsr_step_get_edges (marks->geometry, marks->area, peak->step, &left, &right))
    return;
  bytes = tsr_liveness_chart_get_top (chart, peak->step);
  if (bytes == TSR_UNKNOWN)
    return;
  y = tsr_plot_area_get_y (marks->area, bytes, marks->geometry->scale);
  for (guint side = 0; side < G_N_ELEMENTS (sides); side++)
    for (guint row = 0; row < FLAG_ROWS; row++)
      if (try_peak (marks, text, (left + right) / 2, y, sides[side], row, peak->step))
        return;
}

static void
add_peaks (Marks *marks)
{
  guint n = count_peaks (marks);

  for (guint i = 0; i < n; i++)
    if ((marks->named & 1u << i) == 0)
      add_peak (marks, i + 1, &g_array_index (marks->chart->peaks, TsrPeak, i));
}

/* ------------------------------------------------------- pointer and keys */

/* A dot on each visible series at @step. */
static void
add_dots (const Marks *marks, guint step)
{
  TsrLivenessChart *chart = marks->chart;

  for (guint i = 0; i < chart->entries->len; i++)
    {
      const TsrLivenessEntry *entry = g_ptr_array_index (chart->entries, i);
      gint64 bytes = TSR_UNKNOWN;

      if (!entry->visible)
        continue;
      if (entry->kind == TSR_LIVENESS_SERIES_NOT_ALWAYS)
        bytes = tsr_liveness_chart_get_top (chart, step);
      else if (entry->kind == TSR_LIVENESS_SERIES_ALWAYS && chart->base > chart->y_from)
        bytes = chart->base;
      else if (entry->kind == TSR_LIVENESS_SERIES_TILES)
        bytes = tsr_liveness_chart_get_tiles (chart, step);
      else if (entry->kind == TSR_LIVENESS_SERIES_VARIABLE)
        {
          const TsrLivenessLifetime *lifetime
              = g_ptr_array_index (chart->lifetimes, entry->lifetime);

          bytes = tsr_lifetime_line_get_largest (lifetime->line, step, step + 1);
          bytes = bytes > 0 ? tsr_add_saturating (bytes, chart->y_from, NULL) : TSR_UNKNOWN;
        }
      if (bytes != TSR_UNKNOWN)
        tsr_chart_marks_dot (marks->geometry, marks->area, step, bytes, entry->ink, marks->list);
    }
}

void
tsr_liveness_chart_layout_overlay (TsrChartModel *model,
                                   const TsrChartGeometry *geometry,
                                   const TsrPlotArea *area,
                                   guint32 hover,
                                   guint32 cursor,
                                   TsrDrawList *list)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  Marks marks = { .chart = self, .geometry = geometry, .area = area, .list = list };
  const guint *steps = NULL;
  guint n = 0;

  if (area->width <= 0 || self->series == NULL || !(geometry->to > geometry->from))
    return;
  if (self->selection != NULL)
    steps = tsr_step_selection_peek (self->selection, &n);
  if (n >= 2 && steps[0] < self->n && steps[1] < self->n)
    add_span (&marks, steps[0], steps[1]);
  if (cursor < self->n)
    tsr_chart_marks_cursor (geometry, area, cursor, cursor, list);
  for (guint i = 0; i < n; i++)
    if (steps[i] < self->n)
      add_band (&marks, i, steps[i]);
  if (cursor < self->n && hover == TSR_NO_DATUM)
    add_dots (&marks, cursor);
  if (hover < self->n)
    {
      tsr_chart_marks_hover (geometry, area, hover, hover, list);
      add_dots (&marks, hover);
    }
  /* Over all that: a frame or a dot would cross out the letter of its step. */
  for (guint i = 0; i < n; i++)
    if (steps[i] < self->n)
      add_flag (&marks, i, steps[i]);
  add_peaks (&marks);
}

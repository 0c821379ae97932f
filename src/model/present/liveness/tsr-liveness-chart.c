/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The liveness graph.  Always-live bytes are the same at every step, so that the stack needs no
 * array of its own: not-always-live bytes are laid out as they are in a plot area that is moved
 * down by the always-live ones, and one rectangle stands for those.  What depends on series and
 * options is worked out when they change (`derive`); a layout is O(log n) a pixel column. */

#include "config.h"

#include "tsr-liveness-chart.h"

#include "tsr-chart-frame.h"
#include "tsr-chart-marks.h"
#include "tsr-json-writer.h"
#include "tsr-step-layout.h"
#include "tsr-step-lines.h"
#include "tsr-step-structure.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define TSR_MAX_LIFETIMES 6

typedef enum
{
  TSR_LIVENESS_SERIES_NOT_ALWAYS,
  TSR_LIVENESS_SERIES_ALWAYS,
  TSR_LIVENESS_SERIES_MAX,
  TSR_LIVENESS_SERIES_EXCESS,
  TSR_LIVENESS_SERIES_TILES,
  TSR_LIVENESS_SERIES_VARIABLE,
} TsrLivenessSeriesKind;

/* An entry of the legend. */
typedef struct
{
  TsrLivenessSeriesKind kind;
  guint lifetime; /* of a variable: index into lifetimes */
  char *key;      /* remembers what is hidden */
  char *name;     /* translated, or the variable's */
  guint ink;
  gboolean visible;
} TsrLivenessEntry;

typedef struct
{
  char *name;
  GArray *spans; /* TsrLifetime, as given */
  TsrLifetimeLine *line;
} TsrLivenessLifetime;

struct _TsrLivenessChart
{
  TsrChartModel parent_instance;

  TsrLiveness *liveness;
  TsrStepSelection *selection; /* (nullable) */
  TsrLivenessSeries *series;   /* (nullable) */
  char *source_label;
  TsrLivenessChartOptions options;
  TsrLivenessSeries *tiles; /* (nullable) */
  char *tiles_label;
  GPtrArray *lifetimes; /* TsrLivenessLifetime */
  GArray *peaks;        /* TsrPeak */
  guint8 *matches;      /* (nullable) by step */

  /* Derived. */
  guint n;                             /* steps */
  GPtrArray *entries;                  /* TsrLivenessEntry */
  TsrPyramid *pyramid, *tiles_pyramid; /* over not-always-live bytes; (nullable) */
  gint64 *matched;                     /* those of the steps that pass the filter, else unknown */
  TsrPyramid *matched_pyramid;
  gint64 *matched_excess; /* (nullable) likewise of what does not fit */
  TsrPyramid *matched_excess_pyramid;
  gint64 *excess; /* by step; (nullable) when all of it fits */
  TsrPyramid *excess_pyramid;
  gint64 base;  /* bytes under the not-always-live ones: always live when shown, else 0 */
  gint64 level; /* on the axis; TSR_UNKNOWN */
  gint64 y_from;
  double y_to;
  TsrStepStructure *structure; /* (nullable) made when it is first needed */
};

static const TsrLivenessEntry *
tsr_liveness_chart_find (TsrLivenessChart *self, TsrLivenessSeriesKind kind, guint *index);
static gint64 tsr_liveness_chart_get_room (TsrLivenessChart *self);
static gint64 tsr_liveness_chart_get_top (TsrLivenessChart *self, guint step);
static gint64 tsr_liveness_chart_get_tiles (TsrLivenessChart *self, guint step);

/* The liveness graph laid out: frame, areas, lines over them, and the structure of the program
 * below. */

#define STRIP_GAP    4.0  /* between the x axis and the structure */
#define STRIP_HEIGHT 20.0 /* of a band */
#define STRIP_FOOT   30.0 /* taken away from the plot */
#define VEIL         0.65 /* over steps that do not pass the filter */
#define LANE         4.0  /* pixels at the plot's foot that say when a variable is live */

static void
get_step_data (TsrLivenessChart *self, TsrStepBand *band, TsrStepData *data)
{
  guint index;

  *data = (TsrStepData){ .n = self->n, .limit = TSR_UNKNOWN, .line_series = TSR_NO_DATUM };
  if (self->series == NULL
      || tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_NOT_ALWAYS, &index) == NULL)
    return;
  *band = (TsrStepBand){ TSR_INK_NOT_ALWAYS_LIVE, index };
  data->n_bands = 1;
  data->bands = band;
  data->top = self->series->not_always_live;
  data->top_pyramid = self->pyramid;
  data->outlined = TRUE;
  data->tint = TSR_INK_NOT_ALWAYS_LIVE_TINT;
  data->spread = TSR_INK_NOT_ALWAYS_LIVE_SPREAD;
  if (self->excess != NULL
      && tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_EXCESS, &data->excess_series) != NULL)
    {
      data->limit = tsr_liveness_chart_get_room (self);
      data->excess = self->excess;
      data->excess_pyramid = self->excess_pyramid;
    }
}

static void
get_frame (TsrLivenessChart *self, const TsrChartGeometry *geometry, TsrChartFrame *frame)
{
  *frame = (TsrChartFrame){ .units = self->options.units,
                            .y_from = self->y_from,
                            .y_to = self->y_to,
                            .level = TSR_UNKNOWN,
                            .x_title = _ ("Step") };
  if (tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_MAX, &frame->level_series) != NULL)
    frame->level = self->level;
  if (self->structure != NULL && geometry->height > 4 * STRIP_FOOT)
    frame->foot = STRIP_FOOT;
}

static void
ensure_structure (TsrLivenessChart *self)
{
  if (self->options.structure && self->structure == NULL && self->series != NULL && self->n > 0)
    self->structure = tsr_step_structure_new (self->liveness);
  if (self->structure != NULL
      && (!self->options.structure || tsr_step_structure_get_n_bands (self->structure) == 0))
    g_clear_pointer (&self->structure, tsr_step_structure_unref);
}

/* Always-live bytes over the foot of the areas; what of them is beyond the capacity is hatched. */
static void
layout_always (TsrLivenessChart *self,
               const TsrChartGeometry *geometry,
               const TsrPlotArea *area,
               TsrDrawList *list)
{
  double foot = area->y + area->height;
  double top = tsr_plot_area_get_y (area, self->base, geometry->scale);
  double right
      = area->x
        + CLAMP ((self->n - geometry->from) / (geometry->to - geometry->from), 0, 1) * area->width;
  double width = tsr_draw_list_snap (right, geometry->scale) - area->x;
  double line = MAX (floor (1.5 * geometry->scale), 1) / geometry->scale;
  guint series;
  TsrDrawItem *item;

  if (tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_ALWAYS, &series) == NULL || top >= foot
      || width <= 0)
    return;
  item = tsr_draw_list_rect (list, TSR_INK_ALWAYS_LIVE_TINT, area->x, top, width, foot - top);
  item->series = series;
  if (self->level != TSR_UNKNOWN && self->level < self->base)
    {
      double level = tsr_plot_area_get_y (area, self->level, geometry->scale);

      tsr_draw_list_rect (list, TSR_INK_OVERFLOW_TINT, area->x, top, width, level - top);
      tsr_draw_list_hatch (list, TSR_INK_OVERFLOW, area->x, top, width, level - top)->line_width
          = 2;
    }
  item
      = tsr_draw_list_rect (list, TSR_INK_ALWAYS_LIVE, area->x, top, width, MIN (line, foot - top));
  item->series = series;
}

static void
layout_areas (TsrLivenessChart *self,
              const TsrChartGeometry *geometry,
              const TsrPlotArea *area,
              guint32 *shown,
              TsrDrawList *list)
{
  TsrPlotArea moved = *area;
  TsrStepBand band;
  TsrStepData data;

  moved.y_from -= self->base;
  moved.y_to -= self->base;
  get_step_data (self, &band, &data);
  data.shown = shown;
  tsr_step_layout (&data, geometry, &moved, list);
  data.shown = NULL;
  if (self->matched != NULL)
    {
      tsr_draw_list_rect (list, TSR_INK_BACKGROUND, area->x, area->y, area->width, area->height)
          ->alpha
          = VEIL;
      data.top = self->matched;
      data.top_pyramid = data.n_bands > 0 ? self->matched_pyramid : NULL;
      data.excess_pyramid = data.excess_pyramid != NULL ? self->matched_excess_pyramid : NULL;
      data.tint = data.spread; /* stands out from what is faded, however narrow it is */
      tsr_step_layout (&data, geometry, &moved, list);
    }
  layout_always (self, geometry, area, list);
}

static gint64
tiles_value (gpointer data, guint first, guint end)
{
  TsrLivenessChart *self = data;
  guint best = tsr_pyramid_get_argmax (self->tiles_pyramid, first, end);

  return best != TSR_NO_INDEX ? tsr_liveness_chart_get_tiles (self, best) : TSR_UNKNOWN;
}

typedef struct
{
  const TsrLifetimeLine *line;
  gint64 foot; /* of the axis: a variable stands on it */
} Overlay;

static gint64
lifetime_value (gpointer data, guint first, guint end)
{
  const Overlay *overlay = data;
  gint64 bytes = tsr_lifetime_line_get_largest (overlay->line, first, end);

  return bytes != TSR_UNKNOWN && bytes > 0 ? tsr_add_saturating (overlay->foot, bytes, NULL)
                                           : TSR_UNKNOWN;
}

/* A variable may be too small for the axis: when it is live is told at the plot's foot as well. */
static void
layout_lane (TsrLivenessChart *self,
             const TsrLivenessEntry *entry,
             const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             guint row,
             TsrDrawList *list)
{
  const TsrLivenessLifetime *lifetime = g_ptr_array_index (self->lifetimes, entry->lifetime);
  double y = tsr_draw_list_snap (area->y + area->height - (row + 1) * (LANE + 1), geometry->scale);
  double per;
  guint n = tsr_step_lines_count_columns (geometry, area, &per);
  g_autofree guint8 *inks = g_malloc (MAX (n, 1));

  if (y < area->y)
    return;
  for (guint c = 0; c < n; c++)
    {
      guint first;
      guint end;

      tsr_step_layout_get_positions (geometry->from + c * per, geometry->from + (c + 1) * per,
                                     self->n, &first, &end);
      inks[c] = first < end && tsr_lifetime_line_is_live (lifetime->line, first, end)
                    ? entry->ink
                    : TSR_RASTER_CLEAR;
    }
  tsr_step_lines_layout_row (inks, n, geometry->scale, area->x, y, LANE, list);
}

static void
layout_lines (TsrLivenessChart *self,
              const TsrChartGeometry *geometry,
              const TsrPlotArea *area,
              TsrDrawList *list)
{
  guint lane = 0;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

      if (!entry->visible)
        continue;
      if (entry->kind == TSR_LIVENESS_SERIES_TILES)
        tsr_step_lines_layout (tiles_value, self, MIN (self->n, self->tiles->n_steps), FALSE,
                               geometry, area, entry->ink, i, list);
      else if (entry->kind == TSR_LIVENESS_SERIES_VARIABLE)
        {
          const TsrLivenessLifetime *lifetime
              = g_ptr_array_index (self->lifetimes, entry->lifetime);
          Overlay overlay = { lifetime->line, self->y_from };

          tsr_step_lines_layout (lifetime_value, &overlay, self->n, TRUE, geometry, area,
                                 entry->ink, i, list);
          layout_lane (self, entry, geometry, area, lane++, list);
        }
    }
}

/* Why there is nothing to see, in the middle of the plot. */
static void
layout_empty (const TsrChartGeometry *geometry,
              const TsrPlotArea *area,
              const char *text,
              TsrDrawList *list)
{
  double width;
  TsrDrawItem *item;

  geometry->measure.measure (geometry->measure.data, text, TSR_FONT_SIZE, FALSE, &width, NULL);
  item = tsr_draw_list_label (
      list, TSR_INK_DIM_TEXT, width <= area->width ? area->x + area->width / 2 : area->x,
      area->y + area->height / 2, width <= area->width ? 0.5 : 0, 0.5, text);
  if (width > area->width)
    item->width = MAX (area->width, 1);
}

/* Members of TsrChartModelClass. */
static void
tsr_liveness_chart_layout (TsrChartModel *model,
                           const TsrChartGeometry *geometry,
                           TsrDrawList *list,
                           TsrPlotArea *area)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  g_autofree guint32 *shown = NULL;
  TsrChartFrame frame;
  gint64 least;
  gint64 most;

  ensure_structure (self);
  get_frame (self, geometry, &frame);
  tsr_chart_frame_layout_back (&frame, model, geometry, list, area);
  if (area->width <= 0 || !(geometry->to > geometry->from))
    return;
  if (self->series != NULL && self->n > 0)
    {
      double per;
      guint n = tsr_step_lines_count_columns (geometry, area, &per);

      shown = g_new (guint32, MAX (n, 1));
      for (guint c = 0; c < n; c++)
        shown[c] = TSR_NO_INDEX;
      layout_areas (self, geometry, area, shown, list);
      layout_lines (self, geometry, area, list);
    }
  tsr_chart_frame_layout_front (&frame, geometry, area, list);
  if (frame.foot > 0)
    tsr_step_structure_layout (
        self->structure, shown, geometry, area,
        tsr_draw_list_snap (geometry->height - STRIP_FOOT + STRIP_GAP, geometry->scale),
        STRIP_HEIGHT, list);
  if (self->series == NULL)
    return;
  if (self->n == 0)
    layout_empty (geometry, area, _ ("The report has no liveness steps"), list);
  else if (!tsr_pyramid_get_range (self->pyramid, 0, self->n, &least, &most))
    layout_empty (geometry, area, _ ("The report does not record how much is live at each step"),
                  list);
}

static void
tsr_liveness_chart_layout_overview (TsrChartModel *model,
                                    const TsrChartGeometry *geometry,
                                    TsrDrawList *list)
{
  TsrStepBand band;
  TsrStepData data;

  get_step_data (TSR_LIVENESS_CHART (model), &band, &data);
  tsr_step_layout_overview (&data, geometry, list);
}

/* What lies over the liveness graph: flags A to F at the selected steps, the band from A to B,
 * numbered flags at the peaks, hair line and dots of the pointer.  Flags are placed one after the
 * other, each where none is yet; one without room is left out, its line stays.  A selected peak has
 * its number at its letter, so that it takes no other peak's place. */

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
  Box box = { .y = tsr_draw_list_snap (y, marks->geometry->scale) };

  tsr_chart_marks_measure_chip (marks->geometry, text, &box.width, &box.height);
  box.x = tsr_draw_list_snap (
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

  left = tsr_draw_list_snap (MAX (left, area->x), geometry->scale);
  right = tsr_draw_list_snap (MIN (right, area->x + area->width), geometry->scale);
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

  if (!tsr_step_layout_get_edges (marks->geometry, area, step, &left, &right))
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
  if (!tsr_step_layout_get_edges (marks->geometry, area, step, &left, &right))
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
  top = tsr_draw_list_snap (top, scale);
  if (!put_flag (marks, TSR_INK_PEAK, x + dx * (width + FLAG_GAP), top, text, step))
    return FALSE;
  if (dx != 0 && !is_taken (marks, x, y))
    tsr_draw_list_line (marks->list, TSR_INK_PEAK, x + dx * (width / 2 + FLAG_GAP),
                        top + height / 2, x, y);
  else if (dx == 0 && y > top + height)
    tsr_draw_list_rect (marks->list, TSR_INK_PEAK, tsr_draw_list_snap (x - line / 2, scale),
                        top + height, line, y - top - height);
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
      || !tsr_step_layout_get_edges (marks->geometry, marks->area, peak->step, &left, &right))
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

static void
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

/* The liveness graph in words: what a step's callout and the caption say, and the rows of its CSV.
 */

static gint64
get_total (TsrLivenessChart *self, guint step)
{
  gint64 bytes = self->series->not_always_live[step];

  return bytes != TSR_UNKNOWN && self->series->always_live != TSR_UNKNOWN
             ? tsr_add_saturating (bytes, self->series->always_live, NULL)
             : TSR_UNKNOWN;
}

static void
append_value (GString *out, const char *name, gint64 value, gint64 whole)
{
  g_autofree char *exact = NULL;

  if (value == TSR_UNKNOWN)
    {
      g_string_append_printf (out, _ ("\n%s: not recorded"), name);
      return;
    }
  exact = tsr_units_dup_bytes_exact (value);
  g_string_append_printf (out, "\n%s: %s", name, exact);
  if (whole != TSR_UNKNOWN && whole > 0)
    {
      g_autofree char *percent = tsr_units_dup_percent ((double)value / whole, 1);

      g_string_append_printf (out, " (%s)", percent);
    }
}

/* "Step 1,234 (A, peak 2)". */
static void
append_heading (TsrLivenessChart *self, GString *out, guint step)
{
  g_autofree char *number = tsr_units_dup_count (step);
  const guint *steps = NULL;
  guint n = 0;
  const char *before = " (";

  g_string_append_printf (out, _ ("Step %s"), number);
  if (self->selection != NULL)
    steps = tsr_step_selection_peek (self->selection, &n);
  for (guint i = 0; i < n; i++)
    if (steps[i] == step)
      {
        g_string_append_printf (out, "%s%c", before, 'A' + (int)i);
        before = ", ";
      }
  for (guint i = 0; self->peaks != NULL && i < MIN (self->peaks->len, 9); i++)
    if (g_array_index (self->peaks, TsrPeak, i).step == step)
      {
        g_string_append (out, before);
        g_string_append_printf (out, _ ("peak %u"), i + 1);
        before = ", ";
      }
  if (*before == ',')
    g_string_append_c (out, ')');
}

static void
append_program (TsrLivenessChart *self, GString *out, guint step)
{
  const char *name = tsr_liveness_get_step_name (self->liveness, step);
  const char *type = tsr_liveness_get_step_type (self->liveness, step);

  if (name != NULL && *name == '\0')
    name = NULL;
  if (type != NULL && *type == '\0')
    type = NULL;
  if (name != NULL && type != NULL)
    g_string_append_printf (out, "\n%s (%s)", name, type);
  else if (name != NULL || type != NULL)
    g_string_append_printf (out, "\n%s", name != NULL ? name : type);
}

/* What differs from A, when A is another step. */
static void
append_difference (TsrLivenessChart *self, GString *out, guint step)
{
  guint n = 0;
  const guint *steps
      = self->selection != NULL ? tsr_step_selection_peek (self->selection, &n) : NULL;
  const gint64 *bytes = self->series->not_always_live;
  g_autofree char *text = NULL;

  if (n == 0 || steps[0] == step || steps[0] >= self->n || bytes[step] == TSR_UNKNOWN
      || bytes[steps[0]] == TSR_UNKNOWN)
    return;
  text = tsr_units_dup_bytes_signed (self->options.units, bytes[step] - bytes[steps[0]]);
  g_string_append_printf (out, _ ("\nDifference from A: %s"), text);
}

static void
append_lines (TsrLivenessChart *self, GString *out, guint step)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

      if (!entry->visible)
        continue;
      if (entry->kind == TSR_LIVENESS_SERIES_TILES)
        append_value (out, entry->name, tsr_liveness_chart_get_tiles (self, step), TSR_UNKNOWN);
      else if (entry->kind == TSR_LIVENESS_SERIES_VARIABLE)
        {
          const TsrLivenessLifetime *lifetime
              = g_ptr_array_index (self->lifetimes, entry->lifetime);

          if (tsr_lifetime_line_is_live (lifetime->line, step, step + 1))
            append_value (out, entry->name,
                          tsr_lifetime_line_get_largest (lifetime->line, step, step + 1),
                          TSR_UNKNOWN);
          else
            g_string_append_printf (out, _ ("\n%s: not live"), entry->name);
        }
    }
}

static char *
tsr_liveness_chart_describe (TsrChartModel *model, guint32 datum)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  GString *out;
  gint64 total;

  if (self->series == NULL || datum >= self->n)
    return NULL;
  out = g_string_new (NULL);
  total = get_total (self, datum);
  append_heading (self, out, datum);
  append_program (self, out, datum);
  append_value (out, _ ("Not always live"), self->series->not_always_live[datum], TSR_UNKNOWN);
  append_value (out, _ ("Always live"), self->series->always_live, TSR_UNKNOWN);
  append_value (out, _ ("Total"), total, self->series->capacity);
  if (self->series->capacity != TSR_UNKNOWN)
    {
      append_value (out, _ ("Max memory"), self->series->capacity, TSR_UNKNOWN);
      if (total != TSR_UNKNOWN && total > self->series->capacity)
        append_value (out, _ ("Does not fit"), total - self->series->capacity, TSR_UNKNOWN);
    }
  append_difference (self, out, datum);
  append_lines (self, out, datum);
  return g_string_free (out, FALSE);
}

static char *
tsr_liveness_chart_dup_caption (TsrChartModel *model)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  g_autofree char *count = tsr_units_dup_count (self->n);
  g_autofree char *text
      = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Memory live at %s program step",
                                      "Memory live at %s program steps", self->n),
                         count);

  if (self->source_label == NULL || *self->source_label == '\0')
    return g_steal_pointer (&text);
  return g_strdup_printf ("%s, %s", text, self->source_label);
}

/* -------------------------------------------------------------------- CSV */

static void
add_csv_number (GPtrArray *fields, gint64 value)
{
  g_ptr_array_add (fields, value != TSR_UNKNOWN ? g_strdup_printf ("%" G_GINT64_FORMAT, value)
                                                : g_strdup (""));
}

static void
add_text (GPtrArray *fields, const char *text)
{
  g_ptr_array_add (fields, g_strdup (text != NULL ? text : ""));
}

static void
append_csv_row (GPtrArray *fields, GString *out)
{
  tsr_csv_append_row (out, fields->len, (const char *const *)fields->pdata);
  g_ptr_array_set_size (fields, 0);
}

static gint64
get_value (TsrLivenessChart *self, const TsrLivenessEntry *entry, guint step)
{
  switch (entry->kind)
    {
    case TSR_LIVENESS_SERIES_NOT_ALWAYS:
      return self->series->not_always_live[step];
    case TSR_LIVENESS_SERIES_ALWAYS:
      return self->series->always_live;
    case TSR_LIVENESS_SERIES_MAX:
      return self->level;
    case TSR_LIVENESS_SERIES_EXCESS:
      return self->excess[step];
    case TSR_LIVENESS_SERIES_TILES:
      return tsr_liveness_chart_get_tiles (self, step);
    case TSR_LIVENESS_SERIES_VARIABLE:
    default:
      return tsr_lifetime_line_get_largest (
          ((TsrLivenessLifetime *)g_ptr_array_index (self->lifetimes, entry->lifetime))->line, step,
          step + 1);
    }
}

static void
tsr_liveness_chart_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);
  guint first = (guint)CLAMP (floor (from), 0, (double)self->n);
  guint end = (guint)CLAMP (ceil (to), 0, (double)self->n);

  add_text (fields, "step");
  add_text (fields, "program");
  add_text (fields, "type");
  for (guint i = 0; i < self->entries->len; i++)
    {
      const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

      if (entry->visible)
        g_ptr_array_add (fields, g_strdup (entry->key));
    }
  append_csv_row (fields, out);

  for (guint step = first; self->series != NULL && step < end; step++)
    {
      add_csv_number (fields, step);
      add_text (fields, tsr_liveness_get_step_name (self->liveness, step));
      add_text (fields, tsr_liveness_get_step_type (self->liveness, step));
      for (guint i = 0; i < self->entries->len; i++)
        {
          const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

          if (entry->visible)
            add_csv_number (fields, get_value (self, entry, step));
        }
      append_csv_row (fields, out);
    }
}

/* A view of fewer steps than this says nothing that the details do not. */
#define MIN_SPAN 8

G_DEFINE_FINAL_TYPE (TsrLivenessChart, tsr_liveness_chart, TSR_TYPE_CHART_MODEL)

/* ---------------------------------------------------------------- entries */

static void
entry_free (gpointer data)
{
  TsrLivenessEntry *entry = data;

  g_free (entry->key);
  g_free (entry->name);
  g_free (entry);
}

static void
lifetime_free (gpointer data)
{
  TsrLivenessLifetime *lifetime = data;

  g_free (lifetime->name);
  g_array_unref (lifetime->spans);
  tsr_lifetime_line_free (lifetime->line);
  g_free (lifetime);
}

/* The entry of @kind that is visible, or NULL; its index. */
static const TsrLivenessEntry *
tsr_liveness_chart_find (TsrLivenessChart *self, TsrLivenessSeriesKind kind, guint *index)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

      if (entry->kind == kind && entry->visible)
        {
          if (index != NULL)
            *index = i;
          return entry;
        }
    }
  if (index != NULL)
    *index = TSR_NO_DATUM;
  return NULL;
}

static void
add_entry (TsrLivenessChart *self,
           TsrLivenessSeriesKind kind,
           guint lifetime,
           const char *key,
           const char *name,
           guint ink)
{
  TsrLivenessEntry *entry = g_new0 (TsrLivenessEntry, 1);

  entry->kind = kind;
  entry->lifetime = lifetime;
  entry->key = kind == TSR_LIVENESS_SERIES_VARIABLE ? g_strconcat ("variable ", key, NULL)
                                                    : g_strdup (key);
  entry->name = g_strdup (name);
  entry->ink = ink;
  entry->visible = !tsr_chart_model_is_hidden (TSR_CHART_MODEL (self), entry->key);
  g_ptr_array_add (self->entries, entry);
}

/* Always-live bytes are part of the graph, as far as the options go. */
static gboolean
tsr_liveness_chart_wants_always (TsrLivenessChart *self)
{
  return self->options.include_always_live && self->series != NULL
         && self->series->always_live != TSR_UNKNOWN;
}

/* What is left for not-always-live bytes; TSR_UNKNOWN. */
static gint64
tsr_liveness_chart_get_room (TsrLivenessChart *self)
{
  if (self->series == NULL || self->series->capacity == TSR_UNKNOWN
      || self->series->always_live == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  return tsr_add_saturating (self->series->capacity, -MAX (self->series->always_live, 0), NULL);
}

static void
derive_entries (TsrLivenessChart *self)
{
  g_ptr_array_set_size (self->entries, 0);
  if (self->series == NULL)
    return;
  add_entry (self, TSR_LIVENESS_SERIES_NOT_ALWAYS, 0, "notAlwaysLive", _ ("Not always live"),
             TSR_INK_NOT_ALWAYS_LIVE);
  if (tsr_liveness_chart_wants_always (self))
    add_entry (self, TSR_LIVENESS_SERIES_ALWAYS, 0, "alwaysLive", _ ("Always live"),
               TSR_INK_ALWAYS_LIVE);
  if (self->options.show_max && tsr_liveness_chart_get_room (self) != TSR_UNKNOWN)
    add_entry (self, TSR_LIVENESS_SERIES_MAX, 0, "maxMemory",
               tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_ALWAYS, NULL) != NULL
                   ? _ ("Max memory")
                   : _ ("Max memory − always live"),
               TSR_INK_CAPACITY);
  if (self->excess != NULL)
    add_entry (self, TSR_LIVENESS_SERIES_EXCESS, 0, "need", _ ("Does not fit"), TSR_INK_OVERFLOW);
  if (self->tiles != NULL)
    add_entry (self, TSR_LIVENESS_SERIES_TILES, 0, "tiles",
               self->tiles_label != NULL ? self->tiles_label : _ ("Selected tiles"),
               TSR_INK_SELECTION);
  for (guint i = 0; i < self->lifetimes->len; i++)
    {
      const TsrLivenessLifetime *lifetime = g_ptr_array_index (self->lifetimes, i);

      add_entry (self, TSR_LIVENESS_SERIES_VARIABLE, i, lifetime->name, lifetime->name,
                 TSR_INK_MARK + i);
    }
}

/* ---------------------------------------------------------------- derived */

static gint64
largest (const TsrPyramid *pyramid, guint n)
{
  gint64 min;
  gint64 max;

  return pyramid != NULL && tsr_pyramid_get_range (pyramid, 0, n, &min, &max) ? MAX (max, 0) : 0;
}

/* Bytes of @step as the graph shows them, from 0; TSR_UNKNOWN. */
static gint64
tsr_liveness_chart_get_top (TsrLivenessChart *self, guint step)
{
  gint64 bytes = self->series->not_always_live[step];

  return bytes != TSR_UNKNOWN ? tsr_add_saturating (self->base, MAX (bytes, 0), NULL) : TSR_UNKNOWN;
}

/* The same of the line of selected tiles. */
static gint64
tsr_liveness_chart_get_tiles (TsrLivenessChart *self, guint step)
{
  gint64 bytes = step < self->tiles->n_steps ? self->tiles->not_always_live[step] : TSR_UNKNOWN;

  if (bytes == TSR_UNKNOWN || self->base == 0)
    return bytes;
  return self->tiles->always_live != TSR_UNKNOWN
             ? tsr_add_saturating (bytes, self->tiles->always_live, NULL)
             : TSR_UNKNOWN;
}

static void
clear_series (TsrLivenessChart *self)
{
  g_clear_pointer (&self->pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->excess_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->excess, g_free);
}

static void
clear_matches (TsrLivenessChart *self)
{
  g_clear_pointer (&self->matched_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->matched_excess_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->matched, g_free);
  g_clear_pointer (&self->matched_excess, g_free);
}

/* What belongs to the series alone: O(steps). */
static void
derive_series (TsrLivenessChart *self)
{
  gint64 room = tsr_liveness_chart_get_room (self);

  clear_series (self);
  if (self->series == NULL)
    return;
  self->pyramid = tsr_pyramid_new (self->series->not_always_live, self->n);
  if (room == TSR_UNKNOWN || largest (self->pyramid, self->n) <= room)
    return;
  self->excess = g_new (gint64, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++)
    {
      gint64 bytes = self->series->not_always_live[i];

      self->excess[i]
          = bytes != TSR_UNKNOWN ? MAX (tsr_add_saturating (bytes, -room, NULL), 0) : TSR_UNKNOWN;
    }
  self->excess_pyramid = tsr_pyramid_new (self->excess, self->n);
}

/* (transfer full): @values of the steps that pass the filter, the others unknown. */
static gint64 *
dup_matched (TsrLivenessChart *self, const gint64 *values)
{
  gint64 *matched = g_new (gint64, MAX (self->n, 1));

  for (guint i = 0; i < self->n; i++)
    matched[i] = self->matches[i] ? values[i] : TSR_UNKNOWN;
  return matched;
}

static void
derive_matches (TsrLivenessChart *self)
{
  clear_matches (self);
  if (self->series == NULL || self->matches == NULL)
    return;
  self->matched = dup_matched (self, self->series->not_always_live);
  self->matched_pyramid = tsr_pyramid_new (self->matched, self->n);
  if (self->excess == NULL)
    return;
  self->matched_excess = dup_matched (self, self->excess);
  self->matched_excess_pyramid = tsr_pyramid_new (self->matched_excess, self->n);
}

/* The memory of the source is beyond the axis where what is drawn would have less than this part of
 * it, 1 / LEAST_SHARE, unless the axis is to begin at zero. */
#define LEAST_SHARE 4

/* What is always live is the same at every step: the axis may begin there, unless a second line
 * runs below. */
static gint64
find_y_from (TsrLivenessChart *self, double top)
{
  gboolean tiles = tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_TILES, NULL) != NULL;

  if (self->options.from_zero || (tiles && self->tiles->always_live < self->base))
    return 0;
  return tsr_chart_frame_find_y_from (self->base, top);
}

static void
derive_axis (TsrLivenessChart *self)
{
  gboolean stacked = tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_ALWAYS, NULL) != NULL;
  gint64 room = tsr_liveness_chart_get_room (self);
  double top;

  self->base = stacked ? MAX (self->series->always_live, 0) : 0;
  self->level = TSR_UNKNOWN;
  if (room != TSR_UNKNOWN && (stacked || room >= 0))
    self->level = stacked ? self->series->capacity : room;
  top = (double)self->base;
  if (tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_NOT_ALWAYS, NULL) != NULL)
    top += largest (self->pyramid, self->n);
  if (tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_TILES, NULL) != NULL)
    top = MAX (top, (double)largest (self->tiles_pyramid, self->tiles->n_steps)
                        + (stacked ? MAX (self->tiles->always_live, 0) : 0));
  self->y_from = find_y_from (self, top);
  if (self->level != TSR_UNKNOWN
      && tsr_liveness_chart_find (self, TSR_LIVENESS_SERIES_MAX, NULL) != NULL
      && (self->options.from_zero
          || (top - self->y_from) * LEAST_SHARE >= (double)(self->level - self->y_from)))
    top = MAX (top, (double)self->level);
  self->y_from = find_y_from (self, top);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const TsrLivenessEntry *entry = g_ptr_array_index (self->entries, i);

      if (entry->kind == TSR_LIVENESS_SERIES_VARIABLE && entry->visible)
        {
          const TsrLivenessLifetime *lifetime
              = g_ptr_array_index (self->lifetimes, entry->lifetime);

          top = MAX (top, (double)self->y_from + lifetime->line->largest);
        }
    }
  /* Never so little that the two ends are one number. */
  self->y_to = (double)self->y_from
               + MAX ((top - self->y_from) * TSR_CHART_HEADROOM, MAX (1, self->y_from * 1e-12));
}

static void
derive (TsrLivenessChart *self)
{
  derive_entries (self);
  derive_axis (self);
}

/* ------------------------------------------------------------ chart model */

static void
liveness_chart_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);

  *from = 0;
  *to = MAX (self->n, 1);
  *min_span = MIN (*to, MIN_SPAN);
}

static guint32
liveness_chart_datum_at (TsrChartModel *model, double x)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);

  return self->series != NULL && x >= 0 && x < self->n ? (guint32)x : TSR_NO_DATUM;
}

/* A step that passes the filter stands before those that do not. */
static guint32
liveness_chart_datum_near (TsrChartModel *model, double from, double to)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  TsrStepData data = { .n = self->n };
  guint first;
  guint end;
  guint step;

  if (self->series == NULL || !(to > from))
    return TSR_NO_DATUM;
  data.top_pyramid = self->pyramid;
  tsr_step_layout_get_positions (from, to, self->n, &first, &end);
  if (self->matched_pyramid != NULL && first < end
      && tsr_pyramid_get_argmax (self->matched_pyramid, first, end) != TSR_NO_INDEX)
    data.top_pyramid = self->matched_pyramid;
  step = tsr_step_layout_position_at (&data, from, to);
  return step < self->n ? step : TSR_NO_DATUM;
}

static guint
liveness_chart_get_n_series (TsrChartModel *model)
{
  return TSR_LIVENESS_CHART (model)->entries->len;
}

static void
liveness_chart_get_series (TsrChartModel *model, guint i, TsrChartSeries *out)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  const TsrLivenessEntry *entry;

  g_return_if_fail (i < self->entries->len);
  entry = g_ptr_array_index (self->entries, i);
  *out = (TsrChartSeries){
    .name = entry->name,
    .key = entry->key,
    .ink = entry->ink,
    .filled = entry->kind == TSR_LIVENESS_SERIES_NOT_ALWAYS
              || entry->kind == TSR_LIVENESS_SERIES_ALWAYS
              || entry->kind == TSR_LIVENESS_SERIES_EXCESS,
    .visible = entry->visible,
    /* All of it is below where the axis begins. */
    .minor = entry->visible && entry->kind == TSR_LIVENESS_SERIES_ALWAYS && self->base > 0
             && self->y_from >= self->base,
    .kept = entry->kind == TSR_LIVENESS_SERIES_EXCESS || entry->ink == TSR_INK_CAPACITY,
  };
}

static void
liveness_chart_hidden_changed (TsrChartModel *model)
{
  derive (TSR_LIVENESS_CHART (model));
  tsr_chart_model_emit_series_changed (model);
}

/* ----------------------------------------------------------------- object */

static TsrStepSelection *
dup_selection (TsrStepSelection *selection)
{
  TsrStepSelection *copy;
  const guint *steps;
  guint n;

  if (selection == NULL)
    return NULL;
  copy = tsr_step_selection_new ();
  steps = tsr_step_selection_peek (selection, &n);
  tsr_step_selection_set (copy, steps, n);
  return copy;
}

static TsrChartModel *
liveness_chart_dup (TsrChartModel *model)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (model);
  g_autoptr (TsrStepSelection) selection = dup_selection (self->selection);
  TsrLivenessChart *copy = tsr_liveness_chart_new (self->liveness, selection);

  copy->options = self->options;
  tsr_chart_model_copy_hidden (TSR_CHART_MODEL (copy), model);
  if (self->structure != NULL)
    copy->structure = tsr_step_structure_ref (self->structure);
  for (guint i = 0; i < self->lifetimes->len; i++)
    {
      const TsrLivenessLifetime *lifetime = g_ptr_array_index (self->lifetimes, i);

      tsr_liveness_chart_add_lifetime (copy, lifetime->name, lifetime->spans);
    }
  tsr_liveness_chart_set_peaks (copy, self->peaks);
  tsr_liveness_chart_set_tiles_series (copy, self->tiles, self->tiles_label);
  tsr_liveness_chart_set_series (copy, self->series, self->source_label);
  tsr_liveness_chart_set_matches (copy, self->matches);
  return TSR_CHART_MODEL (copy);
}

static void
tsr_liveness_chart_finalize (GObject *object)
{
  TsrLivenessChart *self = TSR_LIVENESS_CHART (object);

  clear_series (self);
  clear_matches (self);
  g_clear_pointer (&self->tiles_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->series, tsr_liveness_series_unref);
  g_clear_pointer (&self->tiles, tsr_liveness_series_unref);
  g_clear_pointer (&self->structure, tsr_step_structure_unref);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  g_clear_pointer (&self->peaks, g_array_unref);
  g_ptr_array_unref (self->lifetimes);
  g_ptr_array_unref (self->entries);
  g_free (self->matches);
  g_free (self->source_label);
  g_free (self->tiles_label);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tsr_liveness_chart_parent_class)->finalize (object);
}

static void
tsr_liveness_chart_class_init (TsrLivenessChartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  object_class->finalize = tsr_liveness_chart_finalize;
  model_class->get_domain = liveness_chart_get_domain;
  model_class->layout = tsr_liveness_chart_layout;
  model_class->layout_overlay = tsr_liveness_chart_layout_overlay;
  model_class->layout_overview = tsr_liveness_chart_layout_overview;
  model_class->datum_at = liveness_chart_datum_at;
  model_class->datum_near = liveness_chart_datum_near;
  model_class->describe = tsr_liveness_chart_describe;
  model_class->dup_caption = tsr_liveness_chart_dup_caption;
  model_class->get_n_series = liveness_chart_get_n_series;
  model_class->get_series = liveness_chart_get_series;
  model_class->hidden_changed = liveness_chart_hidden_changed;
  model_class->write_csv = tsr_liveness_chart_write_csv;
  model_class->dup = liveness_chart_dup;
}

static void
tsr_liveness_chart_init (TsrLivenessChart *self)
{
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->lifetimes = g_ptr_array_new_with_free_func (lifetime_free);
  self->options.include_always_live = TRUE;
  self->options.show_max = TRUE;
  self->options.structure = TRUE;
  self->level = TSR_UNKNOWN;
  self->y_to = 1;
}

TsrLivenessChart *
tsr_liveness_chart_new (TsrLiveness *liveness, TsrStepSelection *selection)
{
  TsrLivenessChart *self;

  g_return_val_if_fail (liveness != NULL, NULL);
  g_return_val_if_fail (selection == NULL || TSR_IS_STEP_SELECTION (selection), NULL);

  self = g_object_new (TSR_TYPE_LIVENESS_CHART, NULL);
  self->liveness = tsr_liveness_ref (liveness);
  self->n = tsr_liveness_get_n_steps (liveness);
  if (selection != NULL)
    {
      self->selection = g_object_ref (selection);
      g_signal_connect_object (selection, "steps-changed",
                               G_CALLBACK (tsr_chart_model_emit_overlay_changed), self,
                               G_CONNECT_SWAPPED);
    }
  return self;
}

void
tsr_liveness_chart_set_series (TsrLivenessChart *self,
                               TsrLivenessSeries *series,
                               const char *source_label)
{
  guint n;

  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));

  n = tsr_liveness_get_n_steps (self->liveness);
  if (series != NULL)
    tsr_liveness_series_ref (series);
  g_clear_pointer (&self->series, tsr_liveness_series_unref);
  self->series = series;
  if (series != NULL)
    n = series->n_steps;
  if (g_strcmp0 (self->source_label, source_label) != 0)
    {
      g_free (self->source_label);
      self->source_label = g_strdup (source_label);
    }
  if (n != self->n)
    {
      self->n = n;
      g_clear_pointer (&self->matches, g_free);
      g_clear_pointer (&self->structure, tsr_step_structure_unref);
      tsr_chart_model_emit_domain_changed (TSR_CHART_MODEL (self));
    }
  derive_series (self);
  derive_matches (self);
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

TsrLivenessSeries *
tsr_liveness_chart_get_series (TsrLivenessChart *self)
{
  g_return_val_if_fail (TSR_IS_LIVENESS_CHART (self), NULL);
  return self->series;
}

void
tsr_liveness_chart_set_options (TsrLivenessChart *self, const TsrLivenessChartOptions *options)
{
  TsrLivenessChartOptions *old;

  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  g_return_if_fail (options != NULL);

  old = &self->options;
  if (!old->include_always_live == !options->include_always_live
      && !old->show_max == !options->show_max && !old->from_zero == !options->from_zero
      && !old->structure == !options->structure && old->units == options->units)
    return;
  self->options = *options;
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

void
tsr_liveness_chart_get_options (TsrLivenessChart *self, TsrLivenessChartOptions *options)
{
  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  *options = self->options;
}

void
tsr_liveness_chart_set_matches (TsrLivenessChart *self, const guint8 *matches)
{
  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  if (matches == NULL && self->matches == NULL)
    return;
  g_free (self->matches);
  self->matches = matches != NULL ? g_memdup2 (matches, self->n) : NULL;
  derive_matches (self);
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_liveness_chart_clear_lifetimes (TsrLivenessChart *self)
{
  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  if (self->lifetimes->len == 0)
    return;
  g_ptr_array_set_size (self->lifetimes, 0);
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

void
tsr_liveness_chart_add_lifetime (TsrLivenessChart *self, const char *name, GArray *lifetimes)
{
  TsrLivenessLifetime *lifetime;

  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  g_return_if_fail (name != NULL && lifetimes != NULL);
  if (self->lifetimes->len >= TSR_MAX_LIFETIMES)
    return;
  lifetime = g_new0 (TsrLivenessLifetime, 1);
  lifetime->name = g_strdup (name);
  lifetime->spans = g_array_ref (lifetimes);
  lifetime->line = tsr_lifetime_line_new (lifetimes, self->n);
  g_ptr_array_add (self->lifetimes, lifetime);
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

void
tsr_liveness_chart_set_tiles_series (TsrLivenessChart *self,
                                     TsrLivenessSeries *series,
                                     const char *label)
{
  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  if (series == NULL && self->tiles == NULL)
    return;
  if (series != NULL)
    tsr_liveness_series_ref (series);
  g_clear_pointer (&self->tiles_pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->tiles, tsr_liveness_series_unref);
  self->tiles = series;
  if (series != NULL)
    self->tiles_pyramid = tsr_pyramid_new (series->not_always_live, series->n_steps);
  if (g_strcmp0 (self->tiles_label, label) != 0)
    {
      g_free (self->tiles_label);
      self->tiles_label = g_strdup (label);
    }
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

void
tsr_liveness_chart_set_peaks (TsrLivenessChart *self, GArray *peaks)
{
  g_return_if_fail (TSR_IS_LIVENESS_CHART (self));
  if (peaks == NULL && self->peaks == NULL)
    return;
  if (peaks != NULL)
    g_array_ref (peaks);
  g_clear_pointer (&self->peaks, g_array_unref);
  self->peaks = peaks;
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

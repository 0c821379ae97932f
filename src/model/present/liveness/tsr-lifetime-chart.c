/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lifetimes: what is shown, in which order and colour.  Rows are shared with copies that are
 * exported in a worker. */

#include "config.h"

#include "tsr-category.h"
#include "tsr-chart-frame.h"
#include "tsr-elide.h"
#include "tsr-json-writer.h"
#include "tsr-lifetime-rows-private.h"
#include "tsr-pyramid.h"
#include "tsr-step-layout.h"
#include "tsr-step-lines.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define TSR_MAX_LIFETIME_GROUPS 10 /* with a colour of their own */

typedef struct
{
  char *name;
  guint ink;
  gint64 bytes;
  gboolean visible;
} TsrLifetimeGroup;

struct _TsrLifetimeChart
{
  TsrChartModel parent_instance;

  TsrLiveness *liveness;
  TsrStepSelection *selection; /* (nullable) */
  TsrLifetimeRows *rows;       /* (nullable); shared with copies */
  TsrLifetimeOrder order;
  TsrLifetimeColour colour;
  double first_row, row_height;
  GHashTable *hidden; /* names of groups */

  /* Derived. */
  GPtrArray *groups; /* TsrLifetimeGroup, most bytes first */
  guint8 *group;     /* of each row */
  gint64 *weight;    /* by place: what stands for its neighbours; TSR_UNKNOWN: hidden */
  TsrPyramid *pyramid;
};

/* The row at a place below rows->n. */
static inline guint32
tsr_lifetime_chart_row_of (const TsrLifetimeChart *self, guint place)
{
  return self->rows->order[self->order][place];
}

/* The lifetimes in words: what a row's callout and the caption say, and the rows of the CSV. */

#define MAX_SPANS 6 /* of a callout */

/* "10–19, 30, 700–1,199 (2 more)". */
static void
append_spans (const TsrLifetimeRows *rows, guint32 row, GString *out)
{
  gsize n = rows->start[row + 1] - rows->start[row];

  for (gsize i = 0; i < MIN (n, MAX_SPANS); i++)
    {
      gsize at = rows->start[row] + i;
      g_autofree char *from = tsr_units_dup_count (rows->from[at]);
      g_autofree char *last = tsr_units_dup_count (rows->to[at] - 1);

      g_string_append (out, i > 0 ? ", " : " ");
      g_string_append (out, from);
      if (rows->to[at] - 1 > rows->from[at])
        g_string_append_printf (out, "–%s", last);
    }
  if (n > MAX_SPANS)
    {
      g_autofree char *more = tsr_units_dup_count (n - MAX_SPANS);

      g_string_append_printf (
          out, g_dngettext (GETTEXT_PACKAGE, " (%s more)", " (%s more)", n - MAX_SPANS), more);
    }
}

static char *
tsr_lifetime_chart_describe (TsrChartModel *model, guint32 datum)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  TsrVariables *variables = tsr_liveness_get_variables (self->liveness);
  g_autofree char *bytes = NULL;
  const char *category, *life;
  guint32 row;
  guint variable;
  GString *out;

  if (self->rows == NULL || datum >= self->rows->n)
    return NULL;
  row = tsr_lifetime_chart_row_of (self, datum);
  variable = self->rows->variable[row];
  out = g_string_new (tsr_variables_get_name (variables, variable));
  if (self->rows->bytes[row] != TSR_UNKNOWN)
    {
      bytes = tsr_units_dup_bytes_exact (self->rows->bytes[row]);
      g_string_append_printf (out, _ ("\nMost bytes at a step: %s"), bytes);
    }
  else
    g_string_append (out, _ ("\nBytes: not recorded"));
  g_string_append (out, _ ("\nLive at steps"));
  append_spans (self->rows, row, out);
  life = tsr_life_get_name (tsr_variables_get_life (variables, variable));
  g_string_append_printf (out, "\n%s", life != NULL ? life : _ ("Not known when it is live"));
  category = tsr_variables_get_category (variables, variable);
  if (category != NULL)
    g_string_append_printf (out, _ ("\nCategory: %s"), tsr_category_get_label (category));
  return g_string_free (out, FALSE);
}

static char *
tsr_lifetime_chart_dup_caption (TsrChartModel *model)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  guint n = tsr_lifetime_chart_get_n_rows (self);
  g_autofree char *count = tsr_units_dup_count (n);
  g_autofree char *text = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "When %s variable is live", "When %s variables are live", n),
      count);

  if (self->rows == NULL)
    return g_steal_pointer (&text);
  return g_strdup_printf ("%s, %s", text, self->rows->source_label);
}

/* A row for each interval of a row that is live in [from, to), in the order shown. */
static void
tsr_lifetime_chart_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  TsrVariables *variables = tsr_liveness_get_variables (self->liveness);
  static const char *const head[] = { "name", "bytes", "firstStep", "lastStep", "category" };

  tsr_csv_append_row (out, G_N_ELEMENTS (head), head);
  for (guint place = 0; self->rows != NULL && place < self->rows->n; place++)
    {
      guint32 row = tsr_lifetime_chart_row_of (self, place);
      guint variable = self->rows->variable[row];
      const TsrLifetimeGroup *group = g_ptr_array_index (self->groups, self->group[row]);
      const char *category = tsr_variables_get_category (variables, variable);
      g_autofree char *bytes = self->rows->bytes[row] != TSR_UNKNOWN
                                   ? g_strdup_printf ("%" G_GINT64_FORMAT, self->rows->bytes[row])
                                   : g_strdup ("");

      for (gsize i = self->rows->start[row]; group->visible && i < self->rows->start[row + 1]; i++)
        {
          g_autofree char *first = g_strdup_printf ("%u", self->rows->from[i]);
          g_autofree char *last = g_strdup_printf ("%u", self->rows->to[i] - 1);
          const char *fields[] = { tsr_variables_get_name (variables, variable), bytes, first, last,
                                   category != NULL ? category : "" };

          if (self->rows->to[i] > from && self->rows->from[i] < to)
            tsr_csv_append_row (out, G_N_ELEMENTS (fields), fields);
        }
    }
}

/* Bars of the rows that are visible.  A bar is found from one pixel column to the next by binary
 * search, so that a row costs at most its columns, whatever the number of its intervals.  Where
 * rows are thinner than a pixel, the pyramid tells which one stands for its neighbours.  Bars are
 * rectangles as long as they are few, else one raster of the same pixels. */

#define MARGIN       12.0
#define AXIS_ROOM    22.0 /* ticks and their labels */
#define TOP          4.0  /* half a line of a name in a low row */
#define MAX_RECTS    2400
#define LABEL_HEIGHT 12.0 /* of a row that has its name in it */
#define LABEL_PAD    4.0
#define NEIGHBOURS   24   /* rows above and below that a name differs from */
#define MIN_LABEL    40.0 /* pixels of a name that is cropped */
#define GAP_HEIGHT   4.0  /* of a row, from which on bars stand apart */
#define PALE_WIDTH   24.0 /* pixels of a bar that may have text on it */
#define NAMED_ALPHA  0.45 /* of a bar that has text on it */
#define MAX_NAMES    250

typedef struct
{
  TsrLifetimeChart *chart;
  const TsrChartGeometry *geometry;
  const TsrPlotArea *area;
  TsrDrawList *list;
  TsrDrawRaster *raster;     /* (nullable) */
  guint n_columns, n_pixels; /* across, down */
  double per;                /* steps in a column */
  guint n_rects;
} Layout;

/* Columns from and to of a bar. */
typedef struct
{
  guint from, to;
} Run;

/* ------------------------------------------------------------------- bars */

/* First column of @step, and the end of its columns: as tsr_step_layout_get_positions deals them.
 */
static double
get_column (const Layout *self, double step)
{
  double at = (step - self->geometry->from) / self->per;

  return self->per < 1 ? ceil (at - 0.5) : floor ((step + 0.5 - self->geometry->from) / self->per);
}

static double
get_end_column (const Layout *self, double end)
{
  return self->per < 1 ? ceil ((end - self->geometry->from) / self->per - 0.5)
                       : floor ((end - 0.5 - self->geometry->from) / self->per) + 1;
}

/* The first interval in [low, high) that ends after @step. */
static gsize
find_after (const TsrLifetimeRows *rows, gsize low, gsize high, double step)
{
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (rows->to[middle] > step)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* The next bar of @row at or after column run->to; FALSE when there is none. */
static gboolean
next_run (const Layout *self, guint32 row, gsize *interval, Run *run)
{
  const TsrLifetimeRows *rows = self->chart->rows;
  gsize end = rows->start[row + 1];
  guint before = run->to;
  gboolean any = FALSE;

  for (;;)
    {
      double first;
      double last;
      double at = self->geometry->from + run->to * self->per - 0.5;

      /* A step belongs to a column by its middle when it shares it. */
      *interval = find_after (rows, *interval, end, self->per < 1 ? at + 0.5 : ceil (at));
      if (*interval >= end)
        return any;
      first = MAX (get_column (self, rows->from[*interval]), before);
      last = MIN (get_end_column (self, rows->to[*interval]), self->n_columns);
      if (first >= self->n_columns || (any && first > run->to))
        return any;
      if (last <= first || last <= run->to)
        {
          ++*interval;
          continue;
        }
      if (!any)
        run->from = (guint)first;
      run->to = (guint)last;
      any = TRUE;
      if (run->to >= self->n_columns)
        return TRUE;
    }
}

/* FALSE when there are more than a frame has time for as rectangles. */
static gboolean
add_bar (
    Layout *self, const Run *run, guint top, guint bottom, guint ink, double alpha, guint place)
{
  double scale = self->geometry->scale;
  TsrDrawItem *item;

  if (self->raster != NULL)
    {
      for (guint y = top; y < MIN (bottom, self->raster->height); y++)
        memset (self->raster->inks + (gsize)y * self->raster->width + run->from, ink,
                MIN (run->to, self->raster->width) - run->from);
      return TRUE;
    }
  if (++self->n_rects > MAX_RECTS)
    return FALSE;
  item = tsr_draw_list_rect (self->list, ink, self->area->x + run->from / scale,
                             self->area->y + top / scale, (run->to - run->from) / scale,
                             (bottom - top) / scale);
  item->alpha = (run->to - run->from) / scale >= PALE_WIDTH ? alpha : 1;
  item->datum = place;
  return TRUE;
}

/* @top, @bottom: device pixels of the plot. */
static gboolean
add_row (Layout *self, guint place, guint top, guint bottom, double alpha)
{
  TsrLifetimeChart *chart = self->chart;
  guint32 row = tsr_lifetime_chart_row_of (chart, place);
  const TsrLifetimeGroup *group = g_ptr_array_index (chart->groups, chart->group[row]);
  gsize interval = chart->rows->start[row];
  Run run = { 0, 0 };

  if (!group->visible)
    return TRUE;
  while (run.to < self->n_columns && next_run (self, row, &interval, &run))
    if (!add_bar (self, &run, top, bottom, group->ink, alpha, place))
      return FALSE;
  return TRUE;
}

/* Device pixels of @place's row; FALSE when it is not visible. */
static gboolean
get_row_pixels (const Layout *self, guint place, guint *top, guint *bottom)
{
  double height = self->chart->row_height * self->geometry->scale;
  double from = (place - self->chart->first_row) * height;
  double to = from + height;
  double gap = self->chart->row_height >= GAP_HEIGHT ? MAX (floor (self->geometry->scale), 1) : 0;

  from = floor (from + 0.5);
  to = MAX (floor (to + 0.5) - gap, from + 1);
  if (to <= 0 || from >= self->n_pixels)
    return FALSE;
  *top = (guint)MAX (from, 0);
  *bottom = (guint)MIN (to, self->n_pixels);
  return TRUE;
}

/* Rows that are at least a pixel high. */
static gboolean
add_rows (Layout *self)
{
  TsrLifetimeChart *chart = self->chart;
  double alpha = chart->row_height >= LABEL_HEIGHT ? NAMED_ALPHA : 1;
  guint first = (guint)MIN (floor (chart->first_row), chart->rows->n);

  for (guint place = first; place < chart->rows->n; place++)
    {
      guint top;
      guint bottom;

      if (!get_row_pixels (self, place, &top, &bottom))
        {
          if ((place - chart->first_row) * chart->row_height > self->area->height)
            break;
          continue;
        }
      if (!add_row (self, place, top, bottom, alpha))
        return FALSE;
    }
  return TRUE;
}

/* Places lie far from one another, and each leads from table to table: every table is asked for all
 * of them before the next one is. */
static void
prefetch_rows (const Layout *self, const guint32 *places)
{
  const TsrLifetimeRows *rows = self->chart->rows;
  const guint32 *order = rows->order[self->chart->order];

  for (guint y = 0; y < self->n_pixels; y++)
    if (places[y] != TSR_NO_INDEX)
      __builtin_prefetch (&order[places[y]]);
  for (guint y = 0; y < self->n_pixels; y++)
    if (places[y] != TSR_NO_INDEX)
      {
        __builtin_prefetch (&rows->start[order[places[y]]]);
        __builtin_prefetch (&self->chart->group[order[places[y]]]);
      }
  for (guint y = 0; y < self->n_pixels; y++)
    if (places[y] != TSR_NO_INDEX)
      {
        gsize start = rows->start[order[places[y]]];

        __builtin_prefetch (&rows->from[start]);
        __builtin_prefetch (&rows->to[start]);
      }
}

/* Rows that share pixels: the one with the most bytes stands for its neighbours. */
static gboolean
add_shared_rows (Layout *self)
{
  TsrLifetimeChart *chart = self->chart;
  double rows = 1 / (chart->row_height * self->geometry->scale); /* in a pixel */
  g_autofree guint *first = g_new (guint, self->n_pixels);
  g_autofree guint *end = g_new (guint, self->n_pixels);
  g_autofree gint64 *weights = g_new (gint64, self->n_pixels);
  g_autofree guint32 *places = g_new (guint32, self->n_pixels);

  for (guint y = 0; y < self->n_pixels; y++)
    tsr_step_layout_get_positions (chart->first_row + y * rows, chart->first_row + (y + 1) * rows,
                                   chart->rows->n, &first[y], &end[y]);
  tsr_pyramid_list_max (chart->pyramid, self->n_pixels, first, end, weights, places);
  prefetch_rows (self, places);
  for (guint y = 0; y < self->n_pixels; y++)
    if (places[y] != TSR_NO_INDEX && !add_row (self, places[y], y, y + 1, 1))
      return FALSE;
  return TRUE;
}

static gboolean
add_bars (Layout *self)
{
  return self->chart->row_height * self->geometry->scale < 1 ? add_shared_rows (self)
                                                             : add_rows (self);
}

/* ------------------------------------------------------------------ names */

/* Columns that have no bar, or a bar that text may stand on. */
static void
take_room (Run *best, gboolean *fits, guint from, guint to, double needed)
{
  if (*fits || to <= from)
    return;
  *fits = to - from >= needed;
  /* Not for a few pixels more: names stay together at the left. */
  if (*fits || to - from > (best->to - best->from) * 1.25)
    *best = (Run){ from, to };
}

/* Inside the first bar that has room, else in the first gap behind a bar, else cropped in the
 * widest of all. */
static Run
find_room (const Layout *self, guint32 row, double needed)
{
  gsize interval = self->chart->rows->start[row];
  Run run = { 0, 0 };
  Run gap = { 0, 0 };
  guint before = 0;
  gboolean fits = FALSE;

  while (run.to < self->n_columns && next_run (self, row, &interval, &run))
    {
      if (run.to - run.from >= needed)
        return run;
      if (before > 0)
        take_room (&gap, &fits, before, run.from, needed);
      before = run.to;
    }
  if (before > 0)
    take_room (&gap, &fits, before, self->n_columns, needed);
  return gap;
}

static double
get_name_size (const TsrLifetimeChart *chart)
{
  return MIN (TSR_AXIS_FONT_SIZE, chart->row_height - 3);
}

static const char *
get_name (const TsrLifetimeChart *chart, guint place)
{
  return tsr_variables_get_name (tsr_liveness_get_variables (chart->liveness),
                                 chart->rows->variable[tsr_lifetime_chart_row_of (chart, place)]);
}

static double
measure_name (gpointer data, const char *text)
{
  const Layout *self = data;
  double width;

  self->geometry->measure.measure (self->geometry->measure.data, text, get_name_size (self->chart),
                                   FALSE, &width, NULL);
  return width;
}

/* (nullable): the name as far as there is room, unlike those about it that are seen: the more names
 * it has to differ from, the less of it differs from all. */
static char *
shorten_name (Layout *self, guint place, double room)
{
  const TsrLifetimeChart *chart = self->chart;
  guint first = (guint)MIN (floor (chart->first_row), chart->rows->n);
  guint seen = first + (guint)ceil (self->area->height / chart->row_height);
  const char *others[2 * NEIGHBOURS + 1];
  guint n = 0;

  for (guint i = MAX (first, place > NEIGHBOURS ? place - NEIGHBOURS : 0);
       i < MIN (seen, chart->rows->n) && i <= place + NEIGHBOURS; i++)
    others[n++] = get_name (chart, i);
  return tsr_elide_dup (get_name (self->chart, place), others, n, room, measure_name, self);
}

static gboolean
add_name (Layout *self, guint place, guint top, guint bottom)
{
  TsrLifetimeChart *chart = self->chart;
  double scale = self->geometry->scale;
  const char *name = get_name (chart, place);
  double width = measure_name (self, name);
  Run run
      = find_room (self, tsr_lifetime_chart_row_of (chart, place), (width + 2 * LABEL_PAD) * scale);
  double room = (run.to - run.from) / scale - 2 * LABEL_PAD;
  g_autofree char *shorter = NULL;
  TsrDrawItem *item;

  if (room < MIN (width, MIN_LABEL))
    return FALSE;
  if (room < width && (shorter = shorten_name (self, place, room)) == NULL)
    return FALSE;
  item = tsr_draw_list_label (
      self->list, TSR_INK_TEXT, self->area->x + run.from / scale + LABEL_PAD,
      self->area->y + (top + bottom) / 2.0 / scale, 0, 0.5, shorter != NULL ? shorter : name);
  item->font_size = get_name_size (chart);
  item->datum = place;
  return TRUE;
}

static void
add_names (Layout *self)
{
  TsrLifetimeChart *chart = self->chart;
  guint n = 0;

  if (chart->row_height < LABEL_HEIGHT)
    return;
  for (guint place = (guint)MIN (floor (chart->first_row), chart->rows->n);
       place < chart->rows->n && n < MAX_NAMES; place++)
    {
      guint32 row = tsr_lifetime_chart_row_of (chart, place);
      const TsrLifetimeGroup *group = g_ptr_array_index (chart->groups, chart->group[row]);
      guint top;
      guint bottom;

      if (!get_row_pixels (self, place, &top, &bottom)
          || (bottom - top) / self->geometry->scale < LABEL_HEIGHT - 2)
        {
          if ((place - chart->first_row) * chart->row_height > self->area->height)
            break;
          continue; /* cut by an edge */
        }
      if (group->visible)
        n += add_name (self, place, top, bottom);
    }
}

/* ----------------------------------------------------------------- layout */

static void
layout_bars (TsrLifetimeChart *self,
             const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             TsrDrawList *list)
{
  Layout layout = { .chart = self, .geometry = geometry, .area = area, .list = list };
  guint before = list->items->len;

  layout.n_columns = tsr_step_lines_count_columns (geometry, area, &layout.per);
  layout.n_pixels = (guint)MAX (floor (area->height * geometry->scale + 0.5), 0);
  if (layout.n_columns == 0 || layout.n_pixels == 0)
    return;
  if (!add_bars (&layout))
    {
      g_array_set_size (list->items, before);
      layout.raster = tsr_draw_list_raster (list, area->x, area->y, area->width, area->height,
                                            geometry->scale);
      add_bars (&layout);
      if (self->row_height >= LABEL_HEIGHT)
        g_array_index (list->items, TsrDrawItem, before).alpha = NAMED_ALPHA;
    }
  add_names (&layout);
}

/* Members of TsrChartModelClass. */
static void
tsr_lifetime_chart_layout (TsrChartModel *model,
                           const TsrChartGeometry *geometry,
                           TsrDrawList *list,
                           TsrPlotArea *area)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  double top = tsr_chart_frame_layout_head (model, geometry, list);

  area->x = tsr_draw_list_snap (MARGIN, geometry->scale);
  area->y = tsr_draw_list_snap (top + TOP, geometry->scale);
  area->width = tsr_draw_list_snap (geometry->width - MARGIN, geometry->scale) - area->x;
  area->height = tsr_draw_list_snap (geometry->height - AXIS_ROOM, geometry->scale) - area->y;
  area->y_from = 0;
  area->y_to = 1;
  if (area->width < 8 || area->height < 8)
    {
      area->width = area->height = 0;
      return;
    }
  if (!(geometry->to > geometry->from))
    return;
  if (self->rows != NULL && self->rows->n > 0)
    layout_bars (self, geometry, area, list);
  tsr_draw_list_rect (list, TSR_INK_AXIS, area->x, area->y + area->height, area->width,
                      1 / geometry->scale);
  tsr_chart_frame_layout_index (geometry, area, FALSE, list);
}

/* ---------------------------------------------------------------- overlay */

guint32
tsr_lifetime_chart_row_at (TsrLifetimeChart *self,
                           const TsrChartGeometry *geometry,
                           const TsrPlotArea *area,
                           double y)
{
  double scale;
  double height;
  guint first;
  guint end;
  guint place;

  g_return_val_if_fail (TSR_IS_LIFETIME_CHART (self), TSR_NO_DATUM);
  g_return_val_if_fail (geometry != NULL && area != NULL, TSR_NO_DATUM);
  scale = geometry->scale;
  if (self->rows == NULL || !(y >= area->y && y < area->y + area->height))
    return TSR_NO_DATUM;
  height = self->row_height * scale;
  if (height >= 1)
    {
      double at = floor (self->first_row + (y - area->y) / self->row_height);

      return at >= 0 && at < self->rows->n ? (guint32)at : TSR_NO_DATUM;
    }
  y = floor ((y - area->y) * scale);
  tsr_step_layout_get_positions (self->first_row + y / height, self->first_row + (y + 1) / height,
                                 self->rows->n, &first, &end);
  place = first < end ? tsr_pyramid_get_argmax (self->pyramid, first, end) : TSR_NO_INDEX;
  return place != TSR_NO_INDEX ? place : TSR_NO_DATUM;
}

static void
add_frame (const Layout *self, guint place, guint ink)
{
  double scale = self->geometry->scale;
  double line = MAX (floor (scale), 1) / scale;
  const TsrPlotArea *area = self->area;
  guint top;
  guint bottom;
  double y0;
  double y1;
  TsrDrawItem *item;

  if (place >= self->chart->rows->n || !get_row_pixels (self, place, &top, &bottom))
    return;
  y0 = area->y + top / scale;
  y1 = area->y + bottom / scale;
  item = tsr_draw_list_rect (self->list, ink, area->x, y0, area->width, y1 - y0);
  item->alpha = 0.12;
  item->datum = place;
  tsr_draw_list_rect (self->list, ink, area->x, y0, area->width, line);
  if (y1 - line > y0)
    tsr_draw_list_rect (self->list, ink, area->x, y1 - line, area->width, line);
}

/* Rows of the variables that are selected, each in the ink of its line over the graph. */
static void
add_selected (const Layout *self)
{
  TsrLifetimeChart *chart = self->chart;
  const char *const *names = tsr_step_selection_peek_variables (chart->selection);
  TsrVariables *variables = tsr_liveness_get_variables (chart->liveness);

  for (guint i = 0; names[i] != NULL && i < TSR_N_MARK_INKS; i++)
    {
      guint variable = tsr_variables_find (variables, names[i]);

      for (guint place = 0; variable != TSR_NO_INDEX && place < chart->rows->n; place++)
        if (chart->rows->variable[tsr_lifetime_chart_row_of (chart, place)] == variable)
          {
            add_frame (self, place, TSR_INK_MARK + i);
            break;
          }
    }
}

static void
add_steps (const Layout *self)
{
  guint n;
  const guint *steps = tsr_step_selection_peek (self->chart->selection, &n);
  double line = MAX (floor (self->geometry->scale), 1) / self->geometry->scale;

  for (guint i = 0; i < n; i++)
    {
      double left;
      double right;

      if (tsr_step_layout_get_edges (self->geometry, self->area, steps[i], &left, &right))
        tsr_draw_list_rect (self->list, TSR_INK_MARK + i % TSR_N_MARK_INKS,
                            tsr_draw_list_snap ((left + right - line) / 2, self->geometry->scale),
                            self->area->y, line, self->area->height);
    }
}

static void
tsr_lifetime_chart_layout_overlay (TsrChartModel *model,
                                   const TsrChartGeometry *geometry,
                                   const TsrPlotArea *area,
                                   guint32 hover,
                                   guint32 cursor,
                                   TsrDrawList *list)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  Layout layout = { .chart = self, .geometry = geometry, .area = area, .list = list };

  if (self->rows == NULL || area->width <= 0 || !(geometry->to > geometry->from))
    return;
  layout.n_columns = tsr_step_lines_count_columns (geometry, area, &layout.per);
  layout.n_pixels = (guint)MAX (floor (area->height * geometry->scale + 0.5), 0);
  if (self->selection != NULL)
    {
      add_selected (&layout);
      add_steps (&layout);
    }
  if (cursor != TSR_NO_DATUM)
    add_frame (&layout, cursor, TSR_INK_HOVER);
  if (hover != TSR_NO_DATUM && hover != cursor)
    add_frame (&layout, hover, TSR_INK_HOVER);
}

#define MIN_SPAN   8 /* steps, as in the liveness graph */
#define ROW_HEIGHT 14.0
#define MAX_DEPTH  4 /* of prefixes, until there are two */

G_DEFINE_FINAL_TYPE (TsrLifetimeChart, tsr_lifetime_chart, TSR_TYPE_CHART_MODEL)

/* ----------------------------------------------------------------- groups */

static void
group_free (gpointer data)
{
  TsrLifetimeGroup *group = data;

  g_free (group->name);
  g_free (group);
}

/* (transfer full): what gives row @row its colour. */
static char *
dup_key (TsrLifetimeChart *self, guint row, guint depth)
{
  TsrVariables *variables = tsr_liveness_get_variables (self->liveness);
  guint variable = self->rows->variable[row];
  const char *text;

  if (self->colour == TSR_LIFETIME_COLOUR_PREFIX)
    return tsr_name_dup_prefix (tsr_variables_get_name (variables, variable), depth);
  text = tsr_variables_get_category (variables, variable);
  return g_strdup (text != NULL ? tsr_category_get_label (text) : _ ("No category"));
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const TsrLifetimeGroup *x = *(TsrLifetimeGroup *const *)a;
  const TsrLifetimeGroup *y = *(TsrLifetimeGroup *const *)b;

  return x->bytes != y->bytes ? (x->bytes > y->bytes ? -1 : 1) : g_strcmp0 (x->name, y->name);
}

/* Groups at @depth with the bytes of their rows; *of: the group of each row. */
static GPtrArray *
list_groups (TsrLifetimeChart *self, guint depth, TsrLifetimeGroup **of)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  TsrVariables *variables = tsr_liveness_get_variables (self->liveness);

  for (guint i = 0; i < self->rows->n; i++)
    {
      g_autofree char *key = dup_key (self, i, depth);
      TsrLifetimeGroup *group = g_hash_table_lookup (known, key);

      if (group == NULL)
        {
          group = g_new0 (TsrLifetimeGroup, 1);
          group->name = g_steal_pointer (&key);
          group->ink = tsr_palette_get_category_ink (
              tsr_variables_get_category (variables, self->rows->variable[i]));
          g_hash_table_insert (known, group->name, group);
          g_ptr_array_add (groups, group);
        }
      if (self->rows->bytes[i] != TSR_UNKNOWN)
        group->bytes = tsr_add_saturating (group->bytes, self->rows->bytes[i], NULL);
      of[i] = group;
    }
  return groups;
}

/* Of prefixes by their names, of categories as everywhere. */
static void
choose_inks (TsrLifetimeChart *self, const GPtrArray *groups, guint n)
{
  g_autofree const char **names = g_new (const char *, MAX (n, 1));
  g_autofree guint8 *slots = g_malloc (MAX (n, 1));

  if (self->colour != TSR_LIFETIME_COLOUR_PREFIX)
    return;
  for (guint i = 0; i < n; i++)
    names[i] = ((const TsrLifetimeGroup *)g_ptr_array_index (groups, i))->name;
  tsr_palette_place_names (names, n, slots);
  for (guint i = 0; i < n; i++)
    ((TsrLifetimeGroup *)g_ptr_array_index (groups, i))->ink = TSR_INK_NAME + slots[i];
}

/* The largest have a colour each, the rest share one. */
static void
derive_groups (TsrLifetimeChart *self)
{
  g_autofree TsrLifetimeGroup **of = g_new (TsrLifetimeGroup *, MAX (self->rows->n, 1));
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GHashTable) place = g_hash_table_new (NULL, NULL);
  g_autofree char *others = NULL;
  guint n;

  for (guint depth = 1; depth <= MAX_DEPTH; depth++)
    {
      g_clear_pointer (&all, g_ptr_array_unref);
      all = list_groups (self, depth, of);
      if (all->len > 1 || self->colour != TSR_LIFETIME_COLOUR_PREFIX)
        break;
    }
  g_ptr_array_sort (all, compare_groups);
  n = all->len <= TSR_MAX_LIFETIME_GROUPS ? all->len : TSR_MAX_LIFETIME_GROUPS - 1;
  choose_inks (self, all, n);
  g_ptr_array_set_size (self->groups, 0);
  for (guint i = 0; i < all->len; i++)
    g_hash_table_insert (place, g_ptr_array_index (all, i), GUINT_TO_POINTER (MIN (i, n)));
  self->group = g_renew (guint8, self->group, MAX (self->rows->n, 1));
  for (guint i = 0; i < self->rows->n; i++)
    self->group[i] = GPOINTER_TO_UINT (g_hash_table_lookup (place, of[i]));
  others = tsr_units_dup_count (all->len - n);
  for (guint i = 0; i < MIN (n + 1, all->len); i++)
    {
      const TsrLifetimeGroup *from = g_ptr_array_index (all, i);
      TsrLifetimeGroup *group = g_new0 (TsrLifetimeGroup, 1);

      group->name = i < n ? g_strdup (from->name)
                          : g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Other (%s group)",
                                                          "Other (%s groups)", all->len - n),
                                             others);
      group->ink = i < n ? from->ink : TSR_INK_REST;
      group->visible = !g_hash_table_contains (self->hidden, group->name);
      g_ptr_array_add (self->groups, group);
    }
}

static void
derive_weights (TsrLifetimeChart *self)
{
  guint n = self->rows->n;

  g_clear_pointer (&self->pyramid, tsr_pyramid_free);
  self->weight = g_renew (gint64, self->weight, MAX (n, 1));
  for (guint place = 0; place < n; place++)
    {
      guint32 row = tsr_lifetime_chart_row_of (self, place);
      const TsrLifetimeGroup *group = g_ptr_array_index (self->groups, self->group[row]);

      self->weight[place] = group->visible ? MAX (self->rows->bytes[row], 0) : TSR_UNKNOWN;
    }
  self->pyramid = tsr_pyramid_new (self->weight, n);
}

static void
derive (TsrLifetimeChart *self)
{
  if (self->rows == NULL)
    return;
  derive_groups (self);
  derive_weights (self);
}

/* ------------------------------------------------------------ chart model */

static void
lifetime_chart_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);

  *from = 0;
  *to = MAX (tsr_liveness_get_n_steps (self->liveness), 1);
  *min_span = MIN (*to, MIN_SPAN);
}

/* What is at a step alone is not a row: tsr_lifetime_chart_row_at tells what is at a point. */
static guint32
lifetime_chart_datum_at (TsrChartModel *model, double x)
{
  return TSR_NO_DATUM;
}

static guint32
lifetime_chart_datum_near (TsrChartModel *model, double from, double to)
{
  return TSR_NO_DATUM;
}

static double
lifetime_chart_position_of (TsrChartModel *model, guint32 datum)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);

  return self->rows != NULL && datum < self->rows->n
             ? self->rows->birth[tsr_lifetime_chart_row_of (self, datum)]
             : 0;
}

static guint
lifetime_chart_get_n_series (TsrChartModel *model)
{
  return TSR_LIFETIME_CHART (model)->groups->len;
}

static void
lifetime_chart_get_series (TsrChartModel *model, guint i, TsrChartSeries *out)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  const TsrLifetimeGroup *group;

  g_return_if_fail (i < self->groups->len);
  group = g_ptr_array_index (self->groups, i);
  *out = (TsrChartSeries){
    .name = group->name, .ink = group->ink, .filled = TRUE, .visible = group->visible
  };
}

static void
lifetime_chart_set_series_visible (TsrChartModel *model, guint i, gboolean visible)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  TsrLifetimeGroup *group;

  g_return_if_fail (i < self->groups->len);
  group = g_ptr_array_index (self->groups, i);
  if (!group->visible == !visible)
    return;
  group->visible = visible != FALSE;
  if (visible)
    g_hash_table_remove (self->hidden, group->name);
  else
    g_hash_table_add (self->hidden, g_strdup (group->name));
  derive_weights (self);
  tsr_chart_model_emit_series_changed (model);
}

/* ----------------------------------------------------------------- object */

static TsrChartModel *
lifetime_chart_dup (TsrChartModel *model)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (model);
  g_autoptr (TsrStepSelection) selection = NULL;
  TsrLifetimeChart *copy;
  GHashTableIter iter;
  gpointer key;

  if (self->selection != NULL)
    {
      guint n;
      const guint *steps = tsr_step_selection_peek (self->selection, &n);

      selection = tsr_step_selection_new ();
      tsr_step_selection_set (selection, steps, n);
      tsr_step_selection_set_variables (selection,
                                        tsr_step_selection_peek_variables (self->selection));
    }
  copy = tsr_lifetime_chart_new (self->liveness, selection);
  copy->order = self->order;
  copy->colour = self->colour;
  copy->first_row = self->first_row;
  copy->row_height = self->row_height;
  g_hash_table_iter_init (&iter, self->hidden);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (copy->hidden, g_strdup (key));
  if (self->rows != NULL)
    tsr_lifetime_chart_take_rows (copy, tsr_lifetime_rows_ref (self->rows));
  return TSR_CHART_MODEL (copy);
}

static void
tsr_lifetime_chart_dispose (GObject *object)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (object);

  g_clear_object (&self->selection);
  G_OBJECT_CLASS (tsr_lifetime_chart_parent_class)->dispose (object);
}

static void
tsr_lifetime_chart_finalize (GObject *object)
{
  TsrLifetimeChart *self = TSR_LIFETIME_CHART (object);

  g_clear_pointer (&self->pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->rows, tsr_lifetime_rows_free);
  g_clear_pointer (&self->liveness, tsr_liveness_unref);
  g_ptr_array_unref (self->groups);
  g_hash_table_unref (self->hidden);
  g_free (self->group);
  g_free (self->weight);
  G_OBJECT_CLASS (tsr_lifetime_chart_parent_class)->finalize (object);
}

static void
tsr_lifetime_chart_class_init (TsrLifetimeChartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  object_class->dispose = tsr_lifetime_chart_dispose;
  object_class->finalize = tsr_lifetime_chart_finalize;
  model_class->get_domain = lifetime_chart_get_domain;
  model_class->layout = tsr_lifetime_chart_layout;
  model_class->layout_overlay = tsr_lifetime_chart_layout_overlay;
  model_class->datum_at = lifetime_chart_datum_at;
  model_class->datum_near = lifetime_chart_datum_near;
  model_class->position_of = lifetime_chart_position_of;
  model_class->describe = tsr_lifetime_chart_describe;
  model_class->dup_caption = tsr_lifetime_chart_dup_caption;
  model_class->get_n_series = lifetime_chart_get_n_series;
  model_class->get_series = lifetime_chart_get_series;
  model_class->set_series_visible = lifetime_chart_set_series_visible;
  model_class->write_csv = tsr_lifetime_chart_write_csv;
  model_class->dup = lifetime_chart_dup;
}

static void
tsr_lifetime_chart_init (TsrLifetimeChart *self)
{
  self->groups = g_ptr_array_new_with_free_func (group_free);
  self->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->row_height = ROW_HEIGHT;
}

TsrLifetimeChart *
tsr_lifetime_chart_new (TsrLiveness *liveness, TsrStepSelection *selection)
{
  TsrLifetimeChart *self;

  g_return_val_if_fail (liveness != NULL, NULL);
  g_return_val_if_fail (selection == NULL || TSR_IS_STEP_SELECTION (selection), NULL);

  self = g_object_new (TSR_TYPE_LIFETIME_CHART, NULL);
  self->liveness = tsr_liveness_ref (liveness);
  if (selection != NULL)
    {
      self->selection = g_object_ref (selection);
      g_signal_connect_object (selection, "steps-changed",
                               G_CALLBACK (tsr_chart_model_emit_overlay_changed), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (selection, "variables-changed",
                               G_CALLBACK (tsr_chart_model_emit_overlay_changed), self,
                               G_CONNECT_SWAPPED);
    }
  return self;
}

void
tsr_lifetime_chart_take_rows (TsrLifetimeChart *self, TsrLifetimeRows *rows)
{
  g_return_if_fail (TSR_IS_LIFETIME_CHART (self));
  g_return_if_fail (rows != NULL);
  g_clear_pointer (&self->rows, tsr_lifetime_rows_free);
  self->rows = rows;
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

guint
tsr_lifetime_chart_get_n_rows (TsrLifetimeChart *self)
{
  g_return_val_if_fail (TSR_IS_LIFETIME_CHART (self), 0);
  return self->rows != NULL ? self->rows->n : 0;
}

guint
tsr_lifetime_chart_get_variable (TsrLifetimeChart *self, guint row)
{
  g_return_val_if_fail (TSR_IS_LIFETIME_CHART (self), TSR_NO_INDEX);
  return self->rows != NULL && row < self->rows->n
             ? self->rows->variable[tsr_lifetime_chart_row_of (self, row)]
             : TSR_NO_INDEX;
}

void
tsr_lifetime_chart_set_order (TsrLifetimeChart *self, TsrLifetimeOrder order)
{
  g_return_if_fail (TSR_IS_LIFETIME_CHART (self));
  g_return_if_fail (order < TSR_N_LIFETIME_ORDERS);
  if (self->order == order)
    return;
  self->order = order;
  if (self->rows != NULL)
    derive_weights (self);
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_lifetime_chart_set_colour (TsrLifetimeChart *self, TsrLifetimeColour colour)
{
  g_return_if_fail (TSR_IS_LIFETIME_CHART (self));
  if (self->colour == colour)
    return;
  self->colour = colour;
  g_hash_table_remove_all (self->hidden);
  derive (self);
  tsr_chart_model_emit_series_changed (TSR_CHART_MODEL (self));
}

void
tsr_lifetime_chart_set_first_row (TsrLifetimeChart *self, double row)
{
  g_return_if_fail (TSR_IS_LIFETIME_CHART (self));
  row = isfinite (row) ? MAX (row, 0) : 0;
  if (self->first_row == row)
    return;
  self->first_row = row;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_lifetime_chart_set_row_height (TsrLifetimeChart *self, double pixels)
{
  g_return_if_fail (TSR_IS_LIFETIME_CHART (self));
  pixels = isfinite (pixels) ? CLAMP (pixels, 1e-6, 1000) : ROW_HEIGHT;
  if (self->row_height == pixels)
    return;
  self->row_height = pixels;
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Squares are as large as their cycles, small ones over large ones; of those that are equal and
 * share a few pixels one is drawn.  Names stand where there is room, those with most cycles
 * first. */

#include "config.h"

#include "tsr-roofline.h"

#include "tsr-chart-frame.h"
#include "tsr-elide.h"
#include "tsr-json-writer.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#define LEFT        64.0 /* of the plot: numbers of the y axis */
#define BOTTOM      40.0
#define RIGHT       16.0
#define TOP         8.0
#define EDGE        2.0 /* labels keep off it */
#define TICK        4.0
#define LEAST_SIZE  5.0 /* of a square */
#define MOST_SIZE   17.0
#define MANY        500 /* points, of which more are smaller */
#define LEAST_MANY  3.0 /* what they shrink to */
#define MOST_MANY   7.0
#define SHARED      2.0 /* pixels that squares of one size may share */
#define NEAR        12.0
#define MOST_NAMES  40
#define SURE_NAMES  5 /* also over squares */
#define NAME_ROOM   150.0
#define NAME_GAP    3.0
#define LEAST_RANGE 0.5 /* decades that are shown */

typedef struct
{
  guint operation;
  double x, y; /* decimal logarithms */
  gint64 cycles;
} Point;

typedef enum
{
  SERIES_OPERATIONS,
  SERIES_ROOF,
  N_SERIES
} Series;

struct _TsrRoofline
{
  TsrChartModel parent_instance;

  TsrOperations *operations;
  TsrUnits units;
  GArray *points; /* Point, by cycles, most first */
  guint32 *place; /* by operation: in points, or TSR_NO_INDEX */
  guint n_without;
  double x_from, x_to, y_from, y_to;
  double bandwidth; /* bytes a second of all tiles; NaN */
  guint selected;
};

G_DEFINE_FINAL_TYPE (TsrRoofline, tsr_roofline, TSR_TYPE_CHART_MODEL)

/* ------------------------------------------------------------------ points */

/* TSR_UNKNOWN when both are. */
static gint64
get_bytes (const TsrOperations *operations, guint operation)
{
  const gint64 in = tsr_operations_get (operations, operation, TSR_OPERATION_DATA_IN);
  const gint64 out = tsr_operations_get (operations, operation, TSR_OPERATION_DATA_OUT);

  return in == TSR_UNKNOWN ? out : out == TSR_UNKNOWN ? in : MAX (in, out);
}

gboolean
tsr_roofline_get_place (TsrRoofline *self, guint operation, double *intensity, double *gflops)
{
  gint64 flops, bytes;

  g_return_val_if_fail (TSR_IS_ROOFLINE (self) && intensity != NULL && gflops != NULL, FALSE);
  g_return_val_if_fail (operation < tsr_operations_get_n (self->operations), FALSE);
  flops = tsr_operations_get (self->operations, operation, TSR_OPERATION_FLOPS);
  bytes = get_bytes (self->operations, operation);
  *gflops = tsr_operations_get_gflops (self->operations, operation);
  if (flops == TSR_UNKNOWN || bytes == TSR_UNKNOWN || flops <= 0 || bytes <= 0
      || !isfinite (*gflops) || *gflops <= 0)
    return FALSE;
  *intensity = (double)flops / (double)bytes;
  return TRUE;
}

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const Point *x = a, *y = b;

  return x->cycles != y->cycles ? (x->cycles > y->cycles ? -1 : 1)
                                : (x->operation > y->operation) - (x->operation < y->operation);
}

/* Around what is there, on whole parts of a decade. */
static void
widen (double *from, double *to)
{
  const double lack = LEAST_RANGE - (*to - *from);

  if (lack > 0)
    {
      *from -= lack / 2;
      *to += lack / 2;
    }
  *from = floor ((*from - 0.1) * 4) / 4;
  *to = ceil ((*to + 0.1) * 4) / 4;
}

static void
make_points (TsrRoofline *self)
{
  const guint n = tsr_operations_get_n (self->operations);

  self->place = g_new (guint32, n);
  for (guint i = 0; i < n; i++)
    {
      Point point = { .operation = i };
      double intensity, gflops;

      self->place[i] = TSR_NO_INDEX;
      if (!tsr_roofline_get_place (self, i, &intensity, &gflops))
        {
          if (tsr_operations_get (self->operations, i, TSR_OPERATION_PROGRAMS) > 0)
            self->n_without++;
          continue;
        }
      point.x = log10 (intensity);
      point.y = log10 (gflops);
      point.cycles = tsr_operations_get (self->operations, i, TSR_OPERATION_WALL_CYCLES);
      g_array_append_val (self->points, point);
    }
  g_array_sort (self->points, compare_points);
  self->y_to = self->x_to = 1;
  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = &g_array_index (self->points, Point, i);

      self->place[point->operation] = i;
      self->x_from = i == 0 ? point->x : MIN (self->x_from, point->x);
      self->x_to = i == 0 ? point->x : MAX (self->x_to, point->x);
      self->y_from = i == 0 ? point->y : MIN (self->y_from, point->y);
      self->y_to = i == 0 ? point->y : MAX (self->y_to, point->y);
    }
  /* The roof is seen over what is under it. */
  if (self->points->len > 0 && !isnan (self->bandwidth))
    {
      const double left = log10 (self->bandwidth / 1e9) + self->x_from;

      self->y_to = MAX (self->y_to, MIN (left, self->y_to + 1));
    }
  widen (&self->x_from, &self->x_to);
  widen (&self->y_from, &self->y_to);
}

guint
tsr_roofline_get_n (TsrRoofline *self)
{
  g_return_val_if_fail (TSR_IS_ROOFLINE (self), 0);
  return self->points->len;
}

double
tsr_roofline_get_roof (TsrRoofline *self, double intensity)
{
  g_return_val_if_fail (TSR_IS_ROOFLINE (self), NAN);
  return intensity * self->bandwidth / 1e9;
}

/* ------------------------------------------------------------------ places */

static double
get_x (const TsrChartGeometry *geometry, const TsrPlotArea *area, double value)
{
  return area->x
         + (value - geometry->from) / MAX (geometry->to - geometry->from, 1e-9) * area->width;
}

static double
get_y (const TsrPlotArea *area, double value)
{
  return area->y + (area->y_to - value) / (area->y_to - area->y_from) * area->height;
}

static double
get_size (const TsrRoofline *self, const Point *point)
{
  const gint64 most = g_array_index (self->points, Point, 0).cycles;
  const double share = most > 0 ? (double)point->cycles / (double)most : 0;

  const double shrunk = sqrt (MIN (1.0, (double)MANY / self->points->len));
  const double from = MAX (LEAST_SIZE * shrunk, LEAST_MANY);
  const double to = MAX (MOST_SIZE * shrunk, MOST_MANY);

  return floor (from + (to - from) * sqrt (MAX (share, 0)));
}

gboolean
tsr_roofline_get_point (TsrRoofline *self,
                        const TsrChartGeometry *geometry,
                        const TsrPlotArea *area,
                        guint32 operation,
                        double *x,
                        double *y)
{
  const Point *point;

  g_return_val_if_fail (TSR_IS_ROOFLINE (self) && geometry != NULL && area != NULL, FALSE);
  if (operation >= tsr_operations_get_n (self->operations)
      || self->place[operation] == TSR_NO_INDEX)
    return FALSE;
  point = &g_array_index (self->points, Point, self->place[operation]);
  *x = get_x (geometry, area, point->x);
  *y = get_y (area, point->y);
  return TRUE;
}

guint32
tsr_roofline_operation_at (TsrRoofline *self,
                           const TsrChartGeometry *geometry,
                           const TsrPlotArea *area,
                           double x,
                           double y)
{
  guint32 best = TSR_NO_DATUM;
  double least = NEAR;

  g_return_val_if_fail (TSR_IS_ROOFLINE (self) && geometry != NULL && area != NULL, TSR_NO_DATUM);
  /* The last ones lie on top. */
  for (guint i = self->points->len; i-- > 0;)
    {
      const Point *point = &g_array_index (self->points, Point, i);
      const double half = get_size (self, point) / 2;
      const double dx = fabs (get_x (geometry, area, point->x) - x);
      const double dy = fabs (get_y (area, point->y) - y);
      const double far = hypot (MAX (dx - half, 0), MAX (dy - half, 0));

      if (far < least)
        {
          least = far;
          best = point->operation;
        }
    }
  return best;
}

guint32
tsr_roofline_neighbour (TsrRoofline *self, guint32 operation, int dx, int dy)
{
  const Point *from;
  guint32 best = operation;
  double least = INFINITY;

  g_return_val_if_fail (TSR_IS_ROOFLINE (self), operation);
  if (self->points->len == 0)
    return TSR_NO_DATUM;
  if (operation >= tsr_operations_get_n (self->operations)
      || self->place[operation] == TSR_NO_INDEX)
    return g_array_index (self->points, Point, 0).operation;
  from = &g_array_index (self->points, Point, self->place[operation]);
  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = &g_array_index (self->points, Point, i);
      const double along = dx != 0 ? dx * (point->x - from->x) : -dy * (point->y - from->y);
      /* In equal places in their order, so that each is reached. */
      const double tie
          = along == 0 ? (dx + dy > 0 ? 1 : -1) * ((double)i - self->place[operation]) : 0;
      const double far = along > 0 ? along : along == 0 && tie > 0 ? tie * 1e-12 : INFINITY;

      if (far < least)
        {
          least = far;
          best = point->operation;
        }
    }
  return best;
}

/* ------------------------------------------------------------------ layout */

static double
measure (gpointer data, const char *text)
{
  const TsrTextMeasure *with = data;
  double width, height;

  with->measure (with->data, text, TSR_AXIS_FONT_SIZE, FALSE, &width, &height);
  return width;
}

/* (transfer full): 10^value, as short as it can be. */
static char *
dup_power (double value)
{
  const double number = pow (10, value);
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (value >= 0 && value < 15)
    return tsr_units_dup_count ((gint64)llround (number));
  /* The logarithms of 2 and 5 are rounded. */
  return tsr_number_dup_plain (
      g_ascii_strtod (g_ascii_formatd (digits, sizeof digits, "%.3g", number), NULL));
}

static void
add_label (TsrDrawList *list,
           guint ink,
           double x,
           double y,
           double xalign,
           double yalign,
           const char *text)
{
  tsr_draw_list_label (list, ink, x, y, xalign, yalign, text)->font_size = TSR_AXIS_FONT_SIZE;
}

/* A line of the grid at each power of ten, and at 2 and 5 times it where one decade fills the axis.
 */
static void
layout_axis (const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             gboolean across,
             TsrDrawList *list)
{
  static const double parts[] = { 0, 0.30103, 0.69897 }; /* log10 of 1, 2, 5 */
  const double from = across ? geometry->from : area->y_from;
  const double to = across ? geometry->to : area->y_to;
  const guint n_parts = to - from <= 2.01 ? G_N_ELEMENTS (parts) : 1;
  const int step = MAX ((int)ceil ((to - from) / 8), 1);
  double last = -INFINITY;

  for (int decade = (int)floor (from); decade <= (int)ceil (to); decade++)
    for (guint i = 0; i < n_parts && decade % step == 0; i++)
      {
        const double value = decade + parts[i];
        g_autofree char *text = dup_power (value);
        const double at = across ? get_x (geometry, area, value) : get_y (area, value);
        const double width = measure ((gpointer)&geometry->measure, text);
        double left;

        if (value < from - 1e-6 || value > to + 1e-6)
          continue;
        if (across)
          {
            tsr_draw_list_line (list, TSR_INK_GRID, at, area->y, at, area->y + area->height);
            left = MIN (at - width / 2, geometry->width - width - EDGE);
            if (left < last)
              continue;
            add_label (list, TSR_INK_DIM_TEXT, left, area->y + area->height + TICK, 0, 0, text);
            last = left + width + 8;
          }
        else
          {
            tsr_draw_list_line (list, TSR_INK_GRID, area->x, at, area->x + area->width, at);
            add_label (list, TSR_INK_DIM_TEXT, area->x - TICK, at, 1, 0.5, text);
          }
      }
}

/* From the left edge of the plot, or where it comes into it from below, to where it leaves. */
static void
layout_roof (const TsrRoofline *self,
             const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             TsrDrawList *list)
{
  const double offset = log10 (self->bandwidth / 1e9); /* y = x + offset */
  const double from = MAX (geometry->from, area->y_from - offset);
  const double to = MIN (geometry->to, area->y_to - offset);
  TsrDrawItem *item;

  if (isnan (self->bandwidth) || from >= to
      || tsr_chart_model_is_hidden ((TsrChartModel *)self, "roof"))
    return;
  item = tsr_draw_list_line (list, TSR_INK_CAPACITY, get_x (geometry, area, from),
                             get_y (area, from + offset), get_x (geometry, area, to),
                             get_y (area, to + offset));
  item->line_width = 2;
  item->series = SERIES_ROOF;
}

typedef struct
{
  double x, y, width, height;
} Box;

static gboolean
is_free (const GArray *boxes, const Box *box)
{
  for (guint i = 0; i < boxes->len; i++)
    {
      const Box *other = &g_array_index (boxes, Box, i);

      if (box->x < other->x + other->width && other->x < box->x + box->width
          && box->y < other->y + other->height && other->y < box->y + box->height)
        return FALSE;
    }
  return TRUE;
}

/* (transfer none): in tables, the debug name. */
static const char *
get_name (const TsrRoofline *self, guint operation)
{
  const char *name = tsr_operations_get_name (self->operations, operation);

  if (tsr_operations_is_none (self->operations, operation))
    return tsr_operations_get_none_title (self->operations);
  return name != NULL ? name : "";
}

/* Right of its square, or left of it. */
static void
layout_name (const TsrRoofline *self,
             const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             const Point *point,
             const GPtrArray *others, /* names that it is to be told from */
             const GArray *squares,   /* (nullable) */
             GArray *names,
             TsrDrawList *list)
{
  gpointer with = (gpointer)&geometry->measure;
  g_autofree char *text
      = tsr_elide_dup (get_name (self, point->operation), (const char *const *)others->pdata,
                       others->len, NAME_ROOM, measure, with);
  const double half = get_size (self, point) / 2 + NAME_GAP;
  const double x = get_x (geometry, area, point->x), y = get_y (area, point->y);
  double width, height;

  if (text == NULL || *text == '\0')
    return;
  geometry->measure.measure (geometry->measure.data, text, TSR_AXIS_FONT_SIZE, FALSE, &width,
                             &height);
  for (guint side = 0; side < 2; side++)
    {
      const Box box = { side == 0 ? x + half : x - half - width, y - height / 2, width, height };

      if (box.x < area->x || box.x + box.width > area->x + area->width || box.y < area->y
          || box.y + box.height > area->y + area->height || !is_free (names, &box)
          || (squares != NULL && !is_free (squares, &box)))
        continue;
      g_array_append_val (names, box);
      if (squares == NULL)
        tsr_draw_list_rect (list, TSR_INK_BACKGROUND, box.x, box.y, width, height)->alpha = 0.75F;
      add_label (list, TSR_INK_TEXT, side == 0 ? x + half : x - half, y, side, 0.5, text);
      return;
    }
}

/* One for each size and cell of a few pixels; (transfer full): boxes of what is drawn. */
static GArray *
layout_squares (const TsrRoofline *self,
                const TsrChartGeometry *geometry,
                const TsrPlotArea *area,
                TsrDrawList *list)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (Box));

  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = &g_array_index (self->points, Point, i);
      const double size = get_size (self, point);
      const double x
          = tsr_draw_list_snap (get_x (geometry, area, point->x) - size / 2, geometry->scale);
      const double y = tsr_draw_list_snap (get_y (area, point->y) - size / 2, geometry->scale);
      const Box box = { x, y, size, size };
      TsrDrawItem *item;
      gint64 key;

      if (x + size / 2 < area->x || x + size / 2 > area->x + area->width)
        continue;
      key = ((gint64)(x / SHARED) << 40) + ((gint64)(y / SHARED) << 8) + (gint64)size;
      if (!g_hash_table_add (seen, g_memdup2 (&key, sizeof key)))
        continue;
      tsr_draw_list_rect (list, TSR_INK_BACKGROUND, x - 1, y - 1, size + 2, size + 2);
      item = tsr_draw_list_rect (list,
                                 tsr_operations_is_none (self->operations, point->operation)
                                     ? TSR_INK_REST
                                     : TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE,
                                 x, y, size, size);
      item->datum = point->operation;
      item->series = SERIES_OPERATIONS;
      g_array_append_val (boxes, box);
    }
  return boxes;
}

/* Its lower right corner; names keep off it. */
static void
add_note (const TsrChartGeometry *geometry,
          TsrDrawList *list,
          GArray *names,
          double x,
          double y,
          const char *text)
{
  const double width = measure ((gpointer)&geometry->measure, text);
  const Box box = { x - width, y - TSR_AXIS_FONT_SIZE - 4, width, TSR_AXIS_FONT_SIZE + 4 };

  add_label (list, TSR_INK_DIM_TEXT, x, y, 1, 1, text);
  g_array_append_val (names, box);
}

/* What has no place, and which roof there is not. */
static void
layout_notes (const TsrRoofline *self,
              const TsrChartGeometry *geometry,
              const TsrPlotArea *area,
              TsrDrawList *list,
              GArray *names)
{
  const double x = area->x + area->width - 6;
  double y = area->y + area->height - 6;

  add_note (geometry, list, names, x, y,
            _ ("No roof of compute: the report does not record the target's peak"));
  y -= TSR_AXIS_FONT_SIZE + 5;
  if (self->n_without > 0)
    {
      g_autofree char *count = tsr_units_dup_count (self->n_without);
      g_autofree char *text = g_strdup_printf (
          g_dngettext (NULL, "%s operation without FLOPs, cycles or exchange is not shown",
                       "%s operations without FLOPs, cycles or exchange are not shown",
                       self->n_without),
          count);

      add_note (geometry, list, names, x, y, text);
    }
}

static void
tsr_roofline_layout (TsrChartModel *model,
                     const TsrChartGeometry *geometry,
                     TsrDrawList *list,
                     TsrPlotArea *area)
{
  TsrRoofline *self = TSR_ROOFLINE (model);
  const double top = MAX (tsr_chart_frame_layout_head (model, geometry, list), geometry->inset);
  g_autoptr (GArray) squares = NULL;
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (Box));
  g_autoptr (GPtrArray) others = g_ptr_array_new ();

  *area = (TsrPlotArea){ LEFT,
                         top + TOP,
                         MAX (geometry->width - LEFT - RIGHT, 0),
                         MAX (geometry->height - top - TOP - BOTTOM, 0),
                         self->y_from,
                         self->y_to };
  if (area->width <= 0 || area->height <= 0)
    return;
  layout_axis (geometry, area, TRUE, list);
  layout_axis (geometry, area, FALSE, list);
  tsr_draw_list_line (list, TSR_INK_AXIS, area->x, area->y + area->height, area->x + area->width,
                      area->y + area->height);
  tsr_draw_list_line (list, TSR_INK_AXIS, area->x, area->y, area->x, area->y + area->height);
  add_label (list, TSR_INK_DIM_TEXT, area->x + area->width, geometry->height - 4, 1, 1,
             _ ("FLOPs for each byte exchanged"));
  add_label (list, TSR_INK_DIM_TEXT, area->x + 6, area->y + 2, 0, 0, _ ("GFLOPS"));
  if (self->points->len == 0)
    {
      add_label (list, TSR_INK_DIM_TEXT, area->x + area->width / 2, area->y + area->height / 2, 0.5,
                 0.5, _ ("No operation has FLOPs, measured cycles and exchanged bytes"));
      return;
    }
  layout_roof (self, geometry, area, list);
  layout_notes (self, geometry, area, list, names);
  if (tsr_chart_model_is_hidden (model, "operations"))
    return;
  squares = layout_squares (self, geometry, area, list);
  for (guint i = 0; i < MIN (self->points->len, MOST_NAMES); i++)
    g_ptr_array_add (others,
                     (gpointer)get_name (self, g_array_index (self->points, Point, i).operation));
  for (guint i = 0; i < MIN (self->points->len, MOST_NAMES); i++)
    layout_name (self, geometry, area, &g_array_index (self->points, Point, i), others,
                 i < SURE_NAMES ? NULL : squares, names, list);
}

static void
add_frame (TsrDrawList *list, guint ink, double x, double y, double size, double line)
{
  const double left = x - size / 2 - line / 2, right = x + size / 2 + line / 2;
  const double top = y - size / 2 - line / 2, bottom = y + size / 2 + line / 2;

  tsr_draw_list_polyline (list, ink)->line_width = (float)line;
  tsr_draw_list_point (list, left, top);
  tsr_draw_list_point (list, right, top);
  tsr_draw_list_point (list, right, bottom);
  tsr_draw_list_point (list, left, bottom);
  tsr_draw_list_point (list, left, top);
}

static void
tsr_roofline_layout_overlay (TsrChartModel *model,
                             const TsrChartGeometry *geometry,
                             const TsrPlotArea *area,
                             guint32 hover,
                             guint32 cursor,
                             TsrDrawList *list)
{
  TsrRoofline *self = TSR_ROOFLINE (model);
  const guint32 marked[] = { hover, cursor, self->selected };

  for (guint i = 0; i < G_N_ELEMENTS (marked); i++)
    {
      double x, y, size;

      if (marked[i] == TSR_NO_DATUM
          || !tsr_roofline_get_point (self, geometry, area, marked[i], &x, &y) || x < area->x
          || x > area->x + area->width)
        continue;
      size = get_size (self, &g_array_index (self->points, Point, self->place[marked[i]])) + 4;
      add_frame (list, i == 0 ? TSR_INK_HOVER : TSR_INK_SELECTION, x, y, size, i == 0 ? 1 : 2);
    }
}

static void
tsr_roofline_layout_overview (TsrChartModel *model,
                              const TsrChartGeometry *geometry,
                              TsrDrawList *list)
{
}

/* ------------------------------------------------------------------- model */

static void
tsr_roofline_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  TsrRoofline *self = TSR_ROOFLINE (model);

  *from = self->x_from;
  *to = self->x_to;
  *min_span = 0.05;
}

static guint32
tsr_roofline_datum_at (TsrChartModel *model, double x)
{
  TsrRoofline *self = TSR_ROOFLINE (model);
  guint32 best = TSR_NO_DATUM;
  double least = INFINITY;

  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = &g_array_index (self->points, Point, i);

      if (fabs (point->x - x) < least)
        {
          least = fabs (point->x - x);
          best = point->operation;
        }
    }
  return best;
}

static double
tsr_roofline_position_of (TsrChartModel *model, guint32 datum)
{
  TsrRoofline *self = TSR_ROOFLINE (model);

  return datum < tsr_operations_get_n (self->operations) && self->place[datum] != TSR_NO_INDEX
             ? g_array_index (self->points, Point, self->place[datum]).x
             : 0;
}

/* (transfer full): with about three digits. */
static char *
dup_number (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (fabs (value) >= 100)
    return tsr_units_dup_count ((gint64)llround (MIN (value, 9e18)));
  return g_strdup (g_ascii_formatd (text, sizeof text, "%.3g", value));
}

static char *
tsr_roofline_describe (TsrChartModel *model, guint32 datum)
{
  TsrRoofline *self = TSR_ROOFLINE (model);
  GString *text;
  double intensity, gflops, roof;

  if (datum >= tsr_operations_get_n (self->operations)
      || !tsr_roofline_get_place (self, datum, &intensity, &gflops))
    return g_strdup ("");
  text = g_string_new (get_name (self, datum));
  {
    g_autofree char *rate = dup_number (gflops);
    g_autofree char *ratio = dup_number (intensity);
    g_autofree char *flops
        = tsr_units_dup_count (tsr_operations_get (self->operations, datum, TSR_OPERATION_FLOPS));
    g_autofree char *bytes = tsr_units_dup_bytes (self->units, get_bytes (self->operations, datum));
    g_autofree char *cycles = tsr_units_dup_count (
        tsr_operations_get (self->operations, datum, TSR_OPERATION_WALL_CYCLES));

    g_string_append_printf (text, "\n%s: %s\n%s: %s\n%s: %s\n%s: %s\n%s: %s", _ ("GFLOPS"), rate,
                            _ ("FLOPs"), flops, _ ("Exchanged"), bytes, _ ("FLOPs for each byte"),
                            ratio, _ ("Cycles"), cycles);
  }
  roof = tsr_roofline_get_roof (self, intensity);
  if (!isnan (roof) && roof > 0)
    {
      g_autofree char *share = tsr_units_dup_percent (gflops / roof, 1);

      g_string_append_printf (text, "\n%s: %s", _ ("Of what exchanging allows"), share);
    }
  return g_string_free (text, FALSE);
}

static char *
tsr_roofline_dup_caption (TsrChartModel *model)
{
  TsrRoofline *self = TSR_ROOFLINE (model);

  return g_strdup_printf (
      _ ("Roofline of the operations of %s"),
      tsr_operations_get_layer_title (tsr_operations_get_layer (self->operations)));
}

static guint
tsr_roofline_get_n_series (TsrChartModel *model)
{
  return isnan (TSR_ROOFLINE (model)->bandwidth) ? 1 : N_SERIES;
}

static void
tsr_roofline_get_series (TsrChartModel *model, guint i, TsrChartSeries *series)
{
  *series = i == SERIES_OPERATIONS ? (TsrChartSeries){ .name = _ ("Operations"),
                                                       .key = "operations",
                                                       .ink = TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE,
                                                       .filled = TRUE }
                                   : (TsrChartSeries){ .name = _ ("Exchange: 4 bytes a tile and "
                                                                  "cycle"),
                                                       .key = "roof",
                                                       .ink = TSR_INK_CAPACITY };
  series->visible = !tsr_chart_model_is_hidden (model, series->key);
}

static void
tsr_roofline_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  static const char *const heading[]
      = { "key", "name", "flops", "exchangedBytes", "flopsPerByte", "gflops", "wallCycles" };
  TsrRoofline *self = TSR_ROOFLINE (model);

  tsr_csv_append_row (out, G_N_ELEMENTS (heading), heading);
  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = &g_array_index (self->points, Point, i);
      const guint32 context = tsr_operations_get_context (self->operations, point->operation);
      double intensity = 0, gflops = 0;
      g_autofree char *key
          = context == TSR_NO_INDEX
                ? g_strdup ("none")
                : g_strdup_printf ("%" PRIu64,
                                   tsr_operations_get_debug (self->operations)->id[context]);
      g_autofree char *flops = g_strdup_printf (
          "%" PRId64, tsr_operations_get (self->operations, point->operation, TSR_OPERATION_FLOPS));
      g_autofree char *bytes
          = g_strdup_printf ("%" PRId64, get_bytes (self->operations, point->operation));
      g_autofree char *cycles = g_strdup_printf ("%" PRId64, point->cycles);
      g_autofree char *ratio = NULL, *rate = NULL;

      if (point->x < from || point->x > to)
        continue;
      tsr_roofline_get_place (self, point->operation, &intensity, &gflops);
      ratio = tsr_number_dup_plain (intensity);
      rate = tsr_number_dup_plain (gflops);
      {
        const char *const fields[]
            = { key, get_name (self, point->operation), flops, bytes, ratio, rate, cycles };

        tsr_csv_append_row (out, G_N_ELEMENTS (fields), fields);
      }
    }
}

static TsrChartModel *
tsr_roofline_dup (TsrChartModel *model)
{
  TsrRoofline *self = TSR_ROOFLINE (model);
  TsrRoofline *copy = tsr_roofline_new (self->operations, self->units);

  copy->selected = self->selected;
  tsr_chart_model_copy_hidden (TSR_CHART_MODEL (copy), model);
  return TSR_CHART_MODEL (copy);
}

/* ------------------------------------------------------------------ object */

static void
tsr_roofline_finalize (GObject *object)
{
  TsrRoofline *self = TSR_ROOFLINE (object);

  g_clear_pointer (&self->operations, tsr_operations_unref);
  g_array_unref (self->points);
  g_free (self->place);
  G_OBJECT_CLASS (tsr_roofline_parent_class)->finalize (object);
}

static void
tsr_roofline_class_init (TsrRooflineClass *klass)
{
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tsr_roofline_finalize;
  model_class->get_domain = tsr_roofline_get_domain;
  model_class->layout = tsr_roofline_layout;
  model_class->layout_overlay = tsr_roofline_layout_overlay;
  model_class->layout_overview = tsr_roofline_layout_overview;
  model_class->datum_at = tsr_roofline_datum_at;
  model_class->position_of = tsr_roofline_position_of;
  model_class->describe = tsr_roofline_describe;
  model_class->dup_caption = tsr_roofline_dup_caption;
  model_class->get_n_series = tsr_roofline_get_n_series;
  model_class->get_series = tsr_roofline_get_series;
  model_class->write_csv = tsr_roofline_write_csv;
  model_class->dup = tsr_roofline_dup;
}

static void
tsr_roofline_init (TsrRoofline *self)
{
  self->points = g_array_new (FALSE, FALSE, sizeof (Point));
  self->selected = TSR_NO_INDEX;
}

TsrRoofline *
tsr_roofline_new (TsrOperations *operations, TsrUnits units)
{
  TsrRoofline *self;
  double clock;
  guint n_tiles;

  g_return_val_if_fail (operations != NULL, NULL);
  self = g_object_new (TSR_TYPE_ROOFLINE, NULL);
  self->operations = tsr_operations_ref (operations);
  self->units = units;
  clock = tsr_operations_get_clock (operations);
  n_tiles = tsr_operations_get_n_tiles (operations);
  self->bandwidth = isfinite (clock) && clock > 0 && n_tiles > 0
                        ? (double)TSR_EXCHANGE_BYTES_PER_CYCLE * n_tiles * clock
                        : NAN;
  make_points (self);
  return self;
}

void
tsr_roofline_set_selected (TsrRoofline *self, guint operation)
{
  g_return_if_fail (TSR_IS_ROOFLINE (self));
  if (self->selected == operation)
    return;
  self->selected = operation;
  tsr_chart_model_emit_overlay_changed (TSR_CHART_MODEL (self));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Widths are doubles: sums over the graph, from the leaves up, and for each edge the sum of those
 * before it in its program, so that the child at a place is found by halving.  The roots are edges
 * behind the others, those of an imagined program that is the top.  Cells are made as layouts,
 * pointers and keys come upon them. */

#include "config.h"

#include "tsr-program-icicle.h"

#include "tsr-chart-frame.h"
#include "tsr-elide.h"
#include "tsr-json-writer.h"
#include "tsr-pyramid.h"
#include "tsr-trace-chart.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#define ROW_HEIGHT  22.0
#define LABEL_ROOM  28.0 /* less is not enough for a word */
#define LABEL_INSET 4.0
#define NAMED_WIDTH 60.0 /* of a cell whose name others keep apart from */
#define MARK_HEIGHT 4.0
#define MAX_CELLS   4000000 /* then all are forgotten */

typedef struct
{
  guint32 program; /* of the top: the number of programs */
  guint32 edge, parent, depth;
  double start, width; /* units of the x axis */
} Cell;

struct _TsrProgramIcicle
{
  TsrChartModel parent_instance;

  TsrPrograms *programs;
  TsrProgramCode *code; /* (nullable) */
  TsrIcicleWidth width;
  guint32 step, root; /* as they were set */
  TsrUnits units;

  guint32 n;       /* programs */
  guint32 n_edges; /* of the programs */
  guint32 *roots;  /* children of the top */
  guint n_roots;
  double *totals; /* by program; n: the top */
  double *before; /* by edge: widths of those before it in its program, and its own end */
  gint64 *widths; /* by edge, rounded: for the pyramid */
  TsrPyramid *pyramid;

  guint8 *marks; /* (nullable) by program */

  GHashTable *inks; /* by type, one address each */

  GArray *cells;      /* Cell; 0 is the top */
  GHashTable *places; /* parent cell and edge to cell */
  guint32 focus;
};

G_DEFINE_FINAL_TYPE (TsrProgramIcicle, tsr_program_icicle, TSR_TYPE_CHART_MODEL)

static const struct
{
  const char *nick, *name;
} widths[TSR_N_ICICLE_WIDTHS] = {
  [TSR_ICICLE_CYCLES] = { "cycles", N_ ("Cycles") },
  [TSR_ICICLE_CODE] = { "code", N_ ("Code on the worst tile") },
  [TSR_ICICLE_LIVE] = { "live", N_ ("Live bytes") },
};

const char *
tsr_icicle_width_get_nick (TsrIcicleWidth width)
{
  g_return_val_if_fail (width < TSR_N_ICICLE_WIDTHS, NULL);
  return widths[width].nick;
}

const char *
tsr_icicle_width_get_name (TsrIcicleWidth width)
{
  g_return_val_if_fail (width < TSR_N_ICICLE_WIDTHS, NULL);
  return _ (widths[width].name);
}

gboolean
tsr_icicle_width_parse (const char *nick, TsrIcicleWidth *width)
{
  g_return_val_if_fail (width != NULL, FALSE);
  for (guint i = 0; i < TSR_N_ICICLE_WIDTHS; i++)
    if (g_strcmp0 (nick, widths[i].nick) == 0)
      {
        *width = i;
        return TRUE;
      }
  return FALSE;
}

/* ------------------------------------------------------------------ widths */

/* By vertex type, how many programs share its code. */
static guint32 *
count_users (const TsrPrograms *programs)
{
  const TsrProgramTables *t = tsr_programs_get_tables (programs);
  guint32 *users = g_new0 (guint32, MAX (t->n_vertex_types, 1));

  for (guint32 p = 0; p < t->n_programs; p++)
    {
      guint32 set = t->program_compute_set[p];

      if (set != TSR_NO_INDEX)
        for (guint32 i = t->vertex_start[set]; i < t->vertex_start[set + 1]; i++)
          users[t->vertex_type[i]]++;
    }
  return users;
}

static double
get_code (const TsrProgramIcicle *self, guint32 program, const guint32 *users)
{
  const TsrProgramTables *t = tsr_programs_get_tables (self->programs);
  guint32 set = t->program_compute_set[program];
  gint64 own = tsr_program_code_get_own (self->code, program);
  double sum = own > 0 ? (double)own : 0;

  if (set == TSR_NO_INDEX)
    return sum;
  for (guint32 i = t->vertex_start[set]; i < t->vertex_start[set + 1]; i++)
    {
      gint64 bytes = tsr_program_code_get_type (self->code, t->vertex_type[i]);

      sum += bytes > 0 ? (double)bytes / users[t->vertex_type[i]] : 0;
    }
  return sum;
}

/* What a program takes by itself; what is not known has no width. */
static double
get_own (const TsrProgramIcicle *self, guint32 program, const guint32 *users)
{
  gint64 value;

  if (self->width == TSR_ICICLE_CODE)
    return self->code != NULL ? get_code (self, program, users) : 0;
  value = tsr_programs_get (self->programs, program,
                            self->width == TSR_ICICLE_CYCLES ? TSR_PROGRAM_CYCLES_SELF
                                                             : TSR_PROGRAM_LIVE_SELF);
  return value > 0 ? (double)value : 0;
}

static void
get_edges (const TsrProgramIcicle *self, guint32 program, guint32 *first, guint32 *end)
{
  if (program < self->n)
    tsr_programs_get_edges (self->programs, program, first, end);
  else
    {
      *first = self->n_edges;
      *end = self->n_edges + self->n_roots;
    }
}

static guint32
get_child (const TsrProgramIcicle *self, guint32 edge)
{
  return edge < self->n_edges ? tsr_programs_get_child (self->programs, edge)
                              : self->roots[edge - self->n_edges];
}

static double
get_edge_width (const TsrProgramIcicle *self, guint32 program, guint32 edge)
{
  double part = program < self->n ? tsr_programs_get_part (self->programs, program, edge) : 1;

  return part > 0 ? part * self->totals[get_child (self, edge)] : 0;
}

/* Roots of the step that nobody calls, or one program. */
static void
find_roots (TsrProgramIcicle *self)
{
  const TsrProgramRoot *all;
  guint first, end, n;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_clear_pointer (&self->roots, g_free);
  self->n_roots = 0;
  all = tsr_programs_peek_roots (self->programs, &n);
  tsr_programs_find_roots (self->programs, self->step, &first, &end);
  self->roots = g_new (guint32, MAX (end - first, 1));
  if (self->root != TSR_NO_INDEX)
    self->roots[self->n_roots++] = self->root;
  for (guint i = first; self->root == TSR_NO_INDEX && i < end; i++)
    if (tsr_programs_get_n_parents (self->programs, all[i].program) == 0
        && g_hash_table_add (seen, GUINT_TO_POINTER (all[i].program)))
      self->roots[self->n_roots++] = all[i].program;
}

static void
forget_cells (TsrProgramIcicle *self)
{
  Cell top = { self->n, TSR_NO_INDEX, TSR_NO_DATUM, 0, 0, self->totals[self->n] };

  g_array_set_size (self->cells, 0);
  g_hash_table_remove_all (self->places);
  g_array_append_val (self->cells, top);
  self->focus = 0;
}

static void
derive (TsrProgramIcicle *self)
{
  const guint32 *order = tsr_programs_peek_order (self->programs);
  g_autofree guint32 *users = count_users (self->programs);
  guint32 n_all;

  g_clear_pointer (&self->pyramid, tsr_pyramid_free);
  g_clear_pointer (&self->totals, g_free);
  g_clear_pointer (&self->before, g_free);
  g_clear_pointer (&self->widths, g_free);
  find_roots (self);
  n_all = self->n_edges + self->n_roots;
  self->totals = g_new0 (double, (gsize)self->n + 1);
  self->before = g_new0 (double, (gsize)n_all + 1);
  self->widths = g_new0 (gint64, (gsize)n_all + 1);
  for (guint32 k = 0; k <= self->n; k++)
    {
      guint32 p = k < self->n ? order[k] : self->n;
      guint32 first, end;
      double sum = 0;

      get_edges (self, p, &first, &end);
      for (guint32 e = first; e < end; e++)
        {
          double width = get_edge_width (self, p, e);

          self->before[e] = sum;
          self->widths[e] = (gint64)(MIN (width, 9e18));
          sum += width;
        }
      self->totals[p] = sum + (p < self->n ? get_own (self, p, users) : 0);
    }
  self->pyramid = tsr_pyramid_new (self->widths, n_all);
  forget_cells (self);
}

/* ------------------------------------------------------------------- cells */

static Cell *
get_cell (const TsrProgramIcicle *self, guint32 cell)
{
  return &g_array_index (self->cells, Cell, cell);
}

static double
get_end_before (const TsrProgramIcicle *self, guint32 program, guint32 edge, guint32 end)
{
  return edge + 1 < end ? self->before[edge + 1]
                        : self->before[edge] + get_edge_width (self, program, edge);
}

/* What a unit of the program's own width is in @cell: less than 1 where others share it. */
static double
get_scale (const TsrProgramIcicle *self, const Cell *cell)
{
  double total = self->totals[cell->program];

  return total > 0 ? cell->width / total : 0;
}

/* The two halves are numbers of the same size: those of g_int64_hash meet each other. */
static guint
hash_place (gconstpointer key)
{
  return (guint)(*(const guint64 *)key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32);
}

static guint32
make_cell (TsrProgramIcicle *self, guint32 parent, guint32 edge)
{
  guint64 key = (guint64)parent << 32 | edge;
  gpointer found = g_hash_table_lookup (self->places, &key);
  const Cell *above;
  double scale;
  Cell cell;

  if (found != NULL)
    return GPOINTER_TO_UINT (found);
  above = get_cell (self, parent);
  scale = get_scale (self, above);
  cell = (Cell){ get_child (self, edge),
                 edge,
                 parent,
                 above->depth + 1,
                 above->start + scale * self->before[edge],
                 scale * get_edge_width (self, above->program, edge) };
  g_array_append_val (self->cells, cell);
  g_hash_table_insert (self->places, g_memdup2 (&key, sizeof key),
                       GUINT_TO_POINTER (self->cells->len - 1));
  return self->cells->len - 1;
}

/* The first edge of @cell whose end is behind @at (units of the x axis); @end when there is none.
 */
static guint32
find_edge (const TsrProgramIcicle *self, const Cell *cell, double at)
{
  double scale = get_scale (self, cell);
  double place = scale > 0 ? (at - cell->start) / scale : 0;
  guint32 first, end, low, high;

  get_edges (self, cell->program, &first, &end);
  low = first;
  high = end;
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (get_end_before (self, cell->program, middle, end) <= place)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* ------------------------------------------------------------------ layout */

typedef struct
{
  TsrProgramIcicle *self;
  const TsrChartGeometry *geometry;
  double x, y, width, height; /* of the plot */
  double from, to, unit;      /* logical pixels for each unit */
  double pixel;               /* a device pixel */
  guint32 base;               /* depth of the first row */
} View;

static void
view_init (View *view,
           TsrProgramIcicle *self,
           const TsrChartGeometry *geometry,
           TsrDrawList *list) /* (nullable) */
{
  g_autoptr (TsrDrawList) own = list == NULL ? tsr_draw_list_new () : NULL;
  double top
      = tsr_chart_frame_layout_head (TSR_CHART_MODEL (self), geometry, list != NULL ? list : own);
  guint32 depth = get_cell (self, self->focus)->depth;

  *view = (View){ self, geometry, 0, top, geometry->width, MAX (geometry->height - top, 0) };
  view->from = geometry->from;
  view->to = MAX (geometry->to, geometry->from + 1e-9);
  view->unit = view->width / (view->to - view->from);
  view->pixel = 1 / geometry->scale;
  view->base = depth > 0 ? depth - 1 : 0;
}

static double
view_get_x (const View *view, double at)
{
  return view->x + (at - view->from) * view->unit;
}

/* Types are few, cells many: each type is looked up once. */
static guint
get_ink (const TsrProgramIcicle *self, const Cell *cell)
{
  TsrTraceType type = { 0 };
  const char *name;
  gpointer ink;

  if (cell->program >= self->n)
    return TSR_INK_TRACE + TSR_TRACE_INK_OTHER;
  name = tsr_programs_get_type (self->programs, cell->program);
  if (g_hash_table_lookup_extended (self->inks, name, NULL, &ink))
    return GPOINTER_TO_UINT (ink);
  type.group = tsr_step_group_of (name);
  g_hash_table_insert (self->inks, (gpointer)name, GUINT_TO_POINTER (tsr_trace_get_ink (&type)));
  return tsr_trace_get_ink (&type);
}

static const char *
get_label (const TsrProgramIcicle *self, const Cell *cell)
{
  return cell->program < self->n ? tsr_programs_get_label (self->programs, cell->program)
                                 : _ ("All programs");
}

/* A cell as it is drawn: [x1, x2), a device pixel at least. */
typedef struct
{
  guint32 cell;
  double x1, x2;
} Drawn;

static double
measure (gpointer data, const char *text)
{
  const TsrTextMeasure *with = data;
  double width, height;

  with->measure (with->data, text, TSR_AXIS_FONT_SIZE, FALSE, &width, &height);
  return width;
}

static const char *
get_name (const TsrProgramIcicle *self, const Cell *cell)
{
  const char *name
      = cell->program < self->n ? tsr_programs_get_name (self->programs, cell->program) : "";

  return *name != '\0' ? name : get_label (self, cell);
}

/* (transfer full) (nullable): "Type (name)"; where that has no room, as much of the name as has, so
 * that it reads unlike the @others. */
static char *
dup_fitting (const View *view, const Cell *cell, double room, const GPtrArray *others)
{
  const char *label = get_label (view->self, cell);
  gpointer with = (gpointer)&view->geometry->measure;

  if (measure (with, label) <= room)
    return g_strdup (label);
  return tsr_elide_dup (get_name (view->self, cell), (const char *const *)others->pdata,
                        others->len, room, measure, with);
}

static void
draw_cell (const View *view, const Drawn *drawn, const GPtrArray *others, TsrDrawList *list)
{
  const Cell *cell = get_cell (view->self, drawn->cell);
  double y = view->y + (cell->depth - view->base) * ROW_HEIGHT;
  double x1 = MAX (drawn->x1, view->x), x2 = MIN (drawn->x2, view->x + view->width);
  double gap = x2 - x1 > 4 * view->pixel ? view->pixel : 0;
  guint ink = get_ink (view->self, cell);
  g_autofree char *label = NULL;
  TsrDrawItem *item
      = tsr_draw_list_rect (list, ink, x1, y, MAX (x2 - x1 - gap, view->pixel), ROW_HEIGHT - 1);

  item->datum = drawn->cell;
  if (view->self->marks != NULL && cell->program < view->self->n
      && view->self->marks[cell->program])
    tsr_draw_list_rect (list, TSR_INK_SELECTION, x1, y + ROW_HEIGHT - 1 - MARK_HEIGHT,
                        MAX (x2 - x1 - gap, view->pixel), MARK_HEIGHT)
        ->datum
        = drawn->cell;
  if (x2 - x1 >= LABEL_ROOM)
    label = dup_fitting (view, cell, x2 - x1 - 2 * LABEL_INSET, others);
  if (label == NULL)
    return;
  ink = ink == TSR_INK_TRACE + TSR_TRACE_INK_HOST ? TSR_INK_TRACE_WAIT_TEXT : TSR_INK_TRACE_TEXT;
  item = tsr_draw_list_label (list, ink, x1 + LABEL_INSET, y + (ROW_HEIGHT - 1) / 2, 0, 0.5, label);
  item->font_size = TSR_AXIS_FONT_SIZE;
  item->width = x2 - x1 - 2 * LABEL_INSET;
  item->datum = drawn->cell;
}

static void
draw_row (const View *view, const GArray *row, TsrDrawList *list)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new (); /* of the widest ones */

  for (guint i = 0; i < row->len; i++)
    {
      const Drawn *drawn = &g_array_index (row, Drawn, i);

      if (drawn->x2 - drawn->x1 >= NAMED_WIDTH)
        g_ptr_array_add (names,
                         (gpointer)get_name (view->self, get_cell (view->self, drawn->cell)));
    }
  for (guint i = 0; i < row->len; i++)
    draw_cell (view, &g_array_index (row, Drawn, i), names, list);
}

/* The nearest edge of a device pixel. */
static double
snap (const View *view, double x)
{
  return view->x + floor ((x - view->x) / view->pixel + 0.5) * view->pixel;
}

/* Appends what stands below @above, from left to right, on whole pixels and none over another: what
 * ends a pixel further on has its own, of those that do not the widest has the next one. */
static void
find_below (const View *view, const Drawn *above, GArray *found)
{
  TsrProgramIcicle *self = view->self;
  Cell cell = *get_cell (self, above->cell);
  double scale = get_scale (self, &cell);
  double left = snap (view, MAX (above->x1, view->x));
  double right = snap (view, MIN (above->x2, view->x + view->width));
  guint32 first, end, e;

  get_edges (self, cell.program, &first, &end);
  if (scale <= 0)
    return;
  e = find_edge (self, &cell, view->from + (left - view->x) / view->unit);
  while (e < end && left < right)
    {
      double ends = get_end_before (self, cell.program, e, end);
      double x1 = snap (view, view_get_x (view, cell.start + scale * self->before[e]));
      double x2 = MIN (snap (view, view_get_x (view, cell.start + scale * ends)), right);
      guint32 chosen = e, next = e + 1;
      Drawn drawn;

      left = MAX (left, x1);
      if (left >= right)
        break;
      if (x2 < left + view->pixel / 2)
        {
          x2 = left + view->pixel;
          next = MAX (find_edge (self, &cell, view->from + (x2 - view->x) / view->unit), e + 1);
          chosen = tsr_pyramid_get_argmax (self->pyramid, e, next);
        }
      if (get_edge_width (self, cell.program, chosen) > 0)
        {
          drawn = (Drawn){ make_cell (self, above->cell, chosen), left, x2 };
          g_array_append_val (found, drawn);
          left = x2;
        }
      e = next;
    }
}

static void
tsr_program_icicle_layout (TsrChartModel *model,
                           const TsrChartGeometry *geometry,
                           TsrDrawList *list,
                           TsrPlotArea *area)
{
  TsrProgramIcicle *self = TSR_PROGRAM_ICICLE (model);
  g_autoptr (GArray) row = g_array_new (FALSE, FALSE, sizeof (Drawn));
  const Cell *focus;
  guint32 parent, n_rows;
  View view;

  if (self->cells->len > MAX_CELLS && self->focus == 0)
    forget_cells (self);
  view_init (&view, self, geometry, list);
  *area = (TsrPlotArea){ view.x, view.y, view.width, view.height, 0, 1 };
  focus = get_cell (self, self->focus);
  parent = focus->parent;
  n_rows = (guint32)ceil (view.height / ROW_HEIGHT) + 1;
  if (parent != TSR_NO_DATUM)
    {
      g_autoptr (GArray) only = g_array_new (FALSE, FALSE, sizeof (Drawn));
      Drawn above = { parent, view.x, view.x + view.width };

      g_array_append_val (only, above);
      draw_row (&view, only, list);
    }
  {
    Drawn top = { self->focus, view_get_x (&view, focus->start),
                  view_get_x (&view, focus->start + focus->width) };

    if (focus->width > 0)
      g_array_append_val (row, top);
  }
  for (guint32 i = 0; i < n_rows && row->len > 0; i++)
    {
      g_autoptr (GArray) below = g_array_new (FALSE, FALSE, sizeof (Drawn));

      draw_row (&view, row, list);
      for (guint k = 0; k < row->len; k++)
        {
          const Drawn drawn = g_array_index (row, Drawn, k);

          find_below (&view, &drawn, below);
        }
      g_array_unref (row);
      row = g_steal_pointer (&below);
    }
  if (self->totals[self->n] <= 0)
    tsr_draw_list_label (list, TSR_INK_DIM_TEXT, view.x + view.width / 2, view.y + ROW_HEIGHT, 0.5,
                         0, _ ("Nothing is known about this"));
}

static void
tsr_program_icicle_layout_overlay (TsrChartModel *model,
                                   const TsrChartGeometry *geometry,
                                   const TsrPlotArea *area,
                                   guint32 hover,
                                   guint32 cursor,
                                   TsrDrawList *list)
{
  TsrProgramIcicle *self = TSR_PROGRAM_ICICLE (model);
  const guint32 marked[] = { hover, cursor };

  for (guint i = 0; i < 2; i++)
    {
      const double line = i == 0 ? 1 : 2;
      double x, y, width, height;
      TsrDrawPoint corners[5];

      if (marked[i] == TSR_NO_DATUM || marked[i] >= self->cells->len
          || !tsr_program_icicle_get_cell (self, geometry, marked[i], &x, &y, &width, &height)
          || x > area->x + area->width || x + width < area->x)
        continue;
      width = MIN (x + MAX (width, 1), area->x + area->width) - MAX (x, area->x);
      if (width <= 0) /* it only touches the edge */
        continue;
      x = MAX (x, area->x);
      corners[0] = corners[4] = (TsrDrawPoint){ (float)(x + line / 2), (float)(y + line / 2) };
      corners[2] = (TsrDrawPoint){ (float)(x + width - line / 2), (float)(y + height - line / 2) };
      corners[1] = (TsrDrawPoint){ corners[2].x, corners[0].y };
      corners[3] = (TsrDrawPoint){ corners[0].x, corners[2].y };
      tsr_draw_list_polyline (list, i == 0 ? TSR_INK_HOVER : TSR_INK_SELECTION)->line_width
          = (float)line;
      for (guint k = 0; k < 5; k++)
        tsr_draw_list_point (list, corners[k].x, corners[k].y);
    }
}

/* ------------------------------------------------------------------ places */

guint32
tsr_program_icicle_cell_at (TsrProgramIcicle *self,
                            const TsrChartGeometry *geometry,
                            double x,
                            double y)
{
  g_autoptr (GArray) below = g_array_new (FALSE, FALSE, sizeof (Drawn));
  const Cell *focus;
  Drawn drawn;
  guint32 depth;
  View view;

  g_return_val_if_fail (TSR_IS_PROGRAM_ICICLE (self) && geometry != NULL, TSR_NO_DATUM);
  view_init (&view, self, geometry, NULL);
  focus = get_cell (self, self->focus);
  if (x < view.x || x >= view.x + view.width || y < view.y || y >= view.y + view.height)
    return TSR_NO_DATUM;
  depth = view.base + (guint32)((y - view.y) / ROW_HEIGHT);
  if (depth < focus->depth)
    return focus->parent;
  drawn = (Drawn){ self->focus, view_get_x (&view, focus->start),
                   view_get_x (&view, focus->start + focus->width) };
  if (focus->width <= 0 || x < drawn.x1 || x >= drawn.x2)
    return TSR_NO_DATUM;
  while (get_cell (self, drawn.cell)->depth < depth)
    {
      gboolean found = FALSE;

      g_array_set_size (below, 0);
      find_below (&view, &drawn, below);
      for (guint i = 0; i < below->len && !found; i++)
        {
          const Drawn *one = &g_array_index (below, Drawn, i);

          found = x >= one->x1 && x < one->x2;
          if (found)
            drawn = *one;
        }
      if (!found)
        return TSR_NO_DATUM;
    }
  return drawn.cell;
}

gboolean
tsr_program_icicle_get_cell (TsrProgramIcicle *self,
                             const TsrChartGeometry *geometry,
                             guint32 cell,
                             double *x,
                             double *y,
                             double *width,
                             double *height)
{
  const Cell *of;
  View view;

  g_return_val_if_fail (TSR_IS_PROGRAM_ICICLE (self) && geometry != NULL, FALSE);
  g_return_val_if_fail (cell < self->cells->len, FALSE);
  view_init (&view, self, geometry, NULL);
  of = get_cell (self, cell);
  if (of->depth < view.base)
    return FALSE;
  *x = view_get_x (&view, of->start);
  *y = view.y + (of->depth - view.base) * ROW_HEIGHT;
  *width = of->width * view.unit;
  *height = ROW_HEIGHT - 1;
  return TRUE;
}

guint32
tsr_program_icicle_get_program (TsrProgramIcicle *self, guint32 cell)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_ICICLE (self) && cell < self->cells->len, TSR_NO_INDEX);
  return get_cell (self, cell)->program < self->n ? get_cell (self, cell)->program : TSR_NO_INDEX;
}

guint32
tsr_program_icicle_get_parent (TsrProgramIcicle *self, guint32 cell)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_ICICLE (self) && cell < self->cells->len, TSR_NO_DATUM);
  return get_cell (self, cell)->parent;
}

guint32
tsr_program_icicle_neighbour (TsrProgramIcicle *self, guint32 cell, int dx, int dy)
{
  const Cell *of;
  guint32 first, end;

  g_return_val_if_fail (TSR_IS_PROGRAM_ICICLE (self) && cell < self->cells->len, cell);
  of = get_cell (self, cell);
  if (dy < 0)
    return of->parent != TSR_NO_DATUM ? of->parent : cell;
  if (dy > 0)
    {
      guint best;

      get_edges (self, of->program, &first, &end);
      best = tsr_pyramid_get_argmax (self->pyramid, first, end);
      return best != TSR_NO_INDEX && get_edge_width (self, of->program, best) > 0
                 ? make_cell (self, cell, best)
                 : cell;
    }
  if (of->parent == TSR_NO_DATUM || dx == 0)
    return cell;
  {
    guint32 parent = of->parent, above = get_cell (self, parent)->program;

    get_edges (self, above, &first, &end);
    for (gint64 e = (gint64)of->edge + dx; e >= first && e < end; e += dx)
      if (get_edge_width (self, above, (guint32)e) > 0)
        return make_cell (self, parent, (guint32)e);
  }
  return cell;
}

guint32
tsr_program_icicle_find (TsrProgramIcicle *self, guint32 program)
{
  g_autofree guint32 *edges = NULL; /* one that leads to each program */
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 cell = 0;

  g_return_val_if_fail (TSR_IS_PROGRAM_ICICLE (self) && program < self->n, TSR_NO_DATUM);
  edges = g_new (guint32, self->n);
  for (guint32 p = 0; p < self->n; p++)
    edges[p] = TSR_NO_INDEX;
  /* Those of the top last: they win. */
  for (guint32 p = 0; p <= self->n; p++)
    {
      guint32 first, end;

      get_edges (self, p, &first, &end);
      for (guint32 e = first; e < end; e++)
        if (get_edge_width (self, p, e) > 0
            && (e >= self->n_edges || edges[get_child (self, e)] == TSR_NO_INDEX))
          edges[get_child (self, e)] = e;
    }
  for (guint32 p = program; p < self->n;)
    {
      if (edges[p] == TSR_NO_INDEX)
        return TSR_NO_DATUM;
      g_array_append_val (path, edges[p]);
      p = edges[p] < self->n_edges ? tsr_programs_find_parent (self->programs, edges[p]) : self->n;
    }
  for (guint i = path->len; i-- > 0;)
    cell = make_cell (self, cell, g_array_index (path, guint32, i));
  return cell;
}

/* ------------------------------------------------------------------- model */

static void
tsr_program_icicle_get_domain (TsrChartModel *model, double *from, double *to, double *min_span)
{
  TsrProgramIcicle *self = TSR_PROGRAM_ICICLE (model);
  const Cell *focus = get_cell (self, self->focus);

  *from = focus->start;
  *to = focus->start + (focus->width > 0 ? focus->width : 1);
  *min_span = (*to - *from) / 1e9;
}

static void
tsr_program_icicle_layout_overview (TsrChartModel *model,
                                    const TsrChartGeometry *geometry,
                                    TsrDrawList *list)
{
  TsrPlotArea area;

  tsr_program_icicle_layout (model, geometry, list, &area);
}

static guint32
tsr_program_icicle_datum_at (TsrChartModel *model, double x)
{
  TsrProgramIcicle *self = TSR_PROGRAM_ICICLE (model);
  const Cell *focus = get_cell (self, self->focus);
  guint32 first, end, edge;

  if (x < focus->start || x >= focus->start + focus->width)
    return TSR_NO_DATUM;
  get_edges (self, focus->program, &first, &end);
  edge = find_edge (self, focus, x);
  return edge < end ? make_cell (self, self->focus, edge) : self->focus;
}

static double
tsr_program_icicle_position_of (TsrChartModel *model, guint32 datum)
{
  TsrProgramIcicle *self = TSR_PROGRAM_ICICLE (model);

  return datum < self->cells->len ? get_cell (self, datum)->start : 0;
}

static char *
dup_amount (TsrProgramIcicle *self, double amount)
{
  gint64 value = (gint64)llround (MIN (amount, 9e18));

  return self->width == TSR_ICICLE_CYCLES ? tsr_units_dup_count (value)
                                          : tsr_units_dup_bytes (self->units, value);
}

/* What the tree says of it.  Cells of one program side by side must add up, so they are not always
 * as wide as that: code of vertices is shared out, and live bytes are those of several steps. */
static double
get_figure (const TsrProgramIcicle *self, const Cell *cell)
{
  gint64 value = TSR_UNKNOWN;

  if (cell->program >= self->n)
    {
      if (self->width != TSR_ICICLE_LIVE)
        return cell->width;
      for (guint32 i = 0; i < self->n_roots; i++)
        value = MAX (value, tsr_programs_get (self->programs, self->roots[i], TSR_PROGRAM_LIVE));
    }
  else if (self->width == TSR_ICICLE_CODE)
    value
        = self->code != NULL ? tsr_program_code_get_total (self->code, cell->program) : TSR_UNKNOWN;
  else if (self->width == TSR_ICICLE_LIVE)
    value = tsr_programs_get (self->programs, cell->program, TSR_PROGRAM_LIVE);
  return value != TSR_UNKNOWN ? (double)value : cell->width;
}

static char *
tsr_program_icicle_describe (TsrChartModel *model, guint32 datum)
{
  TsrProgramIcicle *self = TSR_PROGRAM_ICICLE (model);
  GString *text = g_string_new (NULL);
  const Cell *cell;
  double all = self->totals[self->n];

  if (datum >= self->cells->len)
    return g_string_free (text, FALSE);
  cell = get_cell (self, datum);
  {
    g_autofree char *amount = dup_amount (self, get_figure (self, cell));
    g_autofree char *share = tsr_units_dup_percent (all > 0 ? cell->width / all : NAN, 1);

    g_string_append_printf (text, "%s\n%s: %s", get_label (self, cell),
                            tsr_icicle_width_get_name (self->width), amount);
    if (self->width == TSR_ICICLE_CYCLES)
      g_string_append_printf (text, " (%s)", share);
    else
      g_string_append_printf (text, "\n%s: %s", _ ("Share of the width"), share);
  }
  if (cell->program < self->n)
    {
      gint64 executions = tsr_programs_get (self->programs, cell->program, TSR_PROGRAM_EXECUTIONS);
      g_autofree char *times = tsr_units_dup_count (executions);
      guint32 callers = tsr_programs_get_n_parents (self->programs, cell->program);

      g_string_append_printf (text, "\n%s: %" PRId64 "\n%s: %s", _ ("Id"),
                              tsr_programs_get_tables (self->programs)->program_id[cell->program],
                              _ ("Executions"), times);
      if (callers > 1)
        g_string_append_printf (text, "\n%s: %u", _ ("Callers"), callers);
    }
  return g_string_free (text, FALSE);
}

static char *
tsr_program_icicle_dup_caption (TsrChartModel *model)
{
  TsrProgramIcicle *self = TSR_PROGRAM_ICICLE (model);
  const Cell *focus = get_cell (self, self->focus);
  g_autofree char *amount = dup_amount (self, get_figure (self, focus));

  return g_strdup_printf (_ ("%s by %s: %s"), get_label (self, focus),
                          tsr_icicle_width_get_name (self->width), amount);
}

/* The cells that layouts have come upon. */
static void
tsr_program_icicle_write_csv (TsrChartModel *model, double from, double to, GString *out)
{
  static const char *const heading[] = { "depth", "id", "type", "name", "from", "width" };
  TsrProgramIcicle *self = TSR_PROGRAM_ICICLE (model);

  tsr_csv_append_row (out, G_N_ELEMENTS (heading), heading);
  for (guint i = 1; i < self->cells->len; i++)
    {
      const Cell *cell = get_cell (self, i);
      g_autofree char *depth = g_strdup_printf ("%u", cell->depth);
      g_autofree char *id = g_strdup_printf (
          "%" PRId64, tsr_programs_get_tables (self->programs)->program_id[cell->program]);
      g_autofree char *start = tsr_number_dup_plain (cell->start);
      g_autofree char *width = tsr_number_dup_plain (cell->width);
      const char *const fields[] = { depth,
                                     id,
                                     tsr_programs_get_type (self->programs, cell->program),
                                     tsr_programs_get_name (self->programs, cell->program),
                                     start,
                                     width };

      if (cell->start < to && cell->start + cell->width > from)
        tsr_csv_append_row (out, G_N_ELEMENTS (fields), fields);
    }
}

/* One for each group of step types that has a colour. */
static const struct
{
  guint ink;
  const char *key;
} legend[] = {
  { TSR_TRACE_INK_OTHER, "control" },     { TSR_TRACE_INK_COMPUTE, "compute" },
  { TSR_TRACE_INK_EXCHANGE, "exchange" }, { TSR_TRACE_INK_INTER_IPU, "inter-ipu" },
  { TSR_TRACE_INK_TRANSFER, "transfer" }, { TSR_TRACE_INK_HOST, "host" },
  { TSR_TRACE_INK_SYNC, "sync" },
};

static guint
tsr_program_icicle_get_n_series (TsrChartModel *model)
{
  return G_N_ELEMENTS (legend);
}

static void
tsr_program_icicle_get_series (TsrChartModel *model, guint i, TsrChartSeries *series)
{
  *series = (TsrChartSeries){ .name = tsr_palette_get_name (TSR_INK_TRACE + legend[i].ink),
                              .key = legend[i].key,
                              .ink = TSR_INK_TRACE + legend[i].ink,
                              .filled = TRUE,
                              .visible = TRUE };
}

static TsrChartModel *
tsr_program_icicle_dup (TsrChartModel *model)
{
  TsrProgramIcicle *self = TSR_PROGRAM_ICICLE (model);
  TsrProgramIcicle *copy = tsr_program_icicle_new (self->programs, self->code);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));

  copy->width = self->width;
  copy->step = self->step;
  copy->root = self->root;
  copy->units = self->units;
  copy->marks = g_memdup2 (self->marks, self->marks != NULL ? self->n : 0);
  derive (copy);
  for (guint32 cell = self->focus; cell != 0; cell = get_cell (self, cell)->parent)
    g_array_append_val (path, get_cell (self, cell)->edge);
  for (guint i = path->len; i-- > 0;)
    copy->focus = make_cell (copy, copy->focus, g_array_index (path, guint32, i));
  return TSR_CHART_MODEL (copy);
}

/* ------------------------------------------------------------------ object */

static void
tsr_program_icicle_finalize (GObject *object)
{
  TsrProgramIcicle *self = TSR_PROGRAM_ICICLE (object);

  g_clear_pointer (&self->programs, tsr_programs_unref);
  g_clear_pointer (&self->code, tsr_program_code_unref);
  g_clear_pointer (&self->pyramid, tsr_pyramid_free);
  g_free (self->roots);
  g_free (self->totals);
  g_free (self->before);
  g_free (self->widths);
  g_free (self->marks);
  g_array_unref (self->cells);
  g_hash_table_unref (self->places);
  g_hash_table_unref (self->inks);
  G_OBJECT_CLASS (tsr_program_icicle_parent_class)->finalize (object);
}

static void
tsr_program_icicle_class_init (TsrProgramIcicleClass *klass)
{
  TsrChartModelClass *model_class = TSR_CHART_MODEL_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tsr_program_icicle_finalize;
  model_class->get_domain = tsr_program_icicle_get_domain;
  model_class->layout = tsr_program_icicle_layout;
  model_class->layout_overlay = tsr_program_icicle_layout_overlay;
  model_class->layout_overview = tsr_program_icicle_layout_overview;
  model_class->datum_at = tsr_program_icicle_datum_at;
  model_class->position_of = tsr_program_icicle_position_of;
  model_class->describe = tsr_program_icicle_describe;
  model_class->dup_caption = tsr_program_icicle_dup_caption;
  model_class->get_n_series = tsr_program_icicle_get_n_series;
  model_class->get_series = tsr_program_icicle_get_series;
  model_class->write_csv = tsr_program_icicle_write_csv;
  model_class->dup = tsr_program_icicle_dup;
}

static void
tsr_program_icicle_init (TsrProgramIcicle *self)
{
  self->step = self->root = TSR_NO_INDEX;
  self->inks = g_hash_table_new (NULL, NULL);
  self->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  self->places = g_hash_table_new_full (hash_place, g_int64_equal, g_free, NULL);
}

TsrProgramIcicle *
tsr_program_icicle_new (TsrPrograms *programs, TsrProgramCode *code)
{
  TsrProgramIcicle *self;
  guint32 first, end = 0;

  g_return_val_if_fail (programs != NULL, NULL);
  self = g_object_new (TSR_TYPE_PROGRAM_ICICLE, NULL);
  self->programs = tsr_programs_ref (programs);
  self->code = code != NULL ? tsr_program_code_ref (code) : NULL;
  self->n = tsr_programs_get_n (programs);
  if (self->n > 0)
    tsr_programs_get_edges (programs, self->n - 1, &first, &end);
  self->n_edges = end;
  derive (self);
  return self;
}

static void
derive_again (TsrProgramIcicle *self)
{
  derive (self);
  tsr_chart_model_emit_domain_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_program_icicle_set_width (TsrProgramIcicle *self, TsrIcicleWidth width)
{
  g_return_if_fail (TSR_IS_PROGRAM_ICICLE (self) && width < TSR_N_ICICLE_WIDTHS);
  if (self->width == width)
    return;
  self->width = width;
  derive_again (self);
}

gboolean
tsr_program_icicle_has_width (TsrProgramIcicle *self, TsrIcicleWidth width)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_ICICLE (self), FALSE);
  if (width == TSR_ICICLE_CODE)
    return self->code != NULL;
  for (guint32 p = 0; p < self->n; p++)
    if (tsr_programs_get (self->programs, p,
                          width == TSR_ICICLE_CYCLES ? TSR_PROGRAM_CYCLES_SELF
                                                     : TSR_PROGRAM_LIVE_SELF)
        > 0)
      return TRUE;
  return FALSE;
}

void
tsr_program_icicle_set_root (TsrProgramIcicle *self, guint32 step, guint32 program)
{
  g_return_if_fail (TSR_IS_PROGRAM_ICICLE (self));
  g_return_if_fail (program == TSR_NO_INDEX || program < self->n);
  if (self->step == step && self->root == program)
    return;
  self->step = step;
  self->root = program;
  derive_again (self);
}

void
tsr_program_icicle_set_units (TsrProgramIcicle *self, TsrUnits units)
{
  g_return_if_fail (TSR_IS_PROGRAM_ICICLE (self));
  self->units = units;
}

void
tsr_program_icicle_set_marks (TsrProgramIcicle *self, const guint8 *marks)
{
  g_return_if_fail (TSR_IS_PROGRAM_ICICLE (self));
  if (self->marks == NULL && marks == NULL)
    return;
  g_free (self->marks);
  self->marks = g_memdup2 (marks, marks != NULL ? MAX (self->n, 1) : 0);
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

void
tsr_program_icicle_set_focus (TsrProgramIcicle *self, guint32 cell)
{
  g_return_if_fail (TSR_IS_PROGRAM_ICICLE (self));
  g_return_if_fail (cell == TSR_NO_DATUM || cell < self->cells->len);
  cell = cell != TSR_NO_DATUM ? cell : 0;
  if (self->focus == cell)
    return;
  self->focus = cell;
  tsr_chart_model_emit_domain_changed (TSR_CHART_MODEL (self));
  tsr_chart_model_emit_changed (TSR_CHART_MODEL (self));
}

guint32
tsr_program_icicle_get_focus (TsrProgramIcicle *self)
{
  g_return_val_if_fail (TSR_IS_PROGRAM_ICICLE (self), 0);
  return self->focus;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Flags, hair lines, frames and dots.  Only what is on the screen costs anything beyond a look at
 * its place. */

#include "config.h"

#include "tsr-chart-marks.h"

#include "tsr-chart-frame.h"
#include "tsr-step-layout.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CHIP_PAD  4.0
#define CHIP_GAP  3.0
#define FLAG_ROWS 3
#define FRAME     2.0 /* thickness of the cursor */
#define DOT       5.0

/* ------------------------------------------------------------------ chips */

void
tsr_chart_marks_measure_chip (const TsrChartGeometry *geometry,
                              const char *text,
                              double *width,
                              double *height)
{
  geometry->measure.measure (geometry->measure.data, text, TSR_AXIS_FONT_SIZE, TRUE, width, height);
  *width = ceil (*width) + 2 * CHIP_PAD;
  *height = ceil (*height) + 2;
}

void
tsr_chart_marks_chip (const TsrChartGeometry *geometry,
                      guint ink,
                      double x,
                      double y,
                      const char *text,
                      guint32 datum,
                      TsrDrawList *list)
{
  double width;
  double height;
  TsrDrawItem *item;

  tsr_chart_marks_measure_chip (geometry, text, &width, &height);
  x = tsr_draw_list_snap (x, geometry->scale);
  y = tsr_draw_list_snap (y, geometry->scale);
  item = tsr_draw_list_rect (list, ink, x, y, width, height);
  item->datum = datum;
  item = tsr_draw_list_label (list, TSR_INK_BACKGROUND, x + width / 2, y + height / 2, 0.5, 0.5,
                              text);
  item->font_size = TSR_AXIS_FONT_SIZE;
  item->bold = TRUE;
  item->datum = datum;
}

/* A box is a rectangle with its word right after it. */
guint32
tsr_chart_marks_datum_at (const TsrDrawList *list, double x, double y)
{
  g_return_val_if_fail (list != NULL, TSR_NO_DATUM);
  for (guint i = list->items->len; i > 1; i--)
    {
      const TsrDrawItem *label = &g_array_index (list->items, TsrDrawItem, i - 1);
      const TsrDrawItem *box = &g_array_index (list->items, TsrDrawItem, i - 2);

      if (label->kind == TSR_ITEM_LABEL && box->kind == TSR_ITEM_RECT
          && label->datum != TSR_NO_DATUM && box->datum == label->datum && x >= box->x
          && x < box->x + box->width && y >= box->y && y < box->y + box->height)
        return box->datum;
    }
  return TSR_NO_DATUM;
}

static double
clamp_chip (const TsrPlotArea *area, double middle, double width)
{
  return CLAMP (middle - width / 2, area->x, MAX (area->x + area->width - width, area->x));
}

/* -------------------------------------------------------------- selection */

typedef struct
{
  double left, right;
  guint32 first, last; /* smallest and largest datum */
  guint32 first_position, last_position;
  guint n;
} Run;

static int
compare_runs (gconstpointer a, gconstpointer b)
{
  const Run *x = a;
  const Run *y = b;

  return (x->first_position > y->first_position) - (x->first_position < y->first_position);
}

/* Selected data that are visible, merged where their columns touch. */
static GArray *
list_runs (const TsrChartGeometry *geometry,
           const TsrPlotArea *area,
           const guint *data,
           guint n_data,
           guint n,
           const guint *positions,
           guint *n_before,
           guint *n_after)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (Run));
  guint n_runs = 0;

  for (guint i = 0; i < n_data; i++)
    {
      Run run = { .first = data[i], .last = data[i], .n = 1 };

      if (data[i] >= n)
        continue;
      run.first_position = run.last_position = positions != NULL ? positions[data[i]] : data[i];
      if (tsr_step_layout_get_edges (geometry, area, run.first_position, &run.left, &run.right))
        g_array_append_val (runs, run);
      else if (run.first_position < geometry->from)
        ++*n_before;
      else
        ++*n_after;
    }
  if (positions != NULL)
    g_array_sort (runs, compare_runs);
  for (guint i = 0; i < runs->len; i++)
    {
      Run *run = &g_array_index (runs, Run, i);
      Run *before = n_runs > 0 ? &g_array_index (runs, Run, n_runs - 1) : NULL;

      if (before == NULL || run->left > before->right + 0.01)
        {
          g_array_index (runs, Run, n_runs++) = *run;
          continue;
        }
      before->right = MAX (before->right, run->right);
      before->first = MIN (before->first, run->first);
      before->last = MAX (before->last, run->last);
      before->last_position = run->last_position;
      before->n += run->n;
    }
  g_array_set_size (runs, n_runs);
  return runs;
}

static char *
dup_run_name (const Run *run)
{
  g_autofree char *count = NULL;

  if (run->n == 1)
    return g_strdup_printf ("%u", run->first);
  if (run->last - run->first + 1 == run->n)
    return g_strdup_printf ("%u–%u", run->first, run->last);
  count = tsr_units_dup_count (run->n);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s selected", "%s selected", run->n),
                          count);
}

static void
add_outline (const TsrChartGeometry *geometry,
             const TsrPlotArea *area,
             const Run *run,
             TsrDrawList *list)
{
  double line = MAX (floor (geometry->scale), 1) / geometry->scale;
  double right = area->x + area->width;
  TsrDrawItem *item = tsr_draw_list_rect (list, TSR_INK_SELECTION, run->left, area->y,
                                          run->right - run->left, area->height);

  item->alpha = 0.16;
  item->datum = run->n == 1 ? run->first : TSR_NO_DATUM;
  if (run->left - line >= area->x)
    tsr_draw_list_rect (list, TSR_INK_SELECTION, run->left - line, area->y, line, area->height);
  if (run->right + line <= right + 0.01)
    tsr_draw_list_rect (list, TSR_INK_SELECTION, run->right, area->y, line, area->height);
}

/* Left to right into the first row that has room; a name without room is left out, its outline
 * stays. */
static void
add_flags (const TsrChartGeometry *geometry,
           const TsrPlotArea *area,
           const GArray *runs,
           TsrDrawList *list)
{
  double ends[FLAG_ROWS];
  guint n_labels = 0;

  for (guint r = 0; r < FLAG_ROWS; r++)
    ends[r] = -G_MAXDOUBLE;
  for (guint i = 0; i < runs->len && n_labels < TSR_MARKS_MAX_LABELS; i++)
    {
      const Run *run = &g_array_index (runs, Run, i);
      g_autofree char *name = dup_run_name (run);
      double width;
      double height;
      double x;

      tsr_chart_marks_measure_chip (geometry, name, &width, &height);
      x = tsr_draw_list_snap (clamp_chip (area, (run->left + run->right) / 2, width),
                              geometry->scale);
      for (guint r = 0; r < FLAG_ROWS; r++)
        {
          double y = area->y + geometry->inset + CHIP_GAP + r * (height + CHIP_GAP);

          if (x < ends[r] + CHIP_GAP || x + width > area->x + area->width + 0.5
              || y + height > area->y + area->height)
            continue;
          tsr_chart_marks_chip (geometry, TSR_INK_SELECTION, x, y, name,
                                run->n == 1 ? run->first : TSR_NO_DATUM, list);
          ends[r] = x + width;
          n_labels++;
          break;
        }
    }
}

static void
add_edge_counts (const TsrChartGeometry *geometry,
                 const TsrPlotArea *area,
                 guint n_before,
                 guint n_after,
                 TsrDrawList *list)
{
  double width;
  double height;

  if (n_before > 0)
    {
      g_autofree char *count = tsr_units_dup_count (n_before);
      g_autofree char *text = g_strdup_printf ("‹ %s", count);

      tsr_chart_marks_measure_chip (geometry, text, &width, &height);
      tsr_chart_marks_chip (geometry, TSR_INK_SELECTION, area->x + CHIP_GAP,
                            area->y + area->height - height - CHIP_GAP, text, TSR_NO_DATUM, list);
    }
  if (n_after > 0)
    {
      g_autofree char *count = tsr_units_dup_count (n_after);
      g_autofree char *text = g_strdup_printf ("%s ›", count);

      tsr_chart_marks_measure_chip (geometry, text, &width, &height);
      tsr_chart_marks_chip (geometry, TSR_INK_SELECTION, area->x + area->width - width - CHIP_GAP,
                            area->y + area->height - height - CHIP_GAP, text, TSR_NO_DATUM, list);
    }
}

void
tsr_chart_marks_selection (const TsrChartGeometry *geometry,
                           const TsrPlotArea *area,
                           const guint *data,
                           guint n_data,
                           guint n,
                           const guint *positions,
                           TsrDrawList *list)
{
  guint n_before = 0;
  guint n_after = 0;
  g_autoptr (GArray) runs = NULL;

  if (n_data == 0)
    return;
  runs = list_runs (geometry, area, data, n_data, n, positions, &n_before, &n_after);
  for (guint i = 0; i < runs->len; i++)
    add_outline (geometry, area, &g_array_index (runs, Run, i), list);
  add_flags (geometry, area, runs, list);
  add_edge_counts (geometry, area, n_before, n_after, list);
}

/* ------------------------------------------------------- pointer and keys */

static void
add_axis_chip (const TsrChartGeometry *geometry,
               const TsrPlotArea *area,
               double middle,
               guint32 datum,
               TsrDrawList *list)
{
  g_autofree char *text = g_strdup_printf ("%u", datum); /* a tile */
  double width;
  double height;

  tsr_chart_marks_measure_chip (geometry, text, &width, &height);
  tsr_chart_marks_chip (geometry, TSR_INK_HOVER, clamp_chip (area, middle, width),
                        area->y + area->height + 4, text, datum, list);
}

void
tsr_chart_marks_hover (const TsrChartGeometry *geometry,
                       const TsrPlotArea *area,
                       guint position,
                       guint32 datum,
                       TsrDrawList *list)
{
  double left;
  double right;
  double line = MAX (floor (geometry->scale), 1) / geometry->scale;
  TsrDrawItem *item;

  if (!tsr_step_layout_get_edges (geometry, area, position, &left, &right))
    return;
  item = tsr_draw_list_rect (list, TSR_INK_HOVER,
                             tsr_draw_list_snap ((left + right - line) / 2, geometry->scale),
                             area->y, line, area->height);
  item->alpha = 0.7;
  item->datum = datum;
  add_axis_chip (geometry, area, (left + right) / 2, datum, list);
}

void
tsr_chart_marks_cursor (const TsrChartGeometry *geometry,
                        const TsrPlotArea *area,
                        guint position,
                        guint32 datum,
                        TsrDrawList *list)
{
  double left;
  double right;
  double bottom = area->y + area->height;

  if (!tsr_step_layout_get_edges (geometry, area, position, &left, &right))
    return;
  left = MAX (left - FRAME - 1, area->x - FRAME);
  right = MIN (right + FRAME + 1, area->x + area->width + FRAME);
  tsr_draw_list_rect (list, TSR_INK_HOVER, left, area->y, FRAME, area->height)->datum = datum;
  tsr_draw_list_rect (list, TSR_INK_HOVER, right - FRAME, area->y, FRAME, area->height)->datum
      = datum;
  tsr_draw_list_rect (list, TSR_INK_HOVER, left, area->y, right - left, FRAME)->datum = datum;
  tsr_draw_list_rect (list, TSR_INK_HOVER, left, bottom - FRAME, right - left, FRAME)->datum
      = datum;
  add_axis_chip (geometry, area, (left + right) / 2, datum, list);
}

void
tsr_chart_marks_dot (const TsrChartGeometry *geometry,
                     const TsrPlotArea *area,
                     guint position,
                     double value,
                     guint ink,
                     TsrDrawList *list)
{
  double left;
  double right;
  double x;
  double y;

  if (!tsr_step_layout_get_edges (geometry, area, position, &left, &right))
    return;
  x = tsr_draw_list_snap ((left + right - DOT) / 2, geometry->scale);
  y = tsr_plot_area_get_y (area, value, geometry->scale)
      - tsr_draw_list_snap (DOT / 2, geometry->scale);
  tsr_draw_list_rect (list, TSR_INK_BACKGROUND, x - 1, y - 1, DOT + 2, DOT + 2);
  tsr_draw_list_rect (list, ink, x, y, DOT, DOT);
}

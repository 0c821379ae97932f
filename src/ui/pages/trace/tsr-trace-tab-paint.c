/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bars of proportions, of overlap, and the heat of a pipeline's periods and of waits, in the cells
 * of tables. */

#include "config.h"

#include "tsr-trace-chart.h"
#include "tsr-trace-tabs-private.h"

#define MARGIN        2.0  /* above and below a bar */
#define MOST_EXCLUDED 0.2  /* of a bar: more is cut, and the share written on it */
#define SHARE_WIDTH   38.0 /* a hatch at least so wide has its share written on it */
#define HEAT_TEXT     52.0 /* a box at least this wide has its number written in it */
#define HEAT_PADDING  6.0
#define LEAST_BOX     12.0 /* that has an IPU's number written in it */
#define LIGHTEST      0.12 /* of the ramp: seen as a box, and far from the darkest */

typedef struct
{
  const TsrChartGeometry *geometry;
  TsrDrawList *list;
  double x;        /* where the next part begins */
  double per_unit; /* pixels a cycle */
} Bar;

static void
bar_init (Bar *bar, const TsrChartGeometry *geometry, TsrDrawList *list, double total)
{
  bar->geometry = geometry;
  bar->list = list;
  bar->x = 0;
  bar->per_unit = total > 0 ? geometry->width / total : 0;
}

/* Edges lie on device pixels; a part that has none is not seen. */
static void
bar_add (Bar *bar, guint ink, double cycles, gboolean hatch)
{
  double scale = bar->geometry->scale;
  double left = tsr_draw_list_snap (bar->x, scale);
  double right = tsr_draw_list_snap (bar->x + cycles * bar->per_unit, scale);
  double height = bar->geometry->height - 2 * MARGIN;

  bar->x += cycles * bar->per_unit;
  if (right <= left)
    return;
  if (hatch)
    tsr_draw_list_hatch (bar->list, ink, left, MARGIN, right - left, height);
  else
    tsr_draw_list_rect (bar->list, ink, left, MARGIN, right - left, height);
}

/* A share in the middle of [left, right) of a hatch. */
static void
write_share (
    const TsrChartGeometry *geometry, TsrDrawList *list, double left, double right, double share)
{
  /* Never all while there is something else. */
  g_autofree char *text = tsr_units_dup_percent (share < 1 ? MIN (share, 0.999) : 1,
                                                 share >= 0.995 && share < 1 ? 1 : 0);
  double middle = tsr_draw_list_snap ((left + right) / 2, geometry->scale);
  double width, height;

  geometry->measure.measure (geometry->measure.data, text, TSR_FONT_SIZE - 1, FALSE, &width,
                             &height);
  width = tsr_draw_list_snap (width + 6, geometry->scale);
  tsr_draw_list_rect (list, TSR_INK_BACKGROUND,
                      tsr_draw_list_snap (middle - width / 2, geometry->scale), MARGIN, width,
                      geometry->height - 2 * MARGIN);
  tsr_draw_list_label (list, TSR_INK_TEXT, middle, geometry->height / 2, 0.5, 0.5, text)->font_size
      = TSR_FONT_SIZE - 1;
}

/* What the bar is not for may be nearly all of the time: it has at most a fifth, and its share
 * written on it. */
static double
cut_rest (double part, double rest)
{
  return part > 0 ? MIN (rest, part * MOST_EXCLUDED / (1 - MOST_EXCLUDED)) : rest;
}

static void
add_rest (Bar *bar, double part, double rest)
{
  double left = tsr_draw_list_snap (bar->x, bar->geometry->scale);

  bar_add (bar, TSR_INK_DIM_TEXT, cut_rest (part, rest), TRUE);
  if (rest > 0 && bar->x - left >= SHARE_WIDTH)
    write_share (bar->geometry, bar->list, left, bar->x, rest / (part + rest));
}

static void
paint_proportions (const TsrTraceAnswer *answer,
                   const TsrTraceSums *sums,
                   const TsrChartGeometry *geometry,
                   TsrDrawList *list)
{
  double counted = (double)sums->counted, excluded = (double)sums->excluded;
  Bar bar;

  bar_init (&bar, geometry, list, counted + cut_rest (counted, excluded));
  for (guint i = 0; i < tsr_trace_get_n_types (answer->trace); i++)
    {
      const TsrTraceType *type = tsr_trace_get_type (answer->trace, i);

      if (type->start_up || (answer->query.hidden >> i & 1) != 0 || sums->by_type[i] <= 0)
        continue;
      bar_add (&bar, tsr_trace_get_ink (type), (double)sums->by_type[i], FALSE);
    }
  add_rest (&bar, counted, excluded);
}

static void
paint_overlap (const TsrTraceAnswer *answer,
               const TsrTraceOverlap *overlap,
               const TsrChartGeometry *geometry,
               TsrDrawList *list)
{
  double span = (double)answer->to - (double)answer->from;
  double busy = (double)overlap->compute_alone + (double)overlap->hidden + (double)overlap->alone;
  double rest = MAX (span - busy, 0);
  double top, height;
  Bar bar;

  bar_init (&bar, geometry, list, busy + cut_rest (busy, rest));
  bar_add (&bar, TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE, (double)overlap->compute_alone, FALSE);
  top = tsr_draw_list_snap (bar.x, geometry->scale);
  bar_add (&bar, TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE, (double)overlap->hidden, FALSE);
  height = tsr_draw_list_snap (geometry->height / 2, geometry->scale);
  /* The lower half of what is hidden are the copies. */
  if (tsr_draw_list_snap (bar.x, geometry->scale) > top)
    tsr_draw_list_rect (list, TSR_INK_TRACE + TSR_TRACE_INK_TRANSFER, top, height,
                        tsr_draw_list_snap (bar.x, geometry->scale) - top,
                        geometry->height - MARGIN - height);
  bar_add (&bar, TSR_INK_TRACE + TSR_TRACE_INK_TRANSFER, (double)overlap->alone, FALSE);
  add_rest (&bar, busy, rest);
}

/* @text (nullable) is written in the box; @align as of a label. */
static void
add_box (const TsrChartGeometry *geometry,
         TsrDrawList *list,
         double from,
         double to,
         double share,
         const char *text,
         double align)
{
  double left = tsr_draw_list_snap (from, geometry->scale);
  double right = tsr_draw_list_snap (to, geometry->scale);
  guint step = (guint)(share * (TSR_N_RAMP_INKS - 1) + 0.5);

  if (right - left > 4)
    right -= 1 / geometry->scale; /* boxes stay apart */
  if (share > 0)
    tsr_draw_list_rect (list, TSR_INK_RAMP + step, left, MARGIN, right - left,
                        geometry->height - 2 * MARGIN);
  if (text == NULL)
    return;
  tsr_draw_list_label (list, step >= TSR_RAMP_TEXT_STEP ? TSR_INK_BACKGROUND : TSR_INK_TEXT,
                       align < 1 ? (left + right) / 2 : right - HEAT_PADDING, geometry->height / 2,
                       align, 0.5, text);
}

/* A box for each value, with its number if there is room.  0 has none, @least is the lightest
 * (0: dark as it is), @most the darkest. */
static void
paint_heat (const gint64 *values,
            guint n,
            gint64 least,
            gint64 most,
            const TsrChartGeometry *geometry,
            TsrDrawList *list)
{
  double width = geometry->width / n;
  double lightest = least > 0 && least < most ? LIGHTEST : 0;
  double from = lightest > 0 ? (double)least : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = width > HEAT_TEXT ? tsr_units_dup_count (values[i]) : NULL;
      double share
          = values[i] > 0 && most > 0
                ? lightest + ((double)values[i] - from) / ((double)most - from) * (1 - lightest)
                : 0;

      add_box (geometry, list, i * width, (i + 1) * width, share, text, 1);
    }
}

/* What a box takes that has the number of any of these @n @ipus. */
static double
get_least_box (TsrTrace *trace, const guint *ipus, guint n, const TsrChartGeometry *geometry)
{
  double least = LEAST_BOX;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *number = tsr_trace_dup_ipu_number (trace, ipus[i]);
      double width, height;

      geometry->measure.measure (geometry->measure.data, number, TSR_FONT_SIZE, FALSE, &width,
                                 &height);
      least = MAX (least, width + HEAT_PADDING);
    }
  return least;
}

/* A box of one width with its number for each of @n @ipus in their order, as dark as its value (by
 * IPU); @least as of get_least_box. */
static void
paint_numbered (TsrTrace *trace,
                const guint *ipus,
                guint n,
                double least,
                const gint64 *values,
                gint64 darkest,
                const TsrChartGeometry *geometry,
                TsrDrawList *list)
{
  double box = n > 0 ? CLAMP (geometry->width / n, least, MAX (least, HEAT_TEXT)) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = tsr_trace_dup_ipu_number (trace, ipus[i]);

      add_box (geometry, list, i * box, (i + 1) * box, (double)values[ipus[i]] / (double)darkest,
               text, 0.5);
    }
}

/* Of many IPUs those that work in this period, if there is room for their numbers. */
static void
paint_work (const TsrTraceAnswer *answer,
            const gint64 *work,
            guint n,
            const TsrChartGeometry *geometry,
            TsrDrawList *list)
{
  g_autofree guint *ipus = g_new (guint, n);
  guint n_working = 0;
  double least;

  for (guint i = 0; i < n; i++)
    if (work[i] > 0)
      ipus[n_working++] = i;
  least = get_least_box (answer->trace, ipus, n_working, geometry);
  if (geometry->width / n < LEAST_BOX && n_working * least <= geometry->width)
    paint_numbered (answer->trace, ipus, n_working, least, work, answer->most_work, geometry, list);
  else
    paint_heat (work, n, 0, answer->most_work, geometry, list);
}

void
tsr_trace_tab_paint (
    gpointer data, guint32 row, guint column, const TsrChartGeometry *geometry, TsrDrawList *list)
{
  const TsrTab *tab = data;
  const TsrTraceAnswer *answer = tab->answer != NULL ? tab->answer->trace : NULL;

  if (answer == NULL || answer->rows == NULL || row >= tsr_rows_get_n (answer->rows))
    return;
  if (answer->sums != NULL && row < answer->n_sums)
    paint_proportions (answer, &answer->sums[row], geometry, list);
  else if (answer->overlap != NULL && row < answer->overlap->len)
    paint_overlap (answer, &g_array_index (answer->overlap, TsrTraceOverlap, row), geometry, list);
  else if (answer->stages != NULL && answer->replica < answer->stages->len)
    {
      const TsrTraceStages *stages = g_ptr_array_index (answer->stages, answer->replica);

      paint_work (answer, stages->work + (gsize)row * stages->n_ipus, stages->n_ipus, geometry,
                  list);
    }
  else if (answer->waits != NULL)
    {
      guint n = answer->waits->n, ipu = answer->ipu < n ? answer->ipu : row;

      paint_heat (answer->waits->cycles + (gsize)ipu * n, n, answer->least_waited,
                  answer->most_waited, geometry, list);
    }
}

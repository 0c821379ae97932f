/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Edges are rounded to device pixels, so that neighbouring parts share them. */

#include "config.h"

#include "tsr-insight-charts.h"

#include "tsr-axis.h"

#include <glib/gi18n-lib.h>

#define FONT      11.0
#define TICK_GAP  4.0
#define BIN_GAP   1.0
#define MAX_TICKS 6
#define BEYOND    3.0 /* height of the mark over what is beyond the limit */

/* ------------------------------------------------------------------ bars */

static const struct
{
  const char *name;
  guint ink;
} part_looks[TSR_N_PARTS] = {
  { N_ ("Always live"), TSR_INK_ALWAYS_LIVE },
  { N_ ("Not always live, peak"), TSR_INK_NOT_ALWAYS_LIVE },
  { N_ ("Packing loss"), TSR_INK_PACKING },
  { N_ ("Gaps"), TSR_INK_GAPS },
  { N_ ("Free"), TSR_INK_FREE },
};

const char *
tsr_part_get_name (guint part)
{
  g_return_val_if_fail (part < TSR_N_PARTS, NULL);
  return _ (part_looks[part].name);
}

guint
tsr_part_get_ink (guint part)
{
  g_return_val_if_fail (part < TSR_N_PARTS, TSR_INK_FREE);
  return part_looks[part].ink;
}

static void
add_capacity (gint64 capacity, double most, const TsrChartGeometry *geometry, TsrDrawList *list)
{
  TsrDrawItem *item;
  double x;

  if (capacity <= 0 || most <= 0)
    return;
  x = tsr_draw_list_snap_line (MIN (geometry->width * (capacity / most), geometry->width - 1), 1,
                               geometry->scale);
  item = tsr_draw_list_line (list, TSR_INK_CAPACITY, x, 0, x, geometry->height);
  item->line_width = 1;
}

void
tsr_insight_charts_layout_parts (const gint64 parts[TSR_N_PARTS],
                                 gint64 capacity,
                                 const TsrChartGeometry *geometry,
                                 TsrDrawList *list)
{
  double sum = 0, at = 0, most;

  g_return_if_fail (geometry != NULL && list != NULL);
  for (guint i = 0; i < TSR_N_PARTS; i++)
    sum += parts[i] > 0 ? parts[i] : 0;
  most = MAX (sum, capacity > 0 ? capacity : 0);
  for (guint i = 0; i < TSR_N_PARTS && most > 0; i++)
    {
      double next = at + (parts[i] > 0 ? parts[i] : 0);
      double left = tsr_draw_list_snap (geometry->width * (at / most), geometry->scale);
      double right = tsr_draw_list_snap (geometry->width * (next / most), geometry->scale);

      if (right > left)
        tsr_draw_list_rect (list, part_looks[i].ink, left, 0, right - left, geometry->height)->datum
            = i;
      at = next;
    }
  if (capacity > 0 && most > capacity)
    {
      double limit = tsr_draw_list_snap (geometry->width * (capacity / most), geometry->scale);

      tsr_draw_list_rect (list, TSR_INK_OVERFLOW, limit, 0, geometry->width - limit, BEYOND);
    }
  add_capacity (capacity, most, geometry, list);
}

void
tsr_insight_charts_layout_bar (
    gint64 bytes, gint64 capacity, gint64 most, const TsrChartGeometry *geometry, TsrDrawList *list)
{
  double width, inside;

  g_return_if_fail (geometry != NULL && list != NULL);
  if (most <= 0 || bytes < 0)
    return;
  width = tsr_draw_list_snap (geometry->width * MIN ((double)bytes / most, 1), geometry->scale);
  inside = capacity > 0 && bytes > capacity
               ? tsr_draw_list_snap (geometry->width * ((double)capacity / most), geometry->scale)
               : width;
  if (capacity > bytes)
    tsr_draw_list_rect (
        list, TSR_INK_FREE, width, 0,
        tsr_draw_list_snap (geometry->width * ((double)capacity / most), geometry->scale) - width,
        geometry->height);
  tsr_draw_list_rect (list, TSR_INK_TOTAL, 0, 0, inside, geometry->height);
  if (width > inside)
    {
      tsr_draw_list_rect (list, TSR_INK_OVERFLOW_TINT, inside, 0, width - inside, geometry->height);
      tsr_draw_list_hatch (list, TSR_INK_OVERFLOW, inside, 0, width - inside, geometry->height);
    }
  add_capacity (capacity, most, geometry, list);
}

/* ------------------------------------------------------------------ strip */

/* Height of @value, at least one device pixel. */
static double
strip_height (gint64 value, gint64 most, const TsrChartGeometry *geometry)
{
  return MAX (
      tsr_draw_list_snap (geometry->height * MIN ((double)value / most, 1), geometry->scale),
      1 / geometry->scale);
}

void
tsr_insight_charts_layout_strip (const gint64 *values,
                                 guint n_values,
                                 gint64 most,
                                 const TsrChartGeometry *geometry,
                                 TsrDrawList *list)
{
  guint columns;

  g_return_if_fail ((values != NULL || n_values == 0) && geometry != NULL && list != NULL
                    && most > 0);
  columns = (guint)MAX (geometry->width * geometry->scale, 1);
  for (guint i = 0; i < columns; i++)
    {
      const guint first = (guint)((guint64)n_values * i / columns);
      const guint end = MAX (first + 1, (guint)((guint64)n_values * (i + 1) / columns));
      const double x = i / geometry->scale, width = 1 / geometry->scale;
      gint64 largest = 0, least = 0;

      for (guint k = first; k < MIN (end, n_values); k++)
        if (values[k] != TSR_UNKNOWN)
          {
            largest = MAX (largest, values[k]);
            least = MIN (least, values[k]);
          }
      if (largest > 0)
        {
          const double height = strip_height (largest, most, geometry);

          tsr_draw_list_rect (list, TSR_INK_ALWAYS_LIVE, x, geometry->height - height, width,
                              height);
        }
      if (least < 0)
        tsr_draw_list_rect (list, TSR_INK_OVERFLOW, x, 0, width,
                            strip_height (-least, most, geometry));
    }
}

/* ------------------------------------------------------------------ histogram */

typedef struct
{
  double left, top, right, bottom; /* of the plot */
  guint most;                      /* tiles of the fullest bin */
  gint64 step;                     /* of the axis of tiles */
} Frame;

static guint
tiles_in (TsrInsights *insights, guint ipu, guint bin)
{
  guint n_ipus = 0;
  const guint *tiles = tsr_insights_peek_histogram (insights, &n_ipus);

  return tiles != NULL && ipu < n_ipus ? tiles[ipu * (TSR_N_BINS + 1) + bin] : 0;
}

guint
tsr_insight_charts_get_bin_tiles (TsrInsights *insights, guint bin)
{
  guint n_ipus = 0;
  guint sum = 0;

  g_return_val_if_fail (insights != NULL && bin <= TSR_N_BINS, 0);
  tsr_insights_peek_histogram (insights, &n_ipus);
  for (guint i = 0; i < n_ipus; i++)
    sum += tiles_in (insights, i, bin);
  return sum;
}

static void
measure (const TsrChartGeometry *geometry, const char *text, double *width, double *height)
{
  geometry->measure.measure (geometry->measure.data, text, FONT, FALSE, width, height);
}

static void
init_frame (TsrInsights *insights, const TsrChartGeometry *geometry, Frame *frame)
{
  g_autofree char *widest = NULL;
  double width = 0, height = 0;

  frame->most = 0;
  for (guint i = 0; i <= TSR_N_BINS; i++)
    frame->most = MAX (frame->most, tsr_insight_charts_get_bin_tiles (insights, i));
  frame->step = tsr_count_nice_step (MAX (frame->most, 1), MAX_TICKS / 2);
  widest = tsr_units_dup_count ((frame->most + frame->step - 1) / frame->step * frame->step);
  measure (geometry, widest, &width, &height);
  frame->left = tsr_draw_list_snap (width + TICK_GAP, geometry->scale);
  frame->top = tsr_draw_list_snap (height / 2, geometry->scale);
  frame->right = geometry->width;
  frame->bottom = tsr_draw_list_snap (geometry->height - height - TICK_GAP, geometry->scale);
}

static double
edge_of (const Frame *frame, guint bin, double scale)
{
  double width = (frame->right - frame->left) / (TSR_N_BINS + 1);

  return tsr_draw_list_snap (frame->left + bin * width, scale);
}

static void
add_tiles_axis (const Frame *frame, const TsrChartGeometry *geometry, TsrDrawList *list)
{
  gint64 top = (frame->most + frame->step - 1) / frame->step * frame->step;

  for (gint64 value = 0; value <= top && top > 0; value += frame->step)
    {
      double y = tsr_draw_list_snap_line (
          frame->bottom - (frame->bottom - frame->top) * ((double)value / top), 1, geometry->scale);
      g_autofree char *text = tsr_units_dup_count (value);
      TsrDrawItem *item;

      item = tsr_draw_list_line (list, value == 0 ? TSR_INK_AXIS : TSR_INK_GRID, frame->left, y,
                                 frame->right, y);
      item->line_width = 1;
      item = tsr_draw_list_label (list, TSR_INK_DIM_TEXT, frame->left - TICK_GAP, y, 1, 0.5, text);
      item->font_size = FONT;
    }
}

/* Bytes at the edges of bins, as many as there is room for. */
static void
add_bytes_axis (TsrInsights *insights,
                TsrUnits units,
                const Frame *frame,
                const TsrChartGeometry *geometry,
                TsrDrawList *list)
{
  double free_from = -G_MAXDOUBLE;

  for (guint bin = 0; bin <= TSR_N_BINS; bin += TSR_N_BINS / 4)
    {
      gint64 from = 0, to = 0;
      g_autofree char *text = NULL;
      double x = edge_of (frame, bin, geometry->scale), width = 0, height = 0, left;
      TsrDrawItem *item;

      tsr_insights_get_bin (insights, bin, &from, &to);
      text = tsr_units_dup_bytes (units, from);
      measure (geometry, text, &width, &height);
      left = CLAMP (x - width / 2, 0, MAX (geometry->width - width, 0));
      if (left < free_from)
        continue;
      item = tsr_draw_list_label (list, TSR_INK_DIM_TEXT, left, frame->bottom + TICK_GAP, 0, 0,
                                  text);
      item->font_size = FONT;
      free_from = left + width + 2 * TICK_GAP;
    }
}

static void
add_bin (TsrInsights *insights,
         guint bin,
         gboolean marked,
         const Frame *frame,
         const TsrChartGeometry *geometry,
         TsrDrawList *list)
{
  gint64 top = (frame->most + frame->step - 1) / frame->step * frame->step;
  double left = edge_of (frame, bin, geometry->scale);
  double width = edge_of (frame, bin + 1, geometry->scale) - left - BIN_GAP;
  double height = frame->bottom - frame->top, below = frame->bottom;
  guint n_ipus = 0, sum = 0;
  TsrDrawItem *item;

  tsr_insights_peek_histogram (insights, &n_ipus);
  /* What does not fit is told by its ground, and the colours of the IPUs stay what they are. */
  if (bin == TSR_N_BINS && tsr_insight_charts_get_bin_tiles (insights, bin) > 0)
    {
      tsr_draw_list_rect (list, TSR_INK_OVERFLOW_TINT, left, frame->top, width, height);
      tsr_draw_list_hatch (list, TSR_INK_OVERFLOW, left, frame->top, width, height);
    }
  /* The whole bin, seen or not, is what the pointer finds. */
  item = tsr_draw_list_rect (list, TSR_INK_HOVER, left, frame->top, width, height);
  item->alpha = marked ? 0.15 : 0;
  item->datum = bin;
  for (guint ipu = 0; ipu < n_ipus && top > 0; ipu++)
    {
      double y;

      sum += tiles_in (insights, ipu, bin);
      y = tsr_draw_list_snap (frame->bottom - height * ((double)sum / top), geometry->scale);
      if (sum > 0 && ipu == 0)
        y = MIN (y, frame->bottom - 1 / geometry->scale);
      if (y < below)
        tsr_draw_list_rect (list, TSR_INK_IPU + ipu % TSR_N_IPU_INKS, left, y, width, below - y)
            ->datum
            = bin;
      below = MIN (below, y);
    }
}

void
tsr_insight_charts_layout_histogram (TsrInsights *insights,
                                     TsrUnits units,
                                     guint32 hover,
                                     const TsrChartGeometry *geometry,
                                     TsrDrawList *list)
{
  Frame frame;
  TsrDrawItem *item;
  double x;

  g_return_if_fail (insights != NULL && geometry != NULL && list != NULL);
  init_frame (insights, geometry, &frame);
  if (frame.right <= frame.left || frame.bottom <= frame.top)
    return;
  add_tiles_axis (&frame, geometry, list);
  add_bytes_axis (insights, units, &frame, geometry, list);
  for (guint bin = 0; bin <= TSR_N_BINS; bin++)
    add_bin (insights, bin, bin == hover, &frame, geometry, list);
  x = tsr_draw_list_snap_line (edge_of (&frame, TSR_N_BINS, geometry->scale) - BIN_GAP / 2, 1,
                               geometry->scale);
  item = tsr_draw_list_line (list, TSR_INK_CAPACITY, x, frame.top, x, frame.bottom);
  item->line_width = 1;
}

guint32
tsr_insight_charts_find_bin (const TsrDrawList *list, double x)
{
  g_return_val_if_fail (list != NULL, TSR_NO_DATUM);
  for (guint i = 0; i < list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (list->items, TsrDrawItem, i);

      if (item->kind == TSR_ITEM_RECT && item->ink == TSR_INK_HOVER && x >= item->x
          && x < item->x + item->width + BIN_GAP)
        return item->datum;
    }
  return TSR_NO_DATUM;
}

char *
tsr_insight_charts_describe_bin (TsrInsights *insights, guint bin, TsrUnits units)
{
  GString *text = g_string_new (NULL);
  gint64 from = 0, to = 0;
  guint n_ipus = 0, n = tsr_insight_charts_get_bin_tiles (insights, bin);
  g_autofree char *first = NULL, *last = NULL, *count = tsr_units_dup_count (n);

  tsr_insights_get_bin (insights, bin, &from, &to);
  tsr_insights_peek_histogram (insights, &n_ipus);
  first = tsr_units_dup_bytes (units, from);
  last = to != G_MAXINT64 ? tsr_units_dup_bytes (units, to) : NULL;
  if (last != NULL)
    g_string_append_printf (
        text, g_dngettext (GETTEXT_PACKAGE, "%s to %s: %s tile", "%s to %s: %s tiles", n), first,
        last, count);
  else
    g_string_append_printf (
        text, g_dngettext (GETTEXT_PACKAGE, "Beyond %s: %s tile", "Beyond %s: %s tiles", n), first,
        count);
  for (guint i = 0; i < n_ipus && n_ipus > 1; i++)
    if (tiles_in (insights, i, bin) > 0)
      {
        g_autofree char *here = tsr_units_dup_count (tiles_in (insights, i, bin));

        g_string_append_printf (text, _ ("\nIPU %u: %s"), i, here);
      }
  return g_string_free (text, FALSE);
}

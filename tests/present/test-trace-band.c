/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The band of an IPU's tiles against a loop over tiles and columns, in a made report: before and
 * after the tiles' numbers are read, with a vertical zoom and in the order of finishing. */

#include "config.h"

#include "chart-test.h"
#include "tsr-test.h"
#include "tsr-trace-chart-private.h"

#include <math.h>
#include <string.h>

#define BAND 240

typedef struct
{
  char *folder;
  TsrTrace *trace;
  TsrTraceState *state;
  TsrTraceChart *chart;
  TsrDrawList *list;
  TsrChartGeometry geometry;
  TsrPlotArea area;
  TsrTraceSlice step; /* the longest that computes, of those with numbers of each tile */
} Fixture;

static void
find_step (Fixture *fixture)
{
  const TsrTraceRow *row = tsr_trace_get_row (fixture->trace, 0, TSR_TRACE_FLAT, 0);
  gint64 longest = 0;

  for (gsize i = 0; i < row->n; i++)
    {
      TsrTraceSlice slice;

      tsr_trace_get_slice (fixture->trace, tsr_trace_row_first_slice (row, i), &slice);
      if (slice.end - slice.start <= longest
          || tsr_trace_get_tile_set (fixture->trace, slice.slice) == TSR_UNKNOWN
          || tsr_trace_get_type (fixture->trace, slice.type)->group != TSR_STEP_GROUP_COMPUTE)
        continue;
      fixture->step = slice;
      longest = slice.end - slice.start;
    }
  g_assert_cmpint (longest, >, 0);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrPlace) place = tsr_local_place_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsrReport) report = NULL;

  fixture->folder = tsr_test_report_new ("demo");
  report = tsr_report_open_sync (place, fixture->folder,
                                 TSR_LOAD_NO_SCAN | TSR_LOAD_NO_LIVENESS | TSR_LOAD_NO_LOWERED,
                                 NULL, &error);
  g_assert_no_error (error);
  fixture->trace = tsr_trace_new (report, NULL, &error);
  g_assert_no_error (error);
  fixture->state = tsr_trace_state_new ();
  tsr_trace_state_set_run (fixture->state, TSR_TRACE_RUN_ALL);
  tsr_trace_state_set_shape (fixture->state, TSR_TRACE_FLAT);
  tsr_trace_state_set_ipu (fixture->state, 0);
  tsr_trace_state_set_option (fixture->state, TSR_TRACE_OPTION_FOLD, FALSE);
  tsr_trace_state_set_option (fixture->state, TSR_TRACE_OPTION_BSP, TRUE);
  fixture->chart = tsr_trace_chart_new (fixture->trace, fixture->state);
  tsr_trace_chart_set_bsp_height (fixture->chart, BAND);
  fixture->list = tsr_draw_list_new ();
  find_step (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  tsr_draw_list_free (fixture->list);
  g_assert_finalize_object (fixture->chart);
  g_assert_finalize_object (fixture->state);
  tsr_trace_unref (fixture->trace);
  tsr_test_folder_free (fixture->folder);
}

/* The step with a little around it. */
static void
layout (Fixture *fixture)
{
  gint64 from;
  gint64 to;
  double start;

  tsr_trace_fold_get_domain (tsr_trace_chart_get_fold (fixture->chart), &from, &to);
  start = (double)(fixture->step.start - from);
  fixture->geometry = test_geometry (900, 480, 1, start - 30,
                                     start + 30 + fixture->step.end - fixture->step.start);
  tsr_draw_list_reset (fixture->list);
  tsr_chart_model_layout (TSR_CHART_MODEL (fixture->chart), &fixture->geometry, fixture->list,
                          &fixture->area);
}

static double
get_band_top (Fixture *fixture)
{
  for (guint r = 0; r < fixture->chart->rows->len; r++)
    if (tsr_trace_chart_peek_row (fixture->chart, r)->kind == TSR_TRACE_ROW_BAND)
      return round (fixture->area.y + tsr_trace_chart_peek_row (fixture->chart, r)->y);
  g_assert_not_reached ();
}

/* Cycles in the middle of @column, from the begin of the trace's first. */
static double
get_middle (Fixture *fixture, guint column)
{
  gint64 from;
  gint64 to;

  tsr_trace_fold_get_domain (tsr_trace_chart_get_fold (fixture->chart), &from, &to);
  return from + fixture->geometry.from
         + (column + 0.5) * (fixture->geometry.to - fixture->geometry.from) / fixture->area.width;
}

static gboolean
is_in_step (Fixture *fixture, guint column)
{
  double per = (fixture->geometry.to - fixture->geometry.from) / fixture->area.width;
  double middle = get_middle (fixture, column);

  return middle - per > fixture->step.start && middle + per < fixture->step.end;
}

static void
load_wanted (Fixture *fixture)
{
  g_autoptr (GArray) wanted = tsr_trace_chart_dup_wanted (fixture->chart);

  for (guint i = 0; i < wanted->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TsrTileCycles) cycles
          = tsr_trace_load_tile_cycles (fixture->trace, g_array_index (wanted, guint32, i), &error);

      g_assert_no_error (error);
      g_assert_nonnull (cycles);
    }
}

/* -1: too near to an edge to tell, else whether all of tiles [first, end) work at @cycles in the
 * step that ends at @step_end. */
static int
work_naively (
    const TsrTileCycles *tiles, gint64 step_end, guint first, guint end, double cycles, double near)
{
  int all = 1;

  for (guint t = first; t < end; t++)
    {
      double from = (double)step_end - tiles->to_max + (tiles->start != NULL ? tiles->start[t] : 0);
      double to = from + tiles->cycles[t];

      if (tiles->cycles[t] > 0 && (fabs (cycles - from) < near || fabs (cycles - to) < near))
        return -1;
      if (tiles->cycles[t] == 0 || cycles < from || cycles >= to)
        all = 0;
    }
  return all;
}

/* The step of IPU 0's further lanes at @cycles; FALSE: none.  *near: its begin or end is. */
static gboolean
find_over (Fixture *fixture, double cycles, double least, TsrTraceSlice *out, gboolean *near)
{
  *near = FALSE;
  for (guint t = 1; t < tsr_trace_get_n_tracks (fixture->trace)
                    && tsr_trace_get_track (fixture->trace, t)->ipu == 0;
       t++)
    {
      const TsrTraceRow *row = tsr_trace_get_row (fixture->trace, t, TSR_TRACE_FLAT, 0);

      for (gsize i = 0; i < row->n; i++)
        {
          tsr_trace_get_slice (fixture->trace, tsr_trace_row_first_slice (row, i), out);
          *near = *near || fabs (cycles - out->start) < least || fabs (cycles - out->end) < least;
          if (cycles >= out->start && cycles < out->end)
            return tsr_trace_get_tile_set (fixture->trace, out->slice) != TSR_UNKNOWN;
        }
    }
  return FALSE;
}

/* -1: cannot be told here; else the ink of tiles [first, end) in @column. */
static int
get_ink_naively (Fixture *fixture, const TsrTileCycles *tiles, guint first, guint end, guint column)
{
  double per = (fixture->geometry.to - fixture->geometry.from) / fixture->area.width;
  double middle = get_middle (fixture, column);
  TsrTraceSlice over;
  gboolean near;
  int work;

  if (find_over (fixture, middle, 2 * per, &over, &near) && !near)
    {
      g_autoptr (TsrTileCycles) others = tsr_trace_peek_tile_cycles (fixture->trace, over.slice);

      g_assert_nonnull (others);
      work = work_naively (others, over.end, first, end, middle, 1e-6);
      if (work != 0)
        return work < 0 ? -1
                        : (int)tsr_trace_get_ink (tsr_trace_get_type (fixture->trace, over.type));
    }
  if (near)
    return -1;
  work = work_naively (tiles, fixture->step.end, first, end, middle, 1e-6);
  if (work < 0)
    return -1;
  return TSR_INK_TRACE + (work ? TSR_TRACE_INK_COMPUTE : TSR_TRACE_INK_SYNC);
}

static void
check_band (Fixture *fixture, double low, double high)
{
  g_auto (TestPixels) pixels = { 0 };
  g_autoptr (TsrTileCycles) tiles
      = tsr_trace_peek_tile_cycles (fixture->trace, fixture->step.slice);
  double top = get_band_top (fixture);
  guint n_tiles = (guint)tsr_trace_get_tiles_per_ipu (fixture->trace);
  guint n_work = 0;
  guint n_wait = 0;

  g_assert_nonnull (tiles);
  test_pixels_paint (&pixels, fixture->list, &fixture->geometry);
  for (guint r = 0; r < BAND; r++)
    {
      guint first = (guint)floor (n_tiles * (low + (high - low) * r / BAND));
      guint end = MAX ((guint)floor (n_tiles * (low + (high - low) * (r + 1) / BAND)), first + 1);

      for (guint c = 0; c < (guint)fixture->area.width; c++)
        {
          int expected;
          guint8 ink;

          if (!is_in_step (fixture, c))
            continue;
          expected = get_ink_naively (fixture, tiles, first, MIN (end, n_tiles), c);
          if (expected < 0)
            continue;
          ink = test_pixels_get (&pixels, (guint)fixture->area.x + c, (guint)top + r);
          g_assert_cmpuint (ink, ==, (guint)expected);
          n_work += expected == TSR_INK_TRACE + TSR_TRACE_INK_COMPUTE;
          n_wait += expected == TSR_INK_TRACE + TSR_TRACE_INK_SYNC;
        }
    }
  g_assert_cmpuint (n_work, >, 1000);
  g_assert_cmpuint (n_wait, >, 1000);
}

static void
test_band (Fixture *fixture, gconstpointer data)
{
  g_auto (TestPixels) pixels = { 0 };
  g_autoptr (GArray) wanted = NULL;
  gboolean found = FALSE;

  layout (fixture);
  test_list_check (fixture->list, 900, 480);
  wanted = tsr_trace_chart_dup_wanted (fixture->chart);
  for (guint i = 0; i < wanted->len; i++)
    found = found
            || tsr_trace_get_tile_set (fixture->trace, g_array_index (wanted, guint32, i))
                   == tsr_trace_get_tile_set (fixture->trace, fixture->step.slice);
  g_assert_true (found);
  test_pixels_paint (&pixels, fixture->list, &fixture->geometry);
  for (guint c = 0; c < (guint)fixture->area.width; c++)
    if (is_in_step (fixture, c))
      g_assert_cmpuint (test_pixels_get (&pixels, (guint)fixture->area.x + c,
                                         (guint)get_band_top (fixture) + 100),
                        ==, TSR_INK_TRACE_NEUTRAL);

  load_wanted (fixture);
  layout (fixture);
  g_clear_pointer (&wanted, g_array_unref);
  wanted = tsr_trace_chart_dup_wanted (fixture->chart);
  g_assert_cmpuint (wanted->len, ==, 0);
  check_band (fixture, 0, 1);
  tsr_trace_chart_set_bsp_range (fixture->chart, 0.25, 0.75);
  layout (fixture);
  check_band (fixture, 0.25, 0.75);
}

/* Down the band every tile finishes no earlier than the one before. */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TsrTileCycles) tiles = NULL;
  double x;
  gint64 before = -1;
  guint n = 0;

  layout (fixture);
  load_wanted (fixture);
  tsr_trace_chart_set_tile_order (fixture->chart, TSR_TRACE_TILES_BY_FINISH);
  layout (fixture);
  tiles = tsr_trace_peek_tile_cycles (fixture->trace, fixture->step.slice);
  g_assert_nonnull (tiles);
  x = fixture->area.x + fixture->area.width / 2;
  for (guint r = 0; r < BAND; r++)
    {
      TsrTraceHit hit;
      gint64 finish;

      tsr_trace_chart_hit (fixture->chart, &fixture->geometry, &fixture->area, x,
                           get_band_top (fixture) + r + 0.5, &hit);
      g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_TILE);
      g_assert_cmpuint (hit.slice, ==, fixture->step.slice);
      g_assert_cmpuint (hit.index, <, tiles->n);
      finish = tiles->cycles[hit.index] == 0
                   ? 0
                   : (gint64)(tiles->start != NULL ? tiles->start[hit.index] : 0)
                         + tiles->cycles[hit.index];
      g_assert_cmpint (finish, >=, before);
      n += finish > before;
      before = finish;
    }
  g_assert_cmpuint (n, >, 10);
}

/* Numbers of tiles beside the band: each where its tile is, none in the order of finishing. */
static void
test_axis (Fixture *fixture, gconstpointer data)
{
  static const double ranges[][2] = { { 0, 1 }, { 0.2, 0.4 }, { 0.9, 0.95 } };
  const double tiles = (double)tsr_trace_get_tiles_per_ipu (fixture->trace);
  TsrTraceHit hit = { .kind = TSR_TRACE_HIT_TILE, .ipu = 0 };
  gboolean pinned;
  double top, height;

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    for (guint by_finish = 0; by_finish < 2; by_finish++)
      {
        double low = ranges[i][0] * tiles, span = (ranges[i][1] - ranges[i][0]) * tiles;
        guint n = 0;

        tsr_trace_chart_set_bsp_range (fixture->chart, ranges[i][0], ranges[i][1]);
        tsr_trace_chart_set_tile_order (fixture->chart, by_finish ? TSR_TRACE_TILES_BY_FINISH
                                                                  : TSR_TRACE_TILES_BY_NUMBER);
        layout (fixture);
        g_assert_true (
            tsr_trace_chart_get_row_place (fixture->chart, &hit, &top, &height, &pinned));
        for (guint k = 0; k < fixture->list->items->len; k++)
          {
            const TsrDrawItem *item = &g_array_index (fixture->list->items, TsrDrawItem, k);
            g_autofree char *text = NULL;
            double y = item->y - fixture->area.y - top;
            guint64 tile;

            if (item->kind != TSR_ITEM_LABEL || item->xalign != 1 || item->x > fixture->area.x
                || y < 0 || y > height)
              continue;
            text = g_strdup (tsr_draw_list_get_text (fixture->list, item));
            if (strchr (text, ',') != NULL)
              memmove (strchr (text, ','), strchr (text, ',') + 1, strlen (strchr (text, ',')));
            if (!g_ascii_string_to_unsigned (text, 10, 0, 1471, &tile, NULL))
              continue; /* "73.2 %" */
            g_assert_cmpfloat_with_epsilon (y, ((double)tile - low) / span * height, 9);
            n++;
          }
        if (by_finish)
          g_assert_cmpuint (n, ==, 0);
        else
          g_assert_cmpuint (n, >=, 2);
      }
}

/* Cycles as time are seconds of the report's clock. */
static void
test_times (Fixture *fixture, gconstpointer data)
{
  static const gint64 cycles[] = { 0, 1, 1774, 123456789, TSR_UNKNOWN };
  const double clock = (double)tsr_test_ask (fixture->folder, "SELECT clock_frequency FROM target");

  for (guint i = 0; i < G_N_ELEMENTS (cycles); i++)
    {
      g_autofree char *count = tsr_trace_format_cycles (fixture->trace, cycles[i], FALSE);
      g_autofree char *time = tsr_trace_format_cycles (fixture->trace, cycles[i], TRUE);
      g_autofree char *seconds = tsr_units_dup_seconds ((double)cycles[i] / clock);
      g_autofree char *plain = tsr_units_dup_count (cycles[i]);

      g_assert_cmpstr (count, ==, plain);
      g_assert_cmpstr (time, ==, cycles[i] == TSR_UNKNOWN ? plain : seconds);
      for (guint k = 0; k < 2 * G_N_ELEMENTS (cycles); k++)
        {
          const gint64 to = cycles[k / 2];
          const gboolean as_time = k % 2;
          g_autofree char *a = NULL, *b = NULL, *x = NULL, *y = NULL;

          tsr_trace_format_span (fixture->trace, cycles[i], to, as_time, &a, &b);
          if (as_time && cycles[i] != TSR_UNKNOWN && to != TSR_UNKNOWN)
            tsr_units_dup_seconds_pair ((double)cycles[i] / clock, (double)to / clock, &x, &y);
          else
            {
              x = tsr_units_dup_count (cycles[i]);
              y = tsr_units_dup_count (to);
            }
          g_assert_cmpstr (a, ==, x);
          g_assert_cmpstr (b, ==, y);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/trace-band/work", Fixture, NULL, set_up, test_band, tear_down);
  g_test_add ("/trace-band/times", Fixture, NULL, set_up, test_times, tear_down);
  g_test_add ("/trace-band/axis", Fixture, NULL, set_up, test_axis, tear_down);
  g_test_add ("/trace-band/order", Fixture, NULL, set_up, test_order, tear_down);
  return g_test_run ();
}

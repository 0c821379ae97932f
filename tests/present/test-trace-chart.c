/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The chart of a trace: every pixel of its rows against a loop over all steps, what the pointer
 * hits against the pixels, moves, CSV, and what is told to whom. */

#include "config.h"

#include "trace-chart-test.h"

#include <math.h>
#include <string.h>

/* -------------------------------------------------------------- naive rows */

/* Any step of the item is of a type that is shown. */
/* The longest item that touches the cycles of @column, the first of equals; G_MAXSIZE. */
static gsize
find_naively (TraceChartTest *fixture, const TsrTraceRow *row, guint column, guint *n_under)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (fixture->trace);
  guint32 hidden = tsr_trace_state_get_hidden_mask (fixture->state, fixture->trace);
  guint n_columns = (guint)round (fixture->area.width * fixture->geometry.scale);
  double per = (fixture->geometry.to - fixture->geometry.from) / n_columns;
  gsize best = G_MAXSIZE;
  gint64 longest = -1;
  gint64 first;
  gint64 last;
  double from;
  double to;

  tsr_trace_fold_get_domain (tsr_trace_chart_get_fold (fixture->chart), &first, &last);
  from = first + floor (fixture->geometry.from + column * per + 1e-9);
  to = first + ceil (fixture->geometry.from + (column + 1) * per - 1e-9);
  *n_under = 0;
  for (gsize i = 0; i < row->n; i++)
    {
      guint32 slice = tsr_trace_row_first_slice (row, i);
      gint64 start = tables->slice_start[slice];
      gint64 end = tables->slice_end[tsr_trace_row_last_slice (row, i)];

      if (start >= to || end <= from)
        continue;
      ++*n_under;
      if (end - start <= longest || !trace_chart_test_is_shown (fixture->trace, row, i, hidden))
        continue;
      longest = end - start;
      best = i;
    }
  return best;
}

/* A group is told by what is shown of it: it computes, else the type that takes longest in it, or,
 * when that is hidden, the first in the order of the key. */
static guint
get_ink_naively (TraceChartTest *fixture, const TsrTraceRow *row, gsize i)
{
  guint32 hidden = tsr_trace_state_get_hidden_mask (fixture->state, fixture->trace);
  gboolean computes = FALSE;
  guint least = G_MAXUINT;
  TsrTraceItem item;

  tsr_trace_get_item (fixture->trace, row, i, &item);
  for (gsize at = row->first != NULL ? row->first[i] : i;
       at <= (row->last != NULL ? row->last[i] : i); at++)
    {
      guint32 slice = row->slices != NULL ? row->slices[at] : row->slice_base + (guint32)at;
      guint type = tsr_trace_get_slice_type (fixture->trace, slice);

      if ((hidden & 1u << type) != 0)
        continue;
      computes |= tsr_trace_get_type (fixture->trace, type)->group == TSR_STEP_GROUP_COMPUTE;
      least = MIN (least, type);
    }
  if (item.group && computes)
    return TSR_INK_TRACE + TSR_TRACE_INK_GROUP;
  if ((hidden & 1u << item.type) != 0)
    item.type = least;
  return tsr_trace_get_ink (tsr_trace_get_type (fixture->trace, item.type));
}

static gboolean
is_tall (TraceChartTest *fixture, const TsrTraceRow *row, gsize i)
{
  TsrTraceItem item;

  tsr_trace_get_item (fixture->trace, row, i, &item);
  return !item.group
         && tsr_trace_get_type (fixture->trace, item.type)->group == TSR_STEP_GROUP_INTER_IPU;
}

/* Inks of a row's columns; TSR_RASTER_CLEAR: nothing, or the gap between two items. */
static guint8 *
draw_naively (TraceChartTest *fixture, const TsrTraceRow *row, gboolean tall, gsize **items)
{
  guint n = (guint)round (fixture->area.width * fixture->geometry.scale);
  guint gap = MAX ((guint)fixture->geometry.scale, 1);
  guint8 *inks = g_malloc (n);
  gsize *best = g_new (gsize, n);
  guint under;

  memset (inks, TSR_RASTER_CLEAR, n);
  for (guint c = 0; c < n; c++)
    best[c] = find_naively (fixture, row, c, &under);
  for (guint c = 0, end; c < n; c = end)
    {
      for (end = c + 1; end < n && best[end] == best[c]; end++)
        ;
      if (best[c] == G_MAXSIZE || (tall && !is_tall (fixture, row, best[c])))
        continue;
      memset (inks + c, (int)get_ink_naively (fixture, row, best[c]),
              end - c - (end - c >= 4 * fixture->geometry.scale ? gap : 0));
    }
  *items = best;
  return inks;
}

/* An exchange between IPUs reaches down to its lane's end: taken from the rows above. */
static void
add_tall (TraceChartTest *fixture, const TsrTraceChartRow *row, TsrTraceShape shape, guint8 *inks)
{
  guint n = (guint)round (fixture->area.width * fixture->geometry.scale);

  for (guint depth = row->depth; depth-- > 0;)
    {
      g_autofree gsize *items = NULL;
      g_autofree guint8 *above = draw_naively (
          fixture, tsr_trace_get_row (fixture->trace, row->track, shape, depth), TRUE, &items);

      for (guint c = 0; c < n; c++)
        if (inks[c] == TSR_RASTER_CLEAR)
          inks[c] = above[c];
    }
}

/* Grid lines stand behind the rows. */
static gboolean
is_background (guint ink)
{
  return ink == TSR_RASTER_CLEAR || ink == TSR_INK_GRID;
}

static double
get_screen_y (TraceChartTest *fixture, const TsrTraceChartRow *row)
{
  return fixture->area.y + row->y;
}

static guint n_crowds;

/* Cycles of the type in [from, to) that the lane shows: of the first one the union over the IPU
 * less what the others have. */
static gint64
count_lane_naively (TraceChartTest *fixture, guint track, guint type, gint64 from, gint64 to)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (fixture->trace);
  const TsrTraceTrack *lane = tsr_trace_get_track (fixture->trace, track);
  gint64 cycles = 0, reached = from;

  for (guint t = 0; t < tsr_trace_get_n_tracks (fixture->trace); t++)
    {
      const TsrTraceRow *row = tsr_trace_get_row (fixture->trace, t, TSR_TRACE_FLAT, 0);

      if (tsr_trace_get_track (fixture->trace, t)->ipu != lane->ipu
          || (lane->lane > 0 ? t != track : t == track))
        continue;
      for (gsize i = 0; i < row->n; i++)
        if (tsr_trace_get_slice_type (fixture->trace, tsr_trace_row_first_slice (row, i)) == type)
          cycles += MAX (
              MIN (tsr_trace_row_end (row, i), to) - MAX (tsr_trace_row_start (row, i), from), 0);
    }
  if (lane->lane > 0)
    return cycles;
  cycles = -cycles;
  for (gsize i = tables->ipu_start[lane->ipu]; i < tables->ipu_start[lane->ipu + 1]; i++)
    if (tables->slice_start[i] != TSR_UNKNOWN
        && tsr_trace_get_slice_type (fixture->trace, (guint32)i) == type
        && MIN (tables->slice_end[i], to) > MAX (tables->slice_start[i], reached))
      {
        cycles += MIN (tables->slice_end[i], to) - MAX (tables->slice_start[i], reached);
        reached = MIN (tables->slice_end[i], to);
      }
  return cycles;
}

/* From @first to the lane's foot: of each column as many pixels of an ink as its types' share of
 * the time, a pixel at least; the pointer is told of the longest step. */
static void
check_crowd (TraceChartTest *fixture,
             TsrTraceGrid *grid,
             const TsrTraceChartRow *first,
             const TestPixels *pixels)
{
  double scale = fixture->geometry.scale;
  guint top = (guint)round (get_screen_y (fixture, first) * scale);
  guint height = (guint)round ((first->foot - first->y - 1) * scale);
  guint n_types = tsr_trace_get_n_types (fixture->trace);
  const TsrTraceRow *flat = tsr_trace_get_row (fixture->trace, first->track, TSR_TRACE_FLAT, 0);

  n_crowds++;
  for (guint c = 0; c + 1 < grid->n_columns; c += 5)
    {
      double shares[TSR_N_TRACE_INKS] = { 0 }, sum = 0;
      guint counts[TSR_N_TRACE_INKS] = { 0 }, under;
      gint64 from, to, high;
      double x, place_y, width, place_height;
      TsrTraceHit hit;
      g_autofree char *count = NULL, *line = NULL, *text = NULL;

      if (find_naively (fixture, first->row, c, &under) == G_MAXSIZE)
        continue;
      tsr_trace_grid_get_column (grid, tsr_trace_grid_find_stretch (grid, c), c, &from, &high);
      tsr_trace_grid_get_column (grid, tsr_trace_grid_find_stretch (grid, c + 1), c + 1, &to,
                                 &high);
      if (to - from < 3)
        continue;
      for (guint t = 0; t < n_types; t++)
        if ((fixture->chart->hidden & 1u << t) == 0)
          shares[tsr_trace_get_ink (tsr_trace_get_type (fixture->trace, t)) - TSR_INK_TRACE]
              += (double)count_lane_naively (fixture, first->track, t, from, to)
                 / (double)(to - from);
      for (guint i = 0; i < TSR_N_TRACE_INKS; i++)
        sum += MAX (shares[i], 0);
      for (guint y = top; y < top + height; y++)
        {
          guint8 ink = test_pixels_get (pixels, (guint)round (fixture->area.x * scale) + c, y);

          if (!is_background (ink))
            {
              g_assert_cmpuint (ink, >=, TSR_INK_TRACE);
              g_assert_cmpuint (ink, <, TSR_INK_TRACE + TSR_N_TRACE_INKS);
              counts[ink - TSR_INK_TRACE]++;
            }
        }
      for (guint i = 0; i < TSR_N_TRACE_INKS; i++)
        {
          double pixels_of = MAX (shares[i], 0) / MAX (sum, 1) * height;

          /* Rounding, and what others take that have less than a pixel. */
          g_assert_cmpfloat (fabs (counts[i] - pixels_of), <, 6);
          g_assert_true (shares[i] <= 0 || counts[i] > 0);
        }
      tsr_trace_chart_hit (fixture->chart, &fixture->geometry, &fixture->area,
                           fixture->area.x + (c + 0.5) / scale, (top + height / 2) / scale, &hit);
      if (find_naively (fixture, flat, c, &under) == G_MAXSIZE) /* a group's pause */
        {
          g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_NOTHING);
          continue;
        }
      g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_ITEM);
      g_assert_cmpint (hit.from, ==, from);
      g_assert_cmpuint (hit.slice, ==,
                        tsr_trace_row_first_slice (flat, find_naively (fixture, flat, c, &under)));
      g_assert_cmpuint (hit.n_under, ==, under);
      count = tsr_units_dup_count (under);
      line = g_strdup_printf ("Steps in this pixel: %s\n", count);
      text = tsr_trace_chart_describe_hit (fixture->chart, &hit);
      g_assert_nonnull (strstr (text, line));
      g_assert_true (tsr_trace_chart_get_place (fixture->chart, &fixture->geometry, &fixture->area,
                                                &hit, &x, &place_y, &width, &place_height));
      g_assert_cmpfloat (x, <=, fixture->area.x + c / scale + 1e-6);
      g_assert_cmpfloat (x + width, >=, fixture->area.x + (c + 1) / scale - 1e-6);
      g_assert_cmpfloat (width, <=, 3 / scale + 1e-6);
      g_assert_cmpfloat (fabs (place_y - top / scale), <, 1);
      g_assert_cmpfloat (fabs (place_height - height / scale), <, 1);
    }
}

static void
check_rows (TraceChartTest *fixture, TsrTraceShape shape)
{
  g_auto (TsrTraceGrid) grid = { NULL };
  g_auto (TestPixels) pixels = { 0 };
  guint n = (guint)round (fixture->area.width * fixture->geometry.scale);
  guint x0 = (guint)round (fixture->area.x * fixture->geometry.scale);

  g_assert_true (tsr_trace_grid_init (&grid, fixture->chart, &fixture->geometry, &fixture->area));
  test_pixels_paint (&pixels, fixture->list, &fixture->geometry);
  for (guint r = 0; r < fixture->chart->rows->len; r++)
    {
      const TsrTraceChartRow *row = tsr_trace_chart_peek_row (fixture->chart, r);
      g_autofree gsize *items = NULL;
      g_autofree guint8 *inks = NULL;
      const TsrTraceChartRow *first;
      guint y;

      if (row->kind != TSR_TRACE_ROW_STEPS)
        continue;
      if (tsr_trace_grid_find_crowd (&grid, tsr_trace_chart_find_ipu (fixture->chart, row->ipu),
                                     row, &first))
        {
          if (row == first)
            check_crowd (fixture, &grid, row, &pixels);
          continue;
        }
      y = (guint)round (get_screen_y (fixture, row) * fixture->geometry.scale) + 2;
      inks = draw_naively (fixture, row->row, FALSE, &items);
      add_tall (fixture, row, shape, inks);
      for (guint c = 0; c < n; c++)
        {
          guint8 ink = test_pixels_get (&pixels, x0 + c, y);
          double middle = fixture->area.x + (c + 0.5) / fixture->geometry.scale;
          TsrTraceHit hit;

          if (inks[c] == TSR_RASTER_CLEAR)
            g_assert_true (is_background (ink));
          else
            g_assert_cmpuint (ink, ==, inks[c]);
          if (c % 7 != 0)
            continue;
          tsr_trace_chart_hit (fixture->chart, &fixture->geometry, &fixture->area, middle,
                               get_screen_y (fixture, row) + row->height / 2, &hit);
          if (items[c] != G_MAXSIZE)
            {
              guint n_under;

              g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_ITEM);
              g_assert_cmpuint (hit.track, ==, row->track);
              g_assert_cmpuint (hit.depth, ==, row->depth);
              g_assert_cmpuint (hit.item, ==, items[c]);
              find_naively (fixture, row->row, c, &n_under);
              g_assert_cmpuint (hit.n_under, ==, n_under);
            }
          else if (is_background (inks[c]))
            g_assert_true (hit.kind == TSR_TRACE_HIT_NOTHING
                           || (hit.kind == TSR_TRACE_HIT_ITEM && hit.depth < row->depth));
          else
            g_assert_cmpuint (hit.depth, <, row->depth);
        }
    }
}

static void
test_pixels (void)
{
  for (guint seed = 0; seed < 8; seed++)
    {
      TraceChartTest fixture;
      double length;
      TsrTraceShape shape = seed % 2 == 0 ? TSR_TRACE_FLAT : TSR_TRACE_FLAME;
      double scale = seed % 3 == 2 ? 2 : 1;

      trace_chart_test_take (&fixture, trace_test_new_random (seed, 2, seed < 4 ? 300 : 3000, 9));
      tsr_trace_state_set_shape (fixture.state, shape);
      if (seed == 3 || seed > 5)
        {
          tsr_trace_state_set_hidden (fixture.state, "OnTileExecute", TRUE);
          tsr_trace_state_set_hidden (fixture.state, "GlobalExchange", TRUE);
        }
      length = trace_chart_test_get_length (&fixture);
      for (double zoom = 1; zoom <= 1024; zoom *= seed % 4 + 3)
        {
          double span = MAX (length / zoom, 16);
          double from = (length - span) * 0.37;

          trace_chart_test_layout (&fixture, 640, 1200, scale, from, from + span);
          test_list_check (fixture.list, 640, 1200);
          g_assert_cmpfloat (tsr_trace_chart_get_height (fixture.chart), <, fixture.area.height);
          check_rows (&fixture, shape);
        }
      trace_chart_test_tear_down (&fixture);
    }
  g_assert_cmpuint (n_crowds, >, 20);
}

/* Bursts of the shortest steps, equal lengths, long waits, steps that take no time; a second IPU
 * with a single step. */
static TraceTest *
new_uneven (guint seed)
{
  static const char *const names[] = { "a/b", "a/c/d", "e", "a/c/f" };
  TraceTest *test = trace_test_new (2);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  gint64 at = 0;

  trace_test_begin_run (test, "run");
  for (guint i = 0; i < 4000; i++)
    {
      guint sort = i / 300 % 4;
      gint64 d = sort == 0 ? 1 : sort == 1 ? 60 : g_rand_int_range (random, 0, 90);

      if (i % 1200 == 1199)
        d = 60000;
      trace_test_add_simple (test,
                             i % 1200 == 1199 ? "StreamCopyBegin"
                             : i % 3 == 0     ? "DoExchange"
                                              : "OnTileExecute",
                             names[g_rand_int_range (random, 0, G_N_ELEMENTS (names))], 0, at,
                             at + d);
      at += d + (i % 50 == 0 ? 200 : 0);
    }
  trace_test_add_simple (test, "OnTileExecute", "a/b", 1, at / 3, at / 3 + 7);
  return test;
}

static void
test_uneven (void)
{
  for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
    {
      TraceChartTest fixture;
      double length;

      trace_chart_test_take (&fixture, new_uneven (shape));
      tsr_trace_state_set_shape (fixture.state, shape);
      length = trace_chart_test_get_length (&fixture);
      for (double zoom = 1; zoom <= 300; zoom *= 2.5)
        for (guint part = 0; part < 3; part++)
          {
            double span = floor (MAX (length / zoom, 16));
            double from = floor ((length - span) * 0.43 * part);

            trace_chart_test_layout (&fixture, 640, 1200, 1, from, from + span);
            check_rows (&fixture, shape);
          }
      trace_chart_test_tear_down (&fixture);
    }
}

/* One step that is a little longer than all others is seen however much surrounds it. */
static void
test_planted (void)
{
  TraceChartTest fixture;
  TraceTest *test = trace_test_new (1);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  gint64 now = 0;
  gint64 planted = 0;
  double length;

  trace_test_begin_run (test, "run");
  for (guint i = 0; i < 40000; i++)
    {
      gint64 d = g_rand_int_range (random, 10, 100);

      if (i == 23456)
        {
          planted = now;
          trace_test_add_simple (test, "DoExchange", "a/b", 0, now, now + 101);
          now += 101;
        }
      trace_test_add_simple (test, "OnTileExecute", i % 2 ? "a/c" : "a/d", 0, now, now + d);
      now += d;
    }
  trace_chart_test_take (&fixture, test);
  length = trace_chart_test_get_length (&fixture);
  for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
    {
      tsr_trace_state_set_shape (fixture.state, shape);
      for (double zoom = 1; zoom < 5000; zoom *= 1.7)
        {
          g_auto (TestPixels) pixels = { 0 };
          double span = length / zoom;
          double from = CLAMP (planted - span * 0.61, 0, length - span);
          const TsrTraceChartRow *row;
          gboolean seen = FALSE;

          trace_chart_test_layout (&fixture, 700, 300, 1, from, from + span);
          test_pixels_paint (&pixels, fixture.list, &fixture.geometry);
          /* In a crowd it is somewhere in the stack. */
          row = tsr_trace_chart_peek_row (fixture.chart, fixture.chart->rows->len - 1);
          for (guint y = (guint)round (get_screen_y (&fixture, row - row->depth));
               y < get_screen_y (&fixture, row) + row->height - 1; y++)
            for (guint x = (guint)fixture.area.x; x < fixture.area.x + fixture.area.width; x++)
              seen = seen
                     || test_pixels_get (&pixels, x, y) == TSR_INK_TRACE + TSR_TRACE_INK_EXCHANGE;
          g_assert_true (seen);
        }
    }
  trace_chart_test_tear_down (&fixture);
}

/* ------------------------------------------------------------ slices, moves */

static void
test_hit_slice (void)
{
  for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
    {
      TraceChartTest fixture;
      const TsrExecutionTables *tables;
      guint n = 0;

      trace_chart_test_take (&fixture, trace_test_new_random (11 + shape, 2, 800, 9));
      tsr_trace_state_set_shape (fixture.state, shape);
      tables = tsr_trace_get_tables (fixture.trace);
      for (guint32 slice = 0; slice < tables->ipu_start[2]; slice += 13)
        {
          TsrTraceHit hit;
          TsrTraceHit again;
          TsrTraceSlice facts;
          double x;
          double y;
          double width;
          double height;

          tsr_trace_get_slice (fixture.trace, slice, &facts);
          if (!tsr_trace_chart_hit_slice (fixture.chart, slice, &hit))
            {
              g_assert_cmpuint (facts.lane, ==, G_MAXUINT);
              continue;
            }
          n++;
          g_assert_cmpuint (hit.ipu, ==, facts.ipu);
          trace_chart_test_layout (&fixture, 900, 600, 1, MAX (facts.start - 40, 0),
                                   facts.end + 40);
          g_assert_true (tsr_trace_chart_get_place (fixture.chart, &fixture.geometry, &fixture.area,
                                                    &hit, &x, &y, &width, &height));
          tsr_trace_chart_hit (fixture.chart, &fixture.geometry, &fixture.area, x + width / 2,
                               y + MIN (height, 10) / 2, &again);
          g_assert_cmpint (again.kind, ==, TSR_TRACE_HIT_ITEM);
          g_assert_cmpuint (again.item, ==, hit.item);
          g_assert_cmpuint (again.depth, ==, hit.depth);
        }
      g_assert_cmpuint (n, >, 50);
      trace_chart_test_tear_down (&fixture);
    }
}

/* Right through a row is every item of it that is not hidden, and left all the way back. */
static void
test_move (void)
{
  TraceChartTest fixture;
  TsrTraceHit hit = { .kind = TSR_TRACE_HIT_NOTHING };
  const TsrTraceRow *row;
  guint32 hidden;
  gsize shown = 0;
  gsize n = 1;

  trace_chart_test_take (&fixture, trace_test_new_random (3, 2, 500, 9));
  tsr_trace_state_set_shape (fixture.state, TSR_TRACE_FLAT);
  tsr_trace_state_set_hidden (fixture.state, "DoExchange", TRUE);
  hidden = tsr_trace_state_get_hidden_mask (fixture.state, fixture.trace);
  g_assert_true (tsr_trace_chart_move (fixture.chart, TSR_TRACE_MOVE_RIGHT, &hit));
  g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_RUN);
  g_assert_true (tsr_trace_chart_move (fixture.chart, TSR_TRACE_MOVE_DOWN, &hit));
  g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_ITEM);
  row = tsr_trace_get_row (fixture.trace, hit.track, TSR_TRACE_FLAT, 0);
  for (gsize i = 0; i < row->n; i++)
    {
      guint type = tsr_trace_get_slice_type (fixture.trace, tsr_trace_row_first_slice (row, i));

      shown += (hidden & 1u << type) == 0;
    }
  while (tsr_trace_chart_move (fixture.chart, TSR_TRACE_MOVE_LEFT, &hit))
    ;
  for (gsize before = hit.item; tsr_trace_chart_move (fixture.chart, TSR_TRACE_MOVE_RIGHT, &hit);
       n++)
    {
      g_assert_cmpuint (hit.item, >, before);
      before = hit.item;
    }
  g_assert_cmpuint (n, ==, shown);
  /* Down to the other IPU and up again stays at the same cycles. */
  hit.cycles = tsr_trace_row_start (row, row->n / 2);
  for (guint i = 0; i < 20 && tsr_trace_chart_move (fixture.chart, TSR_TRACE_MOVE_DOWN, &hit); i++)
    g_assert_cmpint (hit.cycles, ==, tsr_trace_row_start (row, row->n / 2));
  g_assert_cmpuint (hit.ipu, ==, 1);
  while (tsr_trace_chart_move (fixture.chart, TSR_TRACE_MOVE_UP, &hit))
    g_assert_cmpint (hit.cycles, ==, tsr_trace_row_start (row, row->n / 2));
  g_assert_cmpuint (hit.ipu, ==, 0);
  g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_RUN);
  trace_chart_test_tear_down (&fixture);
}

/* -------------------------------------------------------------- headers etc. */

typedef struct
{
  guint changed, overlay, domain, series;
} Told;

static void
count (GObject *object, guint *n)
{
  ++*n;
}

static void
test_signals (void)
{
  TraceChartTest fixture;
  Told told = { 0 };
  TsrTraceHit hit = { .kind = TSR_TRACE_HIT_RULER, .cycles = 5 };

  trace_chart_test_take (&fixture, trace_test_new_random (2, 2, 200, 9));
  g_signal_connect (fixture.chart, "changed", G_CALLBACK (count), &told.changed);
  g_signal_connect (fixture.chart, "overlay-changed", G_CALLBACK (count), &told.overlay);
  g_signal_connect (fixture.chart, "domain-changed", G_CALLBACK (count), &told.domain);
  g_signal_connect (fixture.chart, "series-changed", G_CALLBACK (count), &told.series);
  tsr_trace_state_set_span (fixture.state, 3, 9);
  tsr_trace_state_add_marker (fixture.state, 3, 9, "x");
  tsr_trace_chart_set_hover (fixture.chart, &hit);
  tsr_trace_chart_set_hover (fixture.chart, &hit);
  tsr_trace_chart_set_cursor (fixture.chart, NULL);
  g_assert_cmpuint (told.overlay, ==, 3);
  g_assert_cmpuint (told.changed + told.domain + told.series, ==, 0);
  tsr_trace_state_set_run (fixture.state, 0);
  g_assert_cmpuint (told.domain, ==, 1);
  g_assert_cmpuint (told.changed, ==, 1);
  tsr_trace_state_set_shape (fixture.state, TSR_TRACE_FLAT);
  g_assert_cmpuint (told.domain, ==, 1);
  g_assert_cmpuint (told.changed, ==, 2);
  tsr_chart_model_set_series_visible (TSR_CHART_MODEL (fixture.chart), 0, FALSE);
  g_assert_cmpuint (told.series, ==, 1);
  g_assert_cmpuint (tsr_trace_state_get_hidden_mask (fixture.state, fixture.trace), ==, 1);
  trace_chart_test_tear_down (&fixture);
}

/* What lies over the rows stays in the chart, and selected steps are framed. */
static void
test_overlay (void)
{
  TraceChartTest fixture;
  guint32 slice = 40;
  TsrTraceSlice facts;
  TsrTraceStepRef ref;
  g_autoptr (TsrDrawList) overlay = tsr_draw_list_new ();
  guint framed = 0;

  trace_chart_test_take (&fixture, trace_test_new_random (21, 2, 300, 9));
  do
    tsr_trace_get_slice (fixture.trace, slice++, &facts);
  while (facts.lane == G_MAXUINT || facts.end - facts.start < 50);
  ref = (TsrTraceStepRef){ facts.step_id, facts.ipu };
  tsr_trace_state_set_steps (fixture.state, &ref, 1);
  tsr_trace_state_set_span (fixture.state, facts.start - 500, facts.end + 500);
  tsr_trace_state_add_marker (fixture.state, facts.start - 200, facts.start - 200, "note");
  for (guint zoom = 1; zoom < 200; zoom *= 3)
    {
      double length = trace_chart_test_get_length (&fixture);
      double from = CLAMP (facts.start - length / zoom / 2, 0, length - length / zoom);

      trace_chart_test_layout (&fixture, 800, 500, 1, from, from + length / zoom);
      tsr_draw_list_reset (overlay);
      tsr_chart_model_layout_overlay (TSR_CHART_MODEL (fixture.chart), &fixture.geometry,
                                      &fixture.area, TSR_NO_DATUM, TSR_NO_DATUM, overlay);
      test_list_check (overlay, 800, 500);
      for (guint i = 0; i < overlay->items->len; i++)
        {
          const TsrDrawItem *item = &g_array_index (overlay->items, TsrDrawItem, i);
          double scale = fixture.area.width / (length / zoom);
          double left = fixture.area.x + (facts.start - from) * scale;

          framed += item->kind == TSR_ITEM_RECT && item->ink == TSR_INK_SELECTION
                    && item->alpha == 1 && item->width == 2 && fabs (item->x - left) <= 3;
        }
      g_assert_true (test_list_has_label (overlay, "note"));
    }
  g_assert_cmpuint (framed, >=, 4);
  trace_chart_test_tear_down (&fixture);
}

/* Whether a selected step whose own row this is touches what a column does. */
static gboolean
is_marked (const TraceChartTest *f, const TsrTraceChartRow *row, gint64 from, gint64 to)
{
  TsrTraceMatches *group = tsr_trace_state_get_selected_group (f->state);
  const TsrExecutionTables *tables = tsr_trace_get_tables (f->trace);

  for (gsize i = tables->ipu_start[row->ipu]; i < tables->ipu_start[row->ipu + 1]; i++)
    {
      TsrTraceHit hit;

      if (tables->slice_start[i] < to && tables->slice_end[i] > from
          && tables->slice_start[i] < tables->slice_end[i]
          && tsr_trace_matches_has_slice (group, f->trace, (guint32)i)
          && !(f->chart->hidden >> tsr_trace_get_slice_type (f->trace, (guint32)i) & 1)
          && tsr_trace_chart_hit_slice (f->chart, (guint32)i, &hit)
          && (row->shared || hit.track == row->track) && hit.depth == row->depth)
        return TRUE;
    }
  return FALSE;
}

/* The strip at the foot of each row, column by column; how many columns have one. */
static guint
check_strips (TraceChartTest *f)
{
  g_autoptr (TsrDrawList) overlay = tsr_draw_list_new ();
  g_auto (TestPixels) pixels = { 0 };
  g_auto (TsrTraceGrid) grid = { NULL };
  guint n_marked = 0;

  tsr_chart_model_layout_overlay (TSR_CHART_MODEL (f->chart), &f->geometry, &f->area, TSR_NO_DATUM,
                                  TSR_NO_DATUM, overlay);
  test_list_check (overlay, f->geometry.width, f->geometry.height);
  test_pixels_paint (&pixels, overlay, &f->geometry);
  g_assert_true (tsr_trace_grid_init (&grid, f->chart, &f->geometry, &f->area));
  for (guint i = 0; i < f->chart->ipus->len; i++)
    {
      const TsrTraceChartIpu *ipu = &g_array_index (f->chart->ipus, TsrTraceChartIpu, i);

      for (guint r = ipu->first; r < ipu->end; r++)
        {
          const TsrTraceChartRow *row = tsr_trace_chart_peek_row (f->chart, r);
          double top, bottom, y = tsr_trace_grid_get_y (&grid, ipu, row->y, &top, &bottom);

          if (row->kind != TSR_TRACE_ROW_STEPS || y + row->height > bottom)
            continue;
          for (guint c = 0; c < grid.n_columns; c++)
            {
              const TsrTraceStretch *stretch = tsr_trace_grid_find_stretch (&grid, c);
              gint64 from = 0, to = 0;
              gboolean marked;

              if (stretch != NULL)
                tsr_trace_grid_get_column (&grid, stretch, c, &from, &to);
              marked = stretch != NULL && is_marked (f, row, from, to);
              n_marked += marked;
              g_assert_cmpint (
                  test_pixels_get (&pixels, (guint)f->area.x + c, (guint)(y + row->height) - 3)
                      == TSR_INK_SELECTION,
                  ==, marked);
            }
        }
    }
  return n_marked;
}

/* In a row that is seen in whole: about whatever stands in the strip at its foot, columns are
 * marked at half its height, or the strip has more than a few columns there.  How many such pins.
 */
static guint
check_row_pins (TraceChartTest *f,
                TsrTraceGrid *grid,
                TestPixels *pixels,
                const TsrTraceChartIpu *ipu,
                const TsrTraceChartRow *row)
{
  double top, bottom, y = tsr_trace_grid_get_y (grid, ipu, row->y, &top, &bottom);
  guint left = (guint)f->area.x, foot = (guint)(y + row->height) - 3, n_pins = 0;

  if (row->kind != TSR_TRACE_ROW_STEPS || y < top || y + row->height > bottom || row->shared)
    return 0;
  for (guint c = 0, to; c < grid->n_columns; c = to)
    {
      guint near = 0, seen = 0;

      to = c + 1;
      if (test_pixels_get (pixels, left + c, foot) != TSR_INK_SELECTION)
        continue;
      while (to < grid->n_columns && test_pixels_get (pixels, left + to, foot) == TSR_INK_SELECTION)
        to++;
      for (guint k = c > 7 ? c - 7 : 0; k < MIN (to + 7, grid->n_columns); k++)
        {
          near += test_pixels_get (pixels, left + k, foot) == TSR_INK_SELECTION;
          seen += test_pixels_get (pixels, left + k, (guint)(y + row->height / 2))
                  == TSR_INK_SELECTION;
        }
      g_assert_true (seen >= 3 || to - c > 6 || near > to - c);
      n_pins += seen >= 3;
    }
  return n_pins;
}

static guint
check_pins (TraceChartTest *f)
{
  g_autoptr (TsrDrawList) overlay = tsr_draw_list_new ();
  g_auto (TestPixels) pixels = { 0 };
  g_auto (TsrTraceGrid) grid = { NULL };
  guint n_pins = 0;

  tsr_chart_model_layout_overlay (TSR_CHART_MODEL (f->chart), &f->geometry, &f->area, TSR_NO_DATUM,
                                  TSR_NO_DATUM, overlay);
  test_list_check (overlay, f->geometry.width, f->geometry.height);
  test_pixels_paint (&pixels, overlay, &f->geometry);
  g_assert_true (tsr_trace_grid_init (&grid, f->chart, &f->geometry, &f->area));
  for (guint i = 0; i < f->chart->ipus->len; i++)
    {
      const TsrTraceChartIpu *ipu = &g_array_index (f->chart->ipus, TsrTraceChartIpu, i);

      for (guint r = ipu->first; r < ipu->end; r++)
        n_pins += check_row_pins (f, &grid, &pixels, ipu, tsr_trace_chart_peek_row (f->chart, r));
    }
  return n_pins;
}

static void
set_marks (TraceChartTest *f, guint32 types)
{
  g_autoptr (TsrTraceMatches) group = tsr_trace_matches_new_types (f->trace, types, NULL);
  g_autoptr (TsrTraceMarks) marks = tsr_trace_marks_new (
      f->trace, group, tsr_trace_state_get_shape (f->state), f->chart->hidden, NULL);
  g_autoptr (TsrChartModel) copy = NULL;

  tsr_trace_state_set_selected_group (f->state, group);
  tsr_trace_chart_set_marks (f->chart, marks);
  copy = tsr_chart_model_dup (TSR_CHART_MODEL (f->chart));
  g_assert_true (tsr_trace_chart_get_marks (TSR_TRACE_CHART (copy)) == marks);
}

/* A selected group is marked in every column in which one of its steps lies, whatever is drawn
 * there, at any zoom; with marks of something else nothing is. */
static void
test_group (void)
{
  for (guint seed = 0; seed < 6; seed++)
    {
      TraceChartTest f;
      double length;
      guint n = 0, n_pins = 0;

      trace_chart_test_take (&f, trace_test_new_random (60 + seed, 2, 700, 9));
      tsr_trace_state_set_shape (f.state, seed % 2 == 0 ? TSR_TRACE_FLAME : TSR_TRACE_FLAT);
      tsr_trace_state_set_collapsed (f.state, 1, seed == 4);
      tsr_trace_state_set_option (f.state, TSR_TRACE_OPTION_FOLD, seed > 2);
      tsr_trace_state_set_hidden (f.state, "DoExchange", seed % 3 == 1);
      length = trace_chart_test_get_length (&f);
      for (guint zoom = 1; zoom < 3000; zoom *= 7)
        {
          double from = length * 0.4 * (1 - 1. / zoom);

          trace_chart_test_layout (&f, 700, 900, 1, from, from + length / zoom);
          set_marks (&f, zoom % 2 == 0 ? 1u : 0x16u);
          n += check_strips (&f);
          n_pins += check_pins (&f);
        }
      g_assert_cmpuint (n, >, 300);
      g_assert_cmpuint (n_pins, >, 5);
      tsr_trace_state_set_hidden (f.state, "OnTileExecute", TRUE);
      g_assert_null (tsr_trace_chart_get_marks (f.chart));
      trace_chart_test_tear_down (&f);
    }
}

static void
test_csv (void)
{
  TraceChartTest fixture;
  const TsrExecutionTables *tables;
  g_autoptr (GString) out = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  double length;
  gint64 from;
  gint64 to;
  guint expected = 0;
  guint32 hidden;

  trace_chart_test_take (&fixture, trace_test_new_random (31, 2, 900, 9));
  tsr_trace_state_set_hidden (fixture.state, "DoExchange", TRUE);
  hidden = tsr_trace_state_get_hidden_mask (fixture.state, fixture.trace);
  length = trace_chart_test_get_length (&fixture);
  tsr_chart_model_write_csv (TSR_CHART_MODEL (fixture.chart), floor (length / 4),
                             floor (length / 2), out);
  lines = g_strsplit (out->str, "\r\n", -1);
  g_assert_cmpstr (lines[0], ==,
                   "step,ipu,type,name,start,end,leadIn,cycles,activeTiles,tileBalance,"
                   "activeTileBalance,dataIn,dataOut");
  tables = tsr_trace_get_tables (fixture.trace);
  from = tsr_trace_fold_get_cycles (fixture.chart->fold, floor (length / 4));
  to = tsr_trace_fold_get_cycles (fixture.chart->fold, floor (length / 2));
  for (gsize i = 0; i < tables->ipu_start[2]; i++)
    {
      g_autofree char *head = NULL;
      TsrTraceSlice slice;

      tsr_trace_get_slice (fixture.trace, (guint32)i, &slice);
      if (slice.start >= to || slice.end <= from || slice.start >= slice.end
          || (hidden & 1u << slice.type) != 0)
        continue;
      head = g_strdup_printf ("%d,%u,%s,%s,%d,%d,", (int)slice.step_id, slice.ipu,
                              tsr_trace_get_type (fixture.trace, slice.type)->label, slice.name,
                              (int)slice.start, (int)slice.end);
      g_assert_nonnull (lines[1 + expected]);
      g_assert_true (g_str_has_prefix (lines[1 + expected], head));
      expected++;
    }
  g_assert_cmpuint (expected, >, 100);
  g_assert_cmpuint (g_strv_length (lines), ==, expected + 2);
  trace_chart_test_tear_down (&fixture);
}

/* Rows of steps are as high as the room allows, of the heights that a loop tries; what was chosen
 * stays. */
static void
test_room (void)
{
  TraceChartTest roomy, fixed;
  guint seen = 0;

  for (guint n_ipus = 1; n_ipus <= 5; n_ipus += 2)
    for (guint shape = 0; shape < 2; shape++)
      {
        trace_chart_test_take (&roomy, trace_test_new_random (40 + n_ipus, n_ipus, 300, 9));
        trace_chart_test_take (&fixed, trace_test_new_random (40 + n_ipus, n_ipus, 300, 9));
        for (guint i = 0; i < 2; i++)
          {
            TsrTraceState *state = i > 0 ? fixed.state : roomy.state;

            tsr_trace_state_set_shape (state, shape > 0 ? TSR_TRACE_FLAT : TSR_TRACE_FLAME);
            tsr_trace_state_set_collapsed (state, 2, TRUE);
          }
        for (guint room = 10; room < 1500; room += 37)
          {
            double best = 18;

            for (double height = 18; height <= 32; height++)
              {
                tsr_trace_chart_set_row_height (fixed.chart, height);
                if (tsr_trace_chart_get_height (fixed.chart) <= room)
                  best = height;
              }
            tsr_trace_chart_set_room (roomy.chart, room);
            g_assert_cmpfloat (tsr_trace_chart_get_row_height (roomy.chart), ==, best);
            tsr_trace_chart_set_row_height (fixed.chart, best);
            g_assert_cmpfloat (tsr_trace_chart_get_height (roomy.chart), ==,
                               tsr_trace_chart_get_height (fixed.chart));
            seen |= 1u << (guint)(best - 18);
          }
        tsr_trace_chart_set_row_height (roomy.chart, 18);
        g_assert_cmpfloat (tsr_trace_chart_get_row_height (roomy.chart), ==, 18);
        trace_chart_test_tear_down (&fixed);
        trace_chart_test_tear_down (&roomy);
      }
  g_assert_cmpuint (seen, ==, (1u << 15) - 1);
}

/* A copy draws the same and hears nothing of the state. */
static void
test_dup (void)
{
  TraceChartTest fixture;
  TsrChartModel *copy;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  trace_chart_test_take (&fixture, trace_test_new_random (41, 2, 300, 9));
  tsr_trace_state_set_hidden (fixture.state, "Sync", TRUE);
  tsr_trace_state_set_collapsed (fixture.state, 1, TRUE);
  tsr_trace_chart_set_row_height (fixture.chart, 22);
  trace_chart_test_layout (&fixture, 800, 500, 1, 0, trace_chart_test_get_length (&fixture));
  before = tsr_draw_list_dup_text (fixture.list);
  copy = tsr_chart_model_dup (TSR_CHART_MODEL (fixture.chart));
  tsr_trace_state_set_shape (fixture.state, TSR_TRACE_FLAT);
  tsr_draw_list_reset (fixture.list);
  tsr_chart_model_layout (copy, &fixture.geometry, fixture.list, &fixture.area);
  after = tsr_draw_list_dup_text (fixture.list);
  g_assert_cmpstr (before, ==, after);
  g_assert_finalize_object (copy);
  trace_chart_test_tear_down (&fixture);
}

/* Cycles of [from, to) in which a step of @type runs on @ipu, one slice after the other. */
static gint64
count_naively (TsrTrace *trace, guint ipu, guint type, gint64 from, gint64 to)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  gint64 reached = from, sum = 0;

  for (gsize i = tables->ipu_start[ipu]; i < tables->ipu_start[ipu + 1]; i++)
    {
      TsrTraceSlice slice;

      tsr_trace_get_slice (trace, (guint32)i, &slice); /* in order of start */
      if (slice.type != type || slice.end <= MAX (slice.start, reached) || slice.start >= to)
        continue;
      sum += MIN (slice.end, to) - MAX (slice.start, reached);
      reached = MIN (slice.end, to);
    }
  return sum;
}

static const TsrTraceInk order[]
    = { TSR_TRACE_INK_COMPUTE,  TSR_TRACE_INK_EXCHANGE, TSR_TRACE_INK_INTER_IPU,
        TSR_TRACE_INK_TRANSFER, TSR_TRACE_INK_OTHER,    TSR_TRACE_INK_SYNC,
        TSR_TRACE_INK_HOST };

/* What takes the time of @column, work at the foot: as high as a loop over all slices says, in
 * pixels of @x from @top on.  Whether it has several colours. */
static gboolean
check_mixture (TraceChartTest *fixture,
               const TsrTraceGrid *grid,
               const TestPixels *pixels,
               guint ipu,
               guint column,
               guint x,
               guint top,
               guint height)
{
  guint32 hidden = tsr_trace_state_get_hidden_mask (fixture->state, fixture->trace);
  const TsrTraceStretch *stretch = tsr_trace_grid_find_stretch (grid, column);
  double sums[G_N_ELEMENTS (order)] = { 0 }, all = 0, at = 0;
  gint64 from, to, next;
  guint n_seen = 0;

  g_assert_nonnull (stretch);
  tsr_trace_grid_get_column (grid, stretch, column, &from, &to);
  tsr_trace_grid_get_column (grid, stretch, column + 1, &next, &to);
  if (next <= from)
    return FALSE;
  for (guint t = 0; t < tsr_trace_get_n_types (fixture->trace); t++)
    for (guint k = 0; k < G_N_ELEMENTS (order) && (hidden >> t & 1) == 0; k++)
      if (tsr_trace_get_ink (tsr_trace_get_type (fixture->trace, t)) == TSR_INK_TRACE + order[k])
        {
          gint64 cycles = count_naively (fixture->trace, ipu, t, from, next);

          sums[k] += (double)cycles;
          all += (double)cycles;
        }
  for (guint k = 0; k < G_N_ELEMENTS (order); k++)
    {
      double part = sums[k] / MAX (all, (double)(next - from)) * height;
      guint n = 0;

      for (guint y = 0; y < height; y++)
        if (test_pixels_get (pixels, x, top + y) == TSR_INK_TRACE + order[k])
          {
            /* Where it stands in the pile. */
            g_assert_cmpfloat (height - y, >=, at);
            g_assert_cmpfloat (height - y - 1, <=, at + part);
            n++;
          }
      g_assert_cmpfloat (n, >, part - 1);
      g_assert_cmpfloat (n, <, part + 1);
      at += part;
      n_seen += n > 0;
    }
  return n_seen > 1;
}

/* The mini-map has a band for each IPU. */
static void
check_overview (guint n_ipus, double height, double scale, const char *hide)
{
  TraceChartTest fixture;
  g_auto (TestPixels) pixels = { 0 };
  g_auto (TsrTraceGrid) grid = { NULL };
  TsrPlotArea area = { 0, 0, 600, height, 0, 1 };
  guint band, top, n_mixed = 0;

  trace_chart_test_take (&fixture, trace_test_new_random (51, n_ipus, 2000, 9));
  if (hide != NULL)
    tsr_trace_state_set_hidden (fixture.state, hide, TRUE);
  fixture.geometry = test_geometry (600, height, scale, 0, trace_chart_test_get_length (&fixture));
  tsr_chart_model_layout_overview (TSR_CHART_MODEL (fixture.chart), &fixture.geometry,
                                   fixture.list);
  test_list_check (fixture.list, 600, height);
  test_pixels_paint (&pixels, fixture.list, &fixture.geometry);
  g_assert_true (tsr_trace_grid_init (&grid, fixture.chart, &fixture.geometry, &area));
  band = (guint)(MIN (8, height / n_ipus) * scale);
  top = (guint)((height * scale - band * n_ipus) / 2);
  for (guint ipu = 0; ipu < n_ipus; ipu++)
    for (guint c = 0; c + 1 < grid.n_columns; c += 7)
      n_mixed += check_mixture (&fixture, &grid, &pixels, ipu, c, c, top + ipu * band, band);
  g_assert_cmpuint (n_mixed, >, 20);
  trace_chart_test_tear_down (&fixture);
}

/* The track of utilisation says of an IPU what its band of the mini-map does, cut where the plot
 * is, and its callout the figures of the pixel. */
static void
test_use (void)
{
  TraceChartTest fixture;
  guint n_mixed = 0, n_tracks = 0;

  trace_chart_test_take (&fixture, trace_test_new_random (52, 2, 2000, 9));
  tsr_trace_state_set_option (fixture.state, TSR_TRACE_OPTION_USE, TRUE);
  tsr_trace_state_set_shape (fixture.state, TSR_TRACE_FLAT);
  for (guint round = 0; round < 2; round++)
    {
      g_auto (TestPixels) pixels = { 0 };
      g_auto (TsrTraceGrid) grid = { NULL };

      tsr_trace_state_set_hidden (fixture.state, "DoExchange", round > 0);
      trace_chart_test_layout (&fixture, 700, 900, 1, 0, trace_chart_test_get_length (&fixture));
      test_pixels_paint (&pixels, fixture.list, &fixture.geometry);
      g_assert_true (tsr_trace_grid_init (&grid, fixture.chart, &fixture.geometry, &fixture.area));
      for (guint r = 0; r < fixture.chart->rows->len; r++)
        {
          const TsrTraceChartRow *row = tsr_trace_chart_peek_row (fixture.chart, r);
          guint top = (guint)floor (0.5 + fixture.area.y + row->y);

          if (row->kind != TSR_TRACE_ROW_USE)
            continue;
          n_tracks++;
          for (guint c = 0; c + 1 < grid.n_columns; c += 7)
            n_mixed += check_mixture (&fixture, &grid, &pixels, row->ipu, c,
                                      (guint)fixture.area.x + c, top, (guint)row->height);
        }
    }
  g_assert_cmpuint (n_tracks, ==, 4);
  g_assert_cmpuint (n_mixed, >, 20);
  for (guint r = 0; r < fixture.chart->rows->len; r++)
    {
      const TsrTraceChartRow *row = tsr_trace_chart_peek_row (fixture.chart, r);
      g_autofree char *text = NULL, *share = NULL;
      TsrTraceSums sums;
      TsrTraceHit hit;

      if (row->kind != TSR_TRACE_ROW_USE)
        continue;
      tsr_trace_chart_hit (fixture.chart, &fixture.geometry, &fixture.area, fixture.area.x + 200,
                           fixture.area.y + row->y + 5, &hit);
      g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_USE);
      g_assert_cmpuint (hit.ipu, ==, row->ipu);
      g_assert_cmpint (hit.from, <=, hit.cycles);
      g_assert_cmpint (hit.to, >, hit.cycles);
      tsr_trace_sum (fixture.trace, row->ipu, hit.from, hit.to,
                     tsr_trace_state_get_hidden_mask (fixture.state, fixture.trace), &sums);
      text = tsr_trace_chart_describe_hit (fixture.chart, &hit);
      share = tsr_units_dup_percent (sums.utilisation, 1);
      g_assert_nonnull (strstr (text, share));
      if (isfinite (sums.tile_balance))
        {
          g_autofree char *balance = tsr_units_dup_percent (sums.tile_balance, 1);
          g_autofree char *told = g_strdup_printf ("Tile balance: %s", balance);

          g_assert_nonnull (strstr (text, told));
        }
      g_assert_null (strstr (text, "DoExchange"));
    }
  trace_chart_test_tear_down (&fixture);
}

/* The track of live memory: in each column what is live for certain, and above it what may be. */
static void
test_live (void)
{
  TraceChartTest fixture;
  g_autoptr (TsrTraceLive) live = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  guint32 program[60];
  gint64 bytes[2 * G_N_ELEMENTS (program)];
  guint n_tracks = 0, n_ranges = 0, n_filled = 0;
  g_auto (TestPixels) pixels = { 0 };
  g_auto (TsrTraceGrid) grid = { NULL };
  g_autofree char *said = NULL;

  trace_chart_test_take (&fixture, trace_test_new_random (52, 2, 2000, 9));
  for (guint i = 0; i < G_N_ELEMENTS (program); i++)
    program[i]
        = tsr_trace_get_tables (fixture.trace)->step_program[g_rand_int_range (rand, 0, 2000)];
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    bytes[i] = g_rand_int_range (rand, 0, 1 << 20);
  live = tsr_trace_live_new_from_steps (fixture.trace, program, G_N_ELEMENTS (program), bytes, 2,
                                        NULL, &error);
  g_assert_no_error (error);
  tsr_trace_state_set_option (fixture.state, TSR_TRACE_OPTION_LIVE, TRUE);
  tsr_trace_state_set_shape (fixture.state, TSR_TRACE_FLAT);

  tsr_trace_chart_set_live (fixture.chart, NULL, TSR_UNITS_BINARY, "there is none");
  trace_chart_test_layout (&fixture, 700, 900, 1, 0, trace_chart_test_get_length (&fixture));
  said = tsr_draw_list_dup_text (fixture.list);
  g_assert_nonnull (strstr (said, "there is none"));

  tsr_trace_chart_set_live (fixture.chart, live, TSR_UNITS_BINARY, NULL);
  trace_chart_test_layout (&fixture, 700, 900, 1, 0, trace_chart_test_get_length (&fixture));
  test_pixels_paint (&pixels, fixture.list, &fixture.geometry);
  g_assert_true (tsr_trace_grid_init (&grid, fixture.chart, &fixture.geometry, &fixture.area));
  for (guint r = 0; r < fixture.chart->rows->len; r++)
    {
      const TsrTraceChartRow *row = tsr_trace_chart_peek_row (fixture.chart, r);
      guint top = (guint)floor (0.5 + fixture.area.y + row->y), height = (guint)row->height;
      double scale = (double)height / (double)tsr_trace_live_get_most (live);

      if (row->kind != TSR_TRACE_ROW_LIVE)
        continue;
      n_tracks++;
      for (guint c = 0; c + 1 < grid.n_columns; c += 3)
        {
          const TsrTraceStretch *stretch = tsr_trace_grid_find_stretch (&grid, c);
          const TsrTraceStretch *next = tsr_trace_grid_find_stretch (&grid, c + 1);
          guint n[2] = { 0, 0 };
          gint64 edges[2], least, most, to;

          if (stretch == NULL || next != stretch)
            continue;
          tsr_trace_grid_get_column (&grid, stretch, c, &edges[0], &to);
          tsr_trace_grid_get_column (&grid, stretch, c + 1, &edges[1], &to);
          tsr_trace_live_list (live, row->ipu, 1, edges, &least, &most);
          for (guint y = 0; y < height; y++)
            {
              n[0] += test_pixels_get (&pixels, (guint)fixture.area.x + c, top + y)
                      == TSR_INK_NOT_ALWAYS_LIVE;
              n[1] += test_pixels_get (&pixels, (guint)fixture.area.x + c, top + y)
                      == TSR_INK_NOT_ALWAYS_LIVE_SPREAD;
            }
          g_assert_cmpfloat_with_epsilon (n[0], (double)MAX (least, 0) * scale, 1);
          g_assert_cmpfloat_with_epsilon (n[0] + n[1], (double)MAX (most, 0) * scale, 1);
          n_ranges += n[1] > 0;
          n_filled += n[0] > 0;
          if (n[0] > 0 && c % 30 == 0)
            {
              g_autofree char *text = NULL, *size = tsr_units_dup_bytes (TSR_UNITS_BINARY, most);
              TsrTraceHit hit;

              tsr_trace_chart_hit (fixture.chart, &fixture.geometry, &fixture.area,
                                   fixture.area.x + c + 0.5, fixture.area.y + row->y + 5, &hit);
              g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_LIVE);
              tsr_trace_live_list (live, row->ipu, 1, (gint64[]){ hit.from, hit.to }, &least,
                                   &most);
              g_free (size);
              size = tsr_units_dup_bytes (TSR_UNITS_BINARY, most);
              text = tsr_trace_chart_describe_hit (fixture.chart, &hit);
              g_assert_nonnull (strstr (text, size));
            }
        }
    }
  g_assert_cmpuint (n_tracks, ==, 2);
  g_assert_cmpuint (n_filled, >, 100);
  g_assert_cmpuint (n_ranges, >, 20);
  /* It needs its trace to the end. */
  g_clear_pointer (&live, tsr_trace_live_unref);
  trace_chart_test_tear_down (&fixture);
}

static void
test_overview (void)
{
  check_overview (4, 40, 1, NULL);
  check_overview (2, 40, 2, "DoExchange");
  check_overview (1, 24, 1, NULL);
}

/* More IPUs than pixels: each pixel is of several, and has what takes the most of their time. */
static void
test_low_overview (void)
{
  TraceChartTest fixture;
  g_auto (TestPixels) pixels = { 0 };
  guint n_filled = 0;

  trace_chart_test_take (&fixture, trace_test_new_random (51, 8, 900, 9));
  fixture.geometry = test_geometry (300, 3, 1, 0, trace_chart_test_get_length (&fixture));
  tsr_chart_model_layout_overview (TSR_CHART_MODEL (fixture.chart), &fixture.geometry,
                                   fixture.list);
  test_list_check (fixture.list, 300, 3);
  test_pixels_paint (&pixels, fixture.list, &fixture.geometry);
  for (guint y = 0; y < 3; y++)
    for (guint x = 0; x < 300; x++)
      n_filled += test_pixels_get (&pixels, x, y) >= TSR_INK_TRACE
                  && test_pixels_get (&pixels, x, y) < TSR_INK_TRACE + TSR_N_TRACE_INKS;
  g_assert_cmpuint (n_filled, >, 300);
  trace_chart_test_tear_down (&fixture);
}

/* Without any step there is a text and nothing to hit; sizes that have no room. */
static void
test_empty (void)
{
  TraceChartTest fixture;
  const TsrDrawItem *words = NULL;
  TsrTraceHit hit;

  trace_chart_test_take (&fixture, trace_test_new (2));
  trace_chart_test_layout (&fixture, 800, 400, 1, 0, 1);
  test_list_check (fixture.list, 800, 400);
  g_assert_true (test_list_has_label (fixture.list, "The report has no step with recorded times"));
  for (guint i = 0; i < fixture.list->items->len; i++)
    {
      const TsrDrawItem *item = &g_array_index (fixture.list->items, TsrDrawItem, i);

      if (item->kind == TSR_ITEM_LABEL
          && g_str_has_prefix (tsr_draw_list_get_text (fixture.list, item), "The report has"))
        words = item;
    }
  g_assert_cmpfloat (words->x, >, fixture.area.x);
  g_assert_cmpfloat (words->x + words->width, <, fixture.area.x + fixture.area.width);
  g_assert_cmpfloat (words->y, ==, fixture.area.y + fixture.area.height / 2);
  tsr_trace_chart_hit (fixture.chart, &fixture.geometry, &fixture.area, 400, 200, &hit);
  g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_NOTHING);
  trace_chart_test_tear_down (&fixture);

  trace_chart_test_take (&fixture, trace_test_new_random (1, 2, 50, 9));
  for (double size = 1; size < 200; size += 13)
    {
      trace_chart_test_layout (&fixture, size, size, 1.5, 0,
                               trace_chart_test_get_length (&fixture));
      test_list_check (fixture.list, size, size);
    }
  trace_chart_test_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-chart/pixels", test_pixels);
  g_test_add_func ("/trace-chart/uneven", test_uneven);
  g_test_add_func ("/trace-chart/planted", test_planted);
  g_test_add_func ("/trace-chart/hit-slice", test_hit_slice);
  g_test_add_func ("/trace-chart/move", test_move);
  g_test_add_func ("/trace-chart/signals", test_signals);
  g_test_add_func ("/trace-chart/overlay", test_overlay);
  g_test_add_func ("/trace-chart/group", test_group);
  g_test_add_func ("/trace-chart/csv", test_csv);
  g_test_add_func ("/trace-chart/room", test_room);
  g_test_add_func ("/trace-chart/dup", test_dup);
  g_test_add_func ("/trace-chart/overview", test_overview);
  g_test_add_func ("/trace-chart/use", test_use);
  g_test_add_func ("/trace-chart/live", test_live);
  g_test_add_func ("/trace-chart/low-overview", test_low_overview);
  g_test_add_func ("/trace-chart/empty", test_empty);
  return g_test_run ();
}

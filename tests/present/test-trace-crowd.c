/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Many steps to a column: what stands for each column of each row, in frames that zoom, pan, jump
 * and hide types as a user does, is what a loop over the row's items says. */

#include "config.h"

#include "trace-chart-test.h"

#include <math.h>

#define N_IPUS  2
#define N_STEPS 60000 /* of an IPU */
#define WIDTH   400
#define HEIGHT  400

static const char *const names[]
    = { "model/a/MatMul",   "model/a/Add", "model/a", "model/b/deep/er",
        "model/b/deep/est", "loss",        "model/b" };
static const char *const types[] = { "OnTileExecute", "DoExchange", "GlobalExchange", "Sync" };

/* @unit: cycles that lengths are multiples of. */
static TraceTest *
new_crowd (gint64 unit)
{
  TraceTest *test = trace_test_new (N_IPUS);
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  trace_test_begin_run (test, "run");
  for (guint ipu = 0; ipu < N_IPUS; ipu++)
    {
      gint64 at = -50000;

      for (guint i = 0; i < N_STEPS; i++)
        {
          gint64 d = unit * g_rand_int_range (random, 1, i / 7000 % 3 == 0 ? 8 : 900);
          const char *type = types[g_rand_int_range (random, 0, G_N_ELEMENTS (types))];
          const char *name = names[g_rand_int_range (random, 0, G_N_ELEMENTS (names))];

          if (i % (N_STEPS / 3) == 5)
            d = 70000 * unit; /* longer than 32 bits tell when the unit is large */
          trace_test_add_simple (test, type, name, ipu, at, at + d);
          at += d + (i % 40 == 0 ? 700 * unit : 0);
        }
    }
  return test;
}

/* ------------------------------------------------------------------- naive */

typedef struct
{
  gint64 from, to;
  gsize item; /* G_MAXSIZE: none */
  gint64 length;
} Column;

/* Columns have all the cycles that they touch, and no more. */
static Column *
list_columns (const TsrTraceGrid *grid)
{
  Column *columns = g_new0 (Column, grid->n_columns);
  gint64 first;
  gint64 last;

  tsr_trace_fold_get_domain (grid->chart->fold, &first, &last);
  for (guint c = 0; c < grid->n_columns; c++)
    {
      const TsrTraceStretch *stretch = tsr_trace_grid_find_stretch (grid, c);
      double edge = (double)first + grid->geometry->from + c * grid->per;

      g_assert_nonnull (stretch);
      tsr_trace_grid_get_column (grid, stretch, c, &columns[c].from, &columns[c].to);
      columns[c].item = G_MAXSIZE;
      g_assert_cmpint (columns[c].from, <, columns[c].to);
      g_assert_cmpfloat (fabs ((double)columns[c].from - edge), <, 1.01);
      g_assert_cmpfloat (fabs ((double)columns[c].to - edge - grid->per), <, 1.01);
      if (c > 0)
        g_assert_cmpint (columns[c].from, <=, columns[c - 1].to);
    }
  return columns;
}

/* The longest item that touches each column, the first of equals: each item is put into all columns
 * that it touches. */
static void
find_naively (const TsrTraceGrid *grid, const TsrTraceRow *row, Column *columns)
{
  TsrTrace *trace = grid->chart->trace;
  guint c = 0;

  for (gsize i = 0; i < row->n; i++)
    {
      gint64 start = tsr_trace_row_start (row, i);
      gint64 end = tsr_trace_row_end (row, i);

      while (c < grid->n_columns && columns[c].to <= start)
        c++;
      if (!trace_chart_test_is_shown (trace, row, i, grid->chart->hidden))
        continue;
      for (guint k = c; k < grid->n_columns && columns[k].from < end; k++)
        if (end > columns[k].from && start < columns[k].to && end - start > columns[k].length)
          {
            columns[k].item = i;
            columns[k].length = end - start;
          }
    }
}

/* ------------------------------------------------------------------- frames */

/* More than half of what is filled, or @tenths of it, is in runs of columns below four, and there
 * are more items from the first one drawn to the last than runs. */
static gboolean
is_crowded_naively (const TsrTraceGrid *grid, const Column *columns, guint tenths)
{
  guint n = 0, filled = 0, narrow = 0;
  gsize first = G_MAXSIZE, last = 0;

  for (guint c = 0, end; c < grid->n_columns; c = end)
    {
      for (end = c + 1; end < grid->n_columns && columns[end].item == columns[c].item; end++)
        ;
      if (columns[c].item == G_MAXSIZE)
        continue;
      first = MIN (first, columns[c].item);
      last = MAX (last, columns[c].item);
      n++;
      filled += end - c;
      narrow += end - c < 4 ? end - c : 0;
    }
  return n > 0 && last - first + 1 > n && 10 * narrow > tenths * filled;
}

static guint n_crowded, n_apart, n_kept;

/* @tenths: of what is filled, from where the row is a crowd. */
static void
check_strip (const TsrTraceGrid *grid,
             const TsrTraceStrip *strip,
             const TsrTraceStrip *crowd,
             guint *tenths)
{
  g_autofree Column *columns = list_columns (grid);
  const float *balances = tsr_trace_get_tables (grid->chart->trace)->slice_tile_balance;
  guint p = 0;

  if (crowd != NULL && crowd->row->track == strip->row->track)
    {
      g_assert_cmpuint (strip->n, ==, 0);
      return;
    }
  find_naively (grid, strip->row->row, columns);
  g_assert_cmpint (strip->crowded, ==, is_crowded_naively (grid, columns, *tenths));
  n_kept += strip->crowded != is_crowded_naively (grid, columns, 5);
  *tenths = strip->crowded ? 4 : 6;
  *(strip->crowded ? &n_crowded : &n_apart) += 1;
  for (guint c = 0; c < grid->n_columns; c++)
    {
      guint under;

      while (p < strip->n && strip->pieces[p].to <= c)
        p++;
      g_assert_cmpuint (tsr_trace_grid_item_at (grid, strip->row, c, &under), ==, columns[c].item);
      if (p < strip->n && strip->pieces[p].from <= c)
        g_assert_cmpuint (strip->pieces[p].item, ==, columns[c].item);
      else
        g_assert_cmpuint (columns[c].item, ==, G_MAXSIZE);
    }
  for (p = 0; p < strip->n && !strip->crowded; p++)
    {
      TsrTraceBlock block = strip->blocks[p];
      guint32 slice = tsr_trace_row_first_slice (strip->row->row, strip->pieces[p].item);
      gboolean shaded;
      TsrTraceLook look;

      tsr_trace_chart_get_look (grid->chart, strip->row, strip->pieces[p].item, &look);
      g_assert_cmpuint (block.ink, ==, TSR_INK_TRACE + look.ink);
      g_assert_cmpint (block.leaf, ==, look.leaf);
      g_assert_cmpint (block.tall, ==, look.leaf && look.ink == TSR_TRACE_INK_INTER_IPU);
      shaded = look.leaf && look.ink == TSR_TRACE_INK_COMPUTE && balances[slice] < 1;
      g_assert_cmpint (block.shade != TSR_RASTER_CLEAR, ==, shaded);
    }
}

#define MAX_ROWS 64

/* @tenths: [MAX_ROWS], as the frame before left it. */
static void
check_frame (TraceChartTest *fixture, double from, double to, guint *tenths)
{
  g_auto (TsrTraceGrid) grid = { NULL };
  g_autoptr (GArray) strips = g_array_new (FALSE, TRUE, sizeof (TsrTraceStrip));
  const TsrTraceStrip *crowd = NULL;
  TsrPlotArea area = { 100, 30, WIDTH - 100, HEIGHT - 30, 0, 1 };

  fixture->geometry = test_geometry (WIDTH, HEIGHT, 1, from, to);
  g_assert_true (tsr_trace_grid_init (&grid, fixture->chart, &fixture->geometry, &area));
  for (guint r = 0; r < fixture->chart->rows->len; r++)
    {
      TsrTraceStrip strip
          = { .row = tsr_trace_chart_peek_row (fixture->chart, r), .bottom = 17, .full = 17 };

      if (strip.row->kind == TSR_TRACE_ROW_STEPS)
        g_array_append_val (strips, strip);
    }
  g_assert_cmpuint (strips->len, >=, N_IPUS);
  g_assert_cmpuint (strips->len, <=, MAX_ROWS);
  tsr_trace_grid_fill_strips (&grid, strips);
  for (guint i = 0; i < strips->len; i++)
    {
      const TsrTraceStrip *strip = &g_array_index (strips, TsrTraceStrip, i);

      check_strip (&grid, strip, crowd, &tenths[i]);
      crowd = strip->crowded ? strip : crowd;
      if (strip->raster != NULL)
        tsr_draw_raster_unref (strip->raster);
    }
}

typedef struct
{
  TsrTraceShape shape;
  gint64 unit;
} Case;

static void
set_up (TraceChartTest *fixture, const Case *of)
{
  TraceTest *test = new_crowd (of->unit);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  trace_test_seal (test);
  for (gsize i = 0; i < test->tables.ipu_start[N_IPUS]; i++)
    test->tables.slice_tile_balance[i]
        = g_rand_boolean (random) ? (float)g_rand_double (random) : NAN;
  trace_chart_test_take (fixture, test);
  tsr_trace_state_set_option (fixture->state, TSR_TRACE_OPTION_BALANCE, TRUE);
  tsr_trace_state_set_shape (fixture->state, of->shape);
}

static void
start_rows (guint *tenths)
{
  for (guint i = 0; i < MAX_ROWS; i++)
    tenths[i] = 5;
}

static const Case cases[] = {
  { TSR_TRACE_FLAT, 1 },
  { TSR_TRACE_FLAME, 1 },
  { TSR_TRACE_FLAT, 65537 },
  { TSR_TRACE_FLAME, 65537 },
};

/* In and out again, to either side, somewhere else. */
static void
test_moves (gconstpointer data)
{
  const Case *of = data;
  TraceChartTest fixture;
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  double length;
  double from = 0;
  double to;
  guint tenths[MAX_ROWS];

  start_rows (tenths);
  set_up (&fixture, of);
  length = to = trace_chart_test_get_length (&fixture);
  for (guint frame = 0; frame < 300; frame++)
    {
      double width = to - from;
      double place = from + width * g_rand_double (random);
      double zoom = frame / 12 % 3 == 0 ? 0.8 : frame / 12 % 3 == 1 ? 1 : 1.3;

      check_frame (&fixture, from, to, tenths);
      from = place - (place - from) * zoom;
      to = from + width * zoom;
      if (frame / 12 % 3 == 1)
        from += width * (frame / 36 % 2 == 0 ? 0.11 : -0.37);
      if (frame % 45 == 44)
        {
          width = length * pow (2, -g_rand_double_range (random, 0, 16));
          from = (length - width) * g_rand_double (random);
        }
      else
        width *= zoom;
      width = CLAMP (width, 300 * (double)of->unit, length);
      from = CLAMP (from, 0, length - width);
      to = from + width;
      if (frame % 30 == 29)
        tsr_trace_state_set_hidden (fixture.state, types[frame / 30 % 4], frame / 120 % 2 == 0);
    }
  trace_chart_test_tear_down (&fixture);
  g_assert_cmpuint (n_crowded, >, 0);
  g_assert_cmpuint (n_apart, >, 0);
}

/* Draws the first row of steps: whether it is a crowd, and in @naive whether half decides so. */
static gboolean
is_first_crowded (TsrTraceChart *chart,
                  const TsrChartGeometry *geometry,
                  const TsrPlotArea *area,
                  gboolean *naive)
{
  g_auto (TsrTraceGrid) grid = { NULL };
  g_autoptr (GArray) strips = g_array_new (FALSE, TRUE, sizeof (TsrTraceStrip));
  g_autofree Column *columns = NULL;
  TsrTraceStrip *strip, one = { .bottom = 17, .full = 17 };

  g_assert_true (tsr_trace_grid_init (&grid, chart, geometry, area));
  for (guint r = 0; one.row == NULL; r++)
    if (tsr_trace_chart_peek_row (chart, r)->kind == TSR_TRACE_ROW_STEPS)
      one.row = tsr_trace_chart_peek_row (chart, r);
  g_array_append_val (strips, one);
  tsr_trace_grid_fill_strips (&grid, strips);
  strip = &g_array_index (strips, TsrTraceStrip, 0);
  g_clear_pointer (&strip->raster, tsr_draw_raster_unref);
  columns = list_columns (&grid);
  find_naively (&grid, one.row->row, columns);
  *naive = is_crowded_naively (&grid, columns, 5);
  return strip->crowded;
}

/* Half of the time steps stand apart and half of it they do not: panned by less than a pixel each
 * frame, a row does not switch to and fro about the threshold. */
static void
test_pan (void)
{
  TraceTest *test = trace_test_new (1);
  TraceChartTest fixture;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint n_switches = 0, n_naive = 0, n_copies = 0;
  gboolean was = FALSE, was_naive = FALSE;
  gint64 at = 0;

  trace_test_begin_run (test, "run");
  for (guint i = 0; i < 1000; i++)
    {
      gboolean crowd = g_rand_boolean (random);
      gint64 d = crowd ? 5 : 50;

      for (guint k = 0; k < (crowd ? 20 : 2); k++, at += d)
        trace_test_add_simple (test, types[k % 4], names[i % 7], 0, at, at + d);
    }
  trace_chart_test_take (&fixture, test);
  tsr_trace_state_set_shape (fixture.state, TSR_TRACE_FLAT);
  for (guint frame = 0; frame < 2000; frame++)
    {
      TsrPlotArea area = { 100, 30, WIDTH - 100, HEIGHT - 30, 0, 1 };
      gboolean naive, crowded;

      fixture.geometry = test_geometry (WIDTH, HEIGHT, 1, 2000 + 7 * frame, 5000 + 7 * frame);
      crowded = is_first_crowded (fixture.chart, &fixture.geometry, &area, &naive);
      /* A copy, as that which is exported, begins with what the rows are. */
      if (crowded != naive)
        {
          TsrChartModel *copy = tsr_chart_model_dup (TSR_CHART_MODEL (fixture.chart));

          g_assert_cmpint (
              is_first_crowded (TSR_TRACE_CHART (copy), &fixture.geometry, &area, &naive), ==,
              crowded);
          g_assert_finalize_object (copy);
          n_copies++;
        }
      n_switches += frame > 0 && crowded != was;
      n_naive += frame > 0 && naive != was_naive;
      was = crowded;
      was_naive = naive;
    }
  g_test_message ("%u switches, without memory %u", n_switches, n_naive);
  g_assert_cmpuint (n_copies, >, 10);
  g_assert_cmpuint (n_naive, >, 10);
  g_assert_cmpuint (n_switches, <=, n_naive / 4);
  trace_chart_test_tear_down (&fixture);
}

/* Steps at the ends of what the clock can tell. */
static void
test_far (void)
{
  const gint64 origins[] = { G_MAXINT64 / 4 * 3, -(G_MAXINT64 / 4 * 3), G_MAXINT64 / 8, -7 };

  for (guint o = 0; o < G_N_ELEMENTS (origins); o++)
    {
      TraceChartTest fixture;
      TraceTest *test = trace_test_new (N_IPUS);
      guint tenths[MAX_ROWS];
      double length;

      trace_test_begin_run (test, "run");
      for (guint i = 0; i < 20000; i++)
        for (guint ipu = 0; ipu < N_IPUS; ipu++)
          trace_test_add_simple (test, types[i % 4], names[i % 7], ipu, origins[o] + 64 * i,
                                 origins[o] + 64 * i + (i % 9 == 0 ? 63 : 64));
      trace_chart_test_take (&fixture, test);
      length = trace_chart_test_get_length (&fixture);
      start_rows (tenths);
      if (ABS ((double)origins[o]) < 1e18)
        check_frame (&fixture, 0, length, tenths);
      for (double zoom = 1; zoom < 100; zoom *= 3)
        trace_chart_test_layout (&fixture, WIDTH, HEIGHT, 1, length / 3,
                                 length / 3 + length / zoom / 2);
      trace_chart_test_tear_down (&fixture);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/trace-crowd/flat", &cases[0], test_moves);
  g_test_add_data_func ("/trace-crowd/flame", &cases[1], test_moves);
  g_test_add_data_func ("/trace-crowd/flat-long", &cases[2], test_moves);
  g_test_add_data_func ("/trace-crowd/flame-long", &cases[3], test_moves);
  g_test_add_func ("/trace-crowd/pan", test_pan);
  g_test_add_func ("/trace-crowd/far", test_far);
  return g_test_run ();
}

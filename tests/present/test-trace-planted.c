/* SPDX-License-Identifier: GPL-3.0-or-later */

/* No spike is hidden: one step among ten million on four IPUs takes a cycle more than any other,
 * and is seen, flat and in the flame, from the whole trace down to a few steps. */

#include "config.h"

#include "chart-test.h"
#include "tsr-trace-chart-private.h"

#include <math.h>
#include <string.h>

#define N_IPUS   4
#define N_SLICES 10000000
#define N_OF_IPU (N_SLICES / N_IPUS)
#define N_STEPS  2048
#define IPU      2       /* where it is */
#define PLANTED  1234567 /* which of its slices */
#define MOST     999     /* cycles of any other step */
#define WIDTH    1600
#define HEIGHT   1000

typedef struct
{
  TsrExecutionTables tables;
  TsrProgramTables programs;
  TsrTrace *trace;
  gint64 start; /* of the one that is planted */
} Planted;

static guint32
intern (TsrStringTable *strings, const char *text)
{
  return tsr_string_table_intern (strings, text, -1);
}

/* Step 0 is an exchange, the others compute; names of three parts, none twice in a row. */
static void
make_steps (Planted *self)
{
  TsrExecutionTables *t = &self->tables;
  TsrProgramTables *p = &self->programs;

  t->strings = tsr_string_table_new ();
  p->strings = tsr_string_table_new ();
  t->n_types = 2;
  t->type_name = g_new (guint32, 2);
  t->type_name[0] = intern (t->strings, "OnTileExecute");
  t->type_name[1] = intern (t->strings, "DoExchange");
  t->n_steps = p->n_programs = N_STEPS;
  t->step_type = g_new0 (guint8, N_STEPS);
  t->step_program = g_new (guint32, N_STEPS);
  t->step_compute_set = g_new (guint32, N_STEPS);
  t->step_run = g_new0 (guint16, N_STEPS);
  t->step_tile_cycles = g_new (guint32, N_STEPS);
  p->program_name = g_new (guint32, N_STEPS);
  p->program_type = g_new (guint32, N_STEPS);
  p->program_stream_copy_kind = g_new (guint32, N_STEPS);
  t->step_type[0] = 1;
  for (guint i = 0; i < N_STEPS; i++)
    {
      g_autofree char *name = g_strdup_printf ("model/layer%u/op%u", i / 64, i % 2);

      t->step_program[i] = i;
      t->step_compute_set[i] = t->step_tile_cycles[i] = TSR_NO_INDEX;
      p->program_name[i] = intern (p->strings, name);
      p->program_type[i] = intern (p->strings, i == 0 ? "DoExchange" : "OnTileExecute");
      p->program_stream_copy_kind[i] = TSR_NO_STRING;
    }
  p->child_start = g_new0 (guint32, N_STEPS + 1);
  p->vertex_start = g_new0 (guint32, 1);
}

static void
make_run (Planted *self)
{
  TsrExecutionTables *t = &self->tables;

  t->n_runs = 1;
  t->run_id = g_new0 (gint64, 1);
  t->run_name = g_new (guint32, 1);
  t->run_name[0] = intern (t->strings, "run");
  t->run_first = g_new0 (guint32, 1);
  t->run_end = g_new (guint32, 1);
  t->run_end[0] = N_STEPS;
  t->run_complete = g_new (guint8, 1);
  t->run_complete[0] = 1;
  t->run_microseconds_start = g_new (double, 1);
  t->run_microseconds_end = g_new (double, 1);
  t->run_microseconds_start[0] = t->run_microseconds_end[0] = NAN;
}

/* Bursts of short steps, equal lengths, long ones; a hole now and then. */
static void
make_slices (Planted *self)
{
  TsrExecutionTables *t = &self->tables;
  guint32 noise = 1;

  t->n_ipus = N_IPUS;
  t->ipu_start = g_new (gsize, N_IPUS + 1);
  t->slice_step = g_new (guint32, N_SLICES);
  t->slice_start = g_new (gint64, N_SLICES);
  t->slice_end = g_new (gint64, N_SLICES);
  t->ipu_start[N_IPUS] = N_SLICES;
  for (guint ipu = 0; ipu < N_IPUS; ipu++)
    {
      gint64 at = ipu * 11;

      t->ipu_start[ipu] = (gsize)ipu * N_OF_IPU;
      for (gsize i = t->ipu_start[ipu]; i < t->ipu_start[ipu] + N_OF_IPU; i++)
        {
          gsize n = i - t->ipu_start[ipu];
          gboolean planted = ipu == IPU && n == PLANTED;

          noise = noise * 1664525u + 1013904223u;
          at += noise >> 28 == 0 ? 40 : 0;
          t->slice_step[i] = planted ? 0 : 1 + (guint32)(n % (N_STEPS - 1));
          t->slice_start[i] = at;
          at += planted ? MOST + 1 : n / 5000 % 3 == 0 ? 3 : 1 + (noise >> 8) % MOST;
          t->slice_end[i] = at;
        }
    }
  self->start = t->slice_start[IPU * N_OF_IPU + PLANTED];
}

/* Nothing is told but times: one column of that for all. */
static void
make_figures (Planted *self)
{
  TsrExecutionTables *t = &self->tables;
  TsrNarrow nothing = { 0 };

  g_assert_true (tsr_narrow_init (&nothing, N_SLICES));
  tsr_narrow_seal (&nothing);
  t->slice_lead_in = t->slice_cycles = t->slice_active_tiles = nothing;
  t->slice_data_in = t->slice_data_out = nothing;
  t->slice_tile_balance = g_new (float, N_SLICES);
  for (gsize i = 0; i < N_SLICES; i++)
    t->slice_tile_balance[i] = NAN;
  t->slice_active_tile_balance = t->slice_tile_balance;
  t->from_max_told = TRUE;
}

static Planted *
planted_new (void)
{
  Planted *self = g_new0 (Planted, 1);
  TsrTarget target = { 0 };
  g_autoptr (GError) error = NULL;

  target.num_ipus = target.ipus_per_replica = target.num_replicas = TSR_UNKNOWN;
  target.tiles_per_ipu = target.num_tiles = target.tiles_per_replica = TSR_UNKNOWN;
  target.clock_frequency = NAN;
  make_steps (self);
  make_run (self);
  make_slices (self);
  make_figures (self);
  self->trace = tsr_trace_new_from_tables (&self->tables, &self->programs, &target, NULL, &error);
  g_assert_no_error (error);
  return self;
}

static void
planted_free (Planted *self)
{
  TsrExecutionTables *t = &self->tables;
  TsrProgramTables *p = &self->programs;
  gpointer own[] = { t->type_name,    t->step_type,
                     t->step_program, t->step_compute_set,
                     t->step_run,     t->step_tile_cycles,
                     t->run_id,       t->run_name,
                     t->run_first,    t->run_end,
                     t->run_complete, t->run_microseconds_start,
                     t->ipu_start,    t->run_microseconds_end,
                     t->slice_step,   t->slice_start,
                     t->slice_end,    t->slice_tile_balance,
                     p->program_name, p->program_type,
                     p->child_start,  p->program_stream_copy_kind,
                     p->vertex_start };

  tsr_trace_unref (self->trace);
  tsr_narrow_clear (&t->slice_lead_in);
  tsr_string_table_free (t->strings);
  tsr_string_table_free (p->strings);
  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    g_free (own[i]);
  g_free (self);
}

/* Row of the chart in which the step itself stands, on its IPU. */
static const TsrTraceChartRow *
find_row (TsrTraceChart *chart, TsrTraceShape shape)
{
  for (guint r = 0; r < chart->rows->len; r++)
    {
      const TsrTraceChartRow *row = tsr_trace_chart_peek_row (chart, r);

      if (row->kind == TSR_TRACE_ROW_STEPS && row->ipu == IPU
          && row->depth == (shape == TSR_TRACE_FLAT ? 0 : 2))
        return row;
    }
  g_assert_not_reached ();
}

/* It is drawn in columns that touch it, and nowhere else; the pointer is told of it there. */
static void
check_frame (TsrTraceChart *chart, TsrTraceShape shape, const Planted *planted, double zoom)
{
  g_autoptr (TsrDrawList) list = tsr_draw_list_new ();
  g_auto (TestPixels) pixels = { 0 };
  TsrTraceFold *fold = tsr_trace_chart_get_fold (chart);
  double length = tsr_trace_fold_get_length (fold);
  double span = MAX (length / zoom, 16);
  double at = tsr_trace_fold_get_position (fold, planted->start);
  double from = CLAMP (at - span * 0.61, 0, length - span);
  TsrChartGeometry geometry = test_geometry (WIDTH, HEIGHT, 1, from, from + span);
  TsrPlotArea area;
  guint n = 0;
  guint top, foot, y;
  const TsrTraceChartRow *row;

  tsr_chart_model_layout (TSR_CHART_MODEL (chart), &geometry, list, &area);
  test_pixels_paint (&pixels, list, &geometry);
  row = find_row (chart, shape);
  top = (guint)round (area.y + row[-(int)row->depth].y);
  foot = (guint)round (area.y + row->foot) - 1;
  for (guint x = (guint)area.x; x < area.x + area.width; x++)
    {
      TsrTraceHit hit;
      double per = span / area.width;
      double left = from + (x - area.x) * per;

      /* In a crowd it is somewhere in the stack. */
      for (y = top; y < foot; y++)
        if (test_pixels_get (&pixels, x, y) == TSR_INK_TRACE + TSR_TRACE_INK_EXCHANGE)
          break;
      if (y == foot)
        continue;
      n++;
      /* Edges of columns are moved by half of one at most. */
      g_assert_cmpfloat (left - per / 2, <, at + MOST + 2);
      g_assert_cmpfloat (left + per + per / 2, >, at - 1);
      if (n > 1)
        continue;
      tsr_trace_chart_hit (chart, &geometry, &area, x + 0.5, y, &hit);
      g_assert_cmpint (hit.kind, ==, TSR_TRACE_HIT_ITEM);
      g_assert_cmpuint (hit.slice, ==, IPU * N_OF_IPU + PLANTED);
    }
  g_assert_cmpuint (n, >, 0);
}

static void
test_planted (void)
{
  Planted *planted = planted_new ();
  TsrTraceState *state = tsr_trace_state_new ();
  TsrTraceChart *chart;

  tsr_trace_state_set_run (state, TSR_TRACE_RUN_ALL);
  chart = tsr_trace_chart_new (planted->trace, state);
  for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
    {
      tsr_trace_state_set_shape (state, shape);
      for (double zoom = 1; zoom < 4e7; zoom *= 2)
        check_frame (chart, shape, planted, zoom);
    }
  g_assert_finalize_object (chart);
  g_assert_finalize_object (state);
  planted_free (planted);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-planted/ten-million", test_planted);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Traces that no sound report has: nothing breaks, and what is shown is right or not known. */

#include "config.h"

#include "cancel-count.h"
#include "trace-test.h"

#include <math.h>
#include <string.h>

/* Asks for everything that there is, and compares sums with loops. */
static void
look_at_all (const TsrTrace *trace)
{
  const TsrExecutionTables *t = tsr_trace_get_tables (trace);
  const TsrProgramTables *p = tsr_trace_get_programs (trace);
  const guint32 n_programs = p != NULL ? p->n_programs : 0;
  const guint32 n_sets = p != NULL ? p->n_compute_sets : 0;
  g_autofree guint8 *all = (guint8 *)g_strnfill (n_programs, '1'),
                    *none = g_new0 (guint8, n_sets + 1);
  g_autoptr (TsrTraceMatches) programs = tsr_trace_matches_new_programs (trace, all, n_programs);
  g_autoptr (TsrTraceMatches) types = tsr_trace_matches_new_types (trace, 1, none);
  gint64 from, to;

  tsr_trace_get_span (trace, &from, &to);
  for (guint ipu = 0; ipu < tsr_trace_get_n_ipus (trace); ipu++)
    {
      g_autofree char *name = tsr_trace_dup_ipu_name (trace, ipu);

      g_assert_nonnull (name);
      if (from >= 0 && to < G_GINT64_CONSTANT (1) << 53)
        {
          trace_test_check_sums (trace, ipu, from, to, 0);
          trace_test_check_sums (trace, ipu, from + (to - from) / 3, to - (to - from) / 5, 5);
        }
    }
  for (guint track = 0; track < tsr_trace_get_n_tracks (trace); track++)
    for (guint shape = TSR_TRACE_FLAT; shape <= TSR_TRACE_FLAME; shape++)
      for (guint depth = 0; depth < tsr_trace_get_n_rows (trace, track, shape); depth++)
        {
          const TsrTraceRow *row = tsr_trace_get_row (trace, track, shape, depth);

          for (gsize i = 0; i < row->n; i++)
            {
              TsrTraceItem item;

              tsr_trace_get_item (trace, row, i, &item);
              g_assert_cmpint (item.start, <, item.end);
              g_assert_cmpuint (item.label_from, <=, item.path_length);
              g_assert_cmpuint (item.path_length, <=, strlen (item.path));
              g_assert_cmpuint (tsr_trace_row_find (row, item.start, i), ==, i);
            }
          tsr_trace_row_longest (trace, row, 0, row->n, 0xaaaaaaaa);
        }
  for (gsize i = 0; i < (t->n_ipus > 0 ? t->ipu_start[t->n_ipus] : 0); i++)
    {
      TsrTraceSlice slice;

      tsr_trace_get_slice (trace, i, &slice);
      g_assert_cmpuint (slice.type, <, tsr_trace_get_n_types (trace));
      g_assert_nonnull (slice.name);
      g_assert_cmpint (tsr_trace_matches_has_slice (programs, trace, i), ==,
                       slice.program < n_programs);
      g_assert_cmpint (tsr_trace_matches_has_slice (types, trace, i), ==,
                       slice.compute_set >= n_sets && slice.type == 0);
      g_assert_cmpint (tsr_trace_get_tile_set (trace, i), ==, TSR_UNKNOWN);
      g_assert_null (tsr_trace_load_tile_cycles (trace, i, NULL));
    }
}

static void
test_names (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GString) deep = g_string_new ("");
  g_autofree char *slashes = g_strnfill (10000, '/');
  g_autofree char *large = g_strnfill (10 << 20, 'x');
  TsrTraceItem item;

  for (guint i = 0; i < 10000; i++)
    g_string_append (deep, "p/");
  trace_test_add_simple (t, "OnTileExecute", deep->str, 0, 0, 10);
  trace_test_add_simple (t, "OnTileExecute", slashes, 0, 10, 20);
  trace_test_add_simple (t, "Sync", slashes, 0, 20, 30);
  trace_test_add_simple (t, "OnTileExecute", large, 0, 30, 40);
  trace_test_add_simple (t, "OnTileExecute", "", 0, 40, 50);
  trace_test_add_simple (t, "OnTileExecute", deep->str, 0, 50, 60);
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_n_rows (trace, 0, TSR_TRACE_FLAME), ==, TSR_TRACE_MAX_DEPTH);
  look_at_all (trace);
  tsr_trace_get_item (trace, tsr_trace_get_row (trace, 0, TSR_TRACE_FLAME, TSR_TRACE_MAX_DEPTH - 1),
                      0, &item);
  g_assert_cmpuint (item.label_from, ==, 2 * (TSR_TRACE_MAX_DEPTH - 1));
  g_assert_cmpuint (item.path_length, ==, deep->len);
  tsr_trace_get_item (trace, tsr_trace_get_row (trace, 0, TSR_TRACE_FLAME, 0), 1, &item);
  g_assert_cmpuint (item.label_from, ==, 0);
  g_assert_cmpuint (item.path_length, ==, strlen (slashes));
}

/* Parts that the table of parts takes for the same at first: their hashes are equal. */
static void
test_equal_hashes (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;

  trace_test_add_simple (t, "OnTileExecute", "quwdcvgn/x", 0, 0, 10);
  trace_test_add_simple (t, "OnTileExecute", "iyoacqyb/x", 0, 10, 20);
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_row (trace, 0, TSR_TRACE_FLAME, 0)->n, ==, 2);
}

static void
test_many_types (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GHashTable) labels = g_hash_table_new (g_str_hash, g_str_equal);
  TsrTraceSums sums;

  for (gint i = 0; i < 40; i++)
    {
      g_autofree char *type = g_strdup_printf (i < 9 ? "Other (%d)" : "Type%d", i + 2);

      trace_test_add_simple (t, type, "a", 0, 10 * i, 10 * i + 10);
    }
  trace_test_add_simple (t, "Other", "a", 0, 400, 410);
  trace_test_add_simple (t, "External Sync", "a", 0, 410, 420);
  trace_test_add_simple (t, "Sync", "External", 0, 420, 430);
  trace = trace_test_build (t);
  g_assert_cmpuint (tsr_trace_get_n_types (trace), ==, 31);
  for (guint i = 0; i < 31; i++)
    g_assert_true (g_hash_table_add (labels, (gpointer)tsr_trace_get_type (trace, i)->label));
  /* One is called as a known one is, and the one of all that are left as ten are. */
  g_assert_cmpuint (tsr_trace_find_types (trace, "External Sync (2)"), ==, 2);
  g_assert_cmpuint (tsr_trace_find_types (trace, "Other (11)"), ==, 1u << 30);
  tsr_trace_sum (trace, 0, 0, 430, 0, &sums);
  g_assert_cmpint (sums.counted, ==, 430);
  g_assert_cmpint (sums.by_type[30], ==, 130);
  look_at_all (trace);
}

/* Types, programs and names that are not in their tables, slices of steps that are not. */
static void
test_strays (void)
{
  static const char *const types[] = { "Other",         "Other",         "Internal Sync",
                                       "External Sync", "OnTileExecute", "DoExchange",
                                       "Other" };
  static const char *const names[] = { "External", "External", "", "External", "Execute", "", "" };
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  guint32 steps[6];

  for (guint i = 0; i < 4; i++)
    steps[i] = trace_test_add_step (t, i == 0 ? "Odd" : "Sync", "External");
  steps[4] = trace_test_add_compute (t, "");
  steps[5] = trace_test_add_step (t, "DoExchange", "b");
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    trace_test_add (t, steps[i], 0, 10 * i, 10 * i + 10);
  trace_test_add (t, t->tables.n_steps, 0, 60, 70);
  trace_test_seal (t);
  t->tables.type_name[0] = TSR_NO_STRING;
  t->tables.step_type[1] = (guint8)t->tables.n_types;
  t->tables.step_program[2] = t->programs.n_programs;
  t->programs.program_name[t->tables.step_program[5]] = TSR_NO_STRING;
  trace = trace_test_build (t);
  for (guint32 i = 0; i < G_N_ELEMENTS (types); i++)
    {
      TsrTraceSlice slice;

      tsr_trace_get_slice (trace, i, &slice);
      g_assert_cmpstr (tsr_trace_get_type (trace, slice.type)->label, ==, types[i]);
      g_assert_cmpstr (slice.name, ==, names[i]);
      g_assert_cmpint (slice.step_id, ==, i < 6 ? i : TSR_UNKNOWN);
      g_assert_cmpuint (slice.run, ==, i < 6 ? 0 : TSR_NO_INDEX);
      g_assert_cmpuint (slice.program, ==, i < 6 ? t->tables.step_program[i] : TSR_NO_INDEX);
      g_assert_cmpuint (slice.compute_set, ==, i == 4 ? 0 : TSR_NO_INDEX);
    }
  look_at_all (trace);
}

/* One slice and no step, one step and no more, no run and a type that is not there; nothing after
 * 0. */
static void
test_little (void)
{
  for (guint n = 0; n < 3; n++)
    {
      g_autoptr (TraceTest) t = trace_test_new (1);
      g_autoptr (TsrTrace) trace = NULL;
      gint64 from, to;

      for (guint i = 0; i < n; i++)
        trace_test_add_step (t, "Odd", NULL);
      trace_test_add (t, 0, 0, -100, -30);
      trace_test_seal (t);
      t->tables.n_runs = n == 2 ? 0 : 1;
      if (n == 2)
        t->tables.step_type[0] = 1;
      trace = trace_test_build (t);
      g_assert_cmpuint (tsr_trace_get_n_types (trace), ==, n == 2 ? 2 : 1);
      g_assert_cmpstr (tsr_trace_get_slice_title (trace, 0), ==, n == 1 ? "Odd" : "Other");
      tsr_trace_get_span (trace, &from, &to);
      g_assert_cmpint (from, ==, -100);
      g_assert_cmpint (to, ==, -30);
      g_assert_cmpint (tsr_trace_get_device_time (trace, NULL, 0, -200, -50), ==, n > 0 ? 50 : 0);
      g_assert_cmpuint (tsr_trace_get_profiled_run (trace), ==, n == 2 ? TSR_NO_INDEX : 0);
      trace_test_check_sums (trace, 0, -120, -40, 0);
      look_at_all (trace);
    }
}

/* No time, unknown times, an IPU with nothing, steps in no run, slices of no step. */
static void
test_holes (void)
{
  g_autoptr (TraceTest) t = trace_test_new (4);
  g_autoptr (TsrTrace) trace = NULL;
  guint32 step = trace_test_add_step (t, "OnTileExecute", "a");
  TsrTraceSlice slice;
  TsrTraceSums sums;

  trace_test_begin_run (t, "late");
  for (guint i = 0; i < 200; i++)
    {
      trace_test_add_simple (t, "Sync", NULL, 0, 5, 5);
      trace_test_add_simple (t, "OnTileExecute", "a/b", 0, 5 * i, 5 * i + i % 6);
      trace_test_add_simple (t, "DoExchange", "c", 0, TSR_UNKNOWN, TSR_UNKNOWN);
    }
  trace_test_add (t, step, 1, TSR_UNKNOWN, 7);
  trace_test_add (t, 100000, 3, 7, 9);
  trace_test_add (t, t->tables.n_steps, 3, 9, 12);
  t->tables.step_tile_cycles[t->tables.n_steps] = 5; /* there is room for more steps */
  trace = trace_test_build (t);
  for (gsize i = t->tables.ipu_start[3]; i < t->tables.ipu_start[4]; i++)
    g_assert_cmpint (tsr_trace_get_tile_set (trace, (guint32)i), ==, TSR_UNKNOWN);
  look_at_all (trace);
  tsr_trace_sum (trace, 2, 0, 1000, 0, &sums);
  g_assert_cmpint (sums.counted, ==, TSR_UNKNOWN);
  g_assert_cmpint (sums.global_in, ==, TSR_UNKNOWN);
  g_assert_true (isnan (sums.utilisation) && isnan (sums.tile_balance));
  tsr_trace_sum (trace, 1, 0, 1000, 0, &sums);
  g_assert_cmpint (sums.n_slices, ==, 0);
  g_assert_cmpint (sums.copy_in[TSR_COPY_HOST], ==, TSR_UNKNOWN);
  tsr_trace_sum (trace, 1, 0, 0, 0, &sums);
  g_assert_cmpint (sums.excluded, ==, TSR_UNKNOWN);
  tsr_trace_get_slice (trace, tsr_trace_find_slice (trace, step, 1), &slice);
  g_assert_cmpuint (slice.lane, ==, G_MAXUINT);
  g_assert_cmpint (slice.start, ==, TSR_UNKNOWN);
  g_assert_cmpuint (slice.run, ==, TSR_NO_INDEX);
  g_assert_cmpuint (tsr_trace_find_slice (trace, 3, 0), !=, TSR_NO_SLICE);
}

static void
test_near_overflow (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  const gint64 huge = G_MAXINT64 - 10;
  TsrTraceSums sums;
  guint32 step;

  for (guint i = 0; i < 5; i++)
    {
      TraceTestSlice *slice;

      step = trace_test_add_step (t, i % 2 ? "OnTileExecute" : "StreamCopyMid", "a");
      slice = trace_test_add (t, step, 0, i, huge + i);
      slice->data_in = G_MAXINT64 - 1;
      slice->active_tile_balance = 0;
      slice->tile_balance = 1;
    }
  trace_test_add_simple (t, "Sync", NULL, 0, G_MAXINT64 - 1, G_MAXINT64);
  trace_test_add_simple (t, "DoExchange", NULL, 0, G_MININT64 + 5, G_MAXINT64);
  trace = trace_test_build (t);
  tsr_trace_sum (trace, 0, 0, G_MAXINT64, 0, &sums);
  g_assert_cmpint (sums.counted, ==, G_MAXINT64);
  g_assert_cmpint (sums.by_type[0], ==, huge + 2); /* 1 .. huge + 3 */
  g_assert_cmpint (sums.copy_in[TSR_COPY_NOT_TOLD], ==, TSR_UNKNOWN);
  g_assert_cmpfloat_with_epsilon (sums.tile_balance, 1, 1e-12);
  g_assert_cmpint (sums.lost, ==, G_MAXINT64);
  tsr_trace_sum (trace, 0, G_MININT64, G_MAXINT64, 0, &sums);
  g_assert_cmpint (sums.by_type[1], ==, G_MAXINT64);
  tsr_trace_sum (trace, 0, G_MAXINT64, G_MAXINT64, 0, &sums);
  g_assert_cmpint (sums.counted, ==, 0);
  look_at_all (trace);
}

/* More than there are lanes for. */
static void
test_crowd (void)
{
  g_autoptr (TraceTest) t = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  guint placed = 0;

  for (gint i = 0; i < 300; i++)
    {
      guint32 step = trace_test_add_step (t, i % 3 ? "OnTileExecute" : "StreamCopyMid", "a");
      TraceTestSlice *slice = trace_test_add (t, step, 0, i, 5000 - 3 * i);

      slice->active_tile_balance = (float)i / 300;
      slice->data_in = slice->data_out = i;
    }
  trace = trace_test_build (t);
  for (guint track = 0; track < tsr_trace_get_n_tracks (trace); track++)
    placed += tsr_trace_get_row (trace, track, TSR_TRACE_FLAT, 0)->n;
  g_assert_cmpuint (placed, <=, 64);
  for (gint64 at = 0; at < 5000; at += 97)
    trace_test_check_sums (trace, 0, at, at + 700, 0);
  look_at_all (trace);
}

/* Runs whose steps run at the same time. */
static void
test_runs_at_once (void)
{
  g_autoptr (TraceTest) t = trace_test_new (2);
  g_autoptr (TsrTrace) trace = NULL;

  for (guint run = 0; run < 3; run++)
    {
      trace_test_begin_run (t, "run");
      trace_test_add_simple (t, "StreamCopyBegin", "copyFromHost", G_MAXUINT, 10 * run,
                             500 - 10 * run);
      trace_test_add_simple (t, "OnTileExecute", "model/a", G_MAXUINT, 200, 600 + run);
    }
  trace = trace_test_build (t);
  look_at_all (trace);
  for (guint run = 0; run < 3; run++)
    {
      g_assert_cmpint (tsr_trace_get_run (trace, run)->start, ==, 10 * run);
      g_assert_cmpint (tsr_trace_get_run (trace, run)->wait_end, ==, 500 - 10 * run);
      g_assert_cmpint (tsr_trace_get_run (trace, run)->end, ==, 600 + run);
    }
}

static void
test_nothing (void)
{
  for (guint n_ipus = 0; n_ipus < 3; n_ipus++)
    {
      g_autoptr (TraceTest) t = trace_test_new (n_ipus);
      g_autoptr (TsrTrace) trace = NULL;
      g_autoptr (GError) error = NULL;
      gint64 from, to;

      trace_test_seal (t);
      trace = tsr_trace_new_from_tables (&t->tables, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
      tsr_trace_get_span (trace, &from, &to);
      g_assert_cmpint (from, ==, 0);
      g_assert_cmpint (to, ==, 0);
      g_assert_true (isnan (tsr_trace_get_clock (trace)));
      g_assert_cmpint (tsr_trace_get_tiles_per_ipu (trace), ==, TSR_UNKNOWN);
      look_at_all (trace);
    }
}

/* Names are missing when programs are; nothing else is. */
static void
test_no_programs (void)
{
  g_autoptr (TraceTest) t = trace_test_new_random (3, 2, 500, 9);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (GError) error = NULL;

  trace = tsr_trace_new_from_tables (&t->tables, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tsr_trace_get_n_names (trace), ==, 0);
  look_at_all (trace);
}

static gboolean
build (gpointer data, GCancellable *cancellable, GError **error)
{
  TraceTest *t = data;
  g_autoptr (TsrTrace) trace
      = tsr_trace_new_from_tables (&t->tables, &t->programs, &t->target, cancellable, error);

  return trace != NULL;
}

/* One slice more than are passed over between two looks: types, lanes, rows and sums look twice,
 * and what was made until the second look is not lost. */
static void
test_cancelled (void)
{
  for (guint ipu = 0; ipu < 2; ipu++) /* with a little one before it */
    {
      g_autoptr (TraceTest) t = trace_test_new (ipu + 1);

      if (ipu > 0)
        trace_test_add_simple (t, "Sync", NULL, 0, 0, 1);
      for (gint i = 0; i < 65537; i++)
        trace_test_add_simple (t, "OnTileExecute", i % 2 == 0 ? "a/b" : "a/b/c", ipu, i, i + 1);
      trace_test_seal (t);
      g_assert_cmpuint (cancel_count_walk ("long trace", build, t), ==, ipu == 0 ? 8 : 11);
    }
}

/* The first type has one step among thousands of another, on either side of it. */
static void
test_rare_type (void)
{
  for (guint place = 0; place < 3; place++)
    {
      g_autoptr (TraceTest) t = trace_test_new (1);
      g_autoptr (TsrTrace) trace = NULL;

      for (guint i = 0; i < 3000; i++)
        {
          trace_test_add_simple (t, "Sync", "s", 0, 10 * i, 10 * i + 6);
          if (i == place * 1499)
            trace_test_add_simple (t, "DoExchange", "x", 0, 10 * i + 6, 10 * i + 9);
        }
      trace_test_add_simple (t, "OnTileExecute", "c", 0, 30000, 30007);
      trace = trace_test_build (t);
      for (guint i = 0; i < 40; i++)
        trace_test_check_sums (trace, 0, i * 371, 30100 - i * 370, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/hostile/names", test_names);
  g_test_add_func ("/trace/hostile/equal-hashes", test_equal_hashes);
  g_test_add_func ("/trace/hostile/many-types", test_many_types);
  g_test_add_func ("/trace/hostile/strays", test_strays);
  g_test_add_func ("/trace/hostile/little", test_little);
  g_test_add_func ("/trace/hostile/holes", test_holes);
  g_test_add_func ("/trace/hostile/near-overflow", test_near_overflow);
  g_test_add_func ("/trace/hostile/crowd", test_crowd);
  g_test_add_func ("/trace/hostile/runs-at-once", test_runs_at_once);
  g_test_add_func ("/trace/hostile/nothing", test_nothing);
  g_test_add_func ("/trace/hostile/no-programs", test_no_programs);
  g_test_add_func ("/trace/hostile/cancelled", test_cancelled);
  g_test_add_func ("/trace-hostile/rare-type", test_rare_type);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cycles to positions and back; which waits are folded, against a walk over every cycle. */

#include "config.h"

#include "trace-test.h"
#include "tsr-trace-fold.h"

#include <math.h>

/* @trace: is every IPU of @ipus waiting at @cycle? */
static gboolean
is_idle_naively (const TsrTrace *trace, const guint8 *ipus, gint64 cycle)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);

  for (guint ipu = 0; ipu < tables->n_ipus; ipu++)
    for (gsize i = tables->ipu_start[ipu]; i < tables->ipu_start[ipu + 1]; i++)
      if ((ipus == NULL || ipus[ipu]) && tables->slice_start[i] <= cycle
          && tables->slice_end[i] > cycle
          && tsr_trace_get_type (trace, tsr_trace_get_slice_type (trace, (guint32)i))->group
                 != TSR_STEP_GROUP_HOST)
        return FALSE;
  return TRUE;
}

typedef struct
{
  gint64 from, to;
} Wait;

static double
get_rest (const GArray *waits, gint64 from, gint64 to)
{
  double rest = to - from;

  for (guint i = 0; i < waits->len; i++)
    rest -= g_array_index (waits, Wait, i).to - g_array_index (waits, Wait, i).from;
  return rest;
}

/* Waits above 1 % of what is left when they are folded, but those that 24 pixels of 1,000 would
 * make longer; *notch: how long each is then. */
static GArray *
list_naively (const TsrTrace *trace, const guint8 *ipus, gint64 from, gint64 to, double *notch)
{
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (Wait));

  for (double least = (to - from) * 0.01, before = -1; before != least;)
    {
      g_array_set_size (waits, 0);
      for (gint64 at = from; at < to;)
        {
          Wait wait = { at, at };

          while (wait.to < to && is_idle_naively (trace, ipus, wait.to))
            wait.to++;
          if (wait.to - at > least)
            g_array_append_val (waits, wait);
          at = wait.to + 1;
        }
      before = least;
      least = get_rest (waits, from, to) * 0.01;
    }
  for (gboolean dropped = TRUE; dropped;)
    {
      double rest = get_rest (waits, from, to);

      dropped = FALSE;
      *notch = rest * 0.024 / (1 - 0.024 * waits->len);
      for (guint i = waits->len; i-- > 0;)
        if (g_array_index (waits, Wait, i).to - g_array_index (waits, Wait, i).from
            <= floor (*notch + 0.5))
          {
            g_array_remove_index (waits, i);
            dropped = TRUE;
          }
    }
  return waits;
}

static guint
check_notches (const TsrTrace *trace, const guint8 *ipus, gint64 from, gint64 to)
{
  g_autoptr (TsrTraceFold) fold = tsr_trace_fold_new (trace, from, to, ipus, TRUE);
  double notch;
  g_autoptr (GArray) waits = list_naively (trace, ipus, from, to, &notch);
  double length = to - from;

  g_assert_cmpuint (tsr_trace_fold_get_n_notches (fold), ==, waits->len);
  for (guint i = 0; i < waits->len; i++)
    {
      const Wait *wait = &g_array_index (waits, Wait, i);
      gint64 notch_from;
      gint64 notch_to;

      tsr_trace_fold_get_notch (fold, i, &notch_from, &notch_to);
      g_assert_cmpint (notch_from, ==, wait->from);
      g_assert_cmpint (notch_to, ==, wait->to);
      length -= wait->to - wait->from - floor (notch + 0.5);
    }
  g_assert_cmpfloat (tsr_trace_fold_get_length (fold), ==, length);
  return waits->len;
}

static void
check_round_trip (const TsrTraceFold *fold)
{
  gint64 from;
  gint64 to;
  double before = -1;

  tsr_trace_fold_get_domain (fold, &from, &to);
  for (gint64 cycle = from; cycle < to; cycle += MAX ((to - from) / 5000, 1))
    {
      double position = tsr_trace_fold_get_position (fold, cycle);
      guint notch = tsr_trace_fold_find_notch (fold, cycle);
      gint64 notch_from = G_MAXINT64;
      gint64 notch_to = G_MAXINT64;

      if (notch < tsr_trace_fold_get_n_notches (fold))
        tsr_trace_fold_get_notch (fold, notch, &notch_from, &notch_to);
      g_assert_cmpint (cycle, <, notch_to);
      g_assert_cmpfloat (position, >, before);
      g_assert_cmpfloat (position, <, tsr_trace_fold_get_length (fold));
      before = position;
      if (cycle <= notch_from)
        g_assert_cmpint (tsr_trace_fold_get_cycles (fold, position), ==, cycle);
      else
        g_assert_cmpint (ABS (tsr_trace_fold_get_cycles (fold, position) - cycle), <=,
                         1 + (to - from) / 10000000000000);
    }
  g_assert_cmpfloat (tsr_trace_fold_get_position (fold, from - 5), ==, 0);
  g_assert_cmpfloat (tsr_trace_fold_get_position (fold, to + 5), ==,
                     tsr_trace_fold_get_length (fold));
  g_assert_cmpint (tsr_trace_fold_get_cycles (fold, -1), ==, from);
  g_assert_cmpint (tsr_trace_fold_get_cycles (fold, 1e300), ==, to);
}

/* Two runs, 99 % of the time between them: the waits in them are long beside the runs. */
static void
test_runs_far_apart (void)
{
  g_autoptr (TraceTest) test = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  gint64 now = 0;

  for (guint run = 0; run < 2; run++)
    {
      trace_test_begin_run (test, "run");
      trace_test_add_simple (test, "StreamCopyBegin", "in", 0, now, now + (run == 0 ? 400 : 99000));
      now += run == 0 ? 400 : 99000;
      for (guint i = 0; i < 3; i++)
        {
          trace_test_add_simple (test, "OnTileExecute", "a", 0, now, now + 100);
          trace_test_add_simple (test, "StreamCopyBegin", "in", 0, now + 100, now + 160);
          now += 160;
        }
    }
  trace = trace_test_build (test);
  /* 99,000 of 100,360, then 400 of 1,360 and the six of 60. */
  g_assert_cmpuint (check_notches (trace, NULL, 0, now), ==, 7);
}

/* Work on two IPUs with waits of many lengths between, not at the same cycles. */
static TraceTest *
new_waits (guint seed)
{
  TraceTest *test = trace_test_new (2);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  gint64 now = 0;

  trace_test_begin_run (test, "run");
  for (guint i = 0; i < 12; i++)
    {
      gint64 wait = g_rand_int_range (random, 1, i % 3 == 0 ? 1500 : 60);

      trace_test_add_simple (test, "StreamCopyBegin", "in", 0, now,
                             now + wait + g_rand_int_range (random, 0, 20));
      trace_test_add_simple (test, "StreamCopyBegin", "in", 1, now + 3, now + wait);
      now += wait + 20;
      trace_test_add_simple (test, "OnTileExecute", "a/b", i % 2, now, now + 200);
      if (i % 4 == 0)
        trace_test_add_simple (test, "DoExchange", "a/c", 1 - i % 2, now + 190, now + 260);
      now += 260 + (i % 5 == 0 ? g_rand_int_range (random, 0, 300) : 0);
    }
  return test;
}

static void
test_waits (void)
{
  static const guint8 only[] = { 0, 1 };
  guint n = 0;

  for (guint seed = 0; seed < 30; seed++)
    {
      g_autoptr (TraceTest) test = new_waits (seed);
      g_autoptr (TsrTrace) trace = trace_test_build (test);
      g_autoptr (TsrTraceFold) fold = NULL;
      gint64 from;
      gint64 to;

      tsr_trace_get_span (trace, &from, &to);
      n += check_notches (trace, NULL, from, to);
      check_notches (trace, only, from, to);
      check_notches (trace, NULL, from + 100, to - 333);
      fold = tsr_trace_fold_new (trace, from, to, NULL, TRUE);
      check_round_trip (fold);
    }
  g_assert_cmpuint (n, >, 60);
}

static void
test_no_fold (void)
{
  g_autoptr (TraceTest) test = new_waits (5);
  g_autoptr (TsrTrace) trace = trace_test_build (test);
  g_autoptr (TsrTraceFold) fold = tsr_trace_fold_new (trace, 50, 4000, NULL, FALSE);
  g_autoptr (TsrTraceFold) empty = tsr_trace_fold_new (trace, 70, 70, NULL, TRUE);

  g_assert_cmpuint (tsr_trace_fold_get_n_notches (fold), ==, 0);
  g_assert_cmpfloat (tsr_trace_fold_get_length (fold), ==, 3950);
  check_round_trip (fold);
  g_assert_cmpfloat (tsr_trace_fold_get_length (empty), ==, 0);
  g_assert_cmpint (tsr_trace_fold_get_cycles (empty, 3), ==, 70);
}

/* Nothing but waiting, a wait that a notch would make longer, and cycles at the far end. */
static void
test_odd (void)
{
  const gint64 far = G_MAXINT64 / 2;
  g_autoptr (TraceTest) test = trace_test_new (1);
  g_autoptr (TsrTrace) trace = NULL;
  g_autoptr (TsrTraceFold) waiting = NULL;
  g_autoptr (TsrTraceFold) shorter = NULL;
  g_autoptr (TsrTraceFold) all = NULL;

  trace_test_add_simple (test, "StreamCopyBegin", "in", 0, 0, 1000);
  trace_test_add_simple (test, "OnTileExecute", "a", 0, 1000, 2000);
  trace_test_add_simple (test, "StreamCopyBegin", "in", 0, 2000, 2015);
  trace_test_add_simple (test, "OnTileExecute", "b", 0, 2015, 2400);
  trace_test_add_simple (test, "OnTileExecute", "c", 0, far - 5, far);
  trace = trace_test_build (test);
  waiting = tsr_trace_fold_new (trace, 0, 1000, NULL, TRUE);
  g_assert_cmpuint (tsr_trace_fold_get_n_notches (waiting), ==, 0);
  shorter = tsr_trace_fold_new (trace, 1000, 2400, NULL, TRUE);
  g_assert_cmpuint (tsr_trace_fold_get_n_notches (shorter), ==, 0);
  all = tsr_trace_fold_new (trace, 0, far, NULL, TRUE);
  g_assert_cmpuint (tsr_trace_fold_get_n_notches (all), ==, 2);
  g_assert_cmpfloat (tsr_trace_fold_get_length (all), <, 2000);
  check_round_trip (all);
  g_assert_cmpint (tsr_trace_fold_get_cycles (all, tsr_trace_fold_get_position (all, far - 3)), ==,
                   far - 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-fold/waits", test_waits);
  g_test_add_func ("/trace-fold/runs-far-apart", test_runs_far_apart);
  g_test_add_func ("/trace-fold/no-fold", test_no_fold);
  g_test_add_func ("/trace-fold/odd", test_odd);
  return g_test_run ();
}

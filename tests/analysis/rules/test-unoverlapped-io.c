/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule unoverlapped-io at and beside each of its thresholds, on executions made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "execution-bed.h"
#include "tsr-trace-balance.h"

#include <string.h>

/* Compute 0 to 4,000 and 6,000 to 10,000; a copy of 1,000 from @from on. */
static Bed *
make_copy (gint64 from)
{
  Bed *bed = bed_new (1, 1);
  guint32 step;

  bed_compute (bed, 0, "model/a", 4000, 1, 100);
  bed->now[0] = 6000;
  bed_compute (bed, 0, "model/b", 4000, 1, 100);
  step = trace_test_add_step (bed->t, "StreamCopyMid", "copyFromHost/input");
  {
    TraceTestSlice *slice = trace_test_add (bed->t, step, 0, from, from + 1000);

    slice->data_in = 5000;
    slice->data_out = 0;
  }
  return bed;
}

static void
test_io (void)
{
  g_autoptr (Bed) none = make_copy (4500);
  g_autoptr (Bed) half = make_copy (3500);
  g_autoptr (Bed) full = make_copy (2000);
  g_autoptr (Bed) before = bed_new (1, 1);
  TsrVerdict v;

  g_assert_cmpint (bed_check (none, "unoverlapped-io", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 1000);
  g_assert_cmpint (bed_evidence (&v, 0)->cycles, ==, 1000);
  g_assert_cmpint (bed_evidence (&v, 0)->bytes, ==, 5000);
  tsr_verdict_clear (&v);
  g_assert_cmpint (bed_check (half, "unoverlapped-io", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 500);
  g_assert_nonnull (strstr (v.finding->text, "50"));
  tsr_verdict_clear (&v);
  g_assert_cmpint (bed_result (full, "unoverlapped-io"), ==, TSR_RULE_FINE);
  /* What comes before all compute cannot be hidden. */
  bed_run (before, 0, "DoExchange", "model/pre", 10);
  bed_run (before, 0, "StreamCopyMid", "copyFromHost/weights", 9000);
  bed_compute (before, 0, "model/fc", 1000, 1, 100);
  g_assert_cmpint (bed_result (before, "unoverlapped-io"), ==, TSR_RULE_FINE);
}

/* "copy3 (0.12 GB/s), host" */
static char *
dup_copy (const Bed *bed, guint32 slice)
{
  const TsrTrace *trace = bed->c.execution.trace;
  const TsrCopyKind kind = tsr_trace_get_copy_kind (trace, slice);
  const double clock = tsr_trace_get_clock (trace);
  GString *name = g_string_new (tsr_insight_step_get_name (&bed->c, slice));
  TsrTraceSlice s;

  tsr_trace_get_slice (trace, slice, &s);
  if (s.data_in != TSR_UNKNOWN && s.data_out != TSR_UNKNOWN && clock > 0)
    g_string_append_printf (name, " (%.3g GB/s)",
                            (double)(s.data_in + s.data_out) / ((double)(s.end - s.start) / clock)
                                / 1e9);
  g_string_append (name, kind == TSR_COPY_HOST     ? ", host"
                         : kind == TSR_COPY_REMOTE ? ", remote buffer"
                         : kind == TSR_COPY_BOTH   ? ", host and remote buffer"
                                                   : "");
  return g_string_free (name, FALSE);
}

/* Random copies of two replicas, against how they overlap with compute. */
static void
test_random (void)
{
  static const char *const kinds[] = { "host", "remote_buffer", "both", NULL };
  g_autoptr (GRand) rand = g_rand_new_with_seed (18);
  guint n_fired = 0;

  for (guint round = 0; round < 200; round++)
    {
      const guint first = round % 2 * 2;
      g_autoptr (Bed) bed = bed_new (4, 2);
      const TsrInsightExecution *x = &bed->c.execution;
      TsrTraceOverlap best = { 0 };
      gint64 most = 0, bytes = 0;
      guint at = 0;
      double share;
      TsrVerdict v;

      bed->t->target.clock_frequency = round % 3 == 0 ? 1.33e9 : bed->t->target.clock_frequency;
      for (guint i = 0; i < 4; i++)
        {
          const guint32 program = trace_test_get_program (bed->t, "StreamCopyMid",
                                                          (const char *[]){ "a", "b", "c", "" }[i]);

          if (kinds[i] != NULL)
            trace_test_set_copy_kind (bed->t, program, kinds[i]);
        }
      for (guint ipu = first; ipu < first + 2; ipu++)
        for (guint i = 0; i < 2 + round % 5; i++)
          {
            const guint32 step = trace_test_add_step (
                bed->t, "StreamCopyMid",
                (const char *[]){ "a", "b", "c", "" }[g_rand_int_range (rand, 0, 4)]);
            const gint64 from = g_rand_int_range (rand, 0, 1400);
            TraceTestSlice *slice
                = trace_test_add (bed->t, step, ipu, from, from + g_rand_int_range (rand, 1, 80));

            slice->data_in
                = round % 4 == 0 && i == 0 ? TSR_UNKNOWN : g_rand_int_range (rand, 0, 5000);
            slice->data_out = g_rand_int_range (rand, 0, 5000);
            bed->now[ipu] += g_rand_int_range (rand, 0, 120);
            bed_compute (bed, ipu, "model/a", round % 7 == 0 ? 1 : g_rand_int_range (rand, 50, 150),
                         1, 100);
          }
      bed_check (bed, "unoverlapped-io", &v);
      for (guint i = 0; i < 2; i++)
        {
          g_autoptr (GArray) all = tsr_trace_overlap (
              x->trace, tsr_trace_get_run (x->trace, x->run), x->from[i], x->to[i], NULL, NULL);
          const TsrTraceOverlap *one = &g_array_index (all, TsrTraceOverlap, first + i);

          if (one->alone - one->outside <= most)
            continue;
          best = *one;
          most = one->alone - one->outside;
          at = i;
        }
      share = (double)most / (double)x->span;
      g_assert_cmpint (v.result, ==, share >= 0.05 ? TSR_RULE_FIRED : TSR_RULE_FINE);
      if (v.finding == NULL)
        {
          g_autofree char *said = g_strdup_printf (
              "%s of the run (%s) on IPU %u; fires from 5.0 %%", tsr_insight_cycles (&bed->c, most),
              tsr_insight_percent (&bed->c, share), first + at);

          g_assert_cmpstr (v.text, ==, said);
        }
      else
        {
          g_autoptr (GArray) copies
              = tsr_trace_lone_copies (x->trace, tsr_trace_get_run (x->trace, x->run), first + at,
                                       x->from[at], x->to[at], 5);
          g_autofree char *said = NULL;

          for (guint k = 0; k < TSR_N_COPY_KINDS; k++)
            bytes = bytes == TSR_UNKNOWN || best.bytes[k] == TSR_UNKNOWN ? TSR_UNKNOWN
                                                                         : bytes + best.bytes[k];
          said = g_strdup_printf (
              "Copies of %s run alone for %s on IPU %u; %s of copy time is hidden",
              tsr_insight_size (&bed->c, bytes), tsr_insight_cycles (&bed->c, most), first + at,
              tsr_insight_percent (&bed->c, (double)best.hidden / (double)best.transfer));
          g_assert_true (g_str_has_prefix (v.finding->text, said));
          g_assert_cmpint (v.finding->cycles, ==, MIN (most, best.compute - best.hidden));
          g_assert_cmpuint (v.finding->where.ipu, ==, first + at);
          g_assert_cmpstr (v.finding->where.tab, ==, "overlap");
          g_assert_cmpuint (v.finding->evidence->len, ==, copies->len);
          for (guint i = 0; i < copies->len; i++)
            {
              const TsrTraceLoneCopy *copy = &g_array_index (copies, TsrTraceLoneCopy, i);
              g_autofree char *name = dup_copy (bed, copy->slice);

              g_assert_cmpstr (bed_evidence (&v, i)->name, ==, name);
              g_assert_true (g_str_has_prefix (name, v.finding->where.names[i]));
              g_assert_cmpint (bed_evidence (&v, i)->cycles, ==, copy->alone);
              g_assert_cmpfloat_with_epsilon (bed_evidence (&v, i)->share,
                                              (double)copy->alone / (double)x->span, 1e-12);
            }
          n_fired++;
        }
      tsr_verdict_clear (&v);
    }
  g_assert_cmpuint (n_fired, >, 40);
}

void
add_unoverlapped_io_tests (void)
{
  g_test_add_func ("/insight-rules/unoverlapped-io/random", test_random);
  g_test_add_func ("/insight-rules/unoverlapped-io/io", test_io);
}

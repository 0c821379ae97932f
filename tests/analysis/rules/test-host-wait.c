/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule host-wait at and beside each of its thresholds, on executions made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "execution-bed.h"

#include <string.h>

static void
test_host_wait (void)
{
  g_autoptr (Bed) leading = bed_new (1, 1);
  g_autoptr (Bed) fires = bed_new (2, 2);
  g_autoptr (Bed) below = bed_new (1, 1);
  g_autoptr (Bed) flush = bed_new (1, 1);
  TsrVerdict v;

  bed_run (leading, 0, "StreamCopyBegin", "copyFromHost/weights", 990000);
  bed_compute (leading, 0, "model/fc", 10000, 1, 100);
  g_assert_cmpint (bed_result (leading, "host-wait"), ==, TSR_RULE_FINE);
  g_assert_cmpint (leading->c.execution.span, ==, 10000);

  /* IPU 1 waits 3,000 for IPU 0's copy; IPU 0 itself waits 600 of 10,000. */
  bed_compute (fires, 0, "model/fc", 9400, 1, 100);
  bed_run (fires, 0, "StreamCopyBegin", "copyFromHost/input", 600);
  bed_compute (fires, 1, "model/fc2", 7000, 1, 100);
  bed_run (fires, 1, "StreamCopyBegin", "copyFromHost/input", 3000);
  g_assert_cmpint (bed_check (fires, "host-wait", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 600);
  g_assert_cmpstr (v.finding->scope, ==, "ipu0");
  g_assert_cmpstr (bed_evidence (&v, 0)->name, ==, "copyFromHost/input");
  /* With one run it is start-up as much as anything. */
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_INFO);
  g_assert_nonnull (strstr (v.finding->text, "Only one run"));
  tsr_verdict_clear (&v);

  bed_compute (below, 0, "model/fc", 9501, 1, 100);
  bed_run (below, 0, "StreamCopyBegin", "copyFromHost/input", 499);
  g_assert_cmpint (bed_result (below, "host-wait"), ==, TSR_RULE_FINE);
  bed_compute (flush, 0, "model/fc", 5000, 1, 100);
  bed_run (flush, 0, "StreamCopyBegin", "BlockFlush", 5000);
  g_assert_cmpint (bed_result (flush, "host-wait"), ==, TSR_RULE_FINE);
}

/* The last complete run is what is looked at, without its leading wait. */
static void
test_second_run (void)
{
  g_autoptr (Bed) bed = bed_new (1, 1);
  TsrVerdict v;

  bed_compute (bed, 0, "model/fc", 50000, 1, 100);
  bed_run (bed, 0, "StreamCopyBegin", "copyFromHost/input", 50000);
  trace_test_begin_run (bed->t, "Engine::run #1");
  bed_run (bed, 0, "StreamCopyBegin", "copyFromHost/input", 700000);
  bed_compute (bed, 0, "model/fc", 8000, 1, 100);
  bed_run (bed, 0, "StreamCopyBegin", "copyFromHost/input", 2000);
  g_assert_cmpint (bed_check (bed, "host-wait", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (bed->c.execution.span, ==, 10000);
  g_assert_cmpint (v.finding->cycles, ==, 2000);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  g_assert_null (strstr (v.finding->text, "Only one run"));
  g_assert_cmpuint (v.finding->where.run, ==, 1);
  tsr_verdict_clear (&v);
}

/* Waits of seven names: how long for each, how many in all, and the longest single one, the first
 * of equal ones. */
static void
test_names (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint round = 0; round < 50; round++)
    {
      g_autoptr (Bed) bed = bed_new (1, 1);
      g_autofree char *said = NULL;
      gint64 sums[7] = { 0 }, last = G_MAXINT64, all = 0;
      guint n = 0, n_names = 0;
      TsrVerdict v;

      bed_compute (bed, 0, "model/fc", 10, 1, 100);
      for (guint i = 0; i < 20; i++)
        {
          const guint which = (guint)g_rand_int_range (rand, 0, 7);
          const gint64 cycles = g_rand_int_range (rand, 1, 9);
          const gboolean begins = g_rand_int_range (rand, 0, 5) > 0;
          g_autofree char *name = g_strdup_printf ("copy%u", which);

          bed_run (bed, 0, begins ? "StreamCopyBegin" : "StreamCopyEnd", name, cycles);
          if (i % 6 == 1)
            bed_run (bed, 0, "StreamCopyBegin", "BlockFlush", 7);
          if (!begins)
            continue;
          sums[which] += cycles;
          all += cycles;
          n++;
        }
      said = g_strdup_printf ("wait %d cycles (", (int)all);
      g_assert_cmpint (bed_check (bed, "host-wait", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpint (v.finding->cycles, ==, all);
      g_assert_nonnull (strstr (v.finding->text, said));
      g_free (said);
      said = g_strdup_printf ("for the host in %u places; longest before copy", n);
      g_assert_nonnull (strstr (v.finding->text, said));
      for (guint i = 0; i < v.finding->evidence->len; i++)
        {
          const char *name = bed_evidence (&v, i)->name;

          g_assert_cmpstr (name, ==, v.finding->where.names[i]);
          g_assert_cmpint (bed_evidence (&v, i)->cycles, ==, sums[g_ascii_digit_value (name[4])]);
          g_assert_cmpint (bed_evidence (&v, i)->cycles, <=, last);
          last = bed_evidence (&v, i)->cycles;
        }
      for (guint i = 0; i < 7; i++)
        n_names += sums[i] > 0;
      g_assert_cmpuint (v.finding->evidence->len, ==, MIN (n_names, 5));
      g_assert_cmpuint (g_strv_length (v.finding->where.names), ==, v.finding->evidence->len);
      tsr_verdict_clear (&v);
    }
}

/* The longest wait is of the name that waits less in all. */
static void
test_longest (void)
{
  g_autoptr (Bed) bed = bed_new (1, 1);
  TsrVerdict v;

  bed_compute (bed, 0, "model/fc", 10, 1, 100);
  for (guint i = 0; i < 6; i++)
    bed_run (bed, 0, "StreamCopyBegin",
             i == 3   ? "long"
             : i == 5 ? "also"
                      : "often",
             i == 3 || i == 5 ? 6 : 5);
  g_assert_cmpint (bed_check (bed, "host-wait", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpstr (bed_evidence (&v, 0)->name, ==, "often");
  g_assert_nonnull (strstr (v.finding->text, "longest before long."));
  tsr_verdict_clear (&v);
}

/* An IPU that does nothing does not wait least; of two that wait equally the first is told. */
static void
test_ipus (void)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Bed) bed = bed_new (2, 2);
      TsrVerdict v;

      for (guint ipu = 0; ipu < 2; ipu++)
        if (i != ipu)
          {
            bed_compute (bed, ipu, "model/fc", 10, 1, 100);
            bed_run (bed, ipu, "StreamCopyBegin", "copy", 90);
          }
      g_assert_cmpint (bed_check (bed, "host-wait", &v), ==, TSR_RULE_FIRED);
      g_assert_cmpstr (v.finding->scope, ==, i == 0 ? "ipu1" : "ipu0");
      tsr_verdict_clear (&v);
    }
}

void
add_host_wait_tests (void)
{
  g_test_add_func ("/insight-rules/host-wait/host-wait", test_host_wait);
  g_test_add_func ("/insight-rules/host-wait/names", test_names);
  g_test_add_func ("/insight-rules/host-wait/longest", test_longest);
  g_test_add_func ("/insight-rules/host-wait/ipus", test_ipus);
  g_test_add_func ("/insight-rules/host-wait/second-run", test_second_run);
}

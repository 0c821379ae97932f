/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule tiny-steps at and beside each of its thresholds, on executions made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "execution-bed.h"

#include <string.h>

static Bed *
make_tiny (guint n, gint64 cycles)
{
  Bed *bed = bed_new (1, 1);

  for (guint i = 0; i < n; i++)
    {
      bed_compute (bed, 0, "model/layer1/add", cycles, 1, 100);
      bed_run (bed, 0, "Sync", "Internal", 20);
    }
  bed_compute (bed, 0, "model/layer2/conv", 50000, 1, 100);
  return bed;
}

static void
test_tiny (void)
{
  g_autoptr (Bed) few = make_tiny (999, 299);
  g_autoptr (Bed) many = make_tiny (1000, 299);
  g_autoptr (Bed) longer = make_tiny (1000, 300);
  TsrVerdict v;

  g_assert_cmpint (bed_result (few, "tiny-steps"), ==, TSR_RULE_FINE);
  g_assert_cmpint (bed_result (longer, "tiny-steps"), ==, TSR_RULE_FINE);
  g_assert_cmpint (bed_check (many, "tiny-steps", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 1000 * 20);
  g_assert_cmpint (bed_evidence (&v, 0)->cycles, ==, 1000 * 319);
  g_assert_cmpstr (bed_evidence (&v, 0)->name, ==, "model/layer1");
  tsr_verdict_clear (&v);
}

/* Syncs count that follow a short step directly, one or several, and no others. */
static void
test_syncs (void)
{
  g_autoptr (Bed) bed = bed_new (1, 1);
  TsrVerdict v;

  for (guint i = 0; i < 1000; i++)
    {
      bed_compute (bed, 0, "model/layer1/add", 100, 1, 100);
      bed_run (bed, 0, "Sync", "Internal", 20);
      bed_run (bed, 0, "Sync", "Internal", 30);
      if (i % 10 == 0)
        {
          bed_compute (bed, 0, "model/layer2/conv", 400, 1, 100);
          bed_run (bed, 0, "Sync", "Internal", 7);
        }
    }
  g_assert_cmpint (bed_check (bed, "tiny-steps", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 1000 * 50);
  g_assert_cmpint (bed_evidence (&v, 0)->cycles, ==, 1000 * 150);
  tsr_verdict_clear (&v);
}

/* Random steps of two IPUs: the one that loses more, its groups and how bad it is. */
static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (17);
  guint n_fired = 0;

  for (guint round = 0; round < 12; round++)
    {
      g_autoptr (Bed) bed = bed_new (4, 2);
      const guint first = round % 2 * 2;
      gint64 costs[2][7] = { { 0 } }, sums[2] = { 0 }, syncs[2] = { 0 }, span, last = G_MAXINT64;
      guint n[2] = { 0 }, best;
      TsrVerdict v;

      for (guint ipu = 0; ipu < 2; ipu++)
        {
          const guint n_steps = 1150 + 300 * (guint)g_rand_int_range (rand, 0, 2);
          guint after = 7;

          for (guint i = 0; i < n_steps; i++)
            {
              const guint which = (guint)g_rand_int_range (rand, 0, 7);
              const gint64 cycles = g_rand_int_range (rand, 295, 301);
              g_autofree char *name = g_strdup_printf ("m/p%u/op%u", which, i % 3);

              if (i % 2 == 0)
                bed_compute (bed, first + ipu, name, cycles, 1, 100);
              else
                bed_run (bed, first + ipu, "DoExchange", name, cycles);
              after = cycles < 300 ? which : 7;
              if (after < 7)
                {
                  costs[ipu][which] += cycles;
                  sums[ipu] += cycles;
                  n[ipu]++;
                }
              for (guint k = i % 3; k < 2; k++)
                {
                  bed_run (bed, first + ipu, "Sync", "Internal", 9);
                  if (after == 7)
                    continue;
                  costs[ipu][after] += 9;
                  sums[ipu] += 9;
                  syncs[ipu] += 9;
                }
            }
        }
      bed_compute (bed, first, "m/long/op", 200000 * (round % 4), 1, 100);
      span = MAX (bed->now[first], bed->now[first + 1]);
      best = sums[1] > sums[0];
      bed_check (bed, "tiny-steps", &v);
      g_assert_cmpint (v.result == TSR_RULE_FIRED, ==, n[best] >= 1000 && 10 * sums[best] >= span);
      if (v.finding == NULL)
        {
          g_autofree char *said = g_strdup_printf (
              "%s steps shorter than 300 cycles take %s of the run; fires from 10 %%",
              tsr_insight_count (&bed->c, n[best]),
              tsr_insight_percent (&bed->c, (double)sums[best] / (double)span));

          g_assert_cmpstr (v.text, ==, said);
        }
      else
        {
          g_autofree char *said = g_strdup_printf (
              "%s steps shorter than 300 cycles, with their syncs, take %s (%s of the run) on IPU "
              "%u.",
              tsr_insight_count (&bed->c, n[best]), tsr_insight_cycles (&bed->c, sums[best]),
              tsr_insight_percent (&bed->c, (double)sums[best] / (double)span), first + best);

          g_assert_true (g_str_has_prefix (v.finding->text, said));
          g_assert_cmpint (v.finding->cycles, ==, syncs[best]);
          g_assert_cmpuint (v.finding->where.ipu, ==, first + best);
          g_assert_true (v.finding->where.prefixes);
          g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
          g_assert_cmpuint (v.finding->evidence->len, ==, 5);
          for (guint i = 0; i < 5; i++)
            {
              const TsrEvidence *one = bed_evidence (&v, i);

              g_assert_cmpuint (strlen (one->name), ==, strlen ("m/p0"));
              g_assert_cmpstr (one->name, ==, v.finding->where.names[i]);
              g_assert_cmpint (one->cycles, ==, costs[best][g_ascii_digit_value (one->name[3])]);
              g_assert_cmpint (one->cycles, <=, last);
              g_assert_cmpfloat_with_epsilon (one->share, (double)one->cycles / (double)span,
                                              1e-12);
              last = one->cycles;
            }
          n_fired++;
        }
      tsr_verdict_clear (&v);
    }
  g_assert_cmpuint (n_fired, >, 3);
}

void
add_tiny_steps_tests (void)
{
  g_test_add_func ("/insight-rules/tiny-steps/random", test_random);
  g_test_add_func ("/insight-rules/tiny-steps/tiny", test_tiny);
  g_test_add_func ("/insight-rules/tiny-steps/syncs", test_syncs);
}

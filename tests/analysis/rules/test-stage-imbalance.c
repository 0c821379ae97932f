/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rule stage-imbalance at and beside each of its thresholds, on executions made by hand. */

#include "config.h"

#include "insight-rule-tests.h"
#include "execution-bed.h"
#include "tsr-trace-balance.h"

#include <string.h>

/* One period: every IPU works as told, then all of them exchange at the same time. */
static void
period (Bed *bed, guint first, const gint64 *work, guint n)
{
  gint64 longest = 0;
  guint32 step;

  for (guint i = 0; i < n; i++)
    longest = MAX (longest, work[i]);
  for (guint i = 0; i < n; i++)
    {
      if (work[i] > 0)
        bed_compute (bed, first + i, "model/stage", work[i], 1, 100);
      bed->now[first + i] += longest - work[i];
    }
  step = trace_test_add_step (bed->t, "GlobalExchange", "globalExchange");
  for (guint i = 0; i < n; i++)
    {
      trace_test_add (bed->t, step, first + i, bed->now[first + i], bed->now[first + i] + 10);
      bed->now[first + i] += 10;
    }
}

static void
test_stages (void)
{
  static const gint64 uneven[] = { 1000, 2000, 3000 };
  static const gint64 even[] = { 3000, 2900, 3000 };
  static const gint64 one[3][3] = { { 1000, 0, 0 }, { 0, 1000, 0 }, { 0, 0, 1000 } };
  static const gint64 ramp[] = { 1000, 0, 0 };
  g_autoptr (Bed) fires = bed_new (3, 3);
  g_autoptr (Bed) fine = bed_new (3, 3);
  g_autoptr (Bed) sharded = bed_new (3, 3);
  g_autoptr (Bed) ramps = bed_new (3, 3);
  g_autoptr (Bed) single = bed_new (1, 1);
  TsrVerdict v;

  for (guint i = 0; i < 4; i++)
    period (fires, 0, uneven, 3);
  g_assert_cmpint (bed_check (fires, "stage-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, 4 * (3000 - 2000));
  g_assert_cmpuint (v.finding->evidence->len, ==, 3);
  g_assert_cmpint (bed_evidence (&v, 2)->cycles, ==, 4 * 3000);
  g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_WARNING);
  tsr_verdict_clear (&v);
  for (guint i = 0; i < 4; i++)
    period (fine, 0, even, 3);
  g_assert_cmpint (bed_result (fine, "stage-imbalance"), ==, TSR_RULE_FINE);
  for (guint i = 0; i < 6; i++)
    period (sharded, 0, one[i % 3], 3);
  g_assert_cmpint (bed_check (sharded, "stage-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, TSR_UNKNOWN);
  g_assert_nonnull (strstr (v.finding->title, "one IPU at a time"));
  tsr_verdict_clear (&v);
  period (ramps, 0, ramp, 3);
  for (guint i = 0; i < 2; i++)
    period (ramps, 0, even, 3);
  g_assert_cmpint (bed_check (ramps, "stage-imbalance", &v), ==, TSR_RULE_FIRED);
  g_assert_cmpint (v.finding->cycles, ==, TSR_UNKNOWN);
  g_assert_nonnull (strstr (v.finding->text, "Ramp-up"));
  tsr_verdict_clear (&v);
  bed_compute (single, 0, "model/fc", 1000, 1, 100);
  g_assert_cmpint (bed_result (single, "stage-imbalance"), ==, TSR_RULE_FINE);
}

/* Replicas are never stages of each other. */
static void
test_replicas (void)
{
  static const gint64 even[] = { 3000, 3000 };
  static const gint64 slow[] = { 9000, 9000 };
  g_autoptr (Bed) bed = bed_new (4, 2);

  for (guint i = 0; i < 4; i++)
    {
      period (bed, 0, even, 2);
      period (bed, 2, slow, 2);
    }
  g_assert_cmpint (bed_result (bed, "stage-imbalance"), ==, TSR_RULE_FINE);
  g_assert_cmpuint (bed->c.execution.n_ipus, ==, 2);
}

/* "IPU 1 (10 cycles in sync, 3 B free on its fullest tile)" */
static char *
dup_ipu (const Bed *bed, const TsrTraceStages *stages, guint i)
{
  const TsrInsightContext *c = &bed->c;
  const char *sync = tsr_insight_count (c, stages->classes[i].cycles[TSR_STEP_GROUP_SYNC]);
  gint64 most = TSR_UNKNOWN;
  gboolean told = c->inc != NULL && c->capacity != TSR_UNKNOWN && c->tiles_per_ipu > 0;

  for (guint t = 0; told && t < c->n_tiles; t++)
    if (t / c->tiles_per_ipu == i)
      {
        told = c->inc[t] != TSR_UNKNOWN;
        most = MAX (most, c->inc[t]);
      }
  return told && most != TSR_UNKNOWN
             ? g_strdup_printf ("IPU %u (%s cycles in sync, %s free on its fullest tile)",
                                stages->first_ipu + i, sync,
                                tsr_insight_size (c, c->capacity - most))
             : g_strdup_printf ("IPU %u (%s cycles in sync)", stages->first_ipu + i, sync);
}

/* What random stages say, of the first or the second replica, and where their tiles' memory is told
 * or not. */
static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (16);
  guint n_fired = 0;

  for (guint round = 0; round < 400; round++)
    {
      const guint n = 2 + round % 2, first = round % 3 == 0 ? n : 0;
      g_autoptr (Bed) bed = bed_new (2 * n, n);
      g_autoptr (GPtrArray) all = NULL;
      gint64 inc[9];
      const TsrTraceStages *stages = NULL;
      double loss, bubble;
      gboolean uneven, ramps;
      TsrVerdict v;

      for (guint i = 0; i < 2 + round % 5; i++)
        {
          gint64 work[3] = { 0 };

          for (guint k = 0; k < n; k++)
            work[k] = g_rand_int_range (rand, 0, 6) > 0 ? 100 * g_rand_int_range (rand, 10, 14) : 0;
          for (guint k = 0; round % 10 == 9 && k < n; k++)
            work[k] = 0; /* but for one */
          work[i % n] = MAX (work[i % n], 1000);
          period (bed, first, work, n);
          if (first == 0 && round % 2 == 0)
            period (bed, n, (gint64[]){ 500, 900, 100 }, n);
        }
      bed_result (bed, "stage-imbalance"); /* from here on the memory is ours */
      bed->c.capacity = round % 7 == 0 ? TSR_UNKNOWN : 1000;
      bed->c.tiles_per_ipu = round % 7 == 1 ? TSR_UNKNOWN : 3;
      bed->c.inc = round % 7 == 2 ? NULL : inc;
      bed->c.n_tiles = 3 * n;
      for (guint t = 0; t < 9; t++)
        inc[t] = round % 7 == 3 && t == 4 ? TSR_UNKNOWN : g_rand_int_range (rand, 0, 1000);
      all = tsr_insight_list_stages (&bed->c);
      for (guint r = 0; r < all->len; r++)
        if (((TsrTraceStages *)all->pdata[r])->first_ipu == first)
          stages = all->pdata[r];
      g_assert_nonnull (stages);
      loss = (double)stages->loss / (double)bed->c.execution.span;
      bubble = (double)stages->bubble / (double)bed->c.execution.span;
      uneven = loss >= 0.1;
      ramps = bubble >= 0.1;
      bed_check (bed, "stage-imbalance", &v);
      g_assert_cmpint (v.result, ==,
                       stages->sharded || uneven || ramps ? TSR_RULE_FIRED : TSR_RULE_FINE);
      if (v.finding == NULL)
        {
          g_autofree char *said = g_strdup_printf (
              "Uneven IPUs cost %s of the run, periods without work for some IPU %s; "
              "fires from 10 %%",
              tsr_insight_percent (&bed->c, loss), tsr_insight_percent (&bed->c, bubble));

          g_assert_cmpstr (v.text, ==, said);
          tsr_verdict_clear (&v);
          continue;
        }
      g_assert_cmpstr (v.finding->scope, ==, "replica");
      g_assert_cmpuint (v.finding->where.ipu, ==, TSR_NO_INDEX);
      g_assert_cmpstr (v.finding->where.tab, ==, "stages");
      g_assert_cmpuint (v.finding->evidence->len, ==, n);
      for (guint i = 0; i < n; i++)
        {
          g_autofree char *name = dup_ipu (bed, stages, i);

          g_assert_cmpstr (bed_evidence (&v, i)->name, ==, name);
          g_assert_cmpint (bed_evidence (&v, i)->cycles, ==, stages->ipu_work[i]);
        }
      if (stages->sharded)
        {
          g_autofree char *said = g_strdup_printf (
              "In none of the periods, %u in all, more than one of %u IPUs works",
              stages->periods->len, n);

          g_assert_true (g_str_has_prefix (v.finding->text, said));
          g_assert_cmpint (v.finding->severity, ==, TSR_FINDING_ADVICE);
        }
      else
        {
          const gint64 gravest = MAX (uneven ? stages->loss : 0, ramps ? stages->bubble : 0);
          g_autoptr (GString) said = g_string_new (NULL);
          guint most = 0, least = 0;

          for (guint i = 0; i < n; i++)
            {
              most = stages->ipu_work[i] > stages->ipu_work[most] ? i : most;
              least = stages->ipu_work[i] < stages->ipu_work[least] ? i : least;
            }
          if (uneven)
            g_string_append_printf (
                said,
                "IPU %u works %s of the run, IPU %u %s; evening out the stages saves up to %s.%s",
                first + most,
                tsr_insight_percent (&bed->c,
                                     tsr_insight_of_span (&bed->c, stages->ipu_work[most])),
                first + least,
                tsr_insight_percent (&bed->c,
                                     tsr_insight_of_span (&bed->c, stages->ipu_work[least])),
                tsr_insight_cycles (&bed->c, stages->loss), ramps ? "  " : "");
          if (ramps)
            g_string_append_printf (
                said,
                "Ramp-up, ramp-down and other periods in which some IPU has no work "
                "take %s (%s): more",
                tsr_insight_cycles (&bed->c, stages->bubble),
                tsr_insight_percent (&bed->c, bubble));
          g_assert_true (g_str_has_prefix (v.finding->text, said->str));
          g_assert_true ((strstr (v.finding->text, "Ramp-up") != NULL) == ramps);
          g_assert_true (
              g_str_has_prefix (v.finding->title, uneven ? "Uneven IPUs cost" : "Some IPU has"));
          g_assert_true (g_str_has_prefix (v.finding->action, uneven ? "Move layers" : "Use more"));
          g_assert_cmpint (v.finding->severity, ==,
                           tsr_insight_execution_severity (&bed->c, gravest));
          g_assert_cmpint (v.finding->confidence, ==, TSR_CONFIDENCE_UPPER_BOUND);
          g_assert_cmpint (v.finding->cycles, ==, uneven ? stages->loss : TSR_UNKNOWN);
        }
      n_fired++;
      tsr_verdict_clear (&v);
    }
  g_assert_cmpuint (n_fired, >, 100);
}

void
add_stage_imbalance_tests (void)
{
  g_test_add_func ("/insight-rules/stage-imbalance/random", test_random);
  g_test_add_func ("/insight-rules/stage-imbalance/stages", test_stages);
  g_test_add_func ("/insight-rules/stage-imbalance/replicas", test_replicas);
}

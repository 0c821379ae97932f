/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 14, compute-imbalance: waiting for the slowest tile
 * (docs/insights.md#rules-about-the-execution). */

#include "config.h"

#include "tsr-insight-rule.h"

#include "tsr-trace-balance.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static const TsrInsightLimit limits[] = {
  { "compute-imbalance.loss", 0.05, N_ ("of the run"), N_ ("Fires when waiting costs at least") },
  { "compute-imbalance.cycles", 200, N_ ("cycles"), N_ ("Steps count when they take at least") },
};

static void
measure_imbalance (const TsrInsightContext *c, guint ipu, TsrRuleTally *tally)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (c->execution.trace);
  gint64 least = (gint64)LIMIT ("compute-imbalance.cycles");
  g_autoptr (GHashTable) places = tsr_insight_places_new ();
  TsrInsightStep step = { .ipu = ipu };

  *tally = (TsrRuleTally){ .ipu = ipu, .groups = tsr_insight_groups_new () };
  while (tsr_insight_next_step (c, &step))
    {
      double balance = tables->slice_active_tile_balance[step.slice];

      if (step.group != TSR_STEP_GROUP_COMPUTE || step.cycles < least)
        continue;
      if (isnan (balance))
        tally->n_skipped++;
      else
        tsr_rule_add_to_group (
            tsr_insight_groups_get (tally->groups, places,
                                    tsr_rule_get_compute_key (c->execution.trace, step.slice)),
            &step, (double)step.cycles * (1 - balance));
    }
  tsr_rule_tally_sum (tally);
}

/* The IPU whose steps decide: where the stages are uneven, only the one that works most; the others
 * wait anyway. */
static guint
find_critical_ipu (const TsrInsightContext *c)
{
  g_autoptr (GPtrArray) all = tsr_insight_list_stages (c);
  guint most = 0;

  for (guint r = 0; all != NULL && r < all->len; r++)
    {
      const TsrTraceStages *stages = all->pdata[r];

      if (stages->first_ipu != c->execution.first_ipu || stages->sharded
          || tsr_insight_of_span (c, stages->loss) < tsr_insight_limits_find (
                 tsr_rule_stage_imbalance.limits, tsr_rule_stage_imbalance.n_limits,
                 "stage-imbalance.loss"))
        continue;
      for (guint i = 1; i < MIN (stages->n_ipus, c->execution.n_ipus); i++)
        if (stages->ipu_work[i] > stages->ipu_work[most])
          most = i;
      return most;
    }
  return TSR_NO_INDEX;
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = LIMIT ("compute-imbalance.loss");
  const TsrInsightGroup *worst;
  TsrRuleTally best = { 0 };
  TsrFinding *finding;
  guint only;

  if (!tsr_insight_has_execution (c, TRUE, verdict))
    return;
  only = find_critical_ipu (c);
  for (guint i = 0; i < c->execution.n_ipus; i++)
    {
      TsrRuleTally tally;

      if (only != TSR_NO_INDEX && i != only)
        continue;
      measure_imbalance (c, i, &tally);
      tsr_rule_tally_keep (&best, &tally);
    }
  if (best.groups->len == 0 && best.n_skipped > 0)
    tsr_verdict_missing (verdict, "steps_by_ipu.active_tile_balance");
  else if (tsr_insight_of_span (c, best.cost) < limit)
    tsr_verdict_fine (verdict, _ ("%s of the run (%s) on IPU %u; fires from %s"),
                      CYCLES (best.cost), PERCENT (tsr_insight_of_span (c, best.cost)),
                      c->execution.first_ipu + best.ipu, PERCENT (limit));
  else
    {
      g_autofree char *text = NULL;

      worst = &g_array_index (best.groups, TsrInsightGroup, 0);
      finding = tsr_insight_fire_execution (c, verdict, best.ipu,
                                            tsr_rule_sum_first_five (best.groups));
      finding->severity = tsr_insight_execution_severity (c, best.cost);
      finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
      tsr_rule_add_groups (c, finding, best.groups, TRUE);
      finding->title = g_strdup_printf (_ ("Slowest tiles cost %s of the run"),
                                        PERCENT (tsr_insight_of_span (c, best.cost)));
      text = g_strdup_printf (
          _ ("Waiting for the slowest tile costs %s (%s of the run) on IPU %u; worst: %s, "
             "balance %s, executed %s times.%s"),
          CYCLES (best.cost), PERCENT (tsr_insight_of_span (c, best.cost)),
          c->execution.first_ipu + best.ipu, tsr_insight_step_get_name (c, worst->slice),
          PERCENT (1 - worst->exact / (double)worst->cycles), COUNT ((gint64)worst->count),
          tsr_rule_say_skipped (c, &best));
      finding->text = tsr_insight_dup_execution_text (c, text);
      finding->action = g_strdup (
          _ ("Look at how these operations are split over the tiles: shapes that divide "
             "by the number of tiles, another mapping or grouping, "
             "availableMemoryProportion."));
    }
  tsr_rule_tally_clear (&best);
}

const TsrInsightRule tsr_rule_compute_imbalance = {
  .id = "compute-imbalance",
  .title = N_ ("Waiting for the slowest tile"),
  .meaning
  = N_ ("What tiles lose by waiting for the slowest one: cycles of each compute step times the "
        "part that its active tile balance leaves to one, on the IPU where the sum is largest."),
  .inputs = "steps steps_by_ipu tile_cycles",
  .check = check,
  .saves_bytes = FALSE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

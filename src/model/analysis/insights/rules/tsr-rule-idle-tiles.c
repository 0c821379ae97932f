/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 15, idle-tiles: steps on few tiles
 * (docs/insights.md#rules-about-the-execution). */

#include "config.h"

#include "tsr-insight-rule.h"

#include "tsr-trace-balance.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "idle-tiles.loss", 0.03, N_ ("of the run"), N_ ("Fires when idle tiles cost at least") },
  { "idle-tiles.active", 0.5, N_ ("of the tiles that compute"),
    N_ ("Steps count when they use at most") },
  { "idle-tiles.cycles", 1000, N_ ("cycles"), N_ ("and take at least") },
};

/* N': tiles that compute at least once in the run; without numbers of each tile those of the IPU.
 */
static gint64
count_computing (const TsrInsightContext *c, guint ipu)
{
  const TsrInsightExecution *x = &c->execution;
  g_autoptr (TsrTraceTiles) tiles
      = tsr_trace_tiles (x->trace, tsr_trace_get_run (x->trace, x->run), x->first_ipu + ipu,
                         x->from[ipu], x->to[ipu], c->cancellable, NULL);
  gint64 n = 0;

  for (guint t = 0; tiles != NULL && t < tiles->n; t++)
    n += tiles->compute[t] > 0;
  return n > 0 ? n : tsr_trace_get_tiles_per_ipu (x->trace);
}

static void
measure_idle (const TsrInsightContext *c, guint ipu, gint64 tiles, TsrRuleTally *tally)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (c->execution.trace);
  gint64 least = (gint64)LIMIT ("idle-tiles.cycles");
  double most = LIMIT ("idle-tiles.active") * (double)tiles;
  g_autoptr (GHashTable) places = tsr_insight_places_new ();
  TsrInsightStep step = { .ipu = ipu };

  *tally = (TsrRuleTally){ .ipu = ipu, .tiles = tiles, .groups = tsr_insight_groups_new () };
  while (tsr_insight_next_step (c, &step))
    {
      gint64 active;

      if (step.group != TSR_STEP_GROUP_COMPUTE || step.cycles < least)
        continue;
      active = tsr_narrow_get (&tables->slice_active_tiles, step.slice);
      if (active == TSR_UNKNOWN)
        tally->n_skipped++;
      else if ((double)active <= most)
        tsr_rule_add_to_group (
            tsr_insight_groups_get (tally->groups, places,
                                    tsr_rule_get_compute_key (c->execution.trace, step.slice)),
            &step, (double)step.cycles * (1 - (double)active / (double)tiles));
    }
  tsr_rule_tally_sum (tally);
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = LIMIT ("idle-tiles.loss");
  const TsrInsightGroup *worst;
  TsrRuleTally best = { 0 };

  if (!tsr_insight_has_execution (c, TRUE, verdict))
    return;
  for (guint i = 0; i < c->execution.n_ipus; i++)
    {
      gint64 n = count_computing (c, i);
      TsrRuleTally tally;

      if (n <= 0)
        continue;
      measure_idle (c, i, n, &tally);
      tsr_rule_tally_keep (&best, &tally);
    }
  if (best.groups == NULL)
    tsr_verdict_missing (verdict, "target.tiles_per_ipu");
  else if (best.groups->len == 0 && best.n_skipped > 0)
    tsr_verdict_missing (verdict, "steps_by_ipu.active_tiles");
  else if (tsr_insight_of_span (c, best.cost) < limit)
    tsr_verdict_fine (verdict, _ ("%s of the run (%s) on IPU %u; fires from %s"),
                      CYCLES (best.cost), PERCENT (tsr_insight_of_span (c, best.cost)),
                      c->execution.first_ipu + best.ipu, PERCENT (limit));
  else
    {
      const TsrExecutionTables *tables = tsr_trace_get_tables (c->execution.trace);
      TsrFinding *finding = tsr_insight_fire_execution (c, verdict, best.ipu, best.cost);
      g_autofree char *text = NULL;

      worst = &g_array_index (best.groups, TsrInsightGroup, 0);
      finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
      tsr_rule_add_groups (c, finding, best.groups, FALSE);
      finding->title = g_strdup_printf (_ ("Idle tiles cost %s of the run"),
                                        PERCENT (tsr_insight_of_span (c, best.cost)));
      text = g_strdup_printf (
          _ ("%s uses %s of %s tiles that compute for %s.  Steps on at most half of the tiles "
             "of IPU %u cost %s of the run, if their work can be spread.%s"),
          tsr_insight_step_get_name (c, worst->slice),
          COUNT (tsr_narrow_get (&tables->slice_active_tiles, worst->slice)), COUNT (best.tiles),
          CYCLES (worst->cycles), c->execution.first_ipu + best.ipu,
          PERCENT (tsr_insight_of_span (c, best.cost)), tsr_rule_say_skipped (c, &best));
      finding->text = tsr_insight_dup_execution_text (c, text);
      finding->action
          = g_strdup (_ ("Spread these operations over more tiles: a larger batch or another "
                         "mapping; run small ones side by side."));
    }
  tsr_rule_tally_clear (&best);
}

const TsrInsightRule tsr_rule_idle_tiles = {
  .id = "idle-tiles",
  .title = N_ ("Steps on few tiles"),
  .meaning = N_ ("Compute steps on few of the tiles that compute in the run: their cycles "
                 "times the share of tiles that have nothing to do."),
  .inputs = "steps steps_by_ipu tile_cycles",
  .check = check,
  .saves_bytes = FALSE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 19, stage-imbalance: iPUs with uneven work
 * (docs/insights.md#rules-about-the-execution). */

#include "config.h"

#include "tsr-insight-rule.h"

#include "tsr-trace-balance.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "stage-imbalance.loss", 0.1, N_ ("of the run"),
    N_ ("Fires when even stages would save at least") },
  { "stage-imbalance.bubble", 0.1, N_ ("of the run"),
    N_ ("or when some IPU has no work for at least") },
};

/* The least free memory of a tile of @ipu: what can move there. */
static gint64
get_headroom (const TsrInsightContext *c, guint ipu)
{
  gint64 most = TSR_UNKNOWN;

  if (c->inc == NULL || c->capacity == TSR_UNKNOWN || c->tiles_per_ipu == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  for (guint t = 0; t < c->n_tiles; t++)
    if (tsr_insight_get_ipu (c, t) == ipu)
      {
        if (c->inc[t] == TSR_UNKNOWN)
          return TSR_UNKNOWN;
        most = MAX (most, c->inc[t]);
      }
  return tsr_known_subtract (c->capacity, most);
}

static void
add_ipus (const TsrInsightContext *c, TsrFinding *finding, const TsrTraceStages *stages)
{
  for (guint i = 0; i < stages->n_ipus; i++)
    {
      gint64 headroom = get_headroom (c, i);
      const char *name
          = tsr_insight_text (c, _ ("IPU %u (%s cycles in sync)"), stages->first_ipu + i,
                              COUNT (stages->classes[i].cycles[TSR_STEP_GROUP_SYNC]));

      if (headroom != TSR_UNKNOWN)
        name = tsr_insight_text (
            c, _ ("IPU %u (%s cycles in sync, %s free on its fullest tile)"), stages->first_ipu + i,
            COUNT (stages->classes[i].cycles[TSR_STEP_GROUP_SYNC]), tsr_insight_size (c, headroom));
      tsr_finding_add_cycles (finding, name, TSR_UNKNOWN, stages->ipu_work[i],
                              tsr_insight_of_span (c, stages->ipu_work[i]));
    }
}

static void
fire_sharded (const TsrInsightContext *c, TsrVerdict *verdict, const TsrTraceStages *stages)
{
  TsrFinding *finding = tsr_insight_fire_execution (c, verdict, TSR_NO_INDEX, TSR_UNKNOWN);
  const char *text;

  finding->severity = TSR_FINDING_ADVICE;
  finding->where.tab = "stages";
  add_ipus (c, finding, stages);
  finding->title = g_strdup (_ ("The program runs one IPU at a time"));
  text = tsr_insight_text (
      c,
      _ ("In none of the periods, %s in all, more than one of %u IPUs works: the model is "
         "sharded, not pipelined."),
      COUNT (stages->periods->len), stages->n_ipus);
  finding->text = tsr_insight_dup_execution_text (c, text);
  finding->action
      = g_strdup (_ ("Pipeline the stages, so that IPUs work on several micro-batches at once."));
}

static void
fire_stages (const TsrInsightContext *c, TsrVerdict *verdict, const TsrTraceStages *stages)
{
  double loss = tsr_insight_of_span (c, stages->loss);
  double bubble = tsr_insight_of_span (c, stages->bubble);
  gboolean uneven = loss >= LIMIT ("stage-imbalance.loss");
  gboolean ramps = bubble >= LIMIT ("stage-imbalance.bubble");
  TsrFinding *finding
      = tsr_insight_fire_execution (c, verdict, TSR_NO_INDEX, uneven ? stages->loss : 0);
  const char *first = "", *second = "";
  guint most = 0, least = 0;

  for (guint i = 1; i < stages->n_ipus; i++)
    {
      if (stages->ipu_work[i] > stages->ipu_work[most])
        most = i;
      if (stages->ipu_work[i] < stages->ipu_work[least])
        least = i;
    }
  finding->severity = tsr_insight_execution_severity (
      c, MAX (uneven ? stages->loss : 0, ramps ? stages->bubble : 0));
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  finding->where.tab = "stages";
  if (!uneven)
    finding->cycles = TSR_UNKNOWN;
  add_ipus (c, finding, stages);
  if (uneven)
    first = tsr_insight_text (
        c, _ ("IPU %u works %s of the run, IPU %u %s; evening out the stages saves up to %s."),
        stages->first_ipu + most, PERCENT (tsr_insight_of_span (c, stages->ipu_work[most])),
        stages->first_ipu + least, PERCENT (tsr_insight_of_span (c, stages->ipu_work[least])),
        CYCLES (stages->loss));
  if (ramps)
    second = tsr_insight_text (c,
                               _ ("%sRamp-up, ramp-down and other periods in which some IPU has no "
                                  "work take %s (%s): more "
                                  "micro-batches per step dilute them."),
                               uneven ? "  " : "", CYCLES (stages->bubble), PERCENT (bubble));
  finding->title
      = uneven ? g_strdup_printf (_ ("Uneven IPUs cost %s of the run"), PERCENT (loss))
               : g_strdup_printf (_ ("Some IPU has no work for %s of the run"), PERCENT (bubble));
  finding->text = tsr_insight_dup_execution_text (c, tsr_insight_text (c, "%s%s", first, second));
  finding->action
      = g_strdup (uneven ? _ ("Move layers from the IPU that works most to the others, where their "
                              "memory allows it.")
                         : _ ("Use more micro-batches per step (gradient accumulation)."));
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  g_autoptr (GPtrArray) all = NULL;
  const TsrTraceStages *stages = NULL;

  if (!tsr_insight_has_execution (c, FALSE, verdict))
    return;
  all = tsr_insight_list_stages (c);
  for (guint r = 0; all != NULL && stages == NULL && r < all->len; r++)
    if (((TsrTraceStages *)all->pdata[r])->first_ipu == c->execution.first_ipu)
      stages = all->pdata[r];
  if (stages == NULL || stages->n_ipus < 2)
    tsr_verdict_fine (verdict, _ ("A replica has one IPU"));
  else if (stages->periods->len == 0)
    tsr_verdict_fine (verdict, _ ("The IPUs of a replica exchange nothing with each other"));
  else if (stages->sharded)
    fire_sharded (c, verdict, stages);
  else if (tsr_insight_of_span (c, stages->loss) < LIMIT ("stage-imbalance.loss")
           && tsr_insight_of_span (c, stages->bubble) < LIMIT ("stage-imbalance.bubble"))
    tsr_verdict_fine (
        verdict,
        _ ("Uneven IPUs cost %s of the run, periods without work for some IPU %s; fires "
           "from %s"),
        PERCENT (tsr_insight_of_span (c, stages->loss)),
        PERCENT (tsr_insight_of_span (c, stages->bubble)),
        PERCENT (LIMIT ("stage-imbalance.loss")));
  else
    fire_stages (c, verdict, stages);
}

const TsrInsightRule tsr_rule_stage_imbalance = {
  .id = "stage-imbalance",
  .title = N_ ("IPUs with uneven work"),
  .meaning
  = N_ ("What IPUs lose that share the work of a replica unevenly, and for how long some of them "
        "have none: in periods between exchanges that several IPUs take part in.  It also fires "
        "when only one IPU works at a time."),
  .inputs = "steps steps_by_ipu target",
  .check = check,
  .saves_bytes = FALSE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

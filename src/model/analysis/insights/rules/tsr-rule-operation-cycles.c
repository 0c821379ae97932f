/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 21, operation-cycles: the operations that take most cycles
 * (docs/insights.md#rules-about-operations). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static gint64
get_cycles (const TsrInsightOperation *operation)
{
  return operation->cycles;
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  const TsrInsightOperations *of = &c->operations;
  TsrRuleRanking ranking;
  TsrFinding *finding;

  if (!tsr_rule_rank_operations (c, verdict, get_cycles, &ranking))
    return;
  if (of->cycles == TSR_UNKNOWN)
    tsr_verdict_missing (verdict, "steps");
  else if (ranking.n == 0)
    tsr_verdict_fine (verdict, _ ("No operation takes any cycles"));
  if (of->cycles == TSR_UNKNOWN || ranking.n == 0)
    return;
  finding = tsr_rule_fire_operations (c, verdict, &ranking);
  for (guint i = 0; i < ranking.n; i++)
    tsr_finding_add_cycles (finding, ranking.first[i]->name, TSR_UNKNOWN, ranking.first[i]->cycles,
                            (double)ranking.first[i]->cycles / (double)of->cycles);
  finding->title = g_strdup_printf (_ ("Costliest by cycles, %s: %s"),
                                    PERCENT ((double)ranking.first[0]->cycles / (double)of->cycles),
                                    ranking.first[0]->name);
  finding->text = g_strdup_printf (
      of->estimated ? _ ("Estimated: cycles added up over tiles, operations of the layer %s: %s "
                         "takes %s of %s, those listed %s together.")
                    : _ ("Measured cycles added up over tiles and executions, operations of the "
                         "layer %s: %s takes %s of %s, those listed %s together."),
      of->title, ranking.first[0]->name, COUNT (ranking.first[0]->cycles), COUNT (of->cycles),
      PERCENT ((double)ranking.sum / (double)of->cycles));
  finding->action = g_strdup (_ ("Begin with the first: Operations shows its programs, how evenly "
                                 "tiles share its work and what it exchanges."));
  if (of->estimated)
    finding->confidence = TSR_CONFIDENCE_ESTIMATE;
}

const TsrInsightRule tsr_rule_operation_cycles = {
  .id = "operation-cycles",
  .title = N_ ("Costliest operations by cycles"),
  .meaning = N_ ("The operations that take most cycles, added up over all tiles and executions; "
                 "estimated ones where nothing was measured."),
  .inputs = "debug.cbor programs steps steps_by_ipu",
  .check = check,
  .saves_bytes = FALSE,
};

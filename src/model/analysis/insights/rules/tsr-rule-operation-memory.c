/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 22, operation-memory: the operations whose variables take most of the worst tile
 * (docs/insights.md#rules-about-operations). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static gint64
get_bytes (const TsrInsightOperation *operation)
{
  return operation->on_worst;
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  const TsrInsightOperations *of = &c->operations;
  TsrRuleRanking ranking;
  TsrFinding *finding;
  gint64 whole = 0;

  if (!tsr_rule_rank_operations (c, verdict, get_bytes, &ranking))
    return;
  if (c->worst == TSR_NO_INDEX)
    tsr_verdict_missing (verdict, "memory_by_tile");
  else if (c->held == NULL)
    tsr_verdict_missing (verdict, "vars_info");
  else if (ranking.n == 0)
    tsr_verdict_fine (verdict, _ ("No operation of the layer %s has a variable on tile %u"),
                      of->title, c->worst);
  if (c->worst == TSR_NO_INDEX || c->held == NULL || ranking.n == 0)
    return;
  for (guint i = 0; i < of->list->len; i++)
    whole = tsr_insight_add (whole, get_bytes (&g_array_index (of->list, TsrInsightOperation, i)));
  finding = tsr_rule_fire_operations (c, verdict, &ranking);
  tsr_finding_set_tile (finding, c->worst);
  for (guint i = 0; i < ranking.n; i++)
    tsr_finding_add_evidence (finding, ranking.first[i]->name, ranking.first[i]->on_worst,
                              (double)ranking.first[i]->on_worst / (double)whole);
  finding->title = g_strdup_printf (_ ("Costliest on tile %u, %s: %s"), c->worst,
                                    SIZE (ranking.first[0]->on_worst), ranking.first[0]->name);
  finding->text = g_strdup_printf (
      c->worst_series != NULL
          ? _ ("Variables that are always live or live at the peak of tile %u, operations of the "
               "layer %s: %s has %s of %s, those listed %s together.")
          : _ ("All variables on tile %u, whenever they are live, operations of the layer %s: %s "
               "has %s of %s, those listed %s together."),
      c->worst, of->title, ranking.first[0]->name, SIZE (ranking.first[0]->on_worst), SIZE (whole),
      PERCENT ((double)ranking.sum / (double)whole));
  finding->action
      = g_strdup (_ ("Begin with the first: Operations shows its variables and who uses them."));
}

const TsrInsightRule tsr_rule_operation_memory = {
  .id = "operation-memory",
  .title = N_ ("Costliest operations on the worst tile"),
  .meaning = N_ ("The operations whose variables take most bytes on the worst tile: always live, "
                 "and live at its peak."),
  .inputs = "debug.cbor programs variables vars_info",
  .check = check,
  .saves_bytes = FALSE,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of the rules, in the order of docs/insights.md, and of all their thresholds. */

#include "config.h"

#include "tsr-insights-private.h"

#include <math.h>

static const TsrInsightRule *const rules[TSR_N_RULES] = {
  &tsr_rule_out_of_memory,      &tsr_rule_near_capacity,       &tsr_rule_tile_imbalance,
  &tsr_rule_gaps_on_full_tiles, &tsr_rule_peak_spike,          &tsr_rule_long_lived_activations,
  &tsr_rule_fp32_at_peak,       &tsr_rule_resident_state,      &tsr_rule_exchange_code,
  &tsr_rule_vertex_memory,      &tsr_rule_io_code_and_headers, &tsr_rule_instrumentation,
  &tsr_rule_one_off_code,       &tsr_rule_compute_imbalance,   &tsr_rule_idle_tiles,
  &tsr_rule_exchange_bound,     &tsr_rule_host_wait,           &tsr_rule_unoverlapped_io,
  &tsr_rule_stage_imbalance,    &tsr_rule_tiny_steps,          &tsr_rule_operation_cycles,
  &tsr_rule_operation_memory,
};

const TsrInsightRule *
tsr_insight_rules_get (guint index)
{
  g_return_val_if_fail (index < TSR_N_RULES, NULL);
  return rules[index];
}

gboolean
tsr_insight_rules_describe (guint index, TsrInsightRuleText *text)
{
  g_return_val_if_fail (text != NULL, FALSE);
  if (index >= TSR_N_RULES)
    return FALSE;
  *text = (TsrInsightRuleText){ rules[index]->id, rules[index]->title, rules[index]->meaning };
  return TRUE;
}

/* Those of all rules, then those that each rule has for itself. */
static gpointer
list_limits (gpointer data)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (TsrInsightLimit));
  guint n;
  const TsrInsightLimit *shared = tsr_insight_limits_get_shared (&n);

  g_array_append_vals (all, shared, n);
  for (guint i = 0; i < TSR_N_RULES; i++)
    g_array_append_vals (all, rules[i]->limits, rules[i]->n_limits);
  return all;
}

const TsrInsightLimit *
tsr_insight_limits_get (guint *n_limits)
{
  static GOnce once = G_ONCE_INIT;
  const GArray *all = g_once (&once, list_limits, NULL);

  if (n_limits != NULL)
    *n_limits = all->len;
  return (const TsrInsightLimit *)all->data;
}

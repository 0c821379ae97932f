/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 8, resident-state: weights and optimiser state on the chip
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "resident-state.live", TSR_RESIDENT_SHARE, N_ ("of the steps"),
    N_ ("A variable stays when it is live at no less than") },
  { "resident-state.size", 0.4, N_ ("of a tile"), N_ ("Fires when what stays takes at least") },
  { "resident-state.optimiser", 0.1, N_ ("of a tile"),
    N_ ("or when optimiser state takes at least") },
};

typedef struct
{
  gint64 all, constants;
  gint64 optimiser, largest; /* on the worst tile; largest one of the optimiser's */
  guint32 largest_variable;
} Resident;

static gboolean
is_resident (const TsrInsightVariable *variable)
{
  return !variable->compiler_made
         && (variable->life == TSR_LIFE_ALWAYS || variable->life == TSR_LIFE_RESIDENT);
}

static void
measure_resident (const TsrInsightContext *c, Resident *resident)
{
  *resident = (Resident){ .largest_variable = TSR_NO_INDEX };
  for (guint i = 0; i < c->held->len; i++)
    {
      const TsrInsightHeld *held = &g_array_index (c->held, TsrInsightHeld, i);
      const TsrInsightVariable *variable = &c->variables[held->variable];

      if (!is_resident (variable))
        continue;
      resident->all += held->all;
      if (g_strcmp0 (variable->category, "constant") == 0)
        resident->constants += held->all;
      if (!tsr_insight_matches (variable->name, "optimiser"))
        continue;
      resident->optimiser += held->all;
      if (held->all > resident->largest)
        {
          resident->largest = held->all;
          resident->largest_variable = held->variable;
        }
    }
}

/* Else the constants are what could go. */
static gboolean
is_about_optimiser (const Resident *resident)
{
  return resident->optimiser > 0 && resident->optimiser >= resident->constants;
}

/* Optimiser state in remote buffers: all of it goes but a buffer for its largest variable. */
static void
save_optimiser (const TsrInsightContext *c, TsrFinding *finding, const Resident *resident)
{
  g_autofree guint8 *in = g_new0 (guint8, MAX (c->n_variables, 1));
  const TsrInsightChange change = { in, 1, 0, 0 };

  for (guint v = 0; v < c->n_variables; v++)
    in[v] = is_resident (&c->variables[v]) && v != resident->largest_variable
            && tsr_insight_matches (c->variables[v].name, "optimiser");
  tsr_insight_get_saving (c, &change, &finding->bytes_worst_tile, &finding->bytes);
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
}

static void
fire_resident (const TsrInsightContext *c, TsrVerdict *verdict, const Resident *resident)
{
  TsrFinding *finding = tsr_verdict_fire (
      verdict, c->fit == TSR_OUT_OF_MEMORY ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
  const char *sharding = "";

  tsr_finding_set_tile (finding, c->worst);
  finding->where.breakdown = "liveness";
  finding->where.tab = "variables";
  for (guint i = 0; i < c->held->len; i++)
    {
      const TsrInsightHeld *held = &g_array_index (c->held, TsrInsightHeld, i);

      if (!is_resident (&c->variables[held->variable]) || held->all == 0)
        continue;
      tsr_finding_add_evidence (finding, c->variables[held->variable].name, held->all,
                                (double)held->all / (double)resident->all);
      tsr_finding_add_name (finding, c->variables[held->variable].name);
      tsr_verdict_add_variable (verdict, held->variable);
    }
  if (is_about_optimiser (resident))
    save_optimiser (c, finding, resident);
  if (c->n_replicas > 1 && is_about_optimiser (resident))
    sharding = tsr_insight_text (
        c, _ ("  Sharding it over %s replicas saves up to %s on tile %u."), COUNT (c->n_replicas),
        SIZE ((gint64)((double)resident->optimiser * (1 - 1 / (double)c->n_replicas))), c->worst);
  finding->title
      = g_strdup_printf (_ ("%s of tile %u is taken all the time (%s)"), SIZE (resident->all),
                         c->worst, PERCENT (tsr_rule_of_tile (c, resident->all)));
  finding->text = g_strdup_printf (
      _ ("Weights and state stay on the chip all the time: %s on tile %u, of it optimiser state %s "
         "and constants %s."),
      SIZE (resident->all), c->worst, SIZE (resident->optimiser), SIZE (resident->constants));
  if (is_about_optimiser (resident))
    finding->action = g_strdup_printf (
        _ ("Keep optimiser state in remote buffers.%s  Or more IPUs per replica."), sharding);
  else
    finding->action = g_strdup (
        _ ("Keep large tables in remote buffers or in FP16; or more IPUs per replica."));
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double size = LIMIT ("resident-state.size");
  double optimiser = LIMIT ("resident-state.optimiser");
  Resident resident;

  if (!tsr_rule_has_held (c, verdict))
    return;
  measure_resident (c, &resident);
  if (tsr_rule_of_tile (c, resident.all) >= size
      || tsr_rule_of_tile (c, resident.optimiser) >= optimiser
      || tsr_insight_counts (c, resident.all))
    fire_resident (c, verdict, &resident);
  else
    tsr_verdict_fine (verdict,
                      _ ("%s on tile %u (%s) stays, %s (%s) of it optimiser state; fires from %s "
                         "and %s"),
                      SIZE (resident.all), c->worst, PERCENT (tsr_rule_of_tile (c, resident.all)),
                      SIZE (resident.optimiser), PERCENT (tsr_rule_of_tile (c, resident.optimiser)),
                      PERCENT (size), PERCENT (optimiser));
}

const TsrInsightRule tsr_rule_resident_state = {
  .id = "resident-state",
  .title = N_ ("Weights and optimiser state on the chip"),
  .meaning = N_ ("Variables of the program that stay on the worst tile all the time: "
                 "weights, constants and optimiser state."),
  .inputs = "variables vars_info equivalence_class_intervals",
  .check = check,
  .saves_bytes = TRUE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

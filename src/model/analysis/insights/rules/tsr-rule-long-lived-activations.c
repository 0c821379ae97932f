/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 6, long-lived-activations: activations kept for the backward pass
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static const TsrInsightLimit limits[] = {
  { "long-lived-activations.length", 0.25, N_ ("of the steps"),
    N_ ("A variable is kept when it lives through the peak, for at least") },
  { "long-lived-activations.untouched", 0.8, N_ ("of its life"),
    N_ ("and when no program touches it for at least") },
  { "long-lived-activations.share", 0.1, N_ ("of the peak"),
    N_ ("Fires when such variables hold at least") },
  { "long-lived-activations.size", 0.02, N_ ("of a tile"), N_ ("and at least") },
  { "long-lived-activations.trim", 0.01, N_ ("of its life"),
    N_ ("The saving keeps it at either end for") },
  { "long-lived-activations.birth", 0.5, N_ ("of the steps"),
    N_ ("It is an activation when it is born within the first") },
};

typedef struct
{
  GArray *list; /* TsrInsightSpan, largest first */
  guint8 *in;   /* by variable */
  gint64 bytes, stash;
  guint n_variables;
  gint64 saving, saving_all; /* on the worst tile, on all tiles */
} Kept;

/* Whether programs leave the variable alone for most of [from, to). */
static gboolean
is_untouched (const TsrInsightContext *c, const TsrInsightSpan *span)
{
  GHashTable *programs;
  guint touched = 0;

  if (c->touched == NULL || c->step_program == NULL)
    return TRUE;
  programs = g_hash_table_lookup (c->touched, GUINT_TO_POINTER (span->variable));
  for (guint k = span->from; programs != NULL && k < span->to; k++)
    touched += g_hash_table_contains (programs, GUINT_TO_POINTER (c->step_program[k]));
  return span->to - span->from - touched
         >= LIMIT ("long-lived-activations.untouched") * (span->to - span->from);
}

static gboolean
is_kept (const TsrInsightContext *c, const TsrInsightSpan *span)
{
  const TsrInsightVariable *variable = &c->variables[span->variable];
  double steps = c->n_steps;

  return g_strcmp0 (variable->category, "variable") == 0
         && span->to - span->from >= LIMIT ("long-lived-activations.length") * steps
         && span->from < c->worst_peak && c->worst_peak + 1 < span->to
         && span->from <= LIMIT ("long-lived-activations.birth") * steps
         && !tsr_insight_matches (variable->name, "accumulators") && is_untouched (c, span);
}

static void
find_kept (const TsrInsightContext *c, Kept *kept)
{
  kept->list = tsr_insight_list_spans (c);
  kept->in = g_new0 (guint8, MAX (c->n_variables, 1));
  for (guint i = 0; i < kept->list->len;)
    {
      const TsrInsightSpan *span = &g_array_index (kept->list, TsrInsightSpan, i);

      if (!is_kept (c, span))
        {
          g_array_remove_index (kept->list, i);
          continue;
        }
      kept->bytes += span->bytes;
      if (tsr_insight_matches (c->variables[span->variable].name, "stash"))
        kept->stash += span->bytes;
      kept->n_variables += !kept->in[span->variable];
      kept->in[span->variable] = TRUE;
      i++;
    }
}

static void
save_kept (const TsrInsightContext *c, Kept *kept)
{
  double least = LIMIT ("long-lived-activations.length") * c->n_steps;
  const TsrInsightChange change
      = { kept->in, 1, (guint)ceil (least), LIMIT ("long-lived-activations.trim") };

  tsr_insight_get_saving (c, &change, &kept->saving, &kept->saving_all);
}

static void
kept_clear (Kept *kept)
{
  g_clear_pointer (&kept->list, g_array_unref);
  g_clear_pointer (&kept->in, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Kept, kept_clear)

/* What recomputing costs at least: the estimated cycles of the programs at whose steps the
 * variables are born, or nothing when one is not told. */
static const char *
say_cost (const TsrInsightContext *c, const Kept *kept)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  gint64 cycles = 0;

  for (guint i = 0; i < kept->list->len; i++)
    {
      const TsrInsightSpan *span = &g_array_index (kept->list, TsrInsightSpan, i);
      gint64 one = tsr_insight_get_step_cycles (c, span->from);

      if (g_hash_table_add (seen, GUINT_TO_POINTER (span->from)))
        cycles = tsr_insight_add (cycles, one);
    }
  if (cycles == TSR_UNKNOWN || cycles == 0)
    return "";
  return tsr_insight_text (c, _ ("  The steps that write them take about %s cycles."),
                           COUNT (cycles));
}

static void
fire_kept (const TsrInsightContext *c, TsrVerdict *verdict, const Kept *kept)
{
  const TsrInsightSpan *largest = &g_array_index (kept->list, TsrInsightSpan, 0);
  TsrFinding *finding = tsr_verdict_fire (
      verdict, c->fit == TSR_OUT_OF_MEMORY ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
  gboolean stash = kept->stash * 2 > kept->bytes;
  gint64 all = tsr_insight_sum_at (c, kept->in, c->worst_peak);

  tsr_rule_show_in_liveness (c, finding, TRUE);
  for (guint i = 0; i < kept->list->len; i++)
    {
      const TsrInsightSpan *span = &g_array_index (kept->list, TsrInsightSpan, i);

      tsr_finding_add_evidence (finding, c->variables[span->variable].name, span->bytes,
                                (double)span->bytes / (double)kept->bytes);
      tsr_finding_add_name (finding, c->variables[span->variable].name);
      tsr_verdict_add_variable (verdict, span->variable);
    }
  finding->bytes_worst_tile = kept->saving;
  finding->bytes = kept->saving_all;
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  finding->title = g_strdup_printf (stash ? _ ("Pipeline stashes hold %s on tile %u")
                                          : _ ("Kept for the backward pass: %s on tile %u"),
                                    SIZE (kept->bytes), c->worst);
  finding->text = g_strdup_printf (
      _ ("Kept from forward to backward: %s variables, %s on tile %u, %s over all tiles; the "
         "largest: %s, steps %u to %u."),
      COUNT (kept->n_variables), SIZE (kept->bytes), c->worst, SIZE (all),
      c->variables[largest->variable].name, largest->from, largest->to - 1);
  if (stash)
    finding->action = g_strdup_printf (
        _ ("Fewer pipeline stages, or recomputation, which stashes less.%s"), say_cost (c, kept));
  else
    finding->action = g_strdup_printf (
        _ ("Recompute them in the backward pass.%s  Or a smaller micro-batch: halving it saves up "
           "to half."),
        say_cost (c, kept));
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double share = LIMIT ("long-lived-activations.share");
  double size = LIMIT ("long-lived-activations.size");
  g_auto (Kept) kept = { 0 };
  gboolean fires;

  if (!tsr_rule_has_held (c, verdict))
    return;
  find_kept (c, &kept);
  fires = (double)kept.bytes >= share * (double)c->worst_live
          && tsr_rule_of_tile (c, kept.bytes) >= size;
  if (kept.bytes > 0 && (fires || c->fit == TSR_OUT_OF_MEMORY))
    save_kept (c, &kept);
  if (fires || tsr_insight_counts (c, kept.saving))
    fire_kept (c, verdict, &kept);
  else
    tsr_verdict_fine (
        verdict,
        _ ("%s on tile %u (%s of its peak) is kept for long; fires from %s of the peak and %s"),
        SIZE (kept.bytes), c->worst, PERCENT ((double)kept.bytes / (double)MAX (c->worst_live, 1)),
        PERCENT (share), SIZE ((gint64)(size * (double)c->capacity)));
}

const TsrInsightRule tsr_rule_long_lived_activations = {
  .id = "long-lived-activations",
  .title = N_ ("Activations kept for the backward pass"),
  .meaning
  = N_ ("Variables on the worst tile that live for long around its peak while no program touches "
        "them, as activations do that are kept for the backward pass.  Accumulators are left out; "
        "stashes of a pipeline are told apart."),
  .inputs = "vars_info equivalence_class_intervals variables program_variables",
  .check = check,
  .saves_bytes = TRUE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 20, tiny-steps: many very short steps
 * (docs/insights.md#rules-about-the-execution). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "tiny-steps.cycles", 300, N_ ("cycles"), N_ ("Steps count when they are shorter than") },
  { "tiny-steps.steps", 1000, N_ ("steps"), N_ ("Fires when there are at least") },
  { "tiny-steps.cost", 0.1, N_ ("of the run"), N_ ("and when they cost at least") },
};

typedef struct
{
  TsrRuleTally tally;
  guint64 n;
  gint64 syncs;
} Tiny;

static void
measure_tiny (const TsrInsightContext *c, guint ipu, Tiny *tiny)
{
  gint64 most = (gint64)LIMIT ("tiny-steps.cycles");
  TsrInsightPrefixes *index = tsr_insight_prefixes_new (c);
  TsrInsightStep step = { .ipu = ipu };
  guint after = TSR_NO_INDEX; /* group of the short step that a sync follows directly */

  *tiny = (Tiny){ .tally = { .ipu = ipu, .groups = tsr_insight_groups_new () } };
  while (tsr_insight_next_step (c, &step))
    {
      gboolean works = tsr_step_group_is_work (step.group);

      if (step.group == TSR_STEP_GROUP_SYNC && after != TSR_NO_INDEX)
        {
          g_array_index (tiny->tally.groups, TsrInsightGroup, after).exact += (double)step.cycles;
          tiny->syncs += step.cycles;
        }
      else if (works && step.cycles < most)
        {
          const char *prefix;

          after = tsr_insight_prefixes_get (index, step.slice, &prefix);
          if (after == tiny->tally.groups->len)
            {
              TsrInsightGroup group = { .slice = TSR_NO_SLICE };

              g_array_append_val (tiny->tally.groups, group);
            }
          tsr_rule_add_to_group (&g_array_index (tiny->tally.groups, TsrInsightGroup, after), &step,
                                 (double)step.cycles);
          tiny->n++;
        }
      else
        after = TSR_NO_INDEX;
    }
  tsr_insight_prefixes_free (index);
  tsr_rule_tally_sum (&tiny->tally);
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = LIMIT ("tiny-steps.cost");
  Tiny best = { 0 };
  gint64 most = (gint64)LIMIT ("tiny-steps.cycles");

  if (!tsr_insight_has_execution (c, FALSE, verdict))
    return;
  for (guint i = 0; i < c->execution.n_ipus; i++)
    {
      Tiny other;

      measure_tiny (c, i, &other);
      if (best.tally.groups == NULL || other.tally.cost > best.tally.cost)
        {
          Tiny swap = best;

          best = other;
          other = swap;
        }
      tsr_rule_tally_clear (&other.tally);
    }
  if (best.n < (guint64)LIMIT ("tiny-steps.steps")
      || tsr_insight_of_span (c, best.tally.cost) < limit)
    tsr_verdict_fine (verdict,
                      _ ("%s steps shorter than %s cycles take %s of the run; fires from %s"),
                      COUNT ((gint64)best.n), COUNT (most),
                      PERCENT (tsr_insight_of_span (c, best.tally.cost)), PERCENT (limit));
  else
    {
      TsrFinding *finding = tsr_insight_fire_execution (c, verdict, best.tally.ipu, best.syncs);
      g_autofree char *text = NULL;

      finding->severity = tsr_insight_execution_severity (c, best.tally.cost);
      finding->confidence = TSR_CONFIDENCE_ESTIMATE;
      finding->where.prefixes = TRUE;
      for (guint i = 0; i < MIN (best.tally.groups->len, 5); i++)
        {
          const TsrInsightGroup *group = &g_array_index (best.tally.groups, TsrInsightGroup, i);
          const char *prefix
              = tsr_insight_get_prefix (c, tsr_insight_step_get_name (c, group->slice));

          tsr_finding_add_cycles (finding, prefix, TSR_UNKNOWN, group->cost,
                                  tsr_insight_of_span (c, group->cost));
          tsr_finding_add_name (finding, prefix);
        }
      finding->title
          = g_strdup_printf (_ ("%s short steps take %s of the run"), COUNT ((gint64)best.n),
                             PERCENT (tsr_insight_of_span (c, best.tally.cost)));
      text = g_strdup_printf (_ ("%s steps shorter than %s cycles, with their syncs, take %s "
                                 "(%s of the run) on IPU %u."),
                              COUNT ((gint64)best.n), COUNT (most), CYCLES (best.tally.cost),
                              PERCENT (tsr_insight_of_span (c, best.tally.cost)),
                              c->execution.first_ipu + best.tally.ipu);
      finding->text = tsr_insight_dup_execution_text (c, text);
      finding->action
          = g_strdup (_ ("Fuse element-wise operations; let one step do the work of several."));
    }
  tsr_rule_tally_clear (&best.tally);
}

const TsrInsightRule tsr_rule_tiny_steps = {
  .id = "tiny-steps",
  .title = N_ ("Many very short steps"),
  .meaning
  = N_ ("Very short compute and exchange steps, together with the syncs directly after them."),
  .inputs = "steps steps_by_ipu",
  .check = check,
  .saves_bytes = FALSE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

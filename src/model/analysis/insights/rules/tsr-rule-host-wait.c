/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 17, host-wait: waiting for the host
 * (docs/insights.md#rules-about-the-execution). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const TsrInsightLimit limits[] = {
  { "host-wait.share", 0.05, N_ ("of the run"), N_ ("Fires when waiting takes at least") },
};

typedef struct
{
  guint ipu;
  gint64 cycles;
  guint64 n;
  GArray *waits; /* TsrInsightGroup by name, cost: cycles */
} Waiting;

static void
measure_waiting (const TsrInsightContext *c, guint ipu, Waiting *self)
{
  g_autoptr (GHashTable) places = tsr_insight_places_new ();
  TsrInsightStep step = { .ipu = ipu };

  *self = (Waiting){ .ipu = ipu, .waits = tsr_insight_groups_new () };
  while (tsr_insight_next_step (c, &step))
    {
      const char *name;
      TsrInsightGroup *group;

      /* The rule is about waiting for the host: what ends a copy is of its class, too. */
      if (step.group != TSR_STEP_GROUP_HOST || !g_str_equal (step.type->name, "StreamCopyBegin"))
        continue;
      /* The profiler's own copies are no part of the program. */
      name = tsr_insight_step_get_name (c, step.slice);
      if (strstr (name, "BlockFlush") != NULL)
        continue;
      group = tsr_insight_groups_get (
          self->waits, places, tsr_trace_get_slice_name (c->execution.trace, (guint32)step.slice));
      if ((double)step.cycles > group->most)
        {
          group->most = (double)step.cycles;
          group->slice = (guint32)step.slice;
        }
      group->cost = tsr_insight_add (group->cost, step.cycles);
      self->cycles = tsr_insight_add (self->cycles, step.cycles);
      self->n++;
    }
  tsr_insight_groups_sort (self->waits);
}

/* The longest single wait. */
static guint32
find_longest (const GArray *waits)
{
  const TsrInsightGroup *longest = &g_array_index (waits, TsrInsightGroup, 0);

  for (guint i = 1; i < waits->len; i++)
    if (g_array_index (waits, TsrInsightGroup, i).most > longest->most)
      longest = &g_array_index (waits, TsrInsightGroup, i);
  return longest->slice;
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = LIMIT ("host-wait.share");
  Waiting best = { 0 };
  TsrFinding *finding;

  if (!tsr_insight_has_execution (c, FALSE, verdict))
    return;
  /* The IPU that waits least: others may wait for that one. */
  for (guint i = 0; i < c->execution.n_ipus; i++)
    {
      Waiting other;

      if (c->execution.from[i] >= c->execution.to[i])
        continue;
      measure_waiting (c, i, &other);
      if (best.waits == NULL || other.cycles < best.cycles)
        {
          Waiting swap = best;

          best = other;
          other = swap;
        }
      g_clear_pointer (&other.waits, g_array_unref);
    }
  if (best.waits->len == 0 || tsr_insight_of_span (c, best.cycles) < limit)
    {
      tsr_verdict_fine (verdict, _ ("%s of the run (%s) on IPU %u; fires from %s"),
                        CYCLES (best.cycles), PERCENT (tsr_insight_of_span (c, best.cycles)),
                        c->execution.first_ipu + best.ipu, PERCENT (limit));
      g_clear_pointer (&best.waits, g_array_unref);
      return;
    }
  finding = tsr_insight_fire_execution (c, verdict, best.ipu, best.cycles);
  if (c->execution.one_run)
    finding->severity = TSR_FINDING_INFO;
  for (guint i = 0; i < MIN (best.waits->len, 5); i++)
    {
      const TsrInsightGroup *group = &g_array_index (best.waits, TsrInsightGroup, i);

      tsr_finding_add_cycles (finding, tsr_insight_step_get_name (c, group->slice), TSR_UNKNOWN,
                              group->cost, tsr_insight_of_span (c, group->cost));
      tsr_finding_add_name (finding, tsr_insight_step_get_name (c, group->slice));
    }
  finding->title = g_strdup_printf (_ ("Waiting for the host takes %s of the run"),
                                    PERCENT (tsr_insight_of_span (c, best.cycles)));
  {
    const char *text = tsr_insight_text (
        c,
        ngettext ("The IPUs wait %s (%s of the run) for the host in %s place, before %s.",
                  "The IPUs wait %s (%s of the run) for the host in %s places; longest before %s.",
                  (gulong)best.n),
        CYCLES (best.cycles), PERCENT (tsr_insight_of_span (c, best.cycles)),
        COUNT ((gint64)best.n), tsr_insight_step_get_name (c, find_longest (best.waits)));

    finding->text = tsr_insight_dup_execution_text (c, text);
  }
  finding->action
      = g_strdup (_ ("Prefetch data, give the host more processes or threads, and move larger "
                     "batches with each copy."));
  g_clear_pointer (&best.waits, g_array_unref);
}

const TsrInsightRule tsr_rule_host_wait = {
  .id = "host-wait",
  .title = N_ ("Waiting for the host"),
  .meaning = N_ ("How long the IPUs wait for the host, on the IPU that waits least.  The wait "
                 "that begins a run does not count, nor do copies of the profiler."),
  .inputs = "steps steps_by_ipu programs",
  .check = check,
  .saves_bytes = FALSE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

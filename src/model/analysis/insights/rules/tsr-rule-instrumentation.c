/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 12, instrumentation: memory of the profiler itself
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "instrumentation.size", 0.01, N_ ("of a tile"), N_ ("Fires when they take at least") },
};

/* Whether every tile that does not fit would without the profiler's results. */
static gboolean
does_profiling_overflow (const TsrInsightContext *c)
{
  for (guint i = 0; i < c->n_critical; i++)
    {
      gint64 results = tsr_insight_get_category (c, "instrumentationResults", c->critical[i]);

      if (results == TSR_UNKNOWN || c->need[c->critical[i]] > results)
        return FALSE;
    }
  return c->fit == TSR_OUT_OF_MEMORY;
}

static guint
find_emptiest (const TsrInsightContext *c)
{
  guint emptiest = TSR_NO_INDEX;

  for (guint t = 0; c->inc != NULL && t < c->n_tiles; t++)
    if (c->inc[t] != TSR_UNKNOWN && (emptiest == TSR_NO_INDEX || c->inc[t] < c->inc[emptiest]))
      emptiest = t;
  return emptiest;
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = LIMIT ("instrumentation.size");
  TsrFinding *finding;
  gboolean overflows, fires;
  gint64 bytes;
  guint emptiest;

  if (!tsr_rule_has_categories (c, verdict))
    return;
  bytes = tsr_insight_get_category (c, "instrumentationResults", c->worst);
  overflows = does_profiling_overflow (c);
  fires = overflows || tsr_rule_of_tile (c, bytes) >= limit || tsr_insight_counts (c, bytes);
  if (bytes == TSR_UNKNOWN)
    tsr_verdict_unknown (verdict, "memory_by_tile_category", c->worst);
  else if (!fires)
    tsr_verdict_fine (verdict, _ ("%s on tile %u (%s); fires from %s"), SIZE (bytes), c->worst,
                      PERCENT (tsr_rule_of_tile (c, bytes)), PERCENT (limit));
  if (bytes == TSR_UNKNOWN || !fires)
    return;
  finding = tsr_verdict_fire (verdict, overflows ? TSR_FINDING_WARNING : TSR_FINDING_INFO);
  tsr_finding_set_tiles (finding, c->critical, c->n_critical);
  g_free (finding->scope);
  finding->scope = g_strdup_printf ("tile%u", c->worst);
  finding->where.breakdown = "category";
  finding->bytes_worst_tile = bytes;
  finding->bytes = tsr_insight_sum_category (c, "instrumentationResults");
  finding->confidence = TSR_CONFIDENCE_ESTIMATE;
  finding->at_least = TRUE; /* profiling adds code as well */
  for (guint i = 0; i < MIN (c->n_critical, 5); i++)
    {
      guint tile = c->critical[i];
      gint64 results = tsr_insight_get_category (c, "instrumentationResults", tile);

      if (results != TSR_UNKNOWN)
        tsr_finding_add_evidence (finding, tsr_insight_text (c, _ ("Tile %u"), tile), results,
                                  tsr_rule_of_tile (c, results));
    }
  emptiest = find_emptiest (c);
  finding->title = g_strdup_printf (overflows ? _ ("Without profiling it would fit: %s on tile %u")
                                              : _ ("Profiling itself takes %s on tile %u"),
                                    SIZE (bytes), c->worst);
  finding->text = g_strdup_printf (
      overflows ? _ ("The program itself fits: profiling makes it overflow.  Its results take at "
                     "least %s on tile %u (%s), and code besides.%s")
                : _ ("The results of profiling take at least %s on tile %u (%s), and code "
                     "besides.%s"),
      SIZE (bytes), c->worst, PERCENT (tsr_rule_of_tile (c, bytes)), tsr_rule_say_allocated (c));
  finding->action = g_strdup_printf (
      _ ("Lower debug.computeInstrumentationLevel, or set debug.profilingTile or "
         "debug.branchRecordTile to an emptier tile%s."),
      emptiest != TSR_NO_INDEX ? tsr_insight_text (c, _ (" (the emptiest is %u)"), emptiest) : "");
}

const TsrInsightRule tsr_rule_instrumentation = {
  .id = "instrumentation",
  .title = N_ ("Memory of the profiler itself"),
  .meaning = N_ ("Results of profiling on the worst tile.  It also fires when every tile "
                 "that does not fit would fit without them."),
  .inputs = "memory_by_tile_category",
  .check = check,
  .saves_bytes = TRUE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 2, near-capacity: a nearly full tile
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "near-capacity.free", 0.05, N_ ("of a tile"),
    N_ ("Fires when the fullest tile has less free than") },
  { "near-capacity.warning", 0.02, N_ ("of a tile"), N_ ("A warning when it has less free than") },
};

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = LIMIT ("near-capacity.free");
  double capacity = (double)c->capacity;
  gint64 instrumentation;
  gint64 free_bytes;
  TsrFinding *finding;

  if (!tsr_rule_has_fullness (c, verdict))
    return;
  if (c->fit == TSR_OUT_OF_MEMORY)
    {
      tsr_verdict_fine (verdict, _ ("The report does not fit at all"));
      return;
    }
  if (c->fit == TSR_FIT_UNKNOWN || c->inc[c->worst] == TSR_UNKNOWN)
    {
      tsr_verdict_missing (verdict, "memory_by_tile.including_gaps");
      return;
    }
  free_bytes = c->capacity - c->inc[c->worst];
  if ((double)free_bytes >= limit * capacity)
    {
      tsr_verdict_fine (verdict, _ ("%s free on tile %u (%s); fires below %s"), SIZE (free_bytes),
                        c->worst, PERCENT ((double)free_bytes / capacity), PERCENT (limit));
      return;
    }
  instrumentation = tsr_insight_get_category (c, "instrumentationResults", c->worst);
  if (instrumentation != TSR_UNKNOWN
      && (double)instrumentation > limit * capacity - (double)free_bytes)
    {
      tsr_verdict_fine (verdict, _ ("%s free on tile %u; without instrumentation %s would be free"),
                        SIZE (free_bytes), c->worst,
                        SIZE (tsr_insight_add (free_bytes, instrumentation)));
      return;
    }
  finding
      = tsr_verdict_fire (verdict, (double)free_bytes < LIMIT ("near-capacity.warning") * capacity
                                       ? TSR_FINDING_WARNING
                                       : TSR_FINDING_ADVICE);
  tsr_finding_set_tile (finding, c->worst);
  finding->where.breakdown = "category";
  tsr_rule_add_categories (c, finding, c->worst);
  finding->title = g_strdup_printf (_ ("Tile %u has %s free (%s)"), c->worst, SIZE (free_bytes),
                                    PERCENT ((double)free_bytes / capacity));
  finding->text = g_strdup_printf (
      _ ("Tile %u has %s of %s free (%s).  It fits, but another version of the compiler, more "
         "instrumentation or a slightly larger model may not."),
      c->worst, SIZE (free_bytes), SIZE (c->capacity), PERCENT ((double)free_bytes / capacity));
  finding->action = g_strdup (_ ("Keep some room: see the other findings about this tile."));
}

const TsrInsightRule tsr_rule_near_capacity = {
  .id = "near-capacity",
  .title = N_ ("A nearly full tile"),
  .meaning = N_ ("How much the fullest tile has free when everything fits.  It does not "
                 "fire when the memory of the profiler alone is the reason."),
  .inputs = "memory_by_tile target",
  .check = check,
  .saves_bytes = FALSE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

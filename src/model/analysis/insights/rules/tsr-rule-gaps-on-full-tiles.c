/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 4, gaps-on-full-tiles: gaps on full tiles
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "gaps-on-full-tiles.full", 0.85, N_ ("of a tile"),
    N_ ("Checked when the worst tile is full to at least") },
  { "gaps-on-full-tiles.size", 0.05, N_ ("of a tile"),
    N_ ("Fires when the gaps on it take at least") },
};

/* Bytes of gaps below the interleaved region, when w has anything in that region. */
static gint64
get_gap_below (const TsrInsightContext *c)
{
  const gint64 below = tsr_known_subtract (c->interleaved_start, c->below_end);

  if (below == TSR_UNKNOWN || c->interleaved == NULL || c->interleaved[c->worst] == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  return c->interleaved[c->worst] != 0 ? MAX (below, 0) : 0;
}

static void
fire_gaps (const TsrInsightContext *c, TsrVerdict *verdict, gint64 gaps)
{
  gboolean alone = c->exc[c->worst] <= c->capacity && c->inc[c->worst] > c->capacity;
  TsrFinding *finding
      = tsr_verdict_fire (verdict, alone ? TSR_FINDING_WARNING : TSR_FINDING_ADVICE);
  gint64 below = get_gap_below (c);
  const char *split = "";

  tsr_finding_set_tile (finding, c->worst);
  finding->where.breakdown = "region";
  finding->where.tab = "variables";
  finding->bytes_worst_tile = gaps;
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  if (below != TSR_UNKNOWN && below <= gaps)
    split = tsr_insight_text (c, _ (": %s below the interleaved region, %s elsewhere"),
                              SIZE (below), SIZE (gaps - below));
  for (guint i = 0; c->gaps != NULL && i < c->gaps->len; i++)
    {
      const TsrInsightGap *gap = &g_array_index (c->gaps, TsrInsightGap, i);
      g_autofree char *name = g_strdup_printf (
          /* Translators: a gap of memory between two variables. */
          _ ("between %s and %s"), gap->before != NULL ? gap->before : _ ("the start"),
          gap->after != NULL ? gap->after : _ ("the end"));

      tsr_finding_add_evidence (finding, name, gap->bytes, (double)gap->bytes / (double)gaps);
    }
  finding->title = g_strdup_printf (_ ("Gaps hold %s on tile %u"), SIZE (gaps), c->worst);
  finding->text = g_strdup_printf (
      _ ("Gaps hold %s on tile %u%s.%s"), SIZE (gaps), c->worst, split,
      alone ? _ ("  Without them it would fit.")
            : _ ("  They are addresses that nobody uses, below others that somebody does."));
  finding->action = g_strdup (
      _ ("Fewer or smaller variables that must be interleaved (convolution weights and inputs), or "
         "spread over more tiles; smaller alignment."));
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double full = LIMIT ("gaps-on-full-tiles.full");
  double size = LIMIT ("gaps-on-full-tiles.size");
  double capacity = (double)c->capacity;
  gint64 gaps;

  if (!tsr_rule_has_fullness (c, verdict))
    return;
  if (c->exc == NULL)
    {
      tsr_verdict_missing (verdict, "memory_by_tile.excluding_gaps");
      return;
    }
  if (c->worst == TSR_NO_INDEX)
    {
      tsr_verdict_missing (verdict, "memory_by_tile.including_gaps");
      return;
    }
  gaps = tsr_known_subtract (c->inc[c->worst], c->exc[c->worst]);
  if (gaps == TSR_UNKNOWN)
    {
      tsr_verdict_unknown (verdict, "memory_by_tile", c->worst);
      return;
    }
  if (tsr_insight_counts (c, gaps))
    fire_gaps (c, verdict, gaps);
  else if ((double)c->inc[c->worst] < full * capacity)
    tsr_verdict_fine (verdict, _ ("Tile %u is %s full; gaps cost nothing below %s"), c->worst,
                      PERCENT ((double)c->inc[c->worst] / capacity), PERCENT (full));
  else if ((double)gaps < size * capacity)
    tsr_verdict_fine (verdict, _ ("Gaps hold %s on tile %u (%s); fires from %s"), SIZE (gaps),
                      c->worst, PERCENT ((double)gaps / capacity), PERCENT (size));
  else
    fire_gaps (c, verdict, gaps);
}

const TsrInsightRule tsr_rule_gaps_on_full_tiles = {
  .id = "gaps-on-full-tiles",
  .title = N_ ("Gaps on full tiles"),
  .meaning = N_ ("Addresses on the worst tile that nothing uses, below others that "
                 "something does.  On a tile with room to spare they cost nothing."),
  .inputs = "memory_by_tile vars_info",
  .check = check,
  .saves_bytes = TRUE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

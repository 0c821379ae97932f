/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 13, one-off-code: code that runs once
 * (docs/insights.md#rules-about-memory). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "one-off-code.size", 0.03, N_ ("of a tile"), N_ ("Fires when such code takes at least") },
  { "one-off-code.median", 4, N_ ("executions"),
    N_ ("Checked when the median program of a run has at least") },
};

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  const TsrInsightOneOff *code = &c->one_off;
  double limit = LIMIT ("one-off-code.size");
  double often = LIMIT ("one-off-code.median");
  TsrFinding *finding;
  gboolean fires;
  gint64 bytes;

  if (!code->known)
    {
      tsr_verdict_missing (verdict, code->missing != NULL ? code->missing : "steps");
      return;
    }
  if (c->worst == TSR_NO_INDEX || c->capacity == TSR_UNKNOWN)
    {
      tsr_verdict_missing (verdict,
                           c->worst == TSR_NO_INDEX ? "memory_by_tile" : "target.bytes_per_tile");
      return;
    }
  bytes = tsr_insight_add (tsr_insight_add (code->exchange, code->vertex), code->control);
  fires = tsr_rule_of_tile (c, bytes) >= limit || tsr_insight_counts (c, bytes);
  if (code->median < often)
    tsr_verdict_fine (verdict, _ ("Executions of the median program in a run: %s; fires from %s"),
                      COUNT ((gint64)code->median), COUNT ((gint64)often));
  else if (bytes == TSR_UNKNOWN)
    tsr_verdict_unknown (verdict, "tile_arrays", c->worst);
  else if (!fires)
    tsr_verdict_fine (verdict, _ ("%s on tile %u (%s); fires from %s"), SIZE (bytes), c->worst,
                      PERCENT (tsr_rule_of_tile (c, bytes)), PERCENT (limit));
  if (code->median < often || bytes == TSR_UNKNOWN || !fires)
    return;
  finding = tsr_verdict_fire (verdict, TSR_FINDING_ADVICE);
  verdict->about = (code->exchange > 0 ? TSR_ABOUT_EXCHANGE_CODE : 0)
                   | (code->vertex > 0 ? TSR_ABOUT_VERTICES : 0);
  tsr_finding_set_tile (finding, c->worst);
  finding->where.tab = code->tab;
  finding->bytes_worst_tile = bytes;
  finding->bytes = tsr_insight_add (tsr_insight_add (code->exchange_total, code->vertex_total),
                                    code->control_total);
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  for (guint i = 0; code->names != NULL && i < code->names->len; i++)
    {
      gint64 part = g_array_index (code->bytes, gint64, i);

      tsr_finding_add_evidence (finding, g_ptr_array_index (code->names, i), part,
                                (double)part / (double)bytes);
      if (code->tab != NULL)
        tsr_finding_add_name (finding, g_ptr_array_index (code->names, i));
    }
  finding->title
      = g_strdup_printf (_ ("Code that runs once takes %s on tile %u"), SIZE (bytes), c->worst);
  finding->text = g_strdup_printf (
      _ ("Code that runs once (initialisation, last update) stays all the time: %s on tile %u, of "
         "it exchanges %s, vertices %s, control %s; %s programs."),
      SIZE (bytes), c->worst, SIZE (code->exchange), SIZE (code->vertex), SIZE (code->control),
      COUNT (code->n_programs));
  finding->action
      = g_strdup (_ ("Move it to a program of its own that is loaded separately, or do it on the "
                     "host."));
}

const TsrInsightRule tsr_rule_one_off_code = {
  .id = "one-off-code",
  .title = N_ ("Code that runs once"),
  .meaning = N_ ("Code on the worst tile that is executed once in a run at most, in a "
                 "program that otherwise repeats itself: exchanges, control code, and "
                 "vertices that nothing else uses."),
  .inputs = "steps programs compute_set_vertices vertex_types tile_arrays",
  .check = check,
  .saves_bytes = TRUE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

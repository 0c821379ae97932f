/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 18, unoverlapped-io: copies that nothing hides
 * (docs/insights.md#rules-about-the-execution). */

#include "config.h"

#include "tsr-insight-rule.h"

#include "tsr-trace-balance.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "unoverlapped-io.alone", 0.05, N_ ("of the run"),
    N_ ("Fires when copies run alone for at least") },
};

/* Copies of @ipu in the run; none when cancelled. */
static TsrTraceOverlap
get_overlap (const TsrInsightContext *c, guint ipu)
{
  const TsrInsightExecution *x = &c->execution;
  const TsrTraceOverlap none = { 0 };
  g_autoptr (GArray) all = tsr_trace_overlap (x->trace, tsr_trace_get_run (x->trace, x->run),
                                              x->from[ipu], x->to[ipu], c->cancellable, NULL);

  return all != NULL ? g_array_index (all, TsrTraceOverlap, x->first_ipu + ipu) : none;
}

static void
add_lone_copies (const TsrInsightContext *c, TsrFinding *finding, guint ipu)
{
  static const char *const kinds[TSR_N_COPY_KINDS] = {
    [TSR_COPY_HOST] = N_ ("host"),
    [TSR_COPY_REMOTE] = N_ ("remote buffer"),
    [TSR_COPY_BOTH] = N_ ("host and remote buffer"),
  };
  const TsrInsightExecution *x = &c->execution;
  g_autoptr (GArray) copies
      = tsr_trace_lone_copies (x->trace, tsr_trace_get_run (x->trace, x->run), x->first_ipu + ipu,
                               x->from[ipu], x->to[ipu], 5);
  double clock = tsr_trace_get_clock (x->trace);

  for (guint i = 0; copies != NULL && i < copies->len; i++)
    {
      const TsrTraceLoneCopy *copy = &g_array_index (copies, TsrTraceLoneCopy, i);
      const char *name = tsr_insight_step_get_name (c, copy->slice);
      TsrCopyKind kind = tsr_trace_get_copy_kind (x->trace, copy->slice);
      TsrTraceSlice slice;
      gint64 bytes;

      tsr_trace_get_slice (x->trace, copy->slice, &slice);
      bytes = tsr_insight_add (slice.data_in, slice.data_out);
      tsr_finding_add_name (finding, name);
      if (bytes != TSR_UNKNOWN && clock > 0 && slice.end > slice.start)
        name = tsr_insight_text (c, _ ("%s (%.3g GB/s)"), name,
                                 (double)bytes / ((double)(slice.end - slice.start) / clock) / 1e9);
      if (kinds[kind] != NULL)
        name = tsr_insight_text (c, "%s, %s", name, _ (kinds[kind]));
      tsr_finding_add_cycles (finding, name, bytes, copy->alone,
                              tsr_insight_of_span (c, copy->alone));
    }
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = LIMIT ("unoverlapped-io.alone");
  TsrTraceOverlap best = { 0 };
  gint64 most = 0;
  guint ipu = 0;
  TsrFinding *finding;

  if (!tsr_insight_has_execution (c, FALSE, verdict))
    return;
  for (guint i = 0; i < c->execution.n_ipus; i++)
    {
      const TsrTraceOverlap overlap = get_overlap (c, i);

      if (overlap.alone - overlap.outside > most)
        {
          best = overlap;
          ipu = i;
          most = overlap.alone - overlap.outside;
        }
    }
  if (tsr_insight_of_span (c, most) < limit)
    {
      tsr_verdict_fine (verdict, _ ("%s of the run (%s) on IPU %u; fires from %s"), CYCLES (most),
                        PERCENT (tsr_insight_of_span (c, most)), c->execution.first_ipu + ipu,
                        PERCENT (limit));
      return;
    }
  finding = tsr_insight_fire_execution (c, verdict, ipu, MIN (most, best.compute - best.hidden));
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  finding->where.tab = "overlap";
  add_lone_copies (c, finding, ipu);
  finding->title = g_strdup_printf (_ ("Copies run alone for %s of the run"),
                                    PERCENT (tsr_insight_of_span (c, most)));
  {
    gint64 bytes = 0;
    const char *text;

    for (guint k = 0; k < TSR_N_COPY_KINDS; k++)
      bytes = tsr_insight_add (bytes, best.bytes[k]);
    text = tsr_insight_text (
        c,
        _ ("Copies of %s run alone for %s on IPU %u; %s of copy time is hidden behind "
           "compute."),
        tsr_insight_size (c, bytes), CYCLES (most), c->execution.first_ipu + ipu,
        PERCENT ((double)best.hidden / (double)best.transfer));
    finding->text = tsr_insight_dup_execution_text (c, text);
  }
  finding->action
      = g_strdup (_ ("Set I/O tiles apart and overlap copies with compute; prefetch deeper."));
}

const TsrInsightRule tsr_rule_unoverlapped_io = {
  .id = "unoverlapped-io",
  .title = N_ ("Copies that nothing hides"),
  .meaning = N_ ("How long copies to and from host and remote buffers run while their "
                 "IPU neither computes nor exchanges.  Copies before its first and after "
                 "its last compute step cannot be hidden and do not count."),
  .inputs = "steps steps_by_ipu programs",
  .check = check,
  .saves_bytes = FALSE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

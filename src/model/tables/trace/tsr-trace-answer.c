/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which table answers a question about the trace. */

#include "config.h"

#include "tsr-trace-rows-private.h"

TsrTraceAnswer *
tsr_trace_answer_new (const TsrTraceQuestion *question, GCancellable *cancellable, GError **error)
{
  static gboolean (*const functions[TSR_TRACE_N_TABS]) (const TsrTraceQuestion *, TsrTraceAnswer *,
                                                        GCancellable *, GError **)
      = { tsr_trace_answer_summary, tsr_trace_answer_details, tsr_trace_answer_aggregate,
          tsr_trace_answer_stages,  tsr_trace_answer_overlap, tsr_trace_answer_waits,
          tsr_trace_answer_tiles };
  g_autoptr (TsrTraceAnswer) answer = g_new0 (TsrTraceAnswer, 1);

  g_return_val_if_fail (question != NULL && question->tab < TSR_TRACE_N_TABS, NULL);
  answer->trace = tsr_trace_ref (question->trace);
  answer->from = question->from;
  answer->to = question->to;
  answer->ipu = question->ipu;
  answer->group = question->group;
  if (!functions[question->tab](question, answer, cancellable, error))
    return NULL;
  return g_steal_pointer (&answer);
}

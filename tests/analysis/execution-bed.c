/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lays an execution step by step, and runs one rule on it. */

#include "config.h"

#include "execution-bed.h"

#include "insight-fixture.h"

#include <string.h>

Bed *
bed_new (guint n_ipus, guint ipus_per_replica)
{
  Bed *bed = g_new0 (Bed, 1);

  bed->t = trace_test_new (n_ipus);
  bed->t->target.num_ipus = n_ipus;
  bed->t->target.ipus_per_replica = ipus_per_replica;
  bed->t->target.num_replicas = n_ipus / ipus_per_replica;
  bed->t->target.tiles_per_ipu = 100;
  trace_test_begin_run (bed->t, "Engine::run #0");
  return bed;
}

void
bed_free (Bed *bed)
{
  tsr_insight_context_clear_execution (&bed->c);
  g_clear_pointer (&bed->c.chunk, g_string_chunk_free);
  g_clear_pointer (&bed->trace, tsr_trace_unref);
  trace_test_free (bed->t);
  g_free (bed);
}

TraceTestSlice *
bed_run (Bed *bed, guint ipu, const char *type, const char *name, gint64 cycles)
{
  guint32 step = trace_test_add_step (bed->t, type, name);
  gint64 start = bed->now[ipu];

  bed->now[ipu] += cycles;
  return trace_test_add (bed->t, step, ipu, start, bed->now[ipu]);
}

void
bed_compute (Bed *bed, guint ipu, const char *name, gint64 cycles, double balance, gint64 active)
{
  TraceTestSlice *slice = bed_run (bed, ipu, "OnTileExecute", name, cycles);

  slice->active_tile_balance = (float)balance;
  slice->active_tiles = active;
}

TsrRuleResult
bed_check (Bed *bed, const char *id, TsrVerdict *verdict)
{
  if (bed->trace == NULL)
    {
      bed->trace = trace_test_build (bed->t);
      bed->c.chunk = g_string_chunk_new (256);
      bed->c.capacity = TSR_UNKNOWN;
      tsr_insight_context_collect_execution (&bed->c, bed->trace, &bed->summary);
    }
  memset (verdict, 0, sizeof *verdict);
  for (guint i = 0; i < TSR_N_RULES; i++)
    if (g_str_equal (tsr_insight_rules_get (i)->id, id))
      {
        tsr_insight_rules_get (i)->check (&bed->c, verdict);
        g_assert_true (verdict->result == TSR_RULE_FIRED ? verdict->finding != NULL
                                                         : verdict->text != NULL);
        if (verdict->result == TSR_RULE_FIRED)
          fixture_check_confidence (id, verdict->finding);
        return verdict->result;
      }
  g_assert_not_reached ();
}

TsrRuleResult
bed_result (Bed *bed, const char *id)
{
  TsrVerdict verdict;
  TsrRuleResult value = bed_check (bed, id, &verdict);

  tsr_verdict_clear (&verdict);
  return value;
}

const TsrEvidence *
bed_evidence (const TsrVerdict *verdict, guint i)
{
  g_assert_cmpuint (i, <, verdict->finding->evidence->len);
  return &g_array_index (verdict->finding->evidence, TsrEvidence, i);
}

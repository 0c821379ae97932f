/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rule 16, exchange-bound: time spent in exchanges
 * (docs/insights.md#rules-about-the-execution). */

#include "config.h"

#include "tsr-insight-rule.h"

#include <glib/gi18n-lib.h>

static const TsrInsightLimit limits[] = {
  { "exchange-bound.cycles", 0.03, N_ ("of the run"),
    N_ ("A group of steps counts when its exchanges take at least") },
  { "exchange-bound.share", 0.5, N_ ("of compute and exchange"),
    N_ ("Fires when its exchanges are at least") },
  { "exchange-bound.run", 0.35, N_ ("of compute and exchange"),
    N_ ("or when those of the whole run are at least") },
  { "exchange-bound.normal", 0.25, N_ ("of compute and exchange"),
    N_ ("The saving is what lies above") },
  { "exchange-bound.tiles", 16, N_ ("tiles"),
    N_ ("Few tiles send or receive everything when fewer are active than") },
};

/* By prefix: what exchanges and what computes. */
typedef struct
{
  const char *prefix;
  gint64 exchange, compute;
} Prefix;

typedef struct
{
  guint ipu;
  gint64 exchange, compute; /* of the whole run */
  GArray *prefixes;         /* Prefix */
  GArray *exchanges;        /* TsrInsightGroup by name, cost: cycles */
  gint64 above;             /* cycles above the share that nobody can avoid, of what fires */
  guint n_firing;
  gint64 firing; /* exchange cycles of the prefixes that fire */
  guint worst;   /* of them the one that exchanges longest */
  gboolean run_fires;
} Exchanging;

static void
exchanging_clear (Exchanging *self)
{
  g_clear_pointer (&self->prefixes, g_array_unref);
  g_clear_pointer (&self->exchanges, g_array_unref);
}

static double
get_share (gint64 exchange, gint64 compute)
{
  return exchange + compute > 0 ? (double)exchange / (double)(exchange + compute) : 0;
}

static gint64
get_above (gint64 exchange, gint64 compute)
{
  double normal = LIMIT ("exchange-bound.normal") * (double)(exchange + compute);

  return (gint64)((double)exchange - normal);
}

static Prefix *
get_prefix (Exchanging *self, guint place, const char *name)
{
  if (place == self->prefixes->len)
    {
      Prefix prefix = { name, 0, 0 };

      g_array_append_val (self->prefixes, prefix);
    }
  return &g_array_index (self->prefixes, Prefix, place);
}

static void
judge_exchanging (const TsrInsightContext *c, Exchanging *self)
{
  double least = LIMIT ("exchange-bound.cycles") * (double)c->execution.span;

  self->run_fires = get_share (self->exchange, self->compute) >= LIMIT ("exchange-bound.run");
  for (guint i = 0; i < self->prefixes->len; i++)
    {
      const Prefix *prefix = &g_array_index (self->prefixes, Prefix, i);

      if ((double)prefix->exchange < least
          || get_share (prefix->exchange, prefix->compute) < LIMIT ("exchange-bound.share"))
        continue;
      self->above += get_above (prefix->exchange, prefix->compute);
      self->firing += prefix->exchange;
      if (self->n_firing++ == 0
          || prefix->exchange > g_array_index (self->prefixes, Prefix, self->worst).exchange)
        self->worst = i;
    }
  if (self->run_fires)
    self->above = MAX (self->above, get_above (self->exchange, self->compute));
}

static void
measure_exchanging (const TsrInsightContext *c, guint ipu, Exchanging *self)
{
  TsrInsightPrefixes *index = tsr_insight_prefixes_new (c);
  g_autoptr (GHashTable) places = tsr_insight_places_new ();
  TsrInsightStep step = { .ipu = ipu };

  *self = (Exchanging){ .ipu = ipu, .exchanges = tsr_insight_groups_new () };
  self->prefixes = g_array_new (FALSE, FALSE, sizeof (Prefix));
  while (tsr_insight_next_step (c, &step))
    {
      gboolean exchange = step.group == TSR_STEP_GROUP_EXCHANGE;
      const char *name;
      Prefix *prefix;
      guint place;

      if (!exchange && step.group != TSR_STEP_GROUP_COMPUTE)
        continue;
      place = tsr_insight_prefixes_get (index, step.slice, &name);
      prefix = get_prefix (self, place, name);
      *(exchange ? &prefix->exchange : &prefix->compute) += step.cycles;
      *(exchange ? &self->exchange : &self->compute) += step.cycles;
      if (exchange)
        tsr_rule_add_to_group (
            tsr_insight_groups_get (
                self->exchanges, places,
                tsr_trace_get_slice_name (c->execution.trace, (guint32)step.slice)),
            &step, (double)step.cycles);
    }
  tsr_insight_prefixes_free (index);
  for (guint i = 0; i < self->exchanges->len; i++)
    {
      TsrInsightGroup *group = &g_array_index (self->exchanges, TsrInsightGroup, i);

      group->cost = group->cycles;
    }
  tsr_insight_groups_sort (self->exchanges);
  judge_exchanging (c, self);
}

/* What one exchange moves: bytes a cycle and active tile, or that few tiles do it all. */
static const char *
describe_exchange (const TsrInsightContext *c, guint32 slice)
{
  TsrTraceSlice step;
  double bytes;

  tsr_trace_get_slice (c->execution.trace, slice, &step);
  if (step.data_in == TSR_UNKNOWN || step.data_out == TSR_UNKNOWN || step.active_tiles <= 0)
    return "";
  bytes = (double)MAX (step.data_in, step.data_out);
  if (step.active_tiles < (gint64)LIMIT ("exchange-bound.tiles"))
    return tsr_insight_text (c, _ ("  Few tiles send or receive everything: %s on each of %s."),
                             tsr_insight_size (c, (gint64)(bytes / (double)step.active_tiles)),
                             COUNT (step.active_tiles));
  return tsr_insight_text (c, _ ("  The longest moves %.2g bytes in a cycle on each active tile."),
                           bytes / (double)(step.end - step.start) / (double)step.active_tiles);
}

static gint64
get_bytes_of (const TsrInsightContext *c, guint32 slice)
{
  TsrTraceSlice step;

  tsr_trace_get_slice (c->execution.trace, slice, &step);
  return tsr_insight_add (step.data_in, step.data_out);
}

/* Code that the exchange's program takes on all tiles, in words. */
static const char *
name_with_code (const TsrInsightContext *c, guint32 slice)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (c->execution.trace);
  const TsrProgramTables *programs = tsr_trace_get_programs (c->execution.trace);
  guint32 program = tables->step_program[tables->slice_step[slice]];
  const char *name = tsr_insight_step_get_name (c, slice);

  if (programs == NULL || program >= programs->n_programs || programs->program_code == NULL
      || programs->program_code[program].total <= 0)
    return name;
  return tsr_insight_text (c, _ ("%s (code: %s)"), name,
                           tsr_insight_size (c, programs->program_code[program].total));
}

static void
fire_exchange_bound (const TsrInsightContext *c, TsrVerdict *verdict, const Exchanging *best)
{
  const Prefix *worst
      = best->n_firing > 0 ? &g_array_index (best->prefixes, Prefix, best->worst) : NULL;
  gint64 cost = best->run_fires ? best->exchange : best->firing;
  TsrFinding *finding = tsr_insight_fire_execution (c, verdict, best->ipu, best->above);
  g_autofree char *text = NULL;
  const char *run;

  finding->confidence = TSR_CONFIDENCE_ESTIMATE;
  for (guint i = 0; i < MIN (best->exchanges->len, 5); i++)
    {
      const TsrInsightGroup *group = &g_array_index (best->exchanges, TsrInsightGroup, i);

      tsr_finding_add_cycles (finding, name_with_code (c, group->slice),
                              get_bytes_of (c, group->slice), group->cost,
                              tsr_insight_of_span (c, group->cost));
      tsr_finding_add_name (finding, tsr_insight_step_get_name (c, group->slice));
    }
  finding->title = g_strdup_printf (_ ("Exchanges take %s of the run"),
                                    PERCENT (tsr_insight_of_span (c, cost)));
  run = tsr_insight_text (c, _ ("The run spends %s of compute and exchange on IPU %u exchanging."),
                          PERCENT (get_share (best->exchange, best->compute)),
                          c->execution.first_ipu + best->ipu);
  text = g_strdup_printf (
      "%s%s%s", best->run_fires ? run : "",
      worst == NULL
          ? ""
          : tsr_insight_text (c, _ ("%s%s spends %s (%s of its time) exchanging."),
                              best->run_fires ? "  " : "", worst->prefix, CYCLES (worst->exchange),
                              PERCENT (get_share (worst->exchange, worst->compute))),
      describe_exchange (c, g_array_index (best->exchanges, TsrInsightGroup, 0).slice));
  finding->text = tsr_insight_dup_execution_text (c, text);
  finding->action
      = g_strdup (_ ("Keep producer and consumer of the large tensors mapped alike; avoid "
                     "rearrangements and transposes; fuse operations that share data."));
}

static void
check (const TsrInsightContext *c, TsrVerdict *verdict)
{
  Exchanging best = { 0 };

  if (!tsr_insight_has_execution (c, FALSE, verdict))
    return;
  for (guint i = 0; i < c->execution.n_ipus; i++)
    {
      Exchanging other;

      measure_exchanging (c, i, &other);
      if (best.prefixes == NULL || other.above > best.above
          || (other.above == best.above && other.exchange > best.exchange))
        {
          Exchanging swap = best;

          best = other;
          other = swap;
        }
      exchanging_clear (&other);
    }
  if (best.n_firing > 0 || best.run_fires)
    fire_exchange_bound (c, verdict, &best);
  else
    tsr_verdict_fine (verdict,
                      _ ("Exchanges are %s of compute and exchange on IPU %u; fires from %s"),
                      PERCENT (get_share (best.exchange, best.compute)),
                      c->execution.first_ipu + best.ipu, PERCENT (LIMIT ("exchange-bound.run")));
  exchanging_clear (&best);
}

const TsrInsightRule tsr_rule_exchange_bound = {
  .id = "exchange-bound",
  .title = N_ ("Time spent in exchanges"),
  .meaning
  = N_ ("Cycles of exchange in those of exchange and compute: in the whole run, and in each group "
        "of steps whose names begin with the same two parts."),
  .inputs = "steps steps_by_ipu programs",
  .check = check,
  .saves_bytes = FALSE,
  .limits = limits,
  .n_limits = G_N_ELEMENTS (limits),
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules 14, 15, 16 and 20: what steps cost by waiting for the slowest tile, by leaving tiles idle,
 * by exchanging and by being short (docs/insights.md#rules-about-the-execution).  Pure, but for
 * numbers of each tile that are read for names. */

#include "config.h"

#include "tsr-insights-private.h"

#include "tsr-trace-balance.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define PERCENT(share) tsr_insight_percent (c, share)
#define COUNT(count)   tsr_insight_count (c, count)
#define CYCLES(cycles) tsr_insight_cycles (c, cycles)

/* Groups of steps on one IPU, and what they cost together. */
typedef struct
{
  guint ipu; /* of the profiled replica */
  GArray *groups;
  gint64 cost;
  guint64 n_skipped; /* steps that do not tell what is needed */
} Tally;

static void
tally_clear (Tally *tally)
{
  g_clear_pointer (&tally->groups, g_array_unref);
}

/* Keeps the dearer one of two. */
static void
tally_keep (Tally *best, Tally *other)
{
  if (best->groups == NULL || other->cost > best->cost)
    {
      Tally swap = *best;

      *best = *other;
      *other = swap;
    }
  tally_clear (other);
}

/* A compute set by its row, else the name of the step. */
static guint64
get_compute_key (const TsrTrace *trace, gsize slice)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  guint32 set = tables->step_compute_set[tables->slice_step[slice]];

  return set != TSR_NO_INDEX ? set
                             : (guint64)1 << 32 | tsr_trace_get_slice_name (trace, (guint32)slice);
}

static void
add_to_group (TsrInsightGroup *group, const TsrInsightStep *step, double cost)
{
  if (cost > group->most || group->slice == TSR_NO_SLICE)
    {
      group->most = cost;
      group->slice = (guint32)step->slice;
    }
  group->exact += cost;
  group->cycles += step->cycles;
  group->count++;
}

/* The nearest whole number of cycles. */
static gint64
round_cycles (double cycles)
{
  return cycles < (double)G_MAXINT64 ? (gint64)(cycles + 0.5) : G_MAXINT64;
}

/* The sum is rounded once, not in each group. */
static void
tally_sum (Tally *tally)
{
  double exact = 0;

  for (guint i = 0; i < tally->groups->len; i++)
    {
      TsrInsightGroup *group = &g_array_index (tally->groups, TsrInsightGroup, i);

      group->cost = round_cycles (group->exact);
      exact += group->exact;
    }
  tally->cost = round_cycles (exact);
  tsr_insight_groups_sort (tally->groups);
}

static gint64
sum_first_five (const GArray *groups)
{
  double exact = 0;

  for (guint i = 0; i < MIN (groups->len, 5); i++)
    exact += g_array_index (groups, TsrInsightGroup, i).exact;
  return round_cycles (exact);
}

static const char *
say_skipped (const TsrInsightContext *c, const Tally *tally)
{
  if (tally->n_skipped == 0)
    return "";
  return tsr_insight_text (c, _ ("  %s steps do not tell it and are left out."),
                           COUNT ((gint64)tally->n_skipped));
}

/* ----------------------------------------------------- 14 compute-imbalance */

static void
measure_imbalance (const TsrInsightContext *c, guint ipu, Tally *tally)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (c->execution.trace);
  gint64 least = (gint64)tsr_insight_limit ("compute-imbalance.cycles");
  g_autoptr (GHashTable) places = tsr_insight_places_new ();
  TsrInsightStep step = { .ipu = ipu };

  *tally = (Tally){ .ipu = ipu, .groups = tsr_insight_groups_new () };
  while (tsr_insight_next_step (c, &step))
    {
      double balance = tables->slice_active_tile_balance[step.slice];

      if (step.group != TSR_STEP_GROUP_COMPUTE || step.cycles < least)
        continue;
      if (isnan (balance))
        tally->n_skipped++;
      else
        add_to_group (tsr_insight_groups_get (tally->groups, places,
                                              get_compute_key (c->execution.trace, step.slice)),
                      &step, (double)step.cycles * (1 - balance));
    }
  tally_sum (tally);
}

/* The IPU whose steps decide: where the stages are uneven, only the one that works most; the others
 * wait anyway. */
static guint
find_critical_ipu (const TsrInsightContext *c)
{
  g_autoptr (GPtrArray) all = tsr_insight_list_stages (c);
  guint most = 0;

  for (guint r = 0; all != NULL && r < all->len; r++)
    {
      const TsrTraceStages *stages = all->pdata[r];

      if (stages->first_ipu != c->execution.first_ipu || stages->sharded
          || tsr_insight_of_span (c, stages->loss) < tsr_insight_limit ("stage-imbalance.loss"))
        continue;
      for (guint i = 1; i < MIN (stages->n_ipus, c->execution.n_ipus); i++)
        if (stages->ipu_work[i] > stages->ipu_work[most])
          most = i;
      return most;
    }
  return TSR_NO_INDEX;
}

/* "NAME (tile 12 longest)". */
static const char *
name_with_tile (const TsrInsightContext *c, guint32 slice)
{
  const char *name = tsr_insight_step_get_name (c, slice);
  g_autoptr (TsrTileCycles) tiles = tsr_trace_load_tile_cycles (c->execution.trace, slice, NULL);
  guint longest = 0;

  if (tiles == NULL || tiles->n == 0)
    return name;
  for (guint t = 1; t < tiles->n; t++)
    if (tiles->cycles[t] > tiles->cycles[longest])
      longest = t;
  return tsr_insight_text (c, _ ("%s (longest on tile %u)"), name, longest);
}

static void
add_groups (const TsrInsightContext *c, TsrFinding *finding, const GArray *groups, gboolean tiles)
{
  for (guint i = 0; i < MIN (groups->len, 5); i++)
    {
      const TsrInsightGroup *group = &g_array_index (groups, TsrInsightGroup, i);

      if (group->cost <= 0)
        return;
      tsr_finding_add_cycles (finding,
                              tiles ? name_with_tile (c, group->slice)
                                    : tsr_insight_step_get_name (c, group->slice),
                              TSR_UNKNOWN, group->cost, tsr_insight_of_span (c, group->cost));
      tsr_finding_add_name (finding, tsr_insight_step_get_name (c, group->slice));
    }
}

void
tsr_rule_compute_imbalance (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = tsr_insight_limit ("compute-imbalance.loss");
  const TsrInsightGroup *worst;
  Tally best = { 0 };
  TsrFinding *finding;
  guint only;

  if (!tsr_insight_has_execution (c, TRUE, verdict))
    return;
  only = find_critical_ipu (c);
  for (guint i = 0; i < c->execution.n_ipus; i++)
    {
      Tally tally;

      if (only != TSR_NO_INDEX && i != only)
        continue;
      measure_imbalance (c, i, &tally);
      tally_keep (&best, &tally);
    }
  if (best.groups->len == 0 && best.n_skipped > 0)
    tsr_verdict_missing (verdict, "steps_by_ipu.active_tile_balance");
  else if (tsr_insight_of_span (c, best.cost) < limit)
    tsr_verdict_fine (verdict, _ ("%s of the run (%s) on IPU %u; fires from %s"),
                      CYCLES (best.cost), PERCENT (tsr_insight_of_span (c, best.cost)),
                      c->execution.first_ipu + best.ipu, PERCENT (limit));
  else
    {
      g_autofree char *text = NULL;

      worst = &g_array_index (best.groups, TsrInsightGroup, 0);
      finding = tsr_insight_fire_execution (c, verdict, best.ipu, sum_first_five (best.groups));
      finding->severity = tsr_insight_execution_severity (c, best.cost);
      finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
      add_groups (c, finding, best.groups, TRUE);
      finding->title = g_strdup_printf (_ ("Slowest tiles cost %s of the run"),
                                        PERCENT (tsr_insight_of_span (c, best.cost)));
      text = g_strdup_printf (
          _ ("Waiting for the slowest tile costs %s cycles (%s of the run) on IPU %u; worst: %s, "
             "balance %s, executed %s times.%s"),
          CYCLES (best.cost), PERCENT (tsr_insight_of_span (c, best.cost)),
          c->execution.first_ipu + best.ipu, tsr_insight_step_get_name (c, worst->slice),
          PERCENT (1 - worst->exact / (double)worst->cycles), COUNT ((gint64)worst->count),
          say_skipped (c, &best));
      finding->text = tsr_insight_dup_execution_text (c, text);
      finding->action = g_strdup (
          _ ("Look at how these operations are split over the tiles: shapes that divide "
             "by the number of tiles, another mapping or grouping, "
             "availableMemoryProportion."));
    }
  tally_clear (&best);
}

/* ------------------------------------------------------------- 15 idle-tiles */

/* N': tiles that compute at least once in the run; without numbers of each tile those of the IPU.
 */
static gint64
count_computing (const TsrInsightContext *c, guint ipu)
{
  const TsrInsightExecution *x = &c->execution;
  g_autoptr (TsrTraceTiles) tiles
      = tsr_trace_tiles (x->trace, tsr_trace_get_run (x->trace, x->run), x->first_ipu + ipu,
                         x->from[ipu], x->to[ipu], c->cancellable, NULL);
  gint64 n = 0;

  for (guint t = 0; tiles != NULL && t < tiles->n; t++)
    n += tiles->compute[t] > 0;
  return n > 0 ? n : tsr_trace_get_tiles_per_ipu (x->trace);
}

static void
measure_idle (const TsrInsightContext *c, guint ipu, gint64 tiles, Tally *tally)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (c->execution.trace);
  gint64 least = (gint64)tsr_insight_limit ("idle-tiles.cycles");
  double most = tsr_insight_limit ("idle-tiles.active") * (double)tiles;
  g_autoptr (GHashTable) places = tsr_insight_places_new ();
  TsrInsightStep step = { .ipu = ipu };

  *tally = (Tally){ .ipu = ipu, .groups = tsr_insight_groups_new () };
  while (tsr_insight_next_step (c, &step))
    {
      gint64 active;

      if (step.group != TSR_STEP_GROUP_COMPUTE || step.cycles < least)
        continue;
      active = tsr_narrow_get (&tables->slice_active_tiles, step.slice);
      if (active == TSR_UNKNOWN)
        tally->n_skipped++;
      else if ((double)active <= most)
        add_to_group (tsr_insight_groups_get (tally->groups, places,
                                              get_compute_key (c->execution.trace, step.slice)),
                      &step, (double)step.cycles * (1 - (double)active / (double)tiles));
    }
  tally_sum (tally);
}

void
tsr_rule_idle_tiles (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = tsr_insight_limit ("idle-tiles.loss");
  const TsrInsightGroup *worst;
  gint64 tiles = TSR_UNKNOWN;
  Tally best = { 0 };

  if (!tsr_insight_has_execution (c, TRUE, verdict))
    return;
  for (guint i = 0; i < c->execution.n_ipus; i++)
    {
      gint64 n = count_computing (c, i);
      Tally tally;

      if (n == TSR_UNKNOWN || n <= 0)
        continue;
      measure_idle (c, i, n, &tally);
      if (best.groups == NULL || tally.cost > best.cost)
        tiles = n;
      tally_keep (&best, &tally);
    }
  if (best.groups == NULL)
    tsr_verdict_missing (verdict, "target.tiles_per_ipu");
  else if (best.groups->len == 0 && best.n_skipped > 0)
    tsr_verdict_missing (verdict, "steps_by_ipu.active_tiles");
  else if (tsr_insight_of_span (c, best.cost) < limit)
    tsr_verdict_fine (verdict, _ ("%s of the run (%s) on IPU %u; fires from %s"),
                      CYCLES (best.cost), PERCENT (tsr_insight_of_span (c, best.cost)),
                      c->execution.first_ipu + best.ipu, PERCENT (limit));
  else
    {
      const TsrExecutionTables *tables = tsr_trace_get_tables (c->execution.trace);
      TsrFinding *finding = tsr_insight_fire_execution (c, verdict, best.ipu, best.cost);
      g_autofree char *text = NULL;

      worst = &g_array_index (best.groups, TsrInsightGroup, 0);
      finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
      add_groups (c, finding, best.groups, FALSE);
      finding->title = g_strdup_printf (_ ("Idle tiles cost %s of the run"),
                                        PERCENT (tsr_insight_of_span (c, best.cost)));
      text = g_strdup_printf (_ ("%s uses %s of %s tiles that compute for %s cycles.  Steps on at "
                                 "most half of the tiles of "
                                 "IPU %u cost %s of the run, if their work can be spread.%s"),
                              tsr_insight_step_get_name (c, worst->slice),
                              COUNT (tsr_narrow_get (&tables->slice_active_tiles, worst->slice)),
                              COUNT (tiles), CYCLES (worst->cycles),
                              c->execution.first_ipu + best.ipu,
                              PERCENT (tsr_insight_of_span (c, best.cost)), say_skipped (c, &best));
      finding->text = tsr_insight_dup_execution_text (c, text);
      finding->action
          = g_strdup (_ ("Spread these operations over more tiles: a larger batch or another "
                         "mapping; run small ones side by side."));
    }
  tally_clear (&best);
}

/* --------------------------------------------------------- 16 exchange-bound */

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
  double normal = tsr_insight_limit ("exchange-bound.normal") * (double)(exchange + compute);

  return (gint64)MAX ((double)exchange - normal, 0);
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
  double least = tsr_insight_limit ("exchange-bound.cycles") * (double)c->execution.span;

  self->run_fires
      = get_share (self->exchange, self->compute) >= tsr_insight_limit ("exchange-bound.run");
  for (guint i = 0; i < self->prefixes->len; i++)
    {
      const Prefix *prefix = &g_array_index (self->prefixes, Prefix, i);

      if ((double)prefix->exchange < least
          || get_share (prefix->exchange, prefix->compute)
                 < tsr_insight_limit ("exchange-bound.share"))
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
        add_to_group (tsr_insight_groups_get (
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
  if (step.data_in == TSR_UNKNOWN || step.data_out == TSR_UNKNOWN
      || step.active_tiles == TSR_UNKNOWN || step.active_tiles <= 0 || step.end <= step.start)
    return "";
  bytes = (double)MAX (step.data_in, step.data_out);
  if (step.active_tiles < (gint64)tsr_insight_limit ("exchange-bound.tiles"))
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
          : tsr_insight_text (c, _ ("%s%s spends %s cycles (%s of its time) exchanging."),
                              best->run_fires ? "  " : "", worst->prefix, CYCLES (worst->exchange),
                              PERCENT (get_share (worst->exchange, worst->compute))),
      describe_exchange (c, g_array_index (best->exchanges, TsrInsightGroup, 0).slice));
  finding->text = tsr_insight_dup_execution_text (c, text);
  finding->action
      = g_strdup (_ ("Keep producer and consumer of the large tensors mapped alike; avoid "
                     "rearrangements and transposes; fuse operations that share data."));
}

void
tsr_rule_exchange_bound (const TsrInsightContext *c, TsrVerdict *verdict)
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
    tsr_verdict_fine (
        verdict, _ ("Exchanges are %s of compute and exchange on IPU %u; fires from %s"),
        PERCENT (get_share (best.exchange, best.compute)), c->execution.first_ipu + best.ipu,
        PERCENT (tsr_insight_limit ("exchange-bound.run")));
  exchanging_clear (&best);
}

/* ------------------------------------------------------------- 20 tiny-steps */

typedef struct
{
  Tally tally;
  guint64 n;
  gint64 syncs;
} Tiny;

static void
measure_tiny (const TsrInsightContext *c, guint ipu, Tiny *tiny)
{
  gint64 most = (gint64)tsr_insight_limit ("tiny-steps.cycles");
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
          add_to_group (&g_array_index (tiny->tally.groups, TsrInsightGroup, after), &step,
                        (double)step.cycles);
          tiny->n++;
        }
      else
        after = TSR_NO_INDEX;
    }
  tsr_insight_prefixes_free (index);
  tally_sum (&tiny->tally);
}

void
tsr_rule_tiny_steps (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = tsr_insight_limit ("tiny-steps.cost");
  Tiny best = { 0 };
  gint64 most = (gint64)tsr_insight_limit ("tiny-steps.cycles");

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
      tally_clear (&other.tally);
    }
  if (best.n < (guint64)tsr_insight_limit ("tiny-steps.steps")
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
                                 "cycles (%s of the run) on IPU %u."),
                              COUNT ((gint64)best.n), COUNT (most), CYCLES (best.tally.cost),
                              PERCENT (tsr_insight_of_span (c, best.tally.cost)),
                              c->execution.first_ipu + best.tally.ipu);
      finding->text = tsr_insight_dup_execution_text (c, text);
      finding->action
          = g_strdup (_ ("Fuse element-wise operations; let one step do the work of several."));
    }
  tally_clear (&best.tally);
}

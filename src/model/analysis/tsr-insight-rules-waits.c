/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules 17, 18 and 19: what waiting for the host, copies that nothing hides and uneven IPUs cost
 * (docs/insights.md#rules-about-the-execution).  Pure. */

#include "config.h"

#include "tsr-insights-private.h"

#include "tsr-trace-balance.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define PERCENT(share) tsr_insight_percent (c, share)
#define COUNT(count)   tsr_insight_count (c, count)
#define CYCLES(cycles) tsr_insight_cycles (c, cycles)

/* -------------------------------------------------------------- 17 host-wait */

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
      if ((double)step.cycles > group->most || group->slice == TSR_NO_SLICE)
        {
          group->most = (double)step.cycles;
          group->slice = (guint32)step.slice;
        }
      group->cost = tsr_insight_add (group->cost, step.cycles);
      group->count++;
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

void
tsr_rule_host_wait (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = tsr_insight_limit ("host-wait.share");
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
        _ ("The IPUs wait %s cycles (%s of the run) for the host in %s places; longest before %s."),
        CYCLES (best.cycles), PERCENT (tsr_insight_of_span (c, best.cycles)),
        COUNT ((gint64)best.n), tsr_insight_step_get_name (c, find_longest (best.waits)));

    finding->text = tsr_insight_dup_execution_text (c, text);
  }
  finding->action
      = g_strdup (_ ("Prefetch data, give the host more processes or threads, and move larger "
                     "batches with each copy."));
  g_clear_pointer (&best.waits, g_array_unref);
}

/* -------------------------------------------------------- 18 unoverlapped-io */

/* Copies of @ipu in the run; NULL when cancelled. */
static gboolean
get_overlap (const TsrInsightContext *c, guint ipu, TsrTraceOverlap *overlap)
{
  const TsrInsightExecution *x = &c->execution;
  g_autoptr (GArray) all = tsr_trace_overlap (x->trace, tsr_trace_get_run (x->trace, x->run),
                                              x->from[ipu], x->to[ipu], c->cancellable, NULL);

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      *overlap = g_array_index (all, TsrTraceOverlap, i);
      if (overlap->ipu == x->first_ipu + ipu)
        return TRUE;
    }
  return FALSE;
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

void
tsr_rule_unoverlapped_io (const TsrInsightContext *c, TsrVerdict *verdict)
{
  double limit = tsr_insight_limit ("unoverlapped-io.alone");
  TsrTraceOverlap best = { 0 };
  guint ipu = TSR_NO_INDEX;
  gint64 most = 0;
  TsrFinding *finding;

  if (!tsr_insight_has_execution (c, FALSE, verdict))
    return;
  for (guint i = 0; i < c->execution.n_ipus; i++)
    {
      TsrTraceOverlap overlap;

      if (!get_overlap (c, i, &overlap))
        continue;
      if (ipu == TSR_NO_INDEX || overlap.alone - overlap.outside > most)
        {
          best = overlap;
          ipu = i;
          most = overlap.alone - overlap.outside;
        }
    }
  if (ipu == TSR_NO_INDEX || tsr_insight_of_span (c, most) < limit)
    {
      tsr_verdict_fine (verdict, _ ("%s of the run (%s) on IPU %u; fires from %s"), CYCLES (most),
                        PERCENT (tsr_insight_of_span (c, most)),
                        c->execution.first_ipu + (ipu != TSR_NO_INDEX ? ipu : 0), PERCENT (limit));
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
        _ ("Copies of %s run alone for %s cycles on IPU %u; %s of copy time is hidden behind "
           "compute."),
        tsr_insight_size (c, bytes), CYCLES (most), c->execution.first_ipu + ipu,
        PERCENT (best.transfer > 0 ? (double)best.hidden / (double)best.transfer : 0));
    finding->text = tsr_insight_dup_execution_text (c, text);
  }
  finding->action
      = g_strdup (_ ("Set I/O tiles apart and overlap copies with compute; prefetch deeper."));
}

/* -------------------------------------------------------- 19 stage-imbalance */

GPtrArray *
tsr_insight_list_stages (const TsrInsightContext *c)
{
  const TsrInsightExecution *x = &c->execution;
  gint64 from = G_MAXINT64, to = G_MININT64;

  for (guint i = 0; i < x->n_ipus; i++)
    if (x->from[i] < x->to[i])
      {
        from = MIN (from, x->from[i]);
        to = MAX (to, x->to[i]);
      }
  return from < to ? tsr_trace_stages (x->trace, tsr_trace_get_run (x->trace, x->run), from, to,
                                       c->cancellable, NULL)
                   : NULL;
}

/* The least free memory of a tile of @ipu: what can move there. */
static gint64
get_headroom (const TsrInsightContext *c, guint ipu)
{
  gint64 most = TSR_UNKNOWN;

  if (c->inc == NULL || c->capacity == TSR_UNKNOWN || c->tiles_per_ipu == TSR_UNKNOWN)
    return TSR_UNKNOWN;
  for (guint t = 0; t < c->n_tiles; t++)
    if (tsr_insight_get_ipu (c, t) == ipu)
      {
        if (c->inc[t] == TSR_UNKNOWN)
          return TSR_UNKNOWN;
        most = MAX (most, c->inc[t]);
      }
  return tsr_insight_sub (c->capacity, most);
}

static void
add_ipus (const TsrInsightContext *c, TsrFinding *finding, const TsrTraceStages *stages)
{
  for (guint i = 0; i < stages->n_ipus; i++)
    {
      gint64 headroom = get_headroom (c, i);
      const char *name
          = tsr_insight_text (c, _ ("IPU %u (%s cycles in sync)"), stages->first_ipu + i,
                              COUNT (stages->classes[i].cycles[TSR_STEP_GROUP_SYNC]));

      if (headroom != TSR_UNKNOWN)
        name = tsr_insight_text (
            c, _ ("IPU %u (%s cycles in sync, %s free on its fullest tile)"), stages->first_ipu + i,
            COUNT (stages->classes[i].cycles[TSR_STEP_GROUP_SYNC]), tsr_insight_size (c, headroom));
      tsr_finding_add_cycles (finding, name, TSR_UNKNOWN, stages->ipu_work[i],
                              tsr_insight_of_span (c, stages->ipu_work[i]));
    }
}

static void
fire_sharded (const TsrInsightContext *c, TsrVerdict *verdict, const TsrTraceStages *stages)
{
  TsrFinding *finding = tsr_insight_fire_execution (c, verdict, TSR_NO_INDEX, TSR_UNKNOWN);
  const char *text;

  finding->severity = TSR_FINDING_ADVICE;
  finding->where.tab = "stages";
  add_ipus (c, finding, stages);
  finding->title = g_strdup (_ ("The program runs one IPU at a time"));
  text = tsr_insight_text (c,
                           _ ("In none of %s periods more than one of %u IPUs works: the model is "
                              "sharded, not pipelined."),
                           COUNT (stages->periods->len), stages->n_ipus);
  finding->text = tsr_insight_dup_execution_text (c, text);
  finding->action
      = g_strdup (_ ("Pipeline the stages, so that IPUs work on several micro-batches at once."));
}

static void
fire_stages (const TsrInsightContext *c, TsrVerdict *verdict, const TsrTraceStages *stages)
{
  double loss = tsr_insight_of_span (c, stages->loss);
  double bubble = tsr_insight_of_span (c, stages->bubble);
  gboolean uneven = loss >= tsr_insight_limit ("stage-imbalance.loss");
  gboolean ramps = bubble >= tsr_insight_limit ("stage-imbalance.bubble");
  TsrFinding *finding
      = tsr_insight_fire_execution (c, verdict, TSR_NO_INDEX, uneven ? stages->loss : 0);
  const char *first = "", *second = "";
  guint most = 0, least = 0;

  for (guint i = 1; i < stages->n_ipus; i++)
    {
      if (stages->ipu_work[i] > stages->ipu_work[most])
        most = i;
      if (stages->ipu_work[i] < stages->ipu_work[least])
        least = i;
    }
  finding->severity = tsr_insight_execution_severity (
      c, MAX (uneven ? stages->loss : 0, ramps ? stages->bubble : 0));
  finding->confidence = TSR_CONFIDENCE_UPPER_BOUND;
  finding->where.tab = "stages";
  if (!uneven)
    finding->cycles = TSR_UNKNOWN;
  add_ipus (c, finding, stages);
  if (uneven)
    first = tsr_insight_text (
        c,
        _ ("IPU %u works %s of the run, IPU %u %s; evening out the stages saves up to %s cycles."),
        stages->first_ipu + most, PERCENT (tsr_insight_of_span (c, stages->ipu_work[most])),
        stages->first_ipu + least, PERCENT (tsr_insight_of_span (c, stages->ipu_work[least])),
        CYCLES (stages->loss));
  if (ramps)
    second = tsr_insight_text (c,
                               _ ("%sRamp-up, ramp-down and other periods in which some IPU has no "
                                  "work take %s cycles (%s): more "
                                  "micro-batches per step dilute them."),
                               uneven ? "  " : "", CYCLES (stages->bubble), PERCENT (bubble));
  finding->title
      = uneven ? g_strdup_printf (_ ("Uneven IPUs cost %s of the run"), PERCENT (loss))
               : g_strdup_printf (_ ("Some IPU has no work for %s of the run"), PERCENT (bubble));
  finding->text = tsr_insight_dup_execution_text (c, tsr_insight_text (c, "%s%s", first, second));
  finding->action
      = g_strdup (uneven ? _ ("Move layers from the IPU that works most to the others, where their "
                              "memory allows it.")
                         : _ ("Use more micro-batches per step (gradient accumulation)."));
}

void
tsr_rule_stage_imbalance (const TsrInsightContext *c, TsrVerdict *verdict)
{
  g_autoptr (GPtrArray) all = NULL;
  const TsrTraceStages *stages = NULL;

  if (!tsr_insight_has_execution (c, FALSE, verdict))
    return;
  all = tsr_insight_list_stages (c);
  for (guint r = 0; all != NULL && stages == NULL && r < all->len; r++)
    if (((TsrTraceStages *)all->pdata[r])->first_ipu == c->execution.first_ipu)
      stages = all->pdata[r];
  if (stages == NULL || stages->n_ipus < 2)
    tsr_verdict_fine (verdict, _ ("A replica has one IPU"));
  else if (stages->periods->len == 0)
    tsr_verdict_fine (verdict, _ ("The IPUs of a replica exchange nothing with each other"));
  else if (stages->sharded)
    fire_sharded (c, verdict, stages);
  else if (tsr_insight_of_span (c, stages->loss) < tsr_insight_limit ("stage-imbalance.loss")
           && tsr_insight_of_span (c, stages->bubble)
                  < tsr_insight_limit ("stage-imbalance.bubble"))
    tsr_verdict_fine (
        verdict,
        _ ("Uneven IPUs cost %s of the run, periods without work for some IPU %s; fires "
           "from %s"),
        PERCENT (tsr_insight_of_span (c, stages->loss)),
        PERCENT (tsr_insight_of_span (c, stages->bubble)),
        PERCENT (tsr_insight_limit ("stage-imbalance.loss")));
  else
    fire_stages (c, verdict, stages);
}

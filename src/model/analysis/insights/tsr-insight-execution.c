/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a trace to the quantities of docs/insights.md#execution that the rules about the execution
 * share, and what their findings have in common. */

#include "config.h"

#include "tsr-insights-private.h"

#include "tsr-trace-balance.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The IPUs of the first replica that did anything in the run. */
static void
find_replica (TsrInsightExecution *x)
{
  guint n = tsr_trace_get_n_ipus (x->trace);
  gint64 wanted = TSR_UNKNOWN;

  for (guint ipu = 0; ipu < n; ipu++)
    {
      gint64 replica, place, from, to;

      tsr_trace_get_replica (x->trace, ipu, &replica, &place);
      tsr_trace_get_device_span (x->trace, x->run, ipu, &from, &to);
      if (x->n_ipus == 0 && from < to)
        {
          wanted = replica;
          x->first_ipu = replica != TSR_UNKNOWN && place <= ipu ? ipu - (guint)place : ipu;
          x->n_ipus = ipu - x->first_ipu + 1;
        }
      else if (x->n_ipus > 0 && (replica == wanted || replica == TSR_UNKNOWN))
        x->n_ipus = ipu - x->first_ipu + 1;
    }
}

/* Balances are not recorded below the level of tiles. */
static gboolean
is_level_without_balance (const char *level)
{
  return level != NULL && (g_str_equal (level, "ipu") || g_str_equal (level, "device"));
}

void
tsr_insight_context_collect_execution (TsrInsightContext *c,
                                       const TsrTrace *trace,
                                       const TsrSummary *summary)
{
  TsrInsightExecution *x = &c->execution;

  x->missing = "steps";
  if (trace == NULL)
    return;
  x->trace = trace;
  x->run = tsr_trace_get_profiled_run (trace);
  if (x->run == TSR_NO_INDEX)
    return;
  x->missing = "steps_by_ipu";
  find_replica (x);
  if (x->n_ipus == 0)
    return;
  x->from = g_new0 (gint64, x->n_ipus);
  x->to = g_new0 (gint64, x->n_ipus);
  for (guint i = 0; i < x->n_ipus; i++)
    {
      tsr_trace_get_device_span (trace, x->run, x->first_ipu + i, &x->from[i], &x->to[i]);
      x->span = MAX (x->span, x->to[i] - x->from[i]);
    }
  x->one_run = tsr_trace_get_n_runs (trace) == 1;
  x->estimated = summary != NULL && g_strcmp0 (summary->target.type, "IpuModel") == 0;
  x->without_balance
      = summary != NULL && is_level_without_balance (summary->compute_instrumentation);
  x->missing = x->span > 0 ? NULL : "steps_by_ipu";
}

void
tsr_insight_context_clear_execution (TsrInsightContext *c)
{
  g_clear_pointer (&c->execution.from, g_free);
  g_clear_pointer (&c->execution.to, g_free);
}

gboolean
tsr_insight_has_execution (const TsrInsightContext *c, gboolean balance, TsrVerdict *verdict)
{
  if (c->execution.missing != NULL || c->execution.trace == NULL)
    {
      tsr_verdict_missing (verdict, c->execution.missing != NULL ? c->execution.missing : "steps");
      return FALSE;
    }
  if (!balance || !c->execution.without_balance)
    return TRUE;
  tsr_verdict_not_checked (verdict, _ ("Needs debug.computeInstrumentationLevel = tile"));
  return FALSE;
}

/* ------------------------------------------------------------------- walking */

gboolean
tsr_insight_next_step (const TsrInsightContext *c, TsrInsightStep *step)
{
  const TsrInsightExecution *x = &c->execution;
  const TsrExecutionTables *tables = tsr_trace_get_tables (x->trace);
  gsize end = tables->ipu_start[x->first_ipu + step->ipu + 1];

  step->slice = step->begun
                    ? step->slice + 1
                    : tsr_trace_find_start (x->trace, x->first_ipu + step->ipu, x->from[step->ipu]);
  step->begun = TRUE;
  for (; step->slice < end; step->slice++)
    {
      gint64 start = tables->slice_start[step->slice];

      if (start == TSR_UNKNOWN || start >= x->to[step->ipu])
        return FALSE;
      step->cycles = tables->slice_end[step->slice] - start;
      if (step->cycles <= 0 || tables->step_run[tables->slice_step[step->slice]] != x->run)
        continue;
      step->type = tsr_trace_get_type (x->trace,
                                       tsr_trace_get_slice_type (x->trace, (guint32)step->slice));
      step->group = step->type->group;
      if (!step->type->start_up)
        return TRUE;
    }
  return FALSE;
}

const char *
tsr_insight_step_get_name (const TsrInsightContext *c, gsize slice)
{
  const char *name = tsr_trace_get_name (
      c->execution.trace, tsr_trace_get_slice_name (c->execution.trace, (guint32)slice));

  return name != NULL && *name != '\0' ? name : _ ("(no name)");
}

/* ------------------------------------------------------------------ prefixes */

struct _TsrInsightPrefixes
{
  const TsrInsightContext *c;
  guint32 *place;        /* by name of the trace: place + 1, or 0 */
  GHashTable *by_prefix; /* text -> place */
  GPtrArray *texts;      /* borrowed: in the context's chunk */
};

TsrInsightPrefixes *
tsr_insight_prefixes_new (const TsrInsightContext *c)
{
  TsrInsightPrefixes *self = g_new0 (TsrInsightPrefixes, 1);

  self->c = c;
  self->place = g_new0 (guint32, (gsize)tsr_trace_get_n_names (c->execution.trace) + 1);
  self->by_prefix = g_hash_table_new (g_str_hash, g_str_equal);
  self->texts = g_ptr_array_new ();
  return self;
}

void
tsr_insight_prefixes_free (TsrInsightPrefixes *self)
{
  g_free (self->place);
  g_hash_table_unref (self->by_prefix);
  g_ptr_array_unref (self->texts);
  g_free (self);
}

/* The first two parts of a name. */
const char *
tsr_insight_get_prefix (const TsrInsightContext *c, const char *name)
{
  const char *end = strchr (name, '/');

  if (end != NULL)
    end = strchr (end + 1, '/');
  return end != NULL ? g_string_chunk_insert_len (c->chunk, name, end - name) : name;
}

guint
tsr_insight_prefixes_get (TsrInsightPrefixes *self, gsize slice, const char **prefix)
{
  guint32 name = tsr_trace_get_slice_name (self->c->execution.trace, (guint32)slice);
  guint n_names = tsr_trace_get_n_names (self->c->execution.trace);
  guint32 *place = &self->place[MIN (name, n_names)];

  if (*place == 0)
    {
      const char *text
          = tsr_insight_get_prefix (self->c, tsr_insight_step_get_name (self->c, slice));
      gpointer known;

      if (!g_hash_table_lookup_extended (self->by_prefix, text, NULL, &known))
        {
          known = GUINT_TO_POINTER (self->texts->len);
          g_hash_table_insert (self->by_prefix, (gpointer)text, known);
          g_ptr_array_add (self->texts, (gpointer)text);
        }
      *place = GPOINTER_TO_UINT (known) + 1;
    }
  *prefix = self->texts->pdata[*place - 1];
  return *place - 1;
}

/* -------------------------------------------------------------------- groups */

GArray *
tsr_insight_groups_new (void)
{
  return g_array_new (FALSE, TRUE, sizeof (TsrInsightGroup));
}

TsrInsightGroup *
tsr_insight_groups_get (GArray *groups, GHashTable *places, guint64 key)
{
  gpointer place;
  gint64 copy = (gint64)key;

  if (!g_hash_table_lookup_extended (places, &copy, NULL, &place))
    {
      TsrInsightGroup group = { .slice = TSR_NO_SLICE };

      place = GUINT_TO_POINTER (groups->len);
      g_hash_table_insert (places, g_memdup2 (&copy, sizeof copy), place);
      g_array_append_val (groups, group);
    }
  return &g_array_index (groups, TsrInsightGroup, GPOINTER_TO_UINT (place));
}

GHashTable *
tsr_insight_places_new (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const TsrInsightGroup *x = a;
  const TsrInsightGroup *y = b;

  if (x->cost != y->cost)
    return x->cost > y->cost ? -1 : 1;
  return x->slice < y->slice ? -1 : x->slice > y->slice;
}

void
tsr_insight_groups_sort (GArray *groups)
{
  g_array_sort (groups, compare_groups);
}

/* ------------------------------------------------------------------ findings */

double
tsr_insight_of_span (const TsrInsightContext *c, gint64 cycles)
{
  return (double)cycles / (double)c->execution.span;
}

void
tsr_finding_add_cycles (
    TsrFinding *finding, const char *name, gint64 bytes, gint64 cycles, double share)
{
  guint n = finding->evidence->len;

  tsr_finding_add_evidence (finding, name, bytes, share);
  if (finding->evidence->len > n)
    g_array_index (finding->evidence, TsrEvidence, n).cycles = cycles;
}

TsrFindingSeverity
tsr_insight_execution_severity (const TsrInsightContext *c, gint64 cycles)
{
  double share = tsr_insight_of_span (c, cycles);

  if (share >= tsr_insight_limits_find_shared ("execution.warning"))
    return TSR_FINDING_WARNING;
  return share >= tsr_insight_limits_find_shared ("execution.advice") ? TSR_FINDING_ADVICE
                                                                      : TSR_FINDING_INFO;
}

TsrFinding *
tsr_insight_fire_execution (const TsrInsightContext *c,
                            TsrVerdict *verdict,
                            guint ipu,
                            gint64 cycles)
{
  const TsrInsightExecution *x = &c->execution;
  TsrFinding *finding = tsr_verdict_fire (verdict, tsr_insight_execution_severity (c, cycles));

  finding->cycles = cycles;
  finding->where.view = TSR_VIEW_EXECUTION_TRACE;
  finding->where.run = x->run;
  finding->where.tab = "aggregate";
  if (ipu != TSR_NO_INDEX)
    {
      finding->where.ipu = x->first_ipu + ipu;
      g_free (finding->scope);
      finding->scope = g_strdup_printf ("ipu%u", x->first_ipu + ipu);
    }
  return finding;
}

char *
tsr_insight_dup_execution_text (const TsrInsightContext *c, const char *text)
{
  const TsrInsightExecution *x = &c->execution;

  return g_strconcat (
      x->estimated ? _ ("Estimated: ") : "", text,
      x->one_run ? _ ("  Only one run is recorded: its begin includes start-up.") : "",
      _ ("  Differences between executions of the same step are not recorded."), NULL);
}

const char *
tsr_insight_cycles (const TsrInsightContext *c, gint64 cycles)
{
  double clock = tsr_trace_get_clock (c->execution.trace);
  g_autofree char *count = tsr_units_dup_cycles (cycles);

  if (!(clock > 0))
    return tsr_insight_text (c, "%s", count);
  return tsr_insight_text (c, _ ("%s, %.3g ms"), count, (double)cycles / clock * 1e3);
}

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

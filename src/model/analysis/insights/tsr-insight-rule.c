/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What several rules of Insights need: shares of memory, whether a rule's inputs are there, and
 * sums over groups of steps. */

#include "config.h"

#include "tsr-insight-rule.h"

#include "tsr-trace-balance.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double
tsr_rule_of_tile (const TsrInsightContext *c, gint64 bytes)
{
  return bytes == TSR_UNKNOWN || c->capacity <= 0 ? NAN : (double)bytes / (double)c->capacity;
}

double
tsr_rule_of_all (const TsrInsightContext *c, gint64 bytes)
{
  return bytes == TSR_UNKNOWN || c->sum_exc <= 0 ? NAN : (double)bytes / (double)c->sum_exc;
}

gboolean
tsr_rule_has_categories (const TsrInsightContext *c, TsrVerdict *verdict)
{
  if (c->n_tiles == 0 || c->worst == TSR_NO_INDEX)
    tsr_verdict_missing (verdict, "memory_by_tile");
  else if (c->capacity == TSR_UNKNOWN)
    tsr_verdict_missing (verdict, "target.bytes_per_tile");
  else if (c->category_bytes == NULL)
    tsr_verdict_missing (verdict, "memory_by_tile_category");
  else
    return TRUE;
  return FALSE;
}

const char *
tsr_rule_say_allocated (const TsrInsightContext *c)
{
  return c->categories_allocated
             ? _ ("  These are allocated sizes: what shares addresses counts for each.")
             : "";
}

gboolean
tsr_rule_has_fullness (const TsrInsightContext *c, TsrVerdict *verdict)
{
  if (c->n_tiles == 0)
    tsr_verdict_missing (verdict, "memory_by_tile");
  else if (c->capacity == TSR_UNKNOWN)
    tsr_verdict_missing (verdict, "target.bytes_per_tile");
  else if (c->inc == NULL)
    tsr_verdict_missing (verdict, "memory_by_tile.including_gaps");
  else
    return TRUE;
  return FALSE;
}

void
tsr_rule_tally_clear (TsrRuleTally *tally)
{
  g_clear_pointer (&tally->groups, g_array_unref);
}

void
tsr_rule_tally_keep (TsrRuleTally *best, TsrRuleTally *other)
{
  if (best->groups == NULL || other->cost > best->cost)
    {
      TsrRuleTally swap = *best;

      *best = *other;
      *other = swap;
    }
  tsr_rule_tally_clear (other);
}

guint64
tsr_rule_get_compute_key (const TsrTrace *trace, gsize slice)
{
  const TsrExecutionTables *tables = tsr_trace_get_tables (trace);
  guint32 set = tables->step_compute_set[tables->slice_step[slice]];

  return set != TSR_NO_INDEX ? set
                             : (guint64)1 << 32 | tsr_trace_get_slice_name (trace, (guint32)slice);
}

void
tsr_rule_add_to_group (TsrInsightGroup *group, const TsrInsightStep *step, double cost)
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
tsr_rule_round_cycles (double cycles)
{
  return cycles < (double)G_MAXINT64 ? (gint64)(cycles + 0.5) : G_MAXINT64;
}

void
tsr_rule_tally_sum (TsrRuleTally *tally)
{
  double exact = 0;

  for (guint i = 0; i < tally->groups->len; i++)
    {
      TsrInsightGroup *group = &g_array_index (tally->groups, TsrInsightGroup, i);

      group->cost = tsr_rule_round_cycles (group->exact);
      exact += group->exact;
    }
  tally->cost = tsr_rule_round_cycles (exact);
  tsr_insight_groups_sort (tally->groups);
}

gint64
tsr_rule_sum_first_five (const GArray *groups)
{
  double exact = 0;

  for (guint i = 0; i < MIN (groups->len, 5); i++)
    exact += g_array_index (groups, TsrInsightGroup, i).exact;
  return tsr_rule_round_cycles (exact);
}

const char *
tsr_rule_say_skipped (const TsrInsightContext *c, const TsrRuleTally *tally)
{
  if (tally->n_skipped == 0)
    return "";
  return tsr_insight_text (c, _ ("  %s steps do not record it and are left out."),
                           COUNT ((gint64)tally->n_skipped));
}

gboolean
tsr_rule_has_held (const TsrInsightContext *c, TsrVerdict *verdict)
{
  if (c->worst == TSR_NO_INDEX)
    tsr_verdict_missing (verdict, "memory_by_tile");
  else if (c->capacity == TSR_UNKNOWN)
    tsr_verdict_missing (verdict, "target.bytes_per_tile");
  else if (c->lowered == NULL || c->held == NULL)
    tsr_verdict_missing (verdict, "vars_info");
  else if (c->worst_series == NULL && c->n_steps == 0)
    tsr_verdict_missing (verdict, "liveness_steps");
  else if (c->worst_series == NULL)
    tsr_verdict_unknown (verdict, "vars_info", c->worst);
  else
    return TRUE;
  return FALSE;
}

void
tsr_rule_show_in_liveness (const TsrInsightContext *c, TsrFinding *finding, gboolean tile)
{
  if (tile)
    tsr_finding_set_tile (finding, c->worst);
  finding->where.view = TSR_VIEW_LIVENESS;
  finding->where.tab = "variables";
  finding->where.step = c->worst_peak;
}

const char *
tsr_rule_get_step_name (const TsrInsightContext *c, guint step)
{
  const char *name = c->step_names != NULL && step < c->n_steps ? c->step_names[step] : NULL;

  return name != NULL ? name : _ ("an unnamed program");
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

void
tsr_rule_add_groups (const TsrInsightContext *c,
                     TsrFinding *finding,
                     const GArray *groups,
                     gboolean tiles)
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

typedef struct
{
  guint category;
  gint64 bytes;
} CategoryBytes;

static int
compare_categories (gconstpointer a, gconstpointer b)
{
  const CategoryBytes *x = a;
  const CategoryBytes *y = b;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x->category < y->category ? -1 : x->category > y->category;
}

void
tsr_rule_add_categories (const TsrInsightContext *c, TsrFinding *finding, guint tile)
{
  g_autofree CategoryBytes *list = g_new (CategoryBytes, MAX (c->n_categories, 1));
  guint n = 0;

  for (guint i = 0; c->category_bytes != NULL && i < c->n_categories; i++)
    if (c->category_bytes[i] != NULL && c->category_bytes[i][tile] > 0)
      list[n++] = (CategoryBytes){ i, c->category_bytes[i][tile] };
  qsort (list, n, sizeof *list, compare_categories);
  for (guint i = 0; i < n; i++)
    {
      double whole = c->exc != NULL && c->exc[tile] > 0 ? (double)c->exc[tile] : NAN;

      tsr_finding_add_evidence (finding, c->category_labels[list[i].category], list[i].bytes,
                                (double)list[i].bytes / whole);
    }
}

void
tsr_rule_judge_code (const TsrInsightContext *c,
                     TsrVerdict *verdict,
                     gint64 bytes,
                     double share,
                     gint64 saving,
                     double size_limit,
                     double share_limit,
                     TsrRuleFire fire)
{
  if (bytes == TSR_UNKNOWN)
    tsr_verdict_unknown (verdict, "memory_by_tile_category", c->worst);
  else if (tsr_rule_of_tile (c, bytes) >= size_limit || share >= share_limit
           || tsr_insight_counts (c, saving))
    fire (c, verdict, bytes, share);
  else if (isnan (share))
    tsr_verdict_missing (verdict, "memory_by_tile.excluding_gaps");
  else
    tsr_verdict_fine (verdict, _ ("%s on tile %u (%s) and %s of all memory; fires from %s and %s"),
                      SIZE (bytes), c->worst, PERCENT (tsr_rule_of_tile (c, bytes)),
                      PERCENT (share), PERCENT (size_limit), PERCENT (share_limit));
}

/* Where it stands among the first, those before it keep their places. */
static void
rank (TsrRuleRanking *ranking,
      const TsrInsightOperation *operation,
      gint64 (*get) (const TsrInsightOperation *operation))
{
  guint at = ranking->n;

  while (at > 0 && get (ranking->first[at - 1]) < get (operation))
    at--;
  if (at == G_N_ELEMENTS (ranking->first))
    return;
  ranking->n = MIN (ranking->n + 1, G_N_ELEMENTS (ranking->first));
  for (guint i = ranking->n - 1; i > at; i--)
    ranking->first[i] = ranking->first[i - 1];
  ranking->first[at] = operation;
}

gboolean
tsr_rule_rank_operations (const TsrInsightContext *c,
                          TsrVerdict *verdict,
                          gint64 (*get) (const TsrInsightOperation *operation),
                          TsrRuleRanking *ranking)
{
  const GArray *list = c->operations.list;

  *ranking = (TsrRuleRanking){ .n = 0 };
  if (c->operations.without_programs || (c->operations.layer != NULL && list == NULL))
    tsr_verdict_missing (verdict, "programs");
  else if (c->operations.unread)
    tsr_verdict_not_checked (verdict, _ ("debug.cbor has not been read; Operations reads it"));
  else if (c->operations.layer == NULL)
    tsr_verdict_fine (verdict, _ ("There is no debug information"));
  if (c->operations.layer == NULL || list == NULL)
    return FALSE;
  for (guint i = 0; i < list->len; i++)
    {
      const TsrInsightOperation *operation = &g_array_index (list, TsrInsightOperation, i);

      if (operation->name != NULL && get (operation) > 0)
        rank (ranking, operation, get);
    }
  for (guint i = 0; i < ranking->n; i++)
    ranking->sum = tsr_insight_add (ranking->sum, get (ranking->first[i]));
  return TRUE;
}

TsrFinding *
tsr_rule_fire_operations (const TsrInsightContext *c,
                          TsrVerdict *verdict,
                          const TsrRuleRanking *ranking)
{
  TsrFinding *finding = tsr_verdict_fire (verdict, TSR_FINDING_INFO);

  finding->where.view = TSR_VIEW_OPERATIONS;
  finding->where.layer = g_strdup (c->operations.layer);
  finding->where.operation = g_strdup_printf ("%" PRIu64, ranking->first[0]->id);
  return finding;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The fewest measures that are enough.  A set is refused by one tile on which it is not enough; so
 * a few tiles, the witnesses, refuse nearly all sets, and all tiles are asked only of a set that
 * passes them.  A tile that then refuses it becomes a witness. */

#include "config.h"

#include "tsr-known.h"
#include "tsr-plan-private.h"

#include <glib/gi18n-lib.h>

#define FIRST_WITNESSES 24 /* tiles: the worst, and some of the others */
#define MOST_WORLDS     64

typedef struct
{
  TsrPlan *self;
  gboolean best; /* what counts: at best; else packed as now */
  guint candidates[TSR_PLAN_MOST];
  guint n_candidates;
  GArray *witnesses;  /* guint: the one that refused last first */
  GHashTable *worlds; /* TsrMeasureSet -> TsrPlanWorld */
  TsrPlanPeak *peaks; /* room for all tiles */
  GCancellable *cancellable;
} Search;

static void
search_init (Search *search,
             TsrPlan *self,
             TsrMeasureSet candidates,
             gboolean best,
             GCancellable *cancellable)
{
  *search = (Search){ .self = self,
                      .best = best,
                      .witnesses = g_array_new (FALSE, FALSE, sizeof (guint)),
                      .worlds = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                       (GDestroyNotify)tsr_plan_world_free),
                      .peaks = g_new (TsrPlanPeak, MAX (self->n_tiles, 1)),
                      .cancellable = cancellable };
  for (guint i = 0; i < self->n_measures; i++)
    if ((candidates & TSR_PLAN_BIT (i)) != 0)
      search->candidates[search->n_candidates++] = i;
  /* Half of them the worst. */
  for (guint i = 0; i < MIN (self->n_needing, FIRST_WITNESSES); i++)
    {
      guint place
          = i < FIRST_WITNESSES / 2 ? i : (guint)((guint64)i * self->n_needing / FIRST_WITNESSES);

      g_array_append_val (search->witnesses, self->needing[place]);
    }
}

static void
search_clear (Search *search)
{
  g_array_unref (search->witnesses);
  g_hash_table_unref (search->worlds);
  g_free (search->peaks);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

static const TsrPlanWorld *
get_world (Search *search, TsrMeasureSet set)
{
  TsrMeasureSet recomputed = tsr_plan_get_recomputed (search->self, set);
  TsrPlanWorld *world;

  if (recomputed == 0)
    return search->self->base;
  world = g_hash_table_lookup (search->worlds, &recomputed);
  if (world == NULL)
    {
      if (g_hash_table_size (search->worlds) >= MOST_WORLDS)
        g_hash_table_remove_all (search->worlds);
      world = tsr_plan_world_new (search->self, recomputed);
      g_hash_table_insert (search->worlds, g_memdup2 (&recomputed, sizeof recomputed), world);
    }
  return world;
}

/* Bytes too many, or 0.  Unknown ones count as none here, because the forecast reports them. */
static gint64
get_over (const Search *search, guint tile, const TsrPlanPeak *peak)
{
  const TsrPlan *self = search->self;
  gint64 over;

  over = search->best ? tsr_known_subtract (peak->live, self->capacity)
                      : tsr_plan_get_packed (self, tile, peak);
  return MAX (over, 0);
}

static gboolean
passes_witnesses (Search *search, TsrMeasureSet set)
{
  TsrPlanEval *eval = tsr_plan_eval_new (search->self, get_world (search, set), set);
  guint i;

  for (i = 0; i < search->witnesses->len; i++)
    {
      guint tile = g_array_index (search->witnesses, guint, i);
      TsrPlanPeak peak;

      tsr_plan_eval_tile (eval, tile, &peak);
      if (get_over (search, tile, &peak) == 0)
        continue;
      g_array_index (search->witnesses, guint, i) = g_array_index (search->witnesses, guint, 0);
      g_array_index (search->witnesses, guint, 0) = tile;
      break;
    }
  tsr_plan_eval_free (eval);
  return i == search->witnesses->len;
}

static gboolean
passes (Search *search, TsrMeasureSet set)
{
  TsrPlan *self = search->self;
  guint worst = TSR_NO_INDEX;
  gint64 most = 0;

  if (!passes_witnesses (search, set)
      || !tsr_plan_eval_all (self, set, search->peaks, search->cancellable, NULL))
    return FALSE;
  for (guint tile = 0; tile < self->n_tiles; tile++)
    {
      gint64 over = get_over (search, tile, &search->peaks[tile]);

      if (over > most)
        {
          most = over;
          worst = tile;
        }
    }
  if (worst != TSR_NO_INDEX)
    g_array_prepend_val (search->witnesses, worst);
  return worst == TSR_NO_INDEX;
}

/* -------------------------------------------------------------------- exact */

/* Sets of @size candidates in the order of the list; FALSE at the end. */
static gboolean
next_choice (guint *chosen, guint size, guint n)
{
  for (guint i = size; i > 0; i--)
    if (chosen[i - 1] < n - (size - i) - 1)
      {
        chosen[i - 1]++;
        for (guint k = i; k < size; k++)
          chosen[k] = chosen[k - 1] + 1;
        return TRUE;
      }
  return FALSE;
}

static gboolean
search_all (Search *search, TsrMeasureSet *found)
{
  guint chosen[TSR_PLAN_EXACT_CANDIDATES];

  for (guint size = 0; size <= search->n_candidates; size++)
    {
      for (guint i = 0; i < size; i++)
        chosen[i] = i;
      do
        {
          TsrMeasureSet set = 0;

          if (g_cancellable_is_cancelled (search->cancellable))
            return FALSE;
          for (guint i = 0; i < size; i++)
            set |= TSR_PLAN_BIT (search->candidates[chosen[i]]);
          if (passes (search, set))
            {
              *found = set;
              return TRUE;
            }
        }
      while (next_choice (chosen, size, search->n_candidates));
    }
  return FALSE;
}

/* ------------------------------------------------------------------- greedy */

/* What the witnesses have too much together. */
static gint64
weigh (Search *search, TsrMeasureSet set)
{
  TsrPlanEval *eval = tsr_plan_eval_new (search->self, get_world (search, set), set);
  gint64 sum = 0;

  for (guint i = 0; i < search->witnesses->len; i++)
    {
      guint tile = g_array_index (search->witnesses, guint, i);
      TsrPlanPeak peak;

      tsr_plan_eval_tile (eval, tile, &peak);
      sum += get_over (search, tile, &peak);
    }
  tsr_plan_eval_free (eval);
  return sum;
}

static TsrMeasureSet
find_next (Search *search, TsrMeasureSet set)
{
  gint64 least = weigh (search, set);
  TsrMeasureSet next = 0;

  for (guint i = 0; i < search->n_candidates; i++)
    {
      TsrMeasureSet bit = TSR_PLAN_BIT (search->candidates[i]);
      gint64 sum;

      if ((set & bit) != 0 || g_cancellable_is_cancelled (search->cancellable))
        continue;
      sum = weigh (search, set | bit);
      if (sum < least)
        {
          least = sum;
          next = bit;
        }
    }
  return next;
}

/* Takes what helps the witnesses most until it is enough, then leaves out what is not needed.
 * FALSE: it is not enough. */
static gboolean
search_greedily (Search *search, TsrMeasureSet *found)
{
  *found = 0;
  while (!passes (search, *found))
    {
      TsrMeasureSet next = find_next (search, *found);

      if (next == 0)
        return FALSE;
      *found |= next;
    }
  for (guint i = search->n_candidates; i > 0; i--)
    {
      TsrMeasureSet bit = TSR_PLAN_BIT (search->candidates[i - 1]);

      if ((*found & bit) != 0 && passes (search, *found & ~bit))
        *found &= ~bit;
    }
  return !g_cancellable_is_cancelled (search->cancellable);
}

/* ----------------------------------------------------------------- proposal */

/* Of @set, those that change anything on a tile that does not fit. */
static TsrMeasureSet
keep_useful (TsrPlan *self, TsrMeasureSet set)
{
  TsrMeasureSet useful = 0;

  for (guint i = 0; i < self->n_needing; i++)
    useful |= self->tile_mask[self->needing[i]];
  return set & useful;
}

static gboolean
find_set (TsrPlan *self,
          TsrMeasureSet candidates,
          gboolean best,
          TsrProposal *proposal,
          GCancellable *cancellable)
{
  g_auto (Search) state = { 0 };

  search_init (&state, self, candidates, best, cancellable);
  proposal->n_candidates = state.n_candidates;
  proposal->greedy = state.n_candidates > TSR_PLAN_EXACT_CANDIDATES;
  if (proposal->greedy)
    return search_greedily (&state, &proposal->set);
  if (search_all (&state, &proposal->set))
    return TRUE;
  search_greedily (&state, &proposal->set);
  return FALSE;
}

static char *
dup_text (TsrPlan *self, const TsrProposal *proposal)
{
  const TsrForecast *forecast = proposal->forecast;
  guint n = (guint)__builtin_popcountll (proposal->set);
  const char *how = proposal->greedy && n > 1 ? _ ("chosen one by one: fewer may be enough")
                                              : _ ("no fewer are enough");
  g_autofree char *most = tsr_units_dup_bytes (self->units, forecast->best.most);

  if (forecast->verdict == TSR_PLAN_UNKNOWN)
    return g_strdup (_ ("Nothing can be proposed: the memory of some tiles is not known"));
  if (n == 0 && forecast->verdict != TSR_PLAN_DOES_NOT_FIT)
    return g_strdup (_ ("Nothing is needed"));
  if (n == 0)
    return g_strdup (_ ("No measure helps"));
  if (forecast->verdict == TSR_PLAN_FITS)
    return g_strdup_printf (
        /* Translators: the second part says how sure that is. */
        g_dngettext (GETTEXT_PACKAGE, "%u measure is enough (%s)", "%u measures are enough (%s)",
                     n),
        n, how);
  if (forecast->verdict == TSR_PLAN_MAY_FIT)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u measure may be enough (%s)",
                                         "%u measures may be enough (%s)", n),
                            n, how);
  return g_strdup_printf (
      _ ("Not enough: with these %u measures %u tiles overflow still, tile %u by %s"), n,
      forecast->best.n_over, forecast->best.worst, most);
}

void
tsr_proposal_free (TsrProposal *proposal)
{
  if (proposal == NULL)
    return;
  tsr_forecast_free (proposal->forecast);
  g_free (proposal->text);
  g_free (proposal);
}

TsrProposal *
tsr_plan_propose (TsrPlan *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrProposal) proposal = g_new0 (TsrProposal, 1);
  TsrMeasureSet exact, all;

  g_return_val_if_fail (self != NULL && self->missing == NULL, NULL);
  exact = keep_useful (self, tsr_plan_get_of_kind (self, TSR_MEASURE_EXACT));
  all = exact | keep_useful (self, tsr_plan_get_of_kind (self, TSR_MEASURE_UPPER_BOUND));
  if (self->n_needing > 0 && !find_set (self, exact, FALSE, proposal, cancellable))
    find_set (self, all, TRUE, proposal, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  proposal->bounded = (proposal->set & ~exact) != 0;
  proposal->forecast = tsr_plan_forecast (self, proposal->set, cancellable, error);
  if (proposal->forecast == NULL)
    return NULL;
  proposal->text = dup_text (self, proposal);
  return g_steal_pointer (&proposal);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which measures a plan has.  A variable is worth one by what it holds where it counts: on tiles
 * that do not fit, at the steps that are too high. */

#include "config.h"

#include "tsr-insights-private.h"
#include "tsr-plan-private.h"

#include <string.h>

/* So many of each kind are listed, and five that are about no variable. */
#define MOST_DROPPED    8
#define MOST_MOVED      8
#define MOST_RECOMPUTED 10
#define MOST_TEMPORARY  12
#define MOST_OUTLINED   6
G_STATIC_ASSERT (MOST_DROPPED + MOST_MOVED + MOST_RECOMPUTED + MOST_TEMPORARY + MOST_OUTLINED + 5
                 <= TSR_PLAN_MOST);

typedef struct
{
  TsrPlan *self;
  gint64 *score;                       /* by entry: bytes that count, over all tiles */
  gint64 *largest;                     /* by entry: on one tile */
  guint16 variable, message, constant; /* places of categories */
} Scores;

guint16
tsr_plan_find_category (TsrPlan *self, const char *name)
{
  for (guint i = 0; i < tsr_memory_get_n_categories (self->memory); i++)
    if (g_strcmp0 (tsr_memory_get_category_name (self->memory, i), name) == 0)
      return (guint16)i;
  return TSR_NO_CATEGORY - 1;
}

/* ------------------------------------------------------------------- scores */

/* Steps of @series that are less than @over below its peak, before each step: n_steps + 1 sums. */
static guint32
count_high_steps (const gint64 *series, guint n_steps, gint64 over, guint32 *sums)
{
  gint64 limit = 0;

  for (guint k = 0; k < n_steps; k++)
    limit = MAX (limit, series[k]);
  limit -= over;
  sums[0] = 0;
  for (guint k = 0; k < n_steps; k++)
    sums[k + 1] = sums[k] + (series[k] != TSR_UNKNOWN && series[k] > limit);
  return sums[n_steps];
}

static double
get_share (const TsrLoweredTables *lowered, guint32 class_index, const guint32 *sums, guint32 all)
{
  guint32 n = 0;

  for (gsize i = lowered->interval_start[class_index]; i < lowered->interval_start[class_index + 1];
       i++)
    n += sums[lowered->interval_to[i]] - sums[lowered->interval_from[i]];
  return (double)n / (double)all;
}

static void
score_tile (Scores *scores, guint tile, gint64 *on_tile, const double *share)
{
  TsrPlan *self = scores->self;
  const TsrLoweredTables *lowered = self->lowered;
  g_autoptr (GArray) met = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (gsize i = lowered->tile_start[tile]; i < lowered->tile_start[tile + 1]; i++)
    {
      gsize row = tsr_lowered_get_row (lowered, i);
      guint32 entry = tsr_variables_get_entry (self->variables, row);
      guint32 c = tsr_lowered_get_class (lowered, row);
      gint64 bytes = tsr_lowered_get_bytes (lowered, row);

      if (bytes == TSR_UNKNOWN || (c >= lowered->n_classes && c != TSR_CLASS_ALWAYS))
        continue;
      if (on_tile[entry] == 0)
        g_array_append_val (met, entry);
      on_tile[entry] += c == TSR_CLASS_ALWAYS ? bytes : (gint64)((double)bytes * share[c]);
    }
  for (guint i = 0; i < met->len; i++)
    {
      guint32 entry = g_array_index (met, guint32, i);

      scores->score[entry] += MIN (on_tile[entry], self->over_now[tile]);
      scores->largest[entry] = MAX (scores->largest[entry], on_tile[entry]);
      on_tile[entry] = 0;
    }
}

/* Tiles that do not fit, a sample of them where there are many: it only orders what is listed. */
#define MOST_SCORED 512

static gboolean
score_entries (Scores *scores, GCancellable *cancellable, GError **error)
{
  TsrPlan *self = scores->self;
  guint n = MIN (self->n_needing, MOST_SCORED);
  g_autofree gint64 *on_tile = g_new0 (gint64, MAX (self->variables->n, 1));
  g_autofree gint64 *series = g_new (gint64, self->n_steps);
  g_autofree guint32 *sums = g_new (guint32, (gsize)self->n_steps + 1);
  g_autofree double *share = g_new0 (double, MAX (self->lowered->n_classes, 1));
  TsrLiveSums live;

  tsr_live_sums_init (&live, self->lowered);
  for (guint i = 0; i < n && !g_cancellable_is_cancelled (cancellable); i++)
    {
      guint tile = self->needing[(guint64)i * self->n_needing / n];
      guint32 all;

      tsr_live_sums_reset (&live);
      tsr_live_sums_add_tile (&live, tile);
      tsr_live_sums_series (&live, &self->base->axis, series);
      all = count_high_steps (series, self->n_steps, self->over_now[tile], sums);
      /* None of a tile where nothing is known of any step. */
      for (guint k = 0; k < live.n_touched; k++)
        share[live.touched[k]]
            = all > 0 ? get_share (self->lowered, live.touched[k], sums, all) : 0;
      score_tile (scores, tile, on_tile, share);
    }
  tsr_live_sums_clear (&live);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/* --------------------------------------------------------------------- list */

static void
add (TsrPlan *self, TsrMeasureKind kind, TsrPlanAct act, const char *word, guint32 entry)
{
  TsrMeasure *measure = &self->measures[self->n_measures];
  const char *name = entry < self->variables->n ? self->variables->names->pdata[entry] : NULL;

  *measure
      = (TsrMeasure){ .kind = kind,
                      .id = name != NULL ? g_strconcat (word, ":", name, NULL) : g_strdup (word),
                      .variable = g_strdup (name),
                      .worst_tile = TSR_UNKNOWN,
                      .relief = TSR_UNKNOWN,
                      .cycles = TSR_UNKNOWN };
  self->acts[self->n_measures] = act;
  self->entries[self->n_measures++] = entry;
}

static void
add_missing (TsrPlan *self, const char *word, const char *part)
{
  add (self, TSR_MEASURE_EXACT, TSR_PLAN_NOTHING, word, TSR_NO_INDEX);
  self->measures[self->n_measures - 1].missing = g_strdup (part);
}

static int
compare_scores (gconstpointer a, gconstpointer b, gpointer data)
{
  const Scores *scores = data;
  gint64 x = scores->score[*(const guint32 *)a];
  gint64 y = scores->score[*(const guint32 *)b];

  return x > y ? -1 : x < y;
}

/* Entries that @wants, those that count most first; sorting keeps equal ones in order. */
static GArray *
list_entries (const Scores *scores, gboolean (*wants) (const Scores *scores, guint32 entry))
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint32));
  double least = tsr_insight_limits_find_shared ("overflow.saving");

  for (guint32 entry = 0; entry < scores->self->variables->n; entry++)
    if ((double)scores->largest[entry] >= least && wants (scores, entry))
      g_array_append_val (list, entry);
  g_array_sort_with_data (list, compare_scores, (gpointer)scores);
  return list;
}

static gboolean
is_user_data (const Scores *scores, guint32 entry)
{
  const TsrVariables *variables = scores->self->variables;

  return scores->self->of_program[entry]
         && (variables->category[entry] == scores->variable
             || variables->category[entry] == scores->constant);
}

static gboolean
can_drop (const Scores *scores, guint32 entry)
{
  guint8 life = scores->self->variables->life[entry];

  return is_user_data (scores, entry) && (life == TSR_LIFE_ALWAYS || life == TSR_LIFE_RESIDENT);
}

static gboolean
can_recompute (const Scores *scores, guint32 entry)
{
  gint64 cycles;

  return is_user_data (scores, entry) && scores->self->variables->life[entry] == TSR_LIFE_TEMPORARY
         && tsr_plan_can_recompute (scores->self, entry, &cycles);
}

static gboolean
is_temporary (const Scores *scores, guint32 entry)
{
  const TsrVariables *variables = scores->self->variables;

  return !scores->self->of_program[entry] && variables->life[entry] != TSR_LIFE_ALWAYS
         && (variables->category[entry] == scores->variable
             || variables->category[entry] == scores->message);
}

/* Operations whose options have availableMemoryProportion: convolutions and matrix
 * multiplications, by their names. */
static gboolean
has_memory_proportion (const char *name)
{
  static const char *const words[] = { "conv", "matmul", "mat_mul", "gemm", "grouped" };
  g_autofree char *folded = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (folded, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
add_temporaries (TsrPlan *self, const Scores *scores)
{
  g_autoptr (GArray) list = list_entries (scores, is_temporary);

  for (guint i = 0; i < MIN (list->len, MOST_TEMPORARY); i++)
    {
      guint32 entry = g_array_index (list, guint32, i);

      add (self, TSR_MEASURE_UPPER_BOUND, TSR_PLAN_GONE,
           has_memory_proportion (self->variables->names->pdata[entry]) ? "memory-proportion"
                                                                        : "serialise",
           entry);
    }
}

static void
add_entries (
    TsrPlan *self, const Scores *scores, GArray *list, guint most, TsrPlanAct act, const char *word)
{
  for (guint i = 0; i < MIN (list->len, most); i++)
    {
      guint32 entry = g_array_index (list, guint32, i);

      add (self, TSR_MEASURE_EXACT, act, word, entry);
      if (act == TSR_PLAN_RECOMPUTED)
        tsr_plan_can_recompute (self, entry, &self->measures[self->n_measures - 1].cycles);
    }
}

static gboolean
has_element_types (TsrPlan *self)
{
  for (guint v = 0; v < self->variables->n; v++)
    if (tsr_variables_get_element_type (self->variables, v) != NULL)
      return TRUE;
  return FALSE;
}

gboolean
tsr_plan_is_halved (TsrPlan *self, guint32 entry)
{
  const char *type = tsr_variables_get_element_type (self->variables, entry);
  const char *name = self->variables->names->pdata[entry];

  if (g_strcmp0 (type, "float") != 0 && g_strcmp0 (type, "float32") != 0)
    return FALSE;
  return !tsr_insight_matches (name, "keep-fp32");
}

/* ------------------------------------------------------------------ outline */

/* Code of an exchange, by name. */
typedef struct
{
  guint32 name;
  guint64 hash; /* of its bytes on every tile, in any order */
  gint64 bytes;
  char *folded; /* name without digits */
} Exchange;

static guint64
mix (guint64 tile, guint64 size)
{
  guint64 x = tile * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + size;

  x ^= x >> 30;
  x *= G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  x *= G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return x ^ x >> 31;
}

static int
compare_exchanges (gconstpointer a, gconstpointer b)
{
  const Exchange *x = a;
  const Exchange *y = b;
  int order = strcmp (x->folded, y->folded);

  if (order != 0)
    return order;
  return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* Digits become one '0': equal names but for numbers are equal. */
static char *
dup_without_digits (const char *name)
{
  GString *folded = g_string_new (NULL);

  for (const char *p = name; *p != '\0'; p++)
    if (!g_ascii_isdigit (*p))
      g_string_append_c (folded, *p);
    else if (p == name || !g_ascii_isdigit (p[-1]))
      g_string_append_c (folded, '0');
  return g_string_free (folded, FALSE);
}

static GArray *
list_exchanges (TsrPlan *self)
{
  const TsrLoweredTables *lowered = self->lowered;
  guint16 category = tsr_plan_find_category (self, "internalExchangeCode");
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Exchange));
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);

  for (gsize row = 0; row < lowered->n; row++)
    {
      guint32 name = lowered->name[row];
      const char *text;
      Exchange *exchange;
      guint place;

      if (lowered->category[row] != category || lowered->size[row] == TSR_LOWERED_UNKNOWN)
        continue;
      place = GPOINTER_TO_UINT (g_hash_table_lookup (places, GUINT_TO_POINTER (name)));
      if (place == 0)
        {
          const Exchange new_one = { .name = name };

          text = tsr_string_table_get (lowered->strings, name);
          if (text == NULL)
            continue;
          g_array_append_val (list, new_one);
          place = list->len;
          g_array_index (list, Exchange, place - 1).folded = dup_without_digits (text);
          g_hash_table_insert (places, GUINT_TO_POINTER (name), GUINT_TO_POINTER (place));
        }
      exchange = &g_array_index (list, Exchange, place - 1);
      exchange->hash += mix (lowered->tile[row], lowered->size[row]);
      exchange->bytes += lowered->size[row];
    }
  g_array_sort (list, compare_exchanges);
  return list;
}

typedef struct
{
  guint from, to; /* of the list */
  gint64 bytes;   /* of all but the first */
} Group;

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const Group *x = a;
  const Group *y = b;

  return x->bytes > y->bytes ? -1 : x->bytes < y->bytes;
}

static GHashTable *
add_groups (TsrPlan *self)
{
  GHashTable *twins = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) list = list_exchanges (self);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (Group));

  for (guint from = 0, to; from < list->len; from = to)
    {
      const Exchange *first = &g_array_index (list, Exchange, from);
      Group group = { .from = from };

      for (to = from + 1; to < list->len; to++)
        {
          const Exchange *other = &g_array_index (list, Exchange, to);

          if (strcmp (first->folded, other->folded) != 0 || first->hash != other->hash)
            break;
        }
      group.to = to;
      group.bytes = first->bytes * (to - from - 1);
      if (group.bytes > 0)
        g_array_append_val (groups, group);
    }
  g_array_sort (groups, compare_groups);
  for (guint i = 0; i < MIN (groups->len, MOST_OUTLINED); i++)
    {
      const Group *group = &g_array_index (groups, Group, i);
      const Exchange *first = &g_array_index (list, Exchange, group->from);
      const char *name = tsr_string_table_get (self->lowered->strings, first->name);

      add (self, TSR_MEASURE_EXACT, TSR_PLAN_GONE, "outline", TSR_NO_INDEX);
      g_free (self->measures[self->n_measures - 1].id);
      self->measures[self->n_measures - 1].id = g_strconcat ("outline:", name, NULL);
      self->measures[self->n_measures - 1].variable = g_strdup (name);
      for (guint k = group->from + 1; k < group->to; k++)
        g_hash_table_insert (twins, GUINT_TO_POINTER (g_array_index (list, Exchange, k).name),
                             GUINT_TO_POINTER (self->n_measures));
    }
  for (guint i = 0; i < list->len; i++)
    g_free (g_array_index (list, Exchange, i).folded);
  return twins;
}

/* --------------------------------------------------------------------- all */

static void
add_of_variables (TsrPlan *self, const Scores *scores)
{
  g_autoptr (GArray) dropped = list_entries (scores, can_drop);
  g_autoptr (GArray) user = list_entries (scores, is_user_data);
  g_autoptr (GArray) kept = list_entries (scores, can_recompute);

  add_entries (self, scores, dropped, MOST_DROPPED, TSR_PLAN_GONE, "drop");
  if (self->touches == NULL)
    add_missing (self, "recompute", "program_variables");
  else
    add_entries (self, scores, kept, MOST_RECOMPUTED, TSR_PLAN_RECOMPUTED, "recompute");
  if (tsr_memory_get_tiles_per_ipu (self->memory) == TSR_UNKNOWN
      || tsr_memory_is_tiles_per_ipu_assumed (self->memory))
    add_missing (self, "move", "target.tiles_per_ipu");
  else
    add_entries (self, scores, user, MOST_MOVED, TSR_PLAN_SPREAD, "move");
  add_temporaries (self, scores);
}

gboolean
tsr_plan_find_candidates (TsrPlan *self, GCancellable *cancellable, GError **error)
{
  guint n = self->variables->n; /* each row has an entry, and there are rows */
  g_autofree gint64 *score = g_new0 (gint64, n);
  g_autofree gint64 *largest = g_new0 (gint64, n);
  Scores scores = { self,
                    score,
                    largest,
                    tsr_plan_find_category (self, "variable"),
                    tsr_plan_find_category (self, "message"),
                    tsr_plan_find_category (self, "constant") };

  if (!score_entries (&scores, cancellable, error))
    return FALSE;
  add (self, TSR_MEASURE_EXACT, TSR_PLAN_GONE, "instrumentation", TSR_NO_INDEX);
  if (has_element_types (self))
    add (self, TSR_MEASURE_EXACT, TSR_PLAN_HALVED, "halve-fp32", TSR_NO_INDEX);
  else
    add_missing (self, "halve-fp32", "variables.element_type");
  add (self, TSR_MEASURE_UPPER_BOUND, TSR_PLAN_BATCH, "batch", TSR_NO_INDEX);
  add_of_variables (self, &scores);
  self->twins = add_groups (self);
  add (self, TSR_MEASURE_LISTED, TSR_PLAN_NOTHING, "exchange", TSR_NO_INDEX);
  add (self, TSR_MEASURE_LISTED, TSR_PLAN_NOTHING, "layout", TSR_NO_INDEX);
  return TRUE;
}

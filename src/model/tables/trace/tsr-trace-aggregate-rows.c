/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of Aggregate: groups of steps, a tree of name prefixes as indented rows, or blocks. */

#include "config.h"

#include "tsr-trace-rows-private.h"

#include <glib/gi18n.h>
#include <math.h>

/* A row of the table: of which aggregate, and its row there. */
typedef struct
{
  guint32 aggregate, row;
} Place;

static const TsrTraceAggregate *
get_aggregate (const TsrTraceAnswer *answer, guint i)
{
  return g_ptr_array_index (answer->aggregates, i);
}

static const TsrTraceAggregateRow *
get_row (const TsrTraceAnswer *answer, const Place *place)
{
  return &g_array_index (get_aggregate (answer, place->aggregate)->rows, TsrTraceAggregateRow,
                         place->row);
}

/* The tree: rows of depth d + 1 under the row of depth d whose name they begin with. */

static char *
dup_parent (const char *name)
{
  const char *slash = strrchr (name, '/');

  return slash != NULL ? g_strndup (name, slash - name) : NULL;
}

static guint
count_slashes (const char *name)
{
  guint n = 0;

  for (; *name != '\0'; name++)
    n += *name == '/';
  return n;
}

/* Rows of @depth with exactly that many parts, by their parent's name; those with fewer stand
 * higher up already. */
static GHashTable *
index_children (const TsrTraceAnswer *answer, guint depth)
{
  GHashTable *children
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
  const TsrTraceAggregate *aggregate = get_aggregate (answer, depth);

  for (guint32 i = 0; i < aggregate->rows->len; i++)
    {
      const char *name = g_array_index (aggregate->rows, TsrTraceAggregateRow, i).name;
      char *parent;
      GArray *list;

      if (count_slashes (name) != depth)
        continue;
      parent = dup_parent (name);
      if (parent == NULL)
        parent = g_strdup ("");
      list = g_hash_table_lookup (children, parent);
      if (list == NULL)
        {
          list = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_hash_table_insert (children, g_steal_pointer (&parent), list);
        }
      g_free (parent);
      g_array_append_val (list, i);
    }
  return children;
}

static void
add_children (const TsrTraceAnswer *answer,
              GPtrArray *indexes,
              guint depth,
              const char *parent,
              GArray *places)
{
  const GArray *list;

  if (depth >= indexes->len)
    return;
  list = g_hash_table_lookup (g_ptr_array_index (indexes, depth), parent);
  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      Place place = { depth, g_array_index (list, guint32, i) };

      g_array_append_val (places, place);
      add_children (answer, indexes, depth + 1, get_row (answer, &place)->name, places);
    }
}

static GArray *
dup_places (const TsrTraceAnswer *answer)
{
  g_autoptr (GPtrArray) indexes
      = g_ptr_array_new_with_free_func ((GDestroyNotify)g_hash_table_unref);
  GArray *places = g_array_new (FALSE, FALSE, sizeof (Place));

  if (answer->group != TSR_TRACE_GROUP_TREE)
    {
      for (guint32 i = 0; i < get_aggregate (answer, 0)->rows->len; i++)
        {
          Place place = { 0, i };

          g_array_append_val (places, place);
        }
      return places;
    }
  for (guint d = 0; d < answer->aggregates->len; d++)
    g_ptr_array_add (indexes, index_children (answer, d));
  add_children (answer, indexes, 0, "", places);
  return places;
}

/* Columns */

#define ADD_VALUES(key, title, definition, kind, summed, value)                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 *cells_                                                                                 \
        = tsr_grid_add_values (grid, tsr_trace_column (key, title, definition, kind, summed));     \
                                                                                                   \
    for (guint i = 0; i < places->len; i++)                                                        \
      {                                                                                            \
        const TsrTraceAggregateRow *row = get_row (answer, &g_array_index (places, Place, i));     \
                                                                                                   \
        cells_[i] = (value);                                                                       \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

static const char *
intern_name (TsrGrid *grid, const TsrTraceAnswer *answer, const Place *place)
{
  const TsrTraceAggregateRow *row = get_row (answer, place);
  const char *name = row->name;
  const char *slash = strrchr (name, '/');
  g_autofree char *text = NULL;

  /* As in the chart: a sync without a path is called by its type. */
  if (slash == NULL && row->n_types == 1
      && tsr_trace_get_type (answer->trace, row->type)->group == TSR_STEP_GROUP_SYNC)
    return tsr_grid_intern (grid, tsr_trace_get_slice_title (answer->trace, row->first_slice));
  if (*name == '\0')
    return _ ("(no name)");
  if (answer->group != TSR_TRACE_GROUP_TREE || slash == NULL)
    return tsr_grid_intern (grid, name);
  text = g_strdup_printf ("%*s%s", (int)place->aggregate * 4, "", slash + 1);
  return tsr_grid_intern (grid, text);
}

static void
add_texts (const TsrTraceAnswer *answer, TsrGrid *grid, const GArray *places)
{
  static const char *const titles[]
      = { N_ ("Name"),        N_ ("Name prefix"), N_ ("Type"),
          N_ ("Compute set"), N_ ("Match"),       N_ ("Name prefix") };
  TsrRowColumn *column = tsr_grid_text_column ("name", _ (titles[answer->group]), NULL);
  const char **names, **keys = tsr_grid_add_keys (grid);

  column->pinned = TRUE;
  names = tsr_grid_add_texts (grid, column);
  for (guint i = 0; i < places->len; i++)
    {
      names[i] = intern_name (grid, answer, &g_array_index (places, Place, i));
      keys[i] = tsr_grid_intern (grid, get_row (answer, &g_array_index (places, Place, i))->name);
    }
}

static void
add_last_texts (const TsrTraceAnswer *answer, TsrGrid *grid, const GArray *places)
{
  const char **types = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("type", _ ("Type"),
                                  _ ("The type of step that takes longest in the group")));
  const char **paths = NULL;

  if (answer->group == TSR_TRACE_GROUP_TREE)
    paths = tsr_grid_add_texts (grid, tsr_grid_text_column ("path", _ ("Path"), NULL));
  for (guint i = 0; i < places->len; i++)
    {
      const TsrTraceAggregateRow *row = get_row (answer, &g_array_index (places, Place, i));

      if (row->type < tsr_trace_get_n_types (answer->trace))
        types[i] = tsr_trace_get_type (answer->trace, row->type)->label;
      if (paths != NULL)
        paths[i] = tsr_grid_intern (grid, row->name);
    }
}

static void
fill_rows (TsrTraceAnswer *answer)
{
  g_autoptr (GArray) places = dup_places (answer);
  TsrGrid *grid = tsr_grid_new (places->len);
  gboolean flat = answer->group != TSR_TRACE_GROUP_TREE; /* a tree's parents hold their children */

  add_texts (answer, grid, places);
  ADD_VALUES ("count", _ ("Steps × IPUs"),
              _ ("Steps that take time, counted on each IPU by itself"), TSR_VALUE_COUNT, flat,
              (gint64)row->count);
  ADD_VALUES ("cycles", _ ("Cycles"),
              _ ("Sum over the IPUs of the steps' cycles here; a step's lead-in and the wait that "
                 "begins a run are not added"),
              TSR_VALUE_COUNT, flat, row->total);
  ADD_VALUES ("share", _ ("Share"), _ ("Of the cycles of all rows"), TSR_VALUE_FRACTION, FALSE,
              tsr_trace_fraction (row->share));
  ADD_VALUES ("lostCycles", _ ("Lost"),
              _ ("Cycles lost by imbalance: sum of cycles × (1 − active tile balance) over "
                 "OnTileExecute"),
              TSR_VALUE_COUNT, flat, row->lost);
  ADD_VALUES ("tileBalance", _ ("Balance"),
              _ ("Sum of cycles × tile balance, divided by the sum of cycles, over OnTileExecute"),
              TSR_VALUE_FRACTION, FALSE, tsr_trace_fraction (row->balance));
  ADD_VALUES ("bytes", _ ("Data"), _ ("Bytes in and out of the steps that begin here"),
              TSR_VALUE_BYTES, flat, row->bytes);
  ADD_VALUES ("meanCycles", _ ("Mean"),
              _ ("Recorded cycles of the group's compute sets, one number for each: only the last "
                 "execution is recorded"),
              TSR_VALUE_COUNT, FALSE, tsr_trace_round (row->mean));
  ADD_VALUES ("leastCycles", _ ("Least"), _ ("Of the recorded cycles of the group's compute sets"),
              TSR_VALUE_COUNT, FALSE, row->least);
  ADD_VALUES ("mostCycles", _ ("Most"), _ ("Of the recorded cycles of the group's compute sets"),
              TSR_VALUE_COUNT, FALSE, row->most);
  ADD_VALUES ("numComputeSets", _ ("Compute Sets"), NULL, TSR_VALUE_COUNT, FALSE,
              row->n_compute_sets);
  ADD_VALUES ("flops", _ ("FLOP"), _ ("Estimated for the compute sets that are executed"),
              TSR_VALUE_COUNT, flat, tsr_trace_round (row->flops));
  add_last_texts (answer, grid, places);
  answer->rows = tsr_grid_to_rows (grid);
  answer->sort_key = flat ? "cycles" : NULL;
  answer->row_aggregate = g_new (guint32, places->len + 1);
  answer->row_group = g_new (guint32, places->len + 1);
  for (guint i = 0; i < places->len; i++)
    {
      answer->row_aggregate[i] = g_array_index (places, Place, i).aggregate;
      answer->row_group[i] = g_array_index (places, Place, i).row;
    }
}

/* Blocks */

static void
fill_blocks (const TsrTraceQuestion *question, TsrTraceAnswer *answer)
{
  g_autofree guint8 *ipus = tsr_trace_question_dup_ipus (question);
  g_autoptr (GArray) blocks = tsr_trace_aggregate_blocks (question->trace, ipus, question->flushes);
  TsrGrid *grid;
  const char **names;
  gint64 *counts, *totals, *shares, *means, *leasts, *mosts;
  TsrRowColumn *name;

  if (blocks->len == 0)
    {
      tsr_trace_answer_say (answer, _ ("No Blocks"),
                            _ ("Blocks with their real begin and end are recorded by lightweight "
                               "profiling: the engine options profiler.blocks.filter and "
                               "profiler.programs.filter"));
      return;
    }
  grid = tsr_grid_new (blocks->len);
  name = tsr_grid_text_column ("name", _ ("Block"), NULL);
  name->pinned = TRUE;
  names = tsr_grid_add_texts (grid, name);
  counts = tsr_grid_add_values (
      grid, tsr_trace_column ("count", _ ("Executions"), NULL, TSR_VALUE_COUNT, FALSE));
  totals = tsr_grid_add_values (grid, tsr_trace_column ("cycles", _ ("Cycles"),
                                                        _ ("Blocks inside blocks count in both"),
                                                        TSR_VALUE_COUNT, FALSE));
  shares = tsr_grid_add_values (grid, tsr_trace_column ("share", _ ("Share"),
                                                        _ ("Of the cycles of all rows"),
                                                        TSR_VALUE_FRACTION, FALSE));
  means = tsr_grid_add_values (
      grid, tsr_trace_column ("meanCycles", _ ("Mean"), NULL, TSR_VALUE_COUNT, FALSE));
  leasts = tsr_grid_add_values (
      grid, tsr_trace_column ("leastCycles", _ ("Least"), NULL, TSR_VALUE_COUNT, FALSE));
  mosts = tsr_grid_add_values (
      grid, tsr_trace_column ("mostCycles", _ ("Most"), NULL, TSR_VALUE_COUNT, FALSE));
  for (guint i = 0; i < blocks->len; i++)
    {
      const TsrTraceBlockRow *row = &g_array_index (blocks, TsrTraceBlockRow, i);

      names[i] = tsr_grid_intern (grid, row->name);
      counts[i] = (gint64)row->count;
      totals[i] = row->total;
      shares[i] = tsr_trace_fraction (row->share);
      means[i] = tsr_trace_round (row->mean);
      leasts[i] = row->least;
      mosts[i] = row->most;
    }
  answer->rows = tsr_grid_to_rows (grid);
  answer->sort_key = "cycles";
  answer->note = g_strdup (_ ("All executions of the chosen IPUs, each measured: not only those in "
                              "the span."));
}

/* Question */

static gboolean
compile_regex (const TsrTraceQuestion *question, TsrTraceAnswer *answer)
{
  g_autoptr (GError) error = NULL;

  if (question->regex == NULL || *question->regex == '\0')
    {
      tsr_trace_answer_say (
          answer, _ ("No Expression"),
          _ ("Type a regular expression: what its first group matches is the row of a step"));
      return FALSE;
    }
  answer->query.regex = g_regex_new (question->regex, G_REGEX_OPTIMIZE, 0, &error);
  if (answer->query.regex == NULL)
    tsr_trace_answer_say (answer, _ ("This Is Not a Regular Expression"), error->message);
  return answer->query.regex != NULL;
}

gboolean
tsr_trace_answer_aggregate (const TsrTraceQuestion *question,
                            TsrTraceAnswer *answer,
                            GCancellable *cancellable,
                            GError **error)
{
  gboolean tree = question->group == TSR_TRACE_GROUP_TREE;

  if (question->group == TSR_TRACE_GROUP_BLOCKS)
    {
      fill_blocks (question, answer);
      return TRUE;
    }
  if (question->group == TSR_TRACE_GROUP_REGEX && !compile_regex (question, answer))
    return TRUE;
  answer->query.run = question->run;
  answer->query.from = question->from;
  answer->query.to = question->to;
  answer->query.hidden = question->hidden;
  answer->query.ipus = tsr_trace_question_dup_ipus (question);
  answer->query.depth = tree ? 1 : question->depth;
  answer->query.grouping = tree ? TSR_TRACE_BY_PREFIX : (TsrTraceGrouping)question->group;
  answer->aggregates = g_ptr_array_new_with_free_func ((GDestroyNotify)tsr_trace_aggregate_free);
  for (guint depth = 1; depth <= (tree ? question->depth : 1); depth++)
    {
      TsrTraceAggregateQuery query = answer->query;
      TsrTraceAggregate *aggregate;

      query.depth = tree ? depth : question->depth;
      aggregate = tsr_trace_aggregate (question->trace, &query, cancellable, error);
      if (aggregate == NULL)
        return FALSE;
      g_ptr_array_add (answer->aggregates, aggregate);
    }
  fill_rows (answer);
  answer->note
      = g_strdup (_ ("Mean, least and most are of different compute sets: a detailed profile keeps "
                     "only the cycles of each one's last execution."));
  return TRUE;
}

/* Matches */

TsrTraceMatches *
tsr_trace_answer_dup_matches (const TsrTraceAnswer *answer, const guint32 *rows, guint n_rows)
{
  g_autoptr (GPtrArray) has = NULL;

  g_return_val_if_fail (answer != NULL && (rows != NULL || n_rows == 0), NULL);
  if (answer->aggregates == NULL || n_rows == 0)
    return NULL;
  has = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < answer->aggregates->len; i++)
    g_ptr_array_add (has, g_new0 (guint8, get_aggregate (answer, i)->rows->len));
  for (guint k = 0; k < n_rows; k++)
    ((guint8 *)has->pdata[answer->row_aggregate[rows[k]]])[answer->row_group[rows[k]]] = 1;
  return tsr_trace_aggregate_dup_matches (
      answer->trace, (const TsrTraceAggregate *const *)answer->aggregates->pdata,
      (const guint8 *const *)has->pdata, has->len);
}

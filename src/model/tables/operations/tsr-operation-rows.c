/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes the list of operations, a column for each figure, and tables of edges. */

#include "config.h"

#include "tsr-operation-rows.h"

#include "tsr-grid.h"
#include "tsr-operation-details.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

/* (transfer full) (nullable): names of the contexts that it stands for, or their ids. */
static char *
dup_replaced (TsrOperations *operations, guint operation)
{
  const TsrDebugTables *debug = tsr_operations_get_debug (operations);
  guint n = 0;
  const guint64 *ids = tsr_operations_get_replaced (operations, operation, &n);
  GString *text = NULL;

  for (guint i = 0; i < n; i++)
    {
      const guint32 row = tsr_debug_tables_find (debug, (gint64)ids[i]);
      const char *name
          = row != TSR_NO_INDEX ? tsr_debug_tables_get_text (debug, debug->name[row]) : NULL;

      if (text == NULL)
        text = g_string_new (NULL);
      else
        g_string_append (text, ", ");
      if (name != NULL)
        g_string_append (text, name);
      else
        g_string_append_printf (text, "%" PRIu64, ids[i]);
    }
  return text != NULL ? g_string_free (text, FALSE) : NULL;
}

/* (transfer full) (nullable): "model.py:40", of the nearest context from the operation's upwards.
 */
static char *
dup_place (TsrOperations *operations, guint operation)
{
  const TsrDebugTables *debug = tsr_operations_get_debug (operations);

  for (guint32 row = tsr_operations_get_context (operations, operation); row != TSR_NO_INDEX;
       row = debug->parent[row])
    {
      const char *file = tsr_debug_tables_get_text (debug, debug->file_name[row]);

      if (file != NULL && *file != '\0')
        return debug->line[row] > 0 ? g_strdup_printf ("%s:%u", file, debug->line[row])
                                    : g_strdup (file);
    }
  return NULL;
}

/* ---- groups */

/* A row of the list. */
typedef struct
{
  guint operation; /* of a group the first one */
  guint32 parent;  /* row of its group; TSR_NO_INDEX */
  guint32 n;       /* operations of a group; 0: it is an operation */
  gint64 vertices; /* of a group: code of its vertices, each type once a tile */
  gint64 worst;    /* of a group: its code on the tile where it has most */
  gint64 cycles;   /* of a group: on the IPU where it takes longest */
} Line;

/* (transfer full) (nullable): what operations of one group have in common. */
static char *
dup_group (const TsrOperationQuestion *question, guint operation)
{
  const char *name = tsr_operations_get_name (question->operations, operation);

  if (tsr_operations_is_none (question->operations, operation))
    return NULL;
  if (question->grouping == TSR_OPERATION_GROUP_API)
    return tsr_operation_dup_name (question->operations, operation);
  return tsr_name_dup_prefix (name != NULL ? name : "", MAX (question->depth, 1));
}

/* (transfer full) (element-type Line): operations in their order; grouped, in the order of the
 * first of each group.  A group of one is no group. */
static GArray *
make_lines (const TsrOperationQuestion *question)
{
  const guint n = tsr_operation_rows_get_n (question->operations);
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_autoptr (GHashTable) groups
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
  g_autoptr (GPtrArray) members
      = g_ptr_array_new (); /* by operation: of the group that it begins */

  g_ptr_array_set_size (members, (int)n);
  for (guint i = 0; i < n && question->grouping != TSR_OPERATION_GROUP_NONE; i++)
    {
      char *group = dup_group (question, i);
      GArray *of = group != NULL ? g_hash_table_lookup (groups, group) : NULL;

      if (group == NULL)
        continue;
      if (of == NULL)
        {
          of = g_array_new (FALSE, FALSE, sizeof (guint));
          members->pdata[i] = of;
          g_hash_table_insert (groups, g_strdup (group), of);
        }
      else
        members->pdata[i] = groups; /* it begins none */
      g_array_append_val (of, i);
      g_free (group);
    }
  for (guint i = 0; i < n; i++)
    {
      const GArray *of = members->pdata[i];
      Line line = { i, TSR_NO_INDEX, 0, TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };

      if (members->pdata[i] == groups)
        continue;
      line.n = of != NULL && of->len > 1 ? of->len : 0;
      g_array_append_val (lines, line);
      line.parent = lines->len - 1;
      line.n = 0;
      for (guint k = 0; of != NULL && of->len > 1 && k < of->len; k++)
        {
          line.operation = g_array_index (of, guint, k);
          g_array_append_val (lines, line);
        }
    }
  return lines;
}

/* What of a group's code and cycles is no sum. */
static gboolean
read_groups (const TsrOperationQuestion *question,
             GArray *lines,
             GCancellable *cancellable,
             GError **error)
{
  g_autofree guint *members = g_new (guint, lines->len + 1),
                   *starts = g_new (guint, lines->len + 1);
  g_autofree gint64 *vertices = g_new (gint64, lines->len + 1);
  g_autofree gint64 *worst = g_new (gint64, lines->len + 1);
  g_autofree gint64 *cycles = g_new (gint64, lines->len + 1);
  guint n = 0, n_groups = 0;

  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);

      if (line->n > 0)
        starts[n_groups++] = n;
      else if (line->parent != TSR_NO_INDEX)
        members[n++] = line->operation;
    }
  starts[n_groups] = n;
  if (n_groups == 0)
    return TRUE;
  if (!tsr_operations_read_group_code (question->operations, members, starts, n_groups, vertices,
                                       worst, cancellable, error)
      || !tsr_operations_find_group_cycles (question->operations, members, starts, n_groups, cycles,
                                            cancellable, error))
    return FALSE;
  for (guint i = 0, group = 0; i < lines->len; i++)
    if (g_array_index (lines, Line, i).n > 0)
      {
        g_array_index (lines, Line, i).vertices = vertices[group];
        g_array_index (lines, Line, i).cycles = cycles[group];
        g_array_index (lines, Line, i).worst = worst[group++];
      }
  return TRUE;
}

/* ---- the list */

typedef struct
{
  const TsrOperationQuestion *question;
  TsrOperations *operations;
  GArray *lines; /* Line */
  TsrGrid *grid;
} List;

static const Line *
get_line (const List *list, guint32 row)
{
  return &g_array_index (list->lines, Line, row);
}

static void
add_texts (const List *list)
{
  TsrGrid *grid = list->grid;
  TsrOperations *operations = list->operations;
  const char **keys = tsr_grid_add_keys (grid);
  const char **names = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("name", _ ("Operation"), _ ("What was called")));
  TsrRowColumn *debug_name
      = tsr_grid_text_column ("debugName", _ ("Name"), _ ("Of its debug context"));
  const char **debug_names = tsr_grid_add_texts (grid, debug_name);
  const char **places = tsr_grid_add_texts (
      grid,
      tsr_grid_text_column ("place", _ ("Source"), _ ("File and line, where they are recorded")));
  const char **replaced = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("replaces", _ ("Stands for"),
                                  _ ("Operations that were alike and became this one")));

  debug_name->wide = TRUE;
  for (guint32 i = 0; i < list->lines->len; i++)
    {
      const Line *line = get_line (list, i);
      g_autofree char *key = tsr_operation_dup_key (operations, line->operation);
      g_autofree char *name = NULL, *place = NULL, *stands_for = NULL;

      if (line->n > 0)
        {
          g_autofree char *group = dup_group (list->question, line->operation);
          g_autofree char *count = tsr_units_dup_count (line->n);
          g_autofree char *own = g_strconcat ("group\t", group, NULL);

          name = g_strdup_printf ("%s × %s", count, group);
          keys[i] = tsr_grid_intern (grid, own);
          names[i] = tsr_grid_intern (grid, name);
          continue;
        }
      keys[i] = tsr_grid_intern (grid, key);
      if (tsr_operations_is_none (operations, line->operation))
        {
          names[i] = tsr_grid_intern (grid, tsr_operations_get_none_title (operations));
          continue;
        }
      name = tsr_operation_dup_name (operations, line->operation);
      place = dup_place (operations, line->operation);
      stands_for = dup_replaced (operations, line->operation);
      names[i] = tsr_grid_intern (grid, name);
      debug_names[i]
          = tsr_grid_intern (grid, tsr_operations_get_name (operations, line->operation));
      places[i] = tsr_grid_intern (grid, place);
      replaced[i] = tsr_grid_intern (grid, stands_for);
    }
}

/* To @sum what the operations of a group have. */
static gint64
add_up (const List *list, guint32 row, TsrOperationFigure figure, gint64 sum)
{
  for (guint32 i = row + 1; i <= row + get_line (list, row)->n && sum != TSR_UNKNOWN; i++)
    {
      const gint64 value
          = tsr_operations_get (list->operations, get_line (list, i)->operation, figure);

      if (value == TSR_UNKNOWN || __builtin_add_overflow (sum, value, &sum))
        sum = TSR_UNKNOWN;
    }
  return sum;
}

/* Of a group the sum, and its own code and cycles; unknown for what else does not add up. */
static gint64
get_cell (const List *list, guint32 row, const TsrOperationColumn *column)
{
  const Line *line = get_line (list, row);
  gint64 value = TSR_UNKNOWN;

  if (line->n == 0)
    return tsr_operation_column_get (column, list->operations, line->operation);
  if (column->figure == TSR_OPERATION_CODE)
    value = add_up (list, row, TSR_OPERATION_EXCHANGE_CODE,
                    add_up (list, row, TSR_OPERATION_CONTROL_CODE, line->vertices));
  else if (column->figure == TSR_OPERATION_VERTEX_CODE)
    value = line->vertices;
  else if (column->figure == TSR_OPERATION_CODE_WORST)
    value = line->worst;
  else if (column->figure == TSR_OPERATION_WALL_CYCLES)
    value = line->cycles;
  else if (column->summed || column->mean)
    value = add_up (list, row, column->figure, 0);
  return tsr_operation_column_convert (column, list->operations, value);
}

/* Parts of the tile cycles of all, groups too. */
static void
add_shares (const List *list, const gint64 *cycles)
{
  const gint64 all = tsr_operations_get_total (list->operations, TSR_OPERATION_TILE_CYCLES);
  gint64 *shares = tsr_grid_add_values (
      list->grid,
      tsr_grid_column ("tileCyclesShare", _ ("Share"),
                       _ ("Of the measured tile cycles of the whole report"), TSR_VALUE_FRACTION));

  for (guint32 i = 0; i < list->lines->len; i++)
    if (cycles[i] != TSR_UNKNOWN && all > 0)
      shares[i] = (gint64)llround ((double)cycles[i] / (double)all * 1e9);
}

/* FLOPs a second, as tsr_operations_get_gflops has them of an operation; NAN. */
static double
get_rate (const List *list, gint64 flops, gint64 cycles)
{
  if (flops == TSR_UNKNOWN || cycles == TSR_UNKNOWN || cycles <= 0)
    return NAN;
  return (double)flops / ((double)cycles / tsr_operations_get_clock (list->operations));
}

static void
add_ratios (const List *list)
{
  gint64 *balance = tsr_grid_add_values (
      list->grid,
      tsr_grid_column ("balance", _ ("Tile balance"),
                       _ ("Mean tile by the longest, weighted by cycles"), TSR_VALUE_FRACTION));
  gint64 *gflops = tsr_grid_add_values (
      list->grid, tsr_grid_column ("flopsPerSecond", _ ("GFLOPS"),
                                   _ ("FLOPs by the time of its cycles"), TSR_VALUE_GIGA));

  for (guint32 i = 0; i < list->lines->len; i++)
    {
      const Line *line = get_line (list, i);
      const double share = tsr_operations_get_balance (list->operations, line->operation);
      const double rate
          = line->n == 0 ? tsr_operations_get_gflops (list->operations, line->operation) * 1e9
                         : get_rate (list, add_up (list, i, TSR_OPERATION_FLOPS, 0), line->cycles);

      if (line->n == 0 && !isnan (share))
        balance[i] = (gint64)llround (share * 1e9);
      if (!isnan (rate) && rate < 9e18)
        gflops[i] = (gint64)llround (rate);
    }
}

static TsrRows *
make_list (const TsrOperationQuestion *question, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) lines = make_lines (question);
  List list = { question, question->operations, lines, NULL };
  TsrRows *rows;
  guint32 *parents;

  if (!read_groups (question, lines, cancellable, error))
    return NULL;
  list.grid = tsr_grid_new (lines->len);
  add_texts (&list);
  for (guint k = 0; k < tsr_operation_n_columns; k++)
    {
      const TsrOperationColumn *of = &tsr_operation_columns[k];
      TsrRowColumn *column = tsr_grid_column (
          of->key, _ (of->title), of->definition != NULL ? _ (of->definition) : NULL, of->kind);
      gint64 *values;

      column->summed = of->summed;
      column->leaves = TRUE;
      if (!of->summed)
        column->whole = tsr_operation_column_get (of, question->operations, TSR_NO_INDEX);
      values = tsr_grid_add_values (list.grid, column);
      for (guint32 i = 0; i < lines->len; i++)
        values[i] = get_cell (&list, i, of);
      if (of->figure == TSR_OPERATION_TILE_CYCLES)
        add_shares (&list, values);
    }
  add_ratios (&list);
  rows = tsr_grid_to_rows (list.grid);
  for (guint32 i = 0; i < lines->len; i++)
    if (get_line (&list, i)->n == 0
        && tsr_operations_is_none (list.operations, get_line (&list, i)->operation))
      tsr_rows_set_rest (rows, i);
  if (question->grouping == TSR_OPERATION_GROUP_NONE)
    return rows;
  parents = g_new (guint32, MAX (lines->len, 1));
  for (guint32 i = 0; i < lines->len; i++)
    parents[i] = get_line (&list, i)->parent;
  tsr_rows_set_parents (rows, parents);
  return rows;
}

/* ---- edges */

static const char *
get_kind (TsrEdgeKinds kinds)
{
  switch ((guint)kinds)
    {
    case TSR_EDGE_RECORDED:
      return _ ("Recorded");
    case TSR_EDGE_DECLARED:
      return _ ("Declared");
    default:
      return _ ("Recorded and declared");
    }
}

static TsrRows *
make_edges (TsrOperations *operations, const GArray *edges, gboolean produced)
{
  TsrGrid *grid = tsr_grid_new (edges->len);
  const char **keys = tsr_grid_add_keys (grid);
  const char **names
      = tsr_grid_add_texts (grid, tsr_grid_text_column ("variable", _ ("Variable"), NULL));
  const char **others = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("name", produced ? _ ("Read by") : _ ("Written by"), NULL));
  const char **debug_names
      = tsr_grid_add_texts (grid, tsr_grid_text_column ("debugName", _ ("Name"), NULL));
  const char **types
      = tsr_grid_add_texts (grid, tsr_grid_text_column ("elementType", _ ("Type"), NULL));
  const char **shapes
      = tsr_grid_add_texts (grid, tsr_grid_text_column ("shape", _ ("Shape"), NULL));
  const char **kinds = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("kind", _ ("Told by"),
                                  _ ("Recorded: its programs. Declared: inputs and outputs of the "
                                     "debug contexts")));
  TsrRowColumn *size = tsr_grid_column ("bytes", _ ("Size"), NULL, TSR_VALUE_BYTES);
  gint64 *bytes = tsr_grid_add_values (grid, size);
  TsrVariables *variables = tsr_operations_get_variables (operations);

  size->summed = FALSE; /* a variable stands there for each operation at its other end */
  for (guint i = 0; i < edges->len; i++)
    {
      const TsrOperationEdge *edge = &g_array_index (edges, TsrOperationEdge, i);
      const guint32 other = produced ? edge->to : edge->from;
      const guint32 context = tsr_operations_get_context (operations, other);
      g_autofree char *name = tsr_operation_dup_name (operations, other);
      g_autofree char *key = g_strdup_printf (
          "%s\t%u\t%" PRIu64, edge->name, edge->variable,
          context == TSR_NO_INDEX ? 0 : tsr_operations_get_debug (operations)->id[context]);

      keys[i] = tsr_grid_intern (grid, key);
      names[i] = tsr_grid_intern (grid, edge->name);
      others[i] = tsr_grid_intern (grid, name != NULL ? name
                                                      : tsr_operations_get_none_title (operations));
      debug_names[i] = tsr_grid_intern (grid, tsr_operations_get_name (operations, other));
      kinds[i] = get_kind (edge->kinds);
      bytes[i] = edge->bytes;
      if (edge->variable == TSR_NO_INDEX || variables == NULL)
        continue;
      types[i] = tsr_grid_intern (grid, tsr_variables_get_element_type (variables, edge->variable));
      shapes[i] = tsr_grid_intern (grid, tsr_variables_get_shape (variables, edge->variable));
    }
  return tsr_grid_to_rows (grid);
}

TsrTableAnswer *
tsr_operation_answer_new (const TsrOperationQuestion *question,
                          GCancellable *cancellable,
                          GError **error)
{
  const gboolean produced = question != NULL && question->tab == TSR_OPERATION_TAB_CONSUMERS;
  g_autoptr (GArray) edges = NULL;
  TsrTableAnswer *answer;

  g_return_val_if_fail (question != NULL, NULL);
  if (question->operations == NULL)
    return tsr_table_answer_new (
        _ ("No operations"),
        _ ("They are in debug.cbor, which the engine option autoReport.outputDebugInfo records"));
  if (!tsr_operations_read_records (question->operations, cancellable, error))
    return NULL;
  if ((question->tab == TSR_OPERATION_TAB_LIST || question->tab == TSR_OPERATION_TAB_SUMMARY)
      && !tsr_operations_read_worst_code (question->operations, cancellable, error))
    return NULL;
  if (question->tab == TSR_OPERATION_TAB_LIST)
    {
      g_autoptr (TsrRows) rows = make_list (question, cancellable, error);

      if (rows == NULL)
        return NULL;
      answer = tsr_table_answer_new (NULL, NULL);
      answer->rows = g_steal_pointer (&rows);
      answer->sort_key = "codeBytes";
      return answer;
    }
  if (question->tab != TSR_OPERATION_TAB_PRODUCERS && question->tab != TSR_OPERATION_TAB_CONSUMERS)
    return tsr_operation_details_new (question, cancellable, error);
  if (question->operation >= tsr_operations_get_n (question->operations))
    return tsr_table_answer_new (_ ("Select an operation"),
                                 produced ? _ ("Those that read what it writes are listed here")
                                          : _ ("Those that write what it reads are listed here"));
  edges = tsr_operations_dup_edges (question->operations, question->operation, produced,
                                    cancellable, error);
  if (edges == NULL)
    return NULL;
  answer = tsr_table_answer_new (
      produced ? _ ("Nobody reads what it writes") : _ ("Nobody writes what it reads"), NULL);
  answer->rows = make_edges (question->operations, edges, produced);
  answer->sort_key = "bytes";
  return answer;
}

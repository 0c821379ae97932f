/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes the tables of operations: a column for each figure, and edges. */

#include "config.h"

#include "tsr-operation-rows.h"

#include "tsr-grid.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

typedef struct
{
  const char *key, *title, *definition;
  TsrOperationFigure figure;
  TsrValueKind kind;
  gboolean summed; /* the figures of operations add up to the report's */
  gboolean mean;   /* over all tiles */
} Figure;

static const Figure figures[] = {
  { "codeBytes", N_ ("Code"),
    N_ ("Control code without that of children, code of exchanges, and code of vertices, each type "
        "once a tile. Others may use the same vertices, so this does not add up."),
    TSR_OPERATION_CODE, TSR_VALUE_BYTES, FALSE, FALSE },
  { "controlCodeBytes", N_ ("Control code"), N_ ("Of its programs without their children's"),
    TSR_OPERATION_CONTROL_CODE, TSR_VALUE_BYTES, TRUE, FALSE },
  { "exchangeCodeBytes", N_ ("Exchange code"), N_ ("Of its exchanges, each once"),
    TSR_OPERATION_EXCHANGE_CODE, TSR_VALUE_BYTES, TRUE, FALSE },
  { "sharedExchangeCodeBytes", N_ ("Shared exchange code"),
    N_ ("The part of its exchange code in functions that several calls share"),
    TSR_OPERATION_SHARED_EXCHANGE, TSR_VALUE_BYTES, TRUE, FALSE },
  { "vertexCodeBytes", N_ ("Vertex code"),
    N_ ("Each type of vertex once a tile that has it; others may use it too"),
    TSR_OPERATION_VERTEX_CODE, TSR_VALUE_BYTES, FALSE, FALSE },
  { "vertexStateBytes", N_ ("Vertex state"), NULL, TSR_OPERATION_VERTEX_STATE, TSR_VALUE_BYTES,
    TRUE, FALSE },
  { "measuredTileCycles", N_ ("Tile cycles"), N_ ("Measured, summed over tiles and executions"),
    TSR_OPERATION_TILE_CYCLES, TSR_VALUE_COUNT, TRUE, FALSE },
  { "wallCycles", N_ ("Cycles"),
    N_ ("From start to end of its steps, on the IPU where it took longest"),
    TSR_OPERATION_WALL_CYCLES, TSR_VALUE_COUNT, FALSE, FALSE },
  { "estimatedTileCycles", N_ ("Estimated tile cycles"),
    N_ ("As Poplar estimated them, summed over tiles and executions"), TSR_OPERATION_ESTIMATED,
    TSR_VALUE_COUNT, TRUE, FALSE },
  { "executions", N_ ("Executions"), N_ ("Recorded ones of the program that ran most often"),
    TSR_OPERATION_EXECUTIONS, TSR_VALUE_COUNT, FALSE, FALSE },
  { "flops", N_ ("FLOPs"), N_ ("Estimated, over all executions"), TSR_OPERATION_FLOPS,
    TSR_VALUE_COUNT, TRUE, FALSE },
  { "dataIn", N_ ("Bytes received"), N_ ("By tiles in its exchanges, over all executions"),
    TSR_OPERATION_DATA_IN, TSR_VALUE_BYTES, TRUE, FALSE },
  { "dataOut", N_ ("Bytes sent"), N_ ("By tiles in its exchanges, over all executions"),
    TSR_OPERATION_DATA_OUT, TSR_VALUE_BYTES, TRUE, FALSE },
  { "variableBytes", N_ ("Variables"), N_ ("Its variables, over all tiles"),
    TSR_OPERATION_VARIABLES, TSR_VALUE_BYTES, TRUE, FALSE },
  { "variableBytesMean", N_ ("Variables, mean tile"), NULL, TSR_OPERATION_VARIABLES,
    TSR_VALUE_BYTES, FALSE, TRUE },
  { "variableBytesWorst", N_ ("Variables, worst tile"), N_ ("On the tile where it has most"),
    TSR_OPERATION_VARIABLES_WORST, TSR_VALUE_BYTES, FALSE, FALSE },
  { "alwaysLiveBytes", N_ ("Always live"), NULL, TSR_OPERATION_ALWAYS_LIVE, TSR_VALUE_BYTES, TRUE,
    FALSE },
  { "alwaysLiveBytesMean", N_ ("Always live, mean tile"), NULL, TSR_OPERATION_ALWAYS_LIVE,
    TSR_VALUE_BYTES, FALSE, TRUE },
  { "alwaysLiveBytesWorst", N_ ("Always live, worst tile"), N_ ("On the tile where it has most"),
    TSR_OPERATION_ALWAYS_LIVE_WORST, TSR_VALUE_BYTES, FALSE, FALSE },
  { "temporaryBytes", N_ ("Not always live"), N_ ("Not all of it is live at one time"),
    TSR_OPERATION_TEMPORARY, TSR_VALUE_BYTES, TRUE, FALSE },
  { "temporaryBytesMean", N_ ("Not always live, mean tile"), NULL, TSR_OPERATION_TEMPORARY,
    TSR_VALUE_BYTES, FALSE, TRUE },
  { "temporaryBytesWorst", N_ ("Not always live, worst tile"), N_ ("On the tile where it has most"),
    TSR_OPERATION_TEMPORARY_WORST, TSR_VALUE_BYTES, FALSE, FALSE },
  { "touchedBytes", N_ ("Touched"),
    N_ ("Variables that its programs use, read or write, each once. Others touch them too, so this "
        "does not add up."),
    TSR_OPERATION_TOUCHED, TSR_VALUE_BYTES, FALSE, FALSE },
  { "nPrograms", N_ ("Programs"), NULL, TSR_OPERATION_PROGRAMS, TSR_VALUE_COUNT, TRUE, FALSE },
};

char *
tsr_operation_dup_name (TsrOperations *operations, guint operation)
{
  const char *api, *name;

  g_return_val_if_fail (operations != NULL, NULL);
  if (tsr_operations_is_none (operations, operation))
    return NULL;
  api = tsr_operations_get_api (operations, operation);
  name = tsr_operations_get_name (operations, operation);
  return g_strdup (api != NULL ? api : name != NULL ? name : "");
}

guint
tsr_operation_rows_get_n (TsrOperations *operations)
{
  guint n;

  g_return_val_if_fail (operations != NULL, 0);
  n = tsr_operations_get_n (operations);
  if (tsr_operations_get (operations, n - 1, TSR_OPERATION_PROGRAMS) == 0
      && tsr_operations_get (operations, n - 1, TSR_OPERATION_VARIABLES) == 0)
    n--;
  return n;
}

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

static void
add_texts (TsrGrid *grid, TsrOperations *operations, guint n)
{
  const char **keys = tsr_grid_add_keys (grid);
  const char **names = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("name", _ ("Operation"), _ ("What was called")));
  const char **debug_names = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("debugName", _ ("Name"), _ ("Of its debug context")));
  const char **places = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("place", _ ("Source"), _ ("File and line, where they are told")));
  const char **replaced = tsr_grid_add_texts (
      grid, tsr_grid_text_column ("replaces", _ ("Stands for"),
                                  _ ("Operations that were alike and became this one")));
  const TsrDebugTables *debug = tsr_operations_get_debug (operations);

  for (guint i = 0; i < n; i++)
    {
      const guint32 context = tsr_operations_get_context (operations, i);
      g_autofree char *key = NULL, *name = NULL, *place = NULL, *stands_for = NULL;

      if (context == TSR_NO_INDEX)
        {
          keys[i] = "none";
          names[i] = _ ("No debug information");
          continue;
        }
      key = g_strdup_printf ("%" PRIu64, debug->id[context]);
      name = tsr_operation_dup_name (operations, i);
      place = dup_place (operations, i);
      stands_for = dup_replaced (operations, i);
      keys[i] = tsr_grid_intern (grid, key);
      names[i] = tsr_grid_intern (grid, name);
      debug_names[i] = tsr_grid_intern (grid, tsr_operations_get_name (operations, i));
      places[i] = tsr_grid_intern (grid, place);
      replaced[i] = tsr_grid_intern (grid, stands_for);
    }
}

static gint64
get_cell (TsrOperations *operations, guint row, const Figure *figure, guint n_tiles)
{
  const gint64 value = tsr_operations_get (operations, row, figure->figure);

  if (!figure->mean || value == TSR_UNKNOWN)
    return value;
  return n_tiles == 0 ? TSR_UNKNOWN : (value + n_tiles / 2) / n_tiles;
}

static TsrRows *
make_list (TsrOperations *operations)
{
  const guint n = tsr_operation_rows_get_n (operations);
  const guint n_tiles = tsr_operations_get_n_tiles (operations);
  TsrGrid *grid = tsr_grid_new (n);
  gint64 *balance, *gflops;

  add_texts (grid, operations, n);
  for (guint k = 0; k < G_N_ELEMENTS (figures); k++)
    {
      const Figure *figure = &figures[k];
      TsrRowColumn *column = tsr_grid_column (
          figure->key, _ (figure->title),
          figure->definition != NULL ? _ (figure->definition) : NULL, figure->kind);
      gint64 *values;

      column->summed = figure->summed;
      values = tsr_grid_add_values (grid, column);
      for (guint i = 0; i < n; i++)
        values[i] = get_cell (operations, i, figure, n_tiles);
    }
  balance = tsr_grid_add_values (
      grid,
      tsr_grid_column ("balance", _ ("Tile balance"),
                       _ ("Mean tile by the longest, weighted by cycles"), TSR_VALUE_FRACTION));
  gflops = tsr_grid_add_values (grid, tsr_grid_column ("flopsPerSecond", _ ("GFLOPS"),
                                                       _ ("FLOPs by the time of its cycles"),
                                                       TSR_VALUE_GIGA));
  for (guint i = 0; i < n; i++)
    {
      const double share = tsr_operations_get_balance (operations, i);
      const double rate = tsr_operations_get_gflops (operations, i) * 1e9;

      if (!isnan (share))
        balance[i] = (gint64)llround (share * 1e9);
      if (!isnan (rate) && rate < 9e18)
        gflops[i] = (gint64)llround (rate);
    }
  return tsr_grid_to_rows (grid);
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
  gint64 *bytes
      = tsr_grid_add_values (grid, tsr_grid_column ("bytes", _ ("Size"), NULL, TSR_VALUE_BYTES));
  TsrVariables *variables = tsr_operations_get_variables (operations);

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
      others[i] = name != NULL ? tsr_grid_intern (grid, name) : _ ("No debug information");
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
  gboolean produced;
  g_autoptr (GArray) edges = NULL;
  TsrTableAnswer *answer;

  g_return_val_if_fail (question != NULL, NULL);
  produced = question->tab == TSR_OPERATION_TAB_CONSUMERS;
  if (question->operations == NULL)
    return tsr_table_answer_new (_ ("No operations"),
                                 _ ("They are told by debug.cbor, which the engine option "
                                    "autoReport.outputDebugInfo records"));
  if (!tsr_operations_read_records (question->operations, cancellable, error))
    return NULL;
  if (question->tab == TSR_OPERATION_TAB_LIST)
    {
      answer = tsr_table_answer_new (NULL, NULL);
      answer->rows = make_list (question->operations);
      answer->sort_key = "codeBytes";
      return answer;
    }
  if (question->operation >= tsr_operations_get_n (question->operations))
    return tsr_table_answer_new (_ ("No operation is chosen"), NULL);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The figures of operations as columns, and how an operation is called in a table. */

#include "config.h"

#include "tsr-operation-columns.h"

#include <glib/gi18n.h>
#include <inttypes.h>

const TsrOperationColumn tsr_operation_columns[] = {
  { "codeBytes", N_ ("Code"),
    N_ ("Control code without that of children, code of exchanges, and code of vertices, each type "
        "once a tile. Others may use the same vertices, so this does not add up."),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_CODE, TSR_VALUE_BYTES, FALSE, FALSE },
  { "controlCodeBytes", N_ ("Control code"), N_ ("Of its programs without their children's"),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_CONTROL_CODE, TSR_VALUE_BYTES, TRUE, FALSE },
  { "exchangeCodeBytes", N_ ("Exchange code"), N_ ("Of its exchanges, each once"),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_EXCHANGE_CODE, TSR_VALUE_BYTES, TRUE, FALSE },
  { "sharedExchangeCodeBytes", N_ ("Shared exchange code"),
    N_ ("The part of its exchange code in functions that several calls share"),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_SHARED_EXCHANGE, TSR_VALUE_BYTES, TRUE, FALSE },
  { "vertexCodeBytes", N_ ("Vertex code"),
    N_ ("Each type of vertex once a tile that has it; others may use it too"),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_VERTEX_CODE, TSR_VALUE_BYTES, FALSE, FALSE },
  { "vertexStateBytes", N_ ("Vertex state"), NULL, TSR_OPERATION_HEADING_MEMORY,
    TSR_OPERATION_VERTEX_STATE, TSR_VALUE_BYTES, TRUE, FALSE },
  { "codeBytesMean", N_ ("Code, mean tile"), NULL, TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_CODE,
    TSR_VALUE_BYTES, FALSE, TRUE },
  { "codeBytesWorst", N_ ("Code, worst tile"), N_ ("On the tile where it has most"),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_CODE_WORST, TSR_VALUE_BYTES, FALSE, FALSE },
  { "measuredTileCycles", N_ ("Tile cycles"), N_ ("Measured, summed over tiles and executions"),
    TSR_OPERATION_HEADING_CYCLES, TSR_OPERATION_TILE_CYCLES, TSR_VALUE_COUNT, TRUE, FALSE },
  { "wallCycles", N_ ("Cycles"),
    N_ ("From start to end of its steps, on the IPU where it took longest. Waiting counts, for a "
        "sync or the host, but for the wait that leads a run."),
    TSR_OPERATION_HEADING_CYCLES, TSR_OPERATION_WALL_CYCLES, TSR_VALUE_COUNT, FALSE, FALSE },
  { "estimatedTileCycles", N_ ("Estimated tile cycles"),
    N_ ("As Poplar estimated them, summed over tiles and executions"), TSR_OPERATION_HEADING_CYCLES,
    TSR_OPERATION_ESTIMATED, TSR_VALUE_COUNT, TRUE, FALSE },
  { "executions", N_ ("Executions"), N_ ("Recorded ones of the program that ran most often"),
    TSR_OPERATION_HEADING_CYCLES, TSR_OPERATION_EXECUTIONS, TSR_VALUE_COUNT, FALSE, FALSE },
  { "flops", N_ ("FLOPs"), N_ ("Estimated, over all executions"), TSR_OPERATION_HEADING_COMPUTE,
    TSR_OPERATION_FLOPS, TSR_VALUE_COUNT, TRUE, FALSE },
  { "dataIn", N_ ("Bytes received"), N_ ("By tiles in its exchanges, over all executions"),
    TSR_OPERATION_HEADING_COMPUTE, TSR_OPERATION_DATA_IN, TSR_VALUE_BYTES, TRUE, FALSE },
  { "dataOut", N_ ("Bytes sent"), N_ ("By tiles in its exchanges, over all executions"),
    TSR_OPERATION_HEADING_COMPUTE, TSR_OPERATION_DATA_OUT, TSR_VALUE_BYTES, TRUE, FALSE },
  { "variableBytes", N_ ("Variables"), N_ ("Its variables, over all tiles"),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_VARIABLES, TSR_VALUE_BYTES, TRUE, FALSE },
  { "variableBytesMean", N_ ("Variables, mean tile"), NULL, TSR_OPERATION_HEADING_MEMORY,
    TSR_OPERATION_VARIABLES, TSR_VALUE_BYTES, FALSE, TRUE },
  { "variableBytesWorst", N_ ("Variables, worst tile"), N_ ("On the tile where it has most"),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_VARIABLES_WORST, TSR_VALUE_BYTES, FALSE, FALSE },
  { "alwaysLiveBytes", N_ ("Always live"), NULL, TSR_OPERATION_HEADING_MEMORY,
    TSR_OPERATION_ALWAYS_LIVE, TSR_VALUE_BYTES, TRUE, FALSE },
  { "alwaysLiveBytesMean", N_ ("Always live, mean tile"), NULL, TSR_OPERATION_HEADING_MEMORY,
    TSR_OPERATION_ALWAYS_LIVE, TSR_VALUE_BYTES, FALSE, TRUE },
  { "alwaysLiveBytesWorst", N_ ("Always live, worst tile"), N_ ("On the tile where it has most"),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_ALWAYS_LIVE_WORST, TSR_VALUE_BYTES, FALSE, FALSE },
  { "temporaryBytes", N_ ("Not always live"), N_ ("Not all of it is live at one time"),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_TEMPORARY, TSR_VALUE_BYTES, TRUE, FALSE },
  { "temporaryBytesMean", N_ ("Not always live, mean tile"), NULL, TSR_OPERATION_HEADING_MEMORY,
    TSR_OPERATION_TEMPORARY, TSR_VALUE_BYTES, FALSE, TRUE },
  { "temporaryBytesWorst", N_ ("Not always live, worst tile"), N_ ("On the tile where it has most"),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_TEMPORARY_WORST, TSR_VALUE_BYTES, FALSE, FALSE },
  { "touchedBytes", N_ ("Touched"),
    N_ ("Variables that its programs use, read or write, each once. Others touch them too, so this "
        "does not add up."),
    TSR_OPERATION_HEADING_MEMORY, TSR_OPERATION_TOUCHED, TSR_VALUE_BYTES, FALSE, FALSE },
  { "nPrograms", N_ ("Programs"), NULL, TSR_OPERATION_HEADING_CYCLES, TSR_OPERATION_PROGRAMS,
    TSR_VALUE_COUNT, TRUE, FALSE },
};
const guint tsr_operation_n_columns = G_N_ELEMENTS (tsr_operation_columns);

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

char *
tsr_operation_dup_key (TsrOperations *operations, guint operation)
{
  guint32 context;

  g_return_val_if_fail (operations != NULL, NULL);
  context = tsr_operations_get_context (operations, operation);
  return context == TSR_NO_INDEX
             ? g_strdup ("none")
             : g_strdup_printf ("%" PRIu64, tsr_operations_get_debug (operations)->id[context]);
}

guint
tsr_operation_find (TsrOperations *operations, const char *key)
{
  guint64 id;
  guint32 row;
  guint found;

  g_return_val_if_fail (operations != NULL && key != NULL, TSR_NO_INDEX);
  if (g_str_equal (key, "none"))
    return tsr_operations_get_n (operations) - 1;
  if (!g_ascii_string_to_unsigned (key, 10, 1, G_MAXUINT64, &id, NULL))
    return TSR_NO_INDEX;
  row = tsr_debug_tables_find (tsr_operations_get_debug (operations), (gint64)id);
  if (row == TSR_NO_INDEX)
    return TSR_NO_INDEX;
  found = tsr_operations_of_context (operations, row);
  return tsr_operations_is_none (operations, found) ? TSR_NO_INDEX : found;
}

gint64
tsr_operation_column_get (const TsrOperationColumn *column,
                          TsrOperations *operations,
                          guint operation)
{
  const gint64 value = operation == TSR_NO_INDEX
                           ? tsr_operations_get_total (operations, column->figure)
                           : tsr_operations_get (operations, operation, column->figure);

  return tsr_operation_column_convert (column, operations, value);
}

gint64
tsr_operation_column_convert (const TsrOperationColumn *column,
                              TsrOperations *operations,
                              gint64 value)
{
  const guint n_tiles = tsr_operations_get_n_tiles (operations);

  if (!column->mean || value == TSR_UNKNOWN)
    return value;
  return n_tiles == 0 ? TSR_UNKNOWN : (value + n_tiles / 2) / n_tiles;
}

TsrOperationHeading
tsr_operation_columns_get_heading (const char *key)
{
  static const struct
  {
    const char *key;
    TsrOperationHeading heading;
  } others[] = {
    { "tileCyclesShare", TSR_OPERATION_HEADING_CYCLES },
    { "balance", TSR_OPERATION_HEADING_CYCLES },
    { "flopsPerSecond", TSR_OPERATION_HEADING_COMPUTE },
  };

  g_return_val_if_fail (key != NULL, TSR_OPERATION_HEADING_NAME);
  for (guint i = 0; i < tsr_operation_n_columns; i++)
    if (g_strcmp0 (tsr_operation_columns[i].key, key) == 0)
      return tsr_operation_columns[i].heading;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_strcmp0 (others[i].key, key) == 0)
      return others[i].heading;
  return TSR_OPERATION_HEADING_NAME;
}

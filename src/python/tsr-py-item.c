/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The names of the classes, and how an object is made: a report, a class and two numbers. */

#include "config.h"

#include "tsr-py.h"

static const struct
{
  const char *name;
  TsrPyClass base; /* itself: none */
} kinds[TSR_PY_N_CLASSES] = {
  [TSR_PY_REPORT] = { "Report", TSR_PY_REPORT },
  [TSR_PY_POPLAR_VERSION] = { "PoplarVersion", TSR_PY_POPLAR_VERSION },
  [TSR_PY_REPORT_VERSION] = { "ProfileReportVersion", TSR_PY_REPORT_VERSION },
  [TSR_PY_INSTRUMENTATION] = { "InstrumentationSettings", TSR_PY_INSTRUMENTATION },
  [TSR_PY_IPU] = { "IPU", TSR_PY_IPU },
  [TSR_PY_TARGET] = { "Target", TSR_PY_TARGET },
  [TSR_PY_GRAPH] = { "Graph", TSR_PY_GRAPH },
  [TSR_PY_COMPILATION] = { "CompilationReport", TSR_PY_COMPILATION },
  [TSR_PY_LOWERED_VARIABLES] = { "LoweredVariables", TSR_PY_LOWERED_VARIABLES },
  [TSR_PY_TILE] = { "Tile", TSR_PY_TILE },
  [TSR_PY_TILE_MEMORY] = { "TileMemory", TSR_PY_TILE_MEMORY },
  [TSR_PY_MEMORY_SIZE] = { "MemorySize", TSR_PY_MEMORY_SIZE },
  [TSR_PY_CATEGORIES] = { "MemoryByCategory", TSR_PY_CATEGORIES },
  [TSR_PY_CATEGORY] = { "MemoryCategory", TSR_PY_CATEGORY },
  [TSR_PY_CATEGORY_REGION] = { "MemoryCategoryRegion", TSR_PY_CATEGORY_REGION },
  [TSR_PY_TILE_VERTEX] = { "TileVertex", TSR_PY_TILE_VERTEX },
  [TSR_PY_VERTEX_TYPE] = { "VertexType", TSR_PY_VERTEX_TYPE },
  [TSR_PY_PROGRAM] = { "Program", TSR_PY_PROGRAM },
  [TSR_PY_ON_TILE_EXECUTE] = { "OnTileExecuteProgram", TSR_PY_PROGRAM },
  [TSR_PY_DO_EXCHANGE] = { "DoExchangeProgram", TSR_PY_PROGRAM },
  [TSR_PY_GLOBAL_EXCHANGE] = { "GlobalExchangeProgram", TSR_PY_PROGRAM },
  [TSR_PY_STREAM_COPY_BEGIN] = { "StreamCopyBeginProgram", TSR_PY_PROGRAM },
  [TSR_PY_STREAM_COPY_MID] = { "StreamCopyMidProgram", TSR_PY_PROGRAM },
  [TSR_PY_STREAM_COPY_END] = { "StreamCopyEndProgram", TSR_PY_PROGRAM },
  [TSR_PY_COMPUTE_SET] = { "ComputeSet", TSR_PY_COMPUTE_SET },
  [TSR_PY_COMPUTE_SET_VERTEX] = { "ComputeSetVertex", TSR_PY_COMPUTE_SET_VERTEX },
  [TSR_PY_LIVENESS_STEP] = { "LivenessProgramStep", TSR_PY_LIVENESS_STEP },
  [TSR_PY_LIVE_MEMORY] = { "NotAlwaysLiveMemory", TSR_PY_LIVE_MEMORY },
  [TSR_PY_VARIABLE] = { "Variable", TSR_PY_VARIABLE },
  [TSR_PY_VARIABLE_SIZE] = { "VariableSize", TSR_PY_VARIABLE },
  [TSR_PY_BRIEF_VARIABLE] = { "BriefVariable", TSR_PY_BRIEF_VARIABLE },
  [TSR_PY_LOWERED_VARIABLE] = { "LoweredVariable", TSR_PY_LOWERED_VARIABLE },
  [TSR_PY_CLASS] = { "EquivalenceClass", TSR_PY_CLASS },
  [TSR_PY_INTERVAL] = { "LivenessInterval", TSR_PY_INTERVAL },
  [TSR_PY_EXECUTION] = { "ExecutionReport", TSR_PY_EXECUTION },
  [TSR_PY_TOTAL_CYCLES] = { "TotalCycles", TSR_PY_TOTAL_CYCLES },
  [TSR_PY_RUN] = { "Run", TSR_PY_RUN },
  [TSR_PY_MICROSECONDS] = { "Microseconds", TSR_PY_MICROSECONDS },
  [TSR_PY_STEP] = { "ExecutionStep", TSR_PY_STEP },
  [TSR_PY_STEP_COMPUTE_SET] = { "ExecutionComputeSet", TSR_PY_STEP_COMPUTE_SET },
  [TSR_PY_STEP_IPU] = { "ExecutionStepIpu", TSR_PY_STEP_IPU },
  [TSR_PY_CYCLE_RANGE] = { "CycleRange", TSR_PY_CYCLE_RANGE },
  [TSR_PY_CYCLE_ENDS] = { "CycleMinMax", TSR_PY_CYCLE_ENDS },
  [TSR_PY_BLOCK] = { "Block", TSR_PY_BLOCK },
  [TSR_PY_DEBUG_CONTEXT] = { "DebugContext", TSR_PY_DEBUG_CONTEXT },
  [TSR_PY_DEBUG_LOCATION] = { "DebugLocation", TSR_PY_DEBUG_LOCATION },
  [TSR_PY_OPERATION_ANALYSIS] = { "OperationAnalysis", TSR_PY_OPERATION_ANALYSIS },
  [TSR_PY_OPERATION] = { "Operation", TSR_PY_OPERATION },
  [TSR_PY_TABLES] = { "Tables", TSR_PY_TABLES },
  [TSR_PY_TABLE] = { "Column", TSR_PY_TABLE },
  [TSR_PY_DIAGNOSTIC] = { "Diagnostic", TSR_PY_DIAGNOSTIC },
};

static PyTypeObject *types[TSR_PY_N_CLASSES];

const char *
tsr_py_class_get_name (TsrPyClass kind)
{
  return kinds[kind].name;
}

TsrPyClass
tsr_py_class_get_base (TsrPyClass kind)
{
  return kinds[kind].base;
}

PyTypeObject *
tsr_py_class_get_type (TsrPyClass kind)
{
  return types[kind];
}

void
tsr_py_class_set_type (TsrPyClass kind, PyTypeObject *type)
{
  types[kind] = type;
}

PyObject *
tsr_py_item_new (TsrPyReport *report, TsrPyClass kind, gint64 a, gint64 b)
{
  TsrPyItem *self = PyObject_New (TsrPyItem, types[kind]);

  if (self == NULL)
    return NULL;
  self->report = report;
  Py_INCREF ((PyObject *)report);
  self->kind = kind;
  self->a = a;
  self->b = b;
  return (PyObject *)self;
}

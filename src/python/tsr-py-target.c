/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Members of the report itself, its versions, the instrumentation, the target and the graph: all of
 * the summary, which is there from the beginning. */

#include "config.h"

#include "tsr-py.h"

#include <stdlib.h>
#include <string.h>

static const TsrSummary *
get_summary (TsrPyItem *self)
{
  return tsr_report_get_summary (self->report->report);
}

/* An object that stands for the whole report, of the class @arg. */
static PyObject *
get_part (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, (TsrPyClass)member->arg, 0, 0);
}

/* ----------------------------------------------------------------- versions */

/* What the version says, up to the brackets with the hash. */
static PyObject *
get_version_text (TsrPyItem *self, const TsrPyMember *member)
{
  const char *text = get_summary (self)->poplar_version;

  return text != NULL ? tsr_py_text (text) : tsr_py_missing (self->report, member->column);
}

/* Number @arg of those between the dots. */
static PyObject *
get_version_number (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrSummary *summary = get_summary (self);
  const char *text
      = self->kind == TSR_PY_POPLAR_VERSION ? summary->poplar_version : summary->report_version;

  for (gint64 i = 0; text != NULL && i < member->arg; i++)
    {
      text = strchr (text, '.');
      text = text != NULL ? text + 1 : NULL;
    }
  if (text == NULL || !g_ascii_isdigit (*text))
    return tsr_py_missing (self->report, member->column);
  return PyLong_FromLongLong (g_ascii_strtoll (text, NULL, 10));
}

static PyObject *
get_version_hash (TsrPyItem *self, const TsrPyMember *member)
{
  const char *text = get_summary (self)->poplar_version;
  const char *open = text != NULL ? strchr (text, '(') : NULL;
  const char *close = open != NULL ? strchr (open, ')') : NULL;

  if (close == NULL)
    return tsr_py_text (NULL);
  return PyUnicode_FromStringAndSize (open + 1, close - open - 1);
}

static PyObject *
get_unstable (TsrPyItem *self, const TsrPyMember *member)
{
  return PyBool_FromLong (get_summary (self)->unstable);
}

static PyObject *
get_level (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrSummary *summary = get_summary (self);

  return tsr_py_enum_get ((TsrPyEnum)member->arg, member->arg == TSR_PY_ENUM_COMPUTE
                                                      ? summary->compute_instrumentation
                                                      : summary->external_exchange_instrumentation);
}

/* ------------------------------------------------------------------- target */

static PyObject *
get_target_type (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_enum_get (TSR_PY_ENUM_TARGET, get_summary (self)->told.type);
}

/* [inferred] What a summary shows as Mk1 and Mk2 is an Ipu1 and an Ipu2. */
static PyObject *
get_architecture (TsrPyItem *self, const TsrPyMember *member)
{
  const char *name = get_summary (self)->told.architecture;

  if (name != NULL && g_ascii_strncasecmp (name, "Mk", 2) == 0 && strlen (name) < 8)
    {
      g_autofree char *ipu = g_strconcat ("Ipu", name + 2, NULL);

      return tsr_py_enum_get (TSR_PY_ENUM_ARCHITECTURE, ipu);
    }
  return tsr_py_enum_get (TSR_PY_ENUM_ARCHITECTURE, name);
}

static PyObject *
get_target_number (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_int (self, member,
                     G_STRUCT_MEMBER (gint64, &get_summary (self)->told, member->arg));
}

static PyObject *
get_frequency (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_float (self, member, get_summary (self)->told.clock_frequency);
}

static PyObject *
get_graph_number (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_int (self, member,
                     G_STRUCT_MEMBER (gint64, &get_summary (self)->graph, member->arg));
}

static PyObject *
set_print_length (PyObject *self, PyObject *argument)
{
  long length = PyLong_AsLong (argument);

  if (length == -1 && PyErr_Occurred ())
    return NULL;
  if (length < 0)
    {
      PyErr_SetString (PyExc_ValueError, "newLength must not be negative");
      return NULL;
    }
  tsr_py_list_print_length = (guint)MIN (length, G_MAXINT);
  Py_INCREF (Py_None);
  return Py_None;
}

/* A product names one of the columns that it is made of. */
#define PRODUCT(name, field, column, unit, text)                                                   \
  {                                                                                                \
    TSR_PY_TARGET, name, "int", unit, "target." column, text, 0, get_target_number,                \
        TSR_PY_OFFSET (TsrTarget, field)                                                           \
  }
#define TARGET(name, field, unit, text) PRODUCT (name, field, #field, unit, text)
#define GRAPH(name, field, text)                                                                   \
  {                                                                                                \
    TSR_PY_GRAPH, name, "int", "", "graph." #field, text, 0, get_graph_number,                     \
        TSR_PY_OFFSET (TsrGraphRow, field)                                                         \
  }

const TsrPyMember tsr_py_target_members[] = {
  { TSR_PY_REPORT, "compilation", "CompilationReport", "", "",
    "What the compiler made: target, graph, tiles, programs, variables.", 0, get_part,
    TSR_PY_COMPILATION },
  { TSR_PY_REPORT, "execution", "ExecutionReport", "", "", "What was measured when it ran.", 0,
    get_part, TSR_PY_EXECUTION },
  { TSR_PY_REPORT, "instrumentationSettings", "InstrumentationSettings", "", "",
    "What was instrumented.", 0, get_part, TSR_PY_INSTRUMENTATION },
  { TSR_PY_REPORT, "poplarVersion", "PoplarVersion", "", "", "The Poplar that compiled it.", 0,
    get_part, TSR_PY_POPLAR_VERSION },
  { TSR_PY_REPORT, "version", "ProfileReportVersion", "", "", "The version of the file's format.",
    0, get_part, TSR_PY_REPORT_VERSION },
  { TSR_PY_REPORT, "listPrintLength", "(newLength: int) -> None", "", "",
    "Sets how many items of a list str() shows, for all reports; 10 at first.",
    .method = set_print_length },

  { TSR_PY_POPLAR_VERSION, "string", "str", "", "report_info.poplar_version",
    "The version as text: '3.1.0 (a027fa0bd5)'.", 0, get_version_text },
  { TSR_PY_POPLAR_VERSION, "major", "int", "", "report_info.poplar_version", "The first number.", 0,
    get_version_number, 0 },
  { TSR_PY_POPLAR_VERSION, "minor", "int", "", "report_info.poplar_version", "The second number.",
    0, get_version_number, 1 },
  { TSR_PY_POPLAR_VERSION, "point", "int", "", "report_info.poplar_version", "The third number.", 0,
    get_version_number, 2 },
  { TSR_PY_POPLAR_VERSION, "packageHash", "str", "", "report_info.poplar_version",
    "What stands in brackets.", 0, get_version_hash },
  { TSR_PY_REPORT_VERSION, "major", "int", "", "report_info.report_version", "The first number.", 0,
    get_version_number, 0 },
  { TSR_PY_REPORT_VERSION, "minor", "int", "", "report_info.report_version", "The second number.",
    0, get_version_number, 1 },
  { TSR_PY_REPORT_VERSION, "point", "int", "", "report_info.report_version", "The third number.", 0,
    get_version_number, 2 },
  { TSR_PY_REPORT_VERSION, "isUnstableFormat", "bool", "", "report_info.report_unstable",
    "Whether the file says that a later Poplar may not read it.", 0, get_unstable },

  { TSR_PY_INSTRUMENTATION, "compute", "ComputeInstrumentationLevel", "",
    "report_info.compute_instrumentation", "For what the cycles of compute were measured.", 0,
    get_level, TSR_PY_ENUM_COMPUTE },
  { TSR_PY_INSTRUMENTATION, "externalExchange", "ExternalExchangeInstrumentationLevel", "",
    "report_info.external_exchange_instrumentation",
    "For what the cycles of exchanges between IPUs and with the host were measured.", 0, get_level,
    TSR_PY_ENUM_EXTERNAL },

  { TSR_PY_TARGET, "type", "Target.Type", "", "target.type", "Hardware, or a model of it.", 0,
    get_target_type },
  { TSR_PY_TARGET, "architecture", "IPU.Architecture", "", "target.architecture",
    "The generation of the IPU.", 0, get_architecture },
  TARGET ("numIPUs", num_ipus, "", "IPUs of all replicas."),
  TARGET ("ipusPerReplica", ipus_per_replica, "", "IPUs of a replica."),
  TARGET ("numReplicas", num_replicas, "", "Replicas."),
  TARGET ("tilesPerIpu", tiles_per_ipu, "", "Tiles of an IPU."),
  PRODUCT ("tilesPerReplica", tiles_per_replica, "tiles_per_ipu", "", "Tiles of a replica."),
  PRODUCT ("numTiles", num_tiles, "tiles_per_ipu", "", "Tiles of all replicas."),
  TARGET ("bytesPerTile", bytes_per_tile, "bytes", "Memory of a tile."),
  PRODUCT ("bytesPerIPU", bytes_per_ipu, "bytes_per_tile", "bytes", "Memory of an IPU."),
  PRODUCT (
      "memoryPerReplica", memory_per_replica, "bytes_per_tile", "bytes", "Memory of a replica."),
  PRODUCT ("totalMemory", total_memory, "bytes_per_tile", "bytes", "Memory of all replicas."),
  { TSR_PY_TARGET, "clockFrequency", "float", "Hz", "target.clock_frequency", "Cycles in a second.",
    0, get_frequency },

  GRAPH ("numComputeSets", num_compute_sets, "Compute sets that the compiler counted."),
  GRAPH ("numVertices", num_vertices, "Vertices that the compiler counted."),
  GRAPH ("numEdges", num_edges, "Edges that the compiler counted."),
  GRAPH ("numVars", num_vars, "Variables that the compiler counted."),

  { TSR_PY_COMPILATION, "target", "Target", "", "", "The machine.", 0, get_part, TSR_PY_TARGET },
  { TSR_PY_COMPILATION, "graph", "Graph", "", "", "How much the graph has.", 0, get_part,
    TSR_PY_GRAPH },
  { .name = NULL },
};

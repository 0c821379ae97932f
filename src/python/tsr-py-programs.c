/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Members of programs, compute sets and vertex types.  A program is its row; one that is made for a
 * step without a program has the row -1, and the step's type and compute set. */

#include "config.h"

#include "tsr-py.h"

#include <string.h>

#define NO_ROW (-1)

static const TsrProgramTables *
get_tables (TsrPyReport *report)
{
  return tsr_report_get_program_tables (report->report);
}

/* ----------------------------------------------------------------- programs */

/* [inferred] Types with a class of their own; all others are plain programs. */
static const struct
{
  const char *type;
  TsrPyClass kind;
} own_classes[] = {
  { "OnTileExecute", TSR_PY_ON_TILE_EXECUTE },  { "DoExchange", TSR_PY_DO_EXCHANGE },
  { "GlobalExchange", TSR_PY_GLOBAL_EXCHANGE }, { "StreamCopyBegin", TSR_PY_STREAM_COPY_BEGIN },
  { "StreamCopyMid", TSR_PY_STREAM_COPY_MID },  { "StreamCopyEnd", TSR_PY_STREAM_COPY_END },
};

static TsrPyClass
get_class (const char *type)
{
  for (guint i = 0; type != NULL && i < G_N_ELEMENTS (own_classes); i++)
    if (strcmp (own_classes[i].type, type) == 0)
      return own_classes[i].kind;
  return TSR_PY_PROGRAM;
}

PyObject *
tsr_py_program_new (TsrPyReport *report, guint32 row)
{
  const TsrProgramTables *tables = get_tables (report);

  return tsr_py_item_new (
      report, get_class (tsr_string_table_get (tables->strings, tables->program_type[row])), row,
      0);
}

/* The number b of such a program. */
#define OF_STEP(type, compute_set) ((gint64)(type) << 32 | (compute_set))
#define STEP_TYPE(b)               ((guint8)((b) >> 32))
#define STEP_COMPUTE_SET(b)        ((guint32)((b)&G_MAXUINT32))

PyObject *
tsr_py_program_new_of_step (TsrPyReport *report, guint8 type, guint32 compute_set)
{
  const TsrExecutionTables *tables = report->steps;

  return tsr_py_item_new (
      report, get_class (tsr_string_table_get (tables->strings, tables->type_name[type])), NO_ROW,
      OF_STEP (type, compute_set));
}

static const char *
get_type_name (const TsrPyItem *self)
{
  if (self->a == NO_ROW)
    {
      const TsrExecutionTables *steps = self->report->steps;

      return tsr_string_table_get (steps->strings, steps->type_name[STEP_TYPE (self->b)]);
    }
  return tsr_string_table_get (get_tables (self->report)->strings,
                               get_tables (self->report)->program_type[self->a]);
}

static PyObject *
get_id (TsrPyItem *self, const TsrPyMember *member)
{
  return PyLong_FromLongLong (self->a == NO_ROW ? NO_ROW
                                                : get_tables (self->report)->program_id[self->a]);
}

static PyObject *
get_name (TsrPyItem *self, const TsrPyMember *member)
{
  if (self->a == NO_ROW)
    return tsr_py_text (NULL);
  return tsr_py_text (tsr_string_table_get (get_tables (self->report)->strings,
                                            get_tables (self->report)->program_name[self->a]));
}

static PyObject *
get_type (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_enum_get (TSR_PY_ENUM_PROGRAM, get_type_name (self));
}

static PyObject *
make_child (TsrPyList *list, gint64 i)
{
  return tsr_py_program_new (list->report, get_tables (list->report)->child[list->a + i]);
}

static PyObject *
get_children (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrProgramTables *tables = get_tables (self->report);
  guint32 first = 0;
  guint32 end = 0;

  if (self->a != NO_ROW && tables->child_start != NULL)
    {
      first = tables->child_start[self->a];
      end = tables->child_start[self->a + 1];
    }
  return tsr_py_list_new (self->report, "Program", make_child, first, end - first);
}

static PyObject *
make_program (TsrPyList *list, gint64 i)
{
  return tsr_py_program_new (list->report, (guint32)i);
}

static PyObject *
get_programs (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_list_new (self->report, "Program", make_program, 0,
                          get_tables (self->report)->n_programs);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const guint32 x = *(const guint32 *)a;
  const guint32 y = *(const guint32 *)b;

  return x < y ? -1 : x > y;
}

PyObject *
tsr_py_vars_new (TsrPyReport *report, const guint32 *programs, guint n)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  int there = tsr_py_report_try (report, TSR_PY_PART_ALLOCATIONS);

  if (there < 0 || (there && !tsr_py_report_need (report, TSR_PY_BIT (TOUCHED))))
    return NULL;
  for (guint k = 0; there && k < n; k++)
    for (guint32 i = report->touched_start[programs[k]]; i < report->touched_start[programs[k] + 1];
         i++)
      {
        guint32 variable = report->touched[i];
        gsize first = report->allocated_start[variable];

        if (g_hash_table_add (seen, GUINT_TO_POINTER (variable)))
          g_array_append_vals (rows, &report->allocated[first],
                               (guint)(report->allocated_start[variable + 1] - first));
      }
  g_array_sort (rows, compare_rows);
  return tsr_py_lowered_list_new (
      report, TSR_PY_LOWERED_VARIABLE,
      PyBytes_FromStringAndSize (rows->data, (Py_ssize_t)rows->len * (Py_ssize_t)sizeof (guint32)),
      rows->len);
}

static PyObject *
get_vars (TsrPyItem *self, const TsrPyMember *member)
{
  const guint32 row = (guint32)self->a;

  return tsr_py_vars_new (self->report, &row, self->a == NO_ROW ? 0 : 1);
}

static PyObject *
get_debug_context (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_debug_context_new (
      self->report,
      self->a == NO_ROW ? TSR_UNKNOWN : get_tables (self->report)->program_debug_id[self->a]);
}

static PyObject *
get_array (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrProgramTables *tables = get_tables (self->report);
  const TsrTileArrayRef *refs = member->arg == TSR_PY_ARRAY_CODE ? tables->program_code
                                : member->arg == TSR_PY_ARRAY_CONTROL_CODE
                                    ? tables->program_control_code
                                    : tables->program_estimated_cycles;

  if (self->a == NO_ROW)
    return PyList_New (0);
  return tsr_py_report_tile_list (self->report, (TsrPyArrayColumn)member->arg, refs,
                                  tables->n_programs, (gsize)self->a);
}

static PyObject *
get_compute_set (TsrPyItem *self, const TsrPyMember *member)
{
  guint32 row = self->a == NO_ROW ? STEP_COMPUTE_SET (self->b)
                                  : get_tables (self->report)->program_compute_set[self->a];

  if (row == TSR_NO_INDEX)
    return tsr_py_missing (self->report, member->column);
  return tsr_py_item_new (self->report, TSR_PY_COMPUTE_SET, row, 0);
}

/* Calls the visitor's method for this type, if it has one.  It does not descend. */
static PyObject *
accept (PyObject *object, PyObject *visitor)
{
  TsrPyItem *self = (TsrPyItem *)object;
  g_autofree char *name = NULL;
  PyObject *method;
  PyObject *result;

  if (!tsr_py_report_need (self->report, TSR_PY_BIT (PROGRAMS)))
    return NULL;
  name = g_strconcat ("visit", get_type_name (self), NULL);
  method = PyObject_GetAttrString (visitor, name);
  if (method == NULL)
    {
      if (!PyErr_ExceptionMatches (PyExc_AttributeError))
        return NULL;
      PyErr_Clear ();
      Py_INCREF (Py_None);
      return Py_None;
    }
  result = PyObject_CallFunctionObjArgs (method, object, NULL);
  Py_DECREF (method);
  if (result == NULL)
    return NULL;
  Py_DECREF (result);
  Py_INCREF (Py_None);
  return Py_None;
}

/* ------------------------------------------------- compute sets and vertices */

static PyObject *
make_compute_set (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_COMPUTE_SET, i, 0);
}

static PyObject *
get_compute_sets (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_list_new (self->report, "ComputeSet", make_compute_set, 0,
                          get_tables (self->report)->n_compute_sets);
}

static PyObject *
get_set_name (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrProgramTables *tables = get_tables (self->report);

  return tsr_py_text (tsr_string_table_get (tables->strings, tables->compute_set_name[self->a]));
}

static PyObject *
get_set_cycles (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrProgramTables *tables = get_tables (self->report);

  return tsr_py_report_tile_list (self->report, TSR_PY_ARRAY_COMPUTE_SET_CYCLES,
                                  tables->compute_set_estimated_cycles, tables->n_compute_sets,
                                  (gsize)self->a);
}

static PyObject *
make_vertex (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_COMPUTE_SET_VERTEX, list->a + i, 0);
}

static PyObject *
tsr_py_vertices_new (TsrPyReport *report, guint32 compute_set)
{
  const TsrProgramTables *tables = get_tables (report);
  guint32 first = tables->vertex_start[compute_set];

  return tsr_py_list_new (report, "ComputeSetVertex", make_vertex, first,
                          tables->vertex_start[compute_set + 1] - first);
}

static PyObject *
get_set_vertices (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_vertices_new (self->report, (guint32)self->a);
}

static PyObject *
get_vertex_type (TsrPyItem *self, const TsrPyMember *member)
{
  guint32 type = get_tables (self->report)->vertex_type[self->a];

  if (type == TSR_NO_INDEX)
    return tsr_py_missing (self->report, member->column);
  return tsr_py_item_new (self->report, TSR_PY_VERTEX_TYPE, type, 0);
}

static PyObject *
get_vertex_count (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrProgramTables *tables = get_tables (self->report);

  return tsr_py_report_tile_list (self->report, TSR_PY_ARRAY_VERTEX_COUNT,
                                  tables->vertex_count_by_tile,
                                  tables->vertex_start[tables->n_compute_sets], (gsize)self->a);
}

static PyObject *
get_type_text (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrProgramTables *tables = get_tables (self->report);

  return tsr_py_text (tsr_string_table_get (tables->strings, tables->vertex_type_name[self->a]));
}

static PyObject *
get_type_size (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_int (self, member, get_tables (self->report)->vertex_type_size[self->a]);
}

#define NEEDS TSR_PY_BIT (PROGRAMS)
#define CODE(class)                                                                                \
  {                                                                                                \
    class, "codeBytesByTile", "list[int]", "bytes", "programs.code_bytes_by_tile",                 \
        "Its exchange code on each tile.", NEEDS, get_array, TSR_PY_ARRAY_CODE                     \
  }
#define CYCLES(class)                                                                              \
  {                                                                                                \
    class, "estimatedCyclesByTile", "list[int]", "cycles", "programs.estimated_cycles_by_tile",    \
        "What the compiler expects it to take on each tile.", NEEDS, get_array,                    \
        TSR_PY_ARRAY_ESTIMATED_CYCLES                                                              \
  }

const TsrPyMember tsr_py_program_members[] = {
  { TSR_PY_COMPILATION, "programs", "List[Program]", "", "programs.id",
    "Every program once, by its id.", NEEDS, get_programs },
  { TSR_PY_COMPILATION, "computeSets", "List[ComputeSet]", "", "compute_sets.compute_set",
    "The compute sets, by their id.", NEEDS, get_compute_sets },
  { TSR_PY_PROGRAM, "_id", "int", "", "programs.id",
    "The program's id; -1 where a step has no program.", NEEDS, get_id },
  { TSR_PY_PROGRAM, "name", "str", "", "programs.name", "The program's name.", NEEDS, get_name },
  { TSR_PY_PROGRAM, "type", "Program.Type", "", "programs.type", "What kind of program it is.",
    NEEDS, get_type },
  { TSR_PY_PROGRAM, "children", "List[Program]", "", "program_children.child",
    "The programs in it, in order.", NEEDS, get_children },
  { TSR_PY_PROGRAM, "vars", "List[LoweredVariable]", "", "program_variables.variable",
    "All allocations of the variables that it touches, by id.", NEEDS, get_vars,
    .tries = TSR_PY_BIT (ALLOCATIONS) },
  { TSR_PY_PROGRAM, "debugContext", "DebugContext | None", "", "programs.debug_id",
    "Where it comes from; None where that is not recorded.", NEEDS, get_debug_context,
    .tries = TSR_PY_BIT (DEBUG) },
  { TSR_PY_PROGRAM, "controlCodeByTile", "list[int]", "bytes", "programs.control_code_by_tile",
    "Its control code on each tile, with that of its children.", NEEDS, get_array,
    TSR_PY_ARRAY_CONTROL_CODE },
  { TSR_PY_PROGRAM, "accept", "(visitor: ProgramVisitor) -> None", "", "",
    "Calls visit<Type> of the visitor with this program; it does not descend.", .method = accept },
  { TSR_PY_ON_TILE_EXECUTE, "computeset", "ComputeSet", "", "programs.compute_set",
    "The compute set that it executes.", NEEDS, get_compute_set },
  CODE (TSR_PY_DO_EXCHANGE),
  CYCLES (TSR_PY_DO_EXCHANGE),
  CODE (TSR_PY_GLOBAL_EXCHANGE),
  CYCLES (TSR_PY_GLOBAL_EXCHANGE),
  CODE (TSR_PY_STREAM_COPY_BEGIN),
  CYCLES (TSR_PY_STREAM_COPY_BEGIN),
  CODE (TSR_PY_STREAM_COPY_MID),
  CYCLES (TSR_PY_STREAM_COPY_MID),
  CODE (TSR_PY_STREAM_COPY_END),
  CYCLES (TSR_PY_STREAM_COPY_END),
  { TSR_PY_COMPUTE_SET, "name", "str", "", "compute_sets.name", "The compute set's name.", NEEDS,
    get_set_name },
  { TSR_PY_COMPUTE_SET, "vertices", "List[ComputeSetVertex]", "",
    "compute_set_vertices.vertex_type", "What it executes.", NEEDS, get_set_vertices },
  { TSR_PY_COMPUTE_SET, "estimatedCyclesByTile", "list[int]", "cycles",
    "compute_sets.estimated_cycles_by_tile", "What the compiler expects it to take on each tile.",
    NEEDS, get_set_cycles },
  { TSR_PY_COMPUTE_SET_VERTEX, "type", "VertexType", "", "compute_set_vertices.vertex_type",
    "The type of the vertices.", NEEDS, get_vertex_type },
  { TSR_PY_COMPUTE_SET_VERTEX, "countByTile", "list[int]", "", "compute_set_vertices.count_by_tile",
    "How many there are on each tile.", NEEDS, get_vertex_count },
  { TSR_PY_VERTEX_TYPE, "name", "str", "", "vertex_types.name", "The type's name.", NEEDS,
    get_type_text },
  { TSR_PY_VERTEX_TYPE, "size", "int", "bytes", "vertex_types.size_bytes",
    "The state of one vertex.", NEEDS, get_type_size },
  { .name = NULL },
};

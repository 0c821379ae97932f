/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Members of operations.  One is its place in a list of the report's, which is the number b: the
 * list of a layer is made once. */

#include "config.h"

#include "tsr-py.h"

static void
analysis_free (gpointer data)
{
  TsrPyAnalysis *analysis = data;

  tsr_operation_list_free (analysis->list);
  g_free (analysis->layer);
  g_free (analysis);
}

static gboolean
make_list (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  TsrPyAnalysis *analysis = data;

  analysis->list = tsr_operation_list_new (
      tsr_report_get_program_tables (self->report), self->debug,
      tsr_report_get_liveness_tables (self->report), analysis->layer, cancellable, error);
  return analysis->list != NULL;
}

static gint64
find_analysis (const TsrPyReport *report, const char *layer)
{
  for (guint i = 0; report->analyses != NULL && i < report->analyses->len; i++)
    if (g_strcmp0 (((TsrPyAnalysis *)report->analyses->pdata[i])->layer, layer) == 0)
      return i;
  return -1;
}

/* The number of the layer's analysis, which is made once; -1 with an exception. */
static gint64
need_analysis (TsrPyReport *report, const char *layer)
{
  TsrPyAnalysis *analysis;
  GError *error = NULL;
  gboolean ok;

  if (find_analysis (report, layer) >= 0)
    return find_analysis (report, layer);
  analysis = g_new0 (TsrPyAnalysis, 1);
  analysis->layer = g_strdup (layer);
  ok = tsr_py_report_run (report, make_list, analysis, &error);
  if (error != NULL)
    tsr_py_raise (error);
  if (ok && find_analysis (report, layer) < 0)
    {
      if (report->analyses == NULL)
        report->analyses = g_ptr_array_new_with_free_func (analysis_free);
      g_ptr_array_add (report->analyses, analysis);
      return report->analyses->len - 1;
    }
  /* Failed, or another thread was faster. */
  g_clear_pointer (&analysis->list, tsr_operation_list_free);
  g_free (analysis->layer);
  g_free (analysis);
  return ok ? find_analysis (report, layer) : -1;
}

PyObject *
tsr_py_operation_analysis_new (PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  static const char *const names[] = { "report", "layer", NULL };
  PyObject *object;
  const char *layer = NULL;
  TsrPyReport *report;
  gint64 number;

  if (!PyArg_ParseTupleAndKeywords (args, keywords, "O|z:OperationAnalysis", (char **)names,
                                    &object, &layer))
    return NULL;
  if (Py_TYPE (object) != tsr_py_class_get_type (TSR_PY_REPORT))
    {
      PyErr_SetString (PyExc_TypeError, "OperationAnalysis takes a report of openReport()");
      return NULL;
    }
  report = (TsrPyReport *)object;
  /* Liveness steps are told where there are any. */
  if (!tsr_py_report_need (report, TSR_PY_BIT (PROGRAMS) | TSR_PY_BIT (DEBUG))
      || tsr_py_report_try (report, TSR_PY_PART_LIVENESS) < 0)
    return NULL;
  number = need_analysis (report, layer);
  return number >= 0 ? tsr_py_item_new (report, TSR_PY_OPERATION_ANALYSIS, number, 0) : NULL;
}

static const TsrOperationList *
get_list (const TsrPyReport *report, gint64 number)
{
  return ((TsrPyAnalysis *)report->analyses->pdata[number])->list;
}

static PyObject *
make_operation (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_OPERATION, i, list->a);
}

static PyObject *
get_operations (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_list_new (self->report, "Operation", make_operation, self->a,
                          get_list (self->report, self->a)->n);
}

/* That of the context that it stands for. */
static PyObject *
get_name (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrOperationList *list = get_list (self->report, self->b);
  const TsrDebugTables *debug = self->report->debug;
  const guint32 row
      = list->replaced[self->a] != TSR_NO_INDEX ? list->replaced[self->a] : list->context[self->a];

  return tsr_py_text (tsr_debug_tables_get_text (debug, debug->name[row]));
}

static const guint32 *
peek_programs (const TsrPyItem *self, guint *n)
{
  const TsrOperationList *list = get_list (self->report, self->b);
  const guint32 group = list->group[self->a];

  *n = list->program_start[group + 1] - list->program_start[group];
  return list->program + list->program_start[group];
}

static PyObject *
make_program (TsrPyList *list, gint64 i)
{
  const guint32 *rows = (const guint32 *)PyBytes_AsString (list->keep);

  return tsr_py_program_new (list->report, rows[i]);
}

static PyObject *
get_programs (PyObject *object, PyObject *nothing)
{
  TsrPyItem *self = (TsrPyItem *)object;
  guint n = 0;
  const guint32 *rows = peek_programs (self, &n);
  PyObject *keep
      = PyBytes_FromStringAndSize ((const char *)rows, (Py_ssize_t)(n * sizeof (guint32)));

  return keep != NULL ? tsr_py_list_new_of (self->report, "Program", make_program, 0, n, keep)
                      : NULL;
}

static PyObject *
get_vars (TsrPyItem *self, const TsrPyMember *member)
{
  guint n = 0;
  const guint32 *rows = peek_programs (self, &n);

  return tsr_py_vars_new (self->report, rows, n);
}

static PyObject *
get_step (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrOperationList *list = get_list (self->report, self->b);
  const guint32 step
      = (member->arg == 0 ? list->first_step : list->last_step)[list->group[self->a]];

  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (self->report->report);

  if (step != TSR_NO_INDEX)
    return PyLong_FromUnsignedLong (step);
  if (liveness == NULL || liveness->n_steps == 0)
    return tsr_py_missing (self->report, member->column);
  /* Another engine option would not change it. */
  PyErr_SetString (
      tsr_py_missing_error,
      "liveness_steps.program names no program of this operation, and none that it calls "
      "or encloses");
  return NULL;
}

static PyObject *
get_context (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, TSR_PY_DEBUG_CONTEXT,
                          get_list (self->report, self->b)->context[self->a], 0);
}

static PyObject *
make_context (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_DEBUG_CONTEXT, list->a, 0);
}

static PyObject *
get_replaced (TsrPyItem *self, const TsrPyMember *member)
{
  const guint32 row = get_list (self->report, self->b)->replaced[self->a];

  return tsr_py_list_new (self->report, "DebugContext", make_context, row,
                          row != TSR_NO_INDEX ? 1 : 0);
}

/* An analysis is there only when its parts are. */
const TsrPyMember tsr_py_operation_members[] = {
  { TSR_PY_OPERATION_ANALYSIS, "operations", "List[Operation]", "", "",
    "In the order of their first program, depth first; then those without programs.", 0,
    get_operations },
  { TSR_PY_OPERATION, "name", "str", "", "debug.cbor.name",
    "The name of the context that it stands for.", 0, get_name },
  { TSR_PY_OPERATION, "programs", "() -> List[Program]", "", "programs.debug_id",
    "The programs that hang under its context.", .method = get_programs, .no_argument = TRUE },
  { TSR_PY_OPERATION, "vars", "List[LoweredVariable]", "", "program_variables.variable",
    "All allocations of the variables that these touch, each once, by id.", 0, get_vars,
    .tries = TSR_PY_BIT (ALLOCATIONS) },
  { TSR_PY_OPERATION, "firstStepIndex", "int", "", "liveness_steps.program",
    "The first liveness step with one of its programs; of calls alone, with what they lead to.", 0,
    get_step, 0 },
  { TSR_PY_OPERATION, "lastStepIndex", "int", "", "liveness_steps.program",
    "The last liveness step with one of its programs; of calls alone, with what they lead to.", 0,
    get_step, 1 },
  { TSR_PY_OPERATION, "debugContext", "DebugContext", "", "", "The context that it is.", 0,
    get_context },
  { TSR_PY_OPERATION, "replacedDebugContext", "List[DebugContext]", "",
    "debug.cbor.replacedDebugContextIds",
    "The context that it was outlined from, where several became one; else none.", 0,
    get_replaced },
  { .name = NULL },
};

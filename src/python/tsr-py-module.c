/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The extension module _core: exceptions, classes, enums, openReport. */

#include "config.h"

#include "tsr-py.h"

#include <string.h>

PyMODINIT_FUNC PyInit__core (void);

/* (transfer full) (nullable): a path as Python code gives it: str, bytes or os.PathLike. */
static char *
dup_path (PyObject *argument)
{
  PyObject *path = PyOS_FSPath (argument);
  PyObject *bytes = NULL;
  char *text = NULL;

  if (path != NULL && PyUnicode_FSConverter (path, &bytes))
    text = g_strdup (PyBytes_AsString (bytes));
  Py_XDECREF (bytes);
  Py_XDECREF (path);
  return text;
}

static PyObject *
open_report (PyObject *module, PyObject *args, PyObject *keywords)
{
  /* One file has a name of its own. */
  static const char *const with_one[] = { "filename", "debugInfoFilename", NULL };
  static const char *const with_two[] = { "profileFilename", "debugInfoFilename", NULL };
  const char *const *names
      = keywords != NULL && PyDict_GetItemString (keywords, "profileFilename") != NULL ? with_two
                                                                                       : with_one;
  PyObject *filename;
  PyObject *debug = Py_None;
  g_autofree char *path = NULL;
  g_autofree char *debug_path = NULL;
  TsrPyReport *self;

  if (!PyArg_ParseTupleAndKeywords (args, keywords, "O|O:openReport", (char **)names, &filename,
                                    &debug))
    return NULL;
  path = dup_path (filename);
  if (path != NULL && debug != Py_None)
    debug_path = dup_path (debug);
  if (path == NULL || (debug != Py_None && debug_path == NULL))
    return NULL;
  self = PyObject_New (TsrPyReport, tsr_py_class_get_type (TSR_PY_REPORT));
  if (self == NULL)
    return NULL;
  memset ((char *)self + sizeof (PyObject), 0, sizeof *self - sizeof (PyObject));
  self->item.kind = TSR_PY_REPORT;
  self->item.report = self;
  if (!tsr_py_report_open (self, path, debug_path))
    Py_CLEAR (self);
  return (PyObject *)self;
}

static PyObject *
open_trace (PyObject *module, PyObject *args)
{
  PyErr_SetString (PyExc_NotImplementedError,
                   "openTrace reads PopVision System Analyser traces (.pvti), another format than "
                   "graph profiles; Tessera reads graph profiles only");
  return NULL;
}

static PyObject *
list_members (PyObject *module, PyObject *nothing)
{
  return tsr_py_classes_list_members ();
}

static gboolean
make_errors (PyObject *module)
{
  PyObject *bases;

  tsr_py_report_error = PyErr_NewExceptionWithDoc ("tessera_pva.ReportError",
                                                   "A report that cannot be opened or read.",
                                                   PyExc_RuntimeError, NULL);
  bases = tsr_py_report_error != NULL ? PyTuple_Pack (2, tsr_py_report_error, PyExc_AttributeError)
                                      : NULL;
  if (bases != NULL)
    tsr_py_missing_error = PyErr_NewExceptionWithDoc (
        "tessera_pva.MissingDataError",
        "What the file does not tell: names table, column and the engine option that records it.",
        bases, NULL);
  Py_XDECREF (bases);
  return tsr_py_missing_error != NULL
         && PyModule_AddObjectRef (module, "ReportError", tsr_py_report_error) == 0
         && PyModule_AddObjectRef (module, "MissingDataError", tsr_py_missing_error) == 0;
}

PyMODINIT_FUNC
PyInit__core (void)
{
  static PyMethodDef methods[] = {
    { "openReport", (PyCFunction)(void (*) (void))open_report, METH_VARARGS | METH_KEYWORDS,
      "openReport(filename, debugInfoFilename=None) -> Report\n\nOpens a report: profile.pop, its "
      "folder, archive.a, or ssh://host/path.  Reads nothing big; each part is loaded when it is "
      "first asked for.  Raises ReportError." },
    { "openTrace", open_trace, METH_VARARGS, "Not supported: another format." },
    { "_list_members", list_members, METH_NOARGS, NULL },
    { NULL },
  };
  static PyModuleDef definition = { PyModuleDef_HEAD_INIT, "tessera_pva._core",
                                    "Reads reports of Graphcore IPU programs.", -1, methods };
  PyObject *module = PyModule_Create (&definition);

  if (module == NULL)
    return NULL;
  tsr_py_report_watch_forks ();
  if (!make_errors (module) || !tsr_py_lists_init (module) || !tsr_py_classes_init (module)
      || !tsr_py_enums_init (module)
      || PyModule_AddStringConstant (module, "__version__", TSR_VERSION) < 0)
    {
      Py_DECREF (module);
      return NULL;
    }
  return module;
}

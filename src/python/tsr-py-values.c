/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers, texts, indices and exceptions for Python.  What the file does not tell is an exception
 * that names the column and the engine option that records it: never 0 and never None. */

#include "config.h"

#include "tsr-py.h"

#include "tsr-error.h"

#include <math.h>
#include <string.h>

PyObject *tsr_py_report_error, *tsr_py_missing_error;

/* Which engine option records a table. */
static const struct
{
  const char *begins;
  const char *option;
} options[] = {
  { "vars_info", "autoReport.outputLoweredVars" },
  { "tile_vars", "autoReport.outputLoweredVars" },
  { "equivalence_class", "autoReport.outputLoweredVars" },
  { "vars_string_table", "autoReport.outputLoweredVars" },
  { "steps", "autoReport.outputExecutionProfile" },
  { "runs", "autoReport.outputExecutionProfile" },
  { "run_cycles", "autoReport.outputExecutionProfile" },
  { "blocks", "autoReport.outputExecutionProfile" },
  { "execution", "autoReport.outputExecutionProfile" },
  { "tile_cycles", "debug.computeInstrumentationLevel=tile" },
  { "debug.cbor", "autoReport.outputDebugInfo" },
  { "", "autoReport.outputGraphProfile" },
};

PyObject *
tsr_py_missing (TsrPyReport *report, const char *column)
{
  const gboolean debug = g_str_has_prefix (column, "debug.cbor.");
  const char *file = debug ? "debug.cbor" : "profile.pop";
  const TsrReportFiles *files
      = report != NULL && report->report != NULL ? tsr_report_get_files (report->report) : NULL;
  guint i = 0;

  if (files != NULL)
    file = files->files[debug ? TSR_FILE_DEBUG : TSR_FILE_PROFILE].name;
  if (debug && report != NULL && report->debug_source != NULL)
    file = tsr_source_get_name (report->debug_source);
  while (!g_str_has_prefix (column, options[i].begins))
    i++;
  PyErr_Format (tsr_py_missing_error,
                "%s does not tell it: %s is missing or NULL; record the report with the engine "
                "option %s",
                file, column + (debug ? strlen ("debug.cbor.") : 0), options[i].option);
  return NULL;
}

PyObject *
tsr_py_raise (GError *error)
{
  PyObject *kind = tsr_py_report_error;

  if (error == NULL)
    PyErr_SetString (kind, "the report has no profile that can be read");
  else if (!PyErr_Occurred ())
    {
      if (g_error_matches (error, TSR_ERROR, TSR_ERROR_MISSING_PART))
        kind = tsr_py_missing_error;
      PyErr_SetString (kind, error->message);
    }
  g_clear_error (&error);
  return NULL;
}

PyObject *
tsr_py_int (TsrPyItem *self, const TsrPyMember *member, gint64 value)
{
  if (value == TSR_UNKNOWN)
    return tsr_py_missing (self->report, member->column);
  return PyLong_FromLongLong (value);
}

PyObject *
tsr_py_float (TsrPyItem *self, const TsrPyMember *member, double value)
{
  if (isnan (value))
    return tsr_py_missing (self->report, member->column);
  return PyFloat_FromDouble (value);
}

PyObject *
tsr_py_text (const char *text)
{
  return PyUnicode_FromString (text != NULL ? text : "");
}

PyObject *
tsr_py_int_list (const guint32 *values, guint n, guint times)
{
  PyObject *list = PyList_New ((Py_ssize_t)n * times);

  for (guint i = 0; list != NULL && i < n; i++)
    {
      PyObject *value = PyLong_FromUnsignedLong (values[i]);

      if (value == NULL)
        Py_CLEAR (list);
      for (guint k = 0; list != NULL && k < times; k++)
        {
          Py_INCREF (value);
          PyList_SetItem (list, (Py_ssize_t)k * n + i, value);
        }
      Py_XDECREF (value);
    }
  return list;
}

gboolean
tsr_py_get_index (PyObject *argument, gint64 n, gint64 *index)
{
  Py_ssize_t value = PyNumber_AsSsize_t (argument, PyExc_IndexError);

  if (value == -1 && PyErr_Occurred ())
    return FALSE;
  if (value < 0)
    value += n;
  if (value < 0 || value >= n)
    {
      PyErr_Format (PyExc_IndexError, "index out of range: there are %lld", (long long)n);
      return FALSE;
    }
  *index = value;
  return TRUE;
}

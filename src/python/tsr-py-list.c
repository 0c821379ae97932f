/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists that make an item when it is asked for and keep none: a sequence of Python with negative
 * indices, slices (which are real lists), iteration and "in".  Blocks can be called with a tile. */

#include "config.h"

#include "tsr-py.h"

guint tsr_py_list_print_length = 10;

static PyTypeObject *list_type, *iterator_type;

typedef struct
{
  PyObject_HEAD TsrPyList *list;
  gint64 at;
  int step;
} Iterator;

PyObject *
tsr_py_list_new_of (TsrPyReport *report,
                    const char *item_name,
                    TsrPyListItem item,
                    gint64 a,
                    gint64 n,
                    PyObject *keep)
{
  TsrPyList *self = PyObject_New (TsrPyList, list_type);

  if (self == NULL)
    {
      Py_XDECREF (keep);
      return NULL;
    }
  self->report = report;
  Py_INCREF ((PyObject *)report);
  self->item_name = item_name;
  self->item = item;
  self->a = a;
  self->n = n;
  self->keep = keep;
  self->call = NULL;
  return (PyObject *)self;
}

PyObject *
tsr_py_list_new (TsrPyReport *report, const char *item_name, TsrPyListItem item, gint64 a, gint64 n)
{
  return tsr_py_list_new_of (report, item_name, item, a, n, NULL);
}

static void
list_dealloc (PyObject *object)
{
  TsrPyList *self = (TsrPyList *)object;
  PyTypeObject *type = Py_TYPE (object);

  Py_XDECREF ((PyObject *)self->report);
  Py_XDECREF (self->keep);
  PyObject_Free (self);
  Py_DECREF (type);
}

static Py_ssize_t
list_length (PyObject *object)
{
  return ((TsrPyList *)object)->n;
}

static PyObject *
list_item (PyObject *object, Py_ssize_t i)
{
  TsrPyList *self = (TsrPyList *)object;

  if (i >= 0 && i < self->n)
    return self->item (self, i);
  PyErr_Format (PyExc_IndexError, "list index out of range: there are %lld", (long long)self->n);
  return NULL;
}

static PyObject *
list_slice (TsrPyList *self, PyObject *slice)
{
  Py_ssize_t start;
  Py_ssize_t stop;
  Py_ssize_t step;
  Py_ssize_t n;
  PyObject *result;

  if (PySlice_Unpack (slice, &start, &stop, &step) < 0)
    return NULL;
  n = PySlice_AdjustIndices (self->n, &start, &stop, step);
  result = PyList_New (n);
  for (Py_ssize_t i = 0; result != NULL && i < n; i++)
    {
      PyObject *item = self->item (self, start + i * step);

      if (item == NULL)
        Py_CLEAR (result);
      else
        PyList_SetItem (result, i, item);
    }
  return result;
}

static PyObject *
list_subscript (PyObject *object, PyObject *key)
{
  TsrPyList *self = (TsrPyList *)object;
  gint64 index;

  if (PyObject_TypeCheck (key, &PySlice_Type))
    return list_slice (self, key);
  if (!PyIndex_Check (key))
    {
      PyErr_SetString (PyExc_TypeError, "list indices must be integers or slices");
      return NULL;
    }
  if (!tsr_py_get_index (key, self->n, &index))
    return NULL;
  return self->item (self, index);
}

static PyObject *
iterate (PyObject *object, int step)
{
  Iterator *self = PyObject_New (Iterator, iterator_type);

  if (self == NULL)
    return NULL;
  self->list = (TsrPyList *)object;
  Py_INCREF (object);
  self->step = step;
  self->at = step > 0 ? 0 : self->list->n - 1;
  return (PyObject *)self;
}

static PyObject *
list_iter (PyObject *object)
{
  return iterate (object, 1);
}

static PyObject *
list_reversed (PyObject *object, PyObject *nothing)
{
  return iterate (object, -1);
}

static void
iterator_dealloc (PyObject *object)
{
  PyTypeObject *type = Py_TYPE (object);

  Py_DECREF ((PyObject *)((Iterator *)object)->list);
  PyObject_Free (object);
  Py_DECREF (type);
}

static PyObject *
iterator_next (PyObject *object)
{
  Iterator *self = (Iterator *)object;
  PyObject *item;

  if (self->at < 0 || self->at >= self->list->n)
    return NULL;
  item = self->list->item (self->list, self->at);
  if (item != NULL)
    self->at += self->step;
  return item;
}

static PyObject *
iterator_length_hint (PyObject *object, PyObject *nothing)
{
  Iterator *self = (Iterator *)object;

  return PyLong_FromLongLong (self->step > 0 ? self->list->n - self->at : self->at + 1);
}

static PyObject *
list_repr (PyObject *object)
{
  TsrPyList *self = (TsrPyList *)object;

  return PyUnicode_FromFormat ("<pva.List of %lld %s>", (long long)self->n, self->item_name);
}

static PyObject *
list_str (PyObject *object)
{
  TsrPyList *self = (TsrPyList *)object;
  gint64 n = MIN (self->n, (gint64)tsr_py_list_print_length);
  g_autoptr (GString) text = g_string_new ("[");

  for (gint64 i = 0; i < n; i++)
    {
      PyObject *item = self->item (self, i);
      PyObject *shown = item != NULL ? PyObject_Repr (item) : NULL;
      const char *word = shown != NULL ? PyUnicode_AsUTF8AndSize (shown, NULL) : NULL;

      if (word != NULL)
        g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", word);
      Py_XDECREF (shown);
      Py_XDECREF (item);
      if (word == NULL)
        return NULL;
    }
  g_string_append (text, n < self->n ? ", ...]" : "]");
  return PyUnicode_FromStringAndSize (text->str, (Py_ssize_t)text->len);
}

/* A table of what is shown of the list, for notebooks. */
static PyObject *
list_repr_html (PyObject *object, PyObject *nothing)
{
  TsrPyList *self = (TsrPyList *)object;
  gint64 n = MIN (self->n, (gint64)tsr_py_list_print_length);
  g_autoptr (GString) html = g_string_new (NULL);

  g_string_append_printf (html, "<div>%" G_GINT64_FORMAT " %s</div>", self->n, self->item_name);
  for (gint64 i = 0; i < n; i++)
    {
      PyObject *item = self->item (self, i);
      PyObject *shown = item != NULL ? PyObject_CallMethod (item, "_repr_html_", NULL) : NULL;
      const char *text = shown != NULL ? PyUnicode_AsUTF8AndSize (shown, NULL) : NULL;

      if (text != NULL)
        g_string_append (html, text);
      Py_XDECREF (shown);
      Py_XDECREF (item);
      if (text == NULL)
        return NULL;
    }
  return PyUnicode_FromStringAndSize (html->str, (Py_ssize_t)html->len);
}

static PyObject *
list_dir (PyObject *object, PyObject *nothing)
{
  return PyList_New (0);
}

static PyObject *
list_call (PyObject *object, PyObject *args, PyObject *keywords)
{
  TsrPyList *self = (TsrPyList *)object;
  PyObject *argument;

  if (self->call == NULL)
    {
      PyErr_SetString (PyExc_TypeError, "this list cannot be called");
      return NULL;
    }
  if (!PyArg_ParseTuple (args, "O", &argument))
    return NULL;
  return self->call (self->report, argument);
}

gboolean
tsr_py_lists_init (PyObject *module)
{
  static PyMethodDef methods[] = {
    { "__reversed__", list_reversed, METH_NOARGS, NULL },
    { "__dir__", list_dir, METH_NOARGS, NULL },
    { "_repr_html_", list_repr_html, METH_NOARGS, NULL },
    { NULL },
  };
  static PyMethodDef iterator_methods[] = {
    { "__length_hint__", iterator_length_hint, METH_NOARGS, NULL },
    { NULL },
  };
  static PyType_Slot slots[] = {
    { Py_tp_dealloc, list_dealloc },
    { Py_tp_repr, list_repr },
    { Py_tp_str, list_str },
    { Py_tp_iter, list_iter },
    { Py_tp_call, list_call },
    { Py_tp_methods, methods },
    { Py_sq_length, list_length },
    { Py_sq_item, list_item },
    { Py_mp_length, list_length },
    { Py_mp_subscript, list_subscript },
    { Py_tp_doc, (char *)"Items of a report, made when they are asked for." },
    { 0, NULL },
  };
  static PyType_Slot iterator_slots[] = {
    { Py_tp_dealloc, iterator_dealloc },
    { Py_tp_iter, PyObject_SelfIter },
    { Py_tp_iternext, iterator_next },
    { Py_tp_methods, iterator_methods },
    { 0, NULL },
  };
  static PyType_Spec spec = { "tessera_pva.List", sizeof (TsrPyList), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots };
  static PyType_Spec iterator_spec
      = { "tessera_pva.ListIterator", sizeof (Iterator), 0,
          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, iterator_slots };

  list_type = (PyTypeObject *)PyType_FromSpec (&spec);
  iterator_type = (PyTypeObject *)PyType_FromSpec (&iterator_spec);
  return list_type != NULL && iterator_type != NULL
         && PyModule_AddObjectRef (module, "List", (PyObject *)list_type) == 0;
}

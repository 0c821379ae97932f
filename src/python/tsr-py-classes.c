/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Makes the classes from the table of members: getters with their docstrings, methods, dir(), repr,
 * str, and what a notebook shows.  Also the type ProgramVisitor, whose methods do nothing. */

#include "config.h"

#include "tsr-py.h"

#include <string.h>

static const TsrPyMember *const tables[]
    = { tsr_py_target_members,   tsr_py_memory_members,    tsr_py_program_members,
        tsr_py_variable_members, tsr_py_liveness_members,  tsr_py_execution_members,
        tsr_py_debug_members,    tsr_py_operation_members, tsr_py_table_members };

static gboolean
is_of (const TsrPyMember *member, TsrPyClass kind)
{
  return member->kind == kind || member->kind == tsr_py_class_get_base (kind);
}

/* Calls @func for each member of @kind, those of its base first, until it returns FALSE. */
typedef gboolean (*MemberFunc) (const TsrPyMember *member, gpointer data);
static gboolean
for_each (TsrPyClass kind, MemberFunc func, gpointer data)
{
  for (guint own = 0; own < 2; own++)
    for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
      for (const TsrPyMember *member = tables[i]; member->name != NULL; member++)
        if (is_of (member, kind) && (member->kind == kind) == (own == 1) && !func (member, data))
          return FALSE;
  return TRUE;
}

/* ---------------------------------------------------------------- the slots */

static PyObject *
get_member (PyObject *object, void *closure)
{
  TsrPyItem *self = (TsrPyItem *)object;
  const TsrPyMember *member = closure;

  if (!tsr_py_report_need (self->report, member->parts))
    return NULL;
  return member->get (self, member);
}

static void
item_dealloc (PyObject *object)
{
  TsrPyItem *self = (TsrPyItem *)object;
  PyTypeObject *type = Py_TYPE (object);

  if (self->kind == TSR_PY_REPORT)
    tsr_py_report_clear ((TsrPyReport *)self);
  else
    Py_DECREF ((PyObject *)self->report);
  PyObject_Free (self);
  Py_DECREF (type);
}

/* Contexts are told by their id: a file may have one twice. */
static gint64
get_first (const TsrPyItem *self)
{
  if (self->kind == TSR_PY_DEBUG_CONTEXT && self->report->debug->id[self->a] != TSR_DEBUG_NO_ID)
    return (gint64)self->report->debug->id[self->a];
  return self->a;
}

/* A size is of a variable, whatever it is at a step; a column keeps its length there. */
static gint64
get_second (const TsrPyItem *self)
{
  return self->kind == TSR_PY_VARIABLE_SIZE || self->kind == TSR_PY_TABLE ? 0 : self->b;
}

static Py_hash_t
item_hash (PyObject *object)
{
  TsrPyItem *self = (TsrPyItem *)object;
  guint64 hash = (guint64)(gintptr)self->report ^ ((guint64)get_first (self) * 0x9e3779b97f4a7c15u)
                 ^ ((guint64)get_second (self) * 0xc2b2ae3d27d4eb4fu)
                 ^ tsr_py_class_get_base (self->kind);

  hash ^= hash >> 32;
  return (Py_hash_t)hash == -1 ? -2 : (Py_hash_t)hash;
}

static gboolean
is_item (PyObject *object)
{
  destructor dealloc = PyType_GetFlags (Py_TYPE (object)) & Py_TPFLAGS_HEAPTYPE
                           ? (destructor)PyType_GetSlot (Py_TYPE (object), Py_tp_dealloc)
                           : NULL;

  return dealloc == item_dealloc;
}

static PyObject *
item_compare (PyObject *a, PyObject *b, int op)
{
  const TsrPyItem *x = (TsrPyItem *)a;
  const TsrPyItem *y = (TsrPyItem *)b;
  gboolean equal;

  if ((op != Py_EQ && op != Py_NE) || !is_item (b))
    {
      Py_INCREF (Py_NotImplemented);
      return Py_NotImplemented;
    }
  equal = tsr_py_class_get_base (x->kind) == tsr_py_class_get_base (y->kind)
          && x->report == y->report && get_first (x) == get_first (y)
          && get_second (x) == get_second (y);
  return PyBool_FromLong (equal == (op == Py_EQ));
}

static gboolean
add_name (const TsrPyMember *member, gpointer data)
{
  PyObject *name = PyUnicode_FromString (member->name);
  gboolean ok = name != NULL && PyList_Append (data, name) == 0;

  Py_XDECREF (name);
  return ok;
}

static PyObject *
item_dir (PyObject *object, PyObject *nothing)
{
  TsrPyItem *self = (TsrPyItem *)object;
  PyObject *names;

  if (self->kind == TSR_PY_CATEGORIES)
    return tsr_py_categories_dir (self);
  names = PyList_New (0);
  if (names != NULL && !for_each (self->kind, add_name, names))
    Py_CLEAR (names);
  return names;
}

/* What names an object in its repr. */
static gboolean
find_key (const TsrPyMember *member, gpointer data)
{
  const TsrPyMember **found = data;

  if (g_strcmp0 (member->name, "_id") == 0 || g_strcmp0 (member->name, "id") == 0)
    found[0] = member;
  if (g_strcmp0 (member->name, "name") == 0)
    found[1] = member;
  return TRUE;
}

/* Kinds that are told by their number alone. */
static gboolean
is_numbered (TsrPyClass kind)
{
  return kind == TSR_PY_TILE || kind == TSR_PY_IPU || kind == TSR_PY_LIVENESS_STEP
         || kind == TSR_PY_STEP || kind == TSR_PY_RUN || kind == TSR_PY_COMPUTE_SET
         || kind == TSR_PY_BLOCK;
}

static gboolean
add_value (GString *text, PyObject *value)
{
  const char *word;
  PyObject *shown = value != NULL ? PyObject_Repr (value) : NULL;

  word = shown != NULL ? PyUnicode_AsUTF8AndSize (shown, NULL) : NULL;
  if (word != NULL)
    g_string_append (text, word);
  Py_XDECREF (shown);
  return word != NULL;
}

static PyObject *
item_repr (PyObject *object)
{
  TsrPyItem *self = (TsrPyItem *)object;
  const TsrPyMember *keys[2] = { NULL, NULL };
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "<pva.%s", tsr_py_class_get_name (self->kind));
  if (self->kind == TSR_PY_REPORT && ((TsrPyReport *)self)->report != NULL)
    {
      g_autofree char *where = tsr_report_dup_location (((TsrPyReport *)self)->report);
      g_autofree char *shown = g_filename_display_name (where);

      g_string_append_printf (text, " %s", shown);
    }
  for_each (self->kind, find_key, keys);
  if (keys[0] == NULL && is_numbered (self->kind))
    g_string_append_printf (text, " %" G_GINT64_FORMAT, self->a);
  for (guint i = 0; i < 2; i++)
    if (keys[i] != NULL && tsr_py_report_is_ready (self->report, keys[i]->parts))
      {
        PyObject *value = keys[i]->get (self, keys[i]);

        g_string_append_c (text, ' ');
        if (!add_value (text, value))
          {
            PyErr_Clear ();
            g_string_append_c (text, '-');
          }
        Py_XDECREF (value);
      }
  g_string_append_c (text, '>');
  return PyUnicode_FromStringAndSize (text->str, (Py_ssize_t)text->len);
}

/* Lists are cut; a list of numbers is one that others made. */
static gboolean
add_cut (GString *text, PyObject *value)
{
  Py_ssize_t n = value != NULL && PyList_Check (value) ? PyList_Size (value) : -1;
  Py_ssize_t most = MIN (n, (Py_ssize_t)tsr_py_list_print_length);

  if (n < 0)
    return add_value (text, value);
  g_string_append_c (text, '[');
  for (Py_ssize_t i = 0; i < most; i++)
    {
      if (i > 0)
        g_string_append (text, ", ");
      if (!add_value (text, PyList_GetItem (value, i)))
        return FALSE;
    }
  g_string_append (text, most < n ? ", ...]" : "]");
  return TRUE;
}

/* What str() and notebooks show: each member, but nothing is loaded for it. */
typedef struct
{
  TsrPyItem *item;
  GString *text;
  gboolean html;
} Showing;

static gboolean
show_member (const TsrPyMember *member, gpointer data)
{
  Showing *showing = data;
  g_autoptr (GString) value_text = g_string_new (NULL);
  PyObject *value = NULL;

  if (member->method != NULL)
    return TRUE;
  if (!tsr_py_report_is_ready (showing->item->report, member->parts | member->tries))
    g_string_append (value_text, "...");
  else
    {
      value = member->get (showing->item, member);
      if (!add_cut (value_text, value))
        {
          if (!PyErr_ExceptionMatches (PyExc_Exception))
            return FALSE;
          PyErr_Clear ();
          g_string_append (value_text, "-");
        }
      Py_XDECREF (value);
    }
  if (showing->html)
    {
      g_autofree char *safe = g_markup_escape_text (value_text->str, -1);

      g_string_append_printf (showing->text,
                              "<tr><th style='text-align:left'>%s</th>"
                              "<td style='text-align:left'>%s</td><td>%s</td></tr>",
                              member->name, safe, member->unit);
    }
  else
    g_string_append_printf (showing->text, "%s%s: %s", showing->text->len > 0 ? "\n" : "",
                            member->name, value_text->str);
  return TRUE;
}

static PyObject *
item_str (PyObject *object)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Showing showing = { (TsrPyItem *)object, text, FALSE };

  if (!for_each (showing.item->kind, show_member, &showing))
    return NULL;
  return text->len > 0 ? PyUnicode_FromStringAndSize (text->str, (Py_ssize_t)text->len)
                       : item_repr (object);
}

static PyObject *
item_repr_html (PyObject *object, PyObject *nothing)
{
  g_autoptr (GString) text = g_string_new ("<table>");
  Showing showing = { (TsrPyItem *)object, text, TRUE };

  g_string_append_printf (text, "<caption>%s</caption>",
                          tsr_py_class_get_name (showing.item->kind));
  if (!for_each (showing.item->kind, show_member, &showing))
    return NULL;
  g_string_append (text, "</table>");
  return PyUnicode_FromStringAndSize (text->str, (Py_ssize_t)text->len);
}

/* -------------------------------------------------------------- the classes */

static char *
dup_doc (const TsrPyMember *member)
{
  GString *doc = g_string_new (NULL);

  if (member->method != NULL)
    g_string_append_printf (doc, "%s%s\n\n", member->name, member->type);
  g_string_append (doc, member->text);
  if (member->method == NULL)
    g_string_append_printf (doc, "\n\nType: %s", member->type);
  if (*member->unit != '\0')
    g_string_append_printf (doc, "\nUnit: %s", member->unit);
  if (*member->column != '\0')
    g_string_append_printf (doc, "\nFrom: %s", member->column);
  return g_string_free (doc, FALSE);
}

typedef struct
{
  TsrPyClass kind;
  GArray *getters; /* PyGetSetDef */
  GArray *methods; /* PyMethodDef */
} Making;

static gboolean
add_member (const TsrPyMember *member, gpointer data)
{
  Making *making = data;
  PyGetSetDef get = { member->name, get_member, NULL, NULL, (void *)member };
  PyMethodDef method = { member->name, member->method, METH_O, NULL };

  if (member->kind != making->kind)
    return TRUE;
  /* As long as the process. */
  get.doc = method.ml_doc = dup_doc (member);
  if (member->no_argument)
    method.ml_flags = METH_NOARGS;
  if (member->method != NULL)
    g_array_append_val (making->methods, method);
  else
    g_array_append_val (making->getters, get);
  return TRUE;
}

static gsize
get_size (TsrPyClass kind)
{
  return kind == TSR_PY_REPORT ? sizeof (TsrPyReport) : sizeof (TsrPyItem);
}

static gboolean
make_class (TsrPyClass kind, PyObject *module)
{
  static const PyMethodDef common[] = {
    { "__dir__", item_dir, METH_NOARGS, NULL },
    { "_repr_html_", item_repr_html, METH_NOARGS, NULL },
  };
  Making making = { kind, g_array_new (TRUE, TRUE, sizeof (PyGetSetDef)),
                    g_array_new (TRUE, TRUE, sizeof (PyMethodDef)) };
  GArray *slots = g_array_new (TRUE, TRUE, sizeof (PyType_Slot));
  g_autofree char *name = g_strdup_printf ("tessera_pva.%s", tsr_py_class_get_name (kind));
  PyType_Spec spec = { name, (int)get_size (kind), 0,
                       Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, NULL };
  const TsrPyClass base = tsr_py_class_get_base (kind);
  PyObject *type;

  g_array_append_vals (making.methods, common, G_N_ELEMENTS (common));
  for_each (kind, add_member, &making);
  {
    const PyType_Slot own[] = {
      { Py_tp_dealloc, item_dealloc },
      { Py_tp_repr, item_repr },
      { Py_tp_str, item_str },
      { Py_tp_hash, item_hash },
      { Py_tp_richcompare, item_compare },
      { Py_tp_getset, making.getters->data },
      { Py_tp_methods, making.methods->data },
    };
    const PyType_Slot categories = { Py_tp_getattro, tsr_py_categories_get };
    const PyType_Slot buffer[] = {
      { Py_bf_getbuffer, tsr_py_table_get_buffer },
      { Py_mp_length, tsr_py_table_get_length },
    };

    const PyType_Slot new = { Py_tp_new, tsr_py_operation_analysis_new };

    g_array_append_vals (slots, own, G_N_ELEMENTS (own));
    if (kind == TSR_PY_OPERATION_ANALYSIS)
      {
        spec.flags &= ~(unsigned)Py_TPFLAGS_DISALLOW_INSTANTIATION;
        g_array_append_val (slots, new);
      }
    if (kind == TSR_PY_CATEGORIES)
      g_array_append_val (slots, categories);
    if (kind == TSR_PY_TABLE)
      g_array_append_vals (slots, buffer, G_N_ELEMENTS (buffer));
  }
  if (kind == TSR_PY_PROGRAM || kind == TSR_PY_VARIABLE)
    spec.flags |= Py_TPFLAGS_BASETYPE;
  spec.slots = (PyType_Slot *)slots->data;
  type = PyType_FromModuleAndSpec (module, &spec,
                                   base != kind ? (PyObject *)tsr_py_class_get_type (base) : NULL);
  /* The getters and methods stay with the type. */
  g_array_free (making.getters, FALSE);
  g_array_free (making.methods, FALSE);
  g_array_free (slots, TRUE);
  tsr_py_class_set_type (kind, (PyTypeObject *)type);
  return type != NULL && PyModule_AddObjectRef (module, tsr_py_class_get_name (kind), type) == 0;
}

/* ---------------------------------------------------------------- visitors */

static PyObject *
visit (PyObject *self, PyObject *program)
{
  Py_INCREF (Py_None);
  return Py_None;
}

static gboolean
make_visitor (PyObject *module)
{
  /* The class points to them as long as the process lives. */
  static PyMethodDef *visits;
  const char *const *names = tsr_py_enum_get_names (TSR_PY_ENUM_PROGRAM);
  PyType_Slot slots[] = {
    { Py_tp_methods, NULL },
    { Py_tp_doc,
      (char *)"Subclass it and write visit<Type>(self, program) for the types that you want; "
              "program.accept(visitor) calls the one of the program's type." },
    { 0, NULL },
  };
  PyType_Spec spec = { "tessera_pva.ProgramVisitor", sizeof (PyObject), 0,
                       Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots };
  PyObject *type;

  if (visits == NULL)
    {
      visits = g_new0 (PyMethodDef, g_strv_length ((char **)names) + 1);
      for (guint i = 0; names[i] != NULL; i++)
        visits[i] = (PyMethodDef){ g_strconcat ("visit", names[i], NULL), visit, METH_O,
                                   "Called for programs of this type; does nothing." };
    }
  slots[0].pfunc = visits;
  type = PyType_FromSpec (&spec);
  return type != NULL && PyModule_AddObject (module, "ProgramVisitor", type) == 0;
}

gboolean
tsr_py_classes_init (PyObject *module)
{
  for (TsrPyClass kind = 0; kind < TSR_PY_N_CLASSES; kind++)
    if (!make_class (kind, module))
      return FALSE;
  return make_visitor (module);
}

PyObject *
tsr_py_classes_list_members (void)
{
  PyObject *rows = PyList_New (0);

  for (guint i = 0; rows != NULL && i < G_N_ELEMENTS (tables); i++)
    for (const TsrPyMember *m = tables[i]; rows != NULL && m->name != NULL; m++)
      {
        const TsrPyClass base = tsr_py_class_get_base (m->kind);
        PyObject *row
            = Py_BuildValue ("(sssssssO)", tsr_py_class_get_name (m->kind),
                             base != m->kind ? tsr_py_class_get_name (base) : "", m->name, m->type,
                             m->unit, m->column, m->text, m->method != NULL ? Py_True : Py_False);

        if (row == NULL || PyList_Append (rows, row) < 0)
          Py_CLEAR (rows);
        Py_XDECREF (row);
      }
  return rows;
}

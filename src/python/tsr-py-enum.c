/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Enums as pybind11 makes them: <Type.Member: 4>, with .name, .value, int() and __members__, equal
 * only within the type; members stand on the enclosing class, too.  What a file names and the list
 * of program types lacks is made on the way and is not in __members__. */

#include "config.h"

#include "tsr-py.h"

typedef struct
{
  PyObject_HEAD TsrPyEnum kind;
  long value;
  PyObject *name;
} Member;

#define UNLISTED (-1)

/* Numbers are the places of the names.  Those of program types are ours: Poplar's are not known. */
static const char *const compute_names[]
    = { "Off", "Vertex", "Tile", "Ipu", "Device", "Unknown", NULL };
static const char *const external_names[] = { "Off", "Tile", "Unknown", NULL };
static const char *const target_names[] = { "Ipu", "IpuModel", "Cpu", "Unknown", NULL };
static const char *const architecture_names[] = { "Ipu1", "Ipu2", "Ipu21", "Unknown", NULL };
static const char *const program_names[] = { "Sequence",
                                             "Repeat",
                                             "RepeatWhileTrue",
                                             "RepeatWhileFalse",
                                             "If",
                                             "Switch",
                                             "Call",
                                             "Block",
                                             "OnTileExecute",
                                             "DoExchange",
                                             "GlobalExchange",
                                             "StreamCopyBegin",
                                             "StreamCopyMid",
                                             "StreamCopyEnd",
                                             "Sync",
                                             "Sans",
                                             "SyncAns",
                                             "OnEveryTileSwitch",
                                             "OnTileCopy",
                                             "WriteUndef",
                                             "SetLocalConsensus",
                                             "SetLocalConsensusFromVar",
                                             "GetGlobalConsensus",
                                             "CrossReplicaCopy",
                                             "AssumeEqualAcrossReplicas",
                                             "Unknown",
                                             NULL };

static struct
{
  const char *name;  /* of the class */
  const char *field; /* where it stands on the enclosing class */
  TsrPyClass owner;
  const char *const *names;
  PyTypeObject *type;
  PyObject *members; /* dict */
  PyObject *made;    /* dict: those that are not listed */
} enums[TSR_PY_N_ENUMS] = {
  [TSR_PY_ENUM_EXTERNAL]
  = { "ExternalExchangeInstrumentationLevel", "ExternalExchangeInstrumentationLevel",
      TSR_PY_INSTRUMENTATION, external_names },
  [TSR_PY_ENUM_COMPUTE] = { "ComputeInstrumentationLevel", "ComputeInstrumentationLevel",
                            TSR_PY_INSTRUMENTATION, compute_names },
  [TSR_PY_ENUM_TARGET] = { "Type", "Type", TSR_PY_TARGET, target_names },
  [TSR_PY_ENUM_ARCHITECTURE] = { "Architecture", "Architecture", TSR_PY_IPU, architecture_names },
  [TSR_PY_ENUM_PROGRAM] = { "Type", "Type", TSR_PY_PROGRAM, program_names },
};

const char *const *
tsr_py_enum_get_names (TsrPyEnum kind)
{
  return enums[kind].names;
}

static PyObject *
member_new (TsrPyEnum kind, const char *name, long value)
{
  Member *self = PyObject_New (Member, enums[kind].type);

  if (self == NULL)
    return NULL;
  self->kind = kind;
  self->value = value;
  self->name = PyUnicode_FromString (name);
  if (self->name == NULL)
    Py_CLEAR (self);
  return (PyObject *)self;
}

PyObject *
tsr_py_enum_get (TsrPyEnum kind, const char *name)
{
  PyObject *found = NULL;

  for (guint i = 0; name != NULL && found == NULL && enums[kind].names[i] != NULL; i++)
    if (g_ascii_strcasecmp (enums[kind].names[i], name) == 0)
      found = PyDict_GetItemString (enums[kind].members, enums[kind].names[i]);
  if (found == NULL && kind == TSR_PY_ENUM_PROGRAM && name != NULL && *name != '\0')
    {
      found = PyDict_GetItemString (enums[kind].made, name);
      if (found != NULL)
        Py_INCREF (found);
      else
        found = member_new (kind, name, UNLISTED);
      if (found != NULL && PyDict_SetItemString (enums[kind].made, name, found) < 0)
        Py_CLEAR (found);
      return found;
    }
  if (found == NULL)
    found = PyDict_GetItemString (enums[kind].members, "Unknown");
  Py_XINCREF (found);
  return found;
}

static void
member_dealloc (PyObject *object)
{
  PyTypeObject *type = Py_TYPE (object);

  Py_XDECREF (((Member *)object)->name);
  PyObject_Free (object);
  Py_DECREF (type);
}

static PyObject *
member_repr (PyObject *object)
{
  Member *self = (Member *)object;

  return PyUnicode_FromFormat ("<%s.%U: %ld>", enums[self->kind].name, self->name, self->value);
}

static PyObject *
member_str (PyObject *object)
{
  Member *self = (Member *)object;

  return PyUnicode_FromFormat ("%s.%U", enums[self->kind].name, self->name);
}

static PyObject *
member_int (PyObject *object)
{
  return PyLong_FromLong (((Member *)object)->value);
}

static Py_hash_t
member_hash (PyObject *object)
{
  return PyObject_Hash (((Member *)object)->name);
}

static PyObject *
member_compare (PyObject *a, PyObject *b, int op)
{
  gboolean equal = Py_TYPE (a) == Py_TYPE (b)
                   && PyUnicode_Compare (((Member *)a)->name, ((Member *)b)->name) == 0;

  if (op == Py_EQ)
    return PyBool_FromLong (equal);
  if (op == Py_NE)
    return PyBool_FromLong (!equal);
  Py_INCREF (Py_NotImplemented);
  return Py_NotImplemented;
}

static PyObject *
get_name (PyObject *object, void *closure)
{
  PyObject *name = ((Member *)object)->name;

  Py_INCREF (name);
  return name;
}

static PyObject *
get_value (PyObject *object, void *closure)
{
  return member_int (object);
}

static gboolean
make_members (guint kind)
{
  PyObject *type = (PyObject *)enums[kind].type;
  PyObject *owner = (PyObject *)tsr_py_class_get_type (enums[kind].owner);

  enums[kind].members = PyDict_New ();
  enums[kind].made = PyDict_New ();
  for (guint i = 0; enums[kind].names[i] != NULL; i++)
    {
      const char *name = enums[kind].names[i];
      PyObject *member = member_new (kind, name, (long)i);
      gboolean ok = member != NULL && PyDict_SetItemString (enums[kind].members, name, member) == 0
                    && PyObject_SetAttrString (type, name, member) == 0
                    && PyObject_SetAttrString (owner, name, member) == 0;

      Py_XDECREF (member);
      if (!ok)
        return FALSE;
    }
  return PyObject_SetAttrString (type, "__members__", enums[kind].members) == 0
         && PyObject_SetAttrString (owner, enums[kind].field, type) == 0;
}

gboolean
tsr_py_enums_init (PyObject *module)
{
  static PyGetSetDef members[] = {
    { "name", get_name, NULL, "The member's name.", NULL },
    { "value", get_value, NULL, "The member's number.", NULL },
    { NULL },
  };
  static PyType_Slot slots[] = {
    { Py_tp_dealloc, member_dealloc },
    { Py_tp_repr, member_repr },
    { Py_tp_str, member_str },
    { Py_tp_hash, member_hash },
    { Py_tp_richcompare, member_compare },
    { Py_tp_getset, members },
    { Py_nb_int, member_int },
    { Py_nb_index, member_int },
    { 0, NULL },
  };

  /* Where two enums of a class have the same names, the levels of compute count: they come last. */
  for (guint i = TSR_PY_N_ENUMS; i-- > 0;)
    {
      g_autofree char *name = g_strdup_printf (
          "tessera_pva.%s.%s", tsr_py_class_get_name (enums[i].owner), enums[i].name);
      PyType_Spec spec = { name, sizeof (Member), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots };

      enums[i].type = (PyTypeObject *)PyType_FromSpec (&spec);
      if (enums[i].type == NULL || !make_members (i))
        return FALSE;
      if (g_strcmp0 (enums[i].name, "Type") != 0 && g_strcmp0 (enums[i].name, "Architecture") != 0
          && PyModule_AddObjectRef (module, enums[i].name, (PyObject *)enums[i].type) < 0)
        return FALSE;
    }
  return TRUE;
}

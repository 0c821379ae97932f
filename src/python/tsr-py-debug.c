/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Members of debug information.  A context is its row of the debug tables. */

#include "config.h"

#include "tsr-py.h"

/* ----------------------------------------------------------------- contexts */

PyObject *
tsr_py_debug_context_new (TsrPyReport *report, gint64 debug_id)
{
  guint32 row = TSR_NO_INDEX;
  int there = debug_id == TSR_UNKNOWN ? 0 : tsr_py_report_try (report, TSR_PY_PART_DEBUG);

  if (there < 0)
    return NULL;
  if (there)
    row = tsr_debug_tables_find (report->debug, debug_id);
  if (row != TSR_NO_INDEX)
    return tsr_py_item_new (report, TSR_PY_DEBUG_CONTEXT, row, 0);
  Py_INCREF (Py_None);
  return Py_None;
}

static PyObject *
get_id (TsrPyItem *self, const TsrPyMember *member)
{
  const guint64 id = self->report->debug->id[self->a];

  return id != TSR_DEBUG_NO_ID ? PyLong_FromUnsignedLongLong (id)
                               : tsr_py_missing (self->report, member->column);
}

/* The whole record, its texts instead of their numbers. */
static PyObject *
get_json (TsrPyItem *self, const TsrPyMember *member)
{
  GError *error = NULL;
  TsrJson *record;
  g_autofree char *text = NULL;

  Py_BEGIN_ALLOW_THREADS record
      = tsr_debug_tables_read_record (self->report->debug, (guint32)self->a, NULL, &error);
  if (record != NULL)
    {
      TsrJsonWriter *writer = tsr_json_writer_new_string (0);

      tsr_json_write (record, writer, NULL);
      text = tsr_json_writer_dup_text (writer);
      tsr_json_writer_free (writer);
      tsr_json_unref (record);
    }
  Py_END_ALLOW_THREADS return text != NULL ? tsr_py_text (text) : tsr_py_raise (error);
}

static PyObject *
make_parent (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_DEBUG_CONTEXT, list->a, 0);
}

static PyObject *
get_parents (TsrPyItem *self, const TsrPyMember *member)
{
  const guint32 parent = self->report->debug->parent[self->a];

  return tsr_py_list_new (self->report, "DebugContext", make_parent, parent,
                          parent != TSR_NO_INDEX ? 1 : 0);
}

static PyObject *
get_location (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrDebugTables *debug = self->report->debug;

  if (debug->file_name[self->a] != TSR_NO_STRING || debug->function_name[self->a] != TSR_NO_STRING
      || debug->line[self->a] != 0)
    return tsr_py_item_new (self->report, TSR_PY_DEBUG_LOCATION, self->a, 0);
  Py_INCREF (Py_None);
  return Py_None;
}

static PyObject *
get_file_name (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_text (
      tsr_debug_tables_get_text (self->report->debug, self->report->debug->file_name[self->a]));
}

static PyObject *
get_line (TsrPyItem *self, const TsrPyMember *member)
{
  const guint32 line = self->report->debug->line[self->a];

  return line != 0 ? PyLong_FromUnsignedLong (line) : tsr_py_missing (self->report, member->column);
}

/* Objects of these classes are there only when their parts are. */
const TsrPyMember tsr_py_debug_members[] = {
  { TSR_PY_DEBUG_CONTEXT, "id", "int", "", "debug.cbor.id", "The context's id.", 0, get_id },
  { TSR_PY_DEBUG_CONTEXT, "json", "str", "", "debug.cbor.contexts",
    "All that is recorded of it, as JSON.", 0, get_json },
  { TSR_PY_DEBUG_CONTEXT, "layer", "str", "", "debug.cbor.contexts",
    "The same JSON, as libpva has it; the software that made the context is its \"layer\".", 0,
    get_json },
  { TSR_PY_DEBUG_CONTEXT, "parents", "List[DebugContext]", "", "debug.cbor.parentId",
    "The context that it was made in, or none.", 0, get_parents },
  { TSR_PY_DEBUG_CONTEXT, "location", "DebugLocation | None", "", "debug.cbor.location",
    "Where the source code made it; None where that is not recorded.", 0, get_location },
  { TSR_PY_DEBUG_LOCATION, "fileName", "str", "", "debug.cbor.location.fileName",
    "The source file.", 0, get_file_name },
  { TSR_PY_DEBUG_LOCATION, "lineNumber", "int", "", "debug.cbor.location.lineNumber",
    "The line in it.", 0, get_line },
  { .name = NULL },
};

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Members of variables: as the program wrote them, by their row; lowered ones, by their row; their
 * equivalence classes.  A size of a variable somewhere keeps the bytes with it; what has no
 * variable is told by its name, as the number -2 - name. */

#include "config.h"

#include "tsr-py.h"

#define OF_NAME(name) (-2 - (gint64)(name))
#define NAME_OF(key)  ((guint32)(-2 - (key)))
#define NO_CLASS      (-1) /* always live */

static const TsrLivenessTables *
get_tables (TsrPyReport *report)
{
  return tsr_report_get_liveness_tables (report->report);
}

static const TsrLoweredTables *
get_lowered (TsrPyReport *report)
{
  const TsrLoweredTables *tables = tsr_report_get_lowered_tables (report->report);

  return tables != NULL ? tables : report->brief;
}

/* ---------------------------------------------------------------- variables */

static PyObject *
get_variable_text (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrLivenessTables *tables = get_tables (self->report);
  const guint32 *column;

  if (self->a < 0)
    return tsr_py_text (
        member->arg != TSR_PY_OFFSET (TsrLivenessTables, variable_name)
            ? NULL
            : tsr_string_table_get (get_lowered (self->report)->strings, NAME_OF (self->a)));
  column = G_STRUCT_MEMBER (guint32 *, tables, member->arg);
  return tsr_py_text (tsr_string_table_get (tables->strings, column[self->a]));
}

static PyObject *
get_variable_size (TsrPyItem *self, const TsrPyMember *member)
{
  gint64 size = self->kind == TSR_PY_VARIABLE_SIZE
                    ? self->b
                    : get_tables (self->report)->variable_size[self->a];

  if (size == TSR_UNKNOWN && self->kind == TSR_PY_VARIABLE_SIZE)
    return tsr_py_missing (self->report, "vars_info.size_bytes");
  return tsr_py_int (self, member, size);
}

static PyObject *
get_debug_context (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_debug_context_new (
      self->report,
      self->a < 0 ? TSR_UNKNOWN : get_tables (self->report)->variable_debug_id[self->a]);
}

/* Pairs (variable or name, bytes), as gint64, that a list is made of. */
static PyObject *
make_size (TsrPyList *list, gint64 i)
{
  const gint64 *pair = (const gint64 *)PyBytes_AsString (list->keep) + 2 * i;

  return tsr_py_item_new (list->report, TSR_PY_VARIABLE_SIZE, pair[0], pair[1]);
}

PyObject *
tsr_py_sizes_new (TsrPyReport *report, const GArray *pairs)
{
  PyObject *bytes = PyBytes_FromStringAndSize (pairs->data, (Py_ssize_t)pairs->len
                                                                * (Py_ssize_t)sizeof (gint64));

  if (bytes == NULL)
    return NULL;
  return tsr_py_list_new_of (report, "VariableSize", make_size, 0, pairs->len / 2, bytes);
}

static PyObject *
get_always_live (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrLivenessTables *tables = get_tables (self->report);
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < tables->n_variables; i++)
    if (tables->variable_always_live[i] == 1)
      {
        gint64 pair[2] = { i, tables->variable_size[i] };

        g_array_append_vals (pairs, pair, 2);
      }
  return tsr_py_sizes_new (self->report, pairs);
}

/* Adds @bytes to the entry of @key, in the order in which keys are first met. */
static void
add_bytes (GArray *pairs, GHashTable *places, gint64 key, gint64 bytes)
{
  gpointer place = g_hash_table_lookup (places, &key);
  gint64 *sum;

  if (place == NULL)
    {
      gint64 pair[2] = { key, bytes };

      g_array_append_vals (pairs, pair, 2);
      g_hash_table_insert (places, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (pairs->len / 2));
      return;
    }
  sum = &g_array_index (pairs, gint64, 2 * GPOINTER_TO_UINT (place) - 1);
  *sum = *sum == TSR_UNKNOWN || bytes == TSR_UNKNOWN ? TSR_UNKNOWN : *sum + bytes;
}

PyObject *
tsr_py_sizes_new_of_tiles (TsrPyReport *report, guint32 first, guint32 end, const guint8 *classes)
{
  const TsrLoweredTables *t = get_lowered (report);
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  const gsize from = first < t->n_tiles ? t->tile_start[first] : t->tile_start[t->n_tiles];
  const gsize to = end < t->n_tiles ? t->tile_start[end] : t->tile_start[t->n_tiles];

  for (gsize i = from; i < to; i++)
    {
      gsize row = t->by_tile != NULL ? t->by_tile[i] : i;
      guint32 c = t->equivalence_class[row];
      gboolean wanted = classes == NULL
                            ? t->always_live[row] == 1
                            : t->always_live[row] != 1 && c != TSR_NO_INDEX && classes[c];

      if (wanted)
        add_bytes (pairs, places,
                   t->variable[row] != TSR_NO_INDEX ? t->variable[row] : OF_NAME (t->name[row]),
                   t->size[row] != TSR_LOWERED_UNKNOWN ? (gint64)t->size[row] : TSR_UNKNOWN);
    }
  return tsr_py_sizes_new (report, pairs);
}

static PyObject *
get_always_live_for_tile (PyObject *object, PyObject *argument)
{
  TsrPyItem *self = (TsrPyItem *)object;
  guint32 tile;

  if (!tsr_py_report_need (self->report, TSR_PY_BIT (LOWERED))
      || !tsr_py_report_get_tile (self->report, argument, &tile))
    return NULL;
  return tsr_py_sizes_new_of_tiles (self->report, tile, tile + 1, NULL);
}

/* ------------------------------------------------------------------ lowered */

/* All of them, in the order of the file. */
static PyObject *
make_nth (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, (TsrPyClass)list->a, i, 0);
}

static PyObject *
make_of_rows (TsrPyList *list, gint64 i)
{
  const guint32 *rows = (const guint32 *)PyBytes_AsString (list->keep);

  return tsr_py_item_new (list->report, (TsrPyClass)list->a, rows[i], 0);
}

PyObject *
tsr_py_lowered_list_new (TsrPyReport *report, TsrPyClass kind, PyObject *rows, gint64 n)
{
  return rows == NULL ? NULL
                      : tsr_py_list_new_of (report, tsr_py_class_get_name (kind), make_of_rows,
                                            kind, n, rows);
}

/* [confirmed] An empty list where the file has none. */
static PyObject *
get_all_brief (TsrPyItem *self, const TsrPyMember *member)
{
  int there = tsr_py_report_try (self->report, TSR_PY_PART_BRIEF);

  if (there < 0)
    return NULL;
  return tsr_py_list_new (self->report, "BriefVariable", make_nth, TSR_PY_BRIEF_VARIABLE,
                          there ? (gint64)get_lowered (self->report)->n : 0);
}

/* Row i of tile a. */
static PyObject *
make_of_tile (TsrPyList *list, gint64 i)
{
  const TsrLoweredTables *t = get_lowered (list->report);
  gsize at = t->tile_start[list->a] + (gsize)i;

  return tsr_py_item_new (list->report, TSR_PY_LOWERED_VARIABLE,
                          t->by_tile != NULL ? (gint64)t->by_tile[at] : (gint64)at, 0);
}

static PyObject *
get_for_tile (PyObject *object, PyObject *argument)
{
  TsrPyItem *self = (TsrPyItem *)object;
  int there = tsr_py_report_try (self->report, TSR_PY_PART_LOWERED);
  gint64 n = 0;
  guint32 tile;

  if (there < 0 || !tsr_py_report_get_tile (self->report, argument, &tile))
    return NULL;
  if (there && tile < get_lowered (self->report)->n_tiles)
    n = (gint64)(get_lowered (self->report)->tile_start[tile + 1]
                 - get_lowered (self->report)->tile_start[tile]);
  return tsr_py_list_new (self->report, "LoweredVariable", make_of_tile, tile, n);
}

static PyObject *
get_lowered_variables (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, TSR_PY_LOWERED_VARIABLES, 0, 0);
}

static PyObject *
get_id (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrLoweredTables *t = get_lowered (self->report);

  return PyLong_FromLongLong (t->id != NULL ? t->id[self->a] : t->first_id + self->a);
}

/* A column of guint32 whose largest number is unknown. */
static PyObject *
get_number (TsrPyItem *self, const TsrPyMember *member)
{
  guint32 value = G_STRUCT_MEMBER (guint32 *, get_lowered (self->report), member->arg)[self->a];

  if (value == G_MAXUINT32)
    return tsr_py_missing (self->report, member->column);
  return PyLong_FromUnsignedLong (value);
}

static PyObject *
get_alignment (TsrPyItem *self, const TsrPyMember *member)
{
  guint8 value = get_lowered (self->report)->alignment[self->a];

  if (value >= 63)
    return tsr_py_missing (self->report, member->column);
  return PyLong_FromLongLong ((gint64)1 << value);
}

static PyObject *
get_lowered_name (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrLoweredTables *t = get_lowered (self->report);

  return tsr_py_text (tsr_string_table_get (t->strings, t->name[self->a]));
}

static PyObject *
get_category (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrMemoryTables *memory = tsr_report_get_memory_tables (self->report->report);
  guint16 category = get_lowered (self->report)->category[self->a];

  if (memory == NULL || category == TSR_NO_CATEGORY)
    return tsr_py_missing (self->report, member->column);
  return tsr_py_text (memory->categories.names[category]);
}

static PyObject *
get_is_always_live (TsrPyItem *self, const TsrPyMember *member)
{
  guint8 value = get_lowered (self->report)->always_live[self->a];

  if (value > 1)
    return tsr_py_missing (self->report, member->column);
  return PyBool_FromLong (value);
}

static PyObject *
get_has_unlowered (TsrPyItem *self, const TsrPyMember *member)
{
  return PyBool_FromLong (get_lowered (self->report)->variable[self->a] != TSR_NO_INDEX);
}

static PyObject *
get_unlowered (TsrPyItem *self, const TsrPyMember *member)
{
  guint32 variable = get_lowered (self->report)->variable[self->a];

  if (variable == TSR_NO_INDEX)
    return tsr_py_missing (self->report, member->column);
  return tsr_py_item_new (self->report, TSR_PY_VARIABLE, variable, 0);
}

/* ------------------------------------------------------------------ classes */

static PyObject *
get_class (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrLoweredTables *t = get_lowered (self->report);
  guint32 c = t->equivalence_class[self->a];

  if (t->always_live[self->a] == 1)
    return tsr_py_item_new (self->report, TSR_PY_CLASS, NO_CLASS, 0);
  if (c == TSR_NO_INDEX)
    return tsr_py_missing (self->report, member->column);
  return tsr_py_item_new (self->report, TSR_PY_CLASS, c, 0);
}

/* [inferred] Always-live variables are of a class of their own behind all others. */
static PyObject *
get_class_id (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrLoweredTables *t = get_lowered (self->report);

  if (self->a != NO_CLASS)
    return PyLong_FromLongLong (t->class_id[self->a]);
  return PyLong_FromLongLong (t->n_classes > 0 ? t->class_id[t->n_classes - 1] + 1 : 0);
}

static PyObject *
make_interval (TsrPyList *list, gint64 i)
{
  const TsrLoweredTables *t = get_lowered (list->report);

  if (list->a == NO_CLASS)
    return tsr_py_item_new (list->report, TSR_PY_INTERVAL, 0, get_tables (list->report)->n_steps);
  return tsr_py_item_new (list->report, TSR_PY_INTERVAL,
                          t->interval_from[t->interval_start[list->a] + (gsize)i],
                          t->interval_to[t->interval_start[list->a] + (gsize)i]);
}

static PyObject *
get_intervals (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrLoweredTables *t = get_lowered (self->report);
  gint64 n = 1;

  if (self->a == NO_CLASS && get_tables (self->report) == NULL)
    return tsr_py_missing (self->report, "liveness_steps.step");
  if (self->a != NO_CLASS)
    n = (gint64)(t->interval_start[self->a + 1] - t->interval_start[self->a]);
  return tsr_py_list_new (self->report, "LivenessInterval", make_interval, self->a, n);
}

static PyObject *
get_interval_end (TsrPyItem *self, const TsrPyMember *member)
{
  return PyLong_FromLongLong (member->arg == 0 ? self->a : self->b);
}

#define LIVENESS TSR_PY_BIT (LIVENESS)
#define BRIEF    TSR_PY_BIT (BRIEF)
#define LOWERED  TSR_PY_BIT (LOWERED)
#define TEXT(name, field, column, text)                                                            \
  {                                                                                                \
    TSR_PY_VARIABLE, name, "str", "", column, text, LIVENESS, get_variable_text,                   \
        TSR_PY_OFFSET (TsrLivenessTables, field)                                                   \
  }
#define BOTH(name, type, unit, column, text, get, arg)                                             \
  { TSR_PY_BRIEF_VARIABLE, name, type, unit, column, text, BRIEF, get, arg },                      \
  {                                                                                                \
    TSR_PY_LOWERED_VARIABLE, name, type, unit, column, text, LOWERED, get, arg                     \
  }

const TsrPyMember tsr_py_variable_members[] = {
  { TSR_PY_COMPILATION, "alwaysLiveVariables", "List[VariableSize]", "", "variables.always_live",
    "Variables that are in use all the time, with their sizes on all tiles of a replica.", LIVENESS,
    get_always_live },
  { TSR_PY_COMPILATION, "alwaysLiveVariablesForTile", "(tile: int) -> List[VariableSize]", "",
    "vars_info.always_live", "The same, with their sizes on a tile.",
    .method = get_always_live_for_tile },
  { TSR_PY_COMPILATION, "loweredVariables", "LoweredVariables", "", "",
    "Allocations on single tiles.", 0, get_lowered_variables },
  { TSR_PY_LOWERED_VARIABLES, "allBriefVars", "List[BriefVariable]", "", "vars_info.id",
    "All of them, by id; none where they were not recorded.", 0, get_all_brief, .tries = BRIEF },
  { TSR_PY_LOWERED_VARIABLES, "forTile", "(tile: int) -> List[LoweredVariable]", "",
    "vars_info.tile", "Those of a tile.", .method = get_for_tile },

  TEXT ("name", variable_name, "variables.name", "The variable's name."),
  { TSR_PY_VARIABLE, "size", "int", "bytes", "variables.size_bytes",
    "Its bytes, over all tiles of a replica if no others are asked for.", LIVENESS,
    get_variable_size },
  TEXT ("elementType",
        variable_element_type,
        "variables.element_type",
        "The type of its elements, '' if not recorded."),
  TEXT ("shape", variable_shape, "variables.shape", "Its shape, '' if not recorded."),
  { TSR_PY_VARIABLE, "debugContext", "DebugContext | None", "", "variables.debug_id",
    "Where it comes from; None where that is not recorded.", LIVENESS, get_debug_context,
    .tries = TSR_PY_BIT (DEBUG) },

  { TSR_PY_BRIEF_VARIABLE, "id", "int", "", "vars_info.id", "The allocation's id.", BRIEF, get_id },
  { TSR_PY_LOWERED_VARIABLE, "_id", "int", "", "vars_info.id", "The allocation's id.", LOWERED,
    get_id },
  BOTH ("bytes",
        "int",
        "bytes",
        "vars_info.size_bytes",
        "Its size.",
        get_number,
        TSR_PY_OFFSET (TsrLoweredTables, size)),
  BOTH ("tileId",
        "int",
        "",
        "vars_info.tile",
        "Its tile within a replica.",
        get_number,
        TSR_PY_OFFSET (TsrLoweredTables, tile)),
  BOTH ("equivalenceClass",
        "EquivalenceClass",
        "",
        "vars_info.equivalence_class",
        "Those with which it lives and dies.",
        get_class,
        0),
  { TSR_PY_LOWERED_VARIABLE, "name", "str", "", "vars_info.name", "The allocation's name.", LOWERED,
    get_lowered_name },
  { TSR_PY_LOWERED_VARIABLE, "alwaysLive", "bool", "", "vars_info.always_live",
    "Whether it is in use all the time.", LOWERED, get_is_always_live },
  { TSR_PY_LOWERED_VARIABLE, "hasUnloweredVar", "bool", "", "vars_info.variable",
    "Whether it is of a variable, or was made by the compiler.", LOWERED, get_has_unlowered },
  { TSR_PY_LOWERED_VARIABLE, "unloweredVar", "Variable", "", "vars_info.variable",
    "The variable that it is of.", LOWERED, get_unlowered },
  { TSR_PY_LOWERED_VARIABLE, "offset", "int", "bytes", "vars_info.offset",
    "Where it lies in the tile's memory.", LOWERED, get_number,
    TSR_PY_OFFSET (TsrLoweredTables, offset) },
  { TSR_PY_LOWERED_VARIABLE, "alignment", "int", "bytes", "vars_info.alignment", "Its alignment.",
    LOWERED, get_alignment },
  { TSR_PY_LOWERED_VARIABLE, "category", "str", "", "vars_info.category",
    "The category of what it holds.", LOWERED, get_category },
  { TSR_PY_CLASS, "id", "int", "", "vars_info.equivalence_class", "The class's id.", BRIEF,
    get_class_id },
  { TSR_PY_CLASS, "steps", "List[LivenessInterval]", "", "equivalence_class_intervals.start_step",
    "When its variables are live.", BRIEF, get_intervals },
  { TSR_PY_INTERVAL, "start", "int", "", "equivalence_class_intervals.start_step",
    "The first liveness step.", 0, get_interval_end, 0 },
  { TSR_PY_INTERVAL, "end", "int", "", "equivalence_class_intervals.end_step",
    "The first liveness step behind it.", 0, get_interval_end, 1 },
  { .name = NULL },
};

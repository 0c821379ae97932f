/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Beyond libpva: the columns of the big tables as Python sees memory, read-only and without a copy,
 * and the diagnostics.  A column is a table of the list below and a field of the model's struct;
 * what is unknown has one value, which numpy() and pandas() mask. */

#include "config.h"

#include "tsr-py.h"

#include "tsr-report-read.h"

#include <math.h>

typedef enum
{
  TABLE_LOWERED,
  TABLE_VARIABLES,
  TABLE_LIFETIMES,
  TABLE_CLASSES,
  TABLE_INTERVALS,
  TABLE_LIVENESS_STEPS,
  TABLE_PROGRAMS,
  TABLE_STEPS,
  TABLE_SLICES,
  TABLE_BLOCKS,
  TABLE_TILES,
} Table;

static const struct
{
  const char *name;
  const char *sql; /* the file's table, whose columns have the names of these with underscores */
  guint parts;
} tables[] = {
  [TABLE_LOWERED] = { "lowered", "vars_info", TSR_PY_BIT (LOWERED) },
  [TABLE_VARIABLES] = { "variables", "variables", TSR_PY_BIT (LIVENESS) },
  [TABLE_LIFETIMES] = { "lifetimes", "variable_lifetimes", TSR_PY_BIT (LIVENESS) },
  [TABLE_CLASSES] = { "equivalenceClasses", "equivalence_class_intervals", TSR_PY_BIT (LOWERED) },
  [TABLE_INTERVALS] = { "intervals", "equivalence_class_intervals", TSR_PY_BIT (LOWERED) },
  [TABLE_LIVENESS_STEPS] = { "livenessSteps", "liveness_steps", TSR_PY_BIT (LIVENESS) },
  [TABLE_PROGRAMS] = { "programs", "programs", TSR_PY_BIT (PROGRAMS) },
  [TABLE_STEPS] = { "steps", "steps", TSR_PY_BIT (EXECUTION) },
  [TABLE_SLICES] = { "slices", "steps_by_ipu", TSR_PY_BIT (EXECUTION) },
  [TABLE_BLOCKS] = { "blocks", "blocks", TSR_PY_BIT (EXECUTION) },
  [TABLE_TILES] = { "tiles", "memory_by_tile", TSR_PY_BIT (MEMORY) },
};

static const struct
{
  Table table;
  const char *name;
  char format; /* of the module struct: B H I q f d */
  gint64 offset;
  gboolean narrow; /* 32 bits, whose last two values mean more than a number */
  const char *unit;
} columns[] = {
#define LOWERED(name, format, field, unit)                                                         \
  {                                                                                                \
    TABLE_LOWERED, name, format, TSR_PY_OFFSET (TsrLoweredTables, field), FALSE, unit              \
  }
  LOWERED ("id", 'q', id, ""),
  LOWERED ("tile", 'I', tile, ""),
  LOWERED ("size", 'I', size, "bytes"),
  LOWERED ("offset", 'I', offset, "bytes"),
  LOWERED ("variable", 'I', variable, ""),
  LOWERED ("equivalenceClass", 'I', equivalence_class, ""),
  LOWERED ("category", 'H', category, ""),
  LOWERED ("alwaysLive", 'B', always_live, ""),
  LOWERED ("alignment", 'B', alignment, "log2 of bytes"),
#define CLASS(table, name, format, field)                                                          \
  {                                                                                                \
    table, name, format, TSR_PY_OFFSET (TsrLoweredTables, field), FALSE, ""                        \
  }
  CLASS (TABLE_CLASSES, "id", 'q', class_id),
  CLASS (TABLE_CLASSES, "firstInterval", sizeof (gsize) == 8 ? 'q' : 'I', interval_start),
  CLASS (TABLE_INTERVALS, "start", 'I', interval_from),
  CLASS (TABLE_INTERVALS, "end", 'I', interval_to),
#define VARIABLE(name, format, field, unit)                                                        \
  {                                                                                                \
    TABLE_VARIABLES, name, format, TSR_PY_OFFSET (TsrLivenessTables, field), FALSE, unit           \
  }
  VARIABLE ("id", 'q', variable_id, ""),
  VARIABLE ("size", 'q', variable_size, "bytes"),
  VARIABLE ("alwaysLive", 'B', variable_always_live, ""),
  VARIABLE ("debugId", 'q', variable_debug_id, ""),
  VARIABLE ("firstLifetime", 'I', lifetime_start, ""),
  { TABLE_LIFETIMES, "start", 'I', TSR_PY_OFFSET (TsrLivenessTables, lifetime_from), FALSE, "" },
  { TABLE_LIFETIMES, "end", 'I', TSR_PY_OFFSET (TsrLivenessTables, lifetime_to), FALSE, "" },
  { TABLE_LIFETIMES, "size", 'q', TSR_PY_OFFSET (TsrLivenessTables, lifetime_bytes), FALSE,
    "bytes" },
  { TABLE_LIVENESS_STEPS, "program", 'I', TSR_PY_OFFSET (TsrLivenessTables, step_program), FALSE,
    "" },
  { TABLE_LIVENESS_STEPS, "notAlwaysLiveBytes", 'q', TSR_PY_OFFSET (TsrLivenessTables, step_bytes),
    FALSE, "bytes" },
  { TABLE_PROGRAMS, "id", 'q', TSR_PY_OFFSET (TsrProgramTables, program_id), FALSE, "" },
  { TABLE_PROGRAMS, "computeSet", 'I', TSR_PY_OFFSET (TsrProgramTables, program_compute_set), FALSE,
    "" },
  { TABLE_PROGRAMS, "debugId", 'q', TSR_PY_OFFSET (TsrProgramTables, program_debug_id), FALSE, "" },
#define EXECUTION(table, name, format, field, narrow, unit)                                        \
  {                                                                                                \
    table, name, format, TSR_PY_OFFSET (TsrExecutionTables, field), narrow, unit                   \
  }
  EXECUTION (TABLE_STEPS, "id", 'q', step_id, FALSE, ""),
  EXECUTION (TABLE_STEPS, "type", 'B', step_type, FALSE, ""),
  EXECUTION (TABLE_STEPS, "program", 'I', step_program, FALSE, ""),
  EXECUTION (TABLE_STEPS, "computeSet", 'I', step_compute_set, FALSE, ""),
  EXECUTION (TABLE_STEPS, "run", 'H', step_run, FALSE, ""),
  EXECUTION (TABLE_SLICES, "step", 'I', slice_step, FALSE, ""),
  EXECUTION (TABLE_SLICES, "start", 'q', slice_start, FALSE, "cycles"),
  EXECUTION (TABLE_SLICES, "end", 'q', slice_end, FALSE, "cycles"),
  EXECUTION (TABLE_SLICES, "leadIn", 'I', slice_lead_in, TRUE, "cycles"),
  EXECUTION (TABLE_SLICES, "cycles", 'I', slice_cycles, TRUE, "cycles"),
  EXECUTION (TABLE_SLICES, "activeTiles", 'I', slice_active_tiles, TRUE, ""),
  EXECUTION (TABLE_SLICES, "dataIn", 'I', slice_data_in, TRUE, "bytes"),
  EXECUTION (TABLE_SLICES, "dataOut", 'I', slice_data_out, TRUE, "bytes"),
  EXECUTION (TABLE_SLICES, "tileBalance", 'f', slice_tile_balance, FALSE, ""),
  EXECUTION (TABLE_SLICES, "activeTileBalance", 'f', slice_active_tile_balance, FALSE, ""),
  EXECUTION (TABLE_BLOCKS, "id", 'q', block_id, FALSE, ""),
  EXECUTION (TABLE_BLOCKS, "program", 'I', block_program, FALSE, ""),
  EXECUTION (TABLE_BLOCKS, "run", 'I', block_run, FALSE, ""),
  EXECUTION (TABLE_BLOCKS, "ipu", 'I', block_ipu, FALSE, ""),
  EXECUTION (TABLE_BLOCKS, "tile", 'I', block_tile, FALSE, ""),
  EXECUTION (TABLE_BLOCKS, "cyclesFrom", 'q', block_from, FALSE, "cycles"),
  EXECUTION (TABLE_BLOCKS, "cyclesTo", 'q', block_to, FALSE, "cycles"),
#define TILES(name, field)                                                                         \
  {                                                                                                \
    TABLE_TILES, name, 'q',                                                                        \
        TSR_PY_OFFSET (TsrMemoryTables, tiles) + TSR_PY_OFFSET (TsrTileRows, field), FALSE,        \
        "bytes"                                                                                    \
  }
  TILES ("total", total),
  TILES ("includingGaps", including_gaps),
  TILES ("excludingGaps", excluding_gaps),
  TILES ("overflowed", overflowed),
  TILES ("alwaysLive", always_live),
  TILES ("notAlwaysLive", not_always_live),
  { TABLE_TILES, "peakStep", 'q',
    TSR_PY_OFFSET (TsrMemoryTables, tiles) + TSR_PY_OFFSET (TsrTileRows, peak_step), FALSE, "" },
};

static gsize
get_item_size (char format)
{
  switch (format)
    {
    case 'B':
      return 1;
    case 'H':
      return 2;
    case 'q':
    case 'd':
      return 8;
    default:
      return 4;
    }
}

/* The model's struct and the number of rows. */
static gconstpointer
peek_table (TsrPyReport *report, Table table, gsize *n)
{
  const TsrExecutionTables *execution = tsr_report_get_execution_tables (report->report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (report->report);
  const TsrLoweredTables *lowered = tsr_report_get_lowered_tables (report->report);

  switch (table)
    {
    case TABLE_LOWERED:
      *n = lowered->n;
      return lowered;
    case TABLE_CLASSES:
      *n = lowered->n_classes;
      return lowered;
    case TABLE_INTERVALS:
      *n = lowered->n_classes > 0 ? lowered->interval_start[lowered->n_classes] : 0;
      return lowered;
    case TABLE_LIFETIMES:
      *n = liveness->n_variables > 0 ? liveness->lifetime_start[liveness->n_variables] : 0;
      return liveness;
    case TABLE_VARIABLES:
      *n = liveness->n_variables;
      return liveness;
    case TABLE_LIVENESS_STEPS:
      *n = liveness->n_steps;
      return liveness;
    case TABLE_PROGRAMS:
      *n = tsr_report_get_program_tables (report->report)->n_programs;
      return tsr_report_get_program_tables (report->report);
    case TABLE_STEPS:
      *n = execution->n_steps;
      return execution;
    case TABLE_SLICES:
      *n = execution->ipu_start[execution->n_ipus];
      return execution;
    case TABLE_BLOCKS:
      *n = execution->n_blocks;
      return execution;
    default:
      *n = tsr_report_get_memory_tables (report->report)->tiles.n_tiles;
      return tsr_report_get_memory_tables (report->report);
    }
}

/* Sizes and offsets of lowered variables take a quarter of the time when the rest is not loaded. */
typedef struct
{
  gboolean offsets;
  guint32 *values;
  gsize n;
} Numbers;

static gboolean
read_numbers (TsrPyReport *self, gpointer data, GCancellable *cancellable, GError **error)
{
  Numbers *numbers = data;

  numbers->values = tsr_report_read_lowered_numbers (self->report, numbers->offsets, &numbers->n,
                                                     cancellable, error);
  return numbers->values != NULL;
}

/* (transfer none): NULL without an exception where the rest has to be loaded. */
static const guint32 *
peek_numbers (TsrPyReport *report, guint column, gsize *n)
{
  const gboolean offsets = columns[column].offset == TSR_PY_OFFSET (TsrLoweredTables, offset);
  guint32 **kept = offsets ? &report->offsets : &report->sizes;
  Numbers numbers = { offsets, NULL, 0 };
  GError *error = NULL;

  if (columns[column].table != TABLE_LOWERED
      || (!offsets && columns[column].offset != TSR_PY_OFFSET (TsrLoweredTables, size)))
    return NULL;
  if (*kept == NULL && !tsr_py_report_is_ready (report, TSR_PY_BIT (LOWERED))
      && tsr_py_report_need (report, 0))
    tsr_py_report_run (report, read_numbers, &numbers, &error);
  /* What is wrong with the file is told by loading. */
  g_clear_error (&error);
  if (*kept == NULL && numbers.n > 0)
    {
      report->n_numbers = numbers.n;
      *kept = g_steal_pointer (&numbers.values);
    }
  g_free (numbers.values);
  *n = report->n_numbers;
  return *kept;
}

/* Ids that follow each other are not in the model; written out when a script asks for the column.
 */
static gconstpointer
peek_counted (TsrPyReport *report, guint column, gconstpointer table, gsize n)
{
  const gboolean lowered = columns[column].table == TABLE_LOWERED;
  gint64 **kept = lowered ? &report->lowered_ids : &report->step_ids;

  if (n == 0 || strcmp (columns[column].name, "id") != 0
      || (!lowered && columns[column].table != TABLE_STEPS))
    return NULL;
  if (*kept == NULL)
    {
      const gint64 first = lowered ? ((const TsrLoweredTables *)table)->first_id
                                   : ((const TsrExecutionTables *)table)->first_step_id;

      *kept = g_new (gint64, n);
      for (gsize i = 0; i < n; i++)
        (*kept)[i] = first + (gint64)i;
    }
  return *kept;
}

static void
raise_missing (TsrPyReport *report, guint column)
{
  g_autoptr (GString) name = g_string_new (tables[columns[column].table].sql);

  g_string_append_c (name, '.');
  for (const char *c = columns[column].name; *c != '\0'; c++)
    {
      if (g_ascii_isupper (*c))
        g_string_append_c (name, '_');
      g_string_append_c (name, g_ascii_tolower (*c));
    }
  tsr_py_missing (report, name->str);
}

/* The numbers of column @self; NULL with an exception. */
static gconstpointer
peek_column (TsrPyItem *self, gsize *n)
{
  static const char nothing[8];
  const guint i = (guint)self->a;
  const guint32 *numbers = peek_numbers (self->report, i, n);
  gconstpointer table;
  gconstpointer data;

  if (numbers != NULL || PyErr_Occurred ())
    return numbers;
  if (!tsr_py_report_need (self->report, tables[columns[i].table].parts))
    return NULL;
  table = peek_table (self->report, columns[i].table, n);
  data = columns[i].narrow ? G_STRUCT_MEMBER (TsrNarrow, table, columns[i].offset).values
                           : G_STRUCT_MEMBER (gconstpointer, table, columns[i].offset);
  if (data == NULL)
    data = peek_counted (self->report, i, table, *n);
  if (data == NULL && *n > 0)
    raise_missing (self->report, i);
  return data == NULL && *n == 0 ? nothing : data;
}

int
tsr_py_table_get_buffer (PyObject *object, Py_buffer *view, int flags)
{
  /* One string for each format, as long as there are views. */
  static const char formats[][2] = { "B", "H", "I", "q", "f", "d" };
  TsrPyItem *self = (TsrPyItem *)object;
  gsize n = 0;
  gconstpointer data;
  char format;

  view->obj = NULL;
  if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE)
    {
      PyErr_SetString (PyExc_BufferError, "a report is not written to");
      return -1;
    }
  data = peek_column (self, &n);
  if (data == NULL)
    return -1;
  format = columns[self->a].format;
  if (PyBuffer_FillInfo (view, object, (void *)(gintptr)data,
                         (Py_ssize_t)(n * get_item_size (format)), 1, flags)
      < 0)
    return -1;
  view->itemsize = (Py_ssize_t)get_item_size (format);
  self->b = (gint64)n;
  if (view->shape != NULL)
    view->shape = (Py_ssize_t *)&self->b;
  for (guint i = 0; (flags & PyBUF_FORMAT) != 0 && i < G_N_ELEMENTS (formats); i++)
    if (formats[i][0] == format)
      view->format = (char *)(gintptr)formats[i];
  return 0;
}

Py_ssize_t
tsr_py_table_get_length (PyObject *object)
{
  gsize n = 0;

  return peek_column ((TsrPyItem *)object, &n) != NULL ? (Py_ssize_t)n : -1;
}

static PyObject *
get_column_text (TsrPyItem *self, const TsrPyMember *member)
{
  const char format[2] = { columns[self->a].format, '\0' };

  return tsr_py_text (member->arg == 0   ? columns[self->a].name
                      : member->arg == 1 ? columns[self->a].unit
                                         : format);
}

/* The value that stands for what is not known. */
static PyObject *
get_unknown (TsrPyItem *self, const TsrPyMember *member)
{
  switch (columns[self->a].format)
    {
    case 'B':
      return PyLong_FromLong (G_MAXUINT8);
    case 'H':
      return PyLong_FromLong (G_MAXUINT16);
    case 'I':
      return PyLong_FromUnsignedLong (G_MAXUINT32);
    case 'q':
      return PyLong_FromLongLong (TSR_UNKNOWN);
    default:
      return PyFloat_FromDouble (NAN);
    }
}

/* Narrow columns only: what does not fit into 32 bits, as a dict of rows. */
static PyObject *
get_wide (TsrPyItem *self, const TsrPyMember *member)
{
  PyObject *wide = PyDict_New ();
  gsize n;
  gconstpointer table;
  const TsrNarrow *narrow;

  if (wide == NULL || !columns[self->a].narrow)
    return wide;
  if (peek_column (self, &n) == NULL)
    {
      Py_DECREF (wide);
      return NULL;
    }
  table = peek_table (self->report, columns[self->a].table, &n);
  narrow = &G_STRUCT_MEMBER (TsrNarrow, table, columns[self->a].offset);
  for (guint i = 0; narrow->wide != NULL && i < narrow->wide->len; i++)
    {
      const TsrNarrowWide *entry = &g_array_index (narrow->wide, TsrNarrowWide, i);
      PyObject *row = PyLong_FromSize_t (entry->index);
      PyObject *value = PyLong_FromLongLong (entry->value);
      gboolean ok = row != NULL && value != NULL && PyDict_SetItem (wide, row, value) == 0;

      Py_XDECREF (row);
      Py_XDECREF (value);
      if (!ok)
        {
          Py_DECREF (wide);
          return NULL;
        }
    }
  return wide;
}

/* numpy() and pandas() are Python: both are there or not. */
static PyObject *
call_helper (PyObject *object, const char *name)
{
  PyObject *module = PyImport_ImportModule ("tessera_pva._columns");
  PyObject *result = module != NULL ? PyObject_CallMethod (module, name, "O", object) : NULL;

  Py_XDECREF (module);
  return result;
}

static PyObject *
to_numpy (PyObject *object, PyObject *nothing)
{
  return call_helper (object, "to_numpy");
}

static PyObject *
to_pandas (PyObject *object, PyObject *nothing)
{
  return call_helper (object, "to_pandas");
}

/* The columns of table @arg: a dict. */
static PyObject *
get_table (TsrPyItem *self, const TsrPyMember *member)
{
  PyObject *dict = PyDict_New ();

  for (guint i = 0; dict != NULL && i < G_N_ELEMENTS (columns); i++)
    if (columns[i].table == (Table)member->arg)
      {
        PyObject *column = tsr_py_item_new (self->report, TSR_PY_TABLE, i, 0);

        if (column == NULL || PyDict_SetItemString (dict, columns[i].name, column) < 0)
          Py_CLEAR (dict);
        Py_XDECREF (column);
      }
  return dict;
}

static PyObject *
get_tables (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, TSR_PY_TABLES, 0, 0);
}

/* -------------------------------------------------------------------- names */

/* The texts of what references in columns are rows of. */
typedef enum
{
  NAMES_VARIABLES,
  NAMES_PROGRAMS,
  NAMES_COMPUTE_SETS,
  NAMES_CATEGORIES,
  NAMES_RUNS,
  NAMES_TYPES,
} Names;

/* (transfer none): @n texts as numbers in @strings; NULL for categories, which are texts. */
static const guint32 *
peek_names (TsrPyReport *report, Names names, TsrStringTable **strings, gint64 *n)
{
  const TsrProgramTables *programs = tsr_report_get_program_tables (report->report);
  const TsrLivenessTables *liveness = tsr_report_get_liveness_tables (report->report);
  const TsrExecutionTables *execution = tsr_report_get_execution_tables (report->report);

  switch (names)
    {
    case NAMES_VARIABLES:
      *n = liveness->n_variables;
      *strings = liveness->strings;
      return liveness->variable_name;
    case NAMES_PROGRAMS:
      *n = programs->n_programs;
      *strings = programs->strings;
      return programs->program_name;
    case NAMES_COMPUTE_SETS:
      *n = programs->n_compute_sets;
      *strings = programs->strings;
      return programs->compute_set_name;
    case NAMES_RUNS:
      *n = execution->n_runs;
      *strings = execution->strings;
      return execution->run_name;
    case NAMES_TYPES:
      *n = execution->n_types;
      *strings = execution->strings;
      return execution->type_name;
    default:
      *n = tsr_report_get_memory_tables (report->report)->categories.n_categories;
      return NULL;
    }
}

static PyObject *
make_name (TsrPyList *list, gint64 i)
{
  TsrStringTable *strings;
  gint64 n;
  const guint32 *numbers = peek_names (list->report, (Names)list->a, &strings, &n);

  return tsr_py_text (
      numbers != NULL ? tsr_string_table_get (strings, numbers[i])
                      : tsr_report_get_memory_tables (list->report->report)->categories.names[i]);
}

static PyObject *
get_names (TsrPyItem *self, const TsrPyMember *member)
{
  TsrStringTable *strings;
  gint64 n;

  peek_names (self->report, (Names)member->arg, &strings, &n);
  return tsr_py_list_new (self->report, "str", make_name, member->arg, n);
}

/* -------------------------------------------------------------- diagnostics */

static const TsrDiagnostic *
get_diagnostic (TsrPyItem *self)
{
  return tsr_diagnostics_get (tsr_report_get_diagnostics (self->report->report), (guint)self->a);
}

static PyObject *
make_diagnostic (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_DIAGNOSTIC, i, 0);
}

static PyObject *
get_diagnostics (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_list_new (
      self->report, "Diagnostic", make_diagnostic, 0,
      tsr_diagnostics_get_n_kept (tsr_report_get_diagnostics (self->report->report)));
}

static PyObject *
get_diagnostic_text (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_text (G_STRUCT_MEMBER (const char *, get_diagnostic (self), member->arg));
}

static PyObject *
get_severity (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_text (tsr_severity_get_nick (get_diagnostic (self)->severity));
}

static PyObject *
get_line (TsrPyItem *self, const TsrPyMember *member)
{
  g_autofree char *line = tsr_diagnostic_dup_line (get_diagnostic (self));

  return tsr_py_text (line);
}

#define TABLE(name, table, text)                                                                   \
  {                                                                                                \
    TSR_PY_TABLES, name, "dict[str, Column]", "", "", text, 0, get_table, table                    \
  }
#define NAMES(name, column, part, names)                                                           \
  {                                                                                                \
    TSR_PY_TABLES, name, "List[str]", "", "", "Names of what the columns " column " refer to.",    \
        TSR_PY_BIT (part), get_names, names                                                        \
  }
#define TEXT(name, field, text)                                                                    \
  {                                                                                                \
    TSR_PY_DIAGNOSTIC, name, "str", "", "", text, 0, get_diagnostic_text,                          \
        TSR_PY_OFFSET (TsrDiagnostic, field)                                                       \
  }

const TsrPyMember tsr_py_table_members[] = {
  { TSR_PY_REPORT, "tables", "Tables", "", "",
    "Columns of the big tables as memory (not in libpva).", 0, get_tables },
  { TSR_PY_REPORT, "diagnostics", "List[Diagnostic]", "", "",
    "What was wrong with what has been read so far (not in libpva).", 0, get_diagnostics },
  TABLE ("lowered", TABLE_LOWERED, "Lowered variables: vars_info."),
  TABLE ("variables", TABLE_VARIABLES, "Variables: variables."),
  TABLE ("lifetimes",
         TABLE_LIFETIMES,
         "Liveness steps [start, end) of variables, from each one's firstLifetime: "
         "variable_lifetimes."),
  TABLE ("equivalenceClasses",
         TABLE_CLASSES,
         "Classes of lowered variables that are live together: equivalence_class_intervals."),
  TABLE ("intervals",
         TABLE_INTERVALS,
         "Liveness steps [start, end) of classes, from each one's firstInterval, merged: "
         "equivalence_class_intervals."),
  TABLE ("livenessSteps", TABLE_LIVENESS_STEPS, "Liveness steps: liveness_steps."),
  TABLE ("programs", TABLE_PROGRAMS, "Programs: programs."),
  TABLE ("steps", TABLE_STEPS, "Execution steps: steps."),
  TABLE ("slices",
         TABLE_SLICES,
         "Steps on IPUs, IPU by IPU in order of start: steps_by_ipu, as the program shows them "
         "(balances in single precision; exact ones: execution.steps[i].ipus[j])."),
  TABLE ("blocks", TABLE_BLOCKS, "Blocks, by tile: blocks."),
  TABLE ("tiles", TABLE_TILES, "Memory of tiles: memory_by_tile."),
  NAMES ("variableNames", "variable", LIVENESS, NAMES_VARIABLES),
  NAMES ("programNames", "program", PROGRAMS, NAMES_PROGRAMS),
  NAMES ("computeSetNames", "computeSet", PROGRAMS, NAMES_COMPUTE_SETS),
  NAMES ("categoryNames", "category", MEMORY, NAMES_CATEGORIES),
  NAMES ("runNames", "run", EXECUTION, NAMES_RUNS),
  NAMES ("typeNames", "type", EXECUTION, NAMES_TYPES),
  { TSR_PY_TABLE, "name", "str", "", "", "The column's name.", 0, get_column_text, 0 },
  { TSR_PY_TABLE, "unit", "str", "", "", "Its unit.", 0, get_column_text, 1 },
  { TSR_PY_TABLE, "format", "str", "", "", "Its numbers, as in the module struct.", 0,
    get_column_text, 2 },
  { TSR_PY_TABLE, "unknown", "int | float", "", "", "The value that stands for what is not known.",
    0, get_unknown },
  { TSR_PY_TABLE, "wide", "dict[int, int]", "", "",
    "Rows whose number does not fit into 32 bits; the column has 4294967294 there.", 0, get_wide },
  { TSR_PY_TABLE, "numpy", "() -> numpy.ndarray", "", "",
    "An array on the same memory; a masked one if something is unknown.", .method = to_numpy,
    .no_argument = TRUE },
  { TSR_PY_TABLE, "pandas", "() -> pandas.Series", "", "", "A series, with NA for what is unknown.",
    .method = to_pandas, .no_argument = TRUE },
  { TSR_PY_DIAGNOSTIC, "severity", "str", "", "", "info, warning or error.", 0, get_severity },
  TEXT ("code", code, "A word for the kind of problem."),
  TEXT ("table", table, "The table that it is in."),
  TEXT ("text", text, "What is wrong."),
  { TSR_PY_DIAGNOSTIC, "line", "str", "", "", "All of it in a line: file, table, row, text.", 0,
    get_line },
  { .name = NULL },
};

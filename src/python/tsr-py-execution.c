/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Members of the execution: runs, steps, a step on an IPU with the numbers of the file's row, and
 * blocks.  A report without an execution has none of them; its total is 0. */

#include "config.h"

#include "tsr-py.h"

#include <string.h>

static const TsrExecutionTables *
get_tables (TsrPyReport *report)
{
  return tsr_report_get_execution_tables (report->report);
}

/* 1 and the tables; 0 nothing was recorded; -1 an exception. */
static int
try_tables (TsrPyReport *report, const TsrExecutionTables **tables)
{
  int there = tsr_py_report_try (report, TSR_PY_PART_EXECUTION);

  *tables = there > 0 ? get_tables (report) : NULL;
  return there;
}

/* The same of runs and steps, whose tables have nothing by IPU. */
static int
try_steps (TsrPyReport *report, const TsrExecutionTables **tables)
{
  int there = tsr_py_report_try (report, TSR_PY_PART_STEPS);

  *tables = there > 0 ? report->steps : NULL;
  return there;
}

static PyObject *
get_of_same (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, (TsrPyClass)member->arg, self->a, self->b);
}

/* -------------------------------------------------------------------- steps */

static PyObject *
make_step (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_STEP, list->a + i, 0);
}

static PyObject *
get_steps (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrExecutionTables *tables;

  if (try_steps (self->report, &tables) < 0)
    return NULL;
  return tsr_py_list_new (self->report, "ExecutionStep", make_step, 0,
                          tables != NULL ? tables->n_steps : 0);
}

/* [inferred] Never None: a step without a program has one of its own type. */
static PyObject *
get_program (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrExecutionTables *tables = self->report->steps;
  guint32 row = tables->step_program[self->a];
  int there;

  if (row != TSR_NO_INDEX)
    {
      there = tsr_py_report_try (self->report, TSR_PY_PART_PROGRAMS);
      if (there < 0)
        return NULL;
      if (there)
        return tsr_py_program_new (self->report, row);
    }
  return tsr_py_program_new_of_step (self->report, tables->step_type[self->a],
                                     tables->step_compute_set[self->a]);
}

static PyObject *
make_compute_set (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_STEP_COMPUTE_SET, list->a,
                          list->report->steps->step_compute_set[list->a]);
}

static PyObject *
get_compute_sets (TsrPyItem *self, const TsrPyMember *member)
{
  gboolean has = self->report->steps->step_compute_set[self->a] != TSR_NO_INDEX;

  return tsr_py_list_new (self->report, "ExecutionComputeSet", make_compute_set, self->a,
                          has ? 1 : 0);
}

static PyObject *
get_set_member (TsrPyItem *self, const TsrPyMember *member)
{
  PyObject *set = tsr_py_item_new (self->report, TSR_PY_COMPUTE_SET, self->b, 0);
  PyObject *value = set != NULL ? PyObject_GetAttrString (set, member->name) : NULL;

  Py_XDECREF (set);
  return value;
}

/* The first entry of @set and @ipu in the sorted list, or behind it. */
static guint
find_set (const GArray *list, gint64 set, gint64 ipu)
{
  guint from = 0;
  guint to = list->len;

  while (from < to)
    {
      guint middle = from + (to - from) / 2;
      const TsrPyTileCycles *entry = &g_array_index (list, TsrPyTileCycles, middle);

      if (entry->set < set || (entry->set == set && entry->ipu < ipu))
        from = middle + 1;
      else
        to = middle;
    }
  return from;
}

/* Tiles of IPUs of which the set has nothing have 0. */
static PyObject *
get_cycles_by_tile (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrExecutionTables *tables = self->report->steps;
  const GArray *list = self->report->tile_cycles;
  const TsrTarget *told = &tsr_report_get_summary (self->report->report)->told;
  g_autofree guint32 *values = NULL;
  gint64 n_ipus = tsr_py_report_get_n_ipus (self->report);
  gint64 set;

  if (n_ipus < 0)
    return NULL;
  if (tables->step_tile_cycles == NULL || tables->step_tile_cycles[self->a] == TSR_NO_INDEX)
    return PyList_New (0);
  if (told->tiles_per_ipu == TSR_UNKNOWN || told->tiles_per_ipu > TSR_MAX_TILES)
    return tsr_py_missing (self->report, "target.tiles_per_ipu");
  set = tables->step_tile_cycles[self->a];
  values = g_try_new0 (guint32, (gsize)(n_ipus * told->tiles_per_ipu));
  if (values == NULL)
    return PyErr_NoMemory ();
  for (guint i = find_set (list, set, 0);
       i < list->len && g_array_index (list, TsrPyTileCycles, i).set == set; i++)
    {
      const TsrPyTileCycles *entry = &g_array_index (list, TsrPyTileCycles, i);
      gboolean found = FALSE;

      if (entry->ipu < 0 || entry->ipu >= n_ipus || entry->array == TSR_UNKNOWN)
        continue;
      if (!tsr_py_report_read_array (self->report, entry->array, (guint)told->tiles_per_ipu,
                                     &values[entry->ipu * told->tiles_per_ipu], &found))
        return NULL;
      if (!found)
        return tsr_py_missing (self->report, "tile_arrays.data");
    }
  return tsr_py_int_list (values, (guint)(n_ipus * told->tiles_per_ipu), 1);
}

/* ------------------------------------------------------------ a step's IPUs */

static PyObject *
make_step_ipu (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_STEP_IPU, list->a, i);
}

static PyObject *
get_step_ipus (TsrPyItem *self, const TsrPyMember *member)
{
  gint64 n = tsr_py_report_get_n_ipus (self->report);

  return n < 0 ? NULL
               : tsr_py_list_new (self->report, "ExecutionStepIpu", make_step_ipu, self->a, n);
}

/* The number of the slice of step a on @ipu. */
static gboolean
get_exact (TsrPyItem *self, gint64 ipu, TsrExactColumn column, TsrExactValue *value)
{
  return tsr_py_report_get_slice (self->report, (guint32)self->a, (guint32)ipu, column, value);
}

static PyObject *
get_slice_number (TsrPyItem *self, const TsrPyMember *member)
{
  TsrExactValue value;

  return get_exact (self, self->b, (TsrExactColumn)member->arg, &value)
             ? tsr_py_int (self, member, value.number)
             : NULL;
}

/* [inferred] A type of which no step has a number, where others have, moves nothing: compute. */
static PyObject *
get_moved (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrPyReport *report = self->report;
  const guint8 bit = member->arg == TSR_EXACT_DATA_IN ? 1 : 2;
  TsrExactValue value;
  TsrExactValue cycles;

  if (!get_exact (self, self->b, (TsrExactColumn)member->arg, &value))
    return NULL;
  if (value.number != TSR_UNKNOWN)
    return PyLong_FromLongLong (value.number);
  if (!get_exact (self, self->b, TSR_EXACT_CYCLES, &cycles))
    return NULL;
  if (cycles.number == TSR_UNKNOWN)
    return tsr_py_int (self, member, TSR_UNKNOWN);
  if (!tsr_py_report_need (self->report, TSR_PY_BIT (MOVED)))
    return NULL;
  if ((report->moved_any & bit) != 0
      && (report->moved[report->steps->step_type[self->a]] & bit) == 0)
    return PyLong_FromLong (0);
  return tsr_py_int (self, member, TSR_UNKNOWN);
}

static PyObject *
get_balance (TsrPyItem *self, const TsrPyMember *member)
{
  TsrExactValue value;

  return get_exact (self, self->b, (TsrExactColumn)member->arg, &value)
             ? tsr_py_float (self, member, value.real)
             : NULL;
}

/* Ranges of active tiles (0) and of all (1), and of these the ends from (+ 0) and to (+ 2), beside
 * the IPU. */
static PyObject *
get_range (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, TSR_PY_CYCLE_RANGE, self->a, self->b << 2 | member->arg);
}

static PyObject *
get_ends (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, TSR_PY_CYCLE_ENDS, self->a, self->b | member->arg);
}

/* On the clock of the run: the base and what is relative to it. */
static PyObject *
get_end (TsrPyItem *self, const TsrPyMember *member)
{
  const gboolean all = (self->b & 1) != 0;
  const gboolean to = (self->b & 2) != 0;
  const gint64 ipu = self->b >> 2;
  TsrExactColumn column = all ? TSR_EXACT_ALL_FROM_MIN : TSR_EXACT_FROM_MIN;
  TsrExactColumn other = TSR_N_EXACT;
  TsrExactValue base;
  TsrExactValue value;
  gint64 sum;
  g_autofree char *name = NULL;

  column += (to ? 2 : 0) + (guint)member->arg;
  /* [inferred] A file with one number for each end has this one. */
  if (!all && column == TSR_EXACT_FROM_MAX)
    other = TSR_EXACT_FROM_MIN;
  if (!all && column == TSR_EXACT_TO_MIN)
    other = TSR_EXACT_TO_MAX;
  if (!get_exact (self, ipu, TSR_EXACT_BASE, &base) || !get_exact (self, ipu, column, &value)
      || (value.number == TSR_UNKNOWN && other != TSR_N_EXACT
          && !get_exact (self, ipu, other, &value)))
    return NULL;
  if (base.number != TSR_UNKNOWN && value.number != TSR_UNKNOWN
      && !__builtin_add_overflow (base.number, value.number, &sum))
    return PyLong_FromLongLong (sum);
  name = g_strconcat (
      "steps_by_ipu.",
      base.number == TSR_UNKNOWN ? "cycles_base" : tsr_exact_column_get_name (column), NULL);
  return tsr_py_missing (self->report, name);
}

/* --------------------------------------------------------------------- runs */

static PyObject *
make_run (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_RUN, i, 0);
}

static PyObject *
get_runs (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrExecutionTables *tables;
  gint64 n = 0;

  if (try_steps (self->report, &tables) < 0)
    return NULL;
  /* Without the table, one stands for all steps: it is not the file's. */
  if (tables != NULL && !(tables->n_runs == 1 && tables->run_id[0] == TSR_UNKNOWN))
    n = tables->n_runs;
  return tsr_py_list_new (self->report, "Run", make_run, 0, n);
}

static PyObject *
get_run_name (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrExecutionTables *tables = self->report->steps;

  return tsr_py_text (tsr_string_table_get (tables->strings, tables->run_name[self->a]));
}

static PyObject *
get_run_steps (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrExecutionTables *tables = self->report->steps;

  return tsr_py_list_new (self->report, "ExecutionStep", make_step, tables->run_first[self->a],
                          tables->run_end[self->a] - tables->run_first[self->a]);
}

static PyObject *
get_run_cycles (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrExecutionTables *tables = get_tables (self->report);
  PyObject *list = PyList_New (tables->run_ipu_cycles != NULL ? tables->n_ipus : 0);

  for (guint i = 0; list != NULL && tables->run_ipu_cycles != NULL && i < tables->n_ipus; i++)
    {
      PyObject *cycles
          = tsr_py_int (self, member, tables->run_ipu_cycles[(gsize)self->a * tables->n_ipus + i]);

      if (cycles == NULL)
        Py_CLEAR (list);
      else
        PyList_SetItem (list, i, cycles);
    }
  return list;
}

static PyObject *
get_microseconds (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_float (self, member,
                       member->arg == 0 ? self->report->run_start[self->a]
                                        : self->report->run_end[self->a]);
}

/* [inferred] The longest IPU's; without that table from the first start to the last end; nothing
 * took 0. */
static PyObject *
get_total (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrExecutionTables *tables;
  gint64 total = TSR_UNKNOWN;
  gint64 first = G_MAXINT64;
  gint64 last = G_MININT64;

  if (try_tables (self->report, &tables) < 0)
    return NULL;
  if (tables == NULL)
    return PyLong_FromLong (0);
  for (guint i = 0; tables->total_cycles != NULL && i < tables->n_ipus; i++)
    if (tables->total_cycles[i] == TSR_UNKNOWN)
      return tsr_py_missing (self->report, member->column);
    else
      total = MAX (total, tables->total_cycles[i]);
  if (total != TSR_UNKNOWN)
    return PyLong_FromLongLong (total);
  for (gsize i = 0; i < tables->ipu_start[tables->n_ipus]; i++)
    if (tables->slice_start[i] != TSR_UNKNOWN)
      {
        first = MIN (first, tables->slice_start[i]);
        last = MAX (last, tables->slice_end[i]);
      }
  return PyLong_FromLongLong (last >= first ? last - first : 0);
}

/* ------------------------------------------------------------------- blocks */

static PyObject *
make_block (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_BLOCK, list->a + i, 0);
}

/* Row of the first block not before @tile of @ipu: they are in that order. */
static guint
find_block (const TsrExecutionTables *tables, gint64 ipu, gint64 tile)
{
  guint from = 0;
  guint to = tables->n_blocks;

  while (from < to)
    {
      guint middle = from + (to - from) / 2;

      if (tables->block_ipu[middle] < ipu
          || (tables->block_ipu[middle] == ipu && tables->block_tile[middle] < tile))
        from = middle + 1;
      else
        to = middle;
    }
  return from;
}

static PyObject *
get_blocks_of (TsrPyReport *report, PyObject *argument)
{
  const TsrExecutionTables *tables;
  gint64 per_ipu = tsr_report_get_summary (report->report)->told.tiles_per_ipu;
  gint64 n_ipus = tsr_py_report_get_n_ipus (report);
  gint64 tile;
  guint first = 0;
  guint end = 0;

  if (n_ipus < 0 || try_tables (report, &tables) < 0)
    return NULL;
  if (per_ipu == TSR_UNKNOWN)
    return tsr_py_missing (report, "target.tiles_per_ipu");
  if (!tsr_py_get_index (argument, n_ipus * per_ipu, &tile))
    return NULL;
  if (tables != NULL)
    {
      first = find_block (tables, tile / per_ipu, tile % per_ipu);
      end = find_block (tables, tile / per_ipu, tile % per_ipu + 1);
    }
  return tsr_py_list_new (report, "Block", make_block, first, end - first);
}

static PyObject *
get_blocks (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrExecutionTables *tables;
  PyObject *list;

  if (try_tables (self->report, &tables) < 0)
    return NULL;
  list = tsr_py_list_new (self->report, "Block", make_block, 0,
                          tables != NULL ? tables->n_blocks : 0);
  if (list != NULL)
    ((TsrPyList *)list)->call = get_blocks_of;
  return list;
}

static PyObject *
get_block_program (TsrPyItem *self, const TsrPyMember *member)
{
  guint32 row = get_tables (self->report)->block_program[self->a];

  if (row == TSR_NO_INDEX)
    return tsr_py_missing (self->report, member->column);
  return tsr_py_program_new (self->report, row);
}

static PyObject *
get_block_tile (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrExecutionTables *tables = get_tables (self->report);
  gint64 per_ipu = tsr_report_get_summary (self->report->report)->told.tiles_per_ipu;

  if (tables->block_ipu[self->a] == TSR_NO_INDEX || tables->block_tile[self->a] == TSR_NO_INDEX)
    return tsr_py_missing (self->report, member->column);
  if (per_ipu == TSR_UNKNOWN)
    return tsr_py_missing (self->report, "target.tiles_per_ipu");
  return PyLong_FromLongLong (tables->block_ipu[self->a] * per_ipu + tables->block_tile[self->a]);
}

static PyObject *
get_block_number (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_int (self, member,
                     G_STRUCT_MEMBER (gint64 *, get_tables (self->report), member->arg)[self->a]);
}

static PyObject *
get_block_flag (TsrPyItem *self, const TsrPyMember *member)
{
  return PyBool_FromLong ((get_tables (self->report)->block_flags[self->a] & member->arg) != 0);
}

#define NEEDS    TSR_PY_BIT (EXECUTION)
#define STEPS    TSR_PY_BIT (STEPS)
#define PROGRAMS TSR_PY_BIT (PROGRAMS)
#define SLICE(name, unit, place, column, text)                                                     \
  {                                                                                                \
    TSR_PY_STEP_IPU, name, "int", unit, "steps_by_ipu." column, text, 0, get_slice_number, place   \
  }
#define MOVED(name, place, column, text)                                                           \
  {                                                                                                \
    TSR_PY_STEP_IPU, name, "int", "bytes", "steps_by_ipu." column,                                 \
        text " 0 for types of steps that move nothing.", 0, get_moved, place                       \
  }
#define FLAG(name, flag, column, text)                                                             \
  {                                                                                                \
    TSR_PY_BLOCK, name, "bool", "", "blocks." column, text, NEEDS, get_block_flag, flag            \
  }

const TsrPyMember tsr_py_execution_members[] = {
  { TSR_PY_EXECUTION, "steps", "List[ExecutionStep]", "", "steps.id",
    "The steps of all runs, in order.", 0, get_steps, .tries = STEPS },
  { TSR_PY_EXECUTION, "runs", "List[Run]", "", "runs.id", "The runs.", 0, get_runs,
    .tries = STEPS },
  { TSR_PY_EXECUTION, "totalCycles", "TotalCycles", "", "", "Cycles of the whole execution.", 0,
    get_of_same, TSR_PY_TOTAL_CYCLES },
  { TSR_PY_EXECUTION, "blocks", "List[Block]", "", "blocks.id",
    "Blocks of lightweight profiling, of all tiles; called with a tile (over all IPUs), those of "
    "it.",
    0, get_blocks, .tries = NEEDS },
  { TSR_PY_TOTAL_CYCLES, "total", "int", "cycles", "execution_cycle_totals.total",
    "The longest IPU's, with waits for the host; 0 when nothing ran.", 0, get_total,
    .tries = NEEDS },
  { TSR_PY_RUN, "name", "str", "", "runs.name", "The run's name.", STEPS, get_run_name },
  { TSR_PY_RUN, "microseconds", "Microseconds", "", "", "When it ran.", 0, get_of_same,
    TSR_PY_MICROSECONDS },
  { TSR_PY_RUN, "cyclesByIpu", "list[int]", "cycles", "run_cycles_by_ipu.cycles",
    "Cycles of the run on each IPU.", NEEDS, get_run_cycles },
  { TSR_PY_RUN, "steps", "List[ExecutionStep]", "", "runs.first_step", "The steps of the run.",
    STEPS, get_run_steps },
  { TSR_PY_MICROSECONDS, "start", "float", "microseconds", "runs.microseconds_start",
    "When it began; 0 like the end when not measured.", TSR_PY_BIT (EXACT), get_microseconds, 0 },
  { TSR_PY_MICROSECONDS, "end", "float", "microseconds", "runs.microseconds_end",
    "When it ended; 0 like the start when not measured.", TSR_PY_BIT (EXACT), get_microseconds, 1 },
  { TSR_PY_STEP, "program", "Program", "", "steps.program", "The program that was executed.", STEPS,
    get_program, .tries = PROGRAMS },
  { TSR_PY_STEP, "computeSets", "List[ExecutionComputeSet]", "", "steps.compute_set",
    "The compute set that was executed, if any.", STEPS, get_compute_sets },
  { TSR_PY_STEP, "cyclesByTile", "list[int]", "cycles", "tile_cycles.cycles_by_tile",
    "Measured cycles of each tile of all IPUs; none where they were not measured.",
    STEPS | TSR_PY_BIT (TILE_CYCLES), get_cycles_by_tile },
  { TSR_PY_STEP, "ipus", "List[ExecutionStepIpu]", "", "steps_by_ipu.step_id",
    "The step on each IPU.", STEPS, get_step_ipus },
  { TSR_PY_STEP_COMPUTE_SET, "name", "str", "", "compute_sets.name", "The compute set's name.",
    PROGRAMS, get_set_member },
  { TSR_PY_STEP_COMPUTE_SET, "vertices", "List[ComputeSetVertex]", "",
    "compute_set_vertices.vertex_type", "What was executed.", PROGRAMS, get_set_member },
  { TSR_PY_STEP_COMPUTE_SET, "estimatedCyclesByTile", "list[int]", "cycles",
    "compute_sets.estimated_cycles_by_tile", "What the compiler expected it to take on each tile.",
    PROGRAMS, get_set_member },
  { TSR_PY_STEP_COMPUTE_SET, "cyclesByTile", "list[int]", "cycles", "tile_cycles.cycles_by_tile",
    "Measured cycles of each tile of all IPUs; none where they were not measured.",
    STEPS | TSR_PY_BIT (TILE_CYCLES), get_cycles_by_tile },
  SLICE ("cycles", "cycles", TSR_EXACT_CYCLES, "cycles", "Cycles of the longest tile."),
  { TSR_PY_STEP_IPU, "tileBalance", "float", "", "steps_by_ipu.tile_balance",
    "Mean cycles of all tiles as a part of the longest one's.", 0, get_balance,
    TSR_EXACT_TILE_BALANCE },
  { TSR_PY_STEP_IPU, "activeTileBalance", "float", "", "steps_by_ipu.active_tile_balance",
    "The same of the tiles that did something.", 0, get_balance, TSR_EXACT_ACTIVE_TILE_BALANCE },
  MOVED ("dataIn", TSR_EXACT_DATA_IN, "data_in", "Bytes that came to the IPU's tiles."),
  MOVED ("dataOut", TSR_EXACT_DATA_OUT, "data_out", "Bytes that went from the IPU's tiles."),
  { TSR_PY_STEP_IPU, "activeCycles", "CycleRange", "", "",
    "When the tiles that did something began and ended.", 0, get_range, 0 },
  { TSR_PY_STEP_IPU, "allCycles", "CycleRange", "", "steps_by_ipu.all_cycles_from_min",
    "When all tiles began and ended.", 0, get_range, 1 },
  { TSR_PY_CYCLE_RANGE, "cyclesFrom", "CycleMinMax", "", "", "When they began.", 0, get_ends, 0 },
  { TSR_PY_CYCLE_RANGE, "cyclesTo", "CycleMinMax", "", "", "When they ended.", 0, get_ends, 2 },
  { TSR_PY_CYCLE_ENDS, "min", "int", "cycles", "steps_by_ipu.active_cycles_from_min",
    "The first tile.", 0, get_end, 0 },
  { TSR_PY_CYCLE_ENDS, "max", "int", "cycles", "steps_by_ipu.active_cycles_to_max",
    "The last tile.", 0, get_end, 1 },
  { TSR_PY_BLOCK, "program", "Program", "", "blocks.program", "The program of the block.",
    NEEDS | PROGRAMS, get_block_program },
  { TSR_PY_BLOCK, "tile", "int", "", "blocks.tile", "Its tile, over all IPUs.", NEEDS,
    get_block_tile },
  { TSR_PY_BLOCK, "cyclesFrom", "int", "cycles", "blocks.cycles_from",
    "When it began, on the clock of its IPU.", NEEDS, get_block_number,
    TSR_PY_OFFSET (TsrExecutionTables, block_from) },
  { TSR_PY_BLOCK, "cyclesTo", "int", "cycles", "blocks.cycles_to",
    "When it ended, on the clock of its IPU.", NEEDS, get_block_number,
    TSR_PY_OFFSET (TsrExecutionTables, block_to) },
  FLAG ("isStreamCopy", TSR_BLOCK_STREAM_COPY, "is_stream_copy", "Whether it is a stream copy."),
  FLAG ("isCommon", TSR_BLOCK_COMMON, "is_common", "Whether all tiles have it."),
  FLAG ("isOverflow", TSR_BLOCK_OVERFLOW, "is_overflow", "Whether the profiler's buffer was full."),
  FLAG (
      "isBlockFlush", TSR_BLOCK_FLUSH, "is_block_flush", "Whether it is the profiler's own copy."),
  { .name = NULL },
};

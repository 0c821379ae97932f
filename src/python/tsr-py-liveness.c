/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Members of liveness steps: what is live at a step that is not always live, over all tiles, on an
 * IPU or on a tile.  The series of the last tiles that were asked for are kept, so that loops over
 * steps do not add up a tile's variables again and again. */

#include "config.h"

#include "tsr-py.h"

#include <string.h>

#define SERIES_ROOM ((gsize)64 << 20) /* bytes */

/* What a NotAlwaysLiveMemory is of: the number b; tiles from 0, IPUs below the other two. */
#define OF_ALL    (-1)
#define OF_IPU(i) (-2 - (gint64)(i))
#define IPU_OF(b) ((guint)(-2 - (b)))

static const TsrLivenessTables *
get_tables (TsrPyReport *report)
{
  return tsr_report_get_liveness_tables (report->report);
}

static PyObject *
make_step (TsrPyList *list, gint64 i)
{
  return tsr_py_item_new (list->report, TSR_PY_LIVENESS_STEP, i, 0);
}

static PyObject *
get_steps (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_list_new (self->report, "LivenessProgramStep", make_step, 0,
                          get_tables (self->report)->n_steps);
}

static PyObject *
get_program (TsrPyItem *self, const TsrPyMember *member)
{
  guint32 row = get_tables (self->report)->step_program[self->a];

  if (row == TSR_NO_INDEX
      || row >= tsr_report_get_program_tables (self->report->report)->n_programs)
    return tsr_py_missing (self->report, member->column);
  return tsr_py_program_new (self->report, row);
}

static PyObject *
get_memory (TsrPyItem *self, const TsrPyMember *member)
{
  return tsr_py_item_new (self->report, TSR_PY_LIVE_MEMORY, self->a, OF_ALL);
}

static PyObject *
get_memory_for_tile (PyObject *object, PyObject *argument)
{
  TsrPyItem *self = (TsrPyItem *)object;
  guint32 tile;

  if (!tsr_py_report_get_tile (self->report, argument, &tile))
    return NULL;
  return tsr_py_item_new (self->report, TSR_PY_LIVE_MEMORY, self->a, tile);
}

static PyObject *
get_memory_for_ipu (PyObject *object, PyObject *argument)
{
  TsrPyItem *self = (TsrPyItem *)object;
  const TsrTarget *told = &tsr_report_get_summary (self->report->report)->told;
  gint64 n = tsr_py_report_get_n_ipus (self->report);
  gint64 ipu;

  if (n < 0 || !tsr_py_get_index (argument, n, &ipu))
    return NULL;
  return tsr_py_item_new (self->report, TSR_PY_LIVE_MEMORY, self->a,
                          OF_IPU (told->ipus_per_replica > 0 ? ipu % told->ipus_per_replica : ipu));
}

/* -------------------------------------------------------------------- bytes */

static void
series_free (TsrPySeries *series)
{
  g_free (series->bytes);
  g_free (series);
}

/* (transfer none): bytes of @tile at each step. */
static const gint64 *
peek_series (TsrPyReport *report, guint32 tile)
{
  const guint n_steps = get_tables (report)->n_steps;
  const gsize most = MAX (SERIES_ROOM / ((n_steps + 1) * sizeof (gint64)), 1);
  TsrPySeries *series = g_hash_table_lookup (report->series_of, GUINT_TO_POINTER (tile));

  if (series != NULL)
    return series->bytes;
  if (report->series.length >= most)
    {
      TsrPySeries *oldest = g_queue_pop_tail (&report->series);

      g_hash_table_remove (report->series_of, GUINT_TO_POINTER (oldest->tile));
      series_free (oldest);
    }
  series = g_new (TsrPySeries, 1);
  series->tile = tile;
  series->bytes = g_new (gint64, n_steps + 1);
  tsr_live_sums_reset (&report->sums);
  if (tile < report->sums.lowered->n_tiles)
    tsr_live_sums_add_tile (&report->sums, tile);
  tsr_live_sums_series (&report->sums, &report->axis, series->bytes);
  g_queue_push_head (&report->series, series);
  g_hash_table_insert (report->series_of, GUINT_TO_POINTER (tile), series);
  return series->bytes;
}

static PyObject *
get_bytes (TsrPyItem *self, const TsrPyMember *member)
{
  const TsrLivenessTables *tables = get_tables (self->report);

  if (self->b == OF_ALL)
    return tsr_py_int (self, member, tables->step_bytes[self->a]);
  if (self->b < OF_ALL)
    {
      guint ipu = IPU_OF (self->b);
      gint64 bytes = ipu < tables->n_ipus
                         ? tables->step_ipu_bytes[(gsize)ipu * tables->n_steps + (gsize)self->a]
                         : TSR_UNKNOWN;

      return bytes != TSR_UNKNOWN
                 ? PyLong_FromLongLong (bytes)
                 : tsr_py_missing (self->report, "liveness_by_ipu.not_always_live_bytes");
    }
  if (!tsr_py_report_need (self->report, TSR_PY_BIT (LIVE)))
    return NULL;
  if (peek_series (self->report, (guint32)self->b)[self->a] == TSR_UNKNOWN)
    return tsr_py_missing (self->report, "vars_info.equivalence_class");
  return PyLong_FromLongLong (peek_series (self->report, (guint32)self->b)[self->a]);
}

/* ---------------------------------------------------------------- variables */

static PyObject *
get_of_lifetimes (TsrPyItem *self)
{
  const TsrLivenessTables *tables = get_tables (self->report);
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint v = 0; v < tables->n_variables; v++)
    for (guint32 i = tables->lifetime_start[v]; i < tables->lifetime_start[v + 1]; i++)
      if (tables->lifetime_from[i] <= self->a && self->a < tables->lifetime_to[i])
        {
          gint64 pair[2] = { v, tables->lifetime_bytes[i] };

          g_array_append_vals (pairs, pair, 2);
        }
  return tsr_py_sizes_new (self->report, pairs);
}

static PyObject *
get_variables (TsrPyItem *self, const TsrPyMember *member)
{
  gint64 per_ipu = tsr_report_get_summary (self->report->report)->told.tiles_per_ipu;
  g_autofree guint8 *classes = NULL;
  guint32 first = (guint32)self->b;
  guint32 end = first + 1;

  if (self->b == OF_ALL)
    return get_of_lifetimes (self);
  if (!tsr_py_report_need (self->report, TSR_PY_BIT (LOWERED)))
    return NULL;
  if (self->b < OF_ALL && per_ipu == TSR_UNKNOWN)
    return tsr_py_missing (self->report, "target.tiles_per_ipu");
  if (self->b < OF_ALL)
    {
      first = (guint32)(IPU_OF (self->b) * per_ipu);
      end = (guint32)(first + per_ipu);
    }
  classes = tsr_live_sums_dup_classes_at (tsr_report_get_lowered_tables (self->report->report),
                                          (guint)self->a);
  return tsr_py_sizes_new_of_tiles (self->report, first, end, classes);
}

#define NEEDS TSR_PY_BIT (LIVENESS)

const TsrPyMember tsr_py_liveness_members[] = {
  { TSR_PY_COMPILATION, "livenessProgramSteps", "List[LivenessProgramStep]", "",
    "liveness_steps.step", "The steps of the program, depth first.", NEEDS, get_steps },
  { TSR_PY_LIVENESS_STEP, "program", "Program", "", "liveness_steps.program",
    "The program of the step.", NEEDS | TSR_PY_BIT (PROGRAMS), get_program },
  { TSR_PY_LIVENESS_STEP, "notAlwaysLiveMemory", "NotAlwaysLiveMemory", "", "",
    "What is live now and not always, over all tiles of a replica.", 0, get_memory },
  { TSR_PY_LIVENESS_STEP, "notAlwaysLiveMemoryForTile", "(tile: int) -> NotAlwaysLiveMemory", "",
    "", "The same on a tile.", .method = get_memory_for_tile },
  { TSR_PY_LIVENESS_STEP, "notAlwaysLiveMemoryForIpu", "(ipu: int) -> NotAlwaysLiveMemory", "", "",
    "The same on an IPU.", .method = get_memory_for_ipu },
  { TSR_PY_LIVE_MEMORY, "bytes", "int", "bytes", "liveness_steps.not_always_live_bytes",
    "Bytes that are live.", NEEDS, get_bytes },
  { TSR_PY_LIVE_MEMORY, "variables", "List[VariableSize]", "", "variable_lifetimes.size_bytes",
    "The variables that are live, with their sizes there; on a tile or an IPU, what the compiler "
    "made is told by name.",
    NEEDS, get_variables },
  { .name = NULL },
};

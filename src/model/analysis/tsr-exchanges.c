/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exchanges: their code, and what they did in the recorded steps.  The execution is read in one
 * scan, by program and IPU; a step's cycles are d of INSIGHTS 1.1: the part that the step before
 * does not cover. */

#include "config.h"

#include "tsr-vertices-private.h"

#include "tsr-scan.h"
#include "tsr-variables-private.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- execution */

/* A recorded step of an exchange. */
typedef struct
{
  gint64 id;
  guint32 program;
} Step;

typedef struct
{
  guint64 key; /* program, IPU */
  TsrExchangeRuns sums;
} Place;

typedef struct
{
  TsrVertices *self;
  GArray *steps;     /* Step, ascending */
  guint at;          /* the one looked at last */
  GHashTable *index; /* Place by its key */
  GPtrArray *places;
  gint64 last_step; /* of the row before, to number IPUs without a column */
  gint64 row_of_step;
  gboolean overflow;
} Reading;

enum
{
  STEP,
  IPU,
  BASE,
  FROM_MIN,
  FROM_MAX,
  TO_MAX,
  DATA_IN,
  DATA_OUT
};

static guint
find_program (const TsrProgramTables *tables, gint64 id)
{
  guint low = 0;
  guint high = tables->n_programs;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (tables->program_id[middle] < id)
        low = middle + 1;
      else
        high = middle;
    }
  return low < tables->n_programs && tables->program_id[low] == id ? low : TSR_NO_INDEX;
}

/* By what it is; a type that is not known counts when it has code of its own. */
static gboolean
is_exchange (const TsrProgramTables *tables, guint program)
{
  static const char *const types[] = { "DoExchange", "GlobalExchange", "StreamCopyMid", NULL };
  const char *type = tsr_string_table_get (tables->strings, tables->program_type[program]);

  return (type != NULL && g_strv_contains (types, type))
         || tables->program_code[program].id != TSR_UNKNOWN
         || tables->program_code[program].total > 0;
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const Step *x = a;
  const Step *y = b;

  return x->id < y->id ? -1 : x->id > y->id;
}

static gboolean
read_steps (Reading *reading, TsrProfile *profile, GError **error)
{
  static const char *const columns[] = { "id", "program", NULL };
  const TsrProgramTables *tables = reading->self->tables;
  GError *local_error = NULL;
  g_autoptr (TsrScan) scan = tsr_scan_new (profile, "steps", columns, &local_error);
  gboolean in_order = TRUE;

  while (scan != NULL && tsr_scan_next (scan, &local_error))
    {
      Step step = { tsr_scan_get_int (scan, 0), 0 };

      step.program = find_program (tables, tsr_scan_get_int (scan, 1));
      if (step.id == TSR_UNKNOWN || step.program == TSR_NO_INDEX
          || !is_exchange (tables, step.program))
        continue;
      if (reading->steps->len > 0)
        in_order = in_order
                   && g_array_index (reading->steps, Step, reading->steps->len - 1).id < step.id;
      g_array_append_val (reading->steps, step);
    }
  if (!in_order)
    g_array_sort (reading->steps, compare_steps);
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

/* The exchange whose step @id is; rows come in step order, so it is mostly here or next. */
static const Step *
find_step (Reading *reading, gint64 id)
{
  const Step *steps = (const Step *)(const void *)reading->steps->data;
  guint n = reading->steps->len;
  Step key = { id, 0 };

  for (guint i = 0; i < 2 && reading->at + i < n; i++)
    if (steps[reading->at + i].id == id)
      {
        reading->at += i;
        return &steps[reading->at];
      }
  if (reading->at + 1 < n && steps[reading->at].id < id && id < steps[reading->at + 1].id)
    return NULL;
  if (n == 0 || id < steps[0].id)
    return NULL;
  {
    const Step *found = bsearch (&key, steps, n, sizeof *steps, compare_steps);

    if (found != NULL)
      reading->at = found - steps;
    return found;
  }
}

static Place *
find_place (Reading *reading, guint program, gint64 ipu)
{
  guint64 key = (guint64)program << 32 | (guint32)ipu;
  Place *place = g_hash_table_lookup (reading->index, &key);

  if (place != NULL)
    return place;
  place = g_new0 (Place, 1);
  place->key = key;
  g_hash_table_insert (reading->index, &place->key, place);
  g_ptr_array_add (reading->places, place);
  return place;
}

static gint64
get_cycles (TsrScan *scan)
{
  gint64 base = tsr_scan_get_int (scan, BASE);
  gint64 from = tsr_scan_get_int (scan, FROM_MAX);
  gint64 to = tsr_scan_get_int (scan, TO_MAX);
  gint64 cycles;

  if (from == TSR_UNKNOWN)
    from = tsr_scan_get_int (scan, FROM_MIN);
  if (base == TSR_UNKNOWN || from == TSR_UNKNOWN || to == TSR_UNKNOWN
      || __builtin_sub_overflow (to, from, &cycles))
    return TSR_UNKNOWN;
  return MAX (cycles, 0);
}

static gint64
get_data (TsrScan *scan)
{
  gint64 in = tsr_scan_get_int (scan, DATA_IN);
  gint64 out = tsr_scan_get_int (scan, DATA_OUT);

  if (in < 0 || out < 0 || !tsr_sum_add (&in, out))
    return TSR_UNKNOWN;
  return in;
}

static void
add_row (Reading *reading, TsrScan *scan)
{
  gint64 id = tsr_scan_get_int (scan, STEP);
  gint64 ipu = tsr_scan_get_int (scan, IPU);
  const Step *step;
  Place *place;

  reading->row_of_step = id == reading->last_step ? reading->row_of_step + 1 : 0;
  reading->last_step = id;
  if (!tsr_scan_has_column (scan, IPU))
    ipu = reading->row_of_step;
  step = id != TSR_UNKNOWN ? find_step (reading, id) : NULL;
  if (step == NULL || ipu < 0 || ipu > G_MAXUINT32)
    return;
  place = find_place (reading, step->program, ipu);
  place->sums.executions++;
  if (!tsr_sum_add (&place->sums.cycles, get_cycles (scan))
      || !tsr_sum_add (&place->sums.bytes, get_data (scan)))
    reading->overflow = TRUE;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  guint64 x = (*(Place *const *)a)->key;
  guint64 y = (*(Place *const *)b)->key;

  return x < y ? -1 : x > y;
}

/* Of several IPUs the one where it took longest, ties to the lower; an unknown one may be that. */
static void
take_longest (Reading *reading, TsrExchangeRuns *runs)
{
  GPtrArray *places = reading->places;

  g_ptr_array_sort (places, compare_places);
  for (guint i = 0; i < places->len; i++)
    {
      const Place *place = places->pdata[i];
      TsrExchangeRuns *best = &runs[place->key >> 32];

      if (best->executions == 0)
        *best = place->sums;
      else if (best->cycles == TSR_UNKNOWN || place->sums.cycles == TSR_UNKNOWN)
        {
          best->executions = MAX (best->executions, place->sums.executions);
          best->cycles = best->bytes = TSR_UNKNOWN;
        }
      else if (place->sums.cycles > best->cycles)
        *best = place->sums;
    }
}

static gboolean
scan_execution (Reading *reading, TsrProfile *profile, GError **error)
{
  static const char *const columns[] = { "step_id",
                                         "ipu",
                                         "cycles_base",
                                         "active_cycles_from_min",
                                         "active_cycles_from_max",
                                         "active_cycles_to_max",
                                         "data_in",
                                         "data_out",
                                         NULL };
  GError *local_error = NULL;
  g_autoptr (TsrScan) scan = NULL;

  if (!read_steps (reading, profile, error))
    return FALSE;
  scan = tsr_scan_new (profile, "steps_by_ipu", columns, &local_error);
  while (scan != NULL && tsr_scan_next (scan, &local_error))
    add_row (reading, scan);
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
read_runs (TsrVertices *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (TsrProfile) profile = tsr_report_open_profile (self->report, NULL);
  Reading reading = { .self = self, .last_step = TSR_UNKNOWN };
  gboolean ok;

  self->runs_read = TRUE;
  if (profile == NULL || !tsr_profile_has_rows (profile, "steps")
      || !tsr_profile_has_rows (profile, "steps_by_ipu"))
    return TRUE;
  tsr_database_set_cancellable (tsr_profile_get_database (profile), cancellable);
  reading.steps = g_array_new (FALSE, FALSE, sizeof (Step));
  reading.index = g_hash_table_new (g_int64_hash, g_int64_equal);
  reading.places = g_ptr_array_new_with_free_func (g_free);
  ok = scan_execution (&reading, profile, error);
  if (ok)
    {
      self->runs = g_new0 (TsrExchangeRuns, MAX (self->tables->n_programs, 1));
      take_longest (&reading, self->runs);
      if (reading.overflow)
        tsr_say_sum_too_large (tsr_report_get_diagnostics (self->report), "steps_by_ipu");
    }
  self->runs_read = ok;
  g_array_unref (reading.steps);
  g_hash_table_unref (reading.index);
  g_ptr_array_unref (reading.places);
  return ok;
}

gboolean
tsr_vertices_read_runs (TsrVertices *self, GCancellable *cancellable, GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = self->runs_read || read_runs (self, cancellable, error);
  g_mutex_unlock (&self->lock);
  return ok;
}

/* -------------------------------------------------------------------- list */

static int
compare_exchanges (gconstpointer a, gconstpointer b, gpointer data)
{
  const TsrExchangeRow *x = a;
  const TsrExchangeRow *y = b;

  if (x->code_bytes != y->code_bytes)
    return x->code_bytes > y->code_bytes ? -1 : 1;
  return x->program < y->program ? -1 : x->program > y->program;
}

GArray *
tsr_vertices_list_exchanges (
    TsrVertices *self, const guint *tiles, guint n_tiles, GCancellable *cancellable, GError **error)
{
  const TsrProgramTables *tables = self->tables;
  g_auto (TsrArrayReader) reader = { 0 };
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (TsrExchangeRow));

  tsr_array_reader_init (&reader, self, tiles, n_tiles, cancellable);
  if (!tsr_vertices_read_runs (self, cancellable, error))
    return NULL;
  for (guint program = 0; program < tables->n_programs; program++)
    {
      TsrExchangeRow row = { program, 0, TSR_UNKNOWN, TSR_UNKNOWN, TSR_UNKNOWN };
      gint64 maximum;

      if (!is_exchange (tables, program))
        continue;
      if (!tsr_array_reader_get (&reader, tables->program_code[program], &row.code_bytes, &maximum,
                                 error))
        return NULL;
      if (tiles != NULL && row.code_bytes == 0)
        continue;
      if (self->runs != NULL)
        {
          row.executions = self->runs[program].executions;
          row.cycles = self->runs[program].cycles;
          row.bytes = self->runs[program].bytes;
        }
      g_array_append_val (list, row);
    }
  g_array_sort_with_data (list, compare_exchanges, NULL);
  return g_steal_pointer (&list);
}
